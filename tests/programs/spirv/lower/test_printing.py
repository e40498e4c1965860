"""DebugPrintf: both engines print the same lines, in the order of lanes."""

import logging
from typing import Any

import numpy as np
import pytest

import unshade
from unshade.limits import Limits

from .graphics import module
from .modules import shader

SET = '%print = OpExtInstImport "NonSemantic.DebugPrintf"\n'
TYPES = """\
%half = OpTypeFloat 16
%double = OpTypeFloat 64
%char = OpTypeInt 8 1
%long = OpTypeInt 64 1
%v2float = OpTypeVector %float 2
%f1 = OpConstant %float 1.5
%h1 = OpConstant %half 0.5
%d1 = OpConstant %double 0.1
%b1 = OpConstant %char -3
%l1 = OpConstant %long -5000000000
%pair = OpConstantComposite %v2float %f1 %f1
%true = OpConstantTrue %bool"""


def printing(code: str, *formats: str, group: int = 4) -> unshade.Shader:
    strings = "\n".join(f'%s{number} = OpString "{each}"' for number, each in enumerate(formats))
    return shader(code, "%x", globals=TYPES, entries=SET + strings, group=group)


def printed(found: unshade.Shader, engine: str, groups: int = 1) -> Any:
    kernel = unshade.kernel(found, engine=engine)
    size = groups * kernel.group[0]
    kernel.dispatch(groups, source=np.arange(size, dtype="<u4"), target=np.zeros(size, "<u4"))
    return kernel.report


def lines(found: unshade.Shader, groups: int = 1) -> list[tuple[tuple[int, ...], str]]:
    reports = [printed(found, engine, groups) for engine in ("lockstep", "jit")]
    assert reports[0].printed == reports[1].printed
    assert reports[0].unprinted == reports[1].unprinted == ""
    return [(each.thread, each.text) for each in reports[0].printed]


def test_lines_are_in_the_order_of_lanes() -> None:
    """Lanes print in a loop as often as their number, so that they print at different times."""
    code = """
%a = OpExtInst %void %print 1 %s0 %x
OpBranch %head
%head = OpLabel
%n = OpPhi %uint %c0 %entry %next %body
%more = OpULessThan %bool %n %x
OpLoopMerge %end %body None
OpBranchConditional %more %body %end
%body = OpLabel
%b = OpExtInst %void %print 1 %s1 %n
%next = OpIAdd %uint %n %c1
OpBranch %head
%end = OpLabel"""
    found = lines(printing(code, "lane %d\n", "again %u", group=3), groups=40)
    expected = []
    for lane in range(120):
        expected += [((lane, 0, 0), f"lane {lane}")]
        expected += [((lane, 0, 0), f"again {number}") for number in range(lane)]
    assert found == expected


def test_helper_lanes_print_nothing() -> None:
    """One of three pixels of a quad prints; the pixels beside it are helper lanes."""
    found = module(
        "Fragment", "%p = OpExtInst %void %print 1 %text %half\nOpStore %out %one",
        interface="%out", decorations="OpDecorate %out Location 0",
        globals=f'{SET}%text = OpString "%.1f"\n'
        "%p_out = OpTypePointer Output %v4float\n%out = OpVariable %p_out Output\n"
        "%one = OpConstantComposite %v4float %half %half %half %half",
    )  # fmt: skip
    for engine in ("lockstep", "jit"):
        kernel = unshade.kernel(found, engine=engine)
        kernel.shade((1, 3))
        assert [(each.thread, each.text) for each in kernel.report.printed] == [
            ((0, 0), "0.5"), ((0, 1), "0.5"), ((0, 2), "0.5"),
        ]  # fmt: skip


def test_arguments_of_every_width() -> None:
    code = "%p = OpExtInst %void %print 1 %s0 %h1 %d1 %b1 %l1 %pair %true %x"
    found = lines(printing(code, "%f %.17g %d %ld %v2f %d", group=1))
    text = "0.500000 0.10000000000000001 -3 -5000000000 1.500000, 1.500000 1"
    assert found == [((0, 0, 0), text)]


def test_a_format_that_does_not_fit_prints_nothing_and_is_named() -> None:
    found = printing("%p = OpExtInst %void %print 1 %s0 %x", "%f")
    assert lines(found) == []
    kernel = unshade.kernel(found)
    assert [each.problem for each in kernel.lowered.printed] == ["%f: expected a float, got uint32"]


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_limits(engine: str) -> None:
    found = printing("%p = OpExtInst %void %print 1 %s0 %x", "%d")
    data = found.to_bytes()
    few = printed(unshade.loads(data, limits=Limits(printed_lines=2)), engine)
    assert [each.text for each in few.printed] == ["0", "1"]
    assert few.unprinted == "more lines of printf than the limit printed_lines = 2"
    none = printed(unshade.loads(data, limits=Limits(printed=64)), engine)
    assert none.printed == []
    assert none.unprinted == (
        "80 bytes of printf, more than the limit printed = 64: no lines are kept"
    )


def test_lines_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="unshade.printf"):
        printed(printing("%p = OpExtInst %void %print 1 %s0 %x", "x = %d"), "lockstep")
    assert [each.message for each in caplog.records] == ["x = 0", "x = 1", "x = 2", "x = 3"]


def test_a_trace_shows_what_a_thread_prints() -> None:
    found = printing("%p = OpExtInst %void %print 1 %s0 %x %x", "x = %d %x")
    debugger = unshade.kernel(found).debug((2, 0, 0))
    debugger.dispatch(1, source=np.arange(4, dtype="<u4") * 10, target=np.zeros(4, "<u4"))
    notes = [note for entry in debugger.trace.entries for note in entry.notes]
    assert [each for each in notes if "prints" in each] == ["prints 'x = 20 14'"]
    assert [each.text for each in debugger.report.printed] == [
        "x = 0 0", "x = 10 a", "x = 20 14", "x = 30 1e",
    ]  # fmt: skip
    assert debugger.findings == []
