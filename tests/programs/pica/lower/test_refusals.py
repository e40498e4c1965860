"""Refusals of programs that cannot be run, with the rule and the instruction at fault."""

import pytest

from tests.programs.pica.lower.support import lowered, program, run
from unshade.errors import UnsupportedError, UsageError
from unshade.ir.specialisation import Specialisation
from unshade.programs.pica import Instruction
from unshade.programs.pica.program import Entry, Program

DEEP = "".join(f".proc p{n}\n{'nop' if not n else f'call p{n - 1}'}\nnop\n.end\n" for n in range(5))
TAILS = ".proc p0\nnop\n.end\n" + "".join(f".proc p{n}\ncall p{n - 1}\n.end\n" for n in (1, 2, 3))
OUT = ".proc p\nnop\njmpu b0, out\nnop\n.end\n.proc q\nout:\nend\n.end\n"
BACK = ".proc p\nnop\njmpu b0, back\nnop\n.end\n"


@pytest.mark.parametrize(
    ("text", "before", "rule", "name"),
    [
        ("for i0\nifu b0\nbreak\nnop\n.end\nnop\n.end", "", "break-inside-if", "break"),
        ("nop\nbreak", "", "break-outside", "break"),
        ("ifu b0\njmpu b1, out\nnop\n.end\nout:\nnop", "", "jump-out", "jmpu"),
        ("jmpu b1, into\nifu b0\ninto:\nnop\n.end", "", "jump-out", "jmpu"),
        ("ifu b0\nin:\nnop\njmpu b1, in\n.end\nnop", "", "jump-at-end", "jmpu"),
        ("for i0\njmpu b1, out\nnop\n.end\nout:\nnop", "", "jump-out", "jmpu"),
        ("jmpu b1, in\nfor i0\nin:\nnop\n.end", "", "jump-out", "jmpu"),
        ("ifu b0\njmpu b1, there\nnop\n.else\nthere:\nnop\n.end", "", "jump-out", "jmpu"),
        ("ifu b0\nifu b1\nnop\n.end\n.end", "", "shared-end", "ifu"),
        ("call p4", DEEP, "nesting", ""),
        ("call p3", TAILS, "tail-call", "call"),
        ("call p", OUT, "jump-out", "jmpu"),
        (
            "back:\nnop\ncall p\nnop",
            BACK,
            "jump-out",
            "jmpu",
        ),
        ("ifu b0\ncallu b1, p\nnop\n.end", OUT, "jump-out", "jmpu"),
    ],
)
def test_abuse_of_the_stacks(text: str, before: str, rule: str, name: str) -> None:
    with pytest.raises(UnsupportedError, match=rf"{name} at word \d+ .*pica\.{rule}"):
        lowered(program(text, before, nops=False))


def test_a_procedure_ending_with_the_enclosing_block() -> None:
    """Called from inside the block both ends are found at once; from outside there is but one."""
    before = ".proc q\nifu b0\nnop\nnop\nnop\nmov o0, c1\n.end\nnop\n.end"
    found = program("call q\nnop\nnop", before)
    main, p = found.entries[0].main, Instruction.make("call", target=4, num=1)
    assert main == 6
    assert run(found, c={1: 3.0}, b={0: True})["o0"].tolist() == [3] * 4
    assert "pica.shared-end" not in {each.code for each in found.verify()}
    found.instructions[2] = p
    assert "pica.shared-end" in {each.code for each in found.verify()}
    with pytest.raises(UnsupportedError, match=r"pica\.shared-end"):
        lowered(found)
    found.instructions[2] = Instruction.make("nop")
    found.instructions[main + 1] = p
    assert "pica.shared-end" not in {each.code for each in found.verify()}
    assert run(found, c={1: 3.0})["o0"].tolist() == [3] * 4


@pytest.mark.parametrize("name", ["for", "call"])
def test_a_procedure_without_end(name: str) -> None:
    found = program("nop\nnop\nnop")
    target = 0 if name == "for" else 2
    found.instructions[0] = Instruction.make(name, target=target)
    with pytest.raises(UnsupportedError, match=rf"{name} at word 0 .*pica\.empty-block"):
        lowered(found)
    if name == "call":
        found.instructions[0].target = 1  # it returns at once
        lowered(found)


def test_procedures_overlapping_a_block() -> None:
    """The block begins in a procedure and ends after it."""
    found = program("call p\nnop\nnop\nnop\nnop\nnop\nnop", ".proc p\nnop\n.end")
    main = found.entries[0].main
    found.instructions[main].target, found.instructions[main].num = main + 1, 3
    other = Instruction.make("callu", bool_id="b0", target=main + 2, num=5)
    found.instructions[main + 1] = other
    found.instructions[main + 3] = Instruction.make("ifu", bool_id="b1", target=main + 6, num=0)
    with pytest.raises(UnsupportedError, match=r"pica\.crossing"):
        lowered(found)


def test_findings_beyond_the_listed_ones() -> None:
    """`verify` lists 64 findings of one rule; code that is run is checked completely."""
    jumps = "jmpu b0, out\nnop\n" * 70
    found = program("call p\nnop", OUT + f".proc r\n{jumps}.end\n")
    call = next(each for each in found.instructions if each.name == "call")
    call.target, call.num = found.entries[0].main - 2, 2  # the last of them
    found.instructions += [Instruction.make("call", target=at, num=2) for at in range(4, 138, 2)]
    with pytest.raises(UnsupportedError, match=r"jmpu at word \d+ .*pica\.jump-out"):
        lowered(found)
    found = program("nop")
    found.instructions += [Instruction(0x10 << 26)] * 100
    found.instructions[:0] = [Instruction.make("jmpu", bool_id="b0", target=99)]
    with pytest.raises(UnsupportedError, match=r"opcode_10 at word 99 .*pica\.unknown-opcode"):
        lowered(found)


def test_an_unknown_opcode() -> None:
    found = program("nop")
    found.instructions[0] = Instruction(0x10 << 26)
    with pytest.raises(UnsupportedError, match=r"opcode_10 at word 0 .*pica\.unknown-opcode"):
        lowered(found)


def test_unreachable_code_is_not_refused() -> None:
    found = program("mov o0, v0")
    found.instructions.append(Instruction(0x10 << 26))
    assert run(found, v0=2.0)["o0"].tolist() == [2, 2, 2, 2]


def test_an_entry_outside_the_code() -> None:
    found = program("nop")
    found.entries = [Entry("main", "vertex", 7)]
    with pytest.raises(UnsupportedError, match=r"word 7; the program has 2 \(pica\.entry\)"):
        lowered(found)


def test_words_after_the_program_are_zero() -> None:
    """They are add o0, v0, v0 with the first descriptor, as azahar runs them."""
    found = program("add o1.xy, v0.yxzw, v0.zzzz")
    del found.instructions[-1]
    given = run(found, v0=(1.0, 2.0, 3.0, 4.0))
    assert given["o0"].tolist() == given["o1"].tolist() == [5, 4, 0, 0]


def test_invalid_precision_is_refused() -> None:
    with pytest.raises(UsageError, match="float32 or float24"):
        program("nop").lower(None, Specialisation(precision="float16"))


def test_entries_are_chosen_by_name() -> None:
    found = Program.of_words(
        [0x88000000] * 2, (), [Entry("a", "vertex", 0), Entry("b", "vertex", 1)]
    )
    assert found.lower("b").kernel.name == "b"
    with pytest.raises(UsageError, match=r"one with entry .*: a \(vertex\), b \(vertex\)"):
        found.lower()
