"""GLSL.std.450: types of the operands of its instructions.

Source: SPIR-V extended instructions for GLSL.
"""

from ..tables.numbers import Capability, ExecutionModel, GlslStd450, Opcode, StorageClass
from .declarations import encoding_of
from .instruction import CheckTable, Inst
from .signatures import TypeSignature, check_signature
from .state import State

__all__ = ["CHECKS"]

CHECKS = CheckTable()
S = TypeSignature.of

NAME = "GLSL.std.450"
_FLOAT = S("float svn", *["same"] * 3)
_NARROW = S("float16 svn|float32 svn", *["same"] * 2)
_INT = S("int svn", *["int svn, count, width"] * 3)
_INTERPOLATE = "float32 sv|float16 sv"


def _rows(names: str, row: TypeSignature) -> dict[int, TypeSignature]:
    return {getattr(GlslStd450, name): row for name in names.split()}


SIGNATURES = {
    **_rows(
        "Round RoundEven Trunc FAbs FSign Floor Ceil Fract Sqrt InverseSqrt FMin FMax FClamp FMix "
        "Step SmoothStep Fma Normalize FaceForward Reflect NMin NMax NClamp",
        _FLOAT,
    ),
    **_rows(
        "Radians Degrees Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Atan2 Pow "
        "Exp Log Exp2 Log2",
        _NARROW,
    ),
    **_rows("SAbs SSign UMin SMin UMax SMax UClamp SClamp FindILsb FindSMsb FindUMsb", _INT),
    **_rows("PackSnorm4x8 PackUnorm4x8", S("int32 s", "float32 v4")),
    **_rows("PackSnorm2x16 PackUnorm2x16 PackHalf2x16", S("int32 s", "float32 v2")),
    **_rows("UnpackSnorm4x8 UnpackUnorm4x8", S("float32 v4", "int32 s")),
    **_rows("UnpackSnorm2x16 UnpackUnorm2x16 UnpackHalf2x16", S("float32 v2", "int32 s")),
    GlslStd450.PackDouble2x32: S("float64 s", "int32 v2"),
    GlslStd450.UnpackDouble2x32: S("int32 v2", "float64 s"),
    GlslStd450.Determinant: S("float s", "float m, whole"),
    GlslStd450.MatrixInverse: S("float m", "same"),
    GlslStd450.Modf: S("float sv", "same", "to same"),
    GlslStd450.Frexp: S("float sv", "same", "to int32 sv"),
    GlslStd450.Ldexp: S("float sv", "same", "int sv, count"),
    GlslStd450.Length: S("float s", "float sv, whole"),
    GlslStd450.Distance: S("float s", "float sv, whole", "float sv, whole, same 0"),
    GlslStd450.Cross: S("float v3", "same", "same"),
    GlslStd450.Refract: S("float sv", "same", "same", "float s"),
    GlslStd450.InterpolateAtCentroid: S(_INTERPOLATE, "to same"),
    GlslStd450.InterpolateAtSample: S(_INTERPOLATE, "to same", "int32 s"),
    GlslStd450.InterpolateAtOffset: S(_INTERPOLATE, "to same", "float32 v2"),
}
MSB = (GlslStd450.FindSMsb, GlslStd450.FindUMsb)
SQUARE = (GlslStd450.Determinant, GlslStd450.MatrixInverse)
INTERPOLATE = (
    GlslStd450.InterpolateAtCentroid,
    GlslStd450.InterpolateAtSample,
    GlslStd450.InterpolateAtOffset,
)


@CHECKS.on(Opcode.ExtInst)
def check_glsl(state: State, inst: Inst) -> None:
    """Check an instruction of the set."""
    if inst.set != NAME:
        return
    number = inst.word(1)
    types = state.types
    row = SIGNATURES.get(number)
    loaded = number in INTERPOLATE and state.options.before_hlsl_legalization
    if row is not None and not loaded:
        check_signature(state, inst, row, 2)
    first = state.operand_type(inst, 2)
    for type_ in (inst.type, first):
        encoding = encoding_of(state, types.component(type_))
        if encoding:
            state.report("spirv.encoding", inst, f"{encoding} is for storage and conversion")
            break
    if number in MSB and types.width(inst.type) != 32:
        state.report("spirv.result-type", inst, "expected components of 32 bits")
    elif number in SQUARE:
        found = types.numeric(first)
        if found is not None and found.size != found.columns:
            state.report("spirv.operand-type", inst, "expected a square matrix")
    elif number in (GlslStd450.ModfStruct, GlslStd450.FrexpStruct):
        _check_pair(state, inst, number, first)
    elif number == GlslStd450.Frexp:
        pointer = types.pointer(state.operand_type(inst, 3))
        if pointer is not None and types.count(pointer[1]) != types.count(inst.type):
            state.report("spirv.operand-type", inst, "expected as many exponents as components")
    elif number in INTERPOLATE:
        _check_interpolation(state, inst)


def _check_pair(state: State, inst: Inst, number: int, first: int) -> None:
    types = state.types
    members = types.members(inst.type)
    if len(members) != 2 or not types.fits(members[0], "float sv"):
        state.report("spirv.result-type", inst, "expected a structure of a float and another")
        return
    if number == GlslStd450.ModfStruct:
        if members[0] != members[1]:
            state.report("spirv.result-type", inst, "expected two equal members")
    elif not types.fits(members[1], "int32 sv|int16 sv") or types.count(members[0]) != types.count(
        members[1]
    ):
        state.report("spirv.result-type", inst, "expected exponents as second member")
    if first != members[0]:
        state.report("spirv.operand-type", inst, "expected the type of the first member")


def _check_interpolation(state: State, inst: Inst) -> None:
    if not state.has(Capability.InterpolationFunction):
        state.report("spirv.capability", inst, "expected the capability InterpolationFunction")
    pointer = state.types.pointer(state.operand_type(inst, 2))
    if pointer is not None and pointer[0] != StorageClass.Input:
        state.report("spirv.operand-type", inst, "expected a pointer to an input")
    half = "SPV_AMD_gpu_shader_half_float" in state.extensions
    if not half and not state.types.fits(inst.type, "float32 sv"):
        state.report("spirv.result-type", inst, "expected components of 32 bits")
    state.require_models(
        "spirv.stage", inst, (ExecutionModel.Fragment,), "only fragments interpolate"
    )
