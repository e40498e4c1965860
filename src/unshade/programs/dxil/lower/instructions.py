"""Lowering of LLVM's instructions, but for those that branch (flow) or call (calls).

%3 = fadd fast float %1, %2           vectors element by element
%4 = select i1 %c, float %1, float %2  also of handles and of resources of a library
%5 = extractvalue %dx.types.… %6, 0   a part of a tuple
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ....errors import UnsupportedError
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
from .variables import Naming, declared_names
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
        self.declared: dict[Function, dict[DxilValue, Naming]] = {}
        self.values.expression = self._expression
        self.nested = 0  # operations in the constant that is being lowered
        self.depth = 0

    def result(self, instruction: Instruction, function: Function) -> Result:
        """Lower an instruction; return its result, None if it has none."""
        if isinstance(instruction, AllocaInst):
            return self._alloca(instruction, function)
        return self._operation(instruction)

    def _operation(self, instruction: Instruction) -> Result:
        """Lower an instruction that depends only on its operands."""
        lower = LOWERINGS.get(type(instruction))
        if lower is None:
            raise UnsupportedError(f"{instruction.opcode} cannot be run yet")
        return lower(self, instruction)

    def _alloca(self, instruction: AllocaInst, function: Function) -> Result:
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

    def binary(self, instruction: BinaryInst) -> Result:
        formula = BINARY.get(instruction.opcode)
        if formula is None:
            raise UnsupportedError(f"{instruction.opcode} cannot be run yet")
        operands = self.values.get(instruction.left), self.values.get(instruction.right)
        return each_element(partial(formula, self.b), *operands)

    def compare(self, instruction: CompareInst) -> Result:
        name = PREDICATES[instruction.predicate]
        operands = self.values.get(instruction.left), self.values.get(instruction.right)
        return each_element(partial(compare, self.b, name), *operands)

    def cast(self, instruction: CastInst) -> Result:
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

    def select(self, instruction: SelectInst) -> Result:
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

    def extract_value(self, instruction: ExtractValueInst) -> Result:
        found = self.values.get(instruction.aggregate)
        for at in instruction.indices:
            found = part_of(found, at)
        return found

    def insert_value(self, instruction: InsertValueInst) -> Result:
        get = self.values.get
        return inserted(get(instruction.aggregate), instruction.indices, get(instruction.value))

    def extract_element(self, instruction: ExtractElementInst) -> Result:
        vector = self.values.get(instruction.vector)
        return chosen(self.b, vector, self.values.scalar(instruction.index))

    def insert_element(self, instruction: InsertElementInst) -> Result:
        vector, scalar = self.values.get(instruction.vector), self.values.scalar
        return replaced(self.b, vector, scalar(instruction.index), scalar(instruction.element))

    def shuffle(self, instruction: ShuffleVectorInst) -> Result:
        both = (*self.values.get(instruction.left), *self.values.get(instruction.right))
        return tuple(part_of(both, each.attr) for each in self.values.get(instruction.mask))

    def part(self, instruction: GetElementPtrInst) -> Result:
        base = self.pointers.pointer(instruction.pointer)
        return self.pointers.part(base, instruction.source_type, instruction.indices)

    def fence(self, instruction: FenceInst) -> Result:
        self.b.barrier(attr="memory")
        return None

    def load(self, instruction: LoadInst) -> Result:
        pointer = self.pointers.pointer(instruction.pointer)
        if isinstance(pointer, ResourceObject):
            return pointer
        return self.pointers.load_instruction(instruction)

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


LOWERINGS: dict[type[Instruction], Callable[[Instructions, Any], Result]] = {
    AtomicRMWInst: lambda lowering, made: lowering.pointers.exchange(made),
    BinaryInst: Instructions.binary,
    CastInst: Instructions.cast,
    CompareExchangeInst: lambda lowering, made: lowering.pointers.compare_exchange(made),
    CompareInst: Instructions.compare,
    ExtractElementInst: Instructions.extract_element,
    ExtractValueInst: Instructions.extract_value,
    FenceInst: Instructions.fence,
    GetElementPtrInst: Instructions.part,
    InsertElementInst: Instructions.insert_element,
    InsertValueInst: Instructions.insert_value,
    LoadInst: Instructions.load,
    SelectInst: Instructions.select,
    ShuffleVectorInst: Instructions.shuffle,
    StoreInst: lambda lowering, made: lowering.pointers.store_instruction(made),
}
