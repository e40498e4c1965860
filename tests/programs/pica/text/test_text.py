"""A program as text: picasso's syntax, raw words, and the additions of exact text."""

import random

import pytest

import unshade
from tests.programs.pica.assembling import run
from tests.programs.pica.generated_sources import sources
from unshade.errors import AssembleError, UnsupportedError, UsageError
from unshade.programs.pica import Entry, Instruction, OperandDescriptor, Program
from unshade.programs.pica.tables.registers import Register, RegisterFile
from unshade.programs.pica.text.names import NamedRegisters, SourceNames
from unshade.programs.pica.text.outline import CodeRange, Outline

PLAIN = OperandDescriptor(mask=0xF, swz1=0x1B, swz2=0x1B, swz3=0x1B)
NOTHING = OperandDescriptor(swz1=0x1B, swz2=0x1B, swz3=0x1B)
NOP, END = "nop", "end"


def word(name: str, **fields: int | str) -> int:
    return Instruction.make(name, **fields).word


def program(*code: int | str, descriptors: list[OperandDescriptor] | None = None) -> Program:
    words = [Instruction.make(each).word if isinstance(each, str) else each for each in code]
    table = [(each.word, each.high) for each in descriptors or []]
    return Program.of_words(words, table, [Entry("main", "vertex", 0, len(words))])


def lines(made: Program, dialect: str | None = None) -> list[str]:
    """Return the text inside its procedure, with spaces for tabs."""
    text = made.disassemble(dialect).expandtabs(2).splitlines()
    start = text.index(".proc main")
    assert text[-1] == ".end"
    return [
        *text[:start],
        *(line[2:] if line[:2] == "  " else line for line in text[start + 1 : -1]),
    ]


def again(made: Program, dialect: str = "exact") -> bool:
    """Return True if the text assembles to the same words and descriptors."""
    assembly = run(made.disassemble(dialect), nops=False, exact=dialect == "exact")
    return assembly.words == made.words() and assembly.descriptors == made.descriptors


# ---------------------------------------------------------------- instructions


def test_components_are_shortened_as_picasso_reads_them() -> None:
    table = [
        OperandDescriptor(mask=0xF, swz1=0x1B, neg1=1),
        OperandDescriptor(mask=0b1010, swz1=0b10101010),
        OperandDescriptor(mask=0b1000, swz1=0b00010101),
    ]
    code = [word("mov", dst="r1", src1="c95", desc=n) for n in range(3)]
    assert lines(program(*code, descriptors=table)) == [
        "mov r1, -c95",
        "mov r1.xz, c95.z",
        "mov r1.x, c95.xyyy",
    ]


def test_blocks_are_indented() -> None:
    made = run(
        ".proc main\nifc !cmp.x || cmp.y\nmov r0, r1\nnop\n.else\nfor i2\nnop\nnop\n.end\nnop\n"
        ".end\nl: jmpu !b3, l\nnop\nend\n.end"
    )
    assert lines(program(*made.words, descriptors=made.descriptors)) == [
        "ifc !cmp.x || cmp.y",
        "  mov r0, r1",
        "  nop",
        ".else",
        "  for i2",
        "    nop",
        "    nop",
        "  .end",
        "  nop",
        ".end",
        "label7:",
        "jmpu !b3, label7",
        "nop",
        "end",
    ]


def test_procedures_are_named() -> None:
    made = run(
        ".proc main\ncall a\ncallc cmp.x, b\nend\n.end\n.proc a\nnop\n.end\n.proc b\nnop\n.end"
    )
    text = program(*made.words).disassemble()
    assert text == (
        ".proc main\n\tcall proc3\n\tcallc cmp.x, proc4\n\tend\n"
        "\t.proc proc3\n\t\tnop\n\t.end\n\t.proc proc4\n\t\tnop\n\t.end\n.end\n"
    )


RAW = {  # what picasso cannot say, and the comment beside it
    word("mov", dst="r0", src1="r1", desc=1): "mov r0._, r1",
    word("mova", src1="r1", desc=1): "mova a0._, r1",
    word("cmp", cmpx=6, cmpy=1, src1="r1", src2="r2"): "cmp r1, 6, ne, r2",
    word("setemit", vertex=3): "setemit 3",
    word("add", dst="r0", src1="v1", src2="v2"): "add r0, v1, v2",
    word("ifu", target=9, num=1): "ifu b0, 0x9, 1",
    word("for", int_id=12, target=40): "for i12, 0x28",
    word("call", target=40, num=3): "call 0x28, 3",
    word("jmpc", condop=2, refx=1, refy=1, target=40): "jmpc cmp.x, 0x28",
}


