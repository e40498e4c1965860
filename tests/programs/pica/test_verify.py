"""Every rule for programs has a program that breaks it, and a valid program breaks none."""

from __future__ import annotations

import random

import pytest

from tests.programs.pica.broken_programs import (
    BROKEN,
    END,
    NOP,
    SOUND,
    deep_ifs,
    i,
    loop,
    program,
)
from unshade.programs.pica import Entry, Instruction, OperandDescriptor, Program
from unshade.programs.pica.verify import RULES


def codes(found: Program) -> set[str]:
    return {each.code for each in found.verify()}


@pytest.mark.parametrize("name", SOUND)
def test_valid_programs_break_no_rule(name: str) -> None:
    assert [str(each) for each in SOUND[name]().verify()] == []


@pytest.mark.parametrize("code", RULES)
def test_every_rule_can_be_broken(code: str) -> None:
    assert BROKEN.get(code), "a rule without a program that breaks it"
    for make in BROKEN[code]:
        assert code in codes(make())


def test_every_broken_program_names_a_rule() -> None:
    assert set(BROKEN) <= set(RULES)


def test_place_of_a_finding() -> None:
    found = program(NOP, i("cmp", src1="r0", src2="r1", cmpx=6), END)
    (finding,) = found.verify()
    assert finding.path == "instructions[1].cmpx"
    assert finding.offset == 4
    assert finding.message == "expected cmpx 0 to 5, got 6"


def test_outputs_are_named() -> None:
    mapped = {0: "xyzw", 2: "yx", 3: "w"}
    found = program(i("mov", dst="o0", src1="c0"), END, outputs=mapped).verify()
    assert [each.message for each in found] == ["main never writes o2.xy, o3.w"]


def test_many_findings_are_counted() -> None:
    found = program(*[Instruction(0x1E << 26)] * 100, END).verify()
    assert len(found) == 64
    assert found[-1].message.endswith("(and 36 more)")


def _with_four_ifs(code: list[Instruction]) -> Program:
    """Return code of 14 words, followed by a procedure with four nested ifs."""
    moved = [Instruction(each.word) for each in [*deep_ifs(4).instructions[:-1], NOP]]
    for each in moved:
        if each.name == "ifu":
            each.target += len(code)
    return program(*code, *moved)


CALL = i("call", target=14, length=10)


def test_nesting_counts_open_blocks_of_callers() -> None:
    """Five ifs around a call of a procedure with four more."""
    code = [*[i("ifu", target=13 - n) for n in range(5)], CALL, *[NOP] * 7, END]
    assert codes(_with_four_ifs(code)) == {"pica.nesting"}


def test_an_if_is_closed_in_its_else_part() -> None:
    """The fifth of five ifs has left the stack where its else part calls four more."""
    code = [*[i("ifu", target=13 - n) for n in range(4)], i("ifu", target=6, length=1), NOP]
    code += [CALL, *[NOP] * 6, END]
    assert codes(_with_four_ifs(code)) == set()


def test_a_loop_leaves_ifs_open() -> None:
    """Four ifs around a loop with a call of four more, then five."""
    code = [*[i("ifu", target=13 - n) for n in range(4)], loop(6), CALL, *[NOP] * 7, END]
    assert codes(_with_four_ifs(code)) == set()
    code = [*[i("ifu", target=13 - n) for n in range(5)], loop(7), CALL, *[NOP] * 6, END]
    assert codes(_with_four_ifs(code)) == {"pica.nesting"}


def test_an_entry_may_be_a_procedure() -> None:
    code = [i("call", target=2, length=2), END, NOP, NOP, END]
    entries = [Entry("a", "vertex", 0, 2), Entry("b", "vertex", 2, 4)]
    found = Program(code, (), entries)
    assert codes(found) == {"pica.falls-through"}


def test_a_call_may_end_the_shader() -> None:
    code = [i("call", target=2, length=2), NOP, NOP, END]
    assert codes(Program(code, (), [Entry("a", "vertex", 0, 2)])) == set()
    code[0] = i("callu", target=2, length=2)
    assert codes(Program(code, (), [Entry("a", "vertex", 0, 2)])) == {"pica.falls-through"}


@pytest.mark.slow
def test_hostile_words_end_in_findings() -> None:
    rng = random.Random(4)
    originals = [make() for make in SOUND.values()] + [
        m() for each in BROKEN.values() for m in each
    ]
    small = [each for each in originals if len(each.instructions) < 100]
    kinds = [0x20, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2C, 0x2D]
    for _ in range(4000):
        found = Program(*_copy(rng.choice(small)))
        size = len(found.instructions)
        for _ in range(rng.randint(1, 6) if size else 0):
            at = rng.randrange(size)
            if rng.random() < 0.2:
                found.instructions[at].word = rng.getrandbits(32)
            elif rng.random() < 0.3:
                found.instructions[at].word ^= 1 << rng.randrange(32)
            else:
                word = rng.choice(kinds) << 26 | rng.randrange(size + 2) << 10
                found.instructions[at].word = word | rng.randrange(4)
        for each in found.verify():
            assert each.code in RULES


def _copy(found: Program) -> tuple[list[Instruction], list[OperandDescriptor], list[Entry]]:
    return [Instruction(each.word) for each in found.instructions], [], found.entries
