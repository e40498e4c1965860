"""Messages of `unshade render`: on folders, on files, on images that show nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.fixtures.containers import container
from unshade.cli import main

EXAMPLES = REPOSITORY / "examples"
CUBE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
TABLES = """\
// Buffer Definitions:
//
// cbuffer C
// {{
//   {declaration:<34} // Offset:    0 Size:{size:>6}
// }}
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// C                                 cbuffer      NA          NA            cb0      1
"""
MATRIX = TABLES.format(declaration="row_major float4x4 turned;", size=64)
IDENTITY = "turned=[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]"
TINT = TABLES.format(declaration="float4 tint;", size=16)
VERTEX = """\
vs_5_0
dcl_constantbuffer CB0[4], immediateIndexed
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dp4 o0.x, v0.xyzw, cb0[0].xyzw
mov o0.yzw, v0.yyzw
add o0.z, v0.z, l(PLACE)
ret
"""
PIXEL = """\
ps_5_0
dcl_constantbuffer CB0[1], immediateIndexed
dcl_resource_texture2d (float,float,float,float) t0
dcl_sampler s0, mode_default
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_temps 1
sample r0.xyzw, v1.xyxx, t0.xyzw, s0
mul o0.xyzw, r0.xyzw, cb0[0].xyzw
ret
"""
CONSTANT = "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(RED, 0, 0, 1.0)\nret\n"
RAMP = "ps_5_0\ndcl_input_ps linear v1.xy\ndcl_output o0.xyzw\nmul o0.xyzw, v1.xyxy, l(HOW)\nret\n"
GONE = "ps_5_0\ndcl_output o0.x\ndiscard_nz l(1)\nmov o0.x, l(1.0)\nret\n"


def made(path: Path, text: str) -> str:
    unshade.assemble(text, "dxcontainer").save(path)
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *line: str, code: int = 0) -> str:
    assert main(["render", *line]) == code
    return capsys.readouterr().err


@pytest.mark.slow
def test_pixel_shaders_of_a_folder_are_rendered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, pictures = tmp_path / "shaders", tmp_path / "pictures"
    folder.mkdir()
    made(folder / "a.pso", RAMP.replace("HOW", "1.0, 1.0, 1.0, 1.0"))
    made(folder / "b.vso", VERTEX.replace("PLACE", "0"))
    (folder / "c.txt").write_text("no shader")
    vertex, pixel = bytes([0x60, 0, 1, 0, 2, 0, 0, 0]), bytes([0x60, 0, 0, 0, 2, 0, 0, 0])
    (folder / "d.dxil").write_bytes(container([("DXIL", vertex)]))
    (folder / "e.shbin").write_bytes((EXAMPLES / "reverse.shbin").read_bytes())
    made(folder / "g.pso", PIXEL)
    err = said(capsys, str(folder), "-o", str(pictures), "--size", "4")
    assert sorted(each.name for each in pictures.iterdir()) == ["a.png", "g.png"]
    assert err.splitlines() == [
        f"unshade: {folder / 'g.pso'}: every pixel is (0, 0, 0); not given: cb0 is 0, t0 is white,"
        " TEXCOORD1 from 0 to 1 over the picture",
        "unshade: 2 files: 2 fine; skipped 4 files that are not pixel shaders",
    ]
    (folder / "h.dxil").write_bytes(container([("DXIL", pixel)]))
    (folder / "i.pso").write_bytes((folder / "a.pso").read_bytes()[:90])  # who knows what it is
    err = said(capsys, str(folder), "-o", str(pictures), "--size", "4", code=3)
    assert f"unshade: {folder / 'h.dxil'}: at 0x2c, DXIL: expected a header of 24 bytes" in err
    assert f"unshade: {folder / 'i.pso'}: " in err
    assert "4 files: 2 fine, 2 malformed; skipped 4 files that are not" in err
    for name in ("a.pso", "g.pso", "h.dxil", "i.pso"):
        (folder / name).unlink()
    err = said(capsys, str(folder), "-o", str(pictures), code=2)
    skipped = "skipped 4 files that are not pixel shaders"
    assert err == f"unshade: no pixel shaders found in {folder}; {skipped}\n"


def test_a_named_file_must_be_a_pixel_shader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vertex = made(tmp_path / "b.vso", VERTEX.replace("PLACE", "0"))
    err = said(capsys, vertex, "-o", str(tmp_path / "x.png"), code=2)
    assert err.startswith(f"unshade: {vertex}: expected a pixel shader, got a")


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("text", "output", "message"),
    [
        (CONSTANT.replace("RED", "0.5"), "x.npy", "every pixel is (0.5, 0, 0, 1)"),
        (CONSTANT.replace("RED", "0.5"), "x.png", "every pixel is (0.5, 0, 0)"),
        (CONSTANT.replace("RED", "nan"), "x.npy", "every pixel is (nan, 0, 0, 1)"),
        (TINT + PIXEL, "x.png", "every pixel is (0, 0, 0); not given: tint is 0, t0 is white,"
         " TEXCOORD1 from 0 to 1 over the picture"),
        (RAMP.replace("HOW", "1.0, 1.0, 1.0, 1.0"), "x.png", ""),
        (RAMP.replace("HOW", "0.001, 0.001, 0.001, 1.0"), "x.npy", ""),
        (RAMP.replace("HOW", "0.001, 0.001, 0.001, 1.0"), "x.png",
         "every pixel is (0, 0, 0) in 8 bits; not given: TEXCOORD1 from 0 to 1 over the picture"),
        (GONE, "x.npy", "every pixel is discarded"),
    ],
)  # fmt: skip
def test_an_image_of_one_colour_is_reported(
    text: str, output: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pixel, out = made(tmp_path / "ps.cso", text), str(tmp_path / output)
    found = said(capsys, pixel, "-o", out, "--size", "4")
    assert found == (f"unshade: {pixel}: {message}\n" if message else "")


def test_given_values_are_not_listed_as_defaults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pixel, out = made(tmp_path / "ps.cso", TINT + PIXEL), str(tmp_path / "x.npy")
    line = (pixel, "-o", out, "--size", "4", "--bind", "t0=ones(1,1,4)")
    found = said(capsys, *line, "--set", "tint=0,0,0,1", "--bind", "TEXCOORD1=zeros(2)")
    assert found == f"unshade: {pixel}: every pixel is (0, 0, 0, 1)\n"
    found = said(capsys, *line, "--size", "1")  # one pixel has one colour
    assert found == f"unshade: {pixel}: not given: tint is 0\n"


@pytest.mark.slow
def test_a_mesh_out_of_view(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mesh = tmp_path / "mesh.obj"
    mesh.write_text(CUBE)
    vertex = made(tmp_path / "vs.cso", MATRIX + VERTEX.replace("PLACE", "9.0"))
    pixel = made(tmp_path / "ps.cso", CONSTANT.replace("RED", "1.0"))
    line = ["--vs", vertex, "--ps", pixel, "--mesh", str(mesh), "--size", "8",
            "-o", str(tmp_path / "x.png")]  # fmt: skip
    message = "camera: in the vertices, since no matrix moves TEXCOORD"
    assert said(capsys, *line) == f"unshade: {pixel}: {message}\n"
    message = "no pixel is covered"
    assert said(capsys, *line, "--set", IDENTITY) == f"unshade: {pixel}: {message}\n"
    made(tmp_path / "vs.cso", MATRIX.replace("turned", "gWVP  ") + VERTEX.replace("PLACE", "9.0"))
    found = "camera: view and projection from gWVP"
    message = "no pixel is covered; not given: gWVP is the camera"
    assert said(capsys, *line) == f"unshade: {pixel}: {found}\nunshade: {pixel}: {message}\n"
    made(tmp_path / "vs.cso", MATRIX + VERTEX.replace("PLACE", "0"))
    assert said(capsys, *line) == ""


ODD = """\
ps_5_0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 1
lt r0.x, v0.x, l(LIMIT)
movc o0.xyzw, r0.xxxx, l(VALUE, 0, 0, 1.0), l(0.5, v0, 0, 1.0)
ret
"""


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("limit", "bits", "expected"),
    [
        ("1.0", "0x7fc00000", "4 pixels are NaN"),
        ("1.0", "0xff800000", "4 pixels are infinite"),
        ("0.0", "0x7fc00000", ""),
        ("9.0", "0x7fc00000", "every pixel is (nan, 0, 0)"),
    ],
)
def test_pixels_that_are_no_colours_are_counted(
    limit: str, bits: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A picture shows a NaN as black, which looks like a colour."""
    text = ODD.replace("LIMIT", limit).replace("VALUE", bits).replace("v0, 0, 1.0", "0.25, 0, 1.0")
    path = made(tmp_path / "a.pso", text)
    err = said(capsys, path, "-o", str(tmp_path / "a.png"), "--size", "4")
    if limit == "0.0":
        expected = "every pixel is (0.5, 0.25, 0)"
    assert err == f"unshade: {path}: {expected}\n"
