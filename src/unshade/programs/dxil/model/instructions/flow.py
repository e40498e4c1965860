"""Instructions that end blocks, join them, or call functions: one declaration each."""

from collections.abc import Sequence

from .....dataclass import dataclass, field
from .....errors import FormatError
from ..types import DxilType, FunctionType, IntegerType, PointerType
from ..typetable import TypeTable
from ..values import AttributeList, BasicBlock, DxilValue, Function
from .base import Instruction, Problems, TypeOf, expect, is_boolean

__all__ = [
    "BranchInst",
    "CallInst",
    "IndirectBranchInst",
    "InvokeInst",
    "LandingPadInst",
    "PhiInst",
    "ResumeInst",
    "ReturnInst",
    "SwitchInst",
    "UnreachableInst",
]

# Bits of the flags of calls: their records have the type of the function.
EXPLICIT_CALL, MUST_TAIL, EXPLICIT_INVOKE = 1 << 15, 1 << 14, 1 << 13


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class ReturnInst(Instruction):
    """A return, with or without a value."""

    OPCODE = "ret"
    RECORDS = "10 value:maybe"
    TEXT = "value:returned"
    HAS_RESULT = False
    IS_TERMINATOR = True
    value: DxilValue | None = None

    def problems(self, function: Function) -> Problems:
        result = function.function_type.result
        if self.value is not None:
            yield from expect(self.value.type, result)
        elif not result.is_void:
            yield f"expected a value of type {result!s:.40}"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class BranchInst(Instruction):
    """A branch to `target`, or to `false_target` if there is a condition and it is false.

    LLVM keeps operands in the order condition, false target, target.
    """

    OPCODE = "br"
    RECORDS = "11 target:block false_target:otherwise condition:condition"
    TEXT = "target:branch"
    HAS_RESULT = False
    IS_TERMINATOR = True
    condition: DxilValue | None = None
    false_target: BasicBlock | None = None
    target: BasicBlock

    @property
    def listed(self) -> Sequence[DxilValue | int]:
        parts = (self.condition, self.target, self.false_target)
        return [each for each in parts if each is not None]

    def problems(self, function: Function) -> Problems:
        if self.condition is not None and not is_boolean(self.condition.type):
            yield f"expected a condition of i1, got {self.condition.type!s:.40}"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class SwitchInst(Instruction):
    """A branch by an integer; `cases` are pairs of a constant and a block."""

    OPCODE = "switch"
    RECORDS = "12 condition:stated default:block cases:cases"
    TEXT = "condition:typed , default:label cases:cases"
    HAS_RESULT = False
    IS_TERMINATOR = True
    condition: DxilValue
    default: BasicBlock
    cases: list[tuple[DxilValue, BasicBlock]]

    def problems(self, function: Function) -> Problems:
        if not isinstance(self.condition.type, IntegerType):
            yield f"expected an integer, got {self.condition.type!s:.40}"
        for value, _ in self.cases:
            yield from expect(value.type, self.condition.type)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class IndirectBranchInst(Instruction):
    """A branch to an address, which must be the address of a block in `targets`."""

    OPCODE = "indirectbr"
    RECORDS = "31 address:stated targets:blocks"
    TEXT = "address:typed , targets:labels"
    HAS_RESULT = False
    IS_TERMINATOR = True
    address: DxilValue
    targets: list[BasicBlock]


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class UnreachableInst(Instruction):
    """The end of a block that is never reached."""

    OPCODE = "unreachable"
    RECORDS = "15"
    HAS_RESULT = False
    IS_TERMINATOR = True


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class PhiInst(Instruction):
    """The value for the block that control comes from; `incoming` pairs values with blocks."""

    OPCODE = "phi"
    RECORDS = "16 type:type incoming:incoming"
    TEXT = ":hints type:type incoming:incoming"
    incoming: list[tuple[DxilValue, BasicBlock]]

    @property
    def bases(self) -> Sequence[DxilValue]:
        return [value for value, _ in self.incoming]

    def problems(self, function: Function) -> Problems:
        for value, _ in self.incoming:
            yield from expect(value.type, self.type)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class CallInst(Instruction):
    """A call. `tail` is 1 for `tail`, 2 for `musttail`."""

    OPCODE = "call"
    RECORDS = (
        "34 attributes:attributes flags:number function_type:function_type callee:pair "
        "arguments:arguments"
    )
    TEXT = "tail:tail callee:call"
    function_type: FunctionType
    arguments: list[DxilValue] = field(default_factory=list)
    callee: DxilValue
    attributes: AttributeList | None = None
    convention: int = 0
    tail: int = 0

    @property
    def listed(self) -> Sequence[DxilValue | int]:
        return [self.callee, *self.arguments]

    @property
    def flags(self) -> int:
        """The calling convention, `tail` and bit 15, as in the record."""
        flags = self.convention << 1 | self.tail & 1 | EXPLICIT_CALL
        return flags | (MUST_TAIL if self.tail & 2 else 0)

    @flags.setter
    def flags(self, flags: int) -> None:
        if not flags & EXPLICIT_CALL or flags >> 16:
            raise FormatError("expected a call with the type of the function")
        self.tail = (flags & 1) | (2 if flags & MUST_TAIL else 0)
        self.convention = (flags & ~(EXPLICIT_CALL | MUST_TAIL)) >> 1

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        return self.function_type.result

    def problems(self, function: Function) -> Problems:
        callee = self.callee.type
        if not isinstance(callee, PointerType) or callee.pointee is not self.function_type:
            yield f"expected a function of type {self.function_type!s:.60}, got {callee!s:.60}"
        for argument, type in zip(self.arguments, self.function_type.parameters, strict=False):
            yield from expect(argument.type, type)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class InvokeInst(Instruction):
    """A call that may continue in another block after an exception."""

    OPCODE = "invoke"
    RECORDS = (
        "13 attributes:attributes flags:number normal:block unwind:block "
        "function_type:function_type callee:pair arguments:arguments"
    )
    TEXT = "callee:call normal:continued unwind unwind:label"
    IS_TERMINATOR = True
    function_type: FunctionType
    arguments: list[DxilValue]
    normal: BasicBlock
    unwind: BasicBlock
    callee: DxilValue
    attributes: AttributeList | None = None
    convention: int = 0

    @property
    def listed(self) -> Sequence[DxilValue | int]:
        return [self.callee, *self.arguments, self.normal, self.unwind]

    @property
    def flags(self) -> int:
        """The calling convention and bit 13, as in the record."""
        return self.convention | EXPLICIT_INVOKE

    @flags.setter
    def flags(self, flags: int) -> None:
        if not flags & EXPLICIT_INVOKE or flags >> 14:
            raise FormatError("expected an invocation with the type of the function")
        self.convention = flags & ~EXPLICIT_INVOKE

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        return self.function_type.result


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class ResumeInst(Instruction):
    """The continuation of an exception."""

    OPCODE = "resume"
    RECORDS = "39 value:pair"
    TEXT = "value:typed"
    HAS_RESULT = False
    IS_TERMINATOR = True
    value: DxilValue


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class LandingPadInst(Instruction):
    """The target of an exception; `kinds` contains 0 for each catch clause, 1 for each filter."""

    OPCODE = "landingpad"
    RECORDS = "47 type:type cleanup:number clauses:clauses"
    TEXT = "type:type cleanup:clauses"
    clauses: list[DxilValue]
    kinds: list[int]
    cleanup: int = 0
