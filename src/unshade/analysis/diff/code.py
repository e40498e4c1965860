"""Comparison of two programs: aligned lines, changes, and counts of operations.

If the format has the dialect `exact`, its lines are compared: they differ if any bit does. The
result shows lines of the native text, unless only the exact text shows the difference.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy

from ...dialect import heading
from ...errors import UnshadeError
from ...isa.steps import Step, Term
from ...parts import Category
from ...program import Program
from .align import ComparedLine, align, lines_of
from .result import Aligned, Change, ChangeKind, Count, Differs, LineChange, ProgramDiff
from .values import renumbered

VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|%\w+')  # the name of a value, or a string without one
LEAST = 3  # the weight of lines without operands, `endif` or `ret`, which never count as moved


class _ProgramLines:
    """A program's lines: `keys` are compared (see isa/steps.py), `shown` are printed."""

    def __init__(self, program: Program | None, native: list[str], exact: list[str]) -> None:
        self.keys = [line.strip() for line in exact]
        known = {} if program is None else {key: program.step(key) for key in set(self.keys)}
        self.steps: list[Step] = [known[key] for key in self.keys]
        self.exact = exact
        self.shown = native if len(native) == len(exact) else exact


def _texts(
    before: Program | None, after: Program | None
) -> tuple[_ProgramLines, _ProgramLines, str]:
    """Return the texts of both programs in one dialect, and the dialect's name."""
    both = [before, after]
    lines = [[] if each is None else list(each.comparable()) for each in both]
    if any(lines):
        old, new = (_ProgramLines(x, y, y) for x, y in zip(both, lines, strict=True))
        return old, new, "native"
    native = [[] if each is None else _lines(each.disassemble()) for each in both]
    try:
        exact = [[] if each is None else _lines(each.disassemble("exact")) for each in both]
    except UnshadeError:
        exact, dialect = native, "native"
    else:
        dialect = "exact"
    old, new = (_ProgramLines(*each) for each in zip(both, native, exact, strict=True))
    return old, new, dialect


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines[1:] if heading(text) is not None else lines


def compare(before: Program | None, after: Program | None) -> ProgramDiff | None:
    """Return the difference of two programs, either of which may be None; None if equal."""
    present = after if after is not None else before
    assert present is not None
    old, new, dialect = _texts(before, after)
    if before is None or after is None:
        kind = ChangeKind.ADDED if before is None else ChangeKind.REMOVED
    else:
        kind = ChangeKind.CHANGED
    found = ProgramDiff(
        name=_name(present),
        change=kind,
        dialect=dialect,
        lines_before=len(old.keys),
        lines_after=len(new.keys),
    )
    keys = lines_of([old.keys, new.keys], [old.steps, new.steps])
    rows = align(*keys)
    if before is not None and after is not None and present.single_assignment:
        renamed = _renumbered(old, new, rows)
        keys = lines_of([old.keys, renamed.keys], [old.steps, renamed.steps])
        rows = align(*keys)
        new.keys, new.steps = renamed.keys, renamed.steps
    found.align(Aligned(old.shown, new.shown, rows))
    found.alignment.moves = dict(_moved(found.alignment, *keys))
    found.lines = list(_changes(found, old, new, keys))
    found.alignment.renumbered = renumbered(rows, old.steps, new.steps)
    _count(found)
    _renaming(found, old, new)
    found.operations = _operations(before, after, old, new)
    if kind is ChangeKind.CHANGED and not found.lines:
        return None
    return found


def _renumbered(
    old: _ProgramLines, new: _ProgramLines, rows: Sequence[tuple[int | None, int | None]]
) -> _ProgramLines:
    """Return the new lines with the registers of the old lines, where results are paired.

    If another register already uses a name, the register gets a name that occurs in no text.
    """
    there: dict[str, str] = {}
    for i, j in rows:
        if i is None or j is None:
            continue
        x, y = old.steps[i].results, new.steps[j].results
        if x and y and len(x) == len(y):
            there.update(zip((e.text for e in y), (e.text for e in x), strict=True))
    taken = set(there.values())
    defined = {each.text for step in new.steps for each in step.results}
    for each in defined - there.keys():
        there[each] = f"{each}'" if each in taken else each
    made = copy(new)
    known: dict[str, tuple[str, Step]] = {}
    for key, step in zip(new.keys, new.steps, strict=True):
        if key not in known:
            known[key] = _with_registers(key, step, there)
    made.keys = [known[key][0] for key in new.keys]
    made.steps = [known[key][1] for key in new.keys]
    return made


def _with_registers(line: str, step: Step, names: dict[str, str]) -> tuple[str, Step]:
    """Return a line and its step with other registers."""

    def changed(term: Term) -> Term:
        name = names.get(term.text, term.text)
        return term if name == term.text else term._replace(text=name, registers=(name,))

    made = step._replace(
        results=tuple(map(changed, step.results)), operands=tuple(map(changed, step.operands))
    )
    if made == step:
        return line, step
    return VALUE.sub(lambda match: names.get(match[0], match[0]), line), made


