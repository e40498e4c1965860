"""Lossless conversion of records to plain data (dicts, lists, numbers, strings) and back.

Keys are names of fields. Omitted are derived fields with the derived value, fields that the version
lacks, and unknown fields with their default. Enumerations are written by name, bytes as hex, a NaN
as `nan:7fc00000`, text that is not UTF-8 as {"bytes": hex}.
"""

from contextlib import suppress
from enum import IntEnum
from typing import Any, TypeVar, cast

from ..errors import EncodeError, FormatError, LimitError
from ..limits import DEFAULT, Limits
from .codegen import NO_ARGUMENTS, Arguments, evaluate
from .field import Field
from .floats import NanBits
from .placement import Placement
from .record import Record
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
        return cast(R, _record(cls, data, dict(arguments), where))
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
    """Return the name of an enumerated value, or the number if it has none."""
    if enum is None:
        return value
    found = enum._value2member_map_.get(value)
    return value if found is None else cast(IntEnum, found).name


class _Out:
    def __init__(self, limits: Limits) -> None:
        self.left = limits.nodes
        self.limits = limits

    def record(self, record: Record) -> dict[str, Plain]:
        found: dict[str, Plain] = {}
        for f in record.layout.fields:
            value = getattr(record, f.name)
            default = [] if f.is_list else f.default
            if value is None or (_optional(f) and value == default):
                continue
            if value == [] and _absent(f):
                continue
            found[f.name] = self.value(f, f.type, value)
        return found

    def value(self, f: Field, node: WireType, value: Any) -> Plain:
        self.left -= 1
        if self.left < 0:
            raise LimitError("nodes", self.limits.nodes, "more values")
        if isinstance(node, Pointer):
            node = node.target
        if isinstance(node, SharedTable):
            return [self.value(f, node.form.item, item) for item in value]
        if isinstance(node, Scalar | Integer):
            if f.spell is not None:
                shown = f.spell.shown(value)
                return float_to_data(shown) if isinstance(shown, float) else shown
            return float_to_data(value) if node.is_float else name_of(f.enum, value)
        if isinstance(node, Blob | Align):
            return bytes(value).hex()
        if isinstance(node, CString | Text):
            return text_to_data(value)
        if isinstance(node, Array):
            if isinstance(node.item, Scalar) and not node.item.is_float and not _worded(f):
                self.left -= len(value)
                return list(value)
            return [self.value(f, node.item, item) for item in value]
        return self.record(value)


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
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        try:
            return {"bytes": value.encode("utf-8", "surrogateescape").hex()}
        except UnicodeEncodeError as error:
            raise EncodeError(f"{error}: {value!r:.40}") from None
    return value


def _record(cls: type[Record], data: Plain, arguments: dict[str, object], path: str) -> Record:
    if not isinstance(data, dict):
        raise FormatError(f"expected a mapping, got {type(data).__name__}", path=path)
    fields = {f.name: f for f in cls.layout.fields}
    odd = data.keys() - fields.keys()
    if odd:
        name = sorted(map(str, odd))[0]
        raise FormatError(
            f"unknown field {name!r} of {cls.__name__}: expected one of {', '.join(fields)}",
            path=path,
        )
    record = cls()
    for f in cls.layout.fields:
        if f.name in data:
            where = f"{path}.{f.name}"
            setattr(record, f.name, _value(cls, f, f.type, data[f.name], record, arguments, where))
        elif f.derive is None and f.when is None and not _optional(f) and not _absent(f):
            raise FormatError(f"{f.name} is missing", path=path)
    return record


def _absent(f: Field) -> bool:
    """Return True if None is a valid value of the field: a pointer that may be null."""
    return isinstance(f.type, Pointer) and f.type.null is not None


def _nested(
    cls: type[Record],
    node: Nested,
    data: Plain,
    record: Record,
    arguments: dict[str, object],
    path: str,
) -> Record:
    inner = {key: evaluate(text, record, arguments) for key, text in node.arguments.items()}
    return _record(cls.layout.resolve(node), data, inner, path)


def _value(
    cls: type[Record],
    f: Field,
    node: WireType,
    data: Plain,
    record: Record,
    arguments: dict[str, object],
    path: str,
) -> Any:
    if isinstance(node, Pointer):
        node = node.target
    if isinstance(node, SharedTable):
        node = Array(node.form.item)
    if isinstance(node, Scalar | Integer):
        return _number(f, node, data, path)
    if isinstance(node, Blob | Align):
        return hex_from_data(data, path)
    if isinstance(node, CString | Text):
        return text_from_data(data, path)
    if isinstance(node, Array):
        if not isinstance(data, list):
            raise FormatError(f"expected a list, got {type(data).__name__}", path=path)
        return [
            _value(cls, f, node.item, item, record, arguments, f"{path}[{index}]")
            for index, item in enumerate(data)
        ]
    if isinstance(node, TaggedUnion):
        tag = evaluate(node.tag, record, arguments)
        case = node.cases.get(cast(int, tag), node.other)
        if case is None:
            raise FormatError(f"unexpected field: {node.tag} is {tag}", path=path)
        return _nested(cls, case, data, record, arguments, path)
    return _nested(cls, cast(Nested, node), data, record, arguments, path)


def _worded(f: Field) -> bool:
    """Return True if numbers of the field are not written as numbers."""
    return f.enum is not None or f.spell is not None


def _number(f: Field, node: Scalar | Integer, data: Plain, path: str) -> int | float:
    if node.is_float:
        return float_from_data(data, path)
    if f.spell is not None:
        data = f.spell.number(data, path)
    if isinstance(data, str) and f.enum is not None:
        found = f.enum.__members__.get(data)
        if found is None:
            known = ", ".join(f.enum.__members__)
            raise FormatError(f"expected one of {known}, got {data!r}", path=path)
        return found.value
    if not isinstance(data, int) or isinstance(data, bool):
        raise FormatError(f"expected an integer, got {data!r:.40}", path=path)
    if not node.low <= data <= node.high:
        raise FormatError(f"{data} does not fit {node.name} ({node.low} to {node.high})", path=path)
    return data


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
