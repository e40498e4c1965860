"""`unshade strip`: the list of removed parts, and outputs, which the user must name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from unshade.formats.dxcontainer import DxContainer


def parts(place: Path) -> list[str]:
    return [part.name for part in DxContainer.loads(place.read_bytes()).parts]


LISTED = f"""{PHONG}: 792 bytes removed, 2,780 to 1,988
  RDEF  620  reflection  names, types and layout of constants and resources
  STAT  148  statistics  counts that D3DReflect returns and listings print
"""


def test_removed_parts_are_listed_on_standard_error(tmp_path: Path) -> None:
    place = tmp_path / "out.cso"
    ended = unshade("strip", "--all", PHONG, "-o", place)
    assert (ended.code, ended.out, ended.err) == (0, "", LISTED)
    assert parts(place) == ["ISGN", "OSGN", "SHDR"]
    assert unshade("verify", place).code == 0


def test_a_dry_run_writes_the_list_and_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / "phong.cso"
    shutil.copy(PHONG, place)
    before = place.read_bytes()
    ended = unshade("strip", "--dry-run", "--all", PHONG)
    assert (ended.code, ended.out, ended.err) == (0, LISTED, "")
    assert place.read_bytes() == before


def test_debug_information_is_stripped_by_default(tmp_path: Path) -> None:
    shader = DxContainer.loads(PHONG.read_bytes())
    shader["SPDB"] = bytes(8)
    place = tmp_path / "phong.cso"
    shader.save(place)
    assert unshade("strip", "-i", place).code == 0
    assert place.read_bytes() == PHONG.read_bytes()
    assert unshade("strip", "-n", place).out == f"{place}: nothing to strip\n"


@pytest.mark.parametrize(
    ("options", "left"),
    [
        (["--reflection"], ["ISGN", "OSGN", "SHDR", "STAT"]),
        (["--statistics"], ["ISGN", "OSGN", "RDEF", "SHDR"]),
        (["--statistics", "--reflection"], ["ISGN", "OSGN", "SHDR"]),
        (["--private", "--root-signature"], ["ISGN", "OSGN", "RDEF", "SHDR", "STAT"]),
    ],
)
def test_categories(options: list[str], left: list[str], tmp_path: Path) -> None:
    place = tmp_path / "out.cso"
    assert unshade("strip", *options, PHONG, "-o", place).code == 0
    assert parts(place) == left


def test_json(tmp_path: Path) -> None:
    ended = unshade("strip", "--json", "--statistics", PHONG, SAXPY, "-o", tmp_path)
    data = json.loads(ended.out)
    assert [each["file"] for each in data] == [str(PHONG), str(SAXPY)]
    assert data[0]["before"] - data[0]["after"] == data[0]["lost"][0]["size"] + 12
    assert data[0]["lost"][0] == {
        "part": "STAT",
        "size": 148,
        "category": "statistics",
        "meaning": "counts that D3DReflect returns and listings print",
    }
    assert (tmp_path / "saxpy.dxbc").exists()
    assert "removed" not in ended.err


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, source in ((one, PHONG), (two, SAXPY)):
        folder.mkdir()
        shutil.copy(source, folder / "a.dxbc")
    lines: list[list[str | Path]] = [
        ["strip", "--all", one / "a.dxbc", "-o", one / "a.dxbc"],
        ["strip", "--all", one, "-o", one],
        ["sign", two, one, "-o", one],  # what two becomes stands where one is yet to be read
        ["dis", one / "a.dxbc", "-o", one / "a.dxbc"],
        ["info", one / "a.dxbc", "-o", one / "a.dxbc"],
        ["link", one / "a.dxbc", "-o", one / "a.dxbc"],
    ]
    for line in lines:
        ended = unshade(*line)
        assert (ended.code, ended.out) == (2, ""), line
        assert f"will not overwrite the input {one / 'a.dxbc'}" in ended.err
        assert ("; use --in-place to replace it" in ended.err) == (line[0] in ("strip", "sign"))
    assert (one / "a.dxbc").read_bytes() == PHONG.read_bytes()
    assert unshade("strip", one / "a.dxbc", "-i").code == 0
    for _ in range(2):  # what a command wrote it may write again
        assert unshade("dis", one, "-o", one).code == 0
        assert unshade("info", one, "-o", one / "info.txt").code == 0


def test_standard_output() -> None:
    ended = unshade("strip", "--all", "-", "-o", "-", stdin=PHONG.read_bytes())
    assert DxContainer.loads(ended.data).digest_state == "retail"
    assert ended.err.startswith("standard input: 792 bytes removed")


@pytest.mark.parametrize(
    "line",
    [
        [PHONG],
        ["-i", "-n", PHONG],
        ["-i", PHONG, "-o", "x"],
        ["-i", "-"],
        ["--json", PHONG, "-o", "-"],
        [EXAMPLES, "-o", "-"],
        ["--names", PHONG],
    ],
)
def test_strip_needs_an_output(line: list[str | Path]) -> None:
    ended = unshade("strip", *line)
    assert (ended.code, ended.out) == (2, "")
