"""Counts over a program: those that STAT states, or those that fxc 10 would have stated.

`counting` says how they are made. fxc 9 counts some operations otherwise; without STAT and RDEF
nothing tells who made a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....model import Statistics
from ..fxc.counting import count

if TYPE_CHECKING:
    from ....programs.tpf import Program
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


def statistics(stated: stat.Statistics | None, program: Program | None) -> Statistics | None:
    """The counts of STAT, else of the program, None without either."""
    if stated is not None:
        return _in_model(stated, computed=False)
    if program is None:
        return None
    return _in_model(count(program, extended=True), computed=True)


def _in_model(counts: stat.Statistics, *, computed: bool) -> Statistics:
    values = {name: getattr(counts, theirs) for name, theirs in STATED}
    return Statistics(computed=computed, **values)
