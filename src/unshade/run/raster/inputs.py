"""Inputs of a pixel shader: outputs of the vertex shader, or what the rasteriser knows.

Attributes are corrected for perspective: a/w and 1/w are linear on the screen.
"""

import numpy as np

from ...errors import UsageError
from ...model import SystemValue
from ...vm.launch import Array
from ...vocab.words import Interpolation
from ..runner import Runner
from ..signature import Key, SignatureRow
from ..stages import FRONT
from .quads import Quads
from .setup import ScreenTriangles

Links = dict[Key, SignatureRow | None]  # for each input the output that it comes from

# Inputs that the rasteriser generates; indices into arrays of targets and viewports are 0.
OWN = (
    SystemValue.POSITION, SystemValue.IS_FRONT_FACE, SystemValue.PRIMITIVE_ID,
    SystemValue.SAMPLE_INDEX, SystemValue.COVERAGE, SystemValue.INNER_COVERAGE,
    SystemValue.RENDER_TARGET_ARRAY_INDEX, SystemValue.VIEWPORT_ARRAY_INDEX,
)  # fmt: skip

SCREEN = (  # linear on the screen
    Interpolation.LINEAR_NOPERSPECTIVE, Interpolation.LINEAR_NOPERSPECTIVE_CENTROID,
    Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE,
)  # fmt: skip


def link(vertex: Runner, pixel: Runner) -> Links:
    """Return the vertex shader's output for each input; None for those of the rasteriser."""
    linked: Links = {}
    for row in pixel.inputs:
        if not row.needed:
            continue
        if row.meaning in OWN:
            linked[row.key] = None
            continue
        found = (
            _at_location(vertex, row)
            if row.by_register
            else vertex.outputs.rows.get(row.key) or _spelt_alike(vertex, row)
        )
        if found is None:
            outputs = ", ".join(each.label for each in vertex.outputs)
            raise UsageError(
                f"the pixel shader reads {row.label}, the vertex shader outputs only {outputs}"
            )
        linked[row.key] = found
    return linked


def _at_location(vertex: Runner, row: SignatureRow) -> SignatureRow | None:
    """Return the output at an input's location that has most of its components."""
    if row.location is None:
        return None
    wanted = {slot.component for slot in row.places}
    there = [each for each in vertex.outputs if each.location == row.location]
    there.sort(key=lambda each: len(wanted - {slot.component for slot in each.places}))
    return there[0] if there else None


def _spelt_alike(vertex: Runner, row: SignatureRow) -> SignatureRow | None:
    """Return the output whose name is that of an input: texcoord0 of a format without indices."""
    wanted = {each.casefold() for each in row.names}
    for each in vertex.outputs:
        if wanted & {name.casefold() for name in each.names}:
            return each
    return None


class Interpolated:
    """Quads of triangles, with what every attribute needs: z and 1/w at each pixel, (q, 4)."""

    def __init__(self, scene: ScreenTriangles, quad: Quads, z: Array) -> None:
        self.scene = scene
        self.quad = quad
        self.z = z
        inverse = scene.inverse[quad.triangle]
        self.inverse = np.einsum("qlc,qc->ql", quad.weights, inverse)
        self.perspective = quad.weights * inverse[:, np.newaxis, :]
        self.perspective /= np.where(self.inverse == 0, 1, self.inverse)[..., np.newaxis]

    def attribute(self, row: SignatureRow, source: SignatureRow | None) -> Array:
        """Return an input of the pixel shader, (lanes, components)."""
        if source is None:
            return self._own(row)
        scene, quad = self.scene, self.quad
        if row.interpolation is Interpolation.CONSTANT or row.dtype.kind in "iu":
            found = scene.made[source.key][scene.vertices[quad.triangle, 0]]
            found = np.repeat(found, 4, axis=0)
        else:
            weights = quad.weights if row.interpolation in SCREEN else self.perspective
            found = scene.values(source.key, quad, weights).reshape(quad.x.size, -1)
        made = np.zeros((quad.x.size, len(row.ports)), row.dtype)
        for at, column in enumerate(_columns(row, source)):
            if 0 <= column < found.shape[1]:
                made[:, at] = found[:, column]
        return made

    def _own(self, row: SignatureRow) -> Array:
        """Return an input that the rasteriser generates."""
        scene, quad = self.scene, self.quad
        count = quad.x.size
        match row.meaning:
            case SystemValue.POSITION:
                w = 1.0 / np.where(self.inverse == 0, 1, self.inverse)
                columns = [quad.x + 0.5, quad.y + 0.5, self.z, w]
                found = np.stack([each.reshape(-1) for each in columns], axis=1)
                return found[:, row.components].astype(row.dtype)
            case SystemValue.IS_FRONT_FACE:
                numbers = np.where(scene.is_front[quad.triangle], FRONT, 0)
            case SystemValue.PRIMITIVE_ID:
                numbers = scene.number[quad.triangle]
            case SystemValue.COVERAGE:
                masks = np.where(quad.covered, scene.coverage, 0)
                return masks.reshape(count, 1).astype("<u4").view(row.dtype)
            case SystemValue.INNER_COVERAGE:
                return quad.covered.reshape(count, 1).astype("<u4").view(row.dtype)
            case _:
                numbers = np.zeros(len(quad.triangle), np.int64)
        return np.repeat(numbers.astype("<u4"), 4)[:, np.newaxis].view(row.dtype)


def _columns(row: SignatureRow, source: SignatureRow) -> list[int]:
    """Return the component of the output for each of the input's; -1 for none.

    A pixel shader that declares y alone takes y: components are joined in their location. Shaders
    that were not made for each other have them in order.
    """
    if row.location is None or row.location != source.location:
        return [*range(len(row.ports))]
    given = {slot.component: at for at, slot in enumerate(source.places)}
    return [given.get(slot.component, -1) for slot in row.places]
