import pytest

import unshade

from .modules import shader

UNFIT = [
    "%y = OpIAdd %uint %x %gid",  # a pointer
    "%y = OpFAdd %uint %x %x",  # integers
    "%y = OpCompositeExtract %uint %x 7",
    "OpStore %pi %x",  # an input
    "OpStore %px %x",  # a block that is not writable
    "%y = OpAtomicIAdd %uint %px %c1 %c0 %x",
]


@pytest.mark.parametrize("code", UNFIT)
def test_operands_that_do_not_fit_end_in_an_error_of_the_library(code: str) -> None:
    with pytest.raises(unshade.UnshadeError, match=r"instructions\[\d+\]|expected"):
        shader(code).programs[0].lower()


def test_workgroups_need_a_size() -> None:
    with pytest.raises(unshade.UnsupportedError, match="workgroup"):
        shader("", group=0).programs[0].lower()


def test_large_variables_are_refused() -> None:
    globals = (
        "%many = OpConstant %uint 70000\n%array = OpTypeArray %uint %many\n"
        "%p_array = OpTypePointer Function %array\n%p_one = OpTypePointer Function %uint"
    )
    code = "%one = OpAccessChain %p_one %a %i\n%y = OpLoad %uint %one"
    module = shader(code, "%y", globals=globals, variables="%a = OpVariable %p_array Function")
    with pytest.raises(unshade.UnsupportedError, match="70000 components"):
        module.programs[0].lower()
