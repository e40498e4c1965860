"""Standard output precedes the messages about it on standard error, wherever both go."""

from __future__ import annotations

import ast
import shutil
import sys
from io import StringIO
from pathlib import Path

import pytest

from tests.cli.terminal import PHONG, SAXPY, STYLES, in_one_file, unshade
from tests.corpus import REPOSITORY
from unshade.cli import inputs
from unshade.cli.output import agreed

CLI = REPOSITORY / "src" / "unshade" / "cli"
MAY_WRITE = {"output.py", "progress.py", "__init__.py"}  # which opens what was closed


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.dxbc"
    path.write_bytes(SAXPY.read_bytes()[:100])
    return path


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("verb", ["info", "identify", "parts", "dis", "verify", "reflect", "find"])
def test_the_summary_comes_last(verb: str, terminal: bool, bad: Path) -> None:
    output = in_one_file(verb, SAXPY, bad, terminal=terminal)
    *results, summary = output.splitlines()
    assert summary.startswith("unshade: 2 files: ")
    assert any(results)


@pytest.mark.parametrize("terminal", [False, True])
def test_an_error_appears_between_the_results_around_it(terminal: bool, bad: Path) -> None:
    output = in_one_file("dis", SAXPY, bad, SAXPY, terminal=terminal)
    before, _, after = output.partition(f"unshade: {bad}: ")
    assert before.count("cs_5_0") == after.count("cs_5_0") == 1


def test_the_summary_of_strip_comes_last() -> None:
    output = in_one_file("strip", "--dry-run", SAXPY, PHONG)
    assert output.splitlines()[-1] == "unshade: 2 files: 2 fine"


def test_a_progress_bar_comes_after_the_output(
    tmp_path: Path, bad: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "FEW", 1)
    shutil.copy(SAXPY, tmp_path / "a.dxbc")
    output = in_one_file("verify", tmp_path, terminal=True)
    assert output.endswith("unshade: 2 files: 1 fine, 1 malformed\n")


def test_findings_follow_the_trace() -> None:
    line = ["--bind", "X=iota(64)", "--bind", "Y=ones(1)", "--set", "a=2"]
    output = in_one_file("debug", SAXPY, *line)
    assert 0 < output.index("ret    // ends") < output.index("out-of-bounds: u1[1]")


def test_output_before_an_interruption_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    found = in_one_file("find", SAXPY)
    monkeypatch.setattr("unshade.cli.inputs.summary", interrupted)
    assert in_one_file("find", SAXPY, SAXPY) == f"{found}{found}unshade: interrupted\n"


@pytest.mark.slow
def test_one_module_writes_to_standard_error() -> None:
    for path in sorted(CLI.rglob("*.py")):
        if path.name in MAY_WRITE and path.parent == CLI:
            continue
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            where = f"{path.name}:{getattr(node, 'lineno', 0)}"
            assert not (isinstance(node, ast.Attribute) and node.attr == "stderr"), where
            silenced = isinstance(node, ast.keyword) and ast.unparse(node.value).endswith("DEVNULL")
            named = isinstance(node, ast.keyword) and node.arg in ("stderr", "err")
            assert not named or silenced, where
            assert not (isinstance(node, ast.Name) and node.id == "print"), where


def test_wrong_usage_of_click_goes_to_standard_error() -> None:
    ended = unshade("info", "--nonsense", PHONG)
    assert (ended.code, ended.out) == (2, "")
    assert "No such option" in ended.err


def _long(tmp_path: Path) -> Path:
    path = tmp_path / ("a folder " * 12) / "bad.dxbc"
    path.parent.mkdir()
    path.write_bytes(SAXPY.read_bytes()[:100])
    return path


@pytest.mark.parametrize("watched", [False, True])
def test_messages_are_one_line_each(
    watched: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "FEW", 1)
    path = _long(tmp_path)
    err = unshade("reflect", path, "no" * 90, SAXPY, watched=watched, COLUMNS="40").err
    assert ("\x1b" in err) == watched
    shown = STYLES.sub("", err)
    where = "at 0x58, parts[2].size"
    assert f"unshade: {path}: {where}: expected 612 bytes for RDEF, got 8\n" in shown
    assert f"unshade: {'no' * 90}: No such file or directory\n" in shown
    assert shown.endswith("unshade: 3 files: 1 fine, 1 not usable, 1 malformed\n")


@pytest.mark.parametrize("verb", ["verify", "info"])
def test_a_pipe_with_colours_does_not_wrap_lines(verb: str, tmp_path: Path) -> None:
    shader = _long(tmp_path)
    shutil.copy(PHONG, shader)
    line = [verb, shader] if verb == "info" else [verb, "--explain", "tpf.feature"]
    coloured = unshade(*line, FORCE_COLOR="1", COLUMNS="40").out
    assert "\x1b[" in coloured
    longest = max(unshade(*line).out.splitlines(), key=len)
    assert len(longest) > 90
    assert longest.split(": ")[0].strip() in STYLES.sub("", coloured)


def test_a_terminal_wraps_prose_but_no_path(tmp_path: Path) -> None:
    path = _long(tmp_path)
    shutil.copy(PHONG, path)
    shown = STYLES.sub("", unshade("info", path, terminal=True, COLUMNS="40").out)
    assert shown.startswith(f"{path}\n    pixel shader")
    output = STYLES.sub("", unshade("verify", "--explain", "tpf.feature", terminal=True,
                                  COLUMNS="40").out)  # fmt: skip
    assert max(map(len, output.splitlines())) <= 40


@pytest.mark.parametrize(("answer", "expected"), [("\n", True), ("Yes\n", True), ("n\n", False)])
def test_a_question_is_asked_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, answer: str, expected: bool
) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stderr", shown)
    assert agreed("Edit again?") is expected
    assert shown.getvalue() == "Edit again? [Y/n] "


def test_no_question_is_asked_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = StringIO()
    monkeypatch.setattr(sys, "stdin", StringIO("y\n"))
    monkeypatch.setattr(sys, "stderr", shown)
    assert not agreed("Edit again?")
    assert shown.getvalue() == ""
