"""Differences of two catalogues: pairs by name, then by what is the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from unshade import catalog


def test_changed_moved_added_and_removed(build: Path, made: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    shutil.copytree(build, new)
    stripped = library.open(PHONG)
    stripped.strip(*["reflection"])
    stripped.save(new / "phong.dxbc")
    other = library.open(SAXPY).disassemble("exact").replace("mul ", "add ", 1)
    library.assemble(other, "dxcontainer", donor=library.open(SAXPY)).save(new / "saxpy.dxbc")
    (new / "clay.frag.spv").rename(new / "mud.spv")
    (new / "cut.dxbc").unlink()
    shutil.copy(EXAMPLES / "matmul.dxbc", new)
    catalog.scan([str(new)], str(tmp_path / "cat2"))
    found = catalog.compare(str(made), str(tmp_path / "cat2"))
    assert found.same == 2
    assert [(each.kind, each.name, each.what, each.from_name) for each in found.changes] == [
        ("removed", "cut.dxbc", None, None),
        ("added", "matmul.dxbc", None, None),
        ("moved", "mud.spv", "nothing", "clay.frag.spv"),
        ("changed", "phong.dxbc", "rest of the file", None),
        ("changed", "saxpy.dxbc", "code", None),
    ]
    ended = unshade("catalog", "diff", made, tmp_path / "cat2")
    assert ended.code == 1
    assert ended.out.splitlines() == [
        "removed  cut.dxbc!dxbc@0x0",
        "added    matmul.dxbc!dxbc@0x0",
        "moved    clay.frag.spv to mud.spv!spv@0x0",
        "changed  phong.dxbc!dxbc@0x0  rest of the file",
        "changed  saxpy.dxbc!dxbc@0x0  code",
        "2 shaders the same, 2 changed, 1 moved, 1 added, 1 removed",
    ]
    data = json.loads(unshade("catalog", "diff", made, tmp_path / "cat2", "--json").out)
    assert (data["same"], data["changed"], data["changes"][2]["before"][:6]) == (2, 2, "575942")


def test_a_renamed_shader_with_other_registers(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    shutil.copy(SAXPY, before / "a.dxbc")
    text = library.open(SAXPY).disassemble("exact").replace("r0", "r9").replace("r1", "r0")
    text = text.replace("r9", "r1")
    library.assemble(text, "dxcontainer", donor=library.open(SAXPY)).save(after / "b.dxbc")
    for each in (before, after):
        catalog.scan([str(each)], str(tmp_path / f"{each.name}-cat"))
    found = catalog.compare(str(tmp_path / "before-cat"), str(tmp_path / "after-cat"))
    assert [(each.kind, each.what) for each in found.changes] == [
        ("moved", "registers or literals")
    ]


def test_a_folder_that_a_second_one_joined(build: Path, made: Path, tmp_path: Path) -> None:
    """Names below folders could clash, so that paths pair the shaders of both sides."""
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(EXAMPLES / "matmul.dxbc", other / "phong.dxbc")
    catalog.scan([str(build), str(other)], str(tmp_path / "both"))
    found = catalog.compare(str(made), str(tmp_path / "both"))
    assert found.same == 6
    assert [(each.kind, each.name) for each in found.changes] == [
        ("added", (other / "phong.dxbc").as_posix())
    ]


def test_the_same(made: Path) -> None:
    ended = unshade("catalog", "diff", made, made)
    assert (ended.code, ended.out) == (0, "6 shaders the same\n")
