"""Instructions that run, those that are no code, and those that are refused by name."""

import re

import pytest

from unshade import UnsupportedError, kernel
from unshade.programs.spirv.lower import HANDLERS
from unshade.programs.spirv.lower.refused import reason_of
from unshade.programs.spirv.tables.grammar import grammar

from .modules import shader

# What `flow`, `types` and `index` read, and what has no effect.
NO_CODE = re.compile(
    r"Op(Nop|NoLine|Line|Label|Phi|Branch|BranchConditional|Switch|Unreachable|LoopMerge"
    r"|SelectionMerge|Function|FunctionParameter|FunctionEnd|Source.*|Name|MemberName|String"
    r"|Extension|ExtInstImport|MemoryModel|EntryPoint|ExecutionMode(Id)?|Capability|Undef"
    r"|ModuleProcessed|(Member)?Decorate(String|Id|Id[A-Z]+)?|DecorationGroup|Group(Member)?Decorate"
    r"|Type(Void|Bool|Int|Float|Vector|Matrix|Image|Sampler|SampledImage|Array|RuntimeArray"
    r"|Struct|Pointer|Function))"
)


def test_every_instruction_runs_is_no_code_or_has_a_reason() -> None:
    for op in grammar().core.by_code.values():
        known = op.code in HANDLERS or NO_CODE.fullmatch(op.name) is not None
        assert known or reason_of(op.name) is not None, op.name


def test_the_reason_is_in_the_error() -> None:
    code = "%y = OpReadClockKHR %ulong %c3"
    globals_ = "%ulong = OpTypeInt 64 0"
    with pytest.raises(UnsupportedError, match=r"OpReadClockKHR cannot be run: the device"):
        kernel(shader(code, "%x", globals=globals_))
