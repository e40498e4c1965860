"""Thread groups whose lanes share memory or wait for one another.

    statements … barrier … statements         for each chunk: statements
                                              for each chunk: statements

Between barriers the chunks of a group run one after the other; what lanes hold across one is kept
in scratch memory, a copy for each chunk. A construct with a barrier inside is done once for the group:
all lanes take the same way there (Direct3D asks for it), the condition is that of the first lane
that is still running.
"""

from ...errors import UnsupportedError
from ...ir.kernel import If, Kernel, Loop, Region, Switch, Value, regions
from ...ir.memory import Space, Var
from ...ir.ops import OPS
from ...ir.types import I32
from .function import Function
from .layout import escapes, has_barrier
from .text import LLVM, Val

GET, SET = OPS["get"], OPS["set"]


def _is_barrier(statement: "Value | If | Loop | Switch") -> bool:
    return (
        isinstance(statement, Value)
        and statement.op.name == "barrier"
        and statement.attr == "group"
    )


def segments(region: Region, leaves: bool) -> "list[Region | If | Loop]":
    """A region cut at its barriers: runs of statements for chunks, and constructs for the group.

    With `leaves` an `If` by which lanes leave the loop around it belongs to the group, too.
    """
    found: list[Region | If | Loop] = []
    run: Region = []
    for statement in region:
        group = not isinstance(statement, Value) and has_barrier([statement])
        if leaves and not group:
            group = bool(escapes(statement) & {"break", "continue"})
        if not group and not _is_barrier(statement):
            run.append(statement)
            continue
        if run:
            found.append(run)
            run = []
        if isinstance(statement, If | Loop):
            found.append(statement)
        elif isinstance(statement, Switch):
            raise UnsupportedError("a barrier inside of a switch cannot be run by the jit engine")
        elif not _is_barrier(statement):
            found.append([statement])  # a break or continue of the group
    if run:
        found.append(run)
    return found


def keep_values(kernel: Kernel) -> None:
    """Values that are used in another segment than the one that makes them become variables."""
    home: dict[Value, int] = {}
    uses: dict[Value, set[int]] = {}
    counter = [0]

    def used(value: Value, segment: int) -> None:
        if value.op.name != "const":
            uses.setdefault(value, set()).add(segment)

    def inside(region: Region, segment: int) -> None:
        for statement in region:
            if isinstance(statement, Value):
                for arg in statement.args:
                    used(arg, segment)
                home[statement] = segment
                continue
            if isinstance(statement, If):
                used(statement.condition, segment)
            elif isinstance(statement, Switch):
                used(statement.value, segment)
            for inner in regions(statement):
                inside(inner, segment)

    def outside(region: Region, leaves: bool) -> None:
        for part in segments(region, leaves):
            counter[0] += 1
            if isinstance(part, list):
                inside(part, counter[0])
            elif isinstance(part, If):
                used(part.condition, counter[0])
                outside(part.then, leaves)
                outside(part.otherwise, leaves)
            else:
                outside(part.body, True)

    outside(kernel.body, False)
    kept: dict[Value, Var] = {}
    for value, where in uses.items():
        if where - {home[value]}:
            var = Var(f"kept{len(kept)}", value.type)
            kernel.variables.append(var)
            kept[value] = var
    if kept:
        _replace(kernel.body, kept, home, uses)


def _replace(
    region: Region, kept: dict[Value, Var], home: dict[Value, int], uses: dict[Value, set[int]]
) -> None:
    """Put a set behind each kept value, and gets before its uses."""
    old = region[:]
    region.clear()

    def fetched(value: Value) -> Value:
        var = kept.get(value)
        if var is None:
            return value
        get = Value(GET, var.type, (), var, value.line)
        region.append(get)
        return get

    for statement in old:
        if isinstance(statement, Value):
            if any(arg in kept for arg in statement.args):
                statement.args = tuple(fetched(arg) for arg in statement.args)
            region.append(statement)
            if statement in kept:
                var = kept[statement]
                from ...ir.types import VOID

                region.append(Value(SET, VOID, (statement,), var, statement.line))
            continue
        if isinstance(statement, If):
            statement.condition = fetched(statement.condition)
        elif isinstance(statement, Switch):
            statement.value = fetched(statement.value)
        region.append(statement)
        for inner in regions(statement):
            _replace(inner, kept, home, uses)


