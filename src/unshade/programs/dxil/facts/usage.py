"""Resources that the code of an entry point refers to, and its reads of constant buffers.

    createHandle(i32 57, i8 1, i32 0, …)                  class and id
    createHandleFromBinding(i32 217, {0, 3, 1, 0}, …)     first and last register, space, class
    createHandleForLib(i32 160, %view)                    %view = load @view, a global variable

Other references, as in libraries that were not optimised, are those to the global variables of
resources. A constant buffer is read by registers of 16 bytes, whose components are then extracted,
or by bytes:

    %r = cbufferLoadLegacy(i32 59, %h, i32 4)    extractvalue %r, 1        bytes 68 to 71
    %v = cbufferLoad(i32 58, %h, i32 20, i32 4)                            bytes 20 to 23
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ..model.constants import integer_of
from ..model.instructions import CallInst, ExtractValueInst, Instruction, LoadInst
from ..model.types import StructType
from ..model.values import DxilValue
from ..operation_calls import arguments_of, operation_of
from ..shaderinfo import DxilResource
from ..shaderinfo.resources import binding_of
from .layouts import REGISTER, size_of

__all__ = ["ResourceReferences", "constant_reads", "used_resources"]

WORD = 0xFFFF_FFFF
READS = ("CBufferLoad", "CBufferLoadLegacy")
PASSED = ("AnnotateHandle", "CreateHandleForLib")  # handles of what their argument stands for
Place = tuple[int, int]  # class of the resource, and id


def used_resources(
    resources: Iterable[DxilResource], instructions: Iterable[Instruction]
) -> set[Place]:
    """Return class and id of the resources that instructions refer to."""
    references = ResourceReferences(resources)
    found: set[Place] = set()
    for each in instructions:
        found |= references.variables_in(each) | references.made(each)
    return found


def constant_reads(
    resources: Iterable[DxilResource], instructions: Sequence[Instruction]
) -> dict[Place, set[int] | None]:
    """Return the offsets of the bytes that are read of each constant buffer; None if not known.

    Reads are unknown if an offset is computed, or if a handle is used other than in a read.
    """
    references = ResourceReferences(resources)
    parts: dict[DxilValue, set[int]] = defaultdict(set)
    whole: set[DxilValue] = set()
    for each in instructions:
        if isinstance(each, ExtractValueInst) and each.indices:
            parts[each.aggregate].add(each.indices[0])
        else:
            whole.update(each.operands)
    found: dict[Place, set[int] | None] = {}
    for each in instructions:
        operation = operation_of(each)
        if operation is None or not isinstance(each, CallInst) or operation.name not in READS:
            places = set()
            if operation is None or operation.name not in PASSED:
                places = {place for value in each.operands for place in references.of(value)}
                places |= set() if isinstance(each, LoadInst) else references.variables_in(each)
            found |= dict.fromkeys(places)
            continue
        arguments = arguments_of(each, operation)
        offsets = _offsets(each, arguments, None if each in whole else parts[each])
        for place in references.of(arguments.get("handle")):
            before = found.get(place, set())
            found[place] = None if before is None or offsets is None else before | offsets
    return found


def _offsets(
    call: CallInst, arguments: dict[str, DxilValue], parts: set[int] | None
) -> set[int] | None:
    """Return the offsets of the bytes that a call reads; None if they are not known."""
    register, start = (integer_of(arguments.get(each)) for each in ("regIndex", "byteOffset"))
    if start is not None:
        return set(range(start, start + size_of(call.type)))
    if register is None or not 0 <= register <= WORD:
        return None
    first = REGISTER * register
    elements = call.type.elements if isinstance(call.type, StructType) else None
    if parts is None or not elements:
        return set(range(first, first + REGISTER))
    width = size_of(elements[0])
    return {first + width * part + byte for part in parts for byte in range(width)}


class ResourceReferences:
    """Resources behind the values of a module."""

    def __init__(self, resources: Iterable[DxilResource]) -> None:
        self.listed = list(resources)
        self.variables: dict[DxilValue, Place] = {
            variable: (each.group, each.id)
            for each in self.listed
            if (variable := each.global_variable) is not None
        }

    def variables_in(self, instruction: Instruction) -> set[Place]:
        """Return the resources whose variables are operands of an instruction."""
        values = _parts(instruction.operands)
        return {self.variables[value] for value in values if value in self.variables}

    def made(self, instruction: Instruction) -> set[Place]:
        """Return the resources of the handle that an instruction makes by their numbers."""
        operation = operation_of(instruction)
        if operation is None or not isinstance(instruction, CallInst):
            return set()
        arguments = arguments_of(instruction, operation)
        if operation.name == "CreateHandle":
            group, number = (integer_of(arguments.get(e)) for e in ("resourceClass", "rangeId"))
            return {(group, number)} if group is not None and number is not None else set()
        if operation.name == "CreateHandleFromBinding":
            first, _, space, group = binding_of(arguments.get("bind"))
            return {
                (one.group, one.id)
                for one in self.listed
                if (one.group, one.space) == (group, space) and one.contains(first)
            }
        return set()

    def of(self, value: DxilValue | None) -> set[Place]:
        """Return the resources whose handle a value may be, or from which it may be loaded."""
        if isinstance(value, LoadInst):
            return self.variables_in(value)
        while isinstance(value, CallInst):
            operation = operation_of(value)
            if operation is None or operation.name not in PASSED:
                return self.made(value)
            value = next(iter(arguments_of(value, operation).values()), None)
            if isinstance(value, LoadInst):
                return self.variables_in(value)
        return set()


def _parts(values: Iterable[DxilValue]) -> Iterable[DxilValue]:
    """Iterate over values, and the bases of constant expressions."""
    for value in values:
        yield value
        inner = getattr(value, "arguments", None)
        if isinstance(inner, list) and inner and not isinstance(value, Instruction):
            yield inner[0]
