"""Rules of operands that refer to metadata: ranges of resources, elements of signatures.

    createHandle(i32 57, i8 1, i32 0, i32 3, …)    UAV range 0, which must have the register 3
    loadInput(i32 4, i32 2, i32 0, i8 1, …)        input 2, which must have the row 0 and column 1

Only constants are checked. What is not in the table of an operation belongs to no rule here.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst (rules INSTR.HANDLENOTFROMCREATEHANDLE,
INSTR.OPCONSTRANGE, INSTR.OPERANDRANGE); the verdicts of its validator.
"""

from collections.abc import Sequence

from ..model.constants import integer_of
from ..model.instructions import CallInst
from ..model.values import DxilValue, Function
from ..operation_calls import operation_of
from ..shaderinfo import DxilEntryPoint, DxilResource, DxilSignatureElement
from ..shaderinfo.resources import binding_of
from .reports import Reports

__all__ = ["check_references"]

WORD = 0xFFFF_FFFF
CLASSES = "tubs"
# The signature that the first operands of an operation refer to: element, row, column.
SIGNATURES = {
    "LoadInput": 0,
    "AttributeAtVertex": 0,
    "EvalCentroid": 0,
    "EvalSampleIndex": 0,
    "EvalSnapped": 0,
    "StoreOutput": 1,
    "LoadOutputControlPoint": 1,
    "StoreVertexOutput": 1,
    "LoadPatchConstant": 2,
    "StorePatchConstant": 2,
    "StorePrimitiveOutput": 2,
}
NAMES = ("input", "output", "patch constant or primitive output")


def check_references(entry: DxilEntryPoint, function: Function, reports: Reports) -> None:
    """Check what the operations of a function refer to in the metadata of its entry point."""
    signatures = [{each.id: each for each in group} for group in entry.signatures]
    resources = entry.resources.all
    for number, each in enumerate(function.instructions):
        operation = operation_of(each)
        if operation is None or not isinstance(each, CallInst):
            continue
        operands = each.arguments[1:]
        if operation.name in SIGNATURES and len(operands) >= 3:
            which = SIGNATURES[operation.name]
            problem = _element(signatures[which], NAMES[which], operands)
            code = "dxil.element"
        elif operation.name == "CreateHandle" and len(operands) >= 3:
            problem, code = _by_number(resources, operands), "dxil.resource"
        elif operation.name == "CreateHandleFromBinding" and len(operands) >= 2:
            problem, code = _by_register(resources, operands), "dxil.resource"
        else:
            continue
        if problem:
            reports.instruction(code, f"{operation.name}: {problem}", function, each, number)


def _element(
    elements: dict[int, DxilSignatureElement], name: str, operands: Sequence[DxilValue]
) -> str:
    """Return what is wrong with the number of an element, its row or its column."""
    number, row, column = (integer_of(each) for each in operands[:3])
    if number is None:
        return ""
    element = elements.get(number)
    if element is None:
        return f"no {name} has the number {number}"
    if row is not None and not 0 <= row < element.rows:
        return f"expected a row below {element.rows} of {element.name}, got {row}"
    if column is not None and not 0 <= column < element.columns:
        return f"expected a column below {element.columns} of {element.name}, got {column}"
    return ""


def _by_number(resources: Sequence[DxilResource], operands: Sequence[DxilValue]) -> str:
    """Return what is wrong with the class, the number and the register of a range."""
    group, number, register = (integer_of(each) for each in operands[:3])
    if group is None or number is None:
        return ""
    found = next((each for each in resources if (each.group, each.id) == (group, number)), None)
    if found is None:
        return f"no range of class {group} has the number {number}"
    return _register(found.lower, found.last, register)


def _by_register(resources: Sequence[DxilResource], operands: Sequence[DxilValue]) -> str:
    """Return what is wrong with a binding and the register in it."""
    binding = binding_of(operands[0])
    if -1 in binding:
        return ""
    first, last, space, group = binding
    for each in resources:
        is_inside = each.lower <= first <= last <= each.last
        if is_inside and (each.group, each.space) == (group, space):
            return _register(first, last, integer_of(operands[1]))
    letter = CLASSES[group] if group < len(CLASSES) else f"class {group} "
    return f"no range contains {letter}{first} to {letter}{last}, space {space}"


def _register(first: int, last: int, register: int | None) -> str:
    if register is None or first <= register & WORD <= last:
        return ""
    return f"expected a register from {first} to {last}, got {register & WORD}"
