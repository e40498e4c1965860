"""Checks of declarations: limits, doubles, system values; what they declare goes into `Declared`.

Limits are those of the Direct3D 11 functional specification: 4096 temporary registers (x included),
16 samplers, 128 resources, 14 constant buffers (and what the compiler adds to 15), 8 views (64 from
11.1 on), 4096 rows of a constant buffer, 1024 scalars that a geometry shader may write.
"""

import struct
from collections.abc import Callable

from ....vocab.d3d import ShaderKind
from ..custom import ShaderMessage
from ..instruction import Instruction
from ..operands import Operand
from ..ops import OPS, Op
from ..spellings import REGISTERS as NAMES
from ..spellings import word
from ..tokens import (
    ControlPoints,
    CustomClass,
    OperandType,
    ResourceDcl,
    TableSizes,
    TessDomain,
    UavDcl,
)
from .declared import Declared, Phase, Range, dword, shown
from .ports import check_index_range, check_port
from .registers import REGISTERS, STAGE_SETS, Register

T = OperandType
MAX_REGISTERS = 4096
MAX_ROWS = 4096
SLOTS: dict[int, int] = {
    T.SAMPLER: 16,
    T.RESOURCE: 128,
    T.CONSTANT_BUFFER: 15,
    T.UNORDERED_ACCESS_VIEW: 64,
}
BIND: dict[str, int] = {
    "T": T.RESOURCE,
    "U": T.UNORDERED_ACCESS_VIEW,
    "S": T.SAMPLER,
    "C": T.CONSTANT_BUFFER,
    "G": T.THREAD_GROUP_SHARED_MEMORY,
    "M": T.STREAM,
}
RANGED = "TUSC"  # those with a range and a space from Shader Model 5.1 on
INDEXABLE = frozenset((
    T.INPUT, T.OUTPUT, T.INPUT_CONTROL_POINT, T.OUTPUT_CONTROL_POINT, T.INPUT_PATCH_CONSTANT,
))  # fmt: skip
ONCE = frozenset(OPS[name].code for name in (
    "dcl_globalFlags", "dcl_inputprimitive", "dcl_maxout", "dcl_gsinstances", "dcl_thread_group",
    "dcl_input_control_point_count", "dcl_output_control_point_count", "dcl_tessellator_domain",
    "dcl_tessellator_partitioning", "dcl_tessellator_output_primitive", "dcl_hs_max_tessfactor",
))  # fmt: skip
NEEDED = {
    ShaderKind.COMPUTE: ("dcl_thread_group",),
    ShaderKind.GEOMETRY: ("dcl_inputprimitive", "dcl_maxout"),
    ShaderKind.HULL: (
        "dcl_tessellator_domain", "dcl_tessellator_partitioning",
        "dcl_tessellator_output_primitive",
    ),
    ShaderKind.DOMAIN: ("dcl_tessellator_domain",),
}  # fmt: skip


def check_declaration(declared: Declared, instruction: Instruction, row: Op) -> None:
    """One declaration."""
    if row.code in ONCE and row.code in declared.once:
        declared.add("tpf.redeclared", f"{row.name} stands here a second time")
    declared.once.add(row.code)
    for i, operand in enumerate(instruction.operands):
        if not _check_operand(declared, operand, row, f"operands[{i}]"):
            return
    check = CHECKS.get(row.name)
    if check is not None:
        check(declared, instruction, row)


def _declares(row: Op, letter: str, kind: int, register: Register) -> bool:
    """Whether a declaration can be about a register file."""
    if letter != "A":
        return kind == BIND[letter]
    if row.name == "dcl_indexrange":
        return kind in INDEXABLE
    if row.name.startswith("dcl_output"):
        return register.uses == "w" and kind != T.NULL
    return kind == T.INPUT or (
        kind >= T.INPUT_PRIMITIVEID and register.uses == "r" and kind != T.THIS_POINTER
    )


