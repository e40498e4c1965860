"""Checks and conversions that all decoders share."""

from collections.abc import Sequence
from typing import NoReturn

from ....errors import FormatError
from ....limits import Limits
from ..bitstream import BitBlock, BitRecord
from ..model.metadata import Metadata
from ..model.module import DxilModule
from ..model.types import DxilType, FunctionType
from ..model.values import MOST_ALIGNMENT, DxilValue

__all__ = ["DecodingContext", "RecordError", "alignment_of", "rotated", "text_of"]


class RecordError(FormatError):
    """An invalid record or block of a module; `Code` can locate `item`."""

    def __init__(
        self, problem: str, path: str = "", item: BitRecord | BitBlock | None = None
    ) -> None:
        super().__init__(problem, path=path)
        self.item = item


class DecodingContext:
    """A module that is being decoded: its values and metadata by number.

    `early` are values that are used before their instruction is read, with the types that records
    state for them. `item` is the record or block at hand and `path` its name, for errors.
    """

    def __init__(self, module: DxilModule, limits: Limits) -> None:
        self.module = module
        self.limits = limits
        self.types = module.types.rows
        self.values: list[DxilValue] = []
        self.metadata: list[Metadata] = []
        self.early: list[tuple[DxilValue, DxilType]] = []
        self.stated: dict[DxilValue, DxilType] = {}
        self.path = "module"
        self.item: BitRecord | BitBlock | None = None

    def fail(self, problem: str) -> NoReturn:
        raise RecordError(problem, self.path, self.item)

    def operands(self, record: BitRecord, least: int, most: int | None = None) -> list[int]:
        """Return the operands of a record, after checking their number."""
        count = len(record.operands)
        if count < least or (most is not None and count > most):
            expected = f"{least}" if least == most else f"{least} or more"
            if most is not None and most > least:
                expected = f"{least} to {most}"
            self.fail(f"expected {expected} operands, got {count}")
        return record.operands

    def type(self, number: int) -> DxilType:
        """Return a type by its number."""
        if number >= len(self.types):
            self.fail(f"expected a type below {len(self.types)}, got {number}")
        return self.types[number]

    def function_type(self, number: int) -> FunctionType:
        """Return a type of functions by its number."""
        found = self.type(number)
        if not isinstance(found, FunctionType):
            self.fail(f"expected the type of a function, got {found!s:.60}")
        return found

    def value(self, number: int) -> DxilValue:
        """Return a value by its number."""
        if number >= len(self.values):
            self.fail(f"expected a value below {len(self.values)}, got {number}")
        return self.values[number]

    def node(self, number: int) -> Metadata:
        """Return metadata by its number."""
        if number >= len(self.metadata):
            self.fail(f"expected metadata below {len(self.metadata)}, got {number}")
        return self.metadata[number]

    def node_or_none(self, number: int) -> Metadata | None:
        """Return metadata by its number plus 1; None for 0."""
        return self.node(number - 1) if number else None

    def expect_type(self, value: DxilValue, type: DxilType) -> None:
        """Fail if a value has another type; one without type yet is checked by `check_types`."""
        found = getattr(value, "type", None)
        if found is None:
            self.early.append((value, type))
            self.stated.setdefault(value, type)
        elif found is not type:
            self.fail(f"expected a value of type {type!s:.40}, got {found!s:.40}")

    def check_types(self) -> None:
        """Check types that records declared before their values were known."""
        early, self.early, self.stated = self.early, [], {}
        for value, type in early:
            self.expect_type(value, type)

    def text(self, operands: Sequence[int]) -> str:
        """Return characters as text."""
        return text_of(operands, self)


def text_of(operands: Sequence[int], context: DecodingContext) -> str:
    """Return characters as text. LLVM writes some with their sign, so only 8 bits count."""
    try:
        data = bytes(operands)
    except ValueError:
        if any(0xFF < each < 0xFFFF_FF80 for each in operands):
            context.fail(f"expected characters, got {max(operands)}")
        data = bytes(each & 0xFF for each in operands)
    return data.decode("utf-8", "surrogateescape")


def alignment_of(exponent: int, context: DecodingContext) -> int:
    """Return an alignment in bytes from its logarithm plus 1, as in records; 0 for none."""
    if exponent > MOST_ALIGNMENT + 1:
        context.fail(f"expected an alignment of at most {MOST_ALIGNMENT + 1}, got {exponent}")
    return (1 << exponent) >> 1


def rotated(number: int) -> int:
    """Return the signed number of a record, whose lowest bit is the sign; 1 means -2**63."""
    if not number & 1:
        return number >> 1
    return -(number >> 1) if number != 1 else -(1 << 63)
