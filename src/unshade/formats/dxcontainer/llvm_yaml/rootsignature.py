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
from enum import IntEnum
from typing import Any

from ....errors import FormatError
from ....vocab.rootsignature import (
    DATA_FLAGS,
    DescriptorFlag,
    RootSignatureFlag,
    StaticSamplerFlag,
)
from ....wire import write
from ....wire.floats import f32_to_bits
from ..parts.rts0 import (
    BorderColor,
    ComparisonFunction,
    Constants,
    Descriptor,
    DescriptorRange,
    DescriptorTable,
    Parameter,
    ParameterType,
    RangeType,
    SamplerFilter,
    SerializedRootSignature,
    StaticSamplerDescription,
    TextureAddress,
    Visibility,
)
from .keys import (
    ANY,
    BOOL,
    U32,
    MappingKey,
    MappingReader,
    Names,
    Number,
    PartForm,
    ValueForm,
    elements,
)

__all__ = ["part_data"]

ACRONYMS = ("CBV", "SRV", "UAV")
SAMPLER_PREFIX = "SAMPLER_FLAG_"
LARGEST = 3.4028234663852886e38
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
    "max_lod": LARGEST,
}


def _camel(kind: type[IntEnum]) -> ValueForm:
    """Return the form of an enumeration that has names such as MinMagMipPoint."""
    return Names({each.value: each.name.title().replace("_", "") for each in kind})


def _read_float(node: Any, path: str) -> float:
    try:
        value = float(node)
        f32_to_bits(value)
    except (TypeError, ValueError, OverflowError):
        raise FormatError(f"expected a number, got {node!r:.40}", path=path) from None
    return value


FLOAT = ValueForm(_read_float, lambda value, path: repr(value))
ADDRESS = _camel(TextureAddress)
VISIBILITY = _camel(Visibility)
BINDING = (MappingKey("RegisterSpace", U32, "space"), MappingKey("ShaderRegister", U32, "register"))
HEAD = (
    MappingKey("Version", U32, "version"),
    MappingKey("NumRootParameters", U32, "parameter_count"),
    MappingKey("RootParametersOffset", U32, "parameters_at", optional=True),
    MappingKey("NumStaticSamplers", U32, "sampler_count"),
    MappingKey("StaticSamplersOffset", U32, "samplers_at", optional=True),
)
LISTS = (
    MappingKey("Parameters", ANY, "parameters"),
    MappingKey("Samplers", ANY, "samplers", optional=True),
)
PARAMETER = (
    MappingKey(
        "ParameterType",
        Names({0: "DescriptorTable", 1: "Constants32Bit", 2: "CBV", 3: "SRV", 4: "UAV"}),
        "kind",
    ),
    MappingKey("ShaderVisibility", VISIBILITY, "visibility"),
)
TABLE = (
    MappingKey("NumRanges", U32, "range_count"),
    MappingKey("RangesOffset", U32, "ranges_at", optional=True),
    MappingKey("Ranges", ANY, "ranges"),
)
RANGE_KINDS: dict[int, str] = {
    RangeType.SRV: "SRV",
    RangeType.UAV: "UAV",
    RangeType.CBV: "CBuffer",
    RangeType.SAMPLER: "Sampler",
}
RANGE = (
    MappingKey("RangeType", Names(RANGE_KINDS), "kind"),
    MappingKey("NumDescriptors", Number(32, signed=True), "count"),
    MappingKey("BaseShaderRegister", U32, "base_register"),
    MappingKey("RegisterSpace", U32, "space"),
    MappingKey("OffsetInDescriptorsFromTableStart", U32, "table_offset"),
)
SAMPLER = (
    MappingKey("Filter", _camel(SamplerFilter), "filter", optional=True),
    MappingKey("AddressU", ADDRESS, "address_u", optional=True),
    MappingKey("AddressV", ADDRESS, "address_v", optional=True),
    MappingKey("AddressW", ADDRESS, "address_w", optional=True),
    MappingKey("MipLODBias", FLOAT, "mip_lod_bias", optional=True),
    MappingKey("MaxAnisotropy", U32, "max_anisotropy", optional=True),
    MappingKey("ComparisonFunc", _camel(ComparisonFunction), "comparison", optional=True),
    MappingKey("BorderColor", _camel(BorderColor), "border_color", optional=True),
    MappingKey("MinLOD", FLOAT, "min_lod", optional=True),
    MappingKey("MaxLOD", FLOAT, "max_lod", optional=True),
    *BINDING,
    MappingKey("ShaderVisibility", VISIBILITY, "visibility"),
)


