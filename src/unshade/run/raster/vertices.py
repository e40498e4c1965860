"""Vertices and primitives: the data passed from a stage to the next.

    rows        POSITION, TEXCOORD 1, …        the signature of the stage that made them
    arrays      (vertices, components)         one for each row
    corners     (0 1 2) (2 1 3)                the vertices of each primitive

Outputs and inputs of stages are matched by semantic, or by location in formats without semantics.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...dataclass import dataclass, field
from ...errors import UsageError
from ...model import SystemValue
from ...vm.launch import Array
from ...vocab.slots import PortSlot
from ..binding.numbers import as_array, converted
from ..signature import KernelSignature, Key, SignatureRow

# Names of the outputs that the rasteriser takes, for vertices that no shader has made.
MEANINGS = {
    "sv_position": SystemValue.POSITION,
    "gl_position": SystemValue.POSITION,
    "position": SystemValue.POSITION,
    "gl_pointsize": SystemValue.POINT_SIZE,
    "pointsize": SystemValue.POINT_SIZE,
    "sv_clipdistance": SystemValue.CLIP_DISTANCE,
    "sv_culldistance": SystemValue.CULL_DISTANCE,
    "sv_rendertargetarrayindex": SystemValue.RENDER_TARGET_ARRAY_INDEX,
    "sv_viewportarrayindex": SystemValue.VIEWPORT_ARRAY_INDEX,
    "sv_primitiveid": SystemValue.PRIMITIVE_ID,
}


@dataclass(slots=True)
class Vertices:
    """Outputs of vertices, or attributes of primitives: an array (count, components) by row."""

    rows: KernelSignature = field(default_factory=KernelSignature)
    arrays: dict[Key, Array] = field(default_factory=dict)
    count: int = 0

    @classmethod
    def of(cls, rows: KernelSignature, found: Mapping[Any, Any], count: int) -> "Vertices":
        """Return the vertices of a call's results."""
        arrays = {
            row.key: np.asarray(found[row.label]).reshape(count, len(row.ports)) for row in rows
        }
        return cls(rows, arrays, count)

    def meaning(self, meaning: SystemValue) -> Array | None:
        """Return the array with a meaning to the rasteriser, or None."""
        row = self.rows.by_meaning(meaning)
        return self.arrays[row.key] if row is not None and row.key in self.arrays else None

    def source(self, row: SignatureRow) -> SignatureRow | None:
        """Return the row that an input of the next stage reads, or None."""
        if row.by_register:
            return self._at_location(row)
        found = self.rows.rows.get(row.key)
        return found if found is not None else self._spelt_alike(row)

    def _at_location(self, row: SignatureRow) -> SignatureRow | None:
        """Return the row at an input's location that has most of its components.

        A built-in that is an array, such as ClipDistance, has a row for each of its elements.
        """
        if row.location is None:
            if not isinstance(row.meaning, SystemValue):
                return None
            element = _element(row)
            alike = (each for each in self.rows if each.meaning == row.meaning)
            return next((each for each in alike if _element(each) == element), None)
        wanted = {slot.component for slot in row.places}
        there = [each for each in self.rows if each.location == row.location]
        there.sort(key=lambda each: len(wanted - {slot.component for slot in each.places}))
        return there[0] if there else None

    def _spelt_alike(self, row: SignatureRow) -> SignatureRow | None:
        """Return the row that is named like an input and its index: `texcoord0`."""
        wanted = {each.casefold() for each in row.names}
        for each in self.rows:
            if wanted & {name.casefold() for name in each.names}:
                return each
        return None

    def taken(self, row: SignatureRow, source: SignatureRow) -> Array:
        """Return the array of an input of the next stage, (count, components)."""
        found = self.arrays[source.key]
        made = np.zeros((self.count, len(row.ports)), row.dtype)
        for at, column in enumerate(columns(row, source)):
            if 0 <= column < found.shape[1]:
                given = np.ascontiguousarray(found[:, column])
                same = given.dtype.itemsize == row.dtype.itemsize
                made[:, at] = given.view(row.dtype) if same else given.astype(row.dtype)
        return made


def _element(row: SignatureRow) -> int:
    """Return the index of a row in its array."""
    return row.places[0].element if row.places else 0


def columns(row: SignatureRow, source: SignatureRow) -> list[int]:
    """Return the component of the output for each of the input's; -1 for none.

    A shader that declares y alone takes y: components are joined in their location. Components of
    shaders that were not made for each other are matched in order.
    """
    if row.location is None or row.location != source.location:
        return [*range(len(row.ports))]
    given = {slot.component: at for at, slot in enumerate(source.places)}
    return [given.get(slot.component, -1) for slot in row.places]


def from_near(vertices: Vertices, least: int) -> None:
    """Let the depth of positions run from 0 to w, given z / w at the near plane of clip space."""
    for row in vertices.rows if least else ():
        if row.meaning == SystemValue.POSITION and len(row.ports) == 4:
            array = vertices.arrays[row.key].copy()
            array[:, 2] -= least * array[:, 3]
            vertices.arrays[row.key] = array


