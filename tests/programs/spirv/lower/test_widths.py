"""Operations of subgroups, and atomics, on types of all widths."""

import numpy as np
import pytest

from .modules import run, shader

TYPES = """\
%scope = OpConstant %uint 3
%byte = OpTypeInt 8 0
%short = OpTypeInt 16 0
%long = OpTypeInt 64 0
%half = OpTypeFloat 16
%double = OpTypeFloat 64"""
WORDS = [5, 3, 8, 2]


@pytest.mark.parametrize(
    ("type", "to", "back", "add", "shown"),
    [
        ("byte", "UConvert", "UConvert", "IAdd", 18),
        ("short", "UConvert", "UConvert", "IAdd", 18),
        ("long", "UConvert", "UConvert", "IAdd", 18),
        ("half", "ConvertUToF", "ConvertFToU", "FAdd", 18),
        ("double", "ConvertUToF", "ConvertFToU", "FMax", 8),
        ("long", "UConvert", "UConvert", "UMin", 2),
        ("short", "UConvert", "UConvert", "BitwiseXor", 5 ^ 3 ^ 8 ^ 2),
    ],
)
def test_reductions(type: str, to: str, back: str, add: str, shown: int) -> None:
    code = f"""\
%v = Op{to} %{type} %x
%r = OpGroupNonUniform{add} %{type} %scope Reduce %v
%s = OpGroupNonUniformShuffleXor %{type} %scope %r %c1
%y = Op{back} %uint %s"""
    assert run(shader(code, "%y", globals=TYPES), WORDS, wave_size=4) == [shown] * 4


@pytest.mark.parametrize(
    ("op", "expected"), [("And", [1, 1, 0, 0]), ("Or", [1, 1, 1, 1]), ("Xor", [1, 0, 0, 1])]
)
def test_scans_of_booleans(op: str, expected: list[int]) -> None:
    code = f"""\
%t = OpINotEqual %bool %x %c0
%r = OpGroupNonUniformLogical{op} %bool %scope InclusiveScan %t
%y = OpSelect %uint %r %c1 %c0"""
    assert run(shader(code, "%y", globals=TYPES), [1, 7, 0, 9], wave_size=4) == expected


@pytest.mark.parametrize(
    ("type", "op", "expected"),
    [
        ("long", "AtomicIAdd %long %p %c1 %c0 %v", 18),
        ("long", "AtomicUMax %long %p %c1 %c0 %v", 8),
        ("float", "AtomicFAddEXT %float %p %c1 %c0 %v", 18),
        ("double", "AtomicFMinEXT %double %p %c1 %c0 %v", 0),
    ],
)
def test_atomics(type: str, op: str, expected: int) -> None:
    to = "UConvert" if type == "long" else "ConvertUToF"
    globals = f"""{TYPES}
%one = OpTypeStruct %{type}
%p_one = OpTypePointer StorageBuffer %one
%p_part = OpTypePointer StorageBuffer %{type}
%sum = OpVariable %p_one StorageBuffer"""
    decorations = """\
OpDecorate %one Block
OpMemberDecorate %one 0 Offset 0
OpDecorate %sum DescriptorSet 0
OpDecorate %sum Binding 5"""
    code = f"%v = Op{to} %{type} %x\n%p = OpAccessChain %p_part %sum %c0\n%old = Op{op}"
    kind = {"long": np.uint64, "float": np.float32, "double": np.float64}[type]
    sums = np.zeros(1, kind)
    module = shader(code, "%x", globals=globals, decorations=decorations)
    assert run(module, WORDS, bindings={"set0_binding5": sums}) == WORDS
    assert sums[0] == expected * (2 if "Add" in op else 1)  # both engines added


@pytest.mark.slow
def test_conversions_between_signed_and_unsigned_saturate() -> None:
    """Above the largest number, or below 0, the nearest one; in the same width and a narrower."""
    unsigned = [0, 0x7FFF, 0x8000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
    for name, type_, given, wanted in (
        ("UToS", "uint", unsigned, [min(each, 0x7FFF_FFFF) for each in unsigned]),
        ("UToS", "short", unsigned, [min(each, 0x7FFF) for each in unsigned]),
        ("SToU", "uint", [0, 1, 0x7FFF_FFFF, -1, -0x8000_0000, 9], [0, 1, 0x7FFF_FFFF, 0, 0, 9]),
        ("SToU", "short", [0, 1, 0xFFFF, 0x1_0000, -1, 0x8000], [0, 1, 0xFFFF, 0xFFFF, 0, 0x8000]),
        ("SToU", "byte", [255, 256, -256, 128, 0, 7], [255, 255, 0, 128, 0, 7]),
    ):
        code = f"%v = OpSatConvert{name} %{type_} %x"
        code += "" if type_ == "uint" else "\n%y = OpUConvert %uint %v"
        made = shader(code, "%v" if type_ == "uint" else "%y", globals=TYPES, group=6)
        assert run(made, [each & 0xFFFF_FFFF for each in given]) == wanted, (name, type_)
