"""Edits of instructions that keep the structure of a program valid.

    if_nz r0.x                 insert(1, "else")           allowed: the if has none
      mov r0.y, l(1.000000)    remove(0)                   invalid: endif without an open if
    endif                      insert(1, "dcl_temps 2")    invalid: declaration after code
    ret                        insert(4, "nop")            invalid: no ret before the end

The edited list is checked before it replaces the old one, so an edit is applied as a whole or not
at all. An edit is invalid if it adds a violation of the rules of `verify` in STRUCTURE. Other
rules, such as those on undeclared registers and masks, are not enforced: an edit may be one of
several steps.

dcl_temps is updated: like a length, it is raised when new code uses a register beyond it, and added
if missing. The number is never lowered, since other code may rely on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import EncodeError, UsageError
from .code import Code
from .instruction import Instruction
from .operands import Operand
from .tables.enumerations import OperandType
from .tables.ops import OPS

STRUCTURE = (
    "tpf.block-balance",
    "tpf.jump",
    "tpf.case",
    "tpf.missing-ret",
    "tpf.label",
    "tpf.phase",
    "tpf.order",
    "tpf.redeclared",
    "tpf.interface",
)
TEMPS = OPS["dcl_temps"].code
MOST = 4096  # r registers in Direct3D


def replace(
    program: Code, start: int, out: Sequence[int], given: Sequence[object]
) -> list[Instruction]:
    """Replace the instructions `out` by others at `start`; return the new instructions.

    Args:
        program: The program to edit.
        start: The index of the first new instruction, among those that remain.
        out: The indices of the instructions to remove.
        given: Instructions, or their text.

    Raises:
        UsageError: The edit would break the structure of the program.
        AssembleError: A text is invalid.
        EncodeError: An instruction cannot be encoded.
    """
    new = _parsed(given)
    if new and out and [*out] != list(range(start, start + len(out))):
        raise UsageError("expected consecutive instructions, got a slice with a step")
    gone = set(out)
    instructions = [each for i, each in enumerate(program.instructions) if i not in gone]
    instructions[start:start] = new
    temps = _Temps(instructions, start, new)
    temps.declare()
    _check(program, instructions)
    program.instructions[:] = instructions
    temps.raise_count()
    return new


def _parsed(given: Sequence[object]) -> list[Instruction]:
    """Return instructions that are given as objects or as text."""
    found: list[Instruction] = []
    for each in given:
        if isinstance(each, str):
            from .assembler import parse_instructions

            found += parse_instructions(each)
        elif isinstance(each, Instruction):
            found.append(each)
        else:
            raise UsageError(f"expected an Instruction or its text, got {each!r:.40}")
    for number, instruction in enumerate(found):
        try:
            Instruction.encode(instruction)
        except EncodeError as error:
            raise error.within(f"given[{number}]") from None
    return found


# ---------------------------------------------------------------- structure


def _check(program: Code, instructions: list[Instruction]) -> None:
    """Raise a UsageError if the edited program has new violations of STRUCTURE."""
    from .verify import survey
    from .verify.offsets import numbers

    before = survey(program).findings.counts
    edited = Code(program.version, instructions)
    found = survey(edited).findings
    broken = {code for code in STRUCTURE if found.counts[code] > before[code]}
    for each in found.found:
        if each.code in broken:
            at, _ = numbers(each.path)
            raise UsageError(f"invalid edit: {each.message}{_where(instructions, at)}")


def _where(instructions: list[Instruction], at: int | None) -> str:
    """Return the place of a violation in the edited program, for the message."""
    if at is None or at >= len(instructions):
        return ""
    return f", at instruction {at} after the edit: {instructions[at]!s:.60}"


# ---------------------------------------------------------------- dcl_temps


class _Temps:
    """The r registers of the phase that contains the edit, and their declaration."""

    def __init__(self, instructions: list[Instruction], at: int, new: list[Instruction]) -> None:
        self.instructions = instructions
        self.needed = max(map(_registers, new), default=0)
        marks = [i for i, each in enumerate(instructions) if _kind(each) == "phase"]
        self.first = max((i + 1 for i in marks if i < max(at, 1)), default=0)
        last = min((i for i in marks if i >= self.first), default=len(instructions))
        phase = instructions[self.first : last]
        self.declared = next((each for each in phase if each.token & 0x7FF == TEMPS), None)
        self.code = self.first + next(
            (i for i, each in enumerate(phase) if _kind(each) not in ("decl", "data")), 0
        )
        if self.needed > MOST:
            raise UsageError(f"expected r0 to r{MOST - 1}, got r{self.needed - 1}")

    def declare(self) -> None:
        """Insert a declaration before the code if it is needed and missing."""
        if self.needed and self.declared is None:
            self.declared = Instruction.make("dcl_temps", count=self.needed)
            self.instructions.insert(self.code, self.declared)

    def raise_count(self) -> None:
        """Raise the declared number to the number used."""
        if self.declared is not None and sum(self.declared.words[:1]) < self.needed:
            self.declared.words = (self.needed, *self.declared.words[1:])


def _kind(instruction: Instruction) -> str:
    row = instruction.op
    return row.kind if row else ""


def _registers(instruction: Instruction) -> int:
    """Return the number of r registers that an instruction requires."""
    if _kind(instruction) in ("decl", "data"):
        return 0
    return max((_highest(each) for each in instruction.operands), default=0)


def _highest(operand: Operand) -> int:
    found = 0
    if operand.type == OperandType.TEMP and operand.indices:
        found = operand.indices[0].immediate + 1
    inner = (index.relative for index in operand.indices)
    return max(found, *(_highest(each) for each in inner if each is not None), 0)
