"""`unshade strip`: remove data that the runtime does not need."""

from collections.abc import Sequence

from ...errors import UsageError
from ...files import write_atomically
from ...screens.text import many, visible
from ...stripping import STRIPPABLE, Loss
from .. import exits
from ..commands import StripOptions
from ..inputs import Input
from ..inputs import run as run_on
from ..output import CommandOutput, tell
from ..sources import use_if_asked
from ..targets import Targets

LOST = {"part": "string", "size": "integer", "category": "string", "meaning": "string"}
SHAPE = {"before": "integer", "after": "integer", "lost": [LOST]}


def run(given: StripOptions) -> int:
    """Strip each file and list the removed data, by default debug information."""
    use_if_asked(given.sources, given.stage, given.entry)
    if given.in_place and given.sources.asked:
        raise UsageError("--in-place cannot be combined with --compile: it replaces the source")
    categories = [name for name in STRIPPABLE if getattr(given, name.replace("-", "_"))]
    if given.everything:
        categories = ["all"]
    places = [given.dry_run, given.in_place, given.output is not None]
    if sum(places) != 1:
        raise UsageError("give one of -o PATH, --in-place and --dry-run")
    if given.as_json and given.output == "-":
        raise UsageError("--json and -o - cannot both write to standard output")
    targets = Targets(given.output, (), given.files, one_each=given.output is not None)
    out = CommandOutput(as_json=given.as_json, fills_screen=given.dry_run or given.as_json)

    def strip(item: Input) -> int:
        if given.in_place and item.path == "-":
            raise UsageError("--in-place cannot be used with standard input")
        shader = item.open()
        before = len(shader.to_bytes())
        lost = shader.strip(*categories)
        data = shader.to_bytes()
        if given.as_json:
            found = [loss._asdict() for loss in lost]
            out.document(item, {"before": before, "after": len(data), "lost": found})
        elif given.dry_run:
            for line in _report(item, lost, before, len(data)).splitlines():
                out.line(line)
        else:
            tell(_report(item, lost, before, len(data)), end="")
        if given.in_place:
            write_atomically(item.path, data, in_place=True)
        elif not given.dry_run:
            with CommandOutput(targets.place(item)) as one:
                one.binary(data)
        return exits.FINE

    return run_on(given.files, strip, out, targets=targets)


def _report(item: Input, lost: Sequence[Loss], before: int, after: int) -> str:
    """Return the list of the data removed from a file."""
    name = visible(item.name)
    if not lost:
        return f"{name}: nothing to strip\n"
    sizes = [f"{loss.size:,}" for loss in lost]
    width = max(map(len, sizes))
    room = max(len(loss.category) for loss in lost)
    rows = [
        f"  {visible(loss.part)}  {size:>{width}}  {loss.category:{room}}  {loss.meaning}\n"
        for loss, size in zip(lost, sizes, strict=True)
    ]
    removed = f"{many(before - after, 'byte')} removed, {before:,} to {after:,}"
    return f"{name}: {removed}\n{''.join(rows)}"
