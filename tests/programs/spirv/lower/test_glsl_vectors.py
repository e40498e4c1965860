"""GLSL.std.450 on vectors and matrices, and packing."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.programs.spirv.lower.glsl_functions import apply
from unshade.programs.spirv.lower.glsl_table import VECTORS, matrix_function
from unshade.programs.spirv.tables.numbers import GlslStd450

Array = npt.NDArray[Any]


def vectors(number: int, *given: Array, results: int = 1, kind: str = "<f4") -> Array:
    """Return the result for each row of arrays (rows, components)."""
    columns = [np.ascontiguousarray(each[:, at]) for each in given for at in range(each.shape[1])]
    sizes = [each.shape[1] for each in given]

    def made(b: Any, values: Any) -> Any:
        rest = iter(values)
        return VECTORS[number](b, *([next(rest) for _ in range(size)] for size in sizes))

    return np.stack(apply(made, columns, [kind] * results), axis=1)


def matrices(number: int, given: Array, results: int) -> Array:
    size = given.shape[-1]
    columns = [np.ascontiguousarray(given[:, i, j]) for j in range(size) for i in range(size)]

    def made(b: Any, values: Any) -> Any:
        return matrix_function(
            b, number, [values[at * size : (at + 1) * size] for at in range(size)]
        )

    return np.stack(apply(made, columns, [given.dtype.str] * results), axis=1)


RNG = np.random.default_rng(7)
A, B, C = (RNG.uniform(-2, 2, (40, 3)).astype("<f4") for _ in range(3))


def test_lengths() -> None:
    np.testing.assert_allclose(vectors(GlslStd450.Length, A)[:, 0], np.linalg.norm(A, axis=1), 1e-6)
    wanted = np.linalg.norm(A - B, axis=1)
    np.testing.assert_allclose(vectors(GlslStd450.Distance, A, B)[:, 0], wanted, 1e-6)
    np.testing.assert_array_equal(vectors(GlslStd450.Length, A[:, :1])[:, 0], np.abs(A[:, 0]))
    unit = vectors(GlslStd450.Normalize, A, results=3)
    np.testing.assert_allclose(unit, A / np.linalg.norm(A, axis=1)[:, np.newaxis], 1e-6)


def test_directions() -> None:
    np.testing.assert_allclose(
        vectors(GlslStd450.Cross, A, B, results=3), np.cross(A, B), 1e-5, 1e-6
    )
    facing = np.where((C * B).sum(axis=1, keepdims=True) < 0, A, -A)
    np.testing.assert_array_equal(vectors(GlslStd450.FaceForward, A, B, C, results=3), facing)
    mirrored = A - 2 * (A * B).sum(axis=1, keepdims=True) * B
    np.testing.assert_allclose(vectors(GlslStd450.Reflect, A, B, results=3), mirrored, 1e-4, 1e-5)


def test_refraction_is_zero_past_the_critical_angle() -> None:
    incident = np.array([[0.6, -0.8], [0.8, -0.6]], "<f4")
    normal = np.array([[0, 1], [0, 1]], "<f4")
    eta = np.array([[0.5], [1.5]], "<f4")
    found = vectors(GlslStd450.Refract, incident, normal, eta, results=2)
    np.testing.assert_allclose(found, [[0.3, -np.sqrt(1 - 0.09)], [0, 0]], 1e-6)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_inverse_and_determinant(size: int) -> None:
    given = RNG.uniform(-2, 2, (30, size, size)) + 3 * np.eye(size)
    found = matrices(GlslStd450.Determinant, given, 1)[:, 0]
    np.testing.assert_allclose(found, np.linalg.det(given), 1e-10)
    made = matrices(GlslStd450.MatrixInverse, given, size * size)
    inverse = made.reshape(-1, size, size).transpose(0, 2, 1)
    np.testing.assert_allclose(inverse, np.linalg.inv(given), 1e-8, 1e-12)


def test_packing_rounds_and_clamps() -> None:
    x = np.array([[0, 1, 0.5, 7], [-1, -7, 0.25, float("nan")]], "<f4")
    found = vectors(GlslStd450.PackUnorm4x8, x, kind="<u4")[:, 0]
    assert [hex(each) for each in found] == ["0xff80ff00", "0x400000"]
    found = vectors(GlslStd450.PackSnorm4x8, x[:1], kind="<u4")[:, 0]
    assert [hex(each) for each in found] == ["0x7f407f00"]
    found = vectors(GlslStd450.PackSnorm2x16, x[1:, :2], kind="<u4")[:, 0]
    assert [hex(each) for each in found] == ["0x80018001"]
    found = vectors(GlslStd450.PackHalf2x16, np.array([[1.0, 1 + 3 * 2.0**-11]], "<f4"), kind="<u4")
    assert hex(found[0, 0]) == "0x3c023c00"


def test_unpacking() -> None:
    word = np.array([[0x8180_7FFF]], "<u4")
    found = vectors(GlslStd450.UnpackSnorm4x8, word, results=4)
    np.testing.assert_array_equal(found[0], np.array([-1 / 127, 1, -1, -1], "<f4"))
    found = vectors(GlslStd450.UnpackUnorm2x16, word, results=2)
    np.testing.assert_array_equal(found[0], np.array([0x7FFF / 65535, 0x8180 / 65535], "<f4"))
    assert vectors(
        GlslStd450.UnpackHalf2x16, np.array([[0xC000_3C00]], "<u4"), results=2
    ).tolist() == [[1, -2]]


def test_doubles_are_two_words() -> None:
    word = np.array([[0x9ABC_DEF0, 0x4009_21FB]], "<u4")
    found = vectors(GlslStd450.PackDouble2x32, word, kind="<f8")
    assert found.view("<u8").tolist() == [[0x4009_21FB_9ABC_DEF0]]
    back = vectors(GlslStd450.UnpackDouble2x32, found, results=2, kind="<u4")
    assert back.tolist() == word.tolist()