@pytest.mark.parametrize("raw", RAW, ids=RAW.values())
def test_words_that_picasso_cannot_express(raw: int) -> None:
    made = program(raw, NOP, END, descriptors=[PLAIN, NOTHING])
    native = lines(made)
    assert native[0] == f".inst 0x{raw:08x} ; {RAW[raw]}"
    exact = [line for line in lines(made, "exact") if not line.startswith((";", ".opdesc"))]
    assert exact[0] == RAW[raw]
    assert again(made)
    assert run(made.disassemble(), nops=False).words == made.words()


@pytest.mark.parametrize("raw", [0x10 << 26, 0x1F << 26 | 5, word("mov", desc=100), 0x13 << 26])
def test_words_that_no_source_can_express(raw: int) -> None:
    made = program(raw, END)
    assert lines(made)[0] == lines(made, "exact")[1] == f".inst 0x{raw:08x}"
    assert again(made)


BESIDE = {
    word("nop") | 0x8001: "nop {bits 0x8001}",
    word("end") | 1: "end {bits 0x1}",
    word("mova", src1="r1", dst="r2"): "mova a0.xyzw, r1 {dst 18}",
    word("mov", dst="r0", src1="r1") | 0x80: "mov r0, r1 {bits 0x80}",
    word("sgei", dst="r0", src1="r1", src2="r2"): "sgei r0, r1, r2 {inverted}",
    word("sgei", dst="r0", src1="r1", src2="r2", idx=1): "sgei r0, r1, r2[a0.x] {inverted}",
    word("madi", dst="r0", src1="r1", src2="r2", src3="r3"): "madi r0, r1, r2, r3 {inverted}",
    word("madi", dst="r0", src1="r1", src2="r2", src3="r3", idx=3): "madi r0, r1, r2, r3[aL]",
    word("breakc", condop=3, refy=1): "breakc cmp.y {refx 0}",
    word("breakc", condop=0, num=2, target=1): "breakc !cmp.x || !cmp.y {num 2, target 1}",
    word("jmpu", bool_id=1, target=1) | 0x100: "jmpu b1, label1 {bits 0x100}",
    word("jmpc", condop=1, target=1, num_high=1): "jmpc !cmp.x && !cmp.y, label1 {num_high 1}",
    word("setemit", vertex=1, winding=1) | 1: "setemit 1, inv {bits 0x1}",
    word("mov", dst="r0", src1="v1", idx=2): "mov r0, v1[a0.y]",
    word("mov", dst="r0", src1="v15", idx=2): "mov r0, v14[a0.y+1]",
}


@pytest.mark.parametrize("raw", BESIDE, ids=BESIDE.values())
def test_notes_of_an_instruction(raw: int) -> None:
    made = program(raw, NOP, END, descriptors=[PLAIN])
    exact = [
        line for line in lines(made, "exact") if not line.startswith((";", ".opdesc", "label"))
    ]
    assert exact[0] == BESIDE[raw]
    assert again(made)


# ---------------------------------------------------------------- descriptors


def test_a_derivable_descriptor_table_is_omitted() -> None:
    made = run(".proc main\nmov r0.x, r1\nmad r0, r1.x, r2.yz, -r3\nend\n.end")
    text = program(*made.words, descriptors=made.descriptors).disassemble("exact")
    assert ".opdesc" not in text
    assert "{" not in text


def test_any_other_descriptor_table_is_printed() -> None:
    junk = OperandDescriptor(0x8000_0000 | PLAIN.word, 15)
    code = [word("mov", dst="r0", src1="r1", desc=n) for n in (0, 2, 1)]
    made = program(*code, descriptors=[PLAIN, junk, PLAIN, PLAIN])
    assert made.disassemble("exact").splitlines()[1:4] == [
        ".opdesc 0 xyzw, xyzw, xyzw, xyzw",
        ".opdesc 1 xyzw, xyzw, xyzw, xyzw, bits 0x80000000, high 0xf",
        ".opdesc 2..3 xyzw, xyzw, xyzw, xyzw",
    ]
    assert lines(made, "exact")[4:] == ["mov r0, r1", "mov r0, r1 {desc 2}", "mov r0, r1 {desc 1}"]
    assert again(made)


def test_more_descriptors_than_there_can_be() -> None:
    made = program(word("mov", dst="r0", src1="r1", desc=127), descriptors=[PLAIN] * 300)
    assert ".opdesc 0..299 xyzw, xyzw, xyzw, xyzw" in made.disassemble("exact")
    assert again(made)


# ---------------------------------------------------------------- structure


def test_crossing_blocks_are_written_with_numbers() -> None:
    made = program(word("ifu", target=3), word("ifu", bool_id=1, target=4), NOP, NOP, END)
    assert lines(made, "exact")[1:] == ["ifu b0", "  ifu b1, 0x4, 0", "  nop", ".end", "nop", "end"]
    assert again(made)


