"""Signatures: the rows of ISGN, OSGN and the like, joined with the program's declarations.

    ISGN   SV_Position  0  v0  xyzw  position    dcl_input_ps_siv linear noperspective v0.xy

A row states the components that exist and those that are used: inputs that are read, and outputs
that are not marked as never written. Only the program states the interpolation.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ....model import SignatureParameter, Stage, SystemValue
from ....model.facts import ProgramPort
from ....vocab import d3d
from ....vocab.numbers import components, word
from ....vocab.slots import Direction, PortSlot, Rate
from ..part import DxPart
from ..parts.signature import ProgramSignature, SignatureElement

NOWHERE = 0xFFFF_FFFF  # outside the register file

# Newer part types hold more and come first; a file has one type of each line.
INPUTS = ("ISG1", "ISGN")
OUTPUTS = ("OSG1", "OSG5", "OSGN")
PATCH_CONSTANTS = ("PSG1", "PCSG")
ALL = (*INPUTS, *OUTPUTS, *PATCH_CONSTANTS)


def parameters(
    parts: Mapping[str, Sequence[DxPart]],
    kinds: tuple[str, ...],
    direction: Direction,
    rate: Rate | None = None,
    *,
    stage: Stage | str | None,
    declared: Sequence[ProgramPort] = (),
) -> list[SignatureParameter]:
    """Return the rows of the first of these parts that could be read."""
    for name in kinds:
        for part in parts.get(name, ()):
            reading = part.reading
            if isinstance(reading.value, ProgramSignature):
                rows = reading.result(_rows, direction, rate, stage)
                found = [SignatureParameter.of_values(fields) for fields, _ in rows]
                slots = [slot for _, slot in rows]
                _join(found, slots, declared, direction, stage)
                return found
    return []


def _rows(
    value: ProgramSignature, direction: Direction, rate: Rate | None, stage: Stage | str | None
) -> list[tuple[dict[str, Any], PortSlot | None]]:
    """Return the values of each row of a signature, none of which is a list, and its slot."""
    found: list[tuple[dict[str, Any], PortSlot | None]] = []
    for element in value.elements:
        row = _parameter(element, direction, stage)
        found.append((vars(row), row.slot(stage, direction, rate)))
    return found


def _join(
    rows: Sequence[SignatureParameter],
    slots: Sequence[PortSlot | None],
    declared: Sequence[ProgramPort],
    direction: Direction,
    stage: Stage | str | None,
) -> None:
    """Complete rows by the declarations of their registers."""
    if stage == Stage.PIXEL:
        if direction is Direction.OUTPUT:
            return
    elif all(each.system_value is None for each in declared):
        return
    ports: dict[object, list[ProgramPort]] = {}
    for each in declared:
        ports.setdefault(each.slot.place, []).append(each)
    for row, slot in zip(rows, slots, strict=True):
        if slot is not None and slot.place in ports:
            there = [each for each in ports[slot.place] if each.slot == slot]
            _complete(row, there, stage)


def of_ports(ports: Sequence[ProgramPort]) -> list[SignatureParameter]:
    """Return the rows of a signature that no part has, as the program states them."""
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
    output = direction is Direction.OUTPUT
    used = row.mask & ~row.rw_mask if output else row.mask & row.rw_mask
    register = None if row.register == NOWHERE else row.register
    system_value: SystemValue | str | None = None
    if row.system_value:
        system_value = word(d3d.SYSTEM_VALUES, row.system_value)
    elif stage == Stage.PIXEL and output:
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


def _complete(
    found: SignatureParameter, ports: Sequence[ProgramPort], stage: Stage | str | None
) -> None:
    """Add the interpolation and the system value of the first port with its first component."""
    shared = ((letter, each) for letter in found.places for each in ports)
    declared = next((each for letter, each in shared if letter in each.components), None)
    if declared is None:
        return
    if stage == Stage.PIXEL:
        found.interpolation = declared.interpolation
    if not found.system_value:
        found.system_value = declared.system_value
