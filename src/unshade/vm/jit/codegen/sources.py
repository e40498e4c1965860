"""The start of a chunk: its mask, and the values of its sources.

    chunk of the whole call      base = unit * width; the group by division
    chunk of a group             base = chunk * width; the group is the unit

Numbers that increase by a constant from lane to lane are a base and a stride (llvm_text.py);
numbers that are equal in all lanes of a chunk are scalars.
"""

from ....ir.kernel import Value
from ....ir.ops import OPS, Op
from ....ir.types import I32
from ..layout import GROUPS, HELPERS
from .emitter import FunctionEmitter
from .llvm_text import Val
from .pure import emit_pure


def begin_chunk(
    f: FunctionEmitter, base: Val, total: str, group: Val | None, used: frozenset[str]
) -> None:
    """Emit the start of a chunk.

    Args:
        f: The function.
        base: The number of lane 0, in the group or (if `group` is None) in the whole call.
        total: The number of lanes, in the group or in the whole call.
        group: The number of the group, if the chunk belongs to one.
        used: The sources that the code uses.
    """
    t = f.t
    lanes = t.linear(base, 1)
    if f.layout.full:
        f.control = t.every
    else:
        limit = t.splat(Val(total, I32)).text
        inside = t.make(f"icmp ult <{t.width} x i32> {lanes.text}, {limit}")
        f.control = t.controlled(inside)
    f.start = f.control
    f.sources = {}
    _emit_sources(f, lanes, group, used)
    if OPS.return_ in f.ops:
        f.returned = f.returned or t.slot(t.control, "returned")
        f.clear_mask(f.returned)
    if f.kernel.helps or OPS.discard in f.ops:
        _helpers(f, base)


def _helpers(f: FunctionEmitter, base: Val) -> None:
    """Mark the lanes that are helpers: they have no effects from the start."""
    t = f.t
    f.killed = f.killed or t.slot(t.control, "killed")
    f.clear_mask(f.killed)
    if not f.kernel.helps:
        return
    f.helping = f.helping or t.slot(t.control, "helping")
    f.clear_mask(f.helping)
    pointer = f.pointer(HELPERS)
    some, done = t.label("helpers"), t.label("started")
    t.branch(t.make(f"icmp ne ptr {pointer}, null"), some, done)
    t.begin(some)
    at = t.make(f"zext i32 {base.text} to i64")
    bytes_at = t.make(f"getelementptr i8, ptr {pointer}, i64 {at}")
    kind = f"<{t.width} x i8>"
    given = t.call(
        kind, f"llvm.masked.load.v{t.width}i8.p0", f"ptr {bytes_at}", "i32 1",
        f"{t.mask} {f.mask}", f"{kind} zeroinitializer",
    )  # fmt: skip
    helping = t.controlled(t.make(f"icmp ne {kind} {given}, zeroinitializer"))
    f.fill(f.killed, helping)
    f.fill(f.helping, helping)
    t.begin(done)


def _emit(f: FunctionEmitter, op: Op, *args: Val) -> Val:
    """Emit an i32 operation that is not part of the kernel."""
    found = emit_pure(f.t, Value(op, I32), list(args))
    assert found is not None
    return found


