"""Parts of structures and vectors, and operations on vectors element by element.

extractelement <4 x float> %v, i32 %k      a choice among the elements; 0 if there is none
insertelement <4 x float> %v, float %x, i32 %k
bitcast <2 x i32> %v to <4 x half>         the bits, the first element lowest
"""

from collections.abc import Callable, Sequence

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.ops import OPS
from ....ir.types import BOOL, INTEGERS, Type
from .values import Result

__all__ = ["chosen", "each_element", "inserted", "part_of", "regrouped", "replaced"]


def each_element(do: Callable[..., Result], *operands: Result) -> Result:
    """Apply an operation to numbers, or to each element of vectors."""
    if isinstance(operands[0], tuple):
        counts = {len(each) if isinstance(each, tuple) else 0 for each in operands}
        if len(counts) > 1:
            raise UnsupportedError("expected vectors of the same number of elements")
        return tuple(each_element(do, *some) for some in zip(*operands, strict=True))
    for each in operands:
        if not isinstance(each, Value):
            raise UnsupportedError(f"expected a number, got {each!r:.40}")
    return do(*operands)


def part_of(aggregate: Result, at: int) -> Result:
    """Return a part of a structure or vector."""
    if not isinstance(aggregate, tuple) or not 0 <= at < len(aggregate):
        raise UnsupportedError(f"expected a value with a part {at}")
    return aggregate[at]


def inserted(aggregate: Result, indices: list[int], value: Result) -> Result:
    """Return an aggregate with another part."""
    if not indices:
        return value
    at, *rest = indices
    part_of(aggregate, at)
    made = [*aggregate]
    made[at] = inserted(made[at], rest, value) if rest else value
    return tuple(made)


def chosen(b: Builder, vector: Result, index: Value) -> Value:
    """Append the element of a vector at an index; 0 if the element does not exist."""
    elements = _elements(vector)
    if index.op is OPS.const:
        inside = index.attr < len(elements)
        return elements[index.attr] if inside else constant(0, elements[0].type)
    found = constant(0, elements[0].type)
    for at, each in enumerate(elements):
        found = b.select(b.ieq(index, at), each, found)
    return found


def replaced(b: Builder, vector: Result, index: Value, value: Value) -> tuple[Value, ...]:
    """Append a vector with another element at an index; unchanged if the index is out of range."""
    elements = _elements(vector)
    if index.op is OPS.const:
        return tuple(value if at == index.attr else each for at, each in enumerate(elements))
    return tuple(b.select(b.ieq(index, at), value, each) for at, each in enumerate(elements))


def _elements(vector: Result) -> tuple[Value, ...]:
    if not isinstance(vector, tuple) or not vector:
        raise UnsupportedError(f"expected a vector, got {vector!r:.40}")
    return vector


def regrouped(b: Builder, parts: Sequence[Value], type: Type) -> list[Value]:
    """Append a bitcast of numbers to numbers of another size, lowest bits first."""
    old = parts[0].type
    if BOOL in (old, type):
        raise UnsupportedError("a bitcast of bools to other numbers cannot be run yet")
    unit = INTEGERS[min(old.bits, type.bits)]
    pieces = []
    for each in parts:
        bits = b.asint(each) if old.kind == "f" else each
        for low in range(0, old.bits, unit.bits):
            piece = b.ushr(bits, low) if low else bits
            pieces.append(b.uconv(piece, type=unit) if piece.type != unit else piece)
    made = []
    whole = INTEGERS[type.bits]
    step = type.bits // unit.bits
    for first in range(0, len(pieces), step):
        bits = pieces[first] if step == 1 else b.uconv(pieces[first], type=whole)
        for at, each in enumerate(pieces[first + 1 : first + step], 1):
            bits = b.or_(bits, b.ishl(b.uconv(each, type=whole), at * unit.bits))
        made.append(b.asfloat(bits) if type.kind == "f" else bits)
    return made
