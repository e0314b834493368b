"""The board's one loop: words become lines, the switch is watched, commands are carried out.

Pure but for what it is given; it runs on the board, in the tests and in the virtual Pico.
"""

from tippo import wire
from tippo.cell import Cell
from tippo.signals import Buzzer, Lamp


class Loop:
    """``board`` has:

    chips: {cell name: chip} (see `tippo.cell.Cell`)
    contact(): the tilt switch (1 closed, 0 open), or None where none is fitted
    light(tray, green, red), sound(on)
    ticks_us(): microseconds, wrapping at `wire.CLOCK_WRAP_US`
    write(text): to the host
    board_id, began: for the banner
    bootloader(), maintain(): leave the firmware
    """

    def __init__(self, board):
        self._board = board
        self._lines = wire.Lines()
        self._reader = wire.LineReader()
        now_us = board.ticks_us()
        self._cells = [Cell(name, board.chips[name], now_us) for name in wire.CELLS if name in board.chips]
        self._lamps = {}
        for tray in ("left", "right"):
            self._lamps[tray] = Lamp(lambda green, red, tray=tray: board.light(tray, green, red))
        self._buzzer = Buzzer(board.sound)
        self._contact = board.contact()
        self._second_us = now_us
        self.hello()

    def hello(self):
        """Says who speaks."""
        board = self._board
        names = [cell.name for cell in self._cells]
        fitted = 0 if self._contact is None else 1
        board.write(
            self._lines.banner(board.ticks_us(), board.board_id, names, fitted, board.began)
        )

    def receive(self, data):
        """Carries out the commands that ``data`` completes; what is none is passed over."""
        for line in self._reader.feed(data):
            body = wire.unframe(line)
            parsed = None if body is None else wire.command(body)
            if parsed is not None:
                number, name, arguments = parsed
                word = self._command(name, arguments)
                self._board.write(self._lines.answer(self._board.ticks_us(), number, word))
                self._leave(name, word)

    def step(self):
        """Does what is due; takes well under a millisecond where nothing is."""
        board = self._board
        now_us = board.ticks_us()
        contact = board.contact()
        if contact != self._contact:
            self._contact = contact
            board.write(self._lines.tilt(now_us, contact))
        for cell in self._cells:
            self._say(cell, cell.take())
            # A word may be younger than `now_us`: the time of its interrupt.
            self._say(cell, cell.look(board.ticks_us()))
        for lamp in self._lamps.values():
            lamp.step(now_us)
        self._buzzer.step(now_us)
        if wire.elapsed_us(now_us, self._second_us) >= 1_000_000:
            self._second_us = now_us
            self._rates(now_us)

    def _say(self, cell, result):
        if result is None:
            return
        us, counts, fault = result
        if fault is None:
            self._board.write(self._lines.reading(us, cell.name, counts, self._contact))
        else:
            self._board.write(self._lines.fault(us, cell.name, fault))

    def _rates(self, now_us):
        self._board.write(self._lines.rates(now_us, [cell.report() for cell in self._cells]))

    def _command(self, name, arguments):
        if name == "hello" and not arguments:
            self.hello()
        elif name == "rates" and not arguments:
            self._rates(self._board.ticks_us())
        elif name == "lamp":
            return self._show(arguments)
        elif name == "sound":
            return self._play(arguments)
        elif name == "restart":
            return self._restart(arguments)
        elif name not in ("bootloader", "maintain"):
            return "unknown"
        return "ok"

    def _show(self, arguments):
        if len(arguments) != 2 or arguments[0] not in self._lamps or arguments[1] not in wire.LAMPS:
            return "bad"
        self._lamps[arguments[0]].show(arguments[1])
        return "ok"

    def _play(self, arguments):
        if len(arguments) != 1 or arguments[0] not in wire.SOUNDS:
            return "bad"
        self._buzzer.play(arguments[0], self._board.ticks_us())
        return "ok"

    def _restart(self, arguments):
        for cell in self._cells:
            if arguments == [cell.name]:
                cell.restart(self._board.ticks_us())
                return "ok"
        return "bad"

    def _leave(self, name, word):
        if word == "ok" and name == "bootloader":
            self._board.bootloader()
        elif word == "ok" and name == "maintain":
            self._board.maintain()
