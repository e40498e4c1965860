"""Geometry shaders: inputs of a lane, emitted vertices, ends of strips.

A vertex has registers of four words; memory not written holds `GUARD`. Source: Direct3D
11.3 functional specification, sections 13 and 22.8; public documentation of the instructions.
"""

import pytest

from tests.programs.tpf.lower.cases import Case, check_meaning
from tests.programs.tpf.lower.support import GUARD, Words, program, words
from unshade.errors import UnsupportedError
from unshade.ir.lowered import Points

MOST = 0xFFFF_FFFF
STREAM = """dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output o0.x"""


def geometry(
    body: str,
    *,
    primitive: str = "point",
    inputs: str = "dcl_input v[1][0].x",
    streams: str = STREAM,
    most: int = 2,
    profile: str = "gs_5_0",
    functions: str = "",
) -> str:
    lines = [
        profile, *inputs.splitlines(), "dcl_temps 4", f"dcl_inputprimitive {primitive}",
        *streams.splitlines(), f"dcl_maxout {most}", *body.splitlines(), "ret",
        *functions.splitlines(), "",
    ]  # fmt: skip
    return "\n".join(line.strip() for line in lines)


def vertices(*numbers: float, rows: int = 1) -> Words:
    """Return memory of four words for each number: the number, then GUARD."""
    found = words(*([GUARD] * 4 * len(numbers)))
    found[::4] = words(*numbers)
    assert not len(numbers) % rows
    return found


def room(count: int) -> Words:
    return words(*[GUARD] * count)


def streamed(
    name: str,
    covers: str,
    text: str,
    given: Words,
    *,
    counts: list[int],
    vertices_wanted: Words,
    cuts: list[int],
    outside: int = 0,
) -> Case:
    """Return the case of a program with one stream; GUARD marks words left unwritten."""
    return Case(
        name, frozenset(covers.split()), text,
        {"v": given, "stream0": room(len(vertices_wanted)), "stream0.cut": room(len(cuts))},
        {"stream0": vertices_wanted, "stream0.cut": words(*cuts)},
        outputs={"stream0.count": words(*counts)}, outside={"v": outside},
    )  # fmt: skip


TWO_STREAMS = """dcl_stream m0
dcl_outputtopology pointlist
dcl_output o0.x
dcl_stream m2
dcl_outputtopology pointlist
dcl_output o0.xy"""

