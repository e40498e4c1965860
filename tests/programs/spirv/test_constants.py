"""Values of constants and of operations on them."""

from __future__ import annotations

import pytest

from unshade.programs.spirv import Program
from unshade.programs.spirv.constants import ConstantValues
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.module import Instruction
from unshade.programs.spirv.tables.numbers import Opcode

TYPES = """
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%short = OpTypeInt 16 1
%float = OpTypeFloat 32
%v2 = OpTypeVector %int 2
%minus7 = OpConstant %int -7
%two = OpConstant %int 2
%big = OpConstant %uint 4294967295
%half = OpConstant %float 0.5
%zero = OpConstantNull %int
%yes = OpConstantTrue %bool
%pair = OpConstantComposite %v2 %minus7 %two
"""


def value(line: str, **chosen: int) -> object:
    head = 'OpName %wanted "wanted"\nOpDecorate %spec SpecId 3\n'
    text = f"{head}{TYPES}%spec = OpSpecConstant %int 5\n%wanted = {line}"
    index = ModuleIndex(Program.assemble(text).module)
    (number,) = (each for each, name in index.names.items() if name == "wanted")
    return ConstantValues(index, {3: chosen["spec"]} if chosen else None).value(number)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("OpSpecConstantOp %int SDiv %minus7 %two", -3),
        ("OpSpecConstantOp %int SRem %minus7 %two", -1),
        ("OpSpecConstantOp %int SMod %minus7 %two", 1),
        ("OpSpecConstantOp %uint UDiv %minus7 %two", 0x7FFFFFFC),
        ("OpSpecConstantOp %int SDiv %two %zero", None),
        ("OpSpecConstantOp %uint IAdd %big %two", 1),
        ("OpSpecConstantOp %short SConvert %minus7", -7),
        ("OpSpecConstantOp %int ShiftRightArithmetic %minus7 %two", -2),
        ("OpSpecConstantOp %int ShiftLeftLogical %two %big", None),
        ("OpSpecConstantOp %bool SLessThan %minus7 %two", True),
        ("OpSpecConstantOp %bool ULessThan %minus7 %two", False),
        ("OpSpecConstantOp %int Select %yes %two %minus7", 2),
        ("OpSpecConstantOp %v2 IAdd %pair %pair", [-14, 4]),
        ("OpSpecConstantOp %int CompositeExtract %pair 1", 2),
        ("OpSpecConstantOp %v2 CompositeInsert %two %pair 0", [2, 2]),
        ("OpSpecConstantOp %v2 VectorShuffle %pair %pair 1 2", [2, -7]),
        ("OpSpecConstantOp %float FAdd %half %half", None),
        ("OpSpecConstantOp %bool LogicalNot %yes", False),
        ("OpConstant %float -1.5", -1.5),
        ("OpSpecConstantOp %int IMul %spec %two", 10),
    ],
)
def test_values(line: str, expected: object) -> None:
    assert value(line) == expected


def test_a_chosen_value_replaces_the_default() -> None:
    assert value("OpSpecConstantOp %int IMul %spec %two", spec=9) == 18


@pytest.mark.parametrize("width", [0, 65, 0xFFFF_FFFF])
def test_integers_of_other_widths_have_no_value(width: int) -> None:
    module = Program.assemble(f"{TYPES}%sum = OpSpecConstantOp %int IAdd %two %two").module
    module.instructions = [
        Instruction.of(Opcode.TypeInt, (each.words[1], width, 1))
        if each.opcode == Opcode.TypeInt and each.words[2:] == (32, 1)
        else each
        for each in module.instructions
    ]
    index = ModuleIndex(module)
    assert ConstantValues(index).value([*index.definitions][-1]) is None


@pytest.mark.slow
def test_chains_and_cycles_of_constants() -> None:
    lines = [TYPES, "%c0 = OpConstant %int 1"]
    lines += [f"%c{n} = OpSpecConstantOp %int IAdd %c{n - 1} %two" for n in range(1, 5000)]
    lines += ["%a = OpSpecConstantOp %int IAdd %b %two", "%b = OpSpecConstantOp %int IAdd %a %two"]
    index = ModuleIndex(Program.assemble("\n".join(lines)).module)
    found = ConstantValues(index)
    numbers = list(index.definitions)
    assert found.value(numbers[-3]) == 9999
    assert found.value(numbers[-1]) is None
    assert found.value(0) is None
