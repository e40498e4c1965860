"""Vertex shaders: locations, built-ins, blocks of outputs."""

import numpy as np

from unshade import kernel

from .graphics import module, same_everywhere

BLOCK = """OpMemberDecorate %vertex 0 BuiltIn Position
OpMemberDecorate %vertex 1 BuiltIn PointSize
OpMemberDecorate %vertex 2 BuiltIn ClipDistance
OpDecorate %vertex Block
OpDecorate %place Location 0
OpDecorate %number BuiltIn VertexIndex
OpDecorate %m Location 2
"""
GLOBALS = """%two = OpTypeArray %float %c2
%vertex = OpTypeStruct %v4float %float %two
%p_vertex = OpTypePointer Output %vertex
%gl = OpVariable %p_vertex Output
%p_v4 = OpTypePointer Output %v4float
%p_f = OpTypePointer Output %float
%mat2 = OpTypeMatrix %v2float 2
%p_m = OpTypePointer Output %mat2
%m = OpVariable %p_m Output
%p_place = OpTypePointer Input %v2float
%place = OpVariable %p_place Input
%p_int = OpTypePointer Input %int
%number = OpVariable %p_int Input
"""
CODE = """%xy = OpLoad %v2float %place
%x = OpCompositeExtract %float %xy 0
%y = OpCompositeExtract %float %xy 1
%position = OpCompositeConstruct %v4float %x %y %f0 %f1
%p0 = OpAccessChain %p_v4 %gl %i0
OpStore %p0 %position
%n = OpLoad %int %number
%size = OpConvertSToF %float %n
%p1 = OpAccessChain %p_f %gl %i1
OpStore %p1 %size
%p2 = OpAccessChain %p_f %gl %i2 %i1
OpStore %p2 %y
%made = OpCompositeConstruct %mat2 %xy %xy
OpStore %m %made
"""
SHADER = module(
    "Vertex", CODE, interface="%gl %place %number %m", decorations=BLOCK, globals=GLOBALS,
    capabilities="OpCapability ClipDistance",
)  # fmt: skip
PLACES = np.array([[1, 2], [3, 4], [5, 6]], "<f4")


def test_built_ins_of_a_block() -> None:
    found = same_everywhere(SHADER, lambda each: each.transform({"location0": PLACES})["Position"])
    assert found.tolist() == [[1, 2, 0, 1], [3, 4, 0, 1], [5, 6, 0, 1]]
    made = kernel(SHADER).transform({"location0": PLACES})
    assert made["PointSize"].tolist() == [0, 1, 2]
    assert made["ClipDistance1"].tolist() == [2, 4, 6]
    assert made["ClipDistance"].tolist() == [0, 0, 0]


def test_vertex_numbers_can_be_given() -> None:
    made = kernel(SHADER).transform({"location0": PLACES, "VertexIndex": np.array([7, 8, 9])})
    assert made["PointSize"].tolist() == [7, 8, 9]


def test_a_matrix_takes_a_location_for_each_column() -> None:
    made = kernel(SHADER).transform({"location0": PLACES})
    assert made["location2"].tolist() == PLACES.tolist()
    assert made["location3"].tolist() == PLACES.tolist()


def test_outputs_have_their_initial_values() -> None:
    """Outputs that no instruction refers to, too, if the entry point lists them."""
    shader = module(
        "Vertex", "OpStore %x %f2", interface="%x %y",
        decorations="OpDecorate %x Location 0\nOpDecorate %y Location 1\n"
        'OpName %x "x"\nOpName %y "y"',
        globals="%p_f = OpTypePointer Output %float\n%x = OpVariable %p_f Output %f1\n"
        "%y = OpVariable %p_f Output %half",
    )  # fmt: skip
    assert same_everywhere(shader, lambda each: each.transform(1)["x"]).tolist() == [2.0]
    assert same_everywhere(shader, lambda each: each.transform(1)["y"]).tolist() == [0.5]
    assert [each.used for each in shader.reflect().outputs] == ["x", "x"]
