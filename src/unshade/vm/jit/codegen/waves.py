"""Wave operations on the lanes of a chunk, which holds one or several whole waves.

votes, ballots, whole       steps over lanes 1, 2, 4, … apart, log2(wave) of them: all lanes have
integer reductions          the result afterwards
values of other lanes       stored, then gathered
float reductions, scans     a loop over the lanes from the lowest upward, as `ir.waves` defines
"""

from collections.abc import Callable

from ....ir.kernel import Value
from ....ir.ops import OPS, Op
from ....ir.types import BOOL, I8, I32, I64, Type
from ....ir.waves import NEUTRAL, WORD, Wave
from .emitter import FunctionEmitter
from .llvm_text import LLVM, NO_UNROLL, FunctionText, Val, literal
from .pure import emit_formula, emit_pure


def emit_wave(f: FunctionEmitter, value: Value, args: list[Val]) -> Val:
    """Emit a wave operation; `f.mask` is the active lanes."""
    attr: Wave = value.attr
    mask = f.mask if attr.helpers else f.acting()
    waves = WaveEmitter(f.t, f.kernel.wave, mask)
    given = [f.t.splat(each) for each in args]
    match value.op:
        case OPS.wave_elect:
            return waves.elect()
        case OPS.wave_all:
            return waves.all(given[0].text)
        case OPS.wave_any:
            return waves.any(given[0].text)
        case OPS.wave_equal:
            first = waves.read(given[0], waves.lowest())
            return waves.all(_equal(f.t, given[0], first))
        case OPS.wave_ballot:
            return waves.ballot(given[0].text, attr.word)
        case OPS.wave_first:
            return waves.read(given[0], waves.lowest())
        case OPS.wave_read:
            return waves.read(given[0], given[1].text)
        case _:
            return waves.combine(value, attr, given[0])


def _pure(t: FunctionText, value: Value, *args: Val) -> Val:
    found = emit_pure(t, value, list(args))
    assert found is not None
    return found


def _equal(t: FunctionText, a: Val, b: Val) -> str:
    if a.type.kind == "f":
        return emit_formula(t, OPS.feq, a.type, [a, b]).text
    return _pure(t, Value(OPS.ieq, BOOL), a, b).text


