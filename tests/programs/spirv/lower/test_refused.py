"""Instructions that run, those that are no code, and those that are refused by name."""

import pytest

from unshade import UnsupportedError, kernel
from unshade.programs.spirv.lower import HANDLERS
from unshade.programs.spirv.lower.coverage import is_no_code
from unshade.programs.spirv.lower.refused import reason_of
from unshade.programs.spirv.tables.grammar import grammar

from .modules import shader


def test_every_instruction_runs_is_no_code_or_has_a_reason() -> None:
    for op in grammar().core.by_code.values():
        known = op.code in HANDLERS or is_no_code(op.name)
        assert known or reason_of(op.name) is not None, op.name


def test_the_reason_is_in_the_error() -> None:
    code = "%y = OpReadClockKHR %ulong %c3"
    globals_ = "%ulong = OpTypeInt 64 0"
    with pytest.raises(UnsupportedError, match=r"OpReadClockKHR cannot be run: the device"):
        kernel(shader(code, "%x", globals=globals_))
