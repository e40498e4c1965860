"""Lowering of wave and quad operations.

    waveActiveOp(%v, 0, 1)         the sum over the lanes of the wave
    waveMatch(%v)                  the lanes with the same value (`ir.library.parts`)

Helper lanes take part in operations of quads alone.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst, DxilConstants.h (WaveOpKind and others);
the public specifications of Shader Model 6.0 and 6.5.
"""

from collections.abc import Sequence
from typing import ClassVar

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library import parts
from ....ir.ops import OPS, Op
from ....ir.types import BOOL, I32, Type
from ....ir.waves import QUAD, Wave
from ..tables.dxil_operations import Op as DxOp
from .calls import Handlers

__all__ = ["Waves", "of_quad"]

SUM, PRODUCT, MINIMUM, MAXIMUM = range(4)
BITS = {0: OPS.and_, 1: OPS.or_, 2: OPS.xor}
MULTI: dict[int, Op | int] = {0: SUM, 1: OPS.and_, 2: OPS.or_, 3: OPS.xor, 4: PRODUCT}
WORDS = 4
MASK = tuple(f"mask{at}" for at in range(WORDS))
ANY, ALL = 0, 1
GRADIENT = "g"  # flag of an operation


def of_quad(op: DxOp) -> bool:
    """Return whether an operation concerns the quad of a lane, as derivatives do."""
    return GRADIENT in op.flags or op.name.startswith("Quad")


def combining(type: Type, op: int, unsigned: int) -> Op:
    """Return the operation that a reduction combines values with."""
    if type.kind == "f":
        table = {SUM: OPS.fadd, PRODUCT: OPS.fmul, MINIMUM: OPS.fmin, MAXIMUM: OPS.fmax}
    else:
        table = {
            SUM: OPS.iadd, PRODUCT: OPS.imul,
            MINIMUM: OPS.umin if unsigned else OPS.imin,
            MAXIMUM: OPS.umax if unsigned else OPS.imax,
        }  # fmt: skip
    if op not in table:
        raise UnsupportedError(f"wave operation {op} cannot be run yet")
    return table[op]


