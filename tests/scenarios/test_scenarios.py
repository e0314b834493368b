"""Every scenario holds, and no rule is without one."""

import re
from pathlib import Path

import pytest

from companion.games.rulebook import RULES
from tests.scenarios.scenario import HERE, Scenario, differences, everything, play, read

ROOT = HERE.parent.parent
SCENARIOS = everything()

# A rule is cited as a string of its own ("T11") or in brackets after what it decides (T11, T12).
_CITED = re.compile(r'"([UTCHR]\d{1,2})"|\(((?:[UTCHR]\d{1,2}(?:, | and |-)?)+)[);]')
_RULE = re.compile(r"[UTCHR]\d{1,2}")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_scenario_keeps_its_promise(scenario: Scenario) -> None:
    play(scenario)


def cited_rules(source: Path) -> set[str]:
    """The rules that a module cites; R is also a colour, so R rules count in Rummy Up only."""
    found = set()
    for match in _CITED.finditer(source.read_text(encoding="utf-8")):
        found.update(_RULE.findall(match[0]))
    rummy = "rummy" in str(source)
    return {rule for rule in found if rule in RULES and (rummy or not rule.startswith("R"))}


@pytest.mark.parametrize(
    "source",
    [path for path in sorted((ROOT / "companion").rglob("*.py")) if path.name != "rulebook.py"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_rule_that_code_cites_has_a_scenario(source: Path) -> None:
    proven = {rule for scenario in SCENARIOS for rule in scenario.rules}
    assert not cited_rules(source) - proven


@pytest.mark.parametrize("sheet", sorted((ROOT / "docs/rules").glob("*.md")), ids=lambda p: p.stem)
def test_a_rule_that_a_rule_book_lists_has_a_scenario_in_that_game(sheet: Path) -> None:
    listed = set(re.findall(r"^\| ([UTCHR]\d+) \|", sheet.read_text(encoding="utf-8"), re.M))
    proven = {
        rule
        for scenario in SCENARIOS
        if scenario.path.parent.name == sheet.stem
        for rule in scenario.rules
    }
    assert listed
    assert not listed - proven


@pytest.mark.parametrize("sheet", sorted((ROOT / "docs/rules").glob("*.md")), ids=lambda p: p.stem)
def test_a_scenario_that_a_rule_book_names_is_there(sheet: Path) -> None:
    named = re.findall(r"`([UTCHRP]\d+_\w+)`", sheet.read_text(encoding="utf-8"))
    there = {
        scenario.path.stem for scenario in SCENARIOS if scenario.path.parent.name == sheet.stem
    }
    assert not set(named) - there


def test_a_difference_is_shown_with_its_path() -> None:
    wanted = {"a": [1, {"b": True}], "c": None}
    assert list(differences(wanted, {"a": [1, {"b": True, "x": 0}], "c": None})) == []
    assert list(differences(wanted, {"a": [1, {"b": 1}]})) == [
        ".a[1].b is 1, not true",
        ".c is missing",
    ]
    assert list(differences([1], [1, 2])) == [" is [1, 2], not [1]"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("T1_x", "no promise"),
        ("T1_x", "# T1: no full stop"),
        ("T2_x", "# T1: Another rule than the name's."),
        ("T1_x", '# T1: An answer to nothing.\n=> {"ok": true}'),
    ],
)
def test_a_scenario_that_breaks_the_format_is_refused(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / f"{name}.scenario"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=name):
        read(path)
