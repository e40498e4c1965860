"""Thread groups whose lanes share memory or wait for one another.

    statements … barrier … statements         for each chunk: statements
                                              for each chunk: statements

Between barriers the chunks of a group run one after the other; what lanes hold across one is kept
in scratch memory, a copy for each chunk: only what is read again. A construct of the group
(segments.py) goes by the answer of the first lane that is still running.
"""

from ...ir.analysis.flow import VariableBits
from ...ir.analysis.liveness import BackwardWalker
from ...ir.kernel import Block, If, Loop, Region, Statement, Switch, Value, walk
from ...ir.kernel import leaves as left_by
from ...ir.memory import Memory, Space, Var
from ...ir.ops import OPS
from ...ir.types import BOOL, I32
from .frame import Frame
from .lanes import begin_chunk
from .layout import sources
from .segments import GET, SET, Cut
from .structure import Structure
from .text import LLVM, Val

END = "done"  # label where a group ends


class Group:
    """Emits one thread group."""

    def __init__(self, frame: Frame) -> None:
        self.f = frame
        self.t = frame.t
        self.cut = Cut()
        self.structure = Structure(frame)
        self.kept: dict[Var, str] = {}
        # Constructs of the group: the labels behind and at the head; what is live there.
        self.exits: list[tuple[Statement, str, str]] = []
        self.bits = VariableBits(frame.kernel.variables)
        self.live = BackwardWalker(self.bits)
        self.live.run(frame.kernel.body)
        self.entry = self.live.region(frame.kernel.body, 0)
        self.ends: list[tuple[Statement, int, int]] = []
        self.word = ""  # the type of one that has a bit for each lane of a chunk
        self.returned = ""  # a word for each chunk: lanes that returned or do not exist
        self.base = Val("", I32)

    def emit(self) -> None:
        """All of the group."""
        f, t = self.f, self.t
        f.clear(Space.SHARED)
        f.clear(Space.LOCAL)
        for var in f.kernel.variables:
            self.kept[var] = f.room(self._size(var) * f.layout.chunks)
            if self.entry & self.bits[var]:  # read before it is set
                f.zero(self.kept[var], self._size(var) * f.layout.chunks)
        if OPS.return_ in f.ops:
            self.word = f"i{max(64, f.layout.width)}"
            size = max(8, f.layout.width // 8) * f.layout.chunks
            self.returned = f.room(size)
            f.zero(self.returned, size)
            there = f.layout.size % f.layout.width
            if there:
                last = f.layout.chunks - 1
                at = t.make(f"getelementptr {self.word}, ptr {self.returned}, i64 {last}")
                t.put(f"store {self.word} {-1 << there}, ptr {at}, align 8")
        self.region(f.kernel.body, False, 0)

    def _size(self, var: Var) -> int:
        """Bytes of a variable of one chunk."""
        return self.f.layout.width * max(1, var.type.bits // 8)

    # ------------------------------------------------------------ constructs of the group

    def region(self, region: Region, leaves: bool, behind: int) -> None:
        """Segments and constructs, one after the other; `behind`: what is live at the end."""
        t = self.t
        parts = self.cut.segments(region, leaves)
        wanted = []  # what is read behind each part, before it is set
        for part in reversed(parts):
            wanted.append(behind)
            behind = self._begin(part, behind)
        for part in parts:
            after = wanted.pop()
            if not t.open:
                return
            if isinstance(part, list):
                self._chunks(part, after)
            elif isinstance(part, If):
                self._if(part, leaves)
            elif isinstance(part, Loop):
                self._loop(part)
            elif isinstance(part, Switch):
                self._switch(part)
            elif isinstance(part, Block):
                self._block(part, leaves)
            else:
                _, exit, again = next(e for e in reversed(self.exits) if left_by(part, e[0]))
                t.jump(again if part.op is OPS.continue_ else exit)

    def _begin(self, part: "Region | Statement", behind: int) -> int:
        """What is live before a part; also what the group itself asks for."""
        live = self.live
        asked = None
        if isinstance(part, list):
            return self._before(part, behind)
        if isinstance(part, Value):
            live.leave = self.ends
            return live.left(part)
        if isinstance(part, Loop):
            return live.heads[part]
        if isinstance(part, Block):
            return live.ahead[part, 0]
        if isinstance(part, If):
            found = live.ahead[part, 0] | live.ahead[part, 1]
            asked = part.condition
        else:
            found = live.behind[part]
            for number in range(len(part.cases)):
                found |= live.ahead[part, number]
            asked = part.value
        return found | self.bits[asked.attr] if asked.op is GET else found

    def _before(self, run: Region, behind: int) -> int:
        """What is live before a segment."""
        live = BackwardWalker(self.bits)
        live.leave = list(self.ends)
        while True:
            live.changed = False
            found = live.region(run, behind)
            if not live.changed:
                return found

    def _answer(self, value: Value) -> str:
        """What the first running lane of the group holds; ends the group if none is running."""
        t, f = self.t, self.f
        if value.op is OPS.const:
            return t.constant(value.attr, value.type).text
        assert value.op is GET
        var: Var = value.attr
        chunk, lane = self._running() if self.returned else ("0", "0")
        kind = "i8" if var.type == BOOL else LLVM[var.type.name]
        first = t.make(f"mul i64 {chunk}, {f.layout.width}")
        if var not in f.facts.uniform:
            first = t.make(f"add i64 {first}, {lane}")
        at = t.make(f"getelementptr {kind}, ptr {self.kept[var]}, i64 {first}")
        found = t.make(f"load {kind}, ptr {at}, align {max(1, var.type.size)}")
        return t.make(f"icmp ne i8 {found}, 0") if var.type == BOOL else found

    def _running(self) -> tuple[str, str]:
        """Chunk and lane of the first lane that has not returned."""
        t, f = self.t, self.f
        width = f.layout.width
        number = t.slot("i64", "chunk", 8)
        t.put(f"store i64 0, ptr {number}, align 8")
        head, body, on = t.label("ask"), t.label("asked"), t.label("running")
        t.begin(head)
        chunk = t.make(f"load i64, ptr {number}, align 8")
        t.branch(t.make(f"icmp ult i64 {chunk}, {f.layout.chunks}"), body, END)
        t.begin(body)
        t.put(f"store i64 {t.make(f'add i64 {chunk}, 1')}, ptr {number}, align 8")
        gone = t.make(f"getelementptr {self.word}, ptr {self.returned}, i64 {chunk}")
        running = t.make(f"xor i{width} {t.make(f'load i{width}, ptr {gone}, align 8')}, -1")
        t.branch(t.make(f"icmp ne i{width} {running}, 0"), on, head)
        t.begin(on)
        lane = t.call(f"i{width}", f"llvm.cttz.i{width}", f"i{width} {running}", "i1 true")
        return chunk, t.long(lane)

    def _ways(self, choice: str, ways: list[tuple[str, Region]], behind: int, leaves: bool) -> None:
        """Regions of which the group takes one."""
        t = self.t
        done = t.label("end")
        t.put(choice)
        t.open = False
        for label, region in ways:
            t.begin(label)
            self.region(region, leaves, behind)
            if t.open:
                t.jump(done)
        t.begin(done)

    def _if(self, statement: If, leaves: bool) -> None:
        t = self.t
        then, otherwise = t.label("then"), t.label("else")
        answer = self._answer(statement.condition)
        ways = [(then, statement.then), (otherwise, statement.otherwise)]
        choice = f"br i1 {answer}, label %{then}, label %{otherwise}"
        self._ways(choice, ways, self.live.behind[statement], leaves)

    def _switch(self, statement: Switch) -> None:
        behind = self.live.behind[statement]
        exit = self.t.label("left")
        choice, ways = self.structure.choice(statement, self._answer(statement.value), exit)
        self.exits.append((statement, exit, ""))
        self.ends.append((statement, behind, 0))
        self._ways(choice, ways, behind, True)
        self.ends.pop()
        self.exits.pop()
        self.t.begin(exit)

    def _block(self, statement: Block, within: bool) -> None:
        behind = self.live.behind[statement]
        exit = self.t.label("left")
        self.exits.append((statement, exit, ""))
        self.ends.append((statement, behind, 0))
        self.region(statement.body, within, behind)
        self.ends.pop()
        self.exits.pop()
        self.t.begin(exit)

    def _loop(self, statement: Loop) -> None:
        t = self.t
        head, exit = t.label("loop"), t.label("left")
        self.structure.hide_budget()
        t.begin(head)
        self.structure.spend(statement.line)
        if self.returned:
            self._running()
        begin = self.live.heads[statement]
        self.exits.append((statement, exit, head))
        self.ends.append((statement, self.live.behind[statement], begin))
        self.region(statement.body, True, begin)
        self.ends.pop()
        self.exits.pop()
        if t.open:
            t.jump(head)
        t.begin(exit)

    # ------------------------------------------------------------ segments

    def _chunks(self, region: Region, wanted: int) -> None:
        """The statements for each chunk in turn."""
        if all(isinstance(each, Value) and each.op is GET for each in region):
            return
        f, t = self.f, self.t
        layout = f.layout
        head, body, done = t.label("chunks"), t.label("chunk"), t.label("waited")
        on, kept = t.label("here"), t.label("kept")
        number = t.slot("i64", "chunk", 8)
        t.put(f"store i64 0, ptr {number}, align 8")
        budget = t.make("load i64, ptr %budget, align 8")
        t.begin(head)
        chunk = t.make(f"load i64, ptr {number}, align 8")
        t.branch(t.make(f"icmp ult i64 {chunk}, {layout.chunks}"), body, done)
        t.begin(body)
        t.put(f"store i64 {t.make(f'add i64 {chunk}, 1')}, ptr {number}, align 8")
        t.put(f"store i64 {budget}, ptr %budget, align 8")
        base = t.make(f"trunc i64 {t.make(f'mul i64 {chunk}, {layout.width}')} to i32")
        group = Val(t.make("trunc i64 %unit to i32"), I32)
        begin_chunk(f, Val(base, I32), str(layout.size), group, sources(region))
        if self.returned:
            self._resume(chunk)
            t.branch(t.any(f.mask), on, head)
            t.begin(on)
        rooms = self._own(chunk)
        used, changed = _variables(region)
        before = self.bits.variables(self._before(region, wanted))
        after = self.bits.variables(wanted)
        for var in used:
            if var in before:
                self._fetch(var, chunk)
            else:
                t.put(f"store {f.llvm_of(var)} zeroinitializer, ptr {f.slot(var)}, align 8")
        self.structure.finish = kept
        self.structure.region(region)
        t.begin(kept)
        for var in changed:
            if var in after:
                self._keep(var, chunk)
        if self.returned:
            gone = t.make(f"load {t.mask}, ptr {f.returned}, align 8")
            old = t.make(f"getelementptr {self.word}, ptr {self.returned}, i64 {chunk}")
            bits = t.make(f"bitcast {t.mask} {gone} to i{layout.width}")
            t.put(f"store i{layout.width} {bits}, ptr {old}, align 8")
        for memory, pointer in rooms.items():
            f.rooms[memory].pointer = pointer
        t.jump(head)
        t.begin(done)

    def _own(self, chunk: str) -> dict[Memory, str]:
        """Each chunk has its own part of memories of lanes; gives what to put back."""
        f, t = self.f, self.t
        rooms: dict[Memory, str] = {}
        for memory, room in f.rooms.items():
            if memory.space is Space.LOCAL:
                rooms[memory] = room.pointer
                offset = t.make(f"mul i64 {chunk}, {room.block * f.layout.width}")
                room.pointer = t.make(f"getelementptr i8, ptr {room.pointer}, i64 {offset}")
        return rooms

    def _resume(self, chunk: str) -> None:
        """Lanes that returned in an earlier segment stay away."""
        f, t = self.f, self.t
        width = f.layout.width
        at = t.make(f"getelementptr {self.word}, ptr {self.returned}, i64 {chunk}")
        bits = t.make(f"load i{width}, ptr {at}, align 8")
        gone = t.make(f"bitcast i{width} {bits} to {t.mask}")
        t.put(f"store {t.mask} {gone}, ptr {f.returned}, align 8")
        stay = t.make(f"xor {t.mask} {gone}, splat (i1 true)")
        f.mask = f.start = t.make(f"and {t.mask} {f.mask}, {stay}")

    def _place(self, var: Var, chunk: str) -> tuple[str, str]:
        """(pointer to a variable of a chunk in scratch memory, its type there): bools are bytes."""
        t = self.t
        offset = t.make(f"mul i64 {chunk}, {self._size(var)}")
        scalar = "i8" if var.type == BOOL else LLVM[var.type.name]
        held = scalar if var in self.f.facts.uniform else f"<{t.width} x {scalar}>"
        return t.make(f"getelementptr i8, ptr {self.kept[var]}, i64 {offset}"), held

    def _fetch(self, var: Var, chunk: str) -> None:
        f, t = self.f, self.t
        at, held = self._place(var, chunk)
        text = t.make(f"load {held}, ptr {at}, align 8")
        if var.type == BOOL:
            zero = "zeroinitializer" if held.startswith("<") else "0"
            text = t.make(f"icmp ne {held} {text}, {zero}")
        t.put(f"store {f.llvm_of(var)} {text}, ptr {f.slot(var)}, align 8")

    def _keep(self, var: Var, chunk: str) -> None:
        f, t = self.f, self.t
        at, held = self._place(var, chunk)
        text = f.get(var).text
        if var.type == BOOL:
            text = t.make(f"zext {f.llvm_of(var)} {text} to {held}")
        t.put(f"store {held} {text}, ptr {at}, align 8")


def _variables(region: Region) -> tuple[list[Var], list[Var]]:
    """The variables that a segment touches, and those that it sets."""
    used: dict[Var, None] = {}
    changed: dict[Var, None] = {}
    for value in walk(region):
        if value.op in (GET, SET):
            used[value.attr] = None
        if value.op is SET:
            changed[value.attr] = None
    return list(used), list(changed)
