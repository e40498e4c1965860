"""Kernels of programs that tests lower or build themselves."""

from __future__ import annotations

from unshade.ir.lowered import Lowered
from unshade.model import Reflection
from unshade.run.engines import Engine
from unshade.run.execution import Execution
from unshade.run.kernels import Kernel
from unshade.run.program import RunProgram


def kernel_of(lowered: Lowered, reflection: Reflection | None, engine: Engine) -> Kernel:
    """Return a kernel of a lowered program."""
    return Kernel(Execution(RunProgram(lowered, reflection), engine))
