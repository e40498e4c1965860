"""Matrices of vertex shaders: names propose, positions decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from unshade.isa.source import Source
from unshade.model import SystemValue
from unshade.run.camera.camera import Camera
from unshade.run.camera.finding import find_camera
from unshade.run.camera.guesses import Guesses
from unshade.run.camera.layout import CAMERA
from unshade.run.camera.names import MatrixRole
from unshade.run.kernels import Kernel
from unshade.run.raster import read_mesh

TETRAHEDRON = read_mesh(
    "v 0 1 0\nv 1 -1 0.5\nv -1 -1 0.5\nv 0 -1 -1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n"
)
WHOLE = MatrixRole(CAMERA)


def pica(body: str, *uniforms: str) -> Kernel:
    declared = "\n".join(f".fvec {each}" for each in uniforms)
    text = f"{declared}\n.out pos position\n.out col color\n.proc main\n{body}\nend\n.end"
    shader = unshade.assemble([Source(text, "a.v.pica")], "shbin")
    return unshade.kernel(shader, engine="lockstep")


def rows(name: str, source: str, target: str, swizzle: str = "") -> str:
    return "\n".join(
        f"dp4 {target}.{letter}, {name}[{at}]{swizzle}, {source}"
        for at, letter in enumerate("xyzw")
    )


def dxbc(body: str, size: int) -> Kernel:
    text = f"""vs_5_0
dcl_constantbuffer CB0[{size}], immediateIndexed
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 2
{body}
ret
"""
    return unshade.kernel(unshade.assemble(text, "dxcontainer"), engine="lockstep")


def found(kernel: Kernel, given: dict[str, Any] | None = None, **camera: Any) -> Guesses:
    """Return the guesses; the positions of a shader that is drawn are the camera's."""
    least = kernel.program.declared.least_depth
    guesses = Guesses((64, 64), camera=Camera.around(*TETRAHEDRON.bounds, 1.0))
    assert guesses.camera is not None
    guesses.camera.least_depth = least
    for name, value in camera.items():
        setattr(guesses.camera, name, value)
    inputs = find_camera(kernel, given or {}, TETRAHEDRON, guesses)
    row = kernel.outputs.by_meaning(SystemValue.POSITION)
    assert row is not None
    bound = guesses.constants(kernel, given or {})
    positions = kernel.transform(inputs, bound)[row.label]
    points = np.concatenate([TETRAHEDRON.position, np.ones((4, 1))], axis=1)
    wanted = points @ guesses.camera.matrix(WHOLE)
    with np.errstate(all="ignore"):
        places = positions / positions[:, 3:], wanted / wanted[:, 3:]
    guesses.reasons.append("drawn" if np.allclose(*places, atol=2e-3) else "elsewhere")
    return guesses


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (("projection",), "camera: view and projection from projection"),
        (("modelView",), "camera: view and projection from modelView"),
        (("transform",), "camera: view and projection from transform"),
        (("mdlvMtx", "projMtx"), "camera: view from mdlvMtx, projection from projMtx"),
        (("model", "view", "proj"), "camera: view from view, projection from proj"),
        (("world", "viewProj"), "camera: view and projection from viewProj"),
        (("stuff", "projection"), "camera: view and projection from projection"),
    ],
)
def test_chains_of_matrices(names: tuple[str, ...], line: str) -> None:
    body = "mov r0.xyz, v0\nmov r0.w, ones\n"
    for at, name in enumerate(names):
        body += rows(name, f"r{at}", f"r{at + 1}") + "\n"
    body += f"mov pos, r{len(names)}\nmov col, ones"
    kernel = pica(body, *(f"{each}[4]" for each in names), "ones")
    guesses = found(kernel, {"ones": [1, 1, 1, 1]})
    assert guesses.reasons == ["drawn"]
    assert guesses.camera_line == line


def test_components_in_reverse_order() -> None:
    kernel = pica(rows("projection", "v0", "pos", ".wzyx") + "\nmov col, v0", "projection[4]")
    guesses = found(kernel)
    assert guesses.camera_line == "camera: view and projection (as wzyx) from projection"
    assert guesses.reasons == ["drawn"]


