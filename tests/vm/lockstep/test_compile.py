"""Programs: registers, results that stay what they were, places that are computed once."""

from typing import Any

import numpy as np
import pytest

from tests.ir.generate import generate
from tests.vm.compare import interpreted, kernel_of
from tests.vm.compare import run as outcome
from tests.vm.engines import parsed, words
from unshade.ir.kernel import KernelIR, Value
from unshade.vm.launch import Launch, Report
from unshade.vm.lockstep import Lockstep
from unshade.vm.lockstep.batch import LaneBatch, batches
from unshade.vm.lockstep.compile import compile_kernel
from unshade.vm.lockstep.lanes import ActiveLanes, LaneValues

HEAD = """
kernel main compute group 4 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
var @v i32
var @n i32
%0 = source thread_id.x
"""


def run(body: str, *, same_array: bool = False) -> list[int]:
    """Return the words of u0 after a call of four lanes; t0 has 10, 20, 30, 40."""
    kernel = parsed(HEAD + body)
    given = np.frombuffer(words(10, 20, 30, 40), np.uint8).copy()
    written = given if same_array else np.zeros(16, np.uint8)
    Lockstep().run(kernel, Launch({"t0": given, "u0": written}))
    return [int(each) for each in written.view("<u4")]


# ---------------------------------------------------------------- registers


def test_registers_are_used_again() -> None:
    lines = [f"%{at} = imul %{at - 1}, %{at - 1}" for at in range(1, 500)]
    body = "\n".join([*lines, "store %u0[%0, i32 0], %499"])
    kernel = parsed(HEAD + body)
    assert compile_kernel(kernel).most_values == 2
    assert compile_kernel(kernel, recorded=True).most_values > 500


def test_a_recorded_program_has_a_register_for_each_result() -> None:
    kernel = parsed(HEAD + "%1 = iadd %0, i32 1\n%2 = iadd %1, i32 1\nstore %u0[%0, i32 0], %2")
    found = compile_kernel(kernel, recorded=True).registers
    results = [value for value in kernel.values() if value.type.kind != "v"]
    assert len({found[value] for value in results}) == len(results) == 3


def test_batches_are_smaller_if_many_values_are_in_use() -> None:
    few = parsed(HEAD + "store %u0[%0, i32 0], %0")
    lines = [f"%{at} = imul %0, i32 {at}" for at in range(1, 200)]
    lines += [f"store %u0[%0, i32 0], %{at}" for at in range(1, 200)]
    many = parsed(HEAD + "\n".join(lines))
    launch = Launch({"t0": np.zeros(16, np.uint8), "u0": np.zeros(16, np.uint8)}, (1 << 16, 1, 1))
    sizes = [next(batches(k, compile_kernel(k), launch, None)).count for k in (few, many)]
    assert sizes == [62 << 10, 1 << 14]


# ---------------------------------------------------------------- results stay what they were


@pytest.mark.parametrize("use", ["", "%8 = asfloat %1\n%9 = asint %8\n"])
@pytest.mark.parametrize("same_array", [False, True])
def test_a_loaded_value_survives_a_store(use: str, same_array: bool) -> None:
    result = "%9" if use else "%1"
    body = f"""
%1 = load:i32 %u0[%0, i32 0]
%2 = load:i32 %t0[%0, i32 0]
{use}store %u0[%0, i32 0], i32 5
%3 = iadd {result}, %2
store %u0[%0, i32 0], %3
"""
    assert run(body, same_array=same_array) == [
        each * (1 + same_array) for each in (10, 20, 30, 40)
    ]


def test_a_loaded_value_survives_a_store_in_a_branch() -> None:
    body = """
%1 = load:i32 %t0[%0, i32 0]
%2 = ult %0, i32 9
if %2 {
  store %u0[%0, i32 0], i32 5
}
store %u0[%0, i32 0], %1
"""
    assert run(body, same_array=True) == [10, 20, 30, 40]


