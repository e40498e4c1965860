"""Lossless conversion of records to plain data (dicts, lists, numbers, strings) and back.

Keys are names of fields. Derived fields with the derived value, fields that the version lacks, and
unknown fields with their default are omitted. Enumerations are written by name, bytes as hex, a NaN
as `nan:7fc00000`, text that is not UTF-8 as {"bytes": hex}.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar, cast

from ..enums import IntEnum, member_of
from ..errors import EncodeError, FormatError, LimitError, did_you_mean
from ..limits import DEFAULT, Limits
from .codegen import NO_ARGUMENTS, Arguments, evaluate
from .field import Field
from .floats import NanBits
from .record import Placement, Record, RecordLayout
from .types import (
    Align,
    Array,
    Blob,
    CString,
    Integer,
    Nested,
    Pointer,
    Pool,
    Scalar,
    SharedTable,
    TaggedUnion,
    Text,
    WireType,
)

R = TypeVar("R", bound=Record)
Plain = Any


def to_data(record: Record, limits: Limits = DEFAULT) -> dict[str, Plain]:
    """Return the record as plain data; raise LimitError if shared targets make it too large."""
    try:
        return _Out(limits).record(record)
    except RecursionError:
        raise LimitError("depth", limits.depth, "deeper nesting") from None


def from_data(cls: type[R], data: Plain, arguments: Arguments = NO_ARGUMENTS, path: str = "") -> R:
    """Return the record that plain data describes; raise FormatError with the invalid entry."""
    where = path or cls.__name__
    try:
        return cast(R, _record(cls, data, dict(arguments)))
    except FormatError as error:
        raise _under(where, error) from None
    except RecursionError:
        raise FormatError("nested too deeply", path=where) from None


def placement_to_data(placement: Placement) -> dict[str, Plain]:
    """Return a placement as plain data."""
    return {
        "size": placement.size,
        "at": dict(placement.at),
        "fill": {f"0x{at:x}": raw.hex() for at, raw in placement.fill.items()},
    }


def placement_from_data(data: Plain, path: str) -> Placement:
    """Return the placement that plain data describes."""
    try:
        fill = {int(at, 16): bytes.fromhex(raw) for at, raw in data.get("fill", {}).items()}
        at = {str(key): int(value) for key, value in data.get("at", {}).items()}
        found = Placement(int(data["size"]), at, fill)
        ends = [start + len(raw) for start, raw in fill.items()]
        if not (
            max(ends, default=0) <= found.size <= DEFAULT.file_size and min(fill, default=0) >= 0
        ):
            raise ValueError(f"invalid size {found.size}")
        if min(at.values(), default=0) < 0:
            raise ValueError("negative offset")
        return found
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"invalid layout (size, at, fill): {error}", path=path) from None


def name_of(enum: type[IntEnum] | None, value: int) -> int | str:
    """Return the name of an enumerated value, or the number if it is unnamed."""
    if enum is None:
        return value
    found = member_of(enum, value)
    return value if found is None else found.name


class _Out:
    """A conversion to plain data that counts its values."""

    __slots__ = ("left", "limits")

    def __init__(self, limits: Limits) -> None:
        self.left = limits.nodes
        self.limits = limits

    def count(self, more: int) -> None:
        self.left -= more
        if self.left < 0:
            raise LimitError("nodes", self.limits.nodes, "more values")

    def record(self, record: Record) -> dict[str, Plain]:
        found: dict[str, Plain] = {}
        for name, optional, default, nullable, convert in _writers(record.layout):
            value = getattr(record, name)
            if value is None or (optional and value == default) or (nullable and value == []):
                continue
            found[name] = value if convert is None else convert(self, value)
        self.count(len(found))
        return found


# A function that returns a value as plain data; None if it is that already.
ToPlain = Callable[[_Out, Any], Plain] | None


@cache
def _writers(layout: RecordLayout) -> list[tuple[str, bool, object, bool, ToPlain]]:
    """Return the name of each field, whether its default is left out, and its `_writer`."""
    return [
        (f.name, _optional(f), [] if f.is_list else f.default, _absent(f), _writer(f, f.type))
        for f in layout.fields
    ]


def _writer(f: Field, node: WireType) -> ToPlain:
    if isinstance(node, Pointer):
        node = node.target
    if isinstance(node, SharedTable):
        return _list_writer(_writer(f, node.form.item))
    if isinstance(node, Scalar | Integer):
        return _number_writer(f, node)
    if isinstance(node, Blob | Align):
        return lambda _, value: bytes(value).hex()
    if isinstance(node, CString | Text):
        return lambda _, value: text_to_data(value)
    if isinstance(node, Array):
        return _list_writer(_writer(f, node.item))
    return lambda out, value: out.record(value)


def _number_writer(f: Field, node: Scalar | Integer) -> ToPlain:
    spell, enum = f.spell, f.enum
    if spell is not None:

        def spelled(_: _Out, value: Any) -> Plain:
            shown = spell.shown(value)
            return float_to_data(shown) if isinstance(shown, float) else shown

        return spelled
    if node.is_float:
        return lambda _, value: float_to_data(value)
    if enum is not None:
        names = {each.value: each.name for each in enum}
        return lambda _, value: names.get(value, value)
    return None


def _list_writer(convert: ToPlain) -> ToPlain:
    def several(out: _Out, value: Any) -> Plain:
        out.count(len(value))
        return list(value) if convert is None else [convert(out, each) for each in value]

    return several


def _optional(f: Field) -> bool:
    return (
        f.when is not None
        or f.is_rest
        or f.is_padding
        or f.unknown
        or bool(f.magic)
        or isinstance(f.type, Pool | SharedTable)
    )


def float_to_data(value: float) -> float | str:
    """Return a finite number unchanged, others as text."""
    if isinstance(value, NanBits):
        return f"nan:{value.bits:08x}"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return value


def text_to_data(value: str) -> str | dict[str, str]:
    """Return text unchanged, or its bytes if it is not UTF-8."""
    if value.isascii():
        return value
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        try:
            return {"bytes": value.encode("utf-8", "surrogateescape").hex()}
        except UnicodeEncodeError as error:
            raise EncodeError(f"{error}: {value!r:.40}") from None
    return value


# A function that returns the value of a field for its plain data, the record so far, and the
# record's arguments. The path of its errors is relative to the value.
FromPlain = Callable[[Plain, Record, Mapping[str, object]], Any]


def _record(cls: type[Record], data: Plain, arguments: Mapping[str, object]) -> Record:
    if not isinstance(data, dict):
        raise FormatError(f"expected a mapping, got {type(data).__name__}")
    fields = cls.layout.by_name
    check_fields(data, fields, f" of {cls.__name__}")
    record = cls()
    for name, convert, required in _readers(cls):
        if name in data:
            try:
                value = convert(data[name], record, arguments)
            except FormatError as error:
                raise _under(name, error) from None
            setattr(record, name, value)
        elif required:
            raise FormatError(f"{name} is missing")
    return record


def _under(step: str, error: FormatError) -> FormatError:
    """Return an error whose path, which may begin with an index, continues `step`."""
    path = error.path
    joined = f"{step}.{path}" if path and path[0] != "[" else step + path
    return FormatError(error.problem, offset=error.offset, path=joined)


@cache
def _readers(cls: type[Record]) -> list[tuple[str, FromPlain, bool]]:
    """Return the name of each field, its `_reader`, and whether it must be there."""
    return [
        (
            f.name,
            _reader(cls, f, f.type),
            f.derive is None and f.when is None and not _optional(f) and not _absent(f),
        )
        for f in cls.layout.fields
    ]


def _absent(f: Field) -> bool:
    """Return True if None is a valid value of the field: a pointer that may be null."""
    return isinstance(f.type, Pointer) and f.type.null is not None


def _reader(cls: type[Record], f: Field, node: WireType) -> FromPlain:
    if isinstance(node, Pointer):
        node = node.target
    if isinstance(node, SharedTable):
        node = Array(node.form.item)
    if isinstance(node, Scalar | Integer):
        return _number_reader(f, node)
    if isinstance(node, Blob | Align):
        return lambda data, record, arguments: hex_from_data(data, "")
    if isinstance(node, CString | Text):
        return lambda data, record, arguments: text_from_data(data, "")
    if isinstance(node, Array):
        return _list_reader(_reader(cls, f, node.item))
    if isinstance(node, TaggedUnion):
        return _union_reader(cls, node)
    return _nested_reader(cls, cast(Nested, node))


def _number_reader(f: Field, node: Scalar | Integer) -> FromPlain:
    if node.is_float or f.spell is not None:
        return lambda data, record, arguments: _number(f, node, data)
    low, high = node.low, node.high
    known = {} if f.enum is None else {name: int(each) for name, each in f.enum.__members__.items()}

    def read(data: Plain, record: Record, arguments: Mapping[str, object]) -> int:
        if type(data) is int and low <= data <= high:
            return data
        if type(data) is str and data in known:
            return known[data]
        return cast(int, _number(f, node, data))

    return read


def _nested_reader(cls: type[Record], node: Nested) -> FromPlain:
    given = node.arguments
    if given == {name: name for name in cls.layout.params}:
        return lambda data, record, arguments: _record(cls.layout.resolve(node), data, arguments)

    def read(data: Plain, record: Record, arguments: Mapping[str, object]) -> Record:
        inner = {key: evaluate(text, record, arguments) for key, text in given.items()}
        return _record(cls.layout.resolve(node), data, inner)

    return read


def _union_reader(cls: type[Record], node: TaggedUnion) -> FromPlain:
    cases = {key: _nested_reader(cls, case) for key, case in node.cases.items()}
    other = None if node.other is None else _nested_reader(cls, node.other)

    def read(data: Plain, record: Record, arguments: Mapping[str, object]) -> Record:
        tag = evaluate(node.tag, record, arguments)
        case = cases.get(tag, other)
        if case is None:
            raise FormatError(f"unexpected field: {node.tag} is {tag}")
        return cast(Record, case(data, record, arguments))

    return read


def _list_reader(item: FromPlain) -> FromPlain:
    def read(data: Plain, record: Record, arguments: Mapping[str, object]) -> list[Any]:
        if not isinstance(data, list):
            raise FormatError(f"expected a list, got {type(data).__name__}")
        found: list[Any] = []
        try:
            for each in data:
                found.append(item(each, record, arguments))
        except FormatError as error:
            raise _under(f"[{len(found)}]", error) from None
        return found

    return read


def _integer(node: Scalar | Integer, data: Plain) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        raise FormatError(f"expected an integer, got {data!r:.40}")
    if not node.low <= data <= node.high:
        raise FormatError(f"{data} does not fit {node.name} ({node.low} to {node.high})")
    return data


def _number(f: Field, node: Scalar | Integer, data: Plain) -> int | float:
    if node.is_float:
        return float_from_data(data, "")
    if f.spell is not None:
        data = f.spell.number(data, "")
    if isinstance(data, str) and f.enum is not None:
        found = f.enum.__members__.get(data)
        if found is None:
            known = ", ".join(f.enum.__members__)
            raise FormatError(f"expected one of {known}, got {data!r}")
        return found.value
    return _integer(node, data)


def float_from_data(data: Plain, path: str) -> float:
    """Return the number that `float_to_data` wrote."""
    if isinstance(data, str):
        if data.startswith("nan:") and len(data) == 12:
            with suppress(ValueError):
                bits = int.from_bytes(bytes.fromhex(data[4:]), "big")
                if bits & 0x7FFF_FFFF > 0x7F80_0000:
                    return NanBits(bits)
        if data in ("inf", "-inf"):
            return float(data)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        with suppress(OverflowError):
            return float(data)
    raise FormatError(f"expected a number, got {data!r:.40}", path=path)


def check_fields(data: Mapping[Any, Any], known: Iterable[str], of: str = "") -> None:
    """Raise FormatError if plain data has a field that is not known; `of` names whatever has it."""
    names = known if isinstance(known, Mapping) else dict.fromkeys(known)
    if data.keys() <= names.keys():
        return
    odd = min(map(str, data.keys() - names.keys()))
    meant = did_you_mean(odd, names)
    raise FormatError(f"unknown field {odd!r}{of}: expected one of {', '.join(names)}{meant}")


def hex_from_data(data: Plain, path: str) -> bytes:
    """Return the bytes of hex text."""
    if isinstance(data, str):
        try:
            return bytes.fromhex(data)
        except ValueError:
            pass
    raise FormatError(f"expected hex text, got {data!r:.40}", path=path)


def text_from_data(data: Plain, path: str) -> str:
    """Return the text that `text_to_data` wrote."""
    if isinstance(data, str):
        try:
            data.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as error:
            raise FormatError(str(error), path=path) from None
        return data
    if isinstance(data, dict) and data.keys() == {"bytes"}:
        return hex_from_data(data["bytes"], path).decode("utf-8", "surrogateescape")
    raise FormatError(f"expected text, got {data!r:.40}", path=path)
