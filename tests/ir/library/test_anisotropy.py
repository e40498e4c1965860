"""Anisotropic filters, minima and maxima, compared with the formulas in Python.

The footprint is the specification's orthogonal ellipse (Direct3D 11.3 functional specification,
section 7.18.11); the probes are described in `ir.library.footprint`.
"""

import math
from typing import Any

import numpy as np
import pytest

from tests.ir.library.images import Image, red
from tests.ir.library.sampled import operation, reds, sampled
from unshade.ir.library.sampling import Address, Filter, Reduction, SamplerState
from unshade.ir.textures import Action, Level, Shape, TextureDeclaration
from unshade.ir.types import F32, I32

pytestmark = pytest.mark.slow  # compiles a kernel for each case

PLANE = TextureDeclaration("t0", Shape.D2, F32)
CUBE = TextureDeclaration("t0", Shape.CUBE, F32)
GRADIENT = operation(Action.SAMPLE, PLANE, level=Level.GRADIENT)
WRAP = (Address.WRAP,) * 3
SIZE = 8
NUMBERS = np.random.default_rng(5).random((SIZE, SIZE)).astype(np.float32)
Row = tuple[float, ...]


def levels(first: Any) -> list[object]:
    """Return mip levels, each texel the mean of four."""
    found: list[Any] = []
    now: Any = first
    while True:
        found.append(now)
        if now.shape[0] == 1:
            return [red(*each.reshape(-1)) for each in found]
        now = (now[::2, ::2] + now[1::2, ::2] + now[::2, 1::2] + now[1::2, 1::2]) / 4


IMAGE = Image(levels(NUMBERS), (SIZE, SIZE, 1))
SINGLE = Image([red(*NUMBERS.reshape(-1))], (SIZE, SIZE, 1))


def ellipse(dx: Row, dy: Row) -> tuple[float, float, tuple[float, float]]:
    """Return the lengths of both axes, and the longer one as a step."""
    across = SIZE * np.array([dx, dy], np.float64)
    u, lengths, _ = np.linalg.svd(across.T @ across)
    longer, shorter = (math.sqrt(max(0.0, each)) for each in lengths)
    direction = u[:, 0] * longer / SIZE
    return longer, shorter, (float(direction[0]), float(direction[1]))


def expected(rows: list[Row], state: SamplerState, most: int) -> list[float]:
    """Return the mean of probes that are sampled one by one, linearly at an explicit level."""
    what = operation(Action.SAMPLE, PLANE, level=Level.EXPLICIT)
    linear = SamplerState(address=state.address, reduction=state.reduction)
    found = []
    for u, v, *steps in rows:
        longer, shorter, axis = ellipse((steps[0], steps[1]), (steps[2], steps[3]))
        shorter = max(shorter, longer / most)
        count = max(1, math.ceil(min(longer / shorter, longer) - 1 / 256))
        lod = math.log2(shorter)
        probes = [
            (u + axis[0] * ((at + 0.5) / count - 0.5), v + axis[1] * ((at + 0.5) / count - 0.5),
             lod)
            for at in range(count)
        ]  # fmt: skip
        values = reds(sampled(IMAGE, linear, what, probes))
        if state.reduction is Reduction.MEAN:
            found.append(sum(values) / count)
        else:
            found.append(min(values) if state.reduction is Reduction.MINIMUM else max(values))
    return found


ROWS: list[Row] = [
    (0.3, 0.4, 0.5, 0.0, 0.0, 0.125),  # 4 texels by 1
    (0.3, 0.4, 0.0, 0.125, 0.5, 0.0),
    (0.7, 0.2, 0.25, 0.25, -0.0625, 0.0625),  # along the diagonal
    (0.7, 0.2, 0.25, -0.25, 0.0625, 0.125),  # steps that are no axes
    (0.1, 0.9, 1.0, 0.1, 0.02, 0.01),  # narrower than a sampler allows
    (0.5, 0.5, 0.05, 0.0, 0.0, 0.01),  # larger than the texture
    (0.5, 0.5, 0.3, 0.1, 0.6, 0.2),  # a line
]


