"""The verbs on files of a second format: nothing specific to Direct3D is shown."""

import json
import shutil
from pathlib import Path

import pytest

import unshade as library
from tests.cli.terminal import SAXPY, unshade
from tests.examples import EXAMPLES
from tests.fixtures import shbin
from tests.model.schema_check import violations
from unshade.model import schema
from unshade.overview import schema as info_schema

REVERSE = EXAMPLES / "reverse.shbin"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A file of each kind."""
    made = {}
    for name, data in shbin.one_of_each().items():
        made[name] = tmp_path / f"{name}.bin"
        made[name].write_bytes(data)
    return made


def test_identify(files: dict[str, Path]) -> None:
    shown = unshade("identify", REVERSE).out
    assert shown.endswith("reverse.shbin: shbin, 2 shaders (vertex, geometry)\n")
    assert unshade("identify", files["object"]).out.endswith(": dvoj, vertex shader\n")


def test_info_of_two_shaders() -> None:
    out = unshade("info", REVERSE).out
    assert out.startswith(f"{REVERSE}: 2 shaders (vertex, geometry), 448 bytes\n")
    assert "digest" not in out
    assert "\nmain: vertex shader\n" in out
    assert "\nmain1: geometry shader\n" in out
    assert "  geometry   point mode, trianglelist out\n" in out
    assert "  c0-c3     float4 projection[4]\n" in out
    assert "  c95       float4 c95     = [0.5, 0.5, 0.5, 1.0]\n" in out


def test_info_as_json() -> None:
    found = json.loads(unshade("info", REVERSE, "--json").out)
    del found["file"]
    assert not violations(found, info_schema())
    assert [part["name"] for part in found["parts"]] == ["DVLP", "DVLE", "DVLE"]
    plain = json.loads(unshade("reflect", REVERSE, "--json").out)["reflection"]
    assert not violations(plain, schema())


def test_parts_between_parts(files: dict[str, Path]) -> None:
    """In a short file, the DVLE's header is inside the DVLP."""
    out = unshade("parts", files["short"]).out
    strip = next(line for line in out.splitlines() if line.startswith("  |"))
    cells = [cell.strip("-") for cell in strip.strip(" |").split("|")]
    assert cells[1:] == ["DVLP", "DVLE", "DVLP", "DVLE"]


def test_hexdump_of_a_part() -> None:
    out = unshade("hexdump", REVERSE, "--part", "DVLE[1]").out
    assert "DVLE[1].uniforms[0].start" in out
    assert "c0" in out
    assert "DVLP" not in out


def test_yaml_round_trip(tmp_path: Path) -> None:
    place = tmp_path / "reverse.yaml"
    assert unshade("to-yaml", REVERSE, "-o", place).code == 0
    assert "{type: FLOAT, id: 95, data: {value: [0.5, 0.5, 0.5, 1.0]}}" in place.read_text()
    assert unshade("from-yaml", place, "-o", f"{tmp_path}/").code == 0
    assert (tmp_path / "reverse.shbin").read_bytes() == REVERSE.read_bytes()


def test_dis_into_a_folder_writes_a_source_for_each_shader(tmp_path: Path) -> None:
    assert unshade("dis", REVERSE, "-o", f"{tmp_path}/").code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["reverse.0.v.pica", "reverse.1.g.pica"]
    assert ".gsh point c0" in (tmp_path / "reverse.1.g.pica").read_text()
    assert unshade("dis", REVERSE, "-o", tmp_path / "one.txt").code == 0
    assert (tmp_path / "one.txt").read_text() == library.open(REVERSE).disassemble()


def test_dis_of_several_files_names_them_in_a_comment(files: dict[str, Path]) -> None:
    out = unshade("dis", files["simple"], files["pair"]).out
    assert out.startswith(f"; {files['simple']}\n")


def test_dis_refuses_options_of_other_formats() -> None:
    ended = unshade("dis", REVERSE, "--generation", "9.30")
    assert ended.code == 2
    assert "shbin text has no option --generation" in ended.err


