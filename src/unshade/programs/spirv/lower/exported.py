"""Lowering of a function that is called directly.

    %f = OpFunction %float None %type      %v2float by value, %count a pointer to %int

    p         memory "p", an element for each lane: loaded before the call
    count     memory "count": copied to a variable before the call, and back after it
    colour    an output that the function writes: likewise
    result    memory "result": stored after it

Inputs and outputs of the stage that the function uses, and variables of the lane that it reads
before it writes them, are parameters too, by their names. A parameter that is an image, a sampler
or a block is the variable that the calls in the module pass. Execution modes are those of the first
entry point that calls the function.

Compilers pass copies: a parameter `in` that the function changes is like `inout` in the module. It
counts as `in` if no caller reads the copy after its call.

Columns of a matrix are rows in HLSL and Slang, whose compilers transpose the products instead.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.memory import Memory, Space
from ....ir.parameters import FunctionParameter, ValueLayout, laid_out
from ....ir.types import BOOL, I8
from ....ir.unique_names import UniqueNames
from ....vocab.slots import Direction, PointsSlot, Rate
from ..exported import parameter_names, source_name
from ..index import FunctionBody, ModuleIndex, SpirvEntryPoint
from ..tables.grammar import grammar
from ..tables.numbers import ExecutionMode, Opcode, StorageClass
from . import flow
from .accesses import AccessesOfFunctions, ParameterAccess
from .builtins import COMMON, built_in, compute_interface
from .pointers import TypedPointer
from .types import LeafType
from .variables import lane_variable

if TYPE_CHECKING:
    from ..facts.usage import Usage
    from .lowering import Lowering

__all__ = ["DirectCall", "entry_of_export", "export_interface", "use_passed_variables"]

NO_MODEL = -1
ROWS_FIRST = ("HLSL", "Slang")  # languages whose rows are columns of the module
COMPILERS = ("Google spiregg", "Khronos Slang Compiler")  # of these languages; dxc is spiregg
PORTS = (StorageClass.Input, StorageClass.Output)
MODES = frozenset({
    ExecutionMode.DenormPreserve, ExecutionMode.DenormFlushToZero, ExecutionMode.RoundingModeRTE,
    ExecutionMode.RoundingModeRTZ, ExecutionMode.SignedZeroInfNanPreserve,
})  # fmt: skip
OPAQUE = frozenset({
    StorageClass.UniformConstant, StorageClass.Uniform, StorageClass.StorageBuffer,
    StorageClass.PushConstant, StorageClass.Workgroup,
})  # fmt: skip


def entry_of_export(index: ModuleIndex, name: str, function: FunctionBody) -> SpirvEntryPoint:
    """Return a function as an entry point, with the modes of arithmetic of its callers."""
    callers = _callers(index, function.id)
    found = next((each.function for each in index.entry_points if each.function in callers), None)
    if found is not None:
        modes = [each for each in index.modes.get(found, []) if each.number in MODES]
        index.modes[function.id] = modes
    return SpirvEntryPoint(NO_MODEL, function.id, source_name(name), (), function.start)


def _calls(index: ModuleIndex) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield caller, callee and arguments of each call."""
    code = index.module.instructions
    for body in index.functions.values():
        for at in range(body.start, body.end):
            if code[at].opcode == Opcode.FunctionCall and not index.decoded[at].problem:
                yield body.id, code[at].words[3], code[at].words[4:]


def _callers(index: ModuleIndex, function: int) -> set[int]:
    """Return the functions that call a function, directly or not."""
    callers: dict[int, set[int]] = {}
    for caller, callee, _ in _calls(index):
        callers.setdefault(callee, set()).add(caller)
    found: set[int] = set()
    waiting = [function]
    while waiting:
        fresh = callers.get(waiting.pop(), set()) - found
        found |= fresh
        waiting += fresh
    return found


# ---------------------------------------------------------------- variables passed as arguments


def _comes_back(index: ModuleIndex, function: int, at: int) -> bool:
    """Return whether a caller may read a parameter after its call, or there is no call."""
    calls = [
        (caller, arguments[at])
        for caller, callee, arguments in _calls(index)
        if callee == function and at < len(arguments)
    ]
    return not calls or any(_is_read(index, *each) for each in calls)


def _is_read(index: ModuleIndex, function: int, variable: int) -> bool:
    """Return whether a function may read a variable, other than by calls."""
    body = index.functions[function]
    if not body.start <= index.definitions[variable].position < body.end:
        return True
    for at in range(body.start, body.end):
        words = index.module.instructions[at].words
        target = words[0] & 0xFFFF == Opcode.Store and words[2] != variable
        passed = words[0] & 0xFFFF in (Opcode.FunctionCall, Opcode.Variable)
        if target or passed or index.is_debug(words):
            continue
        used = index.decoded[at].operands
        if any(each.is_id and each.words[0] == variable for each in used):
            return True
    return index.opcode_of(variable) != Opcode.Variable


