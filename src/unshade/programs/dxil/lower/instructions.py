"""Lowering of LLVM's instructions, but for those that branch (flow) or call (calls).

%3 = fadd fast float %1, %2           vectors element by element
%4 = select i1 %c, float %1, float %2  also of handles and of resources of a library
%5 = extractvalue %dx.types.… %6, 0   a part of a tuple
"""

from collections.abc import Callable
from functools import partial

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.locations import SymbolName
from ..model.constants import ConstantExpression
from ..model.instructions import (
    AllocaInst,
    AtomicRMWInst,
    BinaryInst,
    CastInst,
    CompareExchangeInst,
    CompareInst,
    ExtractElementInst,
    ExtractValueInst,
    FenceInst,
    GetElementPtrInst,
    InsertElementInst,
    InsertValueInst,
    Instruction,
    LoadInst,
    SelectInst,
    ShuffleVectorInst,
    StoreInst,
)
from ..model.types import PointerType, VectorType
from ..model.values import DxilValue, Function
from ..tables.operations import PREDICATES
from .arithmetic import BINARY, CASTS, compare
from .bound import ResourceObject
from .listing import ModuleListing
from .pointers import MOVES, Pointers
from .references import is_reference, selected
from .scans import is_plain
from .values import Result
from .variables import declared_names

__all__ = ["Instructions"]

MOST_NESTED = 64  # operations in one constant


