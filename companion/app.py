"""The one loop: polls the devices, steps the table, writes the journal, then shows what it ruled.

It never decides anything: readings go to the judge, taps to the table, and nothing is shown that
is not durable.
"""

import math
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.clock import Clock, PacedClock
from companion.connected import Company, Devices, Front
from companion.display.surroundings import Surroundings
from companion.display.wishes import AppWish, PutDown, Request, SeeHand, TakeOut
from companion.errors import JournalError
from companion.events import Reading, Sample
from companion.games.cards import Card
from companion.games.commands import Draw, Start, Uno
from companion.games.referee import Phase
from companion.journal.journal import Journal, Unfinished
from companion.ports import Button, Lamp, Sound
from companion.recorded.recorder import Recorder
from companion.signals import lamps_of, sound_of
from companion.table.inputs import encode_input
from companion.table.outcomes import Outcome
from companion.table.step import Step
from companion.table.table import Table
from companion.table.taps import Tap, decode_tap_fields
from companion.units import MonoSeconds, Tray
from companion.watching import Watching

FRAME_S = 1 / 30
"""How often the loop turns."""

NEWS_S = 0.1
"""Without a reading for so long the judge is told that time has passed; a tap waits no longer for
the readings of its moment."""

NEWS_SHOWN_S = 20.0
"""So long into a game people are still told what they should have known before it."""

JOURNAL_RETRY_S = 2.0

CATCHING_UP_S = 1.0
"""So much simulated time is made again at once: some thousand readings at most."""

ALONE_S = 10.0
"""So long after everybody has got up the terminal's story ends: time enough for a last ruling."""

MAX_UNJUDGED = 100_000
"""Readings kept while the journal cannot be written: ten minutes of two cells at 80 a second."""


