"""Counts over a program: those that STAT states, or those that can be counted again exactly.

STAT's counts of float, integer and flow instructions, of mov and of conversions were made before
the compiler was done with the program; nothing in the file tells them, so they stay unknown without
STAT. The others follow from opcodes as the table here says. Files that state something else: fxc
9.29 does not count loads from and stores to raw and structured buffers, and in some hull shaders
fxc leaves out phases.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ....model import Stage, Statistics
from ....programs.tpf import Instruction, Program
from ....programs.tpf.enumerations import CustomClass, OperandType
from ....programs.tpf.ops import OPS
from .program_facts import ProgramFacts

if TYPE_CHECKING:
    from ..parts import stat

# model's name, STAT's name
STATED = (
    ("instructions", "instruction_count"),
    ("temp_registers", "temp_register_count"),
    ("defines", "define_count"),
    ("declarations", "declaration_count"),
    ("float_instructions", "float_instruction_count"),
    ("int_instructions", "int_instruction_count"),
    ("uint_instructions", "uint_instruction_count"),
    ("static_flow_control", "static_flow_control_count"),
    ("dynamic_flow_control", "dynamic_flow_control_count"),
    ("macro_instructions", "macro_instruction_count"),
    ("temp_array_registers", "temp_array_count"),
    ("array_instructions", "array_instruction_count"),
    ("cuts", "cut_instruction_count"),
    ("emits", "emit_instruction_count"),
    ("texture_samples", "texture_normal_instructions"),
    ("texture_loads", "texture_load_instructions"),
    ("texture_comparisons", "texture_comp_instructions"),
    ("texture_bias", "texture_bias_instructions"),
    ("texture_gradients", "texture_gradient_instructions"),
    ("texture_gathers", "texture_gather_instructions"),
    ("lods", "lod_instructions"),
    ("moves", "mov_instruction_count"),
    ("conditional_moves", "movc_instruction_count"),
    ("conversions", "conversion_instruction_count"),
    ("bitwise_instructions", "bitwise_instruction_count"),
    ("barriers", "barrier_instructions"),
    ("interlocked", "interlocked_instructions"),
    ("stores", "texture_store_instructions"),
)

# model's name, the mnemonics that are counted
COUNTED = (
    ("cuts", "cut cut_stream emit_then_cut emit_then_cut_stream"),
    ("emits", "emit emit_stream emit_then_cut emit_then_cut_stream"),
    ("texture_samples", "sample sample_cl_s"),
    ("texture_comparisons", "sample_c sample_c_lz sample_c_lz_s sample_c_cl_s"),
    ("texture_bias", "sample_b sample_b_cl_s"),
    ("texture_gradients", "sample_d sample_d_cl_s"),
    # with comparison only the feedback forms count
    ("texture_gathers", "gather4 gather4_po gather4_s gather4_po_s gather4_c_s gather4_po_c_s"),
    ("lods", "lod"),
    ("conditional_moves", "movc"),
    ("barriers", "sync"),
)
LOADS = "ld ldms sample_l ld_uav_typed ld_s ldms_s sample_l_s ld_uav_typed_s"
SHARED = OperandType.THREAD_GROUP_SHARED_MEMORY
MESSAGE = CustomClass.SHADER_MESSAGE
CUSTOMDATA = OPS["customdata"].code
LABEL = OPS["label"].code
# abort is not counted though listings print it; printf and errorf are (fxc 10.1, two listings).
NO_INSTRUCTIONS = ("decl", "phase", "debug")
SILENT = frozenset(op.code for op in OPS if op.kind in NO_INSTRUCTIONS) | {LABEL, CUSTOMDATA}
INTERLOCKED = range(OPS["atomic_and"].code, OPS["imm_atomic_umin"].code + 1)
DECLARATIONS = range(OPS["dcl_input"].code, OPS["dcl_output_siv"].code + 1)
MEMORY_LOADS = frozenset(
    OPS[n].code for n in ("ld_raw", "ld_structured", "ld_raw_s", "ld_structured_s")
)
MEMORY_STORES = frozenset(OPS[n].code for n in ("store_raw", "store_structured"))
TYPED_STORE = OPS["store_uav_typed"].code


def statistics(
    stated: stat.Statistics | None,
    program: Program | None,
    declared: ProgramFacts | None,
    stage: str | None,
) -> Statistics | None:
    """The counts of STAT, else of the program, None without either."""
    if stated is not None:
        values = {name: getattr(stated, theirs) for name, theirs in STATED}
        return Statistics(computed=False, **values)
    if program is None or declared is None:
        return None
    return count(program, declared, stage)


def count(program: Program, declared: ProgramFacts, stage: str | None) -> Statistics:
    """What the program itself tells exactly."""
    codes = Counter(each.token & 0x7FF for each in program.instructions)

    def total(mnemonics: str) -> int:
        return sum(codes[OPS[name].code] for name in mnemonics.split())

    loads = stores = arrays = constants = messages = 0
    for each in program.instructions:
        code = each.token & 0x7FF
        if code in MEMORY_LOADS:
            loads += each.operands[-1].type != SHARED
        elif code in MEMORY_STORES:
            stores += each.operands[0].type != SHARED
        elif code == CUSTOMDATA:
            messages += each.custom_class == MESSAGE
            if each.custom_class == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER:
                constants += len(each.payload or ()) // 4
        if code not in SILENT and _touches_array(each):
            arrays += 1
    found = Statistics(computed=True, **{name: total(counted) for name, counted in COUNTED})
    found.instructions = sum(n for code, n in codes.items() if code not in SILENT) + messages
    found.temp_registers = declared.temp_registers
    found.defines = constants
    if stage != Stage.HULL:  # STAT counts one phase of a hull shader, which one is not known
        found.declarations = sum(codes[code] for code in DECLARATIONS)
    found.temp_array_registers = sum(each.count for each in declared.temp_arrays)
    found.array_instructions = arrays
    found.texture_loads = total(LOADS) + loads
    found.interlocked = sum(codes[code] for code in INTERLOCKED)
    found.stores = codes[TYPED_STORE] + stores
    return found


def _touches_array(instruction: Instruction) -> bool:
    return any(each.type == OperandType.INDEXABLE_TEMP for each in instruction.operands)