def test_three_rows_are_enough_for_a_view() -> None:
    view = "\n".join(rows("modelView", "v0", "r0").splitlines()[:3])
    body = f"mov r0, v0\n{view}\n{rows('projection', 'r0', 'pos')}\nmov col, v0"
    guesses = found(pica(body, "modelView[3]", "projection[4]"))
    assert guesses.reasons == ["drawn"]
    assert guesses.camera_line == "camera: view from modelView, projection from projection"


def test_registers_without_names() -> None:
    view = "\n".join(f"dp4 r0.{letter}, c{5 + at}, v0" for at, letter in enumerate("xyzw"))
    last = "\n".join(f"dp4 pos.{letter}, c{at}, r0" for at, letter in enumerate("xyzw"))
    guesses = found(pica(f"{view}\n{last}\nmul col, c4, v0"))
    assert guesses.camera_line == "camera: view and projection from c0 to c3"
    assert guesses.reasons == ["drawn"]


def test_a_stripped_constant_buffer_by_dot_products() -> None:
    body = "\n".join(
        f"dp4 o0.{letter}, v0.xyzw, cb0[{at}].xyzw" for at, letter in enumerate("xyzw", 4)
    )
    guesses = found(dxbc(body, 9))
    assert guesses.camera_line == "camera: view and projection from cb0[4] to cb0[7]"
    assert guesses.reasons == ["drawn"]


def test_a_stripped_constant_buffer_by_sums_of_rows() -> None:
    body = """mul r0.xyzw, v0.yyyy, cb0[2].xyzw
mad r0.xyzw, v0.xxxx, cb0[1].xyzw, r0.xyzw
mad r0.xyzw, v0.zzzz, cb0[3].xyzw, r0.xyzw
mad o0.xyzw, v0.wwww, cb0[4].xyzw, r0.xyzw"""
    guesses = found(dxbc(body, 5))
    assert guesses.camera_line == "camera: view and projection from cb0[1] to cb0[4]"
    assert guesses.reasons == ["drawn"]


def test_a_variable_that_is_0_and_leaves_nothing_in_view_is_1() -> None:
    body = f"mul r0, size, v0\nmov r0.w, v0.w\n{rows('mvp', 'r0', 'pos')}\nmov col, v0"
    guesses = found(pica(body, "mvp[4]", "size"))
    assert "size is 1, since no vertex is in view with 0" in guesses.camera_line
    assert guesses.reasons == ["drawn"]


def test_names_of_scales_are_1() -> None:
    body = f"mul r0, scale, v0\n{rows('mvp', 'r0', 'pos')}\nmov col, v0"
    guesses = found(pica(body, "mvp[4]", "scale"))
    assert guesses.camera_line == "camera: view and projection from mvp"
    assert guesses.reasons == ["drawn"]


def test_the_input_that_is_the_position() -> None:
    guesses = found(pica(f"{rows('mvp', 'v1', 'pos')}\nmov col, v0", "mvp[4]"))
    assert guesses.camera_line == "camera: view and projection from mvp, position as v1"
    assert guesses.reasons == ["drawn"]


def test_vertices_of_a_shader_without_a_matrix_are_placed() -> None:
    body = """.setf c95(0.01, -1.0, 0.0, 1.0)
.out pos position
.out col color
.proc main
mov r1, c95
mul r0, r1.x, v0
add pos.xyz, r1.yyyy, r0
mov pos.w, r1.w
mov col, v0
end
.end"""
    shader = unshade.assemble([Source(body, "a.v.pica")], "shbin")
    guesses = found(unshade.kernel(shader, engine="lockstep"))
    assert guesses.camera_line == "camera: in the vertices, since no matrix moves v0"
    assert guesses.reasons == ["drawn"]


def test_values_that_are_given_are_kept() -> None:
    kernel = pica(rows("projection", "v0", "pos") + "\nmov col, v0", "projection[4]")
    guesses = found(kernel, {"projection": np.eye(4, dtype=np.float32)})
    assert guesses.reasons[-1] == "elsewhere"
    assert guesses.camera_line == ""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("mov pos, zero\nmov col, v0", "the position of every vertex is 0"),
        ("mov pos, zero.wzyx\nmov col, v0", "the position of every vertex is (2, 0, 0, 0)"),
    ],
)
def test_reasons_why_nothing_is_in_view(body: str, reason: str) -> None:
    value = [0, 0, 0, 2] if "wzyx" in body else [0, 0, 0, 0]
    guesses = found(pica(body, "zero"), {"zero": value})
    assert guesses.reasons[0] == reason
