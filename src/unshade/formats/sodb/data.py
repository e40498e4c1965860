"""Rows of a database as plain data, and back; shaders are plain data of their own formats.

{"rowid": 1, "Key": "ps", "Type": "PS", "Bytecode": {"shader": {"format": …}}}
"""

from typing import Any

from ...errors import FormatError, LimitError, UnsupportedError, UsageError
from ...limits import Limits
from ...shader import Shader
from ...wire.data import hex_from_data
from .. import format_named, identify, open_nested
from .about import SODB
from .database import DatabaseRow
from .keys import key_of, spelled
from .schema import KINDS, SchemaColumn, SchemaTable

__all__ = ["SHADERS", "nested", "row_from_data", "row_to_data"]

# Columns with files of other formats: shaders, and serialised root signatures in containers.
SHADERS = {"shader_bytecode": "Bytecode", "root_signatures": "value"}


def nested(raw: bytes, limits: Limits) -> Shader | None:
    """Return a shader; None if it cannot be read and written back."""
    if identify(raw) in (None, SODB.name):
        return None
    try:
        found = open_nested(raw, limits)
        return found if found.to_bytes() == raw else None
    except (FormatError, LimitError, UnsupportedError):
        return None


def row_to_data(table: SchemaTable, row: DatabaseRow, limits: Limits) -> dict[str, Any]:
    found: dict[str, Any] = {"rowid": row.rowid}
    for column in table.columns:
        value = row.values[column.name]
        if SHADERS.get(table.name) == column.name and value is not None:
            shader = nested(value, limits)
            found[column.name] = (
                {"data": value.hex()} if shader is None else {"shader": shader.to_data()}
            )
        elif isinstance(value, bytes):
            found[column.name] = spelled(value)
        else:
            found[column.name] = value
    return found


def row_from_data(table: SchemaTable, given: Any, path: str) -> DatabaseRow:
    """Return a row of plain data."""
    names = {each.name for each in table.columns}
    if not isinstance(given, dict) or given.keys() != {"rowid", *names}:
        raise FormatError(
            f"expected rowid, {', '.join(sorted(names))}, got {given!r:.60}", path=path
        )
    number = given["rowid"]
    if type(number) is not int:
        raise FormatError(f"expected a number, got {number!r:.40}", path=f"{path}.rowid")
    values = {
        each.name: _value(table, each, given[each.name], f"{path}.{each.name}")
        for each in table.columns
    }
    return DatabaseRow(number, values)


def _value(table: SchemaTable, column: SchemaColumn, given: Any, path: str) -> Any:
    if given is None or column.kind != "blob":
        wanted = KINDS[column.kind][1]
        if column.kind == "real" and type(given) is int:
            return float(given)
        if given is not None and type(given) is not wanted:
            raise FormatError(f"expected {KINDS[column.kind][0]}, got {given!r:.40}", path=path)
        return given
    if SHADERS.get(table.name) != column.name:
        try:
            return key_of(given if isinstance(given, str) else repr(given))
        except UsageError as error:
            raise FormatError(str(error), path=path) from None
    if not isinstance(given, dict) or len(given) != 1:
        raise FormatError(f"expected shader or data, got {given!r:.40}", path=path)
    if "shader" not in given:
        return hex_from_data(given.get("data"), f"{path}.data")
    inner = given["shader"]
    if not isinstance(inner, dict) or not isinstance(inner.get("format"), str):
        raise FormatError(f"expected a shader, got {inner!r:.40}", path=f"{path}.shader")
    if inner["format"] == SODB.name:
        raise FormatError("expected no database inside another", path=f"{path}.shader")
    try:
        return format_named(inner["format"]).shader().from_data(inner).to_bytes()
    except FormatError as error:
        raise error.within(0, f"{path}.shader") from None
