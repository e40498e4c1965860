"""Texture addressing of ps_1_x: coordinates, products, reflections, bump maps, depths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.programs.d3d9.lower.test_textures import SAMPLER, shaded

pytestmark = pytest.mark.slow  # each program is compiled

SIDE = 8
GRID = np.zeros((SIDE, SIDE, 4), np.float32)  # each texel has its place, in eighths
GRID[..., 0], GRID[..., 1] = np.arange(SIDE) / SIDE, np.arange(SIDE)[:, None] / SIDE


def texture(image: Any) -> Any:
    return unshade.run.Texture(np.asarray(image, np.float32), sampler=SAMPLER)


def plain(*colour: float) -> Any:
    return texture(np.array([[colour]], np.float32))


def faces() -> Any:
    """Return a cube whose faces are 0 to 5 eighths: +x, -x, +y, -y, +z, -z."""
    numbers = np.arange(6, dtype=np.float32).reshape(6, 1, 1, 1) / SIDE
    return texture(np.broadcast_to(numbers, (6, 1, 1, 4)).copy())


def outputs(text: str, *coordinates: Any, **bound: Any) -> Any:
    """Return the results for texture coordinates of the stages 0, 1, …"""
    rows = {}
    for row in unshade.kernel(unshade.assemble(text, "d3d9")).inputs:
        given = [*coordinates[row.index], 0, 0, 0, 0]
        rows[row.label] = [given[: len(row.ports)]]
    return shaded(text, rows, **bound)


def place(text: str, *coordinates: Any, **bound: Any) -> list[float]:
    """Return the place of the texel that is sampled, or the face in its first component."""
    return [SIDE * each for each in colour(text, *coordinates, **bound)[:2]]


def colour(text: str, *coordinates: Any, **bound: Any) -> list[float]:
    return [float(each) for each in outputs(text, *coordinates, **bound)["COLOR"][0]]


@pytest.mark.parametrize(
    ("name", "wanted"), [("texreg2ar", (6, 1)), ("texreg2gb", (2, 5)), ("texreg2rgb", (1, 2))]
)
def test_texels_are_coordinates(name: str, wanted: tuple[int, int]) -> None:
    given = plain(*[(each + 0.5) / SIDE for each in (1, 2, 5, 6)])
    text = f"ps_1_2\ntex t0\n{name} t1, t0\nmov r0, t1"
    assert place(text, (0, 0), s0=given, s1=texture(GRID)) == list(wanted)


def test_products() -> None:
    normal = plain(0.5, 0.25, 0.125, 1)
    head = "ps_1_3\ntex t0\n"
    dot = colour(head + "texdp3 t1, t0\nmov r0, t1", (0, 0), (0.25, 0.5, 1), s0=normal)
    assert dot == [0.375] * 4
    expanded = colour(head + "texdp3 t1, t0_bx2\nmov r0, t1", (0, 0), (1, -0.5, -0.25), s0=normal)
    assert expanded == [0 * 1 + -0.5 * -0.5 + -0.75 * -0.25] * 4
    text = head + "texdp3tex t1, t0\nmov r0, t1"
    assert place(text, (0, 0), (0.5, 0.5, 0.5), s0=normal, s1=texture(GRID)) == [3, 0]
    text = head + "texm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2"
    found = place(text, (0, 0), (0.25, 0, 1), (1, 0.5, 0), s0=normal, s2=texture(GRID))
    assert found == [2, 5]  # (0.25, 0.625)
    text = head + "texm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0\nmov r0, t3"
    rows = (1, 0, 0), (0, 2, 0), (1, 1, 1)
    assert colour(text, (0, 0), *rows, s0=normal) == [0.5, 0.5, 0.875, 1]


def test_three_rows_sample_a_cube() -> None:
    head = "ps_1_3\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\n"
    identity = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    for number, normal in enumerate(((1, 0.1, 0.1, 1), (-1, 0, 0, 1), (0, 1, 0, 1))):
        text = head + "texm3x3tex t3, t0\nmov r0, t3"
        found = place(text, (0, 0), *identity, s0=plain(*normal), s3=faces())
        assert found[0] == number
    # The reflection of +x at a normal between +x and +z is +z.
    text = head + "texm3x3spec t3, t0, c0\nmov r0, t3"
    slanted = plain(0.5, 0, 0.5, 1)
    eye = np.array([[1, 0, 0, 0]], np.float32)
    assert place(text, (0, 0), *identity, s0=slanted, s3=faces(), c=eye)[0] == 4
    text = head + "texm3x3vspec t3, t0\nmov r0, t3"
    rows = (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, -1)  # of the eye: w of each
    assert place(text, (0, 0), *rows, s0=slanted, s3=faces())[0] == 1


def bump(stage: int, matrix: Any, scale: float = 0, offset: float = 0) -> Any:
    rows = np.zeros((16, 4), np.float32)
    rows[2 * stage] = matrix
    rows[2 * stage + 1, :2] = scale, offset
    return rows


def test_bump_maps() -> None:
    moved = plain(0.25, 0.5, 0.5, 1)
    state = bump(1, (1, 0.5, -0.25, 0.25), 2, 0.5)  # u + r - g / 4, v + r / 2 + g / 4
    start = (0.0625, 0.0625)
    text = "ps_1_1\ntex t0\ntexbem t1, t0\nmov r0, t1"
    found = place(text, (0, 0), start, s0=moved, s1=texture(GRID), bump=state)
    assert found == [1, 2]  # (0.1875, 0.3125)
    text = text.replace("texbem", "texbeml")
    found = place(text, (0, 0), start, s0=moved, s1=texture(GRID), bump=state)
    assert found == [1.5, 3]  # times 0.5 * 2 + 0.5
    text = "ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r2.rgb, t1\nbem r1.rg, r0, r2\nmov r0, r1.g"
    found = colour(text, (0.25, 0.5), (0.25, 0.5), bump=state)
    assert found[0] == 0.75


def test_bump_states_are_reflected() -> None:
    shader = unshade.assemble("ps_1_1\ntex t0\ntexbeml t2, t0\nmov r0, t2", "d3d9")
    bank = {each.label: each for each in shader.programs[0].facts().banks}["bump"]
    assert bank.reads == {4: "xyzw", 5: "xy"}


@pytest.mark.parametrize(("red", "green", "wanted"), [(1, 4, 0.25), (3, 0, 1), (0, 2, 0)])
def test_depths(red: float, green: float, wanted: float) -> None:
    text = "ps_1_4\ntexcrd r5.rgb, t0\nphase\ntexdepth r5\nmov r0, c0"
    black = np.zeros((1, 4), np.float32)
    found = outputs(text, (red, green), c=black)
    assert found["DEPTH"].ravel().tolist() == [wanted]
    text = "ps_1_3\ntex t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, t0"
    found = outputs(text, (0, 0), (red,), (green,), s0=plain(1, 0, 0, 1))
    assert found["DEPTH"].ravel().tolist() == [wanted]
