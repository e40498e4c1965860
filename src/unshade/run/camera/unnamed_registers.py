"""Matrices in registers without names: found by their influence on the position.

    cb0[4]  x      four consecutive registers, each with an influence on one component of the
    cb0[5]  y      position: a matrix, and the last that the position is multiplied by
    cb0[6]  z
    cb0[7]  w
    c5 … c8 xyzw   consecutive registers with an influence on all components: an earlier matrix, or
                   one that is multiplied row by row
    c9      xy     other registers: numbers

Each register is changed in turn while all others keep arbitrary values. Registers of stripped
constant buffers, and uniforms without a symbol in the file, have no names.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...dataclass import dataclass, field
from ...ir.lowered import Form
from ...vm.launch import Array
from ..binding.uniforms import missing
from ..runner import Runner

MOST = 512  # registers
FINAL = (1, 2, 4, 8)  # the influence of four registers: a component each, as bits
LEAST = 1e-6  # of a change that counts, relative


@dataclass(slots=True)
class UnnamedRegisters:
    """Registers without names: (binding, number) for a stripped buffer, ("", number) for a name.

    `names` are the variables of registers that are bound one at a time, by number.
    """

    places: list[tuple[str, int]]
    sizes: dict[str, int]
    names: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, kernel: Runner, given: Mapping[str, Any]) -> "UnnamedRegisters":
        """Return the registers without names of a kernel that have no value."""
        found = cls([], {})
        for binding in kernel.bindings:
            if binding.form is not Form.CONSTANTS or any(each in given for each in binding.called):
                continue
            if binding.members is None:
                count = min(max(binding.resource.size, 16) // 16, MOST)
                found.sizes[binding.name] = count
                found.places += [(binding.name, number) for number in range(count)]
                continue
            for each in missing(binding.members, given):
                number = each.name.removeprefix(binding.name)
                if binding.members.register is not None and number.isdecimal():
                    found.places.append(("", int(number)))
                    found.names[int(number)] = each.name
        del found.places[MOST:]
        return found

    def values(self, numbers: Array) -> dict[str, Any]:
        """Return the values of bindings and variables for rows of four numbers."""
        made: dict[str, Any] = {
            name: np.zeros((count, 4), np.float32) for name, count in self.sizes.items()
        }
        for (binding, number), row in zip(self.places, numbers, strict=True):
            if binding:
                made[binding][number] = row
            else:
                made[self.names[number]] = np.asarray(row, np.float32)
        return made

    def words(self, group: Sequence[int]) -> str:
        """Return the names of the registers of a group: `cb0[4] to cb0[7]`, `c0 to c3`."""
        ends = []
        for at in (group[0], group[-1]):
            binding, number = self.places[at]
            ends.append(f"{binding}[{number}]" if binding else self.names[number])
        return " to ".join(dict.fromkeys(ends))


@dataclass(slots=True)
class RegisterUse:
    """Groups of registers that hold matrices, the last first, and other registers; by index."""

    matrices: list[list[int]]
    others: list[int]


def use_of(registers: UnnamedRegisters, positions: Callable[[Array], Array | None]) -> RegisterUse:
    """Return how registers are used, given the positions of vertices for their values."""
    count = len(registers.places)
    random = np.random.default_rng(1)
    base = random.uniform(0.25, 1.0, (count, 4))
    before = positions(base)
    if before is None:
        return RegisterUse([], [])
    influence = np.zeros(count, np.int64)

    def measure(first: int, last: int) -> None:
        changed = base.copy()
        changed[first:last] += random.uniform(0.25, 1.0, (last - first, 4))
        after = positions(changed)
        if after is None:
            return
        with np.errstate(all="ignore"):
            moved = np.abs(after - before) > LEAST * np.maximum(np.abs(before), 1)
        bits = int(np.where(moved.any(axis=0), [1, 2, 4, 8], 0).sum())
        if not bits:
            return
        if last - first == 1:
            influence[first] = bits
            return
        middle = (first + last) // 2
        measure(first, middle)
        measure(middle, last)

    measure(0, count)
    return _grouped(registers, influence)


def _grouped(registers: UnnamedRegisters, influence: Array) -> RegisterUse:
    """Group registers into matrices by the components of the position that each influences."""
    found = RegisterUse([], [])
    before: list[list[int]] = []
    for run in _runs(registers, influence):
        at = 0
        while at < len(run):
            four = run[at : at + 4]
            if tuple(influence[four]) == FINAL:
                found.matrices.append(four)
            elif len(four) == 4 and (len(run) - at) % 3:
                before.append(four)
            elif len(run) - at >= 3:
                four = run[at : at + 3]
                before.append(four)
            else:
                four = run[at : at + 1]
                found.others += four
            at += len(four)
    found.matrices += before
    return found


def _runs(registers: UnnamedRegisters, influence: Array) -> Iterator[list[int]]:
    """Yield runs of registers in a row that have an influence; a final matrix is one by itself."""
    run: list[int] = []
    for at, (binding, number) in enumerate(registers.places):
        follows = bool(run) and registers.places[run[-1]] == (binding, number - 1)
        starts = tuple(influence[at : at + 4]) == FINAL
        ends = len(run) == 4 and tuple(influence[run]) == FINAL
        if run and (not follows or not influence[at] or starts or ends):
            yield run
            run = []
        if influence[at]:
            run.append(at)
    if run:
        yield run
