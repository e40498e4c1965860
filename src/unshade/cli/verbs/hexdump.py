"""`unshade hexdump`: dump the bytes of a file with every field named."""

import re
from collections.abc import Iterator, Sequence

from ...errors import UsageError, did_you_mean
from ...screens.text import many, visible
from ...wire.spans import Span, is_below
from ..commands import HexdumpOptions
from ..inputs import Input, damage_data, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput
from ..sources import use_if_asked

STEP = re.compile(r"\.?[^.\[]+|\[[^\]]*\]")
MOST = 16  # names in an error


FIELD = {
    "offset": "integer", "length": "integer", "path": "string", "value": "any", "doc": "string",
    "bits": "any", "kind": "string", "bytes": "string",
}  # fmt: skip
SHAPE = {"fields": [FIELD]}


def run(given: HexdumpOptions) -> int:
    """Show offset, bytes, path and value of every field, or of those below the paths `only`."""
    use_if_asked(given.sources, given.stage, given.entry)
    out = CommandOutput(given.output, as_json=given.as_json)

    def show(item: Input) -> int:
        from ...screens.hexdump import field, lines

        shader = item.open(strict=False)
        for path in given.only:
            if not any(is_below(span.path, path) for span in shader.iter_spans()):
                raise _no_field(path, [span.path for span in shader.iter_spans()])

        def spans() -> Iterator[Span]:
            for span in shader.iter_spans():
                if not given.only or any(is_below(span.path, path) for path in given.only):
                    yield span

        data = shader.to_bytes()
        if given.as_json:
            fields = [field(span, data) for span in spans()]
            out.document(item, {"fields": fields, **damage_data(shader)})
            return tell_damage(item, shader)
        if out.several:
            out.separate()
        out.heading(f"{visible(item.name)}: {shader.format}, {many(len(data), 'byte')}")
        out.segments(lines(spans, data, given.docs, out.columns))
        return tell_damage(item, shader)

    return run_on(given.files, show, out)


def _no_field(path: str, paths: Sequence[str]) -> UsageError:
    """Return the error for a path without fields, listing fields at its longest known prefix."""
    known = ""
    left = path
    while left and not known:
        left = left[: max(left.rfind("."), left.rfind("["), 0)]
        known = left if any(each.startswith((f"{left}.", f"{left}[")) for each in paths) else ""
    below = [each[len(known) :] for each in paths if not known or each.startswith(known)]
    steps = [found[0] for each in below if (found := STEP.match(each))]
    names = [*dict.fromkeys(known + each for each in steps if known or "[" not in each[:1])]
    meant = did_you_mean(path, names)
    if len(names) > MOST:
        names[MOST - 1 : -1] = ["…"]
    listed = ", ".join(names)
    return UsageError(f"no field {path!r}: expected one of {listed}, or one below{meant}")
