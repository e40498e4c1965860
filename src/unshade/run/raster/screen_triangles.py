"""Primitive setup: points, lines and triangles of vertices as triangles on the screen.

    vertices ── cull distances ── the view ── viewports ── faces ── clip distances (at each sample)

A primitive all of whose vertices have a negative cull distance, of any component, is left out; NaN
counts as negative. Samples are drawn where every clip distance, mixed with perspective, is 0 or
more; a vertex with a clip distance of NaN takes its primitives with it. Lines and points become
pairs of triangles (widened.py), after the polygons that are drawn as their edges or corners have
become lines or points: these have the face, the number and the depth bias of the polygon.

Source: Direct3D 11.3 functional specification, sections 15.2 (fill mode), 15.4 and 15.5; Vulkan
specification, Basic Polygon Rasterization and Polygon Mode.
"""

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from ...dataclass import dataclass, replace
from ...errors import UnsupportedError, UsageError
from ...ir.memory import Port
from ...model import SystemValue
from ...vm.launch import Array
from ..signature import KernelSignature, Key, SignatureRow
from .clip import clipped, clipped_lines, doubles, outline, shown_points
from .depth_bias import biases
from .pixel_coverage import Quads, fixed, quads, twice_area
from .smooth_lines import shares
from .state import RasterState
from .states.words import ConservativeMode, Fill, LineMode
from .stipple import drawn
from .sums import by_columns, in_turn
from .vertices import Primitives, Vertices
from .widened import OF_CORNERS, OF_TRIANGLES, widened

WHOLE = (LineMode.ALIASED, LineMode.RECTANGULAR_SMOOTH)  # lines that cover all samples of pixels
DISTANCES = 8  # clip and cull distances of a vertex together
PLACES = 2  # in so many locations, or built-ins
REACH = 1 << 15  # pixels that a corner may be away
LARGEST = float(np.finfo(np.float32).max)
# The corners of a polygon that are the ends of its parts, by the way it is filled.
PARTS = {
    Fill.SOLID: np.array([[0, 1, 2]]), Fill.WIREFRAME: np.array([[0, 1], [1, 2], [2, 0]]),
    Fill.POINT: np.array([[0], [1], [2]]),
}  # fmt: skip


# The shares of a whole triangle, and of one whose last two corners are exchanged.
SHARES = np.stack([np.eye(3), np.eye(3)[[0, 2, 1]]])


