"""Targets of frames: samples, layers, stencils, clear values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from tests.run.frame.scenes import commands, drawn, filled
from unshade.errors import LimitError, UsageError

HALF = {"draw": {"pipeline": "placed", "mesh": "half"}}
FULL = {"draw": {"pipeline": "full", "count": 3}}
# Reads the second layer of an array of textures, or the last sample of a texture of four.
OF_LAYER = """
ps_5_0
dcl_resource_texture2darray (float,float,float,float) t0
dcl_output o0.xyzw
dcl_temps 1
ld r0.xyzw, l(0, 0, 1, 0), t0.xyzw
mov o0.xyzw, r0.xyzw
ret
"""
OF_SAMPLE = """
ps_5_0
dcl_resource_texture2dms(4) (float,float,float,float) t0
dcl_output o0.xyzw
dcl_temps 1
ldms r0.xyzw, l(1, 0, 0, 0), t0.xyzw, l(3)
mov o0.xyzw, r0.xyzw
ret
"""
DEPTH = """
ps_5_0
dcl_resource_texture2d (float,float,float,float) t0
dcl_output o0.xyzw
dcl_temps 1
ld r0.xyzw, l(0, 0, 0, 0), t0.xyzw
mov o0.xyzw, r0.xxxx
ret
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("layer", OF_LAYER), ("sample", OF_SAMPLE), ("depth", DEPTH)):
        (tmp_path / f"{name}.dxbc").write_bytes(unshade.assemble(text).to_bytes())
    return filled(tmp_path)


def reading(name: str, texture: str) -> dict[str, Any]:
    """Pipelines, and a pass that reads a texture into the target `b`."""
    pipelines = {
        "placed": {"vertex": "placed.dxbc", "pixel": "red.dxbc"},
        "full": {"vertex": "full.dxbc", "pixel": "red.dxbc"},
        "reading": {"vertex": "full.dxbc", "pixel": f"{name}.dxbc"},
    }
    draw = {"pipeline": "reading", "count": 3, "bindings": {"t0": texture}}
    return {"pipelines": pipelines, "last": {"targets": ["b"], "commands": [{"draw": draw}]}}


def test_samples_are_resolved_in_pictures(folder: Path) -> None:
    """The diagonal leaves a pixel on it 2 of 4 samples: those at (-2, -6) and (-6, 2)."""
    found = drawn(folder, targets={"a": {"size": [2, 2], "samples": 4}}, passes=commands(HALF))
    assert found.targets["a"].array.shape == (2, 2, 4, 4)
    assert found.targets["a"].array[0, 1, :, 0].tolist() == [255, 0, 255, 0]
    assert found.picture()[..., 0].tolist() == pytest.approx(
        np.array([[1, 128 / 255], [128 / 255, 0]])
    )


def test_a_resolve_takes_a_mode(folder: Path) -> None:
    targets = {"a": {"size": [2, 2], "samples": 4}, "b": {"size": [2, 2]}}
    for mode, wanted in ((None, 128), ("average", 128), ("min", 0), ("max", 255)):
        resolve = {"source": "a", "destination": "b", "mode": mode}
        found = drawn(folder, targets=targets, passes=commands(HALF, {"resolve": resolve}))
        assert found.targets["b"].array[0, 1, 0] == wanted


def test_depths_are_resolved(folder: Path) -> None:
    shape = {"size": [2, 2], "format": "D32_FLOAT", "clear": 1}
    resolve = {"source": "d", "destination": "e", "mode": "max"}
    found = drawn(
        folder, targets={"d": {**shape, "samples": 4}, "e": shape},
        passes=[{"depth": "d", "commands": [HALF, {"resolve": resolve}]}],
    )  # fmt: skip
    assert found.picture("e").tolist() == [[0, 1], [1, 1]]
    assert found.picture("d").tolist() == [[0, 0], [0, 1]]


def test_a_shader_reads_samples(folder: Path) -> None:
    made = reading("sample", "a")
    targets = {
        "a": {"size": [2, 2], "samples": 4, "clear": [0, 0.2, 0, 0]},
        "b": {"size": [1, 1]},
    }
    found = drawn(
        folder, targets=targets, pipelines=made["pipelines"], passes=[*commands(HALF), made["last"]]
    )
    assert found.targets["b"].array.tolist() == [[[0, 51, 0, 0]]]


