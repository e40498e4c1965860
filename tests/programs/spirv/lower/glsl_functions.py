"""Functions of GLSL.std.450 over arrays, run by every engine, compared bit for bit.

function(GlslStd450.Ldexp, halves, exponents)     one lane for each element
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.ir.running import run
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR, Value
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Space
from unshade.ir.types import FLOATS, INTEGERS, KEEP, Type

__all__ = ["apply"]

Array = npt.NDArray[Any]
GROUP = 64


def type_of(array: Array) -> Type:
    return (FLOATS if array.dtype.kind == "f" else INTEGERS)[8 * array.dtype.itemsize]


def apply(
    made: Callable[[Builder, Sequence[Value]], Sequence[Value]],
    given: Sequence[Array],
    results: Sequence[str],
) -> list[Array]:
    """Return the results, of these dtypes, for each element of the arrays."""
    count = len(given[0])
    groups = -(-count // GROUP)
    b = Builder(KernelIR("main", group=(GROUP, 1, 1), flush=KEEP))
    i = b.source("thread_id.x")
    memories, values = {}, []
    for at, array in enumerate(given):
        memory = b.memory(f"x{at}", Space.BUFFER, array.dtype.itemsize)
        values.append(b.load(memory, i, 0, type_of(array)))
        padded = np.resize(array, groups * GROUP)
        memories[f"x{at}"] = padded.view(np.uint32)
    for at, (value, dtype) in enumerate(zip(made(b, values), results, strict=True)):
        size = np.dtype(dtype).itemsize
        b.store(b.memory(f"y{at}", Space.BUFFER, size, writable=True), i, 0, value)
        memories[f"y{at}"] = np.zeros(groups * GROUP * size // 4, np.uint32)
    outcome = run(Lowered(b.kernel), memories=memories, groups=(groups, 1, 1))
    return [outcome.memories[f"y{at}"].view(dtype)[:count] for at, dtype in enumerate(results)]
