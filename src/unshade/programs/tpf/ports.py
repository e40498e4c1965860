"""Slots and labels of input and output registers; labels of interfaces.

    v1.xy            location 1, components 0 and 1
    vicp[3][1].x     location 1 of a control point
    o3.y             location 3; of the patch in fork and join phases of a hull shader
    oDepth           the built-in depth
    vThreadID.x      the built-in thread_id

A register without a number is a built-in. Facts and lowered code both use these slots.
"""

from collections.abc import Iterable

from ...vocab.slots import Direction, Place, PortSlot, Rate, port_slot
from ...vocab.words import Stage
from .operands import Operand
from .tables.enumerations import OperandType
from .tables.spellings import REGISTERS, word
from .tables.vocabulary import BUILTINS, OUTPUT_VALUES

# Rates of registers whose rate differs from the stage's.
RATES: dict[int, Rate] = {
    OperandType.INPUT_PATCH_CONSTANT: Rate.PATCH,
    OperandType.INPUT_CONTROL_POINT: Rate.CONTROL_POINT,
    OperandType.OUTPUT_CONTROL_POINT: Rate.CONTROL_POINT,
}
OUTPUTS = frozenset({OperandType.OUTPUT, OperandType.OUTPUT_CONTROL_POINT, *OUTPUT_VALUES})
MOST_INTERFACES = 253  # slots of a shader
NUMBERED = frozenset({OperandType.INPUT, OperandType.OUTPUT, *RATES})


def interface_labels(start: int, span: int) -> list[str]:
    """Return the names of interface slots in listings, no more than Direct3D allows."""
    return [f"fp{slot}" for slot in range(start, start + min(span, MOST_INTERFACES))]


def table_labels(tables: Iterable[int]) -> list[str]:
    """Return the names of function tables in listings."""
    return [f"ft{table}" for table in tables]


def register_of(operand: Operand) -> int:
    """Return the number of a register: the last index, which may follow a vertex index."""
    return operand.indices[-1].immediate if operand.indices else 0


def label_of(operand: Operand) -> str:
    """Return the name of a register in listings, without vertex and components: `v1`, `oDepth`."""
    label = word(REGISTERS, operand.type)
    return f"{label}{register_of(operand)}" if operand.indices else label


def slot_of(
    stage: Stage | str | None,
    kind: int,
    number: int,
    component: int = 0,
    *,
    stream: int = 0,
    of_patch: bool = False,
) -> PortSlot:
    """Return the slot of a component of a register.

    Args:
        stage: The stage of the program.
        kind: The OperandType of the register.
        number: The number of the register; unused if there is none.
        component: 0 for x to 3 for w.
        stream: The stream of a geometry shader's output.
        of_patch: True in phases of a hull shader that write patch constants.
    """
    is_output = kind in OUTPUTS
    if kind == OperandType.INPUT_PATCH_CONSTANT:  # a hull shader reads its own outputs
        is_output = stage == Stage.HULL
    place: Place = number
    if kind not in NUMBERED:
        places = OUTPUT_VALUES if is_output else BUILTINS
        place = places.get(kind, number)
    rate = Rate.PATCH if of_patch and kind == OperandType.OUTPUT else RATES.get(kind)
    direction = Direction.OUTPUT if is_output else Direction.INPUT
    return port_slot(stage, direction, place, component, rate=rate, stream=stream)
