"""What the display itself remembers: the page people look at, forms half filled in, what was said.

A value that changes by wishes and outcomes. It never changes the table.
"""

from dataclasses import dataclass, field, replace

from msgspec import UnsetType

from companion.display.asking import Answer, Question
from companion.display.house import HOUSE_RULES
from companion.display.tiles import Draft
from companion.display.wishes import (
    Arrange,
    AskForPlay,
    ChangeSeat,
    ChooseCard,
    ChooseGame,
    CountCard,
    CountFor,
    Digit,
    EditPlayer,
    EnterName,
    Gesture,
    Letter,
    Look,
    Open,
    Page,
    SeatWish,
    ShowRack,
    StartCard,
    Tab,
    TurnRule,
)
from companion.games import commands, rulings
from companion.games.cards import Colour
from companion.table.outcomes import Began, Declined, Noticed, Outcome, Ruled
from companion.table.taps import AsItLiesTap, CardTap, Said
from companion.units import MonoSeconds, Tray

LONGEST_NAME = 16
MOST_PLAYERS = 10
MOST_DIGITS = 4
RULES_A_PAGE = 4
_FOR_A_MOVE = frozenset(
    {
        Page.PAD,
        Page.ALL_CARDS,
        Page.UNO,
        Page.CATCH,
        Page.CATCHER,
        Page.STEAL,
        Page.STEAL_CARD,
        Page.DEFEND,
        Page.RACK,
        Page.ADVICE,
    }
)
"""Pages that make no sense any more once somebody has moved."""

_PUTTING_RIGHT = frozenset({Page.CORRECT, Page.CORRECT_TURN, Page.CORRECT_HANDS, Page.CORRECT_CARD})
"""Pages on which several things are put right, one after the other."""

NOTICE_S = 6.0
"""So long a notice stays; it is one line, and nothing waits for it."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A game being set up. `editing` is the seat whose name is typed or changed."""

    game: str = ""
    players: tuple[str, ...] = ()
    dealer: int = 0
    options: tuple[tuple[str, str | int], ...] = ()
    editing: int | None = None
    typing: bool = False
    typed: str = ""
    rules: bool = False
    page: int = 0


@dataclass(frozen=True, slots=True)
class Counting:
    """Hands being counted: cards as (label, points), or points that were typed."""

    player: str = ""
    cards: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    typed: tuple[tuple[str, str], ...] = ()
    typing: bool = False

    def cards_of(self, player: str) -> tuple[tuple[str, int], ...]:
        return dict(self.cards).get(player, ())

    def typed_of(self, player: str) -> str:
        return dict(self.typed).get(player, "")

    def points_of(self, player: str) -> int:
        """What was counted for a player so far."""
        typed = self.typed_of(player)
        return int(typed) if typed else sum(points for _, points in self.cards_of(player))


@dataclass(frozen=True, slots=True)
class SpillNews:
    """A spill that was ruled and that people have not read yet."""

    act: int
    at_s: MonoSeconds
    by: str | None
    count: int


