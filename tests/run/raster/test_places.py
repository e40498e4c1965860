"""Inputs of a pixel at other places: exactly what the primitive has there.

Wanted are the formulas of the specifications in double precision: with perspective, sums of a/w by
the barycentric coordinates of the place, divided by those of 1/w.
Source: Vulkan specification, basic polygon rasterization; Direct3D 11.3 functional specification,
sections 15.11 and 22.4.23 to 22.4.25.
"""

from __future__ import annotations

from string import Template
from typing import Any

import numpy as np
import pytest

import unshade
from tests.programs.dxil.lower.support import ENGINES, LAYOUT
from tests.programs.spirv.lower.graphics import fragment, same_everywhere
from unshade.run.raster import draw
from unshade.vm.launch import Array

SIZE = 4
NDC = np.array([[-1.0, -1.5], [3.5, -1.0], [-1.25, 3.0]])
W = np.array([1.0, 3.0, 0.5])
VALUES = np.array([[3.0, -8.0], [11.0, 40.0], [-6.0, 5.0]], "<f4")
POSITION = np.concatenate([NDC * W[:, None], 0.5 * W[:, None], W[:, None]], axis=1).astype("<f4")
SAMPLES = np.array([(-2, -6), (6, -2), (-6, 2), (2, 6)]) / 16  # of four
CENTRES = np.stack(np.meshgrid(np.arange(SIZE), np.arange(SIZE)), axis=-1) + 0.5


def shares(places: Array, *, perspective: bool = True) -> Array:
    """Return the barycentric coordinates of places on the screen, (…, 3)."""
    screen = np.stack([1 + NDC[:, 0], 1 - NDC[:, 1]], axis=1) * SIZE / 2
    screen = np.rint(screen * 256) / 256  # the rasteriser's corners
    rows = np.concatenate([screen.T, np.ones((1, 3))])
    linear = np.concatenate([places, np.ones((*places.shape[:-1], 1))], axis=-1)
    found: Array = linear @ np.linalg.inv(rows).T
    if not perspective:
        return found
    parts: Array = found / W
    total: Array = parts.sum(axis=-1, keepdims=True)
    return np.asarray(parts / total)


def test_the_barycentric_coordinates_of_a_corner() -> None:
    corner = np.array([1 + NDC[1, 0], 1 - NDC[1, 1]]) * SIZE / 2
    np.testing.assert_allclose(shares(corner), [0, 1, 0], atol=1e-12)


def drawn(shader: unshade.Shader, **more: Any) -> Array:
    """Draw the triangle with an input of VALUES; both engines make the same bits."""
    made: list[Array] = []
    for engine in ENGINES:
        kernel = unshade.kernel(shader, engine=engine)
        given: dict[str, Array] = {"Position": POSITION}
        for row in kernel.inputs:
            if row.location is not None:
                given[row.interpolated.label] = VALUES[:, : len(row.ports)]
        picture = draw(None, kernel, given, None, (SIZE, SIZE), **more)
        assert picture.covered.all()
        made.append(next(iter(picture.targets.values())))
    np.testing.assert_array_equal(made[0].view("<u4"), made[1].view("<u4"))
    return made[0]


# ---------------------------------------------------------------- SPIR-V


def spirv(calls: list[str], mode: str = "", built_in: str = "", count: int = 2) -> unshade.Shader:
    """Return a shader that outputs x and y of two calls of an input."""
    place = f"BuiltIn {built_in}" if built_in else "Location 1"
    code = "\n".join(
        f"%a{at} = OpExtInst %v{count}float %1 {call}" for at, call in enumerate(calls)
    )
    return fragment(
        f"{code}\n%made = OpVectorShuffle %v4float %a0 %a1 0 1 {count} {count + 1}\n"
        "OpStore %out %made",
        inputs="%uv", capabilities="OpCapability InterpolationFunction\n"
        + "OpCapability SampleRateShading\n" * (mode == "Sample")
        + 'OpCapability FragmentBarycentricKHR\nOpExtension "SPV_KHR_fragment_shader_barycentric"'
        * bool(built_in),
        decorations=f"OpDecorate %uv {place}" + (f"\nOpDecorate %uv {mode}" if mode else ""),
        globals=f"%p_2 = OpTypePointer Input %v{count}float\n%uv = OpVariable %p_2 Input\n"
        "%m3 = OpConstant %float -0.375\n%offset = OpConstantComposite %v2float %quarter %m3\n"
        "%zero = OpConstantComposite %v2float %f0 %f0",
    )  # fmt: skip


