"""Removal of debug information."""

from tests.programs.spirv.modules import debugged, module, op, words_of
from unshade.programs.spirv.context import string_of
from unshade.programs.spirv.editing.debug import debug_places, reflection_places
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.program import Program
from unshade.programs.spirv.tables.numbers import Opcode
from unshade.programs.spirv.validate import verify


def test_names_sources_and_lines_of_both_kinds_go() -> None:
    left = Program(debugged()).stripped("debug")
    assert left is not None
    assert left.stripped("debug") is None
    assert verify(left.module) == []
    text = left.disassemble()
    assert "OpString" not in text
    assert "NonSemantic" not in text
    assert "SPV_KHR_non_semantic_info" not in text
    assert text.count("OpIAdd") == 3


def test_a_string_that_something_else_names_stays() -> None:
    assert debug_places(calling("NonSemantic.ClspvReflection.5", 2)) == []


def test_printing_goes_with_its_string() -> None:
    assert debug_places(calling("NonSemantic.DebugPrintf")) == [0, 1, 2, 4]


def test_reflection_goes_with_its_string() -> None:
    found = calling("NonSemantic.ClspvReflection.5", 2, *op(5632, 3, 5635, *words_of("COLOR")))
    assert reflection_places(found) == [1, 2, 4, 5]
    assert reflection_places(calling("NonSemantic.DebugPrintf")) == []


def calling(name: str, number: int = 1, *more: int) -> Module:
    """Return a module that calls an operation of an extended set with a string."""
    imported = (*op(11, 1, *words_of(name)), *op(7, 2, *words_of("%d")))
    extension = op(10, *words_of("SPV_KHR_non_semantic_info"))
    return Module.loads(
        module(*extension, *imported, *op(19, 3), *op(12, 3, 4, 1, number, 2), *more)
    )


def test_words_of_an_unknown_instruction_may_be_ids() -> None:
    left = Module.loads(module(*op(7, 2, *words_of("used")), *op(4000, 2), *op(5, 2, 0)))
    assert [left.instructions[at].opcode for at in debug_places(left)] == [Opcode.Name]
    assert string_of(left.instructions[0].words[2:])[0] == "used"
