"""RTS0: a serialized root signature.

    +0 u32 version (1 = 1.0, 2 = 1.1, 3 = 1.2)   +4 u32 parameter count   +8 u32 parameters (24)
    +12 u32 static sampler count                 +16 u32 static samplers  +20 u32 flags

Source: DXC DxilRootSignature.h for 1.0 and 1.1, vkd3d-proton's tests and LLVM for 1.2; checked on
files.
"""

from ....enums import IntEnum
from ....vocab.d3d12 import ComparisonFunction
from ....vocab.rootsignature import (
    DATA_FLAGS,
    DescriptorFlag,
    RootSignatureFlag,
    StaticSamplerFlag,
    flag_list,
)
from ....wire import Array, Nested, Record, TaggedUnion, derived, f32, field, pointer, u32
from .description import Category, LlvmForm, PartDescription
from .kind import RecordKind


class Visibility(IntEnum):
    """D3D12_SHADER_VISIBILITY."""

    ALL = 0
    VERTEX = 1
    HULL = 2
    DOMAIN = 3
    GEOMETRY = 4
    PIXEL = 5
    AMPLIFICATION = 6
    MESH = 7


class ParameterType(IntEnum):
    """D3D12_ROOT_PARAMETER_TYPE."""

    DESCRIPTOR_TABLE = 0
    CONSTANTS_32BIT = 1
    CBV = 2
    SRV = 3
    UAV = 4


class RangeType(IntEnum):
    """D3D12_DESCRIPTOR_RANGE_TYPE."""

    SRV = 0
    UAV = 1
    CBV = 2
    SAMPLER = 3


class SamplerFilter(IntEnum):
    """D3D12_FILTER."""

    MIN_MAG_MIP_POINT = 0x000
    MIN_MAG_POINT_MIP_LINEAR = 0x001
    MIN_POINT_MAG_LINEAR_MIP_POINT = 0x004
    MIN_POINT_MAG_MIP_LINEAR = 0x005
    MIN_LINEAR_MAG_MIP_POINT = 0x010
    MIN_LINEAR_MAG_POINT_MIP_LINEAR = 0x011
    MIN_MAG_LINEAR_MIP_POINT = 0x014
    MIN_MAG_MIP_LINEAR = 0x015
    MIN_MAG_ANISOTROPIC_MIP_POINT = 0x054
    ANISOTROPIC = 0x055
    COMPARISON_MIN_MAG_MIP_POINT = 0x080
    COMPARISON_MIN_MAG_POINT_MIP_LINEAR = 0x081
    COMPARISON_MIN_POINT_MAG_LINEAR_MIP_POINT = 0x084
    COMPARISON_MIN_POINT_MAG_MIP_LINEAR = 0x085
    COMPARISON_MIN_LINEAR_MAG_MIP_POINT = 0x090
    COMPARISON_MIN_LINEAR_MAG_POINT_MIP_LINEAR = 0x091
    COMPARISON_MIN_MAG_LINEAR_MIP_POINT = 0x094
    COMPARISON_MIN_MAG_MIP_LINEAR = 0x095
    COMPARISON_MIN_MAG_ANISOTROPIC_MIP_POINT = 0x0D4
    COMPARISON_ANISOTROPIC = 0x0D5
    MINIMUM_MIN_MAG_MIP_POINT = 0x100
    MINIMUM_MIN_MAG_POINT_MIP_LINEAR = 0x101
    MINIMUM_MIN_POINT_MAG_LINEAR_MIP_POINT = 0x104
    MINIMUM_MIN_POINT_MAG_MIP_LINEAR = 0x105
    MINIMUM_MIN_LINEAR_MAG_MIP_POINT = 0x110
    MINIMUM_MIN_LINEAR_MAG_POINT_MIP_LINEAR = 0x111
    MINIMUM_MIN_MAG_LINEAR_MIP_POINT = 0x114
    MINIMUM_MIN_MAG_MIP_LINEAR = 0x115
    MINIMUM_MIN_MAG_ANISOTROPIC_MIP_POINT = 0x154
    MINIMUM_ANISOTROPIC = 0x155
    MAXIMUM_MIN_MAG_MIP_POINT = 0x180
    MAXIMUM_MIN_MAG_POINT_MIP_LINEAR = 0x181
    MAXIMUM_MIN_POINT_MAG_LINEAR_MIP_POINT = 0x184
    MAXIMUM_MIN_POINT_MAG_MIP_LINEAR = 0x185
    MAXIMUM_MIN_LINEAR_MAG_MIP_POINT = 0x190
    MAXIMUM_MIN_LINEAR_MAG_POINT_MIP_LINEAR = 0x191
    MAXIMUM_MIN_MAG_LINEAR_MIP_POINT = 0x194
    MAXIMUM_MIN_MAG_MIP_LINEAR = 0x195
    MAXIMUM_MIN_MAG_ANISOTROPIC_MIP_POINT = 0x1D4
    MAXIMUM_ANISOTROPIC = 0x1D5


