"""The wheel holds the library, the source archive the repository, whose tests pass in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.corpus import REPOSITORY
from tests.once import once
from tests.sampling import is_sampled

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with both archives."""
    return once(tmp_path_factory, "dist", build)


def build(folder: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder)],
        cwd=REPOSITORY, check=True, capture_output=True,
    )  # fmt: skip


@pytest.fixture(scope="session")
def unpacked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what the source archive holds, in a folder that has nothing else near it."""
    folder = tmp_path_factory.mktemp("unpacked")
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.4 and later
            opened.extraction_filter = tarfile.data_filter
        opened.extractall(folder)
    (found,) = folder.iterdir()
    return found


def files_of(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_the_library(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with ZipFile(wheel) as opened:
        names = set(opened.namelist())
        shared = {name.rpartition(".data/data/")[2] for name in names if ".data/data/" in name}
        names = {name for name in names if ".dist-info/" not in name and ".data/" not in name}
        (metadata,) = [name for name in opened.namelist() if name.endswith("/METADATA")]
        text = opened.read(metadata).decode()
    assert names == files_of(REPOSITORY / "src")
    assert "unshade/py.typed" in names
    assert shared == {"share/man/man1/unshade.1"}
    assert "\nLicense-File: LICENSE\n" in text
    assert "# unshade\n" in text


def test_the_source_archive_holds_the_repository(unpacked: Path) -> None:
    if not (REPOSITORY / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no git checkout")
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, check=True, capture_output=True
    )
    tracked = {name for name in done.stdout.decode().split("\0") if name}
    there = {name for name in tracked if (REPOSITORY / name).exists()}
    assert there - files_of(unpacked) == set()


def test_the_tests_pass_in_the_source_archive(unpacked: Path) -> None:
    few = ["tests/wire", "tests/golden"] if is_sampled() else []
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "fast", *few],
        cwd=unpacked, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout
