"""Tables against the headers of Skia's milestone 104: numbers, spellings, precedence, types."""

from __future__ import annotations

from enum import IntEnum, IntFlag

import pytest

from unshade.programs.sksl.tables.enumerations import (
    BlockForm,
    Builtin,
    LanguageVersion,
    LayoutFlag,
    ModifierFlag,
    OwnerKind,
    ReferenceKind,
    SkslProgramKind,
    SwizzleComponent,
    VariableStorage,
)
from unshade.programs.sksl.tables.operators import OPERATORS, Operator, Precedence
from unshade.programs.sksl.tree.expression import result_type
from unshade.programs.sksl.tree.named_types import (
    ALIASES,
    INVALID,
    PRIVATE_TYPES,
    ROOT_TYPES,
    compound,
)

pytestmark = pytest.mark.fast

COUNTED: list[tuple[type[IntEnum], str]] = [
    (SkslProgramKind, "FRAGMENT VERTEX GRAPHITE_FRAGMENT GRAPHITE_VERTEX RUNTIME_COLOR_FILTER "
     "RUNTIME_SHADER RUNTIME_BLENDER PRIVATE_RUNTIME_SHADER MESH_VERTEX MESH_FRAGMENT GENERIC"),
    (LanguageVersion, "ES2 ES3"),
    (VariableStorage, "GLOBAL INTERFACE_BLOCK LOCAL PARAMETER"),
    (OwnerKind, "DEFAULT ANONYMOUS_INTERFACE_BLOCK"),
    (ReferenceKind, "READ WRITE READ_WRITE POINTER"),
    (SwizzleComponent, "X Y Z W R G B A S T P Q LEFT TOP RIGHT BOTTOM ZERO ONE"),
    (BlockForm, "UNBRACED BRACED_SCOPE COMPOUND"),
    (Operator, "PLUS MINUS STAR SLASH PERCENT SHL SHR LOGICAL_NOT LOGICAL_AND LOGICAL_OR "
     "LOGICAL_XOR BITWISE_NOT BITWISE_AND BITWISE_OR BITWISE_XOR EQ EQEQ NEQ LT GT LTEQ GTEQ "
     "PLUS_EQ MINUS_EQ STAR_EQ SLASH_EQ PERCENT_EQ SHL_EQ SHR_EQ BITWISE_AND_EQ BITWISE_OR_EQ "
     "BITWISE_XOR_EQ PLUS_PLUS MINUS_MINUS COMMA"),
]  # fmt: skip
FLAGS: list[tuple[type[IntFlag], str]] = [
    (ModifierFlag, "FLAT NOPERSPECTIVE CONST UNIFORM IN OUT HIGHP MEDIUMP LOWP ES3 "
     "HAS_SIDE_EFFECTS INLINE NOINLINE"),
    (LayoutFlag, "ORIGIN_UPPER_LEFT PUSH_CONSTANT BLEND_SUPPORT_ALL_EQUATIONS COLOR LOCATION "
     "OFFSET BINDING INDEX SET BUILTIN INPUT_ATTACHMENT_INDEX"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "names"), COUNTED, ids=lambda each: getattr(each, "__name__", ""))
def test_members_are_counted_from_zero(kind: type[IntEnum], names: str) -> None:
    assert {each.name: int(each) for each in kind} == {
        name: at for at, name in enumerate(names.split())
    }


@pytest.mark.parametrize(("kind", "names"), FLAGS, ids=lambda each: getattr(each, "__name__", ""))
def test_flags_are_bits_in_order(kind: type[IntFlag], names: str) -> None:
    assert {each.name: int(each) for each in kind} == {
        name: 1 << at for at, name in enumerate(names.split())
    }


def test_builtins_have_the_numbers_of_layouts() -> None:
    assert {each.name: int(each) for each in Builtin} == {
        "POSITION": 0, "POINT_SIZE": 1, "FRAG_COORD": 15, "CLOCKWISE": 17, "VERTEX_ID": 42,
        "INSTANCE_ID": 43, "FRAG_COLOR": 10001, "LAST_FRAG_COLOR": 10008, "MAIN_COORDS": 10009,
        "INPUT_COLOR": 10010, "DEST_COLOR": 10011, "SECONDARY_FRAG_COLOR": 10012,
    }  # fmt: skip


def test_kinds_of_programs() -> None:
    kinds = list(SkslProgramKind)
    assert [int(each) for each in kinds if each.is_fragment] == [0, 2]
    assert [int(each) for each in kinds if each.prints_version] == [4, 5, 6, 7, 8, 9, 10]
    assert [each.directive for each in LanguageVersion] == ["100", "300"]
    assert "".join(each.letter for each in SwizzleComponent) == "xyzwrgbastpqLTRB01"


