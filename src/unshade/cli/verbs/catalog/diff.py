"""`unshade catalog diff`: compare two catalogues."""

from collections.abc import Iterator

from .... import catalog
from ....screens.text import many, visible
from ... import exits
from ...commands import CatalogDiffOptions
from ...output import CommandOutput

CHANGE = {
    "kind": "string", "name": "string", "place": "string", "before": "string?",
    "after": "string?", "what": "string?", "from_name": "string?",
}  # fmt: skip
WHOLE = {
    "changes": [CHANGE], "same": "integer", "changed": "integer", "moved": "integer",
    "added": "integer", "removed": "integer",
}  # fmt: skip


def run(given: CatalogDiffOptions) -> int:
    """Print the shaders that have changed, moved, come or gone; return 1 if there are any."""
    found = catalog.compare(given.old, given.new)
    with CommandOutput(given.output, as_json=given.as_json) as out:
        if given.as_json:
            changes = [each._asdict() for each in found.changes]
            out.json({"changes": changes, "same": found.same} | found.counts())
        else:
            for line in _lines(found):
                out.line(line)
    return exits.FINDING if found.changes else exits.FINE


def _lines(found: "catalog.CatalogDiff") -> Iterator[str]:
    for each in found.changes:
        name = visible(f"{each.name}!{each.place}")
        match each.kind:
            case "changed":
                yield f"changed  {name}  {each.what}"
            case "moved":
                what = "" if each.what == "nothing" else f"  {each.what}"
                yield f"moved    {visible(each.from_name or '')} to {name}{what}"
            case _:
                yield f"{each.kind:7}  {name}"
    counts = [f"{count:,} {kind}" for kind, count in found.counts().items() if count]
    yield ", ".join([many(found.same, "shader") + " the same", *counts])
