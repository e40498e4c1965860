"""Inputs of a pixel shader: outputs of the stage before, or what the rasteriser knows.

Attributes are corrected for perspective: a/w and 1/w are linear on the screen. They are those of
the pixel's centre, of the sample that a lane is, or of the centroid: the centre if all samples are
covered, else the first covered sample.

Source: Direct3D 11.3 functional specification, section 15.11 (attribute interpolation).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...errors import UsageError
from ...ir.memory import Port
from ...model import SystemValue
from ...vm.launch import Array, dtype
from ...vocab.slots import Exchange
from ...vocab.words import Interpolation
from ..runner import Runner
from ..stages.grid import CENTROID, SAMPLED
from ..stages.signature import SignatureRow, bits_of
from ..stages.vertices import FRONT, declared_place
from .quads import STEPS, Quads
from .setup import ScreenTriangles
from .vertices import Primitives, Vertices, columns

# Inputs that the rasteriser generates.
OWN = (
    SystemValue.POSITION, SystemValue.IS_FRONT_FACE, SystemValue.SAMPLE_INDEX,
    SystemValue.COVERAGE, SystemValue.INNER_COVERAGE, SystemValue.BARYCENTRICS,
    SystemValue.SAMPLE_POSITION, SystemValue.POINT_COORD,
)  # fmt: skip
# Those that it generates where the stage before does not output them.
DEFAULTS = (
    SystemValue.PRIMITIVE_ID, SystemValue.RENDER_TARGET_ARRAY_INDEX,
    SystemValue.VIEWPORT_ARRAY_INDEX, SystemValue.SHADINGRATE,
)  # fmt: skip
SCREEN = frozenset({  # linear on the screen
    Interpolation.LINEAR_NOPERSPECTIVE, Interpolation.LINEAR_NOPERSPECTIVE_CENTROID,
    Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE,
})  # fmt: skip


@dataclass(slots=True)
class Link:
    """The source of an input of a pixel shader: an output of primitives or of vertices."""

    row: SignatureRow
    source: SignatureRow | None = None
    of: Vertices | None = None


def link(scene: Primitives, pixel: Runner) -> list[Link]:
    """Return where each input comes from that the pixel shader needs."""
    linked = []
    for row in pixel.inputs:
        if not row.needed:
            continue
        if row.meaning in OWN:
            linked.append(Link(row))
            continue
        for vertices in (scene.attributes, scene.vertices):
            source = vertices.source(row if row.vertex is None else row.interpolated)
            if source is not None:
                linked.append(Link(row, source, vertices))
                break
        else:
            if row.meaning not in DEFAULTS:
                outputs = ", ".join(each.label for each in scene.vertices.rows)
                raise UsageError(
                    f"the pixel shader reads {row.label}, the stage before outputs only {outputs}"
                )
            linked.append(Link(row))
    return linked


class _PixelPlace:
    """A place in each pixel, (q, 4): what every attribute there needs."""

    def __init__(self, scene: ScreenTriangles, quad: Quads, offset: Array | None) -> None:
        self.weights = quad.weights(offset)
        corners = scene.inverse[quad.triangle]
        self.inverse = np.einsum("qlc,qc->ql", self.weights, corners)
        self.z = np.einsum("qlc,qc->ql", self.weights, scene.z[quad.triangle])
        self.perspective = self.weights * corners[:, np.newaxis, :]
        self.perspective /= np.where(self.inverse == 0, 1, self.inverse)[..., np.newaxis]
        self.offset = np.zeros(2) if offset is None else offset / STEPS


class Interpolated:
    """Inputs of the lanes of quads; `sample` is the sample that lanes are, -1 for pixels."""

    def __init__(self, scene: ScreenTriangles, quad: Quads, sample: int = -1) -> None:
        self.scene = scene
        self.quad = quad
        self.sample = sample

    @cached_property
    def _centre(self) -> _PixelPlace:
        return _PixelPlace(self.scene, self.quad, None)

    @cached_property
    def _centroid(self) -> _PixelPlace:
        covered = self.quad.covered & self.scene.state.sample_bits
        partly = np.asarray(covered.any(axis=-1) & ~covered.all(axis=-1))
        if not partly.any():
            return self._centre
        first = self.scene.state.offsets[covered.argmax(axis=-1)]
        return _PixelPlace(self.scene, self.quad, np.where(partly[..., np.newaxis], first, 0))

    @cached_property
    def _at_sample(self) -> _PixelPlace:
        if self.sample < 0:
            return self._centre
        return _PixelPlace(self.scene, self.quad, self.scene.state.offsets[self.sample])

    def _place(self, row: SignatureRow) -> _PixelPlace:
        if row.interpolation in SAMPLED:
            return self._at_sample
        return self._centroid if row.interpolation in CENTROID else self._centre

    def own_ports(self, ports: Sequence[Port], linked: Sequence[Link]) -> dict[Hashable, Array]:
        """Return the inputs of ports that are for places in a pixel."""
        found: dict[Hashable, Array] = {}
        for port in ports:
            assert port.slot is not None
            if port.slot.place is Exchange.CENTROID:
                offset = np.broadcast_to(self._centroid.offset, (*self.quad.x.shape, 2))
                column = offset[..., port.slot.component].reshape(-1)
                found[port.key] = np.ascontiguousarray(column, dtype(port.type))
                continue
            declared = declared_place(port.slot)
            for each in linked:
                if declared in each.row.places:
                    row = replace(each.row, interpolation=port.interpolation)
                    values = self.attribute(replace(each, row=row))
                    column = values[:, each.row.places.index(declared)]
                    found[port.key] = bits_of(port, np.ascontiguousarray(column))
        return found

    def attribute(self, linked: Link) -> Array:
        """Return an input of the pixel shader, (lanes, components)."""
        row, source, of = linked.row, linked.source, linked.of
        if source is None or of is None:
            return self._own(row)
        scene, quad = self.scene, self.quad
        if of is scene.scene.attributes:
            found = np.repeat(of.arrays[source.key][scene.number[quad.triangle]], 4, axis=0)
        elif row.interpolation is Interpolation.CONSTANT or row.dtype.kind in "iu":
            corner = scene.vertices[quad.triangle, row.vertex or 0]
            found = np.repeat(of.arrays[source.key][corner], 4, axis=0)
        else:
            place = self._place(row)
            screen = row.interpolation in SCREEN
            weights = place.weights if screen else place.perspective
            found = scene.values(source.key, quad, weights, screen=screen)
            found = found.reshape(quad.x.size, -1)
        made = np.zeros((quad.x.size, len(row.ports)), row.dtype)
        for at, column in enumerate(columns(row, source)):
            if 0 <= column < found.shape[1]:
                made[:, at] = _as(found[:, column], row.dtype)
        return made

    def _own(self, row: SignatureRow) -> Array:
        """Return an input that the rasteriser generates."""
        scene, quad = self.scene, self.quad
        count = quad.x.size
        match row.meaning:
            case SystemValue.POSITION:
                place = self._place(row)
                w = 1.0 / np.where(place.inverse == 0, 1, place.inverse)
                x, y = (
                    each + 0.5 + place.offset[..., axis]
                    for axis, each in enumerate((quad.x, quad.y))
                )
                columns = [np.broadcast_to(each, quad.x.shape) for each in (x, y, place.z, w)]
                found = np.stack([each.reshape(-1) for each in columns], axis=1)
                return found[:, row.components].astype(row.dtype)
            case SystemValue.SAMPLE_POSITION:
                offset = scene.state.offsets[max(self.sample, 0)] / STEPS + 0.5
                places = np.broadcast_to(offset, (count, 2))
                return np.asarray(places[:, row.components].astype(row.dtype))
            case SystemValue.POINT_COORD:
                weights = self._place(row).weights
                places = np.einsum("qlc,qck->qlk", weights, scene.sprite[quad.triangle])
                return np.asarray(places.reshape(count, 2)[:, row.components].astype(row.dtype))
            case SystemValue.BARYCENTRICS:
                place = self._place(row)
                screen = row.interpolation in SCREEN
                weights = place.weights if screen else place.perspective
                shares = scene.shares_of(quad, weights, screen=screen)
                return np.asarray(shares.reshape(count, 3)[:, row.components].astype(row.dtype))
            case SystemValue.COVERAGE:
                return self._coverage().reshape(count, 1).astype("<u4").view(row.dtype)
            case SystemValue.INNER_COVERAGE:
                return quad.covered.all(axis=-1).reshape(count, 1).astype("<u4").view(row.dtype)
            case SystemValue.IS_FRONT_FACE:
                numbers = np.where(scene.is_front[quad.triangle], FRONT, 0)
            case SystemValue.PRIMITIVE_ID:
                numbers = scene.scene.number[scene.number[quad.triangle]]
            case SystemValue.SAMPLE_INDEX:
                numbers = np.full(len(quad.triangle), max(self.sample, 0))
            case _:
                numbers = np.zeros(len(quad.triangle), np.int64)
        return np.repeat(numbers.astype("<u4"), 4)[:, np.newaxis].view(row.dtype)

    def _coverage(self) -> Array:
        """Return the mask of the samples that each lane stands for."""
        covered = self.quad.covered & self.scene.state.sample_bits
        if self.sample >= 0:
            covered = covered & (np.arange(covered.shape[-1]) == self.sample)
        masks: Array = (covered << np.arange(covered.shape[-1])).sum(axis=-1)
        return masks


def _as(column: Array, kind: np.dtype[np.generic]) -> Array:
    """Return a component in the type of the input: its bits where both have the same size."""
    if column.dtype.kind != kind.kind and column.dtype.itemsize == kind.itemsize:
        return np.ascontiguousarray(column).view(kind)
    return column.astype(kind, copy=False)
