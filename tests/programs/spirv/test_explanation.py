"""Rows of the grammar about operations and the names of numbers in a line."""

import pytest

from unshade.programs.spirv.explanation import enumerants, explain, meanings, words
from unshade.programs.spirv.lexer import step
from unshade.programs.spirv.tables.grammar import grammar


def test_an_instruction() -> None:
    assert explain("OpImageSampleImplicitLod") == [
        ("", "Samples an image; the level of detail follows from derivatives."),
        ("group", "image"),
        ("operands", "IdResultType\nIdResult\nSampled Image\nCoordinate\nImageOperands (optional)"),
        ("capability", "Shader"),
        ("opcode", "87"),
    ]


def test_an_instruction_of_an_extended_set() -> None:
    assert explain("Cross") == [
        ("", "Vector that is perpendicular to two vectors."),
        ("set", "GLSL.std.450"),
        ("operands", "x\ny"),
        ("opcode", "68"),
    ]
    assert ("", meanings()["Exp"]) in explain("Exp")
    assert [label for label, _ in explain("exp")] == ["set", "operands", "opcode"]  # OpenCL's


def test_an_enumerant_of_several_kinds() -> None:
    assert [text for label, text in explain("Aligned") if not label] == ["MemoryAccess"]
    assert [text for label, text in explain("None") if not label][:2] == [
        "ImageOperands",
        "FPFastMathMode",
    ]


def test_every_sentence_is_of_an_instruction() -> None:
    known = {*grammar().core.by_name}
    glsl = grammar().extended("GLSL.std.450")
    assert glsl is not None
    assert {*meanings()} <= known | {*glsl.by_name}
    assert {*glsl.by_name} - {*meanings()} == {"IMix"}  # reserved
    assert {*meanings()} <= {*words()}
    assert all(each[0].isascii() and each.endswith(".") for each in meanings().values())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%p = OpTypePointer Uniform %block", {"Uniform": ("StorageClass", "value", "2")}),
        ("OpDecorate %x Binding 3", {"Binding": ("Decoration", "value", "33")}),
        ("OpDecorate %x BuiltIn FragCoord", {
            "BuiltIn": ("Decoration", "value", "11"), "FragCoord": ("BuiltIn", "value", "15"),
        }),
        ("%x = OpLoad %float %p Volatile|Aligned 4", {
            "Volatile": ("MemoryAccess", "bit", "0x1"), "Aligned": ("MemoryAccess", "bit", "0x2"),
        }),
        ("%t = OpTypeImage %float 2D 0 0 0 1 Unknown", {
            "2D": ("Dim", "value", "1"), "Unknown": ("ImageFormat", "value", "0"),
        }),
        ("OpSwitch %x %default 1 %one 2 %two", {}),
        ("%c = OpFAdd %float %a %b", {}),
        ("; a comment", {}),
        ("OpDecorate %x 99999 3", {}),
    ],
)  # fmt: skip
def test_names_of_numbers(line: str, expected: dict[str, tuple[str, str, str]]) -> None:
    found = dict(enumerants(step(line)))
    assert {name: (rows[0][1], *rows[-1]) for name, rows in found.items()} == expected


def test_what_a_name_needs() -> None:
    ((_, rows),) = enumerants(step("OpExecutionMode %main LocalSizeHint 8 8 1"))
    assert rows == [
        ("", "ExecutionMode"),
        ("operands", "x size\ny size\nz size"),
        ("capability", "Kernel"),
        ("value", "18"),
    ]
