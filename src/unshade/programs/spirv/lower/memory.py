"""Loads, stores, copies, access chains and lengths of arrays.

    %p = OpAccessChain %ptr %block %int_0 %i       an offset: nothing is computed yet
    %x = OpLoad %v2float %p                        two loads

Source: SPIR-V specification, section 3.49.8.
"""

from typing import TYPE_CHECKING

from ....dataclass import replace
from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.types import I32
from ..module import Instruction
from ..tables.numbers import MemoryAccess, Opcode
from .operations import Components, Handlers
from .pointers import TypedPointer, as_index
from .variables import Descriptors, variable

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS"]


def _load(lowering: "Lowering", instruction: Instruction) -> object:
    words = instruction.words
    pointer = lowering.pointer(words[3])
    if len(words) > 4 and words[4] & MemoryAccess.Volatile and pointer.root.volatile is not None:
        pointer = replace(pointer, root=pointer.root.volatile)
    if pointer.type.is_opaque:
        assert isinstance(pointer.root, Descriptors)
        return pointer.root.opaque()
    return lowering.restored(pointer.type, pointer.load(lowering.b))


def _store(lowering: "Lowering", instruction: Instruction) -> None:
    pointer = lowering.pointer(instruction.words[1])
    pointer.store(lowering.b, lowering.value(instruction.words[2]))


def _copy(lowering: "Lowering", instruction: Instruction) -> None:
    target, source = (lowering.pointer(each) for each in instruction.words[1:3])
    target.store(lowering.b, source.load(lowering.b))


def _chain(lowering: "Lowering", instruction: Instruction) -> TypedPointer:
    words = instruction.words
    return _indexed(lowering, lowering.pointer(words[3]), words[4:])


def _pointer_chain(lowering: "Lowering", instruction: Instruction) -> TypedPointer:
    """Lower OpPtrAccessChain: the first index is relative to the base's element."""
    words = instruction.words
    base = lowering.pointer(words[3])
    (index,) = lowering.value(words[4])
    signed = lowering.types.of_value(words[4]).signed
    if base.root.explicit:
        kind = lowering.types.of_value(words[3])
        stride = kind.array_stride
    else:
        stride = base.type.size
    moved = base.moved(as_index(lowering.b, index, signed), stride)
    return _indexed(lowering, moved, words[5:])


def _indexed(lowering: "Lowering", pointer: TypedPointer, indices: tuple[int, ...]) -> TypedPointer:
    for number in indices:
        known = lowering.integer(number)
        if isinstance(pointer.root, Descriptors):
            index = _index(lowering, number) if known is None else constant(known, I32)
            pointer = pointer.root.at(lowering.b, pointer, index)
        elif known is None:
            pointer = pointer.indexed(_index(lowering, number))
        else:
            pointer = pointer.at(known) if _is_inside(pointer, known) else _outside(pointer)
    return pointer


def _index(lowering: "Lowering", number: int) -> Value:
    index = lowering.scalar(number)
    return as_index(lowering.b, index, lowering.types.of_value(number).signed)


def _is_inside(pointer: TypedPointer, index: int) -> bool:
    """Return True if a constant index may be valid; a block may be longer than declared."""
    type = pointer.type
    if pointer.root.explicit or type.is_struct or not type.count:
        return True
    return 0 <= index < type.count


def _outside(pointer: TypedPointer) -> TypedPointer:
    """Return a pointer at which no access is valid."""
    inner = pointer.type.at(0)
    return replace(pointer, type=inner, offset=pointer.offset.plus(1 << 30))


def _length(lowering: "Lowering", instruction: Instruction) -> Components:
    """Lower OpArrayLength: the elements of the last member that fit into the bound buffer."""
    words = instruction.words
    b = lowering.b
    pointer = lowering.pointer(words[3])
    start = pointer.type.member_offset(words[4])
    stride = pointer.type.at(words[4]).array_stride
    size = pointer.root.byte_count(b)
    if start:
        size = b.isub(b.umax(size, start), start)
    return (b.udiv(size, stride),)


# ---------------------------------------------------------------- pointers as numbers


def _equal(lowering: "Lowering", instruction: Instruction) -> Components:
    b = lowering.b
    one, other = (lowering.value(each) for each in instruction.words[3:5])
    found = b.and_(b.ieq(one[0], other[0]), b.ieq(one[1], other[1]))
    return (b.not_(found) if instruction.opcode == Opcode.PtrNotEqual else found,)


def _difference(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    b = lowering.b
    type = lowering.types.of(words[1]).scalar
    one, other = lowering.pointer(words[3]), lowering.pointer(words[4])
    kind = lowering.types.of_value(words[3])
    stride = kind.element_stride if one.root.explicit else one.type.size
    bytes: Value = b.isub(one.offset.value(b), other.offset.value(b))
    found = b.idiv(bytes, stride)
    if type is None or type == found.type:
        return (found,)
    return (b.iconv(found, type=type),)


def _select(lowering: "Lowering", instruction: Instruction) -> object:
    """Lower OpSelect, whose condition may be one for all components."""
    words = instruction.words
    type = lowering.types.of(words[1])
    if type.is_pointer:
        lowering.roots_of(type.storage)
    condition = lowering.value(words[3])
    one, other = (lowering.value(each) for each in words[4:6])
    if len(condition) != len(one):
        if len(condition) != 1:
            raise UnsupportedError("expected as many conditions as components")
        condition *= len(one)
    b = lowering.b
    found = tuple(b.select(*each) for each in zip(condition, one, other, strict=True))
    return lowering.restored(type, found)


HANDLERS: Handlers = {
    Opcode.Variable: variable,
    Opcode.Load: _load,
    Opcode.Store: _store,
    Opcode.CopyMemory: _copy,
    Opcode.AccessChain: _chain,
    Opcode.InBoundsAccessChain: _chain,
    Opcode.PtrAccessChain: _pointer_chain,
    Opcode.InBoundsPtrAccessChain: _pointer_chain,
    Opcode.ArrayLength: _length,
    Opcode.PtrEqual: _equal,
    Opcode.PtrNotEqual: _equal,
    Opcode.PtrDiff: _difference,
    Opcode.Select: _select,
}
