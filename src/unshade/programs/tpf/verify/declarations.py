"""Checks of declarations: limits, doubles, system values; what they declare goes into `Declared`.

Limits are those of the Direct3D 11 functional specification: 4096 temporary registers (x included),
16 samplers, 128 resources, 14 constant buffers (and what the compiler adds to 15), 8 views (64 from
11.1 on), 4096 rows of a constant buffer, 1024 scalars that a geometry shader may write.
"""

import struct
from collections.abc import Callable

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
from .registers import REGISTERS, STAGE_SETS, Register
from .scope import Phase, Range, Scope, dword, shown

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


def check_declaration(scope: Scope, instruction: Instruction, row: Op) -> None:
    """One declaration."""
    if row.code in ONCE and row.code in scope.once:
        scope.add("tpf.redeclared", f"{row.name} stands here a second time")
    scope.once.add(row.code)
    for i, operand in enumerate(instruction.operands):
        if not _check_operand(scope, operand, row, f"operands[{i}]"):
            return
    check = CHECKS.get(row.name)
    if check is not None:
        check(scope, instruction, row)


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


def _check_operand(scope: Scope, operand: Operand, row: Op, where: str) -> bool:
    """Whether the operand of a declaration is a register that it can declare."""
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
        message = (
            f"{shown(operand)} has {len(operand.indices)} indices, {expected[0]} were expected"
        )
        scope.add("tpf.index-count", message, where)
        return False
    for i, index in enumerate(operand.indices):
        if index.relative is not None:
            inner = f"{where}.indices[{i}]"
            scope.add("tpf.relative-index", "a declaration states numbers", inner)
            return False
        if index.representation:
            scope.add("tpf.index-representation", "an index of 64 bits", f"{where}.indices[{i}]")
    return True


# ---------------------------------------------------------------- resources


def _bind(scope: Scope, instruction: Instruction, row: Op) -> None:
    operand = instruction.operands[0]
    indices = tuple(index.immediate for index in operand.indices)
    form = {"dcl_resource": "typed", "dcl_uav_typed": "typed"}.get(
        row.name, row.name.split("_")[-1]
    )
    if row.operands in "SC":
        form = ""
    found = Range(scope.at, operand.type, form, instruction.token, indices)
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
            scope.add("tpf.limit", f"{found} has {found.size} rows, at most {MAX_ROWS}")
    if form == "structured" and (not found.stride or found.stride % 4 or found.stride > 2048):
        message = f"a stride of {found.stride} bytes; 4 to 2048, a multiple of 4"
        scope.add("tpf.limit", message)
    known = scope.bound.setdefault(operand.type, {})
    if found.id in known:
        scope.add("tpf.redeclared", f"{found} is declared already", "operands[0]")
    if scope.ranged:
        _check_range(scope, found, known)
    elif found.id >= SLOTS[operand.type]:
        message = f"{found}, there are {SLOTS[operand.type]}"
        scope.add("tpf.limit", message, "operands[0]")
    known[found.id] = found


def _check_range(scope: Scope, found: Range, known: dict[int, Range]) -> None:
    if found.upper < found.lower:
        message = f"a range from {found.lower} to {found.upper}"
        scope.add("tpf.index-range", message, "operands[0]")
    for other in list(known.values())[:256]:
        if other.space == found.space and other.lower <= found.upper and found.lower <= other.upper:
            scope.add("tpf.range-overlap", f"{found} and {other} share registers", "operands[0]")
            return


def _shared(scope: Scope, instruction: Instruction, row: Op) -> None:
    operand = instruction.operands[0]
    number = operand.indices[0].immediate
    known = scope.bound.setdefault(operand.type, {})
    if number in known:
        scope.add("tpf.redeclared", f"g{number} is declared already", "operands[0]")
    found = Range(scope.at, operand.type, row.name.split("_")[-1], instruction.token, (number,))
    if found.form == "raw":
        size = dword(instruction, row, "size") or 0
    else:
        found.stride = dword(instruction, row, "stride") or 0
        size = found.stride * (dword(instruction, row, "count") or 0)
    known[number] = found
    scope.shared += size
    most = 32768 if scope.model >= (5, 0) else 16384
    if scope.shared > most:
        scope.add("tpf.shared-memory", f"{scope.shared} bytes so far, at most {most}")
    if size % 4 or found.stride % 4:
        scope.add("tpf.shared-memory", f"{size} bytes are not whole dwords")


# ---------------------------------------------------------------- registers


def _temps(scope: Scope, instruction: Instruction, row: Op) -> None:
    phase = scope.phase
    if phase.temps is not None:
        scope.add("tpf.redeclared", "dcl_temps stands here a second time")
    phase.temps = dword(instruction, row, "count") or 0
    _check_registers(scope, phase)


def _array(scope: Scope, instruction: Instruction, row: Op) -> None:
    values = (dword(instruction, row, name) or 0 for name in row.dwords)
    register, count, components = values
    phase = scope.phase
    if register in phase.arrays:
        scope.add("tpf.redeclared", f"x{register} is declared already")
    if not 1 <= components <= 4:
        scope.add("tpf.limit", f"x{register} has {components} components, 1 to 4 are possible")
    phase.arrays[register] = count, min(components, 4)
    phase.array_registers += count
    _check_registers(scope, phase)


def _check_registers(scope: Scope, phase: Phase) -> None:
    total = (phase.temps or 0) + phase.array_registers
    if total > MAX_REGISTERS:
        scope.add("tpf.limit", f"{total} temporary registers, at most {MAX_REGISTERS}")


# ---------------------------------------------------------------- settings


