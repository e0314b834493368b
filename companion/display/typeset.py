"""Sets words in the bundled typeface: finds the size and the lines that fit a box, and paints them.

It never lets words leave their box: they shrink, then wrap, then end in an ellipsis.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from importlib import resources

import pygame

from companion.display import theme
from companion.display.theme import Ink, Weight

CAP_HEIGHT = 0.705
"""Of Nunito, in ems: words are centred by their capitals, as the eye does."""
ASCENT = 1.011
LEADING = 1.14
DESCENT = 0.20


@dataclass(frozen=True, slots=True)
class Setting:
    """Words set for a box: lines of one size (pixels)."""

    lines: tuple[str, ...]
    size: int
    whole: bool
    """False if words had to be cut."""

    @property
    def height(self) -> float:
        """From the top of the first line's capitals to the last line's base, in pixels."""
        return self.size * (CAP_HEIGHT + LEADING * (len(self.lines) - 1))


class Typesetter:
    """The typeface at one scale. Fonts and settings are kept as long as it lives."""

    def __init__(self, scale: float) -> None:
        pygame.font.init()
        self.scale = scale
        self._fonts: dict[tuple[Weight, int], pygame.font.Font] = {}
        self._fallbacks: dict[int, pygame.font.Font] = {}
        self._drawable: dict[str, bool] = {}

    def width(self, text: str, size: int, weight: Weight) -> int:
        return self._font(text, size, weight).size(text)[0]

    def fit(
        self, text: str, width: float, height: float, size: float, weight: Weight, lines: int = 1
    ) -> Setting:
        """The largest setting of ``text``, at most ``size`` units, in a box of units."""
        room = int(width * self.scale)
        deep = height * self.scale
        least = max(6, round(theme.LEAST * self.scale))
        px = max(least, round(size * self.scale))
        while True:
            broken = self._break(text, room, px, weight, lines)
            if broken is not None:
                setting = Setting(broken, px, True)
                if px == least or setting.height + px * DESCENT <= deep + 1:
                    return setting
            if px <= least:
                break
            px = max(least, px - max(1, px // 16))
        return Setting(self._cut(text, room, least, weight, lines), least, False)

    def paint(self, text: str, size: int, weight: Weight, ink: Ink) -> pygame.Surface:
        """One line, premultiplied for blending."""
        line = self._font(text, size, weight).render(text, True, ink)
        # premul_alpha reads the rows of a font's own surface wrongly (pygame 2.6).
        copy = pygame.Surface(line.get_size(), pygame.SRCALPHA)
        copy.blit(line, (0, 0))
        return copy.premul_alpha()

    def _break(
        self, text: str, room: int, px: int, weight: Weight, lines: int
    ) -> tuple[str, ...] | None:
        broken: list[str] = []
        for paragraph in text.split("\n"):
            line = ""
            for word in _words(paragraph):
                if self.width(line + word.rstrip(), px, weight) <= room:
                    line += word
                    continue
                if not line or self.width(word.rstrip(), px, weight) > room:
                    return None
                broken.append(line.rstrip())
                line = word
            broken.append(line.rstrip())
        if len(broken) > lines:
            return None
        return self._balanced(broken, room, px, weight)

    def _balanced(self, broken: list[str], room: int, px: int, weight: Weight) -> tuple[str, ...]:
        """Two lines of a sentence about equally long, rather than one long and one word."""
        if len(broken) != 2:
            return tuple(broken)
        words = _words(" ".join(broken))
        if len(words) < 3:
            return tuple(broken)
        cuts = [
            ("".join(words[:k]).rstrip(), "".join(words[k:]).rstrip()) for k in range(1, len(words))
        ]
        return min(
            (cut for cut in cuts if all(self.width(part, px, weight) <= room for part in cut)),
            key=lambda cut: max(self.width(part, px, weight) for part in cut),
            default=(broken[0], broken[1]),
        )

    def _cut(self, text: str, room: int, px: int, weight: Weight, lines: int) -> tuple[str, ...]:
        words = _words(text.replace("\n", " "))
        broken: list[str] = []
        while words and len(broken) < lines:
            line = words.pop(0)
            while words and self.width(line + words[0].rstrip(), px, weight) <= room:
                line += words.pop(0)
            broken.append(line.rstrip())
        if words:
            broken[-1] += " " + "".join(words).rstrip()
        return tuple(self._ellipsis(line, room, px, weight) for line in broken)

    def _ellipsis(self, line: str, room: int, px: int, weight: Weight) -> str:
        if self.width(line, px, weight) <= room:
            return line
        while line and self.width(f"{line}…", px, weight) > room:
            line = line[:-1]
        return f"{line.rstrip()}…"

    def _font(self, text: str, size: int, weight: Weight) -> pygame.font.Font:
        if not self._covers(text):
            if size not in self._fallbacks:
                self._fallbacks[size] = pygame.font.Font(None, size)
            return self._fallbacks[size]
        if (weight, size) not in self._fonts:
            self._fonts[weight, size] = _open(weight, size)
        return self._fonts[weight, size]

    @cached_property
    def _probe(self) -> pygame.font.Font:
        return _open(Weight.BOLD, 64)

    def _covers(self, text: str) -> bool:
        if text.isascii():
            return True
        if text not in self._drawable:
            missing = self._probe.metrics("\uffff")
            self._drawable[text] = all(self._probe.metrics(char) != missing for char in text)
        return self._drawable[text]


def _words(text: str) -> list[str]:
    """Where a line may end: after a space or a hyphen; both stay with the word before them."""
    return re.findall(r"[^ -]*(?:-+ *| +)|[^ -]+", text) or [""]


def _open(weight: Weight, size: int) -> pygame.font.Font:
    path = resources.files("companion.display") / "fonts" / f"Nunito-{weight}.ttf"
    with resources.as_file(path) as file:
        return pygame.font.Font(file, size)
