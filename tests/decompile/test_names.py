"""The user's names in decompiled sources."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import unshade
from tests.cli.terminal import PHONG, SAXPY
from tests.cli.terminal import unshade as unshade_line
from unshade.decompile.glsl.words import RESERVED as GLSL_WORDS
from unshade.decompile.names import DecompiledNames
from unshade.errors import UsageError

BLOCK = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %n %color
OpExecutionMode %main OriginUpperLeft
OpName %Blk "Blk"
OpMemberName %Blk 0 "N"
OpMemberName %Blk 1 "Out"
OpMemberName %Blk 2 "t"
OpName %inst "inst"
OpName %n "n"
OpName %color "color"
OpDecorate %n Location 0
OpDecorate %color Location 0
OpDecorate %inst DescriptorSet 0
OpDecorate %inst Binding 0
OpDecorate %Blk Block
OpMemberDecorate %Blk 0 Offset 0
OpMemberDecorate %Blk 1 Offset 16
OpMemberDecorate %Blk 2 Offset 32
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%0 = OpConstant %int 0
%1 = OpConstant %int 1
%2 = OpConstant %int 2
%v4 = OpTypeVector %float 4
%Blk = OpTypeStruct %v4 %v4 %v4
%p_blk = OpTypePointer Uniform %Blk
%p_v4 = OpTypePointer Uniform %v4
%inst = OpVariable %p_blk Uniform
%in_v4 = OpTypePointer Input %v4
%out_v4 = OpTypePointer Output %v4
%n = OpVariable %in_v4 Input
%color = OpVariable %out_v4 Output
%main = OpFunction %void None %function
%begin = OpLabel
%given = OpLoad %v4 %n
%p_N = OpAccessChain %p_v4 %inst %0
%p_Out = OpAccessChain %p_v4 %inst %1
%p_t = OpAccessChain %p_v4 %inst %2
%N = OpLoad %v4 %p_N
%Out = OpLoad %v4 %p_Out
%t = OpLoad %v4 %p_t
%10 = OpFAdd %v4 %given %N
%11 = OpFMul %v4 %10 %10
%12 = OpFAdd %v4 %11 %Out
%13 = OpFMul %v4 %12 %t
OpStore %color %13
OpReturn
OpFunctionEnd
"""


def phong(**names: str) -> str:
    return unshade.open(PHONG).decompile(names=names)


def test_only_the_renamed_names_change() -> None:
    """Variables, parameters, resources, constants and members."""
    plain = phong()
    wanted = {"t_4": "squared", "texcoord1": "uv", "_env_sampler": "linear_wrap", "u_n": "lights",
              "c": "colour"}  # fmt: skip
    made = phong(**wanted)
    back = {new: old for old, new in wanted.items()}
    words = re.compile(r"\b(" + "|".join(back) + r")\b")
    assert words.sub(lambda found: back[found[0]], made) == plain
    assert "t_5" in made


def test_names_may_be_swapped() -> None:
    plain = phong()
    made = phong(t_5="t_6", t_6="t_5")
    assert made != plain
    assert made.replace("t_5", "?").replace("t_6", "t_5").replace("?", "t_6") == plain


@pytest.mark.parametrize("to", ["hlsl", "glsl"])
@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ({"t": "u_n"}, "u_n is taken, expected another name for 't'"),
        ({"u_n": "t_1"}, "t_1 is taken, expected another name for 'u_n'"),
        ({"p": "c"}, "c is taken, expected another name for 'p'"),
        ({"t": "same", "t_1": "same"}, "expected different names, got 'same' twice"),
        ({"t": "float"}, "float is a word of the language, for 't'"),
        ({"t": ""}, "expected an identifier in place of 't', got ''"),
        ({"t": "2d"}, "expected an identifier in place of 't', got '2d'"),
        ({"t": "a-b"}, "expected an identifier in place of 't', got 'a-b'"),
        ({"t": "é"}, "expected an identifier in place of 't', got 'é'"),
        ({"t": "a;discard"}, "expected an identifier in place of 't', got 'a;discard'"),
        ({"t": "gl_x"}, "expected an identifier in place of 't', got 'gl_x'"),
        ({"t": "a__b"}, "expected an identifier in place of 't', got 'a__b'"),
        ({"t": "a\nb"}, "expected an identifier in place of 't'"),
        ({"t": "x" * 256}, "expected an identifier in place of 't'"),
        ({"nothing": "x"}, "nothing is called 'nothing'"),
    ],
)
def test_what_is_refused(to: str, names: dict[str, str], problem: str) -> None:
    with pytest.raises(UsageError, match=f"^names: {re.escape(problem)}"):
        unshade.open(PHONG).decompile(to, names=names)


