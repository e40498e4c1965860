"""Vertices and control points in memories: components of every width."""

from __future__ import annotations

import numpy as np

from unshade.ir.lowered import Points
from unshade.ir.memory import Port
from unshade.ir.types import F16, F32, F64, I16
from unshade.run.signature import KernelSignature, SignatureRow
from unshade.run.stages.points import fill, taken
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
