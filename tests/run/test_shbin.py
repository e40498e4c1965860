"""SHBIN files as kernels: uniforms and attributes by name and by register, entry points by name."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from tests.corpus import REPOSITORY
from unshade.errors import UsageError
from unshade.run.raster import draw
from unshade.run.raster.fallback import showing

EXAMPLES = REPOSITORY / "examples"
EYE = np.eye(4, dtype="<f4")
POSITION = np.array([[1, 2, 3, 1], [4, 5, 6, 1]], "<f4")
UP = np.array([[0, 2, 0, 0], [0, -2, 0, 0]], "<f4")
AMBIENT = np.array([0.2, 0.2, 0.25, 1.0]).astype("<f4")


@pytest.fixture(scope="module")
def lit() -> Any:
    return unshade.kernel(unshade.open(EXAMPLES / "lit.shbin"), engine="lockstep")


@pytest.fixture(scope="module")
def reverse() -> unshade.Shbin:
    return unshade.Shbin.open(EXAMPLES / "reverse.shbin")


def shaded(up: float, scale: float = 1.0) -> np.ndarray[Any, Any]:
    """Return the colour of examples/lit.v.pica for a normal that points up, or down."""
    warm = np.array([0.9, 0.7, 0.4, 0.0])
    return AMBIENT + warm * max(0.0, up) * scale


def test_names(lit: Any) -> None:
    given = {"position": POSITION, "normal": UP}
    found = lit.transform(given, modelViewProjection=EYE, lamp=(0, 1, 0, 0), showNormals=False)
    np.testing.assert_array_equal(found["position"], POSITION)
    np.testing.assert_allclose(found["color"], [shaded(1), shaded(-1)], rtol=1e-4)
    assert list(found) == ["position", "color"]


def test_registers(lit: Any) -> None:
    """Every spelling of the same place gives the same."""
    given = {"v0": POSITION, "v1": UP}
    rows = {f"c{n}": EYE[n] for n in range(4)}
    found = lit.transform(given, **rows, c4=(0, 1, 0, 0), b0=False)
    other = lit.transform(given, c={"modelViewProjection": EYE, "lamp": (0, 1, 0, 0)}, b={"b0": 0})
    for name in found:
        np.testing.assert_array_equal(found[name], other[name])
    np.testing.assert_allclose(found["color"], [shaded(1), shaded(-1)], rtol=1e-4)


def test_a_register_file_as_an_array(lit: Any) -> None:
    c = np.zeros((96, 4), "<f4")
    c[:4], c[4], c[92:] = EYE, (0, 1, 0, 0), [[0] * 4, [0.5, 0.5, 0.5, 1], [0] * 4, AMBIENT]
    found = lit.transform({"position": POSITION, "normal": UP}, c=c, b=np.zeros(64, "<u4"))
    np.testing.assert_array_equal(found["color"], [AMBIENT, AMBIENT])  # warm is c94: 0 here


def test_constants_of_the_file_are_defaults(lit: Any) -> None:
    given = {"position": POSITION, "normal": UP}
    usual: dict[str, Any] = {"modelViewProjection": EYE, "lamp": (0, 1, 0, 0), "showNormals": False}
    dark = lit.transform(given, **usual, c94=(0, 0, 0, 0))
    np.testing.assert_allclose(dark["color"], [AMBIENT, AMBIENT], rtol=1e-4)  # 0.2 in 24 bits
    again = lit.transform(given, **usual)
    np.testing.assert_allclose(again["color"][0], shaded(1), rtol=1e-4)


def test_boolean_uniforms(lit: Any) -> None:
    given = {"position": POSITION, "normal": UP}
    found = lit.transform(given, modelViewProjection=EYE, lamp=(0, 1, 0, 0), showNormals=True)
    np.testing.assert_allclose(found["color"], [[0.5, 1, 0.5, 1], [0.5, 0, 0.5, 1]], rtol=1e-4)


@pytest.mark.parametrize(
    ("bindings", "message"),
    [
        ({"modelViewProjection": EYE, "showNormals": 0}, "float4 lamp missing"),
        ({"c0": EYE[0], "c1": EYE[1], "lamp": EYE[0], "showNormals": 0},
         r"float4 modelViewProjection\[4\] missing"),
        ({"modelViewProjection": EYE, "lamp": EYE[0]}, "b is not bound|bool showNormals missing"),
        ({"modelViewProjektion": EYE}, "did you mean modelViewProjection"),
        ({"c96": EYE[0]}, "unknown name 'c96'"),
    ],
)  # fmt: skip
def test_missing_arguments_are_named(lit: Any, bindings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        lit.transform({"position": POSITION, "normal": UP}, **bindings)


def test_attributes_by_a_wrong_name(lit: Any) -> None:
    with pytest.raises(UsageError, match="unknown semantic 'v2'"):
        lit.transform(
            {"v2": POSITION}, modelViewProjection=EYE, lamp=(0, 1, 0, 0), showNormals=False
        )


def test_precision(lit: Any) -> None:
    """Of 1/3 the hardware's format has 16 bits behind the first."""
    rough = unshade.kernel(
        unshade.open(EXAMPLES / "lit.shbin"), engine="lockstep", precision="float24"
    )
    usual: dict[str, Any] = {"lamp": (0, 1, 0, 0), "showNormals": False}
    given = {"position": [[1, 0, 0, 0]], "normal": UP[:1]}
    third = np.full((4, 4), 1 / 3, "<f4")
    assert lit.transform(given, modelViewProjection=third, **usual)["position"][0, 0] == third[0, 0]
    found = rough.transform(given, modelViewProjection=third, **usual)["position"][0, 0]
    assert found == np.float32(87381 / 65536 / 4)


