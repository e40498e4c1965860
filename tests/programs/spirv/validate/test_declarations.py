"""Types and constants: what they may be made of."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import DECLARED, FINE, Rows, differing, differing_modules

HEAD = """{shader} {types}
    %float4 = OpTypeVector %float 4
    %minus1 = OpTypeInt 32 1
    %minus = OpConstant %minus1 -1
    %array = OpTypeArray %uint %two
    %struct = OpTypeStruct %uint %float
    %nested = OpTypeStruct %uint2 %array
    %mat2 = OpTypeMatrix %float2 2
    %u2 = OpConstantNull %uint2
    %f2 = OpConstantNull %float2
    %spec = OpSpecConstant %uint 3
    %sized = OpTypeArray %uint %spec
    %sampler = OpTypeSampler
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %stored = OpTypeImage %float 2D 0 0 0 2 Rgba8
    %pointer = OpTypePointer Private %uint
    %v = OpVariable %pointer Private
    """


def check(rows: list[tuple[str, str]], target: str = "spv1.6", head: str = HEAD) -> None:
    named = [(f"%x{{}} = Op{line}", wanted) for line, wanted in rows]
    assert differing(head, named, target, DECLARED) == []


def test_types() -> None:
    length = "expected at least 1, got "
    check([
        ("TypeVector %uint 3", FINE),
        ("TypeVector %uint2 2", "expected components that are scalars"),
        ("TypeMatrix %float2 3", FINE),
        ("TypeMatrix %float2 4", FINE),
        ("TypeMatrix %float2 5", "expected 2 to 4 columns, got 5"),
        ("TypeMatrix %float2 1", "expected 2 to 4 columns, got 1"),
        ("TypeMatrix %uint2 2", "expected components of float"),
        ("TypeMatrix %float 2", "expected columns that are vectors"),
        ("TypeArray %float %one", FINE),
        ("TypeArray %float %spec", FINE),
        ("TypeArray %float %zero", length + "0"),
        ("TypeArray %float %minus", length + "-1"),
        ("TypeArray %float %fone", "the length is not a positive constant"),
        ("TypeArray %float %v", "the length is not a positive constant"),
        ("TypeArray %void %one", "expected a type of elements"),
        ("TypeRuntimeArray %float2", FINE),
        ("TypeRuntimeArray %void", "expected a type of elements"),
        ("TypeStruct %uint %array %struct", FINE),
        ("TypeStruct %uint %void", "member 1: expected a type of values"),
        ("TypePointer Private %struct", FINE),
        ("TypeFunction %uint %struct %uint", FINE),
        ("TypeFunction %uint %void", "expected types of values as parameters"),
    ])  # fmt: skip


def test_types_of_images() -> None:
    sampled = "expected at most 2, got 3"
    check([
        ("TypeImage %uint 2D 2 1 1 1 Unknown", FINE),
        ("TypeImage %void 2D 0 0 0 1 Unknown", FINE),
        ("TypeImage %bool 2D 0 0 0 1 Unknown",
         "expected void, or a scalar of int or float, as texel"),
        ("TypeImage %float2 2D 0 0 0 1 Unknown",
         "expected void, or a scalar of int or float, as texel"),
        ("TypeImage %float 2D 3 0 0 1 Unknown", "Depth: " + sampled),
        ("TypeImage %float 2D 0 2 0 1 Unknown", "Arrayed: expected at most 1, got 2"),
        ("TypeImage %float 2D 0 0 2 1 Unknown", "MS: expected at most 1, got 2"),
        ("TypeImage %float 2D 0 0 0 3 Unknown", "Sampled: " + sampled),
        ("TypeSampledImage %image", FINE),
        ("TypeSampledImage %sampler", "expected an image type"),
        ("TypeSampledImage %stored", "expected an image with Sampled 0 or 1"),
    ])  # fmt: skip
    attachments = HEAD.replace("{shader}", """OpCapability Shader
        OpCapability Linkage
        OpCapability InputAttachment
        OpMemoryModel Logical GLSL450""")  # fmt: skip
    check([
        ("TypeImage %float SubpassData 0 0 0 2 Unknown", FINE),
        ("TypeImage %uint SubpassData 0 0 0 1 Unknown", "subpass data has Sampled 2"),
        ("TypeImage %uint SubpassData 0 0 0 2 R32ui", "subpass data has no format"),
        ("TypeImage %uint SubpassData 0 1 0 2 Unknown", "subpass data has no layers"),
    ], head=attachments)  # fmt: skip


def test_constants() -> None:
    truth = "expected the type bool"
    check([
        ("ConstantTrue %bool", FINE), ("ConstantTrue %uint", truth),
        ("SpecConstantFalse %bool", FINE), ("SpecConstantFalse %float", truth),
        ("ConstantNull %nested", FINE), ("ConstantNull %mat2", FINE),
        ("ConstantNull %bool", FINE), ("ConstantNull %array", FINE),
        ("ConstantNull %sampler", "the type has no null value"),
        ("ConstantNull %image", "the type has no null value"),
        ("ConstantNull %void", "the type has no null value"),
        ("Undef %struct", FINE), ("Undef %void", "expected a type other than void"),
    ])  # fmt: skip


def test_parts_of_constants() -> None:
    def count(wanted: int, got: int) -> str:
        return f"expected {wanted} constituents, got {got}"

    def other(at: int) -> str:
        return f"constituent {at}: expected another type"

    for word in ("ConstantComposite", "SpecConstantComposite"):
        check([
            (f"{word} %uint2 %one %two", FINE),
            (f"{word} %uint2 %one", count(2, 1)),
            (f"{word} %uint2 %one %two %one", count(2, 3)),
            (f"{word} %uint2 %one %fone", other(1)),
            (f"{word} %uint2 %fone %one", other(0)),
            (f"{word} %array %one %undef", FINE),
            (f"{word} %array %one", count(2, 1)),
            (f"{word} %array %one %fone", other(1)),
            (f"{word} %mat2 %f2 %f2", FINE),
            (f"{word} %mat2 %f2 %u2", other(1)),
            (f"{word} %mat2 %f2", count(2, 1)),
            (f"{word} %struct %one %fone", FINE),
            (f"{word} %struct %fone %one", other(0)),
            (f"{word} %struct %one %one", other(1)),
            (f"{word} %struct %one", count(2, 1)),
            (f"{word} %uint %one", "expected a composite type"),
            (f"{word} %uint2 %one %v", "expected constants"),
        ])  # fmt: skip


def test_operations_on_specialisation_constants() -> None:
    kernel = "expected the capability Kernel"
    refused = "the operation is not one of specialisation constants"
    check([
        ("SpecConstantOp %uint IAdd %spec %one", FINE),
        ("SpecConstantOp %uint SDiv %spec %one", FINE),
        ("SpecConstantOp %uint Not %spec", FINE),
        ("SpecConstantOp %bool ULessThan %spec %one", FINE),
        ("SpecConstantOp %uint Select %true %spec %one", FINE),
        ("SpecConstantOp %uint CompositeExtract %u2 1", FINE),
        ("SpecConstantOp %float FAdd %fone %fone", kernel),
        ("SpecConstantOp %float ConvertUToF %spec", kernel),
        ("SpecConstantOp %uint BitCount %spec", refused),
    ])  # fmt: skip


def told(mine: str, other: str) -> list[str]:
    return [f"OpSpecConstant: SpecId 7: default {mine}, that of id 1 is {other}"]


def test_constants_of_one_number_have_one_default() -> None:
    """All words of a default count, and its type."""
    text = """OpCapability Shader OpCapability Linkage OpCapability Int64
        OpMemoryModel Logical GLSL450 OpDecorate %1 SpecId 7 OpDecorate %2 SpecId 7
        OpDecorate %3 SpecId 8 {types} %int = OpTypeInt 32 1 %long = OpTypeInt 64 0
        %1 = OpSpecConstant {}"""
    rows: Rows = (text, "spv1.6", [
        ("%uint 4 %2 = OpSpecConstant %uint 4 %3 = OpSpecConstant %uint 5", []),
        ("%uint 4 %2 = OpSpecConstant %uint 5 %3 = OpSpecConstant %uint 5", told("5", "4")),
        ("%uint 4 %2 = OpSpecConstant %int 4 %3 = OpSpecConstant %uint 5", told("4", "4")),
        ("%long 4 %2 = OpSpecConstant %long 4294967300 %3 = OpSpecConstant %uint 5",
         told("4294967300", "4")),
    ])  # fmt: skip
    assert differing_modules(rows) == []
