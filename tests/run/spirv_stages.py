"""A pipeline of SPIR-V modules: a colour goes along with each vertex.

vertex       in location 0 the place, in location 1 the colour
control      passes on three control points; every factor is `factor`
evaluation   mixes the corners by TessCoord
geometry     moves the corners of a triangle halfway to its middle; `numbered` puts the number of
             the primitive in place of the colour
fragment     writes the colour
"""

import unshade
from tests.programs.spirv.lower.graphics import module

__all__ = ["control", "evaluation", "fragment", "geometry", "vertex"]

# As in modules of glslang, of which most leave the size of points alone.
VERTEX_BLOCK = (
    "OpMemberDecorate %vertex 0 BuiltIn Position\n"
    "OpMemberDecorate %vertex 1 BuiltIn PointSize\nOpDecorate %vertex Block\n"
)
PASSED = "OpDecorate %colour Location 0\nOpDecorate %shade Location 0\n"
OUT = """%vertex = OpTypeStruct %v4float %float
%p_vertex = OpTypePointer Output %vertex
%p_out4 = OpTypePointer Output %v4float
%p_in4 = OpTypePointer Input %v4float
%p_in = OpTypePointer Input %float
%third = OpConstant %float 0.3333333333333333
"""
ARRAYS = """%room = OpConstant %uint 3
%vertices = OpTypeArray %vertex %room
%colours = OpTypeArray %v4float %room
%p_vertices = OpTypePointer Input %vertices
%p_colours = OpTypePointer Input %colours
%gl_in = OpVariable %p_vertices Input
%colour = OpVariable %p_colours Input
"""


def _arrays(room: int) -> str:
    return ARRAYS.replace("%uint 3", f"%uint {room}")


def vertex() -> unshade.Shader:
    return module(
        "Vertex",
        "%p = OpLoad %v4float %place\n%c = OpLoad %v4float %colour\nOpStore %shade %c\n"
        "%at = OpAccessChain %p_out4 %gl %i0\nOpStore %at %p",
        interface="%place %colour %gl %shade",
        decorations=VERTEX_BLOCK + "OpDecorate %place Location 0\nOpDecorate %colour Location 1\n"
        'OpDecorate %shade Location 0\nOpName %place "place"\nOpName %colour "colour"',
        globals=OUT + "%place = OpVariable %p_in4 Input\n%colour = OpVariable %p_in4 Input\n"
        "%gl = OpVariable %p_vertex Output\n%shade = OpVariable %p_out4 Output",
    )  # fmt: skip


def control(factor: float, room: int = 3) -> unshade.Shader:
    levels = [("%outer", at) for at in range(3)] + [("%inner", 0)]
    code = [
        "%n = OpLoad %int %id", "%from = OpAccessChain %p_in4 %gl_in %n %i0",
        "%p = OpLoad %v4float %from", "%to = OpAccessChain %p_out4 %gl_out %n %i0",
        "OpStore %to %p", "%cfrom = OpAccessChain %p_in4 %colour %n", "%c = OpLoad %v4float %cfrom",
        "%cto = OpAccessChain %p_out4 %shade %n", "OpStore %cto %c",
    ]  # fmt: skip
    for number, (name, at) in enumerate(levels):
        code += [f"%l{number} = OpAccessChain %p_float {name} %i{at}",
                 f"OpStore %l{number} %factor"]  # fmt: skip
    return module(
        "TessellationControl", "\n".join(code),
        interface="%gl_in %colour %gl_out %shade %outer %inner %id",
        modes="OpExecutionMode %main OutputVertices 3",
        decorations=VERTEX_BLOCK + PASSED + "OpDecorate %outer BuiltIn TessLevelOuter\n"
        "OpDecorate %inner BuiltIn TessLevelInner\nOpDecorate %outer Patch\n"
        "OpDecorate %inner Patch\nOpDecorate %id BuiltIn InvocationId",
        globals=f"%factor = OpConstant %float {factor}\n" + OUT + _arrays(room)
        + "%c4 = OpConstant %uint 4\n%four = OpTypeArray %float %c4\n"
        "%two = OpTypeArray %float %c2\n%p_four = OpTypePointer Output %four\n"
        "%p_two = OpTypePointer Output %two\n%p_float = OpTypePointer Output %float\n"
        "%p_int = OpTypePointer Input %int\n%made = OpTypeArray %vertex %c3\n"
        "%shades = OpTypeArray %v4float %c3\n%p_made = OpTypePointer Output %made\n"
        "%p_shades = OpTypePointer Output %shades\n%outer = OpVariable %p_four Output\n"
        "%inner = OpVariable %p_two Output\n%id = OpVariable %p_int Input\n"
        "%gl_out = OpVariable %p_made Output\n%shade = OpVariable %p_shades Output",
        capabilities="OpCapability Tessellation",
    )  # fmt: skip


