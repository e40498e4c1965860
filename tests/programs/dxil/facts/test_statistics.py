"""Counts over instructions."""

import pytest

from tests.programs.dxil.modules import saxpy
from unshade.isa.source import Source
from unshade.model.reflection import Statistics
from unshade.programs.dxil.assembler import assemble
from unshade.programs.dxil.facts import facts_of
from unshade.programs.dxil.facts.statistics import counts

DECLARED = """
declare float @dx.op.unary.f32(i32, float)
declare i32 @dx.op.binary.i32(i32, i32, i32)
declare i32 @dx.op.unaryBits.i32(i32, i32)
declare float @dx.op.dot2.f32(i32, float, float, float, float)
declare i32 @dx.op.legacyF32ToF16(i32, float)
declare i32 @dx.op.sampleIndex.i32(i32)
"""


def counted(*lines: str) -> dict[str, int]:
    """Return the counts of a function that are not 0, without its `ret`."""
    body = "".join(f"  {each}\n" for each in lines)
    header = "define void @main(float %f, i32 %i, i1 %b) {\n"
    module = assemble(Source(f"{header}{body}  ret void\n}}\n{DECLARED}"))
    instructions = [each for each in module.functions[0].instructions if each.opcode != "ret"]
    found = counts(instructions).to_dict()
    del found["computed"]
    assert found.pop("instructions") == len(instructions)
    return {name: value for name, value in found.items() if value}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("%x = fadd fast float %f, %f", "float_instructions"),
        ("%x = fcmp fast olt float %f, %f", "float_instructions"),
        ("%x = mul i32 %i, 3", "int_instructions"),
        ("%x = icmp eq i32 %i, 3", "int_instructions"),
        ("%x = icmp slt i32 %i, 3", "int_instructions"),
        ("%x = icmp ult i32 %i, 3", "uint_instructions"),
        ("%x = xor i32 %i, 3", "uint_instructions"),
        ("%x = uitofp i32 %i to float", "conversions"),
        ("%x = bitcast float %f to i32", ""),
        ("%x = select i1 %b, float %f, float 0.0", "conditional_moves"),
        ("%x = call float @dx.op.unary.f32(i32 13, float %f)", "float_instructions"),
        ("%x = call float @dx.op.unary.f32(i32 27, float %f)", "float_instructions conversions"),
        ("%x = call i32 @dx.op.binary.i32(i32 37, i32 %i, i32 3)", "int_instructions"),
        ("%x = call i32 @dx.op.binary.i32(i32 39, i32 %i, i32 3)", "uint_instructions"),
        ("%x = call i32 @dx.op.unaryBits.i32(i32 31, i32 %i)", "uint_instructions"),
        (
            "%x = call float @dx.op.dot2.f32(i32 54, float %f, float %f, float %f, float %f)",
            "float_instructions",
        ),
        ("%x = call i32 @dx.op.legacyF32ToF16(i32 130, float %f)", "conversions"),
        ("%x = call i32 @dx.op.sampleIndex.i32(i32 90)", ""),
    ],
)
def test_counters_of_an_instruction(line: str, names: str) -> None:
    assert counted(line) == dict.fromkeys(names.split(), 1)


def test_only_branches_with_a_condition_are_dynamic() -> None:
    assert counted("br i1 %b, label %one, label %two", "one:", "br label %two", "two:") == {
        "dynamic_flow_control": 1
    }


def test_loads_and_stores_of_buffers_are_counted() -> None:
    found = facts_of(saxpy()).statistics
    assert isinstance(found, Statistics)
    assert (found.texture_loads, found.stores) == (2, 1)
    assert (found.float_instructions, found.int_instructions) == (2, 1)


def test_registers_and_moves_are_not_known() -> None:
    facts = facts_of(saxpy())
    assert facts.temp_registers is None
    assert facts.statistics is not None
    assert (facts.statistics.temp_registers, facts.statistics.moves) == (None, None)
