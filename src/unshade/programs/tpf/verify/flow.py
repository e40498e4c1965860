"""Checks of control flow: blocks, jumps, subroutines, hull shader phases.

if … else … endif     loop … endloop     switch  case … default …  endswitch
hs_decls  hs_control_point_phase{0,1}  hs_fork_phase*  hs_join_phase*
code … ret   label … ret   label … ret
"""

from ..instruction import Instruction
from ..tables.enumerations import OperandType
from ..tables.ops import OPS, Op
from .scope import ProgramScope, register_name

DEEPEST = 64
END = "the end of the program"

CASES = ("case", "default", "endswitch")
ENDS = {"endif": ("if", "else"), "endloop": ("loop",), "endswitch": ("switch",)}
FLOW = frozenset(
    OPS[name].code
    for name in (
        "if", "else", "endif", "loop", "endloop", "switch", "endswitch", "case", "default", "break",
        "breakc", "continue", "continuec", "ret", "label", "call", "callc", "fcall",
    )
)  # fmt: skip
PHASES = ("hs_decls", "hs_control_point_phase", "hs_fork_phase", "hs_join_phase")


class FlowChecker:
    """The open blocks of a program, and the reachability of its code."""

    __slots__ = ("body", "cases", "loops", "open", "order", "returned")

    def __init__(self) -> None:
        self.open: list[tuple[str, int]] = []  # mnemonic, index of the instruction
        self.cases: list[set[int | None]] = []  # values in each open switch; None: default
        self.loops = 0  # open loops
        self.returned = False  # the last operation was a ret at the outermost level
        self.body = False  # an operation followed the start of the program, phase or subroutine
        self.order = -1  # of the hull shader phase, in PHASES

    def code(self, scope: ProgramScope, row: Op) -> None:
        """Check the place of an operation that is not a label."""
        if self.returned and self.body:
            scope.add("tpf.unreachable", f"{row.name} after ret")
        between = self.cases and not self.cases[-1] and self.open[-1][0] == "switch"
        if between and row.name not in CASES:
            scope.add("tpf.case", f"{row.name} between switch and its first case")
        self.body = True
        self.returned = False

    def is_irregular(self) -> bool:
        """Return True if `code` may report the next operation."""
        return self.returned or bool(self.cases)

    def step(self, scope: ProgramScope, instruction: Instruction, row: Op) -> None:
        """Check an instruction of FLOW, after `code` unless it is a label."""
        name = row.name
        if name == "ret":
            self.returned = not self.open
        elif name in ("if", "loop", "switch"):
            if len(self.open) == DEEPEST:
                scope.add("tpf.limit", f"expected at most {DEEPEST} nested blocks, got more")
            self.open.append((name, scope.at))
            if name == "switch":
                self.cases.append(set())
            elif name == "loop":
                self.loops += 1
        elif name == "else":
            if self.open and self.open[-1][0] == "if":
                self.open[-1] = ("else", scope.at)
            else:
                scope.add("tpf.block-balance", "else without an open if")
        elif name in ENDS:
            if self.open and self.open[-1][0] in ENDS[name]:
                closed = self.open.pop()[0]
                if closed == "switch":
                    self.cases.pop()
                elif closed == "loop":
                    self.loops -= 1
            else:
                scope.add("tpf.block-balance", f"{name} without an open {ENDS[name][0]}")
        elif name in ("case", "default"):
            self._case(scope, instruction, name)
        elif name in ("break", "breakc"):
            if not self.loops and not self.cases:
                scope.add("tpf.jump", f"{name} outside a loop or switch")
        elif name in ("continue", "continuec"):
            if not self.loops:
                scope.add("tpf.jump", f"{name} outside a loop")
        elif name == "label":
            self._label(scope, instruction)
        elif name in ("call", "callc"):
            target = instruction.operands[-1] if instruction.operands else None
            if target is not None and target.indices:
                scope.calls.append((scope.at, (target.type, target.indices[0].immediate)))
        elif name == "fcall":
            self._interface_call(scope, instruction)

    def _case(self, scope: ProgramScope, instruction: Instruction, name: str) -> None:
        if not self.open or self.open[-1][0] != "switch":
            scope.add("tpf.case", f"{name} not directly inside a switch")
            return
        value: int | None = None
        if name == "case":
            operand = instruction.operands[0] if instruction.operands else None
            if operand is None or operand.type != OperandType.IMMEDIATE32 or not operand.literal:
                got = "no value" if operand is None else register_name(operand)
                scope.add("tpf.case", f"case: expected a literal, got {got}", "operands[0]")
                return
            value = operand.literal[0]
        if value in self.cases[-1]:
            label = "default" if value is None else f"case {value}"
            scope.add("tpf.case", f"duplicate {label} in a switch")
        self.cases[-1].add(value)

    def _label(self, scope: ProgramScope, instruction: Instruction) -> None:
        self.end(scope, "label")
        operand = instruction.operands[0] if instruction.operands else None
        if operand is not None and operand.indices:
            name = operand.type, operand.indices[0].immediate
            if name in scope.labels:
                scope.add("tpf.label", f"duplicate label {name[1]}")
            scope.labels.add(name)
        self.body = self.returned = False

    def _interface_call(self, scope: ProgramScope, instruction: Instruction) -> None:
        operand = instruction.operands[0] if instruction.operands else None
        if operand is None or not operand.indices or not instruction.words:
            return
        known = scope.interfaces.get(operand.indices[0].immediate)
        if known is not None and instruction.words[0] >= known[1]:
            site, interface = instruction.words[0], register_name(operand)
            message = f"{interface}: expected a call site below {known[1]}, got {site}"
            scope.add("tpf.interface", message)

    def phase(self, scope: ProgramScope, row: Op) -> None:
        """Begin a hull shader phase."""
        order = PHASES.index(row.name)
        if self.order >= 0:
            self.end(scope, row.name)
        elif order:
            scope.add("tpf.phase", f"{row.name} before hs_decls")
        if order < self.order or (order == self.order and order < 2):
            scope.add("tpf.phase", f"{row.name} after {PHASES[self.order]}")
        self.order = max(order, self.order)
        self.body = self.returned = False
        scope.start_phase(row.name)

    def end(self, scope: ProgramScope, what: str) -> None:
        """End the program (`what` is END), or a subroutine or phase before the operation `what`."""
        for name, at in self.open:
            scope.add("tpf.block-balance", f"{name} is not closed before {what}", at=at)
        self.open.clear()
        self.cases.clear()
        self.loops = 0
        declarations_only = scope.is_hull and self.order <= 0 and what != END
        if not self.returned and (self.body or not declarations_only):
            scope.add("tpf.missing-ret", f"no ret before {what}")
