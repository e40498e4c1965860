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
from typing import Any

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
    Fields,
    Flow,
    Listed,
    MappingKey,
    Number,
    PartForm,
    ValueForm,
)
from .names import form_of_enum, spelled

__all__ = ["Spelling", "keys_of", "part_form", "record_form"]

Spelling = Mapping[str, str | tuple[MappingKey, ...]]
WORD = re.compile(r"(@?)(\w+)(?::([0-9]+)(x?))?(\??)")


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
        return Listed(record_form(inner, spelling))
    if field.enum is not None:
        return form_of_enum(field.enum)
    if isinstance(node, Scalar):
        return FLOAT if node.is_float else Number(8 * node.size)
    return Bytes(int(node.size or 0)) if isinstance(node, Blob) else TEXT


def record_form(record: type[Record], spelling: Spelling) -> ValueForm:
    """Return the form of a mapping that is a record; its counts must fit its lists."""
    keys = keys_of(record, spelling)
    form = Fields(*keys)
    names = {key.attribute: key.name for key in keys}
    lists = {f"len({each.name})": each.name for each in record.layout.fields}
    derived = ((each.name, each.derive or "") for each in record.layout.fields)
    counts = {name: lists[text] for name, text in derived if name in names and text in lists}

    def read(node: Any, path: str) -> Record:
        found = form.read(node, path)
        found.pop("", None)  # offsets
        for name, listed in counts.items():
            expected, got = len(found.get(listed, ())), found.pop(name)
            if got != expected:
                problem = f"expected {expected}, got {got}"
                raise FormatError(problem, path=f"{path}.{names[name]}")
        return record(**found)

    return ValueForm(read, form.show)


def part_form(name: str, kind: RecordKind, declared: LlvmForm) -> PartForm:
    """Return the form of the contents of a part that is a record; zeros are not printed."""
    form = record_form(kind.record, declared.keys)

    def read(node: Any, path: str, size: int) -> bytes:
        value = form.read(node, path)
        return write(value, kind.for_value(name, value))

    def show(value: Any, data: bytes, stage: int | None) -> Any:
        return form.show(value, declared.key) if any(data) else None

    return PartForm(read, show if declared.printed else None)
