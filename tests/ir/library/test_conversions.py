"""Conversions toward zero, compared with exact arithmetic; properties of all conversions."""

import random
import struct
from math import isnan

import numpy as np
import pytest

from tests.ir.values import FLUSHES, random_bits
from tests.vm.engines import same
from unshade.ir.builder import Builder
from unshade.ir.fold import flushed, from_float, signed, to_float
from unshade.ir.kernel import KernelIR
from unshade.ir.library.maths import expand
from unshade.ir.memory import Space
from unshade.ir.simplify import simplify
from unshade.ir.transforms import flush
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.types import F16, F32, F64, FLOATS, I32, I64, INTEGERS, Type, Widths
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep

EDGES = {
    F32: (0, 1, 0x0080_0000, 0x3380_0000, 0x3380_0001, 0x3880_0000, 0x387F_FFFF, 0x477F_E000,
          0x477F_F000, 0x477F_FFFF, 0x4780_0000, 0x7F7F_FFFF, 0x7F80_0000, 0x7FC0_0000),
    F64: (0, 1, 0x380F_FFFF_F000_0000, 0x380F_FFFF_E000_0000, 0x3810 << 48, 0x47EF_FFFF_F000_0000,
          0x47EF_FFFF_EFFF_FFFF, 0x36A0 << 48, 0x3690 << 48, 0x7FEF << 48, 0x7FF0 << 48,
          0x7FF8 << 48, 0x3FB9_9999_9999_999A, 0x40EF_FDFF << 32),
}  # fmt: skip


def expected(bits: int, of: Type, to: Type, widths: Widths) -> int:
    """Return the bits of the greatest float that is no further from zero."""
    if of.bits in widths:
        bits = flushed(bits, of)
    value = to_float(bits, of)
    sign = bits >> of.bits - 1 << to.bits - 1
    if isnan(value):
        return from_float(value, to)
    infinity = from_float(float("inf"), to)
    low, high = 0, infinity
    while high - low > 1:  # bits of positive floats are in the order of the numbers
        middle = (low + high) // 2
        low, high = (middle, high) if to_float(middle, to) <= abs(value) else (low, middle)
    found = infinity if abs(value) == float("inf") else low
    if to.bits in widths:
        found = flushed(found, to)
    return sign | found


@pytest.mark.parametrize("widths", FLUSHES, ids=str)
@pytest.mark.parametrize(("of", "to"), [(F32, F16), (F64, F16), (F64, F32)], ids=str)
def test_toward_zero(of: Type, to: Type, widths: Widths) -> None:
    chance = random.Random(1)
    numbers = [each | sign << of.bits - 1 for each in EDGES[of] for sign in (0, 1)]
    numbers += [random_bits(chance, of) for _ in range(400)]
    kernel = KernelIR(group=(len(numbers), 1, 1), flush=widths)
    b = Builder(kernel)
    given = b.memory("given", Space.BUFFER, 8)
    out = b.memory("out", Space.BUFFER, 8, writable=True)
    i = b.source("thread_id.x")
    b.store(out, i, 0, b.fconvz(b.load(given, i, 0, of), type=to))
    expand(kernel)
    simplify(kernel)
    flush.expand(kernel)
    canonicalise(kernel)
    found = np.zeros(8 * len(numbers), np.uint8)
    data = np.array(numbers, "<u8").view(np.uint8)
    Lockstep().run(kernel, Launch({"given": data, "out": found}))
    for bits, got in zip(numbers, found.view("<u8").tolist(), strict=True):
        assert hex(got) == hex(expected(bits, of, to, widths)), hex(bits)


def toward_zero(number: int, to: Type) -> int:
    """Return the bits of the greatest float that is no further from zero."""
    infinity = from_float(float("inf"), to)
    low, high = 0, infinity
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if to_float(middle, to) <= abs(number) else (low, middle)
    return low | (number < 0) << to.bits - 1


@pytest.mark.parametrize("to", FLOATS.values(), ids=str)
@pytest.mark.parametrize("of", INTEGERS.values(), ids=str)
def test_integers_toward_zero(of: Type, to: Type) -> None:
    chance = random.Random(2)
    edges = {0, 1, 2, 127, 128, 255, 65504, 65519, 65520, 65535, of.mask, of.mask >> 1}
    edges |= {of.mask ^ of.mask >> 1, (1 << 24) - 1, (1 << 24) + 1, (1 << 53) + 1, 2049, 4099}
    numbers = sorted({each & of.mask for each in edges})
    numbers += [random_bits(chance, of) for _ in range(100)]
    text = f"""kernel main compute group 1 1 1
memory %given buffer 8
memory %out buffer 16 writable

%0 = source thread_id.x
%1 = load:{of} %given[%0, i32 0]
%2 = itofz:{to} %1
store %out[%0, i32 0], %2
%3 = utofz:{to} %1
store %out[%0, i32 8], %3
"""
    given = b"".join(each.to_bytes(8, "little") for each in numbers)
    out = same(text, {"given": given, "out": bytes(2 * len(given))}, groups=(len(numbers), 1, 1))[
        "out"
    ]
    found = struct.unpack(f"<{2 * len(numbers)}Q", out)
    for number, as_signed, as_unsigned in zip(numbers, found[::2], found[1::2], strict=True):
        assert hex(as_signed) == hex(toward_zero(signed(number, of), to)), number
        assert hex(as_unsigned) == hex(toward_zero(number, to)), number


