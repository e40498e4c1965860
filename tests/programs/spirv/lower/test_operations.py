"""Instructions and their results, as SPIR-V specifies them: many of them in one module.

In the code of a row, `%_name` is an identifier of the row's own, `<type value …>` a constant; the
row's result is `%_y`. All components of the result are compared, matrices by column.
"""
# ruff: noqa: E501  (the tables are columns)

import math
import re
import struct
from collections.abc import Iterator, Sequence

import pytest

import unshade
from unshade.ir.kernel import walk
from unshade.ir.ops import OPS

from .modules import run, shader

LEAVES = {"uint": "I", "int": "i", "float": "f", "bool": "I", "ulong": "Q", "long": "q"}
SHAPES = {
    **{f"v{n}{leaf}": (leaf, n) for leaf in LEAVES for n in (2, 3, 4)},
    "m2x2": ("v2float", 2), "m2x3": ("v3float", 2), "m3x2": ("v2float", 3), "m3x3": ("v3float", 3),
    "uints": ("uint", 2), "ints": ("int", 2), "pairs": ("v2uint", 2), "floats": ("float", 2),
    "split": ("float", "int"), "vectors": ("v2float", 2), "splits": ("v2float", "v2int"),
}  # fmt: skip
TYPES = """%ulong = OpTypeInt 64 0
%long = OpTypeInt 64 1
%half = OpTypeFloat 16
%ushort = OpTypeInt 16 0
%v2ushort = OpTypeVector %ushort 2
%v4ushort = OpTypeVector %ushort 4
%v2half = OpTypeVector %half 2
%double = OpTypeFloat 64
""" + "\n".join(
    [f"%v{n}{leaf} = OpTypeVector %{leaf} {n}" for leaf in LEAVES for n in (2, 3, 4) if (leaf, n) != ("uint", 3)]
    + [f"%m{n}x{rows} = OpTypeMatrix %v{rows}float {n}" for n in (2, 3) for rows in (2, 3)]
    + [
        "%uints = OpTypeStruct %uint %uint", "%ints = OpTypeStruct %int %int",
        "%pairs = OpTypeStruct %v2uint %v2uint", "%floats = OpTypeStruct %float %float",
        "%split = OpTypeStruct %float %int", "%vectors = OpTypeStruct %v2float %v2float",
        "%splits = OpTypeStruct %v2float %v2int",
    ]
)  # fmt: skip


