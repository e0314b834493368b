"""What a check has found, as a value: a topic, a grade, what it says and what to do.

It never judges anything itself: see `companion.workbench.cells` and its neighbours.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum


class Grade(StrEnum):
    OK = "OK"
    WARN = "WARN"
    FAIL = "FAIL"


GRADES = list(Grade)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; ``advice`` says what to do where it is not OK."""

    topic: str
    grade: Grade
    says: str
    advice: str = ""
    measured: dict[str, float] = field(default_factory=dict)


def worst(findings: Iterable[Finding]) -> Grade:
    """The worst grade of all."""
    return max((finding.grade for finding in findings), key=GRADES.index, default=Grade.OK)


def ok(topic: str, says: str, **measured: float) -> Finding:
    return Finding(topic, Grade.OK, says, "", measured)


def warn(topic: str, says: str, advice: str, **measured: float) -> Finding:
    return Finding(topic, Grade.WARN, says, advice, measured)


def fail(topic: str, says: str, advice: str, **measured: float) -> Finding:
    return Finding(topic, Grade.FAIL, says, advice, measured)
