"""Loads, stores and atomics as LLVM instructions.

    one place for all lanes      a scalar access; where it is not valid, of a dummy that holds zeros
    lanes side by side           one vector access if all of it exists, else lane by lane
    anything else                gather and scatter under a mask

That the lanes stand side by side is proved where the address is linear with the size of an element,
and asked at run time otherwise: a vector access is some ten times as fast as a gather.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ...ir.memory import Bounds, Memory, Space
from ...ir.types import I32, Type
from .text import LLVM, SUFFIX, Text, Val

ZEROS = "@zeros"  # where reads go that have no place


@dataclass(slots=True)
class Room:
    """Where a memory is: a pointer, and how many elements it has (i64)."""

    memory: Memory
    pointer: str
    count: str
    words: bool = False  # a local memory whose words stand lane by lane


@dataclass(slots=True)
class Places:
    """The address of each lane's value: `find` emits an index for `getelementptr unit` and the mask
    of lanes that exist, where they are needed. `ahead` is whether all lanes exist and stand side by
    side ("" where that cannot be), `first` the index of lane 0 as i64.
    """

    unit: str
    find: Callable[[], tuple[str, str]]
    ahead: str = ""
    first: str = ""


class Access:
    """Emits the accesses of one kernel."""

    def __init__(self, text: Text) -> None:
        self.t = text

    # ------------------------------------------------------------ scalars

    def _scalar_place(self, room: Room, element: Val, byte: Val, size: int) -> tuple[str, str]:
        """(pointer, whether the place exists) of one place for all lanes."""
        t = self.t
        stride = room.memory.stride
        wide = t.make(f"zext i32 {element.text} to i64")
        inner = t.make(f"zext i32 {byte.text} to i64")
        if room.memory.bounds is Bounds.CLAMP:
            last = t.make(f"sub i64 {room.count}, 1")
            wide = t.call("i64", "llvm.umin.i64", f"i64 {wide}", f"i64 {last}")
            inner = t.call("i64", "llvm.umin.i64", f"i64 {inner}", f"i64 {stride - size}")
        valid = t.make(f"icmp ult i64 {wide}, {room.count}")
        if byte.number is None or byte.number > stride - size:
            fits = t.make(f"icmp ule i64 {inner}, {stride - size}")
            valid = t.make(f"and i1 {valid}, {fits}")
        offset = t.make(f"add i64 {t.make(f'mul i64 {wide}, {stride}')}, {inner}")
        return t.make(f"getelementptr i8, ptr {room.pointer}, i64 {offset}"), valid

    # ------------------------------------------------------------ vectors

    def _places(self, room: Room, element: Val, byte: Val, type: Type) -> Places:
        memory = room.memory
        stride, size = memory.stride, type.size
        even = byte.number is not None and byte.number % size == 0 and stride % size == 0
        clamps = memory.bounds is Bounds.CLAMP
        if not even or clamps:
            return Places("i8", lambda: self._far(room, element, byte, size))
        places = Places(LLVM[type.name], lambda: self._even(room, element, byte, size))
        if stride == size and element.wide and byte.number == 0:
            self._side_by_side(room, element, places)
        return places

    def _limit(self, room: Room) -> str:
        """The number of elements in every lane."""
        t = self.t
        count = t.call("i64", "llvm.umin.i64", f"i64 {room.count}", "i64 4294967295")
        return t.spread(Val(t.make(f"trunc i64 {count} to i32"), I32)).text

    def _fits(self, room: Room, place: str, inside: str, byte: Val, size: int) -> str:
        """Which lanes' places exist."""
        t = self.t
        vector = f"<{t.width} x i32>"
        most = room.memory.stride - size
        valid = t.make(f"icmp ult {vector} {place}, {self._limit(room)}")
        if byte.number is None or byte.number > most:
            fits = t.make(f"icmp ule {vector} {inside}, splat (i32 {most})")
            valid = t.make(f"and {t.mask} {valid}, {fits}")
        return valid

    def _far(self, room: Room, element: Val, byte: Val, size: int) -> tuple[str, str]:
        """Any place: an index counts bytes."""
        t = self.t
        stride = room.memory.stride
        place, inside = t.spread(element).text, t.spread(byte).text
        if room.memory.bounds is Bounds.CLAMP:
            last = t.make(f"sub <{t.width} x i32> {self._limit(room)}, splat (i32 1)")
            place = self._least(place, last)
            inside = self._least(inside, f"splat (i32 {stride - size})")
        valid = self._fits(room, place, inside, byte, size)
        wide = f"<{t.width} x i64>"
        far = t.make(f"mul {wide} {self._zext(place)}, splat (i64 {stride})")
        return t.make(f"add {wide} {far}, {self._zext(inside)}"), valid

    def _even(self, room: Room, element: Val, byte: Val, size: int) -> tuple[str, str]:
        """Places that are multiples of the value's size: an index counts values."""
        t = self.t
        step, start = room.memory.stride // size, (byte.number or 0) // size
        wide = f"<{t.width} x i64>"
        place = t.spread(element).text
        valid = self._fits(room, place, t.spread(byte).text, byte, size)
        index = self._zext(place)
        if step > 1:
            index = t.make(f"mul {wide} {index}, splat (i64 {step})")
        if start:
            index = t.make(f"add {wide} {index}, splat (i64 {start})")
        return index, valid

    def _side_by_side(self, room: Room, element: Val, places: Places) -> None:
        """Ask whether lane 0's place and those behind it are those of all lanes."""
        t = self.t
        vector = f"<{t.width} x i32>"
        steady = element.base is not None
        if element.base is not None:
            if element.stride != 1:
                return
            base = element.base.text
        else:
            base = t.make(f"extractelement {vector} {element.text}, i64 0")
        places.first = t.make(f"zext i32 {base} to i64")
        end = t.make(f"add i64 {places.first}, {t.width}")
        places.ahead = t.make(f"icmp ule i64 {end}, {room.count}")
        if not steady:
            start = t.spread(Val(base, I32)).text
            row = t.make(f"add {vector} {start}, {t.lane_numbers()}")
            same = t.all(t.make(f"icmp eq {vector} {element.text}, {row}"))
            places.ahead = t.make(f"and i1 {places.ahead}, {same}")

    def _zext(self, vector: str) -> str:
        t = self.t
        return t.make(f"zext <{t.width} x i32> {vector} to <{t.width} x i64>")

    def _least(self, a: str, b: str) -> str:
        t = self.t
        vector = f"<{t.width} x i32>"
        return t.call(vector, f"llvm.umin.v{t.width}i32", f"{vector} {a}", f"{vector} {b}")

    def _pointers(self, room: Room, places: Places) -> tuple[str, str]:
        """A pointer for each lane, and the mask of those that exist."""
        index, valid = places.find()
        kind = f"<{self.t.width} x i64>"
        made = self.t.make(f"getelementptr {places.unit}, ptr {room.pointer}, {kind} {index}")
        return made, valid

    # ------------------------------------------------------------ loads

    def load(self, room: Room, element: Val, byte: Val, type: Type, *, exists: bool = False) -> Val:
        """What stands there, 0 where nothing does. `exists`: every place is known to be one."""
        t = self.t
        if room.memory.space is Space.LOCAL:
            return self._load_local(room, element, byte, type)
        scalar = LLVM[type.name]
        if not element.wide and not byte.wide:
            pointer, valid = self._scalar_place(room, element, byte, type.size)
            if not exists:
                pointer = t.make(f"select i1 {valid}, ptr {pointer}, ptr {ZEROS}")
            return Val(t.make(f"load {scalar}, ptr {pointer}, align 1"), type)
        places = self._places(room, element, byte, type)
        if exists and places.ahead and element.base is not None and element.stride == 1:
            at = t.make(f"getelementptr {scalar}, ptr {room.pointer}, i64 {places.first}")
            found = t.make(f"load {t.wide(type)}, ptr {at}, align {type.size}")
            return Val(found, type, True)
        if not places.ahead:
            return Val(self._gather(room, places, type), type, True)
        fast, slow, done = t.label("near"), t.label("far"), t.label("loaded")
        t.branch(places.ahead, fast, slow, likely=True)
        t.begin(fast)
        at = t.make(f"getelementptr {scalar}, ptr {room.pointer}, i64 {places.first}")
        near = t.make(f"load {t.wide(type)}, ptr {at}, align {type.size}")
        t.jump(done)
        t.begin(slow)
        far = self._gather(room, places, type)
        t.begin(done)
        found = t.make(f"phi {t.wide(type)} [{near}, %{fast}], [{far}, %{slow}]")
        return Val(found, type, True)

    def _gather(self, room: Room, places: Places, type: Type) -> str:
        t = self.t
        wide = t.wide(type)
        pointers, valid = self._pointers(room, places)
        align = type.size if places.unit != "i8" else 1
        name = f"llvm.masked.gather.v{t.width}{SUFFIX[LLVM[type.name]]}.v{t.width}p0"
        return t.call(
            wide, name, f"<{t.width} x ptr> {pointers}", f"i32 {align}",
            f"{t.mask} {valid}", f"{wide} zeroinitializer",
        )  # fmt: skip

    # ------------------------------------------------------------ stores

    def store(self, room: Room, element: Val, byte: Val, value: Val, mask: str) -> None:
        """Write, for the lanes of the mask; of two lanes in one place the later one stays."""
        t = self.t
        type = value.type
        given = t.spread(value).text
        if room.memory.space is Space.LOCAL:
            self._store_local(room, element, byte, t.spread(value), mask)
            return
        places = self._places(room, element, byte, type)
        if element.wide and places.ahead:
            fast, slow, done = t.label("near"), t.label("far"), t.label("stored")
            every = t.make(f"and i1 {places.ahead}, {t.all(mask)}")
            t.branch(every, fast, slow, likely=True)
            t.begin(fast)
            scalar = LLVM[type.name]
            at = t.make(f"getelementptr {scalar}, ptr {room.pointer}, i64 {places.first}")
            t.put(f"store {t.wide(type)} {given}, ptr {at}, align {type.size}")
            t.jump(done)
            t.begin(slow)
            self._scatter(room, places, given, type, mask)
            t.begin(done)
        else:
            self._scatter(room, places, given, type, mask)

    def _scatter(self, room: Room, places: Places, given: str, type: Type, mask: str) -> None:
        t = self.t
        pointers, valid = self._pointers(room, places)
        here = t.make(f"and {t.mask} {valid}, {mask}")
        align = type.size if places.unit != "i8" else 1
        name = f"llvm.masked.scatter.v{t.width}{SUFFIX[LLVM[type.name]]}.v{t.width}p0"
        t.call(
            "void", name, f"{t.wide(type)} {given}", f"<{t.width} x ptr> {pointers}",
            f"i32 {align}", f"{t.mask} {here}",
        )  # fmt: skip

    # ------------------------------------------------------------ memories of one lane

    def _local_places(self, room: Room, element: Val, byte: Val, type: Type) -> Places:
        """Words stand lane by lane where all accesses are words, else each lane has a block."""
        return Places("i8", lambda: self._local(room, element, byte, type.size))

    def _local(self, room: Room, element: Val, byte: Val, size: int) -> tuple[str, str]:
        t = self.t
        memory = room.memory
        stride = memory.stride
        count = memory.count or 0
        vector, wide = f"<{t.width} x i32>", f"<{t.width} x i64>"
        place, inside = t.spread(element).text, t.spread(byte).text
        if memory.bounds is Bounds.CLAMP:
            place = self._least(place, f"splat (i32 {count - 1})")
            inside = self._least(inside, f"splat (i32 {stride - size})")
        valid = t.make(f"icmp ult {vector} {place}, splat (i32 {count})")
        fits = t.make(f"icmp ule {vector} {inside}, splat (i32 {stride - size})")
        valid = t.make(f"and {t.mask} {valid}, {fits}")
        far = t.make(f"mul {wide} {self._zext(place)}, splat (i64 {stride})")
        offset = t.make(f"add {wide} {far}, {self._zext(inside)}")
        lanes = t.lane_numbers("i64")
        if room.words:
            row = t.make(f"mul {wide} {offset}, splat (i64 {t.width})")
            index = t.make(f"add {wide} {row}, {t.make(f'mul {wide} {lanes}, splat (i64 4)')}")
        else:
            block = t.make(f"mul {wide} {lanes}, splat (i64 {stride * count})")
            index = t.make(f"add {wide} {offset}, {block}")
        return index, valid

    def _local_row(self, room: Room, element: Val, byte: Val, size: int) -> tuple[str, str]:
        """(pointer to the words of all lanes, whether they exist), of one place for all."""
        t = self.t
        memory = room.memory
        wide = t.make(f"zext i32 {element.text} to i64")
        inner = t.make(f"zext i32 {byte.text} to i64")
        if memory.bounds is Bounds.CLAMP:
            last = (memory.count or 1) - 1
            wide = t.call("i64", "llvm.umin.i64", f"i64 {wide}", f"i64 {last}")
            inner = t.call("i64", "llvm.umin.i64", f"i64 {inner}", f"i64 {memory.stride - size}")
        valid = t.make(f"icmp ult i64 {wide}, {memory.count or 0}")
        fits = t.make(f"icmp ule i64 {inner}, {memory.stride - size}")
        valid = t.make(f"and i1 {valid}, {fits}")
        offset = t.make(f"add i64 {t.make(f'mul i64 {wide}, {memory.stride}')}, {inner}")
        row = t.make(f"mul i64 {offset}, {t.width}")
        row = t.make(f"select i1 {valid}, i64 {row}, i64 0")
        return t.make(f"getelementptr i8, ptr {room.pointer}, i64 {row}"), valid

    def _load_local(self, room: Room, element: Val, byte: Val, type: Type) -> Val:
        t = self.t
        wide = t.wide(type)
        if room.words and not element.wide and not byte.wide and type.size == 4:
            pointer, valid = self._local_row(room, element, byte, 4)
            found = t.make(f"load {wide}, ptr {pointer}, align 4")
            return Val(
                t.make(f"select i1 {valid}, {wide} {found}, {wide} zeroinitializer"), type, True
            )
        return Val(
            self._gather(room, self._local_places(room, element, byte, type), type), type, True
        )

    def _store_local(self, room: Room, element: Val, byte: Val, value: Val, mask: str) -> None:
        t = self.t
        if room.words and not element.wide and not byte.wide and value.type.size == 4:
            wide = t.wide(value.type)
            pointer, valid = self._local_row(room, element, byte, 4)
            flag = t.make(f"insertelement {t.mask} poison, i1 {valid}, i64 0")
            flags = t.make(
                f"shufflevector {t.mask} {flag}, {t.mask} poison, <{t.width} x i32> zeroinitializer"
            )
            here = t.make(f"and {t.mask} {mask}, {flags}")
            old = t.make(f"load {wide}, ptr {pointer}, align 4")
            new = t.make(f"select {t.mask} {here}, {wide} {value.text}, {wide} {old}")
            t.put(f"store {wide} {new}, ptr {pointer}, align 4")
            return
        places = self._local_places(room, element, byte, value.type)
        self._scatter(room, places, value.text, value.type, mask)

    # ------------------------------------------------------------ atomics

    def atomic(
        self, name: str, room: Room, element: Val, byte: Val, values: list[Val], mask: str
    ) -> Val:
        """Lane after lane; gives what each of them found, 0 where there is nothing."""
        t = self.t
        type = values[0].type
        scalar = LLVM[type.name]
        if room.memory.space is Space.LOCAL:
            places = self._local_places(room, element, byte, type)
        else:
            places = self._places(room, element, byte, type)
        pointers, valid = self._pointers(room, places)
        here = t.make(f"and {t.mask} {valid}, {mask}")
        if places.unit == "i8":  # no machine has atomics across words
            vector = f"<{t.width} x i64>"
            number = t.make(f"ptrtoint <{t.width} x ptr> {pointers} to {vector}")
            rest = t.make(f"and {vector} {number}, splat (i64 {type.size - 1})")
            even = t.make(f"icmp eq {vector} {rest}, zeroinitializer")
            here = t.make(f"and {t.mask} {here}, {even}")
        slots = [t.slot(t.wide(type), "given") for _ in values]
        for slot, value in zip(slots, values, strict=True):
            t.put(f"store {t.wide(type)} {t.spread(value).text}, ptr {slot}, align 64")
        where = t.slot(f"<{t.width} x ptr>", "where")
        t.put(f"store <{t.width} x ptr> {pointers}, ptr {where}, align 64")
        found = t.slot(t.wide(type), "found")
        t.put(f"store {t.wide(type)} zeroinitializer, ptr {found}, align 64")
        left = t.slot(f"i{t.width}", "left")
        bits = t.make(f"bitcast {t.mask} {here} to i{t.width}")
        t.put(f"store i{t.width} {bits}, ptr {left}, align 8")
        head, body, done = t.label("turn"), t.label("lane"), t.label("turned")
        t.begin(head)
        now = t.make(f"load i{t.width}, ptr {left}, align 8")
        t.branch(t.make(f"icmp ne i{t.width} {now}, 0"), body, done)
        t.begin(body)
        lane = t.call(f"i{t.width}", f"llvm.cttz.i{t.width}", f"i{t.width} {now}", "i1 true")
        rest = t.make(f"and i{t.width} {now}, {t.make(f'sub i{t.width} {now}, 1')}")
        t.put(f"store i{t.width} {rest}, ptr {left}, align 8")
        number = lane if t.width == 64 else t.make(f"zext i{t.width} {lane} to i64")
        at = t.make(f"getelementptr ptr, ptr {where}, i64 {number}")
        pointer = t.make(f"load ptr, ptr {at}, align 8")
        given = []
        for slot in slots:
            one = t.make(f"getelementptr {scalar}, ptr {slot}, i64 {number}")
            given.append(t.make(f"load {scalar}, ptr {one}, align {type.size}"))
        if name == "atomic_cas":
            pair = t.make(
                f"cmpxchg ptr {pointer}, {scalar} {given[1]}, {scalar} {given[0]} "
                "monotonic monotonic"
            )
            old = t.make(f"extractvalue {{ {scalar}, i1 }} {pair}, 0")
        else:
            operation = ATOMICS[name]
            old = t.make(f"atomicrmw {operation} ptr {pointer}, {scalar} {given[0]} monotonic")
        one = t.make(f"getelementptr {scalar}, ptr {found}, i64 {number}")
        t.put(f"store {scalar} {old}, ptr {one}, align {type.size}")
        t.jump(head)
        t.begin(done)
        return Val(t.make(f"load {t.wide(type)}, ptr {found}, align 64"), type, True)


ATOMICS = {
    "atomic_add": "add", "atomic_and": "and", "atomic_or": "or", "atomic_xor": "xor",
    "atomic_imin": "min", "atomic_imax": "max", "atomic_umin": "umin", "atomic_umax": "umax",
    "atomic_xchg": "xchg",
}  # fmt: skip
