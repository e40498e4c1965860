"""Instructions in LLVM assembly, from the opcode on."""

from collections.abc import Callable

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
from ..model.types import (
    DxilType,
    FloatType,
    PointerType,
    VectorType,
)
from ..model.values import BasicBlock, DxilValue
from ..tables.operations import ATOMIC_OPERATIONS, ORDERINGS
from .calls import CallParser
from .tokens import AssemblyToken
from .values import BINARY, CAST_NUMBERS, PREDICATE_NUMBERS

__all__ = ["InstructionParser"]

ORDERING_NUMBERS = {name: number for number, name in ORDERINGS.items()}
ATOMIC_NUMBERS = {name: number for number, name in ATOMIC_OPERATIONS.items()}
SINGLE_THREAD, CROSS_THREAD = 0, 1


class InstructionParser(CallParser):
    """A reader of instructions; `opcode` is the opcode of the one that is being read."""

    opcode: AssemblyToken

    @property
    def result_type(self) -> DxilType:
        """The type that the function returns."""
        return self.void

    def block(self, token: AssemblyToken) -> BasicBlock:
        """Return the block of a reference."""
        self.fail("expected a block of a function", token)

    def label(self) -> BasicBlock:
        """Read `label %name`."""
        self.expect("label")
        return self.block(self.take("local", "a block"))

    def instruction(self) -> Instruction:
        """Read an instruction, without attached metadata."""
        self.opcode = token = self.next()
        opcode = token.text
        if token.kind == "word":
            if opcode in BINARY:
                return self._binary(opcode)
            if opcode in CAST_NUMBERS:
                return self._cast(opcode)
            if opcode in PREDICATE_NUMBERS:
                return self._compare(opcode)
            reader = READERS.get(opcode)
            if reader is not None:
                return reader(self)
        self.fail(f"unknown instruction {opcode!r:.40}", token)

    def _binary(self, opcode: str) -> Instruction:
        flags = self.flags()
        token = self.opcode
        left, right = self._pair()
        self.check_numbers(token, left.type)
        return BinaryInst(
            type=left.type, operation=BINARY[opcode], left=left, right=right, flags=flags
        )

    def _negation(self) -> Instruction:
        """Read `fneg`, which LLVM 3.7 spells as a difference from -0.0."""
        flags = self.flags()
        value = self.typed()
        vector = value.type if isinstance(value.type, VectorType) else None
        element = vector.element if vector is not None else value.type
        if not isinstance(element, FloatType) or (vector and vector.count > self.limits.members):
            self.fail(f"expected a float, got {value.type!s:.60}", self.opcode)
        zero = self.pool.number(element, 1 << element.width - 1)
        if vector is not None:
            zero = self.pool.aggregate(vector, [zero] * vector.count)
        return BinaryInst(
            type=value.type, operation=BINARY["fsub"], left=zero, right=value, flags=flags
        )

    def _pair(self) -> tuple[DxilValue, DxilValue]:
        left = self.typed()
        self.expect(",")
        return left, self.coerced(self.value(left.type), left.type)

    def _cast(self, opcode: str) -> Instruction:
        self.flags()
        value = self.typed()
        self.expect("to")
        type = self.cast_type(value, self.read_type())
        return CastInst(type=type, operation=CAST_NUMBERS[opcode], value=value)

    def _compare(self, opcode: str) -> Instruction:
        flags = self.flags()
        predicate = self.predicate(opcode)
        left, right = self._pair()
        type: DxilType = self.types.integer(1)
        if isinstance(left.type, VectorType):
            type = self.types.vector(left.type.count, type)
        return CompareInst(type=type, predicate=predicate, left=left, right=right, flags=flags)

    def _more(self) -> DxilValue:
        self.expect(",")
        return self.typed()

    def _select(self) -> Instruction:
        self.flags()
        condition, one, other = self.typed(), self._more(), self._more()
        other = self.coerced(other, one.type)
        return SelectInst(type=one.type, condition=condition, true_value=one, false_value=other)

    def _extract_element(self) -> Instruction:
        vector, index = self.typed(), self._more()
        if not isinstance(vector.type, VectorType):
            self.fail(f"expected a vector, got {vector.type!s:.60}", self.opcode)
        return ExtractElementInst(type=vector.type.element, vector=vector, index=index)

    def _insert_element(self) -> Instruction:
        vector, element, index = self.typed(), self._more(), self._more()
        return InsertElementInst(type=vector.type, vector=vector, element=element, index=index)

    def _shuffle(self) -> Instruction:
        left, right, mask = self.typed(), self._more(), self._more()
        if not isinstance(left.type, VectorType) or not isinstance(mask.type, VectorType):
            self.fail("expected vectors", self.opcode)
        type = self.types.vector(mask.type.count, left.type.element)
        return ShuffleVectorInst(type=type, left=left, right=right, mask=mask)

    def _pointer(self) -> Instruction:
        inbounds = self.inbounds()
        source = self.read_type()
        self.expect(",")
        pointer = self.pointer_to(self.typed(), source)
        indices = []
        while self.token.text == "," and self.tokens[self.at + 1].kind != "node":
            indices.append(self._more())
        return GetElementPtrInst(
            type=self.step_type(source, pointer, indices, self.opcode),
            source_type=source,
            pointer=pointer,
            indices=indices,
            inbounds=inbounds,
        )

    def _load(self) -> Instruction:
        atomic, volatile = self.accept("atomic"), int(self.accept("volatile"))
        type = self.read_type()
        pointer = self.pointer_to(self._more(), type)
        made = LoadInst(type=type, pointer=pointer, volatile=volatile)
        if atomic:
            made.scope, made.ordering = self._scope(), self._ordering()
        made.alignment = self._alignment()
        return made

    def _store(self) -> Instruction:
        atomic, volatile = self.accept("atomic"), int(self.accept("volatile"))
        value, pointer = self.typed(), self._more()
        if isinstance(pointer.type, PointerType):
            value = self.coerced(value, pointer.type.pointee)
        pointer = self.pointer_to(pointer, value.type)
        made = StoreInst(type=self.void, value=value, pointer=pointer, volatile=volatile)
        if atomic:
            made.scope, made.ordering = self._scope(), self._ordering()
        made.alignment = self._alignment()
        return made

    def _scope(self) -> int:
        if self.accept("singlethread"):
            return SINGLE_THREAD
        if self.accept("syncscope"):
            self.expect("(")
            token = self.token
            if self.take_text() != "singlethread":
                self.fail(f"unknown scope {token.text:.40}", token)
            self.expect(")")
            return SINGLE_THREAD
        return CROSS_THREAD

    def _ordering(self) -> int:
        token = self.next()
        found = ORDERING_NUMBERS.get(token.text)
        if found is None:
            self.fail(f"unknown ordering {token.text!r:.40}", token)
        return found

    def _alignment(self) -> int:
        """Read `, align n` if it is next."""
        if self.token.text != "," or self.tokens[self.at + 1].text != "align":
            return 0
        self.at += 2
        return self.take_number()

    def _alloca(self) -> Instruction:
        inalloca = 32 if self.accept("inalloca") else 0
        type = self.read_type()
        count: DxilValue = self.pool.integer(self.types.integer(32), 1)  # type: ignore[arg-type]
        following = self.tokens[self.at + 1]
        if self.token.text == "," and following.text != "align" and following.kind != "node":
            count = self._more()
        made = AllocaInst(
            type=self.types.pointer(type), allocated_type=type, count=count, inalloca=inalloca
        )
        made.alignment = self._alignment()
        return made

    def _exchange(self) -> Instruction:
        weak, volatile = int(self.accept("weak")), int(self.accept("volatile"))
        pointer, compare, new = self.typed(), self._more(), self._more()
        made = CompareExchangeInst(
            type=self.types.literal([compare.type, self.types.integer(1)]),
            pointer=self.pointer_to(pointer, compare.type),
            compare=compare,
            new=new,
            volatile=volatile,
            weak=weak,
            scope=self._scope(),
            ordering=self._ordering(),
            failure_ordering=self._ordering(),
        )
        self._alignment()  # of later versions; in LLVM 3.7 that of the type
        return made

    def _modify(self) -> Instruction:
        volatile = int(self.accept("volatile"))
        token = self.next()
        operation = ATOMIC_NUMBERS.get(token.text)
        if operation is None:
            self.fail(f"unknown operation {token.text!r:.40}", token)
        pointer, value = self.typed(), self._more()
        made = AtomicRMWInst(
            type=value.type,
            operation=operation,
            pointer=self.pointer_to(pointer, value.type),
            value=value,
            volatile=volatile,
            scope=self._scope(),
            ordering=self._ordering(),
        )
        self._alignment()  # of later versions; in LLVM 3.7 that of the type
        return made

    def _fence(self) -> Instruction:
        return FenceInst(type=self.void, scope=self._scope(), ordering=self._ordering())

    def _indices(self) -> list[int]:
        found = []
        while self.token.text == "," and self.tokens[self.at + 1].kind == "number":
            self.at += 1
            found.append(self.take_number())
        return found

    def _extract_value(self) -> Instruction:
        aggregate = self.typed()
        indices = self._indices()
        type = aggregate.type
        for index in indices:
            type = self.part_type(type, index, self.opcode)
        return ExtractValueInst(type=type, aggregate=aggregate, indices=indices)

    def _insert_value(self) -> Instruction:
        aggregate, value = self.typed(), self._more()
        indices = self._indices()
        type = aggregate.type
        for index in indices:
            type = self.part_type(type, index, self.opcode)
        value = self.coerced(value, type)
        return InsertValueInst(
            type=aggregate.type, aggregate=aggregate, value=value, indices=indices
        )

    def _phi(self) -> Instruction:
        self.flags()
        type = self.read_type()
        made = PhiInst(type=type, incoming=[])
        while not made.incoming or self.token.text == ",":
            if made.incoming:
                if self.tokens[self.at + 1].text != "[":
                    break
                self.expect(",")
            self.expect("[")
            value = self.value(type)
            self.expect(",")
            made.incoming.append((value, self.block(self.take("local", "a block"))))
            self.expect("]")
        if self.opaque and isinstance(type, PointerType):
            known = [value for value, _ in made.incoming if not isinstance(value, ConstantNull)]
            made.type = next((each.type for each in known if each.type is not type), type)
        return made

    def _return(self) -> Instruction:
        if self.accept("void"):
            return ReturnInst(type=self.void)
        return ReturnInst(type=self.void, value=self.coerced(self.typed(), self.result_type))

    def _branch(self) -> Instruction:
        if self.token.text == "label":
            return BranchInst(type=self.void, target=self.label())
        condition = self.typed()
        self.expect(",")
        target = self.label()
        self.expect(",")
        return BranchInst(
            type=self.void, condition=condition, target=target, false_target=self.label()
        )

    def _switch(self) -> Instruction:
        condition = self.typed()
        self.expect(",")
        made = SwitchInst(type=self.void, condition=condition, default=self.label(), cases=[])
        self.expect("[")
        while not self.accept("]"):
            value = self.typed()
            self.expect(",")
            made.cases.append((value, self.label()))
        return made

    def _indirect(self) -> Instruction:
        address = self.typed()
        self.expect(",")
        self.expect("[")
        made = IndirectBranchInst(type=self.void, address=address, targets=[])
        while not self.accept("]"):
            if made.targets:
                self.expect(",")
            made.targets.append(self.label())
        return made

    def _unreachable(self) -> Instruction:
        return UnreachableInst(type=self.void)


READERS: dict[str, Callable[[InstructionParser], Instruction]] = {
    "alloca": InstructionParser._alloca,
    "atomicrmw": InstructionParser._modify,
    "br": InstructionParser._branch,
    "call": InstructionParser._call,
    "cmpxchg": InstructionParser._exchange,
    "extractelement": InstructionParser._extract_element,
    "extractvalue": InstructionParser._extract_value,
    "fence": InstructionParser._fence,
    "fneg": InstructionParser._negation,
    "getelementptr": InstructionParser._pointer,
    "indirectbr": InstructionParser._indirect,
    "insertelement": InstructionParser._insert_element,
    "insertvalue": InstructionParser._insert_value,
    "load": InstructionParser._load,
    "musttail": InstructionParser._must_tail_call,
    "notail": InstructionParser._no_tail_call,
    "phi": InstructionParser._phi,
    "ret": InstructionParser._return,
    "select": InstructionParser._select,
    "shufflevector": InstructionParser._shuffle,
    "store": InstructionParser._store,
    "switch": InstructionParser._switch,
    "tail": InstructionParser._tail_call,
    "unreachable": InstructionParser._unreachable,
}
