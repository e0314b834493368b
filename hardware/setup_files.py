"""The files that a machine needs for the companion: its service, and a rule for the Pico's port.

It only fills them in; nobody's system is changed by it (see `companion.workbench.installing`).
"""

import grp
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent

GROUPS = ("gpio", "dialout", "video", "render", "input")
"""Whoever belongs to them may use pins, serial ports, screen and touch panel."""


def groups_here() -> tuple[str, ...]:
    """Those that this machine has: naming another one, a service would not start."""
    known = {group.gr_name for group in grp.getgrall()}
    return tuple(group for group in GROUPS if group in known)


def service(user: str, tippo: Path, groups: Iterable[str]) -> str:
    """The systemd unit that starts the companion with the machine."""
    unit = (HERE / "systemd" / "tippo.service").read_text(encoding="utf-8")
    # A per cent sign would begin a specifier (systemd.unit).
    command = f'"{tippo}"'.replace("%", "%%")
    unit = unit.replace("@USER@", user).replace("@TIPPO@", command)
    return unit.replace("@GROUPS@", " ".join(groups))


def autostart(tippo: Path) -> str:
    """The entry that starts the companion with a desktop (freedesktop.org, Autostart)."""
    entry = (HERE / "systemd" / "tippo.desktop").read_text(encoding="utf-8")
    return entry.replace("@TIPPO@", f'"{tippo}"'.replace("%", "%%"))


def pico_rule() -> str:
    """The udev rule that keeps ModemManager away from the Pico."""
    return (HERE / "udev" / "60-tippo-pico.rules").read_text(encoding="utf-8")
