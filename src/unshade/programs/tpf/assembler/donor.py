"""Assembly with a donor, the program whose listing was edited: unchanged text keeps its bits.

    donor      mul r0.x, r1.x, l(0.333333)     0x3eaaaaab, which prints as 0.333333
    its print  mul r0.x, r1.x, l(0.333333)     read back: 0x3eaaaa9f
    text       mul r0.y, r1.x, l(0.333333)     0x3eaaaa9f: as printed, so the donor's 0x3eaaaaab

The donor is printed in the style of the text and read back, and its lines are aligned with the
lines of the text. Then a three-way merge works down to operands, indices and fields: where the text
equals the donor's listing, the result has the donor's bits, elsewhere the bits of the text.
"""

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from ....dialect import heading
from ....errors import EncodeError
from ....isa import Word
from ....isa.subsequence import longest_increasing
from ..code import Code
from ..customdata import ShaderMessage
from ..data import DWORDS
from ..decoding import decode_instructions
from ..instruction import Instruction
from ..operands import Index, Operand
from ..tables.tokens import VersionToken, operand_word
from ..text import print_instruction
from ..text.literals import Library
from ..text.style import Style
from . import lexical, notes, read_one

if TYPE_CHECKING:
    from . import AssembledLine

# Styles that the text may have; its lines decide.
STYLES = (
    Style(),
    Style(library=Library.UCRT),
    Style(library=Library.MSVCRT),
    Style(library=Library.COMPILER_46, sgv_interpolation=False),
    Style(library=Library.MSVCRT, sgv_interpolation=False),
)
CELLS = 1 << 14  # pairs of lines in a gap that is compared in full
LEVELS = 32  # of nested gaps


def adopt(
    program: Code, lines: "list[AssembledLine]", donor: Code, text: str
) -> "list[AssembledLine]":
    """Return the lines merged with the donor; set version and trailing bytes of `program`."""
    head = heading(text)
    if head is not None and head.dialect == "exact":
        return lines  # complete without a donor
    printed = _printed(donor, text)
    read = [read_one(each) for each in printed]
    program.version = VersionToken(
        merged_word(
            program.version.word,
            donor.version.word & VersionToken.named_mask(),
            donor.version.word,
            VersionToken,
        )
    )
    program.trailing = program.trailing or donor.trailing
    found = list(lines)
    for i, j in _aligned([line.instruction for line in lines], read):
        base = read[j]
        if base is not None:
            line = lines[i]
            made = _instruction(line.instruction, base, donor.instructions[j])
            known = line.instruction.payload == base.payload
            found[i] = line._replace(
                instruction=made, undeciphered=None if known else line.undeciphered
            )
    return found


def _printed(donor: Code, text: str) -> list[str]:
    """Return the donor's lines in the style that shares most lines and literals with the text."""
    known = {line.strip() for line in text.split("\n")}
    known_literals = set(lexical.LITERAL.findall(text))
    best: list[str] = []
    most = (-1, -1)
    for style in STYLES:
        printed = [print_instruction(each, style) for each in donor.instructions]
        lines = [line.strip() for each in printed for line in each.split("\n")]
        found = sum(line in known for line in lines)
        if found == len(lines):
            return printed
        several = (each for line in lines for each in lexical.LITERAL.findall(line))
        count = (found, sum(each in known_literals for each in several))
        if count > most:
            best, most = printed, count
    return best


# ---------------------------------------------------------------- alignment


def _aligned(
    ours: Sequence[Instruction], theirs: Sequence[Instruction | None]
) -> Iterator[tuple[int, int]]:
    """Yield pairs of lines: first equal lines, then lines between them with equal operations."""
    keys, others = [_key(each) for each in ours], [_key(each) for each in theirs]
    same = sorted(_pairs(keys, others))
    yield from same
    i = j = 0
    for x, y in [*same, (len(ours), len(theirs))]:
        names = [each.opcode for each in ours[i:x]]
        other_names = [each.opcode if each else -1 for each in theirs[j:y]]
        for a, b in _pairs(names, other_names):
            yield i + a, j + b
        i, j = x + 1, y + 1


def _key(instruction: Instruction | None) -> Hashable:
    try:
        return None if instruction is None else tuple(instruction.encode())
    except EncodeError:
        return id(instruction)