def test_verify(files: dict[str, Path]) -> None:
    assert unshade("verify", REVERSE).out == ""
    assert "shbin.trailing" in unshade("verify", files["trailing"]).out
    assert unshade("verify", files["no executable"]).code == 1


def test_a_model_that_holds_shaders(tmp_path: Path) -> None:
    model = tmp_path / "model.bcsdr"
    model.write_bytes(b"CGFX" + bytes(60) + REVERSE.read_bytes() + bytes(9))
    ended = unshade("info", model)
    assert ended.code == 4
    assert "it contains shbin at 0x40 (448 bytes)" in ended.err
    assert unshade("find", model, "--extract", tmp_path / "out").code == 0
    assert (tmp_path / "out" / "model@40.shbin").read_bytes() == REVERSE.read_bytes()


def test_extract(tmp_path: Path) -> None:
    assert unshade("extract", REVERSE, "-o", tmp_path).code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["00-code.bin", "01-descriptors.bin", "02-main.shbin", "03-main1.shbin"]


def test_link(tmp_path: Path, files: dict[str, Path]) -> None:
    made = tmp_path / "out.shbin"
    ended = unshade("link", files["object"], files["object, other magic"], "-o", made)
    assert (ended.code, ended.out) == (0, "")
    shader = library.open(made)
    assert [name for name, _ in shader.programs[0].entry_points] == ["main", "main1"]
    ended = unshade("link", REVERSE, "-o", tmp_path / "no.shbin")
    assert ended.code == 4
    assert "not linkable objects" in ended.err
    assert not (tmp_path / "no.shbin").exists()


def test_asm_warns(tmp_path: Path) -> None:
    text, made = tmp_path / "w.pica", tmp_path / "w.shbin"
    head = ".constf a(1.0/128.0, 0, 0, 0)\n.out o position\n"
    text.write_text(f"{head}.proc main\nmov o, v0\nend\n.end\n")
    ended = unshade("asm", text, "-o", made)
    assert ended.code == 0
    assert f"{text}:1:14: warning pica.source-arithmetic: " in ended.err
    assert ended.err.splitlines()[2].strip().startswith("^~")
    assert made.exists()


def test_asm_joins_what_dis_wrote(tmp_path: Path) -> None:
    texts, made = tmp_path / "texts", tmp_path / "made.shbin"
    files = tmp_path / "files"
    files.mkdir()
    for path in (REVERSE, SAXPY):
        shutil.copy(path, files)
    assert unshade("dis", files, "-o", texts).code == 0
    assert unshade("asm", texts, "-o", tmp_path / "again").code == 0
    assert (tmp_path / "again" / "reverse.shbin").read_bytes() == REVERSE.read_bytes()
    ended = unshade("asm", texts, "--donor", files, "-o", tmp_path / "same")
    assert (ended.code, "shbin needs no donor" in ended.err) == (0, True)
    assert unshade("asm", texts, "-o", made).code == 2
    for path in texts.glob("*.asm"):
        path.unlink()
    assert unshade("asm", texts, "-o", made).code == 0
    assert made.read_bytes() == REVERSE.read_bytes()


def test_asm_and_link_name_the_file(tmp_path: Path) -> None:
    source = REVERSE.with_name("reverse.v.pica")
    none = tmp_path / "none.pica"
    assert f"{none}: No such file" in unshade("asm", source, none, "-o", tmp_path / "j").err
    assert f"{source}: not a" in unshade("link", source, "-o", tmp_path / "j").err


def test_no_nops_is_refused_for_other_formats() -> None:
    ended = unshade("asm", "--no-nops", EXAMPLES / "gyroid.asm", "-o", "-")
    assert (ended.code, ended.data) == (2, b"")
    assert "--no-nops applies to shbin, not to dxcontainer" in ended.err


def test_asm_without_nops(tmp_path: Path) -> None:
    source = b".proc main\nifc cmp.x\nifc cmp.y\nmov r0, v0\n.end\n.end\nend\n.end\n"
    nops, none = (unshade("asm", "-", *more, stdin=source).data for more in ((), ("--no-nops",)))
    assert len(none) < len(nops)


