"""Numbers of 8, 16 and 64 bits in memory, for targets that have them.

    load.i16 u0[n, 2]        half 2 n + 1 of a view of the buffer as numbers of 16 bits
    load.f64 t0[n, 4]        words 1 and 2 of element n, since a number of 64 bits must be aligned
    load.i16 cb0[3, 6]       the upper half of the word rows[3].y

A buffer has a view for each size of the numbers that are accessed. Constants are read as words.
"""

from ...ir.kernel import Value
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ..expressions import Expressions, refused
from ..kinds import stripped
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType, literal, resized, swizzle
from .context import UINT, DeclaredResource, ResourceContext, highest

__all__ = [
    "WORD",
    "accessed_bits",
    "check_width",
    "converted",
    "has_views",
    "joined",
    "multiplied",
    "number_size",
    "of_words",
    "only_size",
    "sizes_of",
    "unit_of",
    "within",
]

WORD = 4  # bytes
WORD_MASK = (1 << 8 * WORD) - 1
INT = TermType(ScalarKind.INT)
VIEWED = frozenset({ResourceForm.RAW, ResourceForm.STRUCTURED})


def accessed_bits(access: Value) -> int:
    """Return the width of the number that an access reads or writes."""
    if access.op is OPS.store or access.op.atomic:
        return access.args[2].type.bits
    return access.type.bits


def check_width(context: ResourceContext, access: Value) -> None:
    """Refuse an access to anything but a word, in a language that has only words in memory."""
    bits = accessed_bits(access)
    if bits != 8 * WORD and not context.rules.widths:
        raise refused(f"an access to {bits} bits of {access.attr.name}", access.line)


def converted(value: SourceExpression, bits: int) -> SourceExpression:
    """Return a number with other bits: one of 16 bits of a point, which memory has as a word."""
    if value.type.bits == bits:
        return value
    op = {ScalarKind.FLOAT: OPS.fconv, ScalarKind.INT: OPS.iconv}.get(value.type.kind, OPS.uconv)
    return resized(op, value, value.type._replace(bits=bits))


def number_size(context: ResourceContext, access: Value) -> int:
    """Return the bytes of the numbers by which a buffer is accessed: words for unaligned ones."""
    size = accessed_bits(access) // 8
    memory: Memory = access.attr
    if size <= WORD or access.op.atomic or memory.space is not Space.BUFFER:
        return size
    byte = stripped(access.args[1])
    aligned = memory.stride % size == 0 and byte.op is OPS.const and byte.attr % size == 0
    return size if aligned else WORD


def sizes_of(context: ResourceContext, found: DeclaredResource) -> list[int]:
    """Return the sizes of the numbers by which a resource, or an array of them, is accessed.

    Without an access it is that of words.
    """
    sizes: set[int] = set()
    for memory, each in context.known.items():
        if each.name == found.name and isinstance(memory, Memory):
            sizes |= context.sizes.get(memory, set())
    return sorted(sizes) or [WORD]


def only_size(context: ResourceContext, memory: Memory) -> int:
    """Return the size of all numbers in an array of a lane or group.

    Raises:
        UnsupportedError: They have several sizes.
    """
    sizes = context.sizes.get(memory) or {WORD}
    if len(sizes) > 1 or memory.stride % min(sizes):
        raise refused(f"an array {memory.name} of numbers of several sizes", 0)
    return min(sizes)


def has_views(memory: Memory, found: DeclaredResource) -> bool:
    """Return True for a buffer of words or structures, which is not one of texels."""
    form = found.resource.form if found.resource is not None else None
    return memory.space is Space.BUFFER and form in VIEWED


