"""Source of our own shaders, as text and by recompiling it."""

import re
from dataclasses import replace
from importlib.util import find_spec

import pytest

import unshade
from tests.corpus import REPOSITORY
from unshade.decompile.glsl.target import GlslTarget
from unshade.decompile.hlsl.target import Hlsl
from unshade.decompile.interface import parameter_of_ports
from unshade.decompile.names import DecompiledNames
from unshade.decompile.operations import SOURCE_OPS
from unshade.decompile.printer import Printer
from unshade.decompile.products import matrix_product
from unshade.decompile.tree import (
    Assign,
    MatrixLine,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
    name,
    swizzle,
)
from unshade.errors import UsageError
from unshade.ir.memory import Port
from unshade.ir.types import I32
from unshade.vocab.slots import Direction
from unshade.vocab.words import SystemValue

from .recompiled import FEW, outcome

EXAMPLES = REPOSITORY / "examples"
PIXEL = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[2], immediateIndexed
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 3
{}
ret
"""


SUBPASS = """
OpCapability Shader
OpCapability InputAttachment
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %colour
OpExecutionMode %main OriginUpperLeft
OpDecorate %colour Location 0
OpDecorate %input DescriptorSet 0
OpDecorate %input Binding 0
OpDecorate %input InputAttachmentIndex 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v4float = OpTypeVector %float 4
%v2int = OpTypeVector %int 2
%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown
%_ptr_image = OpTypePointer UniformConstant %image
%_ptr_out = OpTypePointer Output %v4float
%input = OpVariable %_ptr_image UniformConstant
%colour = OpVariable %_ptr_out Output
%zero = OpConstant %int 0
%here = OpConstantComposite %v2int %zero %zero
%main = OpFunction %void None %function
%entry = OpLabel
%loaded = OpLoad %image %input
%texel = OpImageRead %v4float %loaded %here
OpStore %colour %texel
OpReturn
OpFunctionEnd
"""


def body(*lines: str, style: str = "exact") -> str:
    """Return the statements of a decompiled pixel shader."""
    shader = unshade.assemble(PIXEL.format("\n".join(lines)), "dxcontainer")
    text = shader.decompile(style=style)
    return text.split("\n{\n", 1)[-1]


def source(name: str, style: str = "exact") -> str:
    return unshade.open(str(EXAMPLES / name)).decompile(style=style)


def test_components_of_an_instruction_are_a_vector() -> None:
    text = body("mad o0.xyzw, v0.xyzw, cb0[0].xyzw, cb0[1].yyyy")
    assert "out_target0 = texcoord0 * cb0_rows[0] + cb0_rows[1].y;" in text


def test_a_register_holds_floats_and_integers_without_a_cast() -> None:
    text = body(
        "mul r0.x, v0.x, v0.y", "ftou r0.y, v0.z", "iadd r0.y, r0.y, l(3)",
        "utof r0.y, r0.y", "mov o0.xyzw, r0.xyxy",
    )  # fmt: skip
    assert "as" not in text.replace("false", "")


def test_a_value_that_is_overwritten_before_its_use_is_kept() -> None:
    """The destination of a mov in a loop is read again after it is set."""
    text = body(
        "mov r0.x, l(0)", "mov r0.y, v0.x", "loop", "ige r0.z, r0.x, l(4)", "breakc_nz r0.z",
        "mov r1.x, r0.y", "add r0.y, r0.y, v0.y", "mul r0.y, r0.y, r1.x",
        "iadd r0.x, r0.x, l(1)", "endloop", "mov o0.xyzw, r0.yyyy",
    )  # fmt: skip
    assert "for (int i = 0; i < 4; i++) {" in text
    assert "r0 *= r0 + texcoord0.y;" in text


def test_a_counter_that_is_used_afterwards_is_defined_before_its_for() -> None:
    text = body(
        "mov r0.x, l(0)", "mov r0.y, v0.x", "loop", "ige r0.z, r0.x, l(4)", "breakc_nz r0.z",
        "mul r0.y, r0.y, v0.y", "iadd r0.x, r0.x, l(1)", "endloop", "itof r0.x, r0.x",
        "mov o0.xyzw, r0.xyxy",
    )  # fmt: skip
    assert "    int r0_1;\n    for (r0_1 = 0; r0_1 < 4; r0_1++) {" in text
    assert text.count("r0_1++") == 1
    assert "float(r0_1)" in text.partition("}")[2]


def test_a_step_stays_where_a_continue_skips_it() -> None:
    text = body(
        "mov r0.x, l(0)", "mov r0.y, v0.x", "loop", "ige r0.z, r0.x, l(4)", "breakc_nz r0.z",
        "mul r0.y, r0.y, v0.y", "lt r0.z, r0.y, l(2.0)", "if_nz r0.z", "iadd r0.x, r0.x, l(2)",
        "continue", "endif", "iadd r0.x, r0.x, l(1)", "endloop", "mov o0.xyzw, r0.yyyy",
    )  # fmt: skip
    assert "for (" not in text
    assert "continue;" in text


def test_a_product_of_vectors_is_a_dot() -> None:
    assert "= dot(texcoord0.xyz, cb0_rows[1].xyz);" in body("dp3 o0.xyzw, v0.xyzx, cb0[1].xyzx")
    other = body("mul r0.x, v0.x, v0.y", "mad o0.xyzw, v0.zzzz, v0.wwww, r0.xxxx")
    assert "dot" not in other


def test_a_system_value_that_no_signature_lists_has_its_semantic() -> None:
    text = unshade.assemble(
        PIXEL.format("utof o0.xyzw, vInnerCoverage.x").replace(
            "dcl_output", "dcl_input vInnerCoverage\ndcl_output"
        ),
        "dxcontainer",
    ).decompile()  # fmt: skip
    assert ": SV_InnerCoverage)" in text


def test_readable_has_the_functions_that_compilers_expand() -> None:
    lines = (
        "dp3 r0.x, v0.xyzx, v0.xyzx", "rsq r0.x, r0.x", "mul r0.xyz, r0.xxxx, v0.xyzx",
        "log r0.w, v0.w", "mul r0.w, r0.w, cb0[0].x", "exp r0.w, r0.w", "mov o0.xyzw, r0.xyzw",
    )  # fmt: skip
    readable = body(*lines, style="readable")
    assert "normalize(texcoord0.xyz)" in readable
    assert "pow(texcoord0.w, cb0_rows[0].x)" in readable
    exact = body(*lines)
    assert "rsqrt(dot(texcoord0.xyz, texcoord0.xyz))" in exact
    assert "exp2(log2(texcoord0.w) * cb0_rows[0].x)" in exact


@pytest.mark.parametrize(("operation", "neutral"), [("add", -0.0), ("mul", 1.0)])
def test_only_exact_flushes_subnormal_numbers(operation: str, neutral: float) -> None:
    line = f"{operation} o0.xyzw, v0.xyzw, l({neutral}, {neutral}, {neutral}, {neutral})"
    assert "return texcoord0;" in body(line, style="readable")
    assert "out_target0 = texcoord0 * 1.0;" in body(line)


def test_scalar_instructions_with_the_components_of_a_vector_are_a_vector() -> None:
    text = source("skinning.dxbc", "readable")
    assert "out_position = mul(float4(t_9, t_8.w), u_vp);" in text
    assert "float3 t_9 = sin(" in text


def test_an_index_in_a_loop_finds_the_member() -> None:
    text = source("phong.dxbc", "readable")
    assert "for (int i = 0; i < u_n; i++) {" in text
    assert "float3 t_2 = float3(u_l[i].p.xy - texcoord1, u_l[i].p.z);" in text
    exact = source("phong.dxbc")
    assert "uint t_2 = uint(i) << 1u;" in exact
    assert "U_rows[t_2].xy" in exact  # what lies beside an array is read as it is


def test_components_that_are_set_one_after_the_other_are_a_vector() -> None:
    text = body(
        "mov r0.x, l(0)", "mov r1.x, v0.x", "mov r1.y, v0.y", "mov r1.z, v0.z", "loop",
        "ige r0.z, r0.x, l(4)", "breakc_nz r0.z", "mul r1.xyz, r1.xyzx, v0.wwww",
        "iadd r0.x, r0.x, l(1)", "endloop", "mov o0.xyzw, r1.xyzx",
    )  # fmt: skip
    assert "float3 r1 = texcoord0.xyz;" in text
    assert "r1 *= texcoord0.w;" in text


def test_components_that_read_each_other_are_not_set_at_once() -> None:
    text = body(
        "mov r1.xy, v0.xyxx", "mov r0.x, l(0)", "loop", "ige r0.z, r0.x, l(4)", "breakc_nz r0.z",
        "mov r1.x, r1.y", "mov r1.y, r1.x", "iadd r0.x, r0.x, l(1)", "endloop",
        "mov o0.xyzw, r1.xyxy",
    )  # fmt: skip
    assert ".yx" not in text


def test_tests_before_the_program_are_declared() -> None:
    text = unshade.assemble(
        PIXEL.format("mov o0.xyzw, v0.xyzw").replace(
            "refactoringAllowed", "refactoringAllowed | forceEarlyDepthStencil"
        ),
        "dxcontainer",
    ).decompile()  # fmt: skip
    assert "[earlydepthstencil]\nfloat4 main(" in text


def test_outputs_of_several_instructions_are_assigned_at_once() -> None:
    text = body(
        "dp2 o0.x, v0.xyxx, cb0[0].xyxx", "dp2 o0.y, v0.xyxx, cb0[0].zwzz",
        "mov o0.zw, l(0, 0, 0, 1.0)",
    )  # fmt: skip
    assert text.count("out_target0") == 1


def test_the_size_of_a_writable_texture_is_asked_for() -> None:
    text = unshade.assemble(
        "cs_5_0\ndcl_globalFlags refactoringAllowed\n"
        "dcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_input vThreadID.xy\n"
        "dcl_temps 1\ndcl_thread_group 8, 8, 1\n"
        "resinfo_indexable(texture2d)(float,float,float,float)_uint r0.xy, l(0), u0.xyzw\n"
        "utof r0.xy, r0.xyxx\nstore_uav_typed u0.xyzw, vThreadID.xyyy, r0.xyxy\nret\n",
        "dxcontainer",
    ).decompile()
    assert "u0.GetDimensions(size.x, size.y);" in text
    assert "u0[thread_id.xy] = float2(u0_size().xy).xyxy;" in text


def test_a_signature_without_semantics_gets_system_values() -> None:
    text = source("clay.vert.spv")
    assert "out float4 out_gl_Position : SV_Position)" in text
    assert "float3 inPosition : TEXCOORD0," in text


def test_a_fetch_without_a_level_reads_the_first() -> None:
    shader = unshade.assemble(SUBPASS, "spirv")
    assert ".SubpassLoad();" in shader.decompile()
    assert "textureLoad(set0_binding0, to_int_vec2f(FragCoord.xy), 0);" in shader.translate("wgsl")


def test_one_value_goes_to_two_parameters_of_a_register() -> None:
    text = unshade.assemble(
        "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v0.xyzw\n"
        "dcl_output_siv o0.xyzw, position\ndcl_output_siv o1.x, cull_distance\n"
        "dcl_output_siv o1.y, clip_distance\nmov o0.xyzw, v0.xyzw\nmov o1.xy, v0.xxxx\nret\n",
        "dxcontainer",
    ).decompile()
    assert ".xx =" not in text


def test_a_view_with_atomic_operations_has_one_component() -> None:
    text = unshade.assemble(
        "cs_5_0\ndcl_globalFlags refactoringAllowed\n"
        "dcl_uav_typed_texture2d (uint,uint,uint,uint) u0\ndcl_input vThreadID.xy\n"
        "dcl_thread_group 8, 8, 1\natomic_iadd u0, vThreadID.xyxx, l(1)\nret\n",
        "dxcontainer",
    ).decompile()
    assert "RWTexture2D<uint> u0 : register(u0);" in text
    assert "InterlockedAdd(u0[thread_id.xy], 1u);" in text


@pytest.mark.parametrize("language", ["hlsl", "glsl"])
@pytest.mark.parametrize("place", ["vThreadID.xyxx", "l(1, 4, 0, 0)"])
def test_an_atomic_operation_at_any_place_of_an_element(language: str, place: str) -> None:
    """The structure of the reflection has no word at a place that only the program knows."""
    listing = f"""
