"""Scripts of play: a turn, a call, a drop in a Tilt challenge; as people do them, with pauses.

They never make a move that the rules refuse: what people believe is asked first.
"""

from msgspec import UNSET

from companion.games import commands
from companion.games.cards import Card, Colour, Kind
from companion.games.referee import Phase
from companion.games.tippo.legality import awaiting_colour
from companion.units import Tray
from sim import choosing, fussing
from sim.people import People, Wait

ASKS_FOR_A_NAME_S = 3.0
RIGHTINGS = 3
"""So often people set a scale upright that tips again and drops nothing."""


def take_turn(people: People) -> Wait:
    """What happens between two turns and whatever the player on turn does next."""
    state = people.state
    who = state.turn
    if who is None or who not in people.simulated:
        yield from people.wait_for_news()
        return
    rng, pace = people.rng, people.tempers[who].pace
    if state.needs == "colour":
        yield from people.wait(rng.uniform(0.5, 1.5) * pace, heed=True)
        if not people.interrupted():
            name_colour(people, who)
            yield from people.wait_for_news()
        return
    yield from catch_somebody(people)
    thought = rng.uniform(0.4, 1.2) if state.phase is Phase.DRAWN else rng.uniform(0.8, 3.5)
    yield from people.wait(people.habits.pause(thought * pace), heed=True, startle=True)
    if people.world.tipped and not people.interrupted():
        move = people.habits.rash()
        if move is not None:
            yield from rash_move(people, who, move)
            return
    yield from _until_upright(people)
    if people.interrupted() or people.state.turn != who:
        return
    if people.alone and people.full and people.habits.mistaken():
        yield from put_wrong_card(people, who)
        return
    choice = _choice(people, who)
    if choice is not None:
        yield from play(people, who, *choice)
    elif state.phase is Phase.DRAWN:
        people.tap_command(commands.Pass())
        yield from people.wait_for_news()
    else:
        yield from draw(people)


def rash_move(people: People, who: str, move: str) -> Wait:
    """The scale is tipping, and the next player draws or puts a card down all the same."""
    rng = people.rng
    choice = _choice(people, who)
    if move == "draw_mid_tip" or choice is None:
        yield from people.wait(rng.uniform(0.02, 0.25), heed=True)
        if not people.interrupted() and people.state.phase is Phase.PLAY:
            people.witness.note(people.now_s, "adversity", name="draw_mid_tip")
            yield from draw(people)
        return
    card, tray = choice
    if move == "play_at_spill":
        yield from people.wait(rng.uniform(0.25, 0.7))
    else:
        yield from people.wait(rng.uniform(0.05, 0.3), heed=True)
        if people.interrupted():
            return
    people.witness.note(people.now_s, "adversity", name=move)
    colour = None
    if card.kind in (Kind.WILD, Kind.WILD_DRAW_FOUR) and len(people.hands[who]) > 1:
        colour = choosing.favourite_colour(people.hands[who], rng)
    if people.interrupted():
        # Too late to be a play: the card lies on a scale that has spilled, and comes back.
        let_go = _place(people, [card], tray, who, "late")
        yield from people.wait(let_go - people.now_s)
        return
    yield from put_down(people, who, card, tray, colour)
    if must_name(people, card):
        yield from people.wait(rng.uniform(0.15, 1.4))
        _name(people, card, colour)
    yield from people.acknowledged(who)
    yield from fussing.take_refused_back(people, who, card, tray)


def put_wrong_card(people: People, who: str) -> Wait:
    """Puts a card down that does not go, sees that it was refused, and takes it back."""
    misfits = choosing.misfits(people.state, people.hands[who])
    if not misfits:
        return
    card, tray = people.rng.choice(misfits)
    people.witness.note(people.now_s, "adversity", name="wrong_card")
    let_go = _place(people, [card], tray, who, "wrong")
    yield from people.wait(let_go - people.now_s + people.rng.uniform(0.2, 1.0))
    if people.interrupted():
        return
    _name(people, card, None)
    yield from fussing.take_off_again(people, who, card, tray)


