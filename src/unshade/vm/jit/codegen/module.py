"""The LLVM module of a kernel: the function around the code of regions.py or groups.py.

kernel(context, scratch, first, last)
  for each chunk (or group) from first to last:
    variables = 0, local memories = 0
    the body
  spent: error = line + 1                          a loop exceeds the budget
"""

from ....ir.kernel import KernelIR, Loop
from ....ir.memory import Space
from ....ir.ops import OPS
from ....ir.types import I32
from ..layout import BUDGET, ERROR, LANES, LaneLayout, sources, statements
from .emitter import FunctionEmitter, KernelFacts
from .groups import GroupEmitter
from .llvm_text import NO_UNROLL, Val, needed
from .narrow import BITS as NARROW
from .narrow import narrowed
from .regions import RegionEmitter
from .sources import begin_chunk

_NO_UNROLL = (f"{NO_UNROLL} = distinct !{{{NO_UNROLL}, !3}}", '!3 = !{!"llvm.loop.unroll.disable"}')


def module_text(
    kernel: KernelIR,
    layout: LaneLayout,
    facts: KernelFacts,
    triple: str,
    native: int = 0,
    fast: bool = False,
    counting: bool = False,
) -> tuple[str, int]:
    """Return the module as text, and the bytes of scratch memory that a call needs.

    `native` is the width of vector registers in bits, 0 if it is unknown. With `fast`, approximate
    instructions are used (estimates.py); with `counting` the code counts its work in loops.
    """
    emitter = FunctionEmitter(kernel, layout, facts, native if fast else None, counting)
    t = emitter.t
    t.native = native
    t.x86 = triple.startswith("x86_64")
    emitter.open_memories()
    limit = emitter.word(BUDGET)
    error = emitter.pointer(ERROR)
    t.begin("entered")
    t.begin("next")
    t.put("%unit = phi i64 [%first, %entered], [%unit.next, %done]")
    t.branch(t.make("icmp ult i64 %unit, %last"), "work", "end", likely=True)
    t.begin("work")
    t.put(f"store i64 {limit}, ptr %budget, align 8")
    if any(
        isinstance(each, Loop) for each in statements(kernel.body)
    ):  # another thread may have stopped
        spent = t.make(f"load atomic i64, ptr {error} monotonic, align 8")
        t.branch(t.make(f"icmp eq i64 {spent}, 0"), "willing", "end", likely=True)
        t.begin("willing")
    if layout.grouped:
        GroupEmitter(emitter).emit()
    else:
        base = t.make(f"mul i64 %unit, {layout.width}")
        first = Val(t.make(f"trunc i64 {base} to i32"), I32)
        total = t.make(f"trunc i64 {emitter.word(LANES)} to i32")
        begin_chunk(emitter, first, total, None, sources(kernel.body))
        emitter.clear(Space.LOCAL)
        region_emitter = RegionEmitter(emitter)
        region_emitter.return_label = "done"
        region_emitter.region(kernel.body)
    t.begin("done")
    if OPS.discard in emitter.ops and not layout.grouped:
        emitter.tally_discarded()
    t.put("%unit.next = add i64 %unit, 1")
    t.jump("next")
    t.begin("end")
    emitter.store_counters()
    t.put("ret void")
    zeroed = [
        f"  store {emitter.llvm_of(var)} zeroinitializer, ptr {slot}, align 8"
        for var, slot in emitter.slots.items()
    ]
    lines = t.lines
    work = lines.index("work:") + 1
    if not layout.grouped:
        lines[work:work] = zeroed
    body = needed(lines)
    if t.x86 and native == NARROW:
        body, declared = narrowed(body, layout.width)
        t.declared.update(declared)
    flush = ' "denormal-fp-math-f32"="preserve-sign,preserve-sign"' if kernel.mode else ""
    text = [
        f'target triple = "{triple}"',
        "@zeros = private constant [64 x i8] zeroinitializer, align 64",
        *emitter.globals,
        *t.declared.values(),
        "define void @kernel("
        "ptr noalias %context, ptr noalias %scratch, i64 %first, i64 %last) #0 {",
        "entry:",
        "  %budget = alloca i64, align 8",
        "  %hidden = alloca i64, align 8",
        *t.entry,
        *body,
        "}",
        'attributes #0 = { nounwind "no-trapping-math"="true" "prefer-vector-width"='
        f'"{NARROW if native == NARROW else 512}"'
        f"{flush} }}",
        '!0 = !{!"branch_weights", i32 2000, i32 1}',
        '!1 = !{!"branch_weights", i32 1, i32 2000}',
        *_NO_UNROLL[: 2 * any(line.endswith(NO_UNROLL) for line in lines)],
        "",
    ]
    return "\n".join(text), emitter.scratch
