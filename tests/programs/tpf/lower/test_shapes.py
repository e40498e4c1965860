"""Programs that no compiler writes: an error with the line, or a valid kernel."""

import random

import pytest

from tests.hostile.mutants import scrambled
from tests.oracle.verify import check, verify
from tests.programs.tpf.lower.support import program
from unshade.errors import UnshadeError, UnsupportedError
from unshade.ir.ops import OPS
from unshade.limits import Limits
from unshade.programs.tpf.decoding import decode_instructions
from unshade.programs.tpf.instruction import Instruction
from unshade.programs.tpf.tables.enumerations import OperandType

SOUND = """cs_5_0
dcl_constantbuffer CB0[2], dynamicIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_structured t1, 12
dcl_uav_raw u0
dcl_tgsm_raw g0, 64
dcl_indexableTemp x0[3], 4
dcl_input vThreadID.x
dcl_temps 4
dcl_thread_group 8, 1, 1
mov x0[1].xyzw, cb0[vThreadID.x + 0].xyzw
loop
  uge r0.x, r0.y, l(4)
  breakc_nz r0.x
  sample_l r1.xyzw, r0.xyxx, t0.xyzw, s0, l(0.0)
  ld_structured r2.x, r0.y, l(4), t1.xxxx
  atomic_iadd g0, l(4), r2.x
  switch r0.y
    case l(1)
      call l0
      break
    default
      mad r1.x, r1.y, l(2.0), -r1.z
      break
  endswitch
  iadd r0.y, r0.y, l(1)
endloop
store_raw u0.x, l(0), r1.x
ret
label l0
mov r1.x, x0[r0.y + 0].x
ret
"""


def changed(line: int, change: object) -> UnsupportedError:
    """Return the error of lowering after a change to the instruction of a line."""
    found = program(SOUND)
    assert callable(change)
    change(found.instructions[line - 2])
    with pytest.raises(UnsupportedError) as caught:
        found.lower()
    return caught.value


def no_index(instruction: Instruction) -> None:
    instruction.operands[0].indices = []


def no_words(instruction: Instruction) -> None:
    instruction.words = ()


def other_register(instruction: Instruction) -> None:
    instruction.operands[0].type = OperandType.TEMP


def no_literal(instruction: Instruction) -> None:
    instruction.operands[-1].literal = ()


def huge(instruction: Instruction) -> None:
    instruction.words = (1 << 31, *instruction.words[1:])


def nothing(instruction: Instruction) -> None:
    instruction.words = (0,)


@pytest.mark.parametrize(
    ("line", "change", "message"),
    [
        (14, no_index, "line 14: uge: expected a number of register r, got none"),
        (16, no_literal, "line 16: sample_l: expected a literal, got none"),
        (4, other_register, "line 4: dcl_resource: expected a register t, got r"),
        (11, no_words, "line 11: dcl_thread_group: expected 3 dwords, got 0"),
        (11, huge, "line 11: expected 1 to 1024 threads, got 2147483648 x 1 x 1"),
        (
            5,
            nothing,
            "line 5: dcl_resource_structured: expected a stride of a multiple of 4 bytes, got 0",
        ),
        (7, huge, "line 7: dcl_tgsm_raw: expected at most 65536 bytes, got 2147483648"),
    ],
)
def test_instructions_that_violate_the_table(line: int, change: object, message: str) -> None:
    assert message in str(changed(line, change))


@pytest.mark.slow
def test_functions_that_call_each_other_many_times() -> None:
    """Thirty functions, each calling the next one twice, would be a billion instructions."""
    count = 30
    lines = ["cs_5_0", "dcl_temps 1", "dcl_thread_group 1, 1, 1", "call l0", "ret"]
    for number in range(count):
        lines += [f"label l{number}", f"call l{number + 1}", f"call l{number + 1}", "ret"]
    lines += [f"label l{count}", "ret"]
    with pytest.raises(UnsupportedError, match=r"more than 6\d{4} instructions after inlining"):
        program("\n".join(lines)).lower()


