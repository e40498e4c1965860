"""`unshade diff`: the screen, folders, JSON, exit codes, and git's way of calling it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, STYLES, unshade
from tests.corpus import REPOSITORY
from tests.model.schema_check import violations
from unshade.formats.dxcontainer import DxContainer
from unshade.programs.tpf import Instruction, immediate, temp
from unshade.screens.diff import marked


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """phong with an added instruction and another compiler."""
    shader = library.open(PHONG)
    assert isinstance(shader, DxContainer)
    move = Instruction.make("mov", temp(3, mask="x"), immediate(1.0))
    shader.programs[0].instructions.insert(20, move)
    shader["RDEF"].creator = "another\x1b[2J"
    path = tmp_path / "edited.dxbc"
    shader.save(path)
    return path


SCREEN = """\
BEFORE → AFTER
the code differs: 1 of 79 lines added; the compiler also differs; the interface is the same

Parts
     name  before    now  change  about
  ~  RDEF     620    620          compiler  resource definitions
  ~  SHDR   1,724  1,744     +20  code      program
     file   2,780  2,800     +20

Operations
       before  now  change
  mov      20   21      +1  +5%

Code of main (pixel): 78 lines the same, 1 added
@@ -19,6 +19,7 @@
 mov r2.xy, v1.xyxx
 mov r2.z, l(0)
 sample r3.xyzw, v1.xyxx, t1.xyzw, s1
+mov r3.x, l(1.000000)
 lt r0.w, r3.wwww, l(0.100000)
 discard_nz r0.wwww
 mov r0.w, l(0)

