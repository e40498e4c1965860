"""The interpreter: waits of lanes, and effects."""

import pytest

from tests.oracle.interpret import interpret
from tests.oracle.parsing import parse_kernel
from unshade.errors import LimitError, UnsupportedError, UsageError

SHARED = """
kernel main compute group 4 1 1
memory %u0 buffer 4 writable
memory %g0 shared 4 count 4 writable
%0 = source thread_id_in_group_flattened
%1 = source thread_id.x
"""


def words(data: bytearray) -> list[int]:
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def run(text: str, size: int = 4, **options: object) -> list[int]:
    memories = {"u0": bytearray(4 * size)}
    interpret(parse_kernel(text), memories, **options)  # type: ignore[arg-type]
    return words(memories["u0"])


def test_a_barrier_waits_for_the_group() -> None:
    text = (
        SHARED
        + """
store %g0[%0, i32 0], %1
barrier group
%2 = xor %0, i32 3
%3 = load:i32 %g0[%2, i32 0]
store %u0[%1, i32 0], %3
"""
    )
    assert run(text, 8, groups=(2, 1, 1)) == [3, 2, 1, 0, 7, 6, 5, 4]


def test_a_barrier_not_reached_by_all_lanes_is_counted() -> None:
    text = (
        SHARED
        + """
%2 = ult %0, i32 2
if %2 {
  barrier group
}
"""
    )
    assert interpret(parse_kernel(text), {"u0": bytearray(4)}).parted == 1


def test_quad_operations_read_active_lanes() -> None:
    text = """
kernel main pixel group 1 1 1
memory %u0 buffer 4 writable
%0 = source item
%1 = quad_swap 1, %0
%2 = ult %0, i32 3
if %2 {
  %3 = quad_swap 2, %0
  %4 = ishl %3, i32 8
  %5 = or %4, %1
  store %u0[%0, i32 0], %5
}
"""
    # Lane 1 has no partner: lane 3 is elsewhere.
    assert run(text, 4, items=4) == [0x201, 0x100, 0x003, 0]


def test_lanes_in_loops_reconverge_in_the_same_iteration() -> None:
    text = """
kernel main pixel group 1 1 1
memory %u0 buffer 4 writable
var @n i32
var @s i32
%0 = source item
loop {
  %1 = get @n
  %2 = ult %0, %1
  if %2 {
    break
  }
  %3 = quad_swap 1, %1
  %4 = get @s
  %5 = iadd %4, %3
  set @s, %5
  %6 = iadd %1, i32 1
  set @n, %6
}
%7 = get @s
store %u0[%0, i32 0], %7
"""
    assert run(text, 4, items=4) == [0, 1, 3, 6]


def test_a_discarded_lane_affects_only_itself() -> None:
    text = """
kernel main pixel group 1 1 1
memory %u0 buffer 4 writable
memory %x0 local 4 count 1 writable
out %o0 i32
%0 = source item
output %o0, i32 1
%1 = ieq %0, i32 2
discard %1
store %x0[i32 0, i32 0], i32 9
%2 = load:i32 %x0[i32 0, i32 0]
%3 = quad_swap 1, %2
%4 = atomic_add %u0[i32 0, i32 0], %3
output %o0, %3
"""
    memories = {"u0": bytearray(4)}
    helpers = [False, True, False, False]
    found = interpret(parse_kernel(text), memories, items=4, helpers=helpers)
    assert found.outputs == {"o0": [9, 0, 1, 9]}
    assert found.discarded == 1
    assert words(memories["u0"]) == [18]


@pytest.mark.parametrize(
    ("access", "bounds", "expected", "outside"),
    [
        ("[i32 1, i32 0]", "", 0x22222222, 0),
        ("[i32 0, i32 2]", "", 0, 1),
        ("[i32 2, i32 0]", "", 0, 1),
        ("[i32 -1, i32 0]", "", 0, 1),
        ("[i32 0, i32 -4]", "", 0, 1),
        ("[i32 9, i32 9]", "clamp", 0x22222222, 0),
    ],
)
def test_invalid_accesses(access: str, bounds: str, expected: int, outside: int) -> None:
    text = f"""
memory %t0 buffer 4 {bounds}
memory %u0 buffer 4 writable
%0 = load:i32 %t0{access}
store %u0[i32 0, i32 0], %0
"""
    memories = {"u0": bytearray(4), "t0": bytearray(b"\x11" * 4 + b"\x22" * 4)}
    found = interpret(parse_kernel(text), memories)
    assert words(memories["u0"]) == [expected]
    assert found.outside == ({"t0": 1} if outside else {})


def test_an_atomic_needs_an_aligned_address() -> None:
    text = "memory %u0 buffer 8 writable\n%0 = atomic_add %u0[i32 0, i32 2], i32 1\n"
    memories = {"u0": bytearray(8)}
    assert interpret(parse_kernel(text), memories).outside == {"u0": 1}
    assert memories["u0"] == bytearray(8)


def test_switch_cases_do_not_fall_through() -> None:
    text = (
        SHARED
        + """
switch %0 {
  case 1 {
    store %u0[%0, i32 0], i32 10
  }
  case 2 -1 default {
    store %u0[%0, i32 0], i32 20
  }
  case 3 {
    break
  }
}
"""
    )
    assert run(text) == [20, 10, 20, 0]


def test_loops_have_a_budget() -> None:
    with pytest.raises(LimitError, match="budget"):
        run("memory %u0 buffer 4 writable\nloop {\n}\n", budget=100)


def test_sources() -> None:
    text = """
kernel main compute group 2 2 1
memory %u0 buffer 4 writable
%0 = source item
%1 = source thread_id.x
%2 = source thread_id.y
%3 = source thread_group_id.x
%4 = source thread_id_in_group_flattened
%5 = ishl %1, i32 4
%6 = ishl %2, i32 8
%7 = ishl %3, i32 12
%8 = or %5, %6
%9 = or %7, %8
%10 = or %9, %4
store %u0[%0, i32 0], %10
"""
    first = [0x000, 0x011, 0x102, 0x113]
    second = [0x1020, 0x1031, 0x1122, 0x1133]
    assert run(text, 8, groups=(2, 1, 1)) == first + second


def test_messages() -> None:
    text = """
kernel main geometry group 1 1 1
message "so %", i32 3
"""
    found = interpret(parse_kernel(text), {}, items=1)
    assert found.messages == [(0, "so %", (3,))]


def test_missing_memories_are_reported() -> None:
    with pytest.raises(UsageError, match="memory 'u0' is not bound"):
        interpret(parse_kernel("memory %u0 buffer 4\n"), {})
    with pytest.raises(UnsupportedError, match="sin"):
        interpret(parse_kernel("%0 = sin f32 1.0\n"), {})
