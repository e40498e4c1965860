"""Static samplers of a root signature: the default of a sampler."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from unshade.model import StaticSampler
from unshade.run import Sampler
from unshade.run.binding.sampler import default_sampler

SHADER = """
ps_5_0
dcl_sampler s1, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
sample_l o0.xyzw, v0.xyxx, t0.xyzw, s1, l(0)
ret
"""
TABLE = "DescriptorTable(SRV(t0))"
TEXELS = np.array([[0.0, 1.0]], np.float32)


def sampled(root: str | None, at: float, **more: Any) -> float:
    """The red of a texture of two texels, 0 and 1, at a place along x."""
    shader: Any = unshade.assemble(SHADER)
    if root is not None:
        shader.root_signature = root
    kernel = unshade.kernel(unshade.loads(shader.to_bytes()))
    found = kernel.shade((1, 1), {kernel.inputs[0].label: [at, 0.5]}, t0=TEXELS, **more)
    return float(found["SV_Target"][0, 0, 0])


def static(words: str) -> str:
    return f"{TABLE}, StaticSampler({words})"


def test_the_static_sampler_of_the_register_is_used() -> None:
    assert sampled(None, 0.5) == 0.5  # linear, clamped
    assert sampled(static("s1, filter=FILTER_MIN_MAG_MIP_POINT"), 0.6) == 1.0
    wrapping = "s1, filter=FILTER_MIN_MAG_MIP_POINT, addressU=TEXTURE_ADDRESS_WRAP"
    assert sampled(static(wrapping), 1.2) == 0.0
    assert sampled(static("s1, addressU=TEXTURE_ADDRESS_CLAMP"), 1.2) == 1.0


def test_of_another_register_space_or_stage_it_is_not() -> None:
    for words in (
        "s0, filter=FILTER_MIN_MAG_MIP_POINT", "s1, filter=FILTER_MIN_MAG_MIP_POINT, space=1",
        "s1, filter=FILTER_MIN_MAG_MIP_POINT, visibility=SHADER_VISIBILITY_VERTEX",
    ):  # fmt: skip
        assert sampled(static(words), 0.5) == 0.5


def test_a_bound_sampler_comes_first() -> None:
    root = static("s1, filter=FILTER_MIN_MAG_MIP_POINT")
    assert sampled(root, 0.5, s1=Sampler("linear")) == 0.5


@pytest.mark.parametrize(
    ("border", "colour"),
    [("transparent_black", (0, 0, 0, 0)), ("opaque_black", (0, 0, 0, 1)),
     ("opaque_white", (1, 1, 1, 1)), ("opaque_white_uint", (1, 1, 1, 1))],
)  # fmt: skip
def test_every_field(border: str, colour: tuple[int, ...]) -> None:
    given = StaticSampler(
        register=1, space=0, visibility="all", filter="comparison_anisotropic",
        address=["border", "mirror", "mirror_once"], mip_lod_bias=-0.5, max_anisotropy=8,
        comparison="less_equal", border_color=border, min_lod=1.0, max_lod=3.0,
    )  # fmt: skip
    wanted = Sampler(
        "comparison_anisotropic", ("border", "mirror", "mirror_once"), lod_bias=-0.5, min_lod=1,
        max_lod=3, border=colour, comparison="less_equal", max_anisotropy=8,
    )  # fmt: skip
    assert default_sampler(given).state == wanted.state
    assert default_sampler(None).state == Sampler().state
