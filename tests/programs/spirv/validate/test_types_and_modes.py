"""Types, entry points and execution modes: modules that keep each rule, and that break it."""
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.lines import Rows, differing_modules

NUMBERS: list[Rows] = [
    ("OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeInt {}", "spv1.6", [
        ("32 0 %j = OpTypeInt 32 1", []),
        ("32 2", ["OpTypeInt: expected signedness 0 or 1, got 2"]),
        ("1 0", ["OpTypeInt: unknown width 1"]),
        ("4 0", ["OpTypeInt: 4 bits need a capability"]),
        ("8 0", ["OpTypeInt: 8 bits need a capability"]),
        ("16 0", ["OpTypeInt: 16 bits need a capability"]),
        ("24 0", ["OpTypeInt: unknown width 24"]),
        ("64 0", ["OpTypeInt: 64 bits need a capability"]),
        ("128 0", ["OpTypeInt: unknown width 128"]),
    ]),
    ("{}", "spv1.6", [
        ("OpCapability Int8 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeInt 8 0", []),
        ("OpCapability Int16 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeInt 16 0", []),
        ("OpCapability Int64 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeInt 64 0", []),
        ("OpCapability StorageBuffer8BitAccess OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeInt 8 0", []),
    ]),
    ("OpCapability {} OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeInt 16 0", "spv1.6", [
        ("StorageBuffer16BitAccess", []),
        ("StorageInputOutput16", []),
    ]),
    ("{}", "spv1.6", [
        ("OpCapability StoragePushConstant8 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeInt 8 0", []),
        ("OpCapability Int64 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeInt 16 0", ["OpTypeInt: 16 bits need a capability"]),
        ("OpCapability Int16 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeInt 8 0", ["OpTypeInt: 8 bits need a capability"]),
    ]),
    ("OpCapability Kernel OpCapability Addresses OpCapability Linkage OpMemoryModel Physical32 OpenCL %i = OpTypeInt 32 {}", "spv1.6", [
        ("1", ["OpTypeInt: expected signedness 0 in kernels"]),
        ("0", []),
    ]),
    ("OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeFloat {}", "spv1.6", [
        ("8", ["OpTypeFloat: 8 bits need a capability", "OpTypeFloat: 8 bits need an encoding"]),
        ("16", ["OpTypeFloat: 16 bits need a capability"]),
        ("32", []),
        ("64", ["OpTypeFloat: 64 bits need a capability"]),
        ("80", ["OpTypeFloat: unknown width 80"]),
    ]),
    ("{}", "spv1.6", [
        ("OpCapability Float16 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeFloat 16", []),
        ("OpCapability Float64 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeFloat 64", []),
    ]),
    ("OpCapability {} OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeFloat 16", "spv1.6", [
        ("StorageBuffer16BitAccess", []),
        ("StorageInputOutput16", []),
    ]),
    ("{}", "spv1.6", [
        ("OpCapability Float16 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 %i = OpTypeFloat 64", ["OpTypeFloat: 64 bits need a capability"]),
    ]),
    ("OpCapability Kernel OpCapability Addresses OpCapability Linkage {} OpMemoryModel Physical32 OpenCL %i = OpTypeFloat 16", "spv1.6", [
        ("", ["OpTypeFloat: 16 bits need a capability"]),
        ("OpCapability Float16Buffer", []),
    ]),
]  # fmt: skip
COMPOUND: list[Rows] = [
    ("{shader} {types} %v = OpTypeVector %float {}", "spv1.6", [
        ("1", ["OpTypeVector: expected 2 to 4 components, got 1"]),
        ("3", []),
        ("4", []),
        ("5", ["OpTypeVector: expected 2 to 4 components, got 5"]),
        ("8", ["OpTypeVector: expected 2 to 4 components, got 8"]),
        ("16", ["OpTypeVector: expected 2 to 4 components, got 16"]),
    ]),
    ("OpCapability Kernel OpCapability Addresses OpCapability Linkage OpCapability Vector16 OpMemoryModel Physical32 OpenCL %u = OpTypeInt 32 0 %v = OpTypeVector %u {}", "spv1.6", [
        ("4", []),
        ("5", ["OpTypeVector: expected 2 to 4 components, got 5"]),
        ("8", []),
        ("9", ["OpTypeVector: expected 2 to 4 components, got 9"]),
        ("16", []),
        ("17", ["OpTypeVector: expected 2 to 4 components, got 17"]),
    ]),
    ("{shader} {types} %v = OpTypeVector {} 2", "spv1.6", [
        ("%uint2", ["OpTypeVector: expected components that are scalars"]),
        ("%void", ["OpTypeVector: expected components that are scalars"]),
        ("%bool", []),
    ]),
    ("{shader} {types} %m = OpTypeMatrix {}", "spv1.6", [
        ("%float2 1", ["OpTypeMatrix: expected 2 to 4 columns, got 1"]),
        ("%float2 2", []),
        ("%float2 3", []),
        ("%float2 4", []),
        ("%float2 5", ["OpTypeMatrix: expected 2 to 4 columns, got 5"]),
        ("%uint2 2", ["OpTypeMatrix: expected components of float"]),
        ("%float 2", ["OpTypeMatrix: expected columns that are vectors"]),
    ]),
    ("{shader} {types} %a = OpTypeArray {}", "spv1.6", [
        ("%float %two", []),
        ("%float %one", []),
        ("%float %zero", ["OpTypeArray: expected at least 1, got 0"]),
        ("%float %fone", ["OpTypeArray: the length is not a positive constant"]),
        ("%void %two", ["OpTypeArray: expected a type of elements"]),
        ("%float %undef", ["OpTypeArray: the length is not a positive constant"]),
        ("%float %true", ["OpTypeArray: the length is not a positive constant"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} %int = OpTypeInt 32 1 %n = OpConstant %int -1 %a = OpTypeArray %float %n", ["OpTypeArray: expected at least 1, got -1"]),
        ("{shader} {types} %s = OpSpecConstant %uint 3 %a = OpTypeArray %float %s", []),
        ("{shader} {types} %n = OpConstantNull %uint %a = OpTypeArray %float %n", ["OpTypeArray: expected at least 1, got 0"]),
    ]),
    ("{shader} {types} %a = OpTypeRuntimeArray {}", "spv1.6", [
        ("%float", []),
        ("%void", ["OpTypeRuntimeArray: expected a type of elements"]),
        ("%float %b = OpTypeRuntimeArray %a", []),
    ]),
    ("{}", "vulkan1.3", [
        ("{shader} {types} %a = OpTypeRuntimeArray %float %b = OpTypeRuntimeArray %a", ["OpCapability: Linkage is not a capability of vulkan1.3", "OpTypeRuntimeArray: a runtime array as element"]),
    ]),
    ("{shader} {types} %a = OpTypeStruct {}", "spv1.6", [
        ("%void", ["OpTypeStruct: member 0: expected a type of values"]),
        ("%float %function", ["OpTypeStruct: a function type is used as another type"]),
        ("", []),
        ("%float %true", ["OpTypeStruct: member 1: expected a type of values"]),
    ]),
    ("{shader} {types} %r = OpTypeRuntimeArray %float %a = OpTypeStruct {}", "vulkan1.3", [
        ("%r %float", ["OpCapability: Linkage is not a capability of vulkan1.3", "OpTypeStruct: a runtime array that is not last"]),
        ("%float %r", ["OpCapability: Linkage is not a capability of vulkan1.3", "OpTypeStruct: a runtime array outside of blocks"]),
    ]),
    ("{}", "vulkan1.3", [
        ("{shader} OpDecorate %a Block {types} %r = OpTypeRuntimeArray %float %a = OpTypeStruct %float %r", ["OpCapability: Linkage is not a capability of vulkan1.3"]),
        ("{shader} {types} %i = OpTypeImage %float 2D 0 0 0 1 Unknown %a = OpTypeStruct %i", ["OpCapability: Linkage is not a capability of vulkan1.3", "OpTypeStruct: an opaque type"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} %i = OpTypeImage %float 2D 0 0 0 1 Unknown %a = OpTypeStruct %i", []),
        ("{shader} OpMemberDecorate %a 0 BuiltIn Position {types} %a = OpTypeStruct %float2 %float", ["OpTypeStruct: built-ins beside other members"]),
        ("{shader} OpMemberDecorate %a 0 BuiltIn Position OpMemberDecorate %a 1 BuiltIn PointSize {types} %f4 = OpTypeVector %float 4 %a = OpTypeStruct %f4 %float", []),
        ("{shader} OpMemberDecorate %a 0 BuiltIn Position {types} %f4 = OpTypeVector %float 4 %a = OpTypeStruct %f4 %b = OpTypeStruct %a", ["OpTypeStruct: member 0: a structure with built-ins"]),
    ]),
    ("{shader} OpDecorate %a Block OpDecorate %b Block {types} %a = OpTypeStruct %float {}", "spv1.6", [
        ("%b = OpTypeStruct %a", ["OpTypeStruct: a block in a block"]),
        ("%n = OpTypeArray %a %two %b = OpTypeStruct %n", ["OpTypeStruct: a block in a block"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} OpDecorate %a Block OpDecorate %n ArrayStride 16 {types} %a = OpTypeStruct %float %n = OpTypeArray %a %two", ["OpTypeArray: an array of blocks has no stride"]),
    ]),
    ("{shader} {types} %p = OpTypePointer Private {}", "spv1.6", [
        ("%float", []),
        ("%true", ["OpTypePointer: expected a type that is pointed to"]),
        ("%void", []),
    ]),
    ("{shader} {types} %p = OpTypePointer {} %float", "vulkan1.3", [
        ("CrossWorkgroup", ["OpCapability: Linkage is not a capability of vulkan1.3", "OpTypePointer: Vulkan does not have this class"]),
        ("Generic", ["OpCapability: Linkage is not a capability of vulkan1.3", "OpTypePointer: operand 2: Generic needs GenericPointer", "OpTypePointer: Vulkan does not have this class"]),
        ("AtomicCounter", ["OpCapability: Linkage is not a capability of vulkan1.3", "OpTypePointer: operand 2: AtomicCounter needs AtomicStorage", "OpTypePointer: Vulkan does not have this class"]),
        ("Workgroup", ["OpCapability: Linkage is not a capability of vulkan1.3"]),
    ]),
    ("{shader} {types} %f = OpTypeFunction {}", "spv1.6", [
        ("%float %uint", []),
        ("%true", ["OpTypeFunction: expected a type as result"]),
        ("%void %void", ["OpTypeFunction: expected types of values as parameters"]),
        ("%void %one", ["OpTypeFunction: expected types of values as parameters"]),
        ("%float %uint %p = OpTypePointer Private %f", ["OpTypePointer: a function type is used as another type"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} %b = OpTypeFloat 32", ["OpTypeFloat: a type is declared twice"]),
        ("{shader} {types} %b = OpTypeVector %float 2", ["OpTypeVector: a type is declared twice"]),
        ("{shader} {types} %a = OpTypeStruct %float %b = OpTypeStruct %float", []),
        ("{shader} {types} %a = OpTypeArray %float %two %b = OpTypeArray %float %two", []),
        ("{shader} {types} %f = OpTypeFunction %void", ["OpTypeFunction: a type is declared twice"]),
        ("{shader} {types} %p = OpTypePointer Private %float %q = OpTypePointer Private %float", []),
        ("{shader} {types} %s = OpTypeSampler %t = OpTypeSampler", ["OpTypeSampler: a type is declared twice"]),
    ]),
    ("OpCapability PhysicalStorageBufferAddresses OpCapability Shader OpCapability Linkage OpMemoryModel PhysicalStorageBuffer64 GLSL450 OpTypeForwardPointer {}", "spv1.6", [
        ("%p PhysicalStorageBuffer {types} %s = OpTypeStruct %p %p = OpTypePointer PhysicalStorageBuffer %s", []),
        ("%p PhysicalStorageBuffer {types} %s = OpTypeStruct %p %p = OpTypePointer PhysicalStorageBuffer %float", ["OpTypeForwardPointer: expected a pointer to a structure"]),
        ("%p StorageBuffer {types} %s = OpTypeStruct %p %p = OpTypePointer PhysicalStorageBuffer %s", ["OpTypeForwardPointer: expected the storage class of the pointer"]),
        ("%float PhysicalStorageBuffer {types}", ["OpTypeForwardPointer: expected a pointer type"]),
    ]),
]  # fmt: skip
ENTRIES: list[Rows] = [
    ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Fragment %main "main" {} {types} {main} {end}', "spv1.6", [
        ("", ["OpEntryPoint: expected exactly one of OriginUpperLeft, OriginLowerLeft"]),
        ("OpExecutionMode %main OriginUpperLeft", []),
        ("OpExecutionMode %main OriginUpperLeft OpExecutionMode %main OriginLowerLeft", ["OpEntryPoint: expected exactly one of OriginUpperLeft, OriginLowerLeft"]),
        ("OpExecutionMode %main OriginUpperLeft OpExecutionMode %main DepthGreater OpExecutionMode %main DepthLess", ["OpEntryPoint: expected at most one of DepthGreater, DepthLess, DepthUnchanged"]),
        ("OpExecutionMode %main OriginUpperLeft OpExecutionMode %main DepthGreater OpExecutionMode %main DepthReplacing", []),
        ("OpExecutionMode %main OriginUpperLeft OpExecutionMode %main DepthUnchanged OpExecutionMode %main DepthLess", ["OpEntryPoint: expected at most one of DepthGreater, DepthLess, DepthUnchanged"]),
        ("OpExecutionMode %main OriginUpperLeft OpExecutionMode %main OriginUpperLeft", ["OpExecutionMode: an execution mode is declared twice"]),
    ]),
    ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" {} {types} {main} {end}', "spv1.6", [
        ("", []),
        ("OpExecutionMode %main OriginUpperLeft", ["OpExecutionMode: the execution mode is not for this execution model"]),
    ]),
    ('OpCapability Shader OpCapability SampleMaskPostDepthCoverage OpCapability FragmentShaderPixelInterlockEXT OpCapability FragmentShaderSampleInterlockEXT OpExtension "SPV_EXT_fragment_shader_interlock" OpExtension "SPV_KHR_post_depth_coverage" OpMemoryModel Logical GLSL450 OpEntryPoint Fragment %main "main" OpExecutionMode %main OriginUpperLeft OpExecutionMode %main {} {types} {main} {end}', "spv1.6", [
        ("PixelInterlockOrderedEXT", []),
        ("PixelInterlockOrderedEXT OpExecutionMode %main SampleInterlockOrderedEXT", ["OpEntryPoint: expected at most one of PixelInterlockOrderedEXT, PixelInterlockUnorderedEXT, SampleInterlockOrderedEXT, SampleInterlockUnorderedEXT, ShadingRateInterlockOrderedEXT, ShadingRateInterlockUnorderedEXT"]),
        ("PixelInterlockUnorderedEXT OpExecutionMode %main SampleInterlockUnorderedEXT", ["OpEntryPoint: expected at most one of PixelInterlockOrderedEXT, PixelInterlockUnorderedEXT, SampleInterlockOrderedEXT, SampleInterlockUnorderedEXT, ShadingRateInterlockOrderedEXT, ShadingRateInterlockUnorderedEXT"]),
        ("PostDepthCoverage", []),
        ("EarlyFragmentTests OpExecutionMode %main PixelCenterInteger", []),
    ]),
    ('OpCapability Tessellation OpMemoryModel Logical GLSL450 OpEntryPoint TessellationControl %main "main" OpExecutionMode %main {} {types} {main} {end}', "spv1.6", [
        ("OutputVertices 3", []),
        ("SpacingEqual OpExecutionMode %main SpacingFractionalEven", ["OpEntryPoint: expected at most one of SpacingEqual, SpacingFractionalEven, SpacingFractionalOdd"]),
        ("SpacingFractionalOdd OpExecutionMode %main Triangles", []),
        ("Triangles OpExecutionMode %main Quads", ["OpEntryPoint: expected at most one of Triangles, Quads, Isolines"]),
        ("Quads OpExecutionMode %main Isolines", ["OpEntryPoint: expected at most one of Triangles, Quads, Isolines"]),
        ("VertexOrderCw OpExecutionMode %main VertexOrderCcw", ["OpEntryPoint: expected at most one of VertexOrderCw, VertexOrderCcw"]),
        ("VertexOrderCw OpExecutionMode %main Quads OpExecutionMode %main SpacingEqual", []),
        ("PointMode", []),
        ("Invocations 1", ["OpExecutionMode: operand 2: Invocations needs Geometry", "OpExecutionMode: the execution mode is not for this execution model"]),
        ("LocalSize 1 1 1", ["OpExecutionMode: the execution mode is not for this execution model"]),
    ]),
    ('OpCapability Tessellation OpMemoryModel Logical GLSL450 OpEntryPoint TessellationEvaluation %main "main" {} {types} {main} {end}', "spv1.6", [
        ("", []),
        ("OpExecutionMode %main SpacingFractionalEven OpExecutionMode %main SpacingFractionalOdd", ["OpEntryPoint: expected at most one of SpacingEqual, SpacingFractionalEven, SpacingFractionalOdd"]),
        ("OpExecutionMode %main Isolines OpExecutionMode %main Triangles", ["OpEntryPoint: expected at most one of Triangles, Quads, Isolines"]),
        ("OpExecutionMode %main VertexOrderCcw OpExecutionMode %main PointMode", []),
        ("OpExecutionMode %main OriginUpperLeft", ["OpExecutionMode: the execution mode is not for this execution model"]),
    ]),
    ('OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Geometry %main "main" {} {types} {main} {end}', "spv1.6", [
        ("", ["OpEntryPoint: expected exactly one of InputPoints, InputLines, InputLinesAdjacency, Triangles, InputTrianglesAdjacency", "OpEntryPoint: expected exactly one of OutputPoints, OutputLineStrip, OutputTriangleStrip"]),
        ("OpExecutionMode %main InputPoints", ["OpEntryPoint: expected exactly one of OutputPoints, OutputLineStrip, OutputTriangleStrip"]),
        ("OpExecutionMode %main InputPoints OpExecutionMode %main OutputPoints", []),
        ("OpExecutionMode %main InputLines OpExecutionMode %main OutputLineStrip", []),
        ("OpExecutionMode %main InputLinesAdjacency OpExecutionMode %main OutputTriangleStrip OpExecutionMode %main OutputVertices 3 OpExecutionMode %main Invocations 2", []),
        ("OpExecutionMode %main Triangles OpExecutionMode %main OutputPoints", []),
        ("OpExecutionMode %main InputTrianglesAdjacency OpExecutionMode %main OutputPoints", []),
        ("OpExecutionMode %main InputPoints OpExecutionMode %main Triangles OpExecutionMode %main OutputPoints", ["OpEntryPoint: expected exactly one of InputPoints, InputLines, InputLinesAdjacency, Triangles, InputTrianglesAdjacency"]),
        ("OpExecutionMode %main InputPoints OpExecutionMode %main OutputPoints OpExecutionMode %main OutputLineStrip", ["OpEntryPoint: expected exactly one of OutputPoints, OutputLineStrip, OutputTriangleStrip"]),
        ("OpExecutionMode %main InputPoints OpExecutionMode %main OutputLineStrip OpExecutionMode %main OutputTriangleStrip", ["OpEntryPoint: expected exactly one of OutputPoints, OutputLineStrip, OutputTriangleStrip"]),
        ("OpExecutionMode %main OutputPoints", ["OpEntryPoint: expected exactly one of InputPoints, InputLines, InputLinesAdjacency, Triangles, InputTrianglesAdjacency"]),
        ("OpExecutionMode %main InputPoints OpExecutionMode %main OutputPoints OpExecutionMode %main Quads", ["OpExecutionMode: operand 2: Quads needs Tessellation", "OpExecutionMode: the execution mode is not for this execution model"]),
    ]),
    ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint GLCompute %main "main" {} {types} {main} {end}', "spv1.6", [
        ("", []),
        ("OpExecutionMode %main LocalSize 1 1 1", []),
        ("OpExecutionMode %main LocalSize 0 1 1", ["OpExecutionMode: expected a size of at least 1"]),
        ("OpExecutionMode %main LocalSize 1 1 0", ["OpExecutionMode: expected a size of at least 1"]),
        ("OpExecutionMode %main LocalSize 1 0 1", ["OpExecutionMode: expected a size of at least 1"]),
        ("OpExecutionMode %main OutputPoints", ["OpExecutionMode: operand 2: OutputPoints needs one of Geometry, MeshShadingNV, MeshShadingEXT", "OpExecutionMode: the execution mode is not for this execution model"]),
    ]),
    ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint GLCompute %main "main" {} {types} {main} {end}', "vulkan1.3", [
        ("", ["OpEntryPoint: expected the size of the workgroup"]),
        ("OpExecutionMode %main LocalSize 1 1 1", []),
        ("OpExecutionMode %main LocalSize 0 1 1", ["OpExecutionMode: expected a size of at least 1"]),
        ("OpExecutionMode %main LocalSize 1 1 0", ["OpExecutionMode: expected a size of at least 1"]),
        ("OpExecutionMode %main LocalSize 1 0 1", ["OpExecutionMode: expected a size of at least 1"]),
        ("OpExecutionMode %main OutputPoints", ["OpEntryPoint: expected the size of the workgroup", "OpExecutionMode: operand 2: OutputPoints needs one of Geometry, MeshShadingNV, MeshShadingEXT", "OpExecutionMode: the execution mode is not for this execution model"]),
    ]),
    ('OpCapability Shader OpCapability MeshShadingEXT OpExtension "SPV_EXT_mesh_shader" OpMemoryModel Logical GLSL450 OpEntryPoint MeshEXT %main "main" {} {types} {main} {end}', "vulkan1.3", [
        ("", ["OpEntryPoint: expected exactly one of OutputPoints, OutputLinesEXT, OutputTrianglesEXT", "OpEntryPoint: expected both of OutputPrimitivesEXT, OutputVertices", "OpEntryPoint: expected the size of the workgroup"]),
        ("OpExecutionMode %main LocalSize 1 1 1 OpExecutionMode %main OutputVertices 3 OpExecutionMode %main OutputPrimitivesEXT 1 OpExecutionMode %main OutputTrianglesEXT", []),
        ("OpExecutionMode %main LocalSize 1 1 1 OpExecutionMode %main OutputVertices 0 OpExecutionMode %main OutputPrimitivesEXT 1 OpExecutionMode %main OutputTrianglesEXT", ["OpExecutionMode: expected at least 1 vertex"]),
        ("OpExecutionMode %main LocalSize 1 1 1 OpExecutionMode %main OutputVertices 3 OpExecutionMode %main OutputPrimitivesEXT 0 OpExecutionMode %main OutputLinesEXT", ["OpExecutionMode: expected at least 1 primitive"]),
        ("OpExecutionMode %main LocalSize 1 1 1 OpExecutionMode %main OutputVertices 3 OpExecutionMode %main OutputTrianglesEXT", ["OpEntryPoint: expected both of OutputPrimitivesEXT, OutputVertices"]),
        ("OpExecutionMode %main LocalSize 1 1 1 OpExecutionMode %main OutputVertices 3 OpExecutionMode %main OutputPrimitivesEXT 1 OpExecutionMode %main OutputTrianglesEXT OpExecutionMode %main OutputPoints", ["OpEntryPoint: expected exactly one of OutputPoints, OutputLinesEXT, OutputTrianglesEXT"]),
    ]),
    ('OpCapability Shader OpCapability MeshShadingEXT OpExtension "SPV_EXT_mesh_shader" OpMemoryModel Logical GLSL450 OpEntryPoint TaskEXT %main "main" {} {types} {main} {end}', "vulkan1.3", [
        ("OpExecutionMode %main LocalSize 1 1 1", []),
        ("", ["OpEntryPoint: expected the size of the workgroup"]),
        ("OpExecutionMode %main LocalSize 1 1 1 OpExecutionMode %main OutputPoints", ["OpExecutionMode: the execution mode is not for this execution model"]),
    ]),
    ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Fragment %main "main" OpExecutionMode %main {} {types} {main} {end}', "vulkan1.3", [
        ("OriginLowerLeft", ["OpExecutionMode: Vulkan has no OriginLowerLeft"]),
        ("OriginUpperLeft OpExecutionMode %main PixelCenterInteger", ["OpExecutionMode: Vulkan has no PixelCenterInteger"]),
        ("OriginUpperLeft OpExecutionMode %main EarlyFragmentTests", []),
    ]),
    ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint GLCompute %main "main" OpExecutionModeId %main LocalSizeId %one {} %one {types} {main} {end}', "spv1.6", [
        ("%one", []),
        ("%zero", ["OpExecutionModeId: expected a size of at least 1"]),
        ("%undef", ["OpExecutionModeId: expected constants"]),
    ]),
    ("{}", "vulkan1.2", [
        ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint GLCompute %main "main" OpExecutionModeId %main LocalSizeId %one %one %one {types} {main} {end}', ["OpExecutionModeId: LocalSizeId is for Vulkan 1.3"]),
    ]),
    ("{}", "vulkan1.3", [
        ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint GLCompute %main "main" OpExecutionModeId %main LocalSizeId %one %one %one {types} {main} {end}', []),
    ]),
    ('OpCapability Shader OpCapability ComputeDerivativeGroupQuadsKHR OpExtension "SPV_KHR_compute_shader_derivatives" OpMemoryModel Logical GLSL450 OpEntryPoint GLCompute %main "main" OpExecutionMode %main DerivativeGroupQuadsKHR OpExecutionMode %main LocalSize {} {types} {main} {end}', "spv1.6", [
        ("2 2 1", []),
        ("3 2 1", ["OpExecutionMode: expected even sizes for quads"]),
        ("2 1 1", ["OpExecutionMode: expected even sizes for quads"]),
        ("2 2 3", []),
    ]),
    ('OpCapability Shader OpCapability ComputeDerivativeGroupLinearKHR OpExtension "SPV_KHR_compute_shader_derivatives" OpMemoryModel Logical GLSL450 OpEntryPoint GLCompute %main "main" OpExecutionMode %main DerivativeGroupLinearKHR OpExecutionMode %main LocalSize {} {types} {main} {end}', "spv1.6", [
        ("2 2 1", []),
        ("2 1 1", ["OpExecutionMode: expected a multiple of 4"]),
        ("1 1 4", []),
        ("5 1 1", ["OpExecutionMode: expected a multiple of 4"]),
    ]),
]  # fmt: skip
ENVIRONMENTS: list[Rows] = [
    ("OpCapability Shader {} OpMemoryModel Logical GLSL450 {types}", "spv1.6", [
        ("", ["expected an entry point, or Linkage"]),
        ("OpCapability Linkage", []),
    ]),
    ("OpCapability Shader OpCapability Linkage OpMemoryModel Logical {}", "spv1.6", [
        ("Simple", []),
        ("Vulkan", ["OpMemoryModel: operand 2: Vulkan needs VulkanMemoryModel"]),
    ]),
    ("OpCapability Shader OpCapability Linkage OpCapability VulkanMemoryModel OpMemoryModel Logical {}", "spv1.6", [
        ("Vulkan", []),
        ("GLSL450", ["OpMemoryModel: VulkanMemoryModel needs the model Vulkan"]),
    ]),
    ("OpCapability Kernel OpCapability Addresses OpCapability Linkage OpMemoryModel {} OpenCL", "opencl2.1", [
        ("Physical32", []),
        ("Physical64", []),
    ]),
    ("{}", "opencl2.1", [
        ("OpCapability Kernel OpCapability Linkage OpMemoryModel Logical OpenCL", ["OpMemoryModel: expected physical addresses in OpenCL"]),
        ("OpCapability Kernel OpCapability Shader OpCapability Addresses OpCapability Linkage OpMemoryModel Physical32 Simple", ["OpCapability: Shader is not a capability of opencl2.1", "OpMemoryModel: expected the model OpenCL"]),
    ]),
    ('OpCapability Shader OpCapability {} GLSL450 OpEntryPoint Vertex %main "main" {types} {main} {end}', "vulkan1.3", [
        ("Addresses OpMemoryModel Physical32", ["OpCapability: Addresses is not a capability of vulkan1.3", "OpMemoryModel: expected logical addresses in Vulkan"]),
        ("PhysicalStorageBufferAddresses OpMemoryModel PhysicalStorageBuffer64", []),
    ]),
    ("OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Vertex {} {types} {main} {end}", "spv1.6", [
        ('%main "main" OpEntryPoint Vertex %main "main"', ["OpEntryPoint: a second entry point 'main'"]),
        ('%main "main" OpEntryPoint Vertex %main "other"', []),
        ('%main "main" OpEntryPoint Fragment %main "main" OpExecutionMode %main OriginUpperLeft', ["OpExecutionMode: the execution mode is not for this execution model"]),
        ('%main "main" OpEntryPoint GLCompute %main "main"', []),
        ('%void "main"', ["OpEntryPoint: expected a function"]),
    ]),
    ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %m "main" {types} %ft = OpTypeFunction {}', "spv1.6", [
        ("%void %uint %m = OpFunction %void None %ft %p = OpFunctionParameter %uint %l = OpLabel {end}", ["OpEntryPoint: expected a function without parameters"]),
        ("%uint %m = OpFunction %uint None %ft %l = OpLabel OpReturnValue %one OpFunctionEnd", ["OpEntryPoint: expected a function that returns nothing"]),
    ]),
    ("{}", "vulkan1.3", [
        ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %m "main" {types} %ft = OpTypeFunction %uint %m = OpFunction %uint None %ft %l = OpLabel OpReturnValue %one OpFunctionEnd', ["OpEntryPoint: expected a function that returns nothing"]),
    ]),
    ("{}", "spv1.6", [
        ('OpCapability Kernel OpCapability Addresses OpCapability Linkage OpMemoryModel Physical32 OpenCL OpEntryPoint Kernel %m "main" %void = OpTypeVoid %uint = OpTypeInt 32 0 %ft = OpTypeFunction %void %uint %m = OpFunction %void None %ft %p = OpFunctionParameter %uint %l = OpLabel {end}', []),
        ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" {types} {main} {end} %o = OpFunction %void None %function %l = OpLabel %c = OpFunctionCall %void %main {end}', ["OpFunction: a call of an entry point"]),
        ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" {types} {main} %c = OpFunctionCall %void %o {end} %o = OpFunction %void None %function %l = OpLabel %d = OpFunctionCall %void %q {end} %q = OpFunction %void None %function %k = OpLabel %e = OpFunctionCall %void %o {end}', []),
    ]),
    ("{}", "vulkan1.3", [
        ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" {types} {main} %c = OpFunctionCall %void %o {end} %o = OpFunction %void None %function %l = OpLabel %d = OpFunctionCall %void %q {end} %q = OpFunction %void None %function %k = OpLabel %e = OpFunctionCall %void %o {end}', ["OpFunction: the call graph has a cycle"]),
        ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" {types} {main} {end} %o = OpFunction %void None %function %l = OpLabel %d = OpFunctionCall %void %o {end}', []),
        ('OpCapability Shader OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" {types} {main} %c = OpFunctionCall %void %o %d = OpFunctionCall %void %o {end} %o = OpFunction %void None %function %l = OpLabel {end}', []),
    ]),
    ("{}", "spv1.6", [
        ("OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpExecutionMode %main OriginUpperLeft {types} {main} {end}", ["OpExecutionMode: an execution mode of something else than an entry point"]),
    ]),
]  # fmt: skip


@pytest.mark.parametrize("rows", NUMBERS)
def test_numbers_have_widths(rows: Rows) -> None:
    assert differing_modules(rows) == []


@pytest.mark.parametrize("rows", COMPOUND)
def test_vectors_matrices_and_arrays(rows: Rows) -> None:
    assert differing_modules(rows) == []


@pytest.mark.parametrize("rows", ENTRIES)
def test_entry_points_have_their_modes(rows: Rows) -> None:
    assert differing_modules(rows) == []


@pytest.mark.parametrize("rows", ENVIRONMENTS)
def test_memory_models_and_entry_points_of_a_module(rows: Rows) -> None:
    assert differing_modules(rows) == []
