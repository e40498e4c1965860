"""`unshade cache`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.terminal import PHONG, SAXPY, unshade
from unshade.cli import exits


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNSHADE_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.mark.slow
def test_show_warm_and_clear(folder: Path) -> None:
    empty = unshade("cache")
    assert empty.out == f"{folder}\n0 object files, 0 entries, 0 of 268,435,456 bytes\n"
    warm = unshade("cache", SAXPY, PHONG)
    assert warm.out.endswith(f"{PHONG}: 1 program compiled\n")
    assert warm.code == exits.FINE
    found = json.loads(unshade("cache", "--json").out)
    assert (found["folder"], found["refused"], found["objects"]) == (str(folder), None, 2)
    assert found["size"] == sum(each.stat().st_size for each in folder.glob("*/*"))
    cleared = unshade("cache", "--clear")
    assert cleared.out.startswith(f"{found['size']:,} bytes removed\n{folder}\n0 object files")
    assert not [*folder.rglob("*")]


@pytest.mark.slow
def test_json_of_files(folder: Path) -> None:
    ended = unshade("cache", "--json", SAXPY)
    assert json.loads(ended.out) == {"file": str(SAXPY), "compiled": 1}


def test_what_has_no_program(folder: Path, tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("nothing")
    assert unshade("cache", text).code == exits.MALFORMED
    assert unshade("cache", "--clear", SAXPY).code == exits.USAGE


def test_a_cache_that_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(mode=0o755)
    for files in (), (SAXPY,):
        ended = unshade("cache", *files)
        assert ended.code == exits.UNSUPPORTED
        assert f"the cache is not used: {folder}: expected mode 0700, got 0755" in ended.err
    ended = unshade("cache", "--json")
    assert (json.loads(ended.out)["refused"], ended.code) == (
        "expected mode 0700, got 0755", exits.UNSUPPORTED,
    )  # fmt: skip
    for given, words in ("", "empty"), ("off", "off"):
        monkeypatch.setenv("UNSHADE_CACHE", given)
        assert f"UNSHADE_CACHE is {words}" in unshade("cache").err