def _until_upright(people: People) -> Wait:
    """Nobody puts a card on a scale that is tipping or in somebody's hands, unless it has been set
    upright often enough: then it just leans like that."""
    give_up, rightings = people.now_s + 6.0, 0
    while (people.world.tipped or people.world.held) and not people.interrupted():
        if people.world.tipped and people.now_s > give_up:
            if rightings == RIGHTINGS:
                return
            rightings += 1
            off = people.world.set_upright(at_s=people.now_s)
            yield from people.wait(off - people.now_s + 0.3, heed=True)
            give_up = people.now_s + 6.0
        yield people.now_s + 0.1


def _choice(people: People, who: str) -> tuple[Card, Tray] | None:
    state, hand = people.state, people.hands[who]
    if people.announced is not None and people.announced[0] == who:
        named = people.announced[1]
        for card, tray in choosing.options(state, hand):
            if card == named:
                return card, tray
    if state.phase is Phase.DRAWN:
        return choosing.choose(state, hand[-1:], people.tempers[who], people.rng)
    return choosing.choose(state, hand, people.tempers[who], people.rng)


def must_name(people: People, card: Card) -> bool:
    """In full refereeing every card, in quick Stop, action and wild cards."""
    return people.full or card.kind is not Kind.NUMBER


def may_name_early(people: People) -> bool:
    """In quick refereeing the display asks for the last card's name for 2.5 s: a name said
    meanwhile would be that card's."""
    return people.full or people.now_s - people.put_s > ASKS_FOR_A_NAME_S


def play(people: People, who: str, card: Card, tray: Tray) -> Wait:
    """Puts the card in the tray and names it, before or after; calls UNO, or forgets to."""
    rng, hand = people.rng, people.hands[who]
    colour, early = _announce(people, who, card)
    called = len(hand) == 2 and rng.random() < 0.4 * people.tempers[who].memory
    if called and people.allowed(commands.Uno(player=who)):
        people.tap_command(commands.Uno(player=who))
        yield from people.pause(rng.uniform(0.2, 0.6))
    hasty = people.habits.impatient or rng.random() < 0.2
    if not early and hasty and must_name(people, card) and may_name_early(people):
        early = True
        _name(people, card, colour)
    yield from people.pause(rng.uniform(0.3, 0.9))
    yield from _until_upright(people)
    if people.interrupted():
        people.announced = (who, card, colour) if early else None
        return
    extra = fussing.stuck_to(people, who, card)
    yield from put_down(people, who, card, tray, colour, extra=extra)
    fuss = None if called or extra is not None else people.habits.fuss()
    if fuss == "take_back" and fussing.may_take_back(people, card):
        named = early or (must_name(people, card) and rng.random() < 0.5)
        if named and not early:
            yield from people.wait(rng.uniform(0.15, 0.9))
            _name(people, card, colour)
        yield from fussing.take_back(people, who, tray)
        return
    if not early and must_name(people, card):
        yield from people.wait(rng.uniform(0.15, 1.4))
        _name(people, card, colour)
    yield from people.acknowledged(who)
    if extra is not None:
        yield from fussing.take_extra_back(people, who, extra, tray)
    yield from fussing.take_refused_back(people, who, card, tray)
    yield from fussing.fuss(people, fuss, tray)
    if not called:
        yield from _call_uno(people, who)
    if not people.habits.impatient:
        yield from people.pause(rng.uniform(0.2, 0.8))


def _announce(people: People, who: str, card: Card) -> tuple[Colour | None, bool]:
    """The colour to name with the card, and whether it has been named on the display already."""
    hand = people.hands[who]
    announced, people.announced = people.announced, None
    if announced is not None and announced[:2] == (who, card):
        return announced[2], True
    if (
        card.kind in (Kind.WILD, Kind.WILD_DRAW_FOUR)
        and len(hand) > 1
        and people.rng.random() < 0.8
    ):
        return choosing.favourite_colour(hand, people.rng), False
    return None, False


def _call_uno(people: People, who: str) -> Wait:
    """After the card: says UNO, if that is due and remembered."""
    rng = people.rng
    if len(people.hands[who]) != 1 or rng.random() >= people.tempers[who].memory:
        return
    yield from people.pause(rng.uniform(0.1, 0.7))
    call = commands.Uno(player=who)
    if not people.interrupted() and people.state.uno_open == who and people.allowed(call):
        people.tap_command(call)


