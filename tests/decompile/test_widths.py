"""Numbers of 8, 16 and 64 bits in memory, in translations to SPIR-V, GLSL and HLSL."""

import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from unshade.decompile import tree
from unshade.decompile.resources.context import UINT
from unshade.decompile.resources.widths import WORD, multiplied, summed
from unshade.decompile.source import decompile
from unshade.decompile.tree import literal, text_key
from unshade.errors import UnsupportedError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.lowered import Form, Lowered, LoweredResource
from unshade.ir.memory import Memory, Space
from unshade.ir.types import I16, I32
from unshade.vocab.slots import ResourceClass, ResourceSlot
from unshade.vocab.words import Stage

from .recompiled import outcome, recompiled, translated_outcome
from .test_families import module

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
    return recompiled(SOURCE, "compute", "glsl")


@needs_glslang
def test_a_buffer_has_a_view_for_each_size(shader: Any) -> None:
    text = shader.translate().disassemble()
    for word in ("StorageBuffer8BitAccess", "StorageBuffer16BitAccess", "Int64"):
        assert f"OpCapability {word}" in text
    assert re.findall(r"OpDecorate %(\w+) Aliased", text) == ["B_8", "B_16", "B", "B_64"]
    assert 'OpExtension "SPV_KHR_8bit_storage"' in text
    assert "SPV_KHR_8bit_storage" not in shader.translate(target="vulkan1.2").disassemble()


COUNTED = """#version 460
layout(local_size_x = 8) in;
struct Element { float a; float b; float c; };
layout(set = 0, binding = 0, std430) buffer B { Element e[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    if (i < uint(e.length())) e[i].b += e[i].a;
}
"""


@needs_glslang
def test_a_buffer_whose_size_is_asked_for_is_declared_once() -> None:
    shader = recompiled(COUNTED, "compute", "glsl")
    text = shader.decompile("glsl")
    assert text.count("uint B[];") == 1
    assert outcome(shader, text, "compute", language="glsl", seeds=1) == "equal"
    assert shader.translate("wgsl").count("@binding(0)") == 1
    module = shader.translate().disassemble()
    assert module.count(" Binding 0\n") == 1
    assert " Aliased" not in module


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
def test_blocks_of_glsl_are_views_by_size(shader: Any) -> None:
    text = shader.decompile("glsl", "exact")
    for word, name in (("uint8_t", "B_8"), ("uint16_t", "B_16"), ("uint64_t", "B_64")):
        assert f"    {word} {name}[];" in text
    assert "GL_EXT_shader_16bit_storage" in text
    assert "packUint2x32(uvec2(" in text
    assert outcome(shader, text, "compute", seeds=2, language="glsl") == "equal"


# The numbers of 16 bits are computed with, also beside literals, and the signed minimum is atomic.
WITHOUT_BYTES = """#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8) in;
struct Element { uint64_t a; uint16_t b; int16_t c; float f; };
layout(set = 0, binding = 0, std430) buffer B { Element e[]; };
shared int least;
shared uint words[8];
void main() {
    uint i = gl_LocalInvocationIndex;
    if (i == 0) least = 5;
    words[i] = uint(e[i].f);
    barrier();
    atomicMin(least, int(words[7 - i]));
    barrier();
    e[i].a = e[i].a * 0x123456789ul;
    e[i].b = uint16_t(e[i].b * 3us + 200us);
    e[i].c = int16_t(e[i].c * -3s);
    e[i].f = float(least) + float(int(e[i].c * 200s)) + float(uint(e[i].b * 500us));
}
"""


@needs_glslang
@pytest.mark.slow
@pytest.mark.parametrize("language", ["hlsl", "glsl"])
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_narrow_numbers_wrap_beside_literals(language: str) -> None:
    made = recompiled(WITHOUT_BYTES, "compute", "glsl")
    text = made.decompile(language, "exact")
    assert outcome(made, text, "compute", seeds=2, language=language) == "equal"
    if language == "hlsl":  # a view of all sizes
        assert text.count("ByteAddressBuffer") == 1
        assert "B.Load<uint16_t>(" in text
        assert "int least" in text
        assert "uint least" not in text


