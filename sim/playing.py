"""Scripts of play: a turn, a call, a drop in a Tilt challenge; as people do them, with pauses.

They never make a move that the rules refuse: what people believe is asked first.
"""

from msgspec import UNSET

from companion.games import commands
from companion.games.cards import Card, Colour, Kind
from companion.games.referee import Phase
from companion.games.tippo.legality import awaiting_colour
from companion.units import Tray
from sim import choosing
from sim.hands import Placing
from sim.people import People, Wait


def take_turn(people: People) -> Wait:
    """What happens between two turns and whatever the player on turn does next."""
    state = people.state
    who = state.turn
    if who is None or who not in people.simulated:
        yield from people.wait_for_news()
        return
    pace = people.tempers[who].pace
    if state.needs == "colour":
        yield from people.wait(people.rng.uniform(0.5, 1.5) * pace, heed=True)
        if not people.interrupted():
            name_colour(people, who)
            yield from people.wait_for_news()
        return
    yield from catch_somebody(people)
    if state.phase is Phase.DRAWN:
        yield from people.wait(people.rng.uniform(0.4, 1.2) * pace, heed=True)
    else:
        yield from people.wait(people.rng.uniform(0.8, 3.5) * pace, heed=True)
    yield from _until_upright(people)
    if people.interrupted() or people.state.turn != who:
        return
    choice = _choice(people, who)
    if choice is not None:
        yield from play(people, who, *choice)
    elif state.phase is Phase.DRAWN:
        people.tap_command(commands.Pass())
        yield from people.wait_for_news()
    else:
        yield from draw(people)


def _until_upright(people: People) -> Wait:
    """Nobody puts a card on a scale that is tipping."""
    give_up = people.now_s + 6.0
    while people.world.tipped and not people.interrupted():
        if people.now_s > give_up:
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


def play(people: People, who: str, card: Card, tray: Tray) -> Wait:
    """Puts the card in the tray and names it, before or after; calls UNO, or forgets to."""
    rng, hand = people.rng, people.hands[who]
    last = len(hand) == 1
    colour: Colour | None = None
    if card.kind in (Kind.WILD, Kind.WILD_DRAW_FOUR) and not last and rng.random() < 0.8:
        colour = choosing.favourite_colour(hand, rng)
    announced, people.announced = people.announced, None
    early = announced is not None and announced[:2] == (who, card)
    if early and announced is not None:
        colour = announced[2]
    called = len(hand) == 2 and rng.random() < 0.4 * people.tempers[who].memory
    if called and people.allowed(commands.Uno(player=who)):
        people.tap_command(commands.Uno(player=who))
        yield from people.wait(rng.uniform(0.2, 0.6), heed=True)
    if not early and must_name(people, card) and rng.random() < 0.2:
        early = True
        _name(people, card, colour)
    yield from people.wait(rng.uniform(0.3, 0.9), heed=True)
    yield from _until_upright(people)
    if people.interrupted():
        people.announced = (who, card, colour) if early else None
        return
    yield from put_down(people, who, card, tray, colour)
    if not early and must_name(people, card):
        yield from people.wait(rng.uniform(0.15, 1.4))
        _name(people, card, colour)
    yield from people.acknowledged()
    if len(hand) == 1 and not called and rng.random() < people.tempers[who].memory:
        yield from people.wait(rng.uniform(0.1, 0.7), heed=True)
        call = commands.Uno(player=who)
        if not people.interrupted() and people.state.uno_open == who and people.allowed(call):
            people.tap_command(call)
    yield from people.wait(rng.uniform(0.2, 0.8), heed=True)


def put_down(people: People, who: str, card: Card, tray: Tray, colour: Colour | None) -> Wait:
    """The hand touches the tray: from now on it is this player's act (rule T23)."""
    placing = Placing.ordinary(people.rng, people.tempers[who].heavy)
    let_go = people.put(tray, [card], placing, who, "play")
    people.mean(
        commands.Play(
            card=str(card), tray=tray.value, colour=colour.value if colour is not None else UNSET
        )
    )
    people.hands[who].remove(card)
    people.piles[tray].append(card)
    people.unregistered = who
    yield from people.wait(let_go - people.now_s)


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
    for player in people.start.players:
        if player == open_ or player not in people.simulated:
            continue
        if people.rng.random() < people.tempers[player].watch * 0.5:
            yield from people.wait(people.rng.uniform(0.3, 1.0), heed=True)
            caught = commands.Catch(player=open_, by=player)
            if (
                not people.interrupted()
                and people.state.uno_open == open_
                and people.allowed(caught)
            ):
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
    yield from people.wait(rng.uniform(0.5, 1.5) * people.tempers[who].pace, heed=True)
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
    yield from people.wait(rng.uniform(0.5, 1.2), heed=True)
    people.on_their_way = []
    if people.interrupted():
        people.deck.append(card)
        return
    placing = Placing.ordinary(rng, people.tempers[who].heavy)
    let_go = people.put(tray, [card], placing, who, "drop")
    people.mean(commands.Drop(card=str(card)))
    people.piles[tray].append(card)
    yield from people.wait(let_go - people.now_s)
    if must_name(people, card):
        yield from people.wait(rng.uniform(0.15, 1.4))
        _name(people, card, None)
    yield from people.acknowledged()
