"""Histories of pixels: every fragment in the order of drawing, and each reason for rejection."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_draw import FULL, VERTEX, drawn, shaded
from tests.run.stages.test_primitives import assembled
from unshade import UsageError
from unshade.run.raster import Fragment, PixelHistory, Rejection, draw
from unshade.run.raster.history_table import text
from unshade.vm.launch import Array

pytestmark = pytest.mark.heavy

DISTANCES = """\
vs_5_0
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output_siv o2.x, {kind}
mov o0.xyzw, v0.xyzw
mov o1.xyzw, v1.xyzw
mov o2.x, v1.x
ret
"""
# Discards the fragment of primitive 1.
DISCARDS = """\
ps_5_0
dcl_globalFlags refactoringAllowed{flag}
dcl_input_ps_sgv constant v1.x, primitive_id
{memory}dcl_output o0.x
dcl_temps 1
{count}ieq r0.x, v1.x, l(1)
discard_nz r0.x
mov o0.x, l(1.0)
ret
"""
MASKED = """\
ps_5_0
dcl_output o0.x
dcl_output oMask
mov o0.x, l(1.0)
mov oMask, l({mask})
ret
"""
DEEP = """\
ps_5_0
dcl_output o0.x
dcl_output oDepth
mov o0.x, l(1.0)
mov oDepth, l(0.5)
ret
"""
BESIDE = FULL + np.array([2.25, 0, 0, 0], np.float32)  # of the view, at its right


def at(z: float, corners: Array = FULL) -> Array:
    """Return a triangle at a depth."""
    made = corners.copy()
    made[:, 2] = z
    return made


def history(*triangles: Array, colour: Any = 1.0, **more: Any) -> list[Fragment]:
    """Return the fragments of pixel (1, 2) of four by four."""
    found = PixelHistory(1, 2)
    drawn(np.concatenate(triangles).astype(np.float32), colour, history=found, **more)
    return found.fragments


def of_pixel_shader(code: str, *triangles: Array, **more: Any) -> list[Fragment]:
    """Return the fragments of pixel (1, 2), drawn with a pixel shader without inputs."""
    found = PixelHistory(1, 2)
    position = np.concatenate(triangles)
    inputs = {"TEXCOORD0": position, "TEXCOORD1": np.ones((len(position), 4), np.float32)}
    draw(assembled(VERTEX), assembled(code), inputs, None, (4, 4), history=found, **more)
    return found.fragments


def reasons(fragments: list[Fragment]) -> list[Rejection | None]:
    return [each.reason for each in fragments]


def unchanged(one: Fragment) -> bool:
    return all(np.array_equal(array, one.after[name]) for name, array in one.before.items())


def test_fragments_are_recorded_in_order_and_as_they_were_at_their_turn() -> None:
    colours = np.repeat(np.array([[1.0], [2.0], [3.0]], np.float32) * np.ones(4, "f4"), 3, axis=0)
    far, hidden, near = history(at(0.5), at(0.75), at(0.25), colour=colours)
    assert reasons([far, hidden, near]) == [None, Rejection.EARLY_DEPTH, None]
    assert [each.primitive for each in (far, hidden, near)] == [0, 1, 2]
    assert far.before["SV_Target"].tolist() == [[0.0] * 4]
    assert far.before["depth"].tolist() == [np.inf]
    assert far.after["SV_Target"].tolist() == far.output["SV_Target"].tolist() == [[1.0] * 4]
    assert hidden.depth.tolist() == [0.75]
    assert (hidden.shaded, hidden.output) == (0, {})
    assert near.before["SV_Target"].tolist() == [[1.0] * 4]
    assert near.after["SV_Target"].tolist() == [[3.0] * 4]
    assert near.after["depth"].tolist() == [0.25]


def test_a_history_goes_on_over_several_draws() -> None:
    found = PixelHistory(0, 3)
    target, depth = np.zeros((4, 4, 4), np.float32), np.full((4, 4), 0.6, np.float32)
    for z in (0.5, 0.7):
        drawn(at(z), z, history=found, targets=[target], depth=depth)
    assert [(each.draw, each.primitive) for each in found.fragments] == [(0, 0), (1, 0)]
    assert reasons(found.fragments) == [None, Rejection.EARLY_DEPTH]
    assert found.fragments[1].before["depth"].tolist() == [0.5]


@pytest.mark.parametrize(
    ("reason", "triangle", "options"),
    [
        (Rejection.DEPTH_CLIP, at(1.5), {}),
        (Rejection.DEPTH_CLIP, at(-0.5), {}),
        (Rejection.FACE, at(0.5)[[0, 2, 1]], {"cull": "back"}),
        (Rejection.FACE, at(0.5), {"cull": "front"}),
        (Rejection.VIEWPORT, at(0.5), {"viewports": [0, 0, 4, 2]}),
        # Of a triangle that the viewport's side removes as a whole, the corners are beyond it.
        (
            Rejection.VIEWPORT,
            BESIDE,
            {"viewports": [-4, 0, 4, 4]},
        ),
        (Rejection.SCISSOR, at(0.5), {"scissors": [0, 0, 4, 2]}),
        (Rejection.SAMPLE_MASK, at(0.5), {"sample_mask": 0}),
        (Rejection.NO_AREA, at(0.5, FULL * [1, 0, 1, 1] - [0, 0.25, 0, 0]), {}),
    ],
)
def test_what_the_rasteriser_rejects(reason: Rejection, triangle: Array, options: Any) -> None:
    [found] = history(triangle, **options)
    assert [*found.rejected] == [reason]
    assert found.reason is reason
    assert (found.samples, found.written, found.shaded) == (1, 0, 0)
    assert unchanged(found)


def test_a_triangle_beside_the_pixel_has_no_part_in_its_history() -> None:
    beside = np.array([[0.5, 1, 0, 1], [1, 1, 0, 1], [1, -1, 0, 1]], np.float32)
    flat = FULL * [1, 0, 1, 1] + np.array([0, 0.75, 0, 0], np.float32)
    assert history(beside, flat) == []


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("clip_distance", Rejection.CLIP_DISTANCE),
        ("cull_distance", Rejection.CULL_DISTANCE),
    ],
)
def test_distances_reject(kind: str, reason: Rejection) -> None:
    position = np.concatenate([at(0.5), at(0.5)])
    distance = np.repeat(np.array([-1.0, 1.0], np.float32), 3)[:, np.newaxis] * np.ones(4, "f4")
    found = PixelHistory(1, 2)
    inputs = {"TEXCOORD0": position, "TEXCOORD1": distance}
    vertex = assembled(DISTANCES.format(kind=kind))
    draw(vertex, shaded(), inputs, None, (4, 4), history=found)
    assert reasons(found.fragments) == [reason, None]


def test_a_clip_distance_rejects_the_samples_of_one_side() -> None:
    """It is 2 at the left of the target, -6 at a corner beyond the right side: 0 at a quarter."""
    distance = np.array([2.0, -6.0, 2.0], np.float32)[:, np.newaxis] * np.ones(4, "f4")
    inputs = {"TEXCOORD0": at(0.5), "TEXCOORD1": distance}
    vertex = assembled(DISTANCES.format(kind="clip_distance"))
    for x, reason in ((1, None), (2, Rejection.CLIP_DISTANCE)):
        found = PixelHistory(x, 2)
        draw(vertex, shaded(), inputs, None, (4, 4), history=found)
        assert reasons(found.fragments) == [reason]


def test_discards_and_late_tests() -> None:
    code = DISCARDS.format(flag="", memory="", count="")
    found = of_pixel_shader(code, at(0.5), at(0.25), at(0.75))
    assert reasons(found) == [None, Rejection.DISCARD, Rejection.DEPTH]
    assert [each.shaded for each in found] == [1, 1, 1]
    assert unchanged(found[1])


def test_a_discarded_fragment_writes_its_depth_after_a_forced_early_test() -> None:
    memory, count = "dcl_uav_raw u1\n", "atomic_iadd u1, l(0), l(1)\n"
    code = DISCARDS.format(flag=" | forceEarlyDepthStencil", memory=memory, count=count)
    counted = np.zeros(1, np.uint32)
    found = of_pixel_shader(
        code, at(0.5), at(0.25), at(0.75), pixel_bindings={"u1": counted.view(np.uint8)}
    )
    assert reasons(found) == [None, Rejection.DISCARD, Rejection.EARLY_DEPTH]
    assert found[1].after["depth"].tolist() == [0.25]
    assert found[1].after["SV_Target"].tolist() == found[1].before["SV_Target"].tolist()
    assert counted[0] == 32  # two triangles of 16 pixels


def test_samples_fail_one_by_one() -> None:
    """The shader's coverage has samples 0 and 1, the draw's mask 1, 2 and 3."""
    [found] = of_pixel_shader(MASKED.format(mask=3), at(0.5), samples=4, sample_mask=14)
    assert found.samples == 15
    assert found.rejected == {Rejection.SAMPLE_MASK: 1, Rejection.COVERAGE: 12}
    assert (found.shaded, found.written, found.reason) == (14, 2, None)
    assert found.after["SV_Target"][:, 0].tolist() == [0, 1, 0, 0]
    [found] = of_pixel_shader(MASKED.format(mask=0), at(0.5))
    assert found.reason is Rejection.COVERAGE


def test_the_depth_is_the_one_that_the_shader_outputs() -> None:
    first, second = of_pixel_shader(DEEP, at(0.25), at(0.125))
    assert (first.depth.tolist(), first.after["depth"].tolist()) == ([0.5], [0.5])
    assert second.reason is Rejection.DEPTH


@pytest.mark.slow
@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize("function", ["less", "greater_equal", "not_equal", "always", None])
def test_the_last_values_are_those_of_the_picture(samples: int, function: str | None) -> None:
    random = np.random.default_rng(29)
    shape = (8, 3, 4)
    position = random.uniform(-1.5, 1.5, shape).astype(np.float32)
    position[..., 2] = random.integers(-1, 6, shape[:2]) / 5  # equal depths are among them
    position[..., 3] = random.uniform(0.5, 2.0, shape[:2])
    colours = random.uniform(0, 1, (24, 4)).astype(np.float32)
    options: dict[str, Any] = {
        "samples": samples, "cull": "back", "scissors": [1, 0, 6, 5], "depth_function": function,
    }  # fmt: skip

    def picture(history: PixelHistory | None) -> Any:
        axes = (6, 6, samples) if samples > 1 else (6, 6)
        depth = np.full(axes, 0.625, np.float32)
        made = drawn(position.reshape(-1, 4), colours, 6, history=history, depth=depth, **options)
        assert made.depth is depth
        return made

    plain = picture(None)
    seen: set[Rejection | None] = set()
    for y in range(6):
        for x in range(6):
            found = PixelHistory(x, y)
            made = picture(found)
            assert np.array_equal(made.targets["SV_Target"], plain.targets["SV_Target"])
            assert np.array_equal(made.triangle, plain.triangle)
            seen |= {*reasons(found.fragments)}
            before: Any = None
            for each in found.fragments:
                if before is not None:
                    assert all(np.array_equal(before[name], each.before[name]) for name in before)
                assert each.written | sum(each.rejected.values()) == each.samples
                before = each.after
            if before is not None:
                pixel = plain.targets["SV_Target"][y, x].reshape(samples, 4)
                assert np.array_equal(before["SV_Target"], pixel)
                assert np.array_equal(before["depth"], plain.depth[y, x].reshape(samples))
            last = [each.primitive for each in found.fragments if each.written & 1]
            first_sample = plain.triangle[y, x].reshape(samples)[0]
            assert (last or [-1])[-1] == first_sample
    assert {None, Rejection.FACE, Rejection.SCISSOR, Rejection.DEPTH_CLIP} <= seen


def test_tables_share_a_row_for_equal_samples() -> None:
    found = PixelHistory(1, 2)
    drawn(np.concatenate([at(0.5), at(0.75)]), 1.0, history=found, samples=4, sample_mask=7)
    assert [" ".join(line.split()) for line in text(found)] == [
        "primitive face samples depth target output before after result",
        "0 front 0 1 2 0.5 SV_Target 1 1 1 1 0 0 0 0 1 1 1 1 written",
        "depth inf 0.5",
        "3 0.5 sample mask",
        "1 front 0 1 2 0.75 early depth test",
        "3 0.75 sample mask",
    ]


def test_documents_have_no_numbers_that_json_lacks() -> None:
    found = PixelHistory(1, 2)
    drawn(at(0.5), np.nan, history=found)
    [fragment] = found.document()["fragments"]
    assert fragment["before"]["depth"] == ["inf"]
    assert fragment["after"]["SV_Target"] == [["nan"] * 4]
    assert fragment["reason"] is None


def test_pixels_outside_of_the_targets() -> None:
    with pytest.raises(UsageError, match="history: expected x from 0 to 3, got 4"):
        drawn(at(0.5), 1.0, history=PixelHistory(4, 0))
    with pytest.raises(UsageError, match="y: expected 0 or more, got -1"):
        PixelHistory(0, -1)
