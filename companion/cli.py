"""The command `tippo`: reads the arguments, wires the rooms together, turns errors into sentences.

It never decides anything itself. Every command imports what it needs when it runs, so that
`tippo --help` is there at once.
"""

import math
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import click

from companion import streams
from companion.ending import AskedToEnd, leaving_when_asked
from companion.errors import BadInput, TippoError

_Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]


class _Number(click.FloatRange):
    """A number within its bounds; what is no number is within all of them for click."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        found: float = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is no number.", param, ctx)
        return found


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tippo-companion", prog_name="tippo")
def tippo() -> None:
    """The companion of a UNO Tippo table."""


def _together(*decorators: _Decorator) -> _Decorator:
    """Options that belong together, in the order in which `--help` shows them."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorated


_simulated = _together(
    click.option("--people", type=click.IntRange(0, 10), default=0, help="Simulated people (sim)."),
    click.option("--with", "persons", multiple=True, metavar="NAME", help="A person beside them."),
    click.option(
        "--speed", type=_Number(min=0, max=1000), default=1.0, help="0: as fast as it can."
    ),
    click.option("--seed", default=1, help="Of a simulated table."),
    click.option(
        "--sps", type=click.Choice(["10", "80"]), default="80", help="Of a simulated scale."
    ),
    click.option(
        "--rounds", type=click.IntRange(min=0), default=0, help="0: until somebody has won."
    ),
)
_shown = _together(
    click.option("--display/--headless", "display", default=None, help="Default: as one is there."),
    click.option("--size", metavar="WxH", help="Of the window, e.g. 1024x600."),
    click.option("--fullscreen", is_flag=True),
)
_kept = _together(
    click.option("--journal", type=click.Path(path_type=Path, dir_okay=False), help="Its file."),
    click.option("--settings", type=click.Path(path_type=Path, dir_okay=False), help="Their file."),
    click.option("--resume/--new", default=None, help="Go on with an unfinished game, or not."),
)
_played = _together(
    click.option(
        "--board",
        type=click.Choice(["gpio", "pico", "sim", "none"]),
        help="What weighs the trays; `sim` is a simulated table. Default: as in the settings.",
    ),
    _simulated,
    click.option("--game", type=click.Choice(["tippo", "classic", "battle", "rummy_up"])),
    click.option("--mode", type=click.Choice(["full", "quick"]), help="How closely it referees."),
    _shown,
    _kept,
)
"""What `tippo play` and `tippo record` have in common."""


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
    """Referee a game: one JSON command a line in, one JSON answer a line out, at once.

    Reads FILE or standard input; blank lines and lines that begin with # are skipped. A refused
    command changes nothing and the stream goes on.
    """
    from companion.games.stream import referee_stream

    sys.exit(0 if referee_stream(file, sys.stdout.buffer, strict=strict) else 1)


@tippo.command()
@click.argument("rack", nargs=-1, required=True, metavar="TILE...")
@click.option("--meld", "melds", multiple=True, metavar='"R3 R4 R5"', help="One on the board.")
@click.option("--loose", multiple=True, metavar='"B7 W"', help="Face-up tiles not used yet.")
@click.option("--limit", type=click.IntRange(min=1), default=4, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="For other programs.")
def find(
    rack: tuple[str, ...], melds: tuple[str, ...], loose: tuple[str, ...], limit: int, as_json: bool
) -> None:
    """Find what can be played in Rummy Up with the tiles of a rack (R1 to B12, W for a wild)."""
    from companion.games.rummy_up.finder import find_play, told, told_as_json
    from companion.games.rummy_up.typed import read_board, read_tiles

    held = read_tiles(rack)
    found = find_play(read_board(melds, loose, held), held, limit=limit)
    click.echo(told_as_json(found) if as_json else told(found))


