"""Inputs and outputs of 16 and 64 bits of SPIR-V, which are so in every language that has them."""

import re
from shutil import which
from typing import Any

import pytest

import unshade
from unshade import UnsupportedError
from unshade.isa.source import Source

from .recompiled import FEW, outcome, translated_outcome

TYPES = ("%half3", "%short2", "%double2", "%long")
# What a fragment shader writes in place of numbers of 64 bits, and the conversion.
NARROW = {"%double2": ("%float2", "OpFConvert"), "%long": ("%uint", "OpUConvert")}
PASSES = """
OpCapability Shader
OpCapability Float16
OpCapability Int16
OpCapability Float64
OpCapability Int64
OpCapability StorageInputOutput16
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main" {names}
{decorations}
%void = OpTypeVoid
%function = OpTypeFunction %void
%half = OpTypeFloat 16
%half3 = OpTypeVector %half 3
%short = OpTypeInt 16 1
%short2 = OpTypeVector %short 2
%double = OpTypeFloat 64
%double2 = OpTypeVector %double 2
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%float2 = OpTypeVector %float 2
%uint = OpTypeInt 32 0
{variables}
%main = OpFunction %void None %function
%begin = OpLabel
{body}
OpReturn
OpFunctionEnd
"""
GEOMETRY = """
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in dvec2 d[];
layout(location = 1) in f16vec3 h[];
layout(location = 2) in i16vec2 s[];
layout(location = 0) out dvec2 od;
layout(location = 1) out f16vec3 oh;
layout(location = 2) flat out i16vec2 os;
void main() {
    for (int i = 0; i < 3; i++) {
        od = d[i] * 2;
        oh = h[i] + h[0];
        os = s[i] + s[1];
        gl_Position = vec4(i);
        EmitVertex();
    }
    EndPrimitive();
}
"""


def passing(model: str) -> Any:
    """Return a shader that writes twice an input of each type."""
    names, decorations, variables, body = [], [], [], []
    if model == "Fragment":
        decorations.append("OpExecutionMode %main OriginUpperLeft")
    for number, type in enumerate(TYPES):
        for way, storage in (("in", "Input"), ("out", "Output")):
            name, pointer = f"%{way}{number}", f"%{way}_{number}"
            names.append(name)
            decorations.append(f"OpDecorate {name} Location {number}")
            if model == "Fragment" and way == "in" and type != "%half3":
                decorations.append(f"OpDecorate {name} Flat")
            narrow, convert = type, ""
            if model == "Fragment" and way == "out":
                narrow, convert = NARROW.get(type, (type, ""))
            variables.append(f"{pointer} = OpTypePointer {storage} {narrow}")
            variables.append(f"{name} = OpVariable {pointer} {storage}")
        sum = "OpFAdd" if type in ("%half3", "%double2") else "OpIAdd"
        body.append(f"%value{number} = OpLoad {type} %in{number}")
        body.append(f"%sum{number} = {sum} {type} %value{number} %value{number}")
        if convert:
            body.append(f"%made{number} = {convert} {narrow} %sum{number}")
        body.append(f"OpStore %out{number} {'%made' if convert else '%sum'}{number}")
    text = PASSES.format(
        model=model, names=" ".join(names), decorations="\n".join(decorations),
        variables="\n".join(variables), body="\n".join(body),
    )  # fmt: skip
    return unshade.assemble(text, "spirv")


def test_types_of_inputs_and_outputs() -> None:
    shader = passing("Vertex")
    hlsl = ["half3", "int16_t2", "double2", "uint64_t"]
    found = re.findall(r"^    (?:out )?(\w+) \w+ : TEXCOORD\d", shader.decompile(), re.M)
    assert found == [*hlsl, *hlsl]
    glsl = ["f16vec3", "i16vec2", "dvec2", "uint64_t"]
    text = shader.decompile("glsl")
    assert re.findall(r"^layout\(location = \d\) in (\w+)", text, re.M) == glsl
    assert re.findall(r"^layout\(location = \d\) out (\w+)", text, re.M) == glsl
    with pytest.raises(UnsupportedError, match="cannot be translated to WGSL yet"):
        passing("Fragment").translate("wgsl")


