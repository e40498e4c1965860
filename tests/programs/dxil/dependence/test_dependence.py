"""Outputs depend on what their values are computed from, and on the branches before them."""

import pytest

from tests.programs.dxil.dependence.support import dependence, pairs, program, read, write
from unshade import LimitError, Limits
from unshade.programs.dxil import Program
from unshade.programs.dxil.dependence import dependence_of, vectors
from unshade.programs.dxil.shaderinfo import read_shader
from unshade.vocab.d3d import ShaderKind


def inputs_of(*body: str, functions: str = "") -> set[tuple[str, str]]:
    return pairs(dependence(*body, functions=functions).inputs[0])


def test_an_output_depends_on_the_operands_of_its_value() -> None:
    found = inputs_of(
        f"%a = {read(0, 0, 1)}",
        f"%b = {read(1, 1, 0)}",
        f"%unused = {read(0, 0, 3)}",
        "%c = fmul float %a, %b",
        write("%c", column=2),
        write("%a", element=1, row=1),
        write("1.000000e+00", column=3),
        "ret void",
    )
    assert found == {("0.y", "0.z"), ("2.x", "0.z"), ("0.y", "2.y")}


def test_a_row_that_is_not_constant_may_be_any_row() -> None:
    found = inputs_of(
        f"%a = {read(0, 0, 0)}",
        "%i = fptoui float %a to i32",
        f"%b = {read(1, '%i', 1)}",
        write("%b", element=1, row="%i"),
        "ret void",
    )
    outputs = ("1.y", "2.y")
    assert found == {(each, output) for each in ("0.x", "1.y", "2.y") for output in outputs}


BRANCH = (f"%a = {read(0, 0, 0)}", f"%b = {read(0, 0, 1)}", "%t = fcmp ogt float %a, 0.0")


def test_what_decides_whether_an_output_is_written_counts() -> None:
    found = inputs_of(
        *BRANCH,
        "br i1 %t, label %then, label %end",
        "then:",
        write("%b"),
        "br label %end",
        "end:",
        write("1.000000e+00", column=1),
        "ret void",
    )
    assert found == {("0.x", "0.x"), ("0.y", "0.x")}


def test_a_phi_of_constants_depends_on_the_branch_that_chooses() -> None:
    found = inputs_of(
        *BRANCH,
        "br i1 %t, label %then, label %end",
        "then:",
        "br label %end",
        "end:",
        "%c = phi float [ 1.000000e+00, %then ], [ 0.000000e+00, %0 ]",
        write("%c"),
        write("%b", column=1),
        "ret void",
    )
    assert found == {("0.x", "0.x"), ("0.y", "0.y")}


def test_a_constant_of_a_phi_depends_on_no_branch_below_what_sets_it() -> None:
    """The inner branch has the same value on both sides."""
    found = inputs_of(
        *BRANCH,
        "%u = fcmp ogt float %b, 0.0",
        "br i1 %t, label %then, label %other",
        "then:",
        "br i1 %u, label %inner, label %end",
        "inner:",
        "br label %end",
        "other:",
        "br label %end",
        "end:",
        "%c = phi float [ 1.0, %then ], [ 1.0, %inner ], [ 0.0, %other ]",
        write("%c"),
        "ret void",
    )
    assert found == {("0.x", "0.x")}


def test_constants_are_followed_beside_a_value_of_the_block_that_it_comes_from() -> None:
    found = inputs_of(
        *BRANCH,
        "%u = fcmp ogt float %b, 0.0",
        "br i1 %t, label %then, label %other",
        "then:",
        "br i1 %u, label %one, label %two",
        "one:",
        "br label %end",
        "two:",
        "br label %end",
        "other:",
        "%d = fadd float %a, 1.0",
        "br label %end",
        "end:",
        "%c = phi float [ %d, %other ], [ 1.0, %one ], [ 1.0, %two ]",
        write("%c"),
        "ret void",
    )
    assert found == {("0.x", "0.x")}


def test_a_loop_depends_on_its_own_condition() -> None:
    found = inputs_of(
        f"%a = {read(0, 0, 0)}",
        f"%b = {read(0, 0, 1)}",
        "br label %loop",
        "loop:",
        "%i = phi float [ %b, %0 ], [ %j, %loop ]",
        "%j = fadd float %i, 1.000000e+00",
        "%t = fcmp olt float %j, %a",
        "br i1 %t, label %loop, label %end",
        "end:",
        write("%j"),
        "ret void",
    )
    assert found == {("0.x", "0.x"), ("0.y", "0.x")}


def test_a_loop_without_end() -> None:
    found = inputs_of(
        *BRANCH,
        "br i1 %t, label %loop, label %end",
        "loop:",
        write("%b", column=1),
        "br label %loop",
        "end:",
        write("%b"),
        "ret void",
    )
    assert ("0.y", "0.x") in found
    assert ("0.y", "0.y") in found


