"""Vectors of code whose instructions are scalar, as those of DXIL are."""

from collections.abc import Callable

from tests.decompile.pixels import Pixel
from unshade.decompile.kinds import Kinds
from unshade.decompile.vectors import NEAR, Construct, Group, grouped
from unshade.ir.kernel import Value
from unshade.ir.memory import Var
from unshade.ir.ops import OPS
from unshade.ir.types import F32, I32


def test_a_vector_may_be_used_twice() -> None:
    made = Pixel()
    b, each = made.b, made.each
    results = []
    for value in made.inputs():
        root = each(b.fsqrt(value))
        results.append(each(b.fadd(each(b.fmul(root, root)), root)))
    text = made.text(results)
    assert "float2 t = sqrt(" in text
    assert text.count("sqrt(") == 1


def test_a_component_that_is_used_before_the_last_one_stays_alone() -> None:
    made = Pixel()
    b, each = made.b, made.each
    x, y = made.inputs()
    first = each(b.fsqrt(x))
    second = each(b.fsqrt(each(b.fadd(y, first))))
    text = made.text([each(b.fadd(first, b.f32(1.0))), each(b.fadd(second, b.f32(1.0)))])
    assert text.count("sqrt(") == 2


def in_a_loop(made: Pixel, assigned: Callable[[list[Value]], None]) -> None:
    """Assign to two components of a vector in a loop, whose sum with 1 is the result."""
    b = made.b
    count = b.var("count", I32)
    values = made.inputs()
    with b.loop():
        with b.when(b.ile(b.i32(4), b.get(count))):
            b.break_()
        assigned(values)
        b.set(count, made.each(b.iadd(b.get(count), b.i32(1))))


def test_components_that_are_set_between_computations_are_a_vector() -> None:
    made = Pixel()
    b, each = made.b, made.each
    sums = [b.var(f"sum{at}", F32) for at in range(2)]

    def assigned(values: list[Value]) -> None:
        for variable, value in zip(sums, values, strict=True):
            b.set(variable, each(b.fadd(each(b.get(variable)), value)))

    in_a_loop(made, assigned)
    text = made.text([each(b.fadd(b.get(variable), b.f32(1.0))) for variable in sums])
    assert "float2 sum = 0.0;" in text
    assert "sum += t;" in text


def groups_of_a_loop(made: Pixel, sums: list[Var]) -> list[Group]:
    """Return the groups of a loop, in order, of a program that gives the sums."""
    for port, variable in zip(made.kernel.outputs, sums, strict=True):
        made.b.output(port, made.b.get(variable))
    items, _ = grouped(made.kernel, Kinds(made.kernel, lambda _: None, lambda each: each))
    (loop,) = (each.inner[0] for each in items if isinstance(each, Construct))
    return [each for each in loop if isinstance(each, Group)]


def test_a_component_that_is_read_before_the_other_is_set_stays_alone() -> None:
    made = Pixel()
    b, each = made.b, made.each
    sums = [b.var(f"sum{at}", F32) for at in range(2)]

    def assigned(values: list[Value]) -> None:
        b.set(sums[0], each(b.fadd(values[0], values[1])))
        b.set(sums[1], each(b.fmul(each(b.get(sums[0])), values[1])))

    in_a_loop(made, assigned)
    sets = [each for each in groups_of_a_loop(made, sums) if each.op is OPS.set]
    assert [len(each.lanes) for each in sets] == [1, 1, 1]


def test_a_component_is_not_set_behind_a_read_of_its_value() -> None:
    made = Pixel()
    b, each = made.b, made.each
    sums = [b.var(f"sum{at}", F32) for at in range(2)]
    read: list[Value] = []

    def assigned(values: list[Value]) -> None:
        b.set(sums[0], values[0])
        value = values[1]
        for _ in range(NEAR + 8):  # too many to join the first two assignments
            value = each(b.fsqrt(value))
        b.set(sums[1], value)
        read.append(each(b.get(sums[1])))
        b.set(sums[0], each(b.fadd(read[0], values[0])))
        b.set(sums[1], each(b.fadd(read[0], values[1])))

    in_a_loop(made, assigned)
    groups = groups_of_a_loop(made, sums)
    (at,) = (at for at, each in enumerate(groups) if each.first is read[0])
    sets = [[each.attr for each in each.lanes] for each in groups[:at] if each.op is OPS.set]
    assert sets == [[sums[0]], [sums[1]]]