def test_an_option_of_other_programs(reverse: unshade.Shbin) -> None:
    with pytest.raises(UsageError, match="take no option interfaces"):
        unshade.kernel(reverse, entry="main", interfaces={0: 1})


def test_entry_points_by_name(reverse: unshade.Shbin) -> None:
    with pytest.raises(
        UsageError,
        match=r"several entry points; .* \(--entry\): main \(vertex\), main1 \(geometry\)",
    ):
        unshade.kernel(reverse)
    assert unshade.kernel(reverse, entry="main").stage == "vertex"
    assert unshade.kernel(reverse, entry="main1").stage == "geometry"


def test_vertices_through_a_geometry_shader(reverse: unshade.Shbin) -> None:
    """Its comment says it: three vertices of two attributes, the triangle and its reverse."""
    kernel = unshade.kernel(reverse, entry="main1", engine="lockstep")
    corners = np.arange(24, dtype="<f4").reshape(6, 4)
    found = kernel.expand({f"v{n}": corners[n : n + 1] for n in range(6)}, offset=(100, 0, 0, 0))
    moved = corners[[2, 0, 4]] + (100, 0, 0, 0)  # the first two are exchanged
    np.testing.assert_array_equal(found["position"], [*corners[[0, 2, 4]], *moved])
    dark = corners[[3, 1, 5]] * (0.5, 0.5, 0.5, 1)
    np.testing.assert_array_equal(found["color"], [*corners[[1, 3, 5]], *dark])
    np.testing.assert_array_equal(found["primitives"], [[0, 1, 2], [3, 4, 5]])


def test_a_mesh_in_the_colours_of_its_vertices(lit: Any) -> None:
    """Hardware without pixel shaders: a triangle over the whole picture, each corner a colour."""

    def drawn(z: float) -> Any:
        corners = [[-1, -1, z, 1], [3, -1, z, 1], [-1, 3, z, 1]]
        return draw(
            lit, showing(lit.program, "lockstep"),
            {"position": corners, "normal": [[0, 1, 0, 0]] * 3}, None, (4, 4),
            vertex_bindings={
                "modelViewProjection": EYE, "lamp": (0, 1, 0, 0), "showNormals": False,
            },
        )  # fmt: skip

    picture = drawn(-0.75)
    assert picture.covered.all()
    assert (picture.depth == 0.25).all()  # z is from -w to 0 in clip space
    assert not drawn(0.5).covered.any()
    np.testing.assert_allclose(picture.targets["SV_Target"][2, 1], shaded(1), rtol=1e-4)


def test_a_debugger_speaks_of_names(lit: Any) -> None:
    debugger = lit.debug(1)
    given = {"position": POSITION, "normal": UP}
    debugger.transform(given, modelViewProjection=EYE, lamp=(0, 1, 0, 0), showNormals=False)
    first, second = debugger.trace.entries[:2]
    assert debugger.listing[first.line - 1].strip() == "mov r0, v0"
    assert [each.label for each in first.reads] == [f"position.{each}" for each in "xyzw"]
    read = [each.label for each in second.reads if each.label.startswith("model")]
    assert read == [f"modelViewProjection[0].{each}" for each in "xyzw"]
    assert not debugger.findings


def test_programs_made_by_hand(tmp_path: Path) -> None:
    source = ".out - position o0\n.proc main\nadd o0, c5, v0\nend\n.end\n"
    shader = unshade.assemble(source, format="shbin")
    kernel = unshade.kernel(shader)
    found = kernel.transform({"v0": [[1, 2, 3, 4]]}, c5=(1, 1, 1, 1))
    np.testing.assert_array_equal(found["position"], [[2, 3, 4, 5]])