class TextureAddress(IntEnum):
    """D3D12_TEXTURE_ADDRESS_MODE."""

    WRAP = 1
    MIRROR = 2
    CLAMP = 3
    BORDER = 4
    MIRROR_ONCE = 5


class BorderColor(IntEnum):
    """D3D12_STATIC_BORDER_COLOR."""

    TRANSPARENT_BLACK = 0
    OPAQUE_BLACK = 1
    OPAQUE_WHITE = 2
    OPAQUE_BLACK_UINT = 3
    OPAQUE_WHITE_UINT = 4


class DescriptorRange(Record, params=("version",)):
    """A range of descriptors in a descriptor table."""

    kind: u32 = field("kind of the descriptors", enum=RangeType)
    count: u32 = field("number of descriptors; 0xFFFFFFFF: unbounded")
    base_register: u32 = field("first register")
    space: u32 = field("register space")
    flags: u32 = field(
        flag_list(DescriptorFlag),
        default=0,
        when="version >= 2",
    )
    table_offset: u32 = field(
        "offset from the start of the table, in descriptors; 0xFFFFFFFF: follows the range before"
    )


class DescriptorTable(Record, params=("version",)):
    """The payload of a descriptor table."""

    range_count: u32 | None = derived("number of ranges", "len(ranges)")
    ranges: list[DescriptorRange] = pointer(
        "ranges", Array(Nested(DescriptorRange, version="version"), count="range_count")
    )


class Constants(Record):
    """The payload of a root parameter that holds 32-bit constants."""

    register: u32 = field("number of the b register")
    space: u32 = field("register space")
    count: u32 = field("number of 32-bit values")


class Descriptor(Record, params=("version",)):
    """The payload of a root descriptor (CBV, SRV or UAV)."""

    register: u32 = field("register number")
    space: u32 = field("register space")
    flags: u32 = field(flag_list(DATA_FLAGS), default=0, when="version >= 2")


class Parameter(Record, params=("version",)):
    """A root parameter."""

    kind: u32 = field("type of the parameter", enum=ParameterType)
    visibility: u32 = field("stages that can access it", enum=Visibility)
    payload: DescriptorTable | Constants | Descriptor = pointer(
        "table, constants or descriptor",
        TaggedUnion(
            "kind",
            {
                0: Nested(DescriptorTable, version="version"),
                1: Nested(Constants),
                2: Nested(Descriptor, version="version"),
                3: Nested(Descriptor, version="version"),
                4: Nested(Descriptor, version="version"),
            },
        ),
    )


class StaticSamplerDescription(Record, params=("version",)):
    """A sampler that is part of the root signature."""

    filter: u32 = field("filter", enum=SamplerFilter)
    address_u: u32 = field("address mode in u", enum=TextureAddress)
    address_v: u32 = field("address mode in v", enum=TextureAddress)
    address_w: u32 = field("address mode in w", enum=TextureAddress)
    mip_lod_bias: f32 = field("bias added to the level of detail")
    max_anisotropy: u32 = field("maximum anisotropy, 1 to 16")
    comparison: u32 = field("comparison function", enum=ComparisonFunction)
    border_color: u32 = field("border colour", enum=BorderColor)
    min_lod: f32 = field("minimum level of detail")
    max_lod: f32 = field("maximum level of detail")
    register: u32 = field("number of the s register")
    space: u32 = field("register space")
    visibility: u32 = field("stages that can access it", enum=Visibility)
    flags: u32 = field(flag_list(StaticSamplerFlag), default=0, when="version >= 3")


class SerializedRootSignature(Record, source="DXC DxilRootSignature.h"):
    """The RTS0 part."""

    version: u32 = field("version: 1 = 1.0, 2 = 1.1, 3 = 1.2")
    parameter_count: u32 | None = derived("number of parameters", "len(parameters)")
    parameters: list[Parameter] = pointer(
        "root parameters", Array(Nested(Parameter, version="version"), count="parameter_count")
    )
    sampler_count: u32 | None = derived("number of static samplers", "len(samplers)")
    samplers: list[StaticSamplerDescription] = pointer(
        "static samplers",
        Array(Nested(StaticSamplerDescription, version="version"), count="sampler_count"),
    )
    flags: u32 = field(flag_list(RootSignatureFlag))


PARTS = {
    "RTS0": PartDescription(
        "root signature",
        Category.INTERFACE,
        RecordKind(SerializedRootSignature),
        loss="the root signature: the application must supply one",
        llvm=LlvmForm("RootSignature", "rootsignature:FORM"),
    )
}
