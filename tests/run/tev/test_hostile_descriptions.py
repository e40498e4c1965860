"""Descriptions with a value of another kind in any place: our own errors, or a listing."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest

from tests.sampling import fewer
from unshade import UnshadeError
from unshade.run.tev import FragmentStage
from unshade.run.tev.pixel import listing

LINE = [at / 256 for at in range(257)]
WHOLE: dict[str, Any] = {
    "stages": [
        {"color": {"function": "modulate", "sources": ["texture0", "texture3"]},
         "alpha": {"function": "replace", "sources": ["fragment_secondary_color"]},
         "constant": [1, 2, 3, 4], "update_buffer": "both"},
        {"both": {"function": "add", "sources": ["previous", "fragment_primary_color"],
                  "operands": ["src_color", "one_minus_src_r"], "scale": 2}},
    ],
    "buffer_color": [0, 0, 0, 0],
    "alpha_test": {"function": "greater", "reference": 1},
    "fog": {"color": [1, 2, 3], "table": LINE[:128], "flip": True},
    "texture0": {"type": "shadow_cube", "perspective": False, "bias": 0.1},
    "texture2_coordinates": 1, "depth_scale": -1.0, "depth_offset": 0.0,
    "lighting": {
        "lights": [
            {"position": [1, 2, 3], "spot_dir": [0, 0, 1], "spot_lut": {"spotlight": 0.5},
             "dist_attn": {"range": [0, 9], "table": {"quadratic": [1, 2]}}, "diffuse": [9, 9, 9],
             "geo_factor0": True},
            {"position": [0, 0, 1, 0], "two_side_diffuse": True},
        ],
        "luts": {"d0": {"input": "nh", "table": {"phong": 9}, "scale": 2},
                 "fr": {"input": "cp", "table": LINE, "negative": True}},
        "fresnel": "pri_alpha_fresnel", "configuration": 7, "bump_mode": "as_bump",
        "bump_texture": 1, "shadow_texture": 2, "shadow_primary": True,
    },
    "procedural_texture": {
        "colors": [[1, 2, 3], [4, 5, 6, 7]], "coordinates": 1, "clamp": ["pulse", "repeat"],
        "shift": ["odd", "even"], "rgb_function": "rmax", "rgb_table": LINE[:129],
        "noise": {"amplitude": [1, 2], "frequency": [1, 2], "phase": [1, 2], "table": LINE[:129]},
        "alpha_separate": True, "alpha_function": "min", "filter": "linear_mip_linear",
        "offset": 3, "width": 2, "lod_bias": 0.5, "lod_min": 1, "lod_max": 3,
        "level_offsets": [1, 2, 3],
    },
}  # fmt: skip
JUNK: list[Any] = [
    None, True, -1, 256, 1e400, float("nan"), 10**400, 0.5, "", "x", "GPU_", b"", [], [[]], {},
    {"x": 1}, {1: 2}, [None] * 4, [1e39] * 257, ["nan"] * 3, {"phong": -1}, {"spotlight": None},
    {"quadratic": [0]}, "texture3", "cp",
]  # fmt: skip


def places(data: Any) -> list[tuple[Any, Any]]:
    """The containers and keys of all values, long tables by their first numbers."""
    keys = list(data) if isinstance(data, dict) else range(min(len(data), 4))
    found = [(data, key) for key in keys]
    for key in keys:
        if isinstance(data[key], dict | list):
            found += places(data[key])
    return found


def test_the_whole_is_a_listing() -> None:
    assert "ps_5_0" in listing(FragmentStage.of(WHOLE))


@pytest.mark.slow
def test_values_of_another_kind() -> None:
    refused = 0
    for seed in range(fewer(3000)):
        chance = random.Random(seed)
        data = deepcopy(WHOLE)
        for _ in range(chance.choice((1, 1, 2))):
            container, key = chance.choice(places(data))
            container[key] = deepcopy(chance.choice(JUNK))
        try:
            listing(FragmentStage.of(data))
        except UnshadeError:
            refused += 1
    assert refused > 100
