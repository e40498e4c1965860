"""`unshade info`: show a summary of each shader."""

from ..commands import InfoOptions
from ..inputs import Input, damage_data, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput


def run(given: InfoOptions) -> int:
    """Show stage, interface, resources and costs of each file."""
    out = CommandOutput(given.output, as_json=given.as_json)

    def show(item: Input) -> int:
        from ...overview import info

        shader = item.open(strict=False)
        found = info(shader)
        if given.as_json:
            out.document(item, {**found.to_dict(), **damage_data(shader)})
        else:
            from ...screens.info import screen

            out.blocks(screen(item.name, found))
        return tell_damage(item, shader)

    return run_on(given.files, show, out)