def part_data(node: Any, path: str) -> bytes:
    """Return the data of RTS0."""
    reader = MappingReader(node, path)
    head, lists = reader.values(*HEAD), reader.values(*LISTS)
    flags = _flags(reader, {_camel_case(each.name): each for each in RootSignatureFlag})
    reader.finish()
    parameters = elements(lists["parameters"], f"{path}.Parameters")
    samplers = elements(lists.get("samplers", []), f"{path}.Samplers")
    counts = (
        ("NumRootParameters", head["parameter_count"], parameters),
        ("NumStaticSamplers", head["sampler_count"], samplers),
    )
    for name, count, listed in counts:
        if count != len(listed):
            raise FormatError(f"expected {len(listed)}, got {count}", path=f"{path}.{name}")
    made = SerializedRootSignature(
        version=head["version"],
        parameters=[_parameter(x, f"{path}.Parameters[{i}]") for i, x in enumerate(parameters)],
        samplers=[_sampler(x, f"{path}.Samplers[{i}]") for i, x in enumerate(samplers)],
        flags=flags,
    )
    return write(made)


def _camel_case(name: str) -> str:
    return "".join(each if each in ACRONYMS else each.capitalize() for each in name.split("_"))


def _flags(reader: MappingReader, bits: Mapping[str, int]) -> int:
    found = reader.values(*(MappingKey(name, BOOL, name, optional=True) for name in bits))
    return sum(bits[name] for name, value in found.items() if value)


def _parameter(node: Any, path: str) -> Parameter:
    reader = MappingReader(node, path)
    head = reader.values(*PARAMETER)
    kind = head["kind"]
    key = {ParameterType.DESCRIPTOR_TABLE: "Table", ParameterType.CONSTANTS_32BIT: "Constants"}
    name = key.get(kind, "Descriptor")
    inner = reader.values(MappingKey(name, ANY, "payload"))["payload"]
    reader.finish()
    contents = MappingReader(inner, f"{path}.{name}")
    payload: DescriptorTable | Constants | Descriptor
    if kind == ParameterType.DESCRIPTOR_TABLE:
        payload = _table(contents)
    elif kind == ParameterType.CONSTANTS_32BIT:
        payload = Constants(**contents.values(*BINDING, MappingKey("Num32BitValues", U32, "count")))
    else:
        flags = _flags(contents, {each.name: each for each in DATA_FLAGS})
        payload = Descriptor(**contents.values(*BINDING), flags=flags)
    contents.finish()
    return Parameter(**head, payload=payload)


def _table(contents: MappingReader) -> DescriptorTable:
    found = contents.values(*TABLE)
    nodes = elements(found["ranges"], f"{contents.path}.Ranges")
    if found["range_count"] != len(nodes):
        problem = f"expected {len(nodes)}, got {found['range_count']}"
        raise FormatError(problem, path=f"{contents.path}.NumRanges")
    ranges = []
    for i, each in enumerate(nodes):
        reader = MappingReader(each, f"{contents.path}.Ranges[{i}]")
        values = reader.values(*RANGE)
        ranges.append(DescriptorRange(**values, flags=_flags(reader, DescriptorFlag.__members__)))
        reader.finish()
    return DescriptorTable(ranges=ranges)


def _sampler(node: Any, path: str) -> StaticSamplerDescription:
    reader = MappingReader(node, path)
    values = DEFAULTS | reader.values(*SAMPLER)
    bits = {SAMPLER_PREFIX + each.name: each for each in StaticSamplerFlag}
    made = StaticSamplerDescription(**values, flags=_flags(reader, bits))
    reader.finish()
    return made


FORM = PartForm(lambda node, path, _: part_data(node, path))
