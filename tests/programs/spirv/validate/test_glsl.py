"""GLSL.std.450: each instruction with each type of operands, and the rules of some."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import differing, mistaken
from unshade.programs.spirv.tables.numbers import GlslStd450

HEAD = """OpCapability Shader
    OpCapability Linkage
    OpCapability Float64
    %set = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Logical GLSL450
    {types} %int = OpTypeInt 32 1
    %double = OpTypeFloat 64
    %float3 = OpTypeVector %float 3
    %float4 = OpTypeVector %float 4
    %int2 = OpTypeVector %int 2
    %mat2 = OpTypeMatrix %float2 2
    %mat3x2 = OpTypeMatrix %float2 3
    %pair = OpTypeStruct %float %float
    %mixed = OpTypeStruct %float %int
    %pair2 = OpTypeStruct %float2 %int2
    %wrong2 = OpTypeStruct %float2 %int
    %to_float = OpTypePointer Private %float
    %to_float2 = OpTypePointer Private %float2
    %to_int = OpTypePointer Private %int
    %to_int2 = OpTypePointer Private %int2
    %d = OpConstant %double 1
    %i = OpConstant %int 1
    %v2 = OpConstantNull %float2
    %v3 = OpConstantNull %float3
    %v4 = OpConstantNull %float4
    %u2 = OpConstantNull %uint2
    %i2 = OpConstantNull %int2
    %m = OpConstantNull %mat2
    %m32 = OpConstantNull %mat3x2
    %pf = OpVariable %to_float Private
    %pf2 = OpVariable %to_float2 Private
    %pi = OpVariable %to_int Private
    %pi2 = OpVariable %to_int2 Private
    """
TYPES = {"float": "fone", "float2": "v2", "double": "d", "uint": "one", "int": "i",
         "int2": "i2", "bool": "true"}  # fmt: skip
ANY, NARROW, INT = "float float2 double", "float float2", "uint int int2"
# By number of operands, which are of the result's type.
CLASSES = [
    ("Round RoundEven Trunc FAbs FSign Floor Ceil Fract Sqrt InverseSqrt Normalize", 1, ANY),
    ("FMin FMax NMin NMax Step Reflect", 2, ANY),
    ("FClamp NClamp FMix SmoothStep Fma FaceForward", 3, ANY),
    ("Radians Degrees Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Exp Log Exp2 "
     "Log2", 1, NARROW),
    ("Atan2 Pow", 2, NARROW),
    ("SAbs SSign FindILsb FindSMsb FindUMsb", 1, INT),
    ("UMin SMin UMax SMax", 2, INT),
    ("UClamp SClamp", 3, INT),
]  # fmt: skip
OTHERS = {
    "PackSnorm4x8", "PackUnorm4x8", "PackSnorm2x16", "PackUnorm2x16", "PackHalf2x16",
    "PackDouble2x32", "UnpackSnorm2x16", "UnpackUnorm2x16", "UnpackHalf2x16", "UnpackSnorm4x8",
    "UnpackUnorm4x8", "UnpackDouble2x32", "Determinant", "MatrixInverse", "Modf", "ModfStruct",
    "Frexp", "FrexpStruct", "Ldexp", "Length", "Distance", "Cross", "Refract", "IMix",
    "InterpolateAtCentroid", "InterpolateAtSample", "InterpolateAtOffset",
}  # fmt: skip


def test_each_instruction_with_each_type() -> None:
    rows = [
        (f"%x{{}} = OpExtInst %{type_} %set {name}" + f" %{value}" * count, type_ in types.split())
        for names, count, types in CLASSES
        for name in names.split()
        for type_, value in TYPES.items()
    ]
    assert mistaken(HEAD, rows) == []
    known = {name for names, _, _ in CLASSES for name in names.split()}
    assert known | OTHERS == {name for name in vars(GlslStd450) if not name.startswith("_")}


def test_other_types_of_operands() -> None:
    table = [
        ("Ldexp %float2", "%v2 %i2", ("%v2 %i", "%v2 %v2", "%fone %i2")),
        ("Length %float", "%v3", ("%u2", "%m", "%true")),
        ("Distance %float", "%v3 %v3", ("%v3 %v2", "%u2 %u2")),
        ("Cross %float3", "%v3 %v3", ("%v3 %v2", "%v2 %v2")),
        ("Refract %float2", "%v2 %v2 %fone", ("%v2 %v2 %v2", "%v2 %v2 %one", "%v2 %v3 %fone")),
        ("PackSnorm4x8 %uint", "%v4", ("%v2", "%u2")),
        ("PackUnorm4x8 %uint", "%v4", ("%v3",)),
        ("PackHalf2x16 %uint", "%v2", ("%v4", "%i2", "%fone")),
        ("PackSnorm2x16 %uint", "%v2", ("%v4",)),
        ("PackUnorm2x16 %uint", "%v2", ("%v4",)),
        ("PackDouble2x32 %double", "%u2", ("%v2", "%one")),
        ("UnpackDouble2x32 %uint2", "%d", ("%fone", "%one")),
        ("UnpackSnorm4x8 %float4", "%one", ("%fone", "%u2")),
        ("UnpackUnorm4x8 %float4", "%one", ("%fone",)),
        ("UnpackHalf2x16 %float2", "%one", ("%fone", "%u2")),
        ("UnpackSnorm2x16 %float2", "%one", ("%fone",)),
        ("UnpackUnorm2x16 %float2", "%one", ("%fone",)),
        ("UnpackUnorm2x16 %float2", "%i", ("%v2",)),
        ("Determinant %float", "%m", ("%v2", "%m32", "%fone")),
        ("MatrixInverse %mat2", "%m", ("%m32", "%v2")),
        ("Modf %float2", "%v2 %pf2", ("%v2 %pf", "%v2 %v2", "%fone %pf2")),
        ("Frexp %float2", "%v2 %pi2", ("%v2 %pi", "%v2 %pf2", "%v2 %i2")),
        ("ModfStruct %pair", "%fone", ("%d", "%v2")),
        ("ModfStruct %pair", "%fone", ("%one",)),
        ("FrexpStruct %mixed", "%fone", ("%v2", "%one")),
        ("FrexpStruct %pair2", "%v2", ("%fone",)),
    ]
    rows = [
        (
            f"%x{{}} = OpExtInst {name.split()[1]} %set {name.split()[0]} {operands}",
            operands == sound,
        )
        for name, sound, others in table
        for operands in (sound, *others)
    ]
    assert mistaken(HEAD, rows) == []


def test_results_and_rules_of_some() -> None:
    two = "expected a structure of a float and another"
    rows = [
        ("%x{} = OpExtInst %mixed %set ModfStruct %fone", "expected two equal members"),
        ("%x{} = OpExtInst %float %set ModfStruct %fone", two),
        ("%x{} = OpExtInst %pair %set FrexpStruct %fone", "expected exponents as second member"),
        ("%x{} = OpExtInst %wrong2 %set FrexpStruct %v2", "expected exponents as second member"),
        ("%x{} = OpExtInst %float %set FrexpStruct %fone", two),
        ("%x{} = OpExtInst %float %set Determinant %m32", "expected a square matrix"),
    ]
    assert differing(HEAD, rows) == []
