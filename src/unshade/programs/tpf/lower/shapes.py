"""Checks before lowering: operands have indices, declarations have dwords.

    mov r.x, l(1)             a register without a number
    dcl_thread_group 8        a truncated declaration

Only damaged files fail these checks; the lowering adds the line in the listing.
"""

from ....errors import UnsupportedError
from ..instruction import Instruction
from ..tables.enumerations import OperandType
from ..tables.spellings import REGISTERS, word
from .ranges import operands_of

# Minimum number of indices of an operand; others need none.
INDICES: dict[int, int] = {
    OperandType.TEMP: 1,
    OperandType.INPUT: 1,
    OperandType.OUTPUT: 1,
    OperandType.INDEXABLE_TEMP: 2,
    OperandType.SAMPLER: 1,
    OperandType.RESOURCE: 1,
    OperandType.CONSTANT_BUFFER: 2,
    OperandType.IMMEDIATE_CONSTANT_BUFFER: 1,
    OperandType.LABEL: 1,
    OperandType.FUNCTION_BODY: 1,
    OperandType.INTERFACE: 1,
    OperandType.THIS_POINTER: 1,
    OperandType.UNORDERED_ACCESS_VIEW: 1,
    OperandType.THREAD_GROUP_SHARED_MEMORY: 1,
    OperandType.STREAM: 1,
    OperandType.INPUT_CONTROL_POINT: 2,
    OperandType.OUTPUT_CONTROL_POINT: 2,
    OperandType.INPUT_PATCH_CONSTANT: 1,
}
LITERALS = frozenset({OperandType.IMMEDIATE32, OperandType.IMMEDIATE64})
# Minimum number of dwords of a declaration.
DWORDS: dict[str, int] = {
    "dcl_resource": 1,
    "dcl_uav_typed": 1,
    "dcl_uav_structured": 1,
    "dcl_resource_structured": 1,
    "dcl_tgsm_raw": 1,
    "dcl_tgsm_structured": 2,
    "dcl_thread_group": 3,
    "dcl_indexableTemp": 3,
    "dcl_function_table": 2,
    "dcl_interface": 3,
    "dcl_maxout": 1,
    "dcl_gsinstances": 1,
    "dcl_hs_fork_phase_instance_count": 1,
    "dcl_hs_join_phase_instance_count": 1,
}
# The register file of the operand of a declaration, by its letter in the table.
KINDS: dict[str, int] = {
    "T": OperandType.RESOURCE,
    "S": OperandType.SAMPLER,
    "U": OperandType.UNORDERED_ACCESS_VIEW,
    "C": OperandType.CONSTANT_BUFFER,
    "G": OperandType.THREAD_GROUP_SHARED_MEMORY,
}
# Declarations whose first dword is the size of an element.
STRIDES = frozenset({"dcl_resource_structured", "dcl_uav_structured", "dcl_tgsm_structured"})
LARGEST = 1 << 16  # bytes of shared memory or an array of registers, as in Direct3D
MOST_THREADS = 1024  # of a group, as in Direct3D


def check(instruction: Instruction) -> None:
    """Raise UnsupportedError if an instruction is malformed."""
    row = instruction.op
    if row is None:
        raise UnsupportedError(f"unknown operation {instruction.name}")
    for operand in operands_of(instruction):
        kind = operand.type
        if len(operand.indices) < INDICES.get(kind, 0):
            raise UnsupportedError(
                f"{row.name}: expected a number of register {word(REGISTERS, kind)}, got none"
            )
        if kind in LITERALS and not operand.literal:
            raise UnsupportedError(f"{row.name}: expected a literal, got none")
    if row.kind != "decl":
        return
    least, got = DWORDS.get(row.name, 0), len(instruction.words)
    if got < least:
        raise UnsupportedError(f"{row.name}: expected {least} dwords, got {got}")
    for letter, operand in zip(row.operands, instruction.operands, strict=False):
        wanted = KINDS.get(letter, operand.type)
        if operand.type != wanted:
            raise UnsupportedError(
                f"{row.name}: expected a register {word(REGISTERS, wanted)},"
                f" got {word(REGISTERS, operand.type)}"
            )
    if row.name == "dcl_thread_group":
        x, y, z = instruction.words[:3]
        if not 0 < x * y * z <= MOST_THREADS:
            raise UnsupportedError(f"expected 1 to {MOST_THREADS} threads, got {x} x {y} x {z}")
    if row.name in STRIDES and (not instruction.words[0] or instruction.words[0] % 4):
        raise UnsupportedError(
            f"{row.name}: expected a stride of a multiple of 4 bytes, got {instruction.words[0]}"
        )
    size = _size(row.name, instruction.words)
    if size > LARGEST:
        raise UnsupportedError(f"{row.name}: expected at most {LARGEST} bytes, got {size}")


def _size(name: str, words: tuple[int, ...]) -> int:
    match name:
        case "dcl_tgsm_raw":
            return words[0]
        case "dcl_tgsm_structured":
            return words[0] * words[1]
        case "dcl_indexableTemp":
            return 16 * words[1]
        case _:
            return 0
