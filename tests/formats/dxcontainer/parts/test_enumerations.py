"""Enumerations of parts, as d3d12.h and the headers of DirectXShaderCompiler list them."""

import struct
from enum import IntEnum

import pytest

from tests.enumerators import enumerators, members
from unshade.formats.dxcontainer.parts import level9, psv0, rdat, rdef, rts0, sdbg, srci
from unshade.formats.dxcontainer.parts.runtime import library, nodes, subobjects
from unshade.vocab import d3d12
from unshade.wire import write

pytestmark = pytest.mark.fast

# The lowest seven bits of D3D12_FILTER: two bits each for the mip, magnification and minification
# filters, and one for anisotropy.
FILTERS = """
    MIN_MAG_MIP_POINT=0x00 MIN_MAG_POINT_MIP_LINEAR MIN_POINT_MAG_LINEAR_MIP_POINT=0x04
    MIN_POINT_MAG_MIP_LINEAR MIN_LINEAR_MAG_MIP_POINT=0x10 MIN_LINEAR_MAG_POINT_MIP_LINEAR
    MIN_MAG_LINEAR_MIP_POINT=0x14 MIN_MAG_MIP_LINEAR MIN_MAG_ANISOTROPIC_MIP_POINT=0x54 ANISOTROPIC
"""
REDUCTIONS = {"": 0, "COMPARISON_": 0x80, "MINIMUM_": 0x100, "MAXIMUM_": 0x180}


def test_filters() -> None:
    assert members(rts0.SamplerFilter) == {
        prefix + name: number | bits
        for prefix, bits in REDUCTIONS.items()
        for name, number in enumerators(FILTERS).items()
    }


ENUMERATIONS: tuple[tuple[type[IntEnum], str], ...] = (
    # d3d12.h
    (rts0.Visibility, "ALL VERTEX HULL DOMAIN GEOMETRY PIXEL AMPLIFICATION MESH"),
    (rts0.ParameterType, "DESCRIPTOR_TABLE CONSTANTS_32BIT CBV SRV UAV"),
    (rts0.RangeType, "SRV UAV CBV SAMPLER"),
    (rts0.TextureAddress, "WRAP=1 MIRROR CLAMP BORDER MIRROR_ONCE"),
    (d3d12.ComparisonFunction,
     "NONE NEVER LESS EQUAL LESS_EQUAL GREATER NOT_EQUAL GREATER_EQUAL ALWAYS"),
    (rts0.BorderColor,
     "TRANSPARENT_BLACK OPAQUE_BLACK OPAQUE_WHITE OPAQUE_BLACK_UINT OPAQUE_WHITE_UINT"),
    # DxilRuntimeReflection.h
    (rdat.RdatTableType,
     "STRINGS=1 INDEX_ARRAYS RESOURCES FUNCTIONS RAW_BYTES SUBOBJECTS NODE_IDS NODE_IO_ATTRIBUTES "
     "NODE_FUNCTION_ATTRIBUTES IO_NODES NODE_SHADERS SIGNATURE_ELEMENTS=13 VERTEX_SHADERS "
     "PIXEL_SHADERS HULL_SHADERS DOMAIN_SHADERS GEOMETRY_SHADERS COMPUTE_SHADERS MESH_SHADERS "
     "AMPLIFICATION_SHADERS PDB_INFO=0x10001 SUB_PDB_INFO"),
    # DxilConstants.h
    (library.RdatResourceClass, "SRV UAV CBUFFER SAMPLER"),
    (subobjects.SubobjectKind,
     "STATE_OBJECT_CONFIG GLOBAL_ROOT_SIGNATURE LOCAL_ROOT_SIGNATURE "
     "SUBOBJECT_TO_EXPORTS_ASSOCIATION=8 RAYTRACING_SHADER_CONFIG RAYTRACING_PIPELINE_CONFIG "
     "HIT_GROUP RAYTRACING_PIPELINE_CONFIG_1"),
    (subobjects.HitGroupType, "TRIANGLE PROCEDURAL_PRIMITIVE"),
    # RDAT_LibraryTypes.inl
    (nodes.NodeFunctionAttributeKind,
     "NONE ID NUM_THREADS SHARE_INPUT_OF DISPATCH_GRID MAX_RECURSION_DEPTH "
     "LOCAL_ROOT_ARGUMENTS_TABLE_INDEX MAX_DISPATCH_GRID"),
    (nodes.NodeIoAttributeKind,
     "NONE OUTPUT_ID MAX_RECORDS MAX_RECORDS_SHARED_WITH RECORD_SIZE_IN_BYTES "
     "RECORD_DISPATCH_GRID OUTPUT_ARRAY_SIZE ALLOW_SPARSE_NODES RECORD_ALIGNMENT_IN_BYTES "
     "MAX_RECORDS_PER_NODE"),
    # DxilPipelineStateValidation.h
    (psv0.PsvResourceType,
     "INVALID SAMPLER CBV SRV_TYPED SRV_RAW SRV_STRUCTURED UAV_TYPED UAV_RAW UAV_STRUCTURED "
     "UAV_STRUCTURED_WITH_COUNTER"),
    # DxilContainer.h
    (srci.SourceCompression, "NONE ZLIB"),
    (srci.SourceSectionType, "CONTENTS NAMES ARGUMENTS"),
    # files of fxc: two letters of the stage, or the version token of Direct3D 9
    (rdef.RdefTarget,
     "COMPUTE=0x4353 DOMAIN=0x4453 GEOMETRY=0x4753 HULL=0x4853 VERTEX=0xfffe PIXEL"),
    (level9.Level9Kind, "VERTEX=0xfffe PIXEL"),
    (sdbg.DebugScopeKind, "GLOBALS LOCALS STRUCTURE=3 FUNCTION"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("enumeration", "text"), ENUMERATIONS, ids=[each.__name__ for each, _ in ENUMERATIONS]
)
def test_numbers(enumeration: type[IntEnum], text: str) -> None:
    assert members(enumeration) == enumerators(text)


# Sizes of the records in RDAT_LibraryTypes.inl and RDAT_SubobjectTypes.inl, in bytes.
SIZES: dict[int, int] = {
    rdat.RdatTableType.RESOURCES: 32,
    rdat.RdatTableType.FUNCTIONS: 52,
    rdat.RdatTableType.SUBOBJECTS: 24,
    rdat.RdatTableType.NODE_IDS: 8,
    rdat.RdatTableType.NODE_IO_ATTRIBUTES: 8,
    rdat.RdatTableType.NODE_FUNCTION_ATTRIBUTES: 8,
}


@pytest.mark.parametrize("kind", SIZES)
def test_sizes_of_records(kind: int) -> None:
    """An empty table has the size of the newest record."""
    part = rdat.RuntimeData(tables=[rdat.RdatTable(type=kind)])
    words = struct.unpack("<7I", write(part))
    assert list(words) == [0x10, 1, 12, kind, 8, 0, SIZES[kind]]
