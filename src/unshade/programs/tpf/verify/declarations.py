"""Checks of declarations: limits, duplicates, system values.

Declarations are recorded in the scope.

Limits are from the Direct3D 11 functional specification: 4096 temporary registers (x included),
16 samplers, 128 resources, 14 constant buffers (15 with the compiler's own), 8 views (64 from 11.1
on), 4096 rows of a constant buffer, 1024 scalars of geometry shader output.
"""

import struct
from collections.abc import Callable

from ....enums import member_of
from ....vocab.d3d import ShaderKind
from ..customdata import ShaderMessage
from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import CustomClass, OperandType
from ..tables.ops import OPS, Op
from ..tables.spellings import REGISTERS as NAMES
from ..tables.spellings import word
from ..tables.tokens import ControlPoints, ResourceDcl, TableSizes, TessDomain, UavDcl
from .ports import check_index_range, check_port
from .registers import REGISTERS, STAGE_SETS, RegisterTraits
from .scope import (
    DeclaredPort,
    PhaseScope,
    ProgramScope,
    RegisterRange,
    dword,
    register_name,
)

T = OperandType
MAX_REGISTERS = MAX_ROWS = 4096
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
RANGED = "TUSC"  # letters with a range and a space from Shader Model 5.1 on
INDEXABLE = frozenset((
    T.INPUT, T.OUTPUT, T.INPUT_CONTROL_POINT, T.OUTPUT_CONTROL_POINT, T.INPUT_PATCH_CONSTANT,
))  # fmt: skip
ONCE = frozenset(OPS[name].code for name in (
    "dcl_globalFlags", "dcl_inputprimitive", "dcl_maxout", "dcl_gsinstances", "dcl_thread_group",
    "dcl_input_control_point_count", "dcl_output_control_point_count", "dcl_tessellator_domain",
    "dcl_tessellator_partitioning", "dcl_tessellator_output_primitive", "dcl_hs_max_tessfactor",
))  # fmt: skip
NEEDED: dict[int, list[int]] = {stage: [OPS[name].code for name in names] for stage, names in {
    ShaderKind.COMPUTE: ("dcl_thread_group",),
    ShaderKind.GEOMETRY: ("dcl_inputprimitive", "dcl_maxout"),
    ShaderKind.HULL: (
        "dcl_tessellator_domain", "dcl_tessellator_partitioning",
        "dcl_tessellator_output_primitive",
    ),
    ShaderKind.DOMAIN: ("dcl_tessellator_domain",),
}.items()}  # fmt: skip


def check_declaration(
    scope: ProgramScope, instruction: Instruction, row: Op
) -> DeclaredPort | RegisterRange | None:
    """Check a declaration, and record it; return the port or the range of registers."""
    if row.code in ONCE and row.code in scope.once:
        scope.add("tpf.redeclared", f"duplicate {row.name}")
    scope.once.add(row.code)
    for i, operand in enumerate(instruction.operands):
        if not _check_operand(scope, operand, row, f"operands[{i}]"):
            return None
    check = CHECKS.get(row.name)
    return None if check is None else check(scope, instruction, row)


def _declares(row: Op, letter: str, kind: int, register: RegisterTraits) -> bool:
    """Return True if the declaration can declare registers of the register file."""
    if letter != "A":
        return kind == BIND[letter]
    if row.name == "dcl_indexrange":
        return kind in INDEXABLE
    if row.name.startswith("dcl_output"):
        return register.uses == "w" and kind != T.NULL
    return kind == T.INPUT or (
        kind >= T.INPUT_PRIMITIVEID and register.uses == "r" and kind != T.THIS_POINTER
    )


def _check_operand(scope: ProgramScope, operand: Operand, row: Op, where: str) -> bool:
    """Return True if the operand of a declaration is a register that it can declare."""
    kind = operand.type
    register = REGISTERS.get(kind)
    letter = row.operands[0]
    name = word(NAMES, kind)
    if register is None or not _declares(row, letter, kind, register):
        scope.add("tpf.operand-kind", f"{row.name} cannot declare {name}", where)
        return False
    if scope.kind not in STAGE_SETS[register.stages]:
        scope.add("tpf.register-stage", f"{name} does not exist in this stage", where)
    expected: tuple[int, ...] = register.indices
    if letter in RANGED:
        expected = (3,) if scope.ranged else (2,) if letter == "C" else (1,)
    if len(operand.indices) not in expected:
        numbers = " or ".join(map(str, expected))
        message = (
            f"{register_name(operand)}: expected {numbers} indices, got {len(operand.indices)}"
        )
        scope.add("tpf.index-count", message, where)
        return False
    for i, index in enumerate(operand.indices):
        if index.relative is not None:
            inner = f"{where}.indices[{i}]"
            scope.add("tpf.relative-index", f"{row.name}: relative index", inner)
            return False
        if index.representation:
            scope.add("tpf.index-representation", "64-bit index", f"{where}.indices[{i}]")
    return True


# ---------------------------------------------------------------- resources


