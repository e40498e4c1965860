"""The alignment of two texts: complete, in order, and close to the actual edits."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from tests.analysis.diff.keys import keys
from unshade.analysis.diff.align import BUDGET, Row, align


def aligned(before: list[str], after: list[str]) -> list[Row]:
    ours, theirs = keys(before, after)
    return align(ours, theirs)


def check(before: list[str], after: list[str]) -> list[Row]:
    """Return the rows; check that each line is in one, in order."""
    rows = aligned(before, after)
    assert [i for i, _ in rows if i is not None] == list(range(len(before)))
    assert [j for _, j in rows if j is not None] == list(range(len(after)))
    assert all(row != (None, None) for row in rows)
    return rows


def program(length: int, seed: int) -> list[str]:
    """Return lines like those of a program, few of them alike."""
    rng = random.Random(seed)

    def operand() -> str:
        return f"r{rng.randrange(9)}.{rng.choice(['x', 'xyz', 'xyzw', 'yyyy'])}"

    words = ["add", "mul", "mad", "dp3", "mov", "lt", "movc", "min", "max", "itof"]
    return [
        f"{rng.choice(words)} {', '.join(operand() for _ in range(rng.randrange(1, 4)))}"
        for _ in range(length)
    ]


def renumbered(lines: list[str]) -> list[str]:
    return [re.sub(r"\br(\d+)", lambda found: f"r{int(found[1]) + 3}", line) for line in lines]


@pytest.mark.parametrize(
    ("before", "after", "rows"),
    [
        ([], [], []),
        (["ret"], [], [(0, None)]),
        ([], ["ret"], [(None, 0)]),
        (["add r0, r1", "ret"], ["add r0, r1", "ret"], [(0, 0), (1, 1)]),
        (["add r0, r1", "ret"], ["ret"], [(0, None), (1, 0)]),
        (["ret"], ["add r0, r1", "ret"], [(None, 0), (0, 1)]),
        (["add r0, r1", "ret"], ["add r2, r1", "ret"], [(0, 0), (1, 1)]),
        (["add r0, r1"], ["mul r0, r1"], [(0, 0)]),  # another operation on the same operands
        (["add r0, r1"], ["mov r2, l(4)"], [(0, None), (None, 0)]),
        # an insertion before two lines of the same shape
        (
            ["mov r1, l(1)", "mov r2, l(2)"],
            ["mov r3, l(3)", "mov r1, l(1)", "mov r2, l(2)"],
            [(None, 0), (0, 1), (1, 2)],
        ),
    ],
)
def test_small_texts(before: list[str], after: list[str], rows: list[Row]) -> None:
    assert check(before, after) == rows


def test_keys() -> None:
    (one,), (other,) = keys(["mul r0.x, r1.y"], ["mul r4.w, r2.z"])
    assert one.loose == other.loose
    assert one.shape != other.shape
    assert one.word == other.word
    assert one.rest != other.rest
    (one,), (other,) = keys(["mul r0.x, r1.y"], ["add r0.x, r1.y"])
    assert one.rest == other.rest
    assert one.word != other.word
    (one,), (other,) = keys(["mul r0.x, r1.y"], ["mul r3.x, r8.y"])
    assert one.shape == other.shape
    assert one.exact != other.exact
    (one, two), _ = keys(["ret", "else"], [])
    assert one.rest != two.rest


def test_renumbered_registers_do_not_hide_edits() -> None:
    text = program(800, 1)
    assert check(text, renumbered(text)) == [(i, i) for i in range(len(text))]
    inserted = [*text[:700], "discard_nz r0.x", "eq r0.x, l(0)", *text[700:]]
    rows = check(text, renumbered(inserted))
    assert [row for row in rows if row[0] is None] == [(None, 700), (None, 701)]


def test_edits_are_found() -> None:
    rng = random.Random(3)
    before = program(1200, 2)
    after = list(enumerate(before))
    for _ in range(80):
        at = rng.randrange(len(after))
        if rng.random() < 0.5:
            del after[at]
        else:
            after.insert(at, (-1, rng.choice(before)))
    truth = {(i, j) for j, (i, _) in enumerate(after) if i >= 0}
    for text in ([line for _, line in after], renumbered([line for _, line in after])):
        rows = check(before, text)
        assert len(truth & set(rows)) > 0.98 * len(truth)


LONG = 50_000
SHAPES: dict[str, Callable[[list[str]], list[str]]] = {
    "the same": lambda text: text,
    "renumbered": renumbered,
    "halves swapped": lambda text: text[LONG // 2 :] + text[: LONG // 2],
    "another program": lambda text: program(LONG, 9),
    "every second": lambda text: text[::2],
    "one line for ever": lambda text: ["mov r0.x, r1.x"] * LONG,
    "one shape": lambda text: [f"mov r0.x, l({at})" for at in range(LONG)],
    "nothing": lambda text: [],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_fifty_thousand_lines_are_compared(name: str) -> None:
    """This takes seconds; a quadratic algorithm would not end."""
    text = program(LONG, 7) if name != "one shape" else [f"mov r0.x, l(-{k})" for k in range(LONG)]
    check(text, SHAPES[name](text))


@pytest.mark.slow
def test_the_budget_bounds_the_cells() -> None:
    from unshade.analysis.diff import align as module

    assert module.LARGE < BUDGET
    lines = [f"mov r0.x, l({at})" for at in range(3000)]
    ours, theirs = keys(lines, [line.replace("l(", "l(-") for line in lines])
    alignment = module._Alignment(ours, theirs)
    alignment.left = 20_000  # then: line by line
    pairs = sorted(alignment.pairs())
    assert alignment.left >= 0
    assert pairs == [(at, at) for at in range(3000)]
