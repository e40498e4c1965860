"""`--watch`: changed files are processed again, errors do not end it, Ctrl-C does.

`wait` is what the tests replace: each look at the files is one step of a script, whose end is
Ctrl-C.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.cli.terminal import INTERRUPTIBLE, PHONG, SAXPY, Ended, unshade
from tests.examples import EXAMPLES
from unshade.cli import watch

Step = Callable[[], object]
TIME = r"\d\d:\d\d:\d\d"


def nothing() -> None:
    """Poll files that have not changed."""


@pytest.fixture
def watching(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ended]:
    """Run a command line with `--watch`; the files are polled often enough between the steps."""

    def run(line: list[str | Path], *steps: Step, terminal: bool = False) -> Ended:
        script = [each for step in steps for each in (step, nothing, nothing)]
        looks = iter([nothing, *script])

        def wait(seconds: float) -> None:
            assert seconds == watch.PAUSE
            try:
                next(looks)()
            except StopIteration:
                raise KeyboardInterrupt from None

        monkeypatch.setattr(watch, "wait", wait)
        return unshade(*line, "--watch", terminal=terminal)

    return run


def replaced(path: Path, old: str, new: str) -> Step:
    def edit() -> None:
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new))
        later(path)()

    return edit


def later(path: Path) -> Step:
    """Set the time of the file to now: clocks of file systems may be coarse."""

    def touch() -> None:
        found = path.stat()
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns + 10**9))

    return touch


def rounds(ended: Ended) -> list[str]:
    """Return the changed files and the result of each round after the first."""
    return re.findall(rf"^unshade: {TIME} (.*)$", ended.err, re.MULTILINE)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "phong.asm"
    path.write_text(unshade("dis", PHONG).out)
    return path


Watching = Callable[..., Ended]


@pytest.mark.slow
def test_a_text_is_assembled_again_when_it_changes(
    text: Path, tmp_path: Path, watching: Watching
) -> None:
    out = tmp_path / "out.dxbc"
    made: list[bytes] = []
    ended = watching(
        ["asm", text, "--donor", PHONG, "-o", out],
        lambda: made.append(out.read_bytes()),
        replaced(text, "l(0.100000)", "l(0.5)"),
        lambda: made.append(out.read_bytes()),
    )
    assert (ended.code, ended.out) == (0, "")
    assert made[0] == PHONG.read_bytes() != made[1]
    assert ended.err.startswith("unshade: watching 2 files; press Ctrl-C to stop\n")
    assert rounds(ended) == [f"{text}: fine"]


@pytest.mark.slow
def test_errors_do_not_end_the_loop(text: Path, tmp_path: Path, watching: Watching) -> None:
    out = tmp_path / "out.dxbc"
    ended = watching(
        ["asm", text, "--donor", PHONG, "-o", out],
        replaced(text, "lt r0.w", "lt q0.w"),
        lambda: text.rename(tmp_path / "gone"),
        lambda: (tmp_path / "gone").rename(text),
        replaced(text, "lt q0.w", "lt r0.w"),
    )
    assert ended.code == 0
    assert rounds(ended) == [
        f"{text}: malformed", f"{text}: not usable", f"{text}: malformed", f"{text}: fine",
    ]  # fmt: skip
    assert ended.err.count(f"{text}:72:4: ") == 2
    assert f"{text}: No such file or directory" in ended.err
    assert out.read_bytes() == PHONG.read_bytes()


def test_an_input_that_is_created_later(text: Path, tmp_path: Path, watching: Watching) -> None:
    out, coming = tmp_path / "out.dxbc", tmp_path / "coming.asm"
    ended = watching(
        ["asm", coming, "--donor", PHONG, "-o", out], lambda: shutil.copy(text, coming)
    )
    assert rounds(ended) == [f"{coming}: fine"]
    assert out.read_bytes() == PHONG.read_bytes()


@pytest.mark.slow
def test_a_donor_is_watched(text: Path, tmp_path: Path, watching: Watching) -> None:
    donor, out = tmp_path / "donor.dxbc", tmp_path / "out.dxbc"
    shutil.copy(PHONG, donor)

    def strip() -> None:
        assert unshade("strip", "--all", donor, "-i").code == 0

    ended = watching(["asm", text, "--donor", donor, "-o", out], strip)
    assert rounds(ended) == [f"{donor}: fine"]
    assert "STAT" not in unshade("parts", out).out


def test_only_changed_files_of_a_folder_are_processed(tmp_path: Path, watching: Watching) -> None:
    """Outputs in the watched folder do not count as changes."""
    folder = tmp_path / "shaders"
    folder.mkdir()
    for name in ("a", "b"):
        shutil.copy(PHONG, folder / f"{name}.dxbc")
    before: dict[str, int] = {}

    def remember() -> None:
        before.update({each.name: each.stat().st_mtime_ns for each in folder.glob("*.asm")})

    ended = watching(
        ["dis", folder, "-o", folder],
        remember,
        later(folder / "a.dxbc"),
        lambda: shutil.copy(SAXPY, folder / "c.dxbc"),
        (folder / "b.dxbc").unlink,
    )
    assert rounds(ended) == [
        f"{folder / 'a.dxbc'}: fine", "files added or removed: fine", f"{folder / 'b.dxbc'}: fine",
    ]  # fmt: skip
    assert before["b.asm"] == (folder / "b.asm").stat().st_mtime_ns
    assert before["a.asm"] != (folder / "a.asm").stat().st_mtime_ns
    assert (folder / "c.asm").read_text() == unshade("dis", SAXPY).out


def test_failed_files_are_retried_after_any_change(
    text: Path, tmp_path: Path, watching: Watching
) -> None:
    """A donor is created in a folder of donors."""
    donors, out = tmp_path / "donors", tmp_path / "out"
    donors.mkdir()
    ended = watching(
        ["asm", text, "--donor", donors, "-o", out],
        lambda: shutil.copy(PHONG, donors / "phong.dxbc"),
    )
    assert "no donor named 'phong'" in ended.err
    assert rounds(ended) == ["files added or removed: fine"]


def test_an_edit_in_several_steps_is_one_change(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([later(text), later(text), later(text), nothing, nothing, nothing])

    def wait(_: float) -> None:
        try:
            next(looks)()
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(watch, "wait", wait)
    ended = unshade("asm", text, "--donor", PHONG, "-o", tmp_path / "out.dxbc", "--watch")
    assert rounds(ended) == [f"{text}: fine"]


def test_a_listing_is_printed_again(tmp_path: Path, watching: Watching) -> None:
    path = tmp_path / "a.dxbc"
    shutil.copy(PHONG, path)
    change = lambda: shutil.copy(SAXPY, path)  # noqa: E731
    ended = watching(["dis", path], change)
    assert ended.out == unshade("dis", PHONG).out + unshade("dis", SAXPY).out
    shutil.copy(PHONG, path)
    assert watching(["dis", path], change, terminal=True).data.count(watch.CLEAR) == 1
    shutil.copy(PHONG, path)
    ended = watching(["dis", path, "-o", tmp_path / "a.asm"], change, terminal=True)
    assert ended.out == ""


@pytest.mark.slow
def test_an_image_and_all_files_read_for_it(tmp_path: Path, watching: Watching) -> None:
    for name in ("skinning.dxbc", "phong.dxbc", "torus.obj"):
        shutil.copy(EXAMPLES / name, tmp_path)
    array = tmp_path / "tex.npy"
    np.save(array, np.ones((2, 2, 4), np.float32))
    out = tmp_path / "out.npy"
    ended = watching(
        ["render", tmp_path / "phong.dxbc", "--vs", tmp_path / "skinning.dxbc", "--mesh",
         tmp_path / "torus.obj", "--bind", f"ps:tex={array}", "--bind",
         "ps:env=ones(6,2,2,4)", "--size", "4", "-o", out],
        later(array), later(tmp_path / "torus.obj"), later(tmp_path / "skinning.dxbc"),
    )  # fmt: skip
    assert ended.code == 0
    assert rounds(ended) == [
        f"{each}: fine"
        for each in (array, tmp_path / "torus.obj", tmp_path / "skinning.dxbc")
    ]  # fmt: skip


def test_wrong_usage_ends_at_once(text: Path, tmp_path: Path, watching: Watching) -> None:
    ended = watching(["asm", text, text, "-o", tmp_path / "one.dxbc"])
    assert (ended.code, rounds(ended)) == (2, [])
    assert watching(["asm", "-"]) == (2, b"", "unshade: standard input cannot be watched\n")
    ended = watching(["render", "-", "-o", tmp_path / "a.png"])
    assert ended.err == "unshade: standard input cannot be watched\n"


def test_inputs_are_not_overwritten_in_any_round(
    text: Path, tmp_path: Path, watching: Watching
) -> None:
    donor = tmp_path / "donor.dxbc"
    shutil.copy(PHONG, donor)
    ended = watching(["asm", text, "--donor", donor, "-o", donor], later(text))
    assert ended.code == 2
    assert donor.read_bytes() == PHONG.read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_the_process_cleanly(text: Path, tmp_path: Path) -> None:
    line = ["asm", str(text), "--donor", str(PHONG), "-o", str(tmp_path / "out.dxbc"), "--watch"]
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *line], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "unshade: watching 2 files; press Ctrl-C to stop\n"
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=60)[1] == ""
        finally:
            process.kill()
        assert process.returncode == 0
