"""Simplified random kernels have the same results."""

import pytest

from tests.ir.generate import Program, generate
from tests.oracle.interpret import interpret
from tests.oracle.verify import verify
from tests.sampling import fewer
from unshade.ir.library.maths import expand
from unshade.ir.simplify import simplify

pytestmark = pytest.mark.slow


def results(program: Program) -> tuple[object, ...]:
    memories = program.memories()
    found = interpret(
        program.kernel,
        memories,
        groups=program.groups,
        items=program.items,
        inputs=program.inputs,
        helpers=program.helpers,
    )
    # Lanes that no longer wait send messages in another order.
    messages = sorted(found.messages, key=lambda each: each[0])
    return memories, found.outputs, found.discarded, messages


def compare(first: int, *, library: bool = False) -> None:
    for seed in range(first, first + 50):
        program = generate(seed, library=library)
        if library:
            expand(program.kernel)
            found = verify(program.kernel)
            assert [each for each in found if each.code != "ir-unreachable"] == [], seed
        expected = results(program)
        simplify(program.kernel)
        assert verify(program.kernel) == [], seed
        assert results(program) == expected, seed


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_results_stay_the_same(first: int) -> None:
    compare(first)


@pytest.mark.parametrize("first", range(0, 100, 50))
def test_expanded_maths_stays_the_same(first: int) -> None:
    compare(first, library=True)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 1000 + 50 * fewer(30), 50))
def test_results_of_larger_kernels(first: int) -> None:
    compare(first)
