"""The choice of an engine: jit if it is installed, else lockstep.

An engine has a name and `run(kernel, launch) -> Report`.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import UnsupportedError, UsageError, not_installed
from ..ir.kernel import KernelIR
from ..vm.launch import Launch, Report
from ..vm.prepared import PreparedKernel

if TYPE_CHECKING:
    from ..vm.jit.repeated import RepeatedCall

NAMES = ("auto", "jit", "lockstep")


class Engine(Protocol):
    """An engine that runs kernels."""

    name: str

    def run(self, kernel: KernelIR, launch: Launch) -> Report: ...


def choose(name: str, fast: bool) -> Engine:
    """Return an engine by name; UnsupportedError if it is not installed."""
    if name not in NAMES:
        raise UsageError(f"unknown engine {name!r}; known: {', '.join(NAMES)}")
    if name != "lockstep":
        made = _jit(fast)
        if made is not None:
            return made if name == "jit" else Auto(made)
        if name == "jit":
            raise not_installed("the engine jit", "llvmlite", "jit")
    from ..vm.lockstep import Lockstep

    return Lockstep()


def stores(name: str, fast: bool) -> bool:
    """Return whether an engine keeps machine code on disk."""
    return name in ("auto", "jit") and _jit(fast) is not None


def compile_now(engine: Engine, kernel: KernelIR, flat: bool, small: bool) -> None:
    """Compile a kernel, if the engine compiles any; the arguments are as for `Jit.compile`."""
    compile: Callable[[KernelIR, bool, bool], object] | None = getattr(engine, "compile", None)
    if compile is not None:
        compile(kernel, flat, small)


def repeated(engine: Engine, kernel: KernelIR, budget: int) -> "RepeatedCall | None":
    """Return a kernel for repeated calls of few lanes; None if the engine has no such calls."""
    make: Callable[[KernelIR, int], RepeatedCall | None] | None = getattr(engine, "repeated", None)
    return None if make is None else make(kernel, budget)


def ready(engine: Engine, kernel: KernelIR, small: bool, budget: int) -> "RepeatedCall | None":
    """Return a kernel for repeated calls with ports; None if the engine has no such code yet."""
    make: Callable[[KernelIR, bool, int], RepeatedCall | None] | None = getattr(
        engine, "ready", None
    )
    return None if make is None else make(kernel, small, budget)


class Auto:
    """The jit engine, with lockstep for the kernels that the jit does not support."""

    def __init__(self, jit: Engine) -> None:
        self.name = jit.name
        self._jit = jit

    def run(self, kernel: KernelIR, launch: Launch) -> Report:
        """Run the kernel; the report's `engine` names the engine that was used."""
        try:
            return self._jit.run(kernel, launch)
        except UnsupportedError:  # before anything was run
            from ..vm.lockstep import Lockstep

            if isinstance(kernel, PreparedKernel):
                kernel.complete()
            return Lockstep().run(kernel, launch)

    def repeated(self, kernel: KernelIR, budget: int) -> "RepeatedCall | None":
        """Return a kernel for repeated calls; None if the jit does not support it."""
        with suppress(UnsupportedError):
            return repeated(self._jit, kernel, budget)
        return None

    def ready(self, kernel: KernelIR, small: bool, budget: int) -> "RepeatedCall | None":
        """Return a kernel for repeated calls with ports; None if there is no such code yet."""
        return ready(self._jit, kernel, small, budget)

    def compile(self, kernel: KernelIR, flat: bool, small: bool) -> None:
        """Compile the kernel, if the jit supports it."""
        with suppress(UnsupportedError):
            compile_now(self._jit, kernel, flat, small)


@cache
def _jit(fast: bool) -> Engine | None:
    """Return the jit engine shared by all kernels, since it keeps a thread pool."""
    if find_spec("llvmlite") is None or find_spec("unshade.vm.jit") is None:
        return None
    kind: Any = getattr(import_module("unshade.vm.jit"), "Jit", None)
    if kind is None:
        return None
    made: Engine = kind(fast=fast)
    return made
