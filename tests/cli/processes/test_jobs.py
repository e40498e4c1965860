"""Several processes for the inputs of a command line: the same output, whatever happens to them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import INTERRUPTIBLE, SAXPY, Ended, unshade
from tests.examples import CONTAINERS, EXAMPLES
from unshade.cli.processes import jobs, messages, pool, sharing

pytestmark = pytest.mark.slow
BUDGET = """
[[budget]]
max-instructions = 10

[[budget]]
files = ["*.nothing"]
max-samples = 1
"""
AT_ONCE = (  # of a process: workers start after the first input, whatever they save
    "from unshade.cli.processes import sharing;"
    "sharing.Progress.asks_for_workers = lambda *given: True;"
)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start workers after the first input; `tests/cli/processes/test_sharing.py` decides when."""
    monkeypatch.setattr(sharing.Progress, "asks_for_workers", lambda self, patience: True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of shaders, one file that is none, a damaged one, and a hidden one."""
    made = tmp_path / "in"
    (made / "deep").mkdir(parents=True)
    for each in CONTAINERS:
        shutil.copy(each, made / "deep")
    shutil.copy(EXAMPLES / "lit.shbin", made)
    (made / "readme.txt").write_text("no shader")
    (made / "cut.dxbc").write_bytes(SAXPY.read_bytes()[:100])
    (made / ".hidden").write_bytes(SAXPY.read_bytes())
    return made


def both(*arguments: str | Path, terminal: bool = False) -> Ended:
    """Run a command line in one process and in three; return what both do alike."""
    one, three = (unshade(*arguments, "-j", n, terminal=terminal) for n in ("1", "3"))
    assert one == three
    assert one.out or one.err
    return one


@pytest.mark.parametrize(
    "verb",
    [
        "identify", "info", "parts", "dis", "reflect", "verify", "find", "strip --dry-run",
        "hexdump --only header", "hexdump --json", "reflect --json", "verify --format junit",
        "verify --format sarif", "check --max-instructions 10", "check --max-samples 1 --json",
    ],
)  # fmt: skip
@pytest.mark.parametrize("terminal", [False, True])
def test_the_output_is_the_same(verb: str, terminal: bool, folder: Path) -> None:
    both(*verb.split(), folder, terminal=terminal)


def test_budgets_that_match_nothing(folder: Path) -> None:
    (folder / "budgets.toml").write_text(BUDGET)
    ended = both("check", "--budgets", folder / "budgets.toml", folder)
    assert "budget[1] matches no shader: *.nothing" in ended.err


@pytest.mark.parametrize("verb", ["dis", "to-yaml", "sign", "strip", "extract", "render"])
def test_the_files_are_the_same(verb: str, folder: Path, tmp_path: Path) -> None:
    found = []
    for count in ("1", "3"):
        target = tmp_path / count
        ended = unshade(verb, "-j", count, folder, "-o", target)
        files = {
            path.relative_to(target): path.read_bytes()
            for path in target.rglob("*")
            if path.is_file()
        }
        found.append((ended.code, ended.out.replace(str(target), "X"), files))
    assert found[0] == found[1]
    assert found[0][2]


@pytest.mark.parametrize(("there", "back"), [("to-yaml", "from-yaml"), ("dis", "asm")])
def test_what_was_written_is_read_again(
    there: str, back: str, folder: Path, tmp_path: Path
) -> None:
    (folder / "cut.dxbc").unlink()
    unshade(there, folder, "-o", tmp_path / "texts")
    for count in ("1", "3"):
        assert unshade(back, "-j", count, tmp_path / "texts", "-o", tmp_path / count).code == 0
    for each in (folder / "deep").iterdir():
        made = [(tmp_path / count / "deep" / each.name).read_bytes() for count in ("1", "3")]
        assert made[0] == made[1]
        assert there == "dis" or made[0] == each.read_bytes()


def test_two_folders_are_compared(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    (other / "deep" / "phong.dxbc").write_bytes(SAXPY.read_bytes())
    (other / "lit.shbin").unlink()
    assert both("diff", folder, other).code == 3


def test_an_output_never_replaces_an_input(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert both("strip", folder, "-o", folder).code == 2
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_process_that_ends_is_reported_for_its_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pool.WorkerProcess.outcomes

    def outcomes(self: pool.WorkerProcess, items: Any) -> Any:
        if any(item.name.endswith("saxpy.dxbc") for item in items):
            self._process.kill()
        return whole(self, items)

    before = unshade("identify", "-j", "1", folder)
    monkeypatch.setattr(pool.WorkerProcess, "outcomes", outcomes)
    after = unshade("identify", "-j", "2", folder)
    lines = before.out.splitlines()
    assert after.out.splitlines() == [each for each in lines if "saxpy" not in each]
    path = folder / "deep" / "saxpy.dxbc"
    lost = f"unshade: {path}: not processed: its process ended by signal 9"
    assert lost in after.err.splitlines()
    assert after.code == 70


def test_without_the_option_it_starts_as_many_as_there_are_processors(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = unshade("identify", folder)
    begun: list[messages.Start] = []
    whole = pool.WorkerProcess.__init__

    def made(self: pool.WorkerProcess, start: messages.Start) -> None:
        begun.append(start)
        whole(self, start)

    monkeypatch.setattr(pool.WorkerProcess, "__init__", made)
    monkeypatch.setattr(jobs, "cores", lambda: 2)
    assert unshade("identify", folder) == alone
    assert 1 <= len(begun) <= 2


def test_standard_input_is_read_in_one_process(folder: Path) -> None:
    one, two = (
        unshade("identify", "-", folder, "-j", n, stdin=SAXPY.read_bytes()) for n in ("1", "2")
    )
    assert one == two
    assert one.out.startswith("standard input: dxcontainer")


def test_a_count_of_0(folder: Path) -> None:
    assert unshade("identify", "-j", "0", folder).code == 2


def many(folder: Path) -> Path:
    """Return a folder with enough files to be interrupted."""
    for n in range(2000):
        shutil.copy(SAXPY, folder / f"{n}.dxbc")
    return folder


def started(*arguments: str | Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", AT_ONCE + INTERRUPTIBLE, *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_all(folder: Path) -> None:
    process = started("dis", "-j", "2", many(folder))
    assert process.stdout is not None
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.decode().split() == ["unshade:", "interrupted"]
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_closed_pipe_ends_all(folder: Path) -> None:
    process = started("dis", "-j", "2", many(folder))
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait() == 141
    assert process.stderr.read() == b""
    process.stderr.close()
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_workers_import_nothing_from_the_current_folder(folder: Path) -> None:
    """Which may be somebody else's: Python looks there first for what `-c` runs."""
    for name in ("pickle", "struct", "signal", "unshade", "sitecustomize"):
        (folder / f"{name}.py").write_text(f"open('ran {name}', 'w')")
    search = [str(Path(pool.__file__).parents[3]), *filter(os.path.isabs, sys.path)]
    program = (
        f"import sys; sys.path[:] = {search!r}; {AT_ONCE} from unshade.cli import start; start()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, "info", "deep", "-j", "3"], cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0
    assert b"fine" in ended.stderr
    assert not [*folder.glob("ran *")]
