"""Scripts around play: dealing, setting the scale up again, counting hands, the evening itself.

They never decide who pays: people look that up like everybody else.
"""

from companion.games import commands
from companion.games.cards import Card, parse
from companion.games.commands import Deal
from companion.games.referee import Phase
from companion.units import Tray
from sim import playing
from sim.hands import Placing
from sim.people import People, Wait


def evening(people: People) -> Wait:
    """Rounds until somebody has won or they have had enough."""
    while not people.knowing:
        yield people.now_s + 0.1
    while True:
        yield from people.take_what_is_due()
        if people.interrupted():
            yield from reset(people)
            continue
        if people.slid:
            yield from put_back(people)
        match people.state.phase:
            case Phase.SETUP:
                if people.rounds is not None and people.state.round > people.rounds:
                    break
                yield from deal(people, first=people.state.round == 1)
            case Phase.PLAY | Phase.DRAWN:
                yield from playing.take_turn(people)
            case Phase.TILT:
                yield from playing.drop(people)
            case Phase.GOING_OUT:
                yield from watch_it_settle(people)
            case Phase.HANDS:
                yield from count_hands(people)
            case Phase.SPILLED:
                yield from reset(people)
            case Phase.GAME_OVER:
                break
    yield from people.wait(3.0)


def deals_of_persons(people: People) -> Wait:
    """Nobody is simulated: the trays alone follow what persons say that they have dealt."""
    while True:
        while not _undealt(people):
            yield people.now_s + 0.1
        while _undealt(people):
            yield people.now_s + 0.1
        people.spilled = False
        people.piles = {tray: list(people.state.tray(tray).pile) for tray in Tray}
        if any(len(people.world.names(tray)) != 1 for tray in Tray):
            yield from _clear(people)
            yield from _turn_up(people)


def _undealt(people: People) -> bool:
    return people.knowing and people.state.phase is Phase.SETUP


def sit_down(people: People) -> None:
    """Before time begins: the hands are dealt and two cards lie in the trays."""
    left, right = _deal_cards(people)
    people.world.lay_out({tray: [str(card) for card in people.piles[tray]] for tray in Tray})
    people.first_deal = Deal(left=str(left), right=str(right))


def _deal_cards(people: People) -> tuple[Card, Card]:
    people.shuffle()
    for _ in range(7):
        for player in people.players:
            people.hands[player].append(people.deck.pop())
    left, right = people.deck.pop(), people.deck.pop()
    people.piles = {Tray.LEFT: [left], Tray.RIGHT: [right]}
    people.world.weigh_deck(len(people.deck))
    return left, right


def deal(people: People, *, first: bool) -> Wait:
    """Clears the trays, shuffles, deals, turns two cards up; the first time all this is done."""
    if first:
        people.mean(people.first_deal)
        yield from people.wait_for_news()
        yield from people.wait(people.rng.uniform(2.0, 4.0))
        return
    yield from people.wait(people.rng.uniform(1.0, 3.0))
    yield from _clear(people)
    left, right = _deal_cards(people)
    yield from people.wait(people.rng.uniform(3.0, 6.0))
    yield from _turn_up(people)
    yield from people.wait_for_calm(1.6)
    if not people.interrupted():
        people.tap_command(Deal(left=str(left), right=str(right)))
        yield from people.wait_for_news()


def _clear(people: People) -> Wait:
    """All cards are taken out of the trays of a scale that is held fast."""
    hold = people.world.grasp()
    yield from people.wait(people.rng.uniform(0.6, 1.0))
    for tray in Tray:
        people.take_all(tray, "deal")
        yield from people.wait(people.rng.uniform(0.6, 1.2))
    people.world.let_go(hold)


def _turn_up(people: People) -> Wait:
    """The start cards are put down, one after the other."""
    for tray in Tray:
        card = people.piles[tray][-1]
        off = people.put(tray, [card], Placing.ordinary(people.rng), None, "deal")
        yield from people.wait(off - people.now_s + people.rng.uniform(0.8, 1.6), heed=True)


