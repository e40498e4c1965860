"""Decoding of instructions: operands, and the type of the result."""

from collections.abc import Callable

from ..bitstream import BitRecord
from ..layouts import LAYOUTS, Layout
from ..model.instructions import (
    AllocaInst,
    AtomicRMWInst,
    BinaryInst,
    BranchInst,
    CallInst,
    CastInst,
    CompareExchangeInst,
    CompareInst,
    ExtractElementInst,
    ExtractValueInst,
    GetElementPtrInst,
    IndirectBranchInst,
    InsertElementInst,
    InsertValueInst,
    Instruction,
    InvokeInst,
    LandingPadInst,
    LoadInst,
    PhiInst,
    ReturnInst,
    SelectInst,
    ShuffleVectorInst,
    SwitchInst,
    VAArgInst,
)
from ..model.results import address, comparison, exchange, part, scalar, shuffle
from ..model.types import (
    DxilType,
    FunctionType,
    IntegerType,
    PointerType,
    PrimitiveType,
    VectorType,
)
from ..model.values import BasicBlock, DxilValue, Function, MetadataAsValue
from .common import DecodingContext, alignment_of, rotated
from .references import attributes_of

__all__ = ["CLASSES", "InstructionReader"]

EXPLICIT_CALL, MUST_TAIL, EXPLICIT_INVOKE = 1 << 15, 1 << 14, 1 << 13
MASK = 0xFFFF_FFFF


