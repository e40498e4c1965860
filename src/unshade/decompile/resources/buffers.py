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
from ..expressions import Expressions, refused, text_key
from ..kinds import stripped
from ..layout import MemberPath
from ..operations import SOURCE_OPS
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType, literal, swizzle
from ..vectors import Group
from .constants import index_kind, point_load
from .context import (
    UINT,
    DeclaredResource,
    ResourceContext,
    is_raw,
    resource_name,
    texel_components,
)
from .declared import declared_kind
from .layouts import member, member_path
from .textures import element_count, sampled

WORD = 32  # bits
REGISTER = 16  # bytes

__all__ = [
    "element_place",
    "read",
    "register_type",
    "rows_of",
    "same_base",
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
    check_width(value)
    found = context.known[memory]
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
        at = constant_byte(byte, value, "an array of registers")
        index = made.scalar(element, index_kind(context, made, element))
        rows = rows_of(memory)
        if rows > 1:
            count, row = (literal((each,), index.type) for each in (rows, at // REGISTER))
            index = SourceExpression(OPS.imul, index.type, (index, count))
            index = SourceExpression(OPS.iadd, index.type, (index, row))
        type = register_type(memory, kind)
        return SourceExpression(NodeForm.INDEX, type, (base, index)), at % REGISTER // 4
    if memory.space is Space.SHARED:
        index = made.scalar(element, index_kind(context, made, element))
        type = TermType(kind, 32, 1)
        inner = SourceExpression(NodeForm.INDEX, type, (base, index))
        if memory.stride == 4:
            return inner, 0
        return SourceExpression(NodeForm.INDEX, type, (inner, word_index(context, made, byte))), 0
    if form is ResourceForm.TYPED or form is ResourceForm.TEXTURE:
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
        index = made.scalar(element, index_kind(context, made, element))
        whole = SourceExpression(NodeForm.ELEMENT, TermType(kind), (base, index))
        path = member_path(context, value)
        if path is not None:
            if [*path.steps] == ["$Element"] or path.steps[0] == "$Element":
                path = MemberPath(path.steps[1:], path.type, path.component, path.line)
            return member(context, memory, path, with_width_of(whole, path.type, kind))
        if memory.stride == 4:
            return whole, 0
        words = SourceExpression(NodeForm.MEMBER, TermType(kind), (whole,), "words")
        return SourceExpression(
            NodeForm.INDEX, TermType(kind), (words, word_index(context, made, byte))
        ), 0
    raise refused(f"an access to {memory.name}", value.line)


def rows_of(memory: Memory) -> int:
    """Return the number of vectors that an element of the memory takes in a lane's array."""
    return max(1, -(-memory.stride // REGISTER))


def register_type(memory: Memory, kind: ScalarKind) -> TermType:
    """Return the type of the vectors of a lane's array."""
    return TermType(kind, 32, max(1, min(memory.stride, REGISTER) // 4))


def with_width_of(
    whole: SourceExpression, type: TypeDescription, kind: ScalarKind
) -> SourceExpression:
    """Return an element with the width of a type."""
    return SourceExpression(whole.op, TermType(kind, 32, max(1, type.columns)), whole.args)


def check_width(access: Value) -> None:
    """Refuse an access to anything but a word of 32 bits."""
    bits = access.type.bits if access.op is not OPS.store else access.args[2].type.bits
    if bits != WORD:
        raise refused(f"an access to {bits} bits of {access.attr.name}", access.line)


def constant_byte(byte: Value, value: Value, what: str) -> int:
    """Return a place that is known."""
    byte = stripped(byte)
    if byte.op is not OPS.const or byte.attr % 4:
        raise refused(f"{what} at a byte known only at run time", value.line)
    return int(byte.attr)


def word_index(context: ResourceContext, made: Expressions, byte: Value) -> SourceExpression:
    """Return the index of a word in an array of words."""
    byte = stripped(byte)
    if byte.op is OPS.const:
        return literal((byte.attr // 4,), TermType(ScalarKind.INT))
    two = literal((2,), UINT)
    return SourceExpression(OPS.ushr, UINT, (made.scalar(byte, ScalarKind.UINT), two))


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
    return SourceExpression(NodeForm.CONSTRUCT, TermType(kind, 32, len(each)), tuple(each))


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
    """Return the word of a raw buffer that a lane accesses."""
    check_width(lane)
    base = resource_name(context.known[lane.attr])
    address = byte_address(context, made, lane.args[0])
    word = made.scalar(lane.args[0], ScalarKind.UINT)
    return SourceExpression(NodeForm.BYTES, UINT, (base, address, word))


def raw_load(context: ResourceContext, made: Expressions, group: Group) -> SourceExpression:
    """Return the expression of loads from a raw buffer."""
    kind = made.kinds.of(group.first)
    parts = [word_of(context, made, lane) for lane in group.lanes]
    if len(parts) == 1:
        return made.cast(parts[0], kind)
    whole = SourceExpression(NodeForm.CONSTRUCT, UINT.wide(len(parts)), tuple(parts))
    return made.cast(whole, kind)
