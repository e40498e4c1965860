"""Ramps and repeated numbers: operations on them give what operations on arrays give."""

import itertools
from typing import Any

import numpy as np
import pytest

from unshade.ir.ops import OPS, Op
from unshade.vm.lockstep.operations import PURE
from unshade.vm.lockstep.ramps import RAMPED, Ramp, Repeated, flat, ramped

COUNT = 5
OPERANDS: tuple[Any, ...] = (
    *(Ramp(base, step, COUNT) for base, step in ((0, 1), (64, 4), (7, 3), (0xFFFF_FF00, 1))),
    Ramp(0xFFFF_FFFB, 1, COUNT),
    *(np.uint32(number) for number in (0, 1, 2, 31, 32, 0xFF, 0xFFFF_FFFF)),
    np.array([3, 1, 2, 0, 9], np.uint32),
)


@pytest.mark.parametrize("op", RAMPED, ids=lambda op: op.name)
def test_a_result_is_that_of_the_arrays(op: Op) -> None:
    with np.errstate(all="ignore"):
        for a, b in itertools.product(OPERANDS, OPERANDS):
            found = flat(ramped(op, PURE[op])(a, b))
            assert np.array_equal(found, PURE[op](flat(a), flat(b))), (op.name, a, b)


@pytest.mark.parametrize(
    ("op", "number", "base", "step"),
    [
        (OPS.iadd, 5, 69, 4),
        (OPS.isub, 64, 0, 4),
        (OPS.imul, 4, 256, 16),
        (OPS.ishl, 2, 256, 16),
        (OPS.ushr, 2, 16, 1),
        (OPS.and_, 0x0FFF_FFFF, 64, 4),
    ],
    ids=lambda each: each.name if isinstance(each, Op) else "",
)
def test_addresses_stay_ramps(op: Op, number: int, base: int, step: int) -> None:
    found = ramped(op, PURE[op])(Ramp(64, 4, COUNT), np.uint32(number))
    assert (type(found), found.base, found.step) == (Ramp, base, step)


@pytest.mark.parametrize(
    ("op", "number"), [(OPS.iadd, 0xFFFF_FFF0), (OPS.isub, 65), (OPS.imul, 1 << 30), (OPS.imul, 0)]
)
def test_numbers_that_wrap_around_are_an_array(op: Op, number: int) -> None:
    assert type(ramped(op, PURE[op])(Ramp(64, 4, COUNT), np.uint32(number))) is np.ndarray


def test_other_operations_take_the_array() -> None:
    found = ramped(OPS.umax, PURE[OPS.umax])(Ramp(0, 1, COUNT), np.uint32(3))
    assert found.tolist() == [3, 3, 3, 3, 4]


SHAPE = 3, 2, 4, 5  # groups of 5 x 4 x 2


def along(*axes: int) -> Repeated:
    """Return distinct numbers along these axes."""
    shape = [size if axis in axes else 1 for axis, size in enumerate(SHAPE)]
    few = np.arange(np.prod(shape), dtype=np.uint32).reshape(shape)
    return Repeated(few * np.uint32(0x0123_4567), SHAPE)


@pytest.mark.parametrize("op", RAMPED, ids=lambda op: op.name)
def test_repeated_numbers_give_the_result_of_the_arrays(op: Op) -> None:
    axes = itertools.chain.from_iterable(itertools.combinations(range(4), n) for n in range(4))
    operands = [along(*each) for each in axes]
    numbers = np.arange(np.prod(SHAPE), dtype=np.uint32), np.uint32(7)
    for a, b in itertools.product([*operands, *numbers], repeat=2):
        found = ramped(op, PURE[op])(a, b)
        assert np.array_equal(flat(found), PURE[op](flat(a), flat(b))), (op.name, a, b)


def test_numbers_stay_repeated_while_lanes_share_them() -> None:
    add = ramped(OPS.iadd, np.add)
    row = add(along(0, 2), np.uint32(1))
    assert (type(row), row.few.shape) == (Repeated, (3, 1, 4, 1))
    assert (type(add(row, along(1))), add(row, along(1)).few.shape) == (Repeated, (3, 2, 4, 1))
    assert type(add(row, along(1, 3))) is np.ndarray
