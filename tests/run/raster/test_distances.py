"""Clip and cull distances, and outputs that would need arrays of targets and viewports.

Source of the facts: Direct3D 11.3 functional specification, section 15.4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.kernels import kernel_of
from tests.run.stages.test_primitives import assembled
from tests.run.test_signature import CORNERS
from unshade import UnsupportedError
from unshade.run.engines import choose
from unshade.run.raster import Picture, draw

INF, NAN = float("inf"), float("nan")
# TEXCOORD1.xy are clip distances, TEXCOORD2.xy cull distances.
VERTEX = """\
vs_5_0
dcl_input v0.xyzw
dcl_input v1.xy
dcl_input v2.xy
dcl_output_siv o0.xyzw, position
dcl_output_siv o1.xy, clip_distance
dcl_output_siv o2.xy, cull_distance
mov o0.xyzw, v0.xyzw
mov o1.xy, v1.xyxx
mov o2.xy, v2.xyxx
ret
"""
WHITE = "ps_5_0\ndcl_output o0.x\nmov o0.x, l(1.0)\nret\n"
# What a 4 x 4 picture's columns of pixels have as x, from -1 to 1.
CENTRES = [-0.75, -0.25, 0.25, 0.75]


def drawn(clip: Any = 0.0, cull: Any = 0.0, position: Any = CORNERS, pixel: str = WHITE) -> Picture:
    """The whole screen, of one triangle or of several."""
    position = np.asarray(position, np.float32)
    pair = (len(position), 2)
    inputs = {
        "TEXCOORD0": position,
        "TEXCOORD1": np.broadcast_to(np.asarray(clip, np.float32), pair),
        "TEXCOORD2": np.broadcast_to(np.asarray(cull, np.float32), pair),
    }
    return draw(assembled(VERTEX), assembled(pixel), inputs, None, (4, 4))


def columns(picture: Picture) -> list[bool]:
    """Return the columns that are covered, of rows that are all alike."""
    assert (picture.covered == picture.covered[0]).all()
    found: list[bool] = picture.covered[0].tolist()
    return found


@pytest.mark.parametrize("w", [(1, 1, 1), (1, 2, 4), (4, 1, 0.5)])
def test_a_plane_clips_where_the_distance_is_zero(w: tuple[float, float, float]) -> None:
    """Distances are linear in space, not on the screen: x/w is 0 along a line whatever w is."""
    position = CORNERS * np.array(w, np.float32)[:, np.newaxis]
    x = position[:, :1]
    assert columns(drawn(clip=x, position=position)) == [False, False, True, True]
    assert columns(drawn(clip=-x, position=position)) == [True, True, False, False]


def test_a_pixel_at_distance_zero_is_drawn() -> None:
    for number, centre in enumerate(CENTRES):
        found = drawn(clip=CORNERS[:, :1] - centre)
        assert columns(found) == [at >= number for at in range(4)]


def test_every_component_cuts() -> None:
    found = drawn(clip=CORNERS[:, :2])
    wanted = np.zeros((4, 4), bool)
    wanted[:2, 2:] = True  # x to the right, y up
    assert (found.covered == wanted).all()
    assert (found.targets["SV_Target"] == wanted).all()


@pytest.mark.parametrize("clip", [0.0, 1.0, INF, [[INF, 0]]])
def test_nothing_is_cut_from_zero_on(clip: Any) -> None:
    assert drawn(clip=clip).covered.all()


@pytest.mark.parametrize("clip", [-1.0, -INF, [[0.0, -1e-30]]])
def test_below_zero_nothing_stays(clip: Any) -> None:
    assert not drawn(clip=clip).covered.any()


def test_a_vertex_without_a_clip_distance_takes_its_triangles_along() -> None:
    far = CORNERS * np.array([1, 1, 1.5, 1], np.float32)
    clip = np.ones((6, 2))
    clip[1, 1] = NAN
    found = drawn(clip=clip, position=np.concatenate([CORNERS, far]))
    assert (found.triangle == 1).all()


@pytest.mark.parametrize(
    ("cull", "there"),
    [
        ([[-1, 1], [-1, 1], [-1, 1]], False),  # one component out at all vertices
        ([[1, -1], [1, -1], [1, -1]], False),
        ([[-1, 1], [-1, -1], [1, -1]], True),  # no component is
        ([[-1, -1], [-1, -1], [0, 0]], True),  # from zero on a vertex is in
        ([[NAN, 1], [-1, 1], [-1, 1]], False),  # NaN is out
        ([[NAN, 1], [NAN, 1], [NAN, 1]], False),
        ([[NAN, 1], [NAN, 1], [2, 1]], True),
        ([[-INF, 1], [-1, 1], [-2, INF]], False),
    ],
)
def test_triangles_are_culled_whole_or_not_at_all(cull: list[list[float]], there: bool) -> None:
    found = drawn(cull=cull)
    assert found.covered.all() if there else not found.covered.any()


def test_triangles_keep_their_numbers() -> None:
    cull = np.repeat([[-1.0, 0], [1.0, 0]], 3, axis=0)
    pixel = "ps_5_0\ndcl_input vPrim\ndcl_output o0.x\nmov o0.x, vPrim\nret\n"
    found = drawn(cull=cull, position=np.concatenate([CORNERS, CORNERS]), pixel=pixel)
    assert (found.triangle == 1).all()
    assert (found.targets["SV_Target"].view("<u4") == 1).all()


def test_pixel_shaders_may_read_them() -> None:
    pixel = """\
