"""Reader of one line of code: words, numbers, bit fields and operands.

Source: the tables of the printer; words are in tables/spellings.py.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from ....errors import AssembleError, EncodeError
from ....isa import Bits
from ....isa.source import Location, Scanner
from ....vocab.d3d import UNBOUNDED
from ..instruction import Instruction
from ..operands import Operand
from ..tables import aliases
from ..text import literals
from ..text.pieces import NONE
from . import lexical, notes, operands, renderdoc


class LineReader:
    """The unread rest of a line, and a note on the instruction that was read."""

    __slots__ = ("note", "scanner")

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self.note: notes.Note = {}

    @property
    def done(self) -> bool:
        """Return True at the end of the text."""
        return self.scanner.done

    def accept(self, text: str) -> bool:
        """Read this text if it comes next; return False otherwise."""
        return self.scanner.accept(text)

    def follows(self, pattern: re.Pattern[str]) -> bool:
        """Return True if the remaining text begins with this pattern."""
        return self.scanner.matches(pattern)

    def expect(self, text: str, wanted: str = "") -> None:
        """Read this text; AssembleError names `wanted` if it does not come next."""
        self.scanner.expect(text, wanted)

    def blank(self) -> None:
        """Read a blank between two words, or a note on the instruction."""
        if not self.note:
            self.note = notes.read(self.scanner)

    # ------------------------------------------------------------ words and numbers

    def choice(self, words: Sequence[str], what: str, *, open: bool = True) -> int:
        """Read one of the words and return its index; if `open`, also any number, as <7>."""
        found = self.possible_choice(words, open=open)
        if found is not None:
            return found
        scanner = self.scanner
        start = scanner.at
        given = scanner.match(lexical.FIELD)
        if given is None:
            raise scanner.expected(f"{'an' if what[0] in 'aeiou' else 'a'} {what}")
        raise scanner.unknown(what, given[0], start, (word for word in words if word))

    def possible_choice(self, words: Sequence[str], *, open: bool = True) -> int | None:
        """Read one of the words and return its index; None if the next word is another."""
        scanner = self.scanner
        found = scanner.match(words_pattern(words))
        if found is not None:
            word = " ".join(found[0].split())
            return words.index(word if word in words else aliases.WORDS[word])
        found = scanner.match(lexical.UNNAMED) if open else None
        return int(found[1]) if found else None

    def number(self, what: str, *, none: bool = False) -> int | None:
        """Read a 32-bit number; with `none`, <none> is allowed and returned as None."""
        scanner = self.scanner
        if none and scanner.accept(NONE):
            return None
        start = scanner.at
        value = lexical.integer(scanner.take(lexical.INTEGER, what))
        if value is None or value >> 32:
            raise self.misfit(start, 32)
        return value

    def dword(self, made: Instruction, at: int, what: str) -> None:
        """Read a number and append it to the dwords of the instruction."""
        start = self.scanner.at
        value = self.number(what, none=True)
        if value is None:
            return
        if len(made.words) != at:
            raise self.scanner.place(start).error(f"{what}: expected <none> after <none>")
        made.words = (*made.words, value)

    def numbered(self, prefix: str, what: str) -> list[int]:
        """Read numbers with a prefix, ` = {fb0, fb1}`."""
        scanner = self.scanner
        scanner.expect("=")
        scanner.expect("{")
        if scanner.text.startswith("...", scanner.at):  # vkd3d-compiler does not print them
            place = scanner.place()._replace(width=len("..."))
            raise place.error(f"expected {what} for each element, got '...'")
        found: list[int] = []
        while not scanner.accept("}"):
            if found:
                scanner.expect(",", "',' or '}'")
            scanner.expect(prefix, what)
            value = self.number("a number")
            assert value is not None
            found.append(value)
        return found

    def literal(self, letter: str, counts: Sequence[int]) -> tuple[int, ...]:
        """Read a literal with one of these numbers of values, `l(1.000000)`, or one number."""
        start = self.scanner.at
        number = self.scanner.match(lexical.PLAIN_NUMBER)
        if number is not None:  # of vkd3d-compiler
            bits = literals.bits_of(number[0], letter)
            if bits is None:
                raise operands.invalid_number(self.scanner, number[0], start, 32)
            return (bits,)
        self.scanner.expect("l", "a literal, l(...)")
        self.scanner.expect("(", "a literal, l(...)")
        start = self.scanner.at
        found = operands.literal_words(self.scanner, letter)
        if len(found) not in counts:
            raise self.scanner.place(start).error(f"expected one number, got {len(found)}")
        return found

    # ------------------------------------------------------------ bit fields

    def put(self, made: Instruction, bits: Bits, value: int | None) -> None:
        """Set a control field of the instruction."""
        made.token = self.fitting(bits, made.token, value or 0)

    def fitting(self, bits: Bits, word: int, value: int) -> int:
        """Return the word with a field set; AssembleError if the value, just read, does not fit."""
        try:
            return bits.put(word, value)
        except EncodeError as error:
            raise self.before().error(error.problem) from None

    def misfit(self, start: int, bits: int) -> AssembleError:
        """Return an error for a number at `start` that is too large."""
        return self.scanner.place(start).error(f"the number does not fit {bits} bits")

    def before(self) -> Location:
        """Return the location of the word that was read last."""
        scanner = self.scanner
        text = scanner.text[: scanner.at].rstrip()
        start = len(text)
        while start and (text[start - 1].isalnum() or text[start - 1] in "_<>-"):
            start -= 1
        return Location(scanner.source, scanner.line, start + 1, max(len(text) - start, 1))

    # ------------------------------------------------------------ operands

    def operand(self, letter: str, role: str) -> Operand:
        """Read an operand of an instruction; `letter` is its letter in the table of operations."""
        return operands.read_operand(self.scanner, letter, role)

    def declared(self) -> Operand:
        """Read a declared register with its components."""
        return operands.read_operand(self.scanner, "", operands.DECLARED)

    def range(self) -> Operand:
        """Read a declared resource."""
        return operands.read_operand(self.scanner, "", operands.RANGE)

    def registers(self, made: Instruction) -> None:
        """Read the registers that RenderDoc prints at the end: `reg=4`, `regs=0:unbounded`."""
        place = self.scanner.place()
        self.expect("reg", "reg= or regs=")
        several = self.accept("s")
        self.expect("=", "reg= or regs=")
        first = last = self.number("a register") or 0
        if several:
            self.expect(":")
            last = UNBOUNDED if self.accept("unbounded") else self.number("a register") or 0
        renderdoc.bind(made, first, last, place)


def words_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern that matches the longest of the words or their aliases."""
    return _pattern(tuple(words))


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    others = (word for word, native in aliases.WORDS.items() if native in words)
    several = sorted((re.escape(word) for word in (*words, *others) if word), key=len, reverse=True)
    spaced = "|".join(several).replace(r"\ ", r"[ \t]+")
    return re.compile(rf"(?:{spaced})(?![A-Za-z0-9])")
