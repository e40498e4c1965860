"""Geometry shaders: what setemit and emit send, on every engine."""

import numpy as np
import pytest

from tests.programs.pica.lower.support import lowered, program, run
from unshade.run import engines
from unshade.run.kernels import Kernel

pytestmark = pytest.mark.heavy

GSH = ".gsh point c0\n"
CORNERS = "".join(f"setemit {slot}{{}}\nmov o0, c{slot}\nemit\n" for slot in range(3))
C = {0: 1.0, 1: 2.0, 2: 3.0, 3: 4.0}


def corners(last: str) -> str:
    """Three vertices c0, c1, c2, the last of which has flags."""
    return CORNERS.format("", "", last)


def sent(text: str, **given: object) -> list[float]:
    """o0.x of every vertex that is sent."""
    found = run(text, before=GSH, **given)  # type: ignore[arg-type]
    assert found["primitives"].shape[1:] == (3,)
    assert found["primitives"].reshape(-1).tolist() == [*range(len(found["o0"]))]
    return [float(each) for each in found["o0"][:, 0]]


def test_a_triangle() -> None:
    assert sent(corners(", prim"), c=C) == [1, 2, 3]


def test_a_triangle_that_is_turned_over() -> None:
    assert sent(corners(", prim inv"), c=C) == [2, 1, 3]


def test_nothing_is_sent_without_prim() -> None:
    assert sent(corners(""), c=C) == []


def test_slots_keep_their_vertices() -> None:
    strip = corners(", prim") + "setemit 0, prim\nmov o0, c3\nemit"
    assert sent(strip, c=C) == [1, 2, 3, 4, 2, 3]


def test_a_loop_sends_as_often_as_it_counts() -> None:
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
        (corners(", prim") + "for i0\nfor i1\nemit\nnop\n.end\nnop\n.end", 1023),
    ],
)
def test_room_for_what_can_be_sent(text: str, room: int) -> None:
    assert lowered(program(text, GSH)).streams[0].count == room


def test_primitives_are_lanes() -> None:
    made = lowered(program("setemit 0\nmov o0, v0\nemit\n" * 2 + "setemit 2, prim\nemit", GSH))
    kernel = Kernel(made, None, engines.choose("lockstep", False))
    found = kernel.expand({"v0": np.arange(8, dtype="<f4").reshape(2, 4)})
    assert found["sources"].tolist() == [0, 0, 0, 1, 1, 1]
    assert found["o0"][:, 0].tolist() == [0, 0, 0, 4, 0, 4]  # nobody wrote slot 1
