"""Screens on a terminal, drawn by rich from the same blocks as the plain text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.containers import Lines as TextLines
from rich.measure import Measurement
from rich.text import Text

from .blocks import (
    PATH,
    STRIP,
    Block,
    ByteMap,
    Cell,
    FactsBlock,
    Lines,
    Prose,
    TableBlock,
    Title,
    columns_of,
    text_of,
)
from .hexdump import colour_of
from .text import INDENT, folded

STYLES = {
    "good": "green",
    "warn": "yellow",
    "bad": "bold red",
    "dim": "dim",
    "name": "bold",
    PATH: "bold",
    "number": "cyan",
    "key": "magenta",
    "minus": "red",
    "plus": "green",
    "minus word": "bold red reverse",
    "plus word": "bold green reverse",
}
PIECES = re.compile(r"[.\[]?[^.\[]+|[.\[]")  # of a dotted path: a, .b, [2]
WIDEST = 120  # columns; longer lines are hard to read
UNBROKEN = 1 << 20  # columns of an output that is not a terminal
ARROW = " → "  # between the names of two files
PLAIN = Console(width=UNBROKEN)


def render(blocks: Iterable[Block], columns: int | None, *, colours: bool = True) -> str:
    """Return the screen with terminal styles; without `columns` no line is wrapped."""
    console = Console(
        force_terminal=True, highlight=False, width=UNBROKEN,
        color_system="auto" if colours else None,
    )  # fmt: skip
    width = min(columns, WIDEST) if columns else UNBROKEN
    with console.capture() as capture:
        for block in blocks:
            for line in _lines(block, width, console):
                console.print(line, soft_wrap=True)
    return capture.get()


def _lines(block: Block, width: int, console: Console) -> Iterator[Text]:
    """Yield the lines of a block; none is wider than the terminal, unless a word or a path is."""
    match block:
        case Title():
            yield from _title(block, width, console)
        case FactsBlock(rows):
            facts = [[_cell((label, "dim")), _cell(value)] for label, value in rows]
            yield from _table([Text(), Text()], facts, width, console)
        case TableBlock(title, headings, rows):
            if title:
                yield from _heading(title, width, console)
            named = [_headed(each) for each in headings]
            cells = [[_cell(each) for each in row] for row in rows]
            yield from _table(named, cells, width, console)
        case Prose(words):
            yield from _wrapped(Text(words), width, console)
        case ByteMap(regions):
            yield Text()
            yield Text("  ") + _strip(regions, width - 2 if width != UNBROKEN else STRIP)
        case Lines(title, rows):
            if title:
                yield from _heading(title, width, console)
            for row in rows:
                segments = [(text_of(each), _style(each)) for each in row]
                for line in folded(segments, width):
                    yield Text.assemble(*((words, style or "") for words, style in line))


def _headed(heading: str) -> Text:
    right = heading.startswith(">")
    return Text(heading.lstrip(">"), "dim", justify="right" if right else "left")


def _heading(title: str, width: int, console: Console) -> Iterator[Text]:
    yield Text()
    yield from _wrapped(Text(title, "bold blue"), width, console)


def _title(title: Title, width: int, console: Console) -> Iterator[Text]:
    """Yield the name and the phrase: in a line if there is room, else the phrase below."""
    if title.inner:
        yield Text()
    if cell_len(title.name) + 2 + cell_len(title.phrase) <= width:
        yield Text.assemble((title.name, "bold"), "  ", title.phrase)
        return
    # The name may be a path, or two: they are for copying, so that nothing in them is broken.
    paths = [title.name] if cell_len(title.name) <= width else title.name.split(ARROW)
    for path in paths[:-1]:
        yield Text(f"{path}{ARROW.rstrip()}", "bold")
    yield Text(paths[-1], "bold")
    for line in _wrapped(Text(title.phrase), width - INDENT, console):
        yield Text(" " * INDENT) + line


def _wrapped(text: Text, width: int, console: Console) -> Iterable[Text]:
    """Return the lines of a text, broken between words."""
    lines = text.wrap(console, max(width, _least(text)), tab_size=1, overflow="fold")
    for line in lines:
        line.rstrip()
    return lines


def _least(text: Text) -> int:
    """Return the columns of the longest word."""
    return Measurement.get(PLAIN, PLAIN.options, text).minimum


def _table(
    headings: Sequence[Text], rows: Sequence[Sequence[Text]], width: int, console: Console
) -> Iterator[Text]:
    """Yield a table with as much space between columns as there is, or else its rows as records."""
    cells = [list(column) for column in zip_longest(*rows, fillvalue=Text())]
    columns = [[heading, *column] for heading, column in zip(headings, cells, strict=False)]
    least = [max(map(_least, column)) for column in columns]
    most = [max(each.cell_len for each in column) for column in columns]
    gap = next((gap for gap in (2, 1) if 2 + sum(least) + gap * (len(least) - 1) <= width), 0)
    named = any(heading.plain for heading in headings)
    if not gap:
        yield from _records(headings, rows, width, console)
        return
    widths = _shared(least, most, width - 2 - gap * (len(least) - 1))
    for row in (*([headings] if named else []), *rows):
        broken = [[*_wrapped(cell, size, console)] for cell, size in zip(row, widths, strict=False)]
        for pieces in zip_longest(*broken, fillvalue=Text()):
            line = Text("  ")
            for at, (piece, size) in enumerate(zip(pieces, widths, strict=False)):
                space = " " * (size - piece.cell_len)
                right = headings[at].justify == "right"
                line += Text.assemble(" " * gap if at else "", *((space, piece) if right
                                                                else (piece, space)))  # fmt: skip
            line.rstrip()
            yield line


def _shared(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """Return the widths of columns: the widths of their cells, or less where room is short."""
    widths = list(least)
    left = room - sum(widths)
    while left > 0 and any(a < b for a, b in zip(widths, most, strict=True)):
        narrow = [at for at, size in enumerate(widths) if size < most[at]]
        for at in sorted(narrow, key=lambda at: widths[at])[:left]:
            widths[at] += 1
            left -= 1
    return widths


def _records(
    headings: Sequence[Text], rows: Sequence[Sequence[Text]], width: int, console: Console
) -> Iterator[Text]:
    """Yield each row as its first cell, and below it the others with their headings."""
    for row in rows:
        if row[0].plain:
            yield Text("  ") + row[0]
        rest = Text()
        for heading, cell in zip(headings[1:], row[1:], strict=False):
            if cell.plain:
                rest += Text.assemble(", " if rest else "", heading, " " if heading else "", cell)
        for line in _wrapped(rest, width - INDENT, console) if rest else ():
            yield Text(" " * INDENT) + line


def _cell(cell: Cell) -> Text:
    if isinstance(cell, str):
        return Text(cell)
    words, tone = cell
    kind = {"name": Name, PATH: PathName}.get(tone, Text)
    return kind(words, _style(cell))


def _style(cell: Cell) -> str:
    if isinstance(cell, str):
        return ""
    return STYLES.get(cell[1]) or f"color({colour_of(cell[1])})"


class PathName(Text):
    """The path of a file, which is for copying: it is never broken."""

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self.cell_len, self.cell_len)


class Name(Text):
    """A dotted path. A long name is broken before a `.` or `[`, if one is near."""

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        words = [word for part in self.plain.split() for word in PIECES.findall(part)]
        return Measurement(max(map(cell_len, words), default=0), self.cell_len)

    def wrap(self, console: Console, width: int, **options: Any) -> TextLines:
        breaks, start, end = [], 0, 0
        for piece in PIECES.finditer(self.plain):
            if end > start and cell_len(self.plain[start : piece.end()]) > width:
                breaks.append(end)
                start = end
            end = piece.end()
        lines = TextLines()
        for line in self.divide(breaks):
            lines.extend(Text.wrap(line, console, width, **options))
        return lines


def _strip(regions: Sequence[tuple[str, int]], width: int) -> Text:
    """Return one line of coloured segments, each with its name where that fits."""
    strip = Text(no_wrap=True)
    for (name, _), columns in zip(regions, columns_of(regions, width), strict=True):
        words = name if len(name) < columns else ""
        colour = f"color({colour_of(f'part {name}')})" if name else "color(240)"
        strip.append(words.center(columns)[:columns], f"color(16) on {colour}")
    return strip
