"""Inputs without names get what the shader uses them for."""

from __future__ import annotations

import numpy as np

import unshade
from unshade.isa.source import Source
from unshade.run.camera.camera import Camera
from unshade.run.camera.finding import find_camera
from unshade.run.camera.guesses import Guesses
from unshade.run.camera.uses_of_inputs import uses_of_inputs
from unshade.run.kernels import Kernel
from unshade.run.meshes.inputs import nameless_inputs
from unshade.run.meshes.mesh import read_mesh

MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\nf 1/1/1 2/2/1 3/3/1\n"
SHADER = """.fvec projection[4]
.out outpos position
.out outuv texcoord0
.out outquat normalquat
.proc main
dp4 outpos.x, projection[0], v2
dp4 outpos.y, projection[1], v2
dp4 outpos.z, projection[2], v2
dp4 outpos.w, projection[3], v2
mov outuv, v0
mov outquat, v1
end
.end"""


def kernel(text: str = SHADER) -> Kernel:
    return unshade.kernel(unshade.assemble([Source(text, "a.v.pica")], "shbin"))


def test_uses() -> None:
    vertex = kernel()
    rows = nameless_inputs(vertex.inputs, {})
    assert [row.label for row in rows] == ["v0", "v1", "v2"]
    assert uses_of_inputs(vertex, rows) == {"v0": "uv", "v1": "normal", "v2": "position"}
    assert nameless_inputs(vertex.inputs, {"v0": "uv", "v1": "normal"}) == []  # one is left


def test_what_outputs_do_not_tell() -> None:
    plain = SHADER.replace("outuv texcoord0", "outuv color").replace("normalquat", "view")
    vertex = kernel(plain)
    assert uses_of_inputs(vertex, nameless_inputs(vertex.inputs, {})) == {}


def test_a_mesh_gets_them() -> None:
    mesh = read_mesh(MESH)
    guesses = Guesses((8, 8), 0.0)
    guesses.camera = Camera.around([0.3, 0.3, 0], 1.0, 1.0)
    found = find_camera(kernel(), {}, mesh, guesses)
    assert np.array_equal(found["v2"][:, :3], mesh.position)
    assert np.array_equal(found["v1"][:, :3], mesh.normal)
    assert np.array_equal(found["v0"][:, 0], mesh.uv[:, 0])
    chosen = find_camera(kernel(), {}, mesh, guesses, {"v0": "normal"})
    assert np.array_equal(chosen["v0"][:, :3], mesh.normal)
