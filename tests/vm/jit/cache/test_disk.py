"""The object cache: hits, damaged files, and its size limit."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.vm.engines import parsed, run, words
from unshade import windows
from unshade.vm.jit import Jit
from unshade.vm.jit import compile as compiling
from unshade.vm.jit.cache import disk
from unshade.vm.jit.object_file import usable

TEXT = """
kernel main compute group 8 1 1
memory %u0 buffer 4 writable
%0 = source thread_id.x
%1 = imul %0, i32 {factor}
store %u0[%0, i32 0], %1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNSHADE_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def used(factor: int = 3, quick: bool | None = None) -> bool:
    """Run a kernel with a new engine; return True if its code was in the cache."""
    engine = Jit(threads=1, width=8, quick=quick)
    kernel = parsed(TEXT.format(factor=factor))
    found, *_ = run(engine, kernel, {"u0": bytes(32)})
    assert found["u0"] == words(*range(0, 8 * factor, factor))
    (compiled,) = engine.kernels[kernel].values()
    return compiled.machine_code.cached


def objects(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.o"))


def test_code_is_found_again(folder: Path) -> None:
    assert [used(), used(), used(5), used(5), used()] == [False, True, False, True, True]
    assert len(objects(folder)) == 2


@pytest.mark.slow
def test_damaged_objects_are_replaced(folder: Path) -> None:
    used()
    (place,) = objects(folder)
    good = place.read_bytes()
    for bad in (b"", good[:20], good[:-1], good[:100] + b"\xff" + good[101:], bytes(len(good))):
        place.write_bytes(bad)
        assert not used()
        assert place.read_bytes() == good
    assert used()


LIVES = """
import gc
from tests.vm.jit.cache.test_disk import TEXT
from tests.vm.engines import parsed, run
from unshade.vm.jit import Jit, compile

compile.usable = lambda: False  # all code is loaded by LLVM

for number in range(20):
    engine, kernel = Jit(threads=1, width=8), parsed(TEXT.format(factor=number))
    run(engine, kernel, {"u0": bytes(32)})
    if number % 2:
        cycle = [engine, kernel]
        cycle.append(cycle)
    if number % 7 == 6:
        gc.collect()
"""


@pytest.mark.slow
def test_code_is_freed_in_order(folder: Path) -> None:
    """With glibc overwriting freed memory, a use after free would crash."""
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(["src", "."]), "MALLOC_PERTURB_": "165",
    }  # fmt: skip
    subprocess.run(
        [sys.executable, "-c", LIVES], cwd=Path(__file__).parents[4], env=environment, check=True
    )


@pytest.mark.slow
@pytest.mark.parametrize("given", ["", "off"])
def test_no_cache(given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNSHADE_CACHE", given)
    assert not used()
    assert not used()
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    monkeypatch.setenv("UNSHADE_CACHE", str(blocked))
    assert not used()
    assert not used()


@pytest.mark.slow
def test_a_read_only_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files in it are used; other code is compiled each time."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    used()
    monkeypatch.setattr(os, "utime", refuse)
    monkeypatch.setattr(os, "mkdir", refuse)
    monkeypatch.setattr(os, "replace", refuse)
    assert [used(), used(5), used(5)] == [True, False, False]
    assert len(objects(folder)) == 1


@pytest.mark.slow
def test_the_folder_is_tidied_periodically(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "TIDY_EVERY", 1)
    monkeypatch.setattr(disk, "MAX_BYTES", 12_000)
    for number in range(40):
        disk.write(f"{number:064x}", bytes(1000))
        assert sum(each.stat().st_size for each in objects(folder)) <= 12_000
    assert not used()
    assert used()


def test_foreign_files_are_kept(folder: Path) -> None:
    """Other files survive, even if the folder is not a cache."""
    name = "ab" * 32
    disk.write(name, bytes(1000))
    others = [folder / "main.o", folder / "ab" / "main.o", folder / "src" / f"{name}.o"]
    for place in others:
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(bytes(1000))
    half = folder / "ab" / f".{name}.o.x1y2"  # its process ended while it wrote
    half.write_bytes(bytes(1000))
    disk.tidy(0)
    assert all(place.exists() for place in others)
    assert not half.exists()
    assert disk.read(name) is None


def test_the_oldest_objects_are_removed_first(folder: Path) -> None:
    names = [f"{number:064x}" for number in range(6)]
    for age, name in enumerate(names):
        disk.write(name, bytes(1000))
        os.utime(folder / name[:2] / f"{name}.o", (age, age))
    disk.read(names[0])
    disk.tidy(4 * 1032)
    assert [name for name in names if disk.read(name)] == [names[0], names[4], names[5]]


@pytest.mark.slow
def test_processes_share_a_folder(folder: Path) -> None:
    program = "from tests.vm.jit.cache.test_disk import used; print([used(n) for n in range(1, 6)])"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["src", "."])}
    root = Path(__file__).parents[4]
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program], cwd=root, env=environment, stdout=subprocess.PIPE
        )
        for _ in range(2)
    ]
    for each in started:
        out, _ = each.communicate(timeout=60)
        assert each.returncode == 0
        assert out.startswith(b"[")
    assert len(objects(folder)) == 5
    assert all(used(n) for n in range(1, 6))


