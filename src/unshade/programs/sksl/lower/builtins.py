"""Builtin functions, by name: formulas on scalars, or on whole arguments.

    COMPONENTWISE   sin(v), mix(a, b, 0.5)    a formula for each component; scalars are repeated
    WHOLE           dot(a, b), inverse(m)     a formula on the components of all arguments

A formula takes the builder and scalars of any number type; formulas that depend on the type examine
it. `half` is float. Functions that the raster pipeline lacks, such as sinh or derivatives, are
computed as for other languages.

Source: the specification of the OpenGL ES Shading Language 3.00, chapter 8, and Skia's
SkSLRasterPipelineCodeGenerator.cpp where that leaves a choice.
"""

from collections.abc import Callable, Sequence
from math import pi

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.library import skia, vectors
from ....ir.library.derivatives import X, Y, coarse
from ....ir.types import BOOL, F32, I32
from ....tuples import NamedTuple
from ..tables.operators import Operator
from ..tree import DataType
from .matrices import columns_of, determinant, inverse, transpose
from .scalars import all_of, apply
from .types import is_unsigned

__all__ = ["CallArguments", "call_builtin"]


class CallArguments(NamedTuple):
    """The arguments of a call: their scalars and types; `components` is the size of the result."""

    values: list[list[Value]]
    types: list[DataType]
    components: int

    @property
    def unsigned(self) -> bool:
        """True if the first argument consists of unsigned integers."""
        return is_unsigned(self.types[0])


def call_builtin(b: Builder, name: str, arguments: CallArguments) -> list[Value]:
    """Append a call of a builtin function; return the components of its result."""
    whole = WHOLE.get(name)
    if whole is not None:
        return list(whole(b, arguments))
    formula = COMPONENTWISE.get(name)
    if formula is None:
        raise UnsupportedError(f"the function {name} cannot be run")
    signed = UNSIGNED.get(name)
    if signed is not None and arguments.unsigned:
        formula = signed
    if any(1 < len(each) < arguments.components for each in arguments.values):
        raise UnsupportedError(f"{name}: expected arguments of {arguments.components} components")
    return [
        formula(b, *(each[at if len(each) > 1 else 0] for each in arguments.values))
        for at in range(arguments.components)
    ]


# -- components --------------------------------------------------------------------------------


def _smallest(b: Builder, x: Value, y: Value) -> Value:
    return b.fmin(x, y) if x.type == F32 else b.imin(x, y)


def _greatest(b: Builder, x: Value, y: Value) -> Value:
    return b.fmax(x, y) if x.type == F32 else b.imax(x, y)


def _clamp(b: Builder, x: Value, low: Value, high: Value) -> Value:
    return _smallest(b, _greatest(b, x, low), high)


def _absolute(b: Builder, x: Value) -> Value:
    return b.fabs(x) if x.type == F32 else b.imax(x, b.ineg(x))


def _sign(b: Builder, x: Value) -> Value:
    if x.type == F32:
        above = b.select(b.flt(0.0, x), b.f32(1.0), b.f32(0.0))
        return b.select(b.flt(x, 0.0), b.f32(-1.0), above)
    return b.imin(b.imax(x, -1), 1)


def _mod(b: Builder, x: Value, y: Value) -> Value:
    return b.fsub(x, b.fmul(y, b.ffloor(b.fdiv(x, y))))


def _mix(b: Builder, x: Value, y: Value, t: Value) -> Value:
    if t.type == BOOL:
        return b.select(t, y, x)
    return b.fadd(b.fmul(b.fsub(y, x), t), x)


def _saturate(b: Builder, x: Value) -> Value:
    return b.fmin(b.fmax(x, 0.0), 1.0)


def _step(b: Builder, edge: Value, x: Value) -> Value:
    return b.select(b.flt(x, edge), b.f32(0.0), b.f32(1.0))


def _smoothstep(b: Builder, low: Value, high: Value, x: Value) -> Value:
    t = _saturate(b, b.fdiv(b.fsub(x, low), b.fsub(high, low)))
    return b.fmul(b.fmul(t, t), b.fsub(3.0, b.fadd(t, t)))


