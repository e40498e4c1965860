"""Counts over the code that an entry point reaches."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from tests.programs.spirv.facts.stages import HEAD, TYPES, facts_of, module
from unshade.model.reflection import Statistics
from unshade.programs.spirv.facts import FactsOfModule


def counted(declared: str, *body: str) -> Statistics:
    """Return the counts of a pixel shader."""
    lines = "\n".join(body)
    found = facts_of(f"""{HEAD} OpEntryPoint Fragment %main "main"
        OpExecutionMode %main OriginUpperLeft
        {declared}
        %main = OpFunction %void None %fn
        %l = OpLabel
        {lines}
        OpReturn
        OpFunctionEnd""").of(0)
    assert found.statistics is not None
    return found.statistics


@pytest.mark.parametrize(
    ("storage", "decoration", "loads"),
    [("StorageBuffer", "Block", 1), ("Uniform", "BufferBlock", 1), ("Uniform", "Block", 0)],
)
@pytest.mark.parametrize("many", [False, True])
def test_loads_are_those_from_storage_buffers(
    storage: str, decoration: str, loads: int, many: bool
) -> None:
    kind, indices = ("%several", "%uint_1 %uint_0") if many else ("%block", "%uint_0")
    found = counted(
        f"""OpDecorate %block {decoration}
        OpMemberDecorate %block 0 Offset 0 {TYPES}
        %uint_0 = OpConstant %uint 0
        %uint_2 = OpConstant %uint 2
        %block = OpTypeStruct %float
        %several = OpTypeArray %block %uint_2
        %pb = OpTypePointer {storage} {kind}
        %pf = OpTypePointer {storage} %float
        %b = OpVariable %pb {storage}""",
        f"%at = OpAccessChain %pf %b {indices}",
        "%x = OpLoad %float %at",
        "OpStore %at %x",
    )
    assert (found.texture_loads, found.stores) == (loads, loads)


@pytest.mark.parametrize(
    ("operation", "operands", "name"),
    [
        ("Implicit", "", "texture_samples"),
        ("Implicit", "Bias %zero", "texture_bias"),
        ("Explicit", "Lod %zero", "texture_loads"),
        ("Explicit", "Grad %place %place", "texture_gradients"),
    ],
)
def test_samples_with_a_bias_or_gradients_are_counted_apart(
    operation: str, operands: str, name: str
) -> None:
    found = counted(
        f"""{TYPES}
        %zero = OpConstant %float 0
        %v2float = OpTypeVector %float 2
        %place = OpConstantComposite %v2float %zero %zero
        %image = OpTypeImage %float 2D 0 0 0 1 Unknown
        %both = OpTypeSampledImage %image
        %pb = OpTypePointer UniformConstant %both
        %t = OpVariable %pb UniformConstant""",
        "%s = OpLoad %both %t",
        f"%x = OpImageSample{operation}Lod %v4float %s %place {operands}",
    )
    names = ("texture_samples", "texture_bias", "texture_loads", "texture_gradients")
    assert [each for each in names if getattr(found, each)] == [name]
    assert getattr(found, name) == 1


SAMPLING = f"""{TYPES}
%zero = OpConstant %float 0
%izero = OpConstant %uint 0
%yes = OpConstantTrue %bool
%v2float = OpTypeVector %float 2
%v2uint = OpTypeVector %uint 2
%pair = OpTypeStruct %uint %uint
%place = OpConstantComposite %v2float %zero %zero
%texel = OpConstantComposite %v2uint %izero %izero
%three = OpConstantComposite %v3float %zero %zero %zero
%black = OpConstantComposite %v4float %zero %zero %zero %zero
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%written = OpTypeImage %float 2D 0 0 0 2 Rgba32f
%both = OpTypeSampledImage %image
%pb = OpTypePointer UniformConstant %both
%pw = OpTypePointer UniformConstant %written
%pm = OpTypePointer Private %uint
%t = OpVariable %pb UniformConstant
%w = OpVariable %pw UniformConstant
%m = OpVariable %pm Private
"""
LOADED = ("%s = OpLoad %both %t", "%i = OpImage %image %s", "%o = OpLoad %written %w")
# Instructions, and the counts that each of them raises by one.
COUNTED = [
    ("OpImageSampleImplicitLod %v4float %s %place", "texture_samples"),
    ("OpImageSampleProjImplicitLod %v4float %s %three", "texture_samples"),
    ("OpImageSampleExplicitLod %v4float %s %place Lod %zero", "texture_loads"),
    ("OpImageSampleProjExplicitLod %v4float %s %three Lod %zero", "texture_loads"),
    ("OpImageFetch %v4float %i %texel", "texture_loads"),
    ("OpImageRead %v4float %o %texel", "texture_loads"),
    ("OpImageSampleDrefImplicitLod %float %s %place %zero", "texture_comparisons"),
    ("OpImageSampleDrefExplicitLod %float %s %place %zero Lod %zero", "texture_comparisons"),
    ("OpImageSampleProjDrefImplicitLod %float %s %three %zero", "texture_comparisons"),
    ("OpImageSampleProjDrefExplicitLod %float %s %three %zero Lod %zero", "texture_comparisons"),
    ("OpImageGather %v4float %s %place %izero", "texture_gathers"),
    ("OpImageDrefGather %v4float %s %place %zero", "texture_gathers"),
    ("OpImageQueryLod %v2float %s %place", "lods"),
    ("OpFAdd %float %zero %zero", "float_instructions"),
    ("OpFOrdLessThan %bool %zero %zero", "float_instructions"),
    ("OpFUnordEqual %bool %zero %zero", "float_instructions"),
    ("OpDot %float %place %place", "float_instructions"),
    ("OpVectorTimesScalar %v2float %place %zero", "float_instructions"),
    ("OpOuterProduct %m2 %place %place", "float_instructions"),
    ("OpIAdd %uint %izero %izero", "int_instructions"),
    ("OpSLessThan %bool %izero %izero", "int_instructions"),
    ("OpLogicalAnd %bool %yes %yes", "int_instructions"),
    ("OpSelect %uint %yes %izero %izero", "conditional_moves"),
    ("OpUDiv %uint %izero %izero", "uint_instructions"),
    ("OpULessThan %bool %izero %izero", "uint_instructions"),
    ("OpUMulExtended %pair %izero %izero", "uint_instructions"),
    ("OpBitwiseAnd %uint %izero %izero", "bitwise_instructions"),
    ("OpShiftLeftLogical %uint %izero %izero", "bitwise_instructions"),
    ("OpBitCount %uint %izero", "bitwise_instructions"),
    ("OpConvertUToF %float %izero", "conversions"),
    ("OpBitcast %float %izero", "conversions"),
    ("OpAtomicIAdd %uint %m %izero %izero %izero", "interlocked"),
    ("OpAtomicLoad %uint %m %izero %izero", "interlocked"),
]
STATEMENTS = [
    ("OpImageWrite %o %texel %black", "stores"),
    ("OpControlBarrier %izero %izero %izero", "barriers"),
    ("OpMemoryBarrier %izero %izero", "barriers"),
    ("OpEmitVertex", "emits"),
    ("OpEmitStreamVertex %izero", "emits"),
    ("OpEndPrimitive", "cuts"),
    ("OpEndStreamPrimitive %izero", "cuts"),
]


def test_each_instruction_is_counted_once() -> None:
    types = SAMPLING + "%m2 = OpTypeMatrix %v2float 2"
    before = vars_of(counted(types, *LOADED))
    rows = [(f"%r = {line}", name) for line, name in COUNTED] + STATEMENTS
    wrong = []
    for line, name in rows:
        after = vars_of(counted(types, *LOADED, line))
        raised = {key: after[key] - before[key] for key in after if after[key] != before[key]}
        if raised != {"instructions": 1, name: 1}:
            wrong.append((line, raised))
    assert wrong == []


def vars_of(found: Statistics) -> dict[str, int]:
    """Return the counts by name."""
    numbers = {name: getattr(found, name) for name in get_type_hints(Statistics)}
    return {name: value or 0 for name, value in numbers.items() if name != "computed"}


def test_all_together() -> None:
    types = SAMPLING + "%m2 = OpTypeMatrix %v2float 2"
    rows = [f"%r{at} = {line}" for at, (line, _) in enumerate(COUNTED)]
    found = vars_of(counted(types, *LOADED, *rows, *(line for line, _ in STATEMENTS)))
    names = [name for _, name in COUNTED + STATEMENTS]
    assert {name: found[name] for name in names} == {name: names.count(name) for name in names}


@pytest.mark.parametrize("name", ["NonSemantic.Shader.DebugInfo.100", "NonSemantic.DebugPrintf"])
def test_instructions_without_effect_are_not_counted(name: str) -> None:
    """A compiler's debug information does not change the counts of its code."""
    text = f"""OpCapability Shader
        OpExtension "SPV_KHR_non_semantic_info"
        %set = OpExtInstImport "{name}"
        %glsl = OpExtInstImport "GLSL.std.450"
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main "main"
        OpExecutionMode %main OriginUpperLeft
        %words = OpString "words"
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %float = OpTypeFloat 32
        %one = OpConstant %float 1
        %main = OpFunction %void None %fn
        %l = OpLabel
        %x = OpExtInst %float %glsl Sqrt %one
        %said = OpExtInst %void %set 1 %words
        OpReturn
        OpFunctionEnd"""
    said = "DebugPrintf %words" if "Printf" in name else "DebugNoScope"
    text = text.replace("1 %words", said)
    program = module(text)
    found = FactsOfModule(program.module).of(0).statistics
    assert found is not None
    assert (found.instructions, found.float_instructions) == (2, 1)
    assert list(program.operations()).count("Sqrt") == 1
    assert not {"DebugPrintf", "DebugNoScope", "OpString"} & set(program.operations())


