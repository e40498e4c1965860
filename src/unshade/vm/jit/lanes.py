"""Where lanes are: the mask a chunk begins with, and what `source` gives there.

    chunk in a row of lanes      base = unit * width; the group by division
    chunk of a group             base = chunk * width; the group is the unit

A number that neighbours have one after the other is a base and a stride (text.py); what all lanes
of a chunk share is one scalar.
"""

from ...ir.kernel import Value
from ...ir.ops import OPS, Op
from ...ir.types import I32
from .frame import Frame
from .layout import GROUPS, HELPERS
from .pure import emit_pure
from .text import Val


def begin_chunk(f: Frame, base: Val, total: str, group: Val | None, used: frozenset[str]) -> None:
    """`base`: number of lane 0 in the group, or in the whole call where `group` is None; `used`
    are the sources that the code needs.
    """
    t = f.t
    lanes = t.linear(base, 1)
    if f.layout.full:
        f.mask = "splat (i1 true)"
    else:
        limit = t.spread(Val(total, I32)).text
        f.mask = t.make(f"icmp ult <{t.width} x i32> {lanes.text}, {limit}")
    f.start = f.mask
    f.places = {}
    _places(f, lanes, group, used)
    if OPS.return_ in f.ops:
        f.returned = f.returned or t.slot(t.mask, "returned")
        t.put(f"store {t.mask} zeroinitializer, ptr {f.returned}, align 8")
    if f.kernel.helps or OPS.discard in f.ops:
        _helpers(f, base)


def _helpers(f: Frame, base: Val) -> None:
    """Lanes that only help their quads have no effects from the start."""
    t = f.t
    f.killed = f.killed or t.slot(t.mask, "killed")
    t.put(f"store {t.mask} zeroinitializer, ptr {f.killed}, align 8")
    if not f.kernel.helps:
        return
    f.helping = f.helping or t.slot(t.mask, "helping")
    t.put(f"store {t.mask} zeroinitializer, ptr {f.helping}, align 8")
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
    helping = t.make(f"icmp ne {kind} {given}, zeroinitializer")
    t.put(f"store {t.mask} {helping}, ptr {f.killed}, align 8")
    t.put(f"store {t.mask} {helping}, ptr {f.helping}, align 8")
    t.begin(done)


def _op(f: Frame, op: Op, *args: Val) -> Val:
    """An operation on i32 that is not in the kernel."""
    found = emit_pure(f.t, Value(op, I32), list(args))
    assert found is not None
    return found


def _places(f: Frame, lanes: Val, group: Val | None, used: frozenset[str]) -> None:
    """What the sources give, from the lanes' numbers."""
    t = f.t
    number = t.constant
    places = f.places
    places["item"] = lanes
    for at, axis in enumerate("xyz"):
        if f"group_count.{axis}" in used or not f.layout.flat:
            count = t.make(f"trunc i64 {f.word(GROUPS + at)} to i32")
            places[f"group_count.{axis}"] = Val(count, I32)
    wave = number(f.kernel.wave, I32)
    within = number(f.kernel.wave - 1, I32)
    places["wave_size"] = wave
    if not f.kernel.dispatched:
        if "wave_lane" in used:
            places["wave_lane"] = _op(f, OPS.and_, lanes, within)
        places["quad_lane"] = _op(f, OPS.and_, lanes, number(3, I32))
        return
    size = f.layout.size
    local = lanes
    if group is not None:
        first = _op(f, OPS.imul, group, number(size, I32))
        base = lanes.base
        assert base is not None
        places["item"] = t.linear(_op(f, OPS.iadd, first, base), 1)
    elif f.layout.whole:
        base = lanes.base
        assert base is not None
        group = _op(f, OPS.udiv, base, number(size, I32))
        local = t.linear(_op(f, OPS.urem, base, number(size, I32)), 1)
    else:
        group = lanes if size == 1 else _op(f, OPS.udiv, lanes, number(size, I32))
        local = number(0, I32) if size == 1 else _op(f, OPS.urem, lanes, number(size, I32))
    if "quad_lane" in used:
        places["quad_lane"] = _op(f, OPS.and_, places["item"], number(3, I32))
    places["thread_id_in_group_flattened"] = local
    if "wave_lane" in used:
        places["wave_lane"] = _op(f, OPS.and_, local, within)
    if not used & _OF_GROUPS:
        return
    in_group = _in_group(f, local)
    in_grid = _in_grid(f, group)
    for at, axis in enumerate("xyz"):
        places[f"thread_id_in_group.{axis}"] = in_group[at]
        places[f"thread_group_id.{axis}"] = in_grid[at]
        if f"thread_id.{axis}" in used:
            first = _op(f, OPS.imul, in_grid[at], number(f.kernel.group[at], I32))
            inside = in_group[at]
            if not first.wide and inside.wide and inside.base is not None:
                made = t.linear(_op(f, OPS.iadd, first, inside.base), inside.stride)
            else:
                made = _op(f, OPS.iadd, first, inside)
            places[f"thread_id.{axis}"] = made


_OF_GROUPS = frozenset(
    f"{word}.{axis}"
    for word in ("thread_id_in_group", "thread_group_id", "thread_id")
    for axis in "xyz"
)


def _in_grid(f: Frame, group: Val) -> list[Val]:
    """A group's place in the dispatch from its number."""
    if f.layout.flat:
        return [group, f.t.constant(0, I32), f.t.constant(0, I32)]
    gx, gy = (f.places[f"group_count.{axis}"] for axis in "xy")
    rest = _op(f, OPS.udiv, group, gx)
    return [_op(f, OPS.urem, group, gx), _op(f, OPS.urem, rest, gy), _op(f, OPS.udiv, rest, gy)]


def _in_group(f: Frame, local: Val) -> list[Val]:
    """A lane's place in its group from its number there."""
    t = f.t
    number = t.constant
    x, y, _ = f.kernel.group
    if x == f.layout.size:
        return [local, number(0, I32), number(0, I32)]
    if local.base is not None and local.stride == 1 and x % t.width == 0:
        in_row = t.linear(_op(f, OPS.urem, local.base, number(x, I32)), 1)
        rest = _op(f, OPS.udiv, local.base, number(x, I32))
    else:
        in_row = _op(f, OPS.urem, local, number(x, I32))
        rest = _op(f, OPS.udiv, local, number(x, I32))
    return [in_row, _op(f, OPS.urem, rest, number(y, I32)), _op(f, OPS.udiv, rest, number(y, I32))]
