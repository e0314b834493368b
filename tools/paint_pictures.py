"""Paints every screen of the display into a folder, from games that simulated people really play.

    python tools/paint_pictures.py docs/pictures

The same seeds give the same pictures. It needs no screen.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
from calibration_screens import CALIBRATION, calibrating
from moments import FAMILY, MANY, Moment, after, at_rest, evening, in_doubt, with_simulated_people
from small_png import png

from companion.display.asking import answer
from companion.display.bodies import (
    ColourBody,
    CountBody,
    PadBody,
    RefusedBody,
    ResetBody,
    SettleBody,
    SpillBody,
    TableBody,
    TiltBody,
    WinnerBody,
)
from companion.display.frame import fit
from companion.display.layout import lay_out
from companion.display.looking import Looking
from companion.display.paint import Painter
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.tiles import Draft, OffBoard
from companion.display.view import view
from companion.display.view_rummy import question_of
from companion.display.wishes import (
    Arrange,
    AskForPlay,
    ChooseGame,
    EditPlayer,
    EnterName,
    Gesture,
    Letter,
    Look,
    Open,
    Page,
    ShowRack,
    StartCard,
    TurnRule,
)
from companion.events import Fault, FaultKind, Level, Sensor
from companion.games import commands
from companion.games.cards import parse
from companion.games.referee import Phase
from companion.games.rummy_up.referee import RummyState
from companion.table.table import Table
from companion.table.taps import Mode, Tap
from companion.units import MonoSeconds, Tray

LYING, UPRIGHT = (800, 480), (480, 800)
ALSO_UPRIGHT = ("table", "pad", "spill", "reset", "counting", "table-of-ten")
FORMS = ("welcome", "players", "name", "house-rules", "deal", *CALIBRATION)
SEEDS = range(4, 20)


# --- which moments are worth a picture ----------------------------------------------------

Shot = Callable[[Moment], Screen | None]


def body_is(kind: type, *, after_s: float = 0.0, calls: bool = False) -> Shot:
    """The first screen with this kind of body (after some seconds of play)."""

    def shot(moment: Moment) -> Screen | None:
        if moment.around.now_s < after_s:
            return None
        screen = moment.shown
        if not isinstance(screen.body, kind):
            return None
        if calls and not any(call.note for call in screen.calls):
            return None
        return screen

    return shot


def lying_unevenly(moment: Moment) -> Screen | None:
    """A table with one stopped tray and some cards in play."""
    screen = moment.shown
    body = screen.body
    if not isinstance(body, TableBody) or moment.around.now_s < 60:
        return None
    trays = (body.balance.left, body.balance.right)
    if all(tray.is_open for tray in trays) or abs(body.balance.lean) < 2.5 or not screen.who:
        return None
    return screen


def page(*looks: Look, when: Callable[[Moment], bool]) -> Shot:
    """A page that people open at such a moment."""
    return lambda moment: moment.screen(*looks) if when(moment) else None


def in_play(moment: Moment) -> bool:
    state = moment.table.state
    return state is not None and state.phase is Phase.PLAY and moment.around.now_s > 90


def after_rounds(count: int) -> Callable[[Moment], bool]:
    def ready(moment: Moment) -> bool:
        state = moment.table.state
        return state is not None and state.phase is Phase.PLAY and state.round > count

    return ready


def has_spilled(moment: Moment) -> bool:
    return in_play(moment) and bool(moment.table.spills)


def why_somebody_pays(moment: Moment) -> Screen | None:
    if not has_spilled(moment):
        return None
    spill = moment.table.spills[-1]
    return moment.screen(Open(Page.WHY, act=spill.number)) if spill.payer else None


def with_broken_cell(moment: Moment) -> Screen | None:
    """The same table while a cell is silent."""
    if not in_play(moment) or not isinstance(moment.shown.body, TableBody):
        return None
    now, table = moment.around.now_s, _same_table(moment)
    table.sensed(Fault(began_s=now, decided_s=now, sensor=Sensor.LEFT, kind=FaultKind.SILENT))
    return view(table, moment.looking, moment.around)


def _same_table(moment: Moment) -> Table:
    """A table at which the same was said, and whose trays hold as many cards."""
    now, counts, table = moment.around.now_s, moment.table.counts, Table()
    for tap in _told(moment.table, now):
        table.tap(tap)
    table.sensed(
        Level(began_s=now, decided_s=now, left=counts[Tray.LEFT], right=counts[Tray.RIGHT])
    )
    return table


def _told(table: Table, now: MonoSeconds) -> Iterator[Tap]:
    assert table.start is not None
    yield Tap(now, table.start)
    for deed in table.deeds:
        yield Tap(now, deed.command)


def scored(moment: Moment) -> Screen | None:
    state = moment.table.state
    if state is None or state.round < 2 or not moment.looking.round_scored:
        return None
    return moment.shown


FULL: tuple[tuple[str, str, Shot], ...] = (
    (
        "table",
        "The table: whose turn, who is next, the live balance, OPEN and STOP",
        lying_unevenly,
    ),
    ("pad", "A card lies in a tray: which one is it? What is legal comes first", body_is(PadBody)),
    (
        "another-card",
        "Any other card, one colour at a time",
        page(Open(Page.ALL_CARDS, tray=Tray.LEFT), when=in_play),
    ),
    ("uno", "UNO can be said, or somebody caught", body_is(TableBody, after_s=30, calls=True)),
    ("colour", "A wild names a colour", body_is(ColourBody)),
    ("spill", "A spill: who pays, and why", body_is(SpillBody)),
    ("why", "Why? The rules and what the scale saw", why_somebody_pays),
    ("who-pays", "It was not so: the table overrules", page(Open(Page.PAYER), when=has_spilled)),
    ("reset", "The reset guide: these cards go back", body_is(ResetBody)),
    ("tilt", "A Tilt challenge", body_is(TiltBody)),
    ("going-out", "A last card: will the scale hold?", body_is(SettleBody)),
    ("counting", "Counting what the others are left with", body_is(CountBody)),
    ("scored", "After a round", scored),
    ("menu", "The menu", page(Open(Page.MENU), when=in_play)),
    ("amend", "It was another card: which play?", page(Open(Page.AMEND), when=in_play)),
    ("put-right", "Putting it right: tap what is wrong", page(Open(Page.CORRECT), when=in_play)),
    ("agreed", "The house rules that hold", page(Open(Page.RULES), when=in_play)),
    ("spills", "Who paid, all game long", page(Open(Page.SPILLS), when=after_rounds(1))),
    ("fault", "A sensor has failed: what to do meanwhile", with_broken_cell),
    ("winner", "The winner", body_is(WinnerBody)),
)
WRONG: tuple[tuple[str, str, Shot], ...] = (
    ("refused", "A card that does not go", body_is(RefusedBody, after_s=60)),
)
QUICK: tuple[tuple[str, str, Shot], ...] = (
    ("quick-pad", "Quick refereeing: only special cards are named", body_is(PadBody)),
)
TEN: tuple[tuple[str, str, Shot], ...] = (("table-of-ten", "Ten at the table", lying_unevenly),)


def games() -> Iterator[tuple[str, str, Screen]]:
    """The screens of running games, each as soon as its moment has come."""
    for players, mode, faults, shots in (
        (FAMILY, "full", (), FULL),
        (FAMILY, "full", ("wrong_card",), WRONG),
        (FAMILY, "quick", (), QUICK),
        (MANY, "full", (), TEN),
    ):
        wanted = list(shots)
        for seed in SEEDS:
            for moment in evening(seed, players, mode, faults):
                for shot in list(wanted):
                    screen = shot[2](moment)
                    if screen is not None:
                        wanted.remove(shot)
                        yield shot[0], shot[1], screen
                if not wanted or moment.stuck:
                    break
            if not wanted:
                break
        for name, _, _ in wanted:
            sys.stderr.write(f"no moment for {name}\n")


def forms() -> Iterator[tuple[str, str, Screen]]:
    """Setting up: forms that people fill in before a game."""
    resumable = Surroundings(MonoSeconds(0.0), resumable="Mia, Ben, Oma Grete · round 3")
    nobody = Moment.of(Table(), Looking(known_names=FAMILY), resumable)
    yield "welcome", "Which game?", nobody.shown
    seats: list[Look] = [ChooseGame("tippo")]
    for seat, name in enumerate(FAMILY[:3]):
        seats += [EditPlayer(seat), EnterName(name)]
    yield "players", "Who plays, in the order of the seats", nobody.screen(*seats)
    typing = [*seats, EditPlayer(3), *(Letter(char) for char in "Pa")]
    yield "name", "A name is typed, or tapped if it played before", nobody.screen(*typing)
    rules = [*seats, Gesture.TO_RULES, TurnRule("spill_penalty")]
    yield "house-rules", "House rules, agreed before round 1", nobody.screen(*rules)
    table = Table()
    start = next(evening(4, FAMILY, "full")).table.start
    assert start is not None
    table.tap(Tap(MonoSeconds(0.0), start))
    dealing = Moment.of(table, Looking(), Surroundings(MonoSeconds(0.0)))
    yield "deal", "Which cards were turned up?", dealing.screen(StartCard(0, "R3!", 2))


def others() -> Iterator[tuple[str, str, Screen]]:
    """A rare question, and the games without a scale, a few turns each."""
    yield "question", "The scale is in doubt and asks", in_doubt()
    yield "pause", "A pause: nothing counts, nobody pays", at_rest()
    top = commands.Deal(top="R5")
    classic = after("classic", top)
    yield "classic", "Classic: what may be laid, and what lies there", classic.shown
    quick = after("classic", top, commands.Play(card="R+2"), mode=Mode.QUICK)
    yield "classic-quick", "Quick refereeing without a scale: a number is one tap", quick.shown
    hand = with_simulated_people("classic", "tap a card")
    yield "hand", "With simulated people: your own hand", hand
    challenged = after("classic", top, commands.Play(card="W+4", colour="B"))
    yield "challenge", "Classic: a Wild Draw Four can be challenged", challenged.shown
    answers = (commands.Play(card=card) for card in ("R+2", "G+2"))
    battle = after("battle", top, *answers)
    yield "battle", "Battle: what has added up, and stealing", battle.screen(Open(Page.RING))
    steal = with_simulated_people("battle", "you can steal")
    yield "battle-steal", "Battle: the same card can be laid out of turn", steal
    melds = (("R7", "R8", "R9"), ("Y3", "G3", "B3"), ("G9", "G10", "G11", "W=G12"))
    laid = (commands.Meld(table=melds[:count]) for count in (1, 2, 3))
    rummy = after("rummy_up", commands.Deal(table=("R7", "B3", "Y12", "W")), *laid)
    state = rummy.table.state
    assert isinstance(state, RummyState)
    draft = Draft.of(state.board).picking(OffBoard("R10")).put(0)
    yield "rummy-up", "Rummy Up: tiles are moved on the board", rummy.screen(Arrange(draft))
    yield "rummy-up-tile", "Rummy Up: a tile from the rack", rummy.screen(Open(Page.PAD))
    rack = ("R10", "B3", "Y1", "G8", "B12")
    yield "rummy-up-rack", "Learning: which tiles do you hold?", rummy.screen(ShowRack(rack))
    question = question_of(state, tuple(map(parse, rack)))
    asked = replace(rummy, looking=rummy.looking.after(AskForPlay(question)))
    advised = view(asked.table, asked.looking.advised(answer(question)), asked.around)
    yield "rummy-up-help", "Learning: what can be played, and what moves", advised
    own = with_simulated_people("rummy_up", "move tiles")
    yield "rack", "With simulated people: your own rack", own


def painted(screen: Screen, size: tuple[int, int]) -> bytes:
    """A screen as a PNG of that many pixels."""
    frame = fit(size)
    surface = pygame.Surface(size)
    scene = lay_out(replace(screen, simulated=False), frame)
    Painter(size, frame.scale).paint(scene, surface)
    return png(surface)


def main(folder: Path) -> None:
    """Paints into ``folder`` and writes its index, in the order of an evening."""
    folder.mkdir(parents=True, exist_ok=True)
    captions: dict[str, str] = {}
    for name, caption, screen in chain(forms(), calibrating(), games(), others()):
        captions[name] = caption
        (folder / f"{name}.png").write_bytes(painted(screen, LYING))
        if name in ALSO_UPRIGHT:
            captions[f"{name}-upright"] = f"{caption} (upright)"
            (folder / f"{name}-upright.png").write_bytes(painted(screen, UPRIGHT))
    lines = ["# The screens", "", "Painted by `make pictures` from games of simulated people.", ""]
    for name in sorted(captions, key=_place):
        lines += [f"## {captions[name]}", "", f"![{captions[name]}]({name}.png)", ""]
    (folder / "README.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def _place(name: str) -> tuple[int, int]:
    """Where a picture stands in the index; all that stand upright come last."""
    order = [shot[0] for shot in (*FULL, *QUICK, *TEN)]
    going_out = order.index("going-out")
    order[going_out:going_out] = [shot[0] for shot in WRONG]
    upright = name.endswith("-upright")
    game = name.removesuffix("-upright")
    if game in FORMS:
        return int(upright), FORMS.index(game)
    return int(upright), len(FORMS) + (order.index(game) if game in order else len(order))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures"))
