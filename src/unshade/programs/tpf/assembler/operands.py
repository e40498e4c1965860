"""Assembly of operands: registers with indices, components and modifiers, and literals.

    -|cb0[r1.x + 4].xyzx {min16f as def32}|     T0[3].xyzw     l(1.000000, 0, -1, 0)     null

Operands are spelled as by the printer. Details that a text does not contain are encoded as
compilers do, as seen in 1,127 of their programs: a register without components has none, is a
scalar (`SCALARS`), or is meant as a whole (`VECTORS`); declared ranges of resources and declared
constant buffers have the swizzle xyzw; a relative index without an offset has no immediate part.
"""

import re
from collections.abc import Callable, Collection, Iterator

from ....errors import AssembleError
from ....isa.source import Scanner
from ....vocab.d3d import UNBOUNDED
from ..operands import Index, Operand
from ..tables import aliases
from ..tables.enumerations import (
    Components,
    ExtendedOperand,
    IndexRepresentation,
    Modifier,
    OperandType,
    SelectionMode,
)
from ..tables.ops import OPS, Op
from ..tables.selection import mask_letters, selection
from ..tables.spellings import PRECISIONS, REGISTERS
from ..tables.tokens import ModeToken, OperandModifier, OperandToken
from ..text import literals
from ..text.declarations import DECLARATIONS
from ..text.operands import DEEPEST, RANGED
from . import lexical, notes

T = OperandType
STORE = OPS["store_uav_typed"].code  # its view is written, those of atomic counters are not

# The role of an operand in its instruction.
READ, WRITTEN, DECLARED, RANGE = "read", "written", "declared", "range"

DEPTHS = frozenset({
    T.OUTPUT_DEPTH, T.OUTPUT_DEPTH_GREATER_EQUAL, T.OUTPUT_DEPTH_LESS_EQUAL, T.OUTPUT_STENCIL_REF,
})  # fmt: skip
USED = DEPTHS | {T.INPUT_PRIMITIVEID, T.OUTPUT_CONTROL_POINT_ID, T.OUTPUT_COVERAGE_MASK}
# Registers without printed components that compilers encode as one component.
SCALARS: dict[str, Collection[int]] = {
    READ: USED,
    WRITTEN: USED,
    DECLARED: DEPTHS | {T.INPUT_COVERAGE_MASK, T.INNER_COVERAGE},
    RANGE: (),
}
KINDS = {name: kind for kind, name in enumerate(REGISTERS)}  # l0 is a label, l(0) a literal
OTHERS = {name: KINDS[native] for name, native in aliases.REGISTERS.items()}
# Registers without components that are meant as a whole; no compiler writes them so.
VECTORS = frozenset({T.TEMP, T.INPUT, T.OUTPUT, T.INDEXABLE_TEMP})
CAPITALS = {REGISTERS[kind].upper(): kind for kind in RANGED}
PRECISION = {name: number for number, name in enumerate(PRECISIONS) if name}
HALF = len("0x00000000")  # half of a double
ALL = SelectionMode.MASK << 2 | 15 << 4
XYZW = SelectionMode.SWIZZLE << 2 | 0xE4 << 4
SELECTIONS: dict[int, str] = {
    SelectionMode.MASK: "mask", SelectionMode.SWIZZLE: "swizzle", SelectionMode.SELECT_1: "select",
}  # fmt: skip
WRONG_LETTERS = {
    "mask": "expected components of x, y, z and w, in this order and each at most once",
    "swizzle": "expected one or four components of x, y, z and w",
    "select": "expected one component of x, y, z and w",
}
MOST_INDICES = 3
LITERAL = 0x4000  # the type bits that immediate32 and immediate64 have in common
LITERAL_SIZES: dict[int, int] = {0: Components.ZERO, 1: Components.ONE, 4: Components.FOUR}


# An operand to the comma or the end of the line, without notes: its text alone decides what it is.
PLAIN = re.compile(r"[^,{()]{1,100}(?:\([^{()]{1,100}\))?(?=,|\Z)")
MOST = 1 << 14  # operands that are kept
_KNOWN: dict[tuple[str, str, str], Operand] = {}


def read_kept(scanner: Scanner, letter: str, role: str) -> Operand:
    """Read an operand of an instruction as `read_operand` does; a text is read once."""
    found = PLAIN.match(scanner.text, scanner.at, scanner.end)
    if found is None:
        return read_operand(scanner, letter, role)
    key = (found[0], letter, role)
    known = _KNOWN.get(key)
    if known is not None:
        scanner.at = found.end()
        return _copied(known)
    operand = read_operand(scanner, letter, role)
    if scanner.at == found.end():
        if len(_KNOWN) >= MOST:
            _KNOWN.clear()
        _KNOWN[key] = _copied(operand)
    return operand


def _copied(operand: Operand) -> Operand:
    made = Operand.__new__(Operand)
    made.token, made.extended, made.literal = operand.token, operand.extended, operand.literal
    made.indices = [_copied_index(each) for each in operand.indices]
    return made