def _emit_sources(f: FunctionEmitter, lanes: Val, group: Val | None, used: frozenset[str]) -> None:
    """Emit the sources, computed from the lanes' numbers."""
    t = f.t
    number = t.constant
    sources = f.sources
    sources["item"] = lanes
    for at, axis in enumerate("xyz"):
        if f"group_count.{axis}" in used or not f.layout.flat:
            count = t.make(f"trunc i64 {f.word(GROUPS + at)} to i32")
            sources[f"group_count.{axis}"] = Val(count, I32)
    wave = number(f.kernel.wave, I32)
    within = number(f.kernel.wave - 1, I32)
    sources["wave_size"] = wave
    if not f.kernel.dispatched:
        if "wave_lane" in used:
            sources["wave_lane"] = _emit(f, OPS.and_, lanes, within)
        sources["quad_lane"] = _emit(f, OPS.and_, lanes, number(3, I32))
        return
    size = f.layout.size
    local = lanes
    if group is not None:
        first = _emit(f, OPS.imul, group, number(size, I32))
        base = lanes.base
        assert base is not None
        sources["item"] = t.linear(_emit(f, OPS.iadd, first, base), 1)
    elif f.layout.whole:
        base = lanes.base
        assert base is not None
        group = _emit(f, OPS.udiv, base, number(size, I32))
        local = t.linear(_emit(f, OPS.urem, base, number(size, I32)), 1)
    else:
        group = lanes if size == 1 else _emit(f, OPS.udiv, lanes, number(size, I32))
        local = number(0, I32) if size == 1 else _emit(f, OPS.urem, lanes, number(size, I32))
    if "quad_lane" in used:
        sources["quad_lane"] = _emit(f, OPS.and_, local, number(3, I32))
    if "wave_lane" in used:
        sources["wave_lane"] = _emit(f, OPS.and_, local, within)
    if not f.kernel.quads:
        sources["thread_id_in_group_flattened"] = local
        used -= {"thread_id_in_group_flattened"}
    if not used & _OF_GROUPS:
        return
    in_group = _in_group(f, local)
    if f.kernel.quads:
        sources["thread_id_in_group_flattened"] = _flattened(f, in_group)
    in_grid = _in_grid(f, group)
    for at, axis in enumerate("xyz"):
        sources[f"thread_id_in_group.{axis}"] = in_group[at]
        sources[f"thread_group_id.{axis}"] = in_grid[at]
        if f"thread_id.{axis}" in used:
            first = _emit(f, OPS.imul, in_grid[at], number(f.kernel.group[at], I32))
            inside = in_group[at]
            if not first.wide and inside.wide and inside.base is not None:
                made = t.linear(_emit(f, OPS.iadd, first, inside.base), inside.stride)
            else:
                made = _emit(f, OPS.iadd, first, inside)
            sources[f"thread_id.{axis}"] = made


_OF_GROUPS = frozenset(
    f"{word}.{axis}"
    for word in ("thread_id_in_group", "thread_group_id", "thread_id")
    for axis in "xyz"
) | {"thread_id_in_group_flattened"}


def _in_grid(f: FunctionEmitter, group: Val) -> list[Val]:
    """Return a group's position in the dispatch from its number."""
    if f.layout.flat:
        return [group, f.t.constant(0, I32), f.t.constant(0, I32)]
    gx, gy = (f.sources[f"group_count.{axis}"] for axis in "xy")
    rest = _emit(f, OPS.udiv, group, gx)
    return [
        _emit(f, OPS.urem, group, gx),
        _emit(f, OPS.urem, rest, gy),
        _emit(f, OPS.udiv, rest, gy),
    ]


def _in_group(f: FunctionEmitter, local: Val) -> list[Val]:
    """Return a lane's position in its group from its number there."""
    t = f.t
    number = t.constant
    x, y, _ = f.kernel.group
    if f.kernel.quads:
        return _in_quads(f, local)
    if x == f.layout.size:
        return [local, number(0, I32), number(0, I32)]
    if local.base is not None and local.stride == 1 and x % t.width == 0:
        in_row = t.linear(_emit(f, OPS.urem, local.base, number(x, I32)), 1)
        rest = _emit(f, OPS.udiv, local.base, number(x, I32))
    else:
        in_row = _emit(f, OPS.urem, local, number(x, I32))
        rest = _emit(f, OPS.udiv, local, number(x, I32))
    return [
        in_row,
        _emit(f, OPS.urem, rest, number(y, I32)),
        _emit(f, OPS.udiv, rest, number(y, I32)),
    ]


def _in_quads(f: FunctionEmitter, local: Val) -> list[Val]:
    """Return a lane's position in its group, whose threads are ordered by quads of 2 x 2."""
    number = f.t.constant
    width, height = (number(each // 2, I32) for each in f.kernel.group[:2])
    one = number(1, I32)
    quad = _emit(f, OPS.ushr, local, number(2, I32))
    rest = _emit(f, OPS.udiv, quad, width)
    column = _emit(f, OPS.ishl, _emit(f, OPS.urem, quad, width), one)
    row = _emit(f, OPS.ishl, _emit(f, OPS.urem, rest, height), one)
    below = _emit(f, OPS.and_, _emit(f, OPS.ushr, local, one), one)
    return [
        _emit(f, OPS.iadd, column, _emit(f, OPS.and_, local, one)),
        _emit(f, OPS.iadd, row, below),
        _emit(f, OPS.udiv, rest, height),
    ]


def _flattened(f: FunctionEmitter, in_group: list[Val]) -> Val:
    """Return the number of a thread in its group from its position there."""
    x, y, z = in_group
    width, height, _ = (f.t.constant(each, I32) for each in f.kernel.group)
    row = _emit(f, OPS.iadd, _emit(f, OPS.imul, z, height), y)
    return _emit(f, OPS.iadd, _emit(f, OPS.imul, row, width), x)
