"""Blocks of a screen, rendered as plain text here and by rich on a terminal.

A cell is a text, or a text with a tone: good, warn, bad, dim, name, path, number, key. A table with
the path of a file is as wide as the path, so that it can be copied.
"""

from collections.abc import Iterable, Sequence

from ..tuples import NamedTuple

Cell = str | tuple[str, str]
PATH = "path"  # the tone of a file's name


class Title(NamedTuple):
    """A name and a phrase that describes it; `inner` if it is nested in another block."""

    name: str
    phrase: str
    inner: bool = False


class FactsBlock(NamedTuple):
    """Labelled values, one a line."""

    rows: Sequence[tuple[str, Cell]]


class TableBlock(NamedTuple):
    """Rows under headings; a heading that starts with `>` is set to the right."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


class ByteMap(NamedTuple):
    """Regions of a file, (name, size) in file order, drawn in proportion."""

    regions: Sequence[tuple[str, int]]


class Lines(NamedTuple):
    """Preformatted lines: cells without space between them."""

    title: str
    rows: Sequence[Sequence[Cell]]


class Prose(NamedTuple):
    """A sentence: a terminal breaks it between words, plain text does not."""

    text: str


Block = Title | FactsBlock | TableBlock | ByteMap | Lines | Prose

STRIP = 72  # columns of a plain byte map
EIGHTHS = " ▏▎▍▌▋▊▉█"


def text_of(cell: Cell) -> str:
    """Return the text of a cell without its tone."""
    return cell if isinstance(cell, str) else cell[0]


def columns(text: str) -> int:
    """Return the columns of a text in a terminal: East Asian characters take two."""
    if text.isascii() or not text.strip(EIGHTHS):
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def padded(text: str, width: int, right: bool = False) -> str:
    """Return the text padded to `width` columns, on its left if `right`."""
    space = " " * (width - columns(text))
    return space + text if right else text + space


def bar(share: float, width: int) -> str:
    """Return a bar for a share of `width` columns, in eighths; at least one if not 0."""
    eighths = max(round(share * width * 8), 1 if share > 0 else 0)
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()


def columns_of(regions: Sequence[tuple[str, int]], width: int) -> list[int]:
    """Return the columns of each region: proportional, at least one each, `width` in total."""
    total = sum(size for _, size in regions)
    if not total:
        return [0 for _ in regions]
    floor = [max(1, size * width // total) if size else 0 for _, size in regions]
    order = sorted(range(len(regions)), key=lambda i: -regions[i][1])
    while sum(floor) > width and any(each > 1 for each in floor):
        floor[max(range(len(floor)), key=floor.__getitem__)] -= 1
    for i in order * (width // len(order) + 1):
        if sum(floor) >= width:
            break
        floor[i] += 1
    return floor


def render_plain(blocks: Iterable[Block]) -> str:
    """Return the screen as aligned text."""
    lines: list[str] = []
    for block in blocks:
        match block:
            case Title(name, phrase, inner):
                lines += [""] * inner
                lines.append(f"{name}: {phrase}")
            case FactsBlock(rows):
                wide = max((columns(label) for label, _ in rows), default=0)
                gap = "  " if wide else ""
                lines += [f"  {padded(label, wide)}{gap}{text_of(value)}" for label, value in rows]
            case TableBlock():
                lines += _table(block)
            case ByteMap(regions):
                lines += _strip(regions)
            case Prose(text):
                lines.append(text)
            case Lines(title, texts):
                lines += ["", title] if title else []
                lines += ["".join(map(text_of, row)) for row in texts]
    return "".join(line.rstrip() + "\n" for line in lines)


def _table(table: TableBlock) -> list[str]:
    rows = [[text_of(cell) for cell in row] for row in table.rows]
    right = [heading.startswith(">") for heading in table.headings]
    names = [heading.lstrip(">") for heading in table.headings]
    widths = [
        max([columns(name), *(columns(row[i]) for row in rows if i < len(row))])
        for i, name in enumerate(names)
    ]
    lines = ["", table.title] if table.title else []
    for row in [names, *rows] if any(names) else rows:
        cells = [padded(cell, widths[i], right[i]) for i, cell in enumerate(row)]
        lines.append(("  " if table.title else "") + "  ".join(cells))
    return lines


def _strip(regions: Sequence[tuple[str, int]]) -> list[str]:
    """Return `|RDEF----|ISGN|SHEX-----|`: a name where it fits."""
    cells = []
    for (name, _), room in zip(regions, columns_of(regions, STRIP), strict=True):
        if room:
            words = name if columns(name) < room else ""
            cells.append("|" + words + "-" * (room - 1 - columns(words)))
    return ["", "  " + "".join(cells) + "|"]
