"""A step back of a step forward leads to the same state, in every program of the golden set."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unshade
from tests.conformance.test_execution import Environment
from tests.conformance.test_spirv_execution import VulkanEnvironment
from tests.examples import EXAMPLES
from tests.ratchet import Ratchet
from tests.report.stepping import trace_columns, undone
from tests.sampling import some
from unshade.cli.commands import DebugOptions, SceneOptions
from unshade.cli.debug_run import debugged_scene, run_debugger
from unshade.cli.kernels import zeros
from unshade.run.any_stage import over

pytestmark = pytest.mark.conformance


@pytest.mark.parametrize("suffix", [".comp.spv", ".comp.dxbc", ".comp.dxil"])
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


def test_a_step_back_undoes_a_step_of_vertices_and_pixels(corpus: Path, ratchet: Ratchet) -> None:
    """Constants are 0, or guessed as by `render`; textures are white; inputs are random."""
    paths = [*(corpus / "execution").glob("g*"), *EXAMPLES.iterdir()]
    shaders = [path for path in paths if path.suffix in (".dxbc", ".dxil", ".spv", ".skslb")]
    shaders += [EXAMPLES / "lit.shbin"]
    found: dict[str, list[bool]] = {}
    for path in some(sorted(shaders, key=lambda path: path.name)):
        shader = unshade.open(path)
        kernel = unshade.kernel(shader, engine="lockstep")
        debugger = kernel.debug((3, 2) if kernel.stage == "pixel" else 3, checks=False)
        if kernel.stage == "pixel":
            scene = debugged_scene(DebugOptions(scene=SceneOptions(size="8x8")), str(path))
            run_debugger(kernel, debugger, None, scene)
        elif kernel.stage == "vertex":
            random = np.random.default_rng(29)
            inputs = {
                row.label: random.integers(0, 4, (5, len(row.ports))).astype(row.dtype)
                for row in kernel.inputs if row.asked
            }  # fmt: skip
            over(debugger, inputs, zeros(kernel, {}, []))
        else:
            continue
        kind = f"{kernel.stage} of {shader.format}"
        found.setdefault(kind, []).append(undone(trace_columns(shader, debugger)) > 0)
    for kind, results in sorted(found.items()):
        ratchet(f"report/{kind}: steps back that undo a step", sum(results), len(results))
