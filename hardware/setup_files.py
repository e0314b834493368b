"""The files that a machine needs for the companion: its service, and a rule for the Pico's port.

It only fills them in; nobody's system is changed by it.
"""

from pathlib import Path

HERE = Path(__file__).resolve().parent


def service(user: str, tippo: Path) -> str:
    """The systemd unit that starts the companion with the machine."""
    unit = (HERE / "systemd" / "tippo.service").read_text(encoding="utf-8")
    return unit.replace("@USER@", user).replace("@TIPPO@", str(tippo))


def pico_rule() -> str:
    """The udev rule that keeps ModemManager away from the Pico."""
    return (HERE / "udev" / "60-tippo-pico.rules").read_text(encoding="utf-8")