def _list_faults(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    from sim.faults import CATALOGUE

    for adversity in CATALOGUE.values():
        click.echo(f"{adversity.name:16} {adversity.group:15} {adversity.sentence}")
    context.exit()


@tippo.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same bytes.")
@click.option("--players", type=click.IntRange(2, 10), default=4, show_default=True)
@click.option("--sps", type=click.Choice(["10", "80"]), default="80", show_default=True)
@click.option("--rounds", type=click.IntRange(min=1), help="Default: until somebody has won.")
@click.option("--minutes", type=_Number(min=0, min_open=True, max=360), help="Break off then.")
@click.option("--mode", type=click.Choice(["full", "quick"]), default="full", show_default=True)
@click.option("--deck", is_flag=True, help="Weigh the draw pile too.")
@click.option("--gzip", "compress", is_flag=True, help="Write samples.csv.gz.")
@click.option("--fault", "faults", multiple=True, metavar="NAME", help="May be given again.")
@click.option(
    "--list-faults",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_faults,
    help="Show the names of all faults.",
)
def simulate(
    out: Path,
    seed: int,
    players: int,
    sps: str,
    rounds: int | None,
    minutes: float | None,
    mode: str,
    deck: bool,
    compress: bool,
    faults: tuple[str, ...],
) -> None:
    """Let simulated people play on a simulated scale and write a recorded table to OUT."""
    from sim.party import NAMES, Plan
    from sim.recording import record

    plan = Plan(
        seed=seed,
        players=NAMES[:players],
        sps=int(sps),
        mode=mode,
        rounds=rounds,
        deck=deck,
        faults=faults,
    )

    def show(seconds: float) -> None:
        click.echo(f"\r{seconds / 60.0:5.0f} minutes played ", nl=False, err=True)

    progress = show if sys.stderr.isatty() else None
    seconds = record(plan, out, minutes=minutes, compress=compress, progress=progress)
    if progress is not None:
        click.echo("\r", nl=False, err=True)
    click.echo(f"{out}: {seconds / 60.0:.1f} minutes of {players} people at {sps} SPS, seed {seed}")


@tippo.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--notices", is_flag=True, help="Also what the table says and asks besides.")
@click.option("--plot", "drawing", is_flag=True, help="Draw it to DIR/plot.png instead.")
def replay(folder: Path, notices: bool, drawing: bool) -> None:
    """Replay a recorded table: what was sensed, ruled and refused, one JSON object a line."""
    if drawing:
        from companion.recorded.plot import plot

        click.echo(plot(folder, folder / "plot.png"))
        return
    from companion.recorded.replay import write_replay

    write_replay(folder, sys.stdout.buffer, notices=notices)


@tippo.command()
@_played
def play(**chosen: Any) -> None:
    """Play a game, with the companion as the referee."""
    from companion.sitting import Choices, play_evening

    play_evening(Choices(**chosen))


@tippo.command()
@click.option(
    "--board", type=click.Choice(["gpio", "pico", "sim"]), help="Default: as in the settings."
)
@click.option("--cards", type=click.IntRange(5, 60), default=20, show_default=True)
@click.option("--coin", type=_Number(min=2, max=1000), metavar="GRAMS", help="Weigh a coin first.")
@click.option("--no-tilt-switch", is_flag=True, help="None is fitted.")
@click.option("--upside-down", is_flag=True, help="Take a cell that counts down as it is.")
@click.option("--settings", type=click.Path(path_type=Path, dir_okay=False), help="Their file.")
def calibrate(**chosen: Any) -> None:
    """Learn what counts, grams and cards are on this scale, with a few cards or a coin."""
    from companion.workbench.calibrating import run_calibration

    run_calibration(**chosen)


@tippo.command()
@click.option(
    "--board", type=click.Choice(["gpio", "pico", "sim", "none"]), help="Default: the settings'."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a report.")
@click.option("--press/--no-press", default=None, help="Ask for hands on the scale, or not.")
@click.option("--settings", type=click.Path(path_type=Path, dir_okay=False), help="Their file.")
def doctor(**chosen: Any) -> None:
    """Examine the scale and the machine. Exits with 0 (all OK), 1 (a WARN) or 2 (a FAIL)."""
    from companion.workbench.doctor import run_doctor

    sys.exit(run_doctor(**chosen))


@tippo.group()
def firmware() -> None:
    """Put the firmware on a Pico, or see what is on it."""


@firmware.command("install")
@click.option("--port", help="Its serial port; default: the one Pico that is plugged in.")
def firmware_install(port: str | None) -> None:
    """Copy the firmware to a Pico that has MicroPython."""
    from companion.clock import SystemClock
    from hardware.install import install

    banner = install(SystemClock(), port=port, say=click.echo)
    click.echo(f"The Pico {banner.board_id} runs firmware {banner.firmware}.")


@firmware.command("status")
@click.option("--port", help="Its serial port; default: every Pico that is plugged in.")
def firmware_status(port: str | None) -> None:
    """Say which firmware each Pico runs, and which this companion would install."""
    from companion.clock import SystemClock
    from hardware.firmware import firmware_folder, firmware_version
    from hardware.install import status

    boards = status(SystemClock(), port=port)
    for board in boards:
        click.echo(board.sentence)
    click.echo(f"This companion has firmware {firmware_version(firmware_folder())}.")
    sys.exit(0 if all(board.banner is not None for board in boards) else 1)


@tippo.command()
@click.argument("number", type=int, required=False)
@click.option("--json", "as_json", is_flag=True, help="For other programs.")
@click.option("--csv", "as_csv", is_flag=True, help="For a spreadsheet.")
@click.option("--journal", type=click.Path(path_type=Path, dir_okay=False), help="Its file.")
@click.option("--settings", type=click.Path(path_type=Path, dir_okay=False), help="Their file.")
def history(
    number: int | None, as_json: bool, as_csv: bool, journal: Path | None, settings: Path | None
) -> None:
    """List the games in the journal, or show game NUMBER."""
    from companion.chronicle import Form, show

    if as_json and as_csv:
        raise click.UsageError("--json and --csv do not go together.")
    form = Form.JSON if as_json else Form.CSV if as_csv else Form.WORDS
    show(number, form, journal=journal, settings=settings)


@tippo.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@_played
def record(folder: Path, **chosen: Any) -> None:
    """Play as with `tippo play`, and record the table in DIR for `tippo replay`."""
    from companion.sitting import Choices, play_evening

    play_evening(Choices(**chosen, recording=folder))


@tippo.command()
@click.argument("areas", nargs=-1, metavar="[AREA]...")
@click.option("--quick", is_flag=True, help="Seconds an area instead of minutes.")
@click.option("--every-table", is_flag=True, help="Every simulated table, not a sample.")
def bench(areas: tuple[str, ...], quick: bool, every_table: bool) -> None:
    """Measure speed and accuracy, each beside a peer: all, or the areas named."""
    from rich.console import Console

    from companion.bench import everything

    everything.run(areas, quick=quick, every_table=every_table, console=Console())


@firmware.command("rule")
def firmware_rule() -> None:
    """Print the udev rule that keeps ModemManager away from the Pico."""
    from hardware.setup_files import pico_rule

    click.echo(pico_rule(), nl=False)


@tippo.command("install")
@click.option("--user", metavar="NAME", help="Whose companion it is; default: who called sudo.")
@click.option(
    "--desktop/--service", "desktop", default=None, help="What starts it; default: as one is there."
)
@click.option("--remove", is_flag=True, help="Let it start with the machine no more.")
@click.option("--dry-run", is_flag=True, help="Show all that would be changed, and change nothing.")
def install_here(**chosen: Any) -> None:
    """Let the companion start with the machine."""
    from companion.workbench.installing import run_install

    run_install(**chosen, tippo=_own_command())


def _own_command() -> Path:
    """What starts this companion: the command that was called, or the one beside `python -m`."""
    called = Path(sys.argv[0]).resolve()
    return called if called.name == "tippo" else Path(sys.executable).parent / "tippo"


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs `tippo` and exits: 0 done, 1 refused, 2 bad usage or input, 128 and the signal's number
    when a signal asked it to end. Never shows a traceback."""
    try:
        with leaving_when_asked():
            streams.secure()
            _run(arguments)
    except AskedToEnd as asked:
        try:
            click.echo(f"tippo: {asked}.", err=True)
            sys.stdout.flush()
        except OSError:  # the terminal is what has gone
            streams.let_go_of_output()
        sys.exit(asked.exit_code)


def _run(arguments: Sequence[str] | None) -> None:
    try:
        tippo.main(args=None if arguments is None else list(arguments), standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:  # Ctrl-C or Ctrl-D where a key was waited for
        raise AskedToEnd(signal.SIGINT) from None
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except TippoError as error:
        click.echo(f"tippo: {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        streams.let_go_of_output()
        sys.exit(1)
    except OSError as error:
        # Every file is opened with a sentence of its own; this is for a disk that fills up under
        # the output, and for names that no file can have.
        if error.filename is not None:
            click.echo(f"tippo: cannot use {error.filename}: {error.strerror}", err=True)
            sys.exit(BadInput.exit_code)
        click.echo(f"tippo: the output cannot be written: {error.strerror or error}", err=True)
        streams.let_go_of_output()
        sys.exit(1)


if __name__ == "__main__":
    main()