CASES: list[Case] = [
    streamed(
        "emit gives the outputs as they stand, and they keep their values", "emit",
        geometry("mov o0.x, v[0][0].x\nemit\nemit", profile="gs_4_0",
                 streams="dcl_outputtopology linestrip\ndcl_output o0.x"),
        vertices(1.5, 2.5), counts=[2, 2], vertices_wanted=vertices(1.5, 1.5, 2.5, 2.5),
        cuts=[1, 0, 1, 0],
    ),
    streamed(
        "cut begins a strip, emit_then_cut too", "emit cut emit_then_cut mov",
        geometry("mov o0.x, l(1.0)\nemit\ncut\ncut\nmov o0.x, l(2.0)\nemit\nemit_then_cut\nemit",
                 profile="gs_4_0", most=4,
                 streams="dcl_outputtopology linestrip\ndcl_output o0.x"),
        vertices(0.0), counts=[4], vertices_wanted=vertices(1.0, 2.0, 2.0, 2.0), cuts=[1, 1, 0, 1],
    ),
    streamed(
        "a cut before any vertex changes nothing", "cut_stream emit_stream",
        geometry("cut_stream m0\ncut_stream m0\nmov o0.x, l(3.0)\nemit_stream m0"),
        vertices(0.0), counts=[1], vertices_wanted=vertices(3.0, GUARD), cuts=[1, GUARD],
    ),
    streamed(
        "vertices beyond the limit are dropped", "emit_stream loop",
        geometry("""mov r0.x, l(0)
            loop
            uge r0.y, r0.x, v[0][0].x
            breakc_nz r0.y
            mov o0.x, r0.x
            emit_stream m0
            iadd r0.x, r0.x, l(1)
            endloop""", most=3),
        vertices(0, 2, 5), counts=[0, 2, 3],
        vertices_wanted=vertices(GUARD, GUARD, GUARD, 0, 1, GUARD, 0, 1, 2),
        cuts=[GUARD, GUARD, GUARD, 1, 0, GUARD, 1, 0, 0],
    ),
    streamed(
        "no vertex at all is allowed", "emit_stream",
        geometry("mov o0.x, l(1.0)\nemit_stream m0\ncut_stream m0", most=0),
        vertices(1.0, 2.0), counts=[0, 0], vertices_wanted=room(8), cuts=[GUARD, GUARD],
    ),
    Case(
        "vertices of a primitive, and vPrim", {"emit_stream"},
        geometry("""utof r0.x, vPrim
            mad o0.x, v[5][1].x, l(10.0), r0.x
            emit_stream m0""", primitive="triangleadj", most=1,
                 inputs="dcl_input_siv v[6][0].x, position\ndcl_input v[6][1].x\ndcl_input vPrim"),
        {"v": vertices(*map(float, range(12))), "stream0": room(4), "stream0.cut": room(1)},
        {"stream0": vertices(117.0), "stream0.cut": words(1)}, inputs={"vPrim": words(7)},
        outputs={"stream0.count": words(1)},
    ),
    streamed(
        "points of a patch", "emit_stream",
        geometry("mov o0.x, v[31][0].x\nemit_stream m0", primitive="patch32", most=1,
                 inputs="dcl_input v[32][0].x"),
        vertices(*range(64)), counts=[1, 1], vertices_wanted=vertices(31, 63), cuts=[1, 1],
    ),
    streamed(
        "a vertex that is calculated; 0 where there is none", "emit_stream",
        geometry("""iadd r0.x, v[0][0].x, l(-1)
            mov o0.x, v[r0.x + 1][0].x
            emit_stream m0
            mov o0.x, v[r0.x + 0][0].x
            emit_stream m0""", primitive="line", inputs="dcl_input v[2][0].x"),
        vertices(1, 11, 2, 12, 0, 10), counts=[2, 2, 2],
        vertices_wanted=vertices(11, 1, 0, 12, 0, 0), cuts=[1, 0] * 3, outside=2,
    ),
    streamed(
        "a register that is calculated; 0 where there is none", "emit_stream",
        geometry("""mov r0.x, v[0][0].x
            mov o0.x, v[0][r0.x + 1].x
            emit_stream m0""", most=1,
                 inputs="dcl_input v[1][0].x\ndcl_input v[1][1].x\ndcl_indexrange v[1][0].x 2"),
        vertices(0, 7, MOST, 8, 1, 9, rows=2), counts=[1, 1, 1],
        vertices_wanted=vertices(7, MOST, 0), cuts=[1, 1, 1], outside=1,
    ),
    streamed(
        "outputs that a register indexes", "emit_stream",
        geometry("""mov o0.x, l(1.0)
            mov o1.x, l(2.0)
            mov r0.x, v[0][0].x
            mov o[r0.x + 0].x, l(9.0)
            emit_stream m0""", most=1,
                 streams=STREAM + "\ndcl_output o1.x\ndcl_indexrange o0.x 2"),
        vertices(0, 1, 2), counts=[1, 1, 1],
        vertices_wanted=vertices(9.0, 2.0, 1.0, 9.0, 1.0, 2.0), cuts=[1, 1, 1],
    ),
    streamed(
        "functions emit, and the shader ends early", "emit_stream call retc",
        geometry("""mov o0.x, v[0][0].x
            call l0
            retc_nz v[0][0].x
            call l0""", functions="label l0\nemit_stream m0\niadd o0.x, v[0][0].x, l(5)\nret"),
        vertices(0, 1), counts=[2, 1], vertices_wanted=vertices(0, 5, 1, GUARD),
        cuts=[1, 0, 1, GUARD],
    ),
    Case(
        "streams count together, and have outputs and strips of their own",
        {"emit_stream", "cut_stream", "emit_then_cut_stream"},
        geometry("""mov o0.x, l(1.0)
            mov o0.y, l(5.0)
            emit_then_cut_stream m0
            mov o0.x, l(2.0)
            emit_stream m2
            cut_stream m2
            mov o0.x, l(3.0)
            emit_stream m0
            emit_stream m2
            emit_stream m0""", streams=TWO_STREAMS, most=4),
        {"v": vertices(0.0), "stream0": room(16), "stream0.cut": room(4), "stream2": room(16),
         "stream2.cut": room(4)},
        {"stream0": vertices(1.0, 3.0, GUARD, GUARD), "stream0.cut": words(1, 1, GUARD, GUARD),
         "stream2": words(2.0, 5.0, GUARD, GUARD, 3.0, 5.0, *[GUARD] * 10),
         "stream2.cut": words(1, 1, GUARD, GUARD)},
        outputs={"stream0.count": words(2), "stream2.count": words(2)},
    ),
    Case(
        "instances stand one after the other", {"emit_stream"},
        geometry("""imad o0.x, vGSInstanceID, l(100), v[0][0].x
            emit_stream m0""", most=1,
                 inputs="dcl_input v[1][0].x\ndcl_input vGSInstanceID\ndcl_gsinstances 3"),
        {"v": vertices(1, 2), "stream0": room(24), "stream0.cut": room(6)},
        {"stream0": vertices(1, 101, 201, 2, 102, 202), "stream0.cut": words(*[1] * 6)},
        inputs={"vGSInstanceID": words(0, 1, 2, 0, 1, 2)},
        outputs={"stream0.count": words(*[1] * 6)},
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    case.check()
    check_meaning(case)


def test_lowered_points_describe_inputs_and_streams() -> None:
    text = geometry(
        "emit_stream m0",
        primitive="triangle",
        inputs="dcl_input v[3][0].xy\ndcl_input_siv v[3][2].w, position\ndcl_gsinstances 2",
        streams=STREAM + "\ndcl_output_siv o1.yz, position",
        most=6,
    )
    lowered = program(text).lower()
    described = {each.name: _description(each) for each in lowered.points}
    assert described == {
        "v": (3, 48, ["v0.x", "v0.y", "v2.w"], "undefined"),
        "stream0": (6, 32, ["o0.x", "o1.y", "o1.z"], "trianglestrip"),
    }
    assert lowered.instances == 2


def test_streams_that_are_declared_together_share_the_outputs_that_follow() -> None:
    """vkd3d-compiler 2.1 declares the topology, all streams, and then the outputs of all."""
    together = """dcl_outputtopology pointlist
dcl_stream m0
dcl_stream m2
dcl_output o0.x
dcl_output o0.xy"""
    lowered = program(geometry("emit_stream m0\nemit_stream m2", streams=together)).lower()
    described = {each.name: _description(each) for each in lowered.points}
    assert described["stream0"][2:] == (["o0.x", "o0.y"], "pointlist")
    assert described["stream2"][2:] == (["o0.x", "o0.y"], "pointlist")
    apart = program(geometry("emit_stream m0", streams=TWO_STREAMS)).lower()
    described = {each.name: _description(each) for each in apart.points}
    assert described["stream0"][2:] == (["o0.x"], "pointlist")
    assert described["stream2"][2:] == (["o0.x", "o0.y"], "pointlist")


def _description(points: Points) -> tuple[int, int, list[str], str]:
    return points.count, points.stride, [port.name for port in points.ports], points.topology


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (geometry("emit_stream m1"), "stream m1 is used without a declaration"),
        (geometry("emit_stream m0").replace("m0", "m4"), "expected stream m0 to m3, got m4"),
        (geometry("ret", most=1025), "expected 0 to 1024 vertices, got 1025"),
        (
            geometry("ret", inputs="dcl_input v[1][0].x\ndcl_gsinstances 33"),
            "expected 1 to 32 instances, got 33",
        ),
        (
            geometry("ret", inputs="dcl_input v[1][0].x\ndcl_gsinstances 0"),
            "expected 1 to 32 instances, got 0",
        ),
        (geometry("ret", inputs="dcl_input v[1][32].x"), "expected a register below v32, got v32"),
        (geometry("ret", streams="dcl_output o99.x"), "expected a register below o32, got o99"),
        (geometry("ret").replace("dcl_maxout 2\n", ""), "without dcl_maxout"),
        (
            geometry("ret").replace("dcl_inputprimitive point\n", ""),
            "without dcl_inputprimitive",
        ),
    ],
)
def test_invalid_declarations_are_refused(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        program(text).lower()
