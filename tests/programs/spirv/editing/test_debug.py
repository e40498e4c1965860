"""Removal of debug information."""

from tests.programs.spirv.modules import debugged, module, op, words_of
from unshade.programs.spirv.context import string_of
from unshade.programs.spirv.editing.debug import debug_information, strip
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.program import Program
from unshade.programs.spirv.tables.numbers import Opcode
from unshade.programs.spirv.validate import verify


def test_names_sources_and_lines_of_both_kinds_go() -> None:
    module = debugged()
    strip(module)
    assert debug_information(module) == []
    assert verify(module) == []
    text = Program(module).disassemble()
    assert "OpString" not in text
    assert "NonSemantic" not in text
    assert "SPV_KHR_non_semantic_info" not in text
    assert text.count("OpIAdd") == 3


def test_a_string_that_something_else_names_stays() -> None:
    printf = (*op(11, 1, *words_of("NonSemantic.DebugPrintf")), *op(7, 2, *words_of("%d")))
    extension = op(10, *words_of("SPV_KHR_non_semantic_info"))
    left = Module.loads(module(*extension, *printf, *op(19, 3), *op(12, 3, 4, 1, 1, 2)))
    assert debug_information(left) == []


def test_words_of_an_unknown_instruction_may_be_ids() -> None:
    left = Module.loads(module(*op(7, 2, *words_of("used")), *op(4000, 2), *op(5, 2, 0)))
    assert [each.opcode for each in debug_information(left)] == [Opcode.Name]
    assert string_of(left.instructions[0].words[2:])[0] == "used"
