"""Encoding of instructions, the inverse of `decode/instructions.py`."""

from collections.abc import Callable

from ..decode.instructions import EXPLICIT_CALL, EXPLICIT_INVOKE, MASK, MUST_TAIL, SPECIAL
from ..layouts import CODES, LAYOUTS
from ..model.instructions import (
    AllocaInst,
    BranchInst,
    CallInst,
    ExtractValueInst,
    GetElementPtrInst,
    IndirectBranchInst,
    InsertValueInst,
    Instruction,
    InvokeInst,
    LandingPadInst,
    LoadInst,
    PhiInst,
    ReturnInst,
    StoreInst,
    SwitchInst,
    VAArgInst,
)
from ..model.types import FunctionType
from ..model.values import BasicBlock, DxilValue, MetadataAsValue
from .common import Numbers, exponent, rotate

__all__ = ["InstructionWriter"]

SPECIAL_CODES = {cls: code for code, (cls, _) in SPECIAL.items()}


class InstructionWriter:
    """A writer of the instructions of one function; `next` is the number of the next result."""

    def __init__(self, numbers: Numbers, first: int) -> None:
        self.numbers = numbers
        self.next = first
        self.out: list[int] = []

    def operands(self, made: Instruction) -> tuple[int, list[int]]:
        """Return code and operands of the record of an instruction."""
        self.out = []
        code = CODES.get(type(made))
        if code is not None:
            if isinstance(made, LoadInst | StoreInst) and made.ordering is not None:
                code = 41 if isinstance(made, LoadInst) else 45
            self.fixed(made, LAYOUTS[code][1])
        else:
            code = SPECIAL_CODES[type(made)]
            WRITERS[code](self, made)
        if not made.type.is_void:
            self.next += 1
        return code, self.out

    # -- operands --------------------------------------------------------------------------------

    def same(self, value: DxilValue) -> None:
        self.out.append(self.next - self.numbers.value(value) & MASK)

    def pair(self, value: DxilValue) -> None:
        number = self.numbers.value(value)
        self.out.append(self.next - number & MASK)
        if number >= self.next:
            self.out.append(self.numbers.type(value.type))

    def block(self, block: BasicBlock) -> None:
        self.out.append(self.numbers.basic_block(block))

    def argument(self, value: DxilValue) -> None:
        if isinstance(value, MetadataAsValue):
            self.out.append(self.next - self.numbers.node(value.metadata) & MASK)
        elif isinstance(value, BasicBlock):
            self.block(value)
        else:
            self.same(value)

    def fixed(self, made: Instruction, layout: tuple[tuple[str, str], ...]) -> None:
        """Write an instruction by its layout."""
        for kind, name in layout:
            if kind == "pair":
                self.pair(getattr(made, name))
            elif kind == "same":
                self.same(getattr(made, name))
            elif kind == "type":
                self.out.append(self.numbers.type(made.type))
            elif kind == "align":
                self.out.append(exponent(getattr(made, name)))
            else:
                number = getattr(made, name)
                if number is not None:
                    self.out.append(number)

    # -- instructions with lists -----------------------------------------------------------------

    def pointer_step(self, made: GetElementPtrInst) -> None:
        self.out += [made.inbounds, self.numbers.type(made.source_type)]
        self.pair(made.pointer)
        for each in made.indices:
            self.pair(each)

    def extract_value(self, made: ExtractValueInst) -> None:
        self.pair(made.aggregate)
        self.out += made.indices

    def insert_value(self, made: InsertValueInst) -> None:
        self.pair(made.aggregate)
        self.pair(made.value)
        self.out += made.indices

    def return_(self, made: ReturnInst) -> None:
        if made.value is not None:
            self.pair(made.value)

    def branch(self, made: BranchInst) -> None:
        self.block(made.target)
        if made.false_target is not None and made.condition is not None:
            self.block(made.false_target)
            self.same(made.condition)

    def switch(self, made: SwitchInst) -> None:
        self.out.append(self.numbers.type(made.condition.type))
        self.same(made.condition)
        self.block(made.default)
        for value, block in made.cases:
            self.out.append(self.numbers.value(value))
            self.block(block)

    def indirect(self, made: IndirectBranchInst) -> None:
        self.out.append(self.numbers.type(made.address.type))
        self.same(made.address)
        for each in made.targets:
            self.block(each)

    def phi(self, made: PhiInst) -> None:
        self.out.append(self.numbers.type(made.type))
        for value, block in made.incoming:
            self.out.append(rotate(self.next - self.numbers.value(value)))
            self.block(block)

    def alloca(self, made: AllocaInst) -> None:
        numbers = self.numbers
        self.out += [numbers.type(made.allocated_type), numbers.type(made.count.type)]
        flags = exponent(made.alignment) | made.inalloca << 5 | 64
        self.out += [numbers.value(made.count), flags]

    def arguments(self, type: FunctionType, arguments: list[DxilValue]) -> None:
        count = len(type.parameters)
        if len(arguments) < count or (len(arguments) > count and not type.vararg):
            raise self.numbers.fail(f"expected {count} arguments, got {len(arguments)}")
        for each in arguments[:count]:
            self.argument(each)
        for each in arguments[count:]:
            self.pair(each)

    def call(self, made: CallInst) -> None:
        numbers = self.numbers
        flags = made.convention << 1 | made.tail & 1 | EXPLICIT_CALL
        flags |= MUST_TAIL if made.tail & 2 else 0
        self.out += [numbers.attribute_list(made.attributes), flags]
        self.out.append(numbers.type(made.function_type))
        self.pair(made.callee)
        self.arguments(made.function_type, made.arguments)

    def invoke(self, made: InvokeInst) -> None:
        numbers = self.numbers
        flags = made.convention | EXPLICIT_INVOKE
        self.out += [numbers.attribute_list(made.attributes), flags]
        self.block(made.normal)
        self.block(made.unwind)
        self.out.append(numbers.type(made.function_type))
        self.pair(made.callee)
        self.arguments(made.function_type, made.arguments)

    def landing(self, made: LandingPadInst) -> None:
        self.out += [self.numbers.type(made.type), made.cleanup, len(made.clauses)]
        for kind, clause in zip(made.kinds, made.clauses, strict=True):
            self.out.append(kind)
            self.pair(clause)

    def variadic(self, made: VAArgInst) -> None:
        self.out.append(self.numbers.type(made.pointer.type))
        self.same(made.pointer)
        self.out.append(self.numbers.type(made.type))


W = InstructionWriter
WRITERS: dict[int, Callable[..., None]] = {
    10: W.return_,
    11: W.branch,
    12: W.switch,
    13: W.invoke,
    16: W.phi,
    19: W.alloca,
    23: W.variadic,
    26: W.extract_value,
    27: W.insert_value,
    31: W.indirect,
    34: W.call,
    43: W.pointer_step,
    47: W.landing,
}
