"""Helpers that run a kernel, given as text, in the interpreter and in both engines."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.oracle.interpret import interpret
from tests.oracle.parsing import parse_kernel
from unshade.ir.kernel import KernelIR
from unshade.ir.library import maths
from unshade.ir.transforms import flush
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.types import Widths
from unshade.vm.jit import Jit
from unshade.vm.launch import Launch, by_label, dtype
from unshade.vm.lockstep import Lockstep

# memories, outputs, accesses that were not valid
Left = tuple[dict[str, bytes], dict[str, list[int]], dict[str, int]]
JITS = (Jit(threads=1, width=8, quick=True), Jit(threads=1, width=64, quick=False))
ENGINES: tuple[Any, ...] = (Lockstep(), *JITS)


def parsed(text: str) -> KernelIR:
    """Return a kernel prepared for an engine. It is not verified: engines must cope with any."""
    kernel = parse_kernel(text)
    maths.expand(kernel)
    flush.expand(kernel)
    canonicalise(kernel)
    return kernel


def run(
    engine: Any,
    kernel: KernelIR,
    memories: Mapping[str, bytes],
    groups: tuple[int, int, int] = (1, 1, 1),
    items: int = 0,
    helpers: Sequence[bool] = (),
    budget: int = 1 << 16,
) -> Left:
    """Return the results of an engine."""
    arrays = {name: np.frombuffer(data, np.uint8).copy() for name, data in memories.items()}
    outputs = {port.name: np.zeros(items, dtype(port.type)) for port in kernel.outputs}
    helping = np.array(helpers, np.bool_) if helpers else None
    launch = Launch(arrays, groups, items, {}, by_label(kernel.outputs, outputs), helping, budget)
    report = engine.run(kernel, launch)
    found = {
        name: [int(each) for each in array.view(f"<u{array.dtype.itemsize}")]
        for name, array in outputs.items()
    }
    data = {name: array.tobytes() for name, array in arrays.items()}
    return data, found, report.out_of_bounds


def same(text: str, memories: Mapping[str, bytes], **options: Any) -> dict[str, bytes]:
    """Return the memories after a run, and assert that the interpreter and all engines agree."""
    held = {name: bytearray(data) for name, data in memories.items()}
    reference = interpret(parsed(text), held, **options)
    expected = {name: bytes(data) for name, data in held.items()}
    for engine in ENGINES:
        found = run(engine, parsed(text), memories, **options)
        message = f"{engine.name} {getattr(engine, 'width', '')}"
        assert found == (expected, reference.outputs, reference.outside), message
    return expected


def words(*numbers: int) -> bytes:
    """Return 32-bit words as bytes."""
    return b"".join((each & 0xFFFF_FFFF).to_bytes(4, "little") for each in numbers)


def flush_text(widths: Widths) -> str:
    """Return the flushed widths as in the first line of a kernel's text."""
    return f" flush {' '.join(map(str, widths))}" if widths else ""
