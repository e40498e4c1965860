"""Folders of shaders, and catalogues of them."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from tests.cli.terminal import PHONG, SAXPY
from tests.examples import EXAMPLES
from unshade import catalog


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """Return a folder with shaders of two families, a copy, a packed, and a damaged shader."""
    folder = tmp_path / "build"
    (folder / "old").mkdir(parents=True)
    for path in (PHONG, SAXPY, EXAMPLES / "clay.frag.spv"):
        shutil.copy(path, folder)
    shutil.copy(PHONG, folder / "old" / "copy.dxbc")
    (folder / "pack.bin").write_bytes(gzip.compress(SAXPY.read_bytes(), mtime=0))
    (folder / "cut.dxbc").write_bytes(PHONG.read_bytes()[:2000])
    (folder / "words.txt").write_text("no shader")
    return folder


@pytest.fixture
def made(build: Path, tmp_path: Path) -> Path:
    """Return the folder of a catalogue of `build`."""
    catalog.scan([str(build)], str(tmp_path / "cat"))
    return tmp_path / "cat"