def _check_operand(declared: Declared, operand: Operand, row: Op, where: str) -> bool:
    """Whether the operand of a declaration is a register that it can declare."""
    kind = operand.type
    register = REGISTERS.get(kind)
    letter = row.operands[0]
    name = word(NAMES, kind)
    if register is None or not _declares(row, letter, kind, register):
        declared.add("tpf.operand-kind", f"{row.name} cannot declare {name}", where)
        return False
    if declared.kind not in STAGE_SETS[register.stages]:
        declared.add("tpf.register-stage", f"{name} does not exist in this stage", where)
    expected: tuple[int, ...] = register.indices
    if letter in RANGED:
        expected = (3,) if declared.ranged else (2,) if letter == "C" else (1,)
    if len(operand.indices) not in expected:
        message = (
            f"{shown(operand)} has {len(operand.indices)} indices, {expected[0]} were expected"
        )
        declared.add("tpf.index-count", message, where)
        return False
    for i, index in enumerate(operand.indices):
        if index.relative is not None:
            inner = f"{where}.indices[{i}]"
            declared.add("tpf.relative-index", "a declaration states numbers", inner)
            return False
        if index.representation:
            declared.add("tpf.index-representation", "an index of 64 bits", f"{where}.indices[{i}]")
    return True


# ---------------------------------------------------------------- resources


def _bind(declared: Declared, instruction: Instruction, row: Op) -> None:
    operand = instruction.operands[0]
    indices = tuple(index.immediate for index in operand.indices)
    form = {"dcl_resource": "typed", "dcl_uav_typed": "typed"}.get(
        row.name, row.name.split("_")[-1]
    )
    if row.operands in "SC":
        form = ""
    found = Range(declared.at, operand.type, form, instruction.token, indices)
    found.space = dword(instruction, row, "space") or 0 if declared.ranged else 0
    found.stride = dword(instruction, row, "stride") or 0
    if form == "typed":
        cls = ResourceDcl if row.name == "dcl_resource" else UavDcl
        found.dimension = cls.dimension.of(instruction.token)
    if row.operands == "C":
        if not declared.ranged:
            found.lower = found.upper = found.id
        rows = dword(instruction, row, "size") if declared.ranged else indices[1]
        found.size = rows or 0
        if found.size > MAX_ROWS:
            declared.add("tpf.limit", f"{found} has {found.size} rows, at most {MAX_ROWS}")
    if form == "structured" and (not found.stride or found.stride % 4 or found.stride > 2048):
        message = f"a stride of {found.stride} bytes; 4 to 2048, a multiple of 4"
        declared.add("tpf.limit", message)
    known = declared.bound.setdefault(operand.type, {})
    if found.id in known:
        declared.add("tpf.redeclared", f"{found} is declared already", "operands[0]")
    if declared.ranged:
        _check_range(declared, found, known)
    elif found.id >= SLOTS[operand.type]:
        message = f"{found}, there are {SLOTS[operand.type]}"
        declared.add("tpf.limit", message, "operands[0]")
    known[found.id] = found


def _check_range(declared: Declared, found: Range, known: dict[int, Range]) -> None:
    if found.upper < found.lower:
        message = f"a range from {found.lower} to {found.upper}"
        declared.add("tpf.index-range", message, "operands[0]")
    for other in list(known.values())[:256]:
        if other.space == found.space and other.lower <= found.upper and found.lower <= other.upper:
            declared.add("tpf.range-overlap", f"{found} and {other} share registers", "operands[0]")
            return


def _shared(declared: Declared, instruction: Instruction, row: Op) -> None:
    operand = instruction.operands[0]
    number = operand.indices[0].immediate
    known = declared.bound.setdefault(operand.type, {})
    if number in known:
        declared.add("tpf.redeclared", f"g{number} is declared already", "operands[0]")
    found = Range(declared.at, operand.type, row.name.split("_")[-1], instruction.token, (number,))
    if found.form == "raw":
        size = dword(instruction, row, "size") or 0
    else:
        found.stride = dword(instruction, row, "stride") or 0
        size = found.stride * (dword(instruction, row, "count") or 0)
    known[number] = found
    declared.shared += size
    most = 32768 if declared.model >= (5, 0) else 16384
    if declared.shared > most:
        declared.add("tpf.shared-memory", f"{declared.shared} bytes so far, at most {most}")
    if size % 4 or found.stride % 4:
        declared.add("tpf.shared-memory", f"{size} bytes are not whole dwords")


