"""Inputs and outputs of the entry point in GLSL: locations and built-ins.

    layout(location = 1) in vec2 texcoord0;     gl_FragCoord     gl_ClipDistance[0]

A built-in takes the place of its parameter. Where it differs from the parameter (an array of
distances; 1 / w in the fragment's position), the parameter is a variable of `main`, which is set
from the built-in at the start, or copied to it at each end.
"""

from collections.abc import Iterator, Sequence

from ...errors import UnsupportedError
from ...ir.kernel import KernelIR
from ...ir.ops import OPS
from ...vocab.slots import Direction
from ...vocab.words import COUNTED_FROM, Interpolation, Stage, SystemValue
from ..interface import EntryInterface, EntryParameter
from ..points import PointSet, PointSets
from ..structure import inner_lines
from ..tree import (
    Assign,
    Define,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    name,
    swizzle,
)

__all__ = ["adapt", "closing", "declared_ports", "opening", "place_name"]

INPUT, OUTPUT = Direction.INPUT, Direction.OUTPUT
INT, UINT, BOOL, FLOAT = (
    ScalarKind.INT, ScalarKind.UINT, ScalarKind.BOOL, ScalarKind.FLOAT,
)  # fmt: skip
VIEWS = "GL_EXT_multiview"
CORNERS = 3  # of a primitive, at which a pixel reads an input
BARYCENTRICS = "GL_EXT_fragment_shader_barycentric"
LAYERS = "GL_ARB_shader_viewport_layer_array"
BUILT_INS: dict[tuple[SystemValue, Stage, Direction], tuple[str, ScalarKind, str]] = {
    (SystemValue.POSITION, Stage.DOMAIN, OUTPUT): ("gl_Position", FLOAT, ""),
    (SystemValue.DOMAIN_LOCATION, Stage.DOMAIN, INPUT): ("gl_TessCoord", FLOAT, ""),
    (SystemValue.PRIMITIVE_ID, Stage.DOMAIN, INPUT): ("gl_PrimitiveID", INT, ""),
    (SystemValue.PRIMITIVE_ID, Stage.GEOMETRY, INPUT): ("gl_PrimitiveIDIn", INT, ""),
    (SystemValue.PRIMITIVE_ID, Stage.HULL, INPUT): ("gl_PrimitiveID", INT, ""),
    (SystemValue.OUTPUT_CONTROL_POINT_ID, Stage.HULL, INPUT): ("gl_InvocationID", INT, ""),
    (SystemValue.GS_INSTANCE_ID, Stage.GEOMETRY, INPUT): ("gl_InvocationID", INT, ""),
    (SystemValue.PATCH_VERTICES, Stage.HULL, INPUT): ("gl_PatchVerticesIn", INT, ""),
    (SystemValue.PATCH_VERTICES, Stage.DOMAIN, INPUT): ("gl_PatchVerticesIn", INT, ""),
    (SystemValue.POSITION, Stage.VERTEX, OUTPUT): ("gl_Position", FLOAT, ""),
    (SystemValue.POINT_SIZE, Stage.VERTEX, OUTPUT): ("gl_PointSize", FLOAT, ""),
    (SystemValue.RENDER_TARGET_ARRAY_INDEX, Stage.VERTEX, OUTPUT): ("gl_Layer", INT, LAYERS),
    (SystemValue.VIEWPORT_ARRAY_INDEX, Stage.VERTEX, OUTPUT): ("gl_ViewportIndex", INT, LAYERS),
    (SystemValue.VERTEX_ID, Stage.VERTEX, INPUT): ("gl_VertexIndex", INT, ""),
    (SystemValue.INSTANCE_ID, Stage.VERTEX, INPUT): ("gl_InstanceIndex", INT, ""),
    (SystemValue.BASE_VERTEX, Stage.VERTEX, INPUT): ("gl_BaseVertex", INT, ""),
    (SystemValue.BASE_INSTANCE, Stage.VERTEX, INPUT): ("gl_BaseInstance", INT, ""),
    (SystemValue.DRAW_INDEX, Stage.VERTEX, INPUT): ("gl_DrawID", INT, ""),
    (SystemValue.POSITION, Stage.PIXEL, INPUT): ("gl_FragCoord", FLOAT, ""),
    (SystemValue.POINT_COORD, Stage.PIXEL, INPUT): ("gl_PointCoord", FLOAT, ""),
    (SystemValue.SAMPLE_POSITION, Stage.PIXEL, INPUT): ("gl_SamplePosition", FLOAT, ""),
    (SystemValue.IS_FRONT_FACE, Stage.PIXEL, INPUT): ("gl_FrontFacing", BOOL, ""),
    (SystemValue.HELPER_INVOCATION, Stage.PIXEL, INPUT): ("gl_HelperInvocation", BOOL, ""),
    (SystemValue.SAMPLE_INDEX, Stage.PIXEL, INPUT): ("gl_SampleID", INT, ""),
    (SystemValue.PRIMITIVE_ID, Stage.PIXEL, INPUT): ("gl_PrimitiveID", INT, ""),
    (SystemValue.COVERAGE, Stage.PIXEL, INPUT): ("gl_SampleMaskIn[0]", INT, ""),
    (SystemValue.RENDER_TARGET_ARRAY_INDEX, Stage.PIXEL, INPUT): ("gl_Layer", INT, ""),
    (SystemValue.VIEWPORT_ARRAY_INDEX, Stage.PIXEL, INPUT): ("gl_ViewportIndex", INT, ""),
    (SystemValue.VIEW_INDEX, Stage.VERTEX, INPUT): ("gl_ViewIndex", INT, VIEWS),
    (SystemValue.VIEW_INDEX, Stage.PIXEL, INPUT): ("gl_ViewIndex", INT, VIEWS),
    (SystemValue.BARYCENTRICS, Stage.PIXEL, INPUT): ("gl_BaryCoordEXT", FLOAT, BARYCENTRICS),
    (SystemValue.BARYCENTRICS_NOPERSPECTIVE, Stage.PIXEL, INPUT): (
        "gl_BaryCoordNoPerspEXT", FLOAT, BARYCENTRICS,
    ),
    (SystemValue.DEPTH, Stage.PIXEL, OUTPUT): ("gl_FragDepth", FLOAT, ""),
    (SystemValue.DEPTH_GREATER_EQUAL, Stage.PIXEL, OUTPUT): ("gl_FragDepth", FLOAT, ""),
    (SystemValue.DEPTH_LESS_EQUAL, Stage.PIXEL, OUTPUT): ("gl_FragDepth", FLOAT, ""),
    (SystemValue.COVERAGE, Stage.PIXEL, OUTPUT): ("gl_SampleMask[0]", INT, ""),
    (SystemValue.STENCIL_REF, Stage.PIXEL, OUTPUT): (
        "gl_FragStencilRefARB", INT, "GL_ARB_shader_stencil_export",
    ),
}  # fmt: skip
DISTANCES = {
    SystemValue.CLIP_DISTANCE: "gl_ClipDistance", SystemValue.CULL_DISTANCE: "gl_CullDistance",
}  # fmt: skip
CONSERVATIVE = {
    SystemValue.DEPTH_GREATER_EQUAL: "depth_greater", SystemValue.DEPTH_LESS_EQUAL: "depth_less",
}  # fmt: skip
INTERPOLATIONS = {
    Interpolation.CONSTANT: "flat ",
    Interpolation.PER_VERTEX: "pervertexEXT ",
    Interpolation.LINEAR_CENTROID: "centroid ",
    Interpolation.LINEAR_NOPERSPECTIVE: "noperspective ",
    Interpolation.LINEAR_NOPERSPECTIVE_CENTROID: "noperspective centroid ",
    Interpolation.LINEAR_SAMPLE: "sample ",
    Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE: "noperspective sample ",
}
PLACES = {
    SystemValue.THREAD_ID: "gl_GlobalInvocationID",
    SystemValue.THREAD_GROUP_ID: "gl_WorkGroupID",
    SystemValue.THREAD_ID_IN_GROUP: "gl_LocalInvocationID",
    SystemValue.THREAD_ID_IN_GROUP_FLATTENED: "gl_LocalInvocationIndex",
    "group_count": "gl_NumWorkGroups",
    "wave_lane": "gl_SubgroupInvocationID",
    "wave_size": "gl_SubgroupSize",
}
STRAIGHT = frozenset({
    Interpolation.LINEAR_NOPERSPECTIVE, Interpolation.LINEAR_NOPERSPECTIVE_CENTROID,
    Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE,
})  # fmt: skip
FRAGMENT = "gl_FragCoord"
WIDTHS = {
    FRAGMENT: 4, "gl_Position": 4, "gl_PointCoord": 2, "gl_SamplePosition": 2,
    "gl_BaryCoordEXT": 3, "gl_BaryCoordNoPerspEXT": 3, "gl_TessCoord": 3,
}  # fmt: skip
W = 3
DOUBLE = 64  # bits of a float, which Vulkan does not interpolate either
COUNTED = {"gl_VertexIndex": "gl_BaseVertex", "gl_InstanceIndex": "gl_BaseInstance"}


