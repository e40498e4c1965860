"""Conversion of RTS0 to the model.

    table   srv t0 … (offset 0), uav u0 … (append: after it)   ->  ranges with their offsets

Source: DXC DxilRootSignature.h; names are taken from the language for root signatures, in lower
case.
"""

import re
from collections.abc import Sequence

from ....enums import IntEnum, member_of
from ....model import RootParameter, RootRange, RootSignature, StaticSampler
from ....vocab.d3d import UNBOUNDED
from ....vocab.d3d12 import ComparisonFunction
from ....vocab.numbers import flag_names
from ....vocab.rootsignature import (
    DescriptorFlag,
    RootSignatureFlag,
    StaticSamplerFlag,
    flag_words,
)
from ..parts import rts0

APPEND = 0xFFFF_FFFF
FLAGS = flag_words(RootSignatureFlag)
DATA_FLAGS = flag_words(DescriptorFlag)
SAMPLER_FLAGS = flag_words(StaticSamplerFlag)
KINDS = {
    rts0.ParameterType.DESCRIPTOR_TABLE: "table",
    rts0.ParameterType.CONSTANTS_32BIT: "constants",
    rts0.ParameterType.CBV: "cbv",
    rts0.ParameterType.SRV: "srv",
    rts0.ParameterType.UAV: "uav",
}

PARAMETER = re.compile(r"^(parameters\[\d+\])\.(?!kind|visibility)")
FIELDS = (  # fields of the model that the part has under other names
    (PARAMETER, r"\1.payload."),
    (re.compile(r"(ranges\[\d+\])\.register$"), r"\1.base_register"),
    (re.compile(r"(ranges\[\d+\])\.offset$"), r"\1.table_offset"),
    (re.compile(r"address\[0\]$"), "address_u"),
    (re.compile(r"address\[1\]$"), "address_v"),
    (re.compile(r"address\[2\]$"), "address_w"),
)


def path_in_part(path: str) -> str:
    """Return the path in RTS0 of a field of the model."""
    for pattern, name in FIELDS:
        path = pattern.sub(name, path)
    return path


def root_signature(part: rts0.SerializedRootSignature) -> RootSignature:
    """Return the root signature of an RTS0 part."""
    version = f"1.{part.version - 1}" if 1 <= part.version <= 3 else f"unknown_{part.version}"
    return RootSignature(
        version=version,
        flags=flag_names(FLAGS, part.flags),
        parameters=[_parameter(each) for each in part.parameters],
        samplers=[_sampler(each) for each in part.samplers],
    )


def _name(enum: type[IntEnum], number: int) -> str:
    known = member_of(enum, number)
    return f"unknown_{number}" if known is None else known.name.lower()


def _parameter(given: rts0.Parameter) -> RootParameter:
    found = RootParameter(
        kind=KINDS.get(given.kind, f"unknown_{given.kind}"),  # type: ignore[call-overload]
        visibility=_name(rts0.Visibility, given.visibility),
        cost=1,
    )
    payload = given.payload
    if isinstance(payload, rts0.DescriptorTable):
        found.ranges = _ranges(payload.ranges)
        return found
    found.register, found.space = payload.register, payload.space
    if isinstance(payload, rts0.Constants):
        found.count = found.cost = payload.count
    else:
        found.flags = flag_names(DATA_FLAGS, payload.flags or 0)
        found.cost = 2
    return found


def _ranges(given: Sequence[rts0.DescriptorRange]) -> list[RootRange]:
    found = []
    place: int | None = 0  # offset of the next appended range
    for each in given:
        count = None if each.count == UNBOUNDED else each.count
        offset = place if each.table_offset == APPEND else each.table_offset
        place = None if offset is None or count is None else offset + count
        found.append(
            RootRange(
                kind=_name(rts0.RangeType, each.kind),
                register=each.base_register,
                space=each.space,
                count=count,
                offset=offset,
                flags=flag_names(DATA_FLAGS, each.flags or 0),
            )
        )
    return found


def _sampler(given: rts0.StaticSamplerDescription) -> StaticSampler:
    modes = (given.address_u, given.address_v, given.address_w)
    return StaticSampler(
        register=given.register,
        space=given.space,
        visibility=_name(rts0.Visibility, given.visibility),
        filter=_name(rts0.SamplerFilter, given.filter),
        address=[_name(rts0.TextureAddress, mode) for mode in modes],
        mip_lod_bias=given.mip_lod_bias,
        max_anisotropy=given.max_anisotropy,
        comparison=_name(ComparisonFunction, given.comparison),
        border_color=_name(rts0.BorderColor, given.border_color),
        min_lod=given.min_lod,
        max_lod=given.max_lod,
        flags=flag_names(SAMPLER_FLAGS, given.flags or 0),
    )
