"""The calibration as people see it: a guide and what they have chosen, as one Screen.

Pure: it never weighs, waits or saves anything.
"""

from dataclasses import replace

from companion.display.bodies import ChoicesBody
from companion.display.calibration import (
    COINS,
    BenchPicture,
    CalibrationBody,
    Deed,
    Form,
    Gauge,
    Laid,
    Motion,
    Reach,
    Turn,
)
from companion.display.choice import Choice, Tone
from companion.display.screen import Screen
from companion.errors import in_two
from companion.events import FaultKind
from companion.scale.calibrate import TYPICAL_CARD_G, Learned, Procedure, Step
from companion.scale.guide import CellNow, Guide
from companion.scale.levels import Trouble
from companion.units import Tray

TYPICAL_COUNTS_PER_GRAM = 1500.0
"""Of a 1 kg cell; it sets how long a bar is before the first load was weighed."""

TIPPED = 17.0
"""Degrees of the drawn beam."""

NO_SWITCH = Choice("No switch is fitted", Deed.AS_IT_IS)
ACCEPTED = {
    Trouble.NO_TILT: NO_SWITCH,
    Trouble.WRONG_SIGN: Choice("Take it as it is", Deed.AS_IT_IS),
}
LEAVE = Choice("Back", Deed.LEAVE, Tone.QUIET)

_FAULTS = {FaultKind.SILENT: "no readings", FaultKind.SATURATED: "at its end"}


def form_screen(form: Form, why: str, *, simulated: bool, playable: bool) -> Screen:
    """Before the first weighing: why, with what, and with how much. `playable`: one may also play
    without the scale."""
    choices = (
        Choice(f"{form.cards} cards", Turn.CARDS, note="to weigh; count them"),
        Choice(COINS[form.coin][1], Turn.COIN, note="a coin tells grams exactly"),
        Choice(
            "With tilt switch" if form.tilt_fitted else "No tilt switch",
            Turn.SWITCH,
            note="as it was built",
        ),
    )
    actions = [Choice("Begin", Deed.BEGIN, Tone.MAIN)]
    if playable:
        actions.insert(0, Choice("Play without the scale", Deed.WITHOUT, note="trays are tapped"))
    return Screen(
        "Calibrate the scale",
        ChoicesBody(why, choices, columns=3),
        LEAVE,
        tuple(actions),
        notice="It takes five minutes. Nothing is saved before the last weighing agrees.",
        simulated=simulated,
    )


def no_board_screen(why: str) -> Screen:
    """The board cannot be opened: what is wrong, and what people may do."""
    says, advice = in_two(why)
    choices = (
        Choice("Try again", Deed.READY, Tone.MAIN, note="once it is mended"),
        Choice("Play without the scale", Deed.WITHOUT, note="trays are tapped"),
    )
    return Screen(
        "The scale cannot be reached",
        ChoicesBody(f"{_sentence(says)}\n{_sentence(advice)}" if advice else why, choices),
        LEAVE,
    )


def weighing_screen(guide: Guide, *, simulated: bool, trouble: str = "") -> Screen:
    """The weighing that is next or under way; at the end what was learned."""
    procedure, step = guide.procedure, guide.step
    steps = procedure.steps
    done = steps.index(step) if step in steps else len(steps)
    refusal = guide.refusal
    picture = _picture(procedure, tilted=guide.tilted)
    body = CalibrationBody(
        text=procedure.asks,
        picture=_still(picture) if _weighing(guide) else picture,
        left=_gauge(guide.cell(Tray.LEFT), procedure),
        right=_gauge(guide.cell(Tray.RIGHT), procedure),
        done=done,
        of=len(steps),
        share=guide.share if guide.listening and step is not Step.TIP else None,
        refused="" if refusal is None or _weighing(guide) else _sentence(refusal.sentence),
        found=_found(guide.learned, procedure) if step is Step.DONE else (),
        touches=_touches() if simulated and step is not Step.DONE else None,
    )
    return Screen(
        _headline(guide),
        body,
        LEAVE,
        _actions(guide),
        alert=trouble,
        simulated=simulated,
    )


def _weighing(guide: Guide) -> bool:
    return guide.listening and guide.step is not Step.TIP


