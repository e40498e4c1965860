"""The arguments of an engine besides the kernel, and its report.

Arrays are one-dimensional, contiguous NumPy arrays; engines read and write them in place. `run`
builds them from bindings, formats, textures and signatures.
"""

from collections.abc import Hashable, Iterable, Mapping
from math import prod
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..dataclass import dataclass, field
from ..errors import LimitError, UsageError
from ..ir.kernel import KernelIR
from ..ir.memory import Memory, Port, Space
from ..ir.sources import LANES
from ..ir.textures import SamplerDeclaration, TextureDeclaration
from ..ir.types import Type
from ..tuples import NamedTuple

Array = npt.NDArray[Any]
T = TypeVar("T")
MOST = 1 << 31  # lanes of a call, whose number is an i32
BUDGET = 1 << 24  # iterations, by default

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
    """Return the NumPy type of the values of a type; integers are unsigned."""
    return DTYPES[type.name]


def by_label(
    things: Iterable[Memory | Port | TextureDeclaration | SamplerDeclaration],
    given: Mapping[str, T],
) -> dict[Hashable, T]:
    """Replace names by the keys that engines use; unknown names stay as they are."""
    keys = {each.name: each.key for each in things}
    return {keys.get(name, name): value for name, value in given.items()}


@dataclass(slots=True)
class Launch:
    """One call of a kernel.

    memories   the bytes (uint8) of each bound memory, by its key
    groups     number of thread groups, of a compute kernel
    items      number of lanes of any other kernel: vertices, or pixels in quads
    inputs     an array with a value for each item, by the port's key
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

    def check(self, kernel: KernelIR) -> None:
        """Raise UsageError for an array that is missing or does not match the kernel.

        Raises:
            UsageError: An array is missing, or has the wrong type, size or flags.
            LimitError: The call has more than `MOST` lanes.
        """
        if any(n * size >= LANES for n, size in zip(self.groups, kernel.group, strict=True)):
            raise UsageError(
                f"{self.groups} groups: expected fewer than {LANES} lanes along each axis"
            )
        for memory in kernel.memories:
            if memory.space not in (Space.CONSTANT, Space.BUFFER):
                continue
            given = self.memories.get(memory.key)
            if given is None:
                raise UsageError(f"{memory.name} is not bound")
            if given.dtype != np.uint8 or given.ndim != 1 or not given.flags.c_contiguous:
                raise UsageError(f"{memory.name}: expected a contiguous array of bytes")
            if memory.writable and not given.flags.writeable:
                raise UsageError(f"{memory.name} is bound to a read-only array")
        ports = [(port, self.inputs) for port in kernel.inputs]
        ports += [(port, self.outputs) for port in kernel.outputs]
        for port, arrays in ports:
            given = arrays.get(port.key)
            if given is None or given.dtype != dtype(port.type) or given.shape != (self.items,):
                raise UsageError(f"{port.name}: expected {self.items} values of {port.type.name}")
            if arrays is self.outputs and not given.flags.writeable:
                raise UsageError(f"{port.name} is bound to a read-only array")
        if self.helpers is not None and self.helpers.shape != (self.items,):
            raise UsageError(f"helpers: expected {self.items} values, got {self.helpers.size}")
        self._check_size(kernel)

    def _check_size(self, kernel: KernelIR) -> None:
        """Raise an error if the lanes cannot be numbered."""
        if not kernel.dispatched:
            if not 0 <= self.items < LANES:
                raise UsageError(f"expected fewer than {LANES} items, got {self.items}")
            return
        for axis, count, size in zip("xyz", self.groups, kernel.group, strict=True):
            if count < 0 or count * size >= LANES:
                raise UsageError(
                    f"expected fewer than {LANES} lanes along {axis}, got {count} groups of {size}"
                )
        total = prod(self.groups) * prod(kernel.group)
        if total > MOST:
            raise LimitError("lanes", MOST, total)


class PrintfLine(NamedTuple):
    """A line that a thread printed: its text, and the line of the listing."""

    thread: tuple[int, ...]
    text: str
    line: int


@dataclass(slots=True)
class Report:
    """The result of a call besides its arrays.

    `lanes` is the number of lanes that ran; `out_of_bounds` counts invalid accesses by memory name,
    and `undefined` integer results that Vulkan leaves undefined: quotients by 0, remainders of
    negative numbers, shifts by the width or more, conversions of floats that no integer is near.
    `printed` are lines that threads printed, in the order of lanes; `unprinted` says why others are
    missing. `unrepeatable` says why another number of threads may lead to other results.
    """

    engine: str
    lanes: int = 0
    out_of_bounds: dict[str, int] = field(default_factory=dict)
    discarded: int = 0
    undefined: int = 0
    printed: list[PrintfLine] = field(default_factory=list)
    unprinted: str = ""
    unrepeatable: str = ""
