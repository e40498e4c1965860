"""Numbers of 8, 16 and 64 bits in memory, in translations to SPIR-V."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import unshade
from unshade.errors import UnsupportedError
from unshade.isa.source import Source

from .recompiled import translated_outcome

SOURCE = """#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 8) in;
struct Element { uint64_t a; uint16_t b; uint8_t c; uint8_t d; float f; };
layout(set = 0, binding = 0, std430) buffer B { Element e[]; };
layout(set = 0, binding = 1, std140) uniform C {
    uint64_t wide; uint16_t half_; uint8_t byte_; uint16_t more[4];
};
shared uint64_t mine[8];
void main() {
    uint i = gl_LocalInvocationIndex;
    mine[i] = e[i].b;
    barrier();
    e[i].a = e[i].a * wide + mine[7 - i];
    e[i].b = uint16_t(e[i].b + half_ + more[i & 3]);
    e[i].c = uint8_t(e[i].c ^ byte_);
    e[i].f += 1.0;
}
"""

needs_glslang = pytest.mark.skipif(
    shutil.which("glslangValidator") is None, reason="needs glslangValidator"
)


@pytest.fixture(scope="module")
def shader() -> Any:
    return unshade.compile(
        Source(SOURCE, "widths.comp"), language="glsl", stage="compute", debug=False,
        compiler="glslangValidator",
    )  # fmt: skip


@needs_glslang
def test_a_buffer_has_a_view_for_each_size(shader: Any) -> None:
    text = shader.translate().disassemble()
    for word in ("StorageBuffer8BitAccess", "StorageBuffer16BitAccess", "Int64"):
        assert f"OpCapability {word}" in text
    assert re.findall(r"OpDecorate %(\w+) Aliased", text) == ["B_16", "B_64", "B_8", "B_3"]
    assert 'OpExtension "SPV_KHR_8bit_storage"' in text
    assert "SPV_KHR_8bit_storage" not in shader.translate(target="vulkan1.2").disassemble()


@needs_glslang
def test_constants_are_read_as_words(shader: Any) -> None:
    text = shader.translate().disassemble()
    assert "UniformAndStorageBuffer" not in text
    assert re.search(r"OpBitcast %ulong %\d+", text)  # two words


@needs_glslang
def test_the_same_bits(shader: Any) -> None:
    assert translated_outcome(shader, shader.translate(), 64, 2) == "equal"


@needs_glslang
@pytest.mark.skipif(shutil.which("spirv-val") is None, reason="needs spirv-tools")
@pytest.mark.parametrize("target", ["vulkan1.1", "vulkan1.3"])
def test_spirv_val_accepts_it(shader: Any, target: str, tmp_path: Path) -> None:
    path = tmp_path / "made.spv"
    path.write_bytes(shader.translate(target=target).to_bytes())
    ended = subprocess.run(
        ["spirv-val", "--target-env", target, path], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


@needs_glslang
def test_a_language_of_words_refuses_them(shader: Any) -> None:
    with pytest.raises(UnsupportedError, match=r"an access to 64 bits of"):
        shader.translate("wgsl")
