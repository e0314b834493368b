"""The command `tippo`: reads the arguments, wires the rooms together, turns errors into sentences.

It never decides anything itself. It is the only module that names `hardware` or `sim`; every
command imports what it needs when it runs, so that `tippo --help` is there at once.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import click

from companion.errors import TippoError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tippo-companion", prog_name="tippo")
def tippo() -> None:
    """The companion of a UNO Tippo table."""


@tippo.command()
@click.argument("samples", type=click.Path(path_type=Path))
@click.option(
    "--calibration",
    required=True,
    type=click.Path(path_type=Path),
    help="What counts, grams and cards are on this scale (TOML).",
)
def judge(samples: Path, calibration: Path) -> None:
    """Say what happened on the scale in a trace of its sensors (.csv or .csv.gz)."""
    from companion.scale.calibration import Calibration
    from companion.scale.verdicts import judge_trace

    judge_trace(samples, Calibration.load(calibration), sys.stdout.buffer)


@tippo.command()
@click.argument("file", required=False, type=click.File("rb"), default="-")
@click.option("--strict", is_flag=True, help="Stop at the first refusal and exit with 1.")
def referee(file: BinaryIO, strict: bool) -> None:
    """Answer one JSON command a line, from FILE or standard input."""
    from companion.games.stream import referee_stream

    sys.exit(0 if referee_stream(file, sys.stdout.buffer, strict=strict) else 1)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs `tippo` and exits: 0 done, 1 refused, 2 bad usage or input. Never shows a traceback."""
    try:
        tippo.main(args=None if arguments is None else list(arguments), standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except TippoError as error:
        click.echo(f"tippo: {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


if __name__ == "__main__":
    main()
