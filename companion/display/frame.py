"""How the pixels of a display become units: as many on the short side of any display.

It knows nothing of what is shown on it.
"""

from dataclasses import dataclass

from companion.display import theme


@dataclass(frozen=True, slots=True)
class Frame:
    """A display's width and height in units, and its pixels a unit."""

    width: float
    height: float
    scale: float


def fit(size: tuple[int, int]) -> Frame:
    """The frame for a display of ``size`` pixels, lying or upright.

    Between 16:10 and 11:6 the frame fills the display; beyond that, paper stays free on two sides.
    """
    short, long = min(size), max(size)
    scale = min(short / theme.SHORT, long / theme.LONG_LEAST)
    across = min(theme.LONG_MOST, long / scale)
    if size[1] > size[0]:
        return Frame(theme.SHORT, across, scale)
    return Frame(across, theme.SHORT, scale)