class Instructions:
    """Lowering of instructions."""

    def __init__(self, pointers: Pointers, listing: ModuleListing) -> None:
        self.pointers = pointers
        self.values = pointers.values
        self.b = pointers.b
        self.listing = listing
        self.declared: dict[Function, dict[DxilValue, SymbolName]] = {}
        self.values.expression = self._expression
        self.nested = 0  # operations in the constant that is being lowered
        self.depth = 0

    def result(self, instruction: Instruction, function: Function) -> Result:
        """Lower an instruction; return its result, None for one without."""
        match instruction:
            case AllocaInst():
                name = self.listing.name(instruction, function) or "alloca"
                known = self.declared.get(function)
                if known is None:
                    known = self.declared[function] = declared_names(function)
                return self.pointers.alloca(
                    instruction, name, plain=is_plain(instruction, function),
                    gives=known.get(instruction),
                )  # fmt: skip
        return self._operation(instruction)

    def _operation(self, instruction: Instruction) -> Result:
        """Lower an instruction that needs nothing but its operands."""
        values, b = self.values, self.b
        match instruction:
            case BinaryInst():
                formula = BINARY.get(instruction.opcode)
                if formula is None:
                    raise UnsupportedError(f"{instruction.opcode} cannot be run yet")
                operands = values.get(instruction.left), values.get(instruction.right)
                return _each(partial(formula, b), *operands)
            case CompareInst():
                name = PREDICATES[instruction.predicate]
                operands = values.get(instruction.left), values.get(instruction.right)
                return _each(partial(compare, b, name), *operands)
            case CastInst():
                return self._cast(instruction)
            case SelectInst():
                return self._select(instruction)
            case ExtractValueInst():
                found = values.get(instruction.aggregate)
                for at in instruction.indices:
                    found = part_of(found, at)
                return found
            case InsertValueInst():
                return _inserted(
                    values.get(instruction.aggregate),
                    instruction.indices,
                    values.get(instruction.value),
                )
            case ExtractElementInst() | InsertElementInst() | ShuffleVectorInst():
                return self._vector(instruction)
            case GetElementPtrInst():
                return self._element(instruction)
            case LoadInst():
                pointer = self.pointers.pointer(instruction.pointer)
                if isinstance(pointer, ResourceObject):
                    return pointer
                return self.pointers.load_instruction(instruction)
            case StoreInst():
                return self.pointers.store_instruction(instruction)
            case AtomicRMWInst():
                return self.pointers.exchange(instruction)
            case CompareExchangeInst():
                return self.pointers.compare_exchange(instruction)
            case FenceInst():
                b.barrier(attr="memory")
                return None
        raise UnsupportedError(f"{instruction.opcode} cannot be run yet")

    def _cast(self, instruction: CastInst) -> Result:
        name = instruction.opcode
        if isinstance(instruction.type, PointerType):
            if name in MOVES:
                return self.pointers.pointer(instruction.value)
            raise UnsupportedError(f"{name} to a pointer cannot be run yet")
        formula = CASTS.get(name)
        if formula is None:
            raise UnsupportedError(f"{name} cannot be run yet")
        made = instruction.type
        type = self.values.type(made.element if isinstance(made, VectorType) else made)
        value = self.values.get(instruction.value)
        return _each(lambda each: formula(self.b, each, type), value)

    def _select(self, instruction: SelectInst) -> Result:
        b, values = self.b, self.values
        condition = values.get(instruction.condition)
        one, other = (
            self.pointers.pointer(each) if isinstance(each.type, PointerType) else values.get(each)
            for each in (instruction.true_value, instruction.false_value)
        )
        if is_reference(instruction.type):
            return selected(b, values.scalar(instruction.condition), one, other)
        if isinstance(condition, tuple):
            return _each(b.select, condition, one, other)
        return _each(lambda x, y: b.select(condition, x, y), one, other)

    def _vector(self, instruction: Instruction) -> Result:
        values = self.values
        match instruction:
            case ExtractElementInst():
                return part_of(values.get(instruction.vector), values.integer(instruction.index))
            case InsertElementInst():
                at = values.integer(instruction.index)
                return _inserted(
                    values.get(instruction.vector), [at], values.get(instruction.element)
                )
            case ShuffleVectorInst():
                both = [*values.get(instruction.left), *values.get(instruction.right)]
                return tuple(part_of((*both,), each.attr) for each in values.get(instruction.mask))
        raise UnsupportedError(f"{instruction.opcode} cannot be run yet")

    def _element(self, instruction: GetElementPtrInst) -> Result:
        base = self.pointers.pointer(instruction.pointer)
        return self.pointers.part(base, instruction.source_type, instruction.indices)

    def _expression(self, value: ConstantExpression) -> Result:
        """Lower an operation on constants, as the instruction of the same name."""
        type, (first, *rest) = value.type, value.arguments
        made: Instruction
        match value.opcode:
            case "binary":
                made = BinaryInst(type=type, operation=value.detail, left=first, right=rest[0])
            case "cast":
                made = CastInst(type=type, operation=value.detail, value=first)
            case "icmp" | "fcmp":
                made = CompareInst(type=type, predicate=value.detail, left=first, right=rest[0])
            case "select":
                made = SelectInst(
                    type=type, condition=first, true_value=rest[0], false_value=rest[1]
                )
            case _:
                raise UnsupportedError(f"a constant {value.opcode} cannot be run yet")
        self.nested = self.nested + 1 if self.depth else 1
        if self.nested > MOST_NESTED:
            raise UnsupportedError(
                f"a constant of more than {MOST_NESTED} operations cannot be run"
            )
        self.depth += 1
        try:
            return self._operation(made)
        finally:
            self.depth -= 1


def _each(do: Callable[..., Result], *operands: Result) -> Result:
    """Apply an operation to numbers, or to each element of vectors."""
    if isinstance(operands[0], tuple):
        counts = {len(each) if isinstance(each, tuple) else 0 for each in operands}
        if len(counts) > 1:
            raise UnsupportedError("expected vectors of the same number of elements")
        return tuple(_each(do, *some) for some in zip(*operands, strict=True))
    for each in operands:
        if not isinstance(each, Value):
            raise UnsupportedError(f"expected a number, got {each!r:.40}")
    return do(*operands)


def _inserted(aggregate: Result, indices: list[int], value: Result) -> Result:
    """Return an aggregate with another part."""
    if not indices:
        return value
    at, *rest = indices
    part_of(aggregate, at)
    made = [*aggregate]
    made[at] = _inserted(made[at], rest, value) if rest else value
    return tuple(made)


def part_of(aggregate: Result, at: int) -> Result:
    """Return a part of a structure or vector."""
    if not isinstance(aggregate, tuple) or not 0 <= at < len(aggregate):
        raise UnsupportedError(f"expected a value with a part {at}")
    return aggregate[at]
