"""Sampling of textures of a few texels, with values computed by hand.

A linear filter of a texture of n texels is halfway between texels i and i + 1 at
u * n = i + 1. Source: Direct3D 11.3 functional specification, sections 7.18 and 22.4.
"""

import math

import numpy as np
import pytest

from tests.ir.library.images import Image, red
from tests.ir.library.sampled import operation, reds, sampled
from unshade.ir.library.sampling import COMPARISONS, Address, Filter, SamplerState
from unshade.ir.textures import Action, Level, Sample, Shape, TextureDeclaration
from unshade.ir.types import F32, I32

pytestmark = pytest.mark.heavy

INF, NAN = math.inf, math.nan
POINT, LINEAR = Filter.POINT, Filter.LINEAR
LINE = TextureDeclaration("t0", Shape.D1, F32)
PLANE = TextureDeclaration("t0", Shape.D2, F32)
SOLID = TextureDeclaration("t0", Shape.D3, F32)
FOUR = Image([red(10, 20, 30, 40)], (4, 1, 1))
ONE = operation(Action.SAMPLE, LINE, level=Level.ZERO)


def point(address: Address, **fields: object) -> SamplerState:
    return SamplerState(POINT, POINT, POINT, (address,) * 3, **fields)  # type: ignore[arg-type]


def linear(address: Address, **fields: object) -> SamplerState:
    return SamplerState(LINEAR, LINEAR, LINEAR, (address,) * 3, **fields)  # type: ignore[arg-type]


# ---------------------------------------------------------------- addresses

PLACES = (0.125, 0.375, 0.99, 1.0, 1.125, 1.99, 2.125, -0.01, -0.125, -0.99, -1.125, -2.125)
POINTS: dict[Address, list[float]] = {
    Address.WRAP: [10, 20, 40, 10, 10, 40, 10, 40, 40, 10, 40, 40],
    Address.MIRROR: [10, 20, 40, 40, 40, 10, 10, 10, 10, 40, 40, 10],
    Address.CLAMP: [10, 20, 40, 40, 40, 40, 40, 10, 10, 10, 10, 10],
    Address.BORDER: [10, 20, 40, 7, 7, 7, 7, 7, 7, 7, 7, 7],
    Address.MIRROR_ONCE: [10, 20, 40, 40, 40, 40, 40, 10, 10, 40, 40, 40],
}


@pytest.mark.parametrize("address", POINTS)
def test_single_texels(address: Address) -> None:
    state = point(address, border=(7.0, 0.0, 0.0, 0.0))
    assert reds(sampled(FOUR, state, ONE, [(u,) for u in PLACES])) == POINTS[address]


BETWEEN = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, -0.25, -1.25, 2.25)
FILTERED: dict[Address, list[float]] = {
    Address.WRAP: [25, 15, 25, 35, 25, 15, 35, 35, 15],
    Address.MIRROR: [10, 15, 25, 35, 40, 35, 15, 35, 15],
    Address.CLAMP: [10, 15, 25, 35, 40, 40, 10, 10, 40],
    Address.BORDER: [5, 15, 25, 35, 20, 0, 0, 0, 0],
    Address.MIRROR_ONCE: [10, 15, 25, 35, 40, 40, 15, 40, 40],
}


@pytest.mark.parametrize("address", FILTERED)
def test_between_texels(address: Address) -> None:
    assert reds(sampled(FOUR, linear(address), ONE, [(u,) for u in BETWEEN])) == FILTERED[address]


def test_weights() -> None:
    rows = [(0.125 + 0.25 * weight,) for weight in (0.0, 0.25, 0.5, 0.75)]
    assert reds(sampled(FOUR, linear(Address.CLAMP), ONE, rows)) == [10.0, 12.5, 15.0, 17.5]


