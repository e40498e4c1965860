"""Calls of the two kernels of a proof with the arguments of a round."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...vm.launch import Array
from ...vocab.words import DISPATCHED, Stage
from ..any_stage import over
from ..kernels import Kernel
from ..runner import Runner
from . import arguments
from .numbers import CodeConstants, NumberSource, constants_of

SIDE = 3  # components of a location in a patch
Drawn = tuple[dict[str, Array], dict[str, Any]]  # inputs and bindings of a kernel


@dataclass
class ProofPair:
    """Two kernels, their common interface, and the seed and lanes of their arguments."""

    kernels: tuple[Kernel, Kernel]
    shared: arguments.Common
    lanes: int
    seed: int

    @cached_property
    def constants(self) -> CodeConstants:
        """The constants of the code of both."""
        return constants_of(*(each.lowered.kernel for each in self.kernels))

    @property
    def groups(self) -> int:
        """The number of thread groups that contain the lanes; 1 for other stages."""
        kernel = self.kernels[0]
        return groups_of(kernel, self.lanes) if kernel.stage in DISPATCHED else 1

    def drawn(self, round: int) -> tuple[Drawn, Drawn]:
        """Return the inputs and bindings of both kernels in a round."""
        chance = np.random.default_rng((self.seed, round))
        source = NumberSource(chance, round, self.constants)
        rows = arguments.inputs_of(self.shared, source, self.lanes)
        bound = arguments.bindings_of(self.shared, source)
        return (rows[0], bound[0]), (rows[1], bound[1])


def called(kernel: Runner, given: Drawn, lanes: int) -> Mapping[str, Any]:
    """Call a kernel or a debugger of any stage."""
    rows, bound = given
    if kernel.stage in DISPATCHED:
        return kernel.dispatch((groups_of(kernel, lanes), 1, 1), **bound)
    if kernel.stage is Stage.DOMAIN:
        places = np.linspace(0, 1, lanes * SIDE, dtype=np.float32).reshape(lanes, SIDE)
        rows = {**rows, kernel.program.domain_label: places}
    return over(kernel, rows or lanes, bound)


def groups_of(kernel: Runner, lanes: int) -> int:
    """Return the number of thread groups that contain so many lanes."""
    x, y, z = kernel.group
    return max(1, -(-lanes // (x * y * z)))


def is_memory(result: Any) -> bool:
    """Return True for the bytes of a raw buffer, of whose words nothing is known."""
    array = np.asarray(result)
    return bool(array.dtype == np.uint8 and array.ndim == 1 and not array.size % 4)


def elements(result: Any) -> Array:
    """Return what a result has by lane or element: words of the bytes of a raw buffer."""
    array: Array = np.asarray(result)
    return np.ascontiguousarray(array).view("<u4") if is_memory(array) else array
