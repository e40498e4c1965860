"""Instructions that can be run, those that are no code, and those that cannot be run.

    OpFAdd             has a handler
    OpTypeFloat        no code: the types read it
    OpTraceRayKHR      has a reason: ray tracing

Tests check that every instruction of the grammar is one of the three.
"""

import re

from . import HANDLERS
from .refused import reason_of

__all__ = ["is_no_code", "run_column"]

# What `flow`, `types` and `index` read, and what has no effect.
NO_CODE = re.compile(
    r"Op(Nop|NoLine|Line|Label|Phi|Branch|BranchConditional|Switch|Unreachable|LoopMerge"
    r"|SelectionMerge|Function|FunctionParameter|FunctionEnd|Source.*|Name|MemberName|String"
    r"|Extension|ExtInstImport|MemoryModel|EntryPoint|ExecutionMode(Id)?|Capability|Undef"
    r"|ModuleProcessed|(Member)?Decorate(String|Id|Id[A-Z]+)?|DecorationGroup|Group(Member)?Decorate"
    r"|Type(Void|Bool|Int|Float|Vector|Matrix|Image|Sampler|SampledImage|Array|RuntimeArray"
    r"|Struct|Pointer|Function))"
)


def is_no_code(name: str) -> bool:
    """Return True if an instruction declares, describes or delimits code, or has no effect."""
    return NO_CODE.fullmatch(name) is not None


def run_column(code: int, name: str) -> str:
    """Return whether an instruction can be run: `yes`, or `no` with the reason."""
    if code in HANDLERS or is_no_code(name):
        return "yes"
    return f"no: {reason_of(name) or 'not known'}"
