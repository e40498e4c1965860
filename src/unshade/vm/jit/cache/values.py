"""Values of the cache as bytes: plain data, and objects of the classes that a codec was given.

    header         numbers of operations, integers and floats; bytes of text, other bytes
    operations     a byte for each value: a value itself, or what it is made of
    integers       one for each operation that is not a value: the value, a length, a count
    floats, text, other bytes

The operations are for a stack machine: a list follows its elements, and pops them.
An object is the number of its class and a bit for each field that has another value than its
default; it takes these values. Unlike the bytes of `pickle`, these bytes cannot name anything to
call or to import: reading them creates objects of the codec's classes only. All counts are bounded
by the bytes that there are.

An object that occurs twice is written once, so that sharing is preserved.
"""

import struct
import sys
from array import array
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any

import numpy as np

from ....errors import UnshadeError

HEADER = struct.Struct("<5I")
# Operations: first those that stand for a value, then those of classes, and of kinds of data.
VALUES: tuple[Any, ...] = (None, False, True, "", *range(28))
FIRST = len(VALUES)
INTEGER, LARGE, FLOAT, TEXT, BYTES, LIST, TUPLE, SET, MAPPING, DTYPE, SEEN = range(245, 256)
MAKE: dict[int, Any] = {TUPLE: tuple, SET: frozenset, MAPPING: dict}
COLLECTIONS = {
    list: LIST, tuple: TUPLE, frozenset: SET, dict: MAPPING, MappingProxyType: MAPPING,
}  # fmt: skip
PLAIN = frozenset({type(None), bool, int, str})
NUMBERS = {(type(each), each): number for number, each in enumerate(VALUES)}
SCALAR = frozenset("biufSV")  # kinds of dtypes: none that refers to objects
DAMAGE = StopIteration, LookupError, TypeError, struct.error, OverflowError, UnshadeError
MAX_CLASSES = INTEGER - FIRST


class Codec:
    """The values that can be stored: plain data and objects of these classes.

    Classes are enumerations, data classes, named tuples, or classes of facts, which name their
    `FIELDS` (any may be missing) and are created by `of_values`.
    """

    def __init__(self, *classes: type) -> None:
        if len(classes) > MAX_CLASSES:
            raise ValueError(f"expected at most {MAX_CLASSES} classes, got {len(classes)}")
        self.classes = classes
        self._numbers = {each: number for number, each in enumerate(classes, FIRST)}
        self._made: dict[tuple[int, int], tuple[Any, Any, bool]] = {}  # as `_maker` returns them

    def packed(self, *values: object) -> bytes:
        """Return values as bytes.

        Raises:
            TypeError: A value is of another class.
        """
        writer = _ValueWriter(self._numbers)
        writer.add(values)
        return writer.data()

    def unpacked(self, data: bytes) -> tuple[Any, ...]:
        """Return the values of `packed`.

        Raises:
            ValueError: The bytes were not written by `packed`.
        """
        try:
            return self._unpacked(data)
        except DAMAGE as error:
            raise ValueError(f"expected values of the cache: {error!r:.80}") from error

    def _unpacked(self, data: bytes) -> tuple[Any, ...]:
        count, integers, floats, of_text, of_bytes = HEADER.unpack_from(data)
        start = HEADER.size + count
        blobs = start + 8 * (integers + floats) + of_text
        if len(data) != blobs + of_bytes:
            raise ValueError(f"expected {blobs + of_bytes} bytes, got {len(data)}")
        number_of = iter(struct.unpack_from(f"<{integers}q", data, start)).__next__
        float_of = iter(struct.unpack_from(f"<{floats}d", data, start + 8 * integers)).__next__
        text = data[blobs - of_text : blobs].decode("utf-8", "surrogatepass")
        at, at_blob, made = 0, blobs, self._made
        seen: list[Any] = []
        stack: list[Any] = []
        push = stack.append
        for op in data[HEADER.size : start]:
            if op < FIRST:
                push(VALUES[op])
                continue
            number = number_of()
            if op < INTEGER:
                make, names, facts = made.get((op, number)) or self._maker(op, number)
                if make is None:
                    push(names)
                    continue
                first = len(stack) - len(names)
                if first < 0:
                    raise ValueError(f"expected {len(names)} values, got {len(stack)}")
                given = dict(zip(names, stack[first:]))  # noqa: B905  they are as many
                del stack[first:]
                found = make(given) if facts else make(**given)
                seen.append(found)
                push(found)
            elif op == TEXT:
                push(text[at : at + number])
                at += number
            elif op == INTEGER:
                push(number)
            elif op == SEEN:
                push(seen[number])
            elif op == BYTES:
                push(data[at_blob : at_blob + number])
                at_blob += number
            elif op == FLOAT:
                push(float_of())
            elif op == LARGE:
                push(int.from_bytes(stack.pop(), "little", signed=True))
            elif op == DTYPE:
                push(_dtype(stack.pop()))
            else:  # a collection of what is on the stack
                first = len(stack) - number
                if not 0 <= first <= len(stack):
                    raise ValueError(f"expected {number} values, got {len(stack)}")
                items = stack[first:]
                del stack[first:]
                push(items if op == LIST else MAKE[op](items))
        (found,) = stack
        if type(found) is not tuple or at != len(text) or at_blob != len(data):
            raise ValueError("expected a tuple, and nothing after it")
        return found

    def _maker(self, op: int, number: int) -> tuple[Any, Any, bool]:
        """Return a function that makes objects from these fields; or None and a member."""
        kind: Any = self.classes[op - FIRST]
        if issubclass(kind, Enum):
            found = None, [*kind.__members__.values()][number], False
        else:
            names = _names(kind)
            if number >> len(names):
                raise ValueError(f"expected {len(names)} fields of {kind.__name__}")
            given = tuple(name for bit, name in enumerate(names) if number >> bit & 1)
            facts = hasattr(kind, "of_values")
            if facts and not {*given} >= kind.REQUIRED:
                raise ValueError(f"expected all required fields of {kind.__name__}")
            found = kind.of_values if facts else kind, given, facts
        self._made[op, number] = found
        return found