# As in C, from the tightest, with ^^ between && and ||.
BINDING = [
    ("POSTFIX", "++ --"), ("PREFIX", "! ~"), ("MULTIPLICATIVE", "* / %"), ("ADDITIVE", "+ -"),
    ("SHIFT", "<< >>"), ("RELATIONAL", "< > <= >="), ("EQUALITY", "== !="), ("BITWISE_AND", "&"),
    ("BITWISE_XOR", "^"), ("BITWISE_OR", "|"), ("LOGICAL_AND", "&&"), ("LOGICAL_XOR", "^^"),
    ("LOGICAL_OR", "||"), ("TERNARY", ""), ("ASSIGNMENT", "= += -= *= /= %= <<= >>= &= |= ^="),
    ("SEQUENCE", ","),
]  # fmt: skip


def test_operators_bind_as_in_c() -> None:
    assert [each.name for each in Precedence] == ["PARENTHESES", *(name for name, _ in BINDING)]
    assert [int(each) for each in Precedence] == list(range(1, 18))
    wanted = {text: name for name, texts in BINDING for text in texts.split()}
    assert {each.spelling: each.precedence.name for each in Operator} == wanted
    assert len(OPERATORS) == len(Operator) == len(wanted) == 35


def test_classes_of_operators() -> None:
    def spelt(*found: Operator) -> str:
        return " ".join(each.spelling for each in found)

    every = list(Operator)
    assert spelt(*(each for each in every if each.is_assignment)) == (
        "= += -= *= /= %= <<= >>= &= |= ^="
    )
    assert spelt(*(each for each in every if each.is_comparison)) == "== != < > <= >="
    assert spelt(*(each for each in every if each.is_logical)) == "&& || ^^"
    for each in every:
        compound_one = each.is_assignment and each is not Operator.EQ
        wanted = each.spelling[:-1] if compound_one else each.spelling
        assert each.without_assignment.spelling == wanted


# Name, kind of number, rank in conversions, bits: the scalars of SkSLBuiltinTypes.cpp.
SCALARS = [
    ("float", "FLOAT", 10, 32), ("half", "FLOAT", 9, 16), ("int", "SIGNED", 7, 32),
    ("uint", "UNSIGNED", 6, 32), ("short", "SIGNED", 4, 16), ("ushort", "UNSIGNED", 3, 16),
    ("bool", "BOOL", 0, 1), ("$floatLiteral", "FLOAT", 8, 32), ("$intLiteral", "SIGNED", 5, 32),
]  # fmt: skip


@pytest.mark.parametrize(("name", "number", "rank", "bits"), SCALARS)
def test_scalars_and_their_vectors(name: str, number: str, rank: int, bits: int) -> None:
    scalar = ROOT_TYPES[name]
    literal = name.startswith("$")
    assert scalar.kind.name == ("LITERAL" if literal else "SCALAR")
    assert (scalar.number.name, scalar.priority, scalar.bits) == (number, rank, bits)
    assert (scalar.columns, scalar.rows, scalar.component) == (1, 1, scalar)
    assert (name + "2" in ROOT_TYPES) != literal
    for size in () if literal else (2, 3, 4):
        vector = ROOT_TYPES[f"{name}{size}"]
        assert (vector.kind.name, vector.columns, vector.rows) == ("VECTOR", size, 1)
        assert (vector.number.name, vector.priority, vector.bits) == (number, rank, bits)
        assert vector.component is scalar
        assert compound(scalar, size) is vector
    assert compound(scalar, 1) is scalar
    assert compound(scalar, 5) is INVALID
    assert f"{name}1" not in ROOT_TYPES
    assert f"{name}5" not in ROOT_TYPES


@pytest.mark.parametrize("name", ["float", "half"])
def test_matrices_name_columns_first(name: str) -> None:
    for columns in (2, 3, 4):
        for rows in (2, 3, 4):
            matrix = ROOT_TYPES[f"{name}{columns}x{rows}"]
            assert (matrix.kind.name, matrix.columns, matrix.rows) == ("MATRIX", columns, rows)
            assert matrix.component is ROOT_TYPES[name]
            assert (matrix.bits, matrix.priority) == ((32, 10) if name == "float" else (16, 9))
            assert compound(ROOT_TYPES[name], columns, rows) is matrix
    assert compound(ROOT_TYPES["int"], 2, 2) is INVALID
    assert len(ROOT_TYPES) == 1 + 7 * 4 + 2 * 9 + 2 + 12 + 4 + 3


