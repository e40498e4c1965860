"""`extract`: all parts, some parts, the code of some stages; the names of the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import PHONG, unshade
from tests.examples import EXAMPLES
from unshade import open as opened


def files_in(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(folder.iterdir())}


def test_all_parts_are_written_in_order(tmp_path: Path) -> None:
    assert unshade("extract", PHONG, "-o", tmp_path).code == 0
    wanted = opened(PHONG).extract()
    assert [*files_in(tmp_path).values()] == [*wanted.values()]
    for number, (name, made) in enumerate(zip(wanted, files_in(tmp_path), strict=True)):
        assert made.startswith(f"{number:02}-{name.partition('.')[0]}")


@pytest.mark.parametrize("only", [["SHDR"], ["ISGN"], ["STAT", "RDEF"]])
def test_only_the_parts_that_are_named(tmp_path: Path, only: list[str]) -> None:
    """Files keep the numbers of their parts."""
    shader = EXAMPLES / "mandel.dxbc"
    parts = opened(shader).extract()
    arguments = [word for name in only for word in ("--only", name)]
    assert unshade("extract", shader, "-o", tmp_path, *arguments).code == 0
    wanted = {
        f"{number:02}-{name.partition('.')[0]}": data
        for number, (name, data) in enumerate(parts.items())
        if name.partition(".")[0] in only
    }
    assert len(wanted) == len(only)
    made = files_in(tmp_path)
    assert {name.partition(".")[0]: data for name, data in made.items()} == wanted
    assert all("." in name for name in made)


def test_a_part_that_is_not_there_is_named_beside_those_that_are(tmp_path: Path) -> None:
    names = dict.fromkeys(name.partition(".")[0] for name in opened(PHONG).extract())
    ended = unshade("extract", PHONG, "-o", tmp_path / "out", "--only", "QQQQ")
    assert ended.code == 2
    assert f"no part 'QQQQ': expected one of {', '.join(names)}" in ended.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("shader", "stages", "made"),
    [
        ("everything.vbc", ["vert"], ["00-vert.spv"]),
        ("everything.vbc", ["vertex"], ["00-vertex.spv"]),
        ("everything.vbc", ["frag", "vert"], ["00-vert.spv", "01-frag.spv"]),
        ("phong.dxbc", ["pixel"], ["00-pixel.bin"]),
        ("phong.dxbc", ["frag"], ["00-frag.bin"]),
    ],
)
def test_code_of_stages(tmp_path: Path, shader: str, stages: list[str], made: list[str]) -> None:
    arguments = [word for name in stages for word in ("--stage", name)]
    assert unshade("extract", EXAMPLES / shader, "-o", tmp_path, *arguments).code == 0
    files = files_in(tmp_path)
    assert [*files] == made
    codes = {program.encode() for program in opened(EXAMPLES / shader).programs}
    assert set(files.values()) <= codes
    assert len(set(files.values())) == len(files)


def test_a_stage_that_is_not_there_is_named_beside_those_that_are(tmp_path: Path) -> None:
    path = EXAMPLES / "everything.vbc"
    ended = unshade("extract", path, "-o", tmp_path / "out", "--stage", "geom")
    assert ended.code == 2
    assert "no program of stage geom: expected one of vertex, pixel" in ended.err
