"""Older layouts, all of version 1, and their conversion to the layout of c110b1b and back.

    d6c226a             no type; u8 counts; bindings without stages; uniform: u32 size, u32 n,
                        members: u32 offset, u32 name size, name
    adb6b69 … 11afc76   u32 counts; uniform: u32 size, u16 stages, u32 n, members as before
    449c2f6 … e480f91   members: u32 offset, u8 × 4 type, u32 name size, name
    a77136f             the same; a uniform of size 0 ends after it
    0209e93 … 553a92c   today's records without the sizes of modules

Until a77136f the numbers are others: base types from 7 on (UNIFORM came before RO_BUFFER), ranks
from 1 on, types of texels are base types.

A layout matches if it ends exactly at the end of the file. The last layout does not contain sizes:
modules are separated by finding where a module ends and the magic number of the next begins; a file
may contain no modules.

Source: the history of VSL's compiler from d6c226a to c110b1b; no file is known.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from struct import pack, unpack

from ...errors import FormatError
from ...tuples import NamedTuple

__all__ = [
    "LAYOUTS",
    "Converted",
    "Converter",
    "DoesNotFit",
    "OlderLayout",
    "layout_of",
    "to_older",
]

STAGES = 5
SIZES = f"<{STAGES}H"
OBJECTS = 4, 48, 40  # bytes of a subpass input: the documented record, or an object
TABLES = 10  # bytes
SPIRV = b"\x03\x02\x23\x07"  # start of a module
BUFFERS = 7, 8  # base types of today
MEMBER_TYPE = 4  # bytes

# Numbers of today by those until a77136f; others are the same.
BASES = {7: 12, 8: 7, 9: 8, 10: 9, 11: 10, 12: 11}


class OlderLayout(NamedTuple):
    """A layout before commit c110b1b."""

    commits: str
    date: str
    counts: int = 4  # bytes of a count
    typed: bool = True  # a type follows the version
    sizes: bool = True  # the header has the sizes of modules
    numbers: bool = True  # base types, ranks and types of texels have other numbers
    stages: int = 2  # bytes of a mask of stages
    type: int = MEMBER_TYPE  # bytes of a member's type
    always: bool = False  # a uniform of size 0 has members, too


LAYOUTS = {
    each.commits: each
    for each in (
        OlderLayout("a77136f", "2021-01-13"),
        OlderLayout("449c2f6 to e480f91", "2021-01-09", always=True),
        OlderLayout("adb6b69 to 11afc76", "2021-01-04", type=0, always=True),
        OlderLayout("d6c226a", "2021-01-03", counts=1, typed=False, stages=0, type=0, always=True),
        OlderLayout("0209e93 to 553a92c", "2021-01-23", sizes=False, numbers=False),
    )
}

# From data, the words of the modules that they are, by place in the header; None if they are not.
Split = Callable[[bytes], Sequence[int] | None]


class ConvertedField(NamedTuple):
    """Bytes of the older layout at an offset, and today's; either may be empty."""

    at: int
    older: bytes
    today: bytes


