"""Reading and writing a record: a 20-field header with an array of 100 elements of eight fields.

    python benchmarks/wire.py

Against `struct` and a slotted dataclass written by hand for just this record, which is as fast as
Python gets, and against construct and dissect.cstruct, which are declared once as ours is. Those
two are left out, with a sentence, where they are not installed. Target: at most twice the time of
the hand-written code.
"""

import io
import struct
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from functools import partial
from importlib import import_module
from typing import Any

from peers import best_of, table

from unshade.wire import Record, array, derived, field, read, u8, u16, u32, write

COUNT = 100


class Element(Record):
    """Eight fields, 24 bytes."""

    a: u32 = field("a")
    b: u32 = field("b")
    c: u32 = field("c")
    d: u32 = field("d")
    e: u32 = field("e")
    f: u8 = field("f")
    g: u8 = field("g")
    h: u16 = field("h")


class Header(Record):
    """Twenty numbers, the last of which is the count of the elements."""

    h0: u32 = field("0")
    h1: u32 = field("1")
    h2: u32 = field("2")
    h3: u32 = field("3")
    h4: u16 = field("4")
    h5: u16 = field("5")
    h6: u32 = field("6")
    h7: u32 = field("7")
    h8: u32 = field("8")
    h9: u32 = field("9")
    h10: u32 = field("10")
    h11: u32 = field("11")
    h12: u32 = field("12")
    h13: u32 = field("13")
    h14: u32 = field("14")
    h15: u32 = field("15")
    h16: u32 = field("16")
    h17: u32 = field("17")
    h18: u32 = field("18")
    count: u32 | None = derived("elements", "len(elements)")
    elements: list[Element] = array("the elements", Element, count="count")


# -- by hand -------------------------------------------------------------------------------------

HEAD = struct.Struct("<4I2H14I")
ROW = struct.Struct("<5I2BH")


@dataclass(slots=True)
class HandElement:
    """The same eight fields."""

    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int


HandHeader = make_dataclass(
    "HandHeader",
    [*((f"h{i}", int) for i in range(19)), ("elements", list)],
    slots=True,
)


def hand_read(data: bytes) -> Any:
    """With the checks that a reader of foreign files cannot do without."""
    if len(data) < HEAD.size:
        raise ValueError("too short")
    *head, count = HEAD.unpack_from(data)
    end = HEAD.size + count * ROW.size
    if end > len(data):
        raise ValueError("too short")
    elements = [HandElement(*row) for row in ROW.iter_unpack(data[HEAD.size : end])]
    return HandHeader(*head, elements)


def hand_write(o: Any) -> bytes:
    """In one go, as one would."""
    head = HEAD.pack(
        *(o.h0, o.h1, o.h2, o.h3, o.h4, o.h5, o.h6, o.h7, o.h8, o.h9, o.h10, o.h11, o.h12),
        *(o.h13, o.h14, o.h15, o.h16, o.h17, o.h18, len(o.elements)),
    )
    rows = [ROW.pack(e.a, e.b, e.c, e.d, e.e, e.f, e.g, e.h) for e in o.elements]
    return head + b"".join(rows)


# -- peers ---------------------------------------------------------------------------------------

Pair = tuple[Callable[[bytes], Any], Callable[[Any], bytes]]


def construct_pair() -> Pair | None:
    try:
        c = import_module("construct")
    except ImportError:
        print("construct is not installed (pip install construct), so it is left out")
        return None
    widths = {4: c.Int16ul, 5: c.Int16ul}
    row = [name / c.Int32ul for name in "abcde"]
    element = c.Struct(*row, "f" / c.Int8ul, "g" / c.Int8ul, "h" / c.Int16ul)
    head = [f"h{i}" / widths.get(i, c.Int32ul) for i in range(19)]
    whole = c.Struct(*head, "count" / c.Int32ul, "elements" / element[c.this.count])
    return whole.parse, whole.build


def cstruct_pair() -> Pair | None:
    try:
        cstruct = import_module("dissect.cstruct").cstruct
    except ImportError:
        print("dissect.cstruct is not installed (pip install dissect.cstruct), so it is left out")
        return None
    widths = {4: "uint16", 5: "uint16"}
    head = " ".join(f"{widths.get(i, 'uint32')} h{i};" for i in range(19))
    row = " ".join(f"uint32 {name};" for name in "abcde")
    made = cstruct()
    made.load(
        f"struct element {{ {row} uint8 f; uint8 g; uint16 h; }};"
        f"struct header {{ {head} uint32 count; element elements[count]; }};"
    )
    return lambda data: made.header(io.BytesIO(data)), lambda value: bytes(value.dumps())


def main() -> None:
    element = {name: i * 1000 for i, name in enumerate("abcde")} | {"f": 5, "g": 6, "h": 7}
    head = {f"h{i}": i for i in range(19)}
    record = Header(**head, elements=[Element(**element) for _ in range(COUNT)])
    data = write(record)
    pairs: dict[str, Pair] = {
        "by hand: struct, slotted dataclass": (hand_read, hand_write),
        "unshade.wire": (partial(read, Header), write),
    }
    for name, pair in (("construct", construct_pair()), ("dissect.cstruct", cstruct_pair())):
        if pair is not None:
            pairs[name] = pair
    base = next(iter(pairs))
    readers: dict[str, Callable[[], object]] = {}
    writers: dict[str, Callable[[], object]] = {}
    for name, (reading, writing) in pairs.items():
        value = reading(data)
        assert writing(value) == data, name
        readers[name] = partial(reading, data)
        writers[name] = partial(writing, value)
    print(f"{len(data)} bytes: a header of 20 fields, {COUNT} elements of 8 fields")
    table("read", best_of(readers), base)
    table("write", best_of(writers), base)


if __name__ == "__main__":
    main()
