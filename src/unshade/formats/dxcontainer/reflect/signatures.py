"""Signatures: the rows of ISGN, OSGN and their variants, joined with the program's declarations.

    ISGN   SV_Position  0  v0  xyzw  position    dcl_input_ps_siv linear noperspective v0.xy

A row contains the components that exist and the components that are used: inputs that are read, and
outputs that are not marked as never written. Only the program contains the interpolation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....model import SignatureParameter, Stage, SystemValue
from ....model.facts import ProgramPort
from ....model.templates import FactsTemplate
from ....tuples import NamedTuple
from ....vocab import d3d
from ....vocab.numbers import components, word
from ....vocab.slots import Direction, PortSlot, Rate
from ..parts.signature import ProgramSignature, SignatureElement

if TYPE_CHECKING:
    from ..readings import PartReading

NOWHERE = 0xFFFF_FFFF  # outside the register file
MOST = 16  # ways in which a row was completed that are kept

PIXEL, OUTPUT = Stage.PIXEL, Direction.OUTPUT

Template = FactsTemplate[SignatureParameter]


class RowTemplate(NamedTuple):
    """A row of a signature, and the result of joining it with the program's declarations."""

    template: Template
    slot: PortSlot | None
    places: str  # components of the slot
    completed: dict[tuple[object, ...], Template]  # by what was added


def parameters(
    reading: PartReading,
    direction: Direction,
    rate: Rate | None,
    stage: Stage | str | None,
    declared: Sequence[ProgramPort],
) -> list[Template]:
    """Return the rows of a signature, completed by the declarations of their registers."""
    rows = reading.result(_rows, direction, rate, stage)
    if stage == PIXEL:
        joining = declared if direction is not OUTPUT else ()
    else:
        joining = [each for each in declared if each.system_value is not None]
    if not joining:
        return [row.template for row in rows]
    ports: dict[object, list[ProgramPort]] = {}
    for each in declared:
        ports.setdefault(each.slot, []).append(each)
    return [
        _completed(row, ports[row.slot], stage) if row.slot in ports else row.template
        for row in rows
    ]


def _rows(
    value: ProgramSignature, direction: Direction, rate: Rate | None, stage: Stage | str | None
) -> list[RowTemplate]:
    """Return the rows of a signature, with their slots."""
    rows = (_parameter(each, direction, stage) for each in value.elements)
    return [
        RowTemplate(FactsTemplate(row), row.slot(stage, direction, rate), row.places, {})
        for row in rows
    ]


def _completed(
    row: RowTemplate, ports: Sequence[ProgramPort], stage: Stage | str | None
) -> Template:
    """Add the interpolation and the system value of the first port with its first component."""
    shared = [each for letter in row.places for each in ports if letter in each.components]
    if not shared:
        return row.template
    changes: dict[str, Any] = {}
    if stage == PIXEL:
        changes["interpolation"] = shared[0].interpolation
    if not row.template.values["system_value"]:
        changes["system_value"] = shared[0].system_value
    key = tuple(changes.values())
    found = row.completed.get(key)
    if found is None:
        found = row.template.changed(**changes)
        if len(row.completed) < MOST:
            row.completed[key] = found
    return found


def of_ports(ports: Sequence[ProgramPort]) -> list[SignatureParameter]:
    """Return the rows of a signature from declarations of the program, if no part has them."""
    return [
        SignatureParameter(
            semantic=each.name,
            index=each.index,
            register=each.slot.place if isinstance(each.slot.place, int) else None,
            components=each.components,
            used=each.components if each.used is None else each.used,
            component_type=each.component_type or "unknown",
            system_value=each.system_value,
            stream=each.slot.stream,
            min_precision=each.min_precision,
            interpolation=each.interpolation,
        )
        for each in ports
    ]


def _parameter(
    row: SignatureElement, direction: Direction, stage: Stage | str | None
) -> SignatureParameter:
    output = direction is OUTPUT
    used = row.mask & ~row.rw_mask if output else row.mask & row.rw_mask
    register = None if row.register == NOWHERE else row.register
    system_value: SystemValue | str | None = None
    if row.system_value:
        system_value = word(d3d.SYSTEM_VALUES, row.system_value)
    elif stage == PIXEL and output:
        # A value in a register is a render target, others are known by semantic, as in listings.
        target = d3d.D3DName.TARGET if register is not None else 0
        number = d3d.PIXEL_OUTPUTS.get(row.name.lower(), target)
        system_value = d3d.SYSTEM_VALUES.get(number)
    return SignatureParameter(
        semantic=row.name,
        index=row.index,
        register=register,
        components=components(row.mask),
        used=components(used),
        component_type=word(d3d.COMPONENT_TYPES, row.component_type),
        system_value=system_value,
        stream=row.stream or 0,
        min_precision=word(d3d.MIN_PRECISIONS, row.min_precision or 0),
    )
