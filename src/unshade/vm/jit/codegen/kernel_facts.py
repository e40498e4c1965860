"""Analyses that the emitter needs: values and control flow that the lanes of a chunk share."""

from ....ir.analysis.strides import lowest
from ....ir.analysis.uniformity import UNIFORM, VARYING, VectorShape, linear, uniformity
from ....ir.kernel import KernelIR
from ....ir.ops import OPS
from ....ir.sources import SOURCES
from ..layout import LaneLayout
from .emitter import KernelFacts


def kernel_facts(kernel: KernelIR, layout: LaneLayout) -> KernelFacts:
    """Return the facts that hold for the lanes of a chunk."""
    found = uniformity(kernel, source_shapes(kernel, layout), lanes=layout.width)
    uniform = frozenset(var for var, shape in found.variables.items() if shape.uniform)
    masked = found.liveness.masked
    unmasked = frozenset(
        value for value in kernel.values() if value.op is OPS.set and value not in masked
    )
    return KernelFacts(uniform, unmasked, frozenset(found.divergent), found.values, found.ranges)


def source_shapes(kernel: KernelIR, layout: LaneLayout) -> dict[str, VectorShape]:
    """Return the shapes of the sources in a chunk."""
    found = dict.fromkeys(SOURCES, VARYING)
    for axis in "xyz":
        found[f"group_count.{axis}"] = UNIFORM
    found["wave_size"] = UNIFORM
    width = layout.width
    found["item"] = linear(1, min(width, lowest(layout.size)) if layout.grouped else width)
    if not kernel.dispatched:
        return found
    x = kernel.group[0]
    row = layout.size == x or x % width == 0
    if layout.whole:
        for axis in "xyz":
            found[f"thread_group_id.{axis}"] = UNIFORM
        if not kernel.quads:
            found["thread_id_in_group_flattened"] = linear(1, width)
        if row and not kernel.quads:
            found["thread_id_in_group.x"] = linear(1, width)
            found["thread_id.x"] = linear(1, min(width, lowest(x)))
            for word in ("thread_id_in_group", "thread_id"):
                found[f"{word}.y"] = found[f"{word}.z"] = UNIFORM
    elif layout.flat:
        for word in ("thread_group_id", "thread_id"):
            if layout.size == 1:
                found[f"{word}.x"] = linear(1, width)
            found[f"{word}.y"] = found[f"{word}.z"] = VARYING if layout.size > 1 else UNIFORM
    return found
