"""Programs as values: a kernel in the place of another kernel's child.

blur.shade((64, 64), src=picture)                    an array, its positions counted in texels
blur.shade((64, 64), src=(0, 0.5, 0, 0.5))           a colour
blur.shade((64, 64), src=noise)                      a kernel that binds nothing
blur.shade((64, 64), src=noise.bind(seed=4))         a kernel and its bindings
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Protocol

from ...errors import UsageError
from ...ir.lowered import Lowered
from .bindings import Binding

__all__ = ["Bindable", "Bindings", "BoundKernel", "bound_kernel", "joined"]

Bindings = Mapping[Any, Any] | None  # by name or slot


class Bindable(Protocol):
    """A kernel, as far as its host needs it: a lowered program and its bindings."""

    bindings: list[Binding]

    @property
    def lowered(self) -> Lowered: ...


class BoundKernel:
    """A program with its bindings: see `Kernel.bind`."""

    def __init__(self, kernel: Bindable, values: Mapping[Any, Any]) -> None:
        self.kernel = kernel
        self.values = values

    def __repr__(self) -> str:
        return f"<BoundKernel: {self.kernel!r}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> "BoundKernel":
        return BoundKernel(self.kernel, deepcopy(self.values, memo))


def bound_kernel(value: Any) -> BoundKernel | None:
    """Return a kernel that is bound as a child, with its bindings; None for another value."""
    if isinstance(value, BoundKernel):
        return value
    bind = getattr(type(value), "bind", None)  # `Kernel` is above this package
    made = bind(value) if callable(bind) else None
    return made if isinstance(made, BoundKernel) else None


def joined(bound: Bindings, bindings: Mapping[str, Any]) -> dict[Any, Any]:
    """Return all bindings of a call; UsageError if a name is given twice."""
    twice = [name for name in bindings if name in (bound or ())]
    if twice:
        raise UsageError(f"{twice[0]} is given twice")
    return {**(bound or {}), **bindings}
