"""Divergence and reconvergence: groups and quads of any size, barriers anywhere, endless loops."""

from math import prod
from typing import Any

import numpy as np
import pytest

from tests.vm.engines import ENGINES, JITS, parsed, run, same, words
from unshade.errors import LimitError, UnsupportedError, UsageError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.ops import OPS
from unshade.run.engines import Auto
from unshade.vm.jit import Jit
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep

pytestmark = pytest.mark.heavy

TURN = """
memory %t0 buffer 4
memory %u0 buffer 4 writable
memory %g0 shared 4 count {size} writable
{variables}
%0 = source thread_id_in_group_flattened
%1 = source thread_id.x
%2 = load:i32 %t0[%1, i32 0]
store %g0[%0, i32 0], %2
{body}
"""
ROUND = """
barrier group
%{a} = iadd %0, i32 {step}
%{b} = urem %{a}, i32 {size}
%{c} = load:i32 %g0[%{b}, i32 0]
"""


def turned(group: int, body: str, variables: str = "") -> str:
    text = TURN.format(size=group, body=body, variables=variables)
    return f"kernel main compute group {group} 1 1\n" + text


@pytest.mark.parametrize("size", [1, 2, 7, 8, 31, 64, 65, 100, 256, 1024])
@pytest.mark.parametrize("groups", [0, 1, 3])
def test_groups_of_any_size(size: int, groups: int) -> None:
    body = ROUND.format(a=3, b=4, c=5, step=1, size=size) + "store %u0[%1, i32 0], %5"
    lanes = size * groups
    memories = {"t0": words(*range(5, lanes + 5)), "u0": bytes(4 * lanes)}
    same(turned(size, body), memories, groups=(groups, 1, 1))


@pytest.mark.parametrize("size", ["4 3 2", "8 2 1", "16 4 2", "1 5 7", "3 1 1"])
@pytest.mark.parametrize("groups", [(1, 1, 1), (3, 1, 1), (2, 3, 1), (2, 1, 3), (0, 4, 4)])
@pytest.mark.parametrize("shared", ["", "memory %g0 shared 4 count 1 writable"])
def test_thread_ids(size: str, groups: tuple[int, int, int], shared: str) -> None:
    several = ("thread_id", "thread_group_id", "thread_id_in_group", "group_count")
    names = [f"{word}.{axis}" for word in several for axis in "xyz"]
    names += ["thread_id_in_group_flattened", "item", "quad_lane", "helper"]
    lines = [f"%{at} = source {name}" for at, name in enumerate(names)]
    stores = [f"store %u0[%13, i32 {4 * at}], %{at}" for at in range(len(names))]
    text = f"kernel main compute group {size}\nmemory %u0 buffer 64 writable\n{shared}\n"
    x, y, z = map(int, size.split())
    count = x * y * z * groups[0] * groups[1] * groups[2]
    same(text + "\n".join(lines + stores), {"u0": bytes(64 * count)}, groups=groups)


@pytest.mark.parametrize("items", [0, 1, 3, 4, 5, 63, 64, 130])
def test_quads(items: int) -> None:
    text = """
kernel main pixel group 1 1 1
memory %u0 buffer 12 writable
memory %x0 local 4 count 1 writable
out %o0 i32
out %o1 f32
%0 = source item
%1 = quad_swap 1, %0
%2 = and %0, i32 5
%3 = ine %2, i32 4
%14 = source helper
store %u0[%0, i32 4], %14
%15 = source quad_lane
store %u0[%0, i32 8], %15
if %3 {
  %4 = quad_swap 2, %1
  store %u0[%0, i32 0], %4
  output %o0, %4
}
%5 = ieq %2, i32 1
discard %5
store %x0[i32 0, i32 0], i32 3
%6 = load:i32 %x0[i32 0, i32 0]
%7 = quad_swap 3, %6
%8 = utof:f32 %7
output %o1, %8
%9 = source helper
%10 = iadd %9, i32 7
output %o0, %10
"""
    helpers = [number % 7 == 2 for number in range(items)]
    same(text, {"u0": bytes(12 * items)}, items=items, helpers=helpers)
    same(text, {"u0": bytes(12 * items)}, items=items)


DEMOTED = """
kernel main pixel group 1 1 1
memory %u0 buffer 12 writable
out %o0 i32
%0 = source item
%1 = is_helper
%2 = select %1, i32 1, i32 0
%3 = and %0, i32 3
%4 = ieq %3, i32 2
if %4 {
  discard true
  END
}
%5 = is_helper
%6 = select %5, i32 1, i32 0
%7 = quad_swap 2, %6
output %o0, %7
"""


