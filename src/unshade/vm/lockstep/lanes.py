"""Which lanes do something together, and what each of them holds.

    block   0 1 2 3 4 5 6 7          all lanes that are run at once
    if      . 1 . 3 4 . . 7          a party of four: its arrays have four elements
    loop      1     4 . . 7          lanes that left are dead in it, and are left out of arrays
                                     (compaction) once they are many

A party computes on arrays of its own length, dead lanes included: what they get is never looked at.
When a party ends, the variables that it changed go to the party it came from, for the lanes that
are alive. Values of an outer party are selected when first used.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...ir.kernel import Value
from ...ir.memory import Var
from ..launch import Array, dtype

Lanes = Any  # an array as long as the party, or a scalar that its lanes share


class Party:
    """Lanes that run the same statements at the same time."""

    __slots__ = (
        "alive", "chosen", "count", "dirty", "kept", "outer", "owned", "place", "sleeping",
        "values",
    )  # fmt: skip

    def __init__(
        self, count: int, outer: "Party | None" = None, chosen: Array | None = None
    ) -> None:
        self.count = count
        self.outer = outer
        self.chosen = chosen  # positions in the outer party; None for all of it
        self.alive: Array | None = None  # None while all are
        self.sleeping = False  # some lanes are dead only until the construct ends
        self.values: dict[Value, Lanes] = {}
        self.kept: dict[Var, Lanes] = {}
        self.dirty: set[Var] = set()
        self.owned: set[Var] = set()  # arrays that nobody else has
        self.place: Array | None = None

    # ------------------------------------------------------------ lanes

    def part(self, chosen: Array | None) -> "Party":
        """A party of some of these lanes, by position; None for all."""
        return Party(self.count if chosen is None else len(chosen), self, chosen)

    def living(self) -> "Party":
        """A party of those that are alive."""
        return self.part(None if self.alive is None else np.flatnonzero(self.alive))

    @property
    def dead(self) -> bool:
        """Whether nobody is left."""
        return not self.count if self.alive is None else not self.alive.any()

    def where(self, condition: Array) -> Array:
        """The condition, for those alive."""
        return condition if self.alive is None else condition & self.alive

    def positions(self) -> Array:
        """The place of each lane in the block."""
        if self.place is None:
            if self.outer is None:
                self.place = np.arange(self.count)
            else:
                outer = self.outer.positions()
                self.place = outer if self.chosen is None else outer[self.chosen]
        return self.place

    def ancestry(self) -> "Iterator[Party]":
        """This party, the one it is part of, and so on."""
        found: Party | None = self
        while found is not None:
            yield found
            found = found.outer

    def leave(self, until: "Party | None", *, hand_over: bool) -> Array | None:
        """Those alive are dead from here up to and in the party `until` (None: everywhere).

        With `hand_over` what they hold goes up as far. Gives their positions in `until`.
        """
        leaving = np.arange(self.count) if self.alive is None else np.flatnonzero(self.alive)
        for party in self.ancestry():
            if hand_over and party is not until:
                party.hand_over(leaving)
            if party.alive is None:
                party.alive = np.ones(party.count, np.bool_)
            party.alive[leaving] = False
            if party is until:
                return leaving
            if party.chosen is not None:
                leaving = party.chosen[leaving]
        return None

    # ------------------------------------------------------------ values

    def value(self, value: Value) -> Lanes:
        """What an operation gave to these lanes."""
        found = self.values.get(value)
        if found is None:
            assert self.outer is not None
            found = self.outer.value(value)
            if self.chosen is not None and np.ndim(found):
                found = found[self.chosen]
            self.values[value] = found
        return found

    # ------------------------------------------------------------ variables

    def get(self, var: Var) -> Lanes:
        """What the lanes hold; from now on somebody else has the array, too."""
        found = self._held(var)
        self.owned.discard(var)
        return found

    def _held(self, var: Var) -> Lanes:
        found = self.kept.get(var)
        if found is None:
            if self.outer is None:
                found = dtype(var.type).type(0)
            else:
                found = self.outer.get(var)
                if self.chosen is not None and np.ndim(found):
                    found = found[self.chosen]
                    self.owned.add(var)
            self.kept[var] = found
        return found

    def set(self, var: Var, value: Lanes) -> None:
        """What the living lanes hold from now on."""
        if self.sleeping and self.alive is not None:
            value = np.where(self.alive, value, self.get(var))
            self.owned.add(var)
        else:
            self.owned.discard(var)
        self.kept[var] = value
        self.dirty.add(var)

    def hand_over(self, leaving: Array) -> None:
        """Give what some lanes hold to the outer party."""
        outer = self.outer
        if outer is None:
            return
        places = leaving if self.chosen is None else self.chosen[leaving]
        for var in self.dirty:
            outer.write(var, places, self.kept[var], leaving)

    def write(self, var: Var, places: Array, values: Lanes, which: Array) -> None:
        """Some lanes hold something else."""
        array = self._held(var)
        if var not in self.owned or not np.ndim(array):
            array = np.array(np.broadcast_to(array, (self.count,)))
            self.kept[var] = array
            self.owned.add(var)
        array[places] = values[which] if np.ndim(values) else values
        self.dirty.add(var)

    def end(self) -> None:
        """The outer party goes on with what those alive hold."""
        outer = self.outer
        assert outer is not None
        if self.alive is None and self.chosen is None:
            for var in self.dirty:
                outer.set(var, self.kept[var])
            return
        self.hand_over(np.arange(self.count) if self.alive is None else np.flatnonzero(self.alive))
