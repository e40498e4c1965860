"""What a source may include."""

import os
from pathlib import Path

import pytest

from unshade.compilers.includes import Includes


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "shaders" / "lib").mkdir(parents=True)
    (tmp_path / "shaders" / "lib" / "a.hlsli").write_text("A")
    (tmp_path / "secret.txt").write_text("secret")
    return tmp_path


def test_files_below_the_folder_are_read_once(tree: Path) -> None:
    includes = Includes([str(tree / "shaders")])
    for path in ("lib/a.hlsli", "lib/../lib/a.hlsli"):
        assert includes.contents(str(tree / "shaders" / path)) == b"A"
    assert includes.read == [os.path.realpath(tree / "shaders" / "lib" / "a.hlsli")]


def test_absent_files_are_recorded(tree: Path) -> None:
    includes = Includes([str(tree / "shaders")])
    assert includes.contents(str(tree / "shaders" / "b.hlsli")) is None
    assert includes.absent == [os.path.realpath(tree / "shaders" / "b.hlsli")]


@pytest.mark.parametrize(
    "path", ["../secret.txt", "lib/../../secret.txt", "link", "folder/secret.txt"]
)
def test_nothing_outside_is_read(tree: Path, path: str) -> None:
    os.symlink(tree / "secret.txt", tree / "shaders" / "link")
    os.symlink(tree, tree / "shaders" / "folder")
    includes = Includes([str(tree / "shaders")])
    assert includes.contents(str(tree / "shaders" / path)) is None
    assert includes.contents(f"{tree}/shaders/{path}\0") is None
    assert (includes.read, includes.absent) == ([], [])


def test_a_folder_whose_name_begins_alike_is_another(tree: Path) -> None:
    (tree / "shaders2").mkdir()
    (tree / "shaders2" / "a.hlsli").write_text("B")
    assert Includes([str(tree / "shaders")]).contents(str(tree / "shaders2" / "a.hlsli")) is None


def test_pipes_and_folders_are_not_read(tree: Path) -> None:
    os.mkfifo(tree / "shaders" / "pipe")
    includes = Includes([str(tree / "shaders")])
    assert includes.contents(str(tree / "shaders" / "pipe")) is None
    assert includes.contents(str(tree / "shaders" / "lib")) is None