FAR = (1e10, -1e10, INF, -INF, NAN)
FURTHEST: dict[Address, list[float]] = {
    Address.WRAP: [25, 25, 10, 10, 10],  # a large number is a whole one
    Address.MIRROR: [10, 10, 10, 10, 10],
    Address.CLAMP: [40, 10, 40, 10, 10],
    Address.BORDER: [7, 7, 7, 7, 10],
    Address.MIRROR_ONCE: [40, 40, 40, 40, 10],
}


@pytest.mark.parametrize("address", FURTHEST)
def test_distant_coordinates(address: Address) -> None:
    """NaN is position 0, the first texel with full weight."""
    state = linear(address, border=(7.0, 0.0, 0.0, 0.0))
    assert reds(sampled(FOUR, state, ONE, [(u,) for u in FAR])) == FURTHEST[address]


OFFSETS = (-8, -7, -1, 1, 3, 4, 5, 7)
MOVED: dict[Address, list[float]] = {  # from the first texel
    Address.WRAP: [10, 20, 40, 20, 40, 10, 20, 40],
    Address.MIRROR: [10, 20, 10, 20, 40, 40, 30, 10],
    Address.CLAMP: [10, 10, 10, 20, 40, 40, 40, 40],
    Address.BORDER: [7, 7, 7, 20, 40, 7, 7, 7],
    Address.MIRROR_ONCE: [40, 40, 10, 20, 40, 40, 40, 40],
}


@pytest.mark.slow
@pytest.mark.parametrize("address", MOVED)
def test_offsets(address: Address) -> None:
    state = point(address, border=(7.0, 0.0, 0.0, 0.0))
    found = [
        reds(sampled(FOUR, state, operation(
            Action.SAMPLE, LINE, level=Level.ZERO, offset=(offset, 5, 5)), [(0.125,)]))[0]
        for offset in OFFSETS
    ]  # fmt: skip
    assert found == MOVED[address]
    moving = operation(Action.SAMPLE, LINE, level=Level.ZERO, moving=True)
    rows = [(0.125, offset) for offset in OFFSETS]
    assert reds(sampled(FOUR, state, moving, rows, integers=1)) == MOVED[address]


@pytest.mark.parametrize("address", [Address.WRAP, Address.MIRROR, Address.CLAMP])
def test_a_single_texel_covers_all_coordinates(address: Address) -> None:
    single = Image([red(5)], (1, 1, 1))
    rows = [(u,) for u in (0.0, 0.3, 0.5, 0.99, 1.0, -3.7, 11.2)]
    assert reds(sampled(single, linear(address), ONE, rows)) == [5.0] * 7


def test_each_axis_has_its_own_address_mode() -> None:
    image = Image([red(*range(8))], (2, 2, 2))
    state = SamplerState(
        POINT, POINT, POINT, (Address.WRAP, Address.CLAMP, Address.BORDER),
        border=(9.0, 0.0, 0.0, 0.0),
    )  # fmt: skip
    what = operation(Action.SAMPLE, SOLID, level=Level.ZERO)
    rows = [(1.25, 1.75, 0.75), (0.25, 0.25, 1.25), (-0.25, -0.25, 0.25)]
    assert reds(sampled(image, state, what, rows)) == [6.0, 9.0, 1.0]


@pytest.mark.slow
def test_planes_and_solids() -> None:
    """Weights of the axes multiply; v points down, w back."""
    plane = Image([red(0, 1, 2, 3)], (2, 2, 1))
    what = operation(Action.SAMPLE, PLANE, level=Level.ZERO)
    rows = [(0.5, 0.5), (0.25, 0.5), (0.5, 0.25), (0.375, 0.625)]
    assert reds(sampled(plane, linear(Address.CLAMP), what, rows)) == [1.5, 1.0, 0.5, 1.75]
    solid = Image([red(*range(8))], (2, 2, 2))
    what = operation(Action.SAMPLE, SOLID, level=Level.ZERO)
    rows3 = [(0.5, 0.5, 0.5), (0.25, 0.25, 0.5), (0.25, 0.5, 0.25)]
    assert reds(sampled(solid, linear(Address.CLAMP), what, rows3)) == [3.5, 2.0, 1.0]


