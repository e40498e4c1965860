"""Products of matrices, selections, carries, dynamic components, and casts: types of operands."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import FINE, differing, mistaken

HEAD = """{shader} {types}
    %int = OpTypeInt 32 1
    %float3 = OpTypeVector %float 3
    %int2 = OpTypeVector %int 2
    %bool2 = OpTypeVector %bool 2
    %bool3 = OpTypeVector %bool 3
    %mat3x2 = OpTypeMatrix %float2 3
    %mat2x3 = OpTypeMatrix %float3 2
    %mat2x2 = OpTypeMatrix %float2 2
    %mat3x3 = OpTypeMatrix %float3 3
    %array = OpTypeArray %float %two
    %uints = OpTypeStruct %uint %uint
    %ints = OpTypeStruct %int %int
    %floats = OpTypeStruct %float %float
    %mixed = OpTypeStruct %uint %int
    %v2 = OpUndef %float2
    %v3 = OpUndef %float3
    %u2 = OpUndef %uint2
    %i2 = OpUndef %int2
    %i = OpConstant %int 1
    %b2 = OpUndef %bool2
    %b3 = OpUndef %bool3
    %m32 = OpUndef %mat3x2
    %m23 = OpUndef %mat2x3
    %m22 = OpUndef %mat2x2
    %a = OpUndef %array
    """
SIZES = "expected matching sizes"


def form(of: str) -> str:
    return f"expected another form of {of}"


TYPES = {"uint": "one", "int": "i", "float": "fone", "bool": "true", "uint2": "u2", "float2": "v2"}
INT, FLOAT, TRUTH = "uint int", "float", "bool"
# Names, operands, the types of operands, and the result: the same type, bool, or another base.
CLASSES = [
    ("FAdd FSub FMul FDiv FRem FMod", 2, FLOAT, "same"),
    ("FNegate", 1, FLOAT, "same"),
    ("UDiv UMod", 2, "uint", "same"),
    ("IAdd ISub IMul SDiv SRem SMod BitwiseAnd BitwiseOr BitwiseXor ShiftLeftLogical "
     "ShiftRightLogical ShiftRightArithmetic", 2, INT, "same"),
    ("SNegate Not BitReverse BitCount", 1, INT, "same"),
    ("LogicalEqual LogicalNotEqual LogicalOr LogicalAnd", 2, TRUTH, "same"),
    ("LogicalNot", 1, TRUTH, "same"),
    ("IsNan IsInf", 1, FLOAT, "bool"),
    ("FOrdEqual FUnordEqual FOrdNotEqual FUnordNotEqual FOrdLessThan FUnordLessThan "
     "FOrdGreaterThan FUnordGreaterThan FOrdLessThanEqual FUnordLessThanEqual "
     "FOrdGreaterThanEqual FUnordGreaterThanEqual", 2, FLOAT, "bool"),
    ("IEqual INotEqual UGreaterThan UGreaterThanEqual ULessThan ULessThanEqual SGreaterThan "
     "SGreaterThanEqual SLessThan SLessThanEqual", 2, INT, "bool"),
    ("ConvertFToU", 1, FLOAT, "uint"), ("ConvertFToS", 1, FLOAT, "int"),
    ("ConvertSToF ConvertUToF", 1, INT, "float"),
]  # fmt: skip


def test_each_operation_with_each_type() -> None:
    """Operands of one type, and the result that the operation has for them."""
    rows = []
    for names, count, bases, result in CLASSES:
        for name in names.split():
            for type_, value in TYPES.items():
                base, size = type_.rstrip("2"), type_.lstrip("abdefilnotu")
                made = type_ if result == "same" else result + size
                line = f"%x{{}} = Op{name} %{made}" + f" %{value}" * count
                rows.append((line, base in bases.split()))
    assert mistaken(HEAD, rows) == []


def test_operands_have_as_many_components_as_the_result() -> None:
    table = [
        ("FAdd %float2", "%v2 %v2", ("%fone %v2", "%v2 %fone", "%v3 %v2", "%v2 %v3")),
        ("IAdd %uint2", "%u2 %i2", ("%one %u2", "%u2 %one", "%v2 %u2")),
        ("ShiftLeftLogical %uint2", "%u2 %i2", ("%one %u2", "%u2 %one", "%u2 %v2")),
        ("FOrdEqual %bool2", "%v2 %v2", ("%fone %v2", "%v2 %fone", "%fone %fone")),
        ("IEqual %bool2", "%u2 %i2", ("%one %u2", "%u2 %one", "%one %one")),
        ("IEqual %bool", "%one %i", ("%u2 %one", "%u2 %u2")),
        ("ConvertFToS %int2", "%v2", ("%fone", "%v3", "%u2")),
        ("LogicalOr %bool2", "%b2 %b2", ("%true %b2", "%b2 %true", "%b3 %b3")),
        ("Any %bool", "%b2", ("%true", "%u2")),
        ("All %bool", "%b3", ("%true", "%v3")),
        ("Dot %float", "%v3 %v3", ("%v3 %v2", "%fone %fone", "%u2 %u2")),
        ("VectorTimesScalar %float2", "%v2 %fone", ("%v3 %fone", "%v2 %v2", "%v2 %one")),
        ("BitFieldInsert %uint2", "%u2 %u2 %one %i",
         ("%one %u2 %one %i", "%u2 %one %one %i", "%u2 %u2 %u2 %i", "%u2 %u2 %one %fone")),
        ("BitFieldSExtract %int", "%i %one %one",
         ("%one %one %one", "%i %fone %one", "%i %one %u2")),
        ("BitFieldUExtract %uint", "%one %one %i", ("%i %one %one", "%one %fone %one")),
    ]  # fmt: skip
    rows = [
        (f"%x{{}} = Op{name} {operands}", operands == sound)
        for name, sound, others in table
        for operands in (sound, *others)
    ]
    assert mistaken(HEAD, rows) == []


def test_products_of_matrices_and_vectors() -> None:
    """A matrix of c columns and r rows takes a vector of c, or one of r before it."""
    rows = [
        ("%x{} = OpMatrixTimesScalar %mat3x2 %m32 %fone", FINE),
        ("%x{} = OpMatrixTimesScalar %mat2x3 %m32 %fone", SIZES),
        ("%x{} = OpMatrixTimesScalar %float2 %m32 %fone", form("the result")),
        ("%x{} = OpMatrixTimesScalar %mat3x2 %v2 %fone", form("operand 1")),
        ("%x{} = OpMatrixTimesScalar %mat3x2 %m32 %v2", form("operand 2")),
        ("%x{} = OpMatrixTimesScalar %mat3x2 %m32 %one",
         "expected the components of operand 2 to be of the result's type"),
        ("%x{} = OpVectorTimesMatrix %float3 %v2 %m32", FINE),
        ("%x{} = OpVectorTimesMatrix %float2 %v2 %m32", SIZES),
        ("%x{} = OpVectorTimesMatrix %float3 %v3 %m32", SIZES),
        ("%x{} = OpVectorTimesMatrix %float3 %m32 %v2", form("operand 1")),
        ("%x{} = OpVectorTimesMatrix %float3 %u2 %m32",
         "expected the components of operand 1 to be of the result's type"),
        ("%x{} = OpMatrixTimesVector %float2 %m32 %v3", FINE),
        ("%x{} = OpMatrixTimesVector %float3 %m32 %v3", SIZES),
        ("%x{} = OpMatrixTimesVector %float2 %m32 %v2", SIZES),
        ("%x{} = OpMatrixTimesVector %uint2 %m32 %v3", "expected components of float"),
        ("%x{} = OpMatrixTimesMatrix %mat2x2 %m32 %m23", FINE),
        ("%x{} = OpMatrixTimesMatrix %mat3x3 %m23 %m32", FINE),
        ("%x{} = OpMatrixTimesMatrix %mat3x3 %m32 %m23", SIZES),
        ("%x{} = OpMatrixTimesMatrix %mat3x2 %m22 %m32", FINE),
        ("%x{} = OpMatrixTimesMatrix %mat2x2 %m22 %m32", SIZES),
        ("%x{} = OpMatrixTimesMatrix %mat3x2 %m32 %m32", SIZES),
        ("%x{} = OpMatrixTimesMatrix %mat3x2 %m22 %v2", form("operand 2")),
        ("%x{} = OpOuterProduct %mat3x2 %v2 %v3", FINE),
        ("%x{} = OpOuterProduct %mat3x2 %v3 %v2", SIZES),
        ("%x{} = OpOuterProduct %mat2x2 %v2 %v3", SIZES),
        ("%x{} = OpOuterProduct %mat2x2 %m22 %v2", form("operand 1")),
        ("%x{} = OpTranspose %mat2x3 %m32", FINE),
        ("%x{} = OpTranspose %mat3x2 %m32", SIZES),
        ("%x{} = OpTranspose %mat2x2 %m32", SIZES),
        ("%x{} = OpTranspose %mat2x3 %a", "expected matrices, vectors and scalars"),
        ("%x{} = OpVectorTimesScalar %float2 %v2 %fone", FINE),
        ("%x{} = OpDot %float %v2 %v2", FINE),
    ]  # fmt: skip
    assert differing(HEAD, rows) == []


def test_selections() -> None:
    condition, count = "expected a condition of bool", "expected as many conditions as components"
    rows = [
        ("%x{} = OpSelect %float %true %fone %fone", FINE),
        ("%x{} = OpSelect %float2 %b2 %v2 %v2", FINE),
        ("%x{} = OpSelect %float2 %true %v2 %v2", FINE),  # since version 1.4
        ("%x{} = OpSelect %array %true %a %a", FINE),
        ("%x{} = OpSelect %mat2x2 %true %m22 %m22", FINE),
        ("%x{} = OpSelect %array %b2 %a %a", count),
        ("%x{} = OpSelect %float2 %b3 %v2 %v2", count),
        ("%x{} = OpSelect %float %b2 %fone %fone", count),
        ("%x{} = OpSelect %float %one %fone %fone", condition),
        ("%x{} = OpSelect %float %true %one %fone", "operand 2: expected the result type"),
        ("%x{} = OpSelect %float %true %fone %one", "operand 3: expected the result type"),
    ]
    assert differing(HEAD, rows) == []
    rows = [
        ("%x{} = OpSelect %float2 %b2 %v2 %v2", FINE),
        ("%x{} = OpSelect %float2 %true %v2 %v2", count),
        ("%x{} = OpSelect %array %true %a %a", "expected a scalar or vector as result"),
    ]
    assert differing(HEAD, rows, "spv1.3") == []


def test_results_of_two_members() -> None:
    members = "expected a structure of two equal members"
    operand = "expected the type of the members"
    rows: list[tuple[str, str]] = []
    for name in ("OpIAddCarry", "OpISubBorrow", "OpUMulExtended", "OpSMulExtended"):
        signed = name == "OpSMulExtended"
        rows += [
            (f"%x{{}} = {name} %uints %one %one", FINE),
            (f"%x{{}} = {name} %ints %i %i", FINE if signed else "expected members of uint"),
            (f"%x{{}} = {name} %mixed %one %one", members),
            (f"%x{{}} = {name} %uint %one %one", members),
            (f"%x{{}} = {name} %uints %i %one", operand),
            (f"%x{{}} = {name} %uints %one %i", operand),
        ]
    assert differing(HEAD, rows) == []


def test_components_by_a_value() -> None:
    part = "expected the type of the components"
    rows = [
        ("%x{} = OpVectorExtractDynamic %float %v2 %one", FINE),
        ("%x{} = OpVectorExtractDynamic %uint %v2 %one", part),
        ("%x{} = OpVectorInsertDynamic %float2 %v2 %fone %one", FINE),
        ("%x{} = OpVectorInsertDynamic %float2 %v2 %one %one", part),
    ]
    assert differing(HEAD, rows) == []


def test_casts_keep_the_number_of_bits() -> None:
    bits = "expected the same number of bits"
    rows = [
        ("%x{} = OpBitcast %float %one", FINE), ("%x{} = OpBitcast %int %fone", FINE),
        ("%x{} = OpBitcast %int2 %v2", FINE), ("%x{} = OpBitcast %uint %v2", bits),
        ("%x{} = OpBitcast %float3 %u2", bits),
        ("%x{} = OpBitcast %bool %one", "expected a result of int, float or a pointer"),
        ("%x{} = OpBitcast %uint %true", "expected an operand of int, float or a pointer"),
        ("%x{} = OpBitcast %uint %a", "expected an operand of int, float or a pointer"),
    ]  # fmt: skip
    assert differing(HEAD, rows) == []


def test_conversions_change_the_width() -> None:
    head = HEAD.replace("{shader}", """OpCapability Shader
        OpCapability Linkage
        OpCapability Int64
        OpCapability Float64
        OpMemoryModel Logical GLSL450""").replace("%int = ", """%long = OpTypeInt 64 0
        %double = OpTypeFloat 64
        %long1 = OpConstant %long 1
        %double1 = OpConstant %double 1
        %int = """)  # fmt: skip
    same = "a conversion does not convert"
    rows = [
        ("%x{} = OpUConvert %long %one", FINE), ("%x{} = OpUConvert %uint %long1", FINE),
        ("%x{} = OpSConvert %int %long1", FINE), ("%x{} = OpFConvert %double %fone", FINE),
        ("%x{} = OpFConvert %float %double1", FINE), ("%x{} = OpUConvert %uint %one", same),
        ("%x{} = OpSConvert %int %one", same), ("%x{} = OpFConvert %float %fone", same),
    ]  # fmt: skip
    assert differing(head, rows) == []


DOTS = """OpCapability Shader OpCapability Linkage OpCapability Int8 OpCapability Int16
    OpCapability Int64 OpCapability DotProduct {inputs} OpMemoryModel Logical GLSL450 {types}
    %int = OpTypeInt 32 1
    %byte = OpTypeInt 8 0
    %sbyte = OpTypeInt 8 1
    %short = OpTypeInt 16 0
    %long = OpTypeInt 64 0
    %int2 = OpTypeVector %int 2
    %byte4 = OpTypeVector %byte 4
    %sbyte4 = OpTypeVector %sbyte 4
    %short4 = OpTypeVector %short 4
    %u2 = OpUndef %uint2
    %i2 = OpUndef %int2
    %b4 = OpUndef %byte4
    %sb4 = OpUndef %sbyte4
    %s4 = OpUndef %short4
    %f2 = OpUndef %float2
    %i = OpConstant %int 1
    %l = OpConstant %long 1
    """
PACKED = "PackedVectorFormat4x8Bit"


def test_dot_products_of_integers() -> None:
    """As spirv-val 2026.4 has it: SPV_KHR_integer_dot_product."""
    vectors = [
        ("%x{} = OpUDot %uint %u2 %u2", FINE),
        ("%x{} = OpSDot %int %u2 %i2", FINE),
        ("%x{} = OpSDot %uint %i2 %i2", FINE),
        ("%x{} = OpSUDot %int %sb4 %b4", FINE),
        ("%x{} = OpUDot %byte %b4 %b4", FINE),
        ("%x{} = OpUDotAccSat %uint %u2 %u2 %one", FINE),
        ("%x{} = OpUDot %int %u2 %u2", "expected a scalar of uint as result"),
        ("%x{} = OpSDot %float %i2 %i2", "expected a scalar of int as result"),
        ("%x{} = OpSDot %int2 %i2 %i2", "expected a scalar of int as result"),
        ("%x{} = OpUDot %uint %u2 %i2", "operand 1: expected components of uint"),
        ("%x{} = OpSUDot %int %u2 %i2", "operand 1: expected components of uint"),
        ("%x{} = OpSUDot %int %i2 %b4", "expected operands of one form"),
        ("%x{} = OpUDot %byte %s4 %s4", "expected at least the width of the components"),
        ("%x{} = OpUDot %uint %f2 %f2", "operand 0: expected a vector of int, or a scalar int32"),
        ("%x{} = OpUDotAccSat %uint %u2 %u2 %i", "operand 2: expected the result type"),
        (f"%x{{}} = OpUDot %uint %one %one {PACKED}",
         "operands of this form need DotProductInput4x8BitPacked"),
    ]  # fmt: skip
    bytes_ = [
        ("%x{} = OpUDot %uint %b4 %b4", FINE),
        ("%x{} = OpUDot %uint %s4 %s4", "operands of this form need DotProductInputAll"),
    ]
    packed = [
        (f"%x{{}} = OpUDot %byte %one %one {PACKED}", FINE),
        (f"%x{{}} = OpSUDot %int %i %one {PACKED}", FINE),
        (f"%x{{}} = OpUDotAccSat %uint %one %one %one {PACKED}", FINE),
        ("%x{} = OpUDot %uint %one %one", "expected a packed vector format"),
        ("%x{} = OpUDotAccSat %uint %one %one %one", "expected a packed vector format"),
        (f"%x{{}} = OpUDot %uint %l %l {PACKED}",
         "operand 0: expected a vector of int, or a scalar int32"),
        ("%x{} = OpUDot %uint %b4 %b4",
         "operands of this form need DotProductInputAll or DotProductInput4x8Bit"),
    ]  # fmt: skip
    for input, rows in (("All", vectors), ("4x8Bit", bytes_), ("4x8BitPacked", packed)):
        head = DOTS.replace("{inputs}", f"OpCapability DotProductInput{input}")
        assert differing(head, rows) == []
