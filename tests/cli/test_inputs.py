"""Files, folders, standard input: what is read, in which order, and what one bad file does."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.terminal import PHONG, SAXPY, unshade
from unshade import limits
from unshade.cli import inputs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "shaders"
    (root / "deep").mkdir(parents=True)
    (root / ".hidden").mkdir()
    for name in ("ps10.cso", "ps2.cso", "deep/vs1.cso", ".hidden/no.cso", ".no.cso"):
        shutil.copy(SAXPY, root / name)
    (root / "notes.txt").write_text("hello")
    return root


def test_a_folder_in_natural_order_without_hidden_and_other_files(folder: Path) -> None:
    ended = unshade("info", "--json", folder)
    names = [Path(each["file"]).relative_to(folder).as_posix() for each in json.loads(ended.out)]
    assert names == ["ps2.cso", "ps10.cso", "deep/vs1.cso"]
    assert ended.err == "unshade: 3 files: 3 fine; skipped 1 that is no shader\n"
    assert ended.code == 0


def test_a_bad_file_does_not_stop_the_rest(folder: Path) -> None:
    bad = folder / "ps5.cso"
    bad.write_bytes(SAXPY.read_bytes()[:100])
    ended = unshade("info", folder, folder / "nowhere")
    assert ended.code == 3
    assert ended.out.count("compute shader") == 3
    first, second, summary = ended.err.splitlines()
    assert first == (f"unshade: {bad}: at 0x58, parts[2].size: RDEF declares 612 bytes, 8 are left")
    assert second == f"unshade: {folder / 'nowhere'}: No such file or directory"
    assert "3 fine, 1 not usable, 1 malformed" in summary


def test_json_of_several_files_is_one_array_with_the_errors_in_it(folder: Path) -> None:
    bad = folder / "ps5.cso"
    bad.write_bytes(SAXPY.read_bytes()[:100])
    listed = json.loads(unshade("parts", "--json", bad, SAXPY).out)
    assert listed[0]["error"] | {"message": ""} == {
        "kind": "FormatError", "message": "", "offset": 0x58, "path": "parts[2].size",
    }  # fmt: skip
    assert len(listed[1]["parts"]) == 5


def test_json_of_one_file_is_one_object() -> None:
    found = json.loads(unshade("info", "--json", SAXPY).out)
    assert found["file"] == str(SAXPY)
    assert found["reflection"]["thread_group"] == [64, 1, 1]


def test_json_of_a_folder_without_shaders(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    ended = unshade("info", "--json", tmp_path)
    assert json.loads(ended.out) == []
    assert ended.code == 2
    assert "no shaders in" in ended.err


def test_standard_input() -> None:
    ended = unshade("info", "-", stdin=PHONG.read_bytes())
    assert ended.out.startswith("standard input: pixel shader 5.0 (ps_5_0), 2,780 bytes\n")


def test_what_the_system_refuses(tmp_path: Path) -> None:
    for name in ("missing.cso", "missing/deep.cso"):
        ended = unshade("info", tmp_path / name)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err == f"unshade: {tmp_path / name}: No such file or directory\n"


def test_a_file_over_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.DEFAULT, "file_size", 1000)
    for arguments in ([str(SAXPY)], ["-"]):
        ended = unshade("info", *arguments, stdin=SAXPY.read_bytes())
        assert ended.code == 5
        assert "limit file_size = 1000 exceeded" in ended.err


def test_output_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    place = tmp_path / "info.txt"
    assert unshade("info", PHONG, "-o", place).out == ""
    assert place.read_text() == unshade("info", PHONG).out
    ended = unshade("info", PHONG, "-o", tmp_path / "no" / "where.txt")
    assert ended.code == 2
    assert "No such file or directory" in ended.err


def test_outputs_of_a_folder_go_to_a_folder(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "listings"
    assert unshade("dis", folder, "-o", place).code == 0
    found = sorted(each.relative_to(place).as_posix() for each in place.rglob("*.asm"))
    assert found == ["deep/vs1.asm", "ps10.asm", "ps2.asm"]
    assert (place / "ps2.asm").read_text() == unshade("dis", SAXPY).out


def test_two_inputs_never_share_an_output(folder: Path, tmp_path: Path) -> None:
    ended = unshade("dis", folder / "ps2.cso", folder / "ps2.cso", SAXPY, "-o", tmp_path / "x")
    assert ended.code == 0  # the same file twice is the same output
    shutil.copy(folder / "ps2.cso", folder / "deep" / "ps2.cso")
    ended = unshade("dis", folder / "ps2.cso", folder / "deep" / "ps2.cso", "-o", tmp_path / "y")
    assert ended.code == 2
    assert "is already made from" in ended.err


def test_one_is_not_several(tmp_path: Path) -> None:
    (tmp_path / "a.spv").write_bytes(b"\x03\x02\x23\x07")
    assert unshade("info", tmp_path).err == (
        f"unshade: no shaders in {tmp_path}; skipped 1 of a kind not supported yet\n"
    )
    shutil.copy(SAXPY, tmp_path)
    (tmp_path / "a.txt").touch()
    (tmp_path / "b.txt").touch()
    assert unshade("info", tmp_path).err == (
        "unshade: 1 file: 1 fine; skipped 2 that are no shaders and 1 of a kind not supported yet\n"
    )
    assert unshade("dis", tmp_path, "-o", tmp_path / "listings").code == 0
    assert (tmp_path / "listings" / "saxpy.asm").is_file()


def test_a_few_files_need_no_bar(folder: Path) -> None:
    assert "\x1b" not in unshade("verify", folder, watched=True).err


def test_a_bar_only_on_a_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "FEW", 1)
    assert "\x1b" not in unshade("verify", folder).err
    told = unshade("verify", folder, watched=True).err
    assert "4/4" in told
    assert told.endswith("unshade: 3 files: 3 fine; skipped 1 that is no shader\n")
    one = unshade("verify", SAXPY, watched=True)
    assert "\x1b" not in one.err
    shown = unshade("info", folder, watched=True, terminal=True)  # the output is the progress
    assert "\x1b" not in shown.err


def test_results_are_not_lost_under_a_bar(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "FEW", 1)
    bad = folder / "ps5.cso"
    bad.write_bytes(SAXPY.read_bytes()[:100])
    plain = unshade("verify", folder)
    watched = unshade("verify", folder, watched=True)
    assert (watched.code, watched.out) == (plain.code, plain.out)
    assert f"unshade: {bad}: at 0x58" in watched.err.replace("\n", "")
