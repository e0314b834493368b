"""The display dims while nobody plays, and wakes by whatever happens."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.display.backlight import Backlight
from companion.display.bodies import ListBody
from companion.display.choice import Touch
from companion.display.desk import Desk
from companion.display.frame import fit
from companion.display.light import WANDER_S, Light, Lighting, dark_scene
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.wishes import ChooseGame
from companion.events import FaultKind, Sensor
from companion.games.commands import Start
from companion.scale.view import ScaleView, TrayView
from companion.table.outcomes import Began
from companion.table.table import Table
from companion.units import Grams, MonoSeconds

LIGHTING = Lighting(60.0, 300.0)


class Eyes:
    """In place of the window."""

    closed = False

    def __init__(self) -> None:
        self.stirred = False
        self.lights: list[Light] = []
        self.queue: list[Touch] = []

    def show(self, _screen: Screen, light: Light = Light.FULL) -> None:
        self.lights.append(light)

    def touches(self) -> Sequence[Touch]:
        tapped, self.queue = self.queue, []
        return tapped


class Room:
    """A desk at a table at which nothing happens by itself."""

    def __init__(self) -> None:
        self.eyes = Eyes()
        self.desk = Desk(self.eyes, lighting=LIGHTING)
        self.table = Table()
        self.at(0.0)

    def at(self, now: float, scale: ScaleView | None = None) -> Light:
        self.desk.show(self.table, Surroundings(MonoSeconds(now), scale))
        return self.eyes.lights[-1]


def lies(grams: float | None = 3.0, *, tilted: bool = False) -> ScaleView:
    tray = TrayView(None if grams is None else Grams(grams), 2, resting=grams is not None)
    faults = () if grams is not None else ((Sensor.LEFT, FaultKind.SILENT),)
    return ScaleView(tray, tray, tilted=tilted, tipping=tilted, faults=faults)


@pytest.mark.parametrize(
    ("idle_s", "light"),
    [(0, Light.FULL), (59, Light.FULL), (60, Light.DIM), (299, Light.DIM), (300, Light.DARK)],
)
def test_it_dims_and_then_goes_dark_while_nothing_happens(idle_s: float, light: Light) -> None:
    assert Room().at(idle_s) is light
    assert Lighting(0, 0).after(idle_s) is Light.FULL


def test_a_touch_wakes_a_dark_display_and_means_nothing_else() -> None:
    room = Room()
    assert room.at(400.0) is Light.DARK
    room.eyes.queue, room.eyes.stirred = [ChooseGame("tippo")], True
    assert room.desk.said() == []
    assert room.at(400.1) is Light.FULL
    assert room.desk.looking.setup.game == ""


def test_a_touch_on_a_dimmed_display_counts() -> None:
    room = Room()
    assert room.at(100.0) is Light.DIM
    room.eyes.queue, room.eyes.stirred = [ChooseGame("tippo")], True
    room.desk.said()
    assert room.at(100.1) is Light.FULL
    assert room.desk.looking.setup.game == "tippo"


def test_a_moving_scale_and_a_ruling_wake_it() -> None:
    room = Room()
    assert room.at(400.0, lies()) is Light.DARK
    assert room.at(400.1, lies(4.8)) is Light.FULL
    assert room.at(900.0, lies(4.8)) is Light.DARK
    began = Began(MonoSeconds(900.0), Start(game="tippo", players=("Mia", "Ben")))
    room.desk.hear([began], room.table)
    assert room.at(900.1, lies(4.8)) is Light.FULL


@pytest.mark.parametrize("put_away", [lies(None), lies(tilted=True)], ids=["unplugged", "tipped"])
def test_a_scale_that_was_put_away_keeps_no_display_awake(put_away: ScaleView) -> None:
    """It lies so for weeks; what it does as it is taken out again wakes the display."""
    room = Room()
    for second in range(10):
        room.at(float(second), lies())
    assert room.at(400.0, put_away) is Light.FULL
    assert [room.at(400.0 + second, put_away) for second in range(1, 400)][-1] is Light.DARK
    assert room.at(800.0, lies()) is Light.FULL


def test_a_drift_is_no_movement() -> None:
    """A gram in ten minutes: the sun on a cell."""
    room = Room()
    assert [room.at(second, lies(3.0 + second / 600)) for second in range(400)][-1] is Light.DARK


def test_a_table_at_which_nothing_happens_is_looked_at_ten_times_a_second() -> None:
    room = Room()
    for step in range(300):
        room.at(10 + step / 30)
    assert len(room.eyes.lights) < 110


def test_the_words_of_a_dark_display_wander() -> None:
    frame = fit((800, 480))
    screen = Screen("Mia, play a card or draw", ListBody(()))
    places = {dark_scene(screen, frame, minute * WANDER_S).items[0].box for minute in range(10)}
    assert len(places) == 10
    assert all(box.right <= frame.width and box.bottom <= frame.height for box in places)


def test_the_light_behind_the_display_is_turned_down_and_up_again(tmp_path: Path) -> None:
    light = tmp_path / "panel" / "brightness"
    light.parent.mkdir()
    light.write_text("200\n")
    light.with_name("max_brightness").write_text("255\n")
    backlight = Backlight(tmp_path)
    assert backlight.show(Light.DIM)
    assert light.read_text() == "50"
    assert backlight.show(Light.DARK)
    assert light.read_text() == "0"
    backlight.show(Light.FULL)
    assert light.read_text() == "200"


@pytest.mark.parametrize("killed", [Light.DIM, Light.DARK])
def test_a_companion_that_was_killed_in_the_dark_finds_the_light_again(
    killed: Light, tmp_path: Path
) -> None:
    light = tmp_path / "panel" / "brightness"
    light.parent.mkdir()
    light.write_text("255\n")
    light.with_name("max_brightness").write_text("255\n")
    assert Backlight(tmp_path).show(killed)
    assert Backlight(tmp_path).show(Light.FULL)
    assert light.read_text() == "255"


def test_a_display_without_such_a_light_is_dimmed_by_painting(tmp_path: Path) -> None:
    damaged = tmp_path / "panel" / "brightness"
    damaged.parent.mkdir()
    damaged.write_text("bright")
    assert not Backlight(tmp_path).show(Light.DIM)
    assert not Backlight(tmp_path / "nowhere").show(Light.DIM)
