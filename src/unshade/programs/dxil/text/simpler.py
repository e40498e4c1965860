"""Simpler forms of lines in a listing of DXIL, for `unshade.reduce`.

%5 = fadd float %3, %4                 %5 = fadd float undef, %4
br i1 %5, label %6, label %9           br label %6        or %9
define void @f() {                     the whole function
"""

import re
from collections.abc import Iterator, Sequence

from ....isa.line_edits import LineEdit

__all__ = ["simpler"]

RESULT = re.compile(r"\s*(%[\w.]+) = ")
BRANCH = re.compile(r"(\s*)br i1 .*?, label (%[\w.]+), label (%[\w.]+)")
SWITCH = re.compile(r"(\s*)switch .*?, label (%[\w.]+) \[")
OPERAND = re.compile(r"(?<!label )(?<![\w.%@!])%(?:\d+|[A-Za-z_][\w]*(?:\.[\w]+)*)(?=[,)\s\]]|$)")
TYPE_BEFORE = re.compile(r"(?:[\w.%*>}\])]+)\s+$")


def simpler(lines: Sequence[str], at: int) -> Iterator[LineEdit]:
    """Yield edits that simplify a line, or remove the function that it opens."""
    line = lines[at]
    if line.startswith("define "):
        for end in range(at + 1, len(lines)):
            if lines[end].startswith("}"):
                yield LineEdit(at, end + 1)
                break
        return
    if found := BRANCH.match(line):
        yield from (LineEdit(at, at + 1, (f"{found[1]}br label {found[n]}",)) for n in (2, 3))
    if found := SWITCH.match(line):
        for end in range(at, len(lines)):
            if "]" in lines[end]:
                yield LineEdit(at, end + 1, (f"{found[1]}br label {found[2]}",))
                break
    if line[:1] not in " \t":
        return
    result = RESULT.match(line)
    code, comment, rest = line.partition("  ; ")
    for each in OPERAND.finditer(code, result.end() if result else 0):
        if TYPE_BEFORE.search(code, 0, each.start()) or code[: each.start()].endswith(", "):
            changed = f"{code[: each.start()]}undef{code[each.end() :]}"
            yield LineEdit(at, at + 1, (f"{changed}{comment}{rest}",))
