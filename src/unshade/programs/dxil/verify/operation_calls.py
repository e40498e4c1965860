"""Rules of calls of dx.op functions.

Source of the shader models of operands: microsoft/DirectXShaderCompiler, lib/DXIL/
DxilOperations.cpp (OP::GetMinShaderModelAndMask), lib/DxilValidation/DxilValidation.cpp (rule
SM.ISSPECIALFLOAT); of operands that must be defined the latter (INSTR.NOREADINGUNINITIALIZED,
INSTR.UNDEFHITOBJECT, INSTR.MAYREORDERTHREADUNDEFCOHERENCEHINTPARAM).
"""

from collections.abc import Iterator

from ..code import Code
from ..model.constants import ConstantNull, UndefinedValue
from ..model.instructions import CallInst
from ..model.values import Function
from ..operation_calls import PREFIX, arguments_of, operation_of
from ..operation_types import wrong_type
from ..shaderinfo import DxilShader
from ..tables.dxil_operations import Op
from .immediates import wrong_immediates
from .reports import Reports

__all__ = ["check_operations"]

# Operations, a type of operand, the shader model since which they take it, and the first version
# of compilers and validators that kept to it.
WIDTHS = (
    (("AtomicBinOp", "AtomicCompareExchange"), "i64", (6, 6), (1, 6)),
    (("IsNaN", "IsInf", "IsFinite", "IsNormal"), "half", (6, 9), (1, 9)),
)

# Operands that must be defined: handles by their type in the table, and numbers by name.
HANDLES = frozenset(("res", "nodehandle", "noderecordhandle", "hit_object"))
DEFINED = frozenset(("rayQueryHandle", "coherenceHint", "numCoherenceHintBitsFromLSB"))
ANNOTATIONS = ("AnnotateHandle", "AnnotateNodeHandle", "AnnotateNodeRecordHandle")


def check_operations(
    code: Code, shader: DxilShader | None, function: Function, reports: Reports
) -> None:
    """Check the calls of operations in a function."""
    for number, each in enumerate(function.instructions):
        callee = each.callee if isinstance(each, CallInst) else None
        if not isinstance(callee, Function) or not callee.name.startswith(PREFIX):
            continue
        assert isinstance(each, CallInst)
        operation = operation_of(each)
        if operation is None:
            message = f"no operation of DXIL in {callee.name!r:.60}"
            reports.instruction("dxil.operation", message, function, each, number)
            continue
        name = callee.name.removeprefix(PREFIX)
        if name != operation.function and not name.startswith(f"{operation.function}."):
            message = f"{operation.name} is dx.op.{operation.function}, not {callee.name!r:.60}"
            reports.instruction("dxil.operation", message, function, each, number)
        count = len(each.arguments) - 1
        if count != len(operation.operands):
            message = f"{operation.name} takes {len(operation.operands)} operands, got {count}"
            reports.instruction("dxil.operation", message, function, each, number)
        problem = wrong_type(each, operation)
        if problem:
            message = f"{operation.name}: {problem}"
            reports.instruction("dxil.operation", message, function, each, number)
        for name in _undefined(each, operation):
            message = f"{operation.name}: {name} is undefined"
            reports.instruction("dxil.undefined", message, function, each, number)
        for problem in wrong_immediates(each, operation, code.shader_model):
            message = f"{operation.name}: {problem}"
            reports.instruction("dxil.immediate", message, function, each, number)
        model, what = _least_model(each, operation, shader)
        if code.shader_model < model:
            needed = ".".join(map(str, model))
            message = f"{operation.name}{what} needs shader model {needed}"
            reports.instruction("dxil.newer", message, function, each, number)


def _least_model(
    call: CallInst, operation: Op, shader: DxilShader | None
) -> tuple[tuple[int, int], str]:
    """Return the least shader model of a call, and which numbers need it."""
    for names, type, model, since in WIDTHS:
        if (
            operation.name in names
            and any(str(each.type).rstrip(">").endswith(type) for each in call.arguments)
            and shader is not None
            and shader.is_validated_by(*since)
        ):
            return model, f" of {type}"
    return operation.shader_model, ""


def _undefined(call: CallInst, operation: Op) -> Iterator[str]:
    """Iterate over the operands that stand for something and are undefined, or zero."""
    if operation.name in ANNOTATIONS:
        return
    arguments = arguments_of(call, operation)
    for operand in operation.operands:
        value = arguments.get(operand.name)
        if isinstance(value, UndefinedValue):
            if operand.type in HANDLES or operand.name in DEFINED:
                yield operand.name
        elif isinstance(value, ConstantNull) and operand.type in HANDLES - {"hit_object"}:
            yield operand.name
