"""Input attachments, of which a lane reads its own pixel."""

import shutil
from typing import Any

import pytest

from unshade.errors import UnsupportedError

from .recompiled import recompiled

SOURCE = """#version 460
layout(input_attachment_index = 2, set = 1, binding = 3) uniform subpassInput colours;
layout(input_attachment_index = 0, set = 0, binding = 0) uniform usubpassInputMS ids;
layout(location = 0) out vec4 made;
void main() { made = subpassLoad(colours) * float(subpassLoad(ids, 3).y); }
"""

pytestmark = [
    pytest.mark.slow,  # a compiler is started
    pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslangValidator"),
]


def compiled(text: str) -> Any:
    return recompiled(text, "pixel", "glsl")


def test_glsl_loads_a_subpass_input() -> None:
    shader = compiled(SOURCE)
    text = shader.decompile("glsl")
    for line in SOURCE.splitlines()[1:3]:
        assert line in text
    assert "subpassLoad(colours)" in text
    assert "subpassLoad(ids, 3)" in text
    assert "gl_FragCoord" not in text
    again = compiled(text).reflect().resources
    assert [(each.name, each.attachment) for each in again] == [
        (each.name, each.attachment) for each in shader.reflect().resources
    ]


def test_hlsl_loads_a_subpass_input() -> None:
    text = compiled(SOURCE).decompile("hlsl")
    assert "[[vk::input_attachment_index(2)]]\n" in text
    assert "SubpassInput<float4> colours" in text
    assert "SubpassInputMS<uint4> ids" in text
    assert "colours.SubpassLoad()" in text
    assert "ids.SubpassLoad(3)" in text
    assert "SV_Position" not in text


def test_a_translated_module_keeps_the_attachments() -> None:
    shader = compiled(SOURCE)
    made = shader.translate("spirv")
    kinds = [(each.name, each.kind, each.attachment) for each in made.reflect().resources]
    assert kinds == [("colours", "input_attachment", 2), ("ids", "input_attachment", 0)]
    assert not [each for each in made.verify() if each.severity == "error"]


def test_wgsl_reads_a_texture_at_the_pixel() -> None:
    text = compiled(SOURCE).translate("wgsl")
    assert "var colours: texture_2d<f32>;" in text
    assert "var ids: texture_multisampled_2d<u32>;" in text
    assert "@builtin(position)" in text


def test_an_array_of_attachments_is_refused() -> None:
    text = SOURCE.replace("subpassInput colours", "subpassInput colours[2]")
    shader = compiled(text.replace("subpassLoad(colours)", "subpassLoad(colours[1])"))
    with pytest.raises(UnsupportedError, match="an array of input attachments cannot be"):
        shader.decompile("glsl")