def test_a_default_name_does_not_depend_on_renames() -> None:
    names = DecompiledNames(("float",), {"t": "u", "t_1": "t"})
    assert [names.unique("t") for _ in range(3)] == ["u", "t", "t_2"]
    names.check_met()


def test_hlsl_reserves_words_as_they_are_written() -> None:
    """`Sampler` is a name in many sources; `Texture` is a word of effects in any case."""
    shader = unshade.open(SAXPY)
    assert "Sampler.x]" in shader.decompile(names={"thread_id": "Sampler"})
    for word in ("sampler", "Texture2D", "Texture", "PASS"):
        with pytest.raises(UsageError, match=f"{word} is a word of the language"):
            shader.decompile(names={"thread_id": word})
    for word in ("floatBitsToInt", "isampler2D", "Shadow"):
        assert (word in GLSL_WORDS) == (word != "Shadow")
    with pytest.raises(UsageError, match="floatBitsToInt is a word of the language"):
        unshade.open(PHONG).decompile("glsl", names={"t": "floatBitsToInt"})


@pytest.mark.parametrize("to", ["hlsl", "glsl"])
def test_names_that_differ_in_case_are_different_names(to: str) -> None:
    made = unshade.open(PHONG).decompile(to, names={"t": "U_N", "t_1": "u_N"})
    assert {"U_N", "u_N", "u_n"} <= {*re.findall(r"\w+", made)}


def test_names_of_the_author_win_over_temporaries() -> None:
    """The block, its variable, and members whose names temporaries or keywords could have."""
    shader = unshade.assemble(BLOCK, "spirv")
    text = shader.decompile("glsl")
    assert "uniform Blk {\n    vec4 N;\n    vec4 Out;\n    vec4 t;\n} inst;" in text
    assert "layout(location = 0) in vec4 n;" in text
    assert "layout(location = 0) out vec4 color;" in text
    assert "inst.N" in text
    text = shader.decompile()
    assert "cbuffer Blk : register(b0) {\n    float4 N;\n    float4 Out;\n    float4 t;\n};" in text
    assert "float4 n : TEXCOORD0" in text
    assert ") : SV_Target0" in text
    assert "float4 t_1 = " in text


# -- the file ------------------------------------------------------------------------------------


def test_yaml_and_json(tmp_path: Path) -> None:
    yaml, json = tmp_path / "names.yaml", tmp_path / "names.json"
    yaml.write_text("# mine\nthread_id: element\n")
    json.write_text('{"thread_id": "element"}')
    found = [unshade_line("decompile", SAXPY, "--names", each) for each in (yaml, json)]
    assert found[0].out == found[1].out
    assert "uint3 element : SV_DispatchThreadID" in found[0].out
    yaml.write_text("")
    assert unshade_line("decompile", SAXPY, "--names", yaml).out == (
        unshade_line("decompile", SAXPY).out
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"- a", "expected names and their replacements"),
        (b"thread_id: 3", "expected a name for 'thread_id', got 3"),
        (b"thread_id: [a]", "expected a name for 'thread_id'"),
        (b"1: a", "expected a name for 1"),
        (b"{", "invalid YAML"),
        (b"\xff\xfe", "expected YAML or JSON in UTF-8"),
        (b"a: " + b"[" * 5000, "names.yaml: "),
        (b"#" * ((1 << 20) + 1), "expected at most 1,048,576 bytes of names"),
    ],
)
def test_files_that_are_refused(text: bytes, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "names.yaml"
    file.write_bytes(text)
    ended = unshade_line("decompile", SAXPY, "--names", file)
    assert ended.code == 2
    assert problem in ended.err
