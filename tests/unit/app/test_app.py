"""The loop: durable before it is shown, whatever fails, and exactly on after an interruption."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from companion.app import App
from companion.clock import PacedClock, VirtualClock
from companion.connected import Devices
from companion.display.looking import Looking
from companion.display.view import view
from companion.display.wishes import Request
from companion.events import FaultKind, Reading, Sample, Sensed, Sensor, SensorFault
from companion.games.commands import Correct, Deal, Draw, Play, Start
from companion.journal.journal import Journal
from companion.ports import Button, Lamp, Sound
from companion.recorded.replay import replayed
from companion.scale.calibration import Calibration, CellCalibration
from companion.scale.judge import Judge
from companion.table.awaited import Placing
from companion.table.outcomes import Outcome, Ruled
from companion.table.step import Step
from companion.table.table import Table
from companion.table.taps import CardTap, Tap
from companion.units import Counts, MonoSeconds, Tray
from companion.watching import Watching
from tests.unit.app.party import Evening, Listener
from tests.unit.journal.evening import told

ONE_CELL = CellCalibration(zero=0.0, counts_per_gram=1000.0)
CALIBRATION = Calibration(card_g=1.8, left=ONE_CELL, right=ONE_CELL)


def rulings(outcomes: Sequence[Outcome]) -> list[str]:
    return [repr(outcome.ruling) for outcome in outcomes if isinstance(outcome, Ruled)]


def test_a_ruling_is_in_the_journal_before_it_is_shown(tmp_path: Path) -> None:
    """Whoever sees a ruling could pull the plug at once and would find it again."""
    evening = Evening(tmp_path / "journal.sqlite")
    reader = sqlite3.connect(tmp_path / "journal.sqlite")
    heard = 0

    def look_it_up(outcomes: Sequence[Outcome]) -> None:
        nonlocal heard
        heard += len(rulings(outcomes))
        assert reader.execute("SELECT count(*) FROM rulings").fetchone()[0] == heard

    evening.front.on_hearing = look_it_up
    evening.begin()
    evening.run(60.0)
    assert heard > 10
    reader.close()
    evening.app.close()


def test_nothing_is_shown_while_the_disk_is_full_and_nothing_is_lost(tmp_path: Path) -> None:
    """The game waits for room; then everything that happened meanwhile is ruled and kept."""
    full, free = Evening(tmp_path / "full.sqlite"), Evening(tmp_path / "free.sqlite")
    for evening in (full, free):
        evening.begin()
        evening.run(20.0)
    database = full.journal._database
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
    full.run(90.0)
    heard = len(full.front.heard)
    assert "disk is full" in full.app.trouble
    full.run(100.0)
    assert len(full.front.heard) == heard
    database.execute("PRAGMA max_page_count = 1000000")
    full.run(130.0)
    free.run(130.0)
    assert full.app.trouble == ""
    assert rulings(full.front.heard) == rulings(free.front.heard)
    for evening in (full, free):
        evening.app.close()


def test_an_interrupted_game_goes_on_exactly_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    first = Evening(path)
    first.begin()
    first.run(45.0)
    before = told(first.app.table)
    first.app.close()
    again = Evening(path)
    again.front.to_say.append(Request.RESUME)
    again.app.step(MonoSeconds(45.1))
    assert told(again.app.table) == before
    again.app.close()


def test_what_people_should_know_is_shown_until_a_game_has_gone_on_for_a_while(
    tmp_path: Path,
) -> None:
    """For example that the journal was damaged; it stands on every screen that has nothing else
    to say."""
    news = "The journal was damaged."
    evening = Evening(tmp_path / "journal.sqlite", news=news)
    evening.run(60.0)
    before = evening.front.shown[-1]
    assert view(evening.app.table, Looking(), before).notice == news
    evening.begin()
    evening.run(70.0)
    assert evening.front.shown[-1].news == news
    evening.run(90.0)
    assert evening.front.shown[-1].news == ""
    evening.app.close()


def test_an_unfinished_game_is_offered(tmp_path: Path) -> None:
    """Whoever starts the companion again after a pulled plug sees whose game can go on."""
    bench = Bench(tmp_path / "journal.sqlite")
    bench.turn(0.5)
    bench.app.close()
    again = Bench(tmp_path / "journal.sqlite", told=False)
    again.app.offer_to_resume()
    again.turn(0.5)
    assert again.front.shown[-1].resumable == "tippo: Ann, Ben"
    again.front.to_say.append(Request.RESUME)
    again.turn(0.1)
    assert told(again.app.table) == told(bench.app.table)
    again.turn(0.1)
    assert again.front.shown[-1].resumable == ""
    again.app.close()


def test_a_game_that_cannot_be_read_is_offered_once_and_the_companion_stays(
    tmp_path: Path,
) -> None:
    """Else it would end at every tap, and be started again to the same offer."""
    path = tmp_path / "journal.sqlite"
    bench = Bench(path)
    bench.turn(0.5)
    bench.app.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "INSERT INTO inputs (game_id, wall_utc, mono_s, body)"
            " SELECT game_id, wall_utc, mono_s, 'of another companion' FROM inputs LIMIT 1"
        )
    again = Bench(path, told=False)
    again.app.offer_to_resume()
    again.front.to_say.append(Request.RESUME)
    for _ in range(3):
        again.turn(0.1)
    assert "That game cannot be gone on with." in again.front.shown[-1].news
    assert again.front.shown[-1].resumable == ""
    assert again.app.table.state is None
    again.app.close()


def test_a_recording_of_a_live_evening_replays_to_the_rulings_it_saw(tmp_path: Path) -> None:
    """`tippo record` and `tippo replay` fit together to the last ruling and time."""
    evening = Evening(tmp_path / "journal.sqlite", recording=tmp_path / "recording")
    evening.begin()
    evening.run(120.0)
    evening.app.close()
    live = [outcome for outcome in evening.front.heard if isinstance(outcome, Ruled)]
    again = [
        outcome
        for step in replayed(tmp_path / "recording")
        for outcome in step.outcomes
        if isinstance(outcome, Ruled)
    ]
    assert [(o.ruling, o.act) for o in live] == [(o.ruling, o.act) for o in again]
    dealt = sum(o.act == 1 for o in live)
    assert [o.at_s for o in live[dealt:]] == [o.at_s for o in again[dealt:]]
    assert len(live) > 20


class Board:
    """A scale that delivers what the test puts in."""

    description, simulated = "bench", False

    def __init__(self) -> None:
        self.readings: list[Reading] = []
        self.closed = False

    def open(self) -> None: ...

    def poll(self) -> Sequence[Reading]:
        readings, self.readings = self.readings, []
        return readings

    def close(self) -> None:
        self.closed = True


class Beside:
    """Buttons, lamps and a buzzer that remember."""

    def __init__(self) -> None:
        self.pressed: list[Button] = []
        self.lamps: list[tuple[Tray, Lamp]] = []
        self.sounds: list[Sound] = []

    def poll(self) -> Sequence[Button]:
        pressed, self.pressed = self.pressed, []
        return pressed

    def show(self, tray: Tray, lamp: Lamp) -> None:
        self.lamps.append((tray, lamp))

    def play(self, sound: Sound) -> None:
        self.sounds.append(sound)


class Bench:
    """A loop over a board in the test's hands."""

    def __init__(self, path: Path, *, told: bool = True) -> None:
        self.clock, self.board, self.beside = VirtualClock(), Board(), Beside()
        self.front = Listener()
        self.app = App(
            self.clock,
            Watching(Table(), Judge(CALIBRATION)),
            Devices(
                scale=self.board,
                buttons=self.beside,
                lamps=self.beside,
                sounder=self.beside,
            ),
            self.front,
            journal=Journal.open(path),
        )
        start = Tap(MonoSeconds(0.0), Start(game="tippo", players=("Ann", "Ben")))
        deal = Tap(MonoSeconds(0.0), Deal(left="R5!", right="G3"))
        self.app.tell([start, deal] if told else [])

    def turn(self, seconds: float, *readings: Reading) -> None:
        self.clock.sleep(seconds)
        self.board.readings += readings
        self.app.step(self.clock.mono())


