"""printf and errorf of Direct3D 11: lines in the order of threads."""

import numpy as np
import pytest

import unshade

TEXT = """
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 4
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 3, 1, 1
utof r0.x, vThreadID.x
mul r0.y, r0.x, l(0.5)
ine r1.x, vThreadID.x, l(1)
if_nz r1.x
  {message}
endif
store_structured u0.x, vThreadID.x, l(0), r0.y
ret
"""


def printed(message: str, engine: str) -> list[tuple[int, str]]:
    shader = unshade.assemble(TEXT.format(message=message), "dxcontainer")
    kernel = unshade.kernel(shader, engine=engine)
    found = kernel.dispatch(1, u0=np.zeros(3, "f4"))
    assert found["u0"].tolist() == [0.0, 0.5, 1.0]
    return [(each.thread[0], each.text) for each in kernel.report.printed]


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_arguments_have_the_types_of_conversions(engine: str) -> None:
    found = printed('printf "%u: %.2f, %d %%", vThreadID.x, r0.y, l(-7)', engine)
    assert found == [(0, "0: 0.00, -7 %"), (2, "2: 1.00, -7 %")]


def test_an_error_is_a_line_too() -> None:
    assert printed('errorf "bad"', "lockstep") == [(0, "bad"), (2, "bad")]


def test_a_format_without_its_argument_is_named() -> None:
    assert printed('printf "%f"', "lockstep") == []
    shader = unshade.assemble(TEXT.format(message='printf "%f"'), "dxcontainer")
    (format,) = unshade.kernel(shader).lowered.printed
    assert format.problem == "expected an argument for each of 1 conversions, got 0"
