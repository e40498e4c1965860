"""Inputs and outputs in WGSL: parameters of the entry point, and a structure that it returns.

@location(0) texcoord0: vec3f           two parameters of one location share a vector:
@builtin(position) position: vec4f      @location(1) location_1: vec4f
"""

from collections.abc import Iterator, Sequence

from ...dataclass import dataclass
from ...errors import UnsupportedError
from ...ir.kernel import KernelIR
from ...ir.ops import OPS
from ...vocab.slots import Direction
from ...vocab.words import Interpolation, Stage, SystemValue
from ..interface import EntryInterface, EntryParameter
from ..parts import SourceParts
from ..tree import (
    Assign,
    Define,
    Line,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    name,
    swizzle,
)

__all__ = ["CONSTANT", "LocatedPort", "adapt", "built_in_text", "opening", "place_name", "ports"]

INPUT, OUTPUT = Direction.INPUT, Direction.OUTPUT
UINT, FLOAT, BOOL = (TermType(each) for each in (
    ScalarKind.UINT, ScalarKind.FLOAT, ScalarKind.BOOL,
))  # fmt: skip
BUILT_INS: dict[tuple[SystemValue, Stage, Direction], tuple[str, TermType]] = {
    (SystemValue.POSITION, Stage.VERTEX, OUTPUT): ("position", FLOAT.wide(4)),
    (SystemValue.VERTEX_ID, Stage.VERTEX, INPUT): ("vertex_index", UINT),
    (SystemValue.INSTANCE_ID, Stage.VERTEX, INPUT): ("instance_index", UINT),
    (SystemValue.POSITION, Stage.PIXEL, INPUT): ("position", FLOAT.wide(4)),
    (SystemValue.IS_FRONT_FACE, Stage.PIXEL, INPUT): ("front_facing", BOOL),
    (SystemValue.SAMPLE_INDEX, Stage.PIXEL, INPUT): ("sample_index", UINT),
    (SystemValue.COVERAGE, Stage.PIXEL, INPUT): ("sample_mask", UINT),
    (SystemValue.DEPTH, Stage.PIXEL, OUTPUT): ("frag_depth", FLOAT),
    (SystemValue.DEPTH_GREATER_EQUAL, Stage.PIXEL, OUTPUT): ("frag_depth", FLOAT),
    (SystemValue.DEPTH_LESS_EQUAL, Stage.PIXEL, OUTPUT): ("frag_depth", FLOAT),
    (SystemValue.COVERAGE, Stage.PIXEL, OUTPUT): ("sample_mask", UINT),
}
PLACES = {
    SystemValue.THREAD_ID: "global_invocation_id", SystemValue.THREAD_GROUP_ID: "workgroup_id",
    SystemValue.THREAD_ID_IN_GROUP: "local_invocation_id",
    SystemValue.THREAD_ID_IN_GROUP_FLATTENED: "local_invocation_index",
    "group_count": "num_workgroups",
}  # fmt: skip
INTERPOLATIONS = {
    Interpolation.CONSTANT: "flat",
    Interpolation.LINEAR_CENTROID: "perspective, centroid",
    Interpolation.LINEAR_NOPERSPECTIVE: "linear",
    Interpolation.LINEAR_NOPERSPECTIVE_CENTROID: "linear, centroid",
    Interpolation.LINEAR_SAMPLE: "perspective, sample",
    Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE: "linear, sample",
}
W = 3
ONE = 0x3F80_0000
CONSTANT = "constant"  # in place of a built-in: the size of points, which is 1 in WebGPU
FRAGMENT = "position"


@dataclass(slots=True)
class LocatedPort:
    """A location: the parameters in it, and the parameter or member that is declared for them."""

    name: str
    type: TermType
    attributes: str
    parameters: list[EntryParameter]


def place_name(word: str) -> str:
    """Return the built-in of a position of the lane."""
    found = PLACES.get(word)
    if found is None:
        raise UnsupportedError(f"WGSL has no built-in for the position {word}")
    return found


