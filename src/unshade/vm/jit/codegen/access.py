"""Loads and stores as LLVM instructions.

    uniform address      a scalar access; an invalid one reads zeros from a dummy
    contiguous lanes     one vector access if all of it is in bounds, else a masked one
    anything else        gather and scatter with a mask

Lanes are proved contiguous if the address is linear with the element size as stride; otherwise it
is tested at run time, since a vector access is some ten times as fast as a gather. Invalid
accesses are counted on the slow path.
"""

from ....ir.memory import Space
from ....ir.types import BOOL, I32, Type
from .addresses import (
    ContiguousLanes,
    MemoryRef,
    StridedLanes,
    contiguous_lanes,
    element_count,
    fits,
    lane_pointers,
    row_pointer,
    strided_lanes,
    uniform_pointer,
)
from .llvm_text import ALL_LANES, LLVM, SUFFIX, FunctionText, Val
from .tally import tally, tally_outside, tally_uniform

ZEROS = "@zeros"  # invalid scalar reads load from here


class Access:
    """An emitter of the accesses of one kernel."""

    def __init__(self, text: FunctionText) -> None:
        self.t = text

    # ------------------------------------------------------------ loads

    def load(
        self,
        ref: MemoryRef,
        element: Val,
        byte: Val,
        type: Type,
        mask: str,
        *,
        in_bounds: bool = False,
        no_wrap: bool = False,
    ) -> Val:
        """Emit a load; invalid accesses read 0.

        Args:
            ref: The memory.
            element: The index of the element.
            byte: The offset in the element.
            type: The type of the value.
            mask: The lanes whose invalid accesses count.
            in_bounds: All accesses are known to be valid.
            no_wrap: The element indices are known not to wrap around.
        """
        t = self.t
        if not fits(ref, type.size):
            tally(t, ref.outside, mask)
            return t.constant(0, type)
        if not element.wide and not byte.wide:
            if ref.memory.space is not Space.LOCAL:
                return self._load_uniform(ref, element, byte, type, "" if in_bounds else mask)
            if ref.interleaved and type.size == 4:
                return self._load_interleaved(ref, element, byte, type, mask)
        contiguous = contiguous_lanes(t, ref, element, byte, type.size, no_wrap)
        if contiguous is None:
            return Val(self._gather(ref, element, byte, type, mask), type, True)
        at = t.make(f"getelementptr {LLVM[type.name]}, ptr {ref.pointer}, i64 {contiguous.first}")
        if in_bounds and contiguous.proved:
            return Val(t.make(f"load {t.wide(type)}, ptr {at}, align {type.size}"), type, True)
        fast, slow, done = t.label("near"), t.label("far"), t.label("loaded")
        t.branch(contiguous.all_valid, fast, slow, likely=True)
        t.begin(fast)
        found = t.make(f"load {t.wide(type)}, ptr {at}, align {type.size}")
        t.jump(done)
        t.begin(slow)
        if contiguous.proved:
            here = self._valid_lanes(ref, element)
            tally_outside(t, ref, mask, here)
            far = self._load_masked(at, here, type)
        else:
            far = self._gather(ref, element, byte, type, mask)
        end = t.block
        t.begin(done)
        made = t.make(f"phi {t.wide(type)} [{found}, %{fast}], [{far}, %{end}]")
        return Val(made, type, True)

    def _load_uniform(self, ref: MemoryRef, element: Val, byte: Val, type: Type, mask: str) -> Val:
        """Load one value for all lanes; without a mask it is known to be in bounds."""
        t = self.t
        pointer, valid = uniform_pointer(t, ref, element, byte, type.size)
        if mask:
            pointer = tally_uniform(t, ref, mask, valid, pointer, ZEROS)
        return Val(t.make(f"load {LLVM[type.name]}, ptr {pointer}, align 1"), type)

    def _load_interleaved(
        self, ref: MemoryRef, element: Val, byte: Val, type: Type, mask: str
    ) -> Val:
        """Load the same word of every lane's copy."""
        t = self.t
        wide = t.wide(type)
        pointer, valid = row_pointer(t, ref, element, byte, 4)
        tally(t, ref.outside, mask, valid)
        found = t.make(f"load {wide}, ptr {pointer}, align 4")
        made = t.make(f"select i1 {valid}, {wide} {found}, {wide} zeroinitializer")
        return Val(made, type, True)

    def _valid_lanes(self, ref: MemoryRef, element: Val) -> str:
        t = self.t
        return t.make(f"icmp ult {t.wide(I32)} {element.text}, {element_count(t, ref)}")

    def _load_masked(self, at: str, mask: str, type: Type) -> str:
        t = self.t
        wide = t.wide(type)
        return t.call(
            wide, f"llvm.masked.load.v{t.width}{SUFFIX[LLVM[type.name]]}.p0", f"ptr {at}",
            f"i32 {type.size}", f"{t.mask} {mask}", f"{wide} zeroinitializer",
        )  # fmt: skip

    def _gather(self, ref: MemoryRef, element: Val, byte: Val, type: Type, mask: str) -> str:
        t = self.t
        wide = t.wide(type)
        made, valid, align = lane_pointers(t, ref, element, byte, type.size)
        tally_outside(t, ref, mask, valid)
        name = f"llvm.masked.gather.v{t.width}{SUFFIX[LLVM[type.name]]}.v{t.width}p0"
        return t.call(
            wide, name, f"<{t.width} x ptr> {made}", f"i32 {align}", f"{t.mask} {valid}",
            f"{wide} zeroinitializer",
        )  # fmt: skip

    # ------------------------------------------------------------ stores

    def store(
        self,
        ref: MemoryRef,
        element: Val,
        byte: Val,
        value: Val,
        mask: str,
        *,
        no_wrap: bool = False,
    ) -> None:
        """Emit a store for the lanes of the mask; the last of several lanes in one place wins."""
        t, type = self.t, value.type
        if not fits(ref, type.size):
            tally(t, ref.outside, mask)
            return
        given = t.splat(value).text
        one = not element.wide and not byte.wide
        if one and ref.interleaved and ref.memory.space is Space.LOCAL and type.size == 4:
            self._store_interleaved(ref, element, byte, given, type, mask)
            return
        contiguous = contiguous_lanes(t, ref, element, byte, type.size, no_wrap)
        if contiguous is None:
            strided = strided_lanes(t, ref, element, byte, type.size)
            if strided is not None and type != BOOL:
                self._store_strided(ref, element, byte, (given, type), mask, strided)
            else:
                self._scatter(ref, element, byte, given, type, mask)
            return
        self._store_contiguous(ref, element, byte, (given, type), mask, contiguous)

    def _all_store(self, all_valid: str, mask: str) -> str:
        """Return an i1 that is true if every lane is in the mask, and its access is valid."""
        every = self.t.all(mask)
        return all_valid if every == "true" else self.t.make(f"and i1 {all_valid}, {every}")

    def _store_contiguous(
        self,
        ref: MemoryRef,
        element: Val,
        byte: Val,
        value: tuple[str, Type],
        mask: str,
        contiguous: ContiguousLanes,
    ) -> None:
        t = self.t
        given, type = value
        every = self._all_store(contiguous.all_valid, mask)
        fast, slow, done = t.label("near"), t.label("far"), t.label("stored")
        at = t.make(f"getelementptr {LLVM[type.name]}, ptr {ref.pointer}, i64 {contiguous.first}")
        t.branch(every, fast, slow, likely=True)
        t.begin(fast)
        t.put(f"store {t.wide(type)} {given}, ptr {at}, align {type.size}")
        t.jump(done)
        t.begin(slow)
        if contiguous.proved:
            here = self._valid_lanes(ref, element)
            tally_outside(t, ref, mask, here)
            if mask != ALL_LANES:
                here = t.make(f"and {t.mask} {here}, {mask}")
            t.call(
                "void", f"llvm.masked.store.v{t.width}{SUFFIX[LLVM[type.name]]}.p0",
                f"{t.wide(type)} {given}", f"ptr {at}", f"i32 {type.size}", f"{t.mask} {here}",
            )  # fmt: skip
        else:
            self._scatter(ref, element, byte, given, type, mask)
        t.begin(done)

    def _store_strided(
        self,
        ref: MemoryRef,
        element: Val,
        byte: Val,
        value: tuple[str, Type],
        mask: str,
        strided: StridedLanes,
    ) -> None:
        """Store one lane after the other if all are active and valid, else scatter."""
        t = self.t
        given, type = value
        fast, slow, done = t.label("near"), t.label("far"), t.label("stored")
        t.branch(self._all_store(strided.all_valid, mask), fast, slow, likely=True)
        t.begin(fast)
        scalar = LLVM[type.name]
        for lane in range(t.width):
            one = t.make(f"extractelement {t.wide(type)} {given}, i64 {lane}")
            at = t.make(f"getelementptr i8, ptr {strided.first}, i64 {lane * strided.pitch}")
            t.put(f"store {scalar} {one}, ptr {at}, align {type.size}")
        t.jump(done)
        t.begin(slow)
        self._scatter(ref, element, byte, given, type, mask)
        t.begin(done)

    def _store_interleaved(
        self, ref: MemoryRef, element: Val, byte: Val, given: str, type: Type, mask: str
    ) -> None:
        """Store to the same word of every lane's copy."""
        t = self.t
        wide = t.wide(type)
        pointer, valid = row_pointer(t, ref, element, byte, 4)
        tally(t, ref.outside, mask, valid)
        flag = t.make(f"insertelement {t.mask} poison, i1 {valid}, i64 0")
        zero = f"<{t.width} x i32> zeroinitializer"
        flags = t.make(f"shufflevector {t.mask} {flag}, {t.mask} poison, {zero}")
        here = t.make(f"and {t.mask} {mask}, {flags}")
        old = t.make(f"load {wide}, ptr {pointer}, align 4")
        new = t.make(f"select {t.mask} {here}, {wide} {given}, {wide} {old}")
        t.put(f"store {wide} {new}, ptr {pointer}, align 4")

    def _scatter(
        self, ref: MemoryRef, element: Val, byte: Val, given: str, type: Type, mask: str
    ) -> None:
        t = self.t
        made, valid, align = lane_pointers(t, ref, element, byte, type.size)
        tally_outside(t, ref, mask, valid)
        here = t.make(f"and {t.mask} {valid}, {mask}")
        name = f"llvm.masked.scatter.v{t.width}{SUFFIX[LLVM[type.name]]}.v{t.width}p0"
        t.call(
            "void", name, f"{t.wide(type)} {given}", f"<{t.width} x ptr> {made}", f"i32 {align}",
            f"{t.mask} {here}",
        )  # fmt: skip
