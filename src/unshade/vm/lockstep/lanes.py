"""Active lanes: the lanes that execute together, and the value of each variable in each lane.

    batch   0 1 2 3 4 5 6 7          all lanes that run at once
    if      . 1 . 3 4 . . 7          a subset of four lanes: its arrays have four elements
    loop      1     4 . . 7          lanes that left the loop are masked out, and removed from the
                                     arrays (compaction) once there are many of them

Operations compute on whole arrays, inactive lanes included; results of inactive lanes are never
used. When a subset reconverges, the variables that it modified are written back to its parent for
the lanes that are still active. Variables of the parent are selected on first use, results of
operations when the subset is made: those that its code needs (compile.py).
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.memory import Var
from ..launch import Array, dtype
from .ramps import flat

if TYPE_CHECKING:
    from .batch import LaneBatch

# An array with an element for each lane, a scalar that all lanes share, or a ramp (ramps.py).
LaneValues = Any


class ActiveLanes:
    """Lanes that execute the same statements together, and their execution mask.

    batch           the batch that they belong to
    count           number of lanes, which is the length of all arrays
    parent          the lanes that these are a subset of
    parent_indices  index of each lane in the parent; None for all of the parent's lanes
    mask            lanes that are still active; None if all are
    suspended       some inactive lanes resume when the construct ends: their variables are kept
    registers       constants and results of operations, by the number of their register
    variables       current values of variables
    modified        variables to write back to the parent
    unshared        variables whose array has no other reference, so that it can be written in place
    """

    __slots__ = (
        "__weakref__", "_positions", "batch", "count", "mask", "modified", "parent",
        "parent_indices", "registers", "suspended", "unshared", "variables",
    )  # fmt: skip

    def __init__(
        self,
        batch: "LaneBatch",
        count: int,
        parent: "ActiveLanes | None" = None,
        parent_indices: Array | None = None,
    ) -> None:
        self.batch = batch
        self.registers: list[LaneValues] = batch.program.constants.copy()
        self.count = count
        self.parent = parent
        self.parent_indices = parent_indices
        self.mask: Array | None = None
        self.suspended = False
        self.variables: dict[Var, LaneValues] = {}
        self.modified: set[Var] = set()
        self.unshared: set[Var] = set()
        self._positions: Array | None = None

    # ------------------------------------------------------------ lanes

    def subset(self, indices: Array | None, needed: Iterable[int]) -> "ActiveLanes":
        """Return the lanes with these indices, and the registers that their code needs.

        None selects all lanes.
        """
        mine = self.registers
        if indices is None:
            some = ActiveLanes(self.batch, self.count, self)
            for number in needed:
                some.registers[number] = mine[number]
            return some
        some = ActiveLanes(self.batch, len(indices), self, indices)
        for number in needed:
            some.registers[number] = selected(mine[number], indices)
        return some

    def remaining(self, needed: Iterable[int]) -> "ActiveLanes":
        """Return the subset of lanes that are active, and the registers that their code needs."""
        return self.subset(None if self.mask is None else np.flatnonzero(self.mask), needed)

    @property
    def whole(self) -> bool:
        """True if these are all lanes of the batch."""
        each: ActiveLanes | None = self
        while each is not None:
            if each.parent_indices is not None:
                return False
            each = each.parent
        return True

    @property
    def empty(self) -> bool:
        """True if no lane is active."""
        return not self.count if self.mask is None else not self.mask.any()

    def indices(self) -> Array:
        """Return the indices of the active lanes."""
        return np.arange(self.count) if self.mask is None else np.flatnonzero(self.mask)

    def masked(self, condition: Array) -> Array:
        """Return a condition with the inactive lanes cleared."""
        return condition if self.mask is None else condition & self.mask

    def positions(self) -> Array:
        """Return the position of each lane in the batch."""
        if self._positions is None:
            if self.parent is None:
                self._positions = self.batch.numbers
            else:
                outer = self.parent.positions()
                self._positions = (
                    outer if self.parent_indices is None else outer[self.parent_indices]
                )
        return self._positions

    def enclosing(self) -> "Iterator[ActiveLanes]":
        """Yield these lanes, their parent, and so on to the whole batch."""
        found: ActiveLanes | None = self
        while found is not None:
            yield found
            found = found.parent

    def deactivate(self, until: "ActiveLanes | None", *, write_back: bool) -> Array | None:
        """Deactivate all active lanes, here and in every parent up to `until`.

        Args:
            until: The outermost lanes to deactivate them in; None for all parents.
            write_back: Write modified variables back to each parent up to `until`.

        Returns:
            The indices of the lanes in `until`.
        """
        leaving = self.indices()
        for active in self.enclosing():
            if write_back and active is not until:
                active.write_back(leaving)
            if active.mask is None:
                active.mask = np.ones(active.count, np.bool_)
            active.mask[leaving] = False
            if active is until:
                return leaving
            if active.parent_indices is not None:
                leaving = active.parent_indices[leaving]
        return None

    # ------------------------------------------------------------ values

    def result(self, register: int) -> LaneValues:
        """Return the result of an operation, selected from the parent if it was computed there.

        Only in a recorded program does each result have a separate register.
        """
        found = self.registers[register]
        if found is None:
            assert self.parent is not None
            found = self.parent.result(register)
            if self.parent_indices is not None:
                found = selected(found, self.parent_indices)
            self.registers[register] = found
        return flat(found)

    # ------------------------------------------------------------ variables

    def get(self, var: Var) -> LaneValues:
        """Return the values of a variable. The array is shared with the caller from now on."""
        found = self._read(var)
        self.unshared.discard(var)
        return found

    def _read(self, var: Var) -> LaneValues:
        found = self.variables.get(var)
        if found is None:
            if self.parent is None:
                found = dtype(var.type).type(0)
            else:
                found = self.parent.get(var)
                if self.parent_indices is not None and found.ndim:
                    found = found.take(self.parent_indices)
                    self.unshared.add(var)
            self.variables[var] = found
        return found

    def set(self, var: Var, value: LaneValues) -> None:
        """Set a variable in the active lanes, and keep its value in suspended lanes."""
        if self.suspended and self.mask is not None:
            value = np.where(self.mask, value, self.get(var))
            self.unshared.add(var)
        else:
            self.unshared.discard(var)
        self.variables[var] = value
        self.modified.add(var)

    def write_back(self, leaving: Array) -> None:
        """Write the modified variables of the lanes with these indices back to the parent."""
        parent = self.parent
        if parent is None:
            return
        places = leaving if self.parent_indices is None else self.parent_indices[leaving]
        for var in self.modified:
            parent.write(var, places, self.variables[var], leaving)
        self.unshared.clear()  # the parent may refer to the same arrays

    def write(self, var: Var, indices: Array, values: LaneValues, which: Array) -> None:
        """Set a variable in the lanes `indices` to the elements `which` of `values`."""
        self.modified.add(var)
        if len(indices) == self.count:  # all of them, in order
            self.variables[var] = selected(values, which)
            self.unshared.discard(var)
            return
        array = self._read(var)
        if var not in self.unshared or not array.ndim:
            array = np.array(np.broadcast_to(array, (self.count,)))
            self.variables[var] = array
            self.unshared.add(var)
        array[indices] = selected(values, which)

    def reconverge(self) -> None:
        """Write the modified variables of all active lanes back to the parent."""
        parent = self.parent
        assert parent is not None
        if self.mask is None and self.parent_indices is None:
            for var in self.modified:
                parent.set(var, self.variables[var])
            return
        self.write_back(self.indices())


def selected(lanes: LaneValues, indices: Array) -> LaneValues:
    """Return the elements of lanes with these indices, which ascend; a scalar is unchanged."""
    if lanes is None or not lanes.ndim:
        return lanes
    array = flat(lanes)
    return array if len(indices) == len(array) else array.take(indices)
