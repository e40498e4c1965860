"""Assembler: native listings of all versions of fxc, exact text, and handwritten code.

    ps_5_0                                           the profile
    dcl_temps 1                                      declarations, code and custom data, a line each
      mul_sat r0.xyz, -|r1.xyzx|, cb0[r2.x + 3].yyyy // and comments

Blank lines, indentation, blanks at line ends and CR LF have no meaning. The spelling of any version
of fxc is accepted. Details that native text lacks are encoded as compilers do, or taken from a
donor (donor.py); notes (notes.py) supply all other details, and make a text exact.

    lexical       regular expressions            instructions   a line
    reader        words, numbers, fields         custom_data    tables and messages
    operands      registers and literals         structure      nesting of blocks
    mnemonics     suffixes                       donor          details from another program

Source: listings of fxc and their programs.
"""

import struct
import sys
from collections.abc import Iterator

from ....dialect import heading
from ....errors import AssembleError, EncodeError, FormatError, LimitError
from ....isa.source import ErrorList, Location, Scanner, Source
from ....tuples import NamedTuple
from ....vocab.d3d import ShaderKind
from ..code import Code
from ..decoding import PackedTokens, packed
from ..instruction import Instruction
from ..tables.tokens import VersionToken
from . import lexical, notes, renderdoc, vkd3d
from .custom_data import LineCursor
from .instructions import read_instruction
from .mnemonics import EXTENDED
from .structure import END, Blocks

__all__ = ["assemble", "parse_instructions", "read_one"]

COMMENT = "//"
LARGE = 1 << 18  # characters of a text whose instructions are kept as dwords
LONG_LINE = 200  # characters; longer lines may exceed the length of an instruction
PROFILES = {kind.profile: kind.value for kind in ShaderKind}
TRAILING = "trailing"
UNBALANCED = "unbalanced"


class AssembledLine(NamedTuple):
    """An instruction and the location of its text."""

    instruction: Instruction
    place: Location
    undeciphered: Location | None


def assemble(
    source: Source,
    errors: ErrorList,
    *,
    first: int = 1,
    donor: Code | None = None,
    places: list[Location] | None = None,
) -> Code:
    """Assemble the program in the lines from `first` on; the profile comes first.

    Args:
        source: The text.
        errors: Collects all errors; the caller calls its `check()`, and discards the result if
            there are any.
        first: The number of the first line to read.
        donor: A program that supplies what the text does not contain.
        places: A list that gets the location of each instruction.
    """
    source = source.uncoloured()
    lines = _CodeLines(source, first)
    program = Code(VersionToken())
    unbalanced = False
    with errors:
        unbalanced = _read_profile(lines, program)
    if len(source.text) >= LARGE and donor is None and not errors.errors:
        instructions = _packed(source, lines.number + 1, program.model, unbalanced)
        if instructions is not None:
            return Code.of_shared(program.version, instructions, program.trailing)
    found = list(_read_lines(lines, errors, program.model))
    if renderdoc.is_certain(source):
        renderdoc.complete(((line.instruction, line.place) for line in found), errors)
    if heading(source.text) is None and (
        vkd3d.is_certain(source)
        or (donor is None and vkd3d.is_likely(line.instruction for line in found))
    ):
        _complete(found, errors)
    if not unbalanced:
        _check_structure(found, errors)
    if donor is not None and not errors.errors:
        from .donor import adopt

        found = adopt(program, found, donor, source.text)
    _check_deciphered(found, errors)
    program.instructions = [line.instruction for line in found]
    if places is not None:
        places += [line.place for line in found]
    return program


def _packed(
    source: Source, first: int, model: tuple[int, int], unbalanced: bool
) -> PackedTokens | None:
    """Assemble the lines from `first` on, and keep no objects.

    Returns:
        The instructions; None if the text has errors, or is completed after all its lines are read.
    """
    likely = heading(source.text) is None
    if renderdoc.is_certain(source) or (likely and vkd3d.is_certain(source)):
        return None
    encoded = bytearray()
    blocks: Blocks[None] = Blocks()
    try:
        for line in _read_lines(_CodeLines(source, first), ErrorList(most=1), model):
            instruction = line.instruction
            if (
                line.undeciphered is not None
                or (likely and vkd3d.is_likely((instruction,)))
                or (not unbalanced and blocks.step(instruction, None))
            ):
                return None
            words = instruction.encode()
            encoded += struct.pack(f"<{len(words)}I", *words)
        if not unbalanced and blocks.end(END):
            return None
        return packed(bytes(encoded))
    except (AssembleError, EncodeError, FormatError, LimitError, struct.error):
        return None  # a second reading reports all errors


