"""A morning in the life of the board, told line by line; runs under MicroPython and CPython alike.

Every interpreter must say the same: `test_interpreters.py` compares them.
"""

from tippo import wire
from tippo.loop import Loop


class ScriptedChip:
    """Gives words at given times."""

    def __init__(self):
        self.words = []
        self.restarts = 0

    def take(self):
        return self.words.pop(0) if self.words else None

    def restart(self):
        self.restarts += 1


class ScriptedBoard:
    board_id = "e6614104031f2b37"
    began = "power"

    def __init__(self):
        self.now_us = wire.CLOCK_WRAP_US - 2_000_000  # so that the clock wraps on the way
        self.closed = 0
        self.chips = {"left": ScriptedChip(), "right": ScriptedChip()}
        self.said = []

    def ticks_us(self):
        return self.now_us

    def contact(self):
        return self.closed

    def light(self, tray, green, red):
        self.lit = (tray, green, red)

    def sound(self, on):
        self.sounding = on

    def write(self, text):
        self.said.append(text)

    def bootloader(self):
        self.said.append("(bootloader)\n")

    def maintain(self):
        self.said.append("(maintain)\n")


def pass_time(board, loop, microseconds, words):
    """Both chips convert ``words`` at even intervals while time passes."""
    step = microseconds // max(len(words), 1)
    for word in words or [None]:
        board.now_us = (board.now_us + step) % wire.CLOCK_WRAP_US
        if word is not None:
            board.chips["left"].words.append((word, board.now_us))
            board.chips["right"].words.append((word ^ 0x1FFFFFE, board.now_us))
        loop.step()


def tell():
    """Everything that the board says."""
    board = ScriptedBoard()
    loop = Loop(board)
    good = [(n * 7919 % (1 << 24)) << 1 | 1 for n in range(30)]
    pass_time(board, loop, 1_500_000, good)
    board.closed = 1
    pass_time(board, loop, 100_000, good[:3])
    board.closed = 0
    pass_time(board, loop, 2_600_000, [])
    pass_time(board, loop, 400_000, [1, 1, 1, 1, 0xFFFFFF, 0x1000001, 3, 0xFFFFFE, 5, 7, 9, 11, 13, 15])
    for command in (
        "hello",
        "rates",
        "lamp,left,stop",
        "lamp,left,blue",
        "sound,spill",
        "restart,right",
    ):
        loop.receive(wire.frame("C,7," + command).encode())
    loop.receive(b"AT+GCAP\r\n$C,8,hello*00000000\n" + b"x" * 300 + b"\n")
    loop.receive(wire.frame("C,9,dance").encode() + wire.frame("C,10,maintain").encode())
    return "".join(board.said)


def lines_of(vectors):
    """The lines that the firmware makes of golden vectors."""
    made = []
    for vector in vectors:
        lines = wire.Lines()
        lines._sequence = vector["sequence"]
        made.append(getattr(lines, vector["say"])(*[fixed(a) for a in vector["with"]]))
    return made


def fixed(argument):
    """JSON has no tuples."""
    if isinstance(argument, list) and argument and isinstance(argument[0], list):
        return [tuple(item) for item in argument]
    return argument


def commands_of(lines):
    """What the firmware understands of command lines."""
    found = []
    for line in lines:
        body = wire.unframe(line.encode())
        parsed = None if body is None else wire.command(body)
        found.append(None if parsed is None else list(parsed))
    return found
