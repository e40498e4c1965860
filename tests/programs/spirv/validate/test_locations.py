"""Locations that inputs and outputs take, by type: two variables overlap in one and not beside it.

Source: Vulkan specification, "Location Assignment": a matrix takes a location for each column,
an array as many as its elements together, a structure those of its members in order; of 64 bits,
three and four components take two.
"""

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.validate import validate

MODULE = """OpCapability Shader
    OpCapability Float64
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main "main" %a %b
    OpDecorate %a Location 5
    OpDecorate %b Location {at}
    OpDecorate %b Component {component}
    {types}
    %double = OpTypeFloat 64
    %f2 = OpTypeVector %float 2
    %f4 = OpTypeVector %float 4
    %d2 = OpTypeVector %double 2
    %d3 = OpTypeVector %double 3
    %d4 = OpTypeVector %double 4
    %m2 = OpTypeMatrix %f2 2
    %m4 = OpTypeMatrix %f4 4
    %md = OpTypeMatrix %d3 2
    %n3 = OpConstant %uint 3
    %n2 = OpConstant %uint 2
    %scalars = OpTypeArray %float %n3
    %pairs = OpTypeArray %f2 %n2
    %nested = OpTypeArray %scalars %n2
    %doubles = OpTypeArray %d4 %n2
    %matrices = OpTypeArray %m2 %n3
    %S = OpTypeStruct %f4 %scalars %d3
    %many = OpTypeArray %S %n2
    %pa = OpTypePointer Output %{kind}
    %pb = OpTypePointer Output %float
    %a = OpVariable %pa Output
    %b = OpVariable %pb Output
    {main} {end}"""


def overlaps(kind: str, at: int, component: int = 0) -> bool:
    text = MODULE
    for name, value in (("kind", kind), ("at", at), ("component", component)):
        text = text.replace(f"{{{name}}}", str(value))
    module = assemble(Source(text_of(text)), target="vulkan1.3")
    return any("overlap" in each.message for each in validate(module, "vulkan1.3"))


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("float", 1), ("f2", 1), ("f4", 1), ("double", 1), ("d2", 1), ("d3", 2), ("d4", 2),
        ("m2", 2), ("m4", 4), ("md", 4), ("scalars", 3), ("pairs", 2), ("nested", 6),
        ("doubles", 4), ("matrices", 6), ("S", 6), ("many", 12),
    ],
)  # fmt: skip
def test_a_type_takes_these_locations_and_no_others(kind: str, count: int) -> None:
    for at in range(3, 5 + count + 2):
        assert overlaps(kind, at) is (5 <= at < 5 + count), at


@pytest.mark.parametrize(
    ("kind", "taken"),
    [("float", 1), ("f2", 2), ("f4", 4), ("double", 2), ("m2", 2), ("scalars", 1), ("pairs", 2)],
)
def test_a_type_takes_these_components_of_each_location(kind: str, taken: int) -> None:
    for component in range(4):
        assert overlaps(kind, 5, component) is (component < taken)
