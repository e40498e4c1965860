"""`unshade report --diff`: the page of the difference of two shaders."""

import os

from ..errors import UsageError
from ..files import protect
from . import exits
from .commands import ReportOptions
from .inputs import Skipped, run_over
from .output import CommandOutput
from .pairs import Pair, pairs_of


def run(given: ReportOptions) -> int:
    """Write the page; return 1 if the shaders differ."""
    if len(given.files) != 2:
        raise UsageError(f"--diff: expected two files, got {len(given.files)}")
    pairs, several = pairs_of(given.files, Skipped("shader"))
    if several:
        raise UsageError("--diff: expected two files, got two folders")
    for file in given.files:
        protect(file)
    out = CommandOutput(given.output, fills_screen=False)

    def compare(pair: Pair) -> int:
        from ..analysis.diff import diff
        from ..report.difference import difference_page

        shaders = pair.open()
        if len(shaders) < 2:
            raise UsageError(f"expected two files, got {os.devnull}")
        before, after = shaders
        found = diff(before, after)
        assert pair.before is not None
        assert pair.after is not None
        names = pair.before.name, pair.after.name
        out.binary(difference_page(before, after, names, found).encode())
        return exits.FINDING if found else exits.FINE

    return max(run_over(pairs, compare, out))
