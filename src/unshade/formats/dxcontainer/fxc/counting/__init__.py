"""Counting a program again: the words of STAT as fxc fills them in.

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
from typing import TYPE_CHECKING, Any

from .....errors import UnsupportedError, UsageError
from .....programs.tpf import Instruction, Program
from .....programs.tpf.enumerations import CustomClass, Name, OperandType
from .....programs.tpf.ops import OPS, Op
from .....programs.tpf.tokens import (
    ControlPoints,
    GsPrimitive,
    GsTopology,
    InputPs,
    SystemName,
    TessDomain,
    TessOutputPrimitive,
    TessPartitioning,
)
from .....vocab import fxc
from .....vocab.d3d import ShaderKind
from ...parts.stat import Statistics
from .values import copies_of_doubles, made_of_bools

if TYPE_CHECKING:
    from ...container import Container

__all__ = ["FXC", "count", "counted", "declared_facts", "instruction_count", "recount"]

Version = tuple[int, int]
FXC: Version = (10, 1)  # the last compiler that made tokenized programs

# What the letters in the table's column stand for.
COUNTERS = {
    "f": "float_instruction_count",
    "i": "int_instruction_count",
    "u": "uint_instruction_count",
    "c": "conversion_instruction_count",
    "m": "mov_instruction_count",
    "v": "movc_instruction_count",
    "s": "static_flow_control_count",
    "d": "dynamic_flow_control_count",
    "n": "texture_normal_instructions",
    "p": "texture_comp_instructions",
    "b": "texture_bias_instructions",
    "g": "texture_gradient_instructions",
    "h": "texture_gather_instructions",
    "o": "lod_instructions",
    "l": "texture_load_instructions",
    "w": "texture_store_instructions",
    "a": "interlocked_instructions",
    "y": "barrier_instructions",
    "e": "emit_instruction_count",
    "k": "cut_instruction_count",
}
# Fields that repeat a declaration: field, control bits or None for the first dword.
DECLARED = {
    "dcl_inputprimitive": ("input_primitive", GsPrimitive.primitive),
    "dcl_outputtopology": ("gs_output_topology", GsTopology.topology),
    "dcl_maxout": ("gs_max_output_vertex_count", None),
    "dcl_gsinstances": ("gs_instance_count", None),
    "dcl_output_control_point_count": ("control_points", ControlPoints.count),
    "dcl_tessellator_domain": ("tessellator_domain", TessDomain.domain),
    "dcl_tessellator_partitioning": ("hs_partitioning", TessPartitioning.partitioning),
    "dcl_tessellator_output_primitive": (
        "hs_output_primitive",
        TessOutputPrimitive.output_primitive,
    ),
}
PATCH = 7  # primitives from 8 on are patches of 1 control point and more

T = OperandType
CONSTANTS = (T.IMMEDIATE32, T.CONSTANT_BUFFER, T.IMMEDIATE_CONSTANT_BUFFER)
CUSTOMDATA, LABEL = OPS["customdata"].code, OPS["label"].code
MOV, NE, RET = OPS["mov"].code, OPS["ne"].code, OPS["ret"].code
# abort is not counted though listings print it.
SILENT = frozenset(row.code for row in OPS if row.kind in ("decl", "phase", "debug")) | {LABEL}


def counted(version: Version = FXC) -> tuple[str, ...]:
    """The fields that `count` tells for such a compiler: all but the mov of fxc 9."""
    names = (field.name for field in Statistics.layout.fields)
    return tuple(name for name in names if version >= (10, 0) or name != COUNTERS["m"])


def instruction_count(program: Program) -> int:
    """The instructions as fxc counts them: messages are some, tables of constants are none."""
    return sum(_is_counted(each) for each in program.instructions)


def _is_counted(instruction: Instruction) -> bool:
    code = instruction.token & 0x7FF
    if code == CUSTOMDATA:
        return instruction.custom_class == CustomClass.SHADER_MESSAGE
    return code not in SILENT


def declared_facts(program: Program) -> dict[str, int]:
    """The fields of STAT that repeat a declaration, with what the program declares."""
    found: dict[str, int] = {}
    for each in program.instructions:
        row = each.op
        if row is None or row.kind != "decl":
            continue
        if row.name == "dcl_input_control_point_count":
            points = ControlPoints.count.of(each.token)
            if program.kind == ShaderKind.DOMAIN:
                found["control_points"] = points
            else:
                found["input_primitive"] = PATCH + points
        elif row.name in DECLARED:
            name, bits = DECLARED[row.name]
            if bits is not None:
                found[name] = bits.of(each.token)
            elif each.words:
                found[name] = each.words[0]
    return found


def count(program: Program, *, version: Version = FXC, extended: bool | None = None) -> Statistics:
    """The counters of a program as that fxc fills them in.

    `extended` says whether there are the words that Shader Model 5 added; by default the program's
    model does.
    """
    totals = _operations(program, version) + _registers(program)
    totals.update(declared_facts(program))
    if extended is None:
        extended = program.model >= (5, 0)
    values: dict[str, Any] = {field.name: totals[field.name] for field in Statistics.layout.fields}
    if not extended:
        values |= {field.name: None for field in Statistics.layout.fields if field.when}
    return Statistics(**values)


# ---------------------------------------------------------------- declarations


def _registers(program: Program) -> Counter[str]:
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
                totals["define_count"] += len(each.payload or ()) // 4
        elif row.kind == "decl":
            ports.update(row.counts)  # `<` input, `>` output
            if row.name == "dcl_temps":
                temps = max(temps, *each.words[:1], 0)
            elif row.name == "dcl_indexableTemp":
                totals["temp_array_count"] += sum(each.words[1:2])
            elif row.controls is InputPs and _at_samples(each, row):
                totals["is_sample_frequency"] = 1
    totals["temp_register_count"] = temps
    totals["declaration_count"] = (most | ports).total()
    return totals


def _at_samples(instruction: Instruction, row: Op) -> bool:
    """Whether an input of a pixel shader makes it run once for each sample."""
    mode = InputPs.interpolation.of(instruction.token)
    if mode in (6, 7):  # linear sample, linear noperspective sample
        return True
    names = instruction.words[:1] if row.dwords else ()
    return any(SystemName.name.of(word) == Name.SAMPLE_INDEX for word in names)


# ---------------------------------------------------------------- operations


def _operations(program: Program, version: Version) -> Counter[str]:
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
        totals["instruction_count"] += 1
        if row is None or not told:
            continue
        totals["array_instruction_count"] += _is_array(each)
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


# ---------------------------------------------------------------- STAT


def recount(container: "Container") -> dict[str, tuple[int, int]]:
    """Fill STAT in again; each counter that changed, before and now."""
    part = container.parts.get("STAT")
    if part is None:
        raise UsageError("there is no part STAT; shader['STAT'] = counting.count(program) adds one")
    stated = part.value
    if part.error is not None:
        raise UsageError(f"STAT cannot be read: {part.error}")
    if not isinstance(stated, Statistics):
        raise UnsupportedError("STAT beside DXIL is a program for reflection and counts nothing")
    programs = (each.value for each in container.parts.all("SHDR", "SHEX"))
    program = next((each for each in programs if isinstance(each, Program)), None)
    if program is None:
        raise UsageError("there is no program to count")
    definition = container.parts.get("RDEF")
    creator = getattr(definition.value, "creator", None) if definition is not None else None
    version = fxc.version(creator) or FXC
    found = count(program, version=version, extended=stated.control_points is not None)
    changed = {}
    for name in counted(version):
        before, now = getattr(stated, name), getattr(found, name)
        if before != now and now is not None:
            changed[name] = before, now
            setattr(stated, name, now)
    return changed
