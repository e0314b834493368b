"""The chart of the scores over the rounds.

It never adds up a score: it draws the totals it is given.
"""

from companion.display import theme
from companion.display.canvas import Canvas
from companion.display.scene import Align, Box, Chart
from companion.display.theme import Ink, Weight

PENS: tuple[Ink, ...] = (
    theme.PLUM,
    Ink(184, 80, 16),
    Ink(20, 120, 110),
    Ink(190, 40, 110),
    Ink(60, 90, 200),
    Ink(120, 110, 20),
    Ink(110, 70, 50),
    Ink(90, 90, 100),
    Ink(24, 126, 36),
    Ink(160, 30, 30),
)


NAMES = 150.0
"""The width of the names at the ends of their lines."""


def paint_chart(canvas: Canvas, chart: Chart) -> None:
    """A line a player, named at its end; the target is a dotted line."""
    box = canvas.box
    plot, names = box.inset(4, 14).right_part(NAMES, 8)
    axis, plot = plot.left_part(34, 4)
    rounds = max((len(line) for line in chart.lines), default=1) - 1
    highest = max((total for line in chart.lines for total in line), default=0)
    top = max(highest, chart.target) * 1.04

    def at(round_: int, total: int) -> tuple[float, float]:
        return plot.x + plot.w * round_ / max(rounds, 1), plot.bottom - plot.h * total / top

    canvas.stroke([at(0, 0), (plot.right, plot.bottom)], 2, theme.LINE)
    y = at(0, chart.target)[1]
    for k in range(24):
        x = plot.x + plot.w * k / 24
        canvas.stroke([(x, y), (x + plot.w / 60, y)], 2, theme.SOFT_INK)
    canvas.words(
        str(chart.target), Box(axis.x, y - 9, axis.w, 18), 15, theme.SOFT_INK, align=Align.RIGHT
    )
    for k, line in enumerate(chart.lines):
        pen = PENS[k % len(PENS)]
        points = [at(round_, total) for round_, total in enumerate(line)]
        canvas.stroke(points, 4, pen)
        for x, y in points[1:]:
            canvas.disc(x, y, 5.5, pen)
    _name_lines(canvas, chart, names, [at(len(line) - 1, line[-1])[1] for line in chart.lines])


def _name_lines(canvas: Canvas, chart: Chart, names: Box, heights: list[float]) -> None:
    """Names beside the ends of their lines, moved apart where they would overlap."""
    room = 21.0
    order = sorted(range(len(heights)), key=lambda k: heights[k])
    placed: dict[int, float] = {}
    y = names.y - room
    for k in order:
        y = max(y + room, heights[k])
        placed[k] = y
    over = max(0.0, y - (names.bottom + 4))
    below = names.bottom + 4
    for k in reversed(order):
        placed[k] = min(placed[k], below) if over else placed[k]
        below = placed[k] - room
    size = min([17.0, *(canvas.size_of(name, names.w, Weight.BLACK) for name in chart.names)])
    for k, name in enumerate(chart.names):
        label = Box(names.x, placed[k] - room / 2, names.w, room)
        canvas.words(name, label, size, PENS[k % len(PENS)], Weight.BLACK, Align.LEFT)
