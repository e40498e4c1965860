"""Helpers of watchers: operands of accesses, names of places, several watchers combined."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....ir.kernel import KernelIR, Value
from ....ir.locations import SymbolName
from ....ir.memory import Memory, Port
from ....ir.ops import OPS
from ....ir.sources import SOURCES
from ...launch import Array
from ..batch import LaneBatch, Watcher
from ..lanes import ActiveLanes, LaneValues

LETTERS = "xyzw"
NOWHERE = 0xFFFF_FFFF  # the element of a vertex that does not exist


class Watchers:
    """Several watchers as one."""

    def __init__(self, watchers: Sequence[Watcher]) -> None:
        self.watchers = watchers

    def begin(self, batch: LaneBatch) -> None:
        for each in self.watchers:
            each.begin(batch)

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        for each in self.watchers:
            each.step(batch, active, value, result)


def accessing_lanes(batch: LaneBatch, active: ActiveLanes, value: Value) -> Array:
    """Return the indices of the lanes that perform an access."""
    return active.indices() if value.op is OPS.load else batch.writing_lanes(active, value.attr)


def broadcast(lanes: LaneValues, active: ActiveLanes) -> Array:
    """Return an array with an element for each lane."""
    return np.broadcast_to(lanes, (active.count,))


def accessed_size(value: Value) -> int:
    """Return the number of bytes that a load, store or atomic accesses."""
    if value.op is OPS.load:
        return value.type.size
    return value.args[2].type.size


def is_access(value: Value) -> bool:
    """Return True if an operation reads or writes a memory."""
    op = value.op
    return op in (OPS.load, OPS.store) or op.atomic


def element_reads(kernel: KernelIR) -> dict[Value, Value | None]:
    """Return the reads of elements of a small array, whose scalars are separate variables.

        a[%i]          select (%i == 1), get @a[1], …          read where the condition holds
        a[%i] = x      set @a[1], select (%i == 1), x, get @a[1]      never read

    The result maps each read to its condition, or to None if the program never reads the element.
    A read before its condition is known counts as any other.
    """
    found: dict[Value, Value | None] = {}
    order: dict[Value, int] = {}
    for value in kernel.values():
        order[value] = len(order)
        if value.op is OPS.select and _chooses(value.args[0]):
            condition, read, _ = value.args
            if read.op is OPS.get and read.label is None and order[condition] < order[read]:
                found[read] = condition
        elif kept := kept_element(value):
            found[kept] = None
    return found


def kept_element(value: Value) -> Value | None:
    """Return the read in a set that writes an element only if the index chooses it, else None."""
    if value.op is not OPS.set or value.args[0].op is not OPS.select:
        return None
    condition, _, old = value.args[0].args
    if old.op is OPS.get and old.attr is value.attr and _chooses(condition):
        return old
    return None


def _chooses(condition: Value) -> bool:
    """Return True for a comparison of an index; conditions of the program have names."""
    if condition.label is not None:
        return False
    if condition.op is OPS.and_:
        return all(map(_chooses, condition.args))
    return condition.op is OPS.ieq and condition.args[1].op is OPS.const


class PlaceNames:
    """Names of memories and their places, in the listing and, if known, in the source."""

    def name(self, memory: Memory, element: int, byte: int) -> SymbolName:
        """Return the name of a place in a memory, as in the listing."""
        return place_name(memory, element, byte)

    def label(self, memory: Memory, element: int, byte: int) -> tuple[SymbolName, str]:
        """Return the source name of a place, and its kind: float, int, uint, or "" if unknown."""
        return SymbolName(), ""

    def port(self, port: Port) -> tuple[SymbolName, str]:
        """Return the source name of an input or output, and its kind."""
        return SymbolName(), ""

    def source(self, name: str) -> SymbolName:
        """Return the name of a source (such as a thread ID), as in the listing."""
        return SOURCES[name].name

    def printed(self, words: Sequence[int]) -> str | None:
        """Return the text of a whole record of printf; None if more words follow."""
        return None

    def memory(self, memory: Memory) -> str:
        """Return the name of a whole memory."""
        return memory.name

    def size(self, memory: Memory, count: int) -> str:
        """Return the size of a memory in the unit of its places: bytes or elements."""
        if memory.raw:
            return f"{count * memory.stride:,} bytes"
        return f"{count:,} element{'' if count == 1 else 's'}"


def place_name(memory: Memory, element: int, byte: int) -> SymbolName:
    """Return the name of a place as in the listing: cb0[3].x, t0[12]+8; raw memories by byte."""
    number = element - (1 << 32) if element >> 31 else element  # no memory has so many elements
    if memory.raw:
        return SymbolName(memory.name, f"[{memory.stride * number + byte}]")
    if memory.each:
        point = element % memory.each if element != NOWHERE else "…"
        register, inside = divmod(byte, 16)
        return SymbolName(memory.name, f"[{point}]", f"[{register}]", f".{LETTERS[inside // 4]}")
    if memory.stride == 16 and not byte % 4 and byte < 16:
        return SymbolName(memory.name, f"[{number}]", f".{LETTERS[byte // 4]}")
    return SymbolName(memory.name, f"[{number}]", *([f"+{byte}"] if byte else []))


def number_at(lanes: Any, position: int) -> int:
    """Return the bits of one lane's value as an integer."""
    one = np.asarray(lanes[position] if np.ndim(lanes) else lanes)
    if one.dtype == np.bool_:
        return int(one)
    return int(one.view(f"<u{one.dtype.itemsize}"))
