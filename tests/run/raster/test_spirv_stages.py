"""Draws through stages of SPIR-V."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from tests.programs.spirv.lower.graphics import module
from tests.run.spirv_stages import control, evaluation, fragment, geometry, vertex
from unshade.run.raster import Picture, draw

pytestmark = pytest.mark.heavy

# A triangle that covers the left half of 8 x 8 pixels and more.
PLACES = np.array([[-1, -1, 0.5, 1], [-1, 1, 0.5, 1], [1, -1, 0.5, 1]], "<f4")
COLOURS = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]], "<f4")


def drawn(*between: unshade.Shader, engine: str = "lockstep") -> Picture:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    stages = [unshade.kernel(each, engine=engine) for each in (vertex(), *between)]
    pixel = unshade.kernel(fragment(), engine=engine)
    inputs = {"place": PLACES, "colour": COLOURS}
    return draw(stages, pixel, inputs, None, (8, 8))


def test_vertex_and_fragment() -> None:
    picture = drawn()
    assert picture.covered.sum() == 28
    assert np.allclose(picture.targets["target"][7, 0], [0.875, 0.0625, 0.0625, 1])


def test_a_target_has_the_names_of_its_output_and_location() -> None:
    """Whether `draw` makes it or is given it, by either name; resolved, too."""
    stages, pixel = unshade.kernel(vertex()), unshade.kernel(fragment())
    inputs = {"place": PLACES, "colour": COLOURS}
    array = np.zeros((8, 8, 4, 4), "<f4")
    for given in (None, {"location0": array}, {"target": array}):
        picture = draw(stages, pixel, inputs, None, (8, 8), samples=4, targets=given)
        for each in (picture, picture.resolved()):
            assert each.targets["location0"] is each.targets["target"]


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_a_tessellated_triangle_looks_like_the_plain_one(engine: str) -> None:
    plain = drawn()
    picture = drawn(control(3), evaluation(), engine=engine)
    assert (picture.covered == plain.covered).all()
    assert np.allclose(
        picture.targets["target"], plain.targets["target"], atol=2e-3
    )  # thirds are not exact
    assert len(np.unique(picture.triangle)) > 6  # of as many triangles as a factor of 3 makes


@pytest.mark.slow
def test_the_size_of_a_patch_is_that_of_the_draw() -> None:
    """Modules of glslang have room for 32 control points."""
    stages = [
        unshade.kernel(each, engine="lockstep") for each in (vertex(), control(1, 32), evaluation())
    ]
    inputs = {"place": PLACES, "colour": COLOURS}
    for primitives, topology in (([[0, 1, 2]], None), (None, "3 control point patch list")):
        assert draw(stages, None, inputs, primitives, (8, 8), topology=topology).covered.sum() == 28
    with pytest.raises(unshade.UsageError, match="patches of 1 to 32 control points, got '33"):
        draw(stages, None, inputs, None, (8, 8), topology="33 control point patch list")


def test_a_geometry_shader_of_vulkan_counts_the_primitives_of_patches() -> None:
    """In Direct3D it has the number of the patch. Source: Vulkan specification, PrimitiveId."""
    stages = [
        unshade.kernel(each, engine="lockstep")
        for each in (vertex(), control(2), evaluation(), geometry(numbered=True))
    ]
    pixel = unshade.kernel(fragment(), engine="lockstep")
    inputs = {"place": np.tile(PLACES, (2, 1)), "colour": np.tile(COLOURS, (2, 1))}
    picture = draw(stages, pixel, inputs, None, (64, 64), instances=2, depth_function=None)
    shown = np.unique(picture.targets["target"][picture.covered][:, 0])
    count = int(picture.triangle.max() + 1) // 4  # of a patch: two patches, two instances
    assert shown.tolist() == [*range(count, 2 * count)]


def test_the_order_of_the_corners_decides_which_face_is_seen() -> None:
    inputs = {"place": PLACES, "colour": COLOURS}
    for order, wanted in (("VertexOrderCw", 28), ("VertexOrderCcw", 0)):
        stages = [
            unshade.kernel(each, engine="lockstep")
            for each in (vertex(), control(2), evaluation(f"SpacingEqual {order}"))
        ]
        picture = draw(stages, None, inputs, None, (8, 8), cull="back")
        assert picture.covered.sum() == wanted


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_a_geometry_shader_after_vertices_and_after_patches(engine: str) -> None:
    one = drawn(geometry(), engine=engine)
    assert 0 < one.covered.sum() < 28 // 2
    several = drawn(control(2), evaluation(), geometry(), engine=engine)
    assert 0 < several.covered.sum() < 28
    assert set(np.unique(one.triangle)) == {-1, 0}
    assert len(np.unique(several.triangle)) > 3


def test_no_patches() -> None:
    stages = [
        unshade.kernel(each, engine="lockstep") for each in (vertex(), control(1), evaluation())
    ]
    inputs = {"place": np.zeros((0, 4), "<f4"), "colour": np.zeros((0, 4), "<f4")}
    assert not draw(stages, None, inputs, None, (8, 8)).covered.any()


def test_sizes_of_points_may_be_left_out() -> None:
    kernel = unshade.kernel(control(1), engine="lockstep")
    patches = kernel.tessellate({"gl_Position": PLACES[np.newaxis], "in0": COLOURS[np.newaxis]})
    assert np.array_equal(patches.control_points["gl_Position"], PLACES[np.newaxis])


@pytest.mark.parametrize(
    ("samples", "rows"),
    [
        (1, ["00000000", "01000000", "00100000", "00010000", "00001000", "00000000", "00000000"]),
        (4, ["00000000", "02100000", "01410000", "00141000", "00014100", "00001200", "00000000"]),
    ],
)
def test_lines_of_vulkan_are_rectangles(samples: int, rows: list[str]) -> None:
    """Source: Vulkan specification, rectangular line segments (strict lines)."""
    ends = np.array([[1.5, 1.5], [5.5, 5.5]])
    places = np.array([[x / 4 - 1, y / 4 - 1, 0.5, 1] for x, y in ends], "<f4")
    stages = [unshade.kernel(vertex(), engine="lockstep")]
    picture = draw(
        stages, unshade.kernel(fragment(), engine="lockstep"),
        {"place": places, "colour": COLOURS[:2]}, None, (8, 7), samples=samples,
        topology="line_list", viewports=[[0, 8, 8, -8]],
    )  # fmt: skip
    counts = picture.covered.reshape(7, 8, samples).sum(axis=2)
    assert ["".join(map(str, row)) for row in counts] == rows


DISTANCES = """%two = OpTypeArray %float %c2
%p_two = OpTypePointer {0} %two
%distance = OpVariable %p_two {0}
%p_f = OpTypePointer {0} %float
"""
DISTANCE = "OpDecorate %distance BuiltIn ClipDistance\n"


def test_each_element_of_an_array_that_is_a_built_in() -> None:
    """The distances of a vertex are joined with those of a fragment by their index."""
    first = module(
        "Vertex",
        """%given = OpLoad %v4float %place
