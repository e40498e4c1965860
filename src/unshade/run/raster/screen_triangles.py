"""Primitive setup: points, lines and triangles of vertices as triangles on the screen.

    vertices ── cull distances ── the view ── viewports ── faces ── clip distances (at each sample)

A primitive all of whose vertices have a negative cull distance, of any component, is left out; NaN
counts as negative. Samples are drawn where every clip distance, mixed with perspective, is 0 or
more; a vertex with a clip distance of NaN takes its primitives with it. A point becomes a square,
two triangles, and so does a line:

    Vulkan       a rectangle one pixel wide, strict lines
    Direct3D     a parallelogram, one pixel wide along the shorter axis, whose ends diamonds decide
                 (diamonds.py); with several samples a rectangle of 1.4 pixels

Source: Direct3D 11.3 functional specification, sections 3.4 (rasterization rules), 15.4 and 15.5;
section 28.6 (rasterization of line segments) of the Vulkan 1.3 specification.
"""

from dataclasses import replace

import numpy as np

from ...errors import UnsupportedError, UsageError
from ...ir.memory import Port
from ...model import SystemValue
from ...vm.launch import Array
from ..signature import KernelSignature, Key, SignatureRow
from .clip import clipped, clipped_lines, shown_points
from .diamonds import line_ends
from .pixel_coverage import HALF, Quads, fixed, twice_area
from .state import RasterState
from .vertices import Primitives, Vertices

DISTANCES = 8  # clip and cull distances of a vertex together
PLACES = 2  # in so many locations, or built-ins
REACH = 1 << 15  # pixels that a corner may be away
LARGEST = float(np.finfo(np.float32).max)
# Corners of the two triangles that a line or a point becomes: the end, and the side of it.
LINE = np.array([[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]])
# Attributes of ScreenTriangles that have no axis of corners.
OF_TRIANGLES = ("is_front", "number", "vertices", "layer", "limits", "depths", "sprite")
SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]])


def check_outputs(outputs: KernelSignature) -> SignatureRow:
    """Return the row of the position; UnsupportedError for outputs that cannot be honoured."""
    position = outputs.by_meaning(SystemValue.POSITION)
    if position is None:
        raise UsageError("the vertices have no position")
    ports = [
        port
        for row in outputs
        for port, meaning in _meanings(row)
        if meaning in (SystemValue.CLIP_DISTANCE, SystemValue.CULL_DISTANCE)
    ]
    places = {port.slot.place if port.slot is not None else port for port in ports}
    if len(ports) > DISTANCES or len(places) > PLACES:
        raise UnsupportedError(
            f"clip and cull distances: expected at most {DISTANCES} components in {PLACES}"
            f" registers, got {len(ports)} in {len(places)}"
        )
    return position


def _meanings(row: SignatureRow) -> list[tuple[Port, SystemValue | str | None]]:
    """Return the ports of a row with their meanings: a location may hold two kinds."""
    return [(port, port.role or row.meaning) for port in row.ports if port is not None]


