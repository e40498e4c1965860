"""Programs as values: a kernel in the place of another kernel's child.

blur.shade((64, 64), src=picture)                    an array, its positions counted in texels
blur.shade((64, 64), src=(0, 0.5, 0, 0.5))           a colour
blur.shade((64, 64), src=noise)                      a kernel that binds nothing
blur.shade((64, 64), src=noise.bind(seed=4))         a kernel and its bindings
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Self

from ...errors import UsageError
from ...ir.lowered import Lowered
from .bindings import Binding

__all__ = ["Bindable", "Bindings", "BoundKernel", "joined"]

Bindings = Mapping[Any, Any] | None  # by name or slot


class Bindable:
    """A lowered program and what it wants bound."""

    bindings: list[Binding]

    @property
    def lowered(self) -> Lowered:
        """The lowered program."""
        raise NotImplementedError

    def bind(self, bound: Bindings = None, /, **bindings: Any) -> "BoundKernel":
        """Return this program with its bindings, to be bound as the child of another.

        Args:
            bound: bindings by name or by slot.
            bindings: more of them, by name. They are checked when the other program is called.
        """
        return BoundKernel(self, joined(bound, bindings))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # a program: calls do not change it


class BoundKernel:
    """A program with its bindings: see `Bindable.bind`."""

    def __init__(self, kernel: Bindable, values: Mapping[Any, Any]) -> None:
        self.kernel = kernel
        self.values = values

    def __repr__(self) -> str:
        return f"<BoundKernel: {self.kernel!r}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> "BoundKernel":
        return BoundKernel(self.kernel, deepcopy(self.values, memo))


def joined(bound: Bindings, bindings: Mapping[str, Any]) -> dict[Any, Any]:
    """Return all bindings of a call; UsageError where one is given twice."""
    twice = [name for name in bindings if name in (bound or ())]
    if twice:
        raise UsageError(f"{twice[0]} is given twice")
    return {**(bound or {}), **bindings}
