"""Stream output and transform feedback: vertices of primitives in buffers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.run.raster.test_draw import FULL, VERTEX
from tests.run.stages.test_primitives import assembled
from unshade import UsageError
from unshade.run.raster import StreamOutput, StreamOutputEntry, draw
from unshade.vm.launch import Array

GEOMETRY = """\
gs_5_0
dcl_input_siv v[1][0].xyzw, position
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology pointlist
dcl_output o0.x
dcl_stream m1
dcl_outputtopology pointlist
dcl_output o0.xy
dcl_maxout 3
mov o0.x, v[0][0].x
emit_stream m0
mov o0.xy, v[0][0].xyxx
emit_stream m1
mov o0.xy, v[0][0].yxyy
emit_stream m1
ret
"""
ENGINES = ["lockstep", "jit"]
# A block with its position at byte 8, a vector at byte 0 and a matrix in the second buffer; the
# point size is in the block, but is not written to a buffer.
FEEDBACK = """\
OpCapability Shader
OpCapability TransformFeedback
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %out %v %m
OpExecutionMode %main Xfb
OpDecorate %Block Block
OpMemberDecorate %Block 0 BuiltIn Position
OpMemberDecorate %Block 0 Offset 8
OpMemberDecorate %Block 1 BuiltIn PointSize
OpDecorate %out XfbBuffer 0
OpDecorate %out XfbStride 28
OpDecorate %v Location 0
OpDecorate %v XfbBuffer 0
OpDecorate %v XfbStride 28
OpDecorate %v Offset 0
OpDecorate %m Location 1
OpDecorate %m XfbBuffer 2
OpDecorate %m XfbStride 16
OpDecorate %m Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%0 = OpConstant %int 0
%1 = OpConstant %int 1
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%mat = OpTypeMatrix %v2 2
%Block = OpTypeStruct %v4 %float
%block_p = OpTypePointer Output %Block
%v2_p = OpTypePointer Output %v2
%v4_p = OpTypePointer Output %v4
%mat_p = OpTypePointer Output %mat
%float_p = OpTypePointer Output %float
%f1 = OpConstant %float 1
%f2 = OpConstant %float 2
%f3 = OpConstant %float 3
%f4 = OpConstant %float 4
%a = OpConstantComposite %v2 %f1 %f2
%b = OpConstantComposite %v2 %f3 %f4
%both = OpConstantComposite %mat %a %b
%four = OpConstantComposite %v4 %f4 %f3 %f2 %f1
%out = OpVariable %block_p Output
%v = OpVariable %v2_p Output
%m = OpVariable %mat_p Output
%main = OpFunction %void None %fn
%start = OpLabel
%position = OpAccessChain %v4_p %out %0
OpStore %position %four
%size = OpAccessChain %float_p %out %1
OpStore %size %f1
OpStore %v %b
OpStore %m %both
OpReturn
OpFunctionEnd
"""


def ready(position: Array, colour: Array) -> dict[str, Array]:
    return {"SV_Position": position, "COLOR0": colour}


def captured(topology: str, count: int, room: int, primitives: Any = None) -> tuple[Array, Any]:
    """Write the number of each vertex of the primitives to a buffer with room for some words."""
    buffer = np.full(room, -1, np.float32)
    stream = StreamOutput([StreamOutputEntry("COLOR", 0, 0, 1)], {0: buffer})
    position = np.zeros((count, 4), np.float32)
    numbers = np.arange(count, dtype=np.float32)[:, np.newaxis] * np.ones(4, np.float32)
    draw(
        None, None, ready(position, numbers), primitives, (4, 4), topology=topology,
        stream_output=stream,
    )  # fmt: skip
    return buffer, stream


@pytest.mark.parametrize(
    ("topology", "count", "vertices"),
    [
        ("point_list", 3, [0, 1, 2]),
        ("line_strip", 3, [0, 1, 1, 2]),
        ("line_list_adjacency", 4, [1, 2]),
        ("triangle_list", 5, [0, 1, 2]),
        ("triangle_strip", 4, [0, 1, 2, 1, 3, 2]),
        ("triangle_list_adjacency", 6, [0, 2, 4]),
    ],
)
def test_primitives_are_written_as_lists(topology: str, count: int, vertices: list[int]) -> None:
    """Direct3D 11.3, chapter 14: strips as lists, without adjacency and incomplete primitives."""
    buffer, stream = captured(topology, count, 12)
    assert buffer.tolist() == [*vertices, *[-1] * (12 - len(vertices))]
    assert stream.filled == {0: 4 * len(vertices)}


def test_a_primitive_without_room_is_not_written_in_part() -> None:
    """Room for 8 vertices holds two triangles; the third is counted as needed."""
    buffer, stream = captured("triangle_list", 9, 8)
    assert buffer.tolist() == [0, 1, 2, 3, 4, 5, -1, -1]
    assert (stream.written, stream.needed, stream.filled) == ({0: 2}, {0: 3}, {0: 24})


def test_a_full_buffer_stops_the_other_buffers_of_the_stream() -> None:
    small, large = np.zeros(4, np.float32), np.zeros(64, np.float32)
    entries = [
        StreamOutputEntry("COLOR", 0, 0, 1, 0), StreamOutputEntry("SV_Position", output_slot=1)
    ]  # fmt: skip
    stream = StreamOutput(entries, {0: small, 1: large})
    position = np.ones((6, 4), np.float32)
    draw(None, None, ready(position, position), None, (4, 4), stream_output=stream)
    assert stream.filled == {0: 12, 1: 48}
    assert large.sum() == 12


def test_draws_append() -> None:
    buffer = np.zeros(4, np.float32)
    stream = StreamOutput([{"SemanticName": "COLOR", "ComponentCount": 1}], {0: buffer})
    for value in (1, 2, 3):
        colour = np.full((1, 4), value, np.float32)
        draw(
            None, None, ready(colour, colour), None, (4, 4), topology="point_list",
            stream_output=stream,
        )  # fmt: skip
    assert buffer.tolist() == [1, 2, 3, 0]
    assert stream.written == {0: 3}


def test_gaps_offsets_and_strides() -> None:
    """Entries follow one another; a gap is not written; an offset is of the vertex."""
    buffer = np.full(16, 9, np.float32)
    entries = [
        StreamOutputEntry(None, component_count=1), StreamOutputEntry("COLOR", 0, 1, 2),
        StreamOutputEntry("SV_Position", 0, 3, 1, offset=20),
    ]  # fmt: skip
    stream = StreamOutput(entries, {0: buffer}, {0: 28})
    colour = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], np.float32)
    draw(
        None, None, ready(colour * 10, colour), None, (4, 4), topology="point_list",
        stream_output=stream,
    )  # fmt: skip
    assert buffer.tolist() == [9, 2, 3, 9, 9, 40, 9, 9, 6, 7, 9, 9, 80, 9, 9, 9]


@pytest.mark.parametrize("engine", ENGINES)
def test_outputs_of_a_vertex_shader_are_written_and_drawn(engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    buffer = np.zeros((3, 4), np.float32)
    stream = StreamOutput([StreamOutputEntry("SV_Position")], {0: buffer})
    inputs = {"TEXCOORD0": FULL, "TEXCOORD1": FULL}
    more: dict[str, Any] = {"stream_output": stream}
    vertex = assembled(VERTEX, engine)
    assert draw(vertex, None, inputs, None, (4, 4), **more).covered.all()
    assert np.array_equal(buffer, FULL)
    stream.rasterized_stream = None
    assert not draw(vertex, None, inputs, None, (4, 4), **more).covered.any()
    assert stream.needed == {0: 2}


@pytest.mark.parametrize("engine", ENGINES)
def test_streams_of_a_geometry_shader(engine: str) -> None:
    """Both streams are written, each to its buffer; none has a position to be rasterised."""
    if engine == "jit":
        pytest.importorskip("llvmlite")
    first, second = np.zeros(2, np.float32), np.zeros(8, np.float32)
    entries = [
        StreamOutputEntry("o0", component_count=1), StreamOutputEntry("o0", output_slot=1, stream=1)
    ]  # fmt: skip
    stream = StreamOutput(entries, {0: first, 1: second}, rasterized_stream=None)
    points = {"TEXCOORD0": np.array([[1, 2, 0, 1], [3, 4, 0, 1]], "f4"), "TEXCOORD1": [0, 0, 0, 0]}
    stages = [assembled(VERTEX, engine), assembled(GEOMETRY, engine)]
    draw(stages, None, points, None, (4, 4), topology="point_list", stream_output=stream)
    assert first.tolist() == [1, 3]
    assert second.tolist() == [1, 2, 2, 1, 3, 4, 4, 3]
    assert stream.written == {0: 2, 1: 4}


@pytest.mark.parametrize(
    ("entries", "more", "message"),
    [
        ([StreamOutputEntry("NORMAL")], {}, "NORMAL"),
        ([StreamOutputEntry("COLOR", output_slot=4)], {}, "expected slots and streams from 0 to 3"),
        ([StreamOutputEntry("COLOR")], {"strides": {0: 8}}, "expected a stride of 16 to 2048"),
        ([{"semantic": "COLOR"}], {}, "stream output: unknown field 'semantic'"),
    ],
)
def test_declarations_that_do_not_fit(entries: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        draw(
            None, None, ready(FULL, FULL), None, (4, 4),
            stream_output=StreamOutput(entries, {0: np.zeros(64, np.float32)}, **more),
        )  # fmt: skip


def test_a_buffer_must_be_an_array_that_can_be_written() -> None:
    for buffer in (bytes(16), np.zeros((4, 4), np.float32)[:, :2]):
        with pytest.raises(UsageError, match="stream output buffer 0: expected a contiguous array"):
            StreamOutput([StreamOutputEntry("COLOR")], {0: buffer})  # type: ignore[dict-item]


@pytest.mark.parametrize("engine", ENGINES)
def test_decorations_of_spirv_are_a_declaration(engine: str) -> None:
    """XfbBuffer, XfbStride and Offset; columns of a matrix follow one another."""
    if engine == "jit":
        pytest.importorskip("llvmlite")
    shader = unshade.assemble(FEEDBACK, "spirv", target="vulkan1.1")
    buffers = {0: np.full(14, -1, np.float32), 2: np.full(8, -1, np.float32)}
    stream = StreamOutput.of(shader, buffers)
    assert stream.strides == {0: 28, 2: 16}
    draw(
        unshade.kernel(shader, engine=engine), None, 2, None, (4, 4), topology="point_list",
        stream_output=stream,
    )  # fmt: skip
    assert buffers[0].tolist() == [3, 4, 4, 3, 2, 1, -1] * 2
    assert buffers[2].tolist() == [1, 2, 3, 4] * 2
    assert stream.written == {0: 2}


def test_a_shader_without_transform_feedback() -> None:
    with pytest.raises(UsageError, match="the shader writes no transform feedback buffer"):
        StreamOutput.of(unshade.assemble(VERTEX, "dxcontainer"), {})
