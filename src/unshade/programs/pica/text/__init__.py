"""Listing of a program as picasso source.

    .proc main
        dp4 o0.x, projection[0], v0
        ifc cmp.x && !cmp.y
                mov r0.xyz, -r1.xyzx
        .else
                mad r0, r1.x, r2, r3
        .end
        end
    .end

Components are written in full unless they are xyzw or four times the same, so that picasso makes
the same descriptors. The `nop`s at ends of blocks are in the code, so the text is for `picasso -n`.

Code that picasso cannot express is written as a raw word, `.inst` (an extension of our assembler),
with a comment. The `exact` dialect expresses it in words, with annotations next to instructions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ....isa.linked import LinkedLine
from ....vocab.pica import OUTPUTS, PIPELINE_OUTPUTS, SPEAKABLE_INTEGERS
from ..descriptors import IDENTITY, OperandDescriptor, mask_letters, swizzle_letters
from ..operands import (
    AddressDestination,
    CodeTarget,
    Compare,
    Destination,
    Operand,
    SourceOperand,
    UniformTest,
    VertexSlot,
)
from ..tables.fields import CompareOp
from ..tables.ops import Op
from ..tables.registers import Register, RegisterFile
from .names import SourceNames
from .outline import CodeRange, Outline, stages_of

if TYPE_CHECKING:
    from ..code import Code
    from ..exact import ExactAnnotations
    from ..instruction import Instruction

__all__ = ["CodeText", "code_names", "disassemble", "instruction_text", "linked_lines"]

INDENT = "\t"
IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
ALL = 0b1111
A0 = 0b1100
SLOTS = 3


def disassemble(program: Code, exact: ExactAnnotations | None = None) -> str:
    """Return the text of the code, with the annotations of `exact` if given."""
    return "\n".join([*linked_lines(program, exact), ""])


def linked_lines(program: Code, exact: ExactAnnotations | None = None) -> list[str]:
    """Return the lines of the text; lines of instructions are linked to their fields."""
    text = CodeText(program, exact)
    return _lines(program, text, _names(program, text), exact)


def listing(program: Code) -> tuple[list[str], list[int], dict[CodeRange, str]]:
    """Return the lines of the native text, the line of each word, and the names of procedures.

    Lines count from 1. Names come from the container's labels, if there are any.
    """
    text = CodeText(program)
    places: dict[int, str] = {}
    for mark, name in zip(program.marks, program.mark_names, strict=False):
        if IDENTIFIER.fullmatch(name):
            places.setdefault(mark, name)
    names = _names(program, text, places)
    lines = _lines(program, text, names)
    numbers = [text.places.get(at, -1) + 1 for at in range(len(program.instructions))]
    return lines, numbers, dict(names.procedures)


def _names(program: Code, text: CodeText, places: dict[int, str] | None = None) -> SourceNames:
    entries = [entry.name for entry in program.entries]
    return SourceNames((), *code_names(text.outline, entries, places))


def _lines(
    program: Code, text: CodeText, names: SourceNames, exact: ExactAnnotations | None = None
) -> list[str]:
    lines = [exact.heading] if exact else []
    lines += text.rows()
    emits = any("geometry" in stages_of(each) for each in program.instructions)
    outputs = PIPELINE_OUTPUTS if emits else OUTPUTS
    return lines + text.lines(text.outline.tops, names, outputs=outputs)


def instruction_text(instruction: Instruction) -> str:
    """Return the text of a single instruction, with numbers for words of the program."""
    op = instruction.op
    if op is None or (op.sources and instruction.descriptor(instruction.descriptors) is None):
        return _word(instruction)
    return _text(instruction, op, instruction.descriptors, SourceNames())


def code_names(
    outline: Outline, entries: list[str], places: dict[int, str] | None = None
) -> tuple[dict[CodeRange, str], dict[int, str]]:
    """Return names for the procedures and labels; `places` has names for some words."""
    places = places or {}
    taken: dict[str, int] = {}  # names, and how often they were requested
    procedures: dict[CodeRange, str] = {}

    def free(name: str) -> str:
        wanted = name
        while name in taken:
            taken[wanted] += 1
            name = f"{wanted}_{taken[wanted]}"
        taken[name] = 1
        return name

    for number, bounds in sorted(outline.entries.items()):
        if bounds in outline.procedures and bounds not in procedures:
            name = entries[number]
            procedures[bounds] = free(name if IDENTIFIER.fullmatch(name) else "main")
    for bounds in sorted(outline.procedures):
        if bounds not in procedures:
            procedures[bounds] = free(places.get(bounds.start) or f"proc{bounds.start}")
    labels: dict[int, str] = {}
    for target in sorted(set(outline.jumps.values())):
        labels[target] = free(places.get(target) or f"label{target}")
    return procedures, labels


class CodeText:
    """The text of one program, which may be distributed over several sources."""

    def __init__(
        self,
        program: Code,
        exact: ExactAnnotations | None = None,
        *,
        without_code: Iterable[int] = (),
    ) -> None:
        self.program = program
        self.outline = Outline(program, without_code)
        self._exact = exact
        if exact is None:
            for at in [at for at, each in self.outline.blocks.items() if each.is_loop]:
                if program.instructions[at].int_id >= SPEAKABLE_INTEGERS:
                    del self.outline.blocks[at]  # picasso cannot express its head
        self._outputs = OUTPUTS
        self.places: dict[int, int] = {}  # the line of each word, from 0 after the rows

    def rows(self) -> list[str]:
        """Return the lines of the descriptor table, if needed; they come before all code."""
        return self._exact.rows() if self._exact else []

    def lines(
        self,
        tops: Iterable[CodeRange],
        names: SourceNames,
        *,
        last: bool = True,
        outputs: int = OUTPUTS,
    ) -> list[str]:
        """Return the lines of some outermost procedures, for a source with `outputs` outputs.

        `last` is True if they include the last procedure of the program.
        """
        self._outputs = outputs
        lines: list[str] = []
        tops = list(tops)
        starts = {top.start for top in tops}
        for top in tops:
            if lines:
                lines.append("")
            self._top(top, names, lines, closed=top.end not in starts)
        size = len(self.program.instructions)
        if last and size in self.outline.empty:
            self._empty(size, names, 0, lines)
        return lines

    def _top(self, top: CodeRange, names: SourceNames, lines: list[str], *, closed: bool) -> None:
        """Append one procedure; `closed` if a label at its end is not the start of the next."""
        outline = self.outline
        instructions = self.program.instructions
        open_: list[tuple[int, int]] = []  # middle and end of each open block
        for at in range(top.start, top.end + 1):
            while open_ and open_[-1][1] == at:
                open_.pop()
                if not open_ and closed and at in names.labels:
                    lines.append(f"{names.labels[at]}:")
                lines.append(f"{INDENT * len(open_)}.end")
            if open_ and open_[-1][0] == at:
                lines.append(f"{INDENT * (len(open_) - 1)}.else")
            if open_ and at in names.labels:
                lines.append(f"{names.labels[at]}:")
            if at in outline.empty and at != top.end:
                self._empty(at, names, len(open_), lines)
            if at == top.end:
                break
            for bounds in outline.by_start.get(at, ()):
                lines.append(f"{INDENT * len(open_)}.proc {names.procedures[bounds]}")
                if not open_ and at in names.labels:
                    lines.append(f"{names.labels[at]}:")
                open_.append((-1, bounds.end))
            self.places[at] = len(lines)
            text = self.line(at, instructions[at], names)
            lines.append(INDENT * len(open_) + LinkedLine(text, *self._paths(at)))
            block = outline.blocks.get(at)
            if block is not None:
                open_.append((block.middle if block.has_else else -1, block.end))

    def _empty(self, at: int, names: SourceNames, level: int, lines: list[str]) -> None:
        lines.append(f"{INDENT * level}.proc {names.procedures[self.outline.empty[at]]}")
        lines.append(f"{INDENT * level}.end")

    def _paths(self, at: int) -> Iterator[str]:
        """Yield the paths of an instruction and of its descriptor, which others may share."""
        yield f"instructions[{at}]"
        each = self.program.instructions[at]
        if each.descriptor(self.program.descriptors) is not None:
            yield f"descriptors[{each.desc}]"

    # ------------------------------------------------------------ one instruction

    def line(self, at: int, instruction: Instruction, names: SourceNames) -> str:
        """Return the line of an instruction, without indentation."""
        op = instruction.op
        if op is None or (op.sources and instruction.descriptor(self.program.descriptors) is None):
            return _word(instruction)
        closed = at in self.outline.blocks
        table = self.program.descriptors
        text = _text(instruction, op, table, names, exact=self._exact is not None, closed=closed)
        if self._exact is not None:
            return text + self._exact.beside(at)
        return text if self._natively(at, instruction, op, names) else _raw(instruction, text)

    def _natively(self, at: int, instruction: Instruction, op: Op, names: SourceNames) -> bool:
        """Return True if picasso can express an instruction."""
        if op.kind in ("if", "loop") and at not in self.outline.blocks:
            return False
        for operand in instruction.operands_by(self.program.descriptors):
            if isinstance(operand, Destination):
                register = operand.register
                beyond = register.file == RegisterFile.OUTPUT and register.number >= self._outputs
                if beyond or not operand.mask:
                    return False
            if isinstance(operand, AddressDestination) and not operand.mask & A0:
                return False
            if isinstance(operand, Compare) and operand.op > CompareOp.GE:
                return False
            if isinstance(operand, VertexSlot) and operand.slot >= SLOTS:
                return False
            if (
                isinstance(operand, CodeTarget)
                and op.kind in ("call", "jump")
                and not _named(operand, names)
            ):
                return False
        inputs = {r for r in instruction.source_registers() if r.file is RegisterFile.INPUT}
        return len(inputs) < 2


def _text(
    instruction: Instruction,
    op: Op,
    descriptors: Sequence[OperandDescriptor],
    names: SourceNames,
    *,
    exact: bool = False,
    closed: bool = False,
) -> str:
    """Return the mnemonic and operands; without a target if `closed` (a block with an `.end`)."""
    words = []
    for name, operand in zip(op.operands, instruction.operands_by(descriptors), strict=True):
        if name not in ("else", "last"):
            words.append(_operand(operand, names, exact))
        elif not closed and isinstance(operand, CodeTarget):
            words.append(_numbers(operand))
    return f"{op.name} {', '.join(words)}" if words else op.name


def _operand(operand: Operand, names: SourceNames, exact: bool) -> str:
    if isinstance(operand, SourceOperand):
        sign = "-" * operand.negate
        indexed = operand.idx if exact or operand.register.file == "c" else 0
        return sign + names.register(operand.register, indexed) + _swizzle(operand.swizzle)
    if isinstance(operand, Destination):
        mask = operand.mask
        components = "" if mask == ALL else f".{mask_letters(mask) or '_'}"
        return names.register(operand.register) + components
    if isinstance(operand, AddressDestination):
        return f"a0.{mask_letters(operand.mask if exact else operand.mask & A0) or '_'}"
    if isinstance(operand, UniformTest):
        return "!" * operand.invert + names.register(operand.register)
    if isinstance(operand, Register):
        return names.register(operand)
    if isinstance(operand, CodeTarget):
        if operand.length is None:
            known = names.labels.get(operand.address)
        else:
            known = names.procedures.get(CodeRange(operand.address, operand.end))
        return known or _numbers(operand)
    return str(operand)


def _numbers(target: CodeTarget) -> str:
    length = "" if target.length is None else f", {target.length}"
    return f"0x{target.address:x}{length}"


def _named(target: CodeTarget, names: SourceNames) -> bool:
    if target.length is None:
        return target.address in names.labels
    return CodeRange(target.address, target.end) in names.procedures


def _word(instruction: Instruction) -> str:
    return f".inst 0x{instruction.word:08x}"


def _raw(instruction: Instruction, text: str) -> str:
    return f"{_word(instruction)} ; {text}"


def _swizzle(swizzle: int) -> str:
    if swizzle == IDENTITY:
        return ""
    letters = swizzle_letters(swizzle)
    return f".{letters[0]}" if letters == letters[0] * 4 else f".{letters}"
