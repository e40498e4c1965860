"""Members of buffers: which accesses are components of variables, and their expressions.

A buffer is declared as the reflection describes it, if every access of the program is a component
of a variable; otherwise as an array of registers. An element of two or four words without a
description is a vector, if every access is one of its components.
"""

from collections import defaultdict

from ...ir.kernel import Value
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ...model.resources import TypeDescription
from ...vocab.slots import ResourceSlot
from ...vocab.words import TypeClass
from ..kinds import Kinds, stripped
from ..layout import IndexStep, MemberPath, all_members, find_member
from ..tree import MatrixLine, NodeForm, ScalarKind, SourceExpression, TermType, literal, name
from .context import (
    UNBOUND,
    ResourceContext,
    element_layout,
    is_raw,
    kind_of_member,
    linear,
    scaled,
)
from .matrices import with_matrices
from .widths import WORD, accessed_bits, number_size, sizes_of

UNPADDED = (2, 4)  # components of vectors that follow each other closely, also in Vulkan

__all__ = [
    "choose_layouts",
    "give_vectors",
    "member",
    "member_name",
    "member_path",
]


def choose_layouts(context: ResourceContext) -> None:
    """Drop the layout of each buffer with an access that is not a component of a variable."""
    accesses: dict[Memory, list[Value]] = {}
    for value in context.kernel.values():
        if value.op in (OPS.load, OPS.store):
            accesses.setdefault(value.attr, []).append(value)
            context.sizes.setdefault(value.attr, set()).add(number_size(context, value))
        elif value.op.attribute == "memory":
            size = number_size(context, value) if value.op.atomic else WORD
            context.sizes.setdefault(value.attr, set()).add(size)
            others = accesses.setdefault(value.attr, [])  # counted: declared, not by a member
            if value.op.atomic:
                others.append(value)
            context.known[value.attr].used = True
            context.known[value.attr].single |= value.op.atomic
    for memory, values in accesses.items():
        found = context.known[memory]
        found.used = True
        if found.layout is None or found.index is not None:
            found.layout = None
            continue
        fits = all_members(found.layout) and not found.layout.declared
        uniform = memory.space is Space.CONSTANT
        fits = fits and context.rules.packs(found.layout, uniform, memory.stride)
        fits = fits and not is_raw(memory, found)
        if not fits or any(member_path(context, each) is None for each in values):
            found.layout = None
        elif uniform:
            slot = memory.slot
            if not context.exact and isinstance(slot, ResourceSlot) and slot.kind in UNBOUND:
                found.layout = with_matrices(context, memory, found.layout)
            name_members(context, memory)


def give_vectors(context: ResourceContext, kinds: Kinds) -> None:
    """Describe elements of structured buffers as vectors where they have no description."""
    buffers: dict[str, list[Memory]] = defaultdict(list)  # of each array of resources
    open_: set[Memory] = set()
    for memory, found in context.known.items():
        form = found.resource.form if found.resource is not None else None
        if isinstance(memory, Memory) and form is ResourceForm.STRUCTURED:
            buffers[found.name].append(memory)
    for value in context.kernel.values():
        if value.op.atomic or (value.op in (OPS.load, OPS.store) and not _is_word(value)):
            open_.add(value.attr)
    for memories in buffers.values():
        first = memories[0]
        found = context.known[first]
        width, rest = divmod(first.stride, WORD)
        if (
            width not in UNPADDED
            or rest
            or sizes_of(context, found) != [WORD]
            or any(
                each in open_ or each.stride != first.stride or is_raw(each, context.known[each])
                or context.known[each].layout is not None
                for each in memories
            )
        ):  # fmt: skip
            continue
        type = TypeDescription(
            type_class=TypeClass.VECTOR, scalar=kinds.of_place(kinds.cell(first)).value,
            columns=width, size=first.stride,
        )  # fmt: skip
        layout = element_layout(found.name, type)
        for each in memories:
            context.known[each].layout = layout


def _is_word(access: Value) -> bool:
    """Return True for an access to a whole word at a constant place of an element."""
    byte = stripped(access.args[1])
    inside = byte.op is OPS.const and byte.attr % WORD == 0
    return inside and byte.attr < access.attr.stride and accessed_bits(access) == 8 * WORD


def name_members(context: ResourceContext, memory: Memory) -> None:
    """Name the variables of a buffer of constants, before names that nobody wrote are given."""
    found = context.known[memory]
    assert found.layout is not None
    of_variable = found.reflected is not None and found.reflected.name != found.layout.name
    if context.rules.instances and of_variable and found.layout.name:
        found.block = context.names.unique(found.layout.name)
        return
    for each in found.layout.variables:
        member_name(context, memory, each.name)


def member_path(context: ResourceContext, value: Value) -> MemberPath | None:
    """Return the member that an access with constant places reads."""
    memory: Memory = value.attr
    layout = context.known[memory].layout
    if layout is None or accessed_bits(value) != 8 * WORD:
        return None
    element, byte = (stripped(each) for each in value.args[:2])
    if byte.op is not OPS.const:
        return None
    offset = byte.attr
    if memory.space is not Space.CONSTANT:
        return find_member(layout.variables, offset)
    rows, factor, _ = linear(element)
    if factor and context.exact:  # outside of an array, the program reads what lies there
        return None
    return find_member(layout.variables, offset + rows * memory.stride, factor * memory.stride)


def member(
    context: ResourceContext,
    memory: Memory,
    path: MemberPath,
    base: SourceExpression | None,
    index: SourceExpression | None = None,
) -> tuple[SourceExpression, int]:
    """Return the expression of a member and the component."""
    kind = kind_of_member(context, path.type) or ScalarKind.FLOAT
    type = path.type
    made = base
    for step in path.steps:
        whole = TermType(kind, 32, max(type.columns, 1))
        if isinstance(step, IndexStep):
            assert made is not None
            place = _index_at(step, index)
            made = SourceExpression(NodeForm.INDEX, whole, (made, place))
        elif made is None and context.known[memory].block:
            owner = name(context.known[memory].name, whole)
            made = SourceExpression(NodeForm.MEMBER, whole, (owner,), context.names.field(step))
        elif made is None:
            made = name(member_name(context, memory, step), whole)
        else:
            made = SourceExpression(NodeForm.MEMBER, whole, (made,), context.names.field(step))
    assert made is not None
    if path.line is None:
        return made, path.component
    by_column = type.type_class != TypeClass.MATRIX_ROWS
    line = TermType(kind, 32, type.rows if by_column else type.columns)
    number = literal((path.line,), TermType(ScalarKind.INT))
    shape = MatrixLine(type.rows, type.columns, by_column)
    return SourceExpression(NodeForm.LINE, line, (made, number), shape), path.component


def member_name(context: ResourceContext, memory: Memory, wanted: str) -> str:
    """Return the name of a variable of a buffer, which HLSL declares globally."""
    found = context.known[memory]
    known = found.members.get(wanted)
    if known is None:
        known = found.members[wanted] = context.names.unique(wanted)
    return known


def _index_at(step: IndexStep, index: SourceExpression | None) -> SourceExpression:
    """Return an index of an array."""
    if not step.factor or index is None:
        return literal((step.constant,), TermType(ScalarKind.INT))
    return scaled(index, step.factor, step.constant)