Compiler
  ~  creator  vkd3d-shader 2.1 (Debian 2.1+ds-1) → another\\x1b[2J
"""


def test_the_screen(edited: Path) -> None:
    ended = unshade("diff", PHONG, edited)
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.replace(str(PHONG), "BEFORE").replace(str(edited), "AFTER") == SCREEN


def test_a_terminal_has_the_same_text_in_colour(edited: Path) -> None:
    plain = unshade("diff", PHONG, edited).out
    styled = unshade("diff", PHONG, edited, terminal=True, COLUMNS="300").out
    assert STYLES.search(styled)
    assert "\x1b" not in STYLES.sub("", styled)
    assert STYLES.sub("", styled).split() == plain.split()


def test_code_precedes_the_facts_about_it(tmp_path: Path) -> None:
    shader = library.open(PHONG)
    assert isinstance(shader, DxContainer)
    shader["RDEF"].creator = "another"
    shader["ISGN"].elements[0].name = "NORMAL"
    del shader["STAT"]
    shader.programs[0].instructions.insert(0, Instruction.make("mov", temp(0), immediate(1.0)))
    shader.save(tmp_path / "other.dxbc")
    out = unshade("diff", PHONG, tmp_path / "other.dxbc").out
    titles = ["\nParts\n", "\nOperations\n", "\nCode of ", "\nInterface\n", "\nCompiler\n"]
    places = [out.index(each) for each in titles]
    assert places == sorted(places)


def test_the_same() -> None:
    ended = unshade("diff", PHONG, PHONG)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == f"{PHONG} → {PHONG}: the same, byte for byte\n"


def test_costs_of_two_formats() -> None:
    noise, skinning = PHONG.with_name("noise.skslb"), PHONG.with_name("skinning.dxbc")
    counts = [library.cost(library.open(each)).peak.registers for each in (noise, skinning)]
    [row] = [
        line.split()
        for line in unshade("diff", "--cost", noise, skinning).out.splitlines()
        if line.startswith("  live-registers")
    ]
    assert row[1:3] == [str(each) for each in counts]
    assert "\nCost\n" not in unshade("diff", noise, skinning).out
    found = json.loads(unshade("diff", "--json", "--cost", noise, skinning).out)["costs"]
    assert {"name": "live-registers", "before": counts[0], "after": counts[1]} in found
    report = unshade("diff", "--format", "markdown", "--cost", noise, skinning).out
    assert "| live-registers |" in report


def test_costs_that_stay() -> None:
    said = "Cost: no count changed\n"
    ended = unshade("diff", "--cost", PHONG, PHONG)
    assert ended.code == 0
    assert ended.out.endswith(f"byte for byte\n{said}")
    assert said not in unshade("diff", PHONG, PHONG).out
    noise = PHONG.with_name("noise.skslb")
    assert said not in unshade("diff", "--cost", noise, PHONG.with_name("skinning.dxbc")).out


def test_context(edited: Path) -> None:
    bare = unshade("diff", PHONG, edited, "-U", "0", "--only", "code").out
    assert bare.endswith("@@ -21,0 +22,1 @@\n+mov r3.x, l(1.000000)\n")
    whole = unshade("diff", PHONG, edited, "--unified", "1000", "--only", "code").out
    assert len(whole.split("@@ -1,78 +1,79 @@\n")[1].splitlines()) == 79
    assert unshade("diff", PHONG, edited, "-U", "-1").code == 2


def test_side_by_side(edited: Path) -> None:
    lines = unshade("diff", PHONG, edited, "-y", "-U1", "--only", "code").out.splitlines()[-3:]
    assert [len(line.split("   ")[0]) for line in lines[::2]]
    assert re.fullmatch(r"sample r3\S+, .*s1 {10,}sample r3\S+, .*s1", lines[0])
    assert re.fullmatch(r" {60,} > mov r3.x, l\(1.000000\)", lines[1])
    narrow = unshade("diff", PHONG, edited, "-y", terminal=True, COLUMNS="60", NO_COLOR="1").out
    code = narrow.split("1 added\n")[1].split("\n\n")[0].splitlines()
    assert max(map(len, code)) <= 60
    assert "…" not in "".join(code)  # what is wider than its half goes on below
    assert re.fullmatch(r"\S.* {3}.*", code[0])


def test_summary(edited: Path) -> None:
    ended = unshade("diff", "--summary", PHONG, edited)
    assert ended.code == 1
    assert ended.out.startswith(f"{PHONG} → {edited}: the code differs: 1 of 79 lines added; ")
    assert ended.out.count("\n") == 1
    for option in ("-y", "-U3"):
        assert unshade("diff", "--summary", PHONG, edited, option).code == 2


def test_categories(edited: Path) -> None:
    ended = unshade("diff", PHONG, edited, "--ignore", "code,compiler")
    assert ended.code == 0
    assert ended.out.endswith(
        ": the same except for ignored differences: the code and the compiler\n"
    )
    ended = unshade("diff", PHONG, edited, "--only", "compiler", "--only", "interface")
    assert ended.code == 1
    assert "SHDR" not in ended.out
    assert "(ignored: the code)" in ended.out
    ended = unshade("diff", PHONG, edited, "--ignore", "nonsense")
    assert (ended.code, ended.out) == (2, "")
    assert "ignore: unknown category 'nonsense'; expected one of code, interface, " in ended.err


def test_json(edited: Path) -> None:
    schema = json.loads(unshade("diff", "--schema", "x", "y").out)
    ended = unshade("diff", "--json", PHONG, edited)
    assert ended.code == 1
    found = json.loads(ended.out)
    assert violations(found, schema) == []
    assert (found.pop("before"), found.pop("after")) == (str(PHONG), str(edited))
    assert found == library.diff(library.open(PHONG), library.open(edited)).to_dict()
    assert json.loads(unshade("diff", "--json", PHONG, PHONG).out)["different"] is False


@pytest.fixture
def folders(tmp_path: Path, edited: Path) -> tuple[Path, Path]:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        (folder / "deep").mkdir(parents=True)
        (folder / "readme.txt").write_text("nothing")
    shutil.copy(PHONG, one / "deep" / "ps.cso")
    shutil.copy(edited, two / "deep" / "ps.cso")
    for folder in (one, two):
        shutil.copy(SAXPY, folder / "same.cso")
    shutil.copy(SAXPY, one / "gone.cso")
    shutil.copy(PHONG, two / "new.cso")
    return one, two


def test_folders(folders: tuple[Path, Path]) -> None:
    ended = unshade("diff", *folders)
    assert ended.code == 1
    place = os.path.join("deep", "ps.cso")
    assert sorted(ended.out.splitlines()) == [
        f"{place}: the code differs: 1 of 79 lines added; the compiler also differs; the interface"
        " is the same",
        "gone.cso: only in the first: compute shader 5.0 (cs_5_0), 1,236 bytes",
        "new.cso: only in the second: pixel shader 5.0 (ps_5_0), 2,780 bytes",
    ]
    assert ended.err == "unshade: 4 shaders: 1 the same, 3 different\n"
    assert "@@ -19,6 +19,7 @@" in unshade("diff", *folders, "-U3").out
    assert unshade("diff", folders[0], folders[0]).code == 0
    found = json.loads(unshade("diff", "--json", *folders).out)
    assert violations(found, json.loads(unshade("diff", "--schema", *folders).out)) == []
    assert {each["before"] is None for each in found} == {True, False}


def test_unreadable_file_in_a_folder(folders: tuple[Path, Path]) -> None:
    (folders[1] / "same.cso").write_bytes(SAXPY.read_bytes()[:100])
    ended = unshade("diff", *folders)
    assert ended.code == 3
    assert ended.err.startswith(f"unshade: {folders[1] / 'same.cso'}: at 0x")
    assert "3 different, 1 malformed" in ended.err
    found = json.loads(unshade("diff", "--json", *folders).out)
    assert violations(found, json.loads(unshade("diff", "--schema", *folders).out)) == []
    assert sum("error" in each for each in found) == 1


def test_wrong_usage(tmp_path: Path, folders: tuple[Path, Path]) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments, words in (
        (("one",), "expected two files or two folders, got 1"),
        (("-", "-"), "only one of the files can be standard input"),
        ((folders[0], PHONG), f"{folders[0]} is a folder without 'phong.dxbc'"),
        (("-", folders[0]), f"{folders[0]} is a folder without '-'"),
        ((empty, empty), "no shaders found in"),
        ((tmp_path / "none", PHONG), "none: No such file"),
        ((os.devnull, os.devnull), "neither file exists"),
    ):
        ended = unshade("diff", *arguments)
        assert (ended.code, ended.out) == (2, ""), arguments
        assert words in ended.err
    assert unshade("diff", PHONG, REPOSITORY / "README.md").code == 3


def test_a_file_and_the_one_of_its_name_in_a_folder(folders: tuple[Path, Path]) -> None:
    file = folders[0] / "same.cso"
    for given, shown in (((file, folders[1]), (file, folders[1] / file.name)),
                         ((folders[1], file), (folders[1] / file.name, file))):  # fmt: skip
        ended = unshade("diff", *given, "--summary")
        assert ended.code == 0
        assert ended.out.startswith(f"{shown[0]} → {shown[1]}: the same")


def test_standard_input_and_no_file() -> None:
    ended = unshade("diff", "-", PHONG, stdin=PHONG.read_bytes())
    assert (ended.code, ended.out) == (0, f"standard input → {PHONG}: the same, byte for byte\n")
    ended = unshade("diff", os.devnull, PHONG)
    assert ended.code == 1
    assert "only in the second: pixel shader 5.0 (ps_5_0), 2,780 bytes" in ended.out


def test_output(edited: Path, tmp_path: Path) -> None:
    place = tmp_path / "report.txt"
    ended = unshade("diff", PHONG, edited, "-o", place)
    assert (ended.code, ended.out) == (1, "")
    assert place.read_text("utf-8") == unshade("diff", PHONG, edited).out


def test_differing_words_are_marked() -> None:
    cells = marked("mul r0.x, r1.x, l(2)", "mul r0.x, r2.x, l(3)", "minus")
    assert [cell for cell in cells if isinstance(cell, tuple) and cell[1] == "minus word"] == [
        ("r1.x", "minus word"),
        ("2", "minus word"),
    ]
    assert "".join(cell[0] for cell in cells) == "mul r0.x, r1.x, l(2)"
    assert marked("ret", "ret", "plus") == [("ret", "plus")]
    assert ("add a, b", "plus word") in marked("add a, b", "x", "plus")


# ---------------------------------------------------------------- git


def test_arguments_of_git_diff_drivers(edited: Path, tmp_path: Path) -> None:
    hexes = ("155818c", "100644")
    ended = unshade("diff", "shaders/ps.cso", PHONG, *hexes, edited, *hexes)
    assert (ended.code, ended.err) == (0, "")  # git dies of anything else
    assert ended.out.startswith("shaders/ps.cso\nthe code differs: ")
    ended = unshade("diff", "a.cso", PHONG, *hexes, PHONG, *hexes, "b.cso", "similarity index 100%")
    assert ended.out == "b.cso: the same, byte for byte\n"
    ended = unshade("diff", "a.cso", os.devnull, ".", ".", PHONG, *hexes)
    assert (ended.code, ended.out[:25]) == (0, "a.cso: only in the second")
    broken = tmp_path / "broken"
    broken.write_bytes(PHONG.read_bytes()[:300])
    ended = unshade("diff", "a.cso", PHONG, *hexes, broken, *hexes)
    assert (ended.code, ended.out[:29]) == (0, "a.cso: not compared: at 0x10c")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
@pytest.mark.skipif(os.name != "posix", reason="the command is a shell's")
def test_git_textconv_and_diff_driver(edited: Path, tmp_path: Path) -> None:
    place = tmp_path / "repository"
    place.mkdir()
    tool = f"'{sys.executable}' -m unshade"
    env = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "PYTHONPATH": str(REPOSITORY / "src"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=place, env=env, capture_output=True, check=True, timeout=60
        )
        assert done.stderr == b""
        return done.stdout.decode()

    git("init", "-q")
    git("config", "user.email", "somebody@example.org")
    git("config", "user.name", "Somebody")
    (place / ".gitattributes").write_text("*.cso diff=shader\n")
    shutil.copy(PHONG, place / "ps.cso")
    shutil.copy(SAXPY, place / "cs.cso")
    git("add", ".")
    git("commit", "-qm", "first")
    shutil.copy(edited, place / "ps.cso")
    git("mv", "cs.cso", "moved.cso")
    git("config", "diff.shader.textconv", f"{tool} dis")
    text = git("diff", "HEAD", "--", "ps.cso")
    assert text.startswith("diff --git a/ps.cso b/ps.cso\n")
    assert "\n+mov r3.x, l(1.000000)\n" in text
    git("config", "diff.shader.command", f"{tool} diff")
    words = git("diff", "HEAD")
    assert "ps.cso\nthe code differs: 1 of 79 lines added; the compiler also differs" in words
    assert "\n+mov r3.x, l(1.000000)\n" in words
    assert "moved.cso: the same, byte for byte\n" in words
    git("commit", "-qam", "second")
    assert words.rstrip() in git("log", "-p", "--ext-diff", "-1")
