"""Uses of values with parts of 8 or 16 bits that may only be stored.

Source: SPIR-V specification, section 2.16.1, on StorageBuffer16BitAccess and its relatives.
"""

from ..tables.numbers import Opcode
from .operations import contains_small
from .state import State

__all__ = ["check_small_uses"]


USES = frozenset({
    Opcode.Decorate, Opcode.DecorateId, Opcode.CopyObject, Opcode.Store, Opcode.FConvert,
    Opcode.UConvert, Opcode.SConvert, Opcode.Name,
})  # fmt: skip


def check_small_uses(state: State) -> None:
    """Check the uses of all values of storage-only types."""
    if not state.shader:
        return
    small: dict[int, bool] = {}
    for inst in state.insts:
        if not inst.id or not inst.type:
            continue
        if inst.type not in small:
            small[inst.type] = contains_small(state, inst.type)
        if not small[inst.type]:
            continue
        for user in state.uses.get(inst.id, ()):
            if user.code not in USES:
                state.report("spirv.small-type", user, "a value of a type for storage only")
