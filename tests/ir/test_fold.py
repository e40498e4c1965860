"""Constant folding, at the edges of the rules."""

import struct

import pytest

from unshade.ir.fold import fold, from_float, nearest
from unshade.ir.ops import OPS
from unshade.ir.types import BOOL, F16, F32, F64, FLUSH_32, I16, I32, I64, KEEP, Type, Widths

QUIET = 0x7FC0_0000


def f32(value: float) -> int:
    found: int = struct.unpack("<I", struct.pack("<f", value))[0]
    return found


def made(
    name: str, type: Type, *args: int, of: Type | None = None, flush: Widths = FLUSH_32
) -> int:
    found = fold(OPS[name], type, tuple((each, of or type) for each in args), flush)
    assert found is not None
    return found


def test_every_pure_operation_folds() -> None:
    apart = {"const", "source", "input", "count", "sample", "part"}
    for op in OPS:
        if not op.pure or op.library or op.name in apart:
            continue
        of = {"f": F32, "b": BOOL}.get(op.operands[0], I32)
        result = {"b": BOOL, "=f": F64 if of == F32 else F32, "=i": I64, "~i": I32, "~f": F32}
        type = result.get(op.result, of)
        types = (BOOL, I32, I32) if op.name == "select" else (of,) * len(op.operands)
        args = tuple((1, each) for each in types)
        found = fold(op, I32 if op.name == "select" else type, args)
        assert found is not None, op.name
        assert 0 <= found <= type.mask


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("idiv", 7, 0, 0xFFFF_FFFF),
        ("idiv", 0x8000_0000, 0xFFFF_FFFF, 0x8000_0000),
        ("idiv", 0xFFFF_FFF9, 2, 0xFFFF_FFFD),
        ("irem", 0xFFFF_FFF9, 2, 0xFFFF_FFFF),
        ("irem", 5, 0, 0xFFFF_FFFF),
        ("udiv", 5, 0, 0xFFFF_FFFF),
        ("ishl", 1, 33, 2),
        ("ishr", 0x8000_0000, 63, 0xFFFF_FFFF),
        ("imulh", 0xFFFF_FFFF, 2, 0xFFFF_FFFF),
        ("umulh", 0xFFFF_FFFF, 2, 1),
    ],
)
def test_integers_are_total(name: str, a: int, b: int, expected: int) -> None:
    assert made(name, I32, a, b) == expected


@pytest.mark.parametrize("other", [0x7F80_0000, 0xFF80_0000, QUIET, 0x8000_0000, 0x3F80_0000])
@pytest.mark.parametrize("zero", [0, 0x8000_0000, 1])
def test_a_legacy_product_is_0_where_a_factor_is(zero: int, other: int) -> None:
    assert made("fmul_legacy", F32, zero, other) == 0
    assert made("fmul_legacy", F32, other, zero) == 0
    assert made("fmul_legacy", F32, f32(3.0), f32(-0.5)) == f32(-1.5)


def test_arithmetic_returns_the_quiet_nan() -> None:
    for name in ("fadd", "fmin", "fmax", "fdiv"):
        assert made(name, F32, 0xFFC0_1234, 0x7F80_0001) == QUIET
    assert made("fadd", F32, 0x7F80_0000, 0xFF80_0000) == QUIET
    assert made("fneg", F32, 0x7F80_0001) == 0xFF80_0001
    assert made("fcanonicalise", F32, 0xFF80_0001) == QUIET


def test_min_and_max_ignore_a_nan() -> None:
    one, nan = f32(1.0), 0x7FC0_0000
    for name in ("fmin", "fmax"):
        assert made(name, F32, one, nan) == made(name, F32, nan, one) == one
        assert made(name, F32, 0, 1 << 31) == 1 << 31  # neither is less: the second
        assert made(name, F32, 1 << 31, 0) == 0


