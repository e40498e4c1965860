"""`unshade edit`: editors and compilers are scripts here, apart from compilers that are installed.

The stand-in for vkd3d-compiler reads the factor of saxpy's source and assembles its listing with
one instruction more.
"""

from __future__ import annotations

import glob
import os
import re
import shlex
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import unshade
from tests.cli.terminal import SAXPY
from tests.cli.terminal import unshade as unshade_line
from tests.examples import EXAMPLES
from unshade.cli.editor import edited_text, editor_command
from unshade.compilers import results
from unshade.errors import UsageError

pytestmark = pytest.mark.slow  # each starts processes

Editing = Callable[[str], str]
COMPILER = """
import os, re, sys
if sys.argv[1:] == ["--version"]:
    print("vkd3d shader compiler version 2.1")
    sys.exit()
sys.path.insert(0, {source!r})
import unshade
text = open(sys.argv[-1]).read()
if "**" in text:
    at = text[: text.index("**")].count("\\n") + 1
    print(f"source.hlsl:{{at}}:7: E5000: syntax error, unexpected '*'")
    sys.exit(1)
shader = unshade.open({example!r})
listing = shader.disassemble()
found = re.search(r"a \\* ([0-9.]+) \\*", text)
if found:
    line = f"mul r0.x, r0.xxxx, l({{found[1]}})"
    listing = listing.replace("mul r0.x, cb0", line + "\\nmul r0.x, cb0")
group = re.search(r"numthreads\\((\\d+)", text)
listing = listing.replace("dcl_thread_group 64,", f"dcl_thread_group {{group[1]}},")
made = unshade.assemble(listing, donor=shader)
open("output", "wb").write(made.to_bytes())
"""


