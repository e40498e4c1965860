"""Builtin functions with a body, which become elements of the programs that call them.

    half4 unpremul(half4 color) { return half4(color.xyz / max(color.w, 0.0001), color.w); }

In the public module, only the two bodies of `unpremul` are shared. Bodies of other modules are not
known here.

Source: programs of version 11 that call them.
"""

from ..builtins import module
from ..tables.enumerations import BlockForm, SwizzleComponent, VariableStorage
from ..tables.operators import Operator
from ..tree import (
    BinaryExpression,
    BlockStatement,
    ConstructorCompound,
    DataType,
    Expression,
    FloatLiteral,
    FunctionCall,
    FunctionDeclaration,
    FunctionDefinition,
    LayoutQualifier,
    Modifiers,
    ReturnStatement,
    SharedFunction,
    SwizzleExpression,
    SymbolTable,
    VariableReference,
    VariableSymbol,
    best_overload,
)
from .values import to_f32

__all__ = ["shared_function"]

LEAST_ALPHA = to_f32(0.0001)
COLOR = (SwizzleComponent.X, SwizzleComponent.Y, SwizzleComponent.Z)


def shared_function(function: FunctionDeclaration) -> SharedFunction | None:
    """Return a builtin function as an element of a program; None if its body is not known."""
    if function.name != "unpremul":
        return None
    type_ = function.returns
    color = VariableSymbol(
        modifiers=Modifiers(layout=LayoutQualifier()),
        name="color",
        type=type_,
        storage=VariableStorage.PARAMETER,
    )
    declaration = FunctionDeclaration(
        modifiers=function.modifiers, name=function.name, parameters=[color], returns=type_
    )
    body = BlockStatement(
        symbols=SymbolTable(builtin=True),
        statements=[ReturnStatement(value=_divided_by_alpha(color, type_))],
        form=BlockForm.BRACED_SCOPE,
    )
    definition = FunctionDefinition(declaration=declaration, body=body)
    return SharedFunction(parameters=[color], declaration=declaration, definition=definition)


def _divided_by_alpha(color: VariableSymbol, type_: DataType) -> Expression:
    scalar = type_.resolved.component

    def part(*components: SwizzleComponent) -> Expression:
        return SwizzleExpression(
            base=VariableReference(variable=color), components=list(components)
        )

    least = FloatLiteral(type=scalar, value=LEAST_ALPHA)
    maximum = module("public").names["max"]
    function = best_overload(maximum, [scalar, scalar])
    assert function is not None
    alpha = FunctionCall(
        type=scalar, function=function, arguments=[part(SwizzleComponent.W), least]
    )
    quotient = BinaryExpression(left=part(*COLOR), operator=Operator.SLASH, right=alpha)
    return ConstructorCompound(type=type_, arguments=[quotient, part(SwizzleComponent.W)])
