"""Samples of a pixel of the target: the count in the shader, and the output mask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from tests.run.stages.test_primitives import assembled
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
    tested = RecordingKernel(kernel, "test", shader)
    assert tested.shade((1, 1))["SV_Target"][0, 0].tolist() == EXPECTED[samples]
    assert tested.shade((1, 1), samples=1)["SV_Target"][0, 0].tolist() == EXPECTED[1]


def test_samples_of_a_mesh_apply_to_both_shaders() -> None:
    vertex = assembled(VERTEX)
    both = PIXEL.replace("dcl_input vCoverage.x", "dcl_input vCoverage.x\ndcl_input_ps linear v1.x")
    pixel = assembled(both.replace("samplepos o0.yz, rasterizer.xxyx, l(1)", "mov o0.yz, v1.x"))
    found = draw(vertex, pixel, {"TEXCOORD": CORNERS}, None, (1, 1), samples=4)
    assert found.targets["SV_Target"][0, 0].tolist() == [[4, 4, 4, 15]] * 4
    assert vertex.samples == pixel.samples == 1


@pytest.mark.parametrize(("samples", "near"), [(1, [False]), (2, [False, True])])
def test_samples_are_written_that_the_output_mask_has(samples: int, near: list[bool]) -> None:
    """A square at depth 0.5 whose mask is sample 1 alone, in front of one at 0.75."""
    pixel = assembled(MASKED)
    corners = np.concatenate([CORNERS, CORNERS])
    corners[:3, 2], corners[3:, 2] = 0.5, 0.75
    found = draw(assembled(VERTEX), pixel, {"TEXCOORD": corners}, None, (1, 1), samples=samples)
    depths = found.depth.reshape(-1).tolist()
    # The farther one has the mask 1: sample 0 alone.
    expected = [0.5 if each else 0.75 if not at else np.inf for at, each in enumerate(near)]
    assert depths == expected
    assert found.triangle.reshape(-1).tolist() == [0 if each else 1 for each in near]
    colours = found.targets["SV_Target"].reshape(samples, 4)[:, 0].tolist()
    assert colours == [0.5 if each else 0.75 for each in near]


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


PLACES = """\
ps_5_0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_input_ps linear centroid v1.x
dcl_input vCoverage.x
dcl_output o0.xyzw
mov o0.xy, v0.xyxx
mov o0.z, v1.x
utof o0.w, vCoverage.x
ret
"""
PER_SAMPLE = """\
ps_5_0
dcl_input_ps linear sample v1.x
dcl_input_ps_sgv constant v2.x, sampleIndex
dcl_input vCoverage.x
dcl_output o0.xyz
mov o0.x, v1.x
utof o0.y, v2.x
utof o0.z, vCoverage.x
ret
"""
NEIGHBOUR = """\
ps_5_0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xy
deriv_rtx_fine o0.x, v0.x
mov o0.y, v0.x
ret
"""


def test_a_grid_begins_at_its_origin() -> None:
    found = assembled(NEIGHBOUR).shade((3, 2), origin=(5, 7))["SV_Target"]
    assert found[:, :, 1].tolist() == [[5.5, 6.5, 7.5]] * 2
    assert (found[:, :, 0] == 1).all()  # quads begin at even places: 5 has 4 beside it
    with pytest.raises(UsageError, match="origin: expected two integers"):
        assembled(NEIGHBOUR).shade((3, 2), origin=4)


def test_pixels_that_a_mask_leaves_out_are_helpers() -> None:
    mask = np.array([[True, False], [False, True]])
    kernel = assembled(NEIGHBOUR)
    found = kernel.shade((2, 2), mask=mask)
    assert found["covered"].tolist() == mask.tolist()
    assert found["SV_Target"].tolist() == [[[1, 0.5], [0, 0]], [[0, 0], [1, 1.5]]]
    with pytest.raises(UsageError, match=r"mask: expected an array \(2, 2\)"):
        kernel.shade((2, 2), mask=np.ones((3, 3)))


def test_centroids_and_coverage_follow_the_mask() -> None:
    """Pixel 1 has samples 1 and 3 of four."""
    found = assembled(PLACES).shade((2, 1), mask=np.array([[15, 0b1010]]), samples=4)
    assert found["SV_Target"].tolist() == [[[0.5, 0.5, 0.25, 15], [1.5, 0.5, 1.875 / 2, 10]]]


def test_a_shader_that_asks_for_its_sample_runs_for_each() -> None:
    kernel = assembled(PER_SAMPLE)
    assert kernel.shade((2, 1))["SV_Target"].shape == (1, 2, 3)
    mask = np.array([[15, 0b1010]])
    found = kernel.shade((2, 1), mask=mask, samples=4)
    first, second = found["SV_Target"][0]
    x = np.array([-2, 6, -6, 2]) / 16
    assert first.tolist() == [[(0.5 + x[at]) / 2, at, 1 << at] for at in range(4)]
    assert second[1].tolist() == [(1.5 + x[1]) / 2, 1, 2]
    assert found["covered"].tolist() == [[[True] * 4, [False, True, False, True]]]
    given = np.arange(8, dtype="<f4").reshape(1, 2, 4)
    own = kernel.shade((2, 1), {"TEXCOORD1": given}, samples=4)["SV_Target"]
    assert own[..., 0].tolist() == given.tolist()


COVERAGE = """\
ps_5_0
dcl_input vCoverage.x
dcl_output o0.x
utof o0.x, vCoverage.x
ret
"""


def masks(corners: list[list[float]], topology: str, size: tuple[int, int]) -> list[list[float]]:
    """Return the coverage that the shader is given, where some sample is covered."""
    given = {"TEXCOORD": np.array([[x, y, 0.5, 1] for x, y in corners], "<f4")}
    found = draw(
        assembled(VERTEX), assembled(COVERAGE), given, None, size, topology=topology, samples=4
    )
    rows: list[list[float]] = (
        found.targets["SV_Target"].reshape(size[1], size[0], 4).max(2).tolist()
    )
    return rows


def test_a_point_or_line_has_one_fragment_in_a_pixel() -> None:
    """Its two triangles share the pixels on the diagonal, but it is one primitive."""
    assert masks([[0, 0]], "point_list", (1, 1)) == [[15]]
    assert masks([[0, 0]], "point_list", (2, 2)) == [[8, 4], [2, 1]]
    assert masks([[0, 0], [0.01, 0]], "line_list", (1, 1)) == [[0]]


def test_a_line_is_wider_with_several_samples() -> None:
    """Source: rasterization rules of Direct3D: a rectangle with a width of 1.4."""
    found = masks([[-0.5, 0], [0.5, 0]], "line_list", (4, 5))
    assert found == [[0] * 4, [0, 8, 8, 0], [0, 15, 15, 0], [0, 1, 1, 0], [0] * 4]