class Converted(NamedTuple):
    """A file in both layouts; the pieces are in the order of today's."""

    pieces: tuple[ConvertedField, ...]

    @property
    def older(self) -> bytes:
        """The file in its own layout."""
        return b"".join(each.older for each in sorted(self.pieces))

    @property
    def today(self) -> bytes:
        """The file in the layout of c110b1b."""
        return b"".join(each.today for each in self.pieces)

    def moved(self, places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Convert (start, end) from today's layout to the older; empty if absent there."""
        starts = list(accumulate((len(each.today) for each in self.pieces), initial=0))
        found = []
        for start, end in places:
            first = bisect_right(starts, start) - 1
            piece = self.pieces[min(first, len(self.pieces) - 1)]
            at = piece.at
            if len(piece.older) == len(piece.today):
                at += start - starts[first]
                found.append((at, at + end - start))
            else:
                found.append((at, at + len(piece.older)))
        return found

    def without_today(self) -> list[ConvertedField]:
        """Return the pieces that today's layout does not have."""
        return [each for each in self.pieces if each.older and not each.today]


class DoesNotFit(Exception):
    """Raised for data that do not have a layout; never leaves this package.

    `offset` is where they break it.
    """

    def __init__(self, problem: str, offset: int) -> None:
        super().__init__(problem)
        self.offset = offset


class Converter:
    """A pass over a file in either layout, which writes both layouts."""

    def __init__(self, data: bytes, layout: OlderLayout, is_older: bool) -> None:
        self.data = data
        self.layout = layout
        self.is_older = is_older
        self.at = 0
        self.older_at = 0
        self.pieces: list[ConvertedField] = []

    def take(self, size: int) -> bytes:
        """Return the next bytes of the source."""
        start, self.at = self.at, self.at + size
        if self.at > len(self.data):
            left = len(self.data) - start
            raise DoesNotFit(f"expected {size} more bytes, got {left}", start)
        return self.data[start : self.at]

    def copy(self, size: int) -> bytes:
        """Copy bytes that are the same in both layouts."""
        found = self.take(size)
        self._add(found, found)
        return found

    def _add(self, older: bytes, today: bytes) -> None:
        self.pieces.append(ConvertedField(self.older_at, older, today))
        self.older_at += len(older)

    def number(
        self, older: int, today: int, default: int = 0, numbers: Mapping[int, int] | None = None
    ) -> int:
        """Convert a number of these sizes, and return today's number.

        If a layout lacks the number, its value is `default`. `numbers` maps older numbers to
        today's.
        """
        size, at = older if self.is_older else today, self.at
        known = int.from_bytes(self.take(size), "little") if size else default
        if numbers and self.layout.numbers:
            back = {value: key for key, value in numbers.items()}
            old = known if self.is_older else back.get(known, known)
            new = numbers.get(known, known) if self.is_older else known
        else:
            old = new = known
        for number, bytes_ in ((old, older), (new, today)):
            if bytes_ and number >> 8 * bytes_:
                raise DoesNotFit(f"expected a number of {bytes_} bytes, got {number}", at)
            if not bytes_ and number != default:
                raise DoesNotFit(f"expected {default}, got {number}", at)
        made = [n.to_bytes(s, "little") if s else b"" for n, s in ((old, older), (new, today))]
        self._add(*made)
        return new

    # -- the parts of a file ---------------------------------------------------------------------

    def convert(self, split: Split) -> None:
        """Convert a whole file."""
        layout = self.layout
        self.copy(4)
        type_ = self.number(int(layout.typed), 1, default=1)
        if type_ != 1:
            raise DoesNotFit(f"expected type 1 (graphics), got {type_}", 4)
        header = len(self.pieces)
        if layout.sizes:
            words: Sequence[int] = [self.number(2, 2) for _ in range(STAGES)]
        else:
            found = bytes(2 * STAGES) if self.is_older else self.take(2 * STAGES)
            self._add(b"", found)
            words = unpack(SIZES, found)
        self.copy(TABLES)
        for _ in range(2):
            for _ in range(self.number(layout.counts, 4)):
                self.copy(1)
                self.number(1, 1, numbers=BASES)
                self.copy(6)
        for _ in range(self.number(layout.counts, 4)):
            self._binding()
        self._uniform()
        count = self.number(4, 4)
        if self.is_older and not layout.sizes:
            words = self._modules(count, header, split)
        self._subpasses(count, 4 * sum(words))
        for each in words:
            self.copy(4 * each)
        if self.at != len(self.data):
            left = len(self.data) - self.at
            raise DoesNotFit(f"expected the end of the file, got {left} more bytes", self.at)

    def _binding(self) -> None:
        layout = self.layout
        self.copy(1)
        base = self.number(1, 1, numbers=BASES)
        self.number(layout.stages, 2)
        if base not in BUFFERS:
            self.number(1, 1, numbers=RANKS)
            self.number(1, 1, numbers=TEXELS)
            self.copy(2)
            self.number(0 if layout.stages else 2, 0)
        elif layout.stages:
            self.copy(4)
        else:  # padding before and after the size
            self.number(1, 0)
            self.copy(2)
            self.number(3, 2)

    def _uniform(self) -> None:
        layout = self.layout
        wide = 4 if layout.sizes else 2
        size = self.number(wide, 2)
        if not size:
            if layout.always:
                self.number(layout.stages, 0)
                self.number(4, 0)
            return
        self.number(layout.stages, 2)
        for _ in range(self.number(4, 4)):
            self._member()

    def _member(self) -> None:
        """Convert a member, whose name came last until a77136f and comes first today."""
        if not self.layout.sizes:
            self.copy(self.copy(1)[0])
            self.copy(2 + MEMBER_TYPE)
            return
        start, at = len(self.pieces), self.older_at
        if self.is_older:
            try:
                self.number(4, 2)
                self._type()
                self.copy(self.number(4, 1))
            except DoesNotFit:
                del self.pieces[start:]  # the order is not today's yet
                raise
            offset, *type_, length, name = self.pieces[start:]
        else:
            self.copy(self.number(4, 1))
            self.number(4, 2)
            self._type()
            length, name, offset, *type_ = self.pieces[start:]
            placed = []
            for each in (offset, *type_, length, name):
                placed.append(each._replace(at=at))
                at += len(each.older)
            offset, *type_, length, name = placed
        self.pieces[start:] = [length, name, offset, *type_]

    def _type(self) -> None:
        """Convert the type of a member; VOID without dimensions if the layout lacks types."""
        size = 1 if self.layout.type else 0
        self.number(size, 1, numbers=BASES if size else None)
        for _ in range(3):
            self.number(size, 1)

    def _modules(self, count: int, header: int, split: Split) -> Sequence[int]:
        """Replace the placeholder sizes of modules in the header, and return the sizes."""
        for size in OBJECTS:
            code = self.data[self.at + size * count :]
            words = split(code) if self.at + size * count <= len(self.data) else None
            if words is not None and max(words) < 1 << 16 and 4 * sum(words) == len(code):
                self.pieces[header] = self.pieces[header]._replace(today=pack(SIZES, *words))
                return words
        starts = [self.at + size * count for size in OBJECTS]
        at = next((each for each in starts if self.data[each:].startswith(SPIRV)), self.at)
        left = len(self.data) - at
        raise DoesNotFit(f"expected whole modules or the end of the file, got {left} bytes", at)

    def _subpasses(self, count: int, code: int) -> None:
        left = len(self.data) - self.at - code
        if self.layout.numbers:
            for _ in range(count):
                self.number(1, 1, numbers=TEXELS)
                self.copy(3)
        elif any(left == size * count for size in OBJECTS):
            self.copy(left)
        else:
            raise DoesNotFit(f"expected {count} subpass inputs, got {left} bytes", self.at)


# The numbers that wrap around have no meaning in either layout.
RANKS = {number: (number - 1) & 0xFF for number in range(256)}
TEXELS = {number: (number - 2) & 0xFF for number in range(256)}


def layout_of(data: bytes, split: Split) -> tuple[OlderLayout, Converted] | None:
    """Return the older layout that a file has, with the file; None if no older layout matches."""
    if data[:4] != b"VBC\x01":
        return None
    for layout in LAYOUTS.values():
        made = Converter(data, layout, True)
        try:
            made.convert(split)
        except DoesNotFit:
            continue
        return layout, Converted(tuple(made.pieces))
    return None


def to_older(today: bytes, layout: OlderLayout, split: Split) -> Converted:
    """Return a file of today's layout in both layouts.

    Raises:
        FormatError: The older layout cannot hold it.
    """
    made = Converter(today, layout, False)
    try:
        made.convert(split)
        found = Converted(tuple(made.pieces))
        again = Converter(found.older, layout, True)
        again.convert(split)
    except DoesNotFit as error:
        raise FormatError(f"{error}, in the layout of {layout.commits}", path="layout") from None
    if Converted(tuple(again.pieces)).today != today:
        raise FormatError(f"the layout of {layout.commits} cannot hold it", path="layout")
    return found
