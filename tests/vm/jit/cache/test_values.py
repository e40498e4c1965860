"""Values as bytes: what comes back is equal, and nothing else can come back."""

from __future__ import annotations

import math
import pickle
import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest

from unshade.ir.specialisation import Specialisation
from unshade.model import Reflection, Resource
from unshade.vm.jit.cache import values
from unshade.vm.jit.cache.values import FIRST, Codec
from unshade.vocab.slots import ResourceClass, ResourceSlot


class Colour(Enum):
    RED = 1
    CRIMSON = 1
    GREEN = 2


class Pair(NamedTuple):
    first: Any
    second: Any = None


@dataclass(frozen=True)
class Row:
    """A row."""

    name: str
    count: int = 1
    flag: bool = False
    inside: list[Any] = field(default_factory=list)


CODEC = Codec(Colour, Pair, Row, Reflection, Resource, Specialisation, ResourceSlot, ResourceClass)


def some() -> Iterator[Any]:
    """Yield values of every kind."""
    yield from (None, True, False, 0, 1, 27, 28, -1, 1 << 62, -(1 << 63), (1 << 63) - 1)
    yield from (1 << 63, -(1 << 63) - 1, 1 << 64, 1 << 1000, -(1 << 1000), 255, 256, -128, -129)
    yield from (0.0, -0.0, 1.5, math.inf, 5e-324, "", "a", "ü€😀", "a\0b", "\ud800", b"", b"\0\xff")
    yield from ([], [1], [[], [None]], (), (1,), ((), (2, 3)), frozenset(), frozenset({32, 64}))
    yield from ({}, {1: 2}, {"a": {"b": [1]}}, {(1, 2): 3}, {None: None})
    yield from (Colour.RED, Colour.GREEN, Pair(1), Pair(Pair(2), [Pair(3, 4)]))
    yield from (Row("a"), Row("a", 0, True), Row("b", inside=[Row("c")]), Row("a", True))
    yield from (ResourceSlot(ResourceClass.READ, 3), Specialisation(), Specialisation(samples=4))
    yield Specialisation(constants={1: 2.5}, lengths={ResourceSlot(ResourceClass.READ, 0): 4})


@pytest.mark.parametrize("value", [*some()], ids=lambda value: f"{value!r:.30}")
def test_values_come_back(value: Any) -> None:
    (found,) = CODEC.unpacked(CODEC.packed(value))
    assert found == value
    assert type(found) is type(value)
    assert repr(found) == repr(value)  # -0.0, True in place of 1


def test_a_mapping_that_cannot_be_written_to_becomes_one_that_can() -> None:
    assert CODEC.unpacked(CODEC.packed(MappingProxyType({1: 2}))) == ({1: 2},)


def test_bits_of_floats_come_back() -> None:
    bits = [0x7FF8_0000_0000_0001, 0xFFF0_0000_0000_0000, 0x8000_0000_0000_0000, 1]
    floats = [struct.unpack("<d", struct.pack("<Q", each))[0] for each in bits]
    (found,) = CODEC.unpacked(CODEC.packed(floats))
    assert [struct.unpack("<Q", struct.pack("<d", each))[0] for each in found] == bits


def test_what_is_shared_is_shared_again() -> None:
    row = Row("a", inside=[1])
    first, again, equal = CODEC.unpacked(CODEC.packed(row, [row], Row("a", inside=[1])))
    assert first is again[0]
    assert equal == first
    assert equal is not first


@pytest.mark.parametrize(
    "dtype",
    [
        "<f4", "u1", "<i8", "bool", ("<f4", (4, 4)), [("a", "<f4"), ("b", "<u4", (3,))],
        {"names": ["x"], "formats": ["<f4"], "offsets": [12], "itemsize": 16},
        [("m", [("n", "<f8", (2, 2)), ("o", "<u2")], (5,))], "V7",
    ],
)  # fmt: skip
def test_dtypes(dtype: Any) -> None:
    (found,) = CODEC.unpacked(CODEC.packed(np.dtype(dtype)))
    assert found == np.dtype(dtype)
    assert found.itemsize == np.dtype(dtype).itemsize


