"""Quotients by products with inverses have the bits of divisions."""

from __future__ import annotations

import numpy as np
import pytest

from unshade.vm.launch import Array

pytest.importorskip("llvmlite")

from unshade.run.raster.compiled.quotients import (
    LARGEST,
    divided,
    inverse_of,
    times_inverse,
)
from unshade.vm.jit.written import (
    F64,
    GivenWords,
    WrittenCode,
    WrittenFunction,
)

COUNT = 200_000


def quotients(a: Array, b: Array, *, whole: bool) -> Array:
    code = WrittenCode(["count", "a", "b", "to"])
    with code.loop(0, code.number("count")) as at:
        one, two = (code.at(word, F64, at).load() for word in ("a", "b"))
        made = times_inverse(one, inverse_of(two)) if whole else divided(one, two, 1.0 / two)
        code.at("to", F64, at).store(made)
    to = np.empty(len(a))
    WrittenFunction(code).run(GivenWords({"count": len(a), "a": a, "b": b, "to": to}))
    return to


def same(one: Array, two: Array) -> None:
    assert one.tobytes() == two.tobytes()


def of_any_size(chance: np.random.Generator, most: int) -> Array:
    sizes = chance.integers(0, most.bit_length(), COUNT)
    found: Array = (chance.random(COUNT) * 2.0**sizes).astype("i8") + 1
    return np.minimum(found, most)


def test_whole_numbers() -> None:
    chance = np.random.default_rng(1)
    a, b = (of_any_size(chance, LARGEST).astype("f8") for _ in range(2))
    a *= chance.choice([-1, 1], COUNT)
    a[::50] = 0
    same(quotients(a, b, whole=True), a / b)


@pytest.mark.parametrize(("most", "whole"), [(LARGEST, True), (1 << 53, False)])
def test_quotients_near_the_middle_of_two_doubles(most: int, *, whole: bool) -> None:
    """a 2^54 = b m + 1 or - 1, where m, odd and of 54 bits, is such a middle: the nearest to it."""
    chance, made = np.random.default_rng(2), []
    for divisor in map(int, chance.integers(most // 2, most, 8000) | 1):
        for step in (1, -1):
            m = -step * pow(divisor, -1, 1 << 54) % (1 << 54)
            if m >> 53:
                made.append(((divisor * m + step) >> 54, divisor))
    a, b = (np.array(each, "f8") for each in zip(*made, strict=True))
    assert len(a) > 4000
    assert (a <= most).all()
    same(quotients(a, b, whole=whole), a / b)


@pytest.mark.parametrize("sizes", [(0, 1), (-180, 200)])
def test_any_numbers(sizes: tuple[int, int]) -> None:
    chance = np.random.default_rng(3)
    a, b = (chance.uniform(1, 2, COUNT) * 2.0 ** chance.integers(*sizes, COUNT) for _ in range(2))
    a, b = (each * chance.choice([-1, 1], COUNT) for each in (a, b))
    a[::50] = 0
    same(quotients(a, b, whole=False), a / b)
