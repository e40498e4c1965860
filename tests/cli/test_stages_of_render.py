"""`render` with the stages between vertex and pixel shader."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unshade
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
