"""A module for each rule of the validator that violates it, as text of our own.

    code: (text, target environment)

A text is the body of a module: `{shader}` and `{kernel}` stand for the usual beginnings, `{types}`
for a few types and constants, `{main}` for the start of an entry point and `{end}` for its end.
"""
# ruff: noqa: E501

__all__ = ["SNIPPETS", "SPELLED"]

SPELLED = {
    "shader": """
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
    """,
    "kernel": """
        OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        OpMemoryModel Physical32 OpenCL
    """,
    "compute": """
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
    """,
    "fragment": """
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main "main"
        OpExecutionMode %main OriginUpperLeft
    """,
    "types": """
        %void = OpTypeVoid
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %uint2 = OpTypeVector %uint 2
        %float2 = OpTypeVector %float 2
        %function = OpTypeFunction %void
        %zero = OpConstant %uint 0
        %one = OpConstant %uint 1
        %two = OpConstant %uint 2
        %true = OpConstantTrue %bool
        %fone = OpConstant %float 1
        %undef = OpUndef %uint
    """,
    "main": """
        %main = OpFunction %void None %function
        %entry = OpLabel
    """,
    "end": """
        OpReturn
        OpFunctionEnd
    """,
}
V = "vulkan1.3"
U = "spv1.6"
K = "opencl2.1"

