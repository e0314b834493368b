"""The catalogue of adversities: each has a name, a sentence, and what it does to a table.

They are seeded each on its own and may be mixed; none is at work unless it is asked for by name.
"""

from collections.abc import Mapping
from types import MappingProxyType

from companion.errors import BadInput
from sim.faults.adversity import Adversity, Table
from sim.faults.cells import CELLS
from sim.faults.hands import HANDS
from sim.faults.scale import SCALE
from sim.faults.wires import WIRES

__all__ = ["CATALOGUE", "Adversity", "Table", "named"]

CATALOGUE: Mapping[str, Adversity] = MappingProxyType(
    {adversity.name: adversity for adversity in (*HANDS, *SCALE, *CELLS, *WIRES)}
)


def named(name: str) -> Adversity:
    """The adversity of this name.

    Raises:
        BadInput: there is none.
    """
    if name not in CATALOGUE:
        raise BadInput(f"there is no fault {name!r}: `tippo simulate --list-faults` shows them")
    return CATALOGUE[name]
