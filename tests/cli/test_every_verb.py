"""One command line for each verb."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.lines import LINES, made_files
from tests.cli.terminal import unshade
from unshade.cli.parsing import COMMANDS


def test_every_verb_has_a_line() -> None:
    assert set(LINES) == set(COMMANDS)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return made_files(tmp_path_factory.mktemp("files"))


@pytest.mark.parametrize("verb", LINES)
def test_line(verb: str, files: dict[str, Path], tmp_path: Path) -> None:
    line, says = LINES[verb]
    ended = unshade(*verb.split(), *(each.format(**files, out=tmp_path) for each in line.split()))
    assert ended.code == 0, ended.err
    assert says in ended.out
    assert len([*tmp_path.iterdir()]) == line.count(" -o ")
