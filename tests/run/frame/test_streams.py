"""Stream output and the history of a pixel in frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unshade
from tests.run.frame.scenes import commands, drawn, filled, frame
from unshade.errors import UsageError
from unshade.run.raster import PixelHistory

TARGETS = {"a": {"size": [4, 4]}, "d": {"size": [4, 4], "format": "D32_FLOAT", "clear": 1}}
ENTRIES = [{"SemanticName": "SV_Position", "ComponentCount": 2}]
POINTS = {"points": {"zeros": 16}}
FEEDBACK = """
OpCapability TransformFeedback
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %given
OpExecutionMode %main Xfb
OpDecorate %given Location 0
OpDecorate %given XfbBuffer 1
OpDecorate %given XfbStride 20
OpDecorate %given Offset 4
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%out = OpTypePointer Output %v2
%given = OpVariable %out Output
%five = OpConstant %float 5
%six = OpConstant %float 6
%both = OpConstantComposite %v2 %five %six
%main = OpFunction %void None %function
%start = OpLabel
OpStore %given %both
OpReturn
OpFunctionEnd
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return filled(tmp_path)


def streaming(**more: Any) -> dict[str, Any]:
    """A pipeline that writes the first two numbers of positions."""
    return {"vertex": "placed.dxbc", "stream_output": ENTRIES, **more}


def test_vertices_are_written_to_a_buffer(folder: Path) -> None:
    """The corners of `half` in order; a second draw begins anew, or appends."""
    corners = [-1, 1, 1, 1, -1, -1]
    for append, wanted in ((False, [*corners, *[0] * 10]), (True, [*corners, *corners, *[0] * 4])):
        output = {"buffers": {"0": "points"}, "append": append}
        draw = {"draw": {"pipeline": "placed", "mesh": "half", "stream_output": output}}
        found = drawn(
            folder, targets=TARGETS, buffers=POINTS, pipelines={"placed": streaming()},
            passes=[{"commands": [draw, draw]}],
        )  # fmt: skip
        assert found.buffers["points"].tolist() == wanted


def test_the_transform_feedback_of_a_shader(folder: Path) -> None:
    """Of a SPIR-V module, by its decorations: 4 bytes, the two numbers, 8 bytes; not drawn."""
    module = unshade.assemble(FEEDBACK, "spirv", target="vulkan1.1")
    (folder / "feedback.spv").write_bytes(module.to_bytes())
    pipelines = {"feedback": {"vertex": "feedback.spv", "rasterized_stream": None}}
    draw = {"pipeline": "feedback", "count": 3, "stream_output": {"buffers": {"1": "points"}}}
    found = drawn(
        folder, targets=TARGETS, buffers=POINTS, pipelines=pipelines, meshes={},
        passes=commands({"draw": draw}),
    )  # fmt: skip
    assert found.buffers["points"].tolist() == [*[0, 5, 6, 0, 0] * 3, 0]
    assert not found.targets["a"].array.any()


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ({"buffers": {"4": "points"}}, "stream_output.buffers: expected slots 0 to 3, got '4'"),
        ({"buffers": {"0": "pints"}}, "no buffer 'pints'; did you mean points"),
    ],
)
def test_mistakes_of_stream_output(folder: Path, output: dict[str, Any], words: str) -> None:
    draw = {"draw": {"pipeline": "placed", "mesh": "half", "stream_output": output}}
    with pytest.raises(UsageError, match=words):
        drawn(folder, targets=TARGETS, buffers=POINTS, pipelines={"placed": streaming()},
              passes=commands(draw))  # fmt: skip


def test_the_history_of_a_pixel(folder: Path) -> None:
    """Two draws into the target in two passes; the one between them draws elsewhere."""
    given: dict[str, Any] = {"targets": {**TARGETS, "b": {"size": [4, 4]}}}
    near = {"draw": {"pipeline": "placed", "mesh": "square"}}
    far = {"draw": {"pipeline": "full", "count": 3}}
    given["passes"] = [
        {"targets": ["a"], "depth": "d", "commands": [{"mips": "b"}, far]},
        {"targets": ["b"], "commands": [far]},
        {"targets": ["a"], "depth": "d", "commands": [near]},
    ]
    history = PixelHistory(1, 1)
    found = frame(folder, given).run(history=history)
    assert found.targets["a"].array[1, 1, 0] == 255
    assert [(each.draw, each.reason) for each in history.fragments] == [
        (0, None), (1, "early depth test"),
    ]  # fmt: skip
    assert history.document()["draws"] == ["passes[0].commands[1]", "passes[2].commands[0]"]
    other = PixelHistory(1, 1)
    frame(folder, given).run(history=other, target="b")
    assert other.document()["draws"] == ["passes[1].commands[0]"]


def test_the_history_in_a_layer(folder: Path) -> None:
    targets = {"a": {"size": [2, 2], "layers": 3}}
    draw = {"draw": {"pipeline": "full", "count": 3}}
    given = {"targets": targets, "passes": [{"targets": ["a[2]"], "commands": [draw]},
                                           {"targets": ["a"], "commands": [draw]}]}  # fmt: skip
    for name, count in (("a[2]", 2), ("a[0]", 1), ("a[1]", 0)):
        history = PixelHistory(0, 0)
        frame(folder, given).run(history=history, target=name)
        assert len(history.fragments) == (1 if count == 2 else count)
