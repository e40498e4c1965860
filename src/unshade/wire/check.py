"""Says which value of a record does not fit its field; asked only when writing has failed."""

from typing import Any

from ..errors import EncodeError
from .code import Arguments
from .record import Record
from .types import Array, Blob, CString, Nested, Pointer, Scalar, Switch, Type


def explain(record: Record, arguments: Arguments) -> None:
    """Raise EncodeError for the first field whose value cannot be written; return if all can."""
    _record(record, "", 0)


def _record(record: Record, path: str, depth: int) -> None:
    if depth > 64:
        raise EncodeError("records nest more than 64 deep: does one hold itself?", path=path)
    for f in record.layout.fields:
        value = getattr(record, f.name)
        if value is None and (f.derive is not None or f.when is not None or f.default is None):
            continue
        _value(f.type, value, f"{path}.{f.name}".lstrip("."), depth)


def _value(node: Type, value: Any, path: str, depth: int) -> None:
    if isinstance(node, Pointer):
        node = node.target
        if value is None:
            return
    if isinstance(node, Scalar):
        _scalar(node, value, path)
    elif isinstance(node, Blob):
        _expect(isinstance(value, bytes | bytearray), "bytes", value, path)
        if node.size is not None and node.size.isdigit() and len(value) != int(node.size):
            raise EncodeError(f"{len(value)} bytes, the field takes {node.size}", path=path)
    elif isinstance(node, CString):
        _expect(isinstance(value, str), "text", value, path)
        if "\0" in value:
            raise EncodeError("text with a NUL inside", path=path)
    elif isinstance(node, Nested | Switch):
        _expect(isinstance(value, Record), "a record", value, path)
        _record(value, path, depth + 1)
    elif isinstance(node, Array):
        _expect(isinstance(value, list | tuple), "a list", value, path)
        for index, item in enumerate(value):
            _value(node.item, item, f"{path}[{index}]", depth)


def _scalar(node: Scalar, value: Any, path: str) -> None:
    if node.is_float:
        _expect(isinstance(value, float | int), "a number", value, path)
        return
    _expect(isinstance(value, int), "an integer", value, path)
    if not node.low <= value <= node.high:
        raise EncodeError(
            f"{value} does not fit {node.name} ({node.low} to {node.high})", path=path
        )


def _expect(good: bool, what: str, value: Any, path: str) -> None:
    if not good:
        raise EncodeError(f"{what} expected, not {type(value).__name__} {value!r:.40}", path=path)
