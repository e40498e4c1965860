"""The LLVM module of a kernel: the function around what structure.py and groups.py write.

kernel(context, scratch, first, last)
  for each chunk (or group) from first up to last:
    variables = 0, local memories = 0
    the body
  spent: error = line + 1                          a loop that would not end
"""

from ...ir.kernel import Kernel, Loop
from ...ir.memory import Space
from ...ir.ops import OPS
from ...ir.types import I32
from .frame import Facts, Frame
from .groups import Group
from .lanes import begin_chunk
from .layout import BUDGET, ERROR, LANES, Layout, sources, statements
from .structure import Structure
from .text import ROLLED, Val

_ROLLED = (f"{ROLLED} = distinct !{{{ROLLED}, !3}}", '!3 = !{!"llvm.loop.unroll.disable"}')


def module_text(
    kernel: Kernel, layout: Layout, facts: Facts, triple: str, estimates: int | None = None
) -> tuple[str, int]:
    """The module as text, and the bytes of scratch memory that one call of it needs.

    `estimates`: less exact for being fast, on registers of so many bits (estimates.py).
    """
    frame = Frame(kernel, layout, facts, estimates)
    t = frame.t
    frame.open_rooms()
    limit = frame.word(BUDGET)
    error = frame.pointer(ERROR)
    t.begin("entered")
    t.begin("next")
    t.put("%unit = phi i64 [%first, %entered], [%unit.next, %done]")
    t.branch(t.make("icmp ult i64 %unit, %last"), "work", "end", likely=True)
    t.begin("work")
    t.put(f"store i64 {limit}, ptr %budget, align 8")
    if any(isinstance(each, Loop) for each in statements(kernel.body)):  # others may have given up
        spent = t.make(f"load atomic i64, ptr {error} monotonic, align 8")
        t.branch(t.make(f"icmp eq i64 {spent}, 0"), "willing", "end", likely=True)
        t.begin("willing")
    if layout.grouped:
        Group(frame).emit()
    else:
        base = t.make(f"mul i64 %unit, {layout.width}")
        first = Val(t.make(f"trunc i64 {base} to i32"), I32)
        total = t.make(f"trunc i64 {frame.word(LANES)} to i32")
        begin_chunk(frame, first, total, None, sources(kernel.body))
        frame.clear(Space.LOCAL)
        structure = Structure(frame)
        structure.finish = "done"
        structure.region(kernel.body)
    t.begin("done")
    if OPS.discard in frame.ops and not layout.grouped:
        frame.tally_discarded()
    t.put("%unit.next = add i64 %unit, 1")
    t.jump("next")
    t.begin("end")
    frame.keep_tallies()
    t.put("ret void")
    zeroed = [
        f"  store {frame.llvm_of(var)} zeroinitializer, ptr {slot}, align 8"
        for var, slot in frame.slots.items()
    ]
    lines = t.lines
    work = lines.index("work:") + 1
    if not layout.grouped:
        lines[work:work] = zeroed
    flush = ' "denormal-fp-math-f32"="preserve-sign,preserve-sign"' if kernel.mode else ""
    text = [
        f'target triple = "{triple}"',
        "@zeros = private constant [64 x i8] zeroinitializer, align 64",
        *frame.globals,
        *t.declared.values(),
        "define void @kernel("
        "ptr noalias %context, ptr noalias %scratch, i64 %first, i64 %last) #0 {",
        "entry:",
        "  %budget = alloca i64, align 8",
        "  %hidden = alloca i64, align 8",
        *t.entry,
        *lines,
        "}",
        'attributes #0 = { nounwind "no-trapping-math"="true" "prefer-vector-width"="512"'
        f"{flush} }}",
        '!0 = !{!"branch_weights", i32 2000, i32 1}',
        '!1 = !{!"branch_weights", i32 1, i32 2000}',
        *_ROLLED[: 2 * any(line.endswith(ROLLED) for line in lines)],
        "",
    ]
    return "\n".join(text), frame.scratch
