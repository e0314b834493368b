"""The page that leads a newcomer through the house names every room of it."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
ROOMS, TESTS = PAGE.split("## Where a test goes")


def modules(folder: Path) -> list[Path]:
    """The modules and packages right in a folder."""
    found = [path for path in folder.iterdir() if path.suffix == ".py" and path.stem[0] != "_"]
    return sorted(found + [path.parent for path in folder.glob("*/*.py")])


@pytest.mark.parametrize(
    "room", sorted({path.name for path in modules(ROOT / "companion")}), ids=str
)
def test_a_room_of_the_companion_stands_in_the_table(room: str) -> None:
    assert f"{room}`" in ROOMS or f"/{room}/`" in ROOMS


@pytest.mark.parametrize("room", ["hardware", "sim", "firmware"])
def test_a_room_beside_the_companion_stands_in_the_table(room: str) -> None:
    assert f"| `{room}/` |" in ROOMS


@pytest.mark.parametrize(
    "place", sorted({path.name for path in modules(ROOT / "tests") if path.is_dir()}), ids=str
)
def test_a_folder_of_tests_says_what_is_tested_there(place: str) -> None:
    assert f"| `tests/{place}/` |" in TESTS
