"""Directives of code: .proc, .else, .end, and the extensions .inst and .opdesc.

    .proc name … .end
    .inst 0x4c201083                         a word
    .opdesc 3 xyz, xyzw, -wzyx, xxxx         descriptor 3: mask, three sources
    .opdesc 4..9 xyz, xyzw, -wzyx, xxxx, bits 0x80000000, high 0xf

These descriptors must be in order, from 0 on, before all code. Instructions use the first
descriptor that fits.
"""

import re
from typing import TYPE_CHECKING

from ....errors import EncodeError
from ....isa.source import Location, Scanner
from ....vocab.pica import COMPONENTS
from ..descriptors import OperandDescriptor
from .blocks import BlockKind
from .declarations import end_array
from .numbers import small
from .operands import NAME

if TYPE_CHECKING:
    from .reader import Directive, PicassoReader

__all__ = ["STRUCTURE"]

LETTERS = re.compile(r"[xyzw_]+(?!\w)", re.ASCII | re.IGNORECASE)
WORD = 0xFFFF_FFFF
NUMBERS = 0xFFFF


def _proc(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    code = reader.program.code
    start = scanner.at
    code.open(BlockKind.PROC, place)
    name = scanner.take(NAME, "a name for the procedure")
    where = scanner.place(start)
    if name in code.procedures or any(block.name == name for block in code.blocks):
        raise where.error(f"duplicate procedure {name!r:.60}")
    code.blocks[-1].name = name
    reader.finish(scanner)


def _else(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    reader.finish(scanner)
    reader.program.code.begin_else(place)


def _end(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    reader.finish(scanner)
    block = reader.program.code.end(place)
    if block.kind is BlockKind.ARRAY and reader.array is not None:
        end_array(reader, reader.array, place)


def _inst(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    word = small(scanner, "a word of 32 bits", WORD)
    reader.finish(scanner)
    reader.before_code(place)
    reader.program.code.emit(word, place)


def _opdesc(reader: "PicassoReader", scanner: Scanner, place: Location) -> None:
    pool = reader.program.pool
    start = scanner.at
    number = last = small(scanner, "the number of a descriptor", NUMBERS)
    if scanner.accept(".."):
        last = small(scanner, "the number of the last", NUMBERS)
    if number != len(pool) or reader.program.code.words:
        wanted = f"descriptor {len(pool)}, before all code"
        raise scanner.place(start).error(f"expected {wanted}, got descriptor {number}")
    made = OperandDescriptor(mask=_mask(scanner))
    for source in "123":
        scanner.expect(",")
        setattr(made, f"neg{source}", int(scanner.accept("-")))
        setattr(made, f"swz{source}", _swizzle(scanner))
    high = 0
    while scanner.accept(","):
        if scanner.accept("high"):
            high = small(scanner, "a word of 32 bits", WORD)
        else:
            scanner.expect("bits", "'high' or 'bits'")
            made.word |= small(scanner, "a word of 32 bits", WORD)
    reader.finish(scanner)
    try:
        for _ in range(number, last + 1):
            pool.pin(made.word, high, any_number=reader.exact)
    except EncodeError as error:
        raise place.error(error.problem) from None


def _mask(scanner: Scanner) -> int:
    start = scanner.at
    letters = scanner.take(LETTERS, "components: xyzw, or '_' for none").lower()
    places = [COMPONENTS.find(letter) for letter in letters if letter != "_"]
    if places != sorted(set(places)) or ("_" in letters and places):
        raise scanner.place(start).error(f"expected components in their order, got {letters:.40}")
    return sum(8 >> place for place in places)


def _swizzle(scanner: Scanner) -> int:
    start = scanner.at
    letters = scanner.take(LETTERS, "four components").lower()
    if len(letters) != 4 or "_" in letters:
        raise scanner.place(start).error(f"expected four components, got {letters:.40}")
    value = 0
    for letter in letters:
        value = value << 2 | COMPONENTS.index(letter)
    return value


STRUCTURE: "dict[str, Directive]" = {
    "proc": _proc,
    "else": _else,
    "end": _end,
    "inst": _inst,
    "opdesc": _opdesc,
}
