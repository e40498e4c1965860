"""Samplers by the words that Direct3D and this library have for them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from unshade import UsageError
from unshade.ir.library.sampling import Filter, Reduction
from unshade.run import Sampler, Texture

KINDS = ("point", "linear")


def spelled(small: str, large: str, between: str) -> str:
    """A name of D3D11_FILTER: `MIN_MAG_POINT_MIP_LINEAR`."""
    parts: list[list[str]] = []
    for place, kind in zip(("MIN", "MAG", "MIP"), (small, large, between), strict=True):
        if parts and parts[-1][-1] == kind:
            parts[-1].insert(-1, place)
        else:
            parts.append([place, kind])
    return "_".join("_".join(each) for each in parts).upper()


@pytest.mark.parametrize("three", list(product(KINDS, repeat=3)))
def test_every_filter_of_direct3d_is_known(three: tuple[str, str, str]) -> None:
    small, large, between = three
    wanted = (Filter(small), Filter(large), Filter(between))
    for prefix, reduction in (
        ("", Reduction.MEAN), ("COMPARISON_", Reduction.MEAN),
        ("MINIMUM_", Reduction.MINIMUM), ("MAXIMUM_", Reduction.MAXIMUM),
    ):  # fmt: skip
        for before in ("D3D11_FILTER_", "D3D12_FILTER_", ""):
            state = Sampler(before + prefix + spelled(*three)).state
            assert (state.minify, state.magnify, state.between) == wanted
            assert (state.reduction, state.anisotropy) == (reduction, 1)


@pytest.mark.parametrize(
    ("filter", "reduction"),
    [
        ("anisotropic", Reduction.MEAN),
        ("D3D11_FILTER_ANISOTROPIC", Reduction.MEAN),
        ("D3D11_FILTER_COMPARISON_ANISOTROPIC", Reduction.MEAN),
        ("D3D11_FILTER_MINIMUM_ANISOTROPIC", Reduction.MINIMUM),
        ("D3D12_FILTER_MAXIMUM_ANISOTROPIC", Reduction.MAXIMUM),
    ],
)
def test_anisotropic_filters_have_a_greatest_ratio(filter: str, reduction: Reduction) -> None:
    assert Sampler(filter).state.anisotropy == 16
    assert Sampler(filter, max_anisotropy=4).state.anisotropy == 4
    assert Sampler(filter).state.reduction == reduction
    ratio_of_one = Sampler(filter, max_anisotropy=1).state
    linear = Sampler("linear" if reduction is Reduction.MEAN else f"{reduction}_linear")
    assert ratio_of_one == linear.state


def test_others_have_none() -> None:
    assert Sampler("linear", max_anisotropy=8).state == Sampler().state


def test_words_of_direct3d() -> None:
    state = Sampler(
        ("point", "linear"),
        ("D3D11_TEXTURE_ADDRESS_WRAP", "D3D12_TEXTURE_ADDRESS_MODE_MIRROR_ONCE", "BORDER"),
        comparison="D3D11_COMPARISON_LESS_EQUAL", border=[1, 2, 3, 4], lod_bias=-1, min_lod=2,
        max_lod=3,
    ).state  # fmt: skip
    assert (state.minify, state.magnify, state.between) == ("point", "linear", "linear")
    assert state.address == ("wrap", "mirror_once", "border")
    assert (state.comparison, state.border) == ("less_equal", (1, 2, 3, 4))
    assert (state.bias, state.least, state.most) == (-1, 2, 3)
    assert Sampler(address="D3D11_TEXTURE_ADDRESS_MIRROR_ONCE").state.address[0] == "mirror_once"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"filter": "linaer"},
            "unknown sampler filter 'linaer'; known: linear, .*; did you mean linear[?]$",
        ),
        ({"filter": "trilinear"}, "anisotropic, .* the names of D3D11_FILTER"),
        (
            {"filter": ("point", "anisotropic")},
            "unknown sampler filter 'anisotropic'; known: point, linear",
        ),
        ({"filter": 5}, "sampler filter: expected one to three words, got 5"),
        (
            {"address": "tile"},
            "unknown sampler address 'tile'; known: wrap, mirror, clamp, border",
        ),
        ({"address": ["wrap"] * 4}, "sampler address: expected one to three words"),
        (
            {"comparison": "lesser"},
            "unknown sampler comparison 'lesser'; known: .*; did you mean less[?]$",
        ),
        (
            {"comparison": "gequal"},
            "unknown sampler comparison 'gequal'; known: .*; did you mean greater_equal[?]$",
        ),
        ({"border": (1, 2)}, r"border: expected four numbers, got \(1, 2\)"),
        ({"border": "black"}, "border: expected four numbers, got 'black'"),
        ({"lod_bias": "x"}, "lod_bias: expected a number, got 'x'"),
        ({"min_lod": float("nan")}, "min_lod: expected a number, got nan"),
        ({"max_anisotropy": 17}, "max_anisotropy: expected an integer from 1 to 16, got 17"),
        ({"max_anisotropy": 2.5}, "from 1 to 16, got 2.5"),
    ],
)
def test_refusals_list_known_values(given: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Sampler(**given)


@pytest.mark.parametrize(
    ("texture", "text"),
    [
        (Texture(np.zeros((4, 2, 4), np.uint8)), "<Texture (4, 2, 4) uint8>"),
        (
            Texture([np.zeros((4, 4), np.float32)] * 6, mips=True, sampler="point"),
            "<Texture 6 x (4, 4) float32, mips, sampler='point'>",
        ),
        (Texture([]), "<Texture nothing>"),
    ],
)
def test_a_texture_is_shown_without_its_texels(texture: Texture, text: str) -> None:
    assert repr(texture) == text


@pytest.mark.parametrize(
    ("vulkan", "ours"),
    [
        (("nearest", "repeat"), ("point", "wrap")),
        (("VK_FILTER_NEAREST", "VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT"), ("point", "mirror")),
        ((("linear", "nearest", "nearest"), "clamp_to_border"), (("linear", "point", "point"),
                                                                 "border")),
    ],
)  # fmt: skip
def test_words_of_vulkan(vulkan: tuple[Any, str], ours: tuple[Any, str]) -> None:
    assert Sampler(*vulkan).state == Sampler(*ours).state


def test_comparisons_of_vulkan() -> None:
    given = Sampler(comparison="VK_COMPARE_OP_LESS_OR_EQUAL").state
    assert given == Sampler(comparison="less_equal").state
