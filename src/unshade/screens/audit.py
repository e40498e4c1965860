"""The screen of `unshade audit`: a table of the findings of a file, by category."""

from collections.abc import Iterator, Sequence

from ..analysis.audit import Disclosure, Reveals
from .blocks import Block, Cell, TableBlock, Title
from .text import many, visible

WIDEST = 60  # characters of a text


def screen(
    name: str, format: str, found: Sequence[Disclosure], most: int | None
) -> Iterator[Block]:
    """Yield the table of what a file gives away; at most `most` rows of each category."""
    kept = sum(each.removed_by is None for each in found)
    after = f", {kept} of which strip keeps" if kept else ", all removed by strip" if found else ""
    phrase = f"{many(len(found), 'finding')}{after}" if found else "gives nothing away"
    yield Title(visible(name), f"{format}, {phrase}")
    rows: list[list[Cell]] = []
    for category in Reveals:
        of_it = [each for each in found if each.category == category]
        shown = of_it if most is None or len(of_it) <= most + 1 else of_it[:most]
        for at, each in enumerate(shown):
            rows.append([str(category) if not at else "", *_cells(each)])
        if len(of_it) > len(shown):
            rows.append(["", "", (f"… {len(of_it) - len(shown):,} more", "dim"), "", ""])
    if rows:
        yield TableBlock("", ("category", "offset", "text", "removed by", "path"), rows)


def _cells(each: Disclosure) -> list[Cell]:
    stored = "" if each.stored in ("utf-8", "packed", "number") else f" ({each.stored})"
    removed: Cell = ("nothing", "warn") if each.removed_by is None else f"--{each.removed_by}"
    return [
        (f"0x{each.offset:04x}", "dim"),
        _clipped(each.text) + stored,
        removed,
        (visible(each.path), "path"),
    ]


def _clipped(text: str) -> str:
    """Return the first line of a text, not wider than a column, with the number of the others."""
    lines = text.strip().splitlines() or [""]
    line = visible(lines[0])
    line = line if len(line) <= WIDEST else line[: WIDEST - 1] + "…"
    return line if len(lines) == 1 else f"{line} … {many(len(lines) - 1, 'more line')}"
