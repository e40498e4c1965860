"""What cannot be run is refused by its rule, with the instruction that breaks it."""

import pytest

from tests.programs.pica.lower.support import lowered, program, run
from unshade.errors import UnsupportedError, UsageError
from unshade.ir.specialisation import Specialisation
from unshade.programs.pica import Instruction
from unshade.programs.pica.program import Entry, Program

DEEP = "".join(f".proc p{n}\n{'nop' if not n else f'call p{n - 1}'}\nnop\n.end\n" for n in range(5))
TAILS = ".proc p0\nnop\n.end\n" + "".join(f".proc p{n}\ncall p{n - 1}\n.end\n" for n in (1, 2, 3))


@pytest.mark.parametrize(
    ("text", "before", "rule", "name"),
    [
        ("for i0\nifu b0\nbreak\nnop\n.end\nnop\n.end", "", "break-inside-if", "break"),
        ("nop\nbreak", "", "break-outside", "break"),
        ("ifu b0\njmpu b1, out\nnop\n.end\nout:\nnop", "", "jump-out", "jmpu"),
        ("jmpu b1, into\nifu b0\ninto:\nnop\n.end", "", "jump-out", "jmpu"),
        ("ifu b0\nnop\njmpu b1, out\n.end\nnop\nout:\nnop", "", "jump-at-end", "jmpu"),
        ("ifu b0\nifu b1\nnop\n.end\n.end", "", "shared-end", "ifu"),
        ("call p4", DEEP, "nesting", ""),
        ("call p3", TAILS, "tail-call", "call"),
    ],
)
def test_abuse_of_the_stacks(text: str, before: str, rule: str, name: str) -> None:
    with pytest.raises(UnsupportedError, match=rf"{name} at word \d+ .*pica\.{rule}"):
        lowered(program(text, before, nops=False))


def test_an_operation_that_does_not_exist() -> None:
    found = program("nop")
    found.instructions[0] = Instruction(0x10 << 26)
    with pytest.raises(UnsupportedError, match=r"opcode_10 at word 0 .*pica\.unknown-opcode"):
        lowered(found)


def test_what_is_not_reached_is_not_refused() -> None:
    found = program("mov o0, v0")
    found.instructions.append(Instruction(0x10 << 26))
    assert run(found, v0=2.0)["o0"].tolist() == [2, 2, 2, 2]


def test_an_entry_outside_of_the_code() -> None:
    found = program("nop")
    found.entries = [Entry("main", "vertex", 7)]
    with pytest.raises(UnsupportedError, match=r"word 7 of 2 \(pica\.entry\)"):
        lowered(found)


def test_words_behind_the_program_are_zero() -> None:
    """They are add o0, v0, v0 with the first descriptor, as azahar runs them."""
    found = program("add o1.xy, v0.yxzw, v0.zzzz")
    del found.instructions[-1]
    given = run(found, v0=(1.0, 2.0, 3.0, 4.0))
    assert given["o0"].tolist() == given["o1"].tolist() == [5, 4, 0, 0]


def test_precision_is_a_word() -> None:
    with pytest.raises(UsageError, match="float32 or float24"):
        program("nop").lower(None, Specialisation(precision="float16"))


def test_entries_are_chosen_by_name() -> None:
    found = Program.of_words(
        [0x88000000] * 2, (), [Entry("a", "vertex", 0), Entry("b", "vertex", 1)]
    )
    assert found.lower("b").kernel.name == "b"
    with pytest.raises(UsageError, match="several entry points: expected one of a, b"):
        found.lower()