# ---------------------------------------------------------------- registers


def _temps(declared: Declared, instruction: Instruction, row: Op) -> None:
    phase = declared.phase
    if phase.temps is not None:
        declared.add("tpf.redeclared", "dcl_temps stands here a second time")
    phase.temps = dword(instruction, row, "count") or 0
    _check_registers(declared, phase)


def _array(declared: Declared, instruction: Instruction, row: Op) -> None:
    values = (dword(instruction, row, name) or 0 for name in row.dwords)
    register, count, components = values
    phase = declared.phase
    if register in phase.arrays:
        declared.add("tpf.redeclared", f"x{register} is declared already")
    if not 1 <= components <= 4:
        declared.add("tpf.limit", f"x{register} has {components} components, 1 to 4 are possible")
    phase.arrays[register] = count, min(components, 4)
    phase.array_registers += count
    _check_registers(declared, phase)


def _check_registers(declared: Declared, phase: Phase) -> None:
    total = (phase.temps or 0) + phase.array_registers
    if total > MAX_REGISTERS:
        declared.add("tpf.limit", f"{total} temporary registers, at most {MAX_REGISTERS}")


# ---------------------------------------------------------------- settings


def _global_flags(declared: Declared, instruction: Instruction, row: Op) -> None:
    declared.flags = instruction.token


def _stream(declared: Declared, instruction: Instruction, row: Op) -> None:
    declared.stream = instruction.operands[0].indices[0].immediate
    if declared.stream > 3:
        declared.add("tpf.limit", f"m{declared.stream}, there are 4 streams", "operands[0]")
    if declared.stream in declared.streams:
        declared.add("tpf.redeclared", f"m{declared.stream} is declared already", "operands[0]")
    declared.streams.add(declared.stream)


def _thread_group(declared: Declared, instruction: Instruction, row: Op) -> None:
    x, y, z = (dword(instruction, row, name) or 0 for name in row.dwords)
    declared.threads = x, y, z
    most, deep = (1024, 64) if declared.model >= (5, 0) else (768, 1)
    if not (1 <= x <= most and 1 <= y <= most and 1 <= z <= deep and x * y * z <= most):
        declared.add("tpf.thread-group", f"{x} x {y} x {z} threads")


def _count(least: int, most: int) -> Callable[[Declared, Instruction, Op], None]:
    def check(declared: Declared, instruction: Instruction, row: Op) -> None:
        if row.controls is ControlPoints:
            value = ControlPoints.count.of(instruction.token)
        else:
            value = dword(instruction, row, "count") or 0
        if not least <= value <= most:
            declared.add("tpf.limit", f"{row.name} {value}, {least} to {most} are possible")

    return check


def _factor(declared: Declared, instruction: Instruction, row: Op) -> None:
    bits = dword(instruction, row, "factor") or 0
    (value,) = struct.unpack("<f", struct.pack("<I", bits & 0xFFFF_FFFF))
    if not 1 <= value <= 64:
        declared.add("tpf.limit", f"a tessellation factor of {value:g}, 1 to 64 are possible")


def _domain(declared: Declared, instruction: Instruction, row: Op) -> None:
    if not TessDomain.domain.of(instruction.token):
        declared.add("tpf.control-value", "a domain must be stated", "domain")


# ---------------------------------------------------------------- interfaces


def _body(declared: Declared, instruction: Instruction, row: Op) -> None:
    number = dword(instruction, row, "body") or 0
    if number in declared.bodies:
        declared.add("tpf.redeclared", f"fb{number} is declared already")
    declared.bodies.add(number)


def _table(declared: Declared, instruction: Instruction, row: Op) -> None:
    number = dword(instruction, row, "table") or 0
    bodies = instruction.words[2:]
    if number in declared.tables:
        declared.add("tpf.redeclared", f"ft{number} is declared already")
    if len(bodies) != (dword(instruction, row, "count") or 0):
        declared.add("tpf.interface", f"ft{number} does not list as many bodies as it says")
    for body in bodies:
        if body not in declared.bodies:
            declared.add("tpf.interface", f"ft{number} lists fb{body}, which is not declared")
            break
    declared.tables[number] = bodies


