"""Calls in LLVM assembly.

    %3 = tail call fast float @dx.op.unary.f32(i32 6, float %2) #0

If a call omits the type of its function, the type is derived from the arguments. In a module with
opaque pointers, the called function determines the pointees.
"""

from typing import Any

from ..model.types import FunctionType, PointerType
from ..model.values import DxilValue, Function
from .attributes import attribute_list, inline_attributes, read_convention
from .cursor import Cursor
from .pointers import coerced
from .scope import TextScope
from .tokens import AssemblyToken
from .types import read_type
from .values import global_of, read_flags, read_value

__all__ = ["DBG_OPERANDS", "DBG_VALUE", "TAILS", "read_call"]

# Since LLVM 6 without the second of four operands, a number of bytes that is always 0.
DBG_VALUE, DBG_OPERANDS = "llvm.dbg.value", 3
TAILS = {"tail": 1, "musttail": 2, "notail": 0}


def read_call(cursor: Cursor, scope: TextScope, made: Any, other: str) -> DxilValue:
    """Read a call after its opcode; return the callee."""
    read_flags(cursor)
    made.convention = read_convention(cursor)
    places = [inline_attributes(cursor)]
    type = read_type(cursor, scope)
    callee = cursor.next()
    cursor.expect("(")
    arguments: list[DxilValue] = []
    while not cursor.accept(")"):
        if arguments:
            cursor.expect(",")
        kind = read_type(cursor, scope)
        places.append(inline_attributes(cursor) if kind is not scope.metadata_type else [])
        arguments.append(read_value(cursor, scope, kind))
    if callee.text == f"@{DBG_VALUE}" and len(arguments) == DBG_OPERANDS:
        arguments.insert(1, scope.pool.null(scope.types.integer(64)))
        places.insert(2, [])
    if isinstance(type, PointerType) and isinstance(type.pointee, FunctionType):
        type = type.pointee
    known = scope.globals.get(callee.text) if scope.opaque else None
    if isinstance(known, Function) and len(known.arguments) == len(arguments):
        type = known.function_type
        parameters = [each.type for each in known.arguments]
        arguments = [coerced(scope, *each) for each in zip(arguments, parameters, strict=True)]
    if not isinstance(type, FunctionType):
        type = scope.types.function(type, [each.type for each in arguments])
    made.function_type = type
    found = _callee(cursor, scope, callee, type)
    made.arguments = arguments
    group = cursor.next() if cursor.token.kind == "group" else None
    made.attributes = attribute_list(cursor, scope, places, group)
    return found


def _callee(
    cursor: Cursor, scope: TextScope, token: AssemblyToken, type: FunctionType
) -> DxilValue:
    pointer = scope.types.pointer(type)
    if token.kind == "local":
        return scope.body.local(cursor, token, pointer)
    if token.kind != "global":
        cursor.fail("expected a function", token)
    if token.text not in scope.globals:
        scope.definitions.declare(scope, token, type)
    found = global_of(cursor, scope, token)
    if found.type is not pointer:
        cursor.fail(f"expected a function of type {found.type!s:.80}", token)
    return found
