"""Flags of Direct3D 12 root signatures.

    RootSignatureFlag     D3D12_ROOT_SIGNATURE_FLAGS
    DescriptorFlag        D3D12_DESCRIPTOR_RANGE_FLAGS
    DATA_FLAGS            flags of D3D12_ROOT_DESCRIPTOR_FLAGS
    StaticSamplerFlag     D3D12_SAMPLER_FLAGS

The text language of HLSL has these names, the model the same in lower case. Source: d3d12.h, whose
prefixes (`D3D12_ROOT_SIGNATURE_FLAG_`, …) are left out.
"""

from collections.abc import Iterable

from ..enums import IntEnum

__all__ = [
    "DATA_FLAGS",
    "DescriptorFlag",
    "RootSignatureFlag",
    "StaticSamplerFlag",
    "flag_list",
    "flag_word",
    "flag_words",
]


class RootSignatureFlag(IntEnum):
    """D3D12_ROOT_SIGNATURE_FLAGS."""

    ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT = 0x001
    DENY_VERTEX_SHADER_ROOT_ACCESS = 0x002
    DENY_HULL_SHADER_ROOT_ACCESS = 0x004
    DENY_DOMAIN_SHADER_ROOT_ACCESS = 0x008
    DENY_GEOMETRY_SHADER_ROOT_ACCESS = 0x010
    DENY_PIXEL_SHADER_ROOT_ACCESS = 0x020
    ALLOW_STREAM_OUTPUT = 0x040
    LOCAL_ROOT_SIGNATURE = 0x080
    DENY_AMPLIFICATION_SHADER_ROOT_ACCESS = 0x100
    DENY_MESH_SHADER_ROOT_ACCESS = 0x200
    CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED = 0x400
    SAMPLER_HEAP_DIRECTLY_INDEXED = 0x800


class DescriptorFlag(IntEnum):
    """D3D12_DESCRIPTOR_RANGE_FLAGS."""

    DESCRIPTORS_VOLATILE = 0x1
    DATA_VOLATILE = 0x2
    DATA_STATIC_WHILE_SET_AT_EXECUTE = 0x4
    DATA_STATIC = 0x8
    DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS = 0x1_0000


class StaticSamplerFlag(IntEnum):
    """D3D12_SAMPLER_FLAGS."""

    UINT_BORDER_COLOR = 0x1
    NON_NORMALIZED_COORDINATES = 0x2


DATA_FLAGS = (
    DescriptorFlag.DATA_VOLATILE,
    DescriptorFlag.DATA_STATIC_WHILE_SET_AT_EXECUTE,
    DescriptorFlag.DATA_STATIC,
)


def flag_word(flag: IntEnum) -> str:
    """Return the name of a flag in the model: `data_static`."""
    return flag.name.lower()


def flag_words(flags: Iterable[IntEnum]) -> tuple[tuple[int, str], ...]:
    """Return bits and words, for `vocab.numbers.flag_names`."""
    return tuple((each.value, flag_word(each)) for each in flags)


def flag_list(flags: Iterable[IntEnum]) -> str:
    """Return bits and names as a line of documentation: `0x1: DATA_STATIC, …`."""
    return ", ".join(f"{each:#x}: {each.name}" for each in flags)
