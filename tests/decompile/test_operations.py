"""Operations of source languages are found again, in a time that grows as the program does."""

import re
from importlib.util import find_spec
from shutil import which

import pytest

import unshade
from unshade.decompile import operations
from unshade.decompile.glsl.target import GlslTarget
from unshade.decompile.hlsl.target import Hlsl
from unshade.decompile.source import source_of
from unshade.decompile.vulkan import SpirvTarget
from unshade.decompile.wgsl import WgslTarget
from unshade.errors import UnsupportedError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.lowered import Lowered
from unshade.ir.ops import OPS
from unshade.ir.waves import Wave
from unshade.vocab.words import Stage

from .recompiled import outcome
from .test_glsl import COMPUTE


def source(count: int) -> str:
    """Return GLSL of a program that reads and writes so many textures."""
    kind = "(float,float,float,float)"
    declared = "\n".join(f"dcl_uav_typed_texture2d {kind} u{at}" for at in range(count))
    lines = []
    for at in range(count):
        lines += [
            f"ld_uav_typed_indexable(texture2d){kind} r0.x, vThreadID.xyyy, u{at}.xyzw",
            f"store_uav_typed u{at}.xyzw, vThreadID.yxxx, r0.xxxx",
        ]
    text = COMPUTE.format(declared, "\n".join(lines))
    return unshade.assemble(text, "dxcontainer").decompile("glsl")


