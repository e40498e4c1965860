"""Values at their places: constants in rows of 16 bytes, elements one behind the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.run.packed import packed
from unshade import LimitError, UsageError
from unshade.model import Member, TypeClass, TypeDescription
from unshade.run.binding.layout import (
    dtype_of,
    leaf,
    padded,
    scalar_dtype,
    structure,
    whole_size,
    write,
)

FLOAT = TypeDescription(type_class=TypeClass.SCALAR, scalar="float")


def vector(size: int, *elements: int) -> TypeDescription:
    kind = TypeClass.VECTOR if size > 1 else TypeClass.SCALAR
    return TypeDescription(type_class=kind, scalar="float", columns=size, elements=list(elements))


def matrix(kind: TypeClass, rows: int, columns: int, *elements: int) -> TypeDescription:
    return TypeDescription(
        type_class=kind, scalar="float", rows=rows, columns=columns, elements=list(elements)
    )


LIGHT = TypeDescription(
    name="Light",
    type_class=TypeClass.STRUCT,
    scalar="void",
    members=[
        Member(name="p", offset=0, type=vector(3)),
        Member(name="r", offset=12, type=FLOAT),
        Member(name="c", offset=16, type=vector(2)),
    ],
)
LIGHTS = TypeDescription(
    name="Light", type_class=TypeClass.STRUCT, scalar="void", members=LIGHT.members, elements=[2]
)


def floats(type: TypeDescription, value: Any, rows: bool, size: int = 32) -> list[float]:
    """Return the memory of a value that was written, as float32."""
    memory = np.zeros(4 * size, np.uint8)
    write(memory, 0, packed(type, rows), value, "v")
    found = memory.view("<f4")
    last = int(np.flatnonzero(found)[-1]) + 1 if found.any() else 0
    return [float(each) for each in found[:last]]


@pytest.mark.parametrize(
    ("type", "value", "in_rows", "close"),
    [
        (FLOAT, 5, [5], [5]),
        (vector(3), [1, 2, 3], [1, 2, 3], [1, 2, 3]),
        (vector(1, 3), [1, 2, 3], [1, 0, 0, 0, 2, 0, 0, 0, 3], [1, 2, 3]),
        (vector(2, 2), [[1, 2], [3, 4]], [1, 2, 0, 0, 3, 4], [1, 2, 3, 4]),
        (vector(2, 2), [1, 2, 3, 4], [1, 2, 0, 0, 3, 4], [1, 2, 3, 4]),
        (vector(2, 2), np.arange(1, 5), [1, 2, 0, 0, 3, 4], [1, 2, 3, 4]),
        (
            matrix(TypeClass.MATRIX_ROWS, 2, 3),
            [[1, 2, 3], [4, 5, 6]],
            [1, 2, 3, 0, 4, 5, 6],
            [1, 2, 3, 4, 5, 6],
        ),
        (
            matrix(TypeClass.MATRIX_COLUMNS, 2, 3),
            [[1, 2, 3], [4, 5, 6]],
            [1, 4, 0, 0, 2, 5, 0, 0, 3, 6],
            [1, 4, 2, 5, 3, 6],
        ),
        (
            LIGHT,
            {"p": [1, 2, 3], "r": 4, "c": [5, 6]},
            [1, 2, 3, 4, 5, 6],
            [1, 2, 3, 4, 5, 6],
        ),
        (
            LIGHTS,
            [{"p": [1, 2, 3], "r": 4, "c": [5, 6]}, {"p": [7, 8, 9], "r": 1, "c": [2, 3]}],
            [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 1, 2, 3],
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3],
        ),
    ],
    ids=[
        "scalar",
        "vector",
        "array",
        "vectors",
        "one-list",
        "one-array",
        "rows",
        "columns",
        "structure",
        "structures",
    ],
)
def test_values_are_stored_as_packed(
    type: TypeDescription, value: Any, in_rows: list[float], close: list[float]
) -> None:
    assert floats(type, value, True) == in_rows
    assert floats(type, value, False) == close
    assert whole_size(packed(type, False)) == 4 * len(close)


def test_the_dtype_has_the_same_places() -> None:
    fields = [("m", 0, matrix(TypeClass.MATRIX_COLUMNS, 3, 3)), ("a", 48, vector(1, 2)),
              ("b", 68, FLOAT), ("l", 80, LIGHTS)]  # fmt: skip
    fields = [(name, at, packed(type, True)) for name, at, type in fields]
    dtype = structure(fields, 144)
    assert dtype.itemsize == 144
    one = np.zeros((), dtype)
    one["a"][:, 0] = [1, 2]
    one["b"] = 3  # behind the last element of a, in its row
    one["l"]["r"] = [4, 5]
    one["m"][:, :3] = np.arange(9).reshape(3, 3)  # columns
    memory = np.zeros(144, np.uint8)
    for name, at, type in fields:
        value: Any = {
            "a": [1, 2],
            "b": 3,
            "m": np.arange(9).reshape(3, 3).T,
            "l": [{"p": [0] * 3, "r": r, "c": [0, 0]} for r in (4, 5)],
        }[name]
        write(memory, at, type, value, name)
    assert one.tobytes() == memory.tobytes()
    metadata = dtype_of(fields[0][2]).metadata
    assert metadata is not None
    assert metadata["order"] == "column_major"


@pytest.mark.parametrize(
    ("type", "value", "words"),
    [
        (vector(3), [1, 2], "v: expected 3 numbers, got 2 numbers"),
        (
            matrix(TypeClass.MATRIX_ROWS, 2, 2),
            [1, 2, 3, 4],
            "v: expected 2 x 2 numbers, 2 rows of 2, got 4 numbers",
        ),
        (vector(1, 3), [1, 2], "v: expected 3 elements, got 2"),
        (vector(1, 3), 1, r"v: expected an array float \[3\]"),
        (vector(2, 2), [1, 2, 3], "v: expected 2 elements, got 3"),
        (vector(2, 2), [1, "a", 3, 4], "v: expected 2 elements, got 4"),
        (LIGHT, {"p": [1, 2, 3], "r": 4}, "v: c missing"),
        (LIGHT, {"q": 1}, "v has no member 'q'"),
        (LIGHTS, [{"p": [1, 2], "r": 0, "c": [0, 0]}, {}], r"v\[0\].p: expected 3 numbers"),
        (LIGHT, 3, "v: expected a dict of p, r, c"),
    ],
)
def test_refusals_have_a_path(type: TypeDescription, value: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        floats(type, value, True)


def test_strides_are_those_of_the_type() -> None:
    """Arrays of arrays and of elements with padding, as SPIR-V has them."""
    padded = TypeDescription(
        type_class=TypeClass.VECTOR, scalar="float", columns=3, elements=[2, 2], size=12,
        strides=[40, 16],
    )  # fmt: skip
    value = [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]
    memory = np.zeros(80, np.uint8)
    write(memory, 0, padded, value, "v")
    assert memory.view("<f4")[[0, 2, 4, 6, 10, 12, 14, 16]].tolist() == [1, 3, 4, 6, 7, 9, 10, 12]
    one = np.zeros(1, dtype_of(padded).base)
    assert dtype_of(padded).shape == (2,)
    assert one["value"].shape == (1, 2, 4)
    assert whole_size(padded) == 40 + 16 + 12
    assert leaf(padded, 40 + 16 + 4) == (("[1]", "[1]", ".y"), "float")
    assert leaf(padded, 12) is None
    assert leaf(padded, 36) is None


def test_names_that_repeat_get_numbers() -> None:
    """SPIR-V allows it, and damaged files have it."""
    twice = TypeDescription(
        type_class=TypeClass.STRUCT,
        scalar="void",
        members=[Member(name="a", offset=offset, type=FLOAT) for offset in (0, 4)],
    )
    assert dtype_of(twice).names == ("a", "a.1")
    memory = np.zeros(8, np.uint8)
    write(memory, 0, twice, {"a": 2, "a.1": 3}, "v")
    assert memory.view("<f4").tolist() == [2, 3]


@pytest.mark.parametrize("type", [vector(1 << 30), matrix(TypeClass.MATRIX_ROWS, 1 << 15, 1 << 15)])
def test_sizes_that_a_damaged_file_states(type: TypeDescription) -> None:
    with pytest.raises(LimitError, match="limit bytes of a block = 2147483647 exceeded"):
        dtype_of(type)


@pytest.mark.parametrize(
    ("scalar", "kind", "rows", "columns", "stride", "size", "expected"),
    [
        ("half", TypeClass.SCALAR, 1, 1, 0, 2, "<f2"),
        ("half", TypeClass.SCALAR, 1, 1, 0, 4, "<f4"),  # of Direct3D
        ("half", TypeClass.VECTOR, 1, 3, 0, 6, "<f2"),
        ("half", TypeClass.MATRIX_COLUMNS, 2, 2, 16, 20, "<f2"),
        ("half", TypeClass.MATRIX_COLUMNS, 2, 2, 16, 24, "<f4"),
        ("short", TypeClass.SCALAR, 1, 1, 0, 2, "<i2"),
        ("ushort", TypeClass.SCALAR, 1, 1, 0, 2, "<u2"),
        ("char", TypeClass.SCALAR, 1, 1, 0, 1, "<i1"),
        ("uchar", TypeClass.SCALAR, 1, 1, 0, 1, "<u1"),
        ("int64", TypeClass.SCALAR, 1, 1, 0, 8, "<i8"),
        ("uint64", TypeClass.SCALAR, 1, 1, 0, 8, "<u8"),
    ],
)
def test_components_have_the_width_of_their_type(
    scalar: str, kind: TypeClass, rows: int, columns: int, stride: int, size: int, expected: str
) -> None:
    type = TypeDescription(
        type_class=kind, scalar=scalar, rows=rows, columns=columns, matrix_stride=stride, size=size
    )
    assert scalar_dtype(type) == np.dtype(expected)


def test_numbers_fill_their_stride_if_numpy_has_such_a_type() -> None:
    three = np.dtype(("<f4", (3,)))
    assert padded(three, 16) == np.dtype(("<f4", (4,)))
    assert padded(three, 8) is None
    assert padded(three, 18) is None
    assert padded(np.dtype("<f4"), 0x8000_0000) is None
