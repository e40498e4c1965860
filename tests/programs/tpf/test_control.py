"""Where each instruction of a tokenized program leads."""

import tracemalloc

import unshade
from unshade.isa.flow import ProgramFlow
from unshade.programs.tpf.control import control_flow
from unshade.programs.tpf.decoding import decode_instructions
from unshade.programs.tpf.tables.ops import OPS

BEFORE = "dcl_globalFlags refactoringAllowed\ndcl_temps 2\n"


def flow_of(body: str) -> tuple[ProgramFlow, dict[int, list[tuple[int, str]]]]:
    shader = unshade.assemble(f"ps_5_0\n{BEFORE}{body}")
    flow = shader.programs[0].control_flow()
    return flow, {at: [*step.ways] for at, step in enumerate(flow.steps)}


def test_branches_and_loops() -> None:
    flow, ways = flow_of("""loop
if_nz r0.x
breakc_nz r0.y
continuec_z r0.y
else
continue
endif
break
endloop
ret""")
    assert ways == {
        0: [(1, "next")],
        1: [(2, "true"), (5, "false")],
        2: [(3, "next"), (9, "break")],
        3: [(4, "next"), (0, "continue")],
        4: [(6, "jump")],
        5: [(0, "continue")],
        6: [(7, "next")],
        7: [(9, "break")],
        8: [(0, "back")],
        9: [],
    }
    assert flow.regions == [(0, 7), (1, 3), (4, 5)]
    assert flow.starts == []


def test_switches() -> None:
    """A `break` leaves the switch for its end, and `continue` the loop around it."""
    flow, ways = flow_of("""loop
switch r0.x
case l(1)
break
case l(2)
continue
endswitch
switch r0.x
case l(1)
default
break
endswitch
endloop
ret""")
    assert ways[1] == [(2, "case"), (4, "case"), (6, "default")]
    assert ways[3] == [(6, "break")]
    assert ways[5] == [(0, "continue")]
    assert ways[7] == [(8, "case"), (9, "default")]
    assert ways[12] == [(0, "back")]
    assert flow.regions == [(0, 11), (1, 5), (7, 10)]


def test_functions_are_regions() -> None:
    flow, _ = flow_of("call l0\nret\nlabel l0\nmov r0.x, r0.y\nret\nlabel l1\nret")
    assert [*flow.starts] == [2, 5]
    assert flow.regions == [(2, 4), (5, 6)]


def raw_flow(*names: str) -> ProgramFlow:
    """Return the flow of a program that no assembler takes."""
    return control_flow(decode_instructions(tuple(OPS[name].code | 1 << 24 for name in names)))


def test_else_and_jumps_outside_their_constructs() -> None:
    flow = raw_flow("else", "break", "continue", "loop", "else", "endloop", "endif", "ret")
    assert [step.ways for step in flow.steps] == [
        (), ((2, "break"),), (), ((4, "next"),), ((5, "jump"),), ((3, "back"),), ((7, "next"),), (),
    ]  # fmt: skip


def test_unclosed_constructs_end_with_the_program() -> None:
    flow = raw_flow("loop", "loop", "break")
    assert flow.steps[2].ways == ((4, "break"),)
    assert flow.regions == [(0, 2), (1, 2)]


def test_memory_of_nested_loops_is_that_of_their_number() -> None:
    """The open constructs are not listed anew at each step."""
    peaks = []
    for depth in (1000, 4000):  # small numbers are shared
        names = ("loop",) * depth + ("endloop",) * depth
        tracemalloc.start()
        raw_flow(*names)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 8 * peaks[0]  # 16 times if each step lists them; dicts grow by doubling
