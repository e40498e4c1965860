"""Advanced blend operations of Vulkan against the formulas of its specification."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest

from tests.run.raster.test_blending import layers
from unshade import UsageError
from unshade.run.raster import Blend, BlendState
from unshade.run.raster.advanced_blending import advanced
from unshade.run.raster.states.words import ADVANCED

pytestmark = pytest.mark.heavy

F = Callable[[float, float], float]
ALL = (1, 1, 1)


def dodge(s: float, d: float) -> float:
    return 0 if d <= 0 else min(1, d / (1 - s)) if s < 1 else 1


def burn(s: float, d: float) -> float:
    return 1 if d >= 1 else 1 - min(1, (1 - d) / s) if s > 0 else 0


def hard(s: float, d: float) -> float:
    return 2 * s * d if s <= 0.5 else 1 - 2 * (1 - s) * (1 - d)


def soft(s: float, d: float) -> float:
    if s <= 0.5:
        return d - (1 - 2 * s) * d * (1 - d)
    return d + (2 * s - 1) * (d * ((16 * d - 12) * d + 3) if d <= 0.25 else sqrt(d) - d)


def vivid(s: float, d: float) -> float:
    if s <= 0:
        return 0
    if s < 0.5:
        return 1 - min(1, (1 - d) / (2 * s))
    return min(1, d / (2 * (1 - s))) if s < 1 else 1


def pin(s: float, d: float) -> float:
    if 2 * s - 1 > d:
        return 0 if s < 0.5 else 2 * s - 1
    return 2 * s if s < 0.5 * d else d


SEPARABLE: dict[str, tuple[tuple[int, int, int], F]] = {
    "zero": ((0, 0, 0), lambda s, d: 0), "src": ((1, 1, 0), lambda s, d: s),
    "dst": ((1, 0, 1), lambda s, d: d), "src_over": (ALL, lambda s, d: s),
    "dst_over": (ALL, lambda s, d: d), "src_in": ((1, 0, 0), lambda s, d: s),
    "dst_in": ((1, 0, 0), lambda s, d: d), "src_out": ((0, 1, 0), lambda s, d: 0),
    "dst_out": ((0, 0, 1), lambda s, d: 0), "src_atop": ((1, 0, 1), lambda s, d: s),
    "dst_atop": ((1, 1, 0), lambda s, d: d), "xor": ((0, 1, 1), lambda s, d: 0),
    "multiply": (ALL, lambda s, d: s * d), "screen": (ALL, lambda s, d: s + d - s * d),
    "overlay": (ALL, lambda s, d: 2 * s * d if d <= 0.5 else 1 - 2 * (1 - s) * (1 - d)),
    "darken": (ALL, min), "lighten": (ALL, max), "colordodge": (ALL, dodge),
    "colorburn": (ALL, burn), "hardlight": (ALL, hard), "softlight": (ALL, soft),
    "difference": (ALL, lambda s, d: abs(d - s)),
    "exclusion": (ALL, lambda s, d: s + d - 2 * s * d),
    "invert": ((1, 0, 1), lambda s, d: 1 - d), "invert_rgb": ((1, 0, 1), lambda s, d: s * (1 - d)),
    "lineardodge": (ALL, lambda s, d: s + d if s + d <= 1 else 1),
    "linearburn": (ALL, lambda s, d: s + d - 1 if s + d > 1 else 0),
    "vividlight": (ALL, vivid),
    "linearlight": (ALL, lambda s, d: 1 if 2 * s + d > 2 else max(0, 2 * s + d - 1)),
    "pinlight": (ALL, pin), "hardmix": (ALL, lambda s, d: 0 if s + d < 1 else 1),
}  # fmt: skip
OWN: dict[str, Callable[[float, float, float, float], tuple[float, float]]] = {
    "plus": lambda s, d, a, b: (s + d, a + b),
    "plus_clamped": lambda s, d, a, b: (min(1, s + d), min(1, a + b)),
    "plus_clamped_alpha": lambda s, d, a, b: (min(1, a + b, s + d), min(1, a + b)),
    "plus_darker": lambda s, d, a, b: (
        max(0, min(1, a + b) - ((a - s) + (b - d))), min(1, a + b),
    ),
    "minus": lambda s, d, a, b: (d - s, b - a),
    "minus_clamped": lambda s, d, a, b: (max(0, d - s), max(0, b - a)),
    "contrast": lambda s, d, a, b: (b / 2 + 2 * (d - b / 2) * (s - a / 2), b),
    "invert_ovg": lambda s, d, a, b: (a * (1 - d) + (1 - a) * d, a + b - a * b),
}  # fmt: skip
CHANNELS = ("red", "green", "blue")
HSL = ("hsl_hue", "hsl_saturation", "hsl_color", "hsl_luminosity")
Shares = Callable[[float, float], tuple[float, float, float]]
SHARES: dict[str, Shares] = {
    "uncorrelated": lambda a, b: (a * b, a * (1 - b), b * (1 - a)),
    "conjoint": lambda a, b: (min(a, b), max(a - b, 0), max(b - a, 0)),
    "disjoint": lambda a, b: (max(a + b - 1, 0), min(a, 1 - b), min(b, 1 - a)),
}
LEVELS = (0.0, 0.125, 0.25, 0.5, 0.625, 1.0)
ALPHAS = (0.0, 0.25, 0.75, 1.0)


def one(op: str, s: Any, d: Any, a: float, b: float, **more: Any) -> list[float]:
    """Return the result for colours that are not premultiplied."""
    source = np.array([[*s, a]], np.float32)
    destination = np.array([[*d, b]], np.float32)
    more = {"premultiplied": (False, False), "overlap": "uncorrelated", **more}
    found: list[float] = advanced(op, source, destination, **more)[0].tolist()
    return found


def test_every_operation_has_its_formula() -> None:
    assert {*SEPARABLE, *OWN, *CHANNELS, *HSL} == ADVANCED


def many(op: str, cases: Sequence[tuple[float, ...]], premultiplied: bool, overlap: str) -> Any:
    """Return the results for grey colours: source, destination, and the alpha of both."""
    s, d, a, b = (np.array(each, np.float32) for each in zip(*cases, strict=True))
    source, destination = np.stack([s, s, s, a], axis=1), np.stack([d, d, d, b], axis=1)
    return advanced(op, source, destination, (premultiplied, premultiplied), overlap)


def test_operations_of_single_channels() -> None:
    cases = [*product(LEVELS, LEVELS, ALPHAS[1:3], ALPHAS[1:3])]
    for op, ((x, y, z), function) in SEPARABLE.items():
        for overlap, shares in SHARES.items():
            expected = []
            for s, d, a, b in cases:
                p0, p1, p2 = shares(a, b)
                colour = function(s, d) * p0 + y * s * p1 + z * d * p2
                expected.append([colour] * 3 + [x * p0 + y * p1 + z * p2])
            found = many(op, cases, False, overlap)
            assert np.abs(found - np.array(expected)).max() < 1e-6, (op, overlap)


def test_premultiplied_colours_are_divided_by_their_alpha() -> None:
    """A colour of alpha 0 is 0; otherwise the result is that of the divided colours."""
    for op in ("multiply", "screen", "hsl_color"):
        source = np.array([[0.25, 0.125, 0.5, 0.5]], np.float32)
        destination = np.array([[0.125, 0.25, 0.0625, 0.25]], np.float32)
        found = advanced(op, source, destination, (True, True), "uncorrelated")[0]
        expected = one(op, [0.5, 0.25, 1.0], [0.5, 1.0, 0.25], 0.5, 0.25)
        assert found.tolist() == pytest.approx(expected, abs=1e-6)
        clear = np.array([[0.5, 0.5, 0.5, 0.0]], np.float32)
        assert np.isfinite(advanced(op, clear, clear, (True, True), "uncorrelated")).all()


def test_operations_with_formulas_of_their_own() -> None:
    cases = [*product(LEVELS, LEVELS, ALPHAS, ALPHAS)]
    for op, formula in OWN.items():
        made = [formula(*case) for case in cases]
        wanted = np.array([[colour] * 3 + [alpha] for colour, alpha in made])
        assert np.abs(many(op, cases, True, "uncorrelated") - wanted).max() < 1e-6, op
    for at, op in enumerate(CHANNELS):
        expected = [0.25, 0.5, 0.75, 0.5]
        expected[at] = 1.0
        found = one(op, [1.0] * 3, [0.25, 0.5, 0.75], 1.0, 0.5,
                    premultiplied=(True, True))  # fmt: skip
        assert found == expected


def level(colour: Any) -> float:
    return float(np.dot(colour, [0.30, 0.59, 0.11]))


def test_hue_saturation_and_luminosity() -> None:
    """Each operation takes one or two of the three from the source; no clipping occurs here."""
    s, d = [0.5, 0.25, 0.375], [0.375, 0.5, 0.4375]
    found = {op: one(op, s, d, 1.0, 1.0)[:3] for op in HSL}
    spans = {op: max(rgb) - min(rgb) for op, rgb in found.items()}
    assert level(found["hsl_luminosity"]) == pytest.approx(level(s), abs=1e-6)
    for op in ("hsl_hue", "hsl_saturation", "hsl_color"):
        assert level(found[op]) == pytest.approx(level(d), abs=1e-6)
    assert spans["hsl_hue"] == pytest.approx(0.125, abs=1e-6)  # of the destination
    assert spans["hsl_saturation"] == pytest.approx(0.25, abs=1e-6)  # of the source
    assert spans["hsl_color"] == pytest.approx(0.25, abs=1e-6)
    assert np.argsort(found["hsl_hue"]).tolist() == np.argsort(s).tolist()
    assert np.argsort(found["hsl_saturation"]).tolist() == np.argsort(d).tolist()


def test_luminosity_out_of_range_moves_colours_towards_grey() -> None:
    found = one("hsl_luminosity", [1.0, 1.0, 1.0], [1.0, 0.0, 0.0], 1.0, 1.0)
    assert found[:3] == pytest.approx([1.0] * 3, abs=1e-6)
    found = one("hsl_color", [1.0, 0.0, 0.0], [0.5] * 3, 1.0, 1.0)
    assert level(found[:3]) == pytest.approx(0.5, abs=1e-6)
    assert max(found[:3]) == pytest.approx(1.0, abs=1e-6)


def test_a_draw_with_an_advanced_operation() -> None:
    """By the name of Vulkan or of scripts; colours are clamped to the range of the target."""
    for name in ("VK_BLEND_OP_LINEARDODGE_EXT", "linear_dodge"):
        target = np.full((4, 4, 4), 51, np.uint8)
        target[..., 3] = 255
        layers([[0.25, 2.0, 0.8, 1.0]], target, blend=Blend(blend_op=name))
        assert target[0, 0].tolist() == [115, 255, 255, 255]
    state = BlendState(Blend(blend_op="plus"), src_premultiplied=False)
    target = np.zeros((4, 4, 4), np.float32)
    layers([[0.5, 1.0, 0.25, 0.5]], target, blend=state)
    assert target[0, 0].tolist() == [0.25, 0.5, 0.125, 0.5]


def test_colour_and_alpha_have_one_operation() -> None:
    with pytest.raises(UsageError, match="blend_op_alpha: expected screen as for colours, got max"):
        Blend(blend_op="screen", blend_op_alpha="max")
    with pytest.raises(UsageError, match="blend_op_alpha: expected add as for colours, got screen"):
        Blend(blend_op_alpha="screen")
