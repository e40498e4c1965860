"""A kernel as one LLVM function: structured regions as masks and branches.

    if varying      mask & condition; skipped where no lane is left
    if uniform      a branch
    loop            while a lane is left in its mask; a break that all take is a jump
    set             select(mask, new, old) where an idle lane may still read the old value

Variables are stack slots, which LLVM turns into registers. What lanes hold across a barrier is kept
in scratch memory (groups.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...errors import UnsupportedError
from ...ir.analysis.ranges import Range, operand
from ...ir.kernel import If, Kernel, Loop, Region, Switch, Value
from ...ir.memory import Memory, Port, Space, Var
from ...ir.types import I32, Type
from .access import Access, Room
from .layout import GROUPS, HELPERS, LANES, Layout, escapes, slots
from .pure import emit_pure
from .text import LLVM, Text, Val, literal

PAD = 512  # bytes behind memories of the kernel's own: idle lanes may read there
HEAVY = 12  # operations: a body of fewer is run under its mask without asking for lanes


@dataclass(slots=True)
class Facts:
    """What analyses found: which variables all lanes share, which sets need no mask."""

    uniform: frozenset[Var] = frozenset()
    unmasked: frozenset[Value] = frozenset()
    ranges: Mapping[Value, Range] = field(default_factory=dict)
    together: frozenset[If | Switch] = frozenset()  # where all lanes take the same way


@dataclass(slots=True)
class Construct:
    """A loop or switch that lanes may leave: `gone` is the slot of the mask of those who did."""

    loop: bool
    gone: str
    slept: str  # of a loop: lanes that only left this iteration
    exit: str
    mask: str  # of the body when it began
    divergent: bool = False


class Function:
    """Emits one kernel in one layout."""

    def __init__(self, kernel: Kernel, layout: Layout, facts: Facts) -> None:
        self.kernel = kernel
        self.layout = layout
        self.facts = facts
        self.t = Text(layout.width, kernel.flush)
        self.access = Access(self.t)
        self.values: dict[Value, Val] = {}
        self.slots: dict[Var, str] = {}
        self.rooms: dict[Memory, Room] = {}
        self.globals: list[str] = []
        self.constructs: list[Construct] = []
        self.mask = ""
        self.returned = ""  # slot of the mask of lanes that returned, where any may
        self.killed = ""  # slot of the mask of lanes without effects, where any may be
        self.places: dict[str, Val] = {}
        self.memory_slots, self.inputs_at, self.outputs_at = slots(kernel)
        self.scratch = 0  # bytes

    # ------------------------------------------------------------ context

    def word(self, at: int) -> str:
        """A word of the context."""
        t = self.t
        pointer = t.make(f"getelementptr i64, ptr %context, i64 {at}")
        return t.make(f"load i64, ptr {pointer}, align 8")

    def pointer(self, at: int) -> str:
        """A pointer of the context."""
        t = self.t
        pointer = t.make(f"getelementptr i64, ptr %context, i64 {at}")
        return t.make(f"load ptr, ptr {pointer}, align 8")

    def room(self, size: int) -> str:
        """A part of the scratch memory."""
        at = self.scratch
        self.scratch += -(-size // 64) * 64 + PAD
        return self.t.make(f"getelementptr i8, ptr %scratch, i64 {at}")

    def open_rooms(self) -> None:
        """Pointers and counts of the memories, once a call."""
        words = self._local_words()
        for memory in self.kernel.memories:
            if memory in self.memory_slots:
                at = self.memory_slots[memory]
                self.rooms[memory] = Room(memory, self.pointer(at), self.word(at + 1))
            elif memory.space is Space.TABLE:
                name = f"@table{len(self.globals)}"
                padded = memory.data + bytes(PAD)
                data = "".join(f"\\{byte:02X}" for byte in padded)
                kind = f"[{len(padded)} x i8]"
                self.globals.append(f'{name} = private constant {kind} c"{data}", align 64')
                count = len(memory.data) // memory.stride
                self.rooms[memory] = Room(memory, name, str(count))
            else:
                lanes = 1
                if memory.space is Space.LOCAL:
                    lanes = self.layout.width * (self.layout.chunks if self.layout.grouped else 1)
                size = memory.stride * (memory.count or 0)
                room = Room(memory, self.room(size * lanes), str(memory.count or 0))
                room.words = memory in words
                self.rooms[memory] = room

    def _local_words(self) -> set[Memory]:
        """Local memories that are only accessed by whole words."""
        found = {
            memory
            for memory in self.kernel.memories
            if memory.space is Space.LOCAL and memory.stride % 4 == 0
        }
        for value in self.kernel.values():
            if value.attr not in found or not isinstance(value.attr, Memory):
                continue
            byte = value.args[1] if len(value.args) > 1 else None
            type = value.args[2].type if value.op.name == "store" else value.type
            if (
                value.op.name not in ("load", "store")
                or byte is None
                or type.size != 4
                or byte.op.name != "const"
                or byte.attr % 4
            ):
                found.discard(value.attr)
        return found

    def clear(self, space: Space) -> None:
        """Zero the kernel's own memories of a space."""
        for memory, room in self.rooms.items():
            if memory.space is not space:
                continue
            lanes = 1
            if space is Space.LOCAL:
                lanes = self.layout.width * (self.layout.chunks if self.layout.grouped else 1)
            size = memory.stride * (memory.count or 0) * lanes
            self.t.call(
                "void", "llvm.memset.p0.i64", f"ptr {room.pointer}", "i8 0", f"i64 {size}",
                "i1 false",
            )  # fmt: skip

    # ------------------------------------------------------------ where lanes are

    def begin_chunk(self, base: Val, total: str, group: Val | None) -> None:
        """`base`: number of lane 0 in the group, or in the whole call where `group` is None."""
        t = self.t
        self.places = {}
        width = t.width
        row = t.spread(base).text
        numbers = t.make(f"add <{width} x i32> {row}, {t.lane_numbers()}")
        lanes = Val(numbers, I32, True, base, 1)
        limit = t.spread(Val(total, I32)).text
        self.mask = t.make(f"icmp ult <{width} x i32> {numbers}, {limit}")
        self._places(lanes, group)
        if any(value.op.name == "return" for value in self.kernel.values()):
            self.returned = self.returned or t.slot(t.mask, "returned")
            t.put(f"store {t.mask} zeroinitializer, ptr {self.returned}, align 8")
        self._helpers(base)

    def _helpers(self, base: Val) -> None:
        t = self.t
        if self.kernel.stage != "pixel" and not any(
            value.op.name == "discard" for value in self.kernel.values()
        ):
            return
        self.killed = self.killed or t.slot(t.mask, "killed")
        t.put(f"store {t.mask} zeroinitializer, ptr {self.killed}, align 8")
        if self.kernel.stage != "pixel":
            return
        pointer = self.pointer(HELPERS)
        some, done = t.label("helpers"), t.label("started")
        t.branch(t.make(f"icmp ne ptr {pointer}, null"), some, done)
        t.begin(some)
        at = t.make(f"zext i32 {base.text} to i64")
        bytes_at = t.make(f"getelementptr i8, ptr {pointer}, i64 {at}")
        kind = f"<{t.width} x i8>"
        given = t.call(
            kind, f"llvm.masked.load.v{t.width}i8.p0", f"ptr {bytes_at}", "i32 1",
            f"{t.mask} {self.mask}", f"{kind} zeroinitializer",
        )  # fmt: skip
        helping = t.make(f"icmp ne {kind} {given}, zeroinitializer")
        t.put(f"store {t.mask} {helping}, ptr {self.killed}, align 8")
        t.begin(done)

    def _op(self, name: str, *args: Val) -> Val:
        """An operation that is not in the kernel."""
        from ...ir.ops import OPS

        found = emit_pure(self.t, Value(OPS[name], args[0].type), list(args))
        assert found is not None
        return found

    def _places(self, lanes: Val, group: Val | None) -> None:
        """What the sources give, from the lanes' numbers."""
        t = self.t
        number = t.constant
        self.places["item"] = lanes
        self.places["quad_lane"] = self._op("and", lanes, number(3, I32))
        for at, axis in enumerate("xyz"):
            count = t.make(f"trunc i64 {self.word(GROUPS + at)} to i32")
            self.places[f"group_count.{axis}"] = Val(count, I32)
        if self.kernel.stage != "compute":
            return
        x, y, z = self.kernel.group
        size = x * y * z
        local = lanes
        if group is not None:
            first = self._op("imul", group, number(size, I32))
            self.places["item"] = item = self._op("iadd", first, lanes)
            self.places["quad_lane"] = self._op("and", item, number(3, I32))
        else:
            if self.layout.whole:
                base = lanes.base
                assert base is not None
                group = self._op("udiv", base, number(size, I32))
                start = self._op("urem", base, number(size, I32))
                row = t.spread(start).text
                made = t.make(f"add <{t.width} x i32> {row}, {t.lane_numbers()}")
                local = Val(made, I32, True, start, 1)
            else:
                group = lanes if size == 1 else self._op("udiv", lanes, number(size, I32))
                local = number(0, I32) if size == 1 else self._op("urem", lanes, number(size, I32))
        self.places["local_index"] = local
        in_group = self._divided(local, x, y)
        in_grid = [group, number(0, I32), number(0, I32)]
        if not self.layout.flat:
            gx, gy = (self.places[f"group_count.{axis}"] for axis in "xy")
            rest = self._op("udiv", group, gx)
            in_grid = [
                self._op("urem", group, gx), self._op("urem", rest, gy), self._op("udiv", rest, gy)
            ]  # fmt: skip
        for at, axis in enumerate("xyz"):
            self.places[f"local_id.{axis}"] = in_group[at]
            self.places[f"group_id.{axis}"] = in_grid[at]
            first = self._op("imul", in_grid[at], number(self.kernel.group[at], I32))
            self.places[f"thread_id.{axis}"] = self._op("iadd", first, in_group[at])

    def _divided(self, local: Val, x: int, y: int) -> list[Val]:
        """A lane's place in its group from its number there."""
        t = self.t
        number = t.constant
        size = self.layout.size
        if x == size:
            return [local, number(0, I32), number(0, I32)]
        if local.base is not None and local.stride == 1 and x % t.width == 0:
            start = self._op("urem", local.base, number(x, I32))
            row = t.spread(start).text
            made = t.make(f"add <{t.width} x i32> {row}, {t.lane_numbers()}")
            in_row = Val(made, I32, True, start, 1)
            rest = self._op("udiv", local.base, number(x, I32))
        else:
            in_row = self._op("urem", local, number(x, I32))
            rest = self._op("udiv", local, number(x, I32))
        return [
            in_row,
            self._op("urem", rest, number(y, I32)),
            self._op("udiv", rest, number(y, I32)),
        ]

    # ------------------------------------------------------------ regions

    def region(self, region: Region) -> None:
        """The statements; those behind an end are never reached."""
        for statement in region:
            if not self.t.open:
                return
            if isinstance(statement, Value):
                self.step(statement)
            elif isinstance(statement, If):
                self._if(statement)
            elif isinstance(statement, Loop):
                self._loop(statement)
            else:
                self._switch(statement)

    def left_over(self, before: str, kinds: set[str]) -> str:
        """The lanes of a mask that have not left meanwhile."""
        gone: list[str] = []
        if "return" in kinds and self.returned:
            gone.append(self.returned)
        for construct in reversed(self.constructs):
            gone.append(construct.gone)
            if construct.loop:
                gone.append(construct.slept)
                break
        return self._without(before, gone)

    def _under(self, region: Region, mask: str, *, ask: bool = False) -> None:
        """A region for the lanes of a mask, if there are any.

        A short one is not worth the question, unless it has to be asked: sets without a mask count
        on it where all lanes take the same way.
        """
        t = self.t
        if not region:
            return
        outer, self.mask = self.mask, mask
        if ask or self._heavy(region):
            some, done = t.label("some"), t.label("none")
            t.branch(t.any(mask), some, done)
            t.begin(some)
            self.region(region)
            t.begin(done)
        else:
            self.region(region)
            if not t.open:
                t.begin(t.label("after"))
        self.mask = outer

    def _heavy(self, region: Region) -> bool:
        return len(region) > HEAVY or any(
            not isinstance(each, Value)
            or each.op.name.startswith("atomic")
            or each.op.name in ("store", "load", "udiv", "urem", "idiv", "irem")
            for each in region
        )

    def _if(self, statement: If) -> None:
        t = self.t
        condition = self.value(statement.condition)
        kinds = escapes(statement)
        before = self.mask
        if not condition.wide:
            then, otherwise, done = t.label("then"), t.label("else"), t.label("end")
            t.branch(condition.text, then, otherwise)
            for label, region in ((then, statement.then), (otherwise, statement.otherwise)):
                t.begin(label)
                self.region(region)
                if t.open:
                    t.jump(done)
            t.begin(done)
        else:
            here = t.make(f"and {t.mask} {before}, {condition.text}")
            opposite = t.make(f"xor {t.mask} {condition.text}, splat (i1 true)")
            there = t.make(f"and {t.mask} {before}, {opposite}")
            ask = statement in self.facts.together
            self._under(statement.then, here, ask=ask)
            self._under(statement.otherwise, there, ask=ask)
        self.mask = self.left_over(before, kinds) if kinds else before

    def _empty_mask(self, stem: str) -> str:
        t = self.t
        slot = t.slot(t.mask, stem)
        t.put(f"store {t.mask} zeroinitializer, ptr {slot}, align 8")
        return slot

    def _loop(self, statement: Loop) -> None:
        t = self.t
        before = self.mask
        gone, slept = self._empty_mask("gone"), t.slot(t.mask, "slept")
        head, exit = t.label("loop"), t.label("left")
        t.begin(head)
        t.put(f"store {t.mask} zeroinitializer, ptr {slept}, align 8")
        out = [gone, self.returned] if self.returned else [gone]
        self.mask = self._without(before, out)  # those that only slept are back
        construct = Construct(True, gone, slept, exit, self.mask)
        self.constructs.append(construct)
        self._spend()
        self.region(statement.body)
        self.constructs.pop()
        if t.open:
            if construct.divergent:
                t.branch(t.any(self._without(before, out)), head, exit)
            else:
                t.jump(head)
        t.begin(exit)
        kinds = escapes(statement)
        self.mask = self.left_over(before, kinds) if kinds else before

    def _without(self, mask: str, slots: list[str]) -> str:
        """The lanes of a mask that are in none of the slots."""
        t = self.t
        for slot in slots:
            left = t.make(f"load {t.mask}, ptr {slot}, align 8")
            stay = t.make(f"xor {t.mask} {left}, splat (i1 true)")
            mask = t.make(f"and {t.mask} {mask}, {stay}")
        return mask

    def _spend(self) -> None:
        """One iteration of the budget; without any left the function ends."""
        t = self.t
        left = t.make("load i64, ptr %budget, align 8")
        rest = t.make(f"sub i64 {left}, 1")
        t.put(f"store i64 {rest}, ptr %budget, align 8")
        on = t.label("on")
        t.branch(t.make(f"icmp sge i64 {rest}, 0"), on, "spent", likely=True)
        t.begin(on)

    def _switch(self, statement: Switch) -> None:
        t = self.t
        before = self.mask
        value = self.value(statement.value)
        kinds = escapes(statement)
        vector = t.wide(value.type)
        given = t.spread(value).text
        matched = "zeroinitializer"
        chosen: list[tuple[Region, str]] = []
        default: Region | None = None
        for case in statement.cases:
            here = "zeroinitializer"
            for label in case.labels:
                number = literal(label & value.type.mask, value.type)
                same = f"splat ({LLVM[value.type.name]} {number})"
                equal = t.make(f"icmp eq {vector} {given}, {same}")
                here = t.make(f"or {t.mask} {here}, {equal}")
            if case.default:
                default = case.body
            else:
                fresh = t.make(f"xor {t.mask} {matched}, splat (i1 true)")
                chosen.append((case.body, t.make(f"and {t.mask} {here}, {fresh}")))
                matched = t.make(f"or {t.mask} {matched}, {here}")
        if default is not None:
            chosen.append((default, t.make(f"xor {t.mask} {matched}, splat (i1 true)")))
        for body, mask in chosen:
            gone = self._empty_mask("gone")
            self.constructs.append(Construct(False, gone, "", "", "", True))
            ask = statement in self.facts.together
            self._under(body, t.make(f"and {t.mask} {before}, {mask}"), ask=ask)
            self.constructs.pop()
        self.mask = self.left_over(before, kinds) if kinds else before

    # ------------------------------------------------------------ operations

    def value(self, value: Value) -> Val:
        """What an operand is."""
        if value.op.name == "const":
            return self.t.constant(value.attr, value.type)
        return self.values[value]

    def step(self, value: Value) -> None:
        """One operation."""
        args = [self.value(each) for each in value.args]
        found = emit_pure(self.t, value, args)
        if found is None:
            found = self._effect(value, args)
        if found is not None:
            self.values[value] = found

    def acting(self) -> str:
        """The lanes that have effects."""
        t = self.t
        if not self.killed:
            return self.mask
        killed = t.make(f"load {t.mask}, ptr {self.killed}, align 8")
        stay = t.make(f"xor {t.mask} {killed}, splat (i1 true)")
        return t.make(f"and {t.mask} {self.mask}, {stay}")

    def _effect(self, value: Value, args: list[Val]) -> Val | None:
        t = self.t
        name = value.op.name
        match name:
            case "source" if value.attr == "helper":
                return self._helper()
            case "source":
                return self.places[value.attr]
            case "get":
                return self.get(value.attr)
            case "set":
                self.set(value.attr, args[0], value not in self.facts.unmasked)
            case "load":
                exists = self._exists(value)
                room = self.rooms[value.attr]
                return self.access.load(room, args[0], args[1], value.type, exists=exists)
            case "store":
                room = self.rooms[value.attr]
                self.access.store(room, args[0], args[1], args[2], self.acting())
            case "count":
                count = self.rooms[value.attr].count
                least = t.call("i64", "llvm.umin.i64", f"i64 {count}", "i64 4294967295")
                return Val(t.make(f"trunc i64 {least} to i32"), I32)
            case "input":
                return self._input(value.attr)
            case "output":
                self._output(value.attr, args[0])
            case "quad_swap":
                return self._quad_swap(args[0], value.attr)
            case "discard":
                mask = t.make(f"and {t.mask} {self.mask}, {t.spread(args[0]).text}")
                self._mark(self.killed, mask)
            case "barrier" | "message":
                pass
            case "break" | "continue" | "return":
                self._leave(name)
            case _ if name.startswith("atomic_"):
                room = self.rooms[value.attr]
                return self.access.atomic(name, room, args[0], args[1], args[2:], self.acting())
            case _:
                raise UnsupportedError(f"the jit engine has no {name}")
        return None

    def _exists(self, value: Value) -> bool:
        """Whether an access is known to be valid, in a memory of the kernel's own."""
        memory: Memory = value.attr
        element, byte = value.args[0], value.args[1]
        if memory.space not in (Space.SHARED, Space.TABLE) or byte.op.name != "const":
            return False
        fits: bool = byte.attr + value.type.size <= memory.stride
        highest = operand(element, self.facts.ranges).high
        return fits and highest < (memory.count or 0)

    def _helper(self) -> Val:
        t = self.t
        if not self.killed:
            return t.constant(0, I32)
        killed = t.make(f"load {t.mask}, ptr {self.killed}, align 8")
        return Val(t.make(f"zext {t.mask} {killed} to {t.wide(I32)}"), I32, True)

    def _mark(self, slot: str, mask: str) -> None:
        t = self.t
        old = t.make(f"load {t.mask}, ptr {slot}, align 8")
        new = t.make(f"or {t.mask} {old}, {mask}")
        t.put(f"store {t.mask} {new}, ptr {slot}, align 8")

    def _leave(self, name: str) -> None:
        """Lanes leave a loop, a switch or the kernel."""
        t = self.t
        if name == "return":
            self._mark(self.returned, self.mask)
            for construct in self.constructs:
                construct.divergent = True
            return
        construct = next(each for each in reversed(self.constructs) if each.loop or name == "break")
        if not construct.loop:
            self._mark(construct.gone, self.mask)
        elif name == "continue":
            self._mark(construct.slept, self.mask)
        elif self.mask == construct.mask and not construct.divergent:
            t.jump(construct.exit)
        else:
            construct.divergent = True
            self._mark(construct.gone, self.mask)

    # ------------------------------------------------------------ variables, ports, quads

    def llvm_of(self, var: Var) -> str:
        """The type of a variable's slot."""
        scalar = LLVM[var.type.name]
        return scalar if var in self.facts.uniform else f"<{self.t.width} x {scalar}>"

    def slot(self, var: Var) -> str:
        """The slot of a variable, zero at the start of each chunk."""
        found = self.slots.get(var)
        if found is None:
            found = self.slots[var] = self.t.slot(self.llvm_of(var), "var")
        return found

    def get(self, var: Var) -> Val:
        """What a variable holds."""
        text = self.t.make(f"load {self.llvm_of(var)}, ptr {self.slot(var)}, align 8")
        return Val(text, var.type, var not in self.facts.uniform)

    def set(self, var: Var, value: Val, masked: bool) -> None:
        """Give a variable a value."""
        t = self.t
        slot, llvm = self.slot(var), self.llvm_of(var)
        if var in self.facts.uniform:
            one = self._first(value) if value.wide else value.text
            t.put(f"store {llvm} {one}, ptr {slot}, align 8")
            return
        new = t.spread(value).text
        if masked:
            old = t.make(f"load {llvm}, ptr {slot}, align 8")
            new = t.make(f"select {t.mask} {self.mask}, {llvm} {new}, {llvm} {old}")
        t.put(f"store {llvm} {new}, ptr {slot}, align 8")

    def _first(self, value: Val) -> str:
        """What the first running lane has, of a value that all of them share."""
        t = self.t
        bits = t.make(f"bitcast {t.mask} {self.mask} to i{t.width}")
        lane = t.call(f"i{t.width}", f"llvm.cttz.i{t.width}", f"i{t.width} {bits}", "i1 false")
        lane = t.make(f"urem i{t.width} {lane}, {t.width}")
        return t.make(f"extractelement {t.of(value)} {value.text}, i{t.width} {lane}")

    def _port(self, at: int, type: Type) -> str:
        t = self.t
        base = self.places["item"].base
        assert base is not None
        index = t.make(f"zext i32 {base.text} to i64")
        return t.make(f"getelementptr {LLVM[type.name]}, ptr {self.pointer(at)}, i64 {index}")

    def _input(self, port: Port) -> Val:
        t = self.t
        at = self._port(self.inputs_at + self.kernel.inputs.index(port), port.type)
        wide = t.wide(port.type)
        first = t.make(f"icmp ult <{t.width} x i32> {self.places['item'].text}, {self._lanes()}")
        kind = wide.split(" x ")[1][:-1]
        suffix = {"half": "f16", "float": "f32", "double": "f64"}.get(kind, kind)
        found = t.call(
            wide, f"llvm.masked.load.v{t.width}{suffix}.p0", f"ptr {at}", f"i32 {port.type.size}",
            f"{t.mask} {first}", f"{wide} zeroinitializer",
        )  # fmt: skip
        return Val(found, port.type, True)

    def _lanes(self) -> str:
        t = self.t
        return t.spread(Val(t.make(f"trunc i64 {self.word(LANES)} to i32"), I32)).text

    def _output(self, port: Port, value: Val) -> None:
        t = self.t
        at = self._port(self.outputs_at + self.kernel.outputs.index(port), port.type)
        wide = t.wide(port.type)
        kind = wide.split(" x ")[1][:-1]
        suffix = {"half": "f16", "float": "f32", "double": "f64"}.get(kind, kind)
        t.call(
            "void", f"llvm.masked.store.v{t.width}{suffix}.p0", f"{wide} {t.spread(value).text}",
            f"ptr {at}", f"i32 {port.type.size}", f"{t.mask} {self.acting()}",
        )  # fmt: skip

    def _quad_swap(self, value: Val, other: int) -> Val:
        """The partner's value; a lane's own where its partner is not here."""
        t = self.t
        if not value.wide:
            return value
        order = "<" + ", ".join(f"i32 {lane ^ other}" for lane in range(t.width)) + ">"
        wide, shape = t.wide(value.type), f"<{t.width} x i32>"
        swapped = t.make(f"shufflevector {wide} {value.text}, {wide} poison, {shape} {order}")
        here = t.make(f"shufflevector {t.mask} {self.mask}, {t.mask} poison, {shape} {order}")
        made = t.make(f"select {t.mask} {here}, {wide} {swapped}, {wide} {value.text}")
        return Val(made, value.type, True)
