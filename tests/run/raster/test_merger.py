"""The output merger as a whole: coverage from alpha, references of the shader, history, engines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.programs.spirv.lower.graphics import fragment
from tests.run.raster.test_blending import layers
from tests.run.raster.test_draw import FULL, PIXEL, VERTEX, drawn
from tests.run.stages.test_primitives import assembled
from unshade.run.raster import (
    Blend,
    BlendState,
    DepthStencilState,
    Picture,
    PixelHistory,
    Rejection,
    StencilFace,
    draw,
)
from unshade.vm.launch import Array

pytestmark = pytest.mark.heavy


def covered(alpha: float, samples: int, **more: Any) -> list[bool]:
    state = BlendState(alpha_to_coverage_enable=True)
    picture = drawn(FULL, [1, 1, 1, alpha], samples=samples, blend=state, **more)
    found: list[bool] = np.asarray(picture.covered[1, 1]).reshape(-1).tolist()
    return found


@pytest.mark.slow
def test_alpha_is_coverage() -> None:
    """None for 0 and NaN, all for 1, and never fewer samples for more alpha."""
    for samples in (1, 2, 4, 8):
        for alpha, count in (
            (0.0, 0),
            (-3.0, 0),
            (float("nan"), 0),
            (1.0, samples),
            (9.0, samples),
        ):
            assert sum(covered(alpha, samples, how="constant")) == count, (samples, alpha)
        counts = [sum(covered(step / 16, samples)) for step in range(0, 17, 3)]
        assert counts == sorted(counts)
    assert sum(covered(0.5, 4)) == 2
    assert sum(covered(0.5, 4, sample_mask=0b0001)) == 1


def test_samples_without_coverage_write_no_depth() -> None:
    depth = np.ones((4, 4, 4), np.float32)
    covered(0.5, 4, depth=depth)
    assert sorted(depth[0, 0].tolist()) == [0, 0, 1, 1]


OWN_MASK = """ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_output oMask
mov o0.xyzw, v1.xyzw
mov oMask, l(5)
ret
"""


def test_a_mask_that_the_shader_outputs_takes_the_place_of_alpha() -> None:
    """Direct3D 11.3, 17.18: with oMask, alpha to coverage is off."""
    inputs = {"TEXCOORD0": FULL, "TEXCOORD1": np.zeros((3, 4), np.float32)}
    state = BlendState(alpha_to_coverage_enable=True)
    found = draw(
        assembled(VERTEX), assembled(OWN_MASK), inputs, None, (4, 4), samples=4, blend=state
    )
    assert found.covered[0, 0].tolist() == [True, False, True, False]


def test_alpha_to_one_follows_alpha_to_coverage() -> None:
    blend = Blend("src_alpha", "zero", "add", "src_alpha")
    state = BlendState(blend, alpha_to_coverage_enable=True, alpha_to_one_enable=True)
    target = np.zeros((4, 4, 4, 4), np.float32)
    layers([[0.5, 0.25, 1, 0.5]], target, samples=4, blend=state)
    assert target[0, 0].tolist() == [[0.5, 0.25, 1, 1]] * 2 + [[0] * 4] * 2


def test_alpha_to_one_is_of_the_first_output() -> None:
    """Vulkan, Multisample Coverage: of the output in location 0 with index 0."""
    pixel = assembled(
        "ps_5_0\ndcl_output o0.xyzw\ndcl_output o1.xyzw\nmov o0.xyzw, l(0.5, 0.5, 0.5, 0.5)\n"
        "mov o1.xyzw, l(0.25, 0.25, 0.25, 0.25)\nret\n"
    )
    inputs = {"TEXCOORD0": FULL, "TEXCOORD1": FULL}
    state = BlendState(alpha_to_one_enable=True)
    made = draw(assembled(VERTEX), pixel, inputs, None, (4, 4), blend=state).targets
    assert [made[f"SV_Target{x}"][0, 0, 3] for x in (0, 1)] == [1.0, 0.25]
    dual = BlendState(Blend("one", "zero", "add", "src1_alpha"), alpha_to_one_enable=True)
    made = draw(assembled(VERTEX), pixel, inputs, None, (4, 4), blend=dual).targets
    assert made["SV_Target0"][0, 0, 3] == 0.25


VULKAN_MASK = {
    "decorations": "OpDecorate %mask BuiltIn SampleMask\n",
    "globals": "%five = OpConstant %int 5\n%array = OpTypeArray %int %c1\n"
    "%p_array = OpTypePointer Output %array\n%p_int = OpTypePointer Output %int\n"
    "%mask = OpVariable %p_array Output\n"
    "%grey = OpConstantComposite %v4float %half %half %half %half\n",
}


def test_in_vulkan_both_masks_are_applied() -> None:
    """The mask has samples 0 and 2, alpha 0 and 1."""
    code = "%at = OpAccessChain %p_int %mask %i0\nOpStore %at %five\nOpStore %out %grey"
    pixel = unshade.kernel(fragment(code, inputs="%mask", **VULKAN_MASK))
    state = BlendState(alpha_to_coverage_enable=True)
    found = draw(None, pixel, {"gl_Position": FULL}, None, (4, 4), samples=4, blend=state)
    assert found.covered[0, 0].tolist() == [True, False, False, False]


DUAL = {
    "decorations": "OpDecorate %second Location 0\nOpDecorate %second Index 1\n",
    "globals": "%second = OpVariable %p_out Output\n"
    "%dark = OpConstantComposite %v4float %quarter %quarter %quarter %quarter\n"
    "%grey = OpConstantComposite %v4float %half %half %half %half\n",
}


def test_the_second_source_of_vulkan_is_index_1_of_location_0() -> None:
    code = "OpStore %out %grey\nOpStore %second %dark"
    pixel = unshade.kernel(fragment(code, inputs="%second", **DUAL))
    target = np.ones((4, 4, 4), np.float32)
    found = draw(None, pixel, {"gl_Position": FULL}, None, (4, 4), targets=[target],
                 blend={"attachments": [{"dstColorBlendFactor": "src1_alpha"}]})  # fmt: skip
    assert target[0, 0].tolist() == [0.75, 0.75, 0.75, 0.5]
    assert [*found.targets] == ["colour"]


REFERENCE = """ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_output oStencilRef
mov o0.xyzw, v1.xyzw
ftou oStencilRef, v1.x
ret
"""


def test_the_shader_outputs_the_reference() -> None:
    """Each of three triangles replaces the stencil where it is less than its reference."""
    face = StencilFace(func="greater", pass_op="replace", ref=99)
    position = np.concatenate([FULL] * 3)
    colours = np.repeat(np.array([3, 1, 7], np.float32), 3)[:, np.newaxis] * np.ones(4, np.float32)
    inputs = {"TEXCOORD0": position, "TEXCOORD1": colours.astype(np.float32)}
    history = PixelHistory(1, 2)
    made = draw(
        assembled(VERTEX), assembled(REFERENCE), inputs, None, (4, 4), depth_function=None,
        depth_stencil=face, history=history,
    )  # fmt: skip
    assert made.stencil is not None
    assert (made.stencil == 7).all()
    assert (made.targets["SV_Target"] == 7).all()
    assert [each.reason for each in history.fragments] == [None, Rejection.STENCIL, None]


def test_the_history_has_colours_before_and_after_blending() -> None:
    history = PixelHistory(0, 0)
    target = np.zeros((4, 4), np.uint16)
    add = Blend("one", "one")
    layers(
        [[1, 0, 0, 1], [0, 1, 0, 1]], target, formats=["B5G6R5_UNORM"], blend=add, history=history
    )
    first, second = history.fragments
    assert second.output["SV_Target"].tolist() == [[0, 1, 0, 1]]
    assert (
        first.after["SV_Target"].tolist() == second.before["SV_Target"].tolist() == [[1, 0, 0, 1]]
    )
    assert second.after["SV_Target"].tolist() == [[1, 1, 0, 1]]


def test_the_history_names_each_test() -> None:
    """Of one sample: its stored depth is out of bounds; of four, alpha covers two."""
    history = PixelHistory(3, 0)
    bounds = DepthStencilState(min_depth_bounds=0.5)
    drawn(FULL, [1] * 4, depth=np.full((4, 4), 0.25, np.float32), depth_stencil=bounds,
          history=history)  # fmt: skip
    assert history.fragments[0].rejected == {Rejection.EARLY_DEPTH_BOUNDS: 1}
    history = PixelHistory(3, 0)
    covered(0.5, 4, history=history)
    (made,) = history.fragments
    assert made.rejected == {Rejection.ALPHA_TO_COVERAGE: 0b1100}
    assert (made.written, made.reason) == (0b0011, None)


def test_the_history_names_the_test_of_bounds_after_the_shader() -> None:
    """A shader that may discard runs before the tests."""
    text = "ps_5_0\ndcl_output o0.xyzw\ndiscard_nz l(0)\nmov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret"
    history = PixelHistory(1, 1)
    places = np.array([[-1, 3, 0.5, 1], [3, -1, 0.5, 1], [-1, -1, 0.5, 1]], np.float32)
    draw(None, assembled(text), {"SV_Position": places}, None, (2, 2),
         depth=np.full((2, 2), 0.25, np.float32),
         depth_stencil=DepthStencilState(min_depth_bounds=0.5), history=history)  # fmt: skip
    (made,) = history.fragments
    assert made.rejected == {Rejection.DEPTH_BOUNDS: 1}
    assert made.output["SV_Target"].tolist() == [[1, 1, 1, 1]]


def scene(engine: str, seed: int) -> list[Array]:
    """Draw random triangles with a random state; return what was drawn."""
    chance = np.random.default_rng(seed)
    count = 12
    position = chance.uniform(-1.5, 1.5, (3 * count, 4)).astype(np.float32)
    position[:, 2:] = np.stack([chance.random(3 * count), np.ones(3 * count)], axis=1)
    colours = chance.uniform(-0.5, 1.5, (3 * count, 4)).astype(np.float32)
    samples = int(chance.choice([1, 4]))
    shape = (16, 16, *([samples] if samples > 1 else []))
    target: Array = np.zeros((*shape, 4), np.uint8)
    depth: Array = np.full(shape, 0x07FF_FFFF, np.uint32)
    factors = ["src_alpha", "inv_src_alpha", "dest_color", "one", "inv_dest_alpha"]
    ops = ["keep", "incr", "invert", "decr_sat"]
    face = {f"{at}_op": str(chance.choice(ops)) for at in ("fail", "pass", "depth_fail")}
    source, destination = (str(each) for each in chance.choice(factors, 2))
    blend = Blend(source, destination, "rev_subtract")
    shaders = [
        unshade.kernel(unshade.assemble(text), engine=engine)
        for text in (VERTEX, PIXEL.format(how="linear"))
    ]
    inputs = {"TEXCOORD0": position, "TEXCOORD1": colours}
    more: dict[str, Any] = {
        "formats": [str(chance.choice(["R8G8B8A8_UNORM_SRGB", "R8G8B8A8_SNORM"]))],
        "blend": BlendState(blend, alpha_to_coverage_enable=bool(chance.integers(2))),
        "depth_stencil": {"FrontFace": face, "DepthFunc": "less_equal"},
    }
    made: Picture = draw(
        shaders[0], shaders[1], inputs, None, (16, 16), targets=[target], depth=depth,
        samples=samples, **more,
    )  # fmt: skip
    return [target, depth, made.triangle]


@pytest.mark.slow
def test_both_engines_draw_the_same_bits() -> None:
    for seed in range(8):
        one, other = scene("lockstep", seed), scene("jit", seed)
        assert one[0].any()
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True)), seed


def test_several_targets_with_several_samples() -> None:
    """Each with its format and blending, resolved apart."""
    pixel = assembled(
        "ps_5_0\ndcl_output o0.xyzw\ndcl_output o1.xyzw\nmov o0.xyzw, l(1.0, 0.5, 0.0, 0.5)\n"
        "mov o1.xyzw, l(0.25, 0.25, 0.25, 1.0)\nret\n"
    )
    targets = [np.zeros((4, 4, 4, 4), np.uint8), np.ones((4, 4, 4, 4), np.float32)]
    state = BlendState([Blend("src_alpha", "zero"), Blend("one", "one")])
    edge = FULL.copy()
    edge[:, 0] += 0.25  # half of the samples of the first column
    inputs = {"TEXCOORD0": edge, "TEXCOORD1": edge}
    made = draw(
        assembled(VERTEX), pixel, inputs, None, (4, 4), samples=4, targets=targets, blend=state
    )
    mean = made.resolved().targets
    assert mean["SV_Target0"][0, :2].tolist() == [[64, 32, 0, 64], [128, 64, 0, 128]]
    assert mean["SV_Target1"][0, :2, 0].tolist() == [1.125, 1.25]


SHARED = """\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %rest %red
OpExecutionMode %main OriginUpperLeft
OpName %rest "rest"
OpName %red "red"
OpDecorate %rest Location 0
OpDecorate %rest Component 1
OpDecorate %red Location 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%v3float = OpTypeVector %float 3
%to_rest = OpTypePointer Output %v3float
%to_red = OpTypePointer Output %float
%rest = OpVariable %to_rest Output
%red = OpVariable %to_red Output
%quarter = OpConstant %float 0.25
%half = OpConstant %float 0.5
%one = OpConstant %float 1
%zero = OpConstant %float 0
%values = OpConstantComposite %v3float %one %zero %half
%main = OpFunction %void None %function
%entry = OpLabel
OpStore %rest %values
OpStore %red %quarter
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_outputs_of_one_location_are_components_of_one_target(engine: str) -> None:
    """The target is (0.25, 1, 0, 0.5), as in piglit's component-layout/fs-output."""
    if engine == "jit":
        pytest.importorskip("llvmlite")
    pixel = unshade.kernel(unshade.assemble(SHARED, "spirv"), engine=engine)
    place = {"SV_Position": FULL}

    def drawn_on(target: Array | None, **more: Any) -> list[float]:
        given = None if target is None else [target]
        made = draw(None, pixel, place, None, (4, 4), targets=given, **more).targets
        assert made["rest"].tolist() == made["red"].tolist()
        numbers: list[float] = np.asarray(made["rest"])[1, 2].tolist()
        return numbers

    full = np.full((4, 4, 4), 0.5, np.float32)
    assert drawn_on(None) == [0.25, 1, 0, 0.5]
    assert drawn_on(full.copy()) == [0.25, 1, 0, 0.5]
    assert drawn_on(full[..., :2].copy()) == [0.25, 1]
    assert drawn_on(full.copy(), blend=BlendState(Blend(write_mask="rb"))) == [0.25, 0.5, 0, 0.5]
    assert drawn_on(np.zeros((4, 4, 4), np.uint8)) == [64, 255, 0, 128]
    assert drawn_on(None, formats=["R8G8B8A8_UNORM"]) == [64, 255, 0, 128]
    # One blend: a factor is the alpha of the target before it, for every component.
    state = BlendState(Blend("dst_alpha", "one"))
    old = np.full((4, 4, 4), [0.5, 0.5, 0.5, 0.25], np.float32)
    assert drawn_on(old, blend=state) == [0.5625, 0.75, 0.5, 0.5]
    named = draw(None, pixel, place, None, (4, 4), targets={"red": full})
    assert named.targets["rest"] is full
    assert full[0, 0].tolist() == [0.25, 1, 0, 0.5]
