"""Lenses: places after a line in every pixel and thread, loops, branches, NaN and colours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.examples import EXAMPLES
from unshade import UsageError
from unshade.run.debugging.debugger import Debugger
from unshade.run.debugging.lens import INFINITE, NAN, NOT_REACHED, RAMP, SIGNED

# r0.x is the column, halved in one of two branches; r1.x is NaN in column 0.
BRANCHES = """\
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 3
mov r0.xy, v0.xyxx
add r2.x, r0.x, l(-1.0)
sqrt r1.x, r2.x
lt r2.y, r0.x, l(2.0)
if_nz r2.y
  mul r0.x, r0.x, l(0.5)
endif
mov o0.xy, r0.xyxx
mov o0.zw, r1.xxxx
ret
"""
COUNTS = """\
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadID.xy
dcl_temps 2
dcl_thread_group 2, 2, 1
mov r0.x, l(0)
loop
  uge r0.y, r0.x, vThreadID.x
  breakc_nz r0.y
  iadd r0.x, r0.x, l(1)
  imul null, r1.x, r0.x, l(-10)
endloop
store_raw u0.x, l(0), r0.x
ret
"""


def debugger(code: str) -> Debugger:
    return unshade.kernel(unshade.assemble(code)).debug(checks=False)


def line_of(made: Debugger, text: str) -> int:
    return next(n for n, line in enumerate(made.listing, 1) if text in line)


@pytest.fixture
def branches() -> Debugger:
    return debugger(BRANCHES)


def test_each_component_of_every_pixel(branches: Debugger) -> None:
    lens = branches.lens("r0.xy", line_of(branches, "mov r0.xy"))
    branches.shade((4, 3))
    assert [str(each) for each in lens.components] == ["r0.x", "r0.y"]
    assert lens.array.shape == (3, 4, 2)
    assert lens.array.dtype == np.float32
    assert lens.array[2].tolist() == [[0.5, 2.5], [1.5, 2.5], [2.5, 2.5], [3.5, 2.5]]
    assert (lens.minimum, lens.maximum, lens.nans) == (0.5, 3.5, 0)
    assert lens.reached.all()


def test_lanes_that_did_not_run_the_line_have_no_number(branches: Debugger) -> None:
    lens = branches.lens("r0.x", line_of(branches, "mul r0.x"))
    after = branches.lens("r0.x", line_of(branches, "mov o0.xy"))
    branches.shade((4, 1))
    assert lens.reached.tolist() == [[True, True, False, False]]
    assert lens.array[0, :2, 0].tolist() == [0.25, 0.75]
    assert np.isnan(lens.array[0, 2:, 0]).all()
    assert (lens.minimum, lens.maximum, lens.nans) == (0.25, 0.75, 0)
    assert after.array[0, :, 0].tolist() == [0.25, 0.75, 2.5, 3.5]
    assert str(lens) == f"{lens.title}: 4 x 1, 0.25 to 0.75, 0 NaN, 2 not reached"


def test_nan_is_counted_and_has_a_colour(branches: Debugger) -> None:
    lens = branches.lens("r1.x", line_of(branches, "sqrt"))
    branches.shade((2, 1))
    assert lens.nans == 1
    assert lens.minimum == lens.maximum == pytest.approx(0.5**0.5)
    assert lens.image()[0].tolist()[0] == [*NAN]
    facts = lens.document()
    assert (facts["shape"], facts["nan"], facts["not_reached"]) == ([1, 2], 1, 0)
    assert "lens r1.x@" in lens._repr_html_()


def test_the_last_iteration_or_one_of_them() -> None:
    made = debugger(COUNTS)
    line = line_of(made, "imul")
    last, second = made.lens("r1.x", line), made.lens("r1.x", line, 2)
    made.dispatch((2, 1, 1), u0=np.zeros(1, np.uint32))
    assert last.array.shape == (2, 4, 1)  # threads along y and x
    assert last.array[1, :, 0].tolist() == [0, -10, -20, -30]
    assert last.array.dtype == np.int32
    assert last.reached[1].tolist() == [False, True, True, True]
    assert second.array[0, :, 0].tolist() == [0, 0, -20, -20]
    assert second.reached[0].tolist() == [False, False, True, True]


def test_values_of_the_listing_and_inputs_by_name() -> None:
    made = unshade.kernel(unshade.open(EXAMPLES / "clay.frag.spv")).debug(checks=False)
    half = made.lens("%44", line_of(made, "%45 = OpFAdd"))
    more = made.lens("%45", line_of(made, "%45 = OpFAdd"))
    normal = made.lens("normal.xy", line_of(made, "%41 = OpLoad"))
    given = {"normal": np.full((2, 3, 3), [3, 4, 0], "f4"), "place": np.zeros((2, 3, 3), "f4")}
    made.shade((3, 2), given, camera={"eye": [0, 0, 1]})
    assert half.array.tolist() == [[[pytest.approx(0.4)]] * 3] * 2
    assert np.array_equal(more.array, half.array + np.float32(0.5))
    assert normal.array.tolist() == [[[3, 4]] * 3] * 2


def test_of_a_drawing_the_fragment_shaded_last_counts() -> None:
    from tests.run.raster.test_draw import FULL, VERTEX, shaded
    from tests.run.stages.test_primitives import assembled
    from unshade.run.raster import draw

    made = shaded().debug(checks=False)
    lens = made.lens("o0.x", line_of(made, "mov o0"))
    position = np.concatenate([FULL, FULL]).astype("f4")
    position[3:, 2] = 0.5
    colour = np.repeat(np.array([[1.0], [2.0]], "f4"), 3, axis=0) * np.ones(4, "f4")
    inputs = {"TEXCOORD0": position, "TEXCOORD1": colour}
    draw(assembled(VERTEX), made, inputs, None, (3, 2), depth_function=None)
    assert lens.array[..., 0].tolist() == [[2.0] * 3] * 2


def image(values: list[float], colours: str, **more: Any) -> list[list[int]]:
    """Return the colours of numbers, one in each column."""
    made = debugger("""\
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.x
dcl_output o0.x
mov o0.x, v0.x
ret
""")
    lens = made.lens("o0.x", line_of(made, "mov"))
    made.shade((len(values), 1), {"TEXCOORD": np.array([values], "f4")[..., np.newaxis]})
    found: list[list[int]] = lens.image(colours)[0].tolist()
    return found


def test_colours_of_numbers() -> None:
    assert image([0, 1, 2], "grey") == [[0] * 3, [128] * 3, [255] * 3]
    assert image([0, 1], "ramp") == [[*RAMP[0]], [*RAMP[-1]]]
    # 0 is white, whichever of the signs reaches farther
    assert image([-4, 0, 2], "signed")[:2] == [[*SIGNED[0]], [*SIGNED[1]]]
    assert image([-2, 0, 4], "signed")[1:] == [[*SIGNED[1]], [*SIGNED[2]]]
    assert image([np.nan, np.inf, 1], "ramp")[:2] == [[*NAN], [*INFINITE]]


def test_colours_of_components(branches: Debugger) -> None:
    lens = branches.lens("r0.x", line_of(branches, "mul r0.x"))
    branches.shade((4, 1))
    assert lens.image()[0].tolist()[2:] == [[*NOT_REACHED]] * 2


def test_lenses_that_show_nothing(branches: Debugger) -> None:
    line = line_of(branches, "sqrt")
    with pytest.raises(UsageError, match="unknown name 'r9'"):
        branches.lens("r9", line)
    with pytest.raises(UsageError, match="no such line: 99"):
        branches.lens("r1", 99)
    with pytest.raises(UsageError, match="iteration: expected 1 or more, got 0"):
        branches.lens("r1", line, 0)
    with pytest.raises(UsageError, match="nothing has run"):
        _ = branches.lens("r1", line).array
    with pytest.raises(UsageError, match="colours: expected one of grey, colour, ramp, signed"):
        branches.lens("r1", line).image("turbo")
    made = debugger(COUNTS)
    with pytest.raises(UsageError, match="expected a register, a value or a variable, got 'u0'"):
        made.lens("u0", line_of(made, "store_raw"))