def test_a_translated_module_says_that_its_interface_has_16_bits() -> None:
    shader = passing("Vertex")
    made = shader.translate()
    assert "OpCapability StorageInputOutput16" in made.disassemble()
    assert made.verify() == []
    assert translated_outcome(shader, made, seeds=2, turns=FEW) == "equal"


def test_doubles_are_not_interpolated() -> None:
    text = passing("Fragment").decompile("glsl")
    assert "layout(location = 2) flat in dvec2 " in text
    assert "layout(location = 0) in f16vec3 " in text


@pytest.mark.slow
@pytest.mark.skipif(which("glslangValidator") is None, reason="needs glslangValidator")
@pytest.mark.parametrize("stage", ["vertex", "pixel", "geometry"])
def test_glslang_makes_the_same_results(stage: str) -> None:
    if stage == "geometry":
        source = Source(GEOMETRY, "widths.geom")
        shader = unshade.compile(
            source, language="glsl", stage=stage, compiler="glslangValidator", debug=False
        )
    else:
        shader = passing("Vertex" if stage == "vertex" else "Fragment")
    text = shader.decompile("glsl", "exact")
    assert outcome(shader, text, stage, seeds=2, language="glsl", turns=FEW) == "equal"
    assert translated_outcome(shader, shader.translate(), seeds=2, turns=FEW) == "equal"


SHUFFLE = """
OpCapability Shader
OpCapability Int64
OpCapability GroupNonUniformShuffle
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %in %out
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%long = OpTypeInt 64 0
%in_long = OpTypePointer Input %long
%out_long = OpTypePointer Output %long
%subgroup = OpConstant %uint 3
%lane = OpConstant %uint 1
%in = OpVariable %in_long Input
%out = OpVariable %out_long Output
%main = OpFunction %void None %function
%begin = OpLabel
%x = OpLoad %long %in
%y = OpGroupNonUniformShuffle %long %subgroup %x %lane
OpStore %out %y
OpReturn
OpFunctionEnd
"""


def test_subgroups_ask_for_the_types_of_their_operands() -> None:
    text = unshade.assemble(SHUFFLE, "spirv").decompile("glsl")
    assert "#extension GL_EXT_shader_subgroup_extended_types_int64 : require\n" in text
    text = unshade.assemble(
        SHUFFLE.replace("%long = OpTypeInt 64", "%long = OpTypeInt 32")
        .replace("%uint = OpTypeInt 32 0\n", "")
        .replace("%uint", "%long"),
        "spirv",
    ).decompile("glsl")
    assert "extended_types" not in text


LOGARITHM = """
OpCapability Shader
OpCapability Float64
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %in %out
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%double = OpTypeFloat 64
%in_double = OpTypePointer Input %double
%out_double = OpTypePointer Output %double
%in = OpVariable %in_double Input
%out = OpVariable %out_double Output
%main = OpFunction %void None %function
%begin = OpLabel
%x = OpLoad %double %in
%y = OpExtInst %double %glsl Log2 %x
OpStore %out %y
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize("language", ["hlsl", "glsl", "spirv", "wgsl"])
def test_functions_that_doubles_do_not_have_are_refused_by_name(language: str) -> None:
    """Slang writes them. HLSL would compute with floats of 32 bits."""
    shader: Any = unshade.assemble(LOGARITHM, "spirv")
    make = shader.decompile if language in ("hlsl", "glsl") else shader.translate
    with pytest.raises(UnsupportedError, match=r"log2 of 64-bit floats cannot be .* yet"):
        make(language)


@pytest.mark.slow  # Slang is loaded
def test_literals_of_doubles_are_doubles() -> None:
    """A compiler of HLSL reads 0.1 as a float of 32 bits."""
    pytest.importorskip("slangpy", reason="needs the extra [slang]")
    module = LOGARITHM.replace("OpExtInst %double %glsl Log2 %x", "OpFMul %double %x %tenth")
    module = module.replace("%in = ", "%tenth = OpConstant %double 0.1\n%in = ")
    shader = unshade.assemble(module, "spirv")
    text = shader.decompile("hlsl", "exact")
    assert " * 0.1L;" in text
    assert outcome(shader, text, "vertex", seeds=1, engines=("lockstep",), turns=FEW) == "equal"