def parse_instructions(text: str) -> list[Instruction]:
    """Assemble lines of code without a profile; AssembleError has all errors."""
    errors = ErrorList()
    source = Source(text).uncoloured()
    found = list(_read_lines(_CodeLines(source, 1), errors))
    if vkd3d.is_certain(source):
        _complete(found, errors)
    _check_deciphered(found, errors)
    errors.check()
    return [line.instruction for line in found]


def read_one(text: str) -> Instruction | None:
    """Return the instruction in a printed text; None if it is not exactly one.

    Custom data whose contents are not in the text is returned empty.
    """
    errors = ErrorList(most=sys.maxsize)
    found = list(_read_lines(_CodeLines(Source(text), 1), errors))
    return found[0].instruction if len(found) == 1 and not errors.errors else None


def _check_deciphered(lines: list[AssembledLine], errors: ErrorList) -> None:
    for line in lines:
        if line.undeciphered is not None:
            problem = "the text does not contain this data: use a donor or a note"
            with errors:
                raise line.undeciphered.error(problem)


class _CodeLines:
    """An iterator over the lines of code of a source."""

    __slots__ = ("number", "source")

    def __init__(self, source: Source, first: int) -> None:
        self.source = source
        self.number = first - 1

    def next(self) -> Scanner | None:
        """Return a scanner of the next line with more than blanks and comments; None at the end."""
        texts = self.source.lines
        while self.number < len(texts):
            text = texts[self.number]
            self.number += 1
            start = text.lstrip()
            if not start or start.startswith(COMMENT):
                continue
            if start[0] == "#" and lexical.LINE_NUMBER.match(text):
                continue
            if start[0] == "." and lexical.DIRECTIVE.match(start):
                continue
            scanner = Scanner(self.source, self.number)
            if COMMENT in text and not lexical.MESSAGE.match(text):
                scanner.cut(COMMENT)
            if start[0].isdecimal():
                scanner.match(lexical.NUMBERED)
                if scanner.done:
                    continue
            return scanner
        return None


def _read_profile(lines: _CodeLines, program: Code) -> bool:
    """Read the profile and its note; return True if that allows unbalanced blocks."""
    before = lines.number
    scanner = lines.next()
    if scanner is None:
        last = len(lines.source.lines)
        raise lines.source.error("expected a profile such as ps_5_0, got the end", max(last, 1))
    start = scanner.at
    found = scanner.match(lexical.PROFILE)
    if found is None:
        lines.number = before
        raise scanner.expected("a profile such as ps_5_0")
    name, major, minor = found.groups()
    kind = int(name[1:-1]) if name[0] == "<" else PROFILES.get(name)
    if kind is None:
        raise scanner.unknown("profile", found[0], start, [f"{each}_5_0" for each in PROFILES])
    try:
        version = program.version = VersionToken(kind=kind, major=int(major), minor=int(minor))
    except EncodeError as error:
        raise scanner.place(start).error(str(error)) from None
    note = notes.read(scanner)
    scanner.finish()
    unnamed, trailing = note.pop(notes.UNNAMED, None), note.pop(TRAILING, None)
    unbalanced = note.pop(UNBALANCED, None)
    notes.refuse(note, (notes.UNNAMED, TRAILING, UNBALANCED))
    if unnamed is not None:
        version.word |= notes.unnamed_bits(unnamed, version.named_mask())
    if trailing is not None:
        try:
            program.trailing = bytes.fromhex(trailing.text)
        except ValueError:
            raise trailing.place.error("expected bytes in hex, such as 00ab12") from None
    return unbalanced is not None


def _complete(lines: list[AssembledLine], errors: ErrorList) -> None:
    for line in lines:
        with errors:
            vkd3d.complete(line.instruction, line.place)


def _read_lines(
    text: _CodeLines, errors: ErrorList, model: tuple[int, int] = EXTENDED
) -> Iterator[AssembledLine]:
    while True:
        scanner = text.next()
        if scanner is None:
            return
        with errors:
            place = scanner.place()
            lines = LineCursor(scanner, text.next, model)
            instruction = read_instruction(lines)
            if len(scanner.text) > LONG_LINE or "{" in scanner.text:
                _check_length(instruction, place)
            yield AssembledLine(instruction, place, lines.undeciphered)


def _check_length(instruction: Instruction, place: Location) -> None:
    try:
        instruction.encode()
    except EncodeError as error:
        raise place.error(f"the instruction cannot be encoded: {error}") from None


def _check_structure(lines: list[AssembledLine], errors: ErrorList) -> None:
    blocks: Blocks[Location] = Blocks()
    problems = [problem for line in lines for problem in blocks.step(line.instruction, line.place)]
    for problem in (*problems, *blocks.end(END)):
        opened = f": the open block starts on line {problem.opened.line}" if problem.opened else ""
        with errors:
            raise problem.where.error(problem.text + opened)
