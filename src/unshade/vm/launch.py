"""What an engine is given besides the kernel, and what it tells afterwards.

Arrays are NumPy arrays, one-dimensional and contiguous; engines read and write them in place. How
they come to be (reflection, formats, textures, signatures) is `run`'s business.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..errors import LimitError, UsageError
from ..ir.kernel import Kernel
from ..ir.memory import Memory, Port, Space
from ..ir.sources import LANES
from ..ir.textures import SamplerDeclaration, TextureDeclaration
from ..ir.types import Type

Array = npt.NDArray[Any]
T = TypeVar("T")
MOST = 1 << 31  # lanes of a call: their number is an i32
BUDGET = 1 << 24  # iterations, where nobody says how many

DTYPES: dict[str, np.dtype[Any]] = {
    "bool": np.dtype(np.bool_),
    "i8": np.dtype("<u1"),
    "i16": np.dtype("<u2"),
    "i32": np.dtype("<u4"),
    "i64": np.dtype("<u8"),
    "f16": np.dtype("<f2"),
    "f32": np.dtype("<f4"),
    "f64": np.dtype("<f8"),
}


def dtype(type: Type) -> np.dtype[Any]:
    """How values of a type are held: integers without sign."""
    return DTYPES[type.name]


def by_label(
    things: Iterable[Memory | Port | TextureDeclaration | SamplerDeclaration],
    given: Mapping[str, T],
) -> dict[Hashable, T]:
    """Return what was given by name under the keys that engines know; others stay as they are."""
    keys = {each.name: each.key for each in things}
    return {keys.get(name, name): value for name, value in given.items()}


@dataclass(slots=True)
class Launch:
    """One call of a kernel.

    memories   the bytes (uint8) of each memory that is bound, by its key
    groups     how many thread groups, of a compute kernel
    items      how many lanes, of any other: vertices, or pixels in quads
    inputs     a value an item for each port, by its key
    outputs    the same, to be written
    helpers    which items only help their quads; None for none
    budget     iterations that all loops of one lane may take together
    """

    memories: Mapping[Any, Array] = field(default_factory=dict)
    groups: tuple[int, int, int] = (1, 1, 1)
    items: int = 0
    inputs: Mapping[Any, Array] = field(default_factory=dict)
    outputs: Mapping[Any, Array] = field(default_factory=dict)
    helpers: Array | None = None
    budget: int = BUDGET

    def check(self, kernel: Kernel) -> None:
        """UsageError where an array is missing or of another kind than the kernel asks for."""
        if any(n * size >= LANES for n, size in zip(self.groups, kernel.group, strict=True)):
            raise UsageError(f"{self.groups} groups: less than {LANES} lanes along an axis")
        for memory in kernel.memories:
            if memory.space not in (Space.CONSTANT, Space.BUFFER):
                continue
            given = self.memories.get(memory.key)
            if given is None:
                raise UsageError(f"{memory.name} is not bound")
            if given.dtype != np.uint8 or given.ndim != 1 or not given.flags.c_contiguous:
                raise UsageError(f"{memory.name} is bound to something else than plain bytes")
            if memory.writable and not given.flags.writeable:
                raise UsageError(f"{memory.name} is bound to an array that cannot be written")
        ports = [(port, self.inputs) for port in kernel.inputs]
        ports += [(port, self.outputs) for port in kernel.outputs]
        for port, arrays in ports:
            given = arrays.get(port.key)
            if given is None or given.dtype != dtype(port.type) or given.shape != (self.items,):
                raise UsageError(f"{port.name}: {self.items} values of {port.type.name} expected")
            if arrays is self.outputs and not given.flags.writeable:
                raise UsageError(f"{port.name} is bound to an array that cannot be written")
        if self.helpers is not None and self.helpers.shape != (self.items,):
            raise UsageError(f"helpers: {self.items} values expected")
        self._check_size(kernel)

    def _check_size(self, kernel: Kernel) -> None:
        """UsageError where lanes could not be numbered."""
        if not kernel.dispatched:
            if not 0 <= self.items < LANES:
                raise UsageError(f"{self.items} items: no call has {LANES} or more")
            return
        for axis, count, size in zip("xyz", self.groups, kernel.group, strict=True):
            if count < 0 or count * size >= LANES:
                told = f"{count} groups of {size} lanes along {axis}"
                raise UsageError(f"{told}: no call has {LANES} lanes or more along an axis")
        total = prod(self.groups) * prod(kernel.group)
        if total > MOST:
            raise LimitError("lanes", MOST, total)


@dataclass(slots=True)
class Report:
    """What happened. `lanes` were run; the rest counts accesses outside of memories, by name."""

    engine: str
    lanes: int = 0
    out_of_bounds: dict[str, int] = field(default_factory=dict)
    discarded: int = 0
