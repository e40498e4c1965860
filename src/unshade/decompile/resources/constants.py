"""Loads from memories that nothing writes: members of constant buffers, or registers."""

from ...ir.kernel import Value
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ...ir.textures import Shape
from ...vocab.slots import CONTROL_POINTS_OUT, PointsSlot, ResourceSlot
from ..expressions import Expressions, refused
from ..kinds import stripped
from ..points import is_own_point, point_of
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType, literal, name
from .context import (
    UINT,
    ResourceContext,
    SizeFunction,
    describes,
    linear,
    owner_of,
    resource_name,
    scaled,
    size_function,
)
from .layouts import member, member_path
from .widths import WORD, check_width, converted, of_words

__all__ = [
    "constant_load",
    "index_kind",
    "point_load",
]

ROW = 16


def constant_load(
    context: ResourceContext, made: Expressions, value: Value
) -> tuple[SourceExpression, int]:
    """Return the expression and component of a load that nothing changes."""
    memory: Memory = value.attr
    found = context.known[memory]
    element, byte = value.args
    if isinstance(memory.slot, PointsSlot):
        return point_load(context, made, value)
    if memory.internal and memory.space is Space.CONSTANT:
        return view_size(context, made, value)
    check_width(context, value)
    path = member_path(context, value)
    if path is not None:
        return member(context, memory, path, None, index_of(context, made, element))
    if memory.space is Space.TABLE and memory.stride % WORD:
        raise refused(f"a table of numbers of {8 * memory.stride} bits", value.line)
    small = memory.space is Space.CONSTANT and memory.stride != WORD and memory.stride < ROW
    loose = byte.op is not OPS.const or byte.attr % WORD or small or value.type.bits != 8 * WORD
    if loose and not context.rules.widths:
        raise refused("a constant at a place known only at run time", value.line)
    if memory.space is Space.CONSTANT and not isinstance(memory.slot, ResourceSlot):
        raise refused(f"the memory {memory.name}", value.line)
    kind = made.kinds.of(value)
    words = memory.space is Space.CONSTANT and memory.stride < ROW
    type = TermType(kind, 32, ROW // WORD if words else max(1, memory.stride // WORD))
    base = name(rows_name(context, memory), type)
    if found.index is not None:  # an array of buffers, each with its registers
        base = SourceExpression(NodeForm.MEMBER, type, (resource_name(found),), "rows")
    if loose:
        return of_words(context, made, value, base)
    if words:
        return word_of_rows(context, made, element, base)
    index = made.scalar(element, index_kind(context, made, element))
    return SourceExpression(NodeForm.INDEX, type, (base, index)), byte.attr // 4


def point_load(
    context: ResourceContext, made: Expressions, value: Value
) -> tuple[SourceExpression, int]:
    """Return a component of a vertex, control point or patch constant."""
    index, byte = (stripped(each) for each in value.args)
    found = context.points.of_memory(value.attr) if context.points is not None else None
    constant, factor, term = linear(byte)
    if found is None or (term is not None and factor != WORD):
        raise refused("a component of a point known only at run time", value.line)
    kind = ScalarKind.INT if index.op is OPS.const else ScalarKind.UINT
    if value.attr.slot == CONTROL_POINTS_OUT and is_own_point(index):
        point = name(found.vertex, TermType(ScalarKind.UINT))
    else:
        point = point_of(found, made.scalar(index, kind))
    part = found.component(point, constant)
    if term is not None and part is not None:
        most = found.size(constant)
        if term.op is OPS.umin and term.args[1].op is OPS.const and term.args[1].attr >= most - 1:
            term = term.args[0]  # an index outside is undefined in sources
        kind = index_kind(context, made, term)
        part = found.indexed(point, constant, made.scalar(term, kind))
    if part is None:
        raise refused("a component of a point that the signature does not have", value.line)
    whole, at = part  # of 16 bits, perhaps, in words of memory
    return converted(whole, value.type.bits), at


def word_of_rows(
    context: ResourceContext, made: Expressions, element: Value, rows: SourceExpression
) -> tuple[SourceExpression, int]:
    """Return a word of an array of registers, by its number: the register and the component."""
    four = ROW // WORD
    constant, factor, term = linear(element, lambda value: is_named(made, value))
    whole, times, _ = linear(element)
    if factor == 1 and term is not None and times % four == 0 and (whole - constant) % four == 0:
        # A variable has a multiple of the size of a register.
        row, component = divmod(constant, four)
        number = made.scalar(term, index_kind(context, made, term))
        by = literal((2,), number.type)
        first = SourceExpression(OPS.ushr, number.type, (number, by))
        place = scaled(first, 1, row & 0xFFFF_FFFF)
        return SourceExpression(NodeForm.INDEX, rows.type, (rows, place)), component
    if factor % four == 0 and constant >= 0:
        row, component = divmod(constant, four)
        if term is None:
            place = literal((row,), TermType(ScalarKind.INT))
        else:
            kind = index_kind(context, made, term)
            place = scaled(made.scalar(term, kind), factor // four, row)
        return SourceExpression(NodeForm.INDEX, rows.type, (rows, place)), component
    number = made.scalar(element, ScalarKind.UINT)
    two, three = (literal((each,), UINT) for each in (2, 3))
    row_ = SourceExpression(OPS.ushr, UINT, (number, two))
    vector = SourceExpression(NodeForm.INDEX, rows.type, (rows, row_))
    component_ = SourceExpression(OPS.and_, UINT, (number, three))
    return SourceExpression(NodeForm.INDEX, rows.type.wide(1), (vector, component_)), 0


def is_named(made: Expressions, value: Value) -> bool:
    """Return True if a variable holds a value."""
    known = made.placement.of.get(value)
    return known is not None and bool(known[0].name)


def index_of(
    context: ResourceContext, made: Expressions, element: Value
) -> SourceExpression | None:
    """Return the index of an access to an array of constants; None for a constant place."""
    rows, factor, term = linear(element)
    if term is None:
        return None
    near, left, seen = linear(element, lambda value: is_named(made, value))
    kind = index_kind(context, made, seen or element)
    found = made.scalar(seen or element, kind)
    if seen is not None and left != factor:
        # A variable has a multiple of the index: what it was multiplied by divides it.
        type = found.type
        if rows != near:
            found = SourceExpression(
                OPS.isub, type, (found, literal(((rows - near) // left & 0xFFFF_FFFF,), type))
            )
        by = literal((factor // left,), type)
        found = SourceExpression(OPS.udiv, type, (found, by))
    return found


def index_kind(context: ResourceContext, made: Expressions, element: Value) -> ScalarKind:
    """Return the kind of an index."""
    kind = made.kinds.of(element)
    return (
        kind
        if kind in (ScalarKind.INT, ScalarKind.UINT) and stripped(element).op is not OPS.const
        else (ScalarKind.INT if stripped(element).op is OPS.const else ScalarKind.UINT)
    )


def rows_name(context: ResourceContext, memory: Memory) -> str:
    """Return the name of a memory's array of registers."""
    found = context.known[memory]
    if memory.space is Space.CONSTANT and not found.rows:
        size = found.resource.size if found.resource is not None else 0
        if found.reflected is not None and context.reflection is not None:
            for buffer in context.reflection.constant_buffers:
                if describes(context, buffer, found.reflected):
                    size = max(size, buffer.size)
        found.rows = max(1, -(-size // ROW))
        found.members["rows"] = context.names.unique(f"{found.name}_rows")
    return found.members.get("rows", found.name)


def view_size(
    context: ResourceContext, made: Expressions, value: Value
) -> tuple[SourceExpression, int]:
    """Return a size of a writable texture: a function that the source defines returns them."""
    memory: Memory = value.attr
    row = stripped(value.args[0])
    owner = owner_of(context, memory)
    count = 0
    if owner is not None and owner.resource is not None and owner.resource.shape is not None:
        shape = owner.resource.shape
        count = (2 if shape is Shape.CUBE else shape.coordinates) + owner.resource.layered
    if owner is None or row.op is not OPS.const or row.attr >= count:
        raise refused(f"the memory {memory.name}", value.line)
    owner.used = True
    made_ = size_function(context, ("size", memory), "size", SizeFunction("", owner, count))
    return SourceExpression(NodeForm.CALL, UINT.wide(3), (), made_.name), int(row.attr)
