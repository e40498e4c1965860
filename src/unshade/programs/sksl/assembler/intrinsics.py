"""Folding of builtin functions whose arguments are constants: `sqrt(4)`, `dot(a, b)`.

Functions by component compute with doubles, as upstream does. A result that is not finite is not
folded, and the call stays.

Source: SkSLFunctionCall.cpp and SkMatrixInvert.cpp of Skia's milestone 104.
"""

import math
import operator
import struct
from collections.abc import Callable

from ..tables.operators import Operator
from ..tree import (
    BOOL,
    FLOAT,
    FLOAT_LITERAL,
    INT_LITERAL,
    UINT,
    DataType,
    Expression,
)
from .aggregates import compound_of
from .compilation import Compilation
from .matrices import determinant, inverse
from .messages import NOWHERE, Position
from .operators import binary, ternary
from .type_rules import of_component, sized
from .values import LITERALS, constant_of, is_constant, literal, slot, to_f32

__all__ = ["FOLDED", "folded_call"]

UNORM16 = 65535.0
CALCULATION_ERRORS = (ValueError, OverflowError, ZeroDivisionError)


def _signed(value: float, like: float) -> float:
    """Return a rounded value; a zero keeps the sign of the unrounded value."""
    return value if value else math.copysign(0.0, like)


def _bits(source: str, target: str) -> Callable[[float], float]:
    def reinterpret(value: float) -> float:
        given = value if source == "f" else int(value)
        return float(struct.unpack(f"<{target}", struct.pack(f"<{source}", given))[0])

    return reinterpret


def _smoothstep(low: float, high: float, x: float) -> float:
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


# Functions of scalars, applied to each component. A scalar among vectors is used for each.
BY_COMPONENT: dict[str, dict[int, Callable[..., float]]] = {
    "radians":         {1: lambda a: a * 0.0174532925},
    "degrees":         {1: lambda a: a * 57.2957795},
    "sin":             {1: math.sin},
    "cos":             {1: math.cos},
    "tan":             {1: math.tan},
    "asin":            {1: math.asin},
    "acos":            {1: math.acos},
    "atan":            {1: math.atan, 2: math.atan2},
    "sinh":            {1: math.sinh},
    "cosh":            {1: math.cosh},
    "tanh":            {1: math.tanh},
    "asinh":           {1: math.asinh},
    "acosh":           {1: math.acosh},
    "atanh":           {1: math.atanh},
    "pow":             {2: math.pow},
    "exp":             {1: math.exp},
    "log":             {1: math.log},
    "exp2":            {1: math.exp2},
    "log2":            {1: math.log2},
    "sqrt":            {1: math.sqrt},
    "inversesqrt":     {1: lambda a: 1.0 / math.sqrt(a)},
    "abs":             {1: abs},
    "sign":            {1: lambda a: (a > 0) - (a < 0)},
    "floor":           {1: lambda a: _signed(math.floor(a), a)},
    "ceil":            {1: lambda a: _signed(math.ceil(a), a)},
    "fract":           {1: lambda a: a - math.floor(a)},
    "mod":             {2: lambda a, b: a - b * math.floor(a / b)},
    "min":             {2: lambda a, b: a if a < b else b},
    "max":             {2: lambda a, b: a if a > b else b},
    "clamp":           {3: lambda x, low, high: low if x < low else high if x > high else x},
    "saturate":        {1: lambda a: 0 if a < 0 else 1 if a > 1 else a},
    "mix":             {3: lambda x, y, a: x * (1 - a) + y * a},
    "step":            {2: lambda edge, x: 0 if x < edge else 1},
    "smoothstep":      {3: _smoothstep},
    "trunc":           {1: lambda a: _signed(math.trunc(a), a)},
    "round":           {1: lambda a: a - math.remainder(a, 1.0)},
    "roundEven":       {1: lambda a: a - math.remainder(a, 1.0)},
    "floatBitsToInt":  {1: _bits("f", "i")},
    "floatBitsToUint": {1: _bits("f", "I")},
    "intBitsToFloat":  {1: _bits("i", "f")},
    "uintBitsToFloat": {1: _bits("I", "f")},
    "matrixCompMult":  {2: operator.mul},
    "not":             {1: operator.not_},
}  # fmt: skip

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "lessThan": operator.lt,
    "lessThanEqual": operator.le,
    "greaterThan": operator.gt,
    "greaterThanEqual": operator.ge,
    "equal": operator.eq,
    "notEqual": operator.ne,
}