OpStore %position %given
%p0 = OpAccessChain %p_f %distance %i0
OpStore %p0 %f1
%p1 = OpAccessChain %p_f %distance %i1
OpStore %p1 %f2""",
        interface="%place %position %distance",
        decorations=DISTANCE + "OpDecorate %place Location 0\n"
        "OpDecorate %position BuiltIn Position\nOpName %place \"place\"",
        globals=DISTANCES.format("Output") + """%p_place = OpTypePointer Input %v4float
%place = OpVariable %p_place Input
%p_position = OpTypePointer Output %v4float
%position = OpVariable %p_position Output""",
        capabilities="OpCapability ClipDistance",
    )  # fmt: skip
    second = module(
        "Fragment",
        """%p0 = OpAccessChain %p_f %distance %i0
%x = OpLoad %float %p0
%p1 = OpAccessChain %p_f %distance %i1
%y = OpLoad %float %p1
%made = OpCompositeConstruct %v2float %x %y
OpStore %target %made""",
        interface="%distance %target",
        decorations=DISTANCE + "OpDecorate %target Location 0\nOpName %target \"target\"",
        globals=DISTANCES.format("Input") + """%p_target = OpTypePointer Output %v2float
%target = OpVariable %p_target Output""",
        modes="OpExecutionMode %main OriginUpperLeft",
        capabilities="OpCapability ClipDistance",
    )  # fmt: skip
    stages = [unshade.kernel(each, engine="lockstep") for each in (first, second)]
    picture = draw(stages[:1], stages[1], {"place": PLACES}, None, (2, 2))
    assert picture.targets["target"][1, 0].tolist() == [1, 2]
