"""The table of a state object in `unshade info`: libraries, hit groups, work graphs."""

from collections.abc import Iterator, Sequence

from ..model.stateobjects import (
    StoredHitGroup,
    StoredLibrary,
    StoredNode,
    StoredNodeId,
    StoredRayConfig,
    StoredStateObject,
    StoredWorkGraph,
)
from .blocks import Cell, TableBlock
from .text import visible

__all__ = ["state_object"]

SHOWN = 20  # rows of a kind; JSON has all of them


def state_object(found: StoredStateObject) -> TableBlock:
    """Return the table of a state object: a row for each subobject."""
    name = found.group or found.key
    title = f"State object{f' {visible(name)}' if name else ''}"
    return TableBlock(title, ("", "", ""), [*_rows(found)])


def _rows(found: StoredStateObject) -> Iterator[Sequence[Cell]]:
    yield "type", found.type.replace("_", " "), ""
    if found.version is not None:
        yield "version", f"{found.version}", ""
    if found.parent is not None:
        yield "adds to", (visible(found.parent), "name"), ""
    for word, several in (("library", found.libraries), ("collection", found.collections)):
        yield from _listed(word, [(each.key, _exports(each)) for each in several if each.key])
    for word, roots in (
        ("global root signature", found.global_root_signatures),
        ("local root signature", found.local_root_signatures),
    ):
        yield from _listed(word, [(each, "") for each in roots])
    yield from _listed("hit group", [(each.name, _hit_group(each)) for each in found.hit_groups])
    configs = (*found.shader_configs, *found.pipeline_configs)
    yield from _listed("configuration", [(each.key, _config(each)) for each in configs])
    associations = [
        (each.subobject, f"for {', '.join(each.exports) or 'all others'}")
        for each in found.associations
    ]
    yield from _listed("association", associations)
    programs = [(each.name, ", ".join(each.exports)) for each in found.programs]
    yield from _listed("program", programs)
    yield from _listed("work graph", [(each.name, _graph(each)) for each in found.work_graphs])
    for graph in found.work_graphs:
        yield from _listed("node", [(each.shader, _node(each)) for each in graph.nodes])


def _listed(word: str, rows: Sequence[tuple[str, str]]) -> Iterator[Sequence[Cell]]:
    """Yield the first rows of a kind, and the number of others."""
    for name, text in rows[:SHOWN]:
        yield word, (visible(name), "name"), visible(text)
    if len(rows) > SHOWN:
        yield word, (f"{len(rows) - SHOWN:,} more: see --json", "dim"), ""


def _exports(found: StoredLibrary) -> str:
    return ", ".join(
        each.name if each.renamed_from is None else f"{each.name} (of {each.renamed_from})"
        for each in found.exports
    )


def _hit_group(found: StoredHitGroup) -> str:
    shaders = (
        ("any hit", found.any_hit), ("closest hit", found.closest_hit),
        ("intersection", found.intersection),
    )  # fmt: skip
    named = ", ".join(f"{word} {name}" for word, name in shaders if name is not None)
    return f"{found.type.replace('_', ' ')}: {named}" if named else found.type.replace("_", " ")


def _config(found: StoredRayConfig) -> str:
    numbers = (
        ("payload of at most {} bytes", found.max_payload_size),
        ("attributes of at most {} bytes", found.max_attribute_size),
        ("recursion of at most {}", found.max_recursion),
    )
    texts = [text.format(number) for text, number in numbers if number is not None]
    return ", ".join([*texts, *([f"flags 0x{found.flags:x}"] if found.flags else [])])


def _node_id(found: StoredNodeId) -> str:
    return f"{found.name}[{found.index}]" if found.index else found.name


def _graph(found: StoredWorkGraph) -> str:
    texts = [flag.replace("_", " ") for flag in found.flags]
    entries = ", ".join(map(_node_id, found.entry_points))
    return "; ".join([*texts, *([f"starts at {entries}"] if entries else [])])


def _node(found: StoredNode) -> str:
    texts = []
    if found.id is not None:
        texts.append(f"as {_node_id(found.id)}")
    if found.shares_input_of is not None:
        texts.append(f"shares the input of {_node_id(found.shares_input_of)}")
    for word, grid in (("grid", found.dispatch_grid), ("largest grid", found.max_dispatch_grid)):
        if grid is not None:
            texts.append(f"{word} {' x '.join(map(str, grid))}")
    for each in found.outputs:
        target = "" if each.target is None else f" to {_node_id(each.target)}"
        texts.append(f"output {each.output}{target}")
    return ", ".join(texts)