def test_layers_are_rounded_to_even_and_clamped() -> None:
    image = Image([red(0, 1, 2, 3)], (1, 1, 4))
    what = operation(
        Action.SAMPLE, TextureDeclaration("t0", Shape.D2, F32, layered=True), level=Level.ZERO
    )
    layers = (0.5, 1.5, 2.5, 1.4, -3.0, 9.0, NAN, INF)
    rows = [(0.5, 0.5, layer) for layer in layers]
    found = reds(sampled(image, linear(Address.CLAMP), what, rows))
    assert found == [0.0, 2.0, 2.0, 1.0, 0.0, 3.0, 0.0, 3.0]


def test_infinite_texels_with_full_weight_are_kept() -> None:
    image = Image([red(INF, 1, NAN, 3)], (4, 1, 1))
    found = reds(sampled(image, point(Address.CLAMP), ONE, [(0.1,), (0.3,), (0.6,), (0.9,)]))
    assert (found[0], found[1], found[3]) == (INF, 1.0, 3.0)
    assert math.isnan(found[2])


# ---------------------------------------------------------------- levels

LEVELS = Image([red(0, 0, 0, 0), red(100, 100), red(200)], (4, 1, 1))
EXPLICIT = operation(Action.SAMPLE, LINE, level=Level.EXPLICIT)
DETAILS = (-1.0, 0.0, 0.25, 0.5, 1.0, 1.75, 5.0, INF, -INF, NAN)


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({}, [0, 0, 25, 50, 100, 175, 200, 200, 0, 200]),
        ({"between": POINT}, [0, 0, 0, 100, 100, 200, 200, 200, 0, 200]),
        ({"least": 1.0}, [100, 100, 100, 100, 100, 175, 200, 200, 100, 200]),
        ({"most": 0.5}, [0, 0, 25, 50, 50, 50, 50, 50, 0, 50]),
        ({"least": 2.0, "most": 1.0}, [200] * 10),
        ({"bias": 1.0}, [0, 100, 125, 150, 200, 200, 200, 200, 0, 200]),
        ({"bias": -0.5}, [0, 0, 0, 0, 50, 125, 200, 200, 0, 200]),
    ],
)
def test_levels(fields: dict[str, object], wanted: list[float]) -> None:
    state = SamplerState(**fields)  # type: ignore[arg-type]
    assert reds(sampled(LEVELS, state, EXPLICIT, [(0.5, lod) for lod in DETAILS])) == wanted


@pytest.mark.slow
def test_level_zero_is_biased_and_clamped() -> None:
    for fields, wanted in (({}, 0.0), ({"bias": 1.0}, 100.0), ({"least": 2.0}, 200.0)):
        state = SamplerState(**fields)  # type: ignore[arg-type]
        assert reds(sampled(LEVELS, state, ONE, [(0.5,)])) == [wanted]


@pytest.mark.slow
def test_an_instruction_may_clamp() -> None:
    what = operation(Action.SAMPLE, LINE, level=Level.EXPLICIT, clamped=True)
    rows = [(0.5, 0.0, 1.0), (0.5, 1.75, 1.0), (0.5, 0.0, 9.0)]
    assert reds(sampled(LEVELS, SamplerState(), what, rows)) == [100.0, 175.0, 200.0]
    assert reds(sampled(LEVELS, SamplerState(most=0.5), what, rows)) == [100.0, 100.0, 200.0]


@pytest.mark.slow
def test_magnification_and_minification_filters_may_differ() -> None:
    """The clamped level selects the filter."""
    state = SamplerState(magnify=POINT, minify=LINEAR)
    rows = [(0.25, lod) for lod in (-1.0, 0.0, 0.001)]
    assert reds(sampled(FOUR, state, EXPLICIT, rows)) == [20.0, 20.0, 15.0]
    least = SamplerState(magnify=POINT, minify=LINEAR, least=0.5)
    assert reds(sampled(FOUR, least, EXPLICIT, rows)) == [15.0, 15.0, 15.0]
    turned = SamplerState(magnify=LINEAR, minify=POINT)
    assert reds(sampled(FOUR, turned, EXPLICIT, rows)) == [15.0, 15.0, 20.0]