def use_passed_variables(index: ModuleIndex, function: FunctionBody, usage: "Usage") -> None:
    """Add the variables that opaque parameters stand for to the usage of the function."""
    for parameter in function.parameters:
        found = _passed(index, parameter)
        if len(found) == 1 and 0 not in found:
            usage.note(min(found), ())


def _passed(index: ModuleIndex, parameter: int) -> set[int]:
    """Return the global variables that calls pass for an opaque parameter; 0 for other values."""
    places = {
        each: (body.id, at)
        for body in index.functions.values()
        for at, each in enumerate(body.parameters)
    }
    if not _is_opaque(index, parameter):
        return set()
    found: set[int] = set()
    seen = {parameter}
    waiting = [parameter]
    while waiting:
        function, at = places[waiting.pop()]
        for _, callee, arguments in _calls(index):
            if callee != function or at >= len(arguments):
                continue
            number = _variable(index, arguments[at])
            if number not in places:
                found.add(number)
            elif number not in seen:
                seen.add(number)
                waiting.append(number)
    return found


def _is_opaque(index: ModuleIndex, parameter: int) -> bool:
    kind = index.type_of(parameter)
    if kind is None:
        return False
    if kind.opcode == Opcode.TypePointer:
        return kind.words[2] in OPAQUE
    return kind.opcode in (Opcode.TypeImage, Opcode.TypeSampler, Opcode.TypeSampledImage)


def _variable(index: ModuleIndex, number: int) -> int:
    """Return the variable that an argument is, or is loaded from; 0 for others."""
    found = index.definitions.get(number)
    if found is not None and found.opcode in (Opcode.Load, Opcode.CopyObject):
        return _variable(index, found.words[3]) if found.words[3] != number else 0
    if found is None or found.opcode not in (Opcode.Variable, Opcode.FunctionParameter):
        return 0
    return number


# ---------------------------------------------------------------- the call


