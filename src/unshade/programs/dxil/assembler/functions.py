"""Bodies of functions in LLVM assembly.

    %5 = add i32 %3, %4        the number of an unnamed value is the next number, as in LLVM
    ; <label>:6                a comment, in which dxc prints the number of a block

A body whose numbers are not consecutive, since its text was edited, is read a second time: numbers
are then names like others, also those in comments before blocks. A value without an explicit number
gets the number after the greatest so far, unless another value claims that number. `strict` refuses
such bodies.
"""

import re
from collections.abc import Sequence

from ....errors import AssembleError
from ..model.constants import DxilConstant
from ..model.instructions import CallInst, Instruction, PhiInst, UnreachableInst
from ..model.metadata import Metadata, MetadataValue
from ..model.types import PointerType
from ..model.values import (
    AttributeGroup,
    BasicBlock,
    DxilValue,
    Function,
    FunctionAttribute,
    GlobalValue,
    MetadataAsValue,
)
from .attributes import NUMBERS
from .body import NewBody, stated_number
from .calls import DBG_OPERANDS, DBG_VALUE
from .cursor import Cursor
from .instructions import read_instruction
from .metadata import fill_inline, location_of, read_attachments
from .nodes import take_node
from .scope import TextScope
from .values import read_metadata, read_typed

__all__ = ["read_body"]

PLACE = re.compile(r";[ \t]*<label>:(\d{1,9})\b", re.ASCII)
RECORDS = {"#dbg_value": DBG_VALUE, "#dbg_declare": "llvm.dbg.declare"}


def read_body(
    cursor: Cursor,
    scope: TextScope,
    function: Function,
    start: int,
    numbers: Sequence[int | None],
    *,
    strict: bool = False,
) -> dict[str, BasicBlock]:
    """Read the body of a function, from `{` on; return its blocks by their references.

    Args:
        cursor: The text.
        scope: The module.
        function: The function, whose body is empty.
        start: The index of the token `{`.
        numbers: The numbers that the header gives to arguments.
        strict: Refuse numbers that are not consecutive.
    """
    addresses = len(scope.addresses)
    try:
        return _read_once(cursor, scope, function, start, numbers, None)
    except AssembleError:
        if strict:
            raise
        del scope.addresses[addresses:]
        function.blocks.clear()
        stated = _stated(cursor, start)
        return _read_once(cursor, scope, function, start, numbers, stated)


def _stated(cursor: Cursor, start: int) -> set[int]:
    """Return the explicit numbers of values and blocks in a body."""
    found: set[int] = set()
    depth = 0
    for at in range(start, len(cursor.tokens)):
        token = cursor.tokens[at]
        depth += token.text in ("{", "!{")
        depth -= token.text == "}"
        if not depth:
            break
        if token.is_first:
            for number in (stated_number(token), _place(cursor, at)):
                if number is not None:
                    found.add(number)
    return found


def _place(cursor: Cursor, at: int) -> int | None:
    """Return the number of a block from the comment before a token."""
    before, token = cursor.tokens[at - 1], cursor.tokens[at]
    found = PLACE.findall(cursor.source.text, before.offset + len(before.text), token.offset)
    return int(found[-1]) if found else None


def _read_once(
    cursor: Cursor,
    scope: TextScope,
    function: Function,
    start: int,
    numbers: Sequence[int | None],
    stated: set[int] | None,
) -> dict[str, BasicBlock]:
    cursor.at = start
    cursor.expect("{")
    outside, scope.body = scope.body, NewBody(scope, function, stated)
    try:
        body = scope.body
        scope.before = []
        for argument, number in zip(function.arguments, numbers, strict=True):
            body.define(cursor, argument, argument.name, cursor.token, number)
        while not cursor.accept("}"):
            function.blocks.append(_block(cursor, scope, body))
        body.complete(cursor)
    finally:
        scope.body = outside
    if not function.blocks:
        cursor.fail("expected a block")
    function.locals = _locals(function)
    return body.labels


