"""The state of a pipeline against its stages."""

from __future__ import annotations

from math import prod
from typing import Any

import pytest

import unshade
from tests.analysis.pipelines.modules import domain, fragment, hull, vertex
from tests.examples import EXAMPLES
from unshade.analysis.pipelines import stages_of, state_of
from unshade.analysis.pipelines.states import numeric_kind
from unshade.errors import UsageError
from unshade.vocab.words import SystemValue

SKINNING, PHONG = EXAMPLES / "skinning.dxbc", EXAMPLES / "phong.dxbc"
HULL, DOMAIN = EXAMPLES / "sheet.h.dxbc", EXAMPLES / "sheet.d.dxbc"
LAYOUT: list[dict[str, Any]] = [
    {"semantic": "TEXCOORD", "format": "R32G32B32_FLOAT"},
    {"semantic": "texcoord", "index": 1, "format": "r16g16b16a16-float"},
    {"semantic": "TEXCOORD", "index": 2, "format": "DXGI_FORMAT_R8G8B8A8_UINT"},
    {"semantic": "TEXCOORD", "index": 3, "format": "R8G8B8A8_UNORM"},
    *({"semantic": "TEXCOORD4_", "index": at, "format": "R32G32B32A32_FLOAT"} for at in range(4)),
]
TARGETS = ["R8G8B8A8_UNORM_SRGB", "R32_UINT"]


def codes(*stages: Any, **state: Any) -> list[str]:
    return [each.code for each in unshade.Pipeline(*stages, state=state).check()]


def test_a_state_that_fits() -> None:
    assert codes(SKINNING, PHONG, input_layout=LAYOUT, targets=TARGETS, topology="triangle") == []
    assert codes(HULL, DOMAIN, topology="patch", control_points=4) == []


def changed(at: int, **values: Any) -> list[dict[str, Any]]:
    return [{**each, **values} if at == n else dict(each) for n, each in enumerate(LAYOUT)]


@pytest.mark.parametrize(
    ("stages", "state", "code"),
    [
        ((SKINNING,), {"input_layout": LAYOUT[1:]}, "state.input-missing"),
        ((SKINNING,), {"input_layout": changed(2, format="R8G8B8A8_UNORM")}, "state.input-type"),
        ((PHONG,), {"targets": ["R8G8B8A8_UNORM", "R32_SINT"]}, "state.target-type"),
        ((PHONG,), {"targets": ["R8G8B8A8_UINT", "R32_UINT"]}, "state.target-type"),
        ((PHONG,), {"targets": ["R8G8B8A8_UNORM"]}, "state.target-unused"),
        ((PHONG,), {"targets": [*TARGETS, "R16_FLOAT"]}, "state.target-missing"),
        ((HULL, DOMAIN), {"topology": "triangle"}, "state.topology"),
        ((HULL, DOMAIN), {"topology": "patch", "control_points": 3}, "state.control-points"),
        ((EXAMPLES / "billboards.dxbc",), {"topology": "triangle"}, "state.geometry-input"),
        (
            (EXAMPLES / "particles.spv",),
            {"limits": {"maxComputeWorkGroupInvocations": 16}},
            "state.thread-group",
        ),
        (
            (EXAMPLES / "particles.spv",),
            {"limits": {"maxComputeWorkGroupSize": [8, 8, 8]}},
            "state.thread-group",
        ),
    ],
)
def test_each_rule_is_broken_by_a_state(
    stages: tuple[Any, ...], state: dict[str, Any], code: str
) -> None:
    assert codes(*stages, **state) == [code]


def test_a_group_at_the_limits_of_a_device() -> None:
    [stage] = stages_of(unshade.open(EXAMPLES / "matmul.dxbc"))
    group, memory = stage.reflection.thread_group, stage.reflection.shared_memory
    assert group is not None
    size, threads = sum(each.size for each in memory), prod(group)
    assert size > 0
    for fewer, expected in ((0, []), (1, ["state.thread-group"] * 3)):
        limits = {
            "maxComputeWorkGroupSize": [group[0] - fewer, *group[1:]],
            "maxComputeWorkGroupInvocations": threads - fewer,
            "maxComputeSharedMemorySize": size - fewer,
        }
        assert codes(stage, limits=limits) == expected


