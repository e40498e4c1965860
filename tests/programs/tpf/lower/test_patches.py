"""Hull and domain shaders: phases, the data passed between them, points of patches.

A control point has registers of four words; memories hold `GUARD` where nothing is written. Source:
Direct3D 11.3 functional specification, sections 10 and 12.
"""

import pytest

from tests.oracle.interpret import interpret
from tests.programs.tpf.lower.cases import Case, check_meaning
from tests.programs.tpf.lower.support import GUARD, program, words
from tests.programs.tpf.lower.test_flow import unchecked
from tests.programs.tpf.lower.test_geometry import room, vertices
from unshade.errors import LimitError, UnsupportedError
from unshade.vm.prepare import prepare

MOST = 0xFFFF_FFFF


def hull(
    *phases: str, taken: int = 2, given: int = 2, declarations: str = "", functions: str = ""
) -> str:
    lines = [
        "hs_5_0", "hs_decls", f"dcl_input_control_point_count {taken}",
        f"dcl_output_control_point_count {given}", "dcl_tessellator_domain domain_isoline",
        "dcl_tessellator_partitioning partitioning_integer",
        "dcl_tessellator_output_primitive output_line", "dcl_hs_max_tessfactor l(64.000000)",
        "dcl_globalFlags refactoringAllowed", *declarations.splitlines(),
    ]  # fmt: skip
    for phase in phases:
        lines += phase.splitlines()
    lines += [*functions.splitlines(), ""]
    return "\n".join(line.strip() for line in lines)


def domain(body: str, *declarations: str, points: int = 2) -> str:
    lines = [
        "ds_5_0", f"dcl_input_control_point_count {points}",
        "dcl_tessellator_domain domain_tri", *declarations, "dcl_temps 2", *body.splitlines(),
        "ret", "",
    ]  # fmt: skip
    return "\n".join(line.strip() for line in lines)


POINTS = """hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input v[2][0].x
dcl_output o0.x
dcl_temps 2
"""
FORK = """hs_fork_phase
dcl_hs_fork_phase_instance_count {}
dcl_input vForkInstanceID
dcl_temps 2
dcl_output o0.x
dcl_output o1.x
dcl_indexrange o0.x 2
"""
OUT = ("dcl_output_siv o0.x, position",)

