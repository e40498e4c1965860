"""Handlers: the table from opcodes to functions that lower an instruction.

A module of this folder defines a table `HANDLERS`; the package's `__init__` joins the tables. A
handler receives the lowering and the instruction, whose words are as in the specification (words[1]
is the type of the result, words[2] the result), and returns the result: a tuple of scalars, one for
each leaf of the type, a `TypedPointer`, or a special object for opaque types.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from ....ir.kernel import Value
from ..module import Instruction
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["Components", "Handler", "Handlers", "each_component"]

Components: TypeAlias = tuple[Value, ...]
Handler: TypeAlias = "Callable[[Lowering, Instruction], Any]"
Handlers: TypeAlias = Mapping[int, Handler]
Formula: TypeAlias = Callable[..., Value]


def each_component(make: Formula) -> Handler:
    """Return the handler of a componentwise operation.

    `make` gets the builder, the type of the result, and a scalar of each operand.
    """

    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        type = lowering.types.of(words[1])
        operands = [lowering.value(each) for each in words[3:]]
        return componentwise(lowering, make, type, operands)

    return lower


def componentwise(
    lowering: "Lowering", make: Formula, type: LeafType, operands: list[Components]
) -> Components:
    """Apply a formula to the components of operands; a scalar operand is repeated."""
    count = max((len(each) for each in operands), default=1)
    rows = [each if len(each) == count else each * count for each in operands]
    return tuple(make(lowering.b, type, *row) for row in zip(*rows, strict=True))
