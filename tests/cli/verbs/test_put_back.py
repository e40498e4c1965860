"""`unshade put-back`: names of files lead to the places of shaders."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

import unshade as library
from tests.archives.test_putting import edited
from tests.archives.test_unreal import container
from tests.cli.terminal import PHONG, SAXPY, unshade

OLD, NEW = SAXPY.read_bytes(), edited(SAXPY.read_bytes())


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    path = tmp_path / "game.pak"
    path.write_bytes(b"a" + OLD + zlib.compress(b"xy" + OLD) + PHONG.read_bytes())
    return path


def found(path: Path) -> list[bytes]:
    return [each.data for each in library.find(path.read_bytes())]


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("game@1.dxbc", [0]),
        ("game@4d5.zlib@2.dxbc", [1]),
        ("adb128daef8b.compute.dxbc", [0, 1]),
        ("adb128daef8bb583b1fec518a72c80ce693ad458ae1a5ca75c206b41a8689989", [0, 1]),
    ],
)
def test_a_file_is_matched_by_its_name(pack: Path, name: str, places: list[int]) -> None:
    (pack.parent / name).write_bytes(NEW)
    copy = pack.parent / "copy.pak"
    ended = unshade("put-back", pack, pack.parent / name, "-o", copy)
    assert ended.code == 0
    assert ended.err.count("1,236 to 1,236 bytes") == len(places)
    expected = [NEW if at in places else OLD for at in range(2)]
    assert found(copy) == [*expected, PHONG.read_bytes()]


def test_a_path_names_the_place(pack: Path) -> None:
    (pack.parent / "x").write_bytes(NEW)
    copy = pack.parent / "copy.pak"
    given = f"zlib@0x4d5!dxbc@0x2={pack.parent / 'x'}"
    assert unshade("put-back", pack, given, "-o", copy).code == 0
    assert found(copy) == [OLD, NEW, PHONG.read_bytes()]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("other.dxbc", "named after no shader"),
        ("game@2.dxbc", "named after no shader"),
        ("0123456789abcdef.dxbc", "no shader in .* has a hash that starts 0123456789abcdef"),
    ],
)
def test_a_name_that_fits_nothing(pack: Path, name: str, says: str) -> None:
    import re

    (pack.parent / name).write_bytes(NEW)
    copy = pack.parent / "copy.pak"
    ended = unshade("put-back", pack, pack.parent / name, "-o", copy)
    assert ended.code == 2
    assert re.search(says, ended.err)
    assert not copy.exists()


def test_unchanged_shaders_are_counted(pack: Path) -> None:
    folder = pack.parent / "found"
    assert unshade("find", pack, "--extract", folder).code == 0
    (folder / "game@1.dxbc").write_bytes(NEW)
    ended = unshade("put-back", pack, *sorted(folder.iterdir()), "-o", pack.parent / "copy.pak")
    assert ended.err.splitlines() == [
        f"{pack}!dxbc@0x1  1,236 to 1,236 bytes", "unshade: 2 of 3 shaders are unchanged",
    ]  # fmt: skip


def test_what_extract_wrote_makes_the_same_file(pack: Path) -> None:
    assert unshade("find", pack, "--extract", pack.parent / "out").code == 0
    files = sorted((pack.parent / "out").iterdir())
    copy = pack.parent / "copy.pak"
    assert unshade("put-back", pack, *files, "-o", copy).code == 0
    assert copy.read_bytes() == pack.read_bytes()


def test_two_files_for_one_place(pack: Path) -> None:
    for name, data in (("game@1.dxbc", NEW), ("adb128daef8b.dxbc", OLD)):
        (pack.parent / name).write_bytes(data)
    files = pack.parent / "game@1.dxbc", pack.parent / "adb128daef8b.dxbc"
    ended = unshade("put-back", pack, *files, "-o", pack.parent / "copy")
    assert ended.code == 2
    assert "another file is put back at dxbc@0x1, too" in ended.err


def test_nothing_to_put_back(pack: Path) -> None:
    assert unshade("put-back", pack, "-o", pack.parent / "copy").code == 2


def test_the_original_is_not_overwritten(pack: Path) -> None:
    (pack.parent / "game@1.dxbc").write_bytes(NEW)
    ended = unshade("put-back", pack, pack.parent / "game@1.dxbc", "-o", pack)
    assert ended.code == 2
    assert found(pack)[0] == OLD


@pytest.mark.parametrize("missing", ["pack", "shader"])
def test_a_missing_file_is_named(pack: Path, missing: str) -> None:
    absent = pack.parent / "absent.dxbc"
    files = [absent, pack] if missing == "pack" else [pack, absent]
    ended = unshade("put-back", *files, "-o", pack.parent / "copy.pak")
    assert (ended.code, ended.err) == (2, f"unshade: {absent}: No such file or directory\n")


def test_a_container_is_two_files(tmp_path: Path) -> None:
    """The table and its contents are read together, and both are copied."""
    made = container("Zlib", chunks=(OLD, PHONG.read_bytes()))
    (tmp_path / "game.utoc").write_bytes(made.table)
    (tmp_path / "game.ucas").write_bytes(made.contents)
    (tmp_path / "new.dxbc").write_bytes(NEW)
    ended = unshade("find", tmp_path / "game.utoc")
    first, second = ended.out.splitlines()
    assert "unreal-container@0x0/" in first
    assert "  pixel  ps_5_0" in second
    path = first.partition("!")[2].split()[0]
    change = f"{path}={tmp_path / 'new.dxbc'}"
    ended = unshade("put-back", tmp_path / "game.utoc", change, "-o", tmp_path / "copy.utoc")
    assert ended.code == 0
    copies = [(tmp_path / f"copy.{suffix}").read_bytes() for suffix in ("utoc", "ucas")]
    assert len(copies[0]) == len(made.table)
    assert [each.data for each in library.find(b"".join(copies))] == [NEW, PHONG.read_bytes()]
    assert (tmp_path / "game.ucas").read_bytes() == made.contents
    ended = unshade("put-back", tmp_path / "game.utoc", change, "-o", tmp_path / "copy.bin")
    assert (ended.code, "expected -o COPY.utoc" in ended.err) == (2, True)
    ended = unshade("find", tmp_path / "game.utoc", "--limit", "file_size=1K")
    assert (ended.code, "limit file_size" in ended.err) == (5, True)
