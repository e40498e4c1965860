"""Structures whose members have the same types at the same places.

Source: SPIR-V specification, section 2.16.2, as the option relax_struct_store has it.
"""

from ..tables.numbers import Decoration, Opcode
from .state import State

__all__ = ["compatible_structures"]

LAYOUT = frozenset({
    Decoration.Offset, Decoration.ArrayStride, Decoration.MatrixStride, Decoration.RowMajor,
    Decoration.ColMajor,
})  # fmt: skip
DEPTH = 64


def compatible_structures(state: State, one: int, two: int, depth: int = DEPTH) -> bool:
    """Return True if two structures have compatible members at the same offsets."""
    first, second = state.types.members(one), state.types.members(two)
    if len(first) != len(second) or not depth:
        return False
    for at, (a, b) in enumerate(zip(first, second, strict=True)):
        if _layout(state, one, at) != _layout(state, two, at):
            return False
        if a != b:
            both = state.types.code(a) == state.types.code(b) == Opcode.TypeStruct
            if not both or not compatible_structures(state, a, b, depth - 1):
                return False
    return True


def _layout(state: State, type_: int, member: int) -> set[tuple[int, tuple[int, ...]]]:
    uses = state.index.members.get(type_, {}).get(member, ())
    return {(each.number, tuple(each.words)) for each in uses if each.number in LAYOUT}
