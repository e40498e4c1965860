"""The parts of a source that a target makes the text of."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..ir.kernel import KernelIR
from ..ir.lowered import Lowered
from ..model import Reflection
from .interface import EntryInterface, EntryParameter
from .kinds import Kinds
from .names import DecompiledNames
from .points import PointSets
from .resources.context import ResourceContext
from .structure import assigned
from .tree import Assign, Line, literal, name

__all__ = ["SourceParts", "initial"]


@dataclass(slots=True)
class SourceParts:
    """A program before it is printed: what it declares, and the lines of its entry point."""

    lowered: Lowered
    kernel: KernelIR
    reflection: Reflection | None
    names: DecompiledNames
    interface: EntryInterface
    places: list[EntryParameter]  # positions of the lane
    points: PointSets
    resources: ResourceContext
    kinds: Kinds
    body: list[Line]
    exact: bool
    numbers: bool  # comments with the lines of the listing
    idioms: list[str] = field(default_factory=list)


def initial(parts: SourceParts) -> Iterator[Line]:
    """Yield the assignments of initial values, zero, to outputs that need one."""
    given = assigned(parts.body)
    for each in parts.interface.outputs:
        if given.get(each.name, 0) != (1 << each.type.width) - 1:
            yield Assign(name(each.name, each.type), literal((0,), each.type.wide(1)))
