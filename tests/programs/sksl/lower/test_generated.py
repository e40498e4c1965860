"""Generated programs: every engine agrees; fuzz/sksl.py runs more of them."""

from __future__ import annotations

import pytest

from tests.conformance.effects import generated_effect, inputs_of
from tests.programs.sksl.lower.support import shaded


@pytest.mark.parametrize("kind", ["shader", "filter", "blender"])
@pytest.mark.parametrize("seed", [200, 201])
def test_engines_agree(kind: str, seed: int) -> None:
    effect = generated_effect(kind, seed)
    rows = effect.shader.reflect().inputs
    inputs = {
        row.semantic: each[::8, ::8].reshape(-1, each.shape[-1])
        for row, each in zip(rows, inputs_of(kind), strict=True)
    }
    colours = shaded(effect.shader, inputs, **effect.uniforms)
    assert colours.shape == (64, 4)
