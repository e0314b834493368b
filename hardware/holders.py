"""Says who has a port or a device open, so that people know what to end.

It never opens the device itself and never ends anybody.
"""

from collections.abc import Sequence
from pathlib import Path


def holders(path: Path, proc: Path = Path("/proc")) -> Sequence[str]:
    """Who has a port or device open, e.g. "ModemManager (712)"; only what this user may see."""
    target = path.resolve()
    found = []
    for process in proc.iterdir():
        if not process.name.isdecimal():
            continue
        try:
            held = any(link.resolve() == target for link in (process / "fd").iterdir())
            name = (process / "comm").read_text().strip()
        except OSError:  # it ended meanwhile, or belongs to somebody else
            continue
        if held:
            found.append(f"{name} ({process.name})")
    return found


def in_use(path: Path) -> str:
    """The end of the sentence for whoever finds it taken."""
    others = ", ".join(holders(path)) or "another program"
    return f"in use by {others}: end it and try again"
