"""Checks of RTS0, alone and whether it binds what the program declares.

RTS0  descriptor table (pixel): srv t0..t3, space 0       SHEX  dcl_resource_texture2d … T2[2:2]
"""

from collections.abc import Iterable
from enum import IntEnum

from ....programs.tpf.enumerations import OperandType
from ....programs.tpf.verify import Scope
from ....vocab.d3d import ShaderKind
from ..part import Part
from ..parts.rts0 import (
    BorderColor,
    Comparison,
    Constants,
    DescriptorTable,
    ParameterType,
    RangeType,
    RootSignature,
    TextureAddress,
    Visibility,
)
from .places import Report

T = OperandType
VERSIONS = (1, 2, 3)
FLAGS = 0xFFF
MAX_WORDS = 64
UNBOUNDED = 0xFFFF_FFFF
RANGES: dict[int, int] = {
    RangeType.SRV: T.RESOURCE,
    RangeType.UAV: T.UNORDERED_ACCESS_VIEW,
    RangeType.CBV: T.CONSTANT_BUFFER,
    RangeType.SAMPLER: T.SAMPLER,
}
PARAMETERS: dict[int, int] = {
    ParameterType.CONSTANTS_32BIT: T.CONSTANT_BUFFER,
    ParameterType.CBV: T.CONSTANT_BUFFER,
    ParameterType.SRV: T.RESOURCE,
    ParameterType.UAV: T.UNORDERED_ACCESS_VIEW,
}
SEES: dict[int, int] = {
    ShaderKind.VERTEX: Visibility.VERTEX,
    ShaderKind.HULL: Visibility.HULL,
    ShaderKind.DOMAIN: Visibility.DOMAIN,
    ShaderKind.GEOMETRY: Visibility.GEOMETRY,
    ShaderKind.PIXEL: Visibility.PIXEL,
    ShaderKind.COMPUTE: Visibility.ALL,
}
Bound = tuple[int, int, int, int, int]  # visibility, operand type, space, first, last register


def check_root_signature(found: Report) -> None:
    """RTS0 of a container."""
    part = found.container.parts.get("RTS0")
    if part is None or not isinstance(part.value, RootSignature):
        return
    root = part.value
    if root.version not in VERSIONS:
        found.part("rts0.version", part, f"version {root.version}", "version")
    if root.flags & ~FLAGS:
        found.part("rts0.flags", part, f"bits 0x{root.flags & ~FLAGS:x}", "flags")
    bound = _check_parameters(found, part, root) + _check_samplers(found, part, root)
    if found.declared is not None and found.declared.ranged:
        _check_bound(found, found.declared, bound)


def _check_values(
    found: Report, part: Part, values: Iterable[tuple[str, int, type[IntEnum]]], path: str
) -> None:
    for name, value, enum in values:
        if value not in enum._value2member_map_:
            message = f"{value} is no {enum.__name__}"
            found.part("rts0.value", part, message, f"{path}.{name}")


def _check_parameters(found: Report, part: Part, root: RootSignature) -> list[Bound]:
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
            bound.append(
                (seen, T.CONSTANT_BUFFER, payload.space, payload.register, payload.register)
            )
        else:
            words += 2
            kind = PARAMETERS.get(parameter.kind, -1)
            bound.append((seen, kind, payload.space, payload.register, payload.register))
    if words > MAX_WORDS:
        found.part("rts0.size", part, f"{words} words, at most {MAX_WORDS}", "parameters")
    return bound


def _check_table(
    found: Report, part: Part, table: DescriptorTable, seen: int, path: str
) -> list[Bound]:
    bound: list[Bound] = []
    samplers = [each.kind == RangeType.SAMPLER for each in table.ranges]
    if any(samplers) and not all(samplers):
        found.part("rts0.table", part, "samplers beside other descriptors", path)
    for i, each in enumerate(table.ranges):
        where = f"{path}.ranges[{i}]"
        _check_values(found, part, (("kind", each.kind, RangeType),), where)
        if not each.count:
            found.part("rts0.table", part, "a range of no descriptors", f"{where}.count")
        last = UNBOUNDED if each.count == UNBOUNDED else each.base_register + each.count - 1
        bound.append((seen, RANGES.get(each.kind, -1), each.space, each.base_register, last))
    return bound


def _check_samplers(found: Report, part: Part, root: RootSignature) -> list[Bound]:
    bound: list[Bound] = []
    for i, sampler in enumerate(root.samplers):
        values = (
            ("address_u", sampler.address_u, TextureAddress),
            ("address_v", sampler.address_v, TextureAddress),
            ("address_w", sampler.address_w, TextureAddress),
            ("comparison", sampler.comparison, Comparison),
            ("border_color", sampler.border_color, BorderColor),
            ("visibility", sampler.visibility, Visibility),
        )
        _check_values(found, part, values, f"samplers[{i}]")
        register = sampler.register
        bound.append((sampler.visibility, T.SAMPLER, sampler.space, register, register))
    return bound


def _check_bound(found: Report, declared: Scope, bound: list[Bound]) -> None:
    """Every register that the program declares lies in one parameter that its stage sees."""
    stage = SEES.get(declared.kind, Visibility.ALL)
    for kind, ranges in declared.bound.items():
        if kind not in RANGES.values():
            continue
        visible = [
            each[2:] for each in bound if each[1] == kind and each[0] in (Visibility.ALL, stage)
        ]
        for each in list(ranges.values())[:256]:
            if not any(
                s == each.space and a <= each.lower and each.upper <= b for s, a, b in visible
            ):
                message = f"{each} in space {each.space} is bound by nothing"
                found.instruction("rts0.unbound", message, each.at)
