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


def compatible_structures(state: State, one: int, two: int) -> bool:
    """Return True if two structures have compatible members at the same offsets."""
    types = state.types
    pending, seen = [(one, two)], {(one, two)}
    while pending:
        a, b = pending.pop()
        first, second = types.members(a), types.members(b)
        if len(first) != len(second):
            return False
        for at, pair in enumerate(zip(first, second, strict=True)):
            if _layout(state, a, at) != _layout(state, b, at):
                return False
            if pair[0] == pair[1] or pair in seen:
                continue
            if not types.code(pair[0]) == types.code(pair[1]) == Opcode.TypeStruct:
                return False
            seen.add(pair)
            pending.append(pair)
    return True


def _layout(state: State, type_: int, member: int) -> set[tuple[int, tuple[int, ...]]]:
    uses = state.index.members.get(type_, {}).get(member, ())
    return {(each.number, tuple(each.words)) for each in uses if each.number in LAYOUT}
