"""`unshade info`: the screen one wants of a shader."""

from collections.abc import Sequence

from . import exits
from .inputs import Input
from .inputs import run as run_on
from .output import Output


def run(files: Sequence[str], as_json: bool = False, output: str | None = None) -> int:
    """Show what each file is, takes, gives, uses and costs."""
    out = Output(output, as_json=as_json)

    def show(item: Input) -> int:
        from ..overview import info

        found = info(item.open())
        if as_json:
            out.document(item, found.to_dict())
        else:
            from ..screens.info import screen

            out.blocks(screen(item.name, found))
        return exits.FINE

    return run_on(files, show, out)
