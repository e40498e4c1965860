"""Stores, barriers and atomic operations."""

from collections.abc import Iterator, Sequence

from ...dataclass import replace
from ...ir.barriers import order_of, waits_for_group
from ...ir.fold import signed
from ...ir.kernel import Value
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory, Space
from ...ir.ops import OPS, Op
from ...vocab.slots import MemoryPart, PointsSlot, ResourceSlot
from ..expressions import Expressions, refused
from ..kinds import stripped
from ..operations import SOURCE_OPS
from ..points import point_of
from ..structure import is_pure
from ..tree import (
    Assign,
    Barrier,
    Define,
    Evaluate,
    Line,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
    name,
    swizzle,
)
from ..vectors import Group
from .buffers import (
    element_index,
    element_place,
    is_row,
    is_untyped,
    same_base,
    unit_of_element,
    word_of,
)
from .context import (
    UINT,
    ResourceContext,
    is_raw,
    owner_of,
    resource_name,
    texel_components,
)
from .declared import declared_kind
from .widths import accessed_bits, converted, number_size

__all__ = [
    "atomic",
    "barrier",
    "point",
    "store",
    "thread_group",
]

ATOMICS = frozenset({
    OPS.atomic_add, OPS.atomic_and, OPS.atomic_or, OPS.atomic_xor, OPS.atomic_imin, OPS.atomic_imax,
    OPS.atomic_umin, OPS.atomic_umax, OPS.atomic_xchg, OPS.atomic_cas,
})  # fmt: skip


def store(context: ResourceContext, made: Expressions, group: Group) -> list[Line]:
    """Return the lines of stores to an element.

    All values are computed before the first is stored, since they may read what it changes.
    """
    lines = _stores(context, made, group)
    if len(lines) == 1:
        return lines
    kept: dict[int, SourceExpression] = {}  # by the identity of the expression
    before: list[Line] = []

    def settled(value: SourceExpression) -> SourceExpression:
        """Return an expression that reads variables only."""
        if value.op is NodeForm.SWIZZLE:  # of a vector that is computed once for all
            return swizzle(settled(value.args[0]), value.attr)
        if is_pure(value) and (value.type.width == 1 or not isinstance(value.op, Op)):
            return value
        if id(value) not in kept:
            label = context.names.mark()
            before.append(Define(label, value.type, value, group.first.line))
            kept[id(value)] = name(label, value.type)
        return kept[id(value)]

    def placed(target: SourceExpression) -> SourceExpression:
        if not target.args or target.op is NodeForm.NAME:
            return target
        indices = tuple(map(settled, target.args[1:]))
        return replace(target, args=(placed(target.args[0]), *indices))

    after: list[Line] = []
    for each in lines:
        if isinstance(each, Assign):
            after.append(replace(each, target=placed(each.target), value=settled(each.value)))
        else:
            before.append(each)
    return [*before, *after]


def _stores(context: ResourceContext, made: Expressions, group: Group) -> list[Line]:
    first = group.first
    memory: Memory = first.attr
    found = context.known[memory]
    form = found.resource.form if found.resource is not None else None
    line = first.line
    if isinstance(memory.slot, PointsSlot):
        raise refused("points of a primitive or patch", line)
    if is_raw(memory, found):
        rows = [[lane] for lane in group.lanes]
        if len(group.lanes) > 1 and is_row(context, group.lanes):
            rows = [group.lanes]
        return [_words(context, made, lanes) for lanes in rows]
    kind = declared_kind(context, first) or made.kinds.of_place(made.kinds.cell(memory))
    if form in (ResourceForm.TYPED, ResourceForm.TEXTURE):
        target, _ = element_place(context, made, memory, first, group.lanes)
        width = texel_components(found)
        if [stripped(lane.args[1]).attr for lane in group.lanes[:width]] != [
            4 * at for at in range(width)
        ]:
            raise refused("a store of some components of a texel", line)
        value = made.pack([lane.args[2] for lane in group.lanes[:width]], kind)
        return [Assign(target, value, line)]
    if any(accessed_bits(lane) != 8 * number_size(context, lane) for lane in group.lanes):
        return [line for lane in group.lanes for line in _halves(context, made, lane, kind)]
    lines: list[Line] = []
    parts = [element_place(context, made, memory, lane, [lane]) for lane in group.lanes]
    same = same_base(group.lanes, parts, found)
    if same is not None and len(parts) > 1:
        target = swizzle(same, tuple(at for _, at in parts))
        value = made.pack([lane.args[2] for lane in group.lanes], target.type.kind)
        return [Assign(target, value, line)]
    for (base, at), lane in zip(parts, group.lanes, strict=True):
        target = swizzle(base, (at,)) if base.type.width > 1 else base
        lines.append(Assign(target, made.scalar(lane.args[2], target.type.kind), line))
    return lines


def _words(context: ResourceContext, made: Expressions, lanes: Sequence[Value]) -> Line:
    """Return the line that stores words in a row, of the kind of the numbers if it can say so."""
    kind = ScalarKind.UINT
    values = [lane.args[2] for lane in lanes]
    if is_untyped(context, lanes[0]):
        kinds = {made.kinds.of(each) for each in values if stripped(each).op is not OPS.const}
        if len(kinds) == 1 and ScalarKind.BOOL not in kinds:
            (kind,) = kinds
    place = word_of(context, made, lanes[0])
    type = place.type._replace(kind=kind, width=len(lanes))
    value = made.pack(values, kind)
    return Assign(SourceExpression(place.op, type, place.args), value, lanes[0].line)


