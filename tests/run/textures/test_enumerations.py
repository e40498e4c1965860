"""Flags and enumerations of texture files, as Microsoft and Khronos list them."""

from __future__ import annotations

import pytest

from unshade.run.textures import dds, ktx2

pytestmark = pytest.mark.fast


def test_flags_of_dds_files() -> None:
    """DDPF and DDSCAPS2; DDPF_BUMPDUDV of legacy files has signed components."""
    assert {each.name: each.value for each in dds.Flags} == {
        "ALPHA_PIXELS": 0x1, "ALPHA": 0x2, "FOURCC": 0x4, "RGB": 0x40, "YUV": 0x200,
        "LUMINANCE": 0x20000, "BUMP": 0x80000,
    }  # fmt: skip
    faces = sum(0x400 << at for at in range(6))  # DDSCAPS2_CUBEMAP_POSITIVEX to _NEGATIVEZ
    capabilities = dds.Capabilities
    assert (0x200, faces, 1 << 21) == (capabilities.CUBE, capabilities.FACES, capabilities.VOLUME)
    assert {each.name: each.value for each in dds.DdsDimension} == {"D1": 2, "D2": 3, "D3": 4}
    assert dds.IS_CUBE == 4


def test_supercompressions_of_ktx_files() -> None:
    assert {each.name: each.value for each in ktx2.Supercompression} == {
        "NONE": 0, "BASIS_LZ": 1, "ZSTANDARD": 2, "ZLIB": 3,
    }  # fmt: skip
