"""The screen of `unshade parts`: a file as a strip in proportion, and the table of its parts.

A region of the strip is a part with its header and the padding after it.
"""

from collections.abc import Iterator, Sequence

from ..overview import PartInfo
from .blocks import Block, ByteMap, Cell, TableBlock, Title, bar
from .text import many, visible

BAR = 24  # columns of a part's bar


def screen(
    name: str, format: str, parts: Sequence[PartInfo], size: int, trailing: int
) -> Iterator[Block]:
    """Yield the blocks for the parts of one file."""
    yield Title(visible(name), f"{format}, {many(size, 'byte')}, {many(len(parts), 'part')}")
    if parts:
        yield from byte_map(parts, size, trailing)


def byte_map(parts: Sequence[PartInfo], size: int, trailing: int) -> Iterator[Block]:
    """Yield the strip of the file in proportion, and the table of parts."""
    yield ByteMap(regions(parts, size, trailing))
    yield table(parts, size)


def regions(parts: Sequence[PartInfo], size: int, trailing: int) -> list[tuple[str, int]]:
    """(name, bytes) of everything in file order; the header and trailing bytes are nameless."""
    placed = sorted(
        (run[0], part.name) for part in parts for run in part.extents or [[part.offset]]
    )
    starts = [start for start, _ in placed] + [size - trailing]
    found = [("", starts[0])]
    for (start, name), end in zip(placed, starts[1:], strict=True):
        found.append((visible(name), end - start))
    found.append(("", trailing))
    return [region for region in found if region[1] > 0]


def table(parts: Sequence[PartInfo], size: int) -> TableBlock:
    """Return a table with offset, size and share of each part."""
    rows: list[list[Cell]] = []
    for part in parts:
        share = part.size / size
        title: Cell = part.title
        if part.state != "typed":
            tone = "bad" if part.state == "malformed" else "dim"
            title = (f"{part.title} ({part.state})" if part.title else part.state, tone)
        tone = f"part {part.name}"
        rows.append(
            [
                (visible(part.name), tone),
                (f"0x{part.offset:04x}", "dim"),
                (f"{part.size:,}", "number"),
                f"{share:.1%}",
                (bar(share, BAR), tone),
                title,
            ]
        )
    rest = size - sum(part.size for part in parts)
    if rest > 0:
        share = rest / size
        rows.append(
            [
                "",
                "",
                (f"{rest:,}", "number"),
                f"{share:.1%}",
                (bar(share, BAR), "dim"),
                ("headers", "dim"),
            ]
        )
    return TableBlock("Parts", ("name", ">offset", ">bytes", ">share", "", ""), rows)
