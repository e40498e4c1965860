"""Names of inputs among the values of --bind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import unshade
from tests.examples import EXAMPLES

CLAY = EXAMPLES / "clay.vert.spv"
PIXEL = """ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
exp o0.xyzw, v1.xyzw
ret
"""


@pytest.fixture
def unlisted(tmp_path: Path) -> Path:
    """A pixel shader whose only input is in no signature."""
    path = tmp_path / "e.asm"
    path.write_text(PIXEL)
    return path


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("position", "did you mean inPosition?"),
        ("quux", "known: inPosition, inNormal, view, viewProjection"),
    ],
)
def test_inputs_are_listed_and_suggested(name: str, hint: str) -> None:
    ran = unshade("run", CLAY, "--bind", f"{name}=1,2,3")
    assert ran.code == 2
    assert ran.err == f"unshade: {CLAY}: unknown name {name!r}; {hint}\n"


def test_an_input_is_suggested_where_nothing_is_bound(unlisted: Path) -> None:
    ran = unshade("run", unlisted, "--bind", "TEXCOORD=1")
    assert (ran.code, ran.err.partition(": ")[2]) == (
        2, f"{unlisted}: unknown name 'TEXCOORD'; did you mean TEXCOORD1?\n",
    )  # fmt: skip


def test_every_spelling_of_an_input_is_known(unlisted: Path) -> None:
    ran = unshade("run", unlisted, "--bind", "texcoord1=[[1,2,3,4]]")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "SV_Target  float32 (1, 4)  2 4 8 16")


def test_inputs_of_a_vertex_shader_are_attributes_of_a_mesh(tmp_path: Path) -> None:
    mesh = tmp_path / "m.obj"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    ran = unshade("render", EXAMPLES / "clay.frag.spv", "--vs", CLAY, "--mesh", mesh,
                  "--bind", "inPosition=1,2,3", "-o", tmp_path / "m.png")  # fmt: skip
    assert ran.code == 2
    assert "inPosition is an input of the vertex shader: give --attribute inPosition=…" in ran.err
