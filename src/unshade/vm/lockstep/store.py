"""Memories of a batch, their loads, stores and atomics.

    offset of a value  =  base of the lane's copy  +  element * stride  +  byte

A bound memory has one copy, a shared memory one for each group of the batch, a local memory one
for each lane. Accesses out of bounds read 0 or write nothing, and are counted.
"""

from typing import Any, TypeAlias

import numpy as np

from ...ir.memory import Bounds, Memory, Space
from ...ir.ops import OPS, Op
from ...ir.types import FLOATS, Widths
from ..launch import Array
from .lanes import ActiveLanes, LaneValues
from .operations import calculate, quiet, select
from .ramps import Ramp, Repeated, flat, repeat, repeated


class Irregular:
    """The places of accesses that are not aligned, or not all valid.

    at       offsets in words, or in bytes; 0 where an access is not valid
    valid    which accesses are valid
    bytes    `at` counts bytes
    """

    __slots__ = ("at", "bytes", "valid")

    def __init__(self, at: LaneValues, valid: LaneValues, bytes: bool) -> None:
        self.at = at
        self.valid = valid
        self.bytes = bytes


# The words that lanes access: one for all, one for each lane in a slice or an array, or words that
# repeat along axes of the groups.
Places: TypeAlias = int | slice | Array | Repeated | Irregular