@pytest.mark.parametrize("end", ["", "return"])
def test_a_discarded_lane_continues_as_a_helper_unless_it_ends(end: str) -> None:
    """The lane above or below it sees that it is a helper, or that it has ended."""
    text = DEMOTED.replace("END", end).replace("discard true", "discard bool true")
    helpers = [False] * 4 + [True] + [False] * 3
    kernel = parsed(text)
    for engine in ENGINES:
        _, outputs, _ = run(engine, kernel, {"u0": bytes(96)}, items=8, helpers=helpers)
        went_on = int(not end)
        assert outputs["o0"] == [went_on, 0, 0, 0, 0, 0, 0, 0]
    same(text, {"u0": bytes(96)}, items=8, helpers=helpers)


def test_the_builder_terminates() -> None:
    b = Builder(KernelIR())
    b.terminate()
    assert [each.op for each in b.kernel.values()] == [OPS.discard, OPS.return_]


LOOP = """
loop {
  %3 = get @n
  %4 = ieq %3, i32 3
  if %4 {
    break
  }
  barrier group
  %5 = load:i32 %g0[%3, i32 0]
  barrier group
  %6 = iadd %5, %0
  store %g0[%0, i32 0], %6
  %7 = iadd %3, i32 1
  set @n, %7
  %8 = ieq %3, i32 1
  if %8 {
    barrier group
    continue
  }
  store %u0[%1, i32 0], %6
}
"""
SWITCH = """
%3 = source thread_group_id.x
%4 = urem %3, i32 4
switch %4 {
  case 0 {
    barrier group
    %5 = load:i32 %g0[i32 1, i32 0]
    store %u0[%1, i32 0], %5
  }
  case 1 2 {
    %6 = ieq %3, i32 2
    if %6 {
      break
    }
    barrier group
    store %u0[%1, i32 0], %0
  }
  case default {
    barrier group
    return
  }
}
%7 = load:i32 %u0[%1, i32 0]
%8 = iadd %7, i32 100
store %u0[%1, i32 0], %8
"""
RETURNS = """
%3 = ult %0, i32 {least}
if %3 {{
  return
}}
barrier group
loop {{
  %4 = get @n
  %5 = iadd %4, i32 1
  set @n, %5
  %6 = ult i32 2, %5
  if %6 {{
    break
  }}
  barrier group
  store %g0[%0, i32 0], %5
  barrier group
  %7 = ieq %0, i32 {last}
  if %7 {{
    return
  }}
}}
%8 = load:i32 %g0[i32 {least}, i32 0]
store %u0[%1, i32 0], %8
"""


@pytest.mark.parametrize("size", [4, 16, 70])
@pytest.mark.parametrize(
    "body",
    [
        LOOP,
        SWITCH,
        *(RETURNS.format(least=least, last=last) for least in (0, 1, 3, 70) for last in (0, 3, 69)),
    ],
)
def test_barriers_inside_constructs(body: str, size: int) -> None:
    lanes = 5 * size
    memories = {"t0": words(*range(3, lanes + 3)), "u0": bytes(4 * lanes)}
    same(turned(size, body, "var @n i32"), memories, groups=(5, 1, 1))


def test_the_jit_rejects_barriers_in_divergent_code() -> None:
    body = "%3 = ult %0, i32 5\nif %3 {\nbarrier group\nstore %u0[%1, i32 0], %0\n}"
    kernel = parsed(turned(16, body))
    memories = {"t0": bytes(64), "u0": bytes(64)}
    for engine in JITS:
        with pytest.raises(UnsupportedError, match="lockstep"):
            run(engine, kernel, memories)
    arrays = {name: np.frombuffer(data, np.uint8).copy() for name, data in memories.items()}
    assert Auto(JITS[0]).run(kernel, Launch(arrays)).engine == "lockstep"
    assert arrays["u0"].view("<u4").tolist() == [0, 1, 2, 3, 4, *[0] * 11]


@pytest.mark.parametrize(
    "body",
    [
        "loop {\n}",
        "loop {\ncontinue\n}",
        "loop {\nloop {\nbreak\n}\n}",
        "loop {\nbarrier group\n}",
        "loop {\n%3 = ieq %0, i32 3\nif %3 {\nbreak\n}\n}",
        "%3 = ieq %0, i32 3\nif %3 {\nloop {\n}\n}",
    ],
)
def test_endless_loops_end(body: str) -> None:
    memories = {"t0": bytes(64), "u0": bytes(64)}
    for engine in (*ENGINES, Jit(threads=2)):
        with pytest.raises(LimitError, match="budget") as raised:
            run(engine, parsed(turned(16, body)), memories, groups=(3, 1, 1), budget=1000)
        assert (raised.value.limit, raised.value.allowed) == ("budget", 1000)
        done = turned(
            16, body.replace("loop {", "loop {\nbreak", 1).replace("break\n}", "break\n}")
        )
        run(engine, parsed(done), memories)


