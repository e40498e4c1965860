"""Jumps within a block and between blocks, compared with the stacks of the hardware."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import pytest

from tests.kernels import kernel_of
from tests.programs.pica.lower import hardware
from tests.programs.pica.lower.jumping import Jumping
from tests.programs.pica.lower.support import bank, kernels, lowered, program, run
from unshade.errors import UnsupportedError
from unshade.ir.kernel import DEEPEST, height
from unshade.programs.pica import Instruction
from unshade.run import engines
from unshade.vm.lockstep.debug.coverage import Coverage

pytestmark = pytest.mark.heavy

LANES = 16


def compare(made: Jumping, seed: int) -> None:
    """Compare every way to run a program with `hardware`."""
    found = lowered(made.program)
    assert height(found.kernel.body) <= DEEPEST
    v0 = np.random.default_rng(seed).integers(0, 12, (LANES, 4)).astype("<f4")
    main = made.program.entries[0].main
    wanted = [
        hardware.run(made.program, main, c=made.c, i=made.i, b=made.b, v={"v0": lane.tolist()})
        for lane in v0
    ]
    banks: dict[str, Mapping[int, Any]] = {"c": made.c, "i": made.i, "b": made.b}
    for kernel in kernels(found):
        given = {row.label: v0[:, ["xyzw".index(x) for x in row.letters]] for row in kernel.inputs}
        bound = {each.name: bank(each.name, banks[each.name]) for each in kernel.bindings}
        got = kernel.transform(given or LANES, **bound)
        for row in kernel.outputs:
            ours = got[row.label].reshape(LANES, len(row.letters))
            theirs = np.array([lane.get(row.label, (0, 0, 0, 0)) for lane in wanted], "<f4")
            np.testing.assert_array_equal(ours, theirs[:, ["xyzw".index(x) for x in row.letters]])


@contextmanager
def rule(name: str) -> Iterator[None]:
    """Expect a refusal by this rule."""
    try:
        yield
    except UnsupportedError as error:
        if not str(error).endswith(f"(pica.{name})"):
            raise


@pytest.mark.parametrize("seed", range(12))
def test_random_jumps(seed: int) -> None:
    compare(Jumping(seed), seed)


@pytest.mark.parametrize("seed", range(20))
def test_arbitrary_jumps_are_refused_or_right(seed: int) -> None:
    with suppress(hardware.Endless), rule("jump-out"):
        compare(Jumping(seed, wild=True), seed)


@pytest.mark.parametrize(
    ("text", "b", "wanted"),
    [
        # out of an else part, into one, and back before it
        ("ifu b0\nnop\n.else\njmpu !b0, out\nadd r0, c1, r0\nnop\n.end\nout:\nnop", {}, 0),
        ("jmpu !b0, in\nifu b1\nnop\n.else\nadd r0, c1, r0\nin:\nadd r0, c1, r0\n.end", {}, 1),
        ("jmpu b0, in\nifu b1\nnop\n.else\nadd r0, c1, r0\nin:\nadd r0, c1, r0\n.end", {}, 2),
        ("back:\nadd r0, c1, r0\ncmp c2, gt, gt, r0\nifu b1\nnop\n.else\njmpc cmp.x, back\nnop\n"
         ".end\nnop", {}, 5),
        # before the entry: nothing is on a stack there, either
        ("add r0, c1, r0\ncmp c2, gt, gt, r0\njmpc cmp.x, before", {}, 3),
    ],
)  # fmt: skip
def test_jumps_around_else_parts(text: str, b: dict[int, bool], wanted: float) -> None:
    before = ".proc p\nbefore:\nadd r0, c1, r0\nadd r0, c1, r0\nmov o0, r0\nend\n.end\n"
    found = run(f"mov r0, c0\n{text}\nmov o0, r0", before=before, b=b, c={1: 1.0, 2: 5.0})
    assert found["o0"].tolist() == [wanted] * 4


def test_two_headers_in_one_loop() -> None:
    """Entered in the middle or at its beginning, by lane."""
    text = "mov r0, v0\ncmp c2, gt, eq, v0\njmpc cmp.y, two\none:\nadd r0, c1, r0\ntwo:\n"
    text += "add r0, c3, r0\ncmp c2, gt, gt, r0\njmpc cmp.x, one\nmov o0, r0"
    made = lowered(program(text))
    v0 = np.array([[0, 50, 0, 0], [0, 1, 0, 0], [7, 50, 0, 0]], "<f4")
    bound = bank("c", {1: 1.0, 2: 50.0, 3: 10.0})
    for kernel in kernels(made):
        found = kernel.transform({"v0": v0}, c=bound)["o0"].reshape(3, 4)
        assert found[:, 0].tolist() == [54, 55, 50]


def test_deeply_nested_else_parts() -> None:
    """Nothing of them lies on a stack; all may end before the same word."""
    deep = 120
    found = program("mov o0, c1")
    nest = [
        word
        for number in range(deep)
        for word in (
            Instruction.make("ifu", bool_id="b0", target=2 * number + 2, num=2 * (deep - number)),
            Instruction.make("nop"),
        )
    ]
    found.instructions[:0] = [*nest, Instruction.make("nop"), Instruction.make("nop")]
    assert height(lowered(found).kernel.body) <= DEEPEST
    assert run(found, c={1: 1.0})["o0"].tolist() == [1] * 4


def test_a_trace_shows_taken_jumps() -> None:
    text = "mov r0, v0\nagain:\nadd r0, c1, r0\ncmp c2, gt, gt, r0\njmpc cmp.x, again\n"
    text += "ifu b0\nnop\n.else\njmpu !b1, out\nadd r0, c1, r0\nnop\n.end\nout:\nmov o0, r0"
    made = lowered(program(text))
    coverage = Coverage()
    kernel = kernel_of(made, None, engines.choose("lockstep", False))
    debugger = kernel.debug(0, checks=False, coverage=coverage)
    bound = {"c": bank("c", {1: 1.0, 2: 3.0}), "b": bank("b", {})}
    debugger.transform({"v0": np.ones((1, 4), "<f4")}, **bound)
    notes = [
        (made.lines[each.line - 1].split()[0], *each.notes)
        for each in debugger.trace.entries
        if each.notes
    ]
    assert notes == [
        ("jmpc", "taken"), ("jmpc", "not taken"), ("ifu", "not taken"), ("jmpu", "taken"),
    ]  # fmt: skip
    branches = {
        made.lines[line - 1].split()[0]: each for (line, _), each in coverage.branches.items()
    }
    assert {name: each.ways for name, each in branches.items()} == {
        "jmpc": [1, 1], "ifu": [0, 1], "jmpu": [1, 0],
    }  # fmt: skip
