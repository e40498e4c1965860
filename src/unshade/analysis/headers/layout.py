"""Structures of host languages with the layout of buffers: every byte is a field or padding.

    cbuffer U { float4 light[4]; int n; float w[3]; float b; };

    light    +0    float   [4][4]           an element of an array begins a register of 16 bytes
    n        +64   int
    (12)     +68
    w        +80   float   [9]              b lies in the register of w[2]: w[i] is element 4 i
    b        +116  float
    (8)      +120                           up to the size of the buffer

A matrix is an array of its rows, or of its columns if they are stored one after the other. If the
last element of an array shares its padding with the next member, the array is declared as an array
of scalars; an array of structures is declared one element shorter, and its last element becomes a
separate field. A structure is *packed* if the language would align a field differently.
"""

from collections.abc import Iterable, Sequence
from math import prod

from ...dataclass import dataclass, field
from ...model.resources import ConstantBuffer, TypeDescription
from ...tuples import NamedTuple
from ...vocab.words import BufferKind, TypeClass

__all__ = ["HostField", "HostScalar", "HostStructure", "LayoutBuilder", "scalar_of"]

SIZES = (1, 2, 4, 8)
FLOATS = ("float", "half", "double", "min16float", "min10float", "min8float", "snorm", "unorm")
SIGNED = ("int", "min16int", "min12int", "short", "long", "char")
NUMERIC = (TypeClass.SCALAR, TypeClass.VECTOR, TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS)
POINTER = "pointer"  # the scalar of an address of a buffer
MATRICES = (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS)


class HostScalar(NamedTuple):
    """A scalar: its kind (float, int, uint, or byte for padding) and size."""

    kind: str
    size: int


BYTE = HostScalar("byte", 1)
ADDRESS = HostScalar("uint", 8)  # of a buffer, by which shaders of Vulkan read it


@dataclass(slots=True)
class HostField:
    """A member: a scalar or a structure, or an array of them.

    Attributes:
        name: The name in the source; empty for padding.
        offset: In bytes.
        type: A scalar or a structure.
        dims: Sizes of the array, outermost first.
        size: In bytes.
        declared: The declaration in the source.
        note: A remark about the layout.
    """

    name: str
    offset: int
    type: "HostScalar | HostStructure"
    dims: list[int]
    size: int
    declared: str = ""
    note: str = ""


@dataclass(slots=True)
class HostStructure:
    """A structure of `size` bytes.

    Attributes:
        name: The name in the source.
        size: In bytes, padding included.
        fields: Members and padding, in order, without gaps.
        notes: Sentences about members that the structure omits.
        align: Greatest alignment of a field.
        packed: True if fields are not aligned as languages align them.
        origin: The buffer, as `buffer U`, or "" for the type of a member.
    """

    name: str
    size: int
    fields: list[HostField] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    align: int = 1
    packed: bool = False
    origin: str = ""

    @property
    def members(self) -> list[HostField]:
        """The fields other than padding."""
        return [each for each in self.fields if each.name]


