"""Functions of constants: their results in the style exact, which no compiler computes again."""

from shutil import which

import pytest

import unshade
from unshade.decompile import source

from .recompiled import FEW, outcome

MODULE = """
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %out Location 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%out_v4 = OpTypePointer Output %v4
%a = OpConstant %float 0.5
%b = OpConstant %float -0.3
%c = OpConstant %float 0.7
%ab = OpConstantComposite %v2 %a %b
%out = OpVariable %out_v4 Output
%main = OpFunction %void None %function
%begin = OpLabel
%n = OpExtInst %v2 %glsl Normalize %ab
%s = OpExtInst %float %glsl Sin %c
%p = OpExtInst %float %glsl Pow %c %s
%whole = OpCompositeConstruct %v4 %n %s %p
OpStore %out %whole
OpReturn
OpFunctionEnd
"""


def test_functions_of_constants_are_numbers_in_the_style_exact() -> None:
    shader = unshade.assemble(MODULE, "spirv")
    for language, vector in (("hlsl", "float4"), ("glsl", "vec4")):
        exact = shader.decompile(language, "exact")
        assert f"= {vector}(0.8574929, -0.5144958, 0.64421767, 0.79471135);" in exact
        readable = shader.decompile(language)
        assert "sin(0.7)" in readable
        assert "normalize(" in readable
    assert "sin(" not in shader.translate("wgsl")


@pytest.mark.slow
@pytest.mark.skipif(which("glslangValidator") is None, reason="needs glslangValidator")
def test_the_compiler_would_round_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    shader = unshade.assemble(MODULE, "spirv")

    def proven() -> str:
        text = shader.decompile("glsl", "exact")
        return outcome(shader, text, "pixel", seeds=1, language="glsl", turns=FEW)

    assert proven() == "equal"
    monkeypatch.setattr(source, "fold_functions", lambda kernel: None)
    assert proven().startswith("differs")
