"""The referee as a co-process: one JSON command a line in, one JSON answer a line out.

It never decides anything but what to do with a `start` while a game runs.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec

from companion.errors import BadInput
from companion.games.commands import Command, Start
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Code, Phase, Refusal, refusal
from companion.games.rulings import Ruling


class Stream:
    """The answers to a sequence of lines; `n` counts the commands, blank lines and remarks not."""

    def __init__(self) -> None:
        self.game: Game | None = None
        self._n = 0
        self._encoder = msgspec.json.Encoder()

    def answer(self, line: bytes) -> tuple[bytes, bool] | None:
        """The answer to a line, without a newline, and whether it was accepted.

        None for a line that is blank or begins with `#`.
        """
        if line.startswith(b"#") or not line.strip():
            return None
        self._n += 1
        try:
            given = self._apply(decode_command(line))
        except BadInput as error:
            given = Refusal(Code.BAD_INPUT, str(error))
        state = None if self.game is None else self.game.state.as_json()
        if isinstance(given, Refusal):
            why = {"code": given.code, "message": given.message}
            if given.rule is not None:
                why["rule"] = given.rule
            shown = {"n": self._n, "ok": False, "error": why, "state": state}
            return self._encoder.encode(shown), False
        shown = {"n": self._n, "ok": True, "rulings": given, "state": state}
        return self._encoder.encode(shown), True

    def _apply(self, command: Command) -> tuple[Ruling, ...] | Refusal:
        if isinstance(command, Start):
            return self._start(command)
        if self.game is None:
            return refusal(Code.NO_GAME, "No game has been started yet")
        answer = self.game.apply(command)
        if isinstance(answer, Refusal):
            return answer
        self.game, accepted = answer
        return accepted.rulings

    def _start(self, command: Start) -> tuple[Ruling, ...] | Refusal:
        begun = Game.begin(command)
        malformed = isinstance(begun, Refusal) and begun.code is Code.BAD_INPUT
        running = self.game is not None and self.game.state.phase is not Phase.GAME_OVER
        if running and not command.force and not malformed:
            return refusal(Code.GAME_RUNNING, "A game is running: `force` must be true to end it")
        if isinstance(begun, Refusal):
            return begun
        self.game = begun
        return ()


def referee_stream(lines: Iterable[bytes], out: BinaryIO, *, strict: bool) -> bool:
    """Answers every line at once; False if `strict` and it stopped at a refusal.

    Raises:
        BadInput: the lines cannot be read on; those before it have their answers.
    """
    stream = Stream()
    for line in _readable(lines):
        answer = stream.answer(line)
        if answer is None:
            continue
        text, ok = answer
        out.write(text + b"\n")
        out.flush()
        if strict and not ok:
            return False
    return True


def _readable(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines; what cannot be read is told apart from answers that cannot be written."""
    try:
        yield from lines
    except OSError as error:
        raise BadInput(f"the commands cannot be read: {error.strerror}") from None
