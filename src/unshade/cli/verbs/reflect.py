"""`unshade reflect`: show inputs, outputs, resources and constants."""

from collections.abc import Sequence

from .. import exits
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput


def run(files: Sequence[str], as_json: bool = False, output: str | None = None) -> int:
    """Show the reflection of each file."""
    out = CommandOutput(output, as_json=as_json)

    def reflect(item: Input) -> int:
        found = item.open().reflect()
        if as_json:
            out.document(item, {"reflection": found.to_dict()})
        else:
            from ...screens.reflection import screen

            out.blocks(screen(item.name, found))
        return exits.FINE

    return run_on(files, reflect, out)
