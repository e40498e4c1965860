"""Passes over kernels of n and 4n constructs, with as many variables: the steps grow by 4."""

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest

from tests.oracle.parsing import parse_kernel
from unshade.ir.analysis.counters import counters
from unshade.ir.analysis.liveness import liveness
from unshade.ir.analysis.uniformity import (
    MOST_VISITS,
    VARYING,
    KnownFacts,
    UniformityWalker,
    uniformity,
)
from unshade.ir.kernel import KernelIR
from unshade.ir.ops import OPS
from unshade.ir.simplify.coalesce import coalesce
from unshade.ir.simplify.copies import merge_copies
from unshade.ir.simplify.dead_code import remove_dead_code
from unshade.ir.simplify.value_numbering import number_values
from unshade.ir.simplify.variables import split_variables
from unshade.vm.lockstep.compile import compile_kernel

FEW = 16
MOST = 4.9
PASSES: dict[str, Callable[[KernelIR], object]] = {
    "coalesce": coalesce,
    "compile_kernel": compile_kernel,
    "counters": counters,
    "liveness": liveness,
    "merge_copies": merge_copies,
    "number_values": number_values,
    "remove_dead_code": remove_dead_code,
    "split_variables": split_variables,
    "uniformity": uniformity,
}


# {i} is the number of a construct, {v} that of the first of ten values.
IFS = """%{v} = get @a{i}
%{v}1 = ult %{v}, i32 3
if %{v}1 {{
  %{v}2 = udiv %0, %{v}
  set @a{i}, %{v}2
}}"""
BREAKS = """%{v} = get @a{i}
%{v}1 = ult %{v}, i32 3
if %{v}1 {{
  break
}}
%{v}2 = iadd %{v}, i32 1
set @a{i}, %{v}2"""
LOOPS = """loop {{
  %{v} = get @a{i}
  %{v}1 = ult %{v}, %0
  if %{v}1 {{
    break
  }}
  %{v}2 = iadd %{v}, i32 1
  set @a{i}, %{v}2
}}"""
CASES = "case {i} {{\n%{v} = udiv %0, i32 {v}\nset @a{i}, %{v}\n}}"
SETS = "set @a{i}, %0"
KERNELS = {
    "ifs": ("{}", IFS),
    "breaks of a loop": ("loop {{\n{}\n}}", BREAKS),
    "loops": ("{}", LOOPS),
    "cases of a switch": ("switch %0 {{\n{}\n}}", CASES),
    "copies": ("{}", SETS),
}


def kernel(name: str, n: int) -> KernelIR:
    """Return a kernel with a variable for each of n constructs, all of which are read."""
    around, construct = KERNELS[name]
    lines = ["memory %u buffer 4 writable", *(f"var @a{i} i32" for i in range(n))]
    lines.append("%0 = source item")
    made = "\n".join(construct.format(i=i, v=1000 + i) for i in range(n))
    lines.append(around.replace("{{", "{").replace("}}", "}").replace("{}", made, 1))
    for i in range(n):
        lines += [f"%{10**6 + i} = get @a{i}", f"store %u[%0, i32 0], %{10**6 + i}"]
    return parse_kernel("\n".join([*lines, ""]))


def steps(function: Callable[[], object]) -> int:
    """Return the number of lines and calls that run, and elements of comprehensions."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("which", PASSES)
def test_steps(which: str, name: str) -> None:
    few, many = (steps(partial(PASSES[which], kernel(name, n))) for n in (FEW, 4 * FEW))
    assert few > FEW
    assert many <= MOST * few


def test_a_chain_of_variables_through_a_loop_is_cut() -> None:
    """Each visit takes a fact one variable further; what is undecided in the end varies."""
    n = 3 * MOST_VISITS
    moves = "\n".join(f"%{i + 10} = get @a{i + 1}\nset @a{i}, %{i + 10}" for i in range(n - 1))
    text = "\n".join(f"var @a{i} i32" for i in range(n))
    text += f"\n%0 = source item\nloop {{\n{moves}\nset @a{n - 1}, %0\n}}\n"
    made = parse_kernel(text)
    walker = UniformityWalker(made, {}, {}, KnownFacts(0), {})
    visits = 0
    region = walker.region

    def counted(*given: Any) -> Any:
        nonlocal visits
        visits += given[0] is made.body
        return region(*given)

    walker.region = counted  # type: ignore[assignment, method-assign]
    found = walker.walk()
    assert visits == MOST_VISITS + 1
    gets = [value for value in made.values() if value.op is OPS.get]
    assert len(gets) == n - 1
    assert all(found.of(value) == VARYING for value in gets)
