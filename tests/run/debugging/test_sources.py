"""The debugger on a program that says where it comes from: values, variables, lines, calls."""

from __future__ import annotations

import json

import numpy as np
import pytest

import unshade
from tests.kernels import kernel_of
from tests.run import sources
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.locations import Call, SourceLocation, SymbolName, ValueLabel
from unshade.ir.lowered import Lowered
from unshade.run.debugging import trace_view
from unshade.run.debugging.breakpoints import hits, parse
from unshade.run.debugging.debugger import Debugger
from unshade.run.debugging.frames import frames
from unshade.vm.lockstep import Lockstep


@pytest.fixture
def debugger() -> Debugger:
    found = sources.kernel().debug(2)
    found.dispatch(1, {"in": np.arange(4, dtype="f4"), "out": np.zeros(4, "f4")})
    return found


def lines(debugger: Debugger, stop: str) -> list[int]:
    entries = debugger.trace.entries
    return [entries[at].line for at in hits(debugger, parse(debugger, stop))]


def test_a_trace_has_values_and_variables_of_the_source(debugger: Debugger) -> None:
    entries = [
        (
            entry.line,
            [(str(each.name), each.label, trace_view.value(each)) for each in entry.writes],
        )
        for entry in debugger.trace.entries[:6]
    ]
    assert entries == [
        (1, [("%1", "", "2.0")]),
        (2, [("light", "light", "2.0")]),
        (4, [("%2", "base", "2.0")]),
        (16, [("%21", "twice", "4.0")]),
        (13, [("%12", "", "5.0")]),
        (6, [("light", "light", "5.0")]),
    ]
    square, add, store = debugger.trace.entries[3:6]
    assert [str(each.name) for each in square.reads] == ["%2"]
    assert [str(each.name) for each in add.reads] == ["%21"]
    assert [str(each.name) for each in store.reads] == ["%12"]
    assert store.writes[0].before == np.float32(2).view(np.uint32)
    assert all(each.before is None for each in square.writes)


def test_an_entry_knows_the_calls_that_it_is_inside(debugger: Debugger) -> None:
    entry = debugger.trace.entries[3]
    assert [str(each) for each in frames(entry.location, entry.line)] == [
        "lib/shade.hlsl:1 in square",
        "lib/shade.hlsl:3 in shade",
        "lit.hlsl:5 in main",
    ]
    assert [each.listing_line for each in frames(entry.location, entry.line)] == [16, 12, 5]


def test_a_trace_has_source_lines_above_their_instructions(debugger: Debugger) -> None:
    text = [*trace_view.text(trace_view.trace(debugger))]
    heads = [line for line in text if line[0] != " "]
    assert heads[:5] == [
        "lit.hlsl:3  float light = in[i];    // in main",
        "lit.hlsl:5  light = shade(light);",
        "lib/shade.hlsl:1  float square(float x) { return x * x; }    // in square, called from"
        " lib/shade.hlsl:3 in shade, called from lit.hlsl:5 in main",
        "lib/shade.hlsl:4  return twice + 1;    // in shade, called from lit.hlsl:5 in main",
        "lit.hlsl:5  light = shade(light);    // in main",
    ]
    assert "       ->  %21         twice                        4.0  0x40800000" in text
    assert "       ->  light                                    2.0  0x40000000" in text


@pytest.mark.parametrize(
    ("stop", "found"),
    [
        ("lit.hlsl:3", [1]),
        ("lib/shade.hlsl:1", [16, 16]),
        ("shade.hlsl:4", [13, 13]),
        ("shade.hlsl:3", [16, 16]),  # the call of square, of which nothing else is left
        ("lit.hlsl:5", [4, 4]),  # once for each round, whatever is called
        ("lit.hlsl:5 if light > 20", [6]),
        ("%21", [16, 16]),
        ("twice", [16, 16]),
        ("twice > 20", [16]),
        ("light", [2, 6, 6]),
        ("load", [1, 4, 4, 8]),
        ("fmul", [16, 16]),
    ],
)
def test_breakpoints_stop_at_lines_values_and_variables(
    debugger: Debugger, stop: str, found: list[int]
) -> None:
    assert lines(debugger, stop) == found


