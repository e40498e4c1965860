"""Hull shaders: patches to control points and patch constants. Domain shaders: points of patches.

    hull.tessellate({"POSITION": (patches, 16, 3)})        .control_points   (patches, 16, 3) each
                                                           .patch_constants  (patches,) each
    domain.evaluate(uv, control_points, patch_constants)   (patches, points, 4) each

The tessellator between them, which turns factors into points, is in `raster.geometry.tessellator`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import UsageError
from ...vm.launch import Array
from ...vocab.slots import Direction, Exchange, PointsSlot, PortSlot, Rate
from ...vocab.words import Domain, SystemValue
from ..binding.arguments import Arguments
from ..binding.numbers import as_array, converted
from ..binding.results import Results
from ..execution import Execution
from ..lanes import PrimitiveLanes
from ..signature import Key, array_of
from .points import (
    BATCH,
    PRIMITIVE_NUMBER,
    Chosen,
    common_length,
    complete,
    fill,
    given_primitives,
    new,
    numbers,
    of_points,
    plain,
    points_given,
    run_points,
    shaped,
    taken,
)
from .vertices import add_row, chosen_rows

LANES = 1 << 18  # points of patches that one call of an engine does at most
LOCATION = PortSlot(Direction.INPUT, Rate.VERTEX, SystemValue.DOMAIN_LOCATION)
PATCH = PortSlot(Direction.INPUT, Rate.PATCH, Exchange.PATCH)
COUNT = PortSlot(Direction.INPUT, Rate.CONTROL_POINT, SystemValue.PATCH_VERTICES)


class Patches(Results):
    """The outputs of a hull shader; by name, control points precede patch constants."""

    def __init__(self) -> None:
        super().__init__()
        self.control_points = Results()
        self.patch_constants = Results()


# ---------------------------------------------------------------- hull shaders


def tessellate(
    execution: Execution, given: Mapping[Any, Any] | int, bindings: Mapping[Any, Any]
) -> Patches:
    """Run a hull shader over patches, or over a number of patches without inputs."""
    program = execution.program
    arguments = Arguments(program.bindings, bindings)
    patches = given_primitives(execution, given, "patches", "control points")
    arrays, count = patches.arrays, patches.count
    execution.begin()
    points = program.declared.points
    given_points = program.taken
    assert given_points is not None
    size_of = points_given(patches.chosen, given_points)
    words = {each.slot: new(each, count) for each in points if each is not given_points}
    vertices = of_points(program.inputs, arrays)
    size = sum(each.count * each.stride for each in points)
    step = max(1, BATCH // max(size, 1))
    for first in range(0, count, step):
        last = min(first + step, count)
        some = {name: array[first:last] for name, array in vertices.items()}
        memories = dict(arguments.memories)
        filled = fill(given_points, program.inputs, some, last - first)
        memories[given_points.slot] = plain(filled)
        memories |= {slot: plain(array[first:last]) for slot, array in words.items()}
        names = patches.numbers[first:last]
        own = {PRIMITIVE_NUMBER: names, COUNT: np.full(last - first, size_of, "<u4")}
        run_points(execution, arguments, memories, own, PrimitiveLanes(first, last - first))
    return _given(execution, arguments, arrays, words, count)


def _given(
    execution: Execution,
    arguments: Arguments,
    arrays: Mapping[Key, Array],
    words: Mapping[PointsSlot, Array],
    count: int,
) -> Patches:
    program = execution.program
    found = Patches()
    constants = program.of_patch
    made = program.declared.points_of(Direction.OUTPUT, Rate.CONTROL_POINT)
    for row in program.patch_constants:
        assert constants is not None
        array = taken(constants, row, words[constants.slot][:, 0])
        add_row(found.patch_constants, row, array)
    for row in program.outputs:
        if made is not None:
            add_row(found.control_points, row, taken(made, row, words[made.slot]))
        elif row.key in arrays:  # a control point that goes through as it came
            add_row(found.control_points, row, arrays[row.key])
    own = arguments.finish()
    for results in (own, found.control_points, found.patch_constants):
        for names, array in results.named():
            if names[-1] not in found:
                slots = results.slots_of(names[-1])
                alone = results.is_single(names[-1])
                found.add(names, array, semantic=results is not own, slots=slots, alone=alone)
    return found


# ---------------------------------------------------------------- domain shaders


def evaluate(
    execution: Execution,
    domain: Any,
    control_points: Mapping[Any, Any] | None,
    patch_constants: Mapping[Any, Any] | None,
    bindings: Mapping[Any, Any],
) -> Results:
    """Run a domain shader at points of patches."""
    program = execution.program
    arguments = Arguments(program.bindings, bindings)
    chosen = chosen_rows(program.inputs, control_points or {})
    constants = chosen_rows(program.patch_constants, patch_constants or {})
    where = as_array(domain, "domain points: expected numbers")
    count = _patches(chosen, constants, where)
    arrays, of_patch = shaped(chosen, count), shaped(constants, count)
    complete((program.inputs, arrays), (program.patch_constants, of_patch))
    where = _domain(execution, where, count)
    each = where.shape[1]
    names = numbers(count, arrays, program.inputs)
    vertices = of_points(program.inputs, arrays)
    execution.begin()
    points, of_patches = program.taken, program.of_patch
    assert points is not None
    assert of_patches is not None
    size_of = points_given(chosen, points)
    made = {row.key: np.zeros((count, each, len(row.ports)), row.dtype) for row in program.outputs}
    step = max(1, LANES // max(each, 1))
    for first in range(0, count if each else 0, step):
        last = min(first + step, count)
        number = last - first
        some = {name: array[first:last] for name, array in vertices.items()}
        others = {name: array[first:last, np.newaxis] for name, array in of_patch.items()}
        memories = dict(arguments.memories)
        memories[points.slot] = plain(fill(points, program.inputs, some, number))
        filled = fill(of_patches, program.patch_constants, others, number)
        memories[of_patches.slot] = plain(filled)
        own = {
            PRIMITIVE_NUMBER: np.repeat(names[first:last], each),
            PATCH: np.repeat(np.arange(number, dtype="<u4"), each),
            COUNT: np.full(number * each, size_of, "<u4"),
        }
        for at in range(where.shape[2]):
            place = LOCATION.at(at)
            own[place] = np.ascontiguousarray(where[first:last, :, at]).reshape(-1)
        outputs = run_points(
            execution, arguments, memories, own, PrimitiveLanes(first, number, each)
        )
        for row in program.outputs:
            array = array_of(row, outputs, number * each)
            made[row.key][first:last] = array.reshape(number, each, -1)
    results = arguments.finish()
    for row in program.outputs:
        add_row(results, row, made[row.key])
    return results


def _patches(
    chosen: Chosen,
    constants: Chosen,
    where: Array,
) -> int:
    """Return the number of patches: 1 if nothing but points for all patches is supplied."""
    counts = {
        "control points": common_length(chosen, "control points"),
        "patch constants": common_length(constants, "patch constants"),
        "domain points": len(where) if where.ndim == 3 else None,
    }
    known = {what: count for what, count in counts.items() if count is not None}
    if len(set(known.values())) > 1:
        words = ", ".join(f"{what} {count}" for what, count in known.items())
        raise UsageError(f"the numbers of patches differ: {words}")
    return next(iter(known.values()), 1)


def _domain(execution: Execution, where: Array, count: int) -> Array:
    """Return the domain points, (patches, points, 2 or 3)."""
    program = execution.program
    slots = [port.slot for port in program.declared.kernel.inputs if port.slot is not None]
    least = max((slot.component + 1 for slot in slots if slot.whole == LOCATION), default=0)
    components = _components(execution, least)
    wanted = f"(points, {components}) or (patches, points, {components}) float32"
    if where.dtype.kind not in "biuf" or where.ndim not in (2, 3) or where.shape[-1] > 3:
        raise UsageError(f"domain points: expected {wanted}, got {where.shape} {where.dtype}")
    if where.shape[-1] < min(least, components):  # Vulkan has three, of which two may count
        raise UsageError(
            f"domain points: expected {wanted}, got {where.shape[-1]} of {least} components"
        )
    where = converted(where, "<f4", program.domain_label)
    whole = where if where.ndim == 3 else np.broadcast_to(where, (count, *where.shape))
    return np.ascontiguousarray(whole).view("<u4")


def _components(execution: Execution, least: int) -> int:
    program = execution.program
    tessellation = program.reflection.tessellation if program.reflection is not None else None
    if tessellation is not None and tessellation.domain is not None:
        return 3 if tessellation.domain == Domain.TRI else 2
    return max(least, 2)


# ---------------------------------------------------------------- in one


def split(
    execution: Execution, given: Mapping[Any, Any]
) -> tuple[Any, dict[Any, Any], dict[Any, Any]]:
    """Split the inputs of a domain shader: domain points, control points, patch constants."""
    program = execution.program
    rest = dict(given)
    label = program.domain_label
    where = rest.pop(LOCATION, None)
    where = rest.pop(label, None) if where is None else where
    if where is None:
        raise UsageError(
            f"missing input {label}: expected points (points, {_components(execution, 0)})"
        )
    points, constants = {}, {}
    for name, value in rest.items():
        try:
            program.inputs.find(name)
        except UsageError:
            constants[name] = value
        else:
            points[name] = value
    return where, points, constants
