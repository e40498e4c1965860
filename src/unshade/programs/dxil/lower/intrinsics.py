"""Calls of LLVM's own functions, by their names without `llvm.` and the types that end them.

    call void @llvm.assume(i1 %c)                                  no effect
    call float @llvm.fabs.f32(float %x)                            fabs
    call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %x, i32 %y)  the product, and whether it
                                                                   has more than 32 bits
    call void @llvm.memcpy.p0i8.p0i8.i32(i8* %to, i8* %from, i32 16, i32 4, i1 false)

dxc leaves few intrinsics in DXIL (for debug information and lifetimes); clang leaves more.
Functions that LLVM 3.7 lacks are named as in later versions. Vectors are taken element by element.

Source: the language references of LLVM 3.7 and 19, intrinsic functions.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.ops import OPS
from ....ir.types import I8, I32, INTEGERS
from ..model.instructions import CallInst
from ..model.values import DxilValue
from .pointers import LARGEST_COPY, Pointers
from .scans import RESERVED
from .values import PointerValue, Result
from .vectors import each_element

__all__ = ["intrinsic"]

TYPES = re.compile(r"(\.(v\d+|nxv\d+)?(i\d+|f\d+|p\d+(i\d+)?))+$")
Formula = Callable[..., Any]


def intrinsic(pointers: Pointers, call: CallInst, name: str) -> Result:
    """Lower a call of an LLVM intrinsic, such as `llvm.fabs.f32`."""
    base = TYPES.sub("", name.removeprefix(RESERVED))
    if base in MEMORY:
        MEMORY[base](pointers, call)
        return None
    formula = INTRINSICS.get(base)
    if formula is None:
        raise UnsupportedError(f"a call of {name!s:.60} cannot be run yet")
    arguments = [pointers.values.get(each) for each in call.arguments]
    count = COUNTS.get(base, len(arguments))
    if not 0 < count <= len(arguments):
        raise UnsupportedError(f"{name!s:.60}: expected {count or 'some'} arguments")
    return each_element(partial(formula, pointers.b), *arguments[:count])


# ---------------------------------------------------------------- floats


def _rounded_away(b: Builder, x: Value) -> Value:
    """Append the nearest integer, ties away from zero."""
    whole = b.ftrunc(x)
    one = b.number(1.0, x.type)
    further = b.fadd(whole, _signed_as(b, one, x))
    return b.select(b.fle(0.5, b.fabs(b.fsub(x, whole))), further, whole)


def _signed_as(b: Builder, x: Value, y: Value) -> Value:
    """Append x with the sign of y."""
    of = INTEGERS[x.type.bits]
    sign = 1 << of.bits - 1
    size = b.and_(b.asint(x), constant(sign - 1, of))
    return b.asfloat(b.or_(size, b.and_(b.asint(y), constant(sign, of))))


# ---------------------------------------------------------------- integers


def _bytes_reversed(b: Builder, x: Value) -> Value:
    last = x.type.bits - 8
    found = None
    for low in range(0, x.type.bits, 8):
        byte = b.ishl(b.and_(b.ushr(x, low), 255), last - low)
        found = byte if found is None else b.or_(found, byte)
    assert found is not None
    return found


def _least(x: Value) -> Value:
    """Return the least signed integer of a type."""
    return constant(1 << x.type.bits - 1, x.type)


def _zero(x: Value) -> Value:
    return constant(0, x.type)


def _signed_sum(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    total = b.iadd(x, y)
    return total, b.ilt(b.and_(b.xor(x, total), b.xor(y, total)), 0)


def _signed_difference(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    found = b.isub(x, y)
    return found, b.ilt(b.and_(b.xor(x, y), b.xor(x, found)), 0)


def _signed_product(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    found = b.imul(x, y)
    return found, b.ine(b.imulh(x, y), b.ishr(found, x.type.bits - 1))


def _sum(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    total = b.iadd(x, y)
    return total, b.ult(total, x)


def _product(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    return b.imul(x, y), b.ine(b.umulh(x, y), 0)


def _saturated(b: Builder, found: tuple[Value, Value], x: Value) -> Value:
    """Append a signed result, or if it does not fit, the nearest number that does."""
    value, over = found
    least = _least(x)
    return b.select(over, b.select(b.ilt(x, 0), least, b.not_(least)), value)


def _funnel(b: Builder, high: Value, low: Value, by: Value, *, left: bool) -> Value:
    """Append half of the bits of two integers after a shift."""
    last = high.type.bits - 1
    by = b.and_(by, last)
    other = b.xor(by, last)
    if left:
        return b.or_(b.ishl(high, by), b.ushr(b.ushr(low, 1), other))
    return b.or_(b.ishl(b.ishl(high, 1), other), b.ushr(low, by))


# fmt: off
INTRINSICS: dict[str, Formula] = {
    "expect":             lambda b, x: x,
    "expect.with.probability": lambda b, x: x,
    "fabs":               lambda b, x: b.fabs(x),
    "sqrt":               lambda b, x: b.fsqrt(x),
    "sin":                lambda b, x: b.sin(x),
    "cos":                lambda b, x: b.cos(x),
    "exp2":               lambda b, x: b.exp2(x),
    "log2":               lambda b, x: b.log2(x),
    "pow":                lambda b, x, y: b.pow(x, y),
    "fma":                lambda b, x, y, z: b.ffma(x, y, z),
    "fmuladd":            lambda b, x, y, z: b.fadd(b.fmul(x, y), z),
    "minnum":             lambda b, x, y: b.fmin(x, y),
    "maxnum":             lambda b, x, y: b.fmax(x, y),
    "copysign":           _signed_as,
    "canonicalize":       lambda b, x: b.fcanonicalise(x),
    "floor":              lambda b, x: b.ffloor(x),
    "ceil":               lambda b, x: b.fceil(x),
    "trunc":              lambda b, x: b.ftrunc(x),
    "rint":               lambda b, x: b.frint(x),
    "nearbyint":          lambda b, x: b.frint(x),
    "roundeven":          lambda b, x: b.frint(x),
    "round":              _rounded_away,
    "bswap":              _bytes_reversed,
    "bitreverse":         lambda b, x: b.bitrev(x),
    "ctpop":              lambda b, x: b.popcount(x),
    "ctlz":               lambda b, x: b.clz(x),
    "cttz":               lambda b, x: b.ctz(x),
    "abs":                lambda b, x: b.imax(x, b.ineg(x)) if x.type.bits > 1 else x,
    "smax":               lambda b, x, y: b.imax(x, y),
    "smin":               lambda b, x, y: b.imin(x, y),
    "umax":               lambda b, x, y: b.umax(x, y),
    "umin":               lambda b, x, y: b.umin(x, y),
    "fshl":               lambda b, x, y, n: _funnel(b, x, y, n, left=True),
    "fshr":               lambda b, x, y, n: _funnel(b, x, y, n, left=False),
    "sadd.with.overflow": _signed_sum,
    "ssub.with.overflow": _signed_difference,
    "smul.with.overflow": _signed_product,
    "uadd.with.overflow": _sum,
    "usub.with.overflow": lambda b, x, y: (b.isub(x, y), b.ult(x, y)),
    "umul.with.overflow": _product,
    "sadd.sat":           lambda b, x, y: _saturated(b, _signed_sum(b, x, y), x),
    "ssub.sat":           lambda b, x, y: _saturated(b, _signed_difference(b, x, y), x),
    "uadd.sat":           lambda b, x, y: b.iadd(x, b.umin(b.not_(x), y)),
    "usub.sat":           lambda b, x, y: b.isub(b.umax(x, y), y),
}
# fmt: on
# Operands that count: the others are hints, or say which values are poison.
COUNTS = {"expect": 1, "expect.with.probability": 1, "ctlz": 1, "cttz": 1, "abs": 1}

# ---------------------------------------------------------------- memory


def _length(pointers: Pointers, value: DxilValue) -> int:
    """Return the number of bytes that a function of memory is given, a constant."""
    length = pointers.values.integer(value)
    if length > LARGEST_COPY:
        raise UnsupportedError(
            f"expected at most {LARGEST_COPY} bytes to copy or set, got {length}"
        )
    return length


def _unit(length: int, *places: PointerValue) -> int:
    """Return the number of bytes to access at once, at most 4."""
    sizes = [length, *(each.stride for each in places)]
    sizes += [each.byte.attr for each in places if each.byte.op is OPS.const]
    dynamic = any(each.byte.op is not OPS.const for each in places)
    return 1 if dynamic else next(u for u in (4, 2, 1) if all(size % u == 0 for size in sizes))


def _at(pointers: Pointers, place: PointerValue, by: int) -> PointerValue:
    """Return a place advanced by a number of bytes, normalised to an element."""
    start = PointerValue(place.memory, place.element, constant(0, I32), stride=place.stride)
    if place.byte.op is OPS.const:
        return pointers.moved(start, place.byte.attr + by)
    return pointers.moved(place, by)


def _copied(pointers: Pointers, call: CallInst) -> None:
    target, source = (pointers.place(each) for each in call.arguments[:2])
    length = _length(pointers, call.arguments[2])
    unit = _unit(length, target, source)
    type = INTEGERS[8 * unit]
    steps = range(0, length, unit)
    read = [pointers.load(_at(pointers, source, at), type) for at in steps]
    for at, value in zip(steps, read, strict=True):
        pointers.store(_at(pointers, target, at), value)


def _filled(pointers: Pointers, call: CallInst) -> None:
    target, byte = pointers.place(call.arguments[0]), pointers.values.scalar(call.arguments[1])
    if byte.type != I8:
        raise UnsupportedError(f"expected a byte of i8, got {byte.type.name}")
    length = _length(pointers, call.arguments[2])
    unit = _unit(length, target)
    type = INTEGERS[8 * unit]
    b = pointers.b
    value = byte
    if unit > 1:
        value = b.imul(b.uconv(byte, type=type), constant(0x0101_0101, type))
    for at in range(0, length, unit):
        pointers.store(_at(pointers, target, at), value)


MEMORY: dict[str, Callable[[Pointers, CallInst], None]] = {
    "memcpy": _copied,
    "memcpy.inline": _copied,
    "memmove": _copied,
    "memset": _filled,
    "memset.inline": _filled,
}
