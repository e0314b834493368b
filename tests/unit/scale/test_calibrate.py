"""The calibration learns what is true of a scale, or refuses in a sentence that says why."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.events import FaultKind, Reading, Sample, Sensor, SensorFault
from companion.scale.calibrate import Load, Procedure, Step
from companion.scale.levels import Refusal, Trouble
from companion.units import COUNTS_MAX, Counts, MonoSeconds, Tray

CARD_G = 1.75
LOAD_G = 20 * CARD_G


@dataclass
class Bench:
    """Two cells as they really are, and readings of three seconds of them."""

    counts_per_gram: dict[Tray, float] = field(
        default_factory=lambda: {Tray.LEFT: 2140.5, Tray.RIGHT: 2098.0}
    )
    zero: dict[Tray, float] = field(
        default_factory=lambda: {Tray.LEFT: 83_211.0, Tray.RIGHT: -40_122.0}
    )
    noise: float = 95.0
    drift: float = 0.0
    """Counts a second."""
    swapped: bool = False
    rests_closed: bool = False
    deck: bool = False
    """A third cell: 1050 counts a gram, mounted upside down."""
    rng: random.Random = field(default_factory=lambda: random.Random(5))

    def read(
        self,
        left_g: float = 0.0,
        right_g: float = 0.0,
        tilts: Sequence[bool] = (False,),
        deck_g: float = 0.0,
    ) -> list[Reading]:
        """``tilts`` one after another, evenly over the three seconds."""
        grams = {Tray.LEFT: left_g, Tray.RIGHT: right_g}
        if self.swapped:
            grams = {Tray.LEFT: right_g, Tray.RIGHT: left_g}
        readings: list[Reading] = []
        for number in range(250):
            t = number / 83.0
            counts = {tray: self._counts(tray, grams[tray], t) for tray in Tray}
            readings.append(
                Sample(
                    mono_s=MonoSeconds(t),
                    tilt=tilts[number * len(tilts) // 250] is not self.rests_closed,
                    left=counts[Tray.LEFT],
                    right=counts[Tray.RIGHT],
                    deck=self._deck_counts(deck_g) if self.deck else None,
                )
            )
        return readings

    def _deck_counts(self, grams: float) -> Counts:
        return Counts(round(7_000 - 1050.0 * grams + self.rng.gauss(0.0, self.noise)))

    def _counts(self, tray: Tray, grams: float, t: float) -> Counts:
        true = self.zero[tray] + grams * self.counts_per_gram[tray] + self.drift * t
        return Counts(round(true + self.rng.gauss(0.0, self.noise)))

    def tip(self) -> list[Reading]:
        return self.read(tilts=[False, True, True, False])


LOADS = {
    Step.EMPTY: (0.0, 0.0),
    Step.COIN_LEFT: (7.5, 0.0),
    Step.COIN_RIGHT: (0.0, 7.5),
    Step.CARDS_LEFT: (1.0, 0.0),
    Step.CARDS_RIGHT: (0.0, 1.0),
    Step.AGAIN: (1.0, 0.0),
}
"""In coins of grams, or in loads of cards."""


def do(step: Step, bench: Bench, cards_g: float = LOAD_G) -> list[Reading]:
    """What is read after people did exactly what was asked."""
    if step is Step.TIP:
        return bench.tip()
    unit = 1.0 if step in (Step.COIN_LEFT, Step.COIN_RIGHT) else cards_g
    if step is Step.DECK:
        return bench.read(deck_g=cards_g)
    left, right = LOADS[step]
    return bench.read(left * unit, right * unit)


def run(procedure: Procedure, bench: Bench, cards_g: float = LOAD_G) -> Refusal | None:
    """The rest of the procedure; the first refusal, if there is one."""
    while procedure.step is not Step.DONE:
        refusal = procedure.weigh(do(procedure.step, bench, cards_g))
        if refusal is not None:
            return refusal
    return None


def at(step: Step) -> Procedure:
    """A procedure that has come as far as ``step`` on a healthy scale."""
    procedure, healthy = Procedure(), Bench()
    while procedure.step is not step:
        assert procedure.weigh(do(procedure.step, healthy)) is None
    return procedure


def test_with_twenty_cards_it_learns_sign_zero_and_counts_a_gram() -> None:
    bench, procedure = Bench(), Procedure()
    assert run(procedure, bench) is None
    found = procedure.learned.calibration
    for tray in Tray:
        cell = found.tray(tray)
        assert cell.zero == pytest.approx(bench.zero[tray], abs=60)
        assert cell.counts_per_gram == pytest.approx(bench.counts_per_gram[tray], rel=0.005)
    assert found.card_g == CARD_G
    assert found.tilt_switch is True


def test_with_a_coin_it_learns_what_a_card_weighs() -> None:
    procedure = Procedure(Load(cards=20, coin_g=7.5))
    assert run(procedure, Bench(), cards_g=20 * 1.93) is None
    found = procedure.learned.calibration
    assert found.card_g == pytest.approx(1.93, rel=0.01)
    assert found.left.counts_per_gram == pytest.approx(2140.5, rel=0.01)


@pytest.mark.parametrize("closed", [False, True])
def test_the_switchs_resting_polarity_is_learned(closed: bool) -> None:
    procedure = Procedure()
    assert run(procedure, Bench(rests_closed=closed)) is None
    assert procedure.learned.tilt_rests_closed is closed


def test_without_a_switch_nobody_has_to_tip() -> None:
    procedure = Procedure(tilt_fitted=False)
    assert procedure.step is Step.EMPTY
    assert run(procedure, Bench()) is None
    assert procedure.learned.calibration.tilt_switch is False


def test_a_cell_mounted_upside_down_is_taken_when_it_is_said() -> None:
    bench = Bench(counts_per_gram={Tray.LEFT: -2140.5, Tray.RIGHT: 2098.0})
    procedure = Procedure(upside_down=True)
    assert run(procedure, bench) is None
    assert procedure.learned.calibration.left.counts_per_gram == pytest.approx(-2140.5, rel=0.005)


def test_a_cell_under_the_draw_pile_is_learned_with_the_others() -> None:
    procedure = Procedure()
    assert run(procedure, Bench(deck=True)) is None
    deck = procedure.learned.calibration.deck
    assert deck is not None
    assert deck.zero == pytest.approx(7_000, abs=60)
    assert deck.counts_per_gram == pytest.approx(-1050.0, rel=0.01)


def test_a_draw_pile_that_was_not_put_down_is_noticed() -> None:
    procedure, bench = Procedure(), Bench(deck=True)
    while procedure.step is not Step.DECK:
        assert procedure.weigh(do(procedure.step, bench)) is None
    refusal = procedure.weigh(bench.read())
    assert refusal is not None
    assert "draw pile's cell has hardly felt" in refusal.sentence
    assert procedure.step is Step.DECK


@pytest.mark.parametrize("step", [Step.EMPTY, Step.CARDS_LEFT, Step.CARDS_RIGHT, Step.AGAIN])
def test_a_refused_weighing_may_be_repeated(step: Step) -> None:
    procedure = at(step)
    refusal = procedure.weigh([])
    assert refusal is not None
    assert refusal.trouble is Trouble.NO_READINGS
    assert procedure.step is step
    assert run(procedure, Bench()) is None


def test_a_trouble_that_wants_a_screwdriver_begins_anew() -> None:
    procedure = at(Step.CARDS_LEFT)
    assert procedure.weigh(Bench(swapped=True).read(LOAD_G)) is not None
    assert procedure.step is Step.EMPTY
    assert run(procedure, Bench()) is None


def test_what_was_not_finished_has_learned_nothing() -> None:
    with pytest.raises(ValueError, match="not finished"):
        _ = Procedure().learned


def test_every_step_asks_for_something_that_people_can_do() -> None:
    procedure = Procedure(Load(coin_g=7.5))
    asked = [procedure.asks]
    while procedure.step is not Step.DONE:
        assert procedure.weigh(do(procedure.step, Bench(deck=True))) is None
        asked.append(procedure.asks)
    assert len(set(asked)) == len(Step)
    assert all(sentence.endswith(".") for sentence in asked)


# --- every refusal -----------------------------------------------------------------------------


def refused(step: Step, readings: list[Reading], trouble: Trouble, *words: str) -> None:
    refusal = at(step).weigh(readings)
    assert refusal is not None
    assert refusal.trouble is trouble
    for word in words:
        assert word in refusal.sentence
    assert not refusal.sentence.endswith(".")


def test_no_readings_names_the_cell() -> None:
    half = [
        Sample(mono_s=r.mono_s, left=r.left, tilt=False)
        for r in Bench().read()
        if isinstance(r, Sample)
    ]
    refused(Step.EMPTY, list(half), Trouble.NO_READINGS, "the right cell gives no", "cables")


def test_a_saturated_cell_is_refused_by_its_faults() -> None:
    readings = Bench().read()
    readings[100] = SensorFault(
        mono_s=MonoSeconds(1.0), sensor=Sensor.LEFT, kind=FaultKind.SATURATED, detail=""
    )
    refused(Step.EMPTY, readings, Trouble.SATURATED, "left cell", "end of its range", "wires")


def test_a_saturated_cell_is_refused_by_its_values() -> None:
    bench = Bench(zero={Tray.LEFT: 83_000.0, Tray.RIGHT: float(COUNTS_MAX)}, noise=0.0)
    refused(Step.EMPTY, bench.read(), Trouble.SATURATED, "right cell")


def test_a_cell_that_moves_is_not_at_rest() -> None:
    refused(Step.EMPTY, Bench(drift=900.0).read(), Trouble.NOT_AT_REST, "not at rest", "hands off")


def test_a_scale_that_tilts_while_it_is_weighed_is_not_at_rest() -> None:
    readings = Bench().read(tilts=[False, False, True, False])
    refused(Step.EMPTY, readings, Trouble.NOT_AT_REST, "tilted while it was weighed")


def test_a_switch_that_says_nothing_is_named() -> None:
    refused(Step.TIP, Bench().read(), Trouble.NO_TILT, "two wires", "none is fitted")


def test_a_scale_that_is_not_set_level_again_is_named() -> None:
    readings = Bench().read(tilts=[False, True])
    refused(Step.TIP, readings, Trouble.NOT_AT_REST, "set the scale level")


def test_a_load_that_nobody_feels_is_no_difference() -> None:
    refused(Step.CARDS_LEFT, Bench().read(), Trouble.NO_DIFFERENCE, "left tray", "rest on its load")


def test_a_load_that_hardly_stands_out_is_too_small() -> None:
    refused(Step.CARDS_LEFT, Bench().read(1.9), Trouble.LOAD_TOO_SMALL, "too small", "more cards")


def test_a_load_that_the_other_cell_feels_means_swapped_trays() -> None:
    readings = Bench(swapped=True).read(LOAD_G)
    refused(Step.CARDS_LEFT, readings, Trouble.SWAPPED, "the right cell has felt", "swap")


def test_a_cell_that_counts_down_is_refused_unless_it_is_said() -> None:
    bench = Bench(counts_per_gram={Tray.LEFT: 2140.5, Tray.RIGHT: -2098.0})
    words = ("the right cell counts down", "white and green", "take it as it is")
    refused(Step.CARDS_RIGHT, bench.read(0.0, LOAD_G), Trouble.WRONG_SIGN, *words)


def test_a_cell_in_whose_noise_a_card_drowns_is_refused() -> None:
    """A 5 kg cell on a bad supply."""
    bench = Bench(counts_per_gram=dict.fromkeys(Tray, 300.0))
    words = ("too noisy for cards", "1 kg or 500 g")
    refused(Step.CARDS_LEFT, bench.read(LOAD_G), Trouble.NOISY, *words)


def test_cards_that_were_left_behind_are_noticed() -> None:
    readings = Bench().read(2 * CARD_G, 18 * CARD_G)
    refused(Step.CARDS_RIGHT, readings, Trouble.NOT_EMPTIED, "off by +2.0", "move all")


@pytest.mark.parametrize("grams", [(19 * CARD_G, 0.0), (LOAD_G, CARD_G)])
def test_a_check_that_finds_something_else_fails(grams: tuple[float, float]) -> None:
    refused(Step.AGAIN, Bench().read(*grams), Trouble.VERIFICATION, "the check failed", "tighten")


def test_every_trouble_is_produced_here() -> None:
    """A trouble that no test produces is a sentence that nobody has read."""
    text = Path(__file__).read_text()
    assert [trouble for trouble in Trouble if f"Trouble.{trouble.name}," not in text] == []


@pytest.mark.parametrize(
    ("step", "left_g", "right_g", "sentence"),
    [
        (Step.CARDS_RIGHT, LOAD_G, 0.0, "still lies in the left tray: move all of it to the right"),
        (Step.AGAIN, 0.0, LOAD_G, "still lies in the right tray: move all of it to the left"),
    ],
)
def test_cards_that_nobody_has_moved_are_no_swapped_plugs(
    step: Step, left_g: float, right_g: float, sentence: str
) -> None:
    bench, procedure = Bench(), at(step)
    refusal = procedure.weigh(bench.read(left_g, right_g))
    assert refusal is not None
    assert refusal.trouble is Trouble.NOT_EMPTIED
    assert sentence in refusal.sentence
    assert procedure.step is step, "only this weighing is repeated"


def test_a_coin_left_in_its_tray_is_no_swapped_plug() -> None:
    bench, procedure = Bench(), Procedure(Load(cards=20, coin_g=7.5))
    while procedure.step is not Step.CARDS_LEFT:
        assert procedure.weigh(do(procedure.step, bench)) is None
    refusal = procedure.weigh(bench.read(0.0, 7.5))
    assert refusal is not None
    assert refusal.trouble is Trouble.NOT_EMPTIED


@pytest.mark.parametrize("trouble", list(Trouble))
def test_only_a_missing_switch_and_a_cell_that_counts_down_are_taken_as_they_are(
    trouble: Trouble,
) -> None:
    procedure = Procedure()
    if trouble in (Trouble.NO_TILT, Trouble.WRONG_SIGN):
        procedure.accept(trouble)
        assert procedure.step is Step.EMPTY
    else:
        with pytest.raises(ValueError, match="has to be mended"):
            procedure.accept(trouble)
