"""Records with every kind of field that `wire` can declare, for the tests of this folder.

Each record has one feature, so a failing test shows which one is broken.
"""

from enum import IntEnum

from unshade.wire import (
    U16,
    U32,
    Array,
    Blob,
    CString,
    Nested,
    Record,
    TaggedUnion,
    array,
    blob,
    derived,
    f32,
    field,
    i8,
    i16,
    i32,
    nested,
    pointer,
    rest,
    switch,
    text,
    u8,
    u16,
    u32,
    u64,
    unknown,
)
from unshade.wire.types import U8


class Colour(IntEnum):
    """An enumeration without a name for 1."""

    RED = 0
    BLUE = 2


class Numbers(Record, source="the tests"):
    """Every scalar, 29 bytes."""

    a: u8 = field("1 byte")
    b: u16 = field("2 bytes")
    c: u32 = field("4 bytes")
    d: u64 = field("8 bytes")
    e: i8 = field("1 byte, signed")
    f: i16 = field("2 bytes, signed")
    g: i32 = field("4 bytes, signed")
    h: f32 = field("4 bytes, a float")
    colour: u8 = field("a colour", enum=Colour)
    odd: u16 = unknown()


class Sized(Record):
    """A count and a size derived from other fields."""

    count: u8 | None = derived("items", "len(items)")
    size: u8 | None = derived("bytes of raw", "len(raw)")
    items: list[int] = array("items", U16, count="count")
    raw: bytes = blob("raw bytes", "size")


class Prefixed(Record):
    """A text with its size before it, and one of fixed size."""

    size: u8 | None = derived("bytes of the text", "size(name)")
    name: str = text("of that size", "size")
    code: str = text("always 3 bytes", 3, default="abc")


class Loose(Record):
    """A derived number that may disagree in a file."""

    value: u8 = field("a number")
    twice: u8 | None = derived("two times that", "value * 2")


class Named(Record):
    """An inline string between two numbers."""

    before: u8 = field("before")
    name: str = text("a name")
    after: u8 = field("after")


class Tail(Record):
    """Raw bytes up to the end of the region."""

    kind: u8 = field("kind")
    raw: bytes = blob("all that is left")


class Fixed(Record):
    """Fixed numbers of items and bytes."""

    magic: bytes = blob("four bytes", 4, default=b"MAGI")
    words: list[int] = array("two words", U32, count=2)
    floats: list[float] = array("as many floats as fit", f32)


class Pair(Record):
    """Two bytes, which the batch reader can read."""

    low: u8 = field("low")
    high: u8 = field("high")


class Pairs(Record):
    """Records up to the end of the region."""

    pairs: list[Pair] = array("pairs", Pair)


class Matrix(Record):
    """Arrays of strings and of records of variable size."""

    rows: u8 | None = derived("rows", "len(names)")
    names: list[str] = array("names", CString(), count="rows")
    sized: list[Sized] = array("records of varying size", Sized, count="rows")


class Item(Record, params=("version",)):
    """An item with a field since version 2, and possibly unknown bytes after it."""

    first: u8 = field("first")
    second: u8 = field("second", default=0, when="version >= 2")
    more: bytes = rest()


class Strided(Record):
    """An array with an explicit stride."""

    stride: u8 = field("bytes from one item to the next")
    count: u8 | None = derived("items", "len(items)")
    items: list[Item] = array(
        "items", Nested(Item, version="2 if stride >= 2 else 1"), count="count", stride="stride"
    )


class Plain(Record):
    """An item of two bytes that may be longer."""

    value: u16 = field("value")
    more: bytes = rest()


class StridedAway(Record):
    """A pointer to an array with an explicit stride."""

    stride: u8 = field("bytes from one item to the next")
    count: u8 | None = derived("items", "len(items)")
    items: list[Plain] = pointer("items", Array(Nested(Plain), count="count", stride="stride"))


class Versioned(Record, params=("version",)):
    """Fields that depend on the version or on flags."""

    flags: u8 = field("1: a name follows")
    size: u16 = field("of version 2", default=0, when="version >= 2")
    name: str = text("only with the flag", default="", when="flags & 1")
    number: u32 = field("only with the second flag", default=0, when="flags & 2")
    inner: Item = nested("an item of the same version", Item, version="version")


class Circle(Record):
    """A case of `Shape`."""

    radius: u16 = field("radius")


class Box(Record):
    """A case of `Shape`."""

    width: u8 = field("width")
    height: u8 = field("height")
    depth: u8 = field("depth")


class Blank(Record):
    """The case of `AnyShape` for all other tags."""

    one: u8 = field("one byte", default=1)


