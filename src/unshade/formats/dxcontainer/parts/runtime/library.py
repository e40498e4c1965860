"""Functions and resources of a library.

Source: DXC RDAT_LibraryTypes.inl.
"""

from .....enums import IntEnum
from .....vocab.d3d import ShaderKind
from .....vocab.dxil import DxilResourceKind
from .....wire import Record, field, rest, u8, u16, u32
from .references import NONE, numbers_of, text_of, texts_of


class RdatResourceClass(IntEnum):
    """DXIL::ResourceClass."""

    SRV = 0
    UAV = 1
    CBUFFER = 2
    SAMPLER = 3


class RdatResource(Record):
    """A resource of the library. 32 bytes."""

    resource_class: u32 = field("class", enum=RdatResourceClass)
    kind: u32 = field("shape", enum=DxilResourceKind)
    id: u32 = field("number in its class")
    space: u32 = field("register space")
    lower_bound: u32 = field("first register")
    upper_bound: u32 = field("last register; 0xFFFFFFFF: unbounded")
    name: str | None = text_of("name")
    flags: u32 = field(
        "1: globally coherent, 2: with a counter, 4: rasterizer ordered, 8: dynamically indexed,"
        " 16: used by 64-bit atomics"
    )
    later: bytes = rest()


class RdatFunction(Record, params=("extended",)):
    """A function of the library. 44 bytes, from validator version 1.8 on 52."""

    name: str | None = text_of("mangled name")
    unmangled_name: str | None = text_of("name in the source")
    resources: list[int] = numbers_of("indices of the resources that it uses")
    dependencies: list[str] = texts_of("names of functions that it calls from elsewhere")
    shader_kind: u32 = field("stage; LIBRARY for a function", enum=ShaderKind)
    payload_size: u32 = field("size of the payload, or of the parameter of a callable shader")
    attribute_size: u32 = field("size of the attributes of a hit shader")
    features: u32 = field("required features, bits 0 to 31 of SFI0")
    features_high: u32 = field(
        "features, bits 32 to 63 of SFI0; 0x100: uses derivatives, 0x200: requires a group"
    )
    stages: u32 = field("stages that may use it, one bit each, by the numbers of the stages")
    min_target: u32 = field("minimum target: u8 minor, u8 major, u16 stage")
    min_wave_lanes: u8 = field("minimum lanes of a wave; 0: any", default=0, when="extended")
    max_wave_lanes: u8 = field("maximum lanes of a wave; 0: any", default=0, when="extended")
    shader_flags: u16 = field(
        "1: entry point of a work graph, 2: has an output position, 4: writes the depth, 8: runs"
        " per sample, 16: uses SV_ViewID",
        default=0,
        when="extended",
    )
    shader_info: u32 = field(
        "index in the table of the stage; 0xFFFFFFFF: none", default=NONE, when="extended"
    )
    later: bytes = rest()
