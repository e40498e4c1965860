"""Payloads of task and mesh shaders, and of ray tracing."""

from __future__ import annotations

import pytest

import unshade
from unshade.model import ProgramFacts

HEAD = """OpCapability {capability}
OpExtension "{extension}"
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main" %data
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v3 = OpTypeVector %float 3
%four = OpConstant %uint 4
%array = OpTypeArray %uint %four
%block = OpTypeStruct %array %v3
%pointer = OpTypePointer {storage} %block
%data = OpVariable %pointer {storage}
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%label = OpLabel
OpReturn
OpFunctionEnd
"""


def facts(model: str, storage: str) -> ProgramFacts:
    rays = "KHR" in model
    text = HEAD.format(
        model=model, storage=storage,
        capability="RayTracingKHR" if rays else "MeshShadingEXT",
        extension="SPV_KHR_ray_tracing" if rays else "SPV_EXT_mesh_shader",
    )  # fmt: skip
    [program] = unshade.assemble(text, "spirv").programs
    return program.facts("main")


@pytest.mark.parametrize("model", ["TaskEXT", "MeshEXT"])
def test_the_payload_of_meshes(model: str) -> None:
    found = facts(model, "TaskPayloadWorkgroupEXT")
    assert found.mesh is not None
    assert (found.mesh.payload_size, found.ray_tracing) == (28, None)


@pytest.mark.parametrize(
    ("model", "storage", "field", "value"),
    [
        ("RayGenerationKHR", "RayPayloadKHR", "passed_payloads", [28]),
        ("RayGenerationKHR", "CallableDataKHR", "passed_parameters", [28]),
        ("MissKHR", "IncomingRayPayloadKHR", "payload_size", 28),
        ("CallableKHR", "IncomingCallableDataKHR", "payload_size", 28),
        ("ClosestHitKHR", "HitAttributeKHR", "attribute_size", 28),
    ],
)
def test_payloads_of_rays(model: str, storage: str, field: str, value: object) -> None:
    found = facts(model, storage).ray_tracing
    assert found is not None
    assert getattr(found, field) == value