@dataclass(frozen=True, slots=True)
class WholeTriangles:
    """Triangles on the screen that are not cut, clockwise, without those that are not shown.

    The arrays are those of `ScreenTriangles`; `turned` marks triangles whose last two corners are
    exchanged. `pieces` are the triangles before faces are culled, `cut` the numbers of those that
    have to be cut.
    """

    corners: Array
    z: Array
    inverse: Array
    vertices: Array
    number: Array
    is_front: Array
    turned: Array
    cut: Array
    pieces: int = 0

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The arrays, each with a row for each triangle."""
        return (self.corners, self.z, self.inverse, self.vertices, self.number, self.is_front,
                self.turned)  # fmt: skip

    def first(self, count: int, pieces: int, cut: int) -> "WholeTriangles":
        """Return the first triangles, and the first numbers of those that have to be cut."""
        some = slice(count)
        return WholeTriangles(
            self.corners[some], self.z[some], self.inverse[some], self.vertices[some],
            self.number[some], self.is_front[some], self.turned[some], self.cut[:cut], pieces,
        )  # fmt: skip


# Makes whole triangles from places in clip space, corners, state and the size of the guard band;
# None if it leaves all to the arrays.
Setup = Callable[[Array, Array, RasterState, float], WholeTriangles | None]


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
    viewport, `layer` the layer that it is drawn into, `depths` the range that depths are clamped
    to. `sprite` are x and y of a point and its size, in pixels and not rounded; 0 for lines and
    triangles. `paired` is true if they are pairs that form lines or points, `lines` if lines.
    `pieces` are the primitives that clipping leaves, before faces are culled. `turned` tells which
    triangles have their last two corners exchanged, if all are whole; otherwise it is None.
    `setup` may place whole triangles.
    """

    def __init__(self, scene: Primitives, state: RasterState, setup: Setup | None = None) -> None:
        position = scene.vertices.arrays[check_outputs(scene.vertices.rows).key]
        if position.shape[1] != 4:
            raise UsageError(f"expected a position of four components, got {position.shape[1]}")
        self.scene = scene
        self.state = state
        self.distances = _distances(scene.vertices, SystemValue.CLIP_DISTANCE)
        self.bias: Array | None = None
        self.turned: Array | None = None
        self.corners: Array
        self.z: Array
        self.number: Array
        there = np.arange(len(scene.corners)) if state.keeps_all else self.without_culled()
        if state.rasterizer.rasterizer_discard_enable and not state.keeps_all:
            there = there[:0]
        size = scene.corners.shape[1]
        parts = np.arange(size)[np.newaxis]
        filled: ScreenTriangles | None = None
        if size == 3 and state.rasterizer.fill_mode != Fill.SOLID:
            solid = replace(state.rasterizer, fill_mode=Fill.SOLID)
            filled = ScreenTriangles(scene, replace(state, rasterizer=solid, keeps_flat=True))
            there, parts = np.unique(filled.number), PARTS[Fill(state.rasterizer.fill_mode)]
        self.paired = parts.shape[1] < 3
        self.lines = parts.shape[1] == 2
        self.conservative = ConservativeMode.OFF
        if not self.paired:  # points and lines are drawn as without it
            self.conservative = ConservativeMode(state.rasterizer.conservative_raster)
        placed = setup is not None and self._is_plain(there)
        whole = setup(position, scene.corners, state, self._guard()) if setup and placed else None
        if whole is None or len(whole.cut):
            self._place(position, there if whole is None else whole.cut, parts)
        else:
            self._take(whole)
        if filled is not None:
            self._like(filled)
        elif not self.paired:
            if whole is None or len(whole.cut):
                self._faces()
            if whole is not None and len(whole.cut):
                self._join(whole)
            if state.rasterizer.biases and not state.keeps_all:
                self.bias = biases(
                    state.rasterizer, state.depth_kind, self.corners, self.z, self.number
                )
        if self.bias is not None:
            self.z = self.z + self.bias[:, np.newaxis]
        if self.paired:
            widened(self, parts.shape[1])

    @cached_property
    def shares(self) -> Array:
        """The shares of the vertices at the corners."""
        assert self.turned is not None
        return np.asarray(SHARES[self.turned.view(np.uint8)])

    @cached_property
    def screen_shares(self) -> Array:
        """The shares for values that are linear on the screen."""
        return self.shares

    def _is_plain(self, there: Array) -> bool:
        """Return whether all primitives are triangles that need not be placed one by one."""
        state = self.state
        return (
            not self.paired
            and self.conservative == ConservativeMode.OFF
            and not (state.keeps_all or state.keeps_flat or self.distances.shape[1])
            and len(state.viewports) == 1
            and len(there) == len(self.scene.corners)
        )

    def _take(self, whole: WholeTriangles) -> None:
        """Take triangles that are placed."""
        self.corners, self.z, self.inverse, self.vertices = whole.arrays[:4]
        self.number, self.is_front, self.turned = whole.arrays[4:]
        self.pieces = whole.pieces
        self._by_views()
        self._unwidened()

    def _join(self, whole: WholeTriangles) -> None:
        """Add whole triangles to those that were cut, in the order of their numbers."""
        shares = SHARES[whole.turned.view(np.uint8)]
        order = np.argsort(np.concatenate([whole.number, self.number]), kind="stable")
        for name, array in (
            ("screen_shares", shares), ("shares", shares), ("corners", whole.corners),
            ("z", whole.z), ("inverse", whole.inverse), ("vertices", whole.vertices),
            ("number", whole.number), ("is_front", whole.is_front),
        ):  # fmt: skip
            setattr(self, name, np.concatenate([array, getattr(self, name)])[order])
        self.pieces += whole.pieces
        self._by_views()
        self._unwidened()

    def _by_views(self) -> Array:
        """Set what depends on layers and viewports; return the viewport of each triangle."""
        scene, state = self.scene, self.state
        layer = indices(scene, SystemValue.RENDER_TARGET_ARRAY_INDEX, state.layers)
        viewport = indices(scene, SystemValue.VIEWPORT_ARRAY_INDEX, len(state.viewports))
        self.layer, views = _taken(layer, self.number), _taken(viewport, self.number)
        limits = state.limits_of_points if self.paired else state.limits
        self.limits = _chosen(limits, views)
        self.depths = _chosen(state.viewports[:, 4:], views)
        if not state.rasterizer.depth_clamp_enable:
            floats = np.dtype(state.depth_kind).kind == "f"
            is_open = state.rasterizer.depth_range_unrestricted and floats
            most = [-np.inf, np.inf] if is_open else [0.0, 1.0]
            self.depths = np.broadcast_to(most, self.depths.shape)
        return views

    def _unwidened(self) -> None:
        """Set what only lines and points have."""
        count = len(self.number)
        self.sprite = np.broadcast_to(np.zeros(3), (count, 3))
        self.stipple = np.zeros((count, 0))
        self.smooth = np.zeros((count, 0))

    def _place(self, position: Array, there: Array, parts: Array) -> None:
        """Place the visible parts of primitives on the screen."""
        scene, state = self.scene, self.state
        if state.vulkan and self.paired and scene.corners.shape[1] == 3 and not state.keeps_all:
            polygon, self.shares = self._of_clipped(position, scene.corners[there], parts.shape[1])
            self.number = there[polygon]
            is_cut = np.ones(len(polygon), np.bool_)
        else:
            ends = scene.corners[there][:, parts].reshape(-1, parts.shape[1])
            which, shares, is_cut = self._clipped(position, ends)
            self.shares = (
                shares if parts.shape[1] == 3 else _of_polygon(shares, parts[which % len(parts)])
            )
            self.number = there[which // len(parts)]
        self.pieces = len(self.number)
        vertices = scene.corners[self.number]
        self.vertices = np.concatenate([vertices, *[vertices[:, -1:]] * (3 - vertices.shape[1])], 1)
        views = self._by_views()
        # Each vertex is placed once, however many triangles have it, and each corner of a cut one.
        wide = doubles(position)
        cut = np.flatnonzero(is_cut | (len(state.viewports) > 1))
        of_cut = np.einsum("tcv,tvk->tck", self.shares[cut], wide[self.vertices[cut]])
        clip = np.concatenate([wide + 0.0, of_cut.reshape(-1, 4)])  # the others of a sum are 0
        at = self.vertices.copy()
        at[cut] = len(wide) + np.arange(3 * len(cut)).reshape(-1, 3)
        view = state.viewports[:1]
        if len(state.viewports) > 1:
            view = np.concatenate([
                np.broadcast_to(view, (len(wide), 6)), state.viewports[np.repeat(views, 3)]
            ])  # fmt: skip
        with np.errstate(all="ignore"):  # of vertices that no triangle has
            inverse = 1.0 / clip[:, 3]
            z = clip[:, 2] * inverse
            if state.rasterizer.depth_clip_enable:
                z = np.clip(z, 0.0, 1.0)
            z = z * (view[:, 5] - view[:, 4]) + view[:, 4]
            x = view[:, 0] + (clip[:, 0] * inverse + 1.0) * (0.5 * view[:, 2])
            y = view[:, 1] + (1.0 - clip[:, 1] * inverse) * (0.5 * view[:, 3])
            places = fixed(np.stack([x, y], axis=-1))
        self.inverse, self.z = inverse[at], z[at]
        self.corners = places.take(at, axis=0)
        self.screen_shares = self.shares.copy() if self.paired else self.shares
        if len(cut):
            w = wide[self.vertices[cut], 3]
            mixed = self.shares[cut] * w[:, np.newaxis, :] / of_cut[..., 3:]
            self.screen_shares = self.shares.copy()
            self.screen_shares[cut] = mixed
        self.is_front = np.ones(len(self.number), np.bool_)
        self._unwidened()
        if parts.shape[1] == 1:
            self.sprite = np.stack([x[at[:, 0]], y[at[:, 0]], self._sizes()], axis=1)

    def _like(self, filled: "ScreenTriangles") -> None:
        """Take face and depth bias of the polygons."""
        self.pieces = filled.pieces
        front = np.zeros(len(self.scene.corners), np.bool_)
        front[filled.number] = filled.is_front
        self.is_front = front[self.number]
        if filled.bias is not None:
            bias = np.zeros(len(front))
            bias[filled.number] = filled.bias
            self.bias = bias[self.number]

    def quads(self, limits: Array | None = None) -> Iterator[Quads]:
        """Yield the quads that the triangles cover, within `limits` or their own.

        Aliased and smooth lines cover pixels by their centres, with all samples.
        """
        state = self.state
        whole = self.lines and state.rasterizer.line_mode in WHOLE
        offsets = np.zeros((1, 2), np.int64) if whole else state.offsets
        for chunk in quads(
            self.corners, self.limits if limits is None else limits, offsets, paired=self.paired,
            conservative=self.conservative,
        ):  # fmt: skip
            if whole:
                chunk.covered = np.repeat(chunk.covered, state.samples, axis=2)
            yield chunk

    def without_culled(self) -> Array:
        """Return the numbers of the primitives that neither a shader nor a distance culls."""
        cull = _distances(self.scene.vertices, SystemValue.CULL_DISTANCE)
        with np.errstate(invalid="ignore"):
            out = np.any(np.all(~(cull[self.scene.corners] >= 0), axis=1), axis=1)
        return np.flatnonzero(~out & self.scene.let_through)

    def outside_of_planes(self, corners: Array | None = None) -> Array:
        """Return the primitives that a clip distance removes as a whole: NaN, or all negative."""
        clip = self.distances[self.scene.corners if corners is None else corners]
        out = np.any(np.isnan(clip), axis=(1, 2)) | np.any(np.all(clip < 0, axis=1), axis=1)
        return np.flatnonzero(out)

    def _clipped(self, position: Array, corners: Array) -> tuple[Array, Array, Array]:
        """Return the visible parts of primitives, with shares of three corners.

        Of triangles, tell which are cut; of others, whose corners are not all of their vertices,
        none is whole.
        """
        kept = np.arange(len(corners))
        if not self.state.keeps_all:
            kept = np.delete(kept, self.outside_of_planes(corners))
        corners, size = corners[kept], corners.shape[1]
        guard = self._guard()
        depth = bool(self.state.rasterizer.depth_clip_enable)
        sides = guard if self.state.keeps_all else 1.0
        if size == 3:
            number, shares, is_cut = clipped(position, corners, guard, depth, sides)
            return kept[number], shares, is_cut
        if size == 1:
            number = shown_points(position, corners, depth, sides)
            shares = np.broadcast_to(np.eye(3)[:1], (len(number), 3, 3))
            shares = np.repeat(shares[:, :1], 3, axis=1)
            return kept[number], shares, np.ones(len(number), np.bool_)
        number, ends = clipped_lines(position, corners, self._line_guard(guard), depth)
        shares = np.zeros((len(number), 3, 3))
        shares[:, :2, :2], shares[:, 2, :2] = ends, ends[:, 1]
        return kept[number], shares, np.ones(len(number), np.bool_)

    def _guard(self) -> float:
        """Return the size of the guard band, in units of the view's."""
        view = np.abs(self.state.viewports[:, :4])
        return max(1.0, float(REACH / max(view[:, 2:].max(), view[:, :2].max(), 1.0)))

    def _line_guard(self, guard: float) -> float:
        """Return the guard band for lines: lines that reach beyond the viewport end at the view."""
        return 1.0 if self.state.vulkan and not self.state.keeps_all else guard

    def _of_clipped(self, position: Array, corners: Array, size: int) -> tuple[Array, Array]:
        """Return the edges (`size` 2) or corners (1) of clipped polygons, with shares of three.

        Vulkan clips polygons first, so the result includes the corners and edges made by clipping
        at the least and greatest depth, and where a clip distance is 0.
        """
        depth = bool(self.state.rasterizer.depth_clip_enable)
        kept = np.delete(np.arange(len(corners)), self.outside_of_planes(corners))
        guard = self._guard()
        number, pieces, _ = clipped(position, corners[kept], guard, depth, planes=self.distances)
        self.distances = self.distances[:, :0]
        piece, ends = outline(number, size)
        shares = pieces[piece[:, np.newaxis], ends]  # (parts, ends, 3)
        clip = np.einsum(
            "pev,pvk->pek", shares, doubles(position[corners[kept[number[piece]]]])
        ).reshape(-1, 4)
        of_ends = np.arange(len(clip)).reshape(-1, size)
        if size == 1:
            shown = shown_points(clip, of_ends, depth=False)
            made = np.repeat(shares[shown], 3, axis=1)
        else:
            shown, mixed = clipped_lines(clip, of_ends, self._line_guard(guard), depth=False)
            made = np.einsum("lem,lmv->lev", mixed, shares[shown])
            made = np.concatenate([made, made[:, 1:]], axis=1)
        return kept[number[piece[shown]]], made

    def _faces(self) -> None:
        """Leave out triangles without area or with a face that is culled; make them clockwise."""
        area = twice_area(self.corners)
        rasterizer, state = self.state.rasterizer, self.state
        self.is_front = area < 0 if rasterizer.front_counter_clockwise else area > 0
        touches = self.conservative == ConservativeMode.ON
        kept = (area != 0) | state.keeps_all | state.keeps_flat | touches
        if not state.keeps_all:
            kept &= ~rasterizer.culled(self.is_front)
        self.turn(np.flatnonzero(kept), area)

    def turn(self, kept: Array, area: Array) -> None:
        """Keep some of the triangles, clockwise."""
        turned = np.where((area < 0)[kept, np.newaxis], [0, 2, 1], [0, 1, 2])
        corners = (3 * kept[:, np.newaxis] + turned).reshape(-1)
        made: dict[int, Array] = {}  # of an array with two names
        for name in OF_CORNERS:
            array = getattr(self, name)
            if id(array) not in made:
                rest = array.shape[2:]
                rows = array.reshape(3 * len(array), *rest).take(corners, axis=0)
                made[id(array)] = rows.reshape(len(kept), 3, *rest)
        for name in OF_CORNERS:
            setattr(self, name, made[id(getattr(self, name))])
        for name in OF_TRIANGLES if len(kept) < len(area) else ():
            setattr(self, name, _taken(getattr(self, name), kept))

    def _sizes(self) -> Array:
        """Return the size of each point in pixels: 1 unless the vertex specifies a size."""
        given = self.scene.vertices.meaning(SystemValue.POINT_SIZE)
        if given is None:
            return np.ones(len(self.number))
        each = np.nan_to_num(doubles(given[self.vertices, 0]))
        sizes = np.einsum("pv,pv->p", self.shares[:, 0], each)
        return np.asarray(np.clip(sizes, 1.0, 256.0))

    def inside(self, quad: Quads) -> Quads:
        """Return the quads without samples where a clip distance is negative, or between dashes."""
        parts = self.distances, self.stipple, self.smooth
        if not any(each.shape[1] for each in parts):
            return quad
        covered = quad.covered
        if self.distances.shape[1]:
            covered = covered & self.inside_mask(quad)
        if self.stipple.shape[1]:
            covered = covered & self._stippled(quad)
        if self.smooth.shape[1]:
            covered = covered & (self.line_coverage(quad) > 0)[..., np.newaxis]
        return replace(quad, covered=covered).some(np.asarray(covered.any(axis=(1, 2))))

    def line_coverage(self, quad: Quads) -> Array:
        """Return the part of each pixel that a smooth line covers, (q, 4)."""
        return shares(self.smooth[quad.triangle], quad)

    def _stippled(self, quad: Quads) -> Array:
        """Return True for the samples that the pattern of lines lets through."""
        rasterizer = self.state.rasterizer
        rows = self.stipple[quad.triangle]
        if rasterizer.line_mode == LineMode.ALIASED:
            return drawn(rows, quad, np.zeros(2), rasterizer)[..., np.newaxis]
        return np.stack([drawn(rows, quad, each, rasterizer) for each in self.state.offsets], -1)

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
        values = doubles(self.scene.vertices.arrays[key])
        return self._mixed(values, shares, quad, weights)

    def _mixed(self, values: Array, shares: Array, quad: Quads, weights: Array) -> Array:
        triangle = quad.triangle
        each: Array | slice = slice(None)
        if len(triangle):
            first, stop = int(triangle[0]), int(triangle[-1]) + 1
            if 0 < stop - first <= len(triangle) and triangle.min() == first:
                each = triangle - first  # triangles with several quads are mixed once
                triangle = np.arange(first, stop)
        found = values[self.vertices[triangle]]  # (t, 3, k)
        mixed = shares[triangle][..., np.newaxis]  # (t, 3, 3, 1)
        total = by_columns if values.shape[1] == 1 else in_turn
        with np.errstate(invalid="ignore", over="ignore"):  # of infinite attributes
            parts = [mixed[:, :, at] * found[:, np.newaxis, at] for at in range(3)]
            at_corners = total(parts, 0.0)[each]
            made = weights[..., 0, np.newaxis] * at_corners[:, np.newaxis, 0]
            for corner in (1, 2):
                made += weights[..., corner, np.newaxis] * at_corners[:, np.newaxis, corner]
        return np.asarray(made)


def _of_polygon(shares: Array, corners: Array) -> Array:
    """Return shares of the ends of parts (n, 3, 3) as shares of all three corners.

    `corners` are the corners that are the ends, (n, ends).
    """
    size = corners.shape[1]
    found = np.zeros_like(shares)
    where = np.broadcast_to(corners[:, np.newaxis, :], (len(shares), 3, size))
    np.put_along_axis(found, where, shares[..., :size], axis=2)
    return found


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
    made = made[:, made.any(axis=0)]  # compilers declare distances that nothing writes
    return np.clip(doubles(made), -LARGEST, LARGEST)


def _chosen(rows: Array, which: Array) -> Array:
    """Return the chosen rows; a view if there is one row only."""
    if len(rows) > 1:
        return rows[which]
    return np.broadcast_to(rows, (len(which), rows.shape[1]))


def _taken(array: Array, which: Array) -> Array:
    """Return some of the rows; a view if all rows are one."""
    if array.strides[0]:
        return np.asarray(array.take(which, axis=0))
    return np.broadcast_to(array[:1], (len(which), *array.shape[1:]))


def indices(scene: Primitives, meaning: SystemValue, count: int) -> Array:
    """Return the viewport or layer of each primitive; 0 for a number out of range."""
    found = scene.of_primitive(meaning) if count > 1 else None
    if found is None:
        return np.broadcast_to(np.int64(0), (len(scene.corners),))
    return np.where(found < count, found, 0).astype(np.int64)
