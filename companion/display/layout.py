"""Lays a Screen out for a display of some size: which part is where, and what can be tapped.

It never measures words (they fit themselves into their boxes) and never decides what is shown.
"""

from typing import assert_never

from companion.display import layout_lists, layout_round, layout_setup, layout_table, theme
from companion.display.scene import Align, Box, Glyph, Key, Picture, Plate, Scene, Sheet, Words
from companion.display.screen import (
    BoardBody,
    ChoicesBody,
    ColourBody,
    CountBody,
    DealBody,
    HouseRulesBody,
    ListBody,
    PadBody,
    PersonBody,
    PileBody,
    RefusedBody,
    ResetBody,
    RosterBody,
    ScoresBody,
    Screen,
    SettleBody,
    SpillBody,
    TableBody,
    TiltBody,
    Tone,
    TypingBody,
    WelcomeBody,
    WhyBody,
    WinnerBody,
)
from companion.display.theme import Weight


def fit(size: tuple[int, int]) -> tuple[float, float]:
    """The scale (pixels a unit) and the width in units for a display of ``size`` pixels.

    Between 16:10 and 11:6 the screen fills the display; beyond that, paper stays free at the
    sides or above and below.
    """
    scale = min(size[1] / theme.HEIGHT, size[0] / theme.WIDTH_LEAST)
    return scale, min(theme.WIDTH_MOST, size[0] / scale)


def lay_out(screen: Screen, width: float = 800.0) -> Scene:
    """The scene of a screen, ``width`` units wide."""
    sheet = Sheet(Box(0, 0, width, theme.HEIGHT))
    top, rest = sheet.area.top_part(theme.TOP, 0)
    _headline(sheet, screen, top)
    if screen.alert:
        strip, rest = rest.top_part(theme.STRIP, 0)
        _alert(sheet, screen.alert, strip.inset(theme.MARGIN, 2))
    body = rest
    if screen.actions or screen.calls:
        body, foot = rest.bottom_part(theme.FOOT, 0)
        _actions(sheet, screen, foot)
    _body(sheet, screen, body.inset(theme.MARGIN, 6))
    paper = theme.PALE_CRIMSON if screen.tone is Tone.WARN else theme.PAPER
    return Scene(width, theme.HEIGHT, paper, tuple(sheet.items))


def _headline(sheet: Sheet, screen: Screen, top: Box) -> None:
    row = top.inset(theme.MARGIN, 4)
    if screen.corner is not None:
        corner, row = row.left_part(theme.TOUCH + 4, 12)
        glyph = Glyph.MENU if screen.corner.label == "Menu" else Glyph.BACK
        sheet.put(corner, Key("", Tone.QUIET, glyph=glyph), screen.corner.touch)
    if screen.simulated:
        row, badge = row.right_part(112, 10)
        badge = badge.middle(112, 30)
        sheet.put(badge, Plate(theme.AMBER, 15))
        sheet.put(badge.inset(10, 2), Words("SIMULATED", 15, weight=Weight.BLACK))
    ink = theme.CRIMSON if screen.tone is Tone.WARN else theme.INK
    upper, lower = row.rows([1.5, 1], 0) if screen.notice else (row, row)
    lines = 1 if screen.notice else 2
    sheet.put(
        upper,
        Words(screen.headline, 34, ink, Weight.BLACK, Align.LEFT, lines, stress=screen.who),
    )
    if screen.notice:
        sheet.put(lower, Words(screen.notice, 18, theme.SOFT_INK, align=Align.LEFT))


def _alert(sheet: Sheet, text: str, strip: Box) -> None:
    sheet.put(strip, Plate(theme.CRIMSON, 10))
    mark, words = strip.inset(10, 3).left_part(26, 10)
    sheet.put(mark.middle(26, 26), Picture(Glyph.PLUG, theme.WHITE))
    sheet.put(words, Words(text, 21, theme.WHITE, Weight.BOLD, Align.LEFT))


def _actions(sheet: Sheet, screen: Screen, foot: Box) -> None:
    row = Box(foot.x + theme.MARGIN, foot.y + 4, foot.w - 2 * theme.MARGIN, foot.h - 16)
    calls = row
    if screen.calls:
        row, calls = row.right_part(theme.CALL * len(screen.calls), 22)
    for part, keys in ((row, screen.actions), (calls, screen.calls)):
        shares = [1.5 if key.tone is Tone.MAIN else 1.0 for key in keys]
        if keys is screen.calls:
            shares = [1.0] * len(keys)
        for box, key in zip(part.columns(shares, 10) if keys else (), keys, strict=True):
            sheet.put(box, Key(key.label, key.tone, key.note), key.touch)


def _body(sheet: Sheet, screen: Screen, area: Box) -> None:
    match screen.body:
        case TableBody() as body:
            layout_table.table(sheet, body, area)
        case PileBody() as body:
            layout_table.pile(sheet, body, area)
        case PersonBody() as body:
            layout_table.person(sheet, body, area)
        case BoardBody() as body:
            layout_table.board(sheet, body, area)
        case PadBody() as body:
            layout_table.pad(sheet, body, area)
        case TiltBody() as body:
            layout_round.tilt(sheet, body, area)
        case SpillBody() as body:
            layout_round.spill(sheet, body, area)
        case ResetBody() as body:
            layout_round.reset(sheet, body, area)
        case SettleBody() as body:
            layout_round.settle(sheet, body, area)
        case CountBody() as body:
            layout_round.count(sheet, body, area)
        case ScoresBody() as body:
            layout_round.scores(sheet, body, area)
        case WinnerBody() as body:
            layout_round.winner(sheet, body, area)
        case ChoicesBody() as body:
            layout_lists.choices(sheet, body, area)
        case ColourBody() as body:
            layout_lists.colours(sheet, body, area)
        case ListBody() as body:
            layout_lists.rows(sheet, body, area)
        case WhyBody() as body:
            layout_lists.why(sheet, body, area)
        case RefusedBody() as body:
            layout_lists.refused(sheet, body, area)
        case DealBody() as body:
            layout_setup.deal(sheet, body, area)
        case RosterBody() as body:
            layout_setup.roster(sheet, body, area)
        case TypingBody() as body:
            layout_setup.typing(sheet, body, area)
        case HouseRulesBody() as body:
            layout_setup.house_rules(sheet, body, area)
        case WelcomeBody() as body:
            layout_setup.welcome(sheet, body, area)
        case _:
            assert_never(screen.body)
