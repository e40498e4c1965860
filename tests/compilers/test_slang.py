"""Slang in its worker process."""

import atexit
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from unshade import CompileError, LimitError, UnsupportedError, UsageError
from unshade.compilers import results
from unshade.compilers.slang import SlangCompiler, _library

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(_library() is None, reason=SlangCompiler.install),
]

SCALED = """
RWStructuredBuffer<float> o : register(u0);
StructuredBuffer<float> x : register(t0);
cbuffer C : register(b0) { float a; float2 b; };
[numthreads(4, 1, 1)]
void scaled(uint3 id : SV_DispatchThreadID)
{
    o[id.x] = a * x[id.x] + FACTOR * b.y;
}
"""


def test_hlsl_runs_with_its_registers_apart() -> None:
    np = pytest.importorskip("numpy")
    shader = unshade.compile(SCALED, language="hlsl", defines={"FACTOR": 100})
    assert {each.label for each in unshade.kernel(shader).bindings} == {"o", "x", "C"}
    x = np.arange(4, dtype=np.float32)
    constants = {"a": 2.0, "b": [3, 4]}
    for engine in ("lockstep", "auto"):
        kernel = unshade.kernel(shader, engine=engine)
        found = kernel.dispatch((1, 1, 1), C=constants, x=x, o=np.zeros(4, np.float32))
        assert found["o"].tolist() == [400, 402, 404, 406]


def test_matrices_and_arrays_are_those_of_the_source() -> None:
    """A dict has the rows of a matrix, as `mul` sees them, in either order in memory."""
    np = pytest.importorskip("numpy")
    text = """
    RWStructuredBuffer<float> o : register(u0);
    struct E { float2x3 m; float3 v[2]; };
    StructuredBuffer<E> e : register(t0);
    cbuffer C : register(b0) { float2x3 m; row_major float2x3 r; float2 b[2]; };
    [numthreads(1, 1, 1)] void f()
    {
        o[0] = mul(m, float3(1, 0, 0)).y;
        o[1] = mul(r, float3(0, 0, 1)).x;
        o[2] = b[1].x;
        o[3] = mul(e[0].m, float3(0, 1, 0)).y + e[0].v[1].z;
    }
    """
    kernel = unshade.kernel(unshade.compile(text, language="hlsl"))
    m = [[1, 2, 3], [4, 5, 6]]
    found = kernel.dispatch(
        1, C={"m": m, "r": m, "b": [[7, 8], [9, 10]]}, o=np.zeros(4, np.float32),
        e=[{"m": m, "v": [[0, 0, 0], [0, 0, 100]]}],
    )  # fmt: skip
    assert found["o"].tolist() == [4, 3, 9, 105]


def test_numbers_of_every_width_are_set_by_name() -> None:
    np = pytest.importorskip("numpy")
    text = """
    RWStructuredBuffer<float> o : register(u0);
    cbuffer C : register(b0)
    {
        half a; half b; int16_t c; int64_t d; half2 e; uint8_t f; uint16_t g; half2x2 m; double h;
    };
    [numthreads(1, 1, 1)] void main()
    {
        o[0] = a; o[1] = b; o[2] = c; o[3] = float(d >> 32); o[4] = e.y; o[5] = f; o[6] = g;
        o[7] = m[1][0]; o[8] = float(h);
    }
    """
    constants = {"a": 1.5, "b": 2.5, "c": -3, "d": 5 << 32, "e": [4, 5.5], "f": 200, "g": 40000}
    constants |= {"m": [[1, 2], [3, 4]], "h": 0.125}
    for options in ((), ("-fvk-use-scalar-layout",)):
        shader = unshade.compile(text, language="slang", options=options)
        kernel = unshade.kernel(shader)
        found = kernel.dispatch(1, C=constants, o=np.zeros(9, np.float32))
        assert found["o"].tolist() == [1.5, 2.5, -3, 5, 5.5, 200, 40000, 3, 0.125]


def test_the_source_is_in_the_shader(tmp_path: Path) -> None:
    path = tmp_path / "scaled.hlsl"
    path.write_text(SCALED)
    shader = unshade.compile(path, defines={"FACTOR": 1})
    assert SCALED.encode() in shader.sources().values()
    made = shader.compiled
    assert made is not None
    assert made.compiler == "slang"
    assert made.version.startswith("20")


def test_glsl_and_slang() -> None:
    glsl = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }\n"
    assert unshade.compile(glsl, language="glsl", stage="frag").reflect().stage == "pixel"
    slang = '[shader("compute")] [numthreads(1, 1, 1)] void f() {}\n'
    assert unshade.compile(slang, language="slang").reflect().stage == "compute"


