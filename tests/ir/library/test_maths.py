"""Errors of the maths functions, and their special values."""

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.oracle.interpret import interpret
from unshade.errors import UnsupportedError
from unshade.ir.builder import Builder
from unshade.ir.kernel import If, KernelIR
from unshade.ir.library.maths import expand
from unshade.ir.memory import Space
from unshade.ir.ops import OPS
from unshade.ir.simplify import simplify
from unshade.ir.transforms.canonicalise import canonicalise
from unshade.ir.transforms.flush import mixes
from unshade.ir.types import F16, F32, F64, FLUSH_32, KEEP, Type, Widths
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep

Array = npt.NDArray[Any]
ROOT = Path(__file__).parents[3]
INF, NAN = float("inf"), float("nan")


@cache
def kernel(name: str, flush: Widths = FLUSH_32, type: Type = F32) -> KernelIR:
    """Return the kernel y[i] = name(x[i]), fully expanded."""
    b = Builder(KernelIR(name, group=(64, 1, 1), flush=flush))
    arguments = 2 if name == "pow" else 1
    xs = [b.memory(f"x{n}", Space.BUFFER, type.size) for n in range(arguments)]
    y = b.memory("y", Space.BUFFER, type.size, writable=True)
    i = b.source("thread_id.x")
    b.store(y, i, 0, b.make(OPS[name], *(b.load(x, i, 0, type) for x in xs)))
    expand(b.kernel)
    simplify(b.kernel)
    canonicalise(b.kernel)
    return b.kernel


