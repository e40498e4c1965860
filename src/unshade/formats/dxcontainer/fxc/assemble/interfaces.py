"""Class types, class instances and interface slots: the rows of their tables as records.

    // | Type ID  |   0-1   |0    1    2    <          the types of two slots, and below each
    // | Table ID |         |3    4    5    <          its function table

The ID of a class is the number of its row; the file has 0 for all, by all compilers. An instance is
assumed not to be an array, since no table shows the number of elements.
"""

from .....isa.source import Scanner
from ...parts.ifce import ClassInstance, ClassType, InterfaceVariable
from ..listing.interfaces import (
    CLASS_TABLE,
    INSTANCE_TABLE,
    NO_PLACE,
    NONE,
    RULE,
    SLOTS_HEAD,
    TABLES_ROW,
    TYPES_ROW,
)
from .comments import NAME, Comments, number, words

U16 = 0xFFFF
MOST = 0xFFFF  # slots


def classes(comments: Comments) -> list[ClassType]:
    """Read Available Class Types, after the title."""
    comments.heads(CLASS_TABLE)
    found: list[ClassType] = []
    for scanner in comments.rows():
        with comments.mistakes:
            one = ClassType(name=scanner.take(NAME, "the name of a class"))
            at = scanner.at
            row = number(scanner, "an ID", U16)
            if row != len(found):
                raise scanner.place(at).error(f"expected the ID {len(found)}, got {row}")
            one.constant_buffer_stride = number(scanner, "a stride", U16)
            one.texture_count = number(scanner, "a number of textures", U16)
            one.sampler_count = number(scanner, "a number of samplers", U16)
            scanner.finish()
            found.append(one)
    return found


def instances(comments: Comments) -> list[ClassInstance]:
    """Read Available Class Instances, after the title."""
    comments.heads(INSTANCE_TABLE)
    found = []
    for scanner in comments.rows():
        with comments.mistakes:
            one = ClassInstance(name=scanner.take(NAME, "the name of an instance"), elements=1)
            one.type = number(scanner, "a type", U16)
            one.constant_buffer = _place(scanner, "a constant buffer")
            one.constant_buffer_offset = _place(scanner, "an offset in the constant buffer")
            one.texture = _place(scanner, "a texture")
            one.sampler = _place(scanner, "a sampler")
            scanner.finish()
            found.append(one)
    return found


def _place(scanner: Scanner, wanted: str) -> int:
    return NONE if scanner.accept(NO_PLACE) else number(scanner, f"{wanted} or {NO_PLACE}", U16)


def slots(comments: Comments) -> list[InterfaceVariable]:
    """Read the interface slots, after the title."""
    heads = comments.take(SLOTS_HEAD.strip())
    heads.expect(SLOTS_HEAD.strip())
    _rule(comments.take("a rule"))
    found: list[InterfaceVariable] = []
    first = 0
    while (scanner := comments.peek()) is not None and scanner.accept("|"):
        comments.skip()
        slot = InterfaceVariable(span=1)
        _label(scanner, TYPES_ROW)
        at = scanner.at
        lowest = highest = number(scanner, "the first slot", MOST)
        if scanner.accept("-"):
            highest = number(scanner, "the last slot", MOST)
        if lowest != first or highest < lowest:
            raise scanner.place(at).error(
                f"expected slots from {first} on, got {lowest} to {highest}"
            )
        first = highest + 1
        slot.span = first - lowest
        slot.type_ids = _numbers(scanner, U16)
        below = comments.take(f"the row {TABLES_ROW}")
        below.expect("|")
        _label(below, TABLES_ROW)
        slot.table_ids = _numbers(below)
        if len(slot.table_ids) != len(slot.type_ids):
            raise below.place().error(
                f"expected a function table for each of {len(slot.type_ids)} types, got"
                f" {len(slot.table_ids)}"
            )
        _rule(comments.take("a rule"))
        found.append(slot)
    return found


def _rule(scanner: Scanner) -> None:
    if words(scanner.rest) != RULE:
        raise scanner.expected(f"the rule {RULE[:12]}…")


def _label(scanner: Scanner, label: str) -> None:
    scanner.expect(label)
    scanner.expect("|")


def _numbers(scanner: Scanner, most: int = 0xFFFF_FFFF) -> list[int]:
    """Read the numbers up to the end of the line."""
    scanner.expect("|")
    found = []
    while not scanner.done:
        found.append(number(scanner, "a number", most))
    return found
