"""Universal limits of SPIR-V (section 2.17): a module may reach one, and not exceed it.

The limits themselves are checked as numbers; modules are made for smaller ones.
"""

import pytest

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.validate import validate
from unshade.programs.spirv.validate.environment import ModuleLimits, ValidatorOptions


def within(body: str) -> str:
    return f"{{shader}} {{types}} {body}"


def function(body: str) -> str:
    return within(f"{{main}} {body} {{end}}")


def many(count: int, text: str) -> str:
    """Return so many copies of a text, in which `#` is the number of the copy."""
    return "\n".join(text.replace("#", str(at)) for at in range(count))


def structs_in_each_other(depth: int) -> str:
    inner = many(depth - 1, "%s# = OpTypeStruct %uint\n")
    for at in range(1, depth):
        inner = inner.replace(f"%s{at} = OpTypeStruct %uint", f"%s{at} = OpTypeStruct %s{at - 1}")
    return within(f"{inner} %last = OpTypeStruct {f'%s{depth - 2}' if depth > 1 else '%uint'}")


def nested(depth: int) -> str:
    text = "OpBranch %inside"
    for at in range(depth):
        if at == 0:
            text = "OpNop"
        text = f"""OpSelectionMerge %after{at} None
            OpBranchConditional %true %in{at} %after{at}
            %in{at} = OpLabel
            {text}
            OpBranch %after{at}
            %after{at} = OpLabel"""
    return function(text)


def loops(depth: int) -> str:
    """Loops in each other's continue constructs and bodies."""
    text = "OpNop"
    for at in range(depth):
        text = f"""OpBranch %head{at}
            %head{at} = OpLabel
            OpLoopMerge %done{at} %next{at} None
            OpBranchConditional %true %body{at} %done{at}
            %body{at} = OpLabel
            {text}
            OpBranch %next{at}
            %next{at} = OpLabel
            OpBranch %head{at}
            %done{at} = OpLabel"""
    return function(text)


def chain(count: int) -> str:
    arrays = "%a0 = OpTypeArray %uint %two\n"
    arrays += many(count - 1, "%next# = OpTypeArray %a# %two\n")
    for at in range(count - 1):
        arrays = arrays.replace(f"%next{at} ", f"%a{at + 1} ")
    return within(
        f"""{arrays}
        %all = OpTypePointer Function %a{count - 1}
        %one_of = OpTypePointer Function %uint
        {{main}} %v = OpVariable %all Function
        %at = OpAccessChain %one_of %v {"%zero " * count} {{end}}"""
    )


MADE = {
    "struct_members": lambda count: within(f"%s = OpTypeStruct {'%uint ' * count}"),
    "struct_depth": structs_in_each_other,
    "local_variables": lambda count: within(
        "%p = OpTypePointer Function %uint {main}"
        + many(count, "%v# = OpVariable %p Function")
        + "{end}"
    ),
    "global_variables": lambda count: within(
        "%p = OpTypePointer Private %uint\n" + many(count, "%v# = OpVariable %p Private")
    ),
    "switch_branches": lambda count: function(
        "OpSelectionMerge %after None OpSwitch %one %after "
        + many(count, "# %case")
        + " %case = OpLabel\nOpBranch %after\n%after = OpLabel"
    ),
    "function_arguments": lambda count: within(f"%f = OpTypeFunction %void {'%uint ' * count}"),
    "control_flow_depth": nested,
    "access_chain_indexes": chain,
}


def findings(text: str, **limits: int) -> list[str]:
    options = ValidatorOptions(limits=ModuleLimits(**limits))
    module = assemble(Source(text_of(text)), target="spv1.3")
    return [each.code for each in validate(module, "spv1.3", options)]


@pytest.mark.parametrize("name", MADE)
def test_a_limit_may_be_reached(name: str) -> None:
    assert findings(MADE[name](4), **{name: 4}) == []
    assert findings(MADE[name](5), **{name: 4}) == ["spirv.limit"]


def test_loops_count_like_selections() -> None:
    assert findings(loops(3), control_flow_depth=3) == []
    assert findings(loops(4), control_flow_depth=3) == ["spirv.limit"]


def test_what_follows_a_construct_is_outside_of_it() -> None:
    after = many(3, "OpBranch %x#\n%x# = OpLabel")
    text = nested(1).replace("{end}", after + "{end}")
    assert findings(text, control_flow_depth=1) == []


def test_the_bound_may_be_reached() -> None:
    module = assemble(Source(text_of(within(""))), target="spv1.3")
    for most, found in ((module.bound, []), (module.bound - 1, ["spirv.limit"])):
        options = ValidatorOptions(limits=ModuleLimits(id_bound=most))
        assert [each.code for each in validate(module, "spv1.3", options)] == found


def test_the_limits_are_those_of_the_specification() -> None:
    assert ModuleLimits() == (16383, 255, 524287, 65535, 16383, 255, 1023, 255, 0x3FFFFF)
