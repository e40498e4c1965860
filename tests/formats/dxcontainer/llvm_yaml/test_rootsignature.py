"""RTS0 in the YAML of later versions of LLVM."""

from typing import Any

import pytest
import yaml

import unshade
from unshade import FormatError
from unshade.formats.dxcontainer.llvm_yaml.rootsignature import part_data
from unshade.formats.dxcontainer.parts import kind_of
from unshade.formats.dxcontainer.parts.rts0 import RangeType, SamplerFilter, TextureAddress

TEXT = """
Version: 2
NumRootParameters: 3
RootParametersOffset: 24
NumStaticSamplers: 1
Parameters:
  - { ParameterType: Constants32Bit, ShaderVisibility: Hull,
      Constants: { Num32BitValues: 16, ShaderRegister: 15, RegisterSpace: 14 } }
  - { ParameterType: SRV, ShaderVisibility: All,
      Descriptor: { ShaderRegister: 1, RegisterSpace: 2, DATA_STATIC: true } }
  - ParameterType: DescriptorTable
    ShaderVisibility: Pixel
    Table:
      NumRanges: 1
      Ranges:
        - { RangeType: CBuffer, NumDescriptors: -1, BaseShaderRegister: 3, RegisterSpace: 4,
            OffsetInDescriptorsFromTableStart: 5, DESCRIPTORS_VOLATILE: true }
Samplers:
  - { ShaderRegister: 7, RegisterSpace: 0, ShaderVisibility: All, MaxLOD: 2.5,
      Filter: MinMagPointMipLinear }
AllowInputAssemblerInputLayout: true
DenyMeshShaderRootAccess: true
"""


def node() -> Any:
    return yaml.load(TEXT, Loader=yaml.BaseLoader)


def read(data: bytes) -> Any:
    kind = kind_of("RTS0")
    assert kind is not None
    return kind.read("RTS0", data, unshade.Limits())


def test_everything() -> None:
    found = read(part_data(node(), "RootSignature"))
    assert (found.version, found.flags) == (2, 0x201)
    constants, descriptor, table = found.parameters
    assert (constants.visibility, constants.payload.count, constants.payload.space) == (2, 16, 14)
    assert (descriptor.kind, descriptor.payload.register, descriptor.payload.flags) == (3, 1, 8)
    (each,) = table.payload.ranges
    assert (each.kind, each.count, each.flags) == (RangeType.CBV, 0xFFFF_FFFF, 1)
    (sampler,) = found.samplers
    assert sampler.filter == SamplerFilter.MIN_MAG_POINT_MIP_LINEAR
    assert (sampler.address_u, sampler.max_anisotropy) == (TextureAddress.WRAP, 16)
    assert sampler.max_lod == 2.5


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("NumRootParameters", "2", "expected 3, got 2"),
        ("NumStaticSamplers", "9", "expected 1, got 9"),
        ("Parameters", "x", "expected a sequence"),
        ("Parameters", ["x"] * 3, "expected a mapping"),
        ("AllowStreamOutput", "1", "expected true or false"),
        ("Samplers", [{"MaxLOD": "x"}], "expected a number"),
    ],
)
def test_malformed(key: str, value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        part_data(node() | {key: value}, "RootSignature")
