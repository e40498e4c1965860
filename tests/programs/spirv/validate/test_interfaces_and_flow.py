"""Built-ins, interfaces, debug information, control flow and image types: modules that keep each rule, and that break it."""
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.lines import Rows, differing_modules

PARTS = {
    "stages": 'OpCapability Shader OpCapability Tessellation OpCapability Geometry OpCapability SampleRateShading OpCapability ClipDistance OpCapability CullDistance OpCapability MultiViewport OpCapability MultiView OpCapability DrawParameters OpCapability GroupNonUniform OpCapability StencilExportEXT OpCapability ShaderViewportIndexLayerEXT OpExtension "SPV_EXT_shader_stencil_export" OpExtension "SPV_EXT_shader_viewport_index_layer" OpMemoryModel Logical GLSL450',
    "interface": "%int = OpTypeInt 32 1 %uint3 = OpTypeVector %uint 3 %float3 = OpTypeVector %float 3 %float4 = OpTypeVector %float 4 %four = OpConstant %uint 4 %aint = OpTypeArray %int %one %af = OpTypeArray %float %one %af2 = OpTypeArray %float %two %af4 = OpTypeArray %float %four %double = OpTypeFloat 64 %double3 = OpTypeVector %double 3 %m3 = OpTypeMatrix %float3 3 %sf = OpTypeStruct %float4 %float %pi = OpTypePointer Input %float4 %po = OpTypePointer Output %float4 %pf = OpTypePointer Output %float2 %pii = OpTypePointer Input %int %pid = OpTypePointer Input %double %pm = OpTypePointer Input %m3 %ps = OpTypePointer Output %sf %pd3 = OpTypePointer Input %double3 %pp = OpTypePointer Private %uint",
    "more": "%int = OpTypeInt 32 1 %uint3 = OpTypeVector %uint 3 %float3 = OpTypeVector %float 3 %float4 = OpTypeVector %float 4 %four = OpConstant %uint 4 %aint = OpTypeArray %int %one %af = OpTypeArray %float %one %af2 = OpTypeArray %float %two %af4 = OpTypeArray %float %four",
    "debug": "OpCapability Shader OpCapability Linkage OpExtension \"SPV_KHR_non_semantic_info\" %set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\" OpMemoryModel Logical GLSL450 %file = OpString \"f\" %text = OpString \"ab\ncd\" %name = OpString \"n\" {types} %three = OpConstant %uint 3 %four = OpConstant %uint 4 %five = OpConstant %uint 5 %n32 = OpConstant %uint 32 %six = OpConstant %uint 6 %src = OpExtInst %void %set DebugSource %file %text %cu = OpExtInst %void %set DebugCompilationUnit %one %four %src %two %u32 = OpExtInst %void %set DebugTypeBasic %name %n32 %six %zero %f32 = OpExtInst %void %set DebugTypeBasic %name %n32 %three %zero",
    "opencl": 'OpCapability Kernel OpCapability Addresses OpCapability Linkage %set = OpExtInstImport "OpenCL.DebugInfo.100" OpMemoryModel Physical32 OpenCL %file = OpString "f" %name = OpString "n" %void = OpTypeVoid %uint = OpTypeInt 32 0 %float = OpTypeFloat 32 %function = OpTypeFunction %void %zero = OpConstant %uint 0 %n32 = OpConstant %uint 32 %fone = OpConstant %float 1 %src = OpExtInst %void %set DebugSource %file %cu = OpExtInst %void %set DebugCompilationUnit 1 4 %src OpenCL_C %none = OpExtInst %void %set DebugInfoNone %u32 = OpExtInst %void %set DebugTypeBasic %name %n32 Unsigned %i32 = OpExtInst %void %set DebugTypeBasic %name %n32 Signed',
    "images": "OpCapability Shader OpCapability Linkage OpCapability Sampled1D OpCapability Image1D OpCapability SampledBuffer OpCapability ImageBuffer OpCapability SampledRect OpCapability SampledCubeArray OpCapability StorageImageMultisample OpCapability InputAttachment OpCapability StorageImageExtendedFormats OpCapability ImageMSArray OpMemoryModel Logical GLSL450",
    "vertex": 'OpCapability Shader OpCapability InputAttachment OpCapability StorageImageMultisample OpCapability Sampled1D OpCapability Image1D OpCapability SampledBuffer OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main"',
}  # fmt: skip
BUILTINS: list[Rows] = [
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn FragCoord {types} {more} %p = OpTypePointer Input {} %v {end}', "vulkan1.3", [
        ("%float4 %v = OpVariable %p Input {main} %x = OpLoad %float4", []),
        ("%float3 %v = OpVariable %p Input {main} %x = OpLoad %float3", ["OpVariable: FragCoord: expected the type float32x4"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn FragCoord OpDecorate %v Flat {types} {more} %p = OpTypePointer Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v {end}', ["OpVariable: FragCoord: expected the type float32x4"]),
        ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn FragCoord {types} {more} %p = OpTypePointer Output %float4 %v = OpVariable %p Output {main} %n = OpUndef %float4 OpStore %v %n {end}', ["OpVariable: FragCoord: expected the storage class Input"]),
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn FragCoord {types} {more} %p = OpTypePointer Input %float4 %v = OpVariable %p Input {main} %x = OpLoad %float4 %v {end}', ["OpLoad: FragCoord is not for GLCompute"]),
        ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn FrontFacing {types} {more} %p = OpTypePointer Input %bool %v = OpVariable %p Input {main} %x = OpLoad %bool %v {end}', []),
        ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn FrontFacing OpDecorate %v Flat {types} {more} %p = OpTypePointer Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v {end}', ["OpVariable: FrontFacing: expected the type bool"]),
        ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn FrontFacing {types} {more} %p = OpTypePointer Output %bool %v = OpVariable %p Output {main} %n = OpUndef %bool OpStore %v %n {end}', ["OpVariable: FrontFacing: expected the storage class Input"]),
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn FrontFacing {types} {more} %p = OpTypePointer Input %bool %v = OpVariable %p Input {main} %x = OpLoad %bool %v {end}', ["OpLoad: FrontFacing is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn PointCoord {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float2 %v = OpVariable %p Input {main} %x = OpLoad %float2 %v", []),
        ("Input %float3 %v = OpVariable %p Input {main} %x = OpLoad %float3 %v", ["OpVariable: PointCoord: expected the type float32x2"]),
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: PointCoord: expected the type float32x2"]),
        ("Output %float2 %v = OpVariable %p Output {main} %n = OpUndef %float2 OpStore %v %n", ["OpVariable: PointCoord: expected the storage class Input"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn PointCoord {types} {more} %p = OpTypePointer Input %float2 %v = OpVariable %p Input {main} %x = OpLoad %float2 %v {end}', ["OpLoad: PointCoord is not for GLCompute"]),
        ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn SampleId OpDecorate %v Flat {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', []),
    ]),
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn SampleId {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: SampleId: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: SampleId: expected the type int32", "OpVariable: expected the decoration Flat"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpVariable: SampleId: expected the storage class Input"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn SampleId {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', ["OpLoad: SampleId is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn SamplePosition {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float2 %v = OpVariable %p Input {main} %x = OpLoad %float2 %v", []),
        ("Input %float3 %v = OpVariable %p Input {main} %x = OpLoad %float3 %v", ["OpVariable: SamplePosition: expected the type float32x2"]),
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: SamplePosition: expected the type float32x2"]),
        ("Output %float2 %v = OpVariable %p Output {main} %n = OpUndef %float2 OpStore %v %n", ["OpVariable: SamplePosition: expected the storage class Input"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn SamplePosition {types} {more} %p = OpTypePointer Input %float2 %v = OpVariable %p Input {main} %x = OpLoad %float2 %v {end}', ["OpLoad: SamplePosition is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn SampleMask OpDecorate %v Flat {types} {more} %p = OpTypePointer Input {} %v {end}', "vulkan1.3", [
        ("%aint %v = OpVariable %p Input {main} %x = OpLoad %aint", []),
        ("%int %v = OpVariable %p Input {main} %x = OpLoad %int", ["OpVariable: SampleMask: expected the type int32[]"]),
    ]),
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn SampleMask {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %af %v = OpVariable %p Input {main} %x = OpLoad %af %v", ["OpVariable: SampleMask: expected the type int32[]"]),
        ("Output %aint %v = OpVariable %p Output {main} %n = OpUndef %aint OpStore %v %n", []),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn SampleMask {types} {more} %p = OpTypePointer Input %aint %v = OpVariable %p Input {main} %x = OpLoad %aint %v {end}', ["OpLoad: SampleMask is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn SampleMask {types} {more} %p = OpTypePointer Output {} OpStore %v %n {end}', "vulkan1.3", [
        ("%int %v = OpVariable %p Output {main} %n = OpUndef %int", ["OpVariable: SampleMask: expected the type int32[]"]),
        ("%af %v = OpVariable %p Output {main} %n = OpUndef %af", ["OpVariable: SampleMask: expected the type int32[]"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn SampleMask {types} {more} %p = OpTypePointer Output %aint %v = OpVariable %p Output {main} %n = OpUndef %aint OpStore %v %n {end}', ["OpStore: SampleMask is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn HelperInvocation {} %v {end}', "vulkan1.3", [
        ("{types} {more} %p = OpTypePointer Input %bool %v = OpVariable %p Input {main} %x = OpLoad %bool", []),
        ("OpDecorate %v Flat {types} {more} %p = OpTypePointer Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint", ["OpVariable: HelperInvocation: expected the type bool"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn HelperInvocation {types} {more} %p = OpTypePointer Output %bool %v = OpVariable %p Output {main} %n = OpUndef %bool OpStore %v %n {end}', ["OpVariable: HelperInvocation: expected the storage class Input"]),
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn HelperInvocation {types} {more} %p = OpTypePointer Input %bool %v = OpVariable %p Input {main} %x = OpLoad %bool %v {end}', ["OpLoad: HelperInvocation is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn FragStencilRefEXT {types} {more} %p = OpTypePointer Output {} OpStore %v %n {end}', "vulkan1.3", [
        ("%int %v = OpVariable %p Output {main} %n = OpUndef %int", []),
        ("%float %v = OpVariable %p Output {main} %n = OpUndef %float", ["OpVariable: FragStencilRefEXT: expected the type int"]),
        ("%uint3 %v = OpVariable %p Output {main} %n = OpUndef %uint3", ["OpVariable: FragStencilRefEXT: expected the type int"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn FragStencilRefEXT OpDecorate %v Flat {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', ["OpVariable: FragStencilRefEXT: expected the storage class Output"]),
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn FragStencilRefEXT {types} {more} %p = OpTypePointer Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n {end}', ["OpStore: FragStencilRefEXT is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn VertexIndex {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v", []),
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: VertexIndex: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: VertexIndex: expected the type int32"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpVariable: VertexIndex: expected the storage class Input"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}", "vulkan1.3", [
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn VertexIndex', ["OpLoad: VertexIndex is not for GLCompute"]),
        ('Vertex %main "main" %v OpDecorate %v BuiltIn InstanceIndex', []),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn InstanceIndex {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: InstanceIndex: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: InstanceIndex: expected the type int32"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpVariable: InstanceIndex: expected the storage class Input"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn InstanceIndex {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', ["OpLoad: InstanceIndex is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn Position {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Output %float4 %v = OpVariable %p Output {main} %n = OpUndef %float4 OpStore %v %n", []),
        ("Output %float3 %v = OpVariable %p Output {main} %n = OpUndef %float3 OpStore %v %n", ["OpVariable: Position: expected the type float32x4"]),
        ("Output %uint %v = OpVariable %p Output {main} %n = OpUndef %uint OpStore %v %n", ["OpVariable: Position: expected the type float32x4"]),
        ("Input %float4 %v = OpVariable %p Input {main} %x = OpLoad %float4 %v", ["OpLoad: Position is not an input of Vertex"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn Position {types} {more} %p = OpTypePointer Output %float4 %v = OpVariable %p Output {main} %n = OpUndef %float4 OpStore %v %n {end}', ["OpStore: Position is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn PointSize {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Output %float %v = OpVariable %p Output {main} %n = OpUndef %float OpStore %v %n", []),
        ("Output %uint %v = OpVariable %p Output {main} %n = OpUndef %uint OpStore %v %n", ["OpVariable: PointSize: expected the type float32"]),
        ("Output %float2 %v = OpVariable %p Output {main} %n = OpUndef %float2 OpStore %v %n", ["OpVariable: PointSize: expected the type float32"]),
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpLoad: PointSize is not an input of Vertex"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn PointSize {types} {more} %p = OpTypePointer Output %float %v = OpVariable %p Output {main} %n = OpUndef %float OpStore %v %n {end}', ["OpStore: PointSize is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn ClipDistance {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Output %af2 %v = OpVariable %p Output {main} %n = OpUndef %af2 OpStore %v %n", []),
        ("Output %float %v = OpVariable %p Output {main} %n = OpUndef %float OpStore %v %n", ["OpVariable: ClipDistance: expected the type float32[]"]),
        ("Output %float4 %v = OpVariable %p Output {main} %n = OpUndef %float4 OpStore %v %n", ["OpVariable: ClipDistance: expected the type float32[]"]),
        ("Input %af2 %v = OpVariable %p Input {main} %x = OpLoad %af2 %v", ["OpLoad: ClipDistance is not an input of Vertex"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn ClipDistance {types} {more} %p = OpTypePointer Output %af2 %v = OpVariable %p Output {main} %n = OpUndef %af2 OpStore %v %n {end}', ["OpStore: ClipDistance is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn CullDistance {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Output %af4 %v = OpVariable %p Output {main} %n = OpUndef %af4 OpStore %v %n", []),
        ("Output %float %v = OpVariable %p Output {main} %n = OpUndef %float OpStore %v %n", ["OpVariable: CullDistance: expected the type float32[]"]),
        ("Output %float4 %v = OpVariable %p Output {main} %n = OpUndef %float4 OpStore %v %n", ["OpVariable: CullDistance: expected the type float32[]"]),
        ("Input %af4 %v = OpVariable %p Input {main} %x = OpLoad %af4 %v", ["OpLoad: CullDistance is not an input of Vertex"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn CullDistance {types} {more} %p = OpTypePointer Output %af4 %v = OpVariable %p Output {main} %n = OpUndef %af4 OpStore %v %n {end}', ["OpStore: CullDistance is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn BaseVertex {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v", []),
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: BaseVertex: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: BaseVertex: expected the type int32"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpVariable: BaseVertex: expected the storage class Input"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}", "vulkan1.3", [
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn BaseVertex', ["OpLoad: BaseVertex is not for GLCompute"]),
        ('Vertex %main "main" %v OpDecorate %v BuiltIn BaseInstance', []),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn BaseInstance {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: BaseInstance: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: BaseInstance: expected the type int32"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpVariable: BaseInstance: expected the storage class Input"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}", "vulkan1.3", [
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn BaseInstance', ["OpLoad: BaseInstance is not for GLCompute"]),
        ('Vertex %main "main" %v OpDecorate %v BuiltIn DrawIndex', []),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn DrawIndex {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: DrawIndex: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: DrawIndex: expected the type int32"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpVariable: DrawIndex: expected the storage class Input"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}", "vulkan1.3", [
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn DrawIndex', ["OpLoad: DrawIndex is not for GLCompute"]),
        ('Vertex %main "main" %v OpDecorate %v BuiltIn ViewIndex', []),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn ViewIndex {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: ViewIndex: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: ViewIndex: expected the type int32"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpVariable: ViewIndex: expected the storage class Input"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn ViewIndex {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', ["OpLoad: ViewIndex is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn Layer {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", []),
        ("Output %float %v = OpVariable %p Output {main} %n = OpUndef %float OpStore %v %n", ["OpVariable: Layer: expected the type int32"]),
        ("Output %uint3 %v = OpVariable %p Output {main} %n = OpUndef %uint3 OpStore %v %n", ["OpVariable: Layer: expected the type int32"]),
        ("Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v", ["OpLoad: Layer is not an input of Vertex"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n {end}", "vulkan1.3", [
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn Layer', ["OpStore: Layer is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
        ('Vertex %main "main" %v OpDecorate %v BuiltIn ViewportIndex', []),
    ]),
    ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn ViewportIndex {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Output %float %v = OpVariable %p Output {main} %n = OpUndef %float OpStore %v %n", ["OpVariable: ViewportIndex: expected the type int32"]),
        ("Output %uint3 %v = OpVariable %p Output {main} %n = OpUndef %uint3 OpStore %v %n", ["OpVariable: ViewportIndex: expected the type int32"]),
        ("Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v", ["OpLoad: ViewportIndex is not an input of Vertex"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn ViewportIndex {types} {more} %p = OpTypePointer Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n {end}', ["OpStore: ViewportIndex is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
        ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn ViewportIndex OpDecorate %v Flat {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', []),
    ]),
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn ViewportIndex {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: ViewportIndex: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: ViewportIndex: expected the type int32", "OpVariable: expected the decoration Flat"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpStore: ViewportIndex is not an output of Fragment"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn ViewportIndex {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', ["OpLoad: ViewportIndex is not for GLCompute"]),
        ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn PrimitiveId OpDecorate %v Flat {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', []),
    ]),
    ('{stages} OpEntryPoint Fragment %main "main" %v OpExecutionMode %main OriginUpperLeft OpDecorate %v BuiltIn PrimitiveId {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: PrimitiveId: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: PrimitiveId: expected the type int32", "OpVariable: expected the decoration Flat"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpStore: PrimitiveId is not an output of Fragment"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn PrimitiveId {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', ["OpLoad: PrimitiveId is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint Geometry %main "main" %v OpExecutionMode %main InputPoints OpExecutionMode %main OutputPoints OpExecutionMode %main OutputVertices 1 OpDecorate %v BuiltIn PrimitiveId {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", []),
        ("Output %float %v = OpVariable %p Output {main} %n = OpUndef %float OpStore %v %n", ["OpVariable: PrimitiveId: expected the type int32"]),
        ("Output %uint3 %v = OpVariable %p Output {main} %n = OpUndef %uint3 OpStore %v %n", ["OpVariable: PrimitiveId: expected the type int32"]),
        ("Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v", []),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn PrimitiveId {types} {more} %p = OpTypePointer Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n {end}', ["OpStore: PrimitiveId is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ('{stages} OpEntryPoint Geometry %main "main" %v OpExecutionMode %main InputPoints OpExecutionMode %main OutputPoints OpExecutionMode %main OutputVertices 1 OpDecorate %v BuiltIn InvocationId {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v", []),
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: InvocationId: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: InvocationId: expected the type int32"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpVariable: InvocationId: expected the storage class Input"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn InvocationId {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', ["OpLoad: InvocationId is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint TessellationEvaluation %main "main" %v OpExecutionMode %main Triangles OpDecorate %v BuiltIn TessCoord {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float3 %v = OpVariable %p Input {main} %x = OpLoad %float3 %v", []),
        ("Input %float2 %v = OpVariable %p Input {main} %x = OpLoad %float2 %v", ["OpVariable: TessCoord: expected the type float32x3"]),
        ("Input %float4 %v = OpVariable %p Input {main} %x = OpLoad %float4 %v", ["OpVariable: TessCoord: expected the type float32x3"]),
        ("Output %float3 %v = OpVariable %p Output {main} %n = OpUndef %float3 OpStore %v %n", ["OpVariable: TessCoord: expected the storage class Input"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn TessCoord {types} {more} %p = OpTypePointer Input %float3 %v = OpVariable %p Input {main} %x = OpLoad %float3 %v {end}', ["OpLoad: TessCoord is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint TessellationControl %main "main" %v OpExecutionMode %main OutputVertices 3 OpDecorate %v BuiltIn TessLevelOuter OpDecorate %v Patch {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Output %af4 %v = OpVariable %p Output {main} %n = OpUndef %af4 OpStore %v %n", []),
        ("Output %af2 %v = OpVariable %p Output {main} %n = OpUndef %af2 OpStore %v %n", ["OpVariable: TessLevelOuter: expected the type float32[4]"]),
        ("Output %float4 %v = OpVariable %p Output {main} %n = OpUndef %float4 OpStore %v %n", ["OpVariable: TessLevelOuter: expected the type float32[4]"]),
        ("Input %af4 %v = OpVariable %p Input {main} %x = OpLoad %af4 %v", ["OpLoad: TessLevelOuter is not an input of TessellationControl"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn TessLevelOuter OpDecorate %v Patch {types} {more} %p = OpTypePointer Output %af4 %v = OpVariable %p Output {main} %n = OpUndef %af4 OpStore %v %n {end}', ["OpStore: TessLevelOuter is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ('{stages} OpEntryPoint TessellationControl %main "main" %v OpExecutionMode %main OutputVertices 3 OpDecorate %v BuiltIn TessLevelInner OpDecorate %v Patch {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Output %af2 %v = OpVariable %p Output {main} %n = OpUndef %af2 OpStore %v %n", []),
        ("Output %af4 %v = OpVariable %p Output {main} %n = OpUndef %af4 OpStore %v %n", ["OpVariable: TessLevelInner: expected the type float32[2]"]),
        ("Output %float4 %v = OpVariable %p Output {main} %n = OpUndef %float4 OpStore %v %n", ["OpVariable: TessLevelInner: expected the type float32[2]"]),
        ("Input %af2 %v = OpVariable %p Input {main} %x = OpLoad %af2 %v", ["OpLoad: TessLevelInner is not an input of TessellationControl"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn TessLevelInner OpDecorate %v Patch {types} {more} %p = OpTypePointer Output %af2 %v = OpVariable %p Output {main} %n = OpUndef %af2 OpStore %v %n {end}', ["OpStore: TessLevelInner is not for GLCompute", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ('{stages} OpEntryPoint TessellationEvaluation %main "main" %v OpExecutionMode %main Triangles OpDecorate %v BuiltIn PatchVertices {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v", []),
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: PatchVertices: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: PatchVertices: expected the type int32"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpVariable: PatchVertices: expected the storage class Input"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn PatchVertices {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', ["OpLoad: PatchVertices is not for GLCompute"]),
    ]),
    ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn GlobalInvocationId {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", []),
        ("Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v", ["OpVariable: GlobalInvocationId: expected the type int32x3"]),
        ("Input %float3 %v = OpVariable %p Input {main} %x = OpLoad %float3 %v", ["OpVariable: GlobalInvocationId: expected the type int32x3"]),
        ("Output %uint3 %v = OpVariable %p Output {main} %n = OpUndef %uint3 OpStore %v %n", ["OpVariable: GlobalInvocationId: expected the storage class Input", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v {end}", "vulkan1.3", [
        ('Vertex %main "main" %v OpDecorate %v BuiltIn GlobalInvocationId', ["OpLoad: GlobalInvocationId is not for Vertex"]),
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn LocalInvocationId', []),
    ]),
    ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn LocalInvocationId {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v", ["OpVariable: LocalInvocationId: expected the type int32x3"]),
        ("Input %float3 %v = OpVariable %p Input {main} %x = OpLoad %float3 %v", ["OpVariable: LocalInvocationId: expected the type int32x3"]),
        ("Output %uint3 %v = OpVariable %p Output {main} %n = OpUndef %uint3 OpStore %v %n", ["OpVariable: LocalInvocationId: expected the storage class Input", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v {end}", "vulkan1.3", [
        ('Vertex %main "main" %v OpDecorate %v BuiltIn LocalInvocationId', ["OpLoad: LocalInvocationId is not for Vertex"]),
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn WorkgroupId', []),
    ]),
    ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn WorkgroupId {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v", ["OpVariable: WorkgroupId: expected the type int32x3"]),
        ("Input %float3 %v = OpVariable %p Input {main} %x = OpLoad %float3 %v", ["OpVariable: WorkgroupId: expected the type int32x3"]),
        ("Output %uint3 %v = OpVariable %p Output {main} %n = OpUndef %uint3 OpStore %v %n", ["OpVariable: WorkgroupId: expected the storage class Input", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v {end}", "vulkan1.3", [
        ('Vertex %main "main" %v OpDecorate %v BuiltIn WorkgroupId', ["OpLoad: WorkgroupId is not for Vertex"]),
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn NumWorkgroups', []),
    ]),
    ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn NumWorkgroups {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v", ["OpVariable: NumWorkgroups: expected the type int32x3"]),
        ("Input %float3 %v = OpVariable %p Input {main} %x = OpLoad %float3 %v", ["OpVariable: NumWorkgroups: expected the type int32x3"]),
        ("Output %uint3 %v = OpVariable %p Output {main} %n = OpUndef %uint3 OpStore %v %n", ["OpVariable: NumWorkgroups: expected the storage class Input", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn NumWorkgroups {types} {more} %p = OpTypePointer Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v {end}', ["OpLoad: NumWorkgroups is not for Vertex"]),
    ]),
    ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn LocalInvocationIndex {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v", []),
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: LocalInvocationIndex: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: LocalInvocationIndex: expected the type int32"]),
        ("Output %uint %v = OpVariable %p Output {main} %n = OpUndef %uint OpStore %v %n", ["OpVariable: LocalInvocationIndex: expected the storage class Input", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v {end}", "vulkan1.3", [
        ('Vertex %main "main" %v OpDecorate %v BuiltIn LocalInvocationIndex', ["OpLoad: LocalInvocationIndex is not for Vertex"]),
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn SubgroupSize', []),
    ]),
    ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn SubgroupSize {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: SubgroupSize: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: SubgroupSize: expected the type int32"]),
        ("Output %uint %v = OpVariable %p Output {main} %n = OpUndef %uint OpStore %v %n", ["OpVariable: SubgroupSize: expected the storage class Input", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v {end}", "vulkan1.3", [
        ('Vertex %main "main" %v OpDecorate %v BuiltIn SubgroupSize', []),
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn SubgroupLocalInvocationId', []),
    ]),
    ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn SubgroupLocalInvocationId {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: SubgroupLocalInvocationId: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: SubgroupLocalInvocationId: expected the type int32"]),
        ("Output %uint %v = OpVariable %p Output {main} %n = OpUndef %uint OpStore %v %n", ["OpVariable: SubgroupLocalInvocationId: expected the storage class Input", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v {end}", "vulkan1.3", [
        ('Vertex %main "main" %v OpDecorate %v BuiltIn SubgroupLocalInvocationId', []),
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn NumSubgroups', []),
    ]),
    ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn NumSubgroups {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: NumSubgroups: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: NumSubgroups: expected the type int32"]),
        ("Output %uint %v = OpVariable %p Output {main} %n = OpUndef %uint OpStore %v %n", ["OpVariable: NumSubgroups: expected the storage class Input", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ("{stages} OpEntryPoint {} {types} {more} %p = OpTypePointer Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v {end}", "vulkan1.3", [
        ('Vertex %main "main" %v OpDecorate %v BuiltIn NumSubgroups', ["OpLoad: NumSubgroups is not for Vertex"]),
        ('GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn SubgroupId', []),
    ]),
    ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn SubgroupId {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpVariable: SubgroupId: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpVariable: SubgroupId: expected the type int32"]),
        ("Output %uint %v = OpVariable %p Output {main} %n = OpUndef %uint OpStore %v %n", ["OpVariable: SubgroupId: expected the storage class Input", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn SubgroupId {types} {more} %p = OpTypePointer Input %uint %v = OpVariable %p Input {main} %x = OpLoad %uint %v {end}', ["OpLoad: SubgroupId is not for Vertex"]),
    ]),
    ('{stages} OpEntryPoint GLCompute %main "main" %v OpExecutionMode %main LocalSize 1 1 1 OpDecorate %v BuiltIn DeviceIndex {types} {more} %p = OpTypePointer {} {end}', "vulkan1.3", [
        ("Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v", ["OpDecorate: operand 3: DeviceIndex needs DeviceGroup"]),
        ("Input %float %v = OpVariable %p Input {main} %x = OpLoad %float %v", ["OpDecorate: operand 3: DeviceIndex needs DeviceGroup", "OpVariable: DeviceIndex: expected the type int32"]),
        ("Input %uint3 %v = OpVariable %p Input {main} %x = OpLoad %uint3 %v", ["OpDecorate: operand 3: DeviceIndex needs DeviceGroup", "OpVariable: DeviceIndex: expected the type int32"]),
        ("Output %int %v = OpVariable %p Output {main} %n = OpUndef %int OpStore %v %n", ["OpDecorate: operand 3: DeviceIndex needs DeviceGroup", "OpVariable: DeviceIndex: expected the storage class Input", "OpStore: GLCompute does not have this storage class"]),
    ]),
    ("{}", "vulkan1.3", [
        ('{stages} OpEntryPoint Vertex %main "main" %v OpDecorate %v BuiltIn DeviceIndex {types} {more} %p = OpTypePointer Input %int %v = OpVariable %p Input {main} %x = OpLoad %int %v {end}', ["OpDecorate: operand 3: DeviceIndex needs DeviceGroup"]),
    ]),
]  # fmt: skip
INTERFACES: list[Rows] = [
    ('OpCapability Shader OpCapability Float64 OpCapability Tessellation OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" %a {} {main} {end}', "vulkan1.3", [
        ("OpDecorate %a Location 0 {types} {interface} %a = OpVariable %pi Input", []),
        ("{types} {interface} %a = OpVariable %pi Input", ["OpVariable: expected a location"]),
        ("%b OpDecorate %a Location 0 OpDecorate %b Location 0 {types} {interface} %a = OpVariable %pi Input %b = OpVariable %pi Input", ["OpEntryPoint: the locations of variable 3 overlap"]),
        ("%b OpDecorate %a Location 0 OpDecorate %b Location 1 {types} {interface} %a = OpVariable %pi Input %b = OpVariable %pi Input", []),
        ("%b OpDecorate %a Location 0 OpDecorate %b Location 0 {types} {interface} %a = OpVariable %pi Input %b = OpVariable %po Output", []),
        ("%b OpDecorate %a Location 1 OpDecorate %b Location 0 {types} {interface} %a = OpVariable %pm Input %b = OpVariable %pi Input", []),
        ("%b OpDecorate %a Location 1 OpDecorate %b Location 1 {types} {interface} %a = OpVariable %pm Input %b = OpVariable %pi Input", ["OpEntryPoint: the locations of variable 3 overlap"]),
        ("%b OpDecorate %a Location 1 OpDecorate %b Location 3 {types} {interface} %a = OpVariable %pm Input %b = OpVariable %pi Input", ["OpEntryPoint: the locations of variable 3 overlap"]),
        ("%b OpDecorate %a Location 1 OpDecorate %b Location 4 {types} {interface} %a = OpVariable %pm Input %b = OpVariable %pi Input", []),
        ("%b OpDecorate %a Location 1 OpDecorate %b Location 0 {types} {interface} %a = OpVariable %pd3 Input %b = OpVariable %pi Input", []),
        ("%b OpDecorate %a Location 1 OpDecorate %b Location 2 {types} {interface} %a = OpVariable %pd3 Input %b = OpVariable %pi Input", ["OpEntryPoint: the locations of variable 3 overlap"]),
        ("%b OpDecorate %a Location 1 OpDecorate %b Location 3 {types} {interface} %a = OpVariable %pd3 Input %b = OpVariable %pi Input", []),
        ("%b OpDecorate %a Location 0 OpDecorate %b Location 0 OpDecorate %b Component 0 {types} {interface} %a = OpVariable %pf Output %b = OpVariable %pf Output", ["OpEntryPoint: the locations of variable 3 overlap"]),
        ("%b OpDecorate %a Location 0 OpDecorate %b Location 0 OpDecorate %b Component 1 {types} {interface} %a = OpVariable %pf Output %b = OpVariable %pf Output", ["OpEntryPoint: the locations of variable 3 overlap"]),
        ("%b OpDecorate %a Location 0 OpDecorate %b Location 0 OpDecorate %b Component 2 {types} {interface} %a = OpVariable %pf Output %b = OpVariable %pf Output", []),
        ("%b OpDecorate %sf Block OpDecorate %a Location 0 OpDecorate %b Location 1 {types} {interface} %a = OpVariable %ps Output %b = OpVariable %po Output", ["OpEntryPoint: the locations of variable 3 overlap"]),
        ("%b OpDecorate %sf Block OpDecorate %a Location 0 OpDecorate %b Location 2 {types} {interface} %a = OpVariable %ps Output %b = OpVariable %po Output", []),
        ("OpDecorate %sf Block {types} {interface} %a = OpVariable %ps Output", ["OpVariable: member 0: expected a location"]),
        ("OpDecorate %sf Block OpMemberDecorate %sf 0 Location 0 OpMemberDecorate %sf 1 Location 1 {types} {interface} %a = OpVariable %ps Output", []),
        ("OpDecorate %sf Block OpMemberDecorate %sf 0 Location 1 OpMemberDecorate %sf 1 Location 1 {types} {interface} %a = OpVariable %ps Output", ["OpEntryPoint: the locations of variable 2 overlap"]),
        ("OpDecorate %sf Block OpMemberDecorate %sf 0 Location 0 OpDecorate %a Location 0 {types} {interface} %a = OpVariable %ps Output", ["OpVariable: member 0: a location beside that of the variable"]),
    ]),
    ("{}", "vulkan1.3", [
        ('OpCapability Shader OpCapability Float64 OpCapability Tessellation OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Fragment %main "main" %a %b OpExecutionMode %main OriginUpperLeft OpDecorate %a Location 0 OpDecorate %b Location 0 OpDecorate %b Index 1 {types} {interface} %a = OpVariable %po Output %b = OpVariable %po Output {main} {end}', []),
    ]),
    ('OpCapability Shader OpCapability Float64 OpCapability Tessellation OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Fragment %main "main" %a OpExecutionMode %main OriginUpperLeft OpDecorate %a Location 0 {} {main} {end}', "vulkan1.3", [
        ("{types} {interface} %a = OpVariable %pii Input", ["OpVariable: expected the decoration Flat"]),
        ("OpDecorate %a Flat {types} {interface} %a = OpVariable %pii Input", []),
        ("{types} {interface} %a = OpVariable %pid Input", ["OpVariable: expected the decoration Flat"]),
        ("OpDecorate %a Flat {types} {interface} %a = OpVariable %pi Input", []),
        ("OpDecorate %a Flat {types} {interface} %a = OpVariable %po Output", ["OpVariable: nothing is interpolated"]),
    ]),
    ('OpCapability Shader OpCapability Float64 OpCapability Tessellation OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" %a OpDecorate %a Location 0 OpDecorate %a NoPerspective {types} {interface} %a = OpVariable {} {main} {end}', "vulkan1.3", [
        ("%pi Input", ["OpVariable: nothing is interpolated"]),
        ("%po Output", []),
    ]),
    ("{}", "spv1.3", [
        ('OpCapability Shader OpCapability Float64 OpCapability Tessellation OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" %a {types} {interface} %a = OpVariable %pp Private {main} {end}', ["OpEntryPoint: expected inputs and outputs before version 1.4, got %2"]),
    ]),
    ("{}", "spv1.4", [
        ('OpCapability Shader OpCapability Float64 OpCapability Tessellation OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" %a {types} {interface} %a = OpVariable %pp Private {main} {end}', []),
    ]),
    ("{}", "spv1.3", [
        ('OpCapability Shader OpCapability Float64 OpCapability Tessellation OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" %a %a {types} {interface} %a = OpVariable %pp Private {main} {end}', ["OpEntryPoint: expected inputs and outputs before version 1.4, got %2"]),
    ]),
    ("{}", "spv1.4", [
        ('OpCapability Shader OpCapability Float64 OpCapability Tessellation OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" %a %a {types} {interface} %a = OpVariable %pp Private {main} {end}', ["OpEntryPoint: a variable twice"]),
    ]),
    ("{}", "spv1.3", [
        ('OpCapability Shader OpCapability Float64 OpCapability Tessellation OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" %void {types} {interface} %a = OpVariable %pp Private {main} {end}', ["OpEntryPoint: expected variables, got %2"]),
    ]),
    ("{}", "spv1.4", [
        ('OpCapability Shader OpCapability Float64 OpCapability Tessellation OpCapability Geometry OpMemoryModel Logical GLSL450 OpEntryPoint Vertex %main "main" %void {types} {interface} %a = OpVariable %pp Private {main} {end}', ["OpEntryPoint: expected variables, got %2"]),
    ]),
]  # fmt: skip
DEBUG: list[Rows] = [
    ("{debug} %x = OpExtInst %void %set {}", "spv1.6", [
        ("DebugTypeVector %f32 %one", []),
        ("DebugTypeVector %f32 %four", []),
        ("DebugTypeVector %f32 %five", ["OpExtInst: expected 1 to 4 components"]),
        ("DebugTypeVector %f32 %zero", ["OpExtInst: expected 1 to 4 components"]),
        ("DebugTypeVector %src %four", ["OpExtInst: Base Type: expected a result of DebugTypeBasic"]),
        ("DebugTypeArray %f32 %four", []),
        ("DebugTypeArray %f32 %fone", ["OpExtInst: expected a constant count"]),
        ("DebugTypeArray %f32 %zero", []),
        ("DebugTypeArray %name %four", ["OpExtInst: Base Type: expected a result of a debug type"]),
    ]),
    ("{debug} %x = OpExtInst %void %set DebugTypePointer {} %zero %zero", "spv1.6", [
        ("%f32", []),
        ("%file", ["OpExtInst: Base Type: expected a result of a debug type"]),
    ]),
    ("{}", "spv1.6", [
        ("{debug} %x = OpExtInst %uint %set DebugTypePointer %f32 %zero %zero", ["OpExtInst: expected the result type void"]),
    ]),
    ("{debug} %x = OpExtInst %void %set DebugSource {} %one", "spv1.6", [
        ("", ["OpExtInst: File: expected a string"]),
        ("%file", ["OpExtInst: Text: expected a string"]),
    ]),
    ("{debug} %x = OpExtInst %void %set DebugCompilationUnit {} %two", "spv1.6", [
        ("%one %four %file", ["OpExtInst: Source: expected a result of DebugSource"]),
        ("%fone %four %src", ["OpExtInst: Version: expected a constant of 32-bit uint"]),
    ]),
    ("{debug} %x = OpExtInst %void %set DebugTypeFunction %zero {} %f32", "spv1.6", [
        ("%void", []),
        ("%f32", []),
        ("%file", ["OpExtInst: Return Type: expected a result of a debug type"]),
    ]),
    ("{debug} %x = OpExtInst %void %set DebugTypeBasic {} %six %zero", "spv1.6", [
        ("%one %n32", ["OpExtInst: Name: expected a string"]),
        ("%name %fone", []),
    ]),
    ("{debug} %x = OpExtInst %void %set DebugTypedef %name %f32 {}", "spv1.6", [
        ("%src %one %one %cu", []),
        ("%src %two %three %cu", []),
        ("%src %three %one %cu", ["OpExtInst: expected a line up to 2, got 3"]),
        ("%file %one %one %cu", ["OpExtInst: Source: expected a result of DebugSource"]),
        ("%src %one %one %src", ["OpExtInst: Parent: expected a result of DebugCompilationUnit or DebugFunction or DebugLexicalBlock or DebugTypeComposite"]),
    ]),
    ("{debug} {main} %x = OpExtInst %void %set DebugLine %src {} {end}", "spv1.6", [
        ("%one %one %one %one", []),
        ("%one %one %one %three", []),
        ("%one %one %one %four", ["OpExtInst: expected a column up to 3 in line 1, got 4"]),
        ("%two %two %zero %three", []),
        ("%two %one %zero %zero", ["OpExtInst: line 1 is before line 2"]),
        ("%one %three %zero %zero", ["OpExtInst: expected a line up to 2, got 3"]),
        ("%one %one %two %one", ["OpExtInst: column 1 is before column 2"]),
        ("%one %two %two %one", []),
        ("%one %two %two %four", ["OpExtInst: expected a column up to 3 in line 2, got 4"]),
    ]),
    ("{opencl} %x = OpExtInst %void %set {}", "spv1.2", [
        ("DebugTypeVector %u32 4", []),
        ("DebugTypeVector %u32 1", []),
        ("DebugTypeVector %u32 5", ["OpExtInst: expected 1 to 4 components"]),
        ("DebugTypeVector %u32 0", ["OpExtInst: expected 1 to 4 components"]),
        ("DebugTypeArray %u32 %n32", []),
        ("DebugTypeArray %u32 %zero", ["OpExtInst: expected a constant count"]),
        ("DebugTypeArray %u32 %fone", ["OpExtInst: expected a constant count"]),
    ]),
    ("{opencl} %v = OpExtInst %void %set DebugGlobalVariable %name {} %src 1 1 %cu %name %none FlagIsLocal %x = OpExtInst %void %set DebugTypeArray %u32 %v", "spv1.2", [
        ("%u32", []),
        ("%i32", ["OpExtInst: expected a variable of an integer type"]),
    ]),
    ("{opencl} %c = OpExtInst %void %set DebugTypeComposite %name {} %src 1 1 %cu %name %n32 FlagIsPublic %d = OpExtInst %void %set DebugTypeComposite %name Structure %src 1 1 %cu %name %n32 FlagIsPublic %x = OpExtInst %void %set DebugTypeInheritance %c %d %zero %n32 FlagIsPublic", "spv1.2", [
        ("Class", []),
        ("Structure", []),
        ("Union", ["OpExtInst: expected a class or structure as child"]),
    ]),
    ("{opencl} %t = OpExtInst %void %set DebugTypeFunction FlagIsPublic %void %x = OpExtInst %void %set DebugFunction %name %t %src 1 1 %cu %name FlagIsPublic 1 {} {main} {end}", "spv1.2", [
        ("%main", []),
        ("%none", []),
        ("%uint", ["OpExtInst: Function: expected a function"]),
    ]),
    ("{}", "spv1.2", [
        ("{opencl} %x = OpExtInst %void %set DebugTypeBasic %n32 %n32 Unsigned", ["OpExtInst: Name: expected a string"]),
    ]),
    ("{opencl} %x = OpExtInst %void %set DebugTypePointer {} Function FlagIsLocal", "spv1.2", [
        ("%u32", []),
        ("%cu", ["OpExtInst: Base Type: expected a result of a debug type"]),
    ]),
]  # fmt: skip
IMAGES: list[Rows] = [
    ("{images} {types} %int = OpTypeInt 32 1 %half = OpTypeVector %float 2 %i = OpTypeImage {}", "spv1.6", [
        ("%float 2D 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float 2D 3 0 0 1 Unknown", ["OpTypeVector: a type is declared twice", "OpTypeImage: Depth: expected at most 2, got 3"]),
        ("%float 2D 2 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float 2D 0 1 1 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float 2D 0 2 0 1 Unknown", ["OpTypeVector: a type is declared twice", "OpTypeImage: Arrayed: expected at most 1, got 2"]),
        ("%float 2D 0 0 2 1 Unknown", ["OpTypeVector: a type is declared twice", "OpTypeImage: MS: expected at most 1, got 2"]),
        ("%float 2D 0 0 0 3 Unknown", ["OpTypeVector: a type is declared twice", "OpTypeImage: Sampled: expected at most 2, got 3"]),
        ("%float 2D 0 0 0 0 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%void 2D 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%half 2D 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice", "OpTypeImage: expected void, or a scalar of int or float, as texel"]),
        ("%bool 2D 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice", "OpTypeImage: expected void, or a scalar of int or float, as texel"]),
        ("%int 2D 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float SubpassData 0 0 0 2 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float SubpassData 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice", "OpTypeImage: subpass data has Sampled 2"]),
        ("%float SubpassData 0 0 0 2 Rgba8", ["OpTypeVector: a type is declared twice", "OpTypeImage: subpass data has no format"]),
        ("%float Buffer 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float Buffer 0 1 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float Buffer 1 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float Buffer 0 0 1 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float 3D 0 1 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float Cube 0 1 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float Rect 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float 2D 0 0 0 2 Rgba8", ["OpTypeVector: a type is declared twice"]),
        ("%int 2D 0 0 0 2 Rgba8", ["OpTypeVector: a type is declared twice"]),
        ("%int 2D 0 0 0 2 R32i", ["OpTypeVector: a type is declared twice"]),
        ("%float 2D 0 0 0 2 R32i", ["OpTypeVector: a type is declared twice"]),
        ("%uint 2D 0 0 0 2 R32ui", ["OpTypeVector: a type is declared twice"]),
    ]),
    ("{vertex} {types} %int = OpTypeInt 32 1 %half = OpTypeVector %float 2 %i = OpTypeImage {} {main} {end}", "vulkan1.3", [
        ("%float 2D 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float 2D 0 0 0 0 Unknown", ["OpTypeVector: a type is declared twice", "OpTypeImage: expected Sampled 1 or 2"]),
        ("%float 2D 2 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float 2D 1 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%void 2D 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice", "OpTypeImage: expected a texel of 32 bits"]),
        ("%float SubpassData 0 1 0 2 Unknown", ["OpTypeVector: a type is declared twice", "OpTypeImage: subpass data has no layers"]),
        ("%float SubpassData 0 0 0 2 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float 2D 0 0 0 2 Rgba8", ["OpTypeVector: a type is declared twice"]),
        ("%int 2D 0 0 0 2 Rgba8", ["OpTypeVector: a type is declared twice"]),
        ("%uint 2D 0 0 0 2 R32i", ["OpTypeVector: a type is declared twice"]),
        ("%float 3D 0 0 1 1 Unknown", ["OpTypeVector: a type is declared twice"]),
        ("%float 1D 0 0 0 1 Unknown", ["OpTypeVector: a type is declared twice"]),
    ]),
    ("{images} {types} %int = OpTypeInt 32 1 %half = OpTypeVector %float 2 %i = OpTypeImage %float {} Unknown %s = OpTypeSampledImage %i", "spv1.6", [
        ("2D 0 0 0 1", ["OpTypeVector: a type is declared twice"]),
        ("2D 0 0 0 2", ["OpTypeVector: a type is declared twice", "OpTypeSampledImage: expected an image with Sampled 0 or 1"]),
        ("SubpassData 0 0 0 2", ["OpTypeVector: a type is declared twice", "OpTypeSampledImage: expected an image with Sampled 0 or 1"]),
        ("Buffer 0 0 0 1", ["OpTypeVector: a type is declared twice", "OpTypeSampledImage: a buffer is not sampled since version 1.6"]),
    ]),
]  # fmt: skip
FLOW: list[Rows] = [
    ("{}", "spv1.6", [
        ("{shader} {types} {main} OpBranch %one OpFunctionEnd", ["OpBranch: expected labels"]),
        ("{shader} {types} {main} OpBranchConditional %one %a %b %a = OpLabel OpReturn %b = OpLabel {end}", ["OpBranchConditional: expected OpSelectionMerge", "OpBranchConditional: expected a condition of bool"]),
    ]),
    ("{shader} {types} {main} OpSelectionMerge %b None OpBranchConditional %true %a {} %a = OpLabel OpBranch %b %b = OpLabel {end}", "spv1.6", [
        ("%b", []),
        ("%a", ["OpBranchConditional: expected two targets since version 1.6"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} {main} OpBranchConditional %true %a %b %a = OpLabel OpReturn %b = OpLabel {end}", ["OpBranchConditional: expected OpSelectionMerge"]),
    ]),
    ("{shader} {types} {main} OpSelectionMerge %b None {} %a = OpLabel OpBranch %b %b = OpLabel {end}", "spv1.6", [
        ("OpBranchConditional %true %a %b 1 2", []),
        ("OpBranchConditional %true %a %b 0 0", []),
        ("OpSwitch %one %b 1 %a", []),
        ("OpSwitch %one %b 1 %a 1 %a", []),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} {main} OpSwitch %one %b 1 %a %a = OpLabel OpReturn %b = OpLabel {end}", ["OpSwitch: expected OpSelectionMerge"]),
        ("{shader} {types} {main} OpReturnValue %one OpFunctionEnd", ["OpReturnValue: expected the result type of the function"]),
    ]),
    ("{shader} {types} {main} OpBranch %l %l = OpLabel OpLoopMerge %e %c {} OpBranch %c %c = OpLabel OpBranchConditional %true %l %e %e = OpLabel {end}", "spv1.6", [
        ("None", []),
        ("Unroll|DontUnroll", ["OpLoopMerge: Unroll and DontUnroll exclude each other"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} {main} OpBranch %l %l = OpLabel OpLoopMerge %c %c None OpBranch %c %c = OpLabel OpBranch %l OpFunctionEnd", ["OpLoopMerge: expected another merge block than continue target"]),
        ("{shader} {types} {main} OpBranch %l %l = OpLabel OpBranchConditional %true %l %e %e = OpLabel {end}", ["OpLabel: a back edge to no loop header", "OpBranchConditional: expected OpSelectionMerge"]),
    ]),
    ("{shader} {types} {main} OpBranch %n %n = OpLabel %x = OpPhi {} {end}", "spv1.6", [
        ("%uint %one %entry", []),
        ("%uint %fone %entry", ["OpPhi: expected values of the result type"]),
        ("%uint %one %n", ["OpPhi: expected each predecessor of the block once"]),
        ("%uint %one %entry %two %entry", ["OpPhi: a block twice"]),
        ("%uint", ["OpPhi: expected each predecessor of the block once"]),
        ("%void %one %entry", ["OpPhi: expected a value", "OpPhi: expected values of the result type"]),
        ("%uint %one %one", ["OpPhi: expected each predecessor of the block once", "OpPhi: expected labels of blocks"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} {main} OpBranch %entry OpFunctionEnd", ["OpLabel: a back edge to no loop header", "OpBranch: a branch to the first block"]),
        ("{shader} {types} {main} %x = OpIAdd %uint %y %one %y = OpIAdd %uint %one %one {end}", ["OpIAdd: id 17 is defined later"]),
        ("{kernel} {types} {main} OpBranch %b %a = OpLabel OpReturn %b = OpLabel OpBranch %a OpFunctionEnd", ["OpLabel: block 16, which dominates block 17, stands behind it"]),
        ("{kernel} {types} {main} OpBranchConditional %true %b %a %a = OpLabel OpReturn %b = OpLabel OpBranch %a OpFunctionEnd", []),
        ("{kernel} {types} {main} OpReturn %a = OpLabel OpReturn %b = OpLabel OpBranch %a OpFunctionEnd", []),
        ("{shader} {types} {main} OpSelectionMerge %b None OpBranchConditional %true %a %c %a = OpLabel %x = OpIAdd %uint %one %one OpBranch %b %c = OpLabel OpBranch %b %b = OpLabel %y = OpIAdd %uint %x %one {end}", ["OpIAdd: the definition of id 19 does not dominate its use"]),
    ]),
    ("{shader} {types} %ft = OpTypeFunction %uint %f = OpFunction %uint None %ft %l = OpLabel {} OpFunctionEnd", "spv1.6", [
        ("OpReturnValue %one", []),
        ("OpReturn", ["OpReturn: expected a value"]),
        ("OpReturnValue %fone", ["OpReturnValue: expected the result type of the function"]),
        ("OpReturnValue %uint", ["OpReturnValue: id 3 is a type", "OpReturnValue: expected a value"]),
        ("OpUnreachable", []),
    ]),
]  # fmt: skip


@pytest.mark.parametrize("rows", BUILTINS)
def test_built_ins_have_types_classes_and_stages(rows: Rows) -> None:
    assert differing_modules(rows, PARTS) == []


@pytest.mark.parametrize("rows", INTERFACES)
def test_interfaces_list_variables_with_locations(rows: Rows) -> None:
    assert differing_modules(rows, PARTS) == []


@pytest.mark.parametrize("rows", DEBUG)
def test_operands_of_debug_information(rows: Rows) -> None:
    assert differing_modules(rows, PARTS) == []


@pytest.mark.parametrize("rows", IMAGES)
def test_parameters_of_image_types(rows: Rows) -> None:
    assert differing_modules(rows, PARTS) == []


@pytest.mark.parametrize("rows", FLOW)
def test_branches_merges_phis_and_returns(rows: Rows) -> None:
    assert differing_modules(rows, PARTS) == []
