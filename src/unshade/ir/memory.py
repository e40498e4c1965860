"""What a kernel reads and writes beside its variables: memories, ports, textures.

    element      0          1          2
              +----------+----------+----------+---
              |  stride  |  stride  |  stride  |  …     load u0[element, byte]
              +----------+----------+----------+---

A memory is an array of elements of `stride` bytes. An access names the element and the byte in it;
it is valid if the element exists and the value lies within the element: this is how Direct3D checks
structured buffers, and raw buffers (stride 4), constant buffers (stride 16), typed views (a texel
an element, four 32-bit components) and arrays of registers are special cases. Both numbers count as
unsigned. A value need not be aligned; whoever keeps to the size of the value is faster.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum

from ..vocab.slots import Exchange, MemorySlot, PortSlot
from ..vocab.words import Interpolation, SystemValue
from .locations import SymbolName
from .types import Type


class Space(StrEnum):
    """Who shares a memory."""

    CONSTANT = "constant"  # bound, read only, the same for all lanes
    BUFFER = "buffer"  # bound; writable where the memory says so
    SHARED = "shared"  # of a thread group, zero at its start
    LOCAL = "local"  # of one lane, zero at its start
    TABLE = "table"  # part of the kernel


class Bounds(StrEnum):
    """What an access does that is not valid; both engines can report it, too."""

    ZERO = "zero"  # reads 0, writes nothing: Direct3D
    CLAMP = "clamp"  # goes to the last element, and the last place in it: robust access of Vulkan


@dataclass(slots=True, eq=False)
class Memory:
    """An array of elements; `count` None where whoever binds it decides.

    `each` is how many elements belong to one lane, where they are its vertices or control points
    (lowered.Points); 0 otherwise. `raw` memories have places that are counted in bytes. Both say
    what places are called, and change no access. `internal` ones are no part of the program's
    text: no trace shows them. `slot` says what it is to whoever binds it; `name` is a label.
    """

    name: str
    space: Space
    stride: int
    count: int | None = None
    writable: bool = False
    bounds: Bounds = Bounds.ZERO
    data: bytes = b""  # of a table
    each: int = 0
    slot: MemorySlot | None = None
    raw: bool = False
    internal: bool = False

    @property
    def key(self) -> Hashable:
        """What it is bound by: its slot, or its name where nobody gave it one."""
        return self.name if self.slot is None else self.slot

    @property
    def label(self) -> SymbolName:
        """Its name."""
        return SymbolName(self.name)

    def __repr__(self) -> str:
        return f"%{self.name}"


@dataclass(slots=True, eq=False)
class Port:
    """One component that comes from the stage before, or goes to the next.

    `interpolation` is for the inputs of pixel shaders, `meaning` what a location is to the
    pipeline.
    `slot` is its place; `name` is a label, and `row` that of the register that it is part of.
    """

    name: str
    type: Type
    meaning: SystemValue | None = None
    interpolation: Interpolation | None = None
    slot: PortSlot | None = None
    row: str = ""

    @property
    def key(self) -> Hashable:
        """What it is given by: its slot, or its name where nobody gave it one."""
        return self.name if self.slot is None else self.slot

    @property
    def role(self) -> SystemValue | None:
        """What it is to the pipeline: its meaning, or the built-in that is its place."""
        if self.meaning is None and self.slot is not None:
            return self.slot.place if isinstance(self.slot.place, SystemValue) else None
        return self.meaning

    @property
    def internal(self) -> bool:
        """Whether kernel and caller made it for themselves: no trace shows it."""
        return self.slot is not None and isinstance(self.slot.place, Exchange)

    @property
    def label(self) -> SymbolName:
        """Its name, as a part of the register that it is of."""
        return _part(self.row, self.name)

    def __repr__(self) -> str:
        return f"%{self.name}"


@dataclass(slots=True, eq=False)
class Var:
    """A variable of each lane; zero at the start. `internal` ones stand for no register.

    `name` is a label, and `row` that of the register that it is part of, as a port has them;
    `gives` is the variable of the source that it holds.
    """

    name: str
    type: Type
    internal: bool = False
    row: str = ""
    gives: SymbolName | None = None

    @property
    def label(self) -> SymbolName:
        """Its name, as a part of the register that it is of."""
        return _part(self.row, self.name)

    def __repr__(self) -> str:
        return f"@{self.name}"


def _part(row: str, name: str) -> SymbolName:
    inside = row and name != row and name.startswith(row)
    return SymbolName(row, name[len(row) :]) if inside else SymbolName(name)
