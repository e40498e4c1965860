"""Variables, constants, functions and decorations: modules that keep each rule, and that break it."""
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.lines import Rows, differing_modules

VARIABLES: list[Rows] = [
    ("{shader} {types} %p = OpTypePointer Private %uint %v = OpVariable %p Private {} {main} {end}", "spv1.6", [
        ("", []),
        ("%one", []),
    ]),
    ("{shader} {types} %p = OpTypePointer Workgroup %uint %v = OpVariable %p Workgroup {} {main} {end}", "spv1.6", [
        ("", []),
        ("%one", []),
    ]),
    ("{shader} {types} %p = OpTypePointer Output %uint %v = OpVariable %p Output {} {main} {end}", "spv1.6", [
        ("", []),
        ("%one", []),
    ]),
    ("{shader} {types} %p = OpTypePointer Input %uint %v = OpVariable %p Input {} {main} {end}", "spv1.6", [
        ("", []),
        ("%one", ["OpVariable: expected none in this storage class"]),
    ]),
    ("{shader} {types} %p = OpTypePointer Uniform %uint %v = OpVariable %p Uniform {} {main} {end}", "spv1.6", [
        ("", []),
        ("%one", []),
    ]),
    ("{shader} {types} %p = OpTypePointer StorageBuffer %uint %v = OpVariable %p StorageBuffer {} {main} {end}", "spv1.6", [
        ("", []),
        ("%one", []),
    ]),
    ("{shader} {types} %p = OpTypePointer UniformConstant %uint %v = OpVariable %p UniformConstant {} {main} {end}", "spv1.6", [
        ("", []),
        ("%one", []),
    ]),
    ("{shader} {types} %p = OpTypePointer PushConstant %uint %v = OpVariable %p PushConstant {} {main} {end}", "spv1.6", [
        ("", []),
        ("%one", []),
    ]),
    ("{compute} {types} %p = OpTypePointer Private %uint %v = OpVariable %p Private {} {main} {end}", "vulkan1.3", [
        ("", []),
        ("%one", []),
    ]),
    ("{compute} {types} %p = OpTypePointer Workgroup %uint %v = OpVariable %p Workgroup {} {main} {end}", "vulkan1.3", [
        ("", []),
        ("%one", ["OpVariable: expected OpConstantNull"]),
    ]),
    ("{compute} {types} %p = OpTypePointer Output %uint %v = OpVariable %p Output {} {main} {end}", "vulkan1.3", [
        ("", []),
        ("%one", []),
    ]),
    ("{compute} {types} %p = OpTypePointer Input %uint %v = OpVariable %p Input {} {main} {end}", "vulkan1.3", [
        ("", []),
        ("%one", ["OpVariable: expected none in this storage class"]),
    ]),
    ("{compute} {types} %p = OpTypePointer Uniform %uint %v = OpVariable %p Uniform {} {main} {end}", "vulkan1.3", [
        ("", ["OpVariable: expected a structure, or an array of them"]),
        ("%one", ["OpVariable: expected none in this storage class", "OpVariable: expected a structure, or an array of them"]),
    ]),
    ("{compute} {types} %p = OpTypePointer StorageBuffer %uint %v = OpVariable %p StorageBuffer {} {main} {end}", "vulkan1.3", [
        ("", ["OpVariable: expected a structure, or an array of them"]),
        ("%one", ["OpVariable: expected none in this storage class", "OpVariable: expected a structure, or an array of them"]),
    ]),
    ("{compute} {types} %p = OpTypePointer UniformConstant %uint %v = OpVariable %p UniformConstant {} {main} {end}", "vulkan1.3", [
        ("", ["OpVariable: expected an image, a sampler or an acceleration structure"]),
        ("%one", ["OpVariable: expected none in this storage class", "OpVariable: expected an image, a sampler or an acceleration structure"]),
    ]),
    ("{compute} {types} %p = OpTypePointer PushConstant %uint %v = OpVariable %p PushConstant {} {main} {end}", "vulkan1.3", [
        ("", ["OpVariable: expected a structure"]),
        ("%one", ["OpVariable: expected none in this storage class", "OpVariable: expected a structure"]),
    ]),
    ("{}", "spv1.6", [
        ("{compute} {types} %n = OpConstantNull %uint %p = OpTypePointer Workgroup %uint %v = OpVariable %p Workgroup %n {main} {end}", []),
    ]),
    ("{}", "vulkan1.3", [
        ("{compute} {types} %n = OpConstantNull %uint %p = OpTypePointer Workgroup %uint %v = OpVariable %p Workgroup %n {main} {end}", []),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} %p = OpTypePointer Private %uint %q = OpTypePointer Private %p {main} {end}", []),
    ]),
    ("{shader} {types} %p = OpTypePointer Private %uint %v = OpVariable %p Private {}", "spv1.6", [
        ("%v2 = OpVariable %p Private %v", ["OpVariable: expected the type of the variable"]),
        ("%fone", ["OpVariable: expected the type of the variable"]),
        ("%uint", ["OpVariable: id 3 is a type", "OpVariable: expected a constant or a variable of the module"]),
        ("%undef", ["OpVariable: expected a constant or a variable of the module"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} %p = OpTypePointer Private %uint %s = OpSpecConstant %uint 3 %v = OpVariable %p Private %s", []),
        ("{shader} {types} %p = OpTypePointer Function %uint %v = OpVariable %p Function", ["OpVariable: a local variable is not at the start of a function", "OpVariable: Function is for variables of functions"]),
        ("{shader} {types} %p = OpTypePointer Private %uint {main} %v = OpVariable %p Private {end}", ["OpVariable: Function is for variables of functions"]),
        ("{shader} {types} %p = OpTypePointer Generic %uint %v = OpVariable %p Generic", ["OpTypePointer: operand 2: Generic needs GenericPointer", "OpVariable: operand 3: Generic needs GenericPointer", "OpVariable: Generic is for pointers"]),
        ("{shader} {types} %p = OpTypePointer Private %bool %v = OpVariable %p Private {main} {end}", []),
        ("{shader} {types} %p = OpTypePointer Workgroup %bool %v = OpVariable %p Workgroup {main} {end}", []),
        ("{shader} {types} %p = OpTypePointer Input %bool %v = OpVariable %p Input {main} {end}", ["OpVariable: a Boolean that is not a built-in"]),
        ("{shader} {types} %p = OpTypePointer Output %bool %v = OpVariable %p Output {main} {end}", ["OpVariable: a Boolean that is not a built-in"]),
        ("{shader} {types} %p = OpTypePointer StorageBuffer %bool %v = OpVariable %p StorageBuffer {main} {end}", ["OpVariable: a Boolean in a storage class that others see"]),
        ("{shader} {types} %p = OpTypePointer PushConstant %bool %v = OpVariable %p PushConstant {main} {end}", ["OpVariable: a Boolean in a storage class that others see"]),
    ]),
    ("{}", "vulkan1.3", [
        ("{compute} {types} %p = OpTypePointer Private %bool %v = OpVariable %p Private {main} {end}", []),
        ("{compute} {types} %p = OpTypePointer Workgroup %bool %v = OpVariable %p Workgroup {main} {end}", []),
    ]),
    ("{compute} {types} %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Input %bool %v = OpVariable %p Input", ["OpVariable: a Boolean that is not a built-in"]),
        ("Output %bool %v = OpVariable %p Output", ["OpVariable: a Boolean that is not a built-in"]),
    ]),
    ("{}", "vulkan1.3", [
        ("{compute} {types} %p = OpTypePointer StorageBuffer %bool %v = OpVariable %p StorageBuffer {main} {end}", ["OpVariable: a Boolean in a storage class that others see", "OpVariable: expected a structure, or an array of them"]),
        ("{compute} {types} %p = OpTypePointer PushConstant %bool %v = OpVariable %p PushConstant {main} {end}", ["OpVariable: a Boolean in a storage class that others see", "OpVariable: expected a structure"]),
    ]),
    ("{}", "spv1.6", [
        ("{fragment} OpDecorate %v BuiltIn FrontFacing {types} %p = OpTypePointer Input %bool %v = OpVariable %p Input {main} {end}", []),
    ]),
    ("{shader} {} {types} %s = OpTypeStruct %bool %p = OpTypePointer Input %s %v = OpVariable %p Input {main} {end}", "spv1.6", [
        ("OpMemberDecorate %s 0 BuiltIn FrontFacing OpDecorate %s Block", []),
        ("", ["OpVariable: a Boolean that is not a built-in"]),
    ]),
    ("OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %q = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %uint %p = OpTypePointer Private %q %v = OpVariable %p Private", ["OpVariable: a pointer needs VariablePointers"]),
        ("Workgroup %uint %p = OpTypePointer Private %q %v = OpVariable %p Private", ["OpVariable: a pointer needs VariablePointers"]),
        ("Private %uint %p = OpTypePointer Private %q %v = OpVariable %p Private", ["OpVariable: a pointer of another class than StorageBuffer and Workgroup"]),
        ("StorageBuffer %uint %p = OpTypePointer Workgroup %q %v = OpVariable %p Workgroup", ["OpVariable: a pointer needs VariablePointers", "OpVariable: expected Function or Private"]),
        ("Workgroup %uint %p = OpTypePointer Workgroup %q %v = OpVariable %p Workgroup", ["OpVariable: a pointer needs VariablePointers", "OpVariable: expected Function or Private"]),
        ("Private %uint %p = OpTypePointer Workgroup %q %v = OpVariable %p Workgroup", ["OpVariable: a pointer of another class than StorageBuffer and Workgroup", "OpVariable: expected Function or Private"]),
    ]),
    ('OpCapability Shader OpCapability Linkage OpCapability VariablePointersStorageBuffer OpExtension "SPV_KHR_variable_pointers" OpMemoryModel Logical GLSL450 {types} %q = OpTypePointer {} {main} {end}', "spv1.6", [
        ("StorageBuffer %uint %p = OpTypePointer Private %q %v = OpVariable %p Private", []),
        ("Workgroup %uint %p = OpTypePointer Private %q %v = OpVariable %p Private", ["OpVariable: a pointer needs VariablePointers"]),
        ("Private %uint %p = OpTypePointer Private %q %v = OpVariable %p Private", ["OpVariable: a pointer of another class than StorageBuffer and Workgroup"]),
        ("StorageBuffer %uint %p = OpTypePointer Workgroup %q %v = OpVariable %p Workgroup", ["OpVariable: expected Function or Private"]),
        ("Workgroup %uint %p = OpTypePointer Workgroup %q %v = OpVariable %p Workgroup", ["OpVariable: a pointer needs VariablePointers", "OpVariable: expected Function or Private"]),
        ("Private %uint %p = OpTypePointer Workgroup %q %v = OpVariable %p Workgroup", ["OpVariable: a pointer of another class than StorageBuffer and Workgroup", "OpVariable: expected Function or Private"]),
    ]),
    ('OpCapability Shader OpCapability Linkage OpCapability VariablePointers OpExtension "SPV_KHR_variable_pointers" OpMemoryModel Logical GLSL450 {types} %q = OpTypePointer {} {main} {end}', "spv1.6", [
        ("StorageBuffer %uint %p = OpTypePointer Private %q %v = OpVariable %p Private", []),
        ("Workgroup %uint %p = OpTypePointer Private %q %v = OpVariable %p Private", []),
        ("Private %uint %p = OpTypePointer Private %q %v = OpVariable %p Private", ["OpVariable: a pointer of another class than StorageBuffer and Workgroup"]),
        ("StorageBuffer %uint %p = OpTypePointer Workgroup %q %v = OpVariable %p Workgroup", ["OpVariable: expected Function or Private"]),
        ("Workgroup %uint %p = OpTypePointer Workgroup %q %v = OpVariable %p Workgroup", ["OpVariable: expected Function or Private"]),
        ("Private %uint %p = OpTypePointer Workgroup %q %v = OpVariable %p Workgroup", ["OpVariable: a pointer of another class than StorageBuffer and Workgroup", "OpVariable: expected Function or Private"]),
    ]),
    ("{compute} OpDecorate %v DescriptorSet 0 OpDecorate %v Binding 0 {types} %i = OpTypeImage %float 2D 0 0 0 1 Unknown %ai = OpTypeArray %i %two %sa = OpTypeSampler %st = OpTypeStruct %float %p = OpTypePointer UniformConstant {} %v = OpVariable %p UniformConstant {main} {end}", "vulkan1.3", [
        ("%i", []),
        ("%ai", []),
        ("%sa", []),
        ("%float", ["OpVariable: expected an image, a sampler or an acceleration structure"]),
        ("%st", ["OpVariable: expected an image, a sampler or an acceleration structure"]),
    ]),
    ("{compute} OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %sa = OpTypeStruct %float %ar = OpTypeArray %sa %two %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Uniform %sa %v = OpVariable %p Uniform", []),
        ("Uniform %ar %v = OpVariable %p Uniform", []),
        ("Uniform %float %v = OpVariable %p Uniform", ["OpVariable: expected a structure, or an array of them"]),
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", []),
        ("StorageBuffer %ar %v = OpVariable %p StorageBuffer", []),
        ("StorageBuffer %float %v = OpVariable %p StorageBuffer", ["OpVariable: expected a structure, or an array of them"]),
        ("PushConstant %sa %v = OpVariable %p PushConstant", []),
        ("PushConstant %ar %v = OpVariable %p PushConstant", ["OpVariable: expected a structure, not an array"]),
        ("PushConstant %float %v = OpVariable %p PushConstant", ["OpVariable: expected a structure"]),
    ]),
    ("{compute} {} OpMemberDecorate %sa 0 Offset 0 {types} %sa = OpTypeStruct %float %p = OpTypePointer Uniform %sa %v = OpVariable %p Uniform {main} {end}", "vulkan1.3", [
        ("", ["OpVariable: expected the decoration Block"]),
        ("OpDecorate %sa BufferBlock", ["OpDecorate: operand 2: BufferBlock needs version 1.3 or older"]),
    ]),
    ("{compute} {} OpMemberDecorate %sa 0 Offset 0 {types} %sa = OpTypeStruct %float %p = OpTypePointer StorageBuffer %sa %v = OpVariable %p StorageBuffer {main} {end}", "vulkan1.3", [
        ("", ["OpVariable: expected the decoration Block"]),
        ("OpDecorate %sa BufferBlock", ["OpDecorate: operand 2: BufferBlock needs version 1.3 or older", "OpVariable: expected the decoration Block"]),
    ]),
    ("{compute} {} OpMemberDecorate %sa 0 Offset 0 {types} %sa = OpTypeStruct %float %p = OpTypePointer PushConstant %sa %v = OpVariable %p PushConstant {main} {end}", "vulkan1.3", [
        ("", ["OpVariable: expected the decoration Block"]),
        ("OpDecorate %sa BufferBlock", ["OpDecorate: operand 2: BufferBlock needs version 1.3 or older", "OpVariable: expected the decoration Block"]),
    ]),
    ("{compute} OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %sa = OpTypeStruct %float %ra = OpTypeRuntimeArray %sa %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Uniform %ra %v = OpVariable %p Uniform", ["OpVariable: a runtime array needs RuntimeDescriptorArray"]),
        ("StorageBuffer %ra %v = OpVariable %p StorageBuffer", ["OpVariable: a runtime array needs RuntimeDescriptorArray"]),
        ("PushConstant %ra %v = OpVariable %p PushConstant", ["OpVariable: expected a structure, not an array", "OpVariable: a runtime array needs RuntimeDescriptorArray"]),
        ("Private %ra %v = OpVariable %p Private", ["OpVariable: the type has a layout, which this storage class does not have", "OpVariable: a runtime array needs RuntimeDescriptorArray"]),
    ]),
    ("OpCapability RuntimeDescriptorArray {compute} OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %sa = OpTypeStruct %float %ra = OpTypeRuntimeArray %sa %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Uniform %ra %v = OpVariable %p Uniform", []),
        ("StorageBuffer %ra %v = OpVariable %p StorageBuffer", []),
        ("Private %ra %v = OpVariable %p Private", ["OpVariable: the type has a layout, which this storage class does not have", "OpVariable: a runtime array of descriptors only"]),
    ]),
    ("{compute} OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 OpDecorate %ra ArrayStride 4 {types} %ra = OpTypeRuntimeArray %uint %sa = OpTypeStruct %ra %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Uniform %sa %v = OpVariable %p Uniform", ["OpTypeRuntimeArray: the stride 4 is not a multiple of 16"]),
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", []),
        ("PushConstant %sa %v = OpVariable %p PushConstant", ["OpVariable: a runtime array outside of buffers"]),
        ("Private %sa %v = OpVariable %p Private", ["OpVariable: the type has a layout, which this storage class does not have", "OpVariable: a runtime array outside of buffers"]),
    ]),
    ("{compute} OpDecorate %v Invariant {types} %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Private %float %v = OpVariable %p Private", ["OpVariable: Invariant is for inputs and outputs"]),
        ("Workgroup %float %v = OpVariable %p Workgroup", ["OpVariable: Invariant is for inputs and outputs"]),
    ]),
]  # fmt: skip
SMALL: list[Rows] = [
    ("OpCapability StorageBuffer16BitAccess OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %t = OpTypeInt 16 0 %sa = OpTypeStruct %t %p = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", []),
        ("Uniform %sa %v = OpVariable %p Uniform", ["OpVariable: values of 16 bits need a capability in this storage class"]),
        ("PushConstant %sa %v = OpVariable %p PushConstant", ["OpVariable: values of 16 bits need a capability in this storage class"]),
        ("Private %sa %v = OpVariable %p Private", ["OpVariable: values of 16 bits are not for this storage class"]),
        ("Input %sa %v = OpVariable %p Input", ["OpVariable: values of 16 bits need a capability in this storage class"]),
    ]),
    ("OpCapability UniformAndStorageBuffer16BitAccess OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %t = OpTypeFloat 16 %sa = OpTypeStruct %t %p = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", []),
        ("Uniform %sa %v = OpVariable %p Uniform", []),
        ("PushConstant %sa %v = OpVariable %p PushConstant", ["OpVariable: values of 16 bits need a capability in this storage class"]),
        ("Private %sa %v = OpVariable %p Private", ["OpVariable: values of 16 bits are not for this storage class"]),
        ("Input %sa %v = OpVariable %p Input", ["OpVariable: values of 16 bits need a capability in this storage class"]),
    ]),
    ("OpCapability StoragePushConstant16 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %t = OpTypeInt 16 0 %sa = OpTypeStruct %t %p = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", ["OpVariable: values of 16 bits need a capability in this storage class"]),
        ("Uniform %sa %v = OpVariable %p Uniform", ["OpVariable: values of 16 bits need a capability in this storage class"]),
        ("PushConstant %sa %v = OpVariable %p PushConstant", []),
        ("Private %sa %v = OpVariable %p Private", ["OpVariable: values of 16 bits are not for this storage class"]),
        ("Input %sa %v = OpVariable %p Input", ["OpVariable: values of 16 bits need a capability in this storage class"]),
    ]),
    ("OpCapability StorageInputOutput16 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %t = OpTypeFloat 16 %sa = OpTypeStruct %t %p = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", ["OpVariable: values of 16 bits need a capability in this storage class"]),
        ("Uniform %sa %v = OpVariable %p Uniform", ["OpVariable: values of 16 bits need a capability in this storage class"]),
        ("PushConstant %sa %v = OpVariable %p PushConstant", ["OpVariable: values of 16 bits need a capability in this storage class"]),
        ("Private %sa %v = OpVariable %p Private", ["OpVariable: values of 16 bits are not for this storage class"]),
        ("Input %sa %v = OpVariable %p Input", []),
    ]),
    ("OpCapability StorageBuffer8BitAccess OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %t = OpTypeInt 8 0 %sa = OpTypeStruct %t %p = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", []),
        ("Uniform %sa %v = OpVariable %p Uniform", ["OpVariable: values of 8 bits need a capability in this storage class"]),
        ("PushConstant %sa %v = OpVariable %p PushConstant", ["OpVariable: values of 8 bits need a capability in this storage class"]),
        ("Private %sa %v = OpVariable %p Private", ["OpVariable: values of 8 bits are not for this storage class"]),
        ("Input %sa %v = OpVariable %p Input", ["OpVariable: values of 8 bits are not for this storage class"]),
    ]),
    ("OpCapability UniformAndStorageBuffer8BitAccess OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %t = OpTypeInt 8 0 %sa = OpTypeStruct %t %p = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", []),
        ("Uniform %sa %v = OpVariable %p Uniform", []),
        ("PushConstant %sa %v = OpVariable %p PushConstant", ["OpVariable: values of 8 bits need a capability in this storage class"]),
        ("Private %sa %v = OpVariable %p Private", ["OpVariable: values of 8 bits are not for this storage class"]),
        ("Input %sa %v = OpVariable %p Input", ["OpVariable: values of 8 bits are not for this storage class"]),
    ]),
    ("OpCapability StoragePushConstant8 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %t = OpTypeInt 8 0 %sa = OpTypeStruct %t %p = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", ["OpVariable: values of 8 bits need a capability in this storage class"]),
        ("Uniform %sa %v = OpVariable %p Uniform", ["OpVariable: values of 8 bits need a capability in this storage class"]),
        ("PushConstant %sa %v = OpVariable %p PushConstant", []),
        ("Private %sa %v = OpVariable %p Private", ["OpVariable: values of 8 bits are not for this storage class"]),
        ("Input %sa %v = OpVariable %p Input", ["OpVariable: values of 8 bits are not for this storage class"]),
    ]),
    ("OpCapability Int16 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %t = OpTypeInt 16 0 %sa = OpTypeStruct %t %p = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", []),
        ("Uniform %sa %v = OpVariable %p Uniform", []),
        ("PushConstant %sa %v = OpVariable %p PushConstant", []),
        ("Private %sa %v = OpVariable %p Private", []),
        ("Input %sa %v = OpVariable %p Input", []),
    ]),
    ("OpCapability Int8 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %t = OpTypeInt 8 0 %sa = OpTypeStruct %t %p = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", []),
        ("Uniform %sa %v = OpVariable %p Uniform", []),
        ("PushConstant %sa %v = OpVariable %p PushConstant", []),
        ("Private %sa %v = OpVariable %p Private", []),
        ("Input %sa %v = OpVariable %p Input", []),
    ]),
    ("OpCapability Float16 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %sa Block OpMemberDecorate %sa 0 Offset 0 {types} %t = OpTypeFloat 16 %sa = OpTypeStruct %t %p = OpTypePointer {} {main} {end}", "spv1.6", [
        ("StorageBuffer %sa %v = OpVariable %p StorageBuffer", []),
        ("Uniform %sa %v = OpVariable %p Uniform", []),
        ("PushConstant %sa %v = OpVariable %p PushConstant", []),
        ("Private %sa %v = OpVariable %p Private", []),
        ("Input %sa %v = OpVariable %p Input", []),
    ]),
]  # fmt: skip
CONSTANTS: list[Rows] = [
    ("{shader} {types} %c = OpConstantTrue {}", "spv1.6", [
        ("%bool", []),
        ("%uint", ["OpConstantTrue: expected the type bool"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} %c = OpConstantFalse %float", ["OpConstantFalse: expected the type bool"]),
        ("{shader} {types} %c = OpSpecConstantTrue %uint", ["OpSpecConstantTrue: expected the type bool"]),
        ("{shader} {types} %c = OpSpecConstantFalse %bool", []),
    ]),
    ("{shader} {types} %c = OpConstantComposite {}", "spv1.6", [
        ("%uint2 %one %two", []),
        ("%uint2 %one", ["OpConstantComposite: expected 2 constituents, got 1"]),
        ("%uint2 %one %two %one", ["OpConstantComposite: expected 2 constituents, got 3"]),
        ("%uint2 %one %fone", ["OpConstantComposite: constituent 1: expected another type"]),
        ("%uint2 %one %undef", []),
        ("%uint2 %one %uint", ["OpConstantComposite: id 3 is a type", "OpConstantComposite: expected constants"]),
        ("%uint %one", ["OpConstantComposite: expected a composite type"]),
    ]),
    ("{shader} {types} %a = OpTypeArray %uint %two %c = OpConstantComposite %a %one {}", "spv1.6", [
        ("%two", []),
        ("", ["OpConstantComposite: expected 2 constituents, got 1"]),
        ("%fone", ["OpConstantComposite: constituent 1: expected another type"]),
    ]),
    ("{shader} {types} %a = OpTypeStruct %uint %float %c = OpConstantComposite %a {}", "spv1.6", [
        ("%one %fone", []),
        ("%fone %one", ["OpConstantComposite: constituent 0: expected another type"]),
        ("%one", ["OpConstantComposite: expected 2 constituents, got 1"]),
    ]),
    ("{shader} {types} %m = OpTypeMatrix %float2 2 %n = OpConstantNull %float2 %c = OpConstantComposite %m %n {}", "spv1.6", [
        ("%n", []),
        ("", ["OpConstantComposite: expected 2 constituents, got 1"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} %m = OpTypeMatrix %float2 2 %c = OpConstantComposite %m %fone %fone", ["OpConstantComposite: constituent 0: expected another type"]),
        ("{shader} {types} %c = OpSpecConstantComposite %uint2 %one %two", []),
        ("{shader} {types} %s = OpSpecConstant %uint 1 %c = OpSpecConstantComposite %uint2 %s %two", []),
        ("{shader} {types} %s = OpSpecConstant %uint 1 %a = OpTypeArray %uint %s %c = OpSpecConstantComposite %a %one %two", []),
        ("{shader} {types} %c = OpConstantNull %float2", []),
        ("{shader} {types} %s = OpTypeSampler %c = OpConstantNull %s", ["OpConstantNull: the type has no null value"]),
        ("{shader} {types} %c = OpConstantNull %void", ["OpConstantNull: the type has no null value"]),
        ("{shader} {types} %c = OpConstantNull %one", ["OpConstantNull: id 9 is not a type", "OpConstantNull: the type has no null value"]),
    ]),
    ("{shader} {types} %a = {} %c = OpConstantNull %a", "spv1.6", [
        ("OpTypeStruct %float2 %uint", []),
        ("OpTypeRuntimeArray %float", ["OpConstantNull: the type has no null value"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} %p = OpTypePointer Private %float %c = OpConstantNull %p", ["OpConstantNull: a pointer of this storage class is not computed"]),
    ]),
    ("{shader} {types} %c = OpSpecConstantOp {}", "spv1.6", [
        ("%uint IAdd %one %two", []),
        ("%float FAdd %fone %fone", ["OpSpecConstantOp: expected the capability Kernel"]),
        ("%float QuantizeToF16 %fone", []),
        ("%bool LogicalNot %true", []),
        ("%uint Select %true %one %two", []),
        ("%uint IAdd %one %undef", []),
        ("%uint SatConvertSToU %one", ["OpSpecConstantOp: the operation is not one of specialisation constants"]),
        ("%uint BitCount %one", ["OpSpecConstantOp: the operation is not one of specialisation constants"]),
        ("%uint CompositeExtract %uint2 0", ["OpSpecConstantOp: id 5 is a type"]),
    ]),
    ("{shader} {types} %n = OpConstantNull %uint2 %c = OpSpecConstantOp {}", "spv1.6", [
        ("%uint CompositeExtract %n 1", []),
        ("%uint2 VectorShuffle %n %n 0 3", []),
        ("%uint2 CompositeInsert %one %n 0", []),
    ]),
    ("{shader} {types} %u = OpUndef {}", "spv1.6", [
        ("%void", ["OpUndef: expected a type other than void"]),
        ("%uint2", []),
    ]),
    ("OpCapability Int64 OpCapability Int16 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %l = OpTypeInt 64 0 %s = OpTypeInt 16 0 %i = OpTypeInt 16 1 %c = {}", "spv1.6", [
        ("OpConstant %l 5", []),
        ("OpConstant %s 65535", []),
        ("OpConstant %i -1", []),
        ("OpConstant %i 32767", []),
        ("OpSpecConstantOp %l UConvert %one", []),
        ("OpSpecConstantOp %l SConvert %one", []),
    ]),
    ("{}", "spv1.3", [
        ("OpCapability Int64 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %l = OpTypeInt 64 0 %c = OpSpecConstantOp %l UConvert %one", ["OpSpecConstantOp: UConvert needs version 1.4"]),
    ]),
    ("{}", "spv1.4", [
        ("OpCapability Int64 OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %l = OpTypeInt 64 0 %c = OpSpecConstantOp %l UConvert %one", []),
    ]),
    ("{shader} {types} %c = OpSpecConstantOp %uint {} %one %one", "spv1.3", [
        ("UDiv", []),
        ("UMod", []),
        ("SDiv", []),
        ("SMod", []),
        ("SRem", []),
        ("ShiftLeftLogical", []),
        ("ShiftRightLogical", []),
        ("ShiftRightArithmetic", []),
        ("BitwiseOr", []),
        ("BitwiseXor", []),
        ("BitwiseAnd", []),
        ("IMul", []),
        ("ISub", []),
    ]),
    ("OpCapability Kernel OpCapability Addresses OpCapability Linkage OpCapability Float64 OpMemoryModel Physical32 OpenCL %f = OpTypeFloat 32 %u = OpTypeInt 32 0 %one = OpConstant %u 1 %c1 = OpConstant %f 1 %c = OpSpecConstantOp {}", "spv1.6", [
        ("%f FAdd %c1 %c1", []),
        ("%f FMul %c1 %c1", []),
        ("%u ConvertFToU %c1", []),
        ("%f ConvertUToF %one", []),
        ("%f FNegate %c1", []),
        ("%f QuantizeToF16 %c1", ["OpSpecConstantOp: expected the capability Shader"]),
        ("%u FOrdEqual %c1 %c1", ["OpSpecConstantOp: the operation is not one of specialisation constants", "OpSpecConstantOp: expected a scalar or vector of bool as result"]),
        ("%f FRem %c1 %c1", []),
    ]),
]  # fmt: skip
FUNCTIONS: list[Rows] = [
    ("{}", "spv1.6", [
        ("{shader} {types} %ft = OpTypeFunction %uint %float %uint %f = OpFunction %uint None %ft %a = OpFunctionParameter %float %b = OpFunctionParameter %uint %l = OpLabel OpReturnValue %b OpFunctionEnd", []),
        ("{shader} {types} %ft = OpTypeFunction %uint %float %uint %f = OpFunction %float None %ft %a = OpFunctionParameter %float %b = OpFunctionParameter %uint %l = OpLabel OpReturnValue %a OpFunctionEnd", ["OpFunction: expected the result type of the function type"]),
    ]),
    ("{shader} {types} %ft = OpTypeFunction %uint %float %uint %f = OpFunction %uint None {} %l = OpLabel OpReturnValue %one OpFunctionEnd", "spv1.6", [
        ("%uint", ["OpFunction: expected a function type"]),
        ("%ft %a = OpFunctionParameter %float", ["OpFunctionEnd: expected 2 parameters, got 1"]),
        ("%ft %a = OpFunctionParameter %float %b = OpFunctionParameter %float", ["OpFunctionParameter: expected the type of the function type"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} %ft = OpTypeFunction %uint %float %uint %f = OpFunction %uint None %ft %a = OpFunctionParameter %float %b = OpFunctionParameter %uint %c = OpFunctionParameter %uint %l = OpLabel OpReturnValue %b OpFunctionEnd", ["OpFunctionParameter: expected 2 parameters"]),
    ]),
    ("{shader} {types} %ft = OpTypeFunction %uint %float %uint {main} %c = {} {end} %f = OpFunction %uint None %ft %a = OpFunctionParameter %float %b = OpFunctionParameter %uint %l = OpLabel OpReturnValue %b OpFunctionEnd", "spv1.6", [
        ("OpFunctionCall %uint %f %fone %one", []),
        ("OpFunctionCall %float %f %fone %one", ["OpFunctionCall: expected the result type of the function"]),
        ("OpFunctionCall %uint %f %fone", ["OpFunctionCall: expected 2 arguments, got 1"]),
        ("OpFunctionCall %uint %f %fone %one %one", ["OpFunctionCall: expected 2 arguments, got 3"]),
        ("OpFunctionCall %uint %f %one %one", ["OpFunctionCall: an argument of another type than the parameter"]),
        ("OpFunctionCall %uint %f %fone %fone", ["OpFunctionCall: an argument of another type than the parameter"]),
        ("OpFunctionCall %uint %one %fone %one", ["OpFunctionCall: expected a function"]),
        ("OpCopyObject %uint %f", ["OpCopyObject: id 18 is defined later", "OpCopyObject: a function is used as a value"]),
    ]),
    ('OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Function %uint %s = OpTypeStruct %uint %ps = OpTypePointer Function %s %ft = OpTypeFunction %void %p {main} %v = OpVariable %p Function %w = OpVariable %ps Function {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Private %uint %s = OpTypeStruct %uint %ps = OpTypePointer Private %s %v = OpVariable %p Private %w = OpVariable %ps Private %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Workgroup %uint %s = OpTypeStruct %uint %ps = OpTypePointer Workgroup %s %v = OpVariable %p Workgroup %w = OpVariable %ps Workgroup %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer StorageBuffer %uint %s = OpTypeStruct %uint %ps = OpTypePointer StorageBuffer %s %v = OpVariable %p StorageBuffer %w = OpVariable %ps StorageBuffer %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: StorageBuffer needs VariablePointers"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: StorageBuffer needs VariablePointers", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Uniform %uint %s = OpTypeStruct %uint %ps = OpTypePointer Uniform %s %v = OpVariable %p Uniform %w = OpVariable %ps Uniform %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer UniformConstant %uint %s = OpTypeStruct %uint %ps = OpTypePointer UniformConstant %s %v = OpVariable %p UniformConstant %w = OpVariable %ps UniformConstant %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
    ]),
    ('OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Input %uint %s = OpTypeStruct %uint %ps = OpTypePointer Input %s %v = OpVariable %p Input %w = OpVariable %ps Input %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpCapability VariablePointersStorageBuffer OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("Function %uint %s = OpTypeStruct %uint %ps = OpTypePointer Function %s %ft = OpTypeFunction %void %p {main} %v = OpVariable %p Function %w = OpVariable %ps Function %c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("Function %uint %s = OpTypeStruct %uint %ps = OpTypePointer Function %s %ft = OpTypeFunction %void %p {main} %v = OpVariable %p Function %w = OpVariable %ps Function %e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: expected a variable or parameter as pointer"]),
        ("Private %uint %s = OpTypeStruct %uint %ps = OpTypePointer Private %s %v = OpVariable %p Private %w = OpVariable %ps Private %ft = OpTypeFunction %void %p {main} %c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("Private %uint %s = OpTypeStruct %uint %ps = OpTypePointer Private %s %v = OpVariable %p Private %w = OpVariable %ps Private %ft = OpTypeFunction %void %p {main} %e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: expected a variable or parameter as pointer"]),
        ("Workgroup %uint %s = OpTypeStruct %uint %ps = OpTypePointer Workgroup %s %v = OpVariable %p Workgroup %w = OpVariable %ps Workgroup %ft = OpTypeFunction %void %p {main} %c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("Workgroup %uint %s = OpTypeStruct %uint %ps = OpTypePointer Workgroup %s %v = OpVariable %p Workgroup %w = OpVariable %ps Workgroup %ft = OpTypeFunction %void %p {main} %e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: expected a variable or parameter as pointer"]),
        ("StorageBuffer %uint %s = OpTypeStruct %uint %ps = OpTypePointer StorageBuffer %s %v = OpVariable %p StorageBuffer %w = OpVariable %ps StorageBuffer %ft = OpTypeFunction %void %p {main} %c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
    ]),
    ("{}", "spv1.6", [
        ('OpCapability VariablePointersStorageBuffer OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer StorageBuffer %uint %s = OpTypeStruct %uint %ps = OpTypePointer StorageBuffer %s %v = OpVariable %p StorageBuffer %w = OpVariable %ps StorageBuffer %ft = OpTypeFunction %void %p {main} %e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
    ]),
    ('OpCapability VariablePointersStorageBuffer OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("Uniform %uint %s = OpTypeStruct %uint %ps = OpTypePointer Uniform %s %v = OpVariable %p Uniform %w = OpVariable %ps Uniform %ft = OpTypeFunction %void %p {main} %c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed"]),
        ("Uniform %uint %s = OpTypeStruct %uint %ps = OpTypePointer Uniform %s %v = OpVariable %p Uniform %w = OpVariable %ps Uniform %ft = OpTypeFunction %void %p {main} %e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed", "OpFunctionCall: expected a variable or parameter as pointer"]),
        ("UniformConstant %uint %s = OpTypeStruct %uint %ps = OpTypePointer UniformConstant %s %v = OpVariable %p UniformConstant %w = OpVariable %ps UniformConstant %ft = OpTypeFunction %void %p {main} %c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
    ]),
    ("{}", "spv1.6", [
        ('OpCapability VariablePointersStorageBuffer OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer UniformConstant %uint %s = OpTypeStruct %uint %ps = OpTypePointer UniformConstant %s %v = OpVariable %p UniformConstant %w = OpVariable %ps UniformConstant %ft = OpTypeFunction %void %p {main} %e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
    ]),
    ('OpCapability VariablePointersStorageBuffer OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Input %uint %s = OpTypeStruct %uint %ps = OpTypePointer Input %s %v = OpVariable %p Input %w = OpVariable %ps Input %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpCapability VariablePointers OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Function %uint %s = OpTypeStruct %uint %ps = OpTypePointer Function %s %ft = OpTypeFunction %void %p {main} %v = OpVariable %p Function %w = OpVariable %ps Function {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpCapability VariablePointers OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Private %uint %s = OpTypeStruct %uint %ps = OpTypePointer Private %s %v = OpVariable %p Private %w = OpVariable %ps Private %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpCapability VariablePointers OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Workgroup %uint %s = OpTypeStruct %uint %ps = OpTypePointer Workgroup %s %v = OpVariable %p Workgroup %w = OpVariable %ps Workgroup %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
    ]),
    ('OpCapability VariablePointers OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer StorageBuffer %uint %s = OpTypeStruct %uint %ps = OpTypePointer StorageBuffer %s %v = OpVariable %p StorageBuffer %w = OpVariable %ps StorageBuffer %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
    ]),
    ('OpCapability VariablePointers OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Uniform %uint %s = OpTypeStruct %uint %ps = OpTypePointer Uniform %s %v = OpVariable %p Uniform %w = OpVariable %ps Uniform %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpCapability VariablePointers OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer UniformConstant %uint %s = OpTypeStruct %uint %ps = OpTypePointer UniformConstant %s %v = OpVariable %p UniformConstant %w = OpVariable %ps UniformConstant %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
    ]),
    ('OpCapability VariablePointers OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer Input %uint %s = OpTypeStruct %uint %ps = OpTypePointer Input %s %v = OpVariable %p Input %w = OpVariable %ps Input %ft = OpTypeFunction %void %p {main} {} {end} %f = OpFunction %void None %ft %a = OpFunctionParameter %p %l = OpLabel {end}', "spv1.6", [
        ("%c = OpFunctionCall %void %f %v", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed"]),
        ("%e = OpAccessChain %p %w %zero %c = OpFunctionCall %void %f %e", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer of this class is not passed", "OpFunctionCall: expected a variable or parameter as pointer"]),
    ]),
    ('OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer {} %ft = OpTypeFunction %p {main} %c = OpFunctionCall %p %f {end} %f = OpFunction %p None %ft %l = OpLabel OpReturnValue %v OpFunctionEnd', "spv1.6", [
        ("Private %uint %v = OpVariable %p Private", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer as result needs VariablePointers", "OpFunctionCall: a pointer of this storage class is not computed", "OpReturnValue: a pointer is not returned"]),
        ("Workgroup %uint %v = OpVariable %p Workgroup", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer as result needs VariablePointers", "OpFunctionCall: computing a pointer needs VariablePointers"]),
        ("StorageBuffer %uint %v = OpVariable %p StorageBuffer", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer as result needs VariablePointers", "OpFunctionCall: computing a pointer needs VariablePointers"]),
    ]),
    ('OpCapability VariablePointersStorageBuffer OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer {} %ft = OpTypeFunction %p {main} %c = OpFunctionCall %p %f {end} %f = OpFunction %p None %ft %l = OpLabel OpReturnValue %v OpFunctionEnd', "spv1.6", [
        ("Private %uint %v = OpVariable %p Private", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer as result needs VariablePointers", "OpFunctionCall: a pointer of this storage class is not computed", "OpReturnValue: a pointer is not returned"]),
        ("Workgroup %uint %v = OpVariable %p Workgroup", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer as result needs VariablePointers", "OpFunctionCall: computing a pointer needs VariablePointers"]),
        ("StorageBuffer %uint %v = OpVariable %p StorageBuffer", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
    ]),
    ('OpCapability VariablePointers OpExtension "SPV_KHR_variable_pointers" OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {types} %p = OpTypePointer {} %ft = OpTypeFunction %p {main} %c = OpFunctionCall %p %f {end} %f = OpFunction %p None %ft %l = OpLabel OpReturnValue %v OpFunctionEnd', "spv1.6", [
        ("Private %uint %v = OpVariable %p Private", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section", "OpFunctionCall: a pointer as result needs VariablePointers", "OpFunctionCall: a pointer of this storage class is not computed", "OpReturnValue: a pointer is not returned"]),
        ("Workgroup %uint %v = OpVariable %p Workgroup", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
        ("StorageBuffer %uint %v = OpVariable %p StorageBuffer", ["OpCapability: an instruction of an earlier section", "OpCapability: an instruction of an earlier section"]),
    ]),
]  # fmt: skip
DECORATIONS: list[Rows] = [
    ("{shader} OpDecorate {} {types} %s = OpTypeStruct %float %ar = OpTypeArray %uint %two %p = OpTypePointer Private %float %v = OpVariable %p Private", "spv1.6", [
        ("%s Block", []),
        ("%ar Block", ["OpDecorate: Block: expected a structure"]),
        ("%v Block", ["OpDecorate: Block: expected a structure"]),
        ("%p Block", ["OpDecorate: Block: expected a structure"]),
        ("%one Block", ["OpDecorate: Block: expected a structure"]),
        ("%s ArrayStride 4", ["OpDecorate: ArrayStride: expected an array or a pointer type"]),
        ("%ar ArrayStride 4", []),
        ("%v ArrayStride 4", ["OpDecorate: ArrayStride: expected an array or a pointer type"]),
        ("%p ArrayStride 4", []),
        ("%one ArrayStride 4", ["OpDecorate: ArrayStride: expected an array or a pointer type"]),
        ("%s Location 0", ["OpDecorate: Location: expected a variable"]),
        ("%ar Location 0", ["OpDecorate: Location: expected a variable"]),
        ("%v Location 0", []),
        ("%p Location 0", ["OpDecorate: Location: expected a variable"]),
        ("%one Location 0", ["OpDecorate: Location: expected a variable"]),
        ("%s Flat", ["OpDecorate: Flat: expected a variable or a parameter"]),
        ("%ar Flat", ["OpDecorate: Flat: expected a variable or a parameter"]),
        ("%v Flat", []),
        ("%p Flat", ["OpDecorate: Flat: expected a variable or a parameter"]),
        ("%one Flat", ["OpDecorate: Flat: expected a variable or a parameter"]),
        ("%s RelaxedPrecision", ["OpDecorate: RelaxedPrecision: expected a value, a variable or a member"]),
        ("%ar RelaxedPrecision", ["OpDecorate: RelaxedPrecision: expected a value, a variable or a member"]),
        ("%v RelaxedPrecision", []),
        ("%p RelaxedPrecision", ["OpDecorate: RelaxedPrecision: expected a value, a variable or a member"]),
        ("%one RelaxedPrecision", []),
        ("%s NonWritable", ["OpDecorate: NonWritable: expected a variable or a parameter"]),
        ("%ar NonWritable", ["OpDecorate: NonWritable: expected a variable or a parameter"]),
        ("%v NonWritable", []),
        ("%p NonWritable", ["OpDecorate: NonWritable: expected a variable or a parameter"]),
        ("%one NonWritable", ["OpDecorate: NonWritable: expected a variable or a parameter"]),
        ("%s Binding 0", ["OpDecorate: Binding: expected a variable"]),
        ("%ar Binding 0", ["OpDecorate: Binding: expected a variable"]),
        ("%v Binding 0", []),
        ("%p Binding 0", ["OpDecorate: Binding: expected a variable"]),
        ("%one Binding 0", ["OpDecorate: Binding: expected a variable"]),
        ("%s Restrict", ["OpDecorate: Restrict: expected a variable or a parameter"]),
        ("%ar Restrict", ["OpDecorate: Restrict: expected a variable or a parameter"]),
        ("%v Restrict", []),
        ("%p Restrict", ["OpDecorate: Restrict: expected a variable or a parameter"]),
        ("%one Restrict", ["OpDecorate: Restrict: expected a variable or a parameter"]),
        ("%s Coherent", ["OpDecorate: Coherent: expected a variable or a parameter"]),
        ("%ar Coherent", ["OpDecorate: Coherent: expected a variable or a parameter"]),
        ("%v Coherent", []),
        ("%p Coherent", ["OpDecorate: Coherent: expected a variable or a parameter"]),
        ("%one Coherent", ["OpDecorate: Coherent: expected a variable or a parameter"]),
        ("%s RowMajor", ["OpDecorate: RowMajor is for members"]),
        ("%ar RowMajor", ["OpDecorate: RowMajor is for members"]),
        ("%v RowMajor", ["OpDecorate: RowMajor is for members"]),
        ("%p RowMajor", ["OpDecorate: RowMajor is for members"]),
        ("%one RowMajor", ["OpDecorate: RowMajor is for members"]),
        ("%s NoSignedWrap", ["OpDecorate: NoSignedWrap: expected an integer operation that may wrap"]),
        ("%ar NoSignedWrap", ["OpDecorate: NoSignedWrap: expected an integer operation that may wrap"]),
        ("%v NoSignedWrap", ["OpDecorate: NoSignedWrap: expected an integer operation that may wrap"]),
        ("%p NoSignedWrap", ["OpDecorate: NoSignedWrap: expected an integer operation that may wrap"]),
        ("%one NoSignedWrap", ["OpDecorate: NoSignedWrap: expected an integer operation that may wrap"]),
        ("%s Invariant", ["OpDecorate: Invariant: expected a variable"]),
        ("%ar Invariant", ["OpDecorate: Invariant: expected a variable"]),
        ("%v Invariant", []),
        ("%p Invariant", ["OpDecorate: Invariant: expected a variable"]),
        ("%one Invariant", ["OpDecorate: Invariant: expected a variable"]),
        ("%s GLSLPacked", []),
        ("%ar GLSLPacked", ["OpDecorate: GLSLPacked: expected a structure"]),
        ("%v GLSLPacked", ["OpDecorate: GLSLPacked: expected a structure"]),
        ("%p GLSLPacked", ["OpDecorate: GLSLPacked: expected a structure"]),
        ("%one GLSLPacked", ["OpDecorate: GLSLPacked: expected a structure"]),
    ]),
    ("{compute} OpDecorate %v Location 0 {types} %s = OpTypeStruct %float %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Private %s %v = OpVariable %p Private", ["OpDecorate: Location: expected an input or output"]),
        ("Input %s %v = OpVariable %p Input", []),
        ("Output %s %v = OpVariable %p Output", []),
        ("Workgroup %s %v = OpVariable %p Workgroup", ["OpDecorate: Location: expected an input or output"]),
    ]),
    ("{compute} OpDecorate %v Component 1 {types} %s = OpTypeStruct %float %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Private %s %v = OpVariable %p Private", ["OpDecorate: Component: expected an input or output"]),
        ("Input %s %v = OpVariable %p Input", []),
        ("Output %s %v = OpVariable %p Output", []),
        ("Workgroup %s %v = OpVariable %p Workgroup", ["OpDecorate: Component: expected an input or output"]),
    ]),
    ("{compute} OpDecorate %v Binding 0 {types} %s = OpTypeStruct %float %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Private %s %v = OpVariable %p Private", ["OpDecorate: Binding: expected a buffer, an image or a sampler"]),
        ("Input %s %v = OpVariable %p Input", ["OpDecorate: Binding: expected a buffer, an image or a sampler"]),
        ("Output %s %v = OpVariable %p Output", ["OpDecorate: Binding: expected a buffer, an image or a sampler"]),
        ("Workgroup %s %v = OpVariable %p Workgroup", ["OpDecorate: Binding: expected a buffer, an image or a sampler"]),
    ]),
    ("{compute} OpDecorate %v DescriptorSet 0 {types} %s = OpTypeStruct %float %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Private %s %v = OpVariable %p Private", ["OpDecorate: DescriptorSet: expected a buffer, an image or a sampler"]),
        ("Input %s %v = OpVariable %p Input", ["OpDecorate: DescriptorSet: expected a buffer, an image or a sampler"]),
        ("Output %s %v = OpVariable %p Output", ["OpDecorate: DescriptorSet: expected a buffer, an image or a sampler"]),
        ("Workgroup %s %v = OpVariable %p Workgroup", ["OpDecorate: DescriptorSet: expected a buffer, an image or a sampler"]),
    ]),
    ("{compute} OpDecorate %v Index 1 {types} %s = OpTypeStruct %float %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Private %s %v = OpVariable %p Private", ["OpDecorate: Index: expected an output"]),
        ("Input %s %v = OpVariable %p Input", ["OpDecorate: Index: expected an output"]),
        ("Output %s %v = OpVariable %p Output", []),
        ("Workgroup %s %v = OpVariable %p Workgroup", ["OpDecorate: Index: expected an output"]),
    ]),
    ("{compute} OpDecorate %v Flat {types} %s = OpTypeStruct %float %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Private %s %v = OpVariable %p Private", ["OpDecorate: Flat: expected an input or output"]),
        ("Input %s %v = OpVariable %p Input", []),
        ("Output %s %v = OpVariable %p Output", []),
        ("Workgroup %s %v = OpVariable %p Workgroup", ["OpDecorate: Flat: expected an input or output"]),
    ]),
    ("{compute} OpDecorate %v Centroid {types} %s = OpTypeStruct %float %p = OpTypePointer {} {main} {end}", "vulkan1.3", [
        ("Private %s %v = OpVariable %p Private", ["OpDecorate: Centroid: expected an input or output"]),
        ("Input %s %v = OpVariable %p Input", []),
        ("Output %s %v = OpVariable %p Output", []),
        ("Workgroup %s %v = OpVariable %p Workgroup", ["OpDecorate: Centroid: expected an input or output"]),
    ]),
    ("{shader} OpMemberDecorate {} {types} %s = OpTypeStruct %float %uint", "spv1.6", [
        ("%s 0 Offset 0", []),
        ("%s 1 Offset 4", []),
        ("%s 2 Offset 4", ["OpMemberDecorate: expected a member below 2, got 2"]),
        ("%float 0 Offset 0", ["OpMemberDecorate: expected a structure"]),
        ("%s 0 Block", ["OpMemberDecorate: Block is not for members"]),
        ("%s 0 Binding 1", ["OpMemberDecorate: Binding is not for members"]),
        ("%s 0 NonWritable", []),
        ("%s 0 Offset 0 OpMemberDecorate %s 0 Offset 4", ["OpMemberDecorate: Offset twice"]),
        ("%s 0 RowMajor OpMemberDecorate %s 0 ColMajor", ["OpTypeStruct: RowMajor and ColMajor exclude each other"]),
    ]),
    ("{shader} {} {types} %s = OpTypeStruct %float %uint", "spv1.6", [
        ("OpDecorate %s Block OpDecorate %s BufferBlock", ["OpDecorate: operand 2: BufferBlock needs version 1.3 or older", "OpTypeStruct: Block and BufferBlock exclude each other"]),
        ("OpDecorate %s Block OpDecorate %s Block", ["OpDecorate: Block twice"]),
        ('OpMemberName %s 0 "a"', []),
        ('OpMemberName %s 1 "a"', []),
        ('OpMemberName %s 2 "a"', ["OpMemberName: expected a member below 2, got 2"]),
        ('OpMemberName %float 0 "a"', ["OpMemberName: expected a structure"]),
    ]),
    ("{shader} OpDecorate {} {types} %p = OpTypePointer Private %float %v = OpVariable %p Private", "spv1.6", [
        ("%v Aliased OpDecorate %v Restrict", ["OpVariable: Aliased and Restrict exclude each other"]),
        ("%v Aliased", []),
        ("%g Restrict %g = OpDecorationGroup OpGroupDecorate %g %v", []),
        ("%g Restrict %g = OpDecorationGroup OpGroupDecorate %v %v", ["OpGroupDecorate: id 2 is defined later", "OpGroupDecorate: expected a decoration group"]),
        ("%g Restrict %g = OpDecorationGroup %h = OpDecorationGroup OpGroupDecorate %g %h", ["OpGroupDecorate: a group in a group"]),
    ]),
    ("{shader} OpDecorate %g Offset 0 %g = OpDecorationGroup OpGroupMemberDecorate {} {types} %s = OpTypeStruct %float %uint", "spv1.6", [
        ("%g %s 0", []),
        ("%g %s 1", []),
        ("%g %s 2", ["OpGroupMemberDecorate: expected a member, got 2"]),
        ("%g %float 0", ["OpGroupMemberDecorate: expected structures"]),
        ("%s %s 0", ["OpGroupMemberDecorate: id 2 is defined later", "OpGroupMemberDecorate: expected a decoration group"]),
    ]),
    ("{}", "spv1.3", [
        ("{shader} OpDecorate %v NonWritable {types} %s = OpTypeStruct %float %i = OpTypeImage %float 2D 0 0 0 1 Unknown %p = OpTypePointer Private %float %v = OpVariable %p Private {main} {end}", ["OpDecorate: NonWritable: expected memory that others see"]),
        ("{shader} OpDecorate %v NonWritable {types} %p = OpTypePointer Function %float {main} %v = OpVariable %p Function {end}", ["OpDecorate: NonWritable: expected memory that others see"]),
    ]),
    ("{shader} OpDecorate %v NonWritable {types} %s = OpTypeStruct %float %i = OpTypeImage %float 2D 0 0 0 {} {main} {end}", "spv1.3", [
        ("1 Unknown %p = OpTypePointer UniformConstant %i %v = OpVariable %p UniformConstant", ["OpDecorate: NonWritable: expected a storage image"]),
        ("2 Unknown %p = OpTypePointer UniformConstant %i %v = OpVariable %p UniformConstant", []),
        ("1 Unknown %p = OpTypePointer StorageBuffer %s %v = OpVariable %p StorageBuffer", ["OpDecorate: NonWritable: expected a block"]),
        ("1 Unknown %p = OpTypePointer Workgroup %float %v = OpVariable %p Workgroup", ["OpDecorate: NonWritable: expected a buffer or an image"]),
        ("1 Unknown %p = OpTypePointer Input %float %v = OpVariable %p Input", ["OpDecorate: NonWritable: expected a buffer or an image"]),
    ]),
    ("{}", "spv1.4", [
        ("{shader} OpDecorate %v NonWritable {types} %s = OpTypeStruct %float %i = OpTypeImage %float 2D 0 0 0 1 Unknown %p = OpTypePointer Private %float %v = OpVariable %p Private {main} {end}", []),
        ("{shader} OpDecorate %v NonWritable {types} %p = OpTypePointer Function %float {main} %v = OpVariable %p Function {end}", []),
    ]),
    ("{shader} OpDecorate %v NonWritable {types} %s = OpTypeStruct %float %i = OpTypeImage %float 2D 0 0 0 {} {main} {end}", "spv1.4", [
        ("1 Unknown %p = OpTypePointer UniformConstant %i %v = OpVariable %p UniformConstant", ["OpDecorate: NonWritable: expected a storage image"]),
        ("2 Unknown %p = OpTypePointer UniformConstant %i %v = OpVariable %p UniformConstant", []),
        ("1 Unknown %p = OpTypePointer StorageBuffer %s %v = OpVariable %p StorageBuffer", ["OpDecorate: NonWritable: expected a block"]),
        ("1 Unknown %p = OpTypePointer Workgroup %float %v = OpVariable %p Workgroup", ["OpDecorate: NonWritable: expected a buffer or an image"]),
        ("1 Unknown %p = OpTypePointer Input %float %v = OpVariable %p Input", ["OpDecorate: NonWritable: expected a buffer or an image"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} OpDecorate %s Block OpDecorate %v NonWritable {types} %s = OpTypeStruct %float %a = OpTypeArray %s %two %p = OpTypePointer StorageBuffer %s %v = OpVariable %p StorageBuffer", ["OpTypeStruct: member 0: expected Offset"]),
        ("{shader} OpDecorate %s BufferBlock OpDecorate %v NonWritable {types} %s = OpTypeStruct %float %a = OpTypeArray %s %two %p = OpTypePointer Uniform %s %v = OpVariable %p Uniform", ["OpDecorate: operand 2: BufferBlock needs version 1.3 or older", "OpTypeStruct: member 0: expected Offset"]),
    ]),
    ("{shader} OpDecorate %s Block OpDecorate %v NonWritable {types} %s = OpTypeStruct %float %a = OpTypeArray %s %two %p = OpTypePointer {}", "spv1.6", [
        ("Uniform %a %v = OpVariable %p Uniform", ["OpTypeStruct: member 0: expected Offset"]),
        ("PushConstant %s %v = OpVariable %p PushConstant", ["OpDecorate: NonWritable: expected a buffer or an image", "OpTypeStruct: member 0: expected Offset"]),
    ]),
]  # fmt: skip


@pytest.mark.parametrize("rows", VARIABLES)
def test_variables_have_classes_and_initialisers(rows: Rows) -> None:
    assert differing_modules(rows, apart="spirv.unbound") == []


@pytest.mark.parametrize("rows", SMALL)
def test_small_values_need_capabilities_by_class(rows: Rows) -> None:
    assert differing_modules(rows) == []


@pytest.mark.parametrize("rows", CONSTANTS)
def test_constants_fit_their_types(rows: Rows) -> None:
    assert differing_modules(rows) == []


@pytest.mark.parametrize("rows", FUNCTIONS)
def test_calls_and_parameters_fit_functions(rows: Rows) -> None:
    assert differing_modules(rows) == []


@pytest.mark.parametrize("rows", DECORATIONS)
def test_decorations_have_targets(rows: Rows) -> None:
    assert differing_modules(rows) == []
