"""Counting a program as fxc counts it for STAT.

    mul r0.x, v0.x, cb0[0].x            float
    mad r0.x, r0.x, r0.x, l(1.000000)   float, but not for fxc 9
    round_ni r0.x, r0.x                 float and conversion
    if_nz cb0[1].x                      static flow: the condition is a constant
    ret                                 static flow

What an operation counts as is a column of the table of operations (programs/tpf/ops.py). The rest,
worked out from the STAT parts of 594 files of fxc 9.29, 9.30 and 10.1:

 - An operation with two results counts only where one of them is null; so sincos, udiv.
 - mov of a temporary array is an array instruction and no mov. One that copies a double is nothing
   (values.py). With `-` it is float arithmetic, if it neither saturates nor writes an output whose
   number is calculated.
 - `ne l(0), x` makes a bool of a float: a conversion. So does `and` with 1 of a bool that is no
   comparison's: one of check_access_fully_mapped, or a literal.
 - Loads from and stores to thread group shared memory count as nothing; so does mov to an output
   of a geometry shader.
 - A ret that nothing reaches, behind an if both of whose branches end in ret, is no flow control.
 - Of a hull shader all phases count; the registers are those of the phase that has most, the
   declarations the most inputs plus the most outputs that a phase has.

fxc 9 differs: it counts no mad and imad, of a hull shader's operations those of the control point
phase alone, and `mov r0, -x` as float only if x is a register r. 9.29 counts no loads without a
sampler and no stores. The movs of fxc 9 were counted before copies were removed, and cannot be told
from the program. All other numbers of the 594 files are ours.

vkd3d's compiler counts otherwise: declarations are instructions, `and`, `or`, `xor` are bitwise
operations, shared memory is loaded and stored, flow of control and declarations are not counted.
"""

from collections import Counter
from collections.abc import Iterable

from ....model import Statistics
from ....vocab.d3d import ShaderKind
from ..code import Code
from ..instruction import Instruction
from ..tables.enumerations import CustomClass, OperandType
from ..tables.ops import OPS, Op
from .values import copies_of_doubles, made_of_bools

__all__ = ["COUNTERS", "FXC", "instruction_count", "statistics"]

Version = tuple[int, int]
FXC: Version = (10, 1)  # the last compiler that made tokenized programs

# What the letters in the table's column stand for.
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
# abort is not counted though listings print it.
SILENT = frozenset(row.code for row in OPS if row.kind in ("decl", "phase", "debug")) | {LABEL}


def statistics(program: Code, version: Version = FXC) -> Statistics:
    """Return the counters of a program as that fxc fills them in."""
    totals = _operations(program, version) + _registers(program)
    names = [name for name in Statistics.FIELDS if name != "computed"]
    return Statistics(computed=True, **{name: totals[name] for name in names})


def instruction_count(program: Code) -> int:
    """Return the instructions as fxc counts them: with messages, without tables of constants."""
    return sum(_is_counted(each) for each in program.instructions)


def _is_counted(instruction: Instruction) -> bool:
    code = instruction.token & 0x7FF
    if code == CUSTOMDATA:
        return instruction.custom_class == CustomClass.SHADER_MESSAGE
    return code not in SILENT


# ---------------------------------------------------------------- declarations


def _registers(program: Code) -> Counter[str]:
    """What is declared: registers, arrays, constants, inputs and outputs."""
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
    """What the operations count as."""
    modern = version >= (10, 0)
    totals: Counter[str] = Counter()
    skipped = _unreachable(program.instructions) | copies_of_doubles(program.instructions)
    converted = made_of_bools(program.instructions) if modern else set()
    emits = modern and program.kind == ShaderKind.GEOMETRY
    told = True
    for at, each in enumerate(program.instructions):
        row = each.op
        if row is not None and row.kind == "phase":
            told = modern or row.name == "hs_control_point_phase"
            continue
        if not _is_counted(each):
            continue
        totals["instructions"] += 1
        if row is None or not told:
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
    """The table's letters, as this instruction's operands have it."""
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
        early = (9, 0) <= version < (9, 30)  # 6.3 is younger
        return "" if early and "S" not in row.operands else counts
    return counts


def _moved(instruction: Instruction, modern: bool) -> str:
    """What a mov counts as."""
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
    """The rets that stand behind an if whose two branches end in ret."""
    found: set[int] = set()
    branches: list[int] = []  # of the open ifs: branches that ended in ret
    last: str = ""
    closed = False  # the endif just met leaves no way out
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