class InstructionReader:
    """A reader of the instructions of one function.

    `next` is the number that the next result has.
    """

    def __init__(self, function: Function, context: DecodingContext, first: int) -> None:
        self.function = function
        self.context = context
        self.next = first
        self.values = context.values
        self.types = context.module.types
        self.void = self.types.primitive("void")
        self.operands: list[int] = []
        self.at = 0

    def read(self, made: Instruction, record: BitRecord) -> None:
        """Set the attributes of an instruction from its record."""
        self.operands = record.operands
        self.at = 0
        layout = LAYOUTS.get(record.code)
        if layout is not None:
            self.fixed(made, layout)
        else:
            SPECIAL[record.code][1](self, made)
        if self.at != len(self.operands):
            self.context.fail(f"expected {self.at} operands, got {len(self.operands)}")
        if not made.type.is_void:
            if self.next >= len(self.values) or self.values[self.next] is not made:
                self.context.fail(
                    f"expected an instruction without result, got a {made.type!s:.40}"
                )
            self.next += 1
        elif self.next < len(self.values) and self.values[self.next] is made:
            self.context.fail("expected an instruction with a result, got none")

    # -- operands --------------------------------------------------------------------------------

    def number(self) -> int:
        """Take an operand."""
        if self.at >= len(self.operands):
            self.context.fail(f"expected more than {self.at} operands")
        self.at += 1
        return self.operands[self.at - 1]

    def absolute(self, number: int) -> DxilValue:
        """Return a value of the function by its number."""
        if number >= len(self.values):
            self.context.fail(f"expected a value below {len(self.values)}, got {number}")
        return self.values[number]

    def same(self) -> DxilValue:
        """Take a value by its distance, without type."""
        return self.absolute(self.next - self.number() & MASK)

    def pair(self) -> DxilValue:
        """Take a value by its distance; a type follows if the value is defined later."""
        number = self.next - self.number() & MASK
        value = self.absolute(number)
        if number >= self.next:
            self.context.expect_type(value, self.type())
        return value

    def type_of(self, value: DxilValue) -> DxilType:
        """Return the type of an operand, which may be defined later."""
        found: DxilType | None = getattr(value, "type", None) or self.context.stated.get(value)
        if found is None:
            self.context.fail("expected the type of a later value")
        return found

    def type(self) -> DxilType:
        return self.context.type(self.number())

    def block(self) -> BasicBlock:
        number = self.number()
        blocks = self.function.blocks
        if number >= len(blocks):
            self.context.fail(f"expected a block below {len(blocks)}, got {number}")
        return blocks[number]

    def argument(self, type: DxilType) -> DxilValue:
        """Take an argument of a call, which may be metadata or a block."""
        if isinstance(type, PrimitiveType):
            if type.name == "metadata":
                number = self.next - self.number() & MASK
                return MetadataAsValue(type, self.context.node(number))
            if type.name == "label":
                return self.block()
        return self.same()

    # -- instructions in a fixed order -----------------------------------------------------------

    def fixed(self, made: Instruction, layout: Layout) -> None:
        """Read an instruction by its layout."""
        for kind, name in layout[1]:
            if kind == "pair":
                setattr(made, name, self.pair())
            elif kind == "same":
                setattr(made, name, self.same())
            elif kind == "type":
                made.type = self.type()
            elif kind == "align":
                setattr(made, name, alignment_of(self.number(), self.context))
            elif kind == "more":
                setattr(made, name, self.number() if self.at < len(self.operands) else None)
            else:
                setattr(made, name, self.number())
        if isinstance(made, LoadInst) and len(layout[1]) == 4:
            made.ordering = made.scope = None
        elif made.OPCODE == "store" and len(layout[1]) == 4:
            made.ordering = made.scope = None  # type: ignore[attr-defined]
        rule = RESULTS.get(type(made))
        if rule is not None:
            made.type = rule(self, made)
        elif not isinstance(made, CastInst | LoadInst):
            made.type = self.void

    # -- instructions with lists -----------------------------------------------------------------

    def rest(self) -> list[int]:
        """Take all operands that are left."""
        found = self.operands[self.at :]
        self.at = len(self.operands)
        return found

    def pointer_step(self, made: GetElementPtrInst) -> None:
        made.inbounds = self.number()
        made.source_type = self.type()
        made.pointer = self.pair()
        made.indices = []
        while self.at < len(self.operands):
            made.indices.append(self.pair())
        made.type = self.pointer_type(made)

    def pointer_type(self, made: GetElementPtrInst) -> DxilType:
        """Return the type of the address of a part."""
        base = self.type_of(made.pointer)
        pointer = scalar(base)
        if not isinstance(pointer, PointerType) or pointer.pointee is not made.source_type:
            self.context.fail(f"expected a pointer to {made.source_type!s:.40}, got {base!s:.40}")
        inner = made.source_type
        for index in made.indices[1:]:
            inner = self.element(inner, getattr(index, "value", 0))
        found = address(self.types, inner, base, map(self.type_of, made.indices))
        assert found is not None
        return found

    def element(self, type: DxilType, index: object) -> DxilType:
        """Return the type of a part of an aggregate."""
        found = part(type, index)
        if found is not None:
            return found
        self.context.fail(f"expected an element of {type!s:.40}, got {index!r:.20}")

    def extract_value(self, made: ExtractValueInst) -> None:
        made.aggregate = self.pair()
        made.indices = self.rest()
        type = self.type_of(made.aggregate)
        for index in made.indices:
            type = self.element(type, index)
        made.type = type

    def insert_value(self, made: InsertValueInst) -> None:
        made.aggregate = self.pair()
        made.value = self.pair()
        made.indices = self.rest()
        made.type = self.type_of(made.aggregate)

    def return_(self, made: ReturnInst) -> None:
        made.type = self.void
        made.value = self.pair() if self.operands else None

    def branch(self, made: BranchInst) -> None:
        made.type = self.void
        made.target = self.block()
        made.false_target = made.condition = None
        if len(self.operands) > 1:
            made.false_target = self.block()
            made.condition = self.same()

    def switch(self, made: SwitchInst) -> None:
        made.type = self.void
        type = self.type()
        made.condition = self.same()
        self.context.expect_type(made.condition, type)
        made.default = self.block()
        made.cases = []
        while self.at < len(self.operands):
            value = self.absolute(self.number())
            made.cases.append((value, self.block()))

    def indirect(self, made: IndirectBranchInst) -> None:
        made.type = self.void
        type = self.type()
        made.address = self.same()
        self.context.expect_type(made.address, type)
        made.targets = []
        while self.at < len(self.operands):
            made.targets.append(self.block())

    def phi(self, made: PhiInst) -> None:
        made.type = self.type()
        made.incoming = []
        while self.at < len(self.operands):
            value = self.absolute(self.next - rotated(self.number()) & MASK)
            made.incoming.append((value, self.block()))

    def alloca(self, made: AllocaInst) -> None:
        made.allocated_type = self.type()
        type = self.type()
        made.count = self.absolute(self.number())
        self.context.expect_type(made.count, type)
        flags = self.number()
        if not flags & 64 or flags >> 7:
            self.context.fail("expected an alloca with the type of its memory")
        made.alignment = alignment_of(flags & 31, self.context)
        made.inalloca = flags >> 5 & 1
        made.type = self.types.pointer(made.allocated_type)

    def arguments(self, type: FunctionType) -> list[DxilValue]:
        found = [self.argument(each) for each in type.parameters]
        if type.vararg:
            while self.at < len(self.operands):
                found.append(self.pair())
        return found

    def call(self, made: CallInst) -> None:
        context = self.context
        made.attributes = attributes_of(self.number(), context)
        flags = self.number()
        if not flags & EXPLICIT_CALL or flags >> 16:
            context.fail("expected a call with the type of the function")
        made.tail = (flags & 1) | (2 if flags & MUST_TAIL else 0)
        made.convention = (flags & ~(EXPLICIT_CALL | MUST_TAIL)) >> 1
        made.function_type = context.function_type(self.number())
        made.callee = self.pair()
        made.arguments = self.arguments(made.function_type)
        made.type = made.function_type.result

    def invoke(self, made: InvokeInst) -> None:
        context = self.context
        made.attributes = attributes_of(self.number(), context)
        flags = self.number()
        if not flags & EXPLICIT_INVOKE or flags >> 14:
            context.fail("expected an invocation with the type of the function")
        made.convention = flags & ~EXPLICIT_INVOKE
        made.normal = self.block()
        made.unwind = self.block()
        made.function_type = context.function_type(self.number())
        made.callee = self.pair()
        made.arguments = self.arguments(made.function_type)
        made.type = made.function_type.result

    def landing(self, made: LandingPadInst) -> None:
        made.type = self.type()
        made.cleanup = self.number()
        made.clauses, made.kinds = [], []
        for _ in range(min(self.number(), len(self.operands))):
            made.kinds.append(self.number())
            made.clauses.append(self.pair())

    def variadic(self, made: VAArgInst) -> None:
        type = self.type()
        made.pointer = self.same()
        self.context.expect_type(made.pointer, type)
        made.type = self.type()

    # -- types of results ------------------------------------------------------------------------

    def vector_element(self, made: ExtractElementInst) -> DxilType:
        type = self.type_of(made.vector)
        if not isinstance(type, VectorType):
            self.context.fail(f"expected a vector, got {type!s:.40}")
        return type.element

    def shuffled(self, made: ShuffleVectorInst) -> DxilType:
        type, mask = self.type_of(made.left), self.type_of(made.mask)
        found = shuffle(self.types, type, mask)
        if found is None:
            self.context.fail(f"expected two vectors, got {type!s:.40} and {mask!s:.40}")
        return found

    def compared(self, made: CompareInst) -> DxilType:
        return comparison(self.types, self.type_of(made.left))

    def exchanged(self, made: CompareExchangeInst) -> DxilType:
        return exchange(self.types, self.type_of(made.compare))

    def old_value(self, made: AtomicRMWInst) -> DxilType:
        type = self.type_of(made.pointer)
        if not isinstance(type, PointerType) or not isinstance(type.pointee, IntegerType):
            self.context.fail(f"expected a pointer to an integer, got {type!s:.40}")
        return type.pointee


