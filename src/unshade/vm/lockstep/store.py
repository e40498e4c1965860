"""Memories of a batch, their loads, stores and atomics.

    offset of a value  =  base of the lane's copy  +  element * stride  +  byte

A bound memory has one copy, a shared memory one for each group of the batch, a local memory one
for each lane. Accesses out of bounds read 0 or write nothing, and are counted.
"""

from typing import Any

import numpy as np

from ...ir.memory import Bounds, Memory, Space
from ...ir.ops import OPS, Op
from ...ir.types import FLOATS, Type, Widths
from ..launch import Array, dtype
from .lanes import LaneValues
from .operations import calculate, quiet


class Store:
    """One memory in one batch."""

    __slots__ = ("base", "count", "data", "memory", "out_of_bounds", "size", "words")

    def __init__(self, memory: Memory, data: Array, base: Array | None = None) -> None:
        """Args:
        memory: The memory of the kernel.
        data: The bytes of all copies.
        base: The offset in `data` of each lane's copy; None if there is one copy.
        """
        self.memory = memory
        self.data = data
        self.base = base
        self.words: dict[int, Array] = {}
        size = len(data) if base is None else memory.stride * (memory.count or 0)
        self.size = size
        self.count = size // memory.stride
        if memory.count is not None and base is None:
            self.count = min(self.count, memory.count)
        self.out_of_bounds = 0

    def _typed(self, size: int) -> Array:
        found = self.words.get(size)
        if found is None:
            found = self.words[size] = self.data[: len(self.data) // size * size].view(f"<u{size}")
        return found

    def locate(
        self, element: LaneValues, byte: LaneValues, size: int, lanes: Array
    ) -> tuple[LaneValues, LaneValues]:
        """Return the offsets of values in `data`, and which of the accesses are valid."""
        stride = self.memory.stride
        element = element.astype(np.int64)
        byte = byte.astype(np.int64)
        if self.memory.bounds is Bounds.CLAMP and self.count and size <= stride:
            element = np.minimum(element, self.count - 1)
            byte = np.minimum(byte, stride - size)
        valid = (element < self.count) & (byte <= stride - size)
        place = element * stride + byte
        if self.base is not None:
            place = place + self.base[lanes]
        return np.where(valid, place, 0), valid

    def load(
        self, element: LaneValues, byte: LaneValues, type: Type, lanes: Array, mask: Any
    ) -> LaneValues:
        """Return the loaded values; 0 for accesses out of bounds."""
        size = type.size
        place, valid = self.locate(element, byte, size, lanes)
        if not np.all(valid):
            everywhere = np.broadcast_to(~valid, (len(lanes),))
            self.out_of_bounds += int(
                np.count_nonzero(everywhere if mask is None else everywhere & mask)
            )
            if not np.any(valid):
                return np.broadcast_to(dtype(type).type(0), np.shape(place)).copy()[()]
        if np.any(place % size):
            found = self._gather_bytes(place, size)
        else:
            found = self._typed(size)[place // size]
        if not np.all(valid):
            found = np.where(valid, found, found.dtype.type(0))
        return found.view(dtype(type))

    def _gather_bytes(self, place: LaneValues, size: int) -> LaneValues:
        word = np.dtype(f"<u{size}").type
        found = np.zeros(np.shape(place), f"<u{size}")
        for at in range(size):
            found = found | self.data[place + at].astype(f"<u{size}") << word(8 * at)
        return found

    def valid_places(
        self, element: LaneValues, byte: LaneValues, size: int, lanes: Array, which: Array
    ) -> tuple[Array, Array]:
        """Return which of the lanes have a valid access, and the offsets of the accesses."""
        shape = len(lanes)
        place, valid = self.locate(element, byte, size, lanes)
        place = np.broadcast_to(place, (shape,))[which]
        valid = np.broadcast_to(valid, (shape,))[which]
        if not valid.all():
            self.out_of_bounds += int(np.count_nonzero(~valid))
            return which[valid], place[valid]
        return which, place

    def store(
        self, element: LaneValues, byte: LaneValues, value: LaneValues, lanes: Array, which: Array
    ) -> None:
        """Write in the order of lanes: of two lanes that write one place the last one wins."""
        size = value.dtype.itemsize
        which, place = self.valid_places(element, byte, size, lanes, which)
        bits = np.asarray(value).view(f"<u{size}")
        written = np.broadcast_to(bits, (len(lanes),))[which]
        if np.any(place % size):
            for at in range(size):
                self.data[place + at] = (written >> written.dtype.type(8 * at)).astype(np.uint8)
        else:
            self._typed(size)[place // size] = written

    def atomic(
        self,
        op: Op,
        operands: tuple[LaneValues, LaneValues],
        values: tuple[LaneValues, ...],
        lanes: Array,
        which: Array,
        flush: Widths,
    ) -> Array:
        """Apply an atomic operation in the order of lanes.

        Returns:
            The previous values; 0 for accesses that are out of bounds or misaligned.
        """
        element, byte = operands
        kind, size = values[0].dtype, values[0].dtype.itemsize
        found = np.zeros(len(lanes), f"<u{size}")
        values = tuple(np.asarray(each).view(found.dtype) for each in values)
        which, place = self.valid_places(element, byte, size, lanes, which)
        given = [np.broadcast_to(each, (len(lanes),))[which] for each in values]
        if np.any(place % size):
            valid = place % size == 0  # atomics do not cross words on any machine
            self.out_of_bounds += int(np.count_nonzero(~valid))
            which, place = which[valid], place[valid]
            given = [each[valid] for each in given]
        words = self._typed(size)
        if kind.kind == "f":
            found[which] = _floats_in_turn(op, words, place // size, given[0], flush)
        else:
            found[which] = _in_turn(op, words, place // size, given)
        return found.view(kind)


def create_store(
    memory: Memory, launch_memories: Any, lanes: int, groups: int, group_size: int
) -> Store:
    """Return the store of a memory for a batch of `lanes` lanes in `groups` groups."""
    size = memory.stride * (memory.count or 0)
    match memory.space:
        case Space.SHARED:
            base = np.arange(lanes) // group_size * size
            return Store(memory, np.zeros(size * groups, np.uint8), base)
        case Space.LOCAL:
            return Store(memory, np.zeros(size * lanes, np.uint8), np.arange(lanes) * size)
        case Space.TABLE:
            return Store(memory, np.frombuffer(memory.data, np.uint8))
        case _:
            return Store(memory, launch_memories[memory.key])


# ---------------------------------------------------------------- atomics

_COMBINE: dict[Op, Any] = {
    OPS.atomic_add: np.add,
    OPS.atomic_and: np.bitwise_and,
    OPS.atomic_or: np.bitwise_or,
    OPS.atomic_xor: np.bitwise_xor,
    OPS.atomic_umin: np.minimum,
    OPS.atomic_umax: np.maximum,
    OPS.atomic_imin: np.minimum,
    OPS.atomic_imax: np.maximum,
}


_FLOATS = {OPS.atomic_fadd: OPS.fadd, OPS.atomic_fmin: OPS.fmin, OPS.atomic_fmax: OPS.fmax}


def _floats_in_turn(op: Op, words: Array, place: Array, given: Array, flush: Widths) -> Array:
    """Apply a float atomic and return the previous values.

    The first lanes of all places are done at once, then the second ones, and so on.
    """
    type = FLOATS[8 * words.itemsize]
    numbers = words.view(f"<f{words.itemsize}")
    values = given.view(numbers.dtype)
    old = np.empty(len(place), words.dtype)
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    sizes = np.diff(starts, append=len(place))
    for turn in range(int(sizes.max(initial=0))):
        lanes = order[starts[sizes > turn] + turn]
        at = place[lanes]
        old[lanes] = words[at]
        numbers[at] = quiet(calculate(_FLOATS[op], type, flush, numbers[at], values[lanes]))
    return old


def _in_turn(op: Op, words: Array, place: Array, given: list[Array]) -> Array:
    """Apply an integer atomic lane by lane and return the previous values."""
    old = np.empty(len(place), words.dtype)
    order = np.argsort(place, kind="stable")
    sorted_place = place[order]
    starts = np.flatnonzero(np.diff(sorted_place, prepend=-1))
    ends = np.append(starts[1:], len(place))
    combine = _COMBINE.get(op)
    if len(starts) == len(place):  # all places are distinct
        old[:] = words[place]
        words[place] = _once(op, combine, old, given)
        return old
    for start, end in zip(starts, ends, strict=True):
        lanes = order[start:end]
        at = place[lanes[0]]
        if combine is not None:
            view = (
                f"<i{words.itemsize}" if op in (OPS.atomic_imin, OPS.atomic_imax) else words.dtype
            )
            chain = np.concatenate((words[at : at + 1], given[0][lanes])).view(view)
            chain = combine.accumulate(chain, dtype=chain.dtype).view(words.dtype)
            old[lanes] = chain[:-1]
            words[at] = chain[-1]
        elif op is OPS.atomic_xchg:
            old[lanes] = np.concatenate((words[at : at + 1], given[0][lanes][:-1]))
            words[at] = given[0][lanes[-1]]
        else:
            now = words[at]
            for lane in lanes:
                old[lane] = now
                if now == given[1][lane]:
                    now = given[0][lane]
            words[at] = now
    return old


def _once(op: Op, combine: Any, old: Array, given: list[Array]) -> Array:
    if op is OPS.atomic_xchg:
        return given[0]
    if combine is None:
        return np.where(old == given[1], given[0], old)
    view = f"<i{old.itemsize}" if op in (OPS.atomic_imin, OPS.atomic_imax) else old.dtype
    found: Array = combine(old.view(view), given[0].view(view)).view(old.dtype)
    return found
