"""Where inputs and outputs stand: the slots of a program's registers; labels of interfaces.

    v1.xy            location 1, components 0 and 1
    vicp[3][1].x     location 1 of a control point
    o3.y             location 3; of the patch in a fork or join phase of a hull shader
    oDepth           the built-in depth
    vThreadID.x      the built-in thread_id

A register that has no number is a built-in. Facts and lowered code both take their slots from here.
"""

from collections.abc import Iterable

from ...vocab.slots import Direction, Place, PortSlot, Rate, port_slot
from ...vocab.words import Stage
from .operands import Operand
from .tables.enumerations import OperandType
from .tables.spellings import REGISTERS, word
from .tables.vocabulary import BUILTINS, OUTPUT_VALUES

# How often those have values that are not of the stage's own rate.
RATES: dict[int, Rate] = {
    OperandType.INPUT_PATCH_CONSTANT: Rate.PATCH,
    OperandType.INPUT_CONTROL_POINT: Rate.CONTROL_POINT,
    OperandType.OUTPUT_CONTROL_POINT: Rate.CONTROL_POINT,
}
OUTPUTS = frozenset({OperandType.OUTPUT, OperandType.OUTPUT_CONTROL_POINT, *OUTPUT_VALUES})
MOST_INTERFACES = 253  # slots of a shader
NUMBERED = frozenset({OperandType.INPUT, OperandType.OUTPUT, *RATES})


def interface_labels(start: int, span: int) -> list[str]:
    """Return what listings call the interface slots from one on, as many as Direct3D has."""
    return [f"fp{slot}" for slot in range(start, start + min(span, MOST_INTERFACES))]


def table_labels(tables: Iterable[int]) -> list[str]:
    """Return what listings call function tables."""
    return [f"ft{table}" for table in tables]


def register_of(operand: Operand) -> int:
    """Return the number of a register: the last index, before it stands the vertex."""
    return operand.indices[-1].immediate if operand.indices else 0


def label_of(operand: Operand) -> str:
    """Return the register as listings have it, without vertex and components: `v1`, `oDepth`."""
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
    """Return the slot of a component of a register of this kind.

    `of_patch` says that it is in a phase of a hull shader whose outputs are the patch's.
    """
    given = kind in OUTPUTS
    if kind == OperandType.INPUT_PATCH_CONSTANT:  # a hull shader reads what it gave
        given = stage == Stage.HULL
    place: Place = number
    if kind not in NUMBERED:
        places = OUTPUT_VALUES if given else BUILTINS
        place = places.get(kind, number)
    rate = Rate.PATCH if of_patch and kind == OperandType.OUTPUT else RATES.get(kind)
    direction = Direction.OUTPUT if given else Direction.INPUT
    return port_slot(stage, direction, place, component, rate=rate, stream=stream)
