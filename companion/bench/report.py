"""The rows that every measurement adds to: a figure, its unit, its aim and a peer's figure.

It never measures anything itself.
"""

from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure; `aim` and `peer` are shown beside it as given."""

    area: str
    name: str
    value: float
    unit: str
    aim: str = ""
    peer: str = ""

    @property
    def text(self) -> str:
        whole = self.value == int(self.value)
        digits = 0 if whole or abs(self.value) >= 100 else 2 if abs(self.value) >= 1 else 4
        return f"{self.value:,.{digits}f} {self.unit}".rstrip()


@dataclass(slots=True)
class Report:
    """Collects figures and notes in the order in which they were measured."""

    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def figure(
        self, area: str, name: str, value: float, unit: str, *, aim: str = "", peer: str = ""
    ) -> None:
        self.figures.append(Figure(area, name, value, unit, aim, peer))

    def note(self, text: str) -> None:
        """A line below the figures: what a peer was missing, where to look further."""
        self.notes.append(text)

    def print_to(self, console: Console) -> None:
        table = Table("what", "figure", "aim", "beside it")
        area = ""
        for figure in self.figures:
            if figure.area != area:
                area = figure.area
                table.add_section()
                table.add_row(f"[bold]{area}[/bold]")
            table.add_row(f"  {figure.name}", figure.text, figure.aim, figure.peer)
        console.print(table)
        for note in self.notes:
            console.print(note)
