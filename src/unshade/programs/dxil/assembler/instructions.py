"""Instructions in LLVM assembly, from the opcode on.

`READERS` has a function for each kind of piece that `model/instructions/base.py` lists, the inverse
of the printer's in `text/instructions.py`. Each function takes the cursor, the scope, the
instruction as far as it is read, and the name of its own or another attribute, and returns the
attribute that the piece names.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias

from ....errors import FormatError
from ..model.constants import ConstantNull
from ..model.instructions import BY_OPCODE, BinaryInst, Instruction
from ..model.results import inner
from ..model.types import FloatType, PointerType, VectorType
from ..model.values import BasicBlock, DxilValue
from ..tables.llvm_enumerations import ATOMIC_OPERATIONS, BINARY_NUMBERS, ORDERINGS
from .calls import TAILS, read_call
from .cursor import Cursor
from .pointers import cast_type, coerced, pointer_to
from .scope import TextScope
from .types import read_type
from .values import (
    check_numbers,
    read_flags,
    read_inbounds,
    read_predicate,
    read_typed,
    read_value,
)

__all__ = ["read_instruction"]

ORDERING_NUMBERS = {name: number for number, name in ORDERINGS.items()}
ATOMIC_NUMBERS = {name: number for number, name in ATOMIC_OPERATIONS.items()}
SINGLE_THREAD, CROSS_THREAD = 0, 1

Made: TypeAlias = Any  # an instruction, with the attributes that its class declares
Reader: TypeAlias = Callable[[Cursor, TextScope, Made, str], object]


def read_instruction(cursor: Cursor, scope: TextScope) -> Instruction:
    """Read an instruction, without attached metadata."""
    cursor.opcode = token = cursor.next()
    opcode = token.text
    if token.kind != "word":
        cursor.fail(f"unknown instruction {opcode!r:.40}", token)
    if opcode == "fneg":
        return _negation(cursor, scope)
    if opcode in TAILS:
        opcode = "call"
        cursor.expect(opcode)
    cls = BY_OPCODE.get(opcode)
    if cls is None:
        cursor.fail(f"unknown instruction {opcode!r:.40}", token)
    made = cls.blank()
    try:
        for read, name, other in _pieces(cls.TEXT):
            value = read(cursor, scope, made, other)
            if name:
                setattr(made, name, value)
        if not cls.STATES_TYPE:
            made.type = made.result(scope.types, attrgetter("type"))
    except FormatError as error:
        cursor.fail(error.problem, cursor.opcode)
    return made


@cache
def _pieces(text: str) -> list[tuple[Reader, str, str]]:
    """Return the functions that read the pieces of a text."""
    found: list[tuple[Reader, str, str]] = []
    for piece in text.split():
        name, _, kind = piece.partition(":")
        if kind:
            kind, _, other = kind.partition(":")
            read = READERS.get(kind) or _completed(kind, name)
            found.append((read, name, other or name))
        else:
            found.append((_literal, "", name))
    return found


def _negation(cursor: Cursor, scope: TextScope) -> Instruction:
    """Read `fneg`, which LLVM 3.7 spells as a difference from -0.0."""
    flags = read_flags(cursor)
    value = read_typed(cursor, scope)
    vector = value.type if isinstance(value.type, VectorType) else None
    element = vector.element if vector is not None else value.type
    if not isinstance(element, FloatType) or (vector and vector.count > scope.limits.members):
        cursor.fail(f"expected a float, got {value.type!s:.60}", cursor.opcode)
    zero = scope.pool.number(element, 1 << element.width - 1)
    if vector is not None:
        zero = scope.pool.aggregate(vector, [zero] * vector.count)
    return BinaryInst(
        type=value.type, operation=BINARY_NUMBERS["fsub"], left=zero, right=value, flags=flags
    )


# -- pieces of text ------------------------------------------------------------------------------


def _literal(cursor: Cursor, scope: TextScope, made: Made, text: str) -> None:
    cursor.expect(text)


def _typeds(cursor: Cursor, scope: TextScope, made: Made, other: str) -> list[DxilValue]:
    found: list[DxilValue] = []
    while _has_more(cursor):
        cursor.expect(",")
        found.append(read_typed(cursor, scope))
    return found


def _has_more(cursor: Cursor) -> bool:
    """Return True if a comma is next that attached metadata does not follow."""
    return cursor.token.text == "," and cursor.tokens[cursor.at + 1].kind != "node"


def _operand(cursor: Cursor, scope: TextScope, made: Made, other: str) -> DxilValue:
    type = getattr(made, other).type
    return coerced(scope, read_value(cursor, scope, type), type)


def _maybe_ordering(cursor: Cursor, scope: TextScope, made: Made, other: str) -> int | None:
    made.scope = None
    return None if made.ordering is None else _ordering(cursor, scope, made, other)


def _ordering(cursor: Cursor, scope: TextScope, made: Made, other: str) -> int:
    """Read the threads that an atomic operation concerns, and its ordering."""
    made.scope = CROSS_THREAD
    if cursor.accept("singlethread"):
        made.scope = SINGLE_THREAD
    elif cursor.accept("syncscope"):
        cursor.expect("(")
        token = cursor.token
        if cursor.take_text() != "singlethread":
            cursor.fail(f"unknown scope {token.text:.40}", token)
        cursor.expect(")")
        made.scope = SINGLE_THREAD
    return _number(cursor, ORDERING_NUMBERS, "ordering")


def _number(cursor: Cursor, numbers: dict[str, int], noun: str) -> int:
    """Read a word that means a number."""
    token = cursor.next()
    found = numbers.get(token.text)
    if found is None:
        cursor.fail(f"unknown {noun} {token.text!r:.40}", token)
    return found


def _alignment(cursor: Cursor) -> int:
    """Read `, align n` if it is next."""
    if cursor.token.text != "," or cursor.tokens[cursor.at + 1].text != "align":
        return 0
    cursor.at += 2
    return cursor.take_number()


def _count(cursor: Cursor, scope: TextScope, made: Made, other: str) -> DxilValue:
    if _has_more(cursor) and cursor.tokens[cursor.at + 1].text != "align":
        cursor.expect(",")
        return read_typed(cursor, scope)
    type: Any = scope.types.integer(32)
    return scope.pool.integer(type, 1)


def _numbers(cursor: Cursor, scope: TextScope, made: Made, other: str) -> list[int]:
    found = []
    while cursor.token.text == "," and cursor.tokens[cursor.at + 1].kind == "number":
        cursor.at += 1
        found.append(cursor.take_number())
    return found


# -- operands that were read ---------------------------------------------------------------------


def _numbered(cursor: Cursor, scope: TextScope, value: DxilValue, other: Any) -> DxilValue:
    """Return a value that the operation takes: floats, or integers."""
    check_numbers(cursor, cursor.opcode, value.type)
    return value


def _pointee(cursor: Cursor, scope: TextScope, value: DxilValue, pointer: DxilValue) -> DxilValue:
    """Return a value converted to the type that a pointer points to."""
    type = pointer.type
    return coerced(scope, value, type.pointee) if isinstance(type, PointerType) else value


def _points_to(cursor: Cursor, scope: TextScope, value: DxilValue, wanted: Any) -> DxilValue:
    """Return a pointer converted to point to a type, or to the type of a value."""
    return pointer_to(scope, value, getattr(wanted, "type", wanted))


def _completed(kind: str, name: str) -> Reader:
    """Return the reader of a piece that has no text."""
    complete = COMPLETIONS[kind]
    return lambda cursor, scope, made, other: complete(
        cursor, scope, getattr(made, name), getattr(made, other)
    )


COMPLETIONS: dict[str, Callable[[Cursor, TextScope, DxilValue, Any], DxilValue]] = {
    "like": lambda _, scope, value, other: coerced(scope, value, other.type),
    "numbered": _numbered,
    "pointee": _pointee,
    "points_to": _points_to,
}


# -- branches, phis, exceptions ------------------------------------------------------------------


def _label(cursor: Cursor, scope: TextScope) -> BasicBlock:
    """Read `label %name`."""
    cursor.expect("label")
    return scope.body.block(cursor, cursor.take("local", "a block"))


def _labels(cursor: Cursor, scope: TextScope, made: Made, other: str) -> list[BasicBlock]:
    found: list[BasicBlock] = []
    cursor.expect("[")
    while not cursor.accept("]"):
        if found:
            cursor.expect(",")
        found.append(_label(cursor, scope))
    return found


def _continued(cursor: Cursor, scope: TextScope, made: Made, other: str) -> BasicBlock:
    """Read the block after a call that returns."""
    cursor.expect("to")
    return _label(cursor, scope)


def _returned(cursor: Cursor, scope: TextScope, made: Made, other: str) -> DxilValue | None:
    if cursor.accept("void"):
        return None
    return coerced(scope, read_typed(cursor, scope), scope.body.result_type)


def _branch(cursor: Cursor, scope: TextScope, made: Made, other: str) -> BasicBlock:
    made.condition = made.false_target = None
    if cursor.token.text == "label":
        return _label(cursor, scope)
    made.condition = read_typed(cursor, scope)
    cursor.expect(",")
    target = _label(cursor, scope)
    cursor.expect(",")
    made.false_target = _label(cursor, scope)
    return target


Pairs: TypeAlias = list[tuple[DxilValue, BasicBlock]]


def _cases(cursor: Cursor, scope: TextScope, made: Made, other: str) -> Pairs:
    found: Pairs = []
    cursor.expect("[")
    while not cursor.accept("]"):
        value = read_typed(cursor, scope)
        cursor.expect(",")
        found.append((value, _label(cursor, scope)))
    return found


def _incoming(cursor: Cursor, scope: TextScope, made: Made, other: str) -> Pairs:
    type = made.type
    found: Pairs = []
    while not found or cursor.token.text == ",":
        if found:
            if cursor.tokens[cursor.at + 1].text != "[":
                break
            cursor.expect(",")
        cursor.expect("[")
        value = read_value(cursor, scope, type)
        cursor.expect(",")
        found.append((value, scope.body.block(cursor, cursor.take("local", "a block"))))
        cursor.expect("]")
    if scope.opaque and isinstance(type, PointerType):
        known = [value for value, _ in found if not isinstance(value, ConstantNull)]
        made.type = next((each.type for each in known if each.type is not type), type)
    return found


def _clauses(cursor: Cursor, scope: TextScope, made: Made, other: str) -> int:
    cleanup = cursor.accept("cleanup")
    made.clauses, made.kinds = [], []
    while cursor.token.text in CLAUSES:
        made.kinds.append(CLAUSES.index(cursor.next().text))
        made.clauses.append(read_typed(cursor, scope))
    return int(cleanup)


CLAUSES = ("catch", "filter")
READERS: dict[str, Reader] = {
    "align": lambda cursor, *_: _alignment(cursor),
    "atomic": lambda cursor, *_: 0 if cursor.accept("atomic") else None,
    "atomic_operation": lambda cursor, *_: _number(cursor, ATOMIC_NUMBERS, "operation"),
    "branch": _branch,
    "call": read_call,
    "cases": _cases,
    "cast": lambda cursor, scope, made, _: cast_type(scope, made.value, read_type(cursor, scope)),
    "clauses": _clauses,
    "continued": _continued,
    "count": _count,
    "flags": lambda cursor, *_: read_flags(cursor),
    "hints": lambda cursor, *_: read_flags(cursor),
    "inbounds": lambda cursor, *_: read_inbounds(cursor),
    "incoming": _incoming,
    "label": lambda cursor, scope, *_: _label(cursor, scope),
    "labels": _labels,
    "later_align": lambda cursor, *_: _alignment(cursor),
    "maybe_ordering": _maybe_ordering,
    "numbers": _numbers,
    "operand": _operand,
    "operation": lambda cursor, _, made, __: made.OPERATIONS[cursor.opcode.text],
    "ordering": _ordering,
    "ordering_name": lambda cursor, *_: _number(cursor, ORDERING_NUMBERS, "ordering"),
    "part": lambda _, scope, made, __: coerced(
        scope, made.value, inner(made.aggregate.type, made.indices)
    ),
    "predicate": lambda cursor, *_: read_predicate(cursor, cursor.opcode.text),
    "returned": _returned,
    "tail": lambda cursor, *_: TAILS.get(cursor.opcode.text, 0),
    "type": lambda cursor, scope, *_: read_type(cursor, scope),
    "typed": lambda cursor, scope, *_: read_typed(cursor, scope),
    "typeds": _typeds,
    "word": lambda cursor, _, __, word: int(cursor.accept(word)),
}