def _interface(declared: Declared, instruction: Instruction, row: Op) -> None:
    number, sites = (dword(instruction, row, name) or 0 for name in ("interface", "call_sites"))
    sizes = TableSizes(dword(instruction, row, "lengths") or 0)
    tables = instruction.words[3:]
    if number in declared.interfaces:
        declared.add("tpf.redeclared", f"fp{number} is declared already")
    if len(tables) != sizes.table_length:
        declared.add("tpf.interface", f"fp{number} does not list as many tables as it says")
    for table in tables:
        known = declared.tables.get(table)
        if known is None or len(known) != sites:
            what = "is not declared" if known is None else f"has {len(known)} bodies, not {sites}"
            declared.add("tpf.interface", f"fp{number} lists ft{table}, which {what}")
            break
    declared.interfaces[number] = sizes.array_length, sites


# ---------------------------------------------------------------- custom data


def check_custom(declared: Declared, instruction: Instruction) -> None:
    """customdata: the constant table and messages; other classes can hold anything."""
    payload = instruction.payload or ()
    kind = instruction.custom_class
    if kind == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER:
        if declared.icb is not None:
            declared.add("tpf.custom-data", "a second constant table")
        if len(payload) % 4 or not payload:
            declared.add("tpf.custom-data", f"{len(payload)} dwords are no rows of four")
        elif len(payload) // 4 > MAX_ROWS:
            declared.add("tpf.limit", f"{len(payload) // 4} rows, at most {MAX_ROWS}")
        declared.icb = len(payload) // 4
    elif kind == CustomClass.SHADER_MESSAGE:
        if ShaderMessage.decode(payload) is None:
            declared.add("tpf.custom-data", "no header, operands and text of a message")
        declared.add("tpf.message", "a shader message needs the debug layer")
    elif kind not in CustomClass._value2member_map_:
        declared.add("tpf.custom-data", f"class {kind} has no meaning")


def check_needed(declared: Declared) -> None:
    """At the end: what the stage must have declared."""
    for name in NEEDED.get(declared.kind, ()):  # type: ignore[call-overload]
        if OPS[name].code not in declared.once:
            declared.report.add("tpf.missing-declaration", None, f"{name} is missing")
    # A geometry shader that gives nothing (it stores to views) needs no topology: fxc writes none.
    gives = declared.kind == ShaderKind.GEOMETRY and any(not port.input for port in declared.ports)
    if gives and OPS["dcl_outputtopology"].code not in declared.once:
        message = "outputs without dcl_outputtopology"
        declared.report.add("tpf.missing-declaration", None, message)


CHECKS: dict[str, Callable[[Declared, Instruction, Op], None]] = {
    "dcl_globalFlags": _global_flags,
    "dcl_resource": _bind,
    "dcl_resource_raw": _bind,
    "dcl_resource_structured": _bind,
    "dcl_uav_typed": _bind,
    "dcl_uav_raw": _bind,
    "dcl_uav_structured": _bind,
    "dcl_constantbuffer": _bind,
    "dcl_sampler": _bind,
    "dcl_tgsm_raw": _shared,
    "dcl_tgsm_structured": _shared,
    "dcl_indexrange": check_index_range,
    "dcl_temps": _temps,
    "dcl_indexableTemp": _array,
    "dcl_stream": _stream,
    "dcl_thread_group": _thread_group,
    "dcl_maxout": _count(1, 1024),
    "dcl_gsinstances": _count(1, 32),
    "dcl_hs_fork_phase_instance_count": _count(1, 0xFFFF_FFFF),
    "dcl_hs_join_phase_instance_count": _count(1, 0xFFFF_FFFF),
    "dcl_input_control_point_count": _count(0, 32),
    "dcl_output_control_point_count": _count(0, 32),
    "dcl_hs_max_tessfactor": _factor,
    "dcl_tessellator_domain": _domain,
    "dcl_function_body": _body,
    "dcl_function_table": _table,
    "dcl_interface": _interface,
    **{
        row.name: check_port
        for row in OPS
        if row.name.startswith(("dcl_input", "dcl_output")) and row.operands == "A"
    },
}
