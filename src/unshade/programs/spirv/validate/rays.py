"""Ray tracing and ray queries: types of operands.

Sources: SPV_KHR_ray_tracing, SPV_KHR_ray_query.
"""

from ..tables.grammar import grammar
from ..tables.numbers import ExecutionModel as Model
from ..tables.numbers import Opcode
from ..tables.numbers import StorageClass as S
from .instruction import CheckTable, Inst
from .signatures import TypeSignature, check_signature
from .state import State

__all__ = ["CHECKS"]

CHECKS = CheckTable()
of = TypeSignature.of

_RAY = ("int32 s", "int32 s", "float32 v3", "float32 s", "float32 v3", "float32 s")
_I, _F, _F3, _B = of("int32 s"), of("float32 s"), of("float32 v3"), of("bool s")
_MATRIX = of("float32 m")
SIGNATURES = {
    Opcode.TraceRayKHR: of(
        "", "", "int32 s", "int32 s", "int32 s", "int32 s", "int32 s", "float32 v3", "float32 s",
        "float32 v3", "float32 s",
    ),
    Opcode.ReportIntersectionKHR: of("bool s", "float32 s", "uint32 s"),
    Opcode.ExecuteCallableKHR: of("", "uint32 s"),
    Opcode.RayQueryInitializeKHR: of("", "", "", *_RAY),
    Opcode.RayQueryGenerateIntersectionKHR: of("", "", "float32 s"),
    Opcode.RayQueryProceedKHR: _B,
    Opcode.RayQueryGetIntersectionTypeKHR: _I,
    Opcode.RayQueryGetRayTMinKHR: _F,
    Opcode.RayQueryGetRayFlagsKHR: _I,
    Opcode.RayQueryGetIntersectionTKHR: _F,
    Opcode.RayQueryGetIntersectionInstanceCustomIndexKHR: _I,
    Opcode.RayQueryGetIntersectionInstanceIdKHR: _I,
    Opcode.RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR: _I,
    Opcode.RayQueryGetIntersectionGeometryIndexKHR: _I,
    Opcode.RayQueryGetIntersectionPrimitiveIndexKHR: _I,
    Opcode.RayQueryGetIntersectionBarycentricsKHR: of("float32 v2"),
    Opcode.RayQueryGetIntersectionFrontFaceKHR: _B,
    Opcode.RayQueryGetIntersectionCandidateAABBOpaqueKHR: _B,
    Opcode.RayQueryGetIntersectionObjectRayDirectionKHR: _F3,
    Opcode.RayQueryGetIntersectionObjectRayOriginKHR: _F3,
    Opcode.RayQueryGetWorldRayDirectionKHR: _F3,
    Opcode.RayQueryGetWorldRayOriginKHR: _F3,
    Opcode.RayQueryGetIntersectionObjectToWorldKHR: _MATRIX,
    Opcode.RayQueryGetIntersectionWorldToObjectKHR: _MATRIX,
}  # fmt: skip
# All instructions with a query, and those that choose between candidate and committed.
QUERIES = tuple(
    each.code
    for each in grammar().core.by_code.values()
    if any(rule.name in ("RayQuery", "Ray Query") for rule in each.operands)
)
MODELS = {
    Opcode.TraceRayKHR: (Model.RayGenerationKHR, Model.ClosestHitKHR, Model.MissKHR),
    Opcode.ReportIntersectionKHR: (Model.IntersectionKHR,),
    Opcode.ExecuteCallableKHR: (
        Model.RayGenerationKHR, Model.ClosestHitKHR, Model.MissKHR, Model.CallableKHR,
    ),
}  # fmt: skip
PAYLOADS = {
    Opcode.TraceRayKHR: (10, (S.RayPayloadKHR, S.IncomingRayPayloadKHR)),
    Opcode.ExecuteCallableKHR: (1, (S.CallableDataKHR, S.IncomingCallableDataKHR)),
}
ACCELERATION = {Opcode.TraceRayKHR: 0, Opcode.RayQueryInitializeKHR: 1}


@CHECKS.on(*SIGNATURES)
def check_types(state: State, inst: Inst) -> None:
    """Check an instruction by its row, its stages and its payload."""
    check_signature(state, inst, SIGNATURES[inst.code])
    models = MODELS.get(inst.code)
    if models is not None:
        state.require_models("spirv.stage", inst, models)
    at = ACCELERATION.get(inst.code)
    if at is not None:
        type_ = state.operand_type(inst, at)
        if state.types.code(type_) != Opcode.TypeAccelerationStructureKHR:
            state.report("spirv.ray", inst, "expected an acceleration structure")
    payload = PAYLOADS.get(inst.code)
    if payload is not None:
        place, classes = payload
        pointer = state.types.pointer(state.operand_type(inst, place))
        found = state.code(inst.word(place))
        if pointer is None or pointer[0] not in classes:
            state.report("spirv.ray", inst, "expected a payload of another storage class")
        elif found not in (Opcode.Variable, Opcode.UntypedVariableKHR):
            state.report("spirv.ray", inst, "expected a variable as payload")


@CHECKS.on(*QUERIES)
def check_query(state: State, inst: Inst) -> None:
    """Check the query and the choice of an intersection."""
    for at, operand in enumerate(inst.operands):
        if operand.name in ("RayQuery", "Ray Query"):
            pointer = state.types.pointer(state.operand_type(inst, at))
            if pointer is None or state.types.code(pointer[1]) != Opcode.TypeRayQueryKHR:
                state.report("spirv.ray", inst, "expected a pointer to a ray query")
        elif operand.name == "Intersection":
            value = state.integer(operand.words[0])
            known = state.code(operand.words[0]) == Opcode.Constant
            if not known or not state.types.fits(state.operand_type(inst, at), "int32 s"):
                state.report("spirv.ray", inst, "expected a constant of 32-bit int")
            elif value not in (0, 1):
                state.report("spirv.ray", inst, f"expected 0 or 1, got {value}")
