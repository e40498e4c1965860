"""Packing of vectors into integers, and unpacking.

    PackUnorm4x8    each of 4 floats, clamped to 0 to 1, times 255, rounded, into a byte; x lowest
    PackHalf2x16    each of 2 floats as 16 bits, rounded to the nearest, ties to even
    UnpackSnorm…    n / 127 or n / 32767, at least -1

Source: SPIR-V extended instructions for GLSL.
"""

from collections.abc import Callable, Sequence

from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.types import F16, F32, I16, I32, I64

__all__ = ["PACKING"]

WORD = 32


def _join(b: Builder, parts: Sequence[Value]) -> Value:
    """Append the integers, each within its share of a word, as one word."""
    width = WORD // len(parts)
    found = parts[0]
    for at, each in enumerate(parts[1:], 1):
        found = b.or_(found, b.ishl(each, at * width))
    return found


def _parts(b: Builder, word: Value, count: int, signed: bool) -> list[Value]:
    """Append the parts of a word as integers."""
    width = WORD // count
    found = []
    for at in range(count):
        top = b.ishl(word, WORD - width * (at + 1)) if at + 1 < count else word
        found.append((b.ishr if signed else b.ushr)(top, WORD - width))
    return found


def _most(count: int, signed: bool) -> int:
    return (1 << WORD // count - signed) - 1


def _pack(count: int, signed: bool) -> Callable[[Builder, Sequence[Value]], list[Value]]:
    most = _most(count, signed)

    def pack(b: Builder, x: Sequence[Value]) -> list[Value]:
        parts = []
        for each in x:
            unit = b.fmin(b.fmax(each, -1.0 if signed else 0.0), 1.0)
            number = b.ftoi(b.frint(b.fmul(unit, float(most))), type=I32)
            parts.append(b.and_(number, (1 << WORD // count) - 1) if signed else number)
        return [_join(b, parts)]

    return pack


def _unpack(count: int, signed: bool) -> Callable[[Builder, Sequence[Value]], list[Value]]:
    most = _most(count, signed)

    def unpack(b: Builder, x: Sequence[Value]) -> list[Value]:
        found = []
        for each in _parts(b, x[0], count, signed):
            number = b.fdiv(b.itof(each, type=F32), float(most))
            found.append(b.fmax(number, -1.0) if signed else number)
        return found

    return unpack


def _pack_half(b: Builder, x: Sequence[Value]) -> list[Value]:
    bits = (b.asint(b.fconv(each, type=F16)) for each in x)
    return [_join(b, [b.uconv(each, type=I32) for each in bits])]


def _unpack_half(b: Builder, x: Sequence[Value]) -> list[Value]:
    parts = _parts(b, x[0], 2, signed=False)
    return [b.fconv(b.asfloat(b.uconv(each, type=I16)), type=F32) for each in parts]


def _pack_double(b: Builder, x: Sequence[Value]) -> list[Value]:
    low, high = (b.uconv(each, type=I64) for each in x)
    return [b.asfloat(b.or_(low, b.ishl(high, WORD)))]


def _unpack_double(b: Builder, x: Sequence[Value]) -> list[Value]:
    bits = b.asint(x[0])
    high = b.ushr(bits, constant(WORD, I64))
    return [b.uconv(bits, type=I32), b.uconv(high, type=I32)]


PACKING: dict[str, Callable[[Builder, Sequence[Value]], list[Value]]] = {
    "PackSnorm4x8": _pack(4, True), "PackUnorm4x8": _pack(4, False),
    "PackSnorm2x16": _pack(2, True), "PackUnorm2x16": _pack(2, False),
    "UnpackSnorm4x8": _unpack(4, True), "UnpackUnorm4x8": _unpack(4, False),
    "UnpackSnorm2x16": _unpack(2, True), "UnpackUnorm2x16": _unpack(2, False),
    "PackHalf2x16": _pack_half, "UnpackHalf2x16": _unpack_half,
    "PackDouble2x32": _pack_double, "UnpackDouble2x32": _unpack_double,
}  # fmt: skip