def test_each_texel_is_compared_with_its_own_texture(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    matched = operations.matched

    def counted(*given: object) -> object:
        counts[-1] += 1
        return matched(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(operations, "matched", counted)
    for count in (4, 8, 16):
        counts.append(0)
        text = source(count)
        for at in range(count):
            assert f"imageLoad(u{at}, " in text
            assert f"imageStore(u{at}, " in text
    assert counts[2] - counts[1] == 2 * (counts[1] - counts[0])


ELEMENT = """
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1], immediateIndexed
dcl_uav_structured u0, 16
dcl_temps 1
dcl_thread_group 1, 1, 1
store_structured u0.x, cb0[0].x, cb0[0].y, cb0[0].z
ret
"""


def test_a_word_outside_of_its_element_is_outside_of_the_buffer() -> None:
    shader = unshade.assemble(ELEMENT, "dxcontainer")
    element = "cb0_rows[0].y < 16u ? cb0_rows[0].x : 0xffffffffu"
    word = "min(cb0_rows[0].y >> 2u, 3u)"
    assert f"u0[{element}].words[{word}] = cb0_rows[0].z;" in shader.decompile(style="exact")
    assert "u0[cb0_rows[0].x].words[cb0_rows[0].y >> 2u] = " in shader.decompile()


VECTORS = """
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, {size}
dcl_uav_structured u0, {size}
dcl_input vThreadID.xyz
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_structured r0.{mask}, vThreadID.x, l(0), t0.xyzw
add r0.{mask}, r0.xyzw, r0.xyzw
store_structured u0.{mask}, vThreadID.x, l(0), r0.xyzw
ret
"""


@pytest.mark.parametrize("width", [2, 4])
def test_an_element_that_nothing_describes_is_a_vector(width: int) -> None:
    text = VECTORS.format(size=4 * width, mask="xyzw"[:width])
    shader = unshade.assemble(text, "dxcontainer")
    source = shader.decompile(style="exact")
    assert f"RWStructuredBuffer<float{width}> u0 : register(u0);" in source
    assert f"float{width} t = t0[thread_id.x];" in source
    assert "u0[thread_id.x] = t + t;" in source
    assert f"vec{width} u0[];" in shader.decompile("glsl")


def test_an_element_of_three_words_is_no_vector_that_vulkan_pads() -> None:
    shader = unshade.assemble(VECTORS.format(size=12, mask="xyz"), "dxcontainer")
    for language in ("hlsl", "glsl"):
        assert "    float words[3];" in shader.decompile(language)


@pytest.mark.slow
@pytest.mark.parametrize("width", [2, 3, 4])
@pytest.mark.parametrize(("language", "needs"), [("hlsl", "slangpy"), ("glsl", "")])
def test_vectors_of_a_buffer_compute_the_same(width: int, language: str, needs: str) -> None:
    if (needs and find_spec(needs) is None) or (not needs and which("glslangValidator") is None):
        pytest.skip("needs the extra [slang] and glslang-tools")
    text = VECTORS.format(size=4 * width, mask="xyzw"[:width])
    shader = unshade.assemble(text, "dxcontainer")
    again = shader.decompile(language, "exact")
    assert outcome(shader, again, "compute", seeds=1, language=language).startswith("equal")


def test_an_element_is_no_vector_if_a_place_in_it_is_known_at_run_time() -> None:
    text = VECTORS.format(size=16, mask="xyzw").replace(
        "u0.xyzw, vThreadID.x, l(0), r0.xyzw", "u0.x, vThreadID.x, vThreadID.y, r0.x"
    )
    source = unshade.assemble(text, "dxcontainer").decompile()
    assert "StructuredBuffer<float4> t0" in source
    assert "    float words[4];" in source


def waves(*helpers: bool) -> KernelIR:
    """Return a pixel shader with a sum of the wave for each, with or without helper lanes."""
    kernel = KernelIR(stage=Stage.PIXEL)
    b = Builder(kernel)
    for each in helpers:
        b.wave_reduce(b.i32(1), attr=Wave(op=OPS.iadd, helpers=each))
    return kernel


def test_helper_lanes_in_operations_of_waves_are_an_attribute_of_hlsl() -> None:
    lowered = Lowered(waves(True, True), [])
    text = source_of(lowered, None, Hlsl(True), True, False)
    assert "[WaveOpsIncludeHelperLanes]\nvoid main()" in text
    assert "Helper" not in source_of(Lowered(waves(False), []), None, Hlsl(True), True, False)
    for target in (SpirvTarget(), WgslTarget(), GlslTarget(True)):
        with pytest.raises(UnsupportedError, match="helper lanes in operations of waves"):
            source_of(lowered, None, target, True, False)
    with pytest.raises(UnsupportedError, match="helper lanes in some operations of waves"):
        source_of(Lowered(waves(True, False), []), None, Hlsl(True), True, False)


CONDITIONS = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[3], immediateIndexed
dcl_input_ps linear v1.xyz
dcl_output o0.xyzw
dcl_temps 2
{}
ret
"""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("lt r0.x, v1.x, v1.y\nlt r0.y, v1.z, l(4.0)\nand r0.x, r0.x, r0.y\nif_nz r0.x",
         "if (v1.x < v1.y && v1.z < 4.0) {"),
        ("lt r0.x, v1.x, v1.y\nlt r0.y, l(4.0), v1.z\nor r0.x, r0.x, r0.y\nif_z r0.x",
         "if (!(v1.x < v1.y || v1.z > 4.0)) {"),
        ("lt r0.x, v1.x, v1.y\nlt r0.y, v1.z, l(4.0)\nieq r0.x, r0.x, r0.y\nif_nz r0.x",
         "if ((v1.x < v1.y) == (v1.z < 4.0)) {"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("style", ["readable", "exact"])
def test_words_of_all_bits_are_conditions(code: str, words: str, style: str) -> None:
    text = f"{code}\nmov o0.xyzw, v1.xyzx\nelse\nmov o0.xyzw, l(0,0,0,0)\nendif"
    shader = unshade.assemble(CONDITIONS.format(text), "dxcontainer")
    assert words in re.sub("texcoord1", "v1", shader.decompile(style=style))


def test_sums_begin_with_what_is_computed_first() -> None:
    code = (
        "mul r0.x, v1.x, l(3.0)\nmad r0.x, v1.y, l(2.0), r0.x\nmad r0.x, -v1.z, v1.x, r0.x\n"
        "mov o0.xyzw, r0.xxxx"
    )
    text = unshade.assemble(CONDITIONS.format(code), "dxcontainer").decompile()
    words = "return texcoord1.x * 3.0 + texcoord1.y * 2.0 - texcoord1.x * texcoord1.z;"
    assert words in text


def test_vectors_of_one_number_have_it_once() -> None:
    code = "mov o0.xyzw, l(2.0, 2.0, 2.0, 2.0)"
    shader = unshade.assemble(CONDITIONS.format(code), "dxcontainer")
    assert "out_target0 = vec4(2.0);" in shader.decompile("glsl")