@pytest.mark.parametrize("most", [2, 4, 16])
@pytest.mark.parametrize("reduction", list(Reduction))
def test_probes_are_on_the_longer_axis(most: int, reduction: Reduction) -> None:
    state = SamplerState(address=WRAP, anisotropy=most, reduction=reduction)
    found = reds(sampled(IMAGE, state, GRADIENT, ROWS))
    assert found == pytest.approx(expected(ROWS, state, most), abs=2e-5)


def test_a_ratio_of_one_is_linear() -> None:
    linear = sampled(IMAGE, SamplerState(address=WRAP), GRADIENT, ROWS)
    none = sampled(IMAGE, SamplerState(address=WRAP, anisotropy=1), GRADIENT, ROWS)
    assert none.tolist() == linear.tolist()


def test_round_footprints_are_linear() -> None:
    rows: list[Row] = [(0.3, 0.4, d, 0.0, 0.0, d) for d in (0.0, 0.0625, 0.25, 0.5, 1.0, 4.0)]
    linear = sampled(IMAGE, SamplerState(address=WRAP), GRADIENT, rows)
    found = sampled(IMAGE, SamplerState(address=WRAP, anisotropy=16), GRADIENT, rows)
    assert found.tolist() == linear.tolist()


def test_an_explicit_level_has_no_footprint() -> None:
    what = operation(Action.SAMPLE, PLANE, level=Level.EXPLICIT)
    rows: list[Row] = [(0.3, 0.4, lod) for lod in (0.0, 0.5, 2.0)]
    linear = sampled(IMAGE, SamplerState(), what, rows)
    assert sampled(IMAGE, SamplerState(anisotropy=16), what, rows).tolist() == linear.tolist()


def test_one_level_is_probed_too() -> None:
    """Four texels of level 0, at their centres."""
    state = SamplerState(address=WRAP, anisotropy=16)
    rows: list[Row] = [(0.25, 0.3125, 0.5, 0.0, 0.0, 0.01)]
    found = reds(sampled(SINGLE, state, GRADIENT, rows))
    assert found == pytest.approx([float(NUMBERS[2, 0:4].mean())], abs=1e-6)


def test_nan_steps_select_the_smallest_level() -> None:
    state = SamplerState(address=WRAP, anisotropy=16)
    rows: list[Row] = [(0.3, 0.3, each, 0.0, 0.0, 0.1) for each in (math.nan, math.inf, 1e30)]
    assert reds(sampled(IMAGE, state, GRADIENT, rows)) == pytest.approx([NUMBERS.mean()] * 3)


def test_comparisons_are_averaged() -> None:
    state = SamplerState(address=WRAP, anisotropy=16, comparison="less")
    what = operation(Action.SAMPLE, PLANE, level=Level.GRADIENT, compare=True)
    rows: list[Row] = [(0.25, 0.3125, 0.5, 0.5, 0.0, 0.0, 0.01)]
    found = reds(sampled(SINGLE, state, what, rows))
    assert found == pytest.approx([float((NUMBERS[2, 0:4] > 0.5).mean())])


def test_bias_and_clamps_apply_after_the_footprint() -> None:
    rows: list[Row] = [(0.3, 0.4, 0.5, 0.0, 0.0, 0.125)]
    smallest = SamplerState(address=WRAP, anisotropy=4, least=3.0)
    assert reds(sampled(IMAGE, smallest, GRADIENT, rows)) == pytest.approx([NUMBERS.mean()])
    biased = SamplerState(address=WRAP, anisotropy=4, bias=8.0)
    assert reds(sampled(IMAGE, biased, GRADIENT, rows)) == pytest.approx([NUMBERS.mean()])