CASES: list[Case] = [
    Case(
        "a control point phase runs for each point that is given",
        {"hs_decls", "hs_control_point_phase"},
        hull(POINTS + "imad o0.x, vOutputControlPointID, l(100), v[1][0].x\nret", given=3),
        {"v": vertices(1, 2, 3, 4), "vocp": room(24), "vpc": room(8)},
        {"vocp": vertices(2, 102, 202, 4, 104, 204)}, inputs={"vPrim": words(0, 0)},
    ),
    Case(
        "a point of its own number, and none that does not exist", {"hs_control_point_phase"},
        hull(POINTS + """mov r0.x, vOutputControlPointID
            mov o0.x, v[r0.x + 0][0].x
            ret""", given=4),
        {"v": vertices(5, 6), "vocp": room(16), "vpc": room(4)},
        {"vocp": vertices(5, 6, 0, 0)}, inputs={"vPrim": words(0)}, outside={"v": 2},
    ),
    Case(
        "no control point at all", {"hs_control_point_phase", "hs_fork_phase"},
        hull(POINTS + "mov o0.x, l(1)\nret", FORK.format(1) + "mov o0.x, l(7)\nret", given=0),
        {"v": vertices(5, 6), "vocp": words(), "vpc": vertices(GUARD, GUARD)},
        {"vpc": vertices(7, GUARD)}, inputs={"vPrim": words(0)},
    ),
    Case(
        "a fork phase runs for each instance", {"hs_fork_phase"},
        hull(FORK.format(2) + """mov r0.x, vForkInstanceID.x
            iadd o[r0.x + 0].x, vForkInstanceID.x, l(30)
            ret"""),
        {"v": room(16), "vpc": room(16)}, {"vpc": vertices(30, 31, 30, 31)},
        inputs={"vPrim": words(0, 0)},
    ),
    Case(
        "without a count a phase runs once, with the count 0 never, up to 32 times else",
        {"hs_fork_phase", "hs_join_phase"},
        hull("hs_fork_phase\ndcl_output o0.x\nmov o0.x, l(1)\nret",
             FORK.format(0) + "mov o0.x, l(2)\nmov o1.x, l(3)\nret",
             """hs_join_phase
             dcl_hs_join_phase_instance_count 32
             dcl_input vJoinInstanceID
             dcl_input vpc0.x
             dcl_output o0.x
             iadd o0.x, vpc0.x, l(1)
             ret"""),
        {"v": room(8), "vpc": room(8)}, {"vpc": vertices(33, GUARD)}, inputs={"vPrim": words(0)},
    ),
    Case(
        "a register that does not exist is not written", {"hs_fork_phase"},
        hull(FORK.format(4) + "mov r0.x, vForkInstanceID.x\nmov o[r0.x + 1].x, l(9)\nret"),
        {"v": room(8), "vpc": room(8)}, {"vpc": vertices(GUARD, 9)}, inputs={"vPrim": words(0)},
        outside={"vpc": 3},
    ),
    Case(
        "later phases see the control points, both kinds, and what fork phases wrote",
        {"hs_control_point_phase", "hs_fork_phase", "hs_join_phase"},
        hull(POINTS + "iadd o0.x, v[0][0].x, vOutputControlPointID.x\nret",
             """hs_fork_phase
             dcl_input vicp[2][0].x
             dcl_input vocp[2][0].x
             dcl_output o0.y
             dcl_output_siv o1.x, finalLineDetailTessFactor
             imad o0.y, vocp[1][0].x, l(10), vicp[1][0].x
             iadd o1.x, vPrim, l(1)
             ret""",
             """hs_join_phase
             dcl_input vpc0.y
             dcl_input vpc1.x
             dcl_input vPrim
             dcl_output o0.x
             iadd o0.x, vpc0.y, vpc1.x
             ret"""),
        {"v": vertices(1, 2, 50, 60), "vocp": room(16), "vpc": room(16)},
        {"vocp": vertices(1, 2, 50, 51),
         "vpc": words(22 + 1, 22, GUARD, GUARD, 1, GUARD, GUARD, GUARD,
                      570 + 6, 570, GUARD, GUARD, 6, GUARD, GUARD, GUARD)},
        inputs={"vPrim": words(0, 5)},
    ),
    Case(
        "without a control point phase vocp is vicp", {"hs_fork_phase"},
        hull("""hs_fork_phase
             dcl_input vocp[2][0].x
             dcl_output o0.x
             mov o0.x, vocp[1][0].x
             ret"""),
        {"v": vertices(1, 2), "vpc": room(4)}, {"vpc": vertices(2)}, inputs={"vPrim": words(0)},
    ),
    Case(
        "a point that is calculated", {"hs_fork_phase"},
        hull(FORK.format(2).replace("dcl_output o0", "dcl_input vicp[2][0].x\ndcl_output o0") + """
             iadd r0.x, l(1), -vForkInstanceID.x
             mov r0.y, vForkInstanceID.x
             mov o[r0.y + 0].x, vicp[r0.x + 0][0].x
             ret"""),
        {"v": vertices(1, 2), "vpc": room(8)}, {"vpc": vertices(2, 1)},
        inputs={"vPrim": words(0)},
    ),
    Case(
        "a ret ends one turn of a phase, out of loops, switches and functions, too",
        {"hs_fork_phase", "retc", "ret", "loop", "switch", "call"},
        hull(FORK.format(6).replace("dcl_indexrange o0.x 2", "dcl_output o2.x\ndcl_output o3.x"
                                    "\ndcl_output o4.x\ndcl_output o5.x\ndcl_indexrange o0.x 6")
             + """mov r0.x, vForkInstanceID.x
             mov o[r0.x + 0].x, l(1)
             ieq r0.y, r0.x, l(1)
             retc_nz r0.y
             mov o[r0.x + 0].x, l(2)
             loop
               loop
                 ieq r0.y, r0.x, l(2)
                 retc_nz r0.y
                 break
               endloop
               switch r0.x
               case l(3)
                 mov o[r0.x + 0].x, l(3)
                 ret
               default
                 break
               endswitch
               break
             endloop
             switch r0.x
             case l(4)
               mov o[r0.x + 0].x, l(4)
               ret
             default
               break
             endswitch
             call l0
             call l0
             ret""",
             functions="""label l0
             loop
               ieq r0.y, r0.x, l(5)
               retc_nz r0.y
               iadd r0.z, r0.x, l(10)
               mov o[r0.x + 0].x, r0.z
               ret
             endloop
             ret"""),
        {"v": room(8), "vpc": room(24)}, {"vpc": vertices(10, 1, 2, 3, 4, 2)},
        inputs={"vPrim": words(0)},
    ),
    Case(
        "arrays of a phase are its own", {"hs_fork_phase"},
        hull("""hs_fork_phase
             dcl_output o0.x
             dcl_temps 1
             dcl_indexableTemp x0[2], 4
             mov x0[1].x, l(4)
             mov r0.x, l(1)
             mov o0.x, x0[r0.x + 0].x
             ret""",
             """hs_fork_phase
             dcl_output o1.x
             dcl_temps 1
             dcl_indexableTemp x0[4], 4
             mov x0[3].x, l(5)
             mov r0.x, l(3)
             mov o1.x, x0[r0.x + 0].x
             ret"""),
        {"v": room(8), "vpc": room(8)}, {"vpc": vertices(4, 5)}, inputs={"vPrim": words(0)},
    ),
    Case(
        "a domain shader sees its patch and its point of it", {"mov"},
        domain("""mad o0.x, vDomain.z, l(100.0), vicp[1][0].x
            add o0.y, vDomain.x, vpc1.y
            mov o0.z, vDomain.y
            utof o0.w, vPrim""",
               "dcl_input vDomain.xyz", "dcl_input vicp[2][0].x", "dcl_input vpc1.y",
               "dcl_input vPrim", "dcl_output_siv o0.xyzw, position"),
        {"vicp": vertices(1.0, 2.0, 3.0, 4.0),
         "vpc": words(0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0.25, 0, 0)},
        inputs={"vDomain.x": words(1.0, 2.0, 3.0), "vDomain.y": words(4.0, 5.0, 6.0),
                "vDomain.z": words(0.0, 1.0, 2.0), "patch": words(1, 0, 1),
                "vPrim": words(11, 10, 11)},
        outputs={"o0.x": words(4.0, 102.0, 204.0), "o0.y": words(1.25, 2.5, 3.25),
                 "o0.z": words(4.0, 5.0, 6.0), "o0.w": words(11.0, 10.0, 11.0)},
    ),
    Case(
        "points, registers and outputs of a domain shader that are calculated", {"mov"},
        domain("""ftou r0.x, vDomain.x
            mov o[r0.x + 0].x, vicp[r0.x + 0][0].x
            mov o2.x, vpc[r0.x + 0].x""",
               "dcl_input vDomain.x", "dcl_input vicp[2][0].x", "dcl_input vpc0.x",
               "dcl_input vpc1.x", "dcl_indexrange vpc0.x 2", "dcl_output o0.x",
               "dcl_output o1.x", "dcl_output o2.x", "dcl_indexrange o0.x 2"),
        {"vicp": vertices(1, 2), "vpc": vertices(3, 4)},
        inputs={"vDomain.x": words(0.0, 1.0, 7.0), "patch": words(0, 0, 0)},
        outputs={"o0.x": words(1, 0, 0), "o1.x": words(0, 2, 0), "o2.x": words(3, 4, 0)},
        outside={"vicp": 1, "vpc": 1, "o": 1},
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    case.check()
    check_meaning(case)


def test_lowered_points_describe_control_points_and_constants() -> None:
    text = hull(
        POINTS.replace("dcl_output o0.x", "dcl_output o0.x\ndcl_output o2.zw") + "ret",
        "hs_fork_phase\ndcl_output_siv o3.x, finalLineDensityTessFactor\ndcl_output o3.y\nret",
        given=3,
    )
    points = program(text).lower().points
    described = {
        each.name: (each.count, each.stride, [port.name for port in each.ports]) for each in points
    }
    assert described == {
        "v": (2, 16, ["v0.x"]),
        "vocp": (3, 48, ["o0.x", "o2.z", "o2.w"]),
        "vpc": (1, 64, ["o3.x", "o3.y"]),
    }


def test_the_budget_bounds_instances() -> None:
    text = hull(FORK.format(0xFFFF_FFFF) + "mov o0.x, l(1)\nret")
    kernel = prepare(program(text).lower(), {}, {})
    with pytest.raises(LimitError, match="100"):
        interpret(
            kernel, {"v": bytearray(32), "vpc": bytearray(32)}, items=1,
            inputs={port.name: [0] for port in kernel.inputs}, budget=100,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (hull(given=33), "expected 0 to 32 output control points, got 33"),
        (hull(taken=63), "expected 0 to 32 input control points, got 63"),
        (hull(POINTS + "ret", POINTS + "ret"), "expected one control point phase, got 2"),
        (hull(POINTS + "if_nz r0.x\nret"), "hs_control_point_phase ends inside a block"),
        (hull("hs_fork_phase\ndcl_output o32.x\nret"), "expected a register below o32, got o32"),
        (hull("hs_fork_phase\nbreak\nret"), "break outside a loop or switch"),
        (hull("hs_fork_phase\ncontinue\nret"), "continue outside a loop"),
    ],
)
def test_invalid_programs_are_refused(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        unchecked(text).lower()
