"""Keys of a mapping, derived from the declaration of a record.

    start_row: u8 = field(…)        StartRow:        2
    columns: u8 = field(…)          Cols:            4          with "Cols:4 StartCol:2 Allocated:1"

The key of a field is its name, in the form of its wire type. A spelling replaces the keys that LLVM
names differently, by the name of the field, or of the record and the field:

    "CompType"                           another key
    "Flags?"                             an optional key
    "Cols:4 StartCol:2 Allocated:1"      keys for bits, from the lowest on; one bit is true or false
    "DynamicMask:4x"                     hexadecimal, of which these bits count
    "Ranges @RangesOffset"               also the key of an offset, which LLVM ignores
    ""                                   no key

Derived fields, padding and the rest of longer records have no keys without a spelling.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from ....errors import FormatError
from ....wire import Record, write
from ....wire.field import Field
from ....wire.types import Array, Blob, Nested, Pointer, Scalar
from ..parts.description import LlvmForm
from ..parts.kind import RecordKind
from .keys import (
    BOOL,
    FLOAT,
    HEX8,
    TEXT,
    U32,
    Bytes,
    Flow,
    MappingKey,
    MappingReader,
    Number,
    PartForm,
    Rows,
    ValueForm,
    shown,
)
from .names import form_of_enum, spelled

__all__ = ["Spelling", "keys_of", "part_form", "read_record"]

Spelling = Mapping[str, str | tuple[MappingKey, ...]]
WORD = re.compile(r"(@?)(\w+)(?::([0-9]+)(x?))?(\??)")
R = TypeVar("R", bound=Record)


def keys_of(
    record: type[Record], spelling: Spelling, names: Iterable[str] | None = None
) -> tuple[MappingKey, ...]:
    """Return the keys of a record, or of some of its fields in the order of their names."""
    fields = record.layout.by_name
    chosen = fields if names is None else names
    return tuple(key for name in chosen for key in _keys(record, fields[name], spelling))


def _keys(record: type[Record], field: Field, spelling: Spelling) -> Iterator[MappingKey]:
    given = spelling.get(f"{record.__name__}.{field.name}", spelling.get(field.name))
    if given is None:
        if field.is_padding or field.is_rest or field.derive is not None:
            return
        given = spelled(field.name)
    if not isinstance(given, str):
        yield from given
        return
    shift = 0
    for offset, name, bits, hexadecimal, optional in WORD.findall(given):
        if offset:
            yield MappingKey(name, U32, "", optional=True)
            continue
        width = int(bits or 0)
        form = HEX8 if hexadecimal else BOOL if width == 1 else Number(width)
        if not width:
            form = _form(record, field, spelling)
        yield MappingKey(name, form, field.name, bool(optional), shift, width)
        shift += width


def _form(record: type[Record], field: Field, spelling: Spelling) -> ValueForm:
    """Return the form of a field's value, by its wire type."""
    node = field.type.target if isinstance(field.type, Pointer) else field.type
    if isinstance(node, Array):
        if not isinstance(node.item, Nested):
            return Flow(U32)
        inner = record.layout.resolve(node.item)
        return Rows(*keys_of(inner, spelling), make=inner)
    if field.enum is not None:
        return form_of_enum(field.enum)
    if isinstance(node, Scalar):
        return FLOAT if node.is_float else Number(8 * node.size)
    return Bytes(int(node.size or 0)) if isinstance(node, Blob) else TEXT


def read_record(record: type[R], node: Any, path: str, spelling: Spelling) -> R:
    """Return the record that a mapping describes; its counts are those of its lists."""
    reader = MappingReader(node, path)
    keys = keys_of(record, spelling)
    found = reader.values(*keys)
    reader.finish()
    found.pop("", None)  # offsets
    names = {key.attribute: key.name for key in keys}
    for field in record.layout.fields:
        for listed in record.layout.fields if field.name in found else ():
            if field.derive == f"len({listed.name})":
                expected, got = len(found.get(listed.name, ())), found.pop(field.name)
                if got != expected:
                    where = f"{path}.{names[field.name]}"
                    raise FormatError(f"expected {expected}, got {got}", path=where)
    return record(**found)


def part_form(name: str, kind: RecordKind, declared: LlvmForm) -> PartForm:
    """Return the form of the contents of a part that is a record; zeros are not printed."""
    keys = keys_of(kind.record, declared.keys)

    def read(node: Any, path: str, size: int) -> bytes:
        value = read_record(kind.record, node, path, declared.keys)
        return write(value, kind.for_value(name, value))

    def show(value: Any, data: bytes, stage: int | None) -> dict[str, Any] | None:
        return shown(keys, value, declared.key) if any(data) else None

    return PartForm(read, show if declared.printed else None)
