"""The little drawings by their names.

It never draws one: see `companion.display.paint_glyphs`.
"""

from enum import StrEnum


class Glyph(StrEnum):
    """What a drawing shows."""

    MENU = "menu"
    BACK = "back"
    CARD = "card"
    CROWN = "crown"
    TICK = "tick"
    CROSS = "cross"
    QUESTION = "question"
    UNDO = "undo"
    PLUG = "plug"
    ERASE = "erase"
    LEFT = "left"
    RIGHT = "right"
    CHART = "chart"
    TIPPED = "tipped"
    PENCIL = "pencil"
    BOLT = "bolt"
    PAUSE = "pause"
    PLUS = "plus"
    MINUS = "minus"
    RULES = "rules"
    POWER = "power"
    TURN = "turn"
