"""One instruction: the operands that the table of operations lists, in the fields of its format.

    mad   r0.xyz, v1,   c5[aL+1], r2        {desc 3, bits 0x80}
    name  dst     src1  src2      src3      further fields

    condition  =  flag | flag ("&&" | "&" | "||" | "|") flag        flag  =  {"!"} "cmp.x" | "cmp.y"
    vertex     =  number ["," {"prim" | "primitive" | "inv" | "invert"}]
    target     =  name | number ["," number]       numbers (an extension): DST, NUM

dph, dst, sge, slt and mad have a second form, in which the last source is the wide one; the
registers determine the form. The `i` of dphi, sgei, … has no effect.

Braces are an extension: fields of the word by their names, `bits` for unnamed bits, `inverted` for
the second form where the registers do not require it.
"""

import re
from typing import TYPE_CHECKING

from ....errors import AssembleError, EncodeError
from ....isa import Bits
from ....isa.source import Location, Scanner
from ..instruction import Instruction
from ..tables.ops import INVERTED, OPS, Op
from .blocks import BlockKind
from .numbers import c_integer
from .operand_fields import OperandReader
from .operands import NAME, RefusedName
from .pool import claimed_bits

if TYPE_CHECKING:
    from .reader import PicassoReader

__all__ = ["MNEMONICS", "block_of", "instruction"]

MNEMONICS = {op.name: op for op in OPS} | {
    inverted: OPS[plain] for plain, inverted in INVERTED.items()
}
BLOCKS = {"else": BlockKind.IF, "last": BlockKind.LOOP}
HEX = re.compile(r"0[xX][0-9a-fA-F]+|\d+", re.ASCII)


def block_of(op: Op) -> BlockKind | None:
    """Return the kind of block that an operation opens."""
    return BLOCKS.get(op.operands[-1]) if op.operands else None


def instruction(reader: "PicassoReader", scanner: Scanner, op: Op, place: Location) -> None:
    """Read the operands, append the word, and open the block that it begins."""
    code = reader.program.code
    kind = block_of(op)
    try:
        reading = OperandReader(reader, scanner)
        for index, name in enumerate(op.operands):
            if name in BLOCKS:
                if scanner.accept(","):
                    kind = None
                    reading.target(name)
            else:
                if index:
                    scanner.expect(",")
                reading.operand(name, op)
        stated = _braces(scanner, op)
        reader.finish(scanner)
        word = _word(reading, op, stated, place)
    except (AssembleError, RefusedName):
        # Open the block nevertheless, so that its .end is not another error.
        word = 0
        raise
    finally:
        code.emit(word, place)
        if kind is not None:
            code.open(kind, place, back=1)


def _word(reading: OperandReader, op: Op, stated: dict[str, int], place: Location) -> int:
    fields = reading.fields
    if op.sources:
        op = reading.form(op, inverted=bool(stated.pop("inverted", 0)))
        fields |= reading.sources(op)
        pool = reading.reader.program.pool
        descriptor = reading.descriptor()
        claimed = claimed_bits(op, descriptor)
        named = stated.pop("desc", None)
        try:
            if named is None:
                fields["desc"] = pool.place(descriptor, claimed, mad=op.span == 8)
            elif pool.named(named, descriptor, claimed):
                fields["desc"] = named
            else:
                raise place.error(f"descriptor {named} differs from the operands")
        except EncodeError as error:
            raise place.error(error.problem) from None
    bits = stated.pop("bits", 0)
    made = Instruction.make(op.name, **fields)
    for name, value in stated.items():
        made.word = made.bits(name).put(made.word, value)
    return made.word ^ bits


def _braces(scanner: Scanner, op: Op) -> dict[str, int]:
    """Read the fields in braces after the operands."""
    stated: dict[str, int] = {}
    if not scanner.accept("{"):
        return stated
    known = {bits.name: bits for bits in op.format.FIELDS if bits.name != "opcode"}
    known["bits"] = Bits(0, 32)
    while True:
        start = scanner.at
        name = scanner.take(NAME, "the name of a field")
        if name == "inverted" and op.name in INVERTED:
            stated[name] = 1
        elif name in known:
            wanted = f"a value of {name}"
            number = scanner.at
            value = c_integer(scanner.take(HEX, wanted))
            most = known[name].mask
            if value is None or value > most:
                raise scanner.place(number).error(f"expected {wanted}, 0 to {most}")
            stated[name] = value
        else:
            raise scanner.unknown(f"field of {op.name}", name, start, known)
        if scanner.accept("}"):
            return stated
        scanner.expect(",", "',' or '}'")
