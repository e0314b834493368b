#!/usr/bin/env python
"""Draws the builder's book's wiring diagrams into hardware/drawings, from the pins in force.

It never invents a pin: the Pi's come from hardware/wiring.py, the Pico's from its firmware.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from hardware.firmware import firmware_folder
from hardware.wiring import Wiring

OUT = Path(__file__).resolve().parent.parent / "hardware" / "drawings"

INK, PAPER, FAINT = "#22303c", "#ffffff", "#8a97a3"
RED, BLACK, GREEN, BLUE, ORANGE, VIOLET = (
    "#c62828", "#2b2b2b", "#2e7d32", "#1565c0", "#ef6c00", "#6a1b9a",
)  # fmt: skip

PITCH = 22
"""Between two pins, in pixels."""

BCM_TO_PIN = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19,
    9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37,
    20: 38, 21: 40,
}  # fmt: skip
"""Raspberry Pi, 40-pin header."""

GP_TO_PIN = dict(zip(
    range(16), (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20), strict=True
))  # fmt: skip
"""Raspberry Pi Pico, the side with the USB socket up, left."""


@dataclass(frozen=True)
class Wire:
    """A terminal of a part, the pin of the board that it goes to, and what it is called."""

    terminal: str
    pin: int
    colour: str
    via: str = ""
    """What sits in the wire, e.g. a resistor."""


@dataclass(frozen=True)
class Part:
    name: str
    wires: tuple[Wire, ...]
    note: str = ""


@dataclass(frozen=True)
class BoardDrawing:
    """A board of two columns of pins; a part stands on the side of its pins."""

    title: str
    name: str
    pins: dict[int, str]
    """What is printed beside each used pin, by physical number."""
    columns: tuple[tuple[int, ...], tuple[int, ...]]
    left: Sequence[Part]
    right: Sequence[Part]


def chip(name: str, dout: int, sck: int, power: int, ground: int) -> Part:
    return Part(
        f"HX711, {name}",
        (
            Wire("VCC", power, RED),
            Wire("DT", dout, BLUE),
            Wire("SCK", sck, GREEN),
            Wire("GND", ground, BLACK),
        ),
        "E+ red, E- black, A- white, A+ green",
    )


def lamp(name: str, green: int, red: int, ground: int) -> Part:
    return Part(
        name,
        (
            Wire("green", green, GREEN, "330 Ω"),
            Wire("red", red, RED, "330 Ω"),
            Wire("GND", ground, BLACK),
        ),
    )


def contact(name: str, pin: int, ground: int) -> Part:
    return Part(name, (Wire("1", pin, VIOLET), Wire("2", ground, BLACK)))


def pi_drawing(wiring: Wiring) -> BoardDrawing:
    """The header of a Pi 3, 4, 5 or Zero 2."""
    at = BCM_TO_PIN
    assert wiring.tilt is not None
    assert wiring.draw_button is not None
    assert wiring.uno_button is not None
    assert wiring.left_lamp is not None
    assert wiring.right_lamp is not None
    assert wiring.buzzer is not None
    left = (
        contact("Tilt switch", at[wiring.tilt], 9),
        contact("Draw button (optional)", at[wiring.draw_button], 9),
        contact("UNO button (optional)", at[wiring.uno_button], 25),
        chip("left tray", at[wiring.left.dout], at[wiring.left.sck], 17, 25),
        Part(
            "Buzzer, active (optional)",
            (Wire("+", at[wiring.buzzer], ORANGE), Wire("-", 39, BLACK)),
        ),
    )
    right = (
        chip("right tray", at[wiring.right.dout], at[wiring.right.sck], 1, 14),
        lamp("Left lamp (optional)", at[wiring.left_lamp.green], at[wiring.left_lamp.red], 30),
        lamp("Right lamp (optional)", at[wiring.right_lamp.green], at[wiring.right_lamp.red], 34),
    )
    names = {pin: f"GPIO {bcm}" for bcm, pin in BCM_TO_PIN.items()}
    names |= {
        1: "3.3 V",
        17: "3.3 V",
        9: "GND",
        14: "GND",
        25: "GND",
        30: "GND",
        34: "GND",
        39: "GND",
    }
    return BoardDrawing(
        "Straight to the header of a Raspberry Pi",
        "Pi header, pin 1 at the memory card's end",
        names,
        (tuple(range(1, 41, 2)), tuple(range(2, 41, 2))),
        left,
        right,
    )


def pico_drawing(pins: dict[str, object]) -> BoardDrawing:
    """A Pico, a Pico W or a Pico 2: the same places."""
    at = GP_TO_PIN
    cells, lamps = pins["CELL_PINS"], pins["LAMP_PINS"]
    assert isinstance(cells, dict)
    assert isinstance(lamps, dict)
    tilt, buzzer = pins["TILT_PIN"], pins["BUZZER_PIN"]
    assert isinstance(tilt, int)
    assert isinstance(buzzer, int)
    grounds = (3, 8, 13, 18)
    left = (
        chip("left tray", at[cells["left"][0]], at[cells["left"][1]], 36, grounds[0]),
        chip("right tray", at[cells["right"][0]], at[cells["right"][1]], 36, grounds[1]),
        contact("Tilt switch", at[tilt], grounds[2]),
        lamp("Left lamp (optional)", at[lamps["left"][0]], at[lamps["left"][1]], grounds[3]),
        lamp("Right lamp (optional)", at[lamps["right"][0]], at[lamps["right"][1]], grounds[3]),
        Part(
            "Buzzer, active (optional)",
            (Wire("+", at[buzzer], ORANGE), Wire("-", grounds[3], BLACK)),
        ),
    )
    names = {pin: f"GP{gp}" for gp, pin in GP_TO_PIN.items()}
    names |= {36: "3V3 OUT"} | dict.fromkeys(grounds, "GND")
    return BoardDrawing(
        "Through a Raspberry Pi Pico",
        "Pico, USB up",
        names,
        (tuple(range(1, 21)), tuple(range(40, 20, -1))),
        left,
        (),
    )


def firmware_pins() -> dict[str, object]:
    """The constants of the firmware's board module that name pins."""
    tree = ast.parse((firmware_folder() / "tippo" / "board.py").read_text())
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id.endswith(("_PIN", "_PINS"))
    }


