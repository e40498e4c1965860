"""Kinds of words, and lines taken apart."""

from unshade.isa.lexer import Kind
from unshade.programs.spirv.lexer import LEXER, step


def test_kinds_come_from_the_classes_of_the_grammar() -> None:
    lines = ("OpName %a", "OpLoad %a", "OpBranch %a", "OpFAdd %a", "OpVariable %a", "OpExtInst %a")
    kinds = [next(LEXER.tokens(line))[1] for line in lines]
    assert kinds == [
        Kind.DECLARATION, Kind.ACCESS, Kind.FLOW, Kind.OPERATION, Kind.DECLARATION, Kind.OPERATION
    ]  # fmt: skip


def test_a_line_has_one_result_and_operands_without_commas() -> None:
    found = step('  %4 = OpExtInst %float %1 FMix %2 "a \\" b" ; why')
    assert found.operation == "OpExtInst"
    assert [each.text for each in found.results] == ["%4"]
    assert [each.text for each in found.operands] == ["%float", "%1", "FMix", "%2", '"a \\" b"']
    assert found.registers == ("%4", "%float", "%1", "%2")
    assert step("OpStore %at %sum").shape == ("OpStore", "", "%#", "%#")
    assert step("; only a comment").operation == "; only a comment"
