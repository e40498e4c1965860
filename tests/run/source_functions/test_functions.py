"""Functions of sources, called over arrays."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from unshade.compilers.registry import OWN
from unshade.errors import UsageError
from unshade.run import Sampler, Texture
from unshade.run.source_functions import ShaderFunctions, functions

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(OWN[0].missing()), reason=OWN[0].install),
]

SLANG = """
struct S { float3 p; int k; };
float twice(float x = 2.0, float k = 2.0) { return k * x; }
float twice(float2 x) { return 2 * x.x; }
int twice(int x) { return 2 * x + 1; }
namespace ns
{
    float2 product(float2x3 m, inout int count, out bool big)
    {
        float2 v = mul(m, float3(1, 2, 3));
        big = v.x > 10;
        count++;
        return v;
    }
}
S moved(S s, float a[3]) { s.k++; s.p += float3(a[0], a[1], a[2]); return s; }
half3 small(half3 a, double d, int16_t i) { return a * half(d) + half(i); }
bool2 ordered(bool2 a, bool b) { return bool2(a.x && b, a.y || b); }
float sampled(Texture2D<float4> t) { return t[int2(0, 0)].x; }
bool[2] flags() { return { true, false }; }
float only(float a[1]) { return a[0] + 1; }
uint64_t wide(uint64_t x) { return x + 1; }
void nothing() {}
[shader("compute")] [numthreads(1, 1, 1)] void main() {}
"""


@pytest.fixture(scope="module", params=["lockstep", "auto"])
def library(request: pytest.FixtureRequest) -> ShaderFunctions:
    return functions(SLANG, language="slang", engine=request.param)


def test_names_and_declarations(library: ShaderFunctions) -> None:
    assert list(library) == [
        "twice", "ns::product", "moved", "small", "ordered", "sampled", "flags", "only", "wide",
        "nothing", "main",
    ]  # fmt: skip
    assert repr(library.twice) == (
        "float twice(float x = …, float k = …)\nfloat twice(float2 x)\nint twice(int x)"
    )
    assert repr(library["ns::product"]) == (
        "float2 ns::product(float2x3 m, inout int count, out bool big)"
    )


def test_an_array_of_one_element(library: ShaderFunctions) -> None:
    assert library.only([[1.0], [2.0]]).tolist() == [2.0, 3.0]
    with pytest.raises(UsageError, match=r"a: expected float\[1\]"):
        library.only([1.0, 2.0])


def test_defaults_and_names(library: ShaderFunctions) -> None:
    assert library.twice() == 4
    assert library.twice(3.0) == 6
    assert library.twice(3.0, k=5) == 15
    assert library.twice(k=3.0, x=2.0) == 6


def test_overloads_by_type_and_shape(library: ShaderFunctions) -> None:
    assert library.twice(3) == 7
    assert library.twice(np.float32(3)) == 6
    assert library.twice(np.ones((4, 3), np.float32)).shape == (4, 3)
    assert library.twice(np.ones((4, 3, 2), np.float32)).shape == (4, 3)


def test_matrices_have_rows_and_columns_and_results_are_in_order(library: ShaderFunctions) -> None:
    product = library["ns::product"]
    value, count, big = product(np.array([[1, 2, 3], [4, 5, 6]], np.float32), 5)
    assert (value.tolist(), count, big) == ([14, 32], 6, True)
    matrices = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    value, count, big = product(matrices, np.array([[5], [7], [9]], np.int32))
    assert value.shape == (3, 2, 2)
    assert value[2].tolist() == (matrices @ np.array([1, 2, 3], np.float32)).tolist()
    assert count.tolist() == [[6, 6], [8, 8], [10, 10]]
    assert big[0].tolist() == [False, True]


def test_structures_and_arrays(library: ShaderFunctions) -> None:
    one = library.moved({"p": [1, 2, 3], "k": 4}, [10, 20, 30])
    assert (one["p"].tolist(), int(one["k"])) == ([11, 22, 33], 5)
    many = np.zeros(3, [("p", np.float32, 3), ("k", np.int32)])
    many["k"] = [1, 2, 3]
    found = library.moved(many, np.array([[1, 2, 3]], np.float32))
    assert found["k"].tolist() == [2, 3, 4]
    assert found["p"].tolist() == [[1, 2, 3]] * 3


def test_other_types(library: ShaderFunctions) -> None:
    found = library.small([1.5, 2, 3], 2.0, 1)
    assert (found.dtype, found.tolist()) == (np.float16, [4, 5, 7])
    assert library.ordered([True, False], [[True], [False]][0][0]).tolist() == [True, True]
    assert library.ordered(np.array([[True, False], [False, False]]), False).tolist() == [
        [False, False],
        [False, False],
    ]
    assert library.wide(np.uint64(2**64 - 2)) == 2**64 - 1
    assert library.nothing() is None


def test_an_empty_batch(library: ShaderFunctions) -> None:
    assert library.twice(np.zeros((0, 2), np.float32)).shape == (0,)


def test_more_than_one_group(library: ShaderFunctions) -> None:
    x = np.arange(1000, dtype=np.float32)
    assert (library.twice(x) == 2 * x).all()


@pytest.mark.parametrize(
    ("name", "args", "named", "message"),
    [
        ("moved", ({"p": [1, 2, 3], "k": 4},), {}, "moved: missing argument float[3] a"),
        ("wide", (1, 2), {}, "wide: expected 1 arguments, got 2"),
        ("wide", (), {"y": 1}, "wide: unknown parameter 'y'; known: x"),
        ("wide", (1,), {"x": 1}, "wide: parameter x is given twice"),
        ("small", ([1, 2], 1, 1), {},
         "a: expected half3, an array whose shape ends with (3,), got (2,)"),
        ("flags", (), {}, "flags: result: bool[2] contains bool, which has no layout in memory"),
        ("ns::product", (np.zeros((2, 2, 3), np.float32), np.zeros(3, np.int32)), {},
         "ns::product: shapes cannot be broadcast: m (2,), count (3,)"),
        ("twice", (1, 2, 3), {},
         "no overload of twice takes these arguments:\n    float twice(float x = …, float k = …)\n"
         "    float twice(float2 x)\n    int twice(int x)"),
    ],
)  # fmt: skip
def test_wrong_arguments(
    name: str, args: tuple[object, ...], named: dict[str, object], message: str
) -> None:
    library = functions(SLANG, language="slang")
    with pytest.raises(unshade.UsageError) as caught:
        library[name](*args, **named)
    assert str(caught.value) == message


def test_an_unknown_function_is_suggested() -> None:
    library = functions(SLANG, language="slang")
    with pytest.raises(unshade.UsageError, match=r"no function 'twce'; did you mean twice\?"):
        library["twce"]
    with pytest.raises(AttributeError, match=r"no function 'twce'; did you mean twice\?"):
        getattr(library, "twce")  # noqa: B009
    assert "twce" not in library
    assert "twice" in dir(library)
    assert "ns::product" not in dir(library)


def test_globals_are_bound_by_name() -> None:
    text = (
        "StructuredBuffer<float> table : register(t0);\ncbuffer C { float scale; };\n"
        "float looked_up(int i) { return scale * table[i]; }\nfloat free(float x) { return x; }\n"
    )
    bindings = {"table": np.array([1, 2, 3], np.float32), "C": {"scale": 10}}
    library = functions(text, language="hlsl", bindings=bindings)
    assert library.looked_up([0, 2]).tolist() == [10, 30]
    assert library.free(1.0) == 1
    library.bindings["C"] = {"scale": 2}
    assert library.looked_up(1) == 4


RESOURCES = """
float4 scaled(Texture2D<float4> t, SamplerState s, float2 uv, float k = 2)
{
    return k * t.SampleLevel(s, uv, 0);
}
float at(StructuredBuffer<float> data, int i) { return data[i]; }
float2 filled(RWTexture2D<float> to, int i)
{
    uint w, h;
    to.GetDimensions(w, h);
    to[int2(i, 0)] = i + 1;
    return float2(w, h);
}
float both(float x, Texture2D<float4> a, Texture2D<float4> b) { return x + a[int2(0, 0)].x; }
Texture2D<float4> taken;
float outer() { return taken[int2(0, 0)].x; }
float clash(Texture2D<float4> taken, float x) { return taken[int2(0, 0)].x + outer() + x; }
"""


@pytest.fixture(scope="module", params=["lockstep", "auto"])
def resources(request: pytest.FixtureRequest) -> ShaderFunctions:
    return functions(RESOURCES, language="hlsl", engine=request.param)


def test_textures_samplers_and_buffers_are_parameters(resources: ShaderFunctions) -> None:
    image = np.zeros((2, 2, 4), np.float32)
    image[0, 1], image[1, 0] = 1, [0.5, 0.25, 0, 1]
    sampler = Sampler("point", "clamp")
    places = [[0.75, 0.25], [0.25, 0.75]]
    wanted = [[3, 3, 3, 3], [1.5, 0.75, 0, 3]]
    assert resources.scaled(image, sampler, places, 3.0).tolist() == wanted
    assert resources.scaled(image, sampler, places, 3.0).tolist() == wanted  # by its plan
    assert resources.scaled(2 * image, sampler, [0.75, 0.25], 1.0).tolist() == [2, 2, 2, 2]
    assert resources.scaled(uv=[0.75, 0.25], s=sampler, t=image).tolist() == [2, 2, 2, 2]
    assert resources.at(np.arange(4, dtype=np.float32), [3, 1]).tolist() == [3, 1]
    made = np.zeros((2, 3), np.float32)
    assert resources.filled(made, [0, 2]).tolist() == [[3, 2], [3, 2]]
    assert made.tolist() == [[1, 0, 3], [0, 0, 0]]
    assert repr(resources.at) == "float at(StructuredBuffer<float> data, int i)"
    debugger = resources.scaled.debug(1, image, sampler, places)
    assert debugger.trace.entries


def test_resources_of_parameters_may_be_bindings(resources: ShaderFunctions) -> None:
    resources.bindings["data"] = np.array([5, 7], np.float32)
    try:
        assert resources.at(i=1) == 7
    finally:
        del resources.bindings["data"]


def test_errors_of_resources(resources: ShaderFunctions) -> None:
    image = np.ones((1, 1, 4), np.float32)
    assert resources.both(1.0, image, image) == 2  # the second is not used
    with pytest.raises(UsageError, match="parameter a is given twice"):
        resources.both(1.0, image, image, a=image)
    with pytest.raises(UsageError, match="taken has the name of a resource of the source"):
        resources.clash(image, 1.0)
    with pytest.raises(UsageError, match=r"data \(.*\) is not bound"):
        resources.at(i=1)


def test_a_sampler_of_glsl_is_a_texture() -> None:
    text = (
        "#version 450\nvec4 looked(sampler2D t, vec2 uv) { return textureLod(t, uv, 0.0); }\n"
        "void main() {}\n"
    )
    library = functions(text, language="glsl")
    image = np.zeros((2, 2, 4), np.float32)
    image[0, 1] = 1
    texture = Texture(image, sampler=Sampler("point", "clamp"))
    assert library.looked(texture, [[0.75, 0.25], [0, 0]]).tolist() == [[1] * 4, [0] * 4]


def test_glsl() -> None:
    text = (
        "#version 450\nmat2 turn(float a) { return mat2(cos(a), sin(a), -sin(a), cos(a)); }\n"
        "vec2 turned(vec2 p, float a) { return turn(a) * p; }\nvoid main() {}\n"
    )
    library = functions(text, language="glsl")
    assert np.allclose(library.turned([1, 0], np.pi / 2), [0, 1], atol=1e-6)
    assert np.allclose(library.turn(np.pi / 2), [[0, -1], [1, 0]], atol=1e-6)


def test_matrices_of_glsl_have_rows_and_columns_as_in_mathematics() -> None:
    text = (
        "#version 450\nstruct S { mat3x2 m; float a; };\n"
        "vec2 times(mat3x2 m, vec3 v) { return m * v; }\n"
        "mat3x2 made() { return mat3x2(1, 2, 3, 4, 5, 6); }\n"
        "vec2 all(mat3x2 m[2], vec3 v) { return m[0] * v + m[1] * v; }\n"
        "vec2 inside(S s, vec3 v) { return s.a * (s.m * v); }\nvoid main() {}\n"
    )
    library = functions(text, language="glsl")
    m, v = np.array([[1, 2, 3], [4, 5, 6]], np.float32), np.array([1, 10, 100], np.float32)
    assert repr(library.times) == "float2 times(mat3x2 m, float3 v)"
    assert library.times(m, v).tolist() == (m @ v).tolist()
    assert library.times(np.stack([m, 2 * m]), v).tolist() == [*map(list, [m @ v, 2 * m @ v])]
    assert library.made().tolist() == [[1, 3, 5], [2, 4, 6]]
    assert library.all(np.stack([m, m]), v).tolist() == (2 * m @ v).tolist()
    assert library.inside({"m": m, "a": 2}, v).tolist() == (2 * m @ v).tolist()


def test_debug_coverage_and_image() -> None:
    text = "float step2(float2 p)\n{\n    if (p.x > 0.5)\n        return 1;\n    return 0;\n}\n"
    library = functions(unshade.Source(text, "step.hlsl"), language="hlsl")
    picture = library.step2.image((4, 2))
    assert picture.tolist() == [[0, 0, 1, 1]] * 2
    debugger = library.step2.debug(1, np.array([[0, 0], [0.75, 0]], np.float32))
    assert debugger.trace.entries
    assert debugger.lowered.sources
    counts = library.step2.coverage(np.array([[0, 0], [0.75, 0], [1, 0]], np.float32))
    assert counts.lines


def test_errors_are_those_of_the_source() -> None:
    with pytest.raises(unshade.CompileError) as caught:
        functions(unshade.Source("float f() { return x; }", "a.hlsl"))
    assert (caught.value.line, caught.value.column) == (1, 20)


def test_a_compiler_that_does_not_describe_functions() -> None:
    with pytest.raises(unshade.UnsupportedError, match="does not describe the functions"):
        functions("float f() { return 1; }", language="hlsl", compiler="dxc")