class ConstantCall:
    """A call whose arguments are constants."""

    __slots__ = ("arguments", "c", "position", "returns")

    def __init__(
        self, c: Compilation, position: Position, arguments: list[Expression], returns: DataType
    ) -> None:
        self.c = c
        self.position = position
        self.arguments = arguments
        self.returns = returns

    def values(self, argument: int) -> list[float]:
        """Return the components of an argument."""
        given = self.arguments[argument]
        count = self.c.types.slots(given.type)
        known = (slot(self.c, given, at) for at in range(count))
        return [each for each in known if each is not None]

    def result(self, values: list[float], type_: DataType | None = None) -> Expression | None:
        """Return a scalar, vector or matrix of components; None if a value is not finite."""
        type_ = type_ or self.returns
        if not all(map(math.isfinite, values)):
            return None
        scalar = of_component(type_)
        made: list[Expression] = [literal(each, scalar, self.position) for each in values]
        return compound_of(self.c, self.position, type_, made)

    def scalar(self, value: float) -> Expression | None:
        """Return a scalar of the type of the result; None if it is not finite."""
        return literal(value, self.returns, self.position) if math.isfinite(value) else None


def folded_call(
    c: Compilation, position: Position, name: str, arguments: list[Expression], returns: DataType
) -> Expression | None:
    """Return the value of a builtin function; None if the call stays."""
    known = [constant_of(c, each) for each in arguments]
    if not all(map(is_constant, known)):
        return None
    call = ConstantCall(c, position, known, returns)
    name = name.removeprefix("$")
    try:
        if len(known) in BY_COMPONENT.get(name, ()):
            return _by_component(call, BY_COMPONENT[name][len(known)])
        if name in COMPARISONS:
            return _comparison(call, COMPARISONS[name])
        fold = FOLDED.get(name)
        return fold(call) if fold else None
    except CALCULATION_ERRORS:
        return None


def _by_component(call: ConstantCall, function: Callable[..., float]) -> Expression | None:
    count = call.c.types.slots(call.returns)
    columns = [
        values * count if each.type.is_scalar else values
        for at, each in enumerate(call.arguments)
        for values in (call.values(at),)
    ]
    return call.result([float(function(*each)) for each in zip(*columns, strict=False)])


def _comparison(call: ConstantCall, compare: Callable[[float, float], bool]) -> Expression | None:
    pairs = zip(call.values(0), call.values(1), strict=True)
    values: list[float] = [compare(a, b) for a, b in pairs]
    return call.result(values, sized(BOOL, len(values)))


def _length(values: list[float]) -> float:
    total = 0.0
    for each in values:
        total += each * each
    return math.sqrt(total)


def _dot(call: ConstantCall, one: int, other: int) -> Expression:
    """Return the dot product of two arguments."""
    total = 0.0
    for a, b in zip(call.values(one), call.values(other), strict=True):
        total += a * b
    return literal(total, of_component(call.arguments[one].type), NOWHERE)


def _calculate(
    call: ConstantCall, left: Expression, sign: Operator, right: Expression
) -> Expression:
    """Return the expression `left sign right` as in a program; ValueError after an error."""
    made = binary(call.c, NOWHERE, left, sign, right)
    if made is None:
        raise ValueError
    return made


def _int(value: int) -> Expression:
    return literal(value, INT_LITERAL, NOWHERE)


def _float(value: float) -> Expression:
    return literal(value, FLOAT_LITERAL, NOWHERE)


def _distance(call: ConstantCall) -> Expression | None:
    pairs = zip(call.values(0), call.values(1), strict=True)
    return call.scalar(_length([a - b for a, b in pairs]))


