"""Steps run beside each other on threads of their own, and none runs after they were stopped."""

import threading
import time

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
    threads, count = Threads(), [0]

    def step() -> float:
        count[0] += 1
        return 0.0005

    threads.start("one", step)
    while count[0] < 3:
        time.sleep(0.001)  # the threads run in real time
    threads.stop()
    stopped_at = count[0]
    threads.start("again", step)
    while count[0] < stopped_at + 3:
        time.sleep(0.001)
    threads.stop()
    assert not [t for t in threading.enumerate() if t.name.startswith("tippo")]
