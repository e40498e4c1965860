"""The memories, ports and variables of kernels.

    element      0          1          2
              +----------+----------+----------+---
              |  stride  |  stride  |  stride  |  …     load u0[element, byte]
              +----------+----------+----------+---

A memory is an array of elements of `stride` bytes. An access specifies an element by its index, and
a byte in the element, both unsigned; the access is valid if the element exists and the value lies
within the element. This is how Direct3D checks structured buffers; raw buffers (stride 4), constant
buffers (stride 16), typed views (an element is a texel of four 32-bit components) and arrays of
registers are special cases. Values need not be aligned, but aligned accesses are faster.
"""

from collections.abc import Hashable

from ..dataclass import dataclass
from ..enums import StrEnum
from ..vocab.slots import Exchange, MemorySlot, PortPart, PortSlot
from ..vocab.words import Interpolation, SystemValue
from .locations import SymbolName
from .types import Type


class Space(StrEnum):
    """The scope of a memory: the lanes that share it."""

    CONSTANT = "constant"  # bound, read only, the same for all lanes
    BUFFER = "buffer"  # bound; may be writable
    SHARED = "shared"  # of a thread group, zero at its start
    LOCAL = "local"  # of one lane, zero at its start
    TABLE = "table"  # part of the kernel


class Bounds(StrEnum):
    """The effect of an invalid access; both engines can also report it."""

    ZERO = "zero"  # reads 0, writes nothing: Direct3D
    CLAMP = "clamp"  # clamped to the last element and byte: Vulkan's robust access


@dataclass(slots=True, eq=False)
class Memory:
    """An array of elements; `count` is None if the bound data determine it.

    `each` is the number of elements per lane, if they are its vertices or control points
    (lowered.Points), else 0. Locations in `raw` memories are counted in bytes. Both only affect how
    locations are named, not accesses. Traces do not show `internal` memories, which are not part of
    the program's text. `slot` is the binding; `name` is a label. `gives` are the names in the
    source of the elements, if they are scalars of variables.
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
    gives: tuple[SymbolName, ...] = ()

    @property
    def key(self) -> Hashable:
        """The key that bindings use: the slot, or else the name."""
        return self.name if self.slot is None else self.slot

    @property
    def label(self) -> SymbolName:
        """The name."""
        return SymbolName(self.name)

    def __repr__(self) -> str:
        return f"%{self.name}"


def byte_offset(memory: Memory, count: int, element: int, byte: int, size: int) -> int | None:
    """Return the byte offset of an access in a memory of `count` elements; None if invalid."""
    if memory.bounds is Bounds.CLAMP and count and size <= memory.stride:
        element, byte = min(element, count - 1), min(byte, memory.stride - size)
    if element >= count or byte + size > memory.stride:
        return None
    return element * memory.stride + byte


@dataclass(slots=True, eq=False)
class Port:
    """A component of an input from the previous stage or an output to the next.

    `interpolation` is for inputs of pixel shaders, `meaning` the system value of a location.
    `slot` is its location; `name` is a label, and `row` the label of the register it is part of.
    In a kernel that becomes a source, an input may stand for the specialisation constant with an id
    `constant`.
    """

    name: str
    type: Type
    meaning: SystemValue | None = None
    interpolation: Interpolation | None = None
    slot: PortSlot | None = None
    row: str = ""
    constant: int | None = None

    @property
    def key(self) -> Hashable:
        """The key that arguments use: the slot, or else the name."""
        return self.name if self.slot is None else self.slot

    @property
    def role(self) -> SystemValue | None:
        """The system value of the port: its meaning, or the built-in in place of a location."""
        if self.meaning is None and self.slot is not None:
            return self.slot.place if isinstance(self.slot.place, SystemValue) else None
        return self.meaning

    @property
    def internal(self) -> bool:
        """True if the memory is private to kernel and caller; traces omit it."""
        slot = self.slot
        return slot is not None and (
            isinstance(slot.place, Exchange) or slot.part is not PortPart.VALUE
        )

    @property
    def label(self) -> SymbolName:
        """The name, relative to its register."""
        return _part(self.row, self.name)

    def __repr__(self) -> str:
        return f"%{self.name}"


@dataclass(slots=True, eq=False)
class Var:
    """A variable of each lane, initially zero; `internal` variables do not represent a register.

    `name` is a label, and `row` the label of the register it is part of, as for a port; `gives` is
    the source variable that it holds.
    """

    name: str
    type: Type
    internal: bool = False
    row: str = ""
    gives: SymbolName | None = None

    @property
    def label(self) -> SymbolName:
        """The name, relative to its register."""
        return _part(self.row, self.name)

    def __repr__(self) -> str:
        return f"@{self.name}"


def _part(row: str, name: str) -> SymbolName:
    inside = row and name != row and name.startswith(row)
    return SymbolName(row, name[len(row) :]) if inside else SymbolName(name)
