"""OpExtInst: GLSL.std.450 as tables of functions on `ir`; other sets are called here, too.

    %5 = OpExtInst %float %1 Sqrt %4      a row of COMPONENTS, by its number

    COMPONENTS   a function of one component of each operand
    PAIRS        the same with two results: Modf and Frexp, to a pointer or as a structure
    VECTORS      a function of whole operands: the components of each, in order
    matrices     Determinant and MatrixInverse, of columns

`FUNCTIONS` lists the handlers. A handler receives the OpExtInst, whose operands are words[5:].

FMin, FMax and FClamp act as NMin, NMax and NClamp: of a number and NaN the result is the number.
Fma rounds twice, so that a module gives the same results before and after spirv-opt, which replaces
a product and a sum by Fma. Round takes ties to even. A value without set bits gives the bit number
-1.

Interpolate* need an input and not its value; they are in interpolation.py. Instructions of
non-semantic sets describe the program, and have no effect.

Source: SPIR-V extended instructions for GLSL.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library import scalar_functions as scalar
from ....ir.ops import OPS, Op
from ....ir.types import I32
from ..module import Instruction
from ..tables.numbers import GlslStd450, Opcode
from ..tables.opcode_groups import is_debug_set
from . import interpolation
from .amd_functions import TRINARY, TRINARY_SET
from .debug_values import debug_instruction
from .glsl_packing import PACKING
from .glsl_vectors import CONSTRUCTIONS, determinant, inverse
from .operations import Components, Handler, Handlers, componentwise
from .printing import DEBUG_PRINTF, debug_printf
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["COMPONENTS", "FUNCTIONS", "HANDLERS", "PAIRS", "VECTORS", "matrix_function"]

GLSL = "GLSL.std.450"
SILENT = "NonSemantic."  # sets without effect
PI = 3.141592653589793

Component = Callable[..., Value]


def _clamp(low: Op, high: Op) -> Component:
    """Return min(max(x, low), high)."""
    return lambda b, x, least, most: b.make(high, b.make(low, x, least), most)


def _mix(b: Builder, x: Value, y: Value, a: Value) -> Value:
    return b.fadd(b.fmul(x, b.fsub(1.0, a)), b.fmul(y, a))


def _step(b: Builder, edge: Value, x: Value) -> Value:
    return b.select(b.flt(x, edge), b.number(0.0, x.type), b.number(1.0, x.type))


def _smooth_step(b: Builder, low: Value, high: Value, x: Value) -> Value:
    t = b.fdiv(b.fsub(x, low), b.fsub(high, low))
    t = b.fmin(b.fmax(t, 0.0), 1.0)
    return b.fmul(b.fmul(t, t), b.fsub(3.0, b.fmul(t, 2.0)))


def _sign(b: Builder, x: Value) -> Value:
    zero, one = constant(0, x.type), constant(1, x.type)
    below = b.select(b.ilt(x, zero), constant(-1, x.type), zero)
    return b.select(b.ilt(zero, x), one, below)


def _lowest_bit(b: Builder, x: Value) -> Value:
    none = b.ieq(x, 0)
    return b.select(none, constant(-1, x.type), b.ctz(x))


def _highest_bit(b: Builder, x: Value) -> Value:
    return b.isub(constant(x.type.bits - 1, x.type), b.clz(x))


def _highest_signed_bit(b: Builder, x: Value) -> Value:
    return _highest_bit(b, b.xor(x, b.ishr(x, x.type.bits - 1)))


# fmt: off
COMPONENTS: dict[int, Component] = {
    GlslStd450.Round:       lambda b, x: b.frint(x),
    GlslStd450.RoundEven:   lambda b, x: b.frint(x),
    GlslStd450.Trunc:       lambda b, x: b.ftrunc(x),
    GlslStd450.FAbs:        lambda b, x: b.fabs(x),
    GlslStd450.SAbs:        lambda b, x: b.imax(x, b.ineg(x)),
    GlslStd450.FSign:       scalar.sign,
    GlslStd450.SSign:       _sign,
    GlslStd450.Floor:       lambda b, x: b.ffloor(x),
    GlslStd450.Ceil:        lambda b, x: b.fceil(x),
    GlslStd450.Fract:       scalar.fract,
    GlslStd450.Radians:     lambda b, x: b.fmul(x, PI / 180),
    GlslStd450.Degrees:     lambda b, x: b.fmul(x, 180 / PI),
    GlslStd450.Sin:         lambda b, x: b.sin(x),
    GlslStd450.Cos:         lambda b, x: b.cos(x),
    GlslStd450.Tan:         lambda b, x: b.tan(x),
    GlslStd450.Asin:        lambda b, x: b.asin(x),
    GlslStd450.Acos:        lambda b, x: b.acos(x),
    GlslStd450.Atan:        lambda b, x: b.atan(x),
    GlslStd450.Sinh:        lambda b, x: b.sinh(x),
    GlslStd450.Cosh:        lambda b, x: b.cosh(x),
    GlslStd450.Tanh:        lambda b, x: b.tanh(x),
    GlslStd450.Asinh:       scalar.asinh,
    GlslStd450.Acosh:       scalar.acosh,
    GlslStd450.Atanh:       scalar.atanh,
    GlslStd450.Atan2:       scalar.atan2,
    GlslStd450.Pow:         lambda b, x, y: b.pow(x, y),
    GlslStd450.Exp:         scalar.exp,
    GlslStd450.Log:         scalar.log,
    GlslStd450.Exp2:        lambda b, x: b.exp2(x),
    GlslStd450.Log2:        lambda b, x: b.log2(x),
    GlslStd450.Sqrt:        lambda b, x: b.fsqrt(x),
    GlslStd450.InverseSqrt: lambda b, x: b.rsqrt(x),
    GlslStd450.FMin:        lambda b, x, y: b.fmin(x, y),
    GlslStd450.UMin:        lambda b, x, y: b.umin(x, y),
    GlslStd450.SMin:        lambda b, x, y: b.imin(x, y),
    GlslStd450.FMax:        lambda b, x, y: b.fmax(x, y),
    GlslStd450.UMax:        lambda b, x, y: b.umax(x, y),
    GlslStd450.SMax:        lambda b, x, y: b.imax(x, y),
    GlslStd450.FClamp:      _clamp(OPS.fmax, OPS.fmin),
    GlslStd450.UClamp:      _clamp(OPS.umax, OPS.umin),
    GlslStd450.SClamp:      _clamp(OPS.imax, OPS.imin),
    GlslStd450.FMix:        _mix,
    GlslStd450.Step:        _step,
    GlslStd450.SmoothStep:  _smooth_step,
    GlslStd450.Fma:         lambda b, x, y, z: b.fadd(b.fmul(x, y), z),
    GlslStd450.Ldexp:       scalar.ldexp,
    GlslStd450.FindILsb:    _lowest_bit,
    GlslStd450.FindSMsb:    _highest_signed_bit,
    GlslStd450.FindUMsb:    _highest_bit,
    GlslStd450.NMin:        lambda b, x, y: b.fmin(x, y),
    GlslStd450.NMax:        lambda b, x, y: b.fmax(x, y),
    GlslStd450.NClamp:      _clamp(OPS.fmax, OPS.fmin),
}
# fmt: on
# (result, second result); the second exponent of Frexp is an i32.
PAIRS: dict[int, Callable[[Builder, Value], tuple[Value, Value]]] = {
    GlslStd450.Modf: scalar.modf,
    GlslStd450.ModfStruct: scalar.modf,
    GlslStd450.Frexp: scalar.frexp,
    GlslStd450.FrexpStruct: scalar.frexp,
}
VECTORS: dict[int, Callable[..., list[Value]]] = {
    getattr(GlslStd450, name): function for name, function in {**CONSTRUCTIONS, **PACKING}.items()
}


def matrix_function(b: Builder, number: int, matrix: Sequence[Sequence[Value]]) -> list[Value]:
    """Append Determinant or MatrixInverse of a matrix by columns; return components in order."""
    if number == GlslStd450.Determinant:
        return [determinant(b, matrix)]
    return [each for column in inverse(b, matrix) for each in column]


# ---------------------------------------------------------------- handlers


def _each(function: Component) -> Handler:
    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        operands = [lowering.value(each) for each in words[5:]]
        type = lowering.types.of(words[1])
        return componentwise(lowering, lambda b, _, *x: function(b, *x), type, operands)

    return lower


def _pairs(lowering: "Lowering", instruction: Instruction) -> Components:
    """Lower Modf or Frexp: the second result is stored through a pointer, or returned."""
    words = instruction.words
    number = words[4]
    pairs = [PAIRS[number](lowering.b, each) for each in lowering.value(words[5])]
    first = tuple(one for one, _ in pairs)
    second = tuple(other for _, other in pairs)
    if number in (GlslStd450.Modf, GlslStd450.Frexp):
        pointer = lowering.pointer(words[6])
        pointer.store(lowering.b, [_narrowed(lowering, pointer.type, each) for each in second])
        return first
    member = lowering.types.of(words[1]).at(1)
    return *first, *(_narrowed(lowering, member, each) for each in second)


def _narrowed(lowering: "Lowering", type: LeafType, value: Value) -> Value:
    """Return an exponent in the type that the module declares."""
    if value.type != I32 or type.scalar in (None, I32):
        return value
    return lowering.b.iconv(value, type=type.scalar)


def _vectors(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    operands = (lowering.value(each) for each in words[5:])
    return tuple(VECTORS[words[4]](lowering.b, *operands))


def _matrices(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    values = lowering.value(words[5])
    size = lowering.types.of_value(words[5]).count
    columns = [values[at : at + size] for at in range(0, len(values), size)]
    return tuple(matrix_function(lowering.b, words[4], columns))


FUNCTIONS: dict[int, Handler] = {
    **{number: _each(function) for number, function in COMPONENTS.items()},
    **dict.fromkeys(PAIRS, _pairs),
    **dict.fromkeys(VECTORS, _vectors),
    GlslStd450.Determinant: _matrices,
    GlslStd450.MatrixInverse: _matrices,
    **interpolation.FUNCTIONS,
}
SETS: dict[str, dict[int, Handler]] = {
    GLSL: FUNCTIONS,
    TRINARY_SET: {number: _each(function) for number, function in TRINARY.items()},
}


def _call(lowering: "Lowering", instruction: Instruction) -> Any:
    words = instruction.words
    name = lowering.index.imports.get(words[3], "")
    if is_debug_set(name):
        return debug_instruction(lowering, instruction)
    if name == DEBUG_PRINTF:
        return debug_printf(lowering, instruction)
    if name.startswith(SILENT):
        return None
    functions = SETS.get(name)
    if functions is None:
        raise UnsupportedError(f"instructions of {name or 'an unknown set'} cannot be run")
    function = functions.get(words[4])
    if function is None:
        raise UnsupportedError(f"function {words[4]} of {name} cannot be run yet")
    return function(lowering, instruction)


HANDLERS: Handlers = {Opcode.ExtInst: _call}
