"""The LLVM module of a kernel: the function's frame around what function.py writes.

kernel(context, scratch, first, last)
  for each chunk (or group) from first up to last:
    variables = 0, local memories = 0
    the body
  spent: error = 1                                 a loop that would not end
"""

from ...ir.kernel import Kernel
from ...ir.memory import Space
from ...ir.types import I32
from .function import Facts, Function
from .groups import emit_group
from .layout import BUDGET, ERROR, LANES, Layout
from .text import Val

MXCSR_FLUSH = 0x8040  # flush to zero, subnormals are zeros


def module_text(kernel: Kernel, layout: Layout, facts: Facts, triple: str) -> tuple[str, int]:
    """The module as text, and the bytes of scratch memory that one call of it needs."""
    function = Function(kernel, layout, facts)
    t = function.t
    function.open_rooms()
    limit = function.word(BUDGET)
    t.begin("entered")
    t.begin("next")
    t.put("%unit = phi i64 [%first, %entered], [%unit.next, %done]")
    t.branch(t.make("icmp ult i64 %unit, %last"), "work", "end", likely=True)
    t.begin("work")
    t.put(f"store i64 {limit}, ptr %budget, align 8")
    if layout.grouped:
        emit_group(function)
    else:
        base = t.make(f"mul i64 %unit, {layout.width}")
        first = Val(t.make(f"trunc i64 {base} to i32"), I32)
        total = t.make(f"trunc i64 {function.word(LANES)} to i32")
        function.begin_chunk(first, total, None)
        function.clear(Space.LOCAL)
        function.region(kernel.body)
    t.begin("done")
    t.put("%unit.next = add i64 %unit, 1")
    t.jump("next")
    t.begin("spent")
    error = function.pointer(ERROR)
    t.put(f"store atomic i64 1, ptr {error} monotonic, align 8")
    t.jump("end")
    t.begin("end")
    t.put("ret void")
    zeroed = [
        f"  store {function.llvm_of(var)} zeroinitializer, ptr {slot}, align 8"
        for var, slot in function.slots.items()
    ]
    lines = t.lines
    work = lines.index("work:") + 1
    if not layout.grouped:
        lines[work:work] = zeroed
    flush = ' "denormal-fp-math-f32"="preserve-sign,preserve-sign"' if kernel.flush else ""
    text = [
        f'target triple = "{triple}"',
        "@zeros = private constant [64 x i8] zeroinitializer, align 64",
        *function.globals,
        *t.declared.values(),
        "define void @kernel("
        "ptr noalias %context, ptr noalias %scratch, i64 %first, i64 %last) #0 {",
        "entry:",
        "  %budget = alloca i64, align 8",
        *t.entry,
        *lines,
        "}",
        'attributes #0 = { nounwind "no-trapping-math"="true" "prefer-vector-width"="512"'
        f"{flush} }}",
        '!0 = !{!"branch_weights", i32 2000, i32 1}',
        '!1 = !{!"branch_weights", i32 1, i32 2000}',
        "",
    ]
    return "\n".join(text), function.scratch
