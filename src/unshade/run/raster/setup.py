"""Primitive setup: triangles of vertices as triangles on the screen.

    vertices ── cull distances ── the view ── screen ── faces ── clip distances (at each pixel)

A triangle all of whose vertices have a negative cull distance, of any component, is left out; NaN
counts as negative. Pixels are drawn where every clip distance, mixed with perspective, is 0 or
more; a vertex with a clip distance of NaN takes its triangles with it.

Source: Direct3D 11.3 functional specification, sections 15.4 and 15.5.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import UnsupportedError, UsageError
from ...ir.memory import Port
from ...model import SystemValue
from ...vm.launch import Array
from ..arguments import Results
from ..runner import Runner
from ..signature import KernelSignature, Key, SignatureRow
from .clip import clipped
from .quads import Quads, fixed, twice_area

DISTANCES = 8  # clip and cull distances of a vertex together
PLACES = 2  # in so many locations, or built-ins
# Outputs that choose a target or a viewport of several: there is one of each.
ARRAYS = (SystemValue.RENDER_TARGET_ARRAY_INDEX, SystemValue.VIEWPORT_ARRAY_INDEX)
LARGEST = float(np.finfo(np.float32).max)


def triangles_of(given: Any, count: int) -> Array:
    """Return rows of three vertex numbers; each three vertices where none are given."""
    if given is None:
        return np.arange(count // 3 * 3).reshape(-1, 3)
    found = np.asarray(given)
    if found.ndim != 2 or found.shape[1] != 3 or found.dtype.kind not in "iu":
        raise UsageError(
            f"triangles: expected (n, 3) vertex numbers, got {found.shape} {found.dtype}"
        )
    if found.size and (found.min() < 0 or found.max() >= count):
        raise UsageError(f"triangles: no such vertex: {found.max()}; there are {count}")
    made: Array = found.astype(np.int64)
    return made


def check_outputs(outputs: KernelSignature) -> SignatureRow:
    """Return the row of the position; UnsupportedError for outputs that cannot be honoured."""
    position = outputs.by_meaning(SystemValue.POSITION)
    if position is None:
        raise UsageError("the vertex shader outputs no position")
    for meaning in ARRAYS:
        row = outputs.by_meaning(meaning)
        if row is not None and row.needed:
            what = "targets" if meaning == SystemValue.RENDER_TARGET_ARRAY_INDEX else "viewports"
            raise UnsupportedError(f"{row.label} selects one of several {what}: not supported yet")
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

    `made` is what the vertex shader made, by semantic; `coverage` the mask of a pixel's samples.
    """

    def __init__(
        self,
        vertex: Runner,
        made: Results,
        position: Array,
        triangles: Array,
        size: tuple[int, int],
        samples: int,
    ) -> None:
        width, height = size
        self.made = {row.key: made[row.label].reshape(len(position), -1) for row in vertex.outputs}
        self.distances = self._distances(vertex.outputs, SystemValue.CLIP_DISTANCE)
        there = self._there(triangles, self._distances(vertex.outputs, SystemValue.CULL_DISTANCE))
        number, self.shares = clipped(position, triangles[there])
        self.number = there[number]
        self.vertices = triangles[self.number]
        clip = np.einsum("tcv,tvk->tck", self.shares, position[self.vertices].astype(np.float64))
        w = clip[..., 3]
        self.inverse = 1.0 / w
        self.z = np.clip(clip[..., 2] * self.inverse, 0.0, 1.0)
        x = (clip[..., 0] * self.inverse + 1.0) * (0.5 * width)
        y = (1.0 - clip[..., 1] * self.inverse) * (0.5 * height)
        self.corners = fixed(np.stack([x, y], axis=-1))
        self.is_front = np.ones(len(self.number), np.bool_)
        self.coverage = (1 << samples) - 1

    def _distances(self, outputs: KernelSignature, wanted: str) -> Array:
        """Return the components with a meaning, (vertices, components)."""
        columns = [
            self.made[row.key][:, at].view("<f4")
            for row in outputs
            for at, port in enumerate(row.ports)
            if port is not None and (port.role or row.meaning) == wanted
        ]
        count = len(next(iter(self.made.values())))
        found = np.stack(columns, axis=1) if columns else np.zeros((count, 0), np.float32)
        return np.clip(found.astype(np.float64), -LARGEST, LARGEST)

    def _there(self, triangles: Array, cull: Array) -> Array:
        """Return the numbers of the triangles that no distance removes entirely."""
        with np.errstate(invalid="ignore"):
            out = np.any(np.all(~(cull[triangles] >= 0), axis=1), axis=1)
        clip = self.distances[triangles]
        out |= np.any(np.isnan(clip), axis=(1, 2)) | np.any(np.all(clip < 0, axis=1), axis=1)
        return np.flatnonzero(~out)

    def faces(self, cull: str, clockwise: bool) -> None:
        """Leave out what has no area or is not to be seen; make the others clockwise."""
        area = twice_area(self.corners)
        self.is_front = (area > 0) == clockwise
        kept = area != 0
        if cull != "none":
            kept &= self.is_front if cull == "back" else ~self.is_front
        turned = np.where((area < 0)[:, np.newaxis], [0, 2, 1], [0, 1, 2])
        rows = np.arange(len(area))[:, np.newaxis]
        for name in ("corners", "inverse", "z", "shares"):
            setattr(self, name, getattr(self, name)[rows, turned][kept])
        for name in ("is_front", "number", "vertices"):
            setattr(self, name, getattr(self, name)[kept])

    def inside(self, quad: Quads) -> Quads:
        """Return the quads without the pixels where a clip distance is negative."""
        if not self.distances.shape[1]:
            return quad
        weights = quad.weights * self.inverse[quad.triangle][:, np.newaxis, :]
        mixed = self._mixed(self.distances, quad, weights)  # times 1/w, which is positive
        covered = quad.covered & np.all(mixed >= 0, axis=-1)
        return replace(quad, covered=covered).some(covered.any(axis=1))

    def values(self, key: Key, quad: Quads, weights: Array) -> Array:
        """Interpolate an output of the vertex shader by weights (q, 4, 3) of the corners."""
        return self._mixed(self.made[key].astype(np.float64), quad, weights)

    def _mixed(self, values: Array, quad: Quads, weights: Array) -> Array:
        found = values[self.vertices[quad.triangle]]  # (q, 3, k)
        at_corners = np.einsum("qcv,qvk->qck", self.shares[quad.triangle], found)
        made: Array = np.einsum("qlc,qck->qlk", weights, at_corners)
        return made
