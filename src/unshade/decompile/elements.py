"""Buffers that are arrays of elements, in place of buffers of words.

    buffer B { vec4 colors[]; }      load words[4 * i + 2]   ->   load colors[i], byte 8
    buffer C { float weights[]; }    load words[i]           ->   load weights[i], byte 0

A module of SPIR-V addresses the words of its storage buffers. Where the block of a buffer is one
array, and each access is at a known place of an element, the buffer gets elements as a structured
buffer of Direct3D has them: sources have the type of the array, and no casts of its numbers.
"""

from collections import Counter
from collections.abc import Hashable, Mapping

from ..dataclass import replace
from ..ir.builder import Builder
from ..ir.kernel import KernelIR, Value
from ..ir.memory import Memory, Space
from ..ir.ops import OPS
from ..ir.transforms.rewrite import rewrite
from ..model import Reflection
from ..model.resources import Resource, TypeDescription
from ..tuples import NamedTuple
from ..vocab.slots import MemoryPart, ResourceSlot
from ..vocab.words import BufferKind, DescriptorType, ResourceKind, TypeClass
from .kinds import ATOMIC_SIGNS, stripped
from .layout import scalar_kind
from .resources.context import highest_of, linear
from .resources.widths import WORD, accessed_bits
from .tree import ScalarKind

__all__ = ["with_elements"]

PLACES = 1 << 32  # numbers of words


class _ElementPlace(NamedTuple):
    """The element of an access, a multiple of a value plus a constant, and a byte in it."""

    base: Value | None
    factor: int
    constant: int
    byte: int


def with_elements(kernel: KernelIR, reflection: Reflection | None, exact: bool) -> None:
    """Give buffers of words their elements, in place.

    With `exact` a buffer stays as it is if the place of an access may wrap around.
    """
    types = _types(reflection)
    slots = {each: _key(each.slot) for each in kernel.memories}
    times = Counter(slots.values())  # a buffer may also be seen as numbers of another size
    chosen = {
        each: types[slots[each]] for each in kernel.memories
        if slots[each] in types and times[slots[each]] == 1
        and each.raw and each.stride == WORD and each.space is Space.BUFFER
    }  # fmt: skip
    accesses: dict[Memory, list[Value]] = {each: [] for each in chosen}
    for value in kernel.values() if chosen else ():
        if value.op.attribute == "memory" and value.attr in accesses:
            accesses[value.attr].append(value)
    places: dict[Value, tuple[Memory, _ElementPlace]] = {}
    instead: dict[Memory, Memory] = {}
    for memory, type in chosen.items():
        found = [_place(kernel, each, type, exact) for each in accesses[memory]]
        known = [each for each in found if each is not None]
        if len(known) == len(found):
            made = instead[memory] = replace(memory, stride=type.size, raw=False)
            places |= {each: (made, at) for each, at in zip(accesses[memory], known, strict=True)}
    kernel.memories[:] = [instead.get(each, each) for each in kernel.memories]

    def moved(b: Builder, value: Value) -> None:
        if value in places:
            value.attr, place = places[value]
            if value.attr.stride != WORD:
                value.args = (_index(b, place), b.i32(place.byte), *value.args[2:])

    if places:
        rewrite(kernel, moved)


def _key(slot: object) -> Hashable:
    """Return the binding of the data of a resource; None for other memories."""
    if not isinstance(slot, ResourceSlot) or slot.part is not MemoryPart.DATA:
        return None
    return slot.kind, slot.number, slot.space


def _types(reflection: Reflection | None) -> Mapping[Hashable, TypeDescription]:
    """Return the types of the elements of storage buffers that are one array, by their slots.

    A binding of several variables has none: each may see elements of another type in it.
    """
    found: dict[Hashable, TypeDescription] = {}
    if reflection is None:
        return found
    times = Counter(_place_of(each) for each in reflection.resources)
    for each in reflection.constant_buffers:
        if each.kind != BufferKind.ELEMENT or each.resource is None or len(each.variables) != 1:
            continue
        resource = reflection.resources[each.resource]
        if (
            times[_place_of(resource)] == 1
            and resource.descriptor == DescriptorType.STORAGE_BUFFER
            and resource.kind == ResourceKind.STRUCTURED_BUFFER
            and resource.count == 1
        ):
            type = each.variables[0].type
            if resource.stride == type.size and _words(type) == type.size // WORD:
                found[_place_of(resource)] = type
    return found


def _place_of(resource: Resource) -> Hashable:
    """Return the binding of a resource, as `_key` returns it."""
    return resource.slot.kind, resource.register, resource.space


def _words(type: TypeDescription) -> int | None:
    """Return the words of a number, vector or structure without padding; None for other types."""
    if type.elements or type.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
        return None
    if not type.members:
        return type.columns if scalar_kind(type) not in (None, ScalarKind.BOOL) else None
    at = 0
    for each in type.members:
        words = _words(each.type)
        if words is None or each.offset != WORD * at:
            return None
        at += words
    return at


def _place(
    kernel: KernelIR, access: Value, type: TypeDescription, exact: bool
) -> _ElementPlace | None:
    """Return the element that an access reads or writes; None if it is not known."""
    words = type.size // WORD
    if access.op is OPS.count:  # of words
        return None
    byte = stripped(access.args[1])
    if accessed_bits(access) != 8 * WORD or byte.op is not OPS.const or byte.attr:
        return None
    if access.op.atomic:
        kind = scalar_kind(type)
        if words > 1 or kind is ScalarKind.FLOAT or ATOMIC_SIGNS.get(access.op, kind) is not kind:
            return None  # languages choose the operation by the type of the element
    if words == 1:
        return _ElementPlace(None, 0, 0, 0)
    constant, factor, base = linear(access.args[0])
    if factor % words or (base is not None and base.type.kind != "i"):
        return None
    if base is not None and exact:
        last = highest_of(kernel, base) * factor + constant
        if factor < 0 or constant < 0 or last >= PLACES:
            return None
    return _ElementPlace(base, factor // words, constant // words, constant % words * WORD)


def _index(b: Builder, place: _ElementPlace) -> Value:
    """Return the number of an element."""
    if place.base is None:
        return b.i32(place.constant)
    index = place.base
    if place.factor != 1:
        index = b.imul(index, b.i32(place.factor))
    return b.iadd(index, b.i32(place.constant)) if place.constant else index
