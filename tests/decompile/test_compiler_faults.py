"""Faults of compilers are taken for one only if the compiler's output shows them."""

import pytest

from unshade.vocab.words import SystemValue

from .compiler_faults import compiler_fault
from .recompiled import is_unused_level

STREAMS = "void main(inout PointStream<A> a, inout PointStream<B> b) {"
SIGNED = "    u0.InterlockedMax(16u, int(cb0_rows[1].x), t_4);"
CONSTANT = "    constants.color = float3(points[0].color);"
PATCH = "OpDecorate %_patchConstantOutput_color Patch\n"
BUFFER = "struct X {\n    float4 a;\n    float3 b;\n};\nRWStructuredBuffer<X> buf : register(u5);"
POINTS = "PatchConstants f(OutputPatch<ControlPoint, 3> points) {}"
UNDEFINED = "%1 = OpUndef %v4float\n%2 = OpCompositeConstruct %Vertex %1\n"
QUADS = "[numthreads(8, 8, 1)]\nvoid main() { u0[0] = QuadReadAcrossX(t.x); }"
HELPERS = "[WaveOpsIncludeHelperLanes]\nvoid main() { out_x = WaveActiveSum(t); }"
ZERO = "%float_0 = OpConstant %float 0\n"
ONE = "%float_1 = OpConstant %float 1\n"


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        (STREAMS, "OpEmitVertex", "OpEmitStreamVertex %int_1"),
        (SIGNED, "%1 = OpAtomicUMax %uint", "%1 = OpAtomicSMax %int"),
        ("    u0.InterlockedMin(0u, -3);", "%1 = OpAtomicUMin %uint", "%1 = OpAtomicSMin %int"),
        (CONSTANT, PATCH, PATCH + "OpStore %_patchConstantOutput_color %1"),
        (BUFFER, "OpDecorate %_runtimearr_X ArrayStride 32",
         "OpDecorate %_runtimearr_X ArrayStride 28"),
        (POINTS, UNDEFINED, UNDEFINED.replace("%Vertex %1", "%Vertex %3")),
        (QUADS, "", "OpExecutionMode %main DerivativeGroupQuadsNV"),
        (HELPERS, "", "OpExecutionMode %main RequireFullQuadsKHR"),
        ("    out_x = t + 0.0;", ZERO, ZERO + "%2 = OpFAdd %float %1 %float_0"),
        ("    out_x = t * 1.0;", ONE, ONE + "%2 = OpFMul %float %1 %float_1"),
    ],
)  # fmt: skip
def test_a_fault_needs_the_output_that_shows_it(text: str, wrong: str, right: str) -> None:
    assert compiler_fault(text, wrong)
    assert not compiler_fault(text, right)
    assert not compiler_fault("void main() {}", wrong)


def test_levels_that_a_domain_has_not_are_not_compared() -> None:
    inner, outer = SystemValue.TESS_LEVEL_INNER, SystemValue.TESS_LEVEL_OUTER
    assert is_unused_level(inner, "gl_TessLevelInner1", "tri")
    assert is_unused_level(outer, "gl_TessLevelOuter3", "tri")
    assert not is_unused_level(inner, "gl_TessLevelInner", "tri")
    assert not is_unused_level(outer, "gl_TessLevelOuter3", "quad")
    assert not is_unused_level(outer, "gl_TessLevelOuter3", "")
    assert not is_unused_level(None, "color7", "tri")
