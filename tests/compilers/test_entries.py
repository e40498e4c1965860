"""Entry points that sources declare."""

import pytest

from unshade import UsageError
from unshade.compilers.entries import chosen_entries, declared
from unshade.vocab.languages import SourceLanguage
from unshade.vocab.words import Stage

HLSL = """
#define float4 float4  // [shader("miss")] void not_this() {}
struct Out { float4 p : SV_Position; float2 uv : TEXCOORD0; };
cbuffer C : register(b0) { float4x4 m; }
static const float weights[] = { 1, 2 };
float helper(float x) { if (x > 0) { return 1; } return x; }
Out vs(float3 p : POSITION) { Out o; return o; }
float4 ps(Out o) : SV_Target0 { return 1; }
void depth(Out o, out float d : SV_DepthGreaterEqual) { d = 1; }
[numthreads(8, 8, 1)] void cs(uint3 id : SV_DispatchThreadID) {}
[maxvertexcount(3)] void gs(triangle Out v[3], inout TriangleStream<Out> s) {}
[domain("tri")][outputcontrolpoints(3)] Out hs(InputPatch<Out, 3> p) { Out o; return o; }
[domain("tri")] Out ds(const OutputPatch<Out, 3> p) { Out o; return o; }
[shader("closesthit")] void hit(inout P p) {}
[outputtopology("triangle")] [numthreads(1, 1, 1)] void ms() {}
[numthreads(1, 1, 1)] void task() { DispatchMesh(1, 1, 1, p); }
namespace n { float g(float x) { return x; } }
"""


def test_attributes_and_system_values_give_the_stage() -> None:
    stages = {
        name: (stage, explicit) for name, stage, explicit in declared(SourceLanguage.HLSL, HLSL)
    }
    assert stages == {
        "helper": (None, False),
        "vs": (Stage.VERTEX, False),
        "ps": (Stage.PIXEL, False),
        "depth": (Stage.PIXEL, False),
        "cs": (Stage.COMPUTE, True),
        "gs": (Stage.GEOMETRY, True),
        "hs": (Stage.HULL, True),
        "ds": (Stage.DOMAIN, True),
        "hit": (Stage.CLOSESTHIT, True),
        "ms": (Stage.MESH, True),
        "task": (Stage.AMPLIFICATION, True),
        "g": (None, False),
    }


@pytest.mark.parametrize(
    ("text", "stage", "entry", "expected"),
    [
        ("float4 main() : SV_Target { return 1; }", None, None, ("main", Stage.PIXEL)),
        ("float4 f(float4 p : P) { return p; }", Stage.VERTEX, None, ("f", Stage.VERTEX)),
        ("float g() { return 1; } void main() {}", Stage.PIXEL, None, ("main", Stage.PIXEL)),
        (HLSL, Stage.COMPUTE, None, ("cs", Stage.COMPUTE)),
        (HLSL, None, "ps", ("ps", Stage.PIXEL)),
        ('#include "rest.hlsli"', Stage.PIXEL, "main", ("main", Stage.PIXEL)),
    ],
)
def test_the_only_function_that_can_be_meant(
    text: str, stage: Stage | None, entry: str | None, expected: tuple[str, Stage]
) -> None:
    assert chosen_entries(SourceLanguage.HLSL, text, stage, entry) == (expected,)


def test_all_entry_points_with_attributes() -> None:
    text = '[shader("pixel")] float4 a() {}\n[numthreads(1,1,1)] void b() {}'
    assert chosen_entries(SourceLanguage.SLANG, text, None, None) == (
        ("a", Stage.PIXEL),
        ("b", Stage.COMPUTE),
    )


@pytest.mark.parametrize(
    ("text", "stage", "entry", "message"),
    [
        ("float a() { return 1; } float b() { return 1; }", None, None,
         "the entry point is ambiguous; name stage and entry: candidates are a, b"),
        ("float4 a() : SV_Target {} float4 b() : SV_Target {}", Stage.PIXEL, None,
         "the entry point of a pixel shader is ambiguous; name stage and entry: candidates are"
         " a (pixel), b (pixel)"),
        ("float a() { return 1; }", None, None,
         "the entry point is ambiguous; name the stage: candidates are a"),
        ("int x;", None, None, "the source declares no entry point; name stage and entry"),
        ("float4 mian() : SV_Target {}", None, "main",
         "no function 'main'; did you mean mian?: candidates are mian (pixel)"),
    ],
)  # fmt: skip
def test_what_cannot_be_chosen_lists_the_candidates(
    text: str, stage: Stage | None, entry: str | None, message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        chosen_entries(SourceLanguage.HLSL, text, stage, entry)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("layout(local_size_x = 8) in; void main() {}", Stage.COMPUTE),
        ("#pragma shader_stage(vertex)\nvoid main() {}", Stage.VERTEX),
        ("layout(local_size_x = 1) in; layout(triangles, max_vertices = 3) out;", Stage.MESH),
    ],
)
def test_the_stage_of_glsl(text: str, expected: Stage) -> None:
    assert chosen_entries(SourceLanguage.GLSL, text, None, None) == (("main", expected),)


def test_glsl_without_a_stage() -> None:
    with pytest.raises(UsageError, match="the stage of the GLSL source is unknown; name it: vert"):
        chosen_entries(
            SourceLanguage.GLSL, "// layout(local_size_x = 8) in;\nvoid main() {}", None, None
        )


def test_entry_points_of_wgsl() -> None:
    text = "@compute @workgroup_size(8) fn a() {}\n@vertex fn b() -> @builtin(position) vec4f {}"
    assert chosen_entries(SourceLanguage.WGSL, text, None, None) == (
        ("a", Stage.COMPUTE),
        ("b", Stage.VERTEX),
    )


def test_a_source_that_ends_early() -> None:
    """The compiler says what is missing; the search for entry points does not stumble over it."""
    whole = declared(SourceLanguage.HLSL, HLSL)
    for end in range(0, len(HLSL), 11):
        found = declared(SourceLanguage.HLSL, HLSL[:end])
        known = [each.name for each in found]
        assert known[:-1] == [each.name for each in whole][: max(len(known) - 1, 0)]
    (only,) = declared(SourceLanguage.HLSL, "float4 main() : SV_Target { if (a) { return 1;")
    assert (only.name, only.stage) == ("main", Stage.PIXEL)
