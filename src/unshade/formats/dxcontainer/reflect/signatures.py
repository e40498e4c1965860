"""Signatures: the rows of ISGN and its relatives, completed by what the program declares.

    ISGN   SV_Position  0  v0  xyzw  position    dcl_input_ps_siv linear noperspective v0.xy

A row says which components exist and which are used: of inputs those that are read, of outputs
those that are not *never written*. The interpolation is known to the program alone.
"""

from collections.abc import Sequence

from ....model import SignatureParameter, Stage
from ....model.facts import ProgramPort
from ....vocab import d3d
from ....vocab.numbers import components, word
from ..part import PartList
from ..parts.signature import Signature, SignatureElement

Places = dict[tuple[int, str], ProgramPort]  # by register and component

NOWHERE = 0xFFFF_FFFF  # outside the register file

# The later kinds of part say more; a file has one of each line.
INPUTS = ("ISG1", "ISGN")
OUTPUTS = ("OSG1", "OSG5", "OSGN")
PATCH_CONSTANTS = ("PSG1", "PCSG")


def parameters(
    parts: PartList,
    kinds: tuple[str, ...],
    *,
    output: bool,
    stage: Stage | str | None,
    declared: Sequence[ProgramPort] = (),
) -> list[SignatureParameter]:
    """The rows of the first of these parts that could be read."""
    for name in kinds:
        for part in parts.all(name):
            value = part.value
            if isinstance(value, Signature):
                places: Places = {}
                for each in reversed(declared):
                    register = NOWHERE if each.register is None else each.register
                    for letter in each.components:
                        places[register, letter] = each
                pixel = stage == Stage.PIXEL
                return [_parameter(row, output, pixel, places) for row in value.elements]
    return []


def _parameter(
    row: SignatureElement, output: bool, pixel: bool, places: Places
) -> SignatureParameter:
    used = row.mask & ~row.rw_mask if output else row.mask & row.rw_mask
    at = ((row.register, letter) for letter in components(row.mask))
    same = next((places[place] for place in at if place in places), None)
    found = SignatureParameter(
        semantic=row.name,
        index=row.index,
        register=None if row.register == NOWHERE else row.register,
        components=components(row.mask),
        used=components(used),
        component_type=word(d3d.COMPONENT_TYPES, row.component_type),
        stream=row.stream or 0,
        min_precision=word(d3d.MIN_PRECISIONS, row.min_precision or 0),
    )
    if row.system_value:
        found.system_value = word(d3d.SYSTEM_VALUES, row.system_value)
    elif pixel and output:
        # One in a register is a render target, the others go by their semantic. Listings say so.
        target = d3d.SystemValue.TARGET if found.register is not None else 0
        number = d3d.PIXEL_OUTPUTS.get(row.name.lower(), target)
        found.system_value = d3d.SYSTEM_VALUES.get(number)
    elif same is not None and same.system_value:
        found.system_value = same.system_value
    if pixel and not output and same is not None:
        found.interpolation = same.interpolation
    return found
