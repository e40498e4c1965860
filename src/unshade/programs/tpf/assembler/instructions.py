"""One line of code to an instruction.

    instruction  =  mnemonic suffixes note  operand ("," operand)*
    declaration  =  mnemonic  its pieces (text/declarations.py)
    custom data  =  see custom_data.py
    dwords       =  "<unknown_235>" 0x010000eb "," …

The kinds of the operands, and what a literal means in each, stand in the table of operations. What
compilers write beside that was learned from their programs: `UNUSED`.
"""

from ....errors import AssembleError, FormatError, LimitError
from ....isa.source import Scanner
from ....limits import DEFAULT
from ..instruction import LONG, MAX_LENGTH, Instruction, decode_instructions
from ..operands import Operand
from ..tables.enumerations import IndexRepresentation, OperandType, ResourceDimension
from ..tables.ops import OPS, Op
from ..tables.spellings import CONSTANT_TABLE, MESSAGES, UNDECIPHERABLE
from ..tables.tokens import ResourceDim
from ..text.declarations import DECLARATIONS
from . import custom_data, lexical, mnemonics, notes, operands
from .reader import Reader

DWORDS = "<dwords>"
CALL = OPS["fcall"].code
SPECIAL = frozenset((CONSTANT_TABLE, UNDECIPHERABLE.split()[0], *MESSAGES.values()))

# A dword that fxc leaves behind the operands: it seems to keep room for texel offsets where there
# are none. 53 of 53 such samples with a status have it, 22 of 22 of cubes, which take no offsets,
# have not; 11 of 11 samplepos of a texture, 5 of 5 of the rasterizer have not.
UNUSED = {
    OPS[name].code: word
    for name, word in (
        ("samplepos", 0), ("sample_l_s", 0), ("sample_c_lz_s", 0), ("sample_cl_s", 0),
        ("sample_b_cl_s", 0), ("sample_c_cl_s", 0), ("sample_d_cl_s", 0x2000),
    )
}  # fmt: skip
SAMPLEPOS = OPS["samplepos"].code
CUBES = (ResourceDimension.TEXTURECUBE, ResourceDimension.TEXTURECUBEARRAY)


def read_instruction(lines: custom_data.Lines) -> Instruction:
    """The instruction of the line that `lines` is at; custom data may take more of them."""
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
    reader = Reader(scanner)
    row = head.row
    made = Instruction(head.token)
    if head.pieces:
        scanner.at = start + head.pieces
        scanner.match(lexical.NOTHING)  # but for blanks
        for piece in DECLARATIONS[row.name]:
            piece.read(reader, made)
    else:
        made.token, made.extended = mnemonics.read_suffixes(reader, head)
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
        return scanner.place().error(f"{row.name} takes no more than {len(row.operands)} operands")
    return scanner.expected("the end of the line")


def _read_operands(reader: Reader, made: Instruction, row: Op) -> None:
    scanner = reader.scanner
    for at, letter in enumerate(row.printed):
        if at and not scanner.accept(","):
            count = len(row.operands)
            raise scanner.expected(f"',' and operand {at + 1} of {row.name}, which takes {count}")
        role = operands.role_of(row, at)
        made.operands.append(operands.read_operand(scanner, letter, role))
    if row.code == CALL:
        made.words = (_function(reader, made.operands[0]),)
    elif row.code in UNUSED and _keeps_room(made):
        made.words = (UNUSED[row.code],)


def _function(reader: Reader, operand: Operand) -> int:
    """The last number in brackets behind an interface is no index of it."""
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


def _keeps_room(made: Instruction) -> bool:
    if made.token & 0x7FF == SAMPLEPOS:
        return made.operands[1].type == OperandType.RESOURCE
    first = made.extended[0] if len(made.extended) == 2 else 0
    return bool(first) and ResourceDim.dimension.of(first) not in CUBES


def _dwords(scanner: Scanner, word: str, start: int) -> Instruction:
    """An instruction that is written as its dwords."""
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
        several = decode_instructions(tuple(found), 0, DEFAULT)
    except (FormatError, LimitError) as error:
        raise scanner.place(start).error(f"the dwords are no instruction: {error}") from None
    if len(several) != 1:
        raise scanner.place(start).error(f"the dwords are {len(several)} instructions")
    return several[0]
