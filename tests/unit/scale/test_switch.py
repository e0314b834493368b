"""The tilt switch's past is in order, however its bounce falls between the rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.scale.switch import TiltSwitch

ROWS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.0125, 0.05, 0.06, 0.1, 0.12, 1.0]), st.booleans()),
    max_size=60,
)


@given(ROWS)
def test_each_opening_began_after_its_closing_and_each_closing_after_the_opening_before(
    made: list[tuple[float, bool]],
) -> None:
    """Rows may be so far apart that it has closed, or opened, for good from one to the next."""
    switch, now_s, last_s = TiltSwitch(), 0.0, 0.0
    switch.take(now_s, False)
    for passed_s, raw in made:
        before, now_s = switch.closed, now_s + passed_s
        turned = switch.take(now_s, raw)
        assert turned is (switch.closed is not before)
        if turned:
            began_s = switch.closed_at_s if switch.closed else switch.opened_at_s
            assert last_s <= began_s <= now_s
            last_s = began_s


@pytest.mark.parametrize("closed_s", [0.06, 0.1, 0.3])
def test_rows_in_between_tell_nothing_new(closed_s: float) -> None:
    """It closes, opens and closes again: when each began does not hang on the rows beside."""
    pasts = []
    for parts in (1, 7):
        switch, past = TiltSwitch(), []
        switch.take(0.0, False)
        edges = [(1.0, True), (1.0 + closed_s, False), (2.0, True), (3.0, False), (4.0, False)]
        from_s, said = 0.0, False
        for at_s, raw in edges:
            for part in range(1, parts):
                switch.take(from_s + (at_s - from_s) * part / parts, said)
            switch.take(at_s, raw)
            past.append((switch.closed_at_s, switch.opened_at_s))
            from_s, said = at_s, raw
        pasts.append(past)
    assert pasts[0] == pasts[1]
    assert pasts[0][-1] == (2.0, 3.0)
