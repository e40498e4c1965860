"""Measure the functions of HLSL and GLSL on edge values, and write docs/functions.md.

    python tools/function_errors.py            (needs Slang, which compiles them)

Each row is a function with the types that it takes. A function of a source calls it, and runs over
every combination of edge values and over seeded numbers of its domain, on both engines, whose bits
have to be equal. Results are compared with NumPy's in 64 bits.

The error of a number is in units in the last place of the exact result (ulp), half a unit if it is
rounded correctly; where that is subnormal, 0 counts as exact, since shaders may flush. Functions
that add products cancel: their error is in units of the greatest term.

Source: Vulkan specification, Precision and Operation of SPIR-V Instructions.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import unshade
from unshade.run.proving.numbers import edge_values
from unshade.run.source_functions import ShaderFunctions

PAGE = Path(__file__).resolve().parent.parent / "docs" / "functions.md"
MARKS = re.compile(r"(<!-- functions -->\n).*?(<!-- /functions -->)", re.DOTALL)
WIDER: dict[Any, Any] = {np.dtype(np.float64): np.longdouble}  # of references
COUNT = 4096  # seeded numbers of a row
Array = npt.NDArray[Any]
PI = np.pi
WIDE = (-1e4, 1e4)
SHORT = (-8.0, 8.0)
UNIT = (0.0, 1.0)
BALL = (-1.0, 1.0)


class Tolerance(NamedTuple):
    """What the specification allows, in words, and in ulp or as an absolute error.

    `ulp` may be a function of the operands. None is not specified.
    """

    words: str
    ulp: float | Callable[..., Array] | None = None
    absolute: float | Callable[..., Array] = 0.0


EXACT = Tolerance("exact", 0.5)
UNSPECIFIED = Tolerance("not specified")
ONE = Tolerance("correctly rounded", 0.5)
ROUNDS = Tolerance("of its expression", 4.0)
EXP = Tolerance("3 + 2 \\|x\\| ulp", lambda x: 3 + 2 * np.abs(x))
EXPE = Tolerance("3 + 2 \\|x\\| ulp", lambda x: 3 + 2 * np.abs(x))
LOG = Tolerance(
    "3 ulp, 2^-21 in [0.5, 2]", 3.0, lambda x: np.where((x >= 0.5) & (x <= 2), 2.0**-21, 0.0)
)
ROOT = Tolerance("2 ulp", 2.0)
SQRT = Tolerance("of 1 / inversesqrt: 4.5 ulp", 4.5)
DIVIDE = Tolerance("2.5 ulp", 2.5)
POW = Tolerance(
    "of exp2(y log2(x))", lambda x, y: 16 + 4 * np.abs(y * np.log2(np.maximum(x, 1e-30)))
)
OWN = Tolerance("of its expression", None)
EXP_OF_SECOND = Tolerance("3 + 2 \\|y\\| ulp", lambda x, y: 4 + 2 * np.abs(y))
TURN = Tolerance("2^-11 in [-π, π]", 0.0, 2.0**-11)
ARC = Tolerance("4096 ulp", 4096.0)


class Row(NamedTuple):
    """A function.

    names      in HLSL and in GLSL; empty where the language has none
    given      types of parameters: T the tested type, S its scalar, I, U, F, B of its shape,
               V a vector of a matrix's size, or a kind and a size: u4, f2, i1
    result     the same; b a truth value
    through    statements of HLSL and of GLSL that return the result, in place of a call
    shows      what the result is, if a function has several
    exact      over float64 (integers as they are), of the result or with the greatest term
    domain     of seeded numbers, one for all or each
    """

    names: tuple[str, str]
    given: str
    result: str
    exact: Callable[..., Any]
    tolerance: Tolerance
    domain: tuple[float, float] | tuple[tuple[float, float], ...] = WIDE
    kinds: str = "fh"
    sizes: tuple[int, ...] = (1, 3)
    terms: bool = False
    edges: bool = True
    through: tuple[str, str] = ("", "")
    shows: str = ""


def dot(x: Array, y: Array) -> Array:
    return np.asarray((x * y).sum(-1) if x.ndim > 1 else x * y)


def term(x: Array, y: Array) -> Array:
    return np.asarray(np.abs(x * y).max(-1) if x.ndim > 1 else np.abs(x * y))


def rows_of(x: Array) -> Array:
    return x[..., np.newaxis] if x.ndim > 1 else x


def length(x: Array) -> Array:
    return np.asarray(np.sqrt(dot(x, x)))


def reflect(i: Array, n: Array) -> tuple[Array, Array]:
    moved = 2 * np.expand_dims(dot(n, i), -1) * n if i.ndim > 1 else 2 * n * i * n
    most = np.abs(i).max(-1, keepdims=True) if i.ndim > 1 else np.abs(i)
    size = np.expand_dims(term(n, i), -1) if i.ndim > 1 else term(n, i)
    return i - moved, np.maximum(most, 2 * size * np.abs(n))


def cross(x: Array, y: Array) -> tuple[Array, Array]:
    a, b = np.roll(x, -1, -1) * np.roll(y, -2, -1), np.roll(x, -2, -1) * np.roll(y, -1, -1)
    return a - b, np.maximum(np.abs(a), np.abs(b))


def faceforward(n: Array, i: Array, m: Array) -> Array:
    away = dot(m, i) < 0
    return np.asarray(np.where(away[..., np.newaxis] if n.ndim > 1 else away, n, -n))


def refract(i: Array, n: Array, eta: Array) -> Array:
    eta = eta[..., np.newaxis]
    d = np.expand_dims(dot(n, i), -1)
    k = 1 - eta * eta * (1 - d * d)
    return np.asarray(np.where(k < 0, 0, eta * i - (eta * d + np.sqrt(np.maximum(k, 0))) * n))


def determinant(x: Array) -> tuple[Array, Array]:
    return np.linalg.det(x), np.linalg.norm(x, axis=-1).prod(-1)


def multiply(x: Array, y: Array) -> tuple[Array, Array]:
    terms = x[..., :, :, np.newaxis] * y[..., np.newaxis, :, :]
    return terms.sum(-2), np.abs(terms).max(-2)


def smoothstep(low: Array, high: Array, x: Array) -> Array:
    t = np.clip((x - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def bits(x: Array) -> Array:
    return x.astype(np.int64) & 0xFFFF_FFFF


def count_bits(x: Array) -> Array:
    return np.asarray(np.bitwise_count(bits(x).astype(np.uint64)).astype(np.int64))


def lowest(x: Array) -> Array:
    word = bits(x)
    return np.asarray(np.where(word == 0, -1, np.log2(np.maximum(word & -word, 1)).astype(int)))


def highest(x: Array) -> Array:
    """Return the highest bit that differs from the sign, of an int; of an uint the highest."""
    word = np.where(x < 0, ~x.astype(np.int64), x.astype(np.int64))
    return np.asarray(np.where(word == 0, -1, np.log2(np.maximum(word, 1) + 0.0).astype(int)))


def reversed_bits(x: Array) -> Array:
    word, found = bits(x), np.zeros(x.shape, np.int64)
    for at in range(32):
        found |= ((word >> at) & 1) << (31 - at)
    return found


def words(x: Array) -> Array:
    """Return unsigned words as 64-bit integers."""
    return x.astype(np.int64) & 0xFFFF_FFFF


def joined(pieces: Array, width: int) -> Array:
    """Return the word whose pieces are along the last axis, the lowest first."""
    shifts = width * np.arange(pieces.shape[-1])
    return np.asarray(((pieces.astype(np.int64) & ((1 << width) - 1)) << shifts).sum(-1))


def pieces_of(x: Array, width: int, signed: bool = False) -> Array:
    """Return the pieces of words along a new last axis, the lowest first."""
    found = words(x)[..., np.newaxis] >> (width * np.arange(32 // width)) & ((1 << width) - 1)
    return np.asarray(
        np.where(found >> (width - 1), found - (1 << width), found) if signed else found
    )


def scaled(x: Array, low: float, most: int) -> Array:
    """Return numbers of the range from `low` to 1 as whole ones, computed in 32 bits."""
    clipped = np.clip(np.nan_to_num(x.astype(np.float32), nan=0), np.float32(low), np.float32(1))
    return np.asarray(np.round(clipped * np.float32(most)).astype(np.int64))


def halves(x: Array) -> Array:
    """Return the bits of numbers rounded to halves."""
    return np.asarray(x.astype(np.float32).astype(np.float16).view(np.uint16).astype(np.int64))


def of_halves(x: Array) -> Array:
    return np.asarray(x.astype(np.uint16).view(np.float16).astype(np.float64))


def lit(light: Array, half: Array, power: Array) -> Array:
    shine = np.where((light < 0) | (half < 0), 0, np.power(np.maximum(half, 0), power))
    one = np.ones_like(light)
    return np.stack([one, np.maximum(light, 0), shine, one], -1)


def extracted(x: Array, offset: Array, bits: Array) -> Array:
    shape = (...,) + (np.newaxis,) * (x.ndim - 1)
    offset, bits = offset.astype(np.int64)[shape], bits.astype(np.int64)[shape]
    found = words(x) >> offset & (1 << bits) - 1
    negative = (bits > 0) & (found >> np.maximum(bits - 1, 0) == 1) & (x.dtype.kind == "i")
    return np.asarray(np.where(negative, found - (1 << bits), found))


def inserted(base: Array, piece: Array, offset: Array, bits: Array) -> Array:
    shape = (...,) + (np.newaxis,) * (base.ndim - 1)
    mask = (1 << bits.astype(np.int64)[shape]) - 1 << offset.astype(np.int64)[shape]
    return np.asarray(words(base) & ~mask | words(piece) << offset.astype(np.int64)[shape] & mask)


def as_double(low: Array, high: Array) -> Array:
    both = words(low).astype(np.uint64) | words(high).astype(np.uint64) << np.uint64(32)
    return np.asarray(both.view(np.float64))


def word_of_double(x: Array, number: int) -> Array:
    bits_ = x.astype(np.float64).view(np.uint64) >> np.uint64(32 * number)
    return np.asarray((bits_ & np.uint64(0xFFFF_FFFF)).astype(np.int64))


def product_of(x: Array, y: Array) -> Array:
    """Return the low words of products of any sign: 64-bit integers wrap as these do."""
    with np.errstate(over="ignore"):
        return np.asarray(x.astype(np.int64) * y.astype(np.int64))


def high_product(x: Array, y: Array) -> Array:
    a, b = (each.astype(object) for each in (x, y))
    return np.asarray((a * b) >> 32, dtype=object).astype(np.int64)


BITS = ((-(2.0**31), 2.0**31), (0.0, 16.0), (0.0, 16.0))


# fmt: off
ROWS = (
    Row(("abs", "abs"), "T", "T", np.abs, EXACT, WIDE, "fhdi"),
    Row(("sign", "sign"), "T", "T", np.sign, EXACT, WIDE, "fdi"),
    Row(("floor", "floor"), "T", "T", np.floor, EXACT, WIDE, "fhd"),
    Row(("ceil", "ceil"), "T", "T", np.ceil, EXACT, WIDE, "fhd"),
    Row(("trunc", "trunc"), "T", "T", np.trunc, EXACT, WIDE, "fhd"),
    Row(("", "roundEven"), "T", "T", np.round, EXACT, WIDE, "fhd"),
    Row(("frac", "fract"), "T", "T", lambda x: x - np.floor(x), ROUNDS, WIDE, "fhd"),
    Row(("saturate", ""), "T", "T", lambda x: np.clip(x, 0, 1), EXACT),
    Row(("rcp", ""), "T", "T", lambda x: 1 / x, DIVIDE),
    Row(("sqrt", "sqrt"), "T", "T", np.sqrt, SQRT, (0.0, 1e6), "fhd"),
    Row(("rsqrt", "inversesqrt"), "T", "T", lambda x: 1 / np.sqrt(x), ROOT, (1e-6, 1e6), "fhd"),
    Row(("exp", "exp"), "T", "T", np.exp, EXPE, SHORT),
    Row(("exp2", "exp2"), "T", "T", np.exp2, EXP, SHORT),
    Row(("log", "log"), "T", "T", np.log, LOG, (1e-3, 1e4)),
    Row(("log2", "log2"), "T", "T", np.log2, LOG, (1e-3, 1e4)),
    Row(("log10", ""), "T", "T", np.log10, LOG, (1e-3, 1e4)),
    Row(("sin", "sin"), "T", "T", np.sin, TURN, (-PI, PI), "fh", edges=False),
    Row(("cos", "cos"), "T", "T", np.cos, TURN, (-PI, PI), "fh", edges=False),
    Row(("tan", "tan"), "T", "T", np.tan,
        Tolerance("of sin / cos", 0.0, lambda x: 2.0**-10 / np.cos(x) ** 2), (-1.5, 1.5), "fh",
        edges=False),
    Row(("asin", "asin"), "T", "T", np.arcsin, ARC, BALL),
    Row(("acos", "acos"), "T", "T", np.arccos, Tolerance("of atan2: 4096 ulp", 4096.0), BALL),
    Row(("atan", "atan"), "T", "T", np.arctan, ARC, WIDE),
    Row(("atan2", "atan"), "T T", "T", np.arctan2, ARC, WIDE),
    Row(("sinh", "sinh"), "T", "T", np.sinh, Tolerance("of exp", 64.0, 1e-5), SHORT),
    Row(("cosh", "cosh"), "T", "T", np.cosh, Tolerance("of exp", 64.0), SHORT),
    Row(("tanh", "tanh"), "T", "T", np.tanh, Tolerance("of exp", 64.0, 1e-5), SHORT),
    Row(("", "asinh"), "T", "T", np.arcsinh, Tolerance("of log", 16.0, 2.0**-20), SHORT),
    Row(("", "acosh"), "T", "T", np.arccosh, Tolerance("of log", 16.0, 2.0**-20), (1.0, 100.0)),
    Row(("", "atanh"), "T", "T", np.arctanh, Tolerance("of log", 16.0, 2.0**-20), (-0.99, 0.99)),
    Row(("degrees", "degrees"), "T", "T", np.degrees, ROUNDS),
    Row(("radians", "radians"), "T", "T", np.radians, ROUNDS),
    Row(("isnan", "isnan"), "T", "B", np.isnan, EXACT),
    Row(("isinf", "isinf"), "T", "B", np.isinf, EXACT),
    Row(("isfinite", ""), "T", "B", np.isfinite, EXACT),
    Row(("min", "min"), "T T", "T", np.fmin, EXACT, WIDE, "fhdiu"),
    Row(("max", "max"), "T T", "T", np.fmax, EXACT, WIDE, "fhdiu"),
    Row(("clamp", "clamp"), "T T T", "T", lambda x, a, b: np.minimum(np.maximum(x, a), b),
        EXACT, (WIDE, (-9.0, -1.0), (0.0, 9.0)), "fhdiu", edges=False),
    Row(("pow", "pow"), "T T", "T", np.power, POW, ((1e-3, 100.0), (-4.0, 4.0)), "fh", edges=False),
    Row(("step", "step"), "T T", "T", lambda e, x: np.where(x < e, 0.0, 1.0), EXACT, WIDE, "fhd"),
    Row(("fmod", ""), "T T", "T", np.fmod, Tolerance("of its expression", None),
        (WIDE, (1.0, 9.0)), "f", edges=False),
    Row(("", "mod"), "T T", "T", lambda x, y: x - y * np.floor(x / y),
        Tolerance("of its expression", None), ((-100.0, 100.0), (1.0, 9.0)), "f", edges=False),
    Row(("lerp", "mix"), "T T T", "T",
        lambda x, y, a: (x + (y - x) * a, np.maximum(np.abs(x), np.abs(y))), ROUNDS,
        (WIDE, WIDE, UNIT), "fhd", terms=True, edges=False),
    Row(("smoothstep", "smoothstep"), "T T T", "T", smoothstep,
        Tolerance("of its expression", 16.0, 1e-5), ((-2.0, 0.0), (1.0, 2.0), (-2.0, 2.0)), "f",
        edges=False),
    Row(("mad", ""), "T T T", "T",
        lambda x, y, z: (x * y + z, np.maximum(np.abs(x * y), np.abs(z))),
        Tolerance("product, then sum", 1.0), WIDE, "f", terms=True),
    Row(("fma", "fma"), "T T T", "T",
        lambda x, y, z: (x * y + z, np.maximum(np.abs(x * y), np.abs(z))),
        Tolerance("product, then sum", 1.0), WIDE, "fd", terms=True),
    Row(("dot", "dot"), "T T", "S", lambda x, y: (dot(x, y), term(x, y)), ROUNDS, SHORT, "fhd",
        (2, 3), True, False),
    Row(("length", "length"), "T", "S", length, Tolerance("of sqrt(dot(x, x))", 6.0), SHORT,
        "fhd", (1, 3), False, False),
    Row(("distance", "distance"), "T T", "S",
        lambda x, y: (length(x - y), np.abs(x - y).max(-1) if x.ndim > 1 else np.abs(x - y)),
        Tolerance("of length(x - y)", 12.0), SHORT, "fd", (1, 3), True, False),
    Row(("normalize", "normalize"), "T", "T",
        lambda x: x / (np.expand_dims(length(x), -1) if x.ndim > 1 else length(x)),
        Tolerance("of x / length(x)", 8.0), SHORT, "fd", (1, 3), False, False),
    Row(("cross", "cross"), "T T", "T", cross, ROUNDS, SHORT, "fhd", (3,), True, False),
    Row(("reflect", "reflect"), "T T", "T", reflect, Tolerance("of its expression", 8.0), SHORT,
        "fd", (1, 3), True, False),
    Row(("faceforward", "faceforward"), "T T T", "T", faceforward, EXACT, SHORT, "fd", (1, 3),
        False, False),
    Row(("refract", "refract"), "T T S", "T", refract, OWN, (BALL, BALL, UNIT), "f", (2, 3),
        edges=False),
    Row(("ldexp", ""), "T T", "T", lambda x, y: x * np.exp2(y), EXP_OF_SECOND, (WIDE, SHORT),
        "f", edges=False),
    Row(("transpose", "transpose"), "T", "T", lambda x: np.swapaxes(x, -1, -2), EXACT, WIDE,
        "m", (2, 3, 4), edges=False),
    Row(("determinant", "determinant"), "T", "S", determinant,
        Tolerance("of its expression", 16.0), SHORT, "m", (2, 3, 4), True, False),
    Row(("", "inverse"), "T", "T", np.linalg.inv, OWN, SHORT, "m", (2, 3, 4), edges=False),
    Row(("mul", ""), "T T", "T", multiply, ROUNDS, SHORT, "m", (2, 3, 4), True, False),
    Row(("", "matrixCompMult"), "T T", "T", lambda x, y: x * y, ONE, SHORT, "m", (2, 3, 4),
        edges=False),
    Row(("any", "any"), "B", "b", lambda x: x.any(-1) if x.ndim > 1 else x, EXACT, WIDE, "b",
        (2, 3)),
    Row(("all", "all"), "B", "b", lambda x: x.all(-1) if x.ndim > 1 else x, EXACT, WIDE, "b",
        (2, 3)),
    Row(("", "lessThan"), "T T", "B", np.less, EXACT, WIDE, "fiu", (2, 3)),
    Row(("", "lessThanEqual"), "T T", "B", np.less_equal, EXACT, WIDE, "fiu", (2, 3)),
    Row(("", "greaterThan"), "T T", "B", np.greater, EXACT, WIDE, "fiu", (2, 3)),
    Row(("", "greaterThanEqual"), "T T", "B", np.greater_equal, EXACT, WIDE, "fiu", (2, 3)),
    Row(("", "equal"), "T T", "B", np.equal, EXACT, WIDE, "fiu", (2, 3)),
    Row(("", "notEqual"), "T T", "B", np.not_equal, EXACT, WIDE, "fiu", (2, 3)),
    Row(("countbits", "bitCount"), "T", "I", count_bits, EXACT, WIDE, "u"),
    Row(("firstbitlow", "findLSB"), "T", "I", lowest, EXACT, WIDE, "iu"),
    Row(("firstbithigh", "findMSB"), "T", "I", highest, EXACT, WIDE, "iu"),
    Row(("reversebits", "bitfieldReverse"), "T", "T", reversed_bits, EXACT, WIDE, "u"),
    Row(("round", "round"), "T", "T", np.round, EXACT, WIDE, "fhd"),
    Row(("sincos", ""), "T", "T", np.sin, TURN, (-PI, PI), "fh", edges=False, shows="sine",
        through=("T s, c; sincos(x, s, c); return s;", "")),
    Row(("sincos", ""), "T", "T", np.cos, TURN, (-PI, PI), "fh", edges=False, shows="cosine",
        through=("T s, c; sincos(x, s, c); return c;", "")),
    Row(("modf", "modf"), "T", "T", lambda x: np.modf(x)[0], EXACT, shows="fraction",
        kinds="f", through=("T i; return modf(x, i);", "T i; return modf(x, i);")),
    Row(("modf", "modf"), "T", "T", lambda x: np.modf(x)[1], EXACT, shows="whole part",
        kinds="f", through=("T i; modf(x, i); return i;", "T i; modf(x, i); return i;")),
    Row(("frexp", "frexp"), "T", "T", lambda x: np.frexp(x)[0], EXACT, shows="significand",
        kinds="f", through=("I e; return frexp(x, e);", "I e; return frexp(x, e);")),
    Row(("frexp", "frexp"), "T", "I", lambda x: np.frexp(x)[1], EXACT, shows="exponent",
        kinds="f", through=("I e; frexp(x, e); return e;", "I e; frexp(x, e); return e;")),
    Row(("", "ldexp"), "T I", "T", lambda x, y: x * np.exp2(y), EXACT,
        (WIDE, (-60.0, 60.0)), "f", edges=False),
    Row(("lit", ""), "S S S", "f4", lit, Tolerance("of exp2(y log2(x))", 64.0, 1e-5),
        (BALL, BALL, (0.0, 32.0)), "f", (1,), edges=False),
    Row(("select", ""), "B T T", "T", np.where, EXACT, WIDE, "fiu"),
    Row(("", "mix"), "T T B", "T", lambda x, y, b: np.where(b, y, x), EXACT, WIDE, "f"),
    Row(("and", ""), "T T", "T", np.logical_and, EXACT, WIDE, "b", (2, 3)),
    Row(("or", ""), "T T", "T", np.logical_or, EXACT, WIDE, "b", (2, 3)),
    Row(("", "not"), "T", "T", np.logical_not, EXACT, WIDE, "b", (2, 3)),
    Row(("mul", ""), "T V", "V", lambda m, v: (
        (m * v[..., np.newaxis, :]).sum(-1), np.abs(m * v[..., np.newaxis, :]).max(-1)),
        ROUNDS, SHORT, "m", (2, 3, 4), True, False, shows="matrix and vector"),
    Row(("mul", ""), "V T", "V", lambda v, m: (
        (m * v[..., np.newaxis]).sum(-2), np.abs(m * v[..., np.newaxis]).max(-2)),
        ROUNDS, SHORT, "m", (2, 3, 4), True, False, shows="vector and matrix"),
    Row(("", "outerProduct"), "V V", "T", lambda x, y: x[..., np.newaxis] * y[..., np.newaxis, :],
        ONE, SHORT, "m", (2, 3, 4), edges=False),
    Row(("dot", ""), "T T", "S", lambda x, y: product_of(x, y).sum(-1), EXACT, WIDE, "iu", (2, 3)),
    Row(("", "bitfieldExtract"), "T i1 i1", "T", extracted, EXACT, BITS, "iu", edges=False),
    Row(("", "bitfieldInsert"), "T T i1 i1", "T", inserted, EXACT, (BITS[0], *BITS), "iu",
        edges=False),
    Row(("", "uaddCarry"), "T T", "T", lambda x, y: words(x) + words(y), EXACT, WIDE, "u",
        shows="sum", through=("", "T c; return uaddCarry(x, y, c);")),
    Row(("", "uaddCarry"), "T T", "T", lambda x, y: words(x) + words(y) >> 32, EXACT, WIDE, "u",
        shows="carry", through=("", "T c; uaddCarry(x, y, c); return c;")),
    Row(("", "usubBorrow"), "T T", "T", lambda x, y: words(x) - words(y), EXACT, WIDE, "u",
        shows="difference", through=("", "T c; return usubBorrow(x, y, c);")),
    Row(("", "usubBorrow"), "T T", "T", lambda x, y: words(x) < words(y), EXACT, WIDE, "u",
        shows="borrow", through=("", "T c; usubBorrow(x, y, c); return c;")),
    Row(("", "umulExtended"), "T T", "T", high_product, EXACT, WIDE, "u", shows="high word",
        through=("", "T h, l; umulExtended(x, y, h, l); return h;")),
    Row(("", "umulExtended"), "T T", "T", product_of, EXACT, WIDE, "u", shows="low word",
        through=("", "T h, l; umulExtended(x, y, h, l); return l;")),
    Row(("", "imulExtended"), "T T", "T", high_product, EXACT, WIDE, "i", shows="high word",
        through=("", "T h, l; imulExtended(x, y, h, l); return h;")),
    Row(("", "imulExtended"), "T T", "T", product_of, EXACT, WIDE, "i", shows="low word",
        through=("", "T h, l; imulExtended(x, y, h, l); return l;")),
    Row(("f32tof16", ""), "T", "U", halves, EXACT, WIDE, "f"),
    Row(("f16tof32", ""), "T", "F", of_halves, EXACT, WIDE, "u"),
    Row(("asfloat", "uintBitsToFloat"), "T", "F",
        lambda x: x.view(np.float32).astype(np.float64), EXACT, WIDE, "u"),
    Row(("asfloat", "intBitsToFloat"), "T", "F",
        lambda x: x.view(np.float32).astype(np.float64), EXACT, WIDE, "i"),
    Row(("asdouble", ""), "T T", "d1", as_double, EXACT, WIDE, "u", (1,)),
    Row(("asuint", ""), "T", "u1", lambda x: word_of_double(x, 0), EXACT, WIDE, "d", (1,),
        shows="low word", through=("uint l, h; asuint(x, l, h); return l;", "")),
    Row(("asuint", ""), "T", "u1", lambda x: word_of_double(x, 1), EXACT, WIDE, "d", (1,),
        shows="high word", through=("uint l, h; asuint(x, l, h); return h;", "")),
    Row(("", "packDouble2x32"), "u2", "d1", lambda x: as_double(x[..., 0], x[..., 1]), EXACT,
        WIDE, "u", (2,)),
    Row(("", "unpackDouble2x32"), "d1", "u2",
        lambda x: np.stack([word_of_double(x, 0), word_of_double(x, 1)], -1), EXACT, WIDE, "d",
        (1,)),
    Row(("", "packHalf2x16"), "f2", "u1", lambda x: joined(halves(x), 16), EXACT, WIDE, "f", (2,)),
    Row(("", "unpackHalf2x16"), "u1", "f2", lambda x: of_halves(pieces_of(x, 16)), EXACT, WIDE,
        "u", (1,)),
    Row(("", "packUnorm2x16"), "f2", "u1", lambda x: joined(scaled(x, 0, 65535), 16), EXACT, UNIT,
        "f", (2,)),
    Row(("", "packSnorm2x16"), "f2", "u1", lambda x: joined(scaled(x, -1, 32767), 16), EXACT, BALL,
        "f", (2,)),
    Row(("", "packUnorm4x8"), "f4", "u1", lambda x: joined(scaled(x, 0, 255), 8), EXACT, UNIT,
        "f", (4,)),
    Row(("", "packSnorm4x8"), "f4", "u1", lambda x: joined(scaled(x, -1, 127), 8), EXACT, BALL,
        "f", (4,)),
    Row(("", "unpackUnorm2x16"), "u1", "f2", lambda x: pieces_of(x, 16) / 65535, DIVIDE, WIDE, "u",
        (1,)),
    Row(("", "unpackSnorm2x16"), "u1", "f2",
        lambda x: np.maximum(pieces_of(x, 16, True) / 32767, -1), DIVIDE, WIDE, "u", (1,)),
    Row(("", "unpackUnorm4x8"), "u1", "f4", lambda x: pieces_of(x, 8) / 255, DIVIDE, WIDE, "u",
        (1,)),
    Row(("", "unpackSnorm4x8"), "u1", "f4",
        lambda x: np.maximum(pieces_of(x, 8, True) / 127, -1), DIVIDE, WIDE, "u", (1,)),
    Row(("unpack_u8u32", ""), "u1", "u4", lambda x: pieces_of(x, 8), EXACT, WIDE, "u", (1,)),
    Row(("unpack_s8s32", ""), "u1", "i4", lambda x: pieces_of(x, 8, True), EXACT, WIDE, "u", (1,)),
    Row(("pack_u8", ""), "u4", "u1", lambda x: joined(x, 8), EXACT, WIDE, "u", (4,)),
    Row(("pack_clamp_u8", ""), "i4", "u1", lambda x: joined(np.clip(x, 0, 255), 8), EXACT, WIDE,
        "i", (4,)),
    Row(("pack_clamp_s8", ""), "i4", "u1", lambda x: joined(np.clip(x, -128, 127), 8), EXACT, WIDE,
        "i", (4,)),
    Row(("dot4add_u8packed", ""), "u1 u1 u1", "u1",
        lambda x, y, z: (pieces_of(x, 8) * pieces_of(y, 8)).sum(-1) + words(z), EXACT, WIDE, "u",
        (1,)),
    Row(("dot4add_i8packed", ""), "u1 u1 i1", "i1",
        lambda x, y, z: (pieces_of(x, 8, True) * pieces_of(y, 8, True)).sum(-1) + z, EXACT, WIDE,
        "u", (1,)),
    Row(("D3DCOLORtoUBYTE4", ""), "f4", "i4",
        lambda x: np.trunc(x[..., [2, 1, 0, 3]].astype(np.float32) * np.float32(255.001953)),
        EXACT, UNIT, "f", (4,), edges=False),
    Row(("asuint", "floatBitsToUint"), "T", "U", lambda x: x.astype(np.float32).view(np.uint32),
        EXACT, WIDE, "f"),
    Row(("asint", "floatBitsToInt"), "T", "I", lambda x: x.astype(np.float32).view(np.int32),
        EXACT, WIDE, "f"),
)
# fmt: on
LANGUAGES = ("hlsl", "glsl")
SCALARS = {
    "m": "float", "f": "float", "h": "half", "d": "double", "i": "int", "u": "uint", "b": "bool",
}  # fmt: skip
VECTORS = {"f": "vec", "d": "dvec", "i": "ivec", "u": "uvec", "b": "bvec"}
DTYPES = {
    "m": np.float32,
    "f": np.float32,
    "h": np.float16,
    "d": np.float64,
    "i": np.int32,
    "u": np.uint32,
    "b": np.bool_,
}


NAMES = "xyzw"


class Case(NamedTuple):
    """A function over one type in one language."""

    row: Row
    language: str
    kind: str
    size: int

    @property
    def name(self) -> str:
        return self.row.names[LANGUAGES.index(self.language)]

    @property
    def type(self) -> str:
        return spelled(self.language, self.kind, self.size)

    @property
    def label(self) -> str:
        shown = self.row.shows.replace(" ", "_")
        return f"{self.name}_{self.type}_{'_'.join(self.row.given.split())}{shown}"

    @property
    def text(self) -> str:
        """The function of a source that calls it."""
        types = [self._spelled(each) for each in self.row.given.split()]
        declared = ", ".join(f"{type} {name}" for type, name in zip(types, NAMES, strict=False))
        result = self._spelled(self.row.result)
        body = self.row.through[LANGUAGES.index(self.language)]
        if body:
            body = re.sub(r"^[TSIU] ", lambda found: f"{self._spelled(found[0][0])} ", body)
        else:
            call = f"{self.name}({', '.join(NAMES[: len(types)])})"
            precise = "precise " if self.language == "hlsl" else ""
            body = f"{precise}{result} r = {call}; return r;"
        return f"{result} {self.label}({declared}) {{ {body} }}\n"

    def _spelled(self, letter: str) -> str:
        return spelled(self.language, *self.number(letter))

    def number(self, letter: str) -> tuple[str, int]:
        """Return the kind and size of a type of the row."""
        if len(letter) > 1:
            return letter[0], int(letter[1])
        match letter:
            case "T":
                return self.kind, self.size
            case "S":
                return ("f" if self.kind == "m" else self.kind), 1
            case "V":
                return "f", self.size
            case "b":
                return "b", 1
            case _:
                return letter.lower(), self.size


def spelled(language: str, kind: str, size: int) -> str:
    """Return the name of a type: float3, vec3."""
    if size == 1:
        return SCALARS[kind]
    if kind == "m":
        return f"mat{size}" if language == "glsl" else f"float{size}x{size}"
    return f"{VECTORS[kind]}{size}" if language == "glsl" else f"{SCALARS[kind]}{size}"


def cases(language: str) -> list[Case]:
    """Return all cases of a language."""
    return [
        Case(row, language, kind, size)
        for row in ROWS
        if row.names[LANGUAGES.index(language)]
        for kind in row.kinds
        if not (language == "glsl" and kind == "h")
        for size in row.sizes
    ]


def library(language: str, engine: str, chosen: Sequence[Case]) -> ShaderFunctions:
    """Return the functions that call these."""
    head = "#version 450\n" if language == "glsl" else ""
    text = head + "".join(each.text for each in chosen)
    return unshade.functions(text, language=language, engine=engine)


def operands(case: Case, count: int) -> tuple[list[Array], int]:
    """Return the operands, and how many cases at the beginning are edge values."""
    row = case.row
    given = [case.number(each) for each in row.given.split()]
    many = isinstance(row.domain[0], tuple)
    domains: Any = row.domain if many else [row.domain] * len(given)
    chance = np.random.default_rng(len(case.label))
    lists = [edge_values(np.dtype(DTYPES[kind])) for kind, _ in given]
    places = (
        np.array([*product(*map(range, map(len, lists)))]) if row.edges else np.zeros((0, 9), int)
    )
    found = []
    for at, ((kind, size), (low, high)) in enumerate(zip(given, domains, strict=True)):
        dtype = np.dtype(DTYPES[kind])
        shape = () if size == 1 else (size,) * (1 + (kind == "m"))
        edges = lists[at][places[:, at]]
        if shape and len(edges):  # each component has other edge values
            edges = np.stack([np.roll(edges, n) for n in range(size)], -1)
        seeded: Array
        if dtype.kind == "b":
            seeded = chance.integers(0, 2, (count, *shape)).astype(dtype)
        elif dtype.kind in "iu" and many:
            seeded = chance.integers(int(low), int(high) + 1, (count, *shape)).astype(dtype)
        elif dtype.kind in "iu":
            seeded = chance.integers(0 if dtype.kind == "u" else -99, 99, (count, *shape))
            seeded = (seeded * chance.choice([1, 1 << 20], seeded.shape)).astype(dtype)
        else:
            even = np.linspace(low, high, count)
            pieces = [chance.permutation(even) for _ in range(int(np.prod(shape)))]
            seeded = np.stack(pieces, -1).reshape(count, *shape).astype(dtype)
        found.append(np.concatenate([edges, seeded]) if len(edges) else seeded)
    return found, len(places)


class Measurement(NamedTuple):
    """The greatest error in the domain; whether it is within the tolerance; edges that differ."""

    error: float
    within: bool
    differing: int
    edges: int
    equal: bool  # the bits of both engines


def measured(case: Case, engines: Sequence[ShaderFunctions], count: int = COUNT) -> Measurement:
    """Measure a case on both engines."""
    given, edges = operands(case, count)
    results = [np.asarray(each[case.label](*given)) for each in engines]
    equal = all(each.tobytes() == results[0].tobytes() for each in results[1:])
    found = results[0]
    wide = [x.astype(WIDER.get(x.dtype, np.float64)) if x.dtype.kind == "f" else x for x in given]
    with np.errstate(all="ignore"):
        exact, most = case.row.exact(*wide), None
        if isinstance(exact, tuple):
            exact, most = exact
        exact = np.broadcast_to(exact, found.shape)
        if found.dtype.kind != "f":
            word = np.uint32 if found.dtype.kind in "iu" else found.dtype
            wrong = found.astype(word) != exact.astype(np.int64).astype(word)
            return Measurement(0.0, not wrong[edges:].any(), int(wrong[:edges].sum()), edges, equal)
        error, ok = _errors(case, found, exact, most, wide)
    inside = error[edges:]
    differing = int((~ok[:edges]).reshape(edges, -1).any(1).sum()) if edges else 0
    worst = float(inside.max(initial=0.0))
    return Measurement(worst, bool(ok[edges:].all()), differing, edges, equal)


def _errors(
    case: Case, found: Array, exact: Array, most: Array | None, wide: list[Array]
) -> tuple[Array, Array]:
    """Return the errors in ulp, and which results are within the tolerance."""
    limits = np.finfo(found.dtype)
    size = np.abs(exact) if most is None else np.maximum(np.abs(exact), most)
    size = np.clip(size, float(limits.tiny), float(limits.max)).astype(found.dtype)
    unit = np.spacing(size).astype(np.float64)
    off = np.abs(found.astype(np.float64) - exact)
    flushed = (np.abs(exact) < limits.tiny) & (np.abs(found) <= limits.tiny)
    off = np.where(flushed, 0.0, off)
    rounded = exact.astype(found.dtype)
    same = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
    error = np.where(np.isfinite(off), off / unit, np.where(same, 0.0, np.inf))
    error = np.where(same, np.minimum(error, 0.5), error)
    tolerance = case.row.tolerance
    if tolerance.ulp is None:
        return error, np.ones(found.shape, np.bool_)
    shaped = [x if x.ndim == found.ndim else x.max(-1) for x in wide]
    allowed = tolerance.ulp(*shaped) if callable(tolerance.ulp) else tolerance.ulp
    near = tolerance.absolute(*shaped) if callable(tolerance.absolute) else tolerance.absolute
    if case.kind == "h":  # the specification has no numbers for halves but these, rounded once
        allowed, near = np.asarray(allowed) + 1, np.maximum(near, 2.0**-10)
    return error, same | (error <= np.asarray(allowed) + 1e-9) | (off <= near)


def grouped(chosen: Sequence[Case]) -> Iterator[list[Case]]:
    """Yield the cases of one function and kind of number, of all sizes."""
    groups: dict[tuple[Row, str], list[Case]] = {}
    for each in chosen:
        groups.setdefault((each.row, each.kind), []).append(each)
    yield from groups.values()


def table(language: str, count: int = COUNT) -> list[str]:
    """Return the lines of a language's table."""
    lines = [
        "| function | types | specified | measured | edge values |",
        "|---|---|---|---|---|",
    ]
    for group in grouped(cases(language)):
        engine = library(language, "lockstep", group)
        found = [measured(each, [engine], count) for each in group]
        for each, one in zip(group, found, strict=True):
            if not one.within or one.differing:
                print(f"{each.label}: {one}", file=sys.stderr, flush=True)
        lines.append(line(group, found))
        print(lines[-1], flush=True)
    return lines


