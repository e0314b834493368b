"""What can be said of a board from outside: libraries, rights, who holds it, what it counted.

It never opens a board itself and never judges readings.
"""

import grp
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from companion.errors import BoardError, in_two
from companion.events import Sensor
from companion.ports import Scale
from hardware.firmware import firmware_folder, firmware_version
from hardware.gpio.board import GpioScale
from hardware.gpio.library import PinLibrary, find_pin_library
from hardware.holders import holders
from hardware.pico.board import PicoScale
from hardware.pico.port import BY_ID, picos

UDEV_RULE = Path("/etc/udev/rules.d/60-tippo-pico.rules")


@dataclass(frozen=True, slots=True)
class Fact:
    """The shape of a finding of `tippo doctor`."""

    topic: str
    grade: Literal["OK", "WARN", "FAIL"]
    says: str
    advice: str = ""


def before_opening(board: str, port: str | None = None) -> Iterator[Fact]:
    """What may keep the board from being opened; `port` as the settings name it, if they do."""
    if board == "gpio":
        yield from gpio_rights()
    elif board == "pico":
        yield from pico_ports([Path(port)] if port is not None else picos(BY_ID))
        yield from modem_manager()


def after_listening(scale: Scale) -> Iterator[Fact]:
    """What the board counted while it was listened to."""
    match scale:
        case GpioScale():
            for sensor, reader in scale.readers.items():
                yield reader_fact(sensor, reader.counters.restarts, reader.counters.late)
        case PicoScale():
            yield from stream_facts(scale)


def gpio_rights(devices: Path = Path("/dev")) -> Iterator[Fact]:
    """The pin library, and whether it may use the pins."""
    try:
        library = find_pin_library()
    except BoardError as error:
        yield Fact("pin library", "FAIL", *in_two(str(error)))
    else:
        yield _library(library)
    chips = sorted(devices.glob("gpiochip*")) + sorted(devices.glob("gpiomem*"))
    usable = [chip for chip in chips if os.access(chip, os.R_OK | os.W_OK)]
    mine = ", ".join(sorted(_groups()))
    if not chips:
        yield Fact("pins", "FAIL", "this machine has no header pins", "use a Pico: --board pico")
    elif not usable:
        yield Fact(
            "pins",
            "FAIL",
            f"they may not be used; you are in the groups {mine}",
            "sudo usermod -aG gpio $USER, then log in anew",
        )
    else:
        yield Fact("pins", "OK", f"{usable[0]} may be used; groups {mine}")
    for chip in chips:
        others = _others(chip)
        if others:
            yield Fact(
                "pins",
                "WARN",
                f"{chip} is held by {', '.join(others)}",
                "end it if it uses the pins of the scale",
            )


def _library(library: PinLibrary) -> Fact:
    says = f"{library}, with gpiozero"
    if not library.beside:
        return Fact("pin library", "OK", says)
    return Fact(
        "pin library",
        "WARN",
        f"{says}; {library.beside} is installed as well, and whichever came last is what runs",
        f"pip uninstall {library.beside}, then install {library.name} anew",
    )


def _others(device: Path) -> list[str]:
    """Who else has a device open."""
    return [name for name in holders(device) if not name.endswith(f"({os.getpid()})")]


def _groups() -> set[str]:
    names = set()
    for group in os.getgroups():
        try:
            names.add(grp.getgrgid(group).gr_name)
        except KeyError:  # a group without a name
            names.add(str(group))
    return names


def pico_ports(links: Sequence[Path]) -> Iterator[Fact]:
    """Whether one of these ports is there, free and permitted."""
    if not links:
        yield Fact(
            "port",
            "FAIL",
            "no Pico is plugged in",
            "look at its cable (some only charge); 'tippo firmware install' says how to begin",
        )
    for link in links:
        others = _others(link)
        if not os.path.lexists(link):
            yield Fact(
                "port",
                "FAIL",
                f"{link} is not there",
                "look at the Pico's cable, or at `port` in the settings",
            )
        elif not os.access(link, os.R_OK | os.W_OK):
            yield Fact(
                "port",
                "FAIL",
                f"{link} may not be opened",
                "sudo usermod -aG dialout $USER, then log in anew",
            )
        elif others:
            yield Fact("port", "FAIL", f"{link} is in use by {', '.join(others)}", "end it")
        else:
            yield Fact("port", "OK", str(link))


def modem_manager(proc: Path = Path("/proc"), rule: Path = UDEV_RULE) -> Iterator[Fact]:
    """ModemManager takes a new port for a modem, unless a rule tells it not to."""
    running = any(_named(process, "ModemManager") for process in proc.glob("[0-9]*"))
    if running and not rule.exists():
        yield Fact(
            "ModemManager",
            "WARN",
            "it talks to the Pico for half a minute after it is plugged in",
            f"tippo firmware rule | sudo tee {UDEV_RULE}, then plug the Pico in anew",
        )


def _named(process: Path, name: str) -> bool:
    try:
        return (process / "comm").read_text().strip() == name
    except OSError:  # it ended meanwhile
        return False


def reader_fact(sensor: Sensor, restarts: int, late: int) -> Fact:
    """What the reader of one chip had to put up with."""
    says = f"{restarts} restarts, {late} words read too late"
    if late > 10:
        return Fact(f"{sensor} reader", "WARN", says, "the machine is busy: end other programs")
    return Fact(f"{sensor} reader", "OK", says)


def stream_facts(scale: PicoScale) -> Iterator[Fact]:
    """Which firmware talks, and how well its lines arrive."""
    banner, counters = scale.stream.banner, scale.stream.counters
    if banner is not None:
        ours = firmware_version(firmware_folder())
        says = f"firmware {banner.firmware}, protocol {banner.protocol}, board {banner.board_id}"
        if banner.firmware == ours:
            yield Fact("firmware", "OK", says)
        else:
            yield Fact(
                "firmware", "WARN", f"{says}; ours is {ours}", "run 'tippo firmware install'"
            )
    kinds = [f"{count} {fault.value}" for fault, count in counters.faults.items()]
    others = {
        "lines missing": counters.missing,
        "lines repeated": counters.repeated,
        "jumps of the board's clock": counters.clock_jumps,
        "restarts of the board": counters.restarts,
    }
    kinds += [f"{count} {what}" for what, count in others.items() if count]
    if scale.losses:
        kinds.append(f"{scale.losses} losses of the port")
    bad = counters.bad_lines() + counters.missing
    says = f"{counters.lines} lines" + (f"; {'; '.join(kinds)}" if kinds else ", none damaged")
    if scale.losses or bad > 0.02 * max(counters.lines, 1):
        yield Fact("line", "WARN", says, "use another USB cable or socket, without a hub")
    else:
        yield Fact("line", "OK", says)
