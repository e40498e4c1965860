"""Inputs that ask for much: refused by a limit that is named, or done in few steps.

`sys.setprofile` counts calls of Python functions, which does not depend on the machine.
"""

import sys
from collections.abc import Callable
from typing import Any

import pytest

import unshade
from tests.hostile import big
from tests.hostile.exercise import CALLS, exercise
from tests.sampling import products
from unshade import Shader, UnshadeError

SIZE = 4000  # bytes of each input, about
PER_BYTE = 60  # calls of Python functions, at most, by any of ours
CALLED: dict[str, Callable[[Shader], object]] = {
    "to_bytes": lambda shader: shader.to_bytes(),
    "to_data": lambda shader: shader.to_data(),
    **CALLS,
}


def calls_of(function: Callable[[], Any]) -> int:
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function()
    except UnshadeError:
        pass
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", big.INPUTS)
def test_nothing_but_our_errors(name: str) -> None:
    assert exercise(big.INPUTS[name](SIZE)) == "read"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "call"), products(big.INPUTS, CALLED))
def test_steps(name: str, call: str) -> None:
    """Four times the bytes take about four times the steps, not sixteen times."""
    steps = []
    for size in (SIZE, 4 * SIZE):
        data = big.INPUTS[name](size)
        shader = unshade.loads(data)
        _ = shader.diagnostics
        CALLED[call](shader) if call == "to_bytes" else None  # compiled once, not counted
        steps.append((calls_of(lambda: CALLED[call](shader)), len(data)))  # noqa: B023
    (few, small), (many, large) = steps
    assert many <= PER_BYTE * large
    if large > 2 * small:
        assert many <= 8 * few + 20_000


def rdef_error(data: bytes) -> str:
    shader = unshade.loads(data)
    (found,) = [each for each in shader.diagnostics if each.code == "part.limit"]
    assert isinstance(shader.to_data(), dict)
    return found.message


@pytest.mark.parametrize("make", [big.doubling_types, big.doubling_bases])
def test_doubling_types_exceed_a_limit(make: Callable[[int], bytes]) -> None:
    assert "limit sharing" in rdef_error(make(SIZE))


def test_a_large_type_of_many_variables_exceeds_a_limit() -> None:
    assert "limit sharing" in rdef_error(big.one_large_type(50_000))


def test_a_long_name_of_many_variables_exceeds_a_limit() -> None:
    assert "limit sharing" in rdef_error(big.one_long_name(100_000))


def test_overlapping_strings_exceed_a_limit() -> None:
    shader = unshade.loads(big.tails_of_a_text(SIZE))
    assert "limit overlap" in str(shader.diagnostics[0])


def test_nested_indices_exceed_a_limit() -> None:
    shader = unshade.loads(big.nested_indices(SIZE))
    assert [found.code for found in shader.diagnostics] == ["part.limit"]
    assert "limit depth" in shader.diagnostics[0].message
