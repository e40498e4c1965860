"""Screens on a terminal, drawn by rich from the same blocks as the plain text."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.containers import Lines as TextLines
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table as Grid
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
)
from .hexdump import colour_of

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


def render(blocks: Iterable[Block], columns: int | None) -> str:
    """Return the screen with terminal styles; without `columns` no line is wrapped."""
    console = Console(force_terminal=True, highlight=False, width=UNBROKEN)
    width = min(columns, WIDEST) if columns else UNBROKEN
    with console.capture() as capture:
        for block in blocks:
            if isinstance(block, Title):
                # The name may be a path, which is for copying: where it is long, nothing is broken.
                long = cell_len(block.name) > width // 2
                console.print(_title(block), width=width, soft_wrap=long)
            elif isinstance(block, Lines):
                if block.title:
                    console.print(Text(f"\n{block.title}", "bold blue"), width=width)
                for row in block.rows:  # a line that is too long is the terminal's to break
                    console.print(Text.assemble(*map(_cell, row)), soft_wrap=True)
            elif isinstance(block, TableBlock) and _has_paths(block):
                console.print(_drawn(block, width), width=UNBROKEN)
            else:
                console.print(_drawn(block, width), width=width)
    return capture.get()


def _has_paths(table: TableBlock) -> bool:
    return any(not isinstance(cell, str) and cell[1] == PATH for row in table.rows for cell in row)


def _title(title: Title) -> Text:
    return Text.assemble("\n" * title.inner, (title.name, "bold"), "  ", title.phrase)


def _drawn(block: FactsBlock | TableBlock | ByteMap | Prose, width: int) -> RenderableType:
    match block:
        case FactsBlock(rows):
            return _grid(("", ""), [[(label, "dim"), value] for label, value in rows])
        case Prose(words):
            return Text(words)
        case ByteMap(regions):
            strip = _strip(regions, width - 2 if width != UNBROKEN else STRIP)
            return Padding(strip, (1, 0, 0, 2), expand=False)
        case TableBlock(title, headings, rows):
            grid = _grid(headings, rows)
            return Group(Text(f"\n{title}", "bold blue"), grid) if title else grid


def _grid(headings: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Grid:
    named = any(heading.strip(">") for heading in headings)
    grid = Grid(box=None, show_header=named, header_style="dim", padding=(0, 0, 0, 2))
    for heading in headings:
        right = heading.startswith(">")
        grid.add_column(
            heading.lstrip(">"), justify="right" if right else "left", overflow="fold",
            no_wrap=right,
        )  # fmt: skip
    for row in rows:
        grid.add_row(*(_cell(cell) for cell in row))
    return grid


def _cell(cell: Cell) -> Text:
    if isinstance(cell, str):
        return Text(cell)
    words, tone = cell
    kind = Name if tone == "name" else Text
    return kind(words, STYLES.get(tone) or f"color({colour_of(tone)})")


class Name(Text):
    """A dotted path. A long name is broken before a `.` or `[`, if one is near."""

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widest = max((cell_len(piece) for piece in PIECES.findall(self.plain)), default=0)
        return Measurement(widest, cell_len(self.plain))

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
        words = name if len(name) <= columns else ""
        colour = f"color({colour_of(f'part {name}')})" if name else "color(240)"
        strip.append(words.center(columns)[:columns], f"color(16) on {colour}")
    return strip
