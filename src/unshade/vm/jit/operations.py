"""What each operation is, that is not pure, at the lanes of the mask."""

from collections.abc import Callable

from ...errors import UnsupportedError
from ...ir.analysis.ranges import operand
from ...ir.analysis.uniformity import VARYING
from ...ir.fold import fold
from ...ir.kernel import Value
from ...ir.memory import Memory, Space
from ...ir.ops import OPS, Op
from ...ir.types import BOOL, I32, Type, Widths
from .atomics import emit_atomic
from .frame import Frame
from .layout import LANES
from .pure import emit_pure
from .text import LLVM, SUFFIX, Val
from .waves import emit_wave

MOST = 0xFFFF_0000  # an element below this has neighbours


def emit(f: Frame, value: Value) -> None:
    """One operation; what it gives is kept."""
    args = [f.value(each) for each in value.args]
    if f.kernel.mode and args:
        known = _known(value, f.kernel.flush)
        if known is not None:
            f.values[value] = f.t.constant(known, value.type)
            return
        args = f.subnormals.settle(f.t, value, args)
    shape = f.facts.shapes.get(value, VARYING)
    found = emit_pure(f.t, value, args, shape)
    if found is None:
        effect = EFFECTS.get(value.op)
        if effect is None:
            raise UnsupportedError(f"the jit engine has no {value.op.name}")
        found = effect(f, value, args)
    if found is not None:
        f.values[value] = found


def _known(value: Value, flush: Widths) -> int | None:
    """What a float operation on constants gives: LLVM's selection of instructions knows no mode."""
    if not value.op.arithmetic or any(each.op is not OPS.const for each in value.args):
        return None
    args = tuple((each.attr, each.type) for each in value.args)
    return fold(value.op, value.type, args, flush)


# ---------------------------------------------------------------- variables and sources


def _source(f: Frame, value: Value, args: list[Val]) -> Val | None:
    if value.attr != "helper":
        return f.places[value.attr]
    t = f.t
    if not f.kernel.helps or not f.helping:
        return t.constant(0, I32)
    helping = t.make(f"load {t.mask}, ptr {f.helping}, align 8")
    return Val(t.make(f"zext {t.mask} {helping} to {t.wide(I32)}"), I32, True)


def _get(f: Frame, value: Value, args: list[Val]) -> Val | None:
    return f.get(value.attr)


def _set(f: Frame, value: Value, args: list[Val]) -> Val | None:
    f.set(value.attr, args[0], value not in f.facts.unmasked)
    return None


# ---------------------------------------------------------------- memories


def _load(f: Frame, value: Value, args: list[Val]) -> Val | None:
    room = f.rooms[value.attr]
    return f.access.load(
        room, args[0], args[1], value.type, f.mask,
        exists=_exists(f, value), straight=_straight(f, value),
    )  # fmt: skip


def _straight(f: Frame, value: Value) -> bool:
    """Whether the elements' numbers are known not to wrap around, idle lanes' included."""
    return operand(value.args[0], f.facts.ranges).high < MOST


def _exists(f: Frame, value: Value) -> bool:
    """Whether an access is known to be valid, in a memory of the kernel's own."""
    memory: Memory = value.attr
    element, byte = value.args[0], value.args[1]
    if memory.space not in (Space.SHARED, Space.TABLE) or byte.op is not OPS.const:
        return False
    fits: bool = byte.attr + value.type.size <= memory.stride
    return fits and operand(element, f.facts.ranges).high < (memory.count or 0)


def _store(f: Frame, value: Value, args: list[Val]) -> Val | None:
    room = f.rooms[value.attr]
    # A lane's own memory is written even if nobody else sees the lane.
    mask = f.mask if room.memory.space is Space.LOCAL else f.acting()
    f.access.store(room, args[0], args[1], args[2], mask, straight=_straight(f, value))
    return None


def _count(f: Frame, value: Value, args: list[Val]) -> Val | None:
    count = f.rooms[value.attr].count
    return Val(f.t.make(f"trunc i64 {count} to i32"), I32)


def _atomic(f: Frame, value: Value, args: list[Val]) -> Val | None:
    room = f.rooms[value.attr]
    mask = f.mask if room.memory.space is Space.LOCAL else f.acting()
    return emit_atomic(f.t, value.op, room, args[0], args[1], args[2:], mask)


