"""Inputs and outputs of 64 bits of geometry and tessellation shaders."""

import numpy as np

from unshade import kernel

from .graphics import module, same_everywhere

GEOMETRY = module(
    "Geometry",
    """%w = OpLoad %int %which
%pd = OpAccessChain %pi_double %depths %w %i1
%d = OpLoad %double %pd
%e = OpFAdd %double %d %d
OpStore %depth %e
%pn = OpAccessChain %pi_ulong %numbers %i0
%n = OpLoad %ulong %pn
OpStore %number %n
OpStore %shade %f2
OpEmitVertex""",
    interface="%depths %numbers %which %depth %number %shade",
    decorations="""OpName %depths "depths"
OpName %numbers "numbers"
OpName %depth "depth"
OpName %number "number"
OpName %shade "shade"
OpDecorate %depths Location 0
OpDecorate %numbers Location 2
OpDecorate %shade Location 0
OpDecorate %depth Location 1
OpDecorate %number Location 2
OpDecorate %which BuiltIn PrimitiveId""",
    globals="""%double = OpTypeFloat 64
%ulong = OpTypeInt 64 0
%v2double = OpTypeVector %double 2
%doubles = OpTypeArray %v2double %c2
%ulongs = OpTypeArray %ulong %c2
%pi_doubles = OpTypePointer Input %doubles
%pi_ulongs = OpTypePointer Input %ulongs
%pi_double = OpTypePointer Input %double
%pi_ulong = OpTypePointer Input %ulong
%pi_int = OpTypePointer Input %int
%po_double = OpTypePointer Output %double
%po_ulong = OpTypePointer Output %ulong
%po_float = OpTypePointer Output %float
%depths = OpVariable %pi_doubles Input
%numbers = OpVariable %pi_ulongs Input
%which = OpVariable %pi_int Input
%depth = OpVariable %po_double Output
%number = OpVariable %po_ulong Output
%shade = OpVariable %po_float Output""",
    capabilities="OpCapability Geometry\nOpCapability Float64\nOpCapability Int64",
    modes="OpExecutionMode %main InputLines\nOpExecutionMode %main OutputPoints\n"
    "OpExecutionMode %main OutputVertices 1",
)


def test_geometry() -> None:
    """The number of the primitive chooses the vertex: primitive 2 has none of that number."""
    depths = np.arange(12, dtype="<f8").reshape(3, 2, 2) / 3
    numbers = (np.arange(6, dtype="<u8") << 40).reshape(3, 2)
    given = {"depths": depths, "numbers": numbers}
    found = same_everywhere(GEOMETRY, lambda each: each.expand(given)["depth"])
    assert found.tolist() == [2 * depths[0, 0, 1], 2 * depths[1, 1, 1], 0]
    made = kernel(GEOMETRY).expand(given)
    assert made["number"].tolist() == [0, 2 << 40, 4 << 40]
    assert made["shade"].tolist() == [2, 2, 2]


TESSELLATION = module(
    "TessellationEvaluation",
    """%px = OpAccessChain %pi_double %given %i1
%x = OpLoad %double %px
%pe = OpAccessChain %pi_double %edges %i2
%e = OpLoad %double %pe
%sum = OpFAdd %double %x %e
OpStore %made %sum""",
    interface="%given %edges %made",
    decorations="""OpName %given "given"
OpName %edges "edges"
OpName %made "made"
OpDecorate %given Location 0
OpDecorate %edges Location 1
OpDecorate %edges Patch
OpDecorate %made Location 0""",
    globals="""%double = OpTypeFloat 64
%c32 = OpConstant %uint 32
%many = OpTypeArray %double %c32
%three = OpTypeArray %double %c3
%pi_many = OpTypePointer Input %many
%pi_three = OpTypePointer Input %three
%pi_double = OpTypePointer Input %double
%po_double = OpTypePointer Output %double
%given = OpVariable %pi_many Input
%edges = OpVariable %pi_three Input
%made = OpVariable %po_double Output""",
    capabilities="OpCapability Tessellation\nOpCapability Float64",
    modes="OpExecutionMode %main Triangles",
)


def test_tessellation() -> None:
    given = {"given": np.array([[1, 2, 3]]) / 3}
    edges = {f"location{at}": np.array([[number / 7]]) for at, number in ((1, 1), (2, 2), (3, 4))}
    where = np.zeros((1, 3), "<f4")
    found = same_everywhere(TESSELLATION, lambda each: each.evaluate(where, given, edges)["made"])
    assert found.ravel().tolist() == [2 / 3 + 4 / 7]
