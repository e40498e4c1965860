"""Calls: the choice of an overload, checks and conversions of arguments.

Source: SkSLFunctionCall.cpp of Skia's milestone 104.
"""

from ..tables.enumerations import ModifierFlag, ReferenceKind
from ..tree import (
    ChildCall,
    DataType,
    Expression,
    FunctionCall,
    FunctionDeclaration,
    VariableReference,
    VariableSymbol,
    final_types,
)
from ..tree.conversions import cheapest
from .aggregates import coerce
from .assignment import assign_to
from .compilation import Compilation
from .constructors import construct
from .intrinsics import folded_call
from .messages import Position
from .type_rules import display
from .unfinished import FunctionName, MethodName, Poison, TypeName
from .values import moved

__all__ = ["call", "described"]

EVAL = "$eval"


def described(function: FunctionDeclaration) -> str:
    """Return a function's signature as messages show it."""
    shown = (f"{display(each.type)} {each.name}" for each in function.parameters)
    return f"{display(function.returns)} {function.name}({', '.join(shown)})"


def call(
    c: Compilation, position: Position, callee: Expression, arguments: list[Expression]
) -> Expression | None:
    """Return a call of a function, method or constructor; None after reporting an error."""
    if isinstance(callee, TypeName):
        return construct(c, position, callee.meaning, arguments)
    if isinstance(callee, Poison):
        return moved(callee, position)
    if not isinstance(callee, FunctionName):
        c.error(position, "not a function")
        return None
    name = callee.functions[0].name
    if isinstance(callee, MethodName):
        arguments = [*arguments, callee.receiver]
        name = f"{display(callee.receiver.type)}::{name[1:]}"
    best = _best(c, callee.functions, arguments)
    if best is not None:
        return _checked(c, position, best, arguments)
    shown = arguments[:-1] if isinstance(callee, MethodName) else arguments
    _no_match(c, position, name, shown)
    return None


def _no_match(c: Compilation, position: Position, name: str, arguments: list[Expression]) -> None:
    types = ", ".join(display(each.type) for each in arguments)
    c.error(position, f"no match for {name}({types})")


def _best(
    c: Compilation, functions: list[FunctionDeclaration], arguments: list[Expression]
) -> FunctionDeclaration | None:
    """Return the function that fits best; None if none of several does."""
    if len(functions) == 1:
        return functions[0]
    allowed = functions
    if c.strict:
        allowed = [each for each in functions if not each.modifiers.has(ModifierFlag.ES3)]
    return cheapest(allowed, [each.type for each in arguments])


def _checked(
    c: Compilation, position: Position, function: FunctionDeclaration, arguments: list[Expression]
) -> Expression | None:
    if c.strict and function.modifiers.has(ModifierFlag.ES3):
        c.error(position, f"call to '{described(function)}' is not supported")
        return None
    wanted = len(function.parameters)
    if wanted != len(arguments):
        plural = "" if wanted == 1 else "s"
        c.error(
            position,
            f"call to '{function.name}' expected {wanted} argument{plural}, "
            f"but found {len(arguments)}",
        )
        return None
    final = final_types(function, [each.type for each in arguments])
    if final is None:
        _no_match(c, position, function.name, arguments)
        return None
    types, returns = final
    cast: list[Expression] = []
    for each, type_, parameter in zip(arguments, types, function.parameters, strict=True):
        made = coerce(c, each, type_)
        if made is None:
            return None
        flags = parameter.modifiers.flags
        if flags & ModifierFlag.OUT:
            both = flags & ModifierFlag.IN
            kind = ReferenceKind.READ_WRITE if both else ReferenceKind.POINTER
            if not assign_to(c, made, kind):
                return None
        cast.append(made)
    if function.builtin and function.name == EVAL:
        return _child_call(position, returns, cast)
    return made_call(c, position, returns, function, cast)


def _child_call(position: Position, returns: DataType, arguments: list[Expression]) -> Expression:
    *given, receiver = arguments
    assert isinstance(receiver, VariableReference)
    child = receiver.variable
    assert isinstance(child, VariableSymbol)  # only globals have the type of a child
    return ChildCall(type=returns, child=child, arguments=given, position=position)


def made_call(
    c: Compilation,
    position: Position,
    returns: DataType,
    function: FunctionDeclaration,
    arguments: list[Expression],
) -> Expression:
    """Return a call in the simplest form; the types fit."""
    if function.builtin and c.folds:
        known = folded_call(c, position, function.name, arguments, returns)
        if known is not None:
            return moved(known, position)
    return FunctionCall(type=returns, function=function, arguments=arguments, position=position)
