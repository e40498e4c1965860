"""Checks of signatures, alone and against the program's declarations.

    ISGN  POSITION 0 xyz, register 0        SHEX  dcl_input v0.xyz
    OSGN  SV_Position 0 xyzw, register 0          dcl_output_siv o0.xyzw, position

Inputs belong to vertices, control points or patches. Patch constants are written by the fork and
join phases of a hull shader; the output control points that such a phase reads are rows of OSGN.
"""

from ....enums import member_of
from ....model import Stage
from ....model.facts import ProgramFacts, ProgramPort
from ....tuples import NamedTuple
from ....vocab.d3d import SYSTEM_VALUES, D3DMinPrecision, D3DName, RegisterComponentType, ShaderKind
from ....vocab.numbers import MASKS, components, number, word
from ..part import DxPart
from ..parts import signature
from ..parts.dxil import NAMES as DXIL_PROGRAMS
from ..parts.signature import ProgramSignature, SignatureElement
from .places import ContainerFindings, Problem, stage_of

OUTSIDE = 0xFFFF_FFFF
REGISTERS = 32
COMPONENTS = 4
INPUTS, OUTPUTS, PATCH = "inputs", "outputs", "patch constants"
KINDS = (
    dict.fromkeys(signature.INPUTS, INPUTS)
    | dict.fromkeys(signature.OUTPUTS, OUTPUTS)
    | dict.fromkeys(signature.PATCH_CONSTANTS, PATCH)
)
DOMAIN, GEOMETRY = Stage.DOMAIN, Stage.GEOMETRY


def check_signatures(found: ContainerFindings) -> None:
    """Check each signature alone, then the first of each kind against the program."""
    declared = found.declared
    in_dxil = not found.present.isdisjoint(DXIL_PROGRAMS)
    streams = declared is None or declared.stage == GEOMETRY
    mesh = in_dxil and _is_mesh(found)
    first: dict[str, DxPart] = {}
    for part in found.container.parts:
        kind = KINDS.get(part.name)
        if kind is None or not isinstance(part.reading.value, ProgramSignature):
            continue
        outputs = kind != INPUTS
        # Vertices and primitives of a mesh shader have registers of their own.
        arguments = not outputs, in_dxil, streams and outputs, mesh and outputs
        found.problems(part, part.reading.result(_problems, *arguments))
        first.setdefault(kind, part)
    if declared is not None:
        for kind in (INPUTS, OUTPUTS, PATCH):
            if kind in first:
                _check_agreement(found, first[kind], declared, kind)


def _problems(
    value: ProgramSignature, is_input: bool, in_dxil: bool, streams: bool, shared: bool
) -> list[Problem]:
    """Return the violations of a signature alone.

    Args:
        value: The signature.
        is_input: True for inputs, where the mask marks the components that are read.
        in_dxil: True beside DXIL, where semantics may repeat.
        streams: True if it may have several streams.
        shared: True if rows may share registers.
    """
    found: list[Problem] = []

    def add(code: str, message: str, path: str) -> None:
        found.append((code, message, path))

    taken: dict[tuple[int, int], int] = {}
    semantics: dict[tuple[int, str, int], int] = {}
    for i, row in enumerate(value.elements):
        path = f"elements[{i}]"
        stream = row.stream or 0
        mask = row.mask
        if not 0 < mask < 16:
            add("signature.mask", f"{row.name} has mask 0x{mask:x}", f"{path}.mask")
        if is_input and row.rw_mask & ~mask:
            message = f"{row.name} reads components 0x{row.rw_mask:x}, its mask is 0x{mask:x}"
            add("signature.used-mask", message, f"{path}.rw_mask")
        if member_of(D3DName, row.system_value) is None:
            message = f"{row.name} has system value {row.system_value}"
            add("signature.system-value", message, f"{path}.system_value")
        if member_of(RegisterComponentType, row.component_type) is None:
            message = f"{row.name} has component type {row.component_type}"
            add("signature.component-type", message, f"{path}.component_type")
        if member_of(D3DMinPrecision, row.min_precision or 0) is None:
            message = f"{row.name} has minimum precision {row.min_precision}"
            add("signature.component-type", message, f"{path}.min_precision")
        if stream > 3 or (stream and not streams):
            add("signature.stream", f"stream {stream}", f"{path}.stream")
        if not row.name:
            add("signature.name", "", f"{path}.name")
        key = stream, row.name.lower(), row.index
        if key in semantics and not in_dxil:
            message = f"{row.name} {row.index} is also row {semantics[key]}"
            add("signature.duplicate", message, f"{path}.name")
        semantics.setdefault(key, i)
        if row.register == OUTSIDE:
            continue
        if row.register >= REGISTERS:
            message = f"{row.name} is in register {row.register}"
            add("signature.register", message, f"{path}.register")
        place = stream, row.register
        if taken.get(place, 0) & mask and not shared:
            message = f"{row.name} shares components of register {row.register} with an earlier row"
            add("signature.register-overlap", message, f"{path}.register")
        taken[place] = taken.get(place, 0) | mask
    return found


def _is_mesh(found: ContainerFindings) -> bool:
    """Return True if the container's DXIL program is a mesh shader, by its version token."""
    return stage_of(found.first("DXIL")) == ShaderKind.MESH


# ---------------------------------------------------------------- agreement with the program


class Rows(NamedTuple):
    """The rows of a signature by stream and register."""

    masks: dict[tuple[int, int], int]  # components of all rows there
    there: dict[tuple[int, int], list[SignatureElement]]
    to_write: list[tuple[int, tuple[int, int], int]]  # number, stream and register, components


def _rows(value: ProgramSignature) -> Rows:
    found = Rows({}, {}, [])
    for i, row in enumerate(value.elements):
        place = row.stream or 0, row.register
        found.masks[place] = found.masks.get(place, 0) | row.mask
        same = found.there.setdefault(place, [])
        if len(same) < COMPONENTS:
            same.append(row)
        if row.register != OUTSIDE and row.mask & ~row.rw_mask:
            found.to_write.append((i, place, row.mask & ~row.rw_mask))
    return found


def _check_agreement(
    found: ContainerFindings, part: DxPart, declared: ProgramFacts, kind: str
) -> None:
    rows = part.reading.result(_rows)
    masks = rows.masks
    written: dict[tuple[int, int], int] = {}
    for port in _ports(declared, kind):
        slot = port.slot
        register = slot.place
        if not isinstance(register, int):
            continue
        place = slot.stream, register
        mask = MASKS[port.components]
        written[place] = written.get(place, 0) | mask
        missing = mask & ~masks.get(place, 0)
        if missing:
            message = f"{part.name} has no row with register {register}.{components(missing)}"
            found.declaration("signature.undeclared", message, port.path)
        elif port.system_value is not None:
            _check_meaning(found, part, port, mask, rows.there.get(place, []))
    if kind == INPUTS or (kind == PATCH and declared.stage == DOMAIN):
        return  # inputs that are not read are not declared
    if kind == OUTPUTS and declared.passes_control_points:
        return
    for i, place, mask in rows.to_write:
        if mask & ~written.get(place, 0):
            row = part.reading.value.elements[i]
            message = f"{row.name} {row.index} in register {row.register} is not declared"
            found.part("signature.unwritten", part, message, f"elements[{i}]")


def _ports(declared: ProgramFacts, kind: str) -> list[ProgramPort]:
    """Return the declared registers that belong to signatures of a kind."""
    if kind == PATCH:
        return declared.patch_constants
    if kind == INPUTS:
        return declared.inputs
    return declared.outputs + declared.outputs_read if declared.outputs_read else declared.outputs


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
