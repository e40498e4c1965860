"""Rules for single nodes of SkSL: operands, components, members, constructors, declarations."""

from __future__ import annotations

import pytest

from tests.programs.sksl.samples import binary, call, function, half, local, modifiers, named, use
from unshade.programs.sksl.tables.enumerations import SwizzleComponent
from unshade.programs.sksl.tables.operators import Operator
from unshade.programs.sksl.tree import (
    INVALID,
    ArrayDataType,
    ConstructorArray,
    ConstructorCompound,
    ConstructorExpression,
    ConstructorScalarCast,
    ConstructorSplat,
    ConstructorStruct,
    DataType,
    DiscardStatement,
    DoStatement,
    Expression,
    FieldAccess,
    FunctionCall,
    IndexExpression,
    NopStatement,
    PrefixExpression,
    StructDataType,
    StructField,
    SwizzleExpression,
    TernaryExpression,
    TreeNode,
    VariableDeclaration,
)
from unshade.programs.sksl.verify import RULES
from unshade.programs.sksl.verify.nodes import check_node
from unshade.rule import Findings

PAIR = StructDataType(
    name="Pair",
    members=[StructField(modifiers=modifiers(), name=each, type=named("half")) for each in "ab"],
    interface_block=False,
)
THREE = ArrayDataType(component=named("float"), columns=3)


def of(type_: DataType | str) -> Expression:
    return use(local("v", type_))


def prefix(sign: str, type_: str) -> PrefixExpression:
    operator = next(each for each in Operator if each.spelling == sign)
    return PrefixExpression(operator=operator, operand=of(type_))


def swizzle(type_: str, letters: str) -> SwizzleExpression:
    components = [next(c for c in SwizzleComponent if c.letter == each) for each in letters]
    return SwizzleExpression(base=of(type_), components=components)


def choice(test: str, one: str, other: str) -> TernaryExpression:
    return TernaryExpression(test=of(test), if_true=of(one), if_false=of(other))


def made(kind: type[ConstructorExpression], type_: DataType | str, *types: str) -> Expression:
    wanted = named(type_) if isinstance(type_, str) else type_
    return kind(type=wanted, arguments=[of(each) for each in types])


def declared(type_: DataType | str, base: str, size: int = 0, value: str = "") -> TreeNode:
    given = of(value) if value else None
    return VariableDeclaration(
        variable=local("v", type_), base=named(base), array_size=size, value=given
    )


def called(*types: str) -> FunctionCall:
    of_two = function("f", "half", local("x", "half"), local("y", "float2"))
    return FunctionCall(type=named("half"), function=of_two, arguments=[of(each) for each in types])


