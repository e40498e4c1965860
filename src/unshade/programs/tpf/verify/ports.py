"""Checks of declared inputs and outputs: components, system values, index ranges.

dcl_input_ps_siv linear noperspective v0.xyzw, position      dcl_indexrange v1.xyzw 4
"""

from ..instruction import Instruction
from ..tables.enumerations import SystemValueName
from ..tables.ops import Op
from ..tables.selection import mask_letters
from ..tables.spellings import REGISTERS as NAMES
from ..tables.spellings import SYSTEM_VALUES, word
from ..tables.tokens import SystemName
from .registers import FIRST_BIT, MAX_PORTS, OF_VERTICES, with_vertices
from .scope import DeclaredPort, ProgramScope, dword, register_name

# System values for dcl_*_sgv: the hardware generates them; the others come from earlier stages.
GENERATED = frozenset((
    SystemValueName.VERTEX_ID, SystemValueName.PRIMITIVE_ID, SystemValueName.INSTANCE_ID,
    SystemValueName.IS_FRONT_FACE, SystemValueName.SAMPLE_INDEX,
))  # fmt: skip
LAST_NAME = SystemValueName.FINAL_LINE_DENSITY_TESSFACTOR


def check_port(scope: ProgramScope, instruction: Instruction, row: Op) -> DeclaredPort:
    """Check the declaration of an input or output, and record it."""
    operand = instruction.operands[0]
    is_input = row.name.startswith("dcl_input")
    name = dword(instruction, row, "system_value")
    found = DeclaredPort(operand, SystemName(name or 0).name, is_input)
    if operand.components == 2 and operand.indices and not (found.mask and operand.mode == 0):
        scope.add(
            "tpf.mask", f"{register_name(operand)} is declared without components", "operands[0]"
        )
    if name is not None:
        _check_system_value(scope, found, row)
    if found.register >= MAX_PORTS:
        message = f"expected a register below {MAX_PORTS}, got {register_name(operand)}"
        scope.add("tpf.limit", message, "operands[0]")
    record_port(scope, found)
    if len(operand.indices) > 1 and not found.vertices:
        message = f"{register_name(operand)}: expected at least 1 vertex, got 0"
        scope.add("tpf.limit", message, "operands[0]")
    return found


def record_port(scope: ProgramScope, found: DeclaredPort) -> None:
    """Record a declared input or output; its components must not be declared already."""
    phase = scope.phase
    kind, register, mask = found.kind, found.register, found.mask
    place = phase.number, scope.stream, kind, register
    taken = scope.taken.get(place, 0)
    if taken & mask:
        message = f"duplicate declaration of {register_name(found.operand)}"
        scope.add("tpf.redeclared", message, "operands[0]")
    scope.taken[place] = taken | mask
    masks = phase.masks.get(kind)
    if masks is None:
        masks = phase.masks[kind] = {}
    masks[register] = masks.get(register, 0) | mask
    if found.vertices:
        if kind not in phase.vertices and kind in FIRST_BIT:
            phase.registers = with_vertices(phase.registers, kind)
        phase.vertices[kind] = found.vertices
    phase.registers |= found.bits << OF_VERTICES if kind in phase.vertices else found.bits
    if not found.input:
        scope.writes = True


def _check_system_value(scope: ProgramScope, port: DeclaredPort, row: Op) -> None:
    name = port.name
    if not 0 < name <= LAST_NAME:
        scope.add("tpf.system-value", f"unknown system value {name}", "system_value")
    elif row.name in ("dcl_input_sgv", "dcl_input_ps_sgv") and name not in GENERATED:
        message = f"{row.name}: expected a generated value, got {word(SYSTEM_VALUES, name)}"
        scope.add("tpf.system-value", message, "system_value")


def check_index_range(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    """Check dcl_indexrange, and record it."""
    operand = instruction.operands[0]
    first = operand.indices[-1].immediate
    count = dword(instruction, row, "count") or 0
    masks = scope.phase.masks.get(operand.type, {})
    if count < 2:
        scope.add("tpf.indexrange", f"expected at least 2 registers, got {count}")
    for number in (first, first + max(count, 1) - 1):  # fxc leaves gaps between these two
        if operand.mask & ~masks.get(number, 0):
            name = word(NAMES, operand.type)
            missing = mask_letters(operand.mask & ~masks.get(number, 0))
            message = f"{name}{number}.{missing} is not declared"
            scope.add("tpf.indexrange", message, "operands[0]")
            break
    ranges = scope.phase.ranges.setdefault(operand.type, [])
    if len(ranges) < MAX_PORTS * 4:  # each component of a register can be in one
        ranges.append((first, count))