@pytest.mark.parametrize("bound", ["by name", "bytes"])
def test_matrices_of_glsl_have_their_columns_one_after_another(bound: str) -> None:
    text = """#version 450
    layout(local_size_x = 1) in;
    layout(std140, binding = 0) uniform C { mat2 m; mat3x2 k; };
    layout(std430, binding = 1) buffer O { float o[]; };
    void main()
    {
        vec2 v = m * vec2(1, 10), w = k * vec3(1, 10, 100);
        o[0] = v.x; o[1] = v.y; o[2] = w.x; o[3] = w.y; o[4] = m[0][1];
    }
    """
    kernel = unshade.kernel(unshade.compile(text, language="glsl", compiler="slang"))
    m, k = [[1, 2], [3, 4]], [[1, 2, 3], [4, 5, 6]]
    values: Any = {"m": m, "k": k}
    if bound == "bytes":
        columns = np.zeros((5, 4), np.float32)
        columns[:, :2] = [*np.transpose(m), *np.transpose(k)]
        values = columns.view(np.uint8).reshape(-1)
    constants, output = sorted(kernel.bindings, key=lambda each: each.form != "constants")
    given = {constants.name: values, output.name: np.zeros(5, np.float32)}
    (result,) = kernel.dispatch(1, given).values()
    assert np.asarray(result).tolist() == [21, 43, 321, 654, 3]


