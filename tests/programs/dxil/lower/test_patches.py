"""Hull and domain shaders: control points, patch constants, points in the patch.

Sources: microsoft/DirectXShaderCompiler, docs/DXIL.rst; Direct3D 11.3 functional specification,
sections 10 and 12.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.ir import running
from tests.programs.dxil.lower.points import bits, memory, shader
from unshade.errors import UnsupportedError

HULL = """
  %id = call i32 @dx.op.outputControlPointID.i32(i32 107)
  %p = add i32 %id, 1
  %x = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 %p)
  %x1 = fadd fast float %x, 1.0
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 3, float %x1)
  %y = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 %id, i8 1, i32 0)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 %id, i8 0, float %y)"""
CONSTANTS = """
define void @patch() {
  %a = call float @dx.op.loadOutputControlPoint.f32(i32 103, i32 0, i32 0, i8 3, i32 1)
  %d = call float @dx.op.loadOutputControlPoint.f32(i32 103, i32 1, i32 1, i8 0, i32 1)
  call void @dx.op.storePatchConstant.f32(i32 106, i32 0, i32 0, i8 1, float %a)
  %b = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 0, i8 1)
  %c = fsub fast float %d, %b
  call void @dx.op.storePatchConstant.f32(i32 106, i32 0, i32 0, i8 0, float %c)
  ret void
}
"""
PROPERTIES = "void ()* @patch, i32 {}, i32 {}, i32 2, i32 3, i32 3, float 6.400000e+01"


@pytest.mark.slow
def test_a_hull_shader_runs_for_each_control_point_then_for_the_patch() -> None:
    kernel = shader("hs", HULL, PROPERTIES.format(3, 2), CONSTANTS)
    taken = np.arange(2 * 3 * 3 * 4, dtype="<f4").reshape(2, 3, 3, 4)  # patch, point, register
    found = running.run(
        kernel,
        memories={
            "v": taken.reshape(-1).view("<u4"), "vocp": memory(4, 3), "vpc": memory(2, 1),
        },
        items=2,
    ).memories  # fmt: skip
    given: dict[tuple[int, int, int], float] = {}
    constants: dict[tuple[int, int, int], float] = {}
    for patch in range(2):
        for point in range(2):
            given[2 * patch + point, 0, 3] = taken[patch, point + 1, 0, 2] + 1
            given[2 * patch + point, 1 + point, 1] = taken[patch, 0, 1 + point, 1]
        last = given[2 * patch + 1, 0, 3]
        constants[patch, 0, 1] = last
        constants[patch, 0, 0] = given[2 * patch + 1, 2, 1] - last
    assert found["vocp"].tolist() == memory(4, 3, given).tolist()
    assert found["vpc"].tolist() == memory(2, 1, constants).tolist()


@pytest.mark.parametrize(("taken", "given"), [(33, 2), (2, 33)])
def test_more_control_points_than_a_patch_has_are_refused(taken: int, given: int) -> None:
    with pytest.raises(UnsupportedError, match="expected at most 32 control points, got 33"):
        shader("hs", HULL, PROPERTIES.format(taken, given), CONSTANTS)
    with pytest.raises(UnsupportedError, match="expected at most 32 control points, got 33"):
        shader("ds", DOMAIN, "i32 2, i32 33")


DOMAIN = """
  %u = call float @dx.op.domainLocation.f32(i32 105, i8 0)
  %v = call float @dx.op.domainLocation.f32(i32 105, i8 1)
  %x = call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 2, i32 1)
  %y = call float @dx.op.loadInput.f32(i32 4, i32 1, i32 1, i8 1, i32 2)
  %e = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 0, i8 1)
  %m = fmul fast float %u, %x
  %s = fadd fast float %m, %e
  %t = fmul fast float %v, %y
  call void @dx.op.storeOutput.f32(i32 5, i32 0, i32 0, i8 2, float %s)
  call void @dx.op.storeOutput.f32(i32 5, i32 1, i32 1, i8 0, float %t)"""


@pytest.mark.slow
def test_a_domain_shader_has_the_points_of_its_patch() -> None:
    kernel = shader("ds", DOMAIN, "i32 2, i32 3")
    assert [each.name for each in kernel.kernel.inputs] == [
        "patch", "SV_DomainLocation.x", "SV_DomainLocation.y",
    ]  # fmt: skip
    taken = np.arange(2 * 3 * 3 * 4, dtype="<f4").reshape(2, 3, 3, 4)
    constants = np.arange(100, 108, dtype="<f4").reshape(2, 4)
    patch, u, v = [1, 0, 1], [0.5, 2.0, 0.0], [1.0, 0.25, 3.0]
    found = running.run(
        kernel,
        memories={
            "vicp": taken.reshape(-1).view("<u4"), "vpc": constants.reshape(-1).view("<u4"),
        },
        inputs={
            "patch": np.array(patch, "<u4"),
            "SV_DomainLocation.x": np.array(u, "<f4").view("<u4"),
            "SV_DomainLocation.y": np.array(v, "<f4").view("<u4"),
        },
        items=3,
    ).outputs  # fmt: skip
    sums = [a * taken[at, 1, 0, 2] + constants[at, 1] for at, a in zip(patch, u, strict=True)]
    products = [a * taken[at, 2, 2, 1] for at, a in zip(patch, v, strict=True)]
    assert found["o0.z"].tolist() == bits(*sums)
    assert found["o2.y"].tolist() == bits(*products)


@pytest.mark.parametrize("component", [3, 8, 255])
def test_a_component_that_no_point_of_a_patch_has_is_refused(component: int) -> None:
    """The first one is beyond a triangle's; sources have no letter for the others."""
    with pytest.raises(UnsupportedError, match=r"DomainLocation: expected component 0 to 2, got"):
        shader("ds", DOMAIN.replace("i32 105, i8 1", f"i32 105, i8 {component}"), "i32 2, i32 3")


@pytest.mark.parametrize(("stage", "word"), [("gs", "geometry"), ("hs", "hull"), ("ds", "domain")])
def test_a_stage_without_its_properties_is_refused(stage: str, word: str) -> None:
    with pytest.raises(UnsupportedError, match=f"a {word} shader without its properties cannot"):
        shader(stage, "", "", tag=4)