def test_subnormals_are_flushed_if_requested() -> None:
    assert made("fadd", F32, 0x8000_0001, 0x8000_0001) == 1 << 31
    assert made("fadd", F32, 1, 1, flush=KEEP) == 2
    assert made("fmax", F32, 5, 3) == 0
    assert made("fadd", F64, 1, 1) == 2  # of 32 bits only
    assert made("fadd", F16, 1, 1) == 2
    assert made("feq", BOOL, 1, 0, of=F32) == 1
    assert made("asint", I32, 1, of=F32) == 1
    assert made("fneg", F32, 1) == 0x8000_0001


def test_flushing_rounds_with_unbounded_exponents() -> None:
    """(1 - 2^-24) * 2^-126 is rounded to 24 digits first: x86 returns 0 with FTZ, as here."""
    assert made("fmul", F32, 0x3F7F_FFFF, 0x0080_0000) == 0
    assert made("fmul", F32, 0x3F7F_FFFF, 0x0080_0000, flush=KEEP) == 0x0080_0000
    half_way = 0x380F_FFFF_F000_0000  # 2^-126 - 2^-151, rounded to even
    assert made("fconv", F32, half_way, of=F64) == 0x0080_0000
    assert made("fconv", F32, half_way - 1, of=F64) == 0
    assert made("ffma", F32, 0x3F7F_FFFF, 0x8080_0000, 0) == 1 << 31


def test_fma_rounds_once() -> None:
    a, b = f32(1 + 2**-12), f32(1 + 2**-12)
    assert made("ffma", F32, a, b, f32(-1 - 2**-11)) == f32(2.0**-24)
    assert made("ffma", F32, 0x7F80_0000, 0, 0) == QUIET
    assert made("ffma", F32, 1 << 31, f32(1.0), 1 << 31) == 1 << 31


def test_float_to_integer_saturates() -> None:
    assert made("ftoi", I32, f32(-3e9), of=F32) == 0x8000_0000
    assert made("ftou", I32, f32(-1.5), of=F32) == 0
    assert made("ftou", I32, f32(5e9), of=F32) == 0xFFFF_FFFF
    assert made("ftoi", I16, f32(-1.9), of=F32) == 0xFFFF
    assert made("ftoi", I64, QUIET, of=F32) == 0


def test_integers_become_the_nearest_floats() -> None:
    assert made("utof", F32, (1 << 24) + 1, of=I32) == f32(float(1 << 24))
    assert made("itof", F16, 0x7FFF_FFFF, of=I32) == 0x7C00
    assert nearest(1 << 200, F32) == 0x7F80_0000


def test_rounding_keeps_the_sign_of_zero() -> None:
    minus = f32(-0.25)
    assert made("fceil", F32, minus) == made("frint", F32, minus) == 1 << 31
    assert made("frint", F32, f32(2.5)) == f32(2.0)
    assert made("fsqrt", F32, 1 << 31) == 1 << 31
    assert made("fsqrt", F32, f32(-1.0)) == QUIET


@pytest.mark.parametrize(
    ("type", "nan", "infinity", "one", "least"),
    [
        (F16, 0x7E00, 0x7C00, 0x3C00, 2.0**-24),
        (F32, 0x7FC0_0000, 0x7F80_0000, 0x3F80_0000, 2.0**-149),
        (F64, 0x7FF8_0000_0000_0000, 0x7FF0_0000_0000_0000, 0x3FF0_0000_0000_0000, 2.0**-1074),
    ],
)
def test_bits_of_floats(type: Type, nan: int, infinity: int, one: int, least: float) -> None:
    """As IEEE 754 encodes them."""
    sign = 1 << type.bits - 1
    assert from_float(float("nan"), type) == from_float(-float("nan"), type) == nan
    for number, bits in ((float("inf"), infinity), (1.0, one), (0.0, 0), (least, 1)):
        assert from_float(number, type) == bits
        assert from_float(-number, type) == bits | sign
    if type != F64:
        assert from_float(1e300, type) == infinity
        assert from_float(-1e300, type) == infinity | sign