OFFSET = np.array([0.25, -0.375])


@pytest.mark.parametrize("mode", ["", "NoPerspective", "Centroid", "Sample"])
def test_offsets_and_samples_of_a_fragment_are_exact(mode: str) -> None:
    calls = ["InterpolateAtOffset %uv %offset", "InterpolateAtSample %uv %i2"]
    found = drawn(spirv(calls, mode), samples=4)
    for at, offset in enumerate((OFFSET, SAMPLES[2])):
        there = shares(CENTRES + offset, perspective=mode != "NoPerspective")
        wanted = (there @ VALUES)[:, :, np.newaxis]
        part = found[..., 2 * at : 2 * at + 2]
        np.testing.assert_allclose(part, np.broadcast_to(wanted, part.shape), rtol=3e-6, atol=1e-6)


def test_the_value_at_the_centre_is_the_input_itself() -> None:
    shader = spirv(["InterpolateAtOffset %uv %zero", "InterpolateAtCentroid %uv"])
    found = drawn(shader)
    wanted = (shares(CENTRES) @ VALUES).astype("<f4")
    np.testing.assert_array_equal(found[..., :2], wanted)
    np.testing.assert_array_equal(found[..., 2:], wanted)


@pytest.mark.parametrize("built_in", ["BaryCoordKHR", "BaryCoordNoPerspKHR"])
def test_barycentric_coordinates_are_interpolated_at_places(built_in: str) -> None:
    calls = ["InterpolateAtOffset %uv %offset", "InterpolateAtSample %uv %i1"]
    found = drawn(spirv(calls, built_in=built_in, count=3), samples=4)[:, :, 0]
    for at, offset in enumerate((OFFSET, SAMPLES[1])):
        wanted = shares(CENTRES + offset, perspective=built_in == "BaryCoordKHR")[..., :2]
        np.testing.assert_allclose(found[..., 2 * at : 2 * at + 2], wanted, rtol=3e-6, atol=1e-6)


def both_coordinates() -> unshade.Shader:
    """Return a shader that outputs x and y with perspective, and without."""
    return fragment(
        "%x = OpLoad %v3float %deep\n%y = OpLoad %v3float %flat\n"
        "%made = OpVectorShuffle %v4float %x %y 0 1 3 4\nOpStore %out %made",
        inputs="%deep %flat",
        capabilities="OpCapability FragmentBarycentricKHR\n"
        'OpExtension "SPV_KHR_fragment_shader_barycentric"',
        decorations="OpDecorate %deep BuiltIn BaryCoordKHR\n"
        "OpDecorate %flat BuiltIn BaryCoordNoPerspKHR",
        globals="%p_3 = OpTypePointer Input %v3float\n%deep = OpVariable %p_3 Input\n"
        "%flat = OpVariable %p_3 Input",
    )


