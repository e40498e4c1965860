"""Variables of the source, from debug information.

    DebugDeclare %light %pointer …          the variables of the kernel there are light.dir.x, …
    DebugValue %light %value … %int_1 %int_0     a set of light.colour[0].x, .y, .z, .w
    DebugValue %i %pointer %deref           as DebugDeclare
    DebugValue %light %value %fragment      a set of the scalars from a bit of light on
    DebugValue %i %value %plus_4            a set of i to value + 4

An expression with other steps is not followed. DebugValue sets variables that nothing else uses
(ir/source_variables.py); an undefined value sets nothing.

Source: the specification of NonSemantic.Shader.DebugInfo.100.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.locations import SymbolName, local_name
from ....ir.memory import Memory
from ....tuples import NamedTuple
from ..debug_info import DebugStep, DeclaredVariable
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

# DebugOperation
DEREF, PLUS, MINUS, PLUS_CONSTANT, BIT_PIECE, SWAP, STACK_VALUE, CONSTANT, FRAGMENT = (
    0, 1, 2, 3, 4, 5, 7, 8, 9,
)  # fmt: skip
PIECES = (BIT_PIECE, FRAGMENT)  # first bit and size of the part of the variable
COUNTS = {PLUS: 0, MINUS: 0, PLUS_CONSTANT: 1, SWAP: 0, CONSTANT: 1}  # operands of arithmetic


class ValueWay(NamedTuple):
    """The way from a value to a variable: through a pointer, a bit, steps of arithmetic.

    `bit` is None without a piece.
    """

    pointer: bool
    bit: int | None
    steps: Sequence[DebugStep]


class DeclaredPart(NamedTuple):
    """A part of a variable of the source: at indexes, then from a bit on, None for all of it."""

    variable: DeclaredVariable
    path: Sequence[int] = ()
    bit: int | None = None


def debug_instruction(lowering: "Lowering", instruction: Instruction) -> None:
    """Lower a debug instruction; an instruction that defines no value has no effect."""
    info, words = lowering.listing.debug, instruction.words
    kind = info.name_of(lowering.position)
    if kind not in ("DebugDeclare", "DebugValue") or len(words) < 8:
        return
    variable, way = info.variable(words[5]), _way(info.steps(words[7]))
    if variable is None or way is None or _is_repeated(lowering, words):
        return
    pointer = way.pointer or kind == "DebugDeclare"
    found = _operand(lowering, words[6])
    indexes = [lowering.integer(each) for each in words[8:]]
    path = [each for each in indexes if each is not None and each >= 0]
    if found is None or len(path) != len(indexes):
        return
    part = DeclaredPart(variable, path, way.bit)
    if isinstance(found, TypedPointer):
        if pointer and not way.steps:
            _declare(lowering, part, found)
    elif isinstance(found, tuple) and not (pointer and kind == "DebugValue"):
        if kind == "DebugValue" and variable.id in lowering.declared_variables:
            return  # its memory is known: a store shows the value
        values = _computed(lowering.b, found, way.steps)
        _set(lowering, part, values, lowering.types.of_value(words[6]))


def _way(steps: Sequence[DebugStep]) -> ValueWay | None:
    """Return how a value gives a variable, by the steps of an expression; None if it is unknown."""
    pointer, bit = False, None
    inner = list(steps)
    if inner and inner[0].operation == DEREF:
        pointer = True
        del inner[0]
    if inner and inner[-1].operation in PIECES and len(inner[-1].operands) == 2:
        bit = inner.pop().operands[0]
    computed = [each for each in inner if each.operation != STACK_VALUE]
    for operation, operands in computed:
        if COUNTS.get(operation) != len(operands):
            return None
    return ValueWay(pointer, bit, computed)


def _computed(b: Builder, values: Sequence[Any], steps: Sequence[DebugStep]) -> Sequence[Any]:
    """Return a value after steps of arithmetic; none if it is not an integer."""
    if not steps:
        return values
    if len(values) != 1 or not isinstance(values[0], Value) or values[0].type.kind != "i":
        return ()
    stack: list[Value] = [values[0]]
    for operation, operands in steps:
        if operation == CONSTANT:
            stack.append(constant(operands[0], values[0].type))
        elif operation == PLUS_CONSTANT:
            stack.append(b.iadd(stack.pop(), operands[0]))
        elif len(stack) < 2:
            return ()
        else:
            last, before = stack.pop(), stack.pop()
            if operation == SWAP:
                stack += [last, before]
            else:
                stack.append(b.iadd(before, last) if operation == PLUS else b.isub(before, last))
    return stack[-1:]


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


def source_names(lowering: "Lowering", part: DeclaredPart, type: LeafType) -> list[SymbolName]:
    """Return the names of the scalars of a part of a variable.

    `type` is the type in the module, whose members name the scalars if debug information does not.
    """
    listing, variable = lowering.listing, part.variable
    whole = listing.debug_types.type(variable.type)
    steps, inner = whole.at(part.path)
    leaves = list(inner.leaves())
    if part.bit is not None:
        bits = list(inner.scalar_bits())
        first = bits.index(part.bit) if part.bit in bits else len(leaves)
        leaves = leaves[first : first + type.size]
        if len(leaves) != type.size:
            return []  # a piece of a scalar
    elif len(leaves) != type.size:
        leaves = [(each, "") for each in listing.steps(type)]
    function = listing.debug.function_name(variable.scope)
    return [
        local_name(function, variable.name, *steps, *each, kind=kind, type=whole.word)
        for each, kind in leaves
    ]


def _declare(lowering: "Lowering", part: DeclaredPart, pointer: TypedPointer) -> None:
    """Name the variables of the kernel, or the elements of a memory, that a pointer refers to."""
    root, offset, type = pointer.root, pointer.offset, pointer.type
    if offset.terms or not type.size:
        return
    lowering.declared_variables.add(part.variable.id)
    names = source_names(lowering, part, type)
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


def _set(lowering: "Lowering", part: DeclaredPart, values: Sequence[Value], type: LeafType) -> None:
    """Append sets of the scalars of a part of a variable."""
    if type.is_pointer or not all(isinstance(each, Value) for each in values):
        return
    variable = part.variable
    for name, value in zip(source_names(lowering, part, type), values, strict=False):
        lowering.source_variables.set(variable.id, variable.line, name, value)
