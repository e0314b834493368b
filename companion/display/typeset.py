"""Sets words in the bundled typeface: finds the size and the lines that fit a box, and paints them.

It never lets words leave their box: they shrink, then wrap, then end in an ellipsis. What no face
at hand can draw is written in Latin letters.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from itertools import groupby

import pygame
from anyascii import anyascii

from companion.display import theme
from companion.display.theme import Ink, Weight

CAP_HEIGHT = 0.705
"""Of Nunito, in ems: words are centred by their capitals, as the eye does."""
ASCENT = 1.011
LEADING = 1.14
DESCENT = 0.20

MOST_LINES = 8

COMFORTABLE = 13.0
"""Below this size a word is rather broken than set smaller, if there is room for another line."""


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
        self._fonts: dict[tuple[Weight | None, int], pygame.font.Font] = {}
        self._faces: dict[str, bool | None] = {}

    def width(self, text: str, size: int, weight: Weight) -> int:
        return sum(font.size(run)[0] for font, run in self._runs(text, size, weight))

    def shown(self, text: str) -> str:
        """The text as it is set: what no face can draw is written in Latin letters."""
        if text.isascii() and text.isprintable():
            return text
        composed = unicodedata.normalize("NFC", text)
        text = "".join(char for char in composed if char == "\n" or _is_seen(char))
        drawable = [char.isascii() or self._face(char) is not None for char in text]
        if text.strip() and all(drawable):
            return text
        latin = "".join(
            char if drawn else _latin(char) for char, drawn in zip(text, drawable, strict=True)
        )
        return latin if latin.strip() else _described(text)

    def fit(
        self, text: str, width: float, height: float, size: float, weight: Weight, lines: int = 1
    ) -> Setting:
        """The largest setting of ``text``, at most ``size`` units, in a box of units."""
        text = self.shown(text)
        setting = self._largest(text, (width, height), size, weight, lines)
        comfortable = setting.size >= min(COMFORTABLE, size) * self.scale - 1
        if lines == 1 or (setting.whole and comfortable):
            return setting
        torn = self._largest(text, (width, height), size, weight, lines, tear=True)
        better = torn.size > setting.size or not setting.whole
        return torn if torn.whole and better else setting

    def _largest(
        self,
        text: str,
        box: tuple[float, float],
        size: float,
        weight: Weight,
        lines: int,
        *,
        tear: bool = False,
    ) -> Setting:
        room, deep = int(box[0] * self.scale), box[1] * self.scale
        least = max(6, round(theme.LEAST * self.scale))
        px = max(least, round(size * self.scale))
        while True:
            broken = self._break(text, room, px, weight, lines, tear=tear)
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
        runs = list(self._runs(self.shown(text).replace("\n", " "), size, weight))
        high = self._font(weight, size)
        picture = pygame.Surface(
            (sum(font.size(run)[0] for font, run in runs), high.get_height()), pygame.SRCALPHA
        )
        x = 0
        for font, run in runs:
            if font.size(run)[0] == 0:
                continue
            picture.blit(font.render(run, True, ink), (x, high.get_ascent() - font.get_ascent()))
            x += font.size(run)[0]
        return picture.premul_alpha()

    def _break(
        self, text: str, room: int, px: int, weight: Weight, lines: int, *, tear: bool
    ) -> tuple[str, ...] | None:
        broken: list[str] = []
        for paragraph in text.split("\n"):
            line = ""
            for word in _words(paragraph):
                if self.width(line + word.rstrip(), px, weight) <= room:
                    line += word
                    continue
                rest = word
                if self.width(word.rstrip(), px, weight) > room:
                    if not tear:
                        return None
                    *heads, rest = self._torn(line + word, room, px, weight)
                    if any(self.width(head, px, weight) > room for head in heads):
                        return None
                    broken += heads
                elif line:
                    broken.append(line.rstrip())
                line = rest
                if len(broken) >= lines:
                    return None
            broken.append(line.rstrip())
        if len(broken) > lines:
            return None
        return tuple(broken) if tear else self._balanced(broken, room, px, weight)

    def _torn(self, word: str, room: int, px: int, weight: Weight) -> list[str]:
        """A word that is wider than a line, in parts; each but the last ends in a hyphen."""
        parts: list[str] = []
        while self.width(word.rstrip(), px, weight) > room:
            end = len(word) - 1
            while end > 1 and self.width(f"{word[:end]}-", px, weight) > room:
                end -= 1
            parts.append(word[:end] if word[end - 1] in " -" else f"{word[:end]}-")
            word = word[end:].lstrip()
            if len(parts) > MOST_LINES:
                break
        return [*parts, word]

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

    def _runs(self, text: str, size: int, weight: Weight) -> Iterator[tuple[pygame.font.Font, str]]:
        """The text in runs of one face each."""
        if text.isascii():
            yield self._font(weight, size), text
            return
        for bundled, run in groupby(text, key=lambda char: self._face(char) is not False):
            yield self._font(weight if bundled else None, size), "".join(run)

    def _font(self, weight: Weight | None, size: int) -> pygame.font.Font:
        if (weight, size) not in self._fonts:
            self._fonts[weight, size] = _open(weight, size)
        return self._fonts[weight, size]

    @cached_property
    def _probes(self) -> tuple[pygame.font.Font, pygame.font.Font]:
        return _open(Weight.BOLD, 64), _open(None, 64)

    def _face(self, char: str) -> bool | None:
        """True if the bundled face draws it, False if pygame's own does, None if neither."""
        if char not in self._faces:
            drawn = (
                draws
                for draws, font in zip((True, False), self._probes, strict=True)
                if _draws(font, char)
            )
            self._faces[char] = next(drawn, None)
        return self._faces[char]


def _is_seen(char: str) -> bool:
    """False for control characters and their like, which have no shape."""
    return not unicodedata.category(char).startswith("C")


def _draws(font: pygame.font.Font, char: str) -> bool:
    if char.isascii():
        return True
    (metrics,) = font.metrics(char)
    return metrics is not None and metrics != font.metrics("\uffff")[0]


def _latin(char: str) -> str:
    """A letter of another script in Latin letters; nothing for a picture."""
    latin = anyascii(char)
    return "" if latin.startswith(":") else latin


def _described(text: str) -> str:
    """Names made of pictures alone, in words."""
    return " ".join(anyascii(text).replace(":", " ").replace("_", " ").split()) or "?"


def _words(text: str) -> list[str]:
    """Where a line may end: after a space or a hyphen; both stay with the word before them."""
    return re.findall(r"[^ -]*(?:-+ *| +)|[^ -]+", text) or [""]


def _open(weight: Weight | None, size: int) -> pygame.font.Font:
    """The bundled face, or (None) the one that comes with pygame and has more scripts."""
    if weight is None:
        path = resources.files("pygame") / pygame.font.get_default_font()
    else:
        path = resources.files("companion.display") / "fonts" / f"Nunito-{weight}.ttf"
    with resources.as_file(path) as file:
        return pygame.font.Font(file, size)
