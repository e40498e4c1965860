"""What watchers have in common: who is alive, what an operand was."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....ir.kernel import Value
from ....ir.memory import Memory
from ...launch import Array
from ..engine import Block, Watcher
from ..lanes import Lanes, Party

LETTERS = "xyzw"
NOWHERE = 0xFFFF_FFFF  # the element of a point that does not exist


class Many:
    """Several watchers as one."""

    def __init__(self, watchers: Sequence[Watcher]) -> None:
        self.watchers = watchers

    def block(self, block: Block) -> None:
        for each in self.watchers:
            each.block(block)

    def step(self, block: Block, party: Party, value: Value, result: Lanes) -> None:
        for each in self.watchers:
            each.step(block, party, value, result)


def living(party: Party) -> Array:
    """Positions in the party of those alive."""
    return np.arange(party.count) if party.alive is None else np.flatnonzero(party.alive)


def acting(block: Block, party: Party, value: Value) -> Array:
    """Positions in the party of those that this access is of."""
    return living(party) if value.op.name == "load" else block.acting(party)


def spread(lanes: Lanes, party: Party) -> Array:
    """A value of each lane of the party."""
    return np.broadcast_to(lanes, (party.count,))


def accessed_size(value: Value) -> int:
    """Bytes that a load, store or atomic touches."""
    if value.op.name == "load":
        return value.type.size
    return value.args[2].type.size


def is_access(value: Value) -> bool:
    """Whether an operation reads or writes a memory."""
    name = value.op.name
    return name in ("load", "store") or name.startswith("atomic_")


def place_name(memory: Memory, element: int, byte: int, raw: frozenset[str]) -> str:
    """A place as the listing would write it: cb0[3].x, t0[12]+8; `raw` memories count in bytes."""
    if memory.name in raw:
        return f"{memory.name}[{memory.stride * element + byte}]"
    if memory.each:
        point = element % memory.each if element != NOWHERE else "…"
        register, inside = divmod(byte, 16)
        return f"{memory.name}[{point}][{register}].{LETTERS[inside // 4]}"
    if memory.stride == 16 and not byte % 4 and byte < 16:
        return f"{memory.name}[{element}].{LETTERS[byte // 4]}"
    return f"{memory.name}[{element}]+{byte}" if byte else f"{memory.name}[{element}]"


def number_at(lanes: Any, position: int) -> int:
    """The bits of one lane's value, as a number."""
    one = np.asarray(lanes[position] if np.ndim(lanes) else lanes)
    if one.dtype == np.bool_:
        return int(one)
    return int(one.view(f"<u{one.dtype.itemsize}"))
