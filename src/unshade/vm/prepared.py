"""Prepared kernels that are stored: their declarations without their code.

    first process     lowered, prepared, compiled       machine code, declarations  ──> cache
    later ones        declarations and machine code from the cache

With machine code, an engine needs a kernel's parameters and not its body.
The body is created on first use, for instance by lockstep.
"""

from collections.abc import Callable
from dataclasses import fields
from threading import Lock
from typing import Any

from ..dataclass import dataclass, replace
from ..ir.kernel import KernelIR, Region
from ..ir.ops import OPS

__all__ = ["KernelTraits", "PreparedKernel", "declarations", "traits_of"]

PLACES = ("wave_lane", "quad_lane")  # sources that show the order of lanes


@dataclass(frozen=True, slots=True)
class KernelTraits:
    """Facts of a kernel's body that callers need.

    `convergent`: lanes read values of each other. `independent`: lanes read neither values of each
    other nor their own position among the lanes.
    """

    convergent: bool
    independent: bool


class PreparedKernel(KernelIR):
    """A kernel that engines keep machine code for, under a name.

    `stored_as` is a name for the kernel that no other kernel has; `store` stores its declarations
    once there is machine code, and is None if they are stored.
    """

    __slots__ = ("_lock", "_make", "_traits", "store", "stored_as")

    stored_as: str
    store: Callable[[], None] | None
    _lock: Lock
    _make: Callable[[], KernelIR] | None
    _traits: KernelTraits | None

    @classmethod
    def of(
        cls,
        kernel: KernelIR,
        stored_as: str,
        make: Callable[[], KernelIR] | None = None,
        traits: KernelTraits | None = None,
    ) -> "PreparedKernel":
        """Return a kernel with a name.

        Args:
            kernel: The kernel, or its declarations.
            stored_as: The name.
            make: Returns the whole kernel, if `kernel` has only the declarations.
            traits: Its traits, if they are known.
        """
        made = cls.__new__(cls)
        for name in DECLARED:
            setattr(made, name, getattr(kernel, name))
        if make is None:
            made.body = kernel.body
        made.stored_as, made.store = stored_as, None
        made._lock, made._make, made._traits = Lock(), make, traits
        return made

    @property
    def traits(self) -> KernelTraits:
        """Facts of its body."""
        if self._traits is None:
            self._traits = _traits(self)
        return self._traits

    def __getattr__(self, name: str) -> Any:
        """Make the body: its slot is empty until it is used."""
        if name != "body":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.complete()
        body: Region = object.__getattribute__(self, "body")
        return body

    def complete(self) -> None:
        """Make the body, unless it is there; memories and ports are replaced by its own."""
        with self._lock:
            if self._make is not None:
                whole, self._make = self._make(), None
                for each in DECLARED:
                    setattr(self, each, getattr(whole, each))
                self.body = whole.body


DECLARED = tuple(each.name for each in fields(KernelIR) if each.name != "body")


def declarations(kernel: KernelIR) -> KernelIR:
    """Return a kernel without its code: its inputs and outputs."""
    memories = [
        replace(each, data=b"", gives=()) if each.data or each.gives else each
        for each in kernel.memories
    ]
    found = {name: getattr(kernel, name) for name in DECLARED}
    return KernelIR(**{**found, "memories": memories, "variables": []})


def traits_of(kernel: KernelIR) -> KernelTraits:
    """Return the facts of a kernel's body."""
    return kernel.traits if isinstance(kernel, PreparedKernel) else _traits(kernel)


def _traits(kernel: KernelIR) -> KernelTraits:
    convergent = any(value.op.convergent for value in kernel.values())
    placed = any(value.op is OPS.source and value.attr in PLACES for value in kernel.values())
    return KernelTraits(convergent, not (convergent or placed))