def reset(people: People) -> Wait:
    """After a spill: waits till all has fallen, stands the scale up, puts two cards a pile back."""
    rng = people.rng
    patience = rng.uniform(1.2, 2.5)
    while people.now_s < people.last_fall_s + patience + (4.0 if people.world.sliding else 0.0):
        yield people.now_s + 0.1
    in_round = people.state.phase is Phase.SPILLED
    hold = people.world.grasp()
    yield from people.wait(rng.uniform(0.7, 1.2))
    for tray in Tray:
        want = [str(card) for card in people.piles[tray][-2:]] if in_round else []
        if list(people.world.names(tray)) != want:
            people.take_all(tray, "reset")
            yield from people.wait(rng.uniform(0.5, 1.0))
    people.world.let_go(hold)
    yield from people.wait(rng.uniform(0.4, 0.8))
    for tray in Tray:
        if in_round:
            yield from _put_top_two_back(people, tray)
        else:
            people.aside += people.piles[tray]
            people.piles[tray] = []
    people.slid = []
    people.laid.clear()
    people.fallen = dict.fromkeys(Tray, 0)
    yield from _rest_a_second(people)
    people.spilled = False
    if in_round:
        people.mean(commands.Reset())
    yield from people.wait_for_news()
    yield from people.wait(rng.uniform(0.6, 2.0))


def _put_top_two_back(people: People, tray: Tray) -> Wait:
    pile, rng = people.piles[tray], people.rng
    people.aside += pile[:-2]
    people.piles[tray] = back = pile[-2:]
    if list(people.world.names(tray)) == [str(card) for card in back]:
        return
    together = rng.random() < 0.5
    for cards in [back] if together else [[card] for card in back]:
        off = people.put(tray, cards, Placing.ordinary(rng), None, "reset")
        yield from people.wait(off - people.now_s + rng.uniform(0.7, 1.3))


def _rest_a_second(people: People) -> Wait:
    """Rests for the second after which everybody may see that the scale stands."""
    since = people.now_s
    give_up = since + 20.0
    while people.now_s < since + 1.0 and people.now_s < give_up:
        if not (people.world.quiet and people.world.level):
            since = people.now_s
        yield people.now_s + 0.02
    counts = {tray.value: len(people.world.names(tray)) for tray in Tray}
    people.witness.note(since, "level", **counts)


def put_back(people: People) -> Wait:
    """A card that slid off a level scale goes back, and nobody pays (rule T25)."""
    slid, people.slid = people.slid, []
    for tray, name in slid:
        yield from people.wait(people.rng.uniform(0.8, 1.5), heed=True)
        if people.interrupted():
            return
        placing = Placing.ordinary(people.rng)
        off = people.put(tray, [parse(name)], placing, None, "back")
        yield from people.wait(off - people.now_s + 0.8, heed=True)


def watch_it_settle(people: People) -> Wait:
    """After a last card nobody touches anything until the scale has rested long enough."""
    options = people.start.options
    settle = int(options.get("settle_seconds", 5)) if isinstance(options, dict) else 5
    yield from people.wait_for_calm(float(settle))
    if people.interrupted():
        return
    people.mean(commands.Settled())
    yield from people.wait_for_news()
    yield from people.wait(people.rng.uniform(1.5, 3.0), heed=True)


def count_hands(people: People) -> Wait:
    """The losers show what they have left, and the table enters it."""
    yield from people.wait(people.rng.uniform(2.0, 5.0), heed=True)
    ended = people.state
    if people.interrupted() or ended.phase is not Phase.HANDS:
        return
    left_over = {
        player: tuple(str(card) for card in people.hands.get(player, ()))
        for player in ended.players
        if player != ended.out
    }
    if people.alone:
        people.tap_command(commands.Hands(hands=left_over))
    else:
        # What a person holds may differ from what the display has been told of it.
        people.tap_command(commands.Hands(hands=left_over, force=True))
        yield from people.wait_for_news()
    over = people.state.phase is Phase.GAME_OVER
    scores = dict(people.state.scores)
    winner = max(scores, key=scores.__getitem__) if over else None
    people.witness.note(people.now_s, "scores", round=ended.round, scores=scores, winner=winner)