class Waves:
    """Lowering of operations over lanes of a wave; `helpers` is whether helper lanes take part."""

    def __init__(self, builder: Builder, *, helpers: bool = False) -> None:
        self.b = builder
        self.helpers = helpers
        self.whole = Wave(helpers=helpers)

    def _wave(self, op: Op | None = None, word: int = 0) -> Wave:
        return Wave(op, word=word, helpers=self.helpers)

    # ------------------------------------------------------------ votes and reads

    def first(self) -> Value:
        return self.b.wave_elect(attr=self.whole)

    def any(self, condition: Value) -> Value:
        return self.b.wave_any(condition, attr=self.whole)

    def all(self, condition: Value) -> Value:
        return self.b.wave_all(condition, attr=self.whole)

    def equal(self, value: Value) -> Value:
        return self.b.wave_equal(self._word(value), attr=self.whole)

    def ballot(self, condition: Value) -> tuple[Value, ...]:
        return tuple(
            self.b.wave_ballot(condition, attr=self._wave(word=word)) for word in range(WORDS)
        )

    def read_first(self, value: Value) -> Value:
        return self._bool(value, self.b.wave_first(self._word(value), attr=self.whole))

    def read(self, value: Value, lane: Value) -> Value:
        return self._bool(value, self.b.wave_read(self._word(value), lane, attr=self.whole))

    def _word(self, value: Value) -> Value:
        """Return a bool as a number."""
        found: Value = self.b.select(value, constant(1, I32), 0) if value.type == BOOL else value
        return found

    def _bool(self, original: Value, found: Value) -> Value:
        result: Value = self.b.ine(found, 0) if original.type == BOOL else found
        return result

    # ------------------------------------------------------------ reductions

    def reduce(self, value: Value, op: int, unsigned: int) -> Value:
        return self.b.wave_reduce(value, attr=self._wave(combining(value.type, op, unsigned)))

    def reduce_bits(self, value: Value, op: int) -> Value:
        if op not in BITS:
            raise UnsupportedError(f"wave operation {op} cannot be run yet")
        return self.b.wave_reduce(value, attr=self._wave(BITS[op]))

    def prefix(self, value: Value, op: int, unsigned: int) -> Value:
        return self.b.wave_before(value, attr=self._wave(combining(value.type, op, unsigned)))

    def count(self, condition: Value) -> Value:
        """Append the number of lanes whose condition holds."""
        one = self.b.select(condition, constant(1, I32), 0)
        return self.b.wave_reduce(one, attr=self._wave(OPS.iadd))

    def count_before(self, condition: Value) -> Value:
        one = self.b.select(condition, constant(1, I32), 0)
        return self.b.wave_before(one, attr=self._wave(OPS.iadd))

    # ------------------------------------------------------------ parts of a wave

    def match(self, value: Value) -> tuple[Value, ...]:
        """Append the mask of the lanes that have the same value."""
        return parts.matching(self.b, [value], self.whole)

    def multi_prefix(self, value: Value, mask: Sequence[Value], op: int, unsigned: int) -> Value:
        """Append the exclusive prefix over the lanes of a mask, which partitions the active lanes.

        Bits of lanes that are inactive, or that the wave does not have, are ignored.
        """
        kind = MULTI.get(op)
        if kind is None:
            raise UnsupportedError(f"wave operation {op} cannot be run yet")
        if not isinstance(kind, Op):
            kind = combining(value.type, kind, unsigned)
        wave = self._wave(kind)
        b = self.b
        keys = parts.active(b, mask, self.whole)
        (found,) = parts.by_part(
            b, keys, [value.type], lambda: (b.wave_before(value, attr=wave),), self.whole
        )
        return found

    def multi_count(self, condition: Value, mask: Sequence[Value]) -> Value:
        one = self.b.select(condition, constant(1, I32), 0)
        return self.multi_prefix(one, mask, SUM, 1)

    # ------------------------------------------------------------ quads

    def quad_read(self, value: Value, lane: Value) -> Value:
        return self._bool(value, self.b.quad_read(self._word(value), lane))

    def quad_across(self, value: Value, op: int) -> Value:
        """Append a read of the lane beside, below or diagonally across."""
        if not 0 <= op <= 2:
            raise UnsupportedError(f"quad operation {op} cannot be run yet")
        return self._bool(value, self.b.quad_swap(self._word(value), attr=op + 1))

    def quad_vote(self, condition: Value, op: int) -> Value:
        """Append whether a condition holds in any or all lanes of the quad."""
        if op not in (ANY, ALL):
            raise UnsupportedError(f"vote {op} over a quad cannot be run yet")
        b = self.b
        join = b.and_ if op == ALL else b.or_
        found = condition
        word = self._word(condition)
        for other in range(1, QUAD):
            found = join(found, b.ine(b.quad_swap(word, attr=other), 0))
        return found

    # ------------------------------------------------------------ calls

    OPERATIONS: ClassVar[Handlers] = {
        "WaveIsFirstLane": lambda self, call: self.first(),
        "WaveAnyTrue": lambda self, call: self.any(call.scalar("cond")),
        "WaveAllTrue": lambda self, call: self.all(call.scalar("cond")),
        "WaveActiveAllEqual": lambda self, call: self.equal(call.scalar("value")),
        "WaveActiveBallot": lambda self, call: self.ballot(call.scalar("cond")),
        "WaveReadLaneAt": lambda self, call: self.read(*call.scalars("value", "lane")),
        "WaveReadLaneFirst": lambda self, call: self.read_first(call.scalar("value")),
        "WaveActiveOp": lambda self, call: self.reduce(
            call.scalar("value"), call.integer("op"), call.integer("sop")
        ),
        "WaveActiveBit": lambda self, call: self.reduce_bits(
            call.scalar("value"), call.integer("op")
        ),
        "WavePrefixOp": lambda self, call: self.prefix(
            call.scalar("value"), call.integer("op"), call.integer("sop")
        ),
        "WaveAllBitCount": lambda self, call: self.count(call.scalar("value")),
        "WavePrefixBitCount": lambda self, call: self.count_before(call.scalar("value")),
        "WaveMatch": lambda self, call: self.match(call.scalar("value")),
        "WaveMultiPrefixOp": lambda self, call: self.multi_prefix(
            call.scalar("value"), call.scalars(*MASK), call.integer("op"), call.integer("sop")
        ),
        "WaveMultiPrefixBitCount": lambda self, call: self.multi_count(
            call.scalar("value"), call.scalars(*MASK)
        ),
        "QuadReadLaneAt": lambda self, call: self.quad_read(*call.scalars("value", "quadLane")),
        "QuadOp": lambda self, call: self.quad_across(call.scalar("value"), call.integer("op")),
        "QuadVote": lambda self, call: self.quad_vote(call.scalar("cond"), call.integer("op")),
    }
