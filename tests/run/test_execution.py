"""Execution by an engine: the report of a call, the budget, code that is prepared once."""

from __future__ import annotations

import pickle
from copy import copy, deepcopy

import numpy as np
import pytest

import unshade
from tests.oracle.parsing import parse_kernel
from tests.run.examples import kernel
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.printing import print_kernel
from unshade.run.binding.arguments import Arguments
from unshade.run.binding.typical import typical
from unshade.run.execution import Execution
from unshade.run.lanes import Lanes, ThreadLanes
from unshade.vm.launch import Launch, Report
from unshade.vm.lockstep import Lockstep


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


def test_a_copy_of_a_kernel_shares_the_program_and_has_its_own_settings_and_report() -> None:
    saxpy = kernel("saxpy.dxbc")
    copied = copy(saxpy)
    copied.samples = 4
    copied.dispatch(1, a=2.0, X=[1, 2, 3], Y=[1, 1, 1])
    assert (saxpy.samples, saxpy.report.lanes, copied.report.lanes) == (1, 0, 64)
    assert copied.program is saxpy.program
    assert copied.inputs is saxpy.inputs


def test_a_copy_of_a_debugger_records_its_own_calls() -> None:
    debugger = kernel("saxpy.dxbc").debug(checks=False)
    copied = copy(debugger)
    copied.dispatch(1, a=2.0, X=[1, 2, 3], Y=[1, 1, 1])
    assert debugger.lanes is None
    assert copied.lanes is not None
    assert copied.lanes.count == 64


def test_a_watched_execution_runs_code_that_is_not_simplified() -> None:
    saxpy = kernel("saxpy.dxbc")
    arguments = Arguments(saxpy.bindings, typical(saxpy.bindings, {}))
    seen: list[tuple[int, int]] = []

    def watch(code: Code, launch: Launch, lanes: Lanes) -> Report:
        seen.append((lanes.count, sum(1 for _ in code.values())))
        return Report("watch", lanes=lanes.count)

    execution = Execution(saxpy.program, Lockstep(), watch)
    launch = Launch(arguments.memories, groups=(2, 1, 1))
    assert execution.launch(arguments, launch, ThreadLanes((64, 1, 1), (2, 1, 1))).lanes == 128
    simplified = Execution(saxpy.program, Lockstep()).code(arguments)
    assert seen == [(128, sum(1 for _ in execution.code(arguments).values()))]
    assert seen[0][1] > sum(1 for _ in simplified.values())


@pytest.mark.parametrize("name", ["phong.dxbc", "clay.frag.spv"])
def test_a_listing_is_one_list(name: str) -> None:
    given = kernel(name)
    assert isinstance(given.listing, list)
    assert given.listing is given.listing
