"""Shaders in two packs are paired by their bytes, their entries, and their neighbours."""

from __future__ import annotations

import random
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

import unshade as library
from tests.archives.test_putting import edited
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from unshade.cli.matching import matched
from unshade.search import Found

SHADERS = {path.stem: path.read_bytes() for path in sorted(EXAMPLES.glob("*.dxbc"))}


def names(data: bytes) -> list[Found]:
    return list(library.find(data))


def rows(before: bytes, after: bytes) -> list[tuple[int | None, int | None]]:
    """Return the pairs by their numbers in the two packs."""
    old, new = names(before), names(after)
    return [
        (None if one is None else old.index(one), None if other is None else new.index(other))
        for one, other in matched(old, new)
    ]


def test_the_same_bytes_are_a_pair_wherever_they_are() -> None:
    order = list(SHADERS)
    random.Random(7).shuffle(order)
    before, after = b"".join(SHADERS.values()), b"x".join(SHADERS[each] for each in order)
    expected = [(at, order.index(name)) for at, name in enumerate(SHADERS)]
    assert rows(before, after) == expected


def test_copies_are_paired_in_order() -> None:
    one, two = SHADERS["saxpy"], SHADERS["phong"]
    assert rows(one + two + one, one + one + two) == [(0, 0), (1, 2), (2, 1)]
    assert rows(one + one, one) == [(0, 0), (1, None)]
    assert rows(one, one + one) == [(0, 0), (None, 1)]


def test_a_changed_shader_follows_the_same_one() -> None:
    phong, saxpy = SHADERS["phong"], SHADERS["saxpy"]
    changed = edited(saxpy)
    assert rows(phong + saxpy, phong + changed) == [(0, 0), (1, 1)]
    assert rows(saxpy + phong, changed + phong) == [(0, 0), (1, 1)]
    # Another stage is another shader.
    assert rows(phong + saxpy, phong + SHADERS["billboards"]) == [(0, 0), (1, None), (None, 1)]


def test_entries_of_an_archive_keep_their_names() -> None:
    def pack(entries: dict[str, bytes]) -> bytes:
        made = BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            for name, data in entries.items():
                archive.writestr(name, data)
        return made.getvalue()

    saxpy, mandel = SHADERS["saxpy"], SHADERS["mandel"]
    before = pack({"a.cso": saxpy, "b.cso": mandel})
    after = pack({"b.cso": edited(mandel), "a.cso": edited(saxpy)})
    assert rows(before, after) == [(0, 1), (1, 0)]


@pytest.fixture
def packs(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old.pak", tmp_path / "new.pak"
    old.write_bytes(b"pack" + PHONG.read_bytes() + SAXPY.read_bytes() + SHADERS["mandel"])
    new.write_bytes(b"the pack" + PHONG.read_bytes() + edited(SAXPY.read_bytes()))
    return old, new


def test_diff_of_two_packs(packs: tuple[Path, Path]) -> None:
    old, _ = packs
    ended = unshade("diff", *packs)
    assert ended.code == 1
    assert ended.out.splitlines() == [
        "dxbc@0xae0 → dxbc@0xae4: the code differs: 1 of 19 lines changed; the interface is the"
        " same",
        "dxbc@0xfb4: only in the first: compute shader 5.0 (cs_5_0), 1,804 bytes",
    ]  # fmt: skip
    assert ended.err == "unshade: 3 shaders: 1 the same, 2 different\n"
    assert unshade("diff", old, old).code == 0
    assert unshade("report", "--diff", *packs, "-o", old.parent / "pages").code == 1
    assert {each.name for each in (old.parent / "pages").iterdir()} == {
        "index.html", "dxbc@0xae0 → dxbc@0xae4.html",
    }  # fmt: skip


def test_other_files_are_refused_as_before(packs: tuple[Path, Path], tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("some text\n")
    for pair in ((text, text), (packs[0], text), (text, packs[0]), (packs[0], PHONG)):
        ended = unshade("diff", *pair)
        assert (ended.code, ended.out) == (3, "")
        assert "not a compiled shader" in ended.err


def test_a_file_of_a_folder_under_another_name(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, name in ((old, "a.dxbc"), (new, "b.dxbc")):
        folder.mkdir()
        (folder / name).write_bytes(PHONG.read_bytes())
        (folder / "saxpy.dxbc").write_bytes(SAXPY.read_bytes())
    (old / "gone.dxbc").write_bytes(SHADERS["mandel"])
    ended = unshade("diff", old, new)
    assert ended.code == 1
    assert ended.out.splitlines() == [
        "a.dxbc → b.dxbc: the same, byte for byte, under another name",
        "gone.dxbc: only in the first: compute shader 5.0 (cs_5_0), 1,804 bytes",
    ]
    assert "under another name" in unshade("diff", "--reproducible", old, new).out
    (old / "gone.dxbc").unlink()
    assert unshade("diff", "--format", "markdown", old, new).out == ""
    assert unshade("report", "--diff", old, new, "-o", tmp_path / "pages").code == 1
    assert "renamed" in (tmp_path / "pages" / "index.html").read_text()
