"""Dataclasses from plain data, such as YAML gives: by the types of their fields.

A text in place of a mapping fills the field that a class names `shorthand`.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from ...errors import FormatError
from ..binding.numbers import shown
from ..binding.suggestions import suggestion

T = TypeVar("T")

WORDS = {str: "text", int: "an integer", float: "a number", bool: "true or false"}


def filled_from(kind: type[T], data: Any, where: str = "") -> T:
    """Return an object of a dataclass; FormatError with the dotted path of an invalid value."""
    short = getattr(kind, "shorthand", None)
    if isinstance(data, str) and short is not None:
        data = {short: data}
    if not isinstance(data, Mapping):
        raise FormatError(f"expected a mapping, got {shown(data)}", path=where)
    own = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    hints = get_type_hints(kind)
    found = {}
    for key, value in data.items():
        path = f"{where}.{key}" if where else str(key)
        if key not in own:
            hint = suggestion(str(key), list(own))
            raise FormatError(f"expected a field of {kind.__name__}, got {key!r:.60}{hint}",
                              path=where)  # fmt: skip
        found[key] = _value(hints[key], value, path)
    for name, each in own.items():
        if name not in found and each.default is MISSING and each.default_factory is MISSING:
            raise FormatError(f"expected the field {name}", path=where)
    return kind(**found)


def _value(kind: Any, value: Any, where: str) -> Any:
    """Return a value of a type."""
    if kind is Any:
        return value
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is UnionType:
        if value is None:
            return None
        (kind,) = (each for each in arguments if each is not NoneType)
        return _value(kind, value, where)
    if origin is dict:
        if not isinstance(value, Mapping):
            raise FormatError(f"expected a mapping, got {shown(value)}", path=where)
        return {str(k): _value(arguments[1], each, f"{where}.{k}") for k, each in value.items()}
    if origin is list:
        if not isinstance(value, list):
            raise FormatError(f"expected a list, got {shown(value)}", path=where)
        return [_value(arguments[0], each, f"{where}[{at}]") for at, each in enumerate(value)]
    if is_dataclass(kind):
        return filled_from(kind, value, where)  # type: ignore[arg-type]
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise FormatError(f"expected {WORDS[kind]}, got {shown(value)}", path=where)
    return value
