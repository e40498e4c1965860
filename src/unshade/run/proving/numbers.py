"""Seeded numbers: edge values of each type among ordinary ones.

The first rounds take ordinary numbers alone: between 0 and 1, then between -2 and 2. One in four
numbers of the later rounds is an edge value.
"""

from typing import Any

import numpy as np

from ...vm.launch import Array

FLOATS = (
    0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.0, 1e-3, 255.0, 1e10, -1e10, np.inf, -np.inf, np.nan,
)  # fmt: skip
WHOLE = (0, 1, 2, 3, 7, 8, 31, 32, 33, 255)
PLAIN = 2  # rounds without edge values
SHARE = 0.25  # of edge values in later rounds


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
