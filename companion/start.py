"""The first thing that runs when somebody types `tippo`: Ctrl-C is quiet from here on.

It never does anything else; see `companion.cli`.
"""

import signal


def main() -> None:
    """Runs `tippo` and exits."""
    # While the command is loaded it holds nothing that must be freed: the system may end it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from companion.cli import main as run

    run()
