"""Inputs and outputs of an entry point."""

from collections.abc import Iterable

from ....model.facts import ProgramFacts, ProgramPort
from ....model.reflection import COMPONENTS as LETTERS
from ....vocab.d3d import DOMAINS
from ....vocab.dxil import DxilSemantic
from ....vocab.numbers import components, word
from ....vocab.slots import Direction, Place, PortSlot, Rate, port_slot
from ....vocab.words import Domain, Stage, SystemValue
from ..model.constants import integer_of
from ..model.instructions import CallInst, Instruction
from ..operation_calls import arguments_of, operation_of
from ..shaderinfo import DxilEntryPoint, DxilSignatureElement
from .words import BUILTINS, COMPONENTS, INTERPOLATIONS, SEMANTICS

__all__ = ["builtins", "ports", "slot_of", "system_value"]

# Tessellation factors by the shape of the patch: of edges, by row, and of the inside.
# The first row of an isoline is the number of lines, the second the number of their segments.
EDGES: dict[Domain, tuple[SystemValue, ...]] = {
    Domain.QUAD: (SystemValue.FINAL_QUAD_EDGE_TESSFACTOR,) * 4,
    Domain.TRI: (SystemValue.FINAL_TRI_EDGE_TESSFACTOR,) * 3,
    Domain.ISOLINE: (
        SystemValue.FINAL_LINE_DENSITY_TESSFACTOR,
        SystemValue.FINAL_LINE_DETAIL_TESSFACTOR,
    ),
}
INSIDE: dict[Domain, tuple[SystemValue, ...]] = {
    Domain.QUAD: (SystemValue.FINAL_QUAD_INSIDE_TESSFACTOR,) * 2,
    Domain.TRI: (SystemValue.FINAL_TRI_INSIDE_TESSFACTOR,),
}
MOST_ROWS = 4096


def ports(facts: ProgramFacts, entry: DxilEntryPoint, path: str) -> None:
    """Set inputs, outputs and patch constants, one port for each row of an element.

    `path` is the path of the entry point.
    """
    inputs, outputs, patch = entry.signatures
    facts.inputs = list(_ports(facts, entry, inputs, f"{path}.inputs", Direction.INPUT))
    facts.outputs = list(_ports(facts, entry, outputs, f"{path}.outputs", Direction.OUTPUT))
    is_input = facts.stage == Stage.DOMAIN
    rate = Rate.PRIMITIVE if facts.stage == Stage.MESH else Rate.PATCH
    direction = Direction.INPUT if is_input else Direction.OUTPUT
    constants = _ports(facts, entry, patch, f"{path}.patch", direction, rate)
    facts.patch_constants = list(constants)


def _ports(
    facts: ProgramFacts,
    entry: DxilEntryPoint,
    elements: Iterable[DxilSignatureElement],
    path: str,
    direction: Direction,
    rate: Rate | None = None,
) -> Iterable[ProgramPort]:
    letter = "v" if direction is Direction.INPUT else "o"
    for number, each in enumerate(elements):
        has_register = each.start_row >= 0
        first = each.start_column if has_register else 0
        columns = range(first, first + min(each.columns, 4))
        letters = "".join(LETTERS[at] for at in columns if 0 <= at < 4)
        used = None
        if each.usage_mask is not None:
            used = "".join(
                LETTERS[at] for at in columns if 0 <= at < 4 and each.usage_mask >> (at - first) & 1
            )
        for row in range(min(each.rows, MOST_ROWS)):
            value = system_value(entry, each, row)
            place: Place = each.start_row + row if has_register else value or each.name
            slot = slot_of(each, facts.stage, direction, place, row, rate=rate)
            yield ProgramPort(
                label=f"{letter}{place}" if has_register else each.name,
                slot=slot,
                components=letters,
                system_value=value,
                interpolation=INTERPOLATIONS.get(each.interpolation)
                if facts.stage == Stage.PIXEL and direction is Direction.INPUT
                else None,
                component_type=word(COMPONENTS, each.component_type),
                used=used,
                name=each.name,
                index=_index(each, row),
                path=f"{path}[{number}]",
            )


def slot_of(
    each: DxilSignatureElement,
    stage: Stage | str | None,
    direction: Direction,
    place: Place,
    row: int,
    *,
    component: int = 0,
    rate: Rate | None = None,
) -> PortSlot:
    """Return the slot of a row of a signature element: a register, else its system value.

    System values without a register, such as two SV_Barycentrics, differ in their semantic index.
    """
    found = port_slot(stage, direction, place, component, rate=rate, stream=each.stream)
    return found if isinstance(place, int) else found._replace(element=_index(each, row))


def _index(each: DxilSignatureElement, row: int) -> int:
    return each.indices[row] if row < len(each.indices) else row


def system_value(
    entry: DxilEntryPoint, each: DxilSignatureElement, row: int = 0
) -> SystemValue | None:
    """Return the system value of a row of an element."""
    if each.semantic in (DxilSemantic.TESS_FACTOR, DxilSemantic.INSIDE_TESS_FACTOR):
        state = entry.properties.hull or entry.properties.domain
        domain = word(DOMAINS, state.domain) if state is not None else None
        factors = EDGES if each.semantic == DxilSemantic.TESS_FACTOR else INSIDE
        found = factors.get(domain, ()) if isinstance(domain, Domain) else ()
        return found[row] if row < len(found) else None
    return SEMANTICS.get(each.semantic)


def builtins(facts: ProgramFacts, instructions: Iterable[Instruction]) -> None:
    """Set the built-in inputs that operations return."""
    masks: dict[str, int] = {}
    for each in instructions:
        operation = operation_of(each)
        if operation is None or operation.name not in BUILTINS:
            continue
        assert isinstance(each, CallInst)
        arguments = arguments_of(each, operation)
        at = integer_of(arguments.get("component"))
        masks[operation.name] = masks.get(operation.name, 0) | 1 << ((at or 0) & 3)
    for name, mask in masks.items():
        value = BUILTINS[name]
        facts.builtins.append(
            ProgramPort(
                label=name,
                slot=port_slot(facts.stage, Direction.INPUT, value),
                components=components(mask),
                system_value=value,
                used=components(mask),
            )
        )
