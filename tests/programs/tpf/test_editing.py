"""Instructions are inserted, removed and replaced whole or not at all."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.programs.tpf.broken_programs import RET, i, lit, o, one, pixel, program, s
from unshade.errors import AssembleError, EncodeError, UsageError
from unshade.programs.tpf import Instruction, Program, immediate, temp

MOV = i("mov", o("r0.x"), lit(1))


def shown(given: Program) -> list[str]:
    return [str(each) for each in given.instructions if each.op and each.op.kind != "decl"]


def branch() -> Program:
    return pixel(i("if", one("r0.x")), MOV, i("endif"))


def test_insert() -> None:
    code = pixel()
    start = len(code.instructions) - 2
    one_, two = Instruction.make("mov", temp(0, mask="x"), immediate(1.0)), i("nop")
    assert code.insert(start, one_, two) == [one_, two]
    assert shown(code) == ["mov r0.x, l(1.000000)", "nop", "mov o0.xyzw, r0.xyzw", "ret"]
    code.insert(-1, two)
    assert code.instructions[-2] is two


def test_remove() -> None:
    code = pixel(MOV, i("nop"), MOV)
    taken = code.remove(-5)
    assert [each.name for each in taken] == ["mov"]
    assert [each.name for each in code.remove(slice(-4, -2))] == ["nop", "mov"]
    assert shown(code) == ["mov o0.xyzw, r0.xyzw", "ret"]


@pytest.mark.parametrize("where", [slice(-4, -2), slice(-3, -5, -1)])
def test_slices_in_either_direction(where: slice) -> None:
    code = pixel(i("nop"), MOV)
    code.remove(where)
    assert shown(code) == ["mov o0.xyzw, r0.xyzw", "ret"]


def test_a_slice_with_a_step() -> None:
    code = pixel(i("nop"), MOV, i("nop"), MOV)
    code.remove(slice(-6, -2, 2))
    assert shown(code)[:3] == ["mov r0.x, l(1)", "mov r0.x, l(1)", "mov o0.xyzw, r0.xyzw"]
    with pytest.raises(UsageError, match="expected consecutive instructions"):
        code.replace(slice(-4, -1, 2), MOV)


def test_replace() -> None:
    code = branch()
    code.replace(-4, i("nop"), i("nop"))
    assert shown(code)[:4] == ["if_z r0.x", "nop", "nop", "endif"]
    code.replace(slice(-6, -2), MOV)
    assert shown(code) == ["mov r0.x, l(1)", "mov o0.xyzw, r0.xyzw", "ret"]


def test_removing_a_whole_block() -> None:
    code = branch()
    code.remove(slice(-5, -2))
    assert shown(code) == ["mov o0.xyzw, r0.xyzw", "ret"]


LOOP = (i("loop"), i("breakc", one("r0.x")), i("endloop"))
CASES = (i("switch", one("r0.x")), i("case", lit(1)), i("break"), i("endswitch"))
CALLED = (i("call", o("l0")), RET, i("label", o("l0")), MOV)

REFUSED = [
    (branch, slice(-5, -4), (), "endif without an open if"),
    (branch, slice(-3, -2), (), "if is not closed before the end"),
    (branch, slice(-4, -4), (i("else"), i("else")), "else without an open if"),
    (lambda: pixel(*LOOP), slice(-5, -4), (), "breakc outside a loop or switch"),
    (lambda: pixel(*LOOP), slice(-2, -2), (i("continue"),), "continue outside a loop"),
    (lambda: pixel(*CASES), slice(-4, -4), (i("case", lit(1)),), "duplicate case 1"),
    (lambda: pixel(*CASES), slice(-5, -5), (MOV,), "between switch and its first case"),
    (lambda: pixel(*CALLED), slice(-4, -3), (), "no such label: 0"),
    (lambda: pixel(*CALLED), slice(-5, -4), (), "no ret before label"),
    (pixel, slice(-1, None), (), "no ret before the end"),
    (pixel, slice(-1, -1), (i("dcl_input_ps", o("v2.x"), bits=2 << 11),), "after code"),
    (pixel, slice(0, 0), (i("dcl_temps", words=(1,)),), "duplicate dcl_temps"),
    (pixel, slice(-1, -1), (i("hs_fork_phase"),), "before hs_decls"),
]


@pytest.mark.parametrize(("make", "where", "new", "problem"), REFUSED)
def test_edits_that_break_the_structure_are_refused(
    make: Callable[[], Program], where: slice, new: tuple[Instruction, ...], problem: str
) -> None:
    code = make()
    held, before = code.instructions, list(code.instructions)
    with pytest.raises(UsageError, match=problem):
        code.replace(where, *new)
    assert code.instructions is held
    assert code.instructions == before


def test_refusals_name_the_place() -> None:
    with pytest.raises(
        UsageError, match="endif without an open if, at instruction 9 after the edit: endif"
    ):
        branch().remove(8)


def test_a_broken_program_can_be_edited() -> None:
    code = pixel(i("endif"))
    code.insert(-1, MOV)
    assert code.instructions[-2] == MOV
    code.remove(-4)
    assert code.verify() == []


def test_hull_shader_phases() -> None:
    phase = [i("hs_fork_phase"), i("dcl_temps", words=(1,)), MOV, RET]
    code = program("hs_5_0", i("hs_decls"), *phase, i("hs_join_phase"), RET)
    code.insert(3, Instruction.make("mov", temp(4), temp(2, swizzle="xyzw")))
    assert [each.words for each in code.instructions if each.name == "dcl_temps"] == [(5,)]
    code.insert(len(code.instructions) - 1, Instruction.make("mov", temp(1), immediate(1.0)))
    assert [str(each) for each in code.instructions[6:9]] == [
        "hs_join_phase",
        "dcl_temps 2",
        "mov r1.xyzw, l(1.000000)",
    ]
    with pytest.raises(UsageError, match="no ret before hs_join_phase"):
        code.remove(5)


# ---------------------------------------------------------------- text


def test_text_may_be_several_lines() -> None:
    code = pixel()
    new = code.insert(-1, "if_nz r0.x\n  mul r3.x, r0.x, l(2.0) // twice\nendif", i("nop"), "nop")
    assert [each.name for each in new] == ["if", "mul", "endif", "nop", "nop"]
    assert temps(code) == [4]
    assert code.replace(slice(-6, -3), "mov r0.x, l(0)")[0].name == "mov"


def test_invalid_text_changes_nothing() -> None:
    code = pixel()
    with pytest.raises(AssembleError, match="mul"):
        code.insert(-1, i("nop"), "mul r0.x, r0.x, l(2.0")
    assert len(code.instructions) == 10


# ---------------------------------------------------------------- dcl_temps


def temps(code: Program) -> list[int]:
    return [each.words[0] for each in code.instructions if each.name == "dcl_temps"]


def test_temps_are_raised_and_never_lowered() -> None:
    code = pixel()
    code.insert(-1, i("mov", o("r7.x"), one("r9.x")))
    assert temps(code) == [10]
    code.remove(-2)
    assert temps(code) == [10]


def test_registers_in_indices_count() -> None:
    code = pixel()
    code.insert(-1, i("mov", o("r0.x"), s("cb0[1].xyzw", one("r5.x"))))
    assert temps(code) == [6]


def test_missing_dcl_temps_is_added() -> None:
    code = program("ps_5_0", i("dcl_output", o("o0.xyzw")), i("mov", o("o0.xyzw"), lit(0)), RET)
    code.insert(-1, MOV)
    assert [each.name for each in code.instructions] == [
        "dcl_output",
        "dcl_temps",
        "mov",
        "mov",
        "ret",
    ]


def test_a_refused_edit_raises_no_temps() -> None:
    code = pixel()
    with pytest.raises(UsageError, match="no ret before the end"):
        code.insert(len(code.instructions), i("mov", o("r9.x"), lit(0)))
    assert temps(code) == [2]


def test_too_many_registers() -> None:
    with pytest.raises(UsageError, match="expected r0 to r4095, got r4096"):
        pixel().insert(-1, i("mov", o("r4096.x"), lit(0)))


# ---------------------------------------------------------------- arguments


@pytest.mark.parametrize("index", [99, -99, "1", None, slice(0, 1)])
def test_invalid_indices(index: object) -> None:
    with pytest.raises(UsageError, match="expected an index from 0 to 10"):
        pixel().insert(index, MOV)  # type: ignore[arg-type]


@pytest.mark.parametrize("where", [10, -11, "1", None, slice("a", "b")])
def test_indices_without_an_instruction_are_refused(where: object) -> None:
    with pytest.raises(UsageError, match=r"no instruction|index of an instruction"):
        pixel().remove(where)  # type: ignore[arg-type]


def test_only_instructions_are_inserted() -> None:
    with pytest.raises(UsageError, match="expected an Instruction or its text, got 5"):
        pixel().insert(0, 5)  # type: ignore[arg-type]


def test_unencodable_instructions_are_not_inserted() -> None:
    code = pixel()
    with pytest.raises(EncodeError, match=r"given\[1\].operands: mov: expected 2 operands, got 1"):
        code.insert(-1, MOV, Instruction(54, [o("r0.x")]))
    assert len(code.instructions) == 10
