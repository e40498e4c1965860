"""Registers of uniforms and constants, as picasso gives them out."""

from unshade.programs.pica.assembler.allocation import RegisterSpace, spaces
from unshade.programs.pica.tables.registers import RegisterFile


def test_uniforms_rise_and_constants_fall() -> None:
    space = RegisterSpace(0, 8)
    assert [space.uniform(2), space.uniform(1)] == [0, 2]
    assert [space.constant(1), space.constant(2)] == [7, 5]
    assert space.constant(3) is None  # 3 and 4 are left
    assert space.constant(2) == 3
    assert space.constant(1) is None


def test_a_uniform_overlaps_no_constant_of_any_source() -> None:
    space = RegisterSpace(0, 8)
    assert [space.constant(2), space.constant(1)] == [6, 5]
    space.next_source()
    assert space.constant(1) == 7  # again
    assert space.uniform(6) is None
    assert space.uniform(5) == 0
    assert space.uniform(1) is None


def test_a_constant_overlaps_no_uniform_of_an_earlier_source() -> None:
    space = RegisterSpace(0, 4)
    assert space.uniform(3) == 0
    space.next_source()
    assert space.constant(2) is None
    assert space.constant(1) == 3


def test_the_files() -> None:
    plain, geometry = spaces(), spaces(32, geometry=True)
    assert [plain[each].constant(1) for each in RegisterFile if each in plain] == [95, 3, 15]
    assert geometry[RegisterFile.FLOAT].uniform(1) == 32
    assert geometry[RegisterFile.BOOL].constant(1) == 14
