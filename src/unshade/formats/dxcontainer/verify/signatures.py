"""Checks of signatures, and whether the program declares what they say.

    ISGN  POSITION 0 xyz, register 0        SHEX  dcl_input v0.xyz
    OSGN  SV_Position 0 xyzw, register 0          dcl_output_siv o0.xyzw, position

Inputs of a program are vertices' (v), a patch's (vicp, and vocp which the same shader writes), or
constants of a patch (vpc; hull shader phases write them as o).
"""

from ....programs.tpf.enumerations import OperandType
from ....programs.tpf.verify import Port, Scope
from ....vocab.d3d import ComponentType, MinPrecision, ShaderKind, SystemValue
from ..part import Part
from ..parts.signature import Signature, SignatureElement
from .places import Report

T = OperandType
OUTSIDE = 0xFFFF_FFFF
REGISTERS = 32
COMPONENTS = 4
INPUTS = ("ISGN", "ISG1")
OUTPUTS = ("OSGN", "OSG5", "OSG1")
PATCH = ("PCSG", "PSG1")
DXIL = ("DXIL", "ILDB")

# D3D10_SB_NAME has one name for each edge and inside factor, D3D_NAME one for all of a kind.
FACTORS = {
    **dict.fromkeys(range(11, 15), SystemValue.FINAL_QUAD_EDGE_TESSFACTOR),
    **dict.fromkeys((15, 16), SystemValue.FINAL_QUAD_INSIDE_TESSFACTOR),
    **dict.fromkeys((17, 18, 19), SystemValue.FINAL_TRI_EDGE_TESSFACTOR),
    20: SystemValue.FINAL_TRI_INSIDE_TESSFACTOR,
    21: SystemValue.FINAL_LINE_DETAIL_TESSFACTOR,
    22: SystemValue.FINAL_LINE_DENSITY_TESSFACTOR,
}


def check_signatures(found: Report) -> None:
    """Each signature alone, then with the program."""
    parts = found.container.parts
    declared = found.declared
    for part in parts.all(*INPUTS, *OUTPUTS, *PATCH):
        value = part.value
        if isinstance(value, Signature):
            _check_signature(found, part, value)
    if declared is None:
        return
    for names in (INPUTS, OUTPUTS, PATCH):
        signature = next((p for p in parts.all(*names) if isinstance(p.value, Signature)), None)
        if signature is not None:
            _check_agreement(found, signature, declared, names)


def _check_signature(found: Report, part: Part, value: Signature) -> None:
    is_input = part.name in INPUTS
    in_dxil = any(each.name in DXIL for each in found.container.parts)
    shared = _is_mesh(found) and not is_input  # vertices and primitives have registers of their own
    taken: dict[tuple[int, int], int] = {}
    semantics: dict[tuple[int, str, int], int] = {}
    geometry = found.declared is None or found.declared.kind == ShaderKind.GEOMETRY
    for i, row in enumerate(value.elements):
        path = f"elements[{i}]"
        stream = row.stream or 0
        mask = row.mask
        if not 0 < mask < 16:
            found.part("signature.mask", part, f"{row.name} has mask 0x{mask:x}", f"{path}.mask")
        if is_input and row.rw_mask & ~mask:
            message = f"{row.name} reads 0x{row.rw_mask:x} of 0x{mask:x}"
            found.part("signature.used-mask", part, message, f"{path}.rw_mask")
        if row.system_value not in SystemValue._value2member_map_:
            message = f"{row.name} has system value {row.system_value}"
            found.part("signature.system-value", part, message, f"{path}.system_value")
        if row.component_type not in ComponentType._value2member_map_:
            message = f"{row.name} has component type {row.component_type}"
            found.part("signature.component-type", part, message, f"{path}.component_type")
        if (row.min_precision or 0) not in MinPrecision._value2member_map_:
            message = f"{row.name} has minimum precision {row.min_precision}"
            found.part("signature.component-type", part, message, f"{path}.min_precision")
        if stream > 3 or (stream and not (geometry and not is_input)):
            found.part("signature.stream", part, f"stream {stream}", f"{path}.stream")
        if not row.name:
            found.part("signature.name", part, path=f"{path}.name")
        key = stream, row.name.lower(), row.index
        if key in semantics and not in_dxil:
            message = f"{row.name} {row.index} stands in row {semantics[key]} too"
            found.part("signature.duplicate", part, message, f"{path}.name")
        semantics.setdefault(key, i)
        if row.register == OUTSIDE:
            continue
        if row.register >= REGISTERS:
            message = f"{row.name} is in register {row.register}"
            found.part("signature.register", part, message, f"{path}.register")
        place = stream, row.register
        if taken.get(place, 0) & mask and not shared:
            message = f"{row.name} shares register {row.register} with a row before it"
            found.part("signature.register-overlap", part, message, f"{path}.register")
        taken[place] = taken.get(place, 0) | mask