def _pairs(a: Sequence[Hashable], b: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Yield pairs of equal items in order, anchored at items that are unique in both."""
    gaps = [(0, len(a), 0, len(b), LEVELS)]
    while gaps:
        i, x, j, y, level = gaps.pop()
        while i < x and j < y and a[i] == b[j]:
            yield i, j
            i, j = i + 1, j + 1
        while i < x and j < y and a[x - 1] == b[y - 1]:
            x, y = x - 1, y - 1
            yield x, y
        if i == x or j == y:
            continue
        if (x - i) * (y - j) <= CELLS:
            for block in SequenceMatcher(None, a[i:x], b[j:y], False).get_matching_blocks():
                for k in range(block.size):
                    yield i + block.a + k, j + block.b + k
            continue
        fixed = _fixed(a, b, i, x, j, y) if level else []
        if not fixed:
            yield from _greedy(a, b, i, x, j, y)
            continue
        for p, q in [*fixed, (x, y)]:
            if p < x:
                yield p, q
            gaps.append((i, p, j, q, level - 1))
            i, j = p + 1, q + 1


def _fixed(
    a: Sequence[Hashable], b: Sequence[Hashable], i: int, x: int, j: int, y: int
) -> list[tuple[int, int]]:
    """Return the longest increasing subsequence of the items that occur once in both."""
    ours, theirs = _once(a, i, x), _once(b, j, y)
    return longest_increasing((ours[key], theirs[key]) for key in ours.keys() & theirs.keys())


def _once(items: Sequence[Hashable], start: int, end: int) -> dict[Hashable, int]:
    places: dict[Hashable, int] = {}
    for at in range(start, end):
        places[items[at]] = -1 if items[at] in places else at
    return {key: at for key, at in places.items() if at >= 0}


def _greedy(
    a: Sequence[Hashable], b: Sequence[Hashable], i: int, x: int, j: int, y: int
) -> Iterator[tuple[int, int]]:
    """Yield each item with the next equal one, where no item is unique."""
    places: dict[Hashable, list[int]] = {}
    for at in range(j, y):
        places.setdefault(b[at], []).append(at)
    last = j - 1
    for at in range(i, x):
        several = places.get(a[at], [])
        next_one = bisect_right(several, last)
        if next_one < len(several) and several[next_one] - last <= CELLS:
            last = several[next_one]
            yield at, last


# ---------------------------------------------------------------- three-way merge


def _instruction(text: Instruction, base: Instruction, donor: Instruction) -> Instruction:
    if text.encode() == base.encode():
        return decode_instructions(tuple(donor.encode()))[0]
    row = text.op
    if row is None or donor.op is not row:
        return text
    made = Instruction(merged_word(text.token, base.token, donor.token, row.controls))
    made.extended = donor.extended if _chains_equal(text, base) else text.extended
    made.operands = _operands(text.operands, base.operands, donor.operands)
    made.words = text.words
    if text.words == base.words:
        made.words = donor.words
    elif len(text.words) == len(base.words) == len(donor.words):
        made.words = tuple(
            merged_word(*three, DWORDS.get(row.dword_name(at), Word))
            for at, three in enumerate(zip(text.words, base.words, donor.words, strict=True))
        )
    if text.payload is not None:
        made.payload = _payload(text, base, donor)
    return made


def _chains_equal(text: Instruction, base: Instruction) -> bool:
    return notes.chain(text.extended) == notes.chain(base.extended)


def _payload(text: Instruction, base: Instruction, donor: Instruction) -> tuple[int, ...]:
    ours, printed, theirs = text.payload or (), base.payload or (), donor.payload or ()
    if ours == printed and text.custom_class == base.custom_class:
        return theirs
    messages = [ShaderMessage.decode(each) for each in (ours, printed, theirs)]
    if None not in messages:
        new, old, known = (each for each in messages if each is not None)
        new.operands = _operands(new.operands, old.operands, known.operands)
        new.format = known.format
        new.text = known.text if new.text == old.text else new.text
        return new.words()
    if len(ours) == len(printed) == len(theirs):
        three = zip(ours, printed, theirs, strict=True)
        return tuple(d if t == p else t for t, p, d in three)
    return ours


def merged_word(text: int, base: int, donor: int, cls: type[Word]) -> int:
    """Merge a word field by field, and bits without a name one by one."""
    changed = text ^ base
    taken = changed & ~cls.named_mask()
    if not cls.FIELDS:
        taken = 0xFFFF_FFFF if changed else 0
    for f in cls.FIELDS:
        if changed >> f.low & f.mask:
            taken |= f.mask << f.low
    return text & taken | donor & ~taken


def _operands(
    text: Sequence[Operand], base: Sequence[Operand], donor: Sequence[Operand]
) -> list[Operand]:
    if len(text) != len(base) or len(base) != len(donor):
        return list(text)
    return [_operand(*three) for three in zip(text, base, donor, strict=True)]


def _operand(text: Operand, base: Operand, donor: Operand) -> Operand:
    if text.type != base.type:
        return text
    token = text.token
    cls = operand_word(token)
    if cls is operand_word(base.token):
        cls = operand_word(donor.token)
        token = merged_word(token, base.token, donor.token, cls)
    made = Operand(token, donor.extended, text.literal, text.indices)
    if notes.chain(text.extended) != notes.chain(base.extended):
        made.extended = text.extended
    if len(text.literal) == len(base.literal) == len(donor.literal):
        three = zip(text.literal, base.literal, donor.literal, strict=True)
        made.literal = tuple(d if t == b else t for t, b, d in three)
    elif text.literal:
        made.token = text.token  # the number of components differs
    if len(text.indices) == len(base.indices) == len(donor.indices):
        several = zip(text.indices, base.indices, donor.indices, strict=True)
        made.indices = [_index(*each) for each in several]
    return made


def _index(text: Index, base: Index, donor: Index) -> Index:
    if text.relative is None or base.relative is None or donor.relative is None:
        relative = text.relative
    else:
        relative = _operand(text.relative, base.relative, donor.relative)
    same_kind = (text.relative is None) == (base.relative is None)
    kept = donor.kept if same_kind and not text.immediate >> 32 else text.kept
    return Index(text.immediate, relative, kept)
