"""Listings of RenderDoc in Shader Model 5.1: the register of a range with one is left out.

    dcl_constantbuffer CB1[2], immediateIndexed space=0,reg=4     CB1[4:4][2], space=0
    dcl_resource_texture2d (float,float,float,float) T0 space=1,reg=3
    sample r0.xyzw, v0.xyxx, T0.xyzw, S0                          T0[3], S0[0]
    mov o0.xyzw, CB1[0].xyzw                                      CB1[4][0]

The register is taken from the declaration. A range of several, `T2[0:7] space=1,regs=0:7`, keeps
its index: T2[5].

Source: RenderDoc's dxbc_bytecode_ops.cpp.
"""

import re
from collections.abc import Iterable, Iterator

from ....isa.source import ErrorList, Location, Source
from ..instruction import Instruction
from ..operands import Index, Operand
from ..tables.enumerations import Components, OperandType
from ..text.declarations import DECLARATIONS
from .operands import MOST_INDICES, XYZW

__all__ = ["bind", "complete", "is_certain"]

SIGN = re.compile(r"\bspace=[0-9]{1,10},regs?=", re.ASCII)
# Operands of declared ranges, and the number of their indices where they are used.
USED: dict[int, int] = {
    OperandType.RESOURCE: 2, OperandType.SAMPLER: 2, OperandType.UNORDERED_ACCESS_VIEW: 2,
    OperandType.CONSTANT_BUFFER: 3,
}  # fmt: skip


def is_certain(source: Source) -> bool:
    """Return whether a text is certainly a listing of RenderDoc."""
    return SIGN.search(source.text) is not None


def bind(made: Instruction, first: int, last: int, place: Location) -> None:
    """Give a declaration its registers; AssembleError if its text contains others."""
    operand = made.operands[0]
    numbers = [each.immediate for each in operand.indices]
    if len(numbers) == MOST_INDICES:
        if numbers[1:] != [first, last]:
            raise place.error(f"expected the registers {numbers[1]}:{numbers[2]} of the range")
        return
    identifier, *size = numbers
    if size:  # of a constant buffer, whose size comes before the space
        made.words = (size[0], *made.words[1:])
    operand.indices = [Index(identifier), Index(first), Index(last)]
    operand.token = operand.token & ~0xFFF | Components.FOUR | XYZW


def complete(lines: Iterable[tuple[Instruction, Location]], errors: ErrorList) -> None:
    """Add the registers that operands leave out."""
    ranges: dict[tuple[int, int], tuple[int, int]] = {}
    for made, place in lines:
        if made.name in DECLARATIONS:
            for operand in made.operands:
                numbers = [each.immediate for each in operand.indices]
                if len(numbers) == MOST_INDICES:
                    identifier, first, last = numbers
                    ranges[_type(operand), identifier] = first, last
            continue
        for operand in _inner(made.operands):
            kind = _type(operand)
            if len(operand.indices) + 1 != USED.get(kind):
                continue
            found = ranges.get((kind, operand.indices[0].immediate))
            with errors:
                if found is None or found[0] != found[1]:
                    raise place.error("expected a range of one register where an index is missing")
                operand.indices = [operand.indices[0], Index(found[0]), *operand.indices[1:]]


def _type(operand: Operand) -> int:
    return operand.token >> 12 & 0xFF


def _inner(operands: Iterable[Operand]) -> Iterator[Operand]:
    """Yield operands, and those in their indices."""
    for operand in operands:
        yield operand
        yield from _inner(each.relative for each in operand.indices if each.relative is not None)
