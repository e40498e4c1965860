"""Checks of RTS0, alone and against the program's declarations.

RTS0  descriptor table (pixel): srv t0..t3, space 0       SHEX  dcl_resource_texture2d … T2[2:2]
"""

from collections.abc import Iterable
from enum import IntEnum
from itertools import islice

from ....model import Stage
from ....model.facts import ProgramFacts
from ....vocab.d3d import ShaderKind
from ..part import DxPart
from ..parts.psv0 import PipelineStateValidation, PsvResourceType
from ..parts.rts0 import (
    BorderColor,
    ComparisonFunction,
    Constants,
    DescriptorTable,
    ParameterType,
    RangeType,
    SerializedRootSignature,
    TextureAddress,
    Visibility,
)
from .places import ContainerFindings, registers

VERSIONS = (1, 2, 3)
FLAGS = 0xFFF
MAX_WORDS = 64
UNBOUNDED = 0xFFFF_FFFF
MANY = 256  # maximum number of declarations per register class that are checked
RANGES: dict[int, str] = {  # register classes
    RangeType.SRV: "t",
    RangeType.UAV: "u",
    RangeType.CBV: "b",
    RangeType.SAMPLER: "s",
}
PARAMETERS: dict[int, str] = {
    ParameterType.CONSTANTS_32BIT: "b",
    ParameterType.CBV: "b",
    ParameterType.SRV: "t",
    ParameterType.UAV: "u",
}
IN_PSV0: dict[int, str] = {
    PsvResourceType.SAMPLER: "s",
    PsvResourceType.CBV: "b",
    PsvResourceType.SRV_TYPED: "t",
    PsvResourceType.SRV_RAW: "t",
    PsvResourceType.SRV_STRUCTURED: "t",
    PsvResourceType.UAV_TYPED: "u",
    PsvResourceType.UAV_RAW: "u",
    PsvResourceType.UAV_STRUCTURED: "u",
    PsvResourceType.UAV_STRUCTURED_WITH_COUNTER: "u",
}
SHADERS: dict[int, int] = {
    ShaderKind.VERTEX: Visibility.VERTEX,
    ShaderKind.HULL: Visibility.HULL,
    ShaderKind.DOMAIN: Visibility.DOMAIN,
    ShaderKind.GEOMETRY: Visibility.GEOMETRY,
    ShaderKind.PIXEL: Visibility.PIXEL,
    ShaderKind.MESH: Visibility.MESH,
    ShaderKind.AMPLIFICATION: Visibility.AMPLIFICATION,
}
SEES: dict[str, int] = {
    Stage.VERTEX: Visibility.VERTEX,
    Stage.HULL: Visibility.HULL,
    Stage.DOMAIN: Visibility.DOMAIN,
    Stage.GEOMETRY: Visibility.GEOMETRY,
    Stage.PIXEL: Visibility.PIXEL,
    Stage.COMPUTE: Visibility.ALL,
}
Bound = tuple[int, str, int, int, int]  # visibility, register class, space, first, last register


def check_root_signature(found: ContainerFindings) -> None:
    """Check RTS0 of a container."""
    part = found.first("RTS0")
    root = None if part is None else part.reading.value
    if part is None or not isinstance(root, SerializedRootSignature):
        return
    if root.version not in VERSIONS:
        found.part("rts0.version", part, f"version {root.version}", "version")
    if root.flags & ~FLAGS:
        found.part("rts0.flags", part, f"bits 0x{root.flags & ~FLAGS:x}", "flags")
    bound = _check_parameters(found, part, root) + _check_samplers(found, part, root)
    if found.declared is not None:
        _check_bound(found, found.declared, bound)
    for part in found.all("PSV0"):
        state = part.reading.value
        if isinstance(state, PipelineStateValidation):
            _check_state(found, part, state, bound)


def _check_values(
    found: ContainerFindings,
    part: DxPart,
    values: Iterable[tuple[str, int, type[IntEnum]]],
    path: str,
) -> None:
    for name, value, enum in values:
        if value not in enum._value2member_map_:
            message = f"expected a value of {enum.__name__}, got {value}"
            found.part("rts0.value", part, message, f"{path}.{name}")


