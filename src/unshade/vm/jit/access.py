"""Loads and stores as LLVM instructions.

    one place for all lanes      a scalar access; where it is not valid, of a dummy that holds zeros
    lanes side by side           one vector access if all of it exists, else one under a mask
    anything else                gather and scatter under a mask

That the lanes stand side by side is proved where the address is linear with the size of an element,
and asked at run time otherwise: a vector access is some ten times as fast as a gather. Accesses
that are not valid are counted where they are found out, beside the way that the others take.
"""

from ...ir.memory import Space
from ...ir.types import I32, Type
from .addresses import Near, Room, fits, limit, one_place, one_row, pointers, side_by_side
from .tally import tally, tally_one, tally_outside
from .text import ALL, LLVM, SUFFIX, Text, Val

ZEROS = "@zeros"  # where reads go that have no place


class Access:
    """Emits the accesses of one kernel."""

    def __init__(self, text: Text) -> None:
        self.t = text

    # ------------------------------------------------------------ loads

    def load(
        self,
        room: Room,
        element: Val,
        byte: Val,
        type: Type,
        mask: str,
        *,
        exists: bool = False,
        straight: bool = False,
    ) -> Val:
        """What stands there, 0 where nothing does. `exists`: every place is known to be one;
        `straight`: the elements' numbers do not wrap around; `mask`: for whom it counts.
        """
        t = self.t
        if not fits(room, type.size):
            tally(t, room.outside, mask)
            return t.constant(0, type)
        if not element.wide and not byte.wide:
            if room.memory.space is not Space.LOCAL:
                return self._load_one(room, element, byte, type, "" if exists else mask)
            if room.words and type.size == 4:
                return self._load_row(room, element, byte, type, mask)
        near = side_by_side(t, room, element, byte, type.size, straight)
        if near is None:
            return Val(self._gather(room, element, byte, type, mask), type, True)
        at = t.make(f"getelementptr {LLVM[type.name]}, ptr {room.pointer}, i64 {near.first}")
        if exists and near.known:
            return Val(t.make(f"load {t.wide(type)}, ptr {at}, align {type.size}"), type, True)
        fast, slow, done = t.label("near"), t.label("far"), t.label("loaded")
        t.branch(near.ahead, fast, slow, likely=True)
        t.begin(fast)
        found = t.make(f"load {t.wide(type)}, ptr {at}, align {type.size}")
        t.jump(done)
        t.begin(slow)
        if near.known:
            here = self._existing(room, element)
            tally_outside(t, room, mask, here)
            far = self._load_some(at, here, type)
        else:
            far = self._gather(room, element, byte, type, mask)
        end = t.block
        t.begin(done)
        made = t.make(f"phi {t.wide(type)} [{found}, %{fast}], [{far}, %{end}]")
        return Val(made, type, True)

    def _load_one(self, room: Room, element: Val, byte: Val, type: Type, mask: str) -> Val:
        """One value for all lanes; without a mask it is known to be there."""
        t = self.t
        pointer, valid = one_place(t, room, element, byte, type.size)
        if mask:
            pointer = tally_one(t, room, mask, valid, pointer, ZEROS)
        return Val(t.make(f"load {LLVM[type.name]}, ptr {pointer}, align 1"), type)

    def _load_row(self, room: Room, element: Val, byte: Val, type: Type, mask: str) -> Val:
        """The same word of every lane."""
        t = self.t
        wide = t.wide(type)
        pointer, valid = one_row(t, room, element, byte, 4)
        tally(t, room.outside, mask, valid)
        found = t.make(f"load {wide}, ptr {pointer}, align 4")
        made = t.make(f"select i1 {valid}, {wide} {found}, {wide} zeroinitializer")
        return Val(made, type, True)

    def _existing(self, room: Room, element: Val) -> str:
        t = self.t
        return t.make(f"icmp ult {t.wide(I32)} {element.text}, {limit(t, room)}")

    def _load_some(self, at: str, mask: str, type: Type) -> str:
        t = self.t
        wide = t.wide(type)
        return t.call(
            wide, f"llvm.masked.load.v{t.width}{SUFFIX[LLVM[type.name]]}.p0", f"ptr {at}",
            f"i32 {type.size}", f"{t.mask} {mask}", f"{wide} zeroinitializer",
        )  # fmt: skip

    def _gather(self, room: Room, element: Val, byte: Val, type: Type, mask: str) -> str:
        t = self.t
        wide = t.wide(type)
        made, valid, align = pointers(t, room, element, byte, type.size)
        tally_outside(t, room, mask, valid)
        name = f"llvm.masked.gather.v{t.width}{SUFFIX[LLVM[type.name]]}.v{t.width}p0"
        return t.call(
            wide, name, f"<{t.width} x ptr> {made}", f"i32 {align}", f"{t.mask} {valid}",
            f"{wide} zeroinitializer",
        )  # fmt: skip

    # ------------------------------------------------------------ stores

    def store(
        self, room: Room, element: Val, byte: Val, value: Val, mask: str, *, straight: bool = False
    ) -> None:
        """Write, for the lanes of the mask; of two lanes in one place the later one stays."""
        t, type = self.t, value.type
        if not fits(room, type.size):
            tally(t, room.outside, mask)
            return
        given = t.spread(value).text
        one = not element.wide and not byte.wide
        if one and room.words and room.memory.space is Space.LOCAL and type.size == 4:
            self._store_row(room, element, byte, given, type, mask)
            return
        near = side_by_side(t, room, element, byte, type.size, straight)
        if near is None:
            self._scatter(room, element, byte, given, type, mask)
            return
        every = t.all(mask)
        if every != "true":
            every = t.make(f"and i1 {near.ahead}, {every}")
        self._store_near(room, element, byte, (given, type), mask, near, every)

    def _store_near(
        self,
        room: Room,
        element: Val,
        byte: Val,
        value: tuple[str, Type],
        mask: str,
        near: Near,
        every: str,
    ) -> None:
        t = self.t
        given, type = value
        fast, slow, done = t.label("near"), t.label("far"), t.label("stored")
        at = t.make(f"getelementptr {LLVM[type.name]}, ptr {room.pointer}, i64 {near.first}")
        t.branch(near.ahead if every == "true" else every, fast, slow, likely=True)
        t.begin(fast)
        t.put(f"store {t.wide(type)} {given}, ptr {at}, align {type.size}")
        t.jump(done)
        t.begin(slow)
        if near.known:
            here = self._existing(room, element)
            tally_outside(t, room, mask, here)
            if mask != ALL:
                here = t.make(f"and {t.mask} {here}, {mask}")
            t.call(
                "void", f"llvm.masked.store.v{t.width}{SUFFIX[LLVM[type.name]]}.p0",
                f"{t.wide(type)} {given}", f"ptr {at}", f"i32 {type.size}", f"{t.mask} {here}",
            )  # fmt: skip
        else:
            self._scatter(room, element, byte, given, type, mask)
        t.begin(done)

    def _store_row(
        self, room: Room, element: Val, byte: Val, given: str, type: Type, mask: str
    ) -> None:
        """The same word of every lane."""
        t = self.t
        wide = t.wide(type)
        pointer, valid = one_row(t, room, element, byte, 4)
        tally(t, room.outside, mask, valid)
        flag = t.make(f"insertelement {t.mask} poison, i1 {valid}, i64 0")
        zero = f"<{t.width} x i32> zeroinitializer"
        flags = t.make(f"shufflevector {t.mask} {flag}, {t.mask} poison, {zero}")
        here = t.make(f"and {t.mask} {mask}, {flags}")
        old = t.make(f"load {wide}, ptr {pointer}, align 4")
        new = t.make(f"select {t.mask} {here}, {wide} {given}, {wide} {old}")
        t.put(f"store {wide} {new}, ptr {pointer}, align 4")

    def _scatter(
        self, room: Room, element: Val, byte: Val, given: str, type: Type, mask: str
    ) -> None:
        t = self.t
        made, valid, align = pointers(t, room, element, byte, type.size)
        tally_outside(t, room, mask, valid)
        here = t.make(f"and {t.mask} {valid}, {mask}")
        name = f"llvm.masked.scatter.v{t.width}{SUFFIX[LLVM[type.name]]}.v{t.width}p0"
        t.call(
            "void", name, f"{t.wide(type)} {given}", f"<{t.width} x ptr> {made}", f"i32 {align}",
            f"{t.mask} {here}",
        )  # fmt: skip
