"""State of the emitter: the text, the kernel's memories and variables, the mask.

    context ──► words, pointers        of the call: counts, arrays, the budget (vm/jit/layout.py)
    scratch ──► memories               the kernel's own: shared and local
    stack   ──► slots                  variables and masks, which LLVM turns into registers

`control` is the mask of the lanes that are active at the statement, `mask` the same as booleans.
regions.py defines where it may be empty.
"""

from collections.abc import Mapping

from ....dataclass import dataclass
from ....ir.analysis.ranges import ValueRange
from ....ir.analysis.uniformity import VectorShape
from ....ir.kernel import KernelIR, Statement, Value
from ....ir.memory import Memory, Space, Var
from ....ir.ops import OPS
from ..layout import LaneLayout, slots
from .access import Access
from .addresses import MemoryRef
from .llvm_text import LLVM, FunctionText, Val
from .subnormals import Subnormals
from .tally import size_of, tally

MANY_ACCESSES = 200  # kernels with more accesses are emitted with few blocks
PAD = 512  # minimum bytes after the kernel's own memories: idle lanes may read there


@dataclass(slots=True)
class KernelFacts:
    """The results of analyses.

    uniform     variables that are equal in all lanes of a chunk
    unmasked    sets that need no mask
    divergent   constructs, breaks and continues at which lanes diverge
    shapes      of values
    ranges      of integers
    """

    uniform: frozenset[Var]
    unmasked: frozenset[Value]
    divergent: frozenset[Statement]
    shapes: Mapping[Value, VectorShape]
    ranges: Mapping[Value, ValueRange]


