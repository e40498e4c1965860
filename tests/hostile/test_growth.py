"""Programs of one construct: four times the constructs take at most 4.9 times the steps.

Each pass is counted by itself, and each function over all passes. A step is a line of Python that
runs, or a call; a comprehension has one for each element. That does not depend on the machine.
`benchmarks/bounds.py --growth` measures processor time.
"""

import sys
from collections import Counter
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.hostile.constructs import CONSTRUCTS, FEW, LIMITED
from tests.hostile.passes import costs
from tests.sampling import some

pytestmark = pytest.mark.slow

MOST = 4.9
MOST_OF_FUNCTION = 9.0  # a small part of a pass, which n² steps would not show in the whole
CONSTANT = 6000  # steps that do not depend on the number of constructs
# Nested loops, of which a kernel has at most 128: each has a fact for each variable that an inner
# loop changes, and uniformity visits all until the fact of the innermost arrives, at most 64 times.
BY_LEVEL = {
    "tpf: nested loops",
    "spirv: nested loops",
    "dxil: nested loops",
    "sksl: nested loops",
    "d3d9: nested loops",
}
MOST_BY_LEVEL = 14.0


class Steps:
    """A clock that counts steps."""

    def __init__(self) -> None:
        self.count = 0
        self.functions = Counter[CodeType]()

    def __call__(self) -> int:
        return self.count

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.count += 1
        self.functions[frame.f_code] += 1
        return self.trace


def steps(name: str, n: int, clock: Steps) -> tuple[dict[str, float], str]:
    before = sys.gettrace()
    sys.settrace(clock.trace)
    try:
        return costs(lambda: CONSTRUCTS[name](n), clock, calls=False)
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("name", [*some(each for each in CONSTRUCTS if each not in LIMITED)])
def test_steps_of_passes(name: str) -> None:
    n = FEW.get(name, 24)
    steps(name, 2, Steps())  # what is made once
    one, four = Steps(), Steps()
    (few, _), (many, message) = steps(name, n, one), steps(name, 4 * n, four)
    assert not message
    most = MOST_BY_LEVEL if name in BY_LEVEL else MOST
    grown = {
        each: many[each] / few[each] for each in many if many[each] > most * few[each] + CONSTANT
    }
    assert not grown
    if name not in FEW:  # few are nested, and a kernel has at most 128 levels
        assert not {
            code.co_qualname: count / max(1, one.functions[code])
            for code, count in four.functions.items()
            if count > MOST_OF_FUNCTION * one.functions[code] + CONSTANT
        }


@pytest.mark.parametrize(("name", "limit"), LIMITED.items())
def test_named_limits(name: str, limit: tuple[int, str]) -> None:
    n, message = limit
    assert message in costs(lambda: CONSTRUCTS[name](n), lambda: 0, calls=False)[1]
