"""Remainders, compared with those of exact fractions, on both engines and in the interpreter."""

import random
from fractions import Fraction
from math import isinf, isnan

import numpy as np
import pytest

from tests.ir.values import random_bits
from tests.vm.engines import flush_text, same
from unshade.ir.builder import Builder
from unshade.ir.fold import flushed, from_float, to_float
from unshade.ir.kernel import KernelIR
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Space
from unshade.ir.types import F16, F32, F64, FLOATS, KEEP, Type, Widths
from unshade.vm.jit import Jit
from unshade.vm.launch import Launch
from unshade.vm.prepare import prepare

INF, NAN = float("inf"), float("nan")
TEXT = """kernel main compute group 1 1 1{flush}
memory %given buffer 16
memory %out buffer 8 writable

%0 = source thread_id.x
%1 = load:{type} %given[%0, i32 0]
%2 = load:{type} %given[%0, i32 8]
%3 = frem %1, %2
store %out[%0, i32 0], %3
"""


def remainders(type: Type, pairs: list[tuple[int, int]], widths: Widths = KEEP) -> list[int]:
    given = b"".join(each.to_bytes(8, "little") for pair in pairs for each in pair)
    text = TEXT.format(type=type, flush=flush_text(widths))
    memories = {"given": given, "out": bytes(8 * len(pairs))}
    out = same(text, memories, groups=(len(pairs), 1, 1))["out"]
    return [int(each) for each in np.frombuffer(out, "<u8")]


def expected(type: Type, pair: tuple[int, int], widths: Widths) -> int:
    """Return the bits of the remainder, which is exact."""
    x, y = (flushed(each, type) if type.bits in widths else each for each in pair)
    over, under = to_float(x, type), to_float(y, type)
    if isnan(over) or isnan(under) or isinf(over) or not under:
        return from_float(NAN, type)
    rest = abs(Fraction(over)) % abs(Fraction(under)) if not isinf(under) else abs(Fraction(over))
    assert Fraction(float(rest)) == rest
    bits = from_float(float(rest), type)
    return (flushed(bits, type) if type.bits in widths else bits) | x >> type.bits - 1 << (
        type.bits - 1
    )


EDGES = [
    (3e38, 0.5, 0.0), (2147483648.0, 1.5, 0.5), (4294967296.0, 7.5, 1.0), (-1.0, 1.0, -0.0),
    (1.0, INF, 1.0), (-1.0, -INF, -1.0), (INF, 2.0, NAN), (1.0, 0.0, NAN), (NAN, 1.0, NAN),
    (1.0, NAN, NAN), (-0.0, 3.0, -0.0), (0.0, -3.0, 0.0), (5.0, -3.0, 2.0), (-5.0, 3.0, -2.0),
    (INF, INF, NAN), (0.0, 0.0, NAN), (1e30, 1e30, 0.0), (6.0, 3.0, 0.0), (-7.5, -2.0, -1.5),
]  # fmt: skip


@pytest.mark.parametrize("type", FLOATS.values(), ids=str)
def test_edges(type: Type) -> None:
    rows = [each for each in EDGES if type != F16 or max(map(abs, each)) < 65520 or isinf(each[0])]
    pairs = [(from_float(x, type), from_float(y, type)) for x, y, _ in rows]
    wanted = [from_float(rest, type) for *_, rest in rows]
    assert remainders(type, pairs) == wanted
    assert [expected(type, pair, KEEP) for pair in pairs] == wanted


@pytest.mark.slow
@pytest.mark.parametrize("widths", [KEEP, (16, 32, 64), (32,)], ids=str)
@pytest.mark.parametrize("type", FLOATS.values(), ids=str)
def test_random_numbers(type: Type, widths: tuple[int, ...]) -> None:
    """Any bits; numbers next to multiples; large quotients; subnormal numbers."""
    chance = random.Random(3)
    sign = 1 << type.bits - 1
    pairs = [(random_bits(chance, type), random_bits(chance, type)) for _ in range(300)]
    for _ in range(300):
        y = random_bits(chance, type)
        most = chance.choice((3, 5000, 1 << 22, 1 << 27))
        number = to_float(y, type) * chance.randrange(1, most)
        if isnan(number) or isinf(number):
            continue
        x = from_float(number, type) ^ chance.choice((0, sign))
        pairs += [(max(x - 1, 0), y), (x, y), (x + 1, y)]
    pairs += [(chance.randrange(sign), chance.randrange(1, 1 << 9)) for _ in range(100)]
    found = remainders(type, pairs, frozenset(widths))
    for pair, got in zip(pairs, found, strict=True):
        assert hex(got) == hex(expected(type, pair, frozenset(widths))), [*map(hex, pair)]


@pytest.mark.slow
@pytest.mark.parametrize("type", [F32, F64], ids=str)
def test_estimated_quotients_leave_it_exact(type: Type) -> None:
    """With `fast`, the quotient is an estimate; the remainder is the same."""
    chance = np.random.default_rng(4)
    count = 4096
    dtype = f"<f{type.size}"
    y = (chance.uniform(0.5, 2, count) * 2.0 ** chance.integers(-30, 30, count)).astype(dtype)
    x = (y * chance.integers(-(1 << 22), 1 << 22, count)).astype(dtype)
    b = Builder(KernelIR("main", group=(64, 1, 1), flush=KEEP))
    given = [b.memory(name, Space.BUFFER, type.size) for name in "xy"]
    out = b.memory("out", Space.BUFFER, type.size, writable=True)
    i = b.source("thread_id.x")
    b.store(out, i, 0, b.frem(*(b.load(each, i, 0, type) for each in given)))
    kernel = prepare(Lowered(b.kernel), {}, {})
    memories = {"x": x.view(np.uint8), "y": y.view(np.uint8)}
    memories["out"] = np.zeros(count * type.size, np.uint8)
    Jit(threads=1, fast=True).run(kernel, Launch(memories, (count // 64, 1, 1)))
    assert memories["out"].tobytes() == np.fmod(x, y).tobytes()
