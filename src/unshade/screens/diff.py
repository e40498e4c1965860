"""The screen of `unshade diff`: the verdict, the parts, the code, then other changes.

Lines of code look as in a unified diff. In aligned lines, a terminal also marks the words that
differ.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from ..analysis.diff import (
    Category,
    Change,
    ChangeKind,
    Count,
    Diff,
    ProgramDiff,
)
from .blocks import Block, Cell, Lines, Prose, TableBlock, Title, columns, padded
from .text import folded, many, visible

MARKS: dict[ChangeKind, Cell] = {
    ChangeKind.ADDED: ("+", "good"),
    ChangeKind.REMOVED: ("-", "bad"),
    ChangeKind.CHANGED: ("~", "warn"),
    ChangeKind.MOVED: (">", "key"),
    ChangeKind.RENAMED: ("~", "warn"),
}
TITLES = {
    Category.CODE: "Program",
    Category.INTERFACE: "Interface",
    Category.REFLECTION: "Reflection",
    Category.COMPILER: "Compiler",
    Category.DIGEST: "Digest",
    Category.CONTAINER: "Container",
}
LONGEST = 60  # letters of a value; JSON has all of it
OPERATIONS = 20  # rows of operations; JSON has all of them
PLAIN = 130  # columns of two texts side by side where there is no terminal
TAB = 8
WORDS = re.compile(r"[\w.+-]+|\s+|.")


def screen(name: str, found: Diff, context: int, width: int | None) -> Iterator[Block]:
    """Yield the blocks of one comparison. `width` selects two columns, 0 their usual width."""
    if not found:
        yield Title(visible(name), visible(found.verdict))
        return
    yield Lines("", [[(visible(name), "name")]])
    yield Prose(visible(found.verdict))
    if found.parts:
        yield parts(found)
    for program in found.programs:
        yield from _program(program, context, width)
    if found.pipelines:
        yield pipelines(found)
    yield from _facts([*found.reflection, *found.container, *_hidden(found)])
    if found.statistics:
        yield counts("Statistics", found.statistics)
    if found.costs:
        yield counts("Cost", found.costs)
    if found.notes:
        yield TableBlock("Notes", ("",), [((visible(note), "dim"),) for note in found.notes])


# ---------------------------------------------------------------- around the code


def parts(found: Diff) -> TableBlock:
    """Return the table of changed parts, with their sizes, and the size of the file."""
    rows: list[list[Cell]] = []
    for part in found.parts:
        name = visible(part.name) + (f" → {visible(part.new_name)}" if part.new_name else "")
        about = ", ".join(part.categories)
        moved = "moved" if part.moved or part.change is ChangeKind.MOVED else ""
        rows.append(
            [
                MARKS[part.change],
                (name, f"part {part.name}"),
                _number(part.size_before),
                _number(part.size_after),
                _growth(part.size_before or 0, part.size_after or 0),
                about,
                part.title,
                moved,
            ]
        )
    rows.append(
        [
            "",
            ("file", "dim"),
            _number(found.size_before),
            _number(found.size_after),
            _growth(found.size_before, found.size_after),
            "",
            "",
            "",
        ]
    )
    return TableBlock("Parts", ("", "name", ">before", ">now", ">change", "about", "", ""), rows)


def pipelines(found: Diff) -> TableBlock:
    """Return the table of pipelines that differ, with a row for each difference."""
    rows: list[list[Cell]] = []
    for each in found.pipelines:
        what = "" if each.kind == "pipeline" else f"{each.kind} "
        lead: list[Cell] = [MARKS[each.change], (f"{what}{visible(each.name)}", "name")]
        if not each.changes:
            rows.append([*lead, "", ""])
        for change in each.changes:
            how = _values(change) if change.before_text else visible(change.after_text)
            rows.append([*lead, visible(change.path), how])
            lead = ["", ""]
        if each.number > len(each.changes):
            rows.append(["", "", (f"{each.number - len(each.changes):,} more", "dim"), ""])
    return TableBlock("Pipelines", ("", "", "", ""), rows)


def _number(value: int | None) -> Cell:
    return "" if value is None else (f"{value:,}", "number")


def _growth(before: int, after: int) -> Cell:
    grown = after - before
    return (f"{grown:+,}", "bad" if grown > 0 else "good") if grown else ("", "dim")


def _hidden(found: Diff) -> list[Change]:
    """Return the fields of parts that no other table of the screen shows."""
    shown = {each.category for each in (*found.reflection, *found.container)}
    if found.statistics:
        shown.add(Category.STATISTICS)
    return [each for part in found.parts for each in part.fields if not _is_shown(each, shown)]


def _is_shown(field: Change, shown: set[Category]) -> bool:
    return field.category in shown or (
        field.category is Category.INTERFACE and Category.REFLECTION in shown
    )


def _facts(changes: Sequence[Change]) -> Iterator[TableBlock]:
    """Yield a table of changed facts for each category."""
    for category in Category:
        rows: list[list[Cell]] = []
        for each in changes:
            if each.category is category:
                rows.append([MARKS[each.change], (visible(each.path), "name"), _values(each)])
        if rows:
            title = TITLES.get(category, category.value.capitalize())
            yield TableBlock(title, ("", "", ""), rows)


def _values(change: Change) -> str:
    before, after = _short(change.before_text), _short(change.after_text)
    if change.change is ChangeKind.ADDED:
        return after
    return before if change.change is ChangeKind.REMOVED else f"{before} → {after}"


def _short(text: str) -> str:
    text = visible(text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def counts(title: str, rows: Sequence[Count]) -> TableBlock:
    """Return a table of changed numbers; an increase counts as bad."""
    cells: list[list[Cell]] = []
    for each in rows:
        share = f"{(each.after - each.before) / each.before:+.0%}" if each.before else ""
        cells.append(
            [
                visible(each.name.replace("_", " ") if title == "Statistics" else each.name),
                _number(each.before),
                _number(each.after),
                _growth(each.before, each.after),
                (share, "dim"),
            ]
        )
    return TableBlock(title, ("", ">before", ">now", ">change", ">"), cells)


# ---------------------------------------------------------------- the code


def _program(program: ProgramDiff, context: int, width: int | None) -> Iterator[Block]:
    operations = program.operations
    if operations:
        title = "Operations"
        if len(operations) > OPERATIONS:
            title += f", the {OPERATIONS} of {len(operations)} that changed most"
        yield counts(title, operations[:OPERATIONS])
    if program.renamed:
        renamed = ", ".join(f"{each.before} → {each.after}" for each in program.renamed)
        yield TableBlock("Registers", ("",), [(visible(renamed),)])
    yield Lines(f"Code of {visible(program.name)}: {tally(program)}", ())
    if width is None:
        yield Lines("", list(unified(program, context)))
    else:
        yield Lines("", list(side_by_side(program, context, width or PLAIN)))


def tally(program: ProgramDiff) -> str:
    """Return `74 lines the same, 2 changed, 1 added`."""
    listed = [f"{many(program.equal, 'line')} the same"]
    for name in ("changed", "added", "removed", "moved"):
        count = getattr(program, name)
        if count:
            listed.append(f"{count:,} {name}")
    return ", ".join(listed)


Hunk = range  # rows of the alignment


def hunks(program: ProgramDiff, context: int) -> list[Hunk]:
    """Yield ranges of rows with differences, and equal rows around them."""
    kinds = program.alignment.kinds
    found: list[Hunk] = []
    for at, kind in enumerate(kinds):
        if kind is None:
            continue
        start, stop = max(at - context, 0), min(at + context + 1, len(kinds))
        if found and start <= found[-1].stop:
            found[-1] = range(found[-1].start, stop)
        else:
            found.append(range(start, stop))
    return found


def unified(program: ProgramDiff, context: int) -> Iterator[list[Cell]]:
    """Yield the lines as `diff -U` prints them."""
    alignment = program.alignment
    for hunk in hunks(program, context):
        yield [(_heading(program, hunk), "number")]
        run: list[int] = []
        for at in [*hunk, -1]:
            if at >= 0 and alignment.kinds[at] is not None:
                run.append(at)
                continue
            yield from _run(program, run)
            run = []
            if at >= 0:
                after = alignment.rows[at][1]
                assert after is not None
                yield [" " + _line(alignment.after[after])]


def _heading(program: ProgramDiff, hunk: Hunk) -> str:
    """Return `@@ -12,7 +12,8 @@`: first line and number of lines, before and after."""
    rows = program.alignment.rows
    ranges = []
    for side in (0, 1):
        lines = [row[side] for row in rows[hunk.start : hunk.stop] if row[side] is not None]
        above = [row[side] for row in rows[: hunk.start] if row[side] is not None]
        first = (lines[0] or 0) + 1 if lines else len(above)
        ranges.append(f"{first},{len(lines)}")
    return f"@@ -{ranges[0]} +{ranges[1]} @@"


def _run(program: ProgramDiff, run: Iterable[int]) -> Iterator[list[Cell]]:
    """Yield the differing rows: first all removed, then all added lines."""
    alignment = program.alignment
    rows = [(alignment.rows[at], alignment.kinds[at]) for at in run]
    for side, mark, tone in ((0, "-", "minus"), (1, "+", "plus")):
        texts = (alignment.before, alignment.after)
        for row, kind in rows:
            at = row[side]
            if at is None:
                continue
            text = texts[side][at]
            other = row[1 - side]
            if kind is ChangeKind.MOVED:
                yield [(mark + _line(text), "key")]
            elif other is None:
                yield [(mark + _line(text), tone)]
            else:
                yield [(mark, tone), *marked(text, texts[1 - side][other], tone)]


def marked(text: str, other: str, tone: str) -> list[Cell]:
    """Return the words of a line; words that differ from the other line are marked."""
    ours, theirs = WORDS.findall(_line(text)), WORDS.findall(_line(other))
    start = end = 0
    while start < min(len(ours), len(theirs)) and ours[start] == theirs[start]:
        start += 1
    while end < min(len(ours), len(theirs)) - start and ours[-1 - end] == theirs[-1 - end]:
        end += 1
    middle, others = ours[start : len(ours) - end], theirs[start : len(theirs) - end]
    cells: list[Cell] = [("".join(ours[:start]), tone)]
    if len(middle) == len(others):
        for word, theirs_word in zip(middle, others, strict=True):
            cells.append((word, tone if word == theirs_word else f"{tone} word"))
    else:
        cells.append(("".join(middle), f"{tone} word"))
    cells.append(("".join(ours[len(ours) - end :]), tone))
    return [cell for cell in cells if cell[0]]


def side_by_side(program: ProgramDiff, context: int, width: int) -> Iterator[list[Cell]]:
    """Yield both texts in columns: `|` changed, `<` removed, `>` added, `m` moved."""
    alignment = program.alignment
    half = (width - 3) // 2
    for at_hunk, hunk in enumerate(hunks(program, context)):
        if at_hunk:
            yield [("…", "dim")]
        for at in hunk:
            (i, j), kind = alignment.rows[at], alignment.kinds[at]
            left = "" if i is None else _line(alignment.before[i])
            right = "" if j is None else _line(alignment.after[j])
            if kind is None:
                tones, sign = ("", "", ""), " "
            elif kind is ChangeKind.MOVED:
                tones, sign = ("key", "key", "key"), "m"
            else:
                sign = "|" if i is not None and j is not None else "<" if j is None else ">"
                tones = ("minus", "dim", "plus")
            yield from _beside(left, right, half, f" {sign} ", tones)


def _beside(
    left: str, right: str, width: int, sign: str, tones: tuple[str, str, str]
) -> Iterator[list[Cell]]:
    """Yield two lines beside each other, continued below where they are wider than their half."""
    both = ([_text(line) for line in folded([(each, None)], width)] for each in (left, right))
    for at, (one, other) in enumerate(zip_longest(*both, fillvalue="")):
        mark = "   " if at else sign
        wide = columns(one) > width  # a word
        if wide:
            yield [(one, tones[0])]
        cells = (padded("" if wide else one, width), mark, other)
        if not wide or other:
            yield [(cell, tone) if tone else cell for cell, tone in zip(cells, tones, strict=True)]


def _text(line: Sequence[tuple[str, None]]) -> str:
    return "".join(words for words, _ in line)


def _line(text: str) -> str:
    return visible(text.expandtabs(TAB))
