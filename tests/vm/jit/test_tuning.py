"""Kernels of any size: large ones are compiled without optimisation, or not at all."""

import pytest

from tests.vm.engines import ENGINES, JITS, parsed, run, same, words
from unshade.errors import UnsupportedError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.memory import Space
from unshade.ir.printing import print_kernel
from unshade.ir.types import I32
from unshade.vm.jit import tuning
from unshade.vm.jit.engine import CompiledKernel
from unshade.vm.jit.layout import layout
from unshade.vm.jit.tuning import level_of, width_of

pytestmark = pytest.mark.heavy


def accesses(count: int, wide: bool) -> KernelIR:
    """Return a kernel with many loads, contiguous or uniform, some of them out of bounds."""
    kernel = KernelIR(group=(8, 1, 1))
    b = Builder(kernel)
    source = b.memory("t0", Space.BUFFER, 4)
    target = b.memory("u0", Space.BUFFER, 4, writable=True)
    lane = b.source("thread_id.x")
    total = lane
    for number in range(count):
        place = b.iadd(lane, number) if wide else b.i32(number)
        total = b.iadd(total, b.load(source, place, 0, I32))
    b.store(target, lane, 0, total)
    return kernel


def level(kernel: KernelIR) -> int:
    """Return the optimisation level of a kernel."""
    return level_of(kernel, CompiledKernel(kernel, layout(kernel, True, True, 8)).text)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize(("count", "wanted"), [(20, 2), (220, 2), (1210, 0)])
def test_accesses(count: int, wanted: int, wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = accesses(count, wide)
    if wanted == 0:
        # Where LLVM uses no gathers, 1,210 accesses of 64 lanes overflow the stack at level 0, and
        # are refused. `width_of` chooses one register for a value there.
        assert width_of(kernel, 256) == 8
        narrow = (each for each in ENGINES if getattr(each, "width", 8) in (None, 8))
        monkeypatch.setattr("tests.vm.engines.ENGINES", tuple(narrow))
    memories = {"t0": words(*range(1, 251)), "u0": bytes(64)}
    same(print_kernel(kernel), memories, groups=(2, 1, 1))
    assert level(kernel) == wanted


@pytest.mark.slow
def test_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "MAX_OPTIMISED", 1000)
    kernel = KernelIR(group=(8, 1, 1))
    b = Builder(kernel)
    target = b.memory("u0", Space.BUFFER, 4, writable=True)
    lane = total = b.source("thread_id.x")
    for number in range(tuning.MAX_OPTIMISED):
        total = b.iadd(b.imul(total, 3), number) if number % 2 else b.xor(total, lane)
    b.store(target, lane, 0, total)
    same(print_kernel(kernel), {"u0": bytes(32)})
    assert level(kernel) == 0


@pytest.mark.slow
def test_consecutive_loops() -> None:
    """It takes seconds, but much longer if LLVM sees the budget through all loops."""
    kernel = KernelIR(group=(8, 1, 1))
    b = Builder(kernel)
    target = b.memory("u0", Space.BUFFER, 4, writable=True)
    lane = b.source("thread_id.x")
    var = b.var("n", I32)
    for number in range(60):
        with b.loop():
            with b.when(b.ult(b.iadd(lane, 3 * number), b.get(var))):
                b.break_()
            b.set(var, b.iadd(b.get(var), 1))
    b.store(target, lane, 0, b.get(var))
    same(print_kernel(kernel), {"u0": bytes(32)})
    assert level(kernel) == 2


def test_kernels_too_long_for_the_jit(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = accesses(20, True)
    for name in ("MAX_OPERATIONS", "MAX_LINES"):
        with monkeypatch.context() as patched:
            patched.setattr(tuning, name, 10)
            with pytest.raises(UnsupportedError, match="lockstep"):
                run(JITS[0], parsed(print_kernel(kernel)), {"t0": b"", "u0": bytes(32)})


def live(count: int) -> KernelIR:
    """Return a kernel whose loads are all live at once."""
    kernel = KernelIR(group=(64, 1, 1))
    b = Builder(kernel)
    source = b.memory("t0", Space.BUFFER, 4 * count)
    target = b.memory("u0", Space.BUFFER, 4, writable=True)
    lane = b.source("thread_id.x")
    values = [b.load(source, b.imul(lane, 3), 4 * number, I32) for number in range(count)]
    total = values[0]
    for value in values[1:]:
        total = b.xor(b.imul(total, 5), value)
    b.store(target, lane, 0, total)
    return kernel


@pytest.mark.parametrize(
    ("bits", "count", "lanes"),
    [(512, 8, 64), (512, 16, 32), (512, 40, 16), (256, 4, 32), (256, 14, 16), (256, 30, 8)],
)
def test_values_that_are_live_at_once_narrow_a_chunk(bits: int, count: int, lanes: int) -> None:
    assert tuning.width_of(live(count), bits) == lanes
