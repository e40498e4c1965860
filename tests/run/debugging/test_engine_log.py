"""Traces of what a lane writes in compiled code: that of lockstep, but for fast arithmetic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from unshade.run.debugging.compare import compare_traces
from unshade.run.engines import choose

pytest.importorskip("llvmlite", reason="not installed: pip install unshade[jit]")
pytestmark = pytest.mark.heavy
EXAMPLES = Path(__file__).parents[3] / "examples"
PIXELS: dict[str, dict[str, Any]] = {
    "gyroid.dxbc": {"resolution": (24, 16), "time": 1.0},
    "julia.skslb": {"size": (24, 16), "c": (0.1, 0.6)},
    "plasma.skslb": {"size": (24, 16), "time": 1.0},
}
NUMBERS = {"X": np.arange(128, dtype="f4"), "Y": np.ones(128, "f4")}


def traced(name: str, shows: Any) -> Any:
    debugger = unshade.kernel(unshade.open(EXAMPLES / name), engine="lockstep").debug(
        (11, 7) if name in PIXELS else (70, 0, 0), checks=False
    )
    debugger.shows = shows
    if name in PIXELS:
        debugger.shade((24, 16), **PIXELS[name])
    else:
        debugger.dispatch(2, a=2.0, n=128, **{key: each.copy() for key, each in NUMBERS.items()})
    return debugger


@pytest.mark.parametrize("name", [*PIXELS, "saxpy.dxbc"])
def test_compiled_code_writes_the_same(name: str) -> None:
    one, other = traced(name, None), traced(name, choose("jit", fast=False))
    assert len(one.trace.entries) > 8
    assert compare_traces(one, other) is None
    rows = [
        [(each.line, each.reads, each.writes, each.notes, each.loops) for each in trace.entries]
        for trace in (one.trace, other.trace)
    ]
    assert rows[0] == rows[1]
    log = other.trace.replayed
    assert (log.at, log.parted) == (len(log.rows), False)


def test_fast_arithmetic_is_seen_where_it_begins() -> None:
    one, other = traced("gyroid.dxbc", None), traced("gyroid.dxbc", choose("jit", fast=True))
    found = compare_traces(one, other)
    assert found is not None
    # By the processor, the first is its reciprocal square root, or a multiplication and addition.
    line = one.line(one.trace.entries[found.before].line)
    assert found.kind == "value"
    assert line == "rsq r0.w, r0.wwww" or line.startswith("mad ")
    (before,), (after,) = (
        one.trace.entries[found.before].writes,
        (other.trace.entries[found.after].writes),
    )
    assert abs(before.bits - after.bits) == 1
    assert other.trace.entries[found.after].reads == one.trace.entries[found.before].reads
    later = next(
        (a, b)
        for a, b in zip(one.trace.entries, other.trace.entries, strict=False)
        for x, y in zip(a.reads, b.reads, strict=True)
        if (x.name, x.bits) == (before.name, before.bits) and y.bits == after.bits
    )
    assert later  # what is read later is the other engine's value, too


class Parting:
    """An engine in which the lane ends after some writes."""

    name = "parting"

    def __init__(self, writes: int) -> None:
        self.writes = writes

    def run(self, kernel: Any, launch: Any) -> Any:
        from unshade.vm.lockstep import Lockstep

        report = Lockstep().run(kernel, launch)
        launch.memories["unshade.log"].view("<u4").reshape(-1, 4)[self.writes :] = 0
        return report


def test_a_trace_ends_where_the_other_engine_goes_another_way() -> None:
    one = traced("saxpy.dxbc", None)
    writes = sum(len(each.writes) for each in one.trace.entries[:3])
    other = traced("saxpy.dxbc", Parting(writes))
    found = compare_traces(one, other)
    assert found is not None
    assert found.kind == "end"
    assert found.after is None
    assert other.trace.replayed.parted
