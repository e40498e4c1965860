"""Storage classes and the stages that have them.

Source: Vulkan specification, "Standalone SPIR-V Validation": 04644 (Output), 04645 (Workgroup),
04698, 04699, 04700 to 04705 (ray tracing), 07119 (ShaderRecordBufferKHR), 08720 (TileImageEXT);
SPV_EXT_mesh_shader: TaskPayloadWorkgroupEXT.
"""

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.validate import validate

RAYS = ["RayGenerationKHR", "ClosestHitKHR", "MissKHR"]
HITS = ["IntersectionKHR", "AnyHitKHR"]
DRAWN = ["Vertex", "TessellationControl", "TessellationEvaluation", "Geometry", "Fragment"]
MESHES = ["TaskEXT", "MeshEXT", "TaskNV", "MeshNV"]
MODELS = ["GLCompute", "CallableKHR", *RAYS, *HITS, *DRAWN, *MESHES]
ALLOWED = {
    "Workgroup": ["GLCompute", *MESHES],
    "Output": [*DRAWN, *MESHES],
    "RayPayloadKHR": RAYS,
    "IncomingRayPayloadKHR": ["AnyHitKHR", "ClosestHitKHR", "MissKHR"],
    "HitAttributeKHR": [*HITS, "ClosestHitKHR"],
    "CallableDataKHR": ["CallableKHR", *RAYS],
    "IncomingCallableDataKHR": ["CallableKHR"],
    "ShaderRecordBufferKHR": ["CallableKHR", *RAYS, *HITS],
    "TaskPayloadWorkgroupEXT": ["TaskEXT", "MeshEXT"],
    "TileImageEXT": ["Fragment"],
    "Private": MODELS,
}


@pytest.mark.parametrize("storage", ALLOWED)
def test_stages_of_a_storage_class(storage: str) -> None:
    found = []
    for model in MODELS:
        lines = f"""OpCapability Shader
            OpMemoryModel Logical GLSL450
            OpEntryPoint {model} %main "main" %v
            {{types}}
            %p = OpTypePointer {storage} %uint
            %v = OpVariable %p {storage}
            {{main}} %x = OpLoad %uint %v {{end}}"""
        findings = validate(assemble(Source(text_of(lines)), target="spv1.6"), "vulkan1.3")
        if not any(each.code == "spirv.storage-model" for each in findings):
            found.append(model)
    assert sorted(found) == sorted(ALLOWED[storage])
