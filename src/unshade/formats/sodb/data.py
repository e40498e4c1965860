"""Rows of a database as plain data, and back; shaders are plain data of their own formats.

{"rowid": 1, "Key": "ps", "Type": "PS", "Bytecode": {"shader": {"format": …}}}
"""

from typing import Any

from ...errors import FormatError, UsageError
from ...limits import Limits
from ...wire.data import hex_from_data
from .. import nested_from_data, nested_shader
from .about import SODB
from .database import DatabaseRow
from .keys import key_of, spelled
from .schema import KINDS, SchemaColumn, SchemaTable

__all__ = ["SHADERS", "row_from_data", "row_to_data"]

# Columns with files of other formats: shaders, and serialised root signatures in containers.
SHADERS = {"shader_bytecode": "Bytecode", "root_signatures": "value"}


def row_to_data(table: SchemaTable, row: DatabaseRow, limits: Limits) -> dict[str, Any]:
    found: dict[str, Any] = {"rowid": row.rowid}
    for column in table.columns:
        value = row.values[column.name]
        if SHADERS.get(table.name) == column.name and value is not None:
            shader = nested_shader(value, SODB.name, limits)
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
    return nested_from_data(given["shader"], SODB.name, f"{path}.shader").to_bytes()
