"""`unshade asm`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES

CODE = "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret\n"
WRONG = CODE.replace("mov", "mvo").replace("ret", "rte")


@pytest.fixture
def listing(tmp_path: Path) -> Path:
    path = tmp_path / "phong.asm"
    path.write_text(library.open(PHONG).disassemble())
    return path


def test_a_file(listing: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.cso"
    assert unshade("asm", listing, "-o", made) == (0, b"", "")
    assert made.read_bytes() == library.assemble(listing.read_text()).to_bytes()


def test_standard_input_and_output() -> None:
    ended = unshade("asm", "-", stdin=CODE.encode())
    assert ended.code == 0
    assert ended.data == library.assemble(CODE).to_bytes()
    assert unshade("asm", "-", stdin=b"\xef\xbb\xbf" + CODE.encode()).data == ended.data


def test_encodings() -> None:
    wanted = library.assemble(CODE).to_bytes()
    for encoding in ("utf-8-sig", "utf-16"):
        assert unshade("asm", "-", stdin=CODE.encode(encoding)).data == wanted
    ended = unshade("asm", "-", stdin=b"ps_5_0\n\xe9\n")
    assert "standard input:2:1: expected an instruction, got '\\xe9'" in ended.err


def test_binary_input_is_rejected() -> None:
    for data, message in (
        (PHONG.read_bytes(), "expected text, got a compiled shader (dxcontainer)"),
        (b"\x89PNG\r\n\x1a\n\0\0", "expected text, got a PNG image"),
        (b"\xff\xfe\0\xd8", "expected text, got unknown binary data"),
    ):
        ended = unshade("asm", "-", stdin=data)
        assert (ended.code, ended.data) == (3, b"")
        assert message in ended.err


def test_source_text_is_no_shader(listing: Path) -> None:
    for verb in ("dis", "info", "diff"):
        ended = unshade(verb, listing, *([PHONG] if verb == "diff" else []))
        assert ended.code == 3
        assert "not a compiled shader: a listing, for `unshade asm`" in ended.err


def test_no_binary_output_to_a_terminal() -> None:
    ended = unshade("asm", "-", stdin=CODE.encode(), terminal=True)
    assert (ended.code, ended.out) == (2, "")
    assert "use -o PATH" in ended.err


def test_a_donor(listing: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.dxbc"
    assert unshade("asm", listing, "--donor", PHONG, "-o", made).code == 0
    assert made.read_bytes() == PHONG.read_bytes()


def test_folder_round_trip(tmp_path: Path) -> None:
    binaries, texts, again = (tmp_path / name for name in ("bin", "text", "again"))
    (binaries / "deep").mkdir(parents=True)
    for path, place in ((PHONG, "phong.cso"), (SAXPY, "deep/saxpy.fxo")):
        shutil.copy(path, binaries / place)
    assert unshade("dis", binaries, "-o", texts).code == 0
    (texts / "notes.txt").write_text("none of it")
    ended = unshade("asm", texts, "--donor", binaries, "-o", again)
    assert ended.code == 0
    assert ended.err.startswith("unshade: 2 files: 2 fine; skipped 1")
    assert (again / "phong.cso").read_bytes() == PHONG.read_bytes()
    assert (again / "deep" / "saxpy.fxo").read_bytes() == SAXPY.read_bytes()


def test_several_files_need_a_folder(listing: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.asm"
    other.write_text(CODE)
    assert "give -o FOLDER" in unshade("asm", listing, other).err
    assert unshade("asm", listing, other, "-o", tmp_path / "out").code == 0
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["b.dxbc", "phong.dxbc"]


def test_a_donor_is_not_overwritten_but_the_way_is_told(listing: Path, tmp_path: Path) -> None:
    donor = tmp_path / "a.dxbc"
    donor.write_bytes(PHONG.read_bytes())
    ended = unshade("asm", listing, "--donor", donor, "-o", donor)
    assert ended.code == 2
    assert "`unshade edit --listing --source TEXT --in-place` replaces a shader" in ended.err
    assert donor.read_bytes() == PHONG.read_bytes()


def test_missing_donor(listing: Path, tmp_path: Path) -> None:
    ended = unshade("asm", listing, "--donor", tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert "no donor named 'phong'" in ended.err
    for suffix in (".a", ".b"):
        shutil.copy(PHONG, tmp_path / f"phong{suffix}")
    assert "several donors named 'phong'" in unshade("asm", listing, "--donor", tmp_path).err
    for donor, code, message in (
        (tmp_path / "none", 2, "none: No such file"),
        (EXAMPLES / "README.md", 3, "README.md: not a compiled shader"),
    ):
        ended = unshade("asm", listing, "--donor", donor)
        assert ended.code == code
        assert f"{listing}: donor {donor.parent}" in ended.err
        assert message in ended.err
    ended = unshade("asm", listing, "--donor", SAXPY)
    assert ended.code == 3
    assert "expected a compute shader as in the donor, got a pixel shader" in ended.err


def test_errors_have_locations(tmp_path: Path) -> None:
    path = tmp_path / "wrong.asm"
    path.write_text(WRONG)
    made = tmp_path / "made.cso"
    ended = unshade("asm", path, "-o", made)
    assert (ended.code, ended.data) == (3, b"")
    assert not made.exists()
    lines = ended.err.splitlines()
    assert lines[0].startswith(f"{path}:3:1: ")
    assert lines[1:3] == ["    mvo o0.xyzw, l(0,0,0,0)", "    ^~~"]
    assert lines[3].startswith(f"{path}:4:1: ")
    assert len(lines) == 6


def test_an_invalid_text_does_not_stop_the_rest(tmp_path: Path) -> None:
    for name, text in (("a.asm", WRONG), ("b.asm", CODE)):
        (tmp_path / name).write_text(text)
    ended = unshade("asm", tmp_path / "a.asm", tmp_path / "b.asm", "-o", tmp_path / "out")
    assert ended.code == 3
    assert ended.err.endswith("unshade: 2 files: 1 fine, 1 malformed\n")
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["b.dxbc"]


def test_errors_in_colour() -> None:
    ended = unshade("asm", "-", stdin=WRONG.encode(), watched=True)
    assert "\x1b[1mstandard input:3:1\x1b[0m" in ended.err
    assert "\x1b[32m    ^~~\x1b[0m" in ended.err
    plain = unshade("asm", "-", stdin=WRONG.encode(), watched=True, NO_COLOR="1").err
    assert "\x1b" not in plain
    assert plain == unshade("asm", "-", stdin=WRONG.encode()).err


def test_control_characters_of_a_text_are_escaped() -> None:
    ended = unshade("asm", "-", stdin=b"ps_5_0\n\x1b[2Jmov\n")
    assert ended.code == 3
    assert "\x1b" not in ended.err
    assert "\\x1b[2Jmov" in ended.err


def test_output_format() -> None:
    assert unshade("asm", "-", "--format", "dxcontainer", stdin=CODE.encode()).code == 0
    ended = unshade("asm", "-", "--format", "shbn", stdin=CODE.encode())
    assert (ended.code, "unknown format 'shbn'" in ended.err) == (2, True)
    ended = unshade("asm", "-", stdin=b"// a remark\nnothing\n")
    assert ended.code == 3
    assert "standard input:2:1: unknown format: expected a line such as" in ended.err
    assert "; or name the format" in ended.err


def test_a_folder_without_texts(tmp_path: Path) -> None:
    shutil.copy(PHONG, tmp_path)
    ended = unshade("asm", tmp_path, "-o", tmp_path / "out")
    assert ended.code == 2
    assert f"no texts found in {tmp_path}; skipped 1 file that is not a text" in ended.err