def _is_mesh(found: Report) -> bool:
    """Whether the container's DXIL program is a mesh shader: its first word says so."""
    program = found.container.parts.get("DXIL")
    return program is not None and program.data[2:4] == ShaderKind.MESH.to_bytes(2, "little")


# ---------------------------------------------------------------- agreement with the program


def _check_agreement(found: Report, part: Part, declared: Scope, names: tuple[str, ...]) -> None:
    rows = list(part.value.elements)
    ports = [
        port for port in declared.ports if port.register >= 0 and _belongs(port, declared, names)
    ]
    masks: dict[tuple[int, int], int] = {}
    by_place: dict[tuple[int, int], list[SignatureElement]] = {}
    for row in rows:
        place = row.stream or 0, row.register
        masks[place] = masks.get(place, 0) | row.mask
        same = by_place.setdefault(place, [])
        if len(same) < COMPONENTS:
            same.append(row)
    written: dict[tuple[int, int], int] = {}
    for port in ports:
        place = 0 if port.input else port.stream, port.register
        written[place] = written.get(place, 0) | port.mask
        missing = port.mask & ~masks.get(place, 0)
        if missing:
            letters = "".join(letter for i, letter in enumerate("xyzw") if missing >> i & 1)
            message = f"{part.name} has no register {port.register} with {letters}"
            found.instruction("signature.undeclared", message, port.at)
        elif port.name:
            _check_meaning(found, part, port, by_place[place])
    if names == INPUTS or (declared.kind == ShaderKind.DOMAIN and names == PATCH):
        return  # inputs that nobody reads are not declared
    phases = {phase.name for phase in declared.phases}
    if names == OUTPUTS and declared.is_hull and "hs_control_point_phase" not in phases:
        return  # the control points are handed on as they are
    for i, row in enumerate(rows):
        if row.register == OUTSIDE:
            continue
        place = row.stream or 0, row.register
        if row.mask & ~row.rw_mask & ~written.get(place, 0):
            message = f"{row.name} {row.index} in register {row.register} is not declared"
            found.part("signature.unwritten", part, message, f"elements[{i}]")


def _belongs(port: Port, declared: Scope, names: tuple[str, ...]) -> bool:
    """Whether a declared register is one of the rows of these signatures."""
    phase = declared.phases[port.phase].name
    constant = phase in ("hs_fork_phase", "hs_join_phase")
    if names == PATCH:
        return port.kind == T.INPUT_PATCH_CONSTANT or (port.kind == T.OUTPUT and constant)
    if names == INPUTS:
        return port.kind in (T.INPUT, T.INPUT_CONTROL_POINT)
    return port.kind == T.OUTPUT_CONTROL_POINT or (port.kind == T.OUTPUT and not constant)


def _check_meaning(found: Report, part: Part, port: Port, rows: list[SignatureElement]) -> None:
    wanted = FACTORS.get(port.name, port.name)
    for row in rows:
        if row.mask & port.mask and row.system_value != wanted:
            message = f"{row.name} of {part.name} has system value {row.system_value}, not {wanted}"
            found.instruction("signature.meaning", message, port.at)
