"""Where values stand in memories, as LLVM text: which places exist, and how to point at them.

    one place for all lanes       pointer, i1
    side by side                  index of the first lane; a condition where that is to be asked
    anywhere                      index for each lane (of values, or of bytes), mask of those there

    a memory of one lane, W lanes:      |lane 0 ........|lane 1 ........|       any accesses
                                        |word 0 of W|word 1 of W|               words only

Indices are 32-bit where memories are small enough for that (a gather then takes twice as many lanes
at a time); those of places that do not exist may wrap around, as nobody uses them.
"""

from dataclasses import dataclass

from ...ir.memory import Bounds, Memory, Space
from ...ir.types import I32
from .text import Text, Val


@dataclass(slots=True)
class Room:
    """Where a memory is: a pointer, and how many elements it has (i64)."""

    memory: Memory
    pointer: str
    count: str
    words: bool = False  # a local memory whose words stand lane by lane
    outside: str = ""  # pointer to how many accesses were not valid

    @property
    def block(self) -> int:
        """Bytes of one copy of a memory of the kernel's own: aligned for all values."""
        return -(-self.memory.stride * (self.memory.count or 0) // 8) * 8


@dataclass(slots=True)
class Near:
    """Lanes side by side: `first` is the index of lane 0 (i64), `ahead` whether all of them exist
    and stand so. `known`: they stand so in any case, and each exists whose index is small enough.
    """

    first: str
    ahead: str
    known: bool


def fits(room: Room, size: int) -> bool:
    """Whether a value of this size can stand in an element at all."""
    return size <= room.memory.stride


def one_place(t: Text, room: Room, element: Val, byte: Val, size: int) -> tuple[str, str]:
    """(pointer, whether the place exists) of one place for all lanes."""
    offset, valid = _offset(t, room, element, byte, size)
    return t.make(f"getelementptr i8, ptr {room.pointer}, i64 {offset}"), valid


def one_row(t: Text, room: Room, element: Val, byte: Val, size: int) -> tuple[str, str]:
    """(pointer to the words of all lanes, whether they exist), in a memory of whole words."""
    offset, valid = _offset(t, room, element, byte, size)
    row = t.make(f"mul i64 {offset}, {t.width}")
    row = t.make(f"select i1 {valid}, i64 {row}, i64 0")
    return t.make(f"getelementptr i8, ptr {room.pointer}, i64 {row}"), valid


def _offset(t: Text, room: Room, element: Val, byte: Val, size: int) -> tuple[str, str]:
    stride = room.memory.stride
    wide = t.make(f"zext i32 {element.text} to i64")
    inner = t.make(f"zext i32 {byte.text} to i64")
    if room.memory.bounds is Bounds.CLAMP:
        last = t.make(f"sub i64 {room.count}, 1")
        wide = t.call("i64", "llvm.umin.i64", f"i64 {wide}", f"i64 {last}")
        inner = t.call("i64", "llvm.umin.i64", f"i64 {inner}", f"i64 {stride - size}")
    valid = t.make(f"icmp ult i64 {wide}, {room.count}")
    if byte.number is None or byte.number > stride - size:
        inside = t.make(f"icmp ule i64 {inner}, {stride - size}")
        valid = t.make(f"and i1 {valid}, {inside}")
    return t.make(f"add i64 {t.make(f'mul i64 {wide}, {stride}')}, {inner}"), valid


def side_by_side(
    t: Text, room: Room, element: Val, byte: Val, size: int, straight: bool
) -> Near | None:
    """Whether the lanes' values may be neighbours. `straight`: the numbers do not wrap around."""
    memory = room.memory
    clamps = memory.bounds is Bounds.CLAMP
    if memory.stride != size or byte.number != 0 or clamps or not element.wide:
        return None
    if memory.space is Space.LOCAL:
        return None
    vector = t.wide(I32)
    if element.base is not None:
        if element.stride != 1:
            return None
        base = element.base.text
    else:
        base = t.make(f"extractelement {vector} {element.text}, i64 0")
    first = t.make(f"zext i32 {base} to i64")
    end = t.make(f"add i64 {first}, {t.width}")
    ahead = t.make(f"icmp ule i64 {end}, {room.count}")
    if element.base is None:
        row = t.make(f"add {vector} {t.spread(Val(base, I32)).text}, {t.lane_numbers()}")
        same = t.all(t.make(f"icmp eq {vector} {element.text}, {row}"))
        ahead = t.make(f"and i1 {ahead}, {same}")
    return Near(first, ahead, element.base is not None and straight)


def limit(t: Text, room: Room) -> str:
    """The number of elements in every lane."""
    count = t.call("i64", "llvm.umin.i64", f"i64 {room.count}", "i64 4294967295")
    return t.spread(Val(t.make(f"trunc i64 {count} to i32"), I32)).text


def pointers(t: Text, room: Room, element: Val, byte: Val, size: int) -> tuple[str, str, int]:
    """A pointer for each lane, the mask of those that exist, and what divides all addresses."""
    memory = room.memory
    stride, most = memory.stride, memory.stride - size
    place, inside = t.spread(element).text, t.spread(byte).text
    if memory.bounds is Bounds.CLAMP:
        last = t.make(f"sub {t.wide(I32)} {limit(t, room)}, splat (i32 1)")
        place = _least(t, place, last)
        inside = _least(t, inside, f"splat (i32 {most})")
    valid = t.make(f"icmp ult {t.wide(I32)} {place}, {limit(t, room)}")
    if byte.number is None or byte.number > most:
        there = t.make(f"icmp ule {t.wide(I32)} {inside}, splat (i32 {most})")
        valid = t.make(f"and {t.mask} {valid}, {there}")
    even = byte.number is not None and byte.number % size == 0 and stride % size == 0
    kind = f"<{t.width} x {t.index}>"
    if memory.space is Space.LOCAL:
        index, unit, align = _local(t, room, place, inside), "i8", 1
        if stride % size == 0 and even and not room.words:
            align = size
        if room.words:
            align = 4
    elif even and memory.bounds is Bounds.ZERO:
        assert byte.number is not None
        index = _scaled(t, place, stride // size, byte.number // size)
        unit, align = _INTEGER[size], size
    else:
        far = _scaled(t, place, stride, 0)
        index, unit, align = t.make(f"add {kind} {far}, {_indices(t, inside)}"), "i8", 1
    made = t.make(f"getelementptr {unit}, ptr {room.pointer}, {kind} {index}")
    return made, valid, align


_INTEGER = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}


def _local(t: Text, room: Room, place: str, inside: str) -> str:
    """Words stand lane by lane where all accesses are words, else each lane has a block."""
    memory = room.memory
    kind = f"<{t.width} x {t.index}>"
    far = _scaled(t, place, memory.stride, 0)
    offset = t.make(f"add {kind} {far}, {_indices(t, inside)}")
    lanes = t.lane_numbers(t.index)
    if room.words:
        row = t.make(f"mul {kind} {offset}, splat ({t.index} {t.width})")
        return t.make(f"add {kind} {row}, {t.make(f'mul {kind} {lanes}, splat ({t.index} 4)')}")
    block = t.make(f"mul {kind} {lanes}, splat ({t.index} {room.block})")
    return t.make(f"add {kind} {offset}, {block}")


def _indices(t: Text, vector: str) -> str:
    """Numbers as wide as indices are."""
    if t.index == "i32":
        return vector
    return t.make(f"zext {t.wide(I32)} {vector} to <{t.width} x i64>")


def _scaled(t: Text, place: str, step: int, start: int) -> str:
    """place * step + start, as an index."""
    kind = f"<{t.width} x {t.index}>"
    index = _indices(t, place)
    if step > 1:
        index = t.make(f"mul {kind} {index}, splat ({t.index} {step})")
    if start:
        index = t.make(f"add {kind} {index}, splat ({t.index} {start})")
    return index


def _least(t: Text, a: str, b: str) -> str:
    vector = t.wide(I32)
    return t.call(vector, f"llvm.umin.v{t.width}i32", f"{vector} {a}", f"{vector} {b}")