def _arc_tangent(b: Builder, y: Value, *x: Value) -> Value:
    return skia.atan_of(b, y, *x) if x else skia.atan(b, y)


def _hyperbolic_arc_sine(b: Builder, x: Value) -> Value:
    size = b.fabs(x)
    found = skia.log(b, b.fadd(size, b.fsqrt(b.fadd(b.fmul(size, size), 1.0))))
    return b.select(b.flt(x, 0.0), b.fneg(found), found)


def _hyperbolic_arc_cosine(b: Builder, x: Value) -> Value:
    return skia.log(b, b.fadd(x, b.fsqrt(b.fsub(b.fmul(x, x), 1.0))))


def _hyperbolic_arc_tangent(b: Builder, x: Value) -> Value:
    return b.fmul(skia.log(b, b.fdiv(b.fadd(x, 1.0), b.fsub(1.0, x))), 0.5)


def _infinite(b: Builder, x: Value) -> Value:
    return b.feq(b.fabs(x), float("inf"))


def _width(b: Builder, x: Value) -> Value:
    return b.fadd(b.fabs(coarse(b, x, X)), b.fabs(coarse(b, x, Y)))


Formula = Callable[..., Value]
COMPONENTWISE: dict[str, Formula] = {
    "radians":          lambda b, x: b.fmul(x, pi / 180),
    "degrees":          lambda b, x: b.fmul(x, 180 / pi),
    "sin":              skia.sin,
    "cos":              skia.cos,
    "tan":              skia.tan,
    "asin":             skia.asin,
    "acos":             skia.acos,
    "atan":             _arc_tangent,
    "sinh":             lambda b, x: b.sinh(x),
    "cosh":             lambda b, x: b.cosh(x),
    "tanh":             lambda b, x: b.tanh(x),
    "asinh":            _hyperbolic_arc_sine,
    "acosh":            _hyperbolic_arc_cosine,
    "atanh":            _hyperbolic_arc_tangent,
    "pow":              skia.power,
    "exp":              skia.exp,
    "log":              skia.log,
    "exp2":             skia.exp2,
    "log2":             skia.log2,
    "sqrt":             lambda b, x: b.fsqrt(x),
    "inversesqrt":      lambda b, x: b.rsqrt(x),
    "abs":              _absolute,
    "sign":             _sign,
    "floor":            lambda b, x: b.ffloor(x),
    "ceil":             lambda b, x: b.fceil(x),
    "trunc":            lambda b, x: b.ftrunc(x),
    "round":            lambda b, x: b.frint(x),
    "roundEven":        lambda b, x: b.frint(x),
    "fract":            skia.fract,
    "mod":              _mod,
    "min":              _smallest,
    "max":              _greatest,
    "clamp":            _clamp,
    "saturate":         _saturate,
    "mix":              _mix,
    "step":             _step,
    "smoothstep":       _smoothstep,
    "fma":              lambda b, x, y, z: b.fadd(b.fmul(x, y), z),
    "isnan":            lambda b, x: b.fne(x, x),
    "isinf":            _infinite,
    "floatBitsToInt":   lambda b, x: b.asint(x),
    "floatBitsToUint":  lambda b, x: b.asint(x),
    "intBitsToFloat":   lambda b, x: b.asfloat(x),
    "uintBitsToFloat":  lambda b, x: b.asfloat(x),
    "matrixCompMult":   lambda b, x, y: b.fmul(x, y),
    "not":              lambda b, x: b.not_(x),
    "bitCount":         lambda b, x: b.popcount(x),
    "findLSB":          lambda b, x: b.ctz(x),
    "dFdx":             lambda b, x: coarse(b, x, X),
    "dFdy":             lambda b, x: coarse(b, x, Y),
    "fwidth":           _width,
}  # fmt: skip
UNSIGNED: dict[str, Formula] = {
    "min":    lambda b, x, y: b.umin(x, y),
    "max":    lambda b, x, y: b.umax(x, y),
    "clamp":  lambda b, x, low, high: b.umin(b.umax(x, low), high),
}  # fmt: skip


