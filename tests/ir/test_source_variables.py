"""Variables of the source in a kernel: names, and limits."""

import pytest

from unshade.ir import source_variables
from unshade.ir.builder import Builder, constant
from unshade.ir.kernel import KernelIR
from unshade.ir.locations import local_name
from unshade.ir.ops import OPS
from unshade.ir.source_variables import SourceVariables
from unshade.ir.types import F32, I32


def test_a_second_variable_of_a_name_has_its_line() -> None:
    kernel = KernelIR()
    variables = SourceVariables(Builder(kernel))
    one = constant(1, I32)
    for variable, line in ((1, 4), (2, 9), (1, 4)):
        variables.set(variable, line, local_name("f", "r", ".x"), one)
    assert [each.name for each in kernel.variables] == ["f::r.x", "f::r@9.x"]
    assert [str(each.gives) for each in kernel.variables] == ["f::r.x", "f::r.x"]
    assert [str(each.label.steps) for each in kernel.variables] == [
        "('f::r', '.x')", "('f::r@9', '.x')",
    ]  # fmt: skip


def test_a_scalar_keeps_its_type() -> None:
    kernel = KernelIR()
    variables = SourceVariables(Builder(kernel))
    for type in (I32, F32, I32):
        variables.set("r", 1, local_name("", "r"), constant(0, type))
    assert [each.op for each in kernel.values()] == [OPS.set, OPS.set]


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_variables, "MOST", 2)
    monkeypatch.setattr(source_variables, "MOST_SETS", 3)
    kernel = KernelIR()
    variables = SourceVariables(Builder(kernel))
    for number in range(6):
        variables.set(number % 3, 1, local_name("f", f"v{number % 3}"), constant(0, I32))
    assert [each.name for each in kernel.variables] == ["f::v0", "f::v1"]
    assert len(list(kernel.values())) == 3
