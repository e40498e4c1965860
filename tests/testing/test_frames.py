"""Frames and draws in tests: the engine that is asked for, and the lines that ran."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.run.frame.scenes import filled
from tests.testing.test_plugin import imported, place, run_pytest

__all__ = ["imported", "place"]

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow
FRAME = """
targets: {a: {size: [4, 4]}}
pipelines: {full: {vertex: full.dxbc, pixel: red.dxbc}}
passes: [{targets: [a], clear: true, commands: [{draw: {pipeline: full, count: 3}}]}]
"""
TEST = """
from unshade.run import raster

def test_frame(frame):
    found = frame("frame.yaml")
    assert found.engine == ENGINE
    assert found.run().picture()[0, 0].tolist() == [1, 0, 0, 1]

def test_draw(shader):
    vertex, pixel = shader("full.dxbc"), shader("red.dxbc")
    assert raster.draw(vertex, pixel, 3, None, (4, 4)).covered.all()

def test_no_frame(frame):
    frame("none.yaml")
"""


def counts(text: str, file: str) -> dict[int, int]:
    """The lines of a listing that ran, with their counts."""
    section = next(each for each in text.split("end_of_record") if f"{file}.asm" in each)
    found = {}
    for line in section.splitlines():
        if line.startswith("DA:"):
            at, count = line[3:].split(",")[:2]
            found[int(at)] = int(count)
    return found


def test_frames_and_draws_are_counted(place: pytest.Pytester) -> None:
    folder = filled(Path(place.path))
    (folder / "frame.yaml").write_text(FRAME)
    place.makepyfile(TEST.replace("ENGINE", "'lockstep'"))
    line = ["--shader-coverage=out.info", "--shader-engine=lockstep"]
    result = run_pytest(place, *line)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*no such file: 'none.yaml'; searched *"])
    text = (folder / "out.info").read_text()
    # Three vertices and sixteen pixels, by each of the two tests.
    assert set(counts(text, "full.dxbc").values()) == {6}
    assert set(counts(text, "red.dxbc").values()) == {32}


def test_frames_without_coverage(place: pytest.Pytester) -> None:
    folder = filled(Path(place.path))
    (folder / "frame.yaml").write_text(FRAME)
    place.makepyfile(TEST.replace("ENGINE", "'auto'"))
    run_pytest(place).assert_outcomes(passed=2, failed=1)