def test_a_lost_board_is_said_and_the_game_goes_on_by_taps(tmp_path: Path) -> None:
    """Silence is noticed without a single reading, and people tap what no sensor sees."""
    bench = Bench(tmp_path / "journal.sqlite")
    lost = SensorFault(
        mono_s=MonoSeconds(1.0), sensor=Sensor.LEFT, kind=FaultKind.SILENT, detail="unplugged"
    )
    bench.turn(1.0, Sample(mono_s=MonoSeconds(1.0), left=Counts(1800)), lost)
    for _ in range(40):
        bench.turn(0.1)
    assert set(bench.app.table.faults) >= {Sensor.LEFT, Sensor.RIGHT}
    bench.front.to_say.append(CardTap(card="G7"))
    bench.turn(0.2)
    bench.turn(0.2)
    assert [card.card for card in bench.app.table.awaited if isinstance(card, Placing)] == ["G7"]
    bench.front.to_say.append(Play(card="G7", tray="right"))
    bench.turn(0.2)
    bench.turn(0.2)
    state = bench.app.table.state
    assert state is not None
    assert state.turn == "Ann"
    assert not any(isinstance(card, Placing) for card in bench.app.table.awaited)
    bench.app.close()
    assert bench.board.closed


class NotingJudge(Judge):
    """A judge that notes the times of what it is fed."""

    def __init__(self, calibration: Calibration) -> None:
        super().__init__(calibration)
        self.fed: list[float] = []

    def feed(self, reading: Reading) -> list[Sensed]:
        self.fed.append(reading.mono_s)
        return super().feed(reading)


