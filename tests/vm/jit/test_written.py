"""Functions of machine code that are written in Python."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from unshade.vm.jit.written import (
    F32,
    F64,
    I8,
    I32,
    I64,
    GivenWords,
    WrittenCode,
    WrittenFunction,
)  # fmt: skip
from unshade.vm.launch import Array


def run(code: WrittenCode, given: dict[str, Array | int]) -> None:
    WrittenFunction(code).run(GivenWords(given))


def test_loops_and_branches() -> None:
    """Numbers that are above 2 are moved to the front, and counted."""
    code = WrittenCode(["count", "numbers", "found"])
    kept = code.variable(I64, 0)
    with code.loop(0, code.number("count")) as at:
        number = code.at("numbers", I32, at).load()
        with code.when(number.is_("sgt", 2)):
            code.at("numbers", I32, kept.load()).store(number)
            kept.store(kept.load() + 1)
    code.at("found", I64, 0).store(kept.load())
    numbers, found = np.array([5, -7, 2, 3, 9], "<i4"), np.zeros(1, np.int64)
    run(code, {"count": len(numbers), "numbers": numbers, "found": found})
    assert numbers[: found[0]].tolist() == [5, 3, 9]


def test_loops_in_loops_begin_anew() -> None:
    code = WrittenCode(["found"])
    total = code.variable(I64, 0)
    with (
        code.loop(2, code.constant(5, I64)) as outer,
        code.loop(outer, code.constant(4, I64)) as at,
    ):
        total.store(total.load() * 10 + at)
    code.at("found", I64, 0).store(total.load())
    found = np.zeros(1, np.int64)
    run(code, {"found": found})
    assert found[0] == 233


@pytest.mark.parametrize("seed", range(3))
def test_floats_have_the_bits_of_numpy(seed: int) -> None:
    """A product and a sum are not contracted, and no reciprocal takes the place of a quotient."""
    code = WrittenCode(["a", "b", "c", "single", "double"])
    a, b, c = (code.at(word, F64.of(4), 0).load() for word in "abc")
    made = (a * b + c) / b - 0.5
    code.at("double", F64.of(4), 0).store(made)
    code.at("single", F32.of(4), 0).store(made.to(F32, "fptrunc"))
    chance = np.random.default_rng(seed)
    given = {word: chance.normal(size=4) for word in "abc"}
    double, single = np.zeros(4), np.zeros(4, "<f4")
    run(code, {**given, "double": double, "single": single})
    wanted = (given["a"] * given["b"] + given["c"]) / given["b"] - 0.5
    assert double.tobytes() == wanted.tobytes()
    assert single.tobytes() == wanted.astype("<f4").tobytes()


def test_masks_guard_memory() -> None:
    """Elements that a mask lacks are read as 0 and not written, even beyond the array."""
    code = WrittenCode(["mask", "numbers", "found"])
    byte = code.at("mask", I8.of(4), 0).load()
    mask = byte.is_("ne", 0)
    place = code.at("numbers", I32.of(4), 0)
    code.at("found", I32.of(4), 0).store(place.load_some(mask))
    place.store_some(code.vector([10, 11, 12, 13], I32), mask)
    numbers, found = np.array([1, 2, 3, 4], "<i4"), np.full(4, -1, "<i4")
    mask_bytes = np.array([1, 0, 0, 1], np.uint8)
    run(code, {"mask": mask_bytes, "numbers": numbers, "found": found})
    assert found.tolist() == [1, 0, 0, 4]
    assert numbers.tolist() == [10, 2, 3, 13]


def test_vectors() -> None:
    code = WrittenCode(["found"])
    one = code.vector([1, 2, 3, 4], I32)
    two = one.half(1).joined(one.half(0)) << 4
    chosen = one.is_("slt", 3).choose(two, 7)
    code.at("found", I32.of(4), 0).store(chosen + one.lane(3).splat(4) - 1)
    found = np.zeros(4, "<i4")
    run(code, {"found": found})
    assert found.tolist() == [51, 67, 10, 10]
