"""Types that an operation takes and returns, for tests that try all of them."""

from unshade.ir.ops import OPERAND_KINDS, Op
from unshade.ir.types import BOOL, F16, F32, F64, FLOATS, I8, I16, I32, I64, INTEGERS, Type

SCALARS = (BOOL, I8, I16, I32, I64, F16, F32, F64)


def accepts(op: Op, letter: str, type: Type) -> bool:
    """Return whether an operand with this letter may be of a type."""
    return type.kind in OPERAND_KINDS[letter] and (op.result != "~f" or type.bits in FLOATS)


def result_types(op: Op, operand: Type) -> list[Type]:
    """Return the types that a use of the operation may state; none if the operand decides."""
    if op.result not in ("=i", "=f"):
        return []
    types = INTEGERS if op.result == "=i" else FLOATS
    return [each for each in types.values() if each != operand]
