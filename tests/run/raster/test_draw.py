"""Draws: targets that are given, depth, samples, viewports, layers, topologies, instances."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import unshade
from tests.run.stages.test_primitives import assembled
from unshade import UsageError
from unshade.run.raster import Element, InputLayout, Picture, draw
from unshade.vm.launch import Array

VERTEX = """\
vs_5_0
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
mov o0.xyzw, v0.xyzw
mov o1.xyzw, v1.xyzw
ret
"""
PIXEL = """\
ps_5_0
dcl_input_ps {how} v1.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v1.xyzw
ret
"""
FULL = np.array([[-1, 1, 0, 1], [3, 1, 0, 1], [-1, -3, 0, 1]], np.float32)
LEFT = np.array([[-1, 1, 0, 1], [0, 1, 0, 1], [-1, -1, 0, 1], [0, -1, 0, 1]], np.float32)


def shaded(how: str = "linear") -> Any:
    return assembled(PIXEL.format(how=how))


def drawn(position: Array, colour: Any, size: int = 4, how: str = "linear", **more: Any) -> Picture:
    """Draw vertices with a colour, or one each."""
    colours = np.broadcast_to(np.asarray(colour, np.float32), (len(position), 4))
    inputs = {"TEXCOORD0": position, "TEXCOORD1": colours}
    return draw(assembled(VERTEX), shaded(how), inputs, None, (size, size), **more)


def red(picture: Picture) -> list[Any]:
    found: list[Any] = picture.targets["SV_Target"][..., 0].tolist()
    return found


def test_given_targets_are_loaded_and_drawn_into_in_place() -> None:
    target, depth = np.full((4, 4, 4), 7, np.float32), np.full((4, 4), 0.25, np.float32)
    depth[0] = 1.0
    at = FULL * [1, 1, 0, 1] + [0, 0, 0.5, 0]
    picture = drawn(at.astype("f4"), 1.0, targets={"SV_Target": target}, depth=depth)
    assert picture.targets["SV_Target"] is target
    assert picture.depth is depth
    assert target[..., 0].tolist() == [[1.0] * 4, *[[7.0] * 4] * 3]
    assert depth[:, 0].tolist() == [0.5, 0.25, 0.25, 0.25]
    assert picture.covered.tolist() == [[True] * 4, *[[False] * 4] * 3]


TWO_TARGETS = """ps_5_0
dcl_globalFlags refactoringAllowed
dcl_output o0.x
dcl_output o2.x
mov o0.x, l(1.0)
mov o2.x, l(3.0)
ret
"""


@pytest.mark.slow
def test_targets_in_the_order_of_their_numbers() -> None:
    """A list may be shorter than the numbers, have more, or None for a target of its own."""
    pixel = assembled(TWO_TARGETS)
    for count in (0, 1, 2, 4):
        given = [np.full((4, 4, 1), 9, np.float32) for _ in range(count)]
        for gap in (None, 0):
            targets: list[Any] = [None if at == gap else each for at, each in enumerate(given)]
            inputs = {"TEXCOORD0": FULL, "TEXCOORD1": np.zeros((len(FULL), 4), np.float32)}
            picture = draw(assembled(VERTEX), pixel, inputs, None, (4, 4), targets=targets)
            for number, name in ((0, "SV_Target"), (2, "SV_Target2")):
                own = number < count and number != gap
                found = picture.targets[name]
                assert (found[..., 0] == number + 1).all()
                assert any(found is each for each in given) == own, (count, gap, name)
            if count > 1:
                assert (given[1] == 9).all()


def test_targets_have_their_own_formats() -> None:
    small, two = np.zeros((4, 4, 4), np.uint8), np.zeros((4, 4, 2), np.float16)
    drawn(FULL, [0.5, 1.5, -1, 1], targets=[small])
    assert small[0, 0].tolist() == [128, 255, 0, 255]
    drawn(FULL, [0.5, 1.5, -1, 1], targets=[two])
    assert two[0, 0].tolist() == [0.5, 1.5]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (np.zeros((3, 4, 4), np.float32), r"expected a target \(4, 4\[, 1 to 4\]\), got \(3, 4, 4"),
        ([1, 2], "expected an array of numbers"),
    ],
)
def test_unsuitable_targets_are_refused(target: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        drawn(FULL, 1.0, targets={"SV_Target": target})
    for wrong in (np.zeros((2, 2), np.float32), np.zeros((4, 4), np.uint8), [[0.0] * 4] * 4):
        with pytest.raises(UsageError, match="depth: expected an array"):
            drawn(FULL, 1.0, depth=wrong)


@pytest.mark.parametrize(
    ("function", "shown", "depth"),
    [
        ("less", 2, 0.25), ("less_equal", 3, 0.25), ("greater", 0, 0.5), ("greater_equal", 1, 0.5),
        ("always", 3, 0.25), ("never", 0, 0.5), ("equal", 1, 0.5), ("not_equal", 2, 0.25),
        (None, 3, 0.5), ("D3D11_COMPARISON_LESS", 2, 0.25),
    ],
)  # fmt: skip
def test_depth_functions(function: str | None, shown: int, depth: float) -> None:
    """Triangles at depths 0.5, 0.25 and 0.25, in front of 0.5."""
    position = np.concatenate([FULL] * 3)
    position[:, 2] = np.repeat([0.5, 0.25, 0.25], 3)
    colours = np.repeat(np.arange(1, 4), 3)[:, np.newaxis] * np.ones(4)
    there = np.full((4, 4), 0.5, np.float32)
    picture = drawn(position, colours, depth=there, depth_function=function)
    assert red(picture) == [[float(shown)] * 4] * 4
    assert (picture.depth == np.float32(depth)).all()


def test_depth_that_is_not_written() -> None:
    position = np.concatenate([FULL] * 2)
    position[:, 2] = np.repeat([0.25, 0.75], 3)
    colours = np.repeat([1, 2], 3)[:, np.newaxis] * np.ones(4)
    picture = drawn(position, colours, depth_write=False)
    assert red(picture) == [[2.0] * 4] * 4
    assert np.isinf(picture.depth).all()


def test_unknown_depth_functions_are_refused() -> None:
    with pytest.raises(UsageError, match=r"unknown depth function 'lest'; did you mean less"):
        drawn(FULL, 1.0, depth_function="lest")
    with pytest.raises(UsageError, match=r"'lequal'; did you mean less_equal[?]$"):
        drawn(FULL, 1.0, depth_function="lequal")
    with pytest.raises(UsageError, match=r"'0'; known: never, less, equal, .*, always$"):
        drawn(FULL, 1.0, depth_function="0")


def test_four_samples_at_the_standard_positions() -> None:
    """An edge at x = 0.5: samples 1 and 3 of pixel 0 are left of the centre, or right."""
    position = FULL.copy()
    position[:, 0] += 0.25  # half a pixel of four
    picture = drawn(position, [1, 2, 3, 4], samples=4)
    assert picture.targets["SV_Target"].shape == (4, 4, 4, 4)
    assert picture.covered[0, 0].tolist() == [False, True, False, True]
    assert picture.covered[:, 1:].all()
    once = picture.resolved()
    assert once.targets["SV_Target"][0, 0].tolist() == [0.5, 1.0, 1.5, 2.0]
    assert once.covered.all()
    masked = drawn(position, 1.0, samples=4, sample_mask=0b0110)
    assert masked.covered[0, 0].tolist() == [False, True, False, False]
    assert masked.covered[0, 1].tolist() == [False, True, True, False]


@pytest.mark.parametrize(
    ("how", "places"),
    [
        ("linear", [0.5] * 4),
        ("linear centroid", [0.875] * 4),  # sample 1, the first that is covered
        ("linear sample", [0.375, 0.875, 0.125, 0.625]),
    ],
)
def test_places_of_interpolation(how: str, places: list[float]) -> None:
    position = FULL.copy()
    position[:, 0] += 0.25
    colours = (position[:, :1] + 1) * 2 * np.ones(4)  # the place in pixels
    picture = drawn(position, colours, how=how, samples=4)
    found = picture.targets["SV_Target"][0, 0, :, 0]
    covered = picture.covered[0, 0]
    assert found[covered] == pytest.approx(np.array(places)[covered])


def test_viewports_and_scissors() -> None:
    picture = drawn(FULL, 1.0, viewports=(1, 2, 2, 2, 0.5, 1.0))
    assert np.argwhere(picture.covered).tolist() == [[2, 1], [2, 2], [3, 1], [3, 2]]
    assert (picture.depth[picture.covered] == 0.5).all()
    turned = drawn(LEFT[:3], 1.0, viewports=(0, 4, 4, -4))
    assert turned.covered[3].tolist() == [True, True, False, False]
    assert not turned.covered[0].all()
    cut = drawn(FULL, 1.0, scissors=[1, 0, 3, 1])
    assert np.argwhere(cut.covered).tolist() == [[0, 1], [0, 2]]
    with pytest.raises(UsageError, match="viewports: expected 1 to 16 rows of 4 or 6 numbers"):
        drawn(FULL, 1.0, viewports=[1, 2, 3])


def selecting(name: str) -> Any:
    return assembled(f"""\