def test_a_mask_leaves_samples_out(folder: Path) -> None:
    pipelines = {"full": {"vertex": "full.dxbc", "pixel": "red.dxbc", "sample_mask": 5}}
    found = drawn(
        folder, targets={"a": {"size": [1, 1], "samples": 4}}, pipelines=pipelines,
        passes=commands(FULL),
    )  # fmt: skip
    assert found.targets["a"].array[0, 0, :, 0].tolist() == [255, 0, 255, 0]


def test_a_layer_is_a_target(folder: Path) -> None:
    """A pass with one layer draws into it and clears it alone; shaders read all."""
    made = reading("layer", "a")
    targets = {
        "a": {"size": [2, 2], "layers": 3, "clear": [0, 0, 1, 1]},
        "b": {"size": [1, 1], "format": "R32G32B32A32_FLOAT"},
    }
    passes = [{"targets": ["a[1]"], "commands": [FULL]}, made["last"]]
    found = drawn(folder, targets=targets, pipelines=made["pipelines"], passes=passes)
    assert found.picture("b").tolist() == [[[1, 0, 0, 1]]]
    assert found.picture("a[1]")[0, 0].tolist() == [1, 0, 0, 1]
    assert found.picture("a").shape == (3, 2, 2, 4)
    assert [each[0, 0, 2] for each in found.picture("a")] == [1, 0, 1]
    passes.insert(1, {"targets": ["a[1]"], "clear": True})
    cleared = drawn(folder, targets=targets, pipelines=made["pipelines"], passes=passes)
    assert cleared.picture("b").tolist() == [[[0, 0, 1, 1]]]


def test_levels_of_layers(folder: Path) -> None:
    targets = {"a": {"size": [2, 2], "layers": 2}}
    passes = [{"targets": ["a[1]"], "commands": [HALF, {"mips": "a"}]}]
    found = drawn(folder, targets=targets, passes=passes)
    (smaller,) = found.targets["a"].smaller
    assert smaller[..., 0].tolist() == [[[0]], [[64]]]
    assert found.targets["a"].layer(1).smaller[0][0, 0, 0] == 64


def test_depths_of_24_bits_are_read_without_their_stencils(folder: Path) -> None:
    made = reading("depth", "d")
    targets = {
        "d": {"size": [1, 1], "format": "D24_UNORM_S8_UINT", "clear": [0.5, 255]},
        "b": {"size": [1, 1], "format": "R32G32B32A32_FLOAT"},
    }
    found = drawn(folder, targets=targets, pipelines=made["pipelines"], passes=[made["last"]])
    assert found.targets["d"].array.tolist() == [[0xFF80_0000]]
    assert found.targets["b"].array[0, 0, 0] == np.float32(0x80_0000 / 0xFF_FFFF)