class ScreenTriangles:
    """Triangles on the screen: corners in steps, 1/w and depth of each, shares of the vertices.

    `screen_shares` are the shares for values that are linear on the screen, with clipped corners as
    well. `number` is the primitive of each triangle, `limits` the part of the targets inside its
    viewport, `layer` the layer that it is drawn into. `sprite` are x and y of a point and its size,
    in pixels and not rounded; 0 for lines and triangles.
    """

    def __init__(self, scene: Primitives, state: RasterState) -> None:
        position = scene.vertices.arrays[check_outputs(scene.vertices.rows).key]
        if position.shape[1] != 4:
            raise UsageError(f"expected a position of four components, got {position.shape[1]}")
        self.scene = scene
        self.state = state
        self.distances = _distances(scene.vertices, SystemValue.CLIP_DISTANCE)
        there = np.arange(len(scene.corners)) if state.keeps_all else self.without_culled()
        viewport = indices(scene, SystemValue.VIEWPORT_ARRAY_INDEX, len(state.viewports))
        layer = indices(scene, SystemValue.RENDER_TARGET_ARRAY_INDEX, state.layers)
        number, self.shares = self._clipped(position, scene.corners[there])
        self.number = there[number]
        vertices = scene.corners[self.number]
        self.vertices = np.concatenate([vertices, *[vertices[:, -1:]] * (3 - vertices.shape[1])], 1)
        clip = np.einsum("tcv,tvk->tck", self.shares, position[self.vertices].astype(np.float64))
        self.layer = layer[self.number]
        view = state.viewports[viewport[self.number]][:, np.newaxis, :]
        self.limits = state.limits[viewport[self.number]]
        self.depths = view[:, 0, 4:]
        self.inverse = 1.0 / clip[..., 3]
        w = position[self.vertices, 3].astype(np.float64)
        self.screen_shares = self.shares * w[:, np.newaxis, :] / clip[..., 3:]
        z = (
            np.clip(clip[..., 2] * self.inverse, 0.0, 1.0)
            if state.depth_clip
            else (clip[..., 2] * self.inverse)
        )
        self.z = z * (view[..., 5] - view[..., 4]) + view[..., 4]
        x = view[..., 0] + (clip[..., 0] * self.inverse + 1.0) * (0.5 * view[..., 2])
        y = view[..., 1] + (1.0 - clip[..., 1] * self.inverse) * (0.5 * view[..., 3])
        self.corners = fixed(np.stack([x, y], axis=-1))
        self.is_front = np.ones(len(self.number), np.bool_)
        self.sprite = np.zeros((len(self.number), 3))
        if scene.corners.shape[1] == 3:
            self._faces()
        else:
            if scene.corners.shape[1] == 1:
                self.sprite = np.stack([x[:, 0], y[:, 0], self._sizes()], axis=1)
            self._widened(scene.corners.shape[1])

    def without_culled(self) -> Array:
        """Return the numbers of the primitives that no cull distance removes."""
        cull = _distances(self.scene.vertices, SystemValue.CULL_DISTANCE)
        with np.errstate(invalid="ignore"):
            out = np.any(np.all(~(cull[self.scene.corners] >= 0), axis=1), axis=1)
        return np.flatnonzero(~out)

    def outside_of_planes(self, corners: Array | None = None) -> Array:
        """Return the primitives that a clip distance removes as a whole: NaN, or all negative."""
        clip = self.distances[self.scene.corners if corners is None else corners]
        out = np.any(np.isnan(clip), axis=(1, 2)) | np.any(np.all(clip < 0, axis=1), axis=1)
        return np.flatnonzero(out)

    def _clipped(self, position: Array, corners: Array) -> tuple[Array, Array]:
        """Return the visible parts of primitives, with shares of three corners."""
        kept = np.arange(len(corners))
        if not self.state.keeps_all:
            kept = np.delete(kept, self.outside_of_planes(corners))
        corners, size = corners[kept], corners.shape[1]
        view = np.abs(self.state.viewports[:, :4])
        guard = max(1.0, float(REACH / max(view[:, 2:].max(), view[:, :2].max(), 1.0)))
        depth = self.state.depth_clip
        sides = guard if self.state.keeps_all else 1.0
        if size == 3:
            number, shares = clipped(position, corners, guard, depth, sides)
            return kept[number], shares
        if size == 1:
            number = shown_points(position, corners, depth, sides)
            shares = np.broadcast_to(np.eye(3)[:1], (len(number), 3, 3))
            return kept[number], np.repeat(shares[:, :1], 3, axis=1)
        number, ends = clipped_lines(position, corners, guard, depth)
        shares = np.zeros((len(number), 3, 3))
        shares[:, :2, :2], shares[:, 2, :2] = ends, ends[:, 1]
        return kept[number], shares

    def _faces(self) -> None:
        """Leave out triangles without area or with a face that is culled; make them clockwise."""
        area = twice_area(self.corners)
        self.is_front = (area > 0) == self.state.clockwise
        kept = (area != 0) | self.state.keeps_all
        if self.state.cull != "none":
            kept &= self.is_front if self.state.cull == "back" else ~self.is_front
        self._turned(np.flatnonzero(kept), area)

    def _turned(self, kept: Array, area: Array) -> None:
        """Keep some of the triangles, clockwise."""
        turned = np.where((area < 0)[kept, np.newaxis], [0, 2, 1], [0, 1, 2])
        for name in ("corners", "inverse", "z", "shares", "screen_shares"):
            setattr(self, name, getattr(self, name)[kept[:, np.newaxis], turned])
        for name in OF_TRIANGLES:
            setattr(self, name, getattr(self, name)[kept])

    def _widened(self, size: int) -> None:
        """Make two triangles of each line or point."""
        a, b = self.corners[:, 0], self.corners[:, 1]
        if size == 1:
            half = np.rint(self.sprite[:, 2] * HALF).astype(np.int64)
            place = a[:, np.newaxis, :] + SQUARE * half[:, np.newaxis, np.newaxis]
            corner = np.zeros(6, np.int64)
        else:
            if self.state.line_width is None:
                self._begun_earlier()
            across = _across(b - a, self.state.line_width)
            side = np.where(LINE[:, 1] == 0, -1, 1)
            ends = self.corners[:, :2][:, LINE[:, 0]]
            place = ends + across[:, np.newaxis, :] * side[:, np.newaxis]
            corner = LINE[:, 0]
        count = len(place)
        for name in ("inverse", "z", "shares", "screen_shares"):
            found = getattr(self, name)[:, corner]
            setattr(self, name, found.reshape(2 * count, 3, *found.shape[2:]))
        for name in OF_TRIANGLES:
            setattr(self, name, np.repeat(getattr(self, name), 2, axis=0))
        self.corners = place.reshape(2 * count, 3, 2)
        area = twice_area(self.corners)
        self._turned(np.flatnonzero(area != 0), area)

    def _begun_earlier(self) -> None:
        """Begin lines at the middle of the pixel whose diamond they leave; stop in the last one."""
        found = line_ends(self.corners[:, :2], self.limits)
        self.limits = found.limits
        moved = np.flatnonzero(found.earlier)
        by = found.earlier[moved]

        def before(values: Array) -> Array:
            """Return the values, linear on the screen, before clipping."""
            first, second = values[moved, 0], values[moved, 1]
            made: Array = first + (first - second) * by.reshape(-1, *[1] * (first.ndim - 1))
            return made

        inverse = before(self.inverse)
        inverse[inverse == 0] = np.finfo(np.float32).tiny
        shares = before(self.shares * self.inverse[..., np.newaxis])
        self.corners[moved, 0] = np.rint(before(self.corners)).astype(np.int64)
        self.screen_shares[moved, 0] = before(self.screen_shares)
        self.shares[moved, 0] = shares / inverse[:, np.newaxis]
        self.z[moved, 0], self.inverse[moved, 0] = before(self.z), inverse

    def _sizes(self) -> Array:
        """Return the size of each point in pixels: 1 unless the vertex specifies a size."""
        given = self.scene.vertices.meaning(SystemValue.POINT_SIZE)
        if given is None:
            return np.ones(len(self.number))
        sizes = np.nan_to_num(given[self.vertices[:, 0], 0].astype(np.float64))
        return np.asarray(np.clip(sizes, 1.0, 256.0))

    def inside(self, quad: Quads) -> Quads:
        """Return the quads without the samples where a clip distance is negative."""
        if not self.distances.shape[1]:
            return quad
        covered = quad.covered & self.inside_mask(quad)
        return replace(quad, covered=covered).some(np.asarray(covered.any(axis=(1, 2))))

    def inside_mask(self, quad: Quads) -> Array:
        """Return True for the samples where no clip distance is negative, (q, 4, samples)."""
        inside = np.ones(quad.covered.shape, np.bool_)
        inverse = self.inverse[quad.triangle][:, np.newaxis, :]
        for sample, offset in enumerate(self.state.offsets):
            weights = quad.weights(offset) * inverse
            mixed = self._mixed(self.distances, self.shares, quad, weights)  # times 1/w: positive
            inside[..., sample] = np.all(mixed >= 0, axis=-1)
        return inside

    def shares_of(self, quad: Quads, weights: Array, *, screen: bool) -> Array:
        """Return the shares of the vertices for weights (q, 4, 3) of the corners."""
        shares = self.screen_shares if screen else self.shares
        made: Array = np.einsum("qlc,qcv->qlv", weights, shares[quad.triangle])
        return made

    def values(self, key: Key, quad: Quads, weights: Array, *, screen: bool) -> Array:
        """Interpolate an output of the vertices by weights (q, 4, 3) of the corners.

        `screen` is true if the weights are linear on the screen, as the values must then be.
        """
        shares = self.screen_shares if screen else self.shares
        values = self.scene.vertices.arrays[key].astype(np.float64)
        return self._mixed(values, shares, quad, weights)

    def _mixed(self, values: Array, shares: Array, quad: Quads, weights: Array) -> Array:
        found = values[self.vertices[quad.triangle]]  # (q, 3, k)
        at_corners = np.einsum("qcv,qvk->qck", shares[quad.triangle], found)
        made: Array = np.einsum("qlc,qck->qlk", weights, at_corners)
        return made


