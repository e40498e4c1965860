"""Structured control flow: constructs that are left or entered where they may not be."""

import re

import pytest

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.validate import validate

LOOP = """{shader} {types} {main} OpBranch %head
    %head = OpLabel
    OpLoopMerge %after %next None
    OpBranchConditional %true %body %after
    %body = OpLabel
    BODY
    %next = OpLabel
    NEXT
    %after = OpLabel {end}"""
SWITCH = """{shader} {types} {main} OpSelectionMerge %after None
    OpSwitch %one TARGETS
    %a = OpLabel
    OpBranchConditional %true ENDS
    %b = OpLabel
    OpBranch %after
    %c = OpLabel
    OpBranch %after
    %after = OpLabel {end}"""
BACK = "OpBranch %head"


def loop(body: str, following: str = BACK) -> str:
    return LOOP.replace("BODY", body).replace("NEXT", following)


def switch(targets: str, ends: str) -> str:
    return SWITCH.replace("TARGETS", targets).replace("ENDS", ends)


def findings(body: str) -> list[tuple[str, str]]:
    """Return the rules that are violated, and the instructions there; labels by their names."""
    text = text_of(body)
    labels = re.findall(r"(%\w+) = OpLabel", text)
    names = "".join(f'OpName {each} "{each[1:]}"\n' for each in labels)
    head, types, code = text.partition("%void = OpTypeVoid")
    found = validate(assemble(Source(head + names + types + code), target="spv1.5"), "spv1.5")
    return [(each.code, getattr(each, "instruction", "").split(" = ")[0]) for each in found]


