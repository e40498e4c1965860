"""Instructions in LLVM assembly, from the opcode on."""

from collections.abc import Callable
from functools import partial

from ..model.constants import ConstantNull
from ..model.instructions import (
    AllocaInst,
    AtomicRMWInst,
    BinaryInst,
    BranchInst,
    CastInst,
    CompareExchangeInst,
    CompareInst,
    ExtractElementInst,
    ExtractValueInst,
    FenceInst,
    GetElementPtrInst,
    IndirectBranchInst,
    InsertElementInst,
    InsertValueInst,
    Instruction,
    LoadInst,
    PhiInst,
    ReturnInst,
    SelectInst,
    ShuffleVectorInst,
    StoreInst,
    SwitchInst,
    UnreachableInst,
)
from ..model.results import comparison, exchange, shuffle
from ..model.types import (
    FloatType,
    PointerType,
    VectorType,
)
from ..model.values import BasicBlock, DxilValue
from ..tables.llvm_enumerations import ATOMIC_OPERATIONS, ORDERINGS
from .calls import read_call, read_tail_call
from .cursor import Cursor
from .pointers import cast_type, coerced, pointer_to
from .scope import TextScope
from .types import read_type
from .values import (
    BINARY,
    CAST_NUMBERS,
    PREDICATE_NUMBERS,
    check_numbers,
    part_type,
    read_flags,
    read_inbounds,
    read_predicate,
    read_typed,
    read_value,
    step_type,
)

__all__ = ["read_instruction"]

ORDERING_NUMBERS = {name: number for number, name in ORDERINGS.items()}
ATOMIC_NUMBERS = {name: number for number, name in ATOMIC_OPERATIONS.items()}
SINGLE_THREAD, CROSS_THREAD = 0, 1


def _label(cursor: Cursor, scope: TextScope) -> BasicBlock:
    """Read `label %name`."""
    cursor.expect("label")
    return scope.body.block(cursor, cursor.take("local", "a block"))


def read_instruction(cursor: Cursor, scope: TextScope) -> Instruction:
    """Read an instruction, without attached metadata."""
    cursor.opcode = token = cursor.next()
    opcode = token.text
    if token.kind == "word":
        if opcode in BINARY:
            return _binary(cursor, scope, opcode)
        if opcode in CAST_NUMBERS:
            return _cast(cursor, scope, opcode)
        if opcode in PREDICATE_NUMBERS:
            return _compare(cursor, scope, opcode)
        reader = READERS.get(opcode)
        if reader is not None:
            return reader(cursor, scope)
    cursor.fail(f"unknown instruction {opcode!r:.40}", token)


def _binary(cursor: Cursor, scope: TextScope, opcode: str) -> Instruction:
    flags = read_flags(cursor)
    left, right = _pair(cursor, scope)
    check_numbers(cursor, cursor.opcode, left.type)
    return BinaryInst(type=left.type, operation=BINARY[opcode], left=left, right=right, flags=flags)


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
        type=value.type, operation=BINARY["fsub"], left=zero, right=value, flags=flags
    )


def _pair(cursor: Cursor, scope: TextScope) -> tuple[DxilValue, DxilValue]:
    left = read_typed(cursor, scope)
    cursor.expect(",")
    return left, coerced(scope, read_value(cursor, scope, left.type), left.type)


def _cast(cursor: Cursor, scope: TextScope, opcode: str) -> Instruction:
    read_flags(cursor)
    value = read_typed(cursor, scope)
    cursor.expect("to")
    type = cast_type(scope, value, read_type(cursor, scope))
    return CastInst(type=type, operation=CAST_NUMBERS[opcode], value=value)


def _compare(cursor: Cursor, scope: TextScope, opcode: str) -> Instruction:
    flags = read_flags(cursor)
    predicate = read_predicate(cursor, opcode)
    left, right = _pair(cursor, scope)
    type = comparison(scope.types, left.type)
    return CompareInst(type=type, predicate=predicate, left=left, right=right, flags=flags)


def _more(cursor: Cursor, scope: TextScope) -> DxilValue:
    cursor.expect(",")
    return read_typed(cursor, scope)


def _select(cursor: Cursor, scope: TextScope) -> Instruction:
    read_flags(cursor)
    condition, one, other = read_typed(cursor, scope), _more(cursor, scope), _more(cursor, scope)
    other = coerced(scope, other, one.type)
    return SelectInst(type=one.type, condition=condition, true_value=one, false_value=other)


def _extract_element(cursor: Cursor, scope: TextScope) -> Instruction:
    vector, index = read_typed(cursor, scope), _more(cursor, scope)
    if not isinstance(vector.type, VectorType):
        cursor.fail(f"expected a vector, got {vector.type!s:.60}", cursor.opcode)
    return ExtractElementInst(type=vector.type.element, vector=vector, index=index)


