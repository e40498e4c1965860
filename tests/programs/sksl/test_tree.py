"""The tree of SkSL programs: types, results of operators, conversions, builtin modules."""

import pytest

from tests.programs.sksl.samples import binary, half, indexed, local, named, tinted, use
from unshade.errors import UsageError
from unshade.programs.sksl.builtins import module, parent_of
from unshade.programs.sksl.tables.enumerations import SkslProgramKind
from unshade.programs.sksl.tree import (
    ALIASES,
    FLOAT_LITERAL,
    INT_LITERAL,
    INVALID,
    ArrayDataType,
    FunctionDeclaration,
    IndexExpression,
    OverloadSet,
    ReturnStatement,
    StructDataType,
    best_overload,
    conversion_cost,
    final_types,
    same_type,
    walk,
)
from unshade.programs.sksl.tree.named_types import PRIVATE_TYPES


@pytest.mark.parametrize(
    ("left", "sign", "right", "result"),
    [
        ("float2", "+", "float2", "float2"),
        ("float", "*", "half3", "half3"),
        ("float3", "/", "float", "float3"),
        ("float2x3", "*", "float2", "float3"),
        ("float3", "*", "float2x3", "float2"),
        ("float2x3", "*", "float4x2", "float4x3"),
        ("float2x2", "*", "float", "float2x2"),
        ("int2", "<<", "int", "int2"),
        ("half4", "==", "half4", "bool"),
        ("bool", "&&", "bool", "bool"),
        ("half4", "*=", "half", "half4"),
        ("half4", ",", "int", "int"),
        ("float2", "+", "float3", "<INVALID>"),
        ("float2x3", "*", "float3", "<INVALID>"),
    ],
)
def test_types_of_results(left: str, sign: str, right: str, result: str) -> None:
    found = binary(use(local("a", left)), sign, use(local("b", right))).type
    assert found.name == result


def test_types_of_elements() -> None:
    array = ArrayDataType(component=named("half4"), columns=3)
    for of, element in ((array, "half4"), (named("float2x3"), "float3"), (named("int3"), "int")):
        base = use(local("a", of))
        assert IndexExpression(base=base, index=half(0.0)).type.name == element
    assert IndexExpression(base=half(0.0), index=half(0.0)).type is INVALID


def test_names_of_types() -> None:
    assert ArrayDataType(component=named("float"), columns=4).name == "float[4]"
    assert ArrayDataType(component=named("float"), columns=-1).name == "float[]"
    assert (FLOAT_LITERAL.shown, INT_LITERAL.shown) == ("float", "int")
    assert ALIASES["mat3x2"].resolved is named("float3x2")
    assert PRIVATE_TYPES["sampler2D"].name == "sampler2D"


def test_equal_types() -> None:
    one, other = (ArrayDataType(component=named("float"), columns=4) for _ in range(2))
    assert same_type(one, other)
    assert same_type(ALIASES["vec2"], named("float2"))
    assert not same_type(one, ArrayDataType(component=named("float"), columns=3))
    assert not same_type(StructDataType(name="A", members=[], interface_block=False), one)


@pytest.mark.parametrize(
    ("given", "wanted", "cost"),
    [
        ("half", "float", (0, 1)),
        ("float", "half", (1, 0)),
        ("$intLiteral", "half", (0, 0)),
        ("$floatLiteral", "half", (0, 1)),
        ("half3", "float3", (0, 1)),
        ("half3", "float2", None),
        ("int", "float", None),
        ("bool", "int", None),
        ("int3", "$genIType", (0, 3)),
    ],
)
def test_costs_of_conversions(given: str, wanted: str, cost: tuple[int, int] | None) -> None:
    assert conversion_cost(named(given), named(wanted)) == cost


def test_generic_parameters_stand_for_one_type() -> None:
    found = best_overload(module("public").names["max"], [named("half3"), FLOAT_LITERAL])
    assert isinstance(found, FunctionDeclaration)
    final = final_types(found, [named("half3"), FLOAT_LITERAL])
    assert final is not None
    assert [each.name for each in (*final[0], final[1])] == ["half3", "half", "half3"]


def test_no_overload_fits() -> None:
    found = module("public").names["max"]
    assert best_overload(found, [named("bool")]) is found


def test_modules_have_the_functions_of_version_11() -> None:
    """The counts are those of the modules of milestone 104."""
    for name, names, functions in (("public", 75, 202), ("gpu", 134, 303)):
        found = [
            each.functions if isinstance(each, OverloadSet) else [each]
            for each in module(name).names.values()
            if isinstance(each, OverloadSet | FunctionDeclaration)
        ]
        assert (len(found), sum(map(len, found))) == (names, functions)
    with pytest.raises(UsageError, match="unknown module 'gpus'"):
        module("gpus")


def test_scopes_around_a_program() -> None:
    assert parent_of(SkslProgramKind.FRAGMENT).find("sk_FragColor") is not None
    assert parent_of(SkslProgramKind.VERTEX).find("sk_Position") is not None
    assert parent_of(SkslProgramKind.RUNTIME_SHADER).find("sk_FragCoord") is None
    assert parent_of(SkslProgramKind.PRIVATE_RUNTIME_SHADER).find("sk_FragCoord") is not None


def test_a_walk_is_in_the_order_of_the_file_and_has_no_symbols() -> None:
    found = [type(each).__name__ for each in walk(tinted().unit)]
    assert found[:3] == ["ProgramUnit", "SymbolTable", "GlobalDeclaration"]
    assert found[-4:] == [
        "VariableReference", "ConstructorScalarCast", "SwizzleExpression", "VariableReference",
    ]  # fmt: skip
    assert "VariableSymbol" not in found


def test_nodes_describe_themselves() -> None:
    (found,) = (each for each in walk(indexed(1).unit) if type(each).__name__ == "PrefixExpression")
    assert repr(found).startswith("PrefixExpression(operator=<Operator.MINUS: 1>")
    assert repr(ReturnStatement()) == "ReturnStatement(value=None)"
