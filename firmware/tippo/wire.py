"""The wire format: one line of text a message, with a checksum; see hardware/wire.md.

Pure: the same file runs on the board, under CPython in the tests and in the virtual Pico. It
never touches a pin, a clock or a port.
"""

from binascii import crc32

PROTOCOL = 1
FIRMWARE = "1.0.0"

CLOCK_WRAP_US = 1 << 30
SEQUENCE_WRAP = 1 << 16
LONGEST_LINE = 120

CELLS = ("left", "right", "deck")
LAMPS = ("off", "open", "stop", "alert")
SOUNDS = ("placed", "uno", "refused", "spill", "round_over")


def frame(body):
    """The line that carries a message."""
    return "$%s*%08x\n" % (body, crc32(body.encode()) & 0xFFFFFFFF)


def unframe(line):
    """The message in a line (bytes, without its newline), or None if it is damaged or foreign."""
    line = line.rstrip()
    if len(line) < 11 or len(line) > LONGEST_LINE or line[:1] != b"$" or line[-9:-8] != b"*":
        return None
    body = line[1:-9]
    try:
        if int(line[-8:], 16) != crc32(body) & 0xFFFFFFFF:
            return None
        return body.decode()
    except (ValueError, UnicodeError):
        return None


def elapsed_us(later, earlier):
    """Board microseconds between two moments; the board's clock wraps every 18 minutes."""
    return (later - earlier) & (CLOCK_WRAP_US - 1)


class Lines:
    """Numbers and stamps what the board says."""

    def __init__(self):
        self._sequence = 0

    def _line(self, kind, us, rest):
        line = frame("%s,%d,%d,%s" % (kind, self._sequence, us, rest))
        self._sequence = (self._sequence + 1) % SEQUENCE_WRAP
        return line

    def banner(self, us, board_id, cells, tilt_fitted, began):
        """Who speaks: sent at the start and on `hello`. ``began``: power or watchdog."""
        fitted = "+".join(cells)
        return self._line(
            "B",
            us,
            "%d,%s,%s,%s,%d,%s" % (PROTOCOL, FIRMWARE, board_id, fitted, tilt_fitted, began),
        )

    def reading(self, us, cell, counts, contact):
        """One good conversion. ``contact``: the tilt switch now, None where none is fitted."""
        return self._line("R", us, "%s,%d,%s" % (cell, counts, contact_text(contact)))

    def fault(self, us, cell, kind):
        """A conversion that is worthless, or a second without any."""
        return self._line("F", us, "%s,%s" % (cell, kind))

    def tilt(self, us, contact):
        """The raw switch has changed."""
        return self._line("T", us, contact_text(contact))

    def rates(self, us, cells):
        """Once a second: for each cell (name, hundredths of a hertz, good, bad, restarts)."""
        return self._line("H", us, ",".join("%s:%d:%d:%d:%d" % cell for cell in cells))

    def answer(self, us, number, word):
        """To the command of that number: ok, unknown or bad."""
        return self._line("A", us, "%d,%s" % (number, word))


def contact_text(contact):
    return "-" if contact is None else "1" if contact else "0"


def command(body):
    """(number, name, arguments) of a message from the host, or None if it is no command."""
    parts = body.split(",")
    if len(parts) < 3 or parts[0] != "C":
        return None
    try:
        return int(parts[1]), parts[2], parts[3:]
    except ValueError:
        return None


class LineReader:
    """Cuts what arrives into lines; a line that is too long is dropped whole."""

    def __init__(self):
        self._part = b""
        self._overlong = False

    def feed(self, data):
        """The lines that ``data`` completes."""
        pieces = (self._part + data).split(b"\n")
        self._part = pieces.pop()
        if self._overlong and pieces:
            pieces.pop(0)
            self._overlong = False
        if len(self._part) > LONGEST_LINE:
            self._part = b""
            self._overlong = True
        return pieces