def _copied_index(index: Index) -> Index:
    made = Index.__new__(Index)
    made.immediate, made.kept = index.immediate, index.kept
    made.relative = None if index.relative is None else _copied(index.relative)
    return made


def read_operand(scanner: Scanner, letter: str, role: str, depth: int = 0) -> Operand:
    """Read an operand; `letter` is its letter in the table of operations."""
    negative = scanner.accept("-")
    absolute = "|" if scanner.accept("|") else ")" if scanner.match(lexical.ABSOLUTE) else ""
    start = scanner.at
    found = scanner.match(lexical.REGISTER)
    if found is None:
        raise scanner.expected("a register, or a literal such as l(1.0)")
    name, subscript = found.groups()
    operand = Operand(0)
    if not subscript and name in ("l", "d") and scanner.accept("("):
        _read_literal(scanner, operand, letter, name, start)
        operand.indices = _indices(scanner, "", start, READ, depth)
    else:
        operand.token = _kind(scanner, found[0], name, start) << 12
        operand.indices = _indices(scanner, subscript, start, role, depth)
    begin = scanner.at
    found = scanner.match(lexical.COMPONENTS)
    if negative or absolute or scanner.text.startswith("{", scanner.at, scanner.end):
        _read_modifiers(scanner, operand, negative, absolute)
    note = notes.read(scanner)
    if operand.token & 0xFE000 != LITERAL:
        wrong = _choose(operand, found[1] if found else "", role, note, depth)
        if wrong and found:
            place = scanner.place(begin)._replace(width=len(found[0]))
            raise place.error(f"{WRONG_LETTERS[wrong]}, got {found[1]}")
    elif found is not None:
        raise scanner.place(begin).error("component selection on a literal")
    if note:
        notes.finish_operand(operand, note)
    return operand


def _kind(scanner: Scanner, text: str, name: str, start: int) -> int:
    kind = KINDS.get(name)
    if kind is None:
        kind = CAPITALS.get(name)
    if kind is None:
        kind = OTHERS.get(name)
    if kind is None and name[0] == "<":
        kind = int(name[1:-1])
        if kind > OperandToken.type.mask:
            raise scanner.place(start).error("the number does not fit 8 bits")
    if kind is None:
        raise scanner.unknown("register", text, start, KINDS)
    return kind


def _read_modifiers(scanner: Scanner, operand: Operand, negative: bool, absolute: str) -> None:
    """Read the modifiers of an operand: its extended token.

    `absolute` ends an absolute value: `|`, or the bracket of abs(r0.x), as RenderDoc prints it.
    """
    modifier = (Modifier.NEG if negative else 0) | (Modifier.ABS if absolute else 0)
    precision = 0
    start = scanner.at
    found = scanner.match(lexical.PRECISION)
    if absolute:
        scanner.expect(absolute)
    found = found or scanner.match(lexical.PRECISION)  # vkd3d-compiler prints |r0.x| {min16f}
    if found is not None:
        precision = _precision(scanner, found[1], start)
        if found[2] is not None:
            _precision(scanner, found[2], start)
    token = OperandModifier(kind=ExtendedOperand.MODIFIER, modifier=modifier)
    token.min_precision = precision
    if scanner.match(lexical.NONUNIFORM):
        token.non_uniform = 1
    if token.word != ExtendedOperand.MODIFIER:
        operand.extended = (token.word,)


def _precision(scanner: Scanner, name: str, start: int) -> int:
    number = PRECISION.get(aliases.WORDS.get(name, name))
    if number is None and name[0] == "<":
        number = int(name[1:-1])
    if number is None or number > OperandModifier.min_precision.mask:
        raise scanner.unknown("precision", name, start, PRECISION)
    return number


# ---------------------------------------------------------------- components


def _choose(operand: Operand, letters: str, role: str, note: notes.Note, depth: int) -> str:
    """Set components, mode and selection by the letters, the note and the role.

    Return "mask", "swizzle" or "select" if the letters are not a valid one, else "".
    """
    token = operand.token
    kind = token >> 12 & 0xFF
    given = note.pop("components", None)
    mode = note.pop("mode", None)
    if letters or mode is not None:
        token |= Components.FOUR
    elif role == RANGE:
        ranged = len(operand.indices) == MOST_INDICES or kind == T.CONSTANT_BUFFER
        if ranged and given is None:
            token |= Components.FOUR | XYZW
    elif kind in SCALARS[role]:
        token |= Components.ONE
    elif kind in VECTORS and given is None and not depth:
        token |= Components.FOUR | (XYZW if role == READ else ALL)
    if given is not None:
        token = notes.put(OperandToken.components, token, given)
    usual = usual_mode(role, letters)
    if mode is not None:
        token = notes.put(ModeToken.mode, token, mode)
        usual = ModeToken.mode.of(token)
    name = SELECTIONS.get(usual, "swizzle")
    chosen = selection(name, letters) if letters else 0
    operand.token = token | (chosen or 0)
    fits = chosen is not None and (name != "mask" or mask_letters(chosen >> 4) == letters)
    return "" if fits else name