class Group:
    """Emits one thread group."""

    def __init__(self, function: Function) -> None:
        self.f = function
        self.t = function.t
        self.kept: dict[Var, str] = {}
        self.exits: list[tuple[str, str]] = []
        self.returned = ""

    def emit(self) -> None:
        """All of the group."""
        f, t = self.f, self.t
        chunks, width = f.layout.chunks, f.layout.width
        f.clear(Space.SHARED)
        f.clear(Space.LOCAL)
        for var in f.kernel.variables:
            size = width * max(1, var.type.bits // 8)
            self.kept[var] = f.room(size * chunks)
            t.call(
                "void", "llvm.memset.p0.i64", f"ptr {self.kept[var]}", "i8 0",
                f"i64 {size * chunks}", "i1 false",
            )  # fmt: skip
        self.returned = f.room(8 * chunks)
        t.call(
            "void", "llvm.memset.p0.i64", f"ptr {self.returned}", "i8 0", f"i64 {8 * chunks}",
            "i1 false",
        )  # fmt: skip
        self.region(f.kernel.body, False)

    def region(self, region: Region, leaves: bool) -> None:
        """Segments and constructs, one after the other."""
        for part in segments(region, leaves):
            if not self.t.open:
                return
            if isinstance(part, If):
                self._if(part, leaves)
            elif isinstance(part, Loop):
                self._loop(part)
            elif len(part) == 1 and isinstance(part[0], Value) and part[0].op.ends and leaves:
                head, exit = self.exits[-1]
                self.t.jump(exit if part[0].op.name == "break" else head)
            else:
                self._chunks(part)

    # ------------------------------------------------------------ constructs of the group

    def _condition(self, value: Value) -> str:
        """What the first running lane of the group holds."""
        t, f = self.t, self.f
        if value.op.name == "const":
            return "true" if value.attr else "false"
        assert value.op is GET
        width = f.layout.width
        slot = self.kept[value.attr]
        # Lane 0 may have returned: look at the first that has not, chunk by chunk.
        found = t.slot("i8", "condition", 8)
        t.put(f"store i8 0, ptr {found}, align 1")
        head, body, done = t.label("ask"), t.label("asked"), t.label("known")
        number = t.slot("i64", "chunk", 8)
        t.put(f"store i64 0, ptr {number}, align 8")
        t.begin(head)
        chunk = t.make(f"load i64, ptr {number}, align 8")
        t.branch(t.make(f"icmp ult i64 {chunk}, {f.layout.chunks}"), body, done)
        t.begin(body)
        t.put(f"store i64 {t.make(f'add i64 {chunk}, 1')}, ptr {number}, align 8")
        gone = t.make(f"getelementptr i64, ptr {self.returned}, i64 {chunk}")
        bits = t.make(f"load i{width}, ptr {gone}, align 8")
        running = t.make(f"xor i{width} {bits}, -1")
        some, none = t.label("running"), head
        t.branch(t.make(f"icmp ne i{width} {running}, 0"), some, none)
        t.begin(some)
        lane = t.call(f"i{width}", f"llvm.cttz.i{width}", f"i{width} {running}", "i1 true")
        lane64 = lane if width == 64 else t.make(f"zext i{width} {lane} to i64")
        at = t.make(f"add i64 {t.make(f'mul i64 {chunk}, {width}')}, {lane64}")
        where = t.make(f"getelementptr i8, ptr {slot}, i64 {at}")
        t.put(f"store i8 {t.make(f'load i8, ptr {where}, align 1')}, ptr {found}, align 1")
        t.jump(done)
        t.begin(done)
        return t.make(f"icmp ne i8 {t.make(f'load i8, ptr {found}, align 1')}, 0")

    def _if(self, statement: If, leaves: bool) -> None:
        t = self.t
        then, otherwise, done = t.label("then"), t.label("else"), t.label("end")
        condition = self._condition(statement.condition)
        t.branch(condition, then, otherwise)
        for label, region in ((then, statement.then), (otherwise, statement.otherwise)):
            t.begin(label)
            self.region(region, leaves)
            if t.open:
                t.jump(done)
        t.begin(done)

    def _loop(self, statement: Loop) -> None:
        t = self.t
        head, exit = t.label("loop"), t.label("left")
        t.begin(head)
        self.f._spend()
        self.exits.append((head, exit))
        self.region(statement.body, True)
        self.exits.pop()
        if t.open:
            t.jump(head)
        t.begin(exit)

    # ------------------------------------------------------------ segments

    def _chunks(self, region: Region) -> None:
        """The statements for each chunk in turn."""
        f, t = self.f, self.t
        layout = f.layout
        head, body, done = t.label("chunks"), t.label("chunk"), t.label("waited")
        number = t.slot("i64", "chunk", 8)
        t.put(f"store i64 0, ptr {number}, align 8")
        t.begin(head)
        chunk = t.make(f"load i64, ptr {number}, align 8")
        t.branch(t.make(f"icmp ult i64 {chunk}, {layout.chunks}"), body, done)
        t.begin(body)
        base = t.make(f"mul i64 {chunk}, {layout.width}")
        first = Val(t.make(f"trunc i64 {base} to i32"), I32)
        group = Val(t.make("trunc i64 %unit to i32"), I32)
        f.begin_chunk(first, str(layout.size), group)
        self._resume(chunk)
        used, changed = _variables(region)
        rooms = {}
        for memory, room in f.rooms.items():  # each chunk has its own part
            if memory.space is Space.LOCAL:
                rooms[memory] = room.pointer
                size = memory.stride * (memory.count or 0) * layout.width
                offset = t.make(f"mul i64 {chunk}, {size}")
                room.pointer = t.make(f"getelementptr i8, ptr {room.pointer}, i64 {offset}")
        for var in used:
            self._move(var, chunk, out=False)
        f.region(region)
        t.begin(t.label("kept"))
        for var in changed:
            self._move(var, chunk, out=True)
        if f.returned:
            gone = t.make(f"load {t.mask}, ptr {f.returned}, align 8")
            bits = t.make(f"bitcast {t.mask} {gone} to i{layout.width}")
            at = t.make(f"getelementptr i64, ptr {self.returned}, i64 {chunk}")
            t.put(f"store i{layout.width} {bits}, ptr {at}, align 8")
        for memory, pointer in rooms.items():
            f.rooms[memory].pointer = pointer
        t.put(f"store i64 {t.make(f'add i64 {chunk}, 1')}, ptr {number}, align 8")
        t.jump(head)
        t.begin(done)

    def _resume(self, chunk: str) -> None:
        """Lanes that returned in an earlier segment stay away."""
        f, t = self.f, self.t
        if not f.returned:
            return
        width = f.layout.width
        at = t.make(f"getelementptr i64, ptr {self.returned}, i64 {chunk}")
        bits = t.make(f"load i{width}, ptr {at}, align 8")
        gone = t.make(f"bitcast i{width} {bits} to {t.mask}")
        t.put(f"store {t.mask} {gone}, ptr {f.returned}, align 8")
        stay = t.make(f"xor {t.mask} {gone}, splat (i1 true)")
        f.mask = t.make(f"and {t.mask} {f.mask}, {stay}")

    def _move(self, var: Var, chunk: str, *, out: bool) -> None:
        """A variable of a chunk, from scratch memory or back; bools are bytes there."""
        f, t = self.f, self.t
        width = f.layout.width
        boolean = var.type.kind == "b"
        held = f"<{width} x i8>" if boolean else f"<{width} x {LLVM[var.type.name]}>"
        size = width * max(1, var.type.bits // 8)
        offset = t.make(f"mul i64 {chunk}, {size}")
        at = t.make(f"getelementptr i8, ptr {self.kept[var]}, i64 {offset}")
        slot = f.slot(var)
        if out:
            value = f.get(var)
            text = t.spread(value).text
            if boolean:
                text = t.make(f"zext {t.mask} {text} to {held}")
            t.put(f"store {held} {text}, ptr {at}, align 8")
            return
        text = t.make(f"load {held}, ptr {at}, align 8")
        if boolean:
            text = t.make(f"icmp ne {held} {text}, zeroinitializer")
        if var in f.facts.uniform:
            scalar = LLVM[var.type.name]
            wide = t.mask if boolean else held
            text = t.make(f"extractelement {wide} {text}, i64 0")
            t.put(f"store {scalar} {text}, ptr {slot}, align 8")
        else:
            t.put(f"store {f.llvm_of(var)} {text}, ptr {slot}, align 8")


def _variables(region: Region) -> tuple[list[Var], list[Var]]:
    """The variables that a segment touches, and those that it sets."""
    from ...ir.kernel import walk

    used: dict[Var, None] = {}
    changed: dict[Var, None] = {}
    for value in walk(region):
        if value.op in (GET, SET):
            used[value.attr] = None
        if value.op is SET:
            changed[value.attr] = None
    return list(used), list(changed)


def emit_group(function: Function) -> None:
    """The body of the loop over groups."""
    Group(function).emit()
