"""The state of a pipeline beside its shaders, and the checks of the shaders against the state.

    {"topology": "triangle",
     "input_layout": [{"semantic": "POSITION", "format": "R32G32B32_FLOAT"},
                      {"location": 1, "format": "R8G8B8A8_UNORM"}],
     "targets": ["R8G8B8A8_UNORM", null], "depth_format": "D32_FLOAT",
     "features": ["maintenance4"], "limits": {"maxComputeWorkGroupInvocations": 256}}

Formats have the names of DXGI or Vulkan, with or without their prefix and in any case. State
that is left out is not checked.

Source: d3d12.h, D3D12_GRAPHICS_PIPELINE_STATE_DESC; Vulkan, VkGraphicsPipelineCreateInfo, "Vertex
Input Description", "Fragment Output Interface".
"""

import re
from collections.abc import Collection, Mapping, Sequence
from math import prod
from typing import Any

from ...errors import Severity, UsageError
from ...tuples import NamedTuple
from ...vocab.words import ComponentType, Primitive, Stage, SystemValue
from .findings import PipelineFindings
from .reading import items, natural, one_of, optional, record, text
from .rules import DIRECT3D, VULKAN
from .stages import PipelineStage

__all__ = ["PipelineState", "VertexElement", "check_state", "numeric_kind", "state_of"]

C = ComponentType
KINDS: Mapping[str, str] = {
    **dict.fromkeys((C.FLOAT32, C.FLOAT16, C.FLOAT64, C.FLOAT24), "float"),
    **dict.fromkeys((C.UINT32, C.UINT16, C.UINT64), "uint"),
    **dict.fromkeys((C.SINT32, C.SINT16, C.SINT64), "sint"),
}
READ_AS_FLOATS = ("unorm", "snorm", "srgb", "uscaled", "sscaled", "sharedexp")
PREFIX = re.compile(r"^(?:dxgi|vk)_format_")
DEPTHS = (
    SystemValue.DEPTH, SystemValue.DEPTH_GREATER_EQUAL, SystemValue.DEPTH_LESS_EQUAL,
    SystemValue.STENCIL_REF,
)  # fmt: skip
PATCHES = "VUID-VkGraphicsPipelineCreateInfo-topology-08889"
NO_DEPTH = ""  # of no runtime: drawing without a depth target is allowed
TOPOLOGIES = {each: each for each in ("point", "line", "triangle", "patch")}
GENERATED = (
    SystemValue.VERTEX_ID, SystemValue.INSTANCE_ID, SystemValue.BASE_VERTEX,
    SystemValue.BASE_INSTANCE, SystemValue.DRAW_INDEX, SystemValue.VIEW_INDEX,
)  # fmt: skip
PRIMITIVES: Mapping[str, str] = {
    Primitive.POINT: "point", Primitive.LINE: "line", Primitive.LINE_ADJ: "line",
    Primitive.TRIANGLE: "triangle", Primitive.TRIANGLE_ADJ: "triangle",
    Primitive.PATCH: "patch",
}  # fmt: skip


class VertexElement(NamedTuple):
    """An element of an input layout: of a semantic in Direct3D, of a location in Vulkan."""

    format: str
    semantic: str = ""
    index: int = 0  # type: ignore[assignment]  # instead of the method of a tuple
    location: int | None = None


class PipelineState(NamedTuple):
    """The state of a pipeline; None and empty collections are not known, and not checked.

    `depth_format` is "" if there is no depth target.
    `rasterized_stream` is the stream of a geometry shader that is rasterised, None for no stream.
    """

    topology: str | None = None
    control_points: int | None = None
    input_layout: Sequence[VertexElement] | None = None
    targets: Sequence[str | None] | None = None
    depth_format: str | None = None
    rasterized_stream: int | None = 0
    features: Collection[str] | None = None
    limits: Mapping[str, int | Sequence[int]] = {}  # never changed

    @property
    def small_vectors(self) -> Severity | None:
        """Severity of an input that is a smaller vector than its output; None if allowed."""
        if self.features is None:
            return Severity.WARNING
        return None if "maintenance4" in self.features else Severity.ERROR