def test_a_variable_survives_operations_on_its_value() -> None:
    body = """
%1 = load:i32 %t0[%0, i32 0]
%2 = iadd %1, %1
set @v, %2
%3 = iadd %2, i32 1
%4 = get @v
%5 = imul %3, %4
%6 = get @v
%7 = isub %5, %6
store %u0[%0, i32 0], %7
"""
    assert run(body) == [each * (each + 1) - each for each in (20, 40, 60, 80)]


def test_results_that_use_the_same_array_do_not_change_others() -> None:
    body = """
%1 = load:i32 %t0[%0, i32 0]
%2 = iadd %1, %1
%3 = iadd %1, i32 1
%4 = ult %0, i32 2
if %4 {
  %5 = iadd %2, %3
  %6 = imul %5, %5
  set @v, %6
} else {
  %7 = isub %2, %3
  %8 = iadd %7, %7
  %9 = xor %8, %7
  set @v, %9
}
%10 = get @v
%11 = iadd %10, %2
store %u0[%0, i32 0], %11
"""
    expected = [(3 * each + 1) ** 2 + 2 * each for each in (10, 20)]
    expected += [(2 * (each - 1) ^ each - 1) + 2 * each for each in (30, 40)]
    assert run(body) == expected


def test_a_switch_over_thread_ids() -> None:
    body = """
%1 = imul %0, i32 3
switch %1 {
  case 0 9 {
    set @v, i32 7
  }
  case 3 {
    set @v, i32 8
  }
  case default {
    set @v, %1
  }
}
%2 = get @v
store %u0[%0, i32 0], %2
"""
    assert run(body) == [7, 8, 6, 7]


# ---------------------------------------------------------------- places


LOOP = """
loop {{
  %1 = get @n
  %2 = ule i32 4, %1
  if %2 {{
    break
  }}
{body}
  %9 = iadd %1, i32 1
  set @n, %9
}}
%10 = get @v
store %u0[%0, i32 0], %10
"""


def test_places_that_a_loop_computes_are_computed_in_each_iteration() -> None:
    body = """
  %3 = iadd %0, %1
  %4 = and %3, i32 3
  %5 = ult %1, i32 9
  if %5 {
    %6 = load:i32 %t0[%4, i32 0]
    %7 = get @v
    %8 = imul %7, i32 3
    %11 = iadd %8, %6
    set @v, %11
  }
"""
    expected = []
    for lane in range(4):
        total = 0
        for at in range(4):
            total = total * 3 + (10, 20, 30, 40)[(lane + at) % 4]
        expected.append(total)
    assert run(LOOP.format(body=body)) == expected


def test_places_are_kept_through_a_loop_that_lanes_leave() -> None:
    body = """
  %3 = ult %0, %1
  if %3 {
    break
  }
  %4 = load:i32 %t0[%0, i32 0]
  %5 = get @v
  %6 = iadd %5, %4
  set @v, %6
"""
    assert run(LOOP.format(body=body)) == [10, 40, 90, 160]


# ---------------------------------------------------------------- recording


class Reader(Lockstep):
    """An engine whose watcher reads all operands and compares what results it is given."""

    def begin(self, batch: LaneBatch) -> None: ...

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        for each in value.args:
            assert np.shape(batch.operand(each, active)) in ((), (active.count,))
        assert (result is None) == (value.type.kind == "v")
        if result is not None:
            assert np.array_equal(batch.operand(value, active), result, equal_nan=False) or (
                value.type.kind == "f"
            )

    def run(self, kernel: KernelIR, launch: Launch, watcher: Any = None) -> Report:
        return super().run(kernel, launch, self)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(40))
def test_a_recorded_program_gives_the_same_results(seed: int) -> None:
    program = generate(seed)
    reference = interpreted(program.kernel, program)
    for simplified in (False, True):
        for engine in (Lockstep(), Reader()):
            kernel, program = kernel_of(seed, simplified=simplified)
            found = outcome(engine, kernel, program)
            reference.discarded = found.discarded
            reference.outside = found.outside if simplified else reference.outside
            assert found.difference(reference) == ""
