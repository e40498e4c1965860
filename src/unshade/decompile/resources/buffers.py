"""Accesses to elements of buffers, texels of writable textures, and arrays of a lane or group.

ByteAddressBuffer t1      t1.Load(4 * i)
groupshared g0[64][4]     g0[i][2]
"""

from collections.abc import Sequence

from ...ir.kernel import Value
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ...model.resources import TypeDescription
from ...vocab.slots import PointsSlot
from ...vocab.words import DescriptorType
from ..expressions import Expressions, refused
from ..kinds import stripped
from ..layout import MemberPath
from ..meshes import is_payload
from ..operations import SOURCE_OPS
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType, literal, swizzle, text_key
from ..vectors import Group
from .constants import index_kind, point_load
from .context import (
    ELEMENT,
    UINT,
    DeclaredResource,
    ResourceContext,
    highest,
    is_raw,
    linear,
    resource_name,
    texel_components,
)
from .declared import declared_kind
from .layouts import member, member_path
from .textures import element_count, sampled
from .widths import (
    WORD,
    accessed_bits,
    check_width,
    joined,
    number_size,
    only_size,
    unit_in,
    unit_of,
    within,
)

REGISTER = 16  # bytes
FLOATS = (16, 32, 64)  # bits
LAST_WORD = (1 << 30) - 1  # that has an address

__all__ = [
    "element_index",
    "element_place",
    "is_row",
    "is_untyped",
    "read",
    "register_type",
    "rows_of",
    "same_base",
    "unit_of_element",
    "word_of",
]