def _element(data: Any, path: str) -> VertexElement:
    fields = {"semantic": text, "index": natural, "location": natural, "format": text}
    given = record(data, path, fields)
    if "format" not in given or ("semantic" in given) == ("location" in given):
        raise UsageError(f"{path}: expected a format, and a semantic or a location")
    return VertexElement(**given)


def _limits(data: Any, path: str) -> dict[str, int | Sequence[int]]:
    if not isinstance(data, Mapping):
        raise UsageError(f"{path}: expected an object, got {data!r:.40}")
    several = items(natural)
    return {
        str(name): several(value, f"{path}.{name}")
        if isinstance(value, list)
        else natural(value, f"{path}.{name}")
        for name, value in data.items()
    }


def state_of(data: Any, name: str = "state") -> PipelineState:
    """Return the state of plain data.

    Raises:
        UsageError: The data does not describe a state; names the path.
    """
    if isinstance(data, PipelineState):
        return data
    fields = {
        "topology": one_of(TOPOLOGIES),
        "control_points": natural,
        "input_layout": items(_element),
        "targets": items(optional(text)),
        "depth_format": lambda data, path: optional(text)(data, path) or "",
        "rasterized_stream": optional(natural),
        "features": items(text),
        "limits": _limits,
    }
    return PipelineState(**record(data, name, fields))


def numeric_kind(format: str) -> str | None:
    """Return how a shader sees a format: float, uint or sint; None if it is not known."""
    words = PREFIX.sub("", format.lower().replace("-", "_")).split("_")
    for word in words[1:]:
        if word in ("uint", "sint"):
            return word
        if word in READ_AS_FLOATS or word.endswith("float"):
            return "float"
    return None


# -- checks --------------------------------------------------------------------------------------


def check_state(
    found: PipelineFindings, stages: Sequence[PipelineStage], state: PipelineState
) -> None:
    """Check the state against the needs of the stages."""
    by_stage = {each.stage: each for each in stages}
    vertex, pixel = by_stage.get(Stage.VERTEX), by_stage.get(Stage.PIXEL)
    if vertex is not None and state.input_layout is not None:
        _check_inputs(found, vertex, state.input_layout)
    if pixel is not None and state.targets is not None:
        _check_targets(found, pixel, state)
    if pixel is not None and state.depth_format == "":
        for each in pixel.rows("outputs"):
            if each.row.system_value in DEPTHS:
                message = f"{each.name} is written, but there is no depth target"
                found.add("state.target-unused", message, each.place, reference_of=NO_DEPTH)
    if state.topology is not None:
        _check_topology(found, by_stage, state)
    for stage in stages:
        if stage.reflection.thread_group is not None:
            _check_group(found, stage, state.limits)


def _check_inputs(
    found: PipelineFindings, vertex: PipelineStage, elements: Sequence[VertexElement]
) -> None:
    by_place = {
        (each.semantic.lower(), each.index) if each.location is None else each.location: each
        for each in elements
    }
    for each in vertex.rows("inputs"):
        row = each.row
        if row.system_value in GENERATED:
            continue
        if vertex.api == DIRECT3D:
            element = by_place.get((row.semantic.lower(), row.index))
            missing = (
                "The provided input signature expects to read an element with"
                f" SemanticName/Index: '{row.semantic}'/{row.index}, but the declaration"
                f" doesn't provide a matching name. {each.name} is {each.where}"
            )
        elif row.register is None:
            continue
        else:
            element = by_place.get(row.register)
            missing = f"{each.name} at {each.where} has no attribute in the input layout"
        if element is None:
            found.add("state.input-missing", missing, each.place)
            continue
        given, wanted = numeric_kind(element.format), KINDS.get(row.component_type)
        if given is not None and wanted is not None and given != wanted:
            message = f"{each.name} is {each.where} {row.component_type}"
            message += f", its format in the input layout is {element.format}"
            severity = Severity.ERROR if vertex.api == VULKAN else Severity.WARNING
            found.add("state.input-type", message, each.place, severity=severity)


