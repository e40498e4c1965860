"""The verdict: the difference of two shaders in one sentence.

the same, byte for byte
the code is the same; debug information and the digest differ
the code differs: 2 of 77 lines changed, 1 added; the interface is the same
40 pipelines changed, 1 added
"""

from collections.abc import Sequence

from ...parts import Category
from .result import ChangeKind, Diff, ProgramDiff

WORDS = {
    Category.CODE: "the code",
    Category.INTERFACE: "the interface",
    Category.REFLECTION: "reflection data",
    Category.STATISTICS: "statistics",
    Category.DEBUG: "debug information",
    Category.COMPILER: "the compiler",
    Category.DIGEST: "the digest",
    Category.PRIVATE: "private data",
    Category.CONTAINER: "the container's layout",
}
UNSEEN = " in what its text does not show"


def verdict(found: Diff, code: bool, kinds: int, unseen: bool) -> str:
    """Return the verdict as one sentence.

    Args:
        found: The differences.
        code: True if both shaders have code that can be compared.
        kinds: The number of kinds of programs; 0 unless both shaders have programs.
        unseen: True if the texts of both shaders are the same.
    """
    left_out = joined([WORDS[each] for each in found.ignored])
    aside = f" (ignored: {left_out})" if left_out else ""
    if not found.different:
        same = "the same, byte for byte"
        return f"the same except for ignored differences: {left_out}" if left_out else same
    if found.pipelines:
        return f"{_pipelines(found)}{aside}"
    about = found.categories
    clauses = []
    if Category.CODE in about:
        clauses.append(_code(found, kinds, unseen))
        about = [each for each in about if each is not Category.CODE]
        if Category.INTERFACE not in (*about, *found.ignored):
            clauses.append("the interface is the same")
    elif code and Category.CODE not in found.ignored:
        clauses.append("the code is the same")
    if about:
        others = "also " if Category.CODE in found.categories else ""
        subject = joined([WORDS[each] for each in about])
        clauses.insert(1, f"{subject} {others}{'differ' if _plural(about) else 'differs'}")
    return "; ".join(clauses) + aside


def _pipelines(found: Diff) -> str:
    clauses = []
    for what in ("pipeline", "state object"):
        counted = (
            (sum(each.change is kind and each.kind == what for each in found.pipelines), kind)
            for kind in (ChangeKind.CHANGED, ChangeKind.ADDED, ChangeKind.REMOVED)
        )
        nonzero = [(count, kind) for count, kind in counted if count]
        if nonzero:
            (first, kind), *rest = nonzero
            others = "".join(f", {count:,} {each}" for count, each in rest)
            clauses.append(f"{first:,} {what}{'s' * (first != 1)} {kind}{others}")
    return "; ".join(clauses)


def _plural(about: Sequence[Category]) -> bool:
    plural = (Category.STATISTICS, Category.REFLECTION, Category.PRIVATE)
    return len(about) > 1 or about[0] in plural


def _code(found: Diff, kinds: int, unseen: bool) -> str:
    programs = found.programs
    if not programs:
        if kinds > 1:
            return "the code differs: the programs are of different kinds"
        unread = not kinds and any(each.change is ChangeKind.CHANGED for each in found.parts)
        clause = "" if unread else _code_in_parts(found, unseen)
        return clause or f"the code differs{UNSEEN if unseen else ''}"
    if all(each.only_registers for each in programs):
        return "the code differs in the numbers of registers only"
    if all(each.change is not ChangeKind.CHANGED for each in programs):
        return "the code differs: programs were added or removed"
    names = ("changed", "added", "removed", "moved")
    counted = ((sum(getattr(each, name) for each in programs), name) for name in names)
    nonzero = [(count, name) for count, name in counted if count]
    total = sum(map(_lines, programs))
    first, name = nonzero[0]
    rest = "".join(f", {count:,} {word}" for count, word in nonzero[1:])
    return f"the code differs: {first:,} of {total:,} lines {name}{rest}"


def _code_in_parts(found: Diff, unseen: bool) -> str:
    """Return the clause for parts with code outside of programs, such as Aon9 and DVLE, or ""."""
    parts = [part for part in found.parts if Category.CODE in part.categories]
    if not parts:
        return ""
    if unseen and all(part.change is ChangeKind.CHANGED for part in parts):
        return f"the code differs{UNSEEN}: {joined([part.name for part in parts])} changed"
    changes = joined([f"{part.name} {part.change}" for part in parts])
    return f"the code differs: {changes}, the other code is the same"


def _lines(program: ProgramDiff) -> int:
    return max(program.lines_before, program.lines_after)


def joined(words: Sequence[str]) -> str:
    """Return words as `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