def test_the_folder_is_private(folder: Path) -> None:
    used()
    assert folder.stat().st_mode & 0o777 == 0o700
    (place,) = objects(folder)
    assert place.stat().st_mode & 0o777 == 0o600
    assert place.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(windows.HERE, reason="modes of files")
@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_a_folder_that_others_may_read_is_not_used(folder: Path, mode: int) -> None:
    used()
    (place,) = objects(folder)
    folder.chmod(mode)
    assert not used()
    advice = "; remove it, since others could write there" if mode & 0o022 else ""
    assert disk.refusal(str(folder)) == f"expected mode 0700, got 0{mode:o}{advice}"
    assert disk.usage()[1:] == (disk.refusal(str(folder)), 0, 0, 0)
    assert disk.clear() == 0
    place.unlink()
    used()
    assert not objects(folder)
    folder.chmod(0o700)
    assert [used(), used()] == [False, True]


@pytest.mark.skipif(windows.HERE, reason="owners of files")
def test_a_folder_of_another_user_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert not used()
    assert disk.refusal(str(folder)).startswith("expected a folder of user 12345, got one of")


@pytest.mark.skipif(windows.HERE, reason="LOCALAPPDATA names the folder")
def test_the_default_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNSHADE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "kept"))
    assert disk.folder() == str(tmp_path / "kept" / "unshade" / "jit")
    monkeypatch.setenv("HOME", str(tmp_path))
    for other in ("", "kept"):  # relative paths are to be ignored
        monkeypatch.setenv("XDG_CACHE_HOME", other)
        assert disk.folder() == str(tmp_path / ".cache" / "unshade" / "jit")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # a user without a home
    monkeypatch.chdir(tmp_path)
    assert disk.usage()[:2] == ("", "the user has no home folder")
    disk.write("ab" * 32, b"code")
    assert disk.read("ab" * 32) is None
    assert not [*tmp_path.iterdir()]


def test_numbers_of_a_seeded_generator_stay_the_same(folder: Path) -> None:
    random.seed(1)
    before = random.getstate()
    disk.write("ab" * 32, b"code")
    assert disk.read("ab" * 32) == b"code"
    assert random.getstate() == before


@pytest.mark.parametrize("name", ["OWN", "OF_LLVM", "PASSES"])
def test_code_is_compiled_again_for_other_options(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "usable", lambda: name != "OF_LLVM" and usable())
    if name == "OWN" and not usable():
        pytest.skip("LLVM loads object files on this machine")
    assert [used(quick=False), used(quick=False)] == [False, True]
    other = {**getattr(compiling, name)}
    if name == "PASSES":
        other["loop_unrolling"] = False
    else:
        other["codemodel"] = "medium" if name == "OWN" else "large"
    monkeypatch.setattr(compiling, name, other)
    assert not used(quick=False)


def test_clear_removes_what_is_counted(folder: Path) -> None:
    assert disk.usage() == (str(folder), "", 0, 0, 0)
    disk.write("ab" * 32, bytes(100))
    disk.write("ab" * 32, bytes(50), disk.ENTRY)
    (folder / "ab" / "mine.txt").write_bytes(b"mine")
    (folder / "cd").mkdir()
    assert disk.usage() == (str(folder), "", 1, 1, 214)
    assert disk.clear() == 214
    assert sorted(each.name for each in folder.rglob("*")) == ["ab", "mine.txt"]
    assert disk.usage().size == 0
