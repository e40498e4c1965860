"""Stores by storage class and by type.

Sources: SPIR-V specification, OpStore and section 2.16; Vulkan specification,
standalone SPIR-V validation.
"""

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.lines import reported
from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.validate import ValidatorOptions, validate

STORES = """OpCapability Shader
    OpCapability Linkage
    OpMemoryModel Logical GLSL450
    {types}
    %p_{} = OpTypePointer CLASS %uint
    %v = OpVariable %p_{} CLASS
    %f = OpConstant %float 1"""


def stores(storage: str, line: str) -> list[str]:
    head = STORES.replace("%p_{}", "%p_it").replace("CLASS", storage)
    (found,) = reported(head, [line])
    return found


@pytest.mark.parametrize(
    ("storage", "writable"),
    [
        ("Private", True), ("Workgroup", True), ("Output", True), ("Uniform", True),
        ("StorageBuffer", True), ("Input", False), ("UniformConstant", False),
        ("PushConstant", False),
    ],
)  # fmt: skip
def test_classes_that_are_only_read(storage: str, writable: bool) -> None:
    found = stores(storage, "OpStore %v %one")
    assert (found == []) is writable, found


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("%one", ""),
        ("%f", "expected the type that is pointed to"),
        ("%uint", "expected a value"),
    ],
)
def test_values_have_the_type_that_is_pointed_to(value: str, message: str) -> None:
    assert message in [*stores("Private", f"OpStore %v {value}"), ""]
    assert bool(stores("Private", f"OpStore %v {value}")) is bool(message)


STRUCTURES = """OpCapability Shader
    OpCapability Linkage
    OpMemoryModel Logical GLSL450
    {decorations}
    {types}
    {structures}
    %p = OpTypePointer Private %A
    %v = OpVariable %p Private
    {main} %b = OpUndef %B
    OpStore %v %b {end}"""
OFFSETS = "OpMemberDecorate %A 0 Offset 0\nOpMemberDecorate %B 0 Offset 0\n"
INNER = "%C = OpTypeStruct %uint\n%D = OpTypeStruct %uint\n"


@pytest.mark.parametrize(
    ("structures", "decorations", "compatible"),
    [
        ("%A = OpTypeStruct %uint\n%B = OpTypeStruct %uint", "", True),
        ("%A = OpTypeStruct %uint\n%B = OpTypeStruct %uint", OFFSETS, True),
        (
            "%A = OpTypeStruct %uint\n%B = OpTypeStruct %uint",
            "OpMemberDecorate %A 0 Offset 0", False,
        ),
        (
            "%A = OpTypeStruct %uint\n%B = OpTypeStruct %uint",
            "OpMemberDecorate %A 0 Offset 0\nOpMemberDecorate %B 0 Offset 4", False,
        ),
        ("%A = OpTypeStruct %uint\n%B = OpTypeStruct %uint", 'OpMemberName %A 0 "x"', True),
        ("%A = OpTypeStruct %uint\n%B = OpTypeStruct %uint %uint", "", False),
        ("%A = OpTypeStruct %uint %uint\n%B = OpTypeStruct %uint", "", False),
        ("%A = OpTypeStruct %uint\n%B = OpTypeStruct %float", "", False),
        (f"{INNER}%A = OpTypeStruct %C\n%B = OpTypeStruct %D", "", True),
        (f"{INNER}%A = OpTypeStruct %C %C\n%B = OpTypeStruct %D %C", "", True),
        (f"{INNER}%A = OpTypeStruct %C\n%B = OpTypeStruct %uint", "", False),
        (
            f"{INNER}%A = OpTypeStruct %C\n%B = OpTypeStruct %D",
            "OpMemberDecorate %C 0 Offset 0\nOpMemberDecorate %D 0 Offset 8", False,
        ),
    ],
)  # fmt: skip
def test_structures_with_members_at_the_same_offsets_are_stored_if_that_is_allowed(
    structures: str, decorations: str, compatible: bool
) -> None:
    text = STRUCTURES.replace("{structures}", structures).replace("{decorations}", decorations)
    module = assemble(Source(text_of(text)), target="spv1.6")

    def refused(options: ValidatorOptions) -> bool:
        found = validate(module, "spv1.6", options)
        return any("expected the type that is pointed to" in each.message for each in found)

    assert refused(ValidatorOptions())
    assert refused(ValidatorOptions(relax_struct_store=True)) is not compatible
