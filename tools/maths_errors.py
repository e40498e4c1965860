"""Measure the errors of approximated functions, and write the table of docs/why/floats.md.

    python tools/maths_errors.py

Each row is a function that is not exact, as a family of programs computes it, run by the lockstep
engine on numbers of a range and compared with NumPy's results in 64 bits. Half of the numbers are
spaced evenly, half at random, with a fixed seed. Functions of halves are run on every half.

An error is in units in the last place of the exact result (ulp), where that is a normal number; for
functions with a visible error it is absolute.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import ceil, floor, log2, log10, pi
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR, Value
from unshade.ir.library import scalar_functions as glsl
from unshade.ir.library import skia
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Space
from unshade.ir.ops import OPS
from unshade.ir.types import F16, F32, KEEP, Type
from unshade.programs.pica.lower.precision import Float24Arithmetic
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep
from unshade.vm.prepare import prepare

PAGE = Path(__file__).resolve().parent.parent / "docs" / "why" / "floats.md"
MARKS = re.compile(r"(<!-- errors -->\n).*?(<!-- /errors -->)", re.DOTALL)
COUNT = 1 << 20  # numbers of a row
GROUP = 64
Array = npt.NDArray[Any]
Formula = Callable[..., Value]
Range = tuple[float, float]


class Measured(NamedTuple):
    """A function, where it is used, the ranges of its operands, and the kind of its error."""

    name: str
    used: str
    formula: Formula
    exact: Callable[..., Array]
    ranges: tuple[Range, ...]
    unit: str = "ulp"
    digits: int = 24  # of the result
    type: Type = F32


LIBRARY = "DXIL, Direct3D 11, SPIR-V"
GLSL = "GLSL.std.450"
SKIA = "SkSL"
PICA = "3DS, float24"


def _library(name: str) -> Formula:
    return lambda b, *xs: b.make(OPS[name], *xs)


def _float24(name: str) -> Formula:
    return lambda b, x: getattr(Float24Arithmetic(b), name)(Float24Arithmetic(b).given(x))


def _cut(x: Array) -> Array:
    """Return numbers as the 3DS reads them: 16 bits of mantissa."""
    bits: Array = x.astype("<f4").view("<u4") & 0xFFFF_FF80
    return bits.view("<f4").astype("<f8")


# fmt: off
ROWS: tuple[Measured, ...] = (
    Measured("tan",   LIBRARY, _library("tan"),  np.tan,     ((-65536, 65536),)),
    Measured("asin",  LIBRARY, _library("asin"), np.arcsin,  ((-1, 1),)),
    Measured("acos",  LIBRARY, _library("acos"), np.arccos,  ((-1, 1),)),
    Measured("atan",  LIBRARY, _library("atan"), np.arctan,  ((-50, 50),)),
    Measured("sinh",  LIBRARY, _library("sinh"), np.sinh,    ((-89, 89),)),
    Measured("cosh",  LIBRARY, _library("cosh"), np.cosh,    ((-89, 89),)),
    Measured("tanh",  LIBRARY, _library("tanh"), np.tanh,    ((-9, 9),)),
    Measured("Exp",   GLSL,    glsl.exp,         np.exp,     ((-2, 2),)),
    Measured("Exp",   GLSL,    glsl.exp,         np.exp,     ((-87, 88),)),
    Measured("Log",   GLSL,    glsl.log,         np.log,     ((2.0**-126, 2.0**127),)),
    Measured("Atan2", GLSL,    glsl.atan2,       np.arctan2, ((-50, 50), (-50, 50))),
    Measured("Asinh", GLSL,    glsl.asinh,       np.arcsinh, ((-1e6, 1e6),)),
    Measured("Acosh", GLSL,    glsl.acosh,       np.arccosh, ((1, 1e6),)),
    Measured("Atanh", GLSL,    glsl.atanh,       np.arctanh, ((-0.999, 0.999),)),
    Measured("sin",   SKIA,    skia.sin,         np.sin,     ((-100, 100),), "absolute"),
    Measured("cos",   SKIA,    skia.cos,         np.cos,     ((-100, 100),), "absolute"),
    Measured("tan",   SKIA,    skia.tan,         np.tan,     ((-pi / 4, pi / 4),), "absolute"),
    Measured("asin",  SKIA,    skia.asin,        np.arcsin,  ((-1, 1),), "absolute"),
    Measured("acos",  SKIA,    skia.acos,        np.arccos,  ((-1, 1),), "absolute"),
    Measured("atan",  SKIA,    skia.atan,        np.arctan,  ((-50, 50),), "absolute"),
    Measured("log2",  SKIA,    skia.log2,        np.log2,    ((2.0**-100, 2.0**100),), "absolute"),
    Measured("exp2",  SKIA,    skia.exp2,        np.exp2,    ((-100, 100),), "relative"),
    Measured("pow",   SKIA,    skia.power,       np.power,   ((0.01, 100), (-4, 4)), "relative"),
    Measured("ex2",   PICA,    _float24("exponential"), lambda x: np.exp2(_cut(x)),
             ((-60, 60),), "ulp", 17),
    Measured("lg2",   PICA,    _float24("logarithm"), lambda x: np.log2(_cut(x)),
             ((2.0**-60, 2.0**60),), "ulp", 17),
    Measured("rcp",   PICA,    _float24("reciprocal"), lambda x: 1 / _cut(x),
             ((2.0**-60, 2.0**60),), "ulp", 17),
    Measured("rsq",   PICA,    _float24("reciprocal_root"), lambda x: 1 / np.sqrt(_cut(x)),
             ((2.0**-60, 2.0**60),), "ulp", 17),
    *(Measured(name, "the same, halves", _library(name), exact, (), "ulp", 11, F16)
      for name, exact in (
          ("sin", np.sin), ("cos", np.cos), ("tan", np.tan), ("asin", np.arcsin),
          ("acos", np.arccos), ("atan", np.arctan), ("sinh", np.sinh), ("cosh", np.cosh),
          ("tanh", np.tanh), ("exp2", np.exp2), ("log2", np.log2),
          ("rsqrt", lambda x: 1 / np.sqrt(x)),
      )),
)
# fmt: on


def numbers(row: Measured, count: int) -> list[Array]:
    """Return the operands of a row: of halves every one, of floats `count` each."""
    if row.type == F16:
        return [np.arange(1 << 16, dtype="<u2").view("<f2")]
    chance = np.random.default_rng(1)
    found = []
    for at, (low, high) in enumerate(row.ranges):
        shares = chance.uniform(0, 1, count)
        if not at:
            shares[::2] = np.linspace(0, 1, len(shares[::2]))
        if low > 0 and high / low > 1 << 20:  # spaced by their exponents
            spread = 2.0 ** (log2(low) + shares * (log2(high) - log2(low)))
        else:
            spread = low + shares * (high - low)
        found.append(spread.astype("<f4"))
    return found


def run(row: Measured, operands: Sequence[Array]) -> Array:
    """Return the results of a function."""
    size = row.type.size
    b = Builder(KernelIR("main", group=(GROUP, 1, 1), flush=KEEP))
    given = [b.memory(f"x{at}", Space.BUFFER, size) for at in range(len(operands))]
    out = b.memory("y", Space.BUFFER, size, writable=True)
    i = b.source("thread_id.x")
    b.store(out, i, 0, row.formula(b, *(b.load(each, i, 0, row.type) for each in given)))
    kernel = prepare(Lowered(b.kernel), {}, {})
    count = len(operands[0])
    groups = -(-count // GROUP)
    memories = {
        f"x{at}": np.resize(each, groups * GROUP).view(np.uint8) for at, each in enumerate(operands)
    }
    memories["y"] = np.zeros(groups * GROUP * size, np.uint8)
    Lockstep().run(kernel, Launch(memories, (groups, 1, 1)))
    return memories["y"].view(f"<f{size}")[:count]


def error(row: Measured, count: int = COUNT) -> float:
    """Return the greatest error of a function."""
    operands = numbers(row, count)
    got = run(row, operands).astype("<f8")
    with np.errstate(all="ignore"):
        exact = row.exact(*(each.astype("<f8") for each in operands))
        least, most = (2.0**-14, 65504.0) if row.type == F16 else (2.0**-126, 2.0**127)
        size = np.abs(exact)
        usable = np.isfinite(exact) & (size < most)
        if row.unit == "absolute":
            return float(np.abs(got - exact)[usable].max())
        usable &= size >= least
        got, exact, size = got[usable], exact[usable], size[usable]
        scale = (
            size if row.unit == "relative" else 2.0 ** (np.floor(np.log2(size)) + 1 - row.digits)
        )
        return float((np.abs(got - exact) / scale).max())


def spelled(number: float) -> str:
    """Return a number with two digits, or two after the point, rounded up."""
    if number >= 0.01:
        return f"{np.ceil(number * 100) / 100:.2f}"
    power = floor(log10(number)) - 1
    return f"{ceil(number / 10.0**power) * 10.0**power:.1e}"


def limit(number: float) -> str:
    """Return the end of a range."""
    exponent = log2(abs(number)) if number else 0.5
    if exponent == int(exponent) and abs(exponent) > 3:
        return f"{'-' if number < 0 else ''}2^{int(exponent)}"
    return "pi / 4" if number == pi / 4 else "-pi / 4" if number == -pi / 4 else f"{number:g}"


def over(row: Measured) -> str:
    """Return the words for the numbers of a row."""
    if row.type == F16:
        return "every half with a normal result"
    return " and ".join(f"{limit(low)} to {limit(high)}" for low, high in row.ranges)


def table() -> str:
    """Return the rows of the page."""
    lines = ["| function | of | over | greatest error |", "|---|---|---|---|"]
    for row in ROWS:
        unit = {"ulp": " ulp", "absolute": "", "relative": " of the result"}[row.unit]
        found = spelled(error(row)) + unit
        lines.append(f"| `{row.name}` | {row.used} | {over(row)} | {found} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(MARKS.sub(lambda m: m[1] + table() + m[2], page), encoding="utf-8")


if __name__ == "__main__":
    main()
