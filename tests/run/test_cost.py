"""Counts of blocks times their measured trips are the operations that the engine runs."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.analysis.cost.units import CostUnit, unit_of
from unshade.run.cost import MeasuredCost, measure
from unshade.run.kernels import Kernel

pytestmark = pytest.mark.slow


def expected(found: MeasuredCost) -> Counter[object]:
    """Return the operations by unit that blocks and their trips give."""
    made: Counter[object] = Counter()
    for block, trips in zip(found.counted.blocks, found.trips, strict=True):
        for value in block.values:
            unit = unit_of(value)
            if unit is not None and not value.op.ends and trips:
                made[unit] += trips
    return made


def within_bounds(found: MeasuredCost) -> bool:
    """Return True if the trips of each block, and the operations of each unit, are in bounds."""
    for unit, ran in found.units.items():
        bounds = found.counted.units[unit]
        if bounds.most is not None and ran > bounds.most * found.lanes:
            return False
        if ran < bounds.least * found.lanes and unit not in (CostUnit.TEXTURE, CostUnit.CONTROL):
            return False  # bindings answer queries of textures, and jumps are not counted
    return all(
        block.least * found.lanes <= trips
        and (block.most is None or trips <= block.most * found.lanes)
        for block, trips in zip(found.counted.blocks, found.trips, strict=True)
        if not all(each.op.ends for each in block.values)
    )


@pytest.mark.parametrize(
    "name",
    [
        "billboards.dxbc", "gyroid.dxbc", "mandel.dxbc", "matmul.dxbc", "phong.dxbc",
        "saxpy.dxbc", "sheet.d.dxbc", "sheet.h.dxbc", "skinning.dxbc", "julia.skslb", "noise.skslb",
        "plasma.skslb", "clay.frag.spv", "clay.vert.spv", "particles.spv", "lit.shbin",
        "saxpy6.dxil",
    ],
)  # fmt: skip
def test_counts_times_trips_are_what_runs(name: str) -> None:
    found = measure(unshade.open(EXAMPLES / name), lanes=64)
    assert found.lanes >= 64
    assert expected(found) == Counter(dict(found.units))
    assert within_bounds(found)


def test_a_pixel_shader_without_inputs() -> None:
    text = "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1,2,3,4)\nret\n"
    assert measure(unshade.assemble(text), lanes=7).lanes == 7


def test_a_query_that_a_binding_answers_does_not_run() -> None:
    text = """ps_4_1
dcl_resource_texture2dms(4) (float,float,float,float) t0
dcl_output o0.xyzw
dcl_temps 1
samplepos r0.xy, t0.xyzw, l(1)
add o0.xyzw, r0.xyxy, l(1,2,3,4)
ret
"""
    found = measure(unshade.assemble(text), lanes=8)
    assert found.trips == [8]
    assert found.units[CostUnit.FLOAT] == 32


def test_divergence_of_a_loop() -> None:
    """A lane of julia leaves the loop when its point escapes; the others go on."""

    def call(kernel: Kernel) -> None:
        kernel.dispatch((2, 1, 1), X=np.arange(64, dtype=np.float32),
                        Y=np.ones(64, np.float32), a=2.0)  # fmt: skip

    found = measure(unshade.open(EXAMPLES / "saxpy.dxbc"), run=call)
    assert found.utilisation(0) == 1.0
    assert found.to_dict()["wave"] == found.wave == 32
    loop = measure(unshade.open(EXAMPLES / "mandel.dxbc"), lanes=64)
    shares = [loop.utilisation(at) for at, block in enumerate(loop.counted.blocks) if block.loops]
    assert any(share is not None and share < 1 for share in shares)
