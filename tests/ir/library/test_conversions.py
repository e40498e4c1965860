"""Conversions toward zero, against exact arithmetic."""

import random
from math import isnan

import numpy as np
import pytest

from tests.ir.values import FLUSHES, random_bits
from unshade.ir import flush
from unshade.ir.builder import Builder
from unshade.ir.fold import flushed, from_float, to_float
from unshade.ir.kernel import Kernel
from unshade.ir.library.maths import expand
from unshade.ir.memory import Space
from unshade.ir.observe import observe
from unshade.ir.simplify import simplify
from unshade.ir.types import F16, F32, F64, Type, Widths
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
    """The bits of the greatest float that is no further from zero."""
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
    kernel = Kernel(group=(len(numbers), 1, 1), flush=widths)
    b = Builder(kernel)
    given = b.memory("given", Space.BUFFER, 8)
    out = b.memory("out", Space.BUFFER, 8, writable=True)
    i = b.source("thread_id.x")
    b.store(out, i, 0, b.fconvz(b.load(given, i, 0, of), type=to))
    expand(kernel)
    simplify(kernel)
    flush.expand(kernel)
    observe(kernel)
    found = np.zeros(8 * len(numbers), np.uint8)
    data = np.array(numbers, "<u8").view(np.uint8)
    Lockstep().run(kernel, Launch({"given": data, "out": found}))
    for bits, got in zip(numbers, found.view("<u8").tolist(), strict=True):
        assert hex(got) == hex(expected(bits, of, to, widths)), hex(bits)
