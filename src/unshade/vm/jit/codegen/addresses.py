"""Addresses of values in memories, as LLVM text: pointers, and which accesses are valid.

    uniform                       pointer, i1
    contiguous lanes              index of the first lane; a condition, unless it is proved
    anything else                 index for each lane (of values or of bytes), mask of valid lanes

    a memory of one lane, W lanes:      |lane 0 ........|lane 1 ........|       any accesses
                                        |word 0 of W|word 1 of W|               words only

Indices have 32 bits if memories are small enough, so that a gather takes twice as many lanes at a
time. Indices of invalid accesses may wrap around: they are not used.
"""

from ....dataclass import dataclass
from ....ir.memory import Bounds, Memory, Space
from ....ir.types import I32
from .llvm_text import FunctionText, Val

MAX_SINGLE = 16  # lanes that are stored one after the other


@dataclass(slots=True)
class MemoryRef:
    """A memory: its pointer, and its number of elements (i64).

    interleaved   a local memory of words: word 0 of all lanes, then word 1 of all lanes, …
    outside       pointer to the counter of invalid accesses
    """

    memory: Memory
    pointer: str
    count: str
    interleaved: bool = False
    outside: str = ""

    @property
    def copy_size(self) -> int:
        """The size in bytes of one copy of the kernel's own memory, aligned for all values."""
        return -(-self.memory.stride * (self.memory.count or 0) // 8) * 8


@dataclass(slots=True)
class ContiguousLanes:
    """An access whose lanes are next to each other.

    first       index of lane 0 (i64)
    all_valid   condition (i1) that all lanes are valid and contiguous
    proved      the lanes are known to be contiguous, and valid if their index is small enough
    """

    first: str
    all_valid: str
    proved: bool


def fits(ref: MemoryRef, size: int) -> bool:
    """Return True if a value of this size fits into an element."""
    return size <= ref.memory.stride


def uniform_pointer(
    t: FunctionText, ref: MemoryRef, element: Val, byte: Val, size: int
) -> tuple[str, str]:
    """Return the pointer of a uniform access, and if it is valid (i1)."""
    offset, valid = _offset(t, ref, element, byte, size)
    return t.make(f"getelementptr i8, ptr {ref.pointer}, i64 {offset}"), valid


def row_pointer(
    t: FunctionText, ref: MemoryRef, element: Val, byte: Val, size: int
) -> tuple[str, str]:
    """Return a pointer to a word of all lanes in an interleaved memory, and if it is valid (i1)."""
    offset, valid = _offset(t, ref, element, byte, size)
    row = t.make(f"mul i64 {offset}, {t.width}")
    row = t.make(f"select i1 {valid}, i64 {row}, i64 0")
    return t.make(f"getelementptr i8, ptr {ref.pointer}, i64 {row}"), valid


def _offset(t: FunctionText, ref: MemoryRef, element: Val, byte: Val, size: int) -> tuple[str, str]:
    stride = ref.memory.stride
    wide = t.make(f"zext i32 {element.text} to i64")
    inner = str(byte.number)
    if byte.number is None:
        inner = t.make(f"zext i32 {byte.text} to i64")
    if ref.memory.bounds is Bounds.CLAMP:
        last = t.make(f"sub i64 {ref.count}, 1")
        wide = t.call("i64", "llvm.umin.i64", f"i64 {wide}", f"i64 {last}")
        inner = t.call("i64", "llvm.umin.i64", f"i64 {inner}", f"i64 {stride - size}")
    valid = t.make_optional(f"icmp ult i64 {wide}, {ref.count}")
    if byte.number is None or byte.number > stride - size:
        inside = t.make_optional(f"icmp ule i64 {inner}, {stride - size}")
        valid = t.make_optional(f"and i1 {valid}, {inside}")
    start = t.make(f"mul i64 {wide}, {stride}") if stride > 1 else wide
    return start if inner == "0" else t.make(f"add i64 {start}, {inner}"), valid


def contiguous_lanes(
    t: FunctionText, ref: MemoryRef, element: Val, byte: Val, size: int, no_wrap: bool
) -> ContiguousLanes | None:
    """Return the access if its lanes may be contiguous, else None.

    `no_wrap`: the element indices do not wrap around.
    """
    memory = ref.memory
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
    end = t.make_optional(f"add i64 {first}, {t.width}")
    all_valid = t.make_optional(f"icmp ule i64 {end}, {_reachable(t, ref, element.bits)}")
    if element.base is None:
        row = t.make(f"add {vector} {t.splat(Val(base, I32)).text}, {t.lane_numbers()}")
        same = t.all(t.make(f"icmp eq {vector} {element.text}, {row}"))
        all_valid = t.make(f"and i1 {all_valid}, {same}")
    proved = element.base is not None and not element.bits and no_wrap
    return ContiguousLanes(first, all_valid, proved)


def _reachable(t: FunctionText, ref: MemoryRef, bits: int) -> str:
    """Return the number of elements, at most 2^bits if `bits` is not 0."""
    if not bits or (t.index == "i32" and ref.memory.stride << bits >= 1 << 31):
        return ref.count
    return t.call("i64", "llvm.umin.i64", f"i64 {ref.count}", f"i64 {1 << bits}")


@dataclass(slots=True)
class StridedLanes:
    """An access whose lanes are the same distance apart.

    first       pointer to the value of lane 0
    pitch       bytes from the value of one lane to the value of the next
    all_valid   condition (i1) that all lanes are valid
    """

    first: str
    pitch: int
    all_valid: str


def strided_lanes(
    t: FunctionText, ref: MemoryRef, element: Val, byte: Val, size: int
) -> StridedLanes | None:
    """Return the access if its lanes are a known distance apart, else None."""
    memory, base = ref.memory, element.base
    if base is None or element.stride <= 0 or byte.number is None:
        return None
    if memory.space is Space.LOCAL or memory.bounds is Bounds.CLAMP or t.width > MAX_SINGLE:
        return None
    if byte.number + size > memory.stride:
        return None
    first = t.make(f"zext i32 {base.text} to i64")
    last = t.make(f"add i64 {first}, {element.stride * (t.width - 1)}")
    all_valid = t.make(f"icmp ult i64 {last}, {_reachable(t, ref, element.bits)}")
    offset = t.make(f"mul i64 {first}, {memory.stride}")
    if byte.number:
        offset = t.make(f"add i64 {offset}, {byte.number}")
    pointer = t.make(f"getelementptr i8, ptr {ref.pointer}, i64 {offset}")
    return StridedLanes(pointer, element.stride * memory.stride, all_valid)


def element_count(t: FunctionText, ref: MemoryRef) -> str:
    """Return the number of elements in every lane."""
    count = t.call("i64", "llvm.umin.i64", f"i64 {ref.count}", "i64 4294967295")
    return t.splat(Val(t.make(f"trunc i64 {count} to i32"), I32)).text


def lane_pointers(
    t: FunctionText, ref: MemoryRef, element: Val, byte: Val, size: int
) -> tuple[str, str, int]:
    """Return a pointer for each lane, the mask of valid ones, and the alignment of all."""
    memory = ref.memory
    stride, most = memory.stride, memory.stride - size
    place, inside = t.splat(element).text, t.splat(byte).text
    if memory.bounds is Bounds.CLAMP:
        last = t.make(f"sub {t.wide(I32)} {element_count(t, ref)}, splat (i32 1)")
        place = _umin(t, place, last)
        inside = _umin(t, inside, f"splat (i32 {most})")
    valid = t.make(f"icmp ult {t.wide(I32)} {place}, {element_count(t, ref)}")
    if byte.number is None or byte.number > most:
        there = t.make(f"icmp ule {t.wide(I32)} {inside}, splat (i32 {most})")
        valid = t.make(f"and {t.mask} {valid}, {there}")
    even = byte.number is not None and byte.number % size == 0 and stride % size == 0
    kind = f"<{t.width} x {t.index}>"
    if memory.space is Space.LOCAL:
        index, unit, align = _local(t, ref, place, inside), "i8", 1
        if stride % size == 0 and even and not ref.interleaved:
            align = size
        if ref.interleaved:
            align = 4
    elif even and memory.bounds is Bounds.ZERO:
        assert byte.number is not None
        index = _scaled(t, place, stride // size, byte.number // size)
        unit, align = _INTEGER[size], size
    else:
        far = _scaled(t, place, stride, 0)
        index, unit, align = t.make(f"add {kind} {far}, {_indices(t, inside)}"), "i8", 1
    made = t.make(f"getelementptr {unit}, ptr {ref.pointer}, {kind} {index}")
    return made, valid, align


_INTEGER = {1: "i8", 2: "i16", 4: "i32", 8: "i64"}


def _local(t: FunctionText, ref: MemoryRef, place: str, inside: str) -> str:
    """Return indices into a local memory: interleaved words, or a block for each lane."""
    memory = ref.memory
    kind = f"<{t.width} x {t.index}>"
    far = _scaled(t, place, memory.stride, 0)
    offset = t.make(f"add {kind} {far}, {_indices(t, inside)}")
    lanes = t.lane_numbers(t.index)
    if ref.interleaved:
        row = t.make(f"mul {kind} {offset}, splat ({t.index} {t.width})")
        return t.make(f"add {kind} {row}, {t.make(f'mul {kind} {lanes}, splat ({t.index} 4)')}")
    block = t.make(f"mul {kind} {lanes}, splat ({t.index} {ref.copy_size})")
    return t.make(f"add {kind} {offset}, {block}")


def _indices(t: FunctionText, vector: str) -> str:
    """Extend numbers to the width of indices."""
    if t.index == "i32":
        return vector
    return t.make(f"zext {t.wide(I32)} {vector} to <{t.width} x i64>")


def _scaled(t: FunctionText, place: str, step: int, start: int) -> str:
    """Return place * step + start, as an index."""
    kind = f"<{t.width} x {t.index}>"
    index = _indices(t, place)
    if step > 1:
        index = t.make(f"mul {kind} {index}, splat ({t.index} {step})")
    if start:
        index = t.make(f"add {kind} {index}, splat ({t.index} {start})")
    return index


def _umin(t: FunctionText, a: str, b: str) -> str:
    vector = t.wide(I32)
    return t.call(vector, f"llvm.umin.v{t.width}i32", f"{vector} {a}", f"{vector} {b}")