class LayoutBuilder:
    """The structures of some buffers, in the order in which they can be declared."""

    def __init__(self) -> None:
        self.structures: list[HostStructure] = []
        self._known: dict[object, HostStructure] = {}

    def buffer(self, buffer: ConstantBuffer) -> HostStructure:
        """Add the structure of a buffer, and the structures of its members before it."""
        members = [(each.name, each.offset, each.type, each.size) for each in buffer.variables]
        whole = _only_structure(buffer)
        if whole is not None:
            found = self._structure(whole, max(buffer.size, whole.size), buffer.name)
        else:
            found = self._made(buffer.name, members, buffer.size)
            for each in self.structures[:-1]:
                if (each.name, each.size, each.fields) == (found.name, found.size, found.fields):
                    self.structures.pop()  # the same buffer of another entry point
                    found = each
                    break
        if not found.origin:
            found.origin = f"{str(buffer.kind).replace('_', ' ')} {buffer.name}"
        return found

    def _made(
        self, name: str, members: Iterable[tuple[str, int, TypeDescription, int]], size: int
    ) -> HostStructure:
        made = HostStructure(name, size)
        listed = sorted(members, key=lambda each: each[1])
        at = 0
        for number, (member, offset, type, stated) in enumerate(listed):
            end = listed[number + 1][1] if number + 1 < len(listed) else size
            declared = type.declaration(member)
            if type.elements and type.elements[0] == 0:
                self._open_array(made, type, declared, offset)
                continue
            if offset < at or offset >= size:
                made.notes.append(f"{declared} at {offset} shares bytes with another member")
                continue
            found = self._fields(member, offset, type, max(end, offset) - offset, stated)
            if not found:
                shared = "shares bytes with another member" if type.size else "has no bytes"
                made.notes.append(f"{declared} at {offset} {shared}")
                continue
            _pad(made, at, offset)
            found[0].declared = declared
            made.fields += found
            at = found[-1].offset + found[-1].size
        _pad(made, at, size)
        made.align = max((_align(each.type) for each in made.fields), default=1)
        made.packed = size % made.align != 0 or any(
            each.offset % _align(each.type) for each in made.fields
        )
        if made.packed:
            made.align = 1
        self.structures.append(made)
        return made

    def _open_array(
        self, made: HostStructure, type: TypeDescription, declared: str, offset: int
    ) -> None:
        """Describe an array whose size is set at run time; declare the type of its elements."""
        stride = type.strides[0] if type.strides else type.size
        made.notes.append(f"{declared} follows at {offset}, {stride} bytes each")
        if type.type_class == TypeClass.STRUCT:
            self._structure(type, stride)

    def _structure(self, type: TypeDescription, size: int, name: str = "") -> HostStructure:
        """Return the structure of a type, with its size in an array or a buffer."""
        key = (type.name, _members(type), size)
        if key not in self._known:
            members = [(each.name, each.offset, each.type, 0) for each in type.members]
            self._known[key] = self._made(type.name or name or "Structure", members, size)
        return self._known[key]

    def _fields(
        self, name: str, offset: int, type: TypeDescription, room: int, stated: int
    ) -> list[HostField]:
        """Return the fields for a member of at most `room` bytes; none if the member is empty."""
        count, stride = prod(type.elements), (type.strides or [0])[-1]
        size = type.size
        if type.type_class == TypeClass.STRUCT and size:
            return self._structures(name, offset, type, room)
        address = type.scalar == POINTER and type.size == ADDRESS.size
        scalar = scalar_of(type) if type.type_class in NUMERIC else ADDRESS if address else None
        tight = count * stride - (stride - size) if type.elements else size
        if not tight:
            tight = stated
        if not tight or tight > room:
            return []
        if scalar is None or tight % scalar.size or stride % scalar.size:
            return [HostField(name, offset, BYTE, [tight], tight, note="as bytes")]
        inner, block = _inner(type, scalar, stride)
        full = count * block
        regular = all(
            one == more * below
            for one, more, below in zip(
                type.strides, type.elements[1:], type.strides[1:], strict=False
            )
        )
        if regular and full <= room:
            dims = [*type.elements, *inner]
            return [HostField(name, offset, scalar, dims, full, note=_note(type, inner))]
        note = f"an element begins every {stride // scalar.size}" if type.elements else ""
        if not type.elements and type.matrix_stride:
            note = f"a {_vector(type)} begins every {type.matrix_stride // scalar.size}"
        return [HostField(name, offset, scalar, [tight // scalar.size], tight, note=note)]

    def _structures(
        self, name: str, offset: int, type: TypeDescription, room: int
    ) -> list[HostField]:
        if not type.elements:
            if type.size > room:
                return []
            return [HostField(name, offset, self._structure(type, type.size), [], type.size)]
        count, stride = prod(type.elements), type.strides[-1]
        if count * stride <= room:
            inner = self._structure(type, stride)
            return [HostField(name, offset, inner, list(type.elements), count * stride)]
        tight = count * stride - (stride - type.size)
        if tight > room:
            return []
        last = self._structure(type, type.size)
        end = offset + (count - 1) * stride
        final = HostField(f"{name}_last", end, last, [], type.size, note="the last element")
        if count == 1:
            return [final]
        inner = self._structure(type, stride)
        note = "" if len(type.elements) == 1 else f"of {type.declaration(name)}, one after another"
        head = HostField(name, offset, inner, [count - 1], (count - 1) * stride, note=note)
        return [head, final]


def _only_structure(buffer: ConstantBuffer) -> TypeDescription | None:
    """Return the type of an element that is one structure, which needs no other around it."""
    if buffer.kind != BufferKind.ELEMENT or len(buffer.variables) != 1:
        return None
    only = buffer.variables[0].type
    is_struct = only.type_class == TypeClass.STRUCT and not only.elements and only.size
    return only if is_struct else None


def _pad(made: HostStructure, at: int, end: int) -> None:
    if end > at:
        made.fields.append(HostField("", at, BYTE, [end - at], end - at))


def _align(type: HostScalar | HostStructure) -> int:
    return type.size if isinstance(type, HostScalar) else type.align


def _shape(type: TypeDescription) -> object:
    """Return what determines the declaration of a member, to compare types of two buffers."""
    return (
        type.name, str(type.type_class), type.scalar, type.rows, type.columns, tuple(type.elements),
        type.size, tuple(type.strides), type.matrix_stride, _members(type),
    )  # fmt: skip


def _members(type: TypeDescription) -> object:
    """Return the shapes of the members of a structure, whether it is in an array or not."""
    return tuple((each.name, each.offset, _shape(each.type)) for each in type.members)


def scalar_of(type: TypeDescription) -> HostScalar | None:
    """Return the scalar of a numeric type, by its name and sizes; None if no scalar fits."""
    size, count = type.size, type.columns
    if type.type_class in MATRICES:
        vectors, count = _vectors(type)
        size -= (vectors - 1) * (type.matrix_stride or 0)
    if count < 1 or size % count or size // count not in SIZES:
        return None
    name = type.scalar.rstrip("0123456789_t") or type.scalar
    kind = "float" if name in FLOATS or type.scalar in FLOATS else "uint"
    if type.scalar in SIGNED or name in SIGNED:
        kind = "int"
    width = size // count
    return HostScalar("uint" if kind == "float" and width == 1 else kind, width)


def _vectors(type: TypeDescription) -> tuple[int, int]:
    """Return the number of vectors that a matrix is stored as, and their components."""
    by_rows = type.type_class == TypeClass.MATRIX_ROWS
    return (type.rows, type.columns) if by_rows else (type.columns, type.rows)


def _vector(type: TypeDescription) -> str:
    return "row" if type.type_class == TypeClass.MATRIX_ROWS else "column"


def _inner(type: TypeDescription, scalar: HostScalar, stride: int) -> tuple[list[int], int]:
    """Return the sizes of the array for an element, and the size of an element in bytes."""
    if (
        type.type_class in MATRICES
        and type.matrix_stride
        and not (type.matrix_stride % scalar.size)
    ):
        vectors, _ = _vectors(type)
        block = vectors * type.matrix_stride
        if not stride or stride == block:
            return [vectors, type.matrix_stride // scalar.size], block
    block = stride or type.size
    return ([block // scalar.size] if block > scalar.size else []), block


def _note(type: TypeDescription, inner: Sequence[int]) -> str:
    """Return a remark on an array whose elements have more components than the type."""
    if type.type_class in MATRICES:
        return f"an array of {_vector(type)}s"
    wide = inner and inner[-1] > type.columns
    return f"{type.columns} of {inner[-1]} used" if wide else ""