def test_memory_has_what_was_written_to_it() -> None:
    found = inputs_of(
        "%p = alloca [2 x float]",
        "%q = alloca float",
        f"%a = {read(0, 0, 0)}",
        f"%b = {read(0, 0, 1)}",
        "%one = getelementptr [2 x float], [2 x float]* %p, i32 0, i32 1",
        "%zero = getelementptr [2 x float], [2 x float]* %p, i32 0, i32 0",
        "store float %a, float* %one",
        "store float %b, float* %q",
        "%c = load float, float* %zero",
        "%d = load float, float* %q",
        write("%c"),
        write("%d", column=1),
        "ret void",
    )
    assert found == {("0.x", "0.x"), ("0.y", "0.y")}


def test_a_pointer_that_is_one_of_two() -> None:
    found = inputs_of(
        "%p = alloca float",
        "%q = alloca float",
        *BRANCH,
        "store float %b, float* %p",
        "%r = select i1 %t, float* %p, float* %q",
        "%c = load float, float* %r",
        write("%c"),
        "ret void",
    )
    assert found == {("0.x", "0.x"), ("0.y", "0.x")}


FUNCTION = """
define float @f(float %x, float %y) {
  %z = fadd float %x, 1.000000e+00
  ret float %z
}
"""


def test_functions_that_are_called() -> None:
    found = inputs_of(
        f"%a = {read(0, 0, 0)}",
        "%b = call float @f(float %a, float 2.000000e+00)",
        write("%b"),
        "ret void",
        functions=FUNCTION,
    )
    assert found == {("0.x", "0.x")}


WRITER = f"""
define void @g(float* %p, float %x) {{
  store float %x, float* %p
  %v = load float, float* %p
  {write("%v", column=1)}
  ret void
}}
"""


def test_functions_that_write() -> None:
    found = inputs_of(
        "%p = alloca float",
        *BRANCH,
        "br i1 %t, label %then, label %end",
        "then:",
        "call void @g(float* %p, float %b)",
        "br label %end",
        "end:",
        "%c = load float, float* %p",
        write("%c"),
        "ret void",
        functions=WRITER,
    )
    assert {("0.y", "0.x"), ("0.y", "0.y"), ("0.x", "0.y")} <= found


def test_the_view() -> None:
    found = dependence(
        "%v = call i32 @dx.op.viewID.i32(i32 138)",
        "%f = uitofp i32 %v to float",
        write("%f", column=1),
        "ret void",
    )
    assert found.view == [2, 0, 0, 0]
    assert not any(found.inputs[0])


def test_patch_constants_of_a_domain_shader() -> None:
    found = dependence(
        "%c = call float @dx.op.loadPatchConstant.f32(i32 104, i32 0, i32 0, i8 1)",
        "%p = call float @dx.op.loadOutputControlPoint.f32(i32 103, i32 0, i32 0, i8 2, i32 0)",
        "%s = fadd float %c, %p",
        write("%s"),
        "ret void",
        kind=ShaderKind.DOMAIN,
    )
    assert pairs(found.from_patch) == {("0.y", "0.x")}
    assert pairs(found.inputs[0]) == {("0.z", "0.x")}


PATCH = """
define void @patch() {
  %1 = call float @dx.op.loadOutputControlPoint.f32(i32 103, i32 0, i32 0, i8 3, i32 0)
  call void @dx.op.storePatchConstant.f32(i32 106, i32 0, i32 0, i8 1, float %1)
  ret void
}
"""


def test_patch_constants_depend_on_what_their_control_points_depend_on() -> None:
    found = dependence(
        f"%a = {read(1, 0, 0)}",
        write("%a", column=3),
        "ret void",
        functions=PATCH,
        kind=ShaderKind.HULL,
    )
    assert pairs(found.inputs[0]) == {("1.x", "0.w")}
    assert pairs(found.patch_inputs) == {("1.x", "0.y")}


def test_many_branches_over_many_blocks_are_refused() -> None:
    """Each of nested loops is repeated by the conditions of all around it."""
    count = 40
    body = [f"%a = {read(0, 0, 0)}", "%t = fcmp ogt float %a, 0.0", "br label %l0"]
    for at in range(count):
        body += [f"l{at}:", f"br label %{'l' + str(at + 1) if at < count - 1 else 'e0'}"]
    for at in range(count):
        after = f"e{at + 1}" if at < count - 1 else "end"
        body += [f"e{at}:", f"br i1 %t, label %l{count - 1 - at}, label %{after}"]
    body += ["end:", write("%a"), "ret void"]
    assert pairs(dependence(*body).inputs[0]) == {("0.x", "0.x")}
    with pytest.raises(LimitError, match="sharing"):
        dependence(*body, limits=Limits(sharing=1000))


def test_an_element_of_a_billion_rows_takes_no_memory() -> None:
    text = program(f"%a = {read(1, '%i', 0)}".replace("%i", "undef"), write("%a"), "ret void")
    rows = "i32 2, i8 2, i32 1, i8 0, null"
    old = text.disassemble()
    assert rows in old
    code = Program.assemble(old.replace(rows, "i32 1000000000, i8 2, i32 1, i8 0, null"))
    entry = read_shader(code.read_module()).entry_points[0]
    assert vectors(entry.signatures.inputs) == 256
    assert len(dependence_of(code, entry, ShaderKind.VERTEX).inputs[0]) == 1024
