"""Constant tables over several lines, messages with quotes, data that no listing shows."""

from __future__ import annotations

import pytest

from tests.programs.tpf.assembler.lines import drawn, instruction, program, program_errors
from unshade.errors import AssembleError
from unshade.programs.tpf.assembler import parse_instructions
from unshade.programs.tpf.customdata import ShaderMessage
from unshade.programs.tpf.tables.enumerations import CustomClass

TABLE = """\
dcl_immediateConstantBuffer { { 1.000000, 0, 0, -0.000000},
                              { 7, 0x40000000, -1, 0} }
ret
"""


def test_a_table() -> None:
    table, ret = parse_instructions(TABLE)
    assert table.custom_class == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER
    assert table.payload == (0x3F80_0000, 0, 0, 0x8000_0000, 7, 0x4000_0000, 0xFFFF_FFFF, 0)
    assert ret.name == "ret"


def test_table_layout_is_free() -> None:
    text = TABLE.replace(", ", "\n\n  ,// between\r\n").replace("{ {", "{\n{\n")
    assert parse_instructions(text)[0] == parse_instructions(TABLE)[0]
    assert instruction("dcl_immediateConstantBuffer { }").payload == ()
    assert instruction("dcl_immediateConstantBuffer {{1,2}}").payload == (1, 2)


START = "dcl_immediateConstantBuffer { { 1, 2}"


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        ([f"{START},", "  { 5, q} }"], (3, "expected a number, got 'q'")),
        (
            [f"{START},", "  { 4294967295, 4294967296} }"],
            (3, "the number does not fit 32 bits"),
        ),
        ([f"{START},"], (2, "expected '{', got the end of the line")),
        ([f"{START} {{ 5"], (2, "expected ',' or '}', got '{'")),
        ([f"{START} }} ret"], (2, "expected the end of the line, got 'ret'")),
        (["dcl_immediateConstantBuffer", "ret"], (3, "expected '{', got 'ret'")),
    ],
)
def test_malformed_tables(lines: list[str], error: tuple[int, str]) -> None:
    assert program_errors(*lines) == [error]


@pytest.mark.parametrize(
    ("text", "message", "operands"),
    [
        ('printf "plain"', b"plain", 0),
        ('printf "say "hi", twice", r0.x, l(1)', b'say "hi", twice', 2),
        ('errorf "tab\\t, line\\n, back\\\\slash, \\q"', b"tab\t, line\n, back\\slash, \\q", 0),
        ('printf "http://host" // a comment', b"http://host", 0),
        ('printf ""', b"", 0),
    ],
)
def test_messages(text: str, message: bytes, operands: int) -> None:
    made = instruction(text)
    found = ShaderMessage.decode(made.payload or ())
    assert found is not None
    assert (found.text, len(found.operands)) == (message, operands)
    assert found.message_id == (0x0020_0103 if text.startswith("errorf") else 0x0020_0102)


@pytest.mark.parametrize(
    ("text", "problem", "caret"),
    [
        ("printf hello",
         "expected the text of the message in quotes, got 'hello'",
         "       ^~~~~"),
        ('printf "a" "b',
         "expected the text of the message in quotes, got '\"'",
         "       ^"),
        ('printf "a", q0',
         "unknown register 'q0'",
         "            ^~"),
        ("undecipherable data",
         "expected 'undecipherable custom data', got 'data'",
         "               ^~~~"),
    ],
)  # fmt: skip
def test_malformed_messages(text: str, problem: str, caret: str) -> None:
    assert drawn(text) == (problem, caret)


def test_messages_are_latin_1() -> None:
    assert drawn('printf "\u20ac"')[0] == "expected characters of one byte, got '\u20ac'"


def test_data_missing_from_the_text() -> None:
    with pytest.raises(AssembleError) as caught:
        program("undecipherable custom data")
    assert str(caught.value) == (
        "text:2:1: the text does not contain this data: use a donor or a note\n"
        "    undecipherable custom data\n"
        "    ^~~~~~~~~~~~~~~~~~~~~~~~~~"
    )
    assert drawn("undecipherable custom data")[0] == caught.value.problem
    noted = program("undecipherable custom data {custom_class=COMMENT, payload=[0x6f6c6c61, 0]}")
    (made,) = noted.instructions
    assert made.custom_class == CustomClass.COMMENT
    assert made.payload == (0x6F6C6C61, 0)
