"""Simpler forms of the lines of a listing of SPIR-V."""

import pytest

from unshade.programs.spirv.text.simpler import simpler

pytestmark = pytest.mark.fast

HEAD = [
    'OpEntryPoint Fragment %main "main" %in %out',
    "%main = OpFunction %void None %type",
    "%entry = OpLabel",
    "%sum = OpFAdd %float %a %b",
    "OpSelectionMerge %end None",
    "OpBranchConditional %test %then %end",
    "%then = OpLabel",
    "OpSelectionMerge %last None",
    "OpSwitch %sum %last 1 %one 2 %two",
    "%one = OpLabel",
    "OpLoopMerge %two %next None",
    "OpBranch %next",
    "OpFunctionEnd",
]


def made(lines: list[str], at: int) -> list[list[str]]:
    """Return what each edit makes of the lines after the one where it starts."""
    return [
        [*lines[at : edit.start], *edit.lines, *lines[edit.stop : edit.stop + 1]]
        for edit in simpler(lines, at)
    ]


@pytest.mark.parametrize(
    ("at", "first"),
    [
        (0, ['OpEntryPoint Fragment %main "main" %out', 'OpEntryPoint Fragment %main "main" %in']),
        (3, ["%sum = OpUndef %float", "%sum = OpCopyObject %float %a",
             "%sum = OpCopyObject %float %b"]),
        (4, ["OpBranch %then", "OpBranch %end"]),
        (5, ["OpBranch %then", "OpBranch %end"]),
        (7, ["OpBranch %last", "OpBranch %one", "OpBranch %two"]),
        (8, ["OpBranch %last", "OpBranch %one", "OpBranch %two"]),
        (10, ["OpBranch %next", "OpBranch %two"]),
        (11, ["OpUnreachable"]),
    ],
)  # fmt: skip
def test_one_line_in_the_place_of_others(at: int, first: list[str]) -> None:
    assert [each[0] for each in made(HEAD, at)] == first


def test_a_function_and_a_block_are_removed() -> None:
    assert [(each.start, each.stop, each.lines) for each in simpler(HEAD, 1)] == [(1, 13, ())]
    assert [(each.start, each.stop, each.lines) for each in simpler(HEAD, 2)] == [
        (2, 6, ()),
        (3, 6, ("OpReturn",)),
    ]


@pytest.mark.parametrize("after", ["", "; nothing", "%f = OpFAdd %float %a %b", "OpReturn"])
@pytest.mark.parametrize("merge", ["OpSelectionMerge %end None", "OpLoopMerge %end %next None"])
def test_a_merge_without_its_branch_leads_to_its_end(merge: str, after: str) -> None:
    """Lines of a text that a user edits need not be well-formed."""
    assert [each.lines for each in simpler([merge, after], 0)] == [("OpBranch %end",)]
    assert not [*simpler([merge], 0)]


@pytest.mark.parametrize("line", ["", "; comment", "%v = OpTypeVoid", "%c = OpConstant %u 1",
                                  "%u = OpUndef %uint", "OpReturn"])  # fmt: skip
def test_what_cannot_be_simpler(line: str) -> None:
    assert not [*simpler([line, "OpFunctionEnd"], 0)]
