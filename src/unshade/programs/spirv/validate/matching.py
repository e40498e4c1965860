"""Types that are not the same but have the same values.

logically match     structures and arrays whose parts match, numbers that are the same type
"""

from ..tables.numbers import Opcode
from .state import State

__all__ = ["logically_match"]

MOST = 10_000  # pairs looked at; deeper types do not match


def logically_match(state: State, one: int, two: int) -> bool:
    """Return True if two types match: decorations aside, they are built of the same types."""
    types = state.types
    pending, seen = [(one, two)], {(one, two)}
    while pending:
        if len(seen) > MOST:
            return False
        first, second = pending.pop()
        if first == second:
            continue
        code = types.code(first)
        if code != types.code(second):
            return False
        if code == Opcode.TypeStruct:
            a, b = types.members(first), types.members(second)
            if len(a) != len(b):
                return False
            pairs = list(zip(a, b, strict=True))
        elif code == Opcode.TypeArray:
            lengths = [types.constants.get(types.words(each)[3]) for each in (first, second)]
            same = types.words(first)[3] == types.words(second)[3]
            if not same and (lengths[0] is None or lengths[0] != lengths[1]):
                return False
            pairs = [(types.part(first), types.part(second))]
        else:
            return False
        for pair in pairs:
            if pair not in seen:
                seen.add(pair)
                pending.append(pair)
    return True