def unit_of(context: ResourceContext, made: Expressions, access: Value) -> SourceExpression:
    """Return the number of a word or other unit of a raw buffer that an access reads or writes."""
    memory: Memory = access.attr
    size = number_size(context, access)
    units = memory.stride if context.rules.by_bytes else memory.stride // size
    element = within(context, made, access.args[0], units)
    if memory.stride == size:
        return element
    if memory.stride < size:
        raise refused(f"a number across elements of {memory.name}", access.line)
    if memory.stride == WORD:
        whole = _byte(made, access)
        if whole is not None:
            return shifted(whole, size.bit_length() - 1, 0)
    first = multiplied(element, memory.stride // size)
    return summed(first, unit_in(context, made, access, 0, UINT))


def _byte(made: Expressions, access: Value) -> SourceExpression | None:
    """Return the byte that a program splits into a word and a byte of the word; None otherwise."""
    element, byte = (stripped(each) for each in access.args[:2])
    if element.op is not OPS.ushr or byte.op is not OPS.and_:
        return None
    wholes = [stripped(each.args[0]) for each in (element, byte)]
    numbers = [stripped(each.args[1]) for each in (element, byte)]
    if wholes[0] is not wholes[1] or any(each.op is not OPS.const for each in numbers):
        return None
    group, _ = made.placement.of.get(wholes[0], (None, 0))
    named = wholes[0].op in (OPS.input, OPS.source) or (group is not None and group.name)
    splits = [each.attr for each in numbers] == [WORD.bit_length() - 1, WORD - 1]
    return made.scalar(wholes[0], ScalarKind.UINT) if named and splits else None


def within(
    context: ResourceContext, made: Expressions, element: Value, units: int
) -> SourceExpression:
    """Return the number of an element that has a number of units; in style `exact` one with places.

    The places of the elements beyond would begin at 0 again. They lie outside of every buffer, as
    the last element with places does.
    """
    found = made.scalar(element, ScalarKind.UINT)
    last = (1 << 32) // max(units, 1) - 1
    if not context.exact or highest(context, element) <= last:
        return found
    return SourceExpression(OPS.umin, UINT, (found, literal((last,), UINT)))


def unit_in(
    context: ResourceContext,
    made: Expressions,
    access: Value,
    half: int = 0,
    constant: TermType = INT,
) -> SourceExpression:
    """Return the number of a word or other unit in an element; a known one has a given type."""
    shift = number_size(context, access).bit_length() - 1
    found = shifted(made.scalar(access.args[1], ScalarKind.UINT), shift, half)
    return literal(found.attr, constant) if found.op is NodeForm.LITERAL else found


def joined(low: SourceExpression, high: SourceExpression) -> SourceExpression:
    """Return a number of 64 bits of two words."""
    pair = SourceExpression(NodeForm.CONSTRUCT, UINT.wide(2), (low, high))
    return SourceExpression(NodeForm.BITS, TermType(ScalarKind.UINT, 64), (pair,))


def of_words(
    context: ResourceContext, made: Expressions, access: Value, rows: SourceExpression
) -> tuple[SourceExpression, int]:
    """Return a number of another width than a word from an array of registers."""
    memory: Memory = access.attr
    bits = accessed_bits(access)
    element, byte = (stripped(each) for each in access.args)
    width = rows.type.width

    def word(half: int) -> SourceExpression:
        if memory.stride >= WORD * width:
            row = made.scalar(element, ScalarKind.UINT)
            number = shifted(address, 2, half)
        else:
            whole = shifted(address, 2, half)
            row, number = divided(whole, width)
        vector = SourceExpression(NodeForm.INDEX, rows.type, (rows, row))
        found = (
            swizzle(vector, (number.attr[0],))
            if number.op is NodeForm.LITERAL
            else SourceExpression(NodeForm.INDEX, rows.type.wide(1), (vector, number))
        )
        return made.cast(found, ScalarKind.UINT)

    address = made.scalar(byte, ScalarKind.UINT)
    if memory.stride < WORD * width:
        start = made.scalar(element, ScalarKind.UINT)
        address = summed(multiplied(start, memory.stride), address)
    if bits == 2 * 8 * WORD:
        return joined(word(0), word(1)), 0
    if bits == 8 * WORD:
        return word(0), 0
    low = multiplied(remainder(address, WORD), 8)
    part = word(0)
    if low.op is not NodeForm.LITERAL or low.attr[0]:
        part = SourceExpression(OPS.ushr, UINT, (part, low))
    return SourceExpression(OPS.iconv, TermType(ScalarKind.UINT, bits), (part,)), 0


# ---------------------------------------------------------------- arithmetic on places


def _constant(value: SourceExpression) -> int | None:
    return int(value.attr[0]) if value.op is NodeForm.LITERAL else None


def multiplied(value: SourceExpression, by: int) -> SourceExpression:
    """Return a place times a number."""
    known = _constant(value)
    if known is not None:
        return literal((known * by & WORD_MASK,), UINT)
    more = _constant(value.args[1]) if value.op in (OPS.iadd, OPS.imul) else None
    if more is not None and value.op is OPS.imul:
        return multiplied(value.args[0], more * by & WORD_MASK)
    if more is not None:
        return summed(multiplied(value.args[0], by), literal((more * by & WORD_MASK,), UINT))
    return SourceExpression(OPS.imul, UINT, (value, literal((by,), UINT)))


def summed(one: SourceExpression, other: SourceExpression) -> SourceExpression:
    """Return the sum of two places."""
    first, second = _constant(one), _constant(other)
    if first is not None and second is not None:
        return literal((first + second & WORD_MASK,), UINT)
    if not second and second is not None:
        return one
    if second is not None and one.op is OPS.iadd and _constant(one.args[1]) is not None:
        return summed(one.args[0], summed(one.args[1], other))
    return SourceExpression(OPS.iadd, UINT, (one, other))


def shifted(value: SourceExpression, by: int, more: int) -> SourceExpression:
    """Return a place divided by a power of two, plus a number."""
    known = _constant(value)
    if known is not None:
        return literal(((known >> by) + more,), UINT)
    found = SourceExpression(OPS.ushr, UINT, (value, literal((by,), UINT)))
    return summed(found, literal((more,), UINT))


def remainder(value: SourceExpression, size: int) -> SourceExpression:
    """Return a place in a unit whose size is a power of two."""
    known = _constant(value)
    if known is not None:
        return literal((known % size,), UINT)
    return SourceExpression(OPS.and_, UINT, (value, literal((size - 1,), UINT)))


def divided(value: SourceExpression, width: int) -> tuple[SourceExpression, SourceExpression]:
    """Return the vector that a component is in, and its number there."""
    return shifted(value, width.bit_length() - 1, 0), remainder(value, width)
