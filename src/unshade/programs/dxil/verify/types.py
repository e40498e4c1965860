"""Rules of types of operands.

Source: LLVM 3.7's public language reference.
"""

from collections.abc import Callable, Iterator

from ..model.instructions import (
    AtomicRMWInst,
    BinaryInst,
    BranchInst,
    CallInst,
    CastInst,
    CompareExchangeInst,
    CompareInst,
    GetElementPtrInst,
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
)
from ..model.module import DxilModule
from ..model.results import part, scalar
from ..model.types import (
    ArrayType,
    DxilType,
    FloatType,
    IntegerType,
    PointerType,
    StructType,
    VectorType,
)
from ..model.values import Function
from .reports import Reports

__all__ = ["check_types"]

Problems = Iterator[str]
INTEGER_ONLY = frozenset({3, 5, 7, 8, 9, 10, 11, 12})  # udiv, urem, shifts, and, or, xor
# By cast: what it takes, what it makes: i integers, f floats, p pointers, * anything.
CASTS = ("ii", "ii", "ii", "fi", "fi", "if", "if", "ff", "ff", "pi", "ip", "**", "pp")
NARROWING, WIDENING = (0, 7), (1, 2, 8)


def check_types(module: DxilModule, function: Function, reports: Reports) -> None:
    """Check the operands of all instructions of a function."""
    for number, each in enumerate(function.instructions):
        rule = RULES.get(type(each))
        if rule is not None:
            for message in rule(each, function):
                reports.instruction("dxil.type", message, function, each, number)


def lanes(type: DxilType) -> int:
    """Return the number of elements of a vector; 0 for other types."""
    return type.count if isinstance(type, VectorType) else 0


def same(one: DxilType, other: DxilType) -> Problems:
    """Return a problem if types differ."""
    if one is not other:
        yield f"expected the same types, got {one!s:.40} and {other!s:.40}"


def expect(found: DxilType, type: DxilType) -> Problems:
    """Return a problem if a type is not the expected one."""
    if found is not type:
        yield f"expected {type!s:.40}, got {found!s:.40}"


def boolean(type: DxilType) -> bool:
    return isinstance(type, IntegerType) and type.width == 1


def _binary(each: BinaryInst, function: Function) -> Problems:
    yield from same(each.left.type, each.right.type)
    element = scalar(each.type)
    is_float = isinstance(element, FloatType)
    if not is_float and not isinstance(element, IntegerType):
        yield f"expected numbers, got {each.type!s:.40}"
    elif is_float and each.operation in INTEGER_ONLY:
        yield f"expected integers, got {each.type!s:.40}"


def _compare(each: CompareInst, function: Function) -> Problems:
    yield from same(each.left.type, each.right.type)
    element = scalar(each.left.type)
    if (each.predicate < 32) != isinstance(element, FloatType):
        yield f"expected operands for {each.opcode}, got {each.left.type!s:.40}"


def _kind(type: DxilType) -> str:
    element = scalar(type)
    if isinstance(element, IntegerType):
        return "i"
    return (
        "f" if isinstance(element, FloatType) else "p" if isinstance(element, PointerType) else "?"
    )


def _cast(each: CastInst, function: Function) -> Problems:
    source, target = each.value.type, each.type
    if each.operation >= len(CASTS):
        yield f"expected a cast of LLVM 3.7, got {each.operation}"
        return
    wanted = CASTS[each.operation]
    kinds = _kind(source) + _kind(target)
    if wanted == "**":
        is_pointer = kinds == "pp"
        if "?" in kinds or not (is_pointer or "p" not in kinds):
            yield f"expected numbers or pointers, got {source!s:.40} and {target!s:.40}"
        elif not is_pointer and _width(source) != _width(target):
            yield f"expected types of the same size, got {source!s:.40} and {target!s:.40}"
        return
    if kinds != wanted or lanes(source) != lanes(target):
        yield f"expected operands for {each.opcode}, got {source!s:.40} and {target!s:.40}"
        return
    one, other = _width(scalar(source)), _width(scalar(target))
    if (each.operation in NARROWING and one <= other) or (
        each.operation in WIDENING and one >= other
    ):
        yield f"expected sizes for {each.opcode}, got {source!s:.40} and {target!s:.40}"


