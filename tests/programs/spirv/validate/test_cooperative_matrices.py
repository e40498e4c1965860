"""Cooperative matrices: their constants, components, conversions and arithmetic."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import DECLARED, FINE, differing

HEAD = """OpCapability Shader
    OpCapability Linkage
    OpCapability CooperativeMatrixKHR
    OpCapability VulkanMemoryModel
    OpCapability ReplicatedCompositesEXT
    OpExtension "SPV_KHR_cooperative_matrix"
    OpExtension "SPV_EXT_replicated_composites"
    OpMemoryModel Logical Vulkan
    {types} %int = OpTypeInt 32 1
    %three = OpConstant %uint 3
    %rows = OpConstant %uint 16
    %columns = OpConstant %uint 8
    %a = OpTypeCooperativeMatrixKHR %float %three %rows %columns %zero
    %b = OpTypeCooperativeMatrixKHR %float %three %rows %columns %one
    %turned = OpTypeCooperativeMatrixKHR %float %three %columns %rows %zero
    %ints_a = OpTypeCooperativeMatrixKHR %int %three %rows %columns %zero
    %ints_b = OpTypeCooperativeMatrixKHR %int %three %rows %columns %one
    %uints_a = OpTypeCooperativeMatrixKHR %uint %three %rows %columns %zero
    %of_a = OpUndef %a
    %of_ints = OpUndef %ints_a
    """


def test_constants() -> None:
    other, parts = "constituent 0: expected another type", "expected the type of the parts"
    replicate = "OpConstantCompositeReplicateEXT"
    rows = [
        ("OpConstantComposite", "%a %fone", FINE),
        ("OpConstantComposite", "%a %one", other),
        ("OpConstantComposite", "%a %fone %fone", "expected 1 constituents, got 2"),
        (replicate, "%a %fone", FINE),
        (replicate, "%a %one", parts),
        (replicate, "%float2 %fone", FINE),
        (replicate, "%float2 %one", parts),
        (replicate, "%float %fone", "expected a composite type"),
    ]
    lines = [(f"%x{{}} = {opcode} {operands}", message) for opcode, operands, message in rows]
    assert differing(HEAD, lines, local=DECLARED) == []


def test_types() -> None:
    integers = "expected constants of int"
    rows = [
        ("%float %three %rows %columns %two", FINE),
        ("%bool %three %rows %columns %two", "expected components that are numbers"),
        ("%float %fone %rows %columns %two", integers),
        ("%float %three %fone %columns %two", integers),
        ("%float %three %rows %fone %two", integers),
        ("%float %three %rows %columns %fone", integers),
    ]
    new = "%x{} = OpTypeCooperativeMatrixKHR"
    lines = [(f"{new} {operands}", message) for operands, message in rows]
    assert differing(HEAD, lines, local=DECLARED) == []


def test_components_with_an_encoding_need_a_capability() -> None:
    new = "%x{} = OpTypeCooperativeMatrixKHR %bf %three %rows %columns %zero"
    for more, message in (
        ("OpCapability BFloat16CooperativeMatrixKHR", FINE),
        ("", "components of BFloat16KHR need a capability"),
    ):
        head = f"OpCapability BFloat16TypeKHR\n{more}\n{HEAD}%bf = OpTypeFloat 16 BFloat16KHR\n"
        head = head.replace("OpMemoryModel", 'OpExtension "SPV_KHR_bfloat16"\n    OpMemoryModel')
        assert differing(head, [(new, message)], local=DECLARED) == []


def test_components() -> None:
    rows = [
        ("%x{} = OpCompositeConstruct %a %fone", FINE),
        ("%x{} = OpCompositeConstruct %a %one", "expected constituents of another type"),
        ("%x{} = OpCompositeConstruct %a %fone %fone", "expected 1 constituents, got 2"),
        ("%x{} = OpCompositeConstructReplicateEXT %a %fone", FINE),
        ("%x{} = OpCompositeConstructReplicateEXT %a %one",
         "expected a constituent of the parts' type"),
        ("%x{} = OpCompositeExtract %float %of_a 0", FINE),
        ("%x{} = OpCompositeExtract %uint %of_a 0",
         "expected the type that is reached as result"),
        ("%x{} = OpCompositeInsert %a %fone %of_a 0", FINE),
        ("%x{} = OpCompositeInsert %a %one %of_a 0",
         "expected an object of the type that is reached"),
        ("%x{} = OpCooperativeMatrixLengthKHR %uint %a", FINE),
    ]  # fmt: skip
    assert differing(HEAD, rows) == []


def test_conversions_and_arithmetic() -> None:
    """The use, A or B, and the number of rows and columns stay."""
    size = "expected a matrix of the result's size"
    rows = [
        ("%x{} = OpConvertFToS %ints_a %of_a", FINE),
        ("%x{} = OpConvertFToS %ints_b %of_a", size),
        ("%x{} = OpConvertFToU %uints_a %of_a", FINE),
        ("%x{} = OpConvertSToF %a %of_ints", FINE),
        ("%x{} = OpConvertSToF %turned %of_ints", size),
        ("%x{} = OpConvertSToF %b %of_ints", size),
        ("%x{} = OpBitcast %uints_a %of_a", FINE),
        ("%x{} = OpBitcast %ints_b %of_a", size),
        ("%x{} = OpBitcast %turned %of_ints", size),
        ("%x{} = OpFAdd %a %of_a %of_a", FINE),
        ("%x{} = OpIAdd %ints_a %of_ints %of_ints", FINE),
        ("%x{} = OpFNegate %a %of_a", FINE),
        ("%x{} = OpFNegate %b %of_a", "Operand: expected the type of the result"),
        ("%x{} = OpMatrixTimesScalar %a %of_a %fone", FINE),
        ("%x{} = OpMatrixTimesScalar %a %of_a %one",
         "expected the components of operand 2 to be of the result's type"),
    ]  # fmt: skip
    assert differing(HEAD, rows) == []