R = InstructionReader
RESULTS: dict[type[Instruction], Callable[..., DxilType]] = {
    BinaryInst: lambda reader, made: reader.type_of(made.left),
    SelectInst: lambda reader, made: reader.type_of(made.true_value),
    InsertElementInst: lambda reader, made: reader.type_of(made.vector),
    ExtractElementInst: R.vector_element,
    ShuffleVectorInst: R.shuffled,
    CompareInst: R.compared,
    CompareExchangeInst: R.exchanged,
    AtomicRMWInst: R.old_value,
}
SPECIAL: dict[int, tuple[type[Instruction], Callable[..., None]]] = {
    10: (ReturnInst, R.return_),
    11: (BranchInst, R.branch),
    12: (SwitchInst, R.switch),
    13: (InvokeInst, R.invoke),
    16: (PhiInst, R.phi),
    19: (AllocaInst, R.alloca),
    23: (VAArgInst, R.variadic),
    26: (ExtractValueInst, R.extract_value),
    27: (InsertValueInst, R.insert_value),
    31: (IndirectBranchInst, R.indirect),
    34: (CallInst, R.call),
    43: (GetElementPtrInst, R.pointer_step),
    47: (LandingPadInst, R.landing),
}
CLASSES: dict[int, type[Instruction]] = {code: cls for code, (cls, _) in SPECIAL.items()} | {
    code: cls for code, (cls, _) in LAYOUTS.items()
}
