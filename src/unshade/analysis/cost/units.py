"""Units that operations of `ir` belong to: floats, integers, special functions, memory, textures…

No costs are attached to a unit: a count is a number of operations, not a duration.
"""

from collections.abc import Iterable

from ...enums import StrEnum
from ...ir.kernel import Value
from ...ir.ops import OPS, Op

__all__ = ["CostUnit", "unit_of", "units_of"]


class CostUnit(StrEnum):
    """A kind of operation."""

    FLOAT = "float"  # arithmetic, comparisons and conversions of floats
    INTEGER = "integer"  # of integers, and logic
    SPECIAL = "special"  # sines, roots, powers, quotients
    MEMORY = "memory"  # loads and stores
    ATOMIC = "atomic"
    TEXTURE = "texture"  # samples, loads and queries
    WAVE = "wave"  # operations across lanes
    BARRIER = "barrier"
    CONTROL = "control"  # branches, loops, discards
    MOVE = "move"  # registers, selections, bits as another type
    INTERFACE = "interface"  # inputs and outputs


SPECIAL = frozenset({OPS.fdiv, OPS.fsqrt, OPS.idiv, OPS.irem, OPS.udiv, OPS.urem})
FREE = frozenset({OPS.const, OPS.source, OPS.part, OPS.count, OPS.message})
BY_OP: dict[Op, CostUnit] = {
    OPS.load: CostUnit.MEMORY, OPS.store: CostUnit.MEMORY, OPS.sample: CostUnit.TEXTURE,
    OPS.barrier: CostUnit.BARRIER, OPS.discard: CostUnit.CONTROL, OPS.is_helper: CostUnit.CONTROL,
    OPS.input: CostUnit.INTERFACE, OPS.output: CostUnit.INTERFACE, OPS.get: CostUnit.MOVE,
    OPS.set: CostUnit.MOVE,
}  # fmt: skip


def unit_of(value: Value) -> CostUnit | None:
    """Return the unit of an operation; None for constants and operations that only name a value."""
    op = value.op
    if op in FREE:
        return None
    if op in BY_OP:
        return BY_OP[op]
    if op.atomic:
        return CostUnit.ATOMIC
    if op.convergent:
        return CostUnit.WAVE
    if op.ends:
        return CostUnit.CONTROL
    if op.library or op in SPECIAL:
        return CostUnit.SPECIAL
    if op.moves and op not in (OPS.fneg, OPS.fabs):
        return CostUnit.MOVE
    kinds = {value.type.kind, *(each.type.kind for each in value.args)}
    return CostUnit.FLOAT if "f" in kinds else CostUnit.INTEGER


def units_of(values: Iterable[Value]) -> dict[CostUnit, int]:
    """Return the number of operations of each unit that occurs, in the order of the units."""
    found = [unit_of(each) for each in values]
    return {unit: count for unit in CostUnit if (count := found.count(unit))}
