"""Geometry shaders of the PICA200: triangles of three slots, as strips of three vertices."""

from importlib.util import find_spec
from shutil import which

import pytest

import unshade
from tests.examples import EXAMPLES

from .recompiled import outcome, translated_outcome

HEAD = """; picasso -n
.gsh point c0
.out - position o0
.out - color o1
.constf step(1.0, 0.5, 0.0, 0.25)
.proc main
"""
# The third slot completes a triangle whose winding the code decides; each register that is not
# written again has its value of two vertices before.
TURNED = """
    mov r0, v0
    add r0, step, r0
    mov r1, v2
    setemit 0
    mov o0, r0
    mov o1, v1
    emit
    setemit 1
    mov o0, v2
    emit
    cmp r0, gt, gt, r1
    ifc cmp.x
        setemit 2, prim
    .else
        setemit 2, prim inv
    .end
    mov o0, v3
    mov o1.xy, v0
    emit
    ifu b15
        setemit 0, prim
        emit
    .end
    end
.end
"""
MISSING = {
    "hlsl": "" if find_spec("slangpy") else "needs the extra [slang]",
    "glsl": "" if which("glslangValidator") else "needs glslangValidator",
}
CUTS = {"hlsl": "stream.RestartStrip();", "glsl": "EndPrimitive();"}


def assembled(code: str, head: str = HEAD) -> unshade.Shader:
    return unshade.assemble(head + code, "shbin")


def example() -> tuple[unshade.Shader, str]:
    shader = unshade.open(str(EXAMPLES / "reverse.shbin"))
    points = shader.programs[0].entry_points
    return shader, next(name for name, stage, *_ in points if stage == "geometry")


def test_a_triangle_is_a_strip_of_three_vertices() -> None:
    shader, entry = example()
    text = shader.decompile(entry=entry)
    assert "[maxvertexcount(18)]\n" in text
    assert "    point Vertex vertices[1],\n    inout TriangleStream<StreamVertex> stream)" in text
    assert text.count("stream.Append(emitted);\n") == 6
    assert text.count("stream.RestartStrip();\n") == 2
    assert "slots" not in text  # which are known everywhere
    turned = text[text.index("RestartStrip") :]
    assert turned.index("vertices[0].v2") < turned.index("vertices[0].v0")
    assert "layout(triangle_strip, max_vertices = 18) out;" in shader.decompile("glsl", entry=entry)


@pytest.mark.parametrize("language", ["hlsl", "glsl"])
def test_sources_emit_the_same_triangles(language: str) -> None:
    if MISSING[language]:
        pytest.skip(MISSING[language])
    shader = assembled(TURNED)
    text = shader.decompile(language, "exact")
    assert outcome(shader, text, "geometry", seeds=2, language=language) == "equal"
    joined = outcome(
        shader, text.replace(CUTS[language], "", 1), "geometry", seeds=2, language=language
    )
    assert joined.startswith("differs: lockstep, seed 0: primitives: ")


def test_modules_emit_the_same_triangles() -> None:
    shader = assembled(TURNED)
    assert translated_outcome(shader, shader.translate(), seeds=2) == "equal"


def test_the_flag_of_later_runs_asks_for_the_number_of_the_primitive() -> None:
    text = assembled(TURNED).decompile()
    assert "    uint primitive : SV_PrimitiveID,\n" in text
    assert "if (any(int2(b15 ? -1 : 0, int(primitive)) != 0)) {" in text


def test_components_that_the_file_does_not_list_have_the_rest_of_a_location() -> None:
    head = HEAD.replace(".out - color o1", ".out - texcoord0 o1.xy")
    shader = assembled("setemit 0, prim\nmov o0, v0\nmov o1, v1\nemit\nend\n.end\n", head)
    text = shader.decompile("glsl", "exact")
    assert "layout(location = 1) precise out vec2 out_texcoord0;" in text
    assert "layout(location = 1, component = 2) precise out vec2 out_o1;" in text
    if not MISSING["glsl"]:
        assert outcome(shader, text, "geometry", seeds=2, language="glsl") == "equal"
    assert translated_outcome(shader, shader.translate(), seeds=2) == "equal"


@pytest.mark.parametrize(("mode", "operands"), [("variable", "c48 3"), ("fixed", "c48 c8 2")])
def test_vertices_in_constants_are_refused(mode: str, operands: str) -> None:
    head = HEAD.replace("point c0", f"{mode} {operands}")
    shader = assembled("setemit 0, prim\nmov o0, c9\nemit\nend\n.end\n", head)
    for language in ("hlsl", "glsl"):
        with pytest.raises(unshade.UnsupportedError, match=f"input mode {mode}, the"):
            shader.decompile(language)
    with pytest.raises(unshade.UnsupportedError, match="no constants of a primitive"):
        shader.translate()


def test_more_vertices_than_languages_have_are_refused() -> None:
    code = "for turns\nsetemit 0, prim\nmov o0, v0\nemit\nsetemit 1, prim\nemit\n.end\nend\n.end\n"
    shader = assembled(code, HEAD.replace(".proc", ".consti turns(2, 0, 1, 0)\n.proc"))
    with pytest.raises(unshade.UnsupportedError, match=r"up to 1536 vertices: .* at most 1024"):
        shader.decompile()
