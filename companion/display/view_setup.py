"""Setting up as people see it: game, players, house rules, start cards.

It never starts a game: it shows the `start` and the `deal` that a tap will say.
"""

from companion.display.bodies import (
    ChoicesBody,
    DealBody,
    HouseRule,
    HouseRulesBody,
    RosterBody,
    TypingBody,
    WelcomeBody,
)
from companion.display.choice import Choice, Tone, Touch
from companion.display.glyph import Glyph
from companion.display.house import HOUSE_RULES, HouseOption
from companion.display.looking import MOST_PLAYERS, RULES_A_PAGE, Looking, Setup, tidy
from companion.display.screen import Screen
from companion.display.surroundings import Surroundings
from companion.display.view_round import MENU
from companion.display.wishes import (
    ChangeSeat,
    ChooseGame,
    EditPlayer,
    EnterName,
    Gesture,
    Letter,
    Open,
    Page,
    Request,
    SeatWish,
    TurnRule,
)
from companion.display.words import GAMES, all_of, card_of, played_off
from companion.games import commands
from companion.games.battle.state import BattleState
from companion.games.commands import Start
from companion.games.referee import State
from companion.games.rummy_up.referee import RummyState
from companion.games.tippo.state import TippoState

BACK = Choice("Back", Gesture.CLOSE, Tone.QUIET, glyph=Glyph.BACK)
LETTERS = ("QWERTYUIOP", "ASDFGHJKL'", "ZXCVBNM-ÄÖ", "ÜÉÈÇÑÅØŁ")
LETTERS_NARROW = ("ABCDEFG", "HIJKLMN", "OPQRSTU", "VWXYZ-'", "ÄÖÜÉÈÇÑ", "ÅØŁ")
FEWEST = 2
RUMMY_MOST = 4


def setup_screen(looking: Looking, around: Surroundings) -> Screen:
    """The form of a new game, step by step."""
    setup = looking.setup
    if not setup.game:
        return _welcome(around)
    if setup.typing:
        return typing_screen(
            setup.typed,
            looking.known_names,
            tuple(name for seat, name in enumerate(setup.players) if seat != setup.editing),
            EnterName(),
            "What is your name?",
        )
    if setup.editing is not None and setup.editing < len(setup.players):
        return _seat(setup, setup.editing)
    if setup.rules:
        return _rules(setup, force=looking.page is Page.SETUP)
    before_a_game = looking.page is not Page.SETUP
    on_the_scale = setup.game == "tippo" and before_a_game
    return _roster(setup, _calibration(around) if on_the_scale else ())


def _calibration(around: Surroundings) -> tuple[Choice, ...]:
    """The way to the calibration, where there is one."""
    if not around.calibratable:
        return ()
    return (Choice("Calibrate the scale", Request.CALIBRATE, Tone.QUIET),)


def _welcome(around: Surroundings) -> Screen:
    games = tuple(
        Choice(name, ChooseGame(game), Tone.MAIN if game == "tippo" else Tone.PLAIN, note=note)
        for game, (name, note) in GAMES.items()
    )
    resume = None
    if around.resumable:
        resume = Choice(
            "Go on with the last game", Request.RESUME, Tone.NEXT, note=around.resumable
        )
    return Screen("What shall we play?", WelcomeBody(games, resume), actions=_calibration(around))


def _roster(setup: Setup, calibration: tuple[Choice, ...]) -> Screen:
    players = tuple(
        Choice(name, EditPlayer(seat), note="deals" if seat == setup.dealer else "")
        for seat, name in enumerate(setup.players)
    )
    most = RUMMY_MOST if setup.game == "rummy_up" else MOST_PLAYERS
    add = Choice("+ add a player", EditPlayer(len(players))) if len(players) < most else None
    actions = calibration
    if FEWEST <= len(players) <= most:
        actions = (*calibration, Choice("Next: house rules", Gesture.TO_RULES, Tone.MAIN))
    return Screen(
        "Who plays?",
        RosterBody(players, add, setup.players[setup.dealer] if players else None),
        BACK,
        actions,
        notice="In the order in which you sit, to the left. Tap a name to change it.",
    )


def _seat(setup: Setup, seat: int) -> Screen:
    name = setup.players[seat]
    wishes = [(SeatWish.DEALS, "Deals first"), (SeatWish.RENAME, "Another name")]
    if seat:
        wishes.append((SeatWish.EARLIER, "Sits one seat earlier"))
    wishes.append((SeatWish.REMOVE, "Does not play"))
    return Screen(
        name,
        ChoicesBody("", tuple(Choice(label, ChangeSeat(wish)) for wish, label in wishes)),
        BACK,
        who=name,
    )