def element_place(
    context: ResourceContext,
    made: Expressions,
    memory: Memory,
    value: Value,
    lanes: Sequence[Value],
) -> tuple[SourceExpression, int]:
    """Return the vector that an access reads or writes, and the component of the first lane."""
    check_width(context, value)
    found = context.known[memory]
    size = number_size(context, value)
    bits = 8 * size
    halves = accessed_bits(value) // bits
    resource = found.resource
    element, byte = value.args[:2]
    kind = (
        made.kinds.of(value)
        if value.op is OPS.load
        else (declared_kind(context, value) or made.kinds.of_place(made.kinds.cell(memory)))
    )
    base = resource_name(found)
    form = resource.form if resource is not None else None
    if memory.space is Space.LOCAL:
        size = only_size(context, memory)
        at = constant_byte(byte, value, "an array of registers", size)
        index = made.scalar(element, index_kind(context, made, element))
        rows = rows_of(memory)
        if rows > 1 and index.op is NodeForm.LITERAL:
            index = literal((index.attr[0] * rows + at // REGISTER,), index.type)
        elif rows > 1:
            count, row = (literal((each,), index.type) for each in (rows, at // REGISTER))
            index = SourceExpression(OPS.imul, index.type, (index, count))
            if row.attr[0]:
                index = SourceExpression(OPS.iadd, index.type, (index, row))
        type = register_type(memory, kind, size)
        return SourceExpression(NodeForm.INDEX, type, (base, index)), at % REGISTER // size
    if memory.space is Space.SHARED:
        index = made.scalar(element, index_kind(context, made, element))
        type = TermType(kind, 8 * only_size(context, memory))
        if is_payload(memory) and context.rules.payload_member:
            base = SourceExpression(NodeForm.MEMBER, UINT, (base,), context.rules.payload_member)
        inner = SourceExpression(NodeForm.INDEX, type, (base, index))
        if memory.stride == size:
            return inner, 0
        return SourceExpression(NodeForm.INDEX, type, (inner, unit_in(context, made, value))), 0
    if form is ResourceForm.TYPED or form is ResourceForm.TEXTURE:
        if bits != 8 * WORD:
            raise refused(f"an access to {bits} bits of {memory.name}", value.line)
        at = constant_byte(byte, value, "a texel") // 4
        place = texel_place(context, made, element, found)
        type = TermType(kind, 32, texel_components(found))
        if at >= type.width:
            return literal(
                (0x3F80_0000 if kind is ScalarKind.FLOAT and at == 3 else int(at == 3),),
                TermType(kind),
            ), 0
        return SourceExpression(NodeForm.TEXEL, type, (base, place), memory), at
    if form is ResourceForm.STRUCTURED:
        index = element_index(context, made, value)
        whole = SourceExpression(NodeForm.ELEMENT, TermType(kind, bits), (base, index))
        path = member_path(context, value)
        if path is not None:
            if path.steps[0] == ELEMENT:
                path = MemberPath(path.steps[1:], path.type, path.component, path.line)
            return member(context, memory, path, with_width_of(whole, path.type, kind))
        units = [unit_of_element(context, made, value, whole, half) for half in range(halves)]
        return (units[0] if halves == 1 else joined(*units)), 0
    raise refused(f"an access to {memory.name}", value.line)


def unit_of_element(
    context: ResourceContext,
    made: Expressions,
    access: Value,
    element: SourceExpression,
    half: int = 0,
) -> SourceExpression:
    """Return a word or other unit of an element without a layout."""
    if access.attr.stride == number_size(context, access):
        return element
    units = SourceExpression(NodeForm.MEMBER, element.type, (element,), "words")
    index = unit_in(context, made, access, half)
    if is_open(context, access):
        last = literal((access.attr.stride // number_size(context, access) - 1,), UINT)
        index = SourceExpression(OPS.umin, UINT, (index, last))
    return SourceExpression(NodeForm.INDEX, element.type, (units, index))


def is_open(context: ResourceContext, access: Value) -> bool:
    """Return True if an access may lie outside of its element, which exact code must not read."""
    memory: Memory = access.attr
    byte = access.args[1]
    within_word = memory.stride - number_size(context, access)
    return context.exact and highest(context, byte) > within_word


def element_index(context: ResourceContext, made: Expressions, access: Value) -> SourceExpression:
    """Return the number of an element; one beyond every buffer for an access outside of it."""
    index = made.scalar(access.args[0], index_kind(context, made, access.args[0]))
    if not is_open(context, access):
        return index
    size = literal((access.attr.stride,), UINT)
    byte = made.scalar(access.args[1], ScalarKind.UINT)
    inside = SourceExpression(OPS.ult, TermType(ScalarKind.BOOL), (byte, size))
    outside = literal(((1 << 32) - 1,), index.type)
    return SourceExpression(OPS.select, index.type, (inside, index, outside))


def rows_of(memory: Memory) -> int:
    """Return the number of vectors that an element of the memory takes in a lane's array."""
    return max(1, -(-memory.stride // REGISTER))


def register_type(memory: Memory, kind: ScalarKind, size: int = WORD) -> TermType:
    """Return the type of the vectors of a lane's array, whose numbers have a size in bytes."""
    return TermType(kind, 8 * size, max(1, min(memory.stride, REGISTER) // size))


def with_width_of(
    whole: SourceExpression, type: TypeDescription, kind: ScalarKind
) -> SourceExpression:
    """Return an element with the width of a type."""
    return SourceExpression(whole.op, TermType(kind, 32, max(1, type.columns)), whole.args)


def constant_byte(byte: Value, value: Value, what: str, size: int = WORD) -> int:
    """Return a place that is known."""
    byte = stripped(byte)
    if byte.op is not OPS.const or byte.attr % size:
        raise refused(f"{what} at a byte known only at run time", value.line)
    return int(byte.attr)


def texel_place(
    context: ResourceContext, made: Expressions, element: Value, found: DeclaredResource
) -> SourceExpression:
    """Return the coordinates of a texel, or its number in a buffer."""
    element = stripped(element)
    if element.op is SOURCE_OPS.texel:
        return made.vector(element.args, ScalarKind.UINT)
    resource = found.resource
    if resource is not None and resource.form is ResourceForm.TEXTURE:
        raise refused(f"a texel of {found.name} that is not at coordinates", element.line)
    return made.scalar(element, ScalarKind.UINT)


def read(context: ResourceContext, made: Expressions, group: Group) -> SourceExpression:
    """Return the expression of loads of an element, a sample or a query."""
    first = group.first
    if first.op is OPS.sample:
        return sampled(context, made, first)
    if first.op is OPS.count:
        return element_count(context, first)
    memory: Memory = first.attr
    found = context.known[memory]
    if is_raw(memory, found):
        return raw_load(context, made, group)
    parts: list[tuple[SourceExpression, int]] = []
    for lane in group.lanes:
        if isinstance(memory.slot, PointsSlot):
            parts.append(point_load(context, made, lane))
        else:
            parts.append(element_place(context, made, memory, lane, [lane]))
    kind = made.kinds.of(first)
    same = same_base(group.lanes, parts, found)
    if same is not None:
        return made.cast(swizzle(same, tuple(at for _, at in parts)), kind)
    each = [made.cast(swizzle(base, (at,)), kind) for base, at in parts]
    if len(each) == 1:
        return each[0]
    return SourceExpression(NodeForm.CONSTRUCT, each[0].type.wide(len(each)), tuple(each))


def same_base(
    lanes: Sequence[Value],
    parts: Sequence[tuple[SourceExpression, int]],
    found: DeclaredResource,
) -> SourceExpression | None:
    """Return the vector that all lanes are components of; None if there is none."""
    keys = {text_key(base) for base, _ in parts}
    widest = max(at for _, at in parts)
    base = parts[0][0]
    return base if len(keys) == 1 and base.type.width > widest else None


def byte_address(context: ResourceContext, made: Expressions, element: Value) -> SourceExpression:
    """Return the byte address of a word of a raw buffer."""
    element = stripped(element)
    constant = 0
    if context.exact and highest(context, element) > LAST_WORD:
        word = within(context, made, element, WORD)
        return SourceExpression(OPS.imul, UINT, (word, literal((WORD,), UINT)))
    if element.op is OPS.iadd and stripped(element.args[1]).op is OPS.const:
        group, _ = made.placement.of[element]
        if not group.name:
            constant = stripped(element.args[1]).attr
            element = stripped(element.args[0])
    known = made.placement.of.get(element)
    if (
        element.op is OPS.ushr
        and known is not None
        and not known[0].name
        and (stripped(element.args[1]).op is OPS.const and stripped(element.args[1]).attr == 2)
    ):
        low = made.scalar(element.args[0], ScalarKind.UINT)
    elif element.op is OPS.const:
        return literal(((element.attr + constant) * 4 & 0xFFFF_FFFF,), UINT)
    else:
        four = literal((4,), UINT)
        low = SourceExpression(OPS.imul, UINT, (made.scalar(element, ScalarKind.UINT), four))
    if not constant:
        return low
    more = literal((constant * 4 & 0xFFFF_FFFF,), UINT)
    return SourceExpression(OPS.iadd, UINT, (low, more))


def word_of(context: ResourceContext, made: Expressions, lane: Value) -> SourceExpression:
    """Return the word, or number of another size, of a raw buffer that a lane accesses."""
    check_width(context, lane)
    base = resource_name(context.known[lane.attr])
    bits = accessed_bits(lane)
    if bits != 8 * WORD:
        number = unit_of(context, made, lane)
        return SourceExpression(
            NodeForm.BYTES, TermType(ScalarKind.UINT, bits), (base, number, number)
        )
    address = byte_address(context, made, lane.args[0])
    word = made.scalar(lane.args[0], ScalarKind.UINT)
    return SourceExpression(NodeForm.BYTES, UINT, (base, address, word))


def is_untyped(context: ResourceContext, access: Value) -> bool:
    """Return True for an access to a number of a raw buffer of Vulkan that can state its kind.

    `Load<float3>` is a method of Shader Model 6, and of a module of SPIR-V made from HLSL.
    """
    memory: Memory = access.attr
    found = context.known.get(memory)
    return (
        context.rules.by_bytes
        and found is not None
        and found.reflected is not None
        and found.reflected.descriptor == DescriptorType.STORAGE_BUFFER
        and is_raw(memory, found)
        and not access.op.atomic
        and accessed_bits(access) in FLOATS
    )


def is_row(context: ResourceContext, lanes: Sequence[Value]) -> bool:
    """Return True for accesses to words of a raw buffer that are one in this language."""
    memory: Memory = lanes[0].attr
    found = context.known.get(memory)
    if not context.rules.by_bytes or found is None or not is_raw(memory, found):
        return False
    places = [linear(lane.args[0]) for lane in lanes]
    start, factor, base = places[0]
    return (
        all(accessed_bits(lane) == 8 * WORD for lane in lanes)
        and all(place == (start + at, factor, base) for at, place in enumerate(places))
        and (not context.exact or highest(context, lanes[0].args[0]) <= LAST_WORD)
    )


def raw_load(context: ResourceContext, made: Expressions, group: Group) -> SourceExpression:
    """Return the expression of loads from a raw buffer."""
    kind = made.kinds.of(group.first)
    if is_untyped(context, group.first):
        rows = [[lane] for lane in group.lanes]
        if len(rows) > 1 and is_row(context, group.lanes):
            rows = [group.lanes]
        typed: list[SourceExpression] = []
        for lanes in rows:
            place = word_of(context, made, lanes[0])
            type = place.type._replace(kind=kind, width=len(lanes))
            typed.append(SourceExpression(place.op, type, place.args))
        if len(typed) == 1:
            return typed[0]
        type = typed[0].type.wide(len(typed))
        return SourceExpression(NodeForm.CONSTRUCT, type, tuple(typed))
    if len(group.lanes) > 1 and is_row(context, group.lanes):
        first = word_of(context, made, group.first)
        type = first.type.wide(len(group.lanes))
        return made.cast(SourceExpression(first.op, type, first.args), kind)
    parts = [word_of(context, made, lane) for lane in group.lanes]
    if len(parts) == 1:
        return made.cast(parts[0], kind)
    whole = SourceExpression(NodeForm.CONSTRUCT, parts[0].type.wide(len(parts)), tuple(parts))
    return made.cast(whole, kind)
