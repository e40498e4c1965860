"""Editing a program instruction by instruction, with its structure kept.

    if_nz r0.x                 insert(1, "else")           allowed: the if has none
      mov r0.y, l(1.000000)    remove(0)                   refused: endif without an open if
    endif                      insert(1, "dcl_temps 2")    refused: it stands behind code
    ret                        insert(4, "nop")            refused: no ret before the end

The edited list is checked before it takes the place of the old one, so an edit happens whole or not
at all. Refused is what breaks a rule of STRUCTURE that was not broken before: the rules are those
of `verify`. Whether registers are declared and masks fit is for `verify` to say: an edit of several
steps may be unfinished.

dcl_temps follows: it is the number of r registers, as a length is the number of words, and is
raised when new code uses one beyond it (or made where there is none). It is never lowered: what is
left of a program may have been counted by somebody.
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
MOST = 4096  # r registers that Direct3D has


def replace(
    program: Code, start: int, out: Sequence[int], given: Sequence[object]
) -> list[Instruction]:
    """Put instructions, at `start`, in the place of those numbered `out`; return the new ones.

    UsageError where that cannot be.
    """
    new = _parsed(given)
    if new and out and [*out] != list(range(start, start + len(out))):
        raise UsageError("a run of instructions can be replaced, not a slice with a step")
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
    """Instructions given as objects or as text; AssembleError tells what is wrong with a text."""
    found: list[Instruction] = []
    for each in given:
        if isinstance(each, str):
            from .assembler import parse_instructions

            found += parse_instructions(each)
        elif isinstance(each, Instruction):
            found.append(each)
        else:
            raise UsageError(f"an instruction is an Instruction or its text, not {each!r:.40}")
    for number, instruction in enumerate(found):
        try:
            Instruction.encode(instruction)
        except EncodeError as error:
            raise error.within(f"given[{number}]") from None
    return found


# ---------------------------------------------------------------- structure


def _check(program: Code, instructions: list[Instruction]) -> None:
    """UsageError if these break a rule of structure that the program as it stands does not."""
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
    """The place in the edited program that is meant."""
    if at is None or at >= len(instructions):
        return ""
    return f", at instruction {at} after the edit: {instructions[at]!s:.60}"


# ---------------------------------------------------------------- dcl_temps


class _Temps:
    """The r registers of the phase that an edit is in, and the declaration of their number."""

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
            raise UsageError(f"r{self.needed - 1} is used, Direct3D has r0 to r{MOST - 1}")

    def declare(self) -> None:
        """Put a declaration before the code where one is needed and there is none."""
        if self.needed and self.declared is None:
            self.declared = Instruction.make("dcl_temps", count=self.needed)
            self.instructions.insert(self.code, self.declared)

    def raise_count(self) -> None:
        """Declare as many as are used."""
        if self.declared is not None and sum(self.declared.words[:1]) < self.needed:
            self.declared.words = (self.needed, *self.declared.words[1:])


def _kind(instruction: Instruction) -> str:
    row = instruction.op
    return row.kind if row else ""


def _registers(instruction: Instruction) -> int:
    """How many r registers there must be for an instruction."""
    if _kind(instruction) in ("decl", "data"):
        return 0
    return max((_highest(each) for each in instruction.operands), default=0)


def _highest(operand: Operand) -> int:
    found = 0
    if operand.type == OperandType.TEMP and operand.indices:
        found = operand.indices[0].immediate + 1
    inner = (index.relative for index in operand.indices)
    return max(found, *(_highest(each) for each in inner if each is not None), 0)