def _names(kind: Any) -> tuple[str, ...]:
    """Return the names of a class's fields."""
    if is_dataclass(kind):
        return tuple(kind.__dataclass_fields__)
    return tuple(kind._fields if hasattr(kind, "_fields") else kind.FIELDS)


def _differs(value: Any, name: str) -> bool:
    """Return True if a field differs from its default."""
    kind = type(value)
    found = getattr(value, name)
    if is_dataclass(kind):
        (field,) = (each for each in fields(kind) if each.name == name)
        make = field.default_factory
        default = field.default if make is MISSING else make()
    elif hasattr(kind, "_fields"):
        default = kind._field_defaults.get(name, MISSING)
    elif name in vars(value):
        return True
    else:  # a list of facts that is made when somebody asks for it, or the default
        return name in kind.MADE and found != kind.MADE[name]()
    return type(found) is not type(default) or found != default


class _ValueWriter:
    """Bytes of values in the making."""

    def __init__(self, classes: Mapping[Any, int]) -> None:
        self._classes = classes
        self._ops = bytearray()
        self._numbers, self._floats = array("q"), array("d")
        self._texts: list[str] = []
        self._blobs = bytearray()
        self._seen: dict[int, tuple[int, object]] = {}  # with the object, so that its id stays

    def data(self) -> bytes:
        text = "".join(self._texts).encode("utf-8", "surrogatepass")
        if sys.byteorder == "big":
            self._numbers.byteswap()
            self._floats.byteswap()
        sizes = len(self._ops), len(self._numbers), len(self._floats), len(text), len(self._blobs)
        parts = self._ops, self._numbers.tobytes(), self._floats.tobytes(), text, self._blobs
        return HEADER.pack(*sizes) + b"".join(parts)

    def add(self, value: Any) -> None:
        """Add a value, after its elements."""
        kind: Any = type(value)
        if kind in PLAIN and (kind, value) in NUMBERS:
            self._ops.append(NUMBERS[kind, value])
        elif kind is int:
            self._integer(value)
        elif kind is str:
            self._operation(TEXT, len(value))
            self._texts.append(value)
        elif kind is float:
            self._operation(FLOAT)
            self._floats.append(value)
        elif kind is bytes:
            self._operation(BYTES, len(value))
            self._blobs += value
        elif kind in self._classes:
            self._object(value, kind)
        elif kind in COLLECTIONS:
            for each in value.items() if COLLECTIONS[kind] == MAPPING else value:
                self.add(each)
            self._operation(COLLECTIONS[kind], len(value))
        elif isinstance(value, np.dtype):
            self.add(_described(value))
            self._operation(DTYPE)
        else:
            raise TypeError(f"expected plain data, got {kind.__module__}.{kind.__qualname__}")

    def _operation(self, op: int, number: int = 0) -> None:
        self._ops.append(op)
        self._numbers.append(number)

    def _integer(self, value: int) -> None:
        if -(1 << 63) <= value < 1 << 63:
            self._operation(INTEGER, value)
        else:
            self.add(value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True))
            self._operation(LARGE)

    def _object(self, value: Any, kind: Any) -> None:
        number = self._classes[kind]
        known = self._seen.get(id(value))
        if issubclass(kind, Enum):
            self._operation(number, [*kind.__members__.values()].index(value))
        elif known is not None:
            self._operation(SEEN, known[0])
        else:
            names = [(bit, name) for bit, name in enumerate(_names(kind)) if _differs(value, name)]
            for _, name in names:
                self.add(getattr(value, name))
            self._operation(number, sum(1 << bit for bit, _ in names))
            self._seen[id(value)] = len(self._seen), value


# ---------------------------------------------------------------- dtypes


def _described(dtype: Any) -> Any:
    """Return a dtype as plain data: its name, its base and shape, or its fields."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        found: Any = _described(base), shape
    elif dtype.names is not None:
        members = [dtype.fields[name] for name in dtype.names]
        formats = [_described(each[0]) for each in members]
        found = list(dtype.names), formats, [each[1] for each in members], dtype.itemsize
    else:
        found = dtype.str
    if _dtype(found) != dtype:
        raise TypeError(f"expected a dtype of numbers, got {dtype!r:.80}")
    return found


def _dtype(described: Any) -> Any:
    """Return the dtype of `_described`.

    Raises:
        ValueError: The name is not a dtype, or the dtype refers to objects.
    """
    if isinstance(described, str):
        found = np.dtype(described)
        if found.kind not in SCALAR:
            raise ValueError(f"expected a dtype of numbers, got {described!r:.80}")
        return found
    if len(described) == 2:
        return np.dtype((_dtype(described[0]), described[1]))
    names, formats, offsets, itemsize = described
    whole: Any = {
        "names": names, "formats": [_dtype(each) for each in formats], "offsets": offsets,
        "itemsize": itemsize,
    }  # fmt: skip
    return np.dtype(whole)
