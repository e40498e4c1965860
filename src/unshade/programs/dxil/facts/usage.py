"""Resources that the code of an entry point refers to.

    createHandle(i32 57, i8 1, i32 0, …)                  class and id
    createHandleFromBinding(i32 217, {0, 3, 1, 0}, …)     first and last register, space, class
    createHandleForLib(i32 160, %view)                    %view = load @view, a global variable

Other references, as in libraries that were not optimised, are those to the global variables of
resources.
"""

from collections.abc import Iterable

from ..dxop import arguments_of, operation_of
from ..model.constants import ConstantAggregate, ConstantData, ConstantNull, integer_of
from ..model.instructions import CallInst, Instruction
from ..model.values import DxilValue, GlobalVariable
from ..shaderinfo import DxilResource

__all__ = ["used_resources"]

WORD = 0xFFFF_FFFF
Place = tuple[int, int]  # class of the resource, and id


def used_resources(
    resources: Iterable[DxilResource], instructions: Iterable[Instruction]
) -> set[Place]:
    """Return class and id of the resources that instructions refer to."""
    listed = list(resources)
    variables = {
        each.variable: (each.group, each.id)
        for each in listed
        if isinstance(each.variable, GlobalVariable)
    }
    found: set[Place] = set()
    for each in instructions:
        found |= {variables[value] for value in _parts(each.operands) if value in variables}
        operation = operation_of(each)
        if operation is None or not isinstance(each, CallInst):
            continue
        arguments = arguments_of(each, operation)
        if operation.name == "CreateHandle":
            group, number = (integer_of(arguments.get(e)) for e in ("resourceClass", "rangeId"))
            found |= {(group, number)} if group is not None and number is not None else set()
        elif operation.name == "CreateHandleFromBinding":
            first, _, space, group = _binding(arguments.get("bind"))
            found |= {
                (one.group, one.id)
                for one in listed
                if (one.group, one.space) == (group, space) and _contains(one, first)
            }
    return found


def _parts(values: Iterable[DxilValue]) -> Iterable[DxilValue]:
    """Iterate over values, and what constant expressions among them begin with."""
    for value in values:
        yield value
        inner = getattr(value, "arguments", None)
        if isinstance(inner, list) and inner and not isinstance(value, Instruction):
            yield inner[0]


def _binding(value: DxilValue | None) -> tuple[int, int, int, int]:
    """Return first and last register, space and class of a constant; -1 for what is unknown."""
    numbers: list[int | None] = []
    if isinstance(value, ConstantNull):
        numbers = [0, 0, 0, 0]
    elif isinstance(value, ConstantAggregate):
        numbers = [integer_of(each) for each in value.elements]
    elif isinstance(value, ConstantData):
        numbers = [*value.elements]
    known = [-1 if each is None else each & WORD for each in numbers[:4]]
    first, last, space, group = (*known, -1, -1, -1, -1)[:4]
    return first, last, space, group


def _contains(resource: DxilResource, register: int) -> bool:
    end = WORD if resource.registers == WORD else resource.lower + resource.registers - 1
    return resource.lower <= register <= end
