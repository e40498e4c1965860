"""Lowering of Direct3D 9 programs to `ir`, which `vm` runs.

    lower(code, specialisation) -> Lowered(kernel, resources, …)

Each operation records the number of its line in the text of the program. Blocks nest as they do in
the code: `if`, `loop` and `rep` are regions, subroutines are lowered in place of their calls.

Source: the pages of the assembly language.
"""

from collections.abc import Sequence

from ....errors import UnsupportedError
from ....garbage_collection import uncollected
from ....ir.kernel import DEEPEST, Block, KernelIR, Value, height
from ....ir.locations import SourceLocation
from ....ir.lowered import Lowered
from ....ir.specialisation import Specialisation
from ....ir.transforms.functions import Calls
from ....ir.types import FLUSH_32, I32
from ....isa.constructs import constructs
from ....vocab.words import Stage
from ..code import Code
from ..control import NESTING
from ..facts import facts_of
from ..instruction import Instruction
from ..text import instruction_lines
from .addressing import AddressingLowering, cubes_of
from .arithmetic import compared, lower_arithmetic
from .registers import Registers
from .textures import TextureLowering

__all__ = ["lower"]

TOO_DEEP = "blocks are nested too deeply to be run"
WHITE = {("COLOR", 0): 1.0}  # a pixel shader's before 3.0, if no vertex shader outputs it
SKIPPED = frozenset({"dcl", "def", "defi", "defb", "nop", "phase"})


@uncollected
def lower(code: Code, specialisation: Specialisation) -> Lowered:
    """Lower a program to a kernel; UnsupportedError if it cannot be run."""
    return Lowering(code, specialisation).lower()