def _insert_element(cursor: Cursor, scope: TextScope) -> Instruction:
    vector, element, index = read_typed(cursor, scope), _more(cursor, scope), _more(cursor, scope)
    return InsertElementInst(type=vector.type, vector=vector, element=element, index=index)


def _shuffle(cursor: Cursor, scope: TextScope) -> Instruction:
    left, right, mask = read_typed(cursor, scope), _more(cursor, scope), _more(cursor, scope)
    type = shuffle(scope.types, left.type, mask.type)
    if type is None:
        cursor.fail("expected vectors", cursor.opcode)
    return ShuffleVectorInst(type=type, left=left, right=right, mask=mask)


def _pointer(cursor: Cursor, scope: TextScope) -> Instruction:
    inbounds = read_inbounds(cursor)
    source = read_type(cursor, scope)
    cursor.expect(",")
    pointer = pointer_to(scope, read_typed(cursor, scope), source)
    indices = []
    while cursor.token.text == "," and cursor.tokens[cursor.at + 1].kind != "node":
        indices.append(_more(cursor, scope))
    return GetElementPtrInst(
        type=step_type(cursor, scope, source, pointer, indices, cursor.opcode),
        source_type=source,
        pointer=pointer,
        indices=indices,
        inbounds=inbounds,
    )


def _load(cursor: Cursor, scope: TextScope) -> Instruction:
    atomic, volatile = cursor.accept("atomic"), int(cursor.accept("volatile"))
    type = read_type(cursor, scope)
    pointer = pointer_to(scope, _more(cursor, scope), type)
    made = LoadInst(type=type, pointer=pointer, volatile=volatile)
    if atomic:
        made.scope, made.ordering = _synchronization(cursor), _ordering(cursor)
    made.alignment = _alignment(cursor)
    return made


def _store(cursor: Cursor, scope: TextScope) -> Instruction:
    atomic, volatile = cursor.accept("atomic"), int(cursor.accept("volatile"))
    value, pointer = read_typed(cursor, scope), _more(cursor, scope)
    if isinstance(pointer.type, PointerType):
        value = coerced(scope, value, pointer.type.pointee)
    pointer = pointer_to(scope, pointer, value.type)
    made = StoreInst(type=scope.void, value=value, pointer=pointer, volatile=volatile)
    if atomic:
        made.scope, made.ordering = _synchronization(cursor), _ordering(cursor)
    made.alignment = _alignment(cursor)
    return made


def _synchronization(cursor: Cursor) -> int:
    if cursor.accept("singlethread"):
        return SINGLE_THREAD
    if cursor.accept("syncscope"):
        cursor.expect("(")
        token = cursor.token
        if cursor.take_text() != "singlethread":
            cursor.fail(f"unknown scope {token.text:.40}", token)
        cursor.expect(")")
        return SINGLE_THREAD
    return CROSS_THREAD


def _ordering(cursor: Cursor) -> int:
    token = cursor.next()
    found = ORDERING_NUMBERS.get(token.text)
    if found is None:
        cursor.fail(f"unknown ordering {token.text!r:.40}", token)
    return found


def _alignment(cursor: Cursor) -> int:
    """Read `, align n` if it is next."""
    if cursor.token.text != "," or cursor.tokens[cursor.at + 1].text != "align":
        return 0
    cursor.at += 2
    return cursor.take_number()


def _alloca(cursor: Cursor, scope: TextScope) -> Instruction:
    inalloca = 32 if cursor.accept("inalloca") else 0
    type = read_type(cursor, scope)
    count: DxilValue = scope.pool.integer(scope.types.integer(32), 1)  # type: ignore[arg-type]
    following = cursor.tokens[cursor.at + 1]
    if cursor.token.text == "," and following.text != "align" and following.kind != "node":
        count = _more(cursor, scope)
    made = AllocaInst(
        type=scope.types.pointer(type), allocated_type=type, count=count, inalloca=inalloca
    )
    made.alignment = _alignment(cursor)
    return made


def _exchange(cursor: Cursor, scope: TextScope) -> Instruction:
    weak, volatile = int(cursor.accept("weak")), int(cursor.accept("volatile"))
    pointer, compare, new = read_typed(cursor, scope), _more(cursor, scope), _more(cursor, scope)
    made = CompareExchangeInst(
        type=exchange(scope.types, compare.type),
        pointer=pointer_to(scope, pointer, compare.type),
        compare=compare,
        new=new,
        volatile=volatile,
        weak=weak,
        scope=_synchronization(cursor),
        ordering=_ordering(cursor),
        failure_ordering=_ordering(cursor),
    )
    _alignment(cursor)  # of later versions; in LLVM 3.7 that of the type
    return made


