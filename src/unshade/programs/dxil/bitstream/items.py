"""The contents of a bitstream: a tree of blocks, records and abbreviations.

Everything that LLVM's writer always computes is absent: lengths of blocks, padding, the number
of chunks of a VBR. Where a file differs, `irregular` records the difference.
"""

from collections.abc import Iterator
from typing import TypeAlias

from .abbreviation import Abbreviation

__all__ = [
    "ANY",
    "BLOCKINFO",
    "UNABBREVIATED",
    "AbbreviationDefinition",
    "BitBlock",
    "BitRecord",
    "Bitstream",
    "Item",
]

# Abbreviation ids that every block has; ids of defined abbreviations begin with 4.
END_BLOCK, ENTER_SUBBLOCK, DEFINE_ABBREV, UNABBREVIATED = 0, 1, 2, 3
ANY = -1  # of a new record: the writer takes the abbreviation that makes it shortest
BLOCKINFO = 0  # id of the block that has abbreviations for all blocks of an id
SETBID = 1  # record of BLOCKINFO: the block id that the following abbreviations are for


class BitRecord:
    """A record: a code and operands, unsigned numbers of up to 64 bits.

    `abbreviation` is the id that it is written with, or ANY; `blob` the bytes of a blob.
    `irregular` maps the position of a VBR in the record to superfluous chunks, or is None.
    """

    __slots__ = ("abbreviation", "blob", "code", "irregular", "operands")

    def __init__(
        self,
        code: int,
        operands: list[int],
        abbreviation: int = UNABBREVIATED,
        blob: bytes | None = None,
        irregular: dict[int, int] | None = None,
    ) -> None:
        self.code = code
        self.operands = operands
        self.abbreviation = abbreviation
        self.blob = blob
        self.irregular = irregular

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BitRecord) and all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__
        )

    __hash__ = None  # type: ignore[assignment]  # it is mutable

    def __repr__(self) -> str:
        return f"<BitRecord {self.code} {self.operands!r:.80}>"


class AbbreviationDefinition:
    """The definition of an abbreviation for later records of its block or of a BLOCKINFO target."""

    __slots__ = ("abbreviation", "irregular")

    def __init__(self, abbreviation: Abbreviation, irregular: dict[int, int] | None = None) -> None:
        self.abbreviation = abbreviation
        self.irregular = irregular

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AbbreviationDefinition)
            and self.abbreviation == other.abbreviation
            and self.irregular == other.irregular
        )

    __hash__ = None  # type: ignore[assignment]  # it is mutable


class BitBlock:
    """A block: its id, the width of its abbreviation ids, and its items in order.

    `irregular` maps "id" and "width" to superfluous VBR chunks, "padding" and "end" to padding bits
    at the start and end, and "length" to the words by which the length is wrong; or is None.
    """

    __slots__ = ("id", "irregular", "items", "width")

    def __init__(
        self,
        id: int,
        width: int,
        items: "list[Item] | None" = None,
        irregular: dict[str, int] | None = None,
    ) -> None:
        self.id = id
        self.width = width
        self.items: list[Item] = [] if items is None else items
        self.irregular = irregular

    @property
    def records(self) -> Iterator[BitRecord]:
        """The records of the block itself."""
        return (each for each in self.items if isinstance(each, BitRecord))

    @property
    def blocks(self) -> "Iterator[BitBlock]":
        """The blocks directly inside this block."""
        return (each for each in self.items if isinstance(each, BitBlock))

    def with_items(self, items: "list[Item]") -> "BitBlock":
        """Return a block with other items; its length is computed."""
        kept = {key: each for key, each in (self.irregular or {}).items() if key != "length"}
        return BitBlock(self.id, self.width, items, kept or None)

    def __eq__(self, other: object) -> bool:
        """Compare trees without recursion: files may nest deeply."""
        waiting: list[tuple[object, object]] = [(self, other)]
        while waiting:
            one, two = waiting.pop()
            if isinstance(one, BitBlock):
                if not isinstance(two, BitBlock) or len(one.items) != len(two.items):
                    return False
                if (one.id, one.width, one.irregular) != (two.id, two.width, two.irregular):
                    return False
                waiting.extend(zip(one.items, two.items, strict=True))
            elif one != two:
                return False
        return True

    __hash__ = None  # type: ignore[assignment]  # it is mutable

    def __repr__(self) -> str:
        return f"<BitBlock {self.id} of {len(self.items)} items>"


Item: TypeAlias = BitRecord | AbbreviationDefinition | BitBlock


class Bitstream:
    """A file: blocks, the bytes after the last block, and the wrapper, if any.

    `wrapper` is the header of Darwin's bitcode wrapper (magic number 0x0B17C0DE) up to the
    bitcode, `outside` the bytes beyond the size that the wrapper declares.
    """

    __slots__ = ("blocks", "outside", "trailing", "wrapper")

    def __init__(
        self,
        blocks: list[BitBlock],
        trailing: bytes = b"",
        wrapper: bytes = b"",
        outside: bytes = b"",
    ) -> None:
        self.blocks = blocks
        self.trailing = trailing
        self.wrapper = wrapper
        self.outside = outside

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bitstream) and all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__
        )

    __hash__ = None  # type: ignore[assignment]  # it is mutable
