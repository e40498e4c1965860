"""Rules of operands that refer to metadata: resources, signatures, properties of the entry point.

    createHandle(i32 57, i8 1, i32 0, i32 3, …)    UAV range 0, which must have the register 3
    cbufferLoadLegacy(i32 59, %h, i32 4)           the buffer must have the bytes from 64
    loadInput(i32 4, i32 2, i32 0, i8 1, i32 3)    input 2, which must have the row 0 and column 1,
                                                   of vertex 3, which the primitive must have
    emitStream(i32 97, i8 1)                       stream 1, which must be declared

Only constants are checked. Operands that are not in the table of an operation belong to no rule
here.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst (rules INSTR.HANDLENOTFROMCREATEHANDLE,
INSTR.OPCONSTRANGE, INSTR.OPERANDRANGE, INSTR.CBUFFEROUTOFBOUND, SM.OPERAND,
SM.DOMAINLOCATIONIDXOOB); the verdicts of its validator.
"""

from collections.abc import Callable, Sequence

from ....vocab.d3d import PRIMITIVE_VERTICES, TessellatorDomain
from ....vocab.slots import STREAMS
from ..facts.layouts import REGISTER
from ..facts.usage import ResourceReferences
from ..model.constants import UndefinedValue, integer_of
from ..model.instructions import CallInst
from ..model.values import DxilValue, Function
from ..operation_calls import operation_of
from ..shaderinfo import DxilEntryPoint, DxilResource, DxilSignatureElement, EntryProperties
from ..shaderinfo.resources import binding_of
from .kinds import wrong_resources
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
    """Check the references of a function's operations to the metadata of its entry point."""
    signatures = [{each.id: each for each in group} for group in entry.signatures]
    resources = entry.resources.all
    handles = ResourceReferences(resources)
    for number, each in enumerate(function.instructions):
        operation = operation_of(each)
        if operation is None or not isinstance(each, CallInst):
            continue
        operands = each.arguments[1:]
        name = operation.name
        problems = []
        if name in SIGNATURES and len(operands) >= 3:
            which = SIGNATURES[name]
            problem = _element(signatures[which], NAMES[which], operands)
            problems.append(("dxil.element", problem))
        if name == "CreateHandle" and len(operands) >= 3:
            problems.append(("dxil.resource", _by_number(resources, operands)))
        elif name == "CreateHandleFromBinding" and len(operands) >= 2:
            problems.append(("dxil.resource", _by_register(resources, operands)))
        elif name in ("CBufferLoad", "CBufferLoadLegacy") and len(operands) >= 2:
            unit = REGISTER if name == "CBufferLoadLegacy" else 1
            problems.append(("dxil.resource", _offset(resources, handles, operands, unit)))
        elif (check := PROPERTIES.get(name)) is not None and operands:
            problems.append(("dxil.element", check(entry.properties, operands)))
        wrong = wrong_resources(each, operation, resources, handles)
        problems += [("dxil.resource-kind", problem) for problem in wrong]
        for code, problem in problems:
            if problem:
                reports.instruction(code, f"{name}: {problem}", function, each, number)


def _element(
    elements: dict[int, DxilSignatureElement], name: str, operands: Sequence[DxilValue]
) -> str:
    """Return the error in the number of an element, its row or its column."""
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
    """Return the error in the class, the number and the register of a range."""
    group, number, register = (integer_of(each) for each in operands[:3])
    if group is None or number is None:
        return ""
    found = next((each for each in resources if (each.group, each.id) == (group, number)), None)
    if found is None:
        return f"no range of class {group} has the number {number}"
    return _register(found.lower, found.last, register)


def _by_register(resources: Sequence[DxilResource], operands: Sequence[DxilValue]) -> str:
    """Return the error in a binding and the register in it."""
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


def _offset(
    resources: Sequence[DxilResource],
    handles: ResourceReferences,
    operands: Sequence[DxilValue],
    unit: int,
) -> str:
    """Return the error in the place in a constant buffer, in bytes or in registers."""
    place = integer_of(operands[1])
    if place is None:
        return ""
    offset = (place & WORD) * unit
    found = handles.of(operands[0])
    for each in resources:
        if (each.group, each.id) in found and each.size and offset >= each.size:
            return f"expected an offset below {each.size} of {each.name}, got {offset}"
    return ""


def _vertex(properties: EntryProperties, operands: Sequence[DxilValue]) -> str:
    """Return the error in the vertex or control point of an input."""
    if len(operands) < 4:
        return ""
    if properties.geometry is not None:
        most = PRIMITIVE_VERTICES.get(properties.geometry.input_primitive)
    elif properties.domain is not None:
        most = properties.domain.input_control_points
    elif properties.hull is not None:
        most = properties.hull.input_control_points
    else:
        is_used = not isinstance(operands[3], UndefinedValue)
        return "expected undef as the vertex, since the stage has one" if is_used else ""
    return _below(most, operands[3], "vertex")


def _control_point(properties: EntryProperties, operands: Sequence[DxilValue]) -> str:
    """Return the error in the control point of an output."""
    if properties.hull is None or len(operands) < 4:
        return ""
    return _below(properties.hull.output_control_points, operands[3], "control point")


def _below(most: int | None, operand: DxilValue, noun: str) -> str:
    number = integer_of(operand)
    if most is None or number is None or 0 <= number < most:
        return ""
    return f"expected a {noun} below {most}, got {number}"


def _location(properties: EntryProperties, operands: Sequence[DxilValue]) -> str:
    """Return the error in the component of a place in a domain."""
    if properties.domain is None:
        return ""
    most = 3 if properties.domain.domain == TessellatorDomain.TRI else 2
    return _below(most, operands[0], "component")


def _stream(properties: EntryProperties, operands: Sequence[DxilValue]) -> str:
    """Return the error in the number of an output stream."""
    number = integer_of(operands[0])
    if properties.geometry is None or number is None or not 0 <= number < STREAMS:
        return ""
    is_declared = properties.geometry.streams >> number & 1
    return "" if is_declared else f"no output stream has the number {number}"


PROPERTIES: dict[str, Callable[[EntryProperties, Sequence[DxilValue]], str]] = {
    "LoadInput": _vertex,
    "LoadOutputControlPoint": _control_point,
    "DomainLocation": _location,
    "EmitStream": _stream,
    "CutStream": _stream,
    "EmitThenCutStream": _stream,
}
