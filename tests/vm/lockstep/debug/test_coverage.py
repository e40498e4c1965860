"""Coverage: how often lanes run each line, and which way they leave each branch."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from tests.fixtures.debug_lines import CALLS
from tests.run.examples import kernel
from tests.vm.lockstep.debug.kernels import looked_at
from tests.vm.lockstep.debug.test_findings import POWERS
from unshade.ir.builder import Builder
from unshade.vm.lockstep.debug import Coverage


def test_branches_inside_an_instruction_are_not_counted() -> None:
    text = POWERS.replace("ret\n", "if_nz v1.x\nmov o0.z, l(1.0)\nendif\nret\n")
    kernel = unshade.kernel(unshade.assemble(text, "dxcontainer"), engine="lockstep")
    debugger = kernel.debug(coverage=Coverage())
    debugger.shade({"TEXCOORD1": np.array([[0], [3], [200]], np.float32)})
    branches = debugger.coverage.branches.values() if debugger.coverage else ()
    assert [(each.line, each.ways) for each in branches] == [(8, [2, 1])]


def test_coverage_counts_lanes_lines_and_ways() -> None:
    def write(b: Builder) -> None:
        out = b.kernel.memories[0]
        lane = b.source("thread_id_in_group_flattened")
        b.line = 1
        condition = b.ult(lane, 3)
        b.line = 2
        with b.when(condition, branch=True) as it:
            b.line = 3
            b.store(out, lane, 0, lane)
        with b.within(it.otherwise):
            b.line = 4
            b.store(out, lane, 0, b.i32(9))
        b.line = 5
        switch = b.switch(b.iadd(lane, 0), branch=True)
        for label in (1, 7):
            with b.case(switch, label):
                b.line = 5 + label
                b.store(out, b.i32(label), 0, lane)
        b.line = 15
        b.return_()

    debugger = looked_at(write, groups=2)
    assert debugger.coverage is not None
    assert debugger.coverage.lines == {1: 8, 3: 6, 4: 2, 5: 8, 6: 2, 12: 0, 15: 8}
    ways = {line: (each.words, each.ways) for (line, _), each in debugger.coverage.branches.items()}
    assert ways == {2: (["yes", "no"], [6, 2]), 5: (["1", "7", "none"], [2, 0, 6])}


@pytest.mark.slow
def test_coverage_counts_the_lanes_that_leave() -> None:
    coverage = Coverage()
    debugger = kernel("mandel.dxbc").debug(coverage=coverage)
    constants = {"_21_x0": -2.0, "_21_y0": -1.0, "_21_dx": 0.1, "_21_dy": 0.1, "_21_w": 32}
    debugger.dispatch(4, P=constants, u0=np.zeros(256, np.uint32))
    branches = [branch for branch in coverage.branches.values() if branch.ways[0]]
    assert sum(branch.ways[0] for branch in branches) == 256  # each lane leaves once
    for branch in branches:
        assert coverage.lines[branch.line] == sum(branch.ways)
        assert coverage.lines[branch.line + 1] == branch.ways[0]  # the break behind it


def test_lines_of_an_inlined_function_count_every_call() -> None:
    """Two of four lanes call `twice` in one place, all of them in another."""
    shader = unshade.assemble(CALLS, "spirv")
    debugger = unshade.kernel(shader, engine="lockstep").debug(coverage=Coverage())
    debugger.dispatch(1, values=np.arange(4, dtype="f4"))
    assert debugger.coverage is not None
    counts = {
        debugger.line(line).split()[2]: count for line, count in debugger.coverage.lines.items()
        if " = " in debugger.line(line)
    }  # fmt: skip
    assert counts["OpFAdd"] == 6
    assert counts["OpLoad"] == counts["OpFOrdGreaterThan"] == 4
    assert debugger.coverage.source_lines["twice.comp", 5] == 6