def test_gradients() -> None:
    """The longer step determines the level, in texels of level 0."""
    image = Image([red(*[0] * 32), red(*[100] * 8), red(*[200] * 2), red(300)], (8, 4, 1))
    what = operation(Action.SAMPLE, PLANE, level=Level.GRADIENT)
    rows = [
        (0.5, 0.5, 0.25, 0.0, 0.0, 0.25),  # 2 texels, 1 texel
        (0.5, 0.5, 0.0, 0.0, 0.0, 1.0),  # 4
        (0.5, 0.5, 0.375, 1.0, 0.0, 0.0),  # 3 and 4: 5
        (0.5, 0.5, 0.0, 0.0, 0.0, 0.0),
    ]
    found = reds(sampled(image, SamplerState(), what, rows))
    assert (found[0], found[1], found[3]) == (100.0, 200.0, 0.0)
    assert found[2] == pytest.approx(100 * math.log2(5), rel=1e-6)


@pytest.mark.slow
def test_gradients_of_3d_textures() -> None:
    image = Image([red(*[0] * 64), red(*[100] * 8), red(200)], (4, 4, 4))
    what = operation(Action.SAMPLE, SOLID, level=Level.GRADIENT)
    rows = [(0.5, 0.5, 0.5, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0)]
    assert reds(sampled(image, SamplerState(), what, rows)) == [100.0]


# ---------------------------------------------------------------- comparison, border, formats

OUTCOMES = {
    "never": [0, 0, 0], "always": [1, 1, 1], "less": [0, 0, 1], "less_equal": [0, 1, 1],
    "greater": [1, 0, 0], "greater_equal": [1, 1, 0], "equal": [0, 1, 0], "not_equal": [1, 0, 1],
}  # fmt: skip


def test_every_comparison() -> None:
    assert {"never", "always", *COMPARISONS} == set(OUTCOMES)


@pytest.mark.parametrize("comparison", OUTCOMES)
def test_comparison(comparison: str) -> None:
    """The reference is on the left, the texel on the right: 2 with 1, 2 and 3."""
    image = Image([red(1, 2, 3, 3)], (4, 1, 1))
    what = operation(Action.SAMPLE, LINE, level=Level.ZERO, compare=True)
    state = point(Address.CLAMP, comparison=comparison)
    rows = [(u, 2.0) for u in (0.1, 0.3, 0.6)]
    assert reds(sampled(image, state, what, rows)) == OUTCOMES[comparison]


def test_comparison_comes_before_the_filter() -> None:
    image = Image([red(1, 2, 3, 3)], (4, 1, 1))
    what = operation(Action.SAMPLE, LINE, level=Level.ZERO, compare=True)
    state = linear(Address.BORDER, comparison="less_equal", border=(5.0, 0.0, 0.0, 0.0))
    rows = [(0.25, 2.0), (0.5, 2.0), (0.0, 2.0), (0.25, NAN), (0.3125, 2.5)]
    assert reds(sampled(image, state, what, rows)) == [0.5, 1.0, 0.5, 0.0, 0.0]


