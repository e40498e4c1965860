"""Notebooks show programs, kernels, debuggers and traces."""

from __future__ import annotations

from unittest import mock

import html5lib
import numpy as np
import pytest

import unshade
from tests.examples import EXAMPLES
from tests.screens.test_html import EVIL, words
from unshade.run import Coverage
from unshade.run.debugging.debugger import Debugger
from unshade.run.raster import Fragment, PixelHistory, Rejection
from unshade.screens import execution

LOOP = """cs_5_0
dcl_uav_structured u0, 4
dcl_temps 1
dcl_thread_group 1, 1, 1
mov r0.xy, l(0, 1.0, 0, 0)
loop
  ige r0.z, r0.x, l(5)
  breakc_nz r0.z
  add r0.y, r0.y, r0.y
  iadd r0.x, r0.x, l(1)
endloop
store_structured u0.x, l(0), l(0), r0.y
ret
"""


def shown(thing: object) -> str:
    """Return the words that an object shows in a notebook, as a browser reads it."""
    made: str = thing._repr_html_()  # type: ignore[attr-defined]
    html5lib.HTMLParser(strict=True).parseFragment(made)
    return " ".join(words(made))


@pytest.fixture
def debugger() -> Debugger:
    made = unshade.kernel(unshade.assemble(LOOP, "dxcontainer")).debug(0)
    made.dispatch(1, u0=np.zeros(1, "f4"))
    return made


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("phong.dxbc", "Shader Model program entry points main (pixel) instructions 77"),
        ("saxpy6.dxil", "Shader Model program entry points main (compute)"),
        ("particles.spv", "SPIR-V program entry points main (compute)"),
        ("reverse.shbin", "PICA200 program"),
        ("plasma.skslb", "SkSL program"),
    ],
)
def test_a_program_shows_entry_points_and_listing(name: str, start: str) -> None:
    program = unshade.open(EXAMPLES / name).programs[0]
    text = shown(program)
    assert text.startswith(start)
    assert program.disassemble().replace(" ", "").split("\n")[0] in text.replace(" ", "")


def test_a_program_without_a_listing() -> None:
    program = unshade.open(EXAMPLES / "phong.dxbc").programs[0]
    error = unshade.UnsupportedError("no")
    with mock.patch.object(type(program), "disassemble", side_effect=error):
        assert "Listing" not in shown(program)


def test_a_kernel_shows_what_it_binds() -> None:
    text = shown(unshade.kernel(unshade.open(EXAMPLES / "saxpy.dxbc"), engine="lockstep"))
    assert text.startswith("compute shader kernel, lockstep Bindings")
    assert "P cb0 read a dict of float a, uint n" in text
    assert "Y u1 read, write (n,) float32" in text


def test_a_kernel_shows_inputs_and_outputs() -> None:
    text = shown(unshade.kernel(unshade.open(EXAMPLES / "gyroid.dxbc"), engine="lockstep"))
    assert "Inputs" in text
    assert "SV_Target" in text


def test_names_of_bindings_are_escaped() -> None:
    kernel = unshade.kernel(unshade.open(EXAMPLES / "saxpy.dxbc"), engine="lockstep")
    kernel.bindings[0].label = f"{EVIL}\x1b"
    assert f"{EVIL}\\x1b" in shown(kernel)


def test_a_debugger_draws_values_and_shows_the_last_instructions(debugger: Debugger) -> None:
    text = shown(debugger)
    assert text.startswith("compute shader debugger, thread (0, 0, 0), 0 findings")
    assert "r0.y: 6 writes, 1 to 32" in text
    assert "r0.x: 6 writes, 0 to 5" in text
    assert "store_structured u0.x, l(0), l(0), r0.y" in text
    assert debugger._repr_html_().count("<svg") == 3  # r0.z, too


def test_a_trace_draws_its_values(debugger: Debugger) -> None:
    text = shown(debugger.trace)
    assert text.startswith(f"trace lane 0, {len(debugger.trace.entries)} steps")
    assert "r0.y: 6 writes, 1 to 32" in text


def test_a_debugger_before_a_call_is_a_kernel() -> None:
    made = unshade.kernel(unshade.assemble(LOOP, "dxcontainer")).debug(0)
    assert shown(made).startswith("compute shader debugger, nothing has run Bindings")


def test_findings_of_a_debugger() -> None:
    made = unshade.kernel(unshade.assemble(LOOP, "dxcontainer")).debug()
    made.dispatch(1, u0=np.zeros(0, "f4"))
    text = shown(made)
    assert "debugger, no thread is traced, 1 finding Findings" in text
    assert "store_structured" in text


def test_a_long_trace_stays_light() -> None:
    made = unshade.kernel(unshade.assemble(LOOP.replace("l(5)", "l(3000)"), "dxcontainer")).debug(0)
    made.dispatch(1, u0=np.zeros(1, "f4"))
    assert len(made._repr_html_()) < 60_000
    assert made._repr_html_().count("<svg") <= execution.PLOTS


def test_a_debugger_shows_the_lanes_of_each_line() -> None:
    coverage = Coverage()
    assert repr(coverage) == "<Coverage: 0 of 0 lines ran, 0 branches>"
    kernel = unshade.kernel(unshade.assemble(LOOP, "dxcontainer"))
    made = kernel.debug(coverage=coverage)
    made.dispatch(1, u0=np.zeros(1, "f4"))
    text = shown(made)
    assert "Lanes that ran each line" in text
    assert "6 ige r0.z, r0.x, l(5)" in text
    assert "5 iadd r0.x, r0.x, l(1)" in text
    assert repr(coverage).startswith(f"<Coverage: {len(coverage.lines)} of {len(coverage.lines)} ")


def test_the_history_of_a_pixel() -> None:
    found = PixelHistory(1, 2)
    assert shown(found) == "history of a pixel (1, 2), 0 fragments"
    depth = np.full(1, 0.5, "f4")
    for number, rejected in ((4, {Rejection.FACE: 1}), (7, {})):
        one = Fragment(0, number, bool(number == 7), 1, depth, {}, {}, rejected=rejected)
        found.fragments.append(one)
    text = shown(found)
    assert text.startswith("history of a pixel (1, 2), 2 fragments primitive face depth result")
    assert "4 back 0.5 face culling 7 front 0.5 written" in text
