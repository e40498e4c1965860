"""What frames refuse rather than leave out: each with its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.run.frame.scenes import filled, frame
from unshade.errors import LimitError, UsageError
from unshade.limits import Limits

TARGETS: dict[str, Any] = {
    "a": {"size": [4, 4]},
    "d": {"size": [4, 4], "format": "D32_FLOAT", "clear": 1},
    "u": {"size": [4, 4], "format": "R8_UINT"},
    "two": {"size": [4, 4], "layers": 2},
}
FULL = {"pipeline": "full", "count": 3}
SQUARE = {"pipeline": "placed", "mesh": "square"}
WORDS = {"x": {"data": [3, 1, 0, 0], "dtype": "uint32"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return filled(tmp_path)


def run(folder: Path, draw: dict[str, Any] | None = None, **more: Any) -> Any:
    """Run a frame of one pass."""
    passes = {"targets": ["a"], "clear": True, **more.pop("passes", {})}
    passes["commands"] = [{"draw": draw}] if draw else passes.get("commands", [])
    return frame(folder, {"targets": TARGETS, "passes": [passes], **more}).run()


@pytest.mark.parametrize(
    ("passes", "message"),
    [
        ({"targets": ["d"]}, "targets: expected colours, got the depth d"),
        ({"targets": ["a"], "depth": "u"}, "depth: expected a target of depth, got u"),
        ({"targets": ["a", "a"]}, "targets: expected each target once, got a twice"),
        ({"targets": ["two", "two[1]"]}, r"expected each target once, got two\[1\] twice"),
    ],
)
def test_targets_of_passes(folder: Path, passes: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        run(folder, FULL, passes=passes)
    assert raised.value.origin == "passes[0]"


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        ({**FULL, "attributes": {"v0": "uv"}}, "expected no attributes without a mesh"),
        ({"pipeline": "full", "groups": [1]}, "full: expected a mesh shader for groups"),
        (
            {"pipeline": "full", "instances": 2, "indirect": {"buffer": "x"}},
            "expected no instances beside indirect",
        ),
        ({**SQUARE, "camera": {"fov": 0.0}}, "field of view between 0 and 180 degrees, got 0"),
        ({**SQUARE, "camera": {"fov": 180.0}}, "field of view between 0 and 180 degrees"),
    ],
)
def test_draws(folder: Path, draw: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        run(folder, draw, buffers=WORDS)
    assert raised.value.origin == "passes[0].commands[0]"


@pytest.mark.parametrize("groups", [[], [1, 1, 1, 1], [-1], [65536]])
def test_groups(folder: Path, groups: list[int]) -> None:
    from unshade.run.frame.running import _three

    with pytest.raises(UsageError, match="groups: expected 1 to 3 numbers up to 65535"):
        _three(groups)
    assert _three([2]) == (2, 1, 1)


@pytest.mark.parametrize(
    ("form", "clear", "message"),
    [
        ("R8_UINT", 300, "expected integers from 0 to 255, got 300"),
        ("R8_UINT", 1.5, "expected integers from 0 to 255, got 1.5"),
        ("R16_SINT", -32769, "expected integers from -32768 to 32767, got -32769"),
        ("R8_UINT", float("nan"), "expected integers from 0 to 255, got nan"),
        ("D32_FLOAT", float("nan"), "expected a depth, got nan"),
        ("D24_UNORM_S8_UINT", [1, 1.5], "expected a stencil from 0 to 255, got 1.5"),
        ("X8_D24_UNORM_PACK32", [1, 1], "expected a number"),
    ],
)
def test_clear_values(folder: Path, form: str, clear: Any, message: str) -> None:
    target = {"size": [1, 1], "format": form, "clear": clear}
    with pytest.raises(UsageError, match=rf"targets\.t\.clear: {message}"):
        run(folder, targets={**TARGETS, "t": target})


def test_limits_count_all_resources(folder: Path) -> None:
    described = {"targets": TARGETS, "passes": [{}], "buffers": {"b": {"zeros": 100}}}
    made = frame(folder, described)
    made.limits = Limits(texels=16 * 5 + 100)
    made.run()
    made.limits = Limits(texels=16 * 5 + 99)
    with pytest.raises(LimitError, match="texels"):
        made.run()


def test_bytes_that_are_no_whole_numbers(folder: Path) -> None:
    (folder / "b.bin").write_bytes(bytes(7))
    with pytest.raises(UsageError, match="expected a multiple of 4 bytes for float32, got 7"):
        run(folder, buffers={"b": "b.bin"})
    assert len(run(folder, buffers={"b": {"file": "b.bin", "dtype": "uint8"}}).buffers["b"]) == 7


def test_copies_have_the_levels(folder: Path) -> None:
    targets = {**TARGETS, "b": {"size": [4, 4]}, "four": {"size": [4, 4], "layers": 2}}
    draw = {"draw": FULL}
    found = run(
        folder, targets=targets,
        passes={"commands": [draw, {"mips": "a"}, {"copy": {"source": "a", "destination": "b"}}]},
    )  # fmt: skip
    assert [each.shape for each in found.target("b").smaller] == [(2, 2, 4), (1, 1, 4)]
    assert np.array_equal(found.target("b").smaller[1], found.target("a").smaller[1])
    with pytest.raises(UsageError, match=r"3 mip levels, got two\[1\] with 1"):
        run(folder, targets=targets, passes={"commands": [
            {"mips": "a"}, {"copy": {"source": "a", "destination": "two[1]"}}]})  # fmt: skip


def test_resolves_keep_the_format(folder: Path) -> None:
    targets = {
        **TARGETS,
        "four": {"size": [4, 4], "format": "D16_UNORM", "samples": 4, "clear": 1},
    }
    with pytest.raises(UsageError, match="expected targets of one size and format"):
        run(folder, targets=targets,
            passes={"commands": [{"resolve": {"source": "four", "destination": "d"}}]})  # fmt: skip


def test_a_pipeline_without_a_rasterised_stream_draws_nothing(folder: Path) -> None:
    pipeline = {"vertex": "full.dxbc", "pixel": "red.dxbc"}
    assert run(folder, FULL, pipelines={"full": pipeline}).picture()[0, 0, 0] == 1
    none = {**pipeline, "rasterized_stream": None}
    assert run(folder, FULL, pipelines={"full": none}).picture().max() == 0