class Shape(Record):
    """A union of two records, selected by a tag."""

    kind: u8 = field("0 circle, 1 box")
    body: Circle | Box = switch("the shape", "kind", {0: Circle, 1: Box})


class AnyShape(Record):
    """A union with a default case."""

    kind: u8 = field("0 circle, else blank")
    body: Circle | Blank = switch("the shape", "kind", {0: Circle}, other=Blank)


class FarShape(Record):
    """A pointer to a union."""

    kind: u8 = field("0 circle, 1 box")
    body: Circle | Box = pointer(
        "the shape", TaggedUnion("kind", {0: Nested(Circle), 1: Nested(Box)})
    )


class Words(Record):
    """Pointers to strings; equal strings are stored once."""

    first: str = pointer("text", CString())
    second: str = pointer("text", CString())
    third: str | None = pointer("text or none", CString(), null=0)


class Leaf(Record):
    """A row of a table, with a pointer of its own."""

    name: str = pointer("name", CString())
    value: u32 = field("value")


class Branches(Record):
    """A pointer to a table whose rows have pointers."""

    count: u32 | None = derived("rows", "len(rows)")
    rows: list[Leaf] = pointer("rows", Array(Nested(Leaf), count="count"), null=0)


class Sharing(Record):
    """Equal targets of `a` and `b` are stored once; that of `c` is stored separately."""

    a: Pair = pointer("shared", Nested(Pair), share=True)
    b: Pair = pointer("shared", Nested(Pair), share=True)
    c: Pair = pointer("not shared", Nested(Pair))


class Scoped(Record):
    """A pointer whose target is shared only within the same group."""

    group: u8 = field("which group")
    target: Pair = pointer(
        "shared in a group",
        Nested(Pair),
        share=True,
        scope=lambda target, trail: trail.record.group,
    )


class Groups(Record):
    """Three scoped pointers."""

    members: list[Scoped] = array("members", Scoped, count=3)


class Ordered(Record):
    """Two pointers, the second of which is followed first."""

    late: Pair = pointer("second", Nested(Pair))
    early: Pair = pointer("first", Nested(Pair), order=-1)


class Chain(Record):
    """A linked list."""

    value: u8 = field("value")
    next: "Chain | None" = pointer("the next", Nested("Chain"), null=0)


class Inward(Record):
    """A linked list stored from the last link to the first."""

    value: u8 = field("value")
    next: "Inward | None" = pointer("the next", Nested("Inward"), null=0, children_first=True)


class Later(Record):
    """Two tables, followed by the targets of both."""

    first: list[Leaf] = pointer("first", Array(Nested(Leaf), count=1), placed_after=1)
    second: list[Leaf] = pointer("second", Array(Nested(Leaf), count=1), placed_after=1)


class Tree(Record):
    """A node with inline children."""

    value: u8 = field("value")
    count: u8 | None = derived("children", "len(children)")
    children: list["Tree"] = array("children", Nested("Tree"), count="count")


class Command(Record):
    """A tree of unions: a number, or two commands."""

    tag: u8 = field("0 a number, 1 a sum")
    body: "Circle | Sum" = switch("the command", "tag", {0: Circle, 1: Nested("Sum")})


class Sum(Record):
    """Two inline commands."""

    left: Command = nested("left", Command)
    right: Command = nested("right", Command)


class Blobs(Record):
    """Pointers to bytes and numbers, with slots of different widths."""

    size: u8 | None = derived("bytes", "len(raw)")
    raw: bytes = pointer("raw", Blob("size"), slot=U16, align=8)
    count: u8 | None = derived("numbers", "len(numbers)")
    numbers: list[int] = pointer("numbers", Array(U16, count="count"), slot=U8, null=0xFF)


class Present(Record):
    """A table that is present, even if empty, for one kind."""

    kind: u8 = field("5: has a table")
    count: u8 | None = derived("items", "len(items)")
    items: list[int] = pointer(
        "table", Array(U8, count="count"), null=0, present="kind == 5", slot=U8
    )


class NarrowSlots(Record):
    """Two pointers with slots too narrow for a large region."""

    first: bytes = pointer("bytes", Blob("70000"), slot=U16)
    second: bytes = pointer("bytes", Blob("1"), slot=U16)


class SharedChain(Record):
    """A linked list with shared targets."""

    value: u8 = field("value")
    next: "SharedChain | None" = pointer("the next", Nested("SharedChain"), null=0, share=True)


class LaterChain(Record):
    """A linked list whose targets are placed after."""

    value: u8 = field("value")
    next: "LaterChain | None" = pointer("the next", Nested("LaterChain"), null=0, placed_after=1)
