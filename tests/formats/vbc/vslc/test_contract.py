"""Which resources Vega binds: each kind at each place, alone and in an array."""

from __future__ import annotations

import pytest

from unshade.formats.vbc.vslc.contract import push_constant_problem, resource_problem
from unshade.programs.spirv import Program
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.tables.numbers import StorageClass as S

# Results are numbered, so that a type is looked up by its number.
TYPES = """
OpCapability Shader
OpDecorate %20 Block
OpDecorate %21 Block
OpDecorate %22 BufferBlock
%1 = OpTypeFloat 32
%2 = OpTypeInt 32 0
%3 = OpConstant %2 2
%20 = OpTypeStruct %1
%21 = OpTypeStruct %1
%22 = OpTypeStruct %1
%10 = OpTypeImage %1 2D 0 0 0 1 Unknown
%11 = OpTypeSampledImage %10
%12 = OpTypeImage %1 2D 0 0 0 2 Rgba8
%13 = OpTypeImage %1 Buffer 0 0 0 1 Unknown
%14 = OpTypeImage %1 Buffer 0 0 0 2 Rgba8
%15 = OpTypeImage %1 SubpassData 0 0 0 2 Unknown
%16 = OpTypeSampler
"""
KINDS = {
    11: "a combined image sampler", 12: "a storage image", 21: "a storage buffer",
    22: "a storage buffer", 13: "a uniform texel buffer", 14: "a storage texel buffer",
    20: "a uniform buffer", 15: "a subpass input", 10: "a sampled image", 16: "a sampler",
    1: "an unknown type", 99: "an unknown type",
}  # fmt: skip
TABLES = [
    "a combined image sampler", "a storage image", "a storage buffer", "a uniform texel buffer",
    "a storage texel buffer",
]  # fmt: skip


def arrays_of(number: int) -> tuple[int, int]:
    """Return the numbers of an array and of a runtime array of a type."""
    return number + 100, number + 200


def index() -> ModuleIndex:
    text = TYPES
    for number in KINDS:
        if number != 99:
            sized, runtime = arrays_of(number)
            text += (
                f"%{sized} = OpTypeArray %{number} %3\n%{runtime} = OpTypeRuntimeArray %{number}\n"
            )
    return ModuleIndex(Program.assemble(text, preserve_numeric_ids=True).module)


@pytest.mark.fast
def test_each_kind_at_each_place() -> None:
    module = index()
    wrong = []
    places = [(space, binding) for space in (None, 0, 1, 2, 3) for binding in range(7)]
    for number, kind in KINDS.items():
        storage = S.StorageBuffer if number == 21 else S.Uniform
        for space, binding in places:
            if space == 0 and binding < 5:
                bound, as_array = TABLES[binding] == kind, True
            else:
                bound = space == 1 and binding == 0 and kind == "a uniform buffer"
                bound, as_array = bound or (space == 2 and kind == "a subpass input"), False
            forms = [(number, False)] + [(each, True) for each in arrays_of(number)]
            for type_, is_array in forms[: 1 if number == 99 else 3]:
                problem = resource_problem(module, 0, type_, storage, space, binding)
                if (problem is None) != (bound and is_array == as_array):
                    wrong.append((kind, space, binding, is_array, problem))
    assert wrong == []


def test_problems_name_both_kinds_and_the_place() -> None:
    module = index()
    assert resource_problem(module, 0, 11, S.Uniform, 0, 3) == (
        "expected an array of uniform texel buffers at set 0, binding 3, "
        "got a combined image sampler"
    )
    assert resource_problem(module, 0, 115, S.Uniform, 2, 1) == (
        "expected a subpass input at set 2, binding 1, got an array of subpass inputs"
    )
    assert resource_problem(module, 0, 16, S.Uniform, None, 4) == (
        "expected set 0 with bindings 0 to 4, set 1 with binding 0, or set 2, "
        "got a sampler at binding 4"
    )


def test_push_constants_are_words() -> None:
    words = """
OpCapability Shader
OpMemberDecorate %10 1 Offset {offset}
%1 = OpTypeInt {width} 0
%2 = OpTypeInt 32 0
%3 = OpConstant %2 {count}
%4 = OpTypeFloat 32
%5 = OpTypeArray %1 %3
%10 = OpTypeStruct %2 %{type}
"""

    def problem(
        type: int = 5, *, offset: int = 4, width: int = 16 * 2, count: int = 4
    ) -> str | None:
        text = words.format(type=type, offset=offset, width=width, count=count)
        module = ModuleIndex(Program.assemble(text, preserve_numeric_ids=True).module)
        return push_constant_problem(module, 10)

    assert push_constant_problem(index(), 1) == "expected a block of words"
    assert problem() is problem(1) is problem(count=15) is problem(1, offset=60) is None
    assert (
        problem(4)
        == problem(width=64)
        == ("expected integers of 32 bits, got another type for member 1")
    )
    for found, offset in (
        (problem(count=16), 4), (problem(1, offset=64), 64), (problem(1, offset=6), 6),
        (problem(count=2, offset=60), 60),
    ):  # fmt: skip
        assert found == f"expected at most 16 words, got member 1 at {offset}"