@dataclass(frozen=True, slots=True)
class Looking:
    """Everything that only the display knows."""

    page: Page = Page.TABLE
    act: int = 0
    tray: Tray | None = None
    player: str = ""
    colour: Colour | None = Colour.RED
    setup: Setup = field(default_factory=Setup)
    counting: Counting = field(default_factory=Counting)
    chosen: int | None = None
    """The card of a person's hand at the simulated scale that is about to be put down."""
    start_cards: tuple[tuple[int, str], ...] = ()
    """Cards that were turned up, by their slot."""
    draft: Draft | None = None
    """The board of Rummy Up as somebody rearranges it; None: as it lay before the turn."""
    rack: tuple[str, ...] = ()
    """Tiles that somebody has shown to ask what they can play; forgotten with their turn."""
    question: Question | None = None
    answer: Answer | None = None
    refusal: Declined | None = None
    spill: SpillNews | None = None
    round_scored: bool = False
    notice: str = ""
    notice_until_s: float = 0.0
    known_names: tuple[str, ...] = ()
    """Names of earlier games, to be tapped instead of typed."""

    def after(self, look: Look) -> "Looking":
        """What is looked at once this wish is fulfilled."""
        match look:
            case Open():
                return replace(
                    self, page=look.page, act=look.act, tray=look.tray, player=look.player
                )
            case Gesture.CLOSE:
                return self._closed()
            case Tab():
                return replace(self, colour=look.colour)
            case Gesture.SEEN:
                return replace(self, page=Page.TABLE, refusal=None, spill=None, round_scored=False)
            case ChooseCard():
                return replace(self, chosen=None if self.chosen == look.index else look.index)
            case StartCard():
                return self._with_start_card(look)
            case Arrange():
                return replace(self, draft=look.draft, page=Page.TABLE)
            case ShowRack():
                return replace(self, rack=look.tiles, page=Page.RACK, question=None, answer=None)
            case AskForPlay():
                return replace(self, question=look.question, answer=None, page=Page.ADVICE)
            case CountFor() | CountCard() | Gesture.UNCOUNT | Gesture.TYPE_POINTS | Digit():
                return replace(self, counting=_counted(self.counting, look))
            case Gesture.ERASE if self.counting.typing:
                return replace(self, counting=_counted(self.counting, look))
            case _:
                return replace(self, setup=_set_up(self.setup, look))

    def hearing(self, outcome: Outcome, now: MonoSeconds) -> "Looking":
        """What an outcome of the table brings before people's eyes."""
        match outcome:
            case Declined():
                return replace(self, refusal=outcome, page=Page.TABLE)
            case Noticed():
                return replace(self, notice=outcome.text, notice_until_s=now + NOTICE_S)
            case Ruled(ruling=rulings.Spill() as ruling):
                news = SpillNews(outcome.act, outcome.at_s, ruling.by, 0)
                return replace(self, spill=news, refusal=None, page=Page.TABLE)
            case Ruled(ruling=rulings.Penalty(reason="spill") as ruling) if self.spill:
                news = replace(self.spill, by=ruling.player, count=ruling.count)
                return replace(self, spill=news)
            case Ruled(ruling=rulings.Scored()):
                return replace(self, round_scored=True, counting=Counting(), page=Page.TABLE)
            case Ruled(ruling=rulings.Dealt()):
                return replace(self, start_cards=(), spill=None, refusal=None, round_scored=False)
            case Ruled(ruling=rulings.Played() | rulings.Turn()):
                page = Page.TABLE if self.page in _FOR_A_MOVE else self.page
                return replace(
                    self,
                    refusal=None,
                    chosen=None,
                    draft=None,
                    rack=(),
                    question=None,
                    answer=None,
                    page=page,
                )
            case Began():
                return replace(
                    Looking(known_names=self.known_names), setup=_setup_of(outcome.start)
                )
            case _:
                return self

    def advised(self, answer: Answer) -> "Looking":
        """What was found; people may have gone on to another question meanwhile."""
        return replace(self, answer=answer) if answer.question == self.question else self

    def said(self, said: Said) -> "Looking":
        """Something was told to the table: what it needs is to be seen now.

        UNO and CATCH are called in between: a card that is being named stays in view.
        """
        if isinstance(said, commands.Uno | commands.Catch) and self.page in (
            Page.PAD,
            Page.ALL_CARDS,
        ):
            return self
        if isinstance(said, commands.Join):
            return replace(self, page=Page.TABLE, setup=replace(self.setup, typed=""))
        if isinstance(said, commands.Correct | AsItLiesTap) and self.page in _PUTTING_RIGHT:
            return replace(self, page=Page.CORRECT, refusal=None)
        chosen = None if isinstance(said, CardTap) else self.chosen  # it has left the hand
        return replace(self, page=Page.TABLE, refusal=None, chosen=chosen)

    def _closed(self) -> "Looking":
        if self.page is Page.SETUP and _is_open(self.setup):
            return replace(self, setup=_stepped_back(self.setup))
        if self.page is not Page.TABLE:
            back = {
                Page.ALL_CARDS: Page.PAD if self.tray else Page.TABLE,
                Page.AMEND_PAD: Page.AMEND,
                Page.STEAL_CARD: Page.STEAL,
                Page.ADVICE: Page.RACK if self.rack else Page.TABLE,
                Page.CORRECT_TURN: Page.CORRECT,
                Page.JOIN_SEAT: Page.JOIN,
                Page.CORRECT_HANDS: Page.CORRECT,
                Page.CORRECT_CARD: Page.CORRECT,
            }
            return replace(self, page=back.get(self.page, Page.TABLE))
        return replace(self, setup=_stepped_back(self.setup), refusal=None)

    def _with_start_card(self, look: StartCard) -> "Looking":
        cards = {**dict(self.start_cards), look.slot: look.card}
        missing = [slot for slot in range(look.of) if slot not in cards]
        page = Page.DEAL_PAD if missing else Page.TABLE
        return replace(
            self, start_cards=tuple(cards.items()), page=page, act=missing[0] if missing else 0
        )


