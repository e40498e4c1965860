"""Chains of dependent operations, and the width of chunks that hides their latency."""

import pytest

from tests.vm.engines import parsed
from unshade.ir.analysis.uniformity import uniformity
from unshade.vm.jit.chains import registers_worth_having
from unshade.vm.jit.tuning import width_of

LOOP = """
kernel main compute group 64 1 1
memory %u0 buffer 4 writable
var @n i32
var @x f32
%0 = source thread_id.x
%1 = utof:f32 %0
set @x, %1
loop {{
  %2 = get @n
  %3 = ule i32 64, %2
  if %3 {{
    break
  }}
  %4 = get @x
{body}
  set @x, {last}
  %99 = iadd %2, i32 1
  set @n, %99
}}
%100 = get @x
store %u0[%0, i32 0], %100
"""


def chained(steps: int) -> str:
    """Return a loop of steps that wait for each other."""
    lines = [f"  %{5 + n} = fmul %{4 + n}, %1" for n in range(steps)]
    return LOOP.format(body="\n".join(lines), last=f"%{4 + steps}")


def summed(steps: int) -> str:
    """Return a loop that adds a product of independent numbers."""
    lines = [f"  %{5 + n} = fmul %{4 + n if n else 1}, %1" for n in range(steps)]
    body = [*lines, f"  %{5 + steps} = fadd %4, %{4 + steps}"]
    return LOOP.format(body="\n".join(body), last=f"%{5 + steps}")


def worth(text: str) -> float:
    """Return how many registers for each value hide the latency of a kernel."""
    kernel = parsed(text)
    return registers_worth_having(kernel, uniformity(kernel))


def test_a_chain_waits_for_each_product() -> None:
    assert worth(chained(10)) == pytest.approx(10 * 4 / (10 * 0.5))


def test_a_sum_waits_for_one_addition() -> None:
    assert worth(summed(10)) == pytest.approx(4 / (10 * 0.5 + 0.4))


def test_what_no_iteration_reads_is_not_waited_for() -> None:
    text = summed(10).replace("%15 = fadd %4, %14", "%15 = fadd %1, %14")
    assert worth(text) == 0


def test_rare_regions_count_only_if_they_are_most_of_the_work() -> None:
    rare = "\n".join(
        ["  %50 = flt %4, f32 1.0", "  if %50 {"]
        + [f"    %{51 + n} = fdiv %{50 + n if n else 4}, %1" for n in range(13)]
        + ["    set @x, %63", "  }", "  %70 = get @x"]
    )
    steps = [f"  %{71 + n} = fmul %{70 + n}, %1" for n in range(8)]
    mostly_rare = LOOP.format(body=rare, last="%70")
    assert worth(mostly_rare) == pytest.approx((13 * 12 + 4) / (13 * 4 + 0.4), rel=0.05)
    many = [f"  %{79 + n} = fsqrt %1" for n in range(11)]
    mostly_usual = LOOP.format(body="\n".join([rare, *steps, *many]), last="%78")
    assert worth(mostly_usual) == pytest.approx(8 * 4 / (8 * 0.5 + 11 * 5 + 0.4), rel=0.05)


def test_short_kernels_without_loops_do_not_wait() -> None:
    head = "kernel main compute group 64 1 1\nmemory %u0 buffer 4 writable\n"
    head += "%0 = source thread_id.x\n%1 = utof:f32 %0\n"

    def straight(count: int) -> str:
        lines = [f"%{n + 2} = fmul %{n + 1}, %1" for n in range(count)]
        return "\n".join([head, *lines, f"store %u0[%0, i32 0], %{count + 1}", ""])

    assert worth(straight(100)) == 0
    assert worth(straight(600)) > 4


@pytest.mark.parametrize(("native", "wide"), [(512, 64), (256, 64), (128, 32)])
def test_chains_widen_chunks(native: int, wide: int) -> None:
    assert width_of(parsed(chained(10)), native) == wide
    assert width_of(parsed(summed(10)), native) <= wide


def test_chains_do_not_widen_chunks_whose_lanes_leave_apart() -> None:
    apart = chained(10).replace("%3 = ule i32 64, %2", "%3 = ule %0, %2")
    assert [width_of(parsed(apart), native) for native in (512, 256, 128)] == [32, 16, 8]
