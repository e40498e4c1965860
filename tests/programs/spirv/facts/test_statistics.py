"""Counts over the code that an entry point reaches."""

from __future__ import annotations

import pytest

from tests.programs.spirv.facts.stages import HEAD, TYPES, facts_of
from unshade.model.reflection import Statistics


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
