"""`unshade explain`: explain operations of any language, and rules of `verify`."""

from ...analysis.explanations import Explanation, explain
from .. import exits
from ..commands import ExplainOptions
from ..output import CommandOutput

ROW = {"label": "string", "text": "string"}
EXPLANATION = {"word": "string", "language": "string", "title": "string", "rows": [ROW]}
WHOLE = [EXPLANATION]


def run(given: ExplainOptions) -> int:
    """Print what the tables contain about each word; an unknown one is a usage error."""
    out = CommandOutput(given.output, as_json=given.as_json)
    found = [each for word in given.words for each in explain(word, given.language)]
    with out:
        if given.as_json:
            out.json([_plain(each) for each in found])
            return exits.FINE
        from ...screens.explanations import blocks

        out.blocks(blocks(found))
    return exits.FINE


def _plain(found: Explanation) -> dict[str, object]:
    rows = [{"label": label, "text": text} for label, text in found.rows]
    return {**found._asdict(), "rows": rows}
