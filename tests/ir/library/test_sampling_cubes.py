"""Cube maps: face and texel of a direction, and filters across edges and corners.

Texels beyond an edge are derived here from the geometry of the cube: the texel of the adjacent
face that shares the edge. Source: Direct3D 11.3 functional specification, sections 7.18.7, 7.18.11
and 7.18.12.
"""

import math

import numpy as np
import pytest

from tests.ir.library.images import Image, red
from tests.ir.library.sampled import operation, reds, sampled
from unshade.ir.library.sampling import Filter, SamplerState
from unshade.ir.textures import Action, Level, Shape, TextureDeclaration
from unshade.ir.types import F32

pytestmark = pytest.mark.slow  # compiles a kernel for each case

POINT = SamplerState(Filter.POINT, Filter.POINT, Filter.POINT)
LINEAR = SamplerState()
CUBE = TextureDeclaration("t0", Shape.CUBE, F32)
SAMPLE = operation(Action.SAMPLE, CUBE, level=Level.ZERO)
Vector = tuple[float, float, float]
# Of each face: the direction of its middle, of growing u, of growing v.
FACES: list[tuple[Vector, Vector, Vector]] = [
    ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    ((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
]
SIZE = 4


def direction(face: int, s: float, t: float, major: float = 1.0) -> Vector:
    """Return the direction of a point on a face, s and t from -1 to 1."""
    middle, right, down = FACES[face]
    x, y, z = (major * m + s * r + t * d for m, r, d in zip(middle, right, down, strict=True))
    return x, y, z


def centre(number: int) -> float:
    return (2 * number + 1) / SIZE - 1


def value(face: int, column: int, row: int) -> float:
    return 100.0 * face + 10 * column + row


def texel(vector: Vector) -> float:
    """Return the texel of a direction."""
    scores = [sum(m * v for m, v in zip(face[0], vector, strict=True)) for face in FACES]
    face = scores.index(max(scores))
    _, right, down = FACES[face]
    place = []
    for axis in (right, down):
        along = sum(a * v for a, v in zip(axis, vector, strict=True)) / scores[face]
        place.append(math.floor((along + 1) / 2 * SIZE))
    return value(face, *place)


@pytest.fixture(scope="module")
def cube() -> Image:
    texels = [value(f, c, r) for f in range(6) for r in range(SIZE) for c in range(SIZE)]
    return Image([red(*texels)], (SIZE, SIZE, 6))


def test_faces_and_their_axes(cube: Image) -> None:
    places = [(f, c, r) for f in range(6) for c in range(SIZE) for r in range(SIZE)]
    rows = [direction(f, centre(c), centre(r)) for f, c, r in places]
    scaled = [(3 * x, 3 * y, 3 * z) for x, y, z in rows]
    wanted = [value(*place) for place in places]
    assert reds(sampled(cube, POINT, SAMPLE, rows)) == wanted
    assert reds(sampled(cube, POINT, SAMPLE, scaled)) == wanted
    assert reds(sampled(cube, LINEAR, SAMPLE, rows)) == wanted


def test_ties_prefer_z_then_y_then_x(cube: Image) -> None:
    rows = [(1.0, 1.0, 0.1), (1.0, -1.0, -1.0), (-1.0, 0.1, -1.0), (-1.0, 1.0, 0.1)]
    found = [each // 100 for each in reds(sampled(cube, POINT, SAMPLE, rows))]
    assert found == [2, 5, 5, 2]


def test_the_zero_direction(cube: Image) -> None:
    rows = [(0.0, 0.0, 0.0), (math.nan, math.nan, math.nan)]
    found = reds(sampled(cube, LINEAR, SAMPLE, rows))
    assert all(math.isfinite(each) for each in found)


def test_filters_cross_every_edge(cube: Image) -> None:
    """On the edge itself: half the texel inside, half the one of the other face."""
    rows, wanted = [], []
    for face in range(6):
        for side in (-1.0, 1.0):
            for along in range(SIZE):
                at = centre(along)
                inner = SIZE - 1 if side > 0 else 0
                near = 1 - 1 / SIZE  # how far the other face's outermost texels reach
                rows.append(direction(face, side, at))
                wanted.append(
                    (value(face, inner, along) + texel(direction(face, side, at, near))) / 2
                )
                rows.append(direction(face, at, side))
                wanted.append(
                    (value(face, along, inner) + texel(direction(face, at, side, near))) / 2
                )
    assert reds(sampled(cube, LINEAR, SAMPLE, rows)) == wanted


def test_a_weight_beyond_an_edge(cube: Image) -> None:
    """A quarter of a texel from the edge: three quarters inside."""
    s = 1 - 0.5 / SIZE
    found = reds(sampled(cube, LINEAR, SAMPLE, [direction(4, s, centre(1))]))
    beyond = texel(direction(4, 1.0, centre(1), 1 - 1 / SIZE))
    assert found == [0.75 * value(4, 3, 1) + 0.25 * beyond]


def test_corners_are_the_mean_of_three(cube: Image) -> None:
    rows, wanted = [], []
    for x in (-1.0, 1.0):
        for y in (-1.0, 1.0):
            for z in (-1.0, 1.0):
                near = 1 - 1 / SIZE
                three = [(x, y * near, z * near), (x * near, y, z * near), (x * near, y * near, z)]
                rows.append((x, y, z))
                wanted.append(sum(map(texel, three)) / 3)
    assert reds(sampled(cube, LINEAR, SAMPLE, rows)) == pytest.approx(wanted, rel=1e-6)


def test_gather_crosses_edges(cube: Image) -> None:
    what = operation(Action.GATHER, CUBE)
    found = sampled(cube, POINT, what, [direction(0, 1.0 - 1e-3, 0.0)]).view(np.float32).tolist()[0]
    near = 1 - 1 / SIZE
    below = texel(direction(0, 1.0, centre(2), near))
    above = texel(direction(0, 1.0, centre(1), near))
    assert found == [value(0, 3, 2), below, above, value(0, 3, 1)]


def test_comparison_at_a_corner_comes_first(cube: Image) -> None:
    what = operation(Action.SAMPLE, CUBE, level=Level.ZERO, compare=True)
    state = SamplerState(comparison="less")
    near = 1 - 1 / SIZE
    three = [texel(v) for v in ((1, near, near), (near, 1, near), (near, near, 1))]
    reference = sorted(three)[1] - 0.5
    found = reds(sampled(cube, state, what, [(1.0, 1.0, 1.0, reference)]))
    assert found == pytest.approx([2 / 3], rel=1e-6)


def test_arrays(cube: Image) -> None:
    twice = Image([np.concatenate([cube.levels[0], cube.levels[0] + 1000])], (SIZE, SIZE, 12))
    what = operation(
        Action.SAMPLE, TextureDeclaration("t0", Shape.CUBE, F32, layered=True), level=Level.ZERO
    )
    vector = direction(3, centre(2), centre(1))
    rows = [(*vector, layer) for layer in (0.0, 1.0, 0.5, 1.5, 7.0, -1.0)]
    one = value(3, 2, 1)
    found = reds(sampled(twice, POINT, what, rows))
    assert found == [one, one + 1000, one, one + 1000, one + 1000, one]
    edge = direction(4, 1.0, centre(1))
    found = reds(sampled(twice, LINEAR, what, [(*edge, 1.0)]))
    assert found == [(value(4, 3, 1) + texel(direction(4, 1.0, centre(1), 0.75))) / 2 + 1000]


def test_faces_of_a_single_texel() -> None:
    image = Image([red(0, 1, 2, 3, 4, 5)], (1, 1, 6))
    found = reds(sampled(image, LINEAR, SAMPLE, [(2.0, 0.0, 0.0), (1.0, 0.0, 1.0)]))
    assert found == [0.0, 2.0]


LEVELS = Image([red(*[0] * 96), red(*[100] * 24), red(*[200] * 6)], (4, 4, 6))


@pytest.mark.parametrize(
    ("vector", "dx", "dy", "wanted"),
    [
        ((1, 0, 0), (0, 0, 1), (0, 0, 0), 100.0),  # half the face's width: 2 texels
        ((2, 0, 0), (0, 0, 1), (0, 0, 0), 0.0),  # as a direction that is twice as long: 1
        ((1, 0, 0), (0, 0.5, 0), (0, 0, 2), 200.0),
        ((1, 0, 0), (3, 0, 0), (0, 0, 0), 0.0),  # along the direction nothing changes
        ((1, 0.5, 0), (1, 0.5, 0), (0, 0, 0), 0.0),
        ((-1, 0.5, 0), (-2, 1, 0), (0, 0, 0), 0.0),
        ((0, -1, 0.5), (0, 0, 1), (0, 0, 0), 100.0),
        ((0, 0, 1), (1, 0, 0), (0, 0, 0), 100.0),
    ],
)
def test_gradients(vector: Vector, dx: Vector, dy: Vector, wanted: float) -> None:
    what = operation(Action.SAMPLE, CUBE, level=Level.GRADIENT)
    assert reds(sampled(LEVELS, SamplerState(), what, [(*vector, *dx, *dy)])) == [wanted]
