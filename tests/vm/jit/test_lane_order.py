"""Which results depend on the order of lanes."""

import pytest

from tests.oracle.parsing import parse_kernel
from unshade.vm.jit.lane_order import lane_order
from unshade.vm.launch import MOST

HEAD = """
kernel main compute group 64 1 1
memory %t0 buffer 4
memory %u0 buffer 4 writable
memory %u1 buffer 8 writable
memory %g0 shared 4 count 64 writable
var @i i32
%0 = source thread_id.x
%1 = load:i32 %t0[%0, i32 0]
"""
LOOP = "loop {\n%9 = ult %1, i32 3\nif %9 {\nbreak\n}\nBODY\n}\n"


def found(text: str, flat: bool = True) -> tuple[str, int]:
    order = lane_order(parse_kernel(HEAD + text), flat)
    return order.shown, order.chunked


@pytest.mark.parametrize(
    ("text", "flat", "chunked"),
    [
        ("", True, MOST),
        ("%2 = count %u0\nstore %u0[%0, i32 0], %2\nstore %u0[%0, i32 0], %0", True, 1 << 30),
        ("store %u0[%1, i32 0], %0", True, MOST),  # the last lane wins, in chunks of any width
        ("store %u0[%1, i32 0], %0\nstore %u0[%1, i32 0], %1", True, 0),
        ("store %u0[%0, i32 0], %0\nstore %u0[%0, i32 0], %1", True, 1 << 30),
        ("store %u0[%0, i32 0], %0\nstore %u0[%0, i32 0], %1", False, 0),
        ("store %u1[%0, i32 0], %0\nstore %u1[%0, i32 4], %1", True, 1 << 29),
        ("%2 = load:i32 %u0[%0, i32 0]\nstore %u0[%0, i32 0], %2", True, 1 << 30),
        ("%2 = load:i32 %u0[%1, i32 0]\nstore %u0[%0, i32 0], %2", True, 0),
        (
            "%2 = iadd %0, i32 1\n%3 = load:i32 %u0[%2, i32 0]\nstore %u0[%0, i32 0], %3",
            True, 0,
        ),
        (
            "%2 = ishl %0, i32 1\n%3 = iadd %2, i32 1\n"
            "store %u0[%2, i32 0], %0\nstore %u0[%3, i32 0], %1",
            True, 1 << 29,
        ),
        (
            "%2 = ishl %0, i32 1\n%3 = iadd %2, i32 2\n"
            "store %u0[%2, i32 0], %0\nstore %u0[%3, i32 0], %1",
            True, 0,
        ),
        (  # a place in bytes and back
            "%2 = ishl %0, i32 2\n%3 = ushr %2, i32 2\n"
            "store %u0[%3, i32 0], %0\nstore %u0[%3, i32 0], %1",
            True, 1 << 30,
        ),
        (  # lanes 0 and 65,536 have one place
            "%2 = ishl %0, i32 16\n%3 = ushr %2, i32 16\n"
            "store %u0[%3, i32 0], %0\nstore %u0[%3, i32 0], %1",
            True, 1 << 16,
        ),
        (LOOP.replace("BODY", "store %u0[%1, i32 0], %0"), True, 0),
        (LOOP.replace("BODY", "store %u0[%0, i32 0], %1"), True, 1 << 30),
        ("%2 = load:i32 %g0[%1, i32 0]\nstore %g0[%0, i32 0], %2", True, 0),
        ("%2 = atomic_add %u0[%1, i32 0], i32 1", True, MOST),
        ("%2 = atomic_add %u0[%1, i32 0], i32 1\n%3 = load:i32 %u0[%0, i32 0]", True, 0),
    ],
)  # fmt: skip
def test_widths(text: str, flat: bool, chunked: int) -> None:
    assert found(text, flat) == ("", chunked)


@pytest.mark.parametrize(
    "text",
    [
        "%2 = atomic_add %u0[%1, i32 0], i32 1\nstore %u1[%0, i32 0], %2",
        "%2 = atomic_xchg %u0[%1, i32 0], i32 1",
        "%2 = atomic_add %u0[%1, i32 0], i32 1\n%3 = atomic_umax %u0[%1, i32 0], i32 1",
        "%2 = asfloat %1\n%3 = atomic_fadd %u0[%1, i32 0], %2",
    ],
)
def test_atomics(text: str) -> None:
    assert found(text) == ("u0", 0)


def test_atomics_of_places_that_no_lanes_share() -> None:
    text = "%2 = atomic_add %u0[%0, i32 0], i32 1\nstore %u1[%0, i32 0], %2"
    assert found(text) == ("", 1 << 30)


def test_atomics_within_a_group_do_not_show_the_order_of_groups() -> None:
    text = "%2 = atomic_add %g0[i32 0, i32 0], i32 1\nstore %u0[%0, i32 0], %2"
    assert found(text) == ("", 0)


def test_clamped_stores_share_the_last_element() -> None:
    text = "store %u0[%0, i32 0], %0\nstore %u0[%0, i32 0], %1"
    kernel = parse_kernel(
        HEAD.replace("%u0 buffer 4 writable", "%u0 buffer 4 writable clamp") + text
    )
    assert lane_order(kernel, True).chunked == 0


def test_a_place_may_take_any_number_of_steps() -> None:
    steps = [f"%{at + 1} = iadd %{at}, i32 1" for at in range(1, 3000)]
    stores = "store %u0[%3000, i32 0], %0\nstore %u0[%3000, i32 0], %1"
    assert found("\n".join([*steps, stores])) == ("", 0)
