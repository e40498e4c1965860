"""Every row of the page's edge values is the result of all engines."""

from dataclasses import replace

import numpy as np
import pytest

from tests.programs.tpf.lower import test_geometry, test_pixel, test_textures
from tests.programs.tpf.lower.cases import compute
from tests.programs.tpf.lower.support import D, Image, bits, run, words
from tests.programs.tpf.lower.vectors import Vector, check
from tests.programs.tpf.tables.edges import (
    BASES,
    EDGES,
    MEMORY,
    PROVEN,
    SETTING,
    SNIPPETS,
    Edge,
    Proven,
    Snippet,
)
from unshade.ir.library.sampling import SamplerState
from unshade.ir.library.states import Filter
from unshade.programs.tpf.facts.values import DOUBLE_RESULTS
from unshade.programs.tpf.tables.ops import OPS

pytestmark = pytest.mark.heavy  # it compiles and runs

NAMED = {"all": 0xFFFF_FFFF, "sub": 0x007F_FFFF, "-sub": 0x807F_FFFF, "least": 0x0080_0000}
COMPONENTS = {"dp2": 2, "dp3": 3, "dp4": 4}
# Operations that only move the flow of control, start something or talk to a debugger.
PLAIN = {
    "nop", "else", "endif", "endswitch", "break", "continue", "continuec", "call", "callc", "label",
    "fcall", "ret", "retc", "hs_decls", "hs_control_point_phase", "hs_fork_phase", "hs_join_phase",
    "cut", "cut_stream", "sync", "abort", "debug_break",
}  # fmt: skip
CASES = {
    each.name: each for tests in (test_pixel, test_geometry, test_textures) for each in tests.CASES
}


def number(term: str, wide: bool = False) -> int | float:
    """Return a word of the table as a number; floats have 64 bits if `wide`."""
    if term in NAMED:
        return NAMED[term]
    try:
        return int(term, 0)
    except ValueError:
        return D(float(term)) if wide else float(term)


def vector(rows: list[Edge]) -> Vector:
    """Return the rows of one operation as a vector, one thread for each row."""
    op = rows[0].op
    row = OPS[op]
    letters = row.operands[row.results :]
    mask = "xyzw"[: COMPONENTS.get(op, 1)]
    sources = ["xyxy" if letter == "d" else mask.ljust(4, "x") for letter in letters]
    left = [f"r{at}.{'xy' if letter == 'd' else mask}" for at, letter in enumerate(letters, 1)]
    wide = row.code in DOUBLE_RESULTS
    right = [f"{each}.{'xy' if wide else 'x'}" for each in ("r0", "r5")[: row.results]]
    operands = [*right, *(f"r{at}.{each}" for at, each in enumerate(sources, 1))]
    return Vector(
        op,
        f"{' '.join(left)} -> {' '.join(right)}",
        f"{op} {', '.join(operands)}",
        [(*_given(edge, letters), *(number(term, wide) for term in edge.results)) for edge in rows],
    )


def _given(edge: Edge, letters: str) -> list[int | float]:
    """Return the sources of a row; those of dot products by component."""
    count = COMPONENTS.get(edge.op, 1)
    assert len(edge.sources) == count * len(letters), edge
    return [number(term, letters[at // count] == "d") for at, term in enumerate(edge.sources)]


@pytest.mark.parametrize("op", dict.fromkeys(edge.op for edge in EDGES))
def test_edges(op: str) -> None:
    check(vector([edge for edge in EDGES if edge.op == op]))


TEXTURE = Image(
    [np.array([1, 0, 0, 1, 2, 0, 0, 1, 3, 0, 0, 1, 4, 0, 0, 1], np.float32).view(np.uint32)],
    (2, 2, 1),
)


@pytest.mark.parametrize(
    "snippet", SNIPPETS, ids=lambda snippet: f"{snippet.ops[0]}, {snippet.when}"
)
def test_snippet(snippet: Snippet) -> None:
    declarations = [line.split("   ")[0] for line in SETTING.splitlines()]
    own = ("dcl_temps", "dcl_thread_group")
    declarations = [line for line in declarations if not line.startswith(own)]
    body = f"mov r1.x, l(5)\n{snippet.code}\nstore_raw u0.xyzw, l(0), r0.xyzw"
    point = SamplerState(Filter.POINT, Filter.POINT, Filter.POINT)
    less = replace(point, comparison="less")
    outcome = run(
        compute(body, *declarations, "dcl_uav_raw u0"),
        memories={name: words(*held) for name, held in MEMORY.items()} | {"u0": words(0, 0, 0, 0)},
        images={"t3": TEXTURE},
        samplers={"s0": point, "s1": less},
    )
    wanted = [word for term in snippet.result for word in bits(number(term))]
    assert outcome.memories["u0"].tolist()[: len(wanted)] == wanted


def test_every_operation_with_a_result_has_a_row() -> None:
    covered = {edge.op for edge in EDGES}
    covered |= {name for several in (SNIPPETS, PROVEN) for each in several for name in each.ops}
    assert covered <= set(OPS.by_name)
    others = {op.name for op in OPS if op.kind != "decl"} - covered
    assert others == PLAIN


@pytest.mark.parametrize("row", PROVEN, ids=lambda row: row.case)
def test_every_proven_row_names_a_case(row: Proven) -> None:
    assert CASES[row.case].covers & set(row.ops)


def test_rows_are_distinct() -> None:
    keys = [(edge.op, edge.sources) for edge in EDGES]
    assert len(keys) == len(set(keys))
    marks = {each.basis for each in EDGES} | {each.basis for each in SNIPPETS}
    assert marks | {each.basis for each in PROVEN} <= set(BASES.values())
