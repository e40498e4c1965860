"""What watchers have in common: who is alive, what an operand was."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....ir.kernel import Value
from ....ir.locations import SymbolName
from ....ir.memory import Memory, Port
from ....ir.ops import OPS
from ....ir.sources import SOURCES
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
    return living(party) if value.op is OPS.load else block.writing(party, value.attr)


def spread(lanes: Lanes, party: Party) -> Array:
    """A value of each lane of the party."""
    return np.broadcast_to(lanes, (party.count,))


def accessed_size(value: Value) -> int:
    """Bytes that a load, store or atomic touches."""
    if value.op is OPS.load:
        return value.type.size
    return value.args[2].type.size


def is_access(value: Value) -> bool:
    """Whether an operation reads or writes a memory."""
    op = value.op
    return op in (OPS.load, OPS.store) or op.atomic


class Places:
    """What is called how: in the words of the listing, and where somebody knows them in the words
    of the source.
    """

    def name(self, memory: Memory, element: int, byte: int) -> SymbolName:
        """A place in a memory, as the listing would write it."""
        return place_name(memory, element, byte)

    def label(self, memory: Memory, element: int, byte: int) -> tuple[SymbolName, str]:
        """The source's name of it, and what it holds: float, int, uint; "" for unknown."""
        return SymbolName(), ""

    def port(self, port: Port) -> tuple[SymbolName, str]:
        """The same of an input or output."""
        return SymbolName(), ""

    def source(self, name: str) -> SymbolName:
        """Where a lane is, in the listing's words."""
        return SOURCES[name].name

    def memory(self, memory: Memory) -> str:
        """A memory as a whole."""
        return memory.name

    def size(self, memory: Memory, count: int) -> str:
        """How large it is, in what its places are counted in."""
        if memory.raw:
            return f"{count * memory.stride:,} bytes"
        return f"{count:,} element{'' if count == 1 else 's'}"


def place_name(memory: Memory, element: int, byte: int) -> SymbolName:
    """A place as the listing would write it: cb0[3].x, t0[12]+8; raw memories count in bytes."""
    if memory.raw:
        return SymbolName(memory.name, f"[{memory.stride * element + byte}]")
    if memory.each:
        point = element % memory.each if element != NOWHERE else "…"
        register, inside = divmod(byte, 16)
        return SymbolName(memory.name, f"[{point}]", f"[{register}]", f".{LETTERS[inside // 4]}")
    if memory.stride == 16 and not byte % 4 and byte < 16:
        return SymbolName(memory.name, f"[{element}]", f".{LETTERS[byte // 4]}")
    return SymbolName(memory.name, f"[{element}]", *([f"+{byte}"] if byte else []))


def number_at(lanes: Any, position: int) -> int:
    """The bits of one lane's value, as a number."""
    one = np.asarray(lanes[position] if np.ndim(lanes) else lanes)
    if one.dtype == np.bool_:
        return int(one)
    return int(one.view(f"<u{one.dtype.itemsize}"))
