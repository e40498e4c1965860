"""Accesses out of bounds, the first NaN and infinity, and uninitialised variables.

A NaN or infinity is reported if arithmetic produces it and it reaches a register, a memory or an
output. Intermediate results inside an instruction, loads and moves, and pixels that are discarded
or only help others are not reported.
"""

from typing import Any

import numpy as np

from ....ir.kernel import KernelIR, Value
from ....ir.locations import SymbolName
from ....ir.memory import Var
from ....ir.ops import OPS
from ...launch import Array
from ..batch import LaneBatch
from ..lanes import ActiveLanes, LaneValues
from .findings import Finding, FindingLog
from .watching import (
    PlaceNames,
    accessed_size,
    accessing_lanes,
    broadcast,
    element_reads,
    is_access,
    kept_element,
)


class Checks:
    """A watcher that collects findings.

    `registers` are the variables to check for uninitialised reads; None for all.
    """

    def __init__(
        self, registers: frozenset[Var] | None = None, places: PlaceNames | None = None
    ) -> None:
        self.registers = registers
        self.places = places or PlaceNames()
        self.findings = FindingLog()
        self._outside: dict[Any, int] = {}
        self._written: dict[Var, Array] = {}
        self._kernel: KernelIR | None = None
        self._elements: dict[Value, Value | None] = {}

    def begin(self, batch: LaneBatch) -> None:
        """Mark all variables as unwritten."""
        if batch.kernel is not self._kernel:
            self._kernel, self._elements = batch.kernel, element_reads(batch.kernel)
        self._outside = {memory: store.out_of_bounds for memory, store in batch.stores.items()}
        self._written = {}

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        """Check one operation."""
        op = value.op
        if op is OPS.set:
            self._set(batch, active, value)
        elif op is OPS.get:
            self._get(batch, active, value)
        elif is_access(value):
            self._access(batch, active, value)
        if op in (OPS.set, OPS.output, OPS.store):
            if value.attr.internal:  # a step of a function of the library
                return
            self._numbers(batch, active, value, value.args[-1], value.attr.label)
        elif value.label is not None and value.label.name is not None:
            self._numbers(batch, active, value, value, value.label.name)

    # ------------------------------------------------------------ variables

    def _set(self, batch: LaneBatch, active: ActiveLanes, value: Value) -> None:
        var = value.attr
        written = self._written.get(var)
        if written is None:
            written = self._written[var] = np.zeros(batch.count, np.bool_)
        places = active.positions()
        if kept_element(value) is not None:  # written where it is the chosen element
            indices = active.indices()
            chosen = broadcast(batch.operand(value.args[0].args[0], active), active)
            written[places[indices[chosen[indices] != 0]]] = True
            return
        written[places if active.mask is None else places[active.mask]] = True

    def _get(self, batch: LaneBatch, active: ActiveLanes, value: Value) -> None:
        var: Var = value.attr
        if self.registers is not None and var not in self.registers:
            return
        indices = active.indices()
        if value in self._elements:
            condition = self._elements[value]
            if condition is None:
                return
            indices = indices[broadcast(batch.operand(condition, active), active)[indices] != 0]
        places = active.positions()[indices]
        written = self._written.get(var)
        missing = places if written is None else places[~written[places]]
        if len(missing):
            message = f"{var.name} is read but was never written"
            lane = batch.first + int(missing[0])
            self.findings.add(
                Finding(
                    "uninitialised", value.line, lane, var.label, message,
                    count=len(missing), location=value.location,
                )
            )  # fmt: skip

    # ------------------------------------------------------------ accesses

    def _access(self, batch: LaneBatch, active: ActiveLanes, value: Value) -> None:
        store = batch.stores[value.attr]
        before = self._outside.get(value.attr, 0)
        if store.out_of_bounds == before:
            return
        self._outside[value.attr] = store.out_of_bounds
        which = accessing_lanes(batch, active, value)
        element = broadcast(batch.operand(value.args[0], active), active)
        byte = broadcast(batch.operand(value.args[1], active), active)
        size = accessed_size(value)
        _, valid = store.locate(element, byte, size, active.positions())
        bad = which[~broadcast(valid, active)[which]]
        if not len(bad):  # a misaligned atomic
            bad = which
        first = int(bad[0])
        places = self.places
        place = places.name(value.attr, int(element[first]), int(byte[first]))
        memory = places.memory(value.attr)
        message = f"{place} is outside: {memory} has {places.size(value.attr, store.count)}"
        lane = batch.first + int(active.positions()[first])
        self.findings.add(
            Finding(
                "out-of-bounds", value.line, lane, value.attr.label, message,
                count=store.out_of_bounds - before, location=value.location,
            )
        )  # fmt: skip

    # ------------------------------------------------------------ numbers

    def _numbers(
        self, batch: LaneBatch, active: ActiveLanes, value: Value, made: Value, target: SymbolName
    ) -> None:
        """Report a NaN or infinity that arithmetic produces for use beyond its instruction."""
        if not value.line:
            return
        if made.op is OPS.asint:
            made = made.args[0]
        while made.op is OPS.fcanonicalise:
            made = made.args[0]
        computed = made.op.arithmetic or made.op.library
        if made.op is OPS.get:
            computed = made.attr.internal
        if made.type.kind != "f" or not computed:
            return
        numbers = broadcast(batch.operand(made, active), active)
        bad = ~np.isfinite(numbers)
        if not bad.any():
            return
        for kind, is_one in (("nan", np.isnan), ("infinity", np.isinf)):
            which = batch.lanes_with_effects(active)
            which = which[is_one(numbers[which])]
            if len(which) and not self.findings.known(kind):
                lane = batch.first + int(active.positions()[which[0]])
                also = ", ".join(value.label.gives) if value.label is not None else ""
                given = f"{target} ({also})" if also else target
                message = f"{given} becomes {numbers[which[0]]}"
                self.findings.add(
                    Finding(
                        kind, value.line, lane, target, message,
                        count=len(which), location=value.location,
                    )
                )  # fmt: skip