def put_down(
    people: People,
    who: str,
    card: Card,
    tray: Tray,
    colour: Colour | None,
    *,
    extra: Card | None = None,
) -> Wait:
    """The hand touches the tray: from now on it is this player's act (rule T23)."""
    let_go = _place(people, [card] if extra is None else [card, extra], tray, who, "play")
    people.mean(
        commands.Play(
            card=str(card), tray=tray.value, colour=colour.value if colour is not None else UNSET
        )
    )
    people.hands[who].remove(card)
    people.piles[tray].append(card)
    people.laid.put(who, tray, card)
    yield from people.wait(let_go - people.now_s)


def _place(people: People, cards: list[Card], tray: Tray, who: str, act: str) -> float:
    """Puts cards in a tray as this person does it today; when the hand lets go."""
    placing, style = people.habits.placing(people.tempers[who].heavy)
    if style is not None:
        people.witness.note(people.now_s, "adversity", name=style)
    return people.put(tray, cards, placing, who, act)


def _name(people: People, card: Card, colour: Colour | None) -> None:
    people.tap(do="card", card=str(card), colour=colour.value if colour is not None else None)


def draw(people: People) -> Wait:
    """Taps "draw" and takes a card."""
    people.tap_command(commands.Draw())
    yield from people.wait_for_news()
    yield from people.take_what_is_due()


def name_colour(people: People, who: str) -> None:
    """Answers with the colour of a wild that has none yet."""
    colour = choosing.favourite_colour(people.hands[who], people.rng)
    waiting = awaiting_colour(people.state)
    if len(waiting) > 1:
        people.tap_command(commands.NameColour(colour=colour.value, tray=waiting[0].value))
    else:
        people.tap_command(commands.NameColour(colour=colour.value))


def catch_somebody(people: People) -> Wait:
    """Whoever notices a missing UNO catches it, if anybody does."""
    open_ = people.state.uno_open
    if open_ is None:
        return
    for player in people.players:
        if player == open_ or player not in people.simulated:
            continue
        if people.rng.random() < people.tempers[player].watch * 0.5:
            yield from people.wait(people.rng.uniform(0.3, 1.0), heed=True)
            caught = commands.Catch(player=open_, by=player)
            if people.state.uno_open == open_ and people.allowed(caught):
                people.tap_command(caught)
                yield from people.wait_for_news()
                yield from people.take_what_is_due()
            return


def drop(people: People) -> Wait:
    """In a Tilt challenge the next in order draws a card and puts it in the Tilt card's tray."""
    state = people.state
    who, tray = state.turn, state.tray_of_tilt
    if who is None or tray is None or who not in people.simulated:
        yield from people.wait_for_news()
        return
    rng = people.rng
    thought = rng.uniform(0.5, 1.5) * people.tempers[who].pace
    yield from people.wait(people.habits.pause(thought), heed=True, startle=True)
    rash = people.world.tipped and people.habits.rash() is not None
    if not rash:
        yield from _until_upright(people)
    if people.interrupted():
        return
    card = people.draw_card(from_below=False)
    if card is None:
        people.tap_command(commands.Drop())
        yield from people.wait_for_news()
        return
    people.witness.note(people.now_s, "drawn", player=who, count=1)
    people.on_their_way = [card]
    yield from people.wait(rng.uniform(0.1, 0.3) if rash else rng.uniform(0.5, 1.2), heed=True)
    if not rash:
        yield from _until_upright(people)
    people.on_their_way = []
    if people.interrupted():
        people.deck.append(card)
        return
    if rash:
        people.witness.note(people.now_s, "adversity", name="drop_mid_tip")
    yield from _drop_it(people, who, card, tray)


def _drop_it(people: People, who: str, card: Card, tray: Tray) -> Wait:
    let_go = _place(people, [card], tray, who, "drop")
    people.mean(commands.Drop(card=str(card)))
    people.piles[tray].append(card)
    if people.habits.impatient and must_name(people, card):
        _name(people, card, None)
    yield from people.wait(let_go - people.now_s)
    if not people.habits.impatient and must_name(people, card):
        yield from people.wait(people.rng.uniform(0.15, 1.4))
        _name(people, card, None)
