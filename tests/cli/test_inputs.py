"""Files, folders and standard input: which are read, their order, and effects of a bad file."""

from __future__ import annotations

import json
import os
import shutil
import socket
import threading
from pathlib import Path

import pytest

from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from unshade import limits
from unshade.cli import inputs

CLAY = EXAMPLES / "clay.frag.spv"


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
    assert ended.err == "unshade: 3 files: 3 fine; skipped 1 file that is not a shader\n"
    assert ended.code == 0


def test_a_bad_file_does_not_stop_the_rest(folder: Path) -> None:
    bad = folder / "ps5.cso"
    bad.write_bytes(SAXPY.read_bytes()[:100])
    ended = unshade("reflect", folder, folder / "nowhere")
    assert ended.code == 3
    assert ended.out.count("compute shader") == 3
    first, second, summary = ended.err.splitlines()
    assert first == (f"unshade: {bad}: at 0x58, parts[2].size: expected 612 bytes for RDEF, got 8")
    assert second == f"unshade: {folder / 'nowhere'}: No such file or directory"
    assert "3 fine, 1 not usable, 1 malformed" in summary


def test_json_of_several_files_is_one_array_with_the_errors_in_it(folder: Path) -> None:
    bad = folder / "ps5.cso"
    bad.write_bytes(SAXPY.read_bytes()[:100])
    listed = json.loads(unshade("reflect", "--json", bad, SAXPY).out)
    assert listed[0]["error"] | {"message": ""} == {
        "kind": "FormatError", "message": "", "offset": 0x58, "path": "parts[2].size",
    }  # fmt: skip
    assert listed[1]["reflection"]["thread_group"] == [64, 1, 1]


def test_json_of_one_file_is_one_object() -> None:
    found = json.loads(unshade("info", "--json", SAXPY).out)
    assert found["file"] == str(SAXPY)
    assert found["reflection"]["thread_group"] == [64, 1, 1]


def test_json_of_a_folder_without_shaders(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    ended = unshade("info", "--json", tmp_path)
    assert json.loads(ended.out) == []
    assert ended.code == 2
    assert "no shaders found in" in ended.err


def test_standard_input() -> None:
    ended = unshade("info", "-", stdin=PHONG.read_bytes())
    assert ended.out.startswith("standard input: pixel shader 5.0 (ps_5_0), 2,780 bytes\n")


def test_errors_of_the_operating_system(tmp_path: Path) -> None:
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


def test_output_file(tmp_path: Path) -> None:
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
    assert "ps2.cso would have the same name" in ended.err
    assert not (tmp_path / "y").exists()


def test_a_folder_with_one_shader(tmp_path: Path) -> None:
    (tmp_path / "a.metallib").write_bytes(b"MTLB")
    assert unshade("info", tmp_path).err == (
        f"unshade: no shaders found in {tmp_path}; skipped 1 file in an unsupported format\n"
    )
    shutil.copy(SAXPY, tmp_path)
    (tmp_path / "a.txt").touch()
    (tmp_path / "b.txt").touch()
    assert unshade("info", tmp_path).err == (
        "unshade: 1 file: 1 fine; skipped 2 files that are not shaders"
        " and 1 file in an unsupported format\n"
    )
    assert unshade("dis", tmp_path, "-o", tmp_path / "listings").code == 0
    assert (tmp_path / "listings" / "saxpy.asm").is_file()


def test_no_progress_bar_for_few_files(folder: Path) -> None:
    assert "\x1b" not in unshade("verify", folder, watched=True).err


@pytest.mark.slow
def test_progress_bar_only_on_a_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "FEW", 1)
    assert "\x1b" not in unshade("verify", folder).err
    err = unshade("verify", folder, watched=True).err
    assert "4/4" in err
    assert err.endswith("unshade: 3 files: 3 fine; skipped 1 file that is not a shader\n")
    one = unshade("verify", SAXPY, watched=True)
    assert "\x1b" not in one.err
    shown = unshade("info", folder, watched=True, terminal=True)  # the output is the progress
    assert "\x1b" not in shown.err


@pytest.mark.parametrize("line", [["check", "--max-bytes", "1"], ["verify", "--format", "junit"]])
def test_final_output_does_not_redraw_the_progress_bar(
    line: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "FEW", 1)
    err = unshade(*line, folder, watched=True).err
    hides, shows = err.count("\x1b[?25l"), err.count("\x1b[?25h")  # the cursor
    assert hides == shows > 0


def test_results_are_not_overwritten_by_the_progress_bar(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "FEW", 1)
    bad = folder / "ps5.cso"
    bad.write_bytes(SAXPY.read_bytes()[:100])
    plain = unshade("reflect", folder)
    watched = unshade("reflect", folder, watched=True)
    assert (watched.code, watched.out) == (plain.code, plain.out)
    assert f"unshade: {bad}: at 0x58" in watched.err


# ---------------------------------------------------------------- pipes, sockets, devices

FIFO = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")