@dataclass(slots=True)
class Primitives:
    """Points, lines or triangles, one, two or three `corners` each.

    `number` is the number of each primitive as seen by shaders: after tessellation, the number of
    its patch. `place` is then the primitive's own number in its instance. `attributes` are
    per-primitive attributes, which mesh shaders output. `expanded` is true if the primitives are
    the output of a geometry or mesh shader. `provoking` is the place of the vertex among the
    corners that constant values are from. `culled` is true for the primitives that a mesh shader
    does not let through. `begins` tells which lines begin a strip; None if all do.
    """

    vertices: Vertices
    corners: Array
    number: Array
    attributes: Vertices = field(default_factory=Vertices)
    expanded: bool = False
    place: Array | None = None
    provoking: int = 0
    culled: Array | None = None
    begins: Array | None = None

    @property
    def strip_begins(self) -> Array:
        """The primitives that begin a strip, or are alone."""
        if self.begins is not None and len(self.begins) == len(self.corners):
            return self.begins
        return np.ones(len(self.corners), np.bool_)

    @property
    def let_through(self) -> Array:
        """The primitives that the shader before the rasteriser lets through."""
        every = np.ones(len(self.corners), np.bool_)
        return every if self.culled is None else ~self.culled

    def of_primitive(self, meaning: SystemValue) -> Array | None:
        """Return an integer for each primitive: its own, or the integer of its provoking vertex."""
        own = self.attributes.meaning(meaning)
        if own is not None:
            return own[:, 0].view("<u4")
        found = self.vertices.meaning(meaning)
        return None if found is None else found[self.corners[:, self.provoking], 0].view("<u4")


def align_quaternions(scene: Primitives) -> None:
    """Turn the sign of quaternions around that point away from those of their first vertex.

    Both signs are one rotation, but not halfway between two vertices. The rasteriser of the
    PICA200 does so for each triangle, so vertices that triangles share may be there with both.

    Source: azahar, which says that games rely on it.
    """
    vertices = scene.vertices
    row = vertices.rows.by_meaning(SystemValue.NORMALQUAT)
    if row is None or len(row.ports) != 4 or scene.corners.shape[1] != 3:
        return
    given = vertices.arrays[row.key][scene.corners]
    opposite = np.einsum("tk,tvk->tv", given[:, 0], given) < 0
    turned = np.unique(scene.corners[opposite])
    if not len(turned):
        return
    arrays = {key: np.concatenate([each, each[turned]]) for key, each in vertices.arrays.items()}
    arrays[row.key][vertices.count :] *= -1
    copies = vertices.count + np.searchsorted(turned, scene.corners)
    scene.corners = np.where(opposite, copies, scene.corners)
    scene.vertices = Vertices(vertices.rows, arrays, vertices.count + len(turned))


def ready(given: Mapping[Any, Any], pixel: KernelSignature | None) -> Vertices:
    """Return supplied vertices with their outputs, named as by a vertex shader.

    `pixel` are the inputs of the pixel shader, if there is one.
    """
    arrays: dict[Key, Array] = {}
    rows = KernelSignature()
    count: int | None = None
    for name, value in given.items():
        row, array = _ready_row(name, value, pixel)
        if count is not None and len(array) != count:
            raise UsageError(f"{row.label}: expected {count} vertices, got {len(array)}")
        count = len(array)
        rows.add(row)
        arrays[row.key] = array
    return Vertices(rows, arrays, count or 0)


def _ready_row(name: Any, value: Any, pixel: KernelSignature | None) -> tuple[SignatureRow, Array]:
    """Return the row and the array of one output."""
    array = as_array(value, f"{name}: expected an array (vertices, components)")
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2 or not 1 <= array.shape[1] <= 4:
        raise UsageError(
            f"{name}: expected (vertices, 1 to 4) numbers, got {array.shape} {array.dtype}"
        )
    known = None
    if pixel is not None:
        try:
            known = pixel.find(name if isinstance(name, PortSlot) else str(name))
        except UsageError:
            known = None
    kinds = {"f": "<f4", "i": "<i4", "u": "<u4", "b": "<u4"}
    kind = known.dtype if known is not None else np.dtype(kinds.get(array.dtype.kind, "<f4"))
    made = converted(array, kind, str(name))
    places = known.places if known is not None else []
    row = SignatureRow(
        known.name if known is not None else str(name).rstrip("0123456789"),
        known.index if known is not None else _index(str(name)),
        [None] * array.shape[1], kind,
        known.meaning if known is not None else None,
        places=[*places] if len(places) == array.shape[1] else [],
    )  # fmt: skip
    if row.meaning is None:
        row.meaning = MEANINGS.get(row.name.casefold())
    return row, made


def _index(name: str) -> int:
    digits = name[len(name.rstrip("0123456789")) :]
    return int(digits) if digits else 0
