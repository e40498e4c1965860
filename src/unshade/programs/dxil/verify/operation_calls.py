"""Rules of calls of dx.op functions."""

from ..code import Code
from ..model.instructions import CallInst
from ..model.values import Function
from ..operation_calls import PREFIX, operation_of
from ..operation_types import wrong_type
from .immediates import wrong_immediates
from .reports import Reports

__all__ = ["check_operations"]

EXPERIMENTAL = 1 << 31


def check_operations(code: Code, function: Function, reports: Reports) -> None:
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
        for problem in wrong_immediates(each, operation, code.shader_model):
            message = f"{operation.name}: {problem}"
            reports.instruction("dxil.immediate", message, function, each, number)
        if operation.code < EXPERIMENTAL and code.shader_model < operation.shader_model:
            needed = ".".join(map(str, operation.shader_model))
            message = f"{operation.name} needs shader model {needed}"
            reports.instruction("dxil.newer", message, function, each, number)