def _width(type: DxilType) -> int:
    width = getattr(scalar(type), "width", 0)
    return int(width) * max(lanes(type), 1)


def _select(each: SelectInst, function: Function) -> Problems:
    yield from same(each.true_value.type, each.false_value.type)
    condition = each.condition.type
    if not boolean(scalar(condition)) or lanes(condition) not in (0, lanes(each.type)):
        yield f"expected a condition of i1, got {condition!s:.40}"


def _insert_element(each: InsertElementInst, function: Function) -> Problems:
    if not isinstance(each.vector.type, VectorType):
        yield f"expected a vector, got {each.vector.type!s:.40}"
    else:
        yield from expect(each.element.type, each.vector.type.element)


def _shuffle(each: ShuffleVectorInst, function: Function) -> Problems:
    yield from same(each.left.type, each.right.type)


def _step(each: GetElementPtrInst, function: Function) -> Problems:
    for index in each.indices:
        if not isinstance(scalar(index.type), IntegerType):
            yield f"expected integers as indices, got {index.type!s:.40}"


def _load(each: LoadInst, function: Function) -> Problems:
    pointer = each.pointer.type
    if not isinstance(pointer, PointerType):
        yield f"expected a pointer, got {pointer!s:.40}"
    else:
        yield from expect(each.type, pointer.pointee)


def _store(each: StoreInst, function: Function) -> Problems:
    pointer = each.pointer.type
    if not isinstance(pointer, PointerType):
        yield f"expected a pointer, got {pointer!s:.40}"
    else:
        yield from expect(each.value.type, pointer.pointee)


def _atomic(each: AtomicRMWInst, function: Function) -> Problems:
    yield from expect(each.value.type, each.type)


def _exchange(each: CompareExchangeInst, function: Function) -> Problems:
    yield from same(each.compare.type, each.new.type)
    pointer = each.pointer.type
    if not isinstance(pointer, PointerType) or pointer.pointee is not each.new.type:
        yield f"expected a pointer to {each.new.type!s:.40}, got {pointer!s:.40}"


def _insert_value(each: InsertValueInst, function: Function) -> Problems:
    type = each.aggregate.type
    for index in each.indices:
        # A vector has elements, not parts that insertvalue reaches.
        inner = part(type, index) if isinstance(type, ArrayType | StructType) else None
        if inner is None:
            yield f"expected a part of {each.aggregate.type!s:.40}, got {each.indices!r:.40}"
            return
        type = inner
    yield from expect(each.value.type, type)


def _call(each: CallInst, function: Function) -> Problems:
    callee = each.callee.type
    if not isinstance(callee, PointerType) or callee.pointee is not each.function_type:
        yield f"expected a function of type {each.function_type!s:.60}, got {callee!s:.60}"
    for argument, type in zip(each.arguments, each.function_type.parameters, strict=False):
        yield from expect(argument.type, type)


def _return(each: ReturnInst, function: Function) -> Problems:
    result = function.function_type.result
    if each.value is not None:
        yield from expect(each.value.type, result)
    elif not result.is_void:
        yield f"expected a value of type {result!s:.40}"


def _branch(each: BranchInst, function: Function) -> Problems:
    if each.condition is not None and not boolean(each.condition.type):
        yield f"expected a condition of i1, got {each.condition.type!s:.40}"


def _switch(each: SwitchInst, function: Function) -> Problems:
    if not isinstance(each.condition.type, IntegerType):
        yield f"expected an integer, got {each.condition.type!s:.40}"
    for value, _ in each.cases:
        yield from expect(value.type, each.condition.type)


def _phi(each: PhiInst, function: Function) -> Problems:
    for value, _ in each.incoming:
        yield from expect(value.type, each.type)


RULES: dict[type[Instruction], Callable[..., Problems]] = {
    AtomicRMWInst: _atomic,
    BinaryInst: _binary,
    BranchInst: _branch,
    CallInst: _call,
    CastInst: _cast,
    CompareExchangeInst: _exchange,
    CompareInst: _compare,
    GetElementPtrInst: _step,
    InsertElementInst: _insert_element,
    InsertValueInst: _insert_value,
    LoadInst: _load,
    PhiInst: _phi,
    ReturnInst: _return,
    SelectInst: _select,
    ShuffleVectorInst: _shuffle,
    StoreInst: _store,
    SwitchInst: _switch,
}
