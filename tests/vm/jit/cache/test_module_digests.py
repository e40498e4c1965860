"""Digests of the modules that are loaded."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

import unshade
from unshade.programs.spirv.tables import grammar
from unshade.vm.jit.cache import disk, module_digests
from unshade.vm.jit.cache.module_digests import ABOVE, DATA, SETTLED, ModuleDigests

LATER = time.time_ns() + 10**15  # after every test


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNSHADE_CACHE", str(tmp_path / "kept"))
    folder = tmp_path / "package"
    folder.mkdir()
    for name in ("a.py", "b.py"):
        (folder / name).write_text(f"NAME = {name!r}\n")
    return folder


def digest(root: Path, *names: str) -> str:
    """Return what a new process computes."""
    return ModuleDigests(str(root), LATER).digest(names)


def test_digests_are_those_of_contents(root: Path) -> None:
    both = digest(root, "a.py", "b.py")
    assert both != digest(root, "a.py")
    first = root / "a.py"
    text = first.read_text()
    first.write_text(text.replace("a.py", "c.py"))
    assert digest(root, "a.py", "b.py") != both
    first.unlink()
    first.write_text(text)  # as if it were installed again
    assert digest(root, "a.py", "b.py") == both


def test_a_file_with_the_same_size_and_time_is_read_again(root: Path) -> None:
    code = ModuleDigests(str(root), LATER)
    before = code.digest(["a.py"])
    code.store_set(("a.py",))
    known = (root / "a.py").stat()
    (root / "a.py").write_text("NAME = 'x.py'\n")
    os.utime(root / "a.py", ns=(known.st_atime_ns, known.st_mtime_ns))
    assert (root / "a.py").stat().st_size == known.st_size
    assert digest(root, "a.py") not in ("", before)


def test_files_are_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = ModuleDigests(str(root), LATER)
    expected = code.digest(["a.py", "b.py"])
    name = code.store_set(("a.py", "b.py"))
    (root / "a.py").rename(root / "old.py")
    assert code.digest_of_set(name) == expected  # what this process has loaded
    assert ModuleDigests(str(root), LATER).digest_of_set(name) == ""
    (root / "old.py").rename(root / "a.py")
    assert ModuleDigests(str(root), LATER).digest_of_set(name) == expected
    read: list[str] = []
    monkeypatch.setattr(module_digests, "open", lambda path, _: read.append(path), raising=False)
    again = ModuleDigests(str(root), LATER)
    again.prefetch()
    assert again.digest_of_set(name) == expected
    assert not read


def test_files_that_change_while_a_process_runs_have_no_digest(root: Path) -> None:
    written = (root / "a.py").stat().st_ctime_ns
    assert ModuleDigests(str(root), written + SETTLED // 2).digest(["a.py"]) == ""
    assert ModuleDigests(str(root), written + 2 * SETTLED).digest(["a.py"]) != ""
    assert ModuleDigests(str(root), LATER).digest(["a.py", "none.py"]) == ""


def test_every_loaded_module_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ModuleDigests().loaded()
    assert {"__init__.py", os.path.join("vm", "jit", "cache", "module_digests.py")} <= {*found}
    assert len({*found}) == len(found)
    late = ModuleType("unshade.ir.late")
    late.__file__ = os.path.join(module_digests.ROOT, "ir", "late.py")
    monkeypatch.setitem(sys.modules, late.__name__, late)
    assert {*ModuleDigests().loaded()} - {*found} == {os.path.join("ir", "late.py")}
    late.__file__ = None  # it is in an archive, say
    assert ModuleDigests().loaded() == ()
    late.__file__ = os.path.join(os.path.dirname(module_digests.ROOT), "elsewhere.py")
    assert ModuleDigests().loaded() == ()
    code = ModuleDigests()
    monkeypatch.delitem(sys.modules, late.__name__)
    assert code.loaded() == code.loaded() == found
    monkeypatch.setitem(sys.modules, "unshade.other", late)
    assert code.loaded() == ()


def test_data_beside_modules_counts() -> None:
    table = Path(grammar.__file__).with_name("grammar.json")
    assert str(table.relative_to(module_digests.ROOT)) in ModuleDigests().loaded()
    package = Path(module_digests.ROOT)
    files = {
        each
        for each in package.rglob("*")
        if each.is_file() and each.relative_to(package).parts[0] not in module_digests.ABOVE
    }
    others = {each for each in files if each.suffix not in (".md", ".py", ".pyc", *DATA)}
    # A header is a part of a source, whose shader counts.
    assert {each.name for each in others} <= {"py.typed", "runtime_effect.glsl"}


def test_unknown_sets_are_invalid(root: Path) -> None:
    code = ModuleDigests(str(root), LATER)
    assert code.digest_of_set("ab" * 32) == ""
    disk.write("ab" * 32, b"a.py", disk.ENTRY)
    assert code.digest_of_set("ab" * 32) == code.digest(["a.py"])


def test_kernels_depend_on_no_layer_that_is_left_out() -> None:
    """Those above `run`, and only those, are left out."""
    text = (Path(__file__).parents[4] / "pyproject.toml").read_text()
    layers = re.search(r"^layers = \[\n(.*?)^\]", text, re.DOTALL | re.MULTILINE)
    assert layers is not None
    above, found = layers[1].partition('"run"')[::2]
    assert found
    assert {*ABOVE} == {*re.findall(r"\w+", re.sub(r"\(\w+\)", "", above))}
    assert time.time_ns() > unshade._STARTED
