"""Seeded numbers for a round of arguments: ordinary ones, edge values, constants of the code.

    round 0, 1      ordinary numbers alone: between 0 and 1, then between -2 and 2
    round 2, 6 …    one in four is an edge value
    round 3, 7 …    half are constants of the code, their neighbours and negatives
    round 4, 8 …    small whole numbers, many of them equal
    round 5, 9 …    numbers of all sizes

A comparison with a constant, an equality and a saturation each need numbers that seldom occur among
others, in all arguments at once: so that each round has numbers of one kind.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...dataclass import dataclass, field
from ...ir.kernel import KernelIR
from ...ir.ops import OPS
from ...vm.launch import Array

FLOATS = (
    0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.0, 1e-3, 255.0, 1e10, -1e10, np.inf, -np.inf, np.nan,
)  # fmt: skip
WHOLE = (0, 1, 2, 3, 7, 8, 31, 32, 33, 255)
PLAIN = 2  # rounds without edge values
SHARE = 0.25  # of edge values in later rounds
KINDS = 4  # of later rounds
EDGES, CONSTANTS, WHOLES, SIZES = range(KINDS)
SENSIBLE = (2.0**-40, 2.0**40)  # sizes of floats that a constant of 32 bits may be


@dataclass(slots=True)
class CodeConstants:
    """The constants of some code: as floats, and as whole numbers."""

    floats: Array = field(default_factory=lambda: np.zeros(0))
    wholes: Array = field(default_factory=lambda: np.zeros(0, np.int64))


def constants_of(*kernels: KernelIR) -> CodeConstants:
    """Return the constants of kernels, of which registers without a type may be either."""
    floats, wholes = set(), set()
    for value in (each for kernel in kernels for each in kernel.values()):
        for each in value.args:
            if each.op is not OPS.const or each.type.kind not in "if" or each.type.size != 4:
                continue
            bits = np.array([each.attr], "<u4")
            number = float(bits.view("<f4")[0])
            if each.type.kind == "f" or SENSIBLE[0] < abs(number) < SENSIBLE[1]:
                floats.add(number)
            if each.type.kind == "i":
                wholes.add(int(bits.view("<i4")[0]))
    return CodeConstants(_sorted(floats, np.float64), _sorted(wholes, np.int64))


def _sorted(numbers: Iterable[float], dtype: Any) -> Array:
    return np.array(sorted(each for each in numbers if each == each), dtype)  # noqa: PLR0124


@dataclass(slots=True)
class NumberSource:
    """The numbers of one round of arguments.

    Attributes:
        chance: The generator.
        round: The number of the round, from 0.
        constants: The constants of the code.
    """

    chance: np.random.Generator
    round: int
    constants: CodeConstants = field(default_factory=CodeConstants)

    @property
    def is_whole(self) -> bool:
        """True if untyped memory contains whole numbers: in each kind of round every other time."""
        turn = max(self.round - PLAIN, 0) // KINDS
        return (self.round + turn) % 2 == 1

    def numbers(self, dtype: Any, shape: tuple[int, ...]) -> Array:
        """Return numbers of a type, `bool` included."""
        dtype = np.dtype(dtype)
        kind = (self.round - PLAIN) % KINDS
        if self.round < PLAIN or dtype.kind == "b" or kind == EDGES:
            return seeded(self.chance, self.round, dtype, shape)
        if kind == WHOLES:
            low = 0 if dtype.kind == "u" else -3
            return self.chance.integers(low, 17, shape).astype(dtype)
        if kind == SIZES:
            return self._of_all_sizes(dtype, shape)
        return self._constants(dtype, shape)

    def _of_all_sizes(self, dtype: "np.dtype[Any]", shape: tuple[int, ...]) -> Array:
        if dtype.kind == "f":
            size = 10.0 ** self.chance.uniform(-4, 4, shape)
            return (self.chance.normal(0, 1, shape) * size).astype(dtype)
        bits = 8 * dtype.itemsize
        whole = self.chance.integers(0, (1 << bits) - 1, shape, np.uint64, endpoint=True)
        whole >>= self.chance.integers(0, bits, shape).astype(np.uint64)
        return whole.astype(dtype)

    def _constants(self, dtype: "np.dtype[Any]", shape: tuple[int, ...]) -> Array:
        plain = seeded(self.chance, 1, dtype, shape)
        known = self.constants.floats if dtype.kind == "f" else self.constants.wholes
        if not len(known):
            return plain
        found = self.chance.choice(known, shape)
        with np.errstate(all="ignore"):
            if dtype.kind == "f":
                found = found.astype(dtype)
                found = found * self.chance.choice([1, 1, 1, -1], shape).astype(dtype)
                ends = self.chance.choice(np.array([-np.inf, np.inf], dtype), shape)
                found = np.where(
                    self.chance.random(shape) < SHARE, np.nextafter(found, ends), found
                )
            else:
                found = (found + self.chance.choice([0, 0, 1, -1], shape)).astype(dtype)
        return np.where(self.chance.random(shape) < 0.5, found, plain).astype(dtype)


def edge_values(dtype: Any) -> Array:
    """Return the edge values of a type of numbers, the simple ones first."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return np.array([False, True])
    if kind.kind != "f":
        least = np.iinfo(kind)
        whole = (each for each in WHOLE if each <= least.max)
        return np.array([*whole, least.max, least.max - 1, least.min], kind)
    limits = np.finfo(kind)
    found = np.array(
        [*FLOATS, limits.max, limits.min, limits.tiny, limits.smallest_subnormal], np.float64
    )
    with np.errstate(over="ignore"):
        return found.astype(kind)


def seeded(
    chance: np.random.Generator, round: int, dtype: np.dtype, shape: tuple[int, ...]
) -> Array:
    """Return numbers of a type, `bool` included."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return chance.integers(0, 2, shape).astype(kind)
    if kind.kind == "f":
        low = 0.0 if round == 0 else -2.0
        found = chance.uniform(low, 1.0 if round == 0 else 2.0, shape).astype(kind)
    else:
        found = chance.integers(0 if kind.kind == "u" else -8, 9, shape).astype(kind)
    if round >= PLAIN:
        chosen = chance.random(shape) < SHARE
        found = np.where(chosen, chance.choice(edge_values(kind), shape), found)
    return found.astype(kind)
