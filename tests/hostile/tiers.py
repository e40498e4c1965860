"""Kernels whose machine code is made in another way; all must have the same results.

optimised(kernel)         optimised from the start, not made quickly
continued(kernel)         begun by code made quickly, continued by optimised code
stored(shader, options)   read from the cache, into which a first call has put it
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from typing import Any

import unshade
from tests.fixtures.storing import storing
from tests.kernels import kernel_of
from unshade import Shader
from unshade.ir.kernel import KernelIR
from unshade.run.kernels import Kernel
from unshade.run.runner import Runner
from unshade.vm.jit import Jit
from unshade.vm.jit.engine import CompiledKernel
from unshade.vm.jit.tiers import WorkMeter


class ShortMeter(WorkMeter):
    """A meter by which optimised code is worth its time after the first units."""

    def next(self, left: int) -> int:
        return 0 if self.units else min(left, self.aligned)


class Switching(Jit):
    """A jit whose calls are begun by code made quickly, and continued by optimised code."""

    def compile(
        self, kernel: KernelIR, flat: bool, small: bool, quick: bool = False
    ) -> CompiledKernel:
        found = super().compile(kernel, flat, small, quick)
        meter = found.meter
        if meter is not None and not isinstance(meter, ShortMeter):
            found.meter = ShortMeter(
                **{each.name: getattr(meter, each.name) for each in fields(meter)}
            )
        return found


@cache
def _optimising() -> Jit:
    return Jit(quick=False)


@cache
def _switching() -> Jit:
    return Switching()


def optimised(kernel: Runner) -> Kernel:
    """Return the kernel with code that is optimised from the start."""
    return like(kernel, _optimising())


def continued(kernel: Runner) -> Kernel:
    """Return the kernel with code that is changed during a call."""
    return like(kernel, _switching())


def like(kernel: Runner, engine: Any) -> Kernel:
    """Return the kernel with another engine; both share what is prepared for them."""
    made = kernel_of(kernel.lowered, kernel.reflection, engine)
    made.execution.prepared = kernel.execution.prepared
    return made


@contextmanager
def stored(
    shader: Shader, options: dict[str, Any], call: Callable[[Runner], object]
) -> Iterator[Runner]:
    """Yield a kernel that has its code from the cache, into which a first call has put it."""
    before = os.environ.get("UNSHADE_CACHE")
    with tempfile.TemporaryDirectory() as folder, storing():
        os.environ["UNSHADE_CACHE"] = folder
        try:
            call(unshade.kernel(shader, engine="jit", **options))
            yield unshade.kernel(shader, engine="jit", **options)
        finally:
            if before is None:
                del os.environ["UNSHADE_CACHE"]
            else:
                os.environ["UNSHADE_CACHE"] = before
