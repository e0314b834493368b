#!/usr/bin/env python3
"""Draws the pictures of docs/judge.md: short traces, and what the judge said of them and when.

It never draws by hand: every mark comes from the judge itself, run on the signals of the tests.
Usage: python tools/draw_judge.py docs/pictures
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from companion.events import Sample, Sensed
from companion.scale.judge import Judge
from companion.units import Tray
from tests.unit.scale.kit import (
    CARD_G,
    Signal,
    calibration,
    eased,
    past,
    press,
    ramp,
    rows,
    step,
    still,
    tilted,
    together,
)  # fmt: skip

WIDTH, HEIGHT, MARGIN = 860, 300, 46
GAP_S = 0.1
COLOURS = {Tray.LEFT: "#1f4e9c", Tray.RIGHT: "#c8500a"}
BASES = {Tray.LEFT: "#8fb0e0", Tray.RIGHT: "#eab08c"}
SWITCH, MARK = "#f6dada", "#303030"


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: its file's name, what it shows, its rows and the part that is drawn."""

    name: str
    title: str
    samples: Sequence[Sample]
    begin: float
    end: float
    low_g: float
    high_g: float


def cards(count: int, *changes: Signal) -> Signal:
    return together(lambda _: count * CARD_G, *changes)


def scenes() -> list[Scene]:
    """The moments that the chapter explains."""
    pressed = rows(together(step(3, CARD_G), press(3, 0.6, 14)), still, 6)
    drifting = rows(together(ramp(4, 16, 0.3), step(18, CARD_G)), still, 22)
    angle = eased((4, 0.0), (4.35, 30.0), (8, 30.0), (8.6, 0.0))
    falling = [step(5.2 + 0.25 * i, -CARD_G) for i in range(4)]
    spilled = rows(tilted(cards(6, *falling), angle), tilted(cards(4), angle), 11, tilt=past(angle))
    wobbled = rows(tilted(cards(6), angle), tilted(cards(4), angle), 11, tilt=past(angle))
    return [
        Scene("judge-press", "A hand presses a card in and goes", pressed, 2.5, 4.8, -2, 17),
        Scene("judge-drift", "0.3 g/s for twelve seconds, then a card", drifting, 2, 22, -1, 8),
        Scene("judge-wobble", "Tilted, both trays lose the same share", wobbled, 3, 10, -2, 13),
        Scene("judge-spill", "Tilted, one tray loses card after card", spilled, 3, 10, -7, 13),
    ]


def draw(scene: Scene) -> str:
    """The scene as SVG."""

    def x(t: float) -> float:
        return MARGIN + (t - scene.begin) / (scene.end - scene.begin) * (WIDTH - 2 * MARGIN)

    def y(grams: float) -> float:
        share = (min(max(grams, scene.low_g), scene.high_g) - scene.low_g) / (
            scene.high_g - scene.low_g
        )
        return HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)

    events, bases = _judged(scene)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{MARGIN}" y="22" font-size="15">{scene.title}</text>',
    ]
    closed = [s.mono_s for s in scene.samples if s.tilt and scene.begin <= s.mono_s <= scene.end]
    if closed:
        parts.append(
            f'<rect x="{x(closed[0]):.1f}" y="{MARGIN}" width="{x(closed[-1]) - x(closed[0]):.1f}" '
            f'height="{HEIGHT - 2 * MARGIN}" fill="{SWITCH}"/>'
        )
    parts += [
        f'<text x="{x(second):.0f}" y="{HEIGHT - 22}" fill="#707070" '
        f'text-anchor="middle">{second} s</text>'
        for second in range(int(scene.begin) + 1, int(scene.end) + 1)
    ]
    for tray in Tray:
        lines = ((BASES[tray], bases[tray], 5.0), (COLOURS[tray], _grams(scene, tray), 1.3))
        for colour, points, width in lines:
            for stretch in _stretches(points):
                line = " ".join(f"{x(t):.1f},{y(g):.1f}" for t, g in stretch)
                parts.append(
                    f'<polyline points="{line}" fill="none" stroke="{colour}" '
                    f'stroke-width="{width}"/>'
                )
    parts += _marks(events, x)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _stretches(points: list[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    """The points without a line across what is missing between them."""
    stretches: list[list[tuple[float, float]]] = []
    for point in points:
        if not stretches or point[0] - stretches[-1][-1][0] > GAP_S:
            stretches.append([])
        stretches[-1].append(point)
    return stretches


def _judged(scene: Scene) -> tuple[list[Sensed], dict[Tray, list[tuple[float, float]]]]:
    """What was decided in the part that is drawn, and what each tray was known to weigh."""
    judge = Judge(calibration())
    events: list[Sensed] = []
    bases: dict[Tray, list[tuple[float, float]]] = {tray: [] for tray in Tray}
    for sample in scene.samples:
        events += judge.feed(sample)
        if scene.begin <= sample.mono_s <= scene.end:
            for tray in Tray:
                seen = judge.live.tray(tray)
                if seen.resting and seen.grams is not None:
                    bases[tray].append((sample.mono_s, seen.grams))
    return [e for e in events if scene.begin <= e.decided_s <= scene.end], bases


def _grams(scene: Scene, tray: Tray) -> list[tuple[float, float]]:
    cell = calibration().tray(tray)
    return [
        (sample.mono_s, cell.grams(counts))
        for sample in scene.samples
        if scene.begin <= sample.mono_s <= scene.end
        and (counts := sample.left if tray is Tray.LEFT else sample.right) is not None
    ]


def _marks(events: list[Sensed], x: Callable[[float], float]) -> list[str]:
    """Each event: a thin line where it began, a word where it was decided."""
    parts = []
    for row, event in enumerate(events):
        name, top = type(event).__name__.lower(), MARGIN - 6 + 13 * (row % 4)
        began, decided = x(event.began_s), x(event.decided_s)
        parts.append(
            f'<line x1="{began:.1f}" y1="{MARGIN}" x2="{began:.1f}" y2="{HEIGHT - MARGIN}" '
            f'stroke="{MARK}" stroke-dasharray="2 4"/>'
        )
        parts.append(
            f'<line x1="{began:.1f}" y1="{top}" x2="{decided:.1f}" y2="{top}" stroke="{MARK}"/>'
            f'<text x="{decided + 4:.1f}" y="{top + 4}" fill="{MARK}">{name}</text>'
        )
    return parts


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    for scene in scenes():
        (folder / f"{scene.name}.svg").write_text(draw(scene), encoding="utf-8")


if __name__ == "__main__":
    main()
