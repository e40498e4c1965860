"""Geometry shaders: vertices of primitives, instances, emitted vertices."""

import numpy as np
import pytest

from unshade import UnsupportedError, kernel

from .graphics import module, same_everywhere

DECORATIONS = """OpMemberDecorate %vertex 0 BuiltIn Position
OpDecorate %vertex Block
OpName %shade "shade"
OpDecorate %shade Location 0
OpDecorate %colour Location 0
OpName %colour "colour"
OpDecorate %which BuiltIn InvocationId
OpDecorate %primitive BuiltIn PrimitiveId
"""
GLOBALS = """%vertex = OpTypeStruct %v4float
%vertices = OpTypeArray %vertex %c2
%colours = OpTypeArray %v2float %c2
%p_in = OpTypePointer Input %vertices
%p_in4 = OpTypePointer Input %v4float
%p_in2 = OpTypePointer Input %v2float
%p_ins = OpTypePointer Input %colours
%p_int = OpTypePointer Input %int
%p_out = OpTypePointer Output %vertex
%p_out4 = OpTypePointer Output %v4float
%p_out2 = OpTypePointer Output %v2float
%gl_in = OpVariable %p_in Input
%colour = OpVariable %p_ins Input
%which = OpVariable %p_int Input
%primitive = OpVariable %p_int Input
%gl_out = OpVariable %p_out Output
%shade = OpVariable %p_out2 Output
"""


def vertex(index: str, name: str) -> str:
    """Return the text that emits an input vertex."""
    return f"""%pp{name} = OpAccessChain %p_in4 %gl_in {index} %i0
%pv{name} = OpLoad %v4float %pp{name}
%pc{name} = OpAccessChain %p_in2 %colour {index}
%cv{name} = OpLoad %v2float %pc{name}
%po{name} = OpAccessChain %p_out4 %gl_out %i0
OpStore %po{name} %pv{name}
OpStore %shade %cv{name}
OpEmitVertex
"""


SHADER = module(
    "Geometry",
    "%w = OpLoad %int %which\n" + vertex("%i1", "a") + vertex("%w", "b") + "OpEndPrimitive\n"
    "%number = OpLoad %int %primitive\n%first = OpIEqual %bool %number %i0\n"
    "OpSelectionMerge %done None\nOpBranchConditional %first %more %done\n%more = OpLabel\n"
    + vertex("%i0", "c") + "OpBranch %done\n%done = OpLabel",
    interface="%gl_in %colour %which %primitive %gl_out %shade", decorations=DECORATIONS,
    globals=GLOBALS, capabilities="OpCapability Geometry",
    modes="OpExecutionMode %main InputLines\nOpExecutionMode %main OutputLineStrip\n"
    "OpExecutionMode %main Invocations 2\nOpExecutionMode %main OutputVertices 4",
)  # fmt: skip
POSITIONS = np.arange(16, dtype="<f4").reshape(2, 2, 4)
COLOURS = np.arange(8, dtype="<f4").reshape(2, 2, 2)


def test_vertices_are_emitted_in_strips() -> None:
    given = {"Position": POSITIONS, "colour": COLOURS}
    found = same_everywhere(SHADER, lambda each: each.expand(given)["Position"])
    # Two instances of each primitive; the first primitive has a third vertex.
    wanted = [(0, 1), (0, 0), (0, 0), (0, 1), (0, 1), (0, 0), (1, 1), (1, 0), (1, 1), (1, 1)]
    assert found.tolist() == [POSITIONS[at].tolist() for at in wanted]
    made = kernel(SHADER).expand(given)
    assert made["shade"].tolist() == [COLOURS[at].tolist() for at in wanted]
    assert made["sources"].tolist() == [0] * 6 + [1] * 4
    assert made["strips"].tolist() == [0, 2, 3, 5, 6, 8]
    assert made["primitives"].tolist() == [[0, 1], [3, 4], [6, 7], [8, 9]]


def test_vertices_that_do_not_exist_are_zero() -> None:
    shader = module(
        "Geometry",
        "%n = OpLoad %int %primitive\n%far = OpIAdd %int %n %i2\n" + vertex("%far", "a"),
        interface="%gl_in %colour %primitive %gl_out %shade",
        decorations=DECORATIONS.replace("OpDecorate %which BuiltIn InvocationId\n", ""),
        globals=GLOBALS, capabilities="OpCapability Geometry",
        modes="OpExecutionMode %main InputLines\nOpExecutionMode %main OutputPoints\n"
        "OpExecutionMode %main OutputVertices 1",
    )  # fmt: skip
    given = {"Position": POSITIONS, "colour": COLOURS}
    assert not same_everywhere(shader, lambda each: each.expand(given)["Position"]).any()


def test_a_shader_without_its_modes_is_refused() -> None:
    shader = module(
        "Geometry", "", interface="", capabilities="OpCapability Geometry",
        modes="OpExecutionMode %main InputLines",
    )  # fmt: skip
    with pytest.raises(UnsupportedError, match="without its execution modes"):
        kernel(shader)


def test_a_stream_may_have_no_outputs() -> None:
    """Its vertices are counted, and so are their primitives."""
    emitted = "%p = OpAccessChain %p_in2 %colour %i0\n%v = OpLoad %v2float %p\nOpStore %shade %v\n"
    shader = module(
        "Geometry",
        emitted + "OpEmitStreamVertex %i2\nOpEmitStreamVertex %i0\nOpEmitStreamVertex %i2",
        interface="%colour %shade",
        decorations='OpName %shade "shade"\nOpName %colour "colour"\nOpDecorate %shade Location 0\n'
        "OpDecorate %colour Location 0",
        globals="%colours = OpTypeArray %v2float %c1\n%p_in2 = OpTypePointer Input %v2float\n"
        "%p_ins = OpTypePointer Input %colours\n%p_out2 = OpTypePointer Output %v2float\n"
        "%colour = OpVariable %p_ins Input\n%shade = OpVariable %p_out2 Output",
        capabilities="OpCapability Geometry\nOpCapability GeometryStreams",
        modes="OpExecutionMode %main InputPoints\nOpExecutionMode %main OutputPoints\n"
        "OpExecutionMode %main OutputVertices 3",
    )  # fmt: skip
    geometry = shader.reflect().geometry
    assert geometry is not None
    assert geometry.streams == ["pointlist", "undefined", "pointlist"]
    given = {"colour": COLOURS[:, :1]}
    found = same_everywhere(shader, lambda each: each.expand(given)["m2:sources"])
    assert found.tolist() == [0, 0, 1, 1]
    made = kernel(shader).expand(given)
    assert made["m2:primitives"].tolist() == [[0], [1], [2], [3]]
    assert made["m0:shade"].tolist() == COLOURS[:, 0].tolist()
    assert not [name for name in made if name.startswith("m2:") and "shade" in name]


def test_vertices_may_have_no_outputs_at_all() -> None:
    shader = module(
        "Geometry", "OpEmitVertex\nOpEmitVertex", capabilities="OpCapability Geometry",
        modes="OpExecutionMode %main InputPoints\nOpExecutionMode %main OutputPoints\n"
        "OpExecutionMode %main OutputVertices 2",
    )  # fmt: skip
    found = same_everywhere(shader, lambda each: each.expand(2)["sources"])
    assert found.tolist() == [0, 0, 1, 1]
