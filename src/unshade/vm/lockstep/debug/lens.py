"""A place after a line, in every lane: registers, values and variables, component by component.

    47  mul r0.xyz, r1.xyzx, r2.xxxx        r0.xyz after line 47, in the lanes that ran the line

Each write of a component is kept for its lanes; when a line's operations complete, the lanes that
performed them take the kept values. If the line is visited several times, the last visit counts, or
the visits in one iteration of the innermost loop.
"""

from collections.abc import Iterator

import numpy as np

from ....dataclass import dataclass
from ....ir.kernel import KernelIR, Loop, Value
from ....ir.locations import SymbolName, functions_around, in_scope
from ....ir.memory import Var
from ....ir.ops import OPS
from ...launch import Array
from ..batch import LaneBatch
from ..lanes import ActiveLanes, LaneValues
from .value_kinds import BY_TYPE, ValueKind, ValueKinds
from .watching import PlaceNames, broadcast

READS = (OPS.get, OPS.input)
WRITES = (OPS.set, OPS.output)


@dataclass(slots=True)
class BatchRecord:
    """The bits of each component, (components, lanes), and the lanes that have them."""

    first: int
    bits: Array
    there: Array


class PlaceRecorder:
    """A watcher that records a place after a line; `records` are the batches of a call."""

    def __init__(
        self,
        kernel: KernelIR,
        place: str,
        line: int,
        iteration: int | None,
        places: PlaceNames,
    ) -> None:
        self.kernel = kernel
        self.place = place
        self.line = line
        self.iteration = iteration
        self.places = places
        self.records: list[BatchRecord] = []
        self.components: list[SymbolName] = []
        self._by: dict[Value, list[int]] = {}
        self._kinds: dict[int, list[tuple[int, ValueKind]]] = {}
        self._sizes: dict[int, int] = {}
        self._held = np.zeros((0, 0), np.uint64)
        self._written = np.zeros((0, 0), np.bool_)
        functions: list[str] = []
        named: dict[Value, list[SymbolName]] = {}
        for value in kernel.values():
            names = [each for each in _names(value, places) if each.called(place)]
            if names:
                named[value] = names
            if value.line == line and not functions:
                functions = functions_around(value.location)
        active = in_scope((one for names in named.values() for one in names), place, functions)
        every = dict.fromkeys(active)
        found = {
            value: kept
            for value, names in named.items()
            if (kept := [each for each in names if each in every])
        }
        self.components = sorted(every, key=_order)
        numbers = {name: at for at, name in enumerate(self.components)}
        self._by = {value: [numbers[each] for each in names] for value, names in found.items()}
        self._infer(kernel)

    def of(self, kernel: KernelIR) -> "PlaceRecorder":
        """Return the recorder of the same place in another form of the kernel."""
        return PlaceRecorder(kernel, self.place, self.line, self.iteration, self.places)

    def _infer(self, kernel: KernelIR) -> None:
        """Infer the kinds of the components from all operations of the kernel."""
        kinds = ValueKinds()
        for value in kernel.values():
            if value.op in READS:
                word = BY_TYPE.get(value.type.kind, "")
                kind = kinds.values[value] = kinds.at(value.attr.label, word)
            elif value.op in WRITES:
                kind = kinds.places[value.attr.label] = kinds.of(value.args[0])
            else:
                kinds.step(value, 0)
                kind = kinds.named(value)
            held = value.args[0] if value.op in WRITES else value
            for at in self._by.get(value, ()):
                self._kinds.setdefault(at, []).append((value.line, kind))
                self._sizes[at] = max(self._sizes.get(at, 0), held.type.size or 4)

    def kind(self) -> str:
        """Return the kind of the numbers at the line: float, int, uint, bool; "" if unknown."""
        words = []
        for found in self._kinds.values():
            known = [(line, each.word) for line, each in found if each.word]
            before = [each for each in known if each[0] <= self.line]
            words += [word for _, word in (before or known)[-1:]]
        return max(words, key=words.count) if words else ""

    @property
    def size(self) -> int:
        """The number of bytes of a component."""
        return max(self._sizes.values(), default=4)

    def begin(self, batch: LaneBatch) -> None:
        """Begin the record of a batch."""
        shape = len(self.components), batch.count
        self._held = np.zeros(shape, np.uint64)
        self._written = np.zeros(shape, np.bool_)
        there = np.zeros(batch.count, np.bool_)
        self.records.append(BatchRecord(batch.first, np.zeros(shape, np.uint64), there))

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        """Keep the values that an operation writes, and take the kept values at the line."""
        components = self._by.get(value)
        at_line = value.line == self.line and self._is_turn(batch)
        if components is None and not at_line:
            return
        lanes = active.indices()
        places = active.positions()[lanes]
        if components is not None:
            given = batch.operand(value.args[0], active) if value.op in WRITES else result
            bits = _bits(broadcast(given, active)[lanes])
            for each in components:
                self._held[each, places] = bits
                self._written[each, places] = True
        if at_line:
            record = self.records[-1]
            record.bits[:, places] = self._held[:, places]
            record.there[places] = self._written[:, places].any(axis=0)

    def _is_turn(self, batch: LaneBatch) -> bool:
        """Return whether the innermost loop is in the iteration that is recorded."""
        if self.iteration is None:
            return True
        loops = [each for each in batch.constructs if isinstance(each.statement, Loop)]
        return bool(loops) and loops[-1].iteration == self.iteration


def _names(value: Value, places: PlaceNames) -> Iterator[SymbolName]:
    """Yield the names of the registers that an operation reads and writes, and of its result."""
    op = value.op
    if op in READS or op in WRITES:
        if value.attr.internal:
            return
        yield value.attr.label
        other = value.attr.gives if isinstance(value.attr, Var) else places.port(value.attr)[0]
        if other:
            yield other
        if op in WRITES and value.label is not None:
            yield from value.label.gives
    if value.label is not None and value.type.kind in "bif":
        yield from value.label.names


def _order(name: SymbolName) -> tuple[str, int]:
    """Return a key that sorts components as x, y, z, w."""
    *whole, last = name.steps
    letter = "xyzw".find(last[1:]) if len(last) == 2 else -1
    return "".join(whole) if letter >= 0 else str(name), letter


def _bits(values: Array) -> Array:
    if values.dtype == np.bool_:
        return values.astype(np.uint64)
    unsigned: Array = values.view(f"<u{values.dtype.itemsize}").astype(np.uint64)
    return unsigned