CASES: list[tuple[TreeNode, list[str]]] = [
    (binary(of("float"), "+", of("float2")), []),
    (binary(of("float3"), "+", of("float2")), ["the operands have the types float3, float2"]),
    (binary(of("float"), "=", of("half")), []),
    (binary(of("float2"), "=", of("float3")), ["the operands have the types float2 and float3"]),
    (binary(of("float2"), "+=", of("float3")), []),
    (prefix("-", "float2"), []),
    (prefix("-", "bool"), ["- of a bool"]),
    (prefix("!", "bool"), []),
    (prefix("!", "int"), ["! of a int"]),
    (prefix("~", "int"), []),
    (choice("bool", "float", "float"), []),
    (choice("int", "float", "float"), ["expected a bool, got int"]),
    (choice("bool", "float", "float2"), ["the values have the types float and float2"]),
    (IndexExpression(base=of("float2"), index=of("int")), []),
    (IndexExpression(base=of("float2x3"), index=of("int")), []),
    (IndexExpression(base=of(THREE), index=of("int")), []),
    (IndexExpression(base=of("float"), index=of("int")),
     ["the operands have the types float, int"]),
    (swizzle("float2", "xy"), []),
    (swizzle("float2", "xyxy"), []),
    (swizzle("float2", "xyxyx"), ["expected 1 to 4 components, got 5"]),
    (swizzle("float2", ""), ["expected 1 to 4 components, got 0"]),
    (swizzle("float2", "xz"), ["a float2 has no components xz"]),
    (swizzle("float3", "xz"), []),
    (swizzle("float", "x"), []),
    (swizzle("float", "y"), ["a float has no components y"]),
    (swizzle("float2x2", "x"), ["components of a float2x2"]),
    (FieldAccess(base=of(PAIR), index=0), []),
    (FieldAccess(base=of(PAIR), index=1), []),
    (FieldAccess(base=of(PAIR), index=2), ["Pair has no member 2"]),
    (FieldAccess(base=of("float2"), index=0), ["a member of a float2"]),
    (made(ConstructorSplat, "float2", "float"), []),
    (made(ConstructorSplat, "float2", "float", "float"), ["float2: expected 1 values, got 2"]),
    (made(ConstructorScalarCast, "float"), ["float: expected 1 values, got 0"]),
    (made(ConstructorCompound, "float4", "float2", "float", "float"), []),
    (made(ConstructorCompound, "float4", "float2", "float"), ["float4: expected 4 values, got 3"]),
    (made(ConstructorCompound, "float2x3", "float3", "float3"), []),
    (made(ConstructorCompound, "float2x3", "float4"), ["float2x3: expected 6 values, got 4"]),
    (made(ConstructorCompound, "float", "float"), ["float cannot be made in this way"]),
    (made(ConstructorStruct, PAIR, "half", "half"), []),
    (made(ConstructorStruct, PAIR, "half"), ["Pair: expected 2 values, got 1"]),
    (made(ConstructorStruct, "float2", "half", "half"), ["float2 cannot be made in this way"]),
    (made(ConstructorArray, THREE, "float", "float", "float"), []),
    (made(ConstructorArray, THREE, "float", "float"), [f"{THREE.name}: expected 3 values, got 2"]),
    (made(ConstructorArray, PAIR, "half", "half"), ["Pair cannot be made in this way"]),
    (declared("float", "float"), []),
    (declared("float", "half"), ["expected float, got half"]),
    (declared(THREE, "float", 3), []),
    (declared(THREE, "float", 2), [f"expected {THREE.name}, got float[2]"]),
    (declared(THREE, "float"), [f"expected {THREE.name}, got float"]),
    (declared("float", "float", 1), ["expected float, got float[1]"]),
    (declared("float", "float", value="half"), []),
    (declared("float", "float", value="float2"), ["expected a float, got a float2"]),
    (called("half", "float2"), []),
    (called("half"), ["f: expected 2 arguments, got 1"]),
    (called("half", "float3"), ["expected float2, got float3"]),
    (called("float2", "float3"), ["expected half, got float2", "expected float2, got float3"]),
    (call("max", "half", half(1.0), half(2.0)), []),
    (DoStatement(body=NopStatement(), test=of("bool")), []),
    (DoStatement(body=NopStatement(), test=of("float")), ["expected a bool, got float"]),
]  # fmt: skip


@pytest.mark.parametrize(("node", "wanted"), CASES, ids=[str(at) for at in range(len(CASES))])
def test_rules_of_a_node(node: TreeNode, wanted: list[str]) -> None:
    findings = Findings(RULES)
    check_node(node, "here", findings, may_discard=False)
    assert [each.message for each in findings.found] == wanted
    assert all(str(each.path).startswith("here") for each in findings.found)


@pytest.mark.parametrize("may_discard", [False, True])
def test_only_some_programs_discard(may_discard: bool) -> None:
    findings = Findings(RULES)
    check_node(DiscardStatement(), "", findings, may_discard)
    assert [each.code for each in findings.found] == ([] if may_discard else ["sksl.discard"])


def test_operands_of_an_unknown_type_are_not_judged() -> None:
    for node in (
        binary(of(INVALID), "+", of("float2")),
        TernaryExpression(test=of(INVALID), if_true=of(INVALID), if_false=of("float")),
        PrefixExpression(operator=Operator.MINUS, operand=of(INVALID)),
        FieldAccess(base=of(INVALID), index=0),
    ):
        findings = Findings(RULES)
        check_node(node, "", findings, may_discard=True)
        assert findings.found == []
