"""Abbreviations: declared layouts of records.

An abbreviation lists the encodings of a record's values, starting with its code:

    [1, Array, Char6]            METADATA_STRING-like text of [a-zA-Z0-9._]
    [44, VBR 6, Fixed 1]         code 44 and two operands

Source: LLVM's public document "LLVM Bitcode File Format", section "DEFINE_ABBREV Encoding".
"""

from collections.abc import Iterable, Sequence

from ....errors import EncodeError
from ....tuples import NamedTuple

__all__ = [
    "ARRAY",
    "BLOB",
    "CHAR6",
    "CHARACTERS",
    "FIXED",
    "LITERAL",
    "MOST_BITS",
    "NAMES",
    "VBR",
    "Abbreviation",
    "Encoding",
    "fits_char6",
    "vbr_size",
]

# Numbers of encodings in the file; a literal has a flag instead.
LITERAL, FIXED, VBR, ARRAY, CHAR6, BLOB = 0, 1, 2, 3, 4, 5
NAMES = {
    LITERAL: "literal",
    FIXED: "fixed",
    VBR: "vbr",
    ARRAY: "array",
    CHAR6: "char6",
    BLOB: "blob",
}
MOST_BITS = 64  # of a Fixed or a VBR chunk. LLVM writes a width of 0 where the only value is 0

CHARACTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"
CODES = {character: code for code, character in enumerate(CHARACTERS)}


class Encoding(NamedTuple):
    """The encoding of one value; `value` is the literal, or a width in bits."""

    kind: int
    value: int = 0

    @property
    def is_scalar(self) -> bool:
        """True if it encodes one value, neither an array nor a blob."""
        return self.kind not in (ARRAY, BLOB)

    @property
    def least_bits(self) -> int:
        """The least number of bits of one value."""
        return 6 if self.kind == CHAR6 else self.value if self.kind in (FIXED, VBR) else 0

    def fits(self, number: int) -> bool:
        """Return True if the encoding can express a number."""
        if self.kind == VBR:
            return 0 <= number < 1 << 64 and (self.value > 1 or not number >> self.value)
        if self.kind == FIXED:
            return 0 <= number < 1 << self.value
        if self.kind == CHAR6:
            return number in CODES
        return number == self.value

    def fits_all(self, numbers: Sequence[int]) -> bool:
        """Return True if the encoding can express each of some numbers."""
        if self.kind == CHAR6:
            return CODES.keys() >= set(numbers)
        if self.kind in (FIXED, VBR):  # the more difficult, the greater
            return min(numbers) >= 0 and self.fits(max(numbers))
        return all(map(self.fits, numbers))

    def size(self, number: int) -> int:
        """Return the bits of a number that fits."""
        return vbr_size(number, self.value) if self.kind == VBR else self.least_bits

    def __str__(self) -> str:
        if self.kind == LITERAL:
            return str(self.value)
        return f"{NAMES[self.kind]}{self.value}" if self.kind in (FIXED, VBR) else NAMES[self.kind]


class Abbreviation:
    """The encodings of a record: scalars, then at most one array or blob.

    `tail` is the encoding of the elements of an array, the blob, or None.
    """

    __slots__ = ("encodings", "head", "tail")

    def __init__(self, encodings: Iterable[Encoding]) -> None:
        self.encodings = tuple(encodings)
        problem = _problem(self.encodings)
        if problem:
            raise EncodeError(problem, path="abbreviation")
        last = self.encodings[-1]
        is_array = len(self.encodings) > 1 and self.encodings[-2].kind == ARRAY
        self.tail = last if is_array or last.kind == BLOB else None
        self.head = self.encodings[: -2 if is_array else -1 if last.kind == BLOB else None]

    def fits(self, code: int, operands: Sequence[int], blob: bytes | None = None) -> bool:
        """Return True if a record can be written with this abbreviation."""
        head = self.head
        rest = len(operands) + 1 - len(head)
        tail = self.tail
        if rest < 0 or (rest and tail is None) or not head[0].fits(code):
            return False
        if (blob is not None) != (tail is not None and tail.kind == BLOB):
            return False
        if blob is not None and rest:
            return False
        if not all(map(Encoding.fits, head[1:], operands)):
            return False
        return tail is None or not rest or tail.fits_all(operands[len(head) - 1 :])

    def size(self, operands: Sequence[int], code: int) -> int:
        """Return the number of bits of a record that fits, without the abbreviation's id."""
        values = [code, *operands]
        head, tail = self.head, self.tail
        bits = sum(map(Encoding.size, head, values))
        if tail is None or tail.kind == BLOB:
            return bits
        rest = values[len(head) :]
        return bits + vbr_size(len(rest), 6) + sum(map(tail.size, rest))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Abbreviation) and self.encodings == other.encodings

    def __hash__(self) -> int:
        return hash(self.encodings)

    def __repr__(self) -> str:
        return f"<Abbreviation [{', '.join(map(str, self.encodings))}]>"


def _problem(encodings: tuple[Encoding, ...]) -> str:
    """Return the error in the encodings of an abbreviation; empty if there is none."""
    if not encodings or not encodings[0].is_scalar:
        return "expected an abbreviation that begins with the code"
    compound = [at for at, each in enumerate(encodings) if not each.is_scalar]
    last = len(encodings) - 1
    if any(not 0 <= each.value < 1 << 64 for each in encodings):
        return "expected a literal of 64 bits"
    if any(each.kind in (FIXED, VBR) and each.value > MOST_BITS for each in encodings):
        return f"expected a width of at most {MOST_BITS} bits"
    if not compound:
        return ""
    if compound != [last - 1 if encodings[compound[0]].kind == ARRAY else last]:
        return "expected an array as the last but one encoding, or a blob as the last"
    if encodings[last].kind != BLOB and not encodings[last].least_bits:
        return "expected array elements of at least one bit"
    return ""


def vbr_size(number: int, width: int) -> int:
    """Return the bits of a number in chunks of `width` bits."""
    return width * max(1, -(-number.bit_length() // (width - 1))) if width > 1 else width


def fits_char6(text: bytes) -> bool:
    """Return True if every character is one of [a-zA-Z0-9._]."""
    return not text.translate(None, CHARACTERS)
