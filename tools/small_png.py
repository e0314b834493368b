"""Writes a picture as a small PNG: few colours, well packed, the same bytes on every machine.

It never changes what is seen: shades are moved to the nearest of the 256 that occur most.
"""

import struct
import zlib
from collections import Counter

import pygame


def png(surface: pygame.Surface) -> bytes:
    """A small PNG: the 256 most frequent colours, each other pixel in the nearest of them."""
    data = pygame.image.tobytes(surface, "RGB")
    pixels = [data[k : k + 3] for k in range(0, len(data), 3)]
    counts = Counter(pixels)
    palette = [colour for colour, _ in counts.most_common(256)]
    index = {colour: number for number, colour in enumerate(palette)}
    for colour in counts:
        if colour not in index:
            index[colour] = min(
                range(len(palette)),
                key=lambda number: sum(
                    (a - b) ** 2 for a, b in zip(palette[number], colour, strict=True)
                ),
            )
    wide, high = surface.get_size()
    indices = bytes(index[pixel] for pixel in pixels)
    rows = b"".join(b"\0" + indices[y * wide : (y + 1) * wide] for y in range(high))
    header = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in (
            (b"IHDR", header),
            (b"PLTE", b"".join(palette)),
            (b"IDAT", zlib.compress(rows, 9)),
            (b"IEND", b""),
        )
    )
