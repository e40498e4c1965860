"""Types of a module, as the leaves that values and memories have.

    float                  f32
    v3float                f32 f32 f32
    mat2v2float            f32 f32 f32 f32           column by column
    struct { v2float; bool; uint[2]; }    f32 f32 bool i32 i32
    pointer                i32 i32                   which memory, and the address in it

A value of a type is a tuple with a scalar of `ir` for each leaf. Offsets are in leaves where the
layout of a memory is ours (variables of a lane, workgroup memory), and in bytes where decorations
specify it (blocks).
"""

from collections.abc import Sequence
from functools import cached_property

from ....errors import UnsupportedError
from ....ir.types import BOOL, FLOATS, I32, INTEGERS, Type
from ....tuples import NamedTuple
from ..constants import ConstantValues
from ..index import Definition, ModuleIndex
from ..tables.numbers import Decoration, Opcode
from ..tables.opcode_groups import ARRAYS
from .refused import refusal_of

__all__ = ["MOST", "LeafType", "LeafTypes", "MatrixLayout"]

MOST = 1 << 14  # leaves of a value
DEEPEST = 64  # nested types
ADDRESS = (I32, I32)
OPAQUE = frozenset({
    Opcode.TypeImage, Opcode.TypeSampler, Opcode.TypeSampledImage,
    Opcode.TypeAccelerationStructureKHR,
})  # fmt: skip


class MatrixLayout(NamedTuple):
    """The layout of a member's matrices, from its decorations."""

    stride: int
    row_major: bool


