"""No clock goes backwards, and simulated time keeps its pace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.clock import Clock, ContinuedClock, PacedClock, VirtualClock
from companion.units import MonoSeconds

MOVES = st.lists(st.tuples(st.booleans(), st.floats(-5.0, 5.0)), max_size=20)


@given(MOVES)
def test_a_clock_that_is_moved_never_goes_backwards(moves: list[tuple[bool, float]]) -> None:
    """Whatever is slept, and to whatever moment it is moved on."""
    virtual, paced = VirtualClock(), PacedClock(0)
    for sleeps, seconds in moves:
        before = virtual.mono(), paced.mono()
        if sleeps:
            virtual.sleep(seconds)
            paced.sleep(seconds)
        else:
            virtual.advance_to(MonoSeconds(seconds))
            paced.skip_to(MonoSeconds(seconds))
        assert (virtual.mono(), paced.mono()) >= before
        assert virtual.mono() >= before[0]
        assert paced.mono() >= before[1]


@pytest.mark.parametrize(("speed", "takes_s"), [(1.0, 6.0), (4.0, 1.5), (0.0, 0.0)])
def test_simulated_time_runs_at_its_speed(speed: float, takes_s: float) -> None:
    machine = VirtualClock()
    clock = PacedClock(speed, machine=machine)
    for _ in range(60):
        clock.sleep(0.1)
    assert clock.mono() == pytest.approx(6.0)
    assert machine.mono() == pytest.approx(takes_s)


def test_a_slow_machine_is_not_caught_up_with() -> None:
    """Work that took a second is not followed by a second in which everything rushes."""
    machine = VirtualClock()
    clock = PacedClock(1.0, machine=machine)
    machine.sleep(1.0)
    clock.sleep(0.1)
    assert machine.mono() == pytest.approx(1.0)
    clock.sleep(0.1)
    assert machine.mono() == pytest.approx(1.1)


def test_a_resumed_games_time_goes_on_where_it_was() -> None:
    machine: Clock = VirtualClock(500.0)
    clock = ContinuedClock(90.0, machine)
    assert clock.mono() == 90.0
    clock.sleep(2.0)
    assert (clock.mono(), machine.mono()) == (92.0, 502.0)
    assert clock.wall() == machine.wall()
