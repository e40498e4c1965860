"""Atomics and barriers. Scopes and semantics are ignored: engines order memory as written.

Source: SPIR-V specification, sections 3.49.18 and 3.49.20.
"""

from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.barriers import ALL_MEMORY, BarrierOrder, barrier_words
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.ops import OPS, Op
from ....ir.types import BOOL
from ..module import Instruction
from ..tables.numbers import MemorySemantics, Opcode, Scope
from .operations import Components, Handler, Handlers
from .tessellation import ControlStage

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS"]

LEAST_BITS = 32  # of an atomic
ORDERS = (
    MemorySemantics.Acquire | MemorySemantics.Release | MemorySemantics.AcquireRelease
    | MemorySemantics.SequentiallyConsistent
)  # fmt: skip
MEMORIES = (
    MemorySemantics.WorkgroupMemory,
    MemorySemantics.UniformMemory | MemorySemantics.CrossWorkgroupMemory
    | MemorySemantics.AtomicCounterMemory,
    MemorySemantics.ImageMemory,
)  # fmt: skip
WIDE = (Scope.CrossDevice, Scope.Device, Scope.QueueFamily)


def _atomic(lowering: "Lowering", op: Op, pointer: int, *values: Value) -> Components:
    place = lowering.pointer(pointer)
    if values[0].type.bits < LEAST_BITS:
        raise UnsupportedError(f"atomics of {values[0].type.bits} bits cannot be run")
    return (place.root.atomic(lowering.b, op, place.offset, *values),)


def _with_value(op: Op) -> Handler:
    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        return _atomic(lowering, op, words[3], lowering.scalar(words[6]))

    return lower


def _subtract(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    value = lowering.b.ineg(lowering.scalar(words[6]))
    return _atomic(lowering, OPS.atomic_add, words[3], value)


def _step(by: int) -> Handler:
    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        scalar = lowering.types.of(words[1]).scalar
        assert scalar is not None
        return _atomic(lowering, OPS.atomic_add, words[3], constant(by, scalar))

    return lower


def _exchange(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    value = lowering.scalar(words[6])
    if value.type.kind != "f":
        return _atomic(lowering, OPS.atomic_xchg, words[3], value)
    b = lowering.b
    (old,) = _atomic(lowering, OPS.atomic_xchg, words[3], b.asint(value))
    return (b.asfloat(old),)


def _compare_exchange(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    value, comparator = (lowering.scalar(each) for each in words[7:9])
    return _atomic(lowering, OPS.atomic_cas, words[3], value, comparator)


def _load(lowering: "Lowering", instruction: Instruction) -> Components:
    pointer = lowering.pointer(instruction.words[3])
    return pointer.load(lowering.b)


def _store(lowering: "Lowering", instruction: Instruction) -> None:
    words = instruction.words
    lowering.pointer(words[1]).store(lowering.b, lowering.value(words[4]))


def _control_barrier(lowering: "Lowering", instruction: Instruction) -> None:
    if isinstance(lowering.stage, ControlStage):
        lowering.stage.at_barrier()
        return
    scope = lowering.integer(instruction.words[1])
    if scope is None:
        raise UnsupportedError("the scope of the barrier is not constant")
    whole = scope not in (Scope.Subgroup, Scope.Invocation) and lowering.kernel.dispatched
    order = _order(lowering, *instruction.words[2:4])
    lowering.b.barrier(attr=barrier_words(whole, order))


def _memory_barrier(lowering: "Lowering", instruction: Instruction) -> None:
    lowering.b.barrier(attr=barrier_words(False, _order(lowering, *instruction.words[1:3])))


def _order(lowering: "Lowering", scope: int, semantics: int) -> BarrierOrder:
    """Return the accesses that a barrier orders: all, if that is not constant."""
    among, kinds = lowering.integer(scope), lowering.integer(semantics)
    if among is None or kinds is None:
        return ALL_MEMORY
    if not kinds & ORDERS:
        return BarrierOrder()
    shared, buffers, images = (bool(kinds & each) for each in MEMORIES)
    return BarrierOrder(shared, buffers, images, among in WIDE)


def _in_turn(lowering: "Lowering", instruction: Instruction) -> None:
    """Append nothing: a draw runs fragments that overlap in the order of their primitives."""


def _is_helper(lowering: "Lowering", instruction: Instruction) -> Components:
    if lowering.kernel.helps:
        return (lowering.b.is_helper(),)
    return (constant(0, BOOL),)


HANDLERS: Handlers = {
    Opcode.AtomicLoad: _load,
    Opcode.AtomicStore: _store,
    Opcode.AtomicExchange: _exchange,
    Opcode.AtomicCompareExchange: _compare_exchange,
    Opcode.AtomicCompareExchangeWeak: _compare_exchange,
    Opcode.AtomicIIncrement: _step(1),
    Opcode.AtomicIDecrement: _step(-1),
    Opcode.AtomicIAdd: _with_value(OPS.atomic_add),
    Opcode.AtomicISub: _subtract,
    Opcode.AtomicSMin: _with_value(OPS.atomic_imin),
    Opcode.AtomicUMin: _with_value(OPS.atomic_umin),
    Opcode.AtomicSMax: _with_value(OPS.atomic_imax),
    Opcode.AtomicUMax: _with_value(OPS.atomic_umax),
    Opcode.AtomicAnd: _with_value(OPS.atomic_and),
    Opcode.AtomicOr: _with_value(OPS.atomic_or),
    Opcode.AtomicXor: _with_value(OPS.atomic_xor),
    Opcode.AtomicFAddEXT: _with_value(OPS.atomic_fadd),
    Opcode.AtomicFMinEXT: _with_value(OPS.atomic_fmin),
    Opcode.AtomicFMaxEXT: _with_value(OPS.atomic_fmax),
    Opcode.ControlBarrier: _control_barrier,
    Opcode.MemoryBarrier: _memory_barrier,
    Opcode.BeginInvocationInterlockEXT: _in_turn,
    Opcode.EndInvocationInterlockEXT: _in_turn,
    Opcode.IsHelperInvocationEXT: _is_helper,
}
