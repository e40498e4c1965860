"""The procedural texture of the Nintendo 3DS, against the same steps in scalars."""

from __future__ import annotations

import random
from math import floor, log2, sqrt
from typing import Any

import numpy as np
import pytest

import unshade
from unshade import UsageError
from unshade.run.tev import FragmentStage, pixel_shader
from unshade.run.tev.procedural import ProceduralNoise, ProceduralTexture

LANES = 16
SHOW = [{"both": {"sources": ["GPU_TEXTURE3"]}}]
FIRST = (0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11)
SECOND = (10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14)
GREY = [[at, 255 - at, 128, 255] for at in range(0, 255, 2)]


def random_of(x: int, y: int) -> float:
    """The value of the noise at a point of its grid."""
    u, v = (((n % 9 + 2) * 3 & 15) ^ FIRST[n // 9 & 15] for n in (x, y))
    v += 4 if u & 3 == 1 else 0
    v ^= 6 if u & 1 else 0
    return float(-1 + ((v + 10 + u & 15) ^ SECOND[u]) * 2 / 15)


def looked_up(table: Any, x: float) -> float:
    at = min(max(floor(x * 128), 0), 127)
    return float(min(max(table[at] + (table[at + 1] - table[at]) * (x * 128 - at), 0), 1))


def noise_of(noise: ProceduralNoise, u: float, v: float) -> float:
    places = [
        9 * f * abs(x + p) for x, f, p in zip((u, v), noise.frequency, noise.phase, strict=True)
    ]
    (i, j), (s, t) = [floor(each) for each in places], [each - floor(each) for each in places]
    corners = [
        random_of(i + a, j + b) * (s + t - a - b) for b in (0, 1) for a in (0, 1)
    ]  # fmt: skip
    x, y = looked_up(noise.table, s), looked_up(noise.table, t)
    low, high = (corners[at] + (corners[at + 1] - corners[at]) * x for at in (0, 2))
    return low + (high - low) * y


def clamped(mode: str, x: float) -> float:
    match mode:
        case "clamp_to_zero":
            return x if x <= 1 else 0.0
        case "clamp_to_edge":
            return min(x, 1.0)
        case "repeat":
            return x - floor(x)
        case "mirrored_repeat":
            return 1 - (x - floor(x)) if floor(x) % 2 else x - floor(x)
        case _:
            return float(x > 0.5)


def mapped(name: str, u: float, v: float) -> float:
    root = sqrt(u * u + v * v)
    return {
        "u": u, "u2": u * u, "v": v, "v2": v * v, "add": (u + v) / 2, "min": min(u, v),
        "add2": (u * u + v * v) / 2, "sqrt2": min(root, 1.0), "max": max(u, v),
        "rmax": min(((u + v) / 2 + root) / 2, 1.0),
    }[name]  # fmt: skip


def colour(texture: ProceduralTexture, u: float, v: float, level: float = 0.0) -> list[float]:
    """The colour at u and v, from 0 to 255."""
    u, v = abs(u), abs(v)
    moved = [
        {"none": 0, "odd": int(other) // 2 % 2, "even": (int(other) + 1) // 2 % 2}[shift]
        * (1 if mode == "mirrored_repeat" else 0.5)
        for shift, mode, other in zip(texture.shift, texture.clamp, (v, u), strict=True)
    ]
    if isinstance(texture.noise, ProceduralNoise):
        noise = noise_of(texture.noise, u, v)
        u, v = (abs(x + a * noise) for x, a in zip((u, v), texture.noise.amplitude, strict=True))
    u, v = (clamped(m, x + s) for m, x, s in zip(texture.clamp, (u, v), moved, strict=True))
    place = looked_up(texture.rgb_table, mapped(texture.rgb_function, u, v))
    linear = texture.filter.startswith("linear")

    def of_level(number: int) -> list[float]:
        first, last = texture.levels[number]
        at = first + place * last
        if not linear:
            return [float(each) for each in texture.color_table[floor(at + 0.5)]]
        now, after = (texture.color_table[min(floor(at) + step, 255)] for step in (0, 1))
        return [x + (y - x) * (at - floor(at)) for x, y in zip(now, after, strict=True)]

    if "mip" not in texture.filter:
        level = 0.0
    if texture.filter.endswith("mip_linear"):
        one, two = of_level(floor(level)), of_level(min(floor(level) + 1, 7))
        found = [x + (y - x) * (level - floor(level)) for x, y in zip(one, two, strict=True)]
    else:
        found = of_level(floor(level + 0.5))
    if texture.alpha_separate:
        found[3] = looked_up(texture.alpha_table, mapped(texture.alpha_function, u, v)) * 255
    return found


def shaded(texture: dict[str, Any], places: Any, engine: str = "lockstep") -> Any:
    stage = FragmentStage.of({"stages": SHOW, "procedural_texture": texture})
    kernel = unshade.kernel(pixel_shader(stage), engine=engine)
    (row,) = kernel.inputs
    given = {row.label: np.asarray(places, np.float32)}
    found = kernel.shade(places.shape[1::-1], given)
    return np.asarray(found["SV_Target"]) * 255


def made(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    functions = ["u", "GPU_PT_U2", "v", "v2", "add", "add2", "sqrt2", "min", "max", "GPU_PT_RMAX"]
    clamps = ["clamp_to_zero", "clamp_to_edge", "GPU_PT_REPEAT", "mirrored_repeat", "pulse"]
    line = [at / 128 for at in range(129)]
    made: dict[str, Any] = {
        "colors": GREY, "clamp": [chance.choice(clamps) for _ in "uv"],
        "shift": [chance.choice(["none", "odd", "even"]) for _ in "uv"],
        "rgb_function": functions[seed % len(functions)],
        "alpha_separate": chance.random() < 0.5, "alpha_function": chance.choice(functions),
        "alpha_table": [1 - each for each in line],
        "filter": chance.choice(["linear", "linear_mip_linear"]),
    }  # fmt: skip
    if chance.random() < 0.6:
        made["noise"] = {
            "amplitude": [0.125, -0.25], "frequency": [0.5, 0.25], "phase": [0.5, -0.75],
            "table": [each * each * (3 - 2 * each) for each in line],
        }  # fmt: skip
    return made


@pytest.mark.parametrize("seed", range(10))
def test_against_scalars(seed: int) -> None:
    places = np.random.default_rng(seed).uniform(-3, 3, (1, LANES, 2)).astype(np.float32)
    texture = ProceduralTexture(**made(seed))
    wanted = [colour(texture, float(u), float(v)) for u, v in places[0]]
    # Rounded down; tables and steps of colours are rounded, too.
    assert np.abs(shaded(made(seed), places)[0] - wanted).max() < 2.5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_both_engines(seed: int) -> None:
    pytest.importorskip("llvmlite")
    places = np.random.default_rng(seed).uniform(-9, 9, (4, 8, 2)).astype(np.float32)
    places[0, 0] = np.nan, np.inf
    more = {"filter": "linear_mip_linear", "lod_bias": 0.5}
    one, two = (shaded({**made(seed), **more}, places, each) for each in ("lockstep", "jit"))
    assert one.tobytes() == two.tobytes()


def test_levels() -> None:
    """A level for each factor of two in the change from pixel to pixel."""
    colours = [[0, 0, 0, 255]] * 128 + [[100, 0, 0, 255]] * 64 + [[200, 0, 0, 255]] * 64
    texture = {"colors": colours, "width": 128, "lod_bias": 1.0, "filter": "nearest_mip_nearest"}
    for step, level in ((1 / 256, 0), (1 / 64, 1), (1 / 32, 2)):
        x, y = np.meshgrid(np.arange(4), np.arange(4))
        places = np.stack([x * step, y * 0.0], axis=-1)
        assert log2(128 * step) - level in (0, -1)
        assert set(shaded(texture, places)[..., 0].round().ravel()) == {[0, 100, 200][level]}
    blended = shaded({**texture, "filter": "nearest_mip_linear"}, places * np.sqrt(0.5))[..., 0]
    assert 148 < blended.min() <= blended.max() < 152


def test_nearest_colours() -> None:
    texture = {"colors": [[10, 0, 0], [20, 0, 0], [30, 0, 0]], "filter": "GPU_PT_NEAREST"}
    places = np.array([[[0.0, 0], [0.24, 0], [0.26, 0], [1.0, 0]]])
    assert shaded(texture, places)[0, :, 0].round().tolist() == [10, 10, 20, 30]


@pytest.mark.parametrize(
    ("texture", "message"),
    [
        ({}, "procedural_texture: .*colors"),
        ({"colors": []}, r"procedural_texture\.colors: expected a list of colours"),
        ({"colors": [[1, 2]]}, r"procedural_texture\.colors\[0\]: expected three or four numbers"),
        ({"colors": [[0, 0, 0]] * 257}, "colors: expected at most 256, got 257"),
        ({"colors": GREY, "offset": 200}, "colors: expected at most 56, got 128"),
        ({"colors": GREY, "width": 0}, "width: expected at least 1, got 0"),
        ({"colors": GREY, "clamp": ["edge", "edge"]}, r"clamp: 'edge'"),
        ({"colors": GREY, "clamp": ["pulse"]}, "clamp: expected words for u and v"),
        ({"colors": GREY, "rgb_table": [0, 1]}, "rgb_table: expected 128 or 129 numbers"),
        ({"colors": GREY, "noise": {"amplitude": [9, 0]}},
         r"procedural_texture\.noise\.amplitude: expected -8 to 8"),
        ({"colors": GREY, "noise": {"frequency": [1e6, 0]}}, "frequency: expected numbers up to"),
        ({"colors": GREY, "coordinates": 3}, "coordinates: expected an integer from 0 to 2"),
        ({"colors": GREY, "level_offsets": [1]}, "level_offsets: expected three integers"),
    ],
)  # fmt: skip
def test_descriptions_that_are_refused(texture: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        FragmentStage.of({"procedural_texture": texture})


def test_a_stage_needs_the_texture() -> None:
    with pytest.raises(UsageError, match="texture3: expected a procedural_texture"):
        pixel_shader(FragmentStage.of({"stages": SHOW}))
