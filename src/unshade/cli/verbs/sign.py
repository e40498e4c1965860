"""`unshade sign`: recompute digests."""

from ...errors import UsageError
from ...files import write_atomically
from .. import exits
from ..commands import SignOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput
from ..targets import Targets


def run(given: SignOptions) -> int:
    """Write each file with its digest recomputed."""
    if given.in_place == (given.output is not None):
        raise UsageError("give either -o PATH or --in-place")
    targets = Targets(given.output, (), given.files, one_each=not given.in_place)

    def sign(item: Input) -> int:
        if given.in_place and item.path == "-":
            raise UsageError("--in-place cannot be used with standard input")
        shader = item.open()
        shader.sign()
        if given.in_place:
            write_atomically(item.path, shader.to_bytes(), in_place=True)
            return exits.FINE
        place = targets.place(item)
        with CommandOutput(place) as one:
            one.binary(shader.to_bytes())
        return exits.FINE

    return run_on(given.files, sign, CommandOutput(fills_screen=False), targets=targets)
