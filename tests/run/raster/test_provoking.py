"""Provoking vertices, the restart of topologies, and draws without rasterisation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_draw import VERTEX, drawn, red, shaded
from tests.run.stages.test_primitives import assembled as kernel_of
from unshade import UsageError
from unshade.run.raster import PixelHistory, Rejection, draw
from unshade.run.raster.geometry.assembly import assembled

LAST = {"provokingVertexMode": "VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT"}


@pytest.mark.parametrize(
    ("topology", "count", "first", "last"),
    [
        ("triangle_list", 6, [0, 3], [2, 5]),
        ("triangle_strip", 6, [0, 1, 2, 3], [2, 3, 4, 5]),
        ("triangle_fan", 5, [1, 2, 3], [2, 3, 4]),
        ("line_list", 4, [0, 2], [1, 3]),
        ("line_strip", 4, [0, 1, 2], [1, 2, 3]),
        ("point_list", 2, [0, 1], [0, 1]),
    ],
)
def test_the_first_and_the_last_vertex_of_each_topology(
    topology: str, count: int, first: list[int], last: list[int]
) -> None:
    """Vulkan specification, the figures of Primitive Topologies."""
    plain = assembled(topology, 0, None, count)
    turned = assembled(topology, 0, None, count, last=True)
    assert plain[:, 0].tolist() == first
    assert turned[:, -1].tolist() == last
    if plain.shape[1] == 3:  # turned, not turned over
        for a, b in zip(plain.tolist(), turned.tolist(), strict=True):
            assert b in (a, [*a[1:], a[0]], [a[2], *a[:2]])


def test_the_last_vertex_of_a_strip_with_adjacency() -> None:
    """Triangle i of the strip is provoked by vertex 2i + 4."""
    turned = assembled("triangle_strip_adjacency", 0, None, 12, last=True)
    assert turned[:, 4].tolist() == [4, 6, 8, 10]
    plain = assembled("triangle_strip_adjacency", 0, None, 12)
    assert np.array_equal(turned[1], np.roll(plain[1], 2))


def values_of(topology: str, **more: Any) -> set[float]:
    """Return the constant values that the triangles of a square show."""
    square = np.array([[-1, 1, 0, 1], [1, 1, 0, 1], [-1, -1, 0, 1], [1, -1, 0, 1]], np.float32)
    values = np.arange(1, 5)[:, np.newaxis] * np.ones(4)
    found = red(drawn(square, values, 4, "constant", topology=topology, **more))
    return {each for row in found for each in row}


def test_constant_values_are_those_of_the_provoking_vertex() -> None:
    assert values_of("triangle_strip") == {1.0, 2.0}
    assert values_of("triangle_strip", rasterizer=LAST) == {3.0, 4.0}


def test_the_provoking_vertex_selects_the_layer() -> None:
    corners = np.array([[-1, 1, 0, 1], [3, 1, 0, 1], [-1, -3, 0, 1]], np.float32)
    given = {
        "SV_Position": corners, "SV_RenderTargetArrayIndex": np.array([[0], [1], [2]], np.uint32)
    }  # fmt: skip
    for state, layer in (({}, 0), (LAST, 2)):
        found = draw(None, None, given, None, (4, 4), layers=3, rasterizer=state)
        assert found.covered.any(axis=(1, 2)).tolist() == [at == layer for at in range(3)]


@pytest.mark.parametrize(("kind", "cut"), [(np.uint8, 0xFF), (np.uint16, 0xFFFF),
                                           (np.uint32, 0xFFFFFFFF)])  # fmt: skip
def test_the_greatest_index_restarts_a_topology(kind: Any, cut: int) -> None:
    indices = np.array([0, 1, 2, cut, 3, 4, 5, 6], kind)
    strip = assembled("triangle_strip", 0, indices, 7)
    assert strip.tolist() == [[0, 1, 2], [3, 4, 5], [4, 6, 5]]
    listed = np.array([0, 1, cut, 2, 3, 4, cut, 5], kind)
    assert assembled("triangle_list", 0, listed, 6, restart=True).tolist() == [[2, 3, 4]]
    with pytest.raises(UsageError, match=f"no such vertex: {cut}; there are 6"):
        assembled("triangle_list", 0, listed, 6)
    with pytest.raises(UsageError, match=f"no such vertex: {cut}; there are 7"):
        assembled("triangle_strip", 0, indices, 7, restart=False)


def test_a_draw_without_rasterisation_covers_nothing() -> None:
    corners = np.array([[-1, 1, 0, 1], [3, 1, 0, 1], [-1, -3, 0, 1]], np.float32)
    history = PixelHistory(1, 1)
    found = draw(
        None, None, {"SV_Position": corners}, None, (4, 4), history=history,
        rasterizer={"rasterizerDiscardEnable": True},
    )  # fmt: skip
    assert not found.covered.any()
    assert [each.reason for each in history.fragments] == [Rejection.RASTERIZER_DISCARD]


STRIP = """\
gs_5_0
dcl_input_siv v[1][0].xyzw, position
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_maxout 4
mov o0.xyzw, l(-1.0, 1.0, 0, 1.0)
mov o1.xyzw, l(1.0, 1.0, 1.0, 1.0)
emit_stream m0
mov o0.xyzw, l(1.0, 1.0, 0, 1.0)
mov o1.xyzw, l(2.0, 2.0, 2.0, 2.0)
emit_stream m0
mov o0.xyzw, l(-1.0, -1.0, 0, 1.0)
mov o1.xyzw, l(3.0, 3.0, 3.0, 3.0)
emit_stream m0
mov o0.xyzw, l(1.0, -1.0, 0, 1.0)
mov o1.xyzw, l(4.0, 4.0, 4.0, 4.0)
emit_stream m0
ret
"""


def test_the_provoking_vertex_of_a_strip_that_a_geometry_shader_emits() -> None:
    """The last vertex is the one emitted last, in the turned triangle of the strip as well."""
    stages = [kernel_of(VERTEX), kernel_of(STRIP)]
    inputs = {"TEXCOORD0": np.zeros((1, 4), "f4"), "TEXCOORD1": np.zeros((1, 4), "f4")}
    for state, values in (({}, {1.0, 2.0}), (LAST, {3.0, 4.0})):
        found = draw(
            stages, shaded("constant"), inputs, None, (4, 4), topology="point_list",
            rasterizer=state,
        )  # fmt: skip
        assert {each for row in red(found) for each in row} == values
