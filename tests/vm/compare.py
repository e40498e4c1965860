"""Comparison of the interpreter and both engines on a generated program."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.ir.generate import Program, generate
from tests.oracle.interpret import interpret
from unshade.ir.kernel import KernelIR
from unshade.ir.library.maths import expand
from unshade.ir.simplify import simplify
from unshade.ir.transforms import flush
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.types import Widths
from unshade.vm.jit import Jit
from unshade.vm.launch import Launch, dtype
from unshade.vm.lockstep import Lockstep


@dataclass(slots=True)
class Outcome:
    """The memories, outputs and counts after a run."""

    memories: dict[str, bytes]
    outputs: dict[str, list[int]] = field(default_factory=dict)
    outside: dict[str, int] = field(default_factory=dict)
    discarded: int = 0

    def difference(self, other: "Outcome") -> str:
        """Describe the first difference; "" if there is none."""
        for name, data in self.memories.items():
            if data != other.memories[name]:
                at = next(i for i, pair in enumerate(zip(data, other.memories[name], strict=True))
                          if pair[0] != pair[1])  # fmt: skip
                mine, theirs = data[at & ~7 :][:8].hex(), other.memories[name][at & ~7 :][:8].hex()
                return f"{name} at byte {at}: {mine} against {theirs}"
        for name, values in self.outputs.items():
            for at, (one, two) in enumerate(zip(values, other.outputs[name], strict=True)):
                if one != two:
                    return f"{name}, item {at}: {one:x} against {two:x}"
        if self.outside != other.outside:
            return f"outside: {self.outside} against {other.outside}"
        if self.discarded != other.discarded:
            return f"discarded: {self.discarded} against {other.discarded}"
        return ""


def kernel_of(
    seed: int,
    *,
    simplified: bool = False,
    library: bool = False,
    widths: Widths | None = None,
    make: Callable[..., Program] = generate,
) -> tuple[KernelIR, Program]:
    """Return a generated kernel, prepared for an engine."""
    program = make(seed, library=library, widths=widths)
    kernel = program.kernel
    if library:
        expand(kernel)
    if simplified:
        simplify(kernel)
    flush.expand(kernel)
    canonicalise(kernel)
    return kernel, program


def interpreted(kernel: KernelIR, program: Program) -> Outcome:
    """Return the outcome of the interpreter, which is the reference."""
    memories = program.memories()
    found = interpret(
        kernel, memories, groups=program.groups, items=program.items,
        inputs=program.inputs, helpers=program.helpers,
    )  # fmt: skip
    data = {name: bytes(data) for name, data in memories.items()}
    return Outcome(data, found.outputs, found.outside, found.discarded)


def run(engine: Any, kernel: KernelIR, program: Program) -> Outcome:
    """Return the outcome of an engine."""
    memories = {name: np.frombuffer(data, np.uint8).copy() for name, data in program.data.items()}
    inputs, outputs = {}, {}
    for port in kernel.inputs:
        given = np.array(program.inputs[port.name], np.uint64)
        inputs[port.name] = _held(given, dtype(port.type))
    for port in kernel.outputs:
        outputs[port.name] = np.zeros(program.items, dtype(port.type))
    helpers = np.array(program.helpers, np.bool_) if program.helpers else None
    launch = Launch(memories, program.groups, program.items, inputs, outputs, helpers, 1 << 16)
    report = engine.run(kernel, launch)
    return Outcome(
        {name: data.tobytes() for name, data in memories.items()},
        {name: _bits(array) for name, array in outputs.items()},
        report.out_of_bounds,
        report.discarded,
    )


def _held(values: Any, kind: np.dtype[Any]) -> Any:
    if kind == np.bool_:
        return values != 0
    return values.astype(f"<u{kind.itemsize}").view(kind)


def _bits(array: Any) -> list[int]:
    if array.dtype == np.bool_:
        return [int(each) for each in array]
    return [int(each) for each in array.view(f"<u{array.dtype.itemsize}")]


WIDTHS = (8, 16, 32, 64)


def compared(
    seed: int, widths: Widths | None = None, make: Callable[..., Program] = generate
) -> str:
    """Describe how the engines differ from the interpreter on a generated kernel; "" if they agree.

    Kernels with odd seeds are simplified first, every fifth calls functions of the library; the
    width of the jit's chunks and whether its code is optimised depend on the seed, too. `make`
    generates the kernel.
    """
    library = seed % 5 == 4
    program = make(seed, library=library, widths=widths)
    if library:
        expand(program.kernel)
    reference = interpreted(program.kernel, program)
    width = WIDTHS[seed // 2 % len(WIDTHS)]
    quick = seed // 8 % 2 == 0
    for engine in (Lockstep(), Jit(threads=1, width=width, quick=quick)):
        kernel, program = kernel_of(
            seed, simplified=bool(seed % 2), library=library, widths=widths, make=make
        )
        found = run(engine, kernel, program)
        if engine.name == "lockstep":
            reference.discarded = found.discarded  # the interpreter also counts helpers
            if seed % 2:  # unused accesses are removed
                reference.outside = found.outside
        difference = found.difference(reference)
        if difference:
            return f"{engine.name} {width}{' quick' * quick}: {difference}"
    return ""
