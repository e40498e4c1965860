"""The text of a program to its tokens: native listings of every fxc, exact text, one's own code.

    ps_5_0                                           the profile
    dcl_temps 1                                      declarations, code and custom data, a line each
      mul_sat r0.xyz, -|r1.xyzx|, cb0[r2.x + 3].yyyy // and comments

Blank lines, indentation, blanks at line ends and CR LF mean nothing. Words and letters are those
that fxc prints in any of its generations. What native text does not say is written as compilers
write it, or taken from a donor (donor.py); what is not even so comes back is said in notes
(notes.py), which make a text exact.

    lexical       the smallest pieces            instructions   a line
    reader        words, numbers, fields         custom_data    tables and messages
    operands      registers and literals         structure      blocks
    mnemonics     suffixes                       donor          what prints the same is the same

Source: listings of fxc and the programs beside them.
"""

import sys
from collections.abc import Iterator
from typing import NamedTuple

from ....errors import EncodeError
from ....isa.source import ErrorList, Location, Scanner, Source
from ....vocab.d3d import ShaderKind
from ..code import Code
from ..instruction import Instruction
from ..tables.tokens import VersionToken
from . import lexical, notes
from .custom_data import Lines
from .instructions import read_instruction
from .structure import Blocks

__all__ = ["assemble", "parse_instructions", "read_one"]

COMMENT = "//"
LONG_LINE = 200  # characters; longer ones may be more dwords than an instruction can have
PROFILES = {kind.profile: kind.value for kind in ShaderKind}
TRAILING = "trailing"
UNBALANCED = "unbalanced"


class Line(NamedTuple):
    """An instruction and where its text begins."""

    instruction: Instruction
    place: Location
    undeciphered: Location | None


def assemble(
    source: Source, mistakes: ErrorList, *, first: int = 1, donor: Code | None = None
) -> Code:
    """The program whose profile is the first code from line `first` on.

    What is wrong is added to `mistakes`, and the caller calls its `check()`; what comes back then
    is of no use. A `donor` supplies what the text does not say.
    """
    lines = _Text(source, first)
    program = Code(VersionToken())
    unbalanced = False
    with mistakes:
        unbalanced = _read_profile(lines, program)
    found = list(_read_lines(lines, mistakes))
    if not unbalanced:
        _check_structure(found, mistakes)
    if donor is not None and not mistakes.errors:
        from .donor import adopt

        found = adopt(program, found, donor, source.text)
    _check_deciphered(found, mistakes)
    program.instructions = [line.instruction for line in found]
    return program


def parse_instructions(text: str) -> list[Instruction]:
    """Lines of code without a profile, for editing; AssembleError with every mistake."""
    with_mistakes = ErrorList()
    found = list(_read_lines(_Text(Source(text), 1), with_mistakes))
    _check_deciphered(found, with_mistakes)
    with_mistakes.check()
    return [line.instruction for line in found]


def read_one(text: str) -> Instruction | None:
    """The instruction that a printed text says; None where it is none, or more than one.

    Of custom data that the text does not hold it says just that there is some.
    """
    with_mistakes = ErrorList(most=sys.maxsize)
    found = list(_read_lines(_Text(Source(text), 1), with_mistakes))
    return found[0].instruction if len(found) == 1 and not with_mistakes.errors else None


def _check_deciphered(lines: list[Line], mistakes: ErrorList) -> None:
    for line in lines:
        if line.undeciphered is not None:
            problem = "no listing holds the data of this; it takes a donor or a note"
            with mistakes:
                raise line.undeciphered.error(problem)


class _Text:
    """The lines of code of a source, one after the other."""

    __slots__ = ("number", "source")

    def __init__(self, source: Source, first: int) -> None:
        self.source = source
        self.number = first - 1

    def next(self) -> Scanner | None:
        """A scanner of the next line that holds more than blanks and comments."""
        texts = self.source.lines
        while self.number < len(texts):
            text = texts[self.number]
            self.number += 1
            start = text.lstrip()
            if not start or start.startswith(COMMENT):
                continue
            if start[0] == "#" and lexical.LINE_NUMBER.match(text):
                continue
            scanner = Scanner(self.source, self.number)
            if COMMENT in text and not lexical.MESSAGE.match(text):
                scanner.cut(COMMENT)
            return scanner
        return None


def _read_profile(lines: _Text, program: Code) -> bool:
    """Reads the profile and its note; whether that says that blocks need not nest."""
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
            raise trailing.place.error("bytes in hex expected: 00ab12") from None
    return unbalanced is not None


def _read_lines(text: _Text, mistakes: ErrorList) -> Iterator[Line]:
    while True:
        scanner = text.next()
        if scanner is None:
            return
        with mistakes:
            place = scanner.place()
            lines = Lines(scanner, text.next)
            instruction = read_instruction(lines)
            if len(scanner.text) > LONG_LINE or "{" in scanner.text:
                _check_length(instruction, place)
            yield Line(instruction, place, lines.undeciphered)


def _check_length(instruction: Instruction, place: Location) -> None:
    try:
        instruction.encode()
    except EncodeError as error:
        raise place.error(f"the instruction cannot be written: {error}") from None


def _check_structure(lines: list[Line], mistakes: ErrorList) -> None:
    blocks: Blocks[Location] = Blocks()
    problems = [problem for line in lines for problem in blocks.step(line.instruction, line.place)]
    for problem in (*problems, *blocks.end("the end")):
        opened = f": the open block began on line {problem.opened.line}" if problem.opened else ""
        with mistakes:
            raise problem.where.error(problem.text + opened)