@pytest.mark.parametrize(
    ("stop", "problem"),
    [
        ("lit.hlsl:4", "line 4 of lit.hlsl has no code; the next line with code is 5"),
        ("lit.hlsl:99", "line 99 of lit.hlsl has no code$"),
        ("shad.hlsl:4", "unknown source file in 'shad.hlsl:4'; did you mean lib/shade.hlsl"),
        ("shad.hlsl:x", "got 'shad.hlsl:x': unknown name 'shad.hlsl:x'; known: %1"),
        ("shad.hlsl", "got 'shad.hlsl': unknown name 'shad.hlsl'; known: %1"),
        ("lit.hlsl", "got 'lit.hlsl': unknown name 'lit.hlsl'; did you mean light"),
        ("lit.hlsl:", "got 'lit.hlsl:': unknown name 'lit.hlsl:'; did you mean light"),
        ("12x", "got '12x': unknown name '12x'; did you mean %12"),
        ("%13", "unknown name '%13'; did you mean"),
        ("light.x", "unknown name 'light.x'"),
    ],
)
def test_unknown_places_are_refused(debugger: Debugger, stop: str, problem: str) -> None:
    with pytest.raises(unshade.UsageError, match=problem):
        parse(debugger, stop)


def test_plain_data_has_the_frames(debugger: Debugger) -> None:
    data = trace_view.document(debugger)
    entry = data["trace"][3]
    assert entry["frames"][1] == {
        "function": "shade",
        "source": {"file": "lib/shade.hlsl", "line": 3, "column": 17},
        "line": 12,
    }
    assert [each["label"] for each in entry["writes"]] == ["twice"]
    assert json.loads(json.dumps(data)) == data


def test_findings_have_source_locations() -> None:
    debugger = sources.kernel().debug(0)
    debugger.dispatch(1, {"in": np.full(4, 3e38, "f4"), "out": np.zeros(3, "f4")})
    infinite, outside = sorted(map(str, debugger.findings), key=lambda each: each[0] == "o")
    assert infinite.startswith("infinity: %21 (twice) becomes inf;")
    assert "lib/shade.hlsl:1: float square(float x) { return x * x; }\n    in square, " in infinite
    assert "lit.hlsl:7: out[i] = light;" in outside
    data = trace_view.document(debugger)["findings"]
    assert {each["frames"][0]["source"]["line"] for each in data} == {1, 7}


def test_parts_of_names_are_steps_not_spelling() -> None:
    """Names of values hold any character, and end where their parts begin."""
    builder = Builder(Code())
    builder.line = 1
    dotted = builder.f32(1.0)
    for base in ("%mul.i", "%mul.i.i", "f<a, b>"):
        made = builder.fadd(dotted, 1.0)
        made.label = ValueLabel(SymbolName(base, ".x"), (SymbolName("P", "[2]", ".colour", ".y"),))
    debugger = kernel_of(Lowered(builder.kernel), None, Lockstep()).debug(0)
    debugger.dispatch(1)

    def named(text: str) -> int:
        debugger.check_name(text)
        return len([*debugger.trace.watch(text)])

    assert named("%mul.i") == named("%mul.i.x") == named("%mul.i.xy") == 1
    assert named("f<a, b>.x") == 1
    assert named("P") == named("P[2]") == named("P[2].colour.yz") == 3
    assert len([*debugger.trace.watch("%mul")]) == 0
    for wrong in ("%mul", "P[1]", "P[2].colour.r", "%mul.i.q", "%mul.i."):
        with pytest.raises(unshade.UsageError, match="unknown name"):
            debugger.check_name(wrong)


def test_one_line_in_two_calls_is_two_entries() -> None:
    builder = Builder(Code())
    builder.line = 4
    for at in (7, 8):
        builder.location = SourceLocation(function="f", call=Call(at))
        builder.source("item").label = ValueLabel(SymbolName("%1"))
    debugger = kernel_of(Lowered(builder.kernel), None, Lockstep()).debug(0)
    debugger.dispatch(1)
    entries = debugger.trace.entries
    assert [each.line for each in entries] == [4, 4]
    text = [*trace_view.text(trace_view.trace(debugger))]
    assert [each for each in text if each.startswith("//")] == [
        "// in f, called from line 7",
        "// in f, called from line 8",
    ]
