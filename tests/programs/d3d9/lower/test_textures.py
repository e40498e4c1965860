"""Texture instructions of each version on both engines, and discarded pixels."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import unshade

pytestmark = pytest.mark.slow  # each program is compiled

ENGINES = ["lockstep", "jit"] if find_spec("llvmlite") else ["lockstep"]
IMAGE = np.array([[[1, 2, 3, 4], [5, 6, 7, 8]], [[9, 10, 11, 12], [13, 14, 15, 16]]], np.float32)
SAMPLER = unshade.run.Sampler(filter="point")


def shaded(text: str, inputs: dict[str, Any], **bound: Any) -> Any:
    """Return the results for rows of inputs; both engines must agree in every bit."""
    shader = unshade.assemble(text, "d3d9")
    found = []
    for engine in ENGINES:
        kernel = unshade.kernel(shader, engine=engine)
        rows = {name: np.array(each, np.float32) for name, each in inputs.items()}
        found.append(kernel.shade(rows, None, bound))
    for other in found[1:]:
        assert other["COLOR"].tobytes() == found[0]["COLOR"].tobytes()
    return found[0]


def sampled(text: str, coordinates: Sequence[float], image: Any = IMAGE) -> list[float]:
    """Return the colour at texture coordinates, of an image without filtering."""
    texture = {"s0": unshade.run.Texture(image, sampler=SAMPLER)}
    bound = texture if unshade.assemble(text, "d3d9").reflect().resources else {}
    found = shaded(text, {"TEXCOORD": [coordinates]}, **bound)
    return [float(each) for each in found["COLOR"][0]]


def test_projection_and_swizzles() -> None:
    head = "ps_2_0\ndcl t0\ndcl_2d s0\n"
    plain = head + "texld r0, t0, s0\nmov oC0, r0"
    assert sampled(plain, [0.25, 0.75, 0, 4]) == [9, 10, 11, 12]
    projected = head + "texldp r0, t0, s0\nmov oC0, r0"
    assert sampled(projected, [1, 3, 0, 4]) == [9, 10, 11, 12]
    swizzled = "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexld r0, v0.yxzw, s0.wzyx\nmov oC0, r0"
    assert sampled(swizzled, [0.25, 0.75, 0, 4]) == [8, 7, 6, 5]


def test_levels_and_gradients() -> None:
    smaller = np.full((1, 1, 4), 40, np.float32)
    levels = [IMAGE, smaller]
    head = "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\n"
    for level, wanted in ((0.0, 1), (1.0, 40)):
        found = sampled(head + "texldl r0, v0, s0\nmov oC0, r0", [0.25, 0.25, 0, level], levels)
        assert found[0] == wanted
    text = head + "def c0, 0, 0, 0, 0\ntexldd r0, v0, s0, {0}, {0}\nmov oC0, r0"
    assert sampled(text.format("c0"), [0.25, 0.25, 0, 0], levels)[0] == 1
    wide = text.replace("c0, 0, 0, 0, 0", "c0, 2, 2, 0, 0").format("c0")
    assert sampled(wide, [0.25, 0.25, 0, 0], levels)[0] == 40
    biased = head + (
        "def c0, 9, -9, 0, 0\nmov r0.xy, v0\nmov r0.w, {}\ntexldb r0, r0, s0\nmov oC0, r0"
    )
    for number, texels in (("c0.x", {40.0}), ("c0.y", {1.0, 5.0, 9.0, 13.0})):
        kernel = unshade.kernel(unshade.assemble(biased.format(number), "d3d9"))
        texture = unshade.run.Texture(levels, sampler=SAMPLER)
        assert set(kernel.shade((4, 4), None, {"s0": texture})["COLOR"][..., 0].ravel()) == texels


def test_cubes_and_volumes() -> None:
    faces = np.arange(6, dtype=np.float32).reshape(6, 1, 1, 1)
    head = "ps_2_0\ndcl t0.xyz\n"
    for direction, face in (([2, 0, 0], 0), ([0, -3, 1], 3), ([0, 0, -1], 5)):
        text = head + "dcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0.x"
        assert sampled(text, direction, faces)[0] == face
    volume = np.arange(2, dtype=np.float32).reshape(2, 1, 1, 1)
    text = head + "dcl_volume s0\ntexld r0, t0, s0\nmov oC0, r0.x"
    assert sampled(text, [0.5, 0.5, 0.9], volume)[0] == 1


def test_model_1() -> None:
    image = IMAGE / 16  # colours beyond 1 are limited
    found = sampled("ps_1_1\ntex t0\nmov r0, t0", [0.75, 0.25, 0, 1], image)
    assert found == [5 / 16, 6 / 16, 7 / 16, 8 / 16]
    assert sampled("ps_1_1\ntexcoord t0\nmov r0, t0", [0.75, 2, -1, 0.5]) == [0.75, 1, 0, 0.5]
    assert sampled("ps_1_4\ntexcrd r0.xyz, t0\nmov r0.w, r0.x", [2, 0.5, -4]) == [1, 0.5, 0, 1]
    text = "ps_1_4\ntexcrd r0.xyz, t0\nphase\ntexld r0, r0_dz"
    assert sampled(text, [0.5, 1.5, 2], image) == [9 / 16, 10 / 16, 11 / 16, 12 / 16]
    text = "ps_1_1\ntexcoord t0\ndef c0, 0.25, 1, 0, 0\ndef c1, 0.5, 0, 0, 0\n"
    found = sampled(text + "mov r0, t0\ncnd r0, r0.w, c0, c1", [0, 0, 0, 0.75])
    assert found[0] == 0.25
    assert sampled(text + "mov r0, t0\ncnd r0, r0.w, c0, c1", [0, 0, 0, 0.5])[0] == 0.5
    found = sampled(text + "mul_x2_sat r0, t0_bx2, 1-c0", [1, 0.5, 0.75, 0])
    assert found == [1, 0, 1, 0]


def test_texkill() -> None:
    rows = {"TEXCOORD": [[0, 0, 0, -1], [0, -1, 0, 1], [1, 2, 3, 4]]}
    found = shaded("ps_2_0\ndcl t0\ntexkill t0\nmov oC0, t0", rows)
    assert found["covered"].tolist() == [False, False, True]
    found = shaded("ps_2_0\ndcl t0\nmov r0, t0\ntexkill r0.xz\nmov oC0, t0", rows)
    assert found["covered"].tolist() == [True, True, True]
    found = shaded("ps_1_1\ntexkill t0\ntexcoord t1\nmov r0, t1",
                   rows | {"TEXCOORD1": [[0, 0, 0, 0]] * 3})  # fmt: skip
    assert found["covered"].tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("value", "is_kept"),
    [((1, 2, 3, 4), True), ((9, 0, 7, 6), True), ((-1, 8, 7, 6), False), ((3, -8, 3, 0), False),
     ((3, 3, 3, -1), False)],
)  # fmt: skip
@pytest.mark.parametrize("defined", [False, True])
def test_texkill_of_a_constant(
    value: tuple[float, float, float, float], is_kept: bool, defined: bool
) -> None:
    """vkd3d 2.1 compiles `clip(uniform)` so; values and results are those of its test of clip."""
    words = ", ".join(map(str, value))
    text = f"ps_2_0\n{f'def c0, {words}' if defined else ''}\ntexkill c0\nmov oC0, c0"
    kernel = unshade.kernel(unshade.assemble(text, "d3d9"))
    bound = {} if defined else {"c": np.resize(np.array(value, "<f4"), (256, 4)).tobytes()}
    assert kernel.shade((1, 1), {}, bound)["covered"].tolist() == [[is_kept]]


def test_face_and_position() -> None:
    text = "ps_3_0\ndcl vPos.xy\ndcl vFace\nmov r0, vPos.xyxy\nmov r0.zw, vFace\nmov oC0, r0"
    shader = unshade.assemble(text, "d3d9")
    found = unshade.kernel(shader).shade((2, 1))
    assert found["COLOR"][0].tolist() == [[0, 0, 1, 1], [1, 0, 1, 1]]
