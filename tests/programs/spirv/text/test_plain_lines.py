"""Lines that are read by their shape mean what they mean when each is read by itself."""

import pytest

from unshade.errors import AssembleError
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.assembler.plain import LineShapes
from unshade.programs.spirv.assembler.tokens import tokens
from unshade.programs.spirv.module import Instruction

HEAD = """OpCapability Shader
%ext = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%one = OpConstant %float 1
%two = OpConstant %half 1
"""
BODIES = {
    "ids": "%a = OpFAdd %float %one %one\n%b = OpFAdd %float %a %one\n   %c = OpFAdd %float %b %a",
    "new type": "%a = OpFAdd %float %one %one\n%b = OpFAdd %later %a %one",
    "literals": "%a = OpCompositeExtract %float %one 0 1\n%b = OpCompositeExtract %float %a 0 1\n"
    "%c = OpCompositeExtract %float %b 1 0",
    "typed numbers": "%a = OpConstant %float 2\n%b = OpConstant %half 2\n%c = OpConstant %int 2",
    "sets": "%a = OpExtInst %float %ext Sin %one\n%b = OpExtInst %float %ext Sin %a\n"
    '%cl = OpExtInstImport "OpenCL.std"\n%c = OpExtInst %float %cl sin %a\n'
    "%d = OpExtInst %float %cl cos %a\n%e = OpExtInst %float %ext Cos %a",
    "another set of the same id": "%a = OpExtInst %float %ext Sqrt %one\n"
    '%ext = OpExtInstImport "OpenCL.std"\n%b = OpExtInst %float %ext sqrt %one',
    "switches": "OpSwitch %one %x 0 %y\nOpSwitch %one %x 0 %y",
    "several lines": "OpReturn\n%a = OpFAdd %float\n  %one %one\n%b = OpFAdd %float\n  %a %one",
    "a line that goes on": "OpStore %one %two\nOpStore %one %two\n Volatile",
    "several in a line": "OpReturn OpReturn\nOpReturn\nOpReturn OpUnreachable",
    "comments": "OpReturn ; one\n\n; two\nOpReturn\n  ; OpNop %a = \nOpReturn\n\n",
    "strings": 'OpName %a "OpReturn\nOpReturn\n%b = OpNop"\nOpReturn\nOpName %b "a;b" ; c',
    "words": "!0x000100fd\nOpReturn\n!0x0002003e %a\nOpReturn\nOpStore !7 %a\nOpReturn",
    "unknown": "OpReturn\nOpUnknown(1, 2) 3\nOpReturn\nOpUnknown(9999, 1)\nOpReturn",
    "carriage returns": "OpReturn\r\nOpReturn\r\n%a = OpFAdd %float %one %one\r\nOpReturn\r\n",
    "numbers": "%7 = OpFAdd %float %one %one\n%8 = OpFAdd %float %7 %one\n%x = OpFAdd %float %8 %7",
    "numbers in strings": 'OpName %a "\n%1 "\n%b = OpFAdd %float %one %one',
    "errors": "OpReturn\nOpReturn %a\nOpReturn\n% = OpReturn\n%a = OpReturn\nOpFAdd %a\nOpReturn =",
    "no id": "OpStore %one %two\nOpStore % %two\nOpStore %one %\nOpStore %é %one\nOpStore %a.b %b",
    "the end": "OpStore %one %two\nOpStore %one",
}  # fmt: skip


def read(text: str, preserve: bool) -> tuple[list[Instruction], int] | str:
    try:
        module = assemble(Source(text), preserve_numeric_ids=preserve)
    except AssembleError as error:
        return str(error)
    return module.instructions, module.bound


@pytest.mark.parametrize("preserve", [False, True])
@pytest.mark.parametrize("name", BODIES)
def test_shapes_change_nothing(name: str, preserve: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + BODIES[name] + "\n"
    found = read(text, preserve)
    monkeypatch.setattr(LineShapes, "read", lambda self, lines, at, *others: at)
    assert found == read(text, preserve)


def test_lines_of_a_shape_are_not_divided_into_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand additions: the first one is divided into tokens."""
    from unshade.programs.spirv.assembler import reader

    begun: list[int] = []

    def counted(source: Source, at: int = 0, line: int = 1) -> object:
        begun.append(line)
        return tokens(source, at, line)

    monkeypatch.setattr(reader, "tokens", counted)
    lines = (f"%a{n} = OpFAdd %float %one %one" for n in range(1000))
    assert len(assemble(Source(HEAD + "\n".join(lines))).instructions) == 1008
    assert len(begun) == 9


def test_shapes_after_an_error() -> None:
    with pytest.raises(AssembleError) as caught:
        assemble(Source(HEAD + "OpReturn\nOpStore %one\nOpReturn\nOpStore\nOpReturn"))
    assert [each.line for each in caught.value.errors] == [
        11,
        13,
    ]  # where the next instruction starts


def test_two_names_and_a_number() -> None:
    """A name takes no number that the text has, wherever it stands."""
    made = assemble(
        Source("OpStore %a %b\nOpStore %1 %2\nOpStore %b %a"), preserve_numeric_ids=True
    )
    assert [each.words[1:] for each in made.instructions] == [(3, 4), (1, 2), (4, 3)]