ps_5_0
dcl_input_ps_siv linear v1.xy, clip_distance
dcl_input_ps_siv constant v2.y, cull_distance
dcl_output o0.xyz
mov o0.xy, v1.xyxx
mov o0.z, v2.y
ret
"""
    cull = [[1, 7.0], [2, 8.0], [3, 9.0]]
    found = drawn(clip=CORNERS[:, :1] + 2, cull=cull, pixel=pixel).targets["SV_Target"]
    assert found[0, :, 0].tolist() == [each + 2 for each in CENTRES]
    assert (found[..., 1] == found[..., 0]).all()
    assert (found[..., 2] == 7).all()


def test_a_register_may_hold_both_and_needs_no_signature() -> None:
    text = VERTEX.replace("o2.xy, cull", "o1.zw, cull").replace(
        "mov o2.xy, v2.xyxx", "mov o1.zw, v2.xxxy"
    )
    bare = kernel_of(assembled(text).lowered, None, choose("lockstep", False))
    inputs = {"v0": CORNERS, "v1": CORNERS[:, :2] * 0, "v2": np.ones((3, 2), np.float32)}
    inputs["v1"][:, 1] = CORNERS[:, 0]
    for kernel, prefix in ((bare, "v"), (assembled(text), "TEXCOORD")):
        given = {f"{prefix}{name[1]}": array for name, array in inputs.items()}
        found = draw(kernel, assembled(WHITE), given, None, (4, 4))
        assert columns(found) == [False, False, True, True]
        given[f"{prefix}2"] = np.array([[-1, 1]] * 3, np.float32)
        assert not draw(kernel, assembled(WHITE), given, None, (4, 4)).covered.any()


@pytest.mark.parametrize(
    ("registers", "message"),
    [
        (["o1.xyzw, clip", "o2.xyzw, cull"], ""),
        (
            ["o1.xyzw, clip", "o2.xyzw, cull", "o3.x, clip"],
            "at most 8 components in 2 registers, got 9 in 3",
        ),
        (
            ["o1.x, clip", "o2.x, cull", "o3.x, clip"],
            "at most 8 components in 2 registers, got 3 in 3",
        ),
    ],
)
def test_eight_components_in_two_registers(registers: list[str], message: str) -> None:
    text = "vs_5_0\ndcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\n"
    text += "".join(f"dcl_output_siv {each}_distance\n" for each in registers)
    text += "mov o0.xyzw, v0.xyzw\n"
    for each in registers:
        text += f"mov {each.partition(',')[0]}, l(0, 0, 0, 0)\n"
    kernel = assembled(text + "ret\n")
    given = {"TEXCOORD0": CORNERS}
    if not message:
        assert draw(kernel, assembled(WHITE), given, None, (4, 4)).covered.all()
        return
    with pytest.raises(UnsupportedError, match=message):
        draw(kernel, assembled(WHITE), given, None, (4, 4))


@pytest.mark.parametrize("name", ["rendertarget_array_index", "viewport_array_index"])
def test_the_only_target_and_viewport_are_number_0(name: str) -> None:
    pixel = f"""\
ps_5_0
dcl_input_ps_siv constant v3.x, {name}
dcl_output o0.x
iadd o0.x, v3.x, l(7)
ret
"""
    assert (drawn(pixel=pixel).targets["SV_Target"].view("<u4") == 7).all()