class Store:
    """One memory in one batch."""

    __slots__ = ("_words", "base", "count", "data", "memory", "out_of_bounds", "size")

    def __init__(self, memory: Memory, data: Array, base: Array | None = None) -> None:
        """Args:
        memory: The memory of the kernel.
        data: The bytes of all copies.
        base: The offset in `data` of each lane's copy; None if there is one copy.
        """
        self.memory = memory
        self.data = data
        self.base = base
        self._words: dict[str, Array] = {}  # by the letter of their type
        size = len(data) if base is None else memory.stride * (memory.count or 0)
        self.size = size
        self.count = size // memory.stride
        if memory.count is not None and base is None:
            self.count = min(self.count, memory.count)
        self.out_of_bounds = 0

    def typed(self, kind: np.dtype[Any]) -> Array:
        """Return the memory as values of a type."""
        found = self._words.get(kind.char)
        if found is None:
            size = kind.itemsize
            whole = self.data[: len(self.data) // size * size]
            found = self._words[kind.char] = whole.view(kind)
        return found

    def locate(
        self, element: LaneValues, byte: LaneValues, size: int, lanes: Array
    ) -> tuple[LaneValues, LaneValues]:
        """Return the offsets of values in `data`, and which of the accesses are valid."""
        stride = self.memory.stride
        element = flat(element).astype(np.int64)
        byte = flat(byte).astype(np.int64)
        if self.memory.bounds is Bounds.CLAMP and self.count and size <= stride:
            element = np.minimum(element, self.count - 1)
            byte = np.minimum(byte, stride - size)
        valid = (element < self.count) & (byte <= stride - size)
        place = element * stride + byte
        if self.base is not None:
            place = place + self.base[lanes]
        return np.where(valid, place, 0), valid

    def places(
        self, element: LaneValues, byte: LaneValues, size: int, active: ActiveLanes
    ) -> Places:
        """Return the places of values: as `locate`, in the simplest form."""
        stride = self.memory.stride
        offset = -1 if byte.ndim else int(byte)
        if 0 <= offset <= stride - size and not offset % size:
            if element.ndim:
                if not stride % size:
                    found = self._places_in_all(element, offset, size, active)
                    if found is not None:
                        return found
            else:
                number = int(element)
                at = number * stride + offset
                if number < self.count and not at % size:
                    if self.base is None:
                        return at // size
                    return self._places_in_copies(at, size, active)
        place, valid = self.locate(element, byte, size, active.positions())
        aligned = not np.any(place % size)
        if not aligned or not np.all(valid):
            return Irregular(place // size if aligned else place, valid, not aligned)
        regular = place // size
        return regular if regular.ndim else int(regular)

    def _places_in_copies(self, at: int, size: int, active: ActiveLanes) -> Places:
        """Return the places of the value at one offset in the copies of all lanes."""
        if self.memory.space is Space.LOCAL and active.whole and not self.size % size:
            return _slice(at // size, self.size // size, active.count)
        return (self._bases(active) + at) // size

    def _places_in_all(
        self, element: LaneValues, byte: int, size: int, active: ActiveLanes
    ) -> Places | None:
        """Return the places of aligned values, each in a separate element.

        The result is None if an element does not exist.
        """
        words = self.memory.stride // size
        if type(element) is Ramp:
            if element.last >= self.count:
                return None
            if self.base is None:
                first = element.base * words + byte // size
                return _slice(first, element.step * words, element.count)
        shape = None
        if type(element) is Repeated and self.memory.space is not Space.LOCAL:
            element, shape = element.few, element.shape
        element = flat(element)
        if int(element.max()) >= self.count:
            return None
        places: Array = element.astype(np.int64)
        if words != 1:
            places *= words
        if byte:
            places += byte // size
        if self.base is not None:
            base = self._bases(active) if shape is None else self.base.reshape(shape)[:, :1, :1, :1]
            places = places + base // size
        return places if shape is None else repeated(places, shape)

    def _bases(self, active: ActiveLanes) -> Array:
        assert self.base is not None
        return self.base if active.whole else self.base[active.positions()]

    def load(self, places: Places, kind: np.dtype[Any], active: ActiveLanes) -> LaneValues:
        """Return the values at places, 0 for accesses out of bounds; a slice gives a view."""
        if isinstance(places, Irregular):
            return self._load_irregular(places, kind, active)
        words = self._words.get(kind.char)
        if words is None:
            words = self.typed(kind)
        if isinstance(places, Repeated):
            return repeat(words.take(places.few), places.shape)
        return words.take(places) if type(places) is np.ndarray else words[places]

    def _load_irregular(
        self, places: Irregular, kind: np.dtype[Any], active: ActiveLanes
    ) -> LaneValues:
        valid = places.valid
        self.out_of_bounds += _count(~valid, active)
        if not np.any(valid):
            return np.zeros(np.shape(valid), kind)[()]
        if places.bytes:
            found = self._gather_bytes(places.at, kind.itemsize).view(kind)
        else:
            found = self.typed(kind)[places.at]
        return select(np.asarray(valid), found, kind.type(0))[()]

    def _gather_bytes(self, place: LaneValues, size: int) -> LaneValues:
        word = np.dtype(f"<u{size}").type
        found = np.zeros(np.shape(place), f"<u{size}")
        for at in range(size):
            found = found | self.data[place + at].astype(f"<u{size}") << word(8 * at)
        return found

    def store(
        self, places: Places, value: LaneValues, active: ActiveLanes, which: Array | None
    ) -> None:
        """Write in the order of lanes: of two lanes that write one place the last one wins.

        `which` are the indices of the lanes that write; None for all.
        """
        if isinstance(places, Repeated):
            places = places.array()
        if which is None and not isinstance(places, Irregular):
            if type(places) is int and value.ndim:
                value = value[-1]
            self.typed(value.dtype)[places] = value
            return
        if which is None:
            which = np.arange(active.count)
        at = places.at if isinstance(places, Irregular) else places
        if isinstance(at, slice):
            at = np.arange(at.start, at.stop, at.step)
        at = np.broadcast_to(at, (active.count,))[which]
        value = np.broadcast_to(value, (active.count,))[which]
        if isinstance(places, Irregular):
            valid = np.broadcast_to(places.valid, (active.count,))[which]
            self.out_of_bounds += len(valid) - int(np.count_nonzero(valid))
            at, value = at[valid], value[valid]
            if places.bytes:
                bits = value.view(f"<u{value.dtype.itemsize}")
                for byte in range(value.dtype.itemsize):
                    self.data[at + byte] = (bits >> bits.dtype.type(8 * byte)).astype(np.uint8)
                return
        self.typed(value.dtype)[at] = value

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
        words = self.typed(np.dtype(f"<u{size}"))
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


def _slice(first: int, step: int, count: int) -> slice:
    return slice(first, first + step * (count - 1) + 1, step)


def _count(lanes: LaneValues, active: ActiveLanes) -> int:
    """Return the number of active lanes that a condition holds in."""
    everywhere = np.broadcast_to(lanes, (*np.shape(lanes)[:-1], active.count))
    return int(np.count_nonzero(active.masked(everywhere)))


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

    The first lane of every place is processed at once, then the second lane of every place, and so
    on.
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
