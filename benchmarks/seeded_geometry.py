"""Primitives on the screen, made from seeds: what a rasteriser may get wrong.

    for kind in KINDS: made = KINDS[kind](np.random.default_rng(seed), width, height)

Each is a list of vertices: places in clip space (n, 4), drawn with a viewport of that size whose y
goes down. Corners that are not on a sample or an edge by intention are away from where rounding to
1/256 of a pixel is a tie, so that single precision decides as double precision does.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Chance = np.random.Generator
STEPS = 256


def snug(chance: Chance, places: Array) -> Array:
    """Return places near these, up to a third of a step away from steps."""
    return (np.rint(places * STEPS) + (chance.random(places.shape) - 0.5) * 0.66) / STEPS


def clip(places: Array, w: Array, z: Array, width: int, height: int) -> npt.NDArray[np.float32]:
    """Return places in clip space for those on the screen (n, 2), with w and depth (n,)."""
    x, y = places[:, 0] / width * 2 - 1, places[:, 1] / height * 2 - 1
    return np.stack([x * w, y * w, z * w, w], axis=1).astype(np.float32)


def _depths(chance: Chance, count: int) -> tuple[Array, Array]:
    """Return w and depth of vertices: perspective, and all within the view."""
    return 2.0 ** (chance.random(count) * 4 - 2), chance.integers(1, 64, count) / 64


def _of(chance: Chance, places: Array, width: int, height: int) -> npt.NDArray[np.float32]:
    flat = places.reshape(-1, 2)
    return clip(flat, *_depths(chance, len(flat)), width, height)


def small(chance: Chance, width: int, height: int) -> npt.NDArray[np.float32]:
    """Triangles of a few pixels."""
    middle = chance.random((150, 1, 2)) * [width, height]
    return _of(chance, snug(chance, middle + chance.normal(0, 3, (150, 3, 2))), width, height)


def thin(chance: Chance, width: int, height: int) -> npt.NDArray[np.float32]:
    """Long triangles that are less than a pixel wide, and some that are less than a step."""
    ends = chance.random((100, 2, 2)) * [width, height]
    third = ends[:, :1] + chance.normal(0, 1, (100, 1, 2)) * 10.0 ** -chance.integers(
        0, 4, (100, 1, 1)
    )
    return _of(chance, snug(chance, np.concatenate([ends, third], axis=1)), width, height)


def mesh(chance: Chance, width: int, height: int) -> npt.NDArray[np.float32]:
    """A mesh over the whole screen, whose triangles share edges and corners."""
    count = int(chance.integers(3, 12))
    line = np.linspace(0, 1, count)
    grid = np.stack(np.meshgrid(line, line), axis=-1) * [width, height]
    grid = snug(chance, grid + chance.normal(0, 0.2 * width / count, grid.shape))
    w, z = _depths(chance, count * count)
    at = clip(grid.reshape(-1, 2), w, z, width, height)
    first = (np.arange(count - 1)[:, np.newaxis] * count + np.arange(count - 1)).reshape(-1, 1)
    way = chance.random((len(first), 1)) < 0.5
    one = np.array([0, 1, count, 1, count + 1, count])
    other = np.array([0, 1, count + 1, 0, count + 1, count])
    order = first + np.where(way, one, other)
    return np.asarray(at[order.reshape(-1)])


def exact(chance: Chance, width: int, height: int) -> npt.NDArray[np.float32]:
    """Corners on samples and edges through them; triangles without area or nearly so."""
    unit = 2.0 ** chance.integers(1, 5, (120, 1, 1))
    corners = chance.integers(0, 24, (120, 3, 2)) * (0.5 if chance.random() < 0.5 else 1.0)
    start = chance.integers(0, width - 12, (120, 1, 2)) + chance.integers(0, 16, (120, 1, 2)) / 16
    places = start + corners / unit
    w = 2.0 ** chance.integers(-2, 3, 360).astype(np.float64)
    return clip(places.reshape(-1, 2), w, chance.integers(1, 64, 360) / 64, width, height)


def large(chance: Chance, width: int, height: int) -> npt.NDArray[np.float32]:
    """Triangles that reach far off the screen, some beyond what 16 bits hold."""
    far = 10.0 ** chance.uniform(1, 5.5, (40, 1, 1))
    places = np.array([width, height]) / 2 + chance.normal(0, 1, (40, 3, 2)) * far
    near = chance.random((40, 3, 1)) < 0.3
    inside = chance.random((40, 3, 2)) * [width, height]
    return _of(chance, snug(chance, np.where(near, inside, places)), width, height)


def behind(chance: Chance, width: int, height: int) -> npt.NDArray[np.float32]:
    """Triangles with corners behind the eye, and before or behind the depths of the view."""
    found = chance.normal(0, 1, (120, 4))
    found[:, 3] = chance.choice([-1, -0.25, 0, 0.5, 1, 2], 120)
    found[:, 2] = chance.uniform(-0.7, 1.7, 120) * np.abs(found[:, 3])
    return found.astype(np.float32)


def ends(chance: Chance, width: int, height: int) -> npt.NDArray[np.float32]:
    """Ends of lines, or points: about the screen, some off it."""
    places = (chance.random((60, 2)) * 1.2 - 0.1) * [width, height]
    return _of(chance, snug(chance, places), width, height)


def short(chance: Chance, width: int, height: int) -> npt.NDArray[np.float32]:
    """Ends of lines of a few pixels."""
    middle = chance.random((100, 1, 2)) * [width, height]
    return _of(chance, snug(chance, middle + chance.normal(0, 3, (100, 2, 2))), width, height)


def deep(chance: Chance, width: int, height: int) -> npt.NDArray[np.float32]:
    """Ends of lines before and behind the depths of the view."""
    found = ends(chance, width, height)
    found[:, 2] = chance.uniform(-0.5, 1.5, len(found)).astype(np.float32) * found[:, 3]
    return found


def sizes(chance: Chance, count: int) -> npt.NDArray[np.float32]:
    """Sizes of points: some of one pixel, others of up to eight."""
    found = np.where(chance.random(count) < 0.5, 1, chance.integers(8, 65, count) / 8)
    return found[:, np.newaxis].astype(np.float32)


KINDS: dict[str, tuple[str, Callable[[Chance, int, int], npt.NDArray[np.float32]]]] = {
    "small": ("triangle_list", small), "thin": ("triangle_list", thin),
    "mesh": ("triangle_list", mesh), "exact": ("triangle_list", exact),
    "large": ("triangle_list", large), "behind": ("triangle_list", behind),
    "points": ("point_list", ends), "lines": ("line_list", ends), "strips": ("line_strip", ends),
    "deep": ("line_list", deep), "aliased": ("line_list", short),
}  # fmt: skip
