"""Defaults of specialisation constants of every type."""

from __future__ import annotations

import pytest

from unshade.errors import UsageError
from unshade.programs.spirv import Program
from unshade.programs.spirv.editing.specialisation import set_default

TEXT = """
OpCapability Shader
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Float64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %constant SpecId 7
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%type = TYPE
%constant = VALUE
%twice = OpTypeVector %type 2
%both = OpSpecConstantComposite %twice %constant %constant
%main = OpFunction %void None %function
%label = OpLabel
OpReturn
OpFunctionEnd
"""
NUMBERS = [
    ("OpTypeInt 16 1", "5", -3, "-3"),
    ("OpTypeInt 16 0", "5", 0xFFFF, "65535"),
    ("OpTypeInt 32 1", "5", -(1 << 31), "-2147483648"),
    ("OpTypeInt 64 0", "5", 1 << 63, "9223372036854775808"),
    ("OpTypeInt 64 1", "5", -2, "-2"),
    ("OpTypeFloat 16", "1.5", 0.25, "0x1p-2"),
    ("OpTypeFloat 32", "1.5", -0.5, "-0.5"),
    ("OpTypeFloat 64", "1.5", 1e-300, "1e-300"),
]


def program(type: str, value: str) -> Program:
    text = TEXT.replace("%type = TYPE", f"%type = {type}").replace("VALUE", value)
    if type == "OpTypeBool":
        text = text.replace("%type = OpTypeBool\n", "").replace("%type", "%bool")
    return Program.assemble(text)


def lines(of: Program) -> list[str]:
    return of.disassemble(header=False, indent=False).splitlines()


@pytest.mark.parametrize(("type", "first", "value", "shown"), NUMBERS)
def test_numbers(type: str, first: str, value: float, shown: str) -> None:
    changed = program(type, f"OpSpecConstant %type {first}")
    set_default(changed.module, 7, value)
    (line,) = (each for each in lines(changed) if "= OpSpecConstant %" in each)
    assert line.split()[-1] == shown
    changed.freeze(7)
    text = lines(changed)
    assert not any("Spec" in each for each in text)
    assert any("= OpConstantComposite %" in each for each in text)
    (line,) = (each for each in text if "= OpConstant %" in each)
    assert line.split()[-1] == shown


@pytest.mark.parametrize(("first", "value"), [(True, False), (False, True), (True, 0), (False, 1)])
def test_truth_values(first: bool, value: bool | int) -> None:
    changed = program("OpTypeBool", f"OpSpecConstant{first} %bool")
    before = lines(changed)
    set_default(changed.module, 7, value)
    assert lines(changed) == [
        each.replace(f"OpSpecConstant{first}", f"OpSpecConstant{bool(value)}") for each in before
    ]
    changed.freeze(7)
    assert [each for each in lines(changed) if f"OpConstant{bool(value)} %bool" in each]


@pytest.mark.parametrize(
    ("type", "first", "value", "expected"),
    [
        ("OpTypeInt 16 1", "5", 1 << 15, "an integer from -32768 to 32767, got 32768"),
        ("OpTypeInt 64 0", "5", -1, "an integer from 0 to 18446744073709551615, got -1"),
        ("OpTypeFloat 16", "1.5", 1e6, "a float of 16 bits, got 1000000.0"),
    ],
)
def test_values_beyond_the_type(type: str, first: str, value: float, expected: str) -> None:
    changed = program(type, f"OpSpecConstant %type {first}")
    with pytest.raises(UsageError, match=f"expected {expected}"):
        set_default(changed.module, 7, value)


def test_a_truth_value_is_no_other_number() -> None:
    with pytest.raises(UsageError, match="expected True or False, got 2"):
        set_default(program("OpTypeBool", "OpSpecConstantTrue %bool").module, 7, 2)