def typing_screen(
    typed: str,
    known: tuple[str, ...],
    taken: tuple[str, ...],
    done: Touch,
    headline: str,
) -> Screen:
    """A keyboard, with names of earlier games beside the field."""
    fitting = [
        name
        for name in known
        if name not in taken and name.lower().startswith(typed.strip().lower())
    ]
    name = tidy(typed)
    sits = name in taken
    actions = (Choice("Done", done, Tone.MAIN),) if name and not sits else ()
    return Screen(
        headline,
        TypingBody(
            typed,
            "name",
            _keyboard(LETTERS, typed),
            _keyboard(LETTERS_NARROW, typed),
            tuple(Choice(name, EnterName(name)) for name in fitting[:3]),
        ),
        BACK,
        actions,
        notice=f"{name} plays already: a second one needs another name." if sits else "",
    )


def _keyboard(letters: tuple[str, ...], typed: str) -> tuple[tuple[Choice, ...], ...]:
    """Keys in rows; a name and each of its parts begin with a capital."""
    capital = not typed or typed[-1] in " -"
    *rows, last = (
        tuple(Choice(char, Letter(char if capital else char.lower())) for char in row)
        for row in letters
    )
    return (*rows, (*last, Choice("space", Letter(" ")), Choice("erase", Gesture.ERASE)))


def _rules(setup: Setup, *, force: bool) -> Screen:
    options = HOUSE_RULES[setup.game]
    pages = -(-len(options) // RULES_A_PAGE)
    shown = options[setup.page * RULES_A_PAGE : (setup.page + 1) * RULES_A_PAGE]
    chosen = dict(setup.options)
    more = Choice("More rules", Gesture.TURN_PAGE) if pages > 1 else None
    start = Start(
        game=setup.game,
        players=setup.players,
        dealer=setup.players[setup.dealer],
        options=dict(chosen),
        force=force,
    )
    agree = Choice("We all agree", start, Tone.MAIN)
    return Screen(
        "House rules: agreed by all?",
        HouseRulesBody(tuple(house_rule(option, chosen) for option in shown)),
        BACK,
        (more, agree) if more else (agree,),
        notice=f"Page {setup.page + 1} of {pages}. Tap a value to change it.",
    )


def house_rule(
    option: HouseOption, chosen: dict[str, str | int], *, fixed: bool = False
) -> HouseRule:
    """A rule with its value, which can be tapped unless it is `fixed`."""
    value = chosen.get(option.name, option.default)
    touch = None if fixed else TurnRule(option.name)
    return HouseRule(
        option.rule,
        option.text,
        Choice(option.word(value), touch),
        changed=value != option.default,
    )


# --- the deal -----------------------------------------------------------------------------


def deal_screen(state: State, looking: Looking) -> Screen:
    """Which cards were turned up? One tap each, then one to begin."""
    cards = dict(looking.start_cards)
    labels = start_places(state)
    slots = tuple(
        _slot(slot, label, cards.get(slot), rummy=isinstance(state, RummyState))
        for slot, label in enumerate(labels)
    )
    actions: tuple[Choice, ...] = ()
    if all(slot in cards for slot in range(len(labels))):
        deal = _deal(state, tuple(cards[slot] for slot in range(len(labels))))
        actions = (Choice("Begin the round", deal, Tone.MAIN),)
    hand = "14 tiles" if isinstance(state, RummyState) else "7 cards"
    tie = state.tie if isinstance(state, BattleState) else None
    return Screen(
        f"{state.dealer}, deal {hand} to {'everyone' if tie is None else all_of(tie.players)}",
        DealBody(f"Round {state.round}. Then turn up {_turned_up(state)}.", slots),
        MENU,
        actions,
        who=state.dealer,
        notice="" if tie is None else played_off(tie),
    )


def start_places(state: State) -> tuple[str, ...]:
    """What is turned up at the start of a round, by where it lies."""
    if isinstance(state, TippoState):
        return ("LEFT TRAY", "RIGHT TRAY")
    if isinstance(state, RummyState):
        return ("FIRST", "SECOND", "THIRD", "FOURTH")
    return ("START CARD",)


def _turned_up(state: State) -> str:
    if isinstance(state, TippoState):
        return "one card into each tray and tap what it is"
    if isinstance(state, RummyState):
        return "four tiles and tap what they are"
    return "one card and tap what it is"


def _slot(slot: int, label: str, text: str | None, *, rummy: bool) -> Choice:
    return Choice(
        label,
        Open(Page.DEAL_PAD, act=slot),
        note="tap to change" if text is not None else "tap: which is it?",
        card=None if text is None or rummy else card_of(text),
        tile=text if text is not None and rummy else "",
    )


def _deal(state: State, cards: tuple[str, ...]) -> commands.Deal:
    if isinstance(state, TippoState):
        return commands.Deal(left=cards[0], right=cards[1])
    if isinstance(state, RummyState):
        return commands.Deal(table=cards)
    return commands.Deal(top=cards[0])
