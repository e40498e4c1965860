"""`unshade info`: show a summary of each shader."""

from typing import TYPE_CHECKING

from ..commands import InfoOptions
from ..inputs import Input, damage_data, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked

if TYPE_CHECKING:
    from ...overview import Info
    from ...shader import Shader


def run(given: InfoOptions) -> int:
    """Show stage, interface, resources and costs of each file."""
    use_if_asked(given.sources, given.stage, given.entry)
    out = CommandOutput(given.output, as_json=given.as_json)
    pdbs = None
    if given.pdbs is not None:
        from ...analysis.pdbs import PdbFolder

        pdbs = PdbFolder(given.pdbs)

    def show(item: Input) -> int:
        from ...overview import info

        shader = item.open(strict=False)
        found = info(shader)
        if given.cost:
            _add_costs(found, shader)
        if pdbs is not None:
            found.pdb = pdbs.path_of(shader)
            if found.pdb is None:
                found.notes.append(f"no PDB with the shader's hash in {given.pdbs}")
        if given.as_json:
            out.document(item, {**found.to_dict(), **damage_data(shader)})
        else:
            from ...screens.info import screen

            out.blocks(screen(item.name, found))
        return tell_damage(item, shader)

    return run_on(given.files, show, out)


def _add_costs(found: "Info", shader: "Shader") -> None:
    """Add the counts of each entry point, or a note on why there are none."""
    from ...analysis.metrics import COST_METRICS, measured_entries
    from ...overview import CostInfo

    for entry in measured_entries(shader):
        names = [name for name in COST_METRICS if name in entry.metrics]
        if not names:
            continue
        if entry.cost is not None:
            found.costs += [
                CostInfo(entry_point=entry.name, metric=name, value=COST_METRICS[name].of(entry))
                for name in names
            ]
        elif entry.problem:
            place = "" if entry.name is None else f"{entry.name}: "
            found.notes.append(f"{place}no costs: {entry.problem}")
