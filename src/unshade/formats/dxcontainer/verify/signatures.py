"""Checks of signatures, alone and against the program's declarations.

    ISGN  POSITION 0 xyz, register 0        SHEX  dcl_input v0.xyz
    OSGN  SV_Position 0 xyzw, register 0          dcl_output_siv o0.xyzw, position

Inputs belong to vertices, control points or patches. Patch constants are written by the fork and
join phases of a hull shader; the output control points that such a phase reads are rows of OSGN.
"""

from ....model import Stage
from ....model.facts import ProgramFacts, ProgramPort
from ....vocab.d3d import SYSTEM_VALUES, D3DMinPrecision, D3DName, RegisterComponentType, ShaderKind
from ....vocab.numbers import components, number, word
from ..part import DxPart
from ..parts.signature import ProgramSignature, SignatureElement
from .places import ContainerFindings, stage_of

OUTSIDE = 0xFFFF_FFFF
REGISTERS = 32
COMPONENTS = 4
INPUTS = ("ISGN", "ISG1")
OUTPUTS = ("OSGN", "OSG5", "OSG1")
PATCH = ("PCSG", "PSG1")
DXIL = ("DXIL", "ILDB")


def check_signatures(found: ContainerFindings) -> None:
    """Check each signature alone, then against the program."""
    parts = found.container.parts
    declared = found.declared
    for part in parts.all(*INPUTS, *OUTPUTS, *PATCH):
        value = part.value
        if isinstance(value, ProgramSignature):
            _check_signature(found, part, value)
    if declared is None:
        return
    for names in (INPUTS, OUTPUTS, PATCH):
        signature = next(
            (p for p in parts.all(*names) if isinstance(p.value, ProgramSignature)), None
        )
        if signature is not None:
            _check_agreement(found, signature, declared, names)


def _check_signature(found: ContainerFindings, part: DxPart, value: ProgramSignature) -> None:
    is_input = part.name in INPUTS
    in_dxil = any(each.name in DXIL for each in found.container.parts)
    shared = _is_mesh(found) and not is_input  # vertices and primitives have registers of their own
    taken: dict[tuple[int, int], int] = {}
    semantics: dict[tuple[int, str, int], int] = {}
    geometry = found.declared is None or found.declared.stage == Stage.GEOMETRY
    for i, row in enumerate(value.elements):
        path = f"elements[{i}]"
        stream = row.stream or 0
        mask = row.mask
        if not 0 < mask < 16:
            found.part("signature.mask", part, f"{row.name} has mask 0x{mask:x}", f"{path}.mask")
        if is_input and row.rw_mask & ~mask:
            message = f"{row.name} reads components 0x{row.rw_mask:x}, its mask is 0x{mask:x}"
            found.part("signature.used-mask", part, message, f"{path}.rw_mask")
        if row.system_value not in D3DName._value2member_map_:
            message = f"{row.name} has system value {row.system_value}"
            found.part("signature.system-value", part, message, f"{path}.system_value")
        if row.component_type not in RegisterComponentType._value2member_map_:
            message = f"{row.name} has component type {row.component_type}"
            found.part("signature.component-type", part, message, f"{path}.component_type")
        if (row.min_precision or 0) not in D3DMinPrecision._value2member_map_:
            message = f"{row.name} has minimum precision {row.min_precision}"
            found.part("signature.component-type", part, message, f"{path}.min_precision")
        if stream > 3 or (stream and not (geometry and not is_input)):
            found.part("signature.stream", part, f"stream {stream}", f"{path}.stream")
        if not row.name:
            found.part("signature.name", part, path=f"{path}.name")
        key = stream, row.name.lower(), row.index
        if key in semantics and not in_dxil:
            message = f"{row.name} {row.index} is also row {semantics[key]}"
            found.part("signature.duplicate", part, message, f"{path}.name")
        semantics.setdefault(key, i)
        if row.register == OUTSIDE:
            continue
        if row.register >= REGISTERS:
            message = f"{row.name} is in register {row.register}"
            found.part("signature.register", part, message, f"{path}.register")
        place = stream, row.register
        if taken.get(place, 0) & mask and not shared:
            message = f"{row.name} shares components of register {row.register} with an earlier row"
            found.part("signature.register-overlap", part, message, f"{path}.register")
        taken[place] = taken.get(place, 0) | mask


def _is_mesh(found: ContainerFindings) -> bool:
    """Return True if the container's DXIL program is a mesh shader, by its version token."""
    return stage_of(found.container.parts.get("DXIL")) == ShaderKind.MESH


# ---------------------------------------------------------------- agreement with the program


def _check_agreement(
    found: ContainerFindings, part: DxPart, declared: ProgramFacts, names: tuple[str, ...]
) -> None:
    rows = list(part.value.elements)
    masks: dict[tuple[int, int], int] = {}
    by_place: dict[tuple[int, int], list[SignatureElement]] = {}
    for row in rows:
        place = row.stream or 0, row.register
        masks[place] = masks.get(place, 0) | row.mask
        same = by_place.setdefault(place, [])
        if len(same) < COMPONENTS:
            same.append(row)
    written: dict[tuple[int, int], int] = {}
    for port in _ports(declared, names):
        register = port.slot.location
        if register is None:
            continue
        place = port.slot.stream, register
        mask = sum(1 << "xyzw".index(letter) for letter in port.components)
        written[place] = written.get(place, 0) | mask
        missing = components(mask & ~masks.get(place, 0))
        if missing:
            message = f"{part.name} has no row with register {register}.{missing}"
            found.declaration("signature.undeclared", message, port.path)
        elif port.system_value is not None:
            _check_meaning(found, part, port, mask, by_place.get(place, []))
    if names == INPUTS or (declared.stage == Stage.DOMAIN and names == PATCH):
        return  # inputs that are not read are not declared
    if names == OUTPUTS and declared.passes_control_points:
        return
    for i, row in enumerate(rows):
        if row.register == OUTSIDE:
            continue
        place = row.stream or 0, row.register
        if row.mask & ~row.rw_mask & ~written.get(place, 0):
            message = f"{row.name} {row.index} in register {row.register} is not declared"
            found.part("signature.unwritten", part, message, f"elements[{i}]")


def _ports(declared: ProgramFacts, names: tuple[str, ...]) -> list[ProgramPort]:
    """Return the declared registers that belong to these signatures."""
    if names == PATCH:
        return declared.patch_constants
    return declared.inputs if names == INPUTS else declared.outputs + declared.outputs_read


def _check_meaning(
    found: ContainerFindings,
    part: DxPart,
    port: ProgramPort,
    mask: int,
    rows: list[SignatureElement],
) -> None:
    wanted = port.system_value
    for row in rows:
        if row.mask & mask and word(SYSTEM_VALUES, row.system_value) != wanted:
            meant = number(SYSTEM_VALUES, wanted or "")
            message = (
                f"expected {row.name} of {part.name} to have system value {meant},"
                f" got {row.system_value}"
            )
            found.declaration("signature.meaning", message, port.path)