def test_both_barycentric_coordinates_in_one_fragment() -> None:
    found = drawn(both_coordinates())
    np.testing.assert_allclose(found[..., :2], shares(CENTRES)[..., :2], rtol=1e-6, atol=1e-7)
    flat = shares(CENTRES, perspective=False)[..., :2]
    np.testing.assert_allclose(found[..., 2:], flat, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("mode", ["", "Sample"])
def test_inputs_of_a_grid_that_are_not_given_are_linear(mode: str) -> None:
    shader = spirv(["InterpolateAtOffset %uv %offset", "InterpolateAtSample %uv %i2"], mode)
    found = same_everywhere(shader, lambda each: each.shade((SIZE, SIZE), samples=4)["location0"])
    found = found.reshape(SIZE, SIZE, -1, 4)
    for at, offset in enumerate((OFFSET, SAMPLES[2])):
        wanted = ((CENTRES + offset) / SIZE)[:, :, np.newaxis]
        part = found[..., 2 * at : 2 * at + 2]
        np.testing.assert_array_equal(part, np.broadcast_to(wanted, part.shape))


def test_barycentric_coordinates_of_a_grid_are_those_of_a_full_screen_triangle() -> None:
    """Its corners are at (0, 0), (2, 0) and (0, 2) of the grid: the coordinates add up to 1."""
    calls = ["InterpolateAtOffset %uv %zero", "InterpolateAtOffset %uv %offset"]
    shader = spirv(calls, built_in="BaryCoordKHR", count=3)
    found = same_everywhere(shader, lambda each: each.shade((SIZE, SIZE))["location0"])
    for at, offset in enumerate((np.zeros(2), OFFSET)):
        x, y = np.moveaxis((CENTRES + offset) / SIZE, -1, 0)
        np.testing.assert_array_equal(found[..., 2 * at], 1 - (x + y) / 2)
        np.testing.assert_array_equal(found[..., 2 * at + 1], x / 2)


# ---------------------------------------------------------------- Direct3D

TPF = """\
ps_5_0
dcl_input_ps {how} v1.xy
dcl_output o0.xyzw
eval_snapped o0.xy, v1.xyxx, l(4, -6, 0, 0)
eval_sample_index o0.zw, -v1.xxxy, l(2)
ret
"""


@pytest.mark.parametrize("how", ["linear", "linear noperspective", "linear centroid"])
def test_evaluated_inputs_of_shader_model_5_are_exact(how: str) -> None:
    from tests.run.stages.test_primitives import assembled

    made = []
    for engine in ENGINES:
        inputs = {"SV_Position": POSITION, "v1": VALUES}
        kernel = assembled(TPF.format(how=how), engine)
        picture = draw(None, kernel, inputs, None, (SIZE, SIZE), samples=4)
        made.append(picture.targets["SV_Target"][:, :, 0])
    np.testing.assert_array_equal(made[0].view("<u4"), made[1].view("<u4"))
    for at, offset in enumerate((OFFSET, SAMPLES[2])):
        there = shares(CENTRES + offset, perspective="nopersp" not in how)
        wanted = (there @ VALUES) * (-1 if at else 1)
        np.testing.assert_allclose(made[0][..., 2 * at : 2 * at + 2], wanted, rtol=3e-6, atol=1e-6)


DXIL = Template("""
target datalayout = "$layout"
target triple = "dxil-ms-dx"

define void @main() {
$code
  ret void
}

declare float @dx.op.loadInput.f32(i32, i32, i32, i8, i32)
declare float @dx.op.evalSnapped.f32(i32, i32, i32, i8, i32, i32)
declare float @dx.op.evalSampleIndex.f32(i32, i32, i32, i8, i32)
declare float @dx.op.evalCentroid.f32(i32, i32, i32, i8)
declare void @dx.op.storeOutput.f32(i32, i32, i32, i8, float)

!dx.version = !{!0}
!dx.shaderModel = !{!1}
!dx.entryPoints = !{!2}
!0 = !{i32 1, i32 1}
!1 = !{!"ps", i32 6, i32 1}
!2 = !{void ()* @main, !"main", !3, null, null}
!3 = !{!4, !7, null}
!4 = !{!5, !9, !10, !11}
!5 = !{i32 0, !"TEXCOORD", i8 9, i8 0, !6, i8 $mode, i32 1, i8 2, i32 0, i8 0, null}
!6 = !{i32 0}
!7 = !{!8}
!8 = !{i32 0, !"SV_Target", i8 9, i8 16, !6, i8 0, i32 1, i8 4, i32 0, i8 0, null}
!9 = !{i32 1, !"SV_Barycentrics", i8 9, i8 28, !6, i8 $first, i32 1, i8 3, i32 -1, i8 -1, null}
!10 = !{i32 2, !"SV_Barycentrics", i8 9, i8 28, !12, i8 $second, i32 1, i8 3, i32 -1, i8 -1, null}
!11 = !{i32 3, !"SV_Position", i8 9, i8 3, !6, i8 4, i32 1, i8 4, i32 2, i8 0, null}
!12 = !{i32 1}
""")
LINEAR, CENTROID, FLAT, FLAT_CENTROID, SAMPLE, FLAT_SAMPLE = 2, 3, 4, 5, 6, 7


def dxil(calls: list[str], mode: int = LINEAR, first: int = LINEAR, second: int = FLAT) -> Array:
    """Return what a shader of Shader Model 6 outputs whose components are the results of calls."""
    lines = []
    for at, call in enumerate(calls):
        lines.append(f"  %a{at} = call float @dx.op.{call}")
        lines.append(
            f"  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 {at}, float %a{at})"
        )
    code = "\n".join(lines)
    text = DXIL.substitute(layout=LAYOUT, code=code, mode=mode, first=first, second=second)
    return drawn(unshade.assemble(text, "dxcontainer"), samples=4)


@pytest.mark.parametrize("mode", [LINEAR, CENTROID, FLAT, SAMPLE, FLAT_SAMPLE])
def test_evaluated_inputs_of_shader_model_6_are_exact(mode: int) -> None:
    found = dxil([
        "evalSnapped.f32(i32 87, i32 0, i32 0, i8 0, i32 4, i32 -6)",
        "evalSampleIndex.f32(i32 88, i32 0, i32 0, i8 1, i32 2)",
        "evalCentroid.f32(i32 89, i32 0, i32 0, i8 1)",
    ], mode)  # fmt: skip
    for at, (offset, column) in enumerate(((OFFSET, 0), (SAMPLES[2], 1), (np.zeros(2), 1))):
        there = shares(CENTRES + offset, perspective=mode not in (FLAT, FLAT_SAMPLE))
        wanted = np.repeat((there @ VALUES[:, column])[..., np.newaxis], 4, axis=-1)
        np.testing.assert_allclose(found[..., at], wanted, rtol=3e-6, atol=1e-6)


@pytest.mark.parametrize(("first", "second"), [(LINEAR, FLAT), (FLAT, LINEAR), (SAMPLE, FLAT)])
def test_two_barycentrics_of_shader_model_6(first: int, second: int) -> None:
    """They are told apart by semantic index, and each has its own mode."""
    found = dxil([
        "loadInput.f32(i32 4, i32 1, i32 0, i8 1, i32 undef)",
        "loadInput.f32(i32 4, i32 2, i32 0, i8 1, i32 undef)",
        "evalSnapped.f32(i32 87, i32 1, i32 0, i8 2, i32 4, i32 -6)",
        "evalSnapped.f32(i32 87, i32 2, i32 0, i8 2, i32 4, i32 -6)",
    ], first=first, second=second)  # fmt: skip
    places = CENTRES[:, :, np.newaxis] + (
        SAMPLES if SAMPLE in (first, second) else np.zeros((4, 2))
    )
    for at, mode in enumerate((first, second)):
        here = places if mode == SAMPLE else np.repeat(CENTRES[:, :, np.newaxis], 4, axis=2)
        deep = mode != FLAT
        wanted = shares(here, perspective=deep)[..., 1]
        np.testing.assert_allclose(found[..., at], wanted, rtol=3e-6, atol=1e-6)
        wanted = np.repeat(shares(CENTRES + OFFSET, perspective=deep)[..., 2:], 4, axis=-1)
        np.testing.assert_allclose(found[..., at + 2], wanted, rtol=3e-6, atol=1e-6)


def of_a_report() -> Array:
    """Return the positions of one triangle over the target, with w of 1, 2 and 4."""
    corners = np.array([[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]])
    w = np.array([1.0, 2.0, 4.0])[:, None]
    return np.concatenate([corners * w, 0.5 * w, w], axis=1).astype("<f4")


def test_the_places_of_a_report() -> None:
    """An input of 10, 20 and 40, at column 2 of row 1: offset (1/4, -1/4), and sample 2 of 4."""
    calls = ["InterpolateAtOffset %uv %offset", "InterpolateAtSample %uv %i2"]
    text = spirv(calls).disassemble().replace("-0.375", "-0.25")
    for engine in ENGINES:
        kernel = unshade.kernel(unshade.assemble(text, "spirv"), engine=engine)
        (row,) = (each for each in kernel.inputs if each.location is not None)
        values = np.array([[10, 0], [20, 0], [40, 0]], "<f4")
        given = {"Position": of_a_report(), row.interpolated.label: values}
        picture = draw(None, kernel, given, None, (SIZE, SIZE), samples=4)
        found = next(iter(picture.targets.values()))[1, 2]
        np.testing.assert_allclose(found[..., [0, 2]], [[17.53425, 15.51515]] * 4, rtol=1e-6)


def test_the_barycentric_coordinates_of_a_report() -> None:
    """The same triangle and pixel."""
    for engine in ENGINES:
        kernel = unshade.kernel(both_coordinates(), engine=engine)
        picture = draw(None, kernel, {"Position": of_a_report()}, None, (SIZE, SIZE))
        found = next(iter(picture.targets.values()))[1, 2]
        np.testing.assert_allclose(found, [0.61538, 0.25641, 0.375, 0.3125], atol=5e-6)