def _across(along: Array, width: float | None) -> Array:
    """Return half the width of lines (n, 2) in steps: as given, or one pixel along an axis."""
    if width is None:
        is_wide = np.abs(along[:, 0]) >= np.abs(along[:, 1])
        return np.where(is_wide[:, np.newaxis], [0, HALF], [HALF, 0])
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / np.where(length == 0, 1, length)[:, np.newaxis]
    return np.rint(np.stack([-unit[:, 1], unit[:, 0]], axis=1) * (width * HALF)).astype(np.int64)


def _distances(vertices: Vertices, wanted: str) -> Array:
    """Return the components with a meaning, (vertices, components)."""
    found = [
        vertices.arrays[row.key][:, at].view("<f4")
        for row in vertices.rows
        for at, port in enumerate(row.ports)
        if ((port.role if port is not None else None) or row.meaning) == wanted
        and (port is not None or not row.needed)
    ]
    made = np.stack(found, axis=1) if found else np.zeros((vertices.count, 0), np.float32)
    return np.clip(made.astype(np.float64), -LARGEST, LARGEST)


def indices(scene: Primitives, meaning: SystemValue, count: int) -> Array:
    """Return the viewport or layer of each primitive; 0 for a number out of range."""
    found = scene.of_primitive(meaning)
    if found is None:
        return np.zeros(len(scene.corners), np.int64)
    return np.where(found < count, found, 0).astype(np.int64)
