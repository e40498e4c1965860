"""Parser of mnemonics and their suffixes.

    sample_l _aoffimmi _indexable _sat [precise(x)] (1,0,-1) (texture2d) (float,float,float,float)
    discard _nz      resinfo _uint      sync _uglobal _g _t      dcl_uav_structured … its pieces

The mnemonic is the longest prefix in the table of operations; any remaining text must be suffixes.
"""

import re
from functools import lru_cache

from ....errors import AssembleError
from ....isa import Bits
from ....isa.source import Scanner
from ....tuples import NamedTuple
from ..instruction import CUSTOMDATA
from ..tables import aliases
from ..tables.enumerations import ExtendedOpcode
from ..tables.ops import OPS, Op
from ..tables.selection import selection
from ..tables.spellings import (
    BUFFER_OF_STRUCTURES,
    CONSTANT_TABLE,
    DIMENSIONS,
    MESSAGES,
    OFFSETS,
    RESINFO_TYPES,
    RESOURCE,
    RETURN_TYPES,
    SAMPLE_INFO_TYPES,
    SATURATE,
    TESTS,
)
from ..tables.tokens import (
    Arithmetic,
    Resinfo,
    ResourceDim,
    ResourceReturn,
    SampleControls,
    SampleInfo,
    Sync,
    Test,
)
from ..text import SYNC
from ..text.declarations import DECLARATIONS
from ..text.pieces import ChoicePiece, Piece, SuffixPiece
from . import lexical
from .reader import LineReader, words_pattern

# Last suffixes, and the fields that they set.
RESULTS: dict[object, tuple[tuple[str, ...], Bits]] = {
    Resinfo: (RESINFO_TYPES, Resinfo.return_type),
    SampleInfo: (SAMPLE_INFO_TYPES, SampleInfo.return_uint),
}


class Mnemonic(NamedTuple):
    """The first word of a line: an operation and its suffixes."""

    row: Op
    token: int
    offsets: bool = False  # texel offsets follow
    resource: bool = False  # dimension and types of the resource follow
    pieces: int = 0  # of a declaration: length of the name, after which its pieces begin


EXTENDED = (5, 0)  # the first shader model whose operations repeat the type of their resource
DIMENSION_END = re.compile(r"\s*(?:\)|,\s*stride\b)")
TYPES_START = re.compile(r"[^,()]*,")


@lru_cache(maxsize=1 << 12)
def resolve(word: str) -> Mnemonic | None:
    """Return the operation and suffixes of a word; None if it is not a mnemonic."""
    end = len(word)
    while end > 0:
        name = word[:end]
        row = OPS.by_name.get(aliases.MNEMONICS.get(name, name))
        if row is not None and row.code != CUSTOMDATA:
            found = _suffixes(row, end, word[end:])
            if found is not None:
                return found
        end = word.rfind("_", 0, end)
    return None


def _suffixes(row: Op, length: int, rest: str) -> Mnemonic | None:
    """Return the operation whose name has this length, with the suffixes in `rest`."""
    pieces = DECLARATIONS.get(row.name)
    if pieces is not None:
        return Mnemonic(row, row.code, pieces=length) if _fits(pieces, rest) else None
    token = row.code
    if row.test:
        nonzero = rest.startswith(TESTS[1])
        if not nonzero and not rest.startswith(TESTS[0]):
            return None
        token = Test.test_nonzero.put(token, nonzero)
        rest = rest[len(TESTS[nonzero]) :]
    before = rest.removesuffix(RESOURCE)
    if before != rest and row.controls in RESULTS:  # resinfo_uint_indexable of vkd3d-compiler
        token, before = _result(row, token, before)
        rest = before + RESOURCE
    offsets = rest.startswith(OFFSETS)
    rest = rest.removeprefix(OFFSETS)
    resource = rest.startswith(RESOURCE)
    rest = rest.removeprefix(RESOURCE)
    if rest.startswith(SATURATE):
        token = Arithmetic.saturate.put(token, 1)
        rest = rest[len(SATURATE) :]
    if row.controls is Sync:
        for text, bits in SYNC:
            if rest.startswith(text) and rest[len(text) : len(text) + 1] in ("", "_"):
                token = bits.put(token, 1)
                rest = rest[len(text) :]
    if rest and row.controls in RESULTS:
        token, rest = _result(row, token, rest)
    return None if rest else Mnemonic(row, token, offsets, resource)


def _fits(pieces: tuple[Piece, ...], rest: str) -> bool:
    """Return True if the text that immediately follows a declaration's name fits its pieces."""
    for piece in pieces:
        if isinstance(piece, SuffixPiece):
            rest = rest.removeprefix(piece.text)
        elif isinstance(piece, ChoicePiece) and piece.before:
            found = words_pattern(piece.words).match(rest, len(piece.before))
            found = found or lexical.UNNAMED.match(rest, len(piece.before))
            rest = rest[found.end() :] if found else rest
        else:
            break
    return not rest


def _result(row: Op, token: int, rest: str) -> tuple[int, str]:
    """Read `_uint`, or a number without a word; return the token and the remaining text."""
    words, bits = RESULTS[row.controls]
    word = aliases.RESULTS.get(rest, rest)
    if word in words:
        return bits.put(token, words.index(word)), ""
    if lexical.UNNAMED.fullmatch(rest, 1) and len(rest) == len("_<3>"):
        value = int(rest[2])
        if value <= bits.mask:
            return bits.put(token, value), ""
    return token, rest