vs_5_0
dcl_input v0.xyzw
dcl_input_sgv v1.x, instance_id
dcl_output_siv o0.xyzw, position
dcl_output_siv o1.x, {name}
mov o0.xyzw, v0.xyzw
mov o1.x, v1.x
ret
""")


@pytest.mark.parametrize("instances", [2, 3])
def test_layers_and_instances(instances: int) -> None:
    """Instance 2 selects a layer that there is not, so layer 0."""
    read = assembled("""\
ps_5_0
dcl_input_ps_siv constant v1.x, rendertarget_array_index
dcl_output o0.x
iadd o0.x, v1.x, l(7)
ret
""")
    picture = draw(
        selecting("rendertarget_array_index"), read, {"TEXCOORD0": FULL}, None, (2, 2), layers=2,
        instances=instances, depth_function=None,
    )  # fmt: skip
    numbers = picture.targets["SV_Target"].view("<u4")
    assert numbers.shape == (2, 2, 2)
    assert [set(layer.reshape(-1).tolist()) for layer in numbers] == [
        {7 if instances == 2 else 9}, {8}
    ]  # fmt: skip


def test_viewports_are_selected() -> None:
    picture = draw(
        selecting("viewport_array_index"), None, {"TEXCOORD0": FULL}, None, (4, 2), instances=2,
        viewports=[(0, 0, 2, 2, 0.0, 1.0), (2, 0, 2, 2, 0.5, 1.0)],
    )  # fmt: skip
    assert picture.depth.tolist() == [[0.0, 0.0, 0.5, 0.5]] * 2


@pytest.mark.parametrize(
    ("topology", "indices", "covered"),
    [
        ("triangle_strip", None, [True, True, False, False]),
        ("D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP", None, [True, True, False, False]),
        ("triangle_list", np.array([0, 1, 2, 2, 1, 3]), [True, True, False, False]),
        ("triangle strip", np.array([0, 1, 0xFFFF_FFFF, 1, 2]), [False] * 4),
        ("triangle_fan", np.array([0, 1, 3, 2]), [True, True, False, False]),
        ("triangle_fan", np.array([0, 1, 0xFFFF_FFFF, 0, 2]), [False] * 4),
        (None, np.array([[0, 1, 2], [2, 1, 3]]), [True, True, False, False]),
    ],
)
def test_topologies(topology: str | None, indices: Any, covered: list[bool]) -> None:
    inputs = {"TEXCOORD0": LEFT, "TEXCOORD1": np.ones((4, 4), "f4")}
    picture = draw(
        assembled(VERTEX), shaded(), inputs, indices, (4, 4), topology=topology
    )  # fmt: skip
    assert picture.covered.tolist() == [covered] * 4


def test_the_first_vertex_of_a_triangle_leads() -> None:
    colours = np.arange(4)[:, np.newaxis] * np.ones(4)
    picture = drawn(LEFT, colours, how="constant", topology="triangle_strip")
    assert {each for row in red(picture) for each in row[:2]} == {0.0, 1.0}


def test_the_second_vertex_of_a_triangle_in_a_fan_leads() -> None:
    colours = np.arange(4)[:, np.newaxis] * np.ones(4)
    around = LEFT[[0, 1, 3, 2]]
    picture = drawn(around, colours, how="constant", topology="triangle_fan")
    assert {each for row in red(picture) for each in row[:2]} == {1.0, 2.0}


def test_lines_and_points() -> None:
    ends = np.array([[-1, 0.75, 0, 1], [1, 0.75, 0, 1]], np.float32)
    picture = drawn(ends, [[0] * 4, [1] * 4], topology="line_list")
    assert picture.covered.tolist() == [[True] * 4, *[[False] * 4] * 3]
    assert red(picture)[0] == pytest.approx([0.125, 0.375, 0.625, 0.875])
    dots = np.array([[-0.75, 0.75, 0, 1], [0.25, -0.25, 0, 1], [5, 0, 0, 1]], np.float32)
    found = drawn(dots, 1.0, topology="point_list")
    assert np.argwhere(found.covered).tolist() == [[0, 0], [2, 2]]
    behind = np.array([[0, 0, 0, -1], [-0.5, 0.5, 0, 1]], np.float32)
    assert drawn(behind, 1.0, topology="line_list").covered[0, 0]


def test_vertices_that_are_ready() -> None:
    given = {"SV_Position": FULL, "TEXCOORD1": np.full((3, 4), 0.5, np.float32)}
    picture = draw(None, shaded(), given, None, (4, 4))
    assert red(picture) == [[0.5] * 4] * 4
    assert draw(None, None, {"SV_Position": FULL}, None, (4, 4)).covered.all()
    with pytest.raises(UsageError, match="the vertices have no position"):
        draw(None, None, {"TEXCOORD1": FULL}, None, (4, 4))


def test_an_input_layout_reads_formats() -> None:
    layout = InputLayout(
        [
            Element("texcoord", "r32g32_float"),
            Element("TEXCOORD", "DXGI_FORMAT_R8G8B8A8_UNORM", index=1),
            Element("TEXCOORD", "r10g10b10a2_unorm", index=2),
            Element("OTHER", "r32-uint"),
        ]
    )
    buffer = np.zeros(3, [("p", "<f4", 2), ("c", "u1", 4), ("x", "<u4"), ("o", "<u4")])
    buffer["p"], buffer["c"] = FULL[:, :2], [255, 51, 0, 255]
    vertex = assembled(VERTEX)
    found = layout.vertices(vertex, {0: buffer}, 4)
    assert found["TEXCOORD0"][:3].tolist() == FULL.tolist()
    assert found["TEXCOORD0"][3].tolist() == [0, 0, 0, 1]  # beyond the end
    assert found["TEXCOORD1"][0].tolist() == [1.0, np.float32(0.2), 0.0, 1.0]
    assert set(found) == {"TEXCOORD0", "TEXCOORD1"}
    each = InputLayout([Element("TEXCOORD1", "r32_float", step=2)])
    numbers = each.instances(vertex, {0: np.arange(3, dtype="<f4")}, 4)["TEXCOORD1"]
    assert numbers[:, 0].tolist() == [0, 0, 1, 1]
    assert not each.vertices(vertex, {}, 4)


@pytest.mark.parametrize("semantics", [("POSITION", "color"), ("position0", "COLOR0")])
def test_vertex_buffers_of_direct3d_9(semantics: tuple[str, str]) -> None:
    """Inputs of Direct3D 9 have no name with the index 0; an element of a layout has an index."""
    text = "vs_3_0\ndcl_position v0\ndcl_color v1\ndcl_position o0\ndcl_color o1\n"
    vertex = unshade.kernel(unshade.assemble(f"{text}mov o0, v0\nmov o1, v1\n", "d3d9"))
    text = "ps_3_0\ndcl_color v0\nmov oC0, v0\n"
    pixel = unshade.kernel(unshade.assemble(text, "d3d9"))
    one, two = semantics
    layout = InputLayout([Element(one, "r32g32_float"), Element(two, "r8g8b8a8_unorm")])
    buffer = np.zeros(3, [("place", "<f4", 2), ("colour", "u1", 4)])
    buffer["place"], buffer["colour"] = FULL[:, :2], [255, 51, 0, 255]
    vertices = layout.vertices(vertex, {0: buffer}, 3)
    assert set(vertices) == {"POSITION", "COLOR"}
    picture = draw(vertex, pixel, vertices, None, (2, 2))
    assert picture.targets["COLOR"][1, 1].tolist() == [1.0, np.float32(0.2), 0.0, 1.0]


@pytest.mark.parametrize("engine", ["lockstep", "jit"] if find_spec("llvmlite") else ["lockstep"])
def test_inputs_of_direct3d_9_that_no_vertex_shader_outputs_are_0(engine: str) -> None:
    """The runtime draws with any pair of shaders before Direct3D 10."""
    text = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0"
    vertex = unshade.kernel(unshade.assemble(text, "d3d9"), engine=engine)
    text = "ps_3_0\ndef c0, 0.5, 0.25, 0, 1\ndcl_texcoord1 v0\nadd oC0, v0, c0"
    pixel = unshade.kernel(unshade.assemble(text, "d3d9"), engine=engine)
    picture = draw(vertex, pixel, {"POSITION": FULL}, None, (2, 2))
    assert picture.targets["COLOR"][1, 1].tolist() == [0.5, 0.25, 0, 1]


@pytest.mark.parametrize("engine", ["lockstep", "jit"] if find_spec("llvmlite") else ["lockstep"])
@pytest.mark.parametrize(
    ("version", "declared", "expected"),
    [
        ("ps_2_0", "dcl v0", [1, 1, 1, 1]),
        ("ps_2_0", "dcl v1", [0, 0, 0, 0]),
        ("ps_2_0", "dcl t0", [0, 0, 0, 0]),
        ("ps_3_0", "dcl_color v0", [0, 0, 0, 0]),
    ],
)
def test_the_colour_that_no_vertex_shader_outputs_is_white_before_ps_3_0(
    engine: str, version: str, declared: str, expected: list[float]
) -> None:
    """Source: uninitialized-varyings of vkd3d's tests, which native Direct3D 9 passes."""
    text = "vs_2_0\ndcl_position v0\nmov oPos, v0"
    vertex = unshade.kernel(unshade.assemble(text, "d3d9"), engine=engine)
    text = f"{version}\n{declared}\nmov oC0, {declared[-2:]}"
    pixel = unshade.kernel(unshade.assemble(text, "d3d9"), engine=engine)
    picture = draw(vertex, pixel, {"POSITION": FULL}, None, (2, 2))
    assert picture.targets["COLOR"][1, 1].tolist() == expected


