"""The screen of `unshade info`."""

from collections.abc import Iterator, Sequence

from ..model.pipelines import StoredPipeline
from ..overview import CostInfo, Info, notes_of
from .blocks import Block, Cell, FactsBlock, TableBlock, Title
from .objects import state_object
from .parts import byte_map
from .reflection import body, headline
from .text import many, visible

DIGESTS: dict[str, Cell] = {
    "retail": ("valid", "good"),
    "debug": ("valid, but only the debug layer accepts this kind", "good"),
    "none": ("none: not signed", "warn"),
    "bypass": ("none: marked to skip the check", "warn"),
    "preview bypass": ("none: marked to skip the check in preview runtimes", "warn"),
    "unknown": ("invalid: the bytes were changed after signing", "bad"),
}
PIPELINES = 20  # rows; JSON has all of them
TONES = {"error": "bad", "warning": "warn", "note": "dim"}


def screen(name: str, found: Info) -> Iterator[Block]:
    """Yield the blocks for one shader."""
    reflection = found.reflection
    what = headline(reflection) if reflection is not None else found.format
    yield Title(visible(name), f"{what}, {found.size:,} bytes" if found.size else what)
    facts: list[tuple[str, Cell]] = []
    if reflection is not None and reflection.creator:
        facts.append(("compiler", visible(reflection.creator)))
    if reflection is not None and reflection.compile_flags:
        facts.append(("flags", ", ".join(reflection.compile_flags)))
    if found.pdb is not None:
        facts.append(("PDB", visible(found.pdb)))
    if found.digest is not None:
        facts.append(("digest", DIGESTS[found.digest]))
    if found.trailing:
        facts.append(("behind its end", (many(found.trailing, "byte"), "warn")))
    yield FactsBlock(facts)
    if found.parts:
        yield from byte_map(found.parts, found.size, found.trailing)
    if found.pipelines:
        yield pipelines(found.pipelines)
    for each in found.state_objects[:PIPELINES]:
        yield state_object(each)
    if len(found.state_objects) > PIPELINES:
        more = f"{len(found.state_objects) - PIPELINES:,} more: see --json"
        yield TableBlock("State objects", ("",), [((more, "dim"),)])
    if reflection is not None:
        yield from body(reflection)
    if found.costs:
        yield costs(found.costs)
    if found.findings:
        yield findings(found)
    shown = notes_of(reflection)
    notes = [note for note in found.notes if note not in shown]
    if notes:
        yield TableBlock("Not shown", ("",), [((visible(note), "dim"),) for note in notes])


def pipelines(found: Sequence[StoredPipeline]) -> TableBlock:
    """Return the table of the first pipelines: key, version, type, and shader of each stage."""
    rows: list[list[Cell]] = []
    for each in found[:PIPELINES]:
        version = "" if each.version is None else (f"{each.version}", "number")
        stages = ", ".join(f"{stage} {key}" for stage, key in each.stages.items())
        rows.append(
            [(visible(each.group or each.key), "name"), version, each.type, visible(stages)]
        )
    if len(found) > PIPELINES:
        rows.append([(f"{len(found) - PIPELINES:,} more: see --json", "dim"), "", "", ""])
    return TableBlock("Pipelines", ("name", ">version", "type", "shaders"), rows)


def costs(found: Sequence[CostInfo]) -> TableBlock:
    """Return the table of counts: a row for each that is not 0, a column for each entry point."""
    entries = list(dict.fromkeys(each.entry_point for each in found))
    values = {(each.metric, each.entry_point): each.value for each in found}
    rows: list[list[Cell]] = []
    for metric in dict.fromkeys(each.metric for each in found):
        several = [values.get((metric, entry)) for entry in entries]
        if any(value != 0 for value in several):
            cells: list[Cell] = ["unknown" if each is None else f"{each:,}" for each in several]
            rows.append([metric.replace("-", " "), *cells])
    headings = [f">{visible(each)}" if each is not None else ">" for each in entries]
    return TableBlock("Cost", ("", *headings), rows)


def findings(found: Info) -> TableBlock:
    """Return the diagnostics of reading."""
    rows: list[list[Cell]] = []
    for each in found.findings:
        where = "" if each.offset is None else f"0x{each.offset:04x}"
        rows.append(
            [(each.severity, TONES[each.severity]), each.code, where, visible(each.path),
             visible(each.message)]
        )  # fmt: skip
    return TableBlock("Findings", ("", "rule", "offset", "path", ""), rows)
