"""Verbs on damaged files: the intact parts, the error with its location, and exit code 3."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, Ended, unshade
from tests.examples import EXAMPLES
from tests.model.schema_check import violations

PROBLEM = "at 0x380, parts[3].size: expected 1724 bytes for SHDR, got 1100"
DAMAGE = {"kind": "FormatError", "message": PROBLEM, "offset": 0x380, "path": "parts[3].size"}


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    path = tmp_path / "cut.dxbc"
    path.write_bytes(PHONG.read_bytes()[:2000])
    return path


@pytest.fixture
def malformed(tmp_path: Path) -> Path:
    """A container of valid structure with a malformed input signature."""
    data = PHONG.read_bytes()
    path = tmp_path / "malformed.dxbc"
    path.write_bytes(data[:0x3C] + b"\xff" * 4 + data[0x40:])
    return path


def output_of(ended: Ended, path: Path, problem: str = PROBLEM) -> str:
    """Return the output; check that standard error has the problem and nothing else."""
    assert ended.code == 3
    assert ended.err == f"unshade: {path}: {problem}\n"
    return ended.out


def test_info(cut: Path) -> None:
    out = output_of(unshade("info", cut), cut)
    assert out.startswith(f"{cut}: pixel shader 5.0 (ps_5_0), 2,000 bytes\n")
    assert "  SHDR  0x037c  1,100  55.0%" in out
    assert "program (malformed)" in out
    assert "  t1    tex           texture 2d       float4" in out
    assert "  error  file.malformed  0x0380  parts[3].size  expected 1724 bytes for SHDR" in out
    assert "digest" not in out


def test_json(cut: Path) -> None:
    assert json.loads(unshade("info", "--json", cut).out)["damage"] == DAMAGE
    parts = json.loads(unshade("parts", "--json", cut).out)
    assert [part["state"] for part in parts["parts"]] == ["typed"] * 3 + ["malformed"]
    assert parts["damage"] == DAMAGE
    fields = json.loads(unshade("hexdump", "--json", cut).out)
    assert fields["damage"] == DAMAGE
    assert "damage" not in json.loads(unshade("info", "--json", PHONG).out)


def test_json_fits_the_schema(cut: Path) -> None:
    schema = json.loads(unshade("info", "--schema").out)
    assert violations(json.loads(unshade("info", "--json", cut, PHONG).out), schema) == []


def test_parts(cut: Path) -> None:
    out = output_of(unshade("parts", cut), cut)
    assert "  RDEF  0x0108    620  31.0%" in out


def test_hexdump(cut: Path) -> None:
    out = output_of(unshade("hexdump", cut), cut)
    assert "SHDR.instructions[49].operands[2].indices[0]" in out
    assert out.splitlines()[-3].endswith(" SHDR.unread")
    assert "RDEF.bindings[2].kind" in output_of(unshade("hexdump", cut, "--only", "RDEF"), cut)


def test_to_yaml_and_back(cut: Path, tmp_path: Path) -> None:
    text = output_of(unshade("to-yaml", cut), cut)
    assert text.startswith("format: dxcontainer\ndamage:\n  offset: 896\n  path: parts[3].size\n")
    place = tmp_path / "cut.yaml"
    assert unshade("to-yaml", cut, "-o", place).code == 3
    assert place.read_text() == text
    ended = unshade("from-yaml", place, "-o", tmp_path / "again.dxbc")
    assert ended.code == 3
    assert "damage: the data describes a damaged file" in ended.err
    assert not (tmp_path / "again.dxbc").exists()


def test_extract(cut: Path, tmp_path: Path) -> None:
    output_of(unshade("extract", cut, "-o", tmp_path / "out"), cut)
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["00-ISGN.bin", "01-OSGN.bin", "02-RDEF.bin", "03-SHDR.damaged"]
    assert (tmp_path / "out" / "03-SHDR.damaged").read_bytes() == cut.read_bytes()[900:]
    output_of(unshade("extract", cut, "-o", tmp_path / "one", "--only", "SHDR"), cut)
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["03-SHDR.damaged"]


def test_dis_lists_the_code_up_to_the_damage(cut: Path, tmp_path: Path) -> None:
    text = output_of(unshade("dis", cut), cut)
    *lines, ends, last = text.splitlines()
    assert lines == unshade("dis", PHONG).out.splitlines()[: len(lines)]
    assert ends.startswith("// the code ends here: at 0x7bc, SHDR.instructions[50].length")
    assert last == f"// the file is damaged: {PROBLEM}"
    assert unshade("dis", cut, "-o", f"{tmp_path / 'texts'}/").code == 3
    assert (tmp_path / "texts" / "cut.asm").read_text() == text
    ended = unshade("dis", cut, "--dialect", "exact")
    assert (ended.code, ended.out) == (3, "")


def test_verify_lists_all_errors(cut: Path) -> None:
    ended = unshade("verify", cut)
    assert (ended.code, ended.err) == (3, "")
    assert ended.out.splitlines() == [
        f"{cut}: error file.malformed at 0x30: parts[4]: expected a part header at 0xa40,"
        " got the end at 0x7d0",
        f"{cut}: error file.malformed {PROBLEM.replace(',', ':', 1)}",
    ]
    found = json.loads(unshade("verify", "--json", cut).out)["findings"]
    assert [each["offset"] for each in found] == [0x30, 0x380]
    assert unshade("verify", "--explain", "file.malformed").code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["reflect"], ["diff", PHONG], ["sign", "-o", "x"], ["strip", "-o", "x"], ["run"],
        ["render", "-o", "x.png"], ["debug"],
    ],
)  # fmt: skip
def test_other_verbs_refuse(
    cut: Path, arguments: list[str | Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    verb, *options = arguments
    ended = unshade(verb, cut, *options)
    assert (ended.code, ended.out) == (3, "")
    assert PROBLEM in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["cut.dxbc"]


def test_each_of_several_files_is_shown(cut: Path, tmp_path: Path) -> None:
    ended = unshade("parts", cut, SAXPY)
    assert ended.code == 3
    assert ended.out.count("\nParts\n") == 2
    assert ended.err.splitlines()[-1] == "unshade: 2 files: 1 fine, 1 malformed"


@pytest.mark.parametrize("verb", ["info", "parts", "hexdump", "to-yaml", "dis"])
def test_a_malformed_part_is_reported(malformed: Path, verb: str) -> None:
    damage = library.open(malformed).damage
    out = output_of(unshade(verb, malformed), malformed, str(damage))
    assert "ISGN" in out or verb == "dis"


def test_dis_lists_a_malformed_program_up_to_the_damage(tmp_path: Path) -> None:
    path = tmp_path / "malformed.dxbc"
    data = PHONG.read_bytes()
    path.write_bytes(data[:0x7BC] + b"\x34\0\0\0" + data[0x7C0:])  # no length
    problem = "at 0x7bc, SHDR.instructions[50]"
    ended = unshade("dis", path)
    assert ended.code == 3
    assert ended.err.startswith(f"unshade: {path}: {problem}")
    *_, ends, last = ended.out.splitlines()
    assert ends == "// Approximately 77 instruction slots used", "as STAT says of the whole"
    assert last.startswith(f"// the code ends here: {problem}")
    assert unshade("dis", path, "--dialect", "exact").out == ""
    with pytest.raises(library.FormatError):
        library.open(path).disassemble()


def test_verbs_that_do_not_need_the_malformed_part(malformed: Path) -> None:
    assert unshade("reflect", malformed).code == 0
    assert unshade("verify", malformed).code == 1


def test_a_shbin(tmp_path: Path) -> None:
    path = tmp_path / "reverse.shbin"
    path.write_bytes((EXAMPLES / "reverse.shbin").read_bytes()[:400])
    damage = str(library.open(path, strict=False).damage)
    out = output_of(unshade("info", path), path, damage)
    assert "DVLE  0x014c" in out
    out = output_of(unshade("dis", path), path, damage)
    assert out.startswith("; picasso -n\n")
    assert out.splitlines()[-1] == f"; the file is damaged: {damage}"


# ---------------------------------------------------------------- find


@pytest.fixture
def image(tmp_path: Path, cut: Path) -> Path:
    path = tmp_path / "disk.img"
    path.write_bytes(b"x" * 16 + cut.read_bytes() + SAXPY.read_bytes())
    return path


def test_find_marks_damaged_shaders(image: Path) -> None:
    ended = unshade("find", image)
    assert (ended.code, ended.err) == (3, "")
    first, second = ended.out.splitlines()
    assert first.startswith(f"{image}!dxbc@0x10      2,000  dxcontainer  pixel  ps_5_0  -  ")
    assert "  damaged: at 0x10: " in first
    assert second == f"{image}!dxbc@0x7e0      1,236  dxcontainer  compute  cs_5_0  -  adb128daef8b"


def test_find_marks_damage_in_json_and_file_names(image: Path, tmp_path: Path) -> None:
    ended = unshade("find", image, "--json", "--extract", tmp_path / "found")
    first, second = json.loads(ended.out)["found"]
    assert first["damage"]["kind"] == "FormatError"
    assert second.items() >= {"offset": 0x7E0, "size": 1236, "format": "dxcontainer"}.items()
    assert "damage" not in second
    names = sorted(path.name for path in (tmp_path / "found").iterdir())
    assert names == ["disk@10.damaged.dxbc", "disk@7e0.dxbc"]
    assert unshade("info", tmp_path / "found" / "disk@10.damaged.dxbc").code == 3


def test_find_with_only_damaged_shaders(tmp_path: Path) -> None:
    path = tmp_path / "disk.img"
    path.write_bytes(b"x" + PHONG.read_bytes()[:1000])
    assert unshade("find", path).code == 3
