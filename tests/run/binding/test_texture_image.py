"""Textures from files, as the memories of a kernel: axes, levels, sRGB, swizzles."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest

from tests.run.textures.files import dx10, ktx2
from unshade.errors import UsageError
from unshade.ir.lowered import Form, LoweredResource
from unshade.ir.textures import Shape
from unshade.run import Texture, open_texture
from unshade.run.binding.texels import linear_of
from unshade.run.binding.textures import pack

R8, RGBA8, RGBA8_SRGB, BC1_SRGB = 61, 28, 29, 72


def resource(shape: Shape = Shape.D2, returns: str = "float", **more: Any) -> LoweredResource:
    return LoweredResource("t0", Form.TEXTURE, 16, returns=(returns,) * 4, shape=shape, **more)


def opened(data: bytes, **options: Any) -> Texture:
    return open_texture(BytesIO(data), **options)


def sizes(texture: Any, wanted: LoweredResource) -> list[int]:
    """Width, height, depth or layers, and levels."""
    found: list[int] = pack(wanted, texture, "t0").shape.view("<u4")[:4].tolist()
    return found


LINE = opened(dx10(bytes(4), (4, 1), R8, dimension=2))
LINES = opened(dx10(bytes(12), (4, 1), R8, dimension=2, layers=3))
FLAT = opened(dx10(bytes(11), (4, 2), R8, levels=3))
SEVERAL = opened(dx10(bytes(33), (4, 2), R8, levels=3, layers=3))
VOLUME = opened(dx10(bytes(19), (4, 2), R8, dimension=4, levels=3, depth=2))
CUBE = opened(dx10(bytes(30), (2, 2), R8, flags=4, levels=2))
CUBES = opened(dx10(bytes(60), (2, 2), R8, flags=4, levels=2, layers=2))


@pytest.mark.parametrize(
    ("texture", "wanted", "found"),
    [
        (LINE, resource(Shape.D1), [4, 1, 1, 1]),
        (LINES, resource(Shape.D1, layered=True), [4, 1, 3, 1]),
        (FLAT, resource(), [4, 2, 1, 3]),
        (LINE, resource(), [4, 1, 1, 1]),
        (FLAT, resource(layered=True), [4, 2, 1, 3]),
        (SEVERAL, resource(layered=True), [4, 2, 3, 3]),
        (VOLUME, resource(Shape.D3), [4, 2, 2, 3]),
        (CUBE, resource(Shape.CUBE), [2, 2, 6, 2]),
        (CUBE, resource(Shape.CUBE, layered=True), [2, 2, 6, 2]),
        (CUBES, resource(Shape.CUBE, layered=True), [2, 2, 12, 2]),
        (CUBE, resource(layered=True), [2, 2, 6, 2]),
    ],
)
def test_shapes(texture: Any, wanted: LoweredResource, found: list[int]) -> None:
    assert sizes(texture, wanted) == found


@pytest.mark.parametrize(
    ("texture", "wanted", "words"),
    [
        (SEVERAL, resource(), "t0: expected a 2D texture, got 2D array of 3, 4 x 2 R8"),
        (VOLUME, resource(), "expected a 2D texture, got 3D 4 x 2 x 2 R8_UNORM, 3 levels"),
        (FLAT, resource(Shape.CUBE), "expected a cube texture, got 2D 4 x 2 R8_UNORM, 3 levels"),
        (CUBES, resource(Shape.CUBE), "expected a cube texture, got cube array of 2, 2 x 2"),
        (CUBE, resource(Shape.D3), "expected a 3D texture, got cube 2 x 2"),
        (FLAT, resource(Shape.D1), "expected a 1D texture"),
        (FLAT, resource(multisampled=True), "expected a multisampled 2D texture"),
        (FLAT, resource(Shape.BUFFER), "expected a buffer texture"),
        (FLAT, resource(returns="uint"), "expected pixels of uint, got the format R8_UNORM"),
        (Texture(FLAT.data, format="R8_UNORM"), resource(), "format: the texture is stored as R8"),
        (Texture(FLAT.data, mips=True), resource(), "mips: expected one level of floats"),
        (opened(dx10(bytes(4), (1, 1), RGBA8), srgb=True), resource(writable=True), "only read"),
    ],
)  # fmt: skip
def test_what_does_not_suit(texture: Any, wanted: LoweredResource, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        pack(wanted, texture, "t0")


def test_texels_of_levels_and_faces() -> None:
    data = dx10(bytes(range(30)), (2, 2), R8, flags=4, levels=2)
    found = pack(resource(Shape.CUBE), opened(data), "t0").texels.view("<f4").reshape(-1, 4)
    first = [face * 5 + texel for face in range(6) for texel in range(4)]
    assert np.rint(found[:, 0] * 255).tolist() == [*first, 4, 9, 14, 19, 24, 29]


def test_srgb_by_the_format_or_by_request() -> None:
    pixel = bytes([0, 51, 255, 51])
    linear = pack(resource(), opened(dx10(pixel, (1, 1), RGBA8)), "t0").texels.view("<f4")
    assert linear.tolist() == pytest.approx([0, 0.2, 1, 0.2])
    wanted = [0, float(linear_of(np.array([0.2], np.float32))[0]), 1, 0.2]
    for texture in (
        opened(dx10(pixel, (1, 1), RGBA8_SRGB)), opened(dx10(pixel, (1, 1), RGBA8), srgb=True),
    ):  # fmt: skip
        found = pack(resource(), texture, "t0").texels.view("<f4")
        assert found.tolist() == pytest.approx(wanted)
    block = bytes.fromhex("0042 0000 00000000".replace(" ", ""))  # red of 8/31
    found = pack(resource(), opened(dx10(block, (1, 1), BC1_SRGB)), "t0").texels.view("<f4")
    assert found[0] == pytest.approx(float(linear_of(np.array([8 / 31], np.float32))[0]))


def test_components_in_the_order_of_the_file() -> None:
    entry = b"KTXswizzle\0rrrg\0"
    values = len(entry).to_bytes(4, "little") + entry
    texture = opened(ktx2([b"\x33\x66"], 16, (1, 1, 0), values=values))
    found = pack(resource(), texture, "t0").texels.view("<f4")
    assert found.tolist() == pytest.approx([0.2, 0.2, 0.2, 0.4])


def test_levels_that_the_file_leaves_to_the_reader() -> None:
    texture = opened(ktx2([bytes(8)], 9, (4, 2, 0), declared=0))
    assert sizes(texture, resource()) == [4, 2, 1, 3]
