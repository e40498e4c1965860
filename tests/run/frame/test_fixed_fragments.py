"""Pipelines of frames with the fixed fragment stage of the Nintendo 3DS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unshade
from tests.run.frame.scenes import filled, frame
from unshade.errors import UsageError
from unshade.isa.source import Source

SHADER = """.out outpos position
.out outcol color
.in inPosition v0
.constf grey(0.5, 0.5, 0.5, 0.5)
.proc main
mov outpos, inPosition
mov outpos.z, -inPosition.z
mov outcol, grey
end
.end"""
STAGE = {"stages": [{"both": {"sources": ["constant"]}, "constant": [10, 20, 30, 40]}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    unshade.assemble([Source(SHADER, "a.v.pica")], "shbin").save(tmp_path / "a.shbin")
    return filled(tmp_path)


def pixel(folder: Path, **pipeline: Any) -> list[int]:
    """The first texel of the target, which is cleared to 1."""
    described = {
        "targets": {"a": {"size": [2, 2], "clear": 1}},
        "pipelines": {"lit": {"vertex": "a.shbin", **pipeline}},
        "passes": [{"targets": ["a"], "clear": True,
                    "commands": [{"draw": {"pipeline": "lit", "mesh": "square"}}]}],
    }  # fmt: skip
    found = frame(folder, described).run().target("a").array[0, 0].tolist()
    assert isinstance(found, list)
    return found


def test_a_description_in_place(folder: Path) -> None:
    assert pixel(folder, fragment=STAGE) == [10, 20, 30, 40]


def test_a_description_in_a_file(folder: Path) -> None:
    (folder / "tev.yaml").write_text("stages:\n- both: {sources: [primary_color]}\n  ")
    assert pixel(folder, fragment="tev.yaml") == [128, 128, 128, 128]


def test_blending(folder: Path) -> None:
    added = {**STAGE, "blend": "additive"}
    assert pixel(folder, fragment=added) == [255, 255, 255, 255]
    none = {"RenderTarget": [{"BlendEnable": False}]}
    assert pixel(folder, fragment=added, blend=none) == [10, 20, 30, 40]


def test_what_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"lit\.fragment: expected no pixel shader beside it"):
        pixel(folder, fragment=STAGE, pixel="red.dxbc")
    with pytest.raises(UsageError, match="stages: expected a list of stages") as raised:
        pixel(folder, fragment={"stages": 1})
    assert raised.value.origin == "pipelines.lit.fragment"
    (folder / "tev.yaml").write_text("stages: 1\n")
    with pytest.raises(UsageError, match="stages: expected a list of stages") as raised:
        pixel(folder, fragment="tev.yaml")
    assert raised.value.origin == "tev.yaml"
    with pytest.raises(UsageError, match="below"):
        pixel(folder, fragment="../tev.yaml")
