"""Pipeline statistics, occlusion queries, and the arguments of indirect draws."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_draw import FULL, VERTEX, drawn, shaded
from tests.run.stages.test_primitives import assembled
from unshade import UsageError
from unshade.run.raster import DrawArguments, PipelineStatistics, dispatch_arguments, draw

IDS = """\
vs_5_0
dcl_input_sgv v0.x, vertex_id
dcl_input_sgv v1.x, instance_id
dcl_input v2.x
dcl_output_siv o0.xyzw, position
dcl_output o1.xyz
mov o0.xyzw, l(0, 0, 0, 1.0)
utof o1.x, v0.x
utof o1.y, v1.x
mov o1.z, v2.x
ret
"""


def test_occlusion_counts_every_sample_that_passes_even_if_it_is_hidden_later() -> None:
    """Three triangles from far to near, in one batch: all pass at each of 16 pixels."""
    three = np.concatenate([FULL] * 3)
    three[:, 2] = np.repeat([0.9, 0.5, 0.1], 3)
    counts = PipelineStatistics()
    drawn(three, 1.0, statistics=counts)
    assert counts.samples_passed == 3 * 16
    assert counts.ps_invocations == 3 * 16
    counts = PipelineStatistics()
    drawn(three[::-1].copy(), 1.0, statistics=counts)
    assert counts.samples_passed == 16
    more: dict[str, Any] = {"samples": 4, "statistics": counts}
    drawn(three[:3], 1.0, **more)
    assert counts.samples_passed == 16 + 64


def test_counting_does_not_change_the_picture() -> None:
    chance = np.random.default_rng(3)
    position = np.concatenate([chance.uniform(-1, 1, (30, 2)), chance.random((30, 1)),
                               np.ones((30, 1))], axis=1).astype("f4")  # fmt: skip
    colours = chance.random((30, 4))
    plain = drawn(position, colours, 16)
    counted = drawn(position, colours, 16, statistics=PipelineStatistics())
    for name in ("depth", "triangle"):
        assert np.array_equal(getattr(plain, name), getattr(counted, name))
    assert np.array_equal(plain.targets["SV_Target"], counted.targets["SV_Target"])


def test_vertices_primitives_and_pieces() -> None:
    """Of two triangles of a strip of an index buffer, one is behind the near plane."""
    square = np.array([[-1, 1, 0, 1], [1, 1, 0, 1], [-1, -1, 0, 1], [1, -1, -9, 1], [9, 9, -9, 1]])
    counts = PipelineStatistics()
    inputs = {"TEXCOORD0": square.astype("f4"), "TEXCOORD1": np.ones((5, 4), "f4")}
    draw(
        assembled(VERTEX), shaded(), inputs, np.array([0, 1, 2, 3], np.uint32), (4, 4),
        topology="triangle_strip", instances=2, statistics=counts, cull="back",
    )  # fmt: skip
    assert (counts.ia_vertices, counts.ia_primitives) == (8, 4)
    assert counts.vs_invocations == 10
    assert counts.c_invocations == 4
    # the other triangle is cut at the near plane into one or two pieces, twice
    assert 2 < counts.c_primitives <= 6
    assert counts.gs_invocations == counts.hs_invocations == 0


def test_no_pixel_shader_no_invocation() -> None:
    counts = PipelineStatistics()
    draw(None, None, {"SV_Position": FULL}, None, (4, 4), statistics=counts)
    assert (counts.ps_invocations, counts.samples_passed) == (0, 16)
    assert counts.document()["vs_invocations"] == 0


# ---------------------------------------------------------------- draws of arguments


def numbers(arguments: DrawArguments, primitives: Any = None) -> list[list[float]]:
    """Return SV_VertexID, SV_InstanceID and the vertex's value of each vertex that is drawn."""
    from unshade.run.raster import StreamOutput, StreamOutputEntry

    buffer = np.full(3 * 64, -1, np.float32)
    stream = StreamOutput([StreamOutputEntry("o1", component_count=3)], {0: buffer})
    draw(
        assembled(IDS), None, {"v2": np.arange(10, 18, dtype="f4")}, primitives, (4, 4),
        topology="point_list", arguments=arguments, stream_output=stream,
    )  # fmt: skip
    return buffer[: stream.filled[0] // 4].reshape(-1, 3).tolist()


@pytest.mark.slow
def test_a_draw_takes_a_part_of_the_vertices() -> None:
    """In Direct3D, SV_VertexID and SV_InstanceID begin at 0 wherever the draw does."""
    arguments = DrawArguments.read(struct.pack("<4x4I", 2, 2, 3, 7), 4)
    assert arguments == DrawArguments(2, 2, 3, start_instance=7)
    assert numbers(arguments) == [[0, 0, 13], [1, 0, 14], [0, 1, 13], [1, 1, 14]]


@pytest.mark.slow
def test_an_indexed_draw_adds_the_base_vertex_to_indices() -> None:
    """SV_VertexID is the index without the base, which is signed."""
    indices = np.array([9, 9, 5, 4, 3, 9], np.uint16)
    arguments = DrawArguments.read(struct.pack("<3IiI", 3, 1, 2, -2, 0), indexed=True)
    assert numbers(arguments, indices) == [[5, 0, 13], [4, 0, 12], [3, 0, 11]]


def test_vertices_beyond_the_end_are_0() -> None:
    given = DrawArguments(3, start=7).vertices({"v2": np.arange(8)})
    assert given["v2"].tolist() == [7, 0, 0]


def test_numbers_in_vulkan_begin_where_the_draw_does() -> None:
    plain = DrawArguments(2, 2, 3, start_instance=7, draw_index=5)
    found = plain.numbers(vulkan=True)
    assert (found.vertex, found.instance, found.base_vertex, found.base_instance) == (3, 7, 3, 7)
    assert found.draw == 5
    indexed = DrawArguments(2, 2, 3, -1, 7, indexed=True)
    found = indexed.numbers(vulkan=True)
    assert (found.vertex, found.instance, found.base_vertex) == (0, 7, -1)


def test_the_groups_of_a_dispatch() -> None:
    assert dispatch_arguments(np.array([9, 1, 2, 3], np.uint32), 4) == (1, 2, 3)
    with pytest.raises(UsageError, match="expected 12 bytes at offset 8, got a buffer of 16"):
        dispatch_arguments(bytes(16), 8)