def export_interface(lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
    """Return the pointer to an input or output that is not a parameter: a built-in of lanes."""
    return compute_interface(lowering, number, type)


class DirectCall:
    """The call of a function by each lane, with its parameters in memories."""

    def __init__(self, lowering: "Lowering", function: FunctionBody) -> None:
        self.lowering = lowering
        self.b = lowering.b
        self.function = function
        self.names = UniqueNames(())
        self.parameters: list[FunctionParameter] = []
        self.accesses = AccessesOfFunctions(lowering.index).of(function.id)
        self.written: list[tuple[TypedPointer, Memory, ValueLayout]] = []
        self.rows_first = _rows_first(lowering.index)

    def run(self) -> None:
        """Append loads of the parameters, the body of the function, and stores of its results."""
        lowering, function = self.lowering, self.function
        names = parameter_names(lowering.index, function)
        arguments = []
        for number, (id, name) in enumerate(zip(function.parameters, names, strict=True)):
            arguments.append(self._argument(number, id, name or f"p{number}"))
        for number in sorted(lowering.used):
            self._global(number)
        definition = lowering.index.definitions[function.id]
        result = lowering.types.of(definition.words[1])
        found = flow.call(lowering, function, arguments, result)
        for place, memory, layout in self.written:
            self._stores(memory, layout, place.load(self.b))
        if found is not None:
            made, memory = self._parameter("result", result, False, True)
            self._stores(memory, made.layout, lowering.flattened(found))

    def _argument(self, number: int, id: int, name: str) -> object:
        """Return the value of a parameter."""
        lowering = self.lowering
        type = lowering.types.of_value(id)
        if _is_opaque(lowering.index, id):
            return self._passed(id, name, type)
        if not type.is_pointer:
            made, memory = self._parameter(name, type, True, False)
            return self._loads(memory, made.layout)
        inner = lowering.types.of(type.words[3])
        access = self.accesses.get(id, ParameterAccess(True, False))
        if access.read and not _comes_back(lowering.index, self.function.id, number):
            access = ParameterAccess(True, False)
        return self._variable(id, name, inner, access)

    def _passed(self, id: int, name: str, type: LeafType) -> object:
        lowering = self.lowering
        found = _passed(lowering.index, id)
        if len(found) != 1 or 0 in found:
            listed = ", ".join(lowering.name(each) for each in sorted(found) if each) or "none"
            raise UnsupportedError(
                f"parameter {name}: expected one variable that all calls pass, got {listed}"
            )
        pointer = lowering.pointer(*found)
        return pointer if type.is_pointer else pointer.root.opaque()  # type: ignore[attr-defined]

    def _global(self, number: int) -> None:
        """Make a parameter of an input, an output, or a variable that is read before it is set."""
        lowering = self.lowering
        words = lowering.index.definitions[number].words
        own = words[3] == StorageClass.Private and len(words) == 4
        port = words[3] in PORTS and built_in(lowering, number) not in COMMON
        access = self.accesses.get(number)
        if not (own or port) or access is None or not (port or access.read):
            return
        if words[3] != StorageClass.Output:
            access = ParameterAccess(True, False)
        name = lowering.listing.source_name(number) or lowering.name(number)
        type = lowering.types.of(lowering.types.of(words[1]).words[3])
        lowering.values[number] = self._variable(number, name, type, access)

    def _variable(
        self, id: int, name: str, type: LeafType, access: ParameterAccess
    ) -> TypedPointer:
        """Return the pointer to a variable that is loaded before the call, stored after it."""
        lowering = self.lowering
        made, memory = self._parameter(
            name, type, access.read or not access.written, access.written
        )
        place = TypedPointer(lane_variable(lowering, id, type), type)
        if made.read:
            place.store(self.b, self._loads(memory, made.layout))
        if made.written:
            self.written.append((place, memory, made.layout))
        return place

    def _parameter(
        self, name: str, type: LeafType, read: bool, write: bool
    ) -> tuple[FunctionParameter, Memory]:
        layout = self._layout(type)
        direction = Direction.OUTPUT if write else Direction.INPUT
        slot = PointsSlot(direction, Rate.THREAD, len(self.parameters))
        made = FunctionParameter(self.names.unique(name), layout, slot, read, write)
        self.parameters.append(made)
        label = self.lowering.calls.memories.unique(made.name)
        memory = self.b.memory(label, Space.BUFFER, layout.size, writable=write, slot=slot)
        return made, memory

    # ------------------------------------------------------------ values

    def _loads(self, memory: Memory, layout: ValueLayout) -> tuple[Value, ...]:
        """Append loads of the scalars of the lane's element."""
        b, found = self.b, []
        element = b.source("item")
        for at, type in layout.scalars():
            value = b.load(memory, element, at, I8 if type == BOOL else type)
            found.append(b.ine(value, 0) if type == BOOL else value)
        return tuple(found)

    def _stores(self, memory: Memory, layout: ValueLayout, values: tuple[Value, ...]) -> None:
        b = self.b
        element = b.source("item")
        for (at, type), value in zip(layout.scalars(), values, strict=True):
            byte = b.select(value, constant(1, I8), constant(0, I8)) if type == BOOL else value
            b.store(memory, element, at, byte)

    def _layout(self, type: LeafType) -> ValueLayout:
        """Return the layout of a value: its leaves, one after the other."""
        shape: list[int] = []
        inner, transposed = type, False
        while inner.element is not None:
            if inner.opcode == Opcode.TypeMatrix and not self.rows_first:
                transposed = True
            shape.append(inner.count)
            inner = inner.element
        if transposed:
            shape[-2:] = reversed(shape[-2:])
        if inner.scalar is not None:
            unsigned = inner.scalar.kind == "i" and not inner.signed
            return laid_out((*shape,), inner.scalar, [], unsigned=unsigned, transposed=transposed)
        if not type.leaves or inner.is_pointer or not inner.is_struct:
            index = self.lowering.index
            instruction = index.module.instructions[index.definitions[inner.id].position]
            name = self.lowering.listing.operation(instruction)
            raise UnsupportedError(f"a parameter of {name} cannot be run")
        names = self.lowering.index.member_names.get(inner.id, {})
        unique = UniqueNames(())
        members = [
            (unique.unique(names.get(at) or f"m{at}"), self._layout(each))
            for at, each in enumerate(inner.members)
        ]
        return laid_out((*shape,), None, members)


def _rows_first(index: ModuleIndex) -> bool:
    """Return True if the columns of matrices are the rows of the source language."""
    languages = {
        known.name
        for each in index.module.instructions
        if each.opcode == Opcode.Source and len(each.words) > 1
        and (known := grammar().kinds["SourceLanguage"].by_value.get(each.words[1])) is not None
    }  # fmt: skip
    generator = grammar().generators.get(index.module.generator >> 16, "")
    return any(each in languages for each in ROWS_FIRST) or (
        not languages and generator in COMPILERS
    )