SNIPPETS: dict[str, tuple[str, str]] = {
    # ids
    "spirv.defined-twice": ("{shader} %a = OpTypeVoid\n!0x00020014 !1", U),
    "spirv.undefined": ("{shader} {types} {main} OpStore %nowhere %one {end}", U),
    "spirv.forward": ("{shader} {types} %a = OpTypeArray %uint %later\n%later = OpConstant %uint 3", U),
    "spirv.ext-inst-forward": (
        """OpCapability Shader
        OpCapability Linkage
        OpExtension "SPV_KHR_relaxed_extended_instruction"
        %set = OpExtInstImport "GLSL.std.450"
        OpMemoryModel Logical GLSL450
        {types} {main} %r = OpExtInstWithForwardRefsKHR %float %set Fract %fone {end}""", U,
    ),
    "spirv.not-a-type": ("{shader} {types} %a = OpTypePointer Function %uint\n%b = OpUndef %zero", U),
    "spirv.not-a-value": ("{shader} {types} {main} %a = OpIAdd %uint %uint %one {end}", U),
    "spirv.non-semantic-operand": (
        """OpCapability Shader
        OpCapability Linkage
        %set = OpExtInstImport "NonSemantic.Example"
        OpMemoryModel Logical GLSL450
        {types} %note = OpExtInst %void %set 1
        {main} %a = OpIAdd %uint %note %one {end}""", U,
    ),
    # layout
    "spirv.layout": ("OpMemoryModel Logical GLSL450\nOpCapability Shader\nOpCapability Linkage", U),
    "spirv.phi-place": ("{shader} {types} {main} %a = OpPhi %uint %one %entry {end}", U),
    "spirv.variable-place": (
        """{shader} {types} %p = OpTypePointer Function %uint
        {main} %a = OpIAdd %uint %one %one
        %v = OpVariable %p Function {end}""", U,
    ),
    "spirv.merge-place": (
        """{shader} {types} {main} OpSelectionMerge %next None
        OpBranch %next
        %next = OpLabel {end}""", U,
    ),
    # capabilities
    "spirv.capability": ("{shader} {types} %a = OpTypeSampler\n%image = OpTypeImage %float 1D 0 0 0 1 Unknown", U),
    "spirv.api-capability": ("OpCapability Kernel\n{compute} {types} {main} {end}", V),
    "spirv.extension": ("{shader} {types} %a = OpTypeInt 32 1\nOpCapability Shader", U),
    "spirv.extension-version": ('OpCapability Shader OpExtension "SPV_EXT_mesh_shader"', "spv1.3"),
    "spirv.instruction-version": ("{shader} {types} {main} %a = OpCopyLogical %uint %one {end}", "spv1.0"),
    "spirv.enumerant-version": (
        "{shader} {types} {main} OpLoopMerge %out %again PeelCount 1\nOpBranchConditional %true %again %out\n"
        "%again = OpLabel\nOpBranch %entry\n%out = OpLabel {end}", "spv1.0",
    ),
    # scopes
    "spirv.scope-type": ("{compute} {types} {main} OpMemoryBarrier %fone %zero {end}", U),
    "spirv.scope-constant": ("{compute} {types} {main} %a = OpIAdd %uint %one %one\nOpMemoryBarrier %a %zero {end}", U),
    "spirv.scope": ("{compute} {types} %s = OpConstant %uint 77\n{main} OpMemoryBarrier %s %zero {end}", U),
    "spirv.scope-model": ("{fragment} {types} %s = OpConstant %uint 264\n{main} OpControlBarrier %two %one %s {end}", V),
    "spirv.semantics-type": ("{compute} {types} {main} OpMemoryBarrier %one %fone {end}", U),
    "spirv.semantics-constant": ("{compute} {types} {main} %a = OpIAdd %uint %one %one\nOpMemoryBarrier %one %a {end}", U),
    "spirv.semantics-capability": ("{compute} {types} %s = OpConstant %uint 4104\n{main} OpMemoryBarrier %one %s {end}", U),
    "spirv.semantics": ("{compute} {types} %s = OpConstant %uint 6\n{main} OpMemoryBarrier %one %s {end}", U),
    # types of operands
    "spirv.result-type": ("{shader} {types} {main} %a = OpFAdd %uint %one %one {end}", U),
    "spirv.operand-type": ("{shader} {types} {main} %a = OpIAdd %uint %fone %one {end}", U),
    "spirv.operand-constant": (
        """OpCapability GroupNonUniform
        OpCapability GroupNonUniformQuad
        {compute} {types} %s = OpConstant %uint 3
        {main} %a = OpIAdd %uint %one %one
        %b = OpGroupNonUniformQuadSwap %uint %s %one %a {end}""", U,
    ),
    "spirv.same-width": ("{shader} {types} {main} %a = OpUConvert %uint %one {end}", U),
    "spirv.bit-width": ("OpCapability Int64\n{compute} {types} %long = OpTypeInt 64 0\n%c = OpConstant %long 1\n{main} %a = OpBitCount %uint %c {end}", V),
    "spirv.small-type": (
        """OpCapability StorageBuffer16BitAccess
        {shader} {types} %short = OpTypeInt 16 0
        %c = OpConstant %short 1""", U,
    ),
    "spirv.derivative-model": ("{compute} {types} {main} %a = OpDPdx %float %fone {end}", U),
    "spirv.group-operation": (
        """OpCapability GroupNonUniformClustered
        {compute} {types} %s = OpConstant %uint 3
        {main} %a = OpGroupNonUniformIAdd %uint %s ClusteredReduce %one {end}""", U,
    ),
    "spirv.encoding": (
        """OpCapability BFloat16TypeKHR
        OpCapability Shader
        OpCapability Linkage
        OpExtension "SPV_KHR_bfloat16"
        OpMemoryModel Logical GLSL450
        {types} %brain = OpTypeFloat 16 BFloat16KHR
        %u = OpUndef %brain
        {main} %a = OpFNegate %brain %u {end}""", U,
    ),
    # built-ins
    "spirv.builtin-target": ("{shader} OpDecorate %void BuiltIn Position\n{types}", U),
    "spirv.builtin-type": (
        """{fragment} OpDecorate %v BuiltIn FragCoord
        {types} %p = OpTypePointer Input %float2
        %v = OpVariable %p Input
        {main} %a = OpLoad %float2 %v {end}""", V,
    ),
    "spirv.builtin-storage": (
        """{fragment} OpDecorate %v BuiltIn FrontFacing
        {types} %p = OpTypePointer Output %bool
        %v = OpVariable %p Output
        {main} {end}""", V,
    ),
    "spirv.builtin-model": (
        """{compute} OpDecorate %v BuiltIn FrontFacing
        {types} %p = OpTypePointer Input %bool
        %v = OpVariable %p Input
        {main} %a = OpLoad %bool %v {end}""", V,
    ),
    "spirv.builtin": (
        """{fragment} OpDecorate %v BuiltIn FragDepth
        {types} %p = OpTypePointer Output %float
        %v = OpVariable %p Output
        {main} OpStore %v %fone {end}""", V,
    ),
    # entry points and modes
    "spirv.entry-point": ("OpCapability Shader\nOpMemoryModel Logical GLSL450\n{types}", U),
    "spirv.recursion": (
        """{compute} {types} {main} %r = OpFunctionCall %void %other {end}
        %other = OpFunction %void None %function
        %l = OpLabel
        %s = OpFunctionCall %void %other {end}""", V,
    ),
    "spirv.mode-count": (
        """OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main "main"
        {types} {main} {end}""", U,
    ),
    "spirv.mode-entry-point": (
        """OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        OpExecutionMode %main LocalSize 1 1 1
        {types} {main} {end}""", U,
    ),
    "spirv.mode-ids": ("{compute} OpExecutionMode %main LocalSizeId %one %one %one\n{types} {main} {end}", U),
    "spirv.mode-operand": (
        """OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        OpMemoryModel Physical32 OpenCL
        OpEntryPoint Kernel %main "main"
        OpExecutionModeId %main LocalSizeHintId %undef %one %one
        {types} {main} {end}""", U,
    ),
    "spirv.mode-model": ("{compute} OpExecutionMode %main OriginUpperLeft\n{types} {main} {end}", U),
    "spirv.mode-repeated": ("{compute} OpExecutionMode %main LocalSize 2 1 1\n{types} {main} {end}", U),
    "spirv.mode": (
        """OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main "main"
        OpExecutionMode %main OriginLowerLeft
        {types} {main} {end}""", V,
    ),
    "spirv.local-size": (
        """OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 0 1
        {types} {main} {end}""", U,
    ),
    "spirv.memory-model": (
        """OpCapability Kernel
        OpCapability Linkage
        OpMemoryModel Logical OpenCL""", K,
    ),
    "spirv.fast-math": (
        """OpCapability Shader
        OpCapability FloatControls2
        OpExtension "SPV_KHR_float_controls2"
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        OpExecutionModeId %main FPFastMathDefault %float %zero
        OpDecorate %a NoContraction
        {types} {main} %a = OpFAdd %float %fone %fone {end}""", U,
    ),
    # variables
    "spirv.variable-type": ("{shader} {types} %v = OpVariable %uint Private", U),
    "spirv.storage-class": ("{shader} {types} %p = OpTypePointer Private %uint\n%v = OpVariable %p Workgroup", U),
    "spirv.initialiser": ("{shader} {types} %p = OpTypePointer Private %uint\n%v = OpVariable %p Private %fone", U),
    "spirv.variable-holds": ("{shader} {types} %p = OpTypePointer Uniform %bool\n%v = OpVariable %p Uniform", U),
    "spirv.variable-pointer": (
        """{shader} {types} %p = OpTypePointer Private %uint
        %pp = OpTypePointer Private %p
        %v = OpVariable %pp Private""", U,
    ),
    "spirv.variable-small": (
        """OpCapability StorageBuffer16BitAccess
        {shader} {types} %short = OpTypeInt 16 0
        %p = OpTypePointer Private %short
        %v = OpVariable %p Private""", U,
    ),
    # types
    "spirv.width": ("{shader} %long = OpTypeInt 64 0", U),
    "spirv.component": ("{shader} {types} %v = OpTypeVector %uint 5", U),
    "spirv.array-length": ("{shader} {types} %a = OpTypeArray %uint %zero", U),
    "spirv.member": ("{shader} {types} %a = OpTypeStruct %void", U),
    "spirv.forward-pointer": (
        """OpCapability Addresses
        {shader} OpTypeForwardPointer %p Uniform
        {types} %p = OpTypePointer Uniform %uint""", U,
    ),
    "spirv.type-twice": ("{shader} %a = OpTypeVoid\n%b = OpTypeVoid", U),
    # functions
    "spirv.function": ("{shader} {types} %f = OpFunction %uint None %function\n%l = OpLabel {end}", U),
    "spirv.function-type": ("{shader} {types} %a = OpTypeStruct %function", U),
    "spirv.function-use": ("{shader} {types} {main} %a = OpCopyObject %void %main {end}", U),
    "spirv.linkage": ("{shader} {types} %f = OpFunction %void None %function\nOpFunctionEnd", U),
    "spirv.parameter": (
        """{shader} {types} %t = OpTypeFunction %void %uint
        %f = OpFunction %void None %t
        %x = OpFunctionParameter %float
        %l = OpLabel {end}""", U,
    ),
    "spirv.call": (
        """{shader} {types} %t = OpTypeFunction %void %uint
        %f = OpFunction %void None %t
        %x = OpFunctionParameter %uint
        %l = OpLabel {end}
        {main} %r = OpFunctionCall %void %f %fone {end}""", U,
    ),
    "spirv.call-pointer": (
        """{shader} {types} %p = OpTypePointer Input %uint
        %v = OpVariable %p Input
        %t = OpTypeFunction %void %p
        %f = OpFunction %void None %t
        %x = OpFunctionParameter %p
        %l = OpLabel {end}
        {main} %r = OpFunctionCall %void %f %v {end}""", U,
    ),
    # memory
    "spirv.pointer": ("{shader} {types} {main} %a = OpLoad %uint %one {end}", U),
    "spirv.access-type": (
        """{shader} {types} %p = OpTypePointer Private %uint
        %v = OpVariable %p Private
        {main} %a = OpLoad %float %v {end}""", U,
    ),
    "spirv.read-only": (
        """{shader} {types} %p = OpTypePointer Input %uint
        %v = OpVariable %p Input
        {main} OpStore %v %one {end}""", U,
    ),
    "spirv.access": (
        """OpCapability Shader
        OpCapability Linkage
        OpCapability VulkanMemoryModel
        OpMemoryModel Logical Vulkan
        {types} %p = OpTypePointer Private %uint
        %v = OpVariable %p Private
        {main} %a = OpLoad %uint %v NonPrivatePointer {end}""", U,
    ),
    "spirv.aligned": (
        """{shader} {types} %p = OpTypePointer Private %uint
        %v = OpVariable %p Private
        {main} %a = OpLoad %uint %v Aligned 3 {end}""", U,
    ),
    "spirv.chain": (
        """{shader} {types} %p = OpTypePointer Private %uint2
        %q = OpTypePointer Private %float
        %v = OpVariable %p Private
        {main} %a = OpAccessChain %q %v %one {end}""", U,
    ),
    "spirv.array-query": (
        """{shader} {types} %s = OpTypeStruct %uint
        %p = OpTypePointer Private %s
        %v = OpVariable %p Private
        {main} %a = OpArrayLength %uint %v 0 {end}""", U,
    ),
    "spirv.storage-model": (
        """{fragment} {types} %p = OpTypePointer Workgroup %uint
        %v = OpVariable %p Workgroup
        {main} %a = OpLoad %uint %v {end}""", V,
    ),
    "spirv.atomic": (
        """{compute} {types} %p = OpTypePointer Workgroup %float
        %v = OpVariable %p Workgroup
        {main} %a = OpAtomicIAdd %float %v %one %zero %fone {end}""", U,
    ),
    "spirv.atomic-storage": (
        """{compute} {types} %p = OpTypePointer Private %uint
        %v = OpVariable %p Private
        {main} %a = OpAtomicIAdd %uint %v %one %zero %one {end}""", V,
    ),
    # sets and conversions
    "spirv.stage": (
        """OpCapability InterpolationFunction
        OpCapability Shader
        %set = OpExtInstImport "GLSL.std.450"
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        {types} %p = OpTypePointer Input %float
        %v = OpVariable %p Input
        {main} %a = OpExtInst %float %set InterpolateAtCentroid %v {end}""", U,
    ),
    "spirv.conversion": ("{shader} {types} {main} %a = OpBitcast %uint2 %fone {end}", U),
    # constants and composites
    "spirv.constant-type": ("{shader} {types} %a = OpConstantTrue %uint", U),
    "spirv.literal": ("OpCapability Int16\n{shader} %short = OpTypeInt 16 0\n!0x0004002b %short %c !0x10001", U),
    "spirv.constituent": ("{shader} {types} %a = OpConstantComposite %uint2 %one", U),
    "spirv.spec-operation": ("{shader} {types} %a = OpSpecConstantOp %float FNegate %fone", U),
    "spirv.composite": ("{shader} {types} %c = OpConstantComposite %uint2 %one %one\n{main} %a = OpCompositeExtract %uint %c 2 {end}", U),
    "spirv.reflection-set": (
        """OpCapability Shader
        OpCapability Linkage
        %set = OpExtInstImport "NonSemantic.ClspvReflection.1"
        OpMemoryModel Logical GLSL450
        {types} %a = OpExtInst %void %set SpecConstantWorkDim %fone""", U,
    ),
    # images
    "spirv.image-type": ("{shader} {types} %a = OpTypeImage %float 2D 0 0 0 3 Unknown", U),
    "spirv.image": (
        """{fragment} {types} %image = OpTypeImage %float 2D 0 0 0 1 Unknown
        %float4 = OpTypeVector %float 4
        %p = OpTypePointer UniformConstant %image
        %v = OpVariable %p UniformConstant
        {main} %i = OpLoad %image %v
        %a = OpImageFetch %float4 %i %one {end}""", U,
    ),
    "spirv.image-operands": (
        """{fragment} {types} %image = OpTypeImage %float 2D 0 0 0 1 Unknown
        %both = OpTypeSampledImage %image
        %float4 = OpTypeVector %float 4
        %where = OpConstantComposite %float2 %fone %fone
        %p = OpTypePointer UniformConstant %both
        %v = OpVariable %p UniformConstant
        {main} %i = OpLoad %both %v
        %a = OpImageSampleImplicitLod %float4 %i %where Bias %one {end}""", U,
    ),
    "spirv.sampled-image": (
        """{fragment} {types} %image = OpTypeImage %float 2D 0 0 0 1 Unknown
        %both = OpTypeSampledImage %image
        %sampler = OpTypeSampler
        %p = OpTypePointer UniformConstant %image
        %q = OpTypePointer UniformConstant %sampler
        %v = OpVariable %p UniformConstant
        %w = OpVariable %q UniformConstant
        {main} %i = OpLoad %image %v
        %s = OpLoad %sampler %w
        %a = OpSampledImage %both %i %s
        OpBranch %next
        %next = OpLabel
        %b = OpImage %image %a {end}""", U,
    ),
    # control flow
    "spirv.branch": ("{shader} {types} {main} OpBranch %one\nOpFunctionEnd", U),
    "spirv.block-order": ("{kernel} {types} {main} OpBranch %b\n%a = OpLabel OpReturn\n%b = OpLabel OpBranch %a\nOpFunctionEnd", U),
    "spirv.first-block": ("{shader} {types} {main} OpBranch %entry\nOpFunctionEnd", U),
    "spirv.merge": (
        """{shader} {types} {main} OpBranch %loop
        %loop = OpLabel
        OpLoopMerge %out %out None
        OpBranch %out
        %out = OpLabel {end}""", U,
    ),
    "spirv.structure": (
        """{shader} {types} {main} OpSwitch %one %out 1 %out
        %out = OpLabel {end}""", U,
    ),
    "spirv.dominance": (
        """{shader} {types} {main} OpSelectionMerge %out None
        OpBranchConditional %true %way %out
        %way = OpLabel
        %a = OpIAdd %uint %one %one
        OpBranch %out
        %out = OpLabel
        %b = OpIAdd %uint %a %one {end}""", U,
    ),
    "spirv.phi": (
        """{shader} {types} {main} OpBranch %next
        %next = OpLabel
        %a = OpPhi %uint %fone %entry {end}""", U,
    ),
    "spirv.return": ("{shader} {types} {main} OpReturnValue %one\nOpFunctionEnd", U),
    # decorations
    "spirv.decoration-target": ("{shader} OpDecorate %uint Block\n{types}", U),
    "spirv.decoration-storage": (
        """{fragment} OpDecorate %v Flat
        {types} %p = OpTypePointer Private %uint
        %v = OpVariable %p Private
        {main} {end}""", V,
    ),
    "spirv.decoration-ids": ("{shader} !0x0004014c %function !44 !4\n{types}", U),
    "spirv.decoration-twice": (
        """{shader} OpDecorate %v Location 1
        OpDecorate %v Location 2
        {types} %p = OpTypePointer Input %uint
        %v = OpVariable %p Input""", U,
    ),
    "spirv.decoration-group": ("{shader} OpGroupDecorate %uint %float\n{types}", U),
    "spirv.block": (
        """{fragment} {types} %s = OpTypeStruct %uint
        %p = OpTypePointer Uniform %s
        %v = OpVariable %p Uniform
        {main} {end}""", V,
    ),
    "spirv.debug-target": ("{shader} OpMemberName %uint 0 \"x\"\n{types}", U),
    # interfaces and layouts
    "spirv.interface": (
        """{fragment} {types} %p = OpTypePointer Input %uint
        %v = OpVariable %p Input
        {main} %a = OpLoad %uint %v {end}""", U,
    ),
    "spirv.interface-type": (
        """OpCapability BFloat16TypeKHR
        OpCapability Shader
        OpExtension "SPV_KHR_bfloat16"
        OpMemoryModel Logical GLSL450
        OpEntryPoint Vertex %main "main" %v
        OpDecorate %v Location 0
        {types} %brain = OpTypeFloat 16 BFloat16KHR
        %p = OpTypePointer Output %brain
        %v = OpVariable %p Output
        {main} {end}""", V,
    ),
    "spirv.location": (
        """OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Vertex %main "main" %v %w
        OpDecorate %v Location 0
        OpDecorate %w Location 0
        {types} %p = OpTypePointer Output %float
        %v = OpVariable %p Output
        %w = OpVariable %p Output
        {main} {end}""", V,
    ),
    "spirv.unbound": (
        """{compute} {types} %sampler = OpTypeSampler
        %p = OpTypePointer UniformConstant %sampler
        %v = OpVariable %p UniformConstant
        {main} {end}""", V,
    ),
    "spirv.block-layout": (
        """{shader} OpDecorate %s Block
        OpMemberDecorate %s 0 Offset 2
        {types} %s = OpTypeStruct %uint
        %p = OpTypePointer Uniform %s
        %v = OpVariable %p Uniform""", U,
    ),
    "spirv.descriptor": (
        """{compute} OpDecorate %s Block
        OpMemberDecorate %s 0 Offset 0
        OpDecorate %a DescriptorSet 0
        OpDecorate %a Binding 0
        OpDecorate %b DescriptorSet 0
        OpDecorate %b Binding 0
        {types} %s = OpTypeStruct %uint
        %i = OpTypeImage %float 2D 0 0 0 1 Unknown
        %p = OpTypePointer Uniform %s
        %q = OpTypePointer UniformConstant %i
        %a = OpVariable %p Uniform
        %b = OpVariable %q UniformConstant
        {main}
        %x = OpLoad %s %a
        %y = OpLoad %i %b {end}""", V,
    ),
    "spirv.ray": (
        """OpCapability RayQueryKHR
        OpCapability Shader
        OpCapability Linkage
        OpExtension "SPV_KHR_ray_query"
        OpMemoryModel Logical GLSL450
        {types} %p = OpTypePointer Private %uint
        %v = OpVariable %p Private
        {main} %a = OpRayQueryProceedKHR %bool %v {end}""", U,
    ),
    "spirv.debug-info": (
        """OpCapability Shader
        OpCapability Linkage
        %set = OpExtInstImport "OpenCL.DebugInfo.100"
        OpMemoryModel Logical GLSL450
        {types} %a = OpExtInst %void %set DebugSource %one""", U,
    ),
    "spirv.spec-id": (
        """{shader} OpDecorate %a SpecId 3
        OpDecorate %b SpecId 3
        {types} %a = OpSpecConstant %uint 1
        %b = OpSpecConstant %uint 2""", U,
    ),
    "spirv.non-semantic": (
        """OpCapability Shader
        OpCapability Linkage
        OpExtension "SPV_KHR_non_semantic_info"
        %set = OpExtInstImport "NonSemantic.DebugPrintf"
        OpMemoryModel Logical GLSL450
        {types} {main} %a = OpExtInst %void %set DebugPrintf %one {end}""", U,
    ),
    "spirv.printf-arguments": (
        """OpCapability Shader
        OpCapability Linkage
        OpExtension "SPV_KHR_non_semantic_info"
        %set = OpExtInstImport "NonSemantic.DebugPrintf"
        OpMemoryModel Logical GLSL450
        %f = OpString "100%% of %d, %v3f"
        {types} {main} %a = OpExtInst %void %set DebugPrintf %f %one {end}""", U,
    ),
    "spirv.printf-format": (
        """OpCapability Shader
        OpCapability Linkage
        OpExtension "SPV_KHR_non_semantic_info"
        %set = OpExtInstImport "NonSemantic.DebugPrintf"
        OpMemoryModel Logical GLSL450
        %f = OpString "%f"
        {types} {main} %a = OpExtInst %void %set DebugPrintf %f %one {end}""", U,
    ),
}  # fmt: skip


def nested(depth: int) -> str:
    """Return the body of a function with selections in one another."""
    before = "".join(
        f"OpSelectionMerge %m{at} None\nOpBranchConditional %true %t{at} %m{at}\n%t{at} = OpLabel\n"
        for at in range(depth)
    )
    after = "".join(f"OpBranch %m{at}\n%m{at} = OpLabel\n" for at in reversed(range(depth)))
    return f"{{compute}} {{types}} {{main}}\n{before}{after}{{end}}"


SNIPPETS["spirv.unchecked"] = nested(560), U