@pytest.mark.parametrize("to", INTEGERS.values(), ids=str)
@pytest.mark.parametrize("of", FLOATS.values(), ids=str)
def test_float_to_integer_saturates(of: Type, to: Type) -> None:
    """NaN becomes 0; other numbers are truncated and clamped."""
    low, high = -(1 << to.bits - 1), (1 << to.bits - 1) - 1
    numbers = [0.0, -0.0, 0.99, -0.99, 1.5, -1.5, 127.9, 128.0, 129.0, -128.9, -129.0, 255.9, 256.0]
    numbers += [32768.0, -32769.0, 65504.0, -65504.0, 2.0**31, -(2.0**31), 2.0**32, 2.0**63]
    numbers += [-(2.0**63), 2.0**64, 1e30, -1e30, float("inf"), -float("inf")]
    text = f"""kernel main compute group 1 1 1
memory %given buffer 8
memory %out buffer 16 writable

%0 = source thread_id.x
%1 = load:{of} %given[%0, i32 0]
%2 = ftoi:{to} %1
store %out[%0, i32 0], %2
%3 = ftou:{to} %1
store %out[%0, i32 8], %3
"""
    bits = [from_float(each, of) for each in numbers]
    values = [to_float(each, of) for each in bits]
    quiet = from_float(float("nan"), of)
    given = struct.pack(f"<{len(bits) + 2}Q", *bits, quiet, quiet | 1 << of.bits - 1)
    out = same(text, {"given": given, "out": bytes(2 * len(given))}, groups=(len(bits) + 2, 1, 1))
    found = struct.unpack(f"<{2 * len(bits) + 4}Q", out["out"])
    assert found[-4:] == (0, 0, 0, 0)
    for value, as_signed, as_unsigned in zip(values, found[::2], found[1::2], strict=False):
        assert as_signed == int(min(max(value, low), high)) & to.mask, value
        assert as_unsigned == int(min(max(value, 0), to.mask)), value


@pytest.mark.parametrize(
    ("op", "of", "to", "bits", "expected"),
    [
        ("fconv", F64, F32, 0x3FF0_0000_1000_0000, 0x3F80_0000),  # half way: to the even one
        ("fconv", F64, F32, 0x3FF0_0000_3000_0000, 0x3F80_0002),
        ("fconv", F64, F16, 0x3FF0_0200_0000_0000, 0x3C00),
        ("fconv", F64, F16, 0x3FF0_0200_0000_0001, 0x3C01),  # rounded once, not by way of f32
        ("fconv", F64, F16, 0x40EF_FDFF_FFFF_FFFF, 0x7BFF),
        ("fconv", F64, F16, 0x40EF_FE00_0000_0000, 0x7C00),
        ("fconv", F32, F16, 0x477F_EFFF, 0x7BFF),
        ("fconv", F32, F16, 0x477F_F000, 0x7C00),
        ("fconv", F64, F32, 0x47EF_FFFF_EFFF_FFFF, 0x7F7F_FFFF),
        ("fconv", F64, F32, 0x47EF_FFFF_F000_0000, 0x7F80_0000),
        ("fconvz", F64, F32, 0x47EF_FFFF_F000_0000, 0x7F7F_FFFF),
        ("fconvz", F64, F16, 0xFFEF << 48, 0xFBFF),
        ("fconvz", F32, F16, 0x7F80_0000, 0x7C00),
        ("itof", I32, F32, 0x0100_0001, 0x4B80_0000),
        ("itof", I32, F32, 0x0100_0003, 0x4B80_0002),
        ("itofz", I32, F32, 0x0100_0003, 0x4B80_0001),
        ("itof", I64, F32, 0x0100_0001_0000_0001, 0x5B80_0001),  # rounded once
        ("itof", I32, F16, 65519, 0x7BFF),
        ("utof", I32, F16, 65520, 0x7C00),
        ("utofz", I32, F16, 65520, 0x7BFF),
        ("itofz", I64, F64, (1 << 64) - (1 << 53) - 1, 0xC340 << 48),
        ("utof", I64, F32, (1 << 64) - 1, 0x5F80_0000),
        ("utofz", I64, F32, (1 << 64) - 1, 0x5F7F_FFFF),
    ],
)  # fmt: skip
def test_rounding(op: str, of: Type, to: Type, bits: int, expected: int) -> None:
    text = f"""kernel main compute group 8 1 1
memory %given buffer 8
memory %out buffer 8 writable

%0 = load:{of} %given[i32 0, i32 0]
%1 = {op}:{to} %0
store %out[i32 0, i32 0], %1
"""
    out = same(text, {"given": struct.pack("<Q", bits), "out": bytes(8)})["out"]
    assert hex(int.from_bytes(out, "little")) == hex(expected)