def evaluation(modes: str = "SpacingEqual VertexOrderCcw") -> unshade.Shader:
    code = ["%where = OpLoad %v3float %coord"]
    for name, array, member in (("p", "%gl_in", " %i0"), ("c", "%colour", "")):
        for at in range(3):
            code += [
                f"%{name}a{at} = OpAccessChain %p_in4 {array} %i{at}{member}",
                f"%{name}b{at} = OpLoad %v4float %{name}a{at}",
                f"%{name}w{at} = OpCompositeExtract %float %where {at}",
                f"%{name}s{at} = OpVectorTimesScalar %v4float %{name}b{at} %{name}w{at}",
            ]
        code += [
            f"%{name}x = OpFAdd %v4float %{name}s0 %{name}s1",
            f"%{name}y = OpFAdd %v4float %{name}x %{name}s2",
        ]
    code += ["%to = OpAccessChain %p_out4 %gl %i0", "OpStore %to %py", "OpStore %shade %cy"]
    return module(
        "TessellationEvaluation", "\n".join(code), interface="%gl_in %colour %gl %shade %coord",
        modes="\n".join(f"OpExecutionMode %main {each}" for each in ["Triangles", *modes.split()]),
        decorations=VERTEX_BLOCK + PASSED + "OpDecorate %coord BuiltIn TessCoord",
        globals=OUT + ARRAYS + "%p_in3 = OpTypePointer Input %v3float\n"
        "%coord = OpVariable %p_in3 Input\n%gl = OpVariable %p_vertex Output\n"
        "%shade = OpVariable %p_out4 Output",
        capabilities="OpCapability Tessellation",
    )  # fmt: skip


def geometry(*, numbered: bool = False) -> unshade.Shader:
    code = ["%n = OpLoad %int %number", "%f = OpConvertSToF %float %n",
            "%numbers = OpCompositeConstruct %v4float %f %f %f %f"]  # fmt: skip
    for at in range(3):
        code += [f"%a{at} = OpAccessChain %p_in4 %gl_in %i{at} %i0",
                 f"%p{at} = OpLoad %v4float %a{at}"]  # fmt: skip
    code += [
        "%sum = OpFAdd %v4float %p0 %p1", "%all = OpFAdd %v4float %sum %p2",
        "%middle = OpVectorTimesScalar %v4float %all %third",
        "%to = OpAccessChain %p_out4 %gl %i0",
    ]  # fmt: skip
    for at in range(3):
        code += [
            f"%m{at} = OpFAdd %v4float %p{at} %middle",
            f"%h{at} = OpVectorTimesScalar %v4float %m{at} %half", f"OpStore %to %h{at}",
            f"%ca{at} = OpAccessChain %p_in4 %colour %i{at}",
            f"%cb{at} = OpLoad %v4float %ca{at}",
            f"OpStore %shade {'%numbers' if numbered else f'%cb{at}'}", "OpEmitVertex",
        ]  # fmt: skip
    return module(
        "Geometry", "\n".join(code), interface="%gl_in %colour %gl %shade %number",
        modes="OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\n"
        "OpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices 3",
        decorations=VERTEX_BLOCK + PASSED + "OpDecorate %number BuiltIn PrimitiveId",
        globals=OUT + ARRAYS + "%gl = OpVariable %p_vertex Output\n"
        "%p_int = OpTypePointer Input %int\n%number = OpVariable %p_int Input\n"
        "%shade = OpVariable %p_out4 Output",
        capabilities="OpCapability Geometry",
    )  # fmt: skip


def fragment() -> unshade.Shader:
    return module(
        "Fragment", "%c = OpLoad %v4float %shade\nOpStore %target %c",
        interface="%shade %target", modes="OpExecutionMode %main OriginUpperLeft",
        decorations='OpDecorate %shade Location 0\nOpDecorate %target Location 0\n'
        'OpName %target "target"',
        globals="%p_in4 = OpTypePointer Input %v4float\n%p_out4 = OpTypePointer Output %v4float\n"
        "%shade = OpVariable %p_in4 Input\n%target = OpVariable %p_out4 Output",
    )  # fmt: skip
