"""Blending: every factor and operation against its formula, in the order of the primitives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_draw import FULL, VERTEX, drawn
from tests.run.stages.test_primitives import assembled
from unshade import UsageError
from unshade.run.raster import Blend, BlendState, draw
from unshade.run.raster.blending import Colours, blended, combined
from unshade.run.raster.states.blend import PRESETS, blend_state
from unshade.run.raster.states.words import ADVANCED, BlendOp, Factor, LogicOp
from unshade.vm.launch import Array

pytestmark = pytest.mark.heavy

SOURCE, SECOND = [0.5, 0.25, 0.75, 0.625], [0.125, 1.0, 0.5, 0.25]
DESTINATION, CONSTANTS = [0.375, 0.875, 0.0, 0.5], [0.75, 0.5, 0.25, 0.125]


def constant(number: float) -> Callable[..., list[float]]:
    return lambda *_: [number] * 4


# Each factor as the specifications have it, of source, second, destination and constants.
FACTORS: dict[str, Callable[..., list[float]]] = {
    "zero": constant(0), "one": constant(1),
    "src_color": lambda s, *_: s,
    "inv_src_color": lambda s, *_: [1 - each for each in s],
    "src_alpha": lambda s, *_: [s[3]] * 4,
    "inv_src_alpha": lambda s, *_: [1 - s[3]] * 4,
    "dest_alpha": lambda s, t, d, c: [d[3]] * 4,
    "inv_dest_alpha": lambda s, t, d, c: [1 - d[3]] * 4,
    "dest_color": lambda s, t, d, c: d,
    "inv_dest_color": lambda s, t, d, c: [1 - each for each in d],
    "src_alpha_sat": lambda s, t, d, c: [min(s[3], 1 - d[3])] * 3 + [1],
    "blend_factor": lambda s, t, d, c: c,
    "inv_blend_factor": lambda s, t, d, c: [1 - each for each in c],
    "src1_color": lambda s, t, d, c: t,
    "inv_src1_color": lambda s, t, d, c: [1 - each for each in t],
    "src1_alpha": lambda s, t, d, c: [t[3]] * 4,
    "inv_src1_alpha": lambda s, t, d, c: [1 - t[3]] * 4,
    "alpha_factor": lambda s, t, d, c: [c[3]] * 4,
    "inv_alpha_factor": lambda s, t, d, c: [1 - c[3]] * 4,
}  # fmt: skip
OPERATIONS: dict[str, Callable[[float, float, float, float], float]] = {
    "add": lambda s, f, d, g: s * f + d * g,
    "subtract": lambda s, f, d, g: s * f - d * g,
    "rev_subtract": lambda s, f, d, g: d * g - s * f,
    "min": lambda s, f, d, g: min(s, d),
    "max": lambda s, f, d, g: max(s, d),
}  # fmt: skip


def rows(*colours: list[float]) -> Colours:
    source, second, destination, constants = (np.array(each, np.float32) for each in colours)
    return Colours(source[np.newaxis], second[np.newaxis], destination[np.newaxis], constants)


def test_each_factor_with_each_operation() -> None:
    """The numbers are sums of few powers of two, so that float32 is exact."""
    assert FACTORS.keys() == {*Factor}
    assert OPERATIONS.keys() == {*BlendOp} - ADVANCED
    colours = SOURCE, SECOND, DESTINATION, CONSTANTS
    names = [*FACTORS]
    for operation, formula in OPERATIONS.items():
        for at, one in enumerate(names):
            for other in (names[at - 7], names[at - 2], one):
                of_source, of_destination = FACTORS[one], FACTORS[other]
                state = Blend(one, other, operation, other, one, operation)
                f, g = [*of_source(*colours)], [*of_destination(*colours)]
                f[3:], g[3:] = g[3:], f[3:]  # alpha has the factors of its own
                expected = [
                    formula(s, a, d, b)
                    for s, a, d, b in zip(SOURCE, f, DESTINATION, g, strict=True)
                ]
                found = blended(state, rows(*colours), None)
                assert found.tolist() == [expected], (operation, one, other)


def test_colours_are_clamped_to_the_range_of_the_target() -> None:
    """Direct3D 11.3, 17.5: what enters is clamped; 1 - x of SNORM is not, but in Vulkan."""
    high = rows([3, -2, 0.5, np.nan], [0] * 4, [0.25] * 4, [2] * 4)
    add = Blend("one", "one", src_blend_alpha="one", dest_blend_alpha="one")
    assert blended(add, high, (0.0, 1.0)).tolist() == [[1.25, 0.25, 0.75, 0.25]]
    assert blended(add, high, (-1.0, 1.0)).tolist() == [[1.25, -0.75, 0.75, 0.25]]
    assert blended(add, high, None)[0, :3].tolist() == [3.25, -1.75, 0.75]
    assert np.isnan(blended(add, high, None)[0, 3])
    factor = Blend("blend_factor", "zero")
    assert blended(factor, high, (0.0, 1.0))[0, :3].tolist() == [1.0, 0.0, 0.5]
    low = rows([0.5] * 4, [0] * 4, [-1.0] * 4, [0] * 4)
    inverse = Blend("inv_dest_color", "zero")
    assert blended(inverse, low, (-1.0, 1.0))[0, 0] == 1.0
    assert blended(inverse, low, (-1.0, 1.0), clamps_factors=True)[0, 0] == 0.5


def test_a_zero_factor_keeps_what_is_no_number() -> None:
    """Direct3D 11.3, 17.5: NaN is propagated, also with a weight of 0; not by min and max."""
    given = rows([np.nan] * 4, [0] * 4, [0.5] * 4, [0] * 4)
    assert np.isnan(blended(Blend("zero", "one"), given, None)[0, :3]).all()
    assert blended(Blend(blend_op="min"), given, None)[0, 0] == 0.5


LOGIC: dict[str, Callable[[int, int], int]] = {
    "clear": lambda s, d: 0, "set": lambda s, d: 0xFF, "copy": lambda s, d: s,
    "copy_inverted": lambda s, d: ~s, "noop": lambda s, d: d, "invert": lambda s, d: ~d,
    "and": lambda s, d: s & d, "nand": lambda s, d: ~(s & d), "or": lambda s, d: s | d,
    "nor": lambda s, d: ~(s | d), "xor": lambda s, d: s ^ d, "equiv": lambda s, d: ~(s ^ d),
    "and_reverse": lambda s, d: s & ~d, "and_inverted": lambda s, d: ~s & d,
    "or_reverse": lambda s, d: s | ~d, "or_inverted": lambda s, d: ~s | d,
}  # fmt: skip


def test_each_logic_operation() -> None:
    assert LOGIC.keys() == {*LogicOp}
    source, destination = np.array([0b0011], np.uint8), np.array([0b0101], np.uint8)
    for name, formula in LOGIC.items():
        expected = formula(0b0011, 0b0101) & 0xFF
        assert combined(name, source, destination).tolist() == [expected], name


# ---------------------------------------------------------------- draws


def layers(colours: list[list[float]], target: Array, **more: Any) -> Array:
    """Draw a full triangle for each colour, in one draw, into a target."""
    count = len(colours)
    position = np.concatenate([FULL] * count)
    corners = np.repeat(np.array(colours, np.float32), 3, axis=0)
    drawn(position, corners, targets=[target], depth_function=None, **more)
    return target


def test_overlapping_triangles_are_blended_in_their_order() -> None:
    """Each is over the one before: half of it remains."""
    colours = [[1, 0, 0, 0.5], [0, 1, 0, 0.5], [0, 0, 1, 0.5]]
    target = layers(colours, np.zeros((4, 4, 4), np.float32), blend="alpha")
    assert (target == np.array([0.125, 0.25, 0.5, 0.875], np.float32)).all()
    one_by_one = np.zeros((4, 4, 4), np.float32)
    for each in colours:
        layers([each], one_by_one, blend="alpha")
    assert (one_by_one == target).all()


def test_presets() -> None:
    """Each preset over a colour of alpha 0.5."""
    source, destination = [0.5, 0.25, 0.0, 0.25], [0.25, 0.5, 1.0, 0.5]
    expected = {
        "opaque": source,
        "alpha": [0.3125, 0.4375, 0.75, 0.625],
        "premultiplied": [0.6875, 0.625, 0.75, 0.625],
        "additive": [0.375, 0.5625, 1.0, 0.75],
        "multiply": [0.125, 0.125, 0.0, 0.125],
    }
    assert expected.keys() == PRESETS.keys()
    for name, colour in expected.items():
        target = np.full((4, 4, 4), destination, np.float32)
        assert layers([source], target, blend=name)[2, 1].tolist() == colour, name


def test_blending_respects_the_depth_test() -> None:
    """Of three triangles, the second is behind the first; with less, it adds nothing."""
    position = np.concatenate([FULL] * 3)
    position[:, 2] = np.repeat([0.5, 0.75, 0.25], 3)
    corners = np.repeat(np.eye(3, 4, dtype=np.float32), 3, axis=0)
    target, depth = np.zeros((4, 4, 4), np.float32), np.ones((4, 4), np.float32)
    drawn(position, corners, targets=[target], depth=depth, blend=Blend("one", "one"))
    assert (target[..., :3] == [1, 0, 1]).all()
    assert (depth == 0.25).all()


def test_write_masks_leave_channels_alone() -> None:
    for mask, bits in (("r", 1), ("gA", 10), (5, 5), (0, 0), ("", 0)):
        target = layers(
            [[1, 1, 1, 1]], np.zeros((4, 4, 4), np.float32), blend=Blend(write_mask=mask)
        )
        assert target[0, 0].tolist() == [float(bits >> at & 1) for at in range(4)]


def test_a_target_is_read_by_blending_where_a_mask_keeps_it_from_writing() -> None:
    """Direct3D 11.3, 17.15: masks limit writes only; here alpha is read."""
    target = np.full((4, 4, 4), 0.5, np.float32)
    layers([[1, 1, 1, 1]], target, blend=Blend("dest_alpha", "zero", write_mask="rg"))
    assert target[0, 0].tolist() == [0.5] * 4


TWO_OUTPUTS = """ps_5_0
dcl_output o0.xyzw
dcl_output o1.xyzw
mov o0.xyzw, l(0.5, 0.25, 1.0, 0.75)
mov o1.xyzw, l(0.25, 1.0, 0.5, 0.125)
ret
"""


def both(targets: list[Array], **more: Any) -> Any:
    inputs = {"TEXCOORD0": FULL, "TEXCOORD1": np.ones((3, 4), np.float32)}
    return draw(
        assembled(VERTEX), assembled(TWO_OUTPUTS), inputs, None, (4, 4), targets=targets, **more
    )


def test_dual_source_blending() -> None:
    """The second output is a factor, and no target: Direct3D 11.3, 17.6."""
    target = np.full((4, 4, 4), 0.5, np.float32)
    state = Blend(
        "one", "src1_color", src_blend_alpha="src1_alpha", dest_blend_alpha="inv_src1_alpha"
    )
    found = both([target], blend=state)
    assert target[3, 3].tolist() == [0.625, 0.75, 1.25, 0.53125]
    assert [*found.targets] == ["SV_Target0"]


def test_each_target_has_blending_of_its_own() -> None:
    for independent, second in ((True, [0.25, 1, 0.5, 0.125]), (False, [0.75, 1.5, 1.0, 0.625])):
        targets = [np.full((4, 4, 4), 0.5, np.float32) for _ in range(2)]
        add = Blend("one", "one", dest_blend_alpha="one")
        state = BlendState([add, Blend()], independent_blend_enable=independent)
        both(targets, blend=state)
        assert targets[0][0, 0].tolist() == [1.0, 0.75, 1.5, 1.25]
        assert targets[1][0, 0].tolist() == second


def test_the_constants_of_blending() -> None:
    target = np.full((4, 4, 4), 0.5, np.float32)
    state = BlendState(Blend("blend_factor", "inv_blend_factor"), blend_factor=[0.25, 0.5, 0.75, 1])
    layers([[1, 1, 1, 1]], target, blend=state)
    assert target[0, 0].tolist() == [0.625, 0.75, 0.875, 1.0]


def test_a_normalised_target_is_blended_and_rounded_once_for_each_triangle() -> None:
    """128 of 255 is half a step above a half: 255 is halved to 127.5, stored as 128."""
    target = np.zeros((4, 4, 4), np.uint8)
    half = Blend("blend_factor", "zero")
    layers([[1, 1, 1, 1]], target, blend=BlendState(half, blend_factor=[0.5] * 4))
    assert target[0, 0].tolist() == [128, 128, 128, 255]
    third = Blend("zero", "blend_factor")
    layers([[0, 0, 0, 0]] * 2, target, blend=BlendState(third, blend_factor=[1 / 3] * 4))
    assert target[0, 0, :3].tolist() == [14, 14, 14]  # 128 -> 42.67 -> 43 -> 14.33


def test_samples_are_blended_one_by_one() -> None:
    target = np.zeros((4, 4, 4, 4), np.float32)
    target[..., 1, :] = 1.0
    layers([[0.5] * 4], target, samples=4, blend=Blend("one", "one"), sample_mask=0b0110)
    assert target[0, 0, :, 0].tolist() == [0, 1.5, 0.5, 0]


# ---------------------------------------------------------------- the state


def test_both_spellings_fill_the_state() -> None:
    ours = BlendState(
        Blend("src_alpha", "inv_src_alpha", "rev_subtract", write_mask="rgb", blend_enable=True),
        blend_factor=(0.0, 0.0, 0.0, 1.0),
    )
    direct3d = {
        "RenderTarget": [{
            "BlendEnable": True, "SrcBlend": "D3D12_BLEND_SRC_ALPHA",
            "DestBlend": "D3D12_BLEND_INV_SRC_ALPHA", "BlendOp": "D3D12_BLEND_OP_REV_SUBTRACT",
            "RenderTargetWriteMask": 7,
        }],
        "BlendFactor": [0, 0, 0, 1],
    }  # fmt: skip
    vulkan = {
        "attachments": [{
            "blendEnable": True, "srcColorBlendFactor": "VK_BLEND_FACTOR_SRC_ALPHA",
            "dstColorBlendFactor": "VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA",
            "colorBlendOp": "VK_BLEND_OP_REVERSE_SUBTRACT", "colorWriteMask": 7,
        }],
        "blendConstants": [0, 0, 0, 1],
    }  # fmt: skip
    assert blend_state(direct3d) == blend_state(vulkan) == ours


def test_a_logic_operation_is_enabled_as_in_either_api() -> None:
    direct3d = {"RenderTarget": [{"LogicOpEnable": True, "LogicOp": "D3D12_LOGIC_OP_XOR"}]}
    assert blend_state(direct3d).logic == "xor"
    assert blend_state({"RenderTarget": [{"LogicOp": "XOR"}]}).logic is None
    assert blend_state({"logicOpEnable": True, "logicOp": "VK_LOGIC_OP_XOR"}).logic == "xor"
    assert blend_state({"logicOpEnable": False, "logicOp": "VK_LOGIC_OP_XOR"}).logic is None
    assert blend_state({"logicOp": "equivalent"}).logic == "equiv"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"targets": [{"src_blend": "src_alhpa"}]},
         "unknown blend factor of src_blend: 'src_alhpa'; did you mean src_alpha?"),
        ("alhpa", "unknown blend 'alhpa'; did you mean alpha?"),
        ({"targets": [{"src": "one"}]}, "blend: unknown field 'src'"),
        ({"targets": [{"write_mask": "rgbx"}]},
         "write_mask: expected letters of rgba, or 0 to 15, got 'rgbx'"),
        (7, "blend: expected a BlendState, a Blend or a name, got 7"),
        ({"blend_factor": [1]}, r"blend_factor: expected 4 numbers, got \[1\]"),
        ([], "blend: expected 1 to 8 targets, got 0"),
        ({"targets": 3}, "blend: expected a Blend, a name or a list, got 3"),
        ({"alphaToOneEnable": "no"}, "alpha_to_one_enable: expected True or False, got 'no'"),
        ([{"BlendEnable": []}], r"blend_enable: expected True or False, got \[\]"),
        ([{"src_blend": "one", "SrcBlend": "one"}], "blend: src_blend is given twice"),
    ],
)  # fmt: skip
def test_refusals(given: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        blend_state(given)


def test_integers_are_not_blended() -> None:
    pixel = assembled("ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1, 2, 3, 4)\nret\n")
    target = np.zeros((4, 4, 4), np.uint32)
    inputs = {"TEXCOORD0": FULL, "TEXCOORD1": np.ones((3, 4), np.float32)}
    with pytest.raises(UsageError, match="SV_Target: expected a target of floats or normalised"):
        draw(assembled(VERTEX), pixel, inputs, None, (4, 4), targets=[target], blend="alpha")
    with pytest.raises(UsageError, match="SV_Target: expected a target of at most 4 numbers"):
        layers([[1, 1, 1, 1]], np.zeros((4, 4, 4), np.float64), blend="alpha")