def test_cubes_are_probed_across_edges() -> None:
    """A line across the edge of two faces, one 0 and one 1."""
    faces = np.zeros((6, 4, 4), np.float32)
    faces[0] = 1.0
    image = Image([red(*faces.reshape(-1))], (4, 4, 6))
    what = operation(Action.SAMPLE, CUBE, level=Level.GRADIENT)
    state = SamplerState(anisotropy=16)
    step = (0.5, 0.0, -0.5)  # from +z to +x
    rows: list[Row] = [
        (1.0, 0.0, 1.0, *step, 0.0, 0.01, 0.0),
        (1.0, 0.0, 0.2, *step, 0.0, 0.01, 0.0),
        (0.2, 0.0, 1.0, 0.0, 0.01, 0.0, *step),
    ]
    found = reds(sampled(image, state, what, rows))
    assert found[0] == pytest.approx(0.5, abs=0.1)
    assert (found[1], found[2]) == (1.0, 0.0)


def test_3d_and_integer_textures_are_not_anisotropic() -> None:
    numbers = np.arange(4 * 16, dtype=np.uint32).reshape(16, 4)
    image = Image([numbers], (4, 4, 1))
    what = operation(Action.SAMPLE, TextureDeclaration("t0", Shape.D2, I32), level=Level.GRADIENT)
    rows: list[Row] = [(0.3, 0.3, 0.5, 0.0, 0.0, 0.1)]
    assert sampled(image, SamplerState(anisotropy=8), what, rows)[0].tolist() == [20, 21, 22, 23]


# ---------------------------------------------------------------- least and greatest

FOUR = Image([red(10, 20, 30, 40)], (4, 1, 1))
LINE = TextureDeclaration("t0", Shape.D1, F32)
ONE = operation(Action.SAMPLE, LINE, level=Level.ZERO)


@pytest.mark.parametrize(
    ("reduction", "wanted"),
    [(Reduction.MINIMUM, [10, 10, 20, 20, 7]), (Reduction.MAXIMUM, [10, 20, 20, 30, 40])],
)
def test_texels_without_weight_are_ignored(reduction: Reduction, wanted: list[float]) -> None:
    state = SamplerState(
        address=(Address.BORDER,) * 3, border=(7.0, 0.0, 0.0, 0.0), reduction=reduction
    )
    rows: list[Row] = [(0.125,), (0.2,), (0.375,), (0.38,), (0.99,)]
    assert reds(sampled(FOUR, state, ONE, rows)) == wanted


def test_the_last_weight_below_zero() -> None:
    """The position rounds to the centre of the next texel: the first has no weight."""
    image = Image([red(5, 50)], (2, 1, 1))
    state = SamplerState(address=WRAP, reduction=Reduction.MAXIMUM)
    assert reds(sampled(image, state, ONE, [(0.25 - 2**-27,)])) == [5.0]


def test_levels_without_weight_are_ignored() -> None:
    image = Image([red(0, 0, 0, 0), red(100, 100), red(200)], (4, 1, 1))
    what = operation(Action.SAMPLE, LINE, level=Level.EXPLICIT)
    rows: list[Row] = [(0.5, lod) for lod in (0.0, 0.5, 1.0, 1.5)]
    for reduction, wanted in (
        (Reduction.MINIMUM, [0, 0, 100, 100]), (Reduction.MAXIMUM, [0, 100, 100, 200])
    ):  # fmt: skip
        assert reds(sampled(image, SamplerState(reduction=reduction), what, rows)) == wanted


def test_point_filters_use_one_texel() -> None:
    point = SamplerState(Filter.POINT, Filter.POINT, Filter.POINT, reduction=Reduction.MINIMUM)
    assert reds(sampled(FOUR, point, ONE, [(0.3,), (0.6,)])) == [20.0, 30.0]


def test_corners_of_a_cube_use_three_texels() -> None:
    faces = np.zeros((6, 4, 4), np.float32)
    faces[0], faces[2], faces[4] = 1.0, 2.0, 3.0
    image = Image([red(*faces.reshape(-1))], (4, 4, 6))
    what = operation(Action.SAMPLE, CUBE, level=Level.ZERO)
    rows: list[Row] = [(1.0, 1.0, 1.0)]
    for reduction, wanted in ((Reduction.MINIMUM, 1.0), (Reduction.MAXIMUM, 3.0)):
        assert reds(sampled(image, SamplerState(reduction=reduction), what, rows)) == [wanted]
