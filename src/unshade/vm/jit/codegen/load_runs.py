"""Several uniform loads with one bounds test: the members of a constant buffer, or of a structure.

    load %cb0[3, 0]                      if 5 < count:   place = address of element 3
    load %cb0[3, 4]                ->    else:           place = a copy, in scratch memory: each
    load %cb0[5, 8]                                              load by itself; 0 if invalid
                                         load place + 0 … load place + 4 … load place + 2 * 16 + 8

A run are loads of one memory, without control flow and stores in between, whose elements are
constants, or one value plus constants. The copy is made off the usual path, where invalid accesses
are counted. Loads from one place are operands of other instructions, without an instruction of
their own: results of separate tests are pointers, each in a register.
"""

from itertools import islice

from ....dataclass import dataclass, field
from ....ir.analysis.ranges import operand
from ....ir.kernel import Region, Value
from ....ir.memory import Bounds, Memory, Space
from ....ir.ops import OPS
from ....ir.types import I32
from .emitter import FunctionEmitter
from .llvm_text import LLVM, Val

LOOKED_AT = 24  # statements that are searched for loads of a run
MAX_SPAN = 256  # bytes from the first to the last load of a run
PASSED = frozenset({OPS.get, OPS.set, OPS.load, OPS.source, OPS.input})  # besides pure ones


@dataclass(slots=True)
class LoadRun:
    """Loads of one memory: `start` is the value that their elements have in common, or None.

    `members` are the loads, each with its distance from `start` in elements and the byte in it.
    """

    memory: Memory
    start: Value | None
    members: list[tuple[Value, int, int]] = field(default_factory=list)

    def place(self, element: int, byte: int) -> int:
        """Return the distance in bytes of a member from the first."""
        least = min(each for _, each, _ in self.members)
        return (element - least) * self.memory.stride + byte

    @property
    def span(self) -> int:
        """The number of bytes from the first element to the end of the last member."""
        return max(self.place(each, byte) + load.type.size for load, each, byte in self.members)


def find_run(f: FunctionEmitter, region: Region, number: int) -> LoadRun | None:
    """Return the run that begins with a load of a region; None if it has no other load."""
    first = region[number]
    assert isinstance(first, Value)
    split = _split(f, first)
    if split is None or f.t.few_blocks or (split[0] is not None and f.value(split[0]).wide):
        return None
    run = LoadRun(first.attr, split[0], [(first, *split[1:])])
    for statement in islice(region, number + 1, number + LOOKED_AT):
        if not isinstance(statement, Value) or not passed(statement):
            break
        found = _split(f, statement) if statement.attr is run.memory else None
        if found is not None and found[0] is run.start and statement not in f.placed:
            run.members.append((statement, *found[1:]))
            if run.span > MAX_SPAN:
                run.members.pop()
    return run if len(run.members) > 1 else None


def emit_run(f: FunctionEmitter, run: LoadRun) -> None:
    """Emit the test of a run, and note where its loads are."""
    t, ref = f.t, f.memories[run.memory]
    elements = [each for _, each, _ in run.members]
    least, most = min(elements), max(elements)
    stride = run.memory.stride
    base = "0" if run.start is None else t.make(f"zext i32 {f.value(run.start).text} to i64")
    first = t.make(f"add i64 {base}, {least}")
    last = t.make(f"add i64 {base}, {most}")
    fast, slow, done = t.label("inside"), t.label("outside"), t.label("placed")
    copy = f.allocate(run.span, 0)
    t.branch(t.make(f"icmp ult i64 {last}, {ref.count}"), fast, slow, likely=True)
    t.begin(fast)
    there = t.make(f"mul i64 {first}, {stride}")
    inside = t.make(f"getelementptr i8, ptr {ref.pointer}, i64 {there}")
    t.jump(done)
    t.begin(slow)
    for load, each, byte in run.members:
        element = Val(str(each), I32, number=each)
        if run.start is not None:
            element = Val(t.make(f"add i32 {f.value(run.start).text}, {each}"), I32)
        found = f.access.load(ref, element, t.constant(byte, I32), load.type, f.mask)
        at = t.make(f"getelementptr i8, ptr {copy}, i64 {run.place(each, byte)}")
        t.put(f"store {LLVM[load.type.name]} {found.text}, ptr {at}, align 1")
    end = t.block
    t.begin(done)
    place = t.make(f"phi ptr [{inside}, %{fast}], [{copy}, %{end}]")
    for load, each, byte in run.members:
        f.placed[load] = place, run.place(each, byte)


def load_placed(f: FunctionEmitter, load: Value) -> Val:
    """Emit a load of a run whose test was emitted."""
    t = f.t
    place, distance = f.placed[load]
    at = t.make(f"getelementptr i8, ptr {place}, i64 {distance}")
    return Val(t.make(f"load {LLVM[load.type.name]}, ptr {at}, align 1"), load.type)


def _split(f: FunctionEmitter, load: Value) -> tuple[Value | None, int, int] | None:
    """Return the element of a uniform load as a value and a constant, and its byte.

    None if it is another operation or load, or if it needs no test.
    """
    if load.op is not OPS.load:
        return None
    memory, (element, byte) = load.attr, load.args
    if memory.space not in (Space.CONSTANT, Space.BUFFER) or memory.bounds is not Bounds.ZERO:
        return None
    if byte.op is not OPS.const or byte.attr + load.type.size > memory.stride:
        return None
    if element.op is OPS.const:
        return None, element.attr, byte.attr
    shape = f.facts.shapes.get(element)
    if shape is None or not shape.uniform:
        return None
    start, more = element, 0
    if element.op is OPS.iadd and element.args[1].op is OPS.const:
        start, more = element.args[0], element.args[1].attr
    if start.op is OPS.const or operand(start, f.facts.ranges).high + more > I32.mask:
        return (element, 0, byte.attr) if start is not element else None
    return start, more, byte.attr


def passed(value: Value) -> bool:
    """Return True if a load may be tested before an operation: no memory changes, no lane waits."""
    return value.op.pure or value.op in PASSED
