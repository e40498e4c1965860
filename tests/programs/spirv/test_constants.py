"""Values of constants and of operations on them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import floor

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
%no = OpConstantFalse %bool
%pair = OpConstantComposite %v2 %minus7 %two
"""


def value(line: str, before: str = "", **chosen: int) -> object:
    head = 'OpName %wanted "wanted"\nOpDecorate %spec SpecId 3\n'
    text = f"{head}{TYPES}%spec = OpSpecConstant %int 5\n{before}%wanted = {line}"
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


WORD = 0xFFFF_FFFF
Integers = Callable[[int, int], object]


def wrapped(number: int) -> int:
    """Return a number of 32 bits with its sign."""
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def truncated(x: int, y: int) -> int:
    return int(Fraction(x, y))


# Of signed operands, and of unsigned ones; None of what is not defined.
BINARY: dict[str, tuple[str, Integers]] = {
    "IAdd": ("s", lambda x, y: wrapped(x + y)),
    "ISub": ("s", lambda x, y: wrapped(x - y)),
    "IMul": ("s", lambda x, y: wrapped(x * y)),
    "SDiv": ("s", lambda x, y: wrapped(truncated(x, y)) if y else None),
    "SRem": ("s", lambda x, y: x - y * truncated(x, y) if y else None),
    "SMod": ("s", lambda x, y: x - y * floor(Fraction(x, y)) if y else None),
    "UDiv": ("u", lambda x, y: floor(Fraction(x, y)) if y else None),
    "UMod": ("u", lambda x, y: x - y * floor(Fraction(x, y)) if y else None),
    "BitwiseAnd": ("u", lambda x, y: int("".join(
        str(int(a == b == "1")) for a, b in zip(f"{x:032b}", f"{y:032b}", strict=True)), 2)),
    "BitwiseOr": ("u", lambda x, y: int("".join(
        str(int("1" in a + b)) for a, b in zip(f"{x:032b}", f"{y:032b}", strict=True)), 2)),
    "BitwiseXor": ("u", lambda x, y: int("".join(
        str(int(a != b)) for a, b in zip(f"{x:032b}", f"{y:032b}", strict=True)), 2)),
    "IEqual": ("s", lambda x, y: not x - y),
    "INotEqual": ("s", lambda x, y: bool(x - y)),
    "ULessThan": ("u", lambda x, y: y - x > 0),
    "UGreaterThan": ("u", lambda x, y: x - y > 0),
    "ULessThanEqual": ("u", lambda x, y: not x - y > 0),
    "UGreaterThanEqual": ("u", lambda x, y: not y - x > 0),
    "SLessThan": ("s", lambda x, y: y - x > 0),
    "SGreaterThan": ("s", lambda x, y: x - y > 0),
    "SLessThanEqual": ("s", lambda x, y: not x - y > 0),
    "SGreaterThanEqual": ("s", lambda x, y: not y - x > 0),
}  # fmt: skip
EDGES = (-(1 << 31), -7, -1, 0, 1, 2, 7, (1 << 31) - 1)


@pytest.mark.parametrize("name", BINARY)
def test_operations_on_two_integers(name: str) -> None:
    """As the specification defines them, on the least and greatest numbers, too."""
    sign, apply = BINARY[name]
    result = "%bool" if name.endswith(("Equal", "Than")) else "%int"
    pairs = list(product(EDGES, EDGES))
    numbers = "\n".join(f"%n{at} = OpConstant %int {each}" for at, each in enumerate(EDGES))
    lines = "\n".join(
        f"%r{at} = OpSpecConstantOp {result} {name} %n{EDGES.index(x)} %n{EDGES.index(y)}"
        for at, (x, y) in enumerate(pairs)
    )
    named = "\n".join(f'OpName %r{at} "r{at}"' for at in range(len(pairs)))
    index = ModuleIndex(Program.assemble(f"{named}\n{TYPES}\n{numbers}\n{lines}").module)
    by_name = {text: number for number, text in index.names.items()}
    values = ConstantValues(index)
    for at, (x, y) in enumerate(pairs):
        given = (x, y) if sign == "s" else (x & WORD, y & WORD)
        wanted = apply(*given)
        if result == "%int" and isinstance(wanted, int):
            wanted = wrapped(wanted)
        assert values.value(by_name[f"r{at}"]) == wanted, (x, y)


@pytest.mark.parametrize("name", ["LogicalOr", "LogicalAnd", "LogicalEqual", "LogicalNotEqual"])
def test_operations_on_two_booleans(name: str) -> None:
    wanted = {
        "LogicalOr": (False, True, True, True),
        "LogicalAnd": (False, False, False, True),
        "LogicalEqual": (True, False, False, True),
        "LogicalNotEqual": (False, True, True, False),
    }[name]
    assert value("OpSpecConstantOp %bool LogicalNot %no") is True
    found = []
    for x, y in product(("%no", "%yes"), repeat=2):
        line = f"OpSpecConstantOp %bool {name} {x} {y}"
        found.append(value(line))
    assert tuple(found) == wanted


@pytest.mark.parametrize("amount", [0, 1, 4, 31])
def test_shifts(amount: int) -> None:
    for number in (-7, 2, 0x7000_0001):
        head = f"%a = OpConstant %uint {amount}\n%n = OpConstant %int {number}\n"
        for name, wanted in (
            ("ShiftLeftLogical", wrapped(number * 2**amount)),
            ("ShiftRightLogical", wrapped((number & WORD) // 2**amount)),
            ("ShiftRightArithmetic", number // 2**amount),
        ):
            assert value(f"OpSpecConstantOp %int {name} %n %a", before=head) == wanted, name


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
