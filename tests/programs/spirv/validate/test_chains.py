"""Access chains, lengths of runtime arrays, and comparisons of pointers, by each kind of type."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import FINE, differing, reported

TYPES = """{types}
    %int = OpTypeInt 32 1
    %minus = OpConstant %int -1
    %zero_int = OpConstant %int 0
    %array = OpTypeArray %float2 %two
    %many = OpTypeRuntimeArray %uint
    %struct = OpTypeStruct %uint %array
    %open = OpTypeStruct %uint %many
    %to_struct = OpTypePointer Workgroup %struct
    %to_array = OpTypePointer Workgroup %array
    %to_float2 = OpTypePointer Workgroup %float2
    %to_float = OpTypePointer Workgroup %float
    %to_uint = OpTypePointer Workgroup %uint
    %private = OpTypePointer Private %uint
    %to_open = OpTypePointer StorageBuffer %open
    %to_buffered = OpTypePointer StorageBuffer %uint
    %s = OpVariable %to_struct Workgroup
    %u = OpVariable %to_uint Workgroup
    %o = OpVariable %to_open StorageBuffer
    %p = OpVariable %private Private
    """
LAYOUT = """OpDecorate %open Block
    OpDecorate %many ArrayStride 4
    OpMemberDecorate %open 0 Offset 0
    OpMemberDecorate %open 1 Offset 4
    """
HEAD = "{shader} " + LAYOUT + TYPES
POINTERS = HEAD.replace(
    "{shader}",
    """OpCapability Shader
    OpCapability Linkage
    OpCapability VariablePointers
    OpMemoryModel Logical GLSL450""",
)
REACHED = "expected a pointer to the type that is reached"


def test_each_index_goes_one_level_down() -> None:
    rows = [
        ("%x{} = OpAccessChain %to_struct %s", FINE),
        ("%x{} = OpAccessChain %to_uint %s %zero", FINE),
        ("%x{} = OpAccessChain %to_array %s %one", FINE),
        ("%x{} = OpAccessChain %to_float2 %s %one %zero", FINE),
        ("%x{} = OpAccessChain %to_float2 %s %one %undef", FINE),
        ("%x{} = OpInBoundsAccessChain %to_float %s %one %zero %one", FINE),
        ("%x{} = OpAccessChain %to_float2 %s %one", REACHED),
        ("%x{} = OpAccessChain %to_uint %s %one", REACHED),
        ("%x{} = OpAccessChain %to_uint %s %two", "expected an index below 2, got 2"),
        ("%x{} = OpAccessChain %to_uint %s %undef",
         "expected a constant as index of a structure"),
        ("%x{} = OpAccessChain %to_uint %s %fone", "expected indices of int"),
        ("%x{} = OpAccessChain %to_uint %s %zero %zero",
         "an index into a type that is not a composite"),
        ("%x{} = OpAccessChain %to_float2 %s %one %minus", "expected indices of at least 0"),
        ("%x{} = OpAccessChain %to_uint %s %zero_int", FINE),
        ("%x{} = OpAccessChain %private %s %zero", "expected the storage class of the base"),
        ("%x{} = OpAccessChain %uint %s %zero", "expected a pointer as result"),
        ("%x{} = OpAccessChain %to_uint %one %zero", "expected a pointer as base"),
    ]  # fmt: skip
    assert differing(HEAD, rows) == []


def test_elements_of_pointers() -> None:
    rows = [
        ("%x{} = OpPtrAccessChain %to_uint %u %one", FINE),
        ("%x{} = OpPtrAccessChain %to_uint %s %one %zero", FINE),
        ("%x{} = OpPtrAccessChain %to_array %s %one %one", FINE),
        ("%x{} = OpPtrAccessChain %to_array %s %one %zero", REACHED),
        ("%x{} = OpPtrAccessChain %to_uint %u %fone", "expected an element of int"),
        ("%x{} = OpPtrAccessChain %to_open %o %zero", "expected a pointer with ArrayStride"),
    ]
    assert differing(POINTERS, rows) == []
    strided = POINTERS.replace(LAYOUT, LAYOUT + "OpDecorate %to_open ArrayStride 16\n")
    rows = [
        ("%x{} = OpPtrAccessChain %to_open %o %zero", FINE),
        ("%x{} = OpPtrAccessChain %to_open %o %one", "expected element 0 of a block"),
    ]
    assert differing(strided, rows) == []


def test_lengths_are_of_the_last_member() -> None:
    last = "expected a runtime array as last member"
    rows = [
        ("%x{} = OpArrayLength %uint %o 1", FINE),
        ("%x{} = OpArrayLength %uint %o 0", "expected the last member"),
        ("%x{} = OpArrayLength %uint %o 2", "expected the last member"),
        ("%x{} = OpArrayLength %int %o 1", "expected a result of uint"),
        ("%x{} = OpArrayLength %float %o 1", "expected a result of uint"),
        ("%x{} = OpArrayLength %uint %s 1", last),
        ("%x{} = OpArrayLength %uint %u 0", "expected a pointer to a structure"),
        ("%x{} = OpArrayLength %uint %one 0", "expected a pointer to a structure"),
    ]
    assert differing(HEAD, rows) == []


def test_comparisons_of_pointers() -> None:
    free = "comparing pointers needs VariablePointers"
    same = "expected pointers of the same type"
    for name, result, other in (
        ("OpPtrEqual", "bool", "uint"), ("OpPtrNotEqual", "bool", "uint"),
        ("OpPtrDiff", "int", "bool"), ("OpPtrDiff", "uint", "float"),
    ):  # fmt: skip
        wanted = "int" if name == "OpPtrDiff" else "bool"
        rows = [
            (f"%x{{}} = {name} %{result} %u %u", FINE),
            (f"%x{{}} = {name} %{result} %o %o", FINE),
            (f"%x{{}} = {name} %{result} %u %s", same),
            (f"%x{{}} = {name} %{result} %p %p", free),
            (f"%x{{}} = {name} %{other} %u %u", f"expected a scalar of {wanted} as result"),
        ]
        assert differing(POINTERS, rows) == []


def test_elements_need_variable_pointers_in_vulkan() -> None:
    """But for physical storage, whose pointers are addresses."""
    head = """OpCapability Shader
        {0}
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %to_uint ArrayStride 4
        OpDecorate %to_buffered ArrayStride 4
        OpDecorate %v DescriptorSet 0
        OpDecorate %v Binding 0
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        {{types}} %block = OpTypeStruct %uint
        %to_uint = OpTypePointer Workgroup %uint
        %to_block = OpTypePointer StorageBuffer %block
        %to_buffered = OpTypePointer StorageBuffer %uint
        %u = OpVariable %to_uint Workgroup
        %v = OpVariable %to_block StorageBuffer"""
    local = "%b = OpAccessChain %to_buffered %v %zero"
    refused = "the storage class needs variable pointers"
    for capability, shared, buffer in (
        ("", refused, refused), ("OpCapability VariablePointersStorageBuffer", refused, FINE),
        ("OpCapability VariablePointers", FINE, FINE),
    ):  # fmt: skip
        rows = [
            ("%x{} = OpPtrAccessChain %to_uint %u %one", shared),
            ("%y{} = OpPtrAccessChain %to_buffered %b %one", buffer),
        ]
        found = reported(head.format(capability), [line for line, _ in rows], "vulkan1.1", local)
        wanted = [message for _, message in rows]
        assert [refused in each for each in found] == [each == refused for each in wanted]
    physical = """OpCapability Shader
        OpCapability Int64
        OpCapability PhysicalStorageBufferAddresses
        OpExtension "SPV_KHR_physical_storage_buffer"
        OpMemoryModel PhysicalStorageBuffer64 GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %to_uint ArrayStride 4
        {types} %long = OpTypeInt 64 0
        %to_uint = OpTypePointer PhysicalStorageBuffer %uint
        %address = OpConstant %long 64"""
    rows = [("%x{} = OpPtrAccessChain %to_uint %p %one", FINE)]
    local = "%p = OpConvertUToPtr %to_uint %address"
    assert differing(physical, rows, "vulkan1.1", local) == []
