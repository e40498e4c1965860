"""Thread groups whose lanes share memory or wait at barriers.

    statements … barrier … statements         for each chunk: statements
                                              for each chunk: statements

Between barriers the chunks of a group run one after another. Variables that are live across a
barrier are saved in scratch memory, a copy for each chunk. Constructs of the group
(vm/jit/segments.py) branch on the value of the first lane that is still running.
"""

from ....ir.analysis.flow import VariableBits
from ....ir.analysis.liveness import BackwardWalker
from ....ir.kernel import Block, If, Loop, Region, Statement, Switch, Value, walk
from ....ir.kernel import leaves as left_by
from ....ir.memory import Memory, Space, Var
from ....ir.ops import OPS
from ....ir.types import BOOL, I32
from ..layout import sources
from ..segments import GET, SET, SegmentSplitter
from .emitter import FunctionEmitter
from .llvm_text import LLVM, Val
from .regions import RegionEmitter
from .sources import begin_chunk

END_LABEL = "done"  # label at the end of a group


class GroupEmitter:
    """An emitter of one thread group."""

    def __init__(self, emitter: FunctionEmitter) -> None:
        self.f = emitter
        self.t = emitter.t
        self.splitter = SegmentSplitter()
        self.region_emitter = RegionEmitter(emitter)
        self.saved: dict[Var, str] = {}
        # Constructs of the group: labels after them and at their head; variables live there.
        self.exits: list[tuple[Statement, str, str]] = []
        self.bits = VariableBits(emitter.kernel.variables)
        self.live = BackwardWalker(self.bits)
        self.live.run(emitter.kernel.body)
        self.entry = self.live.start
        self.ends: list[tuple[Statement, int, int]] = []
        self.word = ""  # integer type with a bit for each lane of a chunk
        self.returned = ""  # a word for each chunk: lanes that returned or do not exist
        self.base = Val("", I32)

    def emit(self) -> None:
        """Emit the whole group."""
        f, t = self.f, self.t
        f.clear(Space.SHARED)
        f.clear(Space.LOCAL)
        for var in f.kernel.variables:
            self.saved[var] = f.allocate(self._size(var) * f.layout.chunks)
            if self.entry & self.bits[var]:  # read before it is set
                f.zero(self.saved[var], self._size(var) * f.layout.chunks)
        if OPS.return_ in f.ops:
            self.word = f"i{max(64, f.layout.width)}"
            size = max(8, f.layout.width // 8) * f.layout.chunks
            self.returned = f.allocate(size)
            f.zero(self.returned, size)
            there = f.layout.size % f.layout.width
            if there:
                last = f.layout.chunks - 1
                at = t.make(f"getelementptr {self.word}, ptr {self.returned}, i64 {last}")
                t.put(f"store {self.word} {-1 << there}, ptr {at}, align 8")
        self.region(f.kernel.body, False, 0)

    def _size(self, var: Var) -> int:
        """Return the size in bytes of a variable of one chunk."""
        return self.f.layout.width * max(1, var.type.bits // 8)

    # ------------------------------------------------------------ constructs of the group

    def region(self, region: Region, leaves: bool, live_after: int) -> None:
        """Emit segments and constructs in order; `live_after` are the variables live at the end."""
        t = self.t
        parts = self.splitter.segments(region, leaves)
        live = []  # after each part, from the last one to the first
        for part in reversed(parts):
            live.append(live_after)
            live_after = self._live_before(part, live_after)
        for part in parts:
            after = live.pop()
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

    def _live_before(self, part: "Region | Statement", live_after: int) -> int:
        """Return the variables live before a part, including those that the group branches on."""
        live = self.live
        asked = None
        if isinstance(part, list):
            return self._live_before_segment(part, live_after)
        if isinstance(part, Value):
            live.leave = self.ends
            return live.live_at_target(part)
        if isinstance(part, Loop):
            return live.heads[part]
        if isinstance(part, Block):
            return live.starts[part, 0]
        if isinstance(part, If):
            found = live.starts[part, 0] | live.starts[part, 1]
            asked = part.condition
        else:
            found = live.after[part]
            for number in range(len(part.cases)):
                found |= live.starts[part, number]
            asked = part.value
        return found | self.bits[asked.attr] if asked.op is GET else found

    def _live_before_segment(self, run: Region, live_after: int) -> int:
        """Return the variables live before a segment."""
        live = BackwardWalker(self.bits, self.live.summaries)
        live.leave = list(self.ends)
        return live.region(run, live_after)

    def _uniform_value(self, value: Value) -> str:
        """Return the value in the first running lane of the group; end the group if none runs."""
        t, f = self.t, self.f
        if value.op is OPS.const:
            return t.constant(value.attr, value.type).text
        assert value.op is GET
        var: Var = value.attr
        chunk, lane = self._first_running() if self.returned else ("0", "0")
        kind = "i8" if var.type == BOOL else LLVM[var.type.name]
        first = t.make(f"mul i64 {chunk}, {f.layout.width}")
        if var not in f.facts.uniform:
            first = t.make(f"add i64 {first}, {lane}")
        at = t.make(f"getelementptr {kind}, ptr {self.saved[var]}, i64 {first}")
        found = t.make(f"load {kind}, ptr {at}, align {max(1, var.type.size)}")
        return t.make(f"icmp ne i8 {found}, 0") if var.type == BOOL else found

    def _first_running(self) -> tuple[str, str]:
        """Return chunk and lane of the first lane that is still running."""
        t, f = self.t, self.f
        width = f.layout.width
        number = t.slot("i64", "chunk", 8)
        t.put(f"store i64 0, ptr {number}, align 8")
        head, body, on = t.label("ask"), t.label("asked"), t.label("running")
        t.begin(head)
        chunk = t.make(f"load i64, ptr {number}, align 8")
        t.branch(t.make(f"icmp ult i64 {chunk}, {f.layout.chunks}"), body, END_LABEL)
        t.begin(body)
        t.put(f"store i64 {t.make(f'add i64 {chunk}, 1')}, ptr {number}, align 8")
        gone = t.make(f"getelementptr {self.word}, ptr {self.returned}, i64 {chunk}")
        running = t.make(f"xor i{width} {t.make(f'load i{width}, ptr {gone}, align 8')}, -1")
        t.branch(t.make(f"icmp ne i{width} {running}, 0"), on, head)
        t.begin(on)
        lane = t.call(f"i{width}", f"llvm.cttz.i{width}", f"i{width} {running}", "i1 true")
        return chunk, t.to_i64(lane)

    def _branch(
        self, choice: str, ways: list[tuple[str, Region]], live_after: int, leaves: bool
    ) -> None:
        """Emit a branch of the whole group."""
        t = self.t
        done = t.label("end")
        t.put(choice)
        t.open = False
        for label, region in ways:
            t.begin(label)
            self.region(region, leaves, live_after)
            if t.open:
                t.jump(done)
        t.begin(done)

    def _if(self, statement: If, leaves: bool) -> None:
        t = self.t
        then, otherwise = t.label("then"), t.label("else")
        answer = self._uniform_value(statement.condition)
        ways = [(then, statement.then), (otherwise, statement.otherwise)]
        choice = f"br i1 {answer}, label %{then}, label %{otherwise}"
        self._branch(choice, ways, self.live.after[statement], leaves)

    def _switch(self, statement: Switch) -> None:
        live_after = self.live.after[statement]
        exit = self.t.label("left")
        choice, ways = self.region_emitter.switch_instruction(
            statement, self._uniform_value(statement.value), exit
        )
        self.exits.append((statement, exit, ""))
        self.ends.append((statement, live_after, 0))
        self._branch(choice, ways, live_after, True)
        self.ends.pop()
        self.exits.pop()
        self.t.begin(exit)

    def _block(self, statement: Block, within: bool) -> None:
        live_after = self.live.after[statement]
        exit = self.t.label("left")
        self.exits.append((statement, exit, ""))
        self.ends.append((statement, live_after, 0))
        self.region(statement.body, within, live_after)
        self.ends.pop()
        self.exits.pop()
        self.t.begin(exit)

    def _loop(self, statement: Loop) -> None:
        t = self.t
        head, exit = t.label("loop"), t.label("left")
        self.region_emitter.hide_budget()
        t.begin(head)
        self.region_emitter.spend(statement, self.f.layout.chunks)
        if self.returned:
            self._first_running()
        begin = self.live.heads[statement]
        self.exits.append((statement, exit, head))
        self.ends.append((statement, self.live.after[statement], begin))
        self.region(statement.body, True, begin)
        self.ends.pop()
        self.exits.pop()
        if t.open:
            t.jump(head)
        t.begin(exit)

    # ------------------------------------------------------------ segments

    def _chunks(self, region: Region, live_after: int) -> None:
        """Emit a segment, for each chunk in turn."""
        if all(isinstance(each, Value) and each.op is GET for each in region):
            return
        f, t = self.f, self.t
        layout = f.layout
        head, body, done = t.label("chunks"), t.label("chunk"), t.label("waited")
        on, saved = t.label("here"), t.label("kept")
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
            t.branch(t.any(f.control), on, head)
            t.begin(on)
        bases = self._select_chunk(chunk)
        used, changed = _variables(region)
        before = self.bits.variables(self._live_before_segment(region, live_after))
        after = self.bits.variables(live_after)
        for var in used:
            if var in before:
                self._restore(var, chunk)
            else:
                t.put(f"store {f.llvm_of(var)} zeroinitializer, ptr {f.slot(var)}, align 8")
        self.region_emitter.return_label = saved
        self.region_emitter.region(region)
        t.begin(saved)
        for var in changed:
            if var in after:
                self._save(var, chunk)
        if self.returned:
            gone = t.chosen(f.held(f.returned))
            old = t.make(f"getelementptr {self.word}, ptr {self.returned}, i64 {chunk}")
            t.put(f"store i{layout.width} {t.bits(gone)}, ptr {old}, align 8")
        for memory, pointer in bases.items():
            f.memories[memory].pointer = pointer
        t.jump(head)
        t.begin(done)

    def _select_chunk(self, chunk: str) -> dict[Memory, str]:
        """Point local memories at a chunk's copies; return the pointers to restore."""
        f, t = self.f, self.t
        bases: dict[Memory, str] = {}
        for memory, ref in f.memories.items():
            if memory.space is Space.LOCAL:
                bases[memory] = ref.pointer
                offset = t.make(f"mul i64 {chunk}, {ref.copy_size * f.layout.width}")
                ref.pointer = t.make(f"getelementptr i8, ptr {ref.pointer}, i64 {offset}")
        return bases

    def _resume(self, chunk: str) -> None:
        """Remove the lanes that returned in an earlier segment from the mask."""
        f, t = self.f, self.t
        width = f.layout.width
        at = t.make(f"getelementptr {self.word}, ptr {self.returned}, i64 {chunk}")
        bits = t.make(f"load i{width}, ptr {at}, align 8")
        gone = t.controlled(t.make(f"bitcast i{width} {bits} to {t.mask}"))
        f.fill(f.returned, gone)
        f.control = f.start = f.without(f.control, [f.returned])

    def _saved_place(self, var: Var, chunk: str) -> tuple[str, str]:
        """Return a pointer to the saved variable of a chunk, and its type: bools are bytes."""
        t = self.t
        offset = t.make(f"mul i64 {chunk}, {self._size(var)}")
        scalar = "i8" if var.type == BOOL else LLVM[var.type.name]
        held = scalar if var in self.f.facts.uniform else f"<{t.width} x {scalar}>"
        return t.make(f"getelementptr i8, ptr {self.saved[var]}, i64 {offset}"), held

    def _restore(self, var: Var, chunk: str) -> None:
        f, t = self.f, self.t
        at, held = self._saved_place(var, chunk)
        text = t.make(f"load {held}, ptr {at}, align 8")
        if var.type == BOOL:
            zero = "zeroinitializer" if held.startswith("<") else "0"
            text = t.make(f"icmp ne {held} {text}, {zero}")
        t.put(f"store {f.llvm_of(var)} {text}, ptr {f.slot(var)}, align 8")

    def _save(self, var: Var, chunk: str) -> None:
        f, t = self.f, self.t
        at, held = self._saved_place(var, chunk)
        text = f.get(var).text
        if var.type == BOOL:
            text = t.make(f"zext {f.llvm_of(var)} {text} to {held}")
        t.put(f"store {held} {text}, ptr {at}, align 8")


def _variables(region: Region) -> tuple[list[Var], list[Var]]:
    """Return the variables that a segment uses, and the variables that it sets."""
    used: dict[Var, None] = {}
    changed: dict[Var, None] = {}
    for value in walk(region):
        if value.op in (GET, SET):
            used[value.attr] = None
        if value.op is SET:
            changed[value.attr] = None
    return list(used), list(changed)
