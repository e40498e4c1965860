"""OpenCL.std: which types each operand of an instruction takes, and each name by its operands."""

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.lines import reported
from unshade.programs.spirv.tables.grammar import grammar

SCALARS = {
    "h": "Float 16", "f": "Float 32", "d": "Float 64", "c": "Int 8 0", "s": "Int 16 0",
    "i": "Int 32 0", "l": "Int 64 0",
}  # fmt: skip
CAPABILITIES = (
    "Kernel", "Addresses", "Linkage", "Vector16", "Float64", "Float16", "Int64", "Int16", "Int8",
)  # fmt: skip
COUNTS = (1, 2, 3, 4, 8, 16)
CLASSES = {
    "P": "Function", "G": "CrossWorkgroup", "U": "UniformConstant", "I": "Input",
}  # fmt: skip
# Types, as letters of a scalar and a count, after the letter of the class for a pointer.
CANDIDATES = [
    "f", "f2", "f4", "f8", "d", "d2", "h", "i", "i2", "i4", "l", "l2", "s2", "c",
    "Pf", "Pf2", "Pi", "Pi2", "Ph", "Pc", "Gf", "Uf", "If", "Uc", "Uh",
]  # fmt: skip
# Instruction, result (v: none), operands, literal, and what the result and each operand takes
# instead when the others stay; spirv-val agrees with each.
ROWS: list[tuple[str, str, str, str, list[str]]] = [
    ("fma", "f2", "f2 f2 f2", "", ["f2", "f2", "f2", "f2"]),
    ("cos", "f", "f", "", ["f", "f"]),
    ("fract", "f2", "f2 Pf2", "", ["f2", "f2", "Pf2"]),
    ("sincos", "f", "f Gf", "", ["f", "f", "Pf Gf"]),
    ("frexp", "f2", "f2 Pi2", "", ["f2", "f2", "Pi2"]),
    ("lgamma_r", "f", "f Pi", "", ["f", "f", "Pi"]),
    ("remquo", "f2", "f2 f2 Pi2", "", ["f2", "f2", "f2", "Pi2"]),
    ("ilogb", "i2", "f2", "", ["i2", "f2 d2"]),
    ("ldexp", "f2", "f2 i2", "", ["f2", "f2", "i2"]),
    ("nan", "f2", "i2", "", ["f2", "i2"]),
    ("nan", "d", "l", "", ["d", "l"]),
    ("cross", "f4", "f4 f4", "", ["f4", "f4", "f4"]),
    ("length", "f", "f4", "", ["f", "f f2 f4"]),
    ("distance", "f", "f4 f4", "", ["f", "f4", "f4"]),
    ("normalize", "f4", "f4", "", ["f4", "f4"]),
    ("normalize", "f8", "f8", "", ["", ""]),
    ("s_abs", "i2", "i2", "", ["i2", "i2"]),
    ("clz", "l", "l", "", ["l", "l"]),
    ("u_mad24", "i2", "i2 i2 i2", "", ["i2", "i2", "i2", "i2"]),
    ("s_mul24", "i", "i i", "", ["i", "i", "i"]),
    ("u_upsample", "l2", "i2 i2", "", ["l2", "i2", "i2"]),
    ("s_upsample", "i2", "s2 s2", "", ["i2", "s2", "s2"]),
    ("bitselect", "f2", "f2 f2 f2", "", ["f2", "f2", "f2", "f2"]),
    ("bitselect", "i2", "i2 i2 i2", "", ["i2", "i2", "i2", "i2"]),
    ("select", "f2", "f2 f2 i2", "", ["f2", "f2", "f2", "i2"]),
    ("select", "d2", "d2 d2 l2", "", ["d2", "d2", "d2", "l2"]),
    ("shuffle", "f2", "f4 i2", "", ["f2", "f2 f4 f8", "i2"]),
    ("shuffle2", "f2", "f4 f4 i2", "", ["f2", "f4", "f4", "i2"]),
    ("vloadn", "f2", "i Pf", "2", ["f2", "i", "Pf Gf Uf"]),
    ("vload_half", "f", "i Ph", "", ["f d h", "i", "Ph Uh"]),
    ("vload_halfn", "f2", "i Uh", "2", ["f2 d2", "i", "Ph Uh"]),
    ("vstoren", "v", "f2 i Pf", "", ["", "f2 f4 f8", "i", "Pf Gf"]),
    ("vstore_half", "v", "f i Ph", "", ["", "f d", "i", "Ph"]),
    ("vstore_half_r", "v", "f i Ph", "RTE", ["", "f d", "i", "Ph"]),
    ("vstore_halfn", "v", "f2 i Ph", "", ["", "f2 f4 f8 d2", "i", "Ph"]),
    ("vstorea_halfn_r", "v", "d2 i Ph", "RTZ", ["", "f2 f4 f8 d2", "i", "Ph"]),
    ("printf", "i", "Uc", "", ["i", "Uc"]),
    ("prefetch", "v", "Gf i", "", ["", "Gf", "i"]),
]  # fmt: skip
# Instructions of one to three floats and ints, by the number of operands.
FLOATS = {
    1: "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf "
       "exp exp2 exp10 expm1 fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin "
       "sinh sinpi sqrt tan tanh tanpi tgamma trunc half_cos half_exp half_exp2 half_exp10 "
       "half_log half_log2 half_log10 half_recip half_rsqrt half_sin half_sqrt half_tan "
       "native_cos native_exp native_exp2 native_exp10 native_log native_log2 native_log10 "
       "native_recip native_rsqrt native_sin native_sqrt native_tan degrees radians sign",
    2: "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr "
       "remainder half_divide half_powr native_divide native_powr fmax_common fmin_common step",
    3: "fma mad fclamp mix smoothstep",
}  # fmt: skip
INTS = {
    1: "s_abs u_abs clz ctz popcount",
    2: "s_abs_diff u_abs_diff s_add_sat u_add_sat s_hadd u_hadd s_rhadd u_rhadd s_max u_max "
       "s_min u_min s_mul_hi u_mul_hi rotate s_sub_sat u_sub_sat",
    3: "s_clamp u_clamp s_mad_hi u_mad_hi s_mad_sat u_mad_sat",
}  # fmt: skip
SMALLER = {2: "s_mul24 u_mul24", 3: "s_mad24 u_mad24"}  # of 32 bits only


