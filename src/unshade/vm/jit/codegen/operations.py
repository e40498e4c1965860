"""Operations with effects, in the lanes of the mask."""

from collections.abc import Callable

from ....errors import UnsupportedError
from ....ir.analysis.ranges import operand
from ....ir.analysis.uniformity import VARYING
from ....ir.fold import fold
from ....ir.kernel import Value
from ....ir.memory import Memory, Space
from ....ir.ops import OPS, Op
from ....ir.types import BOOL, I32, Type, Widths
from ..layout import LANES
from .atomics import emit_atomic
from .emitter import FunctionEmitter
from .llvm_text import LLVM, SUFFIX, Val
from .load_runs import load_placed
from .pure import emit_pure
from .waves import emit_wave

MAX_CONTIGUOUS = 0xFFFF_0000  # element indices below this do not wrap around within a chunk


def emit(f: FunctionEmitter, value: Value) -> None:
    """Emit one operation and keep its result."""
    args = [f.value(each) for each in value.args]
    if f.kernel.mode and args:
        known = _folded(value, f.kernel.flush)
        if known is not None:
            f.values[value] = f.t.constant(known, value.type)
            return
        args = f.subnormals.prepare_operands(f.t, value, args)
    shape = f.facts.shapes.get(value, VARYING)
    found = emit_pure(f.t, value, args, shape)
    if found is None:
        effect = EFFECTS.get(value.op)
        if effect is None:
            raise UnsupportedError(f"the jit engine does not support {value.op.name}")
        found = effect(f, value, args)
    if found is not None:
        f.values[value] = found


def _folded(value: Value, flush: Widths) -> int | None:
    """Return the result of a float operation on constants, None for other operations.

    LLVM's instruction selection does not know the flushing mode.
    """
    if not value.op.arithmetic or any(each.op is not OPS.const for each in value.args):
        return None
    args = tuple((each.attr, each.type) for each in value.args)
    return fold(value.op, value.type, args, flush)


# ---------------------------------------------------------------- variables and sources


def _source(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    if value.attr != "helper":
        return f.sources[value.attr]
    t = f.t
    if not f.kernel.helps or not f.helping:
        return t.constant(0, I32)
    helping = t.chosen(f.held(f.helping))
    return Val(t.make(f"zext {t.mask} {helping} to {t.wide(I32)}"), I32, True)


def _get(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    return f.get(value.attr)


def _set(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    f.set(value.attr, args[0], value not in f.facts.unmasked)
    return None


# ---------------------------------------------------------------- memories


def _load(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    if value in f.loaded:
        return f.loaded[value]
    if value in f.placed:
        return load_placed(f, value)
    ref = f.memories[value.attr]
    return f.access.load(
        ref, args[0], args[1], value.type, f.mask,
        in_bounds=_in_bounds(f, value), no_wrap=_no_wrap(f, value),
    )  # fmt: skip


def _no_wrap(f: FunctionEmitter, value: Value) -> bool:
    """Return True if the element indices cannot wrap around, in idle lanes either."""
    return operand(value.args[0], f.facts.ranges).high < MAX_CONTIGUOUS


def _in_bounds(f: FunctionEmitter, value: Value) -> bool:
    """Return True if an access to one of the kernel's own memories is known to be valid."""
    memory: Memory = value.attr
    element, byte = value.args[0], value.args[1]
    if memory.space not in (Space.SHARED, Space.TABLE) or byte.op is not OPS.const:
        return False
    fits: bool = byte.attr + value.type.size <= memory.stride
    return fits and operand(element, f.facts.ranges).high < (memory.count or 0)


def _store(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    ref = f.memories[value.attr]
    # Helpers and discarded lanes still write their local memory.
    mask = f.mask if ref.memory.space is Space.LOCAL else f.acting()
    f.access.store(ref, args[0], args[1], args[2], mask, no_wrap=_no_wrap(f, value))
    return None


def _count(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    count = f.memories[value.attr].count
    return Val(f.t.make(f"trunc i64 {count} to i32"), I32)


def _atomic(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    ref = f.memories[value.attr]
    mask = f.mask if ref.memory.space is Space.LOCAL else f.acting()
    return emit_atomic(f.t, value.op, ref, args[0], args[1], args[2:], mask)


# ---------------------------------------------------------------- ports and quads


def _port_pointer(f: FunctionEmitter, at: int, type: Type) -> str:
    t = f.t
    base = f.sources["item"].base
    assert base is not None
    index = t.make(f"zext i32 {base.text} to i64")
    return t.make(f"getelementptr {_port_type(type)}, ptr {f.pointer(at)}, i64 {index}")


def _port_type(type: Type) -> str:
    """Return the type of a port's values in its array."""
    return "i8" if type.kind == "b" else LLVM[type.name]


def _input(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    t, type = f.t, value.type
    at = _port_pointer(f, f.inputs_at + f.kernel.inputs.index(value.attr), type)
    element = _port_type(type)
    wide = f"<{t.width} x {element}>"
    limit = t.splat(Val(t.make(f"trunc i64 {f.word(LANES)} to i32"), I32)).text
    in_bounds = t.make(f"icmp ult {t.wide(I32)} {f.sources['item'].text}, {limit}")
    found = t.call(
        wide, f"llvm.masked.load.v{t.width}{SUFFIX.get(element, element)}.p0", f"ptr {at}",
        f"i32 {max(type.size, 1)}", f"{t.mask} {in_bounds}", f"{wide} zeroinitializer",
    )  # fmt: skip
    if type.kind == "b":
        found = t.make(f"icmp ne {wide} {found}, zeroinitializer")
    return Val(found, type, True)


def _output(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    t, port = f.t, value.attr
    at = _port_pointer(f, f.outputs_at + f.kernel.outputs.index(port), port.type)
    element = _port_type(port.type)
    wide = f"<{t.width} x {element}>"
    given = t.splat(args[0]).text
    if port.type.kind == "b":
        given = t.make(f"zext {t.mask} {given} to {wide}")
    t.call(
        "void", f"llvm.masked.store.v{t.width}{SUFFIX.get(element, element)}.p0", f"{wide} {given}",
        f"ptr {at}", f"i32 {max(port.type.size, 1)}", f"{t.mask} {f.acting()}",
    )  # fmt: skip
    return None


def _quad_swap(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    """Emit the partner's value, or the lane's own value if its partner is not active."""
    t, given = f.t, args[0]
    if not given.wide:
        return given
    order = "<" + ", ".join(f"i32 {lane ^ value.attr}" for lane in range(t.width)) + ">"
    wide, shape = t.wide(given.type), t.wide(I32)
    swapped = t.make(f"shufflevector {wide} {given.text}, {wide} poison, {shape} {order}")
    here = t.make(f"shufflevector {t.mask} {f.mask}, {t.mask} poison, {shape} {order}")
    made = t.make(f"select {t.mask} {here}, {wide} {swapped}, {wide} {given.text}")
    return Val(made, given.type, True)


def _discard(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    t = f.t
    left = t.controlled(t.splat(args[0]).text)
    f.mark(f.killed, t.make(f"and {t.control} {f.control}, {left}"))
    return None


def _is_helper(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    if not f.killed:
        return f.t.constant(0, BOOL)
    return Val(f.t.chosen(f.held(f.killed)), BOOL, True)


def _nothing(f: FunctionEmitter, value: Value, args: list[Val]) -> Val | None:
    return None


Effect = Callable[[FunctionEmitter, Value, list[Val]], Val | None]
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
