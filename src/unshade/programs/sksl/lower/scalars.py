"""Operations on scalars, of the type that they have: f32, i32 (signed or not) or bool."""

from collections.abc import Sequence

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.types import BOOL, F32, I32, Type
from ..tables.operators import Operator

__all__ = ["all_of", "apply", "convert", "negate"]

ARITHMETIC = {
    Operator.PLUS: ("fadd", "iadd", "iadd"),
    Operator.MINUS: ("fsub", "isub", "isub"),
    Operator.STAR: ("fmul", "imul", "imul"),
    Operator.SLASH: ("fdiv", "idiv", "udiv"),
    Operator.PERCENT: ("", "irem", "urem"),
    Operator.SHL: ("", "ishl", "ishl"),
    Operator.SHR: ("", "ishr", "ushr"),
    Operator.BITWISE_AND: ("", "and_", "and_"),
    Operator.BITWISE_OR: ("", "or_", "or_"),
    Operator.BITWISE_XOR: ("", "xor", "xor"),
    Operator.LT: ("flt", "ilt", "ult"),
    Operator.LTEQ: ("fle", "ile", "ule"),
    Operator.EQEQ: ("feq", "ieq", "ieq"),
    Operator.NEQ: ("fne", "ine", "ine"),
}
SWAPPED = {Operator.GT: Operator.LT, Operator.GTEQ: Operator.LTEQ}


def apply(b: Builder, operator: Operator, left: Value, right: Value, unsigned: bool) -> Value:
    """Append an operator on two scalars of one type."""
    if operator in SWAPPED:
        operator, left, right = SWAPPED[operator], right, left
    row = ARITHMETIC.get(operator)
    name = "" if row is None else row[0 if left.type == F32 else 2 if unsigned else 1]
    if not name:
        raise UnsupportedError(f"the operator {operator.spelling} cannot be run on these operands")
    if name in ("idiv", "udiv"):  # the raster pipeline divides by ~0 instead of 0
        right = b.select(b.ieq(right, 0), b.i32(-1), right)
    found: Value = getattr(b, name)(left, right)
    return found


def negate(b: Builder, value: Value) -> Value:
    """Append the negative of a number."""
    return b.fneg(value) if value.type == F32 else b.ineg(value)


def convert(b: Builder, value: Value, type: Type, unsigned: bool, was_unsigned: bool) -> Value:
    """Append a conversion; floats are cut to integers, and any number but 0 is true."""
    if value.type == type:
        return value
    if type == BOOL:
        return b.fne(value, 0.0) if value.type == F32 else b.ine(value, 0)
    if value.type == BOOL:
        return b.select(value, b.number(1, type), b.number(0, type))
    if type == F32:
        return b.utof(value, type=F32) if was_unsigned else b.itof(value, type=F32)
    return b.ftou(value, type=I32) if unsigned else b.ftoi(value, type=I32)


def all_of(b: Builder, values: Sequence[Value]) -> Value:
    """Append the conjunction of bools."""
    found, *rest = values
    for each in rest:
        found = b.and_(found, each)
    return found
