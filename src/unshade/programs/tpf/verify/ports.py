"""Checks of declared inputs and outputs: components, system values, ranges that can be indexed.

dcl_input_ps_siv linear noperspective v0.xyzw, position      dcl_indexrange v1.xyzw 4
"""

from ..instruction import Instruction
from ..tables.enumerations import Name
from ..tables.ops import Op
from ..tables.spellings import REGISTERS as NAMES
from ..tables.spellings import word
from ..tables.tokens import SystemName
from .scope import Port, Scope, dword, shown

MAX_PORTS = 32
# What dcl_*_sgv may declare: what the hardware makes; the others carry values between stages.
GENERATED = frozenset(
    (Name.VERTEX_ID, Name.PRIMITIVE_ID, Name.INSTANCE_ID, Name.IS_FRONT_FACE, Name.SAMPLE_INDEX)
)
LAST_NAME = Name.FINAL_LINE_DENSITY_TESSFACTOR


def check_port(scope: Scope, instruction: Instruction, row: Op) -> None:
    operand = instruction.operands[0]
    is_input = row.name.startswith("dcl_input")
    name = dword(instruction, row, "system_value")
    found = Port(scope.at, operand, SystemName(name or 0).name, is_input)
    found.phase = len(scope.phases) - 1
    found.stream = scope.stream
    if operand.components == 2 and operand.indices and not (found.mask and operand.mode == 0):
        scope.add("tpf.mask", f"{shown(operand)} is declared without components", "operands[0]")
    if name is not None:
        _check_system_value(scope, found, row)
    if found.register >= MAX_PORTS:
        scope.add("tpf.limit", f"{shown(operand)}, there are {MAX_PORTS}", "operands[0]")
    phase = scope.phase
    masks = phase.masks.setdefault(found.kind, {})
    place = found.phase, found.stream, found.kind, found.register
    taken = scope.taken.get(place, 0)
    if taken & found.mask:
        scope.add("tpf.redeclared", f"{shown(operand)} is declared already", "operands[0]")
    scope.taken[place] = taken | found.mask
    masks[found.register] = masks.get(found.register, 0) | found.mask
    if found.vertices:
        phase.vertices[found.kind] = found.vertices
    elif len(operand.indices) > 1:
        scope.add("tpf.limit", f"{shown(operand)} has no vertices", "operands[0]")
    if len(scope.ports) < 4096:
        scope.ports.append(found)


def _check_system_value(scope: Scope, port: Port, row: Op) -> None:
    name = port.name
    if not 0 < name <= LAST_NAME:
        scope.add("tpf.system-value", f"system value {name} has no meaning", "system_value")
    elif row.name in ("dcl_input_sgv", "dcl_input_ps_sgv") and name not in GENERATED:
        scope.add("tpf.system-value", f"{Name(name).name} is not generated", "system_value")


def check_index_range(scope: Scope, instruction: Instruction, row: Op) -> None:
    operand = instruction.operands[0]
    first = operand.indices[-1].immediate
    count = dword(instruction, row, "count") or 0
    masks = scope.phase.masks.get(operand.type, {})
    if count < 2:
        scope.add("tpf.indexrange", f"a range of {count} registers")
    for number in (first, first + max(count, 1) - 1):  # between them fxc leaves holes
        if operand.mask & ~masks.get(number, 0):
            name = word(NAMES, operand.type)
            message = f"{name}{number} is not declared with these components"
            scope.add("tpf.indexrange", message, "operands[0]")
            break
    ranges = scope.phase.ranges.setdefault(operand.type, [])
    if len(ranges) < MAX_PORTS * 4:  # each component of a register can be in one
        ranges.append((first, count))
