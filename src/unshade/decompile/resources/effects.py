"""Stores, barriers and atomic operations."""

from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ...vocab.slots import MemoryPart, PointsSlot, ResourceSlot
from ..expressions import Expressions, refused
from ..kinds import stripped
from ..tree import (
    Assign,
    Define,
    Evaluate,
    Line,
    NodeForm,
    ScalarKind,
    SourceExpression,
    literal,
    name,
    swizzle,
)
from ..vectors import Group
from .buffers import byte_address, element_place, same_base
from .context import UINT, ResourceContext, owner_of, resource_name, texel_components
from .declared import declared_kind

__all__ = [
    "atomic",
    "barrier",
    "store",
]

ATOMICS = {
    OPS.atomic_add: "Add", OPS.atomic_and: "And", OPS.atomic_or: "Or", OPS.atomic_xor: "Xor",
    OPS.atomic_imin: "Min", OPS.atomic_imax: "Max", OPS.atomic_umin: "Min",
    OPS.atomic_umax: "Max", OPS.atomic_xchg: "Exchange", OPS.atomic_cas: "CompareExchange",
}  # fmt: skip


def store(context: ResourceContext, made: Expressions, group: Group) -> list[Line]:
    """Return the lines of stores to an element."""
    first = group.first
    memory: Memory = first.attr
    found = context.known[memory]
    form = found.resource.form if found.resource is not None else None
    line = first.line
    if isinstance(memory.slot, PointsSlot):
        raise refused("points of a primitive or patch", line)
    if form is ResourceForm.RAW:
        base = resource_name(found)
        return [
            Evaluate(
                SourceExpression(
                    NodeForm.METHOD, UINT,
                    (base, byte_address(context, made, lane.args[0]),
                     made.scalar(lane.args[2], ScalarKind.UINT)),
                    "Store",
                ),
                line,
            )
            for lane in group.lanes
        ]  # fmt: skip
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


def barrier(context: ResourceContext, group: Group) -> SourceExpression:
    """Return the call of a barrier."""
    word = "GroupMemoryBarrierWithGroupSync"
    if group.first.attr != "group":
        word = "AllMemoryBarrier"
    elif any(each.writable and each.space is Space.BUFFER for each in context.kernel.memories):
        word = "AllMemoryBarrierWithGroupSync"
    return SourceExpression(NodeForm.CALL, UINT, (), word)


def atomic(context: ResourceContext, made: Expressions, group: Group) -> list[Line]:
    """Return the lines of an atomic operation."""
    value = group.first
    memory: Memory = value.attr
    found = context.known[memory]
    word = ATOMICS.get(value.op)
    slot = memory.slot
    if word is None or (found.resource is None and memory.space is not Space.SHARED):
        raise refused(f"{value.op.name} of {memory.name}", value.line)
    if isinstance(slot, ResourceSlot) and slot.part is MemoryPart.COUNTER:
        return counter_step(context, made, group)
    form = found.resource.form if found.resource is not None else None
    signed = value.op in (OPS.atomic_imin, OPS.atomic_imax)
    kind = ScalarKind.INT if signed else ScalarKind.UINT
    rest = list(value.args[2:])
    if value.op is OPS.atomic_cas:
        rest.reverse()
    operands_ = [made.scalar(each, kind) for each in rest]
    lines: list[Line] = []
    result: list[SourceExpression] = []
    wanted = made.type_of(group)
    if group.name:
        lines.append(Define(group.name, wanted, None, value.line))
        result = [name(group.name, wanted)]
    elif value.op in (OPS.atomic_xchg, OPS.atomic_cas):
        unused = context.names.unique("unused")
        lines.append(Define(unused, wanted, None, value.line))
        result = [name(unused, wanted)]
    if form is ResourceForm.RAW:
        args = (
            resource_name(found),
            byte_address(context, made, value.args[0]),
            *operands_,
            *result,
        )
        call = SourceExpression(NodeForm.METHOD, UINT, args, f"Interlocked{word}")
    else:
        place, _ = element_place(context, made, memory, value, [value])
        if place.type.kind is ScalarKind.FLOAT:
            raise refused(f"{value.op.name} of a float", value.line)
        typed = [made.cast(each, place.type.kind) for each in operands_]
        args = (place, *typed, *result)
        call = SourceExpression(NodeForm.CALL, UINT, args, f"Interlocked{word}")
    return [*lines, Evaluate(call, value.line)]


def counter_step(context: ResourceContext, made: Expressions, group: Group) -> list[Line]:
    """Return the line of a step of a hidden counter."""
    value = group.first
    memory: Memory = value.attr
    owner = owner_of(context, memory)
    if owner is None:
        raise refused("a counter without its buffer", value.line)
    owner.used = True
    step = value.args[2].attr
    word = "IncrementCounter" if step == 1 else "DecrementCounter"
    call = SourceExpression(NodeForm.METHOD, UINT, (resource_name(owner),), word)
    if not group.name:
        return [Evaluate(call, value.line)]
    if step != 1:  # returns the counter after the step, the atomic operation the one before
        call = SourceExpression(OPS.iadd, UINT, (call, literal((1,), UINT)))
    return [Define(group.name, made.type_of(group), call, value.line)]
