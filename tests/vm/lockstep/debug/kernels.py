"""Kernels whose lines are the numbers that a test gives the builder, under a debugger."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.kernels import kernel_of
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.ir.memory import Space
from unshade.run.debugging.debugger import Debugger
from unshade.run.kernels import Kernel
from unshade.vm.lockstep import Lockstep
from unshade.vm.lockstep.debug import Coverage


def made(write: Callable[[Builder], None], group: int = 4) -> Kernel:
    """A kernel of our own; its lines are the numbers that `write` gives the builder."""
    builder = Builder(Code("main", group=(group, 1, 1)))
    builder.memory("u0", Space.BUFFER, 4, writable=True).raw = True
    builder.memory("g0", Space.SHARED, 4, group).raw = True
    write(builder)
    resources = {
        "u0": LoweredResource("u0", Form.RAW, 4, True),
        "g0": LoweredResource("g0", Form.SHARED, 4, True),
    }
    lines = [f"line {number}" for number in range(1, 20)]
    return kernel_of(Lowered(builder.kernel, [*resources.values()], lines), None, Lockstep())


def looked_at(write: Callable[[Builder], None], groups: int = 1) -> Debugger:
    debugger = made(write).debug(0, coverage=Coverage())
    debugger.dispatch(groups, u0=np.zeros(16, np.uint32))
    return debugger


def findings_of(debugger: Debugger) -> list[tuple[str, int, tuple[int, ...], int]]:
    return [
        (each.kind, each.line, each.thread, each.finding.other_line) for each in debugger.findings
    ]


def turning(times: int) -> Callable[[Builder], None]:
    """A loop of lines 1 to 4 that goes round so often."""

    def write(b: Builder) -> None:
        count = b.var("r0.x")
        b.line = 1
        b.set(count, b.i32(0))
        b.line = 2
        with b.loop():
            b.line = 3
            b.set(count, b.iadd(b.get(count), 1))
            b.line = 4
            condition = b.ieq(b.get(count), times)
            with b.when(condition, branch=True):
                b.line = 5
                b.break_()
        b.line = 7
        b.return_()

    return write
