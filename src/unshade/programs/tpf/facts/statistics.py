"""Instruction counts as fxc computes them for STAT.

    mul r0.x, v0.x, cb0[0].x            float
    mad r0.x, r0.x, r0.x, l(1.000000)   float, but not for fxc 9
    round_ni r0.x, r0.x                 float and conversion
    if_nz cb0[1].x                      static flow: the condition is a constant
    ret                                 static flow

The table of operations (tables/ops.py) has the counts that include an operation. Further rules,
derived from the STAT parts of 594 files of fxc 9.29, 9.30 and 10.1:

 - An operation with two results counts only if one of them is null: sincos, udiv.
 - mov of a temporary array is an array instruction, not a mov. A mov that copies a double is not
   counted (values.py). With `-` it is float arithmetic, unless it saturates or writes an output
   with a relative index.
 - `ne l(0), x` converts a float to a bool: a conversion. So is `and` with 1 of a bool that is not
   the result of a comparison, but of check_access_fully_mapped, or a literal.
 - Loads from and stores to thread group shared memory are not counted; nor is mov to an output of
   a geometry shader.
 - An unreachable ret, after an if both of whose branches end in ret, is not flow control.
 - All phases of a hull shader count; its registers are those of the phase with most, its
   declarations the maximum of inputs plus the maximum of outputs over all phases.

fxc 9 differs: it counts neither mad nor imad, in a hull shader only the operations of the control
point phase, and `mov r0, -x` as float only if x is a register r. 9.29 counts neither loads without
a sampler nor stores. fxc 9 counts movs before it removes copies, so their number cannot be derived.

vkd3d's compiler counts differently: declarations are instructions, `and`, `or`, `xor` are bitwise
operations, accesses to shared memory count, flow control and declarations do not.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from ....model import Statistics
from ....vocab.d3d import ShaderKind
from ..code import Code
from ..instruction import Instruction
from ..tables.enumerations import CustomClass, OperandType
from ..tables.ops import OPS, Op
from .values import bool_conversions, double_copies

__all__ = ["COUNTERS", "FXC", "instruction_count", "statistics"]

Version = tuple[int, int]
FXC: Version = (10, 1)  # the last compiler of tokenized programs

# Names of the letters in the table of operations.
COUNTERS = {
    "f": "float_instructions",
    "i": "int_instructions",
    "u": "uint_instructions",
    "c": "conversions",
    "m": "moves",
    "v": "conditional_moves",
    "s": "static_flow_control",
    "d": "dynamic_flow_control",
    "n": "texture_samples",
    "p": "texture_comparisons",
    "b": "texture_bias",
    "g": "texture_gradients",
    "h": "texture_gathers",
    "o": "lods",
    "l": "texture_loads",
    "w": "stores",
    "a": "interlocked",
    "y": "barriers",
    "e": "emits",
    "k": "cuts",
}

T = OperandType
CONSTANTS = (T.IMMEDIATE32, T.CONSTANT_BUFFER, T.IMMEDIATE_CONSTANT_BUFFER)
CUSTOMDATA, LABEL = OPS["customdata"].code, OPS["label"].code
MOV, NE, RET = OPS["mov"].code, OPS["ne"].code, OPS["ret"].code
IF, ELSE, ENDIF = OPS["if"].code, OPS["else"].code, OPS["endif"].code
TEMPS, TEMP_ARRAY = OPS["dcl_temps"].code, OPS["dcl_indexableTemp"].code
CONTROL_POINTS = OPS["hs_control_point_phase"].code
# abort is not counted although listings print it.
SILENT = frozenset(row.code for row in OPS if row.kind in ("decl", "phase", "debug")) | {LABEL}
PHASES = frozenset(row.code for row in OPS if row.kind == "phase")
DECLARATIONS = {row.code: row for row in OPS if row.kind in ("decl", "phase")}
OF_TYPE = 255 << 12  # the bits of an operand token with the type
ARRAYS = T.INDEXABLE_TEMP << 12
NAMES = [name for name in Statistics.FIELDS if name != "computed"]


def statistics(program: Code, version: Version = FXC) -> Statistics:
    """Return the counters of a program as computed by that version of fxc."""
    totals = dict.fromkeys(NAMES, 0)
    _count_operations(program, version, totals)
    _count_registers(program, totals)
    return Statistics(computed=True, **totals)


def instruction_count(program: Code) -> int:
    """Return the number of instructions as in fxc: with messages, without constant tables."""
    return sum(_is_counted(each) for each in program.listed)


def _is_counted(instruction: Instruction) -> bool:
    code = instruction.token & 0x7FF
    if code == CUSTOMDATA:
        return instruction.custom_class == CustomClass.SHADER_MESSAGE
    return code not in SILENT


# ---------------------------------------------------------------- declarations


def _count_registers(program: Code, totals: dict[str, int]) -> None:
    """Count declarations: registers, arrays, constants, inputs and outputs."""
    temps = 0
    ports: Counter[str] = Counter()  # of one phase
    most: Counter[str] = Counter()
    for each in program.listed:
        code = each.token & 0x7FF
        if code == CUSTOMDATA:
            if each.custom_class == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER:
                totals["defines"] += len(each.payload or ()) // 4
            continue
        row = DECLARATIONS.get(code)
        if row is None:
            continue
        if row.kind == "phase":
            most |= ports
            ports.clear()
        elif code == TEMPS:
            temps = max(temps, *each.words[:1], 0)
        elif code == TEMP_ARRAY:
            totals["temp_array_registers"] += sum(each.words[1:2])
        elif row.counts:
            ports[row.counts] += 1  # `<` input, `>` output
    totals["temp_registers"] = temps
    totals["declarations"] = (most | ports).total()


# ---------------------------------------------------------------- operations


def _count_operations(program: Code, version: Version, totals: dict[str, int]) -> None:
    modern = version >= (10, 0)
    instructions = program.listed
    codes = [each.token & 0x7FF for each in instructions]
    skipped = _unreachable(codes) | double_copies(instructions, codes)
    converted = bool_conversions(instructions, codes) if modern else set()
    emits = modern and program.kind == ShaderKind.GEOMETRY
    counters = _counters(modern)
    counted = True
    number = arrays = 0
    for at, (code, each) in enumerate(zip(codes, instructions, strict=True)):
        if code in SILENT or (code == CUSTOMDATA and not _is_counted(each)):
            if code in PHASES:
                counted = modern or code == CONTROL_POINTS
            continue
        number += 1
        found = counters.get(code)
        if found is None or not counted:
            continue
        operands = each.operands
        for operand in operands:
            if operand.token & OF_TYPE == ARRAYS:
                arrays += 1
                break
        row, names = found
        if at in skipped or len(operands) != len(row.operands):
            continue
        if names is None:
            if emits and code == MOV and operands[0].type == T.OUTPUT:
                continue
            letters = "c" if at in converted else _letters(each, row, version)
            names = tuple(COUNTERS[letter] for letter in letters)
        elif at in converted:
            names = CONVERTED
        for name in names:
            totals[name] += 1
    totals["instructions"] = number
    totals["array_instructions"] = arrays


CONVERTED = (COUNTERS["c"],)
BY_OPERANDS = frozenset({"d", "l", "w"})  # letters of which the operands decide


@cache
def _counters(modern: bool) -> dict[int, tuple[Op, tuple[str, ...] | None]]:
    """Return each operation with the names of its counters; None if its operands decide."""
    found: dict[int, tuple[Op, tuple[str, ...] | None]] = {}
    for row in OPS:
        counts = row.counts
        depends = row.code in (MOV, NE) or row.operands.startswith("NN") or counts in BY_OPERANDS
        if counts.isupper():
            counts, depends = counts.lower() if modern else "", False
        known = () if row.kind in ("decl", "data") else tuple(COUNTERS[each] for each in counts)
        found[row.code] = row, None if depends and counts else known
    return found


def _letters(instruction: Instruction, row: Op, version: Version) -> str:
    """Return the letters of an instruction: those of the table, as its operands modify them."""
    counts = row.counts
    modern = version >= (10, 0)
    if counts.isupper():
        return counts.lower() if modern else ""
    operands = instruction.operands
    if counts == "d":
        return "s" if operands[0].type in CONSTANTS else "d"
    if row.code == MOV:
        return _moved(instruction, modern)
    if row.code == NE:
        first = operands[1]
        return "c" if first.type == T.IMMEDIATE32 and not any(first.literal) else "f"
    if row.operands.startswith("NN"):
        return counts if any(each.type == T.NULL for each in operands[:2]) else ""
    if counts in ("l", "w"):
        if any(each.type == T.THREAD_GROUP_SHARED_MEMORY for each in operands):
            return ""
        early = (9, 0) <= version < (9, 30)  # 6.3 is newer
        return "" if early and "S" not in row.operands else counts
    return counts


def _moved(instruction: Instruction, modern: bool) -> str:
    """Return the letter of a mov."""
    target, source = instruction.operands
    if source.negate:
        if not modern:
            return "f" if source.type == T.TEMP else ""
        calculated = any(index.relative is not None for index in target.indices)
        return "m" if instruction.saturate or calculated else "f"
    return "" if _is_array(instruction) or source.modifier else "m"


def _is_array(instruction: Instruction) -> bool:
    return any(each.token & OF_TYPE == ARRAYS for each in instruction.operands)


def _unreachable(codes: Sequence[int]) -> set[int]:
    """Return the indices of rets after an if both of whose branches end in ret."""
    found: set[int] = set()
    if IF not in codes:
        return found
    branches: list[int] = []  # for each open if: branches that ended in ret
    last = -1
    closed = False  # control does not reach the end of the previous endif
    for at, code in enumerate(codes):
        if code == RET and closed:
            found.add(at)
        closed = False
        if code == IF:
            branches.append(0)
        elif code in (ELSE, ENDIF) and branches:
            branches[-1] += last == RET
            if code == ENDIF:
                closed = branches.pop() == 2
        last = code
    return found
