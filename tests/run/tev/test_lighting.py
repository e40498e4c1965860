"""The lighting unit of the Nintendo 3DS, against the same sums in scalars."""

from __future__ import annotations

import random
from math import floor, sqrt
from typing import Any

import numpy as np
import pytest

import unshade
from unshade import UsageError
from unshade.run.tev import FragmentStage, pixel_shader
from unshade.run.tev.lights import CONFIGURATIONS, DistanceAttenuation, Light, Lighting, LightingLut

LANES = 16
BOTH = [
    {"color": {"sources": ["fragment_primary_color"]},
     "alpha": {"sources": ["fragment_primary_color"]}},
]  # fmt: skip
SECOND = [{"both": {"sources": ["fragment_secondary_color"]}}]


def dot(a: Any, b: Any) -> float:
    return float(sum(x * y for x, y in zip(a, b, strict=True)))


def unit(a: Any) -> list[float]:
    length = sqrt(dot(a, a))
    return [x / length for x in a]


def rotated(q: Any, v: Any) -> list[float]:
    """A vector turned by a quaternion, through the matrix of its rotation."""
    x, y, z, w = q
    matrix = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return [dot(row, v) for row in matrix]


def looked_up(table: Any, x: float, negative: bool) -> float:
    """The value at x, between the numbers of a table."""
    steps, least = (128, -128) if negative else (256, 0)
    at = min(max(floor(x * steps), least), least + 255)
    now, after = table[at - least], table[at - least + 1]
    return float(now + (after - now) * (x * steps - at))


def colours(
    lighting: Lighting, quaternion: Any, view: Any, texture: Any
) -> tuple[list[float], list[float]]:
    """The primary and the secondary colour, from 0 to 255."""
    q, v = unit(quaternion), unit(view)
    n, t = [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]
    shade = [each / 255 for each in texture]
    if lighting.invert_shadow:
        shade = [1 - each for each in shade]
    if lighting.bump_mode != "not_used":
        moved = [each / 127.5 - 1 for each in texture[:3]]
        if lighting.bump_mode == "as_tang":
            t = moved
        else:
            n = moved
            if not lighting.bump_normal_z:
                n[2] = sqrt(max(1 - n[0] ** 2 - n[1] ** 2, 0))
    n, t = rotated(q, n), rotated(q, t)
    first, second = [0.0] * 3 + [1.0], [0.0] * 3 + [1.0]
    for number, light in enumerate(lighting.lights):
        assert isinstance(light, Light)
        x, y, z, w = light.position
        to_light = [x, y, z] if w == 0 else [x + view[0], y + view[1], z + view[2]]
        distance, direction = sqrt(dot(to_light, to_light)), unit(to_light)
        half = [a + b for a, b in zip(v, direction, strict=True)]
        h = unit(half)
        ln = dot(direction, n)
        flat = [a - b * dot(n, h) for a, b in zip(h, n, strict=True)]
        cosines = {
            "nh": dot(n, h), "vh": dot(v, h), "nv": dot(n, v), "ln": ln,
            "sp": -dot(direction, light.spot_dir),
            "cp": dot(flat, t) * (lighting.configuration == 7),
        }  # fmt: skip

        def value(
            name: str,
            own: Any = None,
            cosines: Any = cosines,
            two_sided: Any = light.two_side_diffuse,
        ) -> float:
            lut = lighting.luts.get(name)
            table = own if name == "sp" or lut is None else lut.table
            if lut is None or table is None or name not in CONFIGURATIONS[lighting.configuration]:
                return 1.0
            cosine = cosines[lut.input]
            if not lut.negative:
                cosine = abs(cosine) if two_sided else max(cosine, 0.0)
            return looked_up(table, cosine, lut.negative) * float(lut.scale)

        reflected = [value("rr")] * 3
        for at, name in ((1, "rg"), (2, "rb")):
            if name in lighting.luts and name in CONFIGURATIONS[lighting.configuration]:
                reflected[at] = value(name)
        ln = abs(ln) if light.two_side_diffuse else max(ln, 0.0)
        factor = value("sp", light.spot_lut)
        if isinstance(light.dist_attn, DistanceAttenuation):
            low, high = light.dist_attn.range
            place = min(max((distance - low) / (high - low), 0.0), 1.0)
            factor *= looked_up(light.dist_attn.table, place, False)
        geometric = min(ln / dot(half, half), 1.0)
        g0, g1 = (geometric if each else 1.0 for each in (light.geo_factor0, light.geo_factor1))
        for at in range(3):
            shadows = shade[at] if light.shadow else 1.0
            lit = light.diffuse[at] / 255 * ln
            lit *= shadows if lighting.shadow_primary else 1.0
            first[at] += (lit + light.ambient[at] / 255) * factor
            term = value("d0") * light.specular0[at] / 255 * g0
            term += value("d1") * reflected[at] * light.specular1[at] / 255 * g1
            term *= shadows if lighting.shadow_secondary else 1.0
            second[at] += term * factor * (ln != 0 or not lighting.clamp_highlights)
        if number == len(lighting.lights) - 1:
            for total, words in ((first, ("pri_", "pri_sec")), (second, ("sec_", "pri_sec"))):
                has_table = "fr" in lighting.luts
                has_table &= "fr" in CONFIGURATIONS[lighting.configuration]
                if lighting.fresnel.startswith(words) and has_table:
                    total[3] = value("fr")
    for total, words in ((first, ("pri_", "pri_sec")), (second, ("sec_", "pri_sec"))):
        if lighting.shadow_alpha and lighting.fresnel.startswith(words):
            total[3] *= shade[3]
    for at in range(3):
        first[at] += lighting.ambient[at] / 255
    limited = [[min(max(each, 0.0), 1.0) * 255 for each in total] for total in (first, second)]
    return limited[0], limited[1]


