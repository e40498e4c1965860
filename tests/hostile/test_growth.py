"""Programs of one construct: four times the constructs take at most 4.9 times the steps.

Each pass is counted by itself. A step is a line of Python that runs, or a call; a comprehension
has one for each element. That does not depend on the machine. `benchmarks/bounds.py --growth`
measures processor time.
"""

import sys
from types import FrameType
from typing import Any

import pytest

from tests.hostile.constructs import CONSTRUCTS, FEW, LIMITED
from tests.hostile.passes import costs

pytestmark = pytest.mark.slow

MOST = 4.9
CONSTANT = 6000  # steps that do not depend on the number of constructs
# Nested constructs, of which a kernel has at most 128: some passes visit each once for each level
# around it (uniformity until the fact of the innermost arrives, at most 64 times; the code by which
# lanes leave a block, which also leaves what is inside it).
BY_LEVEL = {
    "tpf: nested loops", "spirv: nested loops", "dxil: nested loops", "sksl: nested loops",
    "dxil: jumps",
}  # fmt: skip
MOST_BY_LEVEL = 14.0


class Steps:
    """A clock that counts steps."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> int:
        return self.count

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.count += 1
        return self.trace


def steps(name: str, n: int) -> tuple[dict[str, float], str]:
    clock = Steps()
    before = sys.gettrace()
    sys.settrace(clock.trace)
    try:
        return costs(lambda: CONSTRUCTS[name](n), clock, calls=False)
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("name", [each for each in CONSTRUCTS if each not in LIMITED])
def test_steps_of_passes(name: str) -> None:
    n = FEW.get(name, 24)
    steps(name, 2)  # what is made once
    (few, _), (many, message) = steps(name, n), steps(name, 4 * n)
    assert not message
    most = MOST_BY_LEVEL if name in BY_LEVEL else MOST
    grown = {
        each: many[each] / few[each] for each in many if many[each] > most * few[each] + CONSTANT
    }
    assert not grown


@pytest.mark.parametrize(("name", "limit"), LIMITED.items())
def test_named_limits(name: str, limit: tuple[int, str]) -> None:
    n, message = limit
    assert message in costs(lambda: CONSTRUCTS[name](n), lambda: 0, calls=False)[1]
