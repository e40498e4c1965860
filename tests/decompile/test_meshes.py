"""Mesh and amplification shaders: outputs of a group, payloads, launches."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import unshade
from tests.programs.dxil.lower.support import LAYOUT, code_of, declarations
from tests.programs.dxil.lower.test_mesh import AMPLIFICATION, MESH, METADATA, SIGNATURES
from tests.programs.spirv.lower.test_meshes import mesh as spirv_mesh
from unshade.decompile.source import decompile, source_of
from unshade.decompile.vulkan import SpirvTarget
from unshade.errors import UnsupportedError
from unshade.ir.lowered import Lowered
from unshade.ir.specialisation import Specialisation
from unshade.isa.source import Source
from unshade.programs.dxil.lower import lower

MESHES = METADATA.format(stage="ms", signatures="!5", properties="i32 8, i32 13, i32 9, !11")
TASKS = METADATA.format(stage="as", signatures="null", properties="i32 8, i32 14, i32 10, !11")
GROUP = "declare i32 @dx.op.groupId.i32(i32, i32)\n"


def lowered(text: str, metadata: str) -> Lowered:
    head = f'target datalayout = "{LAYOUT}"\ntarget triple = "dxil-ms-dx"\n'
    body = text + GROUP if "declare" in text else text + declarations(text)
    return lower(code_of(head + body + metadata), "main", Specialisation())


def mesh(text: str = MESH) -> Lowered:
    wide = MESHES.replace("!4 = !{i32 2, ", "!4 = !{i32 8, ")  # more threads than vertices
    return lowered(text, wide + SIGNATURES)


def tasks(text: str = AMPLIFICATION) -> Lowered:
    return lowered(text, TASKS + "!11 = !{!4, i32 12}\n")


def translated(program: Lowered, environment: str = "vulkan1.2") -> unshade.Shader:
    text = source_of(program, None, SpirvTarget(environment), True, False)
    return unshade.assemble(text, "spirv")


def test_vertices_and_primitives_are_arrays_of_the_group() -> None:
    text = translated(mesh()).disassemble()
    for word in (
        "OpEntryPoint MeshEXT", "OutputLinesEXT", "OutputVertices 4", "OutputPrimitivesEXT 1",
        "OpSetMeshOutputsEXT", "BuiltIn PrimitiveLineIndicesEXT", "PerPrimitiveEXT",
        'OpExtension "SPV_EXT_mesh_shader"', "TaskPayloadWorkgroupEXT",
    ):  # fmt: skip
        assert word in text
    assert "gl_NumWorkGroups" not in text  # no number of a group is left
    place = re.search(r"OpULessThan %bool (%\d+) %uint_4", text)
    assert place is not None  # a vertex beyond the last is not written
    assert re.search(rf"OpAccessChain %\w+ %vertices_\w+ {place[1]}\b", text)


def test_a_condition_that_the_program_tests_is_not_tested_again() -> None:
    store = "  call void @dx.op.storeVertexOutput"
    guard = "  %in = icmp ult i32 %t, 4\n  br i1 %in, label %a, label %b\na:\n"
    text = MESH.replace(store, guard + store).replace(
        "  call void @dx.op.emitIndices", "  br label %b\nb:\n  call void @dx.op.emitIndices"
    )
    assert translated(mesh(text)).disassemble().count("OpULessThan") == 1


def test_a_group_launches_others_with_a_payload() -> None:
    text = translated(tasks()).disassemble()
    launch = (
        r"OpControlBarrier .*\n +OpEmitMeshTasksEXT %\d+ %uint_2 %uint_3 %payload\n +OpFunctionEnd"
    )
    assert re.search(launch, text)
    assert text.count("OpStore %payload") + len(re.findall(r"%payload %int_\d", text)) >= 2


def test_versions_without_mesh_shaders_are_refused() -> None:
    for program in (mesh(), tasks()):
        with pytest.raises(UnsupportedError, match=r"shaders need vulkan1\.2 or later"):
            translated(program, "vulkan1.1")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("i32 0, i32 0, i8 1, float %f, i32 %t)", "i32 0, i32 %t, i8 1, float %f, i32 %t)",
         "a store to"),
        ("load i32, i32* %n", "load i16, i16* %m", "a number of a payload that is no word"),
    ],
)  # fmt: skip
def test_what_has_no_place_is_refused(old: str, new: str, message: str) -> None:
    text = MESH.replace(old, new)
    if "%m" in new:
        text = text.replace("  %v = ", "  %m = bitcast i32* %n to i16*\n  %s = ").replace(
            "  %count", "  %v = zext i16 %s to i32\n  %count"
        )
    with pytest.raises(UnsupportedError, match=message):
        translated(mesh(text))


@pytest.mark.skipif(shutil.which("spirv-val") is None, reason="needs spirv-tools")
@pytest.mark.parametrize("environment", ["vulkan1.2", "vulkan1.3"])
def test_spirv_val_accepts_them(environment: str, tmp_path: Path) -> None:
    path = tmp_path / "made.spv"
    for program in (mesh(), tasks()):
        path.write_bytes(translated(program, environment).to_bytes())
        ended = subprocess.run(
            ["spirv-val", "--target-env", environment, path],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("to", "program", "lines"),
    [
        ("hlsl", mesh, """\
