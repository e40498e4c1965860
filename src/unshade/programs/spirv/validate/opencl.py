"""OpenCL.std: types of the operands of its instructions.

Source: SPIR-V extended instructions for OpenCL.
"""

from ..tables.numbers import AddressingModel, Opcode, StorageClass
from .instruction import CheckTable, Inst
from .signatures import TypeSignature, check_signature
from .state import State

__all__ = ["CHECKS"]

CHECKS = CheckTable()
S = TypeSignature.of

NAME = "OpenCL.std"
_FLOAT = S("float sv", *["same"] * 3)
_INT = S("int sv", *["same"] * 3)
_INT32 = S("int32 sv", *["same"] * 3)
_POWER = S("float sv", "same", "int32 sv, count")
_LENGTH = S("float s", "float sv, whole")
_DISTANCE = S("float s", "float sv, whole", "float sv, same 0")
_STORE_HALF = S("", "float32 s|float64 s", "", "to float16 s")
_STORE_HALF_N = S("", "float32 v|float64 v", "", "to float16 s")


def _rows(names: str, row: TypeSignature) -> dict[str, TypeSignature]:
    return dict.fromkeys(names.split(), row)


SIGNATURES = {
    **_rows(
        "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign "
        "cos cosh cospi erfc erf exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod hypot "
        "lgamma log log2 log10 log1p logb mad maxmag minmag nextafter pow powr remainder rint "
        "round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc half_cos half_divide "
        "half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_powr half_recip "
        "half_rsqrt half_sin half_sqrt half_tan native_cos native_divide native_exp native_exp2 "
        "native_exp10 native_log native_log2 native_log10 native_powr native_recip native_rsqrt "
        "native_sin native_sqrt native_tan fclamp degrees fmax_common fmin_common mix radians "
        "step smoothstep sign normalize fast_normalize",
        _FLOAT,
    ),
    **_rows("fract modf sincos", S("float sv", "same", "to same")),
    **_rows("frexp lgamma_r", S("float sv", "same", "to int32 sv")),
    "remquo": S("float sv", "same", "same", "to int32 sv"),
    "ilogb": S("int32 sv", "float sv, count"),
    **_rows("ldexp pown rootn", _POWER),
    "nan": S("float sv", "int sv, count, width"),
    "cross": S("float v", "same", "same"),
    **_rows("length fast_length", _LENGTH),
    **_rows("distance fast_distance", _DISTANCE),
    **_rows(
        "s_abs s_abs_diff s_add_sat u_add_sat s_hadd u_hadd s_rhadd u_rhadd s_clamp u_clamp clz "
        "ctz s_mad_hi u_mad_sat s_mad_sat s_max u_max s_min u_min s_mul_hi rotate s_sub_sat "
        "u_sub_sat popcount u_abs u_abs_diff u_mul_hi u_mad_hi",
        _INT,
    ),
    **_rows("s_mad24 u_mad24 s_mul24 u_mul24", _INT32),
    **_rows("s_upsample u_upsample", S("int sv", "int sv, count", "int sv, same 0")),
    "bitselect": S("float sv|int sv", "same", "same", "same"),
    "select": S("float sv|int sv", "same", "same", "int sv, count, width"),
    "shuffle": S("float v|int v", "float v|int v", "int v, count, width"),
    "shuffle2": S("float v|int v", "float v|int v", "float v|int v, same 0", "int v, count, width"),
    "vloadn": S("float v|int v", "", "to float s|int s"),
    "vload_half": S("float s", "", "to float16 s"),
    **_rows("vload_halfn vloada_halfn", S("float v", "", "to float16 s")),
    "vstoren": S("", "float v|int v", "", "to float s|int s"),
    **_rows("vstore_half vstore_half_r", _STORE_HALF),
    **_rows("vstore_halfn vstore_halfn_r vstorea_halfn vstorea_halfn_r", _STORE_HALF_N),
    "printf": S("int32 s", "to int8 s"),
    "prefetch": S("", "to float sv|int sv", ""),
}
WRITABLE = frozenset({
    StorageClass.Generic, StorageClass.CrossWorkgroup, StorageClass.Workgroup,
    StorageClass.Function,
})  # fmt: skip
READABLE = WRITABLE | {StorageClass.UniformConstant}
# Classes that the pointer of an instruction may have.
CLASSES = {
    **dict.fromkeys(("fract", "modf", "sincos", "frexp", "lgamma_r", "remquo"), WRITABLE),
    **{name: WRITABLE for name in SIGNATURES if name.startswith("vstore")},
    **{name: READABLE for name in SIGNATURES if name.startswith("vload")},
    "printf": frozenset({StorageClass.UniformConstant}),
    "prefetch": frozenset({StorageClass.CrossWorkgroup}),
}
RELAXED = "SPV_EXT_relaxed_printf_string_address_space"  # formats of printf may be elsewhere
COUNTED = ("frexp", "lgamma_r", "remquo")  # pointers to as many ints as the result has components
SMALL = ("length", "fast_length", "distance", "fast_distance", "normalize", "fast_normalize")
COUNTS = (1, 2, 3, 4, 8, 16)