def test_a_depth_that_no_target_takes() -> None:
    [pixel] = stages_of(unshade.open(PHONG))
    assert codes(pixel, depth_format=None) == []
    pixel.reflection.outputs[0].system_value = SystemValue.DEPTH
    assert codes(pixel) == []
    assert codes(pixel, depth_format="D32_FLOAT") == []
    assert codes(pixel, depth_format=None) == ["state.target-unused"]


def test_patches_of_vulkan_are_tessellated() -> None:
    vs = vertex({0: "float4"})
    assert codes(vs, topology="patch") == ["state.topology"]
    assert codes(vs, topology="triangle") == []
    stages = vs, hull({0: "float4"}, {0: "float4"}), domain({0: "float4"})
    assert codes(*stages, topology="patch") == []


def test_a_geometry_shader_takes_the_primitives_of_its_topology() -> None:
    assert codes(EXAMPLES / "billboards.dxbc", topology="point") == []


def test_locations_of_vulkan() -> None:
    vs = vertex({}, {0: "float4", 2: "uint2"})
    fits = [{"location": 0, "format": "VK_FORMAT_R8G8B8A8_UNORM"},
            {"location": 2, "format": "R16G16_UINT"}]  # fmt: skip
    assert codes(vs, input_layout=fits) == []
    [found] = unshade.Pipeline(vs, state={"input_layout": fits[:1]}).check()
    assert found.message == "in2 at location 2 xy has no attribute in the input layout"
    assert found.reference == "VUID-VkGraphicsPipelineCreateInfo-Input-07904"
    wrong = [fits[0], {"location": 2, "format": "R16G16_SFLOAT"}]
    [found] = unshade.Pipeline(vs, state={"input_layout": wrong}).check()
    assert (found.code, str(found.severity)) == ("state.input-type", "error")


@pytest.mark.parametrize(
    ("state", "severities"),
    [({}, ["warning"]), ({"features": ["maintenance4"]}, []), ({"features": []}, ["error"])],
)
def test_smaller_vectors_need_a_feature(state: dict[str, Any], severities: list[str]) -> None:
    pipeline = unshade.Pipeline(vertex({0: "float4"}), fragment({0: "float2"}), state=state)
    assert [str(each.severity) for each in pipeline.check()] == severities


@pytest.mark.parametrize(
    ("format", "kind"),
    [
        ("R8G8B8A8_UNORM", "float"), ("DXGI_FORMAT_B8G8R8A8_UNORM_SRGB", "float"),
        ("r32g32b32a32-uint", "uint"), ("VK_FORMAT_R16_SINT", "sint"), ("BC6H_UF16", None),
        ("R9G9B9E5_SHAREDEXP", "float"), ("B10G11R11_UFLOAT_PACK32", "float"),
        ("R32_TYPELESS", None), ("D24_UNORM_S8_UINT", "float"), ("A2B10G10R10_USCALED", "float"),
    ],
)  # fmt: skip
def test_kinds_of_formats(format: str, kind: str | None) -> None:
    assert numeric_kind(format) == kind


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"target": []}, "state: unknown key 'target'; did you mean targets"),
        ({"topology": "quads"}, "state.topology: unknown word 'quads': expected point, line"),
        ({"targets": [1]}, r"state.targets\[0\]: expected a string, got 1"),
        ({"input_layout": [{"format": "R32_FLOAT"}]}, r"input_layout\[0\]: expected a format, and"),
        ({"limits": []}, "state.limits: expected an object"),
        ({"limits": {"a": "b"}}, "state.limits.a: expected an integer of at least 0, got 'b'"),
    ],
)
def test_data_that_is_no_state(data: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        state_of(data)
