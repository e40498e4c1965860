"""The control flow of the listing of a page: basic blocks, edges, regions that fold.

Lines count from 0. A region's first line stays when it folds; the lines after it, up to its last
line, are hidden.
"""

from collections.abc import Iterator, Sequence

from ..isa.flow import blocks_of
from ..shader import Shader
from ..tuples import NamedTuple
from .listing import CodeListing

__all__ = ["ListingFlow", "flow_of"]

Shown = tuple[int, int] | None  # the first and the last line of an instruction


class ListingFlow(NamedTuple):
    """Columns of the flow.

    Attributes:
        blocks: (first line, last line) of each block.
        edges: (from, to, kind): numbers of blocks, and a kind of `isa.flow.FlowStep`.
        folds: (first line, last line) of each region.
    """

    blocks: list[tuple[int, int]]
    edges: list[tuple[int, int, str]]
    folds: list[tuple[int, int]]


def flow_of(shader: Shader, listing: CodeListing) -> ListingFlow:
    """Return the flow of a shader's programs in its listing; empty if none can be followed."""
    lines: dict[str, tuple[int, int]] = {}
    for at, paths in enumerate(listing.paths):
        if paths:
            first, last = lines.get(paths[0], (at, at - 1))
            if last == at - 1:  # a closing brace further down is of the statement, too
                lines[paths[0]] = first, at
    made = ListingFlow([], [], [])
    for program in shader.programs:
        flow = program.control_flow()
        shown = [lines.get(shader.field_path(program, each.path)) for each in flow.steps]
        found = blocks_of(flow)
        numbers: dict[int, int] = {}
        for number, (first, last) in enumerate(found.blocks):
            start, end = shown[first], shown[last]
            if start is not None and end is not None:
                numbers[number] = len(made.blocks)
                made.blocks.append((start[0], end[1]))
        made.edges.extend(
            (numbers[one], numbers[other], kind)
            for one, other, kind in found.edges
            if one in numbers and other in numbers
        )
        made.folds.extend(_folds(listing, flow.regions, shown))
    return made


def _folds(
    listing: CodeListing, regions: Sequence[tuple[int, int]], shown: Sequence[Shown]
) -> Iterator[tuple[int, int]]:
    """Yield the lines of regions.

    A line without an instruction that opens a region, `.else` or `define`, is its first line.
    """
    steps = {each[0] for each in shown if each is not None}
    largest: dict[int, int] = {}
    for first, last in regions:
        largest[first] = max(last, largest.get(first, last))
    for first, last in regions:
        start, end = shown[first], shown[last]
        if start is None or end is None:
            continue
        head, before = start[0], start[0] - 1
        if last == largest[first] and before not in steps and _opens(listing, before):
            head = before
        if end[1] > head:
            yield head, end[1]


def _opens(listing: CodeListing, line: int) -> bool:
    """Tell whether the line after a line is indented below it."""
    if line < 0 or not listing.lines[line].strip():
        return False
    one, other = (each[: len(each) - len(each.lstrip())].expandtabs()
                  for each in listing.lines[line : line + 2])  # fmt: skip
    return len(one) < len(other)