def test_a_reference_is_clamped_to_the_format() -> None:
    image = Image([red(1.0, 0.0)], (2, 1, 1), range=(0.0, 1.0))
    what = operation(Action.SAMPLE, LINE, level=Level.ZERO, compare=True)
    state = point(Address.CLAMP, comparison="less_equal")
    rows = [(0.25, 1.5), (0.75, -3.0), (0.75, NAN), (0.75, 0.5)]
    assert reds(sampled(image, state, what, rows)) == [1.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("components", "range", "wanted"),
    [
        (4, None, [-3.0, 2.0, 0.5, 0.75]),
        (2, None, [-3.0, 2.0, 0.0, 1.0]),
        (1, (-1.0, 1.0), [-1.0, 0.0, 0.0, 1.0]),
        (4, (0.0, 1.0), [0.0, 1.0, 0.5, 0.75]),
    ],
)
def test_border_colours(
    components: int, range: tuple[float, float] | None, wanted: list[float]
) -> None:
    """Border colours are cut to the components and range of the format."""
    image = Image([red(1)], (1, 1, 1), components=components, range=range)
    state = point(Address.BORDER, border=(-3.0, 2.0, 0.5, 0.75))
    found = sampled(image, state, ONE, [(1.5,)])
    assert found[0].view(np.float32).tolist() == wanted


def test_integers_are_never_filtered() -> None:
    image = Image([np.arange(16, dtype=np.uint32).reshape(4, 4)], (4, 1, 1))
    what = operation(Action.SAMPLE, TextureDeclaration("t0", Shape.D1, I32), level=Level.ZERO)
    found = sampled(image, linear(Address.WRAP), what, [(0.25,), (1.9,)])
    assert found.tolist() == [[4, 5, 6, 7], [12, 13, 14, 15]]


# ---------------------------------------------------------------- gather, fetch, sizes


def test_gather() -> None:
    """Counter-clockwise from below left, below meaning greater v; level 0 alone."""
    image = Image([red(*range(16)), red(9, 9, 9, 9)], (4, 4, 1))
    what = operation(Action.GATHER, PLANE)
    rows = [(0.5, 0.5), (0.375, 0.375), (0.0, 0.0)]
    state = SamplerState(POINT, POINT, POINT, (Address.WRAP, Address.CLAMP, Address.WRAP), least=1)
    found = sampled(image, state, what, rows).view(np.float32).tolist()
    assert found == [[9, 10, 6, 5], [9, 10, 6, 5], [3, 0, 0, 3]]
    shadow = operation(Action.GATHER, PLANE, compare=True)
    state = SamplerState(POINT, POINT, POINT, comparison="less")
    found = sampled(image, state, shadow, [(0.5, 0.5, 6.0)]).view(np.float32).tolist()
    assert found == [[1, 1, 0, 0]]


def test_fetch() -> None:
    image = Image([red(*range(8)), red(100, 101)], (4, 2, 1), components=3)
    what = Sample(Action.FETCH, PLANE, level=Level.EXPLICIT)
    rows = [(3, 1, 0), (1, 0, 1), (4, 0, 0), (0, 2, 0), (-1, 0, 0), (0, 0, 2), (2, 0, 1), (0, 1, 1)]
    found = sampled(image, SamplerState(), what, rows).view(np.float32).tolist()
    outside = [0.0, 0.0, 0.0, 1.0]
    assert found[:2] == [[7.0, 0.5, 0.25, 1.0], [101.0, 0.5, 0.25, 1.0]]
    assert found[2:] == [outside] * 6


def test_sizes() -> None:
    image = Image([red(*range(40)), red(*range(8))], (5, 4, 2))
    what = Sample(
        Action.SIZE, TextureDeclaration("t0", Shape.D2, F32, layered=True), level=Level.EXPLICIT
    )
    found = sampled(image, SamplerState(), what, [(0,), (1,), (2,), (-1,)]).tolist()
    assert found == [[5, 4, 2, 2], [2, 2, 2, 2], [0, 0, 0, 2], [0, 0, 0, 2]]


def test_samples() -> None:
    """Samples of a texel are adjacent."""
    image = Image([red(*range(8))], (2, 2, 1), samples=2)
    what = Sample(Action.FETCH, PLANE, level=Level.ZERO)
    rows = [(1, 0, 0), (1, 0, 1), (0, 1, 1), (0, 1, 2)]
    assert reds(sampled(image, SamplerState(), what, rows)) == [2.0, 3.0, 5.0, 0.0]
