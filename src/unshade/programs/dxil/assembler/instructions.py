"""Instructions in LLVM assembly, from the opcode on.

`READERS` has a function for each kind of piece that `model/instructions/base.py` lists, the inverse
of the printer's in `text/instructions.py`. It takes the cursor, the scope, the instruction, the
name of the attribute that it sets, and the name of the attribute after it.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias

from ....errors import FormatError
from ..model.constants import ConstantNull
from ..model.instructions import BY_OPCODE, BinaryInst, Instruction
from ..model.results import inner
from ..model.types import DxilType, FloatType, PointerType, VectorType
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
Reader: TypeAlias = Callable[[Cursor, TextScope, Made, str, str], None]


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
            read(cursor, scope, made, name, other)
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
            found.append((READERS[kind], name, other))
        else:
            found.append((_literal, name, ""))
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


def _literal(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    cursor.expect(name)


def _typed(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    setattr(made, name, read_typed(cursor, scope))


def _typeds(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    found: list[DxilValue] = []
    while _has_more(cursor):
        cursor.expect(",")
        found.append(read_typed(cursor, scope))
    setattr(made, name, found)


def _has_more(cursor: Cursor) -> bool:
    """Return True if a comma is next that attached metadata does not follow."""
    return cursor.token.text == "," and cursor.tokens[cursor.at + 1].kind != "node"


def _operand(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    type = getattr(made, other).type
    setattr(made, name, coerced(scope, read_value(cursor, scope, type), type))


def _type(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    setattr(made, name, read_type(cursor, scope))


def _cast(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.type = cast_type(scope, made.value, read_type(cursor, scope))


def _word(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    setattr(made, name, int(cursor.accept(name)))


def _inbounds(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.inbounds = read_inbounds(cursor)


def _flags(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.flags = read_flags(cursor)


def _hints(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    read_flags(cursor)


def _operation(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.operation = made.OPERATIONS[cursor.opcode.text]


def _check(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    check_numbers(cursor, cursor.opcode, getattr(made, name).type)


def _predicate(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.predicate = read_predicate(cursor, cursor.opcode.text)


def _atomic(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    """Read `atomic`; the ordering follows later."""
    made.scope = None
    made.ordering = 0 if cursor.accept("atomic") else None


def _maybe_ordering(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    if made.ordering is not None:
        _ordering(cursor, scope, made, name, other)


def _ordering(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
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
    _ordering_name(cursor, scope, made, name, other)


def _named(numbers: dict[str, int], noun: str) -> Reader:
    """Return the reader of a word that means a number."""

    def read(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
        token = cursor.next()
        found = numbers.get(token.text)
        if found is None:
            cursor.fail(f"unknown {noun} {token.text!r:.40}", token)
        setattr(made, name, found)

    return read


_ordering_name = _named(ORDERING_NUMBERS, "ordering")


def _align(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.alignment = _alignment(cursor)


def _later_align(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    """Read an alignment of later versions; in LLVM 3.7 it is that of the type."""
    _alignment(cursor)


def _alignment(cursor: Cursor) -> int:
    """Read `, align n` if it is next."""
    if cursor.token.text != "," or cursor.tokens[cursor.at + 1].text != "align":
        return 0
    cursor.at += 2
    return cursor.take_number()


def _count(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    type: Any = scope.types.integer(32)
    made.count = scope.pool.integer(type, 1)
    if _has_more(cursor) and cursor.tokens[cursor.at + 1].text != "align":
        cursor.expect(",")
        made.count = read_typed(cursor, scope)


def _numbers(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    found = []
    while cursor.token.text == "," and cursor.tokens[cursor.at + 1].kind == "number":
        cursor.at += 1
        found.append(cursor.take_number())
    setattr(made, name, found)


# -- pointers without a type ---------------------------------------------------------------------


def _like(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    setattr(made, name, coerced(scope, getattr(made, name), getattr(made, other).type))


def _pointee(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    pointer = getattr(made, other).type
    if isinstance(pointer, PointerType):
        setattr(made, name, coerced(scope, getattr(made, name), pointer.pointee))


def _points_to(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    wanted = getattr(made, other)
    type = wanted if isinstance(wanted, DxilType) else wanted.type
    setattr(made, name, pointer_to(scope, getattr(made, name), type))


def _part(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    type = inner(getattr(made, other).type, made.indices)
    setattr(made, name, coerced(scope, getattr(made, name), type))


# -- branches, phis, exceptions ------------------------------------------------------------------


def _block(cursor: Cursor, scope: TextScope) -> BasicBlock:
    """Read `label %name`."""
    cursor.expect("label")
    return scope.body.block(cursor, cursor.take("local", "a block"))


def _label(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    setattr(made, name, _block(cursor, scope))


def _continued(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    """Read the block after a call that returns."""
    cursor.expect("to")
    made.normal = _block(cursor, scope)


def _labels(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    found: list[BasicBlock] = []
    cursor.expect("[")
    while not cursor.accept("]"):
        if found:
            cursor.expect(",")
        found.append(_block(cursor, scope))
    setattr(made, name, found)


def _returned(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.value = None
    if not cursor.accept("void"):
        made.value = coerced(scope, read_typed(cursor, scope), scope.body.result_type)


def _branch(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.condition = made.false_target = None
    if cursor.token.text == "label":
        made.target = _block(cursor, scope)
        return
    made.condition = read_typed(cursor, scope)
    cursor.expect(",")
    made.target = _block(cursor, scope)
    cursor.expect(",")
    made.false_target = _block(cursor, scope)


def _tail(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.tail = TAILS.get(cursor.opcode.text, 0)


def _cases(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.cases = []
    cursor.expect("[")
    while not cursor.accept("]"):
        value = read_typed(cursor, scope)
        cursor.expect(",")
        made.cases.append((value, _block(cursor, scope)))


def _incoming(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    type = made.type
    made.incoming = []
    while not made.incoming or cursor.token.text == ",":
        if made.incoming:
            if cursor.tokens[cursor.at + 1].text != "[":
                break
            cursor.expect(",")
        cursor.expect("[")
        value = read_value(cursor, scope, type)
        cursor.expect(",")
        made.incoming.append((value, scope.body.block(cursor, cursor.take("local", "a block"))))
        cursor.expect("]")
    if scope.opaque and isinstance(type, PointerType):
        known = [value for value, _ in made.incoming if not isinstance(value, ConstantNull)]
        made.type = next((each.type for each in known if each.type is not type), type)


def _clauses(cursor: Cursor, scope: TextScope, made: Made, name: str, other: str) -> None:
    made.cleanup = int(cursor.accept("cleanup"))
    made.clauses, made.kinds = [], []
    while cursor.token.text in CLAUSES:
        made.kinds.append(CLAUSES.index(cursor.next().text))
        made.clauses.append(read_typed(cursor, scope))


CLAUSES = ("catch", "filter")
READERS: dict[str, Reader] = {
    "align": _align,
    "atomic": _atomic,
    "atomic_operation": _named(ATOMIC_NUMBERS, "operation"),
    "branch": _branch,
    "call": read_call,
    "cases": _cases,
    "cast": _cast,
    "clauses": _clauses,
    "continued": _continued,
    "count": _count,
    "flags": _flags,
    "hints": _hints,
    "inbounds": _inbounds,
    "incoming": _incoming,
    "label": _label,
    "labels": _labels,
    "later_align": _later_align,
    "like": _like,
    "maybe_ordering": _maybe_ordering,
    "numbers": _numbers,
    "only_numbers": _check,
    "operand": _operand,
    "operation": _operation,
    "ordering": _ordering,
    "ordering_name": _ordering_name,
    "part": _part,
    "pointee": _pointee,
    "points_to": _points_to,
    "predicate": _predicate,
    "returned": _returned,
    "tail": _tail,
    "type": _type,
    "typed": _typed,
    "typeds": _typeds,
    "word": _word,
}
