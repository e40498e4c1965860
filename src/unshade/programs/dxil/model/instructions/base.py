"""The declarations of an instruction: operands, records, text, rules of types.

    class SelectInst(Instruction):
        OPCODE = "select"
        RECORDS = "29 true_value:pair false_value:same condition:pair"
        TEXT = "condition:typed , true_value:typed , false_value:typed"
        condition: DxilValue
        …
        def result, problems

Attributes that hold values are operands, in LLVM's order. The decoder and the encoder follow
`RECORDS`, the printer and the assembler `TEXT`: both list attributes with kinds.

Kinds of operands of records (`decode/instructions.py`, `encode/instructions.py`):

    pair         a value: its distance from the instruction; the type follows if it comes later
    same         a value whose type is known from another operand
    stated       the type of a value, then its distance
    absolute     the type of a value, then its number
    type, function_type, attributes, block, number
    align        an alignment, as its logarithm plus 1
    more         a number that may be missing, at the end
    maybe        a pair that may be missing, at the end
    pairs, numbers, blocks              the rest of the record
    arguments    values by the parameters of `function_type`, then pairs
    cases, incoming, clauses, otherwise lists and ends of single instructions

Kinds of pieces of text (`text/instructions.py`, `assembler/instructions.py`); others are literal:

    typed, typeds                a value or values with their types
    operand:other                a value of the type of another
    type, cast                   a type
    word, inbounds, flags        words before the operands
    hints                        words of later versions, which LLVM 3.7 does not print
    like:other, pointee:other, points_to:other, part, numbered
                                 no text: an operand that was read is checked, or, if it is a
                                 pointer without a type, becomes what the instruction needs

Source: LLVM 3.7's public language reference, LLVMBitCodes.h (FUNCTION_BLOCK), BitcodeWriter.cpp.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Self, TypeAlias, get_args

from .....dataclass import dataclass
from .....errors import FormatError
from .....tuples import NamedTuple
from ...bitstream import BitRecord
from ..metadata import DebugLocation, MetadataNode
from ..types import DxilType, IntegerType, VectorType
from ..typetable import TypeTable
from ..values import DxilValue, Function

__all__ = [
    "BY_CODE",
    "BY_OPCODE",
    "Instruction",
    "InstructionRecord",
    "Problems",
    "TypeOf",
    "expect",
    "is_boolean",
    "lanes",
    "same",
    "wrong",
]

Problems: TypeAlias = Iterator[str]
TypeOf: TypeAlias = Callable[[DxilValue], DxilType]


class InstructionRecord(NamedTuple):
    """The operands of a record: pairs of an attribute and its kind.

    `absent` are attributes that another record of the class has, `function_type_at` is the index
    of the type of the function in the record of a call.
    """

    code: int
    made: "type[Instruction]"
    operands: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]
    function_type_at: int | None


BY_CODE: dict[int, InstructionRecord] = {}
BY_OPCODE: "dict[str, type[Instruction]]" = {}


def _holds_values(hint: object) -> bool:
    """Return True for types of values, and their unions, lists and tuples."""
    if isinstance(hint, type) and issubclass(hint, DxilValue):
        return True
    return any(map(_holds_values, get_args(hint)))


def _pair(text: str) -> tuple[str, str]:
    name, _, kind = text.partition(":")
    return name, kind


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class Instruction(DxilValue):
    """An instruction; its type is `void` if there is no result.

    `attachments` are nodes by the number of their kind; `location` is its location in the source.

    Class attributes:
        OPCODE: The opcode, which may depend on the operation.
        OPERATIONS: The numbers of operations by opcode, if each has a separate opcode.
        RECORDS: Codes of records with their operands; between records a semicolon, the shortest
            record first.
        TEXT: The text after the opcode.
        STATES_TYPE: True if record and text contain the type of the result.
        HAS_RESULT: False if there is never a result.
        IS_TERMINATOR: True if it ends a basic block.
    """

    OPCODE: ClassVar[str] = ""
    OPERATIONS: ClassVar[Mapping[str, int]] = {}
    RECORDS: ClassVar[str] = ""
    TEXT: ClassVar[str] = ""
    HAS_RESULT: ClassVar[bool] = True
    IS_TERMINATOR: ClassVar[bool] = False
    STATES_TYPE: ClassVar[bool] = False
    OPERANDS: ClassVar[tuple[str, ...]] = ()
    LAYOUTS: ClassVar[tuple[InstructionRecord, ...]] = ()

    type: DxilType
    name: str = ""
    record: BitRecord | None = None
    name_record: BitRecord | None = None
    location: DebugLocation | None = None
    attachments: Sequence[tuple[int, MetadataNode]] = ()

    def __init_subclass__(cls) -> None:
        hints = cls.__annotations__
        cls.OPERANDS = tuple(name for name, hint in hints.items() if _holds_values(hint))
        rows: dict[int, dict[str, str]] = {}
        for record in filter(None, cls.RECORDS.split(";")):
            code, *operands = record.split()
            rows[int(code)] = dict(map(_pair, operands))
        names = dict.fromkeys(name for row in rows.values() for name in row)
        cls.LAYOUTS = tuple(
            InstructionRecord(
                code,
                cls,
                tuple(row.items()),
                tuple(each for each in names if each not in row),
                [*row].index("function_type") if "function_type" in row else None,
            )
            for code, row in rows.items()
        )
        cls.STATES_TYPE = "type" in names
        BY_CODE.update((each.code, each) for each in cls.LAYOUTS)
        BY_OPCODE.update(dict.fromkeys(cls.OPERATIONS or [cls.OPCODE], cls))

    @classmethod
    def blank(cls, record: BitRecord | None = None) -> Self:
        """Return an instruction whose operands and type are not set yet."""
        made = cls.__new__(cls)
        made.name = ""
        made.record = record
        made.name_record = None
        made.location = None
        made.attachments = ()
        return made

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

    @property
    def listed(self) -> Sequence[DxilValue | int]:
        """The operands in the order of the text, and indices of aggregates."""
        return self.operands

    @property
    def bases(self) -> Sequence[DxilValue]:
        """The operands that the result may equal, or whose memory it may point into."""
        return ()

    def substitute(self, new: Callable[[DxilValue], DxilValue]) -> None:
        """Replace each operand by the result of a function."""
        for name in self.OPERANDS:
            value = getattr(self, name)
            if isinstance(value, DxilValue):
                setattr(self, name, new(value))
            elif isinstance(value, list):
                for at, each in enumerate(value):
                    value[at] = tuple(map(new, each)) if isinstance(each, tuple) else new(each)

    def replace(self, old: DxilValue, new: DxilValue) -> int:
        """Replace an operand wherever it occurs; return how often."""
        count = sum(each is old for each in self.operands)
        if count:
            self.substitute(lambda each: new if each is old else each)
        return count

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        """Return the type of the result, where neither record nor text contains it.

        Args:
            types: The types of the module.
            of: Returns the type of an operand, which may not have been read yet.

        Raises:
            FormatError: Operands cannot have such types.
        """
        return types.primitive("void")

    def problems(self, function: Function) -> Problems:
        """Yield the errors in the types of the operands."""
        yield from ()

    @property
    def is_terminator(self) -> bool:
        """True if the instruction ends a basic block."""
        return self.IS_TERMINATOR

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.opcode} {self.name}>"


def wrong(expected: str, *found: object) -> FormatError:
    """Return the error that an instruction cannot have such types."""
    got = " and ".join(f"{each!s:.40}" for each in found)
    return FormatError(f"expected {expected}, got {got}")


def lanes(type: DxilType) -> int:
    """Return the number of elements of a vector; 0 for other types."""
    return type.count if isinstance(type, VectorType) else 0


def same(one: DxilType, other: DxilType) -> Problems:
    """Yield a problem if types differ."""
    if one is not other:
        yield f"expected the same types, got {one!s:.40} and {other!s:.40}"


def expect(found: DxilType, type: DxilType) -> Problems:
    """Yield a problem if a type is not the expected one."""
    if found is not type:
        yield f"expected {type!s:.40}, got {found!s:.40}"


def is_boolean(type: DxilType) -> bool:
    """Return True for i1."""
    return isinstance(type, IntegerType) and type.width == 1