def head() -> str:
    kinds = [scalar + (str(count) if count > 1 else "") for scalar in SCALARS for count in COUNTS]
    lines = [f"OpCapability {name}" for name in CAPABILITIES]
    lines += ['%set = OpExtInstImport "OpenCL.std"', "OpMemoryModel Physical32 OpenCL"]
    lines += ["%void = OpTypeVoid", "%function = OpTypeFunction %void"]
    lines += [f"%{scalar} = OpType{name}" for scalar, name in SCALARS.items()]
    lines += [f"%{each} = OpTypeVector %{each[0]} {each[1:]}" for each in kinds if each[1:]]
    pointers = {each for each in CANDIDATES if each[0] in CLASSES}
    lines += [f"%{each} = OpTypePointer {CLASSES[each[0]]} %{each[1:]}" for each in pointers]
    lines += [f"%u_{each} = OpUndef %{each}" for each in (*kinds, *pointers)]
    return "\n".join(lines)


def line(name: str, result: str, operands: list[str], literal: str = "") -> str:
    type_ = "%void" if result == "v" else f"%{result}"
    given = " ".join(f"%u_{each}" for each in operands)
    return f"%x{{}} = OpExtInst {type_} %set {name} {given} {literal}"


def is_valid(lines: list[str]) -> list[bool]:
    found = []
    for at in range(0, len(lines), 16):  # a rule lists 64 violations, and a line may have four
        found += [not each for each in reported(head(), lines[at : at + 16], "spv1.2")]
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_place_takes_its_types(row: tuple[str, str, str, str, list[str]]) -> None:
    name, result, text, literal, taken = row
    given = text.split()
    values = [each for each in CANDIDATES if each[0] not in CLASSES]
    found = []
    for at in range(-1, len(given)):
        candidates = values if at < 0 else CANDIDATES
        lines = [
            line(name, each, given, literal) if at < 0
            else line(name, result, [*given[:at], each, *given[at + 1 :]], literal)
            for each in candidates
        ]  # fmt: skip
        valid = zip(candidates, is_valid(lines), strict=True)
        found.append(" ".join(each for each, good in valid if good))
    assert found == taken


