"""One value of each record of `records.py`, with its bytes worked out by hand."""

from typing import NamedTuple

from tests.wire import records as r
from unshade.wire import NanBits, Record


class Case(NamedTuple):
    """A record, its arguments, its bytes in hex, and the number of padding bytes."""

    record: Record
    data: str
    arguments: tuple[tuple[str, object], ...] = ()
    padding: int = 0

    @property
    def bytes(self) -> bytes:
        return bytes.fromhex(self.data)


V1, V2 = (("version", 1),), (("version", 2),)

# fmt: off
CASES = {
    "every scalar": Case(
        r.Numbers(a=1, b=0x203, c=0x4050607, d=0x8090A0B0C0D0E0F, e=-1, f=-2, g=-3, h=1.5,
                  colour=2, odd=7),
        "01 0302 07060504 0f0e0d0c0b0a0908 ff feff fdffffff 0000c03f 02 0700"),
    "a colour without a name": Case(r.Numbers(colour=1), "00" * 26 + "01 0000"),
    "a NaN": Case(r.Numbers(h=NanBits(0x7F800001)), "00" * 22 + "0100807f 00 0000"),
    "counts that agree": Case(r.Sized(items=[1, 0x203], raw=b"abc"), "02 03 0100 0302 616263"),
    "empty counts": Case(r.Sized(), "00 00"),
    "derived and agreeing": Case(r.Loose(value=4), "04 08"),
    "derived and disagreeing": Case(r.Loose(value=4, twice=9), "04 09"),
    "text in place": Case(r.Named(before=1, name="é", after=2), "01 c3a900 02"),
    "text of a stated size": Case(r.Prefixed(name="é\0a"), "04 c3a90061 616263"),
    "text of a stated size that is not UTF-8": Case(r.Prefixed(name="\udcff", code="\udc80bc"),
                                                    "01 ff 806263"),
    "text of size 0": Case(r.Prefixed(), "00 616263"),
    "empty text": Case(r.Named(), "00 00 00"),
    "text that is not UTF-8": Case(r.Named(name="a\udcff"), "00 61ff00 00"),
    "bytes to the end": Case(r.Tail(kind=1, raw=b"rest"), "01 72657374"),
    "no bytes to the end": Case(r.Tail(kind=1), "01"),
    "fixed arrays": Case(r.Fixed(magic=b"abcd", words=[1, 2], floats=[0.5, -0.0]),
                         "61626364 01000000 02000000 0000003f 00000080"),
    "a batch of records": Case(r.Pairs(pairs=[r.Pair(low=1, high=2), r.Pair(low=3, high=4)]),
                               "01020304"),
    "no records": Case(r.Pairs(), ""),
    "items of varying size": Case(
        r.Matrix(names=["a", "bc"], sized=[r.Sized(raw=b"x"), r.Sized(items=[5])]),
        "02 6100 626300 00 01 78 01 00 0500"),
    "items of the old size": Case(r.Strided(stride=1, items=[r.Item(first=7), r.Item(first=8)]),
                                  "01 02 07 08"),
    "items of the known size": Case(r.Strided(stride=2, items=[r.Item(first=7, second=9)]),
                                    "02 01 07 09"),
    "longer items": Case(
        r.Strided(stride=4, items=[r.Item(first=7, second=9, more=b"ab"),
                                   r.Item(first=1, second=2, more=b"cd")]),
        "04 02 0709 6162 0102 6364"),
    "strided items far away": Case(
        r.StridedAway(stride=2, items=[r.Plain(value=1), r.Plain(value=2)]),
        "02 02 08000000 0000 0100 0200", padding=2),
    "longer items far away": Case(
        r.StridedAway(stride=3, items=[r.Plain(value=1, more=b"x"), r.Plain(value=2, more=b"y")]),
        "03 02 08000000 0000 010078 020079", padding=2),
    "version 1": Case(r.Versioned(inner=r.Item(first=3)), "00 03", V1),
    "version 2": Case(r.Versioned(size=5, inner=r.Item(first=3, second=4)), "00 0500 03 04", V2),
    "one optional field": Case(r.Versioned(flags=1, name="n", inner=r.Item()), "01 6e00 00", V1),
    "both optional fields": Case(
        r.Versioned(flags=3, size=1, name="n", number=2, inner=r.Item()),
        "03 0100 6e00 02000000 00 00", V2),
    "first case": Case(r.Shape(kind=0, body=r.Circle(radius=5)), "00 0500"),
    "second case": Case(r.Shape(kind=1, body=r.Box(width=1, height=2, depth=3)), "01 010203"),
    "any other case": Case(r.AnyShape(kind=9, body=r.Blank(one=4)), "09 04"),
    "first case, far away": Case(r.FarShape(kind=0, body=r.Circle(radius=5)),
                                 "00 08000000 000000 0500", padding=3),
    "second case, far away": Case(r.FarShape(kind=1, body=r.Box(width=1, height=2, depth=3)),
                                  "01 08000000 000000 010203", padding=3),
    "equal texts": Case(r.Words(first="ab", second="ab", third="c"),
                        "0c000000 0c000000 0f000000 616200 6300"),
    "no third text": Case(r.Words(first="", second="x"), "0c000000 0d000000 00000000 00 7800"),
    "a table": Case(
        r.Branches(rows=[r.Leaf(name="a", value=1), r.Leaf(name="b", value=2)]),
        "02000000 08000000 18000000 01000000 1a000000 02000000 6100 6200"),
    "no table": Case(r.Branches(), "00000000 00000000"),
    "shared targets": Case(
        r.Sharing(a=r.Pair(low=1), b=r.Pair(low=1), c=r.Pair(low=1)),
        "0c000000 0c000000 10000000 0100 0000 0100", padding=2),
    "different targets": Case(
        r.Sharing(a=r.Pair(low=1), b=r.Pair(low=2), c=r.Pair(low=3)),
        "0c000000 10000000 14000000 0100 0000 0200 0000 0300", padding=4),
    "a scope": Case(
        r.Groups(members=[r.Scoped(group=g, target=r.Pair(low=1)) for g in (1, 2, 1)]),
        "01 10000000 02 14000000 01 10000000 00 0100 0000 0100", padding=3),
    "an order": Case(r.Ordered(late=r.Pair(low=1), early=r.Pair(low=2)),
                     "0c000000 08000000 0200 0000 0100", padding=2),
    "a chain": Case(r.Chain(value=1, next=r.Chain(value=2)),
                    "01 08000000 000000 02 00000000", padding=3),
    "a chain backwards": Case(
        r.Inward(value=1, next=r.Inward(value=2, next=r.Inward(value=3))),
        "01 10000000 000000 03 00000000 000000 02 08000000", padding=6),
    "later": Case(
        r.Later(first=[r.Leaf(name="a", value=1)], second=[r.Leaf(name="b", value=2)]),
        "08000000 10000000 18000000 01000000 1a000000 02000000 6100 6200"),
    "a tree": Case(
        r.Tree(value=1, children=[r.Tree(value=2), r.Tree(value=3, children=[r.Tree()])]),
        "01 02 02 00 03 01 00 00"),
    "commands": Case(
        r.Command(tag=1, body=r.Sum(left=r.Command(tag=0, body=r.Circle(radius=1)),
                                    right=r.Command(tag=0, body=r.Circle(radius=2)))),
        "01 00 0100 00 0200"),
    "bytes and numbers far away": Case(
        r.Blobs(raw=b"abc", numbers=[1, 2]), "03 0800 02 0c 000000 616263 00 0100 0200", padding=4),
    "nothing far away": Case(r.Blobs(), "00 0800 00 ff 000000", padding=3),
    "an empty table with a place": Case(r.Present(kind=5), "05 00 04 00", padding=1),
    "an empty table without": Case(r.Present(kind=4), "04 00 00"),
}
# fmt: on
