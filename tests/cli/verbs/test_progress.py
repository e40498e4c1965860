"""A bar counts many files, unless the answers themselves fill the screen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from tests.cli.terminal import PHONG, SAXPY, Ended, unshade
from unshade.cli import inputs

BAR, NONE = True, False


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """Return the list of the totals of the bars that are asked for; two files are many."""
    asked: list[int | None] = []

    @contextmanager
    def bar(total: int | None = None, rate: str = "") -> Iterator[None]:
        asked.append(total)
        yield None

    monkeypatch.setattr(inputs, "FEW", 1)
    monkeypatch.setattr(inputs, "bar", bar)
    return asked


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a current folder with two shaders, their text and their YAML, each in a folder."""
    for name in ("files", "texts", "documents", "out"):
        (tmp_path / name).mkdir()
    for path in (PHONG, SAXPY):
        shutil.copy(path, tmp_path / "files")
        (tmp_path / "texts" / f"{path.stem}.asm").write_bytes(_out("dis", path))
        (tmp_path / "documents" / f"{path.stem}.yaml").write_bytes(_out("to-yaml", path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _out(*arguments: str | Path) -> bytes:
    done = unshade(*arguments)
    assert done.code == 0
    return done.data


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("verify files", BAR),
        ("verify files --json", BAR),
        ("check files --max-bytes 100000", BAR),
        ("asm texts -o out", BAR),
        ("from-yaml documents -o out", BAR),
        ("sign files -o out", BAR),
        ("strip files --debug -o out", BAR),
        ("translate files -o out --to spirv", BAR),
        ("strip files --debug --dry-run", NONE),
        ("strip files --debug --json -o out", NONE),
        ("translate files --to wgsl", NONE),
        ("info files", NONE),
        ("dis files", NONE),
        ("hexdump files", NONE),
        ("reflect files", NONE),
        ("cost files", NONE),
    ],
)
def test_verbs_whose_answers_fill_no_screen_have_a_bar(
    folder: Path, bars: list[int | None], line: str, expected: bool
) -> None:
    done = unshade(*line.split(), terminal=True)
    assert done.code in (0, 1), done.err
    assert bars == ([2] if expected else []), line
    bars.clear()
    shutil.rmtree(folder / "out")
    (folder / "out").mkdir()
    assert unshade(*line.split()).code == done.code
    assert bars == [2], "what goes to a file fills no screen"


def test_few_files_have_no_bar(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def bar(*_: object) -> NoReturn:
        raise AssertionError("a bar for two files")

    monkeypatch.setattr(inputs, "bar", bar)
    done: Ended = unshade("verify", "files", terminal=True)
    assert done.code == 0
    monkeypatch.setattr(inputs, "FEW", 2)
    assert unshade("verify", "files").code == 0
