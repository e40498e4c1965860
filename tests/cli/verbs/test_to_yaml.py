"""`unshade to-yaml --format json`, and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES


@pytest.mark.parametrize("name", ["phong.dxbc", "lit.shbin", "clay.frag.spv", "noise.skslb"])
def test_json_and_back(name: str, tmp_path: Path) -> None:
    path = EXAMPLES / name
    ended = unshade("to-yaml", "--format", "json", path)
    assert ended.code == 0
    assert json.loads(ended.out) == library.open(path).to_data()
    back = tmp_path / "back"
    assert unshade("from-yaml", "-", "-o", back, stdin=ended.data).code == 0
    assert back.read_bytes() == path.read_bytes()


def test_several_files(tmp_path: Path) -> None:
    assert unshade("to-yaml", "--format", "json", PHONG, SAXPY, "-o", f"{tmp_path}/").code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["phong.json", "saxpy.json"]


def test_characters_beyond_ascii_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    shader = library.DxContainer.open(PHONG)
    shader["RDEF"].bindings[1].name = "\U0001f600"
    shader["RDEF"].bindings[2].name = "caf\udce9"
    data = shader.to_bytes()
    ended = unshade("to-yaml", "--format", "json", "-", stdin=data)
    assert '"\U0001f600"' in ended.data.decode()
    back = tmp_path / "back.dxbc"
    assert unshade("from-yaml", "-", "-o", back, stdin=ended.data).code == 0
    assert back.read_bytes() == data


def test_a_dialect_of_yaml_is_not_json() -> None:
    ended = unshade("to-yaml", "--format", "json", "--dialect", "llvm", PHONG)
    assert ended.code == 2
    assert "--dialect cannot be combined with --format json" in ended.err
