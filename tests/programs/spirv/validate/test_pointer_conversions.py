"""Conversions of pointers to numbers and back, and casts from and to Generic."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import FINE, differing

TYPES = """{types} %float3 = OpTypeVector %float 3
    %to_uint = OpTypePointer CLASS %uint
    %to_float = OpTypePointer CLASS %float
    %private = OpTypePointer Private %uint
    %v = OpVariable %private Private
    %u2 = OpConstantNull %uint2
    %f2 = OpConstantNull %float2
    %f3 = OpConstantNull %float3
    """
PHYSICAL = """OpCapability Shader
    OpCapability Linkage
    OpCapability Int64
    OpCapability PhysicalStorageBufferAddresses
    OpMemoryModel PhysicalStorageBuffer64 GLSL450
    """ + TYPES.replace("CLASS", "PhysicalStorageBuffer")
LONG = "%long = OpTypeInt 64 0\n%long1 = OpConstant %long 64"
LOCAL = "%p = OpConvertUToPtr %to_uint %long1"


def test_pointers_of_physical_storage_are_numbers() -> None:
    rows = [
        ("%x{} = OpConvertUToPtr %to_uint %long1", FINE),
        ("%x{} = OpConvertUToPtr %private %long1", "expected a pointer to physical storage"),
        ("%x{} = OpConvertUToPtr %to_uint %fone", "expected a scalar of uint"),
        ("%x{} = OpConvertPtrToU %long %p", FINE),
        ("%x{} = OpConvertPtrToU %float %p", "expected a scalar of uint"),
        ("%x{} = OpConvertPtrToU %long %v", "expected a pointer to physical storage"),
        ("%x{} = OpConvertPtrToU %long %one", "expected a pointer"),
        ("%x{} = OpBitcast %to_float %p", FINE),
        ("%x{} = OpBitcast %to_uint %long1", FINE),
        ("%x{} = OpBitcast %long %p", FINE),
        ("%x{} = OpBitcast %uint2 %p", FINE),
        ("%x{} = OpBitcast %to_uint %u2", FINE),
        ("%x{} = OpBitcast %float2 %p", "expected ints for a pointer"),
        ("%x{} = OpBitcast %to_uint %f2", "expected ints for a pointer"),
    ]
    assert differing(PHYSICAL + LONG, rows, local=LOCAL) == []


def test_casts_from_and_to_generic() -> None:
    head = """OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        OpCapability GenericPointer
        OpMemoryModel Physical32 OpenCL
        {types} %generic = OpTypePointer Generic %uint
        %generic_float = OpTypePointer Generic %float
        %workgroup = OpTypePointer Workgroup %uint
        %global = OpTypePointer CrossWorkgroup %uint
        %constant = OpTypePointer UniformConstant %uint
        %local = OpTypePointer Function %uint
        %w = OpUndef %workgroup
        %c = OpUndef %global
        %k = OpUndef %constant
        %g = OpUndef %generic
        """
    sides = "expected Generic, and Workgroup, CrossWorkgroup or Function"
    rows = [
        ("%x{} = OpPtrCastToGeneric %generic %w", FINE),
        ("%x{} = OpPtrCastToGeneric %generic %c", FINE),
        ("%x{} = OpPtrCastToGeneric %generic %k", sides),
        ("%x{} = OpPtrCastToGeneric %global %w", sides),
        ("%x{} = OpPtrCastToGeneric %generic_float %w", "expected the same pointee"),
        ("%x{} = OpPtrCastToGeneric %generic %one", "expected pointers"),
        ("%x{} = OpGenericCastToPtr %workgroup %g", FINE),
        ("%x{} = OpGenericCastToPtr %local %g", FINE),
        ("%x{} = OpGenericCastToPtr %constant %g", sides),
        ("%x{} = OpGenericCastToPtr %global %w", sides),
        ("%x{} = OpGenericCastToPtr %uint %g", "expected pointers"),
        ("%x{} = OpGenericCastToPtrExplicit %workgroup %g Workgroup", FINE),
        ("%x{} = OpGenericCastToPtrExplicit %workgroup %g CrossWorkgroup",
         "expected the storage class of the result"),
    ]  # fmt: skip
    assert differing(head, rows) == []
