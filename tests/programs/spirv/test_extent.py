"""The size of a module inside larger data."""

import pytest

from tests.programs.spirv.modules import CAPABILITY, VOID, module, op
from unshade.errors import FormatError
from unshade.programs.spirv.extent import measure

SMALL = module(*CAPABILITY, *VOID)


@pytest.mark.parametrize(
    "after", [b"", b"\0\0\0\0", b"\1", SMALL, b"\x07\x23", bytes((160, 15, 1, 0)), b"text, " * 9]
)
@pytest.mark.parametrize("order", "<>")
def test_a_module_ends_before_what_is_no_instruction(order: str, after: bytes) -> None:
    data = module(*CAPABILITY, *VOID, order=order)
    assert measure(data + after) == len(data)


@pytest.mark.parametrize("data", [b"", b"\3\2\x23\7", b"none", module(), module(*op(4000))])
def test_what_has_no_instruction_is_no_module(data: bytes) -> None:
    with pytest.raises(FormatError):
        measure(data)