@CHECKS.on(Opcode.ExtInst)
def check_opencl(state: State, inst: Inst) -> None:
    """Check an instruction of the set."""
    op = inst.operands[1].op if inst.set == NAME and len(inst.operands) > 1 else None
    row = SIGNATURES.get(op.name) if op is not None else None
    if op is None or row is None:
        return
    name = op.name
    types = state.types
    check_signature(state, inst, row, 2)
    if not row.result and types.code(inst.type) != Opcode.TypeVoid:
        state.report("spirv.result-type", inst, "expected no result")
    elif row.result and types.count(inst.type) not in COUNTS:
        state.report("spirv.result-type", inst, f"expected {COUNTS} components")
    _check_pointer(state, inst, name)
    _check_offset(state, inst, name)
    if name in SMALL and types.count(state.operand_type(inst, 2)) > 4:
        state.report("spirv.operand-type", inst, "expected at most 4 components")
    elif name == "cross" and types.count(inst.type) not in (3, 4):
        state.report("spirv.result-type", inst, "expected 3 or 4 components")
    elif name in ("shuffle", "shuffle2"):
        if types.component(inst.type) != types.component(state.operand_type(inst, 2)):
            state.report("spirv.operand-type", inst, "expected the result's components")
    elif name in ("s_upsample", "u_upsample"):
        width = types.width(inst.type)
        if width not in (16, 32, 64):
            state.report("spirv.result-type", inst, "expected components of 16, 32 or 64 bits")
        elif types.width(state.operand_type(inst, 2)) * 2 != width:
            state.report("spirv.operand-type", inst, "expected components half as wide")


def _check_pointer(state: State, inst: Inst, name: str) -> None:
    allowed = CLASSES.get(name)
    if name == "printf" and RELAXED in state.extensions:
        allowed = READABLE
    types = state.types
    for at in range(2, len(inst.operands)) if allowed is not None else ():
        pointer = types.pointer(state.operand_type(inst, at))
        if pointer is None:
            continue
        assert allowed is not None
        if pointer[0] not in allowed:
            state.report("spirv.operand-type", inst, "a pointer of another storage class")
        if name in COUNTED and types.count(pointer[1]) != types.count(inst.type):
            message = "expected a pointer to as many ints as the result has components"
            state.report("spirv.operand-type", inst, message)
        data = inst.type if name == "vloadn" else state.operand_type(inst, 2)
        if name in ("vloadn", "vstoren") and pointer[1] != types.component(data):
            state.report("spirv.operand-type", inst, "expected a pointer to the components")
        break


def _check_offset(state: State, inst: Inst, name: str) -> None:
    """Check the offset of loads and stores of vectors, and their number of components."""
    if name == "prefetch":
        at = 3
    elif name.startswith("vload"):
        at = 2
    elif name.startswith("vstore"):
        at = 3
    else:
        return
    width = {AddressingModel.Physical32: 32, AddressingModel.Physical64: 64}.get(state.addressing)
    if width is None:
        state.report("spirv.operand-type", inst, "expected physical addresses")
    elif not state.types.fits(state.operand_type(inst, at), f"int{width} s"):
        state.report("spirv.operand-type", inst, f"expected a scalar of {width}-bit int")
    counted = name.startswith("vload") and len(inst.operands) > 4
    if counted and inst.word(4) != state.types.count(inst.type):
        state.report("spirv.operand-type", inst, "expected the number of components")
