"""Formats of targets: rounding at their edges, packed texels, masks, logic operations, blending."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_blending import layers
from tests.run.raster.test_draw import FULL, VERTEX
from tests.run.stages.test_primitives import assembled
from unshade import UsageError
from unshade.run.raster import Blend, BlendState, draw
from unshade.run.raster.target_formats import named_format
from unshade.vm.launch import Array

pytestmark = pytest.mark.heavy

# Format, colour, and the bits of the texel, from its definition: components of a PACK format from
# the highest bits on, of others from the lowest byte on.
TEXELS: list[tuple[str, list[float], int]] = [
    ("R8_UNORM", [0.5, 0, 0, 0], 128),  # 127.5: halves upward
    ("R8_UNORM", [1.49 / 255, 0, 0, 0], 1),
    ("R8_UNORM", [float("nan"), 0, 0, 0], 0),
    ("R8_UNORM", [-1, 0, 0, 0], 0),
    ("R8_UNORM", [7, 0, 0, 0], 255),
    ("R8G8B8A8_UNORM", [1, 0, 0.2, 1], 0xFF33_00FF),
    ("B8G8R8A8_UNORM", [1, 0, 0.2, 1], 0xFFFF_0033),
    ("R8G8_SNORM", [-1, 1, 0, 0], 0x7F81),  # -128 is not written
    ("R8G8_SNORM", [0.5, -0.5, 0, 0], 0xC040),  # halves away from zero
    ("R16G16_UNORM", [1, 0.5, 0, 0], 0x8000_FFFF),
    ("R16G16_SNORM", [-7, 0.5, 0, 0], 0x4000_8001),
    ("R8G8B8A8_UNORM_SRGB", [0.5, 0.0031308, 1, 0.5], 0x80FF_0ABC),  # alpha is linear
    ("B5G6R5_UNORM", [1, 0, 0, 1], 0xF800),
    ("B5G6R5_UNORM", [0, 1, 0.5, 1], 0x07F0),
    ("VK_FORMAT_R5G6B5_UNORM_PACK16", [1, 0, 0, 1], 0xF800),
    ("VK_FORMAT_B5G6R5_UNORM_PACK16", [1, 0, 0, 1], 0x001F),
    ("B5G5R5A1_UNORM", [1, 0, 0, 0.5], 0xFC00),
    ("VK_FORMAT_A1R5G5B5_UNORM_PACK16", [1, 0, 0, 0.49], 0x7C00),
    ("VK_FORMAT_R4G4B4A4_UNORM_PACK16", [1, 0.2, 0, 0.6], 0xF309),
    ("B4G4R4A4_UNORM", [1, 0.2, 0, 0.6], 0x9F30),
    ("A8_UNORM", [1, 1, 1, 0.2], 51),
    ("R10G10B10A2_UNORM", [1, 0, 0.5, 0.34], 0x6000_03FF),
    ("VK_FORMAT_A2R10G10B10_UNORM_PACK32", [1, 0, 0.5, 1], 0xFFF0_0200),
    ("R11G11B10_FLOAT", [1, 0.5, 2, 0], 0x8000_0000 | 0x380 << 11 | 0x3C0),
    ("R11G11B10_FLOAT", [-1, float("inf"), 0, 0], 0x7C0 << 11),
    ("R11G11B10_FLOAT", [1e9, 0, 0, 0], 0x7BF),  # the greatest number, not infinity
    ("R16_FLOAT", [1 + 2**-11, 0, 0, 0], 0x3C00),  # a tie, to even
    ("R16_FLOAT", [1 + 3 * 2**-11, 0, 0, 0], 0x3C02),
    ("R16_FLOAT", [1e6, 0, 0, 0], 0x7C00),
    ("R16G16_FLOAT", [-2, 2**-24, 0, 0], 0x0001_C000),  # the least half
    ("R32_FLOAT", [0.1, 0, 0, 0], 0x3DCC_CCCD),
    ("R9G9B9E5_SHAREDEXP", [1, 0.5, 0, 0], 16 << 27 | 128 << 9 | 256),
    ("E5B9G9R9_UFLOAT_PACK32", [-1, float("nan"), 1e9, 0], 31 << 27 | 511 << 18),
]  # fmt: skip


def texel(name: str, colours: list[list[float]], before: int = 0, **more: Any) -> int:
    """Draw triangles over a target of a format; return the bits of its first texel."""
    size = named_format(name).pixel.size
    bits = np.frombuffer(before.to_bytes(size, "little"), np.uint8)
    target = np.tile(bits, (4, 4, 1))
    layers(colours, target, formats=[name], how="constant", **more)
    assert (target == target[0, 0]).all()
    return int.from_bytes(target[0, 0].tobytes(), "little")


@pytest.mark.parametrize("row", TEXELS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_colours_are_rounded_to_the_format(row: tuple[str, list[float], int]) -> None:
    name, colour, bits = row
    assert hex(texel(name, [colour])) == hex(bits)


def integers(name: str, numbers: list[int], **more: Any) -> list[int]:
    """Draw integers into a target of a format; return its first texel, as the shader reads it."""
    text = ", ".join(str(each if each < 2**31 else each - 2**32) for each in numbers)
    pixel = assembled(f"ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l({text})\nret\n")
    form = named_format(name)
    target = more.pop("target", None)
    if target is None:
        target = np.zeros((4, 4, form.pixel.size), np.uint8)
    vertices = {"SV_Position": FULL}
    draw(None, pixel, vertices, None, (4, 4), targets=[target], formats=[name], **more)
    found: list[int] = form.decode(target.reshape(16, -1))[0].tolist()
    return found


@pytest.mark.slow
def test_integers_are_clamped_to_the_format() -> None:
    numbers = [255, 256, 7, 2**32 - 1]
    assert integers("R8G8B8A8_UINT", numbers) == [255, 255, 7, 255]
    assert integers("R10G10B10A2_UINT", [1023, 1024, 7, 9]) == [1023, 1023, 7, 3]
    assert integers("R16G16B16A16_UINT", numbers) == [255, 256, 7, 65535]
    assert integers("R32G32B32A32_UINT", numbers) == numbers
    signed = [127, 128, -128, -129]
    assert integers("R8G8B8A8_SINT", signed) == [127, 127, -128, -128]
    assert integers("R16G16B16A16_SINT", signed) == signed


@pytest.mark.slow
def test_logic_operations_take_the_low_bits_of_integers() -> None:
    """Direct3D 11.3, 17.7.1: the value 0x100 is 0 for a component of 8 bits."""
    target = np.full((4, 4, 4), 0b0101, np.uint8)
    state = BlendState(Blend(write_mask="rgb"), logic_op="xor")
    found = integers("R8G8B8A8_UINT", [0b0011, 0x100, 0xFF, 1], target=target, blend=state)
    assert found == [0b0110, 0b0101, 0xFA, 0b0101]


def test_logic_operations_on_normalised_numbers_are_on_their_bits() -> None:
    """Of 5, 6 and 5 bits; and none on floats and sRGB, whose colours are written."""
    state = BlendState(logic_op="xor")
    assert texel("B5G6R5_UNORM", [[1, 0, 1, 1]], 0x1234, blend=state) == 0x1234 ^ 0xF81F
    masked = BlendState(Blend(write_mask="g"), logic_op="set")
    assert texel("B5G6R5_UNORM", [[0, 0, 0, 0]], 0x1004, blend=masked) == 0x17E4
    assert texel("R8_UNORM_SRGB", [[1, 0, 0, 1]], 0xFF, blend=state) == 0xFF
    assert texel("R16_FLOAT", [[1, 0, 0, 1]], 0x1234, blend=state) == 0x3C00
    twice = BlendState(logic_op="invert")
    assert texel("R8_UNORM", [[0, 0, 0, 0]] * 3, 0x0F, blend=twice) == 0xF0


def test_write_masks_keep_the_bits_of_other_channels() -> None:
    for mask, bits in (("r", 0xFA8A), ("g", 0x57EA), ("b", 0x529F), ("a", 0x528A), ("rb", 0xFA9F)):
        blend = Blend(write_mask=mask)
        assert texel("B5G6R5_UNORM", [[1, 1, 1, 1]], 0x528A, blend=blend) == bits, mask


def test_a_channel_that_a_format_lacks_is_0_or_1_to_blending() -> None:
    add = Blend("dest_alpha", "zero")
    assert texel("R8G8_UNORM", [[1, 0.2, 0, 0]], blend=add) == 0x33FF
    assert texel("R8G8_UNORM", [[1, 0.2, 0, 0]], blend=Blend("dest_color", "one")) == 0


def test_srgb_is_blended_in_linear_numbers() -> None:
    """Half of 188 (0.5029 linear) and half of 0: 0.2514, which is 137."""
    half = BlendState(Blend("blend_factor", "blend_factor"), blend_factor=[0.5, 0.5, 0.5, 1])
    found = texel("R8G8B8A8_UNORM_SRGB", [[0, 0, 0, 0.5]], 0x0000_00BC, blend=half)
    assert found == 0x8000_0089


def test_a_target_is_rounded_after_each_triangle() -> None:
    """Of 31 steps: half of 31 is 15.5, rounded to 16, then 8."""
    half = BlendState(Blend("zero", "blend_factor"), blend_factor=[0.5] * 4)
    assert texel("B5G6R5_UNORM", [[0] * 4], 0x001F, blend=half) == 16
    assert texel("B5G6R5_UNORM", [[0] * 4] * 2, 0x001F, blend=half) == 8


def test_new_targets_have_the_shape_of_their_format() -> None:
    inputs = {"TEXCOORD0": FULL, "TEXCOORD1": np.ones((3, 4), np.float32)}
    pixel = assembled("ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 0.5, 0.0, 1.0)\nret\n")
    for name, dtype, shape in (
        ("B8G8R8A8_UNORM", np.uint8, (4, 4, 4)), ("R16G16_SNORM", np.int16, (4, 4, 2)),
        ("R16G16B16A16_FLOAT", np.float16, (4, 4, 4)), ("R11G11B10_FLOAT", np.uint32, (4, 4)),
        ("B5G6R5_UNORM", np.uint16, (4, 4)), ("R8_UNORM", np.uint8, (4, 4)),
    ):  # fmt: skip
        picture = draw(assembled(VERTEX), pixel, inputs, None, (4, 4), formats=[name])
        target: Array = picture.targets["SV_Target"]
        assert (target.dtype, target.shape) == (np.dtype(dtype), shape), name
        assert picture.formats == {"SV_Target": name}
        assert target.any()


def test_unfit_formats_are_refused() -> None:
    for formats, message in (
        (["R8G8B8A8_UNORMAL"], "unknown pixel format 'R8G8B8A8_UNORMAL'"),
        ([7], "formats: expected a name as R8G8B8A8_UNORM, got 7"),
        (["D32_SFLOAT"], "formats: expected a format of colours, got D32_SFLOAT"),
        ("R8_UNORM", r"formats: expected a dict or a list of names, got 'R8_UNORM'"),
        (["R16_UNORM"], r"SV_Target: expected texels of 2 bytes for R16_UNORM, got \(4,\)"),
    ):
        with pytest.raises(UsageError, match=message):
            layers([[1] * 4], np.zeros((4, 4, 4), np.uint8), formats=formats)
    for name in ("R8G8B8A8_UINT",):
        with pytest.raises(UsageError, match="expected a target of floats or normalised numbers"):
            layers([[1] * 4], np.zeros((4, 4, 4), np.uint8), formats=[name], blend="alpha")