def head(case: Case) -> str:
    """Return the first cell of a line: the function, and which of its results."""
    names = ", ".join(NAMES[: len(case.row.given.split())])
    return f"`{case.name}({names})`" + (f", {case.row.shows}" if case.row.shows else "")


def line(group: Sequence[Case], found: Sequence[Measurement]) -> str:
    """Return the line of a function and kind of number."""
    first = group[0]
    types = first.type + (f", {group[-1].type}" if len(group) > 1 else "")
    error = max(each.error for each in found)
    exact = first.number(first.row.result)[0] in "biu"
    words = "equal" if exact else f"{error:.2g} ulp" if error < 1e5 else f"{error:.0e} ulp"
    cells = [head(first), types, first.row.tolerance.words, words]
    return f"| {' | '.join(cells)} | {edge_words(found)} |"


def edge_words(found: Sequence[Measurement]) -> str:
    """Return how edge values compare, of all sizes."""
    count, differing = (sum(x) for x in zip(*[(f.edges, f.differing) for f in found], strict=True))
    if not count:
        return ""
    return f"{count:,}" if not differing else f"{count:,}, {differing:,} differ"


def page(text: str, count: int = COUNT) -> str:
    """Return the page with its tables."""
    tables = []
    for language, title in zip(LANGUAGES, ("HLSL", "GLSL"), strict=True):
        tables += [f"## {title}", "", *table(language, count), ""]
    body = "\n".join(tables)
    return MARKS.sub(lambda found: f"{found[1]}{body}{found[2]}", text)


def main() -> None:
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
