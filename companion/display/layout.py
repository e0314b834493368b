"""Lays a Screen out for a display of some size: which part is where, and what can be tapped.

It never measures words (they fit themselves into their boxes) and never decides what is shown.
"""

from dataclasses import replace
from typing import assert_never

from companion.display import (
    layout_calibration,
    layout_hands,
    layout_lists,
    layout_round,
    layout_setup,
    layout_table,
    theme,
)
from companion.display.bodies import (
    BoardBody,
    Body,
    ChoicesBody,
    ColourBody,
    CountBody,
    DealBody,
    HandBody,
    HouseRulesBody,
    ListBody,
    PadBody,
    PageBody,
    PersonBody,
    PileBody,
    PlayBody,
    RackBody,
    RefusedBody,
    ResetBody,
    RosterBody,
    RoundBody,
    ScoresBody,
    SettleBody,
    SetupBody,
    SpillBody,
    TableBody,
    TiltBody,
    TypingBody,
    WelcomeBody,
    WhyBody,
    WinnerBody,
)
from companion.display.calibration import CalibrationBody
from companion.display.choice import Choice, Tone
from companion.display.frame import Frame
from companion.display.glyph import Glyph
from companion.display.scene import Align, Box, Key, Picture, Plate, Scene, Sheet, Words
from companion.display.screen import Screen
from companion.display.theme import Weight

HEADLINE = 40.0
"""Capitals of 5 mm on a 7-inch display of 800x480, to be read from 1.5 m."""
DESCENDERS = 8.0
"""How far they hang below it; words are centred by their capitals, and another line follows."""

WIDE = Frame(800.0, theme.SHORT, 1.0)


def lay_out(screen: Screen, frame: Frame = WIDE) -> Scene:
    """The scene of a screen, lying or upright as the display is."""
    sheet = Sheet(Box(0, 0, frame.width, frame.height))
    upright = sheet.area.upright
    top, rest = sheet.area.top_part(theme.TOP_UPRIGHT if upright else theme.TOP, 0)
    _headline(sheet, screen, top.inset(theme.MARGIN, 4), upright=upright)
    if screen.alert:
        strip, rest = rest.top_part(theme.STRIP * (1.5 if upright else 1.0), 0)
        _alert(sheet, screen.alert, strip.inset(theme.MARGIN, 2))
    body = rest
    if upright:
        body = _keys(sheet, screen.calls, body)
        body = _keys(sheet, screen.actions, body)
    elif screen.actions or screen.calls:
        body, foot = rest.bottom_part(theme.FOOT, 0)
        _foot(sheet, screen, foot)
    _body(sheet, screen.body, body.inset(theme.MARGIN, 6))
    paper = theme.PALE_CRIMSON if screen.tone is Tone.WARN else theme.PAPER
    return Scene(frame.width, frame.height, paper, tuple(sheet.items))


def _headline(sheet: Sheet, screen: Screen, row: Box, *, upright: bool) -> None:
    """The one sentence, and small below it the last thing that happened."""
    notice = None
    if upright:
        row, notice = row.bottom_part(38, 0)
    if screen.corner is not None:
        corner, row = row.left_part(theme.TOUCH + 4, 12)
        corner = corner.middle(corner.w, min(corner.h, theme.TOUCH))
        sheet.put(
            corner,
            Key("", Tone.QUIET, glyph=screen.corner.glyph or Glyph.BACK),
            screen.corner.touch,
        )
    if screen.simulated:
        beside, badge = (notice or row).right_part(112, 10)
        row, notice = (beside, None) if notice is None else (row, beside)
        _simulated(sheet, badge.middle(112, min(badge.h, 30)))
    if screen.notice and notice is None:
        row, notice = row.rows([2, 1], 0)
        row = replace(row, y=row.y - DESCENDERS / 2)
    if screen.notice and notice is not None:
        words = Words(screen.notice, 18, theme.SOFT_INK, align=Align.LEFT, lines=1 + upright)
        sheet.put(notice, words)
    ink = theme.CRIMSON if screen.tone is Tone.WARN else theme.INK
    lines = 2 if upright or not screen.notice else 1
    words = Words(
        screen.headline, HEADLINE, ink, Weight.BLACK, Align.LEFT, lines, stress=screen.who
    )
    sheet.put(row, words)


def _simulated(sheet: Sheet, badge: Box) -> None:
    sheet.put(badge, Plate(theme.AMBER, badge.h / 2))
    sheet.put(badge.inset(10, 2), Words("SIMULATED", 15, weight=Weight.BLACK))


