"""`tippo install`: the companion starts with the machine, and nobody needs a terminal again.

It never changes anything that it has not shown: a dry run shows all of it.
"""

import os
import pwd
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from companion.config import APPLICATION, load_settings
from companion.errors import BadInput, Refused

UNIT = Path("/etc/systemd/system/tippo.service")
RULE = Path("/etc/udev/rules.d/60-tippo-pico.rules")

DISABLE = ("systemctl", "disable", "--now", UNIT.name)

Run = Callable[[Sequence[str]], None]
"""Runs a command line to its end; raises Refused with what it said if it fails."""


@dataclass(frozen=True, slots=True)
class Installation:
    """Files to be written, and commands to be run after that, in order."""

    files: tuple[tuple[Path, str], ...]
    commands: tuple[tuple[str, ...], ...]
    owner: str = ""
    """Whose the files are; empty: the system's."""
    replaces: tuple[Path, ...] = ()
    """What started it in the other way goes: two would quarrel about the journal."""


def run_install(
    *, user: str | None, desktop: bool | None, remove: bool, dry_run: bool, tippo: Path
) -> None:
    """`tippo install`.

    Raises:
        BadInput: there is no such user, or nobody said whose companion it is.
        Refused: it needs rights that the caller has not, or a command failed.
    """
    person = _person(user)
    with_desktop = _has_desktop() if desktop is None else desktop
    wanted = removal(person) if remove else installation(person, tippo, desktop=with_desktop)
    if dry_run:
        show(wanted, remove=remove)
        return
    if os.geteuid() != 0:
        raise Refused(f"this changes the system: run `sudo {tippo} install`, or see --dry-run")
    carry_out(wanted, remove=remove, run=run_command)
    if remove:
        click.echo("The companion no longer starts with the machine; its journal is kept.")
    elif with_desktop:
        click.echo(f"The companion starts with {person.pw_name}'s desktop from now on.")
    else:
        click.echo("The companion starts with the machine from now on, and has started.")


def installation(person: pwd.struct_passwd, tippo: Path, *, desktop: bool) -> Installation:
    """What starts it: an entry of the desktop's where there is one, else a service."""
    from hardware.setup_files import autostart, groups_here, pico_rule, service

    name, groups = person.pw_name, groups_here()
    commands: list[tuple[str, ...]] = []
    if groups:
        commands.append(("usermod", "-aG", ",".join(groups), name))
    files = [(RULE, pico_rule())]
    commands += [
        ("udevadm", "control", "--reload"),
        ("udevadm", "trigger", "--subsystem-match=tty"),
    ]
    if desktop:
        entry = (_entry(person), autostart(tippo))
        return Installation((*files, entry), tuple(commands), name, (UNIT,))
    files.append((UNIT, service(name, tippo, groups)))
    commands += [("systemctl", "daemon-reload"), ("systemctl", "enable", "--now", UNIT.name)]
    return Installation(tuple(files), tuple(commands), replaces=(_entry(person),))


def removal(person: pwd.struct_passwd) -> Installation:
    """Everything that `installation` may have written goes; journals and settings stay."""
    files = tuple((path, "") for path in (UNIT, RULE, _entry(person)))
    commands = (("systemctl", "daemon-reload"), ("udevadm", "control", "--reload"))
    return Installation(files, commands)


def _entry(person: pwd.struct_passwd) -> Path:
    return Path(person.pw_dir) / ".config" / "autostart" / "tippo.desktop"


def _person(name: str | None) -> pwd.struct_passwd:
    """Whose companion it is: whoever is named, else whoever called sudo, else the caller."""
    wanted = name or os.environ.get("SUDO_USER") or pwd.getpwuid(os.getuid()).pw_name
    if wanted == "root":
        raise BadInput("whose companion is it? Name them: tippo install --user NAME")
    try:
        person = pwd.getpwnam(wanted)
    except KeyError:
        raise BadInput(f"there is no user {wanted!r} on this machine") from None
    settings = Path(person.pw_dir) / ".config" / APPLICATION / "settings.toml"
    if not settings.exists() or load_settings(settings).board is None:
        raise BadInput(
            'which board is on the table? Write board = "gpio", board = "pico" or, with no scale '
            f'at all, board = "none" in {settings} first'
        )
    return person


def _has_desktop() -> bool:
    """Whether the machine starts into a desktop, which then has the screen for itself."""
    try:
        told = subprocess.run(
            ["systemctl", "get-default"],  # noqa: S607 - wherever this system has it
            capture_output=True,
            text=True,
            check=False,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return told.stdout.strip() == "graphical.target"


def show(wanted: Installation, *, remove: bool) -> None:
    """What would be done, in full."""
    for path, text in wanted.files:
        click.echo(f"# {'remove' if remove else 'write'} {path}")
        click.echo(text, nl=bool(remove))
    for path in wanted.replaces:
        click.echo(f"# remove {path}, if it is there")
    for command in wanted.commands:
        click.echo(f"# run {' '.join(command)}")


def carry_out(wanted: Installation, *, remove: bool, run: Run, root: Path = Path("/")) -> None:
    """Writes (or removes) the files under `root` and runs the commands.

    Raises:
        Refused: a file cannot be written, or a command failed.
    """
    goes = [path for path, _ in wanted.files] if remove else wanted.replaces
    stays = () if remove else wanted.files
    if UNIT in goes and _under(root, UNIT).exists():
        run(DISABLE)
    for path in goes:
        with _refusing(_under(root, path)) as place:
            place.unlink(missing_ok=True)
    for path, text in stays:
        with _refusing(_under(root, path)) as place:
            _write(place, text, wanted.owner if path not in (UNIT, RULE) else "")
    for command in wanted.commands:
        run(command)


def _under(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


@contextmanager
def _refusing(place: Path) -> Iterator[Path]:
    try:
        yield place
    except OSError as error:
        raise Refused(f"{place} cannot be changed: {error.strerror}") from error


def _write(place: Path, text: str, owner: str) -> None:
    missing = [folder for folder in (place.parent, *place.parent.parents) if not folder.exists()]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    if owner:
        person = pwd.getpwnam(owner)
        for path in (place, *missing):
            os.chown(path, person.pw_uid, person.pw_gid)


def run_command(command: Sequence[str]) -> None:
    """Raises Refused with the last line that the command said, if it fails."""
    try:
        ran = subprocess.run(  # noqa: S603 - the commands stand above, with names of this system
            command, capture_output=True, text=True, check=False, timeout=60
        )
    except FileNotFoundError:
        raise Refused(
            f"this system has no {command[0]}: it starts programs in another way"
        ) from None
    except subprocess.TimeoutExpired:
        raise Refused(f"`{' '.join(command)}` does not end: try it by hand") from None
    if ran.returncode != 0:
        said = (ran.stderr or ran.stdout).strip().splitlines() or ["nothing"]
        raise Refused(f"`{' '.join(command)}` failed; it said: {said[-1]}")