def parts(type: str, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield the indices and the type of each component."""
    if type not in SHAPES:
        yield path, type
        return
    inner, other = SHAPES[type]
    members = [inner] * other if isinstance(other, int) else [inner, other]
    for at, each in enumerate(members):
        yield from parts(each, (*path, at))


class Constants:
    """The constants that rows use, each declared once."""

    def __init__(self) -> None:
        self.lines: dict[str, str] = {}

    def name(self, text: str) -> str:
        type, *values = text.split()
        known = f"%k{len(self.lines)}"
        if type in SHAPES:
            inner, other = SHAPES[type]
            assert isinstance(other, int)
            size = len(values) // other
            members = [
                self.name(" ".join((inner, *values[at : at + size])))
                for at in range(0, len(values), size)
            ]
            known = f"%k{len(self.lines)}"
            return self.lines.setdefault(
                text, f"{known} = OpConstantComposite %{type} {' '.join(members)}"
            ).partition(" ")[0]
        if type == "bool":
            return self.lines.setdefault(text, f"{known} = OpConstant{values[0]} %bool").partition(
                " "
            )[0]
        return self.lines.setdefault(text, f"{known} = OpConstant %{type} {values[0]}").partition(
            " "
        )[0]


def results(rows: Sequence[tuple[str, str]]) -> list[tuple[float, ...]]:
    """Run the rows, each with the type of its result, and return their components."""
    constants = Constants()
    lines = []
    kinds: list[list[str]] = []
    at = 0
    for number, (type, code) in enumerate(rows):
        components = list(parts(type))
        kinds.append([leaf for _, leaf in components])
        text = [code]
        for path, leaf in components:
            step = f"%_e{at}"
            value = "%_y"
            if path:
                text.append(f"{step} = OpCompositeExtract %{leaf} %_y {' '.join(map(str, path))}")
                value = step
            if leaf == "bool":
                text.append(f"{step}w = OpSelect %uint {value} %c1 %c0")
            elif leaf in ("ulong", "long"):
                text.append(
                    f"{step}b = OpBitcast %ulong {value}\n{step}w = OpUConvert %uint {step}b"
                )
                text.append(
                    f"%_p{at} = OpAccessChain %p_uint %out %c0 <uint {at}>\nOpStore %_p{at} {step}w"
                )
                at += 1
                text.append(
                    f"{step}s = OpShiftRightLogical %ulong {step}b <uint 32>\n{step}v = OpUConvert %uint {step}s"
                )
                text.append(
                    f"%_p{at} = OpAccessChain %p_uint %out %c0 <uint {at}>\nOpStore %_p{at} {step}v"
                )
                at += 1
                continue
            elif leaf == "uint":
                text.append(f"{step}w = OpCopyObject %uint {value}")
            else:
                text.append(f"{step}w = OpBitcast %uint {value}")
            text.append(
                f"%_p{at} = OpAccessChain %p_uint %out %c0 <uint {at}>\nOpStore %_p{at} {step}w"
            )
            at += 1
        whole = re.sub(r"%_(\w+)", rf"%t{number}_\1", "\n".join(text))
        lines.append(re.sub(r"<([^>]*)>", lambda match: constants.name(match[1]), whole))
    shared = zip("bshlw", ("bool", "ushort", "half", "ulong", "uint"), strict=True)
    pointers = "".join(
        f"\n%pw{at} = OpTypePointer Workgroup %{type}\n%w{at} = OpVariable %pw{at} Workgroup"
        for at, type in shared
    )
    module = shader(
        "\n".join(lines),
        globals="\n".join([TYPES, *constants.lines.values(), POINTERS]) + pointers,
        variables=VARIABLES,
        group=1,
    )
    words = run(module, [0], size=at + SPARE)
    raw = struct.pack(f"<{at}I", *words[:at])
    found = []
    place = 0
    for kind in kinds:
        form = "<" + "".join(LEAVES[leaf] for leaf in kind)
        found.append(struct.unpack_from(form, raw, place))
        place += struct.calcsize(form)
    return found


POINTERS = """%pf = OpTypePointer Function %float
%pint = OpTypePointer Function %int
%pv = OpTypePointer Function %v2float"""
VARIABLES = """%vf = OpVariable %pf Function
%vi = OpVariable %pint Function
%vv = OpVariable %pv Function
%vn = OpVariable %pv Function"""
SPARE = 64  # words after the results


def check(rows: Sequence[tuple[str, str, Sequence[float]]]) -> None:
    found = results([(type, code) for type, code, _ in rows])
    for (type, code, wanted), got in zip(rows, found, strict=True):
        assert [*map(str, got)] == [*map(str, wanted)], (type, code)


M = "<m2x3 1 2 3 4 5 6>"

# fmt: off
MATRICES = [
    ("m3x2", f"%_y = OpTranspose %m3x2 {M}", (1.0, 4.0, 2.0, 5.0, 3.0, 6.0)),
    ("v3float", f"%_y = OpMatrixTimesVector %v3float {M} <v2float 10 100>", (410.0, 520.0, 630.0)),
    ("v2float", f"%_y = OpVectorTimesMatrix %v2float <v3float 1 10 100> {M}", (321.0, 654.0)),
    ("m3x3", f"%_y = OpMatrixTimesMatrix %m3x3 {M} <m3x2 1 2 3 4 5 6>", (9.0, 12.0, 15.0, 19.0, 26.0, 33.0, 29.0, 40.0, 51.0)),
    ("m2x2", f"%_y = OpMatrixTimesMatrix %m2x2 <m3x2 1 2 3 4 5 6> {M}", (22.0, 28.0, 49.0, 64.0)),
    ("m2x3", "%_y = OpOuterProduct %m2x3 <v3float 1 2 3> <v2float 10 100>", (10.0, 20.0, 30.0, 100.0, 200.0, 300.0)),
    ("m2x3", f"%_y = OpMatrixTimesScalar %m2x3 {M} <float 0.5>", (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)),
    ("float", "%_y = OpDot %float <v3float 1 2 3> <v3float 10 100 1000>", (3210.0,)),
    ("float", "%_y = OpExtInst %float %1 Determinant <m2x2 1 2 3 5>", (-1.0,)),
    ("m2x2", "%_y = OpExtInst %m2x2 %1 MatrixInverse <m2x2 1 2 3 5>", (-5.0, 2.0, 3.0, -1.0)),
    ("float", "%_y = OpExtInst %float %1 Determinant <m3x3 2 0 0 0 3 0 1 0 4>", (24.0,)),
]
# The bytes of 0x01FF027F are 127, 2, -1 (255), 1 from the lowest; of 0x0203FE01 1, -2 (254), 3, 2.
BYTES = "<uint 33489535> <uint 33816065>"
PACKED = "PackedVectorFormat4x8Bit"
DOTS = [
    ("int", f"%_y = OpSDot %int {BYTES} {PACKED}", (122,)),
    ("uint", f"%_y = OpUDot %uint {BYTES} {PACKED}", (1402,)),
    ("int", f"%_y = OpSUDot %int {BYTES} {PACKED}", (634,)),
    ("int", "%_y = OpSDot %int <v2int 3 -4> <v2int 5 6>", (-9,)),
    ("uint", "%_y = OpUDot %uint <v2uint 3 4> <v2uint 5 6>", (39,)),
    ("int", "%_y = OpSUDot %int <v2int 3 -4> <v2uint 5 6>", (-9,)),
    ("int", f"%_y = OpSDotAccSat %int {BYTES} <int 100> {PACKED}", (222,)),
    ("int", f"%_y = OpSDotAccSat %int {BYTES} <int 2147483525> {PACKED}", ((1 << 31) - 1,)),
    ("int", f"%_y = OpSDotAccSat %int {BYTES} <int 2147483526> {PACKED}", ((1 << 31) - 1,)),
    ("int", f"%_y = OpSDotAccSat %int {BYTES} <int 2147483524> {PACKED}", ((1 << 31) - 2,)),
    ("int", "%_y = OpSDotAccSat %int <v2int 3 -4> <v2int 5 6> <int -2147483639>", (-(1 << 31),)),
    ("int", "%_y = OpSDotAccSat %int <v2int 3 -4> <v2int 5 6> <int -2147483640>", (-(1 << 31),)),
    ("int", "%_y = OpSDotAccSat %int <v2int 3 -4> <v2int 5 6> <int -2147483638>", (1 - (1 << 31),)),
    ("uint", f"%_y = OpUDotAccSat %uint {BYTES} <uint 4294965893> {PACKED}", ((1 << 32) - 1,)),
    ("uint", f"%_y = OpUDotAccSat %uint {BYTES} <uint 4294965894> {PACKED}", ((1 << 32) - 1,)),
    ("uint", f"%_y = OpUDotAccSat %uint {BYTES} <uint 4294965892> {PACKED}", ((1 << 32) - 2,)),
    ("int", f"%_y = OpSUDotAccSat %int {BYTES} <int -1000> {PACKED}", (-366,)),
]
TWO_RESULTS = [
    ("uints", "%_y = OpIAddCarry %uints <uint 4294967295> <uint 1>", (0, 1)),
    ("uints", "%_y = OpIAddCarry %uints <uint 4294967295> <uint 0>", (0xFFFF_FFFF, 0)),
    ("uints", "%_y = OpIAddCarry %uints <uint 5> <uint 6>", (11, 0)),
    ("uints", "%_y = OpISubBorrow %uints <uint 1> <uint 2>", (0xFFFF_FFFF, 1)),
    ("uints", "%_y = OpISubBorrow %uints <uint 2> <uint 2>", (0, 0)),
    ("uints", "%_y = OpISubBorrow %uints <uint 9> <uint 2>", (7, 0)),
    ("uints", "%_y = OpUMulExtended %uints <uint 4294967295> <uint 3>", (0xFFFF_FFFD, 2)),
    ("ints", "%_y = OpSMulExtended %ints <int -1> <int 3>", (-3, -1)),
    ("ints", "%_y = OpSMulExtended %ints <int 65536> <int -65537>", (-65536, -2)),
    ("pairs", "%_y = OpIAddCarry %pairs <v2uint 4294967295 1> <v2uint 2 3>", (1, 4, 1, 0)),
    ("floats", "%_y = OpExtInst %floats %1 ModfStruct <float -2.75>", (-0.75, -2.0)),
    ("split", "%_y = OpExtInst %split %1 FrexpStruct <float -20>", (-0.625, 5)),
    ("vectors", "%_y = OpExtInst %vectors %1 ModfStruct <v2float 1.5 -3.25>", (0.5, -0.25, 1.0, -3.0)),
    ("splits", "%_y = OpExtInst %splits %1 FrexpStruct <v2float 0.25 3>", (0.5, 0.75, -1, 2)),
    ("float", "%_y = OpExtInst %float %1 Modf <float 2.75> %vf", (0.75,)),
    ("float", "%_x = OpExtInst %float %1 Modf <float 2.75> %vf\n%_y = OpLoad %float %vf", (2.0,)),
    ("int", "%_x = OpExtInst %float %1 Frexp <float 12> %vi\n%_y = OpLoad %int %vi", (4,)),
    ("v2float", "%_x = OpExtInst %v2float %1 Modf <v2float 2.75 7.5> %vv\n%_y = OpLoad %v2float %vv", (2.0, 7.0)),
]
VECTORS = [
    ("bool", "%_y = OpAny %bool <v3bool False False False>", (0,)),
    ("bool", "%_y = OpAny %bool <v3bool False False True>", (1,)),
    ("bool", "%_y = OpAny %bool <v3bool True False False>", (1,)),
    ("bool", "%_y = OpAll %bool <v3bool True True True>", (1,)),
    ("bool", "%_y = OpAll %bool <v3bool True True False>", (0,)),
    ("bool", "%_y = OpAll %bool <v3bool False True True>", (0,)),
    ("v3uint", "%_y = OpCompositeInsert %v3uint <uint 9> <v3uint 1 2 3> 1", (1, 9, 3)),
    ("m2x3", f"%_y = OpCompositeInsert %m2x3 <float 9> {M} 1 2", (1.0, 2.0, 3.0, 4.0, 5.0, 9.0)),
    ("m2x3", f"%_y = OpCompositeInsert %m2x3 <v3float 7 8 9> {M} 0", (7.0, 8.0, 9.0, 4.0, 5.0, 6.0)),
    ("v3float", f"%_y = OpCompositeExtract %v3float {M} 1", (4.0, 5.0, 6.0)),
    ("v4uint", "%_y = OpVectorShuffle %v4uint <v2uint 1 2> <v3uint 3 4 5> 4 1 2 0", (5, 2, 3, 1)),
    ("v2uint", "%_y = OpVectorShuffle %v2uint <v2uint 1 2> <v3uint 3 4 5> 0xFFFFFFFF 3", (0, 4)),
    ("uint", "%_y = OpVectorExtractDynamic %uint <v3uint 7 8 9> <uint 2>", (9,)),
    ("uint", "%_y = OpVectorExtractDynamic %uint <v3uint 7 8 9> <uint 0>", (7,)),
    ("uint", "%_y = OpVectorExtractDynamic %uint <v3uint 7 8 9> <uint 3>", (0,)),
    ("v3uint", "%_y = OpVectorInsertDynamic %v3uint <v3uint 7 8 9> <uint 5> <uint 2>", (7, 8, 5)),
    ("v3uint", "%_y = OpVectorInsertDynamic %v3uint <v3uint 7 8 9> <uint 5> <uint 3>", (7, 8, 9)),
    ("v3float", "%_y = OpExtInst %v3float %1 Cross <v3float 1 2 3> <v3float 4 5 7>", (-1.0, 5.0, -3.0)),
    ("float", "%_y = OpExtInst %float %1 Length <v2float 3 -4>", (5.0,)),
    ("float", "%_y = OpExtInst %float %1 Distance <v2float 1 1> <v2float 4 5>", (5.0,)),
    ("v2float", "%_y = OpExtInst %v2float %1 Reflect <v2float 1 -2> <v2float 0 1>", (1.0, 2.0)),
    ("v2float", "%_y = OpExtInst %v2float %1 FaceForward <v2float 1 2> <v2float 1 0> <v2float 1 0>", (-1.0, -2.0)),
]
CONVERSIONS = [
    ("v2uint", "%_y = OpBitcast %v2uint <ulong 81985529216486895>", (0x89ABCDEF, 0x1234567)),
    ("ulong", "%_y = OpBitcast %ulong <v2uint 1 2>", ((2 << 32) + 1,)),
    ("v2ulong", "%_y = OpBitcast %v2ulong <v4uint 1 2 3 4>", ((2 << 32) + 1, (4 << 32) + 3)),
    ("v4uint", "%_y = OpBitcast %v4uint <v2ulong 8589934593 17179869187>", (1, 2, 3, 4)),
    ("uint", "%_h = OpBitcast %v2ushort <uint 305419896>\n%_l = OpVectorShuffle %v2ushort %_h %_h 1 0\n%_y = OpBitcast %uint %_l", (0x56781234,)),
    ("ulong", "%_h = OpBitcast %v4ushort <ulong 81985529216486895>\n%_l = OpVectorShuffle %v4ushort %_h %_h 3 2 1 0\n%_y = OpBitcast %ulong %_l", (0xCDEF_89AB_4567_0123,)),
    ("uint", "%_h = OpBitcast %v2half <uint 1006649344>\n%_e = OpCompositeExtract %half %_h 0\n%_f = OpFConvert %float %_e\n%_y = OpBitcast %uint %_f", (0x40000000,)),
    ("float", "%_y = OpBitcast %float <uint 1069547520>", (1.5,)),
    ("uint", "%_y = OpBitCount %uint <uint 255>", (8,)),
    ("ulong", "%_y = OpBitCount %ulong <ulong 81985529216486895>", (32,)),
    ("uint", "%_y = OpBitCount %uint <ulong 81985529216486895>", (32,)),
    ("uint", "%_y = OpBitcast %uint <float -2>", (0xC000_0000,)),
    # 2 ** -14 is the smallest normal number of 16 bits; less becomes a zero of the same sign
    ("float", "%_y = OpQuantizeToF16 %float <float 0.00006103515625>", (2.0**-14,)),
    ("float", "%_y = OpQuantizeToF16 %float <float 0.000061>", (0.0,)),
    ("float", "%_y = OpQuantizeToF16 %float <float -0.000061>", (-0.0,)),
    ("float", "%_y = OpQuantizeToF16 %float <float 1.00048828125>", (1.0,)),
    ("float", "%_y = OpQuantizeToF16 %float <float 1.0009765625>", (1.0009765625,)),
    ("float", "%_y = OpQuantizeToF16 %float <float -70000>", (-math.inf,)),
]


def _atomic(code: str, start: int, kind: str = "uint") -> str:
    """Return code whose result is the old value and the new one, of a word with this value."""
    text = f"""%_p = OpAccessChain %p_uint %out %c0 %_at
OpAtomicStore %_p %c1 %c0 <uint {start}>
%_old = {code}
%_new = OpAtomicLoad %uint %_p %c1 %c0
%_was = OpBitcast %uint %_old
%_y = OpCompositeConstruct %uints %_was %_new"""
    return f"%_at = OpCopyObject %uint <uint {MEMORY}>\n" + text


MEMORY = 80  # a word after the results, for atomics
MINUS = 0xFFFF_FFFF
ATOMICS = [
    ("uints", _atomic("OpAtomicIAdd %uint %_p %c1 %c0 <uint 5>", 7), (7, 12)),
    ("uints", _atomic("OpAtomicISub %uint %_p %c1 %c0 <uint 5>", 7), (7, 2)),
    ("uints", _atomic("OpAtomicIIncrement %uint %_p %c1 %c0", 7), (7, 8)),
    ("uints", _atomic("OpAtomicIDecrement %uint %_p %c1 %c0", 7), (7, 6)),
    ("uints", _atomic("OpAtomicIDecrement %uint %_p %c1 %c0", 0), (0, MINUS)),
    ("uints", _atomic("OpAtomicExchange %uint %_p %c1 %c0 <uint 5>", 7), (7, 5)),
    ("uints", _atomic("OpAtomicCompareExchange %uint %_p %c1 %c0 %c0 <uint 5> <uint 7>", 7), (7, 5)),
    ("uints", _atomic("OpAtomicCompareExchange %uint %_p %c1 %c0 %c0 <uint 5> <uint 6>", 7), (7, 7)),
    ("uints", _atomic("OpAtomicCompareExchangeWeak %uint %_p %c1 %c0 %c0 <uint 5> <uint 7>", 7), (7, 5)),
    ("uints", _atomic("OpAtomicSMin %uint %_p %c1 %c0 <uint 4294967295>", 7), (7, MINUS)),
    ("uints", _atomic("OpAtomicUMin %uint %_p %c1 %c0 <uint 4294967295>", 7), (7, 7)),
    ("uints", _atomic("OpAtomicSMax %uint %_p %c1 %c0 <uint 4294967295>", 7), (7, 7)),
    ("uints", _atomic("OpAtomicUMax %uint %_p %c1 %c0 <uint 4294967295>", 7), (7, MINUS)),
    ("uints", _atomic("OpAtomicAnd %uint %_p %c1 %c0 <uint 12>", 7), (7, 4)),
    ("uints", _atomic("OpAtomicOr %uint %_p %c1 %c0 <uint 12>", 7), (7, 15)),
    ("uints", _atomic("OpAtomicXor %uint %_p %c1 %c0 <uint 12>", 7), (7, 11)),
]
MEMORIES = [
    ("bool", "OpStore %wb <bool True>\n%_y = OpLoad %bool %wb", (1,)),
    ("bool", "OpStore %wb <bool False>\n%_y = OpLoad %bool %wb", (0,)),
    ("uint", "%_s = OpUConvert %ushort <uint 70000>\nOpStore %ws %_s\n%_l = OpLoad %ushort %ws\n%_y = OpUConvert %uint %_l", (4464,)),
    ("float", "%_s = OpFConvert %half <float -1.5>\nOpStore %wh %_s\n%_l = OpLoad %half %wh\n%_y = OpFConvert %float %_l", (-1.5,)),
    ("ulong", "OpStore %wl <ulong 81985529216486895>\n%_y = OpLoad %ulong %wl", (0x1234567_89ABCDEF,)),
    ("uint", "OpStore %ww <uint 7>\n%_x = OpAtomicIAdd %uint %ww %c1 %c0 <uint 5>\n%_y = OpLoad %uint %ww", (12,)),
    ("uint", "OpStore %ww <uint 7>\n%_y = OpAtomicIAdd %uint %ww %c1 %c0 <uint 5>", (7,)),
    ("v2float", "OpStore %vv <v2float 1 2>\nOpCopyMemory %vn %vv\n%_y = OpLoad %v2float %vn", (1.0, 2.0)),
    ("float", "OpStore %vv <v2float 1 2>\n%_p = OpAccessChain %pf %vv <uint 1>\n%_y = OpLoad %float %_p", (2.0,)),
    ("v2float", "OpStore %vv <v2float 1 2>\n%_p = OpInBoundsAccessChain %pf %vv <uint 0>\nOpStore %_p <float 3>\n%_y = OpLoad %v2float %vv", (3.0, 2.0)),
]
# Zero, the least and the largest subnormal number, the least and the largest normal one, inf, NaN.
CLASSES = {
    "float": ("uint", [0, 1, 0x7FFFFF, 0x800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000], 1 << 31),
    "half": ("ushort", [0, 1, 0x3FF, 0x400, 0x7BFF, 0x7C00, 0x7E00], 1 << 15),
    "double": ("ulong", [0, 1, (1 << 52) - 1, 1 << 52, (0x7FF << 52) - 1, 0x7FF << 52, 0x7FF8 << 48], 1 << 63),
}
# fmt: on
ORDER = ("OpIsInf", "OpIsNan", "OpIsNormal", "OpSignBitSet")


@pytest.mark.parametrize(
    "rows", [MATRICES, DOTS, TWO_RESULTS, VECTORS, CONVERSIONS, ATOMICS, MEMORIES]
)
def test_results(rows: Sequence[tuple[str, str, Sequence[float]]]) -> None:
    check(rows)


@pytest.mark.parametrize("kind", CLASSES)
def test_classes_of_floats(kind: str) -> None:
    integer, bits, sign = CLASSES[kind]
    expected = [(0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 1), (0, 0, 1), (1, 0, 0), (0, 1, 0)]
    check(
        [
            (
                "bool",
                f"%_f = OpBitcast %{kind} <{integer} {pattern | up}>\n%_y = {name} %bool %_f",
                [(*answers, int(up > 0))[at]],
            )
            for pattern, answers in zip(bits, expected, strict=True)
            for up in (0, sign)
            for at, name in enumerate(ORDER)
        ]
    )


def test_a_dot_product_of_integers_converts_no_number_to_its_own_type() -> None:
    """A translation would be invalid: OpSConvert has another width."""
    module = shader(
        "%v = OpCompositeConstruct %v2uint %x %i\n%y = OpUDot %uint %v %v", "%y",
        globals="%v2uint = OpTypeVector %uint 2",
        decorations="",
    )  # fmt: skip
    assert run(module, [3, 4, 5, 6]) == [9, 17, 29, 45]
    values = walk(unshade.kernel(module, engine="lockstep").lowered.kernel.body)
    assert not [each for each in values if each.op in (OPS.iconv, OPS.uconv)]
