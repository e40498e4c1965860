"""Pattern matching for simplification rules: the maker of operations, and tests of operands."""

from collections.abc import Callable
from typing import Any, Protocol

from ..analysis.ranges import ValueRange
from ..kernel import Value
from ..ops import OPS, Op
from ..types import Type


class Maker(Protocol):
    """A maker of operations for rules; results are simplified."""

    def make(self, op: Op, *args: Value, type: Type | None = None, attr: Any = None) -> Value: ...

    def const(self, number: int, type: Type) -> Value: ...

    def range(self, value: Value) -> ValueRange: ...


Rule = Callable[[Maker, Type, tuple[Value, ...]], "Value | None"]


def known(value: Value) -> int | None:
    """Return the bits of a constant; None for other values."""
    if value.op is not OPS.const:
        return None
    bits: int = value.attr
    return bits


def parts(value: Value, op: Op) -> tuple[Value, ...] | None:
    """Return the operands of a value if it is this operation, else None."""
    return value.args if value.op is op else None


def same(a: Value, b: Value) -> bool:
    """Return True if two operands are the same value or equal constants."""
    if a is b:
        return True
    return a.op is b.op is OPS.const and a.type == b.type and a.attr == b.attr


def power(number: int | None) -> int | None:
    """Return the exponent of a power of two; None for other numbers."""
    if not number or number & number - 1:
        return None
    return number.bit_length() - 1


def pair(value: Value) -> tuple[Value, int, int] | None:
    """Return the condition and both numbers of a select of constants, else None."""
    if value.op is not OPS.select:
        return None
    c, x, y = value.args
    one, other = known(x), known(y)
    return None if one is None or other is None else (c, one, other)
