"""The command line as a whole: exit codes, arguments, streams, and modules imported at start."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import NoReturn

import click
import pytest

from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from unshade import __version__
from unshade.cli.commands.index import TASKS
from unshade.cli.parsing import COMMANDS, INSTEAD, OPTIONS_ELSEWHERE
from unshade.cli.parsing import unshade as group
from unshade.formats import Shader

VERBS = sorted(group.commands)


def test_help_names_every_verb() -> None:
    ended = unshade("--help")
    assert ended.code == 0
    assert all(verb in ended.out for verb in VERBS)
    assert "Exit codes" in ended.out


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_a_verb(verb: str) -> None:
    ended = unshade(verb, "--help")
    assert ended.code == 0
    assert "Usage: unshade " + verb in ended.out


@pytest.mark.parametrize(
    "line", [[], ["info"], ["nonsense"], ["info", "--nonsense", "x"], ["extract", str(PHONG)]]
)
def test_wrong_usage(line: list[str]) -> None:
    ended = unshade(*line)
    assert ended.code == 2
    assert "Usage" in ended.out + ended.err
    assert not ended.out


def test_version() -> None:
    first, python, *extras = unshade("--version").out.splitlines()
    assert first == f"unshade {__version__}"
    assert python.startswith(f"Python {sys.version_info[0]}.{sys.version_info[1]}.")
    found = {line.split()[0]: line for line in extras}
    assert {"run", "jit", "report", "find"} <= found.keys()
    assert not {"dev", "browser"} & found.keys()
    assert f"numpy {metadata.version('numpy')}" in found["run"]


def test_version_of_a_checkout_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> NoReturn:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "metadata", nothing)
    assert unshade("--version").out == f"unshade {__version__}, not installed as a package\n"


def test_version_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "llvmlite":
            raise metadata.PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(metadata, "version", version)
    lines = unshade("--version").out.splitlines()
    (found,) = (line for line in lines if line.split()[0] == "jit")
    assert found.endswith("; missing: llvmlite")
    assert not any("missing" in line for line in lines if line.split()[0] == "run")


def test_a_bug_is_reported_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Shader, dialect: str | None = None) -> str:
        raise KeyError("x")

    monkeypatch.setattr("unshade.formats.dxcontainer.DxContainer.disassemble", broken)
    ended = unshade("dis", PHONG, SAXPY)
    assert ended.code == 70
    assert ended.err.count("a bug in unshade") == 2
    assert "Traceback" not in ended.err


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Shader) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("unshade.formats.dxcontainer.DxContainer.reflect", interrupted)
    assert unshade("reflect", PHONG).code == 130


def test_the_list_of_verbs_has_whole_summaries() -> None:
    shown = " ".join(unshade("--help").out.split())
    assert "Compare two shaders or two folders; exit with 1 if they differ." in shown
    assert "..." not in shown.partition("Read:")[2].partition("FILE may be")[0]


def test_every_verb_belongs_to_one_task() -> None:
    listed = [name for names in TASKS.values() for name in names]
    assert sorted(listed) == VERBS
    assert "Other:" not in unshade("--help").out


def test_help_of_a_verb_by_name() -> None:
    assert unshade("help", "dis").out == unshade("dis", "--help").out
    assert unshade("help").out == unshade("--help").out
    assert unshade("help", "catalog", "scan").out == unshade("catalog", "scan", "--help").out
    ended = unshade("help", "inf")
    assert (ended.code, ended.out) == (2, "")
    assert "unshade: No such command 'inf'. Did you mean 'info'?" in ended.err


def test_errors_of_the_command_line_begin_as_all_others() -> None:
    ended = unshade("info")
    assert ended.err.splitlines() == [
        "Usage: unshade info [OPTIONS] FILE...",
        "unshade: Missing argument 'FILE...'.",
        "try: unshade info --help",
    ]


def test_a_missing_file_has_a_suggestion(tmp_path: Path) -> None:
    (tmp_path / "phong.dxbc").write_bytes(PHONG.read_bytes())
    ended = unshade("info", tmp_path / "phong.dxb")
    assert ended.code == 2
    assert ended.err.endswith("No such file or directory; did you mean phong.dxbc?\n")
    ended = unshade("info", tmp_path / "other")
    assert ended.err.endswith("No such file or directory\n")


# ---------------------------------------------------------------- as a process of its own

COMMAND = [sys.executable, "-m", "unshade"]
HERE = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent / "src")}


@pytest.mark.slow
def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    script = f"{sys.executable} -m unshade hexdump {PHONG} 2>{tmp_path / 'err'} | head -1"
    done = subprocess.run(script, shell=True, capture_output=True, env=HERE, check=True, timeout=60)
    assert done.stdout.startswith(b"0x0000")
    assert (tmp_path / "err").read_text() == ""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a shell with pipes")
@pytest.mark.parametrize(
    "line",
    [
        f"info {PHONG}",
        pytest.param(f"info --json {PHONG}", marks=pytest.mark.slow),
        pytest.param(f"hexdump {PHONG}", marks=pytest.mark.slow),
    ],
)
def test_a_closed_pipe_exits_with_141(line: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, *line.split()], stdout=writing, stderr=subprocess.PIPE, env=HERE, check=False,
        timeout=60,
    )  # fmt: skip
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a shell with pipes")
def test_messages_into_a_closed_pipe(tmp_path: Path) -> None:
    """As with `2>&1 | head`, which may end between the output and the message."""
    cut = tmp_path / "cut.dxbc"
    cut.write_bytes(PHONG.read_bytes()[:2000])
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, "info", str(cut)], stdout=subprocess.PIPE, stderr=writing, env=HERE,
        check=False, timeout=60,
    )  # fmt: skip
    os.close(writing)
    assert done.stdout
    assert done.returncode == 141


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes streams")
@pytest.mark.parametrize(
    ("line", "code", "out"),
    [
        (f"info {PHONG} >&-", 0, b""),
        pytest.param(f"info --json {PHONG} >&-", 0, b"", marks=pytest.mark.slow),
        pytest.param("info - <&-", 3, b"", marks=pytest.mark.slow),
        pytest.param("info nothing.dxbc 2>&-", 2, b"", marks=pytest.mark.slow),
    ],
)
def test_closed_standard_streams(line: str, code: int, out: bytes) -> None:
    done = subprocess.run(
        f"{sys.executable} -m unshade {line}", shell=True, capture_output=True, env=HERE,
        check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (code, out)
    assert b"Traceback" not in done.stderr
    assert b"bug" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_reported() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "info", str(PHONG), str(SAXPY)],
            stdout=full,
            stderr=subprocess.PIPE,
            env=HERE,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.decode().startswith("unshade: standard output: ")
    assert done.stderr.count(b"\n") == 1


HEAVY = ("click", "rich", "yaml", "inspect", "dataclasses", "pathlib", "tempfile", "json",
         "importlib.metadata", "unshade.cli.commands.running", "unshade.cli.commands.finding",
         "unshade.cli.commands.index")  # fmt: skip


def test_info_into_a_pipe_imports_nothing_heavy() -> None:
    code = (
        "import sys; from unshade.cli import main; main();"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "info", str(SAXPY)],
        capture_output=True,
        text=True,
        env=HERE,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_info_imports_no_other_format() -> None:
    code = (
        "import sys; from unshade.cli import main; main();"
        "print([name for name in sys.modules if name.startswith(('unshade.formats.', "
        "'unshade.programs.')) and 'dxcontainer' not in name and '.tpf' not in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "info", str(SAXPY)],
        capture_output=True, text=True, env=HERE, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_commands_of_other_tools_name_the_verb() -> None:
    from unshade.cli.parsing import COMMANDS, elsewhere

    assert not elsewhere().keys() & COMMANDS.keys()
    assert {verb.split()[0] for verb in elsewhere().values()} <= COMMANDS.keys()
    ended = unshade("compile", "x.hlsl")
    assert ended.code == 2
    assert "unshade: No such command 'compile': use asm --compile.\n" in ended.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("catalog scan . -o cat", "No such option '-o': use --to."),
        ("asm --compile a.hlsl -T ps_5_0", "No such option '-T': use --profile."),
        ("asm --compile a.hlsl -Fo a.cso", "No such option '-F': use --output."),
        ("render a.frag -S frag", "No such option '-S': use --stage."),
        ("decompile a.spv --hlsl", "No such option '--hlsl': use --to."),
    ],
)
def test_options_of_other_tools_are_named(line: str, said: str) -> None:
    ended = unshade(*line.split())
    assert ended.code == 2
    assert f"unshade: {said}\n" in ended.err


def test_every_option_of_another_tool_has_a_verb() -> None:
    own = {
        flag
        for command in COMMANDS.values()
        for each in command.get_params(click.Context(command))
        for flag in each.opts
    }
    assert not own & INSTEAD.keys()
    for name, meant in OPTIONS_ELSEWHERE.items():
        assert own.issuperset(meant), name
    assert "-S" not in own


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["spirv-val", "a.spv"], "No such command 'spirv-val': use verify."),
        (["spirv-cross", "a.spv"], "use decompile or reflect."),
        (["dis", "--color", "a.spv"], "No such option '--color': set FORCE_COLOR=1."),
        (["verify", "--target-env", "vulkan1.2", "a.spv"], "'--target-env': use --target."),
        (["info", "--target-env", "vulkan1.2", "a.spv"], "'--target-env': use --profile."),
        (["verify", "--scalar-block-layout", "a.spv"], "it is the default"),
    ],
)
def test_commands_and_options_of_other_tools_are_named(given: list[str], says: str) -> None:
    ended = unshade(*given)
    assert ended.code == 2
    assert says in ended.err