def _check_targets(found: PipelineFindings, pixel: PipelineStage, state: PipelineState) -> None:
    targets = state.targets or ()
    written: set[int] = set()
    for each in pixel.rows("outputs"):
        row = each.row
        if row.system_value != SystemValue.TARGET or row.register is None:
            continue
        written.add(row.register)
        format = targets[row.register] if row.register < len(targets) else None
        if format is None:
            message = f"{each.name} {each.where} is written, but there is no such target"
            found.add("state.target-unused", message, each.place)
            continue
        given, wanted = numeric_kind(format), KINDS.get(row.component_type)
        if given is not None and wanted is not None and given != wanted:
            message = f"{each.name} is {each.where} {row.component_type}, target {row.register}"
            found.add("state.target-type", f"{message} has the format {format}", each.place)
    for number, format in enumerate(targets):
        if format is not None and number not in written:
            message = f"target {number} of format {format} is not written"
            found.add("state.target-missing", message, pixel.place())


def _check_topology(
    found: PipelineFindings, by_stage: Mapping[str, PipelineStage], state: PipelineState
) -> None:
    topology = state.topology
    hull, geometry = by_stage.get(Stage.HULL), by_stage.get(Stage.GEOMETRY)
    if hull is not None and topology != "patch":
        message = f"expected the topology patch for a {hull.title}, got {topology}"
        found.add("state.topology", message, hull.place())
    domain = by_stage.get(Stage.DOMAIN)
    vertex = by_stage.get(Stage.VERTEX)
    is_patch = topology == "patch" and hull is None and domain is None
    if is_patch and vertex is not None and vertex.api == VULKAN:
        message = "the topology patch needs a tessellation control and evaluation shader"
        found.add("state.topology", message, vertex.place(), reference_of=PATCHES)
    tessellation = None if hull is None else hull.reflection.tessellation
    wanted = None if tessellation is None else tessellation.input_control_points
    points = state.control_points
    if hull is not None and None not in (wanted, points) and wanted != points:
        message = f"{hull.title} takes {wanted} control points, got {points}"
        found.add("state.control-points", message, hull.place())
    if geometry is not None and hull is None and geometry.reflection.geometry is not None:
        primitive = PRIMITIVES.get(geometry.reflection.geometry.input_primitive)
        if primitive is not None and primitive != topology:
            message = f"{geometry.title} takes a {primitive}, the topology is {topology}"
            found.add("state.geometry-input", message, geometry.place())


GROUP_LIMITS: Mapping[str, tuple[str, str, str]] = {  # of each axis, of all threads, of memory
    Stage.COMPUTE: (
        "maxComputeWorkGroupSize", "maxComputeWorkGroupInvocations", "maxComputeSharedMemorySize",
    ),
    Stage.MESH: (
        "maxMeshWorkGroupSize", "maxMeshWorkGroupInvocations", "maxMeshSharedMemorySize",
    ),
    Stage.AMPLIFICATION: (
        "maxTaskWorkGroupSize", "maxTaskWorkGroupInvocations", "maxTaskSharedMemorySize",
    ),
}  # fmt: skip


def _check_group(
    found: PipelineFindings, stage: PipelineStage, limits: Mapping[str, int | Sequence[int]]
) -> None:
    """Check a thread group against the limits of a device that the state lists."""
    names, group = GROUP_LIMITS.get(stage.stage), stage.reflection.thread_group
    if names is None or group is None:
        return
    threads = prod(group)
    of_axes, of_all, of_memory = names
    axes, most, limit = map(limits.get, names)
    shown = " x ".join(map(str, group))
    if isinstance(axes, Sequence) and any(n > m for n, m in zip(group, axes, strict=False)):
        message = f"expected a group of at most {' x '.join(map(str, axes))} ({of_axes})"
        found.add("state.thread-group", f"{message}, got {shown}", stage.place())
    if isinstance(most, int) and threads > most:
        message = f"expected at most {most} threads of a group ({of_all}), got {threads}: {shown}"
        found.add("state.thread-group", message, stage.place())
    shared = sum(each.size for each in stage.reflection.shared_memory)
    if isinstance(limit, int) and shared > limit:
        message = f"expected at most {limit} bytes of shared memory ({of_memory}), got {shared}"
        found.add("state.thread-group", message, stage.place())
