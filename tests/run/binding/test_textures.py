"""Arrays as texels and back: formats, shapes, mip levels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from unshade import UsageError
from unshade.ir.lowered import Form, LoweredResource
from unshade.ir.textures import Shape
from unshade.run import Texture
from unshade.run.binding.texels import decode, encode, linear_of, srgb_of
from unshade.run.binding.textures import pack, unpack

HALF = np.float32(0.5)


def resource(shape: Shape = Shape.D2, returns: str = "float", **more: Any) -> LoweredResource:
    return LoweredResource("t0", Form.TEXTURE, 16, returns=(returns,) * 4, shape=shape, **more)


@pytest.mark.parametrize(
    ("given", "returns", "texel"),
    [
        (np.array([[0, 128, 255]], np.uint8), "unorm", [0, 128 / 255, 1, 1]),
        (np.array([[0, 65535]], np.uint16), "float", [0, 1, 0, 1]),
        (np.array([[-128, -127, 127]], np.int8), "snorm", [-1, -1, 1, 1]),
        (np.array([[7]], np.uint8), "uint", [7, 0, 0, 1]),
        (np.array([[-7, 2]], np.int16), "sint", [-7, 2, 0, 1]),
        (np.array([[0.25]], np.float16), "float", [0.25, 0, 0, 1]),
    ],
)
def test_texels_have_the_declared_type(given: Any, returns: str, texel: list[float]) -> None:
    found = decode(given, (returns,) * 4)
    assert found.tolist() == [pytest.approx(texel, abs=1e-7)]
    back = encode(found, given.dtype, given.shape[-1])
    assert back.dtype == given.dtype
    expected = np.where(given == -128, -127, given) if given.dtype == np.int8 else given
    assert (back == expected).all()


@pytest.mark.parametrize(
    ("number", "dtype", "stored"),
    [
        (0.5 / 255, np.uint8, 1),  # halves go up
        (np.nextafter(np.float32(0.5 / 255), np.float32(0)), np.uint8, 0),
        (2.0, np.uint8, 255),
        (-1.0, np.uint8, 0),
        (np.nan, np.uint8, 0),
        (np.inf, np.uint16, 65535),
        (-0.5 / 127, np.int8, -1),  # and away from zero
        (-5.0, np.int8, -127),
    ],
)
def test_floats_are_rounded_as_documented(number: float, dtype: Any, stored: int) -> None:
    texel = np.array([[number, 0, 0, 0]], "<f4")
    assert encode(texel, np.dtype(dtype), 1).tolist() == [[stored]]


def test_integers_are_clamped() -> None:
    texels = np.array([[300, 2**32 - 1, 5, 0]], "<u4")
    assert encode(texels, np.dtype(np.uint8), 3).tolist() == [[255, 255, 5]]
    signed = np.array([[-300, 300, 0, 0]], "<i4")
    assert encode(signed, np.dtype(np.int8), 2).tolist() == [[-128, 127]]


def test_srgb_goes_there_and_back() -> None:
    colours = np.linspace(0, 1, 256, dtype=np.float32)
    assert np.abs(srgb_of(linear_of(colours)) - colours).max() < 1e-6


@pytest.mark.parametrize(
    ("what", "shape", "words"),
    [
        (resource(), (3, 5), [5, 3, 1, 1, 1]),
        (resource(), (3, 5, 2), [5, 3, 1, 1, 1]),
        (resource(Shape.D1), (7,), [7, 1, 1, 1, 1]),
        (resource(Shape.D1, layered=True), (2, 7), [7, 1, 2, 1, 1]),
        (resource(Shape.D2, layered=True), (4, 3, 5, 1), [5, 3, 4, 1, 1]),
        (resource(Shape.D3), (4, 3, 5), [5, 3, 4, 1, 1]),
        (resource(Shape.CUBE), (6, 4, 4, 3), [4, 4, 6, 1, 1]),
        (resource(Shape.CUBE, layered=True), (12, 4, 4), [4, 4, 12, 1, 1]),
        (resource(Shape.D2, multisampled=True), (3, 5, 2), [5, 3, 1, 1, 2]),
    ],
)
def test_shapes_are_described_by_axes(
    what: LoweredResource, shape: tuple[int, ...], words: list[int]
) -> None:
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    packed = pack(what, array, "t0")
    assert packed.shape.view("<u4")[:5].tolist() == words
    assert packed.shape.view("<u4")[8:].tolist() == [0]
    written = replace(what, writable=True)
    empty = pack(written, np.zeros_like(array), "t")
    empty.texels[:] = packed.texels
    assert unpack(empty, written).tolist() == array.tolist()


def test_mip_levels_are_generated_or_supplied() -> None:
    image = np.arange(12, dtype=np.float32).reshape(3, 4)
    made = pack(resource(), Texture(image, mips=True), "t0")
    assert made.state.levels == 3
    assert made.shape.view("<u4")[8:].tolist() == [0, 12, 14]
    second = made.texels.view("<f4").reshape(-1, 4)[12:14, 0]
    assert second.tolist() == [4.5, 6.5]  # of all three rows
    given = pack(resource(), [image, np.ones((1, 2), np.float32)], "t0")
    assert given.state.levels == 2
    with pytest.raises(UsageError, match=r"mip level 1: expected \(1, 2\), .* got \(2, 2\)"):
        pack(resource(), [image, np.ones((2, 2), np.float32)], "t0")


def test_texels_of_mip_levels_are_means_of_the_area_that_they_cover() -> None:
    """5 texels become 2 that cover 2.5 each, then 1; 7 become 3 that cover 7/3 each."""
    image = np.random.default_rng(1).random((5, 7, 4)).astype(np.float32)
    made = pack(resource(), Texture(image, mips=True), "t0")
    texels = made.texels.view("<f4").reshape(-1, 4)[35:]
    wide = np.repeat(np.repeat(image.astype(np.float64), 6, 0), 6, 1)  # 30 x 42
    second = wide.reshape(2, 15, 3, 14, 4).mean((1, 3))
    assert texels[:6] == pytest.approx(second.reshape(6, 4), abs=1e-6)
    assert texels[6] == pytest.approx(image.mean((0, 1)), abs=1e-6)
    flat = pack(resource(), Texture(np.full((9, 7, 4), 0.3, np.float32), mips=True), "t0")
    assert set(flat.texels.view("<f4").tolist()) == {float(np.float32(0.3))}


@pytest.mark.parametrize(
    ("what", "given", "words"),
    [
        (
            resource(),
            np.zeros(4, np.float32),
            r"expected an array \(height, width\[, 1 to 4\]\), got \(4,\)",
        ),
        (resource(), np.zeros((2, 2, 5), np.float32), "got 5 components"),
        (resource(), np.zeros((2, 2)), "in an array of uint8, uint16, .*, got float64"),
        (resource(returns="uint"), np.zeros((2, 2), np.int16), "texels of uint"),
        (resource(Shape.CUBE), np.zeros((5, 2, 2), np.float32), "expected the 6 faces of a cube"),
        (
            resource(),
            "a.png",
            r"t0: expected an array \(height, .*\) or an opened image, got 'a.png'",
        ),
        (resource(), [[1, 2], [3]], r"t0: expected an array \(height, width\[, 1 to 4\]\): "),
        (
            resource(),
            Texture(np.zeros((2, 2), np.float32), srgb=True),
            "srgb: expected colours of uint8, got float32",
        ),
        (
            resource(writable=True),
            Texture(np.zeros((2, 2), np.uint8), srgb=True),
            "t0: srgb is for textures that are only read",
        ),
    ],
)
def test_refusals_name_texture_and_shape(what: LoweredResource, given: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        pack(what, given, "t0")


@pytest.mark.parametrize(
    ("what", "given", "words"),
    [
        (resource(Shape.CUBE), [np.zeros((4, 4), np.uint8)] * 6, [4, 4, 6, 1]),
        (resource(Shape.CUBE), [np.zeros((4, 4, 3), np.uint8)] * 6, [4, 4, 6, 1]),
        (resource(Shape.CUBE, layered=True), [np.zeros((4, 4), np.uint8)] * 12, [4, 4, 12, 1]),
        (resource(layered=True), [np.zeros((3, 5), np.uint8)] * 2, [5, 3, 2, 1]),
        (resource(layered=True), [np.zeros((3, 5), np.uint8)], [5, 3, 1, 1]),
        (resource(layered=True), [np.zeros((2, 2, 4), np.uint8)] * 2, [2, 2, 2, 1]),
        (resource(Shape.D3), [np.zeros((3, 5), np.uint8)] * 4, [5, 3, 4, 1]),
        (resource(Shape.D1, layered=True), [np.zeros(5, np.uint8)] * 4, [5, 1, 4, 1]),
        (
            resource(Shape.CUBE),
            [np.zeros((6, 2, 2), np.uint8), np.zeros((6, 1, 1), np.uint8)],
            [2, 2, 6, 2],
        ),
    ],
)
def test_arrays_of_one_size_are_side_by_side(
    what: LoweredResource, given: Any, words: list[int]
) -> None:
    """Of falling sizes they are mip levels."""
    assert pack(what, given, "t0").shape.view("<u4")[:4].tolist() == words


def test_faces_may_have_mip_levels_and_srgb() -> None:
    faces = [np.full((4, 4, 4), 20 * at, np.uint8) for at in range(6)]
    packed = pack(resource(Shape.CUBE), Texture(faces, mips=True, srgb=True), "t0")
    last = packed.texels.view("<f4").reshape(-1, 4)[-6:, 0]
    assert packed.state.levels == 3
    assert last == pytest.approx(linear_of(np.arange(6, dtype=np.float32) * 20 / 255))


@pytest.mark.parametrize(
    ("mode", "shape", "dtype"),
    [
        ("1", (3, 5, 4), np.uint8),
        ("L", (3, 5, 4), np.uint8),
        ("P", (3, 5, 4), np.uint8),
        ("RGB", (3, 5, 4), np.uint8),
        ("LA", (3, 5, 4), np.uint8),
        ("I;16", (3, 5, 4), np.uint16),
        ("F", (3, 5, 4), np.float32),
    ],
)
def test_images_are_opened_by_pillow(mode: str, shape: tuple[int, ...], dtype: Any) -> None:
    images = pytest.importorskip("PIL.Image")
    packed = pack(resource(), images.new(mode, (5, 3)), "t0")
    assert packed.levels[0].shape == shape
    assert packed.levels[0].dtype == dtype
    layers = pack(resource(layered=True), [images.new(mode, (5, 3))], "t0")
    assert layers.shape.view("<u4")[:3].tolist() == [5, 3, 1]


@pytest.mark.parametrize(("mode", "grey", "sampled"), [
    ("1", 1, 1.0), ("L", 51, 0.2), ("LA", (51, 255), 0.2), ("I;16", 13107, 0.2), ("F", 0.25, 0.25),
])  # fmt: skip
def test_grey_images_are_grey(mode: str, grey: Any, sampled: float) -> None:
    images = pytest.importorskip("PIL.Image")
    packed = pack(resource(), images.new(mode, (1, 1), grey), "t0")
    assert packed.texels.view("<f4").tolist() == pytest.approx([sampled] * 3 + [1.0])


def test_integers_and_stencils_are_components() -> None:
    """A stencil is the second of two."""
    stencil = np.zeros((2, 2, 2), np.uint8)
    stencil[1, 0] = 3, 200
    packed = pack(resource(returns="uint"), stencil, "t0")
    assert packed.texels.view("<u4").reshape(2, 2, 4)[1, 0].tolist() == [3, 200, 0, 1]
    signed = pack(resource(returns="sint"), np.array([[-5]], np.int16), "t0")
    assert signed.texels.view("<i4").tolist() == [-5, 0, 0, 1]


@pytest.mark.parametrize(
    ("returns", "given", "components", "range"),
    [
        ("float", np.zeros((2, 2, 2), np.uint8), 2, (0.0, 1.0)),
        ("float", np.zeros((2, 2), np.int16), 1, (-1.0, 1.0)),
        ("float", np.zeros((2, 2, 4), np.float32), 4, None),
        ("float", np.zeros((2, 2, 4), np.float16), 4, None),
        ("uint", np.zeros((2, 2), np.uint8), 1, (0.0, 255.0)),
        ("sint", np.zeros((2, 2), np.int32), 1, None),
    ],
)
def test_the_format_has_components_and_range(
    returns: str, given: Any, components: int, range: tuple[float, float] | None
) -> None:
    state = pack(resource(returns=returns), given, "t0").state
    assert (state.components, state.range, state.format) == (components, range, "wide")


def test_texels_that_no_shader_writes_keep_their_bits() -> None:
    """-128 is -1.0, which is stored as -127; what others have written into the array stays."""
    given = np.array([[[-128, 1], [-128, -128], [3, 4]]], np.int8)
    for value in (given, Texture(given, format="R8G8_SNORM")):
        what = resource(writable=True)
        packed = pack(what, value, "t")
        packed.texels.view("<f4").reshape(-1, 4)[1] = [0.0, -1.0, 0.0, 1.0]
        packed.levels[0][0, 2] = [5, 6]
        assert unpack(packed, what).tolist() == [[[-128, 1], [0, -127], [5, 6]]]
        given[0, 2] = [3, 4]