def _headline(guide: Guide) -> str:
    if _weighing(guide):
        return "Hands off: weighing"
    cards = f"{guide.procedure.load.cards} cards"
    match guide.step:
        case Step.TIP:
            return "And level again" if guide.tilted else "Tip the scale"
        case Step.EMPTY:
            return "Empty trays, and the beam propped up"
        case Step.COIN_LEFT:
            return "The coin in the left tray"
        case Step.COIN_RIGHT:
            return "The coin in the right tray"
        case Step.CARDS_LEFT:
            return f"{cards} in the left tray"
        case Step.CARDS_RIGHT:
            return f"{cards} in the right tray"
        case Step.AGAIN:
            return f"To check: {cards} back in the left tray"
        case Step.DECK:
            return f"{cards} where the draw pile lies"
        case Step.DONE:
            return "The scale is calibrated"


def _actions(guide: Guide) -> tuple[Choice, ...]:
    if guide.step is Step.DONE:
        return Choice("Once more", Deed.ANEW), Choice("Save", Deed.SAVE, Tone.MAIN)
    if guide.step is Step.TIP:
        return (NO_SWITCH,)
    if guide.listening:
        return (Choice("Begin anew", Deed.ANEW, Tone.QUIET),)
    refusal = guide.refusal
    actions = [Choice("Begin anew", Deed.ANEW)] if refusal is not None else []
    if refusal is not None and refusal.trouble in ACCEPTED:
        actions.append(ACCEPTED[refusal.trouble])
    label = "Ready: weigh" if refusal is None else "Try again"
    return (*actions, Choice(label, Deed.READY, Tone.MAIN))


def _picture(procedure: Procedure, *, tilted: bool) -> BenchPicture:
    cards, coin_g = procedure.load.cards, procedure.load.coin_g
    match procedure.step:
        case Step.TIP:
            motion = Motion.NONE if tilted else Motion.TIP
            return BenchPicture(lean=TIPPED if tilted else 0.0, motion=motion)
        case Step.COIN_LEFT:
            return _loaded(Laid(Tray.LEFT, coin_g=coin_g), Motion.LAY)
        case Step.COIN_RIGHT:
            return _loaded(Laid(Tray.RIGHT, coin_g=coin_g), Motion.MOVE)
        case Step.CARDS_LEFT:
            return _loaded(Laid(Tray.LEFT, cards), Motion.LAY)
        case Step.CARDS_RIGHT:
            return _loaded(Laid(Tray.RIGHT, cards), Motion.MOVE)
        case Step.AGAIN:
            return _loaded(Laid(Tray.LEFT, cards), Motion.MOVE)
        case Step.DECK:
            return BenchPicture(propped=True, deck=cards)
        case _:
            return BenchPicture(propped=procedure.step is Step.EMPTY)


def _still(picture: BenchPicture) -> BenchPicture:
    """Nobody is to do anything now."""
    return replace(picture, motion=Motion.NONE)


def _loaded(load: Laid, motion: Motion) -> BenchPicture:
    return BenchPicture(load=load, propped=True, motion=motion)


def _gauge(cell: CellNow, procedure: Procedure) -> Gauge:
    if cell.fault is not None:
        return Gauge(0.0, _FAULTS.get(cell.fault, str(cell.fault)), resting=False, fault=True)
    if cell.off is None:
        return Gauge(0.0, "", resting=False)
    if cell.cards is not None:
        share = cell.cards / procedure.load.cards
        words = f"{cell.cards:.1f} cards".replace("-0.0", "0.0")
    else:
        grams = cell.off / TYPICAL_COUNTS_PER_GRAM
        share = grams / (procedure.load.cards * TYPICAL_CARD_G)
        words = f"{cell.off:+,.0f}"
    return Gauge(round(max(-1.0, min(share, 1.0)), 2), words, cell.resting)


def _found(learned: Learned, procedure: Procedure) -> tuple[str, ...]:
    found, check = learned.calibration, learned.check
    rests = "closed" if learned.tilt_rests_closed else "open"
    lines = [
        f"A card weighs {found.card_g:.2f} g.",
        f"One gram: {found.left.counts_per_gram:,.0f} counts left, "
        f"{found.right.counts_per_gram:,.0f} right.",
        f"Check: {procedure.load.cards} cards weighed as {check[Tray.LEFT]:.2f} left, "
        f"{abs(check[Tray.RIGHT]):.2f} right.",
        f"The tilt switch rests {rests}." if found.tilt_switch else "No tilt switch is fitted.",
    ]
    if found.deck is not None:
        lines.append("The draw pile's cell counts cards, too.")
    return tuple(lines)


def _touches() -> tuple[Reach, Reach, Reach]:
    return Reach(Tray.LEFT), Reach(None), Reach(Tray.RIGHT)


def _sentence(text: str) -> str:
    ended = text if text.endswith((".", "!", "?")) else f"{text}."
    return f"{ended[:1].upper()}{ended[1:]}"
