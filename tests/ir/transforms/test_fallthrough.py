"""Switches whose cases fall through."""

from contextlib import ExitStack

import pytest

from tests.oracle.verify import verify
from tests.vm.engines import same, words
from unshade.errors import UnsupportedError
from unshade.ir.builder import Builder
from unshade.ir.kernel import DEEPEST, KernelIR, Switch, height
from unshade.ir.memory import Space, Var
from unshade.ir.ops import OPS
from unshade.ir.printing import print_kernel
from unshade.ir.transforms.fallthrough import fall_through
from unshade.ir.waves import Wave


def begun(count: int) -> tuple[Builder, Switch, Var]:
    """Return a switch on the lane's index; the final variable is the output."""
    b = Builder(KernelIR(group=(count, 1, 1), wave=8))
    return b, Switch(b.source("thread_id_in_group_flattened")), b.var("found")


def left(b: Builder, found: Var) -> list[int]:
    """Return the common result of all engines."""
    own = b.source("thread_id_in_group_flattened")
    b.store(b.memory("u0", Space.BUFFER, 4, writable=True), own, 0, b.get(found))
    assert not verify(b.kernel)
    count = b.kernel.group[0]
    data = same(print_kernel(b.kernel), {"u0": words(*[0] * count)})["u0"]
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def add(b: Builder, var: Var, digit: int) -> None:
    """Append a digit."""
    b.set(var, b.iadd(b.imul(b.get(var), 10), digit))


@pytest.mark.parametrize(
    ("default", "falling", "expected"),
    [
        (None, {0, 1}, [123, 23, 3, 4, 0]),
        (None, {2}, [1, 2, 34, 4, 0]),
        (0, {0, 2}, [12, 2, 34, 4, 12]),
        (3, {1, 2}, [1, 234, 34, 4, 4]),
    ],
)
def test_cases_that_fall_through(
    default: int | None, falling: set[int], expected: list[int]
) -> None:
    b, switch, found = begun(5)
    for number in range(4):
        with b.case(switch, number, default=number == default):
            add(b, found, number + 1)
            if number not in falling:
                b.break_()
    fall_through(b, switch, [switch.cases[each] for each in falling])
    assert left(b, found) == expected


def test_breaks_and_continues_in_a_loop() -> None:
    """A break leaves the switch, or the loop inside a case; a continue the loop around it."""
    b, switch, found = begun(4)
    own = switch.value
    with b.loop():
        with b.when(b.ult(100, b.get(found))):
            b.break_()
        with b.case(switch, 0):
            add(b, found, 1)
            with b.loop():
                add(b, found, 2)
                b.break_()
            with b.when(b.ult(b.get(found), 100)):
                b.continue_()
        with b.case(switch, 1):
            add(b, found, 3)
            with b.block() as block:
                with b.when(b.ieq(own, 1)):
                    b.break_()
                b.exit(block)
            add(b, found, 4)
        fall_through(b, switch, switch.cases[:1])
        add(b, found, 5)
    assert left(b, found) == [1212345, 3535, 555, 555]


def test_lanes_that_fall_through_join_those_that_start_there() -> None:
    b, switch, found = begun(8)
    with b.case(switch, 0, 1, 2):
        add(b, found, 1)
    with b.case(switch, 3, 4):
        b.set(found, b.wave_reduce(b.i32(1), attr=Wave(OPS.iadd)))
    fall_through(b, switch, switch.cases[:1])
    assert left(b, found) == [5] * 5 + [0] * 3


@pytest.mark.slow
def test_many_cases_are_not_nested_deeper() -> None:
    b, switch, found = begun(50)
    for number in range(49):
        with b.case(switch, number):
            b.set(found, b.iadd(b.get(found), 1))
    fall_through(b, switch, switch.cases[:-1])
    assert height(b.kernel.body) < 32
    assert left(b, found) == [*reversed(range(50))]


def test_cases_nested_too_deeply() -> None:
    b, switch, _ = begun(2)
    with b.case(switch, 0), ExitStack() as stack:
        for _ in range(DEEPEST - 8):
            stack.enter_context(b.block())
    with b.case(switch, 1):
        pass
    with pytest.raises(UnsupportedError, match="too deep"):
        fall_through(b, switch, switch.cases[:1])
