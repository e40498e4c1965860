"""`render` with the stages between vertex and pixel shader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.cli import main

SQUARE = "v -1 -1 0\nv 1 -1 0\nv -1 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n"
VERTEX = """\
vs_5_0
dcl_input v0.xyz
dcl_output o0.xyzw
mov o0.xyz, v0.xyzx
mov o0.w, l(1.0)
ret
"""
GEOMETRY = """\
gs_5_0
dcl_constantbuffer CB0[1], immediateIndexed
dcl_input v[3][0].xyzw
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_maxout 3
mul o0.xyzw, v[0][0].xyzw, cb0[0].xyzw
emit_stream m0
mul o0.xyzw, v[1][0].xyzw, cb0[0].xyzw
emit_stream m0
mul o0.xyzw, v[2][0].xyzw, cb0[0].xyzw
emit_stream m0
ret
"""
PIXEL = "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 0, 0, 1.0)\nret\n"


def test_a_geometry_shader_of_a_mesh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {}
    for name, text in (("vs", VERTEX), ("gs", GEOMETRY), ("ps", PIXEL)):
        files[name] = str(tmp_path / f"{name}.cso")
        unshade.assemble(text, "dxcontainer").save(files[name])
    (tmp_path / "square.obj").write_text(SQUARE)
    out = tmp_path / "out.npy"
    line = [
        "render", files["ps"], "--vs", files["vs"], "--gs", files["gs"], "--size", "4",
        "--mesh", str(tmp_path / "square.obj"), "-o", str(out),
    ]  # fmt: skip
    np.save(tmp_path / "half.npy", np.array([0.5, 1, 1, 1], "<f4"))
    assert main([*line, "--bind", f"gs:cb0={tmp_path / 'half.npy'}"]) == 0
    drawn = np.load(out)[..., 0]
    assert drawn.tolist() == [[0, 1, 1, 0]] * 4
    assert main(["render", files["ps"], "--gs", files["gs"], "-o", str(out)]) == 2
    assert "--gs needs a mesh" in capsys.readouterr().err


# ---------------------------------------------------------------- SPIR-V


TORUS = ("--mesh", str(EXAMPLES / "torus.obj"), "--size", "24x16", "--engine", "lockstep")


def rendered(out: Path, *line: str) -> Any:
    assert main(["render", *line, *TORUS, "-o", str(out)]) == 0
    return np.load(out)


def test_modules_draw_the_same_alone_and_in_one_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(EXAMPLES / f"clay.{stage}.spv") for stage in ("vert", "frag")]
    packed = str(tmp_path / "clay.vbc")
    assert main(["pack", *names, "-o", packed]) == 0
    alone = rendered(tmp_path / "a.npy", "--vs", names[0], "--ps", names[1])
    assert (alone[..., 3] == 1).sum() > 40
    assert len(np.unique(alone[..., 0])) > 20
    assert (rendered(tmp_path / "b.npy", packed) == alone).all()
    assert (rendered(tmp_path / "c.npy", "--vs", packed, "--ps", packed) == alone).all()
    capsys.readouterr()
    assert main(["render", names[0], *TORUS, "-o", str(tmp_path / "d.png")]) == 0  # the normal
    assert main(["render", names[1], *TORUS, "-o", str(tmp_path / "e.png")]) == 2
    assert "--mesh needs a vertex shader: --vs" in capsys.readouterr().err


def test_a_constant_is_for_each_stage_of_one_file_that_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(EXAMPLES / f"clay.{stage}.spv") for stage in ("vert", "frag")]
    packed = str(tmp_path / "clay.vbc")
    assert main(["pack", *names, "-o", packed]) == 0
    plain = rendered(tmp_path / "a.npy", packed)
    for constant in "SHININESS=2", "0=2", "ps:SHININESS=2":
        changed = rendered(tmp_path / "b.npy", packed, "--constant", constant)
        assert not np.array_equal(changed, plain)
    capsys.readouterr()
    for constant, message in (
        ("NONE=2", "--constant NONE: no stage has this specialisation constant"),
        ("vs:SHININESS=2", "no such specialisation constant: 'SHININESS'"),
    ):
        line = ["render", packed, *TORUS, "--constant", constant, "-o", str(tmp_path / "c.npy")]
        assert main(line) == 2
        assert message in capsys.readouterr().err


@pytest.mark.slow
def test_matrices_of_vulkan_are_for_column_vectors(tmp_path: Path) -> None:
    names = [str(EXAMPLES / f"clay.{stage}.spv") for stage in ("vert", "frag")]
    line = ("--vs", names[0], "--ps", names[1])
    plain = rendered(tmp_path / "a.npy", *line)
    assert (rendered(tmp_path / "b.npy", *line, "--columns") == plain).all()
    assert not (rendered(tmp_path / "c.npy", *line, "--rows") == plain).all()


def test_samples_of_a_module(tmp_path: Path) -> None:
    names = [str(EXAMPLES / f"clay.{stage}.spv") for stage in ("vert", "frag")]
    found = rendered(tmp_path / "a.npy", "--vs", names[0], "--ps", names[1], "--samples", "4")
    assert len(np.unique(found[..., 3])) > 2  # edges are partly covered


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--ms", "x.dxil"), "--ms and --groups must be given together"),
        (("--as", "x.dxil"), "--as needs a mesh shader"),
        (("--ms", "x.dxil", "--groups", "1", "--mesh", "m.obj", "--vs", "v.dxil"), "--mesh cannot"),
    ],
)
def test_options_of_mesh_shaders_that_contradict(
    options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", "p.dxil", *options, "-o", "out.png"]) == 2
    assert message in capsys.readouterr().err


def test_triangles_are_drawn_as_their_edges_and_corners(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vertex = VERTEX.replace("dcl_output o0.xyzw", "dcl_output_siv o0.xyzw, position")
    for name, text in (("vs", vertex), ("ps", PIXEL)):
        unshade.assemble(text, "dxcontainer").save(tmp_path / f"{name}.cso")
    corners = "v -0.9 -0.9 0\nv 0.9 -0.9 0\nv -0.9 0.9 0\nf 1 2 3\n"
    (tmp_path / "corner.obj").write_text(corners)
    line = [
        "render", str(tmp_path / "ps.cso"), "--vs", str(tmp_path / "vs.cso"), "--size", "8",
        "--mesh", str(tmp_path / "corner.obj"), "-o", str(tmp_path / "out.npy"),
    ]  # fmt: skip

    def count(*more: str) -> int:
        assert main([*line, *more]) == 0
        return int(np.load(tmp_path / "out.npy")[..., 0].sum())

    assert count() > count("--fill", "wireframe") > count("--fill", "point") == 3
    # the triangle is counterclockwise on the screen: its front, unless a field is for the other
    assert count("--state", "cullMode=VK_CULL_MODE_FRONT_BIT") == 0
    assert count("--state", "cullMode=front", "--state", "frontFace=clockwise") > 0
    whole = count()
    assert count("--state", "depth_func=greater") == 0
    assert count("--state", "func=equal", "--state", "stencil_ref=1") == 0
    assert count("--blend", "additive", "--state", "write_mask=r") == whole
    assert count("--blend", "additive", "--state", "write_mask=gba") == 0
    assert main([*line, "--state", "depth_bias"]) == 2
    assert "--state: expected FIELD=VALUE, got 'depth_bias'" in capsys.readouterr().err
    assert main(["render", str(tmp_path / "ps.cso"), "--state", "a=b", "-o", "x.png"]) == 2
    assert "--state needs a mesh" in capsys.readouterr().err