def _halves(
    context: ResourceContext, made: Expressions, lane: Value, kind: ScalarKind
) -> Iterator[Line]:
    """Yield the lines that store a number of 64 bits as two words."""
    size = number_size(context, lane)
    memory: Memory = lane.attr
    value = made.scalar(lane.args[2], ScalarKind.UINT)
    if value.type.bits == 8 * size:
        target, _ = element_place(context, made, memory, lane, [lane])
        yield Assign(target, made.scalar(lane.args[2], target.type.kind), lane.line)
        return
    kept = context.names.unique("wide")
    yield Define(kept, value.type, value, lane.line)
    pair = SourceExpression(NodeForm.BITS, UINT.wide(2), (name(kept, value.type),))
    index = element_index(context, made, lane)
    base = resource_name(context.known[memory])
    element = SourceExpression(NodeForm.ELEMENT, TermType(kind), (base, index))
    for half in (0, 1):
        word = made.cast(swizzle(pair, (half,)), kind)
        yield Assign(unit_of_element(context, made, lane, element, half), word, lane.line)


def stream(context: ResourceContext, made: Expressions, group: Group) -> list[Line]:
    """Return the lines that append a vertex to a stream, or end a strip."""
    first = group.first
    assert context.points is not None
    is_cut = first.op is SOURCE_OPS.cut
    found = context.points.of[first.attr if is_cut else first.attr.points]
    target = name(found.name, UINT)
    if is_cut:
        call = SourceExpression(NodeForm.STREAM, UINT, (target,))
        return [Evaluate(call, first.line)]
    if found.flat is not None and set(first.attr.bytes) != set(found.of):
        raise refused("a vertex that keeps what another one had", first.line)
    call = SourceExpression(NodeForm.STREAM, UINT, (target, name(found.vertex, UINT)))
    return [*point(context, made, group), Evaluate(call, first.line)]


def point(context: ResourceContext, made: Expressions, group: Group) -> list[Line]:
    """Return the lines that set components of a point: of a vertex, control point or patch."""
    first = group.first
    assert context.points is not None
    found = context.points.of[first.attr.points]
    base = name(found.vertex, UINT)
    values = first.args
    if first.attr.indexed:
        kind = ScalarKind.INT if values[0].op is OPS.const else ScalarKind.UINT
        base = point_of(found, made.scalar(values[0], kind))
        values = values[1:]
    lines: list[Line] = []
    for member, parts in context.points.rows(values, first.attr):
        whole = found.whole(member, base)
        if member in found.counts:
            for at, each in parts:
                index = literal((at,), TermType(ScalarKind.INT))
                target = SourceExpression(NodeForm.INDEX, member.type, (whole, index))
                lines.append(Assign(target, made.scalar(each, member.type.kind), first.line))
            continue
        value = made.pack([each for _, each in parts], member.type.kind)
        value = converted(value, member.type.bits)
        lines.append(Assign(swizzle(whole, tuple(at for at, _ in parts)), value, first.line))
    return lines


def thread_group(context: ResourceContext, made: Expressions, group: Group) -> Line:
    """Return the line that sets the counts of a thread group, or launches groups."""
    first = group.first
    numbers = tuple(made.scalar(each, ScalarKind.UINT) for each in first.args)
    if first.op is SOURCE_OPS.counts:
        return Evaluate(SourceExpression(NodeForm.COUNTS, UINT, numbers), first.line)
    payload = context.known.get(first.attr)
    label = payload.name if payload is not None and payload.used else ""
    return Evaluate(SourceExpression(NodeForm.LAUNCH, UINT, numbers, label), first.line)


def barrier(context: ResourceContext, group: Group) -> SourceExpression:
    """Return the call of a barrier."""
    attr = group.first.attr
    asked = Barrier(waits_for_group(attr), order_of(attr))
    return SourceExpression(NodeForm.BARRIER, UINT, (), asked)


def atomic(context: ResourceContext, made: Expressions, group: Group) -> list[Line]:
    """Return the lines of an atomic operation."""
    value = group.first
    memory: Memory = value.attr
    found = context.known[memory]
    slot = memory.slot
    if value.op not in ATOMICS or (found.resource is None and memory.space is not Space.SHARED):
        raise refused(f"{value.op.name} of {memory.name}", value.line)
    if isinstance(slot, ResourceSlot) and slot.part is MemoryPart.COUNTER:
        return counter_step(context, made, group)
    kind = ScalarKind.INT if value.op in (OPS.atomic_imin, OPS.atomic_imax) else ScalarKind.UINT
    operands_ = [made.scalar(each, kind) for each in value.args[2:]]
    if is_raw(memory, found):
        place = word_of(context, made, value)
    else:
        place, _ = element_place(context, made, memory, value, [value])
        if place.type.kind is ScalarKind.FLOAT:
            raise refused(f"{value.op.name} of a float", value.line)
        operands_ = [made.cast(each, place.type.kind) for each in operands_]
    type = made.type_of(group)
    call = SourceExpression(NodeForm.ATOMIC, type, (place, *operands_), value.op)
    if group.name:
        return [Define(group.name, type, call, value.line)]
    if value.op in (OPS.atomic_xchg, OPS.atomic_cas):
        # HLSL's functions return the old value by a parameter that these must have.
        return [Define(context.names.unique("unused"), type, call, value.line)]
    return [Evaluate(call, value.line)]


def counter_step(context: ResourceContext, made: Expressions, group: Group) -> list[Line]:
    """Return the line of a step of a hidden counter."""
    value = group.first
    memory: Memory = value.attr
    owner = owner_of(context, memory)
    if owner is None:
        raise refused("a counter without its buffer", value.line)
    owner.used = True
    type = made.type_of(group)
    step = signed(value.args[2].attr, value.args[2].type)
    call = SourceExpression(NodeForm.COUNTER, type, (resource_name(owner),), step)
    if not group.name:
        return [Evaluate(call, value.line)]
    return [Define(group.name, type, call, value.line)]
