"""Lowering of LLVM's instructions, but for those that branch (flow) or call (calls).

%3 = fadd fast float %1, %2           vectors element by element
%4 = select i1 %c, float %1, float %2  also of handles and of resources of a library
%5 = extractvalue %dx.types.… %6, 0   a part of a tuple
"""

from functools import partial

from ....errors import UnsupportedError
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
from ..model.types import DxilType, PointerType, VectorType
from ..model.values import DxilValue, Function
from ..tables.llvm_enumerations import PREDICATES
from .arithmetic import BINARY, CASTS, compare
from .bound import ResourceObject
from .listing import ModuleListing
from .pointers import MOVES, Pointers
from .references import flat, is_reference, selected
from .scans import Users, is_plain, users_in
from .values import Result
from .variables import declared_names
from .vectors import chosen, each_element, inserted, part_of, regrouped, replaced

__all__ = ["Instructions"]

MOST_NESTED = 64  # operations in one constant


class Instructions:
    """Lowering of instructions."""

    def __init__(self, pointers: Pointers, listing: ModuleListing) -> None:
        self.pointers = pointers
        self.values = pointers.values
        self.b = pointers.b
        self.listing = listing
        self.users: dict[Function, Users] = {}
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
                if function not in self.users:
                    self.users[function] = users_in(function)
                return self.pointers.alloca(
                    instruction, name, plain=is_plain(instruction, self.users[function]),
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
                return each_element(partial(formula, b), *operands)
            case CompareInst():
                name = PREDICATES[instruction.predicate]
                operands = values.get(instruction.left), values.get(instruction.right)
                return each_element(partial(compare, b, name), *operands)
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
                return inserted(
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
        if name == "bitcast" and _count(made) != _count(instruction.value.type):
            parts = regrouped(self.b, flat(value), type)
            return tuple(parts) if isinstance(made, VectorType) else parts[0]
        return each_element(lambda each: formula(self.b, each, type), value)

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
            return each_element(b.select, condition, one, other)
        return each_element(lambda x, y: b.select(condition, x, y), one, other)

    def _vector(self, instruction: Instruction) -> Result:
        b, values = self.b, self.values
        match instruction:
            case ExtractElementInst():
                return chosen(b, values.get(instruction.vector), values.scalar(instruction.index))
            case InsertElementInst():
                return replaced(
                    b, values.get(instruction.vector), values.scalar(instruction.index),
                    values.scalar(instruction.element),
                )  # fmt: skip
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


def _count(type: DxilType) -> int:
    """Return the number of elements of a vector; 0 of other types."""
    return type.count if isinstance(type, VectorType) else 0
