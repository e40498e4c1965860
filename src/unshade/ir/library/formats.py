"""Conversion of stored texels to the precision of their format.

    unorm8    clamped to 0 to 1, times 255, rounded to an integer, divided by 255
    snorm8    clamped to -1 to 1, times 127, …     ties away from zero, NaN becomes 0
    float16   the nearest, ties to even
    uint8     clamped to the range
    ufloat11  the nearest of 6 or 5 bits of significand; below 0 it is 0
    components that the format lacks keep their defaults: 0, and 1 for the fourth

Memories of texels have 32 bits per component in every format. Arithmetic before each store
rounds the value to the format, so that a later read in the same call returns the stored value, with
the same bits in every engine. Formats of 32 bits need no conversion.

Source: the public documentation "Data conversion rules" of Direct3D. For floats it specifies
rounding toward zero; drivers of Vulkan round to nearest, and so do stores and f32tof16 here.
"""

from collections.abc import Mapping
from typing import Any

from ..builder import Builder, constant
from ..kernel import KernelIR, Value
from ..ops import OPS
from ..transforms.rewrite import rewrite
from ..types import F16, F32, I32
from .states import TexelFormat, TextureState

COMPONENT = 4  # bytes
DROPPED = constant(0, I32)  # in place of a store; never read
# By kind of format.
UNSIGNED = frozenset({TexelFormat.UINT8, TexelFormat.UINT16, TexelFormat.UINT10})
SIGNED = frozenset({TexelFormat.SINT8, TexelFormat.SINT16})
UNORM = frozenset({TexelFormat.UNORM8, TexelFormat.UNORM16, TexelFormat.UNORM10})
LEAST_EXPONENT = -14  # of a normal float with five bits of exponent
GREATEST = {6: 65024.0, 5: 64512.0}  # by bits of the significand


def _bits(format: TexelFormat, component: int) -> int:
    """Return the number of bits of a component."""
    match format:
        case TexelFormat.UNORM10 | TexelFormat.UINT10:
            return 2 if component == 3 else 10
        case TexelFormat.UFLOAT11:
            return 10 if component == 2 else 11
        case TexelFormat.UNORM8 | TexelFormat.SNORM8 | TexelFormat.UINT8 | TexelFormat.SINT8:
            return 8
    return 16


def expand(kernel: KernelIR, textures: Mapping[Any, TextureState]) -> None:
    """Round the values of all stores into textures to their formats, in place."""
    kept = {
        key: state
        for key, state in textures.items()
        if state.format is not TexelFormat.WIDE or state.components < 4
    }

    def rule(b: Builder, value: Value) -> Value | None:
        if value.op is not OPS.store or value.attr.key not in kept:
            return None
        state = kept[value.attr.key]
        element, byte, given = value.args
        if byte.op is OPS.const and byte.attr >= COMPONENT * state.components:
            return DROPPED
        if state.format is TexelFormat.WIDE:
            return None
        component = byte.attr // COMPONENT if byte.op is OPS.const else 0
        return b.store(value.attr, element, byte, stored(b, given, state.format, component))

    if kept:
        rewrite(kernel, rule)


def stored(b: Builder, given: Value, format: TexelFormat, component: int = 0) -> Value:
    """Append a component rounded to a format, in its own type."""
    bits = _bits(format, component)
    if format in UNSIGNED:
        return b.umin(given, (1 << bits) - 1)
    if format in SIGNED:
        most = (1 << (bits - 1)) - 1
        return b.imax(b.imin(given, most), ~most)
    number = given if given.type == F32 else b.asfloat(given)
    if format is TexelFormat.FLOAT16:
        found = b.fconv(b.fconv(number, type=F16), type=F32)
    elif format is TexelFormat.UFLOAT11:
        found = _unsigned_float(b, number, bits - 5)
    elif format in UNORM:
        found = _unorm(b, number, (1 << bits) - 1)
    else:
        found = _snorm(b, number, (1 << (bits - 1)) - 1)
    return found if given.type == F32 else b.asint(found)


def _unsigned_float(b: Builder, number: Value, digits: int) -> Value:
    """Append the nearest float with 5 bits of exponent, `digits` of significand and no sign."""
    spare = 23 - digits
    bits = b.bitcast(number)
    odd = b.and_(b.ushr(bits, spare), 1)
    near = b.iadd(b.iadd(bits, (1 << spare - 1) - 1), odd)
    normal = b.fmin(b.asfloat(b.and_(near, -1 << spare)), GREATEST[digits])
    scale = 2.0 ** (digits - LEAST_EXPONENT)
    small = b.fmul(b.frint(b.fmul(number, scale)), 1 / scale)
    found = b.select(b.flt(number, 2.0**LEAST_EXPONENT), small, normal)
    found = b.select(b.flt(number, float("inf")), found, number)  # an infinity, or NaN
    return b.select(b.fle(number, 0.0), b.f32(0.0), found)


def _unorm(b: Builder, number: Value, most: int) -> Value:
    scaled = b.fmul(b.fmin(b.fmax(number, 0.0), 1.0), float(most))  # NaN becomes 0
    return b.fdiv(_nearest(b, scaled), float(most))


def _snorm(b: Builder, number: Value, most: int) -> Value:
    size = b.fmul(b.fmin(b.fmax(b.fabs(number), 0.0), 1.0), float(most))
    found = b.fdiv(_nearest(b, size), float(most))
    return b.select(b.flt(number, 0.0), b.fsub(0.0, found), found)


def _nearest(b: Builder, number: Value) -> Value:
    """Append the integer nearest to a non-negative number, ties up, without double rounding."""
    whole = b.ffloor(number)
    rest = b.fsub(number, whole)
    return b.select(b.fle(b.f32(0.5), rest), b.fadd(whole, 1.0), whole)