class WaveEmitter:
    """An emitter of operations on the waves of a chunk; `mask` is the participating lanes."""

    def __init__(self, t: FunctionText, size: int, mask: str) -> None:
        self.t = t
        self.size = size
        self.mask = mask

    def _constants(self, number: Callable[[int], int], kind: str = "i32") -> str:
        """Return a constant vector with `number(lane)` in each lane."""
        return "<" + ", ".join(f"{kind} {number(lane)}" for lane in range(self.t.width)) + ">"

    def _swapped(self, text: str, llvm: str, step: int) -> str:
        """Return a vector in which lanes `step` apart have changed places."""
        order = self._constants(lambda lane: lane ^ step)
        row = f"<{self.t.width} x i32>"
        return self.t.make(f"shufflevector {llvm} {text}, {llvm} poison, {row} {order}")

    def _shifted(self, bits: str, step: int, upward: bool) -> str:
        """Return bits shifted by `step` lanes within their waves."""
        t, kind = self.t, f"i{self.t.width}"
        clamped = sum(1 << lane for lane in range(t.width) if lane % self.size + step < self.size)
        if upward:
            return t.make(f"shl {kind} {t.make(f'and {kind} {bits}, {clamped}')}, {step}")
        return t.make(f"and {kind} {t.make(f'lshr {kind} {bits}, {step}')}, {clamped}")

    def _smeared(self, bits: str, *ways: bool) -> str:
        """Return bits spread to all higher lanes of their wave, or (both ways) to all its lanes."""
        t, step = self.t, 1
        while step < self.size:
            for upward in ways:
                moved = self._shifted(bits, step, upward)
                bits = t.make(f"or i{t.width} {bits}, {moved}")
            step *= 2
        return bits

    def _mask(self, bits: str) -> Val:
        return Val(self.t.make(f"bitcast i{self.t.width} {bits} to {self.t.mask}"), BOOL, True)

    def all(self, condition: str) -> Val:
        """Return true in the waves in which a condition holds in all participating lanes."""
        t = self.t
        fails = t.make(f"xor {t.mask} {condition}, splat (i1 true)")
        any = self.any(fails).text
        return Val(t.make(f"xor {t.mask} {any}, splat (i1 true)"), BOOL, True)

    def any(self, condition: str) -> Val:
        """Return true in the waves in which a condition holds in a participating lane."""
        t = self.t
        both = t.make(f"and {t.mask} {self.mask}, {condition}")
        return self._mask(self._smeared(t.bits(both), True, False))

    def elect(self) -> Val:
        """Return true in the lowest participating lane."""
        t, kind = self.t, f"i{self.t.width}"
        bits = t.bits(self.mask)
        behind = self._shifted(self._smeared(bits, True), 1, True) if self.size > 1 else "0"
        ahead = t.make(f"xor {kind} {behind}, -1")
        return self._mask(t.make(f"and {kind} {bits}, {ahead}"))

    def ballot(self, condition: str, word: int) -> Val:
        """Return 32 bits of the ballot; words beyond the wave are 0."""
        t = self.t
        if WORD * word >= self.size:
            return Val("0", I32)
        return self._word(t.make(f"and {t.mask} {self.mask}, {condition}"), word)

    def _word(self, mask: str, word: int) -> Val:
        """Return in each lane a word of the bits of its wave."""
        t, vector, words = self.t, self.t.wide(I32), max(1, self.t.width // WORD)
        bits = t.bits(mask)
        if t.width < WORD:
            bits = t.make(f"zext i{t.width} {bits} to i32")
        row = f"<{words} x i32>"
        split = t.make(f"bitcast i{max(t.width, WORD)} {bits} to {row}")
        order = self._constants(lambda lane: (lane - lane % self.size) // WORD + word)
        found = t.make(f"shufflevector {row} {split}, {row} poison, {vector} {order}")
        if self.size >= WORD:
            return Val(found, I32, True)
        down = self._constants(lambda lane: (lane - lane % self.size) % WORD)
        moved = t.make(f"lshr {vector} {found}, {down}")
        low = (1 << self.size) - 1
        return Val(t.make(f"and {vector} {moved}, splat (i32 {low})"), I32, True)

    def lowest(self) -> str:
        """Return the index in its wave of the lowest participating lane, or the wave's size."""
        t, vector = self.t, self.t.wide(I32)
        found = f"splat (i32 {self.size})"
        for word in reversed(range(max(1, self.size // WORD))):
            bits = self._word(self.mask, word).text
            name = f"llvm.cttz.v{t.width}i32"
            place = t.call(vector, name, f"{vector} {bits}", "i1 false")
            place = t.make(f"add {vector} {place}, splat (i32 {WORD * word})")
            any = t.make(f"icmp ne {vector} {bits}, zeroinitializer")
            found = t.make(f"select {t.mask} {any}, {vector} {place}, {vector} {found}")
        return found

    def _participates(self, place: str) -> str:
        """Return the lanes whose wave has a participating lane at this index."""
        t, vector = self.t, self.t.wide(I32)
        found = self._word(self.mask, 0).text
        number = t.make(f"lshr {vector} {place}, splat (i32 5)")
        for word in range(1, self.size // WORD):
            here = t.make(f"icmp eq {vector} {number}, splat (i32 {word})")
            bits = self._word(self.mask, word).text
            found = t.make(f"select {t.mask} {here}, {vector} {bits}, {vector} {found}")
        inside = t.make(f"and {vector} {place}, splat (i32 {WORD - 1})")
        moved = t.make(f"lshr {vector} {found}, {inside}")
        return t.make(f"trunc {vector} {moved} to {t.mask}")

    # ------------------------------------------------------------ values of other lanes

    def read(self, given: Val, place: str) -> Val:
        """Return the values of other lanes by index, or the lane's own value if there is none."""
        t, vector = self.t, self.t.wide(I32)
        there = t.make(f"icmp ult {vector} {place}, splat (i32 {self.size})")
        clamped = t.make(f"select {t.mask} {there}, {vector} {place}, {vector} zeroinitializer")
        first = self._constants(lambda lane: lane - lane % self.size)
        index = t.make(f"add {vector} {clamped}, {first}")
        here = t.make(f"and {t.mask} {self._participates(clamped)}, {there}")
        carrier = I64 if given.type.bits == 64 else I32
        found = self._gathered(self._to_carrier(given, carrier), carrier, index)
        own = t.wide(given.type)
        made = self._from_carrier(found, given.type, carrier)
        return Val(
            t.make(f"select {t.mask} {here}, {own} {made}, {own} {given.text}"), given.type, True
        )

    def _to_carrier(self, given: Val, carrier: Type) -> str:
        """Return values as integers that can be gathered."""
        t, type, text = self.t, given.type, given.text
        plain = f"<{t.width} x i{type.bits}>"
        if type.kind == "f":
            text = t.make(f"bitcast {t.wide(type)} {text} to {plain}")
        return (
            text
            if type.bits == carrier.bits
            else t.make(f"zext {plain} {text} to {t.wide(carrier)}")
        )

    def _from_carrier(self, text: str, type: Type, carrier: Type) -> str:
        t = self.t
        plain = f"<{t.width} x i{type.bits}>"
        if type.bits != carrier.bits:
            text = t.make(f"trunc {t.wide(carrier)} {text} to {plain}")
        return t.make(f"bitcast {plain} {text} to {t.wide(type)}") if type.kind == "f" else text

    def _gathered(self, text: str, type: Type, index: str) -> str:
        t, vector, scalar = self.t, self.t.wide(type), LLVM[type.name]
        slot = t.slot(vector, "given")
        t.put(f"store {vector} {text}, ptr {slot}, align 64")
        places = t.make(f"getelementptr {scalar}, ptr {slot}, {t.wide(I32)} {index}")
        return t.call(
            vector, f"llvm.masked.gather.v{t.width}{scalar}.v{t.width}p0",
            f"<{t.width} x ptr> {places}", f"i32 {type.size}", f"{t.mask} splat (i1 true)",
            f"{vector} zeroinitializer",
        )  # fmt: skip

    # ------------------------------------------------------------ values combined

    def combine(self, value: Value, attr: Wave, given: Val) -> Val:
        """Return a reduction or scan."""
        t, type = self.t, value.type
        assert attr.op is not None
        cluster = attr.cluster or self.size
        vector = t.wide(type)
        if value.op is OPS.wave_reduce and type.kind != "f":
            neutral = literal(NEUTRAL[attr.op](type), type)
            apart = f"splat ({LLVM[type.name]} {neutral})"
            text = t.make(f"select {t.mask} {self.mask}, {vector} {given.text}, {vector} {apart}")
            one = Value(attr.op, type)

            made, step = Val(text, type, True), 1
            while step < cluster:
                made = _pure(t, one, made, Val(self._swapped(made.text, vector, step), type, True))
                step *= 2
            return made
        if type.kind == "f":
            given = emit_formula(t, OPS.fcanonicalise, type, [given])
        before, upto = self._scan(attr.op, given, cluster)
        found = before if value.op is OPS.wave_before else upto
        if value.op is OPS.wave_reduce:
            order = self._constants(lambda lane: lane | cluster - 1)
            found = t.make(
                f"shufflevector {vector} {found}, {vector} poison, <{t.width} x i32> {order}"
            )
        made = Val(found, type, True)
        return _pure(t, Value(OPS.fcanonicalise, type), made) if type.kind == "f" else made

    def _combined(self, op: Op, one: Val, other: Val) -> Val:
        if one.type.kind == "f":
            return emit_formula(self.t, op, one.type, [one, other])
        return _pure(self.t, Value(op, one.type), one, other)

    def _scan(self, op: Op, given: Val, cluster: int) -> tuple[str, str]:
        """Return the exclusive and the inclusive scan."""
        t, type = self.t, given.type
        scalar, carrier = LLVM[type.name], "i8" if type == BOOL else LLVM[type.name]
        row = f"<{t.width} x {carrier}>"
        values, taking, before, upto = (
            t.slot(kind, stem)
            for kind, stem in (
                (row, "values"),
                (t.wide(I8), "taking"),
                (row, "before"),
                (row, "upto"),
            )
        )
        text = t.make(f"zext {t.mask} {given.text} to {row}") if type == BOOL else given.text
        t.put(f"store {row} {text}, ptr {values}, align 64")
        flags = t.make(f"zext {t.mask} {self.mask} to {t.wide(I8)}")
        t.put(f"store {t.wide(I8)} {flags}, ptr {taking}, align 64")
        at, total, begun = (
            t.slot("i64", "at", 8),
            t.slot(carrier, "total", 8),
            t.slot("i8", "begun", 8),
        )
        neutral = literal(NEUTRAL[op](type), type)
        t.put(f"store i64 0, ptr {at}, align 8")
        t.put(f"store {carrier} {0 if type == BOOL else neutral}, ptr {total}, align 8")
        t.put(f"store i8 0, ptr {begun}, align 8")
        head, body, done = t.label("lanes"), t.label("lane"), t.label("combined")
        t.begin(head)
        lane = t.make(f"load i64, ptr {at}, align 8")
        t.branch(t.make(f"icmp ult i64 {lane}, {t.width}"), body, done)
        t.begin(body)
        t.put(f"store i64 {t.make(f'add i64 {lane}, 1')}, ptr {at}, align 8")
        new = t.make(f"icmp eq i64 {t.make(f'and i64 {lane}, {cluster - 1}')}, 0")
        any = self._loaded(begun, "", BOOL)
        any = t.make(f"select i1 {new}, i1 false, i1 {any}")
        sum = self._loaded(total, "", type)
        sum = t.make(f"select i1 {new}, {scalar} {neutral}, {scalar} {sum}")
        self._stored(sum, before, lane, type)
        mine = self._loaded(values, lane, type)
        here = self._loaded(taking, lane, BOOL)
        made = self._combined(op, Val(sum, type), Val(mine, type)).text
        made = t.make(f"select i1 {any}, {scalar} {made}, {scalar} {mine}")
        made = t.make(f"select i1 {here}, {scalar} {made}, {scalar} {sum}")
        self._stored(made, total, "", type)
        self._stored(t.make(f"or i1 {any}, {here}"), begun, "", BOOL)
        self._stored(made, upto, lane, type)
        t.jump(f"{head}, !llvm.loop {NO_UNROLL}")
        t.begin(done)
        return self._row_of(before, type, row), self._row_of(upto, type, row)

    def _row_of(self, slot: str, type: Type, row: str) -> str:
        t = self.t
        text = t.make(f"load {row}, ptr {slot}, align 64")
        return t.make(f"icmp ne {row} {text}, zeroinitializer") if type == BOOL else text

    def _place(self, slot: str, lane: str, carrier: str) -> str:
        return self.t.make(f"getelementptr {carrier}, ptr {slot}, i64 {lane}") if lane else slot

    def _loaded(self, slot: str, lane: str, type: Type) -> str:
        t, carrier = self.t, "i8" if type == BOOL else LLVM[type.name]
        found = t.make(
            f"load {carrier}, ptr {self._place(slot, lane, carrier)}, align {max(type.size, 1)}"
        )
        return t.make(f"icmp ne i8 {found}, 0") if type == BOOL else found

    def _stored(self, text: str, slot: str, lane: str, type: Type) -> None:
        t, carrier = self.t, "i8" if type == BOOL else LLVM[type.name]
        if type == BOOL:
            text = t.make(f"zext i1 {text} to i8")
        place = self._place(slot, lane, carrier)
        t.put(f"store {carrier} {text}, ptr {place}, align {max(type.size, 1)}")
