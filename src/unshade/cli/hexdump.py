"""`unshade hexdump`: the bytes of a file with every field named."""

from ..errors import UsageError
from . import exits
from .inputs import Input
from .inputs import run as run_on
from .output import Output


def run(
    file: str,
    part: str | None = None,
    only: str | None = None,
    docs: bool = False,
    as_json: bool = False,
    output: str | None = None,
) -> int:
    """Show every field: offset, bytes, path, value. `only` takes the paths below it."""
    out = Output(output, as_json=as_json)

    def show(item: Input) -> int:
        from .render_hexdump import below, field, lines

        shader = item.open()
        spans = shader.spans()
        chosen = [s for s in spans if below(s.path, part) and below(s.path, only)]
        if not chosen:
            names = ", ".join(dict.fromkeys(s.path.split(".")[0].split("[")[0] for s in spans))
            raise UsageError(f"no field {only or part!r}; the fields begin with {names}")
        data = shader.to_bytes()
        if as_json:
            out.document(item, {"fields": [field(span, data) for span in chosen]})
        else:
            out.segments(lines(chosen, data, docs))
        return exits.FINE

    return run_on([file], show, out)
