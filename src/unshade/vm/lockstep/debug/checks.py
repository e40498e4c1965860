"""Accesses outside of memories, the first NaN and infinity, and variables that nobody wrote.

A NaN counts where arithmetic gives it to a register, a memory or an output: what happens inside of
an instruction is its own affair. One that was loaded and moved counts nowhere.
"""

from typing import Any

import numpy as np

from ....ir.kernel import Value
from ....ir.locations import SymbolName
from ....ir.memory import Var
from ....ir.ops import OPS
from ...launch import Array
from ..engine import Block
from ..lanes import Lanes, Party
from .findings import Finding, Findings
from .watching import Places, accessed_size, acting, is_access, living, spread


class Checks:
    """Collects findings; `registers` are the variables that stand for such, all if None."""

    def __init__(
        self, registers: frozenset[Var] | None = None, places: Places | None = None
    ) -> None:
        self.registers = registers
        self.places = places or Places()
        self.findings = Findings()
        self._outside: dict[Any, int] = {}
        self._written: dict[Var, Array] = {}

    def block(self, block: Block) -> None:
        """A block begins: nothing is written."""
        self._outside = {memory: store.outside for memory, store in block.stores.items()}
        self._written = {}

    def step(self, block: Block, party: Party, value: Value, result: Lanes) -> None:
        """One operation of the party."""
        op = value.op
        if op is OPS.set:
            self._set(block, party, value)
        elif op is OPS.get:
            self._get(block, party, value)
        elif is_access(value):
            self._access(block, party, value)
        if op in (OPS.set, OPS.output, OPS.store):
            self._numbers(block, party, value, value.args[-1], value.attr.label)
        elif value.label is not None and value.label.name is not None:
            self._numbers(block, party, value, value, value.label.name)

    # ------------------------------------------------------------ variables

    def _set(self, block: Block, party: Party, value: Value) -> None:
        var = value.attr
        written = self._written.get(var)
        if written is None:
            written = self._written[var] = np.zeros(block.count, np.bool_)
        places = party.positions()
        written[places if party.alive is None else places[party.alive]] = True

    def _get(self, block: Block, party: Party, value: Value) -> None:
        var: Var = value.attr
        if self.registers is not None and var not in self.registers:
            return
        places = party.positions()[living(party)]
        written = self._written.get(var)
        missing = places if written is None else places[~written[places]]
        if len(missing):
            message = f"{var.name} is read, and was never written"
            lane = block.first + int(missing[0])
            self.findings.add(
                Finding(
                    "uninitialised", value.line, lane, var.label, message,
                    count=len(missing), location=value.location,
                )
            )  # fmt: skip

    # ------------------------------------------------------------ accesses

    def _access(self, block: Block, party: Party, value: Value) -> None:
        store = block.stores[value.attr]
        before = self._outside.get(value.attr, 0)
        if store.outside == before:
            return
        self._outside[value.attr] = store.outside
        which = acting(block, party, value)
        element = spread(block.operand(value.args[0], party), party)
        byte = spread(block.operand(value.args[1], party), party)
        size = accessed_size(value)
        _, valid = store._place(element, byte, size, party.positions())
        bad = which[~spread(valid, party)[which]]
        if not len(bad):  # an atomic that is not aligned
            bad = which
        first = int(bad[0])
        places = self.places
        place = places.name(value.attr, int(element[first]), int(byte[first]))
        memory = places.memory(value.attr)
        message = f"{place} is outside: {memory} has {places.size(value.attr, store.count)}"
        lane = block.first + int(party.positions()[first])
        self.findings.add(
            Finding(
                "out-of-bounds", value.line, lane, value.attr.label, message,
                count=store.outside - before, location=value.location,
            )
        )  # fmt: skip

    # ------------------------------------------------------------ numbers

    def _numbers(
        self, block: Block, party: Party, value: Value, made: Value, target: SymbolName
    ) -> None:
        """What arithmetic gives to something outside of an instruction."""
        if not value.line:
            return
        if made.op is OPS.asint:
            made = made.args[0]
        while made.op is OPS.fcanonicalise:
            made = made.args[0]
        if made.type.kind != "f" or not (made.op.arithmetic or made.op.library):
            return
        numbers = spread(block.operand(made, party), party)
        bad = ~np.isfinite(numbers)
        if not bad.any():
            return
        for kind, is_one in (("nan", np.isnan), ("infinity", np.isinf)):
            which = living(party)
            which = which[is_one(numbers[which])]
            if len(which) and not self.findings.known(kind):
                lane = block.first + int(party.positions()[which[0]])
                also = ", ".join(value.label.gives) if value.label is not None else ""
                given = f"{target} ({also})" if also else target
                message = f"{given} becomes {numbers[which[0]]}"
                self.findings.add(
                    Finding(
                        kind, value.line, lane, target, message,
                        count=len(which), location=value.location,
                    )
                )  # fmt: skip
