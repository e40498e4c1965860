"""Registers without names, grouped by their influence on the position.

A matrix of four rows is four registers, one of three rows (an affine one) three; the last matrix
is the one whose registers each make one component of the position.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from unshade.run.camera.unnamed_registers import UnnamedRegisters, use_of
from unshade.vm.launch import Array

VERTEX = np.array([0.5, 2.0, -1.5, 1.0])


def buffer(count: int, name: str = "cb0") -> list[tuple[str, int]]:
    return [(name, number) for number in range(count)]


def rows(values: Array, first: int, vector: Array) -> Array:
    """Return the vector multiplied by four registers, a row each."""
    return np.array([values[first + at] @ vector for at in range(4)])


def position(final: int, others: list[int]) -> Callable[[Array], Array]:
    """Return a function of the registers: a final matrix, times a vector that others change."""

    def made(values: Array) -> Array:
        vector = VERTEX * 1.0
        for at in others:
            vector = vector + values[at] * VERTEX[::-1]
        return rows(values, final, vector)[None]

    return made


def test_the_last_matrix_alone() -> None:
    found = use_of(UnnamedRegisters(buffer(4), {"cb0": 4}), position(0, []))
    assert (found.matrices, found.others) == ([[0, 1, 2, 3]], [])


def test_registers_without_influence_are_in_no_group() -> None:
    found = use_of(UnnamedRegisters(buffer(9), {"cb0": 9}), position(3, []))
    assert (found.matrices, found.others) == ([[3, 4, 5, 6]], [])


@pytest.mark.parametrize(
    ("count", "matrices", "others"),
    [
        (1, [], [0]),
        (2, [], [0, 1]),
        (3, [[0, 1, 2]], []),
        (4, [[0, 1, 2, 3]], []),
        (5, [[0, 1, 2, 3]], [4]),
        (6, [[0, 1, 2], [3, 4, 5]], []),
        (7, [[0, 1, 2, 3], [4, 5, 6]], []),
        (8, [[0, 1, 2, 3], [4, 5, 6, 7]], []),
        (9, [[0, 1, 2], [3, 4, 5], [6, 7, 8]], []),
    ],
)
@pytest.mark.parametrize("apart", [False, True])
def test_runs_of_registers(
    count: int, matrices: list[list[int]], others: list[int], apart: bool
) -> None:
    """The last matrix follows at once, or after a register without influence."""
    final = count + apart
    registers = UnnamedRegisters(buffer(final + 4), {"cb0": final + 4})
    found = use_of(registers, position(final, [*range(count)]))
    assert found.matrices == [[*range(final, final + 4)], *matrices]
    assert found.others == others


def test_runs_end_with_a_buffer_and_at_a_gap() -> None:
    places = [*buffer(2), *buffer(1, "cb1"), ("", 8), ("", 10), *buffer(4, "cb2")]
    registers = UnnamedRegisters(places, {"cb0": 2, "cb1": 1, "cb2": 4}, {8: "c8", 10: "c10"})
    found = use_of(registers, position(5, [0, 1, 2, 3, 4]))
    assert (found.matrices, found.others) == ([[5, 6, 7, 8]], [0, 1, 2, 3, 4])


def test_registers_after_the_last_matrix() -> None:
    registers = UnnamedRegisters(buffer(8), {"cb0": 8})
    found = use_of(registers, position(0, [4, 5, 6]))
    assert (found.matrices, found.others) == ([[0, 1, 2, 3], [4, 5, 6]], [])


def test_without_positions_there_are_no_groups() -> None:
    found = use_of(UnnamedRegisters(buffer(4), {"cb0": 4}), lambda _: None)
    assert (found.matrices, found.others) == ([], [])


def test_values_and_words() -> None:
    places = [("cb0", 0), ("cb0", 1), ("", 7)]
    registers = UnnamedRegisters(places, {"cb0": 2}, {7: "c7"})
    numbers = np.arange(12.0).reshape(3, 4)
    made = registers.values(numbers)
    np.testing.assert_array_equal(made["cb0"], numbers[:2])
    np.testing.assert_array_equal(made["c7"], numbers[2])
    assert made["cb0"].dtype == made["c7"].dtype == np.float32
    assert registers.words([0, 1]) == "cb0[0] to cb0[1]"
    assert registers.words([1]) == "cb0[1]"
    assert registers.words([2]) == "c7"