class LeafType:
    """A type.

    Attributes:
        id: Its id in the module.
        opcode: The number of its instruction.
        scalar: The type in `ir` of a scalar, or of the components of a vector or matrix.
        signed: True for signed integers.
        element: The component, column, element or pointee; None for others.
        count: Number of components, columns or elements; 0 for an array without a length.
        members: The members of a structure.
        storage: The storage class of a pointer.
        size: Number of leaves; 0 for an array without a length.
    """

    def __init__(self, index: ModuleIndex, definition: Definition) -> None:
        self.index = index
        self.id = definition.words[1]
        self.words = definition.words
        self.opcode = definition.opcode
        self.scalar: Type | None = None
        self.signed = False
        self.element: LeafType | None = None
        self.count = 1
        self.members: Sequence[LeafType] = ()
        self.storage = -1
        self.size = 0

    @property
    def is_pointer(self) -> bool:
        """True for a pointer."""
        return self.opcode == Opcode.TypePointer

    @property
    def is_struct(self) -> bool:
        """True for a structure."""
        return self.opcode == Opcode.TypeStruct

    @property
    def is_array(self) -> bool:
        """True for an array, with or without a length."""
        return self.opcode in ARRAYS

    def without_arrays(self) -> "tuple[list[int], LeafType]":
        """Return the lengths of the arrays around a type, outermost first, and that type."""
        lengths, inner = [], self
        while inner.is_array and inner.element is not None:
            lengths.append(inner.count)
            inner = inner.element
        return lengths, inner

    @property
    def is_opaque(self) -> bool:
        """True for an image, a sampler, or both."""
        return self.opcode in OPAQUE

    @cached_property
    def leaves(self) -> tuple[Type, ...]:
        """The types of the leaves; UnsupportedError if there are more than `MOST`."""
        if self.size > MOST:
            raise UnsupportedError(f"a value of {self.size} components; at most {MOST} can be run")
        if self.is_pointer:
            return ADDRESS
        if self.is_struct:
            return tuple(leaf for each in self.members for leaf in each.leaves)
        if self.element is not None:
            return self.element.leaves * self.count
        return (self.scalar,) if self.scalar is not None else ()

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The number of leaves before each member of a structure."""
        found, at = [], 0
        for each in self.members:
            found.append(at)
            at += each.size
        return tuple(found)

    def at(self, index: int) -> "LeafType":
        """Return the type of a member or element."""
        if self.is_struct:
            if not 0 <= index < len(self.members):
                raise UnsupportedError(f"no such member: {index} of type %{self.id}")
            return self.members[index]
        if self.element is None:
            raise UnsupportedError(f"type %{self.id} has no elements")
        return self.element

    def leaf(self, index: int) -> int:
        """Return the number of leaves before a member or element."""
        if self.is_struct:
            return self.starts[index] if 0 <= index < len(self.starts) else self.size
        return index * self.at(index).size

    # -- layout in bytes ---------------------------------------------------------------------------

    def member_offset(self, index: int) -> int:
        """Return the offset in the decorations of a member."""
        offset = self.index.decoration_word(Decoration.Offset, self.id, index)
        if offset is None:
            raise UnsupportedError(f"member {index} of type %{self.id} has no offset")
        return offset

    def member_matrix(self, index: int) -> MatrixLayout | None:
        """Return the layout of the matrices in a member; None if it has none."""
        stride = self.index.decoration_word(Decoration.MatrixStride, self.id, index)
        if stride is None:
            return None
        rows = self.index.decoration(Decoration.RowMajor, self.id, index)
        return MatrixLayout(stride, rows is not None)

    @cached_property
    def array_stride(self) -> int:
        """The stride of an array or a pointer."""
        stride = self.index.decoration_word(Decoration.ArrayStride, self.id)
        if stride is None:
            raise UnsupportedError(f"type %{self.id} has no stride")
        return stride

    @cached_property
    def element_stride(self) -> int:
        """The stride of the array that contains the target of a pointer.

        A pointer that is never offset does not need a stride; the result is then the stride of all
        arrays of such elements.
        """
        stride = self.index.decoration_word
        strides = {
            stride(Decoration.ArrayStride, number)
            for number, each in self.index.definitions.items()
            if each.opcode in ARRAYS and each.words[2] == self.words[3]
        }
        own = stride(Decoration.ArrayStride, self.id)
        found = strides.pop() if own is None and len(strides) == 1 else own
        return self.array_stride if found is None else found

    @property
    def width(self) -> int:
        """The size of the scalar in bytes; 4 for a bool, which no bound memory contains."""
        return self.scalar.size or 4 if self.scalar is not None else 4


class LeafTypes:
    """The types of a module, created on first access."""

    def __init__(self, index: ModuleIndex, constants: ConstantValues) -> None:
        self.index = index
        self.constants = constants
        self._known: dict[int, LeafType] = {}
        self._open: set[int] = set()

    def of(self, number: int) -> LeafType:
        """Return a type by its id."""
        found = self._known.get(number)
        if found is None:
            definition = self.index.definitions.get(number)
            if definition is None or not definition.decoded.op:
                raise UnsupportedError(f"%{number} is not defined")
            if number in self._open or len(self._open) >= DEEPEST:
                raise UnsupportedError(f"type %{number} is nested too deeply")
            self._open.add(number)
            found = self._made(definition)
            self._open.discard(number)
            self._known[number] = found
        return found

    def of_value(self, number: int) -> LeafType:
        """Return the type of a value by the value's id."""
        kind = self.index.types.get(number)
        if kind is None:
            raise UnsupportedError(f"%{number} is not a value")
        return self.of(kind)

    def _made(self, definition: Definition) -> LeafType:
        words = definition.words
        made = LeafType(self.index, definition)
        match definition.opcode:
            case Opcode.TypeBool:
                made.scalar, made.size = BOOL, 1
            case Opcode.TypeInt | Opcode.TypeFloat:
                number = self.index.numbers.get(made.id)
                widths = FLOATS if number is not None and number.is_float else INTEGERS
                if number is None or number.encoding is not None or number.width not in widths:
                    raise UnsupportedError(f"numbers of type %{made.id} cannot be run")
                made.scalar, made.signed, made.size = widths[number.width], number.signed, 1
            case Opcode.TypeVector | Opcode.TypeMatrix:
                made.element, made.count = self.of(words[2]), words[3]
                made.scalar, made.signed = made.element.scalar, made.element.signed
                made.size = made.count * made.element.size
            case Opcode.TypeArray:
                made.element = self.of(words[2])
                made.count = max(self.constants.integer(words[3]) or 0, 0)
                made.size = made.count * made.element.size
            case Opcode.TypeRuntimeArray:
                made.element, made.count = self.of(words[2]), 0
            case Opcode.TypeStruct:
                made.members = tuple(self.of(each) for each in words[2:])
                made.size = sum(each.size for each in made.members)
            case Opcode.TypePointer:
                made.storage, made.size = words[2], len(ADDRESS)
            case Opcode.TypeVoid | Opcode.TypeFunction:
                pass
            case _ if made.is_opaque:
                pass
            case _:
                op = definition.decoded.op
                raise UnsupportedError(refusal_of(op.name) if op else "this type cannot be run")
        return made
