"""Inputs of a fragment that are arrays by vertex of the primitive: PerVertexKHR.

Source: Vulkan specification, Barycentric Interpolation, with the table of vertices by topology.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import unshade
from tests.programs.spirv.lower.graphics import engines, fragment, same_everywhere
from unshade import UsageError
from unshade.model import Interpolation
from unshade.run.raster import draw
from unshade.vm.launch import Array

EXTENSION = 'OpCapability FragmentBarycentricKHR\nOpExtension "SPV_KHR_fragment_shader_barycentric"'


def shader(paths: list[str], *, decorations: str = "", more: str = "") -> unshade.Shader:
    """Return a shader that outputs scalars of an input of type %array, by the indices of each."""
    code = [
        f"%p{at} = OpAccessChain %p_float %a {path}\n%v{at} = OpLoad %float %p{at}"
        for at, path in enumerate(paths)
    ]
    values = " ".join(f"%v{at}" for at in range(4))
    return fragment(
        "\n".join([*code, f"%made = OpCompositeConstruct %v4float {values}\nOpStore %out %made"]),
        inputs="%a", capabilities=EXTENSION,
        decorations='OpName %a "a"\nOpDecorate %a Location 1\n'
        + (decorations or "OpDecorate %a PerVertexKHR"),
        globals=f"{more}\n%p_a = OpTypePointer Input %array\n%a = OpVariable %p_a Input\n"
        "%p_float = OpTypePointer Input %float",
    )  # fmt: skip


SCALAR = "%array = OpTypeArray %float %c3"
VECTOR = "%array = OpTypeArray %v3float %c3"
STRUCT = "%S = OpTypeStruct %v2float %float\n%array = OpTypeArray %S %c3\n"
INNER = "%two = OpTypeArray %float %c2\n%array = OpTypeArray %two %c3"
MATRIX = "%mat2 = OpTypeMatrix %v2float 2\n%array = OpTypeArray %mat2 %c3"
MEMBERS = (
    "%first = OpTypeArray %v2float %c3\n%second = OpTypeArray %float %c3\n"
    "%array = OpTypeStruct %first %second"
)
BLOCK = 'OpName %S "B"\nOpDecorate %S Block\nOpDecorate %a PerVertexKHR'
OF_MEMBERS = (
    'OpName %array "B"\nOpDecorate %array Block\n'
    "OpMemberDecorate %array 0 PerVertexKHR\nOpMemberDecorate %array 1 PerVertexKHR"
)
# Two locations of the outputs before, by vertex.
ONE = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], "<f4")
TWO = np.array([[10, 11], [40, 41], [70, 71]], "<f4")
FORMS = {
    "scalar": (SCALAR, "", ["%i0", "%i1", "%i2", "%i0"], [1, 4, 7, 1]),
    "vector": (VECTOR, "", ["%i0 %i2", "%i1 %i1", "%i2 %i0", "%i2 %i2"], [3, 5, 7, 9]),
    "structure": (STRUCT, "", ["%i0 %i0 %i1", "%i1 %i1", "%i2 %i1", "%i2 %i0 %i0"],
                  [2, 40, 70, 7]),
    "array": (INNER, "", ["%i0 %i1", "%i1 %i0", "%i2 %i1", "%i2 %i0"], [10, 4, 70, 7]),
    "matrix": (MATRIX, "", ["%i0 %i1 %i1", "%i1 %i0 %i1", "%i2 %i1 %i0", "%i2 %i0 %i0"],
               [11, 5, 70, 7]),
    "block": (STRUCT, BLOCK, ["%i0 %i0 %i1", "%i1 %i1", "%i2 %i1", "%i2 %i0 %i0"],
              [2, 40, 70, 7]),
    "members": (MEMBERS, OF_MEMBERS, ["%i0 %i0 %i1", "%i0 %i2 %i0", "%i1 %i1", "%i1 %i2"],
                [2, 7, 40, 70]),
}  # fmt: skip
FULL = np.array([[-1, -1, 0, 1], [3, -1, 0, 1], [-1, 3, 0, 1]], "<f4")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_values_of_the_vertices(form: str) -> None:
    declared, decorations, paths, wanted = FORMS[form]
    made = shader(paths, decorations=decorations, more=declared)
    rows = made.reflect().inputs
    assert {each.interpolation for each in rows} == {Interpolation.PER_VERTEX}
    assert [each.register for each in rows] == [1, 2][: len(rows)]
    assert all(each.used for each in rows)
    for kernel in engines(made):
        given: dict[str, Array] = {"Position": FULL}
        for row in kernel.inputs:
            if row.vertex is None:
                source = ONE if row.location == 1 else TWO
                given[row.label] = source[:, : len(row.ports)]
        found = draw(None, kernel, given, None, (2, 2)).targets
        np.testing.assert_array_equal(found["colour"], np.broadcast_to(wanted, (2, 2, 4)))


def test_components_of_one_location_have_arrays_of_their_own() -> None:
    made = shader(
        ["%i0 %i1", "%i2 %i0", "%i1 %i0", "%i1 %i1"],
        more="%array = OpTypeArray %v2float %c3",
        decorations="OpDecorate %a PerVertexKHR\nOpDecorate %a Component 1",
    )  # fmt: skip
    for kernel in engines(made):
        labels = [row.label for row in kernel.inputs if row.needed]
        assert labels == ["a[0]", "a[1]", "a[2]"]
        assert kernel.inputs["a[1]"].letters == "yz"


def test_a_vertex_may_be_chosen_at_run_time() -> None:
    made = fragment(
        "%n = OpLoad %int %which\n%p = OpAccessChain %p_float %a %n\n%v = OpLoad %float %p\n"
        "%made = OpCompositeConstruct %v4float %v %v %v %v\nOpStore %out %made",
        inputs="%a %which", capabilities=EXTENSION,
        decorations='OpName %a "a"\nOpName %which "which"\nOpDecorate %a Location 1\n'
        "OpDecorate %a PerVertexKHR\nOpDecorate %which Location 0\nOpDecorate %which Flat",
        globals=f"{SCALAR}\n%p_a = OpTypePointer Input %array\n%a = OpVariable %p_a Input\n"
        "%p_float = OpTypePointer Input %float\n%p_int = OpTypePointer Input %int\n"
        "%which = OpVariable %p_int Input",
    )  # fmt: skip
    given = {"a[0]": 5, "a[1]": 6, "a[2]": 7, "which": np.array([[0, 1, 2]], "<i4")}
    found = same_everywhere(made, lambda each: each.shade((3, 1), given)["colour"][..., 0])
    assert found.tolist() == [[5, 6, 7]]


def test_values_that_are_not_given_are_those_of_the_full_screen_triangle() -> None:
    made = shader(["%i0 %i0", "%i1 %i0", "%i1 %i1", "%i2 %i1"], more=VECTOR)
    found = same_everywhere(made, lambda each: each.shade((2, 1))["colour"])
    np.testing.assert_array_equal(found, np.broadcast_to([0, 2, 0, 2], (1, 2, 4)))


# The vertices of primitive i, from the table of the specification.
TABLE: dict[str, Callable[[int], tuple[int, int, int]]] = {
    "point_list": lambda i: (i, i, i),
    "line_list": lambda i: (2 * i, 2 * i + 1, 2 * i + 1),
    "line_strip": lambda i: (i, i + 1, i + 1),
    "triangle_list": lambda i: (3 * i, 3 * i + 1, 3 * i + 2),
    "triangle_strip": lambda i: (i, i + 2, i + 1) if i % 2 else (i, i + 1, i + 2),
    "triangle_fan": lambda i: (i + 1, i + 2, 0),
    "line_list_adjacency": lambda i: (4 * i + 1, 4 * i + 2, 4 * i + 2),
    "line_strip_adjacency": lambda i: (i + 1, i + 2, i + 2),
    "triangle_list_adjacency": lambda i: (6 * i, 6 * i + 2, 6 * i + 4),
    "triangle_strip_adjacency": lambda i: (
        (2 * i, 2 * i + 4, 2 * i + 2) if i % 2 else (2 * i, 2 * i + 2, 2 * i + 4)
    ),
}


@pytest.mark.parametrize("topology", TABLE)
def test_the_vertices_of_a_primitive(topology: str) -> None:
    """Vertices lie on a parabola, so that every three of them are a triangle."""
    size = 64
    made = shader(["%i0", "%i1", "%i2", "%i0"], more=SCALAR)
    kernel = unshade.kernel(made, engine="lockstep")
    count = 12
    x = np.linspace(-0.95, 0.95, count)
    position = np.stack([x, 1.8 * x * x - 0.9, 0 * x, 1 + 0 * x], axis=1).astype("<f4")
    given = {"Position": position, "a": np.arange(count, dtype="<f4")}
    picture = draw(None, kernel, given, None, (size, size), topology=topology, depth_function=None)
    rows, columns = np.nonzero(picture.covered)
    found = picture.targets["colour"][rows, columns, :3]
    numbers = picture.triangle[rows, columns]
    assert len(set(numbers.tolist())) > 1
    for number in set(numbers.tolist()):
        same = found[numbers == number]
        np.testing.assert_array_equal(same, np.broadcast_to(TABLE[topology](number), same.shape))


def test_the_values_of_all_vertices_may_be_one_array() -> None:
    made = shader(["%i0 %i0", "%i1 %i1", "%i2 %i2", "%i0 %i2"], more=VECTOR)
    wanted = [1, 5, 9, 3]
    for kernel in engines(made):
        for given in (ONE, np.broadcast_to(ONE, (2, 2, 3, 3))):
            found = kernel.shade((2, 2), {"a": given})["colour"]
            np.testing.assert_array_equal(found, np.broadcast_to(wanted, (2, 2, 4)))
        rows = kernel.shade({"a": np.broadcast_to(ONE, (5, 3, 3))})["colour"]
        np.testing.assert_array_equal(rows, np.broadcast_to(wanted, (5, 4)))
        with pytest.raises(UsageError, match=r"a: expected values of 3 vertices, .* got \(3,\)"):
            kernel.shade((2, 2), {"a": [1, 2, 3]})
        with pytest.raises(UsageError, match=r"a\[1\] is given twice"):
            kernel.shade((2, 2), {"a": ONE, "a[1]": [1, 2, 3]})


def test_the_numbers_of_all_vertices_may_be_one_array() -> None:
    made = shader(["%i0", "%i1", "%i2", "%i0"], more=SCALAR)
    numbers = np.array([[[1, 2, 3], [4, 5, 6]]], "<f4")  # (1, 2, vertices)
    for given in (numbers, numbers[..., np.newaxis]):
        for kernel in engines(made):
            found = kernel.shade((2, 1), {"a": given})["colour"]
            assert found.tolist() == [[[1, 2, 3, 1], [4, 5, 6, 4]]]
