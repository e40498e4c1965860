"""Findings of programs and files that break rules, as lines of a text beside the test.

    pica.entry 0
      error pica.entry - entries: main starts at word 1; the program has 1

A line names a rule and the number of a program that breaks it; the lines below it are all findings
in that program, in order, of long lists the first ones and how many follow. Each was compared with
the rule and the program by hand. After a change of a rule, `written` returns the text to compare
and to keep.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from unshade.errors import Diagnostic

__all__ = ["lines_of", "listed", "written"]

Findings = Iterable[Diagnostic]
MOST = 8  # lines of a program


def lines_of(findings: Findings) -> list[str]:
    """Return a line for each finding: severity, rule, offset, path and message."""
    found = []
    for each in findings:
        offset = "-" if each.offset is None else f"0x{each.offset:x}"
        line = f"{each.severity} {each.code} {offset} {each.path or '-'}: {each.message}"
        found.append("".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in line))
    more = len(found) - MOST
    return [*found[:MOST], f"and {more} more"] if more > 0 else found


def listed(path: Path) -> dict[str, list[str]]:
    """Return the lines of findings in a file, by the name of the program."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            found[name].append(line[2:])
        elif line:
            name = line
            found[name] = []
    return found


def written(programs: Mapping[str, Sequence[Callable[[], Findings]]]) -> str:
    """Return the text of a file, from what each program is verified by."""
    lines = []
    for code, makes in programs.items():
        for number, make in enumerate(makes):
            lines += [f"{code} {number}", *(f"  {each}" for each in lines_of(make()))]
    return "\n".join([*lines, ""])
