"""Simpler forms of instructions in a listing of SPIR-V, for `unshade.reduce`.

%7 = OpFMul %float %5 %6         %7 = OpUndef %float
OpSelectionMerge %9 None         OpBranch %8         or %9
OpBranchConditional %5 %8 %9
OpLoopMerge %9 %8 None           OpBranch %9         around the loop
OpBranch %7
%8 = OpLabel                     the whole block, or the whole function
OpEntryPoint … %4 "main" %5 %6   without %5, or %6
"""

import re
from collections.abc import Iterator, Sequence

from ....isa.line_edits import LineEdit

__all__ = ["simpler"]

LINE = re.compile(r"\s*(?:(%\S+)\s*=\s*)?(Op\w+)((?:\s+\S+)*)")
# What has no place in the body of a function, or is as simple as can be.
FIXED = re.compile(
    r"Op(Undef|Label|Function\w*|Variable|Type\w+|\w*Constant\w*|ExtInstImport|String)$"
)
MERGES = ("OpSelectionMerge", "OpLoopMerge")
ENDS = re.compile(
    r"Op(Branch|BranchConditional|Switch|Return|ReturnValue|Kill|Unreachable|TerminateInvocation)$"
)
NAME = re.compile(r"%\S+")


def simpler(lines: Sequence[str], at: int) -> Iterator[LineEdit]:
    """Yield edits that simplify the instruction of a line."""
    found = LINE.match(lines[at])
    if found is None:
        return
    result, operation, rest = found[1], found[2], found[3].split()
    if operation == "OpFunction":
        yield from _until(lines, at, "OpFunctionEnd")
    elif operation == "OpLabel":
        yield from _block(lines, at)
    elif operation == "OpEntryPoint":
        for number, word in enumerate(rest):
            if number > 1 and NAME.fullmatch(word):
                left = " ".join((operation, *rest[:number], *rest[number + 1 :]))
                yield LineEdit(at, at + 1, (left,))
    elif operation in MERGES and at + 1 < len(lines):
        for target in dict.fromkeys(_targets(lines[at + 1]) + rest[:1]):
            yield LineEdit(at, at + 2, (f"OpBranch {target}",))
    elif operation in ("OpBranchConditional", "OpSwitch"):
        for target in dict.fromkeys(_targets(lines[at])):
            yield LineEdit(at, at + 1, (f"OpBranch {target}",))
    elif operation == "OpBranch":
        yield LineEdit(at, at + 1, ("OpUnreachable",))
    elif result is not None and rest and not FIXED.match(operation):
        yield LineEdit(at, at + 1, (f"{result} = OpUndef {rest[0]}",))
        for operand in rest[1:]:
            if NAME.fullmatch(operand):
                yield LineEdit(at, at + 1, (f"{result} = OpCopyObject {rest[0]} {operand}",))


def _until(lines: Sequence[str], at: int, last: str) -> Iterator[LineEdit]:
    for end in range(at + 1, len(lines)):
        if lines[end].split() == [last]:
            yield LineEdit(at, end + 1)
            return


def _block(lines: Sequence[str], at: int) -> Iterator[LineEdit]:
    """Yield the removal of a block; and its return at once, without the rest of it."""
    for end in range(at + 1, len(lines)):
        found = LINE.match(lines[end])
        if found is not None and ENDS.match(found[2]):
            yield LineEdit(at, end + 1)
            yield LineEdit(at + 1, end + 1, ("OpReturn",))
            return


def _targets(line: str) -> list[str]:
    """Return the labels that a branch goes to."""
    found = LINE.match(line)
    if found is None or found[2] not in ("OpBranch", "OpBranchConditional", "OpSwitch"):
        return []
    names = NAME.findall(found[3])
    return names if found[2] == "OpBranch" else names[1:]
