"""Subnormal numbers that a compiler can see: they still count as zero.

Each operation on 32-bit floats has operands that are constants, selects of constants, or loads,
in all combinations; `ir.fold` defines the results.
"""

import itertools
from typing import Any

import numpy as np
import pytest

from tests.sampling import some
from tests.vm.engines import same, words
from tests.vm.operations import operations
from unshade.ir.builder import Builder, constant
from unshade.ir.fold import fold
from unshade.ir.kernel import KernelIR, Value
from unshade.ir.memory import Space
from unshade.ir.transforms import flush
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.types import BOOL, F32, FLUSH_32, I32, KEEP, Type, Widths
from unshade.vm.jit import Jit
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep

pytestmark = pytest.mark.heavy

NUMBERS = (
    0, 0x8000_0000, 1, 0x8000_0001, 0x007F_FFFF, 0x807F_FFFF, 0x0080_0000, 0x8080_0001,
    0x3F80_0000, 0xBF80_0000, 0x4B00_0001, 0x7F80_0000, 0x7FC0_0000,
)  # fmt: skip
TINY = (0, 1, 0x8000_0001, 0x007F_FFFF, 0x0080_0000, 0x3F80_0000, 0xBF80_0000)
LANES = 8
WAYS = ("constant", "choice", "loaded", "bits")


class Maker:
    """Operands of a kernel, made in one of several ways; all lanes have the same number."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.memory = b.memory("numbers", Space.BUFFER, 4)
        self.lane = b.source("thread_id.x")
        self.odd = b.ine(b.and_(self.lane, 1), 0)

    def operand(self, way: str, bits: int) -> Value:
        """Return a 32-bit float."""
        if way == "loaded":
            return self.b.load(self.memory, NUMBERS.index(bits), 0, F32)
        if way == "bits":
            return self.b.asfloat(self.b.load(self.memory, NUMBERS.index(bits), 0, I32))
        if way == "constant":
            return constant(bits, F32)
        return self.b.select(self.odd, constant(bits, F32), constant(bits, F32))


def rows(count: int) -> list[tuple[int, ...]]:
    """Return numbers for `count` operands."""
    numbers = TINY if count == 3 else NUMBERS
    return list(itertools.product(numbers, repeat=count))


Case = tuple[Any, Type | None, tuple[int, ...], tuple[str, ...]]


def cases(count: int, ways: tuple[str, ...], skip: int) -> list[Case]:
    """Return (operation, result type, numbers, ways) for `count` operands."""
    several = itertools.product(
        operations((F32,) * count), rows(count), itertools.product(ways, repeat=count)
    )
    return [
        (op, result, row, each)
        for (op, _, result), row, each in itertools.islice(several, None, None, skip)
        if op.name != "bitcast" or row[0] & 0x7FFF_FFFF <= 0x7F80_0000
    ]


def differences(engine: Any, chosen: list[Case], widths: Widths) -> list[str]:
    """Describe the results of an engine that differ from `ir.fold`."""
    kernel = KernelIR(group=(LANES, 1, 1), flush=widths)
    b = Builder(kernel)
    out = b.memory("out", Space.BUFFER, 4, writable=True)
    maker = Maker(b)
    wanted: list[int] = []
    for number, (op, result, row, ways) in enumerate(chosen):
        args = [maker.operand(way, bits) for way, bits in zip(ways, row, strict=True)]
        value = b.make(op, *args, type=result)
        reference = fold(op, value.type, tuple((bits, F32) for bits in row), widths)
        assert reference is not None
        wanted.append(reference & 0xFFFF_FFFF)
        b.store(out, number, 0, stored(b, value))
    flush.expand(kernel)
    canonicalise(kernel)
    found = np.zeros(4 * len(wanted), np.uint8)
    numbers = np.array(NUMBERS, "<u4").view(np.uint8)
    engine.run(kernel, Launch({"numbers": numbers, "out": found}))
    return [
        f"{op.name} -> {result} of {list(map(hex, row))} {ways}: {reference:x}, not {got:x}"
        for (op, result, row, ways), reference, got in zip(
            chosen, wanted, found.view("<u4").tolist(), strict=True
        )
        if reference != got
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine", [Lockstep(), Jit(threads=1, quick=False)], ids=["lockstep", "jit"]
)
@pytest.mark.parametrize("widths", [FLUSH_32, KEEP], ids=["flush", "keep"])
@pytest.mark.parametrize(("count", "skip"), [(1, 1), (2, 7), (3, 17)])
def test_constant_operands(count: int, skip: int, widths: Widths, engine: Any) -> None:
    chosen = list(some(cases(count, WAYS, skip)))
    for first in range(0, len(chosen), 400):
        assert not differences(engine, chosen[first : first + 400], widths)


@pytest.mark.slow
def test_without_optimisation() -> None:
    """Instruction selection folds by other rules than the optimiser."""
    chosen = cases(2, ("constant", "loaded"), 3)
    assert not differences(Jit(threads=1, quick=True), chosen, FLUSH_32)


def stored(b: Builder, value: Value) -> Value:
    """Return a value as one word."""
    if value.type == BOOL:
        return b.select(value, b.i32(1), b.i32(0))
    if value.type.kind == "f":
        value = b.asint(value)
    return value if value.type == I32 else b.uconv(value, type=I32)


def test_subnormals_equal_the_zero_of_cleared_memory() -> None:
    """LLVM sees the zero of a cleared memory, and would compare bits with it."""
    text = """kernel main compute group 8 1 1 flush 32
memory %given buffer 4
memory %v local 16 count 1 writable
memory %out buffer 4 writable

%0 = source thread_id.x
%1 = load:i32 %given[%0, i32 0]
store %v[i32 0, i32 0], %1
%2 = load:f32 %v[i32 0, i32 0]
%3 = load:f32 %v[i32 0, i32 8]
%4 = feq %2, %3
%5 = select %4, i32 1, i32 0
store %out[%0, i32 0], %5
"""
    given = words(8, 0x8000_0008, 0, 0x8000_0000, 0x3F80_0000, 0x7FC0_0000, 0x0080_0000, 1)
    found = same(text, {"given": given, "out": bytes(32)})
    assert found["out"] == words(1, 1, 1, 1, 0, 0, 0, 1)
