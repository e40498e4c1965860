"""Instructions of LLVM 3.7.

A class for each kind, with its operands as attributes, in LLVM's order of operands. `OPERANDS` are
the names of the attributes that hold values, by their types, so that `operands` and `replace` need
no code of their own.
Numbers (operations, predicates, orderings) are as in the file; `tables/llvm_enumerations.py` has
their names.

    CallInst(type=…, function_type=…, callee=…, arguments=[…])

Source: LLVM 3.7's public language reference and LLVMBitCodes.h (FUNCTION_BLOCK).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from inspect import get_annotations
from typing import ClassVar, get_args

from ..bitstream import BitRecord
from ..tables.llvm_enumerations import BINARY_OPERATIONS, CASTS, FLOAT_OPERATIONS
from .metadata import DebugLocation, MetadataNode
from .types import DxilType, FloatType, FunctionType, VectorType
from .values import AttributeList, BasicBlock, DxilValue

__all__ = [
    "AllocaInst",
    "AtomicRMWInst",
    "BinaryInst",
    "BranchInst",
    "CallInst",
    "CastInst",
    "CompareExchangeInst",
    "CompareInst",
    "ExtractElementInst",
    "ExtractValueInst",
    "FenceInst",
    "GetElementPtrInst",
    "IndirectBranchInst",
    "InsertElementInst",
    "InsertValueInst",
    "Instruction",
    "InvokeInst",
    "LandingPadInst",
    "LoadInst",
    "PhiInst",
    "ResumeInst",
    "ReturnInst",
    "SelectInst",
    "ShuffleVectorInst",
    "StoreInst",
    "SwitchInst",
    "UnreachableInst",
    "VAArgInst",
]


def _holds_values(hint: object) -> bool:
    """Return True for types of values, and their unions, lists and tuples."""
    if isinstance(hint, type) and issubclass(hint, DxilValue):
        return True
    return any(map(_holds_values, get_args(hint)))


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class Instruction(DxilValue):
    """An instruction; its type is `void` if there is no result.

    `attachments` are nodes by the number of their kind; `location` is its location in the source.
    """

    OPCODE: ClassVar[str] = ""
    OPERANDS: ClassVar[tuple[str, ...]] = ()

    type: DxilType
    name: str = ""
    record: BitRecord | None = None
    name_record: BitRecord | None = None
    location: DebugLocation | None = None
    attachments: Sequence[tuple[int, MetadataNode]] = ()

    def __init_subclass__(cls) -> None:
        hints = get_annotations(cls)
        cls.OPERANDS = tuple(name for name, hint in hints.items() if _holds_values(hint))

    @property
    def opcode(self) -> str:
        """LLVM's name of the instruction: `add`, `call`, `getelementptr`."""
        return self.OPCODE

    @property
    def operands(self) -> list[DxilValue]:
        """The operands in LLVM's order, basic blocks and callee included."""
        found: list[DxilValue] = []
        for name in self.OPERANDS:
            value = getattr(self, name)
            if isinstance(value, DxilValue):
                found.append(value)
            elif value is not None:
                for each in value:
                    if isinstance(each, tuple):
                        found.extend(each)
                    else:
                        found.append(each)
        return found

    def replace(self, old: DxilValue, new: DxilValue) -> int:
        """Replace an operand wherever it occurs; return how often."""
        count = 0
        for name in self.OPERANDS:
            value = getattr(self, name)
            if value is old:
                setattr(self, name, new)
                count += 1
            elif isinstance(value, list):
                for at, each in enumerate(value):
                    if isinstance(each, tuple):
                        count += sum(one is old for one in each)
                        value[at] = tuple(new if one is old else one for one in each)
                    elif each is old:
                        value[at] = new
                        count += 1
        return count

    @property
    def is_terminator(self) -> bool:
        """True if the instruction ends a basic block."""
        return isinstance(self, TERMINATORS)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.opcode} {self.name}>"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class BinaryInst(Instruction):
    """Arithmetic on two numbers. `flags` are nuw 1, nsw 2; exact 1; or the fast-math flags."""

    operation: int
    left: DxilValue
    right: DxilValue
    flags: int | None = None

    @property
    def opcode(self) -> str:
        element = self.type.element if isinstance(self.type, VectorType) else self.type
        table = FLOAT_OPERATIONS if isinstance(element, FloatType) else BINARY_OPERATIONS
        return table[self.operation]


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class CastInst(Instruction):
    """A conversion to `type`."""

    operation: int
    value: DxilValue

    @property
    def opcode(self) -> str:
        return CASTS[self.operation]


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class GetElementPtrInst(Instruction):
    """The address of a part of what `pointer` points at, a `source_type`."""

    OPCODE: ClassVar[str] = "getelementptr"
    source_type: DxilType
    pointer: DxilValue
    indices: list[DxilValue]
    inbounds: int = 0


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class SelectInst(Instruction):
    """A value selected among two by a condition."""

    OPCODE: ClassVar[str] = "select"
    condition: DxilValue
    true_value: DxilValue
    false_value: DxilValue


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class ExtractElementInst(Instruction):
    """An element of a vector."""

    OPCODE: ClassVar[str] = "extractelement"
    vector: DxilValue
    index: DxilValue


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class InsertElementInst(Instruction):
    """A vector with another element at one place."""

    OPCODE: ClassVar[str] = "insertelement"
    vector: DxilValue
    element: DxilValue
    index: DxilValue


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class ShuffleVectorInst(Instruction):
    """Elements of two vectors, chosen by a mask."""

    OPCODE: ClassVar[str] = "shufflevector"
    left: DxilValue
    right: DxilValue
    mask: DxilValue


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class CompareInst(Instruction):
    """A comparison: predicates below 32 are of `fcmp`, others of `icmp`."""

    predicate: int
    left: DxilValue
    right: DxilValue
    flags: int | None = None

    @property
    def opcode(self) -> str:
        return "fcmp" if self.predicate < 32 else "icmp"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class ReturnInst(Instruction):
    """A return, of a value or of none."""

    OPCODE: ClassVar[str] = "ret"
    value: DxilValue | None = None


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class BranchInst(Instruction):
    """A branch to `target`, or to `false_target` if there is a condition and it is false.

    LLVM keeps operands in the order condition, false target, target.
    """

    OPCODE: ClassVar[str] = "br"
    condition: DxilValue | None = None
    false_target: BasicBlock | None = None
    target: BasicBlock


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class SwitchInst(Instruction):
    """A branch by an integer; `cases` are pairs of a constant and a block."""

    OPCODE: ClassVar[str] = "switch"
    condition: DxilValue
    default: BasicBlock
    cases: list[tuple[DxilValue, BasicBlock]]


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class IndirectBranchInst(Instruction):
    """A branch to an address, which must be the address of a block in `targets`."""

    OPCODE: ClassVar[str] = "indirectbr"
    address: DxilValue
    targets: list[BasicBlock]


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class InvokeInst(Instruction):
    """A call that may continue in another block after an exception."""

    OPCODE: ClassVar[str] = "invoke"
    function_type: FunctionType
    arguments: list[DxilValue]
    normal: BasicBlock
    unwind: BasicBlock
    callee: DxilValue
    attributes: AttributeList | None = None
    convention: int = 0


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class UnreachableInst(Instruction):
    """The end of a block that is never reached."""

    OPCODE: ClassVar[str] = "unreachable"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class PhiInst(Instruction):
    """The value that belongs to the block before; `incoming` are pairs of both."""

    OPCODE: ClassVar[str] = "phi"
    incoming: list[tuple[DxilValue, BasicBlock]]


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class AllocaInst(Instruction):
    """Memory of the function for `count` values of a type; `inalloca` is bit 5 of the record."""

    OPCODE: ClassVar[str] = "alloca"
    allocated_type: DxilType
    count: DxilValue
    alignment: int = 0
    inalloca: int = 0


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class LoadInst(Instruction):
    """A read from memory; atomic if an ordering is given."""

    OPCODE: ClassVar[str] = "load"
    pointer: DxilValue
    alignment: int = 0
    volatile: int = 0
    ordering: int | None = None
    scope: int | None = None


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class StoreInst(Instruction):
    """A write to memory; atomic if an ordering is given."""

    OPCODE: ClassVar[str] = "store"
    value: DxilValue
    pointer: DxilValue
    alignment: int = 0
    volatile: int = 0
    ordering: int | None = None
    scope: int | None = None


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class CallInst(Instruction):
    """A call. `tail` is 1 for `tail`, 2 for `musttail`."""

    OPCODE: ClassVar[str] = "call"
    function_type: FunctionType
    arguments: list[DxilValue] = field(default_factory=list)
    callee: DxilValue
    attributes: AttributeList | None = None
    convention: int = 0
    tail: int = 0


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class ExtractValueInst(Instruction):
    """A part of an aggregate."""

    OPCODE: ClassVar[str] = "extractvalue"
    aggregate: DxilValue
    indices: list[int]


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class InsertValueInst(Instruction):
    """An aggregate with another part."""

    OPCODE: ClassVar[str] = "insertvalue"
    aggregate: DxilValue
    value: DxilValue
    indices: list[int]


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class FenceInst(Instruction):
    """An ordering of memory operations."""

    OPCODE: ClassVar[str] = "fence"
    ordering: int
    scope: int = 1


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class CompareExchangeInst(Instruction):
    """An atomic exchange if memory equals `compare`; returns the old value and success."""

    OPCODE: ClassVar[str] = "cmpxchg"
    pointer: DxilValue
    compare: DxilValue
    new: DxilValue
    volatile: int = 0
    ordering: int = 2
    scope: int = 1
    failure_ordering: int = 2
    weak: int = 0


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class AtomicRMWInst(Instruction):
    """An atomic operation on memory, whose result is the old value."""

    OPCODE: ClassVar[str] = "atomicrmw"
    operation: int
    pointer: DxilValue
    value: DxilValue
    volatile: int = 0
    ordering: int = 2
    scope: int = 1


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class ResumeInst(Instruction):
    """The continuation of an exception."""

    OPCODE: ClassVar[str] = "resume"
    value: DxilValue


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class LandingPadInst(Instruction):
    """The target of an exception; `kinds` has 0 for a clause that catches, 1 for a filter."""

    OPCODE: ClassVar[str] = "landingpad"
    clauses: list[DxilValue]
    kinds: list[int]
    cleanup: int = 0


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class VAArgInst(Instruction):
    """The next of a variable number of arguments."""

    OPCODE: ClassVar[str] = "va_arg"
    pointer: DxilValue


TERMINATORS = (
    ReturnInst,
    BranchInst,
    SwitchInst,
    IndirectBranchInst,
    InvokeInst,
    ResumeInst,
    UnreachableInst,
)
