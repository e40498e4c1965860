"""Counts of a single instruction, packed in one integer; the counts of a program are their sum.

    add r0.x, r0.x, r1.x     instructions 1, float_instructions 1
    dcl_temps 3              temp_registers 3, temp_declarations 1
    if_nz r0.x               instructions 1, dynamic_flow_control 1, ifs 1

Adding an integer takes much less time than adding thirty counters. Counters of `Others` are not in
the model; they tell `statistics` whether the counts of instructions depend on each other.
"""

import struct
from collections.abc import Iterable, Mapping
from functools import cache

from ....model import Statistics
from ....tuples import NamedTuple
from ..instruction import Instruction
from ..tables.enumerations import CustomClass, OperandType
from ..tables.ops import OPS, Op
from .values import AND, DOUBLES, TESTS, of_literals

Version = tuple[int, int]

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
PORTS = {"<": "inputs", ">": "outputs"}

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
BY_OPERANDS = frozenset({"d", "l", "w"})  # letters of which the operands decide
MARKED = {IF: "ifs", RET: "rets", AND: "ands", TESTS: "tests"}
OF_TYPE = 255 << 12  # the bits of an operand token with the type
ARRAYS = T.INDEXABLE_TEMP << 12


class Others(NamedTuple):
    """Counters that are not in the model."""

    inputs: int
    outputs: int
    temp_declarations: int
    phases: int
    ifs: int
    rets: int
    doubles: int
    ands: int
    tests: int
    ands_of_literals: int


BITS = 64  # of a counter: a dword for each instruction there can be
MODEL = tuple(name for name in Statistics.FIELDS if name != "computed")
LOW = {name: BITS * at for at, name in enumerate((*MODEL, *Others._fields))}
ONE = {name: 1 << low for name, low in LOW.items()}
UNPACK = struct.Struct(f"<{len(LOW)}Q")


class Counting(NamedTuple):
    """The compiler and the stage, on which the counts of an instruction depend."""

    modern: bool  # from version 10 on
    early: bool  # 9.0 to 9.29
    emits: bool  # by fxc 10, of a geometry shader

    @classmethod
    def of(cls, version: Version, geometry: bool) -> "Counting":
        """Return how a version of fxc counts, for a geometry shader or any other."""
        modern = version >= (10, 0)
        return cls(modern, (9, 0) <= version < (9, 30), modern and geometry)  # 6.3 is newer


def unpacked(total: int) -> tuple[dict[str, int], Others]:
    """Return the counters of packed counts: the model's by name, and the others."""
    values = UNPACK.unpack(total.to_bytes(UNPACK.size, "little"))
    return dict(zip(MODEL, values, strict=False)), Others._make(values[len(MODEL) :])


def counter(total: int, name: str) -> int:
    """Return one counter of packed counts."""
    return total >> LOW[name] & (1 << BITS) - 1


def packed(names: Iterable[str]) -> int:
    """Return packed counts with 1 in each of these counters."""
    return sum(ONE[name] for name in names)


def is_counted(instruction: Instruction) -> bool:
    """Return True if fxc counts it as an instruction: with messages, without constant tables."""
    code = instruction.token & 0x7FF
    if code == CUSTOMDATA:
        return instruction.custom_class == CustomClass.SHADER_MESSAGE
    return code not in SILENT


def count_of(instruction: Instruction, counting: Counting) -> int:
    """Return the packed counts of a single instruction."""
    if not is_counted(instruction):
        return _declared(instruction)
    code = instruction.token & 0x7FF
    found = ONE["instructions"] + packed(counters_of(instruction, counting))
    if code in OPS.by_code and _is_array(instruction):
        found += ONE["array_instructions"]
    if code in MARKED:
        found += ONE[MARKED[code]]
    if code == AND and of_literals(instruction):
        found += ONE["ands_of_literals"]
    return found + ONE["doubles"] if code in DOUBLES else found


def _declared(instruction: Instruction) -> int:
    """Return the counts of a declaration or of custom data."""
    code = instruction.token & 0x7FF
    words = instruction.words
    if code == CUSTOMDATA:
        table = instruction.custom_class == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER
        return len(instruction.payload or ()) // 4 * ONE["defines"] if table else 0
    if code in PHASES:
        return ONE["phases"]
    if code == TEMPS:
        return ONE["temp_declarations"] + sum(words[:1]) * ONE["temp_registers"]
    if code == TEMP_ARRAY:
        return sum(words[1:2]) * ONE["temp_array_registers"]
    row = DECLARATIONS.get(code)
    return ONE[PORTS[row.counts]] if row is not None and row.counts else 0


def counters_of(instruction: Instruction, counting: Counting) -> tuple[str, ...]:
    """Return the counters of its kind that include an operation."""
    found = _counters(counting.modern).get(instruction.token & 0x7FF)
    if found is None:
        return ()
    row, names = found
    operands = instruction.operands
    if len(operands) != len(row.operands):
        return ()
    if names is not None:
        return names
    if counting.emits and row.code == MOV and operands[0].type == T.OUTPUT:
        return ()
    return tuple(COUNTERS[letter] for letter in _letters(instruction, row, counting))


@cache
def _counters(modern: bool) -> Mapping[int, tuple[Op, tuple[str, ...] | None]]:
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


def _letters(instruction: Instruction, row: Op, counting: Counting) -> str:
    """Return the letters of an instruction, from the table and as modified by its operands."""
    counts = row.counts
    operands = instruction.operands
    if counts == "d":
        return "s" if operands[0].type in CONSTANTS else "d"
    if row.code == MOV:
        return _moved(instruction, counting.modern)
    if row.code == NE:
        first = operands[1]
        return "c" if first.type == T.IMMEDIATE32 and not any(first.literal) else "f"
    if row.operands.startswith("NN"):
        return counts if any(each.type == T.NULL for each in operands[:2]) else ""
    if any(each.type == T.THREAD_GROUP_SHARED_MEMORY for each in operands):  # l, w
        return ""
    return "" if counting.early and "S" not in row.operands else counts


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
