"""Test vectors: the inputs and expected outputs of a call, one test each.

[{"name": "zero", "groups": [1], "bind": {"a": 0.0, "X": [1, 2], "Y": [3, 4]},
  "expect": {"Y": [3, 4]}, "ulp": 0}]
"""

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..dataclass import dataclass, field
from ..errors import UnshadeError, UsageError
from ..files import read
from .ulp import approx_ulp

if TYPE_CHECKING:
    import pytest

    from ..run.kernels import Kernel

FIELDS = ("name", "groups", "size", "inputs", "bind", "expect", "ulp", "absolute")


@dataclass(slots=True)
class Vector:
    """One call and its results.

    expect arrays by the names of results bind arrays and numbers by name groups of a compute shader
    inputs by semantic, of any other size (width, height) that a pixel shader is run over; without
    it over rows of inputs ulp, absolute allowed distance: floats between, or difference
    """

    expect: Mapping[str, Any]
    bind: Mapping[str, Any] = field(default_factory=dict)
    groups: int | Sequence[int] = 1
    inputs: Mapping[str, Any] | None = None
    ulp: float = 4
    absolute: float = 0.0
    name: str = ""
    size: Sequence[int] | None = None

    def run(self, kernel: "Kernel") -> Any:
        """Run the call and return its results."""
        import numpy as np

        from ..run.any_stage import over

        if self.inputs is None and self.size is None:
            groups = self.groups if isinstance(self.groups, int) else tuple(self.groups)
            return kernel.dispatch(groups, **self.bind)
        inputs = {}
        for name, value in (self.inputs or {}).items():
            row = kernel.input(name)
            inputs[name] = np.asarray(value, row.dtype if row is not None else "<f4")
        if self.size is not None:
            return kernel.shade(tuple(self.size), inputs, **self.bind)
        return over(kernel, inputs, self.bind)

    def check(self, kernel: "Kernel") -> None:
        """Run the call and assert the expected results."""
        __tracebackhide__ = True
        try:
            results = self.run(kernel)
        except UnshadeError as error:
            raise error.with_traceback(None) from None
        for name, expected in self.expect.items():
            wanted = approx_ulp(expected, self.ulp, self.absolute)
            if not wanted == results[name]:  # noqa: SIM201  the array must not be asked first
                lines = "\n  ".join(wanted.lines)
                raise AssertionError(f"{name}: {lines}")


def vectors(
    source: "str | os.PathLike[str] | Sequence[Vector | Mapping[str, Any]]",
) -> "pytest.MarkDecorator":
    """Parametrise a test with `vector`: from a list, or a JSON file with one."""
    import pytest

    found = [_vector(each, number) for number, each in enumerate(_listed(source))]
    return pytest.mark.parametrize("vector", found, ids=[each.name for each in found])


def _listed(source: Any) -> Sequence[Any]:
    if not isinstance(source, str | os.PathLike):
        return list(source)
    try:
        listed = json.loads(read(source))
    except ValueError as error:
        raise UsageError(f"{source}: {error}") from None
    if not isinstance(listed, list):
        raise UsageError(f"{source}: expected a list of vectors")
    return listed


def _vector(given: Any, number: int) -> Vector:
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in FIELDS]
        if unknown or "expect" not in given:
            problem = f"unknown {', '.join(unknown)}" if unknown else "`expect` is missing"
            raise UsageError(f"vector {number}: {problem}; known: {', '.join(FIELDS)}")
        given = Vector(**given)
    if not isinstance(given, Vector):
        raise UsageError(f"vector {number}: expected a Vector or a dict, got {given!r:.40}")
    given.name = given.name or f"vector{number}"
    return given
