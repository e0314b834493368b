"""People at the simulated table: legal, seeded, with a truth that the referee agrees with."""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest

from companion.errors import Refused
from companion.events import Sample
from companion.games import commands, rulings
from companion.games.cards import UNKNOWN, Kind, parse
from companion.games.decks import tippo_deck
from companion.games.game import Game
from companion.games.referee import Phase, Refusal
from companion.games.tippo.state import TippoState
from companion.units import Tray
from sim.party import NAMES, Party, Plan, Tap
from sim.recording import record
from sim.witness import Line


@cache
def evening(seed: int, players: int, *, mode: str = "full", seconds: float = 3600.0) -> Party:
    """A round, or the beginning of one; nobody changes it any more, so that tests may share it."""
    party = Party(Plan(seed=seed, players=NAMES[:players], sps=10, mode=mode, rounds=1))
    while not party.finished and party.now_s < seconds:
        party.advance(party.now_s + 5.0)
        party.readings()
    return party


def referee_told(party: Party) -> Game:
    """A perfect referee that is told every act of the truth."""
    game = Game.begin(party.start)
    assert isinstance(game, Game)
    for line in party.truth():
        if line["truth"] != "act":
            continue
        fields = {key: value for key, value in line.items() if key not in ("t", "truth")}
        outcome = game.apply(msgspec.convert(fields, commands.Command))
        assert not isinstance(outcome, Refusal), (line, outcome)
        game = outcome[0]
    return game


def state_of(game: Game) -> TippoState:
    assert isinstance(game.state, TippoState)
    return game.state


@pytest.mark.parametrize(("seed", "players"), [(26, 2), (17, 5)])
def test_people_never_make_a_refused_command_and_the_referee_counts_the_same(
    seed: int, players: int
) -> None:
    party = evening(seed, players)
    assert party.finished
    state = state_of(referee_told(party))
    scores = [line for line in party.truth() if line["truth"] == "scores"]
    assert scores[-1]["scores"] == state.scores
    assert state.phase in (Phase.SETUP, Phase.GAME_OVER)


def test_ten_people_never_make_a_refused_command_either() -> None:
    assert state_of(referee_told(evening(34, 10, seconds=150.0))).round == 1


@pytest.mark.parametrize("players", [2, 7])
def test_every_card_of_the_box_is_always_somewhere(players: int) -> None:
    party = Party(Plan(seed=29, players=NAMES[:players], sps=10, rounds=1))
    people = party.people
    whole = Counter(tippo_deck())
    while not party.finished and party.now_s < 120.0:
        party.advance(party.now_s + 1.0)
        party.readings()
        cards = [*people.deck, *people.aside, *people.on_their_way]
        cards += [card for hand in people.hands.values() for card in hand]
        cards += [card for pile in people.piles.values() for card in pile]
        assert Counter(cards) == whole


def test_the_payer_of_each_spill_is_the_last_actor_of_a_perfect_referee() -> None:
    spills = 0
    for seed, players in ((26, 2), (35, 2), (17, 5)):
        party = evening(seed, players)
        game = Game.begin(party.start)
        assert isinstance(game, Game)
        payers = [line["payer"] for line in party.truth() if line["truth"] == "spill"]
        ruled = []
        for line in party.truth():
            if line["truth"] == "act":
                fields = {key: value for key, value in line.items() if key not in ("t", "truth")}
                outcome = game.apply(msgspec.convert(fields, commands.Command))
                assert not isinstance(outcome, Refusal)
                game = outcome[0]
                ruled += [by.by for by in outcome[1].rulings if isinstance(by, rulings.Spill)]
        assert ruled == payers
        spills += len(payers)
    assert spills >= 1


@pytest.mark.parametrize("mode", ["full", "quick"])
def test_people_name_what_the_mode_asks_for(mode: str) -> None:
    party = evening(17, 5, mode=mode, seconds=100.0)
    named = [parse(tap["card"]) for tap in party.taps() if tap["do"] == "card"]
    put = [
        parse(line["cards"][0])
        for line in party.truth()
        if line["truth"] == "placed" and line["act"] in ("play", "drop")
    ]
    if mode == "quick":
        put = [card for card in put if card.kind is not Kind.NUMBER]
    assert UNKNOWN not in named
    assert Counter(named) == Counter(put)


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("compress", [False, True])
def test_the_same_seed_gives_the_same_table_to_the_byte(tmp_path: Path, compress: bool) -> None:
    plan = Plan(seed=7, players=NAMES[:3], sps=80, mode="quick")
    for name in ("one", "two"):
        record(plan, tmp_path / name, minutes=0.5, compress=compress)
    assert _files(tmp_path / "one") == _files(tmp_path / "two")
    other = Plan(seed=8, players=NAMES[:3], sps=80, mode="quick")
    record(other, tmp_path / "three", minutes=0.5, compress=compress)
    assert _files(tmp_path / "one") != _files(tmp_path / "three")


def test_how_often_somebody_looks_changes_no_reading_tap_or_truth() -> None:
    def table(slice_s: float) -> tuple[list[Sample], list[Tap], list[Line]]:
        party = Party(Plan(seed=12, sps=10))
        rows: list[Sample] = []
        taps: list[Tap] = []
        for step in range(1, round(80.0 / slice_s) + 1):
            party.advance(step * slice_s)
            rows += party.readings()
            taps += party.taps()
        return [row for row in rows if row.mono_s < 79.0], taps, party.truth()

    assert table(0.016) == table(4.0)


def test_a_recorded_table_has_the_files_and_columns_of_the_format(tmp_path: Path) -> None:
    record(Plan(seed=2, sps=10, deck=True), tmp_path / "table", minutes=0.5)
    folder = tmp_path / "table"
    assert {path.name for path in folder.iterdir()} == {
        "table.toml",
        "samples.csv",
        "taps.jsonl",
        "truth.jsonl",
    }
    rows = (folder / "samples.csv").read_text().splitlines()
    assert rows[0] == "t,left,right,tilt,deck"
    times = [float(row.split(",")[0]) for row in rows[1:]]
    assert times == sorted(times)
    assert all(len(row.split(",")) == 5 for row in rows)
    lines = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)


def test_a_folder_that_holds_something_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("keep me")
    with pytest.raises(Refused, match="not empty"):
        record(Plan(seed=2), tmp_path, minutes=0.1)


def test_trays_hold_what_the_referee_thinks_after_each_spill() -> None:
    levels = 0
    for seed, players in ((26, 2), (35, 2), (17, 5)):
        party = evening(seed, players)
        for line in party.truth():
            if line["truth"] == "level":
                assert 1 <= line[Tray.LEFT] <= 2
                assert 1 <= line[Tray.RIGHT] <= 2
                levels += 1
    assert levels >= 1
