"""Loops whose test a compiler moved to the end of the body: the test is at the head again."""

from importlib.util import find_spec

import pytest

import unshade
from unshade.decompile.rotation import unrotated
from unshade.decompile.structure import trailing_test
from unshade.decompile.tree import (
    Assign,
    BranchLine,
    Define,
    JumpLine,
    Leave,
    Line,
    Repeat,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
    name,
)
from unshade.ir.ops import OPS

from .recompiled import FEW, outcome

FLAG = TermType(ScalarKind.BOOL)
PIXEL = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[2], immediateIndexed
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 4
{}
ret
"""

COUNTED = (
    "mov r0.x, l(0)", "mov r0.y, v0.x", "loop", "mad r0.y, r0.y, v0.y, v0.z",
    "iadd r0.x, r0.x, l(1)", "ige r0.z, r0.x, l(4)", "breakc_nz r0.z", "endloop",
    "mov o0.xyzw, r0.yyyy",
)  # fmt: skip
GUARDED = (
    "mov r0.y, v0.x", "ine r0.w, cb0[0].x, l(0)", "if_nz r0.w", "mov r0.x, l(0)", "loop",
    "mad r0.y, r0.y, v0.y, v0.z", "iadd r0.x, r0.x, l(1)", "uge r0.z, r0.x, cb0[0].x",
    "breakc_nz r0.z", "endloop", "endif", "mov o0.xyzw, r0.yyyy",
)  # fmt: skip
EQUAL = tuple(each.replace("uge r0.z", "ieq r0.z") for each in GUARDED)
BEFORE_STEP = (
    "mov r0.x, l(0)", "mov r0.y, v0.x", "loop", "mad r0.y, r0.y, v0.y, v0.z",
    "ieq r0.z, r0.x, l(3)", "breakc_nz r0.z", "iadd r0.x, r0.x, l(1)", "endloop",
    "mov o0.xyzw, r0.yyyy",
)  # fmt: skip
FROM_INPUT = (
    "mov r0.y, v0.x", "ilt r0.w, cb0[0].x, cb0[0].y", "if_nz r0.w", "mov r0.x, cb0[0].x", "loop",
    "mad r0.y, r0.y, v0.y, v0.z", "iadd r0.x, r0.x, l(1)", "ieq r0.z, r0.x, cb0[0].y",
    "breakc_nz r0.z", "endloop", "endif", "mov o0.xyzw, r0.yyyy",
)  # fmt: skip


def pixel(lines: tuple[str, ...]) -> unshade.Shader:
    return unshade.assemble(PIXEL.format("\n".join(lines)), "dxcontainer")


def head(lines: tuple[str, ...]) -> str:
    """Return the first line of the loop of a decompiled pixel shader."""
    text = pixel(lines).decompile()
    (found,) = (
        each for each in text.splitlines() if each.strip().startswith(("for", "while", "do"))
    )
    return found.strip()


@pytest.mark.parametrize(
    ("lines", "condition"),
    [
        (COUNTED, " < 4; "), (GUARDED, " < cb0_rows[0].x; "), (EQUAL, " != cb0_rows[0].x; "),
        (BEFORE_STEP, " < 4; "), (FROM_INPUT, " < cb0_rows[0].y; "),
    ],
)  # fmt: skip
def test_the_test_at_the_end_of_a_loop_is_that_of_a_for(
    lines: tuple[str, ...], condition: str
) -> None:
    found = head(lines)
    assert found.startswith("for (")
    assert condition in found


def test_a_counter_that_is_read_afterwards_is_defined_before_the_loop() -> None:
    lines = tuple(each.replace("r0.yyyy", "r0.xyxy") for each in GUARDED)
    assert head(lines) == "for (r0_1 = 0u; r0_1 < cb0_rows[0].x; r0_1++) {"


def test_a_branch_that_tests_the_same_as_its_loop_is_gone() -> None:
    assert "if (" not in pixel(GUARDED).decompile()
    more = [*GUARDED]
    more.insert(more.index("endif"), "mov r0.y, v0.w")  # also in the branch: it stays
    assert "if (" in pixel(tuple(more)).decompile()


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("ine r0.w, cb0[0].x, l(0)", "ine r0.w, cb0[0].y, l(0)"),  # another number is tested
        ("ine r0.w, cb0[0].x, l(0)", "ige r0.w, cb0[0].x, l(0)"),  # 0 turns are possible
        ("mov r0.x, l(0)", "mov r0.x, cb0[0].z"),  # the first number is not known
    ],
)
def test_a_test_that_may_not_hold_at_first_stays_at_the_end(line: str, other: str) -> None:
    assert line in GUARDED
    lines = tuple(other if each == line else each for each in GUARDED)
    assert head(lines) == "do {"


def test_a_counter_that_is_above_its_bound_at_first_is_compared_as_before() -> None:
    lines = tuple(each.replace("mov r0.x, l(0)", "mov r0.x, l(9)") for each in BEFORE_STEP)
    assert " != 4; " in head(lines)


def test_a_variable_that_another_exit_leaves_unchanged_is_set_at_the_end() -> None:
    lines = [*GUARDED]
    at = lines.index("mad r0.y, r0.y, v0.y, v0.z")
    lines[at : at + 1] = [
        "mad r1.y, r0.y, v0.y, v0.z", "lt r1.x, r1.y, v0.w", "breakc_nz r1.x", "mov r0.y, r1.y",
    ]  # fmt: skip
    text = pixel(tuple(lines)).decompile(style="exact")
    assert text.index("break;") < text.index("r0 = t;")


def accumulated(*between: Line) -> list[Line]:
    """Return lines as DXIL has them: both paths from the test of a loop copy the sum."""
    uint, flag = TermType(ScalarKind.UINT), TermType(ScalarKind.BOOL)
    i, t, sum_, more, n = (name(each, uint) for each in ("i", "t", "sum", "more", "n"))
    one = literal((1,), uint)
    test = SourceExpression(OPS.ule, flag, (n, t))
    body: list[Line] = [
        Define("more", uint, SourceExpression(OPS.iadd, uint, (sum_, i))),
        *between,
        Define("t", uint, SourceExpression(OPS.iadd, uint, (i, one))),
        BranchLine(test, [Assign(sum_, more), JumpLine(Leave.BREAK)]),
        Assign(sum_, more),
        Assign(i, t),
    ]
    guard = SourceExpression(OPS.ult, flag, (literal((0,), uint), n))
    return [BranchLine(guard, [Assign(i, literal((0,), uint)), Repeat(body)]), Assign(n, sum_)]


def test_a_value_that_both_paths_copy_is_set_at_once() -> None:
    first, loop, _ = unrotated(accumulated(), {"i", "sum"})
    assert isinstance(first, Assign)
    assert isinstance(loop, Repeat)
    assert [each.target.attr for each in loop.body if isinstance(each, Assign)] == ["sum", "i"]
    assert len(loop.body) == 2


def test_a_value_is_copied_behind_another_exit() -> None:
    leave = BranchLine(name("more", TermType(ScalarKind.BOOL)), [JumpLine(Leave.BREAK)])
    _, loop, _ = unrotated(accumulated(leave), {"i", "sum"})
    assert isinstance(loop, Repeat)
    assert loop.condition is not None
    assert [type(each) for each in loop.body] == [Define, BranchLine, Assign, Assign]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
@pytest.mark.parametrize("lines", [COUNTED, GUARDED, EQUAL, BEFORE_STEP])
def test_a_loop_with_its_test_at_the_head_computes_the_same(lines: tuple[str, ...]) -> None:
    few = ("and r2.x, cb0[0].x, l(7)", *(each.replace("cb0[0].x", "r2.x") for each in lines))
    shader = pixel(few)
    text = shader.decompile("hlsl", "exact")
    assert outcome(shader, text, "pixel", seeds=2, turns=FEW).startswith("equal")


def test_a_test_of_a_variable_of_the_body_is_no_trailing_test() -> None:
    shared = Define("m", FLAG, name("a", FLAG))
    step = Assign(name("b", FLAG), name("a", FLAG))

    def loop(word: str, *more: Line) -> Repeat:
        return Repeat([*more, BranchLine(name(word, FLAG), [JumpLine(Leave.BREAK)])])

    assert trailing_test(loop("b", step)) is not None
    assert trailing_test(loop("m", shared)) is None
    skipping = BranchLine(name("b", FLAG), [JumpLine(Leave.CONTINUE)])
    assert trailing_test(loop("b", step, skipping)) is None  # which leaves the test out
    assert trailing_test(loop("b")) is None  # it is the head