def _global_flags(scope: Scope, instruction: Instruction, row: Op) -> None:
    scope.flags = instruction.token


def _stream(scope: Scope, instruction: Instruction, row: Op) -> None:
    scope.stream = instruction.operands[0].indices[0].immediate
    if scope.stream > 3:
        scope.add("tpf.limit", f"m{scope.stream}, there are 4 streams", "operands[0]")
    if scope.stream in scope.streams:
        scope.add("tpf.redeclared", f"m{scope.stream} is declared already", "operands[0]")
    scope.streams.add(scope.stream)


def _thread_group(scope: Scope, instruction: Instruction, row: Op) -> None:
    x, y, z = (dword(instruction, row, name) or 0 for name in row.dwords)
    scope.threads = x, y, z
    most, deep = (1024, 64) if scope.model >= (5, 0) else (768, 1)
    if not (1 <= x <= most and 1 <= y <= most and 1 <= z <= deep and x * y * z <= most):
        scope.add("tpf.thread-group", f"{x} x {y} x {z} threads")


def _count(least: int, most: int) -> Callable[[Scope, Instruction, Op], None]:
    def check(scope: Scope, instruction: Instruction, row: Op) -> None:
        if row.controls is ControlPoints:
            value = ControlPoints.count.of(instruction.token)
        else:
            value = dword(instruction, row, "count") or 0
        if not least <= value <= most:
            scope.add("tpf.limit", f"{row.name} {value}, {least} to {most} are possible")

    return check


def _factor(scope: Scope, instruction: Instruction, row: Op) -> None:
    bits = dword(instruction, row, "factor") or 0
    (value,) = struct.unpack("<f", struct.pack("<I", bits & 0xFFFF_FFFF))
    if not 1 <= value <= 64:
        scope.add("tpf.limit", f"a tessellation factor of {value:g}, 1 to 64 are possible")


def _domain(scope: Scope, instruction: Instruction, row: Op) -> None:
    if not TessDomain.domain.of(instruction.token):
        scope.add("tpf.control-value", "a domain must be stated", "domain")


# ---------------------------------------------------------------- interfaces


def _body(scope: Scope, instruction: Instruction, row: Op) -> None:
    number = dword(instruction, row, "body") or 0
    if number in scope.bodies:
        scope.add("tpf.redeclared", f"fb{number} is declared already")
    scope.bodies.add(number)


def _table(scope: Scope, instruction: Instruction, row: Op) -> None:
    number = dword(instruction, row, "table") or 0
    bodies = instruction.words[2:]
    if number in scope.tables:
        scope.add("tpf.redeclared", f"ft{number} is declared already")
    if len(bodies) != (dword(instruction, row, "count") or 0):
        scope.add("tpf.interface", f"ft{number} does not list as many bodies as it says")
    for body in bodies:
        if body not in scope.bodies:
            scope.add("tpf.interface", f"ft{number} lists fb{body}, which is not declared")
            break
    scope.tables[number] = bodies


def _interface(scope: Scope, instruction: Instruction, row: Op) -> None:
    number, sites = (dword(instruction, row, name) or 0 for name in ("interface", "call_sites"))
    sizes = TableSizes(dword(instruction, row, "lengths") or 0)
    tables = instruction.words[3:]
    if number in scope.interfaces:
        scope.add("tpf.redeclared", f"fp{number} is declared already")
    if len(tables) != sizes.table_length:
        scope.add("tpf.interface", f"fp{number} does not list as many tables as it says")
    for table in tables:
        known = scope.tables.get(table)
        if known is None or len(known) != sites:
            what = "is not declared" if known is None else f"has {len(known)} bodies, not {sites}"
            scope.add("tpf.interface", f"fp{number} lists ft{table}, which {what}")
            break
    scope.interfaces[number] = sizes.array_length, sites


# ---------------------------------------------------------------- custom data


def check_custom(scope: Scope, instruction: Instruction) -> None:
    """customdata: the constant table and messages; other classes can hold anything."""
    payload = instruction.payload or ()
    kind = instruction.custom_class
    if kind == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER:
        if scope.icb is not None:
            scope.add("tpf.custom-data", "a second constant table")
        if len(payload) % 4 or not payload:
            scope.add("tpf.custom-data", f"{len(payload)} dwords are no rows of four")
        elif len(payload) // 4 > MAX_ROWS:
            scope.add("tpf.limit", f"{len(payload) // 4} rows, at most {MAX_ROWS}")
        scope.icb = len(payload) // 4
    elif kind == CustomClass.SHADER_MESSAGE:
        if ShaderMessage.decode(payload) is None:
            scope.add("tpf.custom-data", "no header, operands and text of a message")
        scope.add("tpf.message", "a shader message needs the debug layer")
    elif kind not in CustomClass._value2member_map_:
        scope.add("tpf.custom-data", f"class {kind} has no meaning")


def check_needed(scope: Scope) -> None:
    """At the end: what the stage must have declared."""
    for name in NEEDED.get(scope.kind, ()):  # type: ignore[call-overload]
        if OPS[name].code not in scope.once:
            scope.add_whole("tpf.missing-declaration", f"{name} is missing")
    # A geometry shader that gives nothing (it stores to views) needs no topology: fxc writes none.
    gives = scope.kind == ShaderKind.GEOMETRY and any(not port.input for port in scope.ports)
    if gives and OPS["dcl_outputtopology"].code not in scope.once:
        message = "outputs without dcl_outputtopology"
        scope.add_whole("tpf.missing-declaration", message)


CHECKS: dict[str, Callable[[Scope, Instruction, Op], None]] = {
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
