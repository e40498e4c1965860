"""Statements of the format page that are not generated."""

import unshade
from tests.corpus import REPOSITORY
from tools.pages.tpf import EXAMPLE, example


def test_the_worked_example_matches_the_file() -> None:
    number, line = EXAMPLE
    shader = unshade.open(REPOSITORY / "examples" / "saxpy.dxbc")
    assert str(shader.programs[0].instructions[number]) == line
    assert shader.programs[0].instructions[number] == example()
