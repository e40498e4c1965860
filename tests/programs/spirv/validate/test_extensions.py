"""Instructions of extensions, each operand of which has a rule of its own."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import DECLARED, FINE, differing, differing_modules

QUERIES = """OpCapability RayQueryKHR
    OpCapability Linkage
    OpCapability Shader
    OpExtension "SPV_KHR_ray_query"
    OpMemoryModel Logical GLSL450
    {types} %int = OpTypeInt 32 1
    %float3 = OpTypeVector %float 3
    %v3 = OpConstantNull %float3
    %n = OpSpecConstant %uint 1
    %minus = OpConstant %int -1
    %scene = OpTypeAccelerationStructureKHR
    %p_scene = OpTypePointer UniformConstant %scene
    %scenes = OpVariable %p_scene UniformConstant
    %query = OpTypeRayQueryKHR
    %p_query = OpTypePointer Private %query
    %q = OpVariable %p_query Private
    %p_uint = OpTypePointer Private %uint
    %other = OpVariable %p_uint Private
    """


def test_queries_and_intersections() -> None:
    pointer, constant = "expected a pointer to a ray query", "expected a constant of 32-bit int"
    rows = [
        ("%x{} = OpRayQueryProceedKHR %bool %q", FINE),
        ("%x{} = OpRayQueryProceedKHR %bool %other", pointer),
        ("%x{} = OpRayQueryProceedKHR %bool %one", pointer),
        ("OpRayQueryTerminateKHR %q", FINE),
        ("OpRayQueryTerminateKHR %other", pointer),
        ("OpRayQueryConfirmIntersectionKHR %other", pointer),
        ("OpRayQueryInitializeKHR %q %a %one %one %v3 %fone %v3 %fone", FINE),
        ("OpRayQueryInitializeKHR %other %a %one %one %v3 %fone %v3 %fone", pointer),
        ("%x{} = OpRayQueryGetIntersectionTypeKHR %uint %q %zero", FINE),
        ("%x{} = OpRayQueryGetIntersectionTypeKHR %uint %q %one", FINE),
        ("%x{} = OpRayQueryGetIntersectionTypeKHR %uint %q %two", "expected 0 or 1, got 2"),
        ("%x{} = OpRayQueryGetIntersectionTypeKHR %uint %q %minus", "expected 0 or 1, got -1"),
        ("%x{} = OpRayQueryGetIntersectionTypeKHR %uint %q %n", constant),
        ("%x{} = OpRayQueryGetIntersectionTypeKHR %uint %q %fone", constant),
        ("%x{} = OpRayQueryGetIntersectionTypeKHR %uint %q %undef", constant),
        ("%x{} = OpRayQueryGetIntersectionTypeKHR %uint %other %one", pointer),
        ("%x{} = OpRayQueryGetIntersectionTKHR %float %q %one", FINE),
        ("%x{} = OpRayQueryGetIntersectionTKHR %float %q %two", "expected 0 or 1, got 2"),
    ]
    assert differing(QUERIES, rows, "spv1.4", "%a = OpLoad %scene %scenes") == []


ARRAYS = """OpCapability Shader
    OpCapability Float16
    OpCapability Int64
    OpCapability CooperativeMatrixConversionQCOM
    OpCapability Linkage
    OpExtension "SPV_QCOM_cooperative_matrix_conversion"
    OpMemoryModel Logical GLSL450
    {types} %int = OpTypeInt 32 1
    %half = OpTypeFloat 16
    %long = OpTypeInt 64 0
    %four = OpConstant %uint 4
    %n = OpSpecConstant %uint 4
    %uints4 = OpTypeArray %uint %four
    %uints2 = OpTypeArray %uint %two
    %floats4 = OpTypeArray %float %four
    %halves4 = OpTypeArray %half %four
    %longs2 = OpTypeArray %long %two
    %sized = OpTypeArray %uint %n
    %u4 = OpUndef %uints4
    %u2 = OpUndef %uints2
    %h4 = OpUndef %halves4
    %l2 = OpUndef %longs2
    %s = OpUndef %sized
    """


def test_arrays_are_cast_and_cut() -> None:
    arrays, elements = "expected arrays", "expected elements of 32 bits, or halves"
    bits, same = "expected the same number of bits", "expected the same elements"
    start = "expected a start of 32-bit int"
    rows = [
        ("%x{} = OpBitCastArrayQCOM %floats4 %u4", FINE),
        ("%x{} = OpBitCastArrayQCOM %uints2 %h4", FINE),
        ("%x{} = OpBitCastArrayQCOM %halves4 %u2", FINE),
        ("%x{} = OpBitCastArrayQCOM %uints2 %u4", bits),
        ("%x{} = OpBitCastArrayQCOM %uints4 %h4", bits),
        ("%x{} = OpBitCastArrayQCOM %uints2 %s", FINE),
        ("%x{} = OpBitCastArrayQCOM %uints4 %l2", elements),
        ("%x{} = OpBitCastArrayQCOM %longs2 %u4", elements),
        ("%x{} = OpBitCastArrayQCOM %uint2 %u2", arrays),
        ("%x{} = OpBitCastArrayQCOM %uints2 %one", arrays),
        ("%x{} = OpExtractSubArrayQCOM %uints2 %u4 %one", FINE),
        ("%x{} = OpExtractSubArrayQCOM %uints2 %u4 %fone", start),
        ("%x{} = OpExtractSubArrayQCOM %floats4 %u4 %one", same),
        ("%x{} = OpExtractSubArrayQCOM %uints2 %one %one", arrays),
        ("%x{} = OpExtractSubArrayQCOM %longs2 %l2 %one", elements),
    ]
    assert differing(ARRAYS, rows) == []


CHAINS = """OpCapability Shader
    OpCapability PhysicalStorageBufferAddresses
    OpCapability RawAccessChainsNV
    OpCapability Linkage
    OpExtension "SPV_NV_raw_access_chains"
    OpMemoryModel PhysicalStorageBuffer64 GLSL450
    {types} %int = OpTypeInt 32 1
    %four = OpConstant %uint 4
    %n = OpSpecConstant %uint 4
    %array = OpTypeArray %uint %four
    %struct = OpTypeStruct %uint
    %base = OpTypePointer StorageBuffer %struct
    %b = OpVariable %base StorageBuffer
    %near = OpTypePointer StorageBuffer %uint
    %wide = OpTypePointer StorageBuffer %uint2
    %whole = OpTypePointer StorageBuffer %array
    %record = OpTypePointer StorageBuffer %struct
    %uniform = OpTypePointer Uniform %uint
    %far = OpTypePointer PhysicalStorageBuffer %uint
    %own = OpTypePointer Private %uint
    """


def test_raw_chains() -> None:
    head = "%x{} = OpRawAccessChainNV"
    scalar = "expected a pointer to a scalar or vector"
    stride, whole = (
        "expected a constant of int as stride",
        "expected index and offset of 32-bit int",
    )
    element, component = "RobustnessPerElementNV", "RobustnessPerComponentNV"
    rows = [
        (f"{head} %near %b %four %one %zero", FINE),
        (f"{head} %wide %b %four %one %zero", FINE),
        (f"{head} %uniform %b %four %one %zero", FINE),
        (f"{head} %far %b %four %one %zero", FINE),
        (f"{head} %own %b %four %one %zero", "expected a pointer to a buffer"),
        (f"{head} %uint %b %four %one %zero", "expected a pointer as result"),
        (f"{head} %whole %b %four %one %zero", scalar),
        (f"{head} %record %b %four %one %zero", scalar),
        (f"{head} %near %b %n %one %zero", stride),
        (f"{head} %near %b %fone %one %zero", stride),
        (f"{head} %near %b %undef %one %zero", stride),
        (f"{head} %near %b %four %fone %zero", whole),
        (f"{head} %near %b %four %one %fone", whole),
        (f"{head} %near %b %four %undef %undef", FINE),
        (f"{head} %near %b %four %one %zero {element}", FINE),
        (f"{head} %near %b %four %one %zero {component}", FINE),
        (f"{head} %near %b %zero %one %zero {component}", FINE),
        (f"{head} %near %b %zero %one %zero {element}", "expected a stride other than 0"),
        (f"{head} %far %b %four %one %zero {element}", "physical memory has no robustness"),
        (f"{head} %far %b %four %one %zero {component}", "physical memory has no robustness"),
        (f"{head} %near %b %four %one %zero {element}|{component}",
         "expected one kind of robustness"),
    ]  # fmt: skip
    assert differing(CHAINS, rows) == []


TENSORS = """OpCapability Shader
    OpCapability TensorsARM
    OpCapability Int16
    OpCapability Linkage
    OpExtension "SPV_ARM_tensors"
    OpMemoryModel Logical GLSL450
    {types} %int = OpTypeInt 32 1
    %three = OpConstant %uint 3
    %four = OpConstant %uint 4
    %shape1 = OpTypeArray %uint %one
    %shape2 = OpTypeArray %uint %two
    %row = OpConstantComposite %shape1 %three
    %grid = OpConstantComposite %shape2 %two %three
    %t1 = OpTypeTensorARM %uint %one %row
    %t2 = OpTypeTensorARM %uint %two %grid
    %shapeless = OpTypeTensorARM %uint %one
    %f1 = OpTypeTensorARM %float %one %row
    %c1 = OpConstantComposite %t1 %one %one %two
    %d1 = OpConstantComposite %f1 %fone %fone %fone
    """


def test_constants_of_tensors() -> None:
    parts = "expected parts of the element type"
    rows = [
        ("%x{} = OpConstantComposite %t1 %two %one %one", FINE),
        ("%x{} = OpConstantComposite %t1 %two %one", "expected 3 constituents, got 2"),
        ("%x{} = OpConstantComposite %t1 %two %one %one %one", "expected 3 constituents, got 4"),
        ("%x{} = OpConstantComposite %t1 %two %fone %one", parts),
        ("%x{} = OpConstantComposite %t2 %c1 %c1", FINE),
        ("%x{} = OpConstantComposite %t2 %c1", "expected 2 constituents, got 1"),
        ("%x{} = OpConstantComposite %t2 %one %c1", parts),
        ("%x{} = OpConstantComposite %t2 %c1 %d1", parts),
        ("%x{} = OpConstantComposite %shapeless %one", "expected a tensor with a shape"),
    ]
    assert differing(TENSORS, rows, local=DECLARED) == []


FAST = """OpCapability Shader
    OpCapability FloatControls2
    OpExtension "SPV_KHR_float_controls2"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    """
FAST_TYPES = """{types} %n = OpSpecConstant %uint 0
    %fast = OpConstant %uint 16
    %contract = OpConstant %uint 0x10000
    %reassociated = OpConstant %uint 0x20000
    %transformed = OpConstant %uint 0x40000
    %half_transformed = OpConstant %uint 0x50000
    %all = OpConstant %uint 0x70007
    %unknown = OpConstant %uint 0x80000
    """


def test_fast_math_by_default() -> None:
    """SPV_KHR_float_controls2: a type of float, and constants of flags."""
    needed = "AllowTransform needs AllowContract and AllowReassoc"
    template = (
        f"{FAST} OpExecutionModeId %main FPFastMathDefault {{}}\n{FAST_TYPES} {{main}} {{end}}"
    )
    said = "OpExecutionModeId: "
    bits = "expected bits of fast math, got"
    texts = [
        ("%float %zero", []),
        ("%float %all", []),
        ("%float %contract", []),
        ("%float %reassociated", []),
        ("%float %transformed", [f"{said}{needed}"]),
        ("%float %half_transformed", [f"{said}{needed}"]),
        ("%float %fast", [f"{said}{bits} 0x10"]),
        ("%float %unknown", [f"{said}{bits} 0x80000"]),
        ("%float %n", [f"{said}expected a constant, not for specialisation"]),
        ("%uint %zero", [f"{said}expected a scalar type of float"]),
        ("%float2 %zero", [f"{said}expected a scalar type of float"]),
    ]
    assert differing_modules((template, "spv1.6", texts)) == []


def test_no_contraction_beside_defaults_of_fast_math() -> None:
    """Where a default holds, NoContraction and Fast say what it says already."""
    template = f"""{FAST} OpExecutionModeId %main FPFastMathDefault %float %zero
    {{}}
    {FAST_TYPES} %function1 = OpTypeFunction %float
    %spec = OpSpecConstant %float 1
    %sum = OpSpecConstantOp %uint IAdd %n %n
    {{main}} %a = OpFAdd %float %spec %fone
    %b = OpFMul %float %a %a
    %c = OpFunctionCall %float %called {{end}}
    %called = OpFunction %float None %function1 %block = OpLabel
    %d = OpFAdd %float %fone %fone OpReturnValue %d OpFunctionEnd
    %apart = OpFunction %float None %function1 %other = OpLabel
    %e = OpFAdd %float %fone %fone OpReturnValue %e OpFunctionEnd"""
    unused = "older modes of floats with FPFastMathDefault"
    texts = [
        ("", []),
        ("OpDecorate %a NoContraction", [f"OpFAdd: {unused}"]),
        ("OpDecorate %b NoContraction", [f"OpFMul: {unused}"]),
        ("OpDecorate %d NoContraction", [f"OpFAdd: {unused}"]),
        ("OpDecorate %e NoContraction", []),
        ("OpDecorate %a FPFastMathMode Fast", [f"OpFAdd: {unused}"]),
        ("OpDecorate %a FPFastMathMode NotNaN", []),
        ("OpDecorate %a RelaxedPrecision", []),
    ]
    assert differing_modules((template, "spv1.6", texts)) == []


def test_sizes_of_the_workgroup_of_a_tile() -> None:
    template = """OpCapability Shader
    {capability}
    OpExtension "SPV_QCOM_tile_shading"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    {}
    {types} {main} {end}"""
    parts = {"capability": "OpCapability TileShadingQCOM"}
    powers, size = "expected powers of 2", "expected no size of the workgroup"
    texts = [
        ("OpExecutionMode %main TileShadingRateQCOM 2 4 1", []),
        ("OpExecutionMode %main TileShadingRateQCOM 1 1 3", []),
        ("OpExecutionMode %main TileShadingRateQCOM 3 4 1", [f"OpExecutionMode: {powers}"]),
        ("OpExecutionMode %main TileShadingRateQCOM 4 6 1", [f"OpExecutionMode: {powers}"]),
        (
            "OpExecutionMode %main TileShadingRateQCOM 2 2 1 OpExecutionMode %main LocalSize 1 1 1",
            [f"OpExecutionMode: {size}"],
        ),
    ]
    assert differing_modules((template, "vulkan1.3", texts), parts) == []


def test_vectors_whose_size_is_a_constant() -> None:
    head = """OpCapability Shader
    OpCapability CooperativeVectorNV
    OpCapability Linkage
    OpExtension "SPV_NV_cooperative_vector"
    OpMemoryModel Logical GLSL450
    {types} %n = OpSpecConstant %uint 4"""
    numbers, count = "expected components that are numbers", "expected a constant of 32-bit int"
    rows = [
        ("%x{} = OpTypeVectorIdEXT %float %two", FINE),
        ("%x{} = OpTypeVectorIdEXT %uint %n", FINE),
        ("%x{} = OpTypeVectorIdEXT %float %zero", "expected at least 1, got 0"),
        ("%x{} = OpTypeVectorIdEXT %float %fone", count),
        ("%x{} = OpTypeVectorIdEXT %float %undef", count),
        ("%x{} = OpTypeVectorIdEXT %bool %two", numbers),
        ("%x{} = OpTypeVectorIdEXT %float2 %two", numbers),
    ]
    assert differing(head, rows, local=DECLARED) == []
