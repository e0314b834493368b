"""Steps run beside each other on threads of their own, and none runs after they were stopped."""

import threading

from hardware.tasks import Threads


def test_a_slow_step_does_not_hold_up_another() -> None:
    threads, fast = Threads(), [0]
    hold, enough = threading.Event(), threading.Event()

    def slow() -> float:
        hold.wait(5.0)
        return 0.0

    def quick() -> float:
        fast[0] += 1
        if fast[0] == 20:
            enough.set()
        return 0.001

    threads.start("slow", slow)
    threads.start("quick", quick)
    assert enough.wait(5.0)
    hold.set()
    threads.stop()


def test_stopped_no_step_runs_any_more_and_new_ones_may_start() -> None:
    threads, ran = Threads(), threading.Semaphore(0)

    def step() -> float:
        ran.release()
        return 0.0005

    threads.start("one", step)
    assert all(ran.acquire(timeout=5.0) for _ in range(3))
    threads.stop()
    while ran.acquire(blocking=False):
        """Those that ran before."""
    threads.start("again", step)
    assert all(ran.acquire(timeout=5.0) for _ in range(3))
    threads.stop()
    assert not [t for t in threading.enumerate() if t.name.startswith("tippo")]
