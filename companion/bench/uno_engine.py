"""The npm package uno-engine as a peer of the referee: steps a second, where Node is there.

It never installs anything: `npm ci --prefix tests/node` does.
"""

import json
import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "tests" / "node"
MISSING = (
    "uno-engine was not measured: it needs Node and, in the repository, "
    "`npm ci --prefix tests/node`."
)


def steps_a_second(seconds: float) -> float | None:
    """Random play in uno-engine 2.0.3, by the processor's own time; None where it is missing."""
    node = shutil.which("node")
    if node is None or not (FOLDER / "node_modules" / "uno-engine").is_dir():
        return None
    done = subprocess.run(  # noqa: S603  (our own script)
        [node, str(FOLDER / "uno_engine.mjs"), str(seconds)],
        check=False,
        capture_output=True,
        text=True,
        timeout=60 + 10 * seconds,
    )
    if done.returncode:
        return None
    counted = json.loads(done.stdout)
    return float(counted["steps"]) / float(counted["seconds"])
