"""Checks of RTS0, alone and against the program's declarations.

RTS0  descriptor table (pixel): srv t0..t3, space 0       SHEX  dcl_resource_texture2d … T2[2:2]

Source: Microsoft, "Creating a Root Signature" (registers of declarations that a stage sees must not
overlap), "Root Signature Limits" (64 words), D3D12_DESCRIPTOR_RANGE1 (what may be unbounded),
D3D12_SAMPLER_DESC (ranges of its values).
"""

from collections.abc import Iterable
from enum import IntEnum
from itertools import islice
from typing import NamedTuple

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
    SamplerFilter,
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
HIGHEST_ANISOTROPY = 16
BIAS = (-16.0, 15.99)
FOLLOWS = 0xFFFF_FFFF  # offset of a range that follows the one before


class BoundRegisters(NamedTuple):
    """Registers of a class and space that a parameter, range or static sampler binds."""

    visibility: int
    register_class: str
    space: int
    first: int
    last: int
    path: str


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
    _check_overlaps(found, part, bound)
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
) -> list[BoundRegisters]:
    words = 0
    bound: list[BoundRegisters] = []
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
            place = payload.space, payload.register, payload.register
            bound.append(BoundRegisters(seen, "b", *place, path))
        else:
            words += 2
            kind = PARAMETERS.get(parameter.kind, "")
            place = payload.space, payload.register, payload.register
            bound.append(BoundRegisters(seen, kind, *place, path))
    if words > MAX_WORDS:
        message = f"expected at most {MAX_WORDS} words, got {words}"
        found.part("rts0.size", part, message, "parameters")
    return bound


def _check_table(
    found: ContainerFindings, part: DxPart, table: DescriptorTable, seen: int, path: str
) -> list[BoundRegisters]:
    bound: list[BoundRegisters] = []
    samplers = [each.kind == RangeType.SAMPLER for each in table.ranges]
    if any(samplers) and not all(samplers):
        found.part("rts0.table", part, "samplers and other descriptors in one table", path)
    endless = False
    for i, each in enumerate(table.ranges):
        where = f"{path}.ranges[{i}]"
        _check_values(found, part, (("kind", each.kind, RangeType),), where)
        if not each.count:
            found.part("rts0.table", part, "a range without descriptors", f"{where}.count")
        if endless and each.table_offset == FOLLOWS:
            found.part("rts0.table", part, "a range after an unbounded one", where)
        endless = each.count == UNBOUNDED
        last = UNBOUNDED if each.count == UNBOUNDED else each.base_register + each.count - 1
        kind = RANGES.get(each.kind, "")
        bound.append(BoundRegisters(seen, kind, each.space, each.base_register, last, where))
    return bound


def _check_samplers(
    found: ContainerFindings, part: DxPart, root: SerializedRootSignature
) -> list[BoundRegisters]:
    bound: list[BoundRegisters] = []
    for i, sampler in enumerate(root.samplers):
        values = (
            ("filter", sampler.filter, SamplerFilter),
            ("address_u", sampler.address_u, TextureAddress),
            ("address_v", sampler.address_v, TextureAddress),
            ("address_w", sampler.address_w, TextureAddress),
            ("comparison", sampler.comparison, ComparisonFunction),
            ("border_color", sampler.border_color, BorderColor),
            ("visibility", sampler.visibility, Visibility),
        )
        _check_values(found, part, values, f"samplers[{i}]")
        path, register = f"samplers[{i}]", sampler.register
        if sampler.max_anisotropy > HIGHEST_ANISOTROPY:
            message = f"expected at most {HIGHEST_ANISOTROPY}, got {sampler.max_anisotropy}"
            found.part("rts0.sampler", part, message, f"{path}.max_anisotropy")
        if not BIAS[0] <= sampler.mip_lod_bias <= BIAS[1]:
            message = f"expected {BIAS[0]:g} to {BIAS[1]:g}, got {sampler.mip_lod_bias:g}"
            found.part("rts0.sampler", part, message, f"{path}.mip_lod_bias")
        place = sampler.space, register, register
        bound.append(BoundRegisters(sampler.visibility, "s", *place, path))
    return bound


def _check_overlaps(found: ContainerFindings, part: DxPart, bound: list[BoundRegisters]) -> None:
    """Check that no stage sees two declarations of a register."""
    known: set[str] = set()
    ordered = sorted(bound, key=lambda each: each[1:])
    for stage in sorted({each.visibility for each in bound}):
        before: BoundRegisters | None = None
        for each in ordered:
            if each.visibility not in (Visibility.ALL, stage) or not each.register_class:
                continue
            if before is None or before[1:3] != each[1:3]:
                before = each
                continue
            if each.first <= before.last and each.path not in known:
                known.add(each.path)
                name = f"{each.register_class}{each.first} in space {each.space}"
                found.part("rts0.overlap", part, f"{name} is bound by {before.path}", each.path)
            if each.last > before.last:
                before = each


def _check_bound(
    found: ContainerFindings, declared: ProgramFacts, bound: list[BoundRegisters]
) -> None:
    """Check that each declared register is in a parameter that is visible to the stage.

    Programs before model 5.1 have no register spaces and are not checked.
    """
    stage = SEES.get(declared.stage, Visibility.ALL)
    ranged = [each for each in declared.resources if each.resource.id is not None]
    for letter in RANGES.values():
        visible = [
            each[2:5] for each in bound if each[1] == letter and each[0] in (Visibility.ALL, stage)
        ]
        of_class = (each for each in ranged if each.resource.register_class == letter)
        for each in islice(of_class, MANY):
            space, (first, last) = each.resource.space, registers(each.resource)
            if not any(s == space and a <= first and last <= b for s, a, b in visible):
                message = f"{each.label} in space {space} is not bound"
                found.declaration("rts0.unbound", message, each.path)


def _check_state(
    found: ContainerFindings,
    part: DxPart,
    state: PipelineStateValidation,
    bound: list[BoundRegisters],
) -> None:
    """Check that each resource in PSV0 is in a parameter that is visible to the stage."""
    stage = SHADERS.get(state.stage, Visibility.ALL)
    visible = [each for each in bound if each[0] in (Visibility.ALL, stage)]
    for i, each in enumerate(state.resources[:MANY]):
        letter = IN_PSV0.get(each.type)
        first, last = each.lower_bound, each.upper_bound
        if letter is not None and not any(
            kind == letter and space == each.space and a <= first and last <= b
            for _, kind, space, a, b, _ in visible
        ):
            message = f"{letter}{first} to {letter}{last} in space {each.space} are not bound"
            found.part("rts0.resource", part, message, f"resources[{i}]")
