"""Calls of LLVM's own functions, by their names without `llvm.` and the types that end them.

    call void @llvm.assume(i1 %c)                                  no effect
    call float @llvm.fabs.f32(float %x)                            fabs
    call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %x, i32 %y)  the product, and whether it
                                                                   has more than 32 bits
    call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)           the sum of the elements
    call i1 @llvm.is.fpclass.f32(float %x, i32 3)                  %x is a NaN
    call void @llvm.memcpy.p0i8.p0i8.i32(i8* %to, i8* %from, i32 16, i32 4, i1 false)

dxc leaves few intrinsics in DXIL (for debug information and lifetimes); clang leaves more.
Functions that LLVM 3.7 lacks are named as in later versions. Vectors are taken element by element.

Source: the language references of LLVM 3.7 and 19, intrinsic functions.
"""

import re
from collections.abc import Callable
from functools import partial, reduce
from math import e, log, log2, log10
from typing import Any

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.ops import OPS
from ....ir.types import BOOL, I8, I32, INTEGERS, Type
from ..model.instructions import CallInst
from ..model.types import VectorType
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
    if base in VECTORS:
        return _reduced(pointers, call, base)
    formula = INTRINSICS.get(base)
    if base in TYPED:
        formula = partial(TYPED[base], type=_scalar_of(pointers, call))
    if formula is None:
        raise UnsupportedError(f"a call of {name!s:.60} cannot be run yet")
    arguments = [pointers.values.get(each) for each in call.arguments]
    count = COUNTS.get(base, len(arguments))
    if not 0 < count <= len(arguments):
        raise UnsupportedError(f"{name!s:.60}: expected {count or 'some'} arguments")
    return each_element(partial(formula, pointers.b), *arguments[:count])


def _scalar_of(pointers: Pointers, call: CallInst) -> Type:
    """Return the type of a result, or of its elements."""
    type = call.type
    return pointers.values.type(type.element if isinstance(type, VectorType) else type)


def _reduced(pointers: Pointers, call: CallInst, base: str) -> Value:
    """Combine the elements of a vector, which may follow a number to begin with."""
    *start, vector = (pointers.values.get(each) for each in call.arguments)
    elements = [*start, *vector] if isinstance(vector, tuple) else []
    if not elements or not all(isinstance(each, Value) for each in elements):
        raise UnsupportedError(f"llvm.{base}: expected a vector of numbers")
    name, b = VECTORS[base], pointers.b
    combine = partial(INTRINSICS[name], b) if name in INTRINSICS else getattr(b, name)
    found: Value = reduce(combine, elements)
    return found


# ---------------------------------------------------------------- floats


def _is_nan(b: Builder, x: Value) -> Value:
    return b.fne(x, x)


def _extreme(b: Builder, x: Value, y: Value, *, least: bool) -> Value:
    """Append the minimum or maximum, where −0 is less than +0; NaN if an operand is."""
    x, y = b.fcanonicalise(x), b.fcanonicalise(y)
    zeros = (b.or_ if least else b.and_)(b.asint(x), b.asint(y))  # of equal numbers
    first = b.flt(x, y) if least else b.flt(y, x)
    found = b.select(b.feq(x, y), b.asfloat(zeros), b.select(first, x, y))
    return b.select(b.or_(_is_nan(b, x), _is_nan(b, y)), b.fadd(x, y), found)


def _extreme_number(b: Builder, x: Value, y: Value, *, least: bool) -> Value:
    """Append the minimum or maximum, where −0 is less than +0; the other operand of a NaN."""
    x, y = b.select(_is_nan(b, x), y, x), b.select(_is_nan(b, y), x, y)
    return _extreme(b, x, y, least=least)


