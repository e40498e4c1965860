"""Renumbered lines: registers with other numbers that hold the same values."""

from unshade.analysis.diff.values import renumbered
from unshade.isa.lexer import Kind, Lexer
from unshade.isa.steps import Step, step_of

LEXER = Lexer((Kind.REGISTER, r"[rvo]\d+"), first=(Kind.OPERATION, r"\w+"))


def steps(*lines: str) -> list[Step]:
    return [step_of(LEXER, line, lambda operation: 1) for line in lines]


def test_a_register_may_have_another_number_where_its_value_is_read() -> None:
    before = steps("mov r0, v0", "add r1, r0", "mov o0, r1")
    after = steps("mov r5, v0", "add r6, r5", "mov o0, r6")
    rows = [(0, 0), (1, 1), (2, 2)]
    assert renumbered(rows, before, after) == {0, 1, 2}
    assert renumbered(rows, before, steps("mov r5, v1", "add r6, r5", "mov o0, r6")) == {1, 2}
    assert renumbered(rows, before, steps("mov r5, v0", "add r6, r5", "mov o1, r6")) == {0, 1}


def test_lines_with_other_numbers_of_registers_are_not_renumbered() -> None:
    """Their shapes may be equal: a name with a prime is not a register."""
    one, other = steps("add r1, r0", "add r2, r4")
    fewer = other._replace(operands=(other.operands[0]._replace(registers=()),))
    assert one.shape == fewer.shape
    assert renumbered([(0, 0)], [one], [fewer]) == set()
