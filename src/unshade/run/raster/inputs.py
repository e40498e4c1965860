"""Inputs of a pixel shader: outputs of the previous stage, or values from the rasteriser.

Attributes are corrected for perspective: a/w and 1/w are linear on the screen. Inputs are evaluated
at the pixel's centre, at the lane's sample, or at the centroid: the centre if all samples are
covered, else the first covered sample.

Source: Direct3D 11.3 functional specification, section 15.11 (attribute interpolation).
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property

import numpy as np

from ...dataclass import dataclass
from ...errors import UsageError
from ...ir.memory import Port
from ...model import SystemValue
from ...vm.launch import Array
from ...vocab.slots import Exchange, PortPart
from ...vocab.words import Interpolation
from ..signature import KernelSignature, Key, SignatureRow, bits_of
from ..stages.grid import CENTROID, SAMPLED
from ..stages.places import SLOPES
from ..stages.vertices import FRONT
from .pixel_coverage import STEPS, Quads
from .screen_triangles import ScreenTriangles
from .states.words import ConservativeMode
from .sums import by_columns
from .vertices import Primitives, Vertices, columns

# Inputs that the rasteriser generates.
OWN = (
    SystemValue.POSITION, SystemValue.IS_FRONT_FACE, SystemValue.SAMPLE_INDEX,
    SystemValue.COVERAGE, SystemValue.INNER_COVERAGE, SystemValue.BARYCENTRICS,
    SystemValue.BARYCENTRICS_NOPERSPECTIVE, SystemValue.SAMPLE_POSITION, SystemValue.POINT_COORD,
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
    """The source of an input of a pixel shader: an output of primitives or of vertices.

    `number` is the value of its components if the stage before may lack it, and does.
    """

    row: SignatureRow
    source: SignatureRow | None = None
    of: Vertices | None = None
    number: float = 0.0


def link(
    scene: Primitives,
    pixel: KernelSignature,
    unwritten: Mapping[tuple[str, int], float] | None = None,
) -> list[Link]:
    """Return the source of each of these inputs that the pixel shader needs.

    `unwritten` are the numbers of inputs that the stage before need not output, None if it must.
    """
    linked = []
    for row in pixel:
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
            lacks = unwritten is not None and row.meaning is None
            if row.meaning not in DEFAULTS and not lacks:
                outputs = ", ".join(each.label for each in scene.vertices.rows)
                raise UsageError(
                    f"the pixel shader reads {row.label}, the stage before outputs only {outputs}"
                )
            number = (unwritten or {}).get((row.name.upper(), row.index), 0.0)
            linked.append(Link(row, number=number))
    return linked


class _PixelPlace:
    """A place in each pixel, (q, 4), with the data to evaluate attributes there.

    Attributes are sums of the corners' attributes, weighted by (q, 4, 3): `weights` are linear on
    the screen, `perspective` are w_c/W of the parts w_c = weight/w of W = 1/w.
    """

    def __init__(self, scene: ScreenTriangles, quad: Quads, offset: Array | None) -> None:
        self.scene, self.quad = scene, quad
        self.weights = quad.weights(offset)
        self.corners = scene.inverse[quad.triangle][:, np.newaxis, :]
        self.inverse = (self.weights * self.corners).sum(axis=-1)
        self.perspective = self._over_w(self.weights * self.corners)
        self.offset = np.zeros(2) if offset is None else offset / STEPS

    @property
    def z(self) -> Array:
        """The depth."""
        z = self.scene.z[self.quad.triangle][:, np.newaxis]
        return np.asarray(by_columns([self.weights[..., at] * z[..., at] for at in range(3)], 0.0))

    def of(self, *, screen: bool) -> Array:
        """Return the weights of values that are linear on the screen, or have perspective."""
        return self.weights if screen else self.perspective

    def slope(self, axis: int, *, screen: bool) -> Array:
        """Return the derivatives of these weights along x or y, for a step of a pixel."""
        linear = self.quad.weight_slopes(axis)[:, np.newaxis, :]
        if screen:
            return np.broadcast_to(linear, self.weights.shape)
        change: Array = self.perspective * self.inverse_slope(axis)[..., np.newaxis]
        return np.asarray(self._over_w(linear * self.corners) - change)

    def inverse_slope(self, axis: int) -> Array:
        """Return the derivative of 1/w along x or y, divided by 1/w."""
        linear = self.quad.weight_slopes(axis)[:, np.newaxis, :]
        found: Array = self._over_w(linear * self.corners).sum(axis=-1)
        return found

    def _over_w(self, parts: Array) -> Array:
        """Return parts (…, 3) of 1/w as shares of 1/w."""
        found: Array = parts / np.where(self.inverse == 0, 1, self.inverse)[..., np.newaxis]
        return found


class Interpolated:
    """Inputs of the lanes of quads; `sample` is the sample that lanes run for, -1 for pixels."""

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
        """Return the inputs by which a shader evaluates others at another place of the pixel."""
        found: dict[Hashable, Array] = {}
        made: dict[tuple[Key, PortPart], Array] = {}
        for port in ports:
            slot = port.slot
            assert slot is not None
            axis = slot.component
            if slot.place is Exchange.CENTROID:
                offset = np.broadcast_to(self._centroid.offset, (*self.quad.x.shape, 2))
                found[port.key] = bits_of(port, offset[..., axis].reshape(-1))
            elif slot.place is Exchange.PERSPECTIVE:
                found[port.key] = bits_of(port, self._centre.inverse_slope(axis).reshape(-1))
            for each in linked:
                declared = slot.of(PortPart.VALUE)
                if declared in each.row.places:
                    which = each.row.key, slot.part
                    if which not in made:
                        made[which] = self.attribute(each, slot.part)
                    column = made[which][:, each.row.places.index(declared)]
                    found[port.key] = bits_of(port, np.ascontiguousarray(column))
        return found

    def _weights(self, row: SignatureRow, part: PortPart, *, screen: bool) -> Array:
        """Return the weights of the corners for a value of an input."""
        if part is PortPart.VALUE:
            return self._place(row).of(screen=screen)
        if part is PortPart.CENTRE:
            return self._centre.of(screen=screen)
        return self._centre.slope(SLOPES.index(part), screen=screen)

    def attribute(self, linked: Link, part: PortPart = PortPart.VALUE) -> Array:
        """Return a pixel shader's input, (lanes, components), or its value at another place."""
        row, source, of = linked.row, linked.source, linked.of
        if row.meaning is None and source is None:
            return np.full((self.quad.x.size, len(row.ports)), linked.number, row.dtype)
        if source is None or of is None:
            return self._own(row, part)
        scene, quad = self.scene, self.quad
        if of is scene.scene.attributes:
            found = np.repeat(of.arrays[source.key][scene.number[quad.triangle]], 4, axis=0)
        elif row.interpolation is Interpolation.CONSTANT or row.dtype.kind in "iu":
            if part in SLOPES:
                return np.zeros((quad.x.size, len(row.ports)), row.dtype)
            which = scene.scene.provoking if row.vertex is None else row.vertex
            corner = scene.vertices[quad.triangle, which]
            found = np.repeat(of.arrays[source.key][corner], 4, axis=0)
        else:
            screen = row.interpolation in SCREEN
            weights = self._weights(row, part, screen=screen)
            found = scene.values(source.key, quad, weights, screen=screen)
            found = found.reshape(quad.x.size, -1)
        made = np.zeros((quad.x.size, len(row.ports)), row.dtype)
        for at, column in enumerate(columns(row, source)):
            if 0 <= column < found.shape[1]:
                made[:, at] = _as(found[:, column], row.dtype)
        return made

    def _own(self, row: SignatureRow, part: PortPart) -> Array:
        """Return an input that the rasteriser generates."""
        scene, quad = self.scene, self.quad
        count = quad.x.size
        match row.meaning:
            case SystemValue.POSITION:
                columns = [
                    np.broadcast_to(each, quad.x.shape) for each in self._position(row, part)
                ]
                found = np.stack([each.reshape(-1) for each in columns], axis=1)
                return found[:, row.components].astype(row.dtype)
            case SystemValue.SAMPLE_POSITION:
                offset = scene.state.offsets[max(self.sample, 0)] / STEPS + 0.5
                places = np.broadcast_to(offset, (count, 2))
                return np.asarray(places[:, row.components].astype(row.dtype))
            case SystemValue.POINT_COORD:
                places = self._in_sprite(row, part).reshape(count, 2)
                return np.asarray(places[:, row.components].astype(row.dtype))
            case SystemValue.BARYCENTRICS | SystemValue.BARYCENTRICS_NOPERSPECTIVE:
                screen = row.interpolation in SCREEN
                weights = self._weights(row, part, screen=screen)
                shares = scene.shares_of(quad, weights, screen=screen)
                return np.asarray(shares.reshape(count, 3)[:, row.components].astype(row.dtype))
            case SystemValue.COVERAGE:
                return self._coverage().reshape(count, 1).astype("<u4").view(row.dtype)
            case SystemValue.INNER_COVERAGE:
                # FullyCovered of Vulkan is false unless rasterisation is conservative.
                conservative = scene.conservative != ConservativeMode.OFF
                inside = quad.inside & (conservative or not row.by_register)
                return inside.reshape(count, 1).astype("<u4").view(row.dtype)
            case SystemValue.IS_FRONT_FACE:
                numbers = np.where(scene.is_front[quad.triangle], FRONT, 0)
            case SystemValue.PRIMITIVE_ID:
                numbers = scene.scene.number[scene.number[quad.triangle]]
            case SystemValue.SAMPLE_INDEX:
                numbers = np.full(len(quad.triangle), max(self.sample, 0))
            case _:
                numbers = np.zeros(len(quad.triangle), np.int64)
        return np.repeat(numbers.astype("<u4"), 4)[:, np.newaxis].view(row.dtype)

    def _position(self, row: SignatureRow, part: PortPart) -> tuple[Array | float, ...]:
        """Return x, y, z and w of the position, or their derivatives."""
        place = self._place(row) if part is PortPart.VALUE else self._centre
        w = 1.0 / np.where(place.inverse == 0, 1, place.inverse)
        if part not in SLOPES:
            x, y = (
                each + 0.5 + place.offset[..., axis]
                for axis, each in enumerate((self.quad.x, self.quad.y))
            )
            return x, y, place.z, w
        axis = SLOPES.index(part)
        weights = place.slope(axis, screen=True)
        z = np.einsum("qlc,qc->ql", weights, self.scene.z[self.quad.triangle])
        return float(axis == 0), float(axis == 1), z, -w * place.inverse_slope(axis)

    def _in_sprite(self, row: SignatureRow, part: PortPart) -> Array:
        """Return the place in the square of a point, from 0 to 1 to the right and down.

        The coordinate is relative to the centre of the point, not of its rounded square.
        """
        sprite = self.scene.sprite[self.quad.triangle][:, np.newaxis, :]
        size = np.where(sprite[..., 2:] == 0, 1, sprite[..., 2:])
        if part in SLOPES:
            step = np.arange(2) == SLOPES.index(part)
            return np.broadcast_to(step / size, (*self.quad.x.shape, 2))
        x, y, _, _ = self._position(row, part)
        found: Array = 0.5 + (np.stack(np.broadcast_arrays(x, y), axis=-1) - sprite[..., :2]) / size
        return np.where(sprite[..., 2:] == 0, 0.0, found)

    def _coverage(self) -> Array:
        """Return the mask of the samples that each lane represents."""
        covered = self.quad.covered & self.scene.state.sample_bits
        if self.sample >= 0:
            covered = covered & (np.arange(covered.shape[-1]) == self.sample)
        masks: Array = (covered << np.arange(covered.shape[-1])).sum(axis=-1)
        return masks


def _as(column: Array, kind: np.dtype[np.generic]) -> Array:
    """Return a component in the type of the input: its bits where both have the same size."""
    if column.dtype.kind != kind.kind and column.dtype.itemsize == kind.itemsize:
        return np.ascontiguousarray(column).view(kind)
    with np.errstate(over="ignore"):  # infinite, as arithmetic of the input's type would be
        return column.astype(kind, copy=False)
