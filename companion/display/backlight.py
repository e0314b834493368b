"""The light behind a display, where the system lets us change it: `/sys/class/backlight`.

It never complains: a display without such a light, or one that others own, is dimmed by painting.
"""

from pathlib import Path

from companion.display.light import Light

LIGHTS = Path("/sys/class/backlight")

SHARES = {Light.FULL: 1.0, Light.DIM: 0.25, Light.DARK: 0.0}
"""Of the brightness that was set when we came."""


class Backlight:
    """All lights behind displays that can be changed; there is usually one or none."""

    def __init__(self, lights: Path = LIGHTS) -> None:
        self._lights: dict[Path, int] = {}
        for path in sorted(lights.glob("*/brightness")):
            try:
                at_first = _set_by_people(path)
                path.write_text(str(at_first), encoding="ascii")
            except (OSError, ValueError):
                continue
            self._lights[path] = at_first

    def show(self, light: Light) -> bool:
        """Sets the brightness; False if there is no light to set."""
        done = False
        for path, at_first in self._lights.items():
            try:
                path.write_text(str(round(at_first * SHARES[light])), encoding="ascii")
            except OSError:
                continue
            done = True
        return done


def _set_by_people(path: Path) -> int:
    """The brightness that was there when we came; the most it can be where we were killed while
    the display was dim or dark.

    Raises:
        OSError, ValueError: it cannot be read.
    """
    found = int(path.read_text(encoding="ascii"))
    most = int(path.with_name("max_brightness").read_text(encoding="ascii"))
    return found if found > round(most * SHARES[Light.DIM]) else most
