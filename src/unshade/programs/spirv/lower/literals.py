"""Constants, including specialisation constants, and undefined values, which are 0.

%n = OpSpecConstant %uint 4                        4, or the specialised value
%m = OpSpecConstantOp %uint IMul %n %uint_2        8; floats are computed like other code
"""

from typing import TYPE_CHECKING, Any

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.fold import from_float
from ....ir.kernel import Value
from ....ir.types import BOOL, Type
from ..constants import Value as Known
from ..module import Instruction
from ..tables.numbers import Opcode
from .operations import Components, Handlers
from .pointers import NOWHERE

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS"]


def _zero(lowering: "Lowering", instruction: Instruction) -> Any:
    type = lowering.types.of(instruction.words[1])
    if type.is_pointer:
        return constant(NOWHERE, type.leaves[0]), constant(0, type.leaves[1])
    return tuple(constant(0, leaf) for leaf in type.leaves)


def _bool(lowering: "Lowering", instruction: Instruction) -> Components:
    chosen = lowering.specialised(instruction, BOOL)
    if chosen is not None:
        return (chosen,)
    value = lowering.constants.value(instruction.words[2])
    return (constant(int(bool(value)), BOOL),)


def _constant(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    scalar = lowering.types.of(words[1]).scalar
    assert scalar is not None
    kept = lowering.specialised(instruction, scalar)
    if kept is not None:
        return (kept,)
    place = lowering.index.specialisation(words[2])
    if instruction.opcode == Opcode.SpecConstant and place in lowering.constants.chosen:
        return (_scalar(lowering.constants.value(words[2]), scalar),)
    bits = sum(word << 32 * at for at, word in enumerate(words[3:]))
    return (constant(bits, scalar),)


def _scalar(value: Known, type: Type) -> Value:
    """Return a number as a constant."""
    if not isinstance(value, int | float):
        raise UnsupportedError("a specialisation constant is not a number")
    if type.kind == "f":
        return constant(from_float(float(value), type), type)
    return constant(int(value), type)


def _composite(lowering: "Lowering", instruction: Instruction) -> Components:
    size = len(lowering.types.of(instruction.words[1]).leaves)
    found: list[Value] = []
    for each in instruction.words[3:]:
        found += lowering.value(each)
        if len(found) > size:
            break
    if len(found) != size:
        raise UnsupportedError(f"%{instruction.words[2]}: expected {size} components")
    return tuple(found)


def _operation(lowering: "Lowering", instruction: Instruction) -> Any:
    """Lower OpSpecConstantOp: to a constant if it is computed, else like the operation."""
    words = instruction.words
    type = lowering.types.of(words[1])
    nested = Instruction.of(words[3], (words[1], words[2], *words[4:]))
    handler = lowering.handlers.get(words[3])
    if handler is not None and lowering.depends_on_input(words[2]):
        return handler(lowering, nested)
    known = lowering.constants.value(words[2])
    flat = known if isinstance(known, list) else [known]
    if len(flat) == type.size and all(isinstance(each, int | float) for each in flat):
        return tuple(_scalar(each, leaf) for each, leaf in zip(flat, type.leaves, strict=True))
    if handler is None:
        raise lowering.refusal(nested)
    return handler(lowering, nested)


HANDLERS: Handlers = {
    Opcode.Undef: _zero,
    Opcode.ConstantNull: _zero,
    Opcode.ConstantTrue: _bool,
    Opcode.ConstantFalse: _bool,
    Opcode.SpecConstantTrue: _bool,
    Opcode.SpecConstantFalse: _bool,
    Opcode.Constant: _constant,
    Opcode.SpecConstant: _constant,
    Opcode.ConstantComposite: _composite,
    Opcode.SpecConstantComposite: _composite,
    Opcode.SpecConstantOp: _operation,
}