# --- drawing -------------------------------------------------------------------------------

PART_W, TOP, LANE = 196, 96, 9
SIDE_GAP = 250
"""Room for the lanes between a part and the board."""


def draw(board: BoardDrawing) -> str:
    """The whole picture as SVG."""
    rows = len(board.columns[0])
    heights = [sum(_height(part) + 26 for part in side) for side in (board.left, board.right)]
    height = max(rows * PITCH + 2 * TOP, *(h + TOP + 20 for h in heights))
    board_x = PART_W + SIDE_GAP + 20
    board_w = 230
    width = board_x + board_w + (SIDE_GAP + PART_W + 20 if board.right else 90)
    board_y = TOP + max(0.0, (height - TOP - 20 - rows * PITCH) / 2)
    spots = _spots(board, board_x, board_w, board_y)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'font-family="DejaVu Sans, Arial, sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        f'<text x="20" y="36" font-size="22" font-weight="bold">{escape(board.title)}</text>',
        '<text x="20" y="60" fill="#5a6873">Every HX711 gets 3.3 V, never 5 V. '
        "Numbers in circles are the pins of the board.</text>",
    ]
    lines += _parts(board.left, 20, spots, board_x, board_x + board_w, left=True)
    lines += _parts(board.right, width - PART_W - 20, spots, board_x, board_x + board_w, left=False)
    lines += _board(board, board_x, board_w, board_y, spots)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _height(part: Part) -> float:
    return 34 + len(part.wires) * PITCH + (18 if part.note else 0)


def _spots(board: BoardDrawing, x: float, w: float, y: float) -> dict[int, tuple[float, float]]:
    return {
        pin: (x + (18 if column == 0 else w - 18), y + 14 + row * PITCH)
        for column, pins in enumerate(board.columns)
        for row, pin in enumerate(pins)
    }


