"""Geometry shaders: the triangles of setemit and emit, on every engine."""

import numpy as np
import pytest

from tests.kernels import kernel_of
from tests.programs.pica.lower.support import Value, bank, kernels, lowered, program, run
from unshade.errors import UnsupportedError
from unshade.run import engines
from unshade.run.stages.points import BATCH

pytestmark = pytest.mark.heavy

GSH = ".gsh point c0\n"
CORNERS = "".join(f"setemit {slot}{{}}\nmov o0, c{slot}\nemit\n" for slot in range(3))
C = {0: 1.0, 1: 2.0, 2: 3.0, 3: 4.0}


def corners(last: str) -> str:
    """Return code that sends three vertices c0, c1, c2, the last with flags."""
    return CORNERS.format("", "", last)


def sent(text: str, **given: object) -> list[float]:
    """Return o0.x of every vertex sent."""
    found = run(text, before=GSH, **given)  # type: ignore[arg-type]
    assert found["primitives"].shape[1:] == (3,)
    assert found["primitives"].reshape(-1).tolist() == [*range(len(found["o0"]))]
    return [float(each) for each in found["o0"][:, 0]]


def test_a_triangle() -> None:
    assert sent(corners(", prim"), c=C) == [1, 2, 3]


def test_inverted_winding() -> None:
    assert sent(corners(", prim inv"), c=C) == [2, 1, 3]


def test_emit_without_prim_sends_nothing() -> None:
    assert sent(corners(""), c=C) == []


def test_slots_keep_their_vertices() -> None:
    strip = corners(", prim") + "setemit 0, prim\nmov o0, c3\nemit"
    assert sent(strip, c=C) == [1, 2, 3, 4, 2, 3]


def test_emit_in_a_loop() -> None:
    text = corners("") + "for i0\nsetemit 2, prim\nmov o0, v0\nemit\nnop\n.end"
    assert sent(text, c=C, i={0: (3, 0, 0)}, v0=9.0) == [1, 2, 9] * 4


def test_emit_in_a_branch() -> None:
    text = corners("") + "ifu b0\nsetemit 2, prim\nmov o0, c3\nemit\nnop\n.end"
    assert sent(text, c=C) == []
    assert sent(text, c=C, b={0: True}) == [1, 2, 4]


def test_two_banks_of_outputs() -> None:
    """An output that is not written again has the value of two emits ago (azahar, 2338)."""
    text = "mov o0.x, c0\nmov o0.y, c0\nsetemit 0\nemit\nmov o0.x, c1\nsetemit 1\nemit\n"
    text += "mov o0.x, c2\nsetemit 2, prim\nemit"
    found = run(text, before=GSH, c=C)["o0"]
    np.testing.assert_array_equal(found[:, :2], [[1, 1], [2, 0], [3, 1]])


@pytest.mark.parametrize(
    ("text", "room"),
    [
        (corners(", prim"), 9),
        (corners(", prim") + "for i0\nemit\nnop\n.end", 777),
        (corners(", prim") + "for i0\nfor i1\nemit\nnop\n.end\nnop\n.end", 3 * 4096),
        (corners(", prim") + "ifu b0\nemit\nemit\nnop\n.else\nemit\nnop\n.end", 18),
    ],
)
def test_room_for_every_emit(text: str, room: int) -> None:
    assert lowered(program(text, GSH)).streams[0].count == room


def test_room_for_code_before_the_entry() -> None:
    """Nothing tells how often it is run."""
    before = GSH + ".proc p\nback:\nemit\njmpu b0, on\nend\n.end\n"
    found = program("nop\non:\njmpu b1, back\nnop", before)
    assert lowered(found).streams[0].count == 3 * 4096


def test_primitives_are_lanes() -> None:
    made = lowered(program("setemit 0\nmov o0, v0\nemit\n" * 2 + "setemit 2, prim\nemit", GSH))
    kernel = kernel_of(made, None, engines.choose("lockstep", False))
    found = kernel.expand({"v0": np.arange(8, dtype="<f4").reshape(2, 4)})
    assert found["sources"].tolist() == [0, 0, 0, 1, 1, 1]
    assert found["o0"][:, 0].tolist() == [0, 0, 0, 4, 0, 4]  # nobody wrote slot 1


# ---------------------------------------------------------------- how much


MANY = "setemit 2, prim\nfor i0\nfor i1\nmov o0.x, c0\nemit\nnop\n.end\nnop\n.end"


def test_more_triangles_than_direct3d_has_vertices_for() -> None:
    assert len(sent(MANY, c=C, i={0: (63, 0, 0), 1: (63, 0, 0)})) == 3 * 4096


def test_triangles_beyond_the_room_are_counted() -> None:
    message = "primitive 0: expected at most 12288 vertices, got 12480"
    with pytest.raises(UnsupportedError, match=message):
        sent(MANY, c=C, i={0: (64, 0, 0), 1: (63, 0, 0)})


# ---------------------------------------------------------------- modes


def test_point_mode() -> None:
    """Two vertices of two attributes: v0 v1, v2 v3; a triangle of both and one between them."""
    text = (
        "mov r0, v0\nadd r0, v2, r0\nmul r0, c4, r0\n"
        "setemit 2\nmov o0, v0\nmov o1, v1\nemit\n"
        "setemit 0\nmov o0, v2\nmov o1, v3\nemit\n"
        "setemit 1, prim\nmov o0, r0\nmov o1, c5\nemit"
    )
    one, other = (2.0, 0, 0, 1), (6.0, 0, 0, 1)
    found = run(text, before=GSH, c={4: 0.5, 5: 30.0}, v0=one, v1=10.0, v2=other, v3=20.0)
    assert found["o0"].tolist() == [[6, 0, 0, 1], [4, 0, 0, 1], [2, 0, 0, 1]]
    assert found["o1"][:, 0].tolist() == [20, 30, 10]


