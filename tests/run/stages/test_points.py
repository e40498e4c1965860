"""Vertices and control points in memories: components of every width."""

from __future__ import annotations

import numpy as np
import pytest

from unshade.errors import UsageError
from unshade.ir.lowered import Points
from unshade.ir.memory import Port
from unshade.ir.types import F16, F32, F64, I16
from unshade.run.signature import KernelSignature, SignatureRow
from unshade.run.stages.points import common_length, fill, points_given, shaped, taken
from unshade.vm.launch import Array
from unshade.vocab.slots import Direction, PointsSlot, Rate


def test_components_of_16_and_64_bits() -> None:
    wide, half, number, plain = (
        Port("a", F64), Port("b", F16), Port("c", I16), Port("d", F32),
    )  # fmt: skip
    places = {wide: 0, half: 8, number: 10, plain: 12}
    points = Points("v", 2, 16, PointsSlot(Direction.INPUT, Rate.VERTEX), places)
    rows = [
        SignatureRow("A", 0, [wide], np.dtype("<f8")),
        SignatureRow("B", 0, [half, None, plain], np.dtype("<f4")),
        SignatureRow("C", 0, [number], np.dtype("<i4")),
    ]
    signature = KernelSignature.of(rows)
    values = {
        rows[0].key: np.array([[[1 / 3], [2.0]]]),
        rows[1].key: np.array([[[0.5, 0, 1.25], [-2, 0, 3]]], "<f4"),
        rows[2].key: np.array([[[-3], [7]]], "<i4"),
    }
    words = fill(points, signature, values, 1)
    data = words.tobytes()
    assert data[:8] == np.float64(1 / 3).tobytes()
    assert data[8:16] == np.float16(0.5).tobytes() + b"\xfd\xff" + np.float32(1.25).tobytes()
    for row in rows:
        assert taken(points, row, words).tolist() == values[row.key].tolist()


def row(name: str, components: int, points: int, *, fewer: bool = False) -> SignatureRow:
    ports: list[Port | None] = [Port(f"{name}{at}", F32) for at in range(components)]
    return SignatureRow(name, 0, ports, np.dtype("<f4"), points=points, fewer=fewer)


TRIANGLE, SINGLE, WHOLE = row("A", 2, 3), row("B", 2, 1), row("C", 2, 0)
PATCH, NUMBER = row("D", 2, 4, fewer=True), row("E", 1, 4, fewer=True)
ONE_NUMBER = row("F", 1, 1)


@pytest.mark.parametrize(
    ("given", "shape", "length", "result"),
    [
        # one value for all points of all primitives: no length
        (TRIANGLE, (), None, (5, 3, 2)),
        (TRIANGLE, (2,), None, (5, 3, 2)),
        (TRIANGLE, (5, 3, 2), 5, (5, 3, 2)),
        # without points: components of each primitive
        (WHOLE, (5, 2), 5, (5, 2)),
        (WHOLE, (2,), None, (5, 2)),
        # one point: its axis may be left out
        (SINGLE, (5, 1, 2), 5, (5, 1, 2)),
        (SINGLE, (5, 2), 5, (5, 1, 2)),
        (SINGLE, (2,), None, (5, 1, 2)),
        (ONE_NUMBER, (5,), 5, (5, 1, 1)),
        (ONE_NUMBER, (5, 1), 5, (5, 1, 1)),
        (ONE_NUMBER, (1,), None, (5, 1, 1)),
        # fewer points than the shader has room for: the others are 0
        (PATCH, (5, 4, 2), 5, (5, 4, 2)),
        (PATCH, (5, 3, 2), 5, (5, 4, 2)),
        (PATCH, (5, 1, 2), 5, (5, 4, 2)),
        (NUMBER, (5, 3), 5, (5, 4, 1)),
        (NUMBER, (5, 3, 1), 5, (5, 4, 1)),
        (NUMBER, (5, 4), 5, (5, 4, 1)),
    ],
)
def test_shapes_of_arrays(
    given: SignatureRow, shape: tuple[int, ...], length: int | None, result: tuple[int, ...]
) -> None:
    value: Array = np.arange(1, 1 + int(np.prod(shape)), dtype="<f4").reshape(shape)
    chosen = {given.key: (given, value)}
    assert common_length(chosen, "points") == length
    made = shaped(chosen, 5)[given.key]
    assert made.shape == result
    if length is None:
        assert made.tolist() == np.broadcast_to(value, result).tolist()
        return
    points = value.size // (5 * result[-1])
    placed = made.reshape(5, -1, result[-1])
    assert placed[:, :points].ravel().tolist() == value.ravel().tolist()
    assert not placed[:, points:].any()


def test_points_of_a_patch() -> None:
    """A call gives as many points as its longest array has; others fill the shader's room."""
    slot = PointsSlot(Direction.INPUT, Rate.VERTEX)
    open_, closed = Points("v", 4, 16, slot, {}, fewer=True), Points("v", 4, 16, slot, {})
    arrays = {
        PATCH.key: (PATCH, np.zeros((5, 2, 2), "<f4")),
        NUMBER.key: (NUMBER, np.zeros((5, 3), "<f4")),
        WHOLE.key: (WHOLE, np.zeros((5, 2), "<f4")),
    }
    assert points_given(arrays, open_) == 3
    assert points_given(arrays, closed) == 4
    assert points_given({WHOLE.key: arrays[WHOLE.key]}, open_) == 4


def test_arrays_of_two_lengths() -> None:
    arrays = {
        TRIANGLE.key: (TRIANGLE, np.zeros((5, 3, 2), "<f4")),
        WHOLE.key: (WHOLE, np.zeros((4, 2), "<f4")),
        SINGLE.key: (SINGLE, np.zeros(2, "<f4")),
    }
    with pytest.raises(UsageError, match=r"^arrays of points differ in length: A 5, C 4$"):
        common_length(arrays, "points")