def adapt(interface: EntryInterface, kernel: KernelIR) -> None:
    """Give parameters the types of their built-ins."""
    for each in (*interface.inputs, *interface.outputs):
        meaning = each.meaning
        if meaning is None or meaning is SystemValue.TARGET:
            continue
        found = BUILT_INS.get((meaning, Stage(str(kernel.stage)), each.direction))
        if meaning is SystemValue.POINT_SIZE and _is_one(each, kernel):
            each.builtin = CONSTANT
            continue
        if found is None:
            if each.location is None or meaning in (
                SystemValue.CLIP_DISTANCE, SystemValue.CULL_DISTANCE,
            ):  # fmt: skip
                raise UnsupportedError(f"WGSL has no built-in for {meaning}")
            continue
        each.builtin, each.type = found


def _is_one(parameter: EntryParameter, kernel: KernelIR) -> bool:
    """Return True if nothing but 1 is written to an output."""
    written = (
        value.args[0]
        for value in kernel.values()
        if value.op is OPS.output and value.attr in parameter.ports
    )
    return all(each.op is OPS.const and each.attr == ONE for each in written)


def reads_w(parameter: EntryParameter, kernel: KernelIR) -> bool:
    """Return True if a program reads w of a pixel's position, whose reciprocal WGSL has."""
    found = {port for port, at in parameter.ports.items() if at == W}
    return parameter.builtin == FRAGMENT and any(
        each.op is OPS.input and each.attr in found for each in kernel.values()
    )


def built_in_text(parameter: EntryParameter, spelled: str, label: str) -> str:
    """Return the declaration of a built-in."""
    return f"@builtin({parameter.builtin}) {label}: {spelled}"


def ports(parts: SourceParts, parameters: Sequence[EntryParameter]) -> Iterator[LocatedPort]:
    """Yield the locations of inputs or outputs; parameters that share one are in one vector."""
    own = [each for each in parameters if not each.builtin]
    taken = {each.location for each in own}
    free = iter(number for number in range(1 << 12) if number not in taken)
    by_place: dict[tuple[int, int], list[EntryParameter]] = {}
    for each in own:
        number = next(free) if each.location is None else each.location
        by_place.setdefault((number, each.blend), []).append(each)
    for (number, blend), found in sorted(by_place.items(), key=lambda each: each[0]):
        first = found[0]
        if blend:
            raise UnsupportedError("two sources of a blend need an extension of WGSL")
        if len({each.type.kind for each in found}) > 1:
            raise UnsupportedError("numbers of several kinds in one location cannot be translated")
        words = f"@location({number})"
        out = first.direction is OUTPUT
        vertex_input = parts.kernel.stage is Stage.VERTEX and not out
        if not vertex_input and not (out and parts.kernel.stage is Stage.PIXEL):
            whole = first.type.kind is not ScalarKind.FLOAT
            how = Interpolation.CONSTANT if whole else first.interpolation
            sampled = INTERPOLATIONS.get(how or Interpolation.LINEAR)
            if sampled:
                words += f" @interpolate({sampled})"
        if len(found) == 1 and not first.first:
            yield LocatedPort(first.name, first.type, words, found)
            continue
        width = max(each.first + each.type.width for each in found)
        label = parts.names.unique(f"location_{number}")
        yield LocatedPort(label, first.type.wide(width), words, found)


def opening(parts: SourceParts, inputs: Sequence[LocatedPort], given: str) -> Iterator[Line]:
    """Yield the definitions of parameters that are parts of others."""
    for port in inputs:
        for each in port.parameters:
            if each.name != port.name:
                whole = name(port.name, port.type)
                at = tuple(range(each.first, each.first + each.type.width))
                yield Define(each.name, each.type, swizzle(whole, at))
    for each in parts.interface.inputs:
        if reads_w(each, parts.kernel):
            whole = name(given, each.type)
            yield Define(each.name, each.type, whole)
            w = swizzle(whole, (W,))
            one = SourceExpression(NodeForm.LITERAL, w.type, (), (ONE,))
            target = swizzle(name(each.name, each.type), (W,))
            yield Assign(target, SourceExpression(OPS.fdiv, w.type, (one, w)))
