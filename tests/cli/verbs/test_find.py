"""`unshade find` over several files: what is unique, groups, and names of files."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from tests.archives.packing import zipped
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES

HASHES = {PHONG: "71e0089ce676", SAXPY: "adb128daef8b"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two packs: three copies of one shader, and a stripped version of another."""
    phong, saxpy = PHONG.read_bytes(), SAXPY.read_bytes()
    made = tmp_path / "packs"
    made.mkdir()
    (made / "a.pak").write_bytes(b"a" + saxpy + zlib.compress(b"xy" + saxpy) + phong)
    stripped = tmp_path / "stripped.dxbc"
    assert unshade("strip", PHONG, "--reflection", "-o", stripped).code == 0
    (made / "b.pak").write_bytes(saxpy + stripped.read_bytes())
    return made


def test_unique_shaders_with_their_copies(folder: Path) -> None:
    ended = unshade("find", folder, "--unique")
    assert ended.code == 0
    first, second, third = ended.out.splitlines()
    assert first.endswith(f"{HASHES[SAXPY]}  and 2 copies")
    assert second.endswith(HASHES[PHONG])
    assert third.startswith(f"{folder / 'b.pak'}!dxbc@0x4d4 ")
    found = json.loads(unshade("find", folder, "--unique", "--json").out)["found"]
    assert found[0]["copies"] == [
        {"file": str(folder / "a.pak"), "path": "zlib@0x4d5!dxbc@0x2"},
        {"file": str(folder / "b.pak"), "path": "dxbc@0x0"},
    ]
    assert [len(each["copies"]) for each in found] == [2, 0, 0]


@pytest.mark.parametrize("key", ["program", "shape", "interface"])
def test_groups(folder: Path, key: str) -> None:
    groups = json.loads(unshade("find", folder, "--group-by", key, "--json").out)["groups"]
    assert [len(each["found"]) for each in groups] == ([3, 2] if key != "interface" else [3, 1, 1])
    assert len({each["key"] for each in groups}) == len(groups)
    assert {each["hash"][:12] for each in groups[0]["found"]} == {HASHES[SAXPY]}
    lines = unshade("find", folder, "--group-by", key, "--unique").out.splitlines()
    assert lines[0] == f"{key} {groups[0]['key']}  1 shader" or key == "program" or "2" in lines[0]
    assert sum(line.startswith("  ") for line in lines) == 3


def test_names_of_files_by_template(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ended = unshade("find", folder, "--extract", out, "--template", "{stage}/{hash:12}.{format}")
    assert ended.code == 0
    assert (out / "compute" / f"{HASHES[SAXPY]}.dxbc").read_bytes() == SAXPY.read_bytes()
    assert (out / "pixel" / f"{HASHES[PHONG]}.dxbc").read_bytes() == PHONG.read_bytes()
    assert sorted(path.name for path in out.rglob("*.dxbc"))[1:] != []
    assert len([*out.rglob("*.dxbc")]) == 3


def test_unique_shaders_are_named_by_their_hash(folder: Path, tmp_path: Path) -> None:
    assert unshade("find", folder, "--unique", "--extract", tmp_path / "out").code == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert len(names) == 3
    assert names[0].startswith("71e0089ce676")
    assert names[0].endswith(".pixel.dxbc")


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{hsh}", "unknown field {hsh}: expected one of {hash}, .*; did you mean hash?"),
        ("../{hash}", "expected a name below the folder"),
        ("/tmp/{hash}", "expected a name below the folder"),
        ("{hash}/", "expected a name below the folder"),
        ("{hash.__class__}", "expected a template such as"),
        ("{stage}.{format}", "two shaders would be named|"),
    ],
)
def test_templates_that_are_refused(folder: Path, tmp_path: Path, template: str, says: str) -> None:
    import re

    ended = unshade("find", folder, "--extract", tmp_path / "out", "--template", template)
    if "two shaders" not in says:
        assert ended.code == 2
        assert re.search(says, ended.err)
    assert {path.name for path in tmp_path.iterdir()} <= {"packs", "stripped.dxbc", "out"}


def test_a_template_needs_a_folder(folder: Path) -> None:
    assert unshade("find", folder, "--template", "{hash}").code == 2


@pytest.mark.parametrize("name", ["../../evil", "/abs/evil", "..\\evil", "a" * 900])
def test_names_in_archives_stay_below_the_folder(tmp_path: Path, name: str) -> None:
    pack = tmp_path / "in" / "x.zip"
    pack.parent.mkdir()
    pack.write_bytes(zipped(SAXPY.read_bytes(), name=name))
    for more in ([], ["--template", "{path}.{format}"], ["--template", "{file}/{path:40}"]):
        out = tmp_path / "deep" / "er" / "out"
        assert unshade("find", pack, "--extract", out, *more).code == 0
        (made,) = [path for path in out.rglob("*") if path.is_file()]
        assert made.read_bytes() == SAXPY.read_bytes()
        made.unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "in"]
    assert [path.name for path in (tmp_path / "deep").rglob("*") if path.is_file()] == []


def test_a_damaged_file_among_groups(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(PHONG.read_bytes()[:1500])
    ended = unshade("find", tmp_path / "a", "--group-by", "program")
    assert ended.code == 3
    assert "damaged: " in ended.out
    assert EXAMPLES.is_dir()


@pytest.mark.parametrize(
    ("limit", "code"),
    [("unpacked=1G", 0), ("file_size=1K", 5), ("layers=0", 5), ("entries=0", 5), ("entries=9k", 0)],
)
def test_limits(tmp_path: Path, limit: str, code: int) -> None:
    (tmp_path / "a").write_bytes(zlib.compress(SAXPY.read_bytes()))
    ended = unshade("find", tmp_path / "a", "--limit", limit)
    assert ended.code == code
    assert ("exceeded" in ended.err) == (code == 5)
    copy = unshade("put-back", tmp_path / "a", f"zlib@0x0!dxbc@0x0={SAXPY}", "-o", tmp_path / "b",
                   "--limit", limit)  # fmt: skip
    assert copy.code == code


@pytest.mark.parametrize("limit", ["unpacked", "unpacked=x", "depth=5", "unpacked=-1", "=1"])
def test_limits_that_are_refused(tmp_path: Path, limit: str) -> None:
    (tmp_path / "a").write_bytes(SAXPY.read_bytes())
    ended = unshade("find", tmp_path / "a", "--limit", limit)
    assert ended.code == 2
    assert "--limit: expected NAME=NUMBER" in ended.err


def test_nothing_found_is_said(tmp_path: Path) -> None:
    noise = tmp_path / "noise.bin"
    noise.write_bytes(bytes(1234))
    ended = unshade("find", noise)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"unshade: {noise}: no shaders found in 1,234 bytes\n"
