"""Every row of the page's edge values is the result of both engines."""

import numpy as np
import pytest

from tests.edges import Edge
from tests.programs.pica.lower.support import run
from tests.programs.pica.tables.edges import EDGES
from unshade.programs.pica.tables.ops import OPS

pytestmark = pytest.mark.heavy  # it compiles and runs

INVERTED = {"dphi", "dsti", "sgei", "slti", "madi"}  # the same with the other source wide
FLOW = {
    "break", "nop", "end", "breakc", "call", "callc", "callu", "ifu", "ifc", "for", "emit",
    "setemit", "jmpc", "jmpu",
}  # fmt: skip
NUMBERED = {number: float(number) for number in range(96)}


def numbers(term: str) -> list[float]:
    """Return one number or four."""
    return [float(each) for each in term.split()]


def executed(edge: Edge) -> list[float]:
    """Return the result of the row's operation."""
    name, _, comparison = edge.op.partition(" ")
    given = [numbers(each) for each in edge.sources]
    values = {f"v{at}": each if len(each) == 4 else each[0] for at, each in enumerate(given)}
    copies = "\n".join(f"mov r{at}, v{at}" for at in range(len(given)))
    sources = ", ".join(f"r{at}" for at in range(len(given)))
    registers: dict[int, float] = {}
    if name == "mova" or name.startswith("c40"):
        line = "mova a0.x, r0\nnop\nmov o0, c40[a0.x]"
        registers = NUMBERED
    elif name == "cmp":
        line = f"cmp r0, {comparison}, {comparison}, r1\n"
        line += "ifc cmp.x\nmov o0, c1\n.else\nmov o0, c0\n.end"
        registers = {0: 0.0, 1: 1.0}
    else:
        line = f"{name} o0, {sources}"
    found = run(f"{copies}\n{line}", c=registers, **values)["o0"]  # type: ignore[arg-type]
    return [float(each) for each in found]


def wanted(edge: Edge) -> list[float]:
    (result,) = edge.results
    if result.startswith("c"):
        return [float(result[1:])] * 4
    found = numbers(result)
    found = found if len(found) == 4 else found * 4
    return [each + 40 for each in found] if edge.op == "mova" else found


@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: f"{edge.op} {', '.join(edge.sources)}")
def test_edge(edge: Edge) -> None:
    got, expected = (np.array(each, "<f4") for each in (executed(edge), wanted(edge)))
    got[np.isnan(got)] = expected[np.isnan(expected)] = np.float32("nan")
    assert got.tobytes() == expected.tobytes(), (got, expected)


def test_every_arithmetic_operation_has_a_row() -> None:
    covered = {edge.op.split()[0] for edge in EDGES} - {"c40[a0.x]"}
    assert {op.name for op in OPS} - covered == INVERTED | FLOW
