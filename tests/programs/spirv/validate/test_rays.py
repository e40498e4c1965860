"""Ray tracing: operands, payloads and stages of its instructions."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import FINE, differing, differing_modules

HEAD = """OpCapability RayTracingKHR
    OpCapability Linkage
    OpExtension "SPV_KHR_ray_tracing"
    OpMemoryModel Logical GLSL450
    OpEntryPoint RayGenerationKHR %main "main" %scenes %payload %incoming %called %calling %own
    {types} %int = OpTypeInt 32 1
    %float3 = OpTypeVector %float 3
    %scene = OpTypeAccelerationStructureKHR
    %p_scene = OpTypePointer UniformConstant %scene
    %scenes = OpVariable %p_scene UniformConstant
    %p_out = OpTypePointer RayPayloadKHR %float3
    %payload = OpVariable %p_out RayPayloadKHR
    %p_in = OpTypePointer IncomingRayPayloadKHR %float3
    %incoming = OpVariable %p_in IncomingRayPayloadKHR
    %p_called = OpTypePointer CallableDataKHR %float3
    %called = OpVariable %p_called CallableDataKHR
    %p_calling = OpTypePointer IncomingCallableDataKHR %float3
    %calling = OpVariable %p_calling IncomingCallableDataKHR
    %p_own = OpTypePointer Private %float3
    %own = OpVariable %p_own Private
    %v3 = OpConstantNull %float3
    """
LOCAL = "%a = OpLoad %scene %scenes"
# Operands: structure, flags, mask, offset, stride, miss, origin, least, direction, most, payload.
TRACE = [
    "%a",
    "%one",
    "%one",
    "%zero",
    "%zero",
    "%zero",
    "%v3",
    "%fone",
    "%v3",
    "%fone",
    "%payload",
]
PAYLOAD = "expected a payload of another storage class"


def trace(at: int, operand: str) -> str:
    return "OpTraceRayKHR " + " ".join([*TRACE[:at], operand, *TRACE[at + 1 :]])


def test_operands() -> None:
    rows = [(trace(0, "%a"), FINE), (trace(0, "%one"), "expected an acceleration structure")]
    integers = ("Ray Flags", "Cull Mask", "SBT Offset", "SBT Stride", "Miss Index")
    for at, name in enumerate(integers, 1):
        rows.append((trace(at, "%fone"), f"{name}: expected a scalar of int32"))
    for at, name in ((6, "Ray Origin"), (8, "Ray Direction")):
        rows.append((trace(at, "%fone"), f"{name}: expected a vector of 3 float32"))
    for at, name in ((7, "Ray Tmin"), (9, "Ray Tmax")):
        rows.append((trace(at, "%one"), f"{name}: expected a scalar of float32"))
    rows += [
        (trace(10, "%incoming"), FINE),
        (trace(10, "%called"), PAYLOAD), (trace(10, "%own"), PAYLOAD), (trace(10, "%one"), PAYLOAD),
        ("OpExecuteCallableKHR %one %called", FINE),
        ("OpExecuteCallableKHR %one %calling", FINE),
        ("OpExecuteCallableKHR %one %payload", PAYLOAD),
        ("OpExecuteCallableKHR %one %own", PAYLOAD),
        ("OpExecuteCallableKHR %fone %called", "SBT Index: expected a scalar of uint32"),
    ]  # fmt: skip
    assert differing(HEAD, rows, "spv1.4", LOCAL) == []


STAGES = ("RayGeneration", "Intersection", "AnyHit", "ClosestHit", "Miss", "Callable")


def test_stages() -> None:
    """SPV_KHR_ray_tracing: which execution models each instruction is for."""
    template = """OpCapability RayTracingKHR
    OpExtension "SPV_KHR_ray_tracing"
    OpMemoryModel Logical GLSL450
    OpEntryPoint {} %main "main" %scenes %payload %called
    {types} %float3 = OpTypeVector %float 3
    %scene = OpTypeAccelerationStructureKHR
    %p_scene = OpTypePointer UniformConstant %scene
    %scenes = OpVariable %p_scene UniformConstant
    %p_out = OpTypePointer RayPayloadKHR %float3
    %payload = OpVariable %p_out RayPayloadKHR
    %p_called = OpTypePointer CallableDataKHR %float3
    %called = OpVariable %p_called CallableDataKHR
    INSTRUCTION"""
    trace = "%v3 = OpConstantNull %float3\n{main} %a = OpLoad %scene %scenes "
    trace += "OpTraceRayKHR %a %one %one %zero %zero %zero %v3 %fone %v3 %fone %payload {end}"
    for name, instruction, stages in (
        ("OpTraceRayKHR", trace, {"RayGeneration", "ClosestHit", "Miss"}),
        ("OpExecuteCallableKHR", "{main} OpExecuteCallableKHR %one %called {end}",
         {"RayGeneration", "ClosestHit", "Miss", "Callable"}),
        ("OpReportIntersectionKHR", "{main} %r = OpReportIntersectionKHR %bool %fone %zero {end}",
         {"Intersection"}),
    ):  # fmt: skip
        message = f"{name}: the instruction is not for this stage, got "
        rows = [
            (f"{each}KHR", [] if each in stages else [f"{message}{each}KHR"]) for each in STAGES
        ]
        text = template.replace("INSTRUCTION", instruction)
        assert differing_modules((text, "spv1.4", rows)) == [], name