def _check_parameters(
    found: ContainerFindings, part: DxPart, root: SerializedRootSignature
) -> list[Bound]:
    words = 0
    bound: list[Bound] = []
    for i, parameter in enumerate(root.parameters):
        path = f"parameters[{i}]"
        values = (
            ("kind", parameter.kind, ParameterType),
            ("visibility", parameter.visibility, Visibility),
        )
        _check_values(found, part, values, path)
        payload = parameter.payload
        seen = parameter.visibility
        if isinstance(payload, DescriptorTable):
            words += 1
            bound += _check_table(found, part, payload, seen, f"{path}.payload")
        elif isinstance(payload, Constants):
            words += payload.count
            bound.append((seen, "b", payload.space, payload.register, payload.register))
        else:
            words += 2
            kind = PARAMETERS.get(parameter.kind, "")
            bound.append((seen, kind, payload.space, payload.register, payload.register))
    if words > MAX_WORDS:
        message = f"expected at most {MAX_WORDS} words, got {words}"
        found.part("rts0.size", part, message, "parameters")
    return bound


def _check_table(
    found: ContainerFindings, part: DxPart, table: DescriptorTable, seen: int, path: str
) -> list[Bound]:
    bound: list[Bound] = []
    samplers = [each.kind == RangeType.SAMPLER for each in table.ranges]
    if any(samplers) and not all(samplers):
        found.part("rts0.table", part, "samplers and other descriptors in one table", path)
    for i, each in enumerate(table.ranges):
        where = f"{path}.ranges[{i}]"
        _check_values(found, part, (("kind", each.kind, RangeType),), where)
        if not each.count:
            found.part("rts0.table", part, "a range without descriptors", f"{where}.count")
        last = UNBOUNDED if each.count == UNBOUNDED else each.base_register + each.count - 1
        bound.append((seen, RANGES.get(each.kind, ""), each.space, each.base_register, last))
    return bound


def _check_samplers(
    found: ContainerFindings, part: DxPart, root: SerializedRootSignature
) -> list[Bound]:
    bound: list[Bound] = []
    for i, sampler in enumerate(root.samplers):
        values = (
            ("address_u", sampler.address_u, TextureAddress),
            ("address_v", sampler.address_v, TextureAddress),
            ("address_w", sampler.address_w, TextureAddress),
            ("comparison", sampler.comparison, ComparisonFunction),
            ("border_color", sampler.border_color, BorderColor),
            ("visibility", sampler.visibility, Visibility),
        )
        _check_values(found, part, values, f"samplers[{i}]")
        register = sampler.register
        bound.append((sampler.visibility, "s", sampler.space, register, register))
    return bound


def _check_bound(found: ContainerFindings, declared: ProgramFacts, bound: list[Bound]) -> None:
    """Check that each declared register is in a parameter that is visible to the stage.

    Programs before model 5.1 have no register spaces and are not checked.
    """
    stage = SEES.get(declared.stage, Visibility.ALL)
    ranged = [each for each in declared.resources if each.resource.id is not None]
    for letter in RANGES.values():
        visible = [
            each[2:] for each in bound if each[1] == letter and each[0] in (Visibility.ALL, stage)
        ]
        of_class = (each for each in ranged if each.resource.register_class == letter)
        for each in islice(of_class, MANY):
            space, (first, last) = each.resource.space, registers(each.resource)
            if not any(s == space and a <= first and last <= b for s, a, b in visible):
                message = f"{each.label} in space {space} is not bound"
                found.declaration("rts0.unbound", message, each.path)


def _check_state(
    found: ContainerFindings, part: DxPart, state: PipelineStateValidation, bound: list[Bound]
) -> None:
    """Check that each resource in PSV0 is in a parameter that is visible to the stage."""
    stage = SHADERS.get(state.stage, Visibility.ALL)
    visible = [each for each in bound if each[0] in (Visibility.ALL, stage)]
    for i, each in enumerate(state.resources[:MANY]):
        letter = IN_PSV0.get(each.type)
        first, last = each.lower_bound, each.upper_bound
        if letter is not None and not any(
            kind == letter and space == each.space and a <= first and last <= b
            for _, kind, space, a, b in visible
        ):
            message = f"{letter}{first} to {letter}{last} in space {each.space} are not bound"
            found.part("rts0.resource", part, message, f"resources[{i}]")
