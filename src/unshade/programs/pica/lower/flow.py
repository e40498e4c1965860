"""Control flow: blocks and procedures as nested regions, jumps as exits of labelled blocks.

    ifc cmp.x … .else … .end       If
    for i0 … .end                  Block with a Loop in it; break leaves the Block
    call main                      the procedure in place of the call
    jmpc cmp.x, label … label:     Block that ends at the label; the jump leaves it
    label: … jmpc cmp.x, label     Loop with a Switch of the words between labels

The hardware keeps the ends of blocks on three stacks, and compares only fall-through addresses with
them. Code that leaves an entry behind, or makes an end be missed, does something else than its
blocks say: the rules of `verify` that tell so are errors here.

Words behind the program read as zero, as in memory that nothing was written to: add o0, v0, v0 with
the first descriptor.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ....errors import UnsupportedError
from ....ir.kernel import Block as Left
from ....ir.kernel import Value
from ....ir.types import I32
from ....vocab.pica import CALL_STACK
from ..code import Code
from ..flow import Flow as Successors
from ..flow import TooMuchWork
from ..instruction import Instruction
from ..operands import Condition, UniformTest
from ..structure import UNSOUND, Block, structure
from ..tables.fields import ConditionOp
from ..verify import verify
from .registers import Registers

REFUSED = frozenset({
    "pica.break-inside-if", "pica.break-outside", "pica.comparison", "pica.descriptor",
    "pica.jump-at-end", "pica.jump-out", "pica.length", "pica.nesting", "pica.recursion",
    "pica.shared-end", "pica.unknown-opcode", "pica.vertex-slot",
})  # fmt: skip


class Call(NamedTuple):
    """A procedure that runs: the word behind it, and how many return there at once."""

    end: int
    together: int


class Flow:
    """Lowers the words that an entry reaches; `one` lowers an instruction without targets."""

    def __init__(
        self, registers: Registers, program: Code, one: Callable[[Instruction], None]
    ) -> None:
        self.registers = registers
        self.b = registers.builder
        self.program = program
        self.found = structure(program)
        self.code = self.found.code
        self.one = one
        self.lines: list[int] = []
        self.blocks = {block.at: block for block in self.found.blocks}
        self.loops: list[Left] = []  # what break leaves, the innermost last
        self.calls: list[Call] = []
        self.words: set[int] = set()  # that are reached

    # ------------------------------------------------------------ what cannot be run

    def reached(self, main: int) -> set[int]:
        """Return the words that an entry reaches; UnsupportedError if they break a rule."""
        problem = next((p for p in self.found.problems if p.rule in UNSOUND), None)
        if problem is not None:
            raise self._refusal(problem.rule, problem.at, problem.message)
        if not 0 <= main < len(self.code):
            told = f"the entry point is word {main} of {len(self.code)}"
            raise UnsupportedError(f"{told} (pica.entry)")
        try:
            words = Successors(self.found).reach_all([main]).words
        except TooMuchWork:
            raise UnsupportedError("the code is too large to follow (pica.unexamined)") from None
        self.words = words
        for finding in verify(self.program):
            at = (finding.offset or 0) // 4
            if finding.code in REFUSED and at in words:
                raise self._refusal(finding.code, at, finding.message)
        return words

    def _refusal(self, rule: str, at: int, message: str) -> UnsupportedError:
        name = self.code[at].name if at < len(self.code) else "the code"
        return UnsupportedError(f"{name} at word {at} cannot be run: {message} ({rule})")

    # ------------------------------------------------------------ words

    def run(self, start: int, stop: int) -> None:
        """Lower the words of one level: a part of a block, a procedure, or the main code."""
        known = self.found.jumps
        level = self.level(start, stop)
        jumps = {at: known[at] for at in level if at in known and at in self.words}
        if not jumps:
            self._words(start, stop)
        elif all(target > at for at, target in jumps.items()):
            self._forward(start, stop, jumps)
        else:
            self._dispatch(start, stop, jumps)

    def level(self, start: int, stop: int) -> Iterator[int]:
        """The words of a level, without those inside its blocks."""
        at = start
        while at < stop and at < len(self.code):
            yield at
            block = self.blocks.get(at)
            at = block.end if block is not None else at + 1

    def _forward(self, start: int, stop: int, jumps: dict[int, int]) -> None:
        """Jumps forward alone: a block from the start to each label, nested."""
        labels = sorted(set(jumps.values()))
        places: dict[int, Left] = {}
        regions = []
        for label in reversed(labels):
            with self.b.block() as block:
                pass
            places[label] = block
            regions.append(self.b.region)
            self.b.region = block.body
        at = start
        for label in labels:
            self._words(at, label, {each: places[to] for each, to in jumps.items()})
            self.b.region = regions.pop()
            at = label
        self._words(at, stop)

    def _dispatch(self, start: int, stop: int, jumps: dict[int, int]) -> None:
        """Any jumps: the words between labels as cases, which say which of them comes next."""
        b = self.b
        cuts = sorted({start, *jumps.values(), *(at + 1 for at in jumps)})
        cuts = [at for at in cuts if at < stop]
        numbers = {at: number for number, at in enumerate(cuts)}
        following = self.registers.variable(f"label.{start}.{len(self.calls)}", I32, internal=True)
        b.set(following, 0)
        with b.block() as left, b.loop():
            switch = b.switch(b.get(following))
            for number, (at, end) in enumerate(zip(cuts, [*cuts[1:], stop], strict=True)):
                with b.case(switch, number):
                    last = next((j for j in reversed([*self.level(at, end)]) if j in jumps), -1)
                    if last < 0:
                        self._words(at, end)
                    else:
                        self._words(at, last)
                        b.line = self.lines[last]
                        self.registers.spend()
                        with b.when(self.condition(self.code[last])):
                            b.set(following, numbers[jumps[last]])
                            b.continue_()
                    b.line = 0
                    if end == stop:
                        b.exit(left)
                    else:
                        b.set(following, number + 1)

    def _words(self, start: int, stop: int, jumps: dict[int, Left] | None = None) -> None:
        """Words in their order; a jump leaves its block."""
        at = start
        b = self.b
        while at < stop:
            if at >= len(self.code):
                self._behind()
                return
            if at not in self.words:
                at += 1
                continue
            instruction = self.code[at]
            b.line = self.lines[at]
            self.registers.spend()
            op = instruction.op
            assert op is not None
            following = at + 1
            match op.kind:
                case "end":
                    self.end()
                    return
                case "if":
                    following = self._if(self.blocks[at], instruction)
                case "loop":
                    following = self._loop(self.blocks[at], instruction)
                case "call":
                    self._call(at, instruction)
                case "jump":
                    assert jumps is not None
                    with b.when(self.condition(instruction)):
                        b.exit(jumps[at])
                case "break":
                    if not op.operands:
                        self._leave(self.loops[-1])
                        return
                    with b.when(self.condition(instruction)):
                        b.exit(self.loops[-1])
                case "nop":
                    pass
                case _:
                    self.one(instruction)
            at = following

    def _behind(self) -> None:
        """Behind the program: a word of zero, which changes nothing the second time, to the end."""
        if self.program.descriptors:
            self.b.line = 0
            self.one(Instruction(0, self.program.descriptors))
        self.end()

    def end(self) -> None:
        """End the shader; what follows in the region is never reached."""
        self.b.return_()
        self.b.region = []

    def _leave(self, block: Left) -> None:
        self.b.exit(block)
        self.b.region = []

    # ------------------------------------------------------------ blocks

    def condition(self, instruction: Instruction) -> Value:
        """Return what an instruction tests."""
        registers, b = self.registers, self.b
        for operand in instruction.operands:
            if isinstance(operand, UniformTest):
                value = registers.boolean(operand.register.number)
                return b.not_(value) if operand.invert else value
            if isinstance(operand, Condition):
                return self._flags(operand)
        return b.bool(True)  # a call

    def _flags(self, condition: Condition) -> Value:
        b = self.b

        def flag(letter: str, wanted: bool) -> Value:
            value = self.registers.flag(letter)
            return value if wanted else b.not_(value)

        match condition.op:
            case ConditionOp.X:
                return flag("x", condition.refx)
            case ConditionOp.Y:
                return flag("y", condition.refy)
        join = b.or_ if condition.op == ConditionOp.OR else b.and_
        return join(flag("x", condition.refx), flag("y", condition.refy))

    def _if(self, block: Block, instruction: Instruction) -> int:
        with self.b.when(self.condition(instruction)) as statement:
            self.run(block.start, block.middle)
        if block.has_else:
            with self.b.within(statement.otherwise):
                self.run(block.middle, block.end)
        return block.end

    def _loop(self, block: Block, instruction: Instruction) -> int:
        b, registers = self.b, self.registers
        number = instruction.int_id
        counter = registers.variable("aL", I32)
        left = registers.variable(f"for.{len(self.loops)}", I32, internal=True)
        outer = b.get(counter)
        b.set(left, registers.integer(number, 0))
        b.set(counter, registers.integer(number, 1))
        line = b.line
        with b.block() as around:
            self.loops.append(around)
            with b.loop():
                self.run(block.start, block.end)
                b.line = line
                self._step(number)
                now = b.get(left)
                with b.when(b.ieq(now, 0)):
                    b.exit(around)
                b.set(left, b.isub(now, 1))
            self.loops.pop()
        if self.loops:
            b.set(counter, outer)
        return block.end

    def _step(self, number: int) -> None:
        counter = self.registers.variable("aL", I32)
        self.b.set(counter, self.b.iadd(self.b.get(counter), self.registers.integer(number, 2)))

    # ------------------------------------------------------------ procedures

    def _call(self, at: int, instruction: Instruction) -> None:
        start, end = instruction.target, instruction.target + instruction.length
        with self._calling(at, end):
            if instruction.name == "call":
                self.run(start, end)
                return
            with self.b.when(self.condition(instruction)):
                self.run(start, end)

    @contextmanager
    def _calling(self, at: int, end: int) -> Iterator[None]:
        """A call; UnsupportedError where the fourth of four returns at once would be lost."""
        last = bool(self.calls) and self.calls[-1].end == at + 1
        together = self.calls[-1].together + 1 if last else 1
        if together >= CALL_STACK:
            told = f"{together} procedures return at once, and the last is not returned from"
            raise self._refusal("pica.tail-call", at, told)
        self.calls.append(Call(end, together))
        try:
            yield
        finally:
            self.calls.pop()
