"""`render --history`: the table, its JSON, and the last values of pixels of the examples."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.terminal import unshade
from tests.examples import EXAMPLES

pytestmark = pytest.mark.heavy

TORUS = ["--mesh", str(EXAMPLES / "torus.obj"), "--size", "24x18"]
CLAY = ["--vs", str(EXAMPLES / "clay.vert.spv"), "--ps", str(EXAMPLES / "clay.frag.spv"), *TORUS]
LIT = ["--vs", str(EXAMPLES / "lit.shbin"), *TORUS, "--set", "lamp=0.48,0.6,0.64,0"]
LIGHT = '[{"p":[3,4,5,1],"c":[60,50,40,1]}]'
PHONG = [
    "--vs", str(EXAMPLES / "skinning.dxbc"), "--ps", str(EXAMPLES / "phong.dxbc"), *TORUS,
    "--set", f"u_l={LIGHT[:-1]}{',' + LIGHT[1:-1]}{',' + LIGHT[1:-1]}{',' + LIGHT[1:-1]}]",
    "--set", "ps:u_n=1", "--attribute", "TEXCOORD3=1,0,0,0",
]  # fmt: skip
for _row, _unit in enumerate(("1,0,0,0", "0,1,0,0", "0,0,1,0", "0,0,0,1")):
    PHONG += ["--attribute", f"TEXCOORD4_{_row}={_unit}"]


def history(scene: list[str], pixel: str, *more: str) -> dict[str, Any]:
    ran = unshade("render", *scene, "--history", pixel, "--json", *more)
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_the_table_names_the_test_that_rejects_a_fragment() -> None:
    ran = unshade("render", *CLAY, "--cull", "back", "--history", "12,6")
    assert ran.code == 0
    pixel, heads, *rows = ran.out.splitlines()
    assert pixel == "pixel (12, 6)"
    assert heads.split() == [
        "primitive", "face", "depth", "target", "output", "before", "after", "result",
    ]  # fmt: skip
    words = [row.split() for row in rows]
    assert {row[1] for row in words if row[-2:] == ["face", "culling"]} == {"back"}
    assert [row[-1] for row in words].count("written") >= 1
    assert unshade("render", *CLAY, "--history", "0,0").out == "pixel (0, 0)\nno fragment\n"


@pytest.mark.slow
@pytest.mark.parametrize("scene", [CLAY, LIT, PHONG], ids=["clay", "lit", "phong"])
@pytest.mark.parametrize("pixel", [(12, 6), (9, 12), (0, 0), (14, 11)])
def test_the_last_values_are_those_of_the_picture(
    scene: list[str], pixel: tuple[int, int], tmp_path: Path
) -> None:
    colours, depths = tmp_path / "c.npy", tmp_path / "d.npy"
    assert unshade("render", *scene, "-o", colours, "--alpha").code == 0
    assert unshade("render", *scene, "-o", depths, "--target", "depth").code == 0
    x, y = pixel
    found = history(scene, f"{x},{y}", "-o", str(tmp_path / "again.npy"), "--alpha")
    assert np.array_equal(np.load(colours), np.load(tmp_path / "again.npy"))
    assert found["pixel"] == [x, y]
    last = [each["after"] for each in found["fragments"]][-1:]
    depth = np.load(depths)[y, x]
    if not last:
        assert math.isinf(depth)
        return
    name = next(iter(last[0]))  # of several targets, the first is written
    expected = np.load(colours)[y, x]
    assert np.array(last[0][name], np.float32).tobytes() == expected.tobytes()
    assert np.float32(last[0]["depth"][0]) == depth


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([*CLAY], "-o is required: the image to write"),
        ([*CLAY, "--json", "-o", "a.png"], "--json needs --history"),
        ([*CLAY, "--history", "3"], "--history: expected x,y, got '3'"),
        ([*CLAY, "--history", "24,0"], "history: expected x from 0 to 23, got 24"),
        ([*CLAY, "--history", "0,0", "-o", "-"], "-o -: --history is written to standard output"),
        ([str(EXAMPLES / "gyroid.dxbc"), "--history", "0,0"], "--history: a grid of pixels has"),
    ],
)
def test_options_that_contradict_each_other(more: list[str], message: str) -> None:
    ran = unshade("render", *more)
    assert ran.code == 2
    assert message in ran.err