# -- whole arguments ---------------------------------------------------------------------------


def _face_forward(b: Builder, given: CallArguments) -> list[Value]:
    normal, incident, reference = given.values
    towards = b.flt(vectors.dot(b, incident, reference), 0.0)
    return [b.select(towards, each, b.fneg(each)) for each in normal]


def _refract(b: Builder, given: CallArguments) -> list[Value]:
    incident, normal, (eta,) = given.values
    cosine = vectors.dot(b, normal, incident)
    rest = b.fsub(1.0, b.fmul(b.fmul(eta, eta), b.fsub(1.0, b.fmul(cosine, cosine))))
    factor = b.fadd(b.fmul(eta, cosine), b.fsqrt(rest))
    inside = b.fle(0.0, rest)
    return [
        b.select(inside, b.fsub(b.fmul(eta, i), b.fmul(factor, n)), b.f32(0.0))
        for i, n in zip(incident, normal, strict=True)
    ]


def _outer_product(b: Builder, given: CallArguments) -> list[Value]:
    column, row = given.values
    return [b.fmul(x, y) for y in row for x in column]


def _any(b: Builder, given: CallArguments) -> list[Value]:
    (v,) = given.values
    found, *rest = v
    for each in rest:
        found = b.or_(found, each)
    return [found]


def _compared(operator: Operator) -> Callable[[Builder, CallArguments], list[Value]]:
    def compare(b: Builder, given: CallArguments) -> list[Value]:
        pairs = zip(*given.values, strict=True)
        return [apply(b, operator, x, y, given.unsigned) for x, y in pairs]

    return compare


def _pack(b: Builder, given: CallArguments) -> list[Value]:
    parts = [
        b.ftou(b.frint(b.fmul(_saturate(b, each), 65535.0)), type=I32) for each in given.values[0]
    ]
    return [b.or_(parts[0], b.ishl(parts[1], 16))]


def _unpack(b: Builder, given: CallArguments) -> list[Value]:
    ((bits,),) = given.values
    parts = b.and_(bits, 0xFFFF), b.ushr(bits, 16)
    return [b.fmul(b.utof(each, type=F32), 1 / 65535) for each in parts]


def _unpremultiplied(b: Builder, given: CallArguments) -> list[Value]:
    ((*colour, alpha),) = given.values
    scale = b.fdiv(1.0, b.fmax(alpha, 0.0001))
    return [*(b.fmul(each, scale) for each in colour), alpha]


WHOLE: dict[str, Callable[[Builder, CallArguments], Sequence[Value]]] = {
    "length":           lambda b, given: [vectors.length(b, given.values[0])],
    "distance":         lambda b, given: [vectors.distance(b, *given.values)],
    "dot":              lambda b, given: [vectors.dot(b, *given.values)],
    "cross":            lambda b, given: vectors.cross(b, *given.values),
    "normalize":        lambda b, given: vectors.normalize(b, *given.values),
    "faceforward":      _face_forward,
    "reflect":          lambda b, given: vectors.reflect(b, *given.values),
    "refract":          _refract,
    "outerProduct":     _outer_product,
    "transpose":        lambda b, given: transpose(given.values[0], given.types[0]),
    "determinant":      lambda b, given: [
        determinant(b, columns_of(given.values[0], given.types[0]))
    ],
    "inverse":          lambda b, given: inverse(b, given.values[0], given.types[0]),
    "any":              _any,
    "all":              lambda b, given: [all_of(b, given.values[0])],
    "lessThan":         _compared(Operator.LT),
    "lessThanEqual":    _compared(Operator.LTEQ),
    "greaterThan":      _compared(Operator.GT),
    "greaterThanEqual": _compared(Operator.GTEQ),
    "equal":            _compared(Operator.EQEQ),
    "notEqual":         _compared(Operator.NEQ),
    "packUnorm2x16":    _pack,
    "unpackUnorm2x16":  _unpack,
    "unpremul":         _unpremultiplied,
}  # fmt: skip
