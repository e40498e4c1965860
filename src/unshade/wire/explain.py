"""Search for the value that does not fit its field, after writing has failed."""

from typing import Any

from ..errors import EncodeError
from ..limits import DEFAULT
from .codegen import Arguments, evaluate
from .field import Field
from .floats import f32_to_bits
from .record import Record
from .types import (
    Align,
    Array,
    Blob,
    CString,
    Integer,
    Nested,
    Pointer,
    Scalar,
    SharedTable,
    TaggedUnion,
    Text,
    WireType,
)

DEEPEST = 2 * DEFAULT.depth  # deeper than any record that was read


def explain(record: Record, arguments: Arguments) -> None:
    """Raise EncodeError for the first field whose value cannot be written; return if all can."""
    _record(record, dict(arguments), "", 0)


def _record(record: Record, arguments: dict[str, object], path: str, depth: int) -> None:
    if depth > DEEPEST:
        raise EncodeError(
            f"nested more than {DEEPEST} deep: does a record contain itself?", path=path
        )
    for f in record.layout.fields:
        value = getattr(record, f.name)
        where = f"{path}.{f.name}".lstrip(".")
        if f.when is not None and not _evaluated(f.when, record, arguments):
            if value != ([] if f.is_list else f.default):
                raise EncodeError(f"{value!r:.40} is allowed only if {f.when}", path=where)
            continue
        if value is None and f.derive is not None:
            value = _evaluated(f.derive, record, arguments)
            if value is None:  # the field that it derives from is invalid and is reported itself
                continue
        _Holder(record, arguments, f, depth).value(f.type, value, where)


def _evaluated(text: str, record: Record, arguments: dict[str, object]) -> Any:
    try:
        return evaluate(text, record, arguments)
    except Exception:  # some of its values are invalid
        return None


class _Holder:
    """The record and field of a value."""

    def __init__(self, record: Record, arguments: dict[str, object], f: Field, depth: int) -> None:
        self.record = record
        self.arguments = arguments
        self.field = f
        self.depth = depth

    def value(self, node: WireType, value: Any, path: str) -> None:
        if isinstance(node, Pointer):
            if value is None and (node.null is not None or node.present is not None):
                return
            node = node.target
        if isinstance(node, SharedTable):
            node = Array(node.form.item)
        if isinstance(node, Scalar | Integer):
            _scalar(node, value, path)
        elif isinstance(node, Align):
            _expect(isinstance(value, bytes | bytearray), "bytes", value, path)
        elif isinstance(node, Blob):
            _expect(isinstance(value, bytes | bytearray), "bytes", value, path)
            self.counted(node.size, value, "bytes", path)
        elif isinstance(node, CString | Text):
            _expect(isinstance(value, str), "text", value, path)
            if isinstance(node, CString) and "\0" in value:
                raise EncodeError("text contains a NUL", path=path)
            try:
                raw = value.encode("utf-8", "surrogateescape")
            except UnicodeEncodeError as error:
                raise EncodeError(str(error), path=path) from None
            if isinstance(node, Text):
                self.counted(node.size, raw, "bytes", path)
        elif isinstance(node, Array):
            _expect(isinstance(value, list | tuple), "a list", value, path)
            self.counted(node.count, value, "items", path)
            for index, item in enumerate(value):
                self.value(node.item, item, f"{path}[{index}]")
        elif isinstance(node, TaggedUnion):
            tag = _evaluated(node.tag, self.record, self.arguments)
            case = node.cases.get(tag, node.other)
            if case is None:
                wanted = ", ".join(map(str, node.cases))
                raise EncodeError(f"{node.tag}: expected one of {wanted}, got {tag}", path=path)
            self.nested(case, value, path)
        elif isinstance(node, Nested):
            self.nested(node, value, path)

    def nested(self, node: Nested, value: Any, path: str) -> None:
        cls = self.record.layout.resolve(node)
        _expect(isinstance(value, cls), f"a {cls.__name__}", value, path)
        given = {
            key: _evaluated(text, self.record, self.arguments)
            for key, text in node.arguments.items()
        }
        _record(value, given, path, self.depth + 1)

    def counted(self, text: str | None, value: Any, what: str, path: str) -> None:
        """Check a number of items or bytes against an independent field."""
        if text is None or self.record.layout.derives_from(text, self.field):
            return
        wanted = _evaluated(text, self.record, self.arguments)
        if isinstance(wanted, int) and len(value) != wanted:
            raise EncodeError(f"expected {wanted} {what}, got {len(value)}", path=path)


def _scalar(node: Scalar | Integer, value: Any, path: str) -> None:
    if node.is_float:
        _expect(isinstance(value, float | int), "a number", value, path)
        try:
            f32_to_bits(value)
        except OverflowError:
            raise EncodeError(f"{value} does not fit {node.name}", path=path) from None
        return
    _expect(isinstance(value, int), "an integer", value, path)
    if not node.low <= value <= node.high:
        raise EncodeError(
            f"{value} does not fit {node.name} ({node.low} to {node.high})", path=path
        )


def _expect(good: bool, what: str, value: Any, path: str) -> None:
    if not good:
        raise EncodeError(f"expected {what}, got {type(value).__name__} {value!r:.40}", path=path)