# A literal of 64 bits decides how far it is shifted; halves that are nearest to less digits.
LITERALS = """#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8) in;
struct Element { uint64_t a; int64_t b; float16_t c; float16_t d; };
layout(set = 0, binding = 0, std430) buffer B { Element e[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    e[i].a = 1ul << (i + 40u);
    e[i].b = max(-3l << (i + 40u), e[i].b);
    e[i].c = 1.5703125hf - e[i].c;
    e[i].d = -0.3333hf + e[i].d;
}
"""


@needs_glslang
@pytest.mark.slow
@pytest.mark.parametrize("language", ["hlsl", "glsl"])
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_literals_have_the_width_and_the_bits_of_the_program(language: str) -> None:
    made = recompiled(LITERALS, "compute", "glsl")
    text = made.decompile(language, "exact")
    assert outcome(made, text, "compute", seeds=2, language=language) == "equal"
    assert {"hlsl": "1ll << ", "glsl": "1ul << "}[language] in text
    assert {"hlsl": "1.57h - ", "glsl": "1.5704hf - "}[language] in text  # glslang truncates


@needs_glslang
def test_hlsl_has_no_bytes(shader: Any) -> None:
    with pytest.raises(UnsupportedError, match="HLSL has no uint of 8 bits"):
        shader.decompile("hlsl")


HIGH = """
    %wide = OpUConvert %long %given
    %one = OpIMul %long %wide %factor
    %both = OpUMulExtended %pair %one %factor
    %high = OpCompositeExtract %long %both 1
    %signed = OpSMulExtended %pair %one %factor
    %upper = OpCompositeExtract %long %signed 1
    %mixed = OpIAdd %long %high %upper
    %result = OpUConvert %uint %mixed
"""


@needs_glslang
@pytest.mark.slow
@pytest.mark.parametrize("language", ["hlsl", "glsl"])
@pytest.mark.parametrize(("type", "factor"), [("64", "0xfedcba9876543210"), ("16", "0xfedc")])
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_the_high_half_of_a_product(language: str, type: str, factor: str) -> None:
    made = module(
        HIGH, imports=f"OpCapability Int{type}",
        declarations=f"%long = OpTypeInt {type} 0\n%pair = OpTypeStruct %long %long\n"
        f"%factor = OpConstant %long {factor}",
    )  # fmt: skip
    text = made.decompile(language, "exact")
    assert text.count(" high_product(") == 2  # overloads
    assert outcome(made, text, "compute", seeds=2, language=language) == "equal"


@needs_glslang
def test_a_language_of_words_refuses_them(shader: Any) -> None:
    with pytest.raises(UnsupportedError, match=r"an access to 64 bits of"):
        shader.translate("wgsl")


def test_places_of_numbers_are_folded() -> None:
    x = tree.name("x", UINT)
    half = summed(multiplied(summed(x, literal((6,), UINT)), 2), literal((1,), UINT))
    found = multiplied(half, 2)
    assert text_key(found) == text_key(summed(multiplied(x, 4), literal((26,), UINT)))
    high = literal((1 << 31,), UINT)
    assert multiplied(high, 2).attr == (0,)
    assert summed(high, high).attr == (0,)


@pytest.mark.parametrize("more", [0, 2])
def test_a_number_at_a_byte_that_is_split_into_a_word_and_a_rest(more: int) -> None:
    kernel = KernelIR(stage=Stage.COMPUTE)
    b = Builder(kernel)
    slot = ResourceSlot(ResourceClass.WRITE, 0)
    memory = Memory("u0", Space.BUFFER, WORD, writable=True, slot=slot)
    kernel.memories.append(memory)
    byte = b.imul(b.source("thread_id.x"), b.i32(6))
    rest = b.iadd(byte, b.i32(more)) if more else byte
    value = b.load(memory, b.ushr(byte, b.i32(2)), b.and_(rest, b.i32(3)), I16)
    b.store(memory, 0, 0, b.uconv(value, type=I32))
    lowered = Lowered(kernel, [LoweredResource("u0", Form.RAW, WORD, True, slot=slot)])
    text = decompile(lowered, style="exact")
    found = "u0.Load<uint16_t>((t >> 1u) * 2u)" in text
    assert found is not bool(more), text