def _bind(scope: ProgramScope, instruction: Instruction, row: Op) -> RegisterRange:
    operand = instruction.operands[0]
    indices = tuple(index.immediate for index in operand.indices)
    form = {"dcl_resource": "typed", "dcl_uav_typed": "typed"}.get(
        row.name, row.name.split("_")[-1]
    )
    if row.operands in "SC":
        form = ""
    found = RegisterRange(operand.type, form, instruction.token, indices)
    found.space = dword(instruction, row, "space") or 0 if scope.ranged else 0
    found.stride = dword(instruction, row, "stride") or 0
    if form == "typed":
        cls = ResourceDcl if row.name == "dcl_resource" else UavDcl
        found.dimension = cls.dimension.of(instruction.token)
    if row.operands == "C":
        if not scope.ranged:
            found.lower = found.upper = found.id
        rows = dword(instruction, row, "size") if scope.ranged else indices[1]
        found.size = rows or 0
        if found.size > MAX_ROWS:
            scope.add("tpf.limit", f"{found}: expected at most {MAX_ROWS} rows, got {found.size}")
    if form == "structured" and (not found.stride or found.stride % 4 or found.stride > 2048):
        message = f"{found}: expected a stride of 4 to 2048, divisible by 4, got {found.stride}"
        scope.add("tpf.limit", message)
    record_range(scope, found)
    return found


def record_range(scope: ProgramScope, found: RegisterRange) -> None:
    """Record a declared range of registers, which must not be declared already."""
    known = scope.bound.setdefault(found.kind, {})
    if found.id in known:
        scope.add("tpf.redeclared", f"duplicate declaration of {found}", "operands[0]")
    if scope.ranged:
        _check_range(scope, found, known)
    elif found.id >= SLOTS[found.kind]:
        message = f"expected a register below {SLOTS[found.kind]}, got {found}"
        scope.add("tpf.limit", message, "operands[0]")
    known[found.id] = found


def _check_range(
    scope: ProgramScope, found: RegisterRange, known: dict[int, RegisterRange]
) -> None:
    if found.upper < found.lower:
        message = f"{found}: the range ends at {found.upper}, before its start {found.lower}"
        scope.add("tpf.index-range", message, "operands[0]")
    for other in list(known.values())[:256]:
        if other.space == found.space and other.lower <= found.upper and found.lower <= other.upper:
            scope.add("tpf.range-overlap", f"{found} overlaps {other}", "operands[0]")
            return


