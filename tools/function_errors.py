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
    given      types of parameters: T the tested type, S its scalar, I int of its shape
    result     T, S, B truth values, I or U numbers of its shape
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


# fmt: off
ROWS = (
    Row(("abs", "abs"), "T", "T", np.abs, EXACT, WIDE, "fhi"),
    Row(("sign", "sign"), "T", "T", np.sign, EXACT, WIDE, "fi"),
    Row(("floor", "floor"), "T", "T", np.floor, EXACT),
    Row(("ceil", "ceil"), "T", "T", np.ceil, EXACT),
    Row(("trunc", "trunc"), "T", "T", np.trunc, EXACT),
    Row(("round", "roundEven"), "T", "T", np.round, EXACT),
    Row(("frac", "fract"), "T", "T", lambda x: x - np.floor(x), ROUNDS, WIDE),
    Row(("saturate", ""), "T", "T", lambda x: np.clip(x, 0, 1), EXACT),
    Row(("rcp", ""), "T", "T", lambda x: 1 / x, DIVIDE),
    Row(("sqrt", "sqrt"), "T", "T", np.sqrt, SQRT, (0.0, 1e6)),
    Row(("rsqrt", "inversesqrt"), "T", "T", lambda x: 1 / np.sqrt(x), ROOT, (1e-6, 1e6)),
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
    Row(("min", "min"), "T T", "T", np.fmin, EXACT, WIDE, "fhiu"),
    Row(("max", "max"), "T T", "T", np.fmax, EXACT, WIDE, "fhiu"),
    Row(("clamp", "clamp"), "T T T", "T", lambda x, a, b: np.minimum(np.maximum(x, a), b),
        EXACT, (WIDE, (-9.0, -1.0), (0.0, 9.0)), "fhiu", edges=False),
    Row(("pow", "pow"), "T T", "T", np.power, POW, ((1e-3, 100.0), (-4.0, 4.0)), "fh", edges=False),
    Row(("step", "step"), "T T", "T", lambda e, x: np.where(x < e, 0.0, 1.0), EXACT),
    Row(("fmod", ""), "T T", "T", np.fmod, Tolerance("of its expression", None),
        (WIDE, (1.0, 9.0)), "f", edges=False),
    Row(("", "mod"), "T T", "T", lambda x, y: x - y * np.floor(x / y),
        Tolerance("of its expression", None), ((-100.0, 100.0), (1.0, 9.0)), "f", edges=False),
    Row(("lerp", "mix"), "T T T", "T",
        lambda x, y, a: (x + (y - x) * a, np.maximum(np.abs(x), np.abs(y))), ROUNDS,
        (WIDE, WIDE, UNIT), "fh", terms=True, edges=False),
    Row(("smoothstep", "smoothstep"), "T T T", "T", smoothstep,
        Tolerance("of its expression", 16.0, 1e-5), ((-2.0, 0.0), (1.0, 2.0), (-2.0, 2.0)), "f",
        edges=False),
    Row(("mad", "fma"), "T T T", "T",
        lambda x, y, z: (x * y + z, np.maximum(np.abs(x * y), np.abs(z))),
        Tolerance("product, then sum", 1.0), WIDE, "f", terms=True),
    Row(("dot", "dot"), "T T", "S", lambda x, y: (dot(x, y), term(x, y)), ROUNDS, SHORT, "fh",
        (2, 3), True, False),
    Row(("length", "length"), "T", "S", length, Tolerance("of sqrt(dot(x, x))", 6.0), SHORT,
        "fh", (1, 3), False, False),
    Row(("distance", "distance"), "T T", "S",
        lambda x, y: (length(x - y), np.abs(x - y).max(-1) if x.ndim > 1 else np.abs(x - y)),
        Tolerance("of length(x - y)", 12.0), SHORT, "f", (1, 3), True, False),
    Row(("normalize", "normalize"), "T", "T",
        lambda x: x / (np.expand_dims(length(x), -1) if x.ndim > 1 else length(x)),
        Tolerance("of x / length(x)", 8.0), SHORT, "f", (1, 3), False, False),
    Row(("cross", "cross"), "T T", "T", cross, ROUNDS, SHORT, "fh", (3,), True, False),
    Row(("reflect", "reflect"), "T T", "T", reflect, Tolerance("of its expression", 8.0), SHORT,
        "f", (1, 3), True, False),
    Row(("faceforward", "faceforward"), "T T T", "T", faceforward, EXACT, SHORT, "f", (1, 3),
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
    Row(("asuint", "floatBitsToUint"), "T", "U", lambda x: x.astype(np.float32).view(np.uint32),
        EXACT, WIDE, "f"),
    Row(("asint", "floatBitsToInt"), "T", "I", lambda x: x.astype(np.float32).view(np.int32),
        EXACT, WIDE, "f"),
)
# fmt: on
LANGUAGES = ("hlsl", "glsl")
SCALARS = {"m": "float", "f": "float", "h": "half", "i": "int", "u": "uint", "b": "bool"}
VECTORS = {"f": "vec", "i": "ivec", "u": "uvec", "b": "bvec"}
DTYPES = {
    "m": np.float32,
    "f": np.float32,
    "h": np.float16,
    "i": np.int32,
    "u": np.uint32,
    "b": np.bool_,
}


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
        return f"{self.name}_{self.type}_{len(self.row.given.split())}"

    @property
    def text(self) -> str:
        """The function of a source that calls it."""
        names = "xyz"
        types = [self._spelled(each) for each in self.row.given.split()]
        declared = ", ".join(f"{type} {name}" for type, name in zip(types, names, strict=False))
        call = f"{self.name}({', '.join(names[: len(types)])})"
        precise = "precise " if self.language == "hlsl" else ""
        result = self._spelled(self.row.result)
        value = f"{precise}{result} r = {call};"
        return f"{result} {self.label}({declared}) {{ {value} return r; }}\n"

    def _spelled(self, letter: str) -> str:
        match letter:
            case "T":
                return self.type
            case "S":
                return spelled(self.language, self.kind, 1)
            case "b":
                return "bool"
            case "B":
                return spelled(self.language, "b", self.size)
            case _:
                return spelled(self.language, letter.lower(), self.size)


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
    given = row.given.split()
    dtype = np.dtype(DTYPES[case.kind])
    whole = () if case.size == 1 else (case.size,) * (1 + (case.kind == "m"))
    domains: Any = row.domain if isinstance(row.domain[0], tuple) else [row.domain] * len(given)
    chance = np.random.default_rng(len(case.label))
    edges = edge_values(dtype)
    combined = np.array([*product(edges, repeat=len(given))], dtype)
    if not row.edges:
        combined = combined[:0]
    found = []
    for at, (low, high) in enumerate(domains):
        shape = () if given[at] == "S" else whole
        values = np.resize(combined[:, at], (len(combined), *shape)) if len(combined) else None
        if values is not None and shape:  # each component has other edge values
            values = np.stack([np.roll(combined[:, at], n) for n in range(case.size)], -1)
        seeded: Array
        if dtype.kind == "b":
            seeded = chance.integers(0, 2, (count, *shape)).astype(dtype)
        elif dtype.kind in "iu":
            seeded = chance.integers(0 if dtype.kind == "u" else -99, 99, (count, *shape))
            seeded = (seeded * chance.choice([1, 1 << 20], seeded.shape)).astype(dtype)
        else:
            even = np.linspace(low, high, count)
            pieces = [chance.permutation(even) for _ in range(int(np.prod(shape)))]
            seeded = np.stack(pieces, -1).reshape(count, *shape).astype(dtype)
        found.append(seeded if values is None else np.concatenate([values, seeded]))
    return found, len(combined)


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
    wide = [x.astype(np.float64) if x.dtype.kind == "f" else x for x in given]
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


def line(group: Sequence[Case], found: Sequence[Measurement]) -> str:
    """Return the line of a function and kind of number."""
    first = group[0]
    names = "xyz"[: len(first.row.given.split())]
    types = first.type + (f", {group[-1].type}" if len(group) > 1 else "")
    error = max(each.error for each in found)
    exact = first.row.result in "BbIU" or first.kind in "iu"
    words = "equal" if exact else f"{error:.2g} ulp" if error < 1e5 else f"{error:.0e} ulp"
    cells = [f"`{first.name}({', '.join(names)})`", types, first.row.tolerance.words, words]
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