def test_asm_of_an_empty_source_and_with_a_wrong_donor(tmp_path: Path) -> None:
    empty, phong = tmp_path / "e.pica", REVERSE.with_name("phong.dxbc")
    empty.write_text("")
    assert "no source contains" in unshade("asm", empty, "-o", tmp_path / "x").err
    source = REVERSE.with_name("reverse.v.pica")
    ended = unshade("asm", source, "--donor", phong, "-o", tmp_path / "x")
    assert (ended.code, ": expected shbin, got dxcontainer" in ended.err) == (2, True)


def test_asm_stops_after_many_errors() -> None:
    ended = unshade("asm", "-", stdin=b".proc main\n" + b"foo r0\n" * 30 + b"end\n.end\n")
    assert ended.code == 3
    assert ended.err.endswith("\ntoo many errors (20), the rest was not read\n")


def test_one_source_of_one_shader_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    source = REVERSE.with_name("reverse.v.pica").read_text()
    (tmp_path / "in" / "toon.v.pica").write_text(source)
    assert unshade("asm", tmp_path / "in", "-o", tmp_path / "out").code == 0
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["toon.shbin"]


LIT = EXAMPLES / "lit.shbin"
IDENTITY = "modelViewProjection=[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]"
VERTEX = ("--bind", "position=[[1,2,3,1]]", "--bind", "normal=[[0,1,0,0]]")
UNIFORMS = ("--set", IDENTITY, "--set", "lamp=0,1,0,0", "--set", "showNormals=true")


def test_run() -> None:
    out = unshade("run", LIT, *VERTEX, *UNIFORMS).out
    assert out == "position  float32 (1, 4)  1 2 3 1\ncolor  float32 (1, 4)  0.5 1 0.5 1\n"


def test_run_lists_what_the_shader_takes() -> None:
    err = unshade("run", LIT).err
    wanted = "float4 modelViewProjection[4], float4 lamp (preset: c92, c93, c94, c95); or "
    assert f"c                      constants   a dict of {wanted}" in err
    assert "position         input       (n, 4) float32\n" in err


def test_run_one_of_several() -> None:
    err = unshade("run", REVERSE).err
    wanted = "select one with entry (--entry): main (vertex), main1 (geometry)\n"
    assert err.endswith(f"reverse.shbin: several entry points; {wanted}")
    err = unshade("run", REVERSE, "--entry", "main1").err
    assert "this geometry shader takes\n" in err
    given = [part for n in range(6) for part in ("--bind", f"v{n}=[[{n},0,0,1]]")]
    out = unshade("run", REVERSE, "--entry", "main1", *given, "--set", "offset=1,0,0,0").out
    assert "position  float32 (6, 4)  0 0 0 1, 2 0 0 1 …\n" in out
    assert "primitives  int64 (2, 3)  0 1 2, 3 4 5\n" in out


def test_run_with_the_precision_of_the_hardware() -> None:
    third = IDENTITY.replace("1,0,0,0", "0.333333333,0,0,0")
    given = ("--set", third, *UNIFORMS[2:], *VERTEX)
    assert " 0.333333343 2 3 1\n" in unshade("run", LIT, *given).out
    assert " 0.333332062 2 3 1\n" in unshade("run", LIT, *given, "--precision", "float24").out


def test_render_without_a_pixel_shader(tmp_path: Path) -> None:
    mesh = tmp_path / "one.obj"
    mesh.write_text("v -1 -1 0\nv 3 -1 0\nv -1 3 0\nvn 0 1 0\nf 1//1 2//1 3//1\n")
    given = ("--mesh", mesh, "--size", "4", *UNIFORMS, "-o", tmp_path / "x.json")
    unshade("render", "--vs", LIT, *given)
    (first, *_), *_ = json.loads((tmp_path / "x.json").read_text())
    assert first == pytest.approx([0.5, 1, 0.5, 1], rel=1e-4)


def test_debug() -> None:
    out = unshade("debug", LIT, "--thread", "0", *VERTEX, *UNIFORMS).out
    assert "mov r0, v0\n" in out
    assert "position.x" in out
    assert "modelViewProjection[0].x" in out
