"""Primitives that the rasteriser keeps from a pixel, and the test that each of them fails.

The primitives are set up again without clipping at the sides of the view and at distances, without
culling, viewports' edges and scissors; those that then cover the pixel, and did not reach it in the
draw, are tested one test after the other at the samples of the pixel.
"""

from collections.abc import Iterator

import numpy as np

from ...dataclass import replace
from ...model import SystemValue
from ...vm.launch import Array
from .depth_target import DepthTarget
from .history import Fragment, PixelHistory, Rejection, bits_of
from .pixel_coverage import STEPS, Quads, fixed
from .screen_triangles import ScreenTriangles, indices
from .state import RasterState
from .states.words import ConservativeMode
from .vertices import Primitives


def rejected(
    scene: Primitives,
    state: RasterState,
    depth: DepthTarget,
    history: PixelHistory,
    reached: set[int],
) -> Iterator[Fragment]:
    """Yield the fragments that the rasteriser rejects, in the order of their primitives.

    `reached` are the numbers of the primitives that have fragments in the draw.
    """
    viewports = state.viewports.copy()
    viewports[:, 4:] = 0.0, 1.0
    rasterizer = replace(state.rasterizer, depth_clip_enable=False)
    whole = replace(state, rasterizer=rasterizer, viewports=viewports, keeps_all=True)
    triangles = ScreenTriangles(scene, whole)
    corner = np.array([history.x, history.y], np.int64) * STEPS
    pixel = np.concatenate([corner, corner + STEPS])
    limits = triangles.limits.copy()  # lines do not reach the pixel that they end in
    limits[:, :2] = np.maximum(limits[:, :2], pixel[:2])
    limits[:, 2:] = np.minimum(limits[:, 2:], pixel[2:])
    tests = _Tests(scene, state, depth, triangles, pixel[:2] + STEPS // 2)
    found: list[tuple[int, Fragment]] = []
    for quad in triangles.quads(limits):
        here = (quad.x == history.x) & (quad.y == history.y)
        here &= (triangles.layer[quad.triangle] == history.layer)[:, np.newaxis]
        here &= quad.covered.any(axis=-1)
        here &= ~np.isin(triangles.number[quad.triangle], [*reached])[:, np.newaxis]
        for at, lane in np.argwhere(here):
            one = quad.some(slice(at, at + 1))
            found.append((int(one.triangle[0]), tests.fragment(one, int(lane))))
    flat = _flat(triangles, pixel) if triangles.conservative != ConservativeMode.ON else []
    for number in flat:
        if triangles.layer[number] == history.layer:
            found.append((number, tests.flat(number)))
    for _, each in sorted(found, key=lambda pair: pair[0]):
        yield each


class _Tests:
    """The tests of the rasteriser at one pixel."""

    def __init__(
        self,
        scene: Primitives,
        state: RasterState,
        depth: DepthTarget,
        triangles: ScreenTriangles,
        centre: Array,
    ) -> None:
        self.state = state
        self.depth = depth
        self.triangles = triangles
        self.let_through = scene.let_through
        self.there = {*map(int, triangles.without_culled())}
        self.clipped = {*map(int, triangles.outside_of_planes())}
        self.viewport = indices(scene, SystemValue.VIEWPORT_ARRAY_INDEX, len(state.viewports))
        target = np.array([[0, 0, state.width, state.height]], np.float64)
        self.views = replace(state, scissors=target).limits
        rows = np.minimum(np.arange(len(state.viewports)), len(state.scissors) - 1)
        self.scissors = fixed(state.scissors)[rows]
        self.places = centre + state.offsets
        self.polygons = scene.corners.shape[1] == 3

    def fragment(self, quad: Quads, lane: int) -> Fragment:
        """Return the fragment of a lane of a quad, with the reasons why it is rejected."""
        number = int(quad.triangle[0])
        primitive = int(self.triangles.number[number])
        left = quad.covered[0, lane].copy()
        z = np.array(
            [
                float(quad.weights(offset)[0, lane] @ self.triangles.z[number])
                for offset in self.state.offsets
            ]
        )
        made = Fragment(
            0, primitive, bool(self.triangles.is_front[number]), bits_of(left),
            self._encoded(z, primitive), {}, {},
        )  # fmt: skip
        for reason, passes in self._passes(quad, lane, primitive, number, z):
            lost = left & ~passes
            if lost.any():
                made.rejected[reason] = bits_of(lost)
            left = left & passes
        if left.any():  # a sample beside an edge that clipping moved by rounding
            made.rejected[Rejection.DEPTH_CLIP] = bits_of(left)
        return made

    def _encoded(self, z: Array, primitive: int) -> Array:
        low, high = self.state.viewports[self.viewport[primitive], 4:]
        return self.depth.encoded(z * (high - low) + low)

    def _passes(
        self, quad: Quads, lane: int, primitive: int, number: int, z: Array
    ) -> Iterator[tuple[Rejection, Array]]:
        """Yield each test, with the samples that pass it."""
        every = np.ones(len(z), np.bool_)
        discards = self.state.rasterizer.rasterizer_discard_enable
        yield Rejection.RASTERIZER_DISCARD, every & (not discards)
        yield Rejection.CULL_PRIMITIVE, every & self.let_through[primitive]
        yield Rejection.CULL_DISTANCE, every & (primitive in self.there)
        inside = self.triangles.inside_mask(quad)[0, lane]
        yield Rejection.CLIP_DISTANCE, inside & (primitive not in self.clipped)
        if self.state.rasterizer.depth_clip_enable:
            yield Rejection.DEPTH_CLIP, (z >= 0) & (z <= 1)
        view = self.viewport[primitive]
        yield Rejection.VIEWPORT, self._within(self.views[view])
        culled = self.state.rasterizer.culled(self.triangles.is_front[number])
        yield Rejection.FACE, every & ~(culled & self.polygons)
        yield Rejection.SCISSOR, self._within(self.scissors[view])

    def _within(self, limits: Array) -> Array:
        inside = (self.places >= limits[:2]) & (self.places < limits[2:])
        return np.asarray(inside.all(axis=1))

    def flat(self, number: int) -> Fragment:
        """Return the fragment of a triangle without area."""
        samples = (1 << self.state.samples) - 1
        depth = self.depth.encoded(np.full(self.state.samples, np.nan))
        primitive = int(self.triangles.number[number])
        made = Fragment(0, primitive, False, samples, depth, {}, {})
        made.rejected[Rejection.NO_AREA] = samples
        return made


def _flat(triangles: ScreenTriangles, pixel: Array) -> list[int]:
    """Return the triangles without area that go through a pixel."""
    corners = triangles.corners
    a, b, c = (corners[:, at] for at in range(3))
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    found = []
    for number in np.flatnonzero(area == 0):
        line = corners[number]
        ends = line[np.lexsort((line[:, 1], line[:, 0]))][[0, 2]].astype(np.float64)
        enter, leave = 0.0, 1.0
        for axis in range(2):
            start, along = ends[0, axis], ends[1, axis] - ends[0, axis]
            low, high = float(pixel[axis]) - start, float(pixel[axis + 2]) - start
            if along == 0:
                leave = leave if low <= 0 < high else -1.0
                continue
            near, far = sorted((low / along, high / along))
            enter, leave = max(enter, near), min(leave, far)
        if enter <= leave:
            found.append(int(number))
    return found
