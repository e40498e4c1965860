"""Control flow: the instructions' brackets as nested regions.

    if_nz r0.x … else … endif         If
    loop … breakc_nz r0.x … endloop   Loop, with a conditional break
    switch r0.x … case l(1): …        Switch; labels that follow one another share a case
    call label l0 … ret               the body in place; its ret leaves a loop around it

A case may run into the next one: Direct3D 10 allowed that, though no compiler writes it. Then what
follows is repeated at its end. An endless recursion of calls is refused, as it is by Direct3D.
Source: Direct3D 11.3 functional specification, section 22.7 (flow control).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.copying import copied
from ....ir.kernel import Case, If, Region, Switch, Value, walk
from ....ir.memory import Var
from ....ir.ops import OPS
from ....ir.types import BOOL, I32
from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import OperandType
from ..tables.spellings import REGISTERS, word
from ..tables.tokens import Sync
from .registers import Registers

DEEPEST = 32  # calls inside calls: the limit of Direct3D
LEVELS = 128  # brackets inside brackets: Direct3D allows 64


@dataclass(slots=True)
class Open:
    """A bracket that is open."""

    kind: str  # "if", "else", "loop", "switch", "case"
    region: Region  # that goes on behind it
    statement: If | Switch | None = None
    falling: list[Case] = field(default_factory=list)  # cases that run into the next


class Frame:
    """One body: the main program's, that of a function that was called, or of a phase.

    `leave` is how a ret goes: it ends the lane, breaks the loop around a function, or begins the
    next turn of the loop around a phase.
    """

    def __init__(self, returned: Var | None, leave: str = "break") -> None:
        self.open: list[Open] = []
        self.returned = returned  # set by a ret that has more than one construct to leave
        self.leave = leave

    def inside(self, *kinds: str) -> bool:
        """Whether a bracket of these kinds is open in this body."""
        return any(each.kind in kinds for each in self.open)


class Flow:
    """Lowers brackets and jumps; `body` lowers the instructions of a label in place."""

    def __init__(self, registers: Registers, body: Callable[[str], None]) -> None:
        self.registers = registers
        self.b = registers.builder
        self.body = body
        self.frames = [Frame(None, "return")]
        self.calling: list[str] = []

    # ------------------------------------------------------------ pieces

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def condition(self, instruction: Instruction) -> Value:
        """What an instruction tests: `_nz` a bit that is set, `_z` none."""
        value = self.registers.read(instruction.operands[0], "c", 0)
        name = OPS.ine if instruction.test_nonzero else OPS.ieq
        found: Value = self.b.make(name, value, constant(0, I32))
        return found

    def end(self, name: str) -> None:
        """A jump; what follows it in the region is never reached."""
        self.b.make(name)
        self.b.region = []

    def _push(self, kind: str, region: Region, statement: If | Switch | None = None) -> None:
        if sum(len(frame.open) for frame in self.frames) >= LEVELS:
            raise UnsupportedError(f"more than {LEVELS} levels of control flow cannot be run")
        self.frame.open.append(Open(kind, self.b.region, statement))
        self.b.region = region

    def _pop(self, *kinds: str) -> Open:
        if not self.frame.open or self.frame.open[-1].kind not in kinds:
            raise UnsupportedError(f"the program closes a {kinds[0]} that is not open")
        found = self.frame.open.pop()
        self.b.region = found.region
        return found

    # ------------------------------------------------------------ instructions

    def lower(self, instruction: Instruction) -> bool:
        """One instruction; False where it is none of these."""
        row = instruction.op
        assert row is not None
        b = self.b
        match row.name:
            case "if":
                with b.when(self.condition(instruction)) as statement:
                    pass
                self._push("if", statement.then, statement)
            case "else":
                found = self._pop("if")
                assert isinstance(found.statement, If)
                self._push("else", found.statement.otherwise, found.statement)
            case "endif":
                self._pop("if", "else")
            case "loop":
                with b.loop() as loop:
                    pass
                self._push("loop", loop.body)
            case "endloop":
                self._pop("loop")
                self._leave_further()
            case "switch":
                value = self.registers.read(instruction.operands[0], "i", 0)
                switch = b.switch(value)
                self._push("switch", [], switch)
            case "case":
                literal = instruction.operands[0].literal
                if not literal:
                    raise UnsupportedError("a case without a number cannot be run")
                self._case(literal[0])
            case "default":
                self._case(None)
            case "endswitch":
                self._close_switch()
                self._leave_further()
            case "break" | "continue":
                self._needs(row.name)
                self.end(row.name)
            case "breakc" | "continuec":
                self._needs(row.name[:-1])
                with b.when(self.condition(instruction)):
                    b.make(row.name[:-1])
            case "discard":
                b.discard(self.condition(instruction))
            case "ret":
                self._return()
            case "retc":
                with b.when(self.condition(instruction)):
                    self._return()
            case "call":
                self.call(label_of(instruction.operands[0]))
            case "callc":
                with b.when(self.condition(instruction)):
                    self.call(label_of(instruction.operands[1]))
            case "sync":
                whole = Sync.threads_in_group.of(instruction.token)
                b.barrier(attr="group" if whole else "memory")
            case "nop" | "debug_break":
                pass
            case "abort":
                self.end("return")
            case _:
                return False
        return True

    def _needs(self, jump: str) -> None:
        kinds = ("loop", "switch") if jump == "break" else ("loop",)
        if not self.frame.inside(*kinds):
            raise UnsupportedError(f"a {jump} stands outside of a {' or '.join(kinds)}")

    def _close_switch(self) -> None:
        found = self._pop("switch")
        assert isinstance(found.statement, Switch)
        cases = found.statement.cases
        for case, following in reversed([*pairwise(cases)]):
            if case in found.falling:
                self.registers.spend(sum(1 for _ in walk(following.body)))
                case.body += copied(following.body)

    def _case(self, label: int | None) -> None:
        found = self.frame.open[-1] if self.frame.open else None
        if found is None or not isinstance(found.statement, Switch):
            raise UnsupportedError("a case stands outside of a switch")
        cases = found.statement.cases
        if any(case.default if label is None else label in case.labels for case in cases):
            told = "default" if label is None else f"case {label}"
            raise UnsupportedError(f"a second {told} in one switch")
        if cases and not cases[-1].body and self.b.region is cases[-1].body:
            case = cases[-1]
        else:
            if cases and self.b.region is cases[-1].body:
                found.falling.append(cases[-1])
            case = Case(())
            cases.append(case)
        if label is None:
            case.default = True
        else:
            case.labels = (*case.labels, label)
        self.b.region = case.body

    # ------------------------------------------------------------ functions

    def _return(self) -> None:
        frame = self.frame
        if frame.leave == "return":
            self.end("return")
            return
        if frame.inside("loop", "switch"):
            assert frame.returned is not None
            self.b.set(frame.returned, constant(1, BOOL))
        self.end(self._way())

    def _way(self) -> str:
        """The jump that leaves a body, or the loop or switch of it that is left first."""
        return "break" if self.frame.inside("loop", "switch") else self.frame.leave

    def _leave_further(self) -> None:
        """Behind a loop or switch of a function: a ret inside it has to leave this one, too."""
        returned = self.frame.returned
        if returned is not None:
            with self.b.when(self.b.get(returned)):
                self.b.make(self._way())

    def call(self, label: str) -> None:
        """The function's body, here, in a loop that is left by its returns."""
        if label in self.calling or len(self.calling) >= DEEPEST:
            raise UnsupportedError(f"{label} calls itself, or calls are nested too deeply")
        b = self.b
        returned = self.registers.variable(f"{label}.returned.{len(self.calling)}", internal=True)
        returned.type = BOOL
        b.set(returned, constant(0, BOOL))
        self.calling.append(label)
        self.frames.append(Frame(returned))
        with b.loop():
            self.body(label)
            if self.frame.open:
                raise UnsupportedError(f"{label} ends inside of a bracket")
            b.break_()
        self.frames.pop()
        self.calling.pop()

    @contextmanager
    def repeated(self, name: str, register: int, count: int) -> Iterator[Var]:
        """What is lowered meanwhile so many times; gives the variable that counts, a register."""
        b = self.b
        number = self.registers.variable(word(REGISTERS, register))
        following = self.registers.variable(f"{word(REGISTERS, register)}.next", internal=True)
        returned = self.registers.variable(f"{name}.returned", internal=True)
        returned.type = BOOL
        b.line = 0
        b.set(following, constant(0, I32))
        with b.loop():
            now = b.get(following)
            with b.when(b.ule(constant(count, I32), now)):
                b.break_()
            b.set(number, now)
            b.set(following, b.iadd(now, 1))
            b.set(returned, constant(0, BOOL))
            self.frames.append(Frame(returned, "continue"))
            yield number
            if self.frame.open:
                raise UnsupportedError(f"{name} ends inside of a bracket")
            self.frames.pop()
        b.line = 0

    def finish(self) -> None:
        """Nothing is left open."""
        if self.frame.open:
            raise UnsupportedError(f"a {self.frame.open[-1].kind} is not closed")


def label_of(operand: Operand) -> str:
    """The name of a label: "l0", or "fb0" where a function of an interface begins."""
    if operand.type not in (OperandType.LABEL, OperandType.FUNCTION_BODY) or not operand.indices:
        raise UnsupportedError("a label without a number cannot be run")
    prefix = "l" if operand.type == OperandType.LABEL else "fb"
    return f"{prefix}{operand.indices[0].immediate}"
