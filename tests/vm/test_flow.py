"""How lanes part and meet: groups and quads of every size, barriers anywhere, loops without end."""

import numpy as np
import pytest

from tests.vm.engines import ENGINES, JITS, parsed, run, same, words
from unshade.errors import LimitError, UnsupportedError
from unshade.run.engines import Auto
from unshade.vm.jit import Jit
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep

TURN = """
memory %t0 buffer 4
memory %u0 buffer 4 writable
memory %g0 shared 4 count {size} writable
{variables}
%0 = source local_index
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
def test_where_lanes_are(size: str, groups: tuple[int, int, int], shared: str) -> None:
    names = [f"{word}.{axis}" for word in ("thread_id", "group_id", "local_id", "group_count")
             for axis in "xyz"]  # fmt: skip
    names += ["local_index", "item", "quad_lane", "helper"]
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
%3 = source group_id.x
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
def test_barriers_inside_of_constructs(body: str, size: int) -> None:
    lanes = 5 * size
    memories = {"t0": words(*range(3, lanes + 3)), "u0": bytes(4 * lanes)}
    same(turned(size, body, "var @n i32"), memories, groups=(5, 1, 1))


def test_a_barrier_where_lanes_have_parted_is_left_to_lockstep() -> None:
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
def test_a_loop_without_end_ends(body: str) -> None:
    memories = {"t0": bytes(64), "u0": bytes(64)}
    for engine in (*ENGINES, Jit(threads=2)):
        with pytest.raises(LimitError):
            run(engine, parsed(turned(16, body)), memories, groups=(3, 1, 1), budget=1000)
        done = turned(
            16, body.replace("loop {", "loop {\nbreak", 1).replace("break\n}", "break\n}")
        )
        run(engine, parsed(done), memories)


@pytest.mark.parametrize("count", [1, 70_000])
def test_threads_change_nothing(count: int) -> None:
    text = """
kernel main compute group 64 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
memory %u1 buffer 4 writable
memory %g0 shared 4 count 64 writable
%0 = source thread_id.x
%1 = load:i32 %t0[%0, i32 0]
%2 = source local_index
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
    with pytest.raises(UnsupportedError, match="memories of their own"):
        run(JITS[0], parsed(text), {})
    with pytest.raises(LimitError):
        run(Lockstep(), parsed(text), {})
