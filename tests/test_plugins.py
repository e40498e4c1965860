"""Entry points are found as `importlib.metadata` finds them."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from unshade import plugins

GROUP = "unshade.test_plugins"
TEXT = f"[{GROUP}]\nnew = os:path\n"
FILES = {
    "wheel": "new-1.0.dist-info/entry_points.txt",
    "old": "new.egg-info/entry_points.txt",
}


def names() -> list[str]:
    found = [each.name for each in plugins.entry_points(GROUP)]
    assert found == [each.name for each in importlib.metadata.entry_points(group=GROUP)]
    return found


def package(folder: Path, entry: str, text: str) -> None:
    path = folder / entry
    path.parent.mkdir(parents=True)
    path.write_text(text)
    (path.parent / "METADATA").write_text("Metadata-Version: 2.1\nName: new\nVersion: 1.0\n")
    (path.parent / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: new\nVersion: 1.0\n")


def test_no_package_names_the_group() -> None:
    assert names() == []


@pytest.mark.parametrize("entry", FILES.values(), ids=FILES)
def test_a_package_in_a_folder(entry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, entry, TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    assert names() == ["new"]


def test_an_egg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path / "new.egg", "EGG-INFO/entry_points.txt", TEXT)
    monkeypatch.syspath_prepend(tmp_path / "new.egg")
    assert names() == ["new"]


def test_a_package_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "new.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr(FILES["wheel"], TEXT)
        archive.writestr("new-1.0.dist-info/METADATA", "Name: new\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(path)
    assert names() == ["new"]


def test_a_finder_of_another_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    point = importlib.metadata.EntryPoint("new", "os:path", GROUP)

    class Found(importlib.metadata.Distribution):
        metadata = {"Name": "found"}  # type: ignore[assignment]  # noqa: RUF012
        entry_points = importlib.metadata.EntryPoints([point])

        def read_text(self, filename: str) -> None:
            return None

        def locate_file(self, path: object) -> Path:
            return Path(str(path))

    class Finder:
        @staticmethod
        def find_spec(*_: object) -> None:
            return None

        @staticmethod
        def find_distributions(*_: object) -> list[Found]:
            return [Found()]

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    assert names() == ["new"]


def test_folders_that_cannot_be_read_have_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, "new-1.0.dist-info/other.txt", TEXT)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path), str(tmp_path / "missing"), ""])
    assert names() == []