def _block(cursor: Cursor, scope: TextScope, body: NewBody) -> BasicBlock:
    token = cursor.token
    name = ""
    number = _place(cursor, cursor.at) if body.stated is not None else None
    if token.kind == "label":
        cursor.next()
        stated = stated_number(token)
        name = token.name if stated is None else ""
        number = number if stated is None else stated
    reference = body.reference(cursor, name, number, token)
    block = body.labels.get(reference) if reference else None
    if block is None:
        block = BasicBlock(scope.label_type)
        if reference:
            body.labels[reference] = block
    block.name = name
    body.define(cursor, block, name, token, number)
    body.placed.add(block)
    while True:
        if cursor.token.text == "}":
            cursor.expected("an instruction that ends the block, such as ret")
        instruction = _line(cursor, scope, body)
        block.instructions += scope.before
        scope.before = []
        if instruction is None:
            continue
        block.instructions.append(instruction)
        if instruction.is_terminator:
            return block


def _line(cursor: Cursor, scope: TextScope, body: NewBody) -> Instruction | None:
    """Read an instruction with its result and attached metadata; None if it is only a name."""
    token = cursor.token
    has_result = token.kind == "local"
    number = stated_number(token)
    if has_result:
        cursor.next()
        cursor.expect("=")
    body.has_placeholder = False
    if has_result and cursor.accept("freeze"):
        name = "" if number is not None else token.name
        body.define(cursor, read_typed(cursor, scope), name, token, number)
        # The instruction goes, and its metadata with it.
        read_attachments(cursor, scope, UnreachableInst(type=scope.void))
        return None
    made = _record(cursor, scope) if token.kind == "record" else read_instruction(cursor, scope)
    if body.has_placeholder:
        body.uses += [*scope.before, made]
    if scope.opaque and isinstance(made, PhiInst) and isinstance(made.type, PointerType):
        body.pointers.append((made, token))
    read_attachments(cursor, scope, made)
    if has_result and made.type.is_void:
        cursor.fail("expected no result", token)
    if not made.type.is_void:
        made.name = token.name if has_result and number is None else ""
        body.define(cursor, made, made.name, token, number)
    return made


def _record(cursor: Cursor, scope: TextScope) -> Instruction:
    """Read `#dbg_value(float %1, !2, !DIExpression(), !3)` as the call that LLVM 3.7 has."""
    token = cursor.next()
    name = RECORDS.get(token.text)
    if name is None:
        cursor.fail(f"unknown record {token.text!r:.40}", token)
    cursor.expect("(")
    operands: list[Metadata] = []
    for _ in range(3):
        operands.append(read_metadata(cursor, scope))
        cursor.expect(",")
    location = take_node(cursor, scope, "a location")
    fill_inline(cursor, scope)
    cursor.expect(")")
    arguments: list[DxilValue] = [
        scope.pool.argument(scope.metadata_type, each) for each in operands
    ]
    callee = _debug_function(scope, name)
    made = CallInst(
        type=scope.void, function_type=callee.function_type, callee=callee, arguments=arguments
    )
    if name == DBG_VALUE:
        made.arguments.insert(1, scope.pool.null(scope.types.integer(64)))
    made.location = location_of(location)
    return made


def _debug_function(scope: TextScope, name: str) -> Function:
    """Return a function that connects values with variables, declared if it is not yet."""
    known = scope.globals.get(f"@{name}")
    if isinstance(known, Function):
        return known
    operands = [scope.metadata_type] * DBG_OPERANDS
    if name == DBG_VALUE:
        operands.insert(1, scope.types.integer(64))
    type = scope.types.function(scope.void, operands)
    made = Function(scope.types.pointer(type), type, name)
    attributes = [FunctionAttribute(NUMBERS[each]) for each in ("nounwind", "readnone")]
    group = scope.pool.group(AttributeGroup.FUNCTION, attributes)
    made.attributes = scope.pool.attributes([group])
    scope.globals[f"@{name}"] = made
    scope.module.globals.append(made)
    return made


def _locals(function: Function) -> list[MetadataValue]:
    """Return the values of a function that calls have as metadata, in order."""
    found: dict[MetadataValue, None] = {}
    for instruction in function.instructions:
        for operand in instruction.operands:
            metadata = operand.metadata if isinstance(operand, MetadataAsValue) else None
            if isinstance(metadata, MetadataValue) and not isinstance(
                metadata.value, DxilConstant | GlobalValue
            ):
                found[metadata] = None
    return list(found)
