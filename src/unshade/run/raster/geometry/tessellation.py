"""Patches between hull and domain shader: the tessellator makes points and primitives of each.

Factors are patch constants, found by their meaning: Direct3D's by edge, Vulkan's as arrays.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from ....enums import StrEnum
from ....errors import UsageError
from ....model import SystemValue
from ....vm.launch import Array
from ....vocab.words import Domain, OutputPrimitive, Partitioning
from ...execution import Execution
from ...program import RunProgram
from ...signature import KernelSignature
from ...stages.patches import Patches, evaluate
from ..vertices import Primitives, Vertices
from .tessellator import FACTORS, Pattern, tessellate

Word = TypeVar("Word", bound=StrEnum)
OUTER = (
    SystemValue.FINAL_QUAD_EDGE_TESSFACTOR, SystemValue.FINAL_TRI_EDGE_TESSFACTOR,
    SystemValue.FINAL_LINE_DENSITY_TESSFACTOR, SystemValue.FINAL_LINE_DETAIL_TESSFACTOR,
    SystemValue.TESS_LEVEL_OUTER,
)  # fmt: skip
INNER = (
    SystemValue.FINAL_QUAD_INSIDE_TESSFACTOR, SystemValue.FINAL_TRI_INSIDE_TESSFACTOR,
    SystemValue.TESS_LEVEL_INNER,
)  # fmt: skip


def tessellated(
    hull: RunProgram,
    domain: Execution,
    patches: Patches,
    number: Array,
    bindings: Mapping[Any, Any],
    instances: int = 1,
) -> Primitives:
    """Return the primitives of patches, from the outputs of their hull shader.

    Args:
        hull: The hull shader, whose control points and constants the domain shader takes.
        domain: The domain shader.
        patches: The outputs of the hull shader.
        number: The number of each patch, as seen by shaders.
        bindings: The bindings of the domain shader.
        instances: The instances that the patches are of, as many of each.
    """
    rows = domain.program.outputs
    shape, partitioning, output = _described(hull, domain.program)
    count = len(number)
    factors = _factors(hull, patches, shape, count)
    unique, order = np.unique(factors, axis=0, return_inverse=True)
    order = order.reshape(-1)
    patterns = [tessellate(shape, partitioning, output, row.tolist()) for row in unique]
    sizes = np.array([len(each.points) for each in patterns], np.int64)[order]
    firsts = np.cumsum(sizes) - sizes
    vertices = Vertices(rows, {}, int(sizes.sum()))
    for row in rows:
        vertices.arrays[row.key] = np.zeros((vertices.count, len(row.ports)), row.dtype)
    for which, pattern in enumerate(patterns):
        mine = np.flatnonzero(order == which)
        if not len(pattern.points):
            continue
        found = _evaluated(hull, domain, patches, (pattern, mine, number), bindings)
        places = (firsts[mine][:, np.newaxis] + np.arange(len(pattern.points))).reshape(-1)
        for row in rows:
            made = np.asarray(found[row.label]).reshape(len(places), len(row.ports))
            vertices.arrays[row.key][places] = made
    lists = [patterns[which].primitives + first for which, first in zip(order, firsts, strict=True)]
    wide = {OutputPrimitive.POINT: 1, OutputPrimitive.LINE: 2}.get(output, 3)
    corners = np.concatenate(lists) if lists else np.zeros((0, wide), np.int64)
    counts = np.array([len(each) for each in lists], np.int64)
    place = [np.arange(each) for each in counts.reshape(instances, -1).sum(axis=1)]
    return Primitives(vertices, corners, np.repeat(number, counts), place=np.concatenate(place))


def _evaluated(
    hull: RunProgram,
    domain: Execution,
    patches: Patches,
    chosen: tuple[Pattern, Array, Array],
    bindings: Mapping[Any, Any],
) -> Mapping[str, Any]:
    """Run the domain shader at the points of some patches."""
    pattern, mine, number = chosen
    program = domain.program
    points = _joined(program.inputs, hull.outputs, patches.control_points, mine)
    row = program.inputs.by_meaning(SystemValue.PRIMITIVE_ID)
    if row is not None:
        points[row.label] = number[mine].astype(row.dtype)
    constants = _joined(
        program.patch_constants, hull.patch_constants, patches.patch_constants, mine
    )
    where = np.broadcast_to(pattern.points, (len(mine), *pattern.points.shape))
    return evaluate(domain, where, points, constants, bindings)


def _joined(
    inputs: KernelSignature, outputs: KernelSignature, found: Mapping[str, Any], mine: Array
) -> dict[str, Any]:
    """Return the hull shader's outputs, of some patches, as inputs of the domain shader."""
    made = {}
    for row in inputs:
        given = Vertices(outputs).source(row)
        if given is None or given.label not in found:
            continue
        array = np.asarray(found[given.label])[mine]
        points = array.shape[1 : 1 + bool(row.points)]
        whole = array.reshape(-1, len(given.ports))
        vertices = Vertices(outputs, {given.key: whole}, len(whole))
        made[row.label] = vertices.taken(row, given).reshape(len(mine), *points, len(row.ports))
    return made


def _described(
    hull: RunProgram, domain: RunProgram
) -> tuple[Domain, Partitioning, OutputPrimitive]:
    """Return the shape of the patches, their partitioning and the output of the tessellator.

    Direct3D's hull shaders declare it; in Vulkan either of the two shaders may.
    """
    said = [
        each.reflection.tessellation
        for each in (hull, domain)
        if each.reflection is not None and each.reflection.tessellation is not None
    ]
    return (
        _said("domain", Domain, [each.domain for each in said]),
        _said("partitioning", Partitioning, [each.partitioning for each in said]),
        _said("output primitive", OutputPrimitive, [each.output_primitive for each in said]),
    )


def _said(name: str, kind: type[Word], found: Iterable[str | None]) -> Word:
    """Return the first word that is specified."""
    for each in found:
        if isinstance(each, kind) and each != "undefined":
            return each
    raise UsageError(f"neither hull nor domain shader says its {name}")


def _factors(hull: RunProgram, patches: Patches, shape: Domain, count: int) -> Array:
    """Return the factors of each patch, (patches, edges and inside)."""
    edges, inside = FACTORS[shape]
    if not count:
        return np.zeros((0, edges + inside), "<f4")
    parts = []
    for meanings, wanted in ((OUTER, edges), (INNER, inside)):
        columns = []
        for row in hull.patch_constants:
            if row.meaning in meanings:
                array = np.asarray(patches.patch_constants[row.label]).reshape(count, -1)
                rank = meanings.index(SystemValue(str(row.meaning)))
                columns += [((rank, row.index), column) for column in array.T]
        columns.sort(key=lambda each: each[0])
        if len(columns) < wanted:
            raise UsageError(
                f"expected {wanted} tessellation factors of a {shape}, got {len(columns)}"
            )
        parts += [column for _, column in columns[:wanted]]
    return np.stack(parts, axis=1).astype("<f4")
