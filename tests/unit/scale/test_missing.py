"""Every loss held against what two trays show on a beam of unknown angle."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.scale.missing import Beam, Hung, explain

CARD_G, TRAY_G = 1.8, 28.0
ANYWHERE = Beam(-0.5, 0.01)


def hung(cards: int, lost: int, degrees: float, off_g: float = 0.0, **more: int) -> Hung:
    """A tray that held `cards`, on a beam at this angle, its weight misread by `off_g`."""
    left_g = TRAY_G + (cards - lost) * CARD_G
    return Hung(
        whole_g=cards * CARD_G,
        gross_g=TRAY_G + cards * CARD_G,
        cards=cards,
        card_g=CARD_G,
        now_g=left_g * math.cos(math.radians(degrees)) - TRAY_G + off_g,
        sigma_g=0.1,
        tray_g=TRAY_G,
        **more,
    )


ANGLES = st.floats(15, 58)
COUNTS = st.integers(0, 12)


@given(COUNTS, COUNTS, ANGLES)
def test_no_angle_of_the_beam_is_a_loss(left: int, right: int, degrees: float) -> None:
    """A tilted beam takes the same share of both weights, whatever lies there."""
    found = explain([hung(left, 0, degrees), hung(right, 0, degrees)], ANYWHERE)
    assert found.lost == (0, 0)
    assert found.gain <= 0


@given(COUNTS, st.integers(2, 12), ANGLES)
def test_cards_lost_from_one_tray_are_missed(left: int, right: int, degrees: float) -> None:
    """No share of both weights explains a tray that alone is lighter; how many more were lost from
    both on a gentler slope is an estimate."""
    found = explain([hung(left, 0, degrees), hung(right, 2, degrees)], ANYWHERE)
    assert found.lost[1] >= 2
    assert found.lost[1] - found.lost[0] <= 3
    assert found.gain > 9


@pytest.mark.parametrize("degrees", [16, 20, 25])
@pytest.mark.parametrize("left", [5, 9, 13])
@pytest.mark.parametrize(("right", "lost"), [(7, 3), (9, 9), (14, 8)])
def test_a_tray_is_innocent_whose_lightness_an_angle_explains_as_well(
    left: int, right: int, lost: int, degrees: float
) -> None:
    """A card more from each of them on a gentler slope, and again one more, weigh the same."""
    found = explain([hung(left, 0, degrees), hung(right, lost, degrees)], ANYWHERE)
    assert found.lost[0] == 0
    assert abs(found.lost[1] - lost) <= 1


@pytest.mark.parametrize("degrees", [15, 20, 30])
@pytest.mark.parametrize(("left", "right"), [(5, 6), (5, 12), (9, 7), (13, 8)])
def test_two_trays_that_were_emptied_are_both_named(left: int, right: int, degrees: float) -> None:
    """Many losses explain them, from the difference of both to all; the fewest are no better."""
    found = explain([hung(left, left, degrees), hung(right, right, degrees)], ANYWHERE)
    assert min(found.lost) > 0
    assert abs(found.lost[0] - found.lost[1]) == abs(left - right)


@given(COUNTS, st.integers(2, 12), ANGLES)
def test_cards_lost_from_a_beam_that_hung_still_are_counted(
    left: int, right: int, degrees: float
) -> None:
    """Where the beam's angle is known, so is the loss."""
    share = math.cos(math.radians(degrees)) - 1
    beam = ANYWHERE._replace(hung=share)
    found = explain([hung(left, 0, degrees), hung(right, 2, degrees)], beam)
    assert found.lost == (0, 2)
    assert found.gain > 9
    assert abs(found.share - share) < 0.02


@given(st.integers(4, 12), st.floats(50, 58))
def test_what_sinks_on_beyond_all_slopes_has_lost_cards(cards: int, degrees: float) -> None:
    """Both trays alike, as by a steeper beam: but down such a slope nothing stays."""
    share = math.cos(math.radians(degrees)) - 1
    trays = [hung(cards, 0, degrees), hung(cards, 0, degrees)]
    assert explain(trays, ANYWHERE).gain <= 0
    found = explain(trays, ANYWHERE._replace(sank=True))
    assert sum(found.lost) >= 2
    assert found.gain > 0
    assert found.share > share


def test_the_same_share_of_both_trays_is_no_evidence_but_beyond_the_stop() -> None:
    """All of both trays gone looks like a steeper beam, unless the beam is known not to be."""
    trays = [hung(5, 5, 35), hung(5, 5, 35)]
    assert explain(trays, ANYWHERE).gain <= 0
    stopped = Beam(math.cos(math.radians(37)) - 1, 0.01)
    found = explain(trays, stopped)
    assert sum(found.lost) >= 8
    assert found.gain > 9


def test_a_card_that_may_have_been_a_hand_is_no_loss() -> None:
    """Doubted cards are missing from the count, not from the tray."""
    trays = [hung(6, 1, 30, doubted=1), hung(4, 0, 30)]
    assert explain(trays, ANYWHERE).gain <= 0
    assert explain([hung(6, 3, 30, doubted=1), hung(4, 0, 30)], ANYWHERE).gain > 9


def test_a_card_that_came_unseen_is_no_loss_of_the_other_tray() -> None:
    """A slow cell shows little of a card that tips the scale as it is put down."""
    trays = [hung(6, -1, 30, unseen=1), hung(6, 0, 30)]
    assert explain(trays, ANYWHERE).gain <= 0
    assert explain([hung(6, -1, 30), hung(6, 0, 30)], ANYWHERE).gain > 0


@pytest.mark.parametrize("off_g", [-0.4, 0.4])
def test_a_tray_weighed_on_a_kitchen_scale_may_be_half_a_gram_off(off_g: float) -> None:
    """What the calibration says of a tray is known no better than that."""
    share = math.cos(math.radians(45)) - 1
    trays = [hung(5, 0, 45, off_g * share), hung(5, 0, 45, -off_g * share)]
    assert explain(trays, ANYWHERE).gain < 7


@given(st.integers(1, 12), st.floats(16, 40))
def test_one_tray_alone_tells_a_dump_but_no_single_card(cards: int, degrees: float) -> None:
    """A lone cell cannot part a loss from an angle."""
    assert explain([hung(cards, 1, degrees)], Beam(-0.5, 0.01, 0.15)).gain < 7
