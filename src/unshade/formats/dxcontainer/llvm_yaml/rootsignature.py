"""RTS0 in the YAML of LLVM 21 and later; LLVM 19 prints only its size.

    RootSignature:
      Version:           2
      NumRootParameters: 1
      NumStaticSamplers: 0
      Parameters:
        - ParameterType:    CBV
          ShaderVisibility: All
          Descriptor:
            RegisterSpace:  0
            ShaderRegister: 0
            DATA_STATIC:    true
      AllowInputAssemblerInputLayout: true

The mapping is read, not printed. Offsets in the text are ignored, as LLVM does: the parts follow
each other.

Source: LLVM, DXContainerYAML.cpp, DXContainerYAML.h (defaults), DXContainerConstants.def.
"""

from collections.abc import Mapping
from typing import Any

from ....vocab.d3d12 import ComparisonFunction
from ....vocab.rootsignature import (
    DATA_FLAGS,
    DescriptorFlag,
    RootSignatureFlag,
    StaticSamplerFlag,
)
from ....wire import write
from ..parts.rts0 import (
    BorderColor,
    Constants,
    Descriptor,
    DescriptorTable,
    Parameter,
    ParameterType,
    SamplerFilter,
    SerializedRootSignature,
    StaticSamplerDescription,
    TextureAddress,
)
from .keys import (
    ANY,
    BOOL,
    Fields,
    Listed,
    MappingKey,
    MappingReader,
    Number,
    PartForm,
    ValueForm,
)
from .names import spelled
from .records import Spelling, keys_of, record_form

__all__ = ["FORM", "part_data"]

# What a static sampler is without these keys.
DEFAULTS = {
    "filter": SamplerFilter.ANISOTROPIC,
    "address_u": TextureAddress.WRAP,
    "address_v": TextureAddress.WRAP,
    "address_w": TextureAddress.WRAP,
    "mip_lod_bias": 0.0,
    "max_anisotropy": 16,
    "comparison": ComparisonFunction.LESS_EQUAL,
    "border_color": BorderColor.OPAQUE_WHITE,
    "min_lod": 0.0,
    "max_lod": 3.4028234663852886e38,
}


def _flags(bits: Mapping[str, int]) -> tuple[MappingKey, ...]:
    """Return an optional key for each flag."""
    return tuple(
        MappingKey(name, BOOL, "flags", optional=True, shift=bit.bit_length() - 1, width=1)
        for name, bit in bits.items()
    )


def _parameter(node: Any, path: str) -> Parameter:
    reader = MappingReader(node, path)
    head = reader.values(*PARAMETER)
    name, form = PAYLOADS[head["kind"]]
    inner = reader.values(MappingKey(name, ANY, "payload"))["payload"]
    reader.finish()
    return Parameter(**head, payload=form.read(inner, f"{path}.{name}"))


PARAMETERS = Listed(ValueForm(_parameter, ANY.show))
SPELLING: Spelling = {
    "parameter_count": "NumRootParameters @RootParametersOffset",
    "sampler_count": "NumStaticSamplers @StaticSamplersOffset",
    "range_count": "NumRanges @RangesOffset",
    "parameters": (MappingKey("Parameters", PARAMETERS, "parameters"),),
    "register": "ShaderRegister",
    "space": "RegisterSpace",
    "visibility": "ShaderVisibility",
    "comparison": "ComparisonFunc",
    "Parameter.kind": "ParameterType",
    "Constants.count": "Num32BitValues",
    "Descriptor.flags": _flags({each.name: each for each in DATA_FLAGS}),
    "DescriptorRange.kind": "RangeType",
    "DescriptorRange.count": (MappingKey("NumDescriptors", Number(32, signed=True), "count"),),
    "DescriptorRange.flags": _flags(DescriptorFlag.__members__),
    "base_register": "BaseShaderRegister",
    "table_offset": "OffsetInDescriptorsFromTableStart",
    "StaticSamplerDescription.flags": _flags(
        {f"SAMPLER_FLAG_{each.name}": each for each in StaticSamplerFlag}
    ),
    "SerializedRootSignature.flags": _flags(
        {spelled(each.name): each for each in RootSignatureFlag}
    ),
}
PARAMETER = keys_of(Parameter, SPELLING, ("kind", "visibility"))
DESCRIPTOR = "Descriptor", record_form(Descriptor, SPELLING)
PAYLOADS = {
    ParameterType.DESCRIPTOR_TABLE: ("Table", record_form(DescriptorTable, SPELLING)),
    ParameterType.CONSTANTS_32BIT: ("Constants", record_form(Constants, SPELLING)),
    **dict.fromkeys((ParameterType.CBV, ParameterType.SRV, ParameterType.UAV), DESCRIPTOR),
}
KEYS_OF_SAMPLER = (
    key._replace(optional=key.optional or key.attribute in DEFAULTS)
    for key in keys_of(StaticSamplerDescription, SPELLING)
)
SAMPLER = Fields(
    *KEYS_OF_SAMPLER, make=lambda **given: StaticSamplerDescription(**DEFAULTS | given)
)
ROOT = record_form(
    SerializedRootSignature,
    {**SPELLING, "samplers": (MappingKey("Samplers", Listed(SAMPLER), "samplers", optional=True),)},
)


def part_data(node: Any, path: str) -> bytes:
    """Return the data of RTS0."""
    return write(ROOT.read(node, path))


FORM = PartForm(lambda node, path, _: part_data(node, path))