def _cross(call: ConstantCall) -> Expression | None:
    x, y = call.values(0), call.values(1)

    def component(i: int, j: int) -> float:
        return to_f32(to_f32(x[i] * y[j]) - to_f32(y[i] * x[j]))

    return call.result([component(1, 2), component(2, 0), component(0, 1)])


def _normalize(call: ConstantCall) -> Expression:
    vector = call.arguments[0]
    length = literal(_length(call.values(0)), of_component(vector.type), NOWHERE)
    return _calculate(call, vector, Operator.SLASH, length)


def _faceforward(call: ConstantCall) -> Expression:
    test = _calculate(call, _dot(call, 2, 1), Operator.LT, _int(0))
    factor = ternary(call.c, NOWHERE, test, _int(1), _int(-1))
    if factor is None:
        raise ValueError
    return _calculate(call, call.arguments[0], Operator.STAR, factor)


def _reflect(call: ConstantCall) -> Expression:
    incident, normal = call.arguments
    twice = _calculate(call, _float(2.0), Operator.STAR, _dot(call, 1, 0))
    away = _calculate(call, twice, Operator.STAR, normal)
    return _calculate(call, incident, Operator.MINUS, away)


def _square(given: Expression) -> Expression:
    if not isinstance(given, LITERALS):
        raise ValueError
    return literal(math.pow(given.value, 2), given.type, NOWHERE)


def _refract(call: ConstantCall) -> Expression | None:
    incident, normal, eta = call.arguments
    cosine = _dot(call, 1, 0)
    sine = _calculate(call, _int(1), Operator.MINUS, _square(cosine))
    bent = _calculate(call, _square(eta), Operator.STAR, sine)
    k = _calculate(call, _int(1), Operator.MINUS, bent)
    if not isinstance(k, LITERALS):
        return None
    if k.value < 0:
        return _calculate(call, _int(0), Operator.STAR, incident)
    along = _calculate(call, eta, Operator.STAR, incident)
    factor = _calculate(
        call,
        _calculate(call, eta, Operator.STAR, cosine),
        Operator.PLUS,
        _float(math.sqrt(k.value)),
    )
    across = _calculate(call, factor, Operator.STAR, normal)
    return _calculate(call, along, Operator.MINUS, across)


def _transpose(call: ConstantCall) -> Expression | None:
    values, size = call.values(0), call.returns.resolved
    return call.result(
        [
            values[size.columns * row + column]
            for column in range(size.columns)
            for row in range(size.rows)
        ]
    )


def _outer_product(call: ConstantCall) -> Expression | None:
    column, row = call.values(0), call.values(1)
    return call.result([to_f32(a * b) for b in row for a in column])


def _inverse(call: ConstantCall) -> Expression | None:
    found = inverse(call.values(0))
    return None if found is None else call.result(found)


def _pack(call: ConstantCall) -> Expression:
    low, high = (math.floor(min(max(x, 0.0), 1.0) * UNORM16 + 0.5) for x in call.values(0))
    return literal(low & 0xFFFF | (high & 0xFFFF) << 16, UINT, call.position)


def _unpack(call: ConstantCall) -> Expression | None:
    packed = int(call.values(0)[0])
    values = [(packed & 0xFFFF) / UNORM16, (packed >> 16 & 0xFFFF) / UNORM16]
    return call.result(values, sized(FLOAT, 2))


FOLDED: dict[str, Callable[[ConstantCall], Expression | None]] = {
    "length": lambda call: call.scalar(_length(call.values(0))),
    "distance": _distance,
    "dot": lambda call: _dot(call, 0, 1),
    "cross": _cross,
    "normalize": _normalize,
    "faceforward": _faceforward,
    "reflect": _reflect,
    "refract": _refract,
    "transpose": _transpose,
    "outerProduct": _outer_product,
    "determinant": lambda call: call.scalar(determinant(call.values(0))),
    "inverse": _inverse,
    "packUnorm2x16": _pack,
    "unpackUnorm2x16": _unpack,
    "any": lambda call: call.scalar(any(call.values(0))),
    "all": lambda call: call.scalar(all(call.values(0))),
}