@pytest.mark.parametrize(
    "name",
    ["D24_UNORM_S8_UINT", "D32_FLOAT_S8X24_UINT", "VK_FORMAT_D32_SFLOAT_S8_UINT",
     "D16_UNORM_S8_UINT"],
)  # fmt: skip
def test_a_stencil_keeps_pixels(folder: Path, name: str) -> None:
    """The first draw replaces the stencils of one half; the second leaves these pixels out."""
    writing = {"stencil_enable": True, "front_face": {"pass_op": "replace"}, "depth_enable": False}
    testing = {"stencil_enable": True, "front_face": {"func": "not_equal"}, "depth_enable": False}
    shaders = {"vertex": "placed.dxbc"}
    pipelines = {
        "placed": {**shaders, "depth_stencil": {**writing, "stencil_ref": 7}},
        "full": {**shaders, "pixel": "red.dxbc",
                 "depth_stencil": {**testing, "stencil_ref": 7}},
    }  # fmt: skip
    draws = [HALF, {"draw": {"pipeline": "full", "mesh": "square"}}]
    found = drawn(
        folder, pipelines=pipelines, passes=commands(*draws, depth="d"),
        targets={"a": {"size": [2, 2]},
                 "d": {"size": [2, 2], "format": name, "clear": [1, 3]}},
    )  # fmt: skip
    depth = found.targets["d"]
    stencils = depth.array >> 24 if depth.stencils is None else depth.stencils
    assert stencils.tolist() == [[7, 3], [3, 3]]
    assert (found.targets["a"].array[..., 0] // 255).tolist() == [[0, 1], [1, 1]]


def test_stencils_of_layers_and_samples_are_cleared_copied_and_resolved(folder: Path) -> None:
    """Three of four samples of a pixel fail the test by the mask, and keep the clear value."""
    form = {"size": [2, 2], "format": "D32_FLOAT_S8X24_UINT"}
    writing = {
        "stencil_enable": True, "front_face": {"pass_op": "replace"}, "stencil_ref": 9,
        "depth_enable": False,
    }  # fmt: skip
    pipelines = {"full": {"vertex": "full.dxbc", "depth_stencil": writing, "sample_mask": 2}}
    found = drawn(
        folder, pipelines=pipelines,
        targets={
            "d": {**form, "samples": 4, "clear": [0.5, 4]}, "one": {**form, "clear": 0.25},
            "all": {**form, "layers": 2},
        },
        passes=[{"depth": "d", "clear": True, "commands": [
            {"draw": {"pipeline": "full", "count": 3}},
            {"resolve": {"source": "d", "destination": "one", "mode": "max"}},
            {"copy": {"source": "one", "destination": "all[1]"}},
        ]}],
    )  # fmt: skip
    stencils = {name: np.asarray(each.stencils) for name, each in found.targets.items()}
    assert stencils["d"][0, 0].tolist() == [4, 9, 4, 4]
    assert (stencils["one"] == 9).all()
    assert stencils["all"][:, 0, 0].tolist() == [0, 9]
    assert found.targets["all"].array[:, 0, 0].tolist() == [0, 0.5]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ({"samples": 3}, "targets.a.samples: expected 1, 2, 4, 8, 16, got 3"),
        ({"layers": 0}, "targets.a.layers: expected 1 to 2048, got 0"),
        ({"clear": "red"}, "targets.a.clear: expected 1 to 4 numbers, got 'red'"),
        ({"clear": [0] * 5}, "targets.a.clear: expected 1 to 4 numbers"),
        ({"format": "D16_UNORM", "clear": [1, 0]}, "targets.a.clear: expected a number"),
        ({"format": "D24_UNORM_S8_UINT", "clear": [1, 256]}, "expected a stencil from 0 to 255"),
    ],
)
def test_mistakes_of_targets(folder: Path, target: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        drawn(folder, targets={"a": {"size": [2, 2], **target}}, passes=[])


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ({"mips": "a"}, "mips: expected a target of one sample, got a"),
        ({"mips": "b[0]"}, r"expected a whole target, got b\[0\]"),
        ({"mips": "b[2]"}, r"b\[2\]: the target has 2 layers"),
        ({"copy": {"source": "c[0]", "destination": "a"}}, r"c\[0\]: the target has no layers"),
        ({"copy": {"source": "c", "destination": "e"}}, "copy: expected resources of one size"),
        ({"copy": {"source": "c", "destination": "f"}}, "copy: expected resources of one size"),
        ({"copy": {"source": "c", "destination": "b"}}, "copy: expected resources of one size"),
        ({"resolve": {"source": "c", "destination": "c"}}, "expected a source of several samples"),
        ({"resolve": {"source": "a", "destination": "b"}}, "of one size and format"),
        ({"resolve": {"source": "a", "destination": "e"}}, "of one size and format"),
        ({"resolve": {"source": "a", "destination": "c", "mode": "mean"}}, "resolve mode"),
    ],
)
def test_mistakes_of_commands(folder: Path, command: dict[str, Any], words: str) -> None:
    shape = {"size": [2, 2]}
    targets = {
        "a": {**shape, "samples": 4}, "b": {**shape, "layers": 2}, "c": shape,
        "e": {**shape, "format": "R32G32B32A32_FLOAT"}, "f": {"size": [2, 1]},
    }  # fmt: skip
    with pytest.raises(UsageError, match=words):
        drawn(folder, targets=targets, passes=commands(command))


def test_all_samples_and_layers_count(folder: Path) -> None:
    with pytest.raises(LimitError, match="texels"):
        drawn(folder, targets={"a": {"size": [4096, 4096], "layers": 2048}}, passes=[])
