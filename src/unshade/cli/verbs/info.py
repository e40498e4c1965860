"""`unshade info`: show a summary of each shader."""

from typing import TYPE_CHECKING

from ..commands import InfoOptions
from ..inputs import Input, damage_data, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput

if TYPE_CHECKING:
    from ...overview import CostInfo
    from ...shader import Shader


def run(given: InfoOptions) -> int:
    """Show stage, interface, resources and costs of each file."""
    out = CommandOutput(given.output, as_json=given.as_json)

    def show(item: Input) -> int:
        from ...overview import info

        shader = item.open(strict=False)
        found = info(shader)
        if given.cost:
            found.costs = _costs(shader)
        if given.as_json:
            out.document(item, {**found.to_dict(), **damage_data(shader)})
        else:
            from ...screens.info import screen

            out.blocks(screen(item.name, found))
        return tell_damage(item, shader)

    return run_on(given.files, show, out)


def _costs(shader: "Shader") -> "list[CostInfo]":
    """Return the counts of each entry point; none of a file without code."""
    from ...analysis.metrics import COST_METRICS, measured_entries
    from ...overview import CostInfo

    return [
        CostInfo(entry_point=entry.name, metric=name, value=COST_METRICS[name].of(entry))
        for entry in measured_entries(shader)
        for name in COST_METRICS
        if name in entry.metrics and entry.cost is not None
    ]