def place_name(word: str) -> str:
    """Return the name of a position of the lane, `thread_id`."""
    found = PLACES.get(word)
    if found is None:
        raise UnsupportedError(f"the position {word} has no built-in in Vulkan yet")
    return found


def adapt(
    interface: EntryInterface, kernel: KernelIR, points: PointSets, extensions: set[str]
) -> None:
    """Give parameters the names and kinds of their built-ins."""
    for members in points.of.values():
        _cut_members(members)
    meanings = {each.meaning for each in interface.inputs}
    for each in (*interface.inputs, *interface.outputs):
        meaning = each.meaning
        if meaning is None or meaning is SystemValue.TARGET or meaning in DISTANCES:
            if meaning not in DISTANCES:
                _cut(interface, each)
            continue
        if meaning is SystemValue.BARYCENTRICS and each.interpolation in STRAIGHT:
            meaning = SystemValue.BARYCENTRICS_NOPERSPECTIVE
        found = BUILT_INS.get((meaning, Stage(str(kernel.stage)), each.direction))
        if found is None:
            if each.location is None:
                raise UnsupportedError(f"{meaning} has no built-in in Vulkan yet")
            _cut(interface, each)
            continue
        word, kind, extension = found
        each.type = TermType(kind, 32, WIDTHS.get(word, 1))
        each.builtin = word
        if extension:
            extensions.add(extension)
        if word == FRAGMENT and _reads_w(each, kernel):
            continue  # a variable of its own
        if meaning in COUNTED_FROM and COUNTED_FROM[meaning] in meanings and not each.by_register:
            continue  # likewise: Direct3D counts from 0
        each.name = word


