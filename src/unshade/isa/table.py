"""Tables of instructions, with one row for each operation.

Decoder, encoder, printer, parser and documentation use the same row. Each instruction set defines
its row type; `code` and `name` are common to all.
"""

from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeVar


class TableRow(Protocol):
    """A row of a table: `code` is the number of the operation, `name` its mnemonic."""

    @property
    def code(self) -> int: ...
    @property
    def name(self) -> str: ...


R = TypeVar("R", bound=TableRow)


class Table(Generic[R]):
    """The rows of an instruction set, by number and by mnemonic."""

    __slots__ = ("by_code", "by_name", "rows")

    def __init__(self, rows: Iterable[R]) -> None:
        self.rows = tuple(rows)
        self.by_code = {row.code: row for row in self.rows}
        self.by_name = {row.name: row for row in self.rows}
        if len(self.by_code) != len(self.rows):
            raise ValueError("two rows have the same number")

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: int | str) -> R:
        return self.by_name[key] if isinstance(key, str) else self.by_code[key]

    def get(self, code: int) -> R | None:
        """Return the row with a number, or None."""

        return self.by_code.get(code)