COUNTED = """
kernel main compute group 64 1 1
memory %u0 buffer 4 writable
var @n i32
var @m i32
%0 = source thread_id.x
%1 = {limit}
loop {{
  %2 = get @n
  %3 = ule %1, %2
  if %3 {{
    break
  }}
  %4 = iadd %2, i32 1
  set @n, %4
  {inner}
}}
%20 = get @n
%21 = get @m
%22 = imul %21, i32 1000
%23 = iadd %20, %22
store %u0[%0, i32 0], %23
"""
INNER = """
  set @m, i32 0
  loop {
    %5 = get @m
    %6 = iadd %5, i32 1
    set @m, %6
    %7 = ule %2, %5
    if %7 {
      break
    }
  }
"""


@pytest.mark.parametrize("limit", ["iadd i32 5, i32 5", "urem %0, i32 11"])
@pytest.mark.parametrize(("inner", "needed"), [("", 11), (INNER, 11 + 55)])
def test_budgets_are_exact_to_the_iteration(limit: str, inner: str, needed: int) -> None:
    """The budget that lanes of one chunk need is the same in both engines.

    It is that of the lanes together: ten rounds and the last test, and 1 to 10 in the inner loop.
    """
    text = COUNTED.format(limit=limit, inner=inner)
    for engine in (Lockstep(), Jit(threads=1, width=64), Jit(threads=2, width=64)):
        memories = {"u0": bytes(4 * 64 * 2)}
        run(engine, parsed(text), memories, groups=(1, 1, 1), budget=needed)
        with pytest.raises(LimitError, match="budget"):
            run(engine, parsed(text), memories, groups=(1, 1, 1), budget=needed - 1)
    same(text, {"u0": bytes(4 * 64 * 2)}, groups=(2, 1, 1))


WAYS = """
loop {
  %3 = get @n
  %4 = iadd %3, i32 1
  set @n, %4
  %5 = ult i32 12, %3
  if %5 {
    break
  }
  %6 = iadd %2, %3
  %7 = and %6, i32 7
  switch %7 {
    case 0 {
      continue
    }
    case 1 2 {
      %8 = ieq %7, i32 2
      if %8 {
        break
      }
      %9 = get @sum
      %10 = iadd %9, i32 100
      set @sum, %10
    }
    case 3 {
      loop {
        %11 = get @sum
        %12 = iadd %11, i32 1
        set @sum, %12
        %13 = and %12, i32 3
        %14 = ieq %13, i32 0
        if %14 {
          break
        }
        %15 = and %12, %2
        %16 = ieq %15, i32 1
        if %16 {
          continue
        }
        %17 = get @sum
        %18 = xor %17, i32 8
        set @sum, %18
      }
    }
    case 6 {
      %19 = urem %2, i32 5
      %20 = ieq %19, i32 4
      if %20 {
        store %u0[%1, i32 0], i32 77
        return
      }
    }
    case default {
      %21 = ult %2, %3
      if %21 {
        continue
      }
    }
  }
  %22 = get @sum
  %23 = imul %22, i32 3
  %24 = iadd %23, %3
  set @sum, %24
}
%25 = get @sum
store %u0[%1, i32 0], %25
"""


@pytest.mark.parametrize("size", [1, 8, 24, 64, 100])
def test_lanes_diverge_and_reconverge(size: int) -> None:
    """Each lane takes its own way through loops, cases, breaks, continues and returns."""
    lanes = 3 * size
    memories = {"t0": words(*(n * 7 % 23 for n in range(lanes))), "u0": bytes(4 * lanes)}
    variables = "var @n i32\nvar @sum i32"
    together = same(turned(size, WAYS, variables), memories, groups=(3, 1, 1))
    alone = turned(size, WAYS, variables).replace("memory %g0", "memory %g1")
    alone = alone.replace("store %g0[%0, i32 0], %2\n", "")
    assert same(alone, memories, groups=(3, 1, 1)) == together
    if size > 8:
        assert len(set(np.frombuffer(together["u0"], "<u4").tolist())) > 8