def _cut(interface: EntryInterface, parameter: EntryParameter) -> None:
    """Begin a parameter that no signature lists at its first component: others may be before it."""
    if _without_lower(parameter):
        interface.of |= {port: (parameter, at) for port, at in parameter.ports.items()}


def _cut_members(points: PointSet) -> None:
    """Do the same for the members of points."""
    for member in points.members:
        low = _without_lower(member) if member.meaning is None else 0
        if low:
            points.of |= {
                byte: (member, at - low) for byte, (each, at) in points.of.items() if each is member
            }


def _without_lower(parameter: EntryParameter) -> int:
    """Leave the components before the first one out, and return their number."""
    low = min(parameter.ports.values(), default=0)
    if parameter.semantic or not low:
        return 0
    parameter.first += low
    parameter.type = parameter.type.wide(parameter.type.width - low)
    parameter.ports |= {port: at - low for port, at in parameter.ports.items()}
    return low


def _reads_w(parameter: EntryParameter, kernel: KernelIR) -> bool:
    ports = {port for port, at in parameter.ports.items() if at == W}
    return any(each.op is OPS.input and each.attr in ports for each in kernel.values())


def declared_ports(interface: EntryInterface, kernel: KernelIR, precise: bool) -> Iterator[str]:
    """Yield the declarations of inputs and outputs."""
    for parameters in (interface.inputs, interface.outputs):
        taken = {
            each.location for each in parameters if not _is_built_in(each)
        } - {None}  # fmt: skip
        free = iter(number for number in range(1 << 12) if number not in taken)
        for each in parameters:
            if each.meaning in CONSERVATIVE:
                yield f"layout({CONSERVATIVE[each.meaning]}) out float gl_FragDepth;"
            if _is_built_in(each):
                continue
            place = f"location = {next(free) if each.location is None else each.location}"
            if each.first:
                place += f", component = {each.first}"
            if each.blend:
                place += f", index = {each.blend}"
            out = each.direction is OUTPUT
            words = "precise " * (out and precise and each.type.kind is FLOAT)
            if kernel.stage is Stage.PIXEL and not out:
                whole = each.type.kind is not FLOAT or each.type.bits == DOUBLE
                how = each.interpolation or Interpolation.LINEAR
                if whole and how is not Interpolation.PER_VERTEX:
                    how = Interpolation.CONSTANT
                words += INTERPOLATIONS.get(how, "")
            array = f"[{CORNERS}]" * (each.interpolation is Interpolation.PER_VERTEX)
            yield f"layout({place}) {words}{'out' if out else 'in'} {{{each.name}}}{array};"