@pytest.mark.parametrize("name", ["rgba8", "r32_unit", ""])
def test_unknown_formats_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="unknown pixel format"):
        InputLayout([Element("P", name)])


def test_values_of_instances() -> None:
    given = {"TEXCOORD1": np.array([[1] * 4, [2] * 4], np.float32)}
    picture = draw(
        assembled(VERTEX), shaded(), {"TEXCOORD0": FULL}, None, (2, 2), instances=2,
        instance_inputs=given, depth_function="less_equal",
    )  # fmt: skip
    assert red(picture) == [[2.0] * 2] * 2


def test_other_orders_of_stages_are_refused() -> None:
    with pytest.raises(UsageError, match="expected a vertex shader, alone or followed"):
        draw([shaded()], shaded(), 3, None, (2, 2))
    with pytest.raises(UsageError, match="unknown topology 'fan'"):
        drawn(FULL, 1.0, topology="fan")
    with pytest.raises(UsageError, match=r"'triangles_list'; did you mean triangle_list[?]$"):
        drawn(FULL, 1.0, topology="triangles_list")
    with pytest.raises(UsageError, match="expected a hull or geometry shader for patches"):
        drawn(FULL, 1.0, topology="patch_list")


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_triangles_that_overlap_write_memory_in_their_order(engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    pixel = assembled(
        """\
ps_5_0
dcl_uav_raw u0
dcl_input_ps_sgv constant v0.x, primitive_id
dcl_temps 1
ld_raw r0.x, l(0), u0.xxxx
imad r0.x, r0.x, l(10), v0.x
store_raw u0.x, l(0), r0.x
ret
""",
        engine,
    )
    memory = np.zeros(1, np.uint32)
    position = np.concatenate([FULL] * 4)
    draw(None, pixel, {"SV_Position": position}, None, (1, 1), pixel_bindings={"u0": memory})
    assert memory[0] == 123


EVALUATED = """\
ps_5_0
dcl_input_ps {how} v1.xyzw
dcl_output o0.xyzw
eval_centroid o0.x, v1.x
eval_sample_index o0.y, v1.x, l(2)
eval_snapped o0.z, v1.x, l(-4, 0, 0, 0)
mov o0.w, v1.x
ret
"""


@pytest.mark.parametrize("how", ["linear", "linear centroid", "linear sample"])
def test_inputs_are_evaluated_from_the_centre(how: str) -> None:
    """An edge through pixel 0 leaves samples 1 and 3: the centroid is at sample 1."""
    position = FULL.copy()
    position[:, 0] += 0.25
    colours = ((position[:, :1] + 1) * 2 * np.ones(4)).astype("f4")
    pixel = assembled(EVALUATED.format(how=how))
    inputs = {"TEXCOORD0": position, "TEXCOORD1": colours}
    picture = draw(assembled(VERTEX), pixel, inputs, None, (4, 4), samples=4)
    found = picture.targets["SV_Target"][0]
    for pixel_number, centroid in ((0, 0.875), (1, 1.5)):
        sample = found[pixel_number, 1]
        wanted = [centroid, pixel_number + 0.125, pixel_number + 0.25]
        assert sample[:3] == pytest.approx(wanted, abs=1e-6)


def test_normalised_targets_are_resolved_to_their_mean() -> None:
    position = FULL.copy()
    position[:, 0] += 0.25
    target = np.zeros((4, 4, 4, 4), np.uint8)
    picture = drawn(position, 1.0, samples=4, targets=[target])
    assert picture.normalised == {"SV_Target"}
    assert picture.resolved().targets["SV_Target"][0, 0].tolist() == [128] * 4  # 2 of 4 samples


def test_a_target_without_an_axis_of_components_gets_one_on_request() -> None:
    target = np.zeros((4, 4), np.float32)
    found = drawn(FULL, 1.0, targets=[target]).targets
    assert found["SV_Target"] is target
    assert found.components("SV_Target").shape == (4, 4, 1)


def test_viewports_with_and_without_depths() -> None:
    position = FULL.copy()
    position[:, 2] = 1
    picture = drawn(position, 1.0, viewports=[(0, 0, 4, 4), (0, 0, 4, 4, 0, 0.5)])
    assert (picture.depth == 1).all()


def test_short_indices_end_strips() -> None:
    corners = np.array([[-1, 1, 0, 1], [1, 1, 0, 1], [-1, -1, 0, 1], [1, -1, 0, 1]], np.float32)
    for kind, end in (("<u2", 0xFFFF), ("<u4", 0xFFFFFFFF)):
        indices = np.array([0, 1, 2, end, 1, 3, 2], kind)
        inputs = {"TEXCOORD0": corners, "TEXCOORD1": corners}
        stages = assembled(VERTEX), shaded()
        picture = draw(*stages, inputs, indices, (4, 4), topology="triangle_strip")
        assert np.unique(picture.triangle).tolist() == [0, 1]
        assert picture.covered.all()


def test_an_input_that_no_stage_outputs_is_named() -> None:
    stages = [assembled(text, "lockstep") for text in (POSITION_ONLY, TAKING)]
    wanted = r"missing input TEXCOORD3 float32 \(n, 1, 4\); the stage before outputs SV_Position"
    with pytest.raises(UsageError, match=wanted):
        draw(stages, None, {"TEXCOORD": FULL}, None, (4, 4), topology="point_list")


POSITION_ONLY = """\
vs_5_0
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
mov o0.xyzw, v0.xyzw
ret
"""
TAKING = """\
gs_5_0
dcl_input v[1][3].xyzw
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology pointlist
dcl_output_siv o0.xyzw, position
dcl_maxout 1
mov o0.xyzw, v[0][3].xyzw
emit_stream m0
ret
"""
