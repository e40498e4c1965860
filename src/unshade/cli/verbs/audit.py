"""`unshade audit`: list what files give away about those who made them."""

from typing import Any

from .. import exits
from ..commands import AuditOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked

FEW = 8  # findings of a category that are listed without --all


FOUND = {
    "category": "string", "text": "string", "offset": "integer", "length": "integer",
    "path": "string", "stored": "string", "removed_by": "string?",
}  # fmt: skip
SHAPE = {"format": "string", "found": [FOUND]}


def run(given: AuditOptions) -> int:
    """List the disclosures of each file; return 1 if there is one of a denied category."""
    from ...analysis.audit import Disclosure, Reveals, audit, categories

    use_if_asked(given.sources, given.stage, given.entry)
    denied = [each for name in given.deny for each in name.split(",")]
    wanted = list(Reveals) if "all" in denied else categories(denied) or list(Reveals)
    out = CommandOutput(given.output, as_json=given.as_json)

    def look(item: Input) -> int:
        shader = item.open()
        found = [each for each in audit(shader) if each.category in wanted]
        if given.as_json:
            out.document(item, {"format": shader.format, "found": [_plain(each) for each in found]})
        elif found or not out.several:
            from ...screens.audit import screen

            out.blocks(screen(item.name, shader.format, found, None if given.everything else FEW))
        return exits.FINDING if given.deny and found else exits.FINE

    def _plain(each: Disclosure) -> dict[str, Any]:
        return {**each._asdict(), "category": str(each.category)}

    return run_on(given.files, look, out)
