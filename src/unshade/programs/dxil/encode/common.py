"""Numbers of everything that records refer to, and the merging of new records into old blocks."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ....errors import EncodeError
from ..bitstream import ANY, BitBlock, BitRecord
from ..bitstream.items import Item
from ..model.metadata import Metadata
from ..model.module import DxilModule
from ..model.types import DxilType
from ..model.typetable import children_first
from ..model.values import AttributeList, BasicBlock, DxilValue

__all__ = ["Numbers", "Part", "characters", "exponent", "merge", "rotate"]

# A new item, and the one of the old block that it stands for.
Part: TypeAlias = tuple[Item | None, Item]


class Numbers:
    """The numbers of a module's types, values, metadata and attributes.

    A type that is not yet in the table is added, after its element types. With
    `is_fresh`, records are new, even where the old records are equal.
    """

    def __init__(self, module: DxilModule, is_fresh: bool = False) -> None:
        self.module = module
        self.is_fresh = is_fresh
        self.types = {type: number for number, type in enumerate(module.types.rows)}
        self.open: set[DxilType] = set()
        self.values: dict[DxilValue, int] = {}
        self.metadata: dict[Metadata, int] = {}
        self.blocks: dict[BasicBlock, int] = {}
        self.attributes: dict[AttributeList | None, int] = {None: 0}
        for number, each in enumerate(module.attributes, 1):
            self.attributes.setdefault(each, number)
        self.path = "module"

    def fail(self, problem: str) -> EncodeError:
        return EncodeError(problem, path=self.path)

    def record(self, old: BitRecord | None, code: int, operands: list[int]) -> Part:
        """Return a record: the old record if equal, else a new one with its abbreviation."""
        if old is None or self.is_fresh:
            return None, BitRecord(code, operands, ANY)
        if old.code == code and old.operands == operands:
            return old, old
        return old, BitRecord(code, operands, old.abbreviation if old.code == code else ANY)

    def type(self, type: DxilType) -> int:
        """Return the number of a type."""
        known = self.types
        number = known.get(type)
        if number is None:
            for each in children_first(type, known, self.open):
                known[each] = len(self.module.types.rows)
                self.module.types.add(each)
            number = known[type]
        return number

    def value(self, value: DxilValue) -> int:
        """Return the number of a value."""
        try:
            return self.values[value]
        except (KeyError, TypeError):
            problem = f"expected a value of the module or function, got {value!r:.60}"
            raise self.fail(problem) from None

    def value_or_none(self, value: DxilValue | None) -> int:
        """Return the number of a value plus 1, or 0."""
        return 0 if value is None else self.value(value) + 1

    def node(self, metadata: Metadata) -> int:
        """Return the number of metadata."""
        try:
            return self.metadata[metadata]
        except (KeyError, TypeError):
            problem = f"expected metadata of the module, got {metadata!r:.60}"
            raise self.fail(problem) from None

    def node_or_none(self, metadata: Metadata | None) -> int:
        """Return the number of metadata plus 1, or 0."""
        return 0 if metadata is None else self.node(metadata) + 1

    def basic_block(self, block: BasicBlock) -> int:
        """Return the number of a basic block."""
        try:
            return self.blocks[block]
        except (KeyError, TypeError):
            raise self.fail(f"expected a block of the function, got {block!r:.60}") from None

    def attribute_list(self, attributes: AttributeList | None) -> int:
        """Return the number of attributes."""
        try:
            return self.attributes[attributes]
        except (KeyError, TypeError):
            raise self.fail("expected attributes of the module") from None


def characters(text: str, old: BitRecord | None = None, skipped: int = 0) -> list[int]:
    """Return text as operands, reusing equal operands of the old record.

    LLVM writes some characters with their sign, as large numbers.
    """
    found = list(text.encode("utf-8", "surrogateescape"))
    if old is not None:
        before = old.operands[skipped:]
        if len(before) == len(found) and [each & 0xFF for each in before] == found:
            return before
    return found


def exponent(alignment: int) -> int:
    """Return an alignment as its logarithm plus 1; 0 for none."""
    return alignment.bit_length()


def rotate(number: int) -> int:
    """Return a signed number of 64 bits with its sign in the lowest bit."""
    if number >= 0:
        return number << 1
    return (-number << 1 | 1) & 0xFFFF_FFFF_FFFF_FFFF


def merge(
    block: BitBlock, new: Sequence[Part], codes: Iterable[int], inner: Iterable[int] = ()
) -> BitBlock:
    """Return a block in which new items replace old ones.

    `codes` and `inner` list the kinds of records and blocks that the model represents: an old item
    of these kinds without a replacement is removed. All other items, such as definitions of
    abbreviations, stay in their places.
    """
    owned, owned_blocks = frozenset(codes), frozenset(inner)
    places = {id(item): at for at, item in enumerate(block.items)}
    found: list[Item] = []
    at = 0

    def skip(end: int) -> None:
        for item in block.items[at:end]:
            if isinstance(item, BitRecord):
                stays = item.code not in owned
            else:
                stays = not isinstance(item, BitBlock) or item.id not in owned_blocks
            if stays:
                found.append(item)

    for old, item in new:
        place = -1 if old is None else places.get(id(old), -1)
        if place >= at:
            skip(place)
            at = place + 1
        found.append(item)
    skip(len(block.items))
    if len(found) == len(block.items) and all(map(_is, found, block.items)):
        return block
    return block.with_items(found)


def _is(one: Item, other: Item) -> bool:
    return one is other or (isinstance(one, BitRecord) and one == other)
