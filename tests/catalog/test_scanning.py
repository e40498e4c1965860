"""Scans: every shader once, files many-to-one, unchanged files not read, the same bytes again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest

from tests.catalog.places import ask, state
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from unshade import catalog, windows
from unshade.catalog import scanning, workers
from unshade.catalog.listing import ListedFile, listed
from unshade.errors import UsageError
from unshade.limits import Limits


def scanned(folder: Path, to: Path, **more: object) -> catalog.ScanResult:
    return catalog.scan([str(folder)], str(to), **more)  # type: ignore[arg-type]


def test_shaders_once_and_files_many_to_one(build: Path, tmp_path: Path) -> None:
    found = scanned(build, tmp_path / "cat")
    assert found == catalog.ScanResult(1, 7, 7, 0, 4, 1, 0)
    name = sha256(PHONG.read_bytes()).hexdigest()
    assert ask(tmp_path / "cat", "SELECT name, place, shader FROM places ORDER BY ALL")[1:4] == [
        ("cut.dxbc", "dxbc@0x0", sha256(PHONG.read_bytes()[:2000]).hexdigest()),
        ("old/copy.dxbc", "dxbc@0x0", name),
        ("pack.bin", "gzip@0x0!dxbc@0x0", sha256(SAXPY.read_bytes()).hexdigest()),
    ]
    assert ask(
        tmp_path / "cat",
        "SELECT format, code, stage, profile, instructions, threads_x, damage IS NULL"
        " FROM shaders ORDER BY size",
    ) == [
        ("dxcontainer", "tpf", "compute", "cs_5_0", 18, 64, True),
        ("spirv", "spirv", "pixel", None, 27, None, True),
        ("dxcontainer", "tpf", "pixel", "ps_5_0", None, None, False),
        ("dxcontainer", "tpf", "pixel", "ps_5_0", 77, None, True),
    ]


def test_a_damaged_shader_is_a_row_with_what_is_intact(made: Path) -> None:
    [(path, problem)] = ask(made, "SELECT path, problem FROM damaged")
    assert path.endswith("/cut.dxbc")
    assert problem == "parts[3].size: expected 1724 bytes for SHDR, got 1100"
    assert ask(
        made,
        "SELECT name FROM resources WHERE shader IN (SELECT shader FROM damaged)"
        " AND kind = 'texture' ORDER BY name",
    ) == [("env",), ("tex",)]


def test_the_damage_of_a_copy_elsewhere_is_the_same(build: Path, tmp_path: Path) -> None:
    cut = (build / "cut.dxbc").read_bytes()
    (build / "later.bin").write_bytes(bytes(100) + cut)
    scanned(build, tmp_path / "cat")
    assert len(ask(tmp_path / "cat", "SELECT DISTINCT shader, problem FROM damaged")) == 1
    assert len(ask(tmp_path / "cat", "SELECT * FROM damaged")) == 2


@pytest.mark.parametrize(("jobs", "segment", "piece"), [(1, 1, 1), (2, 2, 50), (1, 100, 1)])
def test_the_bytes_depend_on_the_files_alone(
    build: Path, made: Path, tmp_path: Path, jobs: int, segment: int, piece: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(scanning, "SEGMENT", segment)
    monkeypatch.setattr(scanning, "PIECE_ROWS", piece)
    scanned(build, tmp_path / "other", jobs=jobs)
    assert state(tmp_path / "other") == state(made)


def test_unchanged_files_are_not_read(
    build: Path, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(made)
    with monkeypatch.context() as patch:
        patch.setattr(workers.ScanWorkers, "read", None)  # not called
        assert scanned(build, made) == catalog.ScanResult(None, 7, 0, 0, 0, 0, 0)
    assert state(made) == before
    assert scanned(build, made, again=True).run is None
    assert state(made) == before


def test_changed_new_and_removed_files(build: Path, made: Path) -> None:
    shutil.copy(SAXPY, build / "phong.dxbc")
    (build / "cut.dxbc").unlink()
    (build / "pack.bin").rename(build / "pack2.bin")
    found = scanned(build, made)
    assert (found.run, found.read, found.removed, found.shaders) == (2, 2, 2, 0)
    assert ask(made, "SELECT name, run FROM files ORDER BY name") == [
        ("clay.frag.spv", 1), ("old/copy.dxbc", 1), ("pack2.bin", 2), ("phong.dxbc", 2),
        ("saxpy.dxbc", 1), ("words.txt", 1),
    ]  # fmt: skip
    assert ask(made, "SELECT count(*) FROM shaders") == [(3,)]  # the damaged one has left
    assert ask(made, "SELECT count(*) FROM places") == [(5,)]
    assert ask(made, "SELECT count(*) FROM damaged") == [(0,)]
    (build / "phong.dxbc").unlink()
    shutil.copy(PHONG, build / "phong.dxbc")
    assert scanned(build, made).run == 3
    assert ask(made, "SELECT run FROM files WHERE name = 'phong.dxbc'") == [(3,)]


def test_several_roots_keep_their_files(build: Path, made: Path, tmp_path: Path) -> None:
    other = tmp_path / "one.dxbc"
    shutil.copy(PHONG, other)
    assert catalog.scan([str(other)], str(made))[:4] == (2, 1, 1, 0)
    assert ask(made, "SELECT count(*) FROM files") == [(8,)]
    assert scanned(build, made).run is None


def test_files_of_a_folder_that_are_named_one_by_one_stay(tmp_path: Path, build: Path) -> None:
    made = tmp_path / "cat"
    for name in ("phong.dxbc", "saxpy.dxbc"):
        assert catalog.scan([str(build / name)], str(made)).removed == 0
    assert ask(made, "SELECT name FROM files ORDER BY name") == [("phong.dxbc",), ("saxpy.dxbc",)]
    (build / "phong.dxbc").unlink()
    found = scanned(build, made)  # the whole folder
    assert found.removed == 1
    assert ("phong.dxbc",) not in ask(made, "SELECT name FROM files")


def test_a_folder_below_one_that_was_scanned_loses_its_files(build: Path, made: Path) -> None:
    (build / "old" / "copy.dxbc").unlink()
    (build / "saxpy.dxbc").unlink()
    found = catalog.scan([str(build / "old")], str(made))
    assert found.removed == 1
    names = [name for (name,) in ask(made, "SELECT name FROM files")]
    assert "old/copy.dxbc" not in names
    assert "saxpy.dxbc" in names  # which is not below


@pytest.mark.parametrize("name", ["who?", "a[1]", "it's", "all*", "{a,b}", "a#b%20c"])
def test_folders_whose_names_mean_something_to_others(
    name: str, tmp_path: Path, build: Path
) -> None:
    if windows.HERE and not name.isidentifier():
        pytest.skip("names of Windows")
    made = tmp_path / name / "cat"
    for each in ("phong.dxbc", "saxpy.dxbc"):
        assert catalog.scan([str(build / each)], str(made)).shaders == 1
    catalog.compact(str(made))
    assert ask(made, "SELECT count(*) FROM shaders") == [(2,)]


def test_an_interrupted_scan_goes_on(
    build: Path, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "SEGMENT", 2)
    other = tmp_path / "other"
    read = workers.ScanWorkers.read
    count = 0

    def interrupted(self: workers.ScanWorkers, batch: list[ListedFile]) -> None:
        nonlocal count
        count += 1
        if count == 6:
            raise KeyboardInterrupt
        read(self, batch)

    monkeypatch.setattr(workers.ScanWorkers, "size", 1)
    monkeypatch.setattr(workers.ScanWorkers, "read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        scanned(build, other)
    assert not (other / "catalog.json").exists()
    scanned(build, other)
    assert count == 6 + 3  # four files were in complete segments
    assert state(other) == state(made)


def test_what_a_killed_scan_left_is_removed(build: Path, made: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "pending").mkdir(parents=True)
    (other / "shaders").mkdir()
    (other / "shaders" / "000001-07.parquet").write_bytes(b"half")
    (other / "pending" / "scan.json").write_text("{")
    (other / "pending" / "000001-files.parquet").write_bytes(b"half")
    scanned(build, other)
    assert state(other) == state(made)


def test_a_file_that_cannot_be_read_is_a_row(build: Path, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (build / "phong.dxbc").chmod(0)
    assert scanned(build, tmp_path / "cat").failed == 1
    assert ask(tmp_path / "cat", "SELECT name, error FROM files WHERE error IS NOT NULL") == [
        ("phong.dxbc", "Permission denied")
    ]


def test_a_limit_is_a_row(build: Path, tmp_path: Path) -> None:
    found = scanned(build, tmp_path / "cat", limits=Limits(layers=0))
    assert found.failed == 1
    [(name, error)] = ask(tmp_path / "cat", "SELECT name, error FROM files WHERE error IS NOT NULL")
    assert name == "pack.bin"
    assert error.startswith("limit layers = 0 exceeded")


def test_names_that_are_not_utf8(build: Path, tmp_path: Path) -> None:
    try:
        shutil.copy(PHONG, os.fsdecode(os.fsencode(build) + b"/\xff.dxbc"))
    except OSError:
        pytest.skip("the file system refuses such names")
    scanned(build, tmp_path / "cat")
    assert ask(tmp_path / "cat", "SELECT name FROM places WHERE name LIKE '%xff%'") == [
        ("\\xff.dxbc",)
    ]
    assert scanned(build, tmp_path / "cat").run is None


@pytest.mark.parametrize(
    ("given", "root"),
    [("build", "build"), (".", "."), ("build/../build/game//", "build/game"),
     ("./build/game/ps/saxpy.dxbc", "build/game/ps")],
)  # fmt: skip
def test_names_of_listed_files(
    given: str, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("build/game/ps").mkdir(parents=True)
    shutil.copy(SAXPY, "build/game/ps/saxpy.dxbc")
    [file] = listed([given])
    assert (file.path, file.root) == ("build/game/ps/saxpy.dxbc", root)
    assert os.path.normpath(f"{file.root}/{file.name}") == file.path
    assert file.name == os.path.relpath(file.path, file.root)
    assert file.size == SAXPY.stat().st_size


def test_hidden_files_and_the_catalogue_are_left_out(build: Path) -> None:
    shutil.copy(PHONG, build / ".hidden.dxbc")
    assert scanned(build, build / "cat").files == 7
    assert scanned(build, build / "cat") == catalog.ScanResult(None, 7, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("paths", "problem"),
    [(["missing"], "missing: no such file or folder"), ("build", "expected a list of paths")],
)
def test_wrong_paths(paths: list[str], problem: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=problem):
        catalog.scan(paths, str(tmp_path / "cat"))
    assert not (tmp_path / "cat").exists()


def test_a_catalogue_is_quick_or_not(build: Path, made: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a catalogue that is not quick"):
        scanned(build, made, quick=True)
    scanned(build, tmp_path / "quick", quick=True)
    query = "SELECT count(shape), count(program) FROM shaders"
    assert ask(tmp_path / "quick", query) == [(0, 3)]
    assert ask(made, query) == [(3, 3)]


def test_the_keys_are_those_of_find(made: Path) -> None:
    import unshade
    from unshade.analysis.identities import KEYS

    shader = unshade.open(SAXPY)
    assert ask(
        made, f"SELECT {', '.join(KEYS)} FROM shaders WHERE profile = 'cs_5_0'"
    ) == [tuple(key(shader) for key in KEYS.values())]  # fmt: skip


# The command line with small segments, so that something is left to go on from.
KILLED = (
    "from unshade.catalog import scanning, workers\n"
    "scanning.SEGMENT = 4; workers.ScanWorkers.size = 1\n"
    "from unshade.cli import start; start()"
)


@pytest.mark.slow
def test_a_killed_scan_goes_on(tmp_path: Path) -> None:
    """The catalogue is that of a scan that was not killed, whenever it was."""
    scanned(EXAMPLES, tmp_path / "whole")
    to = tmp_path / "killed"
    line = ["catalog", "scan", str(EXAMPLES), "--to", str(to), "-j", "1"]
    left = False
    for segments in (1, 2):
        process = subprocess.Popen([sys.executable, "-c", KILLED, *line])
        while process.poll() is None:
            if len([*to.glob("pending/*-files.parquet")]) >= segments:
                process.kill()
                process.wait()
                left = True
            time.sleep(0.005)
    assert left
    assert not (to / "catalog.json").exists()
    assert unshade(*line).code == 0
    assert state(to) == state(tmp_path / "whole")
