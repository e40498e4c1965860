"""Blocks and branches of functions."""

from unshade.isa.flow import blocks_of
from unshade.programs.dxil import Program

BRANCHES = """\
target triple = "dxil-ms-dx"

define void @main(i1, i32) {
  br i1 %0, label %3, label %6

; <label>:3
  %4 = add i32 %1, 1
  %5 = icmp eq i32 %4, 2
  br i1 %5, label %3, label %6

; <label>:6
  switch i32 %1, label %7 [
    i32 1, label %8
    i32 2, label %7
  ]

; <label>:7
  br label %8

; <label>:8
  ret void
}

define void @other() {
  ret void
}

!dx.version = !{!0}
!dx.shaderModel = !{!1}
!0 = !{i32 1, i32 0}
!1 = !{!"lib", i32 6, i32 3}
"""


def test_branches_lead_to_blocks() -> None:
    program = Program.assemble(BRANCHES)
    flow = program.control_flow()
    found = blocks_of(flow)
    assert found.blocks == [(0, 0), (1, 3), (4, 4), (5, 5), (6, 6), (7, 7)]
    assert found.edges == [
        (0, 1, "true"),
        (0, 2, "false"),
        (1, 1, "true"),
        (1, 2, "false"),
        (2, 3, "default"),
        (2, 4, "case"),
        (2, 3, "case"),
        (3, 4, "jump"),
    ]
    assert flow.regions == [(0, 6), (7, 7)]
    assert flow.starts == [0, 7]


def test_steps_are_the_records_of_instructions() -> None:
    program = Program.decode(Program.assemble(BRANCHES).encode())
    values = {span.path: span.value for span in program.spans()}
    names = [values[f"{step.path}.record"] for step in program.control_flow().steps]
    assert names == [
        "INST_BR",
        "INST_BINOP",
        "INST_CMP2",
        "INST_BR",
        "INST_SWITCH",
        "INST_BR",
        "INST_RET",
        "INST_RET",
    ]
