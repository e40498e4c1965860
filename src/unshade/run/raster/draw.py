"""Drawing: what comes out of a vertex shader, through a pixel shader, into targets.

Attributes are corrected for perspective: a/w and 1/w are linear on the screen. Depth is z/w, the
nearer pixel stays; of equals the one that was drawn first. Pixels of a quad outside of its triangle
are shaded as helpers, so that derivatives are right at edges.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import UnshadeError, UsageError, told_of
from ...ir.memory import Space
from ...model import SystemValue
from ...vm.launch import Array, Report
from ...vm.prepare import COVERED
from ..arguments import Arguments, Results
from ..kernels import Kernel
from ..lanes import Pixels
from ..signature import Key, Row, array_of
from ..stages import FRONT, add_row, grid_size, run_lanes
from .clip import clipped
from .quads import Quads, fixed, quads, twice_area

BATCH = 1 << 14  # quads that are shaded together
DEPTHS = (SystemValue.DEPTH, SystemValue.DEPTH_GREATER_EQUAL, SystemValue.DEPTH_LESS_EQUAL)
WINDINGS = ("clockwise", "counterclockwise")
CULLS = ("none", "back", "front")
Links = dict[Key, Row | None]  # for each input of the pixel shader the output that it comes from


@dataclass(slots=True)
class Picture:
    """What was drawn: `targets` by semantic, `depth` (infinite where nothing is), `covered`, and
    the number of the `triangle` that each pixel shows (-1: none).
    """

    targets: Results
    depth: Array
    covered: Array
    triangle: Array


def draw(
    vertex: Kernel,
    pixel: Kernel,
    vertices: Mapping[str, Any] | int,
    triangles: Array | None,
    size: tuple[int, int],
    *,
    vertex_bindings: Mapping[str, Any] | None = None,
    pixel_bindings: Mapping[str, Any] | None = None,
    cull: str = "none",
    front: str = "clockwise",
    samples: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Picture:
    """Draw triangles: `vertices` are the vertex shader's inputs, a row a vertex, by semantic.

    `triangles` are rows of three vertex numbers, None for each three vertices. `front` says how
    the corners of a front face run on the screen, `cull` which faces are left out. `samples` is
    what both kernels are told of the target, as their attribute of that name says otherwise.
    """
    if cull not in CULLS or front not in WINDINGS:
        raise UsageError(f"cull is one of {', '.join(CULLS)}, front of {', '.join(WINDINGS)}")
    for kernel, stage in ((vertex, "vertex"), (pixel, "pixel")):
        if kernel.stage != stage:
            raise UsageError(f"a {stage} shader is needed here, this is a {kernel.stage} one")
    width, height = grid_size(size)
    with vertex.with_samples(samples), pixel.with_samples(samples):
        with _blamed(vertex):
            made = vertex.transform(vertices, **(vertex_bindings or {}))
        position = vertex.outputs.by_meaning(SystemValue.POSITION)
        if position is None:
            raise UsageError("the vertex shader gives no position")
        corners = _triangles(triangles, len(made[position.label]))
        scene = _Scene(vertex, made, made[position.label], corners, width, height)
        scene.faces(cull, front == "clockwise")
        scene.coverage = (1 << pixel.samples) - 1
        targets = _Targets(pixel, width, height)
        linked = _link(vertex, pixel)
        with _blamed(pixel):
            arguments = Arguments(pixel.bindings, pixel_bindings or {})
        pixel.report = Report(pixel.engine)
        early = _is_simple(pixel, arguments)
        for chunk in quads(scene.corners, width, height):
            for batch in _batches(chunk):
                targets.shade(pixel, arguments, scene, batch, linked, early)
            if progress is not None and len(chunk.triangle):
                progress(int(chunk.triangle[-1]) + 1, len(scene.corners))
        results = arguments.finish()
        for row in pixel.outputs:
            add_row(results, row, targets.arrays[row.key])
        return Picture(results, targets.depth, targets.depth < np.inf, targets.triangle)


@contextmanager
def _blamed(kernel: Kernel) -> Iterator[None]:
    """Which of the two shaders an error is about."""
    try:
        with told_of(kernel.title):
            yield
    except UnshadeError as error:
        error.add_note(f"this is about the {kernel.stage} shader")
        raise


def _triangles(given: Array | None, count: int) -> Array:
    if given is None:
        return np.arange(count // 3 * 3).reshape(-1, 3)
    found = np.asarray(given)
    if found.ndim != 2 or found.shape[1] != 3 or found.dtype.kind not in "iu":
        raise UsageError(f"triangles are rows of three vertex numbers, not {found.shape}")
    if found.size and (found.min() < 0 or found.max() >= count):
        raise UsageError(f"triangles name vertex {found.max()} of {count}")
    made: Array = found.astype(np.int64)
    return made


def _link(vertex: Kernel, pixel: Kernel) -> Links:
    """For each input of the pixel shader the vertex shader's output; None: the rasteriser's."""
    own = (SystemValue.POSITION, SystemValue.IS_FRONT_FACE, SystemValue.PRIMITIVE_ID,
           SystemValue.SAMPLE_INDEX, SystemValue.COVERAGE, SystemValue.INNER_COVERAGE)  # fmt: skip
    linked: Links = {}
    for row in pixel.inputs:
        if not row.needed:
            continue
        if row.meaning in own:
            linked[row.key] = None
            continue
        found = vertex.outputs.rows.get(row.key)
        if found is None:
            told = ", ".join(each.label for each in vertex.outputs)
            raise UsageError(f"the pixel shader takes {row.label}, the vertex shader gives {told}")
        linked[row.key] = found
    return linked


def _is_simple(pixel: Kernel, arguments: Arguments) -> bool:
    """Whether hidden pixels need no shading: nothing but colours comes of them."""
    code = pixel.code(arguments)
    return not (
        any(port.name == COVERED for port in code.outputs)
        or any(pixel.outputs.by_meaning(each) for each in DEPTHS)
        or any(each.writable and each.space is Space.BUFFER for each in code.memories)
    )


def _batches(chunk: Quads) -> "list[Quads]":
    return [
        Quads(*(part[at : at + BATCH] for part in (
            chunk.triangle, chunk.x, chunk.y, chunk.covered, chunk.weights,
        )))
        for at in range(0, len(chunk.triangle), BATCH)
    ]  # fmt: skip


class _Scene:
    """Triangles on the screen: corners in steps, 1/w and depth of each, shares of the vertices."""

    def __init__(
        self,
        vertex: Kernel,
        made: Results,
        position: Array,
        triangles: Array,
        width: int,
        height: int,
    ) -> None:
        self.made = {row.key: made[row.label].reshape(len(position), -1) for row in vertex.outputs}
        self.number, self.shares = clipped(position, triangles)
        self.vertices = triangles[self.number]
        clip = np.einsum("tcv,tvk->tck", self.shares, position[self.vertices].astype(np.float64))
        w = clip[..., 3]
        self.inverse = 1.0 / w
        self.z = np.clip(clip[..., 2] * self.inverse, 0.0, 1.0)
        x = (clip[..., 0] * self.inverse + 1.0) * (0.5 * width)
        y = (1.0 - clip[..., 1] * self.inverse) * (0.5 * height)
        self.corners = fixed(np.stack([x, y], axis=-1))
        self.is_front = np.ones(len(self.number), np.bool_)
        self.coverage = 1  # of a pixel that is covered: all samples of it

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

    def values(self, key: Key, quad: Quads, weights: Array) -> Array:
        """An output of the vertex shader, mixed by weights (q, 4, 3) of the corners."""
        found = self.made[key].astype(np.float64)[self.vertices[quad.triangle]]  # (q, 3, k)
        at_corners = np.einsum("qcv,qvk->qck", self.shares[quad.triangle], found)
        made: Array = np.einsum("qlc,qck->qlk", weights, at_corners)
        return made


class _Targets:
    """The arrays that are drawn into, and the depth of what stands there."""

    def __init__(self, pixel: Kernel, width: int, height: int) -> None:
        self.depth = np.full((height, width), np.inf, np.float64)
        self.triangle = np.full((height, width), -1, np.int64)
        self.arrays = {
            row.key: np.zeros((height, width, len(row.ports)), row.dtype) for row in pixel.outputs
        }

    def shade(
        self,
        pixel: Kernel,
        arguments: Arguments,
        scene: _Scene,
        quad: Quads,
        linked: Links,
        early: bool,
    ) -> None:
        """Run the pixel shader over quads, and keep what is nearest."""
        z = np.einsum("qlc,qc->ql", quad.weights, scene.z[quad.triangle])
        height, width = self.depth.shape
        inside = (quad.x < width) & (quad.y < height)
        place = np.where(inside, quad.y * width + quad.x, 0)
        shown = quad.covered.copy()
        if early:
            shown &= z < self.depth.reshape(-1)[place]
            shown.reshape(-1)[:] &= _nearest(place.reshape(-1), z.reshape(-1), shown.reshape(-1))
            some = shown.any(axis=1)
            quad = Quads(
                quad.triangle[some], quad.x[some], quad.y[some], quad.covered[some],
                quad.weights[some],
            )  # fmt: skip
            z, place, shown = z[some], place[some], shown[some]
        if not len(quad.triangle):
            return
        inverse = np.einsum("qlc,qc->ql", quad.weights, scene.inverse[quad.triangle])
        perspective = quad.weights * scene.inverse[quad.triangle][:, np.newaxis, :]
        perspective /= np.where(inverse == 0, 1, inverse)[..., np.newaxis]
        arrays = {
            key: _attribute(pixel.inputs.rows[key], source, scene, quad, perspective, z, inverse)
            for key, source in linked.items()
        }
        numbers = np.repeat(scene.number[quad.triangle], 4)
        lanes = Pixels(quad.x.reshape(-1), quad.y.reshape(-1), numbers)
        helpers = ~shown.reshape(-1)
        outputs = run_lanes(pixel, arguments, arrays, lanes, helpers if helpers.any() else None)
        z, place, shown = z.reshape(-1), place.reshape(-1), shown.reshape(-1)
        if COVERED in outputs:
            shown = shown & outputs[COVERED].astype(np.bool_)
        for meaning in DEPTHS:
            row = pixel.outputs.by_meaning(meaning)
            if row is not None:
                z = np.clip(array_of(row, outputs, len(z))[:, 0].astype(np.float64), 0.0, 1.0)
        shown = shown & (z < self.depth.reshape(-1)[place])
        shown &= _nearest(place, z, shown)
        self.depth.reshape(-1)[place[shown]] = z[shown]
        self.triangle.reshape(-1)[place[shown]] = numbers[shown]
        for row in pixel.outputs:
            array = self.arrays[row.key].reshape(-1, len(row.ports))
            array[place[shown]] = array_of(row, outputs, len(z))[shown]


def _nearest(place: Array, z: Array, shown: Array) -> Array:
    """Of the pixels that are shown at one place only the nearest, of equals the first."""
    which = np.flatnonzero(shown)
    order = which[np.lexsort((which, z[which], place[which]))]
    first = np.ones(len(order), np.bool_)
    first[1:] = place[order][1:] != place[order][:-1]
    found = np.zeros(len(place), np.bool_)
    found[order[first]] = True
    return found


def _attribute(
    row: Row,
    source: Row | None,
    scene: _Scene,
    quad: Quads,
    perspective: Array,
    z: Array,
    inverse: Array,
) -> Array:
    """An input of the pixel shader, (lanes, components)."""
    count = quad.x.size
    if source is None:
        return _own(row, scene, quad, z, inverse)
    components = len(row.ports)
    if "constant" in row.interpolation or row.dtype.kind in "iu":
        found = scene.made[source.key][scene.vertices[quad.triangle, 0]]
        found = np.repeat(found, 4, axis=0)
    else:
        weights = quad.weights if "noperspective" in row.interpolation else perspective
        found = scene.values(source.key, quad, weights).reshape(count, -1)
    made = np.zeros((count, components), row.dtype)
    made[:, : found.shape[1]] = found[:, :components]
    return made


def _own(row: Row, scene: _Scene, quad: Quads, z: Array, inverse: Array) -> Array:
    """What the rasteriser gives."""
    components = len(row.ports)
    count = quad.x.size
    match row.meaning:
        case SystemValue.POSITION:
            w = 1.0 / np.where(inverse == 0, 1, inverse)
            columns = [quad.x + 0.5, quad.y + 0.5, z, w]
            found = np.stack([each.reshape(-1) for each in columns], axis=1)
            return found[:, :components].astype(row.dtype)
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
