"""`unshade sign`: recompute digests."""

from collections.abc import Sequence

from ...errors import UsageError
from ...files import write_atomically
from .. import exits
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput
from ..targets import Targets


def run(files: Sequence[str], in_place: bool = False, output: str | None = None) -> int:
    """Write each file with its digest recomputed."""
    if in_place == (output is not None):
        raise UsageError("give either -o PATH or --in-place")
    targets = Targets(output, (), files, one_each=not in_place)

    def sign(item: Input) -> int:
        if in_place and item.path == "-":
            raise UsageError("--in-place cannot be used with standard input")
        shader = item.open()
        shader.sign()
        if in_place:
            write_atomically(item.path, shader.to_bytes(), in_place=True)
            return exits.FINE
        place = targets.place(item)
        with CommandOutput(place) as one:
            one.binary(shader.to_bytes())
        return exits.FINE

    return run_on(files, sign, CommandOutput(fills_screen=False), targets=targets)