WRONG = {
    "a selection whose merge is outside of the loop around it": (
        loop(
            """OpSelectionMerge %after None
            OpBranchConditional %true %then %next
            %then = OpLabel
            OpBranch %next"""
        ),
        "%body",
    ),
    "a selection that is left for another block": (
        """{shader} {types} {main} OpSelectionMerge %after None
        OpBranchConditional %true %then %after
        %then = OpLabel
        OpSelectionMerge %inner None
        OpBranchConditional %true %deep %inner
        %deep = OpLabel
        OpBranch %after
        %inner = OpLabel
        OpBranch %after
        %after = OpLabel {end}""",
        "%deep",
    ),
    "a selection that is entered beside its header": (
        """{shader} {types} {main} OpSelectionMerge %after None
        OpBranchConditional %true %one_way %other
        %one_way = OpLabel
        OpSelectionMerge %inner None
        OpBranchConditional %true %deep %inner
        %other = OpLabel
        OpBranch %deep
        %deep = OpLabel
        OpBranch %inner
        %inner = OpLabel
        OpBranch %after
        %after = OpLabel {end}""",
        "%inner",
    ),
    "a continue construct with another end": (
        loop("OpBranch %next", "OpBranchConditional %true %more %after\n%more = OpLabel\n" + BACK),
        "%more",
    ),
    "a branch to the continue target of another loop": (
        loop(
            """OpBranch %inner
            %inner = OpLabel
            OpLoopMerge %out %again None
            OpBranchConditional %true %next %out
            %again = OpLabel
            OpBranch %inner
            %out = OpLabel
            OpBranch %next"""
        ),
        "%inner",
    ),
    "cases that lead to two others": (
        switch("%a 1 %b 2 %c", "%b %c"),
        "%a",
    ),
    "a case that leads to one that does not follow": (
        switch("%after 1 %a 2 %b 3 %c", "%c %after"),
        "OpSwitch %uint_1 %after 1 %a 2 %b 3 %c",
    ),
    "a selection without a merge": (
        """{shader} {types} {main} OpBranchConditional %true %a %b
        %a = OpLabel
        OpBranch %c
        %b = OpLabel
        OpBranch %c
        %c = OpLabel {end}""",
        "OpBranchConditional %true %a %b",
    ),
}
RIGHT = {
    "a loop with break and continue": loop(
        """OpSelectionMerge %join None
        OpBranchConditional %true %then %else
        %then = OpLabel
        OpBranch %after
        %else = OpLabel
        OpBranch %next
        %join = OpLabel
        OpBranch %next"""
    ),
    "a break in a continue construct": loop(
        "OpBranch %next", "OpBranchConditional %true %head %after"
    ),
    "a case that falls through": switch("%after 1 %a 2 %b 3 %c", "%b %after"),
    "a case that falls through to the default": switch("%b 1 %a 3 %c", "%b %after"),
    "a break out of a switch from a selection": switch(
        "%after 1 %a 2 %b 3 %c", "%join %after"
    ).replace(
        "%b = OpLabel",
        """%join = OpLabel
        OpSelectionMerge %inner None
        OpBranchConditional %true %deep %inner
        %deep = OpLabel
        OpBranch %after
        %inner = OpLabel
        OpBranch %b
        %b = OpLabel""",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_breaks_the_structure_is_found(name: str) -> None:
    body, place = WRONG[name]
    assert ("spirv.structure", place) in findings(body)


@pytest.mark.parametrize("name", RIGHT)
def test_structured_code_has_no_findings(name: str) -> None:
    assert findings(RIGHT[name]) == []


@pytest.mark.slow
def test_selections_that_nest_deeply_and_are_left_at_once() -> None:
    depth = 500
    inner = "".join(
        f"""OpSelectionMerge %m{at} None
        OpBranchConditional %true %h{at + 1} %x{at}
        %x{at} = OpLabel
        OpBranch %end
        %h{at + 1} = OpLabel
        """
        for at in range(depth)
    )
    outer = "".join(f"OpBranch %m{at}\n%m{at} = OpLabel\n" for at in reversed(range(depth)))
    body = f"{{shader}} {{types}} {{main}} {inner} {outer} OpBranch %end\n%end = OpLabel {{end}}"
    assert {code for code, _ in findings(body)} == {"spirv.structure", "spirv.unchecked"}


def test_dominators_of_blocks_that_lead_to_one_another() -> None:
    """An edge back from each block to the one before it: no number of passes over them is enough
    for all such graphs.
    """
    count = 200
    blocks = [
        f"""%b{at} = OpLabel
        {"%value = OpIAdd %uint %one %one" if at == 0 else ""}
        {"%next = OpIAdd %uint %value %one" if at == 1 else ""}
        OpBranchConditional %true %b{at + 1} %b{max(at - 1, 0)}"""
        for at in range(count)
    ]
    text = text_of(
        f"""{{kernel}} {{types}} {{main}}
        OpBranchConditional %true %b0 %b{count}
        {" ".join(blocks)}
        %b{count} = OpLabel
        OpBranchConditional %true %b{count - 1} %after
        %after = OpLabel {{end}}"""
    )
    found = validate(assemble(Source(text), target="spv1.5"), "spv1.5")
    assert "spirv.dominance" in {each.code for each in found}


@pytest.mark.slow
def test_the_last_of_many_selections() -> None:
    """Each header dominates all that follows, of which its selection is a small part."""
    count = 1000
    selections = [
        f"""OpSelectionMerge %merge{at} None
        OpBranchConditional %true %then{at} %merge{at}
        %then{at} = OpLabel
        OpBranch %merge{at}
        %merge{at} = OpLabel"""
        for at in range(count)
    ]
    last = """OpSelectionMerge %merge None
        OpBranchConditional %true %then %merge
        %then = OpLabel
        OpBranch %out
        %merge = OpLabel
        OpBranch %out
        %out = OpLabel"""
    right, wrong = (
        f"{{shader}} {{types}} {{main}} {' '.join(each)} {{end}}"
        for each in (selections, [*selections, last])
    )
    assert findings(right) == []
    assert findings(wrong) == [("spirv.structure", "%merge")]
