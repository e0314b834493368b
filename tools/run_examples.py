"""Runs the examples of a document: each `$ command` must print what stands below it.

It never edits the document. `...` in the expected output stands for anything; a line that begins
with `#` in a block says what follows and is skipped. Commands run in a new empty folder, with the
`tippo` of the Python that runs this.
"""

import doctest
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

_BLOCK = re.compile(r"^```console\n(.*?)^```", re.M | re.S)


def examples(text: str) -> Iterator[tuple[str, str]]:
    """Each command with the output that the document promises."""
    for block in _BLOCK.finditer(text):
        command: str | None = None
        wanted: list[str] = []
        for line in block[1].splitlines():
            if line.startswith("$ "):
                if command is not None:
                    yield command, "\n".join(wanted)
                command, wanted = line[2:], []
            elif not line.startswith("#"):
                wanted.append(line)
        if command is not None:
            yield command, "\n".join(wanted)


def main(paths: list[str]) -> int:
    """Runs every example; 0 if all printed what they promise."""
    checker = doctest.OutputChecker()
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed = count = 0
    tippo = Path(sys.executable).parent
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            for command, wanted in examples(Path(path).read_text(encoding="utf-8")):
                count += 1
                done = subprocess.run(  # noqa: S602  (the shell is what the reader types into)
                    command,
                    shell=True,
                    cwd=folder,
                    env={"PATH": f"{tippo}:/usr/bin:/bin", "HOME": folder, "COLUMNS": "100"},
                    capture_output=True,
                    text=True,
                    check=False,
                )
                found = (done.stdout + done.stderr).strip()
                if not checker.check_output(wanted.strip() + "\n", found + "\n", options):
                    failed += 1
                    print(f"{path}: $ {command}\nwanted:\n{wanted}\nfound:\n{found}\n")  # noqa: T201  (its report)
    print(f"{count - failed} of {count} examples hold")  # noqa: T201  (its report)
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