KEPT = """
%3 = asfloat %2
%4 = fadd %3, f32 1.5
%5 = ult %0, i32 3
%6 = uconv:i64 %2
%7 = imul %6, i64 4294967297
%8 = uconv:i16 %2
%9 = fconv:f64 %4
set @f, %4
set @b, %5
barrier group
%10 = load:i32 %g0[i32 0, i32 0]
%11 = get @b
%12 = get @f
%13 = asint %12
%14 = select %11, %13, %10
%15 = select %5, i32 1, i32 0
barrier group
%16 = uconv:i32 %7
%17 = uconv:i32 %8
%18 = ushr %7, i64 32
%19 = uconv:i32 %18
%20 = ftoi:i32 %9
%21 = iadd %14, %15
%22 = iadd %16, %17
%23 = iadd %19, %20
%24 = iadd %21, %22
%25 = iadd %23, %24
store %u0[%1, i32 0], %25
"""


@pytest.mark.parametrize("size", [2, 8, 50, 128])
def test_values_live_across_barriers(size: int) -> None:
    """Values of every type, computed before one barrier and used after two."""
    lanes = 3 * size
    memories = {
        "t0": words(*(0x4000_0000 + 12345 * n for n in range(lanes))),
        "u0": bytes(4 * lanes),
    }
    same(turned(size, KEPT, "var @f f32\nvar @b bool"), memories, groups=(3, 1, 1))


DISCARDED = """
kernel main pixel group 1 1 1
memory %u0 buffer 4 writable
memory %u1 buffer 4 writable
out %o0 i32
var @n i32
%0 = source item
%1 = urem %0, i32 7
loop {
  %2 = get @n
  %3 = ult %1, %2
  if %3 {
    break
  }
  %4 = iadd %2, i32 1
  set @n, %4
  %5 = ieq %2, i32 3
  discard %5
  store %u0[%0, i32 0], %2
  %6 = atomic_add %u1[%1, i32 0], i32 1
  output %o0, %6
  %7 = ieq %2, i32 5
  if %7 {
    return
  }
}
%8 = get @n
%9 = quad_swap 1, %8
store %u0[%0, i32 0], %9
"""


@pytest.mark.parametrize("items", [7, 64, 130])
def test_lanes_are_discarded_in_loops(items: int) -> None:
    """Discarded lanes continue for their quad, without effects."""
    text = DISCARDED.replace("output %o0, %6", "output %o0, %4")  # the order of lanes is open
    same(text, {"u0": bytes(4 * items), "u1": bytes(28)}, items=items)