def test_readings_that_come_late_never_go_back_in_time(tmp_path: Path) -> None:
    """A burst after a stall bears times before the silence that the judge was told of."""
    bench = Bench(tmp_path / "journal.sqlite")
    judge = NotingJudge(CALIBRATION)
    bench.app.watching.judge = judge
    bench.turn(3.0)
    bench.turn(0.1, *(Sample(mono_s=MonoSeconds(0.5 + n / 100), tilt=False) for n in range(50)))
    bench.turn(0.1, Sample(mono_s=MonoSeconds(3.15), tilt=False))
    assert len(judge.fed) > 50
    assert judge.fed == sorted(judge.fed)
    bench.app.close()


def test_the_buttons_draw_and_call(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "journal.sqlite")
    bench.turn(0.5)
    bench.beside.pressed.append(Button.DRAW)
    bench.turn(0.2)
    bench.turn(0.2)
    state = bench.app.table.state
    assert state is not None
    assert state.hands["Ben"] == 8
    bench.beside.pressed.append(Button.UNO)
    bench.turn(0.2)
    bench.turn(0.2)
    assert bench.beside.sounds[-1] is Sound.REFUSED
    bench.app.close()


def test_the_uno_button_is_for_whoever_can_be_caught(tmp_path: Path) -> None:
    """Ben has one card and the turn has moved on: the call is his (U2)."""
    bench = Bench(tmp_path / "journal.sqlite")
    bench.app.tell(
        [
            Tap(MonoSeconds(0.1), Correct(hand={"Ben": 2})),
            Tap(MonoSeconds(0.2), Play(card="G7", tray="right")),
        ]
    )
    bench.turn(0.5)
    state = bench.app.table.state
    assert state is not None
    assert (state.turn, state.uno_open) == ("Ann", "Ben")
    bench.beside.pressed.append(Button.UNO)
    bench.turn(0.2)
    bench.turn(0.2)
    state = bench.app.table.state
    assert state is not None
    assert state.uno_open is None
    assert bench.beside.sounds[-1] is Sound.UNO
    bench.app.close()


class NotingWatching(Watching):
    """A table and its judge that note what reaches them."""

    def __init__(self, table: Table, judge: Judge) -> None:
        super().__init__(table, judge)
        self.got: list[str] = []

    def read(self, reading: Reading) -> list[Step]:
        self.got.append(f"reading {reading.mono_s:.1f}")
        return super().read(reading)

    def tap(self, tap: Tap) -> list[Step]:
        self.got.append(f"tap {tap.at_s:.1f}")
        return super().tap(tap)


def test_of_the_same_moment_readings_come_before_taps(tmp_path: Path) -> None:
    """As in a replay, so that a recording gives the same rulings."""
    bench = Bench(tmp_path / "journal.sqlite")
    bench.turn(0.5)
    noting = NotingWatching(bench.app.table, Judge(CALIBRATION))
    bench.app.watching = noting
    bench.front.to_say.append(Draw())
    bench.turn(0.5, Sample(mono_s=MonoSeconds(1.0), tilt=False))
    bench.turn(0.1, Sample(mono_s=MonoSeconds(1.1), tilt=False))
    assert noting.got == ["reading 1.0", "tap 1.0", "reading 1.1"]
    bench.app.close()


def test_the_lamps_say_which_tray_is_open(tmp_path: Path) -> None:
    """One visible Stop card: its tray shows STOP, the other OPEN (T6)."""
    bench = Bench(tmp_path / "journal.sqlite")
    bench.turn(0.5)
    assert dict(bench.beside.lamps) == {Tray.LEFT: Lamp.STOP, Tray.RIGHT: Lamp.OPEN}
    bench.app.close()


def test_people_can_end_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "journal.sqlite")
    bench.front.to_say.append(Request.QUIT)
    bench.turn(0.1)
    assert bench.app.done
    bench.app.close()


@pytest.mark.parametrize("cut_s", [6.0, 8.0, 20.3, 24.4])
def test_a_resumed_simulated_evening_is_played_to_the_same_end(
    tmp_path: Path, cut_s: float
) -> None:
    """Interrupted between a card and its name, a name and its card, or at rest: the simulated
    table is made again up to there, and nothing of it counts twice."""
    whole, path = Evening(tmp_path / "whole.sqlite"), tmp_path / "cut.sqlite"
    whole.begin()
    whole.run(45.0)
    cut = Evening(path)
    cut.begin()
    cut.run(cut_s)
    cut.app.close()
    clock = PacedClock(0.0)
    again = Evening(path, clock=clock)
    unfinished = again.journal.unfinished(simulated=True)
    assert unfinished is not None
    again.app.resume()
    again.app.catch_up(clock, MonoSeconds(unfinished.last_s))
    again.run(45.0)
    assert told(again.app.table) == told(whole.app.table)
    again.app.close()
    whole.app.close()
