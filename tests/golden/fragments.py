"""Seeded descriptions of the fixed fragment stage of the Nintendo 3DS."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.run.tev import test_lighting, test_procedural
from unshade.run.raster.states.words import Comparison
from unshade.run.tev.description import STAGES
from unshade.run.tev.words import (
    CombinerFunction,
    CombinerOperand,
    CombinerSource,
    TextureType,
)

FACTORS = [at / 127 for at in range(128)]


def description(seed: int) -> dict[str, Any]:
    """Return a description for `FragmentStage.of`; a few are refused."""
    chance = Random(seed)
    found: dict[str, Any] = {
        "stages": [_stage(chance) for _ in range(chance.randrange(STAGES + 1))],
        "buffer_color": _colour(chance),
        "texture0": {
            "type": chance.choice([*TextureType]).value,
            "perspective": chance.random() < 0.5,
            "bias": chance.choice([0.0, 0.25]),
        },
        "texture2_coordinates": chance.randrange(1, 3),
    }
    if chance.random() < 0.5:
        test = {"function": chance.choice([*Comparison]).value, "reference": chance.randrange(256)}
        found["alpha_test"] = test
    if chance.random() < 0.3:
        found["fog"] = {
            "color": _colour(chance)[:3], "table": FACTORS, "flip": chance.random() < 0.5,
        }  # fmt: skip
    if chance.random() < 0.3:
        found |= {"depth_scale": chance.choice([-1.0, 0.5]), "depth_offset": 0.125}
    if chance.random() < 0.4:
        found["lighting"] = test_lighting.made(seed)
    if seed % 8:
        found["procedural_texture"] = test_procedural.made(seed)
    return found


def _colour(chance: Random) -> list[int]:
    return [chance.randrange(256) for _ in range(4)]


def _stage(chance: Random) -> dict[str, Any]:
    made: dict[str, Any] = {"constant": _colour(chance)}
    if chance.random() < 0.4:
        made["both"] = _combiner(chance, alpha=True)
    else:
        made["color"] = _combiner(chance, alpha=False)
        made["alpha"] = _combiner(chance, alpha=True)
    if chance.random() < 0.5:
        made["update_buffer"] = chance.choice(["color", "alpha", "both"])
    return made


def _combiner(chance: Random, *, alpha: bool) -> dict[str, Any]:
    operands = [each.value for each in CombinerOperand if not alpha or not each.endswith("_color")]
    return {
        "function": chance.choice([*CombinerFunction]).value,
        "sources": [chance.choice([*CombinerSource]).value for _ in range(3)],
        "operands": [chance.choice(operands) for _ in range(chance.randrange(4))],
        "scale": chance.choice([1, 2, 4]),
    }
