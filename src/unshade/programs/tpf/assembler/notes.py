"""Notes: braces in a line with details that native text cannot express.

    mov r0.x, r1.x {components=ONE}
    vThreadID {unnamed=0x00000f00}
    dcl_input_sgv {system_value=0x00010006} v0.x, vertex_id
    undecipherable custom data {custom_class=OPAQUE, payload=[0x00000001, 0x00000002]}

    note  =  "{" name "=" value  ("," name "=" value)* "}"
    value =  a number | the name of a number | letters of components | "[" number ("," number)* "]"

Names are fields of tokens (tokens.py), or dwords in the table of operations.
`unnamed` holds the bits without a name, `extended` all extended tokens, `words` all dwords after
the operands, `payload` the whole custom data. A note on an operand follows it, one on an
instruction follows the mnemonic and its suffixes, one on the program the profile.

This module both reads and writes notes. To find the notes that a line needs, it is read back
without them and compared field by field.
"""

from collections.abc import Iterable

from ....enums import member_of
from ....errors import EncodeError
from ....isa import Bits
from ....isa.source import Location, Scanner
from ....tuples import NamedTuple
from ..instruction import CUSTOMDATA, DERIVED, LONG, Instruction
from ..operands import MORE, Operand
from ..tables.enumerations import CustomClass
from ..tables.selection import selection
from ..tables.tokens import (
    CustomData,
    MaskToken,
    ModeToken,
    OpcodeToken,
    OperandToken,
    SelectToken,
    SwizzleToken,
    operand_word,
)
from . import lexical

UNNAMED = "unnamed"
EXTENDED = "extended"
WORDS = "words"
PAYLOAD = "payload"
CHOSEN = ("mask", "swizzle", "select")  # fields that are written in letters
INDICES = (OperandToken.index0, OperandToken.index1, OperandToken.index2)
COUNTED = ("dimension", "index0", "index1", "index2", "extended")  # derived fields
OPERAND_FIELDS = {
    f.name: f
    for f in (*ModeToken.FIELDS, MaskToken.mask, SwizzleToken.swizzle, SelectToken.select)
    if f.name not in COUNTED
}
REPRESENTATIONS = 0x7FC0_0000
LARGEST = 1 << 32


class NoteValue(NamedTuple):
    """The value of a field in a note."""

    text: str
    numbers: tuple[int, ...] | None  # of a list
    place: Location
    stated: Location  # of the name


Note = dict[str, NoteValue]


# ---------------------------------------------------------------- reading


def read(scanner: Scanner) -> Note:
    """Read a note; an empty note if none comes next."""
    found: Note = {}
    if not scanner.text.startswith("{", scanner.at, scanner.end):
        return found
    if scanner.match(lexical.NOTE) is None:
        return found
    while True:
        start = scanner.at
        name = scanner.take(lexical.FIELD, "the name of a field")
        if name in found:
            raise scanner.place(start).error(f"duplicate field {name!r:.40}")
        stated = scanner.place(start)
        scanner.expect("=")
        begin = scanner.at
        numbers = _list(scanner) if scanner.accept("[") else None
        text = scanner.take(lexical.VALUE, "a value") if numbers is None else ""
        found[name] = NoteValue(text, numbers, scanner.place(begin), stated)
        if scanner.accept("}"):
            return found
        scanner.expect(",", "',' or '}'")


def _list(scanner: Scanner) -> tuple[int, ...]:
    found: list[int] = []
    while not scanner.accept("]"):
        if found:
            scanner.expect(",", "',' or ']'")
        start = scanner.at
        value = lexical.integer(scanner.take(lexical.INTEGER, "a number"))
        if value is None or value >= LARGEST:
            raise scanner.place(start).error("the number does not fit 32 bits")
        found.append(value)
    return tuple(found)