def table(chance: random.Random) -> list[float]:
    """A smooth table: rounding to 12 bits of differences is seen in a step at most."""
    a, b = chance.random(), chance.random()
    return [a + (b - a) * at / 256 for at in range(257)]


def made(seed: int) -> dict[str, Any]:
    """The lighting of a seed."""
    chance = random.Random(seed)

    def some(rate: float) -> bool:
        return chance.random() < rate

    def colour() -> list[int]:
        return [chance.randrange(160) for _ in range(3)]

    def place() -> list[float]:
        return [chance.randrange(-16, 17) / 4 + 0.0625 for _ in range(3)]

    lights: list[dict[str, Any]] = []
    for _ in range(chance.randrange(1, 4)):
        light: dict[str, Any] = {"position": [*place(), float(some(0.5))], "diffuse": colour()}
        light |= {each: colour() for each in ("ambient", "specular0", "specular1")}
        light |= {each: some(0.3) for each in ("two_side_diffuse", "geo_factor0", "geo_factor1")}
        light["shadow"] = some(0.7)
        if some(0.4):
            light |= {"spot_dir": place(), "spot_lut": table(chance)}
        if some(0.4):
            light["dist_attn"] = {"range": [0, 8], "table": table(chance)}
        lights.append(light)
    luts = {}
    for name in ("d0", "d1", "fr", "rr", "rg", "rb", "sp"):
        if some(0.6):
            lut: dict[str, Any] = {
                "input": chance.choice(["nh", "vh", "nv", "ln", "sp", "cp"]),
                "negative": some(0.5), "scale": chance.choice([1, 2, 0.5, 0.25]),
            }  # fmt: skip
            luts[name] = lut if name == "sp" else {**lut, "table": table(chance)}
    return {
        "lights": lights, "ambient": colour(), "luts": luts,
        "fresnel": chance.choice(
            ["no_fresnel", "GPU_PRI_ALPHA_FRESNEL", "sec_alpha_fresnel", "pri_sec_alpha_fresnel"]
        ),
        "configuration": chance.randrange(8) if some(0.5) else 7,
        "bump_mode": chance.choice(["GPU_BUMP_NOT_USED", "as_bump", "GPU_BUMP_AS_TANG"]),
        "bump_normal_z": some(0.5),
        **{each: some(0.4) for each in ("shadow_primary", "shadow_secondary", "shadow_alpha",
                                        "invert_shadow", "clamp_highlights")},
    }  # fmt: skip


def shaded(lighting: dict[str, Any], stages: Any, inputs: Any, texel: Any, engine: str) -> Any:
    """The results of lanes in a row, from 0 to 255."""
    stage = FragmentStage.of({"stages": stages, "lighting": lighting})
    kernel = unshade.kernel(pixel_shader(stage), engine=engine)
    given = {row.label: inputs[row.label] for row in kernel.inputs if row.label in inputs}
    bound = {"t0": np.array([[texel]], np.uint8)} if len(kernel.bindings) else {}
    if bound:
        given["TEXCOORD"] = np.zeros((1, LANES, 2), np.float32)
    return np.asarray(kernel.shade((LANES, 1), given, bound)["SV_Target"])[0] * 255