def _of_class(b: Builder, x: Value, mask: Value) -> Value:
    """Append a test for classes of floats: a bit of the mask for each, from signalling NaN up."""
    if mask.op is not OPS.const:
        raise UnsupportedError("expected a constant mask of classes, got a value")
    bits, width = b.asint(x), x.type.bits
    digits = {16: 10, 32: 23, 64: 52}[width]  # of the fraction
    infinity = (1 << width - 1) - (1 << digits)
    size = b.and_(bits, (1 << width - 1) - 1)
    negative = b.ilt(bits, 0)
    tests = [
        b.and_(b.ult(infinity, size), b.ult(size, infinity + (1 << digits - 1))),
        b.ule(infinity + (1 << digits - 1), size),
    ]
    sizes = [
        b.ieq(size, infinity),
        b.and_(b.ule(1 << digits, size), b.ult(size, infinity)),
        b.and_(b.ult(0, size), b.ult(size, 1 << digits)),
        b.ieq(size, 0),
    ]
    tests += [b.and_(negative, each) for each in sizes]
    tests += [b.and_(b.not_(negative), each) for each in reversed(sizes)]
    found = constant(0, BOOL)
    for at, test in enumerate(tests):
        if mask.attr >> at & 1:
            found = b.or_(found, test)
    return found


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


def _shifted(b: Builder, x: Value, by: Value, back: Callable[..., Value]) -> Value:
    """Append a shift to the left; if bits are lost, the nearest number that fits."""
    found = b.ishl(x, by)
    most = constant(-1, x.type)
    if back == b.ishr:
        most = b.select(b.ilt(x, 0), _least(x), b.not_(_least(x)))
    return b.select(b.ieq(back(found, by), x), found, most)


def _order(b: Builder, less: Value, equal: Value, type: Type) -> Value:
    """Append −1, 0 or 1."""
    more = b.select(equal, constant(0, type), constant(1, type))
    return b.select(less, constant(-1, type), more)


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
    "tan":                lambda b, x: b.tan(x),
    "asin":               lambda b, x: b.asin(x),
    "acos":               lambda b, x: b.acos(x),
    "atan":               lambda b, x: b.atan(x),
    "sinh":               lambda b, x: b.sinh(x),
    "cosh":               lambda b, x: b.cosh(x),
    "tanh":               lambda b, x: b.tanh(x),
    "exp":                lambda b, x: b.exp2(b.fmul(x, log2(e))),  # as clang expands it
    "exp10":              lambda b, x: b.exp2(b.fmul(x, log2(10))),
    "log":                lambda b, x: b.fmul(b.log2(x), log(2)),
    "log10":              lambda b, x: b.fmul(b.log2(x), log10(2)),
    "exp2":               lambda b, x: b.exp2(x),
    "log2":               lambda b, x: b.log2(x),
    "pow":                lambda b, x, y: b.pow(x, y),
    "fma":                lambda b, x, y, z: b.ffma(x, y, z),
    "fmuladd":            lambda b, x, y, z: b.fadd(b.fmul(x, y), z),
    "minnum":             lambda b, x, y: b.fmin(x, y),
    "maxnum":             lambda b, x, y: b.fmax(x, y),
    "minimum":            partial(_extreme, least=True),
    "maximum":            partial(_extreme, least=False),
    "minimumnum":         partial(_extreme_number, least=True),
    "maximumnum":         partial(_extreme_number, least=False),
    "is.fpclass":         _of_class,
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
    "sshl.sat":           lambda b, x, n: _shifted(b, x, n, b.ishr),
    "ushl.sat":           lambda b, x, n: _shifted(b, x, n, b.ushr),
}
# With the type of the result.
TYPED: dict[str, Formula] = {
    "fptosi.sat":         lambda b, x, type: b.ftoi(x, type=type),
    "fptoui.sat":         lambda b, x, type: b.ftou(x, type=type),
    "scmp":               lambda b, x, y, type: _order(b, b.ilt(x, y), b.ieq(x, y), type),
    "ucmp":               lambda b, x, y, type: _order(b, b.ult(x, y), b.ieq(x, y), type),
}
# Functions of the elements of a vector, by the function or operation of two elements.
VECTORS = {
    "vector.reduce.add": "iadd", "vector.reduce.mul": "imul", "vector.reduce.and": "and_",
    "vector.reduce.or": "or_", "vector.reduce.xor": "xor", "vector.reduce.smax": "smax",
    "vector.reduce.smin": "smin", "vector.reduce.umax": "umax", "vector.reduce.umin": "umin",
    "vector.reduce.fadd": "fadd", "vector.reduce.fmul": "fmul", "vector.reduce.fmax": "maxnum",
    "vector.reduce.fmin": "minnum", "vector.reduce.fmaximum": "maximum",
    "vector.reduce.fminimum": "minimum",
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
