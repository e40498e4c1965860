"""Lines of plain data that are read once: what depends on other lines is not."""

import pytest

from unshade.errors import AssembleError
from unshade.programs.spirv.assembler.lines import read_lines
from unshade.programs.spirv.exact import read_code

TYPES = {"32": "%1 = OpTypeInt 32 0", "64": "%1 = OpTypeInt 64 0", "f": "%1 = OpTypeFloat 32"}


def words(*lines: str) -> list[tuple[int, ...]]:
    return [each.words for each in read_code(lines)]


@pytest.mark.parametrize("repeat", range(2))
def test_constants_have_the_words_of_their_type(repeat: int) -> None:
    constant = "%2 = OpConstant %1 1"
    assert words(TYPES["32"], constant)[1] == (4 << 16 | 43, 1, 2, 1)
    assert words(TYPES["64"], constant)[1] == (5 << 16 | 43, 1, 2, 1, 0)
    assert words(TYPES["f"], constant)[1] == (4 << 16 | 43, 1, 2, 0x3F80_0000)


@pytest.mark.parametrize("repeat", range(2))
def test_cases_have_the_words_of_their_selector(repeat: int) -> None:
    lines = "%2 = OpUndef %1", "OpSwitch %2 %5 7 %6"
    assert words(TYPES["32"], *lines)[2] == (5 << 16 | 251, 2, 5, 7, 6)
    assert words(TYPES["64"], *lines)[2] == (6 << 16 | 251, 2, 5, 7, 0, 6)


@pytest.mark.parametrize("repeat", range(2))
def test_extended_instructions_are_those_of_their_set(repeat: int) -> None:
    call = "%3 = OpExtInst %1 %2 sqrt %4"
    opencl = words('%2 = OpExtInstImport "OpenCL.std"', call)
    assert opencl[1] == (6 << 16 | 12, 1, 3, 2, 61, 4)
    with pytest.raises(AssembleError, match="unknown instruction 'sqrt'"):
        words('%2 = OpExtInstImport "GLSL.std.450"', call)


def test_names_are_numbered_in_the_whole_text() -> None:
    assert read_lines(["%a = OpTypeVoid"]) is None
    assert words("%a = OpTypeVoid", "%1 = OpTypeBool", "%b = OpTypeVoid") == [
        (2 << 16 | 19, 2),
        (2 << 16 | 20, 1),
        (2 << 16 | 19, 3),
    ]
    assert words("%0 = OpTypeVoid", "%1 = OpTypeBool")[0] == (2 << 16 | 19, 2)


def test_an_instruction_may_take_several_lines() -> None:
    whole = words('OpName %1 "main"', "OpReturn")
    assert words("OpName", "%1", '"main"  ; a name', "OpReturn") == whole
    assert words('OpName %1 "main" OpReturn', "; nothing") == whole


def test_an_operand_on_the_next_line_belongs_to_the_line_before() -> None:
    alone = words("OpLoopMerge %1 %2 DependencyLength", "8")
    assert alone == words("OpLoopMerge %1 %2 DependencyLength 8")


def test_errors_name_the_line() -> None:
    with pytest.raises(AssembleError) as caught:
        words("OpReturn", "OpReturn", "OpNothing")
    assert (caught.value.line, caught.value.column) == (3, 1)


def test_instructions_belong_to_the_caller() -> None:
    first = read_code(["OpReturn"])[0]
    first.words = (1 << 16 | 252,)
    assert words("OpReturn") == [(1 << 16 | 253,)]
