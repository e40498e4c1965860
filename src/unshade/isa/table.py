"""Tables of instructions: one row states everything that is known of one operation.

Decoder, encoder, printer, parser and documentation look it up here. A program folder makes its own
row type with what its instruction set needs to say; `code` and `name` are what all have.
"""

from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeVar


class Row(Protocol):
    """What a row of any table has: the number in the code, and the mnemonic."""

    @property
    def code(self) -> int: ...
    @property
    def name(self) -> str: ...


R = TypeVar("R", bound=Row)


class Table(Generic[R]):
    """The rows of one instruction set, by number and by mnemonic."""

    __slots__ = ("by_code", "by_name", "rows")

    def __init__(self, rows: Iterable[R]) -> None:
        self.rows = tuple(rows)
        self.by_code = {row.code: row for row in self.rows}
        self.by_name = {row.name: row for row in self.rows}
        if len(self.by_code) != len(self.rows):
            raise ValueError("two rows have one number")

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: int | str) -> R:
        return self.by_name[key] if isinstance(key, str) else self.by_code[key]

    def get(self, code: int) -> R | None:
        """The row with a number, None where the table has none."""
        return self.by_code.get(code)