# ---------------------------------------------------------------- ports and quads


def _port(f: Frame, at: int, type: Type) -> str:
    t = f.t
    base = f.places["item"].base
    assert base is not None
    index = t.make(f"zext i32 {base.text} to i64")
    return t.make(f"getelementptr {_held(type)}, ptr {f.pointer(at)}, i64 {index}")


def _held(type: Type) -> str:
    """How one value of a port stands in its array."""
    return "i8" if type.kind == "b" else LLVM[type.name]


def _input(f: Frame, value: Value, args: list[Val]) -> Val | None:
    t, type = f.t, value.type
    at = _port(f, f.inputs_at + f.kernel.inputs.index(value.attr), type)
    held = _held(type)
    wide = f"<{t.width} x {held}>"
    limit = t.spread(Val(t.make(f"trunc i64 {f.word(LANES)} to i32"), I32)).text
    exists = t.make(f"icmp ult {t.wide(I32)} {f.places['item'].text}, {limit}")
    found = t.call(
        wide, f"llvm.masked.load.v{t.width}{SUFFIX.get(held, held)}.p0", f"ptr {at}",
        f"i32 {max(type.size, 1)}", f"{t.mask} {exists}", f"{wide} zeroinitializer",
    )  # fmt: skip
    if type.kind == "b":
        found = t.make(f"icmp ne {wide} {found}, zeroinitializer")
    return Val(found, type, True)


def _output(f: Frame, value: Value, args: list[Val]) -> Val | None:
    t, port = f.t, value.attr
    at = _port(f, f.outputs_at + f.kernel.outputs.index(port), port.type)
    held = _held(port.type)
    wide = f"<{t.width} x {held}>"
    given = t.spread(args[0]).text
    if port.type.kind == "b":
        given = t.make(f"zext {t.mask} {given} to {wide}")
    t.call(
        "void", f"llvm.masked.store.v{t.width}{SUFFIX.get(held, held)}.p0", f"{wide} {given}",
        f"ptr {at}", f"i32 {max(port.type.size, 1)}", f"{t.mask} {f.acting()}",
    )  # fmt: skip
    return None


def _quad_swap(f: Frame, value: Value, args: list[Val]) -> Val | None:
    """The partner's value; a lane's own where its partner is not here."""
    t, given = f.t, args[0]
    if not given.wide:
        return given
    order = "<" + ", ".join(f"i32 {lane ^ value.attr}" for lane in range(t.width)) + ">"
    wide, shape = t.wide(given.type), t.wide(I32)
    swapped = t.make(f"shufflevector {wide} {given.text}, {wide} poison, {shape} {order}")
    here = t.make(f"shufflevector {t.mask} {f.mask}, {t.mask} poison, {shape} {order}")
    made = t.make(f"select {t.mask} {here}, {wide} {swapped}, {wide} {given.text}")
    return Val(made, given.type, True)


def _discard(f: Frame, value: Value, args: list[Val]) -> Val | None:
    t = f.t
    f.mark(f.killed, t.make(f"and {t.mask} {f.mask}, {t.spread(args[0]).text}"))
    return None


def _is_helper(f: Frame, value: Value, args: list[Val]) -> Val | None:
    if not f.killed:
        return f.t.constant(0, BOOL)
    return Val(f.t.make(f"load {f.t.mask}, ptr {f.killed}, align 8"), BOOL, True)


def _nothing(f: Frame, value: Value, args: list[Val]) -> Val | None:
    return None


Effect = Callable[[Frame, Value, list[Val]], Val | None]
EFFECTS: dict[Op, Effect] = {
    OPS.source: _source,
    OPS.get: _get,
    OPS.set: _set,
    OPS.load: _load,
    OPS.store: _store,
    OPS.count: _count,
    OPS.input: _input,
    OPS.output: _output,
    OPS.quad_swap: _quad_swap,
    **{op: emit_wave for op in OPS if op.attribute == "wave"},
    OPS.discard: _discard,
    OPS.is_helper: _is_helper,
    OPS.barrier: _nothing,
    OPS.message: _nothing,
    **{op: _atomic for op in OPS if op.atomic},
}
