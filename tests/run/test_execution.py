"""Execution by an engine: the report of a call, the budget, code that is prepared once."""

from __future__ import annotations

import pickle
from copy import copy, deepcopy

import numpy as np
import pytest

import unshade
from tests.run.examples import kernel
from unshade.ir.text.parsing import parse_kernel
from unshade.ir.text.printing import print_kernel
from unshade.run.binding.arguments import Arguments
from unshade.run.binding.typical import typical


def test_lists_bind_and_accesses_outside_are_counted() -> None:
    saxpy = kernel("saxpy.dxbc")
    result = saxpy.dispatch(1, a=2.0, X=[1, 2, 3], Y=[1, 1, 1])
    assert result["Y"].tolist() == [3, 5, 7]
    assert saxpy.report.out_of_bounds == {"t0": 61, "u1": 122}


def test_the_program_as_text_is_one_that_can_be_read() -> None:
    saxpy = kernel("saxpy.dxbc")
    assert print_kernel(parse_kernel(saxpy.ir)) == saxpy.ir


def test_loops_have_a_budget() -> None:
    mandel = kernel("mandel.dxbc")
    mandel.budget = 10
    constants = {"_21_x0": 0, "_21_y0": 0, "_21_dx": 0, "_21_dy": 0, "_21_w": 64}
    with pytest.raises(unshade.LimitError, match="budget = 10"):
        mandel.dispatch(1, P=constants, u0=np.zeros(64, np.uint32))


def test_code_is_prepared_once_for_each_kind_of_what_is_bound() -> None:
    phong = kernel("phong.dxbc")
    images = [np.zeros((2, 2, 4), each) for each in (np.float32, np.float32, np.uint8)]
    given = [typical(phong.bindings, {"t1": each}) for each in images]
    made = [phong.execution.code(Arguments(phong.bindings, each)) for each in given]
    assert made[0] is made[1]
    assert made[0] is not made[2]


def test_the_report_is_there_before_a_call() -> None:
    assert (kernel("saxpy.dxbc").report.lanes, kernel("saxpy.dxbc").report.discarded) == (0, 0)


def test_kernels_say_why_they_are_not_pickled_and_can_be_copied() -> None:
    saxpy = kernel("saxpy.dxbc")
    with pytest.raises(unshade.UsageError, match="a kernel cannot be pickled: pickle the bytes"):
        pickle.dumps(saxpy)
    copied = copy(saxpy)
    copied.budget = 5
    assert saxpy.budget != 5
    assert deepcopy(saxpy) is saxpy
