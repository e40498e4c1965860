"""Hull and domain shaders over arrays of patches: shapes, what passes on, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.programs.tpf.lower.test_patches import FORK, POINTS, domain, hull
from tests.run.examples import kernel
from tests.run.stages.test_primitives import ENGINES, IDENTITY, assembled
from unshade.run.any_stage import over
from unshade.run.stages import patches
from unshade.testing.vector import Vector

CORNERS = np.array([[[0, 0, 0], [4, 0, 0], [0, 0, 2], [4, 0, 2]]], np.float32)
FACTORS = [f"SV_TessFactor{at}" for at in range(4)]
TWO_COLORS = """
// Patch Constant signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_TessFactor            0   x           0  LINEDET   float
// COLOR                    0    yz         0     NONE   float    yz
// SV_TessFactor            1   x           1  LINEDEN   float
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// COLOR                    0   xy          0     NONE   float   xy
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// COLOR                    0   xyzw        0     NONE   float   xyzw
//
ds_5_0
dcl_input_control_point_count 1
dcl_tessellator_domain domain_isoline
dcl_globalFlags refactoringAllowed
dcl_input vpc0.yz
dcl_input vicp[1][0].xy
dcl_output o0.xyzw
mov o0.xy, vicp[0][0].xyxx
mov o0.zw, vpc0.yyyz
ret
"""
CAMERA = {"view_projection": IDENTITY, "height": 1.0}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_from_corners_to_vertices(engine: str) -> None:
    corners = np.concatenate([CORNERS, 10 * CORNERS])
    found = kernel("sheet.h.dxbc", engine).tessellate({"POSITION": corners}, density=1.0)
    assert list(found) == ["POSITION", *FACTORS, "SV_InsideTessFactor0", "SV_InsideTessFactor1"]
    assert [found[name].tolist() for name in FACTORS] == [[2, 20], [4, 40]] * 2
    assert found["SV_InsideTessFactor"].tolist() == [4, 40]
    assert (found.control_points["POSITION"] == corners).all()
    where = [[0, 0], [0.5, 0.5], [1, 1], [1, 0]]
    sheet = kernel("sheet.d.dxbc", engine)
    made = sheet.evaluate(where, found.control_points, found.patch_constants, **CAMERA)
    assert made["SV_Position"].shape == (2, 4, 4)
    assert made["SV_Position"][1].tolist() == [
        [0, 0, 0, 1], [20, 1, 10, 1], [40, 0, 20, 1], [40, 0, 0, 1]
    ]  # fmt: skip
    assert (made["TEXCOORD"] == np.array(where, np.float32)).all()
    assert sheet.report.lanes == 8


@pytest.mark.slow
def test_many_patches_run_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    corners = np.random.default_rng(2).random((40, 4, 3), np.float32)
    where = np.random.default_rng(3).random((40, 7, 2), np.float32)

    def both() -> list[Any]:
        found = kernel("sheet.h.dxbc").tessellate({"POSITION": corners}, density=9.0)
        made = kernel("sheet.d.dxbc").evaluate(where, found.control_points, **CAMERA)
        return [*found.values(), *made.values()]

    whole = both()
    monkeypatch.setattr(patches, "BATCH", 1000)
    monkeypatch.setattr(patches, "LANES", 30)
    for one, other in zip(both(), whole, strict=True):
        assert (one == other).all()


def test_each_patch_may_have_points_of_its_own() -> None:
    where = np.array([[[0, 0], [1, 0]], [[0, 1], [1, 1]]], np.float32)
    sheet = kernel("sheet.d.dxbc")
    made = sheet.evaluate(where, {"POSITION": np.repeat(CORNERS, 2, axis=0)}, **CAMERA)
    assert made["SV_Position"][..., :3].tolist() == CORNERS.reshape(2, 2, 3).tolist()
    none = sheet.evaluate(np.zeros((0, 2)), {"POSITION": CORNERS}, **CAMERA)
    assert none["SV_Position"].shape == (1, 0, 4)


def test_numbers_of_patches() -> None:
    text = hull("hs_fork_phase\ndcl_input vPrim\ndcl_output o0.x\nmov o0.x, vPrim\nret")
    found = assembled(text).tessellate(3)
    (name,) = found.patch_constants
    assert found[name].view("<u4").tolist() == [0, 1, 2]
    found = assembled(text).tessellate({"SV_PrimitiveID": [5, 6]})
    assert found[name].view("<u4").tolist() == [5, 6]
    text = domain("utof o0.x, vPrim", "dcl_input vPrim", "dcl_output o0.x")
    made = assembled(text).evaluate(np.zeros((2, 3), "f4"), {"SV_PrimitiveID": [5, 6]})
    assert [array.tolist() for array in made.values()] == [[[5, 5], [6, 6]]]


def test_control_points_of_other_number() -> None:
    text = hull(
        POINTS + "mov o0.x, v[1][0].x\nret", FORK.format(1) + "mov o0.x, vicp[0][0].x\nret", given=3
    ).replace("dcl_input vForkInstanceID", "dcl_input vForkInstanceID\ndcl_input vicp[2][0].x")
    found = assembled(text).tessellate({"TEXCOORD": np.array([[1, 2], [3, 4]], "f4")})
    assert found.control_points["TEXCOORD"].tolist() == [[2, 2, 2], [4, 4, 4]]
    first = next(iter(found.patch_constants.values()))
    assert first.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("where", "points", "constants", "words"),
    [
        ([[0, 0]], {}, {}, r"missing input POSITION float32 \(n, 4, 3\)"),
        ([[0]], {"POSITION": CORNERS}, {}, r"\(points, 2\) .* got 1 of 2 components"),
        ([0, 0], {"POSITION": CORNERS}, {}, r"domain points: expected \(points, 2\) or \(patches"),
        ([["a", "b"]], {"POSITION": CORNERS}, {}, "domain points: expected"),
        ([[0, 0]], {"POSITION": CORNERS[:, :3]}, {}, r"POSITION: expected \(1, 4, 3\) float32"),
        ([[0, 0]], {"POSITON": CORNERS}, {}, "did you mean POSITION"),
        (
            np.zeros((2, 5, 2)), {"POSITION": CORNERS}, {"SV_TessFactor": [1, 2, 3]},
            "numbers of patches differ: control points 1, patch constants 3, domain points",
        ),
    ],
)  # fmt: skip
def test_refusals_name_the_expected_value(
    where: Any, points: dict[str, Any], constants: dict[str, Any], words: str
) -> None:
    with pytest.raises(unshade.UsageError, match=words):
        kernel("sheet.d.dxbc").evaluate(where, points, constants, **CAMERA)


def test_refusals_of_hull_shaders() -> None:
    with pytest.raises(unshade.UsageError, match="no arrays of control points: expected POSITION"):
        kernel("sheet.h.dxbc").tessellate({}, density=1.0)
    with pytest.raises(unshade.UsageError, match=r"Division.* is not bound"):
        kernel("sheet.h.dxbc").tessellate({"POSITION": CORNERS})
    with pytest.raises(
        unshade.UsageError, match=r"expand\(\): expected a geometry .* use tessellate"
    ):
        kernel("sheet.h.dxbc").expand(1)


def test_vectors_of_these_stages() -> None:
    vector = Vector(
        {"SV_TessFactor1": [4], "POSITION": CORNERS},
        {"density": 1.0}, inputs={"POSITION": CORNERS.tolist()},
    )  # fmt: skip
    vector.check(kernel("sheet.h.dxbc"))
    inputs = {"POSITION": CORNERS.tolist(), "vDomain": [[0, 0]], "SV_TessFactor": [1]}
    vector = Vector(
        {"SV_Position": [[[0, 0, 0, 1]]]}, {"view_projection": IDENTITY, "height": 1}, inputs=inputs
    )
    vector.check(kernel("sheet.d.dxbc"))


def test_the_debugger_goes_through_the_phases() -> None:
    debugger = kernel("sheet.h.dxbc").debug(1)
    debugger.tessellate({"POSITION": np.concatenate([CORNERS, CORNERS])}, density=1.0)
    assert debugger.findings == []
    written = [
        (register.name, register.as_float)
        for entry in debugger.trace.entries
        for register in entry.writes
        if register.name.startswith("vpc")
    ]
    assert written == [
        ("vpc[0][0].x", 2), ("vpc[0][1].x", 4), ("vpc[0][2].x", 2), ("vpc[0][3].x", 4),
        ("vpc[0][4].x", 4), ("vpc[0][5].x", 2),
    ]  # fmt: skip
    debugger = kernel("sheet.d.dxbc").debug((1, 2))
    debugger.evaluate(
        [[0, 0], [1, 0], [0.5, 0.5]], {"POSITION": np.concatenate([CORNERS, 2 * CORNERS])}, **CAMERA
    )
    held = debugger.trace.registers(1 << 20)
    assert [held[f"o0.{letter}"].as_float for letter in "xyzw"] == [4, 1, 2, 1]


def test_a_patch_constant_with_the_semantic_of_a_control_point() -> None:
    both = assembled(TWO_COLORS)
    assert [row.label for row in both.patch_constants if row.needed] == ["patch:COLOR"]
    assert both.patch_constants["color"] is both.patch_constants["patch:COLOR"]
    assert [row.label for row in both.inputs] == ["COLOR"]
    inputs = {"COLOR": [[[1, 2]]], "patch:COLOR": [[3, 4]], both.program.domain_label: [[0, 0]]}
    assert over(both, inputs, {})["COLOR"].tolist() == [[[1, 2, 3, 4]]]
    made = both.evaluate([[0, 0]], {"COLOR": [[[1, 2]]]}, {"COLOR": [[3, 4]]})
    assert made["COLOR"].tolist() == [[[1, 2, 3, 4]]]
    with pytest.raises(unshade.UsageError, match="missing input patch:COLOR"):
        both.evaluate([[0, 0]], {"COLOR": [[[1, 2]]]})