class FunctionEmitter:
    """The state of emitting one kernel in one layout."""

    def __init__(
        self,
        kernel: KernelIR,
        layout: LaneLayout,
        facts: KernelFacts,
        estimates: int | None = None,
        counting: bool = False,
    ) -> None:
        self.kernel = kernel
        self.layout = layout
        self.facts = facts
        self.t = FunctionText(layout.width, kernel.flush, kernel.mode, layout.index, estimates)
        accesses = sum(isinstance(value.attr, Memory) for value in kernel.values())
        self.t.few_blocks = accesses > MANY_ACCESSES
        self.access = Access(self.t)
        self.subnormals = Subnormals(kernel, facts.ranges)
        self.values: dict[Value, Val] = {}
        self.slots: dict[Var, str] = {}
        self.memories: dict[Memory, MemoryRef] = {}
        self.globals: list[str] = []
        self.control = ""
        self.start = ""  # the mask at the start of the chunk
        self.returned = ""  # slot of the mask of lanes that returned, if any may
        self.killed = ""  # slot of the mask of lanes without effects, if there may be any
        self.helping = ""  # slot of the mask of helper lanes, in a pixel shader
        self.sources: dict[str, Val] = {}
        self.loaded: dict[Value, Val] = {}  # loads: their values (element_loads.py)
        self.placed: dict[Value, tuple[str, int]] = {}  # loads: pointer, distance (load_runs.py)
        self.memory_slots, self.inputs_at, self.outputs_at = slots(kernel)
        self.counters = ""  # pointer to the counters (tally.py)
        self.counting = counting  # count the work in loops (vm/jit/tiers.py)
        self.scratch = 0  # bytes
        self.pad = max(PAD, 8 * layout.width)
        self.ops = {value.op for value in kernel.values()}

    # ------------------------------------------------------------ context

    def word(self, at: int) -> str:
        """Load a word of the context."""
        t = self.t
        pointer = t.make(f"getelementptr i64, ptr %context, i64 {at}")
        return t.make(f"load i64, ptr {pointer}, align 8")

    def pointer(self, at: int) -> str:
        """Load a pointer of the context."""
        t = self.t
        pointer = t.make(f"getelementptr i64, ptr %context, i64 {at}")
        return t.make(f"load ptr, ptr {pointer}, align 8")

    # ------------------------------------------------------------ memories

    def allocate(self, size: int, pad: int | None = None) -> str:
        """Return a pointer to `size` new bytes of scratch memory, and others after them."""
        at = self.scratch
        self.scratch += -(-size // 64) * 64 + (self.pad if pad is None else pad)
        return self.t.make(f"getelementptr i8, ptr %scratch, i64 {at}")

    def copies(self, memory: Memory) -> int:
        """Return the number of copies of one of the kernel's own memories."""
        if memory.space is not Space.LOCAL:
            return 1
        return self.layout.width * (self.layout.chunks if self.layout.grouped else 1)

    def open_memories(self) -> None:
        """Emit the pointers and counts of all memories, once for each call."""
        words = self._interleavable()
        self.counters = self.allocate(size_of(self.kernel))
        self.zero(self.counters, size_of(self.kernel))
        for memory in self.kernel.memories:
            if memory in self.memory_slots:
                at = self.memory_slots[memory]
                self.memories[memory] = MemoryRef(memory, self.pointer(at), self.word(at + 1))
            elif memory.space is Space.TABLE:
                name = f"@table{len(self.globals)}"
                padded = memory.data + bytes(self.pad)
                data = "".join(f"\\{byte:02X}" for byte in padded)
                kind = f"[{len(padded)} x i8]"
                self.globals.append(f'{name} = private constant {kind} c"{data}", align 64')
                count = len(memory.data) // memory.stride
                self.memories[memory] = MemoryRef(memory, name, str(count))
            else:
                ref = MemoryRef(memory, "", str(memory.count or 0), memory in words)
                ref.pointer = self.allocate(ref.copy_size * self.copies(memory))
                self.memories[memory] = ref
        for at, ref in enumerate(self.memories.values()):
            if self.t.few_blocks:
                ref.outside = self.t.slot("i64", "outside", 8)
                self.t.put(f"store i64 0, ptr {ref.outside}, align 8")
            else:
                ref.outside = self.counter(at)

    def _interleavable(self) -> set[Memory]:
        """Return the local memories that are only accessed by whole words."""
        found = {
            memory
            for memory in self.kernel.memories
            if memory.space is Space.LOCAL and memory.stride % 4 == 0
        }
        for value in self.kernel.values():
            if value.attr not in found or not isinstance(value.attr, Memory):
                continue
            byte = value.args[1] if len(value.args) > 1 else None
            type = value.args[2].type if value.op is OPS.store else value.type
            if (
                value.op not in (OPS.load, OPS.store)
                or byte is None
                or type.size != 4
                or byte.op is not OPS.const
                or byte.attr % 4
            ):
                found.discard(value.attr)
        return found

    def clear(self, space: Space) -> None:
        """Zero the kernel's own memories of a space."""
        for memory, ref in self.memories.items():
            if memory.space is space:
                self.zero(ref.pointer, ref.copy_size * self.copies(memory))

    def zero(self, pointer: str, size: int) -> None:
        """Zero `size` bytes."""
        if size:
            self.t.call(
                "void", "llvm.memset.p0.i64", f"ptr {pointer}", "i8 0", f"i64 {size}", "i1 false"
            )

    # ------------------------------------------------------------ masks

    def empty(self, stem: str) -> str:
        """Return the slot of a new, empty mask."""
        slot = self.t.slot(self.t.control, stem)
        self.clear_mask(slot)
        return slot

    def clear_mask(self, slot: str) -> None:
        """Empty the mask in a slot."""
        self._store_others(slot, self.t.every)

    def fill(self, slot: str, control: str) -> None:
        """Store a mask in a slot."""
        self._store_others(slot, self.t.others(control))

    def held(self, slot: str) -> str:
        """Return the mask in a slot."""
        return self.t.others(self._others(slot))

    def mark(self, slot: str, control: str) -> None:
        """Add lanes to the mask in a slot."""
        t = self.t
        rest = t.make(f"and {t.control} {self._others(slot)}, {t.others(control)}")
        self._store_others(slot, rest)

    def without(self, control: str, slots: list[str]) -> str:
        """Return the lanes of a mask that are in none of the slots."""
        t = self.t
        for slot in slots:
            rest = self._others(slot)
            control = rest if control == t.every else t.make(f"and {t.control} {control}, {rest}")
        return control

    # A slot holds the lanes that are not in its mask: those are wanted most often.

    def _others(self, slot: str) -> str:
        return self.t.make(f"load {self.t.control}, ptr {slot}, align 8")

    def _store_others(self, slot: str, control: str) -> None:
        self.t.put(f"store {self.t.control} {control}, ptr {slot}, align 8")

    @property
    def mask(self) -> str:
        """The active lanes as booleans."""
        return self.t.chosen(self.control)

    def tally_discarded(self) -> None:
        """Count the discarded lanes, without helpers."""
        t = self.t
        killed = self.held(self.killed)
        if self.helping:
            killed = self.without(killed, [self.helping])
        tally(t, self.counter(len(self.kernel.memories)), t.chosen(killed))

    def counter(self, at: int) -> str:
        """Return a pointer to a counter (tally.py)."""
        return self.t.make(f"getelementptr i64, ptr {self.counters}, i64 {at}")

    def count_work(self, amount: int) -> None:
        """Count work in a loop, if this code counts it."""
        if self.counting:
            t, pointer = self.t, self.counter(len(self.kernel.memories) + 1)
            old = t.make(f"load i64, ptr {pointer}, align 8")
            t.put(f"store i64 {t.make(f'add i64 {old}, {amount}')}, ptr {pointer}, align 8")

    def store_counters(self) -> None:
        """Store the counters that were kept in registers."""
        t = self.t
        if t.few_blocks:
            for at, ref in enumerate(self.memories.values()):
                found = t.make(f"load i64, ptr {ref.outside}, align 8")
                t.put(f"store i64 {found}, ptr {self.counter(at)}, align 8")

    def acting(self) -> str:
        """Return the lanes that have effects: neither discarded nor helpers."""
        if not self.killed:
            return self.mask
        return self.t.chosen(self.without(self.control, [self.killed]))

    def first(self, value: Val) -> str:
        """Return the scalar of a value that all lanes of the mask share: its first lane's."""
        if not value.wide:
            return value.text
        t = self.t
        bits = t.bits(self.mask)
        lane = t.call(f"i{t.width}", f"llvm.cttz.i{t.width}", f"i{t.width} {bits}", "i1 false")
        lane = t.make(f"and i{t.width} {lane}, {t.width - 1}")
        kind = f"i{t.width}"
        if t.width > 64:
            kind, lane = "i64", t.to_i64(lane)
        return t.make(f"extractelement {t.of(value)} {value.text}, {kind} {lane}")

    # ------------------------------------------------------------ values and variables

    def value(self, value: Value) -> Val:
        """Return the value of an operand."""
        if value.op is OPS.const:
            return self.t.constant(value.attr, value.type)
        return self.values[value]

    def llvm_of(self, var: Var) -> str:
        """Return the LLVM type of a variable's slot."""
        scalar = LLVM[var.type.name]
        return scalar if var in self.facts.uniform else f"<{self.t.width} x {scalar}>"

    def slot(self, var: Var) -> str:
        """Return the slot of a variable, which is zero at the start of each chunk."""
        found = self.slots.get(var)
        if found is None:
            found = self.slots[var] = self.t.slot(self.llvm_of(var), "var")
        return found

    def get(self, var: Var) -> Val:
        """Load a variable."""
        text = self.t.make(f"load {self.llvm_of(var)}, ptr {self.slot(var)}, align 8")
        return Val(text, var.type, var not in self.facts.uniform)

    def set(self, var: Var, value: Val, masked: bool) -> None:
        """Store a variable, for the lanes of the mask if `masked`."""
        t = self.t
        slot, llvm = self.slot(var), self.llvm_of(var)
        if var in self.facts.uniform:
            t.put(f"store {llvm} {self.first(value)}, ptr {slot}, align 8")
            return
        new = t.splat(value).text
        if masked:
            old = t.make(f"load {llvm}, ptr {slot}, align 8")
            new = t.make(f"select {t.mask} {self.mask}, {llvm} {new}, {llvm} {old}")
        t.put(f"store {llvm} {new}, ptr {slot}, align 8")
