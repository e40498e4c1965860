"""Assembly of one line of code to an instruction.

    instruction  =  mnemonic suffixes note  operand ("," operand)*
    declaration  =  mnemonic  its pieces (text/declarations.py)
    custom data  =  see custom_data.py
    dwords       =  "<unknown_235>" 0x010000eb "," …

The table of operations lists the kinds of the operands, and so the types of literals. `UNUSED` has
further dwords that compilers write, as seen in their programs.
"""

from ....errors import AssembleError, FormatError, LimitError
from ....isa.source import Scanner
from ..decoding import decode_instructions
from ..instruction import LONG, MAX_LENGTH, Instruction
from ..operands import Operand
from ..tables.enumerations import (
    ExtendedOpcode,
    IndexRepresentation,
    OperandType,
    ResourceDimension,
)
from ..tables.ops import OPS, Op
from ..tables.spellings import CONSTANT_TABLE, MESSAGES, SATURATE, UNDECIPHERABLE
from ..tables.tokens import ResourceDim
from ..text.declarations import DECLARATIONS
from . import custom_data, lexical, mnemonics, notes, operands
from .reader import LineReader

DWORDS = "<dwords>"
CALL = OPS["fcall"].code
SPECIAL = frozenset((CONSTANT_TABLE, UNDECIPHERABLE.split()[0], *MESSAGES.values()))

# A dword that fxc writes after the operands, apparently reserved for texel offsets that are absent.
# 53 of 53 samples with a status have it, but 22 of 22 of cubes, which take no offsets, do not;
# 11 of 11 samplepos of a texture have it, 5 of 5 of the rasterizer do not.
UNUSED = {
    OPS[name].code: word
    for name, word in (
        ("samplepos", 0), ("sample_l_s", 0), ("sample_c_lz_s", 0), ("sample_cl_s", 0),
        ("sample_b_cl_s", 0), ("sample_c_cl_s", 0), ("sample_d_cl_s", 0x2000),
    )
}  # fmt: skip
KIND = ResourceDim.kind.mask  # the lowest bits of an extended token
SAMPLEPOS = OPS["samplepos"].code
CUBES = (ResourceDimension.TEXTURECUBE, ResourceDimension.TEXTURECUBEARRAY)


def read_instruction(lines: custom_data.LineCursor) -> Instruction:
    """Assemble the current line of `lines`; custom data may take several lines."""
    scanner = lines.scanner
    start = scanner.at
    word = scanner.take(lexical.MNEMONIC, "an instruction")
    if word in SPECIAL:
        return custom_data.read(lines, word, start)
    if word[0] == "<":
        return _dwords(scanner, word, start)
    head = mnemonics.resolve(word)
    if head is None:
        raise mnemonics.unknown(scanner, word, start)
    reader = LineReader(scanner)
    row = head.row
    made = Instruction(head.token)
    if head.pieces:
        scanner.at = start + head.pieces
        scanner.match(lexical.NOTHING)  # skips blanks
        for piece in DECLARATIONS[row.name]:
            piece.read(reader, made)
    else:
        made.token, made.extended = mnemonics.read_suffixes(reader, head, lines.model)
        reader.blank()
        _read_operands(reader, made, row)
    if not scanner.done:
        raise _too_much(scanner, row)
    if reader.note:
        notes.finish_instruction(made, reader.note)
    if row.code in LONG and not made.extended and len(made.words) + 1 > MAX_LENGTH:
        made.extended = (0,)  # the length, in a dword of its own
    return made


def _too_much(scanner: Scanner, row: Op) -> AssembleError:
    if row.operands and scanner.text.startswith(",", scanner.at):
        return scanner.place().error(f"{row.name}: expected {len(row.operands)} operands, got more")
    return scanner.expected("the end of the line")


def _read_operands(reader: LineReader, made: Instruction, row: Op) -> None:
    scanner = reader.scanner
    for at, letter in enumerate(row.printed):
        if 0 < at < row.results and row.saturate:
            scanner.accept(SATURATE)
        if at and not scanner.accept(","):
            count = len(row.operands)
            raise scanner.expected(f"',' and operand {at + 1} of {row.name}, which takes {count}")
        role = operands.role_of(row, at)
        made.operands.append(operands.read_kept(scanner, letter, role))
    if row.code == CALL:
        made.words = (_function(reader, made.operands[0]),)
    elif row.code in UNUSED and _has_unused(made):
        made.words = (UNUSED[row.code],)


def _function(reader: LineReader, operand: Operand) -> int:
    """Return the function of fcall: the last number in brackets, which is not an index."""
    scanner = reader.scanner
    if scanner.accept("["):
        value = reader.number("the number of the function")
        scanner.expect("]")
        return value or 0
    if operand.indices and scanner.text[: scanner.at].rstrip().endswith("]"):
        last = operand.indices.pop()
        if last.representation == IndexRepresentation.IMMEDIATE32:
            return last.immediate
    raise scanner.expected("'[' and the number of the function")


def _has_unused(made: Instruction) -> bool:
    if made.token & 0x7FF == SAMPLEPOS:
        return made.operands[1].type == OperandType.RESOURCE
    tokens = {token & KIND: token for token in made.extended}
    shape = tokens.get(ExtendedOpcode.RESOURCE_DIM)
    if shape is None or ExtendedOpcode.SAMPLE_CONTROLS in tokens:
        return False
    return ResourceDim.dimension.of(shape) not in CUBES


def _dwords(scanner: Scanner, word: str, start: int) -> Instruction:
    """Read an instruction that is written as dwords."""
    opcode = word.removeprefix("<unknown_")[:-1]
    if word != DWORDS and not (word.startswith("<unknown_") and opcode.isdecimal()):
        raise scanner.place(start).error(f"unknown instruction {word!r:.60}")
    found: list[int] = []
    while True:
        begin = scanner.at
        value = lexical.integer(scanner.take(lexical.INTEGER, "a number"))
        if value is None or value >> 32:
            raise scanner.place(begin).error("the number does not fit 32 bits")
        found.append(value)
        if not scanner.accept(","):
            break
    scanner.finish()
    if found[0] & 0x7FF not in OPS.by_code:
        return Instruction(found[0], words=found[1:])
    try:
        several = decode_instructions(tuple(found))
    except (FormatError, LimitError) as error:
        raise scanner.place(start).error(f"invalid instruction: {error}") from None
    if len(several) != 1:
        raise scanner.place(start).error(f"expected one instruction, got {len(several)}")
    return several[0]