@pytest.fixture
def special(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with special files, reading which would block forever."""
    os.mkfifo(folder / "pipe.cso")
    os.mkfifo(folder / "pipe.asm")
    os.mkfifo(folder / "pipe.yaml")
    os.mkfifo(folder / "pipe.0.v.pica")
    with socket.socket(socket.AF_UNIX) as made, monkeypatch.context() as here:
        here.chdir(folder)  # the path of a socket has at most 108 bytes
        made.bind("socket")
    (folder / "nowhere").symlink_to(folder / "nothing")
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "zero").symlink_to("/dev/zero")
    return folder


@FIFO
@pytest.mark.parametrize(
    "verb", ["info", "identify", "parts", "dis", "reflect", "verify", "hexdump", "find", "to-yaml"]
)
def test_special_files_in_a_folder_are_skipped(verb: str, special: Path, tmp_path: Path) -> None:
    line: list[str | Path] = [verb, special]
    line += ["-o", tmp_path / "out"] if verb == "to-yaml" else []
    ended = unshade(*line)
    err = ended.err.splitlines()[-1]
    everything = verb in ("identify", "find")
    assert err.startswith(f"unshade: {4 if everything else 3} files: ")
    others = "8 files that are not regular"
    assert err.endswith(
        f"; skipped {'' if everything else '1 file that is not a shader and '}{others}"
    )


@FIFO
@pytest.mark.parametrize("verb", ["asm", "from-yaml"])
def test_texts_in_a_folder_are_regular_files(verb: str, special: Path, tmp_path: Path) -> None:
    ended = unshade(verb, special, "-o", tmp_path / "out")
    assert ended.code == 2
    assert "skipped 4 files that are not" in ended.err
    assert "and 8 files that are not regular" in ended.err


@FIFO
def test_folders_with_pipes_are_compared(special: Path, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(SAXPY, other / "pipe.cso")  # a shader here, a pipe there
    shutil.copy(SAXPY, other / "ps2.cso")
    ended = unshade("diff", special, other)
    assert ended.code == 1
    assert " → pipe.cso: the same, byte for byte, under another name" in ended.out
    assert ended.err.endswith("; skipped 8 files that are not regular\n")


@FIFO
def test_donors_are_regular_files(special: Path, tmp_path: Path) -> None:
    text = tmp_path / "pipe.asm"
    text.write_text(unshade("dis", SAXPY).out)
    ended = unshade("asm", text, "--donor", special)
    assert "no donor named 'pipe'" in ended.err


def _fed(path: Path, data: bytes) -> threading.Thread:
    thread = threading.Thread(target=path.write_bytes, args=[data], daemon=True)
    thread.start()
    return thread


@FIFO
@pytest.mark.parametrize("verb", ["info", "dis", "find", "hexdump", "identify", "verify"])
def test_a_named_pipe_is_read(verb: str, tmp_path: Path) -> None:
    """As from `<(…)` of a shell; its contents can be read only once."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = _fed(pipe, PHONG.read_bytes())
    ended = unshade(verb, pipe)
    writer.join(timeout=10)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.replace(str(pipe), str(PHONG)) == unshade(verb, PHONG).out


@FIFO
def test_two_pipes_are_compared_and_a_donor_may_be_one(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for each in (one, two):
        os.mkfifo(each)
    writers = [_fed(one, PHONG.read_bytes()), _fed(two, SAXPY.read_bytes())]
    assert unshade("diff", one, two).code == 1
    listing = unshade("dis", PHONG).out.encode()
    writers += [_fed(one, listing), _fed(two, PHONG.read_bytes())]
    assert unshade("asm", one, "--donor", two, "-o", tmp_path / "out").code == 0
    assert (tmp_path / "out").read_bytes() == PHONG.read_bytes()
    for writer in writers:
        writer.join(timeout=10)


def test_links_are_followed_to_files_and_not_to_folders(folder: Path, tmp_path: Path) -> None:
    (folder / "again.cso").symlink_to(SAXPY)
    (folder / "round").symlink_to(folder)
    ended = unshade("identify", folder)
    names = [line.partition(":")[0] for line in ended.out.splitlines()]
    assert [Path(each).name for each in names] == [
        "again.cso", "notes.txt", "ps2.cso", "ps10.cso", "vs1.cso",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "lost"),
    [
        (["run", f"{SAXPY}", "--groups", "1", "--bind", "X={lost}"], "lost.npy"),
        (
            [
                "render",
                f"{EXAMPLES / 'ripple.rts'}",
                "--size",
                "4x4",
                "--bind",
                "image={lost}",
                "-o",
                "-",
            ],
            "lost.png",
        ),
        (["decompile", f"{PHONG}", "--names", "{lost}"], "lost.yaml"),
        (["check", f"{PHONG}", "--budgets", "{lost}"], "lost.toml"),
        (["check", "--pipeline", "{lost}"], "lost.yaml"),
        (
            [
                "render",
                "--vs",
                "{lost}",
                "--ps",
                f"{EXAMPLES / 'clay.frag.spv'}",
                "--count",
                "3",
                "-o",
                "-",
            ],
            "lost.spv",
        ),
        (["edit", "{lost}", "--dry-run"], "lost.dxbc"),
        (["prove", f"{SAXPY}", "{lost}"], "lost.dxbc"),
    ],
)
def test_a_file_that_is_missing_is_named_once(words: list[str], lost: str, tmp_path: Path) -> None:
    path = tmp_path / lost
    ended = unshade(*(each.format(lost=path) for each in words))
    assert (ended.code, ended.err) == (2, f"unshade: {path}: No such file or directory\n")


def test_a_donor_that_is_missing_is_named_once(tmp_path: Path) -> None:
    lost = tmp_path / "lost.dxbc"
    ended = unshade("asm", f"{EXAMPLES / 'gyroid.asm'}", "--donor", f"{lost}", "-o", "-")
    assert ended.err.endswith(f"gyroid.asm: donor {lost}: No such file or directory\n")


def test_a_shader_to_edit_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("notes")
    ended = unshade("edit", f"{path}", "--dry-run")
    assert (ended.code, ended.err) == (3, f"unshade: {path}: not a compiled shader: text\n")


def test_a_picture_of_no_known_format_has_an_error_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "notes.png"
    path.write_text("notes")
    ended = unshade("run", f"{SAXPY}", "--groups", "1", "--bind", f"X={path}")
    assert (
        ended.err == f"unshade: {path}: expected a picture or texture, got none of their formats\n"
    )