// Buffer Definitions:
//
// Resource bind info for counts
// {{
//
//   struct Count
//   {{
//
//       uint a;                        // Offset:    0
//       uint b;                        // Offset:    4
//
//   }} $Element;                        // Offset:    0 Size:     8
//
// }}
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim Slot Elements
// ------------------------------ ---------- ------- ----------- ---- --------
// counts                                UAV  struct         r/w    0        1
//
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 8
dcl_input vThreadID.xy
dcl_thread_group 8, 1, 1
atomic_cmp_store u0, {place}, l(0), l(1)
ret
"""
    text = unshade.assemble(listing, "dxcontainer").decompile(language, style="exact")
    assert ("struct Count {" in text) is (".words[" not in text) is place.startswith("l")
    assert ("uint unused" in text) is place.startswith("l")


def test_literals_are_the_shortest_with_the_same_bits() -> None:
    text = body("mul o0.xyzw, v0.xyzw, l(0.1, 1000000, 0.3333333433, 1e-20)")
    assert "float4(0.1, 1000000.0, 0.33333334, 1e-20)" in text


def test_the_size_of_the_source_is_linear() -> None:
    """Components in another order are written once, however long the chain of instructions is."""
    lines = [f"mul r{at % 2}.xyzw, r{1 - at % 2}.ywxz, v0.xyzw" for at in range(60)]
    text = body("mov r1.xyzw, v0.xyzw", *lines, "mov o0.xyzw, r1.xyzw")
    assert len(text) < 100 * len(lines)


def test_constants_at_a_place_of_the_same_line_come_after_it() -> None:
    text = body(
        "ftou r0.xy, v0.xyxx", "mul o0.xyzw, cb0[r0.x + 0].xyzw, cb0[r0.y + 1].xyzw",
    )  # fmt: skip
    assert "cb0_rows[t.x] * cb0_rows[t.y + 1u];" in text


def test_the_same_program_gives_the_same_text() -> None:
    assert source("phong.dxbc") == source("phong.dxbc")


def test_an_unknown_language_or_style_is_refused() -> None:
    shader = unshade.open(str(EXAMPLES / "saxpy.dxbc"))
    with pytest.raises(UsageError, match="unknown language 'basic': expected one of hlsl, glsl"):
        shader.decompile(to="basic")
    with pytest.raises(UsageError, match="unknown style 'terse'"):
        shader.decompile(style="terse")
    with pytest.raises(UsageError, match="no such program: 3; there are 1"):
        shader.decompile(program=3)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
@pytest.mark.parametrize(
    ("name", "stage"),
    [("phong", "pixel"), ("mandel", "compute"), ("saxpy", "compute"), ("matmul", "compute"),
     ("skinning", "vertex"), ("gyroid", "pixel")],
)  # fmt: skip
def test_recompiled_source_computes_the_same_bits(name: str, stage: str) -> None:
    shader = unshade.open(str(EXAMPLES / f"{name}.dxbc"))
    assert outcome(shader, shader.decompile(style="exact"), stage, seeds=5, turns=FEW) == "equal"


def counted(*lines: str, step: str = "iadd r0.x, r0.x, l(1)") -> str:
    """Return the source of a loop with a counter in r0.x, from cb0[0].x up to cb0[0].y."""
    head = (
        "ps_5_0", "dcl_globalFlags refactoringAllowed",
        "dcl_constantbuffer CB0[2], immediateIndexed", "dcl_input_ps linear v0.xyzw",
        "dcl_output o0.xyzw", "dcl_temps 4", "mov r0.x, cb0[0].x", "mov r1.x, l(0)", "loop",
        "ige r0.y, r0.x, cb0[0].y", "breakc_nz r0.y",
    )  # fmt: skip
    tail = (step, "endloop", "mov o0.xyzw, r1.xxxx", "ret", "")
    return unshade.assemble("\n".join((*head, *lines, *tail))).decompile()


def test_a_counter_from_a_value_makes_a_for() -> None:
    text = counted("add r1.x, r1.x, v0.x")
    assert "for (int i = cb0_rows[0].x; i < cb0_rows[0].y; i++) {" in text


def test_a_counter_that_is_stepped_before_the_end_of_the_body() -> None:
    text = counted("iadd r0.x, r0.x, l(1)", step="add r1.x, r1.x, v0.x")
    assert "for (int i = cb0_rows[0].x; i < cb0_rows[0].y; i++) {" in text


def test_a_step_that_the_body_also_uses_is_written_again() -> None:
    """`r0 = t` with `t = r0 << 1` defined in the body."""
    text = counted("ishl r2.x, r0.x, l(1)", "utof r3.x, r2.x", "add r1.x, r1.x, r3.x",
                   step="mov r0.x, r2.x")  # fmt: skip
    assert re.search(r"for \(.*; \w+ <<= 1u?\)", text), text


def test_a_step_that_depends_on_what_the_body_changes_stays() -> None:
    text = counted("iadd r3.x, r3.x, l(1)", "imul null, r2.x, r3.x, r3.x", "itof r1.x, r2.x",
                   step="iadd r0.x, r0.x, r2.x")  # fmt: skip
    assert "while (" in text


def test_a_step_after_a_barrier_of_the_body_stays_the_last() -> None:
    """Lines that wait or store are not passed."""
    text = counted("iadd r0.x, r0.x, l(1)", "discard_nz r1.x", step="add r1.x, r1.x, v0.x")
    assert text.index("r0++;") < text.index("discard")


@pytest.mark.parametrize(
    "role", ["view_index", "base_vertex", "base_instance", "draw_index", "output_control_point_id"]
)
def test_a_built_in_without_a_signature_that_counts_is_an_integer(role: str) -> None:
    """As a float it would be converted, not copied."""
    port = Port("built_in", I32, SystemValue(role))
    made = parameter_of_ports("built_in", [port], Direction.INPUT, DecompiledNames(()))
    assert made.type.kind is ScalarKind.UINT


@pytest.mark.parametrize("width", [3, 4])
@pytest.mark.parametrize("by_column", [False, True])
@pytest.mark.parametrize("crossed", [False, True])
def test_scalar_products_with_all_lines_are_one_with_a_matrix(
    width: int, by_column: bool, crossed: bool
) -> None:
    """The lines have a component for each number of the other side; a part of a matrix is cast."""
    type = TermType(ScalarKind.FLOAT, 32, 4)
    matrix, vector = name("world", type), name("v", type.wide(width))
    lines = [
        SourceExpression(
            NodeForm.LINE, type, (matrix, literal((at,), TermType(ScalarKind.INT))),
            MatrixLine(4, 4, by_column),
        )
        for at in range(width)
    ]  # fmt: skip
    parts = []
    for at in range(width):
        line = swizzle(lines[at], tuple(range(width)))
        if crossed:
            cells = tuple(swizzle(each, (at,)) for each in lines)
            line = SourceExpression(NodeForm.CONSTRUCT, type.wide(width), cells)
        parts.append(SourceExpression(SOURCE_OPS.dot, type.wide(1), (vector, line)))
    product = matrix_product(parts)
    assert product is not None
    hlsl, glsl = ("(float3x3)world", "mat3(world)") if width == 3 else ("world", "world")
    first = by_column is not crossed
    assert Printer(Hlsl(exact=False)).text(product) == (
        f"mul(v, {hlsl})" if first else f"mul({hlsl}, v)"
    )
    assert Printer(GlslTarget(exact=False)).text(product) == (
        f"{glsl} * v" if crossed else f"v * {glsl}"
    )
    assert matrix_product(parts[::-1]) is None


def test_a_column_of_a_matrix_is_transposed_to_be_read_and_swizzled_to_be_set() -> None:
    float4 = TermType(ScalarKind.FLOAT, 32, 4)
    number = literal((1,), TermType(ScalarKind.INT))
    column = SourceExpression(
        NodeForm.LINE, float4, (name("world", float4), number), MatrixLine(4, 4, by_column=True)
    )
    printer = Printer(Hlsl(exact=True))
    assert printer.text(column) == "transpose(world)[1]"
    assert printer.text(swizzle(column, (2,))) == "world[2][1]"
    row = replace(column, attr=MatrixLine(4, 4, by_column=False))
    assert printer.text(swizzle(row, (2,))) == "world[1][2]"
    lines = [
        Assign(column, name("axis", float4)),
        Assign(swizzle(column, (0, 2)), name("part", float4.wide(2))),
    ]
    assert [*printer.lines(lines)] == [
        "    world._m01_m11_m21_m31 = axis;", "    world._m01_m21 = part;",
    ]  # fmt: skip
