"""Points of several vertices: how the geometry unit of PICA200 gets its inputs in point mode.

    outputs of the vertex shader     o0 o1         o0 o1         o0 o1
    inputs of the geometry shader    v0 v1         v2 v3         v4 v5

How many vertices are a point is a setting of the draw, not of the file: as many as give all the
registers that the geometry shader reads.

Source: 3dbrew's page on geometry shaders; azahar's geometry pipeline.
"""

from typing import Any

import numpy as np

from ....vm.launch import Array
from ...signature import KernelSignature, SignatureRow
from ..vertices import Primitives


def vertices_of_a_point(geometry: KernelSignature, vertex: KernelSignature) -> int:
    """Return the number of vertices that a geometry shader takes as a point.

    It is 1 unless its inputs are registers, more than a vertex has outputs.
    """
    count = len(_outputs(vertex))
    rows = [row for row in geometry if row.asked]
    if not count or not rows or not all(row.by_register and row.points == 1 for row in rows):
        return 1
    return max((row.location or 0) // count + 1 for row in rows)


def consecutive(geometry: KernelSignature, scene: Primitives) -> dict[str, Any] | None:
    """Return the inputs of points of several vertices; None if a point is a single vertex."""
    wanted = vertices_of_a_point(geometry, scene.vertices.rows)
    if wanted == 1 or scene.corners.shape[1] != wanted:
        return None
    outputs = _outputs(scene.vertices.rows)
    found: dict[str, Any] = {}
    for row in geometry:
        if row.location is None or not row.asked:
            continue
        vertex, at = divmod(row.location, len(outputs))
        array: Array = scene.vertices.taken(row, outputs[at])[scene.corners[:, vertex]]
        found[row.label] = array[:, np.newaxis]
    return found


def _outputs(vertex: KernelSignature) -> list[SignatureRow]:
    """Return the outputs of a vertex in the order of their registers."""
    placed = [row for row in vertex if row.location is not None]
    return sorted(placed, key=lambda row: row.location or 0)
