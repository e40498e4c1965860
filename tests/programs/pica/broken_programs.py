"""Programs that break a rule of `programs.pica.verify`, one for each, and some that break none.

"pica.shared-end": ifc … ifc … .end .end    both end before one word, without a nop between them
"""

from __future__ import annotations

from collections.abc import Callable

from unshade.programs.pica import Entry, Instruction, OperandDescriptor, Program
from unshade.programs.pica.program import Stage

ALL, XY, NOTHING, SHORT = 0, 1, 2, 3
DESCRIPTORS = (
    OperandDescriptor(mask=15, swz1=0x1B, swz2=0x1B, swz3=0x1B),
    OperandDescriptor(mask=12, swz1=0x1B),
    OperandDescriptor(mask=0, swz1=0x1B, swz2=0x1B),
    OperandDescriptor(mask=14, swz1=0x1B, swz2=0x1B),
)


def i(name: str, **fields: int | str) -> Instruction:
    return Instruction.make(name, **fields)


def mov(dst: str, src: str = "c0", desc: int = ALL) -> Instruction:
    return i("mov", dst=dst, src1=src, desc=desc)


def mova(desc: int = XY) -> Instruction:
    return i("mova", src1="r0", desc=desc)


def ifu(target: int, length: int = 0) -> Instruction:
    return i("ifu", bool_id="b1", target=target, length=length)


def loop(last: int, uniform: str = "i0") -> Instruction:
    return i("for", int_id=uniform, target=last)


def call(start: int, end: int) -> Instruction:
    return i("call", target=start, length=end - start)


def jump(target: int) -> Instruction:
    return i("jmpu", bool_id="b0", target=target)


NOP, END, BREAK = i("nop"), i("end"), i("break")
BREAKC = i("breakc", condop="X", refx=1)
EMIT = i("emit")
OUT = mov("o0")


def program(
    *code: Instruction,
    stage: Stage = "vertex",
    main: int = 0,
    end: int = 0,
    outputs: dict[int, str] | None = None,
) -> Program:
    copies = [Instruction(each.word) for each in code]
    descriptors = [OperandDescriptor(each.word) for each in DESCRIPTORS]
    return Program(copies, descriptors, [Entry("main", stage, main, end, outputs)])


def deep_ifs(depth: int) -> Program:
    """Return nested ifs, with a nop after the end of each."""
    size = 2 * depth + 2
    opened = [ifu(size - 1 - n) for n in range(depth)]
    return program(*opened, *[NOP] * (depth + 1), END)


def deep_loops(depth: int) -> Program:
    opened = [loop(2 * depth - n) for n in range(depth)]
    return program(*opened, *[NOP] * (depth + 1), END)


def deep_calls(depth: int) -> Program:
    """Return a chain of calls, two words each, with a nop in the last."""
    code = [call(2, 4), END]
    for n in range(1, depth):
        code += [call(2 * n + 2, 2 * n + 4), NOP]
    return program(*code, NOP, NOP)


def raw(word: int) -> Program:
    return program(Instruction(word), END)


def ladder(words: int) -> Program:
    """Return a shader that calls each of many procedures that share their code."""
    code = [call(n, n + 200) for n in range(words)]
    return program(*code, *[NOP] * 200, END)


