"""Variables that always hold the same value become one; others stay apart."""

from tests.oracle.verify import verify
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.memory import Memory, Space, Var
from unshade.ir.simplify.copies import merge_copies
from unshade.ir.types import I32


def kernel() -> tuple[Builder, Var, Var, Memory]:
    b = Builder(KernelIR("copies"))
    out = b.memory("u0", Space.BUFFER, 4, writable=True)
    return b, b.var("x", I32), b.var("y", I32), out


def test_variables_that_are_set_together_are_one() -> None:
    b, x, y, out = kernel()
    with b.loop():
        value = b.load(out, 0)
        b.set(x, value)
        more = b.iadd(value, 1)
        b.set(y, value)
        with b.when(b.ieq(more, 4)):
            b.break_()
    b.store(out, b.get(x), 0, b.get(y))
    assert merge_copies(b.kernel)
    verify(b.kernel)
    assert [each.name for each in b.kernel.variables] == ["x"]
    assert not merge_copies(b.kernel)


def test_variables_that_differ_between_their_sets_are_two() -> None:
    b, x, y, out = kernel()
    value = b.load(out, 0)
    b.set(x, value)
    b.store(out, 1, 0, b.get(y))  # still 0
    b.set(y, value)
    assert not merge_copies(b.kernel)


def test_variables_that_are_set_in_other_places_are_two() -> None:
    b, x, y, out = kernel()
    value = b.load(out, 0)
    b.set(x, value)
    with b.when(b.ieq(value, 1)):
        b.set(y, value)
    b.store(out, b.get(x), 0, b.get(y))
    assert not merge_copies(b.kernel)