def _name(program: Program) -> str:
    return ", ".join(f"{name} ({stage})" for name, stage in program.entry_points) or "program"


# ---------------------------------------------------------------- line by line


def _moved(
    alignment: Aligned, before: Sequence[ComparedLine], after: Sequence[ComparedLine]
) -> Iterator[tuple[int, int]]:
    """Yield lines that moved unchanged, if the pairing is unambiguous."""
    gone: dict[int, list[int]] = {}
    come: dict[int, list[int]] = {}
    for i, j in alignment.rows:
        if j is None and i is not None and before[i].weight > LEAST:
            gone.setdefault(before[i].exact, []).append(i)
        elif i is None and j is not None and after[j].weight > LEAST:
            come.setdefault(after[j].exact, []).append(j)
    for key, places in gone.items():
        if len(places) == len(come.get(key, ())):
            yield from zip(places, come[key], strict=True)


def _changes(
    found: ProgramDiff,
    old: _ProgramLines,
    new: _ProgramLines,
    keys: Sequence[Sequence[ComparedLine]],
) -> Iterator[LineChange]:
    alignment = found.alignment
    came = {after: before for before, after in alignment.moves.items()}
    for i, j in alignment.rows:
        kind: ChangeKind | None
        differs = None
        before = None if i is None else old.shown[i]
        after = None if j is None else new.shown[j]
        if i is not None and j is not None:
            kind = None
            if keys[0][i].exact != keys[1][j].exact:
                kind = ChangeKind.CHANGED
                differs = _differs(old.steps[i], new.steps[j])
                if old.shown[i].strip() == new.shown[j].strip():
                    differs = Differs.BITS
                    before, after = old.exact[i], new.exact[j]
                    alignment.before[i], alignment.after[j] = before, after
        elif i is not None:
            there = alignment.moves.get(i)
            kind = ChangeKind.REMOVED if there is None else ChangeKind.MOVED
            after = None if there is None else new.shown[there]
        else:
            assert j is not None
            kind = ChangeKind.MOVED if j in came else ChangeKind.ADDED
        alignment.kinds.append(kind)
        if kind is None or (i is None and kind is ChangeKind.MOVED):  # reported at its old position
            continue
        if kind is ChangeKind.MOVED and i is not None:
            j = alignment.moves[i]  # noqa: PLW2901
        yield LineChange(
            change=kind,
            differs=differs,
            line_before=None if i is None else i + 1,
            line_after=None if j is None else j + 1,
            before=before,
            after=after,
        )


def _differs(before: Step, after: Step) -> Differs:
    if before.shape == after.shape:
        return Differs.REGISTERS
    return Differs.OPERANDS if before.operation == after.operation else Differs.OPERATION


def _count(found: ProgramDiff) -> None:
    kinds = Counter(each.change for each in found.lines)
    found.changed = kinds[ChangeKind.CHANGED]
    found.added = kinds[ChangeKind.ADDED]
    found.removed = kinds[ChangeKind.REMOVED]
    found.moved = kinds[ChangeKind.MOVED]
    found.equal = sum(kind is None for kind in found.alignment.kinds)


def _renaming(found: ProgramDiff, old: _ProgramLines, new: _ProgramLines) -> None:
    """Set `only_registers` if the programs differ only by a consistent renaming of registers."""
    if not found.lines or any(each.differs is not Differs.REGISTERS for each in found.lines):
        return
    there: dict[str, str] = {}
    back: dict[str, str] = {}
    for i, j in found.alignment.rows:
        assert i is not None
        assert j is not None
        for x, y in zip(old.steps[i].registers, new.steps[j].registers, strict=True):
            if there.setdefault(x, y) != y or back.setdefault(y, x) != x:
                return
    found.only_registers = True
    found.renamed = [
        Change(
            path=x, change=ChangeKind.RENAMED, category=Category.CODE, before=x, after=y,
            before_text=x, after_text=y,
        )
        for x, y in there.items()
        if x != y
    ]  # fmt: skip


# ---------------------------------------------------------------- operations


def _operations(
    before: Program | None, after: Program | None, old: _ProgramLines, new: _ProgramLines
) -> list[Count]:
    """Return the operations whose number changed, the greatest change first."""
    ours, theirs = _histogram(before, old), _histogram(after, new)
    found = [
        Count(name=name, before=ours[name], after=theirs[name])
        for name in ours | theirs
        if ours[name] != theirs[name]
    ]
    return sorted(found, key=lambda each: (-abs(each.after - each.before), each.name))


def _histogram(program: Program | None, text: _ProgramLines) -> Counter[str]:
    if program is None:
        return Counter()
    names = [getattr(each, "name", "") for each in program.instructions]
    if not names or not all(names):
        return Counter(step.operation for step in text.steps)
    return Counter(program.operations())
