"""A step back of a step forward leads to the same state, in every program of the golden set."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.conformance.test_execution import Environment
from tests.conformance.test_spirv_execution import VulkanEnvironment
from tests.ratchet import Ratchet
from tests.report.stepping import trace_columns, undone
from tests.sampling import some

pytestmark = pytest.mark.conformance


@pytest.mark.parametrize("suffix", [".comp.spv", ".comp.dxbc"])
def test_a_step_back_undoes_a_step(corpus: Path, ratchet: Ratchet, suffix: str) -> None:
    count = total = 0
    for path in some(sorted((corpus / "execution").glob(f"c*{suffix}"))):
        total += 1
        shader = unshade.open(path)
        kernel = unshade.kernel(shader, engine="lockstep")
        if suffix == ".comp.spv":
            bound = VulkanEnvironment().of_kernel(kernel)
        else:
            bound = Environment().bindings(kernel, path.name[:3])
        debugger = kernel.debug((0, 0, 0), checks=False)
        debugger.dispatch(1, bound)
        count += undone(trace_columns(shader, debugger)) > 0
    ratchet(f"report/{suffix[1:]}: steps back that undo a step", count, total)
