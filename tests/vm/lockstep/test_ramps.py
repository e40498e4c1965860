"""Ramps: operations on them give what the same operations on arrays give."""

import itertools
from typing import Any

import numpy as np
import pytest

from unshade.ir.ops import OPS, Op
from unshade.vm.lockstep.operations import PURE
from unshade.vm.lockstep.ramps import RAMPED, Ramp, flat, ramped

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