@pytest.mark.parametrize(
    ("function", "count"),
    [
        ("%float %glsl Sqrt %fone", "float_instructions"),
        ("%float %glsl Step %fone %fone", "float_instructions"),
        ("%float %glsl SmoothStep %fone %fone %fone", "float_instructions"),
        ("%uint %glsl UMin %one %one", "uint_instructions"),
        ("%uint %glsl UClamp %one %one %one", "uint_instructions"),
        ("%uint %glsl SMax %one %one", "int_instructions"),
        ("%uint %glsl SAbs %one", "int_instructions"),
        ("%uint %glsl FindUMsb %one", "bitwise_instructions"),
        ("%uint %glsl FindILsb %one", "bitwise_instructions"),
        ("%v2 %glsl UnpackHalf2x16 %one", "conversions"),
        ("%uint %glsl PackUnorm2x16 %pair", "conversions"),
        ("%uint %amd UMin3AMD %one %one %one", "uint_instructions"),
        ("%float %amd FMid3AMD %fone %fone %fone", "float_instructions"),
    ],
)
def test_functions_of_extended_sets(function: str, count: str) -> None:
    text = f"""OpCapability Shader
        OpExtension "SPV_AMD_shader_trinary_minmax"
        %glsl = OpExtInstImport "GLSL.std.450"
        %amd = OpExtInstImport "SPV_AMD_shader_trinary_minmax"
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main "main"
        OpExecutionMode %main OriginUpperLeft
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %v2 = OpTypeVector %float 2
        %one = OpConstant %uint 1
        %fone = OpConstant %float 1
        %pair = OpConstantComposite %v2 %fone %fone
        %main = OpFunction %void None %fn
        %l = OpLabel
        %x = OpExtInst {function}
        OpReturn
        OpFunctionEnd"""
    found = FactsOfModule(module(text).module).of(0).statistics
    assert found is not None
    kinds = ("float", "int", "uint", "bitwise")
    counts = {f"{each}_instructions": getattr(found, f"{each}_instructions") for each in kinds}
    counts["conversions"] = found.conversions
    assert {name for name, number in counts.items() if number} == {count}
    assert counts[count] == 1
