"""Our decoded operands in the notation of nihstro's disassembler, to be compared with its listings.

    00000004 [22010001]     mul      r0.xyz_        r0.xxxx    v0.xyzz    1 addr:0;      …
    0000005c [b3806800]     jmpc   if  cc.x jump to 0x0068 aka ""

It has other names for six operations, prints the address register beside the first source whichever
it belongs to, nothing for the operands of mad, and nothing of ifu, callu and for. What follows the
semicolon are names that only the container knows, as are the labels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from unshade.programs.pica.instruction import Instruction
from unshade.programs.pica.operands import (
    CodeTarget,
    Compare,
    Condition,
    Destination,
    SourceOperand,
    UniformTest,
)
from unshade.programs.pica.program import Program
from unshade.programs.pica.tables.fields import CompareOp, ConditionOp
from unshade.programs.pica.tables.ops import OPS
from unshade.programs.pica.tables.registers import address_name
from unshade.vocab.pica import COMPONENTS

NAMES = {op.name: op.also[0] for op in OPS if op.also and op.also[0] not in OPS.by_name}
SIGNS = {
    CompareOp.EQ: "==",
    CompareOp.NE: "!=",
    CompareOp.LT: "<",
    CompareOp.LE: "<=",
    CompareOp.GT: ">",
    CompareOp.GE: ">=",
}
WITHOUT_OPERANDS = frozenset({"ifu", "callu", "for", "setemit", "mad", "madi", "mova"})
LINE = re.compile(r"[0-9a-f]{8} \[[0-9a-f]{8}\] ")


def listed(text: str) -> list[list[str]]:
    """Return the instruction lines of each listing in a file, normalised."""
    found: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("=== DVLE"):
            found.append([])
        elif LINE.match(line):
            known = re.sub(r'aka "[^"]*"', 'aka ""', line.split(" addr:")[0])
            found[-1].append(_without_operands(known.rstrip()))
    return found


def printed(program: Program) -> list[str]:
    """Return our decoded instructions as such lines."""
    return [
        _line(at, instruction, program).rstrip()
        for at, instruction in enumerate(program.instructions)
    ]


def _without_operands(line: str) -> str:
    head, name = line[:24], line[24:].split(" ", 1)[0]
    return f"{head}{name}" if name in ("mova", "mad", "madi") else line


def _line(at: int, instruction: Instruction, program: Program) -> str:
    name = instruction.name
    head = f"{4 * at:08x} [{instruction.word:08x}]     {NAMES.get(name, name):<7}"
    op = instruction.op
    assert op is not None
    if name in WITHOUT_OPERANDS:
        return head
    operands = instruction.operands_by(program.descriptors)
    if op.reads:
        return head + _arithmetic(instruction, operands)
    if op.operands:
        return f"{head}if {_flow(name, operands)}"
    return head


def _arithmetic(instruction: Instruction, operands: Sequence[object]) -> str:
    parts = ["    "]
    sources = [each for each in operands if isinstance(each, SourceOperand)]
    for operand in operands:
        if isinstance(operand, Destination):
            mask = "".join(c if operand.mask & 8 >> i else "_" for i, c in enumerate(COMPONENTS))
            parts[0] = f"{operand.register!s:>4}.{mask}  "
    index = f"[{address_name(instruction.idx)}]" if instruction.idx else ""
    first, *others = (f"{'-' * each.negate}{each.register}" for each in sources)
    parts.append(f"{first + index:>8}.{_letters(sources[0])}  ")
    signs = [SIGNS[CompareOp(each.op)] for each in operands if isinstance(each, Compare)]
    parts.append("".join(f"{sign} " for sign in signs))
    parts.append(f"{others[0]:>4}.{_letters(sources[1])}   " if others else " " * 12)
    return "".join(parts) + f"{instruction.desc:>2x}"


def _letters(source: SourceOperand) -> str:
    return "".join(COMPONENTS[component] for component in source.components)


def _flow(name: str, operands: Sequence[object]) -> str:
    found = ""
    for operand in operands:
        if isinstance(operand, Condition):
            x = "" if operand.op == ConditionOp.Y else f"{' ' if operand.refx else '!'}cc.x"
            y = "" if operand.op == ConditionOp.X else f"{' ' if operand.refy else '!'}cc.y"
            found += x + {ConditionOp.OR: " || ", ConditionOp.AND: " && "}.get(
                ConditionOp(operand.op), ""
            )
            found += f"{y} "
        elif isinstance(operand, UniformTest):
            found += f"{operand.register} "
        elif isinstance(operand, CodeTarget):
            jump = "else jump to" if name == "ifc" else "jump to"
            found += f'{jump} 0x{4 * operand.address:04x} aka ""'
            if operand.length is not None:
                found += f'(return on {4 * operand.end:04x}")'
    return found
