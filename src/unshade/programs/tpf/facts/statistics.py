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
from collections.abc import Iterable

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
# abort is not counted although listings print it.
SILENT = frozenset(row.code for row in OPS if row.kind in ("decl", "phase", "debug")) | {LABEL}


def statistics(program: Code, version: Version = FXC) -> Statistics:
    """Return the counters of a program as computed by that version of fxc."""
    totals = _operations(program, version) + _registers(program)
    names = [name for name in Statistics.FIELDS if name != "computed"]
    return Statistics(computed=True, **{name: totals[name] for name in names})


def instruction_count(program: Code) -> int:
    """Return the number of instructions as in fxc: with messages, without constant tables."""
    return sum(_is_counted(each) for each in program.instructions)


def _is_counted(instruction: Instruction) -> bool:
    code = instruction.token & 0x7FF
    if code == CUSTOMDATA:
        return instruction.custom_class == CustomClass.SHADER_MESSAGE
    return code not in SILENT


# ---------------------------------------------------------------- declarations


def _registers(program: Code) -> Counter[str]:
    """Count declarations: registers, arrays, constants, inputs and outputs."""
    totals: Counter[str] = Counter()
    temps = 0
    ports: Counter[str] = Counter()  # of one phase
    most: Counter[str] = Counter()
    for each in program.instructions:
        row = each.op
        if row is None:
            continue
        if row.kind == "phase":
            most |= ports
            ports.clear()
        elif row.kind == "data":
            if each.custom_class == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER:
                totals["defines"] += len(each.payload or ()) // 4
        elif row.kind == "decl":
            ports.update(row.counts)  # `<` input, `>` output
            if row.name == "dcl_temps":
                temps = max(temps, *each.words[:1], 0)
            elif row.name == "dcl_indexableTemp":
                totals["temp_array_registers"] += sum(each.words[1:2])
    totals["temp_registers"] = temps
    totals["declarations"] = (most | ports).total()
    return totals


# ---------------------------------------------------------------- operations


def _operations(program: Code, version: Version) -> Counter[str]:
    """Count operations."""
    modern = version >= (10, 0)
    totals: Counter[str] = Counter()
    skipped = _unreachable(program.instructions) | double_copies(program.instructions)
    converted = bool_conversions(program.instructions) if modern else set()
    emits = modern and program.kind == ShaderKind.GEOMETRY
    counted = True
    for at, each in enumerate(program.instructions):
        row = each.op
        if row is not None and row.kind == "phase":
            counted = modern or row.name == "hs_control_point_phase"
            continue
        if not _is_counted(each):
            continue
        totals["instructions"] += 1
        if row is None or not counted:
            continue
        totals["array_instructions"] += _is_array(each)
        if not row.counts or len(each.operands) != len(row.operands) or at in skipped:
            continue
        if emits and row.code == MOV and each.operands[0].type == T.OUTPUT:
            continue
        letters = "c" if at in converted else _letters(each, row, version)
        totals.update(COUNTERS[letter] for letter in letters)
    return totals


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
    return any(each.type == T.INDEXABLE_TEMP for each in instruction.operands)


def _unreachable(instructions: Iterable[Instruction]) -> set[int]:
    """Return the indices of rets after an if both of whose branches end in ret."""
    found: set[int] = set()
    branches: list[int] = []  # for each open if: branches that ended in ret
    last: str = ""
    closed = False  # control does not reach the end of the previous endif
    for at, each in enumerate(instructions):
        name = each.name
        if name == "ret" and closed:
            found.add(at)
        closed = False
        if name == "if":
            branches.append(0)
        elif name in ("else", "endif") and branches:
            branches[-1] += last == "ret"
            if name == "endif":
                closed = branches.pop() == 2
        last = name
    return found
