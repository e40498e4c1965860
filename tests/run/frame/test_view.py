"""The camera of frames: around all that is drawn, found in the shaders, or described."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.corpus import REPOSITORY
from tests.run.frame.scenes import filled, frame
from unshade.errors import UsageError
from unshade.run.camera.camera import Camera
from unshade.run.frame import FrameCamera, FrameDescription
from unshade.run.frame.filling import filled_from
from unshade.run.frame.view import FrameView
from unshade.run.meshes.mesh import read_mesh

EXAMPLES = REPOSITORY / "examples"
PIPELINE = {"clay": {"vertex": "clay.vert.spv", "pixel": "clay.frag.spv"}}
DRAW = {"pipeline": "clay", "mesh": "torus"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("clay.vert.spv", "clay.frag.spv", "torus.obj"):
        shutil.copy(EXAMPLES / name, tmp_path / name)
    return filled(tmp_path)


def picture(folder: Path, draw: dict[str, Any], **more: Any) -> Any:
    targets = {"a": {"size": [24, 24]}, "d": {"size": [24, 24], "format": "D32_FLOAT", "clear": 1}}
    described = {
        "targets": targets, "pipelines": PIPELINE, "meshes": {"torus": "torus.obj"},
        "passes": [{"targets": ["a"], "depth": "d", "commands": [{"draw": draw}]}], **more,
    }  # fmt: skip
    return frame(folder, described).run()


def test_matrices_are_found_by_the_positions(folder: Path) -> None:
    found = picture(folder, DRAW)
    assert found.cameras == ["clay: camera: view and projection from viewProjection"]
    covered = found.picture("d") < 1
    assert 0.1 < covered.mean() < 0.9
    assert found.reasons == []


def test_a_frame_and_a_draw_have_a_camera(folder: Path) -> None:
    """From far away a mesh is small; the camera of the draw takes the place of the frame's."""
    near = (picture(folder, DRAW).picture("d") < 1).sum()
    camera = {"eye": [0.0, 8.0, 12.0]}
    far = (picture(folder, DRAW, camera=camera).picture("d") < 1).sum()
    assert 0 < far < near / 4
    own = {**DRAW, "camera": {"fov": 45}}
    assert (picture(folder, own, camera=camera).picture("d") < 1).sum() == near


def test_the_reason_for_an_empty_picture(folder: Path) -> None:
    given = {**DRAW, "bindings": {"viewProjection": [[0.0] * 4] * 4}}
    found = picture(folder, given)
    assert found.reasons == ["clay: the position of every vertex is 0"]
    assert (found.picture("d") == 1).all()


def test_one_camera_shows_all_meshes() -> None:
    """The ball around both triangles, whose corners are at x from -1 to 9."""
    one = read_mesh("v -1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    two = read_mesh("v 7 0 0\nv 9 0 0\nv 8 1 0\nf 1 2 3\n")
    draws = [{"draw": {"pipeline": "", "mesh": name}} for name in "xy"]
    described = filled_from(FrameDescription, {"targets": {}, "passes": [{"commands": draws}]})
    found = FrameView.of(
        described, {"x": one, "y": two, "unused": read_mesh("v 99 0 0\nf 1 1 1\n")}
    )
    assert found.middle.tolist() == [4, 0.5, 0]
    assert found.far == np.float32(np.sqrt(25.25))
    around = Camera.around(found.middle, found.far, 2.0)
    assert found.camera(None, (4, 2)) == around
    placed = found.camera(FrameCamera(eye=[0.0, 0.0, 1.0], columns=True), (4, 2))
    assert (placed.eye, placed.target, placed.columns) == ([0, 0, 1], around.target, True)
    with pytest.raises(UsageError, match=r"camera.eye: expected three numbers, got \[1.0\]"):
        found.camera(FrameCamera(eye=[1.0]), (4, 2))
