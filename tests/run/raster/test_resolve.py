"""Resolves: the modes of both APIs, for colours, depth and stencil."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_draw import FULL, drawn
from unshade import UsageError
from unshade.run.raster import DepthStencilState, Picture, StencilFace

pytestmark = pytest.mark.heavy

# A triangle from the middle of the first pixel on: it covers samples 1 and 3 of four.
EDGE = FULL.copy()
EDGE[:, 0] += 0.25


def picture(target: Any, **more: Any) -> Picture:
    return drawn(EDGE, [0.5, 1, 1, 1], samples=4, targets=[target], **more)


def of(made: Picture) -> Any:
    return made.targets["SV_Target"][0, 0].tolist()


def test_modes_of_colours() -> None:
    target = np.zeros((4, 4, 4, 4), np.float32)
    target[..., 0, :] = 0.125
    made = picture(target)
    samples = target[0, 0, :, 0].tolist()
    assert samples == [0.125, 0.5, 0.0, 0.5]
    expected = {None: 0.28125, "average": 0.28125, "min": 0.0, "max": 0.5, "sample_zero": 0.125}
    for mode, red in expected.items():
        assert of(made.resolved(mode))[0] == red, mode
    assert of(made.resolved("VK_RESOLVE_MODE_SAMPLE_ZERO_BIT"))[0] == 0.125
    assert of(made.resolved("D3D12_RESOLVE_MODE_MAX"))[0] == 0.5


def test_a_named_format_is_resolved_in_its_numbers() -> None:
    """Of sRGB, 0 and 1 are 0.5 in linear numbers, which is 188; of packed bits, each component."""
    for name, dtype, shape, expected in (
        ("R8G8B8A8_UNORM_SRGB", np.uint8, (4, 4, 4, 4), [137, 188, 188, 128]),
        ("B5G6R5_UNORM", np.uint16, (4, 4, 4), 0x4410),
    ):  # fmt: skip
        target = np.zeros(shape, dtype)
        made = picture(target, formats=[name])
        assert of(made.resolved()) == expected, name


def test_modes_of_depth_and_stencil() -> None:
    state = DepthStencilState(depth_func="always", front_face=StencilFace(pass_op="incr"))
    for dtype, clear, drawn_depth in (
        (np.float32, 1.0, 0.0), (np.uint16, 0xFFFF, 0), (np.uint32, 0x07FF_FFFF, 0x0800_0000),
    ):  # fmt: skip
        depth = np.full((4, 4, 4), clear, dtype)
        made = picture(np.zeros((4, 4, 4, 4), np.float32), depth=depth, depth_stencil=state)
        assert depth[0, 0].tolist() == [clear, drawn_depth, clear, drawn_depth]
        none = made.resolved().depth[0, 0]
        assert none == drawn_depth
        low, high = (made.resolved(depth=each).depth[0, 0] for each in ("min", "max"))
        most = 0xFF_FFFF if dtype == np.uint32 else 2**32
        assert int(low) % (most + 1) == 0
        assert int(high) % (most + 1) == int(clear) % (most + 1)
        assert made.resolved(depth="sample_zero").depth[0, 0] == clear
    assert made.resolved(depth="average").depth[0, 0] == 0x0780_0000
    stencils = [made.resolved(stencil=each).stencil for each in (None, "min", "max")]
    assert [each[0, 0] for each in stencils if each is not None] == [8, 7, 8]


def test_unfit_modes_are_refused() -> None:
    made = picture(np.zeros((4, 4, 4, 4), np.float32), depth_stencil=StencilFace(pass_op="incr"))
    with pytest.raises(UsageError, match="unknown resolve mode 'mean'; known: average, min, max"):
        made.resolved("mean")
    with pytest.raises(UsageError, match="expected min, max or sample_zero for stencils"):
        made.resolved(stencil="average")
