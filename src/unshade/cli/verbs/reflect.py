"""`unshade reflect`: show inputs, outputs, resources and constants."""

from .. import exits
from ..commands import ReflectOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked


def run(given: ReflectOptions) -> int:
    """Show the reflection of each file."""
    use_if_asked(given.sources, given.stage, given.entry)
    out = CommandOutput(given.output, as_json=given.as_json)

    def reflect(item: Input) -> int:
        found = item.open().reflect()
        if given.as_json:
            out.document(item, {"reflection": found.to_dict()})
        else:
            from ...screens.reflection import screen

            out.blocks(screen(item.name, found))
        return exits.FINE

    return run_on(given.files, reflect, out)