@pytest.mark.slow
def test_fixed_mode() -> None:
    """Two vertices of two attributes from c10 on: a triangle of each, its point and two corners."""
    corner = "add r1, c{offset}, r0\nsetemit {slot}{flags}\nmov o0, r1\nmov o1, c{colour}\nemit\n"
    text = ""
    for vertex in (10, 12):
        text += f"mov r0, c{vertex}\n"
        for slot in range(3):
            flags = ", prim" if slot == 2 else ""
            text += corner.format(offset=slot, slot=slot, flags=flags, colour=vertex + 1)
    offsets: dict[int, Value] = {0: (0, 0, 0, 0), 1: (1, 0, 0, 0), 2: (0, 1, 0, 0)}
    vertices: dict[int, Value] = {
        10: (5, 5, 0, 1),
        11: (1, 0, 0, 1),
        12: (7, 9, 0, 1),
        13: (0, 1, 0, 1),
    }
    found = run(text, before=".gsh fixed c10 c0 2\n", c={**offsets, **vertices})
    assert found["o0"][:, :2].tolist() == [[5, 5], [6, 5], [5, 6], [7, 9], [8, 9], [7, 10]]
    assert found["o1"][:, :2].tolist() == [[1, 0]] * 3 + [[0, 1]] * 3


@pytest.mark.parametrize("many", [3, 4, 6])
def test_variable_mode(many: int) -> None:
    """A fan: the first vertex with position and colour, the others with their positions alone.

    c0 their number; c1 c2 the first; c3 … the others. Every triangle has the colour of the first.
    """
    text = (
        "mov r0, c0\nadd r0, -c95, r0\n"  # triangles are two fewer
        "setemit 0\nmov o0, c1\nmov o1, c2\nemit\n"
        "setemit 1\nmov o0, c3\nmov o1, c2\nemit\n"
        "mov r1, c90\n"
        "for i0\n"
        "cmp r1, ge, ge, r0\nbreakc cmp.x\n"
        "setemit 2, prim\nmov o0, c4[aL]\nmov o1, c2\nemit\n"
        "setemit 1\nmov o0, c4[aL]\nmov o1, c2\nemit\n"
        "add r1, c91, r1\nnop\n.end"
    )
    ring: dict[int, Value] = {3 + number: (float(number), 10.0, 0, 1) for number in range(many - 1)}
    c: dict[int, Value] = {0: float(many), 1: (100.0, 0, 0, 1), 2: 0.5, 91: 1.0, 95: 2.0, **ring}
    found = run(text, before=".gsh variable c0 1\n", c=c, i={0: (255, 0, 1)})
    wanted = [x for at in range(many - 2) for x in (100, at, at + 1)]
    assert found["o0"][:, 0].tolist() == wanted
    assert found["o1"][:, 0].tolist() == [0.5] * len(wanted)


# ---------------------------------------------------------------- setemit


def test_flags_hold_until_the_next_setemit() -> None:
    """Both banks are filled before, so that an emit without new outputs has those before last."""
    text = "setemit 0\nmov o0, c0\nemit\nsetemit 1\nmov o0, c1\nemit\n"
    text += "setemit 2, prim inv\nmov o0, c2\nemit\nemit\nemit"
    assert sent(text, c=C) == [2, 1, 3, 2, 1, 2, 2, 1, 3]


def test_inverted_winding_keeps_slots() -> None:
    text = corners(", prim inv") + "setemit 2, prim\nmov o0, c3\nemit"
    assert sent(text, c=C) == [2, 1, 3, 1, 2, 4]


def test_inverting_without_prim_has_no_effect() -> None:
    text = corners(", inv") + "setemit 2, prim\nmov o0, c3\nemit"
    assert sent(text, c=C) == [1, 2, 4]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_triangles_are_in_the_order_of_slots(order: tuple[int, int, int]) -> None:
    text = ""
    for at, slot in enumerate(order):
        text += f"setemit {slot}{', prim' if at == 2 else ''}\nmov o0, c{slot}\nemit\n"
    assert sent(text, c=C) == [1, 2, 3]


# ---------------------------------------------------------------- b15


def test_b15_is_true_after_the_first_run(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "mov o0, c0\nifu b15\nmov o0, c1\nnop\n.end\nsetemit 0, prim\nemit"
    made = lowered(program(text, GSH))
    for batch in (BATCH, 1):  # in one call of the engine, or one by one
        monkeypatch.setattr("unshade.run.stages.primitives.BATCH", batch)
        for given, first in ((False, 1), (True, 2)):
            for kernel in kernels(made):
                assert [row.label for row in kernel.inputs] == []
                found = kernel.expand(4, c=bank("c", C), b=bank("b", {15: given}))
                assert found["o0"][::3, 0].tolist() == [first, 2, 2, 2]


def test_b15_of_a_vertex_shader_is_an_ordinary_uniform() -> None:
    found = run("mov o0, c0\nifu b15\nmov o0, c1\nnop\n.end", c=C)
    assert found["o0"].tolist() == [1] * 4


@pytest.mark.parametrize("calls", [1, 300])
def test_procedures_that_call_each_other_are_refused_by_name(calls: int) -> None:
    """Counting what they may emit neither recurses without end nor once for each procedure."""
    last = calls - 1
    chain = "".join(
        f".proc p{at}\nemit\ncall p{(at + 1) % calls}\nnop\n.end\n" for at in range(calls)
    )
    rule = "recursion" if calls == 1 else "nesting"
    with pytest.raises(UnsupportedError, match=rf"call at word \d+ .*pica\.{rule}"):
        lowered(program(f"call p{last}\nnop", f"{GSH}{chain}"))