@pytest.mark.parametrize("seed", range(12))
def test_against_scalars(seed: int) -> None:
    description = made(seed)
    chance = np.random.default_rng(seed)
    inputs = {
        "NORMALQUAT": chance.uniform(-1, 1, (1, LANES, 4)).astype(np.float32),
        "VIEW": chance.uniform(-3, 3, (1, LANES, 3)).astype(np.float32),
    }
    texel = chance.integers(40, 215, 4).tolist()
    lighting = FragmentStage.of({"lighting": description}).lighting
    assert isinstance(lighting, Lighting)
    wanted = [
        colours(lighting, q, v, texel)
        for q, v in zip(
            inputs["NORMALQUAT"][0].tolist(), inputs["VIEW"][0].tolist(), strict=True
        )
    ]  # fmt: skip
    for at, stages in enumerate((BOTH, SECOND)):
        found = shaded(description, stages, inputs, texel, "lockstep")
        assert (
            np.abs(found - [each[at] for each in wanted]).max() < 1.25
        )  # rounded down, and tables of 12 bits


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_both_engines(seed: int) -> None:
    pytest.importorskip("llvmlite")
    chance = np.random.default_rng(seed)
    inputs = {
        "NORMALQUAT": chance.uniform(-1, 1, (1, LANES, 4)).astype(np.float32),
        "VIEW": chance.uniform(-3, 3, (1, LANES, 3)).astype(np.float32),
    }
    inputs["VIEW"][0, 0] = 0.0  # no direction: NaN on both
    texel = chance.integers(0, 255, 4).tolist()
    one, two = (shaded(made(seed), SECOND, inputs, texel, engine) for engine in ("lockstep", "jit"))
    assert one.tobytes() == two.tobytes()


def test_tables() -> None:
    straight = [at / 256 for at in range(256)]
    assert LightingLut(table=straight).table == (*straight, straight[-1])
    phong = LightingLut(table={"phong": 2}).table
    assert (phong[128], phong[256]) == (0.25, 1.0)
    spot = LightingLut("GPU_LUTINPUT_SP", {"spotlight": 1.0471975}, negative=True)
    assert (spot.input, spot.table[0], spot.table[191], spot.table[193]) == ("sp", 0, 0, 1)
    near = DistanceAttenuation([2, 4], {"quadratic": [1, 0]})
    assert near.scale_and_bias == (0.5, -1.0)
    assert near.table[128] == 0.25  # at 3: 1 / (1 + 3)


@pytest.mark.parametrize(
    ("lighting", "message"),
    [
        ({}, "lighting: .*lights"),
        ({"lights": []}, r"lighting\.lights: expected 1 to 8, got 0"),
        ({"lights": [{}] * 9}, r"lighting\.lights: expected 1 to 8, got 9"),
        ({"lights": [{"position": [1, 2]}]},
         r"lighting\.lights\[0\]\.position: expected 3 or 4 numbers"),
        ({"lights": [{"position": [1, 2, 1e9]}]}, "position: expected numbers up to 65504"),
        ({"lights": [{"position": [1, 2, 3], "sport": 1}]},
         r"lighting\.lights\[0\]: unknown field 'sport'"),
        ({"lights": [{"position": [1, 2, 3], "spot_lut": [1]}]},
         r"lighting\.lights\[0\]\.spot_lut: expected 256 or 257 numbers"),
        ({"lights": [{"position": [1, 2, 3]}], "luts": {"d0": {}}},
         r"lighting\.luts\.d0: expected a table"),
        ({"lights": [{"position": [1, 2, 3]}], "luts": {"sp": {"table": [1] * 256}}},
         r"lighting\.luts\.sp: expected no table"),
        ({"lights": [{"position": [1, 2, 3]}], "luts": {"d2": {}}}, "unknown table of luts: 'd2'"),
        ({"lights": [{"position": [1, 2, 3]}], "luts": {"d0": {"table": {"fong": 1}}}},
         r"lighting\.luts\.d0\.table: unknown table 'fong'; did you mean phong"),
        ({"lights": [{"position": [1, 2, 3]}], "luts": {"d0": {"table": [1] * 256, "scale": 3}}},
         r"lighting\.luts\.d0\.scale: expected one of 1, 2, 4, 8, 0.25, 0.5, got 3"),
        ({"lights": [{"position": [1, 2, 3]}], "configuration": 8},
         r"lighting\.configuration: expected an integer from 0 to 7, got 8"),
        ({"lights": [{"position": [1, 2, 3], "dist_attn": {"range": [3, 3], "table": [1] * 256}}]},
         r"dist_attn\.range: expected a least and a greater distance"),
    ],
)  # fmt: skip
def test_descriptions_that_are_refused(lighting: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        FragmentStage.of({"lighting": lighting})