def _board(
    board: BoardDrawing, x: float, w: float, y: float, spots: dict[int, tuple[float, float]]
) -> Iterator[str]:
    rows = len(board.columns[0])
    used = {wire.pin for part in (*board.left, *board.right) for wire in part.wires}
    yield (
        f'<rect x="{x}" y="{y - 8}" width="{w}" height="{rows * PITCH + 10}" rx="10" '
        f'fill="#f1f5f2" stroke="#3f6f52" stroke-width="2"/>'
    )
    yield f'<text x="{x + w / 2}" y="{y - 16}" text-anchor="middle">{escape(board.name)}</text>'
    for pin, (px, py) in spots.items():
        first = px < x + w / 2
        fill, ink = ("#ffd54f", INK) if pin in used else ("#e3e8ea", FAINT)
        yield f'<circle cx="{px}" cy="{py}" r="9" fill="{fill}" stroke="{FAINT}"/>'
        yield (
            f'<text x="{px}" y="{py + 3.5}" font-size="9.5" text-anchor="middle" '
            f'fill="{ink}">{pin}</text>'
        )
        if pin in used:
            anchor, tx = ("start", px + 14) if first else ("end", px - 14)
            yield (
                f'<text x="{tx}" y="{py + 4}" font-size="11.5" text-anchor="{anchor}">'
                f"{escape(board.pins[pin])}</text>"
            )


def _parts(
    parts: Sequence[Part],
    x: float,
    spots: dict[int, tuple[float, float]],
    board_left: float,
    board_right: float,
    *,
    left: bool,
) -> Iterator[str]:
    y = float(TOP)
    lane = 0
    for part in parts:
        h = _height(part)
        yield (
            f'<rect x="{x}" y="{y}" width="{PART_W}" height="{h}" rx="8" fill="#f6f8fa" '
            f'stroke="{INK}" stroke-width="1.5"/>'
        )
        yield (
            f'<text x="{x + PART_W / 2}" y="{y + 20}" text-anchor="middle" '
            f'font-weight="bold">{escape(part.name)}</text>'
        )
        for number, wire in enumerate(part.wires):
            ty = y + 42 + number * PITCH
            lane += 1
            yield from _wire(wire, ty, x, lane, spots, board_left, board_right, left=left)
        if part.note:
            yield (
                f'<text x="{x + PART_W / 2}" y="{y + h - 8}" font-size="9.8" fill="#5a6873" '
                f'text-anchor="middle">{escape(part.note)}</text>'
            )
        y += h + 26


def _wire(
    wire: Wire,
    ty: float,
    x: float,
    lane: int,
    spots: dict[int, tuple[float, float]],
    board_left: float,
    board_right: float,
    *,
    left: bool,
) -> Iterator[str]:
    px, py = spots[wire.pin]
    edge = x + PART_W if left else x
    outward = 1 if left else -1
    anchor = "end" if left else "start"
    yield (
        f'<text x="{edge - 8 * outward}" y="{ty + 4}" font-size="11.5" '
        f'text-anchor="{anchor}">{escape(wire.terminal)}</text>'
    )
    lane_x = edge + (54 + lane * LANE) * outward
    on_this_side = (px < (board_left + board_right) / 2) is left
    if on_this_side:
        path = f"M {edge} {ty} H {lane_x} V {py} H {px}"
    else:  # over the top of the board to its other side
        roof = min(y for _, y in spots.values()) - 46 - (lane % 5) * 6
        beyond = (board_right + 26 + (lane % 5) * 7) if left else (board_left - 26 - (lane % 5) * 7)
        path = f"M {edge} {ty} H {lane_x} V {roof} H {beyond} V {py} H {px}"
    yield (
        f'<path d="{path}" fill="none" stroke="{wire.colour}" stroke-width="2.2" '
        'stroke-linejoin="round"/>'
    )
    yield f'<circle cx="{edge}" cy="{ty}" r="4" fill="{wire.colour}"/>'
    if wire.via:
        vx = edge + 12 * outward
        yield (
            f'<rect x="{min(vx, vx + 30 * outward)}" y="{ty - 7}" width="30" height="14" '
            f'fill="{PAPER}" stroke="{wire.colour}"/>'
        )
        yield (
            f'<text x="{vx + 15 * outward}" y="{ty + 3.5}" font-size="8.5" '
            f'text-anchor="middle">{escape(wire.via)}</text>'
        )


def drawings() -> dict[str, str]:
    """Every diagram by the name of its file."""
    return {
        "gpio.svg": draw(pi_drawing(Wiring())),
        "pico.svg": draw(pico_drawing(firmware_pins())),
    }


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    for name, drawing in drawings().items():
        (OUT / name).write_text(drawing, encoding="utf-8")
