"""Drawing: what comes out of a vertex shader, through a pixel shader, into targets.

Depth is z/w, the nearer pixel stays; of equals the one that was drawn first. Pixels of a quad
outside of its triangle are shaded as helpers, so that derivatives are right at edges.

A target stores one value per pixel: a pixel is written if the coverage mask that the shader outputs
(oMask) has at least one of the pixel's samples.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import UnshadeError, UsageError, with_origin
from ...ir.memory import Space
from ...model import SystemValue
from ...notebook import Shown
from ...vm.launch import Array, Report
from ...vm.prepare import COVERED
from ...vocab.words import Stage
from ..arguments import Arguments, Results
from ..lanes import PixelLanes
from ..runner import Runner
from ..signature import array_of
from ..stages import add_row, grid_size, run_lanes
from .inputs import Interpolated, Links, link
from .quads import Quads, quads
from .setup import ScreenTriangles, check_outputs, triangles_of

BATCH = 1 << 14  # quads that are shaded together
DEPTHS = (SystemValue.DEPTH, SystemValue.DEPTH_GREATER_EQUAL, SystemValue.DEPTH_LESS_EQUAL)
WINDINGS = ("clockwise", "counterclockwise")
CULLS = ("none", "back", "front")


@dataclass(slots=True)
class Picture(Shown):
    """The result of `draw`: `targets` by semantic, `depth` (infinite where nothing was drawn),
    `covered`, and the number of the `triangle` that each pixel shows (-1: none).
    """

    drawn_by = "picture"

    targets: Results
    depth: Array
    covered: Array
    triangle: Array


def draw(
    vertex: Runner,
    pixel: Runner,
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
    """Draw triangles with a vertex and a pixel shader.

    Args:
        vertex: The vertex shader.
        pixel: The pixel shader.
        vertices: Inputs of the vertex shader by semantic, with one row for each vertex; or the
            number of vertices.
        triangles: Rows of three vertex numbers; None if each three vertices are a triangle.
        size: Width and height of the picture.
        vertex_bindings: Bindings of the vertex shader by name.
        pixel_bindings: Bindings of the pixel shader by name.
        cull: The faces to leave out: "none", "back" or "front".
        front: The order of the corners of a front face on the screen: "clockwise" or
            "counterclockwise".
        samples: Samples of a pixel of the target; None for the attribute of the kernels.
        progress: Called with the number of triangles drawn and their total.

    Raises:
        UsageError: The shaders are of other stages, or an argument does not fit.
    """
    for name, given, known in (("cull", cull, CULLS), ("front", front, WINDINGS)):
        if given not in known:
            raise UsageError(f"{name}: expected {' or '.join(known)}, got {given!r}")
    for kernel, stage in ((vertex, Stage.VERTEX), (pixel, Stage.PIXEL)):
        if kernel.stage != stage:
            raise UsageError(f"expected a {stage} shader, got a {kernel.stage} shader")
    width, height = grid_size(size)
    with vertex.with_samples(samples), pixel.with_samples(samples):
        with _blamed(vertex):
            row = check_outputs(vertex.outputs)
            made = vertex.transform(vertices, **(vertex_bindings or {}))
        position = made[row.label]
        corners = triangles_of(triangles, len(position))
        scene = ScreenTriangles(vertex, made, position, corners, (width, height), pixel.samples)
        scene.faces(cull, front == "clockwise")
        targets = _Targets(pixel, width, height)
        linked = link(vertex, pixel)
        with _blamed(pixel):
            arguments = Arguments(pixel.bindings, pixel_bindings or {})
        pixel.report = Report(pixel.engine)
        early = _is_simple(pixel, arguments)
        for chunk in quads(scene.corners, width, height):
            for batch in _batches(chunk):
                targets.shade(pixel, arguments, scene, scene.inside(batch), linked, early)
            if progress is not None and len(chunk.triangle):
                progress(int(chunk.triangle[-1]) + 1, len(scene.corners))
        results = arguments.finish()
        for row in pixel.outputs:
            add_row(results, row, targets.arrays[row.key])
        return Picture(results, targets.depth, targets.depth < np.inf, targets.triangle)


@contextmanager
def _blamed(kernel: Runner) -> Iterator[None]:
    """Add the stage of the shader to errors raised in the block."""
    try:
        with with_origin(kernel.title):
            yield
    except UnshadeError as error:
        error.add_note(f"this is about the {kernel.stage} shader")
        raise


def _is_simple(pixel: Runner, arguments: Arguments) -> bool:
    """Return whether hidden pixels need no shading, since they only output colours."""
    code = pixel.code(arguments)
    return not (
        any(port.key == COVERED for port in code.outputs)
        or any(pixel.outputs.by_meaning(each) for each in (*DEPTHS, SystemValue.COVERAGE))
        or any(each.writable and each.space is Space.BUFFER for each in code.memories)
    )


def _batches(chunk: Quads) -> list[Quads]:
    return [chunk.some(slice(at, at + BATCH)) for at in range(0, len(chunk.triangle), BATCH)]


class _Targets:
    """The arrays that are drawn into, with depth and triangle of each pixel."""

    def __init__(self, pixel: Runner, width: int, height: int) -> None:
        self.depth = np.full((height, width), np.inf, np.float64)
        self.triangle = np.full((height, width), -1, np.int64)
        self.arrays = {
            row.key: np.zeros((height, width, len(row.ports)), row.dtype) for row in pixel.outputs
        }

    def shade(
        self,
        pixel: Runner,
        arguments: Arguments,
        scene: ScreenTriangles,
        quad: Quads,
        linked: Links,
        early: bool,
    ) -> None:
        """Run the pixel shader over quads, and keep the nearest pixels."""
        z = np.einsum("qlc,qc->ql", quad.weights, scene.z[quad.triangle])
        height, width = self.depth.shape
        inside = (quad.x < width) & (quad.y < height)
        place = np.where(inside, quad.y * width + quad.x, 0)
        shown = quad.covered.copy()
        if early:
            shown &= z < self.depth.reshape(-1)[place]
            shown.reshape(-1)[:] &= _nearest(place.reshape(-1), z.reshape(-1), shown.reshape(-1))
            some = np.asarray(shown.any(axis=1))
            quad = quad.some(some)
            z, place, shown = z[some], place[some], shown[some]
        if not len(quad.triangle):
            return
        found = Interpolated(scene, quad, z)
        rows = pixel.inputs.rows
        arrays = {key: found.attribute(rows[key], source) for key, source in linked.items()}
        numbers = np.repeat(scene.number[quad.triangle], 4)
        lanes = PixelLanes(quad.x.reshape(-1), quad.y.reshape(-1), numbers)
        helpers = ~shown.reshape(-1)
        outputs = run_lanes(pixel, arguments, arrays, lanes, helpers if helpers.any() else None)
        z, place, shown = z.reshape(-1), place.reshape(-1), shown.reshape(-1)
        if COVERED in outputs:
            shown = shown & outputs[COVERED].astype(np.bool_)
        mask = pixel.outputs.by_meaning(SystemValue.COVERAGE)
        if mask is not None:
            samples = array_of(mask, outputs, len(z))[:, 0] & scene.coverage
            shown = shown & (samples != 0)
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
    """Return the nearest shown pixel of each place, the first of equals."""
    which = np.flatnonzero(shown)
    order = which[np.lexsort((which, z[which], place[which]))]
    first = np.ones(len(order), np.bool_)
    first[1:] = place[order][1:] != place[order][:-1]
    found = np.zeros(len(place), np.bool_)
    found[order[first]] = True
    return found
