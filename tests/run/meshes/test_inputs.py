"""Inputs of vertex shaders from a mesh."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from tests.run.examples import kernel
from unshade import UsageError
from unshade.ir.memory import Port
from unshade.ir.types import I32
from unshade.run.meshes.inputs import mesh_inputs
from unshade.run.meshes.mesh import tangents
from unshade.run.raster import Mesh, read_mesh
from unshade.run.runner import Runner
from unshade.run.signature import KernelSignature, SignatureRow
from unshade.vocab.slots import Direction, PortSlot, Rate

TRIANGLE = read_mesh("v 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 1 1\nf 1/1 2/2 3/2\n")


def test_attributes_follow_semantics_and_options() -> None:
    silent: list[str] = []
    chosen = {"TEXCOORD3": "1,0,0,0", "TEXCOORD4_1": "normal"}
    found = mesh_inputs(kernel("skinning.dxbc").inputs, TRIANGLE, chosen, silent)
    assert found["TEXCOORD0"].tolist() == TRIANGLE.position.tolist()
    assert found["TEXCOORD1"].tolist() == [[0, 0, 1]] * 3
    assert found["TEXCOORD3"].tolist() == [[1, 0, 0, 0]] * 3
    assert found["TEXCOORD4_1"].tolist() == [[0, 0, 1, 0]] * 3
    assert found["TEXCOORD4_0"][1].tolist() == [1, 0, 0, 0]  # uv: rows of a texture run down
    assert "TEXCOORD2 is 0" in silent
    with pytest.raises(
        UsageError, match="position, normal, uv, tangent, colour, or numbers, got 'up'"
    ):
        mesh_inputs(kernel("skinning.dxbc").inputs, TRIANGLE, {"TEXCOORD3": "up"}, silent)


def taking(*inputs: tuple[str, int, int]) -> Runner:
    """Return a vertex shader with inputs: name, location, components; `name1` has index 1."""
    rows = []
    for text, location, count in inputs:
        name = text.rstrip("0123456789")
        index = int(text[len(name) :] or 0)
        places = [PortSlot(Direction.INPUT, Rate.VERTEX, location, at) for at in range(count)]
        ports: list[Port | None] = [Port(f"{text}.{at}", I32) for at in range(count)]
        rows.append(SignatureRow(name, index, ports, np.dtype("<f4"), places=places))
    return cast("Runner", SimpleNamespace(inputs=KernelSignature.of(rows)))


def sources(*inputs: tuple[str, int, int], **given: str) -> dict[str, Any]:
    """Return what the second vertex has in the first component of each input."""
    found = mesh_inputs(taking(*inputs).inputs, TRIANGLE, given, [])
    return {name: array[1].tolist() for name, array in found.items()}


PLACE, NORMAL, UV = [2, 0, 0], [0, 0, 1], [1, 0]


@pytest.mark.parametrize(
    ("position", "normal", "uv", "colour"),
    [
        ("POSITION", "NORMAL", "TEXCOORD", "COLOR"),
        ("inPosition", "inNormal", "inTexCoord", "inColor"),
        ("a_pos", "a_nrm", "a_uv", "a_colour"),
        ("positionOS", "normalOS", "uv", "vertexColor"),
        ("in.var.POSITION", "in.var.NORMAL", "in.var.TEXCOORD", "in.var.COLOR"),
        ("p", "n", "st", "c"),
    ],
)
def test_inputs_are_known_by_common_spellings(
    position: str, normal: str, uv: str, colour: str
) -> None:
    rows = (colour, 0, 4), (uv, 1, 2), (normal, 2, 3), (position, 3, 3)
    assert sources(*rows) == {colour: [1] * 4, uv: UV, normal: NORMAL, position: PLACE}


def test_without_a_name_the_order_of_locations_counts() -> None:
    found = sources(("third", 2, 2), ("second", 1, 3), ("first", 0, 3))
    assert found == {"first": PLACE, "second": NORMAL, "third": UV}
    found = sources(("first", 0, 3), ("second", 1, 2), ("third", 3, 3))
    assert found == {"first": PLACE, "second": UV, "third": NORMAL}
    found = sources(("TEXCOORD0", 0, 3), ("TEXCOORD1", 1, 3))
    assert found == {"TEXCOORD": PLACE, "TEXCOORD1": NORMAL}
    found = sources(("first", 0, 3), ("nrm", 1, 3), ("third", 2, 2))
    assert found == {"first": PLACE, "nrm": NORMAL, "third": UV}


def test_given_sources_come_first() -> None:
    found = sources(("pos", 0, 3), ("offset", 1, 3), pos="normal", offset="position")
    assert found == {"pos": NORMAL, "offset": PLACE}


def test_a_matrix_is_the_identity() -> None:
    rows = [(f"instance{at}", at + 1, 4) for at in range(4)]
    found = sources(("pos", 0, 3), *rows)
    assert [found[name] for name in found if name != "pos"] == np.eye(4).tolist()
    assert sources(("pos", 0, 3), *rows[:3])["instance1"] == [0, 0, 0, 0]


def test_tangents_follow_the_texture_coordinates() -> None:
    """u grows along y in the second mesh, and its v, which runs up, along x: a mirror image."""
    plain = read_mesh("v 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n")
    assert tangents(plain).tolist() == [[1, 0, 0, 1]] * 3
    turned = read_mesh("v 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 0 1\nvt 1 0\nf 1/1 2/2 3/3\n")
    assert tangents(turned).tolist() == [[0, 1, 0, -1]] * 3
    none = read_mesh("v 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\n")
    assert np.abs((tangents(none)[:, :3] * none.normal).sum(axis=1)).max() < 1e-6
    assert np.linalg.norm(tangents(none)[:, :3], axis=1) == pytest.approx([1, 1, 1])
    sloped = read_mesh("v 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 2 3\n")  # of no axis
    assert np.abs((tangents(sloped)[:, :3] * sloped.normal).sum(axis=1)).max() < 1e-6
    assert np.linalg.norm(tangents(sloped)[:, :3], axis=1) == pytest.approx([1, 1, 1])


def test_colours_and_tangents_of_the_mesh() -> None:
    colour = np.array([[1, 0, 0, 1], [0, 1, 0, 0.5], [0, 0, 1, 0]], np.float32)
    mesh = Mesh(TRIANGLE.position, TRIANGLE.normal, TRIANGLE.uv, TRIANGLE.triangles, colour,
                np.array([[0, 1, 0, -1]] * 3, np.float32))  # fmt: skip
    runner = taking(("POSITION", 0, 3), ("COLOR", 1, 4), ("TANGENT", 2, 4), ("X", 3, 3))
    silent: list[str] = []
    found = mesh_inputs(runner.inputs, mesh, {"X": "colour"}, silent)
    assert found["COLOR"].tolist() == colour.tolist()
    assert found["X"].tolist() == colour[:, :3].tolist()
    assert found["TANGENT"].tolist() == [[0, 1, 0, -1]] * 3
    assert silent == []
    made = mesh_inputs(runner.inputs, TRIANGLE, {"X": "tangent"}, silent)
    assert made["TANGENT"].tolist() == tangents(TRIANGLE).tolist()