def test_procedures_that_overlap() -> None:
    calls = [word("call", target=4, num=4), word("call", target=6, num=4)]
    made = program(*calls, NOP, END, *[NOP] * 6)
    made.entries[0] = Entry("main", "vertex", 0, 4)
    text = made.disassemble("exact")
    assert "call proc4\n\tcall 0x6, 4" in text
    assert again(made)


def test_deeply_nested_blocks() -> None:
    code = [word("ifu", target=100) for _ in range(100)]
    made = program(*code)
    text = lines(made, "exact")
    assert sum(line.endswith("0x64, 0") for line in text) == 69
    assert again(made)


def test_a_label_after_the_last_word_and_an_empty_procedure() -> None:
    made = program(word("jmpu", target=3), word("call", target=3), NOP)
    assert made.disassemble().splitlines()[1:] == [
        "\tjmpu b0, label3", "\tcall proc3", "\tnop", "label3:", ".end", ".proc proc3", ".end",
    ]  # fmt: skip
    assert again(made, "native")


def test_words_of_no_procedure() -> None:
    made = program(END, NOP, word("setemit"), END, word("mov", dst="o8", src1="r0"), END,
                   descriptors=[PLAIN])  # fmt: skip
    made.entries[0] = Entry("main", "vertex", 0, 1)
    assert Outline(made).tops == [CodeRange(0, 1), CodeRange(1, 4), CodeRange(4, 6)]
    assert again(made)


def test_parts_of_such_words_are_of_one_stage() -> None:
    made = program(END, word("setemit"), NOP, word("mov", dst="o8", src1="r0"), NOP,
                   descriptors=[PLAIN])  # fmt: skip
    made.entries[0] = Entry("main", "vertex", 0, 1)
    assert Outline(made).tops == [CodeRange(0, 1), CodeRange(1, 3), CodeRange(3, 5)]


# ---------------------------------------------------------------- names, dialects


def test_names_of_registers() -> None:
    c = RegisterFile.FLOAT
    names = SourceNames(
        (
            NamedRegisters("m", Register(c, 4), 4),
            NamedRegisters("k", Register(c, 9)),
            NamedRegisters("c1", Register(c, 2)),
        )
    )
    spellings = [names.register(Register(c, n)) for n in (0, 1, 2, 4, 6, 9)]
    assert spellings == ["c0", "c0x1", "c1", "m[0]", "m[2]", "k"]
    assert [names.register(Register(c, n), 3) for n in (0, 4, 6, 9)] == [
        "c0[aL]", "m[aL]", "m[aL+2]", "k[aL]",
    ]  # fmt: skip
    assert names.register(Register(RegisterFile.INPUT, 15)) == "v14[1]"


def test_entries_with_invalid_names_are_renamed() -> None:
    made = program(NOP, END)
    made.entries = [Entry("no name", "vertex", 0, 2), Entry("", "geometry", 1, 2)]
    assert made.disassemble() == ".proc main\n\tnop\n\t.proc main_2\n\t\tend\n\t.end\n.end\n"


def test_dialects() -> None:
    made = program(END)
    assert made.disassemble("native") == made.disassemble()
    text = made.disassemble("exact")
    assert text.startswith("; unshade pica exact 1\n")
    assert unshade.assemble(text).programs[0].instructions == made.instructions
    with pytest.raises(UsageError, match=r"unknown dialect 'asm' of \w+: expected native or exact"):
        made.disassemble("asm")
    with pytest.raises(UnsupportedError, match="upstream"):
        made.disassemble("upstream")


# ---------------------------------------------------------------- any program


@pytest.mark.parametrize("seed", range(40))
def test_generated_programs_round_trip(seed: int) -> None:
    try:
        made = run(*(text for _, text in sources(seed)))
    except AssembleError:
        return  # registers ran out
    table = [(each.word, each.high) for each in made.descriptors]
    made_again = Program.of_words(made.words, table, [Entry("main", "vertex", 0, 0)])
    assert ".opdesc" not in made_again.disassemble("exact")
    assert again(made_again)


@pytest.mark.parametrize("seed", range(40))
def test_random_words_round_trip(seed: int) -> None:
    rng = random.Random(seed)
    codes = [rng.getrandbits(32) for _ in range(rng.randrange(1, 80))]
    if seed % 2:  # targets within the program
        codes = [code & ~(0xFFF << 10) | rng.randrange(len(codes) + 2) << 10 for code in codes]
    table = [(rng.getrandbits(32), rng.choice((0, 15))) for _ in range(rng.randrange(140))]
    made = Program.of_words(codes, table, [Entry("main", "vertex", rng.randrange(len(codes)), 0)])
    assert again(made)
    run(made.disassemble(), nops=False)