def _shared(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    operand = instruction.operands[0]
    number = operand.indices[0].immediate
    known = scope.bound.setdefault(operand.type, {})
    if number in known:
        scope.add("tpf.redeclared", f"duplicate declaration of g{number}", "operands[0]")
    found = RegisterRange(operand.type, row.name.split("_")[-1], instruction.token, (number,))
    if found.form == "raw":
        size = dword(instruction, row, "size") or 0
    else:
        found.stride = dword(instruction, row, "stride") or 0
        size = found.stride * (dword(instruction, row, "count") or 0)
    known[number] = found
    scope.shared += size
    most = 32768 if scope.model >= (5, 0) else 16384
    if scope.shared > most:
        scope.add("tpf.shared-memory", f"expected at most {most} bytes, got {scope.shared}")
    if size % 4 or found.stride % 4:
        message = f"g{number}: expected a multiple of 4 bytes, got {found.stride or size}"
        scope.add("tpf.shared-memory", message)


# ---------------------------------------------------------------- registers


def _temps(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    phase = scope.phase
    if phase.temps is not None:
        scope.add("tpf.redeclared", "duplicate dcl_temps")
    phase.temps = dword(instruction, row, "count") or 0
    _check_registers(scope, phase)


def _array(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    values = (dword(instruction, row, name) or 0 for name in row.dwords)
    register, count, components = values
    phase = scope.phase
    if register in phase.arrays:
        scope.add("tpf.redeclared", f"duplicate declaration of x{register}")
    if not 1 <= components <= 4:
        scope.add("tpf.limit", f"x{register}: expected 1 to 4 components, got {components}")
    phase.arrays[register] = count, min(components, 4)
    phase.array_registers += count
    _check_registers(scope, phase)


def _check_registers(scope: ProgramScope, phase: PhaseScope) -> None:
    total = (phase.temps or 0) + phase.array_registers
    if total > MAX_REGISTERS:
        message = f"expected at most {MAX_REGISTERS} temporary registers, got {total}"
        scope.add("tpf.limit", message)


# ---------------------------------------------------------------- settings


def _global_flags(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    scope.set_flags(instruction.token)


def _stream(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    scope.stream = instruction.operands[0].indices[0].immediate
    if scope.stream > 3:
        scope.add("tpf.limit", f"expected stream m0 to m3, got m{scope.stream}", "operands[0]")
    if scope.stream in scope.streams:
        scope.add("tpf.redeclared", f"duplicate declaration of m{scope.stream}", "operands[0]")
    scope.streams.add(scope.stream)


def _thread_group(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    x, y, z = (dword(instruction, row, name) or 0 for name in row.dwords)
    scope.threads = x, y, z
    most, deep = (1024, 64) if scope.model >= (5, 0) else (768, 1)
    if not (1 <= x <= most and 1 <= y <= most and 1 <= z <= deep and x * y * z <= most):
        message = f"expected at most {most} x {most} x {deep}, {most} in all, got {x} x {y} x {z}"
        scope.add("tpf.thread-group", message)


def _count(least: int, most: int) -> Callable[[ProgramScope, Instruction, Op], None]:
    def check(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
        if row.controls is ControlPoints:
            value = ControlPoints.count.of(instruction.token)
        else:
            value = dword(instruction, row, "count") or 0
        if not least <= value <= most:
            scope.add("tpf.limit", f"{row.name}: expected {least} to {most}, got {value}")

    return check


def _factor(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    bits = dword(instruction, row, "factor") or 0
    (value,) = struct.unpack("<f", struct.pack("<I", bits & 0xFFFF_FFFF))
    if not 1 <= value <= 64:
        scope.add("tpf.limit", f"{row.name}: expected 1 to 64, got {value:g}")


def _domain(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    if not TessDomain.domain.of(instruction.token):
        scope.add("tpf.control-value", f"{row.name}: expected a domain, got undefined", "domain")


# ---------------------------------------------------------------- interfaces


def _body(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    number = dword(instruction, row, "body") or 0
    if number in scope.bodies:
        scope.add("tpf.redeclared", f"duplicate declaration of fb{number}")
    scope.bodies.add(number)


def _table(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    number = dword(instruction, row, "table") or 0
    bodies = instruction.words[2:]
    count = dword(instruction, row, "count") or 0
    if number in scope.tables:
        scope.add("tpf.redeclared", f"duplicate declaration of ft{number}")
    if len(bodies) != count:
        scope.add("tpf.interface", f"ft{number}: expected {count} bodies, got {len(bodies)}")
    for body in bodies:
        if body not in scope.bodies:
            scope.add("tpf.interface", f"ft{number}: fb{body} is not declared")
            break
    scope.tables[number] = bodies


def _interface(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    number, sites = (dword(instruction, row, name) or 0 for name in ("interface", "call_sites"))
    sizes = TableSizes(dword(instruction, row, "lengths") or 0)
    tables = instruction.words[3:]
    if number in scope.interfaces:
        scope.add("tpf.redeclared", f"duplicate declaration of fp{number}")
    if len(tables) != sizes.table_length:
        message = f"fp{number}: expected {sizes.table_length} tables, got {len(tables)}"
        scope.add("tpf.interface", message)
    for table in tables:
        known = scope.tables.get(table)
        if known is None:
            scope.add("tpf.interface", f"fp{number}: ft{table} is not declared")
            break
        if len(known) != sites:
            message = f"fp{number}: expected ft{table} with {sites} bodies, got {len(known)}"
            scope.add("tpf.interface", message)
            break
    scope.interfaces[number] = sizes.array_length, sites


# ---------------------------------------------------------------- custom data


def check_custom(scope: ProgramScope, instruction: Instruction) -> None:
    """Check an immediate constant buffer or a message; other classes can hold anything."""
    payload = instruction.payload or ()
    kind = instruction.custom_class
    if kind == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER:
        if scope.icb is not None:
            scope.add("tpf.custom-data", "duplicate immediate constant buffer")
        if len(payload) % 4 or not payload:
            message = f"icb: expected a multiple of 4 dwords, got {len(payload) or 'none'}"
            scope.add("tpf.custom-data", message)
        elif len(payload) // 4 > MAX_ROWS:
            message = f"icb: expected at most {MAX_ROWS} rows, got {len(payload) // 4}"
            scope.add("tpf.limit", message)
        scope.icb = len(payload) // 4
    elif kind == CustomClass.SHADER_MESSAGE:
        if ShaderMessage.decode(payload) is None:
            scope.add("tpf.custom-data", "malformed header, operands or text of a shader message")
        scope.add("tpf.message", "a shader message requires the debug layer")
    elif member_of(CustomClass, kind) is None:
        scope.add("tpf.custom-data", f"unknown class {kind}")


def check_needed(scope: ProgramScope) -> None:
    """Check at the end of the program that all required declarations were found."""
    for code in NEEDED.get(scope.kind, ()):
        if code not in scope.once:
            scope.add_whole("tpf.missing-declaration", f"missing {OPS.by_code[code].name}")
    # A geometry shader without outputs (it stores to views) needs no topology: fxc writes none.
    writes = scope.writes and scope.kind == ShaderKind.GEOMETRY
    if writes and OPS["dcl_outputtopology"].code not in scope.once:
        message = "outputs without dcl_outputtopology"
        scope.add_whole("tpf.missing-declaration", message)


Check = Callable[[ProgramScope, Instruction, Op], DeclaredPort | RegisterRange | None]
CHECKS: dict[str, Check] = {
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
