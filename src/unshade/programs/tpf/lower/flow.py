"""Lowering of control flow to nested regions.

    if_nz r0.x … else … endif         If
    loop … breakc_nz r0.x … endloop   Loop, with a conditional break
    switch r0.x … case l(1): …        Switch; consecutive labels share a case
    call label l0 … ret               the body, inlined in a block that its ret leaves

A case may fall through to the next: Direct3D 10 allowed that, though no compiler writes it. Endless
recursion is an error, as in Direct3D.
Source: Direct3D 11.3 functional specification, section 22.7 (flow control).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ....dataclass import dataclass, field
from ....errors import UnsupportedError
from ....ir.barriers import BarrierOrder, barrier_words
from ....ir.builder import constant
from ....ir.kernel import Block, Case, If, Region, Switch, Value
from ....ir.memory import Var
from ....ir.ops import OPS, Op
from ....ir.transforms.fallthrough import fall_through
from ....ir.types import I32
from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import OperandType
from ..tables.spellings import REGISTERS, word
from ..tables.tokens import Sync
from .registers import Registers

LEVELS = 128  # most nested blocks; Direct3D allows 64


@dataclass(slots=True)
class OpenConstruct:
    """An open if, loop or switch, or a case of one."""

    kind: str  # "if", "else", "loop", "switch", "case"
    region: Region  # the enclosing region, which continues after it
    statement: If | Switch | None = None
    falling: list[Case] = field(default_factory=list)  # cases that fall through to the next
    labels: set[int | None] = field(default_factory=set)  # of the switch; None for `default`


JUMPS = {
    "break": OPS.break_,
    "breakc": OPS.break_,
    "continue": OPS.continue_,
    "continuec": OPS.continue_,
}


class Body:
    """The body of the main program, of a called function, or of a phase.

    A ret leaves `block`, or ends the lane if there is none.
    """

    def __init__(self, block: Block | None) -> None:
        self.open: list[OpenConstruct] = []
        self.block = block

    def inside(self, *kinds: str) -> bool:
        """Return True if a block of any of these kinds is open in this body."""
        return any(each.kind in kinds for each in self.open)


class Flow:
    """Lowering of blocks and jumps; `lower_body` lowers the instructions of a label in place."""

    def __init__(self, registers: Registers, lower_body: Callable[[str], None]) -> None:
        self.registers = registers
        self.b = registers.builder
        self.lower_body = lower_body
        self.bodies = [Body(None)]

    def close(self) -> None:
        """Drop `lower_body`, through which the lowering refers to itself: it is freed at once."""
        del self.lower_body

    # ------------------------------------------------------------ pieces

    @property
    def body(self) -> Body:
        return self.bodies[-1]

    def condition(self, instruction: Instruction) -> Value:
        """Return the condition of an instruction: `_nz` any bit set, `_z` none."""
        value = self.registers.read(instruction.operands[0], "c", 0)
        op = OPS.ine if instruction.test_nonzero else OPS.ieq
        found: Value = self.b.make(op, value, constant(0, I32))
        return found

    def end(self, jump: Op) -> None:
        """Add a jump; later code of the region is unreachable."""
        self.b.make(jump)
        self.b.region = []

    def _push(self, kind: str, region: Region, statement: If | Switch | None = None) -> None:
        if sum(len(body.open) for body in self.bodies) >= LEVELS:
            raise UnsupportedError(f"expected at most {LEVELS} nested blocks, got more")
        self.body.open.append(OpenConstruct(kind, self.b.region, statement))
        self.b.region = region

    def _pop(self, *kinds: str) -> OpenConstruct:
        if not self.body.open or self.body.open[-1].kind not in kinds:
            raise UnsupportedError(f"the end of a {kinds[0]} without an open {kinds[0]}")
        found = self.body.open.pop()
        self.b.region = found.region
        return found

    # ------------------------------------------------------------ instructions

    def lower(self, instruction: Instruction) -> bool:
        """Lower an instruction; return False if it is not control flow."""
        row = instruction.op
        assert row is not None
        b = self.b
        match row.name:
            case "if":
                with b.when(self.condition(instruction), branch=True) as statement:
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
            case "switch":
                value = self.registers.read(instruction.operands[0], "i", 0)
                switch = b.switch(value, branch=True)
                self._push("switch", [], switch)
            case "case":
                literal = instruction.operands[0].literal
                if not literal:
                    raise UnsupportedError("case: expected a literal, got none")
                self._case(literal[0])
            case "default":
                self._case(None)
            case "endswitch":
                self._close_switch()
            case "break" | "continue":
                self.end(self._jump(JUMPS[row.name]))
            case "breakc" | "continuec":
                jump = self._jump(JUMPS[row.name])
                with b.when(self.condition(instruction), branch=True):
                    b.make(jump)
            case "discard":
                b.discard(self.condition(instruction))
            case "ret":
                self._return()
            case "retc":
                with b.when(self.condition(instruction), branch=True):
                    self._return()
            case "call":
                self.call(label_of(instruction.operands[0]))
            case "callc":
                with b.when(self.condition(instruction), branch=True):
                    self.call(label_of(instruction.operands[1]))
            case "sync":
                b.barrier(attr=_barrier(instruction.token))
            case "nop" | "debug_break":
                pass
            case "abort":
                self.end(OPS.return_)
            case _:
                return False
        return True

    def _jump(self, jump: Op) -> Op:
        """Return the jump; UnsupportedError if no enclosing block can be left or continued."""
        kinds = ("loop", "switch") if jump is OPS.break_ else ("loop",)
        if not self.body.inside(*kinds):
            raise UnsupportedError(f"{jump.name} outside a {' or '.join(kinds)}")
        return jump

    def _close_switch(self) -> None:
        found = self._pop("switch")
        assert isinstance(found.statement, Switch)
        if found.falling:
            found.region.pop()
            fall_through(self.b, found.statement, found.falling)

    def _case(self, label: int | None) -> None:
        found = self.body.open[-1] if self.body.open else None
        if found is None or not isinstance(found.statement, Switch):
            raise UnsupportedError("case outside a switch")
        cases = found.statement.cases
        if label in found.labels:
            name = "default" if label is None else f"case {label}"
            raise UnsupportedError(f"duplicate {name} in a switch")
        found.labels.add(label)
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
        block = self.body.block
        if block is None:
            self.b.return_()
        else:
            self.b.exit(block)
        self.b.region = []

    def call(self, label: str) -> None:
        """Lower the body of a function in place."""
        with self.registers.calls.enter(label) as frame, self._inside(label, frame.block):
            self.lower_body(label)

    @contextmanager
    def _inside(self, name: str, block: Block) -> Iterator[None]:
        """Lower a body in the context, whose returns leave the block."""
        self.bodies.append(Body(block))
        yield
        if self.body.open:
            raise UnsupportedError(f"{name} ends inside a block")
        self.bodies.pop()

    @contextmanager
    def repeated(self, name: str, register: int, count: int) -> Iterator[Var]:
        """Repeat the code lowered in the context; yield the loop counter, a register."""
        b = self.b
        number = self.registers.variable(word(REGISTERS, register))
        following = self.registers.variable(f"{word(REGISTERS, register)}.next", internal=True)
        b.line = 0
        b.set(following, constant(0, I32))
        with b.loop():
            now = b.get(following)
            with b.when(b.ule(constant(count, I32), now)):
                b.break_()
            b.set(number, now)
            b.set(following, b.iadd(now, 1))
            with b.block() as block, self._inside(name, block):
                yield number
        b.line = 0

    def finish(self) -> None:
        """Check that no block is open at the end."""
        if self.body.open:
            raise UnsupportedError(f"{self.body.open[-1].kind} is not closed")


def label_of(operand: Operand) -> str:
    """Return the name of a label: "l0", or "fb0" for a function of an interface."""
    if operand.type not in (OperandType.LABEL, OperandType.FUNCTION_BODY) or not operand.indices:
        raise UnsupportedError("expected a label with a number, got none")
    prefix = "l" if operand.type == OperandType.LABEL else "fb"
    return f"{prefix}{operand.indices[0].immediate}"


def _barrier(token: int) -> str:
    """Return the attribute of a barrier."""
    device = bool(Sync.uav_global.of(token))
    views = device or bool(Sync.uav_group.of(token))
    order = BarrierOrder(bool(Sync.shared_memory.of(token)), views, views, device)
    return barrier_words(bool(Sync.threads_in_group.of(token)), order)
