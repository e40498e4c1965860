"""The stencil test: every operation, function and mask, both faces, references, and its target."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_draw import FULL, drawn
from unshade import UsageError
from unshade.run.raster import DepthStencilState, Picture, PixelHistory, Rejection, StencilFace
from unshade.run.raster.history_table import text
from unshade.run.raster.states.depth_stencil import depth_stencil_state
from unshade.run.raster.states.words import Comparison, StencilOp
from unshade.run.raster.stencil import after_tests, stencil_passes
from unshade.vm.launch import Array

pytestmark = pytest.mark.heavy

OPERATIONS: dict[str, Callable[[int], int]] = {
    "keep": lambda s: s, "zero": lambda s: 0, "replace": lambda s: 0x5A,
    "incr_sat": lambda s: min(s + 1, 255), "decr_sat": lambda s: max(s - 1, 0),
    "invert": lambda s: 255 - s, "incr": lambda s: (s + 1) % 256, "decr": lambda s: (s - 1) % 256,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[[int, int], bool]] = {
    "never": lambda _a, _b: False, "less": operator.lt, "equal": operator.eq,
    "less_equal": operator.le, "greater": operator.gt, "not_equal": operator.ne,
    "greater_equal": operator.ge, "always": lambda _a, _b: True,
}  # fmt: skip
ANY = np.arange(256, dtype=np.int64)
FRONT = np.ones(256, np.bool_)


def after(face: StencilFace, of_stencil: bool, of_depth: bool) -> list[int]:
    passed = np.full(256, of_stencil), np.full(256, of_depth)
    found: list[int] = after_tests((face, StencilFace()), FRONT, None, ANY, passed).tolist()
    return found


def test_each_operation_on_each_stencil() -> None:
    """The operation is that of the first test that fails, or of a sample that passes both."""
    assert OPERATIONS.keys() == {*StencilOp}
    for name, formula in OPERATIONS.items():
        expected = [formula(each) for each in range(256)]
        for field, results in (
            ("fail_op", [(False, True), (False, False)]),
            ("depth_fail_op", [(True, False)]),
            ("pass_op", [(True, True)]),
        ):
            face = StencilFace(**{field: name}, ref=0x5A)  # type: ignore[arg-type]
            for of_stencil, of_depth in ((a, b) for a in (False, True) for b in (False, True)):
                wanted = expected if (of_stencil, of_depth) in results else [*range(256)]
                assert after(face, of_stencil, of_depth) == wanted, (name, field)


def test_each_function_compares_the_reference_with_the_stencil() -> None:
    assert FUNCTIONS.keys() == {*Comparison}
    for name, formula in FUNCTIONS.items():
        for mask in (0xFF, 0x0F):
            face = StencilFace(func=name, ref=0x37, read_mask=mask)
            found = stencil_passes((face, StencilFace()), FRONT, None, ANY)
            assert found.tolist() == [formula(0x37 & mask, each & mask) for each in range(256)]


def test_bits_beside_the_write_mask_stay() -> None:
    face = StencilFace(pass_op="invert", write_mask=0x0F)
    assert after(face, True, True) == [each ^ 0x0F for each in range(256)]


def test_the_shader_may_output_the_reference() -> None:
    references = np.array([3, 0x104, 5])
    stencils = np.array([3, 4, 4])
    face = StencilFace(func="equal", pass_op="replace", ref=9)
    front = np.ones(3, np.bool_)
    passes = stencil_passes((face, face), front, references, stencils)
    assert passes.tolist() == [True, True, False]
    always = np.ones(3, np.bool_)
    found = after_tests((face, face), front, references, stencils, (always, always))
    assert found.tolist() == [3, 4, 5]


# ---------------------------------------------------------------- draws


def stencils_of(picture: Picture) -> Array:
    assert picture.stencil is not None
    return picture.stencil


BACK = FULL[[0, 2, 1]]


def counted(state: Any, positions: list[Array], **more: Any) -> Picture:
    colours = np.repeat(np.arange(1, len(positions) + 1), 3)[:, np.newaxis] * np.ones(4)
    more.setdefault("depth_function", None)
    return drawn(np.concatenate(positions), colours, depth_stencil=state, **more)


def test_triangles_of_one_draw_take_turns() -> None:
    """Each triangle counts up; the second that is drawn finds 1, and only that is equal."""
    target = np.zeros((4, 4, 4), np.float32)
    face = StencilFace(func="equal", fail_op="incr", pass_op="incr", ref=1)
    picture = counted(face, [FULL] * 3, targets=[target])
    assert (target == 2.0).all()
    assert (stencils_of(picture) == 3).all()


def test_each_face_has_its_test() -> None:
    state = DepthStencilState(
        front_face=StencilFace(pass_op="incr_sat"), back_face=StencilFace(pass_op="decr")
    )
    for given, positions, expected in (
        (state, [FULL, FULL, BACK], 1), (state, [BACK], 255), (state.front_face, [BACK], 1),
    ):  # fmt: skip
        assert (stencils_of(counted(given, positions)) == expected).all()


def test_the_stencil_of_a_depth_target_of_24_bits() -> None:
    depth = np.full((4, 4), 0x05FF_FFFF, np.uint32)
    face = StencilFace(func="equal", ref=5, pass_op="incr")
    picture = counted(face, [FULL], depth=depth, depth_function="less")
    assert (depth == 0x0600_0000).all()
    assert (stencils_of(picture) == 6).all()


def test_a_stencil_target_is_drawn_into_in_place() -> None:
    stencils = np.zeros((4, 4), np.uint8)
    stencils[1] = 7
    target = np.zeros((4, 4, 4), np.float32)
    face = StencilFace(func="equal", ref=7, pass_op="zero", fail_op="replace")
    picture = counted(face, [FULL], stencil_target=stencils, targets=[target])
    assert picture.stencil is stencils
    assert stencils[:, 0].tolist() == [7, 0, 7, 7]
    assert target[:, 0, 0].tolist() == [0, 1, 0, 0]


def test_the_depth_test_chooses_the_operation() -> None:
    """Of the three triangles, the second fails the depth test: only that adds 1."""
    positions = [FULL + np.array([0, 0, z, 0], np.float32) for z in (0.5, 0.75, 0.25)]
    depth = np.ones((4, 4), np.float32)
    face = StencilFace(depth_fail_op="incr")
    picture = counted(face, positions, depth=depth, depth_function="less")
    assert (stencils_of(picture) == 1).all()
    assert (depth == 0.25).all()


def test_depth_bounds_look_at_the_stored_depth() -> None:
    """A sample outside of the bounds is lost, and its stencil stays."""
    depth = np.array([[0.1, 0.25, 0.5, 0.75]] * 4, np.float32)
    target = np.zeros((4, 4, 4), np.float32)
    more: Any = {"targets": [target], "depth": depth, "depth_function": "always"}
    face = StencilFace(pass_op="incr")
    bounds: dict[str, Any] = {"min_depth_bounds": 0.25, "max_depth_bounds": 0.5}
    state = DepthStencilState(front_face=face, **bounds)
    picture = counted(state, [FULL], depth_write=False, **more)
    assert target[0, :, 0].tolist() == [0, 1, 1, 0]
    assert stencils_of(picture)[0].tolist() == [0, 1, 1, 0]
    target[:] = 0
    counted({"min_depth_bounds": 0.5, "max_depth_bounds": 0.25}, [FULL], **more)
    assert not target.any()
    counted({"min_depth_bounds": float("nan")}, [FULL], **more)
    assert target.all()


def test_bounds_of_a_normalised_depth() -> None:
    depth = np.array([[0x3FFF, 0x4000, 0x7FFF, 0x8000]] * 4, np.uint16)
    target = np.zeros((4, 4, 4), np.float32)
    state = {"minDepthBounds": 0x4000 / 0xFFFF, "maxDepthBounds": 0x7FFF / 0xFFFF}
    counted(state, [FULL], depth=depth, targets=[target], depth_function="always")
    assert target[0, :, 0].tolist() == [0, 1, 1, 0]


def test_the_history_names_the_stencil_test() -> None:
    history = PixelHistory(1, 1)
    face = StencilFace(func="equal", pass_op="incr")
    counted(face, [FULL, FULL], history=history, blend="additive")
    first, second = history.fragments
    assert first.reason is None
    assert [*first.before["stencil"], *first.after["stencil"]] == [0, 1]
    assert (str(second.reason), second.after["stencil"].tolist()) == ("early stencil test", [1])


def test_the_table_shows_a_stencil_that_a_failed_test_changes() -> None:
    history = PixelHistory(1, 1)
    face = StencilFace(func="never", fail_op="replace", ref=7)
    counted(face, [FULL], history=history)
    heads, row = (each.split() for each in text(history))
    assert heads == ["primitive", "face", "depth", "target", "before", "after", "result"]
    assert row == ["0", "front", "0", "stencil", "0", "7", "early", "stencil", "test"]
    assert history.fragments[0].reason == Rejection.EARLY_STENCIL


@pytest.mark.parametrize("samples", [1, 4])
def test_a_history_leaves_the_picture_as_it_is(samples: int) -> None:
    state = DepthStencilState(front_face=StencilFace(pass_op="incr", depth_fail_op="invert"))
    positions = [FULL + np.array([0, 0, z, 0], np.float32) for z in (0.5, 0.75, 0.25)]
    made = []
    for history in (None, PixelHistory(2, 1)):
        shape = (4, 4, samples, 4) if samples > 1 else (4, 4, 4)
        target = np.zeros(shape, np.uint8)
        picture = counted(
            state, positions, targets=[target], blend="alpha", depth_function="less",
            history=history, samples=samples,
        )  # fmt: skip
        made.append((target.tobytes(), stencils_of(picture).tobytes(), picture.depth.tobytes()))
    assert made[0] == made[1]


# ---------------------------------------------------------------- the state


def test_both_spellings_fill_the_state() -> None:
    face = StencilFace("replace", "incr_sat", "decr", "less_equal", 0x0F, 0xF0, 3)
    ours = DepthStencilState(
        depth_func="greater", depth_write_mask=False, stencil_enable=True, front_face=face,
        back_face=StencilFace(), depth_bounds_test_enable=False,
    )  # fmt: skip
    direct3d = {
        "DepthEnable": True, "DepthWriteMask": "D3D12_DEPTH_WRITE_MASK_ZERO",
        "DepthFunc": "D3D12_COMPARISON_FUNC_GREATER", "StencilEnable": True,
        "FrontFace": {
            "StencilFailOp": "D3D12_STENCIL_OP_REPLACE",
            "StencilDepthFailOp": "D3D12_STENCIL_OP_INCR_SAT",
            "StencilPassOp": "D3D12_STENCIL_OP_DECR",
            "StencilFunc": "D3D12_COMPARISON_FUNC_LESS_EQUAL",
            "StencilReadMask": 0x0F, "StencilWriteMask": 0xF0, "StencilRef": 3,
        },
        "BackFace": {}, "DepthBoundsTestEnable": False,
    }  # fmt: skip
    vulkan = {
        "depthTestEnable": True, "depthWriteEnable": False,
        "depthCompareOp": "VK_COMPARE_OP_GREATER", "stencilTestEnable": True,
        "front": {
            "failOp": "VK_STENCIL_OP_REPLACE",
            "depthFailOp": "VK_STENCIL_OP_INCREMENT_AND_CLAMP",
            "passOp": "VK_STENCIL_OP_DECREMENT_AND_WRAP",
            "compareOp": "VK_COMPARE_OP_LESS_OR_EQUAL",
            "compareMask": 0x0F, "writeMask": 0xF0, "reference": 3,
        },
        "back": {}, "depthBoundsTestEnable": False,
    }  # fmt: skip
    assert depth_stencil_state(direct3d) == depth_stencil_state(vulkan) == ours


def test_defaults_are_those_of_the_api() -> None:
    state = depth_stencil_state(None)
    assert (state.function, state.writes, state.faces, state.bounds) == ("less", True, None, None)
    off = depth_stencil_state({"depth_enable": False})
    assert (off.function, off.writes) == (None, False)


def test_masks_and_reference_are_of_the_state_unless_a_face_has_its_own() -> None:
    state = depth_stencil_state(
        {"StencilReadMask": 1, "StencilWriteMask": 2, "StencilRef": 3, "BackFace": {"ref": 4}}
    )
    assert state.faces is not None
    assert [(x.read_mask, x.write_mask, x.ref) for x in state.faces] == [(1, 2, 3), (1, 2, 4)]


def test_arguments_of_a_draw_take_the_place_of_fields() -> None:
    given = DepthStencilState(depth_func="greater", depth_write_mask="all")
    assert depth_stencil_state(given).function == "greater"
    assert depth_stencil_state(given, "always", writes=False).writes is False
    assert depth_stencil_state(given, "always").function == "always"
    assert depth_stencil_state(given, None).function is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"front": {"pass_op": "up"}}, "unknown operation of pass_op: 'up'; known: keep, zero"),
        ({"front": {"func": "lest"}}, "unknown stencil function 'lest'; did you mean less"),
        ({"front": {"ref": -1}}, "ref: expected 0 or more, got -1"),
        ({"front": 3}, "front_face: expected a StencilFace, got 3"),
        ({"side": {}}, "depth_stencil: unknown field 'side'"),
        ({"depth_write_mask": "some"}, "depth_write_mask: expected all or zero, got 'some'"),
        ({"min_depth_bounds": "low"}, "min_depth_bounds: expected a number, got 'low'"),
        ({"stencilTestEnable": "on"}, "stencil_enable: expected True or False, got 'on'"),
        (3, "depth_stencil: expected a DepthStencilState, got 3"),
    ],
)
def test_refusals(given: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        depth_stencil_state(given)


def test_unfit_targets_are_refused() -> None:
    for state in (StencilFace(), None):  # whether it is tested or not
        with pytest.raises(UsageError, match="stencil_target: expected an array of uint8"):
            counted(state, [FULL], stencil_target=np.zeros((4, 4), np.int32))
    with pytest.raises(UsageError, match=r"stencil_target: expected an array \(4, 4\), got"):
        counted(StencilFace(), [FULL], stencil_target=np.zeros((4, 5), np.uint8))