def refuse(note: Note, names: Iterable[str]) -> None:
    """Raise an AssembleError if fields are left over; `names` are the permitted names."""
    for name, value in note.items():
        known = ", ".join(names)
        expected = f"; expected one of {known}" if known else ""
        raise value.stated.error(f"unknown field {name!r:.40}{expected}")


def number(f: Bits, value: NoteValue) -> int:
    """Return the value of a field as a number."""
    text = value.text
    if f.enum is not None and text in f.enum.__members__:
        return f.enum[text].value
    if f.name in CHOSEN and (letters := selection(f.name, text)) is not None:
        return letters >> f.low & f.mask
    if lexical.SIGNED.fullmatch(text) or lexical.INTEGER.fullmatch(text):
        found = lexical.integer(text.lstrip("-"))
        if found is not None:
            return -found if text[0] == "-" else found
    names = f" or one of {', '.join(f.enum.__members__)}" if f.enum is not None else ""
    got = repr(text)[:40] if text else "a list"
    raise value.place.error(f"{f.name}: expected a number of {f.width} bits{names}, got {got}")


def put(f: Bits, word: int, value: NoteValue) -> int:
    """Return the word with the field set."""
    try:
        return f.put(word, number(f, value))
    except EncodeError as error:
        raise value.place.error(error.problem) from None


def dword(name: str, value: NoteValue) -> int:
    """Return a value that is a whole dword."""
    whole = Bits(0, 32)
    whole.name = name
    return put(whole, 0, value)


def dwords(value: NoteValue, name: str) -> tuple[int, ...]:
    """Return a list of dwords."""
    if value.numbers is None:
        problem = f"{name}: expected a list such as [0x1, 0x2], got {value.text!r:.40}"
        raise value.place.error(problem)
    return value.numbers


def finish_operand(operand: Operand, note: Note) -> None:
    """Apply the remaining fields of a note to an operand whose components and mode are set."""
    known = (*OPERAND_FIELDS, *(f.name for f in INDICES), EXTENDED, UNNAMED)
    unnamed = note.pop(UNNAMED, None)
    extended = note.pop(EXTENDED, None)
    for at, f in enumerate(INDICES):
        value = note.pop(f.name, None)
        if value is not None:
            if at >= len(operand.indices):
                operand.token = put(f, operand.token, value)
                continue
            try:
                operand.indices[at].representation = number(f, value)
            except EncodeError as error:
                raise value.place.error(error.problem) from None
    for name in [name for name in note if name in OPERAND_FIELDS]:
        operand.token = put(OPERAND_FIELDS[name], operand.token, note.pop(name))
    if unnamed is not None:
        named = operand_word(operand.token).named_mask()
        operand.token = operand.token & named | unnamed_bits(unnamed, named)
    if extended is not None:
        operand.extended = dwords(extended, EXTENDED)
    refuse(note, known)


def unnamed_bits(value: NoteValue, named: int) -> int:
    """Return the value of `unnamed`; AssembleError if it sets bits of named fields."""
    bits = dword(UNNAMED, value)
    if bits & named:
        raise value.place.error(f"expected unnamed bits only, got 0x{bits & named:08x}")
    return bits


def finish_instruction(made: Instruction, note: Note) -> None:
    """Apply a note to an instruction that is otherwise complete."""
    row = made.op
    if row is None:
        return refuse(note, ())
    fields = {f.name: f for f in row.controls.FIELDS if f.name not in DERIVED}
    if row.code in LONG:
        fields["length"] = OpcodeToken.length
    whole = (PAYLOAD,) if row.code == CUSTOMDATA else (EXTENDED, WORDS)
    known = (*fields, *row.dwords, *whole, UNNAMED)
    for name, value in list(note.items()):
        if name in fields:
            made.token = put(fields[name], made.token, value)
        elif name == UNNAMED:
            named = row.controls.named_mask()
            made.token = made.token & named | unnamed_bits(value, named)
        elif name in whole:
            setattr(made, name, dwords(value, name))
        elif name in row.dwords and row.dwords.index(name) < len(made.words):
            words = list(made.words)
            words[row.dwords.index(name)] = dword(name, value)
            made.words = tuple(words)
        else:
            continue
        del note[name]
    return refuse(note, known)