class App:
    """A running companion. `run` turns `step` until people end it."""

    trouble = ""
    """What keeps the companion from going on, in one sentence; empty while all is well."""
    wants_calibration = False
    """The loop was ended so that the scale can be calibrated; people then come back."""
    _quit = False
    _alone_since_s: MonoSeconds | None = None
    _resumable = ""

    def __init__(
        self,
        clock: Clock,
        watching: Watching,
        devices: Devices,
        front: Front,
        *,
        journal: Journal | None = None,
        recorder: Recorder | None = None,
        tick_s: float = FRAME_S,
        leaves_with_company: bool = False,
        calibratable: bool = False,
        news: str = "",
    ) -> None:
        """`tick_s` passes between two turns; with `leaves_with_company` the loop ends once the
        simulated people have got up; `calibratable`: the scale can be calibrated in between;
        `news` is shown until a game has gone on for a while."""
        self.watching = watching
        self._clock = clock
        self._devices = devices
        self._front = front
        self._journal = journal
        self._recorder = recorder
        self._tick_s = tick_s
        self._leaves_with_company = leaves_with_company
        self._calibratable = calibratable
        self._news = news
        self._news_until_s: MonoSeconds | None = None
        self._taps: deque[Tap] = deque()
        self._readings: deque[Reading] = deque(maxlen=MAX_UNJUDGED)
        self._unwritten: list[Step] = []
        self._retry_s = MonoSeconds(float("-inf"))
        self._read_s = MonoSeconds(float("-inf"))
        self._lamps: Mapping[Tray, Lamp] = {}
        self._known_taps: Counter[str] = Counter()
        self._held: dict[str, Any] | None = None
        """Who holds which cards, as the journal knows it."""

    @property
    def table(self) -> Table:
        return self.watching.table

    @property
    def over(self) -> bool:
        """The game has ended with a winner."""
        state = self.table.state
        return state is not None and state.phase is Phase.GAME_OVER

    @property
    def done(self) -> bool:
        """People have ended it."""
        return self._quit or self._front.closed

    def run(self) -> None:
        """Turns the loop until people end it."""
        while not self.done:
            self.step(self._clock.mono())
            self._clock.sleep(self._tick_s)

    def quit(self) -> None:
        """Ends the loop after this turn; the game can be resumed."""
        self._quit = True

    def close(self) -> None:
        """Frees every device and file; may be called twice."""
        self.let_go()
        if self._journal is not None:
            self._journal.close()

    def let_go(self) -> None:
        """Frees the devices and ends the recording; the journal stays open."""
        if self._devices.scale is not None:
            self._devices.scale.close()
        if self._recorder is not None:
            self._recorder.close()

    def tell(self, taps: Sequence[Tap]) -> None:
        """What is known before anybody can tap: for example who plays and what was dealt."""
        self._taps.extend(taps)

    def catch_up(self, clock: PacedClock, until_s: MonoSeconds) -> None:
        """Brings a simulated table to where a resumed game was left: its plan gives the same
        evening again, of which the table has had everything until then. Without a scale the
        people only look at the game; with the cards that they held they have sat down anew."""
        if self._devices.scale is None or self._held is not None:
            clock.skip_to(until_s)
        while clock.mono() < until_s:
            assert self._devices.scale is not None
            clock.skip_to(min(until_s, MonoSeconds(clock.mono() + CATCHING_UP_S)))
            self.watching.catch_up(self._devices.scale.poll())
            self._taps.extend(self._new_taps_of_company())

    # --- one turn ---------------------------------------------------------------------------

    def step(self, now: MonoSeconds) -> None:
        """One turn of the loop at `now`."""
        self._listen(now)
        if self._devices.scale is not None:
            self._readings.extend(self._devices.scale.poll())
        if self._unwritten and now >= self._retry_s:
            self._keep([], now)
        if not self._unwritten:
            self._keep(self._judge(now), now)
        if self._devices.company is not None:
            self._with_company(self._devices.company, now)
        self._front.show(self.table, self._around(now))

    def _with_company(self, company: Company, now: MonoSeconds) -> None:
        if self.table.game is not None and not self.trouble and not self.table.paused:
            company.look(self.table.game)
        if not company.finished:
            self._alone_since_s = None
        elif self._alone_since_s is None:
            self._alone_since_s = now
        elif self._leaves_with_company and now - self._alone_since_s > ALONE_S:
            self.quit()

    def _listen(self, now: MonoSeconds) -> None:
        for said in self._front.said():
            if isinstance(said, AppWish):
                self._grant(said)
            else:
                self._taps.append(Tap(now, said))
        if self._devices.buttons is not None:
            for button in self._devices.buttons.poll():
                self._press(button, now)
        self._taps.extend(self._new_taps_of_company())

    def _new_taps_of_company(self) -> Iterator[Tap]:
        """What simulated people tapped; in a resumed game they tap once more what is known."""
        for fields in self._devices.company.taps() if self._devices.company else ():
            tap = decode_tap_fields(fields)
            if self._known_taps[encode_input(tap)] > 0:
                self._known_taps[encode_input(tap)] -= 1
            else:
                yield tap

    def _press(self, button: Button, now: MonoSeconds) -> None:
        state = self.table.state
        if button is Button.DRAW:
            self._taps.append(Tap(now, Draw()))
        elif state is not None:
            # UNO is for whoever can be caught now, else for whoever has the turn.
            player = state.uno_open or state.turn
            if player is not None:
                self._taps.append(Tap(now, Uno(player=player)))

    def _grant(self, wish: AppWish) -> None:
        company = self._devices.company
        match wish:
            case Request.QUIT:
                self.quit()
            case Request.RESUME:
                self._go_on()
            case Request.CALIBRATE if self._calibratable and self.table.state is None:
                self.wants_calibration = True
                self.quit()
            case PutDown() if company is not None:
                company.put(wish.tray, card=wish.card, by=wish.player or None)
            case TakeOut() if company is not None:
                company.take(wish.tray)
            case Request.SET_UPRIGHT if company is not None:
                company.set_upright()
            case SeeHand() if company is not None:
                company.show_hand(wish.player)
            case _:
                pass

    def _judge(self, now: MonoSeconds) -> list[Step]:
        """Everything that has arrived, readings and taps in the order of their times."""
        steps: list[Step] = []
        while self._readings:
            reading = self._readings.popleft()
            if reading.mono_s < self._read_s:
                reading = replace(reading, mono_s=self._read_s)
            while self._taps and self._taps[0].at_s < reading.mono_s:
                if steps and isinstance(self._taps[0].said, Start):
                    # A new game begins a new page of the journal: first the old one is written.
                    self._readings.appendleft(reading)
                    return steps
                steps += self._take_tap()
            steps += self._take_reading(reading)
        if self._devices.scale is not None and now - self._read_s > NEWS_S:
            steps += self._take_reading(Sample(mono_s=now))
        while self._taps and (self._devices.scale is None or now - self._taps[0].at_s > NEWS_S):
            if steps and isinstance(self._taps[0].said, Start):
                return steps
            steps += self._take_tap()
        return steps

    def _take_reading(self, reading: Reading) -> list[Step]:
        self._read_s = reading.mono_s
        if self._recorder is not None:
            self._recorder.reading(reading)
        return self.watching.read(reading)

    def _take_tap(self) -> list[Step]:
        tap = self._taps.popleft()
        if self._recorder is not None:
            self._recorder.tap(tap, self.table.mode)
        return self.watching.tap(tap)

    # --- durable, then shown ----------------------------------------------------------------

    def _keep(self, steps: list[Step], now: MonoSeconds) -> None:
        self._unwritten += steps
        if not self._unwritten:
            return
        company = self._devices.company
        holding = None if company is None else company.holding()
        if self._journal is not None:
            try:
                self._journal.write(
                    self._unwritten,
                    self.table.entries,
                    wall=self._clock.wall(),
                    board=self._devices.board,
                    prelude=self.table.prelude,
                    holding=None if holding == self._held else holding,
                )
            except JournalError as error:
                self.trouble = str(error)
                self._retry_s = MonoSeconds(now + JOURNAL_RETRY_S)
                return
        self.trouble = ""
        self._held = holding
        written, self._unwritten = self._unwritten, []
        self._tell([outcome for step in written for outcome in step.outcomes])

    def _tell(self, outcomes: list[Outcome]) -> None:
        self._front.hear(outcomes, self.table)
        if self._devices.lamps is not None:
            lamps = lamps_of(self.table)
            for tray, lamp in lamps.items():
                if self._lamps.get(tray) is not lamp:
                    self._devices.lamps.show(tray, lamp)
            self._lamps = lamps
        sound: Sound | None = sound_of(outcomes)
        if self._devices.sounder is not None and sound is not None:
            self._devices.sounder.play(sound)

    def _around(self, now: MonoSeconds) -> Surroundings:
        player, hand = self._hand()
        return Surroundings(
            now_s=now,
            scale=self.watching.view,
            simulated=self._devices.board.simulated,
            person_at_sim=self._devices.person_at_sim,
            hand_player=player,
            hand=hand,
            served=self._served(),
            trouble=self.trouble,
            news=self._news_at(now),
            resumable=self._resumable,
            calibratable=self._calibratable,
        )

    def _news_at(self, now: MonoSeconds) -> str:
        if self._news_until_s is None and self.table.state is not None:
            self._news_until_s = MonoSeconds(now + NEWS_SHOWN_S)
        return self._news if now < (self._news_until_s or math.inf) else ""

    def _served(self) -> bool:
        company = self._devices.company
        return company is not None and bool(company.simulated) and not company.finished

    def _hand(self) -> tuple[str, tuple[Card, ...]]:
        """The person at the simulated scale whose cards are shown: whoever's turn it is first."""
        company, state = self._devices.company, self.table.state
        if company is None or state is None or not self._devices.person_at_sim:
            return "", ()
        for player in sorted(state.players, key=lambda name: name != state.turn):
            if cards := company.hand_of(player):
                return player, tuple(cards)
        return "", ()

    # --- going on with a game ---------------------------------------------------------------

    def offer_to_resume(self) -> None:
        """Shows people that there is an unfinished game, if there is one."""
        unfinished = self._unfinished()
        # A simulated table would need the plan of that game, which `--resume` alone gives it.
        offered = self._recorder is None and not self._devices.board.simulated
        if unfinished is not None and offered:
            self._resumable = f"{unfinished.game}: {', '.join(unfinished.players)}"

    def _unfinished(self) -> Unfinished | None:
        if self._journal is None:
            return None
        return self._journal.unfinished(simulated=self._devices.board.simulated)

    def _go_on(self) -> None:
        try:
            self.resume()
        except JournalError as error:
            # The same offer would stand again after every start.
            self._news = f"That game cannot be gone on with. {error}"

    def resume(self) -> Unfinished | None:
        """Goes on with the newest unfinished game, exactly where it was, if there is one.

        Raises:
            JournalError: its inputs cannot be read.
            Refused: the cards that simulated people held are not those of this game.
        """
        unfinished = self._unfinished()
        if self._journal is None or unfinished is None or self.table.state is not None:
            return None
        self._resumable = ""
        inputs = list(self._journal.inputs(unfinished.number))  # all can be read, or none is fed
        for given in inputs:
            self.table.feed(given)
            if isinstance(given, Tap):
                self._known_taps[encode_input(given)] += 1
        self._journal.go_on_with(unfinished.number, self.table.entries)
        company, self._held = self._devices.company, unfinished.holding
        if company is not None and self._held is not None and self.table.game is not None:
            company.take_up(self.table.game, self._held)
        return unfinished