@pytest.mark.parametrize(
    ("names", "good", "bad"),
    [(FLOATS, "f2", "i2"), (INTS, "l", "d"), (SMALLER, "i2", "l2")],
    ids=["floats", "ints", "smaller"],
)
def test_arithmetic_is_of_floats_or_of_ints(names: dict[int, str], good: str, bad: str) -> None:
    for count, text in names.items():
        known = text.split()
        assert is_valid([line(each, good, [good] * count) for each in known]) == [True] * len(known)
        wrong = [line(each, good, [*[good] * (count - 1), bad]) for each in known]
        assert is_valid(wrong) == [False] * len(known)
        assert is_valid([line(each, bad, [bad] * count) for each in known]) == [False] * len(known)


def test_every_instruction_of_the_set_is_checked() -> None:
    listed = {row[0] for row in ROWS}
    for group in (FLOATS, INTS, SMALLER):
        listed |= {each for names in group.values() for each in names.split()}
    alike = (
        "cos fast_length fast_distance fast_normalize modf pown rootn vload_half vloada_halfn "
        "vstore_halfn_r vstorea_halfn"
    )
    ops = grammar().extended("OpenCL.std")
    assert ops is not None
    assert set(ops.by_name) - listed == set(alike.split()) - {"cos", "vload_half"}
    lines = [
        line("fast_length", "f", ["f4"]), line("fast_length", "f", ["f8"]),
        line("fast_distance", "f", ["f4", "f4"]), line("fast_distance", "f", ["f4", "f2"]),
        line("fast_normalize", "f4", ["f4"]), line("fast_normalize", "f8", ["f8"]),
        line("modf", "f", ["f", "Pf"]), line("modf", "f", ["f", "Uf"]),
        line("pown", "f2", ["f2", "i2"]), line("pown", "f2", ["f2", "l2"]),
        line("rootn", "f", ["f", "i"]), line("rootn", "f", ["f", "f"]),
        line("vloada_halfn", "f2", ["i", "Uh"], "2"), line("vloada_halfn", "f2", ["i", "Uh"], "3"),
        line("vstore_halfn_r", "v", ["f2", "i", "Ph"], "RTE"),
        line("vstore_halfn_r", "v", ["f2", "i", "Uh"], "RTE"),
        line("vstorea_halfn", "v", ["f2", "i", "Ph"]),
        line("vstorea_halfn", "v", ["f2", "l", "Ph"]),
    ]  # fmt: skip
    assert is_valid(lines) == [True, False] * 9


def test_messages() -> None:
    lines = [
        line("cos", "v", ["f"]),
        line("vstoren", "f", ["f2", "i", "Pf"]),
        line("length", "f", ["f8"]),
        line("cross", "f2", ["f2", "f2"]),
        line("shuffle", "f2", ["d2", "i2"]),
        line("s_upsample", "c", ["c", "c"]),
        line("s_upsample", "l", ["s", "s"]),
        line("fract", "f", ["f", "Uf"]),
        line("frexp", "f2", ["f2", "Pi"]),
        line("vloadn", "f2", ["i", "Pi"], "2"),
        line("prefetch", "v", ["Gf", "l"]),
        line("vloadn", "f2", ["i", "Pf"], "4"),
    ]
    assert reported(head(), lines, "spv1.2") == [
        [
            "expected a scalar or vector of float as result",
            "x: expected the type of the result",
            "expected (1, 2, 3, 4, 8, 16) components",
        ],
        ["expected no result"],
        ["expected at most 4 components"],
        ["expected 3 or 4 components"],
        ["expected the result's components"],
        ["expected components of 16, 32 or 64 bits"],
        ["expected components half as wide"],
        ["a pointer of another storage class"],
        ["expected a pointer to as many ints as the result has components"],
        ["expected a pointer to the components"],
        ["expected a scalar of 32-bit int"],
        ["expected the number of components"],
    ]