# ---------------------------------------------------------------- writing


def of_operand(wanted: Operand, got: Operand) -> tuple[str, str] | None:
    """Return the first field in which `got` differs from `wanted`, and the wanted value."""
    token, other = wanted.token, got.token
    cls = operand_word(token)
    for f in sorted(cls.FIELDS, key=lambda f: f.name not in ("components", "mode")):
        if f.name not in COUNTED and f.of(token) != f.of(other):
            return f.name, value_text(f, f.of(token))
    for f, read_as, expected in zip(
        INDICES, representations(got), representations(wanted), strict=True
    ):
        if read_as != expected:
            return f.name, value_text(f, expected)
    rest = ~(cls.named_mask() | REPRESENTATIONS)
    if (token ^ other) & rest:
        return UNNAMED, f"0x{token & rest & 0xFFFF_FFFF:08x}"
    if chain(wanted.extended) != chain(got.extended):
        return EXTENDED, listed(wanted.extended)
    return None


def of_instruction(wanted: Instruction, got: Instruction) -> tuple[str, str] | None:
    """Return the first difference of an instruction, operands aside, like `of_operand`."""
    row = wanted.op
    if row is None or got.op is not row:
        return None
    token, other = wanted.token, got.token
    cls = row.controls
    derived = tuple(name for name in DERIVED if name != "length" or not wanted.long)
    for f in (*cls.FIELDS, *((OpcodeToken.length,) if wanted.long else ())):
        if f.name not in derived and f.of(token) != f.of(other):
            return f.name, value_text(f, f.of(token))
    rest = ~cls.named_mask()
    if (token ^ other) & rest:
        return UNNAMED, f"0x{token & rest & 0xFFFF_FFFF:08x}"
    if wanted.payload != got.payload:
        return PAYLOAD, listed(wanted.payload or ())
    if _chain_of(wanted) != _chain_of(got):
        return EXTENDED, listed(wanted.extended)
    if len(wanted.words) != len(got.words):
        return WORDS, listed(wanted.words)
    for at, (word, read_word) in enumerate(zip(wanted.words, got.words, strict=True)):
        if word != read_word:
            name = row.dword_name(at)
            return (name, f"0x{word:08x}") if name in row.dwords else (WORDS, listed(wanted.words))
    return None


def of_custom_data(instruction: Instruction) -> dict[str, str]:
    """Return the fields of custom data that the text does not show."""
    f = CustomData.custom_class
    payload = {PAYLOAD: listed(instruction.payload or ())}
    kind = f.of(instruction.token)
    return payload if kind == CustomClass.OPAQUE else {f.name: value_text(f, kind), **payload}


def representations(operand: Operand) -> list[int]:
    """Return the representations of three indices; missing ones come from the token."""
    found = [index.representation for index in operand.indices]
    return found + [f.of(operand.token) for f in INDICES[len(found) :]]


def chain(extended: Iterable[int]) -> tuple[int, ...]:
    """Return extended tokens without the bit that announces the next."""
    return tuple(word & ~MORE for word in extended)


def _chain_of(instruction: Instruction) -> tuple[int, ...]:
    extended = instruction.extended
    return (0, *extended[1:]) if instruction.long else chain(extended)


def value_text(f: Bits, value: int) -> str:
    """Return the value of a field as written in a note."""
    if f.enum is not None and (member := member_of(f.enum, value)) is not None:
        return member.name
    return (f.spell(value) if f.spell else "") or str(value)


def listed(words: Iterable[int]) -> str:
    """Return a list of dwords as written in a note."""
    return f"[{', '.join(f'0x{word:08x}' for word in words)}]"


def written(fields: dict[str, str]) -> str:
    """Return the text of a note."""
    return f"{{{', '.join(f'{name}={value}' for name, value in fields.items())}}}"