TARGETS = {
    "a structure": (
        "struct O { float4 a : SV_Target5; float4 b : SV_Target2; };\n"
        "O main() { O o; o.a = 5; o.b = 2; return o; }", {5, 2},
    ),
    "parameters": (
        "void main(float2 uv : TEXCOORD3, out float4 a : SV_Target3, out float4 b : SV_Target) "
        "{ a = 3 + uv.x; b = 0; }", {3, 0},
    ),
    "structures in structures": (
        "struct I { float4 b : SV_Target3; float d : SV_Depth; };\n"
        "struct O { float4 a : SV_Target1; I i; float4 c : SV_TARGET7; };\n"
        "O main() { O o; o.a = 1; o.i.b = 3; o.i.d = 0.5; o.c = 7; return o; }", {1, 3, 7},
    ),
    "in order": (
        "struct O { float4 a : SV_Target0; float4 b : SV_Target1; };\n"
        "O main() { O o; o.a = 0; o.b = 1; return o; }", {0, 1},
    ),
    "locations of the source": (
        "struct O { [[vk::location(4)]] float4 a : SV_Target0; };\n"
        "O main() { O o; o.a = 4; return o; }", {4},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", TARGETS)
def test_targets_have_the_numbers_of_their_semantics(kind: str) -> None:
    """Each target is filled with its number; Slang alone numbers them in order."""
    text, numbers = TARGETS[kind]
    kernel = unshade.kernel(
        unshade.compile(text, language="hlsl", stage="pixel", entry="main", compiler="slang")
    )
    assert {row.location for row in kernel.outputs if row.location is not None} == numbers
    inputs = {row.label: np.zeros((2, 2), np.float32) for row in kernel.inputs}
    results = kernel.shade(inputs or 2)
    for row in kernel.outputs:
        if row.location is not None:
            assert (results[row.label] == row.location).all()


def test_errors_have_line_and_column() -> None:
    with pytest.raises(CompileError) as caught:
        unshade.compile(
            unshade.Source("float4 main() : SV_Target\n{\n    return foo;\n}\n", "x.hlsl")
        )
    first = caught.value
    assert (first.file, first.line, first.column, first.width) == ("x.hlsl", 3, 12, 3)
    assert "undefined identifier" in first.problem
    assert first.compiler == "slang"


def test_includes_below_the_folder_alone(tmp_path: Path) -> None:
    folder = tmp_path / "shaders"
    folder.mkdir()
    (tmp_path / "secret.hlsli").write_text("#define K 1\n")
    (folder / "k.hlsli").write_text("#define K 2\n")
    text = '#include "{}"\n[numthreads(K, 1, 1)] void f() {{}}\n'
    path = folder / "x.hlsl"
    path.write_text(text.format("k.hlsli"))
    made = unshade.compile(path).compiled
    assert made is not None
    assert made.includes == (os.path.realpath(folder / "k.hlsli"),)
    os.symlink(tmp_path / "secret.hlsli", folder / "link.hlsli")
    for name in ("../secret.hlsli", "link.hlsli", str(tmp_path / "secret.hlsli")):
        path.write_text(text.format(name))
        with pytest.raises(CompileError, match=r"include|open"):
            unshade.compile(path)
    path.write_text(text.format("../secret.hlsli"))
    assert unshade.compile(path, include=[tmp_path]).reflect().thread_group == [1, 1, 1]


def test_a_changed_or_new_include_is_compiled_again(tmp_path: Path) -> None:
    (tmp_path / "late").mkdir()
    (tmp_path / "late" / "k.hlsli").write_text("#define K 2\n")
    path = tmp_path / "x.hlsl"
    path.write_text('#include "k.hlsli"\n[numthreads(K, 1, 1)] void f() {}\n')

    def group() -> object:
        return unshade.compile(path, include=[tmp_path / "late"]).reflect().thread_group

    assert group() == [2, 1, 1]
    (tmp_path / "late" / "k.hlsli").write_text("#define K 3\n")
    assert group() == [3, 1, 1]
    (tmp_path / "k.hlsli").write_text("#define K 4\n")
    assert group() == [4, 1, 1]


def test_a_crash_ends_the_worker_and_the_next_compiles() -> None:
    deep = f"float f() {{ return {'(' * 20000}1{')' * 20000}; }}\n[numthreads(1,1,1)] void g() {{}}"
    with pytest.raises((UnsupportedError, CompileError)):
        unshade.compile(deep, language="hlsl")
    assert unshade.compile("[numthreads(1,1,1)] void g() {}\n", language="hlsl").format == "spirv"


def test_an_unrolled_loop_ends_with_the_time() -> None:
    text = (
        "RWStructuredBuffer<float> o;\n[numthreads(1,1,1)] void g() {\n"
        "[ForceUnroll] for (int i = 0; i < 3000; i++) o[i] = sin(o[i + 1]);\n}\n"
    )
    with pytest.raises(LimitError, match="compile_seconds = 1"):
        unshade.compile(text, language="slang", limits=unshade.Limits(compile_seconds=1))


def test_one_worker_serves_many() -> None:
    results.clear()
    compiler = SlangCompiler()
    assert compiler.version() == compiler.version()
    worker = compiler._worker
    compiler.version()
    assert compiler._worker is worker
    assert worker is not None
    worker.end()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_has_a_worker_of_its_own() -> None:
    text = "[numthreads({}, 1, 1)] void g() {{}}\n"
    unshade.compile(text.format(1), language="hlsl")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            found = unshade.compile(text.format(2), language="hlsl").reflect().thread_group
            code = 0 if found == [2, 1, 1] else 2
            atexit._run_exitfuncs()
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert unshade.compile(text.format(3), language="hlsl").reflect().thread_group == [3, 1, 1]


def test_a_library_in_the_current_folder_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = tmp_path / "slangpy"
    planted.mkdir()
    (planted / "__init__.py").write_text("")
    (planted / "libslang-compiler.so.9").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    found = _library()
    assert found is not None
    assert tmp_path not in found.parents
    monkeypatch.setenv("UNSHADE_SLANG", "slangpy")
    assert _library() is None


@pytest.mark.parametrize(
    ("profile", "version"),
    [("spirv_1_3", 0x10300), ("spirv_1_6", 0x10600), ("cs_5_0", 0x10500), ("cs_6_6", 0x10500)],
)
def test_profiles_of_slang_and_of_direct3d(profile: str, version: int) -> None:
    shader = unshade.compile(
        "[numthreads(1, 1, 1)] void f() {}", language="hlsl", profile=profile, compiler="slang"
    )
    assert int.from_bytes(shader.to_bytes()[4:8], "little") == version
    assert shader.compiled is not None
    assert shader.compiled.arguments[-2:] == ("-profile", profile)


def test_an_unknown_profile_is_no_mistake_of_the_source() -> None:
    with pytest.raises(UsageError) as caught:
        unshade.compile(
            "[numthreads(1, 1, 1)] void f() {}",
            language="hlsl", profile="vulkan1.2", compiler="slang",
        )  # fmt: skip
    assert str(caught.value) == (
        "source.hlsl: Slang refuses its arguments: unknown profile 'vulkan1.2'; it makes SPIR-V,"
        " with profiles such as spirv_1_5"
    )


def test_an_unknown_argument_is_no_mistake_of_the_source() -> None:
    with pytest.raises(UsageError, match=r"Slang refuses its arguments: .*-frobnicate"):
        unshade.compile(
            "[numthreads(1, 1, 1)] void f() {}",
            language="hlsl", options=["-frobnicate"], compiler="slang",
        )  # fmt: skip
