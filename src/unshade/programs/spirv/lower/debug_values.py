"""Variables of the source, from debug information.

    DebugDeclare %light %pointer …          the variables of the kernel there are light.dir.x, …
    DebugValue %light %value … %int_1 %int_0     a set of light.colour[0].x, .y, .z, .w
    DebugValue %i %pointer %deref           as DebugDeclare

DebugValue sets variables that nothing else uses (ir/source_variables.py); an undefined value sets
nothing.

Source: the specification of NonSemantic.Shader.DebugInfo.100.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.locations import SymbolName, local_name
from ....ir.memory import Memory
from ..debug_info import DeclaredVariable
from ..module import Instruction
from ..tables.numbers import Opcode
from .pointers import TypedPointer
from .roots import LaneVariables, LeafMemory
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["debug_instruction", "source_names"]

CONSTANTS = frozenset({
    Opcode.Constant, Opcode.ConstantTrue, Opcode.ConstantFalse, Opcode.ConstantComposite,
    Opcode.ConstantNull, Opcode.SpecConstant, Opcode.SpecConstantTrue, Opcode.SpecConstantFalse,
    Opcode.SpecConstantComposite,
})  # fmt: skip


def debug_instruction(lowering: "Lowering", instruction: Instruction) -> None:
    """Lower a debug instruction; an instruction that defines no value has no effect."""
    info, words = lowering.listing.debug, instruction.words
    kind = info.name_of(lowering.position)
    if kind not in ("DebugDeclare", "DebugValue") or len(words) < 8:
        return
    variable = info.variable(words[5])
    pointer = True if kind == "DebugDeclare" else info.is_pointer(words[7])
    if variable is None or pointer is None or _is_repeated(lowering, words):
        return
    found = _operand(lowering, words[6])
    indexes = [lowering.integer(each) for each in words[8:]]
    path = [each for each in indexes if each is not None and each >= 0]
    if found is None or len(path) != len(indexes):
        return
    if isinstance(found, TypedPointer):
        if pointer:
            _declare(lowering, variable, found, path)
    elif isinstance(found, tuple) and not (pointer and kind == "DebugValue"):
        if kind == "DebugValue" and variable.id in lowering.declared_variables:
            return  # its memory is known: a store shows the value
        _set(lowering, variable, found, lowering.types.of_value(words[6]), path)


def _is_repeated(lowering: "Lowering", words: tuple[int, ...]) -> bool:
    """Return True if the instruction before, lines aside, is the same except for its result."""
    info, code = lowering.listing.debug, lowering.index.module.instructions
    position = lowering.position - 1
    while info.name_of(position) in ("DebugLine", "DebugNoLine"):
        position -= 1
    before = code[position].words
    return before[:2] == words[:2] and before[3:] == words[3:]


def _operand(lowering: "Lowering", number: int) -> Any:
    """Return the lowered value of an id; None if it is undefined or not known here."""
    opcode = lowering.index.opcode_of(number)
    if opcode == Opcode.Undef:
        return None
    known = number in lowering.functions[-1].values or number in lowering.values
    if not known and opcode not in CONSTANTS:
        return None
    try:
        return lowering.operand(number)
    except UnsupportedError:
        return None


def source_names(
    lowering: "Lowering", variable: DeclaredVariable, type: LeafType, path: Sequence[int] = ()
) -> list[SymbolName]:
    """Return the names of the scalars of a variable, or of its part at indexes.

    `type` is the type in the module, whose members name the scalars if debug information does not.
    """
    listing = lowering.listing
    whole = listing.debug_types.type(variable.type)
    steps, part = whole.at(path)
    leaves = list(part.leaves())
    if len(leaves) != type.size:
        leaves = [(each, "") for each in listing.steps(type)]
    function = listing.debug.function_name(variable.scope)
    return [
        local_name(function, variable.name, *steps, *each, kind=kind, type=whole.word)
        for each, kind in leaves
    ]


def _declare(
    lowering: "Lowering", variable: DeclaredVariable, pointer: TypedPointer, path: Sequence[int]
) -> None:
    """Name the variables of the kernel, or the elements of a memory, that a pointer refers to."""
    root, offset, type = pointer.root, pointer.offset, pointer.type
    if offset.terms or not type.size:
        return
    lowering.declared_variables.add(variable.id)
    names = source_names(lowering, variable, type, path)
    if isinstance(root, LaneVariables):
        for var, name in zip(root.variables[offset.constant :], names, strict=False):
            var.gives = name
    elif isinstance(root, LeafMemory):
        name_elements(root.memory, offset.constant, names)


def name_elements(memory: Memory, first: int, names: Sequence[SymbolName]) -> None:
    """Name the elements of a memory from one on."""
    if memory.count is None or first + len(names) > memory.count:
        return
    known = list(memory.gives) or [SymbolName()] * memory.count
    known[first : first + len(names)] = names
    memory.gives = tuple(known)


def _set(
    lowering: "Lowering",
    variable: DeclaredVariable,
    values: Sequence[Value],
    type: LeafType,
    path: Sequence[int],
) -> None:
    """Append sets of the scalars of a variable, or of its part at indexes."""
    if type.is_pointer or not all(isinstance(each, Value) for each in values):
        return
    names = source_names(lowering, variable, type, path)
    for name, value in zip(names, values, strict=False):
        lowering.source_variables.set(variable.id, variable.line, name, value)
