"""The command `tippo`: reads the arguments, wires the rooms together, turns errors into sentences.

It never decides anything itself. It is the only module that names `hardware` or `sim`; every
command imports what it needs when it runs, so that `tippo --help` is there at once.
"""

import sys
from collections.abc import Sequence

import click

from companion.errors import TippoError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tippo-companion", prog_name="tippo")
def tippo() -> None:
    """The companion of a UNO Tippo table."""


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
