"""Functions of several operations that readable sources name: mod, exp, log, atan2, ldexp."""

import re

import pytest

import unshade
from tests.programs.spirv.lower.modules import shader
from unshade.isa.source import Source

from .recompiled import outcome, recompiled

CODE = """\
%f = OpConvertUToF %float %x
%g = OpFAdd %float %f %half_more
%m = OpFMod %float %f %four
%e = OpExtInst %float %1 Exp %m
%l = OpExtInst %float %1 Log %g
%t = OpExtInst %float %1 Atan2 %e %l
%n = OpBitcast %int %x
%d = OpExtInst %float %1 Ldexp %t %n
%r = OpExtInst %float %1 Fract %d
%bits = OpBitcast %uint %r"""
GLOBALS = "%half_more = OpConstant %float 0.5\n%four = OpConstant %float 4"


def module() -> unshade.Shader:
    return shader(CODE, "%bits", globals=GLOBALS)


def test_readable_hlsl_has_the_functions() -> None:
    text = module().decompile()
    assert "written as calls: atan2, exp, frac, ldexp, log, mod; each is several" in text
    assert "frac(ldexp(atan2(exp(mod(t_1, 4.0)), log(t_1 + 0.5)), " in text
    assert "float mod(float x, float y) {\n    return x - y * floor(x / y);\n}" in text


def test_readable_glsl_has_the_functions() -> None:
    text = module().decompile("glsl")
    assert "written as calls: atan, exp, fract, ldexp, log, mod; each is several" in text
    assert "fract(ldexp(atan(exp(mod(t_1, 4.0)), log(t_1 + 0.5)), " in text


@pytest.mark.parametrize("to", ["hlsl", "glsl"])
def test_exact_sources_have_the_operations(to: str) -> None:
    text = module().decompile(to, style="exact")
    assert "written as calls" not in text
    assert "exp2(" in text
    assert " mod(" not in text


@pytest.mark.slow
@pytest.mark.parametrize("to", ["hlsl", "glsl"])
def test_sources_compile_and_exact_ones_have_the_same_bits(to: str) -> None:
    found = module()
    assert recompiled(found.decompile(to), "compute", to).format == "spirv"
    text = found.decompile(to, style="exact")
    assert outcome(found, text, "compute", seeds=2, language=to) == "equal"


SKSL = """
half4 main(float2 p) {
    float a = sin(p.x) + cos(p.y) + tan(p.x);
    float c = asin(a) + acos(a) + atan(a) + atan(p.y, p.x);
    return half4(pow(p.x, 2.2), exp(p.y) + log(p.x), exp2(p.y) - log2(p.x), c + fract(p.x));
}
"""


@pytest.mark.parametrize(("to", "angle"), [("hlsl", "atan2"), ("glsl", "atan")])
def test_readable_sources_of_sksl_have_its_functions(to: str, angle: str) -> None:
    text = unshade.compile(Source(SKSL, "some.rts"), language="sksl").decompile(to)
    words = ["acos", "asin", "atan", "cos", "exp", "exp2", "log", "log2", "sin", "tan"]
    assert all(f"{word}(" in text for word in words)
    assert re.search(rf"\b{angle}\(\w+\.y, \w+\.x\)", text)
    assert re.search(r"\bpow\(\w+\.x, 2\.2\)", text)
    assert "asfloat(" not in text
    assert "BitsToFloat(" not in text


def test_exact_sources_of_sksl_have_its_approximations() -> None:
    text = unshade.compile(Source(SKSL, "some.rts"), language="sksl").decompile(style="exact")
    assert "asfloat(" in text
    assert "sin(" not in text