def _script(path: Path, body: str) -> Path:
    path.write_text(f"#!{sys.executable}\n{body}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the files of editors in a folder of the test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.delenv("VISUAL", raising=False)
    results.clear()
    return folder


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editing:
    """Make a script the editor, whose body gets the text and its `path`."""

    def make(body: str) -> str:
        path = _script(
            tmp_path / "editor",
            f"import os, re, sys\npath = sys.argv[-1]\ntext = open(path).read()\n{body}\n"
            "open(path, 'w').write(text) if os.path.exists(path) else None\n",
        )
        monkeypatch.setenv("EDITOR", str(path))
        return str(path)

    return make


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = COMPILER.format(source=str(Path(unshade.__file__).parent.parent), example=str(SAXPY))
    monkeypatch.setenv("UNSHADE_VKD3D", str(_script(tmp_path / "vkd3d-compiler", body)))


def _kept(folder: Path) -> list[Path]:
    return [Path(each) for each in glob.glob(f"{folder}/unshade-edit-*/*")]


# -- the loop ------------------------------------------------------------------------------------


def test_an_edited_source_is_compiled_compared_and_put_back(
    editor: Editing, compiler: None, tmp_path: Path, temporary: Path
) -> None:
    editor("text = text.replace('a * X', 'a * 2.0 * X')")
    out = tmp_path / "out.dxbc"
    ended = unshade_line("edit", SAXPY, "-o", out)
    assert ended.code == 0, ended.err
    assert "+mul r0.x, r0.xxxx, l(2.000000)" in ended.out
    assert "1 added" in ended.out
    made, before = unshade.open(out), unshade.open(SAXPY)
    assert isinstance(made, unshade.DxContainer)
    assert isinstance(before, unshade.DxContainer)
    for name in ("RDEF", "ISGN", "OSGN"):
        assert made.parts[name].data == before.parts[name].data
    assert made.digest_state == before.digest_state
    assert made.reflect().statistics != before.reflect().statistics
    assert not _kept(temporary)


@pytest.mark.skipif(os.name == "nt", reason="quotes of POSIX shells")
def test_the_command_that_goes_on_repeats_the_choices_and_quotes_names(
    editor: Editing, compiler: None, tmp_path: Path, temporary: Path
) -> None:
    """A file is named by a stranger, and the command is copied into a shell."""
    file = tmp_path / "$(touch pwned) `x`;.dxbc"
    shutil.copy(SAXPY, file)
    editor("text = text.replace('a * X', 'a ** X')")
    given: list[str | Path] = [
        "edit",
        file,
        "-n",
        "--to",
        "hlsl",
        "-D",
        "A=1 2",
        "--compiler",
        "vkd3d-compiler",
    ]
    ended = unshade_line(*given)
    assert ended.code == 3
    (kept,) = _kept(temporary)
    line = ended.err[ended.err.index("`unshade edit ") + 1 : ended.err.rindex("`")]
    assert shlex.split(line) == [
        "unshade", "edit", str(file), "--source", str(kept), "--dry-run", "--to", "hlsl",
        "--compiler", "vkd3d-compiler", "--define", "A=1 2",
    ]  # fmt: skip


def test_in_place_and_dry_run(editor: Editing, compiler: None, tmp_path: Path) -> None:
    file = tmp_path / "a.dxbc"
    shutil.copy(SAXPY, file)
    editor("text = text.replace('a * X', 'a * 3.0 * X')")
    assert unshade_line("edit", file, "-n").code == 0
    assert file.read_bytes() == SAXPY.read_bytes()
    assert unshade_line("edit", file, "-i").code == 0
    assert "l(3.000000)" in unshade.open(file).disassemble()


def test_nothing_is_written_if_nothing_changed(
    editor: Editing, compiler: None, tmp_path: Path, temporary: Path
) -> None:
    editor("")
    ended = unshade_line("edit", SAXPY, "-o", tmp_path / "out.dxbc")
    assert (ended.code, ended.out) == (0, "")
    assert "nothing was changed" in ended.err
    assert not (tmp_path / "out.dxbc").exists()
    assert not _kept(temporary)


def test_errors_of_the_compiler_have_a_place_and_the_source_is_kept(
    editor: Editing, compiler: None, tmp_path: Path, temporary: Path
) -> None:
    editor("text = text.replace('a * X', 'a ** X')")
    out = tmp_path / "out.dxbc"
    ended = unshade_line("edit", SAXPY, "-o", out)
    assert ended.code == 3
    (kept,) = _kept(temporary)
    line = kept.read_text()[: kept.read_text().index("**")].count("\n") + 1
    assert f"{kept}:{line}:7: syntax error, unexpected '*' (E5000)" in ended.err
    assert f"--source {kept} -o {out}" in ended.err
    assert not out.exists()
    kept.write_text(kept.read_text().replace("**", "* 4.0 *"))
    ended = unshade_line("edit", SAXPY, "--source", kept, "-o", out)
    assert ended.code == 0, ended.err
    assert "l(4.000000)" in unshade.open(out).disassemble()
    assert kept.exists()


def test_a_changed_interface_is_refused_by_name(
    editor: Editing, compiler: None, tmp_path: Path, temporary: Path
) -> None:
    editor("text = text.replace('numthreads(64', 'numthreads(32')")
    ended = unshade_line("edit", SAXPY, "-o", tmp_path / "out.dxbc")
    assert ended.code == 2
    assert "program: thread group is 32 1 1, was 64 1 1" in ended.err
    assert _kept(temporary)


def test_without_a_compiler_the_listing_is_edited(
    editor: Editing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNSHADE_VKD3D", "none")
    monkeypatch.setenv("UNSHADE_FXC", "none")
    editor("text = text.replace('mul r0.x, cb0', 'add r0.x, cb0')")
    out = tmp_path / "out.dxbc"
    ended = unshade_line("edit", SAXPY, "-o", out)
    assert ended.code == 0
    first, fxc, vkd3d, instead, *_ = ended.err.splitlines()
    assert first == "unshade: no compiler that makes Direct3D bytecode is installed"
    assert fxc.startswith("unshade: fxc: UNSHADE_FXC does not name a program")
    assert vkd3d.startswith("unshade: vkd3d-compiler: UNSHADE_VKD3D does not name a program")
    assert instead == "unshade: the listing is edited instead"
    assert "add r0.x, cb0[0]" in unshade.open(out).disassemble()


@pytest.mark.skipif(os.name == "nt", reason="the compiler is a shell script")
def test_a_compiler_that_is_too_old_is_named(
    editor: Editing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "vkd3d"
    old.write_text("#!/bin/sh\necho 'vkd3d shader compiler version 1.2 (git 1)'\n")
    old.chmod(0o755)
    monkeypatch.setenv("UNSHADE_VKD3D", str(old))
    monkeypatch.setenv("UNSHADE_FXC", "none")
    editor("")
    ended = unshade_line("edit", SAXPY, "-o", tmp_path / "out.dxbc")
    assert "vkd3d-compiler 1.2 does not read HLSL: version 1.3 does" in ended.err


def test_an_error_of_the_listing_keeps_it(editor: Editing, tmp_path: Path, temporary: Path) -> None:
    editor("text = text.replace('mul r0.x', 'mull r0.x')")
    ended = unshade_line("edit", SAXPY, "--listing", "-n")
    assert ended.code == 3
    (kept,) = _kept(temporary)
    assert "unknown instruction" in ended.err or "mull" in ended.err
    assert "--listing" in ended.err
    assert "mull r0.x" in kept.read_text()


def test_a_language_without_compilers(editor: Editing, tmp_path: Path) -> None:
    editor("text = text.replace('0.5', '0.25')")
    out = tmp_path / "out.skslb"
    ended = unshade_line("edit", EXAMPLES / "noise.skslb", "-o", out)
    assert ended.code == 0, ended.err
    assert "0.25" in unshade.open(out).disassemble()


@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslang-tools")
def test_a_module_of_spirv_through_glslang(editor: Editing, tmp_path: Path) -> None:
    editor("text = text.replace('1.0', '0.5')")
    file = EXAMPLES / "clay.vert.spv"
    out = tmp_path / "out.spv"
    ended = unshade_line("edit", file, "--compiler", "glslang", "-o", out)
    assert ended.code == 0, ended.err
    made, before = unshade.open(out), unshade.open(file)
    assert made.programs[0].entry_points == before.programs[0].entry_points
    assert not [each for each in made.verify() if each.severity == "error"]
    assert "%float_0_5" in made.disassemble()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ([], "give one of -o PATH, --in-place and --dry-run"),
        (["-n", "-i"], "give one of"),
        (["-n", "--listing", "--to", "hlsl"], "--to cannot be combined with --listing"),
        (["-n", "--compiler", "slang"], "slang makes spirv, and the program is tpf"),
        (["-n", "--program", "3"], "no such program: 3"),
        (["-o", str(SAXPY)], "will not overwrite the input"),
    ],
)
def test_wrong_usage(line: list[str], problem: str, editor: Editing) -> None:
    editor("text += '\\n'")
    ended = unshade_line("edit", SAXPY, *line)
    assert ended.code == 2
    assert problem in ended.err


# -- the editor ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["{0}; touch {1}", "$({0} {1})", "`touch {1}`", "true && touch {1}", "{0} | sh"]
)
def test_a_command_line_of_a_shell_starts_no_shell(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "mark"
    monkeypatch.setenv("EDITOR", command.format("nothing", mark))
    ended = unshade_line("edit", SAXPY, "--listing", "-n")
    assert ended.code in (0, 2)
    assert not mark.exists()


def test_a_program_of_the_current_folder_is_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _script(tmp_path / "vim", "open('mark', 'w')\n")
    monkeypatch.chdir(tmp_path)
    for path, name in (("." + os.pathsep + "bin", "vim"), ("", "vim"), ("", "./vim")):
        monkeypatch.setenv("PATH", path)
        monkeypatch.setenv("EDITOR", name)
        with pytest.raises(UsageError, match="EDITOR: no program"):
            editor_command()
    assert not (tmp_path / "mark").exists()


def test_visual_goes_before_editor_and_arguments_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = _script(tmp_path / "my editor", "")
    monkeypatch.setenv("EDITOR", "nothing")
    monkeypatch.setenv("VISUAL", f"'{program}' --wait")
    assert editor_command() == [str(program), "--wait"]
    monkeypatch.setenv("VISUAL", "'open")
    with pytest.raises(UsageError, match="VISUAL: No closing quotation"):
        editor_command()


def test_the_name_of_a_shader_is_no_argument_of_the_editor(
    editor: Editing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The editor gets one absolute path, in a folder that only this user reads."""
    record = tmp_path / "record"
    editor(
        f"mode = os.stat(os.path.dirname(path)).st_mode\n"
        f"open({str(record)!r}, 'w').write(f'{{sys.argv[1:]}} {{mode & 0o077}}')"
    )
    monkeypatch.chdir(tmp_path)
    shutil.copy(SAXPY, tmp_path / "-c:!touch mark;$(x).dxbc")
    ended = unshade_line("edit", "--listing", "-n", "--", "-c:!touch mark;$(x).dxbc")
    assert ended.code == 0, ended.err
    assert re.fullmatch(r"\['/[^']*/unshade-edit-\w+/[\w.%-]+'\] 0", record.read_text())


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("sys.exit(3)", "editor ended with the exit code 3"),
        ("os.remove(path)", "the editor left no file"),
        ("open(path, 'wb').write(b'\\0\\xff' * 9); sys.exit()", "expected text, got binary data"),
    ],
)
def test_what_an_editor_may_leave(body: str, problem: str, editor: Editing) -> None:
    editor(body)
    ended = unshade_line("edit", SAXPY, "--listing", "-n")
    assert ended.code == 2
    assert problem in ended.err


def test_an_editor_that_fails_after_saving_loses_nothing(editor: Editing, temporary: Path) -> None:
    editor("open(path, 'w').write(text + '// mine'); sys.exit(1)")
    ended = unshade_line("edit", SAXPY, "--listing", "-n")
    assert ended.code == 2
    (kept,) = _kept(temporary)
    assert kept.read_text().endswith("// mine")
    assert str(kept) in ended.err


def test_a_missing_source_is_named(tmp_path: Path) -> None:
    absent = tmp_path / "absent.asm"
    ended = unshade_line("edit", SAXPY, "--listing", "--source", absent, "--dry-run")
    assert (ended.code, ended.err) == (2, f"unshade: {absent}: No such file or directory\n")


def test_a_source_without_a_compiler_is_no_listing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNSHADE_VKD3D", "none")
    monkeypatch.setenv("UNSHADE_FXC", "none")
    source = tmp_path / "a.hlsl"
    source.write_text("[numthreads(1, 1, 1)] void main() {}")
    ended = unshade_line("edit", SAXPY, "--source", source, "--dry-run")
    assert (ended.code, ended.out) == (2, "")
    [line] = ended.err.splitlines()
    assert line.startswith("unshade: no compiler that makes Direct3D bytecode is installed; fxc: ")
    assert line.endswith("; for a listing give --listing")


@pytest.mark.fast
def test_a_file_has_changed_if_its_text_is_another() -> None:
    with edited_text("a\né", "source.hlsl") as held:
        path = Path(held.path)
        assert not held.changed()
        path.write_bytes("a\né\n".encode())
        assert held.changed()
        path.write_bytes("a\né".encode())
        assert not held.changed()
        path.unlink()
        assert not held.changed()
        held.path = ""