def _modify(cursor: Cursor, scope: TextScope) -> Instruction:
    volatile = int(cursor.accept("volatile"))
    token = cursor.next()
    operation = ATOMIC_NUMBERS.get(token.text)
    if operation is None:
        cursor.fail(f"unknown operation {token.text!r:.40}", token)
    pointer, value = read_typed(cursor, scope), _more(cursor, scope)
    made = AtomicRMWInst(
        type=value.type,
        operation=operation,
        pointer=pointer_to(scope, pointer, value.type),
        value=value,
        volatile=volatile,
        scope=_synchronization(cursor),
        ordering=_ordering(cursor),
    )
    _alignment(cursor)  # of later versions; in LLVM 3.7 that of the type
    return made


def _fence(cursor: Cursor, scope: TextScope) -> Instruction:
    return FenceInst(type=scope.void, scope=_synchronization(cursor), ordering=_ordering(cursor))


def _indices(cursor: Cursor) -> list[int]:
    found = []
    while cursor.token.text == "," and cursor.tokens[cursor.at + 1].kind == "number":
        cursor.at += 1
        found.append(cursor.take_number())
    return found


def _extract_value(cursor: Cursor, scope: TextScope) -> Instruction:
    aggregate = read_typed(cursor, scope)
    indices = _indices(cursor)
    type = aggregate.type
    for index in indices:
        type = part_type(cursor, type, index, cursor.opcode)
    return ExtractValueInst(type=type, aggregate=aggregate, indices=indices)


def _insert_value(cursor: Cursor, scope: TextScope) -> Instruction:
    aggregate, value = read_typed(cursor, scope), _more(cursor, scope)
    indices = _indices(cursor)
    type = aggregate.type
    for index in indices:
        type = part_type(cursor, type, index, cursor.opcode)
    value = coerced(scope, value, type)
    return InsertValueInst(type=aggregate.type, aggregate=aggregate, value=value, indices=indices)


def _phi(cursor: Cursor, scope: TextScope) -> Instruction:
    read_flags(cursor)
    type = read_type(cursor, scope)
    made = PhiInst(type=type, incoming=[])
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
    return made


def _return(cursor: Cursor, scope: TextScope) -> Instruction:
    if cursor.accept("void"):
        return ReturnInst(type=scope.void)
    return ReturnInst(
        type=scope.void, value=coerced(scope, read_typed(cursor, scope), scope.body.result_type)
    )


def _branch(cursor: Cursor, scope: TextScope) -> Instruction:
    if cursor.token.text == "label":
        return BranchInst(type=scope.void, target=_label(cursor, scope))
    condition = read_typed(cursor, scope)
    cursor.expect(",")
    target = _label(cursor, scope)
    cursor.expect(",")
    return BranchInst(
        type=scope.void, condition=condition, target=target, false_target=_label(cursor, scope)
    )


def _switch(cursor: Cursor, scope: TextScope) -> Instruction:
    condition = read_typed(cursor, scope)
    cursor.expect(",")
    made = SwitchInst(type=scope.void, condition=condition, default=_label(cursor, scope), cases=[])
    cursor.expect("[")
    while not cursor.accept("]"):
        value = read_typed(cursor, scope)
        cursor.expect(",")
        made.cases.append((value, _label(cursor, scope)))
    return made


def _indirect(cursor: Cursor, scope: TextScope) -> Instruction:
    address = read_typed(cursor, scope)
    cursor.expect(",")
    cursor.expect("[")
    made = IndirectBranchInst(type=scope.void, address=address, targets=[])
    while not cursor.accept("]"):
        if made.targets:
            cursor.expect(",")
        made.targets.append(_label(cursor, scope))
    return made


def _unreachable(cursor: Cursor, scope: TextScope) -> Instruction:
    return UnreachableInst(type=scope.void)


READERS: dict[str, Callable[[Cursor, TextScope], Instruction]] = {
    "alloca": _alloca,
    "atomicrmw": _modify,
    "br": _branch,
    "call": read_call,
    "cmpxchg": _exchange,
    "extractelement": _extract_element,
    "extractvalue": _extract_value,
    "fence": _fence,
    "fneg": _negation,
    "getelementptr": _pointer,
    "indirectbr": _indirect,
    "insertelement": _insert_element,
    "insertvalue": _insert_value,
    "load": _load,
    "musttail": partial(read_tail_call, tail=2),
    "notail": partial(read_tail_call, tail=0),
    "phi": _phi,
    "ret": _return,
    "select": _select,
    "shufflevector": _shuffle,
    "store": _store,
    "switch": _switch,
    "tail": partial(read_tail_call, tail=1),
    "unreachable": _unreachable,
}
