"""Explicit and implicit derivatives: allowed in stages with quads of invocations.

Source: SPIR-V specification, section 3.42.16; SPV_KHR_compute_shader_derivatives.
"""

from ..tables.grammar import grammar
from ..tables.numbers import ExecutionMode, ExecutionModel
from .instruction import CheckTable, Inst
from .signatures import TypeSignature, check_signature
from .state import State

__all__ = ["CHECKS", "DERIVATIVES", "check_quads"]

CHECKS = CheckTable()

DERIVATIVES = tuple(
    each.code for each in grammar().core.by_code.values() if each.group == "Derivative"
)
SIGNATURE = TypeSignature.of("float sv", "same")
# Models that have derivatives if they declare groups for them.
COMPUTE = frozenset({
    ExecutionModel.GLCompute, ExecutionModel.MeshEXT, ExecutionModel.TaskEXT,
    ExecutionModel.MeshNV, ExecutionModel.TaskNV,
})  # fmt: skip
MODES = {ExecutionMode.DerivativeGroupQuadsKHR, ExecutionMode.DerivativeGroupLinearKHR}


@CHECKS.on(*DERIVATIVES)
def check_derivative(state: State, inst: Inst) -> None:
    """Check the type and the stage of a derivative."""
    check_signature(state, inst, SIGNATURE)
    half = "SPV_AMD_gpu_shader_half_float" in state.extensions
    if state.types.width(inst.type) not in (0, 32) and not half:
        state.report("spirv.result-type", inst, "expected components of 32 bits")
    check_quads(state, inst)


def check_quads(state: State, inst: Inst) -> None:
    """Report an instruction that a stage without quads reaches."""
    allowed = COMPUTE | {ExecutionModel.Fragment, ExecutionModel.Kernel}
    state.require_models("spirv.derivative-model", inst, allowed)
    if state.memo("quads", inst.function, lambda: _lacks_groups(state, inst)):
        state.report("spirv.derivative-model", inst, "expected a derivative group")


def _lacks_groups(state: State, inst: Inst) -> bool:
    return any(
        each.model in COMPUTE and not MODES & state.modes_of(each.function)
        for each in state.entries_of(inst)
    )
