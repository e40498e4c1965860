"""Samples of a pixel of the target: the count in the shader, and the output mask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from tests.run.test_primitives import assembled
from tests.run.test_signature import CORNERS
from unshade import UsageError
from unshade.cli import main
from unshade.run.raster import draw
from unshade.testing.kernels import RecordingKernel

PIXEL = """\
ps_5_0
dcl_input vCoverage.x
dcl_output o0.xyzw
sampleinfo o0.x, rasterizer.x
samplepos o0.yz, rasterizer.xxyx, l(1)
utof o0.w, vCoverage.x
ret
"""
VERTEX = """\
vs_5_0
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.x
mov o0.xyzw, v0.xyzw
sampleinfo o1.x, rasterizer.x
ret
"""
NAMED = """\
// Buffer Definitions:
//
// cbuffer C
// {
//   float samples;                     // Offset:    0 Size:     4
// }
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// C                                 cbuffer      NA          NA            cb0      1
ps_5_0
dcl_constantbuffer CB0[1], immediateIndexed
dcl_output o0.xyzw
mov o0.x, cb0[0].x
sampleinfo o0.yzw, rasterizer.xxxx
ret
"""
MASKED = """\
ps_5_0
dcl_input_ps_siv linear noperspective v0.z, position
dcl_output o0.xyzw
dcl_output oMask
mov o0.xyzw, v0.z
lt r0.x, v0.z, l(0.6)
movc oMask, r0.x, l(2), l(1)
ret
"""
EXPECTED: dict[int, list[float]] = {  # the count, where sample 1 stands, all samples covered
    1: [1, 0, 0, 1], 2: [2, -0.25, -0.25, 3], 4: [4, 0.375, -0.125, 15],
    8: [8, -0.0625, 0.1875, 255], 16: [16, -0.0625, -0.1875, 65535],
}  # fmt: skip


@pytest.mark.parametrize("samples", EXPECTED)
def test_samples_are_set_for_a_kernel_or_a_call(samples: int) -> None:
    shader = unshade.assemble(PIXEL, "dxcontainer")
    kernel = unshade.kernel(shader, engine="lockstep", samples=samples)
    assert kernel.shade((1, 1))["SV_Target"][0, 0].tolist() == EXPECTED[samples]
    other = unshade.kernel(shader, engine="lockstep")
    assert other.shade((1, 1), samples=samples)["SV_Target"][0, 0].tolist() == EXPECTED[samples]
    assert other.shade((1, 1))["SV_Target"][0, 0].tolist() == EXPECTED[1]
    assert kernel.debug((0, 0)).shade((1, 1))["SV_Target"][0, 0].tolist() == EXPECTED[samples]
    tested = RecordingKernel(kernel, "test")
    assert tested.shade((1, 1))["SV_Target"][0, 0].tolist() == EXPECTED[samples]
    assert tested.shade((1, 1), samples=1)["SV_Target"][0, 0].tolist() == EXPECTED[1]


def test_samples_of_a_mesh_apply_to_both_shaders() -> None:
    vertex = assembled(VERTEX)
    both = PIXEL.replace("dcl_input vCoverage.x", "dcl_input vCoverage.x\ndcl_input_ps linear v1.x")
    pixel = assembled(both.replace("samplepos o0.yz, rasterizer.xxyx, l(1)", "mov o0.yz, v1.x"))
    found = draw(vertex, pixel, {"TEXCOORD": CORNERS}, None, (1, 1), samples=4)
    assert found.targets["SV_Target"][0, 0].tolist() == [4, 4, 4, 15]
    assert vertex.samples == pixel.samples == 1


@pytest.mark.parametrize(("samples", "written"), [(1, False), (2, True)])
def test_a_mesh_is_drawn_where_the_output_mask_has_a_sample(samples: int, written: bool) -> None:
    """A square at depth 0.5 whose mask is sample 1 alone, in front of one at 0.75."""
    pixel = assembled(MASKED)
    near, far = CORNERS.copy(), CORNERS.copy()
    near[:, 2], far[:, 2] = 0.5, 0.75
    corners = np.concatenate([near, far])
    found = draw(assembled(VERTEX), pixel, {"TEXCOORD": corners}, None, (1, 1), samples=samples)
    assert found.depth[0, 0] == (0.5 if written else 0.75)
    assert found.triangle[0, 0] == (0 if written else 1)
    assert found.targets["SV_Target"][0, 0, 0] == (0.5 if written else 0.75)


def test_a_position_declared_in_part_has_its_own_components() -> None:
    """A signature that lists y alone: the pixel's y, not its x."""
    pixel = assembled(
        MASKED.replace("v0.z", "v0.y").replace("oMask, r0.x, l(2)", "oMask, r0.x, l(1)")
    )
    rows = pixel.shade((1, 3))["SV_Target"][:, 0, 0]
    assert rows.tolist() == [0.5, 1.5, 2.5]
    found = draw(assembled(VERTEX), pixel, {"TEXCOORD": CORNERS}, None, (1, 3))
    assert found.targets["SV_Target"][:, 0, 0].tolist() == [0.5, 1.5, 2.5]


@pytest.mark.parametrize("samples", [0, 3, 32, -1, 2.0, "4", None])
def test_other_counts_are_refused(samples: Any) -> None:
    shader = unshade.assemble(PIXEL, "dxcontainer")
    with pytest.raises(UsageError, match="expected 1, 2, 4, 8 or 16 samples, got "):
        unshade.kernel(shader, engine="lockstep", samples=samples)
    if samples is not None:
        with pytest.raises(UsageError, match="expected 1, 2, 4, 8 or 16 samples, got "):
            assembled(PIXEL).shade((1, 1), samples=samples)


def test_a_variable_of_that_name_comes_first() -> None:
    kernel = assembled(NAMED)
    assert kernel.shade((1, 1), samples=16)["SV_Target"][0, 0].tolist() == [16, 1, 1, 1]
    kernel.samples = 4
    assert kernel.shade((1, 1), samples=16)["SV_Target"][0, 0].tolist() == [16, 4, 4, 4]


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pixel, vertex, out = tmp_path / "ps.cso", tmp_path / "vs.cso", tmp_path / "out.npy"
    unshade.assemble(PIXEL, "dxcontainer").save(pixel)
    unshade.assemble(VERTEX, "dxcontainer").save(vertex)
    assert main(["render", str(pixel), "--size", "1", "--samples", "4", "-o", str(out)]) == 0
    assert np.load(out)[0, 0].tolist() == EXPECTED[4]
    run = ["run", str(vertex), "--bind", "TEXCOORD0=zeros(1,4)"]
    assert main([*run, "--samples", "8"]) == 0
    assert "TEXCOORD1  float32 (1,)  8\n" in capsys.readouterr().out
    assert main(["debug", str(pixel), "--size", "1", "--samples", "2"]) == 0
    assert "2.0  0x40000000" in capsys.readouterr().out
    assert main([*run, "--samples", "3"]) == 2
    assert "expected 1, 2, 4, 8 or 16 samples, got 3" in capsys.readouterr().err