def usual_mode(role: str, letters: str) -> int:
    """Return the selection mode that component letters imply if no note gives another."""
    if role != READ:
        return SelectionMode.MASK
    return SelectionMode.SELECT_1 if len(letters) == 1 else SelectionMode.SWIZZLE


def role_of(row: Op, at: int) -> str:
    """Return the role of operand `at` of an operation."""
    letter = row.operands[at]
    if row.name in DECLARATIONS:
        return DECLARED if letter in "AMG" else RANGE
    return WRITTEN if letter in "DNW" or (at == 0 and row.code == STORE) else READ


# ---------------------------------------------------------------- indices


def _indices(scanner: Scanner, subscript: str, start: int, role: str, depth: int) -> list[Index]:
    found: list[Index] = []
    if subscript:
        found.append(_immediate(scanner, subscript, start))
    while scanner.text.startswith("[", scanner.at, scanner.end):
        if len(found) == MOST_INDICES:
            break
        if depth >= DEEPEST:
            raise scanner.place().error(f"expected at most {DEEPEST} nested indices, got more")
        scanner.accept("[")
        found.append(_index(scanner, depth))
        if role == RANGE and len(found) == MOST_INDICES - 1 and scanner.accept(":"):
            found.append(
                Index(UNBOUNDED) if scanner.match(lexical.OPEN_END) else _index(scanner, depth)
            )
        scanner.expect("]")
    return found


def _index(scanner: Scanner, depth: int) -> Index:
    start = scanner.at
    number = scanner.match(lexical.INTEGER)
    if number is not None:
        return _immediate(scanner, number[0], start)
    relative = read_operand(scanner, "i", READ, depth + 1)
    added = 0
    if scanner.accept("+"):
        start = scanner.at
        text = scanner.take(lexical.INTEGER, "a number")
        found = _immediate(scanner, text, start)
        added = found.immediate
        if found.representation == IndexRepresentation.IMMEDIATE64:
            return Index(added, relative, IndexRepresentation.IMMEDIATE64_PLUS_RELATIVE)
    return Index(added, relative)


def _immediate(scanner: Scanner, text: str, start: int) -> Index:
    value = lexical.integer(text)
    if value is None or value >> 64:
        raise scanner.place(start).error("the number does not fit 64 bits")
    if value >> 32:
        return Index(value, representation=IndexRepresentation.IMMEDIATE64)
    return Index(value)


# ---------------------------------------------------------------- literals


def _read_literal(scanner: Scanner, operand: Operand, letter: str, name: str, start: int) -> None:
    """Read `l(1.000000, 0, 0, 0)` or `d(0.500000l, 2.000000l)` after its opening parenthesis."""
    if name == "l":
        kind, words = T.IMMEDIATE32, literal_words(scanner, letter)
    else:
        kind, words = T.IMMEDIATE64, _double_words(scanner)
    components = LITERAL_SIZES.get(len(words))
    if components is None:
        several = "two doubles" if name == "d" else "one or four numbers"
        count = len(words) / 2 if name == "d" else len(words)
        raise scanner.place(start).error(f"expected {several}, got {count:g}")
    operand.token = OperandToken(type=kind, components=components).word
    operand.literal = words


def literal_words(scanner: Scanner, letter: str) -> tuple[int, ...]:
    """Read numbers up to a closing parenthesis."""
    return tuple(bits for _, bits in _numbers(scanner, lambda t: literals.bits_of(t, letter), 32))


def _double_words(scanner: Scanner) -> tuple[int, ...]:
    found: list[int] = []
    for text, bits in _numbers(scanner, literals.double_bits_of, 64):
        found.append(bits & 0xFFFF_FFFF)
        if text[1:2] not in ("x", "X") or len(text) > HALF:  # otherwise it is half a double
            found.append(bits >> 32)
    return tuple(found)


def _numbers(
    scanner: Scanner, bits_of: Callable[[str], int | None], width: int
) -> Iterator[tuple[str, int]]:
    """Yield the text and the bits of each number up to a closing parenthesis."""
    first = True
    while not scanner.accept(")"):
        if not first:
            scanner.expect(",", "',' or ')'")
        first = False
        start = scanner.at
        text = scanner.take(lexical.NUMERAL, "a number")
        bits = bits_of(text)
        if bits is None:
            raise invalid_number(scanner, text, start, width)
        yield text, bits


def invalid_number(scanner: Scanner, text: str, start: int, bits: int) -> AssembleError:
    """Return an error for a text that is not a number, or does not fit these bits."""
    place = scanner.place(start)
    if lexical.NUMBERLIKE.match(text):
        return place.error(f"the number does not fit {bits} bits")
    return place.error(f"expected a number, got {text!r:.60}")