def names() -> list[str]:
    """Return all mnemonics, for suggestions."""
    rows = [row for row in OPS if row.code != CUSTOMDATA]
    plain = [row.name for row in rows if not row.test]
    tests = [row.name + test for row in rows if row.test for test in TESTS]
    saturated = [row.name + SATURATE for row in rows if row.saturate]
    shapes = [
        f"{name}_{shape}" for name in ("dcl_resource", "dcl_uav_typed") for shape in DIMENSIONS[1:]
    ]
    return [*plain, *tests, *saturated, *shapes, CONSTANT_TABLE, *MESSAGES.values()]


def unknown(scanner: Scanner, word: str, start: int) -> AssembleError:
    """Return an error for a first word that is not a mnemonic."""
    row = OPS.by_name.get(word)
    if row is not None and row.test:
        zero, nonzero = (word + test for test in TESTS)
        return scanner.place(start).error(f"expected {zero} or {nonzero}, got {word}")
    if lexical.PROFILE.fullmatch(word):
        return scanner.place(start).error("expected one profile, before the code")
    return scanner.unknown("instruction", word, start, names())


# ---------------------------------------------------------------- after the word


def read_suffixes(
    reader: LineReader, head: Mnemonic, model: tuple[int, int] = EXTENDED
) -> tuple[int, tuple[int, ...]]:
    """Read the text between word and operands; return opcode token and extended tokens."""
    scanner = reader.scanner
    token = head.token
    if head.row.controls is not Sync:
        token = _precise(scanner, token)
    extended: list[int] = []
    if head.offsets or scanner.matches(lexical.OFFSETS):
        extended.append(_offsets(reader))
    # RenderDoc prints sample_c(texture2d), and sample_indexable where no resource follows.
    bracket = scanner.text.startswith("(", scanner.at)
    if (head.resource and (bracket or model >= EXTENDED)) or (head.row.resource and bracket):
        extended += _resource(reader)
    if head.row.controls in RESULTS and scanner.text.startswith("_", scanner.at):
        token = _last_result(reader, head.row, token)
    # vkd3d-compiler prints all other suffixes before this one.
    if scanner.accept(SATURATE):
        token = Arithmetic.saturate.put(token, 1)
    return token, tuple(extended)


def _precise(scanner: Scanner, token: int) -> int:
    precise = scanner.match(lexical.PRECISE)
    if precise is None:
        return token
    components = selection("mask", precise[1]) if precise[1] else 15 << 4
    if components is None:
        place = scanner.place(precise.start(1))._replace(width=len(precise[1]))
        raise place.error(f"expected each component once, got {precise[1]!r}")
    return Arithmetic.precise.put(token, components >> 4 & 15)


def _last_result(reader: LineReader, row: Op, token: int) -> int:
    """Read `_uint` after the resource."""
    words, bits = RESULTS[row.controls]
    for other, native in aliases.RESULTS.items():
        if reader.accept(other):
            return bits.put(token, words.index(native))
    reader.expect("_")
    value = reader.choice([text.removeprefix("_") for text in words], "type of the result")
    return reader.fitting(bits, token, value)


def _offsets(reader: LineReader) -> int:
    """Read texel offsets: `(1,0,-1)`."""
    reader.expect("(", "texel offsets, (u,v,w)")
    token = ExtendedOpcode.SAMPLE_CONTROLS.value
    for at, bits in enumerate((SampleControls.u, SampleControls.v, SampleControls.w)):
        if at:
            reader.expect(",")
        start = reader.scanner.at
        value = lexical.integer(reader.scanner.take(lexical.SIGNED, "a texel offset"))
        if value is None:
            raise reader.misfit(start, bits.width)
        token = reader.fitting(bits, token, value)
    reader.expect(")")
    return token


def _resource(reader: LineReader) -> list[int]:
    """Read dimension and types, `(texture2d)(float,float,float,float)`; either may be missing.

    Texel offsets may be between them.
    """
    found: list[int] = []
    scanner = reader.scanner
    start = scanner.at
    reader.expect("(", "the resource, such as (texture2d)(float,float,float,float)")
    value = reader.possible_choice(DIMENSIONS)
    if value is not None and DIMENSION_END.match(scanner.text, scanner.at):
        token = ExtendedOpcode.RESOURCE_DIM.value
        token = reader.fitting(ResourceDim.dimension, token, value)
        if value == BUFFER_OF_STRUCTURES:
            reader.expect(",", "', stride='")
            reader.expect("stride", "stride=")
            reader.expect("=", "stride=")
            stride = reader.number("the stride")
            token = reader.fitting(ResourceDim.stride, token, stride or 0)
        reader.expect(")")
        found.append(token)
        if scanner.matches(lexical.OFFSETS):
            found.insert(0, _offsets(reader))
        start = scanner.at
        if not reader.accept("("):
            return found
    elif value is None and TYPES_START.match(scanner.text, scanner.at) is None:
        reader.choice(DIMENSIONS, "resource dimension")
    scanner.at = start
    reader.expect("(")
    token = ExtendedOpcode.RESOURCE_RETURN_TYPE.value
    for at, bits in enumerate(
        (ResourceReturn.x, ResourceReturn.y, ResourceReturn.z, ResourceReturn.w)
    ):
        if at:
            reader.expect(",")
        token = reader.fitting(bits, token, reader.choice(RETURN_TYPES, "component type"))
    reader.expect(")")
    found.append(token)
    return found
