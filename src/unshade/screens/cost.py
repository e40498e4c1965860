"""The screen of `unshade cost`: operations by unit, blocks, chains and the peak of registers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..analysis.cost import CostBlock, ShaderCost
from ..analysis.cost.units import units_of
from .blocks import Block, Cell, FactsBlock, TableBlock, Title
from .text import many, visible

if TYPE_CHECKING:
    from ..run.cost import MeasuredCost

FEW = 16  # live values that are named


def screen(
    name: str, found: ShaderCost, measured: "MeasuredCost | None", everything: bool
) -> Iterator[Block]:
    """Yield the counts of a program, with the measurements of a run if there are any."""
    lanes = "" if measured is None else f", measured in {many(measured.lanes, 'lane')}"
    yield Title(visible(name), f"{visible(found.entry)}, {many(len(found.blocks), 'block')}{lanes}")
    rows: list[list[Cell]] = []
    for unit, count in found.units.items():
        most = "unknown" if count.most is None else f"{count.most:,}"
        row: list[Cell] = [str(unit), f"{count.static:,}", f"{count.least:,}", most]
        if measured is not None:
            ran = measured.units.get(unit)
            row.append("" if ran is None else _average(ran, measured.lanes))
        rows.append(row)
    headings = ["unit", ">in code", ">at least", ">at most"]
    yield TableBlock("operations of a lane", [*headings, *[">measured"] * bool(measured)], rows)
    yield _blocks(found.blocks, measured)
    yield FactsBlock(_facts(found, everything))
    if everything:
        yield _lines(found.live)


def _blocks(blocks: Sequence[CostBlock], measured: "MeasuredCost | None") -> Block:
    rows: list[list[Cell]] = []
    for number, block in enumerate(blocks):
        first, last = block.lines
        where = f"{first}" if first == last else f"{first}-{last}"
        most = "?" if block.most is None else f"{block.most:,}"
        trips = f"{block.least:,}" if block.least == block.most else f"{block.least:,} to {most}"
        counts = ", ".join(f"{count} {unit}" for unit, count in units_of(block.values).items())
        row: list[Cell] = [where, trips, counts]
        if measured is not None:
            used = measured.utilisation(number)
            share = "" if used is None else f"{used:.0%}"
            ends = all(each.op.ends for each in block.values)  # lanes that leave are not counted
            trips = "" if ends else _average(measured.trips[number], measured.lanes)
            row[2:2] = [trips, share]
        rows.append(row)
    more = [">measured", ">lanes of a wave"] if measured is not None else []
    return TableBlock("blocks", ["lines", ">trips", *more, "operations"], rows)


def _average(count: int, lanes: int) -> str:
    average = count / max(lanes, 1)
    return f"{average:,.0f}" if average == round(average) else f"{average:,.2f}"


def _facts(found: ShaderCost, everything: bool) -> list[tuple[str, Cell]]:
    peak = found.peak
    rows: list[tuple[str, Cell]] = [
        ("longest chain", f"{many(found.chain.length, 'operation')}{_path(found.chain.lines)}")
    ]
    if found.samples.length:
        levels = many(found.samples.length, "sample")
        depends = "" if found.samples.length == 1 else ", each depending on the one before"
        rows.append(("sample chain", f"{levels}{depends}{_path(found.samples.lines)}"))
    rows.append(("live registers", f"at most {peak.registers}, after line {peak.line}"))
    shown = peak.values if everything else peak.values[:FEW]
    names = ", ".join(f"{visible(each.name)} (line {each.line})" for each in shown)
    rest = len(peak.values) - len(shown)
    rows.append(("live there", names + (f" and {rest} more" if rest else "")))
    return rows


def _path(lines: Sequence[int]) -> str:
    kept = list(dict.fromkeys(lines))
    if not kept:
        return ""
    word = "line" if len(kept) == 1 else "lines"
    return f": {word} {', '.join(map(str, kept))}"


def _lines(live: Mapping[int, int]) -> Block:
    rows: list[list[Cell]] = [[f"{line}", f"{count}"] for line, count in live.items()]
    return TableBlock("live registers after each line", [">line", ">registers"], rows)
