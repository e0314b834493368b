"""The errors a user may see, each one clear sentence: what is wrong, where, what to do.

    TippoError            everything below; the command line prints it and exits with `exit_code`
    ├── BadInput          a file, a line or an option that breaks its format        (exit 2)
    └── Refused           well-formed, but it cannot be done now                    (exit 1)
        ├── BoardError    a sensor board is missing, busy or does not answer
        ├── CalibrationError  a calibration is missing, damaged or was not accepted
        ├── DisplayError  there is no screen to show the table on
        └── JournalError  the journal cannot be opened, read or written
            └── DamagedJournal  it is no journal, or a failing disk has damaged it

A refusal of the referee is no error but an answer: see `companion.games.referee.Refusal`.
"""


class TippoError(Exception):
    """Something that a sentence to the user explains completely."""

    exit_code = 1


def in_two(sentence: str) -> tuple[str, str]:
    """What is wrong, and what to do, of an error's sentence; the second may be empty.

    What somebody else has said of it stands in brackets, and may have colons of its own.
    """
    brackets = 0
    for place, letter in enumerate(sentence):
        brackets += (letter == "(") - (letter == ")")
        if brackets <= 0 and sentence.startswith(": ", place):
            return sentence[:place], sentence[place + 2 :]
    return sentence, ""


class BadInput(TippoError):
    """Input that breaks its format, with the place in it where one is known."""

    exit_code = 2

    def __init__(self, message: str, *, line: int | None = None) -> None:
        self.line = line
        super().__init__(message if line is None else f"line {line}: {message}")


class Refused(TippoError):
    """A well-formed request that cannot be fulfilled now."""


class BoardError(Refused):
    """A sensor board is missing, busy or does not answer."""


class CalibrationError(Refused):
    """A calibration is missing, damaged, for another board, or was not accepted."""


class DisplayError(Refused):
    """There is no screen to show the table on."""


class JournalError(Refused):
    """The journal cannot be opened, read or written."""


class DamagedJournal(JournalError):
    """What the journal's file holds cannot be read any more."""