def test_facts_keep_which_fields_were_given() -> None:
    made = Resource(name="t0", kind="texture", register=0, space=0)
    (found,) = CODEC.unpacked(CODEC.packed(made))
    assert found == made
    assert vars(found) == vars(made)
    whole = Reflection(format="a", resources=[made])
    assert CODEC.unpacked(CODEC.packed(whole)) == (whole,)


class Other:
    """A class that no codec was given."""


@pytest.mark.parametrize(
    "value",
    [
        Other(), [Other()], {1: Other()}, Row("a", inside=[Other()]), Other, print, {1}, 1j,
        bytearray(), range(3), np.float32(1), np.dtype("O"), np.dtype([("a", "O")]),
        np.dtype("M8[s]"),
    ],
    ids=lambda value: f"{value!r:.20}",
)  # fmt: skip
def test_other_objects_are_refused(value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="expected"):
        CODEC.packed(value)


def damaged() -> Iterator[bytes]:
    """Yield bytes that are none of a value."""
    yield from (b"", b"\0", bytes(20), b"\xff" * 20, pickle.dumps((1, 2)))
    head = values.HEADER

    def made(ops: list[int], numbers: list[int], text: bytes = b"", blob: bytes = b"") -> bytes:
        sizes = len(ops), len(numbers), 0, len(text), len(blob)
        data = bytes(ops) + struct.pack(f"<{len(numbers)}q", *numbers)
        return head.pack(*sizes) + data + text + blob

    whole = values.TUPLE
    yield made([0], [])  # not a tuple
    yield made([0, 0], [])  # two values
    yield made([whole], [1 << 62])
    yield made([whole], [-1])
    yield made([0, whole], [0])
    yield made([values.SEEN, whole], [0, 1])
    yield made([values.TEXT, whole], [5, 1], b"ab")
    yield made([values.TEXT, whole], [1, 1], b"ab")
    yield made([values.TEXT, whole], [2, 1], b"\xff\xff")
    yield made([values.BYTES, whole], [2, 1], b"", b"a")
    yield made([values.FLOAT, whole], [0, 1])
    yield made([FIRST, whole], [3, 1])  # no such colour
    yield made([FIRST + len(CODEC.classes), whole], [0, 1])  # no such class
    yield made([FIRST + 1, whole], [1 << 20, 1])  # no such field
    yield made([FIRST + 1, whole], [0, 1])  # a field is missing
    yield made([FIRST + 2, whole], [3, 1])  # nothing to take
    yield made([FIRST + 4, whole], [0, 1])  # a required field of facts is missing
    yield made([0, values.LARGE, whole], [0, 1])
    yield made([values.TEXT, values.DTYPE, whole], [1, 0, 1], b"O")
    yield made([values.TEXT, values.DTYPE, whole], [6, 0, 1], b"f4;x=1")
    yield made([values.LIST, 1, values.TUPLE, values.MAPPING, whole], [0, 2, 1, 1])


@pytest.mark.parametrize("data", [*damaged()])
def test_damage_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        CODEC.unpacked(data)


@pytest.mark.slow
def test_random_damage_makes_values_or_is_refused() -> None:
    """Whatever is read consists of plain data and of the classes."""
    generator = random.Random(1)
    good = CODEC.packed(*some(), np.dtype([("a", "<f4")]))
    known = {*CODEC.classes, int, str, float, bytes, bool, type(None), list, tuple, dict, frozenset}
    count = 0
    for _ in range(3000):
        data = bytearray(good)
        for _ in range(generator.randint(1, 3)):
            data[generator.randrange(len(data))] = generator.randrange(256)
        try:
            found = CODEC.unpacked(bytes(data))
        except ValueError:
            continue
        count += 1
        assert {type(each) for each in found} <= known | {type(np.dtype("V4")), np.dtype}
    assert count > 100


def test_too_many_classes() -> None:
    with pytest.raises(ValueError, match="expected at most"):
        Codec(*[Colour] * 256)
