"""Mappings of LLVM's YAML as tables: a key, the form of its value, and the attribute.

    Keys(
        MappingKey("StartRow", U8, "start_row"),          StartRow:        2
        MappingKey("DynamicMask", HEX8, "dynamic"),       DynamicMask:     0x3
    )

A table reads a mapping into attributes, and shows attributes as a mapping. As in LLVM, all keys are
required unless optional, and no other keys are allowed. Numbers are written as in C.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....errors import FormatError, UnsupportedError, did_you_mean
from ....tuples import NamedTuple
from ....wire.floats import f32_to_bits
from .style import FlowList, Literal

__all__ = [
    "ANY",
    "BOOL",
    "BYTES",
    "FLOAT",
    "HEX8",
    "HEX32",
    "TEXT",
    "U8",
    "U16",
    "U32",
    "Bytes",
    "Fields",
    "Flow",
    "Listed",
    "MappingKey",
    "MappingReader",
    "Names",
    "Number",
    "PartForm",
    "ValueForm",
    "elements",
    "shown",
]

NUMBER = re.compile(r"(-?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|([1-9][0-9]*|0))")
BASES = (16, 2, 8, 10)
LONGEST = 40  # digits of a number
TRUE = ("true", "True", "TRUE")
FALSE = ("false", "False", "FALSE")


class ValueForm(NamedTuple):
    """The form of a value: functions that read and show it, with its path for errors."""

    read: Callable[[Any, str], Any]
    show: Callable[[Any, str], Any]


class PartForm(NamedTuple):
    """The form of the contents of a part.

    `read` takes a mapping, its path and the declared size, and returns the data of the part.
    `absent` is the data without contents. `show` takes a typed part, its data and the stage of the
    program, and returns the mapping, or None. LLVM 19 prints no contents of parts without `show`.
    """

    read: Callable[[Any, str, int], bytes]
    show: Callable[[Any, bytes, int | None], dict[str, Any] | None] | None = None
    absent: bytes = b""


def _scalar(node: Any, path: str) -> str:
    if not isinstance(node, str):
        raise FormatError(f"expected a scalar, got {_kind(node)}", path=path)
    return node


def _kind(node: Any) -> str:
    return "a mapping" if isinstance(node, dict) else "a sequence"


def Number(bits: int, shape: Callable[[int], str] = str, *, signed: bool = False) -> ValueForm:
    """Return the form of a number with a fixed number of bits; -1 means all bits if `signed`."""

    def read(node: Any, path: str) -> int:
        text = _scalar(node, path)
        match = NUMBER.fullmatch(text) if len(text) <= LONGEST else None
        if match is None:
            raise FormatError(f"expected a number, got {text!r:.40}", path=path)
        digits = zip(match.groups()[1:], BASES, strict=True)
        number = next(int(each, base) for each, base in digits if each is not None)
        if match[1]:
            number = -number
        low = -(1 << bits - 1) if signed else 0
        if not low <= number < 1 << bits:
            raise FormatError(f"expected {low} to {(1 << bits) - 1}, got {text:.40}", path=path)
        return number % (1 << bits)

    return ValueForm(read, lambda number, path: Literal(shape(number)))


def _hexadecimal(number: int) -> str:
    return f"0x{number:X}"


U8, U16, U32 = Number(8), Number(16), Number(32)
HEX8, HEX32 = Number(8, _hexadecimal), Number(32, _hexadecimal)


def _read_bool(node: Any, path: str) -> bool:
    text = _scalar(node, path)
    if text not in TRUE + FALSE:
        raise FormatError(f"expected true or false, got {text!r:.40}", path=path)
    return text in TRUE


def _read_text(node: Any, path: str) -> str:
    text = _scalar(node, path)
    if "\0" in text or (not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text)):
        raise FormatError(f"expected text without NUL and surrogates, got {text!r:.40}", path=path)
    return text


def _read_float(node: Any, path: str) -> float:
    try:
        value = float(node)
        f32_to_bits(value)
    except (TypeError, ValueError, OverflowError):
        raise FormatError(f"expected a number, got {node!r:.40}", path=path) from None
    return value


FLOAT = ValueForm(_read_float, lambda value, path: repr(value))
BOOL = ValueForm(_read_bool, lambda value, path: Literal("true" if value else "false"))
TEXT = ValueForm(_read_text, lambda value, path: value)
ANY = ValueForm(lambda node, path: node, lambda value, path: value)  # a mapping that is read later


def Names(names: Mapping[int, str], *, numbers: ValueForm | None = None) -> ValueForm:
    """Return the form of a named number; with `numbers`, printed as a number and read as either."""
    known = {name: number for number, name in names.items()}

    def read(node: Any, path: str) -> int:
        text = _scalar(node, path)
        if text in known:
            return known[text]
        if numbers is not None and text[:1].isdigit():
            number: int = numbers.read(node, path)
            return number
        hint = did_you_mean(text, known)
        raise FormatError(f"unknown name {text!r:.40}{hint}", path=path)

    def show(number: int, path: str) -> Any:
        if numbers is not None:
            return numbers.show(number, path)
        if number not in names:
            raise UnsupportedError(f"{path}: LLVM's YAML has no name for the number {number}")
        return Literal(names[number])

    return ValueForm(read, show)


def Bytes(size: int) -> ValueForm:
    """Return the form of a list with a fixed number of bytes."""

    def read(node: Any, path: str) -> bytes:
        found = bytes(BYTES.read(node, path))
        if len(found) != size:
            raise FormatError(f"expected {size} bytes, got {len(found)}", path=path)
        return found

    return ValueForm(read, BYTES.show)


def Listed(form: ValueForm) -> ValueForm:
    """Return the form of a sequence."""

    def read(node: Any, path: str) -> list[Any]:
        return [form.read(each, f"{path}[{i}]") for i, each in enumerate(elements(node, path))]

    def show(values: Sequence[Any], path: str) -> list[Any]:
        return [form.show(each, f"{path}[{i}]") for i, each in enumerate(values)]

    return ValueForm(read, show)


def Flow(form: ValueForm) -> ValueForm:
    """Return the form of a list of scalars between brackets."""
    show = Listed(form).show
    return ValueForm(Listed(form).read, lambda values, path: FlowList(show(values, path)))


BYTES = Flow(HEX8)


def elements(node: Any, path: str) -> list[Any]:
    """Return the elements of a sequence; an empty scalar is an empty sequence."""
    if node == "":
        return []
    if not isinstance(node, list):
        raise FormatError("expected a sequence", path=path)
    return node


class MappingKey(NamedTuple):
    """A key of a mapping."""

    name: str
    form: ValueForm
    attribute: str
    optional: bool = False
    shift: int = 0
    width: int = 0  # number of bits of the attribute, from `shift` on; 0: all


class MappingReader:
    """A mapping that is read by several tables of keys."""

    def __init__(self, node: Any, path: str) -> None:
        if not isinstance(node, dict):
            raise FormatError("expected a mapping", path=path)
        self.node = node
        self.path = path
        self.known: list[str] = []

    def values(self, *keys: MappingKey) -> dict[str, Any]:
        """Return the values of keys by attribute; optional keys that are missing are left out."""
        found: dict[str, Any] = {}
        for key in keys:
            self.known.append(key.name)
            path = f"{self.path}.{key.name}".lstrip(".")
            if key.name in self.node:
                value = key.form.read(self.node[key.name], path)
                if key.width:
                    bits = int(value) & (1 << key.width) - 1
                    value = found.get(key.attribute, 0) | bits << key.shift
                found[key.attribute] = value
            elif not key.optional:
                raise FormatError(f"expected the key {key.name!r}", path=self.path)
        return found

    def finish(self) -> None:
        """Raise FormatError if there are keys that no table has."""
        for name in self.node:
            if name not in self.known:
                hint = did_you_mean(str(name), self.known)
                raise FormatError(f"unknown key {str(name)!r:.40}{hint}", path=self.path)


def shown(keys: Sequence[MappingKey], values: Any, path: str = "") -> dict[str, Any]:
    """Return the mapping of a record or dictionary; optional keys without a value are left out."""
    found = {}
    for key in keys:
        value: Any
        if isinstance(values, dict):
            value = values.get(key.attribute)
        else:
            value = getattr(values, key.attribute)
        if value is None and key.optional:
            continue
        if key.width:
            value = value >> key.shift & (1 << key.width) - 1
        found[key.name] = key.form.show(value, f"{path}.{key.name}".lstrip("."))
    return found


def Fields(*keys: MappingKey, make: Callable[..., Any] = dict) -> ValueForm:
    """Return the form of a mapping, whose value is a record, or a dictionary."""

    def read(node: Any, path: str) -> Any:
        reader = MappingReader(node, path)
        found = reader.values(*keys)
        reader.finish()
        return make(**found)

    return ValueForm(read, lambda value, path: shown(keys, value, path))
