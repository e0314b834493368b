"""The page that describes the formats names everything that the code reads and writes, and the code
cites no fine print that the page does not have."""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from companion.events import FaultKind, Sensed, SensedEvent
from companion.games.commands import Command
from companion.games.decode import decode_command
from companion.games.game import Game
from companion.games.referee import Code, Phase
from companion.games.rulings import ORDER, Ruling
from companion.table.taps import OwnTap

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")


def section(begins: str, ends: str) -> str:
    """The page from a heading up to the next text named."""
    return PAGE.split(f"\n{begins}", 1)[1].split(f"\n{ends}", 1)[0]


def rows(text: str) -> dict[str, str]:
    """The rows of a table by each of the words in their first cell."""
    found = {}
    for line in text.splitlines():
        if line.startswith("| `"):
            for word in re.findall(r"`(\w+)`", line.split("|")[1]):
                found[word] = line
    return found


def tag(struct: type[msgspec.Struct]) -> str:
    return str(struct.__struct_config__.tag)


def unnamed(struct: type[msgspec.Struct], row: str, ignored: set[str]) -> set[str]:
    """Fields that neither the row of a struct nor what is said of all of them names."""
    return {
        field.encode_name
        for field in msgspec.structs.fields(struct)
        if field.encode_name not in ignored and f"`{field.encode_name}`" not in row
    }


COMMANDS = rows(section("### Commands", "### State"))
RULINGS = rows(section("### Rulings", "### Codes"))
EVENTS = rows(section("## 3.", "## 4."))
TAPS = rows(section("## 4.", "- *Cards and taps"))


@pytest.mark.parametrize("command", get_args(Command), ids=tag)
def test_a_command_stands_there_with_its_fields(command: type[msgspec.Struct]) -> None:
    # `force` of a start is said in its sentence, and 'do' of every command above the table.
    assert not unnamed(command, COMMANDS[tag(command)].replace('"force": true', "force"), {"do"})


@pytest.mark.parametrize("ruling", get_args(Ruling), ids=tag)
def test_a_ruling_stands_there_with_its_fields(ruling: type[msgspec.Struct]) -> None:
    assert not unnamed(ruling, RULINGS[tag(ruling)], {"rule"})


@pytest.mark.parametrize("event", get_args(Sensed), ids=tag)
def test_a_sensed_event_stands_there_with_its_fields(event: type[msgspec.Struct]) -> None:
    common = {field.encode_name for field in msgspec.structs.fields(SensedEvent)}
    assert not unnamed(event, EVENTS[tag(event)], common)


@pytest.mark.parametrize("tap", get_args(OwnTap), ids=tag)
def test_a_tap_of_the_tables_own_stands_there_with_its_fields(tap: type[msgspec.Struct]) -> None:
    assert not unnamed(tap, TAPS[tag(tap)], set())


def test_every_reason_of_a_refusal_every_phase_and_every_fault_has_its_word() -> None:
    codes = section("### Codes", "### Fine print: all games")
    assert not {code for code in Code if f"`{code}`" not in codes}
    assert not {phase for phase in Phase if f"`{phase}`" not in section("### State", "### Rulings")}
    assert not {kind for kind in FaultKind if f"`{kind}`" not in section("## 3.", "## 4.")}


def test_the_order_of_rulings_is_the_pages() -> None:
    said = re.search(r"\n11\. .*?:\*(.*?);", section("### Fine print: all games", "12."), re.S)
    assert said is not None
    assert re.findall(r"`(\w+)`", said[1]) == [tag(ruling) for ruling in ORDER]


@pytest.mark.parametrize("game", ["tippo", "classic", "battle", "rummy_up"])
def test_every_field_of_a_state_stands_there(game: str) -> None:
    given: Any = decode_command({"do": "start", "game": game, "players": ["Ann", "Bob"]})
    begun = Game.begin(given)
    assert isinstance(begun, Game)
    said = section("### State", "### Rulings")
    assert not {field for field in begun.state.as_json() if f"`{field}`" not in said}


def test_no_fine_print_is_cited_that_is_not_there() -> None:
    there = {int(number) for number in re.findall(r"^(\d+)\. ", PAGE, re.M)}
    sources = [*(ROOT / "companion").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    text = "\n".join(source.read_text(encoding="utf-8") for source in sources)
    cited = {int(number) for number in re.findall(r"protocol,?(?: fine print)? (\d+)\b", text)}
    assert len(cited) > 3
    assert cited <= there
