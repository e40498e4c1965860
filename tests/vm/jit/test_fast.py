"""The option `fast`: fused products and sums, approximate quotients, and their largest error."""

from collections.abc import Callable

import numpy as np
import pytest

import unshade
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR, Value
from unshade.ir.memory import Space
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.types import F32, FLUSH_32
from unshade.run.ulp import ulp_distance
from unshade.vm.jit import Jit
from unshade.vm.jit.processor import processor
from unshade.vm.launch import Array, Launch

WIDTHS = (8, 16, 64)


@pytest.fixture(params=[None, 256], autouse=True)
def registers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with the machine's vector registers, and with registers of 256 bits."""
    here = processor()
    chosen = here._replace(bits=min(here.bits, request.param or here.bits))
    monkeypatch.setattr("unshade.vm.jit.engine.processor", lambda: chosen)


Formula = Callable[[Builder, Value, Value], Value]


def computed(formula: Formula, x: Array, y: Array, width: int, fast: bool = True) -> Array:
    """Return the jit's results of a formula of two numbers, one lane for each pair."""
    kernel = KernelIR(group=(8, 1, 1), flush=FLUSH_32)
    b = Builder(kernel)
    memories = [b.memory(name, Space.BUFFER, 4) for name in "xy"]
    out = b.memory("out", Space.BUFFER, 4, writable=True)
    lane = b.source("thread_id.x")
    one, other = (b.load(memory, lane, 0, F32) for memory in memories)
    b.store(out, lane, 0, formula(b, one, other))
    canonicalise(kernel)
    found = np.zeros(len(x), np.float32)
    arrays = {"x": x, "y": y, "out": found}
    launch = Launch(
        {name: each.view(np.uint8) for name, each in arrays.items()}, (len(x) // 8, 1, 1)
    )
    Jit(threads=1, width=width, fast=fast).run(kernel, launch)
    return found


def numbers(seed: int, low: float, high: float, signs: bool = True) -> Array:
    """Return floats of all sizes between two powers of two."""
    chance = np.random.default_rng(seed)
    found = 2.0 ** chance.uniform(low, high, 1 << 14)
    return (found * (chance.choice([-1, 1], len(found)) if signs else 1)).astype(np.float32)


@pytest.mark.parametrize("width", WIDTHS)
def test_quotients_are_close(width: int) -> None:
    x, y = numbers(1, -60, 60), numbers(2, -60, 60)
    found = computed(lambda b, x, y: b.fdiv(x, y), x, y, width)
    assert ulp_distance(found, x.astype(np.float64) / y).max() <= 3


@pytest.mark.parametrize("width", WIDTHS)
def test_inverses_are_close(width: int) -> None:
    x = numbers(3, -125, 125)
    found = computed(lambda b, x, y: b.fdiv(1.0, x), x, x, width)
    assert ulp_distance(found, 1 / x.astype(np.float64)).max() <= 2


@pytest.mark.parametrize("width", WIDTHS)
def test_inverse_roots_are_close(width: int) -> None:
    x = numbers(4, -125, 125, signs=False)
    found = computed(lambda b, x, y: b.fdiv(1.0, b.fsqrt(x)), x, x, width)
    assert ulp_distance(found, 1 / np.sqrt(x.astype(np.float64))).max() <= 3


@pytest.mark.parametrize("width", WIDTHS)
def test_extreme_values_are_exact(width: int) -> None:
    inf, nan = np.inf, np.nan
    x = np.array([1, -1, 1, -1, 0, inf, nan, 1], np.float32)
    y = np.array([0, 0, inf, inf, 0, inf, 1, nan], np.float32)
    with np.errstate(all="ignore"):
        assert np.array_equal(computed(lambda b, x, y: b.fdiv(x, y), x, y, width), x / y, True)
        z = np.array([0, -0.0, inf, -1, nan, 4, 1, 0.25], np.float32)
        roots = computed(lambda b, x, y: b.fdiv(1.0, b.fsqrt(x)), z, z, width)
        assert ulp_distance(roots, 1 / np.sqrt(z)).max() <= 3
        inverses = computed(lambda b, x, y: b.fdiv(1.0, x), z, z, width)
    assert ulp_distance(inverses, [inf, -inf, 0, -1, nan, 0.25, 1, 4]).max() <= 2


@pytest.mark.parametrize("width", WIDTHS)
def test_a_product_and_a_sum_are_rounded_once(width: int) -> None:
    x = np.full(8, 1 + 2**-12, np.float32)
    square = computed(lambda b, x, y: b.fsub(b.fmul(x, x), y), x, x * x, width)
    assert np.all(square == np.float32(2**-24))
    exact = computed(lambda b, x, y: b.fsub(b.fmul(x, x), y), x, x * x, width, fast=False)
    assert np.all(exact == 0)


def test_a_uniform_divisor() -> None:
    x = numbers(5, -60, 60)
    found = computed(lambda b, x, y: b.fdiv(x, b.asfloat(b.i32(0x40400000))), x, x, 16)
    assert ulp_distance(found, x.astype(np.float64) / 3).max() <= 1


@pytest.mark.slow
def test_fast_maths_of_a_shader() -> None:
    shader = unshade.open("examples/gyroid.dxbc")
    size, given = (64, 40), {"resolution": [64, 40], "time": 1.0}
    exact = unshade.kernel(shader).shade(size, **given)["SV_Target"]
    fast = unshade.kernel(shader, fast=True).shade(size, **given)["SV_Target"]
    assert not np.array_equal(exact, fast)
    assert np.mean(np.abs(exact - fast) > 1e-3) < 0.02  # at edges
