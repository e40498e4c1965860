"""Operations of DXIL that can be run, and those that cannot, each with the reason.

    sin(i32 13, …)            has a formula
    threadId(i32 93, …)       has a handler, of the part of the lowering that it concerns
    traceRay(i32 157, …)      a call of it is refused: TraceRay cannot be run: ray tracing

Tests check that every operation of the table is in one of these three classes.
"""

from ..tables.dxil_operations import Op
from .arithmetic import FORMULAS, PACKING, REDUCTIONS
from .buffers import Buffers
from .geometry import GeometryPorts
from .handles import Handles
from .mesh import AmplificationPorts, MeshPorts
from .patches import DomainPorts, HullPorts
from .ports import Ports
from .registers import Registers
from .textures import TextureOperations
from .threads import Threads
from .waves import Waves

__all__ = ["reason", "runs"]

OWNERS = (
    AmplificationPorts, Buffers, DomainPorts, GeometryPorts, Handles, HullPorts, MeshPorts, Ports,
    Registers, TextureOperations, Threads, Waves,
)  # fmt: skip

RAYS = "ray tracing"
NODES = "work graphs"
FEEDBACK = "sampler feedback"
REGISTERS = "arrays of registers of minimum precision, which dxc replaces by values"
RESERVED = "the number is reserved"
LATER = "shader model"

REASONS: dict[str, str] = {
    **dict.fromkeys(("MinPrecXRegLoad", "MinPrecXRegStore"), REGISTERS),
    **dict.fromkeys(
        (
            "InstanceID", "InstanceIndex", "HitKind", "RayFlags", "DispatchRaysIndex",
            "DispatchRaysDimensions", "WorldRayOrigin", "WorldRayDirection", "ObjectRayOrigin",
            "ObjectRayDirection", "ObjectToWorld", "WorldToObject", "RayTMin", "RayTCurrent",
            "IgnoreHit", "AcceptHitAndEndSearch", "TraceRay", "ReportHit", "CallShader",
            "PrimitiveIndex", "AllocateRayQuery", "AllocateRayQuery2", "GeometryIndex",
            "MaybeReorderThread",
        ),
        RAYS,
    ),
    **dict.fromkeys(
        (
            "WriteSamplerFeedback", "WriteSamplerFeedbackBias", "WriteSamplerFeedbackLevel",
            "WriteSamplerFeedbackGrad",
        ),
        FEEDBACK,
    ),
    **dict.fromkeys(
        (
            "AllocateNodeOutputRecords", "GetNodeRecordPtr", "IncrementOutputCount",
            "OutputComplete", "GetInputRecordCount", "FinishedCrossGroupSharing",
            "BarrierByNodeRecordHandle", "CreateNodeOutputHandle", "IndexNodeHandle",
            "AnnotateNodeHandle", "CreateNodeInputRecordHandle", "AnnotateNodeRecordHandle",
            "NodeOutputIsValid", "GetRemainingRecursionLevels",
        ),
        NODES,
    ),
}  # fmt: skip
LAST = (6, 9)  # the last shader model that is run


def runs(op: Op) -> bool:
    """Return whether an operation can be run, at least in some stage."""
    name = op.name
    tables = (FORMULAS, PACKING, REDUCTIONS, *(each.OPERATIONS for each in OWNERS))
    return any(name in each for each in tables)


def reason(op: Op) -> str | None:
    """Return the reason why an operation cannot be run; None if no reason is known."""
    found = REASONS.get(op.name)
    if found is not None:
        return found
    if op.name.startswith(("RayQuery_", "HitObject_")):
        return RAYS
    if op.name.startswith("Reserved"):
        return RESERVED
    if op.shader_model > LAST:
        return f"{LATER} 6.10 or later"
    return None