def _alert(sheet: Sheet, text: str, strip: Box) -> None:
    sheet.put(strip, Plate(theme.CRIMSON, 10))
    mark, words = strip.inset(10, 3).left_part(26, 10)
    sheet.put(mark.middle(26, 26), Picture(Glyph.PLUG, theme.WHITE))
    sheet.put(words, Words(text, 21, theme.WHITE, Weight.BOLD, Align.LEFT, lines=2))


def _foot(sheet: Sheet, screen: Screen, foot: Box) -> None:
    """Actions and calls side by side; the calls never move."""
    row = Box(foot.x + theme.MARGIN, foot.y + 4, foot.w - 2 * theme.MARGIN, foot.h - 16)
    if screen.calls:
        row, calls = row.right_part(theme.CALL * len(screen.calls), 22)
        _row_of_keys(sheet, screen.calls, calls)
    _row_of_keys(sheet, screen.actions, row)


def _keys(sheet: Sheet, keys: tuple[Choice, ...], area: Box) -> Box:
    """A row of keys along the foot of an upright display; returns what is left above it."""
    if not keys:
        return area
    above, foot = area.bottom_part(theme.FOOT, 0)
    row = Box(foot.x + theme.MARGIN, foot.y + 4, foot.w - 2 * theme.MARGIN, foot.h - 16)
    _row_of_keys(sheet, keys, row)
    return above


def _row_of_keys(sheet: Sheet, keys: tuple[Choice, ...], row: Box) -> None:
    shares = [1.5 if key.tone is Tone.MAIN and len(keys) > 2 else 1.0 for key in keys]
    for box, key in zip(row.columns(shares, 10) if keys else (), keys, strict=True):
        sheet.put(box, Key(key.label, key.tone, key.note), key.touch)


def _body(sheet: Sheet, body: Body, area: Box) -> None:
    if isinstance(body, PlayBody):
        _of_play(sheet, body, area)
    elif isinstance(body, RoundBody):
        _of_a_round(sheet, body, area)
    elif isinstance(body, PageBody):
        _of_a_page(sheet, body, area)
    else:
        _of_setting_up(sheet, body, area)


def _of_play(sheet: Sheet, body: PlayBody, area: Box) -> None:
    match body:
        case TableBody():
            layout_table.table(sheet, body, area)
        case PileBody():
            layout_table.pile(sheet, body, area)
        case PersonBody():
            layout_hands.person(sheet, body, area)
        case BoardBody():
            layout_table.board(sheet, body, area)
        case HandBody():
            layout_hands.hand(sheet, body, area)
        case RackBody():
            layout_hands.rack(sheet, body, area)
        case PadBody():
            layout_table.pad(sheet, body, area)
        case _:
            assert_never(body)


def _of_a_round(sheet: Sheet, body: RoundBody, area: Box) -> None:
    match body:
        case TiltBody():
            layout_round.tilt(sheet, body, area)
        case SpillBody():
            layout_round.spill(sheet, body, area)
        case ResetBody():
            layout_round.reset(sheet, body, area)
        case SettleBody():
            layout_round.settle(sheet, body, area)
        case CountBody():
            layout_round.count(sheet, body, area)
        case ScoresBody():
            layout_round.scores(sheet, body, area)
        case WinnerBody():
            layout_round.winner(sheet, body, area)
        case _:
            assert_never(body)


def _of_a_page(sheet: Sheet, body: PageBody, area: Box) -> None:
    match body:
        case ChoicesBody():
            layout_lists.choices(sheet, body, area)
        case ColourBody():
            layout_lists.colours(sheet, body, area)
        case ListBody():
            layout_lists.rows(sheet, body, area)
        case WhyBody():
            layout_lists.why(sheet, body, area)
        case RefusedBody():
            layout_lists.refused(sheet, body, area)
        case _:
            assert_never(body)


def _of_setting_up(sheet: Sheet, body: SetupBody, area: Box) -> None:
    match body:
        case DealBody():
            layout_setup.deal(sheet, body, area)
        case RosterBody():
            layout_setup.roster(sheet, body, area)
        case TypingBody():
            layout_setup.typing(sheet, body, area)
        case HouseRulesBody():
            layout_setup.house_rules(sheet, body, area)
        case WelcomeBody():
            layout_setup.welcome(sheet, body, area)
        case CalibrationBody():
            layout_calibration.calibration(sheet, body, area)
        case _:
            assert_never(body)
