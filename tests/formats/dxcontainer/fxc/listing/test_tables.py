"""Printing the tables of interfaces, and the lines from STAT."""

from __future__ import annotations

import pytest

from unshade.formats.dxcontainer.fxc.listing import interfaces, statistics
from unshade.formats.dxcontainer.parts.ifce import (
    ClassInstance,
    ClassLinkage,
    ClassType,
    InterfaceVariable,
)
from unshade.formats.dxcontainer.parts.stat import ShaderStatistics
from unshade.vocab.d3d import ShaderKind

LAST = "// Approximately 12 instruction slots used"


def class_type(name: str, stride: int = 0) -> ClassType:
    return ClassType(
        name=name, id=0, constant_buffer_stride=stride, texture_count=0, sampler_count=0
    )


def test_interfaces() -> None:
    instance = ClassInstance(
        name="g_light",
        type=1,
        elements=1,
        constant_buffer=0,
        constant_buffer_offset=4,
        texture=0xFFFF,
        sampler=0xFFFF,
    )
    slots = [
        InterfaceVariable(span=2, count=None, type_ids=[0, 1], table_ids=[0, 1]),
        InterfaceVariable(span=1, count=None, type_ids=[1], table_ids=[12]),
    ]
    rule = "// +----------+---------+---------------------------------------"
    everything = ClassLinkage(
        instance_count=None,
        class_count=None,
        slot_count=None,
        slot_total=3,
        instances=[instance],
        classes=[class_type("A"), class_type("B", 2)],
        slots=slots,
    )
    assert interfaces.lines(everything) == [
        "//",
        "// Available Class Types:",
        "//",
        "// Name                             ID CB Stride Texture Sampler",
        "// ------------------------------ ---- --------- ------- -------",
        "// A                                 0         0       0       0",
        "// B                                 1         2       0       0",
        "//",
        "// Available Class Instances:",
        "//",
        "// Name                        Type CB CB Offset Texture Sampler",
        "// --------------------------- ---- -- --------- ------- -------",
        "// g_light                        1  0         4       -       -",
        "//",
        "// Interface slots, 3 total:",
        "//",
        "//             Slots",
        rule,
        "// | Type ID  |   0-1   |0    1    ",
        "// | Table ID |         |0    1    ",
        rule,
        "// | Type ID  |   2     |1    ",
        "// | Table ID |         |12   ",
        rule,
    ]


def counted(**values: int) -> ShaderStatistics:
    fields = dict.fromkeys(ShaderStatistics.__annotations__, 0) | values
    return ShaderStatistics(**fields)


def test_sample_frequency() -> None:
    found = statistics.lines(counted(is_sample_frequency=1), ShaderKind.PIXEL)
    assert found == ["// Pixel Shader runs at sample frequency", "//"]
    assert statistics.lines(counted(), ShaderKind.PIXEL) == []


TESSELLATION = {
    "control_points": 16,
    "tessellator_domain": 3,
    "hs_output_primitive": 4,
    "hs_partitioning": 2,
}
DOMAIN = [
    "// Tessellation Domain   # of control points",
    "// -------------------- --------------------",
    "// Quadrilateral                          16",
    "//",
]


@pytest.mark.parametrize(
    ("stage", "lines"),
    [
        (ShaderKind.VERTEX, []),
        (ShaderKind.DOMAIN, DOMAIN),
        (
            ShaderKind.HULL,
            [
                *DOMAIN,
                "// Tessellation Output Primitive  Partitioning Type ",
                "// ------------------------------ ------------------",
                "// Counter-Clockwise Triangles    Integer Power of 2",
                "//",
            ],
        ),
    ],
)
def test_tessellation(stage: ShaderKind, lines: list[str]) -> None:
    assert statistics.lines(counted(**TESSELLATION), stage) == lines


def test_last_line() -> None:
    assert statistics.last_line(counted(instruction_count=12)) == LAST
    assert statistics.last_line(None) == LAST.replace("12", "0")
