"""`unshade hexdump`: dump the bytes of a file with every field named."""

from collections.abc import Sequence

from ...errors import UsageError
from ...screens.text import many, visible
from ..inputs import Input, damage_data, tell_damage
from ..inputs import run as run_on
from ..output import CommandOutput


def run(
    files: Sequence[str],
    only: Sequence[str] = (),
    docs: bool = False,
    as_json: bool = False,
    output: str | None = None,
) -> int:
    """Show offset, bytes, path and value of every field, or of those below the paths `only`."""
    out = CommandOutput(output, as_json=as_json)

    def show(item: Input) -> int:
        from ...screens.hexdump import below, field, lines

        shader = item.open(strict=False)
        spans = shader.spans()
        for path in only:
            if not any(below(span.path, path) for span in spans):
                names = ", ".join(dict.fromkeys(s.path.split(".")[0].split("[")[0] for s in spans))
                raise UsageError(f"no field {path!r}: expected a path that begins with {names}")
        if only:
            spans = [span for span in spans if any(below(span.path, path) for path in only)]
        data = shader.to_bytes()
        if as_json:
            fields = [field(span, data) for span in spans]
            out.document(item, {"fields": fields, **damage_data(shader)})
            return tell_damage(item, shader)
        if out.several:
            out.separate()
            out.text(f"{visible(item.name)}: {shader.format}, {many(len(data), 'byte')}\n")
        out.segments(lines(spans, data, docs, out.columns))
        return tell_damage(item, shader)

    return run_on(files, show, out)