struct Payload { uint words[3]; };
struct Vertex { float4 o0 : SV_Position; };
struct Primitive { float p0 : TEXCOORD0; };
[numthreads(8, 1, 1)]
[outputtopology("line")]
in payload Payload payload,
out vertices Vertex vertices[4],
out primitives Primitive primitives[1],
out indices uint2 indices[1])
SetMeshOutputCounts(uint(int(thread_group_id.x) + 2), 1u);
if (thread_id_in_group_flattened < 4u) { vertices[thread_id_in_group_flattened].o0.y = f; }
indices[0] = uint2(0u, 1u); primitives[0].p0 = asfloat(thread_group_id.x);"""),
        ("glsl", mesh, """\
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 8, local_size_y = 1, local_size_z = 1) in;
layout(lines, max_vertices = 4, max_primitives = 1) out;
taskPayloadSharedEXT uint payload[3];
layout(location = 0) perprimitiveEXT out float primitives_p0[];
SetMeshOutputsEXT(uint(int(gl_WorkGroupID.x) + 2), 1u);
gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position.y = f;
gl_PrimitiveLineIndicesEXT[0] = uvec2(0u, 1u);
primitives_p0[0] = uintBitsToFloat(gl_WorkGroupID.x);"""),
        ("hlsl", tasks, """\
struct Payload { uint words[3]; }; groupshared Payload payload;
payload.words[0] = payload_1[0];
DispatchMesh(thread_group_id.x, 2u, 3u, payload);"""),
        ("glsl", tasks, """\
taskPayloadSharedEXT uint payload[3];
payload[0] = payload_1[0];
EmitMeshTasksEXT(gl_WorkGroupID.x, 2u, 3u);"""),
    ],
)  # fmt: skip
def test_sources_have_the_outputs_of_a_group(
    to: str, program: Callable[[], Lowered], lines: str
) -> None:
    text = " ".join(decompile(program(), None, to=to).split())
    for line in lines.splitlines():
        assert line in text


def test_stores_of_one_point_share_a_condition() -> None:
    """Indices and attributes of a primitive that may not exist are in one branch."""
    number = "i32 0, i32 1"
    assert number in MESH
    text = re.sub(r"(emitIndices\.?\w*\(i32 169, )i32 0", r"\1i32 %t", MESH)
    text = re.sub(r"(storePrimitiveOutput.*)i32 0\)$", r"\1i32 %t)", text, flags=re.M)
    assert text.count("%t") > MESH.count("%t") + 1
    found = decompile(mesh(text), None)
    assert found.count("if (thread_id_in_group_flattened < 1u)") == 1


def test_derivatives_of_a_mesh_have_no_glsl() -> None:
    call = "call float @dx.op.unary.f32(i32 83, float %f)"
    text = MESH.replace("float %f, i32 %t)", "float %dx, i32 %t)", 1)
    place = text.index("  call void @dx.op.storeVertexOutput")
    text = f"{text[:place]}  %dx = {call}\n{text[place:]}"
    squares = MESHES.replace("!4 = !{i32 2, i32 1, ", "!4 = !{i32 2, i32 4, ")
    program = lowered(text, squares + SIGNATURES)
    assert "ddx_coarse" in decompile(program, None)
    with pytest.raises(UnsupportedError, match="derivatives of a mesh shader have no layout"):
        decompile(program, None, to="glsl")


@pytest.mark.slow
@pytest.mark.parametrize("style", ["readable", "exact"])
@pytest.mark.parametrize(("stage", "program"), [("mesh", mesh), ("amplification", tasks)])
def test_slang_and_glslang_accept_the_sources(
    stage: str, program: Callable[[], Lowered], style: str
) -> None:
    for to, compiler, wheel in (
        ("hlsl", "slang", "slangpy"), ("glsl", "glslangValidator", ""),
    ):  # fmt: skip
        if wheel:
            pytest.importorskip(wheel, reason="pip install 'unshade[slang]'")
        elif shutil.which(compiler) is None:
            pytest.skip("needs glslang-tools")
        source = Source(decompile(program(), None, to=to, style=style), f"decompiled.{to}")
        made = unshade.compile(
            source, language=to, stage=stage, entry="main", debug=False, compiler=compiler
        )
        assert "OpEntryPoint " + {"mesh": "Mesh", "amplification": "Task"}[stage] in (
            made.disassemble()
        )


def test_attributes_of_spirv_keep_their_locations() -> None:
    """A pixel shader reads them there. Built-ins of a block that are never written are left out."""
    shader = spirv_mesh()
    text = shader.decompile("glsl")
    assert "layout(location = 1) out float vertices_shades[];" in text
    assert "layout(location = 2) perprimitiveEXT out uint primitives_faces[];" in text
    assert "gl_PrimitiveTriangleIndicesEXT[gl_LocalInvocationIndex] = uvec3(0u, 1u, 2u);" in text
    assert "ShadingRate" not in text
    hlsl = shader.decompile("hlsl")
    assert "out indices uint3 indices[2])" in hlsl
    assert "uint faces : TEXCOORD2;" in hlsl
    assert "ShadingRate" not in hlsl


@pytest.mark.parametrize("to", ["glsl", "hlsl"])
def test_a_shading_rate_of_a_primitive_has_no_source(to: str) -> None:
    shader = spirv_mesh(
        more="%rate_at = OpAccessChain %out_int %flags %i %i1\nOpStore %rate_at %number"
    )
    with pytest.raises(UnsupportedError, match="shadingrate"):
        shader.decompile(to)
