"""Lines of a module's text that are made when they are asked for."""

import pytest

from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.module import Instruction, Module, PackedInstructions
from unshade.programs.spirv.text.printer import LazyLines, line_numbers, numbered

TEXT = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
{debug}
%void = OpTypeVoid
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%start = OpLabel
OpReturn
OpFunctionEnd
"""


def made(debug: str = "") -> Module:
    return assemble(Source(TEXT.format(debug=debug)))


def test_lines_are_those_of_the_text() -> None:
    module = made('OpName %start "first"')
    lines, numbers = line_numbers(module)
    assert isinstance(lines, LazyLines)
    assert ([*lines], [*numbers]) == numbered(module)
    assert lines[numbers[-1] - 1] == "               OpFunctionEnd"


def test_an_edit_does_not_change_lines_that_were_not_made_yet() -> None:
    module = made()
    before = numbered(module)[0]
    lines, _ = line_numbers(module)
    module.instructions[-2] = Instruction.of(255)  # OpUnreachable
    assert [*lines] == before != numbered(module)[0]


@pytest.mark.parametrize(
    "debug", ['%text = OpString "one\ntwo"', 'OpDecorate %void UserSemantic "a\nb"']
)
def test_strings_of_several_lines_are_counted(debug: str) -> None:
    module = made(debug)
    lines, numbers = line_numbers(module)
    assert (lines, numbers) == numbered(module)
    assert numbers[-1] - numbers[0] == len(module.instructions)


def test_instructions_that_the_grammar_does_not_explain() -> None:
    module = made()
    module.instructions.insert(4, Instruction.of(0xFFF0, (1, 2)))
    assert line_numbers(module) == numbered(module)


def test_words_of_instructions_that_are_added_one_by_one() -> None:
    packed = PackedInstructions()
    for number in range(3):
        packed.append(Instruction.of(number))
        assert [each.opcode for each in packed] == [*range(number + 1)]
        assert packed[number].opcode == number