def tidy(name: str) -> str:
    """A name as it is kept: without space around it, and one space between its parts."""
    return " ".join(name.split())


def _setup_of(start: commands.Start) -> Setup:
    """The form as it was filled in for this game: the next one begins with it."""
    dealer = start.players.index(start.dealer) if isinstance(start.dealer, str) else 0
    options = () if isinstance(start.options, UnsetType) else tuple(start.options.items())
    return Setup(game=start.game, players=start.players, dealer=dealer, options=options)


def _is_open(setup: Setup) -> bool:
    return setup.typing or setup.editing is not None or setup.rules


def _stepped_back(setup: Setup) -> Setup:
    if setup.typing or setup.editing is not None:
        return replace(setup, typing=False, editing=None, typed="")
    if setup.rules:
        return replace(setup, rules=False, page=0)
    return replace(setup, game="")


def _set_up(setup: Setup, look: Look) -> Setup:
    match look:
        case ChooseGame():
            return replace(setup, game=look.game, options=())
        case EditPlayer():
            new = look.seat >= len(setup.players)
            return replace(setup, editing=look.seat, typing=new, typed="")
        case Letter():
            typed = (setup.typed + look.text)[:LONGEST_NAME]
            return replace(setup, typed=typed)
        case Gesture.ERASE:
            return replace(setup, typed=setup.typed[:-1])
        case EnterName():
            return _named(setup, look.name or setup.typed)
        case ChangeSeat():
            return _seat_changed(setup, look.wish)
        case Gesture.TO_RULES:
            return replace(setup, rules=True, page=0)
        case TurnRule():
            return _rule_turned(setup, look.name)
        case Gesture.TURN_PAGE:
            pages = -(-len(HOUSE_RULES.get(setup.game, ())) // RULES_A_PAGE)
            return replace(setup, page=(setup.page + 1) % max(1, pages))
        case _:
            return setup


def _named(setup: Setup, name: str) -> Setup:
    name = tidy(name)
    done = replace(setup, editing=None, typing=False, typed="")
    seat = setup.editing
    if seat is None or not name or name in setup.players[:seat] + setup.players[seat + 1 :]:
        return done
    players = (*setup.players[:seat], name, *setup.players[seat + 1 :])[:MOST_PLAYERS]
    return replace(done, players=players)


def _seat_changed(setup: Setup, wish: SeatWish) -> Setup:
    seat = setup.editing
    if seat is None or seat >= len(setup.players):
        return replace(setup, editing=None)
    players = list(setup.players)
    dealer = players[setup.dealer] if setup.dealer < len(players) else ""
    match wish:
        case SeatWish.RENAME:
            return replace(setup, typing=True, typed=players[seat])
        case SeatWish.DEALS:
            dealer = players[seat]
        case SeatWish.EARLIER:
            players.insert((seat - 1) % len(players), players.pop(seat))
        case SeatWish.REMOVE:
            players.pop(seat)
    at = players.index(dealer) if dealer in players else 0
    return replace(setup, players=tuple(players), dealer=at, editing=None)


def _rule_turned(setup: Setup, name: str) -> Setup:
    option = next((o for o in HOUSE_RULES.get(setup.game, ()) if o.name == name), None)
    if option is None:
        return setup
    chosen = dict(setup.options)
    chosen[name] = option.after(chosen.get(name, option.default))
    if chosen[name] == option.default:
        del chosen[name]
    return replace(setup, options=tuple(chosen.items()))


def _counted(counting: Counting, look: Look) -> Counting:
    player = counting.player
    cards, typed = dict(counting.cards), dict(counting.typed)
    held = cards.get(player, ())
    match look:
        case CountFor():
            if look.player == player:
                return counting
            return replace(counting, player=look.player, typing=bool(typed.get(look.player)))
        case CountCard():
            cards[player] = (*held, (look.label, look.points))
            typed.pop(player, None)
        case Gesture.UNCOUNT:
            cards[player] = held[:-1]
        case Gesture.TYPE_POINTS:
            return replace(counting, typing=not counting.typing)
        case Digit():
            digits = (typed.get(player, "") + look.digit)[:MOST_DIGITS]
            typed[player] = str(int(digits))
        case Gesture.ERASE:
            typed[player] = typed.get(player, "")[:-1]
        case _:
            return counting
    return replace(counting, cards=tuple(cards.items()), typed=tuple(typed.items()))
