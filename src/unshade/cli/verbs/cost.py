"""`unshade cost`: count the operations, chains and live registers of shaders."""

from typing import Any

from .. import exits
from ..commands import CostOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked

UNIT = {"static": "integer", "least": "integer", "most": "integer?"}
BLOCK = {
    "lines": ["integer"], "least": "integer", "most": "integer?", "loops": ["integer"],
    "units": {"*": "integer"},
}  # fmt: skip
CHAIN = {"length": "integer", "lines": ["integer"]}
LIVE = {"name": "string", "registers": "integer", "line": "integer"}
SHAPE = {
    "entry_point": "string", "units": {"*": UNIT}, "blocks": [BLOCK],
    "loops": [{"line": "integer", "most": "integer?", "exact": "boolean"}],
    "chain": CHAIN, "dependent_samples": CHAIN, "live": {"*": "integer"},
    "peak": {"line": "integer", "registers": "integer", "values": [LIVE]}, "measured?": "any",
}  # fmt: skip


def run(given: CostOptions) -> int:
    """Print the counts of each file; with `--measure`, also the counts of a run."""
    from ...analysis.cost import cost

    use_if_asked(given.sources, given.stage, given.entry)
    out = CommandOutput(given.output, as_json=given.as_json)

    def count(item: Input) -> int:
        shader = item.open_program()
        measured = None
        if given.measure:
            from ...run.cost import measure

            measured = measure(
                shader, lanes=given.lanes, seed=given.seed, program=given.program, entry=given.entry
            )
        found = cost(shader, given.program, given.entry) if measured is None else measured.counted
        if given.as_json:
            data: dict[str, Any] = found.to_dict()
            if measured is not None:
                data["measured"] = measured.to_dict()
            out.document(item, data)
        else:
            from ...screens.cost import screen

            out.blocks(screen(item.name, found, measured, given.everything))
        return exits.FINE

    return run_on(given.files, count, out)
