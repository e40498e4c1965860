"""Sources of Shadertoy: their uniforms, lines and origin."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unshade
from unshade.compilers.languages import is_source, language_of
from unshade.compilers.shadertoy import is_shadertoy, whole
from unshade.ir.source_text import SourceTexts
from unshade.vocab.languages import SourceLanguage

IMAGE = """\
// a gradient
void mainImage( out vec4 fragColor, in vec2 fragCoord )
{
    vec2 uv = fragCoord / iResolution.xy;
    fragColor = vec4(uv, iTime, 1.0) * texture(iChannel1, uv);
}
"""


def test_what_is_one() -> None:
    assert is_shadertoy(IMAGE)
    assert not is_shadertoy(IMAGE + "void main() { vec4 c; mainImage(c, gl_FragCoord.xy); }")
    assert not is_shadertoy("half4 main(float2 p) { return half4(1); }")
    assert is_source("toy.frag", IMAGE)
    assert language_of("toy.frag", IMAGE) is SourceLanguage.GLSL
    assert not is_source("toy.frag", "half4 main(float2 p) { return half4(1); }")


@pytest.mark.parametrize("first", ["", "#version 300 es\n", "// words\n#version 310 es\n"])
def test_lines_keep_their_numbers(first: str) -> None:
    text = first + IMAGE
    texts = SourceTexts({"toy": whole(text)})
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith(("#", "//")):
            assert texts.line("toy", number) == line


def test_only_what_is_missing_is_declared() -> None:
    assert "sampler2D iChannel1;" in whole(IMAGE)
    assert "iChannel0" not in whole(IMAGE)
    assert "float iTime;" in whole(IMAGE)
    own = "uniform float iTime;\nuniform samplerCube iChannel1;\n" + IMAGE
    assert whole(own).count("float iTime;") == 1
    assert "sampler2D iChannel1" not in whole(own)


@pytest.mark.slow
def test_a_picture_has_its_origin_below(tmp_path: Path) -> None:
    pytest.importorskip("slangpy", reason="install unshade with the extra slang")
    path = tmp_path / "toy.frag"
    path.write_text(IMAGE)
    kernel = unshade.kernel(unshade.compile(path))
    found = kernel.shade(
        (4, 2), iResolution=[4, 2, 1], iTime=0.5, iChannel1=np.ones((1, 1, 4), np.float32)
    )
    colour = found[next(iter(found))]
    assert colour[0, 0].tolist() == pytest.approx([0.125, 0.75, 0.5, 1.0])
    assert colour[1, 3].tolist() == pytest.approx([0.875, 0.25, 0.5, 1.0])


@pytest.mark.slow
def test_a_mistake_is_shown_at_its_line() -> None:
    pytest.importorskip("slangpy", reason="install unshade with the extra slang")
    with pytest.raises(unshade.CompileError) as caught:
        unshade.compile(IMAGE.replace("iTime", "iTme"), language="glsl")
    assert (caught.value.line, caught.value.column) == (5, 26)
    assert caught.value.text.strip().startswith("fragColor = vec4(uv, iTme")
