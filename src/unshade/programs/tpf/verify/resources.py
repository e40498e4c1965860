"""Checks of operations on resources: their operands must be declared as the kind they need.

ld_structured_indexable(structured_buffer, stride=16) … t0     dcl_resource_structured t0, 16
sample_c … t1, s0                                              dcl_sampler s0, mode_comparison
"""

from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import ExtendedOpcode, OperandType, ResourceDimension, SamplerMode
from ..tables.ops import OPS, Op
from ..tables.spellings import DIMENSIONS as DIMENSION_NAMES
from ..tables.spellings import word
from ..tables.tokens import ResourceDim, SamplerDcl
from .scope import ProgramScope, RegisterRange, register_name

T = OperandType
COMPARING = frozenset(
    row.code
    for row in OPS
    if row.kind == "tex" and "S" in row.operands and "_c" in row.name.replace("_cl", "")
)
COUNTERS = frozenset(OPS[name].code for name in ("imm_atomic_alloc", "imm_atomic_consume"))
MULTISAMPLED = (ResourceDimension.TEXTURE2DMS, ResourceDimension.TEXTURE2DMSARRAY)
DIMENSIONS = {
    "raw": ResourceDimension.RAW_BUFFER,
    "structured": ResourceDimension.STRUCTURED_BUFFER,
}
BUFINFO = OPS["bufinfo"].code
RESINFO = OPS["resinfo"].code


def check_resources(scope: ProgramScope, instruction: Instruction, row: Op) -> None:
    """Check an operation of kind tex, mem or atomic."""
    for i, letter in enumerate(row.operands):
        if letter not in "TURWS":
            continue
        operand = instruction.operands[i]
        found = _range(scope, operand)
        if found is None:
            continue
        where = f"operands[{i}]"
        if letter == "S":
            mode = SamplerDcl.mode.of(found.token)
            compares = mode == SamplerMode.COMPARISON
            if (row.code in COMPARING) != compares:
                modes = "a comparison sampler", "a sampler without comparison"
                expected, got = reversed(modes) if compares else modes
                message = f"{row.name}: expected {expected}, got {found}, {got}"
                scope.add("tpf.sampler-mode", message, where)
            continue
        problem = _misfit(row, found)
        if problem:
            scope.add("tpf.resource-kind", f"{row.name}: {register_name(operand)} {problem}", where)
        elif instruction.extended:
            _check_dimension(scope, instruction, found)


def _range(scope: ProgramScope, operand: Operand) -> RegisterRange | None:
    if not operand.indices or operand.indices[0].relative is not None:
        return None
    return scope.bound.get(operand.type, {}).get(operand.indices[0].immediate)


def _misfit(row: Op, found: RegisterRange) -> str:
    """Return why an operation cannot access a resource; "" if it can."""
    code = row.code
    form = found.form
    if row.kind == "atomic":
        if code in COUNTERS:
            return "" if form == "structured" else "has no counter"
        return ""
    if row.kind == "mem":
        wanted = row.name.removesuffix("_s").split("_")[-1]
        return "" if form == wanted else f"is {form}, expected {wanted}"
    if code == BUFINFO:
        buffer = form != "typed" or found.dimension == ResourceDimension.BUFFER
        return "" if buffer else "is not a buffer"
    if form != "typed":
        return f"is a {form} buffer, expected a texture"
    if code == RESINFO:
        return ""
    multisampled = found.dimension in MULTISAMPLED
    if row.name.startswith("ldms") or row.name in ("samplepos", "sampleinfo"):
        return "" if multisampled else "is not multisampled"
    if multisampled:
        return "is multisampled"
    if found.dimension == ResourceDimension.BUFFER and "S" in row.operands:
        return "is a buffer and cannot be sampled"
    return ""


def _check_dimension(scope: ProgramScope, instruction: Instruction, found: RegisterRange) -> None:
    for i, token in enumerate(instruction.extended):
        if token & 63 != ExtendedOpcode.RESOURCE_DIM:
            continue
        stated = ResourceDim.dimension.of(token)
        wanted = DIMENSIONS.get(found.form, found.dimension)
        stride = ResourceDim.stride.of(token)
        if stated != wanted:
            names = word(DIMENSION_NAMES, wanted), word(DIMENSION_NAMES, stated)
            message = f"{found}: expected dimension {names[0]}, got {names[1]}"
            scope.add("tpf.resource-dimension", message, f"extended[{i}].dimension")
        elif found.form == "structured" and stride != found.stride:
            message = f"{found}: expected stride {found.stride}, got {stride}"
            scope.add("tpf.resource-dimension", message, f"extended[{i}].stride")
