"""Lines of several languages, split by their lexers."""

from __future__ import annotations

import pytest

from unshade.isa.lexer import Kind, Lexer, comments
from unshade.isa.steps import Step, step_of
from unshade.programs import pica, tpf
from unshade.programs.tpf.lexer import LEXER

TPF = tpf.Program.assemble("ps_5_0\nret\n")
PICA = pica.Program()
SSA = Lexer((Kind.OPERATION, r"Op[A-Z]\w*"), (Kind.REGISTER, r"%[0-9]+"), (Kind.NAME, r"%\w+"))


def texts(step: Step) -> tuple[str, str, list[str], list[str]]:
    results = [each.text for each in step.results]
    return step.operation, step.controls, results, [each.text for each in step.operands]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  mul_sat r0.xy, r1.x, l(2, 3)", ("mul_sat", "", ["r0.xy"], ["r1.x", "l(2, 3)"])),
        ("udiv r0.x, null, r1.x, r2.x", ("udiv", "", ["r0.x", "null"], ["r1.x", "r2.x"])),
        ("store_raw u0.x, r0.x, r1.x", ("store_raw", "", [], ["u0.x", "r0.x", "r1.x"])),
        (
            "ld_indexable(texture2d)(float,float,float,float) r0.x, r1.x, t0.x",
            ("ld_indexable", "(texture2d)(float,float,float,float)", ["r0.x"], ["r1.x", "t0.x"]),
        ),
        ("mad [precise(x)] r0.x, r1.x", ("mad", "[precise(x)]", ["r0.x"], ["r1.x"])),
        ("mov r0.x, x0[r1.x + 2].y", ("mov", "", ["r0.x"], ["x0[r1.x + 2].y"])),
        ("ret ", ("ret", "", [], [])),
        ("ps_5_0", ("ps_5_0", "", [], [])),
        ("", ("", "", [], [])),
    ],
)
def test_tokenized_programs(line: str, expected: tuple[str, str, list[str], list[str]]) -> None:
    assert texts(TPF.step(line)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("add r0.xyz, -c94[a0.x].x, v1 {desc 3}",
         ("add", "", ["r0.xyz"], ["-c94[a0.x].x", "v1 {desc 3}"])),
        ("mova a0.x, v1.y", ("mova", "", ["a0.x"], ["v1.y"])),
        ("cmp v0, le, le, v1", ("cmp", "", [], ["v0", "le", "le", "v1"])),
        ("ifc cmp.x && !cmp.y", ("ifc", "", [], ["cmp.x && !cmp.y"])),
        ("label7:", ("label7:", "", [], [])),
    ],
)  # fmt: skip
def test_pica(line: str, expected: tuple[str, str, list[str], list[str]]) -> None:
    assert texts(PICA.step(line)) == expected


def test_a_language_of_values() -> None:
    step = step_of(SSA, "%5 = OpFAdd %float4 %1 %12")
    assert texts(step) == ("OpFAdd", "", ["%5 ="], ["%float4 %1 %12"])
    assert step.shape == ("OpFAdd", "", "%# =", "%float4 %# %#")
    assert step.registers == ("%5", "%1", "%12")


def test_a_language_without_instructions() -> None:
    step = step_of(comments("//"), "half4 main(float2 p) { return half4(1); }")
    assert step.operation == "half4"
    assert step.rest == step_of(comments("//"), "float main(float2 p) { return half4(1); }").rest


def test_shapes_have_no_numbers_and_components() -> None:
    step = TPF.step("mad r0.xyz, cb0[3].xyzx, l(0x3f800000), v12.x")
    assert step.shape == ("mad", "", "r#.xyz", "cb#[3].xyzx", "l(0x3f800000)", "v#.x")
    assert step.loose == ("mad", "", "r#.###", "cb#[3].####", "l(0x3f800000)", "v#.#")
    assert step.registers == ("r0", "cb0", "v12")


@pytest.mark.parametrize(
    "line", ["mul r0.x, r1.x", "mul_sat r0.x, r1.x", "mul r0.x, -r1.x", "mul r0.x, r1.y"]
)
def test_the_shape_loses_nothing_but_numbers(line: str) -> None:
    other = "mul r0.x, r1.z"
    assert TPF.step(line).shape != TPF.step(other).shape
    assert TPF.step(line).shape == TPF.step(line.replace("r0", "r7")).shape


def test_instructions_have_results() -> None:
    program = tpf.Program.assemble("ps_5_0\nudiv r0.x, null, r1.x, r2.x\nret\n")
    first, last = program.instructions
    assert [str(each) for each in first.results] == ["r0.x", "null"]
    assert last.results == []
    code = pica.Program.assemble(".proc main\nmova a0.x, v1.y\nadd r0, c1, v0\nend\n.end")
    assert [[str(each) for each in one.results] for one in code.instructions] == [
        ["a0.x"], ["r0.xyzw"], []
    ]  # fmt: skip


def test_usual_lines_are_split_once() -> None:
    usual, long = "add r0.x, r1.x, r2.x", f"add r0.x, {', '.join(['r1.x'] * 60)}"
    assert step_of(LEXER, usual) is step_of(LEXER, f"  {usual}")
    first = step_of(LEXER, long)
    assert step_of(LEXER, long) == first
    assert step_of(LEXER, long) is not first
