"""The dialect `exact`: native text with notes on the details that it cannot express.

    // unshade tpf exact 1
    ps_5_0
    mul r0.xyz, r0.xyzx, l(0.33333334, 0.33333334, 0.33333334, 0)
    mov r1.x, vThreadIDInGroupFlattened {components=ONE}

Each line is read back by the assembler. While its tokens differ from the original, notes are added
on the first field that differs in the instruction and in each operand; so no difference is missed.
An instruction that no text reproduces is written as dwords.
"""

from functools import lru_cache

from ...dialect import Heading
from ...errors import EncodeError
from .assembler import TRAILING, UNBALANCED, notes, read_one
from .assembler.instructions import DWORDS
from .assembler.operands import RANGE, READ, role_of, usual_mode
from .assembler.structure import balanced
from .code import Code
from .decoding import SharedInstruction, own_instruction
from .instruction import Instruction
from .operands import Operand
from .tables.spellings import UNDECIPHERABLE
from .tables.tokens import ModeToken
from .text import annotated, indented, print_instruction, with_flow
from .text.operands import components
from .text.style import Style

Fields = dict[str, str]  # of a note

LONGEST = 200  # characters of a line that is cached
EXACT = Heading("tpf", "exact", 1)


def exact_lines(program: Code, style: Style) -> list[str]:
    """Return the lines of the program, from the profile on."""
    exact = style._replace(exact=True)
    first = program.profile
    note = {}
    unnamed = program.version.word & ~program.version.named_mask()
    if unnamed:
        note[notes.UNNAMED] = f"0x{unnamed:08x}"
    if program.trailing:
        note[TRAILING] = program.trailing.hex()
    if not balanced(program.listed):
        note[UNBALANCED] = "1"
    if note:
        first = f"{first} {notes.written(note)}"
    try:
        lines = [with_flow(each, line(each, exact)) for each in program.listed]
        return [first, *indented(lines)]
    except EncodeError:
        program.encode()  # its error names the instruction
        raise


def line(instruction: Instruction, style: Style) -> str:
    """Return the text of one instruction."""
    words = tuple(instruction.encode())
    text = print_instruction(instruction, style)
    note: Fields = {}
    if text == UNDECIPHERABLE:
        note = notes.of_custom_data(instruction)
    elif _words(text) == words:
        return text
    if isinstance(instruction, SharedInstruction):  # notes are by operand, and it shares equal ones
        instruction = own_instruction(instruction)
    on_operands = _modes(instruction)
    while True:
        if note or on_operands:
            after = {key: f" {notes.written(fields)}" for key, fields in on_operands.items()}
            text = annotated(instruction, style, notes.written(note) if note else "", after)
            if _words(text) == words:
                return text
        got = read_one(text)
        if got is None or not _note_first(instruction, got, note, on_operands):
            return f"{DWORDS} {', '.join(f'0x{word:08x}' for word in words)}"


def _modes(instruction: Instruction) -> dict[int, Fields]:
    """Return notes on operands whose letters would be read with another selection mode."""
    found: dict[int, Fields] = {}
    row = instruction.op
    if row is None:
        return found
    left = [(each, role_of(row, at)) for at, each in enumerate(instruction.operands)]
    while left:
        operand, role = left.pop()
        letters = components(operand.token)[1:]
        if letters and role != RANGE and not operand.literal:
            mode = operand.mode
            if mode != usual_mode(role, letters):
                found[id(operand)] = {ModeToken.mode.name: notes.value_text(ModeToken.mode, mode)}
        left += [(index.relative, READ) for index in operand.indices if index.relative is not None]
    return found


def _note_first(
    wanted: Instruction, got: Instruction, note: Fields, on_operands: dict[int, Fields]
) -> bool:
    """Add notes for the first difference of the instruction and each operand; False if none."""
    found = False
    difference = notes.of_instruction(wanted, got)
    if difference is not None and difference[0] not in note:
        note[difference[0]] = difference[1]
        found = True
    pairs = list(zip(wanted.operands, got.operands, strict=False))
    while pairs:
        operand, other = pairs.pop()
        difference = notes.of_operand(operand, other)
        fields = on_operands.setdefault(id(operand), {}) if difference else {}
        if difference is not None and difference[0] not in fields:
            fields[difference[0]] = difference[1]
            found = True
        pairs += _relatives(operand, other)
    return found


def _relatives(operand: Operand, other: Operand) -> list[tuple[Operand, Operand]]:
    return [
        (index.relative, read_index.relative)
        for index, read_index in zip(operand.indices, other.indices, strict=False)
        if index.relative is not None and read_index.relative is not None
    ]


def _words(text: str) -> tuple[int, ...] | None:
    """Return the dwords of a text, None if it is invalid; cached, since programs repeat lines."""
    return _cached(text) if len(text) <= LONGEST else _new_words(text)


@lru_cache(maxsize=1 << 14)
def _cached(text: str) -> tuple[int, ...] | None:
    return _new_words(text)


def _new_words(text: str) -> tuple[int, ...] | None:
    found = read_one(text)
    try:
        return None if found is None else tuple(found.encode())
    except EncodeError:
        return None
