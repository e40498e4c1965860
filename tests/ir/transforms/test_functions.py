"""Inlined functions, in lanes that return at different positions."""

import pytest

from tests.oracle.verify import check
from tests.vm.engines import same, words
from unshade.errors import UnsupportedError
from unshade.ir.builder import Builder
from unshade.ir.kernel import Block, KernelIR, Value
from unshade.ir.locations import SourceLocation, calls
from unshade.ir.memory import Memory, Space
from unshade.ir.ops import OPS
from unshade.ir.printing import print_kernel
from unshade.ir.transforms.functions import MOST, Calls
from unshade.ir.types import I32
from unshade.ir.waves import Wave

LANES = 8


def begun() -> tuple[Builder, Value, Memory]:
    """Return a kernel of eight lanes, the lane's index, and the memory it writes."""
    b = Builder(KernelIR(group=(LANES, 1, 1), wave=LANES))
    return (
        b,
        b.source("thread_id_in_group_flattened"),
        b.memory("u0", Space.BUFFER, 4, writable=True),
    )


def left(b: Builder) -> list[int]:
    """Return the common result of all engines in u0."""
    data = same(print_kernel(check(b.kernel)), {"u0": words(*[99] * LANES)})["u0"]
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def power(calls: Calls, base: Value, exponent: Value) -> Value:
    """Append a call of a function that returns out of a loop and a switch."""
    b = calls.builder
    with calls.enter("power", I32) as frame:
        found = frame.variable("found", I32)
        count = frame.variable("count", I32)
        b.set(found, 1)
        b.set(count, exponent)
        with b.loop():
            switch = b.switch(b.get(count))
            with b.case(switch, 0):
                frame.leave(b.get(found))
            with b.case(switch, default=True):
                b.set(found, b.imul(b.get(found), base))
            b.set(count, b.isub(b.get(count), 1))
    return b.get(frame.results[0])


def test_returns_leave_loops_and_switches() -> None:
    b, own, out = begun()
    b.store(out, own, 0, power(Calls(b), b.i32(3), own))
    assert left(b) == [3**n for n in range(LANES)]


def test_each_call_has_its_own_variables() -> None:
    b, own, out = begun()
    calls = Calls(b)
    first = power(calls, b.i32(2), own)
    second = power(calls, own, b.i32(2))
    b.store(out, own, 0, b.iadd(first, second))
    assert left(b) == [2**n + n**2 for n in range(LANES)]


def test_a_function_that_calls_another_twice() -> None:
    b, own, out = begun()
    calls = Calls(b)
    with calls.enter("outer", I32) as frame:
        with b.when(b.ieq(own, 5)):
            frame.leave(b.i32(-1))
        frame.leave(power(calls, power(calls, own, b.i32(2)), b.i32(2)))
    b.store(out, own, 0, b.get(frame.results[0]))
    assert left(b) == [n**4 if n != 5 else 0xFFFF_FFFF for n in range(LANES)]


def test_lanes_that_return_early_wait_after_the_call() -> None:
    b, own, out = begun()
    with Calls(b).enter("f") as frame, b.loop():
        with b.when(b.ult(own, 3)):
            frame.leave()
        b.store(out, own, 0, b.wave_reduce(b.i32(1), attr=Wave(OPS.iadd)))
        frame.leave()
    total = b.wave_reduce(b.i32(1), attr=Wave(OPS.iadd))
    with b.when(b.ult(own, 3)):
        b.store(out, own, 0, total)
    assert left(b) == [8] * 3 + [5] * 5


def test_by_reference_and_in_and_out() -> None:
    b, own, out = begun()
    calls = Calls(b)
    mine = b.var("mine")
    b.set(mine, own)
    with calls.enter("by_reference"):
        b.set(mine, b.iadd(b.get(mine), 10))
    with calls.enter("in_out") as frame:
        copy = frame.variable("mine", I32)
        b.set(copy, b.get(mine))
        b.set(copy, b.imul(b.get(copy), 2))
    b.store(out, own, 0, b.isub(b.get(copy), b.get(mine)))
    assert left(b) == [10 + n for n in range(LANES)]


def test_memories_of_a_call() -> None:
    b, own, out = begun()
    calls = Calls(b)
    for number in range(2):
        with calls.enter("f") as frame:
            array = frame.memory("a", 4, 4)
            at = b.and_(own, 3)
            b.store(array, at, 0, b.iadd(b.load(array, at), number + 1))
            b.store(out, own, 0, b.load(array, at))
    assert len({each.name for each in b.kernel.memories}) == 3
    assert left(b) == [2] * LANES


def test_a_function_without_returns_needs_no_block() -> None:
    b, own, out = begun()
    with Calls(b).enter("f"):
        b.store(out, own, 0, own)
    assert not any(isinstance(each, Block) for each in b.kernel.body)


def test_inlined_statements_know_their_call() -> None:
    b, own, out = begun()
    calls_ = Calls(b)
    b.line, b.location = 3, SourceLocation("a.hlsl", 7)
    with calls_.enter("f"):
        b.line = 9
        with calls_.enter("g"):
            stored = b.store(out, own, 0, own)
        b.line = 3
    after = b.store(out, own, 0, own)
    assert [each.line for each in calls(stored.location)] == [9, 3]
    assert stored.location is not None
    assert stored.location.function == "g"
    assert after.location is b.location


def test_existing_variable_names_are_kept() -> None:
    b, _, _ = begun()
    calls = Calls(b)
    b.var("f.x")
    with calls.enter("f") as frame:
        frame.variable("x", I32)
    b.var("f.y")
    with calls.enter("f") as frame:
        frame.variable("x", I32)
        frame.variable("y", I32)
    check(b.kernel)
    assert [each.name for each in b.kernel.variables] == ["f.x", "f.x.1", "f.y", "f.x.2", "f.y.1"]


# ---------------------------------------------------------------- errors


def test_a_function_that_calls_itself() -> None:
    b, _, _ = begun()
    calls = Calls(b)
    with (
        pytest.raises(UnsupportedError, match="f calls itself"),
        calls.enter("f"),
        calls.enter("g"),
        calls.enter("f"),
    ):
        pass


def test_functions_of_the_same_name() -> None:
    b, own, out = begun()
    calls = Calls(b)
    with calls.enter("f", key=1), calls.enter("f", key=2):
        b.store(out, own, 0, own)
    with (
        pytest.raises(UnsupportedError, match="g calls itself"),
        calls.enter("f", key=1),
        calls.enter("g", key=1),
    ):
        pass


def test_deeply_nested_calls() -> None:
    b, _, _ = begun()
    calls = Calls(b, deepest=5)

    def deeper(level: int) -> None:
        with calls.enter(f"f{level}"):
            deeper(level + 1)

    with pytest.raises(UnsupportedError, match="f5: calls are nested more than 5 deep"):
        deeper(0)


@pytest.mark.slow
def test_calls_that_multiply_at_every_level() -> None:
    b, _, _ = begun()
    calls = Calls(b, 20)
    assert calls.allowed == MOST + 20
    calls.allowed = 100

    def call(level: int) -> None:
        with calls.enter(f"f{level}"):
            calls.spend()
            for _ in range(2):
                if level:
                    call(level - 1)

    with pytest.raises(UnsupportedError, match="more than 100 instructions"):
        call(20)