def _is_built_in(parameter: EntryParameter) -> bool:
    return bool(parameter.builtin) or parameter.meaning in DISTANCES


def _distances(parameters: Sequence[EntryParameter]) -> Iterator[tuple[EntryParameter, int]]:
    """Yield the parameters of distances, and the number of the first distance of each."""
    for meaning in DISTANCES:
        first = 0
        for each in sorted(
            (each for each in parameters if each.meaning is meaning), key=lambda each: each.index
        ):
            yield each, first
            first += each.type.width


def opening(interface: EntryInterface) -> Iterator[Line]:
    """Yield the definitions of parameters that are variables."""
    for each in interface.inputs:
        if each.builtin == FRAGMENT and each.name != FRAGMENT:
            yield Define(each.name, each.type, name(FRAGMENT, each.type))
            target = swizzle(name(each.name, each.type), (W,))
            w = swizzle(name(FRAGMENT, each.type), (W,))
            one = SourceExpression(NodeForm.LITERAL, w.type, (), (0x3F80_0000,))
            yield Assign(target, SourceExpression(OPS.fdiv, w.type, (one, w)))
        elif each.builtin in COUNTED and each.name != each.builtin:
            parts = tuple(name(word, each.type) for word in (each.builtin, COUNTED[each.builtin]))
            yield Define(each.name, each.type, SourceExpression(OPS.isub, each.type, parts))
    for each, first in _distances(interface.inputs):
        array = DISTANCES[each.meaning]  # type: ignore[index]
        parts = tuple(
            name(f"{array}[{first + at}]", each.type.wide(1)) for at in range(each.type.width)
        )
        whole = SourceExpression(NodeForm.CONSTRUCT, each.type, parts)
        yield Define(each.name, each.type, whole if len(parts) > 1 else parts[0])
    for each, _ in _distances(interface.outputs):
        yield Define(each.name, each.type, None)


def closing(interface: EntryInterface, body: list[Line]) -> list[Line]:
    """Return the body with the copies of distances before each return and at the end."""
    ends: list[Line] = []
    for each, first in _distances(interface.outputs):
        array = DISTANCES[each.meaning]  # type: ignore[index]
        for at in range(each.type.width):
            target = name(f"{array}[{first + at}]", each.type.wide(1))
            ends.append(Assign(target, swizzle(name(each.name, each.type), (at,))))
    if not ends:
        return body
    waiting = [body]
    while waiting:
        lines = waiting.pop()
        made: list[Line] = []
        for line in lines:
            waiting += inner_lines(line)
            if isinstance(line, JumpLine) and line.how is Leave.RETURN:
                made += ends
            made.append(line)
        lines[:] = made
    return body if body and isinstance(body[-1], JumpLine) else [*body, *ends]