BROKEN: dict[str, tuple[Callable[[], Program], ...]] = {
    "pica.entry": (lambda: program(END, main=1), program),
    "pica.program-size": (
        lambda: program(*[NOP] * 512, END),
        lambda: program(END, *[NOP] * 4096, stage="geometry"),
    ),
    "pica.descriptor-count": (
        lambda: Program([Instruction(END.word)], [OperandDescriptor()] * 129),
    ),
    "pica.missing-end": (
        lambda: program(OUT),
        lambda: program(ifu(2), END, NOP),
        lambda: program(loop(1), NOP),
    ),
    "pica.falls-through": (lambda: program(OUT, OUT, END, end=1),),
    "pica.unreachable": (lambda: program(END, OUT),),
    "pica.unexamined": (lambda: ladder(3800),),
    "pica.unknown-opcode": (lambda: raw(0x1E << 26), lambda: raw(0x10 << 26)),
    "pica.unused-bits": (
        lambda: raw(END.word | 1),
        lambda: raw(mova().word | 3 << 21),
        lambda: raw(OUT.word | 1 << 7),
        lambda: program(Instruction(BREAKC.word | 5), END),
    ),
    "pica.descriptor": (lambda: program(mov("o0", desc=4), END),),
    "pica.empty-mask": (
        lambda: program(mov("o0", desc=NOTHING), END),
        lambda: program(mova(NOTHING), END),
    ),
    "pica.two-inputs": (
        lambda: program(i("add", dst="o0", src1="v0", src2="v1"), END),
        lambda: program(i("cmp", src1="v0", src2="v1"), END),
        lambda: program(i("mad", dst="o0", src1="v2", src2="r1", src3="v1"), END),
    ),
    "pica.adjacent-mova": (
        lambda: program(mova(), mova(), END),
        lambda: program(loop(1), mova(), END),
    ),
    "pica.index-ignored": (lambda: program(i("mov", dst="o0", src1="v0", idx="a0.x"), END),),
    "pica.comparison": (
        lambda: program(i("cmp", src1="r0", src2="r1", cmpx=6), END),
        lambda: program(i("cmp", src1="r0", src2="r1", cmpy=7), END),
    ),
    "pica.length": (lambda: program(call(2, 302), END, *[NOP] * 300),),
    "pica.loop-uniform": (lambda: program(loop(1, "i5"), NOP, END),),
    "pica.vertex-slot": (lambda: program(i("setemit", vertex=3), EMIT, END, stage="geometry"),),
    "pica.geometry-only": (lambda: program(EMIT, END),),
    "pica.output-register": (lambda: program(mov("o7"), END, stage="geometry"),),
    "pica.target": (
        lambda: program(ifu(9), END),
        lambda: program(ifu(0), END),
        lambda: program(jump(2), END),
        lambda: program(call(1, 5), END),
        lambda: program(loop(7), END),
    ),
    "pica.crossing": (
        lambda: program(ifu(3), loop(4), NOP, NOP, NOP, END),
        lambda: program(call(3, 5), END, NOP, ifu(6), NOP, NOP, END),
    ),
    "pica.shared-code": (lambda: program(call(2, 5), END, call(3, 5), NOP, NOP),),
    "pica.empty-block": (
        lambda: program(ifu(1), END),
        lambda: program(loop(0), END),
        lambda: program(call(1, 1), END),
    ),
    "pica.shared-end": (
        lambda: program(ifu(3), ifu(3), NOP, END),
        lambda: program(loop(2), ifu(3), NOP, END),
        lambda: program(ifu(3, 1), ifu(3), NOP, NOP, END),
        lambda: program(call(2, 4), END, ifu(4), NOP),
    ),
    "pica.jump-at-end": (
        lambda: program(loop(2), NOP, jump(1), END),
        lambda: program(ifu(2), call(3, 4), END, NOP),
        lambda: program(call(2, 4), END, NOP, jump(2)),
    ),
    "pica.break-at-end": (lambda: program(loop(2), NOP, BREAKC, END),),
    "pica.tail-call": (lambda: program(call(2, 4), END, NOP, call(4, 5), NOP),),
    "pica.jump-out": (
        lambda: program(loop(3), NOP, jump(4), NOP, END),
        lambda: program(jump(2), ifu(3), NOP, END),
        lambda: program(call(2, 4), END, jump(1), NOP),
    ),
    "pica.break-outside": (lambda: program(BREAK, END), lambda: program(loop(1), NOP, BREAKC, END)),
    "pica.break-inside-if": (lambda: program(loop(4), ifu(3), BREAKC, NOP, NOP, END),),
    "pica.nesting": (lambda: deep_ifs(9), lambda: deep_loops(5), lambda: deep_calls(5)),
    "pica.recursion": (
        lambda: program(call(2, 4), END, call(2, 4), NOP),
        lambda: program(call(2, 4), END, call(4, 6), NOP, call(2, 4), NOP),
    ),
    "pica.output-unwritten": (lambda: program(OUT, END, outputs={0: "xyzw", 1: "x"}),),
    "pica.output-path": (
        lambda: program(ifu(2), OUT, NOP, END, outputs={0: "xyzw"}),
        lambda: program(i("callu", target=2, num=1), END, OUT, outputs={0: "xyzw"}),
    ),
    "pica.output-twice": (
        lambda: program(OUT, OUT, END, outputs={0: "xyzw"}),
        lambda: program(loop(1), OUT, END, outputs={0: "xyzw"}),
        lambda: program(OUT, call(3, 4), END, OUT, outputs={0: "xyzw"}),
    ),
}

SOUND: dict[str, Callable[[], Program]] = {
    "outputs": lambda: program(
        mov("r0", "v0"), OUT, mov("o1", "r0", SHORT), END, outputs={0: "xyzw", 1: "xyz"}
    ),
    "else writes too": lambda: program(ifu(2, 1), OUT, OUT, END, outputs={0: "xyzw"}),
    "procedures": lambda: program(call(3, 6), call(3, 6), END, ifu(5), NOP, NOP),
    "a call that ends the shader": lambda: program(call(1, 3), OUT, END, outputs={0: "xyzw"}),
    "loop with a condition": lambda: program(loop(3), NOP, BREAKC, NOP, END),
    "eight ifs": lambda: deep_ifs(8),
    "four loops": lambda: deep_loops(4),
    "four calls": lambda: deep_calls(4),
    "backward jump": lambda: program(NOP, jump(0), END),
    "mova apart": lambda: program(mova(), NOP, mova(), END),
    "one input twice": lambda: program(i("add", dst="o0", src1="v3", src2="v3"), END),
    "an inner end in an else part": lambda: program(ifu(2, 2), NOP, ifu(4), NOP, END),
    "geometry": lambda: program(
        *[each for n in range(3) for each in (i("setemit", vertex=n, primitive=n == 2), OUT, EMIT)],
        END,
        stage="geometry",
        outputs={0: "xyzw"},
    ),
    "padding after the end": lambda: program(END, NOP),
}