@pytest.mark.parametrize("count", [1, 70_000])
def test_results_do_not_depend_on_threads(count: int) -> None:
    text = """
kernel main compute group 64 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
memory %u1 buffer 4 writable
memory %g0 shared 4 count 64 writable
%0 = source thread_id.x
%1 = load:i32 %t0[%0, i32 0]
%2 = source thread_id_in_group_flattened
store %g0[%2, i32 0], %1
barrier group
%3 = xor %2, i32 1
%4 = load:i32 %g0[%3, i32 0]
store %u0[%0, i32 0], %4
%5 = atomic_add %u1[i32 0, i32 0], %4
"""
    lanes = -(-count // 64) * 64
    numbers = np.arange(lanes, dtype=np.uint32) * 7
    memories = {"t0": numbers.tobytes(), "u0": bytes(4 * lanes), "u1": bytes(4)}
    groups = (lanes // 64, 1, 1)
    one = run(Jit(threads=1), parsed(text), memories, groups)
    assert one == run(Jit(threads=5), parsed(text), memories, groups)
    assert (
        np.frombuffer(one[0]["u0"], "<u4").tolist()
        == numbers.reshape(-1, 2)[:, ::-1].ravel().tolist()
    )


def test_memories_of_lanes_are_bounded() -> None:
    text = """
kernel main compute group 64 1 1
memory %x0 local 16 count 40000000 writable
%0 = source thread_id.x
store %x0[%0, i32 0], %0
"""
    with pytest.raises(UnsupportedError, match="bytes of scratch memory"):
        run(JITS[0], parsed(text), {})
    with pytest.raises(LimitError):
        run(Lockstep(), parsed(text), {})


@pytest.mark.slow
def test_pixels_do_not_depend_on_threads() -> None:
    text = DISCARDED.replace("output %o0, %6", "output %o0, %4")
    items = 100_003
    memories = {"u0": bytes(4 * items), "u1": bytes(28)}
    one = run(Jit(threads=1), parsed(text), memories, items=items)
    assert one == run(Jit(threads=4), parsed(text), memories, items=items)
    assert one == run(Lockstep(), parsed(text), memories, items=items)


def test_threads_stop_when_one_has_spent_its_budget() -> None:
    text = """
kernel main compute group 64 1 1
%0 = source thread_id.x
%1 = ieq %0, i32 99999
if %1 {
  loop {
  }
}
"""
    with pytest.raises(LimitError, match="budget"):
        run(Jit(threads=4), parsed(text), {}, groups=(4096, 1, 1), budget=10_000)


@pytest.mark.parametrize("group", ["1 1 1", "64 1 1", "4 4 4"])
def test_very_many_groups(group: str) -> None:
    """Each lane runs exactly once: the sum of all lane numbers and their count."""
    text = f"""
kernel main compute group {group}
memory %u0 buffer 4 writable
%0 = source item
%1 = and %0, i32 1023
%2 = atomic_add %u0[%1, i32 0], i32 1
"""
    size = int(np.prod([int(each) for each in group.split()]))
    groups = {1: (1 << 20, 1, 1), 64: (1 << 7, 1 << 5, 1 << 2)}[size]
    lanes = size * int(np.prod(groups))
    for engine in (Jit(threads=1), Jit(threads=2)):
        found, *_ = run(engine, parsed(text), {"u0": bytes(4096)}, groups=groups)
        assert np.frombuffer(found["u0"], "<u4").tolist() == [lanes // 1024] * 1024


@pytest.mark.parametrize("groups", [(1 << 28, 1, 1), (1, 1, 1 << 28), (-1, 1, 1)])
def test_too_many_lanes(groups: tuple[int, int, int]) -> None:
    kernel = parsed("kernel main compute group 1 1 1\n%0 = source item\n")
    for engine in ENGINES:
        with pytest.raises(UsageError):
            engine.run(kernel, Launch({}, groups))
        with pytest.raises(LimitError, match="lanes"):
            engine.run(kernel, Launch({}, (1 << 16, 1 << 16, 1)))


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_no_lanes(engine: Any) -> None:
    """Nothing runs and nothing is written; empty memories can be bound."""
    kernel = parsed(turned(16, "loop {\n}"))
    memories = {"t0": np.zeros(0, np.uint8), "u0": np.ones(4, np.uint8)}
    for groups in ((0, 1, 1), (1, 0, 5)):
        report = engine.run(kernel, Launch(memories, groups, budget=1))
        assert (report.lanes, report.out_of_bounds) == (0, {})
    assert memories["u0"].tolist() == [1] * 4
    pixels = parsed(
        "kernel main pixel group 1 1 1\nout %o0 i32\n%0 = source item\noutput %o0, %0\n"
    )
    assert engine.run(pixels, Launch(outputs={"o0": np.zeros(0, np.uint32)})).lanes == 0


def test_a_value_read_from_a_variable_outlives_a_store_to_it() -> None:
    """Divergent lanes read a variable, some of them store to it, then the value is used."""
    text = """
kernel main compute group 8 1 1
memory %u0 buffer 4 writable
var @a i32
%0 = source thread_id.x
%1 = iadd %0, i32 100
set @a, %1
%2 = and %0, i32 1
%3 = ieq %2, i32 1
if %3 {
  %4 = get @a
  %5 = ult %0, i32 4
  if %5 {
    set @a, i32 7
  }
  store %u0[%0, i32 0], %4
}
"""
    left = same(text, {"u0": bytes(32)})
    assert left["u0"] == words(*(at + 100 if at & 1 else 0 for at in range(8)))


PLACES = """kernel main compute group {group}
memory %u0 buffer 16 writable
%0 = source item
%1 = source quad_lane
%2 = source thread_id_in_group_flattened
%3 = source thread_id.{axis}
%4 = quad_swap 3, %2
store %u0[%0, i32 0], %1
store %u0[%0, i32 4], %2
store %u0[%0, i32 8], %3
store %u0[%0, i32 12], %4
"""


@pytest.mark.parametrize(
    "group", ["6 1 1", "2 2 1 quads", "6 2 1 quads wave 4", "2 6 3 quads", "32 4 2 quads"]
)
@pytest.mark.parametrize("axis", "xyz")
def test_places_of_threads_and_quads(group: str, axis: str) -> None:
    text = PLACES.format(group=group, axis=axis)
    size = prod(int(each) for each in group.split()[:3])
    groups = (2, 2, 1)
    same(text, {"u0": bytes(16 * 4 * size)}, groups=groups)