@pytest.mark.parametrize(("levels", "refused"), [(40, False), (120, True)])
def test_nested_switches_with_fallthrough(levels: int, refused: bool) -> None:
    """Each is emitted once: repeated, they would be 2 to the power of 40 statements."""
    inner = "mov r0.y, l(1)"
    for _ in range(levels):
        inner = f"switch r0.x\ncase l(0)\nmov r0.y, l(2)\ncase l(1)\n{inner}\nbreak\nendswitch"
    made = program(f"cs_5_0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n{inner}\nret\n")
    if refused:
        with pytest.raises(UnsupportedError, match="nested too deeply"):
            made.lower()
        return
    kernel = check(made.lower().kernel)
    constants = [value.args[0].attr for value in kernel.values() if value.op is OPS.set]
    assert (constants.count(1), constants.count(2)) == (1, levels)


@pytest.mark.parametrize(("label", "described"), [("case l(1)", "case 1"), ("default", "default")])
def test_duplicate_labels_in_a_switch_are_refused(label: str, described: str) -> None:
    text = f"switch r0.x\n{label}\nmov r0.y, l(2)\nbreak\n{label}\nbreak\nendswitch"
    with pytest.raises(UnsupportedError, match=f"duplicate {described} in a switch"):
        program(f"cs_5_0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n{text}\nret\n").lower()


GEOMETRY = """gs_5_0
dcl_input v[3][0].xyz
dcl_input v[3][1].x
dcl_input vPrim
dcl_input vGSInstanceID
dcl_temps 2
dcl_gsinstances 3
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_stream m1
dcl_outputtopology pointlist
dcl_output o1.xy
dcl_maxout 9
mov r0.x, vPrim
loop
  uge r0.y, r0.x, l(3)
  breakc_nz r0.y
  mov o0.xyz, v[r0.x + 0][0].xyzx
  mov o0.w, v[1][1].x
  emit_stream m0
  iadd r0.x, r0.x, vGSInstanceID.x
endloop
cut_stream m0
mov o1.xy, r0.xyxx
emit_then_cut_stream m1
ret
"""
HULL = """hs_5_0
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 4
dcl_constantbuffer CB0[1], immediateIndexed
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input v[3][0].xyz
dcl_output o0.xyz
dcl_temps 1
mov r0.x, vOutputControlPointID
mov o0.xyz, v[r0.x + 0][0].xyzx
ret
hs_fork_phase
dcl_hs_fork_phase_instance_count 3
dcl_input vForkInstanceID
dcl_input vocp[4][0].xyz
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_temps 1
dcl_indexableTemp x0[2], 4
dcl_indexrange o0.x 3
mov r0.x, vForkInstanceID.x
mov x0[r0.x + 0].x, cb0[0].x
mov o[r0.x + 0].x, vocp[r0.x + 0][0].x
retc_nz r0.x
ret
hs_join_phase
dcl_input vJoinInstanceID
dcl_input vpc0.x
dcl_input vicp[3][0].x
dcl_output_siv o3.x, finalTriInsideTessFactor
dcl_temps 1
add o3.x, vpc0.x, vicp[1][0].x
ret
"""
DOMAIN = """ds_5_0
dcl_input_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_input vDomain.xyz
dcl_input vPrim
dcl_input vpc0.x
dcl_input vicp[3][0].xyz
dcl_output_siv o0.xyzw, position
dcl_temps 2
mul r0.xyz, vDomain.xxxx, vicp[0][0].xyzx
utof r1.x, vPrim
mov r1.y, l(1)
mad o0.xyz, vicp[r1.y + 0][0].xyzx, vpc0.xxxx, r0.xyzx
mov o0.w, r1.x
ret
"""


@pytest.mark.parametrize("text", [SOUND, GEOMETRY, HULL, DOMAIN], ids=lambda text: text[:2])
@pytest.mark.parametrize("rounds", [30, pytest.param(1000, marks=pytest.mark.slow)])
def test_damaged_programs_raise_only_our_errors(text: str, rounds: int) -> None:
    words = [word for each in program(text).instructions for word in each.encode()]
    chance = random.Random(7)
    sound = 0
    for _ in range(rounds):
        found = program(f"{text[:6]}\nret\n")
        try:
            damaged = tuple(scrambled(words, chance))
            found.instructions = decode_instructions(damaged, Limits())
            verify(found.lower().kernel)
            sound += 1
        except UnshadeError:
            pass
    assert sound > rounds / 10