def run(name: str, *xs: Array, flush: Widths = FLUSH_32) -> Array:
    count = len(xs[0])
    groups = -(-count // 64)
    memories = {
        f"x{n}": np.resize(x.astype("<f4"), groups * 64).view(np.uint8) for n, x in enumerate(xs)
    }
    memories["y"] = np.zeros(groups * 256, np.uint8)
    Lockstep().run(kernel(name, flush), Launch(memories=memories, groups=(groups, 1, 1)))
    return memories["y"].view("<f4")[:count]


def off(name: str, x: Array, exact: Callable[[Array], Array]) -> float:
    """Return the greatest error in ulp, over normal results."""
    x = x.astype("<f4")
    with np.errstate(all="ignore"):
        wanted = exact(x.astype("<f8"))
        normal = (np.abs(wanted) >= 2.0**-126) & (np.abs(wanted) < 2.0**128)
        got, wanted = run(name, x)[normal].astype("<f8"), wanted[normal]
        unit = 2.0 ** (np.floor(np.log2(np.abs(wanted))) - 23)
        errors: Array = np.abs(got - wanted) / unit
    return float(errors.max())


def even(low: float, high: float) -> Callable[[int], Array]:
    return lambda count: np.linspace(low, high, count)


def wide(low: float, high: float) -> Callable[[int], Array]:
    """Return powers of two, of both signs."""

    def made(count: int) -> Array:
        found = 2.0 ** np.linspace(low, high, count // 2)
        return np.concatenate((found, -found))

    return made


def near_turns(count: int) -> Array:
    """Return numbers next to multiples of pi / 2, with small remainders."""
    turns = (np.arange(1, count // 3) * (np.pi / 2)).astype("<f4")
    beside = [np.nextafter(turns, np.float32(to)) for to in (0, 1e30)]
    return np.concatenate((turns, *beside))


Exact = Callable[[Array], Array]
ANGLES = even(-100, 100), even(-65536, 65536), even(-1e6, 1e6), wide(-120, 16)
# fmt: off
SWEEPS: dict[str, tuple[Exact, float, tuple[Callable[[int], Array], ...]]] = {
    # name     exact        most   where
    "sin":   (np.sin,       1.6,  ANGLES),
    "cos":   (np.cos,       1.6,  ANGLES),
    "tan":   (np.tan,       2.2,  (even(-1.5, 1.5), even(-65536, 65536), wide(-120, 16))),
    "asin":  (np.arcsin,    1.5,  (even(-1, 1), wide(-60, 0))),
    "acos":  (np.arccos,    1.3,  (even(-1, 1), wide(-60, 0))),
    "atan":  (np.arctan,    1.8,  (even(-4, 4), wide(-60, 60))),
    "sinh":  (np.sinh,      1.7,  (even(-3, 3), even(-89.4, 89.4), wide(-60, 6))),
    "cosh":  (np.cosh,      1.5,  (even(-3, 3), even(-89.4, 89.4), wide(-60, 6))),
    "tanh":  (np.tanh,      1.4,  (even(-3, 3), wide(-60, 6))),
    "exp2":  (np.exp2,      1.2,  (even(-1, 1), even(-126, 127.9), wide(-40, 6))),
    "log2":  (np.log2,      1.9,  (even(0.5, 2), even(0.99, 1.01), wide(-126, 127.9))),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 1.6, (even(0.25, 4), wide(-126, 127.9))),
}
# fmt: on


@pytest.mark.parametrize("name", SWEEPS)
def test_results_are_close(name: str) -> None:
    exact, most, ranges = SWEEPS[name]
    assert max(off(name, made(4000), exact) for made in ranges) <= most


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEEPS)
def test_results_are_close_everywhere(name: str) -> None:
    exact, most, ranges = SWEEPS[name]
    assert max(off(name, made(3_000_017), exact) for made in ranges) <= most


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sin", "cos"])
def test_multiples_of_a_quarter_turn(name: str) -> None:
    exact = {"sin": np.sin, "cos": np.cos}[name]
    assert off(name, near_turns(120_000), exact) <= 1.6


@pytest.mark.slow
@pytest.mark.parametrize("name", ["exp2", "log2", "sin", "cos"])
def test_all_floats_between_two_powers(name: str) -> None:
    """Every float from 1 to 2, and for sin and cos also from 512 to 1024."""
    ones = np.arange(0x3F80_0000, 0x4000_0000, dtype="<u4").view("<f4")
    exact, most, _ = SWEEPS[name]
    assert off(name, ones, exact) <= most
    if name in ("sin", "cos"):
        assert off(name, ones * np.float32(512), exact) <= most


def test_huge_angles_stay_in_range() -> None:
    x = np.concatenate((2.0 ** np.linspace(20, 127.9, 5000), [3.4e38]))
    for name in ("sin", "cos"):
        assert np.all(np.abs(run(name, x)) <= 1)


def test_large_angles_lose_whole_turns() -> None:
    x = (2.0 ** np.linspace(19.9, 28, 3000)).astype("<f4")
    for name, exact in (("sin", np.sin), ("cos", np.cos)):
        assert np.abs(run(name, x) - exact(x.astype("<f8"))).max() < 4e-7


def test_sine_and_cosine_of_an_angle_share_its_reduction() -> None:
    b = Builder(KernelIR("both", group=(64, 1, 1)))
    x = b.memory("x", Space.BUFFER, 4)
    y = b.memory("y", Space.BUFFER, 4, writable=True)
    angle = b.load(x, b.source("thread_id.x"), 0, F32)
    b.store(y, b.source("thread_id.x"), 0, b.fadd(b.sin(angle), b.cos(angle)))
    expand(b.kernel)
    assert sum(isinstance(each, If) for each in b.kernel.body) == 1


SPECIAL: list[tuple[str, float, float]] = [
    *(("sin", x, y) for x, y in ((0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN))),
    *(("cos", x, y) for x, y in ((0.0, 1.0), (-0.0, 1.0), (INF, NAN), (NAN, NAN))),
    *(("tan", x, y) for x, y in ((0.0, 0.0), (-0.0, -0.0), (INF, NAN))),
    *(("asin", x, y) for x, y in ((-0.0, -0.0), (1.0, np.pi / 2), (1.5, NAN), (NAN, NAN))),
    *(("acos", x, y) for x, y in ((1.0, 0.0), (-1.0, np.pi), (-1.5, NAN), (NAN, NAN))),
    *(("atan", x, y) for x, y in ((-0.0, -0.0), (INF, np.pi / 2), (-INF, -np.pi / 2))),
    *(("sinh", x, y) for x, y in ((-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN))),
    *(("cosh", x, y) for x, y in ((0.0, 1.0), (INF, INF), (-INF, INF), (NAN, NAN))),
    *(("tanh", x, y) for x, y in ((-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN))),
    *(("exp2", x, y) for x, y in ((0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (128.0, INF))),
    *(("exp2", x, 2.0**x) for x in (-126.0, -1.0, 3.0, 127.0)),
    *(("log2", x, y) for x, y in ((0.0, -INF), (-0.0, -INF), (-1.0, NAN), (INF, INF), (NAN, NAN))),
    *(("log2", 2.0**n, float(n)) for n in (-126, -1, 0, 10, 127)),
    *(("rsqrt", x, y) for x, y in ((0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, NAN), (4.0, 0.5))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "x", "expected"), SPECIAL)
def test_special_values(name: str, x: float, expected: float) -> None:
    got = run(name, np.array([x])).view("<u4")[0]
    wanted = np.array([expected], "<f4").view("<u4")[0]
    assert got == (0x7FC0_0000 if np.isnan(expected) else wanted)


def test_subnormal_numbers() -> None:
    small = np.array([2.0**-149, -(2.0**-149), 2.0**-130], "<f4")
    assert list(run("log2", small)) == [-INF, -INF, -INF]
    assert list(run("log2", small, flush=KEEP)[::2]) == [-149, -130]
    assert np.isnan(run("log2", small, flush=KEEP)[1])
    assert list(run("exp2", np.array([-149.0, -130.0, -151.0]))) == [0, 0, 0]
    down = run("exp2", np.array([-149.0, -130.0, -151.0]), flush=KEEP)
    assert list(down) == [2.0**-149, 2.0**-130, 0]
    assert list(run("sin", small, flush=KEEP)) == list(small)


def test_powers_on_both_sides_of_the_branch() -> None:
    limits = np.array([-64, 64], "<f4")
    steps = [np.nextafter(limits, np.float32(to)) for to in (0, np.inf, -np.inf)]
    assert off("exp2", np.concatenate((limits, *steps)), np.exp2) <= 1.2
    assert list(run("exp2", limits)) == [2.0**-64, 2.0**64]
    mixed = np.array([1, -127, 200, np.nan, 2, -200, 100, -100], "<f4")
    with np.errstate(over="ignore"):
        wanted = np.exp2(mixed)
    wanted[1] = 0  # subnormal
    assert np.array_equal(run("exp2", mixed), wanted, equal_nan=True)


def test_logarithms_of_lanes_of_all_kinds() -> None:
    mixed = np.array([8, 0, -1, np.inf, np.nan, 2.0**-126, 2.0**-140, 4], "<f4")
    nan, inf = np.nan, np.inf
    wanted = np.array([3, -inf, nan, inf, nan, -126, -140, 2], "<f4")
    assert np.array_equal(run("log2", mixed, flush=KEEP), wanted, equal_nan=True)
    wanted[6] = -inf
    assert np.array_equal(run("log2", mixed), wanted, equal_nan=True)


def test_pow_is_exp2_of_log2() -> None:
    x = np.array([2, 4, 0, 0, 0, -1, INF, 9])
    y = np.array([10, 0.5, 2, -2, 0, 2, -1, 1.5])
    got = run("pow", x, y)
    assert list(got[:4]) == [1024, 2, 0, INF]
    assert np.isnan(got[4])
    assert np.isnan(got[5])
    assert got[6] == 0
    assert abs(got[7] - 27) < 1e-5


@pytest.mark.slow
def test_16_bit_results_are_rounded_from_32_bits() -> None:
    data = np.array([0.5, 1.0, 2.5, 60.0], "<f2")
    for name, exact in (("sin", np.sin), ("exp2", np.exp2), ("tanh", np.tanh)):
        memories = {"x0": bytearray(data.tobytes()), "y": bytearray(8)}
        interpret(kernel(name, type=F16), memories)
        with np.errstate(over="ignore"):
            wanted = exact(data.astype("<f8")).astype("<f2")
        assert np.frombuffer(memories["y"], "<f2").tolist() == wanted.tolist()


def test_only_rsqrt_has_64_bits() -> None:
    assert kernel("rsqrt", type=F64).body
    with pytest.raises(UnsupportedError, match="sin of 64-bit floats"):
        kernel("sin", type=F64)


def test_the_64_bit_part_is_independent_of_flushing() -> None:
    for name in SWEEPS:
        assert not mixes(kernel(name))


@pytest.mark.slow
def test_the_table_is_up_to_date() -> None:
    tool = ROOT / "tools" / "fit_maths.py"
    made = subprocess.run([sys.executable, str(tool)], capture_output=True, text=True, check=True)
    table = ROOT / "src" / "unshade" / "ir" / "library" / "coefficients.py"
    assert table.read_text(encoding="utf-8") == made.stdout
