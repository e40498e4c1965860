"""Lowering of control flow: blocks and procedures to nested regions, jumps to graphs.

    ifc cmp.x … .else … .end       If
    for i0 … .end                  Block with a Loop in it; break leaves the Block
    call main                      the procedure in place of the call
    jmpc cmp.x, label              a graph of the blocks of its level (jumps.py)

The hardware keeps the ends of blocks on three stacks and compares their tops with the address after
each word. `stacks` models them: code whose blocks the hardware would end elsewhere is refused, with
the rule of `verify` that applies.

Words after the program read as zero, as uninitialised memory: add o0, v0, v0 with the first
descriptor.
"""

from collections.abc import Callable, Mapping, Sequence

from ....errors import UnsupportedError
from ....ir.kernel import Block as Left
from ....ir.kernel import Value
from ....ir.types import I32
from ....rule import Findings
from ..code import Code
from ..flow import ControlFlow as Successors
from ..flow import TooMuchWork
from ..instruction import Instruction
from ..operands import Condition, UniformTest
from ..structure import UNSOUND, ControlBlock, structure
from ..tables.fields import ConditionOp
from ..text.outline import CodeRange
from ..verify.rules import RULES
from ..verify.words import check_words
from .jumps import Graph
from .registers import Registers
from .stacks import Stacks

REFUSED = frozenset({
    "pica.comparison", "pica.descriptor", "pica.length", "pica.unknown-opcode", "pica.vertex-slot",
})  # fmt: skip
ELSES = 8  # depth of nested else parts that are lowered directly; deeper ones use a graph


class Flow:
    """The lowering of the words that an entry reaches; `one` lowers other instructions."""

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
        self.names: Mapping[CodeRange, str] = {}  # of procedures
        self.blocks = {block.at: block for block in self.found.blocks}
        self.loops: list[Left] = []  # the blocks that break leaves, innermost last
        self.stacks = Stacks(self.code)
        self.words: set[int] = set()  # that the entry reaches

    # ------------------------------------------------------------ refusals

    def reached(self, main: int) -> set[int]:
        """Return the words that an entry reaches; UnsupportedError if one cannot be run."""
        problem = next((p for p in self.found.problems if p.rule in UNSOUND), None)
        if problem is not None:
            raise self._refusal(problem.rule, problem.at, problem.message)
        if not 0 <= main < len(self.code):
            message = f"the entry point is word {main}; the program has {len(self.code)}"
            raise UnsupportedError(f"{message} (pica.entry)")
        try:
            self.words = Successors(self.found).reach_all([main]).words
        except TooMuchWork:
            raise UnsupportedError("the code is too large to follow (pica.unexamined)") from None
        findings = Findings(RULES, most=None)
        check_words(self.program, findings)
        for finding in findings.diagnostics():
            at = (finding.offset or 0) // 4
            if finding.code in REFUSED and at in self.words:
                raise self._refusal(finding.code, at, finding.message)
        return self.words

    def _refusal(self, rule: str, at: int, message: str) -> UnsupportedError:
        return self.stacks.refusal(rule.removeprefix("pica."), at, message)

    # ------------------------------------------------------------ words

    def run(self, start: int, stop: int) -> None:
        """Lower the words of one level: a part of a block, a procedure, or the main code."""
        level = self.level(start, stop)
        here = [at for at in level if at in self.words]
        if any(at in self.found.jumps for at in here) or self._elses(here) > ELSES:
            Graph(self, start, stop, level).lower()
        else:
            self.straight(start, stop)

    def level(self, start: int, stop: int) -> list[int]:
        """Return the words with the same stacks as the first, outside of loops and if parts.

        An else part belongs to the enclosing level, since it has no entry on a stack.
        """
        found = []
        at = start
        while at < stop and at < len(self.code):
            found.append(at)
            block = self.blocks.get(at)
            at = block.middle if block is not None else at + 1
        return found

    def _elses(self, level: Sequence[int]) -> int:
        """Return the nesting depth of else parts on a level."""
        most = 0
        ends: list[int] = []
        for at in level:
            while ends and ends[-1] <= at:
                ends.pop()
            block = self.blocks.get(at)
            if block is not None and block.has_else:
                ends.append(block.end)
                most = max(most, len(ends))
        return most

    def begin(self, at: int) -> Instruction:
        """Begin to lower a word."""
        self.b.line = self.lines[at]
        self.registers.calls.spend()
        self.stacks.check(at)
        return self.code[at]

    def straight(self, start: int, stop: int) -> None:
        """Lower words of a level without jumps, in order."""
        at = start
        while at < stop:
            if at >= len(self.code):
                self._behind()
                return
            if at not in self.words:
                at += 1
                continue
            instruction = self.begin(at)
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
                case "break":
                    if not op.operands:
                        self._leave(self.loops[-1])
                        return
                    with self.b.when(self.condition(instruction), branch=True):
                        self.b.exit(self.loops[-1])
                case "nop":
                    pass
                case _:
                    self.one(instruction)
            at = following

    def _behind(self) -> None:
        """Lower the zero words after the program: all act like one, then the shader ends."""
        if self.program.descriptors:
            self.b.line = 0
            self.one(Instruction(0, self.program.descriptors))
        self.end()

    def end(self) -> None:
        """End the shader; later code of the region is unreachable."""
        self.b.return_()
        self.b.region = []

    def _leave(self, block: Left) -> None:
        self.b.exit(block)
        self.b.region = []

    # ------------------------------------------------------------ blocks

    def condition(self, instruction: Instruction) -> Value:
        """Return the condition of a conditional instruction."""
        kinds = UniformTest | Condition
        operand = next(each for each in instruction.operands if isinstance(each, kinds))
        if isinstance(operand, Condition):
            return self._flags(operand)
        value = self.registers.boolean(operand.register.number)
        return self.b.not_(value) if operand.invert else value

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

    def _if(self, block: ControlBlock, instruction: Instruction) -> int:
        with self.b.when(self.condition(instruction), branch=True) as statement:
            self.if_part(block)
        if block.has_else:
            with self.b.within(statement.otherwise):
                self.straight(block.middle, block.end)
        return block.end

    def if_part(self, block: ControlBlock) -> None:
        """Lower the if part of a block."""
        with self.stacks.entered("if", block.at, block.start, block.middle, block.end):
            self.run(block.start, block.middle)

    def _loop(self, block: ControlBlock, instruction: Instruction) -> int:
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
                with self.stacks.entered("loop", block.at, block.start, block.end, block.end):
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
        if start == end == at + 1:
            return  # it returns at once
        with self.stacks.entered("call", at, start, end, at + 1):
            if instruction.name == "call":
                self._procedure(start, end)
                return
            with self.b.when(self.condition(instruction), branch=True):
                self._procedure(start, end)

    def _procedure(self, start: int, end: int) -> None:
        """Lower a procedure inline, at the call on the builder's line."""
        name = self.names.get(CodeRange(start, end), f"proc{start}")
        with self.registers.calls.enter(name, key=(start, end)):
            self.run(start, end)
