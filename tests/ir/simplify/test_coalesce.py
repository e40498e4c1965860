"""Variables between which values are copied become one unless both are needed."""

from tests.oracle.verify import verify
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.memory import Memory, Space, Var
from unshade.ir.simplify import simplify
from unshade.ir.simplify.coalesce import coalesce
from unshade.ir.types import F32, I32


def kernel() -> tuple[Builder, Var, Var, Memory]:
    b = Builder(KernelIR("copies"))
    out = b.memory("u0", Space.BUFFER, 4, writable=True)
    return b, b.var("x", F32), b.var("y", F32), out


def names(b: Builder) -> list[str]:
    return [each.name for each in b.kernel.variables]


def test_nested_loops_that_pass_a_value_on_use_one_variable() -> None:
    b, x, y, out = kernel()
    kept, n = b.var("kept", F32), b.var("n", I32)
    with b.loop():
        b.set(y, b.get(x))
        b.set(n, b.load(out, 0))
        with b.loop():
            value = b.fadd(b.get(y), b.asfloat(b.load(out, 1)))
            b.set(kept, value)
            with b.when(b.ieq(b.get(n), 4)):
                b.break_()
            b.set(n, b.iadd(b.get(n), 1))
            b.set(y, value)
        b.set(x, b.get(kept))
        with b.when(b.ieq(b.load(out, 2), 0)):
            b.break_()
    b.store(out, 3, 0, b.asint(b.get(kept)))
    assert coalesce(b.kernel)
    verify(b.kernel)
    assert len(names(b)) == 2
    simplify(b.kernel)
    sets = [each for each in b.kernel.values() if each.op.name == "set" and each.attr is not n]
    assert len(sets) == 1


def test_a_copy_whose_source_is_set_while_both_are_needed_stays() -> None:
    b, x, y, out = kernel()
    b.set(y, b.get(x))
    b.set(x, b.asfloat(b.load(out, 0)))
    b.store(out, 1, 0, b.asint(b.fadd(b.get(x), b.get(y))))
    assert not coalesce(b.kernel)


def test_two_copies_of_one_value_are_one_until_a_set() -> None:
    for changed in (False, True):
        b, x, y, out = kernel()
        value = b.asfloat(b.load(out, 0))
        b.set(x, value)
        b.set(y, value)
        with b.when(b.ieq(b.load(out, 1), 1)):
            b.set(y, b.fadd(b.get(x), b.get(y)) if changed else value)
        b.store(out, 1, 0, b.asint(b.fsub(b.get(x), b.get(y))))
        assert coalesce(b.kernel) is not changed


def test_a_variable_that_another_iteration_needs_stays() -> None:
    b, x, y, out = kernel()
    with b.loop():
        b.store(out, 1, 0, b.asint(b.get(y)))  # of the iteration before
        value = b.fadd(b.get(x), b.asfloat(b.load(out, 0)))
        b.set(x, b.fmul(value, value))
        with b.when(b.ieq(b.load(out, 2), 0)):
            b.break_()
        b.set(y, value)
    b.store(out, 3, 0, b.asint(b.get(x)))
    assert not coalesce(b.kernel)
    assert names(b) == ["x", "y"]


def test_integers_are_left_alone() -> None:
    b = Builder(KernelIR("copies"))
    out = b.memory("u0", Space.BUFFER, 4, writable=True)
    x, y = b.var("x", I32), b.var("y", I32)
    b.set(x, b.load(out, 0))
    b.set(y, b.get(x))
    b.store(out, 1, 0, b.get(y))
    assert not coalesce(b.kernel)


def test_integers_are_merged_for_source_unless_one_counts() -> None:
    for counts in (False, True):
        b, _, _, out = kernel()
        n, kept = b.var("n", I32), b.var("kept", I32)
        with b.loop():
            b.set(n, b.iadd(b.get(n), 1) if counts else b.load(out, 0))
            b.set(kept, b.get(n))
            with b.when(b.ieq(b.get(n), 4)):
                b.break_()
        b.store(out, 1, 0, b.get(kept))
        assert not coalesce(b.kernel)
        assert coalesce(b.kernel, floats_only=False) is not counts