class Lowering:
    def __init__(self, code: Code, specialisation: Specialisation) -> None:
        self.code = code
        self.specialisation = specialisation
        self.kernel = KernelIR("main", flush=FLUSH_32)
        facts = facts_of(code)
        self.registers = Registers(self.kernel, code, facts)
        self.textures = TextureLowering(self.registers, facts, cubes_of(code))
        self.addressing = AddressingLowering(self.registers, self.textures)
        self.calls = Calls(self.registers.builder)
        names = ["" if each.op is None else each.op.name for each in code.instructions]
        self.constructs = constructs(names, NESTING)
        self.depth = 0
        self.loops: list[Block] = []
        self.text = []
        self.lines: dict[int, int] = {}
        for row, (number, line) in enumerate(instruction_lines(code), 1):
            self.text.append(str(line))
            if number >= 0:
                self.lines[number] = row
        self.labels: dict[int, int] = {}
        for number, each in enumerate(code.instructions):
            if each.name == "label" and each.sources:
                self.labels[each.sources[0].token.number] = number

    def lower(self) -> Lowered:
        pixel = self.code.version.is_pixel
        self.kernel.stage = Stage.PIXEL if pixel else Stage.VERTEX
        b = self.registers.builder
        b.location = SourceLocation(function="main")
        end = min(self.labels.values(), default=len(self.code.instructions))
        with b.block() as body:
            self._run(0, end, body)
        self.registers.finish()
        if height(self.kernel.body) > DEEPEST:
            raise UnsupportedError(TOO_DEEP)
        resources = [*self.registers.resources, *self.textures.resources]
        found = Lowered(self.kernel, resources, self.text)
        found.specialisation = self.specialisation
        # The runtime refuses no pair of a vertex and a pixel shader.
        found.unwritten = WHITE if self.code.version.major < 3 else {}
        return found

    def _run(self, start: int, stop: int, body: Block) -> None:
        """Lower instructions; `body` is the program or subroutine that `ret` leaves."""
        self.depth += 1
        if self.depth > DEEPEST:  # each level takes some frames of Python's stack
            raise UnsupportedError(TOO_DEEP)
        at = start
        while at < stop:
            if self._is_issued_with(at + 1, stop):
                with self.registers.pair():
                    for each in (at, at + 1):
                        self._one(each, self.code.instructions[each], body)
                at += 2
            else:
                at = self._one(at, self.code.instructions[at], body)
        self.depth -= 1

    def _is_issued_with(self, at: int, stop: int) -> bool:
        """Return whether an instruction is the second of a pair, which does not see the first."""
        if at >= stop or self.code.version.major > 1:
            return False
        pair = self.code.instructions[at - 1 : at + 1]
        arithmetic = all(each.op is not None and each.op.kind == "arithmetic" for each in pair)
        return bool(pair[1].token.coissue) and arithmetic

    def _one(self, at: int, instruction: Instruction, body: Block) -> int:
        """Lower an instruction, or a block; return the number of the next."""
        b = self.registers.builder
        op = instruction.op
        if op is None:
            raise UnsupportedError(f"{instruction.name} cannot be run: unknown opcode")
        if op.name in SKIPPED:
            return at + 1
        _check_operands(instruction)
        b.line = self.lines[at]
        self.calls.spend()
        match op.name:
            case "if" | "ifc":
                return self._if(at, instruction, body)
            case "rep" | "loop":
                return self._loop(at, instruction, body)
            case "ret":
                b.exit(body)
                b.region = []
            case "break" | "breakc" | "breakp":
                self._break(instruction)
            case "call" | "callnz":
                self._call(instruction)
            case "texkill":
                self._kill(instruction)
            case _:
                lowered = (
                    self.textures.lower(instruction)
                    or self.addressing.lower(instruction)
                    or lower_arithmetic(self.registers, instruction)
                )
                if not lowered:
                    raise UnsupportedError(f"{instruction.name} cannot be run")
        return at + 1

    def _condition(self, instruction: Instruction) -> Value:
        if instruction.op is not None and instruction.op.name in ("ifc", "breakc"):
            return compared(self.registers, instruction, 0)
        return self.registers.boolean(instruction.sources[-1])

    def _end(self, at: int) -> int:
        """Return the end of the block that an instruction opens."""
        end = self.constructs.ends[at]
        if end == len(self.code.instructions):
            opening = self.code.instructions[at]
            raise UnsupportedError(f"{opening}: the block is not closed (d3d9.nesting)")
        return end

    def _if(self, at: int, instruction: Instruction, body: Block) -> int:
        b = self.registers.builder
        end, middle = self._end(at), self.constructs.elses.get(at)
        with b.when(self._condition(instruction), branch=True) as statement:
            self._run(at + 1, end if middle is None else middle, body)
        if middle is not None:
            with b.within(statement.otherwise):
                self._run(middle + 1, end, body)
        return end + 1

    def _loop(self, at: int, instruction: Instruction, body: Block) -> int:
        b, registers = self.registers.builder, self.registers
        end = self._end(at)
        counted = instruction.sources[-1]
        left = registers.variable(f"rep.{len(self.loops)}", I32, "", internal=True)
        b.set(left, registers.integer(counted, 0))
        moving = instruction.name == "loop"
        counter = registers.variable("aL", I32, "aL") if moving else None
        outer = b.get(counter) if counter is not None else None
        if counter is not None:
            b.set(counter, registers.integer(counted, 1))
        with b.block() as around:
            self.loops.append(around)
            with b.loop():
                now = b.get(left)
                with b.when(b.ile(now, 0)):
                    b.exit(around)
                b.set(left, b.isub(now, 1))
                self._run(at + 1, end, body)
                if counter is not None:
                    b.set(counter, b.iadd(b.get(counter), registers.integer(counted, 2)))
            self.loops.pop()
        if counter is not None and outer is not None:
            b.set(counter, outer)
        return end + 1

    def _break(self, instruction: Instruction) -> None:
        b = self.registers.builder
        if not self.loops:
            raise UnsupportedError(f"{instruction.name} stands in no loop (d3d9.nesting)")
        if not instruction.sources:
            b.exit(self.loops[-1])
            b.region = []
            return
        with b.when(self._condition(instruction), branch=True):
            b.exit(self.loops[-1])

    def _call(self, instruction: Instruction) -> None:
        b = self.registers.builder
        number = instruction.sources[0].token.number
        if number not in self.labels:
            raise UnsupportedError(f"{instruction}: there is no label l{number}")
        if len(instruction.sources) < 2:
            self._subroutine(number)
            return
        with b.when(self._condition(instruction), branch=True):
            self._subroutine(number)

    def _subroutine(self, number: int) -> None:
        b = self.registers.builder
        start = self.labels[number] + 1
        later = [each for each in self.labels.values() if each >= start]
        stop = min(later, default=len(self.code.instructions))
        loops, self.loops = self.loops, []
        with self.calls.enter(f"l{number}", key=number), b.block() as body:
            self._run(start, stop, body)
        self.loops = loops

    def _kill(self, instruction: Instruction) -> None:
        b = self.registers.builder
        operand = instruction.destination
        assert operand is not None
        letters: Sequence[str] = operand.components
        if self.code.version.major == 1:
            letters = "xyz"
        negative = None
        for letter in letters:
            value = self.registers.held(operand, "xyzw".index(letter))
            below = b.flt(value, 0.0)
            negative = below if negative is None else b.or_(negative, below)
        if negative is not None:
            b.discard(negative)


def _check_operands(instruction: Instruction) -> None:
    """Refuse an instruction whose operands are not those of its operation."""
    wrong = instruction.miscount
    for each in instruction.strays:
        wrong = wrong or f"expected a register, got {each}"
    if wrong:
        raise UnsupportedError(f"{instruction.name}: {wrong} (d3d9.operands)")
