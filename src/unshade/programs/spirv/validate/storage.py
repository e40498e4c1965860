"""Storage classes that only some stages have.

Source: Vulkan specification, appendix A (VUID-StandaloneSpirv-None-04644 and the next ones).
"""

from ..tables.numbers import ExecutionModel as Model
from ..tables.numbers import Opcode
from ..tables.numbers import StorageClass as S
from .instruction import CheckTable, Inst
from .state import State, model_name

__all__ = ["CHECKS", "check_class_models"]

CHECKS = CheckTable()

RAYS = (Model.RayGenerationKHR, Model.ClosestHitKHR, Model.MissKHR)
# Models of each storage class: in any environment, and in Vulkan.
MODELS = {
    S.RayPayloadKHR: (RAYS, "VUID-StandaloneSpirv-RayPayloadKHR-04698"),
    S.IncomingRayPayloadKHR: (
        (Model.AnyHitKHR, Model.ClosestHitKHR, Model.MissKHR),
        "VUID-StandaloneSpirv-IncomingRayPayloadKHR-04699",
    ),
    S.HitAttributeKHR: (
        (Model.IntersectionKHR, Model.AnyHitKHR, Model.ClosestHitKHR),
        "VUID-StandaloneSpirv-HitAttributeKHR-04701",
    ),
    S.CallableDataKHR: (
        (*RAYS, Model.CallableKHR), "VUID-StandaloneSpirv-CallableDataKHR-04704",
    ),
    S.IncomingCallableDataKHR: (
        (Model.CallableKHR,), "VUID-StandaloneSpirv-IncomingCallableDataKHR-04705",
    ),
    S.ShaderRecordBufferKHR: (
        (*RAYS, Model.IntersectionKHR, Model.AnyHitKHR, Model.CallableKHR),
        "VUID-StandaloneSpirv-ShaderRecordBufferKHR-07119",
    ),
    S.TaskPayloadWorkgroupEXT: ((Model.TaskEXT, Model.MeshEXT), ""),
    S.HitObjectAttributeNV: (RAYS, ""),
    S.HitObjectAttributeEXT: (RAYS, ""),
    S.TileImageEXT: ((Model.Fragment,), "VUID-StandaloneSpirv-None-08720"),
    S.NodePayloadAMDX: ((Model.GLCompute,), ""),
}  # fmt: skip
VULKAN = {
    S.Workgroup: (
        (Model.GLCompute, Model.TaskNV, Model.MeshNV, Model.TaskEXT, Model.MeshEXT),
        "VUID-StandaloneSpirv-None-04645",
    ),
    S.Output: (
        (
            Model.Vertex, Model.TessellationControl, Model.TessellationEvaluation,
            Model.Geometry, Model.Fragment, Model.MeshNV, Model.MeshEXT, Model.TaskNV,
            Model.TaskEXT,
        ),
        "VUID-StandaloneSpirv-None-04644",
    ),
}  # fmt: skip
# Instructions whose pointer shows that a stage uses a class; and its operand.
USERS = {
    Opcode.Load: 0, Opcode.Store: 0, Opcode.AccessChain: 0, Opcode.InBoundsAccessChain: 0,
    Opcode.CopyMemory: 0, Opcode.CopyObject: 0, Opcode.PtrAccessChain: 0,
    Opcode.FunctionCall: 1,
}  # fmt: skip


def check_class_models(state: State, inst: Inst, storage: int) -> None:
    """Report a use of a storage class in a stage that does not allow it."""
    row = MODELS.get(storage) or (VULKAN.get(storage) if state.vulkan else None)
    if row is None:
        return
    models, vuid = row
    for model in sorted(state.models_of(inst)):
        if model not in models:
            message = f"{model_name(model)} does not have this storage class"
            state.report("spirv.storage-model", inst, message, vuid if state.vulkan else "")


@CHECKS.on(*USERS)
def check_user(state: State, inst: Inst) -> None:
    """Check the storage class of a pointer that an instruction uses."""
    for id_ in inst.ids():
        pointer = state.types.pointer(state.type_of(id_))
        if pointer is not None:
            check_class_models(state, inst, pointer[0])