# What a generic type stands for, in the order of its versions; - is none.
GENERICS = {
    "$genType": "float float2 float3 float4", "$genHType": "half half2 half3 half4",
    "$genIType": "int int2 int3 int4", "$genUType": "uint uint2 uint3 uint4",
    "$genBType": "bool bool2 bool3 bool4", "$vec": "- float2 float3 float4",
    "$hvec": "- half2 half3 half4", "$ivec": "- int2 int3 int4", "$uvec": "- uint2 uint3 uint4",
    "$svec": "- short2 short3 short4", "$usvec": "- ushort2 ushort3 ushort4",
    "$bvec": "- bool2 bool3 bool4",
    "$mat": "float2x2 float2x3 float2x4 float3x2 float3x3 float3x4 float4x2 float4x3 float4x4",
    "$hmat": "half2x2 half2x3 half2x4 half3x2 half3x3 half3x4 half4x2 half4x3 half4x4",
    "$squareMat": "- float2x2 float3x3 float4x4", "$squareHMat": "- half2x2 half3x3 half4x4",
}  # fmt: skip


def test_generic_types_stand_for_their_versions() -> None:
    found = {
        each.name: " ".join("-" if of is INVALID else of.name for of in each.choices)
        for each in ROOT_TYPES.values()
        if each.kind.name == "GENERIC"
    }
    assert found == GENERICS


def test_names_of_glsl_are_aliases() -> None:
    wanted = {f"{short}vec{size}": f"{name}{size}" for size in (2, 3, 4)
              for short, name in (("", "float"), ("i", "int"), ("b", "bool"))}  # fmt: skip
    wanted |= {f"mat{size}": f"float{size}x{size}" for size in (2, 3, 4)}
    wanted |= {f"mat{c}x{r}": f"float{c}x{r}" for c in (2, 3, 4) for r in (2, 3, 4)}
    assert {name: each.resolved.name for name, each in ALIASES.items()} == wanted
    for each in ALIASES.values():
        same = each.resolved
        assert (each.columns, each.rows, each.bits, each.priority, each.number, each.kind) == (
            same.columns, same.rows, same.bits, same.priority, same.number, same.kind,
        )  # fmt: skip


def test_children_samplers_and_other_types() -> None:
    children = [each.name for each in ROOT_TYPES.values() if each.kind.name == "CHILD"]
    assert children == ["shader", "colorFilter", "blender"]
    assert {name: each.kind.name for name, each in PRIVATE_TYPES.items()} == {
        **dict.fromkeys(
            ("sampler1D", "sampler2D", "sampler3D", "samplerExternalOES", "sampler2DRect",
             "isampler2D", "sampler"), "SAMPLER",
        ),
        "subpassInput": "OTHER", "subpassInputMS": "OTHER", "texture2D": "OTHER",
    }  # fmt: skip


# An operation and the type of its result; none for operands that do not fit.
RESULTS = [
    ("float , int", "int"), ("int = float", "int"), ("float2 += float", "float2"),
    ("int == int", "bool"), ("float3 != float3", "bool"), ("float < float", "bool"),
    ("bool && bool", "bool"), ("bool || bool", "bool"), ("bool ^^ bool", "bool"),
    ("float + float", "float"), ("float + float2", "float2"), ("float2 - float", "float2"),
    ("float2 + float2", "float2"), ("float2 + float3", None), ("float3 / float2", None),
    ("float2x2 + float2x2", "float2x2"), ("float2x2 - float2x3", None),
    ("float2x3 - float3x2", None), ("float2x2 + float", "float2x2"),
    ("float * float2x3", "float2x3"), ("float2x3 * float", "float2x3"),
    ("float2x3 * float2", "float3"), ("float2x3 * float3", None), ("float3 * float2x3", "float2"),
    ("float2 * float2x3", None), ("float2x3 * float4x2", "float4x3"),
    ("float2x3 * float2x3", None), ("float4x4 * float4x4", "float4x4"),
    ("float4 * float4x4", "float4"), ("half2x2 * half2", "half2"), ("float3 * float3", "float3"),
    ("int << int2", "int"), ("int2 >> int", "int2"), ("int & int2", "int2"),
    ("$intLiteral + int", "int"), ("int + $intLiteral", "int"),
    ("$intLiteral + $intLiteral", "$intLiteral"), ("$floatLiteral * half", "half"),
    ("$floatLiteral * float2", "float2"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), RESULTS)
def test_type_of_a_result(text: str, wanted: str | None) -> None:
    left, spelling, right = text.split()
    operator = next(each for each in Operator if each.spelling == spelling)
    found = result_type(operator, ROOT_TYPES[left], ROOT_TYPES[right])
    assert found is (INVALID if wanted is None else ROOT_TYPES[wanted])
