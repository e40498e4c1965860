"""Stages of families with other rules: a PICA200's vertex and geometry shaders, SkSL programs."""

from __future__ import annotations

from typing import Any

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade import UsageError
from unshade.analysis.pipelines import stages_of

REVERSE = EXAMPLES / "reverse.shbin"


def pica(outputs: str, writes: str, inputs: str, position: str = "position") -> unshade.Shader:
    """Return a file with a vertex shader and a geometry shader of such outputs and inputs."""
    vertex = f"""
        {outputs}
        .alias at v0
        .proc main
            {writes}
            end
        .end
    """
    geometry = f"""
        .gsh point c0
        .out place {position}
        .entry gmain
        .proc gmain
            {inputs}
            setemit 0, prim
            emit
            end
        .end
    """
    return unshade.assemble([vertex, geometry], "shbin")


def codes(*shaders: unshade.Shader, **given: Any) -> list[tuple[str, str]]:
    found = unshade.Pipeline(*shaders, **given).check()
    return [(each.code, str(each.severity)) for each in found]


TWO = ".out place position\n.out shade color"
BOTH = "mov place, at\nmov shade, at"


def test_vertices_of_a_geometry_shader() -> None:
    assert codes(unshade.open(REVERSE)) == []
    assert codes(pica(TWO, BOTH, "mov place, v2")) == []
    half = pica(
        TWO.replace("color", "color.xy"), BOTH.replace("shade,", "shade.xy,"), "mov place, v3"
    )
    [found] = unshade.Pipeline(half).check()
    assert (found.code, found.severity) == ("link.never-written", "note")
    assert found.message == "v3.xyzw is o1.xy of vertex 1, which has no zw"
    assert codes(pica(TWO, BOTH, "mov place, v3", position="color")) == [("link.position", "error")]


def test_the_vertex_shader_writes_something() -> None:
    shader = unshade.open(REVERSE)
    vertex, geometry = stages_of(shader, "reverse.shbin")
    vertex.reflection.outputs = []
    found = unshade.Pipeline(vertex, geometry).check()
    assert {each.code for each in found} == {"link.missing"}
    assert found[0].message == "v0.xyzw is read, but the vertex shader outputs nothing"
    assert [each.file for each in found[0].places] == ["reverse.shbin"] * 2


def test_input_layouts_of_the_3ds_have_registers() -> None:
    whole = [{"location": 0, "format": "R32G32_FLOAT"}, {"location": 1, "format": "R8G8B8A8_UNORM"}]
    assert codes(unshade.open(REVERSE), state={"input_layout": whole}) == []
    assert codes(unshade.open(REVERSE), state={"input_layout": whole[:1]}) == [
        ("state.input-missing", "error")
    ]


def skia(kind: str, declared: str, code: str) -> unshade.Shader:
    return unshade.assemble(f"// sksl {kind}\n{declared}\nvoid main() {{ {code} }}\n")


VERTEX = """layout(location = 1) in float2 at;
layout(location = 2) out half4 colour;
layout(location = 3) out float2 uv;"""


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ("layout(location = 2) in half4 colour; layout(location = 3) in float2 uv;", []),
        ("layout(location = 2) in half4 colour;", ["link.unused"]),
        ("layout(location = 2) in half4 colour; layout(location = 3) in float3 uv;",
         ["link.missing"]),
        ("layout(location = 2) in half4 colour; layout(location = 3) in int2 uv;", ["link.type"]),
    ],
)  # fmt: skip
def test_programs_of_skia_are_linked_by_location(inputs: str, expected: list[str]) -> None:
    vertex = skia("vertex", VERTEX, "colour = half4(1); uv = at; sk_Position = float4(at, 0, 1);")
    fragment = skia("fragment", inputs, "sk_FragColor = colour;")
    assert [code for code, _ in codes(vertex, fragment)] == expected


def test_families_are_not_mixed() -> None:
    with pytest.raises(UsageError, match="expected stages of one API, got pica200 and skia"):
        unshade.Pipeline(unshade.open(REVERSE), unshade.open(EXAMPLES / "noise.skslb"))
