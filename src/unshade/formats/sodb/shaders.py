"""The shaders in a table of a State Object Database, opened and replaced by key."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING

from ...errors import UnsupportedError, UsageError
from ...shader import Shader
from .. import nested_shader
from .data import SHADERS
from .database import DatabaseRow

if TYPE_CHECKING:
    from .file import Sodb

__all__ = ["ShadersByKey"]


class ShadersByKey(MutableMapping[bytes, Shader]):
    """The shaders of one table of a database, by key; opened on first access.

    Assigning a shader or bytes replaces the shader of a row; rows are neither added nor removed.
    """

    def __init__(self, file: Sodb, table: str) -> None:
        self._file = file
        self._table = table
        self._column = SHADERS[table]
        self._opened: dict[int, Shader | None] = {}
        self._places: dict[bytes, int] = {}  # in the list of rows, as they were

    def _rows(self) -> list[DatabaseRow]:
        return self._file.tables[self._table]

    def _row(self, key: bytes) -> DatabaseRow:
        rows = self._rows()
        place = self._places.get(key, -1)
        if not (0 <= place < len(rows) and rows[place].values["Key"] == key):
            self._places = {row.values["Key"]: at for at, row in enumerate(rows)}
            place = self._places[key]
        return rows[place]

    def of(self, row: DatabaseRow) -> Shader | None:
        """Return the shader in a row; None if it contains none that can be read and written."""
        if row.rowid not in self._opened:
            raw = row.values[self._column]
            self._opened[row.rowid] = (
                nested_shader(raw, self._file.format, self._file.limits) if raw else None
            )
        return self._opened[row.rowid]

    def encoded(self, row: DatabaseRow) -> bytes | None:
        """Return the bytes of the shader in a row, as they would be written now."""
        shader = self._opened.get(row.rowid)
        found: bytes | None = row.values[self._column] if shader is None else shader.to_bytes()
        return found

    def __getitem__(self, key: bytes) -> Shader:
        row = self._row(key)
        found = self.of(row)
        if found is None:
            path = f"{self._table}[{row.rowid}].{self._column}"
            raise UnsupportedError(
                f"{path}: expected a shader, got {row.values[self._column]!r:.40}"
            )
        return found

    def __setitem__(self, key: bytes, value: Shader | bytes) -> None:
        row = self._row(key)
        given: object = value
        if not isinstance(given, Shader | bytes):
            raise UsageError(f"expected a shader or bytes, got {given!r:.40}")
        row.values[self._column] = given.to_bytes() if isinstance(given, Shader) else given
        self._opened.pop(row.rowid, None)

    def __delitem__(self, key: bytes) -> None:
        raise UsageError("shaders of a database cannot be removed: pipelines refer to them")

    def __contains__(self, key: object) -> bool:
        try:
            return isinstance(key, bytes) and self._row(key) is not None
        except KeyError:
            return False

    def __iter__(self) -> Iterator[bytes]:
        return (row.values["Key"] for row in self._rows())

    def __len__(self) -> int:
        return len(self._rows())
