"""`render` and `debug` without a mesh; the depth; variables of children."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli.terminal import PHONG, unshade
from tests.examples import EXAMPLES
from unshade.cli import candidates

VERTEX = """vs_5_0
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_temps 1
ishl r0.x, v0.x, l(1)
and r0.y, v0.x, l(2)
and r0.x, r0.x, l(2)
utof r0.xy, r0.xyxx
mad o0.xy, r0.xyxx, l(2.0, 2.0, 0, 0), l(-1.0, -1.0, 0, 0)
mov o0.zw, l(0, 0, 0.25, 1.0)
ret
"""
PIXEL = """ps_5_0
dcl_output o0.xyzw
mov o0.xyzw, l(1.0, 0.5, 0.25, 1.0)
ret
"""

pytestmark = pytest.mark.heavy


@pytest.fixture
def stages(tmp_path: Path) -> list[str]:
    """A vertex shader that makes a full-screen triangle, and a pixel shader."""
    (tmp_path / "v.asm").write_text(VERTEX)
    (tmp_path / "p.asm").write_text(PIXEL)
    return [str(tmp_path / "p.asm"), "--vs", str(tmp_path / "v.asm")]


def drawn(stages: list[str], *options: str) -> np.ndarray:
    out = Path(stages[0]).with_suffix(".npy")
    ran = unshade("render", *stages, "--size", "8", *options, "-o", out)
    assert ran.code == 0, ran.err
    found: np.ndarray = np.load(out)
    return found


def test_vertices_are_made_of_their_numbers(stages: list[str]) -> None:
    assert (drawn(stages, "--count", "3") == [1.0, 0.5, 0.25, 1.0]).all()
    assert not drawn(stages, "--count", "0").any()


def test_vertices_form_what_the_topology_says(stages: list[str]) -> None:
    lines = drawn(stages, "--count", "3", "--topology", "line_list")
    assert 0 <= (lines[..., 0] == 1).sum() <= 8  # at most the edge
    assert (drawn(stages, "--count", "3", "--topology", "triangle_strip")[..., 0] == 1).all()


def test_depth_is_a_target(stages: list[str]) -> None:
    depth = drawn(stages, "--count", "3", "--target", "depth")
    assert (depth.shape, depth.dtype) == ((8, 8), np.dtype("f4"))
    assert (depth == 0.25).all()
    assert np.isinf(drawn(stages, "--count", "0", "--target", "depth")).all()
    image = Path(stages[0]).with_suffix(".png")
    assert unshade("render", *stages, "--count", "0", "--target", "depth", "-o", image).code == 0
    assert ("depth", "of each pixel") in candidates.targets({"file": str(PHONG)})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--vs", "{v}"), "--vs needs vertices: give --mesh FILE, or --count N"),
        (("--count", "3"), "--count needs a vertex shader: --vs"),
        (("--vs", "{v}", "--topology", "line_list"), "--vs needs vertices"),
        (("--topology", "line_list"), "--topology needs --count"),
        (
            ("--vs", "{v}", "--count", "3", "--mesh", "m.obj"),
            "--count: the mesh determines the number of vertices",
        ),
        (("--vs", "{v}", "--count", "3", "--topology", "lines"), "unknown topology 'lines'"),
        (("--vs", "{clay}", "--count", "3"), "has inputs (inPosition, inNormal): give --mesh FILE"),
        (("--target", "depth"), "--target depth: a grid of pixels has none"),
    ],
)
def test_what_is_missing_is_named(
    options: tuple[str, ...], words: str, stages: list[str], tmp_path: Path
) -> None:
    named = [each.format(v=stages[2], clay=EXAMPLES / "clay.vert.spv") for each in options]
    ran = unshade("render", stages[0], *named, "-o", tmp_path / "x.png")
    assert (ran.code, words in ran.err) == (2, True), ran.err


def test_the_stages_without_a_mesh_are_debugged(stages: list[str]) -> None:
    ran = unshade("debug", *stages, "--count", "3", "--thread", "2,1", "--size", "4")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "-- pixel (2, 1) of triangle 0")
    ran = unshade("debug", stages[2], "--count", "3", "--thread", "2", "--watch", "o0")
    assert ran.code == 0
    assert "SV_Position.y" in ran.out


def test_topologies_are_completed() -> None:
    assert ("point_list", "") in candidates.topologies({})


def test_a_child_has_the_variables_that_its_parent_has(tmp_path: Path) -> None:
    line = ("--bind", f"image={EXAMPLES / 'plasma.rts'}", "--set", "image.size=8,8",
            "--set", "centre=4,4", "--size", "8")  # fmt: skip
    made = []
    for seconds in ("0", "2"):
        out = tmp_path / f"{seconds}.npy"
        ripple = EXAMPLES / "ripple.rts"
        ran = unshade("render", ripple, *line, "--time", seconds, "-o", out)
        assert (ran.code, ran.err) == (0, "")
        made.append(np.load(out))
    assert (made[0] != made[1]).any()  # the time of the child
    assert unshade("debug", EXAMPLES / "ripple.rts", *line, "--no-trace").code == 0


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("saxpy.dxbc", ("--group", "32"), "--group: programs of dxcontainer fix the size"),
        ("saxpy.dxbc", ("--wave-size", "4"), "--wave-size does not apply to programs of"),
        ("saxpy.dxbc", ("--constant", "a=1"), "they take --interface, --length, --samples"),
        ("lit.shbin", ("--samples", "4"), "programs of shbin; they take --precision"),
    ],
)
def test_options_that_do_not_apply(name: str, options: tuple[str, ...], words: str) -> None:
    ran = unshade("run", EXAMPLES / name, *options)
    assert (ran.code, words in ran.err) == (2, True), ran.err
