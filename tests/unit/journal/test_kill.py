"""A game goes on exactly where it was after `kill -9` at any moment."""

import random
import signal
import subprocess
import sys
from pathlib import Path

from companion.journal.journal import Journal
from companion.table.table import Table
from tests.unit.journal import evening

WRITER = """
import sys
from pathlib import Path
from companion.journal.journal import Journal
from companion.table.table import Table
from tests.unit.journal import evening
while True:
    table = Table()
    with Journal.open(Path(sys.argv[1])) as journal:
        for number, given in enumerate(evening.inputs()):
            step = evening.write(journal, table, given)
            # Shown only now: what has been printed must be in the journal.
            print(number, len(step.outcomes), flush=True)
"""


def test_what_was_shown_before_a_kill_is_in_the_journal(tmp_path: Path) -> None:
    """Killed at random moments, the journal holds every step that had been shown, and a table
    made from it is one that the evening went through."""
    rng = random.Random(5)
    given = list(evening.inputs())
    states = []
    table = Table()
    for one in given:
        table.feed(one)
        states.append(evening.told(table))
    path = tmp_path / "journal.sqlite"
    for _ in range(4):
        shown = _write_and_kill(path, rng.randint(3, 60))
        with Journal.open(path) as journal:
            unfinished = journal.unfinished(simulated=False)
            assert unfinished is not None
            resumed = Table()
            kept = list(journal.inputs(unfinished.number))
            for one in kept:
                resumed.feed(one)
        # At most the step that was under way is more than what was shown. Before its `start` the
        # evening has no game yet: the newest is the one before.
        last = (len(shown) - 1) % len(given)
        possible = [step % len(given) or len(given) - 1 for step in (last, last + 1)]
        assert evening.told(resumed) in [states[step] for step in possible]


def _write_and_kill(path: Path, lines: int) -> list[str]:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    shown = [writer.stdout.readline() for _ in range(lines)]
    writer.send_signal(signal.SIGKILL)
    shown += writer.stdout.readlines()
    writer.stdout.close()
    assert writer.wait() == -signal.SIGKILL
    return [line for line in shown if line.endswith("\n")]
